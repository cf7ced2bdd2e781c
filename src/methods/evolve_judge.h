#pragma once
// How good a body is: the best motion that discover's search finds for it under a budget of evaluations.

#include <string>
#include <vector>

#include "discover/problem.h"
#include "evolve/evolution.h"

namespace legwork {

class BodyJudge {
 public:
  // world: in which all bodies are judged; its own body does not matter.
  BodyJudge(World world, const EvolveOptions& options, const Run& run);

  // A body, and the network that it inherits of its parent where that one could move, as a job for any
  // process.
  std::string job(const evolution::Newborn& newborn, const Creature* parent,
                  const std::string& controller) const;
  // Jobs to their results, for a crew; several at a time.
  std::vector<std::string> operator()(const std::vector<std::string>& jobs) const;
  // False where the text is no result.
  static bool parse_result(const std::string& text, evolution::Outcome& outcome);

 private:
  Problem problem_for(const Creature& body) const;
  evolution::Outcome judge(const std::string& job) const;

  World world_;
  EvolveOptions options_;
  Run run_;
};

}  // namespace legwork
