// Positions and velocities of all links: the one place that knows what each joint does.
//
// A link's joint is a sequence of elementary screws. Each leaves a motion vector S_k about the link's origin,
// in world axes; with the velocity v_k of the frame before screw k,
//   v_{k+1} = v_k + S_k qd_k,   bias += v_k x S_k qd_k
// because S_k is fixed in the frame before it. Ball and free joints measure their angular velocity in the
// frame after them, so theirs is crossed with v_{k+1} instead.

#include "dynamics/kinematics.h"
#include "math/rotation.h"
#include "math/trace.h"

namespace legwork {

namespace {

// R times the rotation by an angle about a unit axis of R's own frame (Rodrigues).
template <class T>
Mat3<T> turned(const Mat3<T>& R, const Vec3<T>& a, const T& s, const T& c) noexcept {
  const T t = T(1) - c;
  const Vec3<T> ta = a * t, sa = a * s;
  const T xy = ta.x * a.y, xz = ta.x * a.z, yz = ta.y * a.z;
  const Mat3<T> rotation(c + ta.x * a.x, xy - sa.z, xz + sa.y, xy + sa.z, c + ta.y * a.y, yz - sa.x,
                         xz - sa.y, yz + sa.x, c + ta.z * a.z);
  return R * rotation;
}

template <class T>
Quat<T> quaternion_at(const T* q) noexcept {
  return normalized(Quat<T>(q[0], q[1], q[2], q[3]));
}

// Value, first and second derivative of a path's coordinate i at q; linear beyond the outer keyframes.
template <class T>
struct PathValue {
  T x, d1, d2;
};
template <class T>
PathValue<T> path_value(const Path<T>& path, int i, const T& q) noexcept {
  const T inside = min(max(q, T(-1)), T(1));
  const T a = abs(inside), beyond = q - inside;
  const T d1 = path.slope[i] + path.bend[i] * (inside - T(0.5) * (inside * a));
  const T x = path.slope[i] * inside + path.bend[i] * (inside * inside) * (T(0.5) - a * T(1.0 / 6));
  const T d2 = select(abs(beyond) > T(0), T(0), path.bend[i] * (T(1) - a));
  return {x + d1 * beyond, d1, d2};
}

// Screws, applied in order. Rotation axes are stored with the point they pass through in place of the linear
// part; finish_axes completes them once the link's origin is known.
template <class T>
void apply_slide(const Screw<T>& s, const T* q, Moving<T>& f, Workspace<T>& w) noexcept {
  const Vec3<T> axis = f.R * s.axis;
  w.S[s.v] = {Vec3<T>(), axis};
  f.p += axis * (q[s.q] - s.q_zero);
}

template <class T>
void apply_ball(const Screw<T>& s, const T* q, Moving<T>& f, Workspace<T>& w) noexcept {
  const Vec3<T> anchor = f.p + f.R * s.anchor;
  f.R = f.R * matrix(quaternion_at(q + s.q));
  f.p = anchor - f.R * s.anchor;
  for (int i = 0; i < 3; ++i) w.S[s.v + i] = {f.R.column(i), anchor};
}

template <class T>
void apply_free(const Screw<T>& s, const T* q, Moving<T>& f, Workspace<T>& w) noexcept {
  f.p = {q[s.q], q[s.q + 1], q[s.q + 2]};
  f.R = matrix(quaternion_at(q + s.q + 3));
  const Mat3<T> one = Mat3<T>::identity();
  for (int i = 0; i < 3; ++i) w.S[s.v + i] = {Vec3<T>(), one.column(i)};
  for (int i = 0; i < 3; ++i) w.S[s.v + 3 + i] = {f.R.column(i), f.p};
}

// Translation along the axes before the joint, then rotation about x, y, z of those axes: Rz Ry Rx.
template <class T>
void apply_path(const Model<T>& m, const Screw<T>& s, const T* q, Moving<T>& f, Workspace<T>& w) noexcept {
  T x[6];
  for (int i = 0; i < 6; ++i) {
    x[i] = s.neutral[i];
    for (int j = 0; j < s.paths; ++j) x[i] += path_value(m.paths[s.first_path + j], i, q[s.q + j]).x;
  }
  Twist<T>* S = &w.path_S[6 * s.path_screw];
  f.p += f.R * Vec3<T>(x[3], x[4], x[5]);
  const Mat3<T> one = Mat3<T>::identity();
  for (int i = 0; i < 3; ++i) S[i] = {Vec3<T>(), f.R.column(i)};
  for (int i = 0; i < 3; ++i) {
    const int axis = 2 - i;
    T sine, cosine;
    sin_cos(x[axis], sine, cosine);
    S[3 + i] = {f.R.column(axis), f.p};
    f.R = turned(f.R, one.column(axis), sine, cosine);
  }
}

// With the link's origin known: the linear part of every rotation axis, and the columns of path joints.
template <class T>
void finish_axes(const Model<T>& m, const Screw<T>& s, const T* q, const Vec3<T>& origin,
                 Workspace<T>& w) noexcept {
  switch (s.type) {
    case ScrewType::slide:
      break;
    case ScrewType::hinge:
      finish_axis(origin, w.S[s.v]);
      break;
    case ScrewType::ball:
      for (int i = 0; i < 3; ++i) finish_axis(origin, w.S[s.v + i]);
      break;
    case ScrewType::free:
      for (int i = 3; i < 6; ++i) finish_axis(origin, w.S[s.v + i]);
      break;
    case ScrewType::path: {
      Twist<T>* S = &w.path_S[6 * s.path_screw];
      for (int i = 3; i < 6; ++i) finish_axis(origin, S[i]);
      for (int j = 0; j < s.paths; ++j) {
        Twist<T> sum{};
        for (int i = 0; i < 3; ++i) {
          sum += S[i] * path_value(m.paths[s.first_path + j], 3 + i, q[s.q + j]).d1;
          sum += S[3 + i] * path_value(m.paths[s.first_path + j], 2 - i, q[s.q + j]).d1;
        }
        w.S[s.v + j] = sum;
      }
    }
  }
}

template <class T>
void advance_path(const Model<T>& m, const Screw<T>& s, const T* q, const T* v, const Workspace<T>& w,
                  Twist<T>& velocity, Twist<T>& bias) noexcept {
  const Twist<T>* S = &w.path_S[6 * s.path_screw];
  for (int k = 0; k < 6; ++k) {
    const int coordinate = k < 3 ? 3 + k : 5 - k;
    T rate(0), curve(0);
    for (int j = 0; j < s.paths; ++j) {
      const PathValue<T> value = path_value(m.paths[s.first_path + j], coordinate, q[s.q + j]);
      rate += value.d1 * v[s.v + j];
      curve += value.d2 * (v[s.v + j] * v[s.v + j]);
    }
    const Twist<T> step = S[k] * rate;
    bias += cross(velocity, step) + S[k] * curve;
    velocity += step;
  }
}

}  // namespace

// A link at its place in its parent, its joint applied.
template <class T>
void place_link(const Model<T>& m, int b, const T* q, Workspace<T>& w) noexcept {
  const int parent = m.parent[b];
  Moving<T> f;
  const Vec3<T> from = parent < 0 ? Vec3<T>() : w.p[parent];
  f.R = parent < 0 ? Mat3<T>::identity() : w.R[parent];
  f.p = parent < 0 ? m.pos[b] : from + f.R * m.pos[b];
  if (m.turned[b]) f.R = f.R * m.rot[b];
  for (int k = m.screw_begin[b]; k < m.screw_begin[b + 1]; ++k) {
    const Screw<T>& s = m.screws[k];
    switch (s.type) {
      case ScrewType::hinge:
        w.S[s.v] = apply_hinge(s, w.sine[s.hinge], w.cosine[s.hinge], f);
        break;
      case ScrewType::slide:
        apply_slide(s, q, f, w);
        break;
      case ScrewType::ball:
        apply_ball(s, q, f, w);
        break;
      case ScrewType::free:
        apply_free(s, q, f, w);
        break;
      case ScrewType::path:
        apply_path(m, s, q, f, w);
        break;
    }
  }
  for (int k = m.screw_begin[b]; k < m.screw_begin[b + 1]; ++k) finish_axes(m, m.screws[k], q, f.p, w);
  w.R[b] = f.R;
  w.p[b] = f.p;
  w.r[b] = f.p - from;
  w.c[b] = f.R * m.com[b];
  w.I[b] = rotate(f.R, m.inertia[b]);
}

template <class T>
void move_link(const Model<T>& m, int b, const T* q, const T* v, Workspace<T>& w) noexcept {
  Twist<T> velocity = m.parent[b] < 0 ? Twist<T>() : shift(w.vel[m.parent[b]], w.r[b]);
  Twist<T> bias{};
  for (int k = m.screw_begin[b]; k < m.screw_begin[b + 1]; ++k) {
    const Screw<T>& s = m.screws[k];
    switch (s.type) {
      case ScrewType::hinge:
      case ScrewType::slide: {
        advance_screw(w.S[s.v], v[s.v], velocity, bias);
        break;
      }
      case ScrewType::free:
      case ScrewType::ball: {
        // translations first, then the rotation, whose axes turn with the link
        const int first = s.type == ScrewType::free ? 3 : 0;
        for (int i = 0; i < first; ++i) {
          advance_screw(w.S[s.v + i], v[s.v + i], velocity, bias);
        }
        Twist<T> turn{};
        for (int i = 0; i < 3; ++i) turn += w.S[s.v + first + i] * v[s.v + first + i];
        velocity += turn;
        bias += cross(velocity, turn);
        break;
      }
      case ScrewType::path:
        advance_path(m, s, q, v, w, velocity, bias);
        break;
    }
  }
  w.vel[b] = velocity;
  w.bias[b] = bias;
}

template <class T>
void place_links(const Model<T>& m, const T* q, Workspace<T>& w) noexcept {
  for (size_t k = 0; k < m.hinge_q.size(); ++k)
    sin_cos(q[m.hinge_q[k]] - m.hinge_zero[k], w.sine[k], w.cosine[k]);
  for (int b = 0; b < m.nlink; ++b) place_link(m, b, q, w);
}

template <class T>
void move_links(const Model<T>& m, const T* q, const T* v, Workspace<T>& w) noexcept {
  for (int b = 0; b < m.nlink; ++b) move_link(m, b, q, v, w);
}

template <>
void update_positions(const Model<double>& m, const double* q, Workspace<double>& w) noexcept {
  place_links_in_lanes(m, q, w);
}
template <>
void update_positions(const Model<Batch>& m, const Batch* q, Workspace<Batch>& w) noexcept {
  place_links(m, q, w);
}

template <>
void update_positions(const Model<Trace>& m, const Trace* q, Workspace<Trace>& w) noexcept {
  place_links(m, q, w);
}

template <>
void update_velocities(const Model<double>& m, const double* q, const double* v,
                       Workspace<double>& w) noexcept {
  move_links_in_lanes(m, q, v, w);
}
template <>
void update_velocities(const Model<Batch>& m, const Batch* q, const Batch* v, Workspace<Batch>& w) noexcept {
  move_links(m, q, v, w);
}
template <>
void update_velocities(const Model<Trace>& m, const Trace* q, const Trace* v, Workspace<Trace>& w) noexcept {
  move_links(m, q, v, w);
}

namespace {

template <class T>
void store(const Quat<T>& a, T* q) noexcept {
  q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z;
}

}  // namespace

template <class T>
void integrate_positions(const Model<T>& m, const T* q, const T* v, const T& h, T* q_new) noexcept {
  for (const Screw<T>& s : m.screws) {
    if (s.type == ScrewType::ball || s.type == ScrewType::free) {
      const int lead = s.type == ScrewType::free ? 3 : 0;
      for (int i = 0; i < lead; ++i) q_new[s.q + i] = q[s.q + i] + v[s.v + i] * h;
      const T* w = v + s.v + lead;
      const Quat<T> step = rotation_quaternion(Vec3<T>(w[0], w[1], w[2]) * h);
      store(normalized(quaternion_at(q + s.q + lead) * step), q_new + s.q + lead);
    } else {
      const int n = s.type == ScrewType::path ? s.paths : 1;
      for (int i = 0; i < n; ++i) q_new[s.q + i] = q[s.q + i] + v[s.v + i] * h;
    }
  }
}

template <class T>
void difference_positions(const Model<T>& m, const T* q0, const T* q1, T* v) noexcept {
  for (const Screw<T>& s : m.screws) {
    if (s.type == ScrewType::ball || s.type == ScrewType::free) {
      const int lead = s.type == ScrewType::free ? 3 : 0;
      for (int i = 0; i < lead; ++i) v[s.v + i] = q1[s.q + i] - q0[s.q + i];
      const Vec3<T> x =
          rotation_vector(conjugate(quaternion_at(q0 + s.q + lead)) * quaternion_at(q1 + s.q + lead));
      v[s.v + lead] = x.x, v[s.v + lead + 1] = x.y, v[s.v + lead + 2] = x.z;
    } else {
      const int n = s.type == ScrewType::path ? s.paths : 1;
      for (int i = 0; i < n; ++i) v[s.v + i] = q1[s.q + i] - q0[s.q + i];
    }
  }
}

template <class T>
void normalize_positions(const Model<T>& m, T* q) noexcept {
  for (const Screw<T>& s : m.screws) {
    if (s.type != ScrewType::ball && s.type != ScrewType::free) continue;
    T* start = q + s.q + (s.type == ScrewType::free ? 3 : 0);
    store(quaternion_at(start), start);
  }
}

#define LEGWORK_INSTANTIATE(T)                                                                   \
  template void place_link(const Model<T>&, int, const T*, Workspace<T>&) noexcept;              \
  template void move_link(const Model<T>&, int, const T*, const T*, Workspace<T>&) noexcept;     \
  template void place_links(const Model<T>&, const T*, Workspace<T>&) noexcept;                  \
  template void move_links(const Model<T>&, const T*, const T*, Workspace<T>&) noexcept;         \
  template void integrate_positions(const Model<T>&, const T*, const T*, const T&, T*) noexcept; \
  template void difference_positions(const Model<T>&, const T*, const T*, T*) noexcept;          \
  template void normalize_positions(const Model<T>&, T*) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
