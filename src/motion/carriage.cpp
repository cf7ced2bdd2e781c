#include <legwork/carriage.h>

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "math/rotation.h"
#include "math/scalar.h"

namespace legwork {

namespace {

struct Range {
  double low = unlimited, high = -unlimited;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
  double size() const { return high >= low ? high - low : unknown; }
};

// What carries the legs of each girdle, in the creature's order of girdles.
struct Carrier {
  std::string name;
  int link = 0;
};
std::vector<Carrier> carriers_of(const Creature& c) {
  std::vector<Carrier> carriers;
  for (const Leg& leg : c.legs) {
    const int parent = c.links[size_t(leg.hip)].parent, link = parent >= 0 ? parent : leg.hip;
    if (std::none_of(carriers.begin(), carriers.end(),
                     [&](const Carrier& k) { return k.name == leg.girdle; }))
      carriers.push_back({leg.girdle, link});
  }
  return carriers;
}

}  // namespace

Carriage measure_carriage(const Motion& motion, const Gait& gait) {
  Carriage carriage;
  const double stride = gait.stride_time;
  const int last = motion.frames() - 1;
  if (!(stride > 0) || motion.duration() < stride || last < 4) return carriage;
  int first = last;
  while (first > 0 && motion.time[size_t(last)] - motion.time[size_t(first)] < stride - 1e-6) --first;
  const Model<double> m = make_model(motion.creature);
  Workspace<double> w(m);
  const std::vector<Carrier> carriers = carriers_of(motion.creature);
  std::vector<Vec3d> com, speed;
  std::vector<std::vector<Mat3d>> axes(carriers.size());
  for (int f = first; f <= last; ++f) {
    const double* v = &motion.v[size_t(f) * size_t(m.nv)];
    update_positions(m, &motion.q[size_t(f) * size_t(m.nq)], w);
    update_velocities(m, &motion.q[size_t(f) * size_t(m.nq)], v, w);
    com.push_back(center_of_mass(m, w));
    speed.push_back(linear_momentum(m, w) * (1 / total_mass(m)));
    for (size_t k = 0; k < carriers.size(); ++k) axes[k].push_back(w.R[size_t(carriers[k].link)]);
  }
  const size_t n = com.size();
  const Vec3d way = com.back() - com.front(), level{way.x, way.y, 0};
  const Vec3d ahead = norm(level) > 1e-6 ? normalized(level) : Vec3d{1, 0, 0},
              left = cross(Vec3d{0, 0, 1}, ahead);
  Range bob, sway, surge, force;
  double mean = 0;
  for (size_t i = 0; i < n; ++i) {
    const double share = double(i) / double(n - 1);
    bob.add(com[i].z - share * way.z), sway.add(dot(com[i] - com.front() - way * share, left));
    surge.add(dot(speed[i], ahead)), mean += dot(speed[i], ahead) / double(n);
    if (i == 0 || i + 1 == n) continue;
    const double dt = motion.time[size_t(first) + i + 1] - motion.time[size_t(first) + i - 1];
    force.add(1 + (speed[i + 1].z - speed[i - 1].z) / (dt * motion.gravity));
  }
  carriage.bob = bob.size(), carriage.sway = sway.size();
  if (mean > 1e-6) carriage.surge = surge.size() / mean;
  if (motion.gravity > 0) carriage.least_force = force.low, carriage.most_force = force.high;
  for (size_t k = 0; k < carriers.size(); ++k) {
    // small turns from the first frame's axes, about the heading's
    Range roll, pitch, yaw;
    for (const Mat3d& R : axes[k]) {
      const Vec3d turned = rotation_vector(quaternion(R * transpose(axes[k][0])));
      roll.add(dot(turned, ahead)), pitch.add(dot(turned, left)), yaw.add(turned.z);
    }
    carriage.girdles.push_back({carriers[k].name, roll.size(), pitch.size(), yaw.size()});
  }
  return carriage;
}

}  // namespace legwork
