#include "reach/feasible.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text.h"
#include "math/real.h"

namespace legwork::reaching {

namespace {

constexpr double deg = pi / 180;

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int k = 0;
  while (bytes >= 1000 && k < 5) bytes /= 1000, ++k;
  return rounded(bytes) + " " + units[k];
}

// Samples of the largest limb, and bytes of all.
struct Need {
  double samples = 0, bytes = 0;
  std::string limb;
};
Need need(const std::vector<Girdle>& girdles, double resolution, double length_resolution) {
  Need sum;
  for (const Girdle& g : girdles) {
    double n = 1;
    for (const Fdof& f : g.limb.fdofs) n *= sample_count(f, resolution * deg, length_resolution);
    sum.bytes += n * peak_bytes_per_sample;
    if (n > sum.samples) sum.samples = n, sum.limb = g.limb.name;
  }
  return sum;
}

}  // namespace

std::string rounded(double x, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

// Half degrees from Wills's four on, until no limb has more poses than the largest of the dissertation's, by
// far; fewer on points, where poses of every turn lie close and each finds many partners.
double chosen_resolution(const std::vector<Girdle>& girdles, double length_resolution) {
  const bool points =
      std::any_of(girdles.begin(), girdles.end(), [](const Girdle& g) { return g.limb.pivots; });
  const double most = points ? 2e6 : 8e6;
  double resolution = 4;
  while (resolution < 45 && need(girdles, resolution, length_resolution).samples > most) resolution += 0.5;
  return resolution;
}

void check_memory(const std::vector<Girdle>& girdles, const ReachOptions& o, double length_resolution) {
  const auto fits = [&](const Need& n) { return n.bytes <= o.memory * 1e9 && n.samples < 4294967295.0; };
  const Need asked = need(girdles, o.resolution, length_resolution);
  if (fits(asked)) return;
  double coarser = o.resolution;
  while (coarser < 90 && !fits(need(girdles, coarser, length_resolution))) coarser += 0.25;
  throw Error({}, "reach: resolution",
              to_text(o.resolution) + " deg makes " + rounded(asked.samples, 4) + " samples of '" +
                  asked.limb + "', and in all would need " + bytes_text(asked.bytes) + " at " +
                  std::to_string(peak_bytes_per_sample) + " bytes each",
              "--memory allows " + rounded(o.memory) + " GB: try --resolution " + rounded(coarser, 4));
}

double longest_step(const Problem& p, const ReachOptions& o, const Workers& workers) {
  double longest = 1e300;
  for (const GirdleProblem& g : p.girdles) {
    const auto feasible = [&](double step) {
      const Ways ways = ways_of(step, o.duty, o.step_of);
      const Constrained c = constrain(g.space, g.boxes, ways.half, o.epsilon * deg, workers);
      if (c.sample.empty()) return false;
      return has_gait(make_candidates(g.girdle.limb, g.space, g.boxes, c, ways, p.measure));
    };
    double low = 0,
           high = (g.boxes.upper.x - g.boxes.lower.x) * (o.step_of == StepOf::feet ? 0.5 / o.duty : 1);
    for (int k = 0; k < 8; ++k) {
      const double middle = (low + high) / 2;
      (feasible(middle) ? low : high) = middle;
    }
    longest = std::min(longest, low);
  }
  return longest;
}

void no_gait(const Problem& p, const ReachOptions& o, const GirdleProblem& g, double hip_height,
             const Workers& workers) {
  const Alignment a = alignment(g.space);
  const double h = std::max(hip_height, 1e-9);
  const std::string who = "reach: limb space of '" + g.girdle.limb.name + "'";
  const double sole = std::fabs((g.foot * g.girdle.limb.sole).y);
  const double longest = longest_step(p, o, workers);
  const double asked = o.step.meters(hip_height);
  // to blame only where the space is long enough for more: insects' splayed legs lie askew and walk
  const bool planar = a.across < 0.35 * a.along && longest < 0.25 * a.along * std::sqrt(12.0);
  const std::string best =
      longest > 0 ? "the longest feasible step is " + rounded(longest) + " m, " + rounded(longest / h) + "h"
                  : std::string();
  if (planar && std::fabs(a.angle) > 8 * deg && std::fabs(a.angle) < 82 * deg)
    throw Error({}, who,
                "planar, but turned by " + rounded(a.angle / deg) +
                    " deg from the sagittal plane, so left and right hardly share poses" +
                    (best.empty() ? "" : " (" + best + ")"),
                "try --foot-yaw " + rounded(o.foot_yaw + a.angle / deg));
  if (planar && std::fabs(a.offset) > 2 * a.across + g.boxes.size)
    throw Error({}, who,
                "planar, but " + rounded(std::fabs(a.offset)) + " m beside the sagittal plane" +
                    (best.empty() ? "" : " (" + best + ")"),
                "try --width " + rounded(std::max(0.0, 2 * (sole + a.offset))) + "m");
  if (longest > 0 && longest < asked)
    throw Error(
        {}, "reach: step",
        rounded(asked) + " m (" + rounded(asked / h) + "h) is too long for '" + g.girdle.limb.name + "'",
        best + ": try --step " + rounded(0.99 * longest / h) + "h");
  throw Error({}, who, "nothing is left of " + rounded(double(g.space.size()), 4) + " samples",
              "try a finer --resolution, a larger --epsilon or fewer --boxes");
}

}  // namespace legwork::reaching
