#include "creature/likely_legs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "creature/place.h"
#include "creature/tree.h"

namespace legwork {

namespace {

// All as shares of the longest limb, from the root's origin to a tip along the joints.
constexpr double level = 0.25;      // tips this far above the lowest still stand on the ground
constexpr double same_row = 0.06;   // hips this close along x are a pair
constexpr double middle = 0.01;     // a foot this close to the plane y = 0 is on neither side
constexpr double alike = 0.1;       // ends and hips of a pair are mirror images to this
constexpr double flat = 0.03;       // a link that ends this close to its child's end is part of the foot
constexpr double foot_size = 0.25;  // a foot is no larger, as a share of its own limb
// As shares of a leg's own length.
constexpr double lies = 0.25;    // a leg that reaches down less lies on the ground, or is folded on it
constexpr double shorter = 0.3;  // legs that lie are as long as each other to this
constexpr double same = 0.02;    // limbs alike to this are made alike

bool moves(const Link& link) {
  return std::any_of(link.joints.begin(), link.joints.end(), [](const Joint& j) { return nv(j) > 0; });
}

// The body in one pose: how low each link reaches, and which link is the moving one that carries it.
struct Standing {
  const Creature& c;
  std::vector<LinkFrame> frames;
  std::vector<double> low;         // of what touches on the link itself; unlimited: nothing does
  std::vector<Vec3d> lowest;       // that point
  std::vector<int> mover;          // the link itself or the one above that it is fixed to
  std::vector<char> has_children;  // of movers: others hang on it
  std::vector<double> way;         // of movers: from the root's origin along the joints

  explicit Standing(const Creature& creature) : c(creature), frames(place(c, c.pose("stand"))) {
    const size_t n = c.links.size();
    low.assign(n, unlimited), lowest.resize(n), mover.resize(n), has_children.assign(n, 0), way.assign(n, 0);
    bool touch = false;
    for (const Link& link : c.links)
      for (const Shape& s : link.shapes) touch = touch || s.touches;
    for (size_t b = 0; b < n; ++b) {
      const int parent = c.links[b].parent;
      mover[b] = parent < 0 || moves(c.links[b]) ? int(b) : mover[size_t(parent)];
      if (parent >= 0) way[b] = way[size_t(parent)] + norm(frames[b].p - frames[size_t(parent)].p);
      if (mover[b] == int(b) && parent >= 0) has_children[size_t(mover[size_t(parent)])] = 1;
      const Vec3d down = transpose_times(frames[b].R, Vec3d(0, 0, -1));
      for (const Shape& s : c.links[b].shapes) {
        if (touch && !s.touches) continue;
        const Vec3d p = frames[b] * support(s, down);
        if (p.z < low[b]) low[b] = p.z, lowest[b] = p;
      }
    }
  }

  void fill_in() {
    for (size_t b = 0; b < low.size(); ++b)
      if (low[b] == unlimited && (c.links[b].mass > 0 || moves(c.links[b])))
        lowest[b] = frames[b] * c.links[b].com, low[b] = lowest[b].z;
  }

  int parent_mover(int link) const {
    const int parent = c.links[size_t(mover[size_t(link)])].parent;
    return parent < 0 ? -1 : mover[size_t(parent)];
  }
};

struct Limb {
  int tip;    // the link, moving or fixed to a moving one, that reaches lowest
  Vec3d end;  // its lowest point
  double length;
};

// Ends of limbs: moving links on which nothing else moves, with something that touches.
std::vector<Limb> find_limbs(const Standing& s) {
  std::vector<Limb> limbs;
  std::vector<int> tip(s.c.links.size(), -1);  // by mover: its lowest link
  for (size_t b = 0; b < s.c.links.size(); ++b) {
    const size_t m = size_t(s.mover[b]);
    if (s.low[b] < unlimited && (tip[m] < 0 || s.low[b] < s.low[size_t(tip[m])])) tip[m] = int(b);
  }
  for (size_t m = 0; m < tip.size(); ++m) {
    if (tip[m] < 0 || s.has_children[m] || s.parent_mover(int(m)) < 0) continue;
    const Vec3d end = s.lowest[size_t(tip[m])];
    limbs.push_back({tip[m], end, s.way[m] + norm(end - s.frames[m].p)});
  }
  return limbs;
}

// The link above the tip that is the foot's body: it ends as low, and near.
int foot_of(const Standing& s, const Limb& limb, double scale) {
  int foot = limb.tip;
  for (int up = s.parent_mover(foot); up >= 0 && s.parent_mover(up) >= 0; up = s.parent_mover(up)) {
    int lowest = -1;
    for (size_t b = 0; b < s.c.links.size(); ++b)
      if (s.mover[b] == up && (lowest < 0 || s.low[b] < s.low[size_t(lowest)])) lowest = int(b);
    const bool as_low = s.low[size_t(lowest)] - limb.end.z < flat * scale;
    if (!as_low || limb.length - s.way[size_t(up)] > foot_size * limb.length) break;
    foot = lowest;
  }
  return foot;
}

// Moving links from the foot's up to the hip's: those that carry one foot only.
std::vector<int> chain_of(const Standing& s, int foot, const std::vector<int>& feet) {
  std::vector<int> chain;
  for (int link = s.mover[size_t(foot)]; s.parent_mover(link) >= 0; link = s.parent_mover(link)) {
    const bool shared = std::any_of(feet.begin(), feet.end(),
                                    [&](int other) { return other != foot && is_below(s.c, other, link); });
    if (shared) break;
    chain.push_back(link);
  }
  return chain;
}

// The joint nearest to half way along the leg, however it is bent; the foot itself where it has no other.
int knee_of(const Standing& s, const std::vector<int>& chain, int foot, const Vec3d& end) {
  std::vector<int> links = chain;
  if (links.front() != foot) links.insert(links.begin(), foot);
  std::vector<double> way = {
      norm(end - s.frames[size_t(links[0])].p)};  // from the end up to each link's joint
  for (size_t i = 1; i < links.size(); ++i)
    way.push_back(way.back() + norm(s.frames[size_t(links[i])].p - s.frames[size_t(links[i - 1])].p));
  size_t best = 0;
  for (size_t i = 0; i + 1 < links.size(); ++i)
    if (std::fabs(way[i] - way.back() / 2) < std::fabs(way[best] - way.back() / 2)) best = i;
  return links[best] == foot && foot != chain.front() ? chain.front() : links[best];
}

struct Candidate {
  Leg leg;
  Vec3d hip, end;
  Limb limb;
  double length;  // from the hip along the joints
  int degrees;
};

int degrees(const Creature& c, const std::vector<int>& chain) {
  int n = 0;
  for (const int link : chain)
    for (const Joint& joint : c.links[size_t(link)].joints) n += nv(joint);
  return n;
}

std::vector<Candidate> find_candidates(const Standing& s, double& scale) {
  std::vector<Limb> limbs = find_limbs(s);
  double ground = unlimited;
  scale = 0;
  for (const Limb& limb : limbs) ground = std::min(ground, limb.end.z), scale = std::max(scale, limb.length);
  // toes of one foot count once
  std::vector<int> feet;
  std::vector<Limb> with_foot;
  for (const Limb& limb : limbs) {
    if (limb.end.z > ground + level * scale) continue;
    const int foot = foot_of(s, limb, scale);
    if (std::find(feet.begin(), feet.end(), foot) != feet.end()) continue;
    feet.push_back(foot), with_foot.push_back(limb);
  }
  std::vector<Candidate> found;
  for (size_t i = 0; i < feet.size(); ++i) {
    const std::vector<int> chain = chain_of(s, feet[i], feet);
    if (chain.empty() || degrees(s.c, chain) < 2) continue;
    Candidate one;
    one.limb = with_foot[i];
    one.end = one.limb.end;
    one.length = one.limb.length - s.way[size_t(chain.back())];
    one.degrees = degrees(s.c, chain);
    one.leg.hip = chain.back();
    one.leg.foot = feet[i];
    one.leg.knee = chain.size() > 1 || chain.front() != feet[i] ? knee_of(s, chain, feet[i], one.end) : -1;
    if (one.leg.hip == one.leg.foot) continue;  // one link is no leg
    one.hip = s.frames[size_t(chain.back())].p;
    found.push_back(one);
  }
  return found;
}

// Whether a body is on its feet, or folded down on them. On its back or its belly, arms and legs end as low;
// on its side or rearing, limbs made like its legs are in the air, and so is the longer limb on a hip from
// which only a crank hangs down.
bool is_on_its_feet(const Standing& s, const std::vector<Candidate>& legs, double scale) {
  bool lying = false;
  double longest = 0, ground = unlimited;
  std::vector<int> feet;
  for (const Candidate& one : legs) {
    lying = lying || one.hip.z - one.end.z < lies * one.length;
    longest = std::max(longest, one.length);
    ground = std::min(ground, one.end.z);
    feet.push_back(one.leg.foot);
  }
  for (const Candidate& one : legs)
    if (lying && (one.length < (1 - shorter) * longest || one.degrees != legs[0].degrees)) return false;

  const auto as_much = [](double a, double b) { return std::fabs(a - b) < same * std::fabs(a); };
  // to the last joint, whatever of the link beyond it touches
  const auto way_from = [&](int hip, const Limb& limb) {
    return s.way[size_t(s.mover[size_t(limb.tip)])] - s.way[size_t(hip)];
  };
  const auto mass = [&](const Limb& limb) { return s.c.links[size_t(s.mover[size_t(limb.tip)])].mass; };
  for (const Limb& limb : find_limbs(s)) {
    if (limb.end.z <= ground + level * scale) continue;
    const std::vector<int> chain = chain_of(s, limb.tip, feet);
    for (const Candidate& one : legs) {
      if (limb.length > one.limb.length && is_below(s.c, limb.tip, one.leg.hip)) return false;
      if (!chain.empty() && degrees(s.c, chain) == one.degrees && as_much(mass(limb), mass(one.limb)) &&
          as_much(way_from(chain.back(), limb), way_from(one.leg.hip, one.limb)))
        return false;
    }
  }
  return true;
}

// Directions of the body as its legs show them, level: a body of pairs is alike on both sides. The file's x
// is forward and y left where that fits as well as anything.
struct Compass {
  Vec3d forward{1, 0, 0}, left{0, 1, 0};
};

// Legs that have a twin on the other side of the plane through `origin` across a direction.
std::vector<char> twins(const std::vector<Candidate>& found, const Vec3d& origin, const Vec3d& across,
                        double scale) {
  std::vector<char> paired(found.size(), 0);
  for (size_t i = 0; i < found.size(); ++i) {
    const double side = dot(found[i].end - origin, across);
    if (std::fabs(side) < middle * scale) continue;
    const Vec3d image = found[i].end - across * (2 * side),
                hip_image = found[i].hip - across * (2 * dot(found[i].hip - origin, across));
    for (size_t k = 0; k < found.size() && !paired[i]; ++k)
      paired[i] = k != i && norm(found[k].end - image) < alike * scale &&
                  norm(found[k].hip - hip_image) < alike * scale;
  }
  return paired;
}

// Drops what is no leg among legs: a tail or a chin that reaches as low but has no twin, and limbs of which
// one side has more than the other.
Compass keep_pairs(const Standing& s, std::vector<Candidate>& found, double scale, Vec3d& origin) {
  Compass compass;
  origin = s.frames[size_t(root_of(s.c, found[0].leg.hip))].p;
  std::vector<char> by_y = twins(found, origin, {0, 1, 0}, scale);
  const std::vector<char> by_x = twins(found, origin, {1, 0, 0}, scale);
  const auto count = [](const std::vector<char>& v) { return std::count(v.begin(), v.end(), 1); };
  if (count(by_x) > count(by_y)) {
    // it looks along y: to the side where its feet reach out from their joints
    double reach = 0;
    for (const Candidate& one : found) {
      Box box;
      for (const Shape& shape : s.c.links[size_t(one.leg.foot)].shapes)
        extend(box, bounding_box(shape, s.frames[size_t(one.leg.foot)].R, s.frames[size_t(one.leg.foot)].p));
      if (box.lower.y <= box.upper.y)
        reach += (box.lower.y + box.upper.y) / 2 - s.frames[size_t(one.leg.foot)].p.y;
    }
    const double sign = reach < 0 ? -1 : 1;
    compass.forward = {0, sign, 0}, compass.left = {-sign, 0, 0};
    by_y = by_x;
  }
  if (count(by_y) < 2) {
    // a body in a plane, or one that stands with one foot before the other
    double more = 0;
    for (const Candidate& one : found) {
      const double side = dot(one.end - origin, compass.left);
      more += std::fabs(side) < middle * scale ? 0 : side < 0 ? -1 : 1;
    }
    if (more != 0) found.clear();
    return compass;
  }
  std::vector<Candidate> kept;
  for (size_t i = 0; i < found.size(); ++i)
    if (by_y[i]) kept.push_back(found[i]);
  found = std::move(kept);
  return compass;
}

// l or r, and f, m, h or a number where there are several pairs.
void name_legs(std::vector<Candidate>& found, double scale, const Compass& compass, const Vec3d& origin) {
  const auto along = [&](const Candidate& c) { return dot(c.hip - origin, compass.forward); };
  const auto aside = [&](const Candidate& c) { return dot(c.end - origin, compass.left); };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Candidate& a, const Candidate& b) { return along(a) > along(b); });
  std::vector<double> rows;
  std::vector<size_t> row_of;
  for (const Candidate& one : found) {
    if (rows.empty() || rows.back() - along(one) > same_row * scale) rows.push_back(along(one));
    row_of.push_back(rows.size() - 1);
  }
  std::vector<std::string> taken;
  for (size_t i = 0; i < found.size(); ++i) {
    Leg& leg = found[i].leg;
    const double y = aside(found[i]);
    leg.side = std::fabs(y) < middle * scale ? Side::none : y < 0 ? Side::right : Side::left;
    leg.name = leg.side == Side::right ? "r" : leg.side == Side::left ? "l" : "";
    const size_t row = row_of[i], n = rows.size();
    if (n == 2 || n == 3) {
      leg.girdle = n == 3 && row == 1 ? "mid" : row == 0 ? "fore" : "hind";
      leg.name += leg.girdle.substr(0, 1);
    } else if (n > 3) {
      leg.girdle = std::to_string(row + 1);
      leg.name += leg.girdle;
    }
    if (leg.name.empty()) leg.name = "leg";
    const std::string plain = leg.name;
    for (int k = 2; std::find(taken.begin(), taken.end(), leg.name) != taken.end(); ++k)
      leg.name = plain + "_" + std::to_string(k);
    taken.push_back(leg.name);
  }
  // by row, right before left
  std::vector<std::pair<size_t, double>> keys;
  for (size_t i = 0; i < found.size(); ++i) keys.push_back({row_of[i], aside(found[i])});
  std::vector<size_t> order(found.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  std::vector<Candidate> sorted;
  for (const size_t i : order) sorted.push_back(found[i]);
  found = std::move(sorted);
}

// ---- stance

// A hinge or slide between a link and its parents: its coordinate and its range.
struct Coordinate {
  int q;
  double lower, upper;
};
std::vector<std::vector<Coordinate>> coordinates(const Creature& c) {
  std::vector<std::vector<Coordinate>> all(c.links.size());
  int q = 0;
  for (size_t b = 0; b < c.links.size(); ++b)
    for (const Joint& joint : c.links[b].joints) {
      if (joint.type == JointType::hinge || joint.type == JointType::slide)
        all[b].push_back({q, joint.dofs[0].lower, joint.dofs[0].upper});
      q += nq(joint);
    }
  return all;
}

// Moves a leg's joints within their ranges until its end stands where it was, seen from above: damped
// least squares on the two level coordinates.
void put_foot(const Creature& c, const Leg& leg, const Vec3d& end_in_foot, const Vec3d& wanted,
              const std::vector<std::vector<Coordinate>>& joints, std::vector<double>& q) {
  std::vector<Coordinate> free;
  for (int link = leg.foot; link >= 0; link = c.links[size_t(link)].parent) {
    free.insert(free.end(), joints[size_t(link)].begin(), joints[size_t(link)].end());
    if (link == leg.hip) break;
  }
  const auto end = [&] { return place(c, q)[size_t(leg.foot)] * end_in_foot; };
  for (int iteration = 0; iteration < 40; ++iteration) {
    const Vec3d now = end(), e = wanted - now;
    if (e.x * e.x + e.y * e.y < 1e-16) return;
    std::vector<std::array<double, 2>> J;
    double xx = 1e-6, xy = 0, yy = 1e-6;
    for (const Coordinate& x : free) {
      const double before = q[size_t(x.q)], step = 1e-5;
      q[size_t(x.q)] = before + step;
      const Vec3d d = (end() - now) * (1 / step);
      q[size_t(x.q)] = before;
      // what stands at its limit and would leave it waits
      const double wish = d.x * e.x + d.y * e.y;
      const bool stuck = (before <= x.lower && wish < 0) || (before >= x.upper && wish > 0);
      J.push_back(stuck ? std::array<double, 2>{0, 0} : std::array<double, 2>{d.x, d.y});
      xx += J.back()[0] * J.back()[0], xy += J.back()[0] * J.back()[1], yy += J.back()[1] * J.back()[1];
    }
    const double det = xx * yy - xy * xy;
    const double fx = (yy * e.x - xy * e.y) / det, fy = (xx * e.y - xy * e.x) / det;
    for (size_t i = 0; i < free.size(); ++i) {
      const double turn = std::clamp(J[i][0] * fx + J[i][1] * fy, -0.2, 0.2);
      double& x = q[size_t(free[i].q)];
      x = std::clamp(x + turn, free[i].lower, free[i].upper);
    }
  }
}

void find_stance(Creature& c) {
  const std::vector<std::vector<Coordinate>> joints = coordinates(c);
  std::vector<double> q = c.pose("stand");
  const std::vector<LinkFrame> before = place(c, q);
  Standing standing(c);
  standing.fill_in();
  for (const auto& of_link : joints)
    for (const Coordinate& x : of_link) q[size_t(x.q)] = std::clamp(q[size_t(x.q)], x.lower, x.upper);
  for (const Leg& leg : c.legs) {
    bool bent = false;
    for (int link = leg.foot; link >= 0; link = c.links[size_t(link)].parent) {
      for (const Coordinate& x : joints[size_t(link)])
        bent = bent || q[size_t(x.q)] != c.pose("stand")[size_t(x.q)];
      if (link == leg.hip) break;
    }
    const Vec3d end = standing.lowest[size_t(leg.foot)];
    if (bent) put_foot(c, leg, inverse(before[size_t(leg.foot)]) * end, end, joints, q);
  }
  // the lowest foot on the ground
  c.poses.push_back({"stand", q});
  Standing stands(c);
  double low = unlimited;
  for (const Leg& leg : c.legs) low = std::min(low, stands.low[size_t(leg.foot)]);
  if (!(low < unlimited)) {
    stands.fill_in();
    for (const Leg& leg : c.legs) low = std::min(low, stands.low[size_t(leg.foot)]);
  }
  int at = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      if (joint.type == JointType::free && low < unlimited) c.poses.back().q[size_t(at) + 2] -= low;
      at += nq(joint);
    }
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

FoundLegs look_for_legs(const Creature& c) {
  if (int(c.pose("stand").size()) != c.nq()) return {};
  double scale = 0;
  Standing standing(c);
  std::vector<Candidate> found = find_candidates(standing, scale);
  if (found.size() < 2) {
    // links without shapes end at their centres of mass
    standing.fill_in();
    found = find_candidates(standing, scale);
  }
  if (found.size() < 2) return {};  // a tail, an arm, a chain
  Vec3d origin;
  const Compass compass = keep_pairs(standing, found, scale, origin);
  if (found.size() < 2 || !is_on_its_feet(standing, found, scale)) return {};
  name_legs(found, scale, compass, origin);
  FoundLegs result;
  for (Candidate& one : found) {
    one.leg.where = c.links[size_t(one.leg.hip)].where;
    result.legs.push_back(one.leg);
  }
  const int fore = c.links[size_t(result.legs.front().hip)].parent,
            hind = c.links[size_t(result.legs.back().hip)].parent;
  if (fore != hind && fore >= 0 && hind >= 0) result.trunk = links_between(c, fore, hind);
  return result;
}

void find_legs(Creature& c) {
  if (!c.legs_found) return;
  if (!c.legs.empty()) {
    c.legs_found = false;
    return;
  }
  FoundLegs found = look_for_legs(c);
  c.legs = std::move(found.legs);
  c.legs_found = !c.legs.empty();
  if (c.trunk.empty()) c.trunk = std::move(found.trunk);
  if (c.legs_found && !c.has_pose("stand")) find_stance(c);
}

std::string legs_in_words(const Creature& c) {
  std::vector<std::string> words;
  for (const Leg& leg : c.legs)
    words.push_back(leg.name + " (" + c.links[size_t(leg.hip)].name + " to " +
                    c.links[size_t(leg.foot)].name + ")");
  return join(words, ", ");
}

std::string likely_legs(const Creature& c) {
  std::string lines;
  for (const Leg& leg : look_for_legs(c).legs) {
    lines +=
        "\n  [[leg]]\n  name = " + quoted(leg.name) + "\n  hip = " + quoted(c.links[size_t(leg.hip)].name);
    if (leg.knee >= 0) lines += "\n  knee = " + quoted(c.links[size_t(leg.knee)].name);
    lines += "\n  foot = " + quoted(c.links[size_t(leg.foot)].name);
  }
  return lines;
}

}  // namespace legwork
