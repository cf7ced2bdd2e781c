#pragma once
// A motion as the report's page holds it: sampled evenly, every link placed in the world.

#include <vector>

#include <legwork/motion.h>
#include "dynamics/model.h"

namespace legwork {

struct Film {
  const Motion* motion = nullptr;
  Model<double> model;
  int frames = 0;
  double start = 0, rate = 0;  // s, Hz: frame i shows the time start + i / rate
  std::vector<double> q;       // frames x nq
  std::vector<Mat3d> R;        // frames x links: link to world
  std::vector<Vec3d> p;        // frames x links: link origin
  std::vector<Vec3d> com;      // frames
  std::vector<double> tau;     // frames x nv, or empty
  std::vector<double> force;   // frames x contacts x 3, or empty

  double time(int frame) const { return start + frame / rate; }
  const Vec3d& origin(int frame, int link) const { return p[std::size_t(frame) * model.nlink + link]; }
  const Mat3d& turn(int frame, int link) const { return R[std::size_t(frame) * model.nlink + link]; }
};

// At the given rate or the motion's own mean rate, whichever is lower, adjusted so that the last frame is
// shown. All of the motion must be finite.
Film make_film(const Motion& motion, double rate);

// How many frames make_film makes of the motion's finite part.
int film_frames(const Motion& motion, double rate);

// The motion up to its first frame that is not finite: what there is to see of one that diverged.
Motion finite_part(const Motion& motion);
bool is_finite(const Motion& motion);

// For each link the leg it belongs to (the leg's hip and all that hangs on it), or -1.
std::vector<int> legs_of_links(const Creature& creature);

}  // namespace legwork
