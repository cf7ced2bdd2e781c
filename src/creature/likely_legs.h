#pragma once
// Legs, trunk and stance of a body whose file does not name them, as they are plain to see.
//
// A leg is a limb of two joints or more whose tip reaches down to the ground in the pose stand, as the lowest
// tip does: arms, heads and tails end higher. Its foot is the last link, or the one above it that reaches the
// ground too (a foot with toes); its hip is the first link that no other leg shares.

#include <string>

#include <legwork/creature.h>

namespace legwork {

struct FoundLegs {
  std::vector<Leg> legs;   // fore to hind, right before left; empty where fewer than two are seen
  std::vector<int> trunk;  // from the fore to the hind girdle where several links lie between them
};
FoundLegs look_for_legs(const Creature& creature);

// Gives a creature that has none (legs_found) the legs, trunk and stance that are seen; else does nothing.
// The stance: the file's where it has one, else its reference pose with joints inside their ranges, feet
// below the hips as they were, and the lowest of them on the ground. Before complete().
void find_legs(Creature& creature);

// "rf (FR_hip to FR_foot), ...": what find_legs found, for messages.
std::string legs_in_words(const Creature& creature);

// The legs as lines of a creature file; empty where none are seen.
std::string likely_legs(const Creature& creature);

}  // namespace legwork
