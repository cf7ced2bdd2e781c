#pragma once

#include <legwork/study.h>

namespace legwork {

// The method of a scenario's verb. Throws Error with the scenario's place.
std::unique_ptr<Method> method_of(const Scenario& scenario);
// The scenario's run by its method, in a world that holds its bodies, or is as its file has it.
Result run_in(World world, const Scenario& scenario, Method& method, const Run& run);

}  // namespace legwork
