#pragma once
// A motion to be followed: any motion as position, velocity and acceleration of a body at any time, and
// what stands on the ground when.
//
// Frames are given, derivatives are not trusted: at every frame a parabola is fitted to the frames within
// `smooth` seconds, in the tangent space there, so that a parabola in gives its exact acceleration out.
// Between frames positions follow Hermite's cubics; accelerations go linearly.

#include <string>
#include <vector>

#include <legwork/gait.h>
#include <legwork/motion.h>
#include "dynamics/model.h"

namespace legwork {

// A motion of one body as a motion of another: joints found by name, what is missing as in the pose stand.
// Forces and planned stances come along where contact points and legs have the same names.
struct Mapped {
  Motion motion;                       // mapped to the wanted body
  int joints = 0;                      // how many joints of the wanted body were found
  std::vector<std::string> missing;    // joints of the body that the motion knows nothing of
  std::vector<std::string> left_over;  // joints of the motion that the body lacks
};
// Throws Error where nothing fits.
Mapped map_motion(const Motion& motion, const Creature& creature);

// A motion that begins at rest with time before it to stand and shift its weight: its first frame is
// repeated, unless it begins in motion. Returns the seconds added.
double add_lead(Motion& motion);

// What may stand on the ground: a leg's foot, or, of a body without legs, a link with contact points.
struct FootSupport {
  std::string name;
  int link = 0;
  Vec3d sole;              // link frame
  std::vector<int> sites;  // contact points of the link and of what hangs from it
  std::vector<Stance> stances;
  double sink = 0;  // m: how deep it goes below the ground where it stands
  bool down(double time) const;
  // The last and the next time that it comes down or lifts off, seen from a time; the motion's ends where
  // there is none.
  double last_change(double time) const, next_change(double time) const;
};

// A curve of vectors over the motion's frames.
struct Curve {
  std::vector<Vec3d> x, v, a;
};

class TrackSource {
 public:
  // tempo: how many times as fast as the motion was recorded.
  // smooth, s: frames within this time make up a velocity and an acceleration; 0: 35 ms, of a small body,
  // whose steps are quicker, less.
  explicit TrackSource(const Motion& motion, double tempo = 1, double smooth = 0);

  double seconds() const { return times_.empty() ? 0 : times_.back(); }
  int frames() const { return int(times_.size()); }
  double time(int frame) const { return times_[size_t(frame)]; }
  // With the velocities that were found.
  const Motion& motion() const { return motion_; }
  const Creature& creature() const { return motion_.creature; }
  const Terrain& terrain() const { return motion_.terrain; }

  // The body at a time; outside: as at the ends.
  void at(double time, double* q, double* v, double* a) const;
  void frame(int k, double* q, double* v, double* a) const;
  // A curve at a time.
  void at(double time, const Curve& curve, Vec3d& x, Vec3d& v, Vec3d& a) const;
  // Fits a curve to one point for each frame.
  Curve fit(std::vector<Vec3d> points) const;

  std::vector<FootSupport> supports;
  Curve center_of_mass, angular_momentum;  // m; kg m^2/s: x is the momentum and v its rate of change
  std::vector<Curve> soles;                // where each support's sole is
  std::vector<Curve> clearances;  // z: height of a support's lowest contact point over the ground; x, y: 0

 private:
  struct Share {
    int frame;
    double rate, bend;
  };
  std::vector<Share> shares(int frame) const;
  int interval(double time, double& share) const;
  void find_supports();
  Motion motion_;
  Model<double> model_;
  double smooth_;
  std::vector<double> times_;  // s, from 0
  std::vector<double> v_, a_;  // frames x nv
};

}  // namespace legwork
