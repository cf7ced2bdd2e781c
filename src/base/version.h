#pragma once

namespace legwork {

// "0.1.0": recorded in every motion.
const char* version();

}  // namespace legwork
