#include "formats/shipped.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <legwork/error.h>
#include "base/text.h"
#include "formats/toml/toml_reader.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

// The file that this code was loaded from: the library, or a program that it is linked into.
fs::path library_file() {
  static const char inside = 0;
  std::error_code failed;
  Dl_info info;
  if (dladdr(&inside, &info) && info.dli_fname)
    if (const fs::path file = fs::canonical(info.dli_fname, failed); !failed) return file;
  return fs::canonical("/proc/self/exe", failed);
}

fs::path creatures_folder() {
  if (const char* folder = std::getenv("LEGWORK_CREATURES"); folder && *folder) return folder;
  return shipped_folder("creatures");
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

fs::path shipped_folder(const std::string& name) {
  std::error_code failed;
  for (fs::path above = library_file(); above.has_relative_path();) {
    above = above.parent_path();
    // without links: messages name the file that a person would edit
    if (const fs::path found = fs::canonical(above / "share/legwork" / name, failed); !failed) return found;
  }
  return fs::path("/usr/share/legwork") / name;
}

std::vector<ShippedCreature> shipped_creatures() { return list_folder(creatures_folder()); }
std::vector<ShippedCreature> shipped_worlds() { return list_folder(creatures_folder() / "worlds"); }

std::string creature_path(const std::string& name, const std::string& folder) {
  if (name.empty()) throw Error("no creature named", "`legwork creatures` lists the shipped ones");
  std::error_code failed;
  if (looks_like_file(name)) {
    const fs::path path = fs::path(folder) / name;
    if (!fs::exists(path, failed))
      throw Error({path.string(), 0}, "", "there is no such file", "check the path");
    return path.string();
  }
  for (const fs::path& shipped : {creatures_folder(), creatures_folder() / "worlds"})
    if (fs::is_regular_file(shipped / (name + ".toml"), failed)) return (shipped / (name + ".toml")).string();
  if (fs::is_directory(name, failed))
    throw Error({name, 0}, "", "is a folder", "give a creature's name or file");
  std::vector<std::string> names;
  for (const auto& list : {shipped_creatures(), shipped_worlds()})
    for (const ShippedCreature& creature : list) names.push_back(creature.name);
  throw Error("there is no creature '" + name + "'", did_you_mean(name, names));
}

}  // namespace legwork
