#include "discover/descriptor.h"

#include <algorithm>
#include <cmath>

namespace legwork {

namespace {

constexpr double repeats = 0.5;      // least likeness that counts as a cycle
constexpr double nearly_best = 0.9;  // the shortest lag this good beside the best is the period
constexpr double still = 1e-6;       // variance of a signal that does not move

double bounded(double turns) { return 0.5 + turns / (2 + 2 * std::fabs(turns)); }

}  // namespace

std::vector<double> describe_kind(const MotionKind& kind) {
  std::vector<double> d;
  const double weight = 1 / std::sqrt(std::max<double>(1, double(kind.contact.size())));
  for (const double share : kind.contact) d.push_back(share * weight);
  d.push_back(bounded(kind.tumbling));
  d.push_back(bounded(kind.turning));
  d.push_back(std::clamp(0.5 * kind.height, 0.0, 1.0));
  d.push_back(std::clamp(0.5 * kind.frequency, 0.0, 1.0));
  d.push_back(0.5 + 0.5 * kind.direction);
  return d;
}

Cycle find_cycle(const std::vector<double>& rows, int signals, int shortest) {
  const int n = signals > 0 ? int(rows.size()) / signals : 0;
  const int longest = n / 2;
  if (longest <= shortest) return {0, -1};
  // centred, unit variance; signals that do not move are left out
  std::vector<std::vector<double>> moving;
  for (int s = 0; s < signals; ++s) {
    std::vector<double> x(n);
    double mean = 0, variance = 0;
    for (int i = 0; i < n; ++i) mean += x[i] = rows[size_t(i) * signals + s];
    mean /= n;
    for (double& value : x) value -= mean, variance += value * value;
    variance /= n;
    if (variance < still) continue;
    const double scale = 1 / std::sqrt(variance);
    for (double& value : x) value *= scale;
    moving.push_back(std::move(x));
  }
  if (moving.empty()) return {};
  std::vector<double> likeness(longest + 1, 0);
  for (int lag = 1; lag <= longest; ++lag) {
    double sum = 0;
    for (const std::vector<double>& x : moving) {
      double square = 0;
      for (int i = 0; i + lag < n; ++i) square += (x[i + lag] - x[i]) * (x[i + lag] - x[i]);
      sum += 1 - square / (2 * (n - lag));
    }
    likeness[lag] = sum / double(moving.size());
  }
  // slow signals are like themselves at once: a cycle comes after the first trough
  int first = 1;
  while (first < longest && likeness[first + 1] <= likeness[first]) ++first;
  first = std::max(first, shortest);
  const double best = *std::max_element(likeness.begin() + first, likeness.end());
  if (best < repeats) return {0, best};
  for (int lag = first; lag <= longest; ++lag) {
    const bool peak =
        likeness[lag] >= likeness[lag - 1] && (lag == longest || likeness[lag] >= likeness[lag + 1]);
    if (peak && likeness[lag] >= nearly_best * best) return {lag, likeness[lag]};
  }
  return {0, best};
}

}  // namespace legwork
