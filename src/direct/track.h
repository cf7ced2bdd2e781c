#pragma once
// From kinematics to physics: the forces that a motion requires, whether the ground can supply them, and the
// motion again, by physics, as closely as the ground allows.
//
// Requirements. With the accelerations of the source, Newton and Euler give the joint torques and the wrench
// that the ground must supply to a free root: force m (a - g) and the moment about the centre of mass. The
// contact points that stand share it by least squares under what ground can do: no pull, friction inside its
// cone. What they cannot supply is missing, and the reason is reported: nothing to stand on, pull, friction,
// the centre of pressure (the point of the ground where the wanted force needs no level moment) outside the
// polygon of the feet, or a turn about the vertical.

#include <string>
#include <vector>

#include <legwork/run.h>
#include "direct/director.h"
#include "direct/track_source.h"

namespace legwork {

enum class Missing { nothing, air, pull, friction, pressure, turn };
std::string to_string(Missing what);

// What one instant of a motion requires.
struct Demand {
  double time = 0;
  std::vector<double> tau;      // nv: joint torques with the ground's forces below; zero where a root is free
  std::vector<Vec3d> force;     // per support, world axes, N
  Vec3d wanted, wanted_moment;  // needed from the ground, N, and N m about the centre of mass
  Vec3d missing, missing_moment;  // the part that no contact can supply
  bool has_pressure = false;
  Vec3d pressure;           // wanted centre of pressure
  double margin = 0;        // m: how far it lies inside the polygon of the standing points; negative outside
  double friction = 0;      // required ratio of level to upright force
  std::vector<int> down;    // supports that stand
  std::vector<Vec3d> feet;  // the points that bear, world
  Missing reason = Missing::nothing;
};

// A stretch of time in which the ground fell short, for one reason.
struct Shortfall {
  double from = 0, to = 0, worst_time = 0;
  Missing reason = Missing::nothing;
  double force = 0, moment = 0;  // missing at worst, N and N m
  double amount = 0;             // pull: N; friction: the coefficient; pressure: m outside; turn, air: N m, N
  std::vector<int> down;         // supports that stood at the worst instant
};
// In words: "0.31 to 0.40 s: ...".
std::string to_string(const Shortfall& shortfall, const TrackSource& source, double weight);

// Throws Error for a body without any joint that a torque could move.
void check_direct(const Creature& creature);

// Demands of every frame of the source.
std::vector<Demand> find_demands(const TrackSource& source, const World& world);
// Stretches of shortfalls, in order of time.
std::vector<Shortfall> find_shortfalls(const std::vector<Demand>& demands, double weight, double height);

// The centre of mass as the ground lets it move over the source's footholds, as near to the source as can be;
// its height is the source's.
Curve plan_center(const TrackSource& source, const std::vector<Demand>& demands, double gravity);

// Where the performance went off the source, at the motion's rate.
struct Deviation {
  double time = 0;
  double center = 0;      // m: distance of the centre of mass from the source's
  double joints = 0;      // rad: root mean square of the joints' differences
  double trunk = 0;       // rad: turn of the root from the source's
  Vec3d missing;          // N: required from the ground at this instant, and not available
  std::vector<int> down;  // supports that touched
};

// Where a performance did not stay up: what was missing before it was lost.
struct Collapse {
  double from = 0, worst_time = 0;  // s: since when force was missing without a pause; when most
  Vec3d force;                      // N: then
  std::vector<int> down;            // supports that touched then
};
std::string to_string(const Collapse& collapse, const TrackSource& source, double weight);

struct Tracked {
  Motion motion;  // performed
  std::vector<Demand> demands;
  std::vector<Shortfall> shortfalls;  // where the source asks too much of the ground
  std::vector<Deviation> deviations;
  Collapse collapse;              // where the motion did not end by itself
  double weight = 0, height = 0;  // N; m: hips over soles, or a length for the body's size
  int strides = 0;                // performed: touch-downs of the foot that had the fewest
  StepOptions step;               // that it took
  bool balanced = false;          // by the controller of control/, on ground of springs and dampers
  bool impulses = false;          // stepped by impulses, since following every contact did not get as far
};

// Performs the source by physics. What the ground can supply is followed by equations, as exactly as can be;
// a gait that asks for more is performed by the controller of control/ where that knows the body and may
// (on_legs), by equations otherwise. Throws Stopped where the run says so.
Tracked track(const World& world, const TrackSource& source, const DirectorOptions& direct, double seconds,
              const Run& run = {}, bool on_legs = true);

}  // namespace legwork
