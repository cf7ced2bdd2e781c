// Pictures: frames a second of the renderer on one thread and on all cores, a hexapod standing on a plane.

#include <legwork/report.h>

#include <string>
#include <vector>

#include <legwork/files.h>
#include "bench/rows.h"

using namespace legwork;
using namespace legwork::bench;

int main(int argc, char** argv) {
  Motion motion;
  motion.creature = load_creature("hexapod");
  const std::vector<double> stand = motion.creature.pose("stand");
  for (int f = 0; f < 2; ++f) {
    motion.time.push_back(f);
    motion.q.insert(motion.q.end(), stand.begin(), stand.end());
    motion.v.insert(motion.v.end(), size_t(motion.creature.nv()), 0.0);
  }
  std::vector<Row> rows;
  std::size_t bytes = 0;
  const auto add = [&](const std::string& name, const RenderOptions& look) {
    const double seconds = measure([&](int) { bytes += render_frame(motion, 0.5, look).rgb.size(); }, 1, 3);
    Row row;
    row.name = name, row.value = 1 / seconds, row.unit = "frames/s";
    rows.push_back(row);
    print(row);
  };
  add("picture, 640x360, 8 rays a pixel, one thread",
      {.width = 640, .height = 360, .samples = 8, .threads = 1});
  add("picture, 640x360, 8 rays a pixel, all cores", {.width = 640, .height = 360, .samples = 8});
  const std::string file = json_argument(argc, argv);
  if (!file.empty()) add_to_json(file, rows);
  return bytes == 0;
}
