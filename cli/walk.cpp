#include "cli/motion_verb.h"

namespace legwork::cli {

int walk(const Words& words) { return run_method("walk", words); }

}  // namespace legwork::cli
