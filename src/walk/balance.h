#pragma once
// What keeps a body over its feet that has too few legs, or too tall ones, to stand on three at any time.
//
//   goal      a place of the trunk that goes ahead at the wanted speed, upright, at its height over the feet,
//             and waits for the body;
//   feet      a standing foot stays where it came down: its leg is bent as if the trunk were at its goal. A
//             stepping one goes in a smooth arc to where it will stand below its hip in the middle of its
//             stance, and on by the capture point of the velocity's error (Raibert 1986; Pratt et al. 2006),
//             level with the ground however the trunk is turned;
//   support   floating-base inverse dynamics: the wrench that carries the body, brings it to its goal and
//             damps its mean motion, shared out to the contact points of the standing feet so that none pulls
//             or slips. Every joint's spring is bent for the torque that is left for it, trunk and neck too.

#include <vector>

#include "dynamics/whole_body.h"
#include "sim/simulation.h"
#include "walk/stance_load.h"
#include "walk/walk_body.h"

namespace legwork {

// One leg's way, world axes.
struct PoisedLeg {
  bool stands = true;
  double since = 0;             // s, when it came down
  double lifted = 0, step = 0;  // s, when its step began and how long it takes
  Vec3d planted;                // where it stands, or stood last
  Vec3d left;                   // where its step began
};

struct PoiseState {
  std::vector<PoisedLeg> legs;
  Vec3d goal;                // m: where the root should be
  double yaw = 0;            // rad: heading of the goal
  std::vector<double> x;     // nv: the posture that the springs pull to
  std::vector<Vec3d> force;  // N, planned for each contact point
};

// What is asked for.
struct PoiseCommand {
  double speed = 0;    // m/s along the heading
  double heading = 0;  // rad
  double turn = 0;     // rad/s
  double stance = 0;   // s: how long a foot stands
};

class Poise {
 public:
  Poise(const System<double>& system, const WalkBody& body);

  // The body stands as it does now.
  void start(const Simulation<double>& sim, PoiseState& state) const;
  // Sets the springs' rest positions, and torques where there is no spring. load: N on each foot.
  void control(Simulation<double>& sim, const GaitState& gait, const std::vector<double>& load,
               const std::vector<char>& lost, const PoiseCommand& command, PoiseState& state);

 private:
  struct Limb {
    std::vector<int> points;  // contact points of the foot and beyond
    Mat3d flat;               // how the foot is turned when it stands
    Vec3d home;               // from the root to the sole when the body stands, m
    bool broad = false;       // has a sole to keep level
  };
  struct Aim {
    Vec3d place, velocity;  // where the foot is to be and how fast, world
    double droop = 0;       // rad: how far the toes point down
  };

  void lead_goal(const Simulation<double>& sim, const PoiseCommand& command, double dt, PoiseState& state);
  void move_feet(const Simulation<double>& sim, const GaitState& gait, const std::vector<double>& load,
                 const std::vector<char>& lost, const PoiseCommand& command, PoiseState& state);
  Aim swing(size_t leg, const Simulation<double>& sim, double share, double length,
            const PoiseCommand& command, const PoiseState& state) const;
  void pose_leg(const WalkLeg& leg, const Vec3d& root, const Mat3d& turn, const PoiseState& state);
  void bend_leg(size_t leg, const Vec3d& root, const Mat3d& turn, const Aim& aim, const Vec3d& root_velocity,
                double dt, PoiseState& state);
  Wrench<double> wanted_wrench(const Simulation<double>& sim, const PoiseState& state);
  int gather_points(const Vec3d& root, const std::vector<char>& lost, PoiseState& state);
  void support(const Simulation<double>& sim, const std::vector<char>& lost, PoiseState& state);

  const System<double>* system_;
  const WalkBody* body_;
  int root_ = 0, root_q_ = 0, root_v_ = 0;
  double mass_ = 0, weight_ = 0, height_ = 0, fall_ = 0;  // kg, N, m, s: root(height / gravity)
  Mat3d upright_;                                         // how the root is turned when it stands
  double yaw_ = 0;                                        // rad: heading of upright_
  std::vector<Limb> limbs_;
  std::vector<double> stand_q_, stand_x_, lower_, upper_;  // standing; ranges of the joints
  MeanMotion mean_;
  Vec3d goal_velocity_;
  Mat3d goal_turn_;
  Tilt ground_;  // through the feet
  // scratch
  Workspace<double> w_;
  std::vector<double> q_, v_, tau_, qdd_, rate_;
  std::vector<SupportPoint> points_;
  std::vector<int> sites_;
  std::vector<Vec3d> soles_;
  std::vector<double> parts_;
};

}  // namespace legwork
