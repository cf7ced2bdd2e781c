// Writing and reading a long motion as .glb: 60 s at 240 Hz of a body of 40 links, every frame animated and
// every state kept.

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "bench/rows.h"
#include "creature/complete.h"
#include "formats/gltf/glb.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

// Six chains of hinges on a free body, with twelve contact points.
Creature many_links() {
  Creature c;
  c.name = "forty";
  for (int i = 0; i < 40; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = i == 0 ? -1 : i % 7 == 1 ? 0 : i - 1;
    link.pos = {0.1, 0.01 * i, 0};
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = i == 0 ? JointType::free : JointType::hinge;
    if (i > 0) joint.axes = {{0, 1, 0}};
    link.joints = {joint};
    Shape shape;
    shape.type = ShapeType::capsule, shape.size = {0.01, 0.1, 0};
    shape.touches = false;
    link.shapes = {shape};
    c.links.push_back(link);
  }
  for (int i = 0; i < 12; ++i) c.contacts.push_back({"point" + std::to_string(i), 3 * i, {}, 0.01, true});
  complete(c);
  return c;
}

Motion long_motion() {
  Motion m;
  m.creature = many_links();
  const int nv = m.creature.nv();
  for (int f = 0; f < 60 * 240; ++f) {
    const double t = f / 240.0;
    m.time.push_back(t);
    m.q.insert(m.q.end(), {t, 0.1 * std::sin(t), 0.5, std::cos(t), 0, 0, std::sin(t)});
    for (int i = 1; i < 40; ++i) m.q.push_back(0.5 * std::sin(3 * t + i));
    for (int i = 0; i < nv; ++i) m.v.push_back(std::cos(t + i)), m.tau.push_back(std::sin(t - i));
    for (int i = 0; i < 36; ++i) m.contact_force.push_back(f % 240 < 120 ? 0 : 10 + t);
  }
  return m;
}

}  // namespace

int main(int argc, char** argv) {
  const Motion motion = long_motion();
  const std::string path =
      (std::filesystem::temp_directory_path() / ("legwork-bench-" + std::to_string(getpid()) + ".glb"))
          .string();
  write_glb(motion, path, {.rate = 0});
  const double megabytes = double(std::filesystem::file_size(path)) / 1e6;
  const double writing = measure([&](int) { write_glb(motion, path, {.rate = 0}); }, 1, 15);
  std::size_t frames = 0;
  const double reading = measure([&](int) { frames += read_glb(path).time.size(); }, 1, 15);
  std::filesystem::remove(path);
  if (frames == 0) return 1;

  std::vector<Row> rows;
  const auto add = [&](const std::string& name, double seconds) {
    Row row;
    row.name = name, row.value = megabytes / seconds, row.unit = "MB/s";
    row.target = 300, row.at_least = true, row.on_value = true;
    rows.push_back(row);
    print(row);
  };
  add("writing .glb, 60 s, 240 Hz, 40 links", writing);
  add("reading .glb, 60 s, 240 Hz, 40 links", reading);
  const std::string file = json_argument(argc, argv);
  if (!file.empty()) add_to_json(file, rows);
}
