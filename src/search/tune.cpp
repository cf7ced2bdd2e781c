#include "search/tune.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include <legwork/error.h>
#include "base/meter.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "math/real.h"
#include "search/crew.h"

namespace legwork {

namespace {

using Vector = std::vector<double>;

Vector zeros(int n) { return Vector(static_cast<std::size_t>(n)); }

void check(const std::vector<Variable>& variables) {
  if (variables.empty()) throw Error({}, "tune", "there is no variable", "name at least one");
  for (const Variable& v : variables) {
    const std::string who = "variable '" + v.name + "'";
    if (!(v.lower < v.upper))
      throw Error({}, who, "range " + to_text(v.lower) + " .. " + to_text(v.upper) + " is empty",
                  "give a lower and a higher bound");
    if (!(v.start >= v.lower && v.start <= v.upper))
      throw Error(
          {}, who,
          "start " + to_text(v.start) + " is outside " + to_text(v.lower) + " .. " + to_text(v.upper));
  }
}

// Folds the line onto [0, 1], so that what leaves at one end comes back.
double folded(double x) {
  const double y = std::abs(x - 2 * std::floor(x / 2));
  return y > 1 ? 2 - y : y;
}

// Lower triangular, rows one after another.
struct Triangle {
  int n;
  Vector a;

  explicit Triangle(int size) : n(size), a(zeros(size * (size + 1) / 2)) {
    for (int i = 0; i < n; ++i) at(i, i) = 1;
  }
  double& at(int i, int j) { return a[i * (i + 1) / 2 + j]; }
  double at(int i, int j) const { return a[i * (i + 1) / 2 + j]; }

  void multiply(const Vector& z, Vector& y) const {
    for (int i = 0; i < n; ++i) {
      y[i] = 0;
      for (int j = 0; j <= i; ++j) y[i] += at(i, j) * z[j];
    }
  }
  void scale(double s) {
    for (double& x : a) x *= s;
  }
  // A A' + v v' in place of A A' (Golub and Van Loan, section 6.5.4).
  void add_outer(Vector v) {
    for (int k = 0; k < n; ++k) {
      const double r = std::sqrt(at(k, k) * at(k, k) + v[k] * v[k]);
      const double c = r / at(k, k), s = v[k] / at(k, k);
      at(k, k) = r;
      for (int i = k + 1; i < n; ++i) {
        at(i, k) = (at(i, k) + s * v[i]) / c;
        v[i] = c * v[i] - s * at(i, k);
      }
    }
  }
  double largest_row() const {
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j <= i; ++j) sum += at(i, j) * at(i, j);
      largest = std::max(largest, sum);
    }
    return std::sqrt(largest);
  }
};

double squared(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

// The search's distribution, over variables scaled to [0, 1].
struct Distribution {
  int n, parents;
  Vector weights, mean, path_c, path_s;
  double sigma, mu_eff, c_c, c_s, c_1, c_mu, damping, expected_length;
  double fade = 1;  // what is left of the empty first path_s
  Triangle factor;

  Distribution(Vector start, int population, double spread)
      : n(int(start.size())),
        parents(population / 2),
        weights(zeros(parents)),
        mean(std::move(start)),
        path_c(zeros(n)),
        path_s(zeros(n)),
        sigma(spread),
        factor(n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < parents; ++i) sum += weights[i] = parents - i;
    for (double& w : weights) {
      w /= sum;
      squares += w * w;
    }
    // Constants of Hansen, "The CMA evolution strategy: a tutorial", 2016, table 1.
    mu_eff = 1 / squares;
    c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c_s = (mu_eff + 2) / (n + mu_eff + 5);
    c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c_mu = std::min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff));
    c_mu = std::max(c_mu, 0.0);
    damping = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_s;
    expected_length = std::sqrt(double(n)) * (1 - 1.0 / (4 * n) + 1.0 / (21.0 * n * n));
  }

  // From the normal numbers of the generation, best first.
  void update(const std::vector<const Vector*>& ranked) {
    Vector z_mean = zeros(n), step = zeros(n), y = zeros(n);
    for (int i = 0; i < parents; ++i)
      for (int j = 0; j < n; ++j) z_mean[j] += weights[i] * (*ranked[i])[j];
    factor.multiply(z_mean, step);
    const double s_gain = std::sqrt(c_s * (2 - c_s) * mu_eff), c_gain = std::sqrt(c_c * (2 - c_c) * mu_eff);
    for (int j = 0; j < n; ++j) {
      mean[j] += sigma * step[j];
      path_s[j] = (1 - c_s) * path_s[j] + s_gain * z_mean[j];
    }
    const double length = std::sqrt(squared(path_s));
    fade *= (1 - c_s) * (1 - c_s);
    const bool leaping = length / std::sqrt(1 - fade) > (1.4 + 2.0 / (n + 1)) * expected_length;
    for (int j = 0; j < n; ++j) path_c[j] = (1 - c_c) * path_c[j] + (leaping ? 0 : c_gain * step[j]);

    const Triangle old = factor;
    factor.scale(std::sqrt(1 - c_1 - c_mu));
    add(path_c, c_1);
    for (int i = 0; i < parents; ++i) {
      old.multiply(*ranked[i], y);
      add(y, c_mu * weights[i]);
    }
    sigma *= exp(std::min(1.0, c_s / damping * (length / expected_length - 1)));
  }

 private:
  void add(Vector v, double share) {
    const double root = std::sqrt(share);
    for (double& x : v) x *= root;
    factor.add_outer(std::move(v));
  }
};

int population_of(const TuneOptions& options, int variables) {
  if (options.population > 0) return std::max(4, options.population);
  int log2 = 0;
  while ((2 << log2) <= variables) ++log2;
  return (4 + 2 * log2 + 7) / 8 * 8;
}

}  // namespace

Tuned tune(const std::vector<Variable>& variables, const ScoreAll& score_all, const TuneOptions& options,
           std::uint64_t seed) {
  check(variables);
  const int n = int(variables.size()), population = population_of(options, n);
  Vector start;
  for (const Variable& v : variables) start.push_back((v.start - v.lower) / (v.upper - v.lower));
  Distribution distribution(start, population, options.spread);

  Tuned tuned;
  std::vector<Vector> z(population, zeros(n));
  Vector y = zeros(n);
  for (std::uint64_t drawn = 0; tuned.evaluations() < options.evaluations && !tuned.converged;) {
    const int count = std::min(population, options.evaluations - tuned.evaluations());
    std::vector<Vector> candidates(count, zeros(n));
    for (int i = 0; i < count; ++i) {
      const bool is_start = drawn == 0;
      Random random(seed, drawn++);
      for (double& number : z[i]) number = is_start ? 0 : random.normal();
      distribution.factor.multiply(z[i], y);
      for (int j = 0; j < n; ++j) {
        const Variable& v = variables[j];
        const double x = folded(distribution.mean[j] + distribution.sigma * y[j]);
        candidates[i][j] =
            is_start ? v.start : std::clamp(v.lower + x * (v.upper - v.lower), v.lower, v.upper);
      }
    }
    Vector scores = zeros(count);
    score_all(candidates, scores);
    for (double& s : scores)
      if (std::isnan(s)) s = -std::numeric_limits<double>::infinity();

    for (int i = 0; i < count; ++i) {
      if (tuned.values.empty()) tuned.start_score = scores[i];
      if (tuned.values.empty() || scores[i] > tuned.score) {
        tuned.values = candidates[i];
        tuned.score = scores[i];
      }
      tuned.best_by_count.push_back(tuned.score);
    }
    if (count < population) break;
    std::vector<int> rank(population);
    std::iota(rank.begin(), rank.end(), 0);
    std::stable_sort(rank.begin(), rank.end(), [&](int a, int b) { return scores[a] > scores[b]; });
    std::vector<const Vector*> ranked;
    for (const int i : rank) ranked.push_back(&z[i]);
    distribution.update(ranked);
    tuned.converged = distribution.sigma * distribution.factor.largest_row() < options.converged;
  }
  return tuned;
}

Tuned tune(const std::vector<Variable>& variables, const ScoreOne& score, const TuneOptions& options,
           std::uint64_t seed, int threads) {
  return tune(
      variables,
      [&](const std::vector<Vector>& candidates, Vector& scores) {
        parallel_for(int(candidates.size()), threads,
                     [&](int i, int thread) { scores[i] = score(candidates[i], thread); });
      },
      options, seed);
}

namespace {

std::string numbers_text(const Vector& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : " ") + to_text(x);
  return text;
}
bool parse_numbers(const std::string& text, Vector& numbers) {
  const char *at = text.data(), *const end = at + text.size();
  numbers.clear();
  while (at < end) {
    double x = 0;
    const auto [next, failed] = std::from_chars(at, end, x);
    if (failed != std::errc() || (next < end && *next != ' ')) return false;
    numbers.push_back(x);
    at = next + (next < end);
  }
  return true;
}

// Candidates and scores as texts.
std::vector<std::string> score_jobs(const std::vector<std::string>& jobs, std::size_t variables,
                                    const ScoreOne& score, int threads) {
  std::vector<std::string> results(jobs.size());
  parallel_for(int(jobs.size()), threads, [&](int i, int thread) {
    Vector values;
    if (!parse_numbers(jobs[size_t(i)], values) || values.size() != variables)
      throw Error({}, "tune: job", "is no candidate");
    results[size_t(i)] = to_text(score(values, thread));
  });
  return results;
}

}  // namespace

Tuned tune(const std::vector<Variable>& variables, const ScoreOne& score, const TuneOptions& options,
           const Run& run) {
  Meter meter(run, "tuning", options.evaluations);
  const ScoreOne unless_stopped = [&](const Vector& values, int thread) {
    stop_if_asked(run);
    return score(values, thread);
  };
  if (!run.crew) {
    const ScoreOne metered = [&](const Vector& values, int thread) {
      const double s = unless_stopped(values, thread);
      meter.advance();
      return s;
    };
    return tune(variables, metered, options, run.seed, run.threads);
  }
  run.crew->begin("tuning", [&](const std::vector<std::string>& jobs) {
    return score_jobs(jobs, variables.size(), unless_stopped, run.threads);
  });
  const ScoreAll shared = [&](const std::vector<Vector>& candidates, Vector& scores) {
    std::vector<std::string> jobs;
    for (const Vector& values : candidates) jobs.push_back(numbers_text(values));
    run.crew->share(jobs, thread_count(run.threads), [&](const auto& which, const auto& texts) {
      Vector news, one;
      for (const std::string& text : texts) {
        if (!parse_numbers(text, one) || one.size() != 1) return false;
        news.push_back(one.front());
      }
      for (size_t k = 0; k < which.size(); ++k) scores[which[k]] = news[k];
      meter.advance(long(which.size()));
      return true;
    });
  };
  return tune(variables, shared, options, run.seed);
}

}  // namespace legwork
