// A stranger's program: only the installed headers and the library.
#include <legwork/files.h>
#include <legwork/methods.h>

#include <cstdio>

int main() {
  const legwork::Result result = legwork::drop(legwork::load_world("hexapod"), {.seconds = 0.5});
  const legwork::Motion& motion = result.motion;
  std::printf("%s: %d frames, %s\n", motion.creature.name.c_str(), motion.frames(), to_string(motion.status));
  return motion.frames() > 10 && motion.status == legwork::Status::ok ? 0 : 1;
}
