// Many bodies of one world, each with a state of its own.

#include <legwork/physics.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/text.h"
#include "physics/lanes.h"
#include "physics/numbers.h"

namespace legwork {

namespace {

constexpr int most_bodies = 1 << 22;

const double* row(const std::vector<double>& rows, int i, int width) {
  return rows.data() + std::size_t(i) * std::size_t(width);
}
double* row(std::vector<double>& rows, int i, int width) {
  return rows.data() + std::size_t(i) * std::size_t(width);
}

}  // namespace

struct PhysicsBatch::Herd {
  std::shared_ptr<const Arena> arena;
  int threads;
  int nq, nv, nu, contacts;
  std::vector<LaneGroup> groups;
  std::vector<std::unique_ptr<Lanes>> lanes;  // one for each group
  std::vector<double> q, v, torque, target, time, force, com;
  std::vector<long> steps;  // of each body since its start

  Herd(std::shared_ptr<const Arena> made, int count, int on)
      : arena(std::move(made)), threads(on), groups(divide(*arena, count)) {
    const System<double>& system = arena->system;
    nq = system.model.nq, nv = system.model.nv, nu = int(system.actuators.size());
    contacts = int(system.contacts.sites.size());
    const std::size_t n = std::size_t(count);
    q.resize(n * std::size_t(nq)), v.resize(n * std::size_t(nv)), torque.resize(n * std::size_t(nv));
    target.resize(n * std::size_t(nu)), time.resize(n), steps.resize(n), com.resize(3 * n);
    force.resize(3 * n * std::size_t(contacts));
    for (const LaneGroup& group : groups) lanes.push_back(make_lanes(*arena, group.alone));
  }

  const Creature& body() const { return arena->system.world.body; }
  int count() const { return int(time.size()); }

  // The group and the lane of a body.
  std::pair<std::size_t, int> place(int i) const {
    if (i < 0 || i >= count())
      throw Error({}, "body " + std::to_string(i), "is not one of the " + std::to_string(count()));
    const auto after = std::upper_bound(groups.begin(), groups.end(), i,
                                        [](int x, const LaneGroup& g) { return x < g.first; });
    const std::size_t at = std::size_t(after - groups.begin()) - 1;
    return {at, i - groups[at].first};
  }

  void show(std::size_t g) {
    for (int k = 0; k < groups[g].size; ++k) {
      const int i = groups[g].first + k;
      lanes[g]->get_state(k, row(q, i, nq), row(v, i, nv));
      time[std::size_t(i)] = double(steps[std::size_t(i)]) * arena->step.dt;
    }
  }

  // Each body in `which` from its row of states.
  void reset(std::span<const int> which, const std::vector<double>& from_q,
             const std::vector<double>& from_v) {
    std::vector<std::array<const double*, batch_lanes>> qs(groups.size()), vs(groups.size());
    for (std::size_t k = 0; k < which.size(); ++k) {
      const auto [g, lane] = place(which[k]);
      qs[g][std::size_t(lane)] = row(from_q, int(k), nq);
      vs[g][std::size_t(lane)] = row(from_v, int(k), nv);
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (std::all_of(qs[g].begin(), qs[g].end(), [](const double* p) { return !p; })) continue;
      lanes[g]->reset(qs[g], vs[g]);
      for (int k = 0; k < groups[g].size; ++k) {
        if (!qs[g][std::size_t(k)]) continue;
        const int i = groups[g].first + k;
        lanes[g]->get_drive(k, row(torque, i, nv), row(target, i, nu));
        steps[std::size_t(i)] = 0;
      }
      show(g);
    }
  }

  void check_rows(const std::vector<double>& rows, int width, const char* name) const {
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (!std::isfinite(rows[k]))
        throw Error({},
                    name + ("[" + std::to_string(k / std::size_t(width))) + ", " +
                        std::to_string(k % std::size_t(width)) + "]",
                    to_text(rows[k]) + " is not finite");
  }

  void step(int n) {
    check_rows(torque, nv, "torque"), check_rows(target, nu, "target");
    parallel_for(int(groups.size()), threads, [&](int index, int) {
      const std::size_t g = std::size_t(index);
      for (int k = 0; k < groups[g].size; ++k) {
        const int i = groups[g].first + k;
        lanes[g]->set_drive(k, row(torque, i, nv), row(target, i, nu));
        if (lanes[g]->status(k) == Status::ok) steps[std::size_t(i)] += n;
      }
      lanes[g]->step(n);
      show(g);
    });
  }
};

PhysicsBatch::PhysicsBatch(const World& world, int count, int threads) {
  if (count < 1 || count > most_bodies)
    throw Error({}, "count", std::to_string(count) + " bodies", "give 1 to " + std::to_string(most_bodies));
  herd_ = std::make_unique<Herd>(make_arena(for_batches(world), true), count, threads);
  std::vector<int> all(std::size_t(count), 0);
  for (int i = 0; i < count; ++i) all[std::size_t(i)] = i;
  reset(all);
}
PhysicsBatch::PhysicsBatch(PhysicsBatch&&) noexcept = default;
PhysicsBatch& PhysicsBatch::operator=(PhysicsBatch&&) noexcept = default;
PhysicsBatch::~PhysicsBatch() = default;

const World& PhysicsBatch::world() const noexcept { return herd_->arena->system.world; }
int PhysicsBatch::count() const noexcept { return herd_->count(); }
int PhysicsBatch::nq() const noexcept { return herd_->nq; }
int PhysicsBatch::nv() const noexcept { return herd_->nv; }
int PhysicsBatch::nu() const noexcept { return herd_->nu; }
double PhysicsBatch::dt() const noexcept { return herd_->arena->step.dt; }
int PhysicsBatch::frame_steps() const noexcept { return herd_->arena->frame_steps; }

std::span<const double> PhysicsBatch::q() const noexcept { return herd_->q; }
std::span<const double> PhysicsBatch::v() const noexcept { return herd_->v; }
std::span<double> PhysicsBatch::torque() noexcept { return herd_->torque; }
std::span<double> PhysicsBatch::target() noexcept { return herd_->target; }
std::span<const double> PhysicsBatch::time() const noexcept { return herd_->time; }

void PhysicsBatch::step(int steps) { herd_->step(steps); }

void PhysicsBatch::reset(std::span<const int> which, std::span<const double> q, std::span<const double> v) {
  const Arena& arena = *herd_->arena;
  const std::size_t n = which.size(), nq = std::size_t(herd_->nq), nv = std::size_t(herd_->nv);
  for (const int i : which) herd_->place(i);
  const auto check_size = [&](std::span<const double> rows, std::size_t width, const char* name) {
    if (rows.size() != n * width)
      throw Error({}, name,
                  "has " + std::to_string(rows.size()) + " numbers, but " + std::to_string(n) +
                      " bodies need " + std::to_string(n * width));
  };
  if (!q.empty()) check_size(q, nq, "q");
  if (!v.empty()) check_size(v, nv, "v");
  std::vector<double> from_q, from_v(n * nv, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> unit =
        q.empty() ? arena.start.q
                  : checked_positions(arena.system.model, q.subspan(k * nq, nq), "q", herd_->body());
    from_q.insert(from_q.end(), unit.begin(), unit.end());
    if (!v.empty()) {
      check_numbers(v.subspan(k * nv, nv), herd_->nv, "v", "nv", herd_->body());
      std::copy_n(v.begin() + long(k * nv), nv, from_v.begin() + long(k * nv));
    }
  }
  herd_->reset(which, from_q, from_v);
}

Status PhysicsBatch::status(int body) const {
  const auto [g, lane] = herd_->place(body);
  return herd_->lanes[g]->status(lane);
}
std::string PhysicsBatch::status_text(int body) const {
  const auto [g, lane] = herd_->place(body);
  return herd_->lanes[g]->explain(lane);
}

std::span<const double> PhysicsBatch::contact_force() {
  for (int i = 0; i < count(); ++i) {
    const auto [g, lane] = herd_->place(i);
    double* out = row(herd_->force, i, 3 * herd_->contacts);
    for (int site = 0; site < herd_->contacts; ++site) {
      const Vec3d f = herd_->lanes[g]->contact_force(lane, site);
      *out++ = f.x, *out++ = f.y, *out++ = f.z;
    }
  }
  return herd_->force;
}

std::span<const double> PhysicsBatch::center_of_mass() {
  for (int i = 0; i < count(); ++i) {
    const auto [g, lane] = herd_->place(i);
    const Vec3d com = herd_->lanes[g]->view(lane).com;
    double* out = row(herd_->com, i, 3);
    out[0] = com.x, out[1] = com.y, out[2] = com.z;
  }
  return herd_->com;
}

}  // namespace legwork
