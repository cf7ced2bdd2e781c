#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include <legwork/archive.h>
#include <legwork/files.h>
#include <legwork/study.h>
#include "formats/gltf/glb.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"
#include "tests/scenes/same.h"

namespace legwork::test {
namespace {

// A search that takes seconds.
DiscoverOptions small_search() {
  DiscoverOptions options;
  options.seconds = 1;
  options.random = 48, options.vary = 16, options.gaits = 3, options.tune = 2;
  return options;
}

TEST(Discover, TheLibrarysGalleryIsTheProgramsBitForBit) {
  const Folder folder;
  const std::string gaits = folder / "gaits";
  const Outcome outcome =
      folder.legwork({"discover", "cart",    "--seconds", "1",        "--random", "48",         "--vary",
                      "16",       "--gaits", "3",         "--tune",   "2",        "--seed",     "4",
                      "--folder", gaits,     "--out",     "best.glb", "--save",   "search.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Result result = discover(load_world("cart"), small_search(), {.seed = 4});
  expect_same(result.motion, read_glb(folder / "best.glb"));
  ASSERT_EQ(result.others.size(), 2u);
  expect_same(result.others[0].motion, read_glb(folder / "gaits/gait_02.glb"));
  expect_same(run_scenario(read_scenario(folder / "search.toml")).motion, result.motion);
}

// Figure 10 of the paper, by its measure: the mean speed towards a point that is dragged along a curve for 30
// s; and the mirrored curve, which no search has seen.
TEST(Discover, TheFishChasesAPointThatIsDraggedAlongACurve) {
  const Folder folder;
  const std::string root = LEGWORK_SOURCE_DIR;
  Scenario chase = read_scenario(root + "/examples/fish_chases.toml");
  const std::string curve = root + "/examples/dragged.csv", mirrored = folder / "mirrored.csv";
  std::ifstream in(curve);
  std::ofstream out(mirrored);
  std::string line;
  std::getline(in, line);
  for (out << line << '\n'; std::getline(in, line);) {
    const size_t y = line.rfind(',') + 1;
    out << line.substr(0, y) << -std::stod(line.substr(y)) << '\n';
  }
  out.close();
  for (const std::string& file : {curve, mirrored}) {
    SCOPED_TRACE(file);
    for (Setting& setting : chase.options)
      if (setting.key == "follow") setting.values = {file};
    const Result result = run_scenario(chase);
    const Value& found = result.account.values;
    EXPECT_GT(*found.find("speed")->number(), 0.25);                 // the paper's fish makes 0.19 m/s
    EXPECT_LT(*found.find("follow")->find("late")->number(), 0.42);  // m: its own length
  }
}

TEST(Discover, EveryGaitHasAScenarioThatMakesItAloneWithoutTheSearch) {
  const Result result = discover(load_world("cart"), small_search());
  ASSERT_EQ(result.others.size(), 2u);
  for (const Result& gait : result.others) {
    expect_same(run_scenario(gait.scenario).motion, gait.motion);
    EXPECT_EQ(scenario_text(gait.scenario), gait.motion.made.options);
  }
  const Scenario own = parse_scenario(result.motion.made.options, "best");
  expect_same(run_scenario(own).motion, result.motion);
}

TEST(Discover, ABodyThatTheSearchHasReshapedIsMadeAgainFromTheOneThatWasGiven) {
  const Folder folder;
  DiscoverOptions options = small_search();
  options.tune_body = true;
  options.folder = folder / "gaits";
  const Result result = discover(load_world("cart"), options);
  for (const char* file : {"gaits/gait_01.glb", "gaits/gait_02.glb"})
    EXPECT_EQ(rerun(folder / file).difference, "") << file;
}

TEST(Discover, TheAccountDoesNotTellHowLongItTookNorWhatAnArchiveSaved) {
  const Folder folder;
  DiscoverOptions options = small_search();
  options.archive = folder / "a.db";
  const World cart = load_world("cart");
  const Result first = discover(cart, options), second = discover(cart, options);
  EXPECT_EQ(sentences(first.account), sentences(second.account));
  EXPECT_EQ(to_json(first.account.values), to_json(second.account.values));
  EXPECT_EQ(second.effort.statements.front(),
            "went on from " + std::to_string(*first.account.values.find("evaluations")->integer()) +
                " evaluations in " + options.archive);
}

TEST(Discover, AnArchiveListsItsGaitsAndMakesEachAgain) {
  const Folder folder;
  DiscoverOptions options = small_search();
  options.archive = folder / "a.db";
  const Result result = discover(load_world("cart"), options);
  const SearchArchive archive = read_archive(options.archive);
  ASSERT_EQ(archive.gaits.size(), 3u);
  EXPECT_EQ(archive.gaits[0].name, result.account.title);
  expect_same(replay_gait(options.archive, 2).motion, result.others[0].motion);
  expect_same(replay_evaluation(options.archive, archive.gaits[1].number).motion, result.others[0].motion);
  EXPECT_EQ(error_of([&] { replay_gait(options.archive, 9); }),
            options.archive + ": has no gait 9; it has 3 gaits and " + std::to_string(archive.evaluations) +
                " evaluations");
}

TEST(Discover, AStoppedSearchThrowsAndGoesOnFromItsArchive) {
  const Folder folder;
  DiscoverOptions options = small_search();
  options.random = 192;
  const World cart = load_world("cart");
  const Result whole = discover(cart, options);
  options.archive = folder / "a.db";
  long done = 0;
  const legwork::Run run{.progress = [&](const Progress& progress) { done = progress.done; },
                         .stop = [&] { return done >= 64; }};
  EXPECT_THROW(discover(cart, options, run), Stopped);
  EXPECT_GE(read_archive(options.archive).evaluations, 64u);
  const Result again = discover(cart, options);
  expect_same(again.motion, whole.motion);
  EXPECT_EQ(to_json(again.account.values), to_json(whole.account.values));
}

std::string message(const DiscoverOptions& options) {
  return legwork::error_of([&] { discover(load_world("cart"), options); });
}

TEST(Discover, NamesTheOptionThatIsWrong) {
  DiscoverOptions options;
  options.gaits = 0;
  EXPECT_EQ(message(options), "discover: gaits: 0 is outside 1 .. 1000");
  options = {};
  options.delay = std::nan("");
  EXPECT_EQ(message(options), "discover: delay: 'nan' is not a number (in s)");
  options = {};
  options.controller = "0123";
  EXPECT_EQ(message(options).rfind("discover: controller: 4 weights, but this body's network has ", 0), 0u);
  options = {};
  options.archive = "/proc/a.db";
  EXPECT_NE(message(options).find("/proc/a.db"), std::string::npos);
}

}  // namespace
}  // namespace legwork::test
