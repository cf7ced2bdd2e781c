#pragma once

namespace legwork {

// "0.2.0": recorded in every motion.
const char* version();

}  // namespace legwork
