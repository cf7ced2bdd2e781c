// Assets, geoms, and the mass that geoms give to their body.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/text.h"
#include "base/within.h"
#include "creature/hull.h"
#include "formats/mesh/mesh.h"
#include "formats/mjcf/mjcf_reader.h"
#include "math/dense.h"

namespace legwork::mjcf {

namespace {

const std::vector<std::string> geom_types = {"sphere", "capsule", "ellipsoid", "cylinder", "box",
                                             "mesh",   "plane",   "hfield",    "sdf"};

// Mass properties of unit density from tetrahedra between a point inside and every triangle. MuJoCo's own
// ("legacy") sum counts every volume as positive, about the middle of the surface; that is exact for a mesh
// that can be seen whole from there and too much for any other. `exact` adds signed volumes.
MassProperties sum_tetrahedra(const Mesh& mesh, bool exact) {
  double area = 0;
  Vec3d middle;
  for (const auto& t : mesh.triangles) {
    const Vec3d &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
                &c = mesh.vertices[std::size_t(t[2])];
    const double twice = norm(cross(b - a, c - a));
    area += twice / 2;
    middle += (a + b + c) * (twice / 6);
  }
  middle = middle * (1 / area);

  // once about the middle for the centre of mass, once about that for the inertia
  MassProperties sum;
  const auto volume = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double v = dot(a, cross(b, c)) / 6;
    return exact ? v : std::fabs(v);
  };
  Vec3d moment;
  double first_volume = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[std::size_t(t[0])] - middle, b = mesh.vertices[std::size_t(t[1])] - middle,
                c = mesh.vertices[std::size_t(t[2])] - middle;
    const double v = volume(a, b, c);
    first_volume += v;
    moment += (a + b + c) * (v / 4);
  }
  sum.com = middle + moment * (1 / first_volume);
  Sym3d second;  // integral of x x^T
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[std::size_t(t[0])] - sum.com,
                b = mesh.vertices[std::size_t(t[1])] - sum.com,
                c = mesh.vertices[std::size_t(t[2])] - sum.com;
    const double v = volume(a, b, c);
    sum.mass += v;
    second += (outer(a) + outer(b) + outer(c) + outer(a + b + c)) * (v / 20);
  }
  const double trace = second.xx + second.yy + second.zz;
  sum.inertia = {trace - second.xx, trace - second.yy, trace - second.zz, -second.xy, -second.xz, -second.yz};
  return sum;
}

std::array<double, 3> rgb(const Item& item, std::array<double, 3> color) {
  if (const auto rgba = item.numbers("rgba", 4, 4)) color = {(*rgba)[0], (*rgba)[1], (*rgba)[2]};
  return color;
}

}  // namespace

void Reader::read_assets() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "asset") continue;
    for (const XmlElement& asset : section.children) {
      if (asset.name == "mesh") {
        read_mesh(asset);
      } else if (asset.name == "material") {
        check_element(asset, "material");
        const Item material = item(asset, "main");
        materials_[material.required("name")] = rgb(material, {1, 1, 1});
      } else if (asset.name == "texture" || asset.name == "hfield" || asset.name == "skin") {
        leave_out(asset.name);
      } else {
        asset.fail("is not known in <asset>");
      }
    }
  }
}

namespace {

// 'vertex' and 'face' of a mesh that has no file.
void read_inline(const XmlElement& element, const Item& it, bool has_file, Mesh& mesh) {
  if (const std::string* text = it.find("vertex")) {
    const std::vector<double> x = parse_numbers(element, "'vertex'", *text);
    if (has_file || x.size() < 12 || x.size() % 3)
      element.fail("'vertex' needs x y z of at least 4 vertices, and no file beside it");
    for (std::size_t i = 0; i < x.size(); i += 3) mesh.vertices.push_back({x[i], x[i + 1], x[i + 2]});
  }
  if (const std::string* text = it.find("face")) {
    const std::vector<double> x = parse_numbers(element, "'face'", *text);
    if (x.size() % 3) element.fail("'face' needs three vertices for each face");
    for (std::size_t i = 0; i < x.size(); i += 3) {
      std::array<int, 3> t;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!(x[i + k] >= 0 && x[i + k] < double(mesh.vertices.size())))
          element.fail("'face' has vertex " + to_text(x[i + k]) + " of " +
                       std::to_string(mesh.vertices.size()));
        t[k] = int(x[i + k]);
      }
      mesh.triangles.push_back(t);
    }
  }
  if (mesh.vertices.size() < 4) element.fail("has no vertices", "give a file or 'vertex'");
}

// refpos and refquat are the frame in which the file is written; scale comes after them.
void place_mesh(const XmlElement& element, const Item& it, Mesh& mesh) {
  const Vec3d origin = it.vec3("refpos", {}), scale = it.vec3("scale", {1, 1, 1});
  if (scale.x * scale.y * scale.z == 0) element.fail("scale must not be 0");
  Quatd turn;
  if (const auto q = it.numbers("refquat", 4, 4))
    turn = normalized(Quatd{(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
  const Mat3d R = matrix(turn);
  for (Vec3d& v : mesh.vertices) {
    v = transpose_times(R, v - origin);
    v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
  }
  if (scale.x * scale.y * scale.z < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  if (mesh.triangles.empty()) mesh.triangles = convex_hull(mesh.vertices).triangles;
}

}  // namespace

void Reader::read_mesh(const XmlElement& element) {
  check_element(element, "mesh");
  const Item it = item(element, "main");
  std::string file = it.text("file", "");
  namespace fs = std::filesystem;
  const std::string name = it.text("name", fs::path(file).stem().string());
  if (name.empty()) element.fail("needs a name or a file");

  MeshAsset asset;
  if (!file.empty()) {
    if (settings_.strip_path) file = fs::path(file).filename().string();
    const fs::path path = fs::path(folder_) / settings_.mesh_dir / file;
    try {
      asset.mesh = legwork::read_mesh(path.string());
    } catch (const Error& e) {
      asset.missing = e;
      warn(element,
           std::string("cannot be read, so that geoms which only draw it are left out: ") + e.what());
      meshes_.emplace(name, std::move(asset));
      return;
    }
    asset.mesh.file = file;
  }
  read_inline(element, it, !file.empty(), asset.mesh);
  place_mesh(element, it, asset.mesh);

  const std::string mode = it.choice("inertia", "", {"", "convex", "exact", "legacy", "shell"});
  if (mode == "shell" || mode == "convex")
    element.fail("inertia=\"" + mode + "\" is not supported", "use \"exact\" or give the body an inertial");
  const bool exact = mode.empty() ? settings_.exact_mesh_inertia : mode == "exact";
  asset.solid = sum_tetrahedra(asset.mesh, exact);
  if (!(asset.solid.mass > 1e-15))
    element.fail("encloses no volume", "are its faces turned inside out or open?");
  const auto [moments, axes] = principal(asset.solid.inertia);
  asset.axes = axes;
  const double trace = moments.x + moments.y + moments.z;
  for (int i = 0; i < 3; ++i)
    asset.box[i] = std::sqrt(std::max(0.0, 6 * (trace - 2 * moments[i]) / asset.solid.mass)) / 2;
  asset.volume = exact ? asset.solid.mass : 8 * asset.box.x * asset.box.y * asset.box.z;
  if (!meshes_.emplace(name, std::move(asset)).second)
    element.fail("mesh '" + name + "' is defined twice", "rename one");
}

// Sizes of a primitive: MuJoCo's half lengths -> ours.
Shape Reader::solid_shape(const Item& geom, const std::string& type) const {
  Shape shape;
  const int wanted = type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
  Vec3d size;
  if (const auto given = geom.numbers("size", 1, 3))
    for (std::size_t i = 0; i < given->size(); ++i) size[int(i)] = (*given)[i];

  Frame frame = pose(geom);
  if (const auto ends = geom.numbers("fromto", 6, 6)) {
    if (type == "sphere") geom.fail("fromto makes no sense for a sphere");
    const Vec3d from{(*ends)[0], (*ends)[1], (*ends)[2]}, to{(*ends)[3], (*ends)[4], (*ends)[5]};
    const double length = norm(to - from);
    if (length < 1e-14) geom.fail("fromto has no length");
    frame = {(from + to) * 0.5, turn_z_to(from - to)};
    if (wanted == 3) size.y = size.x;
    size[wanted - 1] = length / 2;
  }
  for (int i = 0; i < wanted; ++i)
    if (!(size[i] > 0))
      geom.fail(
          "size has " + std::string(i == 0 && !geom.has("size") ? "no" : "too few positive") + " numbers",
          "a " + type + " needs " + std::to_string(wanted));
  shape.pos = frame.pos;
  shape.rot = frame.rot;
  if (type == "sphere") shape.type = ShapeType::sphere, shape.size = {size.x, 0, 0};
  if (type == "capsule") shape.type = ShapeType::capsule, shape.size = {size.x, 2 * size.y, 0};
  if (type == "cylinder") shape.type = ShapeType::cylinder, shape.size = {size.x, 2 * size.y, 0};
  if (type == "ellipsoid") shape.type = ShapeType::ellipsoid, shape.size = size;
  if (type == "box") shape.type = ShapeType::box, shape.size = size * 2.0;
  return shape;
}

// A mesh, or a primitive fitted to the box of the mesh's inertia.
Shape Reader::mesh_shape(const Item& geom, const std::string& type, const MeshAsset& asset) const {
  const Frame frame = pose(geom);
  Shape shape;
  if (type == "mesh") {
    shape.type = ShapeType::mesh;
    shape.mesh = asset.mesh;
    for (Vec3d& v : shape.mesh.vertices) v = frame * v;
    return shape;
  }
  const Frame fitted = frame * Frame{asset.solid.com, quaternion(asset.axes)};
  shape.pos = fitted.pos;
  shape.rot = fitted.rot;
  const Vec3d box = asset.box * geom.number("fitscale", 1);
  const double radius = (box.x + box.y) / 2;
  if (type == "sphere") shape.type = ShapeType::sphere, shape.size = {(box.x + box.y + box.z) / 3, 0, 0};
  if (type == "capsule")
    shape.type = ShapeType::capsule, shape.size = {radius, 2 * std::max(0.0, box.z - radius / 2), 0};
  if (type == "cylinder") shape.type = ShapeType::cylinder, shape.size = {radius, 2 * box.z, 0};
  if (type == "ellipsoid") shape.type = ShapeType::ellipsoid, shape.size = box;
  if (type == "box") shape.type = ShapeType::box, shape.size = box * 2.0;
  return shape;
}

const MeshAsset& Reader::mesh_of(const Item& geom) const {
  const std::string name = geom.required("mesh");
  const auto found = meshes_.find(name);
  if (found != meshes_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, unused] : meshes_) names.push_back(known);
  geom.fail("unknown mesh '" + name + "'", did_you_mean(name, names));
}

Reader::Solid Reader::solid_of(const Item& geom, const std::string& type) const {
  Solid solid;
  if (type == "mesh") {
    const MeshAsset& asset = mesh_of(geom);
    const Frame at = pose(geom);
    solid.shape = mesh_shape(geom, type, asset);
    solid.unit = {asset.solid.mass, at * asset.solid.com, rotate(matrix(at.rot), asset.solid.inertia)};
    solid.volume = asset.volume;
    return solid;
  }
  solid.shape = geom.has("mesh") ? mesh_shape(geom, type, mesh_of(geom)) : solid_shape(geom, type);
  solid.shape.density = 1;
  solid.unit = mass_properties(solid.shape);
  solid.volume = solid.unit.mass;
  return solid;
}

bool Reader::leaves_out(const Item& geom, const std::string& type, int link, bool touches) {
  if (link < 0) {
    warn(geom.element(), type == "plane"
                             ? "the ground is the world's, not the creature's; left out, see --terrain"
                             : "scenery is the world's, not the creature's; left out");
    return true;
  }
  if (type == "plane" || type == "hfield" || type == "sdf") {
    warn(geom.element(), "a " + type + " on a moving body has no volume and makes no contact here; left out");
    return true;
  }
  if (settings_.discard_visual && !touches) {
    leave_out("geom without contact (discardvisual)");
    return true;
  }
  std::optional<Error> missing;
  if (type == "mesh" || geom.has("mesh")) missing = mesh_of(geom).missing;
  const bool weighs =
      !has_inertial_[std::size_t(link)] || settings_.inertia_from_geom == InertiaFromGeom::yes;
  if (missing && (touches || weighs)) throw within(geom.element().where(), geom.element().who(), *missing);
  return missing.has_value();
}

void Reader::read_geom(const XmlElement& element, const std::string& inherited, int link,
                       const Frame& frame) {
  check_element(element, "geom");
  const Item geom = item(element, inherited);
  note_solver_attributes(geom);
  const std::string type = geom.choice("type", "sphere", geom_types);
  const int contype = geom.integer("contype").value_or(1),
            conaffinity = geom.integer("conaffinity").value_or(1);
  const bool touches = contype != 0 || conaffinity != 0;
  if (geom.boolean("shellinertia", false))
    geom.fail("shellinertia is not supported", "give the body an inertial of its own");
  if (geom.text("fluidshape", "none") != "none") leave_out("geom fluidshape");

  if (leaves_out(geom, type, link, touches)) return;
  Solid of = solid_of(geom, type);
  Shape& shape = of.shape;
  MassProperties& solid = of.unit;

  const double density = geom.number("density", 1000);
  if (density < 0) geom.fail("density " + to_text(density) + " is negative");
  const double mass = geom.number("mass", density * of.volume);
  if (mass < 0) geom.fail("mass " + to_text(mass) + " is negative");
  solid.inertia = solid.inertia * (mass / solid.mass);
  solid.mass = mass;
  shape.density = mass / of.volume;

  // into the link, where <frame> elements stand between
  const Frame placed = frame * Frame{shape.pos, shape.rot};
  if (shape.type == ShapeType::mesh)
    for (Vec3d& v : shape.mesh.vertices) v = frame * v;
  else
    shape.pos = placed.pos, shape.rot = placed.rot;
  solid.com = frame * solid.com;
  solid.inertia = rotate(matrix(frame.rot), solid.inertia);

  const int group = geom.integer("group").value_or(0);
  shape.massive = group >= settings_.first_group && group <= settings_.last_group && mass > 1e-15;
  shape.touches = touches && settings_.contacts;
  if (const std::string* material = geom.find("material")) {
    const auto found = materials_.find(*material);
    if (found != materials_.end()) shape.color = found->second;
  }
  shape.color = rgb(geom, shape.color);
  if (shape.massive) {
    MassProperties& sum = from_geoms_[std::size_t(link)];
    sum = sum.mass > 0 ? sum + solid : solid;
  }
  Link& owner = creature_.links[std::size_t(link)];
  if (const std::string* name = element.attribute("name"))
    if (!geoms_.emplace(*name, std::make_pair(link, int(owner.shapes.size()))).second)
      element.fail("two geoms of this name", "rename one");
  owner.shapes.push_back(std::move(shape));
}

}  // namespace legwork::mjcf
