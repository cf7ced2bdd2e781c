// Writes a program for a graphics processor that needs nothing of Legwork: it runs rollouts of one creature
// there, compares their hash with that of this library's batches, and measures how many it runs a second.
//
//   emit CREATURE FILE.cu [ROLLOUTS TO COMPARE]    bench_bounder: the body of discover_bench

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include <legwork/files.h>
#include "base/hash.h"
#include "base/parallel.h"
#include "bench/bounder.h"
#include "compile/emit_c.h"
#include "discover/compiled_rollout.h"
#include "discover/equip.h"
#include "discover/gpu_rollout.h"
#include "discover/rollout.h"

using namespace legwork;

namespace {

// The same here and in the program: splitmix64.
std::int8_t weight_of(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return std::int8_t(int((z ^ (z >> 31)) % 5) - 2);
}

// A creature's search, or that of discover_bench.
Problem problem_of(const std::string& name) {
  if (name == "bench_bounder")
    return bench::bench_bounder(LEGWORK_SOURCE_DIR "/bench/models/bounder.xml", 6, 1e-3, 0.02);
  World world = load_world(name);
  world.body = equip(world.body).body;
  StepOptions step = choose_step(make_system(world), world.integrator, world.dt);
  step.max_gain = 0.1;
  return make_problem(std::move(world), {}, step);
}

const char* const program = R"(
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <thread>
#include <vector>

static signed char weight_of(uint64_t i) {
  uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return (signed char)((int)((z ^ (z >> 31)) % 5) - 2);
}

static uint64_t add(uint64_t hash, double x) {
  uint64_t bits;
  x += 0.0;
  memcpy(&bits, &x, sizeof bits);
  return (hash ^ bits) * 1099511628211ull;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int count, char** words) {
  const long n = count > 1 ? atol(words[1]) : 400000, all = LEGWORK_RESULTS + 2;
  const long most = n > COMPARED ? n : COMPARED;
  std::vector<signed char> weight(most * LEGWORK_WEIGHTS);
  std::vector<std::thread> crew;
  const long threads = std::thread::hardware_concurrency();
  for (long t = 0; t < threads; ++t)
    crew.emplace_back([&, t] {
      for (uint64_t i = weight.size() / threads * t, end = t + 1 < threads ? weight.size() / threads * (t + 1) : weight.size(); i < end; ++i)
        weight[i] = weight_of(i);
    });
  for (std::thread& t : crew) t.join();
  std::vector<double> follow(LEGWORK_FOLLOW), result(most * all);
  for (size_t i = 0; i < follow.size(); ++i) follow[i] = point[i];
  struct cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  struct cudaFuncAttributes kernel;
  cudaFuncGetAttributes(&kernel, legwork_kernel);
  printf("%s on %s: %d registers, %zu bytes of stack a thread, blocks of %d\n", CREATURE, card.name, kernel.numRegs, kernel.localSizeBytes, LEGWORK_BLOCK);
  const char* failed = legwork_gpu_rollouts(COMPARED, weight.data(), number, 1, follow.data(), result.data());
  if (failed) return printf("failed: %s\n", failed), 1;
  uint64_t hash = 14695981039346656037ull;
  long bad = 0;
  for (long t = 0; t < COMPARED; ++t) {
    const double* r = &result[t * all];
    const int fell = UPRIGHT && r[FELL] > 0.5;
    if (r[LEGWORK_ALIVE] == 0 || fell) {
      hash = add(hash, r[LEGWORK_ALIVE] == 0 ? 1 : 2), ++bad;
      continue;
    }
    for (long k = 0; k < all; ++k)
      if (k != LEGWORK_ALIVE) hash = add(hash, r[k]);
  }
  printf("%d rollouts of %g s, %ld of them diverged or fell: hash %016llx, %s\n", COMPARED, SECONDS, bad,
         (unsigned long long)hash, hash == EXPECTED ? "the processor's" : "NOT the processor's");
  double best_kernel = 1e300, best_all = 1e300;
  for (int k = 0; k < 3; ++k) {
    const double wall = now(), kernel_before = legwork_gpu_seconds();
    failed = legwork_gpu_rollouts(n, weight.data(), number, 1, follow.data(), result.data());
    if (failed) return printf("failed: %s\n", failed), 1;
    if (legwork_gpu_seconds() - kernel_before < best_kernel) best_kernel = legwork_gpu_seconds() - kernel_before;
    if (now() - wall < best_all) best_all = now() - wall;
  }
  double steps = 0;
  for (long t = 0; t < n; ++t) steps += STEPS;
  printf("%ld rollouts: %.3f s on the card, %.3g steps a second, %.3g rollouts a second; %.3f s with copies\n", n,
         best_kernel, steps / best_kernel, n / best_kernel, best_all);
  return hash == EXPECTED ? 0 : 1;
}
)";

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::printf("usage: emit CREATURE FILE.cu [ROLLOUTS]\n"), 2;
  const std::string name = argv[1];
  const int compared = argc > 3 ? std::stoi(argv[3]) : 10000;
  const Problem problem = problem_of(name);
  const RolloutTape tape = record_rollout(problem);
  const std::vector<double> number = *inputs_of(problem, tape, express(problem, {}), {});

  // by compiled code, and every sixteenth group by a batch as well
  std::string why, note;
  const std::unique_ptr<RolloutCode> code = RolloutCode::make(problem, nullptr, why, note);
  if (!code) return std::printf("no compiled code: %s\n", why.c_str()), 1;
  std::vector<Outcome> outcomes(static_cast<std::size_t>(compared));
  struct Seat {
    std::unique_ptr<Rollout<Batch>> batch;
    std::unique_ptr<CompiledRollout> compiled;
  };
  std::vector<Seat> seats(std::size_t(thread_count(0)));
  std::atomic<int> different = 0;
  parallel_for((compared + batch_lanes - 1) / batch_lanes, int(seats.size()), [&](int piece, int thread) {
    Seat& seat = seats[std::size_t(thread)];
    if (!seat.batch) {
      seat.batch = std::make_unique<Rollout<Batch>>(problem);
      seat.compiled = std::make_unique<CompiledRollout>(problem, *code);
    }
    const int first = piece * batch_lanes, count = std::min(batch_lanes, compared - first);
    std::vector<Candidate> candidates(std::size_t(count), Candidate{});
    std::vector<const Candidate*> pointers;
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < tape.weights; ++k)
        candidates[std::size_t(i)].weights.push_back(
            weight_of(std::uint64_t(first + i) * std::uint64_t(tape.weights) + std::uint64_t(k)));
      pointers.push_back(&candidates[std::size_t(i)]);
    }
    seat.compiled->run(pointers.data(), count, &outcomes[std::size_t(first)]);
    if (piece % 16 != 0) return;
    std::vector<Outcome> expected(std::size_t(count), Outcome{});
    seat.batch->run(pointers.data(), count, expected.data());
    for (int i = 0; i < count; ++i)
      different += hash_of(problem, expected[std::size_t(i)], hash_start) !=
                   hash_of(problem, outcomes[std::size_t(first + i)], hash_start);
  });
  if (different > 0) return std::printf("%d rollouts differ from those in batches\n", different.load()), 1;
  std::uint64_t hash = hash_start;
  for (const Outcome& o : outcomes) hash = hash_of(problem, o, hash);

  std::ofstream file(argv[2]);
  file << gpu_source(problem, tape) << "static const double number[] = {";
  for (const double x : number) file << c_number(x) << ", ";
  file << "0};\nstatic const double point[] = {";
  for (const double x : follow_table(problem, problem.follow.front())) file << c_number(x) << ",";
  file << "};\n"
       << "#define CREATURE \"" << name << "\"\n#define SECONDS " << c_number(problem.seconds)
       << "\n#define STEPS " << c_number(double(frame_count(problem) * steps_in_frame(problem)))
       << "\n#define COMPARED " << compared << "\n#define EXPECTED 0x" << hex(hash) << "ull\n#define UPRIGHT "
       << int(problem.upright) << "\n#define FELL 19\n"
       << program;
  std::printf("%s: %d rollouts, hash %s\n", name.c_str(), compared, hex(hash).c_str());
}
