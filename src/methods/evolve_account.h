#pragma once
// What evolve has to say of a run and of each body.

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

// shown: the bodies of the atlas, best first.
void tell_evolution(const Chronicle& chronicle, const std::vector<std::uint64_t>& shown, Account& account);
// Adds to the account of the body's motion who it is.
void tell_body(const Chronicle& chronicle, const evolution::Life& life, Account& account);

}  // namespace legwork
