#include "formats/toml/toml_roles.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/text.h"
#include "creature/place.h"
#include "creature/tree.h"
#include "formats/toml/creature_keys.h"
#include "math/real.h"

namespace legwork {

namespace {

std::vector<std::string> link_names(const Creature& creature) {
  std::vector<std::string> names;
  for (const Link& link : creature.links) names.push_back(link.name);
  return names;
}

int link_named(const TomlTable& t, const TomlNode& node, const std::string& what, const Creature& creature) {
  const std::string name = t.to_text(node, what);
  const int link = creature.link(name);
  if (link < 0) t.fail(node, "there is no link '" + name + "'", did_you_mean(name, link_names(creature)));
  return link;
}

std::optional<int> read_link_name(TomlTable& t, std::string_view key, const Creature& creature) {
  const TomlNode* node = t.find(key);
  if (!node) return {};
  return link_named(t, *node, "'" + std::string(key) + "'", creature);
}

int require_link(TomlTable& t, std::string_view key, const Creature& creature) {
  const auto link = read_link_name(t, key, creature);
  if (!link) t.fail("has no '" + std::string(key) + "'", "add " + std::string(key) + " = \"a link's name\"");
  return *link;
}

// Where a degree of freedom is: its joint, and its number there.
struct DofPlace {
  const Link* link = nullptr;
  const Joint* joint = nullptr;
  int number = 0;
};

DofPlace place_of_dof(const Creature& creature, int dof) {
  int first = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      if (dof < first + int(joint.dofs.size())) return {&link, &joint, dof - first};
      first += int(joint.dofs.size());
    }
  return {};
}

int require_dof(TomlTable& t, std::string_view key, const Creature& creature) {
  const std::string name = t.required_text(key);
  const int dof = creature.dof(name);
  if (dof < 0) {
    std::vector<std::string> names;
    for (const Dof* d : creature.dofs()) names.push_back(d->name);
    t.fail_at(key, "there is no degree of freedom '" + name + "'", did_you_mean(name, names));
  }
  return dof;
}

// Calls read(table, entry) for every [[kind]] of the file. Entries have unique names within the file;
// default_name gives one to those without,
// with a number where another has it.
template <class Entry>
void read_entries(TomlTable& top, const char* kind, std::vector<Entry>& entries,
                  const std::function<std::string(const TomlNode&, int)>& default_name,
                  const std::function<void(TomlTable&, Entry&)>& read) {
  std::map<std::string, int> line_of;
  const auto of_base = std::ptrdiff_t(entries.size());
  int number = 0;
  // a completed creature writes out every contact point: 26 for an ellipsoid
  const bool contacts = std::string_view(kind) == "contact";
  for (const TomlNode* node : top.tables(kind, contacts ? 10 * toml_table_limit : toml_table_limit)) {
    TomlTable t(*node, top.file(), kind);
    const std::string given = t.text("name").value_or("");
    std::string name = !given.empty() ? given : default_name(*node, ++number);
    if (name.empty()) t.required_text("name");
    if (given.empty() && line_of.contains(name)) {
      int next = 2;
      while (line_of.contains(name + "_" + std::to_string(next))) ++next;
      name += "_" + std::to_string(next);
    }
    TomlTable entry_table(*node, top.file(), std::string(kind) + " '" + name + "'", creature_keys(kind));
    entry_table.find("name");
    if (const auto [first, fresh] = line_of.emplace(name, node->line); !fresh)
      entry_table.fail("there are two of this name, the first in line " + std::to_string(first->second));
    Entry entry;
    entry.name = name;
    entry.where = {top.file(), node->line};
    read(entry_table, entry);
    entry_table.finish();
    const auto end_of_base = entries.begin() + of_base;
    const auto old =
        std::find_if(entries.begin(), end_of_base, [&](const Entry& e) { return e.name == name; });
    if (old == end_of_base)
      entries.push_back(std::move(entry));
    else
      *old = std::move(entry);
  }
}

std::string no_name(const TomlNode&, int) { return {}; }

// lf, rm, lh, ...: the first two letters of a leg's name say side and girdle where the file does not.
void guess_side_and_girdle(const std::string& name, std::optional<Side>& side,
                           std::optional<std::string>& girdle) {
  std::string_view rest = name;
  const auto starts = [&](std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  };
  const bool left = starts("left_") || starts("l"), right = !left && (starts("right_") || starts("r"));
  if (!left && !right) return;
  static const std::map<std::string, std::string, std::less<>> girdles = {
      {"", ""},          {"f", "fore"}, {"fore", "fore"}, {"front", "fore"}, {"m", "mid"},    {"mid", "mid"},
      {"middle", "mid"}, {"h", "hind"}, {"hind", "hind"}, {"b", "hind"},     {"back", "hind"}};
  const auto found = girdles.find(rest.substr(0, rest.find('_')));
  if (found == girdles.end()) return;
  if (!side) side = left ? Side::left : Side::right;
  if (!girdle) girdle = found->second;
}

// A motor program: [{ joint = "rf_coxa", to = 0.7, start = 0, end = 0.2 }, ...]
std::vector<Move> read_program(TomlTable& leg, const char* key, const TomlUnits& units,
                               const Creature& creature) {
  std::vector<Move> program;
  for (const TomlNode* node : leg.tables(key)) {
    TomlTable t(*node, leg.file(), leg.who() + ": " + key, creature_keys("move"));
    Move move;
    move.dof = require_dof(t, "joint", creature);
    const DofPlace place = place_of_dof(creature, move.dof);
    const auto to = t.number("to");
    if (!to) t.fail("a move has no 'to'", "add to = the rest position that its spring goes to");
    move.to = *to * dof_unit(*place.joint, place.number, units);
    move.start = t.number("start", 0);
    move.end = t.number("end", 1);
    t.finish();
    program.push_back(move);
  }
  return program;
}

void read_legs(TomlTable& top, const TomlUnits& units, Creature& creature) {
  read_entries<Leg>(top, "leg", creature.legs, no_name, [&](TomlTable& t, Leg& leg) {
    std::optional<Side> side;
    if (const auto s = t.choice("side", {"left", "right", "none"}))
      side = *s == "left" ? Side::left : *s == "right" ? Side::right : Side::none;
    std::optional<std::string> girdle = t.text("girdle");
    guess_side_and_girdle(leg.name, side, girdle);
    leg.side = side.value_or(Side::none);
    leg.girdle = girdle.value_or("");
    leg.hip = require_link(t, "hip", creature);
    leg.knee = read_link_name(t, "knee", creature).value_or(-1);
    leg.foot = require_link(t, "foot", creature);
    if (const auto sole = t.vec3("sole")) leg.sole = *sole, leg.sole_given = true;
    leg.step = read_program(t, "step", units, creature);
    leg.stance = read_program(t, "stance", units, creature);
    if (leg.step.empty() != leg.stance.empty())
      t.fail("has only one of the motor programs 'step' and 'stance'", "give both, or neither");
    for (int link = leg.foot; link != leg.hip; link = creature.links[link].parent)
      if (creature.links[link].parent < 0)
        t.fail_at("foot",
                  "foot '" + creature.links[leg.foot].name + "' does not hang below hip '" +
                      creature.links[leg.hip].name + "'",
                  "are they swapped?");
  });
}

void read_trunk(TomlTable& top, Creature& creature) {
  const TomlNode* node = top.find("trunk");
  if (!node) return;
  creature.trunk.clear();
  if (node->kind == TomlKind::array) {
    for (const TomlNode& item : node->items)
      creature.trunk.push_back(link_named(top, item, "every entry of 'trunk'", creature));
    return;
  }
  if (node->kind != TomlKind::table)
    top.fail(*node, "'trunk' must be a list of links or { from, to }, not " + describe(*node));
  TomlTable t(*node, top.file(), "trunk", creature_keys("trunk"));
  const int from = require_link(t, "from", creature), to = require_link(t, "to", creature);
  t.finish();
  creature.trunk = links_between(creature, from, to);
  if (creature.trunk.empty()) t.fail("no chain of links leads from one end to the other");
}

void read_contacts(TomlTable& top, Creature& creature) {
  const auto after_link = [](const TomlNode& node, int number) {
    const TomlNode* link = node.find("link");
    return (link ? link->text : "contact") + "_point_" + std::to_string(number);
  };
  read_entries<ContactPoint>(top, "contact", creature.contacts, after_link,
                             [&](TomlTable& t, ContactPoint& c) {
                               c.link = require_link(t, "link", creature);
                               c.pos = t.vec3("pos").value_or(Vec3d());
                               c.radius = t.number("radius", 0);
                               c.foot = t.boolean("foot", false);
                             });
  read_entries<Label>(top, "label", creature.labels, no_name, [&](TomlTable& t, Label& label) {
    label.link = require_link(t, "link", creature);
    label.pos = t.vec3("pos").value_or(Vec3d());
  });
}

// "length" and "linear": [link, other], with pos and other_pos.
template <class Entry>
void read_two_links(TomlTable& t, const char* key, const Creature& creature, Entry& entry) {
  const TomlNode& node = *t.find(key);
  if (node.kind != TomlKind::array || node.items.size() != 2)
    t.fail(node, "'" + std::string(key) + "' must be the two links [\"a\", \"b\"], not " + describe(node));
  entry.link = link_named(t, node.items[0], "the first link", creature);
  const bool world = node.items[1].text == "world" && creature.link("world") < 0;
  entry.other = world ? -1 : link_named(t, node.items[1], "the second link", creature);
  entry.other_pos = t.vec3("other_pos").value_or(Vec3d());
}

// The name of a sensor or actuator that has none: after what it is on and its kind.
std::function<std::string(const TomlNode&, int)> after_kind(const char* table) {
  return [table](const TomlNode& node, int number) {
    for (const std::string& kind : creature_keys(table).kind_names())
      if (const TomlNode* n = node.find(kind); n && n->kind == TomlKind::text) return n->text + "_" + kind;
    return table + ("_" + std::to_string(number));
  };
}

void read_range(TomlTable& t, double unit, double& lower, double& upper) {
  const TomlNode* range = t.find("range");
  if (!range) return;
  if (range->kind != TomlKind::array || range->items.size() != 2)
    t.fail(*range, "'range' must be [lower, upper], not " + describe(*range));
  lower = t.to_unbounded(range->items[0], "the lower end of 'range'") * unit;
  upper = t.to_unbounded(range->items[1], "the upper end of 'range'") * unit;
}

// range = [lower, upper], above, below, or for an eye half the opening of its cone; else: above 0, 45
// degrees.
void read_sensor_range(TomlTable& t, bool eye, double unit, Sensor& sensor) {
  const std::string kind = t.only_one_of({"range", "above", "below", "cone"});
  if (kind == "range") {
    read_range(t, unit, sensor.lower, sensor.upper);
  } else if (kind == "below") {
    sensor.upper = *t.number("below") * unit;
  } else if (eye && kind != "above") {
    sensor.upper = kind.empty() ? pi / 4 : *t.number("cone") * unit;
    sensor.lower = -sensor.upper;
  } else {
    sensor.lower = t.number("above", 0) * unit;
  }
}

void read_sensors(TomlTable& top, const TomlUnits& units, Creature& creature) {
  read_entries<Sensor>(top, "sensor", creature.sensors, after_kind("sensor"),
                       [&](TomlTable& t, Sensor& sensor) {
                         const std::string kind = t.kind();
                         double unit = 1;
                         if (kind == "angle") {
                           sensor.type = SensorType::angle;
                           sensor.dof = require_dof(t, "angle", creature);
                           const DofPlace place = place_of_dof(creature, sensor.dof);
                           unit = dof_unit(*place.joint, place.number, units);
                         } else if (kind == "length") {
                           sensor.type = SensorType::length;
                           read_two_links(t, "length", creature, sensor);
                         } else {
                           sensor.type = kind == "touch" ? SensorType::touch
                                         : kind == "eye" ? SensorType::eye
                                                         : SensorType::terrain;
                           sensor.link = require_link(t, kind, creature);
                           if (kind == "eye") unit = units.angle;
                           if (kind == "terrain") sensor.ahead = t.number("ahead", 0);
                         }
                         if (kind != "touch") read_sensor_range(t, kind == "eye", unit, sensor);
                         if (kind != "angle") {
                           const std::optional<Vec3d> pos = t.vec3("pos");
                           sensor.pos = pos.value_or(Vec3d());
                           sensor.whole = !pos;
                         }
                       });
}

void read_actuators(TomlTable& top, const TomlUnits& units, Creature& creature) {
  read_entries<Actuator>(top, "actuator", creature.actuators, after_kind("actuator"),
                         [&](TomlTable& t, Actuator& actuator) {
                           const std::string kind = t.kind();
                           double unit = 1;
                           if (kind == "linear") {
                             actuator.type = ActuatorType::linear;
                             read_two_links(t, "linear", creature, actuator);
                             actuator.pos = t.vec3("pos").value_or(Vec3d());
                           } else {
                             actuator.type = kind == "motor" ? ActuatorType::motor : ActuatorType::angular;
                             actuator.dof = require_dof(t, kind, creature);
                             const DofPlace place = place_of_dof(creature, actuator.dof);
                             unit = dof_unit(*place.joint, place.number, units);
                           }
                           actuator.ks = t.number("ks", actuator.ks);
                           actuator.kd = t.number("kd", actuator.kd);
                           read_range(t, unit, actuator.lower, actuator.upper);
                           if (const auto strength = t.unbounded("strength")) actuator.strength = *strength;
                           actuator.gear = t.number("gear", actuator.gear);
                           actuator.lag = t.number("lag", 0);
                           if (const auto name = t.text("tendon")) {
                             for (size_t i = 0; i < creature.tendons.size(); ++i)
                               if (creature.tendons[i].name == *name) actuator.tendon = int(i);
                             if (actuator.tendon < 0)
                               t.fail_at("tendon", "there is no tendon '" + *name + "'");
                           }
                         });
}

std::vector<DofTerm> read_terms(TomlTable& of, const char* key, const Creature& creature) {
  std::vector<DofTerm> terms;
  for (const TomlNode* node : of.tables(key)) {
    TomlTable t(*node, of.file(), of.who() + ": " + key, creature_keys("term"));
    terms.push_back({require_dof(t, "joint", creature), t.number("factor", 1)});
    t.finish();
  }
  return terms;
}

std::function<std::string(const TomlNode&, int)> numbered(const char* kind) {
  return [kind](const TomlNode&, int number) { return std::string(kind) + "_" + std::to_string(number); };
}

void read_couplings(TomlTable& top, Creature& creature) {
  read_entries<Coupling>(top, "coupling", creature.couplings, numbered("coupling"),
                         [&](TomlTable& t, Coupling& c) {
                           c.terms = read_terms(t, "terms", creature);
                           c.drivers = read_terms(t, "drivers", creature);
                           c.zero = t.number("zero", 0);
                           c.driver_zero = t.number("driver_zero", 0);
                           if (!c.drivers.empty()) c.polynomial[1] = 1;
                           if (const auto p = t.numbers("polynomial")) {
                             if (p->empty() || p->size() > c.polynomial.size())
                               t.fail_at("polynomial", "'polynomial' must be one to five numbers");
                             c.polynomial = {};
                             std::copy(p->begin(), p->end(), c.polynomial.begin());
                           }
                         });
}

std::vector<TendonPoint> read_tendon_points(TomlTable& of, const Creature& creature) {
  std::vector<TendonPoint> points;
  for (const TomlNode* node : of.tables("points")) {
    TomlTable t(*node, of.file(), of.who() + ": points", creature_keys("point"));
    TendonPoint p;
    const auto name = t.text("link");
    p.link =
        !name || (*name == "world" && creature.link("world") < 0) ? -1 : require_link(t, "link", creature);
    p.pos = t.vec3("pos").value_or(Vec3d());
    p.starts = t.boolean("starts", points.empty());
    p.divisor = t.number("divisor", 1);
    t.finish();
    points.push_back(p);
  }
  return points;
}

void read_tendons(TomlTable& top, Creature& creature) {
  read_entries<Tendon>(
      top, "tendon", creature.tendons, numbered("tendon"), [&](TomlTable& t, Tendon& tendon) {
        tendon.terms = read_terms(t, "terms", creature);
        tendon.points = read_tendon_points(t, creature);
        read_range(t, 1, tendon.lower, tendon.upper);
        if (auto limit = t.table("limit", creature_keys("limit"))) {
          tendon.limit_stiffness = limit->number("stiffness", 0);
          tendon.limit_damping = limit->number("damping", 0);
          limit->finish();
        }
        tendon.stiffness = t.number("stiffness", 0);
        tendon.damper = t.number("damper", 0);
        if (const TomlNode* rest = t.find("rest")) {
          const std::vector<double> x = rest->kind == TomlKind::array
                                            ? t.to_numbers(*rest, "'rest'")
                                            : std::vector<double>{t.to_number(*rest, "'rest'")};
          if (x.empty() || x.size() > 2) t.fail(*rest, "'rest' must be a length or [lower, upper]");
          tendon.rest_lower = x.front(), tendon.rest_upper = x.back();
        }
      });
}

// apart = [["a", "b"], ...]
void read_apart(TomlTable& top, Creature& creature) {
  const TomlNode* node = top.find("apart");
  if (!node) return;
  if (node->kind != TomlKind::array) top.fail(*node, "'apart' must be a list of pairs of links");
  creature.apart.clear();
  for (const TomlNode& pair : node->items) {
    if (pair.kind != TomlKind::array || pair.items.size() != 2)
      top.fail(pair, "every entry of 'apart' must be two links [\"a\", \"b\"], not " + describe(pair));
    creature.apart.push_back({link_named(top, pair.items[0], "a link of 'apart'", creature),
                              link_named(top, pair.items[1], "a link of 'apart'", creature)});
  }
}

// A point of link a (-1: the world) as link b sees it.
Vec3d carry(const std::vector<LinkFrame>& frames, int a, const Vec3d& p, int b) {
  const Vec3d p_w = a < 0 ? p : frames[a].p + frames[a].R * p;
  return b < 0 ? p_w : transpose_times(frames[b].R, p_w - frames[b].p);
}
Quatd carry(const std::vector<LinkFrame>& frames, int a, const Quatd& rot, int b) {
  const Mat3d R_w = a < 0 ? matrix(rot) : frames[a].R * matrix(rot);
  return quaternion(b < 0 ? R_w : transpose(frames[b].R) * R_w);
}

// link, other and their points. Where the other's point is not given, the two meet in the reference pose.
template <class Entry>
void read_ends(TomlTable& t, const Creature& creature, const std::vector<LinkFrame>& reference,
               Entry& entry) {
  entry.link = require_link(t, "link", creature);
  const auto other = t.text("other");
  entry.other =
      !other || (*other == "world" && creature.link("world") < 0) ? -1 : require_link(t, "other", creature);
  if (entry.other == entry.link) t.fail_at("other", "both ends are on link '" + *other + "'");
  entry.pos = t.vec3("pos").value_or(Vec3d());
  entry.other_pos = t.vec3("other_pos").value_or(carry(reference, entry.link, entry.pos, entry.other));
}

}  // namespace

void read_bonds(TomlTable& top, const TomlUnits& units, Creature& creature) {
  const bool any = top.has("loop") || top.has("attachment");
  if (!any) return;
  const std::vector<LinkFrame> reference = place(creature, creature.pose(""));
  read_entries<Loop>(top, "loop", creature.loops, numbered("loop"), [&](TomlTable& t, Loop& loop) {
    read_ends(t, creature, reference, loop);
    loop.frame = t.boolean("frame", false);
    if (const TomlNode* rot = t.find("rot")) loop.rot = to_rotation(t, *rot, units, "'rot'");
    const TomlNode* other_rot = t.find("other_rot");
    if (other_rot)
      loop.other_rot = to_rotation(t, *other_rot, units, "'other_rot'");
    else if (loop.frame)
      loop.other_rot = carry(reference, loop.link, loop.rot, loop.other);
  });
  read_entries<Attachment>(top, "attachment", creature.attachments, numbered("attachment"),
                           [&](TomlTable& t, Attachment& a) {
                             read_ends(t, creature, reference, a);
                             a.stiffness = t.number("stiffness", a.stiffness);
                             a.sharpness = t.number("sharpness", a.sharpness);
                             a.restitution = t.number("restitution", a.restitution);
                             a.damping = t.number("damping", a.damping);
                             a.rest = t.number("rest", a.rest);
                             a.break_length = t.unbounded("break_length").value_or(a.break_length);
                           });
}

void read_roles(TomlTable& top, const TomlUnits& units, Creature& creature) {
  read_legs(top, units, creature);
  read_trunk(top, creature);
  read_contacts(top, creature);
  read_sensors(top, units, creature);
  read_couplings(top, creature);
  read_tendons(top, creature);
  read_apart(top, creature);
  read_actuators(top, units, creature);
  read_bonds(top, units, creature);
}

}  // namespace legwork
