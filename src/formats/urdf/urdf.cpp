#include "formats/urdf/urdf.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/text.h"
#include "base/within.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "formats/mesh/mesh.h"
#include "formats/urdf/urdf_inertia.h"
#include "formats/xml.h"
#include "math/dense.h"
#include "math/real.h"

namespace legwork {

namespace {

namespace fs = std::filesystem;

std::string required(const XmlElement& e, const char* name) {
  const std::string* found = e.attribute(name);
  if (!found || found->empty()) e.fail(std::string("attribute '") + name + "' is missing");
  return *found;
}

const XmlElement& required_child(const XmlElement& e, const char* name) {
  const XmlElement* found = e.child(name);
  if (!found) e.fail(std::string("has no <") + name + ">");
  return *found;
}

// Roll, pitch and yaw about fixed x, y and z.
Quatd from_rpy(const Vec3d& a) {
  const Quatd x{cos(a.x / 2), sin(a.x / 2), 0, 0}, y{cos(a.y / 2), 0, sin(a.y / 2), 0},
      z{cos(a.z / 2), 0, 0, sin(a.z / 2)};
  return normalized(z * y * x);
}

class UrdfReader {
 public:
  UrdfReader(XmlElement root, UrdfBase base) : root_(std::move(root)), base_(base) {}

  Creature read() {
    if (root_.name != "robot")
      root_.fail("a URDF file starts with <robot>, this one with <" + root_.name + ">");
    const std::string* name = root_.attribute("name");
    creature_.name = name ? *name : fs::path(*root_.file).stem().string();
    creature_.where = root_.where();
    collect();
    const XmlElement& root = find_root();
    find_weightless(root);
    add_tree(root);
    if (const int joined = join_odd_inertias(creature_.links); joined > 0)
      creature_.warnings.push_back(*root_.file + ": links whose inertia no solid has (" +
                                   std::to_string(joined) +
                                   ") were joined with those that they are fixed to, which moves the same");
    finish_missing_shapes();
    read_mimics();
    if (welded_ > 0)
      creature_.warnings.push_back(*root_.file + ": joints that would move nothing of any weight (" +
                                   std::to_string(welded_) +
                                   ") are fixed; give their links a mass to move them");
    summarise("has no meaning here and was left out", left_out_);
    std::map<std::string, int> mended;
    for (const auto& [what, attributes] : mended_) mended[what] = int(attributes.size());
    summarise("read as Bullet does", mended);
    return std::move(creature_);
  }

 private:
  struct Branch {
    const XmlElement* joint;
    std::string child;
  };

  // One line for all that was counted.
  void summarise(const std::string& what, const std::map<std::string, int>& counts) {
    std::vector<std::string> words;
    for (const auto& [name, n] : counts)
      words.push_back(n == 1 ? name : name + " (" + std::to_string(n) + ")");
    if (!words.empty()) creature_.warnings.push_back(*root_.file + ": " + what + ": " + join(words, ", "));
  }

  std::vector<double> all_numbers(const XmlElement& e, const char* name);
  std::vector<double> numbers(const XmlElement& e, const char* name, std::size_t count);
  double number(const XmlElement& e, const char* name) { return numbers(e, name, 1)[0]; }
  double number(const XmlElement& e, const char* name, double fallback) {
    return e.attribute(name) ? number(e, name) : fallback;
  }
  Vec3d vec3(const XmlElement& e, const char* name, const Vec3d& fallback);
  double mass_of(const XmlElement& link);
  void collect();
  const XmlElement& find_root();
  void find_weightless(const XmlElement& root);
  bool has_mass(const XmlElement& root);
  void add_tree(const XmlElement& root);
  void add_root(const XmlElement& root);
  int add_link(const XmlElement& element, int parent);
  void read_inertial(const XmlElement& element, Link& link);
  void read_shapes(const XmlElement& element, Link& link);
  bool read_geometry(const XmlElement& element, Shape& shape, bool touches);
  std::string mesh_path(const XmlElement& mesh, const std::string& name) const;
  void add_joint(const XmlElement& element, int link);
  void read_limits(const XmlElement& element, const std::string& type, Joint& joint);
  void read_mimics();
  void finish_missing_shapes();

  XmlElement root_;
  UrdfBase base_;
  Creature creature_;
  std::map<std::string, const XmlElement*> links_;
  std::map<std::string, std::vector<Branch>> branches_;  // by parent link
  std::map<std::string, std::string> parent_joint_;      // by child link
  std::set<std::string> weightless_;                     // links that carry no mass, nor does any beyond
  int welded_ = 0;                                       // joints that would move nothing but those
  std::map<std::string, std::array<double, 3>> materials_;
  std::map<std::string, int> left_out_;
  // What Bullet, whose files are many, takes although it is wrong: the attributes of each kind.
  std::map<std::string, std::set<const std::string*>> mended_;
  bool world_root_ = false;  // the root link is the world
  struct Mimic {
    const XmlElement* element;
    std::string joint;
    int dof;
  };
  std::vector<Mimic> mimics_;
  // Shapes that touch by a mesh that cannot be read: the box of their link's inertia stands for them.
  struct MissingShape {
    std::string link;
    int shape;
    const XmlElement* element;
    Error why;
  };
  std::vector<MissingShape> missing_;
  int undrawn_ = 0;  // meshes that are only drawn and cannot be read
  int nv_ = 0;
};

// A number that ends in a second point, as in -1.57., is the number before it.
std::vector<double> UrdfReader::all_numbers(const XmlElement& e, const char* name) {
  const std::string text = required(e, name);
  std::istringstream words(text);
  std::string kept;
  for (std::string word; words >> word; kept += word + " ")
    if (std::count(word.begin(), word.end(), '.') == 2 && word.back() == '.') {
      word.pop_back();
      mended_["numbers without a second point at their end"].insert(e.attribute(name));
    }
  return parse_numbers(e, std::string("'") + name + "'", kept);
}

std::vector<double> UrdfReader::numbers(const XmlElement& e, const char* name, std::size_t count) {
  std::vector<double> x = all_numbers(e, name);
  if (x.size() != count)
    e.fail("'" + std::string(name) + "' has " + std::to_string(x.size()) +
               (x.size() == 1 ? " number" : " numbers"),
           std::to_string(count) + (count == 1 ? " is" : " are") + " needed");
  return x;
}

// Of too many numbers the first three.
Vec3d UrdfReader::vec3(const XmlElement& e, const char* name, const Vec3d& fallback) {
  if (!e.attribute(name)) return fallback;
  std::vector<double> x = all_numbers(e, name);
  if (x.size() > 3) mended_["vectors by their first three numbers"].insert(e.attribute(name));
  if (x.size() < 3) x = numbers(e, name, 3);
  return {x[0], x[1], x[2]};
}

void UrdfReader::collect() {
  for (const XmlElement& e : root_.children) {
    if (e.name == "link") {
      const std::string name = required(e, "name");
      if (!links_.emplace(name, &e).second) e.fail("two links of this name", "rename one");
    } else if (e.name == "material") {
      if (const XmlElement* color = e.child("color")) {
        const std::vector<double> c = numbers(*color, "rgba", 4);
        materials_[required(e, "name")] = {c[0], c[1], c[2]};
      }
    } else if (e.name.rfind("xacro:", 0) == 0 && e.name != "xacro:property" && e.name != "xacro:arg") {
      e.fail("is xacro, of which URDF is made", "run xacro on the file and give what that writes");
    } else if (e.name != "joint") {
      ++left_out_[e.name];
    }
  }
  if (links_.empty()) root_.fail("has no links");
  std::map<std::string, const XmlElement*> names;
  std::vector<std::string> known;
  for (const auto& [name, unused] : links_) known.push_back(name);
  for (const XmlElement& e : root_.children) {
    if (e.name != "joint") continue;
    if (!names.emplace(required(e, "name"), &e).second) e.fail("two joints of this name", "rename one");
    const std::string parent = required(required_child(e, "parent"), "link");
    const std::string child = required(required_child(e, "child"), "link");
    for (const std::string& name : {parent, child})
      if (!links_.count(name)) e.fail("unknown link '" + name + "'", did_you_mean(name, known));
    const auto [other, fresh] = parent_joint_.emplace(child, required(e, "name"));
    if (!fresh)
      e.fail("link '" + child + "' hangs on joint '" + other->second + "' already",
             "a tree has one parent each");
    branches_[parent].push_back({&e, child});
  }
}

const XmlElement& UrdfReader::find_root() {
  const XmlElement* found = nullptr;
  for (const XmlElement& e : root_.children) {
    if (e.name != "link" || parent_joint_.count(*e.attribute("name"))) continue;
    if (found)
      e.fail("is a second root beside link '" + *found->attribute("name") + "'",
             "join them, by a fixed joint perhaps");
    found = &e;
  }
  if (!found) root_.fail("has no root link: the joints run in a circle");
  return *found;
}

double UrdfReader::mass_of(const XmlElement& link) {
  const XmlElement* inertial = link.child("inertial");
  return inertial ? number(required_child(*inertial, "mass"), "value") : 0;
}

// Every link after its parent; a link counts as weightless until it or one beyond it weighs something.
void UrdfReader::find_weightless(const XmlElement& root) {
  std::vector<const XmlElement*> order{&root};
  std::map<std::string, std::string> parent;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string name = *order[i]->attribute("name");
    weightless_.insert(name);
    for (const Branch& b : branches_[name]) parent[b.child] = name, order.push_back(links_.at(b.child));
  }
  for (auto link = order.rbegin(); link != order.rend(); ++link) {
    const std::string name = *(*link)->attribute("name");
    if (mass_of(**link) == 0 && weightless_.count(name)) continue;
    weightless_.erase(name);
    if (parent.count(name)) weightless_.erase(parent[name]);
  }
}

// The root link and what is fixed to it.
bool UrdfReader::has_mass(const XmlElement& root) {
  std::vector<const XmlElement*> todo{&root};
  while (!todo.empty()) {
    const XmlElement& e = *todo.back();
    todo.pop_back();
    if (mass_of(e) > 0) return true;
    const auto found = branches_.find(*e.attribute("name"));
    if (found == branches_.end()) continue;
    for (const Branch& b : found->second)
      if (required(*b.joint, "type") == "fixed") todo.push_back(links_.at(b.child));
  }
  return false;
}

void UrdfReader::add_root(const XmlElement& root) {
  const int index = add_link(root, -1);
  Link& link = creature_.links[std::size_t(index)];
  world_root_ = link.name == "world";
  const bool free =
      base_ == UrdfBase::free || (base_ == UrdfBase::automatic && !world_root_ && has_mass(root));
  // what never moves needs no inertia
  if (!free && link.mass == 0 && norm(Vec3d{link.inertia.xx, link.inertia.yy, link.inertia.zz}) > 0)
    link.inertia = {}, ++left_out_["inertia of a root that stands still"];
  if (!free) return;
  Joint joint;
  joint.name = link.name;
  joint.type = JointType::free;
  joint.dofs.resize(6);
  nv_ += 6;
  link.joints.push_back(std::move(joint));
  name_joints(link);
}

// Depth first with a stack of our own; collect() made sure that every link has one parent, so that this ends.
void UrdfReader::add_tree(const XmlElement& root) {
  add_root(root);
  struct Pending {
    const Branch* branch;
    int parent;
  };
  std::vector<Pending> todo;
  const auto push = [&](const std::string& name, int index) {
    const auto found = branches_.find(name);
    if (found == branches_.end()) return;
    for (auto b = found->second.rbegin(); b != found->second.rend(); ++b) todo.push_back({&*b, index});
  };
  push(*root.attribute("name"), 0);
  while (!todo.empty()) {
    const Pending next = todo.back();
    todo.pop_back();
    const int index = add_link(*links_.at(next.branch->child), next.parent);
    add_joint(*next.branch->joint, index);
    push(next.branch->child, index);
  }
  if (creature_.links.size() != links_.size())
    for (const XmlElement& e : root_.children)
      if (e.name == "link" && creature_.link(*e.attribute("name")) < 0)
        e.fail("is not joined to the root: the joints run in a circle");
}

int UrdfReader::add_link(const XmlElement& element, int parent) {
  Link link;
  link.name = *element.attribute("name");
  link.parent = parent;
  link.where = element.where();
  link.mass = 0;
  for (const XmlElement& child : element.children)
    if (child.name == "inertial")
      read_inertial(child, link);
    else if (child.name != "visual" && child.name != "collision")
      ++left_out_["link " + child.name];
  read_shapes(element, link);
  creature_.links.push_back(std::move(link));
  return int(creature_.links.size()) - 1;
}

void UrdfReader::read_inertial(const XmlElement& element, Link& link) {
  const auto fail = [&](const std::string& problem, const std::string& advice = {}) {
    throw Error(element.where(), "link '" + link.name + "'", problem, advice);
  };
  Quatd rot;
  if (const XmlElement* origin = element.child("origin")) {
    link.com = vec3(*origin, "xyz", {});
    link.com_given = true;
    rot = from_rpy(vec3(*origin, "rpy", {}));
  }
  link.mass = number(required_child(element, "mass"), "value");
  if (link.mass < 0) fail("mass " + to_text(link.mass) + " is negative");
  if (const XmlElement* i = element.child("inertia"))
    link.inertia =
        rotate(matrix(rot), Sym3d{number(*i, "ixx"), number(*i, "iyy"), number(*i, "izz"),
                                  number(*i, "ixy", 0), number(*i, "ixz", 0), number(*i, "iyz", 0)});
  else
    fail("inertial has no <inertia>");
}

void UrdfReader::read_shapes(const XmlElement& element, Link& link) {
  const bool collision = element.child("collision") != nullptr;
  for (const XmlElement& child : element.children) {
    if (child.name == "visual" && collision) ++left_out_["visual beside collision"];
    if (child.name != (collision ? "collision" : "visual")) continue;
    Shape shape;
    if (const XmlElement* origin = child.child("origin")) {
      shape.pos = vec3(*origin, "xyz", {});
      shape.rot = from_rpy(vec3(*origin, "rpy", {}));
    }
    shape.touches = collision;
    shape.massive = false;
    const std::size_t missing = missing_.size();
    if (!read_geometry(required_child(child, "geometry"), shape, collision)) continue;
    if (missing_.size() > missing)
      missing_.back().link = link.name, missing_.back().shape = int(link.shapes.size());
    if (const XmlElement* material = child.child("material")) {
      if (const XmlElement* color = material->child("color")) {
        const std::vector<double> c = numbers(*color, "rgba", 4);
        shape.color = {c[0], c[1], c[2]};
      } else if (const std::string* name = material->attribute("name")) {
        const auto found = materials_.find(*name);
        if (found != materials_.end()) shape.color = found->second;
      }
    }
    link.shapes.push_back(std::move(shape));
  }
}

// False for a mesh that is only drawn and cannot be read.
bool UrdfReader::read_geometry(const XmlElement& element, Shape& shape, bool touches) {
  if (element.children.size() != 1) element.fail("needs exactly one of box, cylinder, sphere, capsule, mesh");
  const XmlElement& g = element.children[0];
  if (g.name == "box") {
    shape.type = ShapeType::box;
    shape.size = vec3(g, "size", {});
    if (!(shape.size.x > 0 && shape.size.y > 0 && shape.size.z > 0))
      g.fail("size must be three positive lengths");
  } else if (g.name == "cylinder" || g.name == "capsule") {
    shape.type = g.name == "cylinder" ? ShapeType::cylinder : ShapeType::capsule;
    shape.size = {number(g, "radius"), number(g, "length"), 0};
    if (!(shape.size.x > 0 && shape.size.y > 0)) g.fail("radius and length must be positive");
  } else if (g.name == "sphere") {
    shape.type = ShapeType::sphere;
    shape.size = {number(g, "radius"), 0, 0};
    if (!(shape.size.x > 0)) g.fail("radius must be positive");
  } else if (g.name == "mesh") {
    shape.type = ShapeType::mesh;
    const std::string name = required(g, "filename");
    const Vec3d scale = vec3(g, "scale", {1, 1, 1});
    if (scale.x * scale.y * scale.z == 0) g.fail("scale must not be 0");
    try {
      shape.mesh = read_mesh(mesh_path(g, name));
    } catch (const Error& e) {
      if (touches) {
        missing_.push_back({{}, 0, &g, e});
        return true;
      }
      if (undrawn_++ == 0)
        creature_.warnings.push_back(to_string(g.where()) +
                                     ": mesh is only drawn and was left out: " + e.what());
      return false;
    }
    shape.mesh.file = name;
    const Mat3d R = matrix(shape.rot);
    for (Vec3d& v : shape.mesh.vertices)
      v = shape.pos + R * Vec3d{v.x * scale.x, v.y * scale.y, v.z * scale.z};
    if (scale.x * scale.y * scale.z < 0)
      for (auto& t : shape.mesh.triangles) std::swap(t[1], t[2]);
    shape.pos = {};
    shape.rot = {};
  } else {
    g.fail("is no geometry", "one of: box, cylinder, sphere, capsule, mesh");
  }
  return true;
}

std::string UrdfReader::mesh_path(const XmlElement& mesh, const std::string& name) const {
  std::error_code ignored;
  const fs::path folder = fs::absolute(*root_.file, ignored).parent_path();
  if (name.rfind("file://", 0) == 0) return name.substr(7);
  const std::string scheme = "package://";
  if (name.rfind(scheme, 0) != 0) return (folder / name).string();
  const std::string full = name.substr(scheme.size());
  const std::size_t slash = full.find('/');
  if (slash == std::string::npos) mesh.fail("'" + name + "' names a package but no file");
  for (fs::path up = folder;; up = up.parent_path()) {
    for (const std::string& tail : {full, full.substr(slash + 1)})
      if (fs::exists(up / tail, ignored)) return (up / tail).string();
    if (up == up.parent_path()) break;
  }
  throw Error("'" + name + "' is nowhere beside or above the file", "put the package there");
}

void UrdfReader::add_joint(const XmlElement& element, int index) {
  static const std::vector<std::string> types = {"revolute", "continuous", "prismatic", "fixed",
                                                 "floating", "planar",     "spherical"};
  const std::string type = required(element, "type");
  if (std::find(types.begin(), types.end(), type) == types.end())
    element.fail("unknown type '" + type + "'", did_you_mean(type, types));
  Link& link = creature_.links[std::size_t(index)];
  if (const XmlElement* origin = element.child("origin")) {
    link.pos = vec3(*origin, "xyz", {});
    link.rot = from_rpy(vec3(*origin, "rpy", {}));
  }
  if (type == "fixed") return;
  if (weightless_.count(link.name)) {
    ++welded_;
    return;
  }
  Joint joint;
  joint.name = *element.attribute("name");
  Vec3d axis{1, 0, 0};
  if (const XmlElement* e = element.child("axis")) axis = vec3(*e, "xyz", axis);
  if (type != "floating" && type != "spherical") {
    if (norm(axis) < 1e-14) element.fail("axis [0, 0, 0] has no direction", "try [1, 0, 0]");
    axis = normalized(axis);
  }
  if (type == "floating") {
    if (!(link.parent == 0 && world_root_))
      element.fail("a floating joint must hang on a root link named 'world'");
    joint.type = JointType::free;
    link.parent = -1;
  } else if (type == "spherical") {
    joint.type = JointType::ball;  // Bullet's own
  } else if (type == "planar") {
    joint.type = JointType::planar;
    const Vec3d side = std::fabs(axis.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d y = normalized(cross(axis, side));
    joint.axes = {cross(y, axis), y};  // x, y, axis are right-handed
  } else {
    joint.type = type == "prismatic" ? JointType::slide : JointType::hinge;
    joint.axes = {axis};
  }
  joint.dofs.resize(std::size_t(nv(joint)));
  if (const XmlElement* dynamics = element.child("dynamics")) {
    const double damping = number(*dynamics, "damping", 0), friction = number(*dynamics, "friction", 0);
    if (damping < 0) element.fail("damping is negative");
    if (friction < 0) element.fail("friction is negative");
    for (Dof& dof : joint.dofs) dof.damper = damping, dof.friction = friction;
  }
  const XmlElement* mimic = element.child("mimic");
  if (mimic && joint.dofs.size() != 1)
    element.fail("a " + type + " joint cannot mimic another", "remove <mimic>");
  if (mimic) mimics_.push_back({mimic, joint.name, nv_});
  read_limits(element, type, joint);
  for (const XmlElement& child : element.children)
    if (child.name == "safety_controller" || child.name == "calibration") ++left_out_["joint " + child.name];
  nv_ += int(joint.dofs.size());
  link.joints.push_back(std::move(joint));
  name_joints(link);
}

// q = multiplier q' + offset, where q' is the joint that is mimicked.
void UrdfReader::read_mimics() {
  std::vector<std::string> names;
  for (const auto& [child, joint] : parent_joint_) names.push_back(joint);
  for (const Mimic& m : mimics_) {
    const std::string other = required(*m.element, "joint");
    const auto fail = [&](const std::string& problem, const std::string& advice) {
      throw Error(m.element->where(), "joint '" + m.joint + "'", problem, advice);
    };
    if (std::find(names.begin(), names.end(), other) == names.end())
      fail("mimics joint '" + other + "', which does not exist", did_you_mean(other, names));
    if (other == m.joint) fail("mimics itself", "name another joint");
    int dof = -1, at = 0;
    for (const Link& link : creature_.links)
      for (const Joint& joint : link.joints) {
        if (joint.name == other && joint.dofs.size() != 1)
          fail("mimics joint '" + other + "', which has no single position", "name a hinge or a slide");
        if (joint.name == other) dof = at;
        at += int(joint.dofs.size());
      }
    const double multiplier = number(*m.element, "multiplier", 1), offset = number(*m.element, "offset", 0);
    Coupling c;
    c.name = m.joint;
    c.where = m.element->where();
    c.terms = {{m.dof, 1}};
    if (dof >= 0) c.drivers = {{dof, 1}};
    // a fixed joint stands at 0
    c.polynomial = {offset, dof >= 0 ? multiplier : 0, 0, 0, 0};
    creature_.couplings.push_back(std::move(c));
  }
}

void UrdfReader::finish_missing_shapes() {
  for (const MissingShape& m : missing_) {
    Link& link = creature_.links[std::size_t(creature_.link(m.link))];
    if (!become_box_of_inertia(link, link.shapes[std::size_t(m.shape)]))
      throw within(m.element->where(), "mesh", m.why);
    if (&m == &missing_.front())
      creature_.warnings.push_back(to_string(m.element->where()) + ": mesh of link '" + m.link +
                                   "' touches as the box of the link's inertia: " + m.why.what());
  }
  const auto in_all = [&](std::size_t n, const char* what) {
    if (n > 1)
      creature_.warnings.push_back(*root_.file + ": " + std::to_string(n) + " meshes in all " + what +
                                   "; the first is named above");
  };
  in_all(std::size_t(undrawn_), "are only drawn and were left out");
  in_all(missing_.size(), "touch as boxes");
}

void UrdfReader::read_limits(const XmlElement& element, const std::string& type, Joint& joint) {
  const XmlElement* limit = element.child("limit");
  if (!limit) {
    if (type == "revolute" || type == "prismatic")
      element.fail("has no <limit>",
                   "a " + type + " joint needs one" + (type == "revolute" ? " (or make it continuous)" : ""));
    return;
  }
  if (type == "revolute" || type == "prismatic") {
    const double lower = number(*limit, "lower", 0), upper = number(*limit, "upper", 0);
    // no room to move stands for no limit, as MuJoCo reads it; so do limits upside down, as Bullet does
    if (lower < upper)
      joint.dofs[0].lower = lower, joint.dofs[0].upper = upper;
    else if (lower > upper)
      mended_["limits upside down as none"].insert(limit->attribute("lower"));
    else
      ++left_out_["limit without room"];
  }
  if (limit->attribute("velocity")) ++left_out_["limit velocity"];
  const double effort = number(*limit, "effort", 0);
  // what mimics another joint has no motor of its own
  if (!(effort > 0) || joint.dofs.size() != 1 || element.child("mimic")) return;
  Actuator motor;
  motor.name = joint.name;
  motor.type = ActuatorType::motor;
  motor.dof = nv_;
  motor.lower = -effort;
  motor.upper = effort;
  motor.strength = effort;
  creature_.actuators.push_back(std::move(motor));
}

}  // namespace

Creature parse_urdf(const std::string& text, const std::string& file, UrdfBase base) {
  return UrdfReader(parse_xml(text, file), base).read();
}

Creature read_urdf(const std::string& path, UrdfBase base) { return UrdfReader(read_xml(path), base).read(); }

}  // namespace legwork
