#pragma once
// What evolve has to say of a run and of each body.

#include <string>
#include <vector>

#include <legwork/result.h>
#include "evolve/evolution.h"

namespace legwork {

// All that happened, from the records of an archive as well as from a run.
struct Chronicle {
  std::vector<evolution::Life> lives;  // by number, without gaps
  evolution::Population population;    // after the last generation
};
Chronicle chronicle_of(std::vector<evolution::Life> lives, int patience);

// Why `legwork walk` would not take a body; empty where it does.
std::string unfit_to_walk(const Creature& body);

// A body of the atlas, which is in order of score.
struct Shown {
  std::uint64_t number = 0;
  bool walks = false;  // by `legwork walk`
};
void tell_evolution(const Chronicle& chronicle, const std::vector<Shown>& shown, Account& account);
// Adds to the account of the body's motion who it is.
void tell_body(const Chronicle& chronicle, const evolution::Life& life, const Creature& body,
               Account& account);

}  // namespace legwork
