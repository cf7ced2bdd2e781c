#include "sim/joints.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "creature/gravity.h"
#include "dynamics/dynamics.h"
#include "math/rotation.h"
#include "sim/record.h"

namespace legwork {

namespace {

constexpr double sag_angle = 0.05;           // rad by which a limit gives under the weight of the tree
constexpr double sag_share = 0.02;           // the same as a share of the range, where that is not an angle
constexpr double limit_damping_ratio = 0.5;  // as a share of the critical damping

// Halley's iteration for e^y = x, x >= 1: from below or above it comes closer by at most 2 a round.
double logarithm(double x) {
  double y = 0;
  for (int round = 0; round < 40; ++round) {
    const double e = exp(y), change = 2 * (x - e) / (x + e);
    y += change;
    if (std::fabs(change) < 1e-12) break;
  }
  return y;
}

double mass_of_tree(const Model<double>& m, int link) {
  int root = link;
  while (m.parent[root] >= 0) root = m.parent[root];
  std::vector<char> inside(m.nlink, 0);
  double sum = 0;
  for (int b = 0; b < m.nlink; ++b) {
    inside[b] = b == root || (m.parent[b] >= 0 && inside[m.parent[b]]);
    if (inside[b]) sum += m.mass[b];
  }
  return sum;
}

double mass_beyond(const Model<double>& m, int link) {
  std::vector<char> inside(m.nlink, 0);
  double sum = 0;
  for (int b = link; b < m.nlink; ++b) {
    inside[b] = b == link || (m.parent[b] >= 0 && inside[m.parent[b]]);
    if (inside[b]) sum += m.mass[b];
  }
  return sum;
}

void choose_limits(const Creature& creature, const Model<double>& m, const std::vector<const Dof*>& dofs,
                   JointForces<double>& j) {
  const auto asks = [](const Dof* d) {
    return (d->lower > -unlimited || d->upper < unlimited) &&
           (d->limit_stiffness == 0 || d->limit_damping == 0);
  };
  if (std::none_of(dofs.begin(), dofs.end(), asks)) return;

  Workspace<double> w(m);
  const std::vector<double> q = creature.pose("");
  std::vector<double> M(std::size_t(m.nv) * m.nv);
  update_positions(m, q.data(), w);
  mass_matrix(m, w, M.data());
  std::vector<char> turns(m.nv, 0);  // degrees of freedom that are angles
  for (const Screw<double>& s : m.screws) {
    if (s.type == ScrewType::hinge) turns[s.v] = 1;
    if (s.type == ScrewType::ball) turns[s.v] = turns[s.v + 1] = turns[s.v + 2] = 1;
    if (s.type == ScrewType::free) turns[s.v + 3] = turns[s.v + 4] = turns[s.v + 5] = 1;
  }
  for (int i = 0; i < m.nv; ++i) {
    if (!asks(dofs[i])) continue;
    const double inertia = M[std::size_t(i) * m.nv + i], range = dofs[i]->upper - dofs[i]->lower;
    const double radius = std::sqrt(inertia / mass_beyond(m, m.link_of_dof[i]));  // m moved per unit of x
    const double sag = turns[i] ? sag_angle : sag_share * (range < unlimited && range > 0 ? range : 0.5);
    const double weight = own_gravity(creature) * mass_of_tree(m, m.link_of_dof[i]);
    if (j.limit_stiffness[i] == 0) j.limit_stiffness[i] = weight * radius / sag;
    if (j.limit_damping[i] == 0)
      j.limit_damping[i] = 2 * limit_damping_ratio * std::sqrt(j.limit_stiffness[i] * inertia);
  }
}

// The fields that differ between lanes, in one order.
template <class T, class Visit>
void for_each_parameter(JointForces<T>& j, Visit visit) {
  for (auto* field : {&j.stiffness, &j.rest, &j.strength, &j.sharpness, &j.damper, &j.lower, &j.upper,
                      &j.limit_stiffness, &j.limit_damping})
    for (T& x : *field) visit(x);
  for (auto& r : j.rotations)
    visit(r.reference.w), visit(r.reference.x), visit(r.reference.y), visit(r.reference.z);
}

// The matrix of the rotation vector's rate, dr/dt = A w (w: angular velocity, link axes): A = 1 + [r]/2 + c
// [r]^2, with c = (1 - (a/2) cot(a/2)) / a^2 at the angle a = |r| (Chirikjian, Stochastic Models vol. 2,
// eq. 10.86).
template <class T>
T rate_coefficient(const Vec3<T>& r) {
  const T a2 = dot(r, r), half = T(0.5) * sqrt(a2);
  T s, c;
  sin_cos(half, s, c);
  const auto small = a2 < T(1e-4);
  const T exact = (T(1) - half * c / select(small, T(1), s)) / select(small, T(1), a2);
  return select(small, T(1.0 / 12) + a2 * T(1.0 / 720), exact);
}
template <class T>
Vec3<T> vector_rate(const Vec3<T>& r, const T& c, const Vec3<T>& w) {
  const Vec3<T> rw = cross(r, w);
  return w + rw * T(0.5) + cross(r, rw) * c;
}
// A^T g: the torque (link axes) of a force g on the rotation vector.
template <class T>
Vec3<T> vector_torque(const Vec3<T>& r, const T& c, const Vec3<T>& g) {
  const Vec3<T> rg = cross(r, g);
  return g - rg * T(0.5) + cross(r, rg) * c;
}

// Adds the energy of springs and limits at a position.
template <class T>
void add_energy(const JointForces<T>& j, int i, const T& x, const T& rest, T& sum) {
  const T stretch = x - rest;
  if (j.has_spring[i]) sum += T(0.5) * j.stiffness[i] * stretch * stretch;
  if (j.has_exponential[i]) {
    const T a = abs(stretch), sharpness = select(j.sharpness[i] > T(0), j.sharpness[i], T(1));
    sum += j.strength[i] * ((exp(sharpness * a) - T(1)) / sharpness - a);
  }
  if (j.has_limit[i]) {
    const T depth = max(max(j.lower[i] - x, x - j.upper[i]), T(0));
    sum += T(0.5) * j.limit_stiffness[i] * depth * depth;
  }
}

bool is_held(const auto& joints, int i) {
  return joints.has_spring[i] || joints.has_exponential[i] || joints.has_limit[i];
}

// A rotation has two vectors of less than a turn: r, and the one that goes the other way round. Springs and
// limits hold the one where they store less: a joint that passes half a turn then goes on where its range
// allows it, and nowhere do forces or energy jump.
template <class T>
Vec3<T> better_way_round(const JointForces<T>& j, int i, const Vec3<T>& r) {
  const T a2 = dot(r, r);
  const auto far = a2 > T(1);
  if (!any(far) || !(is_held(j, i) || is_held(j, i + 1) || is_held(j, i + 2))) return r;
  const T angle = sqrt(select(far, a2, T(1)));
  const Vec3<T> other = r * (T(1) - T(2 * pi) / angle);
  T here(0), there(0);
  for (int k = 0; k < 3; ++k) {
    add_energy(j, i + k, r[k], j.rest[i + k], here);
    add_energy(j, i + k, other[k], j.rest[i + k], there);
  }
  const auto turn = far & (there < here);
  return {select(turn, other.x, r.x), select(turn, other.y, r.y), select(turn, other.z, r.z)};
}

// Per axis of the angular velocity the stiffness is A^T K A, not the K of the rotation vector that the
// implicit step counts with; far from the reference the difference lets steps grow. There a bound holds in
// every axis: the largest of K, times the square of A's norm, (a/2) / sin(a/2) at the angle a.
template <class T>
void bound_far_from_reference(const Vec3<T>& r, Vec3<T>& stiffness, Vec3<T>& damping) {
  const T a2 = dot(r, r);
  const auto far = a2 > T(1);
  if (!any(far)) return;
  T s, c;
  sin_cos(T(0.5) * sqrt(a2), s, c);
  const T square = T(0.25) * a2 / select(far, s * s, T(1));
  for (Vec3<T>* of : {&stiffness, &damping}) {
    const T most = square * max(max(of->x, of->y), of->z);
    for (int k = 0; k < 3; ++k) (*of)[k] = select(far, most, (*of)[k]);
  }
}

// Force of springs and limits on x, with its stiffness and the damping of active limits.
template <class T>
struct Pull {
  T force{0}, stiffness{0}, damping{0};
};

// The rise of the exponential spring, where there is one.
template <class T>
T spring_rise(const JointForces<T>& j, int i, const T& x, const T& rest) {
  return exp(j.sharpness[i] * abs(x - rest));
}
template <class T>
Pull<T> pull(const JointForces<T>& j, int i, const T& x, const T& rate, const T& rest, const T& rise) {
  Pull<T> p;
  if (j.has_spring[i]) {
    p.force -= j.stiffness[i] * (x - rest);
    p.stiffness += j.stiffness[i];
  }
  if (j.has_exponential[i]) {
    const T size = j.strength[i] * (rise - T(1));
    p.force -= select(x - rest < T(0), -size, size);
    p.stiffness += j.strength[i] * j.sharpness[i] * rise;
  }
  if (j.has_limit[i]) {
    // pushes back only: never holds on to a joint that leaves its limit fast
    const T below = j.lower[i] - x, above = x - j.upper[i];
    const T depth = max(below, above), inward = select(below > above, T(1), T(-1));
    const T push = j.limit_stiffness[i] * depth - j.limit_damping[i] * rate * inward;
    const auto active = (depth > T(0)) & (push > T(0));
    p.force += select(active, push * inward, T(0));
    p.stiffness += select(active, j.limit_stiffness[i], T(0));
    p.damping += select(active, j.limit_damping[i], T(0));
  }
  return p;
}

}  // namespace

JointForces<double> make_joint_forces(const Creature& creature, const Model<double>& m) {
  JointForces<double> j;
  j.nv = m.nv;
  j.coordinate.assign(m.nv, -1);
  const std::vector<double> reference = creature.pose("");
  for (const Screw<double>& s : m.screws) {
    const bool whole = s.type == ScrewType::free, ball = s.type == ScrewType::ball;
    const int scalars = whole ? 3 : ball ? 0 : s.type == ScrewType::path ? s.paths : 1;
    for (int k = 0; k < scalars; ++k) j.coordinate[s.v + k] = s.q + k;
    if (!whole && !ball) continue;
    const double* q = &reference[s.q + scalars];
    j.rotations.push_back({s.q + scalars, s.v + scalars, {q[0], q[1], q[2], q[3]}});
  }
  const std::vector<const Dof*> dofs = creature.dofs();
  assert(int(dofs.size()) == m.nv);
  for (const Dof* d : dofs) {
    const bool linear = d->spring.type == SpringType::linear && d->spring.stiffness != 0;
    const bool exponential = d->spring.type == SpringType::exponential && d->spring.stiffness != 0;
    j.has_spring.push_back(linear);
    j.has_exponential.push_back(exponential);
    j.has_limit.push_back(d->lower > -unlimited || d->upper < unlimited);
    j.stiffness.push_back(linear ? d->spring.stiffness : 0);
    j.strength.push_back(exponential ? d->spring.stiffness : 0);
    j.sharpness.push_back(exponential ? d->spring.sharpness : 0);
    j.rest.push_back(d->spring.rest);
    j.damper.push_back(d->damper);
    j.lower.push_back(d->lower);
    j.upper.push_back(d->upper);
    j.limit_stiffness.push_back(d->limit_stiffness);
    j.limit_damping.push_back(d->limit_damping);
  }
  choose_limits(creature, m, dofs, j);
  return j;
}

JointForces<Batch> make_batch_joint_forces(const std::vector<JointForces<double>>& forces) {
  assert(!forces.empty());
  const JointForces<double>& first = forces.front();
  JointForces<Batch> b;
  b.nv = first.nv;
  b.coordinate = first.coordinate;
  for (const auto& r : first.rotations) b.rotations.push_back({r.q, r.v, {}});
  b.has_spring.assign(b.nv, 0), b.has_exponential.assign(b.nv, 0), b.has_limit.assign(b.nv, 0);
  for (auto* field : {&b.stiffness, &b.rest, &b.strength, &b.sharpness, &b.damper, &b.lower, &b.upper,
                      &b.limit_stiffness, &b.limit_damping})
    field->assign(b.nv, Batch(0));
  for (int i = 0; i < batch_lanes; ++i) {
    JointForces<double> one = forces[std::min<std::size_t>(i, forces.size() - 1)];
    assert(one.nv == b.nv);
    std::vector<double> values;
    for_each_parameter(one, [&](double& x) { values.push_back(x); });
    std::size_t k = 0;
    for_each_parameter(b, [&](Batch& x) { x.set(i, values[k++]); });
    for (int d = 0; d < b.nv; ++d) {
      b.has_spring[d] |= one.has_spring[d];
      b.has_exponential[d] |= one.has_exponential[d];
      b.has_limit[d] |= one.has_limit[d];
    }
  }
  return b;
}

JointForces<Trace> record(JointForces<double> joints, const NumberOf& number) {
  JointForces<Trace> j;
  j.nv = joints.nv;
  j.coordinate = joints.coordinate;
  for (const auto& r : joints.rotations) j.rotations.push_back({r.q, r.v, {}});
  j.has_spring = joints.has_spring, j.has_exponential = joints.has_exponential,
  j.has_limit = joints.has_limit;
  for (auto* field : {&j.stiffness, &j.rest, &j.strength, &j.sharpness, &j.damper, &j.lower, &j.upper,
                      &j.limit_stiffness, &j.limit_damping})
    field->assign(std::size_t(j.nv), Trace());
  std::vector<Trace> values;
  for_each_parameter(joints, [&](double& x) { values.push_back(number(x)); });
  std::size_t k = 0;
  for_each_parameter(j, [&](Trace& x) { x = values[k++]; });
  return j;
}

template <class T>
void joint_positions(const JointForces<T>& j, const T* q, T* x) noexcept {
  for (int i = 0; i < j.nv; ++i)
    if (j.coordinate[i] >= 0) x[i] = q[j.coordinate[i]];
  for (const auto& rotation : j.rotations) {
    const T* p = q + rotation.q;
    const Vec3<T> r = better_way_round(
        j, rotation.v, rotation_vector(conjugate(rotation.reference) * Quat<T>(p[0], p[1], p[2], p[3])));
    x[rotation.v] = r.x, x[rotation.v + 1] = r.y, x[rotation.v + 2] = r.z;
  }
}

template <class T>
void add_joint_forces(const JointForces<T>& j, const T* x, const T* v, const T* rest, const T& h,
                      bool implicit, T* tau, T* d_ext) noexcept {
  const auto apply = [&](int i, const T& force, const T& stiffness, const T& damping) {
    tau[i] += force - j.damper[i] * v[i];
    if (!implicit) return;
    tau[i] -= h * stiffness * v[i];
    d_ext[i] += h * (j.damper[i] + damping) + h * h * stiffness;
  };
  // the exponentials of a creature eight at a time: a batch holds the bits of the scalar
  for (int first = 0; first < j.nv; first += batch_lanes) {
    const int end = std::min(first + batch_lanes, j.nv);
    Batch rises(1.0);
    if constexpr (lanes_of<T> == 1) {
      bool any_rise = false;
      Batch exponent(0.0);
      for (int i = first; i < end; ++i)
        if (j.has_exponential[i] && j.coordinate[i] >= 0)
          exponent.set(i - first, j.sharpness[i] * abs(x[i] - rest[i])), any_rise = true;
      if (any_rise) rises = exp(exponent);
    }
    for (int i = first; i < end; ++i) {
      if (j.coordinate[i] < 0) continue;
      T rise(1);
      if constexpr (lanes_of<T> == 1)
        rise = rises[i - first];
      else if (j.has_exponential[i])
        rise = spring_rise(j, i, x[i], rest[i]);
      const Pull<T> p = pull(j, i, x[i], v[i], rest[i], rise);
      apply(i, p.force, p.stiffness, p.damping);
    }
  }
  for (const auto& rotation : j.rotations) {
    const int i = rotation.v;
    const bool held = is_held(j, i) || is_held(j, i + 1) || is_held(j, i + 2);
    Vec3<T> force, stiffness, damping;
    if (held) {
      const Vec3<T> r{x[i], x[i + 1], x[i + 2]};
      const T c = rate_coefficient(r);
      const Vec3<T> rate = vector_rate(r, c, {v[i], v[i + 1], v[i + 2]});
      for (int k = 0; k < 3; ++k) {
        const T rise = j.has_exponential[i + k] ? spring_rise(j, i + k, x[i + k], rest[i + k]) : T(1);
        const Pull<T> p = pull(j, i + k, x[i + k], rate[k], rest[i + k], rise);
        force[k] = p.force, stiffness[k] = p.stiffness, damping[k] = p.damping;
      }
      force = vector_torque(r, c, force);
      if (implicit) bound_far_from_reference(r, stiffness, damping);
    }
    for (int k = 0; k < 3; ++k) apply(i + k, force[k], stiffness[k], damping[k]);
  }
}

template <class T>
T joint_energy(const JointForces<T>& j, const T* x, const T* rest) noexcept {
  T sum(0);
  for (int i = 0; i < j.nv; ++i) add_energy(j, i, x[i], rest[i], sum);
  return sum;
}

double limit_gap(const JointForces<double>& j, const double* x, int i) noexcept {
  return min(x[i] - j.lower[i], j.upper[i] - x[i]);
}

double spring_bend(const JointForces<double>& j, int dof, double torque) noexcept {
  const size_t d = size_t(dof);
  const double t = std::fabs(torque), k = j.has_spring[d] ? j.stiffness[d] : 0;
  double bend = k > 0 ? t / k : 0;
  if (j.has_exponential[d] && j.sharpness[d] > 0 && j.strength[d] > 0) {
    const double a = j.strength[d], b = j.sharpness[d];
    bend = logarithm(1 + t / a) / b;
    // beside a linear spring: Newton from above
    for (int round = 0; k > 0 && round < 20; ++round) {
      const double e = exp(b * bend);
      bend -= (a * (e - 1) + k * bend - t) / (a * b * e + k);
    }
  }
  return torque < 0 ? -bend : bend;
}

template void joint_positions(const JointForces<double>&, const double*, double*) noexcept;
template void joint_positions(const JointForces<Batch>&, const Batch*, Batch*) noexcept;
template void joint_positions(const JointForces<Trace>&, const Trace*, Trace*) noexcept;
template void add_joint_forces(const JointForces<double>&, const double*, const double*, const double*,
                               const double&, bool, double*, double*) noexcept;
template void add_joint_forces(const JointForces<Batch>&, const Batch*, const Batch*, const Batch*,
                               const Batch&, bool, Batch*, Batch*) noexcept;
template void add_joint_forces(const JointForces<Trace>&, const Trace*, const Trace*, const Trace*,
                               const Trace&, bool, Trace*, Trace*) noexcept;
template double joint_energy(const JointForces<double>&, const double*, const double*) noexcept;
template Batch joint_energy(const JointForces<Batch>&, const Batch*, const Batch*) noexcept;
template Trace joint_energy(const JointForces<Trace>&, const Trace*, const Trace*) noexcept;

}  // namespace legwork
