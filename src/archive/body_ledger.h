#pragma once
// The bodies of an evolution as an archive file: table `body`, each with its creature file and its
// controller.

#include <string>
#include <unordered_map>
#include <vector>

#include "archive/archive.h"
#include "discover/record.h"
#include "evolve/evolution.h"

namespace legwork {

struct ArchivedBody {
  evolution::Life life;
  std::string creature;  // its whole text
};

class BodyLedger {
 public:
  // Continues the evolution that the file holds, or begins one. Another one's file is an Error.
  BodyLedger(const std::string& path, const SearchIdentity& identity);

  // What an earlier run found of that body, or null.
  const evolution::Outcome* find(std::uint64_t number) const;
  // Safe when this returns. Throws Error.
  void keep(const std::vector<ArchivedBody>& bodies);

  std::size_t found() const { return found_.size(); }

 private:
  Archive archive_;
  std::unordered_map<std::uint64_t, evolution::Outcome> found_;
};

struct ArchivedEvolution {
  SearchIdentity identity;
  std::vector<ArchivedBody> bodies;  // by number
};
// Also while it is being written. Throws Error.
ArchivedEvolution read_bodies(const std::string& path);

}  // namespace legwork
