#include "legwork/io/load.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "legwork/base/text.h"
#include "legwork/creature/check.h"
#include "legwork/creature/complete.h"
#include "legwork/io/corpus.h"
#include "legwork/io/creature_toml.h"
#include "legwork/io/mjcf.h"
#include "legwork/io/terrain_file.h"
#include "legwork/io/toml_reader.h"
#include "legwork/io/urdf.h"
#include "legwork/io/world_toml.h"
#include "legwork/io/xml.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

fs::path shipped_folder() {
  if (const char* folder = std::getenv("LEGWORK_CREATURES"); folder && *folder) return folder;
  std::error_code failed;
  const fs::path installed = fs::path(LEGWORK_DATA_DIR) / "creatures";
  const fs::path source = LEGWORK_CREATURES_DIR;
  // a build tree uses its own bodies even where another version is installed
  return fs::is_directory(source, failed) ? source : installed;
}

bool looks_like_file(const std::string& name) {
  return name.find('/') != std::string::npos || !fs::path(name).extension().empty();
}

// The value of a text key at the top, without asking more of the file.
std::string top_text(const TomlNode& root, const char* key) {
  const TomlNode* node = root.find(key);
  return node && node->kind == TomlKind::text ? node->text : "";
}

std::vector<ShippedCreature> list_folder(const fs::path& folder) {
  std::vector<ShippedCreature> all;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string path = entry.path().string();
    all.push_back({entry.path().stem().string(), top_text(read_toml(path), "about"), path});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::vector<ShippedCreature> shipped_creatures() { return list_folder(shipped_folder()); }
std::vector<ShippedCreature> shipped_worlds() { return list_folder(shipped_folder() / "worlds"); }

std::string creature_path(const std::string& name, const std::string& folder) {
  if (name.empty()) throw Error("no creature named; `legwork creatures` lists the shipped ones");
  std::error_code failed;
  if (looks_like_file(name)) {
    const fs::path path = fs::path(folder) / name;
    if (!fs::exists(path, failed))
      throw Error({path.string(), 0}, "", "there is no such file; check the path");
    return path.string();
  }
  for (const fs::path& shipped : {shipped_folder(), shipped_folder() / "worlds"})
    if (fs::is_regular_file(shipped / (name + ".toml"), failed)) return (shipped / (name + ".toml")).string();
  if (fs::is_directory(name, failed))
    throw Error({name, 0}, "", "is a folder; give a creature's name or file");
  std::vector<std::string> names;
  for (const auto& list : {shipped_creatures(), shipped_worlds()})
    for (const ShippedCreature& creature : list) names.push_back(creature.name);
  throw Error("there is no creature '" + name + "'" + did_you_mean(name, names));
}

Creature read_foreign(const std::string& path) {
  const XmlElement root = read_xml(path);
  return root.name == "robot" ? read_urdf(path) : read_mjcf(path);
}

Creature load_creature(const std::string& name_or_path) {
  const std::string path = creature_path(name_or_path);
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".toml") return read_creature_toml(path);
  if (extension == ".corpus") return read_corpus_world(path).body;
  if (extension != ".xml" && extension != ".urdf")
    throw Error({path, 0}, "", "not a kind of creature file; .toml, .xml (MJCF), .urdf and .corpus are");
  Creature creature = read_foreign(path);
  complete(creature);
  check(creature);
  return creature;
}

World load_world(const std::string& name_or_path) {
  const std::string path = creature_path(name_or_path);
  if (fs::path(path).extension() == ".toml" && is_world(read_toml(path))) return read_world_toml(path);
  if (fs::path(path).extension() == ".corpus") return read_corpus_world(path);
  World world;
  world.body = load_creature(path);
  world.gravity = world.body.gravity;
  const Habitat& home = world.body.habitat;
  if (!home.terrain.empty()) world.terrain = load_terrain(home.terrain);
  if (!home.contact.empty()) world.contact = parse_contact(home.contact);
  if (!home.water.empty()) world.water = parse_medium(home.water);
  if (!home.wind.empty()) world.wind = parse_medium(home.wind);
  return world;
}

}  // namespace legwork
