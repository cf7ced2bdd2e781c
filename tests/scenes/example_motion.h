#pragma once
// A body with every joint type, every shape and several roots, and a made-up smooth motion of it with awkward
// numbers: what a file format must carry.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <legwork/motion.h>
#include "creature/complete.h"
#include "dynamics/dynamics.h"

namespace legwork {

inline Shape example_shape(ShapeType type, const Vec3d& size) {
  Shape shape;
  shape.type = type, shape.size = size;
  shape.touches = false;  // the contact points are those that are named
  return shape;
}

inline Shape example_tetrahedron() {
  Shape shape = example_shape(ShapeType::mesh, {});
  shape.mesh.vertices = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
  shape.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return shape;
}

inline Joint example_joint(const std::string& name, JointType type, const std::vector<Vec3d>& axes) {
  Joint joint;
  joint.name = name, joint.type = type, joint.axes = axes;
  if (type == JointType::keyframed) {
    joint.paths.resize(2);
    joint.paths[0].min = {-0.4, 0, 0.1, -0.01, 0, 0}, joint.paths[0].max = {0.5, 0.1, 0, 0.01, 0.02, 0};
    joint.paths[1].min = {0, -0.3, 0, 0, 0, -0.02}, joint.paths[1].max = {0, 0.6, 0, 0, 0, 0.03};
    joint.neutral = {0.1, 0, 0, 0, 0.01, 0};
  }
  joint.dofs.resize(std::size_t(nv(joint)));
  for (std::size_t i = 0; i < joint.dofs.size(); ++i)
    joint.dofs[i].name = joint.dofs.size() == 1 ? name : name + "_" + std::to_string(i);
  return joint;
}

inline int example_link(Creature& c, const std::string& name, int parent, const Vec3d& pos,
                        const std::vector<Joint>& joints, const std::vector<Shape>& shapes) {
  Link link;
  link.name = name, link.parent = parent, link.pos = pos, link.joints = joints, link.shapes = shapes;
  link.mass = 0.1 + 0.01 * double(c.links.size());
  link.com = {0.01, 0, -0.02};
  link.inertia = Sym3d::diagonal(1e-3, 1.1e-3, 1.2e-3);
  c.links.push_back(link);
  return int(c.links.size()) - 1;
}

inline Creature example_creature() {
  Creature c;
  c.name = "everything";
  c.about = "every joint, every shape \xC3\xA4\xE2\x86\x92";
  const Shape capsule = example_shape(ShapeType::capsule, {0.02, 0.15, 0});
  const int body = example_link(c, "body", -1, {0, 0, 0.5}, {example_joint("root", JointType::free, {})},
                                {example_shape(ShapeType::box, {0.3, 0.2, 0.1})});
  const int thigh =
      example_link(c, "thigh", body, {0.1, -0.1, 0}, {example_joint("hip", JointType::ball, {})}, {capsule});
  Joint knee = example_joint("knee", JointType::hinge, {{0, 1, 0}});
  knee.anchor = {0, 0, 0.075};
  const int shank = example_link(c, "shank", thigh, {0, 0, -0.2}, {knee}, {capsule});
  c.links[shank].rot = normalized(Quatd{0.9, 0.1, 0.2, -0.1});
  const int foot = example_link(c, "foot", shank, {0, 0, -0.1},
                                {example_joint("ankle", JointType::universal, {{1, 0, 0}, {0, 1, 0}})},
                                {example_shape(ShapeType::ellipsoid, {0.05, 0.02, 0.01})});
  const int tail =
      example_link(c, "tail", body, {-0.15, 0, 0}, {example_joint("tail", JointType::slide, {{1, 0, 0}})},
                   {example_shape(ShapeType::cylinder, {0.01, 0.1, 0})});
  example_link(c, "tip", tail, {-0.1, 0, 0}, {}, {example_shape(ShapeType::sphere, {0.02, 0, 0})});
  Shape wing = example_tetrahedron();
  wing.color = {0.2, 0.4, 0.8};
  example_link(c, "wing", body, {0, 0.1, 0.05}, {example_joint("wing", JointType::keyframed, {})},
               {wing, wing});
  const int cart = example_link(c, "cart", -1, {1, 0, 0},
                                {example_joint("cart", JointType::planar, {{1, 0, 0}, {0, 1, 0}})},
                                {example_shape(ShapeType::box, {0.2, 0.2, 0.2})});
  example_link(c, "mast", cart, {0, 0, 0.1},
               {example_joint("yaw", JointType::hinge, {{0, 0, 1}}),
                example_joint("pitch", JointType::hinge, {{0, 1, 0}})},
               {});
  c.contacts = {{"sole", foot, {0.05, 0, -0.01}, 0, true}, {"tip", 5, {}, 0.02, false}};
  complete(c);
  return c;
}

// Smooth, with large turns: the body rolls over several times a second.
inline Motion example_motion(int frames, double dt = 0.01) {
  Motion m;
  m.creature = example_creature();
  for (int f = 0; f < frames; ++f) {
    const double t = f * dt;
    m.time.push_back(t);
    int k = 0;
    for (const Link& link : m.creature.links)
      for (const Joint& joint : link.joints) {
        const auto wave = [&](double size) {
          ++k;
          return size * std::sin((1 + 0.3 * k) * t + k);
        };
        if (joint.type == JointType::free)
          for (const double x : {0.7 * t + 1.0 / 3, wave(0.1), 0.5 + wave(0.05)}) m.q.push_back(x);
        if (joint.type == JointType::free || joint.type == JointType::ball) {
          const double half = 2.5 * t + k;
          const Vec3d axis = normalized(Vec3d{1, std::sin(t), 0.3});
          for (const double x :
               {std::cos(half), std::sin(half) * axis.x, std::sin(half) * axis.y, std::sin(half) * axis.z})
            m.q.push_back(x);
        } else {
          for (int i = 0; i < nq(joint); ++i) m.q.push_back(wave(0.4));
        }
      }
    for (int i = 0; i < m.creature.nv(); ++i) {
      m.v.push_back(std::cos(t + i) / 3);
      m.tau.push_back(std::exp(-t) * i);
    }
    for (std::size_t i = 0; i < 3 * m.creature.contacts.size(); ++i)
      m.contact_force.push_back(f % 7 < 3 ? 0 : 10.0 / double(i + 1));
  }
  m.channels.push_back({"speed", "m/s", 1, std::vector<double>(std::size_t(frames), 0.1)});
  m.channels.push_back({"wind", "m/s", 3, std::vector<double>(std::size_t(frames) * 3, -1e-310)});
  if (frames > 1) m.channels[0].values[1] = std::numeric_limits<double>::quiet_NaN();
  if (frames > 2) m.channels[0].values[2] = -0.0;
  m.status = Status::fell;
  m.status_text = "at 0.3 s the \"body\" touched the ground";
  m.status_time = 0.1 + 0.2;
  m.made = {"drop", "everything.toml", "0.1.0", "verb = \"drop\"\nseconds = 2\n", 0xFFFFFFFFFFFFFFFFull};
  return m;
}

// Every degree of freedom swings a little about the pose "stand".
inline Motion swing(const Creature& creature) {
  Motion m;
  m.creature = creature;
  const Model<double> model = make_model(creature);
  const std::vector<double> stand = creature.pose("stand");
  std::vector<double> v(model.nv), q(model.nq);
  for (int f = 0; f < 30; ++f) {
    m.time.push_back(f / 60.0);
    for (int i = 0; i < model.nv; ++i) v[i] = 0.2 * std::sin(f * 0.2 + i);
    integrate_positions(model, stand.data(), v.data(), 1.0, q.data());
    m.q.insert(m.q.end(), q.begin(), q.end());
  }
  return m;
}

}  // namespace legwork
