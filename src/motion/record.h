#pragma once
// Recording simulations into motions, and the simplest simulated motion: let it fall.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <legwork/motion.h>
#include "sim/simulation.h"

namespace legwork {

// One more frame of the channel of this name, which is made at its first.
void append_channel(Motion& motion, const char* name, const char* unit, const std::vector<double>& values);

// A motion without frames for what the system holds.
Motion begin_motion(const System<double>& system);
// Appends the present state as a frame: q, v, tau, contact forces and the channels
//   "kinetic energy", "potential energy", "elastic energy", "work" (J), "center of mass" (m), "energy gain"
//   (1).
void record(Simulation<double>& sim, Motion& motion);
// Status and text of the simulation's end.
void end_motion(const Simulation<double>& sim, Motion& motion);

// Sees the simulation after every step, without changing it; false stops.
using Watch = std::function<bool(const Simulation<double>&)>;

// Runs for `seconds` and records frames at exact multiples of 1/rate. options.dt is shortened so that
// frames fall on steps. Stops early with a status when the simulation does, or the watch says so.
Motion run(Simulation<double>& sim, double seconds, double rate, const Watch& watch = {});

// How a world is set in motion without a controller. Terrain, contact and media are the world's.
struct SimOptions {
  double seconds = 2;
  double rate = 60;              // frames/s
  std::string integrator;        // empty: the creature's own, else implicit
  double dt = 0;                 // s; 0: the creature's own, else chosen
  std::string pose = "stand";    // the reference pose where the creature has none of that name
  std::optional<double> height;  // m: lowest contact point above the ground; none: as placed in the file
  Vec3d throw_velocity;          // m/s: velocity of the centre of mass of every free body, world axes
  Vec3d spin;                    // rad/s, about that centre, world axes
  std::vector<Push> pushes;
  unsigned long long seed = 0;  // recorded; nothing here is random
  Watch watch;
};

// Throws Error for options that make no sense; physics gone wrong is the motion's status.
Motion simulate(const World& world, const SimOptions& options);

// The start that simulate makes of the options: configuration and velocity.
struct Start {
  std::vector<double> q, v;
};
Start start_of(const System<double>& system, const SimOptions& options);

}  // namespace legwork
