#pragma once
// Spatial algebra after Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2.
//
// One frame convention for the whole library: every spatial quantity of a link is expressed in axes parallel
// to the world's, about the link's own origin. Changing from a link to its parent is then a pure shift of
// origin, and a hinge whose line passes through the origin has a motion vector that is half zeros.
//
// A Twist (velocity, acceleration, direction of motion) and a Wrench (force, momentum) are different types:
// only their dot product, a power, compiles.

#include "math/vec.h"

namespace legwork {

template <class T>
struct Twist {
  Vec3<T> ang, lin;
};

template <class T>
struct Wrench {
  Vec3<T> ang, lin;  // moment about the origin, force
};

template <class T>
Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.ang + b.ang, a.lin + b.lin};
}
template <class T>
Twist<T> operator-(const Twist<T>& a, const Twist<T>& b) {
  return {a.ang - b.ang, a.lin - b.lin};
}
template <class T>
Twist<T> operator*(const Twist<T>& a, const T& s) {
  return {a.ang * s, a.lin * s};
}
template <class T>
Twist<T>& operator+=(Twist<T>& a, const Twist<T>& b) {
  return a = a + b;
}
template <class T>
Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.ang + b.ang, a.lin + b.lin};
}
template <class T>
Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.ang - b.ang, a.lin - b.lin};
}
template <class T>
Wrench<T> operator*(const Wrench<T>& a, const T& s) {
  return {a.ang * s, a.lin * s};
}
template <class T>
Wrench<T>& operator+=(Wrench<T>& a, const Wrench<T>& b) {
  return a = a + b;
}
template <class T>
Wrench<T>& operator-=(Wrench<T>& a, const Wrench<T>& b) {
  return a = a - b;
}

template <class T>
T dot(const Twist<T>& m, const Wrench<T>& f) {
  return dot(m.ang, f.ang) + dot(m.lin, f.lin);
}

// v x m: rate of change of a motion vector m that moves with velocity v
template <class T>
Twist<T> cross(const Twist<T>& v, const Twist<T>& m) {
  return {cross(v.ang, m.ang), cross(v.ang, m.lin) + cross(v.lin, m.ang)};
}
// v x* f: rate of change of a force vector f that moves with velocity v
template <class T>
Wrench<T> cross_star(const Twist<T>& v, const Wrench<T>& f) {
  return {cross(v.ang, f.ang) + cross(v.lin, f.lin), cross(v.ang, f.lin)};
}

// The same motion, seen from an origin that lies r further on.
template <class T>
Twist<T> shift(const Twist<T>& m, const Vec3<T>& r) {
  return {m.ang, m.lin + cross(m.ang, r)};
}
// The same force, taken about an origin that lies r before: r is from the new origin to the old one.
template <class T>
Wrench<T> shift_back(const Wrench<T>& f, const Vec3<T>& r) {
  return {f.ang + cross(r, f.lin), f.lin};
}

// A link's inertia, rigid or articulated: [I H; H^T M], symmetric. For a rigid body M = m 1 and H = m [c]x.
template <class T>
struct Inertia {
  Sym3<T> I;
  Mat3<T> H;
  Sym3<T> M;
};

template <class T>
Wrench<T> operator*(const Inertia<T>& A, const Twist<T>& m) {
  return {A.I * m.ang + A.H * m.lin, transpose_times(A.H, m.ang) + A.M * m.lin};
}
template <class T>
Inertia<T>& operator+=(Inertia<T>& a, const Inertia<T>& b) {
  a.I += b.I;
  a.H = a.H + b.H;
  a.M += b.M;
  return a;
}

// Rigid-body inertia of mass m, centre of mass c and rotational inertia Ic about c.
template <class T>
Inertia<T> rigid_inertia(const T& m, const Vec3<T>& c, const Sym3<T>& Ic) {
  return {Ic + point_inertia(c) * m, skew(c * m), Sym3<T>::diagonal(m, m, m)};
}
// The product of a rigid inertia with a twist, without forming the inertia.
template <class T>
Wrench<T> rigid_momentum(const T& m, const Vec3<T>& c, const Sym3<T>& Ic, const Twist<T>& v) {
  const Vec3<T> p = (v.lin + cross(v.ang, c)) * m;
  return {Ic * v.ang + cross(c, p), p};
}

// A -= U U^T d: what remains of an inertia when one joint direction is free to move.
template <class T>
void subtract_outer(Inertia<T>& A, const Wrench<T>& U, const T& d) {
  const Wrench<T> W = U * d;
  A.I.xx -= U.ang.x * W.ang.x;
  A.I.yy -= U.ang.y * W.ang.y;
  A.I.zz -= U.ang.z * W.ang.z;
  A.I.xy -= U.ang.x * W.ang.y;
  A.I.xz -= U.ang.x * W.ang.z;
  A.I.yz -= U.ang.y * W.ang.z;
  for (int i = 0; i < 3; ++i) {
    A.H(i, 0) -= U.ang[i] * W.lin.x;
    A.H(i, 1) -= U.ang[i] * W.lin.y;
    A.H(i, 2) -= U.ang[i] * W.lin.z;
  }
  A.M.xx -= U.lin.x * W.lin.x;
  A.M.yy -= U.lin.y * W.lin.y;
  A.M.zz -= U.lin.z * W.lin.z;
  A.M.xy -= U.lin.x * W.lin.y;
  A.M.xz -= U.lin.x * W.lin.z;
  A.M.yz -= U.lin.y * W.lin.z;
}

// A += the inertia B of a body whose origin lies at r from A's. With R = [r]x:
//   M += M_B,  H' = H_B + R M_B,  I' = I_B - H_B R + R H'^T
template <class T>
void add_shifted(Inertia<T>& A, const Inertia<T>& B, const Vec3<T>& r) {
  const Sym3<T>& M = B.M;
  const Mat3<T>& H = B.H;
  A.M += M;
  // H' = H + r x (columns of M)
  Mat3<T> h;
  h(0, 0) = H(0, 0) + (r.y * M.xz - r.z * M.xy);
  h(0, 1) = H(0, 1) + (r.y * M.yz - r.z * M.yy);
  h(0, 2) = H(0, 2) + (r.y * M.zz - r.z * M.yz);
  h(1, 0) = H(1, 0) + (r.z * M.xx - r.x * M.xz);
  h(1, 1) = H(1, 1) + (r.z * M.xy - r.x * M.yz);
  h(1, 2) = H(1, 2) + (r.z * M.xz - r.x * M.zz);
  h(2, 0) = H(2, 0) + (r.x * M.xy - r.y * M.xx);
  h(2, 1) = H(2, 1) + (r.x * M.yy - r.y * M.xy);
  h(2, 2) = H(2, 2) + (r.x * M.yz - r.y * M.xz);
  A.H = A.H + h;
  // -H R: row i is r x (row i of H); R H'^T: column j is r x (row j of H')
  A.I.xx += B.I.xx + ((r.y * H(0, 2) - r.z * H(0, 1)) + (r.y * h(0, 2) - r.z * h(0, 1)));
  A.I.yy += B.I.yy + ((r.z * H(1, 0) - r.x * H(1, 2)) + (r.z * h(1, 0) - r.x * h(1, 2)));
  A.I.zz += B.I.zz + ((r.x * H(2, 1) - r.y * H(2, 0)) + (r.x * h(2, 1) - r.y * h(2, 0)));
  A.I.xy += B.I.xy + ((r.z * H(0, 0) - r.x * H(0, 2)) + (r.y * h(1, 2) - r.z * h(1, 1)));
  A.I.xz += B.I.xz + ((r.x * H(0, 1) - r.y * H(0, 0)) + (r.y * h(2, 2) - r.z * h(2, 1)));
  A.I.yz += B.I.yz + ((r.x * H(1, 1) - r.y * H(1, 0)) + (r.z * h(2, 0) - r.x * h(2, 2)));
}

}  // namespace legwork
