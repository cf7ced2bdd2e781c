// Bodies handled roughly, and the books kept on it.
//   torture [--drops 1000] [--bodies 2000] [--seed 1] [--page FILE.md]
// Drops: shipped bodies fall at random (tests/scenes/rough_handling.h). Bodies: odd ones
// (tests/scenes/odd_body.h) are dropped, thrown or walked for 2 s. The page lists the worst twenty. Ends with
// 1 where a shipped body diverged or any number was not finite.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "formats/file.h"
#include "tests/scenes/rough_handling.h"

namespace {

using namespace legwork;

constexpr double notable_gain = 0.02;

struct Row {
  int runs = 0, diverged = 0, gained = 0, refused = 0, not_finite = 0;
  double gain = 0, depth = 0;  // largest; depth in sizes of the body, where that is known

  void add(const Verdict& v, bool was_refused, double in_sizes) {
    ++runs, diverged += v.diverged, gained += v.gain > notable_gain, refused += was_refused;
    not_finite += !v.finite;
    gain = std::max(gain, v.gain), depth = std::max(depth, in_sizes);
  }
};

void print(const char* head, const std::map<std::string, Row>& rows) {
  std::printf("%-20s %6s %9s %8s %8s %11s %9s %9s\n", head, "runs", "diverged", "gain>2%", "refused",
              "not finite", "gain", "depth");
  for (const auto& [name, r] : rows)
    std::printf("%-20s %6d %9d %8d %8d %11d %8.2g%% %9.2g\n", name.c_str(), r.runs, r.diverged, r.gained,
                r.refused, r.not_finite, 100 * r.gain, r.depth);
}

int drop_shipped(std::uint64_t seed, int count) {
  std::vector<Verdict> verdicts(static_cast<size_t>(count));
  parallel_for(count, 0, [&](int i, int) { verdicts[size_t(i)] = handle(random_fall(seed, i)); });
  std::map<std::string, Row> rows;
  for (int i = 0; i < count; ++i) {
    const Verdict& v = verdicts[size_t(i)];
    const Fall fall = random_fall(seed, i);
    for (const std::string& name : {fall.body, std::string("all")}) rows[name].add(v, false, 0);
    if (v.diverged || v.gain > notable_gain || !v.finite)
      std::printf("%s\n  gain %.3g; %s\n", command(fall).c_str(), v.gain, v.status.c_str());
  }
  print("shipped body", rows);
  return rows["all"].diverged + rows["all"].not_finite;
}

// Worst first: not finite, diverged, then by energy from nowhere and by depth.
bool worse(const Ordeal& a, const Ordeal& b) {
  const auto rank = [](const Ordeal& o) {
    return o.refused ? 0 : !o.verdict.finite ? 3 : o.verdict.diverged ? 2 : 1;
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  if (a.verdict.gain != b.verdict.gain) return a.verdict.gain > b.verdict.gain;
  return a.verdict.depth * b.size > b.verdict.depth * a.size;
}

std::string page_of(std::vector<Ordeal> all, std::uint64_t seed) {
  constexpr size_t shown = 20;
  std::stable_sort(all.begin(), all.end(), worse);
  std::string text = "# The worst of " + std::to_string(all.size()) + " odd bodies, seed " +
                     std::to_string(seed) +
                     "\n\n| body | run | size, m | energy from nowhere | depth, sizes | status "
                     "|\n|---|---|---|---|---|---|\n";
  for (size_t i = 0; i < std::min(shown, all.size()); ++i) {
    const Ordeal& o = all[i];
    char numbers[120];
    std::snprintf(numbers, sizeof numbers, "%.3g | %.2g %% | %.2g", o.size, 100 * o.verdict.gain,
                  o.size > 0 ? o.verdict.depth / o.size : 0);
    text += "| " + o.body + " | " + o.what + " | " + numbers + " | " + o.verdict.status + " |\n";
  }
  return text;
}

int try_odd(std::uint64_t seed, int count, const std::string& page) {
  std::vector<Ordeal> all(static_cast<size_t>(count));
  parallel_for(count, 0, [&](int i, int) { all[size_t(i)] = ordeal(seed, i); });
  const char* const kinds[] = {"needles", "plates", "legs", "rings", "trees"};
  std::map<std::string, Row> rows;
  for (int i = 0; i < count; ++i) {
    const Ordeal& o = all[size_t(i)];
    for (const std::string& name : {std::string(kinds[i % 5]), std::string("all")})
      rows[name].add(o.verdict, o.refused, o.size > 0 ? o.verdict.depth / o.size : 0);
  }
  print("odd bodies", rows);
  if (!page.empty()) write_file(page, page_of(all, seed));
  return rows["all"].not_finite;
}

const char* word_after(int count, char** words, const char* flag, const char* otherwise) {
  for (int i = 1; i + 1 < count; ++i)
    if (std::strcmp(words[i], flag) == 0) return words[i + 1];
  return otherwise;
}

}  // namespace

int main(int count, char** words) {
  const int drops = std::atoi(word_after(count, words, "--drops", "1000"));
  const int bodies = std::atoi(word_after(count, words, "--bodies", "2000"));
  const auto seed = std::uint64_t(std::atoll(word_after(count, words, "--seed", "1")));
  int wrong = 0;
  if (drops > 0) wrong += drop_shipped(seed, drops);
  if (bodies > 0) wrong += try_odd(seed, bodies, word_after(count, words, "--page", ""));
  return wrong > 0 ? 1 : 0;
}
