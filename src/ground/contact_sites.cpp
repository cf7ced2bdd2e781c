// The law of each contact site, from the options and the body it belongs to.

#include <algorithm>
#include <cassert>

#include "creature/gravity.h"
#include "ground/contact.h"
#include "ground/record.h"

namespace legwork {

namespace {

constexpr double size_of_a_dot = 0.1;  // m, where all contact points of a body coincide

// One tree of a forest, as the ground sees it.
struct Body {
  double mass = 0;
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};  // extent of its contact points, world
  int points = 0;
  std::vector<int> feet;  // links

  double size() const {
    const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    return extent > 0 ? extent : size_of_a_dot;
  }
  int supports() const { return feet.empty() ? std::clamp(points, 1, 4) : int(feet.size()); }
};

std::vector<Body> survey(const Creature& creature, const std::vector<int>& root) {
  const std::size_t n = creature.links.size();
  std::vector<Body> bodies(n);
  std::vector<Mat3d> R(n);
  std::vector<Vec3d> p(n);
  for (std::size_t b = 0; b < n; ++b) {
    const Link& link = creature.links[b];
    const Mat3d rot = matrix(normalized(link.rot));
    R[b] = link.parent < 0 ? rot : R[link.parent] * rot;
    p[b] = link.parent < 0 ? link.pos : p[link.parent] + R[link.parent] * link.pos;
    bodies[root[b]].mass += std::max(0.0, link.mass);
  }
  for (const ContactPoint& contact : creature.contacts) {
    Body& body = bodies[root[contact.link]];
    const Vec3d x = p[contact.link] + R[contact.link] * contact.pos;
    for (int i = 0; i < 3; ++i) {
      body.low[i] = std::min(body.low[i], x[i] - contact.radius);
      body.high[i] = std::max(body.high[i], x[i] + contact.radius);
    }
    ++body.points;
    if (contact.foot && std::find(body.feet.begin(), body.feet.end(), contact.link) == body.feet.end())
      body.feet.push_back(contact.link);
  }
  return bodies;
}

double or_else(double given, double chosen) { return given > 0 ? given : chosen; }

// Where the options leave a choice: the rules of ContactOptions (legwork/world.h).
void fill_law(const ContactOptions& o, bool damped, const Body& body, double gravity,
              ContactSite<double>& s) {
  const double mass = body.mass > 0 ? body.mass : 1, size = body.size(), points = body.supports();
  const double weight = mass * gravity, load = weight / points, sink = size / 1000;
  s.share = mass / points;
  const bool linear = o.type == ContactType::linear || o.type == ContactType::rigid;
  s.stiffness = linear ? or_else(o.stiffness, load / sink) : o.stiffness;
  s.sharpness = or_else(o.sharpness, 1 / sink);
  s.strength = or_else(o.strength, load / 1.7182818284590452);  // e - 1
  // slope of the spring under the load: strength sharpness e^(sharpness depth) with the force put in
  const double slope = linear ? s.stiffness : s.stiffness + s.sharpness * (s.strength + load);
  s.sink = load / slope;
  s.bristle_stiffness = or_else(o.bristle_stiffness, slope);
  s.bristle_damping = o.bristle_ratio * (2 * sqrt(s.bristle_stiffness * s.share));
  s.damping = or_else(o.damping, damped ? 2 * sqrt(slope * s.share) : 0);
  s.slip_speed = or_else(o.slip_speed, sqrt(gravity * size) / 1000);
  s.stick_strength = or_else(o.stick_strength, weight / 20);
  s.stick_sharpness = or_else(o.stick_sharpness, 45 / size);
  s.stick_break_force = or_else(o.stick_break_force, weight);
  s.stick_break_length = or_else(o.stick_break_length, unlimited);
}

// Runs of sites on one link, in boxes that hold the sites of every creature.
template <class T>
std::vector<SiteGroup<T>> group_sites(const std::vector<ContactSite<T>>& sites) {
  std::vector<SiteGroup<T>> groups;
  for (int begin = 0, end; begin < int(sites.size()); begin = end) {
    for (end = begin; end < int(sites.size()) && sites[end].link == sites[begin].link;) ++end;
    SiteGroup<T> group;
    group.link = sites[begin].link, group.begin = begin, group.end = end;
    for (int i = 0; i < 3; ++i) {
      T low(unlimited), high(-unlimited);
      for (int k = begin; k < end; ++k) {
        low = min(low, sites[k].pos[i] - sites[k].radius);
        high = max(high, sites[k].pos[i] + sites[k].radius);
      }
      group.center[i] = T(0.5) * (low + high), group.half[i] = T(0.5) * (high - low);
    }
    groups.push_back(group);
  }
  return groups;
}

template <class T, class Visit>
void for_each_number(const ContactSite<double>& a, ContactSite<T>& b, const Visit& visit) {
  for (int i = 0; i < 3; ++i) visit(a.pos[i], b.pos[i]);
  visit(a.radius, b.radius);
  visit(a.stiffness, b.stiffness);
  visit(a.damping, b.damping);
  visit(a.sink, b.sink);
  visit(a.strength, b.strength);
  visit(a.sharpness, b.sharpness);
  visit(a.bristle_stiffness, b.bristle_stiffness);
  visit(a.bristle_damping, b.bristle_damping);
  visit(a.slip_speed, b.slip_speed);
  visit(a.share, b.share);
  visit(a.stick_strength, b.stick_strength);
  visit(a.stick_sharpness, b.stick_sharpness);
  visit(a.stick_break_force, b.stick_break_force);
  visit(a.stick_break_length, b.stick_break_length);
}

}  // namespace

ContactOptions settled(const ContactOptions& options) {
  ContactOptions o = options;
  if (o.restitution < 0)
    o.restitution = o.type == ContactType::linear ? 1 : o.type == ContactType::rigid ? 0 : 0.5;
  if (o.deepest <= 0) o.deepest = unlimited;
  if (o.stick_restitution < 0) o.stick_restitution = o.restitution;
  if (o.friction_back < 0) o.friction_back = o.friction;
  if (o.friction_side < 0) o.friction_side = o.friction;
  return o;
}

std::vector<ContactSite<double>> make_contact_laws(const Creature& creature, const ContactOptions& options) {
  const int n = int(creature.links.size());
  std::vector<int> root(n);
  std::vector<ContactSite<double>> laws(n);
  for (int b = 0; b < n; ++b) {
    const int parent = creature.links[b].parent;
    root[b] = parent < 0 ? b : root[parent];
    laws[b].link = b;
    laws[b].axis_link = options.friction_axis == FrictionAxis::link ? b : root[b];
    laws[b].moves = parent >= 0 && laws[parent].moves;
    for (const Joint& joint : creature.links[b].joints) laws[b].moves = laws[b].moves || nv(joint) > 0;
  }
  const std::vector<Body> bodies = survey(creature, root);
  const bool damped =
      (options.type == ContactType::linear || options.type == ContactType::rigid) && options.restitution < 0;
  for (int b = 0; b < n; ++b) fill_law(options, damped, bodies[root[b]], own_gravity(creature), laws[b]);
  return laws;
}

Contacts<double> make_contacts(const Creature& creature, const ContactOptions& options) {
  const std::vector<ContactSite<double>> laws = make_contact_laws(creature, options);
  Contacts<double> contacts;
  contacts.options = settled(options);
  for (const ContactPoint& point : creature.contacts) {
    ContactSite<double> site = laws[point.link];
    site.foot = point.foot;
    site.pos = point.pos;
    site.radius = point.radius;
    contacts.sites.push_back(site);
  }
  contacts.groups = group_sites(contacts.sites);
  return contacts;
}

Contacts<Batch> make_batch_contacts(const std::vector<const Creature*>& creatures,
                                    const ContactOptions& options) {
  assert(!creatures.empty() && int(creatures.size()) <= batch_lanes);
  std::vector<Contacts<double>> each;
  for (const Creature* creature : creatures) each.push_back(make_contacts(*creature, options));
  Contacts<Batch> contacts;
  contacts.options = each.front().options;
  for (std::size_t i = 0; i < each.front().sites.size(); ++i) {
    const ContactSite<double>& first = each.front().sites[i];
    ContactSite<Batch> site;
    site.link = first.link;
    site.axis_link = first.axis_link;
    site.foot = first.foot;
    site.moves = first.moves;
    for (int lane = 0; lane < batch_lanes; ++lane) {
      Contacts<double>& source = each[std::min(lane, int(each.size()) - 1)];
      assert(source.sites.size() == each.front().sites.size() && source.sites[i].link == first.link);
      for_each_number(source.sites[i], site, [&](double x, Batch& y) { y.set(lane, x); });
    }
    contacts.sites.push_back(site);
  }
  contacts.groups = group_sites(contacts.sites);
  return contacts;
}

Contacts<Trace> record(const Contacts<double>& all, const NumberOf& number) {
  Contacts<Trace> contacts;
  contacts.options = all.options;
  for (const ContactSite<double>& s : all.sites) {
    ContactSite<Trace> site;
    site.link = s.link, site.axis_link = s.axis_link, site.foot = s.foot, site.moves = s.moves;
    for_each_number(s, site, [&](double x, Trace& y) { y = number(x); });
    contacts.sites.push_back(site);
  }
  contacts.groups = group_sites(contacts.sites);
  return contacts;
}

template <class T>
void ContactState<T>::reset(const Contacts<T>& contacts) {
  sites.assign(contacts.sites.size(), {});
  grip.assign(contacts.sites.size(), T(1));
  off.assign(contacts.sites.size(), 0);
  free.assign(contacts.groups.size(), 1);
}

template struct ContactState<double>;
template struct ContactState<Batch>;
template struct ContactState<Trace>;

}  // namespace legwork
