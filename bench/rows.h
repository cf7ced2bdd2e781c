#pragma once
// Rows of a benchmark: printed as a table, and added to a JSON list of
// {name, value, unit, peer, peer_value, ratio, target, met, instructions}.

#include <functional>
#include <string>
#include <vector>

namespace legwork::bench {

struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::string peer;  // empty: no peer
  double peer_value = 0;
  double ratio = 0;       // value / peer_value, the median of ratios taken in turns where both are timed
  double target = 0;      // 0: none
  bool at_least = false;  // the target is a floor, not a ceiling
  bool on_value = false;  // the target is for the value, not for the ratio
};

bool met(const Row& row);
void print(const Row& row);
// Reads the list in `file` if there is one, adds the rows and writes it again.
void add_to_json(const std::string& file, const std::vector<Row>& rows);
// The argument after --json, or nothing.
std::string json_argument(int argc, char** argv);

// The instruction set that this program is compiled for: "AVX-512", "AVX2", ...
std::string instruction_set();

// Median seconds of one call of each, and the median of their ratio, run in turns so that a change of the
// machine's speed hits both alike. Seconds are those of the processor in this process: what others do on the
// machine counts as little as can be, and neither may use threads.
struct Timing {
  double ours, theirs, ratio;
};
Timing compare(const std::function<void(int)>& ours, const std::function<void(int)>& theirs, int calls_a_turn,
               int turns = 201);
// Median seconds of one call.
double measure(const std::function<void(int)>& call, int calls_a_turn, int turns = 51);

}  // namespace legwork::bench
