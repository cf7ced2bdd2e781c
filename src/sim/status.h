#pragma once

namespace legwork {

// How a motion ended. A creature that fell or a computation that diverged is a status, never an exception.
enum class Status { ok, fell, diverged, stopped };

const char* to_string(Status status);

}  // namespace legwork
