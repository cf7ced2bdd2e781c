#pragma once
// The parts of the MJCF reader; mjcf.h is what others use.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <legwork/creature.h>
#include "creature/shape.h"
#include "formats/xml.h"

namespace legwork::mjcf {

enum class InertiaFromGeom { no, yes, automatic };

// <compiler> and <option>.
struct Settings {
  bool degrees = true;
  bool global = false;  // places and directions are those of the reference pose in the world
  std::string euler_sequence = "xyz";
  std::optional<bool> autolimits;
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::automatic;
  int first_group = 0, last_group = 5;  // groups of geoms that count for inertia
  bool exact_mesh_inertia = false, balance_inertia = false, discard_visual = false, strip_path = false;
  double total_mass = -1, least_mass = 0, least_inertia = 0;
  std::string mesh_dir;
  Vec3d gravity{0, 0, -9.81}, wind;
  double fluid_density = 0, viscosity = 0;
  // <flag>
  bool limits = true, equalities = true, contacts = true, friction_loss = true, actuation = true,
       springs = true, dampers = true;

  double angle(double x) const;  // in the file's unit -> rad
};

using AttributeMap = std::map<std::string, std::string, std::less<>>;

// A default class: attributes by element name. All actuators share the name "actuator".
using DefaultClass = std::map<std::string, AttributeMap, std::less<>>;

// An element together with what its default class says.
class Item {
 public:
  Item(const XmlElement& element, const AttributeMap* defaults) : element_(&element), defaults_(defaults) {}
  // All attributes are in the map; the element only says where.
  static Item merged(const XmlElement& element, const AttributeMap& attributes) {
    Item item(element, &attributes);
    item.merged_ = true;
    return item;
  }

  const XmlElement& element() const { return *element_; }
  const AttributeMap* defaults() const { return defaults_; }
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    element_->fail(problem, advice);
  }

  const std::string* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string text(std::string_view name, const std::string& fallback) const;
  std::string required(std::string_view name) const;
  bool boolean(std::string_view name, bool fallback) const;
  // One of these words.
  std::string choice(std::string_view name, const std::string& fallback,
                     const std::vector<std::string>& choices) const;
  std::optional<double> number(std::string_view name) const;
  double number(std::string_view name, double fallback) const { return number(name).value_or(fallback); }
  std::optional<int> integer(std::string_view name) const;
  // Between least and most numbers.
  std::optional<std::vector<double>> numbers(std::string_view name, int least, int most) const;
  std::optional<Vec3d> vec3(std::string_view name) const;
  Vec3d vec3(std::string_view name, const Vec3d& fallback) const { return vec3(name).value_or(fallback); }

 private:
  const XmlElement* element_;
  const AttributeMap* defaults_;
  bool merged_ = false;
};

struct MeshAsset {
  Mesh mesh;                     // refpos, refquat and scale applied
  MassProperties solid;          // at density 1
  double volume = 0;             // what MuJoCo multiplies a density with
  Vec3d box;                     // half edges of the box of equal inertia, along the principal axes
  Mat3d axes;                    // principal axes (columns), inertia descending
  std::optional<Error> missing;  // why its file could not be read; none: it could
  bool by_faces = true;          // it weighs what lies inside its own faces, not its hull or its surface
  bool oriented = false;         // ... as they are turned
  bool unweighed = false;        // it encloses no volume
};

// The attributes of an actuator of any kind as those of <general>, on top of its defaults.
AttributeMap actuator_attributes(const XmlElement& element, AttributeMap attributes);

struct Frame {
  Vec3d pos;
  Quatd rot;
};
Frame operator*(const Frame& a, const Frame& b);
Frame inverse(const Frame& a);
Vec3d operator*(const Frame& a, const Vec3d& point);

struct Site {
  int link;
  Vec3d pos;
  Quatd rot{};
};

struct Limits {
  bool on = false;
  double lower = 0, upper = 0;
};

struct JointPlace {
  int link, joint;  // joint within the link
  int dof;          // first degree of freedom in v
};

std::vector<std::string> names_of(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : map) names.push_back(name);
  return names;
}

// Everything known while a file is read.
class Reader {
 public:
  explicit Reader(XmlElement root);
  Creature read();

 private:
  // A <body>, <worldbody> or <frame> still to be read.
  struct Pending {
    const XmlElement* element;
    std::string inherited;  // default class of what is inside
    int parent;             // link, -1 = world
    Frame frame;            // frame of the element's parent in the link `parent`
  };

  // mjcf.cpp
  void check_sections();
  void read_medium();
  void read_bodies();
  void read_container(const Pending& here, std::vector<Pending>& inside);
  int add_link(const XmlElement& body, int parent, const Frame& frame);
  void read_inertial(const XmlElement& element, int link, const Frame& frame);
  void read_site(const XmlElement& element, const std::string& inherited, int link, const Frame& frame);
  void finish_masses();
  void finish_mass(int link);
  void finish_missing_shapes();
  void finish_timed_springs();
  void name_everything();
  void finish_warnings();

  // The name that an element gives to a thing, else nothing until finish_names: then `made`, with _ at its
  // end while another of the things has that name.
  std::string name_of(const Item& item, std::size_t index, const std::string& made) {
    const std::string given = item.text("name", "");
    if (given.empty()) unnamed_.emplace_back(index, made);
    return given;
  }
  void finish_names(auto& things) {
    std::set<std::string> taken;
    for (const auto& thing : things) taken.insert(thing.name);
    for (const auto& [index, made] : unnamed_) {
      std::string& name = things[index].name = made;
      while (!taken.insert(name).second) name += "_";
    }
    unnamed_.clear();
  }

  // mjcf_defaults.cpp
  void read_settings();
  void read_option(const XmlElement& option);
  void read_defaults();
  void read_default(const XmlElement& element, const std::string& parent, bool top);
  // class: the element's own, else that of its body, else the main one.
  Item item(const XmlElement& element, const std::string& inherited, std::string_view kind = {}) const;
  void check_element(const XmlElement& element, std::string_view schema_key) const;
  // One warning for all elements of a kind.
  void leave_out(const std::string& kind) { ++left_out_[kind]; }
  void warn(const XmlElement& element, const std::string& what);
  void note_solver_attributes(const Item& item);
  Quatd orientation(const Item& item) const;
  Frame pose(const Item& item) const;
  static Quatd turn_z_to(const Vec3d& direction);  // the shortest turn of the z axis into a direction

  // mjcf_geoms.cpp
  void read_assets();
  void read_mesh(const XmlElement& element);
  void read_geom(const XmlElement& element, const std::string& inherited, int link, const Frame& frame);
  // A geom's shape, its mass properties at unit density, and the volume that MuJoCo assumes for it.
  struct Solid {
    Shape shape;
    MassProperties unit;
    double volume = 0;
  };
  Solid solid_of(const Item& geom, const std::string& type) const;
  const MeshAsset& mesh_of(const Item& geom) const;
  // Whether a geom is none of the body's, or cannot be had and need not be; with its warning.
  bool leaves_out(const Item& geom, const std::string& type, int link, bool touches);
  bool weighs(const Item& geom, int link) const;
  void check_weight(const Item& geom, const std::string& type, int link, const Mesh& placed);
  void check_holes();
  Shape solid_shape(const Item& geom, const std::string& type) const;
  Shape mesh_shape(const Item& geom, const std::string& type, const MeshAsset& asset) const;

  // mjcf_joints.cpp
  void read_joint(const XmlElement& element, const std::string& inherited, int link, const Frame& frame);
  void read_range(const Item& item, Joint& joint) const;
  void read_equalities();
  void read_loop(const XmlElement& element, const Item& it);
  void read_site_loop(const XmlElement& element, Loop& loop);
  const Site& site_of(const XmlElement& element, const std::string& name) const;
  void read_keyframes();
  void read_contacts();
  void read_pair(const XmlElement& element);
  // Link of the body that an attribute names; -1 = the world, also where an optional one is missing.
  int body_of(const XmlElement& element, const char* attribute, bool optional) const;
  const JointPlace& joint_of(const XmlElement& element, const std::string& name) const;

  // mjcf_tendons.cpp
  void read_tendons();
  void read_tendon(const XmlElement& element);
  void read_fixed_tendon(const XmlElement& element, Tendon& tendon);
  void read_spatial_tendon(const XmlElement& element, Tendon& tendon) const;
  void read_joint_equality(const XmlElement& element, const Item& it);
  void read_tendon_equality(const XmlElement& element, const Item& it);
  double tendon_length(const Tendon& tendon, bool at_rest = false) const;
  int first_dof(const Tendon& tendon) const;

  // mjcf_actuators.cpp
  void read_actuators();
  void read_actuator(const XmlElement& element);
  void read_rotor(const Item& it);
  double larger_side(const XmlElement& element, const std::string& what, const Limits& limits);
  std::optional<double> force_bound(const Item& it);
  bool find_transmission(const XmlElement& element, const Item& it, Actuator& actuator, std::string& why);
  Limits control_range(const Item& it, const Actuator& actuator) const;
  void finish_damping_ratios();
  void bound_joint_forces();
  void read_sensors();

  // Stiffness and damping that follow from the inertia in the reference pose (springdamper).
  struct TimedSpring {
    JointPlace place;
    double time_constant, damping_ratio;
  };

  XmlElement root_;
  std::string folder_;
  Creature creature_;
  Settings settings_;
  std::map<std::string, DefaultClass, std::less<>> classes_;
  std::map<std::string, MeshAsset, std::less<>> meshes_;
  std::map<std::string, std::array<double, 3>, std::less<>> materials_;
  std::map<std::string, int, std::less<>> bodies_;
  std::map<std::string, JointPlace, std::less<>> joints_;
  std::map<std::string, Site, std::less<>> sites_;
  std::map<std::string, std::pair<int, int>, std::less<>> geoms_;  // link, shape
  std::vector<Frame> in_world_;                                    // each link in the reference pose
  std::vector<char> has_inertial_;
  int nv_ = 0;  // degrees of freedom of the joints read so far
  std::vector<MassProperties> from_geoms_;
  std::vector<TimedSpring> timed_springs_;
  std::map<std::string, int, std::less<>> tendons_;
  std::vector<double> spring_refs_;                     // nv
  std::vector<std::pair<int, double>> damping_ratios_;  // actuator, ratio
  std::map<int, double> joint_forces_;                  // by degree of freedom: actuatorfrcrange
  std::map<int, double> tendon_forces_;                 // by tendon, likewise
  std::set<std::string, std::less<>> scenery_;          // names of the world's geoms, and of those left out
  std::vector<std::pair<std::size_t, std::string>> unnamed_;  // of the section that is being read
  int pairs_ = 0;
  int unread_ = 0;  // meshes
  // Geoms that touch by a mesh that cannot be read: the box of their body's inertia stands for them.
  struct MissingShape {
    int link, shape;  // shape: its place among the link's
    XmlElement element;
    Error why;
  };
  std::vector<MissingShape> missing_;
  // Meshes that weigh by their faces, by link and in its frame.
  struct HeavyMesh {
    Mesh mesh;
    std::vector<const XmlElement*> elements;
  };
  std::map<int, HeavyMesh> heavy_meshes_;
  std::map<std::string, int> left_out_;
  std::map<std::string, int> noted_;
};

}  // namespace legwork::mjcf
