#pragma once
// What a search knows of each evaluation: enough to make the motion again, bit for bit.

#include <cstdint>
#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

// A controller: the weights of a network (network.h: nodes x inputs) and the values of all that is tuned
// (problem.h), SI units.
struct Candidate {
  std::vector<std::int8_t> weights;
  std::vector<double> parameters;
};

// What came out of its simulation. All numbers are finite.
struct Evaluation {
  Status status = Status::ok;      // fell and diverged (energy from nowhere too) have score 0
  double score = 0;                // the metric
  double distance = 0;             // m: of the centre of mass along the ground; in pursuit: towards the point
  double speed = 0;                // m/s: speed over the second half
  double period = 0;               // s: length of the cycle that it settles into; 0: none
  double likeness = 0;             // likeness of the motion to itself a period later, 1 = exact
  std::vector<double> descriptor;  // what kind of motion (descriptor.h), each number about 0 to 1
};

struct Record {
  std::uint64_t number = 0;  // from 0 in the order of the search; its random numbers are stream `number`
  std::string stage;         // "random", "seed", "vary", "tune", "half step"
  std::int64_t parent = -1;  // number of the record that it was made from
  Candidate candidate;
  Evaluation evaluation;
};

// What the search is about: an archive of another one is not to be continued.
struct SearchIdentity {
  std::string creature;  // its whole text (write_creature), with sensors and actuators
  std::string scenario;  // verb, world, options, seed, as TOML
  std::string version;
};

// A finished gait of the gallery.
struct GaitRecord {
  int rank = 0;              // 1 = first shown
  std::uint64_t number = 0;  // number of its record
  std::string name;          // in words
  double speed = 0, period = 0, robustness = 0;
};

// Where records go as they happen, and come from when a search is continued. archive/archive.h keeps them in
// a file.
class Ledger {
 public:
  virtual ~Ledger() = default;
  // The record of that number, or null. Valid until the next call.
  virtual const Record* find(std::uint64_t number) = 0;
  // Finished records, in the order of their numbers; they must be safe when this returns. Throws Error.
  virtual void keep(const std::vector<Record>& records) = 0;
  // The gallery, replacing an earlier one.
  virtual void keep_gaits(const std::vector<GaitRecord>& gaits) = 0;
};

}  // namespace legwork
