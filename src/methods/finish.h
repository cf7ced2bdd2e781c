#pragma once
// What all methods do before and after their own work.

#include <string>

#include <legwork/methods.h>
#include "base/stopwatch.h"
#include "motion/watch.h"
#include "scenario/world_words.h"

namespace legwork {

// Before the work: the world is one that can be simulated, and every option lies in its range. Throws Error.
void check_arguments(const std::string& method, const World& world, const Options& options);
// Checks that the frames of a motion this long can be held. Throws Error.
void check_frames(const World& world, double seconds);

// The run as data. world_words: the world as it came out; options: the method's, as they came out.
Scenario scenario_of(const std::string& method, const World& world, const WorldOptions& world_words,
                     const Options& options, const Run& run);
// The same as text, for a motion.
std::string text_of(const Scenario& scenario);

// After the work: the motion says how it was made, the gait is measured, the scenario is there.
void finish(Result& result, const World& world, const Scenario& scenario, const Stopwatch& watch);

}  // namespace legwork
