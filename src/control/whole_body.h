#pragma once
// From what a body is to do as a whole to the torques of its joints.
//
// The root's acceleration a (6) is free. Legs follow it: the joints of a leg accelerate so that its foot does
// what it is asked to (stays where it stands, or swings along its path), the other joints as their posture
// asks, so that all accelerations are linear in a:
//
//   qdd = B a + c                               (damped least squares, leg by leg)
//   (M B)_root a + id(c)_root = G f             the root has no motor: only the ground pushes it
//
// Forces f of the ground are found so that they give the wanted wrench on the body as nearly as they can,
// inside friction and none pulling (a small quadratic problem). What they do give settles a, so qdd, so by
// inverse dynamics the torques (after Kim and others 2019, Herzog and others 2016).

#include <vector>

#include "control/legged_body.h"
#include "math/quadratic_problem.h"
#include "math/small.h"

namespace legwork {

// h above the ground from which a corner of a sole does not bear.
inline constexpr double lifted_corner = 0.01;

// What a foot is asked to do.
struct FootTask {
  bool bears = false;  // its sole carries the body
  double ease = 0;     // 0 .. 1: how much others should bear in its place
  Vec3d acceleration;  // m/s^2, of the sole, world
  Vec3d turning;       // rad/s^2, of the foot, world
  double arm = 0;      // m: how much a radian of turning counts beside a metre; 0 = the foot may turn
};

struct BodyTask {
  Vec3d acceleration;           // m/s^2, of the centre of mass, world
  Vec3d turning;                // rad/s^2, of the root, world
  std::vector<double> posture;  // nv: rad/s^2 or m/s^2, of the joints where nothing else asks
  double friction = 0.8;        // that may be used
};

class WholeBody {
 public:
  explicit WholeBody(const LeggedBody& body);

  // Needs positions and velocities in w. Fills tau (nv; the root's are 0), force and acceleration.
  void solve(const Terrain& terrain, const std::vector<FootTask>& feet, const BodyTask& task,
             const std::vector<double>& x, const std::vector<double>& v, Workspace<double>& w);

  std::vector<double> tau, qdd;  // nv
  std::vector<Vec3d> force;      // N, planned for each contact point of the system

 private:
  struct RootAxes;
  struct Point {
    int site = 0, leg = 0;
    Vec3d at, axes[3];  // world; two along the ground, its normal
  };
  void follow_root(const std::vector<FootTask>& feet, const BodyTask& task, Workspace<double>& w);
  void gather(const Terrain& terrain, const std::vector<FootTask>& feet, const Workspace<double>& w);
  void add_point(const Terrain& terrain, int site, int leg, const Workspace<double>& w);
  void share(const std::vector<FootTask>& feet, const Wrench<double>& wanted, const Vec3d& com,
             double friction);
  void counter_swing(const RootAxes& root, const Vec3d& from_origin, const Vec3d& lacking, Numbers<6>& bias);
  void respect_ranges(const std::vector<double>& x, const std::vector<double>& v);

  const LeggedBody* body_;
  std::vector<double> M_, B_;  // nv x nv; nv x 6
  std::vector<double> c_, tau_c_;
  std::vector<Twist<double>> columns_, root_columns_;
  std::vector<Point> points_;
  std::vector<int> root_dofs_;
  std::vector<double> row_, y_;
  QuadraticProblem problem_;
};

}  // namespace legwork
