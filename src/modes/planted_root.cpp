#include <algorithm>
#include <cmath>

#include "math/curves.h"
#include "math/real.h"
#include "math/rotation.h"
#include "modes/height_profile.h"
#include "modes/planted_parts.h"

namespace legwork {

namespace {

constexpr int samples = 96;             // samples of a cycle for the root's height
constexpr double reach_share = 0.985;   // share of a leg's longest stretch
constexpr double lively_reach = 0.995;  // the same of a leg that vaults or lands
constexpr double folded_share = 0.3;    // share of that stretch: how long a leg is whose foot is too far away
constexpr double take_off_room = 0.02;  // hip heights
constexpr double stretch = 0.12;        // hip heights that a leap may begin over the rest
constexpr double lowest_share = 0.3;    // hip heights: the root goes no lower for far feet; steps get shorter
constexpr double near_beat = 0.12;      // share of a cycle: touch-downs this near fall on the beat
constexpr double least_swing = 0.05;    // hip heights: a foot that swings less stays where it is
constexpr int most_cycles = 4;          // cycles that a gait may need to repeat

Mat3d turn_about_z(double angle) {
  double s, c;
  sin_cos(angle, s, c);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}

}  // namespace

Mat3d tilt_to(const Vec3d& normal, double share) {
  const Vec3d axis = cross(Vec3d{0, 0, 1}, normal);
  const double s = norm(axis);
  const Vec3d turn = s < 1e-12 ? Vec3d{} : axis * (atan2(s, normal.z) / s);
  return matrix(rotation_quaternion(turn * share));
}

double PlantedGait::Parts::share(size_t l, double t, long& cycle) const {
  const double c = options.hz * t - phase[l], n = std::floor(c);
  cycle = long(n);
  return c - n;
}
bool PlantedGait::Parts::stance(size_t l, double t) const {
  long cycle;
  return share(l, t, cycle) < options.duty;
}

// Modes swing the legs nearly as the action's footfalls go; where they do, the footfalls are taken.
void PlantedGait::Parts::keep_the_beat() {
  if (options.phase.size() != phase.size() || options.in_place) return;
  double re = 0, im = 0;
  for (size_t l = 0; l < phase.size(); ++l)
    re += cos(2 * pi * (phase[l] - options.phase[l])), im += sin(2 * pi * (phase[l] - options.phase[l]));
  const double start = atan2(im, re) / (2 * pi);
  for (size_t l = 0; l < phase.size(); ++l) {
    const double beat = options.phase[l] + start, off = phase[l] - beat;
    if (std::fabs(off - std::round(off)) < near_beat) phase[l] = fraction(beat);
  }
}

// Stance is centred on the middle of the backward swing; the body goes at the feet's mean speed in it.
void PlantedGait::Parts::set_up_timing(const std::vector<ModeShape>& shapes) {
  double sum = 0;
  for (size_t l = 0; l < legs.size(); ++l) {
    const Phasor swing = leg_swing(shapes, asked, options.hz, int(l));
    const bool swings = !options.in_place && swing.amplitude > least_swing * length;
    // feet that stay where they are stand while the knees are folded: a quarter of a cycle in
    const double middle =
        swings ? 0.5 - swing.phase / (2 * pi) : 0.25 + (options.phase.empty() ? 0 : options.phase[l]);
    const double begin = middle - 0.5 * options.duty;
    phase.push_back(fraction(begin));
    if (swings) sum += swing.amplitude * (options.duty < 0.5 ? sin(pi * options.duty) : 1);
  }
  keep_the_beat();
  natural_speed = options.in_place ? 0 : 2 * sum / double(legs.size()) * options.hz / options.duty;
  cycles = cycles_until_all_repeats();
}

int PlantedGait::Parts::cycles_until_all_repeats() const {
  const bool even = terrain.type == TerrainType::none || terrain.type == TerrainType::plane ||
                    terrain.type == TerrainType::slope;
  const bool turns_on_slope = options.turn != 0 && terrain.type == TerrainType::slope && terrain.angle != 0;
  if (!even || turns_on_slope) return 0;
  for (int count = 1; count <= most_cycles; ++count) {
    const auto repeats = [&](const ModeUse& use) {
      const double times = count * use.hz / options.hz;
      return std::fabs(times - std::round(times)) < 1e-9;
    };
    if (std::all_of(asked.begin(), asked.end(), repeats)) return count;
  }
  return 0;
}

// An arc at constant speed.
LinkFrame PlantedGait::Parts::path(double t) const {
  const double angle = options.turn * t, s = speed * t;
  LinkFrame f;
  f.R = turn_about_z(angle);
  if (std::fabs(angle) < 1e-9) {
    f.p = {s, 0.5 * s * angle, 0};
  } else {
    double sine, cosine;
    sin_cos(angle, sine, cosine);
    f.p = {s * sine / angle, s * (1 - cosine) / angle, 0};
  }
  return f;
}

// Height and tilt of the ground under the body, smoothed over its feet.
GroundSample PlantedGait::Parts::ground_under(const LinkFrame& at) const {
  if (terrain.type == TerrainType::none) return {};
  if (terrain.type == TerrainType::plane || terrain.type == TerrainType::slope)
    return sample(terrain, at.p.x, at.p.y);
  // heights on a grid of 5 x 5 over the stance, weighted to the middle, and their plane
  double sum = 0, weight = 0, sx = 0, sy = 0;
  const double dx = 0.25 * length, dy = 0.15 * length;
  for (int i = -2; i <= 2; ++i)
    for (int k = -2; k <= 2; ++k) {
      const Vec3d p = at * Vec3d{i * dx, k * dy, 0};
      const double h = sample(terrain, p.x, p.y).height, f = (3 - std::abs(i)) * (3 - std::abs(k));
      sum += f * h, weight += f, sx += i * h, sy += k * h;
    }
  return {sum / weight, at.R * normalized(Vec3d{-sx / (50 * dx), -sy / (50 * dy), 1})};
}

// The way to the side of the feet that stand, smooth over the cycle: the first harmonic of their places.
double PlantedGait::Parts::sideways(double t) const {
  if (life) return periodic_spline(life->shift[1], options.hz * t);
  double sum = 0;
  for (size_t l = 0; l < phase.size() && options.sway != 0; ++l)
    sum += rest_foot[l].p.y * cos(2 * pi * (options.hz * t - phase[l] - 0.5 * options.duty));
  return manner.calm * options.sway * sum * 2 / std::max(1.0, double(phase.size()));
}

LinkFrame PlantedGait::Parts::root_at(double t) const {
  const LinkFrame along = path(t);
  const GroundSample ground = ground_under(along);
  Vec3d turned;
  double ahead = 0;
  if (life) {
    ahead = periodic_spline(life->shift[0], options.hz * t);
    for (int k = 0; k < 3; ++k) turned[k] = periodic_spline(life->turn[size_t(k)], options.hz * t);
  }
  for (const ModeUse& use : uses) {
    if (life) break;
    const double a = manner.calm * use.amplitude * sin(2 * pi * use.hz * t + use.phase);
    for (int k = 0; k < 3; ++k) turned[k] += a * modes.body(root_v + 3 + k, use.mode);
  }
  LinkFrame f;
  f.R = tilt_to(ground.normal, alignment) * along.R * rest.R * matrix(rotation_quaternion(turned));
  f.p = along.p + Vec3d{0, 0, ground.height + rest.p.z + periodic_spline(height, options.hz * t)} +
        along.R.column(1) * sideways(t);
  if (life) f.p = f.p + along.R.column(0) * ahead;
  return f;
}

// How far over its rest the root may be, at most, so that every foot in stance is within reach.
double PlantedGait::Parts::reachable(double t, double most) {
  modal(t);
  for (size_t l = 0; l < legs.size(); ++l) {
    long cycle;
    const double u = share(l, t, cycle);
    if (u >= options.duty) continue;
    const bool on_toes = u >= options.heel * options.duty;
    const LegBody::End& end = on_toes ? legs[l].body().toes : legs[l].body().end;
    const Vec3d d = w.p[size_t(limbs.legs[l].hip)] - plants[l].at(cycle).foot * end.at;
    const double level = d.x * d.x + d.y * d.y, reach = (life ? lively_reach : reach_share) * end.reach;
    most = std::min(most,
                    (level < reach * reach ? std::sqrt(reach * reach - level) : folded_share * reach) - d.z);
  }
  return most;
}

void PlantedGait::Parts::set_up_height() {
  const double period = 1 / options.hz;
  height.clear();
  put_plants(3 * period, 4 * period);
  std::vector<double> allowed(samples);
  std::vector<char> down(samples, 0);
  const auto time = [&](int i) { return period * (3 + double(i) / samples); };
  for (int i = 0; i < samples; ++i)
    for (size_t l = 0; l < legs.size(); ++l) down[size_t(i)] |= stance(l, time(i));
  const long standing = std::count(down.begin(), down.end(), 1);
  const bool leaps = standing > 0 && standing < samples;
  for (int i = 0; i < samples; ++i)
    allowed[size_t(i)] = std::max(reachable(time(i), leaps ? stretch * length : 0), -lowest_share * length) -
                         manner.drop * length;
  if (life) {
    height = over_feet(allowed, down, life->shift[2]);
    for (double& z : height) z -= 0.25 * take_off_room * length;
    return;
  }
  height =
      leaps ? leap(allowed, down, period, options.gravity, take_off_room * length) : smooth_below(allowed);
}

}  // namespace legwork
