#include "cli/motion_verb.h"

namespace legwork::cli {

int direct(const Words& words) { return run_method("direct", words); }

}  // namespace legwork::cli
