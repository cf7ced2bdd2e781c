// Modal analysis and kinematic gaits on one core: the dog, and growth with the number of joints.

#include <algorithm>
#include <string>

#include <legwork/files.h>
#include "base/stopwatch.h"
#include "bench/rows.h"
#include "creature/complete.h"
#include "modes/modes.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

// A free body with six chains of universal joints: about n degrees of freedom.
Creature many_joints(int n) {
  Creature c;
  c.name = "arms" + std::to_string(n);
  const int links = (n - 6) / 2 + 1;
  for (int i = 0; i < links; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = i == 0 ? -1 : i <= 6 ? 0 : i - 6;
    link.pos = {i == 0 ? 0 : 0.1, 0.02 * (i % 6), 0};
    Joint joint;
    joint.name = link.name;
    joint.type = i == 0 ? JointType::free : JointType::universal;
    if (i > 0) joint.axes = {{0, 1, 0}, {0, 0, 1}};
    link.joints = {joint};
    Shape shape;
    shape.type = ShapeType::capsule, shape.size = {0.01, 0.1, 0};
    shape.touches = false;
    link.shapes = {shape};
    c.links.push_back(link);
  }
  complete(c);
  return c;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::Row> rows;
  const auto add = [&](const std::string& name, double value, const std::string& unit, double target) {
    bench::Row row;
    row.name = name, row.value = value, row.unit = unit, row.target = target, row.on_value = target > 0;
    rows.push_back(row);
    print(row);
  };
  const World world = load_world("dog");
  const Creature& dog = world.body;
  const std::vector<double> q = rest_pose(dog, "stand");
  std::vector<double> k = uniform_stiffness(dog, 20);
  multiply_spine(dog, 5, k);
  int modes = 0;
  add("modal analysis, dog, 80 degrees of freedom",
      1e3 * measure([&](int) { modes += analyse(dog, q, k).count(); }, 1, 31), "ms", 10);
  ModesOptions options;
  options.action = "trot", options.stiffness = "20", options.spine = 5, options.hz = 2, options.seconds = 60;
  double seconds = 1e9;
  for (int i = 0; i < 7; ++i) {
    const Stopwatch watch;
    make_modes_motion(world, options);
    seconds = std::min(seconds, watch.seconds());
  }
  add("60 s of the dog's trot on the ground, 60 Hz", seconds, "s", 0.2);
  for (const int n : {50, 100, 200, 500}) {
    const Creature c = many_joints(n);
    const std::vector<double> pose = c.pose(""), stiffness = uniform_stiffness(c, 1);
    add("modal analysis, " + std::to_string(c.nv()) + " degrees of freedom",
        1e3 * measure([&](int) { modes += analyse(c, pose, stiffness).count(); }, 1, n > 200 ? 3 : 11), "ms",
        0);
  }
  if (modes == 0) return 1;
  const std::string file = json_argument(argc, argv);
  if (!file.empty()) add_to_json(file, rows);
}
