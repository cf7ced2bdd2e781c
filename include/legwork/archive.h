#pragma once
// The archive of a search: what DiscoverOptions::archive keeps. Every evaluation in it can be made again as a
// motion.

#include <cstdint>
#include <string>
#include <vector>

#include <legwork/result.h>
#include <legwork/run.h>

namespace legwork {

struct ArchivedGait {
  int rank = 0;              // in the gallery; 1 = first shown
  std::uint64_t number = 0;  // number of its evaluation
  std::string name;          // in words
  double speed = 0;          // m/s
  double period = 0;         // s; 0: no steady cycle
  double robustness = 0;     // 0 to 1
};
struct SearchArchive {
  std::uint64_t evaluations = 0;
  std::vector<ArchivedGait> gaits;  // by rank; none while the search is unfinished
};
SearchArchive read_archive(const std::string& path);

// A motion of the archive, in the world and with the options of its search: by its rank in the gallery, or
// any evaluation by its number. The seed is the search's. Throws Error where there is no such one.
Result replay_gait(const std::string& path, int rank, const Run& run = {});
Result replay_evaluation(const std::string& path, std::uint64_t number, const Run& run = {});

}  // namespace legwork
