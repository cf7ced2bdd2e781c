#include "cli/motion_verb.h"

namespace legwork::cli {

int drop(const Words& words) { return run_method("drop", words); }

}  // namespace legwork::cli
