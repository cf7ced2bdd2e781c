// legwork direct: the biped's walk against real time, the cost of one instant, and how it grows with the
// body.

#include <string>

#include <legwork/files.h>
#include "base/stopwatch.h"
#include "bench/rows.h"
#include "direct/director.h"
#include "direct/program.h"
#include "formats/toml/program_toml.h"

namespace {

using namespace legwork;

bench::Row row(const std::string& name, double value, const char* unit) {
  bench::Row r;
  r.name = name, r.value = value, r.unit = unit;
  return r;
}

std::vector<bench::Row> walk_rows() {
  const Program program = load_program("walk");
  Director director(load_world("biped"));
  install(program, director);
  const Stopwatch watch;
  director.run(20, 60);
  const double seconds = watch.seconds();
  bench::Row speed = row("biped walks by equations, times real time", 20 / seconds, "1");
  speed.target = 10, speed.at_least = speed.on_value = true;
  return {speed, row("one instant of the biped's walk", 1e6 * seconds / double(director.solves), "us")};
}

bench::Row chain_row(int joints) {
  const std::string file =
      std::string(LEGWORK_SOURCE_DIR) + "/bench/models/chain" + std::to_string(joints) + ".xml";
  Director director(load_world(file));
  director.add_smoothness_cost(1);
  director.start();
  const std::string tip = director.system().world.body.links.back().name;
  director.add_equation("tip", director.point(tip), [](const Director&) { return Vec3d(0, 0, 1); });
  const double seconds = bench::measure([&](int) { director.solve(); }, 5, 21);
  return row("one instant of a chain of " + std::to_string(joints) + " joints", 1e6 * seconds, "us");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::Row> rows = walk_rows();
  for (const int joints : {10, 20, 50, 100}) rows.push_back(chain_row(joints));
  for (const bench::Row& row : rows) bench::print(row);
  if (const std::string file = bench::json_argument(argc, argv); !file.empty())
    bench::add_to_json(file, rows);
}
