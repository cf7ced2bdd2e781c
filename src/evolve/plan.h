#pragma once
// What kind of body it is: the dimensions of the atlas.

#include <string>
#include <tuple>

#include <legwork/creature.h>

namespace legwork::evolution {

struct Plan {
  int legs = 0;           // limbs that stand on the ground
  int size = 0;           // length in steps of a factor sqrt(2) from 1 m
  bool symmetric = true;  // every limb has a twin or lies in the middle
  double length = 0;      // m: the largest edge of the box around it in the pose stand
  double mass = 0;        // kg

  // Bodies of one cell compete with each other.
  std::tuple<int, int, bool> cell() const { return {legs, size, symmetric}; }
};

Plan plan_of(const Creature& body);
// "4 legs, 0.5 m, symmetric"
std::string in_words(const Plan& plan);

}  // namespace legwork::evolution
