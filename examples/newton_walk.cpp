// The walking algorithm of Stewart and Cremer, Beyond Keyframing (1989), figures 8 and 9, line by line.
//
//   build/examples/example_newton_walk walk.glb     then: legwork view walk.glb
//
// Our axes are x forward, y left, z up, where the paper's are x forward, y up: 10 degrees about the paper's z
// are -10 about our y. Its knee of 175 degrees is 5 degrees of flexion here, its straight toes are 0.
#include <cstdio>

#include <legwork/files.h>
#include "direct/director.h"
#include "formats/gltf/glb.h"

using legwork::Director, legwork::Vec3d;
using std::string;

// --- figure 8
constexpr double deg = 0.017453292519943295;
constexpr double time_in_air = 0.5;  // s
constexpr double stride = 0.5;       // m, heel to other heel
const Vec3d direction(1, 0, 0);
constexpr double inside_step_fraction = 0.2;
constexpr double heel_z_strike_speed = -0.05;  // m/s
constexpr double heel_x_strike_speed = 0.02;   // m/s
const Vec3d foot_strike_orientation(0, -10 * deg, 0);
const Vec3d torso_orientation(0, 10 * deg, 0);

enum Phase { start, r_swing, r_landing, l_takeoff, l_swing, l_landing, r_takeoff } phase;

void move_heel_to_target(Director& newton, const string& name, const string& heel, const string& other_heel,
                         const string& hip, const string& other_hip) {
  const Vec3d hip_to_hip = newton.get_position(hip) - newton.get_position(other_hip);
  Vec3d target_x = newton.get_position(other_heel) + direction * stride + hip_to_hip * inside_step_fraction;
  target_x.z = 0;
  const Vec3d target_v = Vec3d(0, 0, heel_z_strike_speed) + direction * heel_x_strike_speed;
  const Vec3d clear(0, hip_to_hip.y / 3, 0.04);  // on its way past the other leg
  newton.position_point_with_quintic(name, heel, target_x, target_v, time_in_air, clear);
}

// --- figure 9
void initialize(Director& newton) {
  const double Kp = 15, Kv = 5;
  const Vec3d ahead(0.1, 0, 1.29);  // of the torso, from the middle of the feet
  newton.add_smoothness_cost(1);    // all angular and linear accelerations, squared
  newton.add_cost("20 (r_torso - F)^2", newton.position("torso"), 20, [=](const Director& n) {
    const auto feet = 0.5 * n.position("l_foot") + 0.5 * n.position("r_foot"), torso = n.position("torso");
    return (n.value(feet) + ahead - n.value(torso)) * Kp + (n.rate(feet) - n.rate(torso)) * Kv;
  });
  for (const string s : {"l", "r"}) newton.hold(s + "_foot", s + "_heel"), newton.hold(s + "_toes");
  phase = start;
}

// s swings, o stands: the three cases of figure 9.
void swing(Director& newton, const string& s, const string& o) {
  newton.release(s + "_toes");  // the magnetic shoe lets go
  move_heel_to_target(newton, s + "-HEEL-TRAJ", s + "_heel", o + "_heel", s + "_hip", o + "_hip");
  newton.set_angle_with_pd(o + "-KNEE-ANGLE", o + "_knee", 5 * deg, 0.1);
  newton.orient_with_pd(s + "-FOOT-ORIENTATION", s + "_foot", foot_strike_orientation, time_in_air);
  newton.set_angle_with_pd(s + "-TOE-ANGLE", s + "_toe", 0, time_in_air);
  newton.wait_until([=](const Director& n) { return 0.01 - n.distance_to_target(s + "-HEEL-TRAJ"); });
}

void land(Director& newton, const string& s) {
  newton.remove_equation(s + "-HEEL-TRAJ");
  newton.set_angle_with_pd(s + "-KNEE-ANGLE", s + "_knee", 5 * deg, 0.05);
  newton.wait_until([=](const Director& n) { return -n.height(s + "_heel"); });
}

void take_off(Director& newton, const string& s, const string& o) {
  newton.hold(o + "_foot", o + "_heel"), newton.hold(o + "_toes");  // the foot that landed
  newton.remove_equation(o + "-FOOT-ORIENTATION");
  newton.remove_equation(o + "-TOE-ANGLE");
  newton.release(s + "_foot");  // its toes are still held
  newton.set_angle_with_pd(s + "-KNEE-ANGLE", s + "_knee", 20 * deg, 0.1);
  newton.wait_until([=](const Director& n) { return n.joint_angle(s + "_toe") - 10 * deg; });
}

void controller(Director& newton) {
  const auto enter = [&](Phase next, const char* name) { phase = next, newton.enter_phase(name); };
  const auto landed = [&](const char* heel) { return newton.height(heel) <= 1e-9; };
  const auto arrived = [&](const char* way) { return newton.distance_to_target(way) < 0.01; };
  const auto bent = [&](const char* toe) { return newton.joint_angle(toe) > 10 * deg - 1e-9; };
  switch (phase) {
    case start:
      enter(r_swing, "r_swing");
      newton.orient_with_pd("TORSO-CONSTRAINT", "torso", torso_orientation, 2.0);
      newton.release("r_foot"), swing(newton, "r", "l");
      break;
    case r_swing:
      if (arrived("r-HEEL-TRAJ")) enter(r_landing, "r_landing"), land(newton, "r");
      break;
    case r_landing:
      if (landed("r_heel")) enter(l_takeoff, "l_takeoff"), take_off(newton, "l", "r");
      break;
    case l_takeoff:
      if (bent("l_toe"))
        enter(l_swing, "l_swing"), newton.remove_equation("l-KNEE-ANGLE"), swing(newton, "l", "r");
      break;
    case l_swing:
      if (arrived("l-HEEL-TRAJ")) enter(l_landing, "l_landing"), land(newton, "l");
      break;
    case l_landing:
      if (landed("l_heel")) enter(r_takeoff, "r_takeoff"), take_off(newton, "r", "l");
      break;
    case r_takeoff:
      if (bent("r_toe"))
        enter(r_swing, "r_swing"), newton.remove_equation("r-KNEE-ANGLE"), swing(newton, "r", "l");
  }
}

int main(int count, char** words) {
  Director newton(legwork::load_world("biped"));
  newton.initialize = initialize, newton.controller = controller;
  const legwork::Motion motion = newton.run(20, 60);
  std::printf("%s after %g s, %zu phases\n", to_string(motion.status), motion.duration(),
              newton.phases.size());
  if (count > 1) legwork::write_glb(motion, words[1]);
}
