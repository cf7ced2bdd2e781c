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

// Files of other programs that make no sense: one sentence, exit code 2.
TEST(Check, MjcfAndUrdfThatMakeNoSenseAreRefusedInOneSentence) {
  const std::string bodies =
      "<mujoco><worldbody><body name='a'><joint name='i'/><geom size='0.1'/><site name='s'/><body name='b'>"
      "<joint name='j' axis='0 1 0'/><geom size='0.1'/></body></body></worldbody>";
  const std::string solid =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link>";
  const auto joint = [](const std::string& name, const std::string& ends, const std::string& mimic = {}) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + ends.substr(0, 1) +
           "'/><child link='" + ends.substr(1) + "'/>" +
           (mimic.empty() ? "" : "<mimic joint='" + mimic + "'/>") + "</joint>";
  };
  const std::string holes =
      "geom 'g': its mesh has holes that leave 33.3 % of the volume open, so that mass and inertia are not "
      "known; close them, let the hull or the surface weigh (inertia=\"convex\", inertia=\"shell\"), or "
      "give the body an inertial";
  const std::string links =
      "<robot name='r'><link name='a'>" + solid + "<link name='b'>" + solid + "<link name='c'>" + solid;
  const struct {
    std::string file, text, error;
  } cases[] = {
      {"circle.xml",
       bodies + "<equality><joint joint1='i' joint2='j'/><joint joint1='j' joint2='i'/></equality></mujoco>",
       "coupling 'i': joint 'i' drives itself in a circle; take one of the couplings out"},
      {"name.xml", bodies + "<equality><joint joint1='i' joint2='k'/></equality></mujoco>",
       "joint: unknown joint 'k'; did you mean 'i'?"},
      {"tendon.xml", bodies + "<tendon><spatial name='t'><site site='s'/></spatial></tendon></mujoco>",
       "spatial 't': runs around nothing; give it two <site> elements or more"},
      {"loop.xml", bodies + "<include file='loop.xml'/></mujoco>",
       "include: file 'loop.xml' is included twice; a file can be included once"},
      {"holes.xml",
       "<mujoco><asset><mesh name='m' inertia='exact' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 "
       "2'/>"
       "</asset><worldbody><body><joint/><geom name='g' type='mesh' mesh='m'/></body></worldbody></mujoco>",
       holes},
      {"legacy.xml",
       "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2'/>"
       "</asset><worldbody><body><joint/><geom name='g' type='mesh' mesh='m'/></body></worldbody></mujoco>",
       holes},
      {"itself.xml",
       bodies + "<tendon><spatial name='t'><site site='s'/><site site='s'/></spatial></tendon></mujoco>",
       "site: site 's' is repeated; lead the tendon to another"},
      {"plugin.xml", "<mujoco><extension/></mujoco>",
       "extension: plugins are not supported; remove it, and what makes use of them"},
      {"soft.xml", bodies + "<deformable/></mujoco>",
       "deformable: soft bodies are not supported; remove it, or make them of rigid bodies"},
      {"circle.urdf", links + joint("i", "ab", "j") + joint("j", "bc", "i") + "</robot>",
       "coupling 'i': joint 'i' drives itself in a circle; take one of the couplings out"},
      {"cycle.urdf", links + joint("i", "ab") + joint("j", "ba") + "</robot>",
       "link 'a': is not joined to the root: the joints run in a circle"},
      {"name.urdf", links + joint("i", "ab", "k") + joint("j", "bc") + "</robot>",
       "joint 'i': mimics joint 'k', which does not exist; did you mean 'i'?"},
      {"macro.urdf", links + "<xacro:leg side='l'/></robot>",
       "xacro:leg: is xacro, of which URDF is made; run xacro on the file and give what that writes"},
  };
  const Folder folder;
  for (const auto& c : cases) {
    folder.write(c.file, c.text);
    const Outcome outcome = folder.legwork({"check", c.file});
    EXPECT_EQ(outcome.code, 2) << c.file;
    EXPECT_EQ(outcome.err, "legwork: " + c.file + ":1: " + c.error + "\n");
  }
}

}  // namespace
}  // namespace legwork::test
