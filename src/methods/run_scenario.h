#pragma once

#include <legwork/study.h>

namespace legwork {

// The scenario's run in a world that holds its bodies, or is as its file has it.
Result run_in(World world, const Scenario& scenario, Method& method, const Run& run);
// The same of a motion's file. method: of the scenario that the file carries.
Rerun rerun_with(const std::string& path, const Run& run,
                 std::unique_ptr<Method> (*method_by_name)(const std::string&));

}  // namespace legwork
