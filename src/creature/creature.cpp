#include <legwork/creature.h>

#include <algorithm>

namespace legwork {

int nq(const Joint& joint) {
  switch (joint.type) {
    case JointType::ball:
      return 4;
    case JointType::free:
      return 7;
    default:
      return nv(joint);
  }
}

int nv(const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return 0;
    case JointType::hinge:
    case JointType::slide:
      return 1;
    case JointType::universal:
      return 2;
    case JointType::ball:
    case JointType::planar:
      return 3;
    case JointType::free:
      return 6;
    case JointType::keyframed:
      return int(joint.paths.size());
  }
  return 0;
}

int Creature::link(const std::string& wanted) const {
  const auto found =
      std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == wanted; });
  return found == links.end() ? -1 : int(found - links.begin());
}

int Creature::dof(const std::string& wanted) const {
  const std::vector<const Dof*> all = dofs();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Dof* d) { return d->name == wanted; });
  return found == all.end() ? -1 : int(found - all.begin());
}

int Creature::nq() const {
  int n = 0;
  for (const Link& link : links)
    for (const Joint& joint : link.joints) n += legwork::nq(joint);
  return n;
}

int Creature::nv() const {
  int n = 0;
  for (const Link& link : links)
    for (const Joint& joint : link.joints) n += legwork::nv(joint);
  return n;
}

double Creature::mass() const {
  double sum = 0;
  for (const Link& link : links) sum += link.mass;
  return sum;
}

std::vector<const Dof*> Creature::dofs() const {
  std::vector<const Dof*> all;
  for (const Link& link : links)
    for (const Joint& joint : link.joints)
      for (const Dof& dof : joint.dofs) all.push_back(&dof);
  return all;
}

bool Creature::has_pose(const std::string& wanted) const {
  return std::any_of(poses.begin(), poses.end(), [&](const Pose& p) { return p.name == wanted; });
}

std::vector<double> Creature::pose(const std::string& wanted) const {
  for (const Pose& p : poses)
    if (p.name == wanted) return p.q;
  // the reference pose: every link where its file put it
  std::vector<double> q;
  for (const Link& link : links)
    for (const Joint& joint : link.joints) {
      if (joint.type == JointType::free) q.insert(q.end(), {link.pos.x, link.pos.y, link.pos.z});
      if (joint.type == JointType::free) q.insert(q.end(), {link.rot.w, link.rot.x, link.rot.y, link.rot.z});
      if (joint.type == JointType::ball) q.insert(q.end(), {1, 0, 0, 0});
      if (joint.type == JointType::free || joint.type == JointType::ball) continue;
      q.insert(q.end(), legwork::nv(joint), joint.q_zero);
    }
  return q;
}

}  // namespace legwork
