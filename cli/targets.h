#pragma once
// The files that a verb writes, checked before the work that would be lost: each can be written, each has a
// name of its own, and none is a file that the verb reads.

#include <string>
#include <vector>

#include <legwork/world.h>

namespace legwork::cli {

struct Target {
  std::string flag, path;      // an empty path and - are no files
  std::string ending, advice;  // how the name must end, and what to try where it does not; empty: as it likes
};

// A word that may name a file: "CREATURE", "c.toml"; "--terrain", "grid:hills.csv".
struct Mention {
  std::string who, word;
};

// mentions: what the command line says; targets' own flags among them do not count. Throws Error.
void check_targets(const std::vector<Target>& targets, const std::vector<Mention>& mentions);

// The last of the three alone, for files that are known only when others have been read. Throws Error.
void check_spared(const std::vector<Target>& targets, const std::vector<Mention>& mentions);

// The files that a world was read from.
std::vector<Mention> sources(const World& world);

}  // namespace legwork::cli
