// What a verb would write over: refused before the work, and every file is as it was.

#include <gtest/gtest.h>

#include "tests/scenes/program.h"
#include "tests/scenes/studies.h"

namespace legwork::test {
namespace {

using Words = std::vector<std::string>;

const char* const ball = R"(name = "ball"
[[link]]
name = "ball"
shape = { sphere = 0.1 }
mass = 1
)";

struct Refused {
  Words words;
  std::string says;
};

void expect_refused(const Folder& folder, const std::vector<Refused>& all) {
  std::vector<std::string> before;
  const std::vector<std::string> names = folder.names();
  for (const std::string& name : names) before.push_back(contents(folder / name));
  for (const Refused& refused : all) {
    const Outcome outcome = folder.legwork(refused.words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "legwork: " + refused.says + "\n");
  }
  EXPECT_EQ(folder.names(), names);
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(contents(folder / names[i]), before[i]) << names[i];
}

TEST(Targets, WhatIsReadIsNotWrittenOver) {
  const Folder folder;
  folder.write("c.toml", ball);
  folder.write("big.toml", "base = \"c.toml\"\n");
  folder.write("study.toml", drops_study);
  ASSERT_EQ(folder.legwork({"drop", "c.toml", "--seconds", "0.1", "--save", "s.toml", "--out", "a.glb"}).code,
            0);
  const std::string other = "; choose another name";
  expect_refused(
      folder,
      {{{"drop", "c.toml", "--save", "c.toml"}, "--save: 'c.toml' is a file that is read (CREATURE)" + other},
       {{"drop", "c.toml", "--save", "./c.toml"},
        "--save: './c.toml' is a file that is read (CREATURE)" + other},
       {{"drop", "big.toml", "--save", "c.toml"},
        "--save: 'c.toml' is a file that is read (the creature)" + other},
       {{"run", "s.toml", "--save", "c.toml"},
        "--save: 'c.toml' is a file that is read (the scenario's creature)" + other},
       {{"run", "s.toml", "--save", "s.toml"}, "--save: 's.toml' is a file that is read (FILE)" + other},
       {{"rerun", "a.glb", "--out", "a.glb"}, "--out: 'a.glb' is a file that is read (FILE)" + other},
       {{"export", "a.glb", "--out", "a.glb"}, "--out: 'a.glb' is a file that is read (FILE)" + other},
       {{"gait", "a.glb", "--json", "a.glb"}, "--json: 'a.glb' is a file that is read (FILE)" + other},
       {{"check", "c.toml", "--json", "c.toml"}, "--json: 'c.toml' is a file that is read (FILE)" + other},
       {{"direct", "c.toml", "--track", "a.glb", "--out", "a.glb"},
        "--out: 'a.glb' is a file that is read (--track)" + other},
       {{"study", "study.toml", "--results", "study.toml"},
        "--results: 'study.toml' is a file that is read (FILE)" + other}});
}

TEST(Targets, EachHasANameOfItsOwn) {
  const Folder folder;
  folder.write("study.toml", drops_study);
  ASSERT_EQ(folder.legwork({"drop", "box", "--seconds", "0.1", "--out", "a.glb"}).code, 0);
  const std::string own = "; give each a name of its own";
  expect_refused(
      folder, {{{"drop", "box", "--out", "b.glb", "--json", "b.glb"},
                "--json: 'b.glb' is also the file of --out" + own},
               {{"view", "a.glb", "--json", "a.html"}, "--json: 'a.html' is also the file of --report" + own},
               {{"render", "a.glb", "--png", "x.png", "--strip", "3", "x.png"},
                "--strip: 'x.png' is also the file of --png" + own},
               {{"study", "study.toml", "--json", "study.jsonl"},
                "--json: 'study.jsonl' is also the file of --results" + own}});
  EXPECT_EQ(
      folder.legwork({"drop", "box", "--seconds", "0.1", "--out", "/dev/null", "--json", "/dev/null"}).code,
      0);
}

TEST(Targets, AFileNameMayHoldALineBreak) {
  const Folder folder;
  folder.write("two\nlines.toml", ball);
  ASSERT_EQ(folder.legwork({"drop", "two\nlines.toml", "--seconds", "0.1", "--save", "s.toml"}).code, 0);
  EXPECT_EQ(contents(folder / "s.toml").rfind("# legwork drop $'two\\012lines.toml' --seconds 0.1\n", 0), 0u);
  const Outcome outcome = folder.legwork({"run", "s.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Targets, WhatCannotBeThrownSaysSo) {
  const Folder folder;
  folder.write("post.toml",
               "name = \"post\"\n[[link]]\nname = \"post\"\njoint = { fixed = true }\nshape = { sphere = 0.1 "
               "}\nmass = 1\n");
  for (const char* flag : {"--throw", "--spin"}) {
    const Outcome outcome = folder.legwork({"drop", "post.toml", flag, "1,0,0"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              std::string("legwork: post.toml: post: has no free joint, so it cannot be thrown or spun; ") +
                  "leave " + flag + " out\n");
  }
}

}  // namespace
}  // namespace legwork::test
