#pragma once
// The walker: gait controller, motor programs, reflexes and feedback, driving one simulation.
//
//   const WalkBody body = make_walk_body(creature);          what each leg does, constant
//   Walker walker(system, body, settings);
//   while (...) { walker.step(sim); sim.step(); }
//
// Its state is plain data (WalkState): copy to back up.

#include <string>
#include <vector>

#include "walk/motor.h"
#include "walk/walk_body.h"

namespace legwork {

// Thresholds of the reflexes, one for each leg; calibrated from undisturbed walking (reflex.h).
struct ReflexLimits {
  std::vector<double> touch;  // N, on the foot in the middle of a step: above it the leg is lifted higher
  std::vector<double> back;   // rad or m: swing_dof bent back further than this makes a leg step
  std::vector<double> load;   // N m or N: pull of load_dof's spring above which a leg must not step
};

struct Reflexes {
  bool step = false, load = false, neighbour = false, elevator = false, ground = false;
  ReflexLimits limits;  // thresholds of step, load and elevator
};

// Feedback, all in units of the body: 0 = none, as in the thesis.
struct Feedback {
  double heading = 0;   // steer per rad of heading error
  double coupling = 0;  // per cycle: how fast pacemakers return to Wilson's phases
  double weight = 0;    // share of the load that springs are bent for before it bends them
  double posture = 0;   // per step time: how fast the trunk returns to its place over the standing feet
  double lean = 0;      // share of the shift that would put the feet under the centre of mass on a slope
  double capture = 0;   // how far a step is set aside when the body is pushed, over a pendulum's fall
};

struct WalkSettings {
  Pace pace;
  Reflexes reflexes;
  Feedback feedback;
  bool first_right = false;
  bool grips = false;     // sticky feet hold on in stance
  double hold_force = 0;  // N: > 0: feet in stance are held by equations, and break away above this force
};

// What higher centres ask for; may change at any time.
struct WalkCommand {
  double slowness = 1;
  double speed = 0;   // m/s: > 0: slowness and stroke are changed until this is reached
  double turn = 0;    // rad/s, left positive
  double stroke = 1;  // length of all legs' strokes, 1 = as programmed
};

struct WalkState {
  GaitState gait;
  MotorBoard motors;
  double heading = 0;               // rad, asked for
  double yaw = 0;                   // rad: the root's, unwrapped
  double mean_yaw = 0;              // over about a cycle
  double steer = 0;                 // 1 turns left
  std::vector<double> begun_steer;  // for each leg: the steering with which its step or stance began
  std::vector<double> load;         // N, carried by each foot
  std::vector<double> part;         // for each leg: its part in carrying the body, 0 .. 1
  std::vector<Vec3d> offset;  // m: shift of each foot from its program's path, axes of the standing body
  Vec3d lean, drift;          // m and m/s: means over about a cycle and a step, the same axes
  std::vector<double> moved;  // nv: changes of the joints that make the offsets
  std::vector<double> added;  // nv: those and the bend of the springs, in the rest positions
  std::vector<double> aimed;  // m: height of each stepping foot from the trunk, as it should be
  double adapted = -1;        // s, when these were found last
  std::vector<char> lifted_higher;  // the elevator reflex acted in this step
  std::vector<char> landed;         // the foot has found the ground after its last step
  std::vector<char> lost;
  double slowness = 1, stroke = 1;  // at present
  double ramp = 1;                  // share of the stroke while it gets going
  double mean_speed = 0;            // m/s, along the heading, over about a cycle
  std::vector<int> held;            // leg of each of the simulation's held points
  std::vector<char> was_stuck;      // contact points
  int breaks = 0;                   // sticky or held feet that came loose in stance
};

// Shares of a step between which a foot is up in the air.
inline constexpr double step_free_from = 0.35, step_free_to = 0.75;

class Walker {
 public:
  Walker(const System<double>& system, const WalkBody& body, const WalkSettings& settings);

  // Lets the body settle: rest positions go to where stance ends, with feedback to its middle (half of the
  // time), then it stands.
  void settle(Simulation<double>& sim, double seconds);
  // From where it stands: the present heading is the one to keep.
  void start(const Simulation<double>& sim);
  // Before a step of the simulation, which takes the drive over as from a controller, so that the work of
  // moving the springs' rests is accounted for.
  void step(Simulation<double>& sim);
  // The leg is held up and touches nothing from now on; the others close ranks.
  void lose(int leg, Simulation<double>& sim);

  WalkCommand command;
  WalkState state;
  WalkSettings settings;
  std::vector<GaitLeg> places;
  std::vector<LegEvent> events;  // what each leg began in the last step

 private:
  void hand_over(Simulation<double>& sim);
  void move_rests(Simulation<double>& sim, double now, double dt);
  void feel(const Simulation<double>& sim);
  void nudge(Simulation<double>& sim, int dof, double more);
  void follow_heading(const Simulation<double>& sim, double dt);
  void steer(Simulation<double>& sim, double dt);
  void spread_steps();
  Mat3d axes(const Simulation<double>& sim) const;
  bool adapts() const;
  void adapt(Simulation<double>& sim);
  void place_feet(const Simulation<double>& sim, double dt);
  Vec3d place_foot(size_t leg, const Simulation<double>& sim, double sunk, double dt);
  void bend_springs(const Simulation<double>& sim);
  void add(Simulation<double>& sim, double sign) const;
  double aim(const Stroke& stroke) const;
  void keep_speed(const Simulation<double>& sim, double dt);
  void hold_feet(Simulation<double>& sim);
  void count_breaks(const Simulation<double>& sim);
  void begin(int leg, bool stepping, double now);

  const WalkBody* body_;
  int root_ = 0;  // link that tells heading and posture
  std::vector<LegFeeling> feelings_;
  Drive<double> before_, planned_;  // drives at the beginning and at the end of the present step
  std::vector<int> leg_of_site_;    // contact points; -1 = no leg's
  double weight_ = 0, height_ = 0;  // N; height of the trunk over the soles, m
  // scratch of adapt
  Workspace<double> w_;
  std::vector<double> q_, x_, v_, tau_, share_;
  std::vector<Vec3d> programmed_, found_, moves_;
};

}  // namespace legwork
