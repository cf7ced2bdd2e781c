#pragma once
// The world that a corpus script has built so far, as Legwork's own.

#include "corpus/model.h"

namespace legwork {

// Creature, terrain, contact and gravity; fills link, dof and coordinate of every body. The creature's pose
// `stand` is the present configuration, its legs are those of the gaits. Throws Error.
World build_world(CorpusWorld& world);

// The name that a script's integration has here; implicit where it names none.
std::string corpus_integrator(const std::string& name);

// What a creature file cannot say: which bodies touch each other and how, joints with two springs.
struct CorpusJointExtra {
  int dof = 0;
  const CorpusBody* body = nullptr;
  double k = 0;  // stiffness of a linear spring beside the exponential one
  double Q = 0;  // constant
};
std::vector<CorpusJointExtra> joint_extras(const CorpusWorld& world, const World& built);

// What a joint's parameters are multiplied by: 1 or a mass in kg.
double joint_scale(const CorpusFigure& figure, const CorpusBody& body, const Creature& creature);

}  // namespace legwork
