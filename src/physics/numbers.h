#pragma once
// Arrays that come from outside: their sizes and values are checked before they are trusted.

#include <span>
#include <string>
#include <vector>

#include <legwork/creature.h>
#include "dynamics/model.h"

namespace legwork {

// Throws Error unless there are `size` numbers, all finite. size_name: "nq", ...
void check_numbers(std::span<const double> values, int size, const std::string& who,
                   const std::string& size_name, const Creature& creature);

// The configuration with its quaternions at unit length. Throws Error as above, and for a quaternion that is
// further from unit length than rounding.
std::vector<double> checked_positions(const Model<double>& model, std::span<const double> q,
                                      const std::string& who, const Creature& creature);

}  // namespace legwork
