#include "control/legged_body.h"

#include <algorithm>
#include <cmath>

#include "control/inverse_kinematics.h"
#include "control/polygon.h"
#include "creature/tree.h"
#include "ground/terrain.h"
#include "math/rotation.h"

namespace legwork {

namespace {

constexpr double longest_leg = 0.92;    // share of a leg's reach that it uses when the body stands
constexpr double longest_step = 0.97;   // the same at either end of a stroke
constexpr double deepest_crouch = 0.3;  // share of the height
constexpr double least_stroke = 0.3;    // share of the height: how far a foot should get either way
constexpr double flat_leg = 0.2;        // share of its length that a foot is below the hip at least
constexpr double sprawled_leg = 0.15;   // the same for a leg whose foot is on the ground as the body stands
constexpr double folded_leg = 0.38;     // share of its length that its foot is from the hip at least, then
constexpr double most_stroke = 0.5;     // share of the height that is looked for
constexpr double most_lift = 0.15;      // share of the height that is looked for
constexpr double least_lift = 0.06;     // share of the height that is kept however low it goes
constexpr double least_crouch_left = 0.1;  // share of the height that it may go lower in any case
constexpr double longest_lean = 0.35;      // share of the height from the other feet when one lifts
constexpr double least_gathered = 0.8;     // share of their distance to which feet are drawn in for that
constexpr double flat_tilt = 0.01;       // rad: of a long foot that counts as flat when the crouch is chosen
constexpr double walking_tilt = 0.06;    // rad: of a long foot in a stroke
constexpr double long_foot = 0.1;        // share of the height; shorter ones may tilt further
constexpr double share_of_weight = 0.9;  // at the leg's length: what a hinge without a motor may use
constexpr double weights_of_slide = 3;   // what a slide without one may
constexpr double smallest_sole = 0.03;   // share of the height below which a sole counts as a point
constexpr double smallest_stiff_sole = 0.06;  // the same where the leg cannot keep it flat
constexpr size_t flat_joints = 5;    // degrees of freedom that bring a foot to a place and keep it flat there
constexpr double same_level = 0.02;  // share of the height within which contact points make one sole

bool descends(const Model<double>& m, int link, int from) {
  while (link >= 0 && link != from) link = m.parent[size_t(link)];
  return link == from;
}

std::vector<int> chain(const Model<double>& m, int from, int to) {
  std::vector<int> dofs;
  for (int link = to; link >= 0; link = m.parent[size_t(link)]) {
    for (int d = m.dof_begin[size_t(link) + 1] - 1; d >= m.dof_begin[size_t(link)]; --d) dofs.push_back(d);
    if (link == from) break;
  }
  std::reverse(dofs.begin(), dofs.end());
  return dofs;
}

// m: how much a radian of a foot's tilt counts beside a metre of its place; 0 where the foot is a point, or
// the leg has no joints to spare for it.
double flat_arm(const LeggedBody& b, const LimbOfBody& leg) {
  return leg.size > 0 && leg.dofs.size() > 3 ? 0.1 * b.height : 0;
}

// m: of all contact points.
double lowest_point(const System<double>& s, const Workspace<double>& w) {
  double lowest = unlimited;
  for (const ContactSite<double>& site : s.contacts.sites)
    lowest = std::min(lowest, point_position(w, site.link, site.pos).z - site.radius);
  return lowest;
}

// The contact points that the leg stands on: at most four, the furthest out in four directions.
void find_sole(const System<double>& s, const Workspace<double>& w, double height, LimbOfBody& leg) {
  const Model<double>& m = s.model;
  std::vector<int> low;
  double lowest = unlimited;
  const auto center = [&](int i) {
    return point_position(w, s.contacts.sites[size_t(i)].link, s.contacts.sites[size_t(i)].pos);
  };
  const auto bottom = [&](int i) { return center(i).z - s.contacts.sites[size_t(i)].radius; };
  for (size_t i = 0; i < s.contacts.sites.size(); ++i) {
    const int link = s.contacts.sites[i].link;
    if (!descends(m, link, leg.hip)) continue;
    leg.all_sites.push_back(int(i));
    if (descends(m, link, leg.foot)) lowest = std::min(lowest, bottom(int(i)));
  }
  for (const int i : leg.all_sites)
    if (descends(m, s.contacts.sites[size_t(i)].link, leg.foot) && bottom(i) < lowest + same_level * height)
      low.push_back(i);
  if (low.size() > 4) {
    // of two over each other the lower: thin soles have corners above as well
    std::vector<int> far;
    for (const Vec3d& out : {Vec3d(1, 1, 0), Vec3d(1, -1, 0), Vec3d(-1, 1, 0), Vec3d(-1, -1, 0)}) {
      const auto outward = [&](int i) { return dot(center(i), out) - bottom(i); };
      const int best =
          *std::max_element(low.begin(), low.end(), [&](int a, int b) { return outward(a) < outward(b); });
      if (std::find(far.begin(), far.end(), best) == far.end()) far.push_back(best);
    }
    low = far;
  }
  leg.sites = low;
  Vec3d middle;
  for (const int i : low) {
    middle += center(i) * (1.0 / double(low.size()));
    leg.ankle += s.contacts.sites[size_t(i)].radius / double(low.size());
  }
  for (const int i : low) leg.size = std::max(leg.size, norm(center(i) - middle));
  if (leg.size < (leg.dofs.size() < flat_joints ? smallest_stiff_sole : smallest_sole) * height) leg.size = 0;
  // what counts as a point stands on any part of its rim, as the leg turns it
  for (const int i : leg.all_sites)
    if (leg.size == 0 && descends(m, s.contacts.sites[size_t(i)].link, leg.foot) &&
        bottom(i) < lowest + smallest_stiff_sole * height &&
        std::find(low.begin(), low.end(), i) == low.end())
      leg.sites.push_back(i);
  const size_t foot = size_t(leg.foot);
  leg.sole = transpose_times(w.R[foot], middle - w.p[foot]);
  leg.flat = w.R[foot];
}

// Torques that the joints may use: what their motors give, else most of a weight at the leg's length. Needs
// positions in w.
void find_torques(const std::vector<double>& strength, const Workspace<double>& w, LeggedBody& b) {
  b.most_torque.assign(size_t(b.system->model.nv), b.weight * b.height);
  for (const LimbOfBody& leg : b.legs)
    for (const int d : leg.dofs) {
      const bool slides = norm(w.S[size_t(d)].ang) == 0;
      b.most_torque[size_t(d)] = b.weight * (slides ? weights_of_slide : share_of_weight * leg.reach);
    }
  for (size_t d = 0; d < strength.size(); ++d)
    if (strength[d] > 0 && strength[d] < unlimited) b.most_torque[d] = strength[d];
}

// Where a straight leg's joints are drawn to, so that it bends the way its ranges allow.
std::vector<double> bent_rest(const LeggedBody& b, const FootSolver& solver) {
  std::vector<double> rest = b.x;
  for (const LimbOfBody& leg : b.legs)
    for (size_t k = 1; k < leg.dofs.size(); ++k) {
      const size_t d = size_t(leg.dofs[k]);
      const double up = solver.upper[d] - b.x[d], down = b.x[d] - solver.lower[d];
      if (up > 3 * down) rest[d] = b.x[d] + std::min(0.3, 0.5 * up);
      if (down > 3 * up) rest[d] = b.x[d] - std::min(0.3, 0.5 * down);
    }
  return rest;
}

// The configuration with the legs' joints there.
std::vector<double> with_legs_at(const LeggedBody& b, const std::vector<double>& x) {
  std::vector<double> q(b.q.size()), v(b.x.size(), 0);
  for (const LimbOfBody& leg : b.legs)
    for (const int d : leg.dofs) v[size_t(d)] = x[size_t(d)] - b.x[size_t(d)];
  integrate_positions(b.system->model, b.q.data(), v.data(), 1.0, q.data());
  return q;
}

// Its origin and axes; of a root in a plane as far as that goes.
void set_root(const LeggedBody& b, const Vec3d& p, const Mat3d& R, Workspace<double>& w,
              std::vector<double>& q) {
  if (!b.planar()) {
    const Quatd r = quaternion(R);
    const double place[7] = {p.x, p.y, p.z, r.w, r.x, r.y, r.z};
    std::copy(place, place + 7, q.begin() + b.root_q);
    return;
  }
  const Model<double>& m = b.system->model;
  const size_t root = size_t(b.root);
  std::vector<double> v(size_t(m.nv));
  for (const bool turn : {true, false}) {  // first its turn, that moves its origin
    update_positions(m, q.data(), w);
    const Vec3d turned = turn_between(w.R[root], R), moved = p - w.p[root];
    for (int d = b.root_v; d < b.root_v + b.root_dofs; ++d) {
      const Twist<double>& S = w.S[size_t(d)];
      v[size_t(d)] = turn ? dot(S.ang, turned) : dot(S.ang, S.ang) > 0 ? 0 : dot(S.lin, moved);
    }
    integrate_positions(m, q.data(), v.data(), 1.0, q.data());
  }
}

Vec3d root_place(const LeggedBody& b, const std::vector<double>& q, Workspace<double>& w) {
  if (b.planar()) {
    update_positions(b.system->model, q.data(), w);
    return w.p[size_t(b.root)];
  }
  return {q[size_t(b.root_q)], q[size_t(b.root_q) + 1], q[size_t(b.root_q) + 2]};
}

// How far the sole gets from the hip, towards its home.
void find_reach(const LeggedBody& b, FootSolver& solver, const std::vector<double>& rest, LimbOfBody& leg) {
  std::vector<double> q = b.q;
  update_positions(b.system->model, q.data(), solver.w);
  const Vec3d hip = solver.w.p[size_t(leg.hip)];
  const Vec3d sole = point_position(solver.w, leg.foot, leg.sole);
  const Vec3d out = sole - hip;
  const double now = norm(out);
  leg.reach = now;
  q = with_legs_at(b, rest);
  for (double share = 1.05; share < 3; share += 0.05) {
    solver.place(leg.dofs, {leg.foot, leg.sole, hip + out * share, {}, 0}, rest, b.height, q);
    const double far = norm(point_position(solver.w, leg.foot, leg.sole) - hip);
    if (far < leg.reach + 0.005 * now) break;
    leg.reach = far;
  }
}

// The share of its distance from the hip at which a foot that stands beside the body should stand, so that
// the leg is not stretched and has room for strokes.
double drawn_in(const LimbOfBody& leg, const Vec3d& out, double height) {
  double in = 1;
  const auto has_room = [&](double share) {
    const double x = share * out.x, y = share * out.y, far = longest_leg * leg.reach;
    const double left = 0.95 * 0.95 * leg.reach * leg.reach - y * y - out.z * out.z;
    return x * x + y * y + out.z * out.z <= far * far && left > 0 &&
           std::sqrt(left) - std::fabs(x) >= least_stroke * height;
  };
  while (in > 0.6 && !has_room(in)) in -= 0.05;
  return has_room(in) ? in : 1;
}

// The share of their distance from the centre of mass to which soles should be drawn in where one foot alone
// holds an end of the body: while it is in the air, the body falls away from the others, and the further they
// are the more friction that takes.
double gathered(const Vec3d& com, double height, const std::vector<Vec3d>& soles) {
  if (soles.size() < 3) return 1;
  double furthest = 0;
  for (size_t i = 0; i < soles.size(); ++i) {
    Polygon others;
    for (size_t j = 0; j < soles.size(); ++j)
      if (j != i) others.add({soles[j].x - com.x, soles[j].y - com.y});
    others.close(0);
    furthest = std::max(furthest, norm(others.nearest({0, 0})));
  }
  if (!(furthest > longest_lean * height)) return 1;
  return std::max(longest_lean * height / furthest, least_gathered);
}

// How far all feet get forward and back, flat on the ground but for a tilt, rad of long feet, with the root
// there: the longest stroke, m.
double room_for_strokes(const LeggedBody& b, FootSolver& solver, const Vec3d& place,
                        const std::vector<Vec3d>& soles, const std::vector<double>& rest, double tilt) {
  double room = most_stroke * b.height;
  std::vector<double> q = b.q;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    const double arm = flat_arm(b, leg);
    const double most_tilt = arm > 0 ? tilt * std::max(long_foot * b.height / leg.size, 1.0) : unlimited;
    for (const double way : {-0.5, 0.5}) {
      q = b.q;
      set_root(b, place, b.upright, solver.w, q);
      for (;; room *= 0.75) {
        const Vec3d at = soles[i] + Vec3d(way * room, 0, 0);
        const double miss =
            solver.place(leg.dofs, {leg.foot, leg.sole, at, leg.flat, arm}, rest, b.height, q);
        const Vec3d turn = turn_between(solver.w.R[size_t(leg.foot)], leg.flat);
        const double tipped = std::sqrt(turn.x * turn.x + turn.y * turn.y);
        const double far = norm(at - solver.w.p[size_t(leg.hip)]);
        const bool reaches = miss < 0.01 * b.height && far < longest_step * leg.reach;
        if ((reaches && tipped < most_tilt) || room < 0.1 * b.height) break;
      }
    }
  }
  return room;
}

// How far all feet get up, m.
double room_for_lift(const LeggedBody& b, FootSolver& solver, const Vec3d& place,
                     const std::vector<Vec3d>& soles, const std::vector<double>& rest) {
  double room = most_lift * b.height;
  std::vector<double> q;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    q = b.q;
    set_root(b, place, b.upright, solver.w, q);
    for (; room > 0.02 * b.height; room -= 0.02 * b.height) {
      const Vec3d at = soles[i] + Vec3d(0, 0, room);
      const double miss = solver.place(leg.dofs, {leg.foot, leg.sole, at, {}, 0}, rest, b.height, q);
      if (miss < 0.01 * b.height) break;
    }
  }
  return room;
}

// How low a body stands, and how far its feet go then, flat on the ground and up.
struct Stance {
  double crouch = 0, flat_stroke = 0, lift = 0;  // m
};

// A little lower than usual, or higher, where that gives longer strokes and higher steps: joints' ranges
// count beside the legs' length.
Stance choose_crouch(const LeggedBody& b, FootSolver& solver, const Vec3d& place,
                     const std::vector<Vec3d>& soles, const std::vector<double>& rest, double usual) {
  Stance best;
  double most = -1;
  for (const double more : {0.0, -0.02, -0.04, 0.03, 0.06, -0.07, -0.1}) {
    const double crouch = std::clamp(usual + more * b.height, 0.0, deepest_crouch * b.height);
    const Vec3d at = place - Vec3d(0, 0, crouch);
    const double room = room_for_strokes(b, solver, at, soles, rest, flat_tilt);
    const double lift = room_for_lift(b, solver, at, soles, rest);
    // a step is worth more than a longer one, a stroke that is long enough more than a low one
    const double steps = std::min(lift, least_lift * b.height);
    const double worth = room + 2 * lift + 6 * steps - 0.5 * std::fabs(more) * b.height;
    if (worth > most + 1e-6 * b.height) most = worth, best = {crouch, room, lift};
    if (more == 0 && room >= most_stroke * b.height && lift >= most_lift * b.height) break;
  }
  return best;
}

// Joints outside their ranges come to the end of them, and legs that lie flat are let down.
void stand_up(const Creature& c, LeggedBody& b, FootSolver& solver) {
  const Model<double>& m = b.system->model;
  std::vector<double> v(b.x.size(), 0);
  for (size_t d = 0; d < v.size(); ++d)
    if (!b.of_root(int(d)))
      v[d] = std::clamp(b.x[d], b.system->joints.lower[d], b.system->joints.upper[d]) - b.x[d];
  integrate_positions(m, b.q.data(), v.data(), 1.0, b.q.data());
  update_positions(m, b.q.data(), solver.w);
  const double ground = lowest_point(*b.system, solver.w);
  for (const Leg& leg : c.legs) {
    joint_positions(b.system->joints, b.q.data(), b.x.data());
    update_positions(m, b.q.data(), solver.w);
    const Vec3d hip = solver.w.p[size_t(leg.hip)], sole = point_position(solver.w, leg.foot, leg.sole);
    const double length = leg_length(c, leg), up = hip.z - sole.z;
    const bool sprawls = up > sprawled_leg * length && sole.z - ground < sprawled_leg * length &&
                         norm(sole - hip) > folded_leg * length;
    if (up > flat_leg * length || sprawls) continue;
    const Vec3d out(sole.x - hip.x, sole.y - hip.y, 0);
    const double far = std::max(norm(out), 1e-9);
    const Vec3d goal = hip + out * (std::min(far, 0.6 * length) / far) - Vec3d(0, 0, 0.55 * length);
    solver.place(leg_dofs(c, leg), {leg.foot, leg.sole, goal, {}, 0}, b.x, length, b.q);
  }
  joint_positions(b.system->joints, b.q.data(), b.x.data());
  update_positions(m, b.q.data(), solver.w);
}

double mass_from(const Model<double>& m, int root) {
  double mass = 0;
  for (int link = 0; link < m.nlink; ++link)
    for (int up = link; up >= root; up = m.parent[size_t(up)])
      if (up == root) mass += m.mass[size_t(link)];
  return mass;
}

// Joints, soles and hips of all legs, and the joints that are no leg's. Needs positions in w.
void find_legs(const Creature& c, const Workspace<double>& w, LeggedBody& b) {
  const Model<double>& m = b.system->model;
  std::vector<char> taken(size_t(m.nv), 0);
  for (int d = b.root_v; d < b.root_v + b.root_dofs; ++d) taken[size_t(d)] = 1;
  for (const Leg& given : c.legs) {
    LimbOfBody leg;
    leg.hip = given.hip, leg.foot = given.foot;
    leg.dofs = leg_dofs(c, given);
    for (const int d : leg.dofs) taken[size_t(d)] = 1;
    leg.mass = mass_from(m, leg.hip);
    for (const int d : chain(m, b.root, m.parent[size_t(leg.hip)]))
      if (!b.of_root(d)) leg.spine.push_back(d);
    find_sole(*b.system, w, b.height, leg);
    if (leg.sites.empty())
      throw Error(given.where, "leg '" + given.name + "'", "has no contact point on its foot",
                  "give the foot's link a shape that touches");
    leg.hip_point = transpose_times(w.R[size_t(b.root)], w.p[size_t(leg.hip)] - w.p[size_t(b.root)]);
    b.legs.push_back(std::move(leg));
  }
  for (int d = 0; d < m.nv; ++d)
    if (!taken[size_t(d)]) b.posture.push_back(d);
}

// Where soles are on the ground: below where they are in the pose, drawn in so that no leg is stretched.
// Needs positions in w.
std::vector<Vec3d> usual_soles(const LeggedBody& b, const Workspace<double>& w) {
  std::vector<Vec3d> soles;
  for (const LimbOfBody& leg : b.legs) {
    const Vec3d hip = w.p[size_t(leg.hip)], sole = point_position(w, leg.foot, leg.sole);
    const double in = drawn_in(leg, sole - hip, b.height);
    const double x = in * (sole.x - hip.x), y = in * (sole.y - hip.y);
    soles.push_back({hip.x + x, hip.y + y, leg.ankle});
  }
  return soles;
}

// m: how much lower than in the pose no leg is stretched to its sole. Needs positions in w.
double least_crouch(const LeggedBody& b, const Workspace<double>& w, const std::vector<Vec3d>& soles,
                    double ground) {
  double crouch = 0;
  for (size_t i = 0; i < soles.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    const Vec3d hip = w.p[size_t(leg.hip)];
    const double x = soles[i].x - hip.x, y = soles[i].y - hip.y;
    const double most = longest_leg * leg.reach * longest_leg * leg.reach - x * x - y * y;
    crouch = std::max(crouch, hip.z - ground - leg.ankle - std::sqrt(std::max(most, 0.0)));
  }
  return std::min(crouch, deepest_crouch * b.height);
}

// The body as it is to stand: so low that no leg is stretched, each foot on the plane z = 0, gathered as far
// as that leaves them room for strokes.
void crouch_down(LeggedBody& b, FootSolver& solver, double ground) {
  const Model<double>& m = b.system->model;
  Workspace<double>& w = solver.w;
  const std::vector<double> rest = bent_rest(b, solver);
  for (LimbOfBody& leg : b.legs) find_reach(b, solver, rest, leg);
  update_positions(m, b.q.data(), w);
  const std::vector<double> pose = b.q;
  b.upright = w.R[size_t(b.root)];
  Vec3d place = root_place(b, b.q, w);
  place.z -= ground;
  const Vec3d com = center_of_mass(m, w);
  const std::vector<Vec3d> usual = usual_soles(b, w);
  const double most_gathered = gathered(com, b.height, usual);
  b.q = with_legs_at(b, rest);  // from where straight legs bend the right way
  std::vector<Vec3d> soles;
  Stance best;
  for (const double part : {0.0, 0.5, 1.0}) {
    const double in = most_gathered + part * (1 - most_gathered);
    std::vector<Vec3d> tried = usual;
    for (Vec3d& sole : tried) sole.x = com.x + in * (sole.x - com.x), sole.y = com.y + in * (sole.y - com.y);
    update_positions(m, pose.data(), w);
    const Stance stance = choose_crouch(b, solver, place, tried, rest, least_crouch(b, w, tried, ground));
    if (stance.flat_stroke > best.flat_stroke) best = stance, soles = tried;
    if (best.flat_stroke >= least_stroke * b.height || most_gathered == 1) break;
  }
  b.crouch = best.crouch, b.flat_stroke = best.flat_stroke, b.lift = best.lift;
  place.z -= b.crouch;
  b.stroke = room_for_strokes(b, solver, place, soles, rest, walking_tilt);
  const double step = 0.03 * b.height;
  b.lowest = least_crouch_left * b.height;
  while (b.lowest < deepest_crouch * b.height &&
         room_for_lift(b, solver, place - Vec3d(0, 0, b.lowest + step), soles, rest) >= least_lift * b.height)
    b.lowest += step;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    set_root(b, place, b.upright, solver.w, b.q);
    const double arm = flat_arm(b, leg);
    solver.place(leg.dofs, {leg.foot, leg.sole, soles[i], leg.flat, arm}, rest, b.height, b.q);
  }
  joint_positions(b.system->joints, b.q.data(), b.x.data());
  update_positions(m, b.q.data(), w);
}

// Where the feet stand around the centre of mass, which is to be over them. Needs positions in w.
void find_homes(const Workspace<double>& w, LeggedBody& b) {
  const Vec3d com = center_of_mass(b.system->model, w);
  b.height = std::max(com.z, 1e-6);
  b.rate = std::sqrt(b.gravity / b.height);
  b.com = com - w.p[size_t(b.root)];
  Polygon feet;
  for (LimbOfBody& leg : b.legs) {
    leg.home = point_position(w, leg.foot, leg.sole) - Vec3d(com.x, com.y, 0);
    leg.home.z = 0;
    if (b.planar()) leg.home.y = 0;
    for (const int s : leg.sites) {
      const ContactSite<double>& site = b.system->contacts.sites[size_t(s)];
      const Vec3d p = point_position(w, site.link, site.pos);
      feet.add({p.x - com.x, b.planar() ? 0 : p.y - com.y});
    }
  }
  feet.close(0.05 * b.height);
  const Vec2 off = feet.nearest({0, 0});
  const double part = 1.0 / double(b.legs.size());
  Vec3d middle;
  for (LimbOfBody& leg : b.legs) {
    leg.home = leg.home - Vec3d(off.x, off.y, 0);
    middle += leg.home * part;
  }
  for (LimbOfBody& leg : b.legs) {
    b.spread_x += std::fabs(leg.home.x - middle.x) / double(b.legs.size());
    b.spread_y += std::fabs(leg.home.y - middle.y) / double(b.legs.size());
    const double aside = leg.home.y - middle.y;
    leg.side = std::fabs(aside) > 0.02 * b.height ? (aside > 0 ? 1 : -1) : 0;
  }
}

}  // namespace

LeggedBody make_legged_body(const System<double>& system, const std::vector<double>& strength) {
  const Creature& c = system.world.body;
  const Model<double>& m = system.model;
  LeggedBody b;
  b.system = &system;
  b.root = c.legs[0].hip;
  while (m.parent[size_t(b.root)] >= 0) b.root = m.parent[size_t(b.root)];
  const Screw<double>& first = m.screws[size_t(m.screw_begin[size_t(b.root)])];
  b.root_q = first.q, b.root_v = first.v;
  b.root_dofs = m.dof_begin[size_t(b.root) + 1] - m.dof_begin[size_t(b.root)];
  b.mass = total_mass(m);
  b.gravity = std::max(norm(system.world.gravity), 1e-3);
  b.weight = b.mass * b.gravity;
  b.q = c.pose("stand");
  b.x.assign(size_t(m.nv), 0);
  joint_positions(system.joints, b.q.data(), b.x.data());

  FootSolver solver(m, system.joints);
  stand_up(c, b, solver);
  b.lower = solver.lower, b.upper = solver.upper;
  const double ground = lowest_point(system, solver.w);
  b.height = std::max(center_of_mass(m, solver.w).z - ground, 1e-6);
  find_legs(c, solver.w, b);
  crouch_down(b, solver, ground);
  find_homes(solver.w, b);
  find_torques(strength, solver.w, b);
  return b;
}

std::vector<double> lay_on(const LeggedBody& b, const Terrain& terrain, const Vec3d& under, double yaw) {
  const Model<double>& m = b.system->model;
  FootSolver solver(m, b.system->joints);
  std::vector<double> q = b.q;
  const Mat3d heading = matrix(rotation_quaternion(Vec3d(0, 0, yaw)));
  std::vector<Vec3d> soles;
  const GroundPlane plane = fit_ground(b, terrain, under, yaw);
  const Vec3d center(under.x, under.y, plane.height);
  const Vec3d leans = lean(b, plane, yaw);
  for (const LimbOfBody& leg : b.legs) {
    Vec3d at = under + heading * (leg.home + leans);
    at.z = sample(terrain, at.x, at.y).height;
    soles.push_back(at);
  }
  const Mat3d tilt = trunk_tilt(b, plane, yaw);
  const Mat3d R = tilt * heading * b.upright;
  Vec3d com = heading * b.com;
  double lower = 0;
  for (int round = 0; round < 6; ++round) {
    const Vec3d place = Vec3d(center.x, center.y, center.z + b.height - lower) - com;
    double missed = 0;
    for (size_t i = 0; i < b.legs.size(); ++i) {
      const LimbOfBody& leg = b.legs[i];
      set_root(b, place, R, solver.w, q);
      const GroundSample g = sample(terrain, soles[i].x, soles[i].y);
      const Vec3d up = cross(Vec3d(0, 0, 1), g.normal);
      const Mat3d flat = matrix(rotation_quaternion(up)) * heading * leg.flat;
      const double arm = flat_arm(b, leg);
      const Vec3d at = soles[i] + g.normal * leg.ankle;
      solver.place(leg.dofs, {leg.foot, leg.sole, at, flat, arm}, b.x, b.height, q);
      missed = std::max(missed, point_position(solver.w, leg.foot, leg.sole).z - at.z);
    }
    // so low that every leg gets down
    if (missed > 1e-3 * b.height) lower = std::min(lower + 1.5 * missed, deepest_crouch * b.height);
    update_positions(m, q.data(), solver.w);
    com = center_of_mass(m, solver.w) - place;
  }
  // every foot out of the ground and down to it
  for (int round = 0; round < 3; ++round)
    for (size_t i = 0; i < b.legs.size(); ++i) {
      const LimbOfBody& leg = b.legs[i];
      update_positions(m, q.data(), solver.w);
      double deepest = -unlimited;
      for (const int s : leg.sites)
        deepest = std::max(deepest, site_depth(b.system->contacts.sites[size_t(s)], terrain, solver.w));
      const double arm = flat_arm(b, leg);
      const Vec3d at = point_position(solver.w, leg.foot, leg.sole) + Vec3d(0, 0, deepest);
      solver.place(leg.dofs, {leg.foot, leg.sole, at, solver.w.R[size_t(leg.foot)], arm}, b.x, b.height, q);
    }
  update_positions(m, q.data(), solver.w);
  double sunk = 0;
  for (const ContactSite<double>& site : b.system->contacts.sites)
    sunk = std::max(sunk, site_depth(site, terrain, solver.w));
  if (b.planar())
    set_root(b, solver.w.p[size_t(b.root)] + Vec3d(0, 0, sunk), solver.w.R[size_t(b.root)], solver.w, q);
  else
    q[size_t(b.root_q) + 2] += sunk;
  return q;
}

GroundPlane fit_ground(const LeggedBody& b, const Terrain& terrain, const Vec3d& around, double yaw) {
  double s, c;
  sin_cos(yaw, s, c);
  const double along = std::max(1.3 * b.spread_x, 0.4 * b.height),
               across = std::max(1.3 * b.spread_y, 0.25 * b.height);
  constexpr int side = 3;  // samples to either side
  double sum = 0, ux = 0, uy = 0, squares = 0;
  for (int i = -side; i <= side; ++i)
    for (int j = -side; j <= side; ++j) {
      const double u = double(i) / side, v = double(j) / side;
      const double z = sample(terrain, around.x + c * u * along - s * v * across,
                              around.y + s * u * along + c * v * across)
                           .height;
      sum += z, ux += u * z, uy += v * z, squares += u * u;
    }
  const double px = ux / squares / along, py = uy / squares / across;
  const double n = (2 * side + 1) * (2 * side + 1);
  return {sum / n, c * px - s * py, s * px + c * py};
}

namespace {

// Pitch and roll with which the trunk follows a plane, rad.
struct Tilt {
  double pitch, roll;
};
Tilt tilt_over(const LeggedBody& b, const GroundPlane& plane, double s, double c) {
  const double px = std::clamp(c * plane.x + s * plane.y, -0.8, 0.8);
  const double py = std::clamp(-s * plane.x + c * plane.y, -0.8, 0.8);
  const auto follow = [&](double spread) {
    const double far = spread / (0.3 * b.height);
    return far * far / (1 + far * far);
  };
  return {-atan2(px, 1.0) * follow(b.spread_x), atan2(py, 1.0) * follow(b.spread_y)};
}

}  // namespace

Mat3d trunk_tilt(const LeggedBody& b, const GroundPlane& plane, double yaw) {
  double s, c;
  sin_cos(yaw, s, c);
  const Tilt tilt = tilt_over(b, plane, s, c);
  const Vec3d turn = Vec3d(c, s, 0) * tilt.roll + Vec3d(-s, c, 0) * tilt.pitch;
  return matrix(rotation_quaternion(turn));
}

Vec3d lean(const LeggedBody& b, const GroundPlane& plane, double yaw) {
  double s, c;
  sin_cos(yaw, s, c);
  const Tilt tilt = tilt_over(b, plane, s, c);
  return {-tilt.pitch * b.height, 0, 0};
}

}  // namespace legwork
