#include "formats/toml/toml_joint.h"

#include <cmath>
#include <functional>

#include "base/text.h"
#include "formats/toml/creature_keys.h"

namespace legwork {

namespace {

void refuse_false(TomlTable& t, const std::string& kind) {
  if (!t.boolean(kind).value()) t.fail_at(kind, "'" + kind + "' must be true", "leave it out otherwise");
}

std::vector<Vec3d> read_axes(TomlTable& t, const std::string& kind) {
  const TomlNode& node = *t.find(kind);
  if (node.kind != TomlKind::array || node.items.size() != 2)
    t.fail(node, "'" + kind + "' must be two directions [[x, y, z], [x, y, z]], not " + describe(node));
  return {to_direction(t, node.items[0]), to_direction(t, node.items[1])};
}

// Two directions u, v that span the plane of a normal u x v.
std::vector<Vec3d> plane_of(const Vec3d& normal) {
  static const Vec3d unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    if (normal == unit[i]) return {unit[(i + 1) % 3], unit[(i + 2) % 3]};
    if (normal == -unit[i]) return {unit[(i + 2) % 3], unit[(i + 1) % 3]};
  }
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(normal[i]) < std::abs(normal[least])) least = i;
  const Vec3d u = normalized(cross(unit[least], normal));
  return {u, cross(normal, u)};
}

// "xz", a normal [0, 1, 0], or two directions.
std::vector<Vec3d> read_plane(TomlTable& t) {
  const TomlNode& node = *t.find("planar");
  if (node.kind == TomlKind::text) {
    const std::string& letters = node.text;
    const bool fine = letters.size() == 2 && letters.find_first_not_of("xyz") == std::string::npos &&
                      letters[0] != letters[1];
    if (!fine) t.fail(node, "'planar' must be two letters such as \"xz\", not \"" + letters + "\"");
    std::vector<Vec3d> axes(2);
    axes[0][letters[0] - 'x'] = 1;
    axes[1][letters[1] - 'x'] = 1;
    return axes;
  }
  if (node.kind == TomlKind::array && node.items.size() == 3) return plane_of(to_direction(t, node));
  return read_axes(t, "planar");
}

// rot and pos of a keyframe: three angles and three translations.
std::array<double, 6> read_keyframe(TomlTable t, const TomlUnits& units) {
  const Vec3d rot = t.vec3("rot").value_or(Vec3d()), pos = t.vec3("pos").value_or(Vec3d());
  t.finish();
  return {rot.x * units.angle, rot.y * units.angle, rot.z * units.angle, pos.x, pos.y, pos.z};
}

void read_paths(TomlTable& t, const TomlUnits& units, Joint& joint) {
  for (const TomlNode* node : t.tables("keyframed")) {
    TomlTable path(*node, t.file(), t.who(), creature_keys("path"));
    Keyframes frames;
    Dof dof;
    dof.lower = -1, dof.upper = 1;
    dof.name = path.text("name").value_or("");
    if (!dof.name.empty()) dof.name = joint.name + "." + dof.name;
    auto low = path.table("min", creature_keys("keyframe")),
         high = path.table("max", creature_keys("keyframe"));
    if (!low || !high) path.fail("each path of 'keyframed' needs min = { rot, pos } and max = { rot, pos }");
    frames.min = read_keyframe(*low, units);
    frames.max = read_keyframe(*high, units);
    path.finish();
    joint.paths.push_back(frames);
    joint.dofs.push_back(dof);
  }
  if (joint.paths.empty())
    t.fail_at("keyframed", "'keyframed' holds no path",
              "try [{ min = { rot = [0, 0, -40] }, max = { rot = [0, 0, 40] } }]");
}

void read_kind(TomlTable& t, const std::string& kind, const TomlUnits& units, Joint& joint) {
  if (kind == "hinge" || kind == "slide") {
    joint.type = kind == "hinge" ? JointType::hinge : JointType::slide;
    joint.axes = {to_direction(t, *t.find(kind))};
    joint.dofs.resize(1);
  } else if (kind == "universal") {
    joint.type = JointType::universal;
    joint.axes = read_axes(t, kind);
    joint.dofs.resize(2);
  } else if (kind == "planar") {
    joint.type = JointType::planar;
    joint.axes = read_plane(t);
    joint.dofs.resize(3);
  } else if (kind == "keyframed") {
    joint.type = JointType::keyframed;
    read_paths(t, units, joint);
  } else {
    joint.type = kind == "ball" ? JointType::ball : kind == "free" ? JointType::free : JointType::fixed;
    joint.dofs.resize(kind == "ball" ? 3 : kind == "free" ? 6 : 0);
    refuse_false(t, kind);
  }
}

// One value for all degrees of freedom, or a list with one for each; is_one recognises a single value.
void for_each_dof(TomlTable& t, const char* key, Joint& joint,
                  const std::function<bool(const TomlNode&)>& is_one,
                  const std::function<void(const TomlNode&, int)>& read) {
  const TomlNode* node = t.find(key);
  if (!node) return;
  if (joint.dofs.empty()) t.fail(*node, "a fixed joint has no '" + std::string(key) + "'");
  const int n = int(joint.dofs.size());
  if (is_one(*node)) {
    for (int i = 0; i < n; ++i) read(*node, i);
    return;
  }
  if (node->kind != TomlKind::array || int(node->items.size()) != n)
    t.fail(*node, "'" + std::string(key) + "' must be one value or a list of " + std::to_string(n) +
                      ", not " + describe(*node));
  for (int i = 0; i < n; ++i) read(node->items[i], i);
}

void read_range(TomlTable& t, const TomlUnits& units, Joint& joint) {
  const auto one = [](const TomlNode& n) {
    return n.kind != TomlKind::array || n.items.empty() || n.items[0].kind != TomlKind::array;
  };
  for_each_dof(t, "range", joint, one, [&](const TomlNode& pair, int i) {
    if (pair.kind != TomlKind::array || pair.items.size() != 2)
      t.fail(pair, "'range' must be [lower, upper], not " + describe(pair));
    const double unit = dof_unit(joint, i, units);
    const double lower = t.to_unbounded(pair.items[0], "the lower end of 'range'");
    const double upper = t.to_unbounded(pair.items[1], "the upper end of 'range'");
    if (lower > upper)
      t.fail(pair, "range [" + to_text(lower) + ", " + to_text(upper) + "] is upside down",
             "try [" + to_text(upper) + ", " + to_text(lower) + "]");
    joint.dofs[i].lower = lower * unit;
    joint.dofs[i].upper = upper * unit;
  });
}

Spring read_spring(const TomlTable& t, const TomlNode& node, double unit, Spring spring) {
  if (node.kind != TomlKind::table)
    t.fail(node, "'spring' must be a table such as { stiffness = 2, rest = 0 }, not " + describe(node));
  TomlTable s(node, t.file(), t.who(), creature_keys("spring"));
  const std::string kind = s.only_one_of({"stiffness", "exponential"});
  if (kind == "stiffness") {
    spring.type = SpringType::linear;
    spring.stiffness = *s.number("stiffness");
    spring.sharpness = 0;
  } else if (kind == "exponential") {
    const auto ab = *s.numbers("exponential");
    if (ab.size() != 2) s.fail_at("exponential", "'exponential' must be [strength, sharpness]");
    spring.type = SpringType::exponential;
    spring.stiffness = ab[0], spring.sharpness = ab[1];
  }
  if (const auto rest = s.number("rest")) spring.rest = *rest * unit;
  s.finish();
  if (spring.type == SpringType::none && kind.empty())
    t.fail(node, "the spring has no 'stiffness' and is not 'exponential'");
  return spring;
}

void read_limit(const TomlTable& t, const TomlNode& node, Dof& dof) {
  if (node.kind != TomlKind::table)
    t.fail(node, "'limit' must be a table such as { stiffness = 50, damping = 1 }, not " + describe(node));
  TomlTable l(node, t.file(), t.who(), creature_keys("limit"));
  dof.limit_stiffness = l.number("stiffness", dof.limit_stiffness);
  dof.limit_damping = l.number("damping", dof.limit_damping);
  l.finish();
}

// What every kind of joint may have.
void read_fields(TomlTable& t, const TomlUnits& units, Joint& joint) {
  if (const auto anchor = t.vec3("anchor")) joint.anchor = *anchor;
  if (const auto zero = t.number("q_zero")) {
    if (joint.type != JointType::hinge && joint.type != JointType::slide)
      t.fail_at("q_zero", "only a hinge or a slide has 'q_zero'");
    joint.q_zero = *zero * dof_unit(joint, 0, units);
  }
  if (auto neutral = t.table("neutral", creature_keys("keyframe"))) {
    if (joint.type != JointType::keyframed) t.fail_at("neutral", "only a keyframed joint has 'neutral'");
    joint.neutral = read_keyframe(*neutral, units);
  }
  read_range(t, units, joint);
  const auto is_number = [](const TomlNode& n) { return n.kind != TomlKind::array; };
  for_each_dof(t, "damper", joint, is_number,
               [&](const TomlNode& n, int i) { joint.dofs[i].damper = t.to_number(n, "'damper'"); });
  for_each_dof(t, "armature", joint, is_number,
               [&](const TomlNode& n, int i) { joint.dofs[i].armature = t.to_number(n, "'armature'"); });
  for_each_dof(t, "friction", joint, is_number,
               [&](const TomlNode& n, int i) { joint.dofs[i].friction = t.to_number(n, "'friction'"); });
  for_each_dof(t, "spring", joint, is_number, [&](const TomlNode& n, int i) {
    // false: this degree of freedom has none
    if (n.kind == TomlKind::boolean && !n.boolean)
      joint.dofs[i].spring = {};
    else
      joint.dofs[i].spring = read_spring(t, n, dof_unit(joint, i, units), joint.dofs[i].spring);
  });
  for_each_dof(t, "limit", joint, is_number,
               [&](const TomlNode& n, int i) { read_limit(t, n, joint.dofs[i]); });
  if (const auto names = t.texts("dofs")) {
    if (names->size() != joint.dofs.size())
      t.fail_at("dofs", "'dofs' must name all " + std::to_string(joint.dofs.size()) + " degrees of freedom");
    for (size_t i = 0; i < names->size(); ++i) joint.dofs[i].name = (*names)[i];
  }
}

}  // namespace

double dof_unit(const Joint& joint, int dof, const TomlUnits& units) {
  switch (joint.type) {
    case JointType::hinge:
    case JointType::universal:
    case JointType::ball:
      return units.angle;
    case JointType::planar:
      return dof == 2 ? units.angle : 1;
    case JointType::free:
      return dof >= 3 ? units.angle : 1;
    default:
      return 1;
  }
}

Joint read_joint(TomlTable& t, const TomlUnits& units, const std::string& default_name) {
  Joint joint;
  const std::string kind = t.kind();
  joint.name = t.text("name").value_or(default_name);
  read_kind(t, kind, units, joint);
  read_fields(t, units, joint);
  t.finish();
  return joint;
}

void override_joint(TomlTable& t, const TomlUnits& units, Joint& joint) {
  joint.name = t.text("name").value_or(joint.name);
  read_fields(t, units, joint);
  t.finish();
}

}  // namespace legwork
