#pragma once
// Kinematics of one creature around its standing pose: inverse kinematics of its feet within the joints'
// ranges, damped least squares.

#include <vector>

#include <legwork/creature.h>
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "sim/joints.h"

namespace legwork {

class LegKinematics {
 public:
  explicit LegKinematics(const Creature& c)
      : creature(c), model(make_model(c)), joints(make_joint_forces(c, model)), w(model) {
    stand = c.pose("stand");
    const std::vector<const Dof*> dofs = c.dofs();
    for (const Dof* dof : dofs) {
      const double width = dof->upper - dof->lower, free = width < 1e6 ? margin * width : 0;
      lower.push_back(dof->lower + free), upper.push_back(dof->upper - free);
    }
    set(stand);
  }
  void set(const std::vector<double>& q) {
    update_positions(model, q.data(), w);
    const std::vector<double> zero(size_t(model.nv), 0);
    update_velocities(model, q.data(), zero.data(), w);
  }
  Vec3d stand_origin(int link) {
    set(stand);
    return w.p[size_t(link)];
  }
  Vec3d sole(const Leg& leg) const { return point_position(w, leg.foot, leg.sole); }
  // Motion of the sole for a unit of each of the given degrees of freedom.
  std::vector<Vec3d> jacobian(const Leg& leg, const std::vector<int>& dofs);
  // Moves q's dofs until the sole is at the goal, staying near where they are; returns the miss, m. A leg of
  // two degrees of freedom keeps way and height and lets its foot go sideways as it must.
  double reach(const Leg& leg, const std::vector<int>& dofs, const Vec3d& goal, double size,
               std::vector<double>& q);
  // The same by a straight way in small parts, so that knees bend to the side to which they are bent.
  double follow(const Leg& leg, const std::vector<int>& dofs, const Vec3d& goal, double size,
                std::vector<double>& q);
  std::vector<double> x(const std::vector<double>& q) const {
    std::vector<double> out(size_t(model.nv));
    joint_positions(joints, q.data(), out.data());
    return out;
  }

  static constexpr double margin = 0.03;  // share of a joint's range that strokes leave free at its ends
  const Creature& creature;
  Model<double> model;
  JointForces<double> joints;
  Workspace<double> w;
  std::vector<double> stand, lower, upper;
};

// A pose to stand in, for bodies whose file has none that fits: joints within their ranges, and where the
// legs still lie flat, feet as far below the hips as half of their length. The soles are found anew.
void find_stand(Creature& creature);

}  // namespace legwork
