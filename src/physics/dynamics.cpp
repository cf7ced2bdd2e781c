// The dynamics of one body at states that the caller gives.

#include <legwork/dynamics.h>

#include <mutex>

#include "base/text.h"
#include "creature/check.h"
#include "dynamics/constrained.h"
#include "physics/numbers.h"
#include "sim/joints.h"

namespace legwork {

namespace {

int loop_rows(const Creature& creature) {
  int rows = int(creature.couplings.size());
  for (const Loop& loop : creature.loops) rows += rows_of(loop);
  return rows;
}

int coupling_terms(const Creature& creature) {
  int terms = 0;
  for (const Coupling& coupling : creature.couplings) terms += terms_of(coupling);
  return terms;
}

// What one question needs to write on.
struct Scratch {
  explicit Scratch(const Model<double>& model, const Creature& creature)
      : w(model), constraints(model, loop_rows(creature), coupling_terms(creature)) {}
  Workspace<double> w;
  Constraints<double> constraints;
};

}  // namespace

BodyPoint find_point(const Creature& c, const std::string& name) {
  if (const int link = c.link(name); link >= 0) return {link, {}};
  for (const Leg& leg : c.legs)
    if (leg.name == name) return {leg.foot, leg.sole};
  for (const ContactPoint& point : c.contacts)
    if (point.name == name) return {point.link, point.pos};
  for (const Label& label : c.labels)
    if (label.name == name) return {label.link, label.pos};
  std::vector<std::string> names;
  for (const Link& link : c.links) names.push_back(link.name);
  for (const Leg& leg : c.legs) names.push_back(leg.name);
  for (const Label& label : c.labels) names.push_back(label.name);
  for (const ContactPoint& point : c.contacts)
    if (!point.name.empty()) names.push_back(point.name);
  throw Error({}, c.name, "has no link, leg, label or contact point '" + name + "'",
              did_you_mean(name, names));
}

struct Dynamics::Body {
  Creature creature;
  Model<double> model;
  JointForces<double> joints;
  std::vector<double> at_rest;  // nv zeros
  std::mutex mutex;
  std::vector<std::unique_ptr<Scratch>> idle;  // scratch that no thread uses at present

  explicit Body(const World& world) : creature(world.body), model(make_model(world.body)) {
    model.gravity = world.gravity;
    joints = make_joint_forces(creature, model);
    at_rest.assign(std::size_t(model.nv), 0.0);
  }

  std::unique_ptr<Scratch> take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Scratch> scratch = std::move(idle.back());
        idle.pop_back();
        return scratch;
      }
    }
    return std::make_unique<Scratch>(model, creature);
  }
  void give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(scratch));
  }

  void check_velocities(Numbers v, const char* who) const { check_numbers(v, model.nv, who, "nv", creature); }
  void check_link(int link) const {
    if (link < 0 || link >= model.nlink)
      throw Error({}, creature.name, "has no link number " + std::to_string(link));
  }

  // Answers with positions up to date, and velocities where they are given.
  template <class Answer>
  auto at(Numbers q, const Numbers* v, const Answer& answer) {
    const std::vector<double> unit = checked_positions(model, q, "q", creature);
    if (v) check_velocities(*v, "v");
    std::unique_ptr<Scratch> scratch = take();
    Workspace<double>& w = scratch->w;
    update_positions(model, unit.data(), w);
    update_velocities(model, unit.data(), v ? v->data() : at_rest.data(), w);
    clear_forces(model, w);
    auto answered = answer(*scratch, unit);
    give_back(std::move(scratch));
    return answered;
  }
};

Dynamics::Dynamics(const World& world) {
  check(world.body);
  body_ = std::make_unique<Body>(world);
}
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;
Dynamics::~Dynamics() = default;

const Creature& Dynamics::creature() const noexcept { return body_->creature; }
int Dynamics::nq() const noexcept { return body_->model.nq; }
int Dynamics::nv() const noexcept { return body_->model.nv; }

std::vector<double> Dynamics::mass_matrix(Numbers q) const {
  return body_->at(q, nullptr, [&](Scratch& s, const auto&) {
    std::vector<double> M(std::size_t(nv()) * std::size_t(nv()));
    legwork::mass_matrix(body_->model, s.w, M.data());
    return M;
  });
}

std::vector<double> Dynamics::bias(Numbers q, Numbers v) const {
  return body_->at(q, &v, [&](Scratch& s, const auto&) {
    std::vector<double> tau(static_cast<std::size_t>(nv()));
    inverse_dynamics<double>(body_->model, nullptr, s.w, tau.data());
    return tau;
  });
}

std::vector<double> Dynamics::forward(Numbers q, Numbers v, Numbers tau) const {
  body_->check_velocities(tau, "tau");
  return body_->at(q, &v, [&](Scratch& s, const std::vector<double>& unit) {
    const Creature& c = body_->creature;
    std::vector<double> qdd(static_cast<std::size_t>(nv()));
    forward_dynamics(body_->model, tau.data(), s.w, qdd.data());
    if (c.loops.empty() && c.couplings.empty()) return qdd;
    std::vector<double> x(static_cast<std::size_t>(nv()));
    joint_positions(body_->joints, unit.data(), x.data());
    s.constraints.clear();
    for (const Loop& loop : c.loops) add_loop(loop, unlimited, s.w, s.constraints);
    for (const Coupling& coupling : c.couplings)
      add_coupling(coupling, unlimited, x.data(), v.data(), s.constraints);
    apply_constraints(body_->model, s.constraints, s.w, qdd.data());
    return qdd;
  });
}

std::vector<double> Dynamics::inverse(Numbers q, Numbers v, Numbers qdd) const {
  body_->check_velocities(qdd, "qdd");
  return body_->at(q, &v, [&](Scratch& s, const auto&) {
    std::vector<double> tau(static_cast<std::size_t>(nv()));
    inverse_dynamics(body_->model, qdd.data(), s.w, tau.data());
    return tau;
  });
}

std::vector<double> Dynamics::passive(Numbers q, Numbers v) const {
  return body_->at(q, &v, [&](Scratch&, const std::vector<double>& unit) {
    const JointForces<double>& joints = body_->joints;
    std::vector<double> tau(static_cast<std::size_t>(nv())), x(tau.size()), unused(tau.size());
    joint_positions(joints, unit.data(), x.data());
    add_joint_forces(joints, x.data(), v.data(), joints.rest.data(), 0.0, false, tau.data(), unused.data());
    return tau;
  });
}

Vec3d Dynamics::position(Numbers q, const BodyPoint& point) const {
  body_->check_link(point.link);
  return body_->at(q, nullptr,
                   [&](Scratch& s, const auto&) { return point_position(s.w, point.link, point.pos); });
}

Vec3d Dynamics::velocity(Numbers q, Numbers v, const BodyPoint& point) const {
  body_->check_link(point.link);
  return body_->at(q, &v,
                   [&](Scratch& s, const auto&) { return point_velocity(s.w, point.link, point.pos); });
}

std::vector<double> Dynamics::jacobian(Numbers q, const BodyPoint& point) const {
  body_->check_link(point.link);
  return body_->at(q, nullptr, [&](Scratch& s, const auto&) {
    std::vector<double> J(6 * std::size_t(nv()));
    point_jacobian(body_->model, s.w, point.link, point.pos, J.data());
    return J;
  });
}

std::vector<double> Dynamics::rotation(Numbers q, int link) const {
  body_->check_link(link);
  return body_->at(q, nullptr, [&](Scratch& s, const auto&) {
    std::vector<double> R;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R.push_back(s.w.R[std::size_t(link)](i, j));
    return R;
  });
}

Vec3d Dynamics::center_of_mass(Numbers q) const {
  return body_->at(q, nullptr,
                   [&](Scratch& s, const auto&) { return legwork::center_of_mass(body_->model, s.w); });
}

double Dynamics::kinetic_energy(Numbers q, Numbers v) const {
  return body_->at(
      q, &v, [&](Scratch& s, const auto&) { return legwork::kinetic_energy(body_->model, v.data(), s.w); });
}

double Dynamics::potential_energy(Numbers q) const {
  return body_->at(q, nullptr,
                   [&](Scratch& s, const auto&) { return legwork::potential_energy(body_->model, s.w); });
}

Vec3d Dynamics::linear_momentum(Numbers q, Numbers v) const {
  return body_->at(q, &v, [&](Scratch& s, const auto&) { return momentum(body_->model, s.w).lin; });
}

Vec3d Dynamics::angular_momentum(Numbers q, Numbers v) const {
  return body_->at(q, &v, [&](Scratch& s, const auto&) { return momentum(body_->model, s.w).ang; });
}

std::vector<double> Dynamics::integrate(Numbers q, Numbers v, double h) const {
  std::vector<double> moved = checked_positions(body_->model, q, "q", body_->creature);
  body_->check_velocities(v, "v");
  check_numbers({&h, 1}, 1, "h", "h", body_->creature);
  integrate_positions(body_->model, moved.data(), v.data(), h, moved.data());
  return moved;
}

std::vector<double> Dynamics::difference(Numbers q0, Numbers q1) const {
  const Creature& c = body_->creature;
  const std::vector<double> from = checked_positions(body_->model, q0, "q0", c),
                            to = checked_positions(body_->model, q1, "q1", c);
  std::vector<double> v(static_cast<std::size_t>(nv()));
  difference_positions(body_->model, from.data(), to.data(), v.data());
  return v;
}

}  // namespace legwork
