#pragma once

#include <string>

#include <legwork/creature.h>

namespace legwork {

inline constexpr double body_height = 0.5;

// A box on legs that are slides: every foot can be put anywhere, so that the timing is exactly as chosen.
inline Creature stilts(int pairs) {
  Creature c;
  c.name = "stilts";
  Link body;
  body.name = "body";
  body.pos = {0, 0, body_height};
  body.mass = 10;
  body.inertia = Sym3d::diagonal(1, 1, 1);
  Joint free;
  free.type = JointType::free;
  free.dofs.resize(6);
  body.joints = {free};
  c.links.push_back(body);
  for (int pair = 0; pair < pairs; ++pair)
    for (const Side side : {Side::left, Side::right}) {
      Link foot;
      foot.name = (side == Side::left ? "l" : "r") + std::to_string(pair);
      foot.parent = 0;
      foot.pos = {0.4 * pair, side == Side::left ? 0.1 : -0.1, 0};
      foot.mass = 0.01;
      foot.inertia = Sym3d::diagonal(1e-4, 1e-4, 1e-4);
      for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        Joint slide;
        slide.type = JointType::slide;
        slide.axes = {axis};
        slide.dofs.resize(1);
        foot.joints.push_back(slide);
      }
      c.links.push_back(foot);
      const int link = int(c.links.size()) - 1;
      Leg leg;
      leg.name = foot.name;
      leg.side = side;
      leg.girdle = std::to_string(pair);
      leg.hip = leg.foot = link;
      leg.sole = {0, 0, -body_height};
      c.legs.push_back(leg);
      ContactPoint point;
      point.name = foot.name;
      point.link = link;
      point.pos = leg.sole;
      point.foot = true;
      c.contacts.push_back(point);
    }
  return c;
}

}  // namespace legwork
