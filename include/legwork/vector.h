#pragma once
// Three-vectors, symmetric 3x3 matrices and unit quaternions (w x y z), on any scalar.

#include <cmath>

namespace legwork {

template <class T>
struct Vec3 {
  T x, y, z;

  Vec3() : x(0), y(0), z(0) {}
  Vec3(const T& x, const T& y, const T& z) : x(x), y(y), z(z) {}
  template <class U>
  explicit Vec3(const Vec3<U>& o) : x(o.x), y(o.y), z(o.z) {}

  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

template <class T>
Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vec3<T> operator*(const Vec3<T>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) {
  return a = a + b;
}
template <class T>
Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) {
  return a = a - b;
}
template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
Vec3<T> normalized(const Vec3<T>& a) {
  return a * (T(1) / norm(a));
}
inline bool operator==(const Vec3<double>& a, const Vec3<double>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Symmetric 3x3 matrix.
template <class T>
struct Sym3 {
  T xx, yy, zz, xy, xz, yz;

  Sym3() : xx(0), yy(0), zz(0), xy(0), xz(0), yz(0) {}
  Sym3(const T& xx, const T& yy, const T& zz, const T& xy, const T& xz, const T& yz)
      : xx(xx), yy(yy), zz(zz), xy(xy), xz(xz), yz(yz) {}
  template <class U>
  explicit Sym3(const Sym3<U>& o) : xx(o.xx), yy(o.yy), zz(o.zz), xy(o.xy), xz(o.xz), yz(o.yz) {}
  static Sym3 diagonal(const T& x, const T& y, const T& z) { return {x, y, z, T(0), T(0), T(0)}; }

  T operator()(int i, int j) const {
    return i == j ? (i == 0 ? xx : i == 1 ? yy : zz) : (i + j == 1 ? xy : i + j == 2 ? xz : yz);
  }
};

// Rotation quaternion, w x y z; default is no rotation.
template <class T>
struct Quat {
  T w, x, y, z;

  Quat() : w(1), x(0), y(0), z(0) {}
  Quat(const T& w, const T& x, const T& y, const T& z) : w(w), x(x), y(y), z(z) {}
};

using Vec3d = Vec3<double>;
using Sym3d = Sym3<double>;
using Quatd = Quat<double>;

}  // namespace legwork
