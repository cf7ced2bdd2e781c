#include "dynamics/constrained.h"

#include <cassert>

#include "math/real.h"

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
T product(const Row<T>& row, const Workspace<T>& w) noexcept {
  T sum(0);
  if (row.a >= 0) sum += dot(w.acc[row.a], row.on_a);
  if (row.b >= 0) sum += dot(w.acc[row.b], row.on_b);
  return sum;
}

// Accelerations that a pair of wrenches causes, from the factors of the last forward_dynamics; leaves the
// links' in w.acc.
template <class T>
void respond(const Model<T>& m, const Row<T>& row, Workspace<T>& w, T* x) noexcept {
  for (int k = 0; k < m.nlink; ++k) w.pA[k] = {};
  if (row.a >= 0) w.pA[row.a] -= row.on_a;
  if (row.b >= 0) w.pA[row.b] -= row.on_b;
  propagate_forces<T>(m, w, nullptr, x);
}

// Solves A x = b for a symmetric positive semidefinite A (n x n in rows of `stride`), overwriting A with its
// factors. A pivot that has lost nine digits marks an equation that follows from earlier ones: its x is zero.
template <class T>
void solve_semidefinite(T* A, int n, int stride, T* x) noexcept {
  for (int j = 0; j < n; ++j) {
    const T full = A[j * stride + j];
    T d = full;
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

}  // namespace

template <class T>
Constraints<T>::Constraints(const Model<T>& model, int most_rows)
    : row(most_rows),
      lambda(most_rows, T(0)),
      Y(size_t(most_rows) * model.nv, T(0)),
      A(size_t(most_rows) * most_rows, T(0)) {
  if (lanes_of < T >> 1 || most_rows == 0) return;
  force.resize(model.nlink), motion.resize(model.nlink), joint.resize(model.nv);
}

template <class T>
void add_loop(const Loop& loop, const T& time, const Workspace<T>& w, Constraints<T>& c) noexcept {
  assert(c.rows + rows_of(loop) <= int(c.row.size()));
  const LoopEnd<T> a = loop_end(w, loop.link, loop.pos, loop.rot);
  const LoopEnd<T> b = loop_end(w, loop.other, loop.other_pos, loop.other_rot);
  const T rate = T(1) / time;
  const Mat3<T> axes = Mat3<T>::identity();
  // classical accelerations of the two points differ from the spatial ones by w x v
  const Vec3<T> turning = cross(a.v.ang, a.v.lin) - cross(b.v.ang, b.v.lin);
  const Vec3<T> e = a.p - b.p, e_rate = a.v.lin - b.v.lin;
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> n = axes.column(i);
    Row<T>& row = c.row[c.rows++];
    row.a = loop.link;
    row.b = loop.other;
    row.on_a = {cross(a.r, n), n};
    row.on_b = {-cross(b.r, n), -n};
    row.target = -turning[i] - T(2) * rate * e_rate[i] - rate * rate * e[i];
    row.compliance = T(0);
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
    row.compliance = T(0);
  }
}

template <class T>
void respond_row_by_row(const Model<T>& m, Workspace<T>& w, Constraints<T>& c) noexcept {
  const int n = c.rows, stride = int(c.row.size());
  for (int i = 0; i < n; ++i) {
    respond(m, c.row[i], w, &c.Y[size_t(i) * m.nv]);
    for (int k = i; k < n; ++k) c.A[k * stride + i] = c.A[i * stride + k] = product(c.row[k], w);
  }
}

template <class T>
void apply_constraints(const Model<T>& m, Constraints<T>& c, Workspace<T>& w, T* qdd) noexcept {
  const int n = c.rows, stride = int(c.row.size());
  if (n == 0) return;
  for (int i = 0; i < n; ++i) c.lambda[i] = c.row[i].target - product(c.row[i], w);
  if constexpr (lanes_of<T> == 1)
    respond_in_lanes(m, w, c);
  else
    respond_row_by_row(m, w, c);
  for (int i = 0; i < n; ++i) c.A[i * stride + i] += c.row[i].compliance;
  solve_semidefinite(c.A.data(), n, stride, c.lambda.data());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m.nv; ++j) qdd[j] += c.Y[size_t(i) * m.nv + j] * c.lambda[i];
  // the links' accelerations that belong to the corrected qdd
  for (int b = 0; b < m.nlink; ++b) {
    Twist<T> a = w.bias[b];
    if (m.parent[b] >= 0) a += shift(w.acc[m.parent[b]], w.r[b]);
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) a += w.S[j] * qdd[j];
    w.acc[b] = a;
  }
}

template <class T>
T loop_gap(const Loop& loop, const Workspace<T>& w) noexcept {
  const LoopEnd<T> a = loop_end(w, loop.link, loop.pos, loop.rot);
  const LoopEnd<T> b = loop_end(w, loop.other, loop.other_pos, loop.other_rot);
  const T gap = norm(a.p - b.p);
  return loop.frame ? max(gap, norm(rotation_error(a.R, b.R))) : gap;
}

double close_loops(const Model<double>& m, const std::vector<Loop>& loops, std::vector<double>& q) {
  int rows = 0;
  for (const Loop& loop : loops) rows += rows_of(loop);
  Workspace<double> w(m);
  Constraints<double> c(m, rows);
  const std::vector<double> still(m.nv, 0.0);
  double gap = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    update_positions(m, q.data(), w);
    update_velocities(m, q.data(), still.data(), w);
    gap = 0;
    for (const Loop& loop : loops) gap = max(gap, loop_gap(loop, w));
    if (gap < 1e-13) break;
    // the shortest way in the metric of the mass matrix: at rest, e'' = -e with no other force
    Model<double> weightless = m;
    weightless.gravity = {};
    std::vector<double> step(m.nv, 0.0);
    clear_forces(m, w);
    forward_dynamics(weightless, still.data(), w, step.data());
    c.clear();
    for (const Loop& loop : loops) add_loop(loop, 1.0, w, c);
    apply_constraints(weightless, c, w, step.data());
    integrate_positions(m, q.data(), step.data(), 1.0, q.data());
  }
  return gap;
}

#define LEGWORK_INSTANTIATE(T)                                                                   \
  template struct Constraints<T>;                                                                \
  template void add_loop(const Loop&, const T&, const Workspace<T>&, Constraints<T>&) noexcept;  \
  template void respond_row_by_row(const Model<T>&, Workspace<T>&, Constraints<T>&) noexcept;    \
  template void apply_constraints(const Model<T>&, Constraints<T>&, Workspace<T>&, T*) noexcept; \
  template T loop_gap(const Loop&, const Workspace<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
