// Responses of a scalar's tree to its rows, eight rows at a time: what propagate_forces does for one.

#include <algorithm>
#include <type_traits>

#include "dynamics/constrained.h"

namespace legwork {

namespace {

template <class Spatial>
auto in_all_lanes(const Spatial& s) noexcept {
  const auto three = [](const Vec3d& v) { return Vec3<Batch>(Batch(v.x), Batch(v.y), Batch(v.z)); };
  if constexpr (std::is_same_v<Spatial, Twist<double>>)
    return Twist<Batch>{three(s.ang), three(s.lin)};
  else if constexpr (std::is_same_v<Spatial, Wrench<double>>)
    return Wrench<Batch>{three(s.ang), three(s.lin)};
  else
    return three(s);
}

void take_from_lane(Wrench<Batch>& f, int lane, const Wrench<double>& g) noexcept {
  for (int i = 0; i < 3; ++i)
    f.ang[i].set(lane, f.ang[i][lane] - g.ang[i]), f.lin[i].set(lane, f.lin[i][lane] - g.lin[i]);
}

// The torques of the joints' terms of rows first .. first + count - 1; false: there are none.
bool put_torques(const Model<double>& m, int first, int count, Constraints<double>& c) noexcept {
  bool found = false;
  for (int i = 0; i < count; ++i) {
    const Row<double>& row = c.row[first + i];
    for (int k = row.first; k < row.first + row.count; ++k) {
      if (!found)
        for (int j = 0; j < m.nv; ++j) c.joint_torque[j] = Batch(0.0);
      found = true;
      Batch& torque = c.joint_torque[c.terms[k].dof];
      torque.set(i, torque[i] + c.terms[k].factor);
    }
  }
  return found;
}

// The responses to rows first .. first + 7, a row in each lane: fills their part of Y and, from the diagonal
// on, of A.
void respond_from(const Model<double>& m, const Workspace<double>& w, int first,
                  Constraints<double>& c) noexcept {
  const int count = std::min(batch_lanes, c.rows - first), stride = int(c.row.size());
  for (int b = 0; b < m.nlink; ++b) c.force[b] = {};
  for (int i = 0; i < count; ++i) {
    const Row<double>& row = c.row[first + i];
    if (row.a >= 0) take_from_lane(c.force[row.a], i, row.on_a);
    if (row.b >= 0) take_from_lane(c.force[row.b], i, row.on_b);
  }
  const bool torques = put_torques(m, first, count, c);
  for (int b = m.nlink - 1; b >= 0; --b) {
    Wrench<Batch> p = c.force[b];
    for (int j = m.dof_begin[b + 1] - 1; j >= m.dof_begin[b]; --j) {
      c.joint[j] =
          ((torques ? c.joint_torque[j] : Batch(0.0)) - dot(in_all_lanes(w.S[j]), p)) * Batch(w.invD[j]);
      p += in_all_lanes(w.U[j]) * c.joint[j];
    }
    if (m.parent[b] >= 0) c.force[m.parent[b]] += shift_back(p, in_all_lanes(w.r[b]));
  }
  for (int b = 0; b < m.nlink; ++b) {
    Twist<Batch> a = m.parent[b] >= 0 ? shift(c.motion[m.parent[b]], in_all_lanes(w.r[b])) : Twist<Batch>();
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) {
      const Batch x = c.joint[j] - dot(a, in_all_lanes(w.U[j])) * Batch(w.invD[j]);
      a += in_all_lanes(w.S[j]) * x;
      for (int i = 0; i < count; ++i) c.Y[size_t(first + i) * m.nv + j] = x[i];
      c.joint[j] = x;
    }
    c.motion[b] = a;
  }
  for (int k = first; k < c.rows; ++k) {
    const Row<double>& row = c.row[k];
    Batch sum(0.0);
    if (row.a >= 0) sum += dot(c.motion[row.a], in_all_lanes(row.on_a));
    if (row.b >= 0) sum += dot(c.motion[row.b], in_all_lanes(row.on_b));
    for (int i = row.first; i < row.first + row.count; ++i)
      sum += Batch(c.terms[i].factor) * c.joint[c.terms[i].dof];
    for (int i = 0; i < count && first + i <= k; ++i)
      c.A[k * stride + first + i] = c.A[(first + i) * stride + k] = sum[i];
  }
}

}  // namespace

void respond_in_lanes(const Model<double>& m, const Workspace<double>& w, Constraints<double>& c) noexcept {
  for (int first = 0; first < c.rows; first += batch_lanes) respond_from(m, w, first, c);
}

}  // namespace legwork
