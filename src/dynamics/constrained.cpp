#include "dynamics/constrained.h"

#include <cassert>

#include "math/real.h"
#include "math/trace.h"

namespace legwork {

namespace {

// A frame of a loop in the world: origin, axes, and velocity of the origin.
template <class T>
struct LoopEnd {
  Vec3<T> p, r;  // position, and offset from the link's origin
  Mat3<T> R;
  Twist<T> v;  // at p
};

template <class T>
LoopEnd<T> loop_end(const Workspace<T>& w, int link, const Vec3d& pos, const Quatd& rot) noexcept {
  const Vec3<T> local(pos);
  const Mat3<T> turn(matrix(rot));
  if (link < 0) return {local, Vec3<T>(), turn, Twist<T>()};
  const Vec3<T> r = w.R[link] * local;
  return {w.p[link] + r, r, w.R[link] * turn, shift(w.vel[link], r)};
}

// Vector of the rotation that takes b's axes to a's, world axes; from the skew part, exact in direction.
template <class T>
Vec3<T> rotation_error(const Mat3<T>& a, const Mat3<T>& b) noexcept {
  const Mat3<T> E = a * transpose(b);
  const Vec3<T> twice_sine(E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1));
  const T s = T(0.5) * norm(twice_sine), c = T(0.5) * (E(0, 0) + E(1, 1) + E(2, 2) - T(1));
  const auto tiny = s < T(1e-9);
  return twice_sine * select(tiny, T(0.5), T(0.5) * atan2(s, c) / select(tiny, T(1), s));
}

template <class T>
T sum_of(const std::vector<DofTerm>& terms, const T* x) noexcept {
  T sum(0);
  for (const DofTerm& t : terms) sum += T(t.factor) * x[t.dof];
  return sum;
}

// Positions of hinges and slides by degree of freedom; the others' are 0.
void scalar_positions(const Model<double>& m, const double* q, std::vector<double>& x) {
  x.assign(std::size_t(m.nv), 0.0);
  for (const Screw<double>& s : m.screws)
    if (s.type == ScrewType::hinge || s.type == ScrewType::slide) x[std::size_t(s.v)] = q[s.q];
}

// Accelerations that a pair of wrenches causes, from the factors of the last forward_dynamics; leaves the
// links' in w.acc.
template <class T>
void respond(const Model<T>& m, const Row<T>& row, Constraints<T>& c, Workspace<T>& w, T* x) noexcept {
  for (int k = 0; k < m.nlink; ++k) w.pA[k] = {};
  if (row.a >= 0) w.pA[row.a] -= row.on_a;
  if (row.b >= 0) w.pA[row.b] -= row.on_b;
  if (row.count == 0) return propagate_forces<T>(m, w, nullptr, x);
  for (T& t : c.torque) t = T(0);
  for (int i = row.first; i < row.first + row.count; ++i) c.torque[c.terms[i].dof] += c.terms[i].factor;
  propagate_forces<T>(m, w, c.torque.data(), x);
}

}  // namespace

template <class T>
Constraints<T>::Constraints(const Model<T>& model, int most_rows, int most_terms)
    : row(most_rows),
      terms(most_terms),
      lambda(most_rows, T(0)),
      Y(size_t(most_rows) * model.nv, T(0)),
      A(size_t(most_rows) * most_rows, T(0)),
      torque(most_terms > 0 ? model.nv : 0, T(0)) {
  T mass(1e-300), inertia(1e-300), square(0);
  for (int b = 0; b < model.nlink; ++b) {
    mass += model.mass[b];
    inertia += model.inertia[b].xx + model.inertia[b].yy + model.inertia[b].zz;
    square += dot(model.com[b], model.com[b]);
    if (model.parent[b] >= 0) square += dot(model.pos[b], model.pos[b]);
  }
  piece_shift = T(1) / mass, piece_turn = T(1) / (inertia + mass * square);
  if (lanes_of < T >> 1 || most_rows == 0) return;
  force.resize(model.nlink), motion.resize(model.nlink), joint.resize(model.nv);
  joint_torque.resize(most_terms > 0 ? model.nv : 0);
}

template <class T>
void Constraints<T>::reserve(const Model<T>& model, int most_rows) {
  const size_t n = size_t(most_rows);
  if (row.size() >= n) return;
  row.resize(n), lambda.resize(n, T(0)), Y.resize(n * model.nv, T(0)), A.resize(n * n, T(0));
  if (lanes_of<T> == 1) force.resize(model.nlink), motion.resize(model.nlink), joint.resize(model.nv);
}

template <class T>
void factorize_semidefinite(const Row<T>* row, int n, int stride, T* A) noexcept {
  for (int j = 0; j < n; ++j) {
    const T full = max(A[j * stride + j], row[j].scale);
    T d = A[j * stride + j];
    for (int k = 0; k < j; ++k) d -= A[j * stride + k] * A[j * stride + k] * A[k * stride + k];
    const auto sound = d > full * T(1e-9);
    // the diagonal holds D, and 1/D is formed when needed; a dropped equation has D = 0 and an empty column
    A[j * stride + j] = select(sound, d, T(0));
    const T inverse = select(sound, T(1) / select(sound, d, T(1)), T(0));
    for (int i = j + 1; i < n; ++i) {
      T l = A[i * stride + j];
      for (int k = 0; k < j; ++k) l -= A[i * stride + k] * A[j * stride + k] * A[k * stride + k];
      A[i * stride + j] = l * inverse;
    }
  }
}

template <class T>
void solve_semidefinite(const T* A, int n, int stride, T* x) noexcept {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] -= A[i * stride + k] * x[k];
  for (int i = 0; i < n; ++i) {
    const T d = A[i * stride + i];
    const auto sound = d > T(0);
    x[i] = select(sound, x[i] / select(sound, d, T(1)), T(0));
  }
  for (int i = n - 1; i >= 0; --i)
    for (int k = i + 1; k < n; ++k) x[i] -= A[k * stride + i] * x[k];
}

template <class T>
T row_product(const Constraints<T>& c, const Row<T>& row, const std::vector<Twist<T>>& motion,
              const T* joints) noexcept {
  T sum(0);
  if (row.a >= 0) sum += dot(motion[row.a], row.on_a);
  if (row.b >= 0) sum += dot(motion[row.b], row.on_b);
  for (int i = row.first; i < row.first + row.count; ++i) sum += c.terms[i].factor * joints[c.terms[i].dof];
  return sum;
}

template <class T>
void update_accelerations(const Model<T>& m, Workspace<T>& w, const T* qdd) noexcept {
  for (int b = 0; b < m.nlink; ++b) {
    Twist<T> a = w.bias[b];
    if (m.parent[b] >= 0) a += shift(w.acc[m.parent[b]], w.r[b]);
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) a += w.S[j] * qdd[j];
    w.acc[b] = a;
  }
}

template <class T>
void add_loop(const Loop& loop, const T& time, const Workspace<T>& w, Constraints<T>& c) noexcept {
  assert(c.rows + rows_of(loop) <= int(c.row.size()));
  const LoopEnd<T> a = loop_end(w, loop.link, loop.pos, loop.rot);
  const LoopEnd<T> b = loop_end(w, loop.other, loop.other_pos, loop.other_rot);
  const T rate = T(1) / time;
  const Mat3<T> axes = Mat3<T>::identity();
  // Both forces act at one place, midway: at two places an open gap would be the arm of a couple that turns
  // the whole body, and equations that a planar loop cannot break would seem to have an answer.
  const Vec3<T> e = a.p - b.p, half = loop.other < 0 ? Vec3<T>() : e * T(0.5);
  const Vec3<T> arm_a = a.r - half, arm_b = b.r + half;
  const Vec3<T> v_a = shift(a.v, -half).lin, v_b = shift(b.v, half).lin;
  // classical accelerations of the two points differ from the spatial ones by w x v
  const Vec3<T> turning = cross(a.v.ang, v_a) - cross(b.v.ang, v_b);
  const Vec3<T> e_rate = v_a - v_b;
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> n = axes.column(i);
    Row<T>& row = c.row[c.rows++];
    row.a = loop.link;
    row.b = loop.other;
    row.on_a = {cross(arm_a, n), n};
    row.on_b = {-cross(arm_b, n), -n};
    row.target = -turning[i] - T(2) * rate * e_rate[i] - rate * rate * e[i];
    row.compliance = T(0), row.count = 0, row.scale = c.piece_shift;
  }
  if (!loop.frame) return;
  const Vec3<T> angle = rotation_error(a.R, b.R), angle_rate = a.v.ang - b.v.ang;
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> n = axes.column(i);
    Row<T>& row = c.row[c.rows++];
    row.a = loop.link;
    row.b = loop.other;
    row.on_a = {n, Vec3<T>()};
    row.on_b = {-n, Vec3<T>()};
    row.target = -(T(2) * rate * angle_rate[i]) - rate * rate * angle[i];
    row.compliance = T(0), row.count = 0, row.scale = c.piece_turn;
  }
}

// e = sum of terms - zero - p(y):  e'' = terms . qdd - p'(y) drivers . qdd - p''(y) y'^2
template <class T>
void add_coupling(const Coupling& coupling, const T& time, const T* x, const T* v,
                  Constraints<T>& c) noexcept {
  assert(!c.full() && c.terms_used + terms_of(coupling) <= int(c.terms.size()));
  const std::array<double, 5>& p = coupling.polynomial;
  const T y = sum_of(coupling.drivers, x) - T(coupling.driver_zero), y_rate = sum_of(coupling.drivers, v);
  const T value = T(p[0]) + y * (T(p[1]) + y * (T(p[2]) + y * (T(p[3]) + y * T(p[4]))));
  const T slope = T(p[1]) + y * (T(2 * p[2]) + y * (T(3 * p[3]) + y * T(4 * p[4])));
  const T bend = T(2 * p[2]) + y * (T(6 * p[3]) + y * T(12 * p[4]));
  const T e = sum_of(coupling.terms, x) - T(coupling.zero) - value;
  const T e_rate = sum_of(coupling.terms, v) - slope * y_rate;
  const T rate = T(1) / time;
  Row<T>& row = c.row[c.rows++];
  row = {};
  row.first = c.terms_used;
  row.count = terms_of(coupling);
  for (const DofTerm& t : coupling.terms) c.terms[c.terms_used++] = {t.dof, T(t.factor)};
  for (const DofTerm& t : coupling.drivers) c.terms[c.terms_used++] = {t.dof, -(slope * T(t.factor))};
  row.target = bend * y_rate * y_rate - T(2) * rate * e_rate - rate * rate * e;
}

double coupling_gap(const Coupling& coupling, const double* x) noexcept {
  const std::array<double, 5>& p = coupling.polynomial;
  const double y = sum_of(coupling.drivers, x) - coupling.driver_zero;
  return abs(sum_of(coupling.terms, x) - coupling.zero - p[0] -
             y * (p[1] + y * (p[2] + y * (p[3] + y * p[4]))));
}

template <class T>
void respond_row_by_row(const Model<T>& m, Workspace<T>& w, Constraints<T>& c) noexcept {
  const int n = c.rows, stride = int(c.row.size());
  for (int i = 0; i < n; ++i) {
    T* x = &c.Y[size_t(i) * m.nv];
    respond(m, c.row[i], c, w, x);
    for (int k = i; k < n; ++k)
      c.A[k * stride + i] = c.A[i * stride + k] = row_product(c, c.row[k], w.acc, x);
  }
}

template <class T>
void apply_constraints(const Model<T>& m, Constraints<T>& c, Workspace<T>& w, T* qdd) noexcept {
  const int n = c.rows, stride = int(c.row.size());
  if (n == 0) return;
  for (int i = 0; i < n; ++i) c.lambda[i] = c.row[i].target - row_product(c, c.row[i], w.acc, qdd);
  if constexpr (lanes_of<T> == 1)
    respond_in_lanes(m, w, c);
  else
    respond_row_by_row(m, w, c);
  for (int i = 0; i < n; ++i) c.A[i * stride + i] += c.row[i].compliance;
  factorize_semidefinite(c.row.data(), n, stride, c.A.data());
  solve_semidefinite(c.A.data(), n, stride, c.lambda.data());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m.nv; ++j) qdd[j] += c.Y[size_t(i) * m.nv + j] * c.lambda[i];
  update_accelerations(m, w, qdd);
}

template <class T>
void joint_loads(const Model<T>& m, const Constraints<T>& c, Workspace<T>& w, const T* qdd,
                 T* load) noexcept {
  for (int b = 0; b < m.nlink; ++b) {
    const Vec3<T> weight = m.gravity * m.mass[b];
    w.pA[b] = rigid_momentum(m.mass[b], w.c[b], w.I[b], w.acc[b]) +
              cross_star(w.vel[b], rigid_momentum(m.mass[b], w.c[b], w.I[b], w.vel[b])) -
              Wrench<T>{cross(w.c[b], weight), weight} - w.f_ext[b];
    if (w.implicit) w.pA[b] += w.I_ext[b] * w.acc[b];
  }
  for (int i = 0; i < c.rows; ++i) {
    const Row<T>& row = c.row[i];
    if (row.a >= 0) w.pA[row.a] -= row.on_a * c.lambda[i];
    if (row.b >= 0) w.pA[row.b] -= row.on_b * c.lambda[i];
  }
  for (int b = m.nlink - 1; b >= 0; --b) {
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j)
      load[j] = dot(w.S[j], w.pA[b]) + m.armature[j] * qdd[j];
    if (m.parent[b] >= 0) w.pA[m.parent[b]] += shift_back(w.pA[b], w.r[b]);
  }
  for (int i = 0; i < c.rows; ++i)
    for (int k = c.row[i].first; k < c.row[i].first + c.row[i].count; ++k)
      load[c.terms[k].dof] -= c.terms[k].factor * c.lambda[i];
}

template <class T>
T loop_gap(const Loop& loop, const Workspace<T>& w) noexcept {
  const LoopEnd<T> a = loop_end(w, loop.link, loop.pos, loop.rot);
  const LoopEnd<T> b = loop_end(w, loop.other, loop.other_pos, loop.other_rot);
  const T gap = norm(a.p - b.p);
  return loop.frame ? max(gap, norm(rotation_error(a.R, b.R))) : gap;
}

double close_loops(const Model<double>& m, const std::vector<Loop>& loops, std::vector<double>& q,
                   const std::vector<Coupling>& couplings) {
  int rows = int(couplings.size()), terms = 0;
  for (const Loop& loop : loops) rows += rows_of(loop);
  for (const Coupling& coupling : couplings) terms += terms_of(coupling);
  Workspace<double> w(m);
  Constraints<double> c(m, rows, terms);
  const std::vector<double> still(m.nv, 0.0);
  std::vector<double> x;
  double gap = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    update_positions(m, q.data(), w);
    update_velocities(m, q.data(), still.data(), w);
    scalar_positions(m, q.data(), x);
    gap = 0;
    for (const Loop& loop : loops) gap = max(gap, loop_gap(loop, w));
    for (const Coupling& coupling : couplings) gap = max(gap, coupling_gap(coupling, x.data()));
    if (gap < 1e-13) break;
    // the shortest way in the metric of the mass matrix: at rest, e'' = -e with no other force
    Model<double> weightless = m;
    weightless.gravity = {};
    std::vector<double> step(m.nv, 0.0);
    clear_forces(m, w);
    forward_dynamics(weightless, still.data(), w, step.data());
    c.clear();
    for (const Loop& loop : loops) add_loop(loop, 1.0, w, c);
    for (const Coupling& coupling : couplings) add_coupling(coupling, 1.0, x.data(), still.data(), c);
    apply_constraints(weightless, c, w, step.data());
    integrate_positions(m, q.data(), step.data(), 1.0, q.data());
  }
  return gap;
}

#define LEGWORK_INSTANTIATE(T)                                                                             \
  template struct Constraints<T>;                                                                          \
  template void add_loop(const Loop&, const T&, const Workspace<T>&, Constraints<T>&) noexcept;            \
  template void add_coupling(const Coupling&, const T&, const T*, const T*, Constraints<T>&) noexcept;     \
  template void respond_row_by_row(const Model<T>&, Workspace<T>&, Constraints<T>&) noexcept;              \
  template void factorize_semidefinite(const Row<T>*, int, int, T*) noexcept;                              \
  template void solve_semidefinite(const T*, int, int, T*) noexcept;                                       \
  template T row_product(const Constraints<T>&, const Row<T>&, const std::vector<Twist<T>>&,               \
                         const T*) noexcept;                                                               \
  template void update_accelerations(const Model<T>&, Workspace<T>&, const T*) noexcept;                   \
  template void apply_constraints(const Model<T>&, Constraints<T>&, Workspace<T>&, T*) noexcept;           \
  template void joint_loads(const Model<T>&, const Constraints<T>&, Workspace<T>&, const T*, T*) noexcept; \
  template T loop_gap(const Loop&, const Workspace<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
