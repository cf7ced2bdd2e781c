#pragma once
// Bodies that change with their networks (the last wish of van de Panne and Fiume 1993, section 6.3).
//
//   Evolution evolution(bodies, options, seed);
//   const std::vector<Newborn>& newborn = evolution.ask();      the bodies of the next generation
//   evolution.tell(outcomes);                                   what their searches for a network gave
//
// A child has another body than its parent (vary.h), or the same one, which is then searched further. Child k
// draws from random stream k: the same seed gives the same bodies, whoever judges them.

#include <map>
#include <string>
#include <vector>

#include <legwork/methods.h>
#include "evolve/population.h"

namespace legwork::evolution {

struct Newborn {
  std::uint64_t number = 0;
  std::int64_t parent = -1;  // number; -1: one that it all started from
  int generation = 0;
  int born = 0;     // generation in which its body came to be
  std::string how;  // what makes it differ from its parent, in words
  Plan plan;
  Creature body;
};

struct Outcome {
  std::string controller;  // of the best motion found; empty: nothing moves it
  double score = 0;        // of the metric
  double distance = 0;     // m
  double speed = 0;        // m/s over the second half
  int evaluations = 0;     // that the search used
};

// What is known of everybody who ever lived.
struct Life {
  std::uint64_t number = 0;
  std::int64_t parent = -1;
  int generation = 0, born = 0;
  std::string how;
  Plan plan;
  Outcome outcome;
};

class Evolution {
 public:
  Evolution(std::vector<Creature> founders, const EvolveOptions& options, std::uint64_t seed);

  // The generation that comes next; those it starts from are generation 0.
  int generation() const { return generation_; }
  const std::vector<Newborn>& ask();
  // One outcome for each newborn.
  void tell(const std::vector<Outcome>& outcomes);

  const Population& population() const { return population_; }
  const std::vector<Life>& lives() const { return lives_; }  // by number
  // Body of one that is in the population.
  const Creature& body(std::uint64_t number) const { return bodies_.at(number); }
  long evaluations() const { return evaluations_; }

 private:
  Newborn child(std::uint64_t number) const;

  const EvolveOptions options_;
  const std::uint64_t seed_;
  int generation_ = 0;
  long evaluations_ = 0;
  std::vector<Newborn> newborn_;
  Population population_;
  std::map<std::uint64_t, Creature> bodies_;
  std::vector<Life> lives_;
};

// From one back to the body that its line started from.
std::vector<std::uint64_t> ancestors(const std::vector<Life>& lives, std::uint64_t number);

}  // namespace legwork::evolution
