#include "tests/scenes/generated_body.h"

#include <cassert>
#include <string>
#include <vector>

#include <legwork/gait.h>
#include "base/random.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "creature/place.h"
#include "creature/scale.h"
#include "math/rotation.h"
#include "math/scalar.h"
#include "motion/support.h"

namespace legwork {

namespace {

constexpr double gravity = 9.81;  // m/s^2; bodies are drawn at h = 1 m and scaled by dynamic similarity
const Vec3d x_axis(1, 0, 0), flexion_axis(0, -1, 0), z_axis(0, 0, 1);

// --- the plan: every number that is drawn

enum class Hip { universal, hinges, coxa, ball, three };
enum class Foot { end, pad, sole };

struct LegPlan {
  std::string name, girdle;
  double side = 0;      // 1 left, -1 right, 0 middle
  double x = 0, y = 0;  // the hip, from the trunk's middle
  double height = 1;    // the hip over the ground
  double azimuth = 0;   // of the plane in which the leg bends
  double splay = 0;     // of that plane, outward from the vertical
  // Segments from the hip on: shares of the leg's length, and angles from straight down towards the azimuth.
  std::vector<double> share, angle;
};

struct Appendage {
  bool fore = true;
  int links = 0;
  double length = 0, radius = 0, rise = 0, head = 0;  // rise: angle over the horizon; head: radius
};

struct Ranges {
  double abduction, yaw, flexion, ankle, roll;
};

struct BodyPlan {
  bool sprawled = false, upright = false, capsule = false, bent_reference = false;
  Hip hip = Hip::ball;
  Foot foot = Foot::end;
  Vec3d trunk;                // edges
  double trunk_over_hip = 0;  // the trunk's middle over the hips
  Vec3d com_shift;
  double density = 1000;
  double leg_mass = 0.1, taper = 0.5;
  Vec3d sole;  // edges of a flat foot
  double heel = 0, ankle_height = 0, foot_radius = 0;
  double damper = 0, armature = 0;
  Ranges range{};
  std::vector<Appendage> appendages;
  std::vector<LegPlan> legs;
};

bool chance(Random& random, double p) { return random.uniform() < p; }
double log_uniform(Random& random, double low, double high) {
  return low * exp(random.uniform() * log(high / low));
}

int draw_leg_count(Random& random) {
  return chance(random, 0.75) ? 2 + random.index(5) : 7 + random.index(6);
}

double draw_bend(Random& random) {
  const double kind = random.uniform();
  if (kind < 0.3) return random.uniform(0.05, 0.15);
  return kind < 0.7 ? random.uniform(0.2, 0.5) : random.uniform(0.5, 0.85);
}

// The angle whose sine is given.
double arc_sine(double s) { return atan2(s, sqrt(1 - s * s)); }

// Shares and angles of an erect leg; the middle segment's angle brings the sole under the hip.
void draw_erect(Random& random, bool three, double sign, LegPlan& leg) {
  const double bend = draw_bend(random), ahead = random.uniform(-0.1, 0.1);
  const double first = random.uniform(0.4, 0.6), last = random.uniform(0.15, 0.3);
  const double last_angle = sign * bend * random.uniform(0.3, 0.9);
  leg.share = {first, 1 - first};
  leg.angle = {sign * bend, arc_sine((ahead * bend - first * sin(sign * bend)) / (1 - first))};
  if (!three) return;
  const double a = first * (1 - last), b = (1 - first) * (1 - last);
  const double s = (ahead * bend - a * sin(sign * bend) - last * sin(last_angle)) / b;
  leg.share = {a, b, last};
  leg.angle = {sign * bend, arc_sine(min(max(s, -0.97), 0.97)), last_angle};
}

void draw_sprawled(Random& random, bool three, LegPlan& leg) {
  const double femur = random.uniform(1.3, 2.2), tibia = random.uniform(-0.15, 0.4);
  const double first = random.uniform(0.3, 0.45), last = random.uniform(0.12, 0.25);
  const double tarsus = tibia + random.uniform(-0.3, 0.1);
  leg.share = {first, 1 - first};
  leg.angle = {femur, tibia};
  if (three) leg.share = {first, 1 - first - last, last}, leg.angle = {femur, tibia, tarsus};
}

// A girdle is a pair, or one leg in the middle; they stand along the trunk from front to back.
struct Girdle {
  bool left = true, right = true, middle = false;
};

std::vector<Girdle> draw_girdles(Random& random, int legs) {
  std::vector<Girdle> girdles(std::size_t((legs + 1) / 2));
  if (legs % 2 == 0) return girdles;
  if (legs >= 5 && chance(random, 0.4)) {
    Girdle& maimed = girdles[std::size_t(random.index(int(girdles.size())))];
    (chance(random, 0.5) ? maimed.left : maimed.right) = false;
  } else {
    (chance(random, 0.5) ? girdles.front() : girdles.back()) = {false, false, true};
  }
  return girdles;
}

void draw_trunk(Random& random, int legs, int girdles, BodyPlan& plan) {
  plan.upright = legs == 2 && chance(random, 0.6);
  plan.capsule = chance(random, 0.4);
  if (plan.upright) {
    plan.trunk = {random.uniform(0.18, 0.3), random.uniform(0.3, 0.45), random.uniform(0.5, 0.85)};
    plan.trunk_over_hip = random.uniform(0.4, 0.55) * plan.trunk.z;
  } else {
    const bool biped = legs == 2, sprawled = plan.sprawled;
    const double length =
        biped ? random.uniform(0.7, 1.2) : random.uniform(sprawled ? 1.2 : 0.8, sprawled ? 3.0 : 1.8);
    const double width =
        biped ? random.uniform(0.25, 0.4) : random.uniform(sprawled ? 0.5 : 0.3, sprawled ? 1.2 : 0.7);
    const double height =
        biped ? random.uniform(0.25, 0.4) : random.uniform(sprawled ? 0.3 : 0.2, sprawled ? 0.7 : 0.5);
    plan.trunk = {max(length, (sprawled ? 0.7 : 0.5) * girdles), width, height};
    plan.trunk_over_hip = sprawled ? 0 : random.uniform(0, 0.4) * height;
  }
  plan.density = random.uniform(600, 1100);
  if (chance(random, 0.3))
    for (int i = 0; i < 3; ++i) plan.com_shift[i] = random.uniform(-0.1, 0.1) * plan.trunk[i];
  for (const bool fore : {true, false}) {
    if (!chance(random, 0.4) || (plan.upright && !fore)) continue;
    Appendage a;
    a.fore = fore;
    a.links = 1 + random.index(3);
    a.length = random.uniform(0.2, 0.7) * (plan.upright ? 0.4 : 1);
    a.radius = random.uniform(0.15, 0.3) * min(plan.trunk.y, plan.trunk.z);
    a.rise = plan.upright ? 1.5 : fore ? random.uniform(0, 1) : random.uniform(0, 0.4);
    a.head = fore ? random.uniform(1.1, 1.8) * a.radius : 0;
    plan.appendages.push_back(a);
  }
}

void draw_joints(Random& random, int legs, BodyPlan& plan) {
  plan.hip = Hip(random.index(5));
  plan.bent_reference = chance(random, 0.5);
  plan.foot = chance(random, legs == 2 ? 0.85 : 0.15) ? Foot::sole : Foot(random.index(2));
  plan.foot_radius = random.uniform(0.02, 0.05);
  const double length = legs == 2 ? random.uniform(0.22, 0.34) : random.uniform(0.12, 0.2);
  plan.sole = {length, random.uniform(0.35, 0.55) * length, random.uniform(0.02, 0.04)};
  plan.heel = random.uniform(0.25, 0.4) * length;
  plan.ankle_height = plan.sole.z + random.uniform(0.01, 0.05);
  plan.leg_mass = log_uniform(random, 0.02, 0.4);
  plan.taper = random.uniform(0.35, 0.8);
  plan.damper = chance(random, 0.5) ? random.uniform(0.0005, 0.003) : 0;
  plan.armature = chance(random, 0.5) ? random.uniform(0.003, 0.03) : 0;
  plan.range = {random.uniform(0.5, 0.9), random.uniform(0.6, 1), random.uniform(1, 1.4),
                random.uniform(0.6, 1), random.uniform(0.3, 0.6)};
}

void draw_legs(Random& random, int legs, const std::vector<Girdle>& girdles, BodyPlan& plan) {
  const int n = int(girdles.size());
  const bool three = plan.foot != Foot::sole && chance(random, 0.3), same_knees = chance(random, 0.5);
  const double along = random.uniform(0.75, 0.95), fan = random.uniform(0, 0.7);
  const double track = legs == 2 ? random.uniform(0.1, 0.16) : plan.trunk.y / 2 * random.uniform(0.8, 1.1);
  const double splay =
      plan.sprawled || plan.foot == Foot::sole || plan.hip == Hip::coxa ? 0 : random.uniform(0, 0.2);
  const bool lopsided = chance(random, 0.25);
  double knee = chance(random, 0.5) ? 1 : -1;
  for (int k = 0; k < n; ++k) {
    const double place = n == 1 ? 0 : 1 - 2.0 * k / (n - 1);  // 1 front, -1 back
    if (k > 0 && !same_knees) knee = chance(random, 0.5) ? 1 : -1;
    LegPlan leg;
    if (plan.sprawled)
      draw_sprawled(random, three, leg);
    else
      draw_erect(random, three, knee, leg);
    leg.girdle = "girdle" + std::to_string(k + 1);
    for (const int side : {1, -1, 0}) {
      if (!(side > 0 ? girdles[k].left : side < 0 ? girdles[k].right : girdles[k].middle)) continue;
      leg.name = (side > 0 ? "l" : side < 0 ? "r" : "m") + std::to_string(k + 1);
      leg.side = side;
      leg.x = place * along * plan.trunk.x / 2;
      leg.y = side * track;
      leg.height = 1;
      leg.splay = side * splay;
      leg.azimuth = 0;
      if (plan.sprawled) leg.azimuth = side == 0 ? (place > 0 ? 0 : pi) : side * (pi / 2 - fan * place);
      if (lopsided) {
        leg.x += random.uniform(-0.1, 0.1);
        leg.y += random.uniform(-0.1, 0.1) * track;
        leg.height += random.uniform(-0.1, 0.1);
      }
      plan.legs.push_back(leg);
    }
  }
}

BodyPlan draw_plan(Random& random, int legs) {
  BodyPlan plan;
  plan.sprawled = chance(random, legs == 2 ? 0 : legs == 3 ? 0.35 : 0.5);
  const std::vector<Girdle> girdles = draw_girdles(random, legs);
  draw_trunk(random, legs, int(girdles.size()), plan);
  draw_joints(random, legs, plan);
  draw_legs(random, legs, girdles, plan);
  return plan;
}

// --- the body of a plan

Quatd turn(const Vec3d& axis, double angle) { return rotation_quaternion(axis * angle); }

// Straight down turned by an angle towards the leg's azimuth, in the leg's frame.
Vec3d down(double angle) { return {sin(angle), 0, -cos(angle)}; }

using Color = std::array<double, 3>;
constexpr Color trunk_color = {0.54, 0.56, 0.60}, thigh_color = {0.75, 0.50, 0.23},
                shank_color = {0.56, 0.36, 0.16}, foot_color = {0.22, 0.22, 0.26};

Shape ball_shape(double radius, const Vec3d& pos, const Color& color) {
  Shape s;
  s.type = ShapeType::sphere;
  s.size = {radius, 0, 0};
  s.pos = pos;
  s.color = color;
  return s;
}

// A capsule from the origin to a point in the plane y = 0.
Shape bone_shape(double radius, const Vec3d& to, const Color& color) {
  Shape s;
  s.type = ShapeType::capsule;
  s.size = {radius, norm(to), 0};
  s.pos = to * 0.5;
  s.rot = turn({0, 1, 0}, atan2(to.x, to.z));
  s.color = color;
  return s;
}

class Builder {
 public:
  explicit Builder(const BodyPlan& plan) : plan_(plan) {
    add_trunk();
    for (const Appendage& a : plan.appendages) add_appendage(a);
    Creature carried = c_;
    complete(carried);
    const double mass = carried.mass() / (1 - plan.leg_mass);
    leg_mass_ = mass * plan.leg_mass / double(plan.legs.size());
    damper_ = plan.damper * mass * gravity * sqrt(1 / gravity);
    armature_ = plan.armature * leg_mass_;
    for (const LegPlan& leg : plan.legs) add_leg(leg);
    c_.poses.push_back({"stand", q_});
    complete(c_);
  }
  Creature take() { return std::move(c_); }

 private:
  int add(Link link) {
    for (Joint& joint : link.joints) joint.dofs.resize(std::size_t(nv(joint)));
    c_.links.push_back(std::move(link));
    return int(c_.links.size()) - 1;
  }

  void add_trunk() {
    const Vec3d& e = plan_.trunk;
    Link link;
    link.name = "trunk";
    link.pos = {0, 0, 1 + plan_.trunk_over_hip};
    Shape shape;
    shape.size = e;
    shape.color = trunk_color;
    shape.density = plan_.density;
    if (plan_.capsule) {
      const double radius = (plan_.upright ? e.x + e.y : e.y + e.z) / 4;
      const double length = (plan_.upright ? e.z : e.x) - 2 * radius;
      shape.type = ShapeType::capsule;
      shape.size = {radius, max(length, 0.1), 0};
      if (!plan_.upright) shape.rot = turn({0, 1, 0}, pi / 2);
    }
    link.shapes.push_back(shape);
    link.com = plan_.com_shift;
    link.com_given = true;
    link.mass = mass_properties(shape).mass;
    Joint root;
    root.type = JointType::free;
    link.joints.push_back(root);
    q_ = {0, 0, link.pos.z, 1, 0, 0, 0};
    add(link);
  }

  // Neck or tail: a chain of ball joints whose springs carry it with a few degrees of sag.
  void add_appendage(const Appendage& a) {
    const Vec3d& e = plan_.trunk;
    const double segment = a.length / a.links;
    const Vec3d along(a.fore ? segment * cos(a.rise) : -segment * cos(a.rise), 0, segment * sin(a.rise));
    int parent = 0;
    for (int k = 0; k < a.links; ++k) {
      Link link;
      link.name = (a.fore ? "neck" : "tail") + std::to_string(k + 1);
      link.parent = parent;
      link.pos = along;
      if (k == 0)
        link.pos = plan_.upright ? Vec3d(0, 0, e.z / 2) : Vec3d(a.fore ? e.x / 2 : -e.x / 2, 0, e.z / 4);
      link.shapes.push_back(bone_shape(a.radius * (1 - 0.2 * k), along, trunk_color));
      if (k + 1 == a.links && a.head > 0) link.shapes.push_back(ball_shape(a.head, along, thigh_color));
      for (Shape& s : link.shapes) s.touches = false;
      Joint joint;
      joint.type = JointType::ball;
      link.joints.push_back(joint);
      const double reach = a.length * (1 - double(k) / a.links);
      const double mass = 1000 * pi * a.radius * a.radius * reach + 4200 * a.head * a.head * a.head;
      const double stiffness = 12 * mass * gravity * reach;
      parent = add(link);
      for (Dof& dof : c_.links[std::size_t(parent)].joints[0].dofs) {
        dof.lower = -1;
        dof.upper = 1;
        dof.spring = {SpringType::linear, stiffness, 0, 0};
        dof.damper = sqrt(stiffness * mass / 3) * reach;
      }
      q_.insert(q_.end(), {1, 0, 0, 0});
    }
  }

  // A joint of a leg with the coordinates that it has in "stand" and how far it goes to either side of them.
  struct Axis {
    Vec3d axis;
    double stand = 0, lower = 0, upper = 0;
  };
  static Axis around(const Vec3d& axis, double stand, double range) {
    return {axis, stand, stand - range, stand + range};
  }

  void add_joints(Link& link, JointType type, const std::vector<Axis>& axes) {
    const auto dof_of = [&](const Axis& a) {
      Dof dof;
      dof.lower = a.lower;
      dof.upper = a.upper;
      dof.damper = damper_;
      dof.armature = armature_;
      return dof;
    };
    Joint joint;
    joint.type = type;
    if (type != JointType::hinge) {
      for (const Axis& a : axes) {
        if (type == JointType::universal) joint.axes.push_back(a.axis);
        joint.dofs.push_back(dof_of(a));
        if (type == JointType::universal) q_.push_back(a.stand);
      }
      if (type == JointType::ball) {
        const Quatd r = turn({0, 1, 0}, axes[1].stand);
        q_.insert(q_.end(), {r.w, r.x, r.y, r.z});
      }
      link.joints.push_back(joint);
      return;
    }
    for (const Axis& a : axes) {
      joint.axes = {a.axis};
      joint.dofs = {dof_of(a)};
      link.joints.push_back(joint);
      q_.push_back(a.stand);
    }
  }

  // The angle of segment k in the reference pose, where every link's axes are the leg's.
  double reference(const LegPlan& leg, std::size_t k) const {
    if (plan_.bent_reference) return leg.angle[k];
    return plan_.sprawled && k == 0 ? pi / 2 : 0;
  }
  // How far the link of segment k is turned in "stand".
  double turned(const LegPlan& leg, std::size_t k) const { return leg.angle[k] - reference(leg, k); }

  // The thigh (and a coxa before it) with the hip's joints; returns the leg's first link.
  int add_hip(const LegPlan& leg, double mass, Link thigh) {
    const Ranges& r = plan_.range;
    const double q = turned(leg, 0);
    const Axis swing = plan_.sprawled ? around(z_axis, 0, r.yaw) : around(x_axis, 0, r.abduction);
    const Axis flexion = around(flexion_axis, q, r.flexion);
    const Quatd frame = turn(z_axis, leg.azimuth) * turn(x_axis, leg.splay);
    const Vec3d at(leg.x, leg.y, leg.height - 1 - plan_.trunk_over_hip);
    thigh.parent = 0;
    thigh.pos = at;
    thigh.rot = frame;
    switch (plan_.hip) {
      case Hip::universal:
        add_joints(thigh, JointType::universal, {swing, flexion});
        break;
      case Hip::hinges:
        add_joints(thigh, JointType::hinge, {swing, flexion});
        break;
      case Hip::three:
        if (plan_.sprawled)
          add_joints(thigh, JointType::hinge, {swing, flexion, around(down(reference(leg, 0)), 0, r.roll)});
        else
          add_joints(thigh, JointType::hinge, {around(z_axis, 0, r.yaw), swing, flexion});
        break;
      case Hip::ball:  // counted about x, y, z: flexion is about -y
        add_joints(
            thigh, JointType::ball,
            {around(x_axis, 0, r.abduction), around({0, 1, 0}, -q, r.flexion), around(z_axis, 0, r.yaw)});
        break;
      case Hip::coxa: {
        Link coxa;
        coxa.name = leg.name + "_coxa";
        coxa.parent = 0;
        coxa.pos = at;
        coxa.rot = frame;
        const Vec3d out = plan_.sprawled ? Vec3d(0.1, 0, 0) : Vec3d(0, 0.04 * leg.side, 0);
        Shape shape = ball_shape(0.05, out * 0.5, thigh_color);
        shape.touches = false;
        coxa.shapes.push_back(shape);
        coxa.mass = 0.1 * mass;
        add_joints(coxa, JointType::hinge, {swing});
        const int first = add(coxa);
        thigh.parent = first;
        thigh.pos = out;
        thigh.rot = {};
        add_joints(thigh, JointType::hinge, {flexion});
        add(thigh);
        return first;
      }
    }
    return add(thigh);
  }

  void add_leg(const LegPlan& leg) {
    const std::size_t n = leg.share.size();
    const bool flat = plan_.foot == Foot::sole;
    double drop = 0, weight = 0, part = 1;
    std::vector<double> share_of_mass;
    for (std::size_t k = 0; k < n; ++k, part *= plan_.taper) {
      drop += leg.share[k] * cos(leg.angle[k]) * cos(leg.splay);
      share_of_mass.push_back(leg.share[k] * part);
      weight += share_of_mass[k];
    }
    const double length = (leg.height - (flat ? plan_.ankle_height : plan_.foot_radius)) / drop;
    const double mass = leg_mass_ * (flat ? 0.92 : 1) * (plan_.hip == Hip::coxa ? 0.9 : 1);
    Leg role;
    role.name = leg.name;
    role.girdle = leg.girdle;
    role.side = leg.side > 0 ? Side::left : leg.side < 0 ? Side::right : Side::none;
    for (std::size_t k = 0; k < n; ++k) {
      const bool last = k + 1 == n;
      const Vec3d along = down(reference(leg, k)) * (length * leg.share[k]);
      Link link;
      link.name = leg.name + (k == 0 ? "_thigh" : k == 1 ? "_shank" : "_tarsus");
      link.mass = mass * share_of_mass[k] / weight;
      const double girth = sqrt(link.mass / (1000 * pi * length * leg.share[k]));
      const bool end = last && plan_.foot == Foot::end;
      const double radius = end ? plan_.foot_radius : min(max(girth, 0.012), 0.08);
      Shape bone = bone_shape(radius, along, k == 0 ? thigh_color : shank_color);
      bone.touches = end;
      link.shapes.push_back(bone);
      if (last && plan_.foot == Foot::pad)
        link.shapes.push_back(ball_shape(plan_.foot_radius, along, foot_color));
      if (k == 0) {
        role.hip = add_hip(leg, leg_mass_, link);
      } else {
        link.parent = int(c_.links.size()) - 1;
        link.pos = down(reference(leg, k - 1)) * (length * leg.share[k - 1]);
        add_joints(link, JointType::hinge, {k == 1 ? knee(leg) : ankle(turned(leg, k) - turned(leg, k - 1))});
        const int at = add(link);
        if (k == 1) role.knee = at;
      }
      role.foot = int(c_.links.size()) - 1;
      if (last && flat) role.foot = add_sole(leg, along);
    }
    c_.legs.push_back(role);
  }

  // From straight to a bend of 2.6, the way the leg bends.
  Axis knee(const LegPlan& leg) const {
    const double bend = leg.angle[1] - leg.angle[0], q = turned(leg, 1) - turned(leg, 0);
    const double straight = q - bend, bent = straight + (bend < 0 ? -2.6 : 2.6);
    return {flexion_axis, q, min(straight, bent), max(straight, bent)};
  }
  Axis ankle(double q) const { return around(flexion_axis, q, plan_.range.ankle); }

  int add_sole(const LegPlan& leg, const Vec3d& at) {
    Link link;
    link.name = leg.name + "_foot";
    link.parent = int(c_.links.size()) - 1;
    link.pos = at;
    link.mass = 0.08 * leg_mass_;
    Shape box;
    box.size = plan_.sole;
    box.pos = {plan_.sole.x / 2 - plan_.heel, 0, plan_.sole.z / 2 - plan_.ankle_height};
    box.color = foot_color;
    link.shapes.push_back(box);
    const double level = -turned(leg, leg.angle.size() - 1);
    add_joints(link, plan_.hip == Hip::universal ? JointType::universal : JointType::hinge,
               {ankle(level), around(x_axis, 0, plan_.range.roll)});
    return add(link);
  }

  const BodyPlan& plan_;
  Creature c_;
  std::vector<double> q_;  // "stand"
  double leg_mass_ = 0, damper_ = 0, armature_ = 0;
};

// --- what can stand

struct Standing {
  Vec3d com;
  std::vector<Vec3d> soles, feet;  // middles; all contact points of the feet on the ground
  double clearance = unlimited;    // of everything else
};

Standing standing(const Creature& c) {
  const std::vector<LinkFrame> frames = place(c, c.pose("stand"));
  Standing s;
  for (std::size_t i = 0; i < c.links.size(); ++i)
    s.com += frames[i] * c.links[i].com * (c.links[i].mass / c.mass());
  for (const Leg& leg : c.legs) s.soles.push_back(frames[std::size_t(leg.foot)] * leg.sole);
  std::vector<bool> foot(c.links.size());
  for (const Leg& leg : c.legs) foot[std::size_t(leg.foot)] = true;
  for (const ContactPoint& p : c.contacts) {
    const Vec3d at = frames[std::size_t(p.link)] * p.pos;
    if (!foot[std::size_t(p.link)])
      s.clearance = min(s.clearance, at.z - p.radius);
    else if (at.z - p.radius < 1e-9)
      s.feet.push_back(at);
  }
  for (std::size_t i = 0; i < c.links.size(); ++i)
    if (!foot[i]) s.clearance = min(s.clearance, frames[i].p.z);
  return s;
}

// The hips of a biped go where its centre of mass is over the middle of its soles.
void put_legs_under(const Standing& s, BodyPlan& plan) {
  const double from = (s.soles[0].x + s.soles[1].x) / 2;
  for (LegPlan& leg : plan.legs) leg.x += (s.com.x - from) / (1 - plan.leg_mass);
}

bool can_stand(const Standing& s, const BodyPlan& plan) {
  const bool biped = s.soles.size() == 2, points = plan.foot != Foot::sole;
  if (s.clearance < 0.08) return false;
  for (std::size_t i = 0; i < s.soles.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (norm(s.soles[i] - s.soles[j]) < 0.12) return false;
  if (biped && points) return true;
  return support_margin(convex_hull_2d(s.feet), s.com) >= (biped ? 0.2 * plan.sole.x : 0.05);
}

}  // namespace

Creature generated_body(std::uint64_t seed, int index) {
  Random random(seed, std::uint64_t(index));
  const double h = log_uniform(random, 0.02, 3);
  const int legs = draw_leg_count(random);
  for (;;) {
    BodyPlan plan = draw_plan(random, legs);
    Creature c = Builder(plan).take();
    if (legs == 2) {
      put_legs_under(standing(c), plan);
      c = Builder(plan).take();
    }
    if (!can_stand(standing(c), plan)) continue;
    c.name = "body" + std::to_string(index);
    c.about = "number " + std::to_string(index) + " of seed " + std::to_string(seed) + ": " +
              std::to_string(legs) + " legs, " + (plan.sprawled ? "sprawled" : "erect") + ", " +
              (plan.foot == Foot::sole ? "flat feet" : "point feet");
    scale(c, h / hip_height(c));
    check(c);
    return c;
  }
}

}  // namespace legwork
