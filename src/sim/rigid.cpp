// Rigid ground: touches as rows of an evaluation, impacts, and steps by impulses. rigid_ground.h tells the
// idea.

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "math/small.h"
#include "sim/simulation.h"

namespace legwork {

namespace {

// For a body that is not small; RigidGround::length and time scale them.
constexpr double full_size = 0.3;     // m: hips of bodies that are not small
constexpr double tight_reach = 2e-5,  // m: closer than this, points touch; after ...
    loose_reach = 3e-4,               // ... and during a step by impulses, which is less exact; and ...
    impulse_reach = 2e-3;
constexpr double stage_reach = 1e-3;  // ... at a stage, of points that touched at the start of the step
constexpr double gap_lever = 0.02;    // m
constexpr double most_braking = 100;  // m/s^2: no touch stops its slip faster
constexpr double still = 0.02;        // m/s: slower than this a contact holds instead of sliding
constexpr double hard_touch = 1e-5;   // m/s: faster than this, touching is an impact ...
constexpr double rebounding = 0.05;   // ... and faster than this, one with restitution
constexpr double slow_exit = 0.1;     // m/s: what is below the ground comes out no faster

void add_to_row(const Model<double>& m, const Workspace<double>& w, int link, const Wrench<double>& f,
                double* row) {
  for (int b = link; b >= 0; b = m.parent[size_t(b)]) {
    const Wrench<double> g = shift_back(f, w.p[size_t(link)] - w.p[size_t(b)]);
    for (int j = m.dof_begin[size_t(b)]; j < m.dof_begin[size_t(b) + 1]; ++j)
      row[j] += dot(w.S[size_t(j)], g);
  }
}

double product(const double* row, const std::vector<double>& x) {
  double sum = 0;
  for (size_t j = 0; j < x.size(); ++j) sum += row[j] * x[j];
  return sum;
}

}  // namespace

template <>
void Simulation<double>::close_gaps();
template <>
void Simulation<double>::note_touches() noexcept;
template <>
void Simulation<double>::stop_touches();
template <>
void Simulation<double>::answer_touches(const std::vector<RigidTouch>& touches, double restitution,
                                        double rebounding, double friction);

// With n the normal, n' its rate, d the distance and s the relative velocity of the cores of what is rounded:
// d2 gap/dt2 = n . (a_link - a_other) + 2 n' . s - |n'|^2 d. A ball's lowest point is another one at every
// instant, so that its tangential rows have no centripetal part.
double touch_demand(const RigidTouch& t, int k, double hold_time, const Workspace<double>& w,
                    const std::vector<Twist<double>>& bias) {
  const Vec3d d = k == 0 ? t.normal : t.tangent[k - 1];
  double known = 0;
  Vec3d cores;
  const auto add = [&](int link, double sign, double radius) {
    const Vec3d r = t.point - w.p[size_t(link)];
    const Vec3d center = r + t.normal * (sign * radius);
    const Twist<double> v = shift(w.vel[size_t(link)], center), b = shift(bias[size_t(link)], center);
    known += sign * dot(d, b.lin + cross(v.ang, v.lin) + cross(b.ang, r - center));
    cores += v.lin * sign;
  };
  add(t.link, 1, t.radius);
  if (t.other >= 0) add(t.other, -1, t.other_radius);
  if (k == 0 && t.other >= 0)
    known += 2 * dot(t.turning, cores) - dot(t.turning, t.turning) * (t.radius + t.other_radius);
  return std::clamp(-2 / hold_time * dot(d, t.slip), -most_braking, most_braking) - known;
}

template <>
void Simulation<double>::set_up_rigid() {
  const World& world = system_->world;
  rigid.on = world.contact.type == ContactType::rigid;
  if (!rigid.on) return;
  const double hips = hip_height(world.body);
  if (std::isfinite(hips) && hips > 0) rigid.length = std::min(1.0, hips / full_size);
  rigid.time = std::sqrt(rigid.length);
  rigid.hold_time *= rigid.time;
  rigid.contacts = RigidContacts(world.body, world.contact, world.body_contact);
  rigid.bias.resize(size_t(system_->model.nlink));
}

// --- which points touch

template <>
double Simulation<double>::rigid_reach() const {
  return (rigid.loose ? loose_reach : tight_reach) * rigid.length;
}

template <>
void Simulation<double>::find_touches(double reach) {
  rigid.contacts.update(system_->contacts, system_->world.terrain, state.contact.off, w, reach);
  rigid.at_start = rigid.contacts.touches;
}

// At a stage: those of the step's start (those between links are looked for anew).
template <>
void Simulation<double>::follow_touches() {
  const bool pairs = rigid.contacts.has_pairs();
  rigid.contacts.update(system_->contacts, system_->world.terrain, state.contact.off, w,
                        pairs ? rigid_reach() : stage_reach * rigid.length);
  if (pairs) return;
  std::erase_if(rigid.contacts.touches, [&](const RigidTouch& t) {
    return std::none_of(rigid.at_start.begin(), rigid.at_start.end(),
                        [&](const RigidTouch& s) { return s.site == t.site; });
  });
}

// After a step: what touches now, with the forces that were found last.
template <>
void Simulation<double>::settle_touches(double reach) {
  const std::vector<RigidTouch> before = rigid.contacts.touches;
  const std::vector<double> force = rigid.force;
  find_touches(reach);
  const std::vector<RigidTouch>& now = rigid.contacts.touches;
  rigid.force.assign(3 * now.size(), 0);
  const bool same = now.size() == before.size() && force.size() == rigid.force.size();
  for (size_t i = 0; i < now.size(); ++i)
    for (size_t k = 0; k < before.size() && 3 * k + 2 < force.size(); ++k)
      if (now[i].site >= 0 ? before[k].site == now[i].site : same && k == i)
        std::copy_n(force.begin() + 3 * long(k), 3, rigid.force.begin() + 3 * long(i));
}

template <>
void Simulation<double>::settle_touches() {
  settle_touches((rigid.by_impulses ? loose_reach : tight_reach) * rigid.length);
}

// --- rows: three for each touch, normal, tangent, tangent

template <>
void Simulation<double>::add_touch(const RigidTouch& t) {
  for (const Vec3d& d : {t.normal, t.tangent[0], t.tangent[1]}) {
    Row<double>& row = constraints.row[size_t(constraints.rows++)];
    row = {};
    row.a = t.link, row.b = t.other;
    row.on_a = {cross(t.point - w.p[size_t(t.link)], d), d};
    if (t.other >= 0) row.on_b = {-cross(t.point - w.p[size_t(t.other)], d), -d};
    row.scale = constraints.piece_shift;
  }
}

template <>
void Simulation<double>::make_dense_rows() {
  const Model<double>& m = system_->model;
  rigid.J.assign(size_t(constraints.rows) * size_t(m.nv), 0);
  for (int i = 0; i < constraints.rows; ++i) {
    const Row<double>& row = constraints.row[size_t(i)];
    double* J = rigid.J.data() + size_t(i) * size_t(m.nv);
    if (row.a >= 0) add_to_row(m, w, row.a, row.on_a, J);
    if (row.b >= 0) add_to_row(m, w, row.b, row.on_b, J);
    for (int k = row.first; k < row.first + row.count; ++k)
      J[constraints.terms[size_t(k)].dof] += constraints.terms[size_t(k)].factor;
  }
}

template <>
void Simulation<double>::add_touch_rows() {
  for (const RigidTouch& t : rigid.contacts.touches) add_touch(t);
  make_dense_rows();
  rigid.wanted.clear();
  for (const RigidTouch& t : rigid.contacts.touches)
    for (int k = 0; k < 3; ++k) rigid.wanted.push_back(touch_demand(t, k, rigid.hold_time, w, rigid.bias));
  close_gaps();
}

// Touches take back their gaps, as far as the joints can: J (J' J + e^2)^-1 J' gap with e a small lever. A
// foot with fewer joints than its sole has freedoms cannot close them all, and what only a huge motion could
// close is left alone.
template <>
void Simulation<double>::close_gaps() {
  const size_t nv = size_t(system_->model.nv), rows = rigid.wanted.size();
  if (rows == 0) return;
  const double* first = rigid.J.data() + size_t(rigid.first_touch_row) * nv;
  const double rate = 1 / (rigid.hold_time * rigid.hold_time), e = gap_lever * rigid.length;
  std::vector<double>&A = rigid.M, &x = rigid.closing;
  A.assign(nv * nv, 0), x.assign(nv, 0);
  for (size_t r = 0; r < rows; ++r) {
    const double* J = first + r * nv;
    const double gap = r % 3 == 0 ? rigid.contacts.touches[r / 3].gap : 0;
    for (size_t i = 0; i < nv; ++i) {
      if (J[i] == 0) continue;
      x[i] += J[i] * gap;
      for (size_t j = 0; j <= i; ++j) A[i * nv + j] += J[i] * J[j];
    }
  }
  for (size_t i = 0; i < nv; ++i) A[i * nv + i] += e * e;
  factorize(A.data(), nv);
  solve_factored(A.data(), nv, x.data());
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < nv; ++i) rigid.wanted[r] -= rate * first[r * nv + i] * x[i];
}

// What a step of h by impulses asks of them: velocities at its end, as accelerations.
template <>
void Simulation<double>::add_impulse_rows(double h) {
  for (const RigidTouch& t : rigid.contacts.touches) add_touch(t);
  make_dense_rows();
  rigid.wanted.assign(3 * rigid.contacts.touches.size(), 0);
  const size_t nv = size_t(system_->model.nv);
  const InstantPlan& plan = rigid.plan;
  const double restitution = std::sqrt(system_->contacts.options.restitution);
  for (size_t r = 0; r < rigid.wanted.size(); ++r) {
    const double* J = rigid.J.data() + (size_t(rigid.first_touch_row) + r) * nv;
    const double before = product(J, state.v);
    double& wanted = rigid.wanted[r];
    if (r % 3 == 0) {
      // up to the ground and not beyond; what is below it comes out slowly
      const RigidTouch& t = rigid.contacts.touches[r / 3];
      wanted = t.gap > 0 ? -t.gap / h : std::min(slow_exit * rigid.time, -0.2 * t.gap / h);
      // what the instant pushed on bears as it meant, though a hair's breadth above the ground
      const bool counted_on = t.site < 0 || plan.left_out.empty() || !plan.left_out[size_t(t.site)];
      if (instant && !plan.firm.empty() && t.gap > 0 && t.gap < loose_reach * rigid.length && counted_on)
        wanted = std::max(wanted, std::min(before + h * product(J, plan.meant), 0.0));
      if (before < -rebounding * rigid.time) wanted = std::max(wanted, -restitution * before);
    }
    wanted = (wanted - before) / h;
  }
}

// --- forces and accelerations

// Everything that touches joins the rows; where an instant says what happens, that is it. Returns whether it
// was.
template <>
bool Simulation<double>::prepare_touches(double h, bool first) {
  const Model<double>& m = system_->model;
  rigid.first_touch_row = constraints.rows;
  rigid.noting = first;
  for (int b = 0; b < m.nlink; ++b) {
    rigid.bias[size_t(b)] = w.bias[size_t(b)];
    if (const int p = m.parent[size_t(b)]; p >= 0)
      rigid.bias[size_t(b)] += shift(rigid.bias[size_t(p)], w.r[size_t(b)]);
  }
  const auto room = [&] {
    constraints.reserve(m, rigid.first_touch_row + 3 * int(rigid.contacts.touches.size()));
  };
  const bool explicit_stage = !rigid.by_impulses || instant;
  if (explicit_stage) {
    first ? find_touches(rigid_reach()) : follow_touches();
    room();
    add_touch_rows();
  }
  InstantPlan& plan = rigid.plan;
  if (instant) {
    if (!alive() || !instant(*this)) {
      stop();
      std::fill(qdd.begin(), qdd.end(), 0);
      return true;
    }
    for (size_t j = 0; j < plan.tau.size(); ++j) active_tau_[j] = plan.tau[j], tau[j] += plan.tau[j];
    if (!plan.firm.empty()) {
      w.implicit = true;
      for (size_t j = 0; j < plan.firm.size(); ++j)
        w.d_ext[j] += plan.firm[j], tau[j] += plan.firm[j] * plan.meant[j];
    }
    if (plan.complete && !rigid.by_impulses) {
      qdd = plan.meant;
      note_touches();
      return true;
    }
  }
  if (rigid.by_impulses) {
    constraints.rows = rigid.first_touch_row;
    settle_touches(impulse_reach * rigid.length);
    room();
    add_impulse_rows(h);
  }
  const int nv = m.nv;
  for (size_t r = 0; r < rigid.wanted.size(); ++r) {
    Row<double>& row = constraints.row[size_t(rigid.first_touch_row) + r];
    rigid.along.assign(size_t(nv), 0);
    row.target = rigid.wanted[r] + row_product(constraints, row, rigid.bias, rigid.along.data());
  }
  plan.complete = false;
  return false;
}

// With the residuals of all rows in constraints.lambda and the factors of forward_dynamics: forces of loops
// and the like as they are needed, those of touches by the laws of contact; x, an acceleration or a velocity,
// answers them. The rows of loops are eliminated first. Returns by how much the laws are missed.
template <>
double Simulation<double>::solve_rows(std::vector<double>& x, double friction, bool at_impact) noexcept {
  const bool follow_slip = !at_impact && !rigid.by_impulses;
  const Model<double>& m = system_->model;
  Constraints<double>& c = constraints;
  const int n = c.rows, held = rigid.first_touch_row, stride = int(c.row.size()), free = n - held;
  if (n == 0) return 0;
  respond_in_lanes(m, w, c);
  for (int i = 0; i < held; ++i) c.A[size_t(i) * size_t(stride) + size_t(i)] += c.row[size_t(i)].compliance;
  factorize_semidefinite(c.row.data(), held, stride, c.A.data());
  // answers of the held rows: to what they ask, and to each touch
  std::vector<double>& answer = rigid.held;
  answer.assign(size_t(held) * size_t(free + 1), 0);
  const auto at = [&](int i, int k) { return c.A[size_t(i) * size_t(stride) + size_t(k)]; };
  for (int t = 0; t <= free; ++t) {
    double* y = answer.data() + size_t(t) * size_t(held);
    for (int i = 0; i < held; ++i) y[i] = t < free ? at(held + t, i) : c.lambda[size_t(i)];
    solve_semidefinite(c.A.data(), held, stride, y);
  }
  ContactProblem& p = rigid.problem;
  p.resize(free / 3);
  for (int i = 0; i < free; ++i) {
    const auto through_held = [&](int t) {
      double sum = 0;
      for (int k = 0; k < held; ++k) sum += at(held + i, k) * answer[size_t(t) * size_t(held) + size_t(k)];
      return sum;
    };
    p.b[size_t(i)] = -(c.lambda[size_t(held + i)] - through_held(free));
    for (int k = 0; k < free; ++k)
      p.A[size_t(i) * size_t(free) + size_t(k)] = at(held + i, held + k) - through_held(k);
  }
  for (double& mu : p.mu) mu = friction;
  for (size_t i = 0; i < size_t(p.touches) && follow_slip; ++i) {
    const RigidTouch& t = rigid.contacts.touches[i];
    const double a = dot(t.slip, t.tangent[0]), b = dot(t.slip, t.tangent[1]), s = std::sqrt(a * a + b * b);
    p.sliding[i] = s > still * rigid.time;
    if (p.sliding[i]) p.slide[2 * i] = a / s, p.slide[2 * i + 1] = b / s;
  }
  // a director's equations foresee which touches hold, and change them: there the past says little
  const bool steady = !instant;
  if (rigid.force.size() == p.f.size() && !at_impact && (steady || !rigid.by_impulses)) p.f = rigid.force;
  const double missed = solve_contacts(p, rigid.scratch, steady);
  for (int i = 0; i < held; ++i) {
    double f = answer[size_t(free) * size_t(held) + size_t(i)];
    for (int t = 0; t < free; ++t) f -= answer[size_t(t) * size_t(held) + size_t(i)] * p.f[size_t(t)];
    c.lambda[size_t(i)] = f;
  }
  std::copy(p.f.begin(), p.f.end(), c.lambda.begin() + held);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m.nv; ++j)
      x[size_t(j)] += c.Y[size_t(i) * size_t(m.nv) + size_t(j)] * c.lambda[size_t(i)];
  return missed;
}

// Where Coulomb's law finds no solution (touches wedged against each other): the acceleration nearest to x in
// the measure of kinetic energy with n a + mu |t a| >= wanted for four directions t. That is convex and never
// gains energy (Anitescu 2006), but what slides rises by mu times its slip.
template <>
bool Simulation<double>::push_apart(std::vector<double>& x) noexcept {
  const Model<double>& m = system_->model;
  const size_t nv = size_t(m.nv), n = size_t(constraints.rows), held = size_t(rigid.first_touch_row);
  const double mu = system_->contacts.options.friction / std::sqrt(2.0);
  QuadraticProblem& q = rigid.scratch;
  q.clear(int(nv));
  q.dependent = 1e-9, q.tolerance = 1e-6;
  rigid.M.assign(nv * nv, 0);
  mass_matrix(m, w, rigid.M.data());
  for (size_t i = 0; i < nv; ++i)
    for (size_t j = 0; j < nv; ++j) {
      const double inertia = rigid.M[i * nv + j] + (i == j && w.implicit ? w.d_ext[i] : 0);
      if (j <= i) q.hessian()[i * nv + j] = inertia;
      q.linear()[i] += inertia * x[j];
    }
  rigid.along.assign(nv, 0);
  for (size_t i = 0; i < held; ++i) {
    const Row<double>& row = constraints.row[i];
    if (row.compliance > 0) continue;
    const double target = row.target - row_product(constraints, row, rigid.bias, rigid.along.data());
    std::copy_n(rigid.J.data() + i * nv, nv, q.add_equality(target, int(i), 1));
  }
  for (size_t i = held; i < n; i += 3)
    for (const double s1 : {mu, -mu})
      for (const double s2 : {mu, -mu}) {
        const double* wanted = rigid.wanted.data() + (i - held);
        const double side = rigid.by_impulses ? s1 * wanted[1] + s2 * wanted[2] : 0;
        double* a = q.add_inequality(wanted[0] + side, int(i));
        const double* J = rigid.J.data() + i * nv;
        for (size_t j = 0; j < nv; ++j) a[j] = J[j] + s1 * J[nv + j] + s2 * J[2 * nv + j];
      }
  if (q.solve(x.data()) != QuadraticOutcome::solved) return false;
  for (size_t i = held; i < n; ++i) constraints.lambda[i] = 0;
  for (int k = 0; k < q.active(); ++k) {
    const size_t row = size_t(q.pushing_row(k)), i = held + 3 * (row / 4);
    const double f = q.push(k);
    constraints.lambda[i] += f;
    constraints.lambda[i + 1] += row % 4 < 2 ? mu * f : -mu * f;
    constraints.lambda[i + 2] += row % 2 == 0 ? mu * f : -mu * f;
  }
  return true;
}

// After forward_dynamics.
template <>
void Simulation<double>::solve_touches() noexcept {
  Constraints<double>& c = constraints;
  std::vector<double>& unforced = rigid.row;
  unforced = qdd;
  double size = 0;
  for (int i = 0; i < c.rows; ++i) {
    const Row<double>& row = c.row[size_t(i)];
    c.lambda[size_t(i)] = row.target - row_product(c, row, w.acc, qdd.data());
    if (i >= rigid.first_touch_row) size = std::max(size, std::abs(c.lambda[size_t(i)]));
  }
  const double missed = solve_rows(qdd, system_->contacts.options.friction, false);
  if (!(missed < 1e-3 * (1 + size))) {
    std::vector<double>& nearest = rigid.closing;
    nearest = unforced;
    if (push_apart(nearest)) qdd = nearest;
  }
  rigid.force.assign(c.lambda.begin() + rigid.first_touch_row, c.lambda.begin() + c.rows);
  update_accelerations(system_->model, w, qdd.data());
  note_touches();
}

// For the record of the ground: what pushes.
template <>
void Simulation<double>::note_touches() noexcept {
  if (!rigid.noting) return;
  for (const int i : ground_contacts.near) ground_contacts[size_t(i)] = {};
  ground_contacts.near.clear();
  for (size_t i = 0; i < rigid.contacts.touches.size() && 3 * i + 2 < rigid.force.size(); ++i) {
    const RigidTouch& t = rigid.contacts.touches[i];
    const double* f = rigid.force.data() + 3 * i;
    if (t.site < 0 || !(f[0] > 0)) continue;
    SiteRecord<double>& r = ground_contacts[size_t(t.site)];
    r.touching = 1, r.depth = std::max(-t.gap, 0.0), r.normal = t.normal;
    r.slip = norm(t.slip - t.normal * dot(t.slip, t.normal));
    r.force = t.normal * f[0] + t.tangent[0] * f[1] + t.tangent[1] * f[2];
    r.arm = t.point - w.p[size_t(t.link)];
    ground_contacts.near.push_back(t.site);
  }
}

// --- accounts

// W, at the last evaluation.
template <>
void Simulation<double>::find_flows(double* flow) const noexcept {
  std::fill(flow, flow + flow_count, 0);
  for (size_t j = 0; j < state.v.size(); ++j) {
    flow[flow_motors] += active_tau_[j] * state.v[j];
    flow[flow_passive] += (tau[j] - active_tau_[j]) * state.v[j];
  }
  for (size_t b = 0; b < outside_.size(); ++b) {
    flow[flow_outside] += dot(w.vel[b], outside_[b]);
    flow[flow_passive] += dot(w.vel[b], w.f_ext[b] - outside_[b]);
  }
  if (rigid.plan.complete) {
    flow[flow_ground] = rigid.plan.power;
    return;
  }
  for (int i = actuator_rows_; i < constraints.rows; ++i)
    flow[flow_ground] += constraints.lambda[size_t(i)] *
                         row_product(constraints, constraints.row[size_t(i)], w.vel, state.v.data());
}

// Work of a step by impulses or of order 1, with the mean of the velocities before and after it; before the
// state moves on. What firm motors gave counts as theirs.
template <>
void Simulation<double>::add_flows(double h) {
  const size_t nv = state.v.size();
  std::vector<double>& mean = rigid.along;
  mean.resize(nv);
  const InstantPlan& plan = rigid.plan;
  for (size_t j = 0; j < nv; ++j) {
    mean[j] = state.v[j] + 0.5 * h * qdd[j];
    double motor = active_tau_[j];
    if (instant && !plan.firm.empty()) motor += plan.firm[j] * (plan.meant[j] - qdd[j]);
    if (!instant && w.implicit) motor -= active_d_[j] * qdd[j];
    state.flows[flow_motors] += h * motor * mean[j];
    state.flows[flow_passive] += h * (tau[j] - motor) * mean[j];
  }
  for (size_t b = 0; b < outside_.size(); ++b) {
    state.flows[flow_outside] += h * dot(w.vel[b], outside_[b]);
    state.flows[flow_passive] += h * dot(w.vel[b], w.f_ext[b] - outside_[b]);
  }
  for (int i = actuator_rows_; i < constraints.rows; ++i)
    state.flows[flow_ground] +=
        h * constraints.lambda[size_t(i)] * product(rigid.J.data() + size_t(i) * nv, mean);
}

// --- impacts

// Impulses where something touches faster than it may.
template <>
void Simulation<double>::impact() {
  const bool any = std::any_of(rigid.contacts.touches.begin(), rigid.contacts.touches.end(),
                               [&](const RigidTouch& t) { return dot(t.slip, t.normal) < -hard_touch; });
  if (!any) return;
  const double before = kinetic_energy(system_->model, state.v.data(), w);
  const ContactOptions& o = system_->contacts.options;
  answer_touches(rigid.contacts.touches, std::sqrt(o.restitution), rebounding * rigid.time, o.friction);
  state.flows[flow_impacts] += before - kinetic_energy(system_->model, state.v.data(), w);
  clear_forces(system_->model, w);
  find_touches(rigid_reach());
  evaluate(options.dt, false);
}

template <>
void Simulation<double>::collide(RigidContacts& links, double restitution, double friction) {
  links.update_links(w, 0);
  std::erase_if(links.touches, [](const RigidTouch& t) { return dot(t.slip, t.normal) >= 0; });
  if (!links.touches.empty()) answer_touches(links.touches, std::sqrt(restitution), 0, friction);
}

// What approaches faster than `rebounding` comes back with `restitution` times its speed; the rest stops.
template <>
void Simulation<double>::answer_touches(const std::vector<RigidTouch>& touches, double restitution,
                                        double rebounding, double friction) {
  const Model<double>& m = system_->model;
  const double before = kinetic_energy(m, state.v.data(), w);
  const std::vector<double> v = state.v;
  // the factors of the inertia, with what firm motors add
  clear_forces(m, w);
  constraints.clear();
  w.implicit = instant && !rigid.plan.firm.empty();
  if (w.implicit) w.d_ext = rigid.plan.firm;
  for (const Loop& loop : system_->world.body.loops) add_loop(loop, 1.0, w, constraints);
  for (const Coupling& coupling : system_->world.body.couplings)
    add_coupling(coupling, 1.0, x.data(), state.v.data(), constraints);
  for (size_t i = 0; i < held.size(); ++i)
    if (i >= let_go.size() || !let_go[i]) add_loop(held[i], 1.0, w, constraints);
  rigid.first_touch_row = constraints.rows;
  constraints.reserve(m, constraints.rows + 3 * int(touches.size()));
  for (const RigidTouch& t : touches) add_touch(t);
  std::vector<double> rest(state.v.size(), 0), a(state.v.size());
  forward_dynamics(m, rest.data(), w, a.data());
  for (int i = 0; i < constraints.rows; ++i) {
    const double speed = row_product(constraints, constraints.row[size_t(i)], w.vel, state.v.data());
    const bool normal = i >= rigid.first_touch_row && (i - rigid.first_touch_row) % 3 == 0;
    constraints.lambda[size_t(i)] = -speed * (normal && speed < -rebounding ? 1 + restitution : 1);
  }
  const double missed = solve_rows(state.v, friction, true);
  refresh();
  const double most = before * std::max(1.0, restitution * restitution);
  if (missed > 1e-3 || kinetic_energy(m, state.v.data(), w) > most + 1e-9 * (1 + before)) {
    state.v = v;
    refresh();
    stop_touches();
  }
}

// Wedged: everything that touches stops, which never gains energy.
template <>
void Simulation<double>::stop_touches() {
  const Model<double>& m = system_->model;
  const size_t nv = state.v.size();
  make_dense_rows();
  QuadraticProblem& q = rigid.scratch;
  q.clear(int(nv));
  q.dependent = 1e-9, q.tolerance = 1;
  for (size_t i = 0; i < size_t(constraints.rows); ++i)
    std::copy_n(rigid.J.data() + i * nv, nv, q.add_equality(0, 0, unlimited));
  rigid.M.assign(nv * nv, 0);
  mass_matrix(m, w, rigid.M.data());
  for (size_t i = 0; i < nv; ++i)
    for (size_t j = 0; j < nv; ++j) {
      if (j <= i) q.hessian()[i * nv + j] = rigid.M[i * nv + j];
      q.linear()[i] += rigid.M[i * nv + j] * state.v[j];
    }
  q.solve(state.v.data());
  refresh();
}

}  // namespace legwork
