#include "legwork/direct/program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>

#include "legwork/base/text.h"
#include "legwork/creature/side.h"
#include "legwork/math/expression.h"
#include "legwork/math/real.h"

namespace legwork {

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// The text with every identifier (dots belong to it) replaced by what the function makes of it.
std::string map_names(const std::string& text,
                      const std::function<std::string(const std::string&)>& replace) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t j = i;
    if (letter(text[i])) {
      while (j < text.size() && (letter(text[j]) || digit(text[j]) || text[j] == '.')) ++j;
      out += replace(text.substr(i, j - i));
    } else if (digit(text[i]) || text[i] == '.') {
      while (j < text.size() &&
             (digit(text[j]) || text[j] == '.' || text[j] == 'e' || text[j] == 'E' ||
              ((text[j] == '-' || text[j] == '+') && (text[j - 1] == 'e' || text[j - 1] == 'E'))))
        ++j;
      out += text.substr(i, j - i);
    } else {
      out += text[j++];
    }
    i = j;
  }
  return out;
}

const std::vector<std::string>& functions() {
  static const std::vector<std::string> names = {"pi",  "e",   "sin",   "cos",   "tan",  "tanh",
                                                 "exp", "log", "sqrt",  "abs",   "sign", "floor",
                                                 "min", "max", "atan2", "hypot", "mod",  "if"};
  return names;
}

// Something that a formula may look at.
using Observe = std::function<double(const Director&)>;

}  // namespace

// --- the program bound to a creature

namespace {

class Bound {
 public:
  Bound(const Program& program, Director& director) : program_(program) {
    for (const ProgramConstant& c : program.constants) variables_[c.name] = c.value;
    variables_["deg"] = pi / 180;
    collect_variables(program.initialize);
    for (const ProgramPhase& phase : program.phases) collect_variables(phase.enter);
    collect_equations(program.initialize);
    for (const ProgramPhase& phase : program.phases) collect_equations(phase.enter);
    initialize_ = bind(program.initialize, director, 0);
    for (const ProgramPhase& phase : program.phases) {
      const Side side = side_of(phase.name);
      const int sign = side == Side::right ? -1 : side == Side::left ? 1 : 0;
      Phase bound{phase.name, bind(phase.enter, director, sign), {}};
      for (const ProgramTransition& t : phase.next) {
        const auto to = std::find_if(program.phases.begin(), program.phases.end(),
                                     [&](const ProgramPhase& p) { return p.name == t.to; });
        if (to == program.phases.end()) {
          std::vector<std::string> names;
          for (const ProgramPhase& p : program.phases) names.push_back(p.name);
          throw Error(t.where, "phase '" + phase.name + "'",
                      "there is no phase '" + t.to + "' to go to" + did_you_mean(t.to, names));
        }
        bound.next.push_back({condition(t, director, sign), int(to - program.phases.begin())});
      }
      phases_.push_back(std::move(bound));
    }
  }

  void start(Director& d) {
    current_ = -1;
    carry_out(initialize_, d);
  }

  void control(Director& d) {
    if (phases_.empty()) return;
    if (current_ < 0) return enter(0, d);
    // one transition may lead straight to the next, but not round in circles within an instant
    for (size_t hops = 0; hops < phases_.size(); ++hops) {
      const Phase& phase = phases_[size_t(current_)];
      const auto met = std::find_if(phase.next.begin(), phase.next.end(),
                                    [&](const Transition& t) { return t.when(d) > -1e-12; });
      if (met == phase.next.end()) return;
      enter(met->to, d);
    }
  }

 private:
  using Vector = std::function<Vec3d(const Director&)>;
  struct BoundEquation {
    const ProgramEquation* source;
    Quantity quantity;
    Vector to, velocity, over;
    Observe time, weight, within;
  };
  struct Step {
    const ProgramStep* source = nullptr;
    std::vector<std::pair<std::string, Observe>> set;
    std::vector<BoundEquation> equations;
  };
  struct Transition {
    Observe when;  // above zero: go
    int to;
  };
  struct Phase {
    std::string name;
    Step enter;
    std::vector<Transition> next;
  };

  void collect_variables(const ProgramStep& step) {
    for (const auto& [name, text] : step.set) variables_.emplace(name, 0);
  }
  void collect_equations(const ProgramStep& step) {
    for (const ProgramEquation& e : step.equations) equation_names_.push_back(e.name);
  }

  // --- formulas

  // What a dotted name means.
  Observe observe(const std::string& name, const Director& d) const {
    if (name == "time") return [](const Director& n) { return n.time(); };
    if (name == "legs") return [](const Director& n) { return double(n.system().world.body.legs.size()); };
    if (name == "phase_time") return [](const Director& n) { return n.phase_time(); };
    if (const auto v = variables_.find(name); v != variables_.end()) {
      const double* value = &v->second;
      return [value](const Director&) { return *value; };
    }
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos) unknown(name, d);
    const std::string who = name.substr(0, dot), field = name.substr(dot + 1);
    const Creature& body = d.system().world.body;
    if (field == "distance") {
      if (std::find(equation_names_.begin(), equation_names_.end(), who) == equation_names_.end())
        throw Error("there is no equation '" + who + "'" + did_you_mean(who, equation_names_));
      return [who](const Director& n) { return n.has_equation(who) ? n.distance_to_target(who) : 1e9; };
    }
    if (field == "on") return [who](const Director& n) { return n.has_equation(who) ? 1.0 : 0.0; };
    if (field == "angle" || field == "rate" || field == "torque") {
      const Quantity angle = d.angle(who), torque = d.torque(who);
      if (field == "angle") return [angle](const Director& n) { return n.value(angle).x; };
      if (field == "rate") return [angle](const Director& n) { return n.rate(angle).x; };
      return [torque](const Director& n) { return n.acceleration(torque).x; };
    }
    if (field == "touch")
      return d.touches(who), [who](const Director& n) { return n.touches(who) ? 1.0 : 0.0; };
    if (field == "stand_x" || field == "stand_y" || field == "stand_z") {
      const int axis = field.back() - 'x';
      return d.support(who), [who, axis](const Director& n) { return n.support(who)[axis]; };
    }
    if (field == "press_x" || field == "press_y" || field == "press_z") {
      const int axis = field.back() - 'x';
      return d.pressure(who), [who, axis](const Director& n) { return n.pressure(who)[axis]; };
    }
    if (field == "load") {
      const Quantity force = d.force(who);
      return [force](const Director& n) { return n.acceleration(force).z; };
    }
    if (field == "roll" || field == "pitch" || field == "yaw") {
      const int axis = field == "roll" ? 0 : field == "pitch" ? 1 : 2;
      const Quantity turn = d.orientation(who);
      return [turn, axis](const Director& n) { return n.value(turn)[axis]; };
    }
    if (field == "height") return d.height(who), [who](const Director& n) { return n.height(who); };
    static const std::vector<std::string> fields = {"x", "y", "z", "vx", "vy", "vz"};
    const auto at = std::find(fields.begin(), fields.end(), field);
    if (at == fields.end()) {
      std::vector<std::string> all = fields;
      for (const char* more :
           {"height", "touch", "load", "stand_x", "stand_y", "stand_z", "press_x", "press_y", "press_z",
            "angle", "rate", "torque", "distance", "on", "roll", "pitch", "yaw"})
        all.push_back(more);
      throw Error("'" + name + "': there is no '" + field + "' of anything" + did_you_mean(field, all));
    }
    const int axis = int(at - fields.begin());
    const bool label =
        std::any_of(body.labels.begin(), body.labels.end(), [&](const Label& l) { return l.name == who; });
    const Quantity q = who == "com"                                     ? d.center_of_mass()
                       : who == "angular_momentum"                      ? d.angular_momentum()
                       : !label && d.system().world.body.link(who) >= 0 ? d.position(who)
                                                                        : d.point(who);
    if (axis < 3) return [q, axis](const Director& n) { return n.value(q)[axis]; };
    return [q, axis](const Director& n) { return n.rate(q)[axis - 3]; };
  }

  [[noreturn]] void unknown(const std::string& name, const Director&) const {
    std::vector<std::string> names = {"time", "phase_time", "legs"};
    for (const auto& [variable, value] : variables_) names.push_back(variable);
    for (const auto& [let, text] : program_.lets) names.push_back(let);
    throw Error("'" + name + "' is neither a constant nor a variable" + did_you_mean(name, names));
  }

  // The formula with names for formulas written out.
  std::string expand(const std::string& text, int depth = 0) const {
    if (depth > 20) throw Error("'let' goes round in circles");
    return map_names(text, [&](const std::string& name) {
      for (const auto& [let, meaning] : program_.lets)
        if (let == name) return "(" + expand(meaning, depth + 1) + ")";
      return name;
    });
  }

  Observe formula(const std::string& text, const Director& d, int side, const Where& where,
                  const std::string& who) const {
    std::vector<std::string> names;
    std::vector<Observe> observed;
    try {
      const std::string plain = map_names(expand(text), [&](const std::string& name) -> std::string {
        if (name == "side") return side < 0 ? "(-1)" : side > 0 ? "1" : "0";
        if (std::find(functions().begin(), functions().end(), name) != functions().end()) return name;
        std::string flat = name;
        for (size_t dot; (dot = flat.find('.')) != std::string::npos;) flat.replace(dot, 1, "__");
        if (std::find(names.begin(), names.end(), flat) == names.end())
          names.push_back(flat), observed.push_back(observe(name, d));
        return flat;
      });
      const auto expression = std::make_shared<Expression>(plain, names);
      if (names.empty()) {
        const double value = (*expression)(nullptr);
        return [value](const Director&) { return value; };
      }
      return [expression, observed](const Director& n) {
        double values[64];
        const size_t count = std::min<size_t>(observed.size(), 64);
        for (size_t i = 0; i < count; ++i) values[i] = observed[i](n);
        return (*expression)(values);
      };
    } catch (const Error& e) {
      throw Error(where, who, e.what());
    }
  }

  Vector vector(const ProgramVector& v, const Director& d, int side, const std::string& who) const {
    if (v.text.empty()) return {};
    std::vector<Observe> parts;
    for (const std::string& text : v.text) parts.push_back(formula(text, d, side, v.where, who));
    return [parts](const Director& n) {
      Vec3d out;
      for (size_t i = 0; i < parts.size() && i < 3; ++i) out[int(i)] = parts[i](n);
      return out;
    };
  }

  // "a < b" becomes b - a, so that the moment can be found by secants; anything else is 1 or 0.
  Observe condition(const ProgramTransition& t, const Director& d, int side) const {
    const std::string who = "transition to '" + t.to + "'", text = expand(t.when);
    int depth = 0;
    size_t at = std::string::npos, count = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')') --depth;
      if (depth == 0 && (text[i] == '<' || text[i] == '>')) at = i, ++count;
    }
    if (count != 1) {
      const Observe yes = formula(text, d, side, t.where, who);
      return [yes](const Director& n) { return yes(n) - 0.5; };
    }
    const bool less = text[at] == '<';
    const size_t rest = at + (text[at + 1] == '=' ? 2 : 1);
    const std::string a = text.substr(0, at), b = text.substr(rest);
    return formula(less ? "(" + b + ") - (" + a + ")" : "(" + a + ") - (" + b + ")", d, side, t.where, who);
  }

  // --- steps

  Step bind(const ProgramStep& step, Director& d, int side) const {
    Step bound;
    bound.source = &step;
    for (const std::string& name : step.remove)
      if (std::find(equation_names_.begin(), equation_names_.end(), name) == equation_names_.end())
        throw Error(
            step.where, "remove",
            "no equation of this algorithm is called '" + name + "'" + did_you_mean(name, equation_names_));
    const auto check_link = [&](const std::string& text, const char* what) {
      const std::string link = text.substr(0, text.find(" at "));
      try {
        for (const std::string& one : d.links_of(link)) d.holds(one);
        if (link.size() != text.size()) d.point(text.substr(link.size() + 4));
      } catch (const Error& e) {
        throw Error(step.where, what, e.what());
      }
    };
    for (const std::string& name : step.hold) check_link(name, "hold");
    for (const std::string& name : step.release) check_link(name, "release");
    for (const auto& [name, text] : step.set)
      bound.set.emplace_back(name, formula(text, d, side, step.where, "set '" + name + "'"));
    for (const ProgramEquation& e : step.equations) {
      const std::string who = (e.cost ? "cost '" : "equation '") + e.name + "'";
      BoundEquation b;
      b.source = &e;
      try {
        b.quantity = parse_quantity(e.quantity, d);
      } catch (const Error& error) {
        throw Error(e.where, who, error.what());
      }
      const size_t wanted = b.quantity.scalar() ? 1 : 3;
      for (const ProgramVector* v : {&e.to, &e.velocity, &e.over})
        if (!v->text.empty() && v->text.size() != wanted)
          throw Error(v->where, who,
                      "has " + std::to_string(v->text.size()) + " values where " + std::to_string(wanted) +
                          (wanted == 1 ? " is" : " are") +
                          " meant; all three components are written, also where " +
                          "the quantity names fewer");
      b.to = vector(e.to, d, side, who), b.velocity = vector(e.velocity, d, side, who);
      b.over = vector(e.over, d, side, who);
      if (!e.time.empty()) b.time = formula(e.time, d, side, e.where, who);
      if (!e.weight.empty()) b.weight = formula(e.weight, d, side, e.where, who);
      if (!e.within.empty()) b.within = formula(e.within, d, side, e.where, who);
      bound.equations.push_back(std::move(b));
    }
    return bound;
  }

  void carry_out(const Step& step, Director& d) {
    for (const std::string& name : step.source->remove) d.remove_equation(name);
    for (const std::string& name : step.source->remove_cost) d.remove_cost(name);
    for (const std::string& name : step.source->release)
      for (const std::string& link : d.links_of(name)) d.release(link);
    for (const std::string& text : step.source->hold) {
      const size_t at = text.find(" at ");
      for (const std::string& link : d.links_of(text.substr(0, at)))
        d.hold(link, at == std::string::npos ? "" : text.substr(at + 4));
    }
    for (const auto& [name, value] : step.set) variables_.at(name) = value(d);
    for (const BoundEquation& b : step.equations) {
      const double weight = b.weight ? b.weight(d) * d.weight_unit(b.quantity) : 0;
      if (b.source->cost) {
        d.add_cost(b.source->name, b.quantity, weight, b.to);
        continue;
      }
      Law law;
      law.type = b.source->type;
      if (law.type == LawType::equals || b.source->follow) law.value = b.to;
      if (law.type != LawType::equals && b.to) law.target = b.to(d);
      if (b.velocity) law.velocity = b.velocity(d);
      if (b.over) law.over = b.over(d);
      if (b.time) law.time = b.time(d);
      if (b.within) law.within = b.within(d);
      d.add_equation(b.source->name, b.quantity, law, weight);
    }
  }

  void enter(int phase, Director& d) {
    current_ = phase;
    d.enter_phase(phases_[size_t(phase)].name);
    carry_out(phases_[size_t(phase)].enter, d);
    const Phase* here = &phases_[size_t(phase)];
    if (here->next.empty()) return d.wait_until({});
    d.wait_until([here](const Director& n) {
      double most = -INFINITY;
      for (const Transition& t : here->next) most = std::max(most, t.when(n));
      return most;
    });
  }

  const Program& program_;
  std::map<std::string, double> variables_;
  std::vector<std::string> equation_names_;
  Step initialize_;
  std::vector<Phase> phases_;
  int current_ = -1;
};

}  // namespace

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
      throw Error("--set: '" + text + "' is no number for '" + name + "'");
    c.value = value;
    return;
  }
  if (equals == std::string::npos) throw Error("--set: '" + assignment + "' is not NAME=VALUE");
  throw Error("--set: '" + program.name + "' has no constant '" + name + "'" + did_you_mean(name, names));
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
  all(s.remove), all(s.remove_cost), all(s.release), all(s.hold);
  for (auto& [name, text] : s.set) name = mirrored_names(name), text = mirrored_names(text);
  for (ProgramEquation& e : s.equations) {
    for (std::string* text : {&e.name, &e.quantity, &e.time, &e.weight, &e.within})
      *text = mirrored_names(*text);
    all(e.to.text), all(e.velocity.text), all(e.over.text);
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
      throw Error("'" + kind + "' is no kind of quantity" + did_you_mean(kind, kinds));
    const std::string name = whole ? "" : i < list.size() ? list[i++] : "";
    if (!whole && name.empty()) throw Error("'" + text + "': " + kind + " of what?");
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
  if (!any) throw Error("'" + text + "' names no quantity" + did_you_mean(text, kinds));
  return sum;
}

void install(const Program& program, Director& director) {
  const auto resolve = [&](const char* what, const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& e) {
      throw Error(program.where, what, e.what());
    }
  };
  resolve("torque_limits", [&] {
    for (const auto& [dof, limit] : program.torque_limits) director.set_torque_limit(dof, limit);
  });
  resolve("joint_friction", [&] {
    for (const auto& [dof, torque] : program.joint_friction) director.set_joint_friction(dof, torque);
  });
  resolve("passive", [&] {
    for (const std::string& dof : program.passive) director.set_passive(dof);
  });
  if (program.smoothness > 0) director.add_smoothness_cost(program.smoothness, program.posture);
  const auto bound = std::make_shared<Bound>(program, director);
  director.initialize = [bound](Director& d) { bound->start(d); };
  director.controller = [bound](Director& d) {
    try {
      bound->control(d);
    } catch (const Error& e) {
      d.stop(e.what());
    }
  };
}

}  // namespace legwork
