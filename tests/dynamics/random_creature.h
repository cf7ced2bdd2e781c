#pragma once
// Random trees with every joint type, for tests that compare one algorithm with another.

#include <string>
#include <vector>

#include <legwork/creature.h>
#include "base/random.h"
#include "math/vec.h"

namespace legwork {

inline Vec3d random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
inline Vec3d random_axis(Random& random) {
  Vec3d a = random_vector(random, 1);
  while (norm(a) < 0.1) a = random_vector(random, 1);
  return normalized(a);
}
inline Quatd random_rotation(Random& random) {
  return normalized(Quatd{random.normal(), random.normal(), random.normal(), random.normal()});
}

inline Joint random_joint(Random& random, JointType type, const std::string& name) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.anchor = random_vector(random, 0.1);
  if (type == JointType::hinge || type == JointType::slide) {
    joint.axes = {random_axis(random)};
    joint.q_zero = random.uniform(-0.5, 0.5);
  }
  if (type == JointType::universal || type == JointType::planar) {
    const Vec3d a = random_axis(random);
    joint.axes = {a, normalized(cross(a, random_axis(random)))};
  }
  if (type == JointType::keyframed) {
    for (double& x : joint.neutral) x = random.uniform(-0.2, 0.2);
    joint.paths.resize(1 + random.index(4));
    for (Keyframes& k : joint.paths)
      for (int i = 0; i < 6; ++i) k.min[i] = random.uniform(-0.6, 0.1), k.max[i] = random.uniform(-0.1, 0.6);
  }
  if (type == JointType::free || type == JointType::keyframed) joint.anchor = {};
  joint.dofs.resize(nv(joint));
  for (size_t i = 0; i < joint.dofs.size(); ++i) {
    joint.dofs[i].name = name + "." + std::to_string(i);
    joint.dofs[i].armature = type == JointType::free ? 0 : random.uniform(0, 0.01);
  }
  return joint;
}

// A tree of `links` links; the root is free, fixed or jointed, and one link in six has two joints.
inline Creature random_creature(Random& random, int links, const std::vector<JointType>& types) {
  Creature c;
  c.name = "random";
  for (int b = 0; b < links; ++b) {
    Link link;
    link.name = "link" + std::to_string(b);
    link.parent = b == 0 ? -1 : random.index(b);
    link.pos = random_vector(random, 0.3);
    link.rot = random_rotation(random);
    link.mass = random.uniform(0.1, 2);
    link.com = random_vector(random, 0.1);
    const double a = random.uniform(0.01, 0.03), b2 = random.uniform(0.01, 0.03);
    const double third = random.uniform(std::abs(a - b2) * 1.05 + 1e-3, (a + b2) * 0.95);
    link.inertia = rotate(matrix(random_rotation(random)), Sym3d::diagonal(a, b2, third));
    if (b == 0 && random.uniform() < 0.6) {
      link.joints.push_back(random_joint(random, JointType::free, link.name));
    } else {
      link.joints.push_back(random_joint(random, types[random.index(int(types.size()))], link.name));
      if (random.index(6) == 0 && link.joints[0].type != JointType::ball)
        link.joints.push_back(random_joint(random, JointType::hinge, link.name + "_second"));
    }
    c.links.push_back(link);
  }
  return c;
}

inline std::vector<double> random_positions(Random& random, const Creature& c) {
  std::vector<double> q;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      if (joint.type == JointType::free)
        for (int i = 0; i < 3; ++i) q.push_back(random.uniform(-1, 1));
      if (joint.type == JointType::free || joint.type == JointType::ball) {
        const Quatd r = random_rotation(random);
        q.insert(q.end(), {r.w, r.x, r.y, r.z});
      } else {
        const double reach = joint.type == JointType::keyframed ? 1.2
                             : joint.type == JointType::hinge   ? 3
                                                                : 0.5;
        for (int i = 0; i < nv(joint); ++i) q.push_back(random.uniform(-reach, reach));
      }
    }
  return q;
}

inline std::vector<double> random_values(Random& random, int n, double size) {
  std::vector<double> x(n);
  for (double& value : x) value = random.uniform(-size, size);
  return x;
}

inline const std::vector<JointType>& moving_joint_types() {
  static const std::vector<JointType> types = {JointType::hinge,     JointType::slide,  JointType::ball,
                                               JointType::universal, JointType::planar, JointType::keyframed};
  return types;
}

}  // namespace legwork
