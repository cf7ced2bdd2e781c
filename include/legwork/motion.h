#pragma once
// Motion: what every verb returns. One row per frame, all arrays of frames() rows.

#include <string>
#include <vector>

#include <legwork/world.h>

namespace legwork {

// How a motion ended. A creature that fell or a computation that diverged is a status, never an exception.
enum class Status { ok, fell, diverged, stopped };

const char* to_string(Status status);

// How a motion was made: enough to make it again, bit for bit.
struct Provenance {
  std::string verb, creature, version;
  std::string options;  // the scenario as TOML
  unsigned long long seed = 0;
};

// One named quantity over time, `width` values a frame. What "stance" says: StancesFrom in gait.h.
struct Channel {
  std::string name, unit;
  int width = 1;
  std::vector<double> values;  // frames x width
};

struct Motion {
  Creature creature;         // the body, or all bodies of a world as one forest
  Terrain terrain;           // what it moved on
  double gravity = 9.81;     // m/s^2
  std::vector<double> time;  // s
  std::vector<double> q, v,
      tau;  // frames x nq, nv, nv; tau: torques at joints, springs included; empty as below
  // per contact point of the creature: force of the ground on it, world axes, N: frames x contacts x 3; zero
  // where it did not touch; empty where there was no physics
  std::vector<double> contact_force;
  std::vector<Channel> channels;
  Status status = Status::ok;
  std::string status_text;  // when, which link, likely cause
  double status_time = 0;
  Provenance made;

  int frames() const { return int(time.size()); }
  double duration() const { return time.empty() ? 0 : time.back() - time.front(); }
  const Channel* channel(const std::string& name) const;
};

}  // namespace legwork
