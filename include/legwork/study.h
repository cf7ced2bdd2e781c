#pragma once
// Scenarios: runs as data and as files. Summaries: what came out, as named values. Studies: a scenario x
// variations x repetitions.

#include <string>
#include <utility>
#include <vector>

#include <legwork/methods.h>

namespace legwork {

// --- scenarios (docs/scenario_file.md)

// A creature's file is sought beside the scenario's, then here.
Scenario read_scenario(const std::string& path);
// file names the text in messages.
Scenario parse_scenario(const std::string& text, const std::string& file);
// As a file: every value with its unit and meaning beside it.
std::string scenario_text(const Scenario& scenario);
// The seed is the scenario's.
Result run_scenario(const Scenario& scenario, const Run& run = {});

// A motion made again from its file alone.
struct Rerun {
  Result result;
  std::string difference;  // from the motion of the file, in words; empty: equal, bit for bit
  std::string version;     // of Legwork, that wrote the file
};
Rerun rerun(const std::string& path, const Run& run = {});

// --- summaries: what --json writes and studies measure

// How it was made, status, whether it fell, duration, and the gait where there are legs.
Value summary(const Motion& motion);
// The same with what the method found, and what that cost.
Value summary(const Result& result);

// --- studies (docs/scenario_file.md)

// One thing that is varied: creature, or an option of [world] or [options].
struct Axis {
  std::string table, key;  // table: "", "world" or "options"
  std::vector<std::vector<std::string>> values;
  Where where = {};

  std::string name() const { return table.empty() ? key : table + "." + key; }
};

struct Study {
  std::string name;
  Scenario base;
  int repetitions = 1;  // each with the next seed
  std::vector<Axis> vary;
  std::vector<std::string> measure;  // keys of the summary, "gait.speed"; empty: all numbers
};
// A scenario's file with more keys.
Study read_study(const std::string& path);
// file names the text in messages.
Study parse_study(const std::string& text, const std::string& file);

// Mean, SD (n - 1) and the 95 % confidence interval of the mean (Student's t). With n < 2 SD and interval are
// nan.
struct Statistics {
  int n = 0;
  double mean = 0, sd = 0, low = 0, high = 0, smallest = 0, largest = 0;
};

// A row for each variation, a column for each measure.
struct StudyTable {
  std::string name;
  std::vector<std::string> axes, measures;
  struct Row {
    std::vector<std::string> values;  // one for each axis
    int runs = 0, failed = 0;
    std::vector<Statistics> statistics;  // one for each measure, over the runs that did not fail
  };
  std::vector<Row> rows;
};
std::string study_csv(const StudyTable& table);
// A page that stands alone: the table, and a plot of each measure over the first axis of numbers.
std::string study_page(const StudyTable& table);

struct StudyRun {
  std::string id;                                           // of all that determines what comes out
  std::vector<std::pair<std::string, std::string>> varied;  // axis -> value as written
  int repetition = 0;
  std::vector<std::pair<std::string, std::string>> sampled;  // key -> the value that was drawn
  Value summary;
};
struct StudyResult {
  StudyTable table;
  std::vector<StudyRun> runs;  // by variation, then by repetition
  int resumed = 0;             // of them, so many were found in the file of results
};
// Makes every run, several at a time (Run::threads); seeds are the study's. results: a file that gets a line
// of JSON for each run as it ends, and whose runs are not made again; empty: none. A stopped study throws
// Stopped and goes on from that file.
StudyResult run_study(const Study& study, const std::string& results = {}, const Run& run = {});

}  // namespace legwork
