#include <legwork/study.h>

#include <gtest/gtest.h>

#include <algorithm>

#include <legwork/files.h>
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"
#include "tests/scenes/studies.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

TEST(RunStudy, GivesTheProgramsTable) {
  const Folder folder;
  folder.write("study.toml", drops_study);
  const Outcome outcome = folder.legwork({"study", "study.toml", "--json", "-", "--table", "t.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const StudyResult result = run_study(read_study(folder / "study.toml"));
  EXPECT_EQ(study_csv(result.table), contents(folder / "t.csv"));
  ASSERT_EQ(result.runs.size(), 6u);
  EXPECT_EQ(result.runs[3].varied[0].second, "3.7");
  const Json row = outcome.json()["rows"][1]["measures"]["touch_down"];
  EXPECT_EQ(result.table.rows[1].statistics[0].mean, double(row["mean"]));
}

TEST(RunStudy, AStoppedStudyGoesOnFromItsResultsToTheSameTable) {
  const Folder folder;
  const Study study = parse_study(drops_study, "study.toml");
  const std::string results = folder / "runs.jsonl";
  long done = 0;
  const legwork::Run run{.threads = 1,
                         .progress = [&](const Progress& progress) { done = progress.done; },
                         .stop = [&] { return done >= 2; }};
  EXPECT_THROW(run_study(study, results, run), Stopped);
  const StudyResult rest = run_study(study, results), again = run_study(study, results);
  EXPECT_EQ(rest.resumed, 2);
  EXPECT_EQ(again.resumed, 6);
  const std::string whole = study_csv(run_study(study).table);
  EXPECT_EQ(study_csv(rest.table), whole);
  EXPECT_EQ(study_csv(again.table), whole);
}

TEST(RunStudy, AResultsFileCutAtAnyByteIsCompletedToTheSameTable) {
  const Folder folder;
  const Study study = parse_study(drops_study, "study.toml");
  const std::string results = folder / "runs.jsonl";
  const std::string whole = study_csv(run_study(study, results).table), lines = contents(results);
  const size_t stride = lines.size() / 12 + 1;
  for (size_t at = 0; at < lines.size(); at += stride) {
    folder.write("runs.jsonl", lines.substr(0, at));
    const StudyResult result = run_study(study, results);
    EXPECT_EQ(result.resumed, std::count(lines.begin(), lines.begin() + long(at), '\n')) << at;
    EXPECT_EQ(study_csv(result.table), whole) << at;
  }
}

TEST(RunStudy, ASecondOneDoesNotDoTheWorkOfTheFirst) {
  const Folder folder;
  const Study study = parse_study(drops_study, "study.toml");
  const std::string results = folder / "runs.jsonl";
  std::string second;
  const legwork::Run run{.threads = 1, .progress = [&](const Progress&) {
                           second = error_of([&] { run_study(study, results); });
                         }};
  EXPECT_EQ(run_study(study, results, run).resumed, 0);
  EXPECT_EQ(second, results +
                        ": results: another study is writing to it; wait until it ends, or name another "
                        "file with --results");
  EXPECT_EQ(run_study(study, results).resumed, 6);
}

std::string complaint(const Study& study, const std::string& results = {}) {
  return error_of([&] { run_study(study, results); });
}

TEST(RunStudy, NamesWhatIsWrongWithAStudyMadeByHand) {
  const Study study = parse_study(drops_study, "study.toml");
  Study wrong = study;
  wrong.repetitions = 0;
  EXPECT_EQ(complaint(wrong), "study.toml: study: 'repetitions' is 0; at least 1");
  wrong = study;
  wrong.vary[0].table = "worlds";
  EXPECT_EQ(complaint(wrong),
            "study.toml: study: cannot vary 'worlds.gravity'; creature, or a key of world or options");
  wrong = study;
  wrong.vary[0].values.clear();
  EXPECT_EQ(complaint(wrong), "study.toml: study: 'world.gravity' has no values to try");
  wrong = study;
  wrong.vary = {{"", "creature", {{"box", "tumbler"}}}};
  EXPECT_EQ(complaint(wrong), "study.toml: study: 'creature' varies over names, one at a time");
  wrong = study;
  wrong.base.verb = "dorp";
  EXPECT_EQ(complaint(wrong), "study.toml: scenario: verb 'dorp' makes no motion; did you mean 'drop'?");
  const Folder folder;
  folder.write("letter.txt", "dear reader\n");
  const std::string letter = folder / "letter.txt";
  EXPECT_EQ(complaint(study, letter),
            letter + ":1: results: is no line of a study; name another file with --results");
}

TEST(Summary, HoldsWhatTheProgramWritesAsJson) {
  const Folder folder;
  const Outcome outcome = folder.legwork({"drop", "hexapod", "--seconds", "0.3", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  Json program = outcome.json(),
       library = Json::parse(to_json(summary(drop(load_world("hexapod"), {.seconds = 0.3}))));
  for (const char* key : {"realtime_factor", "wall_seconds"}) {
    EXPECT_TRUE(library.contains(key)) << key;
    program.erase(key), library.erase(key);
  }
  EXPECT_EQ(library, program);
}

}  // namespace
}  // namespace legwork::test
