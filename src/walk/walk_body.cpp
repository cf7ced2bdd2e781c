#include "walk/walk_body.h"

#include <algorithm>
#include <cmath>

#include "creature/place.h"
#include "creature/tree.h"

namespace legwork {

namespace {

// Where the rest positions of a leg's springs are after a program, from what they were before.
template <class AnyMove, class Goal>
void follow(const std::vector<AnyMove>& program, const std::vector<int>& dofs, std::vector<double>& rest,
            Goal goal) {
  for (size_t k = 0; k < dofs.size(); ++k) {
    double last = -1;
    for (const AnyMove& m : program)
      if (m.dof == dofs[k] && m.end > last) rest[k] = goal(m), last = m.end;
  }
}

std::vector<Stroke> strokes(const std::vector<Move>& program, const WalkLeg& leg, bool right) {
  std::vector<Stroke> out;
  for (const Move& m : program) {
    const auto k = size_t(std::find(leg.dofs.begin(), leg.dofs.end(), m.dof) - leg.dofs.begin());
    const double middle = 0.5 * (leg.down[k] + leg.up[k]);
    const bool at_end = m.to == leg.down[k] || m.to == leg.up[k];
    Stroke s{m.dof, m.start, m.end, at_end ? middle : m.to, at_end ? m.to - middle : 0, 0};
    s.turn = right ? s.forward : -s.forward;
    out.push_back(s);
  }
  return out;
}

}  // namespace

void find_senses(const Creature& c, const Leg& leg, const std::vector<double>& q, WalkLeg& out) {
  const std::vector<LinkFrame> frames = place(c, q);
  const std::vector<Twist<double>> directions = dof_directions(c, q);
  const LinkFrame& foot = frames[size_t(leg.foot)];
  const Vec3d sole = foot.p + foot.R * leg.sole;
  out.foot = leg.foot, out.sole = leg.sole;
  std::vector<int> link_of;
  for (size_t b = 0; b < c.links.size(); ++b)
    for (const Joint& joint : c.links[b].joints)
      for (int k = 0; k < nv(joint); ++k) link_of.push_back(int(b));
  double best_swing = 0, best_load = -1;
  for (size_t k = 0; k < out.dofs.size(); ++k) {
    const size_t d = size_t(out.dofs[k]);
    const Twist<double>& t = directions[d];
    const Vec3d v = t.lin + cross(t.ang, sole - frames[size_t(link_of[d])].p);
    const double way = (out.down[k] - out.up[k]) * v.x;  // backward, along the body in stance
    if (out.swing_dof < 0 || way > best_swing) {
      best_swing = way;
      out.swing_dof = out.dofs[k];
      out.back = out.up[k] < out.down[k] ? -1 : 1;
    }
    if (std::fabs(v.z) > best_load) best_load = std::fabs(v.z), out.load_dof = out.dofs[k];
  }
  for (size_t i = 0; i < c.contacts.size(); ++i) {
    if (c.contacts[i].link == leg.foot) out.sites.push_back(int(i));
    if (is_below(c, c.contacts[i].link, leg.hip)) out.all_sites.push_back(int(i));
  }
}

void find_homes(const Creature& c, const std::vector<double>& q, WalkBody& out) {
  // the last link from which all hips descend
  out.trunk = c.links[size_t(c.legs[0].hip)].parent;
  const auto carries = [&](const Leg& leg) { return is_below(c, leg.hip, out.trunk); };
  while (!std::all_of(c.legs.begin(), c.legs.end(), carries)) out.trunk = c.links[size_t(out.trunk)].parent;
  const std::vector<LinkFrame> frames = place(c, q);
  const LinkFrame& trunk = frames[size_t(out.trunk)];
  out.upright = trunk.R;
  for (size_t i = 0; i < c.legs.size(); ++i) {
    const LinkFrame& foot = frames[size_t(c.legs[i].foot)];
    out.legs[i].home = foot.p + foot.R * c.legs[i].sole - trunk.p;
  }
}

WalkBody make_walk_body(const Creature& c) {
  WalkBody body;
  body.places = gait_legs(c);
  body.step_time = c.step_time;
  const std::vector<const Dof*> dofs = c.dofs();
  const std::vector<double> stand = c.pose("stand");
  for (size_t i = 0; i < c.legs.size(); ++i) {
    const Leg& leg = c.legs[i];
    WalkLeg w;
    for (const std::vector<Move>* program : {&leg.step, &leg.stance})
      for (const Move& move : *program)
        if (std::find(w.dofs.begin(), w.dofs.end(), move.dof) == w.dofs.end()) w.dofs.push_back(move.dof);
    for (const int d : w.dofs) w.up.push_back(dofs[size_t(d)]->spring.rest);
    const auto goal = [](const Move& m) { return m.to; };
    follow(leg.stance, w.dofs, w.up, goal);
    w.down = w.up;
    follow(leg.step, w.dofs, w.down, goal);
    w.step = strokes(leg.step, w, body.places[i].right);
    w.stance = strokes(leg.stance, w, body.places[i].right);
    find_senses(c, leg, stand, w);
    body.legs.push_back(std::move(w));
  }
  find_homes(c, stand, body);
  return body;
}

}  // namespace legwork
