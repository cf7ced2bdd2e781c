#include "tests/scenes/sketched_body.h"

#include <cstdio>
#include <vector>

#include "base/random.h"
#include "creature/place.h"
#include "formats/toml/creature_toml.h"
#include "math/rotation.h"
#include "math/scalar.h"
#include "motion/support.h"

namespace legwork {

namespace {

constexpr double gravity = 9.81, degree = pi / 180;

bool chance(Random& r, double p) { return r.uniform() < p; }
std::string pick(Random& r, const std::vector<std::string>& words) {
  return words[std::size_t(r.index(int(words.size())))];
}

// --- text

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}
std::string list(std::initializer_list<double> numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "[" : ", ") + number(x);
  return text + "]";
}
std::string range(double lower, double upper) { return "range = " + list({lower, upper}); }

// A creature file under way. Lengths are given in h.
struct Sheet {
  double h = 1, mass = 1;  // m; kg, about
  std::string text;

  std::string at(const Vec3d& p) const { return list({p.x * h, p.y * h, p.z * h}); }
  void link(const std::string& name, const std::string& parent, const std::string& place,
            const std::string& joint, const std::string& shapes, double density) {
    text += "\n[[link]]\nname = \"" + name + "\"\n";
    if (!parent.empty()) text += "parent = \"" + parent + "\"\n";
    text += "at = " + place + "\n" + joint + "shapes = [" + shapes + "]\ndensity = " + number(density) + "\n";
  }
  std::string place(const Vec3d& p, double rx, double ry, double rz) const {
    return "{ pos = " + at(p) + ", rot = " + list({rx, ry, rz}) + " }";
  }
  std::string capsule(double radius, const Vec3d& to, bool touches) const {
    return "{ capsule = " + number(radius * h) + ", to = " + at(to) +
           (touches ? " }" : ", touches = false }");
  }
  // A spring that holds a part of this mass and length in place, and its damper.
  std::string held(double share, double length) const {
    const double stiffness = 15 * share * mass * gravity * length * h;
    return "spring = { stiffness = " + number(stiffness) +
           " }, damper = " + number(0.3 * stiffness * sqrt(length * h / gravity));
  }
};

// --- what is drawn

struct LegStyle {
  bool sprawled = false, rotated = false, knee_named = false;
  std::string hip;   // letters of its axes; '|' between two links; "universal", "ball"
  std::string foot;  // point, ball, hoof, sole, toes
  bool ankle_rolls = false;
  std::vector<double> share, angle;  // degrees from straight down, towards where the leg bends
  double radius = 0.05, taper = 0.8, density = 1000;
  double abduction = 30, flexion = 60;  // degrees
  double skew = 0, lean = 0;            // degrees
  double foot_size = 0.04, sole = 0.25, ankle = 0.05;
  double spring = 0, damper = 0;
};

struct LegPlace {
  std::string name, girdle;
  Vec3d hip;           // world, h
  double azimuth = 0;  // degrees: where the leg bends to
  double side = 0;     // of its lean
  int style = 0;
};

struct TrunkLink {
  std::string name, parent;
  Vec3d joint, middle, size;  // world; size along x, y, z
};

struct Plan {
  double h = 1;
  int legs = 4;
  bool round = false, upright = false, sprawled = false;
  std::string trunk_shape = "box", trunk_joint = "ball";
  double trunk_density = 700;
  std::vector<TrunkLink> trunk;  // the root first
  std::vector<LegStyle> styles;
  std::vector<LegPlace> places;
  Vec3d battery;  // edge of a cube, and where, x and y
  double battery_edge = 0;
  int neck = 0, tail = 0;
  double neck_length = 0.5, tail_length = 0.8, arms = 0;
};

int draw_legs(Random& r) {
  const double u = r.uniform();
  return u < 0.2 ? 2 : u < 0.3 ? 3 : u < 0.55 ? 4 : u < 0.65 ? 5 : u < 0.8 ? 6 : 7 + r.index(6);
}

// A zigzag of segments, turned as a whole so that its end is where it should be.
void draw_erect(Random& r, LegStyle& s, int segments) {
  double sign = chance(r, 0.5) ? 1 : -1, x = 0, z = 0, sum = 0;
  for (int k = 0; k < segments; ++k, sign = -sign) {
    s.share.push_back(r.uniform(0.6, 1.4) * (k >= 2 ? 0.6 : 1));
    s.angle.push_back(sign * r.uniform(8, 40));
    sum += s.share.back();
  }
  for (std::size_t k = 0; k < s.share.size(); ++k) {
    s.share[k] /= sum;
    x += s.share[k] * sin(s.angle[k] * degree), z += s.share[k] * cos(s.angle[k] * degree);
  }
  const double turn = (atan2(x, z) - r.uniform(-0.08, 0.08)) / degree;
  for (double& a : s.angle) a -= turn;
}

void draw_sprawled(Random& r, LegStyle& s, int segments) {
  s.share = {r.uniform(0.6, 1.1)}, s.angle = {r.uniform(70, 125)};
  for (int k = 1; k < segments; ++k) {
    s.share.push_back(r.uniform(0.8, 1.4) * (k >= 2 ? 0.5 : 1));
    s.angle.push_back(k == 1 ? r.uniform(-10, 25) : s.angle[1] + r.uniform(-20, 20));
  }
}

LegStyle draw_style(Random& r, const Plan& plan, const LegStyle* like) {
  LegStyle s;
  if (like) s = *like;
  s.share.clear(), s.angle.clear();
  const int segments = 2 + (chance(r, 0.35) ? 1 : 0) + (chance(r, 0.1) ? 1 : 0);
  plan.sprawled ? draw_sprawled(r, s, segments) : draw_erect(r, s, segments);
  if (like) return s;
  s.sprawled = plan.sprawled;
  s.rotated = chance(r, 0.5), s.knee_named = chance(r, 0.5);
  s.hip = plan.sprawled ? pick(r, {"zy", "yz", "z|y", "zyx", "universal", "ball"})
                        : pick(r, {"xy", "yx", "x|y", "y|x", "zxy", "universal", "ball"});
  const double sole = plan.sprawled ? 0 : plan.legs == 2 ? 0.8 : 0.2;
  s.foot = chance(r, sole) ? pick(r, {"sole", "sole", "toes"}) : pick(r, {"point", "ball", "ball", "hoof"});
  s.ankle_rolls = chance(r, plan.legs == 2 ? 0.9 : 0.6);
  s.radius = r.uniform(0.03, 0.08), s.taper = r.uniform(0.6, 0.95), s.density = r.uniform(700, 1200);
  const bool tight = chance(r, 0.4);
  s.abduction = tight ? r.uniform(18, 28) : r.uniform(35, 70);
  s.flexion = tight ? r.uniform(28, 40) : r.uniform(60, 110);
  s.skew = chance(r, 0.1) ? r.uniform(-10, 10) : 0;
  s.lean = !plan.sprawled && chance(r, 0.3) ? r.uniform(0, 12) : 0;
  s.foot_size = r.uniform(0.02, s.foot == "hoof" ? 0.05 : 0.06);
  s.sole = r.uniform(0.15, 0.35), s.ankle = r.uniform(0.03, 0.08);
  s.spring = chance(r, 0.25) ? r.uniform(0.02, 0.15) : 0;
  s.damper = chance(r, 0.5) ? r.uniform(0.0003, 0.003) : 0;
  if (plan.sprawled && plan.legs >= 6 && chance(r, 0.1)) {  // two hinges and one bent bone
    s.hip = pick(r, {"zy", "z|y"}), s.foot = "ball";
    s.share = {1}, s.angle = {r.uniform(30, 50)};
  }
  return s;
}

// A row of trunk links from the root on; `back`: towards -x, else towards +x; upright: towards +z.
void draw_row(Random& r, Plan& plan, double length, double width, double height, int links) {
  const bool back = chance(r, 0.5);
  const Vec3d along = plan.upright ? Vec3d(0, 0, 1) : Vec3d(back ? -1 : 1, 0, 0);
  const double piece = length / links;
  const Vec3d start =
      plan.upright ? Vec3d(0, 0, 1) : Vec3d(0, 0, 1 + r.uniform(0, 0.4) * height) - along * (0.5 * length);
  for (int k = 0; k < links; ++k) {
    TrunkLink t;
    t.name = "trunk_" + std::to_string(k + 1);
    if (k > 0) t.parent = plan.trunk.back().name;
    t.joint = start + along * (piece * k);
    t.middle = t.joint + along * (0.5 * piece);
    const double slim = r.uniform(0.85, 1.1);
    t.size =
        plan.upright ? Vec3d(height * slim, width * slim, piece) : Vec3d(piece, width * slim, height * slim);
    plan.trunk.push_back(t);
  }
}

void place_around(Random& r, Plan& plan, double radius, double offset) {
  for (int k = 0; k < plan.legs; ++k) {
    LegPlace p;
    const double angle = 2 * pi * k / plan.legs + offset;
    p.name = "a" + std::to_string(k + 1), p.girdle = "ring";
    p.hip = {radius * cos(angle), radius * sin(angle), 1};
    p.azimuth = angle / degree;
    plan.places.push_back(p);
  }
  (void)r;
}

// Pairs along the trunk from the front to the back, an odd leg in front or behind.
void place_pairs(Random& r, Plan& plan, double length, double width) {
  const int pairs = plan.legs / 2;
  const bool odd = plan.legs % 2 == 1, odd_in_front = chance(r, 0.5);
  const int rows = pairs + odd;
  const bool differ = chance(r, 0.5), shifted = chance(r, 0.1);
  const double fan = r.uniform(0, 45);
  for (int row = 0; row < rows; ++row) {
    const double share = rows == 1 ? 0 : 1 - 2.0 * row / (rows - 1);  // 1 in front, -1 behind
    const bool middle = odd && row == (odd_in_front ? 0 : rows - 1);
    const double height = r.uniform(0.93, 1.07), shift = shifted ? r.uniform(0, 0.2) : 0;
    int style = 0;
    if (differ && row > 0) {
      style = int(plan.styles.size());
      plan.styles.push_back(draw_style(r, plan, &plan.styles[0]));
    }
    for (const int side : {1, -1}) {
      if (middle && side < 0) continue;
      LegPlace p;
      p.style = style;
      p.side = middle ? 0 : side;
      const std::string where = row == 0 ? "f" : row + 1 == rows ? "h" : "m_" + std::to_string(row);
      p.name = (middle ? "c" : side > 0 ? "l" : "r") + where;
      p.girdle = "row" + std::to_string(row);
      p.hip = {0.45 * length * share + (side > 0 ? shift : 0), p.side * 0.5 * width,
               plan.legs == 2 ? 1 : height};
      if (plan.sprawled) p.azimuth = middle ? (share > 0 ? 0 : 180) : side * (90 - fan * share);
      plan.places.push_back(p);
    }
  }
}

Plan draw_plan(Random& r, double h, int legs) {
  Plan plan;
  plan.h = h, plan.legs = legs;
  plan.upright = legs == 2 && chance(r, 0.6);
  plan.round = legs > 2 && chance(r, 0.2);
  plan.sprawled = legs > 2 && chance(r, 0.5);
  plan.trunk_shape =
      plan.round ? pick(r, {"cylinder", "ellipsoid"}) : pick(r, {"box", "capsule", "ellipsoid"});
  plan.trunk_joint = pick(r, {"ball", "z", "y"});
  plan.trunk_density = r.uniform(400, 1100);
  plan.styles.push_back(draw_style(r, plan, nullptr));
  if (plan.round) {
    const double radius = r.uniform(0.3, 0.6), height = r.uniform(0.15, 0.4);
    plan.trunk.push_back({"disc", "", {0, 0, 1}, {0, 0, 1}, {2 * radius, 2 * radius, height}});
    place_around(r, plan, radius, chance(r, 0.5) ? 0 : r.uniform(0, 2 * pi));
  } else if (plan.upright) {
    const double width = r.uniform(0.25, 0.45);
    draw_row(r, plan, r.uniform(0.5, 0.8), width, r.uniform(0.15, 0.3), 1 + r.index(3));
    place_pairs(r, plan, 0, r.uniform(0.6, 0.9) * width);
    plan.arms = chance(r, 0.7) ? r.uniform(0.5, 0.8) : 0;
  } else {
    const int rows = (legs + 1) / 2;
    const double length = max(rows * (r.uniform(0.45, 0.75) + (plan.sprawled ? 0.6 : 0)), 0.7);
    const double width = r.uniform(0.25, 0.6);
    draw_row(r, plan, length, width, r.uniform(0.15, 0.4), 1 + r.index(4));
    place_pairs(r, plan, legs == 2 ? 0 : length, legs == 2 ? 0.8 * width : width);
  }
  if (chance(r, 0.25)) {
    const Vec3d& e = plan.trunk[0].size;
    plan.battery_edge = r.uniform(0.2, 0.4) * cbrt(e.x * e.y * e.z);
    plan.battery = {r.uniform(-0.4, 0.4) * e.x, r.uniform(-0.4, 0.4) * e.y, 0};
  }
  const double likely = legs == 2 && !plan.upright ? 1 : 0.5;
  if (!plan.round) {
    plan.neck = chance(r, likely) ? 1 + r.index(4) : 0;
    plan.tail = !plan.upright && chance(r, likely) ? 1 + r.index(4) : 0;
    plan.neck_length = r.uniform(0.2, 0.6), plan.tail_length = r.uniform(0.3, 1.0);
  }
  if (chance(r, 0.2))
    for (LegPlace& p : plan.places) {
      p.hip.x += r.uniform(-0.08, 0.08), p.hip.z += r.uniform(-0.08, 0.08);
    }
  return plan;
}

// --- writing it down

std::string solid(const Sheet& sheet, const std::string& kind, const Vec3d& e, const Vec3d& pos) {
  const double h = sheet.h;
  const std::string at = ", pos = " + sheet.at(pos) + " }";
  if (kind == "ellipsoid") return "{ ellipsoid = " + list({0.5 * e.x * h, 0.5 * e.y * h, 0.5 * e.z * h}) + at;
  if (kind == "cylinder") return "{ cylinder = " + list({0.5 * e.x * h, e.z * h}) + at;
  if (kind == "capsule" && e.x > max(e.y, e.z))
    return "{ capsule = " + list({0.25 * (e.y + e.z) * h, (e.x - 0.25 * (e.y + e.z)) * h}) +
           ", along = \"x\"" + at;
  return "{ box = " + list({e.x * h, e.y * h, e.z * h}) + at;
}

void write_trunk(const Plan& plan, Sheet& sheet) {
  const double share = 1.0 / double(plan.trunk.size());
  Vec3d parent;
  for (const TrunkLink& t : plan.trunk) {
    std::string shapes = solid(sheet, plan.trunk_shape, t.size, t.middle - t.joint), joint;
    if (t.parent.empty() && plan.battery_edge > 0) {
      const double edge = plan.battery_edge * sheet.h;
      shapes += ", { box = " + list({edge, edge, edge}) +
                ", pos = " + sheet.at(t.middle - t.joint + plan.battery) +
                ", density = 2000, touches = false }";
    }
    if (!t.parent.empty()) {
      const std::string held = sheet.held(1 - share, 0.5);
      joint = plan.trunk_joint == "ball"
                  ? "joint = { ball = true, range = [-20, 20], " + held + " }\n"
                  : "joint = { hinge = \"" + plan.trunk_joint + "\", range = [-20, 20], " + held + " }\n";
    }
    sheet.link(t.name, t.parent, sheet.at(t.joint - parent), joint, shapes, plan.trunk_density);
    parent = t.joint;
  }
}

// A chain of links that hangs on a trunk link: neck, tail or arm.
void write_chain(const std::string& name, const TrunkLink& on, const Vec3d& from, const Vec3d& way, int links,
                 double radius, bool head, Sheet& sheet) {
  std::string parent = on.name;
  Vec3d at = from - on.joint;
  const Vec3d piece = way * (1.0 / links);
  for (int k = 0; k < links; ++k) {
    const std::string own = name + "_" + std::to_string(k + 1);
    std::string shapes = sheet.capsule(radius * (1 - 0.15 * k), piece, false);
    if (head && k + 1 == links)
      shapes += ", { sphere = " + number(1.8 * radius * sheet.h) + ", pos = " + sheet.at(piece) +
                ", touches = false }";
    const double left = norm(way) * (1 - double(k) / links);
    const double share = min(40 * radius * radius * left, 0.2);
    sheet.link(own, parent, sheet.at(at),
               "joint = { ball = true, range = [-40, 40], " + sheet.held(share, left) + " }\n", shapes, 900);
    parent = own, at = piece;
  }
}

class LegWriter {
 public:
  LegWriter(const LegStyle& style, const LegPlace& place, const TrunkLink& on, Sheet& sheet)
      : s_(style), p_(place), on_(on), sheet_(sheet) {}

  void write() {
    const double extra = s_.foot == "point"  ? radius(s_.share.size() - 1)
                         : s_.foot == "ball" ? s_.foot_size
                         : s_.foot == "hoof" ? 0.5 * s_.foot_size
                                             : s_.ankle;
    double drop = 0;
    for (std::size_t k = 0; k < s_.share.size(); ++k) drop += s_.share[k] * cos(s_.angle[k] * degree);
    length_ = (p_.hip.z - extra) / (drop * cos(s_.lean * degree));
    for (std::size_t k = 0; k < s_.share.size(); ++k) write_segment(k);
    if (s_.foot == "sole" || s_.foot == "toes") write_sole();
    sheet_.text += "\n[[leg]]\nname = \"" + p_.name + "\"\nhip = \"" + hip_ + "\"\nfoot = \"" + parent_ +
                   "\"\ngirdle = \"" + p_.girdle + "\"\n";
    if (s_.knee_named && !knee_.empty()) sheet_.text += "knee = \"" + knee_ + "\"\n";
  }

 private:
  double radius(std::size_t k) const { return s_.radius * pow(s_.taper, double(k)); }
  Vec3d way(std::size_t k) const {
    const double a = (s_.angle[k] - frame_) * degree;
    return Vec3d(sin(a), 0, -cos(a)) * (s_.share[k] * length_);
  }
  std::string passive() const {
    const double unit = sheet_.mass * gravity * sheet_.h;
    std::string text;
    if (s_.spring > 0) text += ", spring = { stiffness = " + number(s_.spring * unit) + " }";
    if (s_.damper > 0) text += ", damper = " + number(s_.damper * unit * sqrt(sheet_.h / gravity));
    return text;
  }
  std::string hinge(char axis) const {
    const double most = axis == 'y' ? s_.flexion : s_.abduction;
    return std::string("{ hinge = \"") + axis + "\", " + range(-most, most) + passive() + " }";
  }
  std::string hinges(const std::string& axes) const {
    std::string text = "joints = [";
    for (const char axis : axes) text += hinge(axis) + ", ";
    return text + "]\n";
  }
  std::string pair(double a, double b) const { return list({a, b}); }

  std::string hip_joint() const {
    const double a = s_.abduction, f = s_.flexion;
    const std::string first = s_.sprawled ? "z" : "x";
    if (s_.hip == "universal")
      return "joint = { universal = [\"" + first + "\", \"y\"], range = [" + pair(-a, a) + ", " +
             pair(-f, f) + "]" + passive() + " }\n";
    if (s_.hip == "ball")
      return "joint = { ball = true, range = [" + pair(-a, a) + ", " + pair(-f, f) + ", " + pair(-a, a) +
             "]" + passive() + " }\n";
    return hinges(s_.hip);
  }

  // Not beyond straight by more than a degree, where it is bent at all.
  std::string knee_joint(double bend) const {
    const double f = s_.flexion;
    const double lower = bend < -1 ? max(bend, -f) : -f, upper = bend > 1 ? min(bend, f) : f;
    const std::string axis = s_.skew != 0 ? list({sin(s_.skew * degree), cos(s_.skew * degree), 0}) : "\"y\"";
    return "joint = { hinge = " + axis + ", " + range(lower, upper) + passive() + " }\n";
  }

  std::string shapes(std::size_t k, const Vec3d& to) const {
    const bool last = k + 1 == s_.share.size();
    std::string text = sheet_.capsule(radius(k), to, last && s_.foot == "point");
    if (!last) return text;
    if (s_.foot == "ball")
      text += ", { sphere = " + number(s_.foot_size * sheet_.h) + ", pos = " + sheet_.at(to) + " }";
    if (s_.foot == "hoof")
      text += ", { cylinder = " + list({1.2 * s_.foot_size * sheet_.h, s_.foot_size * sheet_.h}) +
              ", pos = " + sheet_.at(to) + ", rot = " + list({0, frame_, 0}) + " }";
    return text;
  }

  void write_segment(std::size_t k) {
    const std::string name = p_.name + "_" + std::to_string(k + 1);
    if (k == 0) {
      const std::string place = sheet_.place(p_.hip - on_.joint, p_.side * s_.lean, 0, p_.azimuth);
      const std::size_t bar = s_.hip.find('|');
      hip_ = parent_ = name;
      if (bar == std::string::npos) {
        sheet_.link(name, on_.name, place, hip_joint(), shapes(k, way(k)), s_.density);
      } else {
        hip_ = p_.name + "_hip";
        sheet_.link(hip_, on_.name, place, "joint = " + hinge(s_.hip[0]) + "\n",
                    "{ sphere = " + number(0.9 * s_.radius * sheet_.h) + ", touches = false }", s_.density);
        if (s_.rotated) frame_ = s_.angle[0];
        sheet_.link(name, hip_, sheet_.place({}, 0, -frame_, 0), "joint = " + hinge(s_.hip[bar + 1]) + "\n",
                    shapes(k, way(k)), s_.density);
      }
      end_ = way(k);
      return;
    }
    const double before = frame_;
    if (s_.rotated) frame_ = s_.angle[k];
    const std::string place = sheet_.place(end_, 0, -(frame_ - before), 0);
    sheet_.link(name, parent_, place, knee_joint(s_.angle[k] - s_.angle[k - 1]), shapes(k, way(k)),
                s_.density);
    parent_ = name, end_ = way(k);
    if (k == 1) knee_ = name;
  }

  void write_sole() {
    const std::string name = p_.name + "_foot";
    const double l = s_.sole * sheet_.h, w = 0.45 * l, down = s_.ankle * sheet_.h, thin = 0.3 * down;
    std::string shapes =
        "{ box = " + list({l, w, thin}) + ", pos = " + list({0.15 * l, 0, 0.5 * thin - down}) + " }";
    if (s_.foot == "toes") {
      shapes = "{ box = " + list({0.9 * l, w, thin}) + ", pos = " + list({0.15 * l, 0, 2 * thin - down}) +
               ", touches = false }, ";
      for (const Vec3d& toe :
           {Vec3d(0.65 * l, 0.4 * w, 0), Vec3d(0.65 * l, -0.4 * w, 0), Vec3d(-0.35 * l, 0, 0)})
        shapes += "{ sphere = " + number(thin) + ", pos = " + list({toe.x, toe.y, thin - down}) + " }, ";
    }
    const double f = max(min(s_.flexion, 50.0), 30.0);
    std::string joint = "joints = [{ hinge = \"y\", " + range(-f, f) + passive() + " }";
    if (s_.ankle_rolls) joint += ", { hinge = \"x\", range = [-25, 25]" + passive() + " }";
    sheet_.link(name, parent_, sheet_.place(end_, -p_.side * s_.lean, frame_, 0), joint + "]\n", shapes,
                s_.density);
    parent_ = name;
  }

  const LegStyle& s_;
  const LegPlace& p_;
  const TrunkLink& on_;
  Sheet& sheet_;
  double length_ = 1, frame_ = 0;  // h; degrees by which the link's axes are turned like a segment
  std::string parent_, hip_, knee_;
  Vec3d end_;  // of the segment before, its link's frame
};

// The trunk link that is nearest to a hip.
const TrunkLink& carrier(const Plan& plan, const Vec3d& hip) {
  const TrunkLink* best = &plan.trunk[0];
  for (const TrunkLink& t : plan.trunk)
    if (norm(t.middle - hip) < norm(best->middle - hip)) best = &t;
  return plan.upright ? plan.trunk[0] : *best;
}

std::string write_body(const Plan& plan, const std::string& name, const std::string& about) {
  Sheet sheet;
  sheet.h = plan.h;
  double volume = 0;
  for (const TrunkLink& t : plan.trunk) volume += t.size.x * t.size.y * t.size.z;
  sheet.mass = volume * plan.trunk_density * plan.h * plan.h * plan.h;
  sheet.text = "name = \"" + name + "\"\nabout = \"" + about + "\"\nangles = \"deg\"\n";
  write_trunk(plan, sheet);
  const TrunkLink *front = &plan.trunk[0], *rear = &plan.trunk[0];
  for (const TrunkLink& t : plan.trunk) {
    const auto ahead = [&](const TrunkLink& a) { return plan.upright ? a.middle.z : a.middle.x; };
    if (ahead(t) > ahead(*front)) front = &t;
    if (ahead(t) < ahead(*rear)) rear = &t;
  }
  const double thick = 0.25 * min(front->size.y, plan.upright ? front->size.x : front->size.z);
  const Vec3d half = front->size * 0.5;
  if (plan.neck > 0)
    write_chain("neck", *front, front->middle + (plan.upright ? Vec3d(0, 0, half.z) : Vec3d(half.x, 0, 0)),
                Vec3d(plan.upright ? 0.1 : 0.7, 0, 0.7) * plan.neck_length, plan.neck, thick, true, sheet);
  if (plan.tail > 0)
    write_chain("tail", *rear, rear->middle - Vec3d(0.5 * rear->size.x, 0, 0),
                Vec3d(-0.95, 0, 0.1) * plan.tail_length, plan.tail, thick, false, sheet);
  if (plan.arms > 0)
    for (const int side : {1, -1})
      write_chain(side > 0 ? "larm" : "rarm", *front,
                  front->middle + Vec3d(0, side * (half.y + 0.05), 0.8 * half.z),
                  Vec3d(0.05, side * 0.05, -1) * plan.arms, 2, 0.04, false, sheet);
  for (const LegPlace& p : plan.places)
    LegWriter(plan.styles[std::size_t(p.style)], p, carrier(plan, p.hip), sheet).write();
  return sheet.text;
}

// --- what stands

struct Standing {
  Vec3d com;
  std::vector<Vec3d> soles, feet;
  double clearance = unlimited, uneven = 0;
};

Standing standing(const Creature& c) {
  const std::vector<LinkFrame> at = place(c, c.pose("stand"));
  Standing s;
  for (std::size_t i = 0; i < c.links.size(); ++i)
    s.com += at[i] * c.links[i].com * (c.links[i].mass / c.mass());
  std::vector<bool> foot(c.links.size());
  for (const Leg& leg : c.legs) {
    foot[std::size_t(leg.foot)] = true;
    s.soles.push_back(at[std::size_t(leg.foot)] * leg.sole);
    double lowest = unlimited;
    for (const ContactPoint& p : c.contacts)
      if (p.link == leg.foot) lowest = min(lowest, (at[std::size_t(p.link)] * p.pos).z - p.radius);
    s.uneven = max(s.uneven, lowest < 0 ? -lowest : lowest);
    for (const ContactPoint& p : c.contacts)
      if (const Vec3d point = at[std::size_t(p.link)] * p.pos;
          p.link == leg.foot && point.z - p.radius < lowest + 0.01)
        s.feet.push_back(point);
  }
  for (const ContactPoint& p : c.contacts)
    if (!foot[std::size_t(p.link)])
      s.clearance = min(s.clearance, (at[std::size_t(p.link)] * p.pos).z - p.radius);
  return s;
}

bool stands(const Standing& s, const Plan& plan) {
  if (s.uneven > 0.01 || s.clearance < 0.06) return false;
  for (std::size_t i = 0; i < s.soles.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (norm(s.soles[i] - s.soles[j]) < 0.1) return false;
  const std::string& foot = plan.styles[0].foot;
  if (plan.legs == 2 && foot != "sole" && foot != "toes") return true;
  return support_margin(convex_hull_2d(s.feet), s.com) >= (plan.legs == 2 ? 0.0 : 0.04);
}

std::string about_of(const Plan& plan, std::uint64_t seed, int index) {
  return "sketch " + std::to_string(index) + " of seed " + std::to_string(seed) + ": " +
         std::to_string(plan.legs) + " legs, " +
         (plan.round     ? "round, "
          : plan.upright ? "upright, "
                         : "") +
         (plan.sprawled ? "sprawled, " : "erect, ") + plan.styles[0].foot + " feet, hips " +
         plan.styles[0].hip + (plan.styles[0].share.size() == 1 ? ", two joints a leg" : "");
}

}  // namespace

std::string sketched_text(std::uint64_t seed, int index) {
  Random random(seed ^ 0x5ce7c4edull, std::uint64_t(index));
  const double h = 0.02 * exp(random.uniform() * log(150.0));
  const int legs = draw_legs(random);
  const std::string name = "sketch" + std::to_string(index);
  for (;;) {
    Plan plan = draw_plan(random, 1, legs);
    const std::string about = about_of(plan, seed, index);
    Standing s;
    for (int pass = 0; pass < 3; ++pass) {  // hips of bipeds go under the centre of mass
      s = standing(parse_creature_toml(write_body(plan, name, about), name));
      if (legs != 2) break;
      const double off = s.com.x - 0.5 * (s.soles[0].x + s.soles[1].x);
      for (LegPlace& p : plan.places) p.hip.x += pass < 2 ? off : 0;
    }
    if (!stands(s, plan)) continue;
    plan.h = h;
    return write_body(plan, name, about);
  }
}

Creature sketched_body(std::uint64_t seed, int index) {
  return parse_creature_toml(sketched_text(seed, index), "sketch" + std::to_string(index));
}

}  // namespace legwork
