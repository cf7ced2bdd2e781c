#include "cli/motion_verb.h"

namespace legwork::cli {

int reach_verb(const Words& words) { return run_method("reach", words); }

}  // namespace legwork::cli
