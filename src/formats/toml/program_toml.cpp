#include "formats/toml/program_toml.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "creature/side.h"
#include "formats/shipped.h"
#include "formats/toml/toml_reader.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

// A formula: a number or a text.
std::string formula(const TomlTable& table, const TomlNode& node, const std::string& what) {
  if (node.is_number()) return to_text(node.number);
  if (node.kind != TomlKind::text)
    table.fail(node, what + " is " + describe(node), "write a number or a formula");
  return node.text;
}

ProgramVector vector_of(const TomlTable& table, const TomlNode* node, const std::string& what) {
  ProgramVector v;
  if (!node) return v;
  v.where = {table.file(), node->line};
  if (node->kind == TomlKind::array)
    for (const TomlNode& item : node->items) v.text.push_back(formula(table, item, what));
  else
    v.text.push_back(formula(table, *node, what));
  return v;
}

std::string formula_of(TomlTable& table, const char* key) {
  const TomlNode* node = table.find(key);
  return node ? formula(table, *node, "'" + std::string(key) + "'") : "";
}

ProgramEquation read_equation(const TomlNode& node, const std::string& file, bool cost) {
  TomlTable t(node, file, cost ? "cost" : "equation");
  ProgramEquation e;
  e.cost = cost, e.where = t.where();
  e.name = t.required_text("name");
  const std::string who = (cost ? "cost '" : "equation '") + e.name + "'";
  TomlTable named(node, file, who);
  named.find("name");
  e.quantity = named.required_text("of");
  e.weight = formula_of(named, "weight");
  if (cost) {
    if (e.weight.empty()) named.fail("has no weight", "write weight = 1");
    e.to = vector_of(named, named.find("wanted"), "'wanted'");
  } else {
    const std::string law = named.only_one_of({"pd", "quintic", "equals"});
    if (law.empty())
      named.fail("says nothing", "write pd = { to, time }, quintic = { to, velocity, time } or equals = ...");
    if (law == "equals") {
      e.to = vector_of(named, named.find("equals"), "'equals'");
    } else {
      TomlTable about = *named.table(law, who);
      e.type = law == "pd" ? LawType::pd : LawType::quintic;
      e.to = vector_of(about, about.find("to"), "'to'");
      if (e.to.text.empty()) about.fail("has no 'to'", "write where it goes");
      e.time = formula_of(about, "time");
      if (e.time.empty()) about.fail("has no 'time'", "write how long it takes, in s");
      if (law == "pd") {
        e.within = formula_of(about, "within");
        e.follow = about.boolean("follow", false);
      } else {
        e.velocity = vector_of(about, about.find("velocity"), "'velocity'");
        e.over = vector_of(about, about.find("over"), "'over'");
      }
      about.finish();
    }
  }
  named.finish();
  return e;
}

// Adds to what a base has said.
void read_step(TomlTable& t, ProgramStep& s) {
  s.where = t.where();
  const auto add = [&](const char* key, std::vector<std::string>& list) {
    for (const std::string& text : t.texts(key).value_or(std::vector<std::string>{})) list.push_back(text);
  };
  add("remove", s.remove), add("remove_cost", s.remove_cost), add("release", s.release), add("hold", s.hold),
      add("hold_in_air", s.hold_in_air), add("grasp", s.grasp), add("let_go", s.let_go);
  if (const std::string turn = formula_of(t, "turn"); !turn.empty()) s.turn = turn;
  if (const std::optional<TomlTable> set = t.table("set", "set"))
    for (const TomlField& field : set->node().fields)
      s.set.emplace_back(field.key, formula(*set, field.value, "'" + field.key + "'"));
  for (const bool cost : {true, false})
    for (const TomlNode* node : t.tables(cost ? "cost" : "equation")) {
      ProgramEquation e = read_equation(*node, t.file(), cost);
      const auto old = std::find_if(s.equations.begin(), s.equations.end(), [&](const ProgramEquation& o) {
        return o.name == e.name && o.cost == cost;
      });
      if (old == s.equations.end())
        s.equations.push_back(std::move(e));
      else
        *old = std::move(e);
    }
}

Program find_program(const std::string& name, const std::string& from, int depth);

ProgramCall read_call(TomlTable& t, const std::string& who, int depth) {
  ProgramCall call;
  call.where = t.where();
  const std::string name = t.required_text("algorithm");
  if (depth > 10) t.fail_at("algorithm", "goes round in circles");
  call.program = std::make_shared<Program>(find_program(name, t.file(), depth + 1));
  call.heading = formula_of(t, "heading");
  if (const std::optional<TomlTable> with = t.table("with", who + ": with"))
    for (const TomlField& field : with->node().fields)
      call.with.emplace_back(field.key, formula(*with, field.value, "'" + field.key + "'"));
  t.finish();
  return call;
}

ProgramPhase read_phase(const TomlNode& node, const std::string& file, int depth) {
  TomlTable t(node, file, "phase");
  ProgramPhase phase;
  phase.name = t.required_text("name");
  TomlTable named(node, file, "phase '" + phase.name + "'");
  named.find("name");
  read_step(named, phase.enter);
  if (std::optional<TomlTable> call = named.table("call", "phase '" + phase.name + "': call"))
    phase.call = read_call(*call, "phase '" + phase.name + "': call", depth);
  for (const TomlNode* next : named.tables("next")) {
    TomlTable n(*next, file, "phase '" + phase.name + "': next");
    ProgramTransition transition;
    transition.where = n.where();
    transition.when = n.required_text("when");
    transition.to = n.required_text("to");
    n.finish();
    phase.next.push_back(transition);
  }
  named.finish();
  return phase;
}

std::vector<std::pair<std::string, double>> read_numbers(TomlTable& t, const char* key) {
  std::vector<std::pair<std::string, double>> list;
  if (const std::optional<TomlTable> table = t.table(key, key))
    for (const TomlField& field : table->node().fields)
      list.emplace_back(field.key, table->to_number(field.value, "'" + field.key + "'"));
  return list;
}

void read_constants(TomlTable& t, Program& p) {
  const std::optional<TomlTable> table = t.table("constants", "constants");
  if (!table) return;
  for (const TomlField& field : table->node().fields) {
    ProgramConstant c;
    c.name = field.key;
    const auto old = std::find_if(p.constants.begin(), p.constants.end(),
                                  [&](const ProgramConstant& o) { return o.name == c.name; });
    if (old != p.constants.end()) c = *old;
    if (field.value.kind == TomlKind::table) {
      TomlTable about(field.value, t.file(), "constant '" + c.name + "'");
      if (!about.has("value")) about.fail("has no value");
      c.value = *about.number("value");
      c.unit = about.text("unit").value_or(c.unit), c.about = about.text("about").value_or(c.about);
      about.finish();
    } else {
      c.value = table->to_number(field.value, "'" + field.key + "'");
    }
    if (old != p.constants.end())
      *old = c;
    else
      p.constants.push_back(c);
  }
}

// Names for formulas; those of the base may be given another meaning.
void read_lets(TomlTable& t, Program& p) {
  const std::optional<TomlTable> lets = t.table("let", "let");
  if (!lets) return;
  for (const TomlField& field : lets->node().fields) {
    const std::string text = formula(*lets, field.value, "'" + field.key + "'");
    const auto old =
        std::find_if(p.lets.begin(), p.lets.end(), [&](const auto& l) { return l.first == field.key; });
    if (old != p.lets.end())
      old->second = text;
    else
      p.lets.emplace_back(field.key, text);
  }
}

// Phases of the file, each in the place of the base's of its name.
void read_phases(TomlTable& t, const std::string& path, bool mirror, int depth, Program& p) {
  std::vector<ProgramPhase> phases;
  for (const TomlNode* node : t.tables("phase")) phases.push_back(read_phase(*node, path, depth));
  if (mirror) phases = mirror_phases(std::move(phases));
  for (ProgramPhase& phase : phases) {
    const auto old = std::find_if(p.phases.begin(), p.phases.end(),
                                  [&](const ProgramPhase& o) { return o.name == phase.name; });
    if (old == p.phases.end())
      p.phases.push_back(std::move(phase));
    else
      *old = std::move(phase);
  }
}

Program read_program(const std::string& path, int depth) {
  const TomlNode root = read_toml(path);
  TomlTable t(root, path, "algorithm");
  Program p;
  if (const std::optional<std::string> base = t.text("base")) {
    if (depth > 10) t.fail_at("base", "goes round in circles");
    p = find_program(*base, path, depth + 1);
  }
  p.where = t.where();
  p.name = t.text("name").value_or(fs::path(path).stem().string());
  p.about = t.text("about").value_or(p.about);
  p.creature = t.text("creature").value_or(p.creature);
  p.ground =
      t.choice("ground", {"held", "unilateral", "penalty"}).value_or(p.ground.empty() ? "held" : p.ground);
  p.dt = t.number("dt", p.dt);
  p.smoothness = t.number("smoothness", p.smoothness);
  p.posture = t.number("posture", p.posture);
  read_constants(t, p);
  read_lets(t, p);
  // the later word counts; mirror says it of the other side, too
  const bool mirror = t.boolean("mirror", false);
  const auto both = [&](const std::string& name) {
    std::vector<std::string> names = {name};
    if (mirror && mirrored_name(name) != name) names.push_back(mirrored_name(name));
    return names;
  };
  for (const auto& [name, value] : read_numbers(t, "torque_limits"))
    for (const std::string& joint : both(name)) p.torque_limits.emplace_back(joint, value);
  for (const auto& [name, value] : read_numbers(t, "joint_friction"))
    for (const std::string& joint : both(name)) p.joint_friction.emplace_back(joint, value);
  for (const std::string& name : t.texts("passive").value_or(std::vector<std::string>{}))
    for (const std::string& joint : both(name)) p.passive.push_back(joint);
  if (std::optional<TomlTable> initialize = t.table("initialize", "initialize")) {
    read_step(*initialize, p.initialize);
    initialize->finish();
  }
  read_phases(t, path, mirror, depth, p);
  t.finish();
  return p;
}

// Beside the file that names it, or shipped.
Program find_program(const std::string& name, const std::string& from, int depth) {
  const fs::path beside = fs::path(from).parent_path() / (name + ".toml");
  std::error_code failed;
  return read_program(fs::is_regular_file(beside, failed)
                          ? beside.string()
                          : (shipped_folder("algorithms") / (name + ".toml")).string(),
                      depth);
}

}  // namespace

std::vector<ShippedProgram> shipped_programs() {
  std::vector<ShippedProgram> all;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(shipped_folder("algorithms"), failed)) {
    if (entry.path().extension() != ".toml") continue;
    const TomlNode root = read_toml(entry.path().string());
    const auto text = [&](const char* key) {
      const TomlNode* node = root.find(key);
      return node && node->kind == TomlKind::text ? node->text : std::string();
    };
    all.push_back({entry.path().stem().string(), text("about"), text("creature")});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

Program load_program(const std::string& name) {
  std::error_code failed;
  if (name.find('/') != std::string::npos || !fs::path(name).extension().empty()) {
    if (!fs::exists(name, failed)) throw Error({name, 0}, "", "there is no such file", "check the path");
    return read_program(name, 0);
  }
  const fs::path shipped = shipped_folder("algorithms") / (name + ".toml");
  if (fs::is_regular_file(shipped, failed)) return read_program(shipped.string(), 0);
  std::vector<std::string> names;
  for (const ShippedProgram& p : shipped_programs()) names.push_back(p.name);
  throw Error({}, "direct: algorithm", "there is none called '" + name + "'", did_you_mean(name, names));
}

}  // namespace legwork
