// Actuators and sensors.
//
// MuJoCo's actuator of gear g, length l = g q (or of a tendon) and control u pulls with
//   g f,  f = gain u + bias0 + bias1 l + bias2 dl/dt  clamped to forcerange;
// ours with the same g f, where f = u (motor) or f = ks (u - l) - kd dl/dt (servo), clipped to +-strength.
// With a bias of its own a gain is a servo whose command is gain u / ks + bias0 / ks.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/text.h"
#include "dynamics/dynamics.h"
#include "formats/mjcf/mjcf_reader.h"

namespace legwork::mjcf {

namespace {

Limits read_limits(const Item& item, const char* limited, const char* range, const Settings& settings) {
  const auto given = item.numbers(range, 2, 2);
  const std::string mode = item.choice(limited, "auto", {"true", "false", "auto"});
  if (!(mode == "true" || (mode == "auto" && given && settings.autolimits.value_or(true)))) return {};
  if (!given) item.fail(std::string(limited) + " but no " + range);
  if (!((*given)[0] < (*given)[1])) item.fail(std::string(range) + " is upside down or empty");
  return {true, (*given)[0], (*given)[1]};
}

double parameter(const Item& item, const char* name, std::size_t i, double fallback) {
  const auto values = item.numbers(name, 1, 10);
  if (!values) return fallback;
  return i < values->size() ? (*values)[i] : 0;
}

}  // namespace

AttributeMap actuator_attributes(const XmlElement& element, AttributeMap attributes) {
  for (const XmlAttribute& a : element.attributes)
    if (a.name != "name" && a.name != "class") attributes[a.name] = a.value;
  const std::string& kind = element.name;
  const auto set = [&](const std::string& dyn, const std::string& gain, const std::string& bias) {
    attributes["dyntype"] = dyn;
    attributes["gaintype"] = gain;
    attributes["biastype"] = bias;
  };
  // the gain that the defaults left, unless the element has its own
  const auto own_gain = [&](const char* name) {
    if (const std::string* own = element.attribute(name)) {
      const std::vector<double> x = parse_numbers(element, std::string("'") + name + "'", *own);
      if (x.size() != 1) element.fail(std::string("'") + name + "' must be one number");
      return x[0];
    }
    const auto found = attributes.find("gainprm");
    if (found == attributes.end()) return 1.0;
    const std::vector<double> x = parse_numbers(element, "'gainprm'", found->second);
    return x.empty() ? 1.0 : x[0];
  };
  if (kind == "motor") {
    set("none", "fixed", "none");
    attributes["gainprm"] = "1";
  } else if (kind == "position" || kind == "intvelocity") {
    const double kp = own_gain("kp");
    if (kp < 0) element.fail("kp is negative");
    const auto own = [&](const char* name) -> std::optional<double> {
      if (!element.attribute(name)) return {};
      const std::vector<double> x =
          parse_numbers(element, std::string("'") + name + "'", *element.attribute(name));
      if (x.size() != 1 || x[0] < 0) element.fail(std::string("'") + name + "' must be one positive number");
      return x[0];
    };
    const std::optional<double> kv = own("kv"), ratio = own("dampratio"), time = own("timeconst");
    if (kv && ratio) element.fail("kv and dampratio exclude each other", "keep one");
    // the third number: minus kv, or a damping ratio where it is positive; a class's stays
    double last = 0;
    if (const auto found = attributes.find("biasprm"); found != attributes.end())
      if (const auto x = parse_numbers(element, "'biasprm'", found->second); x.size() > 2) last = x[2];
    if (kv) last = -*kv;
    if (ratio) last = *ratio;
    const auto dyn = attributes.find("dyntype");
    const std::string before = dyn == attributes.end() ? "none" : dyn->second;
    set(kind == "intvelocity" ? "integrator"
        : time                ? (*time > 0 ? "filterexact" : "none")
                              : before,
        "fixed", "affine");
    if (time) attributes["dynprm"] = to_text(*time);
    attributes["gainprm"] = to_text(kp);
    attributes["biasprm"] = "0 " + to_text(-kp) + " " + to_text(last);
  } else if (kind == "velocity") {
    const double kv = own_gain("kv");
    if (kv < 0) element.fail("kv is negative");
    set("none", "fixed", "affine");
    attributes["gainprm"] = to_text(kv);
    attributes["biasprm"] = "0 0 " + to_text(-kv);
  } else if (kind == "damper") {
    set("none", "affine", "none");
  } else if (kind == "cylinder") {
    set("filter", "fixed", "affine");
    attributes["dynprm"] = element.attribute("timeconst") ? *element.attribute("timeconst") : "1";
    double area = 1;
    const auto one = [&](const char* name) {
      const std::vector<double> x =
          parse_numbers(element, std::string("'") + name + "'", *element.attribute(name));
      if (x.size() != 1 || x[0] < 0) element.fail(std::string("'") + name + "' must be one positive number");
      return x[0];
    };
    if (element.attribute("area")) area = one("area");
    if (element.attribute("diameter")) {
      const double diameter = one("diameter");
      area = std::numbers::pi / 4 * diameter * diameter;
    }
    attributes["gainprm"] = to_text(area);
    attributes["biasprm"] = element.attribute("bias") ? *element.attribute("bias") : "0";
  } else if (kind == "muscle") {
    set("muscle", "muscle", "muscle");
  } else if (kind == "adhesion") {
    set("none", "fixed", "none");
  }
  return attributes;
}

// Ours clip the same way on both sides.
double Reader::larger_side(const XmlElement& element, const std::string& what, const Limits& limits) {
  if (limits.lower != -limits.upper)
    warn(element, what + " [" + to_text(limits.lower) + ", " + to_text(limits.upper) +
                      "] is not symmetric; the larger side counts for both");
  return std::max(std::fabs(limits.lower), std::fabs(limits.upper));
}

void Reader::read_actuators() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "actuator") continue;
    for (const XmlElement& element : section.children) {
      read_actuator(element);
    }
  }
  finish_names(creature_.actuators);
}

namespace {

// Force without a command: constant + length * l + velocity * l'.
struct Bias {
  double constant = 0, length = 0, velocity = 0;
  bool operator==(const Bias&) const = default;
};
Bias read_bias(const Item& it) {
  return {parameter(it, "biasprm", 0, 0), parameter(it, "biasprm", 1, 0), parameter(it, "biasprm", 2, 0)};
}

}  // namespace

// What an actuator acts along: a joint of one degree of freedom or a tendon. False: neither; `why` says what.
bool Reader::find_transmission(const XmlElement& element, const Item& it, Actuator& actuator,
                               std::string& why) {
  if (const std::string* name = it.find("tendon")) {
    const auto found = tendons_.find(*name);
    if (found == tendons_.end())
      element.fail("unknown tendon '" + *name + "'", did_you_mean(*name, names_of(tendons_)));
    const Tendon& tendon = creature_.tendons[std::size_t(found->second)];
    actuator.tendon = found->second;
    actuator.dof = first_dof(tendon);
    if (actuator.dof >= 0) return true;
    why = "drives a tendon that moves no joint";
    return false;
  }
  const std::string* name = it.find("joint") ? it.find("joint") : it.find("jointinparent");
  if (!name) {
    if (!it.find("site") && !it.find("body") && !it.find("cranksite"))
      element.fail("drives nothing", "name a joint or a tendon");
    why = "drives no joint and no tendon but a site or body, which is not supported";
    return false;
  }
  const JointPlace& place = joint_of(element, *name);
  actuator.dof = place.dof;
  if (creature_.links[std::size_t(place.link)].joints[std::size_t(place.joint)].dofs.size() == 1) return true;
  why = "drives a ball or free joint, which is not supported";
  return false;
}

// The range of commands: its own, or the joint's where inheritrange asks for it.
Limits Reader::control_range(const Item& it, const Actuator& actuator) const {
  const double share = it.number("inheritrange", 0);
  const Limits own = read_limits(it, "ctrllimited", "ctrlrange", settings_);
  if (own.on || !(share > 0)) return own;
  double lower = -unlimited, upper = unlimited;
  if (actuator.tendon >= 0) {
    const Tendon& tendon = creature_.tendons[std::size_t(actuator.tendon)];
    lower = tendon.lower, upper = tendon.upper;
  } else {
    const Dof& dof = *creature_.dofs()[std::size_t(actuator.dof)];
    lower = dof.lower, upper = dof.upper;
  }
  if (!(lower > -unlimited && upper < unlimited)) return own;
  const double middle = (lower + upper) / 2, radius = (upper - lower) / 2 * share;
  return {true, middle - radius, middle + radius};
}

// Inertia and damping of a motor's rotor, which are there whatever the motor does.
void Reader::read_rotor(const Item& it) {
  const double armature = it.number("armature", 0), damping = it.number("damping", 0);
  if (armature < 0 || damping < 0) it.fail("its armature or damping is negative");
  if (armature == 0 && damping == 0) return;
  const std::string* name = it.find("joint") ? it.find("joint") : it.find("jointinparent");
  Joint* joint = nullptr;
  if (name) {
    const JointPlace& place = joint_of(it.element(), *name);
    joint = &creature_.links[std::size_t(place.link)].joints[std::size_t(place.joint)];
  }
  if (!joint || joint->dofs.size() != 1)
    it.fail("armature and damping of an actuator along anything but a hinge or a slide are not supported",
            "give them to the joints");
  const double gear = parameter(it, "gear", 0, 1);
  joint->dofs[0].armature += armature * gear * gear;
  if (settings_.dampers) joint->dofs[0].damper += damping * gear * gear;
}

void Reader::read_actuator(const XmlElement& element) {
  static const std::vector<std::string> kinds = {"general", "motor",    "position", "velocity", "intvelocity",
                                                 "damper",  "cylinder", "muscle",   "adhesion"};
  for (const char* newer : {"pid", "orientation", "dcmotor"})
    if (element.name == newer)
      element.fail("an actuator of this kind is not supported", "write a <position> or <motor>");
  if (std::find(kinds.begin(), kinds.end(), element.name) == kinds.end())
    element.fail("is no actuator", did_you_mean(element.name, kinds));
  check_element(element, element.name);
  const AttributeMap* defaults = item(element, "main", "actuator").defaults();
  AttributeMap attributes = actuator_attributes(element, defaults ? *defaults : AttributeMap());
  if (const std::string* name = element.attribute("name")) attributes["name"] = *name;
  const Item it = Item::merged(element, attributes);
  read_rotor(it);
  if (!settings_.actuation) return leave_out("actuator");

  const std::string dyn =
      it.choice("dyntype", "none", {"none", "integrator", "filter", "filterexact", "muscle", "user"});
  const std::string gain_type = it.choice("gaintype", "fixed", {"fixed", "affine", "muscle", "user"});
  const std::string bias_type = it.choice("biastype", "none", {"none", "affine", "muscle", "user"});
  const double gain = parameter(it, "gainprm", 0, 1);
  const Bias bias = bias_type == "affine" ? read_bias(it) : Bias{};
  const bool silent = (bias_type == "none" || bias_type == "affine") && bias == Bias{};
  const auto leave = [&](const std::string& why) {
    if (!silent) element.fail(why + ", and it acts even without a command", "remove it");
    leave_out("actuator " + element.name + " (" + why + ")");
  };

  Actuator actuator;
  std::string why;
  const std::string* along = it.find("tendon");
  for (const char* other : {"joint", "jointinparent"})
    if (!along) along = it.find(other);
  if (!find_transmission(element, it, actuator, why)) return leave(why);
  if (dyn == "muscle" || dyn == "user")
    return leave("has dynamics of its own (dyntype " + dyn + "), which are not supported");
  if (gain_type != "fixed") return leave("has a gain of type " + gain_type + ", which is not supported");
  if (dyn == "filter" || dyn == "filterexact") actuator.lag = parameter(it, "dynprm", 0, 1);
  if (actuator.lag < 0) element.fail("its time constant is negative");
  // what an integrator adds up is the command here
  if (dyn == "integrator") leave_out("the integrator of actuator " + element.name);

  actuator.gear = parameter(it, "gear", 0, 1);
  actuator.where = element.where();
  const Limits control = dyn == "integrator" ? read_limits(it, "actlimited", "actrange", settings_)
                                             : control_range(it, actuator);
  const Limits force = read_limits(it, "forcelimited", "forcerange", settings_);
  actuator.lower = control.on ? control.lower : -unlimited;
  actuator.upper = control.on ? control.upper : unlimited;
  if (force.on) actuator.strength = larger_side(element, "forcerange", force);
  const double k = -bias.length;
  if (silent && gain != 0) {
    actuator.type = ActuatorType::motor;
    actuator.gear *= gain;
    actuator.strength /= std::fabs(gain);
    if (control.on)
      actuator.strength = std::min(actuator.strength, larger_side(element, "ctrlrange", control));
  } else if (k > 0) {
    actuator.type = ActuatorType::angular;
    actuator.ks = k;
    // a positive number is a damping ratio
    if (bias.velocity > 0 && gain == k)
      damping_ratios_.push_back({int(creature_.actuators.size()), bias.velocity});
    else if (bias.velocity > 0)
      return leave("pushes along with the speed");
    else
      actuator.kd = -bias.velocity;
    if (control.on && (gain != k || bias.constant != 0)) {
      actuator.lower = (gain * control.lower + bias.constant) / k;
      actuator.upper = (gain * control.upper + bias.constant) / k;
      if (actuator.lower > actuator.upper) std::swap(actuator.lower, actuator.upper);
    }
  } else if (bias.constant == 0 && bias.length == 0 && bias.velocity < 0) {
    actuator.type = ActuatorType::angular;
    actuator.kd = -bias.velocity;
    leave_out("the speed that actuator " + element.name + " is asked for: it only damps");
  } else {
    return leave("is neither a motor nor a servo");
  }
  actuator.name = name_of(it, creature_.actuators.size(), *along);
  creature_.actuators.push_back(std::move(actuator));
}

// kd = ratio 2 sqrt(ks m), m the inertia that the actuator moves in the reference pose: the diagonal of the
// mass matrix over the gear squared, added up over the joints of a tendon (MuJoCo's mj_setConst).
void Reader::finish_damping_ratios() {
  if (damping_ratios_.empty()) return;
  const Model<double> model = make_model(creature_);
  Workspace<double> w(model);
  const std::vector<double> q = creature_.pose("");
  const std::size_t nv = std::size_t(model.nv);
  std::vector<double> M(nv * nv);
  update_positions(model, q.data(), w);
  mass_matrix(model, w, M.data());
  for (const auto& [index, ratio] : damping_ratios_) {
    Actuator& a = creature_.actuators[std::size_t(index)];
    double inertia = 0;
    const auto add = [&](int dof, double factor) {
      const double moment = a.gear * factor;
      if (moment * moment > 1e-15) inertia += M[std::size_t(dof) * nv + std::size_t(dof)] / (moment * moment);
    };
    if (a.tendon < 0)
      add(a.dof, 1);
    else if (creature_.tendons[std::size_t(a.tendon)].terms.empty())
      throw Error(a.where, "actuator '" + a.name + "'", "dampratio along a spatial tendon is not supported",
                  "give kv");
    else
      for (const DofTerm& t : creature_.tendons[std::size_t(a.tendon)].terms) add(t.dof, t.factor);
    a.kd = ratio * 2 * std::sqrt(a.ks * inertia);
  }
}

// actuatorfrcrange of a joint or a tendon.
std::optional<double> Reader::force_bound(const Item& it) {
  const Limits limits = read_limits(it, "actuatorfrclimited", "actuatorfrcrange", settings_);
  return limits.on ? std::optional(larger_side(it.element(), "actuatorfrcrange", limits)) : std::nullopt;
}

// actuatorfrcrange bounds what all actuators of a joint or of a tendon give it together.
void Reader::bound_joint_forces() {
  std::map<std::pair<int, int>, int> sharing;  // by degree of freedom and tendon
  for (Actuator& a : creature_.actuators) {
    const auto& bounds = a.tendon < 0 ? joint_forces_ : tendon_forces_;
    const auto found = bounds.find(a.tendon < 0 ? a.dof : a.tendon);
    if (found == bounds.end() || a.gear == 0) continue;
    a.strength = std::min(a.strength, found->second / std::fabs(a.gear));
    if (++sharing[{a.dof, a.tendon}] == 2)
      creature_.warnings.push_back(to_string(a.where) + ": actuator '" + a.name + "' shares its " +
                                   (a.tendon < 0 ? "joint" : "tendon") +
                                   " with another: actuatorfrcrange bounds each of them alone");
  }
}

void Reader::read_sensors() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "sensor") continue;
    for (const XmlElement& element : section.children) {
      const Item it(element, nullptr);
      Sensor sensor;
      if (element.name == "touch") {
        check_element(element, "touch");
        const std::string name = it.required("site");
        const auto found = sites_.find(name);
        if (found == sites_.end()) element.fail("unknown site '" + name + "'");
        if (found->second.link < 0) {
          leave_out("sensor touch of the world");
          continue;
        }
        sensor.type = SensorType::touch;
        sensor.link = found->second.link;
        sensor.pos = found->second.pos;
        sensor.whole = false;
      } else if (element.name == "jointpos") {
        check_element(element, "jointpos");
        sensor.type = SensorType::angle;
        sensor.lower = 0;
        sensor.dof = joint_of(element, it.required("joint")).dof;
      } else {
        leave_out("sensor " + element.name);
        continue;
      }
      sensor.name =
          name_of(it, creature_.sensors.size(), element.name + std::to_string(creature_.sensors.size()));
      creature_.sensors.push_back(std::move(sensor));
    }
  }
  finish_names(creature_.sensors);
}

}  // namespace legwork::mjcf
