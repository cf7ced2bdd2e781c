#pragma once

#include <string>

#include <legwork/creature.h>

namespace legwork {

inline Joint example_joint(JointType type, std::vector<Vec3d> axes = {}) {
  Joint joint;
  joint.type = type;
  joint.axes = std::move(axes);
  return joint;
}

// A free box with two right legs of two capsules each and soft ankles; not yet completed.
inline Creature half_strider() {
  Creature c;
  c.name = "strider";
  c.where = {"strider.toml", 0};
  Link body;
  body.name = "body";
  body.pos = {0, 0, 0.3};
  body.joints = {example_joint(JointType::free)};
  Shape box;
  box.size = {0.3, 0.2, 0.08};
  box.density = 600;
  body.shapes = {box};
  body.where = {"strider.toml", 3};
  c.links.push_back(body);
  for (const std::string girdle : {"f", "h"}) {
    Shape bone;
    bone.type = ShapeType::capsule;
    bone.size = {0.012, 0.15, 0};
    bone.pos = {0, 0, -0.075};
    Link thigh;
    thigh.name = "r" + girdle + "_thigh";
    thigh.parent = 0;
    thigh.pos = {girdle == "f" ? 0.12 : -0.12, -0.1, 0};
    thigh.joints = {example_joint(JointType::hinge, {{0, 1, 0}})};
    thigh.shapes = {bone};
    thigh.where = {"strider.toml", 10};
    c.links.push_back(thigh);
    Link shank = thigh;
    shank.name = "r" + girdle + "_shank";
    shank.parent = int(c.links.size()) - 1;
    shank.pos = {0, 0, -0.15};
    shank.where = {"strider.toml", 16};
    c.links.push_back(shank);
    Leg leg;
    leg.name = "r" + girdle;
    leg.girdle = girdle == "f" ? "fore" : "hind";
    leg.hip = shank.parent;
    leg.foot = shank.parent + 1;
    leg.where = {"strider.toml", 22};
    c.legs.push_back(leg);
  }
  return c;
}

}  // namespace legwork
