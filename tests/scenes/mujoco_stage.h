#pragma once
// A second judge: the same body in MuJoCo's physics. Only tests and benchmarks that link MuJoCo may use it.
//
// The body goes over as the MJCF that write_mjcf makes, without its shapes: its contact points become balls
// (points that have no radius: balls of 0.01 h, raised so that they touch where the point would in the pose
// "stand"), which meet the ground alone. Units of the body: h its hip height, w = sqrt(g/h).
//
//   solver     Newton, elliptic cones, impratio 100, time implicit in velocities (with dampers of its own: in
//              these alone, which is faster)
//   dt         0.001/w: at 0.002/w light legs (2 % of the mass on nine) chatter
//   contact    solref 0.02/w (at least 2 dt), critical: MuJoCo's contact is as soft as the foot is light, and
//              at 0.1/w feet of light legs sink by 0.1 h, here by 0.004 h; solimp reaches 0.95 within
//              0.003 h; the ground's friction, no torsion, no rolling
//   terrain    plane and slope: a plane; steps: boxes side by side, 200 of them; field: a height field
//   masses     of the whole body together 1 kg inside (MuJoCo refuses moments of inertia below 1e-15); forces
//              and torques are converted
//
// States are Legwork's: the order of links is translated where MuJoCo numbers bodies otherwise.

#include <memory>
#include <string>
#include <vector>

#include <legwork/motion.h>
#include <legwork/world.h>

namespace legwork {

struct MujocoStageOptions {
  double dt = 0;  // s; 0: 0.001/w
  // true: MuJoCo itself applies the body's linear springs, dampers and the ranges of its hinges and slides,
  // and step() takes what motors do, as Simulation's drive.tau. false: it applies none of them, and step()
  // takes the whole torque of every joint, as Simulation's tau.
  bool passive = true;
  // nv, N m s/rad or N s/m: where passive is false, dampers that MuJoCo applies implicitly nevertheless (the
  // axes of a ball have their mean), and the ranges of hinges and slides with them. Empty: neither.
  std::vector<double> dampers = {};
};

class MujocoStage {
 public:
  // Terrain, friction, gravity and pushes are the world's; the body is completed and has legs. Throws Error
  // for what MuJoCo cannot have.
  explicit MujocoStage(const World& world, const MujocoStageOptions& options = {});
  ~MujocoStage();

  // At t = 0 in configuration q with velocity v (default: at rest).
  void reset(const std::vector<double>& q, const std::vector<double>& v = {});
  // Advances by dt under joint torques (nv; those of a free root count as forces from outside). False once a
  // number is not finite or MuJoCo gave up.
  bool step(const std::vector<double>& tau);
  // Accelerations (nv) at the present state, without moving.
  std::vector<double> accelerations(const std::vector<double>& tau);

  double time() const;
  double dt() const;
  const std::vector<double>& q() const;
  const std::vector<double>& v() const;
  // For every contact point of the body: force of the ground on it in the last step, world axes, N.
  const std::vector<Vec3d>& contact_forces() const;
  // Force of the ground on the links of a leg, from its hip to its foot, N.
  Vec3d leg_force(int leg) const;

  // A motion without frames, and the present state as one more frame of it: q, v, tau as last given,
  // contact_force. All that gait and verdicts need.
  Motion begin_motion() const;
  void record(Motion& motion) const;

  // The model as MuJoCo read it.
  const std::string& mjcf() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace legwork
