// What an algorithm's names stand for, and the state in those words.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "direct/director.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

std::vector<std::string> names_of(const std::vector<Link>& links) {
  std::vector<std::string> names;
  for (const Link& link : links) names.push_back(link.name);
  return names;
}

}  // namespace

int Director::find_link(const std::string& name) const {
  const int link = system_.world.body.link(name);
  if (link < 0 && name == "root") return 0;
  if (link < 0)
    throw Error({}, "link '" + name + "'", "'" + system_.world.body.name + "' has none of that name",
                did_you_mean(name, names_of(system_.world.body.links)));
  return link;
}

int Director::find_dof(const std::string& name) const {
  const int dof = system_.world.body.dof(name);
  if (dof >= 0) return dof;
  std::vector<std::string> names;
  for (const Dof* d : system_.world.body.dofs()) names.push_back(d->name);
  throw Error({}, "joint '" + name + "'",
              "'" + system_.world.body.name + "' has no degree of freedom of that name",
              did_you_mean(name, names));
}

Quantity Director::position(const std::string& name) const {
  const int link = find_link(name);
  return {{{QuantityType::point, link, system_.model.com[size_t(link)], 1}}};
}

Quantity Director::point(const std::string& name) const {
  const Creature& body = system_.world.body;
  for (const Label& label : body.labels)
    if (label.name == name) return {{{QuantityType::point, label.link, label.pos, 1}}};
  for (const ContactPoint& contact : body.contacts)
    if (contact.name == name) return {{{QuantityType::point, contact.link, contact.pos, 1}}};
  for (const Leg& leg : body.legs)
    if (leg.name == name) return {{{QuantityType::point, leg.foot, leg.sole, 1}}};
  if (body.link(name) >= 0) return {{{QuantityType::point, body.link(name), {}, 1}}};
  if (name == "soles" && !body.legs.empty()) {
    Quantity mean;
    for (const Leg& leg : body.legs)
      mean.terms.push_back({QuantityType::point, leg.foot, leg.sole, 1.0 / double(body.legs.size())});
    return mean;
  }
  std::vector<std::string> names = names_of(body.links);
  for (const Label& label : body.labels) names.push_back(label.name);
  for (const ContactPoint& contact : body.contacts) names.push_back(contact.name);
  throw Error({}, "point '" + name + "'",
              "'" + body.name + "' has no label, contact point, leg or link of that name",
              did_you_mean(name, names));
}

Quantity Director::point(const std::string& link, const Vec3d& at) const {
  return {{{QuantityType::point, find_link(link), at, 1}}};
}
Quantity Director::orientation(const std::string& link) const {
  return {{{QuantityType::orientation, find_link(link), {}, 1}}};
}
Quantity Director::angle(const std::string& dof) const {
  return {{{QuantityType::angle, find_dof(dof), {}, 1}}};
}
Quantity Director::center_of_mass() const { return {{{QuantityType::center_of_mass, 0, {}, 1}}}; }
Quantity Director::angular_momentum() const { return {{{QuantityType::angular_momentum, 0, {}, 1}}}; }
Quantity Director::force(const std::string& link) const {
  return {{{QuantityType::force, find_link(link), {}, 1}}};
}
Quantity Director::torque(const std::string& dof) const {
  return {{{QuantityType::torque, find_dof(dof), {}, 1}}};
}

std::vector<int> Director::find_dofs(const std::string& name) const {
  std::vector<int> found;
  const std::vector<const Dof*> dofs = system_.world.body.dofs();
  for (size_t i = 0; i < dofs.size(); ++i)
    if (dofs[i]->name.rfind(name + ".", 0) == 0) found.push_back(int(i));
  if (found.empty()) found.push_back(find_dof(name));
  return found;
}

// --- the state

// The first body, and all that hands of it hold, and what hangs on that. A world whose bodies loops join is
// one.
void Director::find_own() {
  const Model<double>& m = system_.model;
  own_.assign(size_t(m.nlink), 1);
  const auto root_of = [&](int link) {
    while (m.parent[size_t(link)] >= 0) link = m.parent[size_t(link)];
    return link;
  };
  std::vector<char> roots(size_t(m.nlink), 0);
  roots[0] = 1;
  const auto join = [&](const Loop& loop) {
    if (loop.other < 0) return false;
    char &a = roots[size_t(root_of(loop.link))], &b = roots[size_t(root_of(loop.other))];
    const bool more = a != b;
    a = b = a || b;
    return more && a;
  };
  for (bool more = true; more;) {
    more = false;
    for (const Loop& loop : system_.world.body.loops) more = join(loop) || more;
    for (const Loop& grip : sim_.held) more = join(grip) || more;
  }
  for (int b = 0; b < m.nlink; ++b) own_[size_t(b)] = roots[size_t(root_of(b))];
}

double Director::own_mass() const {
  double mass = 0;
  for (size_t b = 0; b < own_.size(); ++b)
    if (own_[b]) mass += system_.model.mass[b];
  return mass;
}

Vec3d Director::own_center() const {
  Vec3d sum;
  double mass = 0;
  for (size_t b = 0; b < own_.size(); ++b)
    if (const double own = own_[b] ? system_.model.mass[b] : 0; own > 0)
      sum += (w_.p[b] + w_.c[b]) * own, mass += own;
  return sum * (1 / mass);
}

Wrench<double> Director::own_momentum() const {
  Wrench<double> sum;
  for (size_t b = 0; b < own_.size(); ++b) {
    const double mass = own_[b] ? system_.model.mass[b] : 0;
    if (!(mass > 0)) continue;
    const Vec3d p = (w_.vel[b].lin + cross(w_.vel[b].ang, w_.c[b])) * mass;
    sum.lin += p;
    sum.ang += cross(w_.p[b] + w_.c[b], p) + w_.I[b] * w_.vel[b].ang;
  }
  return sum;
}

Vec3d Director::value(const Quantity& quantity) const {
  Vec3d sum;
  for (const Quantity::Term& t : quantity.terms) {
    if (t.type == QuantityType::point) sum += point_position(w_, t.index, t.point) * t.weight;
    if (t.type == QuantityType::orientation) sum += rotation_vector(w_.R[size_t(t.index)]) * t.weight;
    if (t.type == QuantityType::angle) sum.x += x_[size_t(t.index)] * t.weight;
    if (t.type == QuantityType::center_of_mass) sum += own_center() * t.weight;
  }
  return sum;
}

Vec3d Director::rate(const Quantity& quantity) const {
  Vec3d sum;
  for (const Quantity::Term& t : quantity.terms) {
    if (t.type == QuantityType::point) sum += point_velocity(w_, t.index, t.point) * t.weight;
    if (t.type == QuantityType::orientation) sum += w_.vel[size_t(t.index)].ang * t.weight;
    if (t.type == QuantityType::angle) sum.x += v_[size_t(t.index)] * t.weight;
    if (t.type != QuantityType::center_of_mass && t.type != QuantityType::angular_momentum) continue;
    const Wrench<double> p = own_momentum();
    const double mass = own_mass();
    const Vec3d com = own_center();
    sum +=
        (t.type == QuantityType::center_of_mass ? p.lin * (1 / mass) : p.ang - cross(com, p.lin)) * t.weight;
  }
  return sum;
}

double Director::height(const std::string& label) const {
  return -ground_depth(system_.world.terrain, get_position(label), 0).depth;
}

bool Director::beyond(int link, int root) const {
  while (link > root) link = system_.model.parent[size_t(link)];
  return link == root;
}

bool Director::touches(const std::string& name) const {
  const int root = find_link(name);
  for (const Hold& hold : holds_)
    if (beyond(hold.link, root)) return true;
  for (size_t i = 0; i < contacts_.touches.size() && 3 * i < touch_force_.size(); ++i)
    if (beyond(contacts_.touches[i].link, root) && touch_force_[3 * i] > 0) return true;
  return false;
}

Vec3d Director::support(const std::string& name) const {
  const int root = find_link(name);
  Vec3d sum;
  int count = 0;
  for (const RigidTouch& t : contacts_.touches)
    if (beyond(t.link, root)) sum += t.point, ++count;
  const bool aloft = count == 0;
  for (const ContactSite<double>& site : system_.contacts.sites)
    if (aloft && beyond(site.link, root)) sum += point_position(w_, site.link, site.pos), ++count;
  return count > 0 ? sum * (1.0 / count) : w_.p[size_t(root)];
}

Vec3d Director::pressure(const std::string& name) const {
  const int root = find_link(name);
  Vec3d sum;
  double force = 0;
  for (size_t i = 0; i < contacts_.touches.size() && 3 * i < touch_force_.size(); ++i)
    if (beyond(contacts_.touches[i].link, root))
      sum += contacts_.touches[i].point * touch_force_[3 * i], force += touch_force_[3 * i];
  return force > 0 ? sum * (1 / force) : support(name);
}

double Director::distance_to_target(const std::string& name) const {
  const Equation* e = find(name);
  if (!e || e->cost)
    throw Error({}, "equation '" + name + "'", "there is none of that name now",
                did_you_mean(name, equation_names(false)));
  if (e->quantity.is_orientation())
    return norm(rotation_vector(w_.R[size_t(e->quantity.terms[0].index)] * transpose(e->R_target)));
  const Vec3d d = value(e->quantity) - (e->law.value ? e->law.value(*this) : e->law.target);
  double sum = 0;
  for (int i = 0; i < e->quantity.size(); ++i) {
    const double off = e->quantity.component(d, i);
    sum += off * off;
  }
  return e->quantity.scalar() ? std::abs(d.x) : std::sqrt(sum);
}

}  // namespace legwork
