#include "modes/leg_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/dynamics.h"
#include "math/rotation.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

constexpr double pull = 2e-4;         // weight of an angle beside a length of the leg
constexpr double firmer[] = {20, 1};  // factors on pull and bend: first a smooth path, then exact plants
constexpr double bend = 3e-6;         // weight of d'', with time in cycles
constexpr double stay = 0.005;        // weight of a plant's shift, in leg lengths and turns
constexpr int rounds = 24;            // Gauss-Newton rounds at most
constexpr double longest_step = 0.6;  // rad or m that a round may change
constexpr double level_arm = 3;       // radii: what a toe's turn counts for
constexpr double unknown_place = std::numeric_limits<double>::quiet_NaN();

// Weights of the four knots around a place in an interval.
void spline_weights(double f, double* w) {
  const double g = 1 - f;
  w[0] = g * g * g / 6;
  w[1] = (3 * f * f * f - 6 * f * f + 4) / 6;
  w[2] = (3 * g * g * g - 6 * g * g + 4) / 6;
  w[3] = f * f * f / 6;
}

// The rotation vector that leads from one to the other, in the axes of the world.
Vec3d rotation_between(const Mat3d& to, const Mat3d& from) {
  return rotation_vector(quaternion(to * transpose(from)));
}

// How far a planted point strays in a stance.
class Stay {
 public:
  // The next sample's miss along the ground; none: the point is not planted. Returns the slip so far.
  double next(const Vec3d& miss, const Vec3d& up) {
    const Vec3d at = before_, level = at - up * dot(at, up), last = last_;
    before_ = miss, last_ = level;
    if (std::isnan(miss.x + at.x)) {
      steps_ = 0;
      return 0;
    }
    // the first and last samples lead from and into the swing, and do not count
    if (++steps_ < 2) return 0;
    if (steps_ == 2) low_ = high_ = level, way_ = 0;
    if (steps_ > 2) way_ += norm(level - last);
    for (int i = 0; i < 3; ++i)
      low_[i] = std::min(low_[i], level[i]), high_[i] = std::max(high_[i], level[i]);
    return std::max(norm(high_ - low_), 0.5 * way_);
  }

 private:
  Vec3d before_{unknown_place, 0, 0}, last_, low_, high_;
  double way_ = 0;
  int steps_ = 0;
};

}  // namespace

// How far a contact point is off, over the leg's length: its distance from its plant (and the pitch of toes),
// or the height it lacks. No rows: nothing is required of it.
struct LegPath::SiteMiss {
  double e[4] = {};
  int rows = 0;
  bool planted = false;
  Vec3d center, normal;
  Vec3d arm;  // from the plant's middle
};

LegPath::LegPath(LegBody body)
    : body_(std::move(body)),
      w_(body_.model),
      q_(body_.q),
      nv_(body_.model.nv),
      length_(body_.end.reach),
      x_(size_t(nv_)),
      angle_(size_t(nv_)),
      H_(size_t(nv_ * nv_)),
      g_(size_t(nv_)),
      mixed_(size_t(nv_ * 3)),
      misses_(body_.sites.size()) {
  for (std::vector<double>& row : row_) row.resize(size_t(nv_));
}

double LegPath::depth(const LinkFrame& foot, const Terrain& terrain) const {
  double deepest = -unlimited;
  for (const LegSite& site : body_.sites)
    if (site.stands)
      deepest = std::max(deepest, ground_depth(terrain, foot * site.rest.p, site.radius).depth);
  return deepest;
}

double LegPath::largest_correction() const {
  double most = 0;
  for (const double d : knots_) most = std::max(most, std::fabs(d));
  return most;
}

void LegPath::evaluate(const std::vector<double>& knots, double place, double* d) const {
  if (!closed_) place = std::clamp(place, 0.0, intervals_ - 1e-9);
  const double floor = std::floor(place);
  double weight[4];
  spline_weights(place - floor, weight);
  const double* c[4];
  for (int b = 0; b < 4; ++b) c[b] = &knots[size_t(knot(int(floor) + b) * nv_)];
  for (int j = 0; j < nv_; ++j)
    d[j] = weight[0] * c[0][j] + weight[1] * c[1][j] + weight[2] * c[2][j] + weight[3] * c[3][j];
}

// ---- one sample

double LegPath::sample_cost(const LegDemand& demand, const double* wish, const double* d, const Vec3d& shift,
                            const Terrain& terrain, bool derive) {
  for (int j = 0; j < nv_; ++j) {
    angle_[size_t(j)] = wish[j] + d[j];
    x_[size_t(j)] = body_.limits[size_t(j)](angle_[size_t(j)]);
  }
  set_positions(body_.joints, x_.data(), q_.data());
  update_positions(body_.model, q_.data(), w_);
  double sum = 0;
  const auto pull_on = [&](int j) {
    return pull_ * pull_ * (body_.stiff.empty() ? 1 : body_.stiff[size_t(j)]);
  };
  for (int j = 0; j < nv_; ++j) sum += 0.5 * pull_on(j) * d[j] * d[j];
  if (derive) {
    std::fill(H_.begin(), H_.end(), 0), std::fill(mixed_.begin(), mixed_.end(), 0);
    std::fill_n(&shift_H_[0][0], 9, 0.0), std::fill_n(shift_g_, 3, 0.0);
    for (int j = 0; j < nv_; ++j) H_[size_t(j * nv_ + j)] = pull_on(j), g_[size_t(j)] = pull_on(j) * d[j];
  }
  const Mat3d shift_turn =
      shift.z == 0 ? Mat3d::identity() : matrix(rotation_quaternion(demand.ground.column(2) * shift.z));
  for (size_t s = 0; s < body_.sites.size(); ++s) {
    const SiteMiss miss = find_miss(s, demand, shift, shift_turn, terrain);
    for (int i = 0; i < miss.rows; ++i) sum += 0.5 * miss.e[i] * miss.e[i];
    if (!derive || miss.rows == 0) continue;
    derive_rows(body_.sites[s], demand, miss);
    add_rows(demand, miss);
  }
  return sum;
}

// Also notes the miss in m, and how deep points are that are not planted.
LegPath::SiteMiss LegPath::find_miss(size_t s, const LegDemand& demand, const Vec3d& shift,
                                     const Mat3d& shift_turn, const Terrain& terrain) {
  const LegSite& site = body_.sites[s];
  const double scale = 1 / length_;
  const Vec3d ahead = demand.ground.column(0), left = demand.ground.column(1);
  SiteMiss miss;
  miss.center = demand.carrier * point_position(w_, site.link, site.pos);
  miss.planted = demand.planted && site.stands && (!site.rear || demand.rear_planted);
  misses_[s].x = unknown_place;
  if (miss.planted) {
    miss.normal = demand.ground.column(2);
    miss.arm = shift_turn * (demand.plant.R * site.rest.p);
    const LinkFrame at{shift_turn * (demand.plant.R * site.rest.R),
                       demand.plant.p + miss.arm + ahead * shift.x + left * shift.y};
    const Vec3d turned = rotation_between(demand.carrier.R * w_.R[size_t(site.link)], at.R);
    misses_[s] = miss.center - at.p - cross(turned, miss.normal) * site.radius;
    miss.rows = 3;
    for (int i = 0; i < 3; ++i) miss.e[i] = misses_[s][i] * scale;
    if (site.toe) miss.e[miss.rows++] = dot(turned, left) * level_arm * site.radius * scale;
    return miss;
  }
  double height = miss.center.z - site.radius;
  miss.normal = {0, 0, 1};
  if (terrain.type != TerrainType::none) {
    const GroundDepth ground = ground_depth(terrain, miss.center, site.radius);
    height = -ground.depth, miss.normal = ground.normal;
  }
  depth_ = std::max(depth_, -height);
  miss.e[0] = (height - (site.stands ? demand.clearance : 0)) * scale;
  miss.rows = miss.e[0] < 0 ? 1 : 0;
  return miss;
}

// Fills row_: the motion of what touches, in world axes, for each angle; for a point that only needs
// to be higher, its motion along the normal.
void LegPath::derive_rows(const LegSite& site, const LegDemand& demand, const SiteMiss& miss) {
  const Mat3d& R = demand.carrier.R;
  const Vec3d left = demand.ground.column(1);
  const Vec3d touch = transpose_times(R, miss.center - miss.normal * site.radius - demand.carrier.p);
  for (int j = 0; j < nv_; ++j) {
    Vec3d v;
    double pitch = 0;
    if (site.moves[size_t(j)]) {
      const Twist<double>& S = w_.S[size_t(j)];
      pitch = dot(R * S.ang, left) * level_arm * site.radius;
      v = R * (S.lin + cross(S.ang, touch - w_.p[size_t(body_.model.link_of_dof[size_t(j)])]));
    }
    if (miss.rows == 1) v.x = dot(miss.normal, v);
    for (int i = 0; i < miss.rows; ++i) row_[i][size_t(j)] = i < 3 ? v[i] : pitch;
  }
  // balls: derivatives by their rotation vectors instead of their turning
  for (const auto& rotation : body_.joints.rotations) {
    const size_t v = size_t(rotation.v);
    Vec3d turning[3];
    for (int k = 0; k < 3; ++k) {
      Vec3d unit;
      unit[k] = 1;
      turning[k] = turning_of_vector({x_[v], x_[v + 1], x_[v + 2]}, unit);
    }
    for (int i = 0; i < miss.rows; ++i) {
      const Vec3d old{row_[i][v], row_[i][v + 1], row_[i][v + 2]};
      for (int k = 0; k < 3; ++k) row_[i][v + size_t(k)] = dot(old, turning[k]);
    }
  }
  for (int i = 0; i < miss.rows; ++i)
    for (int j = 0; j < nv_; ++j)
      row_[i][size_t(j)] *= 1 / length_ * body_.limits[size_t(j)].slope(angle_[size_t(j)]);
}

// Adds the products of row_ to the sample's gradient and Gauss-Newton's matrix, by angles and shift.
void LegPath::add_rows(const LegDemand& demand, const SiteMiss& miss) {
  const double scale = 1 / length_;
  const Vec3d by_shift[3] = {demand.ground.column(0), demand.ground.column(1),
                             cross(demand.ground.column(2), miss.arm)};
  const auto shifted = [&](int k, int i) { return i < 3 ? by_shift[k][i] : 0; };
  for (int i = 0; i < miss.rows; ++i) {
    const std::vector<double>& row = row_[i];
    for (int j = 0; j < nv_; ++j) {
      if (row[size_t(j)] == 0) continue;
      g_[size_t(j)] += row[size_t(j)] * miss.e[i];
      double* H = &H_[size_t(j * nv_)];
      for (int k = 0; k < nv_; ++k) H[k] += row[size_t(j)] * row[size_t(k)];
      if (!miss.planted) continue;
      for (int k = 0; k < 3; ++k) mixed_[size_t(j * 3 + k)] -= row[size_t(j)] * shifted(k, i) * scale;
    }
    if (!miss.planted) continue;
    for (int k = 0; k < 3; ++k) {
      shift_g_[k] -= shifted(k, i) * scale * miss.e[i];
      for (int m = 0; m < 3; ++m) shift_H_[k][m] += shifted(k, i) * shifted(m, i) * scale * scale;
    }
  }
}

// The part of one sample that belongs to a plant's shift. at, weight: the four knots around the sample.
void LegPath::add_shift(const int* at, const double* weight, int stance) {
  const int first = first_shift(shift_index(stance));
  for (int a = 0; a < 4; ++a)
    for (int j = 0; j < nv_; ++j)
      for (int k = 0; k < 3; ++k)
        equations_.add_cross(at[a] * nv_ + j, first + k, weight[a] * mixed_[size_t(j * 3 + k)]);
  for (int k = 0; k < 3; ++k) {
    for (int m = 0; m < 3; ++m) equations_.corner(first + k, first + m) += shift_H_[k][m];
    equations_.values()[size_t(equations_.first_border() + first + k)] -= shift_g_[k];
  }
}

// ---- the whole path

// The cost of each sample in turn, of the plants' shifts, then of curvature, added in this order.
double LegPath::path_cost(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                          const Terrain& terrain, const std::vector<double>& knots,
                          const std::vector<Vec3d>& shifts) {
  double sum = 0, weight[4];
  std::vector<double> d(size_t(nv_), 0.0);
  std::vector<double>& right = equations_.values();
  equations_.clear();
  for (size_t s = 0; s < demands.size(); ++s) {
    const int k = int(s) / samples;
    spline_weights((int(s) % samples + 0.5) / samples, weight);
    int at[4];
    for (int b = 0; b < 4; ++b) at[b] = knot(k + b);
    for (int j = 0; j < nv_; ++j) {
      d[size_t(j)] = 0;
      for (int b = 0; b < 4; ++b) d[size_t(j)] += weight[b] * knots[size_t(at[b] * nv_ + j)];
    }
    const Vec3d shift = shifts.empty() ? Vec3d{} : shifts[shift_index(demands[s].stance)];
    sum += sample_cost(demands[s], &wishes[s * size_t(nv_)], d.data(), shift, terrain, true);
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) equations_.add_block(at[a], at[b], H_.data(), weight[a] * weight[b]);
      for (int j = 0; j < nv_; ++j) right[size_t(at[a] * nv_ + j)] -= weight[a] * g_[size_t(j)];
    }
    if (closed_) add_shift(at, weight, demands[s].stance);
  }
  if (closed_) hold_shifts(shifts, double(demands.size()), sum);
  resist_bending(knots, sum);
  return sum;
}

// Plants stay near where they were asked for.
void LegPath::hold_shifts(const std::vector<Vec3d>& shifts, double sample_count, double& cost) {
  const double hold = stay * stay * sample_count, lengths = 1 / (length_ * length_);
  for (size_t p = 0; p < shifts.size(); ++p)
    for (int k = 0; k < 3; ++k) {
      const double stiff = hold * (k < 2 ? lengths : 1);
      cost += 0.5 * stiff * shifts[p][k] * shifts[p][k];
      const int at = first_shift(p) + k;
      equations_.corner(at, at) += stiff;
      equations_.values()[size_t(equations_.first_border() + at)] -= stiff * shifts[p][k];
    }
}

// Second differences at the knots between.
void LegPath::resist_bending(const std::vector<double>& knots, double& cost) {
  constexpr double second[3] = {1, -2, 1};
  std::vector<double>& right = equations_.values();
  std::fill(H_.begin(), H_.end(), 0);
  for (int j = 0; j < nv_; ++j) H_[size_t(j * nv_ + j)] = bend_ * bend_;
  for (int k = 0; k < (closed_ ? knot_count_ : knot_count_ - 2); ++k) {
    const int at[3] = {knot(k), knot(k + 1), knot(k + 2)};
    for (int j = 0; j < nv_; ++j) {
      double value = 0;
      for (int a = 0; a < 3; ++a) value += second[a] * knots[size_t(at[a] * nv_ + j)];
      cost += 0.5 * bend_ * bend_ * value * value;
      for (int a = 0; a < 3; ++a) right[size_t(at[a] * nv_ + j)] -= bend_ * bend_ * second[a] * value;
    }
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) equations_.add_block(at[a], at[b], H_.data(), second[a] * second[b]);
  }
}

Footing LegPath::solve(const std::vector<LegDemand>& demands, const std::vector<double>& asked, bool closed,
                       int per_cycle, const Terrain& terrain) {
  closed_ = closed;
  intervals_ = int(demands.size()) / samples;
  knot_count_ = closed ? intervals_ : intervals_ + 3;
  const size_t size = size_t(knot_count_ * nv_), stances = size_t(std::max(1, intervals_ / per_cycle));
  const bool warm = closed && knots_.size() == size && shifts_.size() == stances;
  if (!warm) knots_.assign(size, 0);
  if (closed && !warm) shifts_.assign(stances, {});
  equations_.resize(closed ? knot_count_ - 3 : knot_count_, nv_, 4,
                    closed ? 3 * nv_ + 3 * int(shifts_.size()) : 0);
  make_wish_spline(asked, int(demands.size()));
  std::vector<double> wishes(asked.size());
  for (size_t s = 0; s < demands.size(); ++s)
    evaluate(wish_knots_, (double(s) + 0.5) / samples, &wishes[s * size_t(nv_)]);
  for (const double times : firmer) {
    if (warm && times > 1) continue;
    pull_ = pull * times, bend_ = bend * times * per_cycle * per_cycle;
    descend(demands, wishes, terrain, times > 1 ? 1e-1 : 1e-2);
  }
  answer_ = knots_;
  for (size_t i = 0; i < size; ++i) answer_[i] += wish_knots_[i];
  return footing(demands, wishes, terrain);
}

// A knot is the mean of what is asked around it, so that the wish has no corners.
void LegPath::make_wish_spline(const std::vector<double>& asked, int count) {
  wish_knots_.resize(size_t(knot_count_ * nv_));
  for (int i = 0; i < knot_count_; ++i)
    for (int j = 0; j < nv_; ++j) {
      double sum = 0;
      for (int s = samples * (i - 1) - samples / 2; s < samples * (i - 1) + samples / 2; ++s) {
        const int at = closed_ ? (s % count + count) % count : std::clamp(s, 0, count - 1);
        sum += asked[size_t(at * nv_ + j)] / samples;
      }
      wish_knots_[size_t(i * nv_ + j)] = sum;
    }
}

// Gauss-Newton steps until they gain less than this share of the cost.
void LegPath::descend(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                      const Terrain& terrain, double little) {
  double damping = 1e-6, cost = path_cost(demands, wishes, terrain, knots_, shifts_);
  const size_t size = knots_.size();
  std::vector<double> tried(size);
  std::vector<Vec3d> tried_shifts = shifts_;
  const std::vector<double>& step = equations_.values();
  for (int round = 0; round < rounds; ++round) {
    equations_.add_diagonal(damping);
    if (!equations_.solve()) return;
    double largest = 0;
    for (const double s : step) largest = std::max(largest, std::fabs(s));
    const double less = largest > longest_step ? longest_step / largest : 1;
    for (size_t i = 0; i < size; ++i) tried[i] = knots_[i] + less * step[i];
    for (size_t p = 0; p < shifts_.size() && closed_; ++p)
      for (int k = 0; k < 3; ++k) tried_shifts[p][k] = shifts_[p][k] + less * step[size + 3 * p + size_t(k)];
    const double now = path_cost(demands, wishes, terrain, tried, tried_shifts);
    if (now < cost) {
      knots_.swap(tried), shifts_ = tried_shifts, damping = std::max(0.2 * damping, 1e-10);
      if (cost - now < little * cost && less == 1) return;
      cost = now;
    } else {
      damping = std::max(10 * damping, 1e-7);
      if (damping > 1) return;
      path_cost(demands, wishes, terrain, knots_, shifts_);
    }
  }
}

Footing LegPath::footing(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                         const Terrain& terrain) {
  Footing worst;
  std::vector<Stay> stays(misses_.size());
  std::vector<double> d(size_t(nv_), 0.0);
  for (size_t s = 0; s < demands.size(); ++s) {
    evaluate(knots_, (double(s) + 0.5) / samples, d.data());
    const Vec3d up = demands[s].ground.column(2);
    depth_ = 0;
    sample_cost(demands[s], &wishes[s * size_t(nv_)], d.data(), shift(demands[s].stance), terrain, false);
    worst.sink = std::max(worst.sink, depth_);
    for (size_t k = 0; k < misses_.size(); ++k) {
      if (!std::isnan(misses_[k].x)) worst.sink = std::max(worst.sink, -dot(misses_[k], up));
      worst.slip = std::max(worst.slip, stays[k].next(misses_[k], up));
    }
  }
  return worst;
}

}  // namespace legwork
