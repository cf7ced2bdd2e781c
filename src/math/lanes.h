#pragma once
// Eight things of one kind into the lanes of a batch and back: N doubles of each, wherever they lie. Inlined
// whatever their size: called, they would pass registers through memory.

#include "math/spatial.h"

#define LEGWORK_INLINE [[gnu::always_inline]] inline

namespace legwork {

// Rows become columns: lane i of x[k] and lane k of x[i] change places.
LEGWORK_INLINE void transpose(Batch::Lanes (&x)[8]) {
  Batch::Lanes y[8];
  for (int i = 0; i < 8; i += 2) {
    y[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    y[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; ++k) {
      x[i + k] = __builtin_shufflevector(y[i + k], y[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      x[i + k + 2] = __builtin_shufflevector(y[i + k], y[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    y[i] = __builtin_shufflevector(x[i], x[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    y[i + 4] = __builtin_shufflevector(x[i], x[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int i = 0; i < 8; ++i) x[i] = y[i];
}

// The first N of eight doubles, without a detour through memory.
template <int N>
LEGWORK_INLINE Batch::Lanes load(const double* p) {
  static_assert(N == 3 || N == 6 || N == 8);
  if constexpr (N == 3) return Batch::Lanes{p[0], p[1], p[2]};
  if constexpr (N == 6) return Batch::Lanes{p[0], p[1], p[2], p[3], p[4], p[5]};
  if constexpr (N == 8) return Batch::Lanes{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
}

// The N doubles from `row(i)` on go to lane i of out[0 .. N - 1].
template <int N, class Row>
LEGWORK_INLINE void gather(const Row& row, Batch* out) {
  Batch::Lanes x[8];
  for (int i = 0; i < batch_lanes; ++i) x[i] = load<N>(row(i));
  transpose(x);
  for (int k = 0; k < N; ++k) out[k].v = x[k];
}
// And back. Rows that coincide must have lanes that agree.
template <int N, class Row>
LEGWORK_INLINE void scatter(const Batch* in, const Row& row) {
  Batch::Lanes x[8] = {};
  for (int k = 0; k < N; ++k) x[k] = in[k].v;
  transpose(x);
  for (int i = 0; i < batch_lanes; ++i) __builtin_memcpy(row(i), &x[i], N * sizeof(double));
}

// The same for the types of spatial algebra: `of(i)` is the one of lane i.
template <class Of>
LEGWORK_INLINE void gather(const Of& of, Vec3<Batch>& out) {
  gather<3>([&](int i) { return &of(i).x; }, &out.x);
}
template <class Of>
LEGWORK_INLINE void gather(const Of& of, Sym3<Batch>& out) {
  gather<6>([&](int i) { return &of(i).xx; }, &out.xx);
}
template <class Of>
LEGWORK_INLINE void gather(const Of& of, Twist<Batch>& out) {
  gather<6>([&](int i) { return &of(i).ang.x; }, &out.ang.x);
}
template <class Of>
LEGWORK_INLINE void gather(const Of& of, Wrench<Batch>& out) {
  gather<6>([&](int i) { return &of(i).ang.x; }, &out.ang.x);
}
template <class Of>
LEGWORK_INLINE void gather(const Of& of, Mat3<Batch>& out) {
  Batch rows[8];  // rows of double, padded to four
  gather<8>([&](int i) { return &of(i).m[0][0]; }, rows);
  for (int j = 0; j < 3; ++j) out(0, j) = rows[j], out(1, j) = rows[4 + j];
  gather<3>([&](int i) { return &of(i).m[2][0]; }, &out.m[2][0]);
}
template <class Of>
LEGWORK_INLINE void gather(const Of& of, Inertia<Batch>& out) {
  gather([&](int i) -> const Sym3d& { return of(i).I; }, out.I);
  gather([&](int i) -> const Mat3d& { return of(i).H; }, out.H);
  gather([&](int i) -> const Sym3d& { return of(i).M; }, out.M);
}
template <class Of>
LEGWORK_INLINE void scatter(const Vec3<Batch>& in, const Of& of) {
  scatter<3>(&in.x, [&](int i) { return &of(i).x; });
}
template <class Of>
LEGWORK_INLINE void scatter(const Sym3<Batch>& in, const Of& of) {
  scatter<6>(&in.xx, [&](int i) { return &of(i).xx; });
}
template <class Of>
LEGWORK_INLINE void scatter(const Twist<Batch>& in, const Of& of) {
  scatter<6>(&in.ang.x, [&](int i) { return &of(i).ang.x; });
}
template <class Of>
LEGWORK_INLINE void scatter(const Wrench<Batch>& in, const Of& of) {
  scatter<6>(&in.ang.x, [&](int i) { return &of(i).ang.x; });
}
template <class Of>
LEGWORK_INLINE void scatter(const Mat3<Batch>& in, const Of& of) {
  Batch rows[8];
  for (int j = 0; j < 3; ++j) rows[j] = in(0, j), rows[4 + j] = in(1, j);
  rows[3] = rows[7] = Batch(0.0);
  scatter<8>(rows, [&](int i) { return &of(i).m[0][0]; });
  scatter<3>(&in.m[2][0], [&](int i) { return &of(i).m[2][0]; });
}
template <class Of>
LEGWORK_INLINE void scatter(const Inertia<Batch>& in, const Of& of) {
  scatter(in.I, [&](int i) -> Sym3d& { return of(i).I; });
  scatter(in.H, [&](int i) -> Mat3d& { return of(i).H; });
  scatter(in.M, [&](int i) -> Sym3d& { return of(i).M; });
}

}  // namespace legwork

#undef LEGWORK_INLINE
