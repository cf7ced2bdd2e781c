#include "load/world_toml.h"

#include <filesystem>

#include <legwork/files.h>
#include <legwork/options.h>
#include "base/text.h"
#include "creature/assemble.h"
#include "creature/check.h"
#include "formats/shipped.h"
#include "formats/table/terrain_file.h"
#include "formats/toml/creature_keys.h"
#include "formats/toml/toml_roles.h"
#include "math/real.h"

namespace legwork {

namespace {

// One text, number, truth value or row of them, as Options take them.
std::vector<std::string> option_texts(const TomlTable& t, const TomlNode& node, const std::string& key) {
  switch (node.kind) {
    case TomlKind::boolean:
      return {node.boolean ? "true" : "false"};
    case TomlKind::integer:
    case TomlKind::number:
      return {to_text(t.to_unbounded(node, "'" + key + "'"))};
    case TomlKind::text:
      return {node.text};
    case TomlKind::array: {
      std::vector<std::string> all;
      for (const TomlNode& item : node.items) all.push_back(option_texts(t, item, key).at(0));
      return all;
    }
    default:
      t.fail(node, "'" + key + "' cannot be " + describe(node));
  }
}

// A text as on the command line, parsed by `parse`; its errors get the line.
template <class Parse>
auto parse_text(const TomlTable& t, const TomlNode& node, const std::string& key, Parse parse) {
  const std::string text = t.to_text(node, "'" + key + "'");
  try {
    return parse(text);
  } catch (const Error& error) {
    t.fail(node, error);
  }
}

// A text as on the command line, or a table of the options' fields.
template <class Fields, class Parse>
void read_options(TomlTable& top, const std::string& key, Fields& fields, Parse parse) {
  const TomlNode* node = top.find(key);
  if (!node) return;
  if (node->kind != TomlKind::table) {
    fields = parse_text(top, *node, key, parse);
    return;
  }
  const Options options(fields);
  for (const auto& [name, value] : node->fields) {
    const Option* option = options.find(name);
    if (!option)
      throw Error({top.file(), value.line}, key, "unknown key '" + name + "'",
                  did_you_mean(name, options.names()));
    option->set(option_texts(top, value, name), {top.file(), value.line}, key);
  }
}

// friction = 0.6 or { forward, back, side, axis }: short for the fields of contact.
void read_friction(TomlTable& top, ContactOptions& contact) {
  const TomlNode* node = top.find("friction");
  if (!node) return;
  if (node->is_number()) {
    contact.friction = top.to_number(*node, "'friction'");
    contact.friction_back = contact.friction_side = -1;
  } else {
    TomlTable t = *top.table("friction", creature_keys("friction"), "friction");
    contact.friction = t.number("forward", contact.friction);
    contact.friction_back = t.number("back", contact.friction_back);
    contact.friction_side = t.number("side", contact.friction_side);
    if (const auto axis = t.choice("axis", {"heading", "link"}))
      contact.friction_axis = *axis == "link" ? FrictionAxis::link : FrictionAxis::heading;
    t.finish();
  }
  if (contact.friction < 0) top.fail(*node, "friction must be 0 or more, not " + to_text(contact.friction));
}

// The places of a body: one, or a copy at each of a list.
std::vector<Vec3d> read_places(TomlTable& t) {
  const TomlNode* node = t.find("at");
  if (!node) return {Vec3d()};
  const bool several =
      node->kind == TomlKind::array && !node->items.empty() && node->items[0].kind == TomlKind::array;
  if (!several) return {*t.vec3("at")};
  std::vector<Vec3d> places;
  for (const TomlNode& item : node->items) places.push_back(t.to_vec3(item, "every entry of 'at'"));
  return places;
}

std::vector<WorldPart> read_bodies(TomlTable& top, const TomlUnits& units) {
  const std::string folder = std::filesystem::path(top.file()).parent_path().string();
  std::vector<WorldPart> parts;
  for (const TomlNode* node : top.tables("body")) {
    const std::string name = TomlTable(*node, top.file(), "body").required_text("creature");
    TomlTable t(*node, top.file(), "body '" + name + "'", creature_keys("body"));
    t.find("creature");
    WorldPart part;
    try {
      part.creature = load_creature(creature_path(name, folder));
    } catch (const Error& error) {
      t.fail_at("creature", error);
    }
    const std::string prefix = t.text("prefix").value_or(part.creature.name + "_");
    const double turn = t.number("turn", 0) * units.angle;
    part.rot = {cos(turn / 2), 0, 0, sin(turn / 2)};
    part.fixed = t.boolean("fixed", false);
    const std::vector<Vec3d> places = read_places(t);
    t.finish();
    for (size_t i = 0; i < places.size(); ++i) {
      part.pos = places[i];
      part.prefix = places.size() == 1 ? prefix : prefix + std::to_string(i + 1) + "_";
      for (const WorldPart& other : parts)
        if (other.prefix == part.prefix)
          t.fail("another body has the prefix '" + part.prefix + "'",
                 "give one of them its own with prefix = \"...\"");
      parts.push_back(part);
    }
  }
  return parts;
}

}  // namespace

World read_world_toml(const std::string& path) {
  const TomlNode root = read_toml(path);
  TomlTable top(root, path, "", creature_keys("world"));
  const TomlUnits units = read_units(top);
  World world;
  const std::vector<WorldPart> parts = read_bodies(top, units);
  world.body = assemble(parts);
  world.body.name = top.text("name").value_or(std::filesystem::path(path).stem().string());
  world.body.about = top.text("about").value_or("");
  world.body.integrator = top.text("integrator").value_or(world.body.integrator);
  world.body.dt = top.number("dt", world.body.dt);
  world.body.where = {path, 0};
  read_bonds(top, units, world.body);
  world.gravity = read_gravity(top).value_or(world.gravity);
  if (const TomlNode* terrain = top.find("terrain"))
    world.terrain = parse_text(top, *terrain, "terrain", load_terrain);
  read_options(top, "contact", world.contact, parse_contact);
  read_friction(top, world.contact);
  read_options(top, "water", world.water, parse_medium);
  read_options(top, "wind", world.wind, parse_medium);
  world.body_contact = top.boolean("body_contact", parts.size() > 1);
  top.finish();
  check(world.body);
  return world;
}

}  // namespace legwork
