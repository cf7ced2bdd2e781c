#pragma once
// One controller for bodies on legs: any number of them, any soles, any size, any ground.
//
//   schedule    which feet stand when (schedule.h)
//   footholds   where each foot lands: below its home in the middle of its stance, and further by what the
//               divergent component of motion is predicted to be off by then
//   preview     xi = c + c'/w leaves its point of pressure p by xi' = w (xi - p): backwards from the end of
//   the
//               coming cycles it follows where xi must be now (Englsberger and others 2015), with p in the
//               hull of the feet that will stand, as near to the straight path as it can be
//   feedback    p = p_ref + (1 + k) (xi - xi_ref), inside the hull of the feet that stand
//   whole body  forces of the ground and torques of the joints (whole_body.h)
//
// Lengths are in h, times in 1/w, forces in weights (legged_body.h) wherever a number is given. The state is
// plain data: copy to back up. Nothing here knows a simulation: positions, velocities and the load of every
// foot come in, torques go out.

#include <algorithm>
#include <vector>

#include "control/bounce.h"
#include "control/footfalls.h"
#include "control/legged_body.h"
#include "control/polygon.h"
#include "control/schedule.h"
#include "control/style.h"
#include "control/whole_body.h"

namespace legwork {

// What is asked for; may change at any time.
struct LegCommand {
  double speed = 0;  // m/s along the heading
  double turn = 0;   // rad/s, left positive
  double lift = 0;   // m: how high a foot lifts; 0 = what suits the body
};

struct LegState {
  bool stands = true;
  double since = 0;                   // s, when it came down or lifted off
  double length = 0;                  // s: how long its step is to take
  bool holds = true;                  // stands, and feels the ground
  double felt = 0;                    // s, when it felt the ground last
  bool waits = false;                 // stays down until its next turn
  bool late = false;                  // the step should have ended
  Vec3d left;                         // where it lifted off, sole, world
  Vec3d place;                        // where it stands, or is to land: ground below the sole
  Vec3d aim, velocity, acceleration;  // of the sole on its way, world
  double apex = 0;                    // m, world: height that the sole is to pass
  double raise = 0, raised = 0;       // m and s: what was added after the foot met something on its way
};

struct ControlState {
  double time = 0;
  double clock = 0;    // cycles
  bool walks = false;  // the clock runs
  double begin = 0;    // s: when the clock begins to run
  double still = 0;    // s: how long it has stood
  Vec2 anchor;         // m: the point that goes ahead on the straight path
  double yaw = 0;      // rad: heading that is asked for
  double speed = 0;    // m/s, at present asked for
  double boost = 0;    // m/s of it that makes up for what is lost on the way
  GroundPlane ground;  // the plane under the centre of mass, smoothed
  Vec3d tilt;          // rotation vector of the trunk's tilt, smoothed
  double crouch = 0;   // m: how much lower than usual it stands, smoothed
  Vec3d turns;         // rad/s: of all masses together, mean over about a cycle of a run
  double styled = 0;   // 0 .. 1: how much of the style it has taken on
  std::vector<LegState> legs;
  std::vector<char> there;  // 0: lost
  Vec3d shift;              // m: of all homes, heading axes, so that the legs that are left carry it
  // what was found last
  Vec2 xi, xi_ref, p_ref, p;
  // shares of the last times in which motors were at their strongest, footholds out of reach, feet slipping
  double weak = 0, short_of = 0, slipping = 0;
};

class LeggedController {
 public:
  explicit LeggedController(const LeggedBody& body);

  // From rest: everything stands where it is.
  void start(double time, const std::vector<double>& q, double yaw, const Terrain& terrain);
  // load: N on each leg's foot. Fills torque() for the time from now on.
  void update(double time, const std::vector<double>& q, const std::vector<double>& v,
              const std::vector<double>& load, const Terrain& terrain, const LegCommand& command);
  // nv: N m or N on the joints, all that their motors and springs are to give together.
  const std::vector<double>& torque() const { return whole_.tau; }
  const std::vector<double>& acceleration() const { return whole_.qdd; }
  // N: the force of the ground that was asked for last and that the feet cannot give.
  Vec3d lacking() const;
  // How it is to look now: its style, or how it stands.
  const BodyLook& look() const { return look_; }
  void lose(int leg);

  Schedule schedule;
  ControlState state;
  double friction = 0.8;         // of the ground
  const Style* style = nullptr;  // none: it looks as it stands
  // In place of the schedule; then the clock is the motion's time, s, and the state's anchor how far the body
  // has moved from the motion's path. Both are set before start.
  const Footfalls* footfalls = nullptr;

 private:
  struct Node {
    Vec2 p, xi;
  };
  void prepare_bounce();
  bool bounces() const { return bounce_.flies() && state.walks && state.time >= state.begin; }
  double rate_now() const { return bounces() ? bounce_.at(state.clock).rate : body_->rate; }
  double pull_now() const;
  double growth(int node) const;
  void sense(const std::vector<double>& q, const std::vector<double>& v);
  void lead(double dt, const LegCommand& command);
  void feel_ground(double dt, const Terrain& terrain);
  double first_lift() const;
  bool leans_on(size_t leg) const;
  void exchange_feet(const std::vector<double>& load, double dt, const Terrain& terrain, bool idle);
  void preview();
  void press(const Terrain& terrain);
  void choose_footholds(const Terrain& terrain);
  Vec2 clear_of_edges(size_t leg, const Vec2& at, const Terrain& terrain) const;
  Vec3d settle_foothold(size_t leg, Vec2 at, double touch, const Terrain& terrain);
  void swing_feet(double dt, const Terrain& terrain, const LegCommand& command);
  void take_on_style(double dt);
  void dress(double dt);
  SwingLook swing_look(size_t leg, const LegCommand& command) const;
  Mat3d axes_in_swing(size_t leg) const;
  void move_body(const Terrain& terrain, const std::vector<double>& v);
  void note_limits(double dt);
  void start_moving();
  void lead_along(double dt);
  double lifts_in_motion(size_t leg) const;
  double swing_in_motion(size_t leg) const;
  bool stands_in_motion(size_t leg, double ahead, int& step) const;
  void lift(size_t leg);
  void find_clock();
  bool can_rest() const;
  // What lies across the plane that a root moves in is nobody's concern.
  Vec2 level(const Vec3d& v) const { return {v.x, body_->planar() ? 0 : v.y}; }
  double pace() const { return footfalls ? 1 : schedule.cycle(); }  // s of a unit of the clock
  Vec2 path_ahead(double ahead) const;
  Vec2 later_foothold(size_t leg, double ahead, int step) const;
  double until_landing(size_t leg) const;
  double until_lifting(size_t leg) const;
  bool stands_at(size_t leg, double ahead, int& step) const;
  Vec2 nominal(size_t leg, double touch) const;
  void add_sole(Polygon& feet, size_t leg, const Vec3d& place, const Vec3d& com) const;

  const LeggedBody* body_;
  WholeBody whole_;
  Workspace<double> w_;
  std::vector<double> x_;
  std::vector<std::vector<Vec3d>> corners_;  // of each sole, from its middle, heading axes
  std::vector<Node> nodes_;
  std::vector<Polygon> hulls_;
  double node_ = 0;     // s between nodes
  double stretch_ = 0;  // m by which hips would have to be lower for the footholds that are asked for
  Polygon now_;
  std::vector<Vec2> predicted_;  // xi at the nodes
  std::vector<Vec2> drift_;      // c at the nodes
  Vec3d com_, com_velocity_;
  BodyLook look_;
  double control_dt_ = 0;
  Bounce bounce_;  // of the schedule
  Schedule bounced_;
  std::vector<FootTask> feet_;
  BodyTask task_;
};

}  // namespace legwork
