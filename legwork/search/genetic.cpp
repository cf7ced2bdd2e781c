#include "legwork/search/genetic.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "legwork/base/random.h"

namespace legwork {

namespace {

// How many of n bits flip when each does so with probability p: the distribution as rising sums, so that one
// random number replaces n of them.
std::vector<double> flips_up_to(int n, double p) {
  std::vector<double> sums;
  double power = 1;
  for (int i = 0; i < n; ++i) power *= 1 - p;
  double term = power, sum = 0;
  if (p >= 1) return std::vector<double>(size_t(n), 0.0);  // all of them, always
  for (int k = 0; k < n; ++k) {
    sum += term;
    sums.push_back(sum);
    term *= p / (1 - p) * (n - k) / (k + 1);
  }
  return sums;
}

// The first `cut` bits change places.
void cross(BitString& a, BitString& b, int cut) {
  for (size_t w = 0; w < a.words.size(); ++w) {
    const int in_word = std::clamp(cut - int(w) * 64, 0, 64);
    const std::uint64_t mask = in_word == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << in_word) - 1;
    const std::uint64_t change = (a.words[w] ^ b.words[w]) & mask;
    a.words[w] ^= change, b.words[w] ^= change;
  }
}

}  // namespace

int bits_for(std::uint64_t n) {
  int bits = 0;
  while (bits < 63 && (std::uint64_t(1) << bits) < n) ++bits;
  return bits;
}

GeneticResult evolve(int genes, const BitFitness& fitness, const GeneticOptions& o, std::uint64_t seed,
                     const std::function<bool()>& go_on) {
  assert(genes > 0 && genes <= most_genes);
  struct Candidate {
    BitString bits;
    double fitness = -1;  // < 0: not known
  };
  Random random(seed, 0);
  const int n = o.population;
  std::vector<Candidate> population(static_cast<size_t>(n)), parents(static_cast<size_t>(n));
  for (Candidate& c : population)
    for (int i = 0; i < genes; ++i)
      if (random.bits() >> 63) c.bits.flip(i);

  GeneticResult result;
  result.fitness = -1;
  const std::vector<double> flips = flips_up_to(genes, std::min(1.0, o.mutation / genes));
  std::vector<int> flipped;
  for (int iteration = 0; iteration < std::max(1, o.iterations); ++iteration) {
    if (go_on && !go_on()) break;
    if (o.iterations > 0) {
      for (int k = 0; k < n; ++k) {
        if (!(random.uniform() < o.crossover)) continue;
        const int other = random.index(n), cut = random.index(genes + 1);
        if (other == k) continue;
        Candidate &a = population[size_t(k)], &b = population[size_t(other)];
        const BitString before_a = a.bits, before_b = b.bits;
        cross(a.bits, b.bits, cut);
        if (!(a.bits == before_a)) a.fitness = -1;
        if (!(b.bits == before_b)) b.fitness = -1;
      }
      for (Candidate& c : population) {
        const double u = random.uniform();
        size_t count = 0;
        while (count < flips.size() && u >= flips[count]) ++count;
        flipped.clear();
        while (flipped.size() < count) {
          const int i = random.index(genes);
          if (std::find(flipped.begin(), flipped.end(), i) == flipped.end()) flipped.push_back(i);
        }
        for (const int i : flipped) c.bits.flip(i);
        if (count > 0) c.fitness = -1;
      }
    }
    for (Candidate& c : population) {
      if (c.fitness < 0) c.fitness = fitness(c.bits), ++result.evaluations;
      if (c.fitness > result.fitness) result.fitness = c.fitness, result.best = c.bits;
    }
    result.best_by_iteration.push_back(result.fitness);

    if (o.selection == Selection::best) {
      const Candidate best =
          *std::max_element(population.begin(), population.end(),
                            [](const Candidate& a, const Candidate& b) { return a.fitness < b.fitness; });
      std::fill(population.begin(), population.end(), best);
      continue;
    }
    for (int k = 0; k < n; ++k) {
      const Candidate &a = population[size_t(k)], &b = population[size_t(random.index(n))];
      const bool fitter_wins = random.uniform() < o.tournament;
      parents[size_t(k)] = (a.fitness >= b.fitness) == fitter_wins ? a : b;
    }
    std::swap(population, parents);
  }
  return result;
}

}  // namespace legwork
