#pragma once
// Small worlds for the tests of direct, read from text.

#include <cstdio>
#include <fstream>
#include <string>

#include <legwork/files.h>
#include "tests/scenes/scratch.h"

namespace legwork {

inline World world_of(const std::string& toml) {
  const Scratch scratch;
  const std::string path = scratch / "body.toml";
  std::ofstream(path) << toml;
  return load_world(path);
}

inline const char* ball_toml = R"(
name = "ball"
[[link]]
name = "ball"
at = [0, 0, 0.1]
shape = { sphere = 0.1 }
)";

inline const char* arm_toml = R"(
name = "arm"
[[link]]
name = "base"
shape = { box = [0.2, 0.2, 0.2] }
[[link]]
name = "upper"
parent = "base"
at = [0.1, 0, 0]
joint = { name = "shoulder", hinge = "y" }
shape = { capsule = 0.03, to = [0.4, 0, 0] }
[[link]]
name = "lower"
parent = "upper"
at = [0.4, 0, 0]
joint = { name = "elbow", hinge = "y" }
shape = { capsule = 0.03, to = [0.3, 0, 0] }
[[label]]
name = "tip"
link = "lower"
pos = [0.3, 0, 0]
)";

}  // namespace legwork
