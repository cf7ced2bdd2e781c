#include "cli/motion_file.h"

#include "legwork/io/glb.h"

namespace legwork::cli {

Motion read_motion(const std::string& path) { return read_glb(path); }

void write_motion(const Motion& motion, const std::string& path, const Account& account) {
  write_glb(motion, path, {.rate = 0, .account = account});
}

Account read_account(const std::string& path) { return read_glb_account(path); }

}  // namespace legwork::cli
