#pragma once

#include <legwork/result.h>
#include "walk/walk.h"

namespace legwork {

// How a walk went. varied: commands changed the gait during it, so its diagram shows the whole walk.
Account walk_account(const WalkOutcome& outcome, bool varied);

}  // namespace legwork
