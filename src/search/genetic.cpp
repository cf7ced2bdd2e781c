#include "search/genetic.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/meter.h"
#include "base/random.h"

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

struct Candidate {
  BitString bits;
  double fitness = -1;  // < 0: not known
};

// One generation after another.
class Population {
 public:
  Population(int genes, const GeneticOptions& options, Random random)
      : genes_(genes),
        options_(options),
        random_(random),
        candidates_(size_t(options.population)),
        parents_(size_t(options.population)),
        flips_(flips_up_to(genes, std::min(1.0, options.mutation / genes))) {
    for (Candidate& c : candidates_)
      for (int i = 0; i < genes; ++i)
        if (random_.bits() >> 63) c.bits.flip(i);
  }

  void cross_some() {
    for (Candidate& a : candidates_) {
      if (!(random_.uniform() < options_.crossover)) continue;
      Candidate& b = any();
      const int cut = random_.index(genes_ + 1);
      if (&a == &b) continue;
      const BitString before_a = a.bits, before_b = b.bits;
      cross(a.bits, b.bits, cut);
      if (!(a.bits == before_a)) a.fitness = -1;
      if (!(b.bits == before_b)) b.fitness = -1;
    }
  }

  void mutate() {
    for (Candidate& c : candidates_) {
      const double u = random_.uniform();
      size_t count = 0;
      while (count < flips_.size() && u >= flips_[count]) ++count;
      flipped_.clear();
      while (flipped_.size() < count) {
        const int i = random_.index(genes_);
        if (std::find(flipped_.begin(), flipped_.end(), i) == flipped_.end()) flipped_.push_back(i);
      }
      for (const int i : flipped_) c.bits.flip(i);
      if (count > 0) c.fitness = -1;
    }
  }

  void evaluate(const BitFitness& fitness, GeneticResult& result) {
    for (Candidate& c : candidates_) {
      if (c.fitness < 0) c.fitness = fitness(c.bits), ++result.evaluations;
      if (c.fitness > result.fitness) result.fitness = c.fitness, result.best = c.bits;
    }
    result.best_by_iteration.push_back(result.fitness);
  }

  void choose_parents() {
    if (options_.selection == Selection::best) {
      const auto less = [](const Candidate& a, const Candidate& b) { return a.fitness < b.fitness; };
      const Candidate best = *std::max_element(candidates_.begin(), candidates_.end(), less);
      std::fill(candidates_.begin(), candidates_.end(), best);
      return;
    }
    for (size_t k = 0; k < candidates_.size(); ++k) {
      const Candidate &a = candidates_[k], &b = any();
      const bool fitter_wins = random_.uniform() < options_.tournament;
      parents_[k] = (a.fitness >= b.fitness) == fitter_wins ? a : b;
    }
    std::swap(candidates_, parents_);
  }

 private:
  Candidate& any() { return candidates_[size_t(random_.index(int(candidates_.size())))]; }

  int genes_;
  const GeneticOptions& options_;
  Random random_;
  std::vector<Candidate> candidates_, parents_;
  std::vector<double> flips_;  // table of flips_up_to
  std::vector<int> flipped_;
};

}  // namespace

int bits_for(std::uint64_t n) {
  int bits = 0;
  while (bits < 63 && (std::uint64_t(1) << bits) < n) ++bits;
  return bits;
}

GeneticResult evolve(int genes, const BitFitness& fitness, const GeneticOptions& o, const Run& run,
                     int search, Meter& meter) {
  assert(genes > 0 && genes <= most_genes);
  Population population(genes, o, Random(run.seed, std::uint64_t(search)));
  GeneticResult result;
  result.fitness = -1;
  for (int iteration = 0; iteration < std::max(1, o.iterations); ++iteration) {
    if (run.stopped()) {
      if (iteration == 0 || !run.keep_partial) throw Stopped{};
      break;
    }
    if (o.iterations > 0) {
      population.cross_some();
      population.mutate();
    }
    population.evaluate(fitness, result);
    population.choose_parents();
    meter.advance();
  }
  return result;
}

GeneticResult evolve(int genes, const BitFitness& fitness, const GeneticOptions& o, const Run& run) {
  Meter meter(run, "searching", std::max(1, o.iterations));
  return evolve(genes, fitness, o, run, 0, meter);
}

}  // namespace legwork
