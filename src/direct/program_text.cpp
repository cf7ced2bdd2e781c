// A program's texts: constants set by name, sides swapped, quantities read.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/text.h"
#include "creature/side.h"
#include "direct/program.h"
#include "direct/program_names.h"

namespace legwork {

void set_constant(Program& program, const std::string& assignment) {
  const size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  std::vector<std::string> names;
  for (ProgramConstant& c : program.constants) {
    names.push_back(c.name);
    if (c.name != name || equals == std::string::npos) continue;
    const std::string text = assignment.substr(equals + 1);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !std::isfinite(value))
      throw Error({}, "direct: set", "'" + text + "' is no number for '" + name + "'");
    c.value = value;
    return;
  }
  if (equals == std::string::npos) throw Error({}, "direct: set", "'" + assignment + "' is not NAME=VALUE");
  throw Error({}, "direct: set", "'" + program.name + "' has no constant '" + name + "'",
              did_you_mean(name, names));
}

namespace {

std::string mirrored_names(const std::string& text) {
  return map_names(text, [](const std::string& name) {
    std::string out;
    std::istringstream parts(name);
    for (std::string part; std::getline(parts, part, '.');)
      out += (out.empty() ? "" : ".") + mirrored_name(part);
    return out;
  });
}

ProgramPhase mirrored(ProgramPhase p) {
  const auto all = [](std::vector<std::string>& list) {
    for (std::string& text : list) text = mirrored_names(text);
  };
  p.name = mirrored_name(p.name);
  ProgramStep& s = p.enter;
  s.turn = mirrored_names(s.turn);
  for (std::vector<std::string>* list :
       {&s.remove, &s.remove_cost, &s.release, &s.hold, &s.hold_in_air, &s.grasp, &s.let_go})
    all(*list);
  for (auto& [name, text] : s.set) name = mirrored_names(name), text = mirrored_names(text);
  for (ProgramEquation& e : s.equations) {
    for (std::string* text : {&e.name, &e.quantity, &e.time, &e.weight, &e.within})
      *text = mirrored_names(*text);
    all(e.to.text), all(e.velocity.text), all(e.over.text);
  }
  if (p.call) {
    p.call->heading = mirrored_names(p.call->heading);
    for (auto& [constant, text] : p.call->with) text = mirrored_names(text);
  }
  for (ProgramTransition& t : p.next) t.when = mirrored_names(t.when), t.to = mirrored_names(t.to);
  return p;
}

}  // namespace

std::vector<ProgramPhase> mirror_phases(std::vector<ProgramPhase> phases) {
  const size_t written = phases.size();
  for (size_t i = 0; i < written; ++i) {
    const std::string twin = mirrored_name(phases[i].name);
    if (std::none_of(phases.begin(), phases.end(), [&](const ProgramPhase& p) { return p.name == twin; }))
      phases.push_back(mirrored(phases[i]));
  }
  return phases;
}

Quantity parse_quantity(const std::string& text, const Director& d) {
  static const std::vector<std::string> kinds = {"position", "point",  "orientation",    "angle",
                                                 "force",    "torque", "center_of_mass", "angular_momentum"};
  std::istringstream words(text);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  Quantity sum;
  bool any = false;
  double sign = 1;
  for (size_t i = 0; i < list.size();) {
    if (list[i] == "+" || list[i] == "-") {
      sign = list[i] == "-" ? -1 : 1, ++i;
      continue;
    }
    double weight = sign;
    char* end = nullptr;
    const double number = std::strtod(list[i].c_str(), &end);
    if (*end == 0) weight *= number, ++i;
    if (i >= list.size()) break;
    const std::string kind = list[i++];
    const bool whole = kind == "center_of_mass" || kind == "angular_momentum";
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      throw Error("'" + kind + "' is no kind of quantity", did_you_mean(kind, kinds));
    const std::string name = whole ? "" : i < list.size() ? list[i++] : "";
    if (!whole && name.empty()) throw Error({}, "'" + text + "'", kind + " of what?");
    Quantity one = kind == "position"         ? d.position(name)
                   : kind == "point"          ? d.point(name)
                   : kind == "orientation"    ? d.orientation(name)
                   : kind == "angle"          ? d.angle(name)
                   : kind == "force"          ? d.force(name)
                   : kind == "torque"         ? d.torque(name)
                   : kind == "center_of_mass" ? d.center_of_mass()
                                              : d.angular_momentum();
    one = weight * one;
    if (any) {
      const std::vector<int> axes = sum.axes;
      sum = sum + one;
      sum.axes = axes;
    } else {
      sum = one;
    }
    any = true, sign = 1;
    if (i < list.size() && list[i].find_first_not_of("xyz") == std::string::npos)
      sum = sum.along(list[i++].c_str());
  }
  if (!any) throw Error("'" + text + "' names no quantity", did_you_mean(text, kinds));
  return sum;
}

}  // namespace legwork
