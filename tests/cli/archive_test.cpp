#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

// A search that takes a second.
std::vector<std::string> search(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"discover", "cart", "--seconds",    "1",  "--random", "40",
                                    "--vary",   "24",   "--generation", "16", "--gaits",  "2",
                                    "--tune",   "2"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string fingerprint(const Folder& folder, const std::string& archive) {
  const Outcome outcome = folder.legwork({"archive", "check", archive, "--json", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.json()["fingerprint"];
}

TEST(Archive, PartsOfASearchMergedAndFinishedAreTheSearchOfOneProcess) {
  const Folder folder;
  const Outcome whole = folder.legwork(search({"--archive", "whole.db", "--out", "whole.glb"}));
  ASSERT_EQ(whole.code, 0) << whole.err;
  for (const std::string part : {"1", "2", "3"}) {
    const Outcome outcome =
        folder.legwork(search({"--shard", part + "/3", "--archive", "part_" + part + ".db"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("part " + part + "/3 has done its share: " + (part == "1" ? "14" : "13")),
              std::string::npos)
        << outcome.out;
  }
  ASSERT_EQ(folder.legwork({"archive", "merge", "all.db", "part_3.db", "part_1.db", "part_2.db"}).code, 0);
  ASSERT_EQ(folder.legwork({"archive", "merge", "again.db", "part_2.db", "part_3.db", "part_1.db"}).code, 0);
  EXPECT_EQ(fingerprint(folder, "all.db"), fingerprint(folder, "again.db"));
  const Outcome rest = folder.legwork(search({"--archive", "all.db", "--out", "all.glb"}));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_NE(rest.out.find("went on from 40 evaluations in all.db"), std::string::npos) << rest.out;
  EXPECT_EQ(fingerprint(folder, "all.db"), fingerprint(folder, "whole.db"));
  EXPECT_TRUE(contents(folder / "all.glb") == contents(folder / "whole.glb"))
      << "the gallery's best, bit for bit";
}

TEST(Archive, WhatCannotBeDoneSaysWhy) {
  const Folder folder;
  const auto error = [&](const std::vector<std::string>& words) {
    const Outcome outcome = folder.legwork(words);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_EQ(error({"archive", "show", "none.db"}),
            "legwork: none.db: archive: there is no such file; check the path\n");
  EXPECT_EQ(error({"archive", "merg", "a.db", "b.db"}),
            "legwork: archive: there is no action 'merg'; did you mean 'merge'?\n");
  EXPECT_EQ(error({"archive", "merge", "a.db"}),
            "legwork: archive merge: there is nothing to merge; name the parts after the whole\n");
  EXPECT_EQ(error(search({"--shard", "4/3", "--archive", "a.db"})),
            "legwork: discover: shard: '4/3' is no part of a whole; write 3/16 for the third of sixteen\n");
  EXPECT_EQ(
      error(search({"--shard", "1/3"})),
      "legwork: discover: shard: a part of a search is of use in an archive only; add --archive part.db\n");
}

}  // namespace
}  // namespace legwork::test
