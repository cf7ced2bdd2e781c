// Actuators and sensors.
//
// MuJoCo's actuator of gear g, length l = g q and control u pulls its joint with
//   g f,  f = gain u + bias0 + bias1 l + bias2 dl/dt  clamped to forcerange;
// ours with the same g f, where f = u (motor) or f = ks (u - l) - kd dl/dt (servo), clipped to +-strength.

#include <algorithm>
#include <cmath>

#include "base/text.h"
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
    set(kind == "position" ? "none" : "integrator", "fixed", "affine");
    double kv = 0;
    if (element.attribute("kv")) {
      const std::vector<double> x = parse_numbers(element, "'kv'", *element.attribute("kv"));
      if (x.size() != 1 || x[0] < 0) element.fail("'kv' must be one positive number");
      kv = x[0];
    }
    for (const char* name : {"dampratio", "timeconst"})
      if (element.attribute(name))
        element.fail(std::string(name) + " of a servo is not supported", "give kv");
    attributes["gainprm"] = to_text(kp);
    attributes["biasprm"] = "0 " + to_text(-kp) + " " + to_text(-kv);
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
      if (settings_.actuation)
        read_actuator(element);
      else
        leave_out("actuator");
    }
  }
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

void Reader::read_actuator(const XmlElement& element) {
  static const std::vector<std::string> kinds = {"general", "motor",    "position", "velocity", "intvelocity",
                                                 "damper",  "cylinder", "muscle",   "adhesion"};
  if (std::find(kinds.begin(), kinds.end(), element.name) == kinds.end())
    element.fail("is no actuator", did_you_mean(element.name, kinds));
  check_element(element, element.name);
  const AttributeMap* defaults = item(element, "main", "actuator").defaults();
  AttributeMap attributes = actuator_attributes(element, defaults ? *defaults : AttributeMap());
  if (const std::string* name = element.attribute("name")) attributes["name"] = *name;
  const Item it = Item::merged(element, attributes);

  const std::string dyn =
      it.choice("dyntype", "none", {"none", "integrator", "filter", "filterexact", "muscle", "user"});
  const std::string gain_type = it.choice("gaintype", "fixed", {"fixed", "affine", "muscle", "user"});
  const std::string bias_type = it.choice("biastype", "none", {"none", "affine", "muscle", "user"});
  const double gain = parameter(it, "gainprm", 0, 1);
  const Bias bias = bias_type == "affine" ? read_bias(it) : Bias{};
  const bool silent = (bias_type == "none" || bias_type == "affine") && bias == Bias{};
  const auto leave = [&](const std::string& why) {
    if (!silent) element.fail(why + ", and it acts even without a command", "remove it");
    warn(element, why + "; left out");
  };

  const std::string* joint_name = it.find("joint") ? it.find("joint") : it.find("jointinparent");
  if (!joint_name) return leave("drives no joint but a tendon, site or body, which is not supported");
  const JointPlace& place = joint_of(element, *joint_name);
  const Joint& joint = creature_.links[std::size_t(place.link)].joints[std::size_t(place.joint)];
  if (joint.dofs.size() != 1) return leave("drives a ball or free joint, which is not supported");
  if (dyn != "none") return leave("has dynamics of its own (dyntype " + dyn + "), which are not supported");
  if (gain_type != "fixed") return leave("has a gain of type " + gain_type + ", which is not supported");

  Actuator actuator;
  actuator.name = it.text("name", *joint_name);
  actuator.dof = place.dof;
  actuator.gear = parameter(it, "gear", 0, 1);
  const Limits control = read_limits(it, "ctrllimited", "ctrlrange", settings_);
  const Limits force = read_limits(it, "forcelimited", "forcerange", settings_);
  actuator.lower = control.on ? control.lower : -unlimited;
  actuator.upper = control.on ? control.upper : unlimited;
  if (force.on) actuator.strength = larger_side(element, "forcerange", force);
  if (silent && gain != 0) {
    actuator.type = ActuatorType::motor;
    actuator.gear *= gain;
    actuator.strength /= std::fabs(gain);
    if (control.on)
      actuator.strength = std::min(actuator.strength, larger_side(element, "ctrlrange", control));
  } else if (bias.constant == 0 && bias.length != 0 && bias.length == -gain && bias.velocity <= 0) {
    actuator.type = ActuatorType::angular;
    actuator.ks = gain;
    actuator.kd = -bias.velocity;
  } else if (bias.constant == 0 && bias.length == 0 && bias.velocity < 0) {
    actuator.type = ActuatorType::angular;
    actuator.kd = -bias.velocity;
    warn(element, "takes no velocity command here; it only damps");
  } else {
    return leave("is neither a motor nor a servo");
  }
  creature_.actuators.push_back(std::move(actuator));
}

void Reader::read_sensors() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "sensor") continue;
    for (const XmlElement& element : section.children) {
      const Item it(element, nullptr);
      Sensor sensor;
      sensor.name = it.text("name", element.name + std::to_string(creature_.sensors.size()));
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
      creature_.sensors.push_back(std::move(sensor));
    }
  }
}

}  // namespace legwork::mjcf
