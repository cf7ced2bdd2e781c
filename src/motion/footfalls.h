#pragma once
// What the measures of a gait are made from: the body frame by frame, and the stances of its feet.

#include <vector>

#include <legwork/gait.h>

namespace legwork {

struct GaitTrack {
  int frames = 0, legs = 0, sites = 0;
  std::vector<Vec3d> com;        // frames
  std::vector<Vec3d> forward;    // frames: the root's x axis, level, unit
  std::vector<Vec3d> sole;       // frames x legs
  std::vector<Vec3d> site;       // frames x contact points: lowest point
  std::vector<double> depth;     // frames x contact points, positive below the ground
  std::vector<Vec3d> slide;      // frames x contact points: velocity along the ground, m/s
  std::vector<Vec3d> moved;      // frames x contact points: how far what touched a frame ago went along it, m
  std::vector<int> leg_of_site;  // contact points; -1 = no foot
};
GaitTrack follow(const Motion& motion);

// What says when the feet of a motion stand.
StancesFrom stances_source(const Motion& motion);

// How strongly each leg is down at each frame: positive = down. The zero crossings are touch-down and
// lift-off. frames x legs.
std::vector<double> foot_loads(const Motion& motion, const GaitTrack& track, const GaitOptions& options,
                               double hip_height);

// The stances of every leg, without chatter.
std::vector<std::vector<Stance>> find_stances(const Motion& motion, const GaitTrack& track,
                                              const std::vector<double>& load, const GaitOptions& options,
                                              double hip_height);

// The time between touch-downs in which a leg spends the middle of its time, s: many short touches count
// little. NaN below two touch-downs.
double usual_stride(const std::vector<Stance>& stances);

// The middle one of the legs' usual strides; NaN where no leg has one.
double usual_stride(const std::vector<std::vector<Stance>>& legs);

}  // namespace legwork
