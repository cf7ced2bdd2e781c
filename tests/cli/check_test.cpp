#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

TEST(Creatures, AreListedWithMassAndDegreesOfFreedom) {
  const Folder folder;
  const Outcome text = folder.legwork({"creatures"});
  ASSERT_EQ(text.code, 0) << text.err;
  const Json list = folder.legwork({"creatures", "--json", "-"}).json()["creatures"];
  for (const char* name : {"box", "tumbler", "pendulum", "ragdoll", "hexapod", "fourbar"}) {
    SCOPED_TRACE(name);
    EXPECT_NE(text.out.find(std::string("\n") + name + " "), std::string::npos);
    bool found = false;
    for (const Json& entry : list)
      if (entry["name"] == name) {
        found = true;
        EXPECT_GT(entry["mass"], 0);
        EXPECT_GT(entry["dofs"], 0);
        EXPECT_NE(entry["about"], "");
      }
    EXPECT_TRUE(found);
  }
}

TEST(Check, NamesTheLegsThatItSees) {
  const Folder folder;
  const auto leg = [](const std::string& name, const char* hip) {
    return "<body name=\"" + name + "_hip\" pos=\"" + hip +
           "\"><joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 -.2\" size=\".02\"/><body "
           "name=\"" +
           name +
           "_shin\" pos=\"0 0 -.2\"><joint axis=\"0 1 0\"/>"
           "<geom type=\"capsule\" fromto=\"0 0 0 0 0 -.2\" size=\".02\"/></body></body>";
  };
  folder.write(
      "two.xml",
      "<mujoco><worldbody><body name=\"trunk\" pos=\"0 0 .5\"><freejoint/><geom type=\"box\" size=\".1 .1 "
      ".1\"/>" +
          leg("left", "0 .1 0") + leg("right", "0 -.1 0") + "</body></worldbody></mujoco>");
  const std::string out = folder.legwork({"check", "two.xml"}).out;
  EXPECT_NE(
      out.find(
          "legs    2 legs: r, l\n          seen on the body: r (right_hip to right_shin), l (left_hip to "
          "left_shin)\n"),
      std::string::npos)
      << out;
  EXPECT_EQ(folder.legwork({"check", "pendulum"}).out.find("seen on the body"), std::string::npos);
}

TEST(Check, EveryShippedBodyIsSound) {
  const Folder folder;
  const Json list = folder.legwork({"creatures", "--json", "-"}).json()["creatures"];
  for (const Json& entry : list) {
    const Outcome outcome = folder.legwork({"check", entry["name"], "--json", "-"});
    ASSERT_EQ(outcome.code, 0) << entry["name"] << outcome.err;
    const Json json = outcome.json();
    EXPECT_TRUE(json["sound"]);
    EXPECT_EQ(json["nv"], entry["dofs"]);
    EXPECT_EQ(json["dofs"].size(), size_t(entry["dofs"]));
    EXPECT_GT(json["size"][0], 0);
  }
}

TEST(Check, TellsMassSizeAndLegs) {
  const Outcome outcome = Folder().legwork({"check", "hexapod"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text : {"hexapod is sound", "mass", "38 degrees of freedom", "6 legs: "})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << "\n" << outcome.out;
}

TEST(Check, AnUnsoundBodyIsBadInputWithFileAndLine) {
  const Folder folder;
  folder.write("bad.toml",
               "name = \"bad\"\n[[link]]\nname = \"body\"\nshape = { box = [1, 1, 1] }\ndensity = -3\n");
  const Outcome outcome = folder.legwork({"check", "bad.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err.rfind("legwork: bad.toml:", 0), 0u) << outcome.err;
}

}  // namespace
}  // namespace legwork::test
