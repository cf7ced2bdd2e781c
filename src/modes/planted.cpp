#include "modes/planted.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "creature/tree.h"
#include "math/real.h"
#include "modes/coordinates.h"
#include "modes/height_profile.h"
#include "modes/planted_parts.h"

namespace legwork {

void modal_pose(const Modes& modes, const std::vector<ModeUse>& uses, double time, double* y) noexcept {
  const int nv = int(modes.x0.size());
  for (int j = 0; j < nv; ++j) y[j] = modes.x0[size_t(j)];
  for (const ModeUse& use : uses) {
    const double a = use.amplitude * sin(2 * pi * use.hz * time + use.phase) + use.beta;
    for (int j = 0; j < nv; ++j) y[j] += modes.joints(j, use.mode) * a;
  }
}

// Stiffnesses over their mean, none so soft that nothing would hold its joint.
static std::vector<double> relative_stiffness(const std::vector<double>& stiffness,
                                              const std::vector<int>& dofs) {
  constexpr double softest = 0.1;
  double mean = 0;
  for (const int j : dofs) mean += stiffness[size_t(j)] / double(dofs.size());
  std::vector<double> relative;
  for (const int j : dofs) relative.push_back(mean > 0 ? std::max(softest, stiffness[size_t(j)] / mean) : 1);
  return relative;
}

PlantedGait::Parts::Parts(const Creature& c, const Modes& m, const Limbs& l, const std::vector<ModeUse>& u,
                          const PlantedOptions& o, const Terrain& t)
    : creature(c),
      modes(m),
      limbs(l),
      asked(u),
      uses(u),
      options(o),
      terrain(t),
      model(make_model(c)),
      joints(make_joint_forces(c, model)),
      w(model),
      root(root_dofs(c)),
      y(size_t(model.nv)),
      x(size_t(model.nv)),
      q(m.q0),
      leg_y(size_t(model.nv)) {
  // a rest pose beyond a range moves the range
  const std::vector<const Dof*> dofs = creature.dofs();
  for (size_t j = 0; j < dofs.size(); ++j)
    limits.push_back({std::min(dofs[j]->lower, modes.x0[j]), std::max(dofs[j]->upper, modes.x0[j]), o.soft});
  for (const Screw<double>& s : model.screws)
    if (s.type == ScrewType::free && !free_root) free_root = true, root_q = s.q, root_v = s.v;
  update_positions(model, modes.q0.data(), w);
  rest = {w.R[size_t(limbs.root)], w.p[size_t(limbs.root)]};
  double lowest = limbs.legs.empty() ? 0 : unlimited;
  for (const LimbLeg& leg : limbs.legs)
    lowest = std::min(lowest, point_position(w, leg.foot, leg.point).z - leg.height);
  const Vec3d shift{-rest.p.x, -rest.p.y, -lowest};
  rest.p = rest.p + shift;
  for (const LimbLeg& leg : limbs.legs) {
    rest_foot.push_back({w.R[size_t(leg.foot)], point_position(w, leg.foot, leg.point) + shift});
    LegBody body = make_leg_body(creature, leg, modes.q0, modes.x0, limits);
    body.stiff = relative_stiffness(modes.stiffness, body.dofs);
    legs.emplace_back(std::move(body));
  }
  for (const ContactPoint& point : creature.contacts) {
    const auto carries = [&](const LimbLeg& leg) { return is_below(creature, point.link, leg.hip); };
    if (std::none_of(limbs.legs.begin(), limbs.legs.end(), carries)) trunk_contacts.push_back(&point);
  }
  length = std::max(limbs.hip_height, 1e-6);
  alignment = limbs.girdles > 1 ? 1 : 0;
  plants.resize(legs.size());
}

void PlantedGait::Parts::pose_modes(double t) {
  modal_pose(modes, uses, t, y.data());
  if (!options.ground) return;
  if (life) {
    for (size_t j = 0; j < y.size(); ++j)
      if (!limbs.in_leg[j]) y[j] = modes.x0[j];
    std::vector<double>& led = leg_y;
    for (size_t l = 0; l < legs.size(); ++l) {
      modal_pose(modes, uses, t + life->lead[l] / options.hz, led.data());
      for (const int j : legs[l].body().dofs) y[size_t(j)] = led[size_t(j)];
    }
    for (const auto& [j, row] : life->joints) y[size_t(j)] += periodic_spline(row, options.hz * t);
    return;
  }
  for (size_t j = 0; j < y.size(); ++j)
    if (limbs.in_spine[j]) y[j] = modes.x0[j] + manner.calm * (y[j] - modes.x0[j]);
}

void PlantedGait::Parts::modal(double t) {
  pose_modes(t);
  limit_and_put(t);
  update_positions(model, q.data(), w);
}

void PlantedGait::Parts::at(double t) {
  pose_modes(t);
  for (size_t l = 0; l < legs.size() && options.ground; ++l) {
    legs[l].angles(options.hz * t * leg_intervals, leg_y.data());
    const std::vector<int>& dofs = legs[l].body().dofs;
    for (size_t k = 0; k < dofs.size(); ++k) y[size_t(dofs[k])] = leg_y[k];
  }
  limit_and_put(t);
}

void PlantedGait::Parts::limit_and_put(double t) {
  for (size_t j = 0; j < y.size(); ++j) x[j] = root[j] ? modes.x0[j] : limits[j](y[j]);
  set_positions(joints, x.data(), q.data());
  if (!free_root || !options.ground) return;
  const LinkFrame f = root_at(t);
  const Quatd r = quaternion(f.R);
  double* p = q.data() + root_q;
  const double same = p[3] * r.w + p[4] * r.x + p[5] * r.y + p[6] * r.z < 0 ? -1 : 1;
  p[0] = f.p.x, p[1] = f.p.y, p[2] = f.p.z;
  p[3] = same * r.w, p[4] = same * r.x, p[5] = same * r.y, p[6] = same * r.z;
}

// Over one cycle: what is left of the largest change of a joint's velocity in 2 ms, less twice that in 1
// ms, which is nothing where velocities change steadily.
double PlantedGait::Parts::velocity_jump(double seconds) {
  const double h = 1e-3, e = 1e-5;
  const int count = int(std::min(seconds, std::max(cycles, 1) / options.hz) / h);
  std::vector<double> before(q.size()), v[3];
  for (std::vector<double>& value : v) value.resize(y.size());
  double in_one = 0, in_two = 0;
  for (int i = 0; i <= count; ++i) {
    std::swap(v[0], v[1]), std::swap(v[1], v[2]);
    at(i * h - e);
    before = q;
    at(i * h + e);
    difference_positions(model, before.data(), q.data(), v[2].data());
    for (size_t j = 0; j < y.size(); ++j) {
      if (root[j] || i < 2) continue;
      in_one = std::max(in_one, std::fabs(v[2][j] - v[1][j]) / (2 * e));
      in_two = std::max(in_two, std::fabs(v[2][j] - v[0][j]) / (2 * e));
    }
  }
  return std::max(0.0, 2 * in_one - in_two);
}

PlantedGait::PlantedGait(const Creature& creature, const Modes& modes, const std::vector<ModeShape>& shapes,
                         const Limbs& limbs, const std::vector<ModeUse>& uses, const PlantedOptions& options,
                         const Terrain& terrain)
    : parts_(std::make_unique<Parts>(creature, modes, limbs, uses, options, terrain)) {
  Parts& p = *parts_;
  if (!p.free_root || limbs.legs.empty()) p.options.ground = false;
  if (!p.options.ground) return;
  p.set_up_timing(shapes);
  p.begin_life();
  p.fit();
}

PlantedGait::~PlantedGait() = default;
PlantedGait::PlantedGait(PlantedGait&&) noexcept = default;

void PlantedGait::at(double time, double* q) {
  parts_->at(time);
  std::copy(parts_->q.begin(), parts_->q.end(), q);
}

bool PlantedGait::stance(int leg, double time) const {
  return parts_->options.ground && parts_->stance(size_t(leg), time);
}
double PlantedGait::speed() const { return parts_->speed; }
const PlantedGait::Manner& PlantedGait::manner() const { return parts_->manner; }

Motion PlantedGait::animate(double seconds, double rate) {
  Parts& p = *parts_;
  Motion motion;
  motion.creature = p.creature;
  motion.terrain = p.terrain;
  motion.gravity = p.options.gravity;
  const int frames = int(std::floor(seconds * rate + 1e-9)) + 1;
  const size_t nq = size_t(p.model.nq), nv = size_t(p.model.nv);
  motion.q.resize(size_t(frames) * nq);
  motion.v.assign(size_t(frames) * nv, 0);
  std::vector<double> before(nq);
  const double h = 1e-4 / p.options.hz;
  for (int f = 0; f < frames; ++f) {
    const double t = f / rate;
    motion.time.push_back(t);
    p.at(t - h);
    before = p.q;
    p.at(t + h);
    double* v = &motion.v[size_t(f) * nv];
    difference_positions(p.model, before.data(), p.q.data(), v);
    for (size_t j = 0; j < nv; ++j) v[j] /= 2 * h;
    p.at(t);
    std::copy(p.q.begin(), p.q.end(), motion.q.begin() + long(size_t(f) * nq));
  }
  if (p.options.ground) record_stances(motion);
  return motion;
}

// A foot counts as standing once it stays put, and until it does no longer: not at the edges of its stance.
void PlantedGait::record_stances(Motion& motion) const {
  const Parts& p = *parts_;
  const double margin = stance_edge / p.options.hz;
  Channel stance{"stance", "1", int(p.creature.legs.size()), {}};
  const size_t width = size_t(stance.width);
  stance.values.assign(motion.time.size() * width, 0);
  for (size_t f = 0; f < motion.time.size(); ++f)
    for (size_t l = 0; l < p.legs.size(); ++l)
      if (p.stance(l, motion.time[f] - margin) && p.stance(l, motion.time[f] + margin))
        stance.values[f * width + size_t(p.limbs.legs[l].leg)] = 1;
  motion.channels.push_back(std::move(stance));
}

// By elastic energy: how the joints of the legs move beside what the modes alone, as they were asked for,
// would do; the swings are counted from their means.
void PlantedGait::measure_modality(const Motion& motion, PlantedMeasures& m) {
  Parts& p = *parts_;
  const size_t nq = size_t(p.model.nq), nv = size_t(p.model.nv), frames = size_t(motion.frames());
  std::vector<double> weight(nv, 0), planted(frames * nv), modal(frames * nv);
  for (const LegPath& leg : p.legs)
    for (const int j : leg.body().dofs) weight[size_t(j)] = p.modes.stiffness[size_t(j)];
  std::vector<double> mean_planted(nv, 0), mean_modal(nv, 0);
  for (size_t f = 0; f < frames; ++f) {
    joint_positions(p.joints, &motion.q[f * nq], &planted[f * nv]);
    modal_pose(p.modes, p.asked, motion.time[f], &modal[f * nv]);
    for (size_t j = 0; j < nv; ++j)
      mean_planted[j] += planted[f * nv + j] / double(frames),
          mean_modal[j] += modal[f * nv + j] / double(frames);
  }
  double both = 0, of_planted = 0, of_modal = 0, apart = 0;
  for (size_t i = 0; i < frames * nv; ++i) {
    const size_t j = i % nv;
    const double a = planted[i] - mean_planted[j], b = modal[i] - mean_modal[j], d = planted[i] - modal[i];
    both += weight[j] * a * b, of_planted += weight[j] * a * a, of_modal += weight[j] * b * b;
    apart += weight[j] * d * d;
  }
  if (!(of_modal > 0 && of_planted > 0)) return;
  m.modal_correlation = both / std::sqrt(of_modal * of_planted);
  m.modal_distance = std::sqrt(apart / of_modal);
}

PlantedMeasures PlantedGait::measure(const Motion& motion) {
  Parts& p = *parts_;
  PlantedMeasures m;
  m.speed = p.speed;
  for (const LegPath& leg : p.legs) m.correction = std::max(m.correction, leg.largest_correction());
  if (p.options.ground) {
    const Gait gait = measure_gait(motion);
    m.slide = gait.slip, m.sink = std::max(gait.penetration, 0.0);
    measure_modality(motion, m);
    m.pace = p.manner.pace;
  }
  const size_t nq = size_t(p.model.nq), nv = size_t(p.model.nv);
  std::vector<double> x(nv);
  const std::vector<const Dof*> dofs = p.creature.dofs();
  for (int f = 0; f < motion.frames(); ++f) {
    joint_positions(p.joints, &motion.q[size_t(f) * nq], x.data());
    for (size_t j = 0; j < nv; ++j) {
      if (p.root[j]) continue;
      m.limit_excess = std::max({m.limit_excess, x[j] - dofs[j]->upper, dofs[j]->lower - x[j]});
    }
  }
  m.velocity_jump = p.velocity_jump(motion.duration());
  return m;
}

}  // namespace legwork
