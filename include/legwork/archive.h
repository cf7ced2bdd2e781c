#pragma once
// The archive of a search: what DiscoverOptions::archive keeps. Every evaluation in it can be made again as a
// motion.

#include <cstdint>
#include <string>
#include <utility>
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

// --- any archive: of discover or evolve

struct ArchiveSummary {
  std::string verb, creature, version;
  std::vector<std::pair<std::string, std::uint64_t>> tables;  // name -> rows
  std::string fingerprint;  // of all that it holds: equal where two archives hold the same, however made
};
ArchiveSummary summarize_archive(const std::string& path);
// The same after every row was read and the file itself verified. Throws Error that says what is damaged.
ArchiveSummary check_archive(const std::string& path);
// Puts all that the parts hold into `path`, which may be there already. Parts of another search, or rows that
// contradict each other, are an Error, and nothing is added.
ArchiveSummary merge_archives(const std::string& path, const std::vector<std::string>& parts);
// A table as CSV; an empty name: the first table, of evaluations or of bodies. Throws Error.
std::string archive_csv(const std::string& path, const std::string& table = {});

// --- the bodies of an evolution

struct EvolvedBody {
  std::uint64_t number = 0;
  std::int64_t parent = -1;  // number; -1: one that it started from
  int generation = 0;
  std::string how;   // what made it differ from its parent, in words
  std::string plan;  // legs, size and symmetry, in words
  int legs = 0;
  double score = 0;    // of the metric
  double lengths = 0;  // distance over the body's own length
  bool in_atlas = false;
};
std::vector<EvolvedBody> read_evolution(const std::string& path);
// A body of the archive as a creature file.
std::string evolved_creature(const std::string& path, std::uint64_t number);
// Its motion; the creature that all other verbs take is the motion's.
Result replay_body(const std::string& path, std::uint64_t number, const Run& run = {});
// The whole result of what the archive holds so far, also while it is being written.
Result evolution_so_far(const std::string& path, const Run& run = {});

}  // namespace legwork
