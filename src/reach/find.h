#pragma once
// Finding the smoothest gait: the bit strings of appendices G and H, and the exact optimum of the same
// fitness.

#include <array>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "reach/trunk.h"
#include "search/genetic.h"

namespace legwork::reaching {

// One girdle's part of a problem.
struct GirdleProblem {
  Girdle girdle;
  Placement foot;  // planted, travel frame
  Space space;
  Boxes boxes;
  Constrained constrained;
  Candidates candidates;  // after all constraints
  Trunk trunk;            // from the first girdle to this one; empty for the first
};

struct Problem {
  std::vector<GirdleProblem> girdles;  // hind first
  Ways ways;
  Measure measure;
  double duty = 0.6;
  double ipsilateral = 0.5;    // share of a stride from the first girdle's RD to the next one's
  double trunk_tolerance = 0;  // rad
};

// Removes candidates of the first girdle from which the trunk reaches no candidate of another one, and those
// that are reached from none.
void constrain_by_trunk(Problem& problem, const Workers& workers = 1);

// Candidates for RD and RLU of every girdle.
struct Choice {
  std::vector<std::array<std::uint32_t, 2>> events;
  double error = 1e300;

  bool valid() const { return !events.empty(); }
};

// The root of the first girdle at a share of the stride: through RD, RLU, and their images half a stride
// later; its place along travel is set back to RD's (dissertation, "corollary" of the trunk constraint).
RootPose root_at(const RootPose& rd, const RootPose& rlu, double duty, double phase);

// Bit strings of a problem. First girdle: a place among the back data, then one in RLU's slice. Others:
// places in the lists of what the trunk reaches at their RD and at their RLU.
class Decoder {
 public:
  explicit Decoder(const Problem& problem);
  ~Decoder();
  int genes() const { return genes_; }
  // Bits of each part: back, slice, and one number for each list of each further girdle.
  const std::vector<int>& fields() const { return fields_; }
  Choice decode(const BitString& bits);
  double fitness(const BitString& bits);

 private:
  friend struct ExactSearch;
  const Problem& problem_;
  std::vector<int> fields_;
  int genes_ = 0;
  struct Link;  // lists of one further girdle
  std::vector<std::unique_ptr<Link>> links_;
};

struct Found {
  Choice choice;
  double fitness = 0;
  GeneticResult genetic;    // the best search, and what all evaluated; empty for the exact one
  std::vector<int> fields;  // bits of each part of a candidate
  bool proven = false;
  double bound = 0;  // no gait of these candidates has a greater fitness
  long nodes = 0;    // pairs looked at
};

// One of options.searches.
GeneticResult search_genetic(const Problem& problem, const GeneticOptions& options, const Run& run,
                             int search, Meter& meter);
// The best of the results of all searches; of equal ones the first.
Found best_of(const Problem& problem, const std::vector<GeneticResult>& results);
// Branch and bound; starts from what is known, so that it never ends below it. Stops after about `budget`
// seconds of work, which is counted and not timed, with the bound that it has certified.
Found find_exact(const Problem& problem, const Choice& known, double budget, const Run& run = {});

// What the body lacks when no gait is there: empty where one may be.
bool has_gait(const Candidates& candidates);

}  // namespace legwork::reaching
