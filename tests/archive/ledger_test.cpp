#include "archive/ledger.h"

#include <gtest/gtest.h>

#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const SearchIdentity identity{"name = \"bounder\"\n", "verb = \"discover\"\nseed = 1\n", "0.1.0"};

Record example(std::uint64_t number) {
  Record r;
  r.number = number;
  r.stage = number < 5 ? "random" : "tune";
  r.parent = number < 5 ? -1 : 3;
  r.candidate.weights = {-2, 0, 1, 2, std::int8_t(int(number) % 5 - 2)};
  r.candidate.parameters = {0.1 + 0.2, 1.0 / 3, 1e-300, -0.0, double(number)};
  r.evaluation = {
      number % 2 ? Status::ok : Status::fell, 1.0 / (1 + double(number)), 2.5, 0.1, 0.4, 0.99, {0.1, 0.7}};
  return r;
}

void expect_same(const Record& a, const Record& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.candidate.weights, b.candidate.weights);
  EXPECT_EQ(a.candidate.parameters, b.candidate.parameters);
  const Evaluation &x = a.evaluation, &y = b.evaluation;
  EXPECT_EQ(x.status, y.status);
  EXPECT_EQ(x.score, y.score);
  EXPECT_EQ(x.distance, y.distance);
  EXPECT_EQ(x.speed, y.speed);
  EXPECT_EQ(x.period, y.period);
  EXPECT_EQ(x.likeness, y.likeness);
  EXPECT_EQ(x.descriptor, y.descriptor);
}

TEST(ArchiveLedger, ASearchThatGoesOnFindsWhatItFinishedBitForBit) {
  const Scratch folder;
  const std::string path = folder / "a.db";
  {
    ArchiveLedger first(path, identity);
    EXPECT_EQ(first.find(0), nullptr);
    first.keep({example(0), example(1)});
    first.keep({example(2), example(7)});
  }
  ArchiveLedger again(path, identity);
  EXPECT_EQ(again.found(), 4u);
  EXPECT_EQ(again.find(3), nullptr);
  for (const std::uint64_t number : {0, 1, 2, 7}) {
    ASSERT_NE(again.find(number), nullptr);
    expect_same(*again.find(number), example(number));
  }
  // the search passes on what it found before, and what is new
  again.keep({example(2), example(3)});
  again.keep({example(3)});
  again.keep_gaits({{1, 3, "hops", 1.2, 0.4, 0.7}, {2, 0, "rolls", 0.5, 0, 0.1}});
  again.keep_gaits({{1, 2, "hops high", 1.3, 0.4, 0.75}});
  const ArchivedSearch search = read_search(path);
  EXPECT_EQ(search.identity.creature, identity.creature);
  EXPECT_EQ(search.identity.scenario, identity.scenario);
  ASSERT_EQ(search.records.size(), 5u);
  expect_same(search.records[3], example(3));
  ASSERT_EQ(search.gaits.size(), 1u);
  EXPECT_EQ(search.gaits[0].name, "hops high");
  EXPECT_EQ(search.gaits[0].number, 2u);
  EXPECT_EQ(search.gaits[0].robustness, 0.75);
}

TEST(ArchiveLedger, AnotherSearchIsRefused) {
  const Scratch folder;
  ArchiveLedger(folder / "a.db", identity).keep({example(0)});
  SearchIdentity other = identity;
  other.scenario = "verb = \"discover\"\nseed = 2\n";
  EXPECT_NE(
      error_of([&] { ArchiveLedger(folder / "a.db", other); }).find("belongs to another search: scenario"),
      std::string::npos);
}

}  // namespace
}  // namespace legwork
