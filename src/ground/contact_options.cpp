#include <legwork/world.h>

#include <legwork/error.h>
#include <legwork/options.h>
#include "base/text.h"

namespace legwork {

ContactOptions parse_contact(const std::string& spec) {
  const std::string who = "contact '" + spec + "'";
  ContactOptions options;
  const std::size_t colon = spec.find(':');
  const std::string kind = spec.substr(0, colon);
  const std::vector<std::string> kinds = {"linear", "exponential", "sticky", "rigid"};
  bool known = false;
  for (int i = 0; i < int(kinds.size()); ++i)
    if (kind == kinds[size_t(i)]) options.type = ContactType(i), known = true;
  if (!known) throw Error({}, who, "unknown contact '" + kind + "'", did_you_mean(kind, kinds));
  if (colon == std::string::npos) return options;

  const Options described(options);
  std::size_t begin = colon + 1;
  while (begin <= spec.size()) {
    const std::size_t end = std::min(spec.find(',', begin), spec.size());
    const std::string part = spec.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      throw Error({}, who, "'" + part + "' has no value", "try " + kind + ":friction=0.5");
    const std::string key = part.substr(0, equals);
    const Option* option = key == "type" ? nullptr : described.find(key);
    if (!option) throw Error({}, who, "unknown key '" + key + "'", did_you_mean(key, described.names()));
    option->set({part.substr(equals + 1)}, {}, who + ": " + key);
    begin = end + 1;
  }
  return options;
}

std::string to_text(const ContactOptions& options) {
  ContactOptions standard, copy = options;
  const Options initial(standard), described(copy);
  std::string text, separator = ":";
  for (std::size_t i = 0; i < described.all().size(); ++i) {
    const Option& option = described.all()[i];
    if (option.name == "type") {
      text = option.get()[0];
    } else if (option.get() != initial.all()[i].get()) {
      text += separator + option.name + "=" + option.get()[0];
      separator = ",";
    }
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> contact_choices() {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"linear", "spring and damper, Coulomb friction"},
      {"exponential", "McKenna's ground: exponential spring, restitution, Coulomb friction"},
      {"sticky", "exponential, and feet hold on by springs that break"},
      {"rigid", "no spring: pushes only, Coulomb friction, impacts; --integrator rk4 locates every touch"},
  };
  ContactOptions options;
  const Options described(options);
  for (const Option& option : described.all()) {
    if (option.name == "type") continue;
    const std::string unit =
        option.about.unit.empty() || option.about.unit == "1" ? "" : ", " + option.about.unit;
    lines.push_back(
        {"  ...:" + option.name + "=" + join(option.choices.names(), "|"), option.about.meaning + unit});
  }
  return lines;
}

void describe(Options& v, ContactOptions& o) {
  v.choice("type", o.type, {"linear", "exponential", "sticky", "rigid"}, "how the ground pushes back");
  v.number("stiffness", o.stiffness,
           {0, 1e12, "N/m",
            "linear: stiffness of the spring, 0 = choose from the weight; exponential: added to it"});
  v.number("damping", o.damping, {0, 1e12, "N s/m", "linear: damping, 0 = critical"});
  v.number("strength", o.strength, {0, 1e12, "N", "exponential: linear strength, 0 = choose"});
  v.number("sharpness", o.sharpness, {0, 1e9, "1/m", "exponential: how steeply it rises, 0 = choose"});
  v.number("deepest", o.deepest,
           {0, 1e6, "m", "depth beyond which the spring's force grows no further; 0 = no such depth"});
  v.number("restitution", o.restitution,
           {-1, 4, "1",
            "share of the energy that is given back, above 1 more than there was; -1 = as the type has it"});
  v.number("friction", o.friction, {0, 100, "1", "Coulomb's coefficient"});
  v.number("friction_back", o.friction_back, {-1, 100, "1", "coefficient for sliding back; -1 = friction"});
  v.number("friction_side", o.friction_side,
           {-1, 100, "1", "coefficient for sliding sideways; -1 = friction"});
  v.choice("friction_axis", o.friction_axis, {"heading", "link"}, "whose x axis is forward");
  v.number("bristle_stiffness", o.bristle_stiffness,
           {0, 1e12, "N/m", "stiffness of friction while it holds; 0 = choose"});
  v.number("bristle_ratio", o.bristle_ratio,
           {0, 10, "1", "damping of friction while it holds, as a share of the critical one"});
  v.number("slip_speed", o.slip_speed, {0, 10, "m/s", "speed below which restitution fades in; 0 = choose"});
  v.number("stick_strength", o.stick_strength, {0, 1e12, "N", "sticky: linear strength, 0 = choose"});
  v.number("stick_sharpness", o.stick_sharpness, {0, 1e9, "1/m", "sticky: how steeply it rises, 0 = choose"});
  v.number("stick_break_force", o.stick_break_force,
           {0, 1e12, "N", "sticky: force at which it lets go, 0 = the weight"});
  v.number("stick_break_length", o.stick_break_length,
           {0, 1e6, "m", "sticky: length at which it lets go, 0 = never"});
  v.number("stick_restitution", o.stick_restitution,
           {-1, 1, "1", "sticky: share of the energy that is given back, -1 = restitution"});
}

}  // namespace legwork
