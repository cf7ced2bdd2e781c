#include "creature/tree.h"

#include <algorithm>

namespace legwork {

bool is_below(const Creature& creature, int link, int ancestor) {
  while (link >= 0 && link != ancestor) link = creature.links[size_t(link)].parent;
  return link == ancestor;
}

int root_of(const Creature& creature, int link) {
  while (creature.links[size_t(link)].parent >= 0) link = creature.links[size_t(link)].parent;
  return link;
}

std::vector<char> root_dofs(const Creature& creature) {
  const size_t n = creature.links.size();
  std::vector<int> children(n, 0);
  for (const Link& link : creature.links)
    if (link.parent >= 0) ++children[size_t(link.parent)];
  // the parentless link that a link extends by massless links alone; -1: none
  std::vector<int> extends(n, -1);
  std::vector<char> carries(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const Link& link = creature.links[i];
    const int p = link.parent;
    if (p < 0) extends[i] = int(i);
    if (p >= 0 && children[size_t(p)] == 1 && creature.links[size_t(p)].mass == 0)
      extends[i] = extends[size_t(p)];
    const auto moves_it = [](const Joint& joint) {
      return joint.type == JointType::free || joint.type == JointType::planar ||
             joint.type == JointType::slide;
    };
    if (extends[i] >= 0 && std::any_of(link.joints.begin(), link.joints.end(), moves_it))
      carries[size_t(extends[i])] = 1;
  }
  std::vector<char> root;
  for (size_t i = 0; i < n; ++i)
    for (const Joint& joint : creature.links[i].joints)
      root.insert(root.end(), size_t(nv(joint)), extends[i] >= 0 && carries[size_t(extends[i])]);
  return root;
}

std::vector<char> motor_dofs(const Creature& creature) {
  std::vector<char> motors = root_dofs(creature);
  for (char& motor : motors) motor = !motor;
  for (const Actuator& a : creature.actuators)
    if (a.dof >= 0) motors[size_t(a.dof)] = 1;
  return motors;
}

std::vector<int> dof_begins(const Creature& creature) {
  std::vector<int> begins{0};
  for (const Link& link : creature.links) {
    int own = 0;
    for (const Joint& joint : link.joints) own += nv(joint);
    begins.push_back(begins.back() + own);
  }
  return begins;
}

std::vector<int> links_between(const Creature& creature, int from, int to) {
  std::vector<int> up, down;
  for (int link = from; link >= 0; link = creature.links[size_t(link)].parent) up.push_back(link);
  for (int link = to; link >= 0; link = creature.links[size_t(link)].parent) down.push_back(link);
  while (up.size() > 1 && down.size() > 1 && up[up.size() - 2] == down[down.size() - 2])
    up.pop_back(), down.pop_back();
  if (up.back() != down.back()) return {};
  down.pop_back();
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

std::vector<int> leg_dofs(const Creature& c, const Leg& leg) {
  const std::vector<int> first = dof_begins(c);
  std::vector<int> dofs;
  for (int link = leg.foot;; link = c.links[size_t(link)].parent) {
    for (int d = first[size_t(link) + 1] - 1; d >= first[size_t(link)]; --d) dofs.push_back(d);
    if (link == leg.hip) break;
  }
  std::reverse(dofs.begin(), dofs.end());
  return dofs;
}

double leg_length(const Creature& c, const Leg& leg) {
  double length = norm(leg.sole);
  for (int link = leg.foot; link != leg.hip; link = c.links[size_t(link)].parent)
    length += norm(c.links[size_t(link)].pos);
  return length;
}

}  // namespace legwork
