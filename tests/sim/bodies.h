#pragma once
// Small bodies with known answers, built by hand.

#include <cmath>
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace legwork::bodies {

inline Joint joint(JointType type, std::vector<Vec3d> axes = {}) {
  Joint j;
  j.type = type;
  j.axes = std::move(axes);
  j.dofs.resize(nv(j));
  return j;
}

inline Sym3d box_inertia(double mass, const Vec3d& size) {
  const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
  return Sym3d::diagonal(mass / 12 * (y + z), mass / 12 * (x + z), mass / 12 * (x + y));
}

// A box whose centre lies at com in its frame.
inline Link box_link(const std::string& name, double mass, const Vec3d& size, const Vec3d& com = {}) {
  Link link;
  link.name = name;
  link.mass = mass;
  link.com = com;
  link.inertia = box_inertia(mass, size);
  return link;
}

inline void add_corners(Creature& c, int link, const Vec3d& size) {
  for (int i = 0; i < 8; ++i) {
    const Vec3d half(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    const Vec3d corner(half.x * size.x, half.y * size.y, half.z * size.z);
    c.contacts.push_back(
        {c.links[link].name + std::to_string(i), link, c.links[link].com + corner, 0, false});
  }
}

inline void name_dofs(Creature& c) {
  for (Link& link : c.links) {
    int n = 0;
    for (Joint& j : link.joints)
      for (Dof& d : j.dofs) d.name = link.name + std::to_string(n++);
  }
}

// n bars of mass 1 hanging from the world, one below the other; hinges turn about y.
inline Creature chain(int n, double length = 1, JointType type = JointType::hinge) {
  Creature c;
  c.name = "chain";
  for (int i = 0; i < n; ++i) {
    Link link = box_link("bar" + std::to_string(i), 1, {0.1, 0.05, length}, {0, 0, -0.5 * length});
    link.parent = i - 1;
    if (i > 0) link.pos = {0, 0, -length};
    link.joints = {type == JointType::hinge ? joint(type, {Vec3d(0, 1, 0)}) : joint(type)};
    c.links.push_back(link);
  }
  name_dofs(c);
  return c;
}

// A point mass on a massless rod.
inline Creature simple_pendulum(double mass, double length) {
  Creature c;
  c.name = "pendulum";
  Link link;
  link.name = "bob";
  link.mass = mass;
  link.com = {0, 0, -length};
  link.joints = {joint(JointType::hinge, {Vec3d(0, 1, 0)})};
  c.links = {link};
  name_dofs(c);
  return c;
}

// Two point masses of 1 kg on massless rods of 1 m.
inline Creature double_pendulum() {
  Creature c = simple_pendulum(1, 1);
  c.links.push_back(c.links[0]);
  c.links[1].name = "bob2";
  c.links[1].parent = 0;
  c.links[1].pos = {0, 0, -1};
  name_dofs(c);
  return c;
}

// A free box of 1 kg with contact points at its corners; its frame lies `offset` from the centre.
inline Creature box(const Vec3d& size = {0.4, 0.3, 0.2}, const Vec3d& offset = {}) {
  Creature c;
  c.name = "box";
  Link link = box_link("box", 1, size, -offset);
  link.joints = {joint(JointType::free)};
  c.links = {link};
  add_corners(c, 0, size);
  name_dofs(c);
  return c;
}

inline Creature ball(double radius = 0.1, double mass = 1) {
  Creature c;
  c.name = "ball";
  Link link;
  link.name = "ball";
  link.mass = mass;
  const double i = 0.4 * mass * radius * radius;
  link.inertia = Sym3d::diagonal(i, i, i);
  link.joints = {joint(JointType::free)};
  c.links = {link};
  c.contacts = {{"ball", 0, {}, radius, false}};
  name_dofs(c);
  return c;
}

// A free trunk with limbs on many kinds of joints: nothing symmetric, nothing aligned.
inline Creature tumbler() {
  Creature c;
  c.name = "tumbler";
  Link trunk = box_link("trunk", 2, {0.5, 0.3, 0.2}, {0.02, -0.01, 0.03});
  trunk.joints = {joint(JointType::free)};
  c.links = {trunk};
  const auto limb = [&](const char* name, int parent, Vec3d pos, Joint j) {
    Link link = box_link(name, 0.7, {0.08, 0.07, 0.4}, {0.01, 0.02, -0.2});
    link.parent = parent;
    link.pos = pos;
    link.rot = normalized(Quatd(1, 0.1, -0.2, 0.3));
    link.joints = {std::move(j)};
    c.links.push_back(link);
  };
  limb("upper", 0, {0.2, 0.15, 0}, joint(JointType::ball));
  limb("lower", 1, {0, 0, -0.4}, joint(JointType::hinge, {normalized(Vec3d(0.2, 1, 0.1))}));
  limb("wing", 0, {-0.2, -0.15, 0.05}, joint(JointType::universal, {Vec3d(1, 0, 0), Vec3d(0, 1, 0)}));
  limb("slider", 0, {-0.25, 0.1, 0}, joint(JointType::slide, {Vec3d(0, 0, 1)}));
  for (int i = 0; i < int(c.links.size()); ++i)
    add_corners(c, i, i == 0 ? Vec3d(0.5, 0.3, 0.2) : Vec3d(0.08, 0.07, 0.4));
  name_dofs(c);
  return c;
}

// A six-legged body of boxes: a trunk on a free joint, each leg three hinges with exponential springs,
// dampers and limits.
inline Creature hexapod() {
  Creature c;
  c.name = "hexapod";
  Link trunk = box_link("trunk", 1, {0.4, 0.15, 0.08});
  trunk.joints = {joint(JointType::free)};
  c.links = {trunk};
  add_corners(c, 0, {0.4, 0.15, 0.08});
  for (int i = 0; i < 6; ++i) {
    const double side = i % 2 ? 1 : -1, along = 0.15 * (i / 2 - 1);
    Link thigh = box_link("thigh" + std::to_string(i), 0.06, {0.02, 0.16, 0.02}, {0, side * 0.08, 0});
    thigh.parent = 0;
    thigh.pos = {along, side * 0.075, 0};
    thigh.joints = {joint(JointType::hinge, {Vec3d(0, 0, 1)}), joint(JointType::hinge, {Vec3d(1, 0, 0)})};
    const int hip = int(c.links.size());
    c.links.push_back(thigh);
    Link shank = box_link("shank" + std::to_string(i), 0.04, {0.015, 0.015, 0.2}, {0, 0, -0.1});
    shank.parent = hip;
    shank.pos = {0, side * 0.16, 0};
    shank.joints = {joint(JointType::hinge, {Vec3d(1, 0, 0)})};
    c.links.push_back(shank);
    c.contacts.push_back({"foot" + std::to_string(i), hip + 1, {0, 0, -0.2}, 0.01, true});
    for (const int link : {hip, hip + 1})
      for (Joint& j : c.links[link].joints)
        for (Dof& d : j.dofs) {
          d.spring = {SpringType::exponential, 0.4, 6, 0};
          d.damper = 0.02;
          d.lower = -1, d.upper = 1;
        }
  }
  name_dofs(c);
  return c;
}

inline World in_space(Creature c) {
  World world;
  world.body = std::move(c);
  world.terrain.type = TerrainType::none;
  world.gravity = {};
  return world;
}

inline World in_air(Creature c) {
  World world = in_space(std::move(c));
  world.gravity = {0, 0, -9.81};
  return world;
}

inline World on_ground(Creature c) {
  World world;
  world.body = std::move(c);
  return world;
}

inline StepOptions steps(Integrator integrator, double dt) {
  StepOptions o;
  o.integrator = integrator;
  o.dt = dt;
  return o;
}

}  // namespace legwork::bodies
