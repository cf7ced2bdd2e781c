#pragma once
// What stages of `reach` made, kept in a folder: one file for each name, which is a hash of the stage's
// inputs.
//
// Files are written whole under another name and then renamed, so a kill in the middle leaves nothing that
// could be read; each carries the length and a hash of its bytes, and one that does not fit is removed.
// Beyond the limit the files that were not used for the longest time go.

#include <cstdint>
#include <string>

#include "reach/reach.h"

namespace legwork {

class StageCache : public reaching::StageStore {
 public:
  // Makes the folder where it is missing; a folder that cannot be used keeps nothing.
  StageCache(std::string folder, double limit_bytes);
  bool load(const std::string& key, std::string& bytes) override;
  void save(const std::string& key, const std::string& bytes) override;

  // $LEGWORK_CACHE, else $XDG_CACHE_HOME/legwork, else ~/.cache/legwork; empty where there is none.
  static std::string default_folder();

 private:
  std::string path(const std::string& key) const;
  void keep_to_limit() const;
  void remove_leftovers() const;  // of processes that were killed while they wrote

  std::string folder_;
  double limit_;
};

}  // namespace legwork
