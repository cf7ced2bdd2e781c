// The force laws of contact.h, once for double and batch: masks and select instead of branches, so that a
// lane's numbers do not depend on its neighbours.
//
// Implicit steps (w.implicit, implicit.h). Two questions have to be answered before the step is solved: does
// a bristle hold, and how strong is the damper in the friction's normal force? Both dampers may be far
// stronger than what stops the point within the step, so they are taken as D / (1 + h D / m), with the share
// of the body's mass on one point for m: the impulse that would stop that mass.

#include "ground/contact.h"

#include "ground/implicit.h"
#include "math/branch.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double largest_exponent = 30;  // McKenna's ground: sharpness 3000 / m, depth at most 0.01 m
constexpr double tiny = 1e-300;
constexpr double clear_margin = 1e-9;        // m, and share of the box: more than rounding makes of a depth
constexpr double pull_tolerance = 1e-3;      // as a share of the force at the beginning of the step
constexpr double friction_tolerance = 0.02;  // share of the limit by which an implicit step may exceed it

template <class T>
Vec3<T> choose(const Mask<T>& mask, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

template <class T>
Sym3<T> choose(const Mask<T>& mask, const Sym3<T>& a, const Sym3<T>& b) {
  return {select(mask, a.xx, b.xx), select(mask, a.yy, b.yy), select(mask, a.zz, b.zz),
          select(mask, a.xy, b.xy), select(mask, a.xz, b.xz), select(mask, a.yz, b.yz)};
}

// Plane and slope in one vector operation; other terrains lane by lane.
template <class T>
void find_depth(const Terrain& t, const Vec3<T>& c, const T& radius, T& depth, Vec3<T>& n) {
  if (t.type == TerrainType::plane || t.type == TerrainType::slope) {
    n = {T(t.normal.x), T(t.normal.y), T(t.normal.z)};
    depth = radius - (n.x * c.x + n.y * c.y + n.z * (c.z - T(t.height)));
    return;
  }
  for (int i = 0; i < lanes_of<T>; ++i) {
    const GroundDepth g = ground_depth(t, {lane(c.x, i), lane(c.y, i), lane(c.z, i)}, lane(radius, i));
    set_lane(depth, i, g.depth);
    set_lane(n.x, i, g.normal.x);
    set_lane(n.y, i, g.normal.y);
    set_lane(n.z, i, g.normal.z);
  }
}

// Force of a spring and its slope.
template <class T>
struct SpringForce {
  T force, slope;
};
template <class T>
SpringForce<T> exponential_spring(const T& strength, const T& sharpness, const T& x) {
  const T e = exp(min(sharpness * x, T(largest_exponent)));
  return {strength * (e - T(1)), strength * sharpness * e};
}

// Part of the spring's force that is left while its end goes back to rest at a speed: 1 inward, restitution
// outward, with a ramp between; and how fast it fades.
template <class T>
struct Rebound {
  T factor, fade;
};
template <class T>
Rebound<T> rebound(double restitution, const T& speed, const T& slip_speed) {
  const T loss(1 - restitution);
  const T s = speed / slip_speed;
  return {T(1) - loss * min(max(s, T(0)), T(1)), select(abs(s) < T(1), loss / slip_speed, T(0))};
}

// The most that friction gives against a pull along the unit tangent g (world): an ellipse in each half-plane
// whose half axes are the coefficients forward, back and sideways.
template <class T>
T friction_limit(const ContactOptions& o, const Vec3<T>& forward_axis, const Vec3<T>& n, const Vec3<T>& g,
                 const T& fn) {
  if (o.friction_back == o.friction && o.friction_side == o.friction) return T(o.friction) * fn;
  const Vec3<T> along = forward_axis - n * dot(n, forward_axis);
  const T length = norm(along);
  const T x = dot(g, along) / max(length, T(tiny));  // friction along +x resists sliding back
  const T y2 = max(T(1) - x * x, T(0));
  const T mx = select(x > T(0), T(o.friction_back), T(o.friction)), my(o.friction_side);
  const T limit = mx * my / max(sqrt(my * my * (x * x) + mx * mx * y2), T(tiny));
  return limit * fn;
}

template <class T>
struct Touch {
  T depth;
  Vec3<T> n, arm, x, v;  // normal; link origin to point; point and its velocity, world
  Mask<T> touching;
};

template <class T>
struct NormalForce {
  T force, A;  // total of this step's beginning, inertia
  T holding;   // what friction counts on
};

template <class T>
NormalForce<T> normal_force(const ContactOptions& o, const ContactSite<T>& s, const Touch<T>& t,
                            const T& mass, const T& h, bool implicit) {
  const T depth = max(t.depth, T(0)), felt = min(depth, T(o.deepest)), vn = dot(t.n, t.v);
  SpringForce<T> spring{s.stiffness * felt, s.stiffness};
  if (o.type != ContactType::linear) {
    const SpringForce<T> rise = exponential_spring(s.strength, s.sharpness, felt);
    spring = {spring.force + rise.force, spring.slope + rise.slope};
  }
  T fade(0);
  if (o.restitution != 1) {
    // an implicit step sees the ramp only from inside: it must be wider than what the spring does in a step
    const T ramp = implicit ? max(s.slip_speed, h * spring.force / min(mass, s.share)) : s.slip_speed;
    const Rebound<T> r = rebound(o.restitution, vn, ramp);
    fade = spring.force * r.fade;
    spring = {spring.force * r.factor, spring.slope * r.factor};
  }
  const T damping = s.damping * min(depth / s.sink, T(1));
  if (!implicit) {
    const T f = select(t.touching, max(spring.force - damping * vn, T(0)), T(0));
    return {f, T(0), f};
  }
  const T D = damping + h * spring.slope;
  const T f = spring.force - D * vn;
  const Mask<T> pushes = t.touching & (f > T(0));
  const T m = min(mass, s.share), slowed = D * m / (m + h * D + T(tiny));
  return {select(pushes, f, T(0)), select(pushes, h * (D + fade), T(0)),
          select(pushes, min(f, max(spring.force - slowed * vn, T(0))), T(0))};
}

// Stretch of the bristle along the ground.
template <class T>
Vec3<T> bristle_stretch(const SiteState<T>& state, const Touch<T>& t, const Mat3<T>& R, const Vec3<T>& p) {
  const Vec3<T> d = p + R * state.point - state.anchor;
  return choose<T>(state.anchored > T(0.5), d - t.n * dot(t.n, d), Vec3<T>());
}

template <class T>
struct Friction {
  Vec3<T> force;        // along the ground
  Vec3<T> stretch;      // that the bristle has after this evaluation
  Vec3<T> g;            // unit direction of the force
  T A_along, A_across;  // inertia along g and across it
};

template <class T>
Friction<T> friction_force(const ContactOptions& o, const ContactSite<T>& s, const Touch<T>& t,
                           const Vec3<T>& u, const Vec3<T>& forward_axis, const T& fn, const T& mass,
                           const T& h, bool implicit) {
  const Vec3<T> vt = t.v - t.n * dot(t.n, t.v);
  const T k = s.bristle_stiffness;
  const T D = implicit ? s.bristle_damping + h * k : s.bristle_damping;
  const T D_trial = implicit ? D * s.share / (s.share + h * D + T(tiny)) : D;
  const Vec3<T> trial = -(u * k + vt * D_trial);
  const T size = norm(trial);
  Friction<T> f;
  f.g = trial * (T(1) / max(size, T(tiny)));
  const T limit = friction_limit(o, forward_axis, t.n, f.g, fn);
  const Mask<T> slides = size > limit;
  const Vec3<T> sliding = f.g * limit;
  f.stretch = choose<T>(slides, -sliding * (T(1) / k), u);
  if (!implicit) {
    f.force = choose<T>(slides, sliding, trial);
    f.A_along = f.A_across = T(0);
    return f;
  }
  f.force = choose<T>(slides, sliding, -(u * k + vt * D));
  // Sliding friction turns with the direction of motion, limit / speed across it. Along it is constant, but
  // must not reverse the motion within the step: below the speed at which it could, it fades like a damper.
  const T speed = norm(vt);
  const T damper = limit / max(speed, T(0.5) * h * limit / s.share + T(tiny));
  const T ratio = h * limit / (min(mass, s.share) * speed + T(tiny));
  const T near_stop = min(ratio * ratio, T(1));
  f.A_along = h * select(slides, damper * near_stop, D);
  f.A_across = h * select(slides, damper, D);
  return f;
}

// D across everywhere, other values along two orthogonal unit vectors.
template <class T>
Sym3<T> directed(const T& across, const T& a, const Vec3<T>& n, const T& b, const Vec3<T>& g) {
  return Sym3<T>::diagonal(across, across, across) + outer(n) * (a - across) + outer(g) * (b - across);
}

template <class T>
struct Stick {
  Vec3<T> force;
  Sym3<T> A;
  Mask<T> holds;
};

// The spring of a sticky foot, from the anchor to the point, in all directions.
template <class T>
Stick<T> stick_force(const ContactOptions& o, const ContactSite<T>& s, const SiteState<T>& state,
                     const T& grip, const Mat3<T>& R, const Vec3<T>& p, const Twist<T>& vel, const T& h,
                     bool implicit) {
  const Vec3<T> arm = R * state.point, d = p + arm - state.anchor, v = vel.lin + cross(vel.ang, arm);
  const T length = norm(d);
  const Vec3<T> e = d * (T(1) / max(length, T(tiny)));
  SpringForce<T> spring = exponential_spring(s.stick_strength, s.stick_sharpness, length);
  Stick<T> stick;
  stick.holds = (state.stuck > T(0.5)) & (grip > T(0.5)) & (spring.force <= s.stick_break_force) &
                (length <= s.stick_break_length);
  const Rebound<T> r = rebound(o.stick_restitution, -dot(e, v), s.slip_speed);
  const T fade = spring.force * r.fade;
  spring = {spring.force * r.factor, spring.slope * r.factor};
  const T across = select(length > T(1e-12), spring.force / max(length, T(tiny)), spring.slope);
  const Vec3<T> pull = e * -spring.force;
  stick.force = choose<T>(stick.holds, pull, Vec3<T>());
  if (!implicit) return stick;
  const T ve = dot(e, v);
  const Vec3<T> later = (v - e * ve) * across + e * (ve * spring.slope);
  stick.force = choose<T>(stick.holds, pull - later * h, Vec3<T>());
  const T A_across = select(stick.holds, h * h * across, T(0));
  const T A_along = select(stick.holds, h * (fade + h * spring.slope), T(0));
  stick.A = directed(A_across, A_across, e, A_along, e);
  return stick;
}

template <class T>
Touch<T> find_touch(const ContactSite<T>& s, const Terrain& terrain, const Workspace<T>& w) {
  Touch<T> t;
  const Vec3<T> to_center = w.R[s.link] * s.pos;
  find_depth(terrain, w.p[s.link] + to_center, s.radius, t.depth, t.n);
  t.touching = t.depth > T(0);
  t.arm = to_center - t.n * s.radius;
  return t;
}

template <class T>
bool may_stick(const Contacts<T>& contacts, const ContactSite<T>& s) {
  return contacts.options.type == ContactType::sticky && s.foot;
}

template <class T>
Mask<T> is_stuck(const Contacts<T>& contacts, const ContactSite<T>& s, const SiteState<T>& state) {
  if (!may_stick(contacts, s)) return Mask<T>{};
  return state.stuck > T(0.5);
}

// The anchors after an evaluation.
template <class T>
SiteState<T> follow(const Contacts<T>& contacts, const ContactSite<T>& s, const SiteState<T>& old,
                    const T& grip, const Touch<T>& t, const Vec3<T>& u, const Friction<T>& friction,
                    const Mask<T>& stick_holds, const Mat3<T>& R) {
  SiteState<T> next;
  next.anchored = select(t.touching | stick_holds, T(1), T(0));
  const Mask<T> sticks = may_stick(contacts, s) ? grip > T(0.5) : Mask<T>{};
  next.stuck = select(stick_holds | (t.touching & sticks), T(1), T(0));

  // a bristle that neither slid nor rolled, and a foot that holds, keep their anchor to the bit
  const Vec3<T> moved = friction.stretch - u;
  const Mask<T> still = (dot(moved, moved) <= T(0)) & (s.radius <= T(0)) & (old.anchored > T(0.5));
  const Mask<T> new_stick = t.touching & sticks & !stick_holds;
  const Mask<T> keep = stick_holds | (still & !new_stick);
  const Vec3<T> stretch = choose<T>(new_stick, Vec3<T>(), friction.stretch);
  const Mask<T> held = next.anchored > T(0.5);
  next.anchor = choose<T>(held, choose<T>(keep, old.anchor, t.x - stretch), Vec3<T>());
  next.point = choose<T>(held, choose<T>(keep, old.point, transpose_times(R, t.arm)), Vec3<T>());
  return next;
}

template <class T>
bool remembers(const SiteState<T>& s) {
  return any((s.anchored > T(0.5)) | (s.stuck > T(0.5)));
}

// What one site that touches or sticks adds to the forces on its link. next: null, or where its anchors go.
template <class T>
void add_touching_force(const Model<T>& m, const Contacts<T>& contacts, const ContactState<T>& state,
                        std::size_t i, Touch<T> t, const Mask<T>& stuck, const T& h, Workspace<T>& w,
                        SiteRecord<T>* record, SiteState<T>* next) noexcept {
  const bool implicit = w.implicit;
  const ContactOptions& o = contacts.options;
  const ContactSite<T>& s = contacts.sites[i];
  const SiteState<T>& old = state.sites[i];
  const Mat3<T>& R = w.R[s.link];
  t.x = w.p[s.link] + t.arm;
  t.v = w.vel[s.link].lin + cross(w.vel[s.link].ang, t.arm);

  Stick<T> stick;
  stick.holds = Mask<T>{};
  const bool any_stuck = any(stuck);
  if (any_stuck) stick = stick_force(o, s, old, state.grip[i], R, w.p[s.link], w.vel[s.link], h, implicit);

  const NormalForce<T> normal = normal_force(o, s, t, m.mass[s.link], h, implicit);
  const Vec3<T> u = bristle_stretch(old, t, R, w.p[s.link]);
  const T fn = select(stick.holds, T(0), normal.holding);
  Friction<T> friction =
      friction_force(o, s, t, u, w.R[s.axis_link].column(0), fn, m.mass[s.link], h, implicit);
  const Mask<T> rubs = t.touching & !stick.holds;
  friction.force = choose<T>(rubs, friction.force, Vec3<T>());

  Vec3<T> force = t.n * normal.force + friction.force;
  if (any_stuck) force = choose<T>(stick.holds, force + stick.force, force);
  Sym3<T> A;
  if (implicit) {
    A = directed(select(rubs, friction.A_across, T(0)), normal.A, t.n, select(rubs, friction.A_along, T(0)),
                 friction.g);
    if (any_stuck) A += stick.A;
    force += add_implicit_at(m, w, s.link, t.arm, A);
  }
  add_force_at(w, s.link, t.arm, force);

  if (record) {
    SiteRecord<T>& r = *record;
    const Vec3<T> vt = t.v - t.n * dot(t.n, t.v);
    r.touching = select(t.touching, T(1), T(0));
    r.depth = max(t.depth, T(0));
    r.normal = t.n;
    r.arm = t.arm;
    r.stuck = select(stick.holds, T(1), T(0));
    r.slip = select(t.touching, norm(vt), T(0));
    r.force = force;
    r.implicit = A;
  }
  if (next) *next = follow(contacts, s, old, state.grip[i], t, u, friction, stick.holds, R);
}

// What one site adds to the forces on its link, where it touches or sticks.
template <class T>
void add_site_force(const Model<T>& m, const Contacts<T>& contacts, const Terrain& terrain,
                    const ContactState<T>& state, std::size_t i, const T& h, Workspace<T>& w,
                    ContactRecord<T>* record, ContactState<T>* next) noexcept {
  const ContactSite<T>& s = contacts.sites[i];
  const Touch<T> t = find_touch(s, terrain, w);
  const Mask<T> stuck = is_stuck(contacts, s, state.sites[i]), acts = t.touching | stuck;
  if (record && any(acts)) record->near.push_back(int(i));
  SiteRecord<T>* const felt = record ? &(*record)[i] : nullptr;
  SiteState<T> anchors;
  const auto act = [&] {
    add_touching_force(m, contacts, state, i, t, stuck, h, w, felt, next ? &anchors : nullptr);
  };
  when(acts, act, w.f_ext[s.link], w.I_ext[s.link], felt, anchors);
  if (next && (any(acts) || remembers(state.sites[i]))) next->sites[i] = anchors;
}

// Level ground as a link sees it: how high its origin is, and which way is up in its own axes.
template <class T>
struct LevelGround {
  T height;
  Vec3<T> up;

  LevelGround(const Terrain& t, int link, const Workspace<T>& w) {
    const Vec3<T> n{T(t.normal.x), T(t.normal.y), T(t.normal.z)}, &p = w.p[link];
    height = n.x * p.x + n.y * p.y + n.z * (p.z - T(t.height));
    up = transpose_times(w.R[link], n);
  }
  // Whether everything within reach of a point of the link is above the ground in every lane, for certain.
  bool clears(const Vec3<T>& point, const T& reach) const {
    return all(height + dot(up, point) > reach * T(1 + clear_margin) + T(clear_margin));
  }
  bool clears(const SiteGroup<T>& g) const {
    return clears(g.center, abs(up.x) * g.half.x + abs(up.y) * g.half.y + abs(up.z) * g.half.z);
  }
};

bool is_level(const Terrain& t) { return t.type == TerrainType::plane || t.type == TerrainType::slope; }

// Calls visit(site) for all sites that touch or may do so, or remember that they did, and leave(group) after
// each group that has such.
template <class T, class Visit, class Leave>
void for_near_sites(const Contacts<T>& contacts, const Terrain& terrain, const ContactState<T>& state,
                    const Workspace<T>& w, const Visit& visit, const Leave& leave) {
  const bool is_flat = is_level(terrain);
  for (std::size_t g = 0; g < contacts.groups.size(); ++g) {
    const SiteGroup<T>& group = contacts.groups[g];
    const LevelGround<T> ground(terrain, group.link, w);
    if (is_flat && state.free[g] && ground.clears(group)) continue;
    for (int i = group.begin; i < group.end; ++i) {
      const ContactSite<T>& site = contacts.sites[i];
      if (!site.moves || state.off[i]) continue;
      if (is_flat && ground.clears(site.pos, site.radius) && !remembers(state.sites[i])) continue;
      visit(i);
    }
    leave(g);
  }
}

// Corrects one contact, where it is neither what was foreseen nor stuck; returns where it did.
template <class T>
Mask<T> correct_contact(const Contacts<T>& contacts, const ContactSite<T>& s, const Mask<T>& free,
                        Workspace<T>& w, SiteRecord<T>& r) noexcept {
  const Vec3<T> n = r.normal, acted = r.force - r.implicit * shift(w.acc[s.link], r.arm).lin;
  const T fn = dot(n, acted);
  const Vec3<T> along = acted - n * fn;
  const T size = norm(along);
  const Vec3<T> g = along * (T(1) / max(size, T(tiny)));
  const T limit = friction_limit(contacts.options, w.R[s.axis_link].column(0), n, g, fn);
  // two points of a light link deep in ground that stiffens share its force almost at will: a pull that is
  // small beside what it came from is none, or both would be taken out and the link sink for ever
  const double tolerance = contacts.options.type == ContactType::linear ? 0 : pull_tolerance;
  const Mask<T> pulls = free & (fn < T(-tolerance) * max(dot(n, r.force), T(0)));
  const Mask<T> held =
      free & (fn >= T(0)) & (size > limit * T(1 + friction_tolerance)) & (r.corrected < T(0.5));
  const Mask<T> changes = pulls | held;
  const auto correct = [&] {
    // what is left of a contact that was held: its normal part, and the limit as a constant force
    const T A_n = dot(n, r.implicit * n);
    const Vec3<T> force = choose<T>(held, n * dot(n, r.force) + g * limit, Vec3<T>());
    const Sym3<T> A = choose<T>(held, outer(n) * A_n, Sym3<T>());
    const Vec3<T> add = choose<T>(changes, force - r.force, Vec3<T>());
    const Sym3<T> add_A = choose<T>(changes, A + r.implicit * T(-1), Sym3<T>());
    add_shifted(w.I_ext[s.link], Inertia<T>{{}, {}, add_A}, r.arm);
    add_force_at(w, s.link, r.arm, add);
    r.force = choose<T>(changes, force, r.force);
    r.implicit = choose<T>(changes, A, r.implicit);
    r.corrected = select(changes, T(1), r.corrected);
  };
  when(changes, correct, w.f_ext[s.link], w.I_ext[s.link], r);
  return changes;
}

}  // namespace

template <class T>
T site_depth(const ContactSite<T>& site, const Terrain& terrain, const Workspace<T>& w) noexcept {
  if (terrain.type == TerrainType::none) return T(-unlimited);
  T depth;
  Vec3<T> n;
  find_depth(terrain, w.p[site.link] + w.R[site.link] * site.pos, site.radius, depth, n);
  return depth;
}

template <class T>
void add_contact_forces(const Model<T>& m, const Contacts<T>& contacts, const Terrain& terrain,
                        const ContactState<T>& state, const T& h, Workspace<T>& w,
                        std::type_identity_t<ContactRecord<T>*> record,
                        std::type_identity_t<ContactState<T>*> next) noexcept {
  if (record) {
    for (const int i : record->near) (*record)[i] = {};
    record->near.clear();
  }
  if (terrain.type == TerrainType::none) return;
  bool holds = false;  // some site of the present group
  for_near_sites(
      contacts, terrain, state, w,
      [&](int i) {
        add_site_force(m, contacts, terrain, state, std::size_t(i), h, w, record, next);
        if (next) holds = holds || remembers(next->sites[std::size_t(i)]);
      },
      [&](std::size_t g) {
        if (next) next->free[g] = !holds;
        holds = false;
      });
}

template <class T>
Mask<T> correct_contacts(const Contacts<T>& contacts, Workspace<T>& w, ContactRecord<T>& record) noexcept {
  Mask<T> corrected{};
  for (const int i : record.near) {
    const ContactSite<T>& s = contacts.sites[i];
    SiteRecord<T>& r = record[i];
    const Mask<T> free = (r.touching > T(0.5)) & (r.stuck < T(0.5));
    when(
        free, [&] { corrected = corrected | correct_contact(contacts, s, free, w, r); }, corrected,
        w.f_ext[s.link], w.I_ext[s.link], r);
  }
  return corrected;
}

template <class T>
void complete_contact_record(const Contacts<T>& contacts, const Workspace<T>& w,
                             ContactRecord<T>& record) noexcept {
  for (const int i : record.near) {
    SiteRecord<T>& r = record[i];
    if (!any((r.touching > T(0.5)) | (r.stuck > T(0.5)))) continue;
    r.force -= r.implicit * shift(w.acc[contacts.sites[i].link], r.arm).lin;
    r.implicit = {};
  }
}

template <class T>
T contact_energy(const Model<T>&, const Contacts<T>& contacts, const Terrain& terrain,
                 const ContactState<T>& state, const Workspace<T>& w) noexcept {
  T sum(0);
  if (terrain.type == TerrainType::none) return sum;
  const auto exponential = [](const T& a, const T& b, const T& x) {
    return a * ((exp(min(b * x, T(largest_exponent))) - T(1)) / b - x);
  };
  const auto add = [&](std::size_t i) {
    const ContactSite<T>& s = contacts.sites[i];
    const SiteState<T>& old = state.sites[i];
    const Touch<T> t = find_touch(s, terrain, w);
    const Mask<T> glued = is_stuck(contacts, s, old), gripping = state.grip[i] > T(0.5);
    const Mask<T> stuck = glued & gripping;
    if (!any(t.touching | stuck)) return;
    const T depth = max(t.depth, T(0));
    // where the force grows no further this is an upper bound
    sum += T(0.5) * s.stiffness * (depth * depth);
    if (contacts.options.type != ContactType::linear) sum += exponential(s.strength, s.sharpness, depth);
    const Vec3<T> u = bristle_stretch(old, t, w.R[s.link], w.p[s.link]);
    sum += select(t.touching & !stuck, T(0.5) * s.bristle_stiffness * dot(u, u), T(0));
    const T length = norm(w.p[s.link] + w.R[s.link] * old.point - old.anchor);
    sum += select(stuck, exponential(s.stick_strength, s.stick_sharpness, length), T(0));
  };
  for_near_sites(contacts, terrain, state, w, add, [](std::size_t) {});
  return sum;
}

#define LEGWORK_INSTANTIATE(T)                                                                           \
  template T site_depth(const ContactSite<T>&, const Terrain&, const Workspace<T>&) noexcept;            \
  template void add_contact_forces(const Model<T>&, const Contacts<T>&, const Terrain&,                  \
                                   const ContactState<T>&, const T&, Workspace<T>&, ContactRecord<T>*,   \
                                   ContactState<T>*) noexcept;                                           \
  template Mask<T> correct_contacts(const Contacts<T>&, Workspace<T>&, ContactRecord<T>&) noexcept;      \
  template void complete_contact_record(const Contacts<T>&, const Workspace<T>&,                         \
                                        ContactRecord<T>&) noexcept;                                     \
  template T contact_energy(const Model<T>&, const Contacts<T>&, const Terrain&, const ContactState<T>&, \
                            const Workspace<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
