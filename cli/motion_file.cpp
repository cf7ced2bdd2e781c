#include "cli/motion_file.h"

#include "legwork/io/glb.h"

namespace legwork::cli {

Motion read_motion(const std::string& path, Account* account) { return read_glb(path, account); }

void write_motion(const Motion& motion, const std::string& path, const Account& account) {
  write_glb(motion, path, {.rate = 0, .account = account});
}

}  // namespace legwork::cli
