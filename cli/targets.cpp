#include "cli/targets.h"

#include <algorithm>
#include <filesystem>

#include <legwork/error.h>
#include "formats/file.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

bool is_file(const Target& target) {
  std::error_code failed;
  return !target.path.empty() && target.path != "-" && !fs::is_other(target.path, failed);
}

// Also where the two are spelled differently, or do not exist yet.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (fs::equivalent(a, b, failed)) return true;
  const fs::path p = fs::weakly_canonical(fs::absolute(a, failed), failed);
  const fs::path q = fs::weakly_canonical(fs::absolute(b, failed), failed);
  return !failed && p == q;
}

// The word itself, and what follows a prefix (grid:FILE,SIZE; NAME=FILE).
std::vector<std::string> possible_files(const std::string& word) {
  std::vector<std::string> list = {word};
  if (const size_t at = word.find_first_of(":="); at != word.npos) {
    const std::string rest = word.substr(at + 1);
    list.push_back(rest);
    list.push_back(rest.substr(0, rest.find(',')));
  }
  std::erase_if(list, [](const std::string& name) { return name.empty() || name == "-"; });
  return list;
}

}  // namespace

void check_spared(const std::vector<Target>& targets, const std::vector<Mention>& mentions) {
  for (const Target& target : targets) {
    if (!is_file(target)) continue;
    for (const Mention& mention : mentions) {
      const bool own = std::any_of(targets.begin(), targets.end(),
                                   [&](const Target& other) { return other.flag == mention.who; });
      if (own) continue;
      for (const std::string& name : possible_files(mention.word)) {
        std::error_code failed;
        if (fs::exists(name, failed) && same_file(target.path, name))
          throw Error({}, target.flag, "'" + target.path + "' is a file that is read (" + mention.who + ")",
                      "choose another name");
      }
    }
  }
}

void check_targets(const std::vector<Target>& targets, const std::vector<Mention>& mentions) {
  for (const Target& target : targets) {
    if (!is_file(target)) continue;
    if (!target.ending.empty() && fs::path(target.path).extension() != target.ending)
      throw Error({}, target.flag, "'" + target.path + "' does not end in " + target.ending, target.advice);
    for (const Target& other : targets) {
      if (&other == &target) break;
      if (is_file(other) && same_file(target.path, other.path))
        throw Error({}, target.flag, "'" + target.path + "' is also the file of " + other.flag,
                    "give each a name of its own");
    }
  }
  check_spared(targets, mentions);
  for (const Target& target : targets)
    if (!target.path.empty() && target.path != "-") check_can_write(target.path);
}

std::vector<Mention> sources(const World& world) {
  std::vector<std::string> files = {world.body.where.file};
  for (const Link& link : world.body.links) files.push_back(link.where.file);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::vector<Mention> list;
  for (const std::string& file : files)
    if (!file.empty()) list.push_back({"the creature", file});
  return list;
}

}  // namespace legwork::cli
