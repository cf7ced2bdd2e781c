#include "load/load.h"

#include <filesystem>

#include "corpus/corpus.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "formats/foreign.h"
#include "formats/shipped.h"
#include "formats/table/terrain_file.h"
#include "formats/toml/creature_toml.h"
#include "formats/toml/toml_reader.h"
#include "load/world_toml.h"

namespace legwork {

namespace fs = std::filesystem;

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
