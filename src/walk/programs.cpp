#include "walk/programs.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "math/real.h"
#include "math/scalar.h"
#include "walk/strokes.h"

namespace legwork {

namespace {

constexpr double sharpness = 8;   // 1/rad of the springs made here
constexpr double sideways = 0.5;  // share of the load that joints must bear sideways as well
constexpr double damping_ratio = 0.8;

// Legs down at the least, of the gait chosen for the body.
int standing_legs(size_t legs, double slowness) {
  const int in_step = std::max(1, int(std::ceil(double(legs) / (2 * slowness) - 1e-9)));
  return std::max(1, int(legs) - in_step);
}

// What the load requires of a leg's joints, one value for each.
struct LegLoad {
  std::vector<double> most;     // N m: torque at most, sideways forces too
  std::vector<double> steady;   // N m: mean torque from the weight
  std::vector<double> lever;    // m, at most
  std::vector<double> inertia;  // kg m^2
};

// weight: N on the leg, in the postures of its stance.
LegLoad load_of(const Leg& leg, const std::vector<int>& dofs, double weight,
                const std::vector<std::vector<double>>& stance, LegKinematics& kinematics) {
  const std::vector<double> none(dofs.size(), 0);
  LegLoad load{none, none, none, none};
  for (const std::vector<double>& q : stance) {
    kinematics.set(q);
    const std::vector<Vec3d> J = kinematics.jacobian(leg, dofs);
    for (size_t k = 0; k < dofs.size(); ++k) {
      const double side = hypot(J[k].x, J[k].y);
      load.most[k] = std::max(load.most[k], weight * (std::fabs(J[k].z) + sideways * side));
      load.lever[k] = std::max(load.lever[k], norm(J[k]));
      load.steady[k] += -weight * J[k].z / double(stance.size());
    }
  }
  const size_t nv = size_t(kinematics.model.nv);
  std::vector<double> M(nv * nv);
  mass_matrix(kinematics.model, kinematics.w, M.data());
  for (size_t k = 0; k < dofs.size(); ++k) load.inertia[k] = M[size_t(dofs[k]) * (nv + 1)];
  return load;
}

// Stiffness of a joint where its spring rests.
double stiffness_of(const Spring& spring) {
  if (spring.type == SpringType::linear) return spring.stiffness;
  return spring.type == SpringType::exponential ? spring.stiffness * spring.sharpness : 0;
}

// How far a torque bends a spring.
double bend_of(const Spring& spring, double torque) {
  const double size = std::fabs(torque);
  const double x = spring.type == SpringType::linear ? size / spring.stiffness
                                                     : log1p(size / spring.stiffness) / spring.sharpness;
  return torque > 0 ? x : -x;
}

std::vector<Dof*> dofs_of(Creature& c) {
  std::vector<Dof*> all;
  for (Link& link : c.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) all.push_back(&dof);
  return all;
}

// Gives the joints of a leg springs and dampers; returns how far the load bends each.
std::vector<double> give_springs(Creature& c, LegKinematics& kinematics, const StanceGeometry& stand,
                                 size_t i, const std::vector<std::vector<double>>& stance,
                                 const ProgramOptions& options) {
  const double carried = stand.mass / standing_legs(c.legs.size(), stand.geometry.slowness);
  const double weight = carried * options.gravity;
  const LegLoad load = load_of(c.legs[i], stand.dofs[i], weight, stance, kinematics);
  const std::vector<Dof*> all = dofs_of(c);
  std::vector<double> bend;
  for (size_t k = 0; k < stand.dofs[i].size(); ++k) {
    Dof& dof = *all[size_t(stand.dofs[i][k])];
    // a joint that no load bends must still carry its part of the leg along
    const double quick = 0.04 * stand.hip_height / options.gravity;  // s^2
    const double hold = std::max({load.most[k], 0.02 * weight * stand.hip_height,
                                  load.inertia[k] * 4 * pi * pi * options.sag / quick});
    const double rise = exp(sharpness * options.sag) - 1;
    if (stiffness_of(dof.spring) < hold / options.sag)
      dof.spring = {SpringType::exponential, hold / rise, sharpness, 0};
    const double moved = load.inertia[k] + 0.25 * carried * load.lever[k] * load.lever[k];
    dof.damper = std::max(dof.damper, 2 * damping_ratio * std::sqrt(stiffness_of(dof.spring) * moved));
    // rest beyond the posture by the bend of the steady load
    bend.push_back(bend_of(dof.spring, -load.steady[k]));
  }
  return bend;
}

// Joints outside the legs hold what hangs on them.
void stiffen_trunk(Creature& c, LegKinematics& kinematics, const StanceGeometry& stand,
                   const ProgramOptions& options) {
  std::vector<char> in_leg(size_t(kinematics.model.nv), 0);
  for (const std::vector<int>& dofs : stand.dofs)
    for (const int d : dofs) in_leg[size_t(d)] = 1;
  kinematics.set(kinematics.stand);
  std::vector<double> M(size_t(kinematics.model.nv) * size_t(kinematics.model.nv));
  mass_matrix(kinematics.model, kinematics.w, M.data());
  const std::vector<double> x = kinematics.x(kinematics.stand);
  int d = 0;
  for (Link& link : c.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) {
        const size_t i = size_t(d++);
        if (in_leg[i] || joint.type == JointType::free || link.parent < 0 ||
            dof.spring.type != SpringType::none)
          continue;
        // weight of what it moves at its radius of gyration, or of half the body on it, whichever is more
        const double inertia = M[i * size_t(kinematics.model.nv) + i];
        const double hold = std::max(inertia * options.gravity / stand.hip_height * 3, 1e-9);
        dof.spring = {SpringType::linear, hold / (0.5 * options.sag), 0, x[i]};
        dof.damper = std::max(dof.damper, 2 * damping_ratio * std::sqrt(dof.spring.stiffness * inertia));
      }
}

// What suits the number of legs: neighbours alternate where that leaves the body standing, else one leg steps
// after the other.
double suited_slowness(size_t legs) { return legs >= 6 ? 1 : legs == 3 ? 4 : 3; }

// Duration of a step, over the time of a pendulum as long as the hips are high.
double suited_step(size_t legs) { return legs >= 6 ? 1.2 : legs == 5 ? 0.9 : 0.6; }

// The programs of one leg, and springs to go with them.
WalkLeg make_leg(const Creature& bare, LegKinematics& kinematics, const StanceGeometry& stand, double radius,
                 size_t i, const ProgramOptions& options, Creature& sprung) {
  const Leg& leg = bare.legs[i];
  const double stride = stand.geometry.stride;
  const FootWays ways =
      foot_ways(kinematics, leg, i, stand, stride, stand.geometry.lift, stand.home[i] - stand.com, radius);
  std::vector<std::vector<double>> loaded(2, kinematics.stand);  // where stance begins and ends
  const Vec3d half(0.5 * stride, 0, 0);
  kinematics.reach(leg, stand.dofs[i], stand.home[i] + half, stand.hip_height, loaded[0]);
  kinematics.follow(leg, stand.dofs[i], stand.home[i] - half, stand.hip_height, loaded[1]);
  std::vector<double> bend = give_springs(sprung, kinematics, stand, i, loaded, options);
  if (!options.bent) std::fill(bend.begin(), bend.end(), 0.0);
  WalkLeg made;
  made.dofs = stand.dofs[i];
  set_strokes(ways, bend, made);
  return made;
}

}  // namespace

bool has_programs(const Creature& c) {
  const auto brings = [](const Leg& leg) { return !leg.step.empty(); };
  const auto count = std::count_if(c.legs.begin(), c.legs.end(), brings);
  if (count == 0) return false;
  if (count == long(c.legs.size())) return true;
  const Leg& without = *std::find_if_not(c.legs.begin(), c.legs.end(), brings);
  throw Error(without.where, "leg '" + without.name + "'", "has no motor programs while others have",
              "give it step and stance, or none to any leg");
}

MadeBody make_programs(const Creature& given, const ProgramOptions& options) {
  MadeBody made;
  made.creature = given;
  Creature& c = made.creature;
  const size_t n = c.legs.size();
  if (n >= 3) find_stand(c);
  const Creature bare = c;  // before it gets its springs
  LegKinematics kinematics(bare);
  StanceGeometry stand = measure(bare, kinematics);
  place_homes(bare, kinematics, stand);
  stand.geometry.slowness = suited_slowness(n);
  choose_stride(bare, kinematics, options, stand);
  made.geometry = stand.geometry;
  made.body.stride = stand.geometry.stride;
  made.body.lift = stand.geometry.lift;
  made.body.places = gait_legs(bare);
  made.body.spread = n < 6;
  made.body.step_time = options.step_time > 0 ? options.step_time
                        : bare.step_time > 0  ? bare.step_time
                                             : suited_step(n) * std::sqrt(stand.hip_height / options.gravity);
  c.step_time = made.body.step_time;
  const double radius = home_circle(stand.home).radius;
  for (size_t i = 0; i < n; ++i)
    made.body.legs.push_back(make_leg(bare, kinematics, stand, radius, i, options, c));
  stiffen_trunk(c, kinematics, stand, options);
  // joints that walking drives with springs are not driven twice
  c.actuators.clear();
  made.start = kinematics.stand;
  for (size_t i = 0; i < n; ++i) {
    kinematics.reach(bare.legs[i], stand.dofs[i], stand.home[i], stand.hip_height, made.start);
    find_senses(bare, bare.legs[i], made.start, made.body.legs[i]);
  }
  find_homes(bare, made.start, made.body);
  return made;
}

}  // namespace legwork
