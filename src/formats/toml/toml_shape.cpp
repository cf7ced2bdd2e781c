#include "formats/toml/toml_shape.h"

#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/text.h"
#include "creature/loft.h"
#include "formats/base64.h"
#include "formats/mesh/mesh.h"
#include "formats/toml/creature_keys.h"
#include "math/real.h"

namespace legwork {

namespace {

template <class Element>
std::vector<Element> decode_as(const TomlTable& t, const TomlNode* node, const std::string& what) {
  if (!node) t.fail("a mesh inside the file needs " + what);
  const std::optional<std::string> bytes = from_base64(t.to_text(*node, what));
  if (!bytes) t.fail(*node, what + " is not base64");
  if (bytes->size() % sizeof(Element) != 0) t.fail(*node, what + " ends in the middle of an entry");
  std::vector<Element> out(bytes->size() / sizeof(Element));
  std::memcpy(out.data(), bytes->data(), bytes->size());
  return out;
}

// { file, vertices, triangles }: a mesh carried inside.
Mesh read_inline_mesh(TomlTable t) {
  Mesh mesh;
  mesh.file = t.text("file").value_or("");
  for (const auto& v : decode_as<std::array<double, 3>>(t, t.find("vertices"), "'vertices'")) {
    if (!std::isfinite(v[0]) || !std::isfinite(v[1]) || !std::isfinite(v[2]))
      t.fail_at("vertices", "'vertices' holds a number that is not finite");
    mesh.vertices.push_back({v[0], v[1], v[2]});
  }
  mesh.triangles = decode_as<std::array<int, 3>>(t, t.find("triangles"), "'triangles'");
  for (const auto& triangle : mesh.triangles)
    for (const int i : triangle)
      if (i < 0 || i >= int(mesh.vertices.size()))
        t.fail_at("triangles", "'triangles' names vertex " + std::to_string(i) + " of " +
                                   std::to_string(mesh.vertices.size()));
  t.finish();
  return mesh;
}

Vec3d read_mesh_scale(TomlTable& t) {
  const TomlNode* node = t.find("scale");
  if (!node) return {1, 1, 1};
  Vec3d scale;
  if (node->is_number()) {
    const double s = t.to_number(*node, "'scale'");
    scale = {s, s, s};
  } else {
    scale = t.to_vec3(*node, "'scale'");
  }
  if (!(scale.x > 0 && scale.y > 0 && scale.z > 0)) t.fail(*node, "'scale' must be above 0");
  return scale;
}

Mesh read_mesh_key(TomlTable& t) {
  const TomlNode& node = *t.find("mesh");
  if (node.kind == TomlKind::table)
    return read_inline_mesh(TomlTable(node, t.file(), t.who(), creature_keys("mesh")));
  const std::string name = t.to_text(node, "'mesh'");
  const std::filesystem::path path = std::filesystem::path(t.file()).parent_path() / name;
  Mesh mesh;
  try {
    mesh = read_mesh(path.string());
  } catch (const Error& error) {
    t.fail(node, error);
  }
  mesh.file = name;
  const Vec3d scale = read_mesh_scale(t);
  for (Vec3d& v : mesh.vertices) v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
  return mesh;
}

// [[x, y, z, radius], [x, y, z, across, along], ...]: sections of a surface.
Mesh read_loft(TomlTable& t) {
  const TomlNode& node = *t.find("loft");
  if (node.kind != TomlKind::array || node.items.size() < 2 || node.items.size() > 100)
    t.fail(node, "'loft' must be a list of 2 to 100 sections [x, y, z, radius] or [x, y, z, across, along]");
  std::vector<Section> sections;
  for (const TomlNode& item : node.items) {
    const std::string what = "section " + std::to_string(sections.size() + 1) + " of 'loft'";
    const std::vector<double> s = t.to_numbers(item, what);
    if (s.size() != 4 && s.size() != 5)
      t.fail(item, what + " must be [x, y, z, radius] or [x, y, z, across, along], not " + describe(item));
    const Section section{{s[0], s[1], s[2]}, s[3], s.back()};
    const bool end = sections.empty() || sections.size() + 1 == node.items.size();
    const bool solid = section.across > 0 && section.along > 0;
    if (!solid && !(end && section.across == 0 && section.along == 0))
      t.fail(item, what + " must have half axes above 0" + (end ? ", or both 0 for a pointed end" : ""),
             end ? "" : "only the ends may be points");
    if (!sections.empty() && !(norm(section.center - sections.back().center) > 0))
      t.fail(item, what + " has the same centre as the one before");
    sections.push_back(section);
  }
  if (sections.size() == 2 && sections[0].across == 0 && sections[1].across == 0)
    t.fail(node, "'loft' has two points and nothing between them", "add a section");
  return loft(sections);
}

// The shortest turn that takes z into a direction.
Quatd from_z_to(const Vec3d& d) {
  if (d.z <= -1 + 1e-15) return {0, 1, 0, 0};
  return normalized(Quatd{1 + d.z, -d.y, d.x, 0});  // 1 + z.d, z x d
}

// A row of sizes, all above zero.
std::vector<double> read_sizes(TomlTable& t, const std::string& kind) {
  const TomlNode& node = *t.find(kind);
  std::vector<double> sizes = node.kind == TomlKind::array
                                  ? t.to_numbers(node, "'" + kind + "'")
                                  : std::vector<double>{t.to_number(node, "'" + kind + "'")};
  for (const double s : sizes)
    if (!(s > 0)) t.fail(node, "every size of '" + kind + "' must be above 0, not " + to_text(s));
  return sizes;
}

struct SizeRule {
  const char* kind;
  ShapeType type;
  size_t whole;         // how many sizes; `whole - 1` of them with two ends given
  const char* grammar;  // for messages
};
constexpr SizeRule rules[] = {
    {"box", ShapeType::box, 3, "[x, y, z]"},
    {"sphere", ShapeType::sphere, 1, "a radius"},
    {"capsule", ShapeType::capsule, 2, "[radius, length]"},
    {"cylinder", ShapeType::cylinder, 2, "[radius, length]"},
    {"ellipsoid", ShapeType::ellipsoid, 3, "three half axes [x, y, z]"},
};

// Between two ends: the shape's z runs from one to the other. A capsule's ends are the centres of its caps.
void read_ends(TomlTable& t, const SizeRule& rule, const std::vector<double>& sizes, Shape& shape) {
  if (rule.type == ShapeType::sphere) t.fail("a sphere has no ends", "give its centre as 'pos'");
  for (const char* key : {"pos", "rot", "quat", "along"})
    if (t.has(key)) t.fail_at(key, "both 'to' and '" + std::string(key) + "'", "the two ends say it all");
  if (sizes.size() != rule.whole - 1)
    t.fail_at(rule.kind,
              "'" + std::string(rule.kind) + "' between two ends must be " +
                  (rule.whole == 2 ? "a radius" : "two sizes [x, y]"),
              "its length comes from the ends");
  const Vec3d from = t.vec3("from").value_or(Vec3d()), to = *t.vec3("to");
  const double length = norm(to - from);
  if (!(length > 0)) t.fail_at("to", "'from' and 'to' are the same point");
  shape.pos = (from + to) * 0.5;
  shape.rot = from_z_to((to - from) * (1 / length));
  if (rule.whole == 2)
    shape.size = {sizes[0], length, 0};
  else
    shape.size = {sizes[0], sizes[1], rule.type == ShapeType::ellipsoid ? length / 2 : length};
}

void read_solid(TomlTable& t, const SizeRule& rule, const TomlUnits& units, Shape& shape) {
  shape.type = rule.type;
  const std::vector<double> sizes = read_sizes(t, rule.kind);
  if (t.has("to")) return read_ends(t, rule, sizes, shape);
  if (t.has("from")) t.fail_at("from", "'from' needs 'to'");
  if (sizes.size() != rule.whole)
    t.fail_at(rule.kind, "'" + std::string(rule.kind) + "' must be " + rule.grammar + ", not " +
                             describe(*t.find(rule.kind)));
  shape.size = {sizes[0], sizes.size() > 1 ? sizes[1] : 0, sizes.size() > 2 ? sizes[2] : 0};
  read_place(t, units, shape.pos, shape.rot);
  if (const auto along = t.choice("along", {"x", "y", "z"})) {
    if (t.has("rot") || t.has("quat")) t.fail_at("along", "both 'along' and a rotation", "keep one of them");
    shape.rot = from_z_to(*along == "x" ? Vec3d{1, 0, 0} : *along == "y" ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
  }
}

}  // namespace

std::optional<std::array<double, 3>> read_color(TomlTable& t) {
  const TomlNode* node = t.find("color");
  if (!node) return {};
  std::array<double, 3> color{};
  if (node->kind == TomlKind::text) {
    const std::string& s = node->text;
    if (s.size() != 7 || s[0] != '#' || s.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
      t.fail(*node, "'color' must be [r, g, b] from 0 to 1 or \"#rrggbb\", not " + describe(*node));
    for (int i = 0; i < 3; ++i) color[i] = std::stoi(s.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    return color;
  }
  const Vec3d rgb = t.to_vec3(*node, "'color'");
  for (int i = 0; i < 3; ++i) {
    if (!(rgb[i] >= 0 && rgb[i] <= 1)) t.fail(*node, "'color' must be [r, g, b] from 0 to 1");
    color[i] = rgb[i];
  }
  return color;
}

Shape read_shape(TomlTable& t, const TomlUnits& units, const Shape& start) {
  Shape shape = start;
  const std::string kind = t.kind();
  shape.density = t.number("density", shape.density);
  shape.color = read_color(t).value_or(shape.color);
  shape.massive = t.boolean("massive", shape.massive);
  shape.touches = t.boolean("touches", shape.touches);
  shape.wet = t.boolean("wet", shape.wet);
  const auto bits = [&](const char* key, int& value) {
    const double x = t.number(key, value);
    if (!(x >= -2147483648.0 && x <= 2147483647.0) || x != double(int(x)))
      t.fail_at(key, "'" + std::string(key) + "' must be a whole number of 32 bits");
    value = int(x);
  };
  bits("kind", shape.kind), bits("meets", shape.meets);
  if (kind == "mesh" || kind == "loft") {
    shape.type = ShapeType::mesh;
    shape.mesh = kind == "mesh" ? read_mesh_key(t) : read_loft(t);
    shape.mesh.convex = t.boolean("convex", true);
    read_place(t, units, shape.pos, shape.rot);
  }
  for (const SizeRule& rule : rules)
    if (kind == rule.kind) read_solid(t, rule, units, shape);
  t.finish();
  return shape;
}

}  // namespace legwork
