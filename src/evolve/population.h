#pragma once
// Quality-diversity over body plans, with the young protected.
//
// Each cell of the atlas (plan.h) keeps its best body, as MAP-Elites does (Mouret and Clune 2015), and beside
// it those that no younger one of the cell betters: a new body has a poor network at first and must be given
// time (age-fitness Pareto optimisation, Schmidt and Lipson 2011; for bodies and their control Cheney and
// others 2018). The age of a line counts from its last change of the body. After `patience` generations only
// the best of a cell stays.

#include <cstdint>
#include <map>
#include <vector>

#include "base/random.h"
#include "evolve/plan.h"

namespace legwork::evolution {

struct Member {
  std::uint64_t number = 0;
  int born = 0;  // generation in which its body came to be
  double score = 0;
  Plan plan;
};

class Population {
 public:
  explicit Population(int patience) : patience_(patience) {}

  // Adds those of a generation, then removes whoever is bettered.
  void add(const std::vector<Member>& members, int generation);

  // A parent: of two cells by chance the better, and in it any of its members.
  const Member& choose(Random& random) const;

  // By cell, best first in each.
  const std::map<std::tuple<int, int, bool>, std::vector<Member>>& cells() const { return cells_; }
  bool has(std::uint64_t number) const;
  // The best of every cell, best first.
  std::vector<Member> best() const;

 private:
  void thin(std::vector<Member>& cell, int generation) const;

  int patience_;
  std::map<std::tuple<int, int, bool>, std::vector<Member>> cells_;
};

}  // namespace legwork::evolution
