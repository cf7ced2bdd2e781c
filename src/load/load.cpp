#include <legwork/files.h>

#include <filesystem>

#include "corpus/corpus.h"
#include "corpus/script.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "creature/likely_legs.h"
#include "formats/character/body.h"
#include "formats/foreign.h"
#include "formats/gltf/glb.h"
#include "formats/shipped.h"
#include "formats/table/terrain_file.h"
#include "formats/toml/creature_toml.h"
#include "formats/toml/toml_reader.h"
#include "load/world_toml.h"
#include "scenario/world_words.h"

namespace legwork {

namespace fs = std::filesystem;

Creature load_creature(const std::string& name_or_path) {
  const std::string path = creature_path(name_or_path);
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".toml") return read_creature_toml(path);
  if (extension == ".glb" || extension == ".gltf")
    return is_motion(path) ? read_given(path) : read_character(path);
  if (extension == ".corpus") return build_corpus_world(gather_corpus(path), path).body;
  if (extension == ".xacro")
    throw Error({path, 0}, "", "is xacro, of which URDF is made",
                "run xacro on the file and give what that writes");
  if (extension != ".xml" && extension != ".urdf")
    throw Error({path, 0}, "", "not a kind of creature file",
                ".toml, .xml (MJCF), .urdf, .corpus, .glb and .gltf (rigged characters) are");
  Creature creature = read_foreign(path);
  find_legs(creature);
  complete(creature);
  check(creature);
  return creature;
}

namespace {

// In the surroundings that its file wishes for.
World at_home(Creature creature) {
  World world;
  world.body = std::move(creature);
  world.gravity = world.body.gravity;
  const Habitat& home = world.body.habitat;
  if (!home.terrain.empty()) world.terrain = load_terrain(home.terrain);
  if (!home.contact.empty()) world.contact = parse_contact(home.contact);
  if (!home.water.empty()) world.water = parse_medium(home.water);
  if (!home.wind.empty()) world.wind = parse_medium(home.wind);
  world.body_contact = home.body_contact;
  return world;
}

}  // namespace

World load_world(const std::string& name_or_path, const WorldOptions& options) {
  const std::string path = creature_path(name_or_path);
  const std::string extension = fs::path(path).extension().string();
  World world;
  std::string source;
  if (extension == ".corpus") {
    source = gather_corpus(path);
    world = build_corpus_world(source, path);
  } else if (extension == ".toml" && is_world(read_toml(path))) {
    world = read_world_toml(path);
  } else {
    world = at_home(load_creature(path));
  }
  remember_origin(world, name_or_path, source);
  apply(options, world);
  return world;
}

Creature parse_creature(const std::string& text, const std::string& file) {
  return parse_creature_toml(text, file);
}

std::string creature_text(const Creature& creature) { return write_creature_toml(creature); }

World world_of(const Creature& creature, const WorldOptions& options) {
  check(creature);
  World world = at_home(creature);
  remember_origin(world, "");
  apply(options, world);
  return world;
}

}  // namespace legwork
