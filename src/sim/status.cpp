#include <legwork/motion.h>

namespace legwork {

const char* to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::fell:
      return "fell";
    case Status::diverged:
      return "diverged";
    case Status::stopped:
      return "stopped";
  }
  return "?";
}

}  // namespace legwork
