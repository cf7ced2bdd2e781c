#include "control/bounce.h"

#include <algorithm>
#include <cmath>

#include "math/curves.h"
#include "math/real.h"
#include "math/scalar.h"

namespace legwork {

namespace {

constexpr size_t samples = 200;  // of a cycle
constexpr int rounds = 8;        // cycles backwards until w repeats

}  // namespace

Bounce::Bounce(const Schedule& s, const std::vector<char>& there, double height, double gravity) {
  if (!(s.swing > 0)) return;
  const double step = s.cycle() / samples;
  std::vector<char> down(samples, 0);
  for (size_t k = 0; k < samples; ++k)
    for (size_t i = 0; i < there.size(); ++i)
      down[k] |= there[i] && s.phase(i, (double(k) + 0.5) / samples) >= 1 - s.duty;
  if (std::all_of(down.begin(), down.end(), [](char d) { return d; }) ||
      std::none_of(down.begin(), down.end(), [](char d) { return d; }))
    return;
  cycle_.resize(samples);
  const auto length = [&](size_t from, char what) {
    size_t n = 0;
    while (down[(from + n) % samples] == what) ++n;
    return n;
  };
  for (size_t k = 0; k < samples; ++k) {
    if (!down[k] || down[(k + samples - 1) % samples]) continue;
    // a support begins: the flights before and after it
    const size_t n = length(k, 1), after = length(k + n, 0);
    size_t before = 0;
    while (!down[(k + 2 * samples - 1 - before) % samples]) ++before;
    add_support(k, k + n, double(before) * step, double(after) * step, gravity, step);
    for (size_t j = 0; j < after; ++j) {
      Instant& now = cycle_[(k + n + j) % samples];
      const double t = double(j) * step, v = 0.5 * gravity * double(after) * step;
      now.rise = v * t - 0.5 * gravity * t * t, now.climb = v - gravity * t, now.up = -gravity;
    }
  }
  for (Instant& now : cycle_)
    now.pull = std::max(gravity + now.up, 0.0) / std::max(height + now.rise, 0.3 * height);
  // w, backwards, with l constant from sample to sample
  double w = std::sqrt(gravity / height);
  for (size_t n = rounds * samples; n-- > 0;) {
    Instant& now = cycle_[n % samples];
    const double r = std::sqrt(now.pull), e = exp(r * step), c = 0.5 * (e + 1 / e), s_ = 0.5 * (e - 1 / e);
    const double grows = c + r * s_ / w;
    w = r > 0 ? (w * c + r * s_) / (c + w * s_ / r) : w / (1 + w * step);
    now.rate = w, now.grown = log(grows);
  }
  double sum = 0;
  for (Instant& now : cycle_) {
    const double more = now.grown;
    now.grown = sum;
    sum += more;
  }
  cycle_.push_back(cycle_[0]);
  cycle_.back().grown = sum;
}

void Bounce::add_support(size_t begin, size_t end, double before, double after, double g, double step) {
  const double S = double(end - begin) * step;
  const double A = 0.5 * pi * g * (S + 0.5 * (before + after)) / S;
  const double B = 2 * pi * (0.5 * g * before / S + 0.5 * g - A / pi);
  for (size_t k = begin; k < end; ++k) {
    Instant& now = cycle_[k % samples];
    const double t = double(k - begin) * step, u = t / S;
    double s1, c1, s2, c2;
    sin_cos(pi * u, s1, c1), sin_cos(2 * pi * u, s2, c2);
    const double a = A * S / pi, b = 0.5 * B * S / pi;
    now.up = -g + A * s1 + B * s2;
    now.climb = -0.5 * g * before - g * t + a * (1 - c1) + b * (1 - c2);
    now.rise = -0.5 * g * before * t - 0.5 * g * t * t + a * (t - S / pi * s1) + b * (t - 0.5 * S / pi * s2);
  }
}

Bounce::Instant Bounce::at(double clock) const {
  const double u = fraction(clock) * samples;
  const size_t i = std::min(size_t(u), samples - 1);
  const double b = u - double(i), a = 1 - b;
  const Instant &s = cycle_[i], &t = cycle_[i + 1];
  return {a * s.rise + b * t.rise, a * s.climb + b * t.climb, a * s.up + b * t.up,
          a * s.pull + b * t.pull, a * s.rate + b * t.rate,   a * s.grown + b * t.grown};
}

double Bounce::lowest() const {
  const auto least = std::min_element(cycle_.begin(), cycle_.end(),
                                      [](const Instant& a, const Instant& b) { return a.rise < b.rise; });
  return double(least - cycle_.begin()) / samples;
}

double Bounce::growth(double from, double to) const {
  const double cycles = std::floor(to) - std::floor(from);
  return exp(at(to).grown - at(from).grown + cycles * cycle_.back().grown);
}

}  // namespace legwork
