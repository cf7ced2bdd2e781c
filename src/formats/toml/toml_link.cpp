#include "formats/toml/toml_link.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/complete.h"
#include "formats/toml/creature_keys.h"
#include "formats/toml/toml_joint.h"
#include "formats/toml/toml_shape.h"
#include "math/real.h"

namespace legwork {

namespace {

// Lengths this close to 1 are unit already: dividing again would only move the last bit, and a file that
// Legwork wrote must read back the same.
constexpr double rounding = 1e-14;

Quatd to_quaternion(const TomlTable& t, const TomlNode& node, const std::string& what) {
  const auto q = t.to_numbers(node, what);
  if (q.size() != 4) t.fail(node, what + " must be 4 numbers [w, x, y, z], not " + describe(node));
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(square > 1e-12) || !std::isfinite(square))
    t.fail(node, what + " has no direction", "no rotation is [1, 0, 0, 0]");
  const Quatd quat{q[0], q[1], q[2], q[3]};
  return std::abs(square - 1) < rounding ? quat : normalized(quat);
}

Quatd about(int axis, double angle) {
  double s, c;
  sin_cos(angle / 2, s, c);
  return {c, axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

std::string joint_who(const TomlNode& node, const std::string& link) {
  const TomlNode* name = node.kind == TomlKind::table ? node.find("name") : nullptr;
  return "joint '" + (name && name->kind == TomlKind::text ? name->text : link) + "'";
}

bool names_a_kind(const TomlNode& node) {
  const std::vector<TomlKey>& kinds = creature_keys("joint").kinds;
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const TomlKey& kind) { return node.find(kind.name) != nullptr; });
}

// The joint of the base that a table without a kind means: the one of its name, or the only one.
Joint& joint_of_base(const TomlTable& t, Link& link) {
  const TomlNode* name = t.node().find("name");
  for (Joint& joint : link.joints)
    if (name && name->text == joint.name) return joint;
  if (link.joints.size() != 1)
    t.fail("link '" + link.name + "' of the base has " + std::to_string(link.joints.size()) + " joints",
           "'name' must say which one is meant");
  return link.joints[0];
}

void read_joints(TomlTable& t, const TomlUnits& units, bool from_base, Link& link) {
  const std::string key = t.only_one_of({"joint", "joints"});
  if (key.empty()) return;
  const TomlNode& node = *t.find(key);
  if (key == "joints" && node.kind != TomlKind::array)
    t.fail(node, "'joints' must be a list of joints, not " + describe(node));
  std::vector<const TomlNode*> all;
  if (key == "joint")
    all = {&node};
  else
    for (const TomlNode& item : node.items) all.push_back(&item);

  std::vector<Joint> fresh;
  bool changed_only = from_base && !all.empty();
  for (const TomlNode* item : all) {
    TomlTable joint(*item, t.file(), joint_who(*item, link.name), creature_keys("joint"));
    if (from_base && !names_a_kind(*item)) {
      override_joint(joint, units, joint_of_base(joint, link));
      continue;
    }
    changed_only = false;
    const std::string number = all.size() == 1 ? "" : "." + std::to_string(fresh.size() + 1);
    fresh.push_back(read_joint(joint, units, link.name + number));
  }
  if (!changed_only) link.joints = std::move(fresh);
}

void read_shapes(TomlTable& t, const TomlUnits& units, bool from_base, Link& link) {
  Shape start;
  const auto density = t.number("density");
  const auto color = read_color(t);
  const auto touches = t.boolean("touches");
  start.density = density.value_or(start.density);
  start.color = color.value_or(start.color);
  start.touches = touches.value_or(start.touches);

  const std::string key = t.only_one_of({"shape", "shapes"});
  if (!key.empty()) link.shapes.clear();
  constexpr size_t most = 1000;
  if (!key.empty() && t.find(key)->items.size() > most)
    t.fail_at(key, "more than " + std::to_string(most) + " shapes on one link", "make a mesh of them");
  for (const TomlNode* node : key.empty() ? std::vector<const TomlNode*>{} : t.tables(key)) {
    TomlTable shape(*node, t.file(), t.who(), creature_keys("shape"));
    link.shapes.push_back(read_shape(shape, units, start));
  }
  if (!key.empty() || !from_base) return;
  for (Shape& shape : link.shapes) {
    shape.density = density.value_or(shape.density);
    shape.color = color.value_or(shape.color);
    shape.touches = touches.value_or(shape.touches);
  }
}

Sym3d to_inertia(const TomlTable& t, const TomlNode& node) {
  const auto i = t.to_numbers(node, "'inertia'");
  if (i.size() == 3) return Sym3d::diagonal(i[0], i[1], i[2]);
  if (i.size() != 6)
    t.fail(node, "'inertia' must be [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], not " + describe(node));
  return {i[0], i[1], i[2], i[3], i[4], i[5]};
}

void read_mass(TomlTable& t, bool from_base, Link& link) {
  // new shapes or another density: the mass of the base no longer holds
  if (from_base && (t.has("shape") || t.has("shapes") || t.has("density"))) {
    link.mass = -1;
    link.com = {};
    link.com_given = false;
    link.inertia = {};
  }
  if (const auto mass = t.number("mass")) {
    if (*mass < 0) t.fail_at("mass", "mass " + to_text(*mass) + " is negative", "a mass is 0 kg or more");
    // an inertia of the base keeps its form and follows the mass
    if (link.mass > 0) link.inertia = link.inertia * (*mass / link.mass);
    link.mass = *mass;
  }
  if (const auto com = t.vec3("com")) link.com = *com, link.com_given = true;
  if (const TomlNode* inertia = t.find("inertia")) link.inertia = to_inertia(t, *inertia);
  link.odd_inertia = t.boolean("odd_inertia", link.odd_inertia);
  if (link.mass < 0 && (t.has("com") || t.has("inertia")))
    t.fail_at(t.has("inertia") ? "inertia" : "com", "'com' and 'inertia' need 'mass' beside them");
}

}  // namespace

TomlUnits read_units(TomlTable& top) {
  return {top.choice("angles", {"rad", "deg"}) == "deg" ? pi / 180 : 1};
}

Quatd to_rotation(const TomlTable& t, const TomlNode& node, const TomlUnits& units, const std::string& what) {
  if (node.kind == TomlKind::array && node.items.size() == 4) return to_quaternion(t, node, what);
  if (node.kind != TomlKind::array || node.items.size() != 3)
    t.fail(node,
           what + " must be 3 angles about x, y, z or a quaternion [w, x, y, z], not " + describe(node));
  const Vec3d a = t.to_vec3(node, what) * units.angle;
  Quatd q = about(0, a.x);
  if (a.y != 0) q = about(1, a.y) * q;
  if (a.z != 0) q = about(2, a.z) * q;
  return q;
}

Vec3d to_direction(const TomlTable& t, const TomlNode& node) {
  if (node.kind == TomlKind::text) {
    const std::string& s = node.text;
    const std::string letter = s.starts_with("-") || s.starts_with("+") ? s.substr(1) : s;
    if (letter != "x" && letter != "y" && letter != "z")
      t.fail(node, "axis must be [x, y, z] or a letter such as \"y\" or \"-y\", not \"" + s + "\"");
    Vec3d d;
    d[letter[0] - 'x'] = s[0] == '-' ? -1 : 1;
    return d;
  }
  const Vec3d a = t.to_vec3(node, "axis");
  const double largest = std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
  if (!(largest > 1e-9))
    t.fail(node, "axis [" + to_text(a.x) + ", " + to_text(a.y) + ", " + to_text(a.z) + "] has no direction",
           "did you mean [0, 1, 0]?");
  if (std::abs(dot(a, a) - 1) < rounding) return a;
  return normalized(a * (1 / largest));
}

void read_place(TomlTable& t, const TomlUnits& units, Vec3d& pos, Quatd& rot) {
  if (const auto p = t.vec3("pos")) pos = *p;
  const std::string key = t.only_one_of({"rot", "quat"});
  if (key == "rot") rot = to_rotation(t, *t.find("rot"), units, "'rot'");
  if (key == "quat") rot = to_quaternion(t, *t.find("quat"), "'quat'");
}

void read_place(TomlTable& t, std::string_view key, const TomlUnits& units, Vec3d& pos, Quatd& rot) {
  const TomlNode* node = t.find(key);
  if (!node) return;
  if (node->kind == TomlKind::array) {
    pos = t.to_vec3(*node, "'" + std::string(key) + "'");
    return;
  }
  auto place = t.table(key, creature_keys("place"));
  read_place(*place, units, pos, rot);
  place->finish();
}

std::optional<Vec3d> read_gravity(TomlTable& top) {
  const TomlNode* node = top.find("gravity");
  if (!node) return {};
  if (node->is_number()) return Vec3d{0, 0, -top.to_number(*node, "'gravity'")};
  return top.to_vec3(*node, "'gravity'");
}

void read_link(TomlTable& t, const TomlUnits& units, bool from_base, Link& link) {
  read_place(t, "at", units, link.pos, link.rot);
  read_joints(t, units, from_base, link);
  read_shapes(t, units, from_base, link);
  read_mass(t, from_base, link);
  name_joints(link);
}

}  // namespace legwork
