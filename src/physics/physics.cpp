// One world, moved step by step by its caller.

#include <legwork/physics.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/version.h"
#include "creature/check.h"
#include "physics/lanes.h"
#include "physics/numbers.h"

namespace legwork {

// The caller's arrays stand beside the simulation's own, so that their memory never moves and a change by
// hand is seen.
struct Physics::Live {
  std::shared_ptr<const Arena> arena;
  Simulation<double> sim;
  std::vector<double> q, v, torque, target;
  std::vector<double> force;  // contact points x 3
  bool probed = false;        // what acts at the present state is known
  Motion recorded;

  explicit Live(std::shared_ptr<const Arena> made) : arena(std::move(made)), sim(arena->system, arena->step) {
    sim.pushes = world().pushes;
    force.resize(3 * sim.ground_contacts.size());
  }

  const World& world() const { return arena->system.world; }
  const Creature& body() const { return world().body; }

  void start(const std::vector<double>& from_q, const std::vector<double>& from_v) {
    sim.pushes = world().pushes;
    sim.reset(from_q, from_v);
    torque = sim.state.drive.tau, target = sim.state.drive.target;
    recorded = begin_motion(arena->system);
    recorded.made = {"physics", body().name, version(), "", 0};
    probed = false;
    show();
  }

  void show() { q = sim.state.q, v = sim.state.v; }

  static bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  }
  static bool finite(const std::vector<double>& values) {
    double sum = 0;
    for (const double x : values) sum += x - x;
    return sum == 0;
  }

  double energy_without_ground() const {
    const Energy<double> e = sim.energy();
    return e.total() - e.contact;
  }

  // What the caller's hand changed reaches the simulation. Throws Error.
  void take_over() {
    if (!finite(torque)) check_numbers(torque, sim.system().model.nv, "torque", "nv", body());
    if (!finite(target)) check_numbers(target, int(target.size()), "target", "nu", body());
    sim.state.drive.tau = torque, sim.state.drive.target = target;
    const bool moved = !same(q, sim.state.q);
    if (!moved && same(v, sim.state.v)) return;
    const std::vector<double> unit = checked_positions(sim.system().model, q, "q", body());
    check_numbers(v, sim.system().model.nv, "v", "nv", body());
    const double before = energy_without_ground();
    sim.state.q = unit, sim.state.v = v;
    if (moved) {
      sim.state.contact.reset(sim.system().contacts);
      sim.state.body_contact = {};
    }
    sim.refresh();
    const double given = energy_without_ground() - before;
    sim.state.work += given;
    sim.state.turnover += std::fabs(given);
    probed = false;
  }

  void probe() {
    take_over();
    if (!probed) sim.probe();
    probed = true;
  }
};

Physics::Physics(const World& world) : live_(std::make_unique<Live>(make_arena(world, false))) {
  live_->start(live_->arena->start.q, live_->arena->start.v);
}
Physics::Physics(const Physics& other) : live_(std::make_unique<Live>(*other.live_)) {
  live_->recorded = begin_motion(live_->arena->system);
  live_->recorded.made = other.live_->recorded.made;
}
Physics& Physics::operator=(const Physics& other) {
  if (this != &other) *this = Physics(other);
  return *this;
}
Physics::Physics(Physics&&) noexcept = default;
Physics& Physics::operator=(Physics&&) noexcept = default;
Physics::~Physics() = default;

const World& Physics::world() const noexcept { return live_->world(); }
int Physics::nq() const noexcept { return int(live_->q.size()); }
int Physics::nv() const noexcept { return int(live_->v.size()); }
int Physics::nu() const noexcept { return int(live_->target.size()); }
double Physics::dt() const noexcept { return live_->arena->step.dt; }
int Physics::frame_steps() const noexcept { return live_->arena->frame_steps; }
double Physics::time() const noexcept { return live_->sim.state.time; }

std::span<double> Physics::q() noexcept { return live_->q; }
std::span<double> Physics::v() noexcept { return live_->v; }
std::span<double> Physics::torque() noexcept { return live_->torque; }
std::span<double> Physics::target() noexcept { return live_->target; }

void Physics::reset(const std::string& pose) {
  check_pose(live_->body(), pose);
  SimOptions options;
  options.pose = pose;
  options.height = 0;
  const Start start = start_of(live_->arena->system, options);
  live_->start(start.q, start.v);
}

void Physics::reset(std::span<const double> q, std::span<const double> v) {
  const std::vector<double> unit = checked_positions(live_->arena->system.model, q, "q", live_->body());
  if (!v.empty()) check_numbers(v, nv(), "v", "nv", live_->body());
  live_->start(unit, {v.begin(), v.end()});
}

bool Physics::step(int count) {
  live_->take_over();
  bool going = true;
  for (int n = 0; n < count && going; ++n) going = live_->sim.step();
  live_->probed = count > 0;
  live_->show();
  return going;
}

void Physics::push(int link, const Vec3d& force, double seconds) {
  if (link < 0 || link >= int(live_->body().links.size()))
    throw Error({}, "push", "'" + live_->body().name + "' has no link number " + std::to_string(link));
  const double numbers[] = {force.x, force.y, force.z, seconds};
  check_numbers(numbers, 4, "push", "4 numbers", live_->body());
  if (!(seconds > 0)) throw Error({}, "push", "lasts no time", "give more than 0 s");
  live_->sim.pushes.push_back({link, force, time(), seconds});
}

Status Physics::status() const noexcept { return live_->sim.status(); }
std::string Physics::status_text() const { return live_->sim.explain(); }

std::span<const double> Physics::acceleration() {
  live_->probe();
  return live_->sim.qdd;
}
std::span<const double> Physics::joint_torque() {
  live_->probe();
  return live_->sim.tau;
}
std::span<const double> Physics::contact_force() {
  live_->probe();
  std::vector<double>& force = live_->force;
  std::fill(force.begin(), force.end(), 0.0);
  for (const int site : live_->sim.ground_contacts.near)
    for (int i = 0; i < 3; ++i)
      force[3 * std::size_t(site) + std::size_t(i)] = live_->sim.ground_contacts[std::size_t(site)].force[i];
  return force;
}

EnergyAccount Physics::energy() const {
  live_->take_over();
  const Energy<double> e = live_->sim.energy();
  return {e.kinetic, e.gravity, e.elastic, e.contact, e.work};
}
Vec3d Physics::center_of_mass() const {
  live_->take_over();
  return legwork::center_of_mass(live_->sim.system().model, live_->sim.w);
}

void Physics::record() {
  live_->take_over();
  legwork::record(live_->sim, live_->recorded);
  live_->probed = true;
}

Motion Physics::motion() const {
  Motion motion = live_->recorded;
  end_motion(live_->sim, motion);
  return motion;
}

}  // namespace legwork
