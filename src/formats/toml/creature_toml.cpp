#include "formats/toml/creature_toml.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <legwork/world.h>
#include "base/text.h"
#include "base/within.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "creature/likely_legs.h"
#include "creature/mirror.h"
#include "creature/scale.h"
#include "creature/side.h"
#include "formats/foreign.h"
#include "formats/shipped.h"
#include "formats/table/terrain_file.h"
#include "formats/toml/creature_keys.h"
#include "formats/toml/toml_link.h"
#include "formats/toml/toml_roles.h"
#include "ground/medium.h"
#include "math/real.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

struct LinkTable {
  std::string name, parent;
  const TomlNode* node;
};

// The [[link]] tables by name; none twice.
std::vector<LinkTable> link_tables(TomlTable& top) {
  std::vector<LinkTable> tables;
  std::map<std::string, int> line_of;
  for (const TomlNode* node : top.tables("link")) {
    const std::string name = TomlTable(*node, top.file(), "link").required_text("name");
    TomlTable t(*node, top.file(), "link '" + name + "'");
    if (const auto [first, fresh] = line_of.emplace(name, node->line); !fresh)
      t.fail("there are two links of this name, the first in line " + std::to_string(first->second),
             "rename one");
    tables.push_back({name, t.text("parent").value_or(""), node});
  }
  return tables;
}

// A link whose parents lead back to itself: says how.
[[noreturn]] void fail_circle(const TomlTable& top, const std::vector<LinkTable>& tables,
                              const LinkTable& start) {
  std::map<std::string, const LinkTable*> by_name;
  for (const LinkTable& t : tables) by_name[t.name] = &t;
  std::vector<std::string> way = {start.name};
  std::set<std::string> seen = {start.name};
  const LinkTable* at = &start;
  while (seen.insert(at->parent).second) {
    at = by_name.at(at->parent);
    way.push_back(at->name);
  }
  way.erase(way.begin(), std::find(way.begin(), way.end(), at->parent));
  const LinkTable& first = *by_name.at(way[0]);
  way.push_back(way[0]);
  if (way.size() > 12) way.erase(way.begin() + 6, way.end() - 5), way.insert(way.begin() + 6, "...");
  throw Error({top.file(), first.node->line}, "link '" + first.name + "'",
              "its parents go in a circle: " + join(way, " -> "), "one of them must have no parent");
}

// The order of the file, but parents before children. `known`: links that are there already.
std::vector<LinkTable> in_order(const TomlTable& top, const std::vector<LinkTable>& tables,
                                const Creature& known) {
  std::map<std::string, const LinkTable*> waiting;
  std::vector<std::string> names;
  for (const Link& link : known.links) names.push_back(link.name);
  for (const LinkTable& t : tables) {
    waiting[t.name] = &t;
    names.push_back(t.name);
  }
  for (const LinkTable& t : tables)
    if (!t.parent.empty() && !waiting.count(t.parent) && known.link(t.parent) < 0)
      throw Error({top.file(), t.node->find("parent")->line}, "link '" + t.name + "'",
                  "there is no link '" + t.parent + "' to be its parent", did_you_mean(t.parent, names));
  std::vector<LinkTable> order;
  for (const LinkTable& t : tables) {
    // the link and those above it that still wait
    std::vector<const LinkTable*> branch;
    for (auto at = waiting.find(t.name); at != waiting.end(); at = waiting.find(at->second->parent)) {
      branch.push_back(at->second);
      if (branch.size() > tables.size()) fail_circle(top, tables, t);
    }
    for (; !branch.empty(); branch.pop_back()) {
      waiting.erase(branch.back()->name);
      order.push_back(*branch.back());
    }
  }
  return order;
}

void read_one_link(const TomlTable& top, const LinkTable& table, const TomlUnits& units, Creature& creature) {
  TomlTable t(*table.node, top.file(), "link '" + table.name + "'", creature_keys("link"));
  t.find("name");
  t.find("parent");
  int index = creature.link(table.name);
  const bool from_base = index >= 0;
  if (!from_base) {
    index = int(creature.links.size());
    creature.links.emplace_back().name = table.name;
  }
  Link& link = creature.links[index];
  link.where = t.where();
  if (!table.parent.empty()) link.parent = creature.link(table.parent);
  if (link.parent >= index)
    t.fail_at("parent", "a link of the base can only move to a parent that comes before it");
  read_link(t, units, from_base, link);
  if (!from_base && link.parent < 0 && !t.has("joint") && !t.has("joints")) {
    Joint free;
    free.type = JointType::free;
    free.dofs.resize(6);
    link.joints = {free};
    name_joints(link);
  }
  t.finish();
}

// Sensors, actuators, couplings and tendons of the base go by number, and numbers move when joints change.
void follow_dofs(const std::vector<std::string>& before, const TomlTable& top, Creature& creature) {
  const auto follow = [&](const std::string& who, int& dof) {
    if (dof < 0) return;
    const std::string& name = before[dof];
    dof = creature.dof(name);
    if (dof < 0)
      throw Error({top.file(), 0}, who, "needs degree of freedom '" + name + "', which this file changed");
  };
  for (Sensor& s : creature.sensors) follow("sensor '" + s.name + "'", s.dof);
  for (Actuator& a : creature.actuators) follow("actuator '" + a.name + "'", a.dof);
  for (Coupling& c : creature.couplings)
    for (std::vector<DofTerm>* terms : {&c.terms, &c.drivers})
      for (DofTerm& term : *terms) follow("coupling '" + c.name + "'", term.dof);
  for (Tendon& t : creature.tendons)
    for (DofTerm& term : t.terms) follow("tendon '" + t.name + "'", term.dof);
}

void read_links(TomlTable& top, const TomlUnits& units, Creature& creature) {
  std::vector<LinkTable> fresh;
  std::vector<std::string> dofs;
  for (const Dof* dof : creature.dofs()) dofs.push_back(dof->name);
  const size_t base_size = creature.links.size();
  const std::vector<LinkTable> tables = link_tables(top);
  for (const LinkTable& t : tables)
    if (creature.link(t.name) < 0) fresh.push_back(t);
  for (const LinkTable& t : in_order(top, fresh, creature)) read_one_link(top, t, units, creature);
  for (const LinkTable& t : tables) {
    const int index = creature.link(t.name);
    if (index < 0 || index >= int(base_size)) continue;
    if (!t.parent.empty() && creature.link(t.parent) < 0)
      TomlTable(*t.node, top.file(), "link '" + t.name + "'")
          .fail_at("parent", "there is no link '" + t.parent + "' to be its parent");
    read_one_link(top, t, units, creature);
  }
  follow_dofs(dofs, top, creature);
  size_t shapes = 0;
  for (const Link& link : creature.links) shapes += link.shapes.size();
  if (std::int64_t(shapes) > toml_table_limit)
    throw Error({top.file(), 0}, "", "more than " + std::to_string(toml_table_limit) + " shapes");
}

// Degrees in a file that does not say so are the first slip of everyone.
void warn_of_wide_ranges(Creature& creature) {
  constexpr double most = 4 * pi;  // two turns
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints)
      for (size_t i = 0; i < joint.dofs.size(); ++i) {
        const double width = joint.dofs[i].upper - joint.dofs[i].lower;
        if (dof_unit(joint, int(i), {.angle = 0}) != 0 || !(width > most) || !std::isfinite(width)) continue;
        creature.warnings.push_back(to_string(link.where) + ": joint '" + joint.name + "': its range is " +
                                    to_text(width) + " rad wide; if degrees are meant, add angles = \"deg\"");
        return;  // one mention is enough
      }
}

// scale = 1.2, or [scale] with `all` and single links.
void read_scale(TomlTable& top, Creature& creature) {
  const TomlNode* node = top.find("scale");
  if (!node) return;
  const auto factor = [&](const TomlTable& t, const TomlNode& n, const std::string& what) {
    const double f = t.to_number(n, what);
    if (!(f > 0)) t.fail(n, what + " must be above 0, not " + to_text(f));
    return f;
  };
  if (node->is_number()) return scale(creature, factor(top, *node, "'scale'"));
  if (node->kind != TomlKind::table)
    top.fail(*node, "'scale' must be a factor or a table of links, not " + describe(*node));
  TomlTable t(*node, top.file(), "scale");
  for (const auto& [name, value] : node->fields) {
    if (name == "all") continue;
    const int link = creature.link(name);
    if (link < 0) {
      std::vector<std::string> names = {"all"};
      for (const Link& l : creature.links) names.push_back(l.name);
      t.fail(value, "there is no link '" + name + "'", did_you_mean(name, names));
    }
    scale_link(creature, link, factor(t, value, "'" + name + "'"));
  }
  if (const TomlNode* all = node->find("all")) scale(creature, factor(t, *all, "'all'"));
}

void read_head(TomlTable& top, Creature& creature) {
  creature.name = top.text("name").value_or(creature.name);
  if (creature.name.empty()) creature.name = std::filesystem::path(top.file()).stem().string();
  creature.about = top.text("about").value_or(creature.about);
  creature.character = top.text("character").value_or(creature.character);
  creature.integrator = top.text("integrator").value_or(creature.integrator);
  creature.dt = top.number("dt", creature.dt);
  creature.step_time = top.number("step_time", creature.step_time);
  if (creature.step_time < 0)
    top.fail_at("step_time", "must not be negative", "0 = from the body's geometry");
  if (const auto gravity = read_gravity(top)) creature.gravity = *gravity;
  creature.where = {top.file(), 0};
}

// A text of the table, in a form that `parse` accepts; its errors get the line.
template <class Parse>
void read_spec(TomlTable& t, const char* key, std::string& text, Parse parse) {
  const auto given = t.text(key);
  if (!given) return;
  try {
    parse(*given);
  } catch (const Error& error) {
    t.fail_at(key, error);
  }
  text = *given;
}

// [world]: where it lives; [discover]: what a search should know.
void read_surroundings(TomlTable& top, Creature& creature) {
  if (auto t = top.table("world", creature_keys("habitat"), "world")) {
    read_spec(*t, "terrain", creature.habitat.terrain, load_terrain);
    read_spec(*t, "contact", creature.habitat.contact, parse_contact);
    read_spec(*t, "water", creature.habitat.water, parse_medium);
    read_spec(*t, "wind", creature.habitat.wind, parse_medium);
    creature.habitat.body_contact = t->boolean("body_contact", creature.habitat.body_contact);
    t->finish();
  }
  if (auto t = top.table("discover", creature_keys("discover"), "discover")) {
    Discovery& d = creature.discovery;
    const double hidden = t->number("hidden", d.hidden);
    if (hidden != std::floor(hidden) || hidden < 0 || hidden > 1000)
      t->fail_at("hidden", "'hidden' must be a whole number from 0 to 1000, not " + to_text(hidden));
    d.hidden = int(hidden);
    d.cycle = t->number("cycle", d.cycle);
    d.seconds = t->number("seconds", d.seconds);
    d.metric = t->text("metric").value_or(d.metric);
    t->finish();
  }
}

// A pose of one side is a pose of both: joints that it leaves open do what their mirror images do. The axes
// are mirrored with the joints, so equal coordinates are mirror images; only rotations in space are reflected
// (y -> -y).
void mirror_pose(PoseDraft& pose) {
  std::set<std::string> set;
  for (const PoseDraft::Entry& entry : pose.entries) set.insert(entry.joint);
  std::vector<PoseDraft::Entry> images;
  for (const PoseDraft::Entry& entry : pose.entries) {
    if (side_of(entry.joint) == Side::none) continue;
    const std::string image = mirrored_name(entry.joint);
    if (!set.insert(image).second) continue;
    std::vector<double> q = entry.q;
    if (q.size() == 4) q = {q[0], -q[1], q[2], -q[3]};
    if (q.size() == 7) q = {q[0], -q[1], q[2], q[3], -q[4], q[5], -q[6]};
    images.push_back({image, q});
  }
  pose.entries.insert(pose.entries.end(), images.begin(), images.end());
}

// A creature as far as its file goes: mirrored and scaled, not yet completed.
Creature draft_from(const TomlNode& root, const std::string& file, std::vector<std::string> files);

// files: the ones that are being read, each the base of the one before.
Creature draft_base(const std::string& base, const std::string& file, const std::vector<std::string>& files) {
  const fs::path folder = fs::path(file).parent_path();
  const std::string path = creature_path(base, folder.string());
  std::error_code failed;
  for (const std::string& open : files)
    if (fs::equivalent(open, path, failed))
      throw Error("bases go in a circle: it is built on this file itself",
                  "one of them must have another base");
  if (files.size() > 32) throw Error("more than 32 files build on each other");
  if (fs::path(path).extension() != ".toml") return read_foreign(path);
  return draft_from(read_toml(path), path, files);
}

Creature draft_from(const TomlNode& root, const std::string& file, std::vector<std::string> files) {
  if (is_world(root))
    TomlTable(root, file, "")
        .fail_at("body", "a world of several bodies, where one creature is needed", "name one of its bodies");
  if (root.find("verb"))
    TomlTable(root, file, "")
        .fail_at("verb", "a scenario or a study, where a creature is needed",
                 "legwork run or legwork study runs it");
  TomlTable top(root, file, "", creature_keys("creature"));
  files.push_back(file);
  Creature creature;
  if (const auto base = top.text("base")) {
    try {
      creature = draft_base(*base, file, files);
    } catch (const Error& error) {
      top.fail_at("base", within({}, "base '" + *base + "'", error));
    }
  }
  const TomlUnits units = read_units(top);
  std::vector<PoseDraft> poses = draft_poses(creature);
  creature.poses.clear();

  read_head(top, creature);
  read_surroundings(top, creature);
  read_links(top, units, creature);
  if (units.angle == 1) warn_of_wide_ranges(creature);
  const bool mirrored = top.boolean("mirror", false);
  if (mirrored) mirror(creature);
  read_roles(top, units, creature);
  if (mirrored) mirror(creature);
  read_poses(top, units, creature, poses);
  for (PoseDraft& pose : poses) {
    if (mirrored) mirror_pose(pose);
    creature.poses.push_back(finish_pose(pose, creature));
  }
  read_scale(top, creature);
  top.finish();
  if (creature.links.empty())
    throw Error({file, 0}, "", "holds no links", "a creature needs at least one [[link]]");
  return creature;
}

Creature finish(Creature creature) {
  find_legs(creature);
  complete(creature);
  check(creature);
  return creature;
}

}  // namespace

bool is_world(const TomlNode& root) { return root.find("body") != nullptr; }

Creature read_creature_toml(const std::string& path) { return finish(draft_from(read_toml(path), path, {})); }

Creature parse_creature_toml(const std::string& text, const std::string& file) {
  return finish(draft_from(parse_toml(text, file), file, {}));
}

}  // namespace legwork
