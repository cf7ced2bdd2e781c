// The motion of a finished run.

#include "dynamics/dynamics.h"
#include "motion/resample.h"
#include "reach/reach.h"

namespace legwork::reaching {

namespace {

// Legs that the plan says nothing of do not stand.
Channel planned_stances(const Findings& r, int frames, int frames_of_stride) {
  const size_t legs = r.creature.legs.size();
  Channel stance{"stance", "1", int(legs), std::vector<double>(size_t(frames) * legs)};
  for (int f = 0; f < frames; ++f)
    for (const Footfall& foot : r.plan.feet)
      if (r.plan.stance(foot, double(f) / frames_of_stride))
        stance.values[size_t(f) * legs + size_t(foot.leg)] = 1;
  return stance;
}

}  // namespace

Motion motion_of(const Findings& r, const ReachOptions& o, const World& world) {
  Motion m;
  m.creature = r.creature;
  m.terrain = world.terrain;
  m.gravity = norm(world.gravity);
  const std::vector<double> stand = r.creature.pose("stand");
  const bool walks = o.task == Kind::walk && r.animated;
  const int n = int(r.q.size()), strides = walks ? o.strides : 1;
  const int frames = !r.animated ? 1 : walks ? n * strides + 1 : n;
  const Model<double> model = make_model(r.creature);
  for (int f = 0; f < frames; ++f) {
    std::vector<double> q = r.animated ? r.q[size_t(walks ? f % n : f)] : stand;
    if (walks) q[0] += f / n * r.plan.stride;
    m.time.push_back(f / world.rate);
    m.q.insert(m.q.end(), q.begin(), q.end());
  }
  fill_velocities(model, world.rate, m);
  Workspace<double> w(model);
  Channel com{"center of mass", "m", 3, {}};
  std::vector<Channel> roots;
  for (const GirdleProblem& g : r.problem.girdles)
    for (const char* what : {"pitch", "yaw", "roll"})
      roots.push_back({g.girdle.name + " " + what, "rad", 1, {}});
  for (const GirdleProblem& g : r.problem.girdles)
    for (const char* what : {"sway", "height"}) roots.push_back({g.girdle.name + " " + what, "m", 1, {}});
  for (int f = 0; f < frames; ++f) {
    const double* q = &m.q[size_t(f) * size_t(model.nq)];
    update_positions(model, q, w);
    const Vec3d c = center_of_mass(model, w);
    com.values.insert(com.values.end(), {c.x, c.y, c.z});
    const std::vector<LinkFrame> placed = place(r.creature, std::vector<double>(q, q + model.nq));
    size_t k = 0;
    for (const GirdleProblem& g : r.problem.girdles) {
      const Turns t = girdle_pose(g.girdle, placed, 0).turns;
      for (const double v : {t.pitch, t.yaw, t.roll}) roots[k++].values.push_back(v);
    }
    for (const GirdleProblem& g : r.problem.girdles) {
      const Vec3d at = girdle_pose(g.girdle, placed, 0).at;
      for (const double v : {at.y, at.z}) roots[k++].values.push_back(v);
    }
  }
  m.channels.push_back(std::move(com));
  for (Channel& c : roots) m.channels.push_back(std::move(c));
  if (walks) m.channels.push_back(planned_stances(r, frames, n));
  return m;
}

}  // namespace legwork::reaching
