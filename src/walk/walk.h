#pragma once
// Walking by physics: oscillators, reflexes and motor programs drive springs (McKenna 1990, *corpus*), with
// feedback that keeps it straight and upright.
//
//   World world = load_world("roach");
//   const WalkResult result = walk(world, options);     a Motion, and what was found on the way

#include <functional>
#include <string>
#include <vector>

#include "motion/record.h"
#include "walk/programs.h"
#include "walk/walker.h"

namespace legwork {

enum class Feet {
  slide,  // friction alone
  stick,  // springs hold a foot in stance where it touched, and break (McKenna, section 5.3)
  hold,   // equations hold it, and break: no stiff springs (McKenna, chapter 6)
};
enum class FirstFoot { left, right };
enum class TuneGoal { none, speed, straight, cost };

struct WalkOptions {
  double seconds = 5;
  double slowness = 0;
  double speed = 0;
  double turn = 0;
  std::vector<std::string> at;
  Feet feet = Feet::slide;
  bool open_loop = false;
  std::string reflexes = "auto";
  FirstFoot first = FirstFoot::left;
  double stride = 0, lift = 0, step_time = 0;
  std::vector<std::string> lose;
  double payload = 0;
  TuneGoal tune = TuneGoal::none;
  int evaluations = 120;
  std::vector<double> tuned;
};

template <class Visitor>
void describe(Visitor& v, WalkOptions& o) {
  v.number("seconds", o.seconds, {0, 86400, "s", "how long to walk"});
  v.number("slowness", o.slowness,
           {0, 1000, "1", "1 = top speed, 2 = half its step rate, ...; 0 = what suits the body"});
  v.number("speed", o.speed, {0, 1e4, "m/s", "wanted speed, by slowness and stroke; 0 = as slowness gives"});
  v.number("turn", o.turn, {-100, 100, "rad/s", "turn to the left"});
  v.texts("at", o.at,
          {{"T:slowness=3", "from T s on; also speed, turn, stroke"},
           {"2:turn=0.5,slowness=2", "several at once"},
           {"1+2:slowness=1", "little by little, over 2 s from 1 s on"}},
          "commands over time; may be repeated");
  v.choice("feet", o.feet,
           {{"slide", "friction alone"},
            {"stick", "springs hold feet in stance, and break"},
            {"hold", "feet in stance are held by equations, and break away"}},
           "how feet meet the ground");
  v.flag("open_loop", o.open_loop, "the thesis's walk: no feedback, no reflexes");
  v.text("reflexes", o.reflexes,
         {{"auto", "all, in open loop none"},
          {"all", ""},
          {"none", ""},
          {"step,load,neighbour,elevator,ground", "some of these"}},
         "what a leg does by itself");
  v.choice("first", o.first, {"left", "right"}, "the side that steps first: one walk mirrors the other");
  v.number("stride", o.stride,
           {0, 1e4, "m", "way of a foot in stance, for bodies without motor programs; 0 = chosen"});
  v.number("lift", o.lift, {0, 1e4, "m", "of a foot in a step, likewise; 0 = chosen"});
  v.number("step_time", o.step_time, {0, 1e4, "s", "of a step; 0 = the creature's, or chosen"});
  v.texts("lose", o.lose, {{"LEG", "from the start"}, {"LEG@T", "at T s"}},
          "a leg that is held up and touches nothing from then on; may be repeated");
  v.number("payload", o.payload, {0, 100, "1", "extra mass on the back, as a share of the body's own"});
  v.choice("tune", o.tune, {"none", "speed", "straight", "cost"},
           "search the motor programs for more of this first");
  v.integer("evaluations", o.evaluations, {1, 1e6, "", "walks that --tune may try"});
  v.numbers("tuned", o.tuned, {-100, 100, "1", "what --tune found; empty = the programs as they are"});
}

// What is asked for from a time on.
struct TimedCommand {
  double time = 0, over = 0;  // s: begins, and takes so long to come into force
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

// How it is recorded and integrated.
struct WalkRun {
  std::string integrator;  // empty: chosen
  double dt = 0;           // s; 0: chosen
  double rate = 0;         // frames/s; 0: chosen from the step time
  std::vector<Push> pushes;
  std::uint64_t seed = 1;
  int threads = 1;
  Watch watch;
  std::function<bool()> stop;   // asked while a body settles or is tried, by any thread: true ends that
  bool friction_given = false;  // else sticky feet lower the friction of all that does not stick
};

struct WalkResult {
  Motion motion;
  StepOptions step;
  Geometry geometry;  // all zero where the creature brought its programs
  Pace pace;
  Reflexes reflexes;         // with the limits that were found
  double mass = 0;           // kg
  double length = 0;         // m, of the trunk and head, along the body
  double heading_error = 0;  // rad: of the heading averaged over a stride, against the one asked for, at most
  double distance = 0;       // m, along the heading
  double speed = 0;          // m/s: distance over time, the first two cycles left out
  double yaw_wobble = 0;     // rad: half of the swing of the heading within a cycle, mean
  long dynamics_calls = 0;
  int breaks = 0;  // feet that came loose in stance
  std::vector<double> tuned;
  double tuned_from = 0, tuned_to = 0;  // score before and after
};

// Throws Error for bodies that cannot walk and options that make no sense; falling is a status.
WalkResult walk(const World& world, const WalkOptions& options, const WalkRun& run);
// Throws Error that says what the body lacks to be walked, with the lines to add.
void check_walk(const World& world);

// Feedback as it is by default.
Feedback default_feedback();

// Along x, of all that is no leg, in the pose stand, m.
double trunk_length(const Creature& creature);

}  // namespace legwork
