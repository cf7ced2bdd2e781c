// No outside force without a source: whatever moves a body by physics, the freedoms that carry the whole body
// get neither torque nor force from it; only the ground, water, wind, props and pushes move them.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <legwork/legwork.h>
#include "creature/tree.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

// The largest generalised force on root freedoms, in weights (and, for turns, weights at the hips' height).
double root_force(const Motion& motion) {
  const Creature& body = motion.creature;
  const std::vector<char> root = root_dofs(body);
  const double weight = body.mass() * 9.81, hips = hip_height(body);
  const double unit = weight * std::min(1.0, std::isfinite(hips) && hips > 0 ? hips : 1.0);
  double most = 0;
  for (size_t i = 0; i < motion.tau.size(); ++i)
    if (root[i % root.size()]) most = std::max(most, std::abs(motion.tau[i]) / unit);
  return most;
}

struct Cell {
  std::string name;
  std::function<Result(const World&)> run;
};

// Everything that moves a body by physics, shortened; `fall` is a motion of the body to track.
std::vector<Cell> cells_of(const World& world, const std::string& fall) {
  std::vector<Cell> cells = {{"drop", [](const World& w) { return drop(w, {.seconds = 0.5}); }}};
  for (const Support& support : supports(world)) {
    if (!support.supported) continue;
    if (support.method == "walk") {
      cells.push_back({"walk", [](const World& w) { return walk(w, {.seconds = 0.5}); }});
      cells.push_back({"walk of 1990", [](const World& w) {
                         return walk(w, {.seconds = 0.2, .control = WalkOptions::Control::mckenna});
                       }});
    } else if (support.method == "discover") {
      cells.push_back({"discover", [](const World& w) {
                         return discover(w, {.random = 16, .vary = 0, .gaits = 2, .tune = 0, .seconds = 0.5});
                       }});
    } else if (support.method == "modes") {
      cells.push_back({"modes by physics", [](const World& w) {
                         return modes(w, {.mode = {"6=1"}, .dynamic = true, .seconds = 0.3});
                       }});
      cells.push_back({"modes, balanced", [](const World& w) {
                         return modes(w, {.action = "walk", .balance = true, .seconds = 0.3});
                       }});
    } else if (support.method == "direct") {
      for (const char* algorithm : {"stand", "squat", "walk", "carry", "ground_walk", "lift_leg", "climb"})
        if (support.how.find(algorithm) != std::string::npos)
          cells.push_back({std::string("direct ") + algorithm, [algorithm](const World& w) {
                             return direct(w, {.algorithm = algorithm, .seconds = 0.3});
                           }});
      cells.push_back({"direct, tracking",
                       [fall](const World& w) { return direct(w, {.track = fall, .seconds = 0.2}); }});
    }
  }
  return cells;
}

TEST(RootForces, NothingButTheWorldMovesABodyAsAWhole) {
  const Scratch scratch;
  const std::string fall = scratch / "fall.glb";
  int ran = 0, refused = 0;
  for (const ShippedCreature& shipped : shipped_creatures()) {
    const World world = load_world(shipped.name);
    save(drop(world, {.seconds = 0.1}), fall);
    for (const Cell& cell : cells_of(world, fall)) {
      SCOPED_TRACE(cell.name + " " + shipped.name);
      Result result;
      if (!error_of([&] { result = cell.run(world); }).empty()) {
        ++refused;
        continue;
      }
      ++ran;
      EXPECT_LT(root_force(result.motion), 1e-9);
      for (const Result& other : result.others)
        if (!other.motion.tau.empty()) EXPECT_LT(root_force(other.motion), 1e-9);
    }
  }
  std::printf("%d runs, %d refused\n", ran, refused);
  EXPECT_GE(ran, 180);
}

}  // namespace
}  // namespace legwork
