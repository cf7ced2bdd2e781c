#pragma once
// What is to be searched: a body in a world, its network, its numbers that may be tuned, and what counts as
// good.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <legwork/methods.h>
#include "discover/network.h"
#include "discover/record.h"
#include "math/expression.h"
#include "search/tune.h"
#include "sim/simulation.h"

namespace legwork {

// The point that eyes look for, over time: straight between (time, point), still before and after.
struct FollowPath {
  std::vector<double> time;
  std::vector<Vec3d> point;

  Vec3d at(double t) const noexcept;
};
// Curves to learn pursuit on: they begin two lengths away, ahead, on either side and behind, and wind to the
// left and to the right a quarter of a length a second. m
std::vector<FollowPath> default_follow(double length, double seconds);

// What a rollout gives a metric to work with; docs/discover.md lists them. SI units.
inline constexpr std::array totals_names = {"distance", "x",     "y",       "speed",  "height",   "height2",
                                            "top",      "turns", "seconds", "period", "likeness", "energy",
                                            "approach", "apart", "fell",    "drag",   "length",   "mass"};
struct Totals {
  std::array<double, totals_names.size()> value{};
  double& operator[](const char* name) noexcept;
  double operator[](const char* name) const noexcept;
};

// A metric is a formula of the totals; those of the paper (section 5.1) have names:
//   distance   distance
//   upright    distance * (1 - fell)
//   standing   distance * (1 - fell) * (1 - drag)
//   hops       distance + k * height2      the integral of speed + k height^2
//   pursuit    approach                    the integral of v . F, F pointing at the follow point
Expression metric_formula(const std::string& metric, double hop_weight);
std::vector<std::pair<std::string, std::string>> metric_choices();

// A number that fine-tuning may change (figure 8, and the body's own where asked for).
enum class ParameterKind {
  on_delay,
  off_delay,  // s: both of a hidden node
  command_lower,
  command_upper,
  ks,
  kd,  // these four of an actuator
  sensor_lower,
  sensor_upper,  // both of a sensor that measures
  spring_stiffness,
  spring_damper,  // both of a degree of freedom with a passive spring
  link_size,      // factor: the link grows about its joint, mass with it
  link_mass,      // factor
};
struct Parameter {
  ParameterKind kind;
  int index;  // index of the node, actuator, sensor, degree of freedom or link
  Variable variable;
};

struct Problem {
  World world;  // its body with sensors and actuators; what is measured is measured at its frames
  NetworkShape shape;
  std::vector<Parameter> parameters;
  double delay = 0.1;  // s: delay of every node that is not tuned
  bool linear_nodes = false;
  double seconds = 6;
  StepOptions step;  // a frame is a whole number of steps
  std::string metric;
  Expression formula{"distance", {totals_names.begin(), totals_names.end()}};
  bool upright = false;            // falling ends it
  std::vector<FollowPath> follow;  // never empty; a candidate is as good as on their mean
  double length = 1;               // m: the body's length
  int root = 0;                    // link
  std::vector<int> links;          // links of the root's tree: the creature, without props

  bool pursues() const { return metric == "pursuit"; }
  bool tunes_body() const;
};

// Throws Error that says what the body lacks to be searched, with the lines to add.
void check_discover(const World& world);

// world.body must have sensors and actuators (equip.h). Where the options leave it open:
//   seconds  what the body says, else 6, for pursuit 30
//   metric   what the body says, else pursuit where it has eyes, else distance
//   hidden   what the body says, else as many as sensors
//   delay    a quarter of the cycle that the body says or its length suggests
// follow: drags the point instead of the curves to learn on. Throws Error.
Problem make_problem(World world, const DiscoverOptions& options, const StepOptions& step,
                     const std::optional<FollowPath>& follow = {});

// The values of all parameters as the body came.
std::vector<double> nominal(const Problem& problem);

// The body with a candidate's values, and the delays of all nodes. No parameters: the body as it came.
struct Expressed {
  Creature body;
  std::vector<double> on_delay, off_delay;
};
Expressed express(const Problem& problem, const std::vector<double>& parameters);

// Where it starts: the pose stand, lowered or lifted until its lowest point touches the ground.
std::vector<double> start_pose(const Problem& problem, const Creature& body);

}  // namespace legwork
