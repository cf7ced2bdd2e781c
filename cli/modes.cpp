#include "cli/motion_verb.h"

namespace legwork::cli {

int modes(const Words& words) { return run_method("modes", words); }

}  // namespace legwork::cli
