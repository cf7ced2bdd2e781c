#pragma once
// The runs of a study, one by one, and the statistics of what came out.

#include <string>
#include <utility>
#include <vector>

#include <legwork/study.h>

namespace legwork {

// Throws Error where a study made by hand has no runs, too many, or varies what cannot be.
void check_study(const Study& study);

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

Statistics statistics(const std::vector<double>& values);

// Two-sided 95 % quantile of Student's t with nu >= 1 degrees of freedom.
double student_t95(int nu);

}  // namespace legwork
