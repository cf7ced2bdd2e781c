#pragma once
// A world in words, as scenarios and command lines spell it, and back.

#include <legwork/options.h>
#include <legwork/world.h>

#include "sim/simulation.h"

namespace legwork {

// The whole world in words, with nothing left to its file: apply() makes it again on the bare body.
WorldOptions in_words(const World& world);
// The same with the integrator and the step that were taken.
WorldOptions in_words(const World& world, const StepOptions& step);
// What somebody asked for: in words, or by hand since.
WorldOptions asked_in_words(const World& world);
// The forms of gravity, for help.
Choices gravity_choices();
// A world just read from its file or script.
void remember_origin(World& world, const std::string& name, const std::string& source = {});

}  // namespace legwork
