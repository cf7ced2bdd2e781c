// Rollouts of the bounder for a search: six seconds of a planar body with four position servos and two feet,
// beside MuJoCo's mj_step on the same body with the same step. Ours carry all that an evaluation needs:
// sensors, network, energy account, measures. One body at a time stands beside one at a time, and eight in a
// batch, which MuJoCo does not have, and the compiled code that a search uses beside one at a time as well.

#include <cmath>
#include <cstdio>

#include <legwork/files.h>
#include "base/random.h"
#include "bench/bounder.h"
#include "bench/peers/peer.h"
#include "bench/rows.h"
#include "discover/evaluate.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

const std::string file = LEGWORK_SOURCE_DIR "/bench/models/bounder.xml";
constexpr double seconds = 6, step = 1e-3, frame = 0.02;
constexpr int candidates = 16;
constexpr double paper_slow = 1200.0 / (6 * 3600), paper_fast = 1200.0 / 3600;  // section 6, a SPARC IPC

// Legs bent, feet on the ground.
const std::vector<double> start = {0, -0.03, 0, 0.4, -0.8, -0.4, 0.8};

std::vector<Candidate> networks(const Problem& problem) {
  std::vector<Candidate> all(candidates);
  for (int k = 0; k < candidates; ++k) {
    Random random(1, std::uint64_t(k));
    for (int i = 0; i < problem.shape.weights(); ++i)
      all[size_t(k)].weights.push_back(std::int8_t(random.index(5) - 2));
  }
  return all;
}

// Legs that swing to and fro, twice a second, and carry the body along on both feet.
void shuffle(MujocoSimulation& sim) {
  sim.reset(start);
  constexpr int turn = 250;
  for (int n = 0; n < int(seconds / step); n += turn) {
    const double swing = (n / turn) % 2 == 0 ? 0.1 : -0.1;
    sim.control({0.4 + swing, -0.8 - swing, -0.4 + swing, 0.8 + swing});
    sim.step(turn);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Problem problem = bench_bounder(file, seconds, step, frame);
  const std::vector<Candidate> all = networks(problem);
  Evaluator eight(problem, {1, false, {}, false}), one(problem, {1, true}), compiled(problem, {1, false});
  compiled.compile();
  MujocoSimulation theirs(file);
  theirs.set_timestep(step);

  int moved = 0;
  for (const Evaluation& e : eight(all)) moved += e.status == Status::ok && e.distance > 0.1;
  shuffle(theirs);
  std::printf("%s; compiled: %s\n", instruction_set().c_str(), compiled.how().c_str());
  std::printf("%d weights; %d of %d networks move the body by 0.1 m, MuJoCo's motion by %.2f m\n",
              problem.shape.weights(), moved, candidates, theirs.positions()[0]);

  const Timing scalar = compare([&](int) { one({all[0]}); }, [&](int) { shuffle(theirs); }, 1, 11);
  const Timing t = compare([&](int) { eight(all); }, [&](int) { shuffle(theirs); }, 1, 11);
  const Timing c = compare([&](int) { compiled(all); }, [&](int) { shuffle(theirs); }, 1, 11);
  const double ours = candidates / c.ours;
  std::vector<bench::Row> rows;
  rows.push_back({"bounder rollouts of 6 s, one at a time", 1 / scalar.ours, "1/s", "mj_step",
                  1 / scalar.theirs, 1 / scalar.ratio});
  rows.push_back({"bounder rollouts of 6 s, eight in a batch", candidates / t.ours, "1/s",
                  "mj_step, one at a time", 1 / t.theirs, candidates / t.ratio, 10, true});
  rows.push_back({"bounder rollouts of 6 s, compiled", ours, "1/s", "mj_step, one at a time", 1 / c.theirs,
                  candidates / c.ratio, 25, true});
  rows.push_back({"bounder, simulated seconds a second", ours * seconds, "s/s", "paper (1 h)", paper_fast,
                  ours * seconds / paper_fast});
  rows.push_back({"bounder, simulated seconds a second", ours * seconds, "s/s", "paper (6 h)", paper_slow,
                  ours * seconds / paper_slow});
  for (const bench::Row& row : rows) print(row);
  const std::string json = json_argument(argc, argv);
  if (!json.empty()) add_to_json(json, rows);
}
