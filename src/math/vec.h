#pragma once
// 3x3 matrices, and what vectors, matrices and quaternions do together, on any scalar.

#include <legwork/vector.h>
#include "math/batch.h"

namespace legwork {

// Row-major 3x3 matrix; default is zero. Rows of double are padded to four, the width of a vector register;
// the pad stays zero.
template <class T>
struct Mat3 {
  static constexpr int stride = sizeof(T) == sizeof(double) ? 4 : 3;
  T m[3][stride];

  Mat3() {
    for (auto& row : m)
      for (T& x : row) x = T(0);
  }
  Mat3(const T& a, const T& b, const T& c, const T& d, const T& e, const T& f, const T& g, const T& h,
       const T& i)
      : Mat3() {
    m[0][0] = a, m[0][1] = b, m[0][2] = c;
    m[1][0] = d, m[1][1] = e, m[1][2] = f;
    m[2][0] = g, m[2][1] = h, m[2][2] = i;
  }
  template <class U>
  explicit Mat3(const Mat3<U>& o) : Mat3() {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] = T(o(i, j));
  }
  static Mat3 identity() { return {T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)}; }
  static Mat3 columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
  }

  T& operator()(int i, int j) { return m[i][j]; }
  const T& operator()(int i, int j) const { return m[i][j]; }
  Vec3<T> column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }
  Vec3<T> row(int i) const { return {m[i][0], m[i][1], m[i][2]}; }
};

// The same products and sums in the same order for every scalar; for double a row at a time.
template <class T>
Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return r;
}
template <>
inline Mat3<double> operator*(const Mat3<double>& a, const Mat3<double>& b) {
  typedef double Row __attribute__((vector_size(32)));
  Row rows[3];
  __builtin_memcpy(rows, b.m, sizeof rows);
  Mat3<double> r;
  for (int i = 0; i < 3; ++i) {
    const Row sum = a(i, 0) * rows[0] + a(i, 1) * rows[1] + a(i, 2) * rows[2];
    __builtin_memcpy(r.m[i], &sum, sizeof sum);
  }
  return r;
}
// a + b s + c t
template <class T>
Mat3<T> combine(const Mat3<T>& a, const Mat3<T>& b, const T& s, const Mat3<T>& c, const T& t) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < Mat3<T>::stride; ++j) r.m[i][j] = (a.m[i][j] + b.m[i][j] * s) + c.m[i][j] * t;
  return r;
}
template <class T>
Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
  return {a(0, 0) * v.x + a(0, 1) * v.y + a(0, 2) * v.z, a(1, 0) * v.x + a(1, 1) * v.y + a(1, 2) * v.z,
          a(2, 0) * v.x + a(2, 1) * v.y + a(2, 2) * v.z};
}
template <class T>
Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, j) + b(i, j);
  return r;
}
template <class T>
Mat3<T> operator*(const Mat3<T>& a, const T& s) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, j) * s;
  return r;
}
template <class T>
Mat3<T> transpose(const Mat3<T>& a) {
  return {a(0, 0), a(1, 0), a(2, 0), a(0, 1), a(1, 1), a(2, 1), a(0, 2), a(1, 2), a(2, 2)};
}
// a^T v without forming a^T.
template <class T>
Vec3<T> transpose_times(const Mat3<T>& a, const Vec3<T>& v) {
  return {a(0, 0) * v.x + a(1, 0) * v.y + a(2, 0) * v.z, a(0, 1) * v.x + a(1, 1) * v.y + a(2, 1) * v.z,
          a(0, 2) * v.x + a(1, 2) * v.y + a(2, 2) * v.z};
}
// The matrix of v x (.).
template <class T>
Mat3<T> skew(const Vec3<T>& v) {
  return {T(0), -v.z, v.y, v.z, T(0), -v.x, -v.y, v.x, T(0)};
}

template <class T>
Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
Sym3<T>& operator+=(Sym3<T>& a, const Sym3<T>& b) {
  return a = a + b;
}
template <class T>
Sym3<T> operator*(const Sym3<T>& a, const T& s) {
  return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
}
template <class T>
Vec3<T> operator*(const Sym3<T>& a, const Vec3<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
// v v^T
template <class T>
Sym3<T> outer(const Vec3<T>& v) {
  return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
}
// Inertia of a unit point mass at c about the origin: c.c 1 - c c^T
template <class T>
Sym3<T> point_inertia(const Vec3<T>& c) {
  const T xx = c.x * c.x, yy = c.y * c.y, zz = c.z * c.z;
  return {yy + zz, xx + zz, xx + yy, -(c.x * c.y), -(c.x * c.z), -(c.y * c.z)};
}
// R A R^T
template <class T>
Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& A) {
  const Vec3<T> a = A * R.row(0), b = A * R.row(1), c = A * R.row(2);
  return {dot(R.row(0), a), dot(R.row(1), b), dot(R.row(2), c),
          dot(R.row(1), a), dot(R.row(2), a), dot(R.row(2), b)};
}

template <class T>
Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
Quat<T> conjugate(const Quat<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
Quat<T> normalized(const Quat<T>& q) {
  const T s = T(1) / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
// Rotation matrix of a unit quaternion.
template <class T>
Mat3<T> matrix(const Quat<T>& q) {
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {T(1) - (yy + zz), xy - wz, xz + wy, xy + wz,         T(1) - (xx + zz),
          yz - wx,          xz - wy, yz + wx, T(1) - (xx + yy)};
}
// Unit quaternion of a rotation matrix (Shepperd's choice of the largest component), w >= 0.
Quat<double> quaternion(const Mat3<double>& R);

using Mat3d = Mat3<double>;

}  // namespace legwork
