#pragma once
// A genetic algorithm on bit strings, after Wills (2008), appendix G: every iteration crosses each candidate
// with another one with some probability (one point), flips bits, evaluates, remembers the best of all, and
// chooses parents by tournaments of two. The best is remembered but not put back.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <legwork/methods.h>

namespace legwork {

class Meter;

inline constexpr int most_genes = 192;

struct BitString {
  std::array<std::uint64_t, 3> words{};

  bool operator==(const BitString&) const = default;
  bool bit(int i) const { return words[size_t(i) / 64] >> (i % 64) & 1; }
  void flip(int i) { words[size_t(i) / 64] ^= std::uint64_t(1) << (i % 64); }
  // `count` bits from `first` on, the first being the most significant.
  std::uint64_t field(int first, int count) const {
    std::uint64_t value = 0;
    for (int i = first; i < first + count; ++i) value = value << 1 | std::uint64_t(bit(i));
    return value;
  }
};

using Selection = GeneticOptions::Selection;

struct GeneticResult {
  BitString best;
  double fitness = 0;
  std::vector<double> best_by_iteration;  // best so far, after each iteration
  long evaluations = 0;
};

// Fitness: higher is better. Needs 0 < genes <= most_genes. search: which of options.searches, each with a
// random stream of its own. The meter counts iterations.
using BitFitness = std::function<double(const BitString&)>;
GeneticResult evolve(int genes, const BitFitness& fitness, const GeneticOptions& options, const Run& run,
                     int search, Meter& meter);
// The first, metered alone.
GeneticResult evolve(int genes, const BitFitness& fitness, const GeneticOptions& options, const Run& run);

// Place of a field of bits in a list of n: floor(value n / 2^bits).
inline std::uint64_t scaled_index(std::uint64_t value, int bits, std::uint64_t n) {
  return std::uint64_t((static_cast<unsigned __int128>(value) * n) >> bits);
}
// Bits that number n things: the least b with 2^b >= n.
int bits_for(std::uint64_t n);

}  // namespace legwork
