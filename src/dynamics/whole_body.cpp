#include "dynamics/whole_body.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "math/small.h"

namespace legwork {

namespace {

constexpr int sweeps = 40;
// Weight of the squared forces (over the body's weight) beside the error of the wrench.
constexpr double ease = 1e-3;

struct Axes {
  Vec3d along[3];  // two along the ground, its normal
};
Axes axes_of(const Vec3d& normal) {
  const Vec3d x = std::fabs(normal.x) < 0.9 ? Vec3d(1, 0, 0) : Vec3d(0, 0, -1);
  const Vec3d level = x - normal * dot(x, normal), t = level * (1 / norm(level));
  return {{t, cross(normal, t), normal}};
}

}  // namespace

MeanMotion mean_motion(const Model<double>& m, const Workspace<double>& w) noexcept {
  const Wrench<double> total = momentum(m, w);
  const Vec3d com = center_of_mass(m, w);
  Sym3d I;
  for (int b = 0; b < m.nlink; ++b)
    I = I + w.I[size_t(b)] + point_inertia(w.p[size_t(b)] + w.c[size_t(b)] - com) * m.mass[size_t(b)];
  const SmallCholesky<3> inertia({{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}}});
  const Vec3d L = total.ang - cross(com, total.lin);
  const Numbers<3> spin = inertia.solve({L.x, L.y, L.z});
  return {total.lin * (1 / total_mass(m)), {spin[0], spin[1], spin[2]}};
}

void share_wrench(const Wrench<double>& wanted, double weight, double size, double friction,
                  SupportPoint* points, int count) noexcept {
  // forces over the weight, moments over weight and size
  const double per_force = 1 / weight, per_moment = 1 / (weight * size);
  const auto column = [&](const Vec3d& arm, const Vec3d& f) {
    return Wrench<double>{cross(arm, f) * per_moment, f * per_force};
  };
  const auto product = [](const Wrench<double>& a, const Wrench<double>& b) {
    return dot(a.lin, b.lin) + dot(a.ang, b.ang);
  };
  Wrench<double> left{wanted.ang * per_moment, wanted.lin * per_force};
  for (int i = 0; i < count; ++i) {
    const Axes axes = axes_of(points[i].normal);
    for (const Vec3d& e : axes.along) left += column(points[i].arm, e) * -dot(points[i].force, e);
  }
  const double small = ease / (weight * weight);
  for (int n = 0; n < sweeps; ++n)
    for (int i = 0; i < count; ++i) {
      const Axes axes = axes_of(points[i].normal);
      double c[3];
      for (int k = 0; k < 3; ++k) c[k] = dot(points[i].force, axes.along[k]);
      for (const int k : {2, 0, 1}) {
        const Wrench<double> a = column(points[i].arm, axes.along[k]);
        double next = c[k] + (product(a, left) - small * c[k]) / (product(a, a) + small);
        next = k == 2 ? std::max(next, 0.0) : std::clamp(next, -friction * c[2], friction * c[2]);
        left += a * (c[k] - next);
        c[k] = next;
      }
      points[i].force = axes.along[0] * c[0] + axes.along[1] * c[1] + axes.along[2] * c[2];
    }
}

}  // namespace legwork
