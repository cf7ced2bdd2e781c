#include "modes/pump_search.h"

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "math/real.h"
#include "modes/coordinates.h"
#include "search/tune.h"

namespace legwork {

namespace {

constexpr double worst = -1e3;
constexpr double score_rate = 30;  // Hz: frames of a simulation that is only scored

// Sinusoids of one frequency from the search's numbers: hz, sin, then cos and sin of each further one.
std::vector<ModeUse> uses_of(const std::vector<double>& values, const std::vector<int>& which) {
  std::vector<ModeUse> uses;
  for (size_t i = 0; i < which.size(); ++i) {
    const double s = i == 0 ? values[1] : values[2 * i + 1], c = i == 0 ? 0 : values[2 * i];
    ModeUse use;
    use.mode = which[i], use.role = "found by search", use.hz = values[0];
    use.amplitude = std::sqrt(s * s + c * c), use.phase = atan2(c, s);
    uses.push_back(use);
  }
  return uses;
}

}  // namespace

int PumpFound::evaluations_to(double wanted) const {
  const auto at =
      std::find_if(best_by_count.begin(), best_by_count.end(), [&](double best) { return best >= wanted; });
  return at == best_by_count.end() ? 0 : int(at - best_by_count.begin()) + 1;
}

PumpFound search_pump(const World& world, const Modes& modes, PumpSpace space, const PumpSearch& search,
                      const PumpOptions& pumping, const Run& run) {
  PumpFound found;
  found.space = space, found.basis = modes;
  const std::vector<char> root = root_dofs(world.body);
  std::vector<int> which;
  const int taken = std::min(search.modes, modes.count() - modes.rigid);
  double bound = 1;
  if (space == PumpSpace::joints) {
    for (size_t j = 0; j < root.size(); ++j)
      if (!root[j]) which.push_back(int(j));
    found.basis.joints = Eigen::MatrixXd::Identity(long(root.size()), long(root.size()));
    bound = std::sqrt(double(taken) / double(which.size()));
  } else {
    for (int i = 0; i < taken; ++i) which.push_back(modes.rigid + i);
  }
  const double hz = modes.frequency[size_t(modes.rigid)];
  std::vector<Variable> variables{{"hz", 0.3 * hz, 2 * hz, hz}};
  for (size_t i = 0; i < which.size(); ++i) {
    if (i > 0) variables.push_back({"cos", -bound, bound, 0});
    variables.push_back({"sin", -bound, bound, 0.3 * bound});
  }
  found.variables = int(variables.size());
  const double weight = world.body.mass() * norm(world.gravity);
  World undisturbed = world;
  undisturbed.rate = score_rate;
  undisturbed.pushes.clear();
  PumpOptions options = pumping;
  options.seconds = search.seconds, options.watch = {};
  const auto score = [&](const std::vector<double>& values, int) {
    StepOptions step;
    double work = 0;
    const Motion motion = pump(undisturbed, found.basis, uses_of(values, which), options, step, &work);
    if (motion.status != Status::ok) return worst;
    const Travel way = travel(motion, std::min(2 * options.ease, 0.5 * search.seconds));
    if (search.goal == PumpGoal::speed) return way.speed;
    return way.speed > 1e-3 ? -work / (weight * way.speed * search.seconds) : worst;
  };
  TuneOptions tuning;
  tuning.evaluations = search.evaluations, tuning.spread = 0.3, tuning.converged = 0;
  Run alone = run;  // a crew takes up one kind of work, and there are several such searches
  alone.crew = nullptr;
  const Tuned tuned = tune(variables, ScoreOne(score), tuning, alone);
  found.uses = uses_of(tuned.values, which);
  found.score = tuned.score, found.best_by_count = tuned.best_by_count;
  return found;
}

}  // namespace legwork
