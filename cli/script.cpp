#include "cli/motion_verb.h"

namespace legwork::cli {

int script(const Words& words) { return run_method("script", words); }

}  // namespace legwork::cli
