// Rigid ground: steps from one change of contact to the next, or by impulses where there are too many.

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "sim/simulation.h"

namespace legwork {

namespace {

// For a body that is not small; RigidGround::time scales them.
constexpr double impulse_step = 1e-3;  // s
// Contacts change too often to be followed one by one, where there were so many changes within the span.
constexpr double busy_span = 0.02;  // s
constexpr int busy_changes = 3;

}  // namespace

template <>
std::string Simulation<double>::relation_now();
template <>
std::string Simulation<double>::relation() const;

template <>
bool Simulation<double>::steps_by_impulses() const {
  return options.integrator == Integrator::euler || options.integrator == Integrator::implicit ||
         state.time < rigid.busy_until;
}

template <>
void Simulation<double>::begin_rigid_step() {
  rigid.plan.astray = false;
  settle_touches(rigid_reach());
  rigid.open.assign(system_->contacts.sites.size(), 1);
  for (const RigidTouch& t : rigid.contacts.touches)
    if (t.site >= 0) rigid.open[size_t(t.site)] = 0;
  if (rigid.contacts.has_pairs() && rigid.relation.empty()) {
    rigid.relation = relation_now();
    rigid.changes.push_back({state.time, rigid.relation});
  }
}

// Impacts and what changed since begin_rigid_step.
template <>
void Simulation<double>::end_rigid_step(bool event) {
  if (event || rigid.by_impulses) rigid.last_event = state.time;
  rigid.loose = rigid.by_impulses;
  if (!rigid.by_impulses) impact();
  if (!alive()) return;
  const Creature& body = system_->world.body;
  std::vector<ContactChange>& changes = rigid.changes;
  const size_t before = changes.size();
  if (rigid.contacts.has_pairs()) {
    const std::string now = relation_now();
    if (now != rigid.relation) changes.push_back({state.time, now}), rigid.relation = now;
  }
  for (const RigidTouch& t : rigid.contacts.touches)
    if (t.site >= 0 && rigid.open[size_t(t.site)])
      changes.push_back({state.time, body.contacts[size_t(t.site)].name + " down"});
  for (size_t i = 0; i < rigid.open.size(); ++i)
    if (!rigid.open[i] && std::none_of(rigid.contacts.touches.begin(), rigid.contacts.touches.end(),
                                       [&](const RigidTouch& t) { return t.site == int(i); }))
      changes.push_back({state.time, body.contacts[i].name + " up"});
  const size_t now = changes.size();
  if (rigid.impulses && now > before && now >= busy_changes &&
      changes[now - busy_changes].time > state.time - busy_span * rigid.time)
    rigid.busy_until = state.time + busy_span * rigid.time;
}

// A step in which the ground did not do as an instant assumed is taken back, and taken by impulses.
template <>
bool Simulation<double>::gone_astray() {
  if (!rigid.on || !rigid.impulses || rigid.by_impulses || !rigid.plan.astray) return false;
  state = event_start_;
  refresh();
  settle_touches(rigid_reach());
  rigid.busy_until = state.time + busy_span * rigid.time;
  return true;
}

template <>
bool Simulation<double>::move_rigid(double h) {
  const double end = state.time + h;
  const bool by_choice =
      options.integrator == Integrator::euler || options.integrator == Integrator::implicit;
  while (end - state.time > 1e-12 * (1 + std::abs(end))) {
    rigid.by_impulses = steps_by_impulses();
    const double left = end - state.time;
    const double part = rigid.by_impulses && !by_choice ? std::min(left, impulse_step * rigid.time) : left;
    const bool went_on = advance_with_events(part);
    rigid.by_impulses = false;
    if (!went_on || !alive()) return false;
    if (pause_at_events) return true;
  }
  return true;
}

// --- what is watched for events

// Above zero while apart: the contact points that did not touch at the start of the step, links; and last how
// these lie on each other, as a number.
template <>
void Simulation<double>::watch_touches(std::vector<double>& values) {
  for (size_t i = 0; i < system_->contacts.sites.size(); ++i) {
    const ContactSite<double>& c = system_->contacts.sites[i];
    const bool watched =
        rigid.open[i] && c.moves && !state.contact.off[i] && system_->world.terrain.type != TerrainType::none;
    values.push_back(
        watched ? -ground_depth(system_->world.terrain, point_position(w, c.link, c.pos), c.radius).depth
                : 1);
  }
  double links = 1;
  const std::string now = relation_now();
  for (const RigidTouch& t : rigid.contacts.touches)
    if (t.site < 0) links = std::min(links, t.gap + rigid_reach());
  values.push_back(links);
  values.push_back(now.empty() ? 0 : now == "apart" ? 1 : now == "point" ? 2 : now == "edge" ? 3 : 4);
}

// What the touches between links amount to.
template <>
std::string Simulation<double>::relation() const {
  std::vector<Vec3d> carrying;
  for (size_t i = 0; i < rigid.contacts.touches.size(); ++i) {
    const RigidTouch& t = rigid.contacts.touches[i];
    if (t.site < 0 && 3 * i < rigid.force.size() && rigid.force[3 * i] > 1e-9) carrying.push_back(t.point);
  }
  if (carrying.size() < 2) return carrying.empty() ? "apart" : "point";
  Vec3d far;
  for (const Vec3d& p : carrying)
    if (norm(p - carrying[0]) > norm(far)) far = p - carrying[0];
  double off = 0;
  for (const Vec3d& p : carrying)
    off = std::max(off, norm(cross(far, p - carrying[0])) / std::max(norm(far), 1e-12));
  return off > 1e-6 ? "face" : "edge";
}

template <>
std::string Simulation<double>::relation_now() {
  if (!rigid.contacts.has_pairs()) return {};
  rigid.contacts.update(system_->contacts, system_->world.terrain, state.contact.off, w, rigid_reach());
  if (std::none_of(rigid.contacts.touches.begin(), rigid.contacts.touches.end(),
                   [](const RigidTouch& t) { return t.site < 0; }))
    return "apart";
  const bool by_impulses = rigid.by_impulses;
  rigid.by_impulses = false;
  evaluate(options.dt, false);
  rigid.by_impulses = by_impulses;
  return alive() ? relation() : rigid.relation;
}

}  // namespace legwork
