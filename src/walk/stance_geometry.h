#pragma once
// Where the feet of a body stand, and how far its legs can carry them: what motor programs are made from.

#include <string>
#include <vector>

#include "walk/leg_kinematics.h"
#include "walk/programs.h"

namespace legwork {

struct StanceGeometry {
  std::vector<std::vector<int>> dofs;  // for each leg: its degrees of freedom
  std::vector<Vec3d> home;             // where each sole is when the body stands, world
  std::vector<double> droop;           // m: how far each foot sinks when it bears no load
  std::vector<Vec3d> moved;            // the same where worst_miss would rather have them
  Vec3d com;
  double hip_height = 0, ground = 0, mass = 0;
  Geometry geometry;
};

// A body in its pose stand, the feet where they are. Throws Error for one that no programs can be made for.
StanceGeometry measure(const Creature& creature, const LegKinematics& kinematics);
// The homes of a body that is to walk: wide, and safe. Throws Error for a foot that does not come down.
void place_homes(const Creature& creature, LegKinematics& kinematics, StanceGeometry& stand);
// Moves all homes together to where lifting any leg is safest.
void shift_homes(const Creature& creature, LegKinematics& kinematics, StanceGeometry& stand);
// Stride and lift that all legs reach, and the homes from which they do. Throws Error where there are none.
void choose_stride(const Creature& creature, LegKinematics& kinematics, const ProgramOptions& options,
                   StanceGeometry& stand);

// The least margin of the centre of mass over all legs that may be lifted alone, and which.
double lifted_margin(const std::vector<Vec3d>& feet, const Vec3d& com, int& worst);
// How far the worst leg misses its path with this stride and lift, and which it is. Legs that reach further
// to one side move their homes there, stretched ones in towards the hip (moved).
double worst_miss(const Creature& creature, LegKinematics& kinematics, StanceGeometry& stand, double stride,
                  double lift, int& leg);

}  // namespace legwork
