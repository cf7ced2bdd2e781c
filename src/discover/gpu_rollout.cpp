#include "discover/gpu_rollout.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/cache_folder.h"
#include "base/parallel.h"
#include "compile/emit_c.h"
#include "discover/cycle.h"

namespace legwork {

namespace {

constexpr int longest = 12000;  // operations in one function

// The runtime, in terms of the sizes that are defined before it.
const char* const runtime = R"(
__global__ void __launch_bounds__(LEGWORK_BLOCK, LEGWORK_BLOCKS) legwork_kernel(long n, const signed char* weight,
    const double* number, long own, const double* follow, double* track, double* likeness, double* result) {
  const long t = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (t >= n) return;
  rollout_io x;
  LEGWORK_TAKE_INPUTS
  x.follow = follow;
  x.track = track + t;
  x.track_stride = n;
  rollout(&x);
  for (int k = 0; k < LEGWORK_RESULTS; ++k) result[t + k * n] = x.result[k];
  double like = 0;
  long lag = 0;
  if (x.result[LEGWORK_ALIVE] != 0)
    lag = legwork_find_cycle(track + t, LEGWORK_ROWS, LEGWORK_SIGNALS, LEGWORK_SIGNALS * n, n,
                             LEGWORK_SHORTEST, likeness + t, n, &like);
  result[t + LEGWORK_RESULTS * n] = (double)lag;
  result[t + (LEGWORK_RESULTS + 1) * n] = like;
}

#include <stdlib.h>

/* what kernels took so far, s */
static double legwork_seconds;
extern "C" double legwork_gpu_seconds(void) { return legwork_seconds; }

#define LEGWORK_TRY(call) \
  if ((failed = (call)) != cudaSuccess) goto end

extern "C" const char* legwork_gpu_rollouts(long n, const signed char* weight, const double* number,
                                            int shared, const double* follow, double* result) {
  const long all = LEGWORK_RESULTS + 2, scratch = (long)LEGWORK_ROWS * LEGWORK_SIGNALS + LEGWORK_ROWS / 2 + 1;
  const long numbers = LEGWORK_NUMBERS > 0 ? LEGWORK_NUMBERS : 1;
  const long bytes = LEGWORK_WEIGHTS + 8 * (all + scratch + (shared ? 0 : numbers));
  size_t room = 0, total = 0;
  signed char* gpu_weight = 0;
  double *gpu_number = 0, *gpu_follow = 0, *gpu_track = 0, *gpu_likeness = 0, *gpu_result = 0, *back = 0;
  long wave = n;
  cudaError_t failed = cudaSuccess;
  cudaEvent_t before, after;
  float milliseconds = 0;
  cudaEventCreate(&before), cudaEventCreate(&after);
  LEGWORK_TRY(cudaMemGetInfo(&room, &total));
  room /= 2;
  if ((long)(room / bytes) < wave) wave = (long)(room / bytes);
  if (wave < 1) return "the card has too little memory";
  LEGWORK_TRY(cudaMalloc((void**)&gpu_weight, wave * LEGWORK_WEIGHTS + 1));
  LEGWORK_TRY(cudaMalloc((void**)&gpu_number, (shared ? 1 : wave) * numbers * 8));
  LEGWORK_TRY(cudaMalloc((void**)&gpu_follow, LEGWORK_FOLLOW * 8));
  LEGWORK_TRY(cudaMalloc((void**)&gpu_track, wave * LEGWORK_ROWS * LEGWORK_SIGNALS * 8));
  LEGWORK_TRY(cudaMalloc((void**)&gpu_likeness, wave * (LEGWORK_ROWS / 2 + 1) * 8));
  LEGWORK_TRY(cudaMalloc((void**)&gpu_result, wave * all * 8));
  back = (double*)malloc(wave * all * 8);
  if (!back) {
    failed = cudaErrorMemoryAllocation;
    goto end;
  }
  LEGWORK_TRY(cudaMemcpy(gpu_follow, follow, LEGWORK_FOLLOW * 8, cudaMemcpyHostToDevice));
  if (shared) LEGWORK_TRY(cudaMemcpy(gpu_number, number, numbers * 8, cudaMemcpyHostToDevice));
  for (long first = 0; first < n; first += wave) {
    const long here = n - first < wave ? n - first : wave;
    LEGWORK_TRY(cudaMemcpy(gpu_weight, weight + first * LEGWORK_WEIGHTS, here * LEGWORK_WEIGHTS,
                           cudaMemcpyHostToDevice));
    if (!shared)
      LEGWORK_TRY(cudaMemcpy(gpu_number, number + first * numbers, here * numbers * 8, cudaMemcpyHostToDevice));
    LEGWORK_TRY(cudaEventRecord(before));
    legwork_kernel<<<(unsigned)((here + LEGWORK_BLOCK - 1) / LEGWORK_BLOCK), LEGWORK_BLOCK>>>(
        here, gpu_weight, gpu_number, shared ? 0 : numbers, gpu_follow, gpu_track, gpu_likeness, gpu_result);
    LEGWORK_TRY(cudaGetLastError());
    LEGWORK_TRY(cudaEventRecord(after));
    LEGWORK_TRY(cudaEventSynchronize(after));
    LEGWORK_TRY(cudaEventElapsedTime(&milliseconds, before, after));
    legwork_seconds += 1e-3 * milliseconds;
    LEGWORK_TRY(cudaMemcpy(back, gpu_result, here * all * 8, cudaMemcpyDeviceToHost));
    for (long t = 0; t < here; ++t)
      for (long k = 0; k < all; ++k) result[(first + t) * all + k] = back[t + k * here];
  }
end:
  free(back);
  cudaEventDestroy(before), cudaEventDestroy(after);
  cudaFree(gpu_weight), cudaFree(gpu_number), cudaFree(gpu_follow);
  cudaFree(gpu_track), cudaFree(gpu_likeness), cudaFree(gpu_result);
  return failed == cudaSuccess ? 0 : cudaGetErrorString(failed);
}
)";

std::string define(const std::string& name, long value) {
  return "#define LEGWORK_" + name + " " + std::to_string(value) + "\n";
}

// nvcc, where it is found.
CCompiler find_nvcc() { return find_compiler({"nvcc", "/usr/local/cuda/bin/nvcc"}, "LEGWORK_NVCC"); }

}  // namespace

Gpu find_gpu(std::string& why) {
  why = "no graphics processor is found";
  // the driver's library, which is there without the toolkit, too
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return {};
  const auto start = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto name = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  const auto attribute = reinterpret_cast<int (*)(int*, int, int)>(dlsym(driver, "cuDeviceGetAttribute"));
  int cards = 0, major = 0, minor = 0;
  std::array<char, 200> text{};
  constexpr int capability_major = 75, capability_minor = 76;  // of CUdevice_attribute
  if (!start || !count || !name || !attribute || start(0) != 0 || count(&cards) != 0 || cards < 1 ||
      name(text.data(), int(text.size()) - 1, 0) != 0 || attribute(&major, capability_major, 0) != 0 ||
      attribute(&minor, capability_minor, 0) != 0)
    return {};
  why.clear();
  return {text.data(), std::to_string(major) + std::to_string(minor)};
}

std::vector<std::string> gpu_flags(const std::string& capability) {
  return {"-shared",
          "-Xcompiler",
          "-fPIC,-ffp-contract=off",
          "-fmad=false",
          "-prec-div=true",
          "-prec-sqrt=true",
          "-ftz=false",
          "-O3",
          "-w",
          "-arch=sm_" + capability};
}

std::string gpu_source(const Problem& problem, const RolloutTape& r) {
  CFile file{"rollout", "One rollout. Made by Legwork; do not edit.", {}, {}};
  file.functions.push_back({"rollout", "From the start to the end.", r.tape.get(), {}});
  std::string cycles = cycle_text;
  for (std::size_t at = 0; (at = cycles.find("static inline", at)) != std::string::npos; at += 10)
    cycles.replace(at, 13, "static __device__");
  std::string take;
  if (r.weights > 0)
    take += " for (int k = 0; k < LEGWORK_WEIGHTS; ++k) x.weight[k] = weight[t * LEGWORK_WEIGHTS + k];";
  if (r.numbers > 0) take += " for (int k = 0; k < LEGWORK_NUMBERS; ++k) x.number[k] = number[t * own + k];";
  return "#define LEGWORK_DEVICE __device__\n#define LEGWORK_HELPER static\n" + c_text(file, longest) +
         cycles + "\n" + define("WEIGHTS", r.weights) + define("NUMBERS", r.numbers) +
         define("RESULTS", r.results) + define("ALIVE", Measures<double>::count + 1) +
         define("ROWS", r.rows) + define("SIGNALS", r.signals) + define("SHORTEST", shortest_lag(problem)) +
         define("FOLLOW", 3 * frame_count(problem) * steps_in_frame(problem)) +
         "#ifndef LEGWORK_BLOCK\n#define LEGWORK_BLOCK 128\n#define LEGWORK_BLOCKS 2\n#endif\n"
         "#define LEGWORK_TAKE_INPUTS" +
         take + "\n" + runtime;
}

std::unique_ptr<GpuRollouts> GpuRollouts::make(const Problem& problem, const std::atomic<bool>* stop,
                                               std::string& why, std::string& note) {
  const Gpu gpu = find_gpu(why);
  if (gpu.name.empty()) return nullptr;
  NativeOptions options;
  options.compiler = find_nvcc();
  if (options.compiler.command.empty()) {
    why = "nvcc, which compiles for " + gpu.name + ", is not found";
    return nullptr;
  }
  if (const std::string obstacle = not_recordable(problem); !obstacle.empty()) {
    why = obstacle + " cannot be compiled";
    return nullptr;
  }
  options.flags = gpu_flags(gpu.capability), options.ending = ".cu";
  if (const std::string cache = cache_folder(); !cache.empty())
    options.folder = (std::filesystem::path(cache) / "native").string();
  options.stop = stop;
  std::unique_ptr<GpuRollouts> rollouts(new GpuRollouts(problem));
  rollouts->nominal_ = express(problem, {});
  rollouts->tape_ = record_rollout(problem);
  rollouts->native_ = NativeCode::make(gpu_source(problem, rollouts->tape_), options, why, note);
  if (!rollouts->native_) return nullptr;
  rollouts->run_ = reinterpret_cast<Run>(rollouts->native_->find("legwork_gpu_rollouts"));
  rollouts->card_ = gpu.name;
  for (const FollowPath& path : problem.follow) rollouts->follow_.push_back(follow_table(problem, path));
  return rollouts;
}

bool GpuRollouts::run(const std::vector<Candidate>& candidates, int threads,
                      std::vector<Evaluation>& results) {
  const std::size_t n = candidates.size(), weights = std::size_t(tape_.weights),
                    all = std::size_t(tape_.results) + 2;
  const bool shared = std::all_of(candidates.begin(), candidates.end(),
                                  [](const Candidate& c) { return c.parameters.empty(); });
  std::vector<signed char> weight(n * weights);
  std::vector<std::vector<double>> own(shared ? 1 : n);
  constexpr std::size_t piece = 1024;
  std::atomic<bool> fits = true;
  const auto in_pieces = [&](const auto& work) {
    parallel_for(int((n + piece - 1) / piece), threads, [&](int index, int) {
      const std::size_t first = std::size_t(index) * piece;
      for (std::size_t i = first; i < std::min(n, first + piece); ++i) work(i);
    });
  };
  in_pieces([&](std::size_t i) {
    std::copy(candidates[i].weights.begin(), candidates[i].weights.end(), weight.begin() + long(i * weights));
    if (shared && i > 0) return;
    auto inputs = inputs_of(problem_, tape_, nominal_, candidates[i]);
    if (!inputs) fits = false;
    if (inputs) own[i] = std::move(*inputs);
  });
  if (!fits) {
    why_ = "a candidate's body is of another kind";
    return false;
  }
  std::vector<double> number;
  for (const std::vector<double>& one : own) number.insert(number.end(), one.begin(), one.end());
  number.push_back(0);
  std::vector<double> result(n * all);
  const char* failed = nullptr;
  results.assign(n, {});
  // sum_over_curves goes on while any is hopeful; here all of them are one group
  sum_over_curves(
      problem_, int(n), results.data(),
      [&](std::size_t curve) {
        if (!failed)
          failed = run_(long(n), weight.data(), number.data(), shared, follow_[curve].data(), result.data());
      },
      [&](int i) {
        const double* own_result = &result[std::size_t(i) * all];
        return evaluation_of(problem_, outcome_of(problem_, own_result, tape_.results, own_result[all - 2],
                                                  own_result[all - 1]));
      });
  if (failed) why_ = failed;
  return !failed;
}

}  // namespace legwork
