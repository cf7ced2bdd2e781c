#pragma once
// Bodies handled roughly: dropped, spun and thrown on every kind of ground, and what became of them.

#include <cstdint>
#include <string>
#include <vector>

#include <legwork/creature.h>
#include <legwork/result.h>
#include <legwork/world.h>

namespace legwork {

// One fall, all of it drawn from (seed, number).
struct Fall {
  std::string body, terrain;
  double height = 0;           // m, of the lowest point above the ground
  Vec3d throw_velocity, spin;  // m/s, rad/s
};

// Of a shipped body: 0.02 to 1.5 m high, spinning at up to 8 rad/s, on one of seven grounds. Bodies that are
// not free to fall are dropped as they stand.
Fall random_fall(std::uint64_t seed, int number);
std::string command(const Fall& fall);  // legwork drop ...

// What can be wrong with a result.
struct Verdict {
  bool finite = true;     // every number of the motion
  bool diverged = false;  // by its status
  double gain = 0;        // largest share of the energy turned over that came from nowhere
  double depth = 0;       // m, the deepest point in the ground
  std::string status;     // its text; empty where all is well
};
Verdict judge(const Result& result);
Verdict handle(const Fall& fall, double dt = 0);  // dt 0: the default

// An odd body (odd_body.h) for 2 s: those with legs walk, the others fall or are thrown. Where the method
// refuses it, `status` is why.
struct Ordeal {
  std::string body, what;  // its name; "drop", "throw" or "walk"
  Verdict verdict;
  double size = 0;  // m, its largest edge
  bool refused = false;
};
Ordeal ordeal(std::uint64_t seed, int number);

}  // namespace legwork
