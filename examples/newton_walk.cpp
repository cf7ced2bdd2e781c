// The walking algorithm of Stewart and Cremer, Beyond Keyframing (1989), figures 8 and 9, line by line.
//
//   example_newton_walk [walk.glb]     then: legwork view walk.glb
//
// Our axes are x forward, y left, z up, where the paper's are x forward, y up; a turn of 10 degrees about the
// paper's z is one of -10 degrees about our y. A knee of 175 degrees is 5 degrees of flexion here; straight
// toes are 0 degrees on both feet.
#include <cstdio>
#include <cstdlib>

#include "legwork/direct/director.h"
#include "legwork/io/glb.h"
#include "legwork/io/load.h"

using legwork::Director, legwork::Vec3d;

// --- figure 8
constexpr double deg = 0.017453292519943295;
constexpr double time_in_air = 0.5;            // s
constexpr double stride = 0.5;                 // m, heel to other heel
const Vec3d direction(1, 0, 0);
constexpr double inside_step_fraction = -0.2;  // of hip to hip: 20 % inside
constexpr double heel_z_strike_speed = -0.05;  // m/s
constexpr double heel_x_strike_speed = 0.02;   // m/s
const Vec3d foot_strike_orientation(0, -10 * deg, 0);
const Vec3d torso_orientation(0, 10 * deg, 0);

enum Phase { start, r_swing, r_landing, l_takeoff, l_swing, l_landing, r_takeoff } phase;

struct Side {
  std::string heel, other_heel, hip, other_hip, foot, toes, knee, toe;
};
const Side R{"r_heel", "l_heel", "r_hip", "l_hip", "r_foot", "r_toes", "r_knee", "r_toe"};
const Side L{"l_heel", "r_heel", "l_hip", "r_hip", "l_foot", "l_toes", "l_knee", "l_toe"};

void move_heel_to_target(Director& newton, const std::string& name, const Side& s) {
  const Vec3d hip_to_hip = newton.get_position(s.hip) - newton.get_position(s.other_hip);
  Vec3d target_x = newton.get_position(s.other_heel) + direction * stride + hip_to_hip * -inside_step_fraction;
  target_x.z = 0;
  const Vec3d target_v = Vec3d(0, 0, heel_z_strike_speed) + direction * heel_x_strike_speed;
  newton.position_point_with_quintic(name, s.heel, target_x, target_v, time_in_air);
}

// --- figure 9
void initialize(Director& newton) {
  auto E=[](const char*n,double d){const char*v=getenv(n);return v?atof(v):d;};
  const double Kp = E("KP",30), Kv = E("KV",11);
  const Vec3d above(E("LEAD",.12), 0, E("H",1.26));
  newton.add_smoothness_cost(1);  // sum of all angular and linear accelerations squared
  newton.add_cost("torso", newton.position("torso"), 20, [=](const Director& n) {
    const auto middle = 0.5 * n.position("l_foot") + 0.5 * n.position("r_foot"), torso = n.position("torso");
    return (n.value(middle) + above - n.value(torso)) * Kp + (n.rate(middle) - n.rate(torso)) * Kv;
  });
  for (const Side& s : {L, R}) newton.hold(s.foot, s.heel), newton.hold(s.toes);
  phase = start;
}

// Three cases of figure 9 for the leg s that swings, and the other one, o, that stands.
void swing(Director& newton, const Side& s, const Side& o) {
  newton.release(s.toes);  // the magnetic shoe lets go
  move_heel_to_target(newton, s.foot + " HEEL-TRAJ", s);
  newton.set_angle_with_pd(o.foot + " KNEE-ANGLE", o.knee, 5 * deg, 0.1);
  newton.orient_with_pd(s.foot + " ORIENTATION", s.foot, foot_strike_orientation, time_in_air);
  newton.set_angle_with_pd(s.foot + " TOE-ANGLE", s.toe, 0, time_in_air);
  newton.wait_until([=](const Director& n) { return 0.01 - n.distance_to_target(s.foot + " HEEL-TRAJ"); });
}
void land(Director& newton, const Side& s) {
  newton.remove_equation(s.foot + " HEEL-TRAJ");
  newton.set_angle_with_pd(s.foot + " KNEE-ANGLE", s.knee, 5 * deg, 0.05);
  newton.wait_until([=](const Director& n) { return -n.height(s.heel); });
}
void take_off(Director& newton, const Side& s, const Side& o) {
  newton.hold(s.foot, s.heel), newton.hold(s.toes);
  newton.remove_equation(s.foot + " ORIENTATION");
  newton.remove_equation(s.foot + " TOE-ANGLE");
  newton.release(o.foot);  // its toes are still held
  newton.set_angle_with_pd(o.foot + " KNEE-ANGLE", o.knee, 20 * deg, 0.1);
  newton.wait_until([=](const Director& n) { return n.joint_angle(o.toe) - 10 * deg; });
}

void controller(Director& newton) {
  const auto enter = [&](Phase next, const char* name) { phase = next, newton.enter_phase(name);
    const Vec3d h = (newton.get_position("l_hip")+newton.get_position("r_hip"))*0.5;
    if (getenv("V")) std::printf("%.3f %s hip %.3f %.3f lheel %.3f z %.3f rheel %.3f z %.3f lknee %.1f rknee %.1f ltoe %.1f rtoe %.1f vx %.2f\n", newton.time(), name, h.x, h.z, newton.get_position("l_heel").x, newton.get_position("l_heel").z,newton.get_position("r_heel").x,newton.get_position("r_heel").z, newton.joint_angle("l_knee")/deg,newton.joint_angle("r_knee")/deg,newton.joint_angle("l_toe")/deg,newton.joint_angle("r_toe")/deg, newton.rate(newton.position("torso")).x); };
  switch (phase) {
    case start:
      enter(r_swing, "r_swing");
      newton.orient_with_pd("TORSO-CONSTRAINT", "torso", torso_orientation, 2.0);
      newton.release("r_foot");
      swing(newton, R, L);
      break;
    case r_swing:
      if (newton.distance_to_target("r_foot HEEL-TRAJ") < 0.01) enter(r_landing, "r_landing"), land(newton, R);
      break;
    case r_landing:
      if (newton.height("r_heel") <= 0) enter(l_takeoff, "l_takeoff"), take_off(newton, R, L);
      break;
    case l_takeoff:
      if (newton.joint_angle("l_toe") > 10 * deg) {
        enter(l_swing, "l_swing");
        newton.remove_equation("l_foot KNEE-ANGLE");
        swing(newton, L, R);
      }
      break;
    case l_swing:
      if (newton.distance_to_target("l_foot HEEL-TRAJ") < 0.01) enter(l_landing, "l_landing"), land(newton, L);
      break;
    case l_landing:
      if (newton.height("l_heel") <= 0) enter(r_takeoff, "r_takeoff"), take_off(newton, L, R);
      break;
    case r_takeoff:
      if (newton.joint_angle("r_toe") > 10 * deg) {
        enter(r_swing, "r_swing");
        newton.remove_equation("r_foot KNEE-ANGLE");
        swing(newton, R, L);
      }
  }
}

int main(int count, char** words) {
  legwork::DirectOptions O; if(getenv("DT"))O.dt=atof(getenv("DT")); Director newton(legwork::load_world("biped"),O);
  newton.initialize = initialize;
  newton.controller = controller;
  const legwork::Motion motion = newton.run(20, 60);
  std::printf("%d frames, %s %s; %zu phases, at most %d equations, residual %.1e, unexplained %.2e J, %.2f s, %ld solves\n", motion.frames(),
              to_string(motion.status), motion.status_text.c_str(), newton.phases.size(), newton.max_equations,
              newton.max_residual, newton.unexplained(), motion.wall_seconds, newton.solves);
  if (count > 1) legwork::write_glb(motion, words[1]);
}
