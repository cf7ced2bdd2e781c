#pragma once
// Director: moves a creature by equations that an algorithm adds and removes while it runs, after Stewart and
// Cremer, Beyond Keyframing (1989), and their simulator Newton.
//
//   Director newton(world);
//   newton.initialize = [](Director& d) { d.add_cost("smooth", d.position("torso"), 1); };
//   newton.controller = [](Director& d) { ... d.set_angle_with_pd("knee", "l_knee", 0.1, 0.2); ... };
//   const Motion motion = newton.run(20, 60);
//
// At every instant the equations of motion M qdd + h = tau + J' f are solved together with the named
// equations for the unknowns qdd, tau, f. In this order, when not all can hold: dynamics and what the ground
// can give, torque limits, equations, cost. An equation is hard unless it has a weight; then it joins the
// cost. Hard equations that cannot hold end the motion with a status that names them.
//
// The ground, in three grades:
//   held        links are held by command as by magnetic shoes; nothing else touches
//   unilateral  the core's rigid contact (sim/rigid_ground.h), which pushes only. The equations are solved
//   for
//               torques with forces that the ground can give; what then happens is decided by the torques
//               alone
//   penalty     the core's springs and dampers under the feet; the equations see the same contacts as rigid
//
// A director decides one instant. Time, events, contacts, impacts and the account of energy are those of a
// Simulation, which asks it at every stage of a step.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <legwork/motion.h>
#include "direct/law.h"
#include "direct/quantity.h"
#include "math/quadratic_problem.h"
#include "sim/simulation.h"

namespace legwork {

enum class Grade { held, unilateral, penalty };

struct DirectorOptions {
  Grade ground = Grade::held;
  double dt = 0;         // s; 0: 4 ms, less for a small body
  double hold_time = 0;  // s: how fast a hold takes back what it drifted, and levels what it holds; 0: 20 ms,
                         // less for a small body
  double event_tolerance = 1e-10;  // s
  double restitution = 0;          // share of the speed that an impact gives back, unilateral contact
  std::string pose = "stand";
  // Unilateral: where contacts change too often, steps by impulses, quick and of first order. Without, every
  // change is located in time.
  bool impulses = true;
  // Unilateral: where the ground acts otherwise than the equations assumed, a joint's motor resists the
  // unplanned turn by this much torque for each rad/s^2, in mass times height of the hips squared. Without
  // it, a toe of little inertia is flung by the torque that was meant for the ground.
  double firmness = 0;
};

// What an equation demands of its quantity.
enum class LawType { equals, pd, quintic };
using Wanted = std::function<Vec3d(const class Director&)>;

struct Law {
  LawType type = LawType::equals;
  Wanted value;            // equals: second derivative, force or torque; pd: a target that may move
  Vec3d target, velocity;  // pd, quintic; orientation: rotation vector
  double time = 0;         // s: dt of figure 7
  double within = 0;       // pd: share of the error left after `time`; 0 = figure 3's tau, which leaves 5.6 %
  Vec3d over;              // quintic: how far it swings out half way
};

class Director {
 public:
  explicit Director(World world, const DirectorOptions& options = {});
  Director(const Director&) = delete;
  ~Director();

  // --- quantities by name; an unknown name is an Error with a suggestion. On any creature: the link root,
  // and the point soles, which is the mean of its legs' soles
  Quantity position(const std::string& link) const;  // where the link's centre of mass is
  Quantity point(const std::string& label) const;    // a label, contact point, leg's sole, or link's origin
  Quantity point(const std::string& link, const Vec3d& at) const;
  Quantity orientation(const std::string& link) const;
  Quantity angle(const std::string& dof) const;
  Quantity center_of_mass() const;  // of the creature with what it holds, like the next
  Quantity angular_momentum() const;
  Quantity force(const std::string& link) const;
  Quantity torque(const std::string& dof) const;

  // --- the state, in the words of the paper
  double time() const { return sim_.state.time; }
  Vec3d value(const Quantity& quantity) const;         // orientation: rotation vector
  Vec3d rate(const Quantity& quantity) const;          // orientation: angular velocity
  Vec3d acceleration(const Quantity& quantity) const;  // at the last instant; forces and torques: their value
  Vec3d get_position(const std::string& label) const { return value(point(label)); }
  double joint_angle(const std::string& dof) const { return value(angle(dof)).x; }
  double height(const std::string& label) const;  // how high a point is over the ground
  bool touches(
      const std::string& link) const;  // whether it, or any link beyond it, is held or carries a force
  // The middle of the points where a link, with those beyond it, touches the ground; in the air,
  // the middle of its contact points.
  Vec3d support(const std::string& link) const;
  // The centre of the ground's pressure on them; where nothing presses, the same middle.
  Vec3d pressure(const std::string& link) const;
  double distance_to_target(const std::string& equation) const;  // where a pd or quintic controller leads it

  // --- equations
  void add_equation(const std::string& name, const Quantity& quantity, const Law& law, double weight = 0);
  // r.. = f(time): figure 2.
  void add_equation(const std::string& name, const Quantity& quantity, Wanted second_derivative);
  void remove_equation(const std::string& name);  // an unknown name is an Error
  bool has_equation(const std::string& name) const;
  void remove_all(const std::string& prefix);  // equations and costs whose names begin with it
  int equations() const;                       // scalar hard and weighted equations now

  // figure 7; angles in rad, orientations as rotation vectors in world axes
  void position_with_pd(const std::string& name, const std::string& link, const Vec3d& x, double dt);
  void position_point_with_pd(const std::string& name, const std::string& label, const Vec3d& x, double dt);
  void orient_with_pd(const std::string& name, const std::string& link, const Vec3d& turn, double dt);
  void set_angle_with_pd(const std::string& name, const std::string& dof, double angle, double dt);
  void position_with_quintic(const std::string& name, const std::string& link, const Vec3d& x, const Vec3d& v,
                             double dt);
  void position_point_with_quintic(const std::string& name, const std::string& label, const Vec3d& x,
                                   const Vec3d& v, double dt, const Vec3d& over = {});
  void orient_with_quintic(const std::string& name, const std::string& link, const Vec3d& turn,
                           const Vec3d& rate, double dt);
  void set_angle_with_quintic(const std::string& name, const std::string& dof, double angle, double rate,
                              double dt);

  // Factor that carries a weight chosen on a human over to this body: angles change faster on a small body,
  // and forces, torques and momenta are larger on a heavy one.
  double weight_unit(const Quantity& quantity) const;

  // --- cost: weight |second derivative - wanted|^2 (of forces and torques: |value - wanted|^2)
  void add_cost(const std::string& name, const Quantity& quantity, double weight, Wanted wanted = {});
  // The same weight for the accelerations of all links' centres and for their angular accelerations; wanted
  // are none, or with a time (s) those that lead every joint back to where it is now (or, before the start,
  // to where it will be then), critically damped.
  void add_smoothness_cost(double weight, double posture = 0);
  void remove_cost(const std::string& name);

  // --- ground
  // Holds a link where it is, level (its z axis upright) with the heading it has. A point of it (a label)
  // that is named stays where it is while the rest levels; else its origin. Held: a magnetic shoe, which
  // holds to the ground alone: with nothing below, the motion ends with a status, unless the hold is asked
  // for in the air. In the other grades it stands: the ground's forces there may be used, and the points of
  // its sole that hang in the air (with those of links beyond it) come down to the ground, whatever its form,
  // as a weighted equation.
  enum class Support { ground, air };
  void hold(const std::string& link, const std::string& label = {}, Support support = Support::ground);
  // Lets go; in the other grades it no longer stands, and the equations no longer push there.
  void release(const std::string& link);
  // Takes a release back and asks for no stance: what touches may be pushed on, nothing is brought down.
  void admit(const std::string& link);
  bool holds(const std::string& link) const;
  // The link of that name; "feet": the feet of all legs.
  std::vector<std::string> links_of(const std::string& name) const;

  // --- hands
  // The hand takes hold of a link of another body, as they are to each other now: neither moves against the
  // other until it lets go. What holds is a force between the two. A hand takes what it reaches: with more
  // than 2 cm between them the motion ends with a status.
  void grasp(const std::string& link, const std::string& hand);
  void let_go(const std::string& hand);  // an empty hand is an Error

  // --- limits of one degree of freedom, or of all that a joint has
  void set_torque_limit(const std::string& dof, double limit);
  void set_passive(const std::string& dof);                        // no torque: moved by what it is joined to
  void set_joint_friction(const std::string& dof, double torque);  // Coulomb's, N m
  // All that an algorithm says of the body and of the cost of smoothness, to be put back later.
  struct Settings {
    std::vector<double> torque_limit, joint_friction;
    std::vector<char> actuated;
    double smoothness = 0, posture = 0;
    std::vector<double> posture_of;  // the configuration that `posture` leads back to
  };
  Settings settings() const { return {limit_, joint_friction_, actuated_, smoothness_, posture_, q_start_}; }
  void restore(const Settings& settings);

  // --- procedures of figure 2: initialize once, controller at the start of every step and right after each
  // event
  std::function<void(Director&)> initialize, controller;
  // "Tell me when": from now on, the controller is called at the instant when this passes from below zero to
  // above. Replaces what was awaited before.
  void wait_until(std::function<double(const Director&)> condition);
  // Noted in the motion: phases for the report.
  void enter_phase(const std::string& name);
  const std::string& phase() const { return phase_; }

  // --- running
  std::vector<Push> pushes;                    // those of the world, unless changed before the start
  std::function<bool(const Director&)> watch;  // after every frame; false stops
  // Where to begin; empty: the pose of the options, at rest.
  void start(const std::vector<double>& q = {}, const std::vector<double>& v = {});
  // Advances by h or to the next event, whichever comes first. False: ended, see status.
  bool step(double h);
  Motion run(double seconds, double rate);
  // Solves the present instant without moving.
  bool solve();
  // Ends the motion with a status that says why.
  void stop(const std::string& why) { fail(Status::stopped, why); }

  Status status() const { return status_; }
  const std::string& status_text() const { return status_text_; }

  // --- what was found at the last instant
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }
  const std::vector<double>& qdd() const { return qdd_; }
  const std::vector<double>& tau() const { return tau_; }
  const System<double>& system() const { return system_; }
  const Workspace<double>& workspace() const { return sim_.w; }
  DirectorOptions options;

  // --- accounts since start
  struct Account {
    double torques = 0;  // J: work of joint torques ...
    double ground = 0;   // ... of holds, loops and contacts (sliding: negative) ...
    double passive = 0;  // ... of springs, dampers, tendons, joint friction ...
    double outside = 0;  // ... and of pushes
    double impacts = 0;  // J lost in impacts
  };
  Account account;
  double energy() const;       // kinetic and potential, J
  double unexplained() const;  // energy that the account does not explain, J: the integrator's error
  double max_residual = 0;     // largest amount by which any hard equation was missed
  int max_equations = 0;       // most scalar equations at any instant
  // m: how far the pose was raised (lowered: below 0) at the start, so that the creature stands on the ground
  double raised = 0;
  // Links that were held in the air by nothing, and how high over the ground at most.
  struct AirHold {
    std::string link;
    double height;  // m
  };
  std::vector<AirHold> air_holds;
  long solves = 0;
  struct PhaseChange {
    double time;
    std::string name;
  };
  std::vector<PhaseChange> phases;
  std::vector<std::string> phase_names;  // in order of their first time
  std::vector<ContactChange> contact_changes;

 private:
  struct Equation {
    std::string name;
    Quantity quantity;
    Law law;
    double weight = 0;  // 0: hard
    bool cost = false;
    double tau = 0;
    Mat3d R_target;  // orientations only: the wanted one
    Quintic way;     // path to the target; orientations: path of the rotation vector from it
    bool hard() const { return !cost && weight == 0; }
  };
  struct Hold {
    int link;
    Vec3d point, at;  // link frame; world
    Mat3d R;          // wanted
    Support support;
  };

  // names
  int find_link(const std::string& name) const;
  int find_dof(const std::string& name) const;
  std::vector<int> find_dofs(const std::string& name) const;
  const Equation* find(const std::string& name) const;
  std::vector<std::string> equation_names(bool cost) const;
  void put(Equation equation);
  // laws and rows
  Vec3d wanted(const Equation& e) const;
  Vec3d present_acceleration(const Quantity& quantity) const;
  Vec3d form_rows(const Quantity& quantity, double* rows, int n) const;
  void add_term(const Quantity::Term& term, const Vec3d& axis, double* row, double& bias) const;
  void wrench_row(int link, const Wrench<double>& f, double weight, double* row) const;
  bool inside_held(int link) const;
  void find_soles();
  void put_on_ground();
  void stand_on_ground();
  double clearance(int link) const;
  double gap_between(int link, int other) const;
  bool may_hold(int link, Support support);
  void settle_velocity(int first_new_hold);
  void check_quantity(const std::string& who, const Quantity& quantity) const;
  // one instant
  void update_state();
  void gather_forces();
  void gather_constraints();
  void add_hold(const Hold& hold);
  void add_loops();
  void add_loop_rows(const Loop& loop, int owner);
  void add_couplings();
  void add_touches();
  double* constraint_row(double wanted, int owner);
  void formulate(bool hard_equations, bool hard_contacts, bool hard_ranges = true);
  void formulate_dynamics();
  void formulate_constraints(bool hard_contacts);
  void formulate_equations(bool hard_equations);
  void formulate_smoothness();
  void formulate_limits(bool hard_ranges);
  void formulate_standing();
  bool solve_instant();
  void find_torques();
  bool agrees_with_physics() const;
  double residual(const Equation& e, const double* y);
  void note_residuals(bool moved_as_solved);
  void explain(QuadraticOutcome outcome);
  std::string explain_violation();
  std::string owner_name(int owner) const;
  // time
  bool decide();
  bool find_instant();
  bool has_motors() const;
  double power_of_constraints() const;
  void take_over();
  bool step_on_springs(double h);
  void find_bias();
  bool still_well();
  std::string advise() const;
  void record(Motion& motion);
  std::vector<Vec3d> site_forces() const;
  void fail(Status status, const std::string& text);

  System<double> system_;
  JointForces<double> joints_;  // without limits, which are inequalities of the instant
  Simulation<double> sim_;
  Workspace<double>& w_;  // the simulation's, as are what follows
  std::vector<double>&q_, &v_, &qdd_, &x_;
  RigidContacts& contacts_;
  std::vector<double>& touch_force_;  // 3 for each touch
  Workspace<double> unit_w_;
  Model<double> unit_model_;  // every link of mass 1 and moment units_.length^2: its mass matrix is the
                              // cost of smoothness
  std::vector<double> tau_, q_start_, back_;
  // The body's own units. Constants of contact are chosen for bodies whose hips are 0.3 m high or more; for a
  // smaller one lengths shrink with its hips, times and speeds with the square root of that. Forces, at any
  // size, count in its weight, so that one problem weighs them alike for a roach and a sauropod.
  struct Units {
    double length = 1, time = 1, force = 1;
  } units_;
  std::vector<Equation> equations_;
  double smoothness_ = 0, posture_ = 0;
  std::vector<Hold> holds_;
  // Not held: what was last said about a link, which holds for the links beyond it until they are named. The
  // equations leave the contacts of released links alone; those of standing ones come down to the ground.
  enum class Footing : char { unsaid, stands, released };
  std::vector<Footing> footing_;
  std::vector<char> sole_;  // contact points that are lowest on their leg as the creature stands
  Footing footing(int link) const;
  bool beyond(int link, int root) const;  // is the root, or carried by it
  // Links of the creature itself and of what it holds: not props that lie about.
  std::vector<char> own_;
  void find_own();
  double own_mass() const;
  Vec3d own_center() const;
  Wrench<double> own_momentum() const;  // about the world's origin
  std::vector<double> limit_, lower_, upper_, joint_friction_;
  std::vector<char> actuated_;
  std::function<double(const Director&)> awaited_;
  std::string phase_;
  double phase_start_ = 0;
  Status status_ = Status::ok;
  std::string status_text_;
  double status_time_ = 0;
  bool started_ = false;

  // one instant: unknowns y = (qdd, lambda / units_.force), lambda the forces of constraint rows
  QuadraticProblem problem_;
  std::vector<Twist<double>> bias_;  // spatial accelerations at qdd = 0
  std::vector<Wrench<double>> outside_;
  std::vector<double> M_, h_, passive_, y_, row_, rows_;
  // Owners of rows, for messages: an equation's index, or one of these plus an index.
  enum Owner {
    dynamics_of = 1 << 20,
    hold_of = 2 << 20,
    loop_of = 3 << 20,
    touch_of = 4 << 20,
    coupling_of = 7 << 20,
    torque_of = 5 << 20,
    range_of = 6 << 20,
    grasp_of = 8 << 20
  };
  static constexpr double still = 0.02;  // m/s: slower than this a contact holds instead of sliding
  struct Constraint {
    int owner;       // owner_name
    int link;        // link that feels the force; -1: no single one
    Vec3d force;     // force that a unit of lambda applies to the link; zero for moments
    int touch = -1;  // among contacts_.touches
    double wanted;
    bool pushes;  // false: a torque does it, no force of its own
  };
  std::vector<Constraint> constraints_;
  std::vector<double> Jc_;  // constraints x nv
  std::vector<double> lambda_;
  std::vector<char> usable_;  // touches that the equations push on
  std::vector<double> firm_;  // nv, kg m^2: DirectorOptions::firmness
  QuadraticProblem scratch_;
  bool overlooked_ = false;  // the equations left a touch aside
  bool slides_ = false;      // a touch slides
  bool solved_ = false;      // y_ is what happens: the ground does as the equations assumed

  double energy_start_ = 0, stand_height_ = 0;
  int most_rows_ = 0;  // that the simulation has room for without grasps
};

}  // namespace legwork
