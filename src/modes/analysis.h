#pragma once
// Natural vibrations of a body about a rest pose (Kry et al. 2008, section 3.1).
//
// The paper's equation 2, M dv/dt = R^T K R v h, holds on the directions that the constraints leave. Here the
// tree's own joints are gone from the start, v being joint velocities; what is left to be constrained are
// closed loops and whatever the user holds, rows G v = 0 whose null space N makes equation 3,
//   M' x.. = -K' x,  M' = N^T M N,  K' = N^T R^T K R N,
// a symmetric generalized eigenproblem. A mode u moves the body by N u and the joints by R N u.
//
// Modes are numbered from 0, rigid ones counted, as in the paper's figure 3. Rigid (frequency exactly 0) are
// all directions that no spring feels.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dynamics/model.h"
#include "sim/joints.h"

namespace legwork {

// An added constraint, met in the rest pose: what the link does there stays as it is, against another link or
// the world.
struct Hold {
  std::string name;
  int link = 0, other = -1;  // -1 = the world
  Vec3d pos;                 // the point held, link frame
  bool point = true;         // the point stays
  int turns = 0;             // directions in which it may not turn: 0 none, 2 all but `axis`, 3 all
  Vec3d axis;                // turns = 2: unit, world axes in the rest pose
};
inline int rows_of(const Hold& hold) { return (hold.point ? 3 : 0) + hold.turns; }

// Rayleigh damping C = mass M + stiffness K: changes frequencies, not shapes.
struct Rayleigh {
  double mass = 0;       // 1/s
  double stiffness = 0;  // s
};

struct Modes {
  std::vector<double> q0;         // rest pose
  std::vector<double> x0;         // the same in joint coordinates
  std::vector<double> stiffness;  // nv: N m/rad or N/m of every degree of freedom
  int rigid = 0;                  // the first modes, of frequency 0
  int constraints = 0;            // independent ones, loops and holds
  std::vector<double> frequency;  // Hz, undamped, rising
  Eigen::MatrixXd body;           // nv x count: N u; scaled as `joints`
  // nv x count: R N u without the root's own part, scaled to length 1 (rigid modes: `body` to length 1).
  // Signs: the first joint that moves more than half as much as the most moved one moves in +.
  Eigen::MatrixXd joints;

  int count() const { return int(frequency.size()); }
  double omega(int mode) const;
  double damping_ratio(int mode, const Rayleigh& damping) const;
  // Hz; 0 where the mode does not swing.
  double damped_frequency(int mode, const Rayleigh& damping) const;
};

// stiffness: nv, >= 0; usually 0 for the root's own degrees of freedom.
Modes analyse(const Creature& creature, const Model<double>& model, const JointForces<double>& joints,
              const std::vector<double>& q0, const std::vector<double>& stiffness,
              const std::vector<Hold>& holds = {});
// The same with model and joints made on the way.
Modes analyse(const Creature& creature, const std::vector<double>& q0, const std::vector<double>& stiffness,
              const std::vector<Hold>& holds = {});

}  // namespace legwork
