#pragma once
// Walking by physics, in one of two ways:
//   balance    footholds, a preview of the centre of mass, and torques by inverse dynamics keep any body on
//   legs
//              over its feet (control/legged_controller.h);
//   programs   oscillators, motor programs and reflexes drive springs (McKenna 1990, *corpus*), with feedback
//              that keeps it straight and upright.
//
//   WalkOptions options;
//   options.seconds = 3;
//   const WalkOutcome outcome = perform_walk(load_world("roach"), options, {});   a Motion, and what was
//   found

#include <string>
#include <vector>

#include <legwork/methods.h>
#include "control/polygon.h"
#include "motion/record.h"
#include "walk/programs.h"
#include "walk/walker.h"

namespace legwork {

using Feet = WalkOptions::Feet;
using FirstFoot = WalkOptions::First;
using TuneGoal = WalkOptions::Tune;

// A walk is recorded this finely at least, whatever rate is asked for, since its gait is measured from its
// frames...
inline constexpr double frames_of_a_step = 20;
// ...unless that is very many frames in all: then one in so many is kept, which comes near the rate that was
// asked for.
long kept_frame(long frames, double rate, double asked);

// What moved the legs.
enum class MovedBy { programs, balance };

// What is asked for from a time on.
struct TimedCommand {
  double time = 0, over = 0;  // s: when it begins, and how long it takes to come into force
  WalkCommand command;
};
// The commands of slowness, speed, turn and at, in order of time. Throws Error.
std::vector<TimedCommand> parse_commands(const WalkOptions& options, double slowness);
// What is asked for at a time.
WalkCommand command_at(const std::vector<TimedCommand>& commands, double time);

// A leg and when it is lost. Throws Error.
struct Loss {
  int leg = 0;
  double time = 0;
};
std::vector<Loss> parse_losses(const std::vector<std::string>& specs, const Creature& creature);

// "auto", "all", "none" or names with commas. Throws Error.
Reflexes parse_reflexes(const std::string& spec, bool open_loop);

// The ground to walk on. Where neither words nor the body's file speak of contact: McKenna's, as soft as the
// body's weight asks for.
ContactOptions walking_ground(const World& world);
// Whether words or the body's file speak of friction; where nobody does, sticky feet lower the friction of
// all that does not stick.
bool friction_given(const World& world);

// Throws Error for a step that an explicit integrator would not bear.
void check_step(const System<double>& system, const StepOptions& step);

// Throws Error for a body that has no legs, or whose legs are carried by something that cannot move freely.
void check_legs(const Creature& creature);

struct WalkOutcome {
  Motion motion;
  MovedBy moved_by = MovedBy::programs;
  StepOptions step;
  Geometry geometry;  // all zero where the creature brought its programs
  Pace pace;
  Reflexes reflexes;         // with the limits that were found
  double mass = 0;           // kg
  double length = 0;         // m: length of trunk and head along the body
  double heading_error = 0;  // rad: largest error of the heading, averaged over a stride
  double distance = 0;       // m, along the heading
  double speed = 0;          // m/s: distance over time, the first two cycles left out
  double yaw_wobble = 0;     // rad: half of the swing of the heading within a cycle, mean
  long dynamics_calls = 0;
  int breaks = 0;          // feet that came loose in stance
  double crouch = 0;       // m: how much lower than its pose stand the body walks
  double asked_speed = 0;  // m/s
  std::vector<double> tuned;
  double tuned_from = 0, tuned_to = 0;  // score before and after
};

// On walking_ground, by the world's integrator, step and pushes, at its rate or what the step time asks for.
// Throws Error for bodies that cannot walk and options that make no sense; falling is a status.
// places: m, to walk to one after the other; none: straight ahead.
WalkOutcome perform_walk(const World& world, const WalkOptions& options, const Run& run = {},
                         const std::vector<Vec2>& places = {});
// Throws Error that says what the body lacks to be walked, with the lines to add.
void check_walk(const World& world);

// Feedback as it is by default.
Feedback default_feedback();

// Extra mass at the root's centre, as a share of the body's own.
void add_payload(Creature& creature, double share);

// Length along x of everything but the legs, in the pose stand, m.
double trunk_length(const Creature& creature);

}  // namespace legwork
