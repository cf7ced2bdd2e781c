#pragma once
// A result in Python: constant, shared with every view into it.

#include "core.h"

namespace legwork::python {

using ResultHandle = std::shared_ptr<Result>;

ResultHandle share(Result&& result);
// A motion as a result of its own, with its gait where it has one.
ResultHandle share(Motion&& motion);

// Thrown where the work was stopped and there is a result by then: legwork.Stopped, which carries it.
struct StoppedWith {
  ResultHandle result;
};

}  // namespace legwork::python
