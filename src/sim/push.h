#pragma once
// Pushes: forces from outside at stated times, the same text for --push of every verb.

#include <string>
#include <utility>
#include <vector>

#include "creature/creature.h"

namespace legwork {

// A constant force (world axes, N) at a link's centre of mass during [start, start + duration), s.
struct Push {
  int link = 0;
  Vec3d force;
  double start = 0, duration = 0;
};

// "LINK:fx,fy,fz@start+duration", or without "LINK:" for the first link. Throws Error.
Push parse_push(const std::string& spec, const Creature& creature);
// What parse_push understands, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> push_choices();

// Share of the step [t, t + h] during which the push acts: its impulse is the same for every step length.
double overlap(const Push& push, double t, double h) noexcept;

}  // namespace legwork
