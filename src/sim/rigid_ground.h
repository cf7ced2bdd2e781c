#pragma once
// Rigid ground as a simulation steps on it (ContactType::rigid; scalar only).
//
// Between changes of contact the motion is smooth: Runge-Kutta steps go up to the next new touch, which is
// located like any event, and impacts are impulses there. Touches let nothing accelerate into the ground,
// f >= 0, a >= 0, f a = 0, within Coulomb's cone (ground/rigid_contact.h). Where they change more often than
// can be followed one by one, and always with the integrators of order 1 (euler, implicit), a step takes all
// changes together: its impulses keep every point near the ground out of it at the step's end (Moreau 1988).
//
// Constants are chosen for bodies whose hips are 0.3 m high or more; for a smaller one lengths shrink with
// its hips, times and speeds with the square root of that.

#include <string>
#include <vector>

#include "ground/rigid_contact.h"

namespace legwork {

// A contact point that came down or went up, or how links lie on each other from now on.
struct ContactChange {
  double time;
  std::string what;  // "r_heel_in down", "edge", ...
};

// What a program decides for one instant (Simulation::instant).
struct InstantPlan {
  std::vector<double> tau;    // nv: torques of the motors
  std::vector<double> meant;  // nv: the accelerations that go with them
  // nv, kg m^2, or empty: by how much a motor resists what it did not mean
  std::vector<double> firm;
  // Whether these are the accelerations that the ground allows: then they are what happens, with the forces
  // in RigidGround::force, and the ground and all that holds do this power (W).
  bool complete = false;
  double power = 0;
  bool astray = false;         // the ground does otherwise than assumed: take the step by impulses
  std::vector<char> left_out;  // contact points that are not to bear as meant
};

struct RigidGround {
  bool on = false;
  double length = 1, time = 1;  // units of small bodies
  double hold_time = 0.02;      // s: how fast touches take back their slip and their gaps
  bool impulses = true;         // false: every change is located in time, however many there are

  RigidContacts contacts;
  std::vector<double> force;  // N, three for each touch, as last found: normal, tangent, tangent
  std::vector<ContactChange> changes;
  InstantPlan plan;

  // The last evaluation's rows: J as dense as the constraints' rows are not; what touches ask of J qdd.
  int first_touch_row = 0;
  std::vector<double> J;            // rows x nv
  std::vector<double> wanted;       // from first_touch_row on
  std::vector<Twist<double>> bias;  // links' spatial accelerations at qdd = 0

  // how steps go
  bool by_impulses = false;  // the present one
  bool noting = false;       // the present evaluation goes to the record
  bool loose = false;        // the last one was: its places are less exact
  double last_event = -unlimited, busy_until = -unlimited;
  std::vector<char> open;  // contact points that did not touch at the start of the step
  std::vector<RigidTouch> at_start;
  std::string relation;  // of links

  ContactProblem problem;
  QuadraticProblem scratch;
  std::vector<double> M, row, closing, held, along;
};

// What a touch asks of the acceleration along its direction k (normal, tangent, tangent), its gap left aside:
// J qdd. bias: the links' spatial accelerations at qdd = 0.
double touch_demand(const RigidTouch& touch, int k, double hold_time, const Workspace<double>& w,
                    const std::vector<Twist<double>>& bias);

}  // namespace legwork
