#include "base/version.h"

namespace legwork {

const char* version() { return LEGWORK_VERSION; }

}  // namespace legwork
