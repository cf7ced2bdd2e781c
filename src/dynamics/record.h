#pragma once
// A body as a recording sees it (math/trace.h).

#include <functional>

#include "dynamics/model.h"
#include "math/trace.h"

namespace legwork {

// What a number of the body is in the recording: a constant, or an input. Asked for all numbers in one order,
// which is the same for all bodies of one topology.
using NumberOf = std::function<Trace(double)>;

Model<Trace> record(Model<double> model, const NumberOf& number);

}  // namespace legwork
