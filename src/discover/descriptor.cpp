#include "discover/descriptor.h"

#include <algorithm>
#include <cmath>

#include "discover/cycle.h"

namespace legwork {

namespace {

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
  const long n = signals > 0 ? long(rows.size()) / signals : 0;
  std::vector<double> x(rows.size()), likeness(std::size_t(n / 2 + 1));
  for (long i = 0; i < n; ++i)
    for (int s = 0; s < signals; ++s) x[std::size_t(s * n + i)] = rows[std::size_t(i * signals + s)];
  Cycle cycle;
  cycle.lag =
      int(legwork_find_cycle(x.data(), n, signals, 1, n, shortest, likeness.data(), 1, &cycle.likeness));
  return cycle;
}

}  // namespace legwork
