// Assets, geoms, and the mass that geoms give to their body.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/text.h"
#include "base/within.h"
#include "creature/hull.h"
#include "formats/mesh/holes.h"
#include "formats/mesh/mesh.h"
#include "formats/mjcf/mjcf_reader.h"
#include "math/dense.h"

namespace legwork::mjcf {

namespace {

const std::vector<std::string> geom_types = {"sphere", "capsule", "ellipsoid", "cylinder", "box",
                                             "mesh",   "plane",   "hfield",    "sdf"};

// The largest share of a body's volume that holes in its meshes may leave open for its weight to count as
// known. The published fruit fly has 8.5 % in segments that are open where the next one begins; a cube
// without one of its twelve triangles would have 9.1 %.
constexpr double most_open = 0.09;
constexpr double no_hole = 1e-5;  // cracks between vertices that were rounded

std::string percent(double share) {
  const double per = share < 0.001 ? 1000 : 10;
  return to_text(std::round(100 * share * per) / per) + " %";
}

void fail_for_holes(const XmlElement& geom, const std::string& which, double share, double most) {
  if (share > most)
    geom.fail(which + " holes that leave " + percent(share) +
                  " of the volume open, so that mass and inertia are not known",
              "close them, let the hull or the surface weigh (inertia=\"convex\", inertia=\"shell\"), or "
              "give the body an "
              "inertial");
}

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

// The same of a thin shell: unit mass on every unit of area.
MassProperties sum_triangles(const Mesh& mesh) {
  MassProperties sum;
  Vec3d moment;
  const auto area = [&](const std::array<int, 3>& t) {
    const Vec3d &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
                &c = mesh.vertices[std::size_t(t[2])];
    return norm(cross(b - a, c - a)) / 2;
  };
  for (const auto& t : mesh.triangles) {
    const double A = area(t);
    sum.mass += A;
    for (const int i : t) moment += mesh.vertices[std::size_t(i)] * (A / 3);
  }
  sum.com = moment * (1 / sum.mass);
  Sym3d second;
  for (const auto& t : mesh.triangles) {
    const double A = area(t);
    const Vec3d a = mesh.vertices[std::size_t(t[0])] - sum.com,
                b = mesh.vertices[std::size_t(t[1])] - sum.com,
                c = mesh.vertices[std::size_t(t[2])] - sum.com;
    second += (outer(a) + outer(b) + outer(c) + outer(a + b + c)) * (A / 12);
  }
  const double trace = second.xx + second.yy + second.zz;
  sum.inertia = {trace - second.xx, trace - second.yy, trace - second.zz, -second.xy, -second.xz, -second.yz};
  return sum;
}

Mesh convex_hull_of(const Mesh& mesh) {
  Mesh hull;
  hull.vertices = mesh.vertices;
  hull.triangles = convex_hull(mesh.vertices).triangles;
  return hull;
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
      } else if (asset.name == "model") {
        asset.fail("is not supported", "let MuJoCo write the model out in full (mj_saveLastXML)");
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
  if (mesh.vertices.empty()) element.fail("has no vertices", "give a file or 'vertex'");
  if (mesh.vertices.size() < 4)
    element.fail("has " + std::to_string(mesh.vertices.size()) + " vertices; a solid needs at least 4");
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
    fs::path path = fs::path(folder_) / settings_.mesh_dir / file;
    std::error_code failed;  // a name that no file can have is told by the reader
    // an included file may speak of what is beside it
    if (const fs::path beside = fs::path(*element.file).parent_path() / settings_.mesh_dir / file;
        !exists(path, failed) && exists(beside, failed))
      path = beside;
    try {
      asset.mesh = legwork::read_mesh(path.string());
    } catch (const Error& e) {
      asset.missing = e;
      if (unread_++ == 0)
        warn(element,
             std::string("cannot be read; geoms which only draw such meshes are left out: ") + e.what());
      meshes_.emplace(name, std::move(asset));
      return;
    }
    asset.mesh.file = file;
  }
  read_inline(element, it, !file.empty(), asset.mesh);
  // MuJoCo keeps vertices as floats
  for (Vec3d& v : asset.mesh.vertices) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
  place_mesh(element, it, asset.mesh);

  const std::string mode = it.choice("inertia", "", {"", "convex", "exact", "legacy", "shell"});
  const bool exact = mode.empty() ? settings_.exact_mesh_inertia : mode != "legacy";
  if (mode == "shell")
    asset.solid = sum_triangles(asset.mesh);
  else if (mode == "convex")
    asset.solid = sum_tetrahedra(convex_hull_of(asset.mesh), true);
  else
    asset.solid = sum_tetrahedra(asset.mesh, exact);
  asset.by_faces = mode != "shell" && mode != "convex";
  asset.oriented = exact;
  if (!(asset.solid.mass > 1e-15)) {
    // it is drawn and touched all the same; it only weighs nothing that can be known
    asset.unweighed = true;
    asset.solid = {1, {}, Sym3d::diagonal(1, 1, 1)};
  }
  const auto [moments, axes] = principal(asset.solid.inertia);
  asset.axes = axes;
  const double trace = moments.x + moments.y + moments.z;
  for (int i = 0; i < 3; ++i)
    asset.box[i] = std::sqrt(std::max(0.0, 6 * (trace - 2 * moments[i]) / asset.solid.mass)) / 2;
  asset.volume = asset.solid.mass;
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

// Whether the body's mass comes from this geom, among others.
bool Reader::weighs(const Item& geom, int link) const {
  const int group = geom.integer("group").value_or(0);
  return (!has_inertial_[std::size_t(link)] || settings_.inertia_from_geom == InertiaFromGeom::yes) &&
         settings_.inertia_from_geom != InertiaFromGeom::no && geom.number("mass", 1) != 0 &&
         geom.number("density", 1) != 0 && group >= settings_.first_group && group <= settings_.last_group;
}

bool Reader::leaves_out(const Item& geom, const std::string& type, int link, bool touches) {
  const std::string* name = geom.element().attribute("name");
  if (link < 0) {
    if (name) scenery_.insert(*name);
    if (type == "plane")
      warn(geom.element(), "the ground is the world's, not the creature's; left out, see --terrain");
    else
      leave_out("scenery, which is the world's: geom " + type);
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
  if (missing && weighs(geom, link)) throw within(geom.element().where(), geom.element().who(), *missing);
  if (missing && touches && type == "mesh") {
    Link& owner = creature_.links[std::size_t(link)];
    missing_.push_back({link, int(owner.shapes.size()), geom.element(), *missing});
    Shape shape;
    shape.massive = false;
    shape.touches = settings_.contacts;
    shape.kind = geom.integer("contype").value_or(1), shape.meets = geom.integer("conaffinity").value_or(1);
    shape.color = rgb(geom, shape.color);
    if (name) geoms_.emplace(*name, std::make_pair(link, int(owner.shapes.size())));
    owner.shapes.push_back(std::move(shape));
  } else if (missing && touches) {
    throw within(geom.element().where(), geom.element().who(), *missing);
  }
  if (missing && name && !geoms_.count(*name)) scenery_.insert(*name);
  return missing.has_value();
}

// What the file implies of a shape that cannot be read: the box that has its body's mass and inertia.
void Reader::finish_missing_shapes() {
  for (const MissingShape& m : missing_) {
    const Link& link = creature_.links[std::size_t(m.link)];
    const auto [moments, axes] = principal(link.inertia);
    const double trace = moments.x + moments.y + moments.z;
    Vec3d box;
    for (int i = 0; i < 3; ++i)
      box[i] = link.mass > 0 ? std::sqrt(std::max(0.0, 6 * (trace - 2 * moments[i]) / link.mass)) : 0;
    if (!(box.x > 0 && box.y > 0 && box.z > 0)) throw within(m.element.where(), m.element.who(), m.why);
    Shape& shape = creature_.links[std::size_t(m.link)].shapes[std::size_t(m.shape)];
    shape.type = ShapeType::box;
    shape.pos = link.com;
    shape.rot = quaternion(axes);
    shape.size = box;
    if (&m == &missing_.front())
      warn(m.element, std::string("touches as the box of its body's inertia: ") + m.why.what());
  }
  if (missing_.size() > 1)
    creature_.warnings.push_back(*root_.file + ": " + std::to_string(missing_.size()) +
                                 " geoms in all touch as such boxes; the first is named above");
}

// What a geom's mesh weighs has to be known: a mesh that weighs by faces of its own is kept for check_holes,
// `placed` in its body.
void Reader::check_weight(const Item& geom, const std::string& type, int link, const Mesh& placed) {
  const MeshAsset& asset = mesh_of(geom);
  const bool heavy = weighs(geom, link);
  if (asset.unweighed && (heavy || type != "mesh"))  // a primitive takes its size from there, too
    geom.fail("its mesh encloses no volume, so that its mass and inertia are not known",
              "are its faces turned inside out? Give the body an inertial");
  if (!heavy || !asset.by_faces) return;
  if (asset.oriented) {
    fail_for_holes(geom.element(), "its mesh has", open_share(asset.mesh, true), no_hole);
    return;
  }
  if (type != "mesh") {
    fail_for_holes(geom.element(), "its mesh has", open_share(asset.mesh, false), most_open);
    return;
  }
  HeavyMesh& sum = heavy_meshes_[link];
  sum.elements.push_back(&geom.element());
  const int first = int(sum.mesh.vertices.size());
  sum.mesh.vertices.insert(sum.mesh.vertices.end(), placed.vertices.begin(), placed.vertices.end());
  for (const auto& [a, b, c] : placed.triangles)
    sum.mesh.triangles.push_back({a + first, b + first, c + first});
}

// Meshes of one body close each other where their rims meet, as the upper and the lower shell of an insect's
// segment.
void Reader::check_holes() {
  int open = 0;
  double widest = 0;
  for (const auto& [link, heavy] : heavy_meshes_) {
    const double share = open_share(heavy.mesh, false);
    fail_for_holes(*heavy.elements[0],
                   heavy.elements.size() == 1 ? "its mesh has" : "the meshes of its body have", share,
                   most_open);
    if (share > no_hole) ++open, widest = std::max(widest, share);
  }
  heavy_meshes_.clear();
  if (open > 0)
    creature_.warnings.push_back(*root_.file + ": bodies whose meshes have holes (" + std::to_string(open) +
                                 ") weigh as MuJoCo has it; up to " + percent(widest) +
                                 " of their volume is open");
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
  if (geom.text("fluidshape", "none") != "none") {
    if (settings_.fluid_density > 0 || settings_.viscosity > 0)
      geom.fail("fluidshape is not supported in a fluid",
                "remove it: the box of the body's inertia feels the drag then");
    leave_out("geom fluidshape");
  }

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
  if (geom.has("mesh")) check_weight(geom, type, link, shape.mesh);

  const int group = geom.integer("group").value_or(0);
  shape.massive = group >= settings_.first_group && group <= settings_.last_group && mass > 1e-15;
  shape.touches = touches && settings_.contacts;
  if (touches) shape.kind = contype, shape.meets = conaffinity;
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
