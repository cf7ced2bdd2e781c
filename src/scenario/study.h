#pragma once
// A study: a scenario x variations x repetitions, and the statistics of what came out. The file is a scenario
// with more keys; docs/scenario_file.md has the format.

#include <map>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace legwork {

// One thing that is varied: creature, or an option of [world] or [options].
struct Axis {
  std::string table, key;  // table: "", "world" or "options"
  std::vector<std::vector<std::string>> values;
  Where where;

  std::string name() const { return table.empty() ? key : table + "." + key; }
};

struct Study {
  std::string name;
  Scenario base;
  int repetitions = 1;
  std::vector<Axis> vary;
  std::vector<std::string> measure;  // keys of the summary, "gait.speed"; empty: all numbers
};

Study read_study(const std::string& path);
Study parse_study(const std::string& text, const std::string& file);

// Number of combinations of what is varied.
int variations(const Study& study);

// One run of a study.
struct Cell {
  int variation = 0, repetition = 0;
  Scenario scenario;                                         // seed: the study's plus the repetition
  std::vector<std::pair<std::string, std::string>> varied;   // axis -> value as written
  std::vector<std::pair<std::string, std::string>> sampled;  // key -> the value that was drawn
  std::string id;                                            // a hash of all that determines the result
};

// "0.8 ± 0.1" (also +-) is drawn from the normal distribution with that mean and SD, "0.4 .. 0.8" from the
// uniform one, each with an optional unit at the end; the same repetition draws the same in every variation.
Cell cell(const Study& study, int variation, int repetition);

// Mean, SD (n - 1) and the 95 % confidence interval of the mean (Student's t). With n < 2 SD and interval are
// nan.
struct Statistics {
  int n = 0;
  double mean = 0, sd = 0, low = 0, high = 0, smallest = 0, largest = 0;
};
Statistics statistics(const std::vector<double>& values);

// Two-sided 95 % quantile of Student's t with nu >= 1 degrees of freedom.
double student_t95(int nu);

// A finished study's table: a row for each variation, a column for each measure.
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

std::string csv(const StudyTable& table);
// A page that stands alone: the table, and a plot of each measure over the first axis of numbers.
std::string study_page(const StudyTable& table);

}  // namespace legwork
