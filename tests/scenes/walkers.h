#pragma once
// The walkers' benchmark: generated bodies on grounds measured in their own hip heights, walked once each by
// the public walk(). Nothing is tried on that ground first, and nothing is known of coming pushes.
//
// Units of a body: h is hip_height(), the mean height of its hips over its soles in the pose "stand"; time is
// counted in sqrt(h/g), speed in sqrt(g h). A run lasts 40 sqrt(h/g); the body starts in "stand", its
// foremost sole at x = 0, and is asked to walk along +x at the speed that suits it.
//
// Cases, N any number:
//   flat          a level plane, friction 0.8
//   upN, downN    a slope of N degrees along x
//   stairsN       stairs of N hundredths of h with treads of 1 h; the first riser 2 h before the foremost
//   sole roughN        hills within +-N hundredths of h, 1 h long ice           a level plane, friction 0.4
//   payload       half the body's mass more on its trunk
//   pushN         after 20 sqrt(h/g) the trunk is pushed for 0.1 sqrt(h/g) with the force that changes
//                 the body's velocity by N hundredths of sqrt(g h): from the back, the front, the right and
//                 the left by turns of the body's number
//   lose          after 20 sqrt(h/g) a leg is lost: the first, the second, ... by turns of the number
//
// A run counts when the body did not fall (root tilted by more than 60 degrees, or hips on average lower over
// the ground below them than 40 % of h), went at least 4 h along x, ended with its root and its whole way
// within 30 degrees of x, had at least half the speed that was asked for (the account's "asked_speed", where
// it has one), and its joints' torques were at most one weight times the leg's length in 99 of 100 frames
// (bodies with motors have their own limits). A refusal is a failure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <legwork/gait.h>
#include <legwork/methods.h>
#include <legwork/result.h>

namespace legwork {

// Those of the benchmark: flat ground, 10 and 20 degrees up and down, stairs20 and 40, rough10, ice, payload,
// push25 and 50.
const std::vector<std::string>& walker_cases();

// The world and the options of one run of a body at home in a world; `number` is the body's, for the
// direction of a push, the hills and the leg that is lost. Throws Error for an unknown case.
World walker_world(const World& home, const std::string& name, int number);
WalkOptions walker_options(const Creature& body, const std::string& name, int number);

// What one run came to. Lengths in h, times in sqrt(h/g), speeds in sqrt(g h), angles in rad.
struct WalkerVerdict {
  bool walked = false;
  // What did not count; empty when it walked. In a word: refused, diverged, fell, stopped, distance, heading,
  // speed, torque; and in a few.
  std::string lacks, reason;
  double lasted = 0;  // until it fell or the run ended
  double distance = 0, heading = 0, speed = 0;
  double asked_speed = 0;  // 0: the account does not say
  double torque = 0;       // 99th percentile of the largest joint torque of a frame, in weights times the leg
};
WalkerVerdict judge_walk(const Result& result, const Creature& body, double seconds);

struct WalkerTrial {
  double seconds = 0;       // how long a run lasts; 0: 40 sqrt(h/g)
  bool appearance = false;  // measure how it looks; frames are then recorded at the controller's rate
  bool keep_result = false;
};

struct WalkerRun {
  int number = 0, legs = 0;
  std::string body, about, name;  // the body's name and description; the case
  WalkerVerdict verdict;
  double hip_height = 0, duration = 0;   // m, s: asked for
  double seconds = 0;                    // that it took to compute
  std::optional<Appearance> appearance;  // where it was asked for and the body moved
  std::optional<Result> result;          // where it was asked for and walk() did not refuse
};

// What one run is made of: begin_run names it, walker_task says what to walk, finish_run judges what came of
// it.
struct WalkerTask {
  World world;
  WalkOptions options;
};
WalkerRun begin_run(const Creature& body, int number, const std::string& name);
WalkerTask walker_task(const World& home, int number, const std::string& name, const WalkerTrial& trial);
void finish_run(Result result, const Creature& body, const WalkerTrial& trial, WalkerRun& run);

WalkerRun run_walker(const World& home, int number, const std::string& name, const WalkerTrial& trial = {});
WalkerRun run_walker(const Creature& body, int number, const std::string& name,
                     const WalkerTrial& trial = {});

// Rows: leg counts, all, and what the others lack; columns: cases; runs that count of all runs.
std::string walker_table(const std::vector<WalkerRun>& runs);

// One line for each run: outcome, speed against what was asked for, heading, and how it looks.
std::string walker_lines(const std::vector<WalkerRun>& runs);

// Rows: bodies in their order; columns: cases; what each run came to in a word.
std::string walker_outcomes(const std::vector<WalkerRun>& runs);

// The same for two judges of the same runs, and in how many of them both walk or neither does. Runs that
// either refuses do not count.
std::string walker_agreement(const std::vector<WalkerRun>& first, const std::vector<WalkerRun>& second);

}  // namespace legwork
