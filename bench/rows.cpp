#include "bench/rows.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

namespace legwork::bench {

namespace {

double seconds(const std::function<void(int)>& call, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call(i);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

double processor_seconds(const std::function<void(int)>& call, int calls) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  };
  const double start = now();
  for (int i = 0; i < calls; ++i) call(i);
  return (now() - start) / calls;
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + x.size() / 2, x.end());
  return x[x.size() / 2];
}

}  // namespace

bool met(const Row& row) {
  const double x = row.on_value ? row.value : row.ratio;
  return row.target == 0 || (row.at_least ? x >= row.target : x <= row.target);
}

void print(const Row& row) {
  std::printf("%-44s %12.5g %-8s", row.name.c_str(), row.value, row.unit.c_str());
  if (!row.peer.empty())
    std::printf(" %-22s %12.5g  ratio %7.3f", row.peer.c_str(), row.peer_value, row.ratio);
  if (row.target != 0)
    std::printf("  target %s %g: %s", row.at_least ? ">=" : "<=", row.target, met(row) ? "met" : "MISSED");
  std::printf("\n");
  std::fflush(stdout);
}

void add_to_json(const std::string& file, const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  if (std::ifstream in(file); in) in >> list;
  for (const Row& r : rows)
    list.push_back({{"name", r.name},
                    {"value", r.value},
                    {"unit", r.unit},
                    {"peer", r.peer},
                    {"peer_value", r.peer_value},
                    {"ratio", r.ratio},
                    {"target", r.target},
                    {"met", met(r)},
                    {"instructions", instruction_set()}});
  std::ofstream(file) << list.dump(1) << "\n";
}

std::string instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__x86_64__)
  return "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "no vectors";
#endif
}

std::string json_argument(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0) return argv[i + 1];
  return {};
}

Timing compare(const std::function<void(int)>& ours, const std::function<void(int)>& theirs, int calls,
               int turns) {
  std::vector<double> a, b, ratio;
  for (int turn = 0; turn < turns; ++turn) {
    a.push_back(processor_seconds(ours, calls));
    b.push_back(processor_seconds(theirs, calls));
    ratio.push_back(a.back() / b.back());
  }
  return {median(a), median(b), median(ratio)};
}

double measure(const std::function<void(int)>& call, int calls, int turns) {
  std::vector<double> t;
  for (int turn = 0; turn < turns; ++turn) t.push_back(seconds(call, calls));
  return median(t);
}

}  // namespace legwork::bench
