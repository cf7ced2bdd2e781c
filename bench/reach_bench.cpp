// Reach on the apatosaurus: exploring, and whole runs with 1000 x 10,000 candidates. Peers: the times that
// the dissertation states for a laptop of 2008 (one minute a girdle, three minutes a quadruped).

#include <sys/resource.h>

#include <chrono>
#include <cstdio>

#include <legwork/files.h>
#include "bench/rows.h"
#include "math/real.h"
#include "reach/reach.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double whole_run(const std::string& limb) {
  ReachOptions o;
  o.limb = limb;
  o.resolution = 4;
  o.step = {0.34, true};
  o.stage = reaching::Stage::search;
  const World world = load_world("apatosaurus");
  reaching::Findings found;
  const double s = seconds_of([&] { found = reaching::find_gait(world, o, {}, {.threads = 2}); });
  for (const auto& [stage, t] : found.seconds) std::printf("  %-10s %6.2f s\n", stage.c_str(), t);
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::Row> rows;
  const auto add = [&](Row row) {
    if (row.peer_value > 0) row.ratio = row.value / row.peer_value;
    print(row);
    rows.push_back(row);
  };
  const reaching::Girdle fore = reaching::girdles_of(load_creature("apatosaurus"), "fore").at(0);
  const reaching::Placement foot = reaching::planted(fore.limb, {});
  std::printf("growth with resolution, apatosaurus forelimb, two threads:\n");
  for (const double resolution : {8.0, 6.0, 5.0, 4.0, 3.5}) {
    const reaching::Grid grid = reaching::make_grid(fore.limb, resolution * pi / 180, 0.05);
    const double s = measure([&](int) { reaching::explore(fore.limb, foot, grid, 2); }, 1, 5);
    std::printf("  %4.1f deg  %12.0f poses  %7.1f MB  %7.3f s\n", resolution, grid.total,
                grid.total * reaching::bytes_per_sample / 1e6, s);
    if (resolution == 4)
      add({"reach: poses explored", grid.total / s / 1e6, "million/s", "", 0, 0, 50, true, true});
  }
  add({"reach: apatosaurus forelimb, 5,221,125 poses, 1000 x 10,000", whole_run("fore"), "s",
       "Wills 2008 (stated)", 60, 0, 5, false, true});
  add({"reach: apatosaurus, whole quadruped", whole_run("all"), "s", "Wills 2008 (stated)", 180, 0, 15, false,
       true});
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  add({"reach: peak memory", usage.ru_maxrss / 1048576.0, "GB", "", 0, 0, 2, false, true});
  const std::string json = json_argument(argc, argv);
  if (!json.empty()) add_to_json(json, rows);
}
