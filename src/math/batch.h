#pragma once
// Batch: eight doubles that move in step, one lane per creature.
//
// Built on the compilers' vector extension, so the same source becomes AVX-512, AVX2, NEON or plain scalar
// code. Every operation is the IEEE operation of each lane, so a lane holds the bits that `double` would.
// Code templated on the scalar T uses only what stands here and in real.h: + - * /, sqrt, abs, min, max,
// comparisons that give a mask, and select.

#include <cmath>

namespace legwork {

inline constexpr int batch_lanes = 8;

struct Batch {
  typedef double Lanes __attribute__((vector_size(batch_lanes * sizeof(double))));
  typedef long long Mask __attribute__((vector_size(batch_lanes * sizeof(long long))));

  Lanes v;

  Batch() = default;
  Batch(double x) : v{x, x, x, x, x, x, x, x} {}
  Batch(int x) : Batch(double(x)) {}
  Batch(const Lanes& lanes) : v(lanes) {}

  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }
};

// One truth value per lane: all bits set or none.
struct BatchMask {
  Batch::Mask m;
};

inline Batch operator+(const Batch& a, const Batch& b) { return a.v + b.v; }
inline Batch operator-(const Batch& a, const Batch& b) { return a.v - b.v; }
inline Batch operator*(const Batch& a, const Batch& b) { return a.v * b.v; }
inline Batch operator/(const Batch& a, const Batch& b) { return a.v / b.v; }
inline Batch operator-(const Batch& a) { return -a.v; }
inline Batch& operator+=(Batch& a, const Batch& b) { return a.v += b.v, a; }
inline Batch& operator-=(Batch& a, const Batch& b) { return a.v -= b.v, a; }
inline Batch& operator*=(Batch& a, const Batch& b) { return a.v *= b.v, a; }

inline BatchMask operator<(const Batch& a, const Batch& b) { return {a.v < b.v}; }
inline BatchMask operator>(const Batch& a, const Batch& b) { return {a.v > b.v}; }
inline BatchMask operator<=(const Batch& a, const Batch& b) { return {a.v <= b.v}; }
inline BatchMask operator>=(const Batch& a, const Batch& b) { return {a.v >= b.v}; }
inline BatchMask operator&(const BatchMask& a, const BatchMask& b) { return {a.m & b.m}; }
inline BatchMask operator|(const BatchMask& a, const BatchMask& b) { return {a.m | b.m}; }
inline BatchMask operator!(const BatchMask& a) { return {~a.m}; }

// Lane by lane: a where the mask holds, else b.
inline Batch select(const BatchMask& mask, const Batch& a, const Batch& b) {
  return (Batch::Lanes)(((Batch::Mask)a.v & mask.m) | ((Batch::Mask)b.v & ~mask.m));
}
inline double select(bool mask, double a, double b) { return mask ? a : b; }

inline bool any(const BatchMask& mask) {
  long long bits = 0;
  for (int i = 0; i < batch_lanes; ++i) bits |= mask.m[i];
  return bits != 0;
}
inline bool any(bool mask) { return mask; }
inline bool all(const BatchMask& mask) { return !any(!mask); }
inline bool all(bool mask) { return mask; }

inline Batch sqrt(const Batch& a) {
  Batch r;
  for (int i = 0; i < batch_lanes; ++i) r.v[i] = std::sqrt(a.v[i]);
  return r;
}
inline Batch abs(const Batch& a) {
  const Batch::Mask magnitude = (Batch::Mask{} - 1) ^ (1LL << 63);  // all bits but the sign
  return (Batch::Lanes)((Batch::Mask)a.v & magnitude);
}
inline Batch min(const Batch& a, const Batch& b) { return select(b < a, b, a); }
inline Batch max(const Batch& a, const Batch& b) { return select(a < b, b, a); }
inline double min(double a, double b) { return b < a ? b : a; }
inline double max(double a, double b) { return a < b ? b : a; }
inline double sqrt(double a) { return std::sqrt(a); }
inline double abs(double a) { return std::fabs(a); }

// The mask type of a scalar.
template <class T>
struct MaskOf {
  using type = bool;
};
template <>
struct MaskOf<Batch> {
  using type = BatchMask;
};
template <class T>
using Mask = typename MaskOf<T>::type;

// One lane of a scalar; a double has the same value in every lane.
inline double lane(double x, int) { return x; }
inline double lane(const Batch& x, int i) { return x.v[i]; }
inline void set_lane(double& x, int, double value) { x = value; }
inline void set_lane(Batch& x, int i, double value) { x.v[i] = value; }

template <class T>
inline constexpr int lanes_of = 1;
template <>
inline constexpr int lanes_of<Batch> = batch_lanes;

}  // namespace legwork
