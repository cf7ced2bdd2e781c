#include <legwork/legwork.h>

#include <cstdio>

int main() {
  using namespace legwork;
  const World world = load_world("dog");
  const Result result = walk(world, {.seconds = 4});
  if (result.gait) std::printf("%s at %.2f m/s\n", result.gait->name.c_str(), result.gait->speed);
  save(result, "dog.glb");
  return result.motion.status == Status::ok ? 0 : 3;
}
