#include "physics/lanes.h"

#include <algorithm>
#include <cmath>

#include "sim/check_world.h"

namespace legwork {

namespace {

constexpr int worth_a_batch = 3;      // bodies: fewer are faster one at a time
constexpr double steps_slack = 1e-9;  // a frame of 10.0000000001 steps has 10

template <class T>
class LanesOf : public Lanes {
 public:
  LanesOf(const System<T>& system, const StepOptions& step, const World& world) : sim_(system, step) {
    sim_.pushes = world.pushes;
  }

  int width() const noexcept override { return lanes_of<T>; }

  void reset(const std::array<const double*, batch_lanes>& q,
             const std::array<const double*, batch_lanes>& v) override {
    std::array<bool, lanes_of<T>> which{};
    for (int i = 0; i < lanes_of<T>; ++i) {
      const std::size_t lane = std::size_t(i);
      which[lane] = q[lane] != nullptr;
      if (!which[lane]) continue;
      frozen_[lane] = false;
      for (std::size_t k = 0; k < sim_.state.q.size(); ++k) set_lane(sim_.state.q[k], i, q[lane][k]);
      for (std::size_t k = 0; k < sim_.state.v.size(); ++k) set_lane(sim_.state.v[k], i, v[lane][k]);
    }
    if (std::all_of(which.begin(), which.end(), [](bool b) { return b; }))
      sim_.restart();
    else
      sim_.restart(which);
  }

  void set_drive(int lane, const double* torque, const double* target) noexcept override {
    Drive<T>& drive = sim_.state.drive;
    for (std::size_t k = 0; k < drive.tau.size(); ++k) set_lane(drive.tau[k], lane, torque[k]);
    for (std::size_t k = 0; k < drive.target.size(); ++k) set_lane(drive.target[k], lane, target[k]);
  }
  void get_drive(int i, double* torque, double* target) const noexcept override {
    const Drive<T>& drive = sim_.state.drive;
    for (std::size_t k = 0; k < drive.tau.size(); ++k) torque[k] = lane(drive.tau[k], i);
    for (std::size_t k = 0; k < drive.target.size(); ++k) target[k] = lane(drive.target[k], i);
  }

  void step(int steps) override {
    for (int n = 0; n < steps && sim_.step(); ++n) freeze();
    freeze();
  }

  void get_state(int i, double* q, double* v) const noexcept override {
    const std::size_t at = std::size_t(i);
    if (frozen_[at]) {
      std::copy(last_q_[at].begin(), last_q_[at].end(), q);
      std::copy(last_v_[at].begin(), last_v_[at].end(), v);
      return;
    }
    for (std::size_t k = 0; k < sim_.state.q.size(); ++k) q[k] = lane(sim_.state.q[k], i);
    for (std::size_t k = 0; k < sim_.state.v.size(); ++k) v[k] = lane(sim_.state.v[k], i);
  }

  Status status(int lane) const noexcept override { return sim_.status(lane); }
  std::string explain(int lane) const override { return sim_.explain(lane); }

  BodyView view(int i, int link) const noexcept override {
    const Workspace<T>& w = sim_.w;
    const std::size_t root = std::size_t(link);
    const auto pick = [i](const Vec3<T>& v) { return Vec3d(lane(v.x, i), lane(v.y, i), lane(v.z, i)); };
    BodyView seen;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) seen.R(r, c) = lane(w.R[root](r, c), i);
    seen.p = pick(w.p[root]), seen.linear = pick(w.vel[root].lin), seen.turn = pick(w.vel[root].ang);
    seen.com = pick(center_of_mass(sim_.system().model, w));
    return seen;
  }
  Vec3d position(int i, int link) const noexcept override {
    const Vec3<T>& p = sim_.w.p[std::size_t(link)];
    return {lane(p.x, i), lane(p.y, i), lane(p.z, i)};
  }
  double joint_position(int i, int dof) const noexcept override { return lane(sim_.x[std::size_t(dof)], i); }
  Vec3d contact_force(int i, int site) const noexcept override {
    const Vec3<T>& f = sim_.ground_contacts[std::size_t(site)].force;
    return {lane(f.x, i), lane(f.y, i), lane(f.z, i)};
  }

 private:
  // A lane that has just diverged is at its last good state, where it stays.
  void freeze() {
    for (int i = 0; i < lanes_of<T>; ++i) {
      const std::size_t at = std::size_t(i);
      if (frozen_[at] || sim_.status(i) == Status::ok) continue;
      last_q_[at].resize(sim_.state.q.size()), last_v_[at].resize(sim_.state.v.size());
      get_state(i, last_q_[at].data(), last_v_[at].data());
      frozen_[at] = true;
    }
  }

  Simulation<T> sim_;
  std::array<bool, lanes_of<T>> frozen_{};
  std::array<std::vector<double>, lanes_of<T>> last_q_, last_v_;
};

}  // namespace

std::shared_ptr<const Arena> make_arena(const World& world, bool own_clocks) {
  check_world(world);
  auto arena = std::make_shared<Arena>();
  arena->system = make_system(world);
  const System<double>& system = arena->system;
  SimOptions options;
  options.height = 0;
  arena->start = start_of(system, options);
  arena->step =
      choose_step(system, world.integrator, world.dt, impact_speed(system, arena->start.q, arena->start.v));
  const double period = 1 / world.rate;
  arena->frame_steps = std::max(1, int(std::ceil(period / arena->step.dt - steps_slack)));
  arena->step.dt = period / double(arena->frame_steps);
  const bool possible = arena->step.integrator != Integrator::rkf45 && !system.body_contacts.has_pairs() &&
                        system.world.contact.type != ContactType::rigid;
  if (possible && !(own_clocks && !world.pushes.empty()))
    arena->batch = std::make_unique<System<Batch>>(make_batch_system(world, {&world.body}));
  return arena;
}

std::unique_ptr<Lanes> make_lanes(const Arena& arena, bool alone) {
  const World& world = arena.system.world;
  if (alone) return std::make_unique<LanesOf<double>>(arena.system, arena.step, world);
  return std::make_unique<LanesOf<Batch>>(*arena.batch, arena.step, world);
}

std::vector<LaneGroup> divide(const Arena& arena, int count) {
  std::vector<LaneGroup> groups;
  for (int first = 0; first < count;) {
    const int left = count - first;
    const bool alone = !arena.batch || left < worth_a_batch;
    groups.push_back({first, alone ? 1 : std::min(left, batch_lanes), alone});
    first += groups.back().size;
  }
  return groups;
}

}  // namespace legwork
