#include "direct/formulas.h"

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "base/within.h"
#include "direct/program_names.h"
#include "math/expression.h"
#include "math/real.h"
#include "math/rotation.h"

namespace legwork {

namespace {

const std::vector<std::string>& functions() {
  static const std::vector<std::string> names = {"pi",  "e",   "sin",   "cos",   "tan",  "tanh",
                                                 "exp", "log", "sqrt",  "abs",   "sign", "floor",
                                                 "min", "max", "atan2", "hypot", "mod",  "if"};
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<std::string>& motion_fields() {
  static const std::vector<std::string> fields = {"x", "y", "z", "vx", "vy", "vz"};
  return fields;
}

// Fields of a joint: angle, rate, torque. Empty for any other field, here and below.
Observe observe_joint(const std::string& who, const std::string& field, const Director& d, const Frame&) {
  if (field != "angle" && field != "rate" && field != "torque") return {};
  const Quantity angle = d.angle(who), torque = d.torque(who);
  if (field == "angle") return [angle](const Director& n) { return n.value(angle).x; };
  if (field == "rate") return [angle](const Director& n) { return n.rate(angle).x; };
  return [torque](const Director& n) { return n.acceleration(torque).x; };
}

// Fields of a link on the ground: whether, where and how hard it touches.
Observe observe_touch(const std::string& who, const std::string& field, const Director& d,
                      const Frame& frame) {
  if (field == "touch")
    return d.touches(who), [who](const Director& n) { return n.touches(who) ? 1.0 : 0.0; };
  if (field == "stand_x" || field == "stand_y" || field == "stand_z") {
    const int axis = field.back() - 'x';
    return d.support(who),
           [who, axis, &frame](const Director& n) { return frame.place(n.support(who))[axis]; };
  }
  if (field == "press_x" || field == "press_y" || field == "press_z") {
    const int axis = field.back() - 'x';
    return d.pressure(who),
           [who, axis, &frame](const Director& n) { return frame.place(n.pressure(who))[axis]; };
  }
  if (field != "load") return {};
  const Quantity force = d.force(who);
  return [force](const Director& n) { return n.acceleration(force).z; };
}

// How links are turned, how high points are.
Observe observe_pose(const std::string& who, const std::string& field, const Director& d,
                     const Frame& frame) {
  if (field == "height") return d.height(who), [who](const Director& n) { return n.height(who); };
  if (field != "roll" && field != "pitch" && field != "yaw") return {};
  const int axis = field == "roll" ? 0 : field == "pitch" ? 1 : 2;
  const Quantity turn = d.orientation(who);
  return [turn, axis, &frame](const Director& n) {
    const Vec3d world = n.value(turn);
    return frame.heading == 0 ? world[axis]
                              : rotation_vector(transpose(frame.R) * rotation_matrix(world))[axis];
  };
}

// Where points, links and the whole are, and how fast.
Observe observe_motion(const std::string& who, const std::string& field, const Director& d,
                       const Frame& frame) {
  const auto at = std::find(motion_fields().begin(), motion_fields().end(), field);
  if (at == motion_fields().end()) return {};
  const int axis = int(at - motion_fields().begin());
  const Creature& body = d.system().world.body;
  const bool label =
      std::any_of(body.labels.begin(), body.labels.end(), [&](const Label& l) { return l.name == who; });
  const Quantity q = who == "com"                    ? d.center_of_mass()
                     : who == "angular_momentum"     ? d.angular_momentum()
                     : !label && body.link(who) >= 0 ? d.position(who)
                                                     : d.point(who);
  if (axis < 3) return [q, axis, &frame](const Director& n) { return frame.place(n.value(q))[axis]; };
  return [q, axis, &frame](const Director& n) { return frame.direction(n.rate(q))[axis - 3]; };
}

[[noreturn]] void unknown_field(const std::string& name, const std::string& field) {
  std::vector<std::string> all = motion_fields();
  for (const char* more : {"height", "touch", "load", "stand_x", "stand_y", "stand_z", "press_x", "press_y",
                           "press_z", "angle", "rate", "torque", "distance", "on", "roll", "pitch", "yaw"})
    all.push_back(more);
  throw Error({}, "'" + name + "'", "there is no '" + field + "' of anything", did_you_mean(field, all));
}

}  // namespace

void Frame::turn_about(const Vec3d& pivot, double angle) {
  const Mat3d by = rotation_matrix(Vec3d(0, 0, angle));
  const Vec3d level(pivot.x, pivot.y, 0);
  origin = level + by * (origin - level);
  heading += angle;
  R = rotation_matrix(Vec3d(0, 0, heading));
}

Formulas::Formulas(const Program& program, std::string prefix)
    : program_(program), prefix_(std::move(prefix)) {
  for (const ProgramConstant& c : program.constants) variables_[c.name] = c.value;
  variables_["deg"] = pi / 180;
  collect(program.initialize);
  for (const ProgramPhase& phase : program.phases) collect(phase.enter);
}

void Formulas::give(const std::string& constant, Observe value) {
  std::vector<std::string> names;
  for (const ProgramConstant& c : program_.constants) {
    names.push_back(c.name);
    if (c.name == constant) return void(given_[constant] = std::move(value));
  }
  throw Error({}, "with", "'" + program_.name + "' has no constant '" + constant + "'",
              did_you_mean(constant, names));
}

void Formulas::collect(const ProgramStep& step) {
  for (const auto& [name, text] : step.set) variables_.emplace(name, 0);
  for (const ProgramEquation& e : step.equations) equation_names_.push_back(e.name);
}

bool Formulas::has_equation(const std::string& name) const { return contains(equation_names_, name); }

Observe Formulas::observe_distance(const std::string& who) const {
  if (!has_equation(who))
    throw Error("there is no equation '" + who + "'", did_you_mean(who, equation_names_));
  return [full = prefix_ + who](const Director& n) {
    return n.has_equation(full) ? n.distance_to_target(full) : 1e9;
  };
}

// What a dotted name means.
Observe Formulas::observe(const std::string& name, const Director& d) const {
  if (name == "time") return [](const Director& n) { return n.time(); };
  if (name == "legs") return [](const Director& n) { return double(n.system().world.body.legs.size()); };
  if (name == "phase_time") return [this](const Director& n) { return n.time() - phase_start; };
  if (const auto given = given_.find(name); given != given_.end()) return given->second;
  if (const auto v = variables_.find(name); v != variables_.end()) {
    const double* value = &v->second;
    return [value](const Director&) { return *value; };
  }
  if (name == "turned") return [this](const Director&) { return turned; };
  if (name == "done") return [this](const Director&) { return done; };
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) unknown_name(name);
  const std::string who = name.substr(0, dot), field = name.substr(dot + 1);
  if (field == "distance") return observe_distance(who);
  if (field == "on")
    return [full = prefix_ + who](const Director& n) { return n.has_equation(full) ? 1.0 : 0.0; };
  for (const auto& observe_kind : {observe_joint, observe_touch, observe_pose, observe_motion})
    if (Observe found = observe_kind(who, field, d, frame)) return found;
  unknown_field(name, field);
}

void Formulas::unknown_name(const std::string& name) const {
  std::vector<std::string> names = {"time", "phase_time", "legs"};
  for (const auto& [variable, value] : variables_) names.push_back(variable);
  for (const auto& [let, text] : program_.lets) names.push_back(let);
  throw Error("'" + name + "' is neither a constant nor a variable", did_you_mean(name, names));
}

// The formula with names for formulas written out.
std::string Formulas::expand(const std::string& text, int depth) const {
  if (depth > 20) throw Error("'let' goes round in circles");
  return map_names(text, [&](const std::string& name) {
    for (const auto& [let, meaning] : program_.lets)
      if (let == name) return "(" + expand(meaning, depth + 1) + ")";
    return name;
  });
}

Observe Formulas::scalar(const std::string& text, const Director& d, int side, const Where& where,
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
    return [expression, observed, values = std::vector<double>(observed.size())](const Director& n) mutable {
      for (size_t i = 0; i < observed.size(); ++i) values[i] = observed[i](n);
      return (*expression)(values.data());
    };
  } catch (const Error& e) {
    throw within(where, who, e);
  }
}

ObserveVector Formulas::vector(const ProgramVector& v, const Director& d, int side,
                               const std::string& who) const {
  if (v.text.empty()) return {};
  std::vector<Observe> parts;
  for (const std::string& text : v.text) parts.push_back(scalar(text, d, side, v.where, who));
  return [parts](const Director& n) {
    Vec3d out;
    for (size_t i = 0; i < parts.size() && i < 3; ++i) out[int(i)] = parts[i](n);
    return out;
  };
}

// "a < b" becomes b - a, so that the moment can be found by secants; anything else is 1 or 0.
Observe Formulas::condition(const ProgramTransition& t, const Director& d, int side) const {
  const std::string who = "transition to '" + t.to + "'", text = expand(t.when);
  int depth = 0;
  size_t at = std::string::npos, count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && (text[i] == '<' || text[i] == '>')) at = i, ++count;
  }
  if (count != 1) {
    const Observe yes = scalar(text, d, side, t.where, who);
    return [yes](const Director& n) { return yes(n) - 0.5; };
  }
  const bool less = text[at] == '<';
  const size_t rest = at + (text[at + 1] == '=' ? 2 : 1);
  const std::string a = text.substr(0, at), b = text.substr(rest);
  return scalar(less ? "(" + b + ") - (" + a + ")" : "(" + a + ") - (" + b + ")", d, side, t.where, who);
}

}  // namespace legwork
