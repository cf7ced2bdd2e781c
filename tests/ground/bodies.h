#pragma once
// Bodies for the tests of the ground, made by hand, and a plain time loop.

#include "dynamics/dynamics.h"
#include "ground/contact.h"

namespace legwork {

inline Joint free_joint() {
  Joint joint;
  joint.type = JointType::free;
  joint.dofs.resize(6);
  return joint;
}

inline Link box_link(const std::string& name, const Vec3d& edges, double mass) {
  Link link;
  link.name = name;
  link.mass = mass;
  const double x = edges.x * edges.x, y = edges.y * edges.y, z = edges.z * edges.z;
  link.inertia = Sym3d::diagonal(mass / 12 * (y + z), mass / 12 * (x + z), mass / 12 * (x + y));
  Shape shape;
  shape.type = ShapeType::box;
  shape.size = edges;
  link.shapes.push_back(shape);
  return link;
}

inline void add_corners(Creature& creature, int link, const Vec3d& edges, bool foot = false) {
  for (int i = 0; i < 8; ++i) {
    ContactPoint point;
    point.name = "corner" + std::to_string(i);
    point.link = link;
    point.pos = {edges.x * ((i & 1) - 0.5), edges.y * ((i >> 1 & 1) - 0.5), edges.z * ((i >> 2) - 0.5)};
    point.foot = foot;
    creature.contacts.push_back(point);
  }
}

// A free box with its corners as contact points.
inline Creature box_creature(const Vec3d& edges = {0.2, 0.2, 0.1}, double mass = 2) {
  Creature creature;
  creature.name = "box";
  creature.links.push_back(box_link("box", edges, mass));
  creature.links[0].joints.push_back(free_joint());
  add_corners(creature, 0, edges);
  return creature;
}

// A free ball that touches at its surface.
inline Creature ball_creature(double radius = 0.1, double mass = 1) {
  Creature creature;
  creature.name = "ball";
  Link link;
  link.name = "ball";
  link.mass = mass;
  const double i = 0.4 * mass * radius * radius;
  link.inertia = Sym3d::diagonal(i, i, i);
  Shape shape;
  shape.type = ShapeType::sphere;
  shape.size = {radius, 0, 0};
  link.shapes.push_back(shape);
  link.joints.push_back(free_joint());
  creature.links.push_back(link);
  ContactPoint point;
  point.name = "ball";
  point.radius = radius;
  creature.contacts.push_back(point);
  return creature;
}

// A heavy body on four light legs, each a hinge with a damper's worth of armature, feet at their ends.
inline Creature table_creature() {
  Creature creature;
  creature.name = "table";
  creature.links.push_back(box_link("body", {0.4, 0.3, 0.1}, 5));
  creature.links[0].joints.push_back(free_joint());
  for (int i = 0; i < 4; ++i) {
    Link leg = box_link("leg" + std::to_string(i), {0.02, 0.02, 0.2}, 0.05);
    leg.parent = 0;
    leg.pos = {i & 1 ? 0.18 : -0.18, i & 2 ? 0.13 : -0.13, -0.15};
    Joint hinge;
    hinge.type = JointType::hinge;
    hinge.axes = {{0, 1, 0}};
    hinge.anchor = {0, 0, 0.1};
    hinge.dofs.resize(1);
    leg.joints.push_back(hinge);
    creature.links.push_back(leg);
    ContactPoint foot;
    foot.name = "foot" + std::to_string(i);
    foot.link = i + 1;
    foot.pos = {0, 0, -0.1};
    foot.foot = true;
    creature.contacts.push_back(foot);
  }
  return creature;
}

// One creature on the ground, stepped by semi-implicit Euler, plain or linearly implicit.
struct Trial {
  Creature creature;
  Model<double> model;
  Contacts<double> contacts;
  Terrain terrain;
  ContactState<double> state;
  ContactRecord<double> record;
  Workspace<double> w;
  std::vector<double> q, v, tau, qdd;
  bool implicit = true;
  double joint_stiffness = 0, joint_damping = 0;  // of all but the root's degrees of freedom

  Trial(const Creature& body, const ContactOptions& options, const Terrain& ground)
      : creature(body),
        model(make_model(body)),
        contacts(make_contacts(body, options)),
        terrain(ground),
        state(contacts),
        record(contacts.sites.size()),
        w(model),
        q(model.nq, 0.0),
        v(model.nv, 0.0),
        tau(model.nv, 0.0),
        qdd(model.nv, 0.0) {
    q[3] = 1;
    update();
  }
  void update() {
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
  }
  void step(double h) {
    update();
    clear_forces(model, w);
    w.implicit = implicit;
    add_contact_forces(model, contacts, terrain, state, h, w, &record, &state);
    for (int j = 6; j < model.nv; ++j) {
      tau[j] = -joint_stiffness * q[j + 1] - (joint_damping + (implicit ? h * joint_stiffness : 0)) * v[j];
      if (implicit) w.d_ext[j] += h * joint_damping + h * h * joint_stiffness;
    }
    forward_dynamics(model, tau.data(), w, qdd.data());
    if (implicit)
      for (int pass = 0; pass < max_contact_passes && any(correct_contacts(contacts, w, record)); ++pass)
        forward_dynamics(model, tau.data(), w, qdd.data());
    complete_contact_record(contacts, w, record);
    for (int j = 0; j < model.nv; ++j) v[j] += h * qdd[j];
    integrate_positions(model, q.data(), v.data(), h, q.data());
  }
};

}  // namespace legwork
