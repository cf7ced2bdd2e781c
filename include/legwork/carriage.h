#pragma once
// Carriage: how a body moves over its feet in a stride, measured on any motion that has a gait.

#include <string>
#include <vector>

#include <legwork/gait.h>
#include <legwork/motion.h>

namespace legwork {

// From the lowest value to the highest over the last whole stride. Lengths in m, angles in rad; what cannot
// be known is NaN.
struct Carriage {
  double bob = unknown;    // of the centre of mass, up and down
  double sway = unknown;   // across the heading, less its straight way
  double surge = unknown;  // of its speed along the heading, as a share of the mean
  // Force of the ground on all feet, upward, over the weight, as the motion of the centre of mass has it.
  double least_force = unknown, most_force = unknown;
  // Of what carries each pair of legs, about the heading, across it and about the vertical.
  struct Girdle {
    std::string name;
    double roll = unknown, pitch = unknown, yaw = unknown;
  };
  std::vector<Girdle> girdles;
};

// gait: as measure_gait has it of the same motion.
Carriage measure_carriage(const Motion& motion, const Gait& gait);

}  // namespace legwork
