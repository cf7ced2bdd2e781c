#include "creature/assemble.h"

#include "math/vec.h"

#include <algorithm>

namespace legwork {

namespace {

// Calls visit(link) for every reference to a link.
template <class Visit>
void for_each_link_reference(Creature& c, Visit visit) {
  for (Link& l : c.links) visit(l.parent);
  for (Leg& l : c.legs) visit(l.hip), visit(l.knee), visit(l.foot);
  for (Label& l : c.labels) visit(l.link);
  for (int& i : c.trunk) visit(i);
  for (ContactPoint& p : c.contacts) visit(p.link);
  for (Sensor& s : c.sensors) visit(s.link), visit(s.other);
  for (Actuator& a : c.actuators) visit(a.link), visit(a.other);
  for (Loop& l : c.loops) visit(l.link), visit(l.other);
  for (Tendon& t : c.tendons)
    for (TendonPoint& p : t.points) visit(p.link);
  for (auto& [a, b] : c.apart) visit(a), visit(b);
  for (Attachment& a : c.attachments) visit(a.link), visit(a.other);
}

// Calls visit(dof) for every reference to a degree of freedom.
template <class Visit>
void for_each_dof_reference(Creature& c, Visit visit) {
  for (Sensor& s : c.sensors) visit(s.dof);
  for (Actuator& a : c.actuators) visit(a.dof);
  for (Coupling& coupling : c.couplings)
    for (std::vector<DofTerm>* terms : {&coupling.terms, &coupling.drivers})
      for (DofTerm& term : *terms) visit(term.dof);
  for (Tendon& t : c.tendons)
    for (DofTerm& term : t.terms) visit(term.dof);
  for (Leg& leg : c.legs)
    for (std::vector<Move>* program : {&leg.step, &leg.stance})
      for (Move& move : *program) visit(move.dof);
}

template <class Visit>
void for_each_name(Creature& c, Visit visit) {
  for (Link& link : c.links) {
    visit(link.name);
    for (Joint& joint : link.joints) {
      visit(joint.name);
      for (Dof& dof : joint.dofs) visit(dof.name);
    }
  }
  for (Leg& l : c.legs) visit(l.name);
  for (Label& l : c.labels) visit(l.name);
  for (ContactPoint& p : c.contacts) visit(p.name);
  for (Sensor& s : c.sensors) visit(s.name);
  for (Actuator& a : c.actuators) visit(a.name);
  for (Loop& l : c.loops) visit(l.name);
  for (Coupling& coupling : c.couplings) visit(coupling.name);
  for (Tendon& t : c.tendons) visit(t.name);
  for (Attachment& a : c.attachments) visit(a.name);
}

// Removes the free joint of every root; the link stays where the pose stand has it.
void fix_roots(Creature& c) {
  const std::vector<double> stand = c.pose("stand");
  int q = 0, v = 0, removed = 0;
  for (Link& link : c.links) {
    if (link.joints.size() == 1 && link.joints[0].type == JointType::free) {
      const double* at = &stand[q];
      link.pos = {at[0], at[1], at[2]};
      link.rot = normalized(Quatd(at[3], at[4], at[5], at[6]));
      link.joints.clear();
      for (Pose& pose : c.poses)
        pose.q.erase(pose.q.begin() + (q - removed), pose.q.begin() + (q - removed) + 7);
      for_each_dof_reference(c, [&](int& dof) { dof = dof >= v + 6 ? dof - 6 : dof >= v ? -1 : dof; });
      q += 7;
      removed += 7;
      continue;
    }
    for (const Joint& joint : link.joints) q += nq(joint), v += nv(joint);
  }
}

// The whole creature by pos and rot.
void move(Creature& c, const Vec3d& pos, const Quatd& rot) {
  const Mat3d R = matrix(rot);
  const auto move_point = [&](Vec3d& p) { p = pos + R * p; };
  for (Pose& pose : c.poses) {
    int at = 0;
    for (const Link& link : c.links)
      for (const Joint& joint : link.joints) {
        if (joint.type == JointType::free) {
          double* q = &pose.q[at];
          const Vec3d p = pos + R * Vec3d(q[0], q[1], q[2]);
          const Quatd r = rot * Quatd(q[3], q[4], q[5], q[6]);
          const double moved[] = {p.x, p.y, p.z, r.w, r.x, r.y, r.z};
          std::copy(std::begin(moved), std::end(moved), q);
        }
        at += nq(joint);
      }
  }
  for (Link& link : c.links)
    if (link.parent < 0) {
      move_point(link.pos);
      link.rot = rot * link.rot;
    }
  for (Sensor& s : c.sensors)
    if (s.type == SensorType::length && s.other < 0) move_point(s.other_pos);
  for (Actuator& a : c.actuators)
    if (a.type == ActuatorType::linear && a.other < 0) move_point(a.other_pos);
  for (Loop& l : c.loops)
    if (l.other < 0) {
      move_point(l.other_pos);
      l.other_rot = rot * l.other_rot;
    }
  for (Attachment& a : c.attachments)
    if (a.other < 0) move_point(a.other_pos);
  for (Tendon& t : c.tendons)
    for (TendonPoint& p : t.points)
      if (p.link < 0) move_point(p.pos);
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void merge(Creature& all, Creature part) {
  append(all.links, part.links);
  append(all.legs, part.legs);
  append(all.labels, part.labels);
  append(all.contacts, part.contacts);
  append(all.sensors, part.sensors);
  for (Actuator& a : part.actuators)
    if (a.tendon >= 0) a.tendon += int(all.tendons.size());
  append(all.actuators, part.actuators);
  append(all.loops, part.loops);
  append(all.couplings, part.couplings);
  append(all.tendons, part.tendons);
  append(all.apart, part.apart);
  append(all.attachments, part.attachments);
  append(all.warnings, part.warnings);
  if (all.trunk.empty()) all.trunk = part.trunk;
  if (part.dt > 0) all.dt = all.dt > 0 ? std::min(all.dt, part.dt) : part.dt;
  if (all.step_time == 0) all.step_time = part.step_time;
  if (all.integrator.empty()) all.integrator = part.integrator;
  if (!part.integrator.empty() && part.integrator != all.integrator)
    all.warnings.push_back("'" + part.name + "' asks for the integrator " + part.integrator +
                           ", but the world uses " + all.integrator);
}

}  // namespace

Creature assemble(const std::vector<WorldPart>& parts) {
  Creature all;
  std::vector<Creature> placed;
  std::vector<std::string> pose_names;
  for (const WorldPart& part : parts) {
    Creature c = part.creature;
    if (part.fixed) fix_roots(c);
    move(c, part.pos, normalized(part.rot));
    for_each_name(c, [&](std::string& name) {
      if (!name.empty()) name = part.prefix + name;
    });
    for (const Pose& pose : c.poses)
      if (std::find(pose_names.begin(), pose_names.end(), pose.name) == pose_names.end())
        pose_names.push_back(pose.name);
    placed.push_back(std::move(c));
  }
  for (const std::string& name : pose_names) {
    Pose pose{name, {}};
    for (const Creature& c : placed) append(pose.q, c.pose(c.has_pose(name) ? name : "stand"));
    all.poses.push_back(pose);
  }
  for (Creature& c : placed) {
    const int links = int(all.links.size()), dofs = all.nv();
    for_each_link_reference(c, [&](int& link) {
      if (link >= 0) link += links;
    });
    for_each_dof_reference(c, [&](int& dof) {
      if (dof >= 0) dof += dofs;
    });
    all.name += (all.name.empty() ? "" : " + ") + c.name;
    merge(all, std::move(c));
  }
  return all;
}

}  // namespace legwork
