#include "formats/character/body.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/text.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "creature/hull.h"
#include "creature/shape.h"
#include "creature/tree.h"
#include "math/real.h"
#include "math/scalar.h"

namespace legwork {

namespace {

constexpr double g = 9.81, density = 1000;
constexpr double degree = pi / 180;

// Ranges in degrees, from standing. Limits of people and dogs, rounded; what is not known of a kind is kept
// narrow.
struct Range {
  double lower, upper;
};
constexpr Range hip_swing{-70, 60}, hip_side{-25, 40}, hip_turn{-30, 30};
constexpr Range sprawl_swing{-50, 50}, sprawl_lift{-60, 60}, sprawl_turn{-30, 30};
constexpr double flexion = 120, most_bent = 155, stretched = 3;  // of knees, elbows and hocks, between bones
constexpr Range ankle_swing{-45, 45}, ankle_side{-20, 20};
constexpr double spine_bend = 15, neck_bend = 30, tail_bend = 35, wing_bend = 30, shoulder_bend = 80;

class BodyMaker {
 public:
  BodyMaker(const CharacterFile& file, const Figure& figure) : file_(file), f_(figure) {
    for (int i = 0; i < int(f_.links.size()); ++i) solids_.push_back(solid_of(i));
    lighten_limbs();
    for (const MassProperties& solid : solids_) total_ += solid.mass;
    legs_ = int(std::count_if(f_.limbs.begin(), f_.limbs.end(),
                              [](const FigureLimb& l) { return l.part == Part::leg; }));
  }

  Creature make() {
    c_.name = std::filesystem::path(file_.path).stem().string();
    c_.about = "a rigged character of " + std::to_string(file_.bones.size()) + " bones, read from " +
               std::filesystem::path(file_.path).filename().string();
    c_.character = file_.path;
    c_.where = {file_.path, 0};
    c_.habitat.contact = "linear:bristle_ratio=8";  // feet that stand hardly creep
    for (int i = 0; i < int(f_.links.size()); ++i) add_link(i);
    for (const FigureLimb& limb : f_.limbs)
      if (limb.part == Part::leg) add_leg(limb);
    name_legs();
    add_trunk();
    add_labels();
    return std::move(c_);
  }

 private:
  // A few points that span what a bone's vertices enclose.
  static Mesh hull_mesh(const std::vector<Vec3d>& points, const Vec3d& origin) {
    Mesh all;
    for (const Vec3d& p : points) all.vertices.push_back(p - origin);
    std::vector<Vec3d> few = all.vertices.size() > 64 ? extreme_points(all, 64) : all.vertices;
    const Hull hull = convex_hull(few);
    Mesh mesh;
    if (hull.dimension < 3) return mesh;
    std::vector<int> at(few.size(), -1);
    for (const int v : hull.vertices) {
      at[std::size_t(v)] = int(mesh.vertices.size());
      mesh.vertices.push_back(few[std::size_t(v)]);
    }
    for (const auto& [i, j, k] : hull.triangles)
      mesh.triangles.push_back({at[std::size_t(i)], at[std::size_t(j)], at[std::size_t(k)]});
    return mesh;
  }

  // The surface to draw, its finest detail left out.
  Mesh skin_mesh(const FigureLink& l) const {
    const double cell = f_.height / 200;
    std::map<std::array<long, 3>, int> known;
    Mesh mesh;
    for (const std::array<Vec3d, 3>& corners : l.skin) {
      std::array<int, 3> triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d v = corners[k] - l.head;
        const std::array<long, 3> key = {std::lround(v.x / cell), std::lround(v.y / cell),
                                         std::lround(v.z / cell)};
        const auto [at, fresh] = known.try_emplace(key, int(mesh.vertices.size()));
        if (fresh) mesh.vertices.push_back(v);
        triangle[k] = at->second;
      }
      if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
        mesh.triangles.push_back(triangle);
    }
    return mesh;
  }

  // The hull of a bone's vertices and of the joints at its ends.
  Mesh solid_mesh(int i) const {
    const FigureLink& l = f_.links[std::size_t(i)];
    std::vector<Vec3d> points = l.vertices;
    if (!points.empty()) points.push_back(l.head);
    for (const FigureLink& other : f_.links)
      if (other.parent == i && !points.empty()) points.push_back(other.head);
    return hull_mesh(points, l.head);
  }

  // What encloses too little is a ball of a thousandth of the figure.
  MassProperties solid_of(int i) const {
    const double least = 1e-3 * f_.height;
    const Mesh mesh = solid_mesh(i);
    MassProperties solid;
    if (!mesh.triangles.empty()) solid = mass_properties(mesh, density);
    const double radius = std::max(0.04 * f_.height, least),
                 ball = 4.0 / 3 * pi * radius * radius * radius * density;
    if (solid.mass < 0.02 * ball || !std::isfinite(solid.mass)) {
      solid.mass = ball;
      solid.com = {};
      const double moment = 0.4 * ball * radius * radius;
      solid.inertia = Sym3d::diagonal(moment, moment, moment);
    }
    return solid;
  }

  // What hulls of heads, tails and wings enclose is hair, fur, feathers and hats as well: beyond these shares
  // of trunk and legs they are lighter than flesh.
  void lighten_limbs() {
    double core = 0;
    for (std::size_t i = 0; i < solids_.size(); ++i)
      if (f_.links[i].part == Part::trunk || f_.links[i].part == Part::leg) core += solids_[i].mass;
    for (const FigureLimb& limb : f_.limbs) {
      const double share = limb.part == Part::neck || limb.part == Part::tail ? 0.15
                           : limb.part == Part::arm                           ? 0.1
                           : limb.part == Part::wing                          ? 0.05
                                                                              : 1;
      double mass = 0;
      for (const int l : limb.links) mass += solids_[std::size_t(l)].mass;
      if (!(mass > share * core)) continue;
      const double factor = share * core / mass;
      for (const int l : limb.links) {
        MassProperties& solid = solids_[std::size_t(l)];
        solid.mass *= factor, solid.inertia = solid.inertia * factor;
      }
    }
  }

  static double angle(const Vec3d& a, const Vec3d& b) {
    const double n = norm(a) * norm(b);
    return n > 0 ? atan2(norm(cross(a, b)), dot(a, b)) : 0;
  }

  // Mass and its first moment of a link with all that hangs on it.
  double lever(int link) const {
    double mass = 0;
    Vec3d moment;
    for (int i = link; i < int(f_.links.size()); ++i) {
      int a = i;
      while (a > link) a = f_.links[std::size_t(a)].parent;
      if (a != link) continue;
      mass += solids_[std::size_t(i)].mass;
      moment +=
          (f_.links[std::size_t(i)].head + solids_[std::size_t(i)].com - f_.links[std::size_t(link)].head) *
          solids_[std::size_t(i)].mass;
    }
    return norm(moment) + 0.02 * mass * f_.height;
  }

  Joint hinge(const std::string& name, const Vec3d& axis, Range range, double stiffness) const {
    Joint j;
    j.name = name, j.type = JointType::hinge, j.axes = {normalized(axis)};
    j.dofs.resize(1);
    set(j.dofs[0], range, stiffness);
    return j;
  }
  Joint ball(double bend, double stiffness) const {
    Joint j;
    j.type = JointType::ball;
    j.dofs.resize(3);
    for (Dof& d : j.dofs) set(d, {-bend, bend}, stiffness);
    return j;
  }
  void set(Dof& d, Range range, double stiffness) const {
    const double height = f_.height;
    d.lower = range.lower * degree, d.upper = range.upper * degree;
    d.spring = {SpringType::linear, stiffness, 0, 0};
    d.damper = 0.05 * stiffness;
    d.armature = 0.005 * stiffness * height / g;  // muscles and flesh that move along: light bones stay calm
  }

  void add_link(int i) {
    const FigureLink& l = f_.links[std::size_t(i)];
    Link link;
    link.name = file_.nodes[std::size_t(l.node)].name;
    link.parent = l.parent;
    link.pos = l.parent < 0 ? l.head : l.head - f_.links[std::size_t(l.parent)].head;
    link.where = {file_.path, 0};
    const MassProperties& solid = solids_[std::size_t(i)];
    link.mass = solid.mass, link.com = solid.com, link.inertia = solid.inertia, link.com_given = true;
    Shape shape;
    shape.type = ShapeType::mesh;
    shape.mesh = skin_mesh(l);
    shape.massive = false, shape.touches = false;
    shape.color = color_of(l.part);
    if (!shape.mesh.triangles.empty()) link.shapes.push_back(shape);
    link.joints = joints_of(i);
    c_.links.push_back(std::move(link));
  }

  static std::array<double, 3> color_of(Part part) {
    switch (part) {
      case Part::leg:
        return {0.62, 0.47, 0.33};
      case Part::arm:
      case Part::wing:
        return {0.55, 0.6, 0.68};
      case Part::neck:
      case Part::tail:
        return {0.8, 0.68, 0.5};
      case Part::trunk:
        break;
    }
    return {0.75, 0.72, 0.66};
  }

  std::vector<Joint> joints_of(int i) const {
    const FigureLink& l = f_.links[std::size_t(i)];
    if (l.parent < 0) {
      Joint free;
      free.type = JointType::free;
      free.dofs.resize(6);
      return {free};
    }
    const double own = 4 * g * lever(i), whole = total_ * g * f_.height;
    switch (l.part) {
      case Part::leg:
        return leg_joints(i);
      case Part::arm:
        return arm_joints(i, own);
      case Part::wing:
        return {ball(wing_bend, own)};
      case Part::neck:
        return {ball(neck_bend, own)};
      case Part::tail:
        return {ball(tail_bend, own)};
      case Part::trunk:
        break;
    }
    return {ball(spine_bend, std::max(own, 2 * whole))};
  }

  // Where a limb's link ends: at the next link, or its end.
  Vec3d end_of(const FigureLimb& limb, std::size_t k) const {
    return k + 1 < limb.links.size() ? f_.links[std::size_t(limb.links[k + 1])].head : limb.end;
  }
  Vec3d bone(const FigureLimb& limb, std::size_t k) const {
    return end_of(limb, k) - f_.links[std::size_t(limb.links[k])].head;
  }

  // The normal of the plane in which a leg bends, and whether the leg stands beside the body, not under it.
  Vec3d bending_axis(const FigureLimb& limb, bool& sprawls) const {
    const Vec3d from = f_.links[std::size_t(limb.links[0])].head, reach = limb.end - from;
    sprawls = std::abs(reach.y) > 0.6 * std::abs(reach.z);
    Vec3d normal;
    for (std::size_t k = 0; k + 1 < limb.links.size(); ++k) {
      const Vec3d turn = cross(bone(limb, k), bone(limb, k + 1));
      normal += dot(turn, normal) < 0 ? turn * -1.0 : turn;
    }
    const Vec3d level =
        sprawls ? normalized(cross(Vec3d{0, 0, 1}, Vec3d{reach.x, reach.y, 0})) : Vec3d{0, 1, 0};
    // a straight leg shows no plane, and a foot must not turn one that is seen
    Vec3d axis = norm(normal) > 0.02 * dot(reach, reach) && std::abs(dot(normalized(normal), level)) > 0.8
                     ? normalized(normal)
                     : level;
    return dot(axis, level) < 0 ? axis * -1.0 : axis;
  }

  std::vector<Joint> leg_joints(int i) const {
    const FigureLink& l = f_.links[std::size_t(i)];
    const FigureLimb& limb = f_.limbs[std::size_t(l.limb)];
    const std::string& name = file_.nodes[std::size_t(l.node)].name;
    bool sprawls = false;
    const Vec3d axis = bending_axis(limb, sprawls);
    const double stiffness = 2.5 * total_ * g * f_.height / std::max(legs_, 2);
    // positive side: away from the body
    const Vec3d away = limb.side == Side::left ? Vec3d{1, 0, 0} : Vec3d{-1, 0, 0};
    if (l.place == 0) {
      if (sprawls)
        return {hinge(name + ".swing", {0, 0, 1}, sprawl_swing, stiffness),
                hinge(name + ".lift", axis, sprawl_lift, stiffness),
                hinge(name + ".turn", bone(limb, 0), sprawl_turn, stiffness)};
      return {hinge(name + ".swing", {0, 1, 0}, hip_swing, stiffness),
              hinge(name + ".side", away, hip_side, stiffness),
              hinge(name + ".turn", {0, 0, 1}, hip_turn, stiffness)};
    }
    if (l.foot && !sprawls && flat(l))
      return {hinge(name + ".swing", axis, ankle_swing, 1.5 * stiffness),
              hinge(name + ".side", {1, 0, 0}, ankle_side, 1.5 * stiffness)};
    return {hinge(name, axis, bend_range(limb, std::size_t(l.place), axis),
                  l.foot ? 0.7 * stiffness : stiffness)};
  }

  // A foot with a sole, not a point.
  bool flat(const FigureLink& l) const {
    Box box;
    for (const Vec3d& v : l.vertices)
      if (v.z < 0.06 * f_.height) extend(box, v);
    return box.upper.x - box.lower.x > 0.08 * f_.height;
  }

  bool is_fore(const FigureLimb& limb) const {
    double mean = 0;
    for (const FigureLimb& l : f_.limbs)
      if (l.part == Part::leg) mean += f_.links[std::size_t(l.links[0])].head.x / legs_;
    return legs_ > 2 && f_.links[std::size_t(limb.links[0])].head.x > mean;
  }

  // A knee flexes as it is bent already, and stretches until it is straight; a straight one flexes as legs
  // do, knees forward.
  Range bend_range(const FigureLimb& limb, std::size_t k, const Vec3d& axis) const {
    const Vec3d above = bone(limb, k - 1), below = bone(limb, k);
    const double bent = angle(above, below) / degree, sign = dot(cross(above, below), axis);
    const bool knee = k + 1 < limb.links.size();
    if (!knee) return {-60, 60};
    // the first joint of a leg is a knee, that of a fore leg an elbow, and the next bends the other way
    const double likely = ((k == 1) != is_fore(limb)) ? 1 : -1;
    const double way = bent < 15 ? likely : sign > 0 ? 1 : -1;
    // one that stands bent the wrong way a little has that much more to flex
    const bool wrong = way * sign < 0;
    const double flexed = wrong ? flexion + bent : std::max(20.0, std::min(flexion, most_bent - bent));
    const double straight = wrong ? stretched : std::max(stretched, bent - stretched);
    return way > 0 ? Range{-straight, flexed} : Range{-flexed, straight};
  }

  std::vector<Joint> arm_joints(int i, double own) const {
    const FigureLink& l = f_.links[std::size_t(i)];
    const FigureLimb& limb = f_.limbs[std::size_t(l.limb)];
    const bool first = l.place == 0,
               blade = first && limb.links.size() > 2 && norm(bone(limb, 0)) < 0.75 * norm(bone(limb, 1));
    if (blade) return {};  // a shoulder blade is part of the chest
    if (first || (l.place == 1 && norm(bone(limb, 0)) < 0.75 * norm(bone(limb, 1))))
      return {ball(shoulder_bend, own)};
    const bool elbow = std::size_t(l.place) + 1 < limb.links.size() || limb.links.size() == 2;
    if (elbow && l.place <= 2)
      return {hinge(file_.nodes[std::size_t(l.node)].name, {0, -1, 0}, {-5, 140}, own)};
    return {ball(25, own)};
  }

  void add_leg(const FigureLimb& limb) {
    Leg leg;
    leg.side = limb.side;
    leg.hip = limb.links.front(), leg.foot = limb.links.back();
    leg.knee = limb.links.size() > 2 ? knee_of(limb) : leg.foot;
    if (limb.links.size() == 2) leg.knee = -1;
    leg.where = {file_.path, 0};
    add_contacts(leg.foot);
    c_.legs.push_back(leg);
  }

  // The joint nearest to half way.
  int knee_of(const FigureLimb& limb) const {
    std::vector<double> way = {0};
    for (std::size_t k = 0; k < limb.links.size(); ++k) way.push_back(way.back() + norm(bone(limb, k)));
    std::size_t best = 1;
    for (std::size_t k = 1; k + 1 < limb.links.size(); ++k)
      if (std::abs(way[k] - way.back() / 2) < std::abs(way[best] - way.back() / 2)) best = k;
    return limb.links[best];
  }

  // The corners of what lies on the ground; one point where that is small.
  void add_contacts(int link) {
    const FigureLink& l = f_.links[std::size_t(link)];
    double low = unlimited;
    for (const Vec3d& v : l.vertices) low = std::min(low, v.z);
    Box box;
    std::vector<Vec3d> sole;
    for (const Vec3d& v : l.vertices)
      if (v.z < low + 0.03 * f_.height) extend(box, v), sole.push_back(v);
    if (sole.empty()) return;
    const std::string& name = file_.nodes[std::size_t(l.node)].name;
    const double length = box.upper.x - box.lower.x, width = box.upper.y - box.lower.y;
    const Vec3d center{(box.lower.x + box.upper.x) / 2, (box.lower.y + box.upper.y) / 2, low};
    if (std::max(length, width) < 0.06 * f_.height) {
      c_.contacts.push_back({name + ".sole", link, center - l.head, 0, true});
      return;
    }
    // corners of the sole, drawn in to where it has vertices, at the level of its lowest point
    for (const double sx : {-1.0, 1.0})
      for (const double sy : {-1.0, 1.0}) {
        Vec3d best = sole[0];
        for (const Vec3d& v : sole)
          if (sx * (v.x - center.x) / std::max(length, 1e-9) + sy * (v.y - center.y) / std::max(width, 1e-9) >
              sx * (best.x - center.x) / std::max(length, 1e-9) +
                  sy * (best.y - center.y) / std::max(width, 1e-9))
            best = v;
        best.z = low;
        c_.contacts.push_back(
            {name + (sx < 0 ? ".heel_" : ".toe_") + (sy > 0 ? "l" : "r"), link, best - l.head, 0, true});
      }
  }

  // Fore to hind, right before left: rf, lf, ... as everywhere.
  void name_legs() {
    const auto hip_x = [&](const Leg& leg) { return f_.links[std::size_t(leg.hip)].head.x; };
    std::stable_sort(c_.legs.begin(), c_.legs.end(),
                     [&](const Leg& a, const Leg& b) { return hip_x(a) > hip_x(b); });
    std::vector<double> rows;
    std::vector<std::size_t> row_of;
    for (const Leg& leg : c_.legs) {
      const bool taken =
          !row_of.empty() &&
          std::any_of(
              c_.legs.begin(), c_.legs.begin() + std::ptrdiff_t(row_of.size()), [&](const Leg& other) {
                return row_of[std::size_t(&other - &c_.legs[0])] == rows.size() - 1 && other.side == leg.side;
              });
      if (rows.empty() || taken) rows.push_back(hip_x(leg));
      row_of.push_back(rows.size() - 1);
    }
    for (std::size_t i = 0; i < c_.legs.size(); ++i) {
      Leg& leg = c_.legs[i];
      const std::size_t row = row_of[i], n = rows.size();
      leg.name = leg.side == Side::right ? "r" : "l";
      if (n == 2 || n == 3)
        leg.girdle = n == 3 && row == 1 ? "mid" : row == 0 ? "fore" : "hind";
      else if (n > 3)
        leg.girdle = std::to_string(row + 1);
      if (n > 1) leg.name += n > 3 ? leg.girdle : leg.girdle.substr(0, 1);
    }
    std::stable_sort(c_.legs.begin(), c_.legs.end(), [&](const Leg& a, const Leg& b) {
      return a.girdle == b.girdle && a.side == Side::right && b.side == Side::left;
    });
  }

  void add_trunk() {
    const int fore = c_.links[std::size_t(c_.legs.front().hip)].parent,
              hind = c_.links[std::size_t(c_.legs.back().hip)].parent;
    if (fore != hind && fore >= 0 && hind >= 0) c_.trunk = links_between(c_, fore, hind);
  }

  // What other methods ask for by name: the head, the hands.
  void add_labels() {
    for (const FigureLimb& limb : f_.limbs) {
      const int last = limb.links.back();
      const bool hand = limb.part == Part::arm && limb.side != Side::none;
      const std::string name = hand                      ? (limb.side == Side::left ? "l_hand" : "r_hand")
                               : limb.part == Part::neck ? "head"
                                                         : "";
      if (name.empty() || std::any_of(c_.labels.begin(), c_.labels.end(),
                                      [&](const Label& other) { return other.name == name; }))
        continue;
      c_.labels.push_back({name, last, limb.end - f_.links[std::size_t(last)].head, {file_.path, 0}});
    }
  }

  const CharacterFile& file_;
  const Figure& f_;
  std::vector<MassProperties> solids_;
  double total_ = 0;
  int legs_ = 0;
  Creature c_;
};

}  // namespace

Creature body_of(const CharacterFile& file, const Figure& figure) { return BodyMaker(file, figure).make(); }

Creature read_character(const std::string& path) {
  const CharacterFile file(path);
  Creature creature = body_of(file, find_figure(file));
  complete(creature);
  check(creature);
  return creature;
}

}  // namespace legwork
