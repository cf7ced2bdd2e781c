#include "methods/reach_life.h"

#include <cmath>

#include "dynamics/dynamics.h"
#include "life/pace.h"
#include "math/real.h"
#include "modes/planted.h"

namespace legwork {

namespace {

constexpr int harmonics = 6;  // by which the joints' cycle is described

// A cycle as a sum of waves, in the form of equation 4: a term for the mean, then cosine and sine of each
// harmonic.
struct Waves {
  Modes modes;
  std::vector<ModeShape> shapes;
  std::vector<ModeUse> uses;
};

// A column of `modes` and what it does to the feet.
struct Coefficients {
  std::vector<double> joints;  // nv
  std::vector<double> feet;    // m ahead of the root, per leg
};

Waves waves_of(const reaching::Findings& found, const Limbs& limbs, const std::vector<double>& stand,
               double hz) {
  const Creature& c = found.creature;
  const Model<double> model = make_model(c);
  const JointForces<double> joints = make_joint_forces(c, model);
  Workspace<double> w(model);
  const size_t nv = size_t(model.nv), n = found.q.size(), legs = limbs.legs.size();
  std::vector<Coefficients> terms(1 + 2 * harmonics,
                                  {std::vector<double>(nv, 0), std::vector<double>(legs, 0)});
  std::vector<double> x(nv), x0(nv);
  joint_positions(joints, stand.data(), x0.data());
  for (size_t f = 0; f < n; ++f) {
    joint_positions(joints, found.q[f].data(), x.data());
    update_positions(model, found.q[f].data(), w);
    for (size_t k = 0; k < terms.size(); ++k) {
      const double angle = 2 * pi * double((k + 1) / 2) * double(f) / double(n);
      const double share = (k == 0 ? 1.0 : k % 2 ? 2 * cos(angle) : 2 * sin(angle)) / double(n);
      for (size_t j = 0; j < nv; ++j) terms[k].joints[j] += share * (k == 0 ? x[j] - x0[j] : x[j]);
      for (size_t l = 0; l < legs; ++l)
        terms[k].feet[l] += share * (point_position(w, limbs.legs[l].foot, limbs.legs[l].point).x -
                                     w.p[size_t(limbs.root)].x);
    }
  }
  Waves waves;
  waves.modes.q0 = stand, waves.modes.x0 = x0, waves.modes.stiffness.assign(nv, 1);
  const Eigen::Index count = Eigen::Index(terms.size());
  waves.modes.joints.resize(Eigen::Index(nv), count);
  waves.modes.body = Eigen::MatrixXd::Zero(Eigen::Index(nv), count);
  waves.modes.frequency.assign(terms.size(), 0);
  for (size_t k = 0; k < terms.size(); ++k) {
    for (size_t j = 0; j < nv; ++j) waves.modes.joints(Eigen::Index(j), Eigen::Index(k)) = terms[k].joints[j];
    ModeShape shape;
    for (const double ahead : terms[k].feet) shape.foot.push_back({ahead, 0, 0});
    waves.shapes.push_back(shape);
    ModeUse use;
    use.mode = int(k), use.hz = hz * double(std::max(size_t(1), (k + 1) / 2));
    use.amplitude = k == 0 ? 0 : 1, use.beta = k == 0 ? 1 : 0, use.phase = k % 2 ? 0.5 * pi : 0;
    waves.uses.push_back(use);
  }
  return waves;
}

}  // namespace

LivelyMotion lively_motion_of(const reaching::Findings& found, const ReachOptions& o, const World& world) {
  const Creature& c = found.creature;
  const std::vector<double> stand = c.pose("stand");
  const Limbs limbs = find_limbs(c, stand);
  check_labels(c, limbs, "walk");
  PlantedOptions planted;
  planted.gravity = norm(world.gravity);
  planted.life = o.life;
  if (o.life.speed <= 0) planted.life.speed = found.plan.stride / found.period;
  planted.hz = planted.life.speed / found.plan.stride;
  planted.duty = found.plan.timing.duty;
  planted.phase.assign(limbs.legs.size(), 0);
  for (size_t l = 0; l < limbs.legs.size(); ++l)
    for (const reaching::Footfall& foot : found.plan.feet)
      if (foot.leg == limbs.legs[l].leg) planted.phase[l] = foot.down;
  planted.clearance =
      o.life.lift * swing_clearance(planted.life.speed / std::sqrt(planted.gravity * limbs.hip_height));
  planted.heel = lively_heel;
  planted.seconds = o.strides / planted.hz;
  const Waves waves = waves_of(found, limbs, stand, planted.hz);
  PlantedGait gait(c, waves.modes, waves.shapes, limbs, waves.uses, planted, world.terrain);
  return {gait.animate(planted.seconds, world.rate), gait.speed(), gait.manner().pace};
}

}  // namespace legwork
