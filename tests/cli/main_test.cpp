#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

TEST(Program, WithoutWordsShowsTheVerbsAndCountsAsBadInput) {
  const Outcome outcome = Folder().legwork({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("Usage: legwork VERB"), std::string::npos);
}

TEST(Program, HelpListsEveryVerbAndEveryVerbHasHelpWithExamples) {
  const Folder folder;
  const Outcome outcome = folder.legwork({"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* verb : {"creatures", "check", "inspect", "drop", "run", "rerun", "study", "view", "gait",
                           "export", "render"}) {
    SCOPED_TRACE(verb);
    EXPECT_NE(outcome.out.find(std::string("\n  ") + verb + " "), std::string::npos);
    const Outcome help = folder.legwork({verb, "--help"});
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_NE(help.out.find("Usage: legwork " + std::string(verb)), std::string::npos);
    EXPECT_NE(help.out.find("Examples\n  legwork"), std::string::npos);
    EXPECT_EQ(help.out, folder.legwork({"help", verb}).out);
  }
}

TEST(Program, HelpOfAMotionVerbListsTheValuesOfTheWorldsOptions) {
  const std::string help = Folder().legwork({"drop", "--help"}).out;
  for (const char* text : {"--terrain",  "slope",        "steps",  "rough",    "--contact", "exponential",
                           "sticky",     "--integrator", "rkf45",  "implicit", "--push",    "--gravity",
                           "--friction", "--dt",         "--rate", "--seed",   "--threads", "--out",
                           "--report",   "--json",       "--save", "--quiet"})
    EXPECT_NE(help.find(text), std::string::npos) << text;
}

TEST(Program, TellsItsVersion) {
  const Outcome outcome = Folder().legwork({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.rfind("legwork 0.", 0), 0u) << outcome.out;
}

struct Mistake {
  std::vector<std::string> words;
  std::string message;
};

TEST(Program, MistakesEndWithTwoAndSayWhatToTry) {
  const Folder folder;
  const std::vector<Mistake> mistakes = {
      {{"dorp"}, "legwork: unknown verb 'dorp'; did you mean 'drop'?\n"},
      {{"drop"},
       "legwork: drop: CREATURE is missing; a shipped name or a file: .toml, MJCF .xml, .urdf, .corpus\n"},
      {{"drop", "box", "--secnds", "2"},
       "legwork: drop: unknown option '--secnds'; did you mean '--seconds'?\n"},
      {{"drop", "box", "--seconds", "-1"}, "legwork: --seconds: -1 is outside 0 .. 86400 s\n"},
      {{"drop", "box", "--seconds", "soon"}, "legwork: --seconds: 'soon' is not a number (in s)\n"},
      {{"drop", "box", "--throw", "1,2"}, "legwork: --throw: needs three numbers, not '1,2'; write X,Y,Z\n"},
      {{"drop", "box", "--integrator", "rk5"},
       "legwork: --integrator: unknown value 'rk5'; did you mean 'rk4'?\n"},
      {{"drop", "box", "--seconds"},
       "legwork: drop: '--seconds' needs a value; legwork drop --help shows which\n"},
      {{"drop", "box", "--seconds", "1", "--seconds", "2"},
       "legwork: drop: --seconds is given twice; keep one\n"},
      {{"drop", "box", "tumbler"}, "legwork: drop: unexpected 'tumbler'; see legwork drop --help\n"},
  };
  for (const Mistake& mistake : mistakes) {
    const Outcome outcome = folder.legwork(mistake.words);
    EXPECT_EQ(outcome.code, 2) << mistake.message;
    EXPECT_EQ(outcome.err, mistake.message);
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Program, UnknownCreaturesAndFilesAreBadInput) {
  const Folder folder;
  const Outcome name = folder.legwork({"drop", "hexapood"});
  EXPECT_EQ(name.code, 2);
  EXPECT_NE(name.err.find("did you mean 'hexapod'?"), std::string::npos) << name.err;
  const Outcome file = folder.legwork({"check", "nothing.toml"});
  EXPECT_EQ(file.code, 2);
  EXPECT_NE(file.err.find("nothing.toml"), std::string::npos) << file.err;
}

TEST(Program, GarbageInAnyVerbIsBadInputNeverACrash) {
  const Folder folder;
  std::string garbage;
  for (int i = 0; i < 4096; ++i) garbage += char((i * 7919) >> 3);
  for (const char* name : {"garbage.toml", "garbage.xml", "garbage.urdf", "garbage.glb"})
    folder.write(name, garbage);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "garbage.toml"},
                                             {"check", "garbage.xml"},
                                             {"check", "garbage.urdf"},
                                             {"inspect", "box", "--state", "garbage.toml"},
                                             {"run", "garbage.toml"},
                                             {"rerun", "garbage.glb"},
                                             {"gait", "garbage.glb"},
                                             {"view", "garbage.glb"},
                                             {"export", "garbage.glb", "--out", "a.bvh"},
                                             {"render", "garbage.glb", "--png", "a.png"},
                                             {"study", "garbage.toml"}}) {
    const Outcome outcome = folder.legwork(words);
    EXPECT_EQ(outcome.code, 2) << words[0] << " " << words[1] << ": " << outcome.err;
    EXPECT_EQ(outcome.err.rfind("legwork: ", 0), 0u) << outcome.err;
  }
}

}  // namespace
}  // namespace legwork::test
