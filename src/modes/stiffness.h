#pragma once
// How stiff the joints are: uniform, per joint, and the smallest stiffness with which a creature holds its
// rest pose under gravity.

#include <string>
#include <vector>

#include <legwork/run.h>
#include "modes/analysis.h"
#include "sim/simulation.h"

namespace legwork {

// The named pose with its loops closed. Throws Error where they stay open.
std::vector<double> rest_pose(const Creature& creature, const std::string& pose);

// nv: k for every joint, 0 for the root's own degrees of freedom.
std::vector<double> uniform_stiffness(const Creature& creature, double k);
// The stiffness of the springs in the creature's file; for exponential ones, the slope at rest.
std::vector<double> file_stiffness(const Creature& creature);

// Links of the spine: the trunk, and the links from it to the label head. Their joints are its joints.
std::vector<char> spine_links(const Creature& creature);
void multiply_spine(const Creature& creature, double factor, std::vector<double>& k);

// "NAME=K": the stiffness of a joint, a degree of freedom or a link; "NAME=xK" multiplies; "NAME*" means all
// whose names begin so. Throws Error.
void set_joint_stiffness(const Creature& creature, const std::string& text, std::vector<double>& k);

// The creature with these springs and dampers b k at rest in q: what the analysis is about, for simulation.
// Without limits it is what the linear theory sees.
Creature with_springs(const Creature& creature, const std::vector<double>& q, const std::vector<double>& k,
                      const Rayleigh& damping, bool limits = true);

struct Standing {
  double scale = 0;  // times the given stiffness
  int simulations = 0;
  bool found = false;
};
// The smallest multiple of k with which the creature, put on the world's ground in its rest pose, still
// stands after `seconds`: upright within 10 degrees, and no joint off by more than 0.2 rad. To 2 %, by
// bisection.
Standing find_standing(const World& world, const std::vector<double>& q, const std::vector<double>& k,
                       double damping_ratio = 0.1, double seconds = 2, const Run& run = {});

}  // namespace legwork
