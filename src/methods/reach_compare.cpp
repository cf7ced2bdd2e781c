// Limb spaces of two bodies beside each other.

#include <array>
#include <cmath>
#include <set>

#include "base/text.h"
#include "methods/reach_account.h"
#include "reach/feasible.h"

namespace legwork {

using namespace reaching;

namespace {

using Cell = std::array<int, 3>;

// The cubes of an edge that a limb space reaches.
std::set<Cell> cells_of(const Space& space, double edge) {
  std::set<Cell> cells;
  for (size_t i = 0; i < space.size(); ++i) {
    const Vec3d at = space.pose(i).at;
    cells.insert({int(std::floor(at.x / edge)), int(std::floor(at.y / edge)), int(std::floor(at.z / edge))});
  }
  return cells;
}

// At most as many points as a page draws smoothly.
void thin(std::vector<Vec3d>& points) {
  constexpr size_t most = 6000;
  if (points.size() <= most) return;
  std::vector<Vec3d> some;
  for (size_t i = 0; i < points.size(); i += points.size() / most + 1) some.push_back(points[i]);
  points = some;
}

double longest_of(Problem problem, const std::string& limb, const ReachOptions& options, int threads) {
  std::erase_if(problem.girdles, [&](const GirdleProblem& g) { return g.girdle.name != limb; });
  return longest_step(problem, options, threads);
}

SpaceComparison compare_limb(const Findings& r, const GirdleProblem& a, const Findings& theirs,
                             const GirdleProblem& b, int threads) {
  SpaceComparison c;
  c.limb = a.girdle.name;
  const std::string &name = r.creature.name, &other = theirs.creature.name;
  const double edge = a.boxes.size, cube = edge * edge * edge;
  const std::set<Cell> mine = cells_of(a.space, edge), their = cells_of(b.space, edge);
  PointsPanel::Set only_a{"only " + name, {}, {}}, only_b{"only " + other, {}, {}}, both{"both", {}, {}};
  const auto center = [&](const Cell& k) { return Vec3d(k[0] + 0.5, k[1] + 0.5, k[2] + 0.5) * edge; };
  for (const Cell& k : mine) {
    const bool shared = their.count(k) > 0;
    c.shared += shared ? cube : 0;
    (shared ? both : only_a).points.push_back(center(k));
  }
  for (const Cell& k : their)
    if (!mine.count(k)) only_b.points.push_back(center(k));
  c.volume = double(mine.size()) * cube, c.other_volume = double(their.size()) * cube;
  c.longest = longest_of(r.problem, c.limb, r.options, threads);
  c.other_longest = longest_of(theirs.problem, c.limb, r.options, threads);
  PointsPanel panel;
  for (PointsPanel::Set* set : {&only_a, &only_b, &both}) {
    thin(set->points);
    panel.sets.push_back(std::move(*set));
  }
  c.panel = {c.limb + " limb spaces of " + name + " and " + other,
             "Boxes that one body reaches and the other does not. Volumes: " + brief(c.volume) + " and " +
                 brief(c.other_volume) + " m^3, " + brief(c.shared) +
                 " m^3 shared; longest feasible steps: " + brief(c.longest) + " m and " +
                 brief(c.other_longest) + " m.",
             panel};
  return c;
}

}  // namespace

std::vector<SpaceComparison> compare_spaces(const Findings& r, const Creature& other, const Run& run) {
  ReachOptions alone = r.options;
  alone.stage = Stage::organise;
  alone.task = Kind::walk;
  alone.off.clear();
  World world;
  world.body = other;
  const Findings theirs = find_gait(world, alone, {}, run);
  std::vector<SpaceComparison> out;
  for (const GirdleProblem& a : r.problem.girdles)
    for (const GirdleProblem& b : theirs.problem.girdles)
      if (a.girdle.name == b.girdle.name) out.push_back(compare_limb(r, a, theirs, b, run.threads));
  return out;
}

}  // namespace legwork
