#include "formats/mjcf/mjcf.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "base/within.h"
#include "creature/complete.h"
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/mjcf/mjcf_reader.h"
#include "formats/urdf/urdf.h"
#include "math/dense.h"

namespace legwork {

namespace mjcf {

namespace {

// The folder of the main file: MuJoCo seeks meshes there, and included files first, from whatever file names
// them.
std::string folder_of(const std::string& file) { return std::filesystem::path(file).parent_path().string(); }

// Puts the content of included files in the place of every <include>. A file may be included once, as in
// MuJoCo, so that no file can include itself. A file that is not beside the main one is sought beside the one
// that includes it.
void expand_includes(XmlElement& element, const std::string& folder, std::set<std::string>& seen) {
  std::vector<XmlElement> expanded;
  for (XmlElement& child : element.children) {
    if (child.name != "include") {
      expand_includes(child, folder, seen);
      expanded.push_back(std::move(child));
      continue;
    }
    check_attributes(child, "file prefix");
    const std::string* name = child.attribute("file");
    if (!name) child.fail("attribute 'file' is missing");
    std::filesystem::path path = std::filesystem::path(folder) / *name;
    std::error_code failed;  // a name that no file can have is told by the reader
    if (const auto beside = std::filesystem::path(folder_of(*child.file)) / *name;
        !exists(path, failed) && exists(beside, failed))
      path = beside;
    if (!seen.insert(path.lexically_normal().string()).second)
      child.fail("file '" + *name + "' is included twice", "a file can be included once");
    XmlElement inner;
    try {
      inner = read_xml(path.string());
    } catch (const Error& e) {
      throw within(child.where(), "include", e);
    }
    expand_includes(inner, folder, seen);
    for (XmlElement& grandchild : inner.children) expanded.push_back(std::move(grandchild));
  }
  element.children = std::move(expanded);
}

}  // namespace

Reader::Reader(XmlElement root) : root_(std::move(root)), folder_(folder_of(*root_.file)) {
  if (root_.name != "mujoco")
    root_.fail("an MJCF file starts with <mujoco>, this one with <" + root_.name + ">");
  std::set<std::string> seen{std::filesystem::path(*root_.file).lexically_normal().string()};
  expand_includes(root_, folder_, seen);
  check_element(root_, "mujoco");
}

Creature Reader::read() {
  const std::string* model = root_.attribute("model");
  creature_.name = model ? *model : std::filesystem::path(*root_.file).stem().string();
  creature_.where = root_.where();
  check_sections();
  read_settings();
  creature_.gravity = settings_.gravity;
  read_medium();
  read_defaults();
  read_assets();
  read_bodies();
  check_holes();
  finish_masses();
  finish_missing_shapes();
  read_tendons();
  read_equalities();
  read_contacts();
  creature_.habitat.body_contact = settings_.contacts;
  read_actuators();
  bound_joint_forces();
  read_sensors();
  read_keyframes();
  finish_timed_springs();
  finish_damping_ratios();
  name_everything();
  finish_warnings();
  return std::move(creature_);
}

// MuJoCo's fluid: drag on the boxes of the links' inertia, no buoyancy.
void Reader::read_medium() {
  if (!(settings_.springs || settings_.dampers) || !(settings_.fluid_density > 0 || settings_.viscosity > 0))
    return;
  std::string& water = creature_.habitat.water;
  water = "medium:boxes=true,density=" + to_text(settings_.fluid_density) +
          ",viscosity=" + to_text(settings_.viscosity);
  const char* names[] = {",vx=", ",vy=", ",vz="};
  for (int i = 0; i < 3; ++i)
    if (settings_.wind[i] != 0) water += names[i] + to_text(settings_.wind[i]);
}

void Reader::check_sections() {
  static const std::vector<std::string> known = {"compiler", "option",    "default", "asset",    "worldbody",
                                                 "contact",  "equality",  "tendon",  "actuator", "sensor",
                                                 "keyframe", "statistic", "size",    "visual",   "custom"};
  static const std::set<std::string_view> harmless = {"statistic", "size", "visual", "custom"};
  bool world = false;
  for (const XmlElement& section : root_.children) {
    if (section.name == "extension")
      section.fail("plugins are not supported", "remove it, and what makes use of them");
    if (section.name == "deformable")
      section.fail("soft bodies are not supported", "remove it, or make them of rigid bodies");
    if (std::find(known.begin(), known.end(), section.name) == known.end())
      section.fail("is not known in <mujoco>", did_you_mean(section.name, known));
    if (harmless.count(section.name)) leave_out(section.name);
    world = world || section.name == "worldbody";
  }
  if (!world) root_.fail("has no <worldbody>, so no bodies");
}

// Depth first in the order of the file, as MuJoCo numbers bodies, with a stack of our own.
void Reader::read_bodies() {
  std::vector<Pending> todo;
  for (auto section = root_.children.rbegin(); section != root_.children.rend(); ++section)
    if (section->name == "worldbody") todo.push_back({&*section, "main", -1, {}});
  while (!todo.empty()) {
    const Pending here = std::move(todo.back());
    todo.pop_back();
    std::vector<Pending> inside;
    read_container(here, inside);
    todo.insert(todo.end(), std::make_move_iterator(inside.rbegin()), std::make_move_iterator(inside.rend()));
  }
  if (creature_.links.empty()) root_.fail("has no bodies");
}

// Reads what a body holds and adds the containers inside it, in order. The joints of a body come before its
// children in the file or after them: all the same, so that children wait.
void Reader::read_container(const Pending& here, std::vector<Pending>& inside) {
  const XmlElement& e = *here.element;
  check_element(e, e.name);
  int link = here.parent;
  Frame frame = here.frame;
  if (e.name != "worldbody") frame = frame * pose(Item(e, nullptr));
  if (e.name == "body") {
    link = add_link(e, here.parent, frame);
    frame = settings_.global ? inverse(in_world_[std::size_t(link)]) : Frame{};
  }
  std::string inherited = here.inherited;
  if (const std::string* own = e.attribute("childclass")) {
    inherited = *own;
    if (!classes_.count(inherited)) {
      std::vector<std::string> names;
      for (const auto& [name, unused] : classes_) names.push_back(name);
      e.fail("unknown default class '" + inherited + "'", did_you_mean(inherited, names));
    }
  }
  for (const XmlElement& child : e.children) {
    static const std::vector<std::string> known = {"body", "frame",  "joint", "freejoint", "geom",
                                                   "site", "camera", "light", "inertial"};
    if (child.name == "body" || child.name == "frame") {
      inside.push_back({&child, inherited, link, frame});
    } else if (child.name == "geom") {
      read_geom(child, inherited, link, frame);
    } else if (child.name == "site") {
      read_site(child, inherited, link, frame);
    } else if (child.name == "camera" || child.name == "light") {
      leave_out(child.name);
    } else if (link < 0 && (child.name == "joint" || child.name == "freejoint" || child.name == "inertial")) {
      child.fail("the world itself can have no " + child.name, "put it into a body");
    } else if (child.name == "joint" || child.name == "freejoint") {
      read_joint(child, inherited, link, frame);
    } else if (child.name == "inertial") {
      read_inertial(child, link, frame);
    } else if (child.name == "composite" || child.name == "flexcomp" || child.name == "replicate" ||
               child.name == "attach" || child.name == "plugin") {
      child.fail("is not supported", "let MuJoCo write the model out in full (mj_saveLastXML)");
    } else {
      child.fail("is not known in <" + e.name + ">", did_you_mean(child.name, known));
    }
  }
}

int Reader::add_link(const XmlElement& body, int parent, const Frame& frame) {
  const int index = int(creature_.links.size());
  const Item it(body, nullptr);
  if (it.number("gravcomp", 0) != 0) body.fail("gravcomp is not supported", "set it to 0");
  Link link;
  link.name = it.text("name", "");
  link.parent = parent;
  link.pos = frame.pos;
  link.rot = normalized(frame.rot);
  link.where = body.where();
  if (link.name == "world") body.fail("the name 'world' is the world's", "rename the body");
  if (!link.name.empty() && !bodies_.emplace(link.name, index).second)
    body.fail("two bodies of this name", "rename one");
  if (it.boolean("mocap", false)) warn(body, "a mocap body stands still here");
  in_world_.push_back(parent < 0 ? frame : in_world_[std::size_t(parent)] * frame);
  from_geoms_.emplace_back();
  has_inertial_.push_back(body.child("inertial") != nullptr);
  creature_.links.push_back(std::move(link));
  return index;
}

void Reader::read_inertial(const XmlElement& element, int index, const Frame& frame) {
  check_element(element, "inertial");
  if (creature_.links[std::size_t(index)].mass >= 0) element.fail("the body has an inertial already");
  has_inertial_[std::size_t(index)] = true;
  const Item it(element, nullptr);
  Link& link = creature_.links[std::size_t(index)];
  it.required("mass");
  // nothing asks where a mass is that does not count
  if (!it.has("pos") && settings_.inertia_from_geom == InertiaFromGeom::yes)
    leave_out("inertial without a place, since geoms weigh");
  else
    it.required("pos");
  link.mass = it.number("mass", 0);
  if (link.mass < 0) element.fail("mass " + to_text(link.mass) + " is negative");
  const Frame at = frame * pose(it);
  link.com = at.pos;
  link.com_given = true;
  Sym3d inertia;
  if (const auto full = it.numbers("fullinertia", 6, 6)) {
    for (const char* other : {"diaginertia", "quat", "axisangle", "xyaxes", "zaxis", "euler"})
      if (it.has(other))
        element.fail(std::string("fullinertia and ") + other + " exclude each other", "keep one");
    inertia = {(*full)[0], (*full)[1], (*full)[2], (*full)[3], (*full)[4], (*full)[5]};
  } else {
    const Vec3d diagonal = it.vec3("diaginertia", {});
    inertia = Sym3d::diagonal(diagonal.x, diagonal.y, diagonal.z);
  }
  link.inertia = rotate(matrix(at.rot), inertia);
}

void Reader::read_site(const XmlElement& element, const std::string& inherited, int link,
                       const Frame& frame) {
  check_element(element, "site");
  const Item it = item(element, inherited);
  const std::string* name = element.attribute("name");
  if (!name) return;  // nothing can speak of it
  Vec3d pos = it.vec3("pos", {});
  Quatd rot = orientation(it);
  if (const auto ends = it.numbers("fromto", 6, 6)) {
    const Vec3d from{(*ends)[0], (*ends)[1], (*ends)[2]}, to{(*ends)[3], (*ends)[4], (*ends)[5]};
    pos = (from + to) * 0.5;
    if (norm(to - from) > 1e-14) rot = turn_z_to(from - to);
  }
  if (!sites_.emplace(*name, Site{link, frame * pos, frame.rot * rot}).second)
    element.fail("two sites of this name", "rename one");
  if (link < 0)
    leave_out("site of the world");
  else
    creature_.labels.push_back({*name, link, frame * pos});
}

// inertial, geoms, bounds, balance and total, in MuJoCo's order.
void Reader::finish_masses() {
  for (int i = 0; i < int(creature_.links.size()); ++i) finish_mass(i);
  if (settings_.total_mass <= 0) return;
  const double sum = creature_.mass();
  if (!(sum > 0)) root_.fail("settotalmass cannot scale bodies without mass");
  const double scale = settings_.total_mass / sum;
  for (Link& link : creature_.links) {
    link.mass *= scale;
    link.inertia = link.inertia * scale;
    for (Shape& shape : link.shapes) shape.density *= scale;
  }
}

void Reader::finish_mass(int index) {
  Link& link = creature_.links[std::size_t(index)];
  const bool given = has_inertial_[std::size_t(index)];
  const bool from_geoms = settings_.inertia_from_geom == InertiaFromGeom::yes ||
                          (settings_.inertia_from_geom == InertiaFromGeom::automatic && !given);
  const MassProperties& geoms = from_geoms_[std::size_t(index)];
  if (from_geoms && geoms.mass > 0) {
    link.mass = geoms.mass;
    link.com = geoms.com;
    link.inertia = geoms.inertia;
  } else if (!given) {
    link.mass = 0;
    // where MuJoCo puts a mass that only boundmass makes
    if (settings_.least_mass > 0) link.com = link.pos;
  } else if (link.inertia.xx + link.inertia.yy + link.inertia.zz == 0) {
    // a point mass, whatever its geoms are
    for (Shape& shape : link.shapes) shape.massive = false;
  }
  link.mass = std::max(link.mass, settings_.least_mass);
  if (settings_.least_inertia <= 0 && !settings_.balance_inertia) return;

  auto [moments, axes] = principal(link.inertia);
  const Vec3d before = moments;
  for (int i = 0; i < 3; ++i) moments[i] = std::max(moments[i], settings_.least_inertia);
  if (settings_.balance_inertia && moments.y + moments.z < moments.x) {
    const double mean = (moments.x + moments.y + moments.z) / 3;
    moments = {mean, mean, mean};
  }
  if (!(moments == before)) link.inertia = rotate(axes, Sym3d::diagonal(moments.x, moments.y, moments.z));
}

// stiffness = I / (t r)^2, damping = 2 I / t, where I is the inertia that the joint feels in the reference
// pose with all other joints free: the inverse of the diagonal of M^-1.
void Reader::finish_timed_springs() {
  if (timed_springs_.empty()) return;
  const Model<double> model = make_model(creature_);
  Workspace<double> w(model);
  const std::vector<double> q = creature_.pose("");
  std::vector<double> unit(std::size_t(model.nv)), x(std::size_t(model.nv));
  update_positions(model, q.data(), w);
  update_velocities(model, q.data(), unit.data(), w);
  clear_forces(model, w);
  forward_dynamics(model, unit.data(), w, x.data());
  for (const TimedSpring& s : timed_springs_) {
    const std::size_t i = std::size_t(s.place.dof);
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[i] = 1;
    solve_mass_matrix(model, w, unit.data(), x.data());
    Dof& dof = creature_.links[std::size_t(s.place.link)].joints[std::size_t(s.place.joint)].dofs[0];
    const double both = s.time_constant * s.damping_ratio;
    if (settings_.springs) dof.spring.stiffness = 1 / (x[i] * both * both);
    if (settings_.dampers) dof.damper = 2 / (x[i] * s.time_constant);
  }
}

// Everything that MJCF may leave without a name gets one: links body_N (MuJoCo's number), joints and degrees
// of freedom as complete() would name them.
void Reader::name_everything() {
  std::set<std::string> taken;
  for (const Link& link : creature_.links) taken.insert(link.name);
  for (std::size_t i = 0; i < creature_.links.size(); ++i) {
    Link& link = creature_.links[i];
    if (!link.name.empty()) continue;
    link.name = "body_" + std::to_string(i + 1);
    while (!taken.insert(link.name).second) link.name += "_";
  }
  // a joint may bear the name that another, unnamed one would get from its link
  std::set<std::string> joints;
  for (const auto& [name, unused] : joints_) joints.insert(name);
  for (Link& link : creature_.links) {
    for (std::size_t i = 0; i < link.joints.size(); ++i) {
      std::string& name = link.joints[i].name;
      if (!name.empty()) continue;
      name = link.joints.size() == 1 ? link.name : link.name + "." + std::to_string(i + 1);
      while (!joints.insert(name).second) name += "_";
    }
    name_joints(link);
  }
}

void Reader::finish_warnings() {
  const auto list = [](const std::map<std::string, int>& counts) {
    std::vector<std::string> words;
    for (const auto& [name, n] : counts)
      words.push_back(n == 1 ? name : name + " (" + std::to_string(n) + ")");
    return join(words, ", ");
  };
  const Vec3d& g = creature_.gravity;
  if (!(g == Creature().gravity))
    creature_.warnings.push_back(
        *root_.file + ": gravity " + to_text(g.x) + " " + to_text(g.y) + " " + to_text(g.z) +
        " is not the earth's, which --gravity 9.81 would be" +
        (norm(g) > 100 ? "; lengths count as metres, although they may be centimetres" : ""));
  if (unread_ > 1)
    creature_.warnings.push_back(*root_.file + ": " + std::to_string(unread_) +
                                 " meshes in all cannot be read; the first is named above");
  if (!left_out_.empty())
    creature_.warnings.push_back(*root_.file + ": has no meaning here and was left out: " + list(left_out_));
  if (!noted_.empty())
    creature_.warnings.push_back(*root_.file +
                                 ": parameters of MuJoCo's contact solver were left out: " + list(noted_));
}

}  // namespace mjcf

// Programs that speak both formats, MuJoCo among them, name URDF files .xml too.
Creature parse_mjcf(const std::string& text, const std::string& file) {
  XmlElement root = parse_xml(text, file);
  return root.name == "robot" ? parse_urdf(text, file) : mjcf::Reader(std::move(root)).read();
}

Creature read_mjcf(const std::string& path) { return parse_mjcf(read_file(path, xml_file_limit), path); }

}  // namespace legwork
