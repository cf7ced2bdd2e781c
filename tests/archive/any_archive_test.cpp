#include <gtest/gtest.h>

#include <fstream>

#include <legwork/archive.h>
#include "archive/ledger.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const SearchIdentity identity{"name = \"cart\"\n", "verb = \"discover\"\ncreature = \"cart\"\nseed = 1\n",
                              "0.2.0"};

Record record(std::uint64_t number, double score) {
  Record r;
  r.number = number;
  r.stage = "random";
  r.candidate.weights = {1, -2};
  r.evaluation.score = score;
  r.evaluation.descriptor = {0.25, 1.0 / 3};
  return r;
}

std::string archive(const Scratch& folder, const std::string& name, const std::vector<std::uint64_t>& numbers,
                    const SearchIdentity& of = identity) {
  ArchiveLedger ledger(folder / name, of);
  for (const std::uint64_t number : numbers) ledger.keep({record(number, 0.1 * double(number))});
  return folder / name;
}

TEST(AnyArchive, PartsMergedInAnyOrderAreTheSameAsTheWhole) {
  const Scratch folder;
  const std::string whole = archive(folder, "whole.db", {0, 1, 2, 3, 4, 5});
  const std::string a = archive(folder, "a.db", {0, 3}), b = archive(folder, "b.db", {5, 1}),
                    c = archive(folder, "c.db", {4, 2, 3});
  merge_archives(folder / "abc.db", {a, b, c});
  merge_archives(folder / "cba.db", {c, b});
  const ArchiveSummary again = merge_archives(folder / "cba.db", {a, folder / "cba.db"});
  EXPECT_EQ(summarize_archive(folder / "abc.db").fingerprint, summarize_archive(whole).fingerprint);
  EXPECT_EQ(again.fingerprint, summarize_archive(whole).fingerprint);
  EXPECT_EQ(archive_csv(folder / "abc.db"), archive_csv(whole));
  EXPECT_NE(summarize_archive(a).fingerprint, again.fingerprint);
  EXPECT_EQ(again.verb, "discover");
  EXPECT_EQ(again.creature, "cart");
  ASSERT_EQ(again.tables.size(), 2u);
  EXPECT_EQ(again.tables[0].second, 6u);
}

TEST(AnyArchive, PartsOfDifferentCommandsDoNotMerge) {
  const Scratch folder;
  const std::string a = archive(folder, "a.db", {0});
  SearchIdentity other = identity;
  other.scenario = "verb = \"discover\"\ncreature = \"cart\"\nseed = 2\n";
  const std::string b = archive(folder, "b.db", {1}, other);
  EXPECT_EQ(error_of([&] {
              merge_archives(folder / "all.db", {a, b});
            }),
            b + ": archive: is of another search than " + a +
                ": scenario: 'seed = 1' there and 'seed = 2' here; merge parts of one command only");
  other = identity;
  other.version = "0.1.0";
  const std::string old = archive(folder, "old.db", {1}, other);
  EXPECT_EQ(error_of([&] {
              merge_archives(folder / "all.db", {a, old});
            }),
            old + ": archive: is of another search than " + a +
                ": version: '0.2.0' there and '0.1.0' here; merge parts of one command only");
  EXPECT_FALSE(std::filesystem::exists(folder / "all.db")) << "nothing is made of parts that do not fit";
}

TEST(AnyArchive, PartsThatContradictEachOtherDoNotMerge) {
  const Scratch folder;
  const std::string a = archive(folder, "a.db", {0, 1});
  {
    ArchiveLedger ledger(folder / "b.db", identity);
    ledger.keep({record(1, 7)});
  }
  EXPECT_EQ(error_of([&] {
              merge_archives(folder / "all.db", {a, folder / "b.db"});
            }),
            folder / "b.db" + ": archive: evaluation 1 differs from that of " + a +
                "; one of the two is damaged: make its part again");
}

TEST(AnyArchive, DamageIsFound) {
  const Scratch folder;
  std::vector<std::uint64_t> many;
  for (std::uint64_t i = 0; i < 400; ++i) many.push_back(i);
  const std::string path = archive(folder, "a.db", many);
  EXPECT_NO_THROW(check_archive(path));
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4 * 4096 + 100);
    file << std::string(9000, 'x');
  }
  const std::string error = error_of([&] { check_archive(path); });
  EXPECT_NE(error.find(path + ": archive: "), std::string::npos) << error;
}

TEST(AnyArchive, TablesAreWrittenForOtherPrograms) {
  const Scratch folder;
  const std::string path = archive(folder, "a.db", {2});
  EXPECT_EQ(archive_csv(path),
            "number,stage,parent,status,score,distance,speed,period,likeness,descriptor,weights,parameters\n"
            "2,random,-1,ok,0.2,0,0,0,0,\"[0.25,0.3333333333333333]\",\"[1,-2]\",[]\n");
  EXPECT_EQ(archive_csv(path, "gait"), "rank,number,name,speed,period,robustness\n");
  EXPECT_EQ(error_of([&] { archive_csv(path, "gaits"); }),
            path + ": archive: has no table 'gaits'; did you mean 'gait'?");
}

}  // namespace
}  // namespace legwork
