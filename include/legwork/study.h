#pragma once
// Scenarios: runs as data and as files. Studies: a scenario x variations x repetitions.

#include <string>
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
};
Rerun rerun(const std::string& path, const Run& run = {});

}  // namespace legwork
