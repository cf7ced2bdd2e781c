// Compiler settings, options, default classes, and attributes with their defaults.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "formats/mjcf/mjcf_reader.h"
#include "math/real.h"

namespace legwork::mjcf {

namespace {

// Attributes of each element in MuJoCo 2.2.2, and those of later versions that we understand or that are
// harmless. "section/element" where one name has several meanings.
#define ORIENTATION " quat axisangle xyaxes zaxis euler"
#define SOLVER_JOINT " solreflimit solimplimit solreffriction solimpfriction margin"
#define TRANSMISSION                                                                                         \
  " name class group lengthrange gear cranklength user joint jointinparent tendon slidersite cranksite site" \
  " refsite ctrllimited forcelimited ctrlrange forcerange armature damping"
#define TENDON                                                                                  \
  " name class group limited range actuatorfrclimited actuatorfrcrange solreflimit solimplimit" \
  " solreffriction solimpfriction frictionloss springlength stiffness damping armature margin user"
const std::map<std::string_view, std::string_view>& schema() {
  static const std::map<std::string_view, std::string_view> table = {
      {"mujoco", "model"},
      {"compiler",
       "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb "
       "eulerseq meshdir texturedir assetdir discardvisual convexhull usethread fusestatic inertiafromgeom "
       "inertiagrouprange exactmeshinertia alignfree saveinertial"},
      {"option",
       "timestep apirate impratio tolerance ls_tolerance noslip_tolerance mpr_tolerance ccd_tolerance "
       "gravity "
       "wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator collision cone "
       "jacobian solver iterations ls_iterations noslip_iterations mpr_iterations ccd_iterations "
       "sdf_iterations "
       "sdf_initpoints actuatorgroupdisable sleep_tolerance"},
      {"flag",
       "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart "
       "filterparent "
       "actuation refsafe sensor override energy fwdinv sensornoise multiccd midphase eulerdamp invdiscrete "
       "autoreset nativeccd island sleep diagexact"},
      {"default", "class"},
      {"joint",
       "name class type group pos axis springdamper limited stiffness range ref springref armature damping "
       "frictionloss user actuatorfrclimited actuatorfrcrange actuatorgravcomp" SOLVER_JOINT},
      {"freejoint", "name group align"},
      {"geom",
       "name class type pos contype conaffinity condim group priority size material friction mass density "
       "shellinertia solmix solref solimp margin gap fromto hfield mesh fitscale rgba fluidshape fluidcoef "
       "user" ORIENTATION},
      {"site", "name class type group pos material size fromto rgba user" ORIENTATION},
      {"inertial", "pos mass diaginertia fullinertia" ORIENTATION},
      {"body", "name childclass pos mocap gravcomp sleep simple user" ORIENTATION},
      {"worldbody", "name childclass"},
      {"frame", "name childclass pos" ORIENTATION},
      {"mesh",
       "name class file content_type vertex normal texcoord face refpos refquat scale smoothnormal "
       "maxhullvert inertia"},
      {"material",
       "name class texture texrepeat texuniform emission specular shininess reflectance metallic "
       "roughness rgba"},
      {"connect", "name class body1 body2 site1 site2 anchor active solref solimp"},
      {"weld", "name class body1 body2 site1 site2 relpose anchor active solref solimp torquescale"},
      {"equality", "active solref solimp"},
      {"equality/joint", "name class joint1 joint2 polycoef active solref solimp"},
      {"equality/tendon", "name class tendon1 tendon2 polycoef active solref solimp"},
      {"fixed/joint", "joint coef"},
      {"spatial/site", "site"},
      {"pulley", "divisor"},
      {"fixed", "" TENDON},
      {"spatial", "width material rgba" TENDON},
      {"tendon", "width material rgba" TENDON},
      {"exclude", "name body1 body2"},
      {"pair", "name class geom1 geom2 condim friction solref solreffriction solimp gap margin"},
      {"key", "name time qpos qvel act mpos mquat ctrl"},
      {"general",
       "actlimited actrange body dyntype gaintype biastype dynprm gainprm biasprm actdim "
       "actearly" TRANSMISSION},
      {"motor", "" TRANSMISSION},
      {"position", "kp kv dampratio timeconst inheritrange" TRANSMISSION},
      {"velocity", "kv" TRANSMISSION},
      {"intvelocity", "kp kv dampratio actrange inheritrange" TRANSMISSION},
      {"damper", "kv" TRANSMISSION},
      {"cylinder", "timeconst area diameter bias" TRANSMISSION},
      {"muscle", "timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax" TRANSMISSION},
      {"adhesion", "body gain" TRANSMISSION},
      {"touch", "name site cutoff noise user"},
      {"jointpos", "name joint cutoff noise user"},
  };
  return table;
}
#undef ORIENTATION
#undef SOLVER_JOINT
#undef TRANSMISSION
#undef TENDON

bool is_actuator(std::string_view name) {
  static const std::set<std::string_view> names = {
      "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"};
  return names.count(name) > 0;
}

Quatd about_axis(const Vec3d& axis, double angle) {
  const double s = sin(angle / 2);
  return {cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
}

// The shortest rotation from z to a direction.
Quatd z_to(const Vec3d& direction) {
  const Vec3d z = normalized(direction);
  Vec3d axis{-z.y, z.x, 0};
  const double s = norm(axis);
  axis = s < 1e-10 ? Vec3d{1, 0, 0} : axis * (1 / s);
  return about_axis(axis, atan2(s, z.z));
}

}  // namespace

double Settings::angle(double x) const { return degrees ? x * std::numbers::pi / 180 : x; }

Frame operator*(const Frame& a, const Frame& b) { return {a * b.pos, a.rot * b.rot}; }
Vec3d operator*(const Frame& a, const Vec3d& point) { return a.pos + matrix(a.rot) * point; }
Frame inverse(const Frame& a) {
  const Quatd back = conjugate(a.rot);
  return {-(matrix(back) * a.pos), back};
}

// ---- items

const std::string* Item::find(std::string_view name) const {
  if (!merged_)
    if (const std::string* own = element_->attribute(name)) return own;
  if (!defaults_) return nullptr;
  const auto found = defaults_->find(name);
  return found == defaults_->end() ? nullptr : &found->second;
}

std::string Item::text(std::string_view name, const std::string& fallback) const {
  const std::string* found = find(name);
  return found ? *found : fallback;
}

std::string Item::required(std::string_view name) const {
  const std::string* found = find(name);
  if (!found || found->empty()) fail("attribute '" + std::string(name) + "' is missing");
  return *found;
}

std::string Item::choice(std::string_view name, const std::string& fallback,
                         const std::vector<std::string>& choices) const {
  const std::string* found = find(name);
  if (!found) return fallback;
  if (std::find(choices.begin(), choices.end(), *found) == choices.end())
    fail("unknown " + std::string(name) + " '" + *found + "'", did_you_mean(*found, choices));
  return *found;
}

bool Item::boolean(std::string_view name, bool fallback) const {
  return choice(name, fallback ? "true" : "false", {"true", "false"}) == "true";
}

std::optional<std::vector<double>> Item::numbers(std::string_view name, int least, int most) const {
  const std::string* found = find(name);
  if (!found) return std::nullopt;
  const std::string quoted = "'" + std::string(name) + "'";
  std::vector<double> values = parse_numbers(*element_, quoted, *found);
  const int n = int(values.size());
  if (n >= least && n <= most) return values;
  const std::string wanted =
      least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  fail(quoted + " has " + std::to_string(n) + (n == 1 ? " number" : " numbers"),
       wanted + (most == 1 ? " is" : " are") + " needed");
}

std::optional<double> Item::number(std::string_view name) const {
  const auto found = numbers(name, 1, 1);
  return found ? std::optional<double>((*found)[0]) : std::nullopt;
}

std::optional<int> Item::integer(std::string_view name) const {
  const auto found = number(name);
  if (!found) return std::nullopt;
  if (*found != std::floor(*found) || std::fabs(*found) > 1e9)
    fail("'" + std::string(name) + "' is " + to_text(*found), "a whole number is needed");
  return int(*found);
}

std::optional<Vec3d> Item::vec3(std::string_view name) const {
  const auto found = numbers(name, 3, 3);
  return found ? std::optional<Vec3d>(Vec3d{(*found)[0], (*found)[1], (*found)[2]}) : std::nullopt;
}

// ---- reader

void Reader::check_element(const XmlElement& element, std::string_view schema_key) const {
  check_attributes(element, schema().at(schema_key));
}

void Reader::warn(const XmlElement& element, const std::string& what) {
  creature_.warnings.push_back(to_string(element.where()) + ": " + element.who() + ": " + what);
}

void Reader::note_solver_attributes(const Item& item) {
  for (const char* name :
       {"solref", "solimp", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "gap",
        "condim", "priority", "solmix", "friction", "torquescale"})
    if (item.has(name)) ++noted_[name];
}

Item Reader::item(const XmlElement& element, const std::string& inherited, std::string_view kind) const {
  const std::string* own = element.attribute("class");
  const std::string& wanted = own ? *own : inherited;
  const auto found = classes_.find(wanted);
  if (found == classes_.end()) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : classes_) names.push_back(name);
    element.fail("unknown default class '" + wanted + "'", did_you_mean(wanted, names));
  }
  const auto attributes = found->second.find(kind.empty() ? std::string_view(element.name) : kind);
  return {element, attributes == found->second.end() ? nullptr : &attributes->second};
}

void Reader::read_settings() {
  for (const XmlElement& section : root_.children) {
    if (section.name == "option") read_option(section);
    if (section.name != "compiler") continue;
    check_element(section, "compiler");
    const Item c(section, nullptr);
    if (c.has("coordinate")) settings_.global = c.choice("coordinate", "", {"local", "global"}) == "global";
    if (c.boolean("fitaabb", false)) c.fail("fitaabb=\"true\" is not supported", "give the geoms sizes");
    if (c.has("angle")) settings_.degrees = c.choice("angle", "", {"degree", "radian"}) == "degree";
    settings_.euler_sequence = c.text("eulerseq", settings_.euler_sequence);
    if (settings_.euler_sequence.size() != 3 ||
        settings_.euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos)
      c.fail("eulerseq '" + settings_.euler_sequence + "' is not three of xyzXYZ");
    if (c.has("autolimits")) settings_.autolimits = c.boolean("autolimits", true);
    if (c.has("inertiafromgeom")) {
      const std::string mode = c.choice("inertiafromgeom", "", {"true", "false", "auto"});
      settings_.inertia_from_geom = mode == "true"    ? InertiaFromGeom::yes
                                    : mode == "false" ? InertiaFromGeom::no
                                                      : InertiaFromGeom::automatic;
    }
    if (const auto range = c.numbers("inertiagrouprange", 2, 2)) {
      settings_.first_group = int((*range)[0]);
      settings_.last_group = int((*range)[1]);
    }
    settings_.exact_mesh_inertia = c.boolean("exactmeshinertia", settings_.exact_mesh_inertia);
    settings_.balance_inertia = c.boolean("balanceinertia", settings_.balance_inertia);
    settings_.discard_visual = c.boolean("discardvisual", settings_.discard_visual);
    settings_.strip_path = c.boolean("strippath", settings_.strip_path);
    settings_.total_mass = c.number("settotalmass", settings_.total_mass);
    settings_.least_mass = c.number("boundmass", settings_.least_mass);
    settings_.least_inertia = c.number("boundinertia", settings_.least_inertia);
    settings_.mesh_dir = c.text("meshdir", c.text("assetdir", settings_.mesh_dir));
  }
}

void Reader::read_option(const XmlElement& section) {
  check_element(section, "option");
  const Item option(section, nullptr);
  settings_.gravity = option.vec3("gravity", settings_.gravity);
  settings_.fluid_density = option.number("density", settings_.fluid_density);
  settings_.viscosity = option.number("viscosity", settings_.viscosity);
  settings_.wind = option.vec3("wind", settings_.wind);
  for (const char* fluid : {"density", "viscosity"})
    if (option.number(fluid, 0) < 0) option.fail(std::string(fluid) + " is negative");
  static const std::set<std::string_view> used = {"gravity", "density", "viscosity", "wind"};
  for (const XmlAttribute& a : section.attributes)
    if (!used.count(a.name)) leave_out("option " + a.name);
  for (const XmlElement& child : section.children) {
    if (child.name != "flag") child.fail("is not known in <option>");
    check_element(child, "flag");
    const Item flag(child, nullptr);
    const auto on = [&](const char* name) {
      return flag.choice(name, "enable", {"enable", "disable"}) == "enable";
    };
    if (!on("gravity")) settings_.gravity = {};
    const bool constraints = on("constraint");
    settings_.limits = settings_.limits && constraints && on("limit");
    settings_.equalities = settings_.equalities && constraints && on("equality");
    settings_.contacts = settings_.contacts && constraints && on("contact");
    settings_.friction_loss = settings_.friction_loss && constraints && on("frictionloss");
    settings_.actuation = settings_.actuation && on("actuation");
    settings_.springs = settings_.springs && on("passive") && on("spring");
    settings_.dampers = settings_.dampers && on("passive") && on("damper");
  }
}

void Reader::read_defaults() {
  classes_["main"];
  for (const XmlElement& section : root_.children)
    if (section.name == "default") read_default(section, "", true);
}

void Reader::read_default(const XmlElement& element, const std::string& parent, bool top) {
  check_element(element, "default");
  const std::string* given = element.attribute("class");
  if (!top && (!given || given->empty())) element.fail("a default inside another needs a class");
  const std::string name = given ? *given : "main";
  if (top) {
    // the outermost default is the main class under any name
    if (name != "main") classes_[name] = classes_["main"];
  } else {
    if (classes_.count(name)) element.fail("default class '" + name + "' is defined twice", "rename one");
    classes_[name] = classes_[parent];
  }
  for (const XmlElement& child : element.children) {
    if (child.name == "default") continue;
    if (is_actuator(child.name)) {
      check_element(child, child.name);
      AttributeMap& defaults = classes_[name]["actuator"];
      defaults = actuator_attributes(child, defaults);
      continue;
    }
    static const std::set<std::string_view> ours = {"mesh", "material", "joint", "geom",
                                                    "site", "equality", "pair",  "tendon"};
    static const std::set<std::string_view> harmless = {"camera", "light", "skin", "flex"};
    if (harmless.count(child.name)) continue;
    if (!ours.count(child.name)) child.fail("is not known in <default>");
    check_element(child, child.name);
    for (const XmlAttribute& a : child.attributes) {
      if (a.name == "name" || a.name == "class")
        child.fail("attribute '" + a.name + "' makes no sense in a default");
      classes_[name][child.name][a.name] = a.value;
    }
  }
  if (top && name != "main") classes_["main"] = classes_[name];
  for (const XmlElement& child : element.children)
    if (child.name == "default") read_default(child, name, false);
}

// MuJoCo takes quat first and lets each of the others overrule what came before, whether it stands in the
// element or in its defaults.
Quatd Reader::orientation(const Item& item) const {
  const XmlElement& e = item.element();
  int given = 0;
  for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler"})
    given += e.attribute(name) != nullptr;
  if (given > 1) e.fail("has several orientations", "keep one of quat, axisangle, xyaxes, zaxis, euler");

  if (const auto angles = item.vec3("euler")) {
    Quatd q;
    for (int i = 0; i < 3; ++i) {
      const char c = settings_.euler_sequence[std::size_t(i)];
      Vec3d axis;
      axis[(c | 0x20) - 'x'] = 1;
      const Quatd turn = about_axis(axis, settings_.angle((*angles)[i]));
      q = c >= 'a' ? q * turn : turn * q;  // lower case: about the axes as turned so far
    }
    return normalized(q);
  }
  if (const auto z = item.vec3("zaxis")) {
    if (norm(*z) < 1e-14) e.fail("zaxis has no direction");
    return z_to(*z);
  }
  if (const auto xy = item.numbers("xyaxes", 6, 6)) {
    Vec3d x{(*xy)[0], (*xy)[1], (*xy)[2]}, y{(*xy)[3], (*xy)[4], (*xy)[5]};
    if (norm(x) < 1e-14) e.fail("the x axis of xyaxes has no direction");
    x = normalized(x);
    y = y - x * dot(x, y);
    if (norm(y) < 1e-14) e.fail("the axes of xyaxes are parallel");
    y = normalized(y);
    return quaternion(Mat3d::columns(x, y, cross(x, y)));
  }
  if (const auto a = item.numbers("axisangle", 4, 4)) {
    const Vec3d axis{(*a)[0], (*a)[1], (*a)[2]};
    if (norm(axis) < 1e-14) e.fail("the axis of axisangle has no direction");
    return about_axis(normalized(axis), settings_.angle((*a)[3]));
  }
  if (const auto q = item.numbers("quat", 4, 4)) {
    const Quatd quat{(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
    if (quat.w == 0 && quat.x == 0 && quat.y == 0 && quat.z == 0) e.fail("quat 0 0 0 0 is no rotation");
    return normalized(quat);
  }
  return {};
}

Frame Reader::pose(const Item& item) const { return {item.vec3("pos", {}), orientation(item)}; }

Quatd Reader::turn_z_to(const Vec3d& direction) { return z_to(direction); }

}  // namespace legwork::mjcf
