#include "modes/height_profile.h"

#include <algorithm>
#include <cmath>

#include <legwork/creature.h>
#include "math/real.h"

namespace legwork {

namespace {

size_t wrap(int i, int n) { return size_t(((i % n) + n) % n); }

}  // namespace

double periodic_spline(const std::vector<double>& values, double share) {
  const int n = int(values.size());
  if (n == 0) return 0;
  const double x = (share - std::floor(share)) * n;
  const int i = int(x) % n;
  const double f = x - std::floor(x), g = 1 - f;
  return (g * g * g * values[wrap(i - 1, n)] + (3 * f * f * f - 6 * f * f + 4) * values[wrap(i, n)] +
          (3 * g * g * g - 6 * g * g + 4) * values[wrap(i + 1, n)] + f * f * f * values[wrap(i + 2, n)]) /
         6;
}

std::vector<double> smooth_below(const std::vector<double>& allowed) {
  const int n = int(allowed.size()), half = n / 10;
  std::vector<double> low(allowed), shape(allowed.size(), 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = -half - 2; k <= half + 2; ++k)
      low[size_t(i)] = std::min(low[size_t(i)], allowed[wrap(i + k, n)]);
  double weight = 0;
  for (int k = -half; k <= half; ++k) weight += 1 + cos(pi * k / (half + 1));
  for (int i = 0; i < n; ++i)
    for (int k = -half; k <= half; ++k)
      shape[size_t(i)] += low[wrap(i + k, n)] * (1 + cos(pi * k / (half + 1))) / weight;
  return shape;
}

std::vector<double> over_feet(const std::vector<double>& allowed, const std::vector<char>& down,
                              const std::vector<double>& shape) {
  std::vector<double> raised = shape;
  double level = unlimited;
  for (size_t i = 0; i < shape.size(); ++i)
    if (down[i]) level = std::min(level, allowed[i] - shape[i]);
  if (level == unlimited) level = 0;
  for (double& z : raised) z += level;
  return raised;
}

std::vector<double> leap(const std::vector<double>& allowed, const std::vector<char>& down, double period,
                         double gravity, double room) {
  const int n = int(allowed.size());
  std::vector<double> shape(allowed.size(), 0.0);
  // from a landing on: stance [at, off), flight [off, land); heights over the level of take-offs and landings
  int start = 0;
  while (!(down[size_t(start)] && !down[wrap(start - 1, n)])) ++start;
  for (int at = start; at < start + n;) {
    int off = at, before = 0;
    while (down[wrap(off, n)]) ++off;
    int land = off;
    while (land < start + n && !down[wrap(land, n)]) ++land;
    while (!down[wrap(at - 1 - before, n)]) ++before;
    const double ground = period * (off - at) / n, up = 0.5 * gravity * period * (land - off) / n,
                 arriving = 0.5 * gravity * period * before / n;
    for (int i = at; i < land; ++i) {
      double& z = shape[wrap(i, n)];
      const double t = period * (i - (i < off ? at : off)) / n;
      if (i >= off) {
        z = up * t - 0.5 * gravity * t * t;
        continue;
      }
      // a quintic with speed and acceleration of free fall at both ends
      const double s = t / ground, v0 = -arriving * ground, v1 = up * ground, a = -gravity * ground * ground;
      const double p = -(v0 + 0.5 * a), v = v1 - (v0 + a);
      z = s * (v0 + s * (0.5 * a + s * (10 * p - 4 * v + s * (-15 * p + 7 * v + s * (6 * p - 3 * v)))));
    }
    at = land;
  }
  double level = unlimited;
  for (int i = 0; i < n; ++i)
    if (down[size_t(i)]) level = std::min(level, allowed[size_t(i)] - shape[size_t(i)]);
  for (double& z : shape) z += level - room;
  return shape;
}

}  // namespace legwork
