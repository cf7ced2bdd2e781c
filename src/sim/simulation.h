#pragma once
// Simulation: a world that moves.
//
//   const System<double> system = make_system(world);      constant, shared by threads
//   Simulation<double> sim(system, choose_step(system));   state, scratch, clock
//   sim.reset();
//   while (sim.state.time < 2 && sim.step()) ...
//
// Simulation<Batch> moves eight creatures of one topology in step, each lane with the bits that
// Simulation<double> would give (fixed steps, no events, no body-body contact).

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <legwork/motion.h>
#include <legwork/world.h>
#include "dynamics/constrained.h"
#include "dynamics/dynamics.h"
#include "ground/attachment.h"
#include "ground/body_contact.h"
#include "ground/contact.h"
#include "ground/medium.h"
#include "sim/actuators.h"
#include "sim/friction.h"
#include "sim/joints.h"
#include "sim/push.h"
#include "sim/rigid_ground.h"

namespace legwork {

enum class Integrator {
  euler,  // semi-implicit (symplectic) Euler, order 1: McKenna's equations 9 to 11 amount to it
  rk4,    // classical Runge-Kutta, order 4
  rkf45,  // Runge-Kutta-Fehlberg, order 5 with an error estimate of order 4: adapts its own steps within dt
  implicit,  // linearly implicit in springs, dampers, limits, angular actuators and contact, order 1,
             // O(links)
};

// "euler", ...; throws Error naming --integrator.
Integrator parse_integrator(const std::string& name);
const char* to_string(Integrator integrator);
// Every integrator with one line each, for --help.
std::vector<std::pair<std::string, std::string>> integrator_choices();

struct StepOptions {
  Integrator integrator = Integrator::implicit;
  double dt = 1e-3;                // s: a step; controllers that hold their drive are called once in it
  double tolerance = 1e-6;         // rkf45: largest error of a step in any of q, v, relative to 1 + |value|
  double shortest = 1e-9;          // s, rkf45: a step this short is taken whatever its error
  double event_tolerance = 1e-10;  // s
  double max_speed = 1e4;          // m/s or rad/s of any degree of freedom; faster has diverged
  double max_gain = 0.5;  // energy from nowhere, as a share of the energy turned over, that has diverged; 0 =
                          // do not watch
};

// A world compiled for simulation: constant, shared by all threads. Moves, but does not copy.
template <class T>
struct System {
  World world;  // a batch: the first lane's
  Model<T> model;
  JointForces<T> joints;
  DryFriction<T> friction;  // of joints
  Tendons<T> tendons;
  std::vector<ActuatorUnit<T>> actuators;
  Contacts<T> contacts;
  std::vector<AttachmentSpring<T>> attachments;
  Skin<T> skin;                   // empty when neither water nor wind acts on surfaces
  std::vector<DragBox<T>> boxes;  // empty when neither acts on boxes
  BodyContacts body_contacts;     // empty unless asked for

  System() = default;
  System(System&&) = default;
  System& operator=(System&&) = default;
};

System<double> make_system(World world);
// Whether bodies may touch each other there, or ground is rigid: no batches of such worlds.
bool scalar_only(const World& world);
// Lane i is creatures[i] in place of world.body; fewer than eight: the last fills the rest. All share one
// topology. Throws Error where body-body contact is needed, which is scalar only.
System<Batch> make_batch_system(World world, const std::vector<const Creature*>& creatures);

// What a controller sets. All of it stays until set again, and is backed up with the state.
template <class T>
struct Drive {
  std::vector<T> tau;              // nv: torques and forces on the joints
  std::vector<T> rest, rest_rate;  // nv: rest positions of the joints' springs, and how fast they move
  std::vector<T> target;           // per actuator
  std::vector<T> x, x_rate;  // a controller's own variables, integrated with the rest; size them at will
};

template <class T>
struct State {
  double time = 0;  // s
  std::vector<T> q, v;
  Drive<T> drive;
  ContactState<T> contact;
  AttachmentState<T> broken;  // attachments, 1 where broken
  std::vector<T> activation;  // what actuators follow in place of their targets; empty where none has a lag
  BodyContactState body_contact;
  T work{0}, turnover{0};  // J since reset: Energy::work, and the sum of its parts' sizes
  std::vector<T> flows;    // on rigid ground, by Flow; else empty
};

// Where energy went since reset on rigid ground, J: work of motors (drives and actuators), of the ground
// (with holds and loops; sliding: negative), of springs, dampers and joint friction, of pushes, water and
// wind; and what impacts took.
enum Flow { flow_motors, flow_ground, flow_passive, flow_outside, flow_impacts, flow_count };

template <class T>
struct Energy {
  T kinetic{0}, gravity{0}, elastic{0};  // J; elastic: joints, tendons and attachments
  T contact{0};                          // in the springs of contacts; an upper bound after an implicit step
  T work{0};                             // done since reset by drives, actuators, pushes, water and wind

  T total() const { return kinetic + gravity + elastic + contact; }
};

// From where energy is counted: what there was at the start, and what counts as turned over there.
template <class T>
struct EnergyOrigin {
  Energy<T> start;
  T turnover{0};  // J
};

enum class Cause { none, not_finite, too_fast, energy };
struct Failure {
  Status status = Status::ok;
  Cause cause = Cause::none;
  double time = 0;
  int dof = -1;  // the fastest, or the first that is not finite
};

enum class EventType { touch_down, lift_off, joint_limit, condition };
struct Event {
  EventType type;
  int index;    // contact point, degree of freedom, or the condition's number
  double time;  // s
};

template <class T>
class Simulation;
template <class T>
using Controller = std::function<void(const Simulation<T>&, Drive<T>&)>;
using Condition = std::function<double(const Simulation<double>&)>;
// Decides RigidGround::plan from what acts (w.f_ext, tau), on rigid ground, at every evaluation. False: it
// cannot, and the simulation stops where the step began.
using Instant = std::function<bool(Simulation<double>&)>;
// May change the simulation's state (then calls refresh), its drive or its pushes.
using Listener = std::function<void(Simulation<double>&, const Event&)>;

template <class T>
class Simulation {
 public:
  explicit Simulation(const System<T>& system, const StepOptions& options = {});

  // Starts anew at t = 0: configuration q (default: the reference pose) and velocity v (default: rest), the
  // same in all lanes. Drives: no torque, springs at their own rest, actuators' targets where they do
  // nothing.
  void reset();
  void reset(const std::vector<double>& q, const std::vector<double>& v = {});
  // The same from state.q and state.v as they are: lanes may differ.
  void restart();
  // The same for some lanes alone: the others, and the clock, go on.
  void restart(const std::array<bool, lanes_of<T>>& which);

  // Advances by options.dt, by less when stopped. False when it has not: diverged or stopped.
  bool step();
  // Advances by h; times of later steps of dt count from there.
  bool step(double h);

  // After state.q or state.v were changed by hand: brings positions and velocities in w up to date.
  void refresh() noexcept;
  // Forces and accelerations at the present state, without moving: fills qdd, tau, ground_contacts.
  void probe();
  // Where links overlap and approach each other, impulses that part them with `restitution` of the energy,
  // and Coulomb's friction; nothing pushes between steps. Whoever calls this after steps leaves out their
  // springs.
  void collide(RigidContacts& links, double restitution, double friction);
  // Ends the simulation: step() returns false from now on.
  void stop(Status status = Status::stopped) noexcept;

  // Needs positions and velocities up to date, as they are after step().
  Energy<T> energy() const noexcept;
  // Energy that appeared from nowhere since reset (contacts left out), as a share of the energy
  // turned over; <= 0: none.
  T gain() const noexcept;

  // Subscriptions to events; each returns its number. Located to options.event_tolerance; the state is the
  // one just after the event. Conditions report where they pass zero upward. Scalar only.
  int on(EventType type, Listener listener);
  int on_condition(Condition condition, Listener listener);

  Status status(int lane = 0) const { return failures_[lane].status; }
  const Failure& failure(int lane = 0) const { return failures_[lane]; }
  // "diverged at 0.132 s: ...": what failed, the likely cause and what to try; empty when all is well.
  std::string explain(int lane = 0) const;

  const System<T>& system() const { return *system_; }

  StepOptions options;
  State<T> state;
  Workspace<T> w;  // positions and velocities are those of state
  // Called once in a step, at its start, or at every stage of the integrator. A controller keeps what it
  // remembers in the drive's x: stages and steps may be taken back.
  Controller<T> controller;
  bool control_every_stage = false;
  std::vector<Push> pushes;
  // Rigid ground: what touches, and what a program makes of it. Scalar only.
  RigidGround rigid;
  Instant instant;
  // Rigid ground: a step ends at an event, and where it goes by impulses after each of them.
  bool pause_at_events = false;
  // Asked now and then within a step that rkf45 divides: true ends the simulation there.
  std::function<bool()> interrupt;
  // Points held where they are for now, at most one for each leg, and links that a director's hands hold:
  // equations like those of loops, the last rows of `constraints`.
  std::vector<Loop> held;
  // N: a held point that is pulled up or sideways by more lets go within the step: its mark in let_go is set.
  double hold_force = unlimited;
  std::vector<char> let_go;  // for each of `held`

  EnergyOrigin<T> origin;  // set by reset
  Mask<T> lawful{};        // lanes in which the last step neither diverged nor made energy from nowhere

  // what the last evaluation (step or probe) found; after an implicit step: what acted on average
  std::vector<T> qdd, tau;     // nv; tau: drives, actuators, springs, dampers, limits
  std::vector<T> x;            // nv: joint positions (joints.h)
  Constraints<T> constraints;  // forces of linear actuators, tendons, loops and couplings, in this order
  ContactRecord<T> ground_contacts;
  std::vector<BodyContactRecord> body_contacts;
  long dynamics_calls = 0;  // accelerations solved for since reset

 private:
  struct Subscription {
    EventType type;
    Condition condition;
    Listener listener;
  };
  // A watched quantity that passed zero.
  struct Crossing {
    int subscription;  // -1: the simulation's own, of rigid ground
    int index;
    int value;  // among all that are watched
  };

  void evaluate(double h, bool first);
  void add_outside_forces(double h) noexcept;
  void note_active_forces() noexcept;
  void add_passive_forces(double h, bool first) noexcept;
  void add_holds() noexcept;
  bool lose_holds(int row) noexcept;
  void solve(double h) noexcept;
  void solve_once() noexcept;
  void call_controller();

  bool move(double h);
  void advance(double h);
  void advance_euler(double h);
  void advance_rk4(double h);
  void advance_rkf45(double h);
  double try_rkf45(double h);
  void derivative(std::vector<T>& k, double h, bool first);
  void stage(double time) noexcept;
  void pack(std::vector<T>& y) const;
  void unpack(const std::vector<T>& y) noexcept;

  T outside_power() const noexcept;
  void account(double h) noexcept;
  T energy_scale(const T& gravity) const noexcept;
  void check() noexcept;
  void go_back(const Mask<T>& slow) noexcept;
  bool alive() const noexcept;

  // rigid ground (rigid.cpp)
  void set_up_rigid();
  double rigid_reach() const;
  void find_touches(double reach);
  void follow_touches();
  void settle_touches(double reach);
  void settle_touches();
  void add_touch(const RigidTouch& touch);
  void add_touch_rows();
  void close_gaps();
  void add_impulse_rows(double h);
  void make_dense_rows();
  bool prepare_touches(double h, bool first);
  double solve_rows(std::vector<double>& x, double friction, bool at_impact) noexcept;
  bool push_apart(std::vector<double>& x) noexcept;
  void stop_touches();
  void solve_touches() noexcept;
  void note_touches() noexcept;
  void find_flows(double* flow) const noexcept;
  void add_flows(double h);
  void impact();
  void answer_touches(const std::vector<RigidTouch>& touches, double restitution, double rebounding,
                      double friction);
  void begin_rigid_step();
  void end_rigid_step(bool event);
  bool move_rigid(double h);
  bool gone_astray();
  bool steps_by_impulses() const;
  std::string relation() const;
  std::string relation_now();
  void watch_touches(std::vector<double>& values);

  bool advance_with_events(double h);
  void watch(std::vector<double>& values);
  void find_crossings();
  double locate(double h);
  void deliver();

  const System<T>* system_;
  std::array<Failure, lanes_of<T>> failures_;
  double grid_start_ = 0, grid_dt_ = 0;  // step() lands on multiples of dt after grid_start_
  long steps_ = 0;
  State<T> backup_;        // before the present step
  State<T> substep_;       // before the present try of rkf45, or before a probe
  double adapted_ = 0;     // rkf45: step to try next
  double step_start_ = 0;  // pushes act by their share of the present step
  double step_length_ = 0;
  // events
  std::vector<Subscription> subscriptions_;
  std::vector<Crossing> crossings_;
  std::vector<double> values_before_, values_after_, values_;
  State<double> event_start_;
  // accounts of energy
  T outside_power_{0};
  std::vector<T> active_tau_, active_d_, old_rest_, old_x_;
  int actuator_rows_ = 0;
  bool rests_moved_ = false;
  FrictionState<T> friction_;
  BodyContactScratch body_meetings_;
  TendonState<T> tendons_;
  std::vector<Wrench<T>> outside_;
  // stages
  std::vector<std::vector<T>> k_;
  std::vector<T> y0_, y_;
};

// Speed at which the contact points can meet ground at height 0, falling from configuration q with velocity
// v. m/s
double impact_speed(const System<double>& system, const std::vector<double>& q, const std::vector<double>& v);

// Longest step that explicit integrators take without oscillating apart, and what sets it, at configuration
// q when the ground is met at a speed of impact (m/s).
struct StableStep {
  double dt = unlimited;  // s
  std::string what;       // "the spring of 'rf_knee'", "the ground under 'rf_foot'"
};
StableStep stable_step(const System<double>& system, const std::vector<double>& q, double impact = 0);

// The creature's own integrator and step where none are given ("" and 0), else implicit at 1 ms, or rkf45
// where a restitution is asked for, which long implicit steps would swallow; explicit integrators get at most
// half their stable step.
StepOptions choose_step(const System<double>& system, const std::string& integrator = "", double dt = 0,
                        double impact = 0);

}  // namespace legwork
