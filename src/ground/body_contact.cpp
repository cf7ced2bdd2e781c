#include "ground/body_contact.h"

#include "creature/shape.h"
#include "dynamics/dynamics.h"
#include "ground/contact.h"
#include "ground/implicit.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double largest_exponent = 30;

using Body = BodyContacts::Body;
using Core = BodyContacts::Core;
using Point = BodyContacts::Point;

bool is_round(const Shape& shape) {
  return shape.type == ShapeType::sphere || shape.type == ShapeType::capsule;
}

using Meeting = BodyMeeting;

void meet_cores(int link, int other, const Body& p, const Body& q, const Workspace<double>& w,
                std::vector<Meeting>& meetings) {
  for (std::size_t i = 0; i < p.cores.size(); ++i)
    for (std::size_t j = 0; j < q.cores.size(); ++j) {
      const Core &c = p.cores[i], &d = q.cores[j];
      if (!may_touch(c, d)) continue;
      const Vec3d a = w.p[link] + w.R[link] * c.a, u = w.R[link] * (c.b - c.a);
      const Vec3d b = w.p[other] + w.R[other] * d.a, v = w.R[other] * (d.b - d.a);
      double s, t;
      nearest_on(a, u, b, v, s, t);
      const Vec3d on_c = a + u * s, on_d = b + v * t, apart = on_c - on_d;
      const double distance = norm(apart), depth = c.radius + d.radius - distance;
      if (!(depth > 0)) continue;
      const Vec3d n = distance > 0 ? apart * (1 / distance) : Vec3d(0, 0, 1);
      meetings.push_back(
          {link, other, 2, int(i * q.cores.size() + j), on_d + n * (d.radius - 0.5 * depth), n, depth});
    }
}

// The radius of a ball around the origin of a shape that is no mesh.
double reach_of(const Shape& shape) {
  const Vec3d& size = shape.size;
  switch (shape.type) {
    case ShapeType::sphere:
      return size.x;
    case ShapeType::ellipsoid:
      return max(size.x, max(size.y, size.z));
    case ShapeType::capsule:
    case ShapeType::cylinder:
      return size.x + 0.5 * size.y;
    default:
      return 0.5 * norm(size);
  }
}

// Whether a ball is plainly outside a shape, which costs less to see than its distance: it is far, or a face
// of a mesh's hull parts the two.
bool parted(const Shape& shape, const Vec3d& point, double radius) {
  const Vec3d far = point - shape.pos;
  if (shape.type != ShapeType::mesh) {
    const double reach = 1.001 * (reach_of(shape) + radius);
    return dot(far, far) > reach * reach;
  }
  const Vec3d p = transpose_times(matrix(shape.rot), far);
  for (const Plane& plane : shape.mesh.hull)
    if (dot(plane.normal, p) - plane.offset >= radius) return true;
  return false;
}

// Points of link in the shapes of other: where several shapes hold a point, the one it is deepest in.
void meet_points(int link, int other, int side, const Body& p, const Body& q, const Workspace<double>& w,
                 std::vector<Meeting>& meetings) {
  const Vec3d q_center = w.p[other] + w.R[other] * q.center;
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    const Point& point = p.points[i];
    const Vec3d x = w.p[link] + w.R[link] * point.pos, far = x - q_center;
    const double reach = q.bound + point.radius;
    if (dot(far, far) >= reach * reach) continue;
    const Vec3d local = transpose_times(w.R[other], x - w.p[other]);
    double depth = 0;
    Vec3d n;
    const auto test = [&](const std::vector<Shape>& shapes) {
      for (const Shape& shape : shapes) {
        if (!may_touch(point, shape) || parted(shape, local, point.radius)) continue;
        const ShapeDistance d = distance(shape, local);
        if (point.radius - d.distance > depth) depth = point.radius - d.distance, n = d.normal;
      }
    };
    test(q.shapes);
    if (!point.round) test(q.rounds);
    if (depth <= 0) continue;
    n = w.R[other] * n;
    meetings.push_back({link, other, side, int(i), x - n * (point.radius - 0.5 * depth), n, depth});
  }
}

// Solids that no point keeps apart: none lies in the balls around both.
void meet_edges(int link, int other, const Body& p, const Body& q, const Workspace<double>& w,
                BodyContactScratch& scratch) {
  const std::size_t points = scratch.meetings.size();
  for (std::size_t i = 0; i < p.solids.size(); ++i)
    for (std::size_t j = 0; j < q.solids.size(); ++j) {
      const Solid &a = p.solids[i], &b = q.solids[j];
      const bool round = a.faces.empty() && b.faces.empty();  // met as cores
      if (round || !may_touch(a, b)) continue;
      scratch.solids.clear();
      meet_solids(a, w.R[link], w.p[link], b, w.R[other], w.p[other], 0, scratch.placed, scratch.solids);
      if (scratch.solids.empty()) continue;
      const Vec3d ca = w.p[link] + w.R[link] * a.center, cb = w.p[other] + w.R[other] * b.center;
      bool kept = false;
      for (std::size_t k = 0; k < points && !kept; ++k) {
        const Vec3d& x = scratch.meetings[k].x;
        kept = norm(x - ca) <= a.bound && norm(x - cb) <= b.bound;
      }
      if (kept) continue;
      for (const SolidMeeting& m : scratch.solids)
        scratch.meetings.push_back({link, other, 3,
                                    int(unsigned(i * q.solids.size() + j) * 262144U ^ unsigned(m.index)),
                                    m.point - m.normal * (0.5 * m.gap), m.normal, -m.gap});
    }
}

// Fills scratch.meetings.
void meet(const BodyPair& pair, const BodyContacts& contacts, const Workspace<double>& w,
          BodyContactScratch& scratch) {
  std::vector<Meeting>& meetings = scratch.meetings;
  meetings.clear();
  const Body &p = contacts.bodies[pair.a], &q = contacts.bodies[pair.b];
  const Vec3d apart = (w.p[pair.a] + w.R[pair.a] * p.center) - (w.p[pair.b] + w.R[pair.b] * q.center);
  const double reach = p.bound + q.bound;
  if (!(dot(apart, apart) < reach * reach)) return;
  meet_cores(pair.a, pair.b, p, q, w, meetings);
  meet_points(pair.a, pair.b, 0, p, q, w, meetings);
  meet_points(pair.b, pair.a, 1, q, p, w, meetings);
  meet_edges(pair.a, pair.b, p, q, w, scratch);
}

double stiffness_for(const BodyPair& pair, int count, double h) {
  return min(pair.stiffness, 0.5 * pair.mass / count / max(h * h, 1e-300));
}

// The spring of a touch at a depth, softened like the stiffness.
double spring_force(const BodyPair& pair, double depth, int count, double k, double h) {
  if (!(pair.sharpness > 0)) return k * depth;
  const double e = exp(min(pair.sharpness * depth, largest_exponent));
  const double slope = pair.strength * pair.sharpness * e,
               most = 0.5 * pair.mass / count / max(h * h, 1e-300);
  return pair.strength * (e - 1) * min(most / max(slope, 1e-300), 1.0);
}

Body make_body(const Creature& creature, int link) {
  Body body;
  Box box;
  int kind = 0, meets = 0;
  for (const Shape& shape : creature.links[link].shapes) {
    if (!shape.touches) continue;
    kind |= shape.kind, meets |= shape.meets;
    extend(box, bounding_box(shape));
    for (Solid& solid : make_solids(shape)) body.solids.push_back(std::move(solid));
    if (!is_round(shape)) {
      if (shape.type != ShapeType::mesh || shape.mesh.convex) body.shapes.push_back(shape);
      continue;
    }
    const double half = shape.type == ShapeType::capsule ? 0.5 * shape.size.y : 0;
    const Vec3d along = matrix(normalized(shape.rot)) * Vec3d(0, 0, half);
    body.cores.push_back({shape.pos - along, shape.pos + along, shape.size.x, shape.kind, shape.meets});
    body.rounds.push_back(shape);
  }
  const int solid_kind = kind, solid_meets = meets;
  const bool solid = !body.solids.empty();
  for (const ContactPoint& contact : creature.contacts) {
    if (contact.link != link) continue;
    Point point{contact.pos, contact.radius};
    if (solid)
      point.kind = solid_kind, point.meets = solid_meets;
    else
      body.solids.push_back(make_solid(point.pos, point.radius));
    for (const Core& core : body.cores)
      point.round = point.round ||
                    (point.radius <= core.radius * (1 + 1e-9) &&
                     min(norm(point.pos - core.a), norm(point.pos - core.b)) <= 1e-9 * (1 + core.radius));
    body.points.push_back(point);
    const Vec3d r{point.radius, point.radius, point.radius};
    extend(box, point.pos - r);
    extend(box, point.pos + r);
    kind |= point.kind, meets |= point.meets;
  }
  body.kind = kind, body.meets = meets;
  if (box.lower.x <= box.upper.x) {
    body.center = (box.lower + box.upper) * 0.5;
    body.bound = 0.5 * norm(box.upper - box.lower);
  }
  return body;
}

// Links that move as one: those without degrees of freedom belong to their parent; -1 is the world.
std::vector<int> rigid_groups(const Creature& creature) {
  std::vector<int> group(creature.links.size());
  for (std::size_t b = 0; b < group.size(); ++b) {
    const Link& link = creature.links[b];
    int dofs = 0;
    for (const Joint& joint : link.joints) dofs += nv(joint);
    group[b] = dofs > 0 ? int(b) : link.parent < 0 ? -1 : group[link.parent];
  }
  return group;
}

// Coulomb friction by a bristle between the two links; f: the force of the touch so far, along n.
struct Rub {
  Vec3d force, stretch;
};
Rub rub(const ContactOptions& o, double k, double d, const Vec3d& n, const Vec3d& u, const Vec3d& vt,
        double fn) {
  const Vec3d along = u - n * dot(n, u), trial = -(along * k + vt * d);
  const double size = norm(trial), limit = o.friction * fn;
  if (size <= limit) return {trial, along};
  const Vec3d force = trial * (limit / size);
  return {force, force * (-1 / k)};
}

const BodyTouch* find(const BodyContactState& state, int pair, const Meeting& meeting) {
  for (const BodyTouch& touch : state.touches)
    if (touch.pair == pair && touch.side == meeting.side && touch.index == meeting.index) return &touch;
  return nullptr;
}

Vec3d stretch(const BodyTouch& touch, const Meeting& e, const Workspace<double>& w) {
  return point_position(w, e.link, touch.point) - point_position(w, e.other, touch.anchor);
}

}  // namespace

BodyContacts make_body_contacts(const Creature& creature, const ContactOptions& options) {
  const int n = int(creature.links.size());
  BodyContacts contacts;
  contacts.options = settled(options);
  for (int b = 0; b < n; ++b) contacts.bodies.push_back(make_body(creature, b));
  const std::vector<ContactSite<double>> laws = make_contact_laws(creature, options);
  const std::vector<int> group = rigid_groups(creature);
  std::vector<int> root(n), above(n);  // above: the group that a link's group hangs on
  for (int b = 0; b < n; ++b) {
    const int parent = creature.links[b].parent;
    root[b] = parent < 0 ? b : root[parent];
    const int own = group[b];
    const int hangs_on = own < 0 ? -1 : creature.links[own].parent;
    above[b] = hangs_on < 0 ? -1 : group[hangs_on];
  }
  const auto neighbours = [&](int a, int b) {
    if (group[a] == group[b]) return true;
    if (root[a] == root[b] && (above[a] == group[b] || above[b] == group[a])) return true;
    for (const auto& [p, q] : creature.apart)
      if ((p == a && q == b) || (p == b && q == a)) return true;
    for (const Loop& loop : creature.loops) {
      if (loop.other < 0) continue;
      const int p = group[loop.link], q = group[loop.other];
      if ((p == group[a] && q == group[b]) || (p == group[b] && q == group[a])) return true;
    }
    return false;
  };

  const Model<double> model = make_model(creature);
  Workspace<double> w(model);
  const std::vector<double> q = creature.pose("");
  update_positions(model, q.data(), w);
  BodyContactScratch scratch;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) {
      const bool solid = contacts.bodies[a].bound > 0 && contacts.bodies[b].bound > 0;
      if (!solid || !may_touch(contacts.bodies[a], contacts.bodies[b]) || neighbours(a, b)) continue;
      const ContactSite<double>&p = laws[a], &r = laws[b];
      const ContactSite<double>& softer =
          !r.moves || (p.moves && p.bristle_stiffness <= r.bristle_stiffness) ? p : r;
      BodyPair pair;
      pair.a = a;
      pair.b = b;
      pair.stiffness = softer.bristle_stiffness;
      pair.damping = softer.damping;
      pair.sink = softer.sink;
      pair.slip_speed = softer.slip_speed;
      const double ma = creature.links[a].mass, mb = creature.links[b].mass;
      pair.mass = !p.moves ? mb : !r.moves ? ma : ma * mb / max(ma + mb, 1e-300);
      meet(pair, contacts, w, scratch);
      const bool built_in = root[a] == root[b] && !scratch.meetings.empty();
      if (built_in) continue;
      contacts.pairs.push_back(pair);
    }
  return contacts;
}

void add_body_contact_forces(const Model<double>&, const BodyContacts& contacts,
                             const BodyContactState& state, double h, Workspace<double>& w,
                             BodyContactScratch& scratch, std::vector<BodyContactRecord>* records,
                             BodyContactState* next) noexcept {
  if (records) records->clear();
  if (next) next->coming.clear();
  const ContactOptions& o = contacts.options;
  for (std::size_t i = 0; i < contacts.pairs.size(); ++i) {
    const BodyPair& pair = contacts.pairs[i];
    meet(pair, contacts, w, scratch);
    const int count = int(scratch.meetings.size());
    if (count == 0) continue;
    const double share = pair.mass / count, k = stiffness_for(pair, count, h);
    const double d_most = 0.25 * share / max(h, 1e-300);
    for (const Meeting& e : scratch.meetings) {
      const Vec3d arm = e.x - w.p[e.link], other_arm = e.x - w.p[e.other];
      const Vec3d v = shift(w.vel[e.link], arm).lin - shift(w.vel[e.other], other_arm).lin;
      const double vn = dot(e.n, v);
      const double out = min(max(vn / pair.slip_speed, 0.0), 1.0);
      const double kept = pair.closing ? 0 : o.restitution;
      const double d = min(pair.damping, d_most) * min(e.depth / pair.sink, 1.0);
      const double spring = spring_force(pair, min(e.depth, o.deepest), count, k, h);
      const double fn = max(spring * (1 - (1 - kept) * out) - d * vn, 0.0);

      const BodyTouch* touch = find(state, int(i), e);
      const Vec3d vt = v - e.n * vn, u = touch ? stretch(*touch, e, w) : Vec3d();
      const double rub_damping = min(2 * sqrt(k * share), d_most);
      const Rub friction = rub(o, k, rub_damping, e.n, u, vt, fn);
      const Vec3d force = e.n * fn + friction.force;
      add_force_at(w, e.link, arm, force);
      add_force_at(w, e.other, other_arm, -force);

      if (records) records->push_back({e.link, e.other, e.x, force, e.depth, norm(vt)});
      if (next)
        next->coming.push_back({int(i), e.side, e.index, transpose_times(w.R[e.link], arm),
                                transpose_times(w.R[e.other], other_arm - friction.stretch)});
    }
  }
  if (next) {
    next->touches.swap(next->coming);
    next->coming.clear();
  }
}

double body_contact_energy(const BodyContacts& contacts, const BodyContactState& state, double h,
                           const Workspace<double>& w, BodyContactScratch& scratch) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < contacts.pairs.size(); ++i) {
    const BodyPair& pair = contacts.pairs[i];
    meet(pair, contacts, w, scratch);
    const int count = int(scratch.meetings.size());
    if (count == 0) continue;
    for (const Meeting& e : scratch.meetings) {
      const double s = pair.sharpness;
      double x2 = s > 0 ? 0 : e.depth * e.depth;
      if (s > 0) sum += pair.strength * ((exp(min(s * e.depth, largest_exponent)) - 1) / s - e.depth);
      if (const BodyTouch* touch = find(state, int(i), e)) {
        const Vec3d u = stretch(*touch, e, w), along = u - e.n * dot(e.n, u);
        x2 += dot(along, along);
      }
      sum += 0.5 * stiffness_for(pair, count, h) * x2;
    }
  }
  return sum;
}

}  // namespace legwork
