// Every cell of the matrix of creatures and methods that claims support, run for a moment.

#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

// Shortest runs that go through the whole of a verb.
std::vector<std::string> command(const std::string& verb, const std::string& name, const std::string& how) {
  if (verb == "walk") return {"walk", name, "--seconds", "0.2"};
  if (verb == "discover")
    return {"discover", name, "--random", "2", "--vary",    "0",
            "--tune",   "0",  "--gaits",  "1", "--seconds", "0.5"};
  if (verb == "reach") return {"reach", name, "--resolution", "15", "--stage", "organise"};
  std::vector<std::string> words = {verb, name, "--seconds", "0.2"};
  if (verb == "direct" && how == "--track") {
    words.insert(words.end(), {"--track", "fall.glb"});
  } else if (!how.empty()) {
    words.push_back(how.substr(0, how.find(' ')));
    const std::string values = how.substr(how.find(' ') + 1);
    words.push_back(values.substr(0, values.find(',')));
  }
  return words;
}

TEST(Methods, EveryMethodRunsOnEveryBodyThatItClaims) {
  const Folder folder;
  const Json list = folder.legwork({"creatures", "--json", "-"}).json()["creatures"];
  int cells = 0;
  for (const Json& creature : list)
    for (const auto& [verb, method] : creature["methods"].items()) {
      if (!method["supported"]) continue;
      const std::string name = creature["name"], how = method["how"];
      SCOPED_TRACE(verb + " " + name);
      ++cells;
      if (verb == "direct" && how == "--track") {
        const Outcome fall = folder.legwork({"drop", name, "--seconds", "0.1", "--out", "fall.glb"});
        ASSERT_EQ(fall.code, 0) << fall.err;
      }
      const Outcome outcome = folder.legwork(command(verb, name, how));
      // 3: two random networks may well go nowhere, and what was dropped may lie
      const bool may_fail = verb == "discover" || (verb == "direct" && how == "--track");
      EXPECT_TRUE(outcome.code == 0 || (may_fail && outcome.code == 3))
          << outcome.code << outcome.out << outcome.err;
    }
  EXPECT_GE(cells, 100);
}

TEST(Methods, OneDogAndOneRoachAreMovedByAllFive) {
  const Json list = Folder().legwork({"creatures", "dog", "roach", "--json", "-"}).json()["creatures"];
  for (const Json& creature : list)
    for (const auto& [verb, method] : creature["methods"].items()) {
      SCOPED_TRACE(verb + " " + creature["name"].get<std::string>());
      EXPECT_TRUE(method["supported"]);
      EXPECT_EQ(method["lacks"], "");
    }
}

// A table on four legs of two links; what the methods lack is taken away, and given back as they say.
std::string walker(const std::string& joint, const std::string& legs) {
  std::string text =
      "name = \"walker\"\nmirror = true\n[[link]]\nname = \"trunk\"\n"
      "shape = { box = [0.6, 0.2, 0.1] }\ndensity = 500\n";
  for (const std::string leg : {"rf", "rh"}) {
    const std::string x = leg == "rf" ? "0.25" : "-0.25";
    text += "[[link]]\nname = \"" + leg + "_thigh\"\nparent = \"trunk\"\nat = { pos = [" + x +
            ", -0.12, 0], rot = [0, 0.5, 0] }\n" + joint +
            "shape = { capsule = [0.02, 0.2], pos = [0, 0, -0.1], touches = false }\n";
    text += "[[link]]\nname = \"" + leg + "_shank\"\nparent = \"" + leg +
            "_thigh\"\nat = { pos = [0, 0, -0.2], rot = [0, -1, 0] }\n" + joint +
            "shape = { capsule = [0.015, 0.2], pos = [0, 0, -0.1] }\n";
  }
  return text + legs;
}

TEST(Methods, TheLinesThatAreAskedForMakeItWork) {
  const std::string hinge = "joint = { hinge = \"y\" }\n",
                    ranged = "joint = { hinge = \"y\", range = [-1, 1] }\n",
                    sprung = "joint = { hinge = \"y\", range = [-1, 1], spring = { stiffness = 10 } }\n";
  std::string legs;
  for (const std::string leg : {"rf", "rh"})
    legs += "[[leg]]\nname = \"" + leg + "\"\nhip = \"" + leg + "_thigh\"\nknee = \"" + leg +
            "_shank\"\nfoot = \"" + leg + "_shank\"\n";
  const struct {
    std::string verb, before, asked, after;
  } cells[] = {
      {"walk", walker(ranged, ""), "[[leg]]", walker(ranged, legs)},
      {"discover", walker("", ""), "joint = { hinge = \"y\", range = [-1, 1] }", walker(ranged, legs)},
      {"direct", walker("", legs), "joint = { hinge = \"y\", range = [-1, 1] }", walker(ranged, legs)},
      {"modes", walker("", legs), "spring = { stiffness = 10 }", walker(sprung, legs)},
      {"reach", walker(hinge, legs), "range = [-40, 40]", walker(ranged, legs)}};
  const Folder folder;
  for (const auto& cell : cells) {
    SCOPED_TRACE(cell.verb);
    const auto method = [&](const std::string& text) {
      folder.write("walker.toml", text);
      return folder.legwork({"creatures", "walker.toml", "--json", "-"})
          .json()["creatures"][0]["methods"][cell.verb];
    };
    const Json before = method(cell.before);
    EXPECT_FALSE(before["supported"]);
    EXPECT_NE(before["lacks"], "");
    EXPECT_NE(before["advice"].get<std::string>().find(cell.asked), std::string::npos) << before["advice"];
    const Json after = method(cell.after);
    EXPECT_TRUE(after["supported"]) << after["advice"];
    const Outcome outcome = folder.legwork(command(cell.verb, "walker.toml", after["how"]));
    EXPECT_TRUE(outcome.code == 0 || (cell.verb == "discover" && outcome.code == 3))
        << outcome.err << outcome.out;
  }
}

TEST(Methods, WhatIsMissingIsSaidWithTheLinesToAdd) {
  const Folder folder;
  folder.write("stick.toml",
               "name = \"stick\"\n[[link]]\nname = \"stick\"\nshape = { box = [1, 0.1, 0.1] }\n");
  const Json stick =
      folder.legwork({"creatures", "stick.toml", "--json", "-"}).json()["creatures"][0]["methods"];
  for (const auto& [verb, method] : stick.items()) EXPECT_FALSE(method["supported"]) << verb;
  EXPECT_EQ(stick["walk"]["lacks"], "has no legs");
  EXPECT_NE(stick["walk"]["advice"].get<std::string>().find("[[leg]]"), std::string::npos);
  EXPECT_NE(stick["direct"]["advice"].get<std::string>().find("joint = { hinge"), std::string::npos);
}

}  // namespace
}  // namespace legwork::test
