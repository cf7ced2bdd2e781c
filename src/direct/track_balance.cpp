#include "direct/track_balance.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "control/driven_body.h"
#include "control/fallen.h"
#include "control/inverse_kinematics.h"
#include "creature/strength.h"
#include "math/real.h"
#include "math/rotation.h"
#include "motion/record.h"

namespace legwork {

namespace {

constexpr double shortest_lift = 0.05;  // 1/w: a foot that is up for less stays down

double heading_of(const Mat3d& turned) { return atan2(turned(1, 0), turned(0, 0)); }

// Motors are the controller's, so that none acts twice.
World prepared(const World& given) {
  World world = given;
  world.body.actuators.clear();
  return world;
}

}  // namespace

bool performs_by_balance(const World& world, const TrackSource& source) {
  const Creature& c = world.body;
  if (c.legs.empty() || !c.loops.empty() || !(norm(world.gravity) > 0) ||
      world.terrain.type == TerrainType::none || source.supports.size() != c.legs.size())
    return false;
  int free = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) free += joint.type == JointType::free;
  const std::vector<Joint>& root = c.links[0].joints;
  return free == 1 && root.size() == 1 && root[0].type == JointType::free;
}

SourceFootfalls::SourceFootfalls(const TrackSource& source, const LeggedBody& body) : source_(&source) {
  const Model<double>& m = body.system->model;
  Workspace<double> w(m);
  std::vector<double> q(size_t(m.nq)), v(size_t(m.nv)), a(size_t(m.nv));
  const auto sole = [&](size_t leg, double time) {
    source.at(time, q.data(), v.data(), a.data());
    update_positions(m, q.data(), w);
    const Vec3d p = point_position(w, body.legs[leg].foot, body.legs[leg].sole);
    return Vec2{p.x, p.y};
  };
  const double shortest = shortest_lift / body.rate;
  for (size_t i = 0; i < body.legs.size(); ++i) {
    std::vector<Stand> stands;
    for (const Stance& s : source.supports[i].stances) {
      const double to = s.ends ? s.up : unlimited;
      if (!stands.empty() && s.down - stands.back().to < shortest)
        stands.back().to = to;
      else
        stands.push_back({s.starts ? s.down : -unlimited, to, {}});
    }
    for (Stand& s : stands) {
      const double from = std::max(s.from, 0.0), to = std::min(s.to, source.seconds());
      s.at = sole(i, 0.5 * (from + to));
    }
    stands_.push_back(std::move(stands));
  }
  for (int f = 0; f < source.frames(); ++f) {
    source.frame(f, q.data(), v.data(), a.data());
    update_positions(m, q.data(), w);
    const double before = headings_.empty() ? 0 : headings_.back();
    const double now = heading_of(w.R[size_t(body.root)] * transpose(body.upright));
    headings_.push_back(before + std::remainder(now - before, 2 * pi));
  }
}

bool SourceFootfalls::stands(size_t leg, double time) const {
  return std::any_of(stands_[leg].begin(), stands_[leg].end(),
                     [&](const Stand& s) { return time >= s.from && time < s.to; });
}

double SourceFootfalls::next_change(size_t leg, double time) const {
  for (const Stand& s : stands_[leg]) {
    if (s.from > time) return s.from;
    if (s.to > time) return s.to;
  }
  return unlimited;
}

Vec2 SourceFootfalls::place(size_t leg, double time) const {
  for (const Stand& s : stands_[leg])
    if (time < s.to) return s.at;
  if (!stands_[leg].empty()) return stands_[leg].back().at;
  const Vec3d x = source_->soles[leg].x[0];
  return {x.x, x.y};
}

Vec2 SourceFootfalls::path(double time) const {
  Vec3d x, v, a;
  const double end = source_->seconds();
  source_->at(time, source_->center_of_mass, x, v, a);
  if (time > end) x += v * (time - end);
  return {x.x, x.y};
}

double SourceFootfalls::heading(double time) const {
  const int n = source_->frames();
  if (n < 2) return headings_[0];
  int k = 0, last = n - 1;
  while (last - k > 1) (source_->time((k + last) / 2) <= time ? k : last) = (k + last) / 2;
  const double h = source_->time(last) - source_->time(k);
  const double u = h > 0 ? std::clamp((time - source_->time(k)) / h, 0.0, 1.0) : 0;
  return headings_[size_t(k)] + u * (headings_[size_t(last)] - headings_[size_t(k)]);
}

SourceStyle::SourceStyle(const TrackSource& source, const LeggedBody& body, const SourceFootfalls& footfalls)
    : source_(&source),
      body_(&body),
      footfalls_(&footfalls),
      w_(body.system->model),
      q_(size_t(body.system->model.nq)),
      v_(size_t(body.system->model.nv)),
      a_(size_t(body.system->model.nv)) {
  for (size_t i = 0; i < body.legs.size(); ++i) {
    swings_.emplace_back();
    for (double t = 0; t < source.seconds();) {
      const double next = std::min(footfalls.next_change(i, t), source.seconds());
      if (!footfalls.stands(i, t)) swings_.back().push_back(swing_between(i, t, next));
      t = next + 1e-9;
    }
  }
}

// Heights are those of the lowest contact point.
SourceStyle::Swing SourceStyle::swing_between(size_t leg, double from, double to) const {
  constexpr int samples = 16;
  Swing swing{to, 0, 0.45};
  for (int k = 1; k < samples; ++k) {
    const double share = double(k) / samples;
    Vec3d x, v, a;
    source_->at(from + share * (to - from), source_->clearances[leg], x, v, a);
    if (x.z > swing.high) swing.high = x.z, swing.peak = std::clamp(share, 0.25, 0.65);
  }
  return swing;
}

void SourceStyle::body(double clock, BodyLook& look) const {
  const LeggedBody& b = *body_;
  source_->at(clock, q_.data(), v_.data(), a_.data());
  joint_positions(b.system->joints, q_.data(), look.x.data());
  look.rate = v_;
  update_positions(b.system->model, q_.data(), w_);
  update_velocities(b.system->model, q_.data(), v_.data(), w_);
  const Mat3d back = transpose(matrix(rotation_quaternion(Vec3d(0, 0, footfalls_->heading(clock)))));
  look.trunk = back * w_.R[size_t(b.root)];
  look.spin = back * w_.vel[size_t(b.root)].ang;
  Vec3d x, v, a;
  source_->at(clock, source_->center_of_mass, x, v, a);
  look.rise = x.z - sample(source_->terrain(), x.x, x.y).height - b.height;
  look.climb = v.z, look.up = a.z;
}

void SourceStyle::swing(size_t leg, double clock, double, SwingLook& look) const {
  const LeggedBody& b = *body_;
  source_->at(clock, q_.data(), v_.data(), a_.data());
  update_positions(b.system->model, q_.data(), w_);
  const Mat3d back = transpose(matrix(rotation_quaternion(Vec3d(0, 0, footfalls_->heading(clock)))));
  look.axes = back * w_.R[size_t(b.legs[leg].foot)];
  const std::vector<Swing>& swings = swings_[leg];
  const auto now = std::find_if(swings.begin(), swings.end(), [&](const Swing& s) { return s.to >= clock; });
  if (now != swings.end()) look.high = now->high, look.peak = now->peak;
}

namespace {

// The first pose with its lowest point on the ground.
void lay_down(const LeggedBody& body, const Terrain& terrain, std::vector<double>& q) {
  Workspace<double> w(body.system->model);
  update_positions(body.system->model, q.data(), w);
  double deepest = -unlimited;
  for (const ContactSite<double>& site : body.system->contacts.sites)
    deepest = std::max(deepest, site_depth(site, terrain, w));
  if (std::isfinite(deepest)) q[size_t(body.root_q) + 2] += deepest;
}

// How far the body is from the source at its time.
Deviation deviation_of(const LeggedBody& body, const TrackSource& source, const LeggedController& control,
                       const DrivenBody& driven, const Simulation<double>& sim) {
  const Model<double>& m = body.system->model;
  std::vector<double> q(size_t(m.nq)), v(size_t(m.nv)), a(size_t(m.nv));
  source.at(control.state.clock, q.data(), v.data(), a.data());
  Deviation out;
  out.time = sim.state.time;
  Vec3d x, xv, xa;
  source.at(control.state.clock, source.center_of_mass, x, xv, xa);
  out.center = norm(center_of_mass(m, sim.w) - x);
  difference_positions(m, sim.state.q.data(), q.data(), v.data());
  double sum = 0;
  int count = 0;
  for (int j = 0; j < m.nv; ++j) {
    if (j >= body.root_v && j < body.root_v + 6) continue;
    sum += v[size_t(j)] * v[size_t(j)], ++count;
  }
  out.joints = count > 0 ? std::sqrt(sum / count) : 0;
  out.trunk = norm(Vec3d(v[size_t(body.root_v) + 3], v[size_t(body.root_v) + 4], v[size_t(body.root_v) + 5]));
  out.missing = control.lacking();
  for (size_t i = 0; i < driven.load().size(); ++i)
    if (driven.load()[i] > 0) out.down.push_back(int(i));
  return out;
}

}  // namespace

void perform_by_balance(const World& given, const TrackSource& source, double seconds, Meter& meter,
                        Tracked& out) {
  const World world = prepared(given);
  const System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, dof_strengths(given.body));
  const SourceFootfalls footfalls(source, body);
  const SourceStyle style(source, body, footfalls);
  StepOptions step = choose_step(system, world.integrator, world.dt, 0);
  if (world.dt <= 0 && world.body.dt <= 0) step.dt = std::min(step.dt, suited_step(body));
  Simulation<double> sim(system, step);
  std::vector<double> q(size_t(system.model.nq)), v(size_t(system.model.nv)), a(v.size());
  source.at(0, q.data(), v.data(), a.data());
  lay_down(body, world.terrain, q);
  sim.reset(q, v);
  sim.pushes = world.pushes;
  LeggedController control(body);
  control.style = &style, control.footfalls = &footfalls;
  control.start(0, q, footfalls.heading(0), world.terrain);
  DrivenBody driven(body, control, sim);
  out.deviations.clear();
  bool fell = false;
  double due = 0;
  out.motion = run(sim, seconds, world.rate, [&](const Simulation<double>& s) {
    if (s.state.time >= due - 1e-9) {
      due += 1 / world.rate;
      out.deviations.push_back(deviation_of(body, source, control, driven, s));
    }
    fell = has_fallen(body, world.terrain, s.w);
    meter.reach(long(s.state.time * 10) * 100);
    return !fell && !meter.stopped();
  });
  if (fell)
    out.motion.status = Status::fell, out.motion.status_time = sim.state.time,
    out.motion.status_text = "fell at " + brief(sim.state.time) + " s";
  out.impulses = false, out.balanced = true, out.step = sim.options;
}

}  // namespace legwork
