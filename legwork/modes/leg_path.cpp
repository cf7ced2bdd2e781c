#include "legwork/modes/leg_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "legwork/dynamics/dynamics.h"
#include "legwork/math/real.h"
#include "legwork/modes/coordinates.h"

namespace legwork {

namespace {

constexpr double pull = 2e-4;         // weight of an angle beside a length of the leg
constexpr double firmer[] = {20, 1};  // times that and bend: first a smooth way, then exact plants
constexpr double bend = 3e-6;         // of d'' where time counts in cycles
constexpr double stay = 0.005;        // of a plant's shift, lengths and turns
constexpr int rounds = 24;
constexpr double level_arm = 3;    // radii: what a toe's turn counts for
constexpr double toe_share = 0.7;  // of a foot's length that rising on its toes adds to the leg's
constexpr double unknown_place = std::numeric_limits<double>::quiet_NaN();
constexpr double standing = 0.003;  // leg lengths: points no higher than this stand

bool below(const Creature& c, int link, int ancestor) {
  while (link >= 0 && link != ancestor) link = c.links[size_t(link)].parent;
  return link == ancestor;
}

// Weights of the four knots around a place in an interval.
void spline_weights(double f, double* w) {
  const double g = 1 - f;
  w[0] = g * g * g / 6;
  w[1] = (3 * f * f * f - 6 * f * f + 4) / 6;
  w[2] = (3 * g * g * g - 6 * g * g + 4) / 6;
  w[3] = f * f * f / 6;
}

// The links from one on, it on the world in place of its carrier.
Creature leg_creature(const Creature& c, int top, std::vector<int>& links) {
  Creature part;
  part.name = c.name;
  std::vector<int> index(c.links.size(), -1);
  for (size_t b = 0; b < c.links.size(); ++b) {
    if (!below(c, int(b), top)) continue;
    Link link = c.links[b];
    link.parent = int(b) == top ? -1 : index[size_t(link.parent)];
    index[b] = int(links.size());
    links.push_back(int(b));
    part.links.push_back(link);
  }
  return part;
}

// The first link from the hip on that does not carry the whole body.
int top_of(const Creature& c, const LimbLeg& leg) {
  for (const int link : leg.links)
    if (c.links[size_t(link)].parent >= 0) return link;
  return leg.foot;
}

}  // namespace

LinkFrame operator*(const LinkFrame& a, const LinkFrame& b) { return {a.R * b.R, a.p + a.R * b.p}; }
Vec3d operator*(const LinkFrame& a, const Vec3d& p) { return a.p + a.R * p; }
LinkFrame inverse(const LinkFrame& a) { return {transpose(a.R), -transpose_times(a.R, a.p)}; }

Vec3d rotation_between(const Mat3d& to, const Mat3d& from) {
  return logarithm(quaternion(to * transpose(from)));
}

double SoftLimit::operator()(double y) const noexcept {
  if (y > upper) return upper + (y - upper) * soft / (y - upper + soft);
  if (y < lower) return lower - (lower - y) * soft / (lower - y + soft);
  return y;
}

double SoftLimit::slope(double y) const noexcept {
  const double d = y > upper ? y - upper : y < lower ? lower - y : 0;
  return soft * soft / ((d + soft) * (d + soft));
}

LegPath::LegPath(const Creature& c, const LimbLeg& leg, const std::vector<double>& q,
                 const std::vector<double>& x, const std::vector<SoftLimit>& limits)
    : model_([&] {
        std::vector<int> links;
        return make_model(leg_creature(c, top_of(c, leg), links));
      }()),
      joints_{},
      w_(model_),
      n_(model_.nv) {
  const int top = top_of(c, leg);
  std::vector<int> links;
  const Creature part = leg_creature(c, top, links);
  joints_ = make_joint_forces(part, model_);
  q_ = part.pose("");
  carrier_ = c.links[size_t(top)].parent;
  int dof = 0;
  for (size_t b = 0; b < c.links.size(); ++b) {
    int own = 0;
    for (const Joint& joint : c.links[b].joints) own += nv(joint);
    if (below(c, int(b), top))
      for (int j = dof; j < dof + own; ++j) dofs_.push_back(j);
    dof += own;
  }
  std::vector<double> rest;
  for (const int j : dofs_) limits_.push_back(limits[size_t(j)]), rest.push_back(x[size_t(j)]);
  for (std::vector<double>& row : row_) row.resize(size_t(n_));
  x_.resize(size_t(n_)), angle_.resize(size_t(n_)), g_.resize(size_t(n_)), H_.resize(size_t(n_ * n_)),
      mixed_.resize(size_t(n_ * 3));

  const std::vector<LinkFrame> frames = place(c, q);
  const LinkFrame foot{frames[size_t(leg.foot)].R, frames[size_t(leg.foot)] * leg.point};
  const auto own_link = [&](int link) {
    return int(std::find(links.begin(), links.end(), link) - links.begin());
  };
  const bool ankle = leg.foot != c.legs[size_t(leg.leg)].knee && leg.foot != leg.hip;
  find_reach(rest, own_link(leg.foot), leg.point, ankle);
  if (ankle) end_.at = transpose_times(foot.R, frames[size_t(leg.foot)].p - foot.p);
  end_.reach = reach_, toes_ = end_;
  bool toes = false;
  for (size_t i = 0; i < c.contacts.size(); ++i) {
    const ContactPoint& p = c.contacts[i];
    if (!below(c, p.link, top)) continue;
    const LinkFrame at{frames[size_t(p.link)].R, frames[size_t(p.link)] * p.pos};
    LegSite site{own_link(p.link), p.pos, p.radius, false, false, false, inverse(foot) * at};
    site.stands = below(c, p.link, leg.foot) && at.p.z - p.radius < foot.p.z - leg.height + standing * reach_;
    toes |= site.stands && p.link != leg.foot;
    sites_.push_back(site), ids_.push_back(int(i));
  }
  for (LegSite& site : sites_) {
    site.rear = toes && site.stands && site.link == own_link(leg.foot);
    // one point alone may roll
    const auto beside = [&](const LegSite& other) { return other.stands && other.link == site.link; };
    site.toe = toes && site.stands && !site.rear && std::count_if(sites_.begin(), sites_.end(), beside) > 1;
  }
  if (std::none_of(sites_.begin(), sites_.end(), [](const LegSite& s) { return s.stands; }))
    sites_.push_back({own_link(leg.foot), leg.point, leg.height, true, false, false, {}}), ids_.push_back(-1);
  if (toes && ankle) {
    Vec3d sum;
    double count = 0;
    for (const LegSite& site : sites_)
      if (site.stands && !site.rear) sum += site.rest.p, ++count;
    toes_.at = sum * (1 / count);
    toes_.reach = reach_ + toe_share * norm(toes_.at - end_.at);
  }
  misses_.resize(sites_.size());
  for (const LegSite& site : sites_) {
    std::vector<char> moves;
    for (int j = 0; j < n_; ++j) moves.push_back(below(part, site.link, model_.link_of_dof[size_t(j)]));
    moves_.push_back(moves);
  }
}

// One joint after another to where it stretches the leg most; a foot on an ankle stays as it is there.
void LegPath::find_reach(const std::vector<double>& rest, int foot, const Vec3d& point, bool ankle) {
  std::vector<double> x = rest;
  const auto reach = [&] {
    set_positions(joints_, x.data(), q_.data());
    update_positions(model_, q_.data(), w_);
    return norm((ankle ? w_.p[size_t(foot)] : point_position(w_, foot, point)) - w_.p[0]);
  };
  reach_ = reach();
  for (int pass = 0; pass < 4; ++pass)
    for (size_t j = 0; j < x.size(); ++j) {
      if (model_.link_of_dof[j] >= foot && foot > 0) continue;
      const double low = std::max(limits_[j].lower, rest[j] - 1.6),
                   high = std::min(limits_[j].upper, rest[j] + 1.6);
      double kept = x[j];
      for (int k = 0; k <= 16; ++k) {
        x[j] = low + (high - low) * k / 16;
        const double r = reach();
        if (r > reach_) reach_ = r, kept = x[j];
      }
      x[j] = kept;
    }
  reach_ = std::max(reach_, 1e-9);
}

std::vector<int> LegPath::standing_contacts() const {
  std::vector<int> contacts;
  for (size_t s = 0; s < sites_.size(); ++s)
    if (sites_[s].stands && ids_[s] >= 0) contacts.push_back(ids_[s]);
  return contacts;
}

double LegPath::depth(const LinkFrame& foot, const Terrain& terrain) const {
  double deepest = -unlimited;
  for (const LegSite& site : sites_)
    if (site.stands)
      deepest = std::max(deepest, ground_depth(terrain, foot * site.rest.p, site.radius).depth);
  return deepest;
}

double LegPath::most() const {
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
  for (int b = 0; b < 4; ++b) c[b] = &knots[size_t(knot(int(floor) + b) * n_)];
  for (int j = 0; j < n_; ++j)
    d[j] = weight[0] * c[0][j] + weight[1] * c[1][j] + weight[2] * c[2][j] + weight[3] * c[3][j];
}

// Half the sum of squares of one sample; with derive also its gradient g_ and Gauss-Newton's H_, by d.
double LegPath::look(const LegDemand& demand, const double* wish, const double* d, const Vec3d& shift,
                     const Terrain& terrain, bool derive) {
  for (int j = 0; j < n_; ++j) {
    angle_[size_t(j)] = wish[j] + d[j];
    x_[size_t(j)] = limits_[size_t(j)](angle_[size_t(j)]);
  }
  set_positions(joints_, x_.data(), q_.data());
  update_positions(model_, q_.data(), w_);
  double sum = 0;
  for (int j = 0; j < n_; ++j) sum += 0.5 * pull_ * pull_ * d[j] * d[j];
  if (derive) {
    std::fill(H_.begin(), H_.end(), 0), std::fill(mixed_.begin(), mixed_.end(), 0);
    for (int k = 0; k < 3; ++k) {
      shift_g_[k] = 0;
      for (double& h : shift_H_[k]) h = 0;
    }
    for (int j = 0; j < n_; ++j) H_[size_t(j * n_ + j)] = pull_ * pull_, g_[size_t(j)] = pull_ * pull_ * d[j];
  }
  const double scale = 1 / reach_;
  const Vec3d ahead = demand.ground.column(0), left = demand.ground.column(1), up = demand.ground.column(2);
  const Mat3d turned_by = shift.z == 0 ? Mat3d::identity() : matrix(exponential(up * shift.z));
  for (size_t s = 0; s < sites_.size(); ++s) {
    const LegSite& site = sites_[s];
    const Vec3d center = demand.carrier * point_position(w_, site.link, site.pos);
    const bool planted = demand.planted && site.stands && (!site.rear || demand.rear_planted);
    misses_[s].x = unknown_place;
    double e[4];
    Vec3d n = up, arm;
    int count = 3;
    if (planted) {
      arm = turned_by * (demand.plant.R * site.rest.p);
      const LinkFrame at{turned_by * (demand.plant.R * site.rest.R),
                         demand.plant.p + arm + ahead * shift.x + left * shift.y};
      const Vec3d turned = rotation_between(demand.carrier.R * w_.R[size_t(site.link)], at.R);
      const Vec3d miss = center - at.p - cross(turned, n) * site.radius;
      for (int i = 0; i < 3; ++i) e[i] = miss[i] * scale;
      if (site.toe) e[3] = dot(turned, left) * level_arm * site.radius * scale, count = 4;
      misses_[s] = miss;
    } else {
      double height = center.z - site.radius;
      n = {0, 0, 1};
      if (terrain.type != TerrainType::none) {
        const GroundDepth ground = ground_depth(terrain, center, site.radius);
        height = -ground.depth, n = ground.normal;
      }
      depth_ = std::max(depth_, -height);
      e[0] = (height - (site.stands ? demand.clearance : 0)) * scale;
      if (e[0] >= 0) continue;
      count = 1;
    }
    for (int i = 0; i < count; ++i) sum += 0.5 * e[i] * e[i];
    if (!derive) continue;
    // columns: the motion of what touches, in world axes; of one that is only to be higher along the normal
    const Vec3d touch = transpose_times(demand.carrier.R, center - n * site.radius - demand.carrier.p);
    for (int j = 0; j < n_; ++j) {
      Vec3d v;
      double pitch = 0;
      if (moves_[s][size_t(j)]) {
        const Twist<double>& S = w_.S[size_t(j)];
        pitch = dot(demand.carrier.R * S.ang, left) * level_arm * site.radius;
        v = demand.carrier.R * (S.lin + cross(S.ang, touch - w_.p[size_t(model_.link_of_dof[size_t(j)])]));
      }
      if (count == 1) v.x = dot(n, v);
      for (int i = 0; i < count; ++i) row_[i][size_t(j)] = i < 3 ? v[i] : pitch;
    }
    for (const auto& rotation : joints_.rotations) {
      const int v = rotation.v;
      Vec3d turning[3];
      for (int k = 0; k < 3; ++k) {
        Vec3d unit;
        unit[k] = 1;
        turning[k] = turning_of_vector({x_[size_t(v)], x_[size_t(v) + 1], x_[size_t(v) + 2]}, unit);
      }
      for (int i = 0; i < count; ++i) {
        const Vec3d old{row_[i][size_t(v)], row_[i][size_t(v + 1)], row_[i][size_t(v + 2)]};
        for (int k = 0; k < 3; ++k) row_[i][size_t(v + k)] = dot(old, turning[k]);
      }
    }
    const auto by_shift = [&](int k, int i) {
      const Vec3d column = k == 0 ? ahead : k == 1 ? left : cross(up, arm);
      return i < 3 ? column[i] : 0;
    };
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < n_; ++j) row_[i][size_t(j)] *= scale * limits_[size_t(j)].slope(angle_[size_t(j)]);
      for (int j = 0; j < n_; ++j) {
        if (row_[i][size_t(j)] == 0) continue;
        g_[size_t(j)] += row_[i][size_t(j)] * e[i];
        double* H = &H_[size_t(j * n_)];
        for (int k = 0; k < n_; ++k) H[k] += row_[i][size_t(j)] * row_[i][size_t(k)];
        if (planted)
          for (int k = 0; k < 3; ++k)
            mixed_[size_t(j * 3 + k)] -= row_[i][size_t(j)] * by_shift(k, i) * scale;
      }
      if (!planted) continue;
      for (int k = 0; k < 3; ++k) {
        shift_g_[k] -= by_shift(k, i) * scale * e[i];
        for (int m = 0; m < 3; ++m) shift_H_[k][m] += by_shift(k, i) * by_shift(m, i) * scale * scale;
      }
    }
  }
  return sum;
}

// Block (row, column) of the normal equations; the matrix is symmetric, and every pair comes both ways.
void LegPath::add(int row, int column, const double* block, double scale) {
  if (row < inner_ && column < inner_) {
    if (row < column) return;
    for (int j = 0; j < n_; ++j)
      for (int i = row == column ? j : 0; i < n_; ++i) {
        const int at = column * n_ + j, down = (row - column) * n_ + i - j;
        band_[size_t(at * width_ + down)] += scale * block[i * n_ + j];
      }
  } else if (row >= inner_) {
    std::vector<double>& part = column < inner_ ? edge_ : corner_;
    const int from = column < inner_ ? column : column - inner_;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        part[size_t((from * n_ + j) * border_ + (row - inner_) * n_ + i)] += scale * block[i * n_ + j];
  }
}

// The part of one sample that belongs to a plant's shift.
void LegPath::add_shift(const int* at, const double* weight, int stance) {
  const int first = border_ - 3 * int(shifts_.size()) + 3 * int(which(stance));
  for (int a = 0; a < 4; ++a)
    for (int j = 0; j < n_; ++j)
      for (int k = 0; k < 3; ++k) {
        const double value = weight[a] * mixed_[size_t(j * 3 + k)];
        if (at[a] < inner_) {
          edge_[size_t((at[a] * n_ + j) * border_ + first + k)] += value;
        } else {
          const int row = (at[a] - inner_) * n_ + j;
          corner_[size_t(row * border_ + first + k)] += value;
          corner_[size_t((first + k) * border_ + row)] += value;
        }
      }
  for (int k = 0; k < 3; ++k) {
    for (int m = 0; m < 3; ++m) corner_[size_t((first + k) * border_ + first + m)] += shift_H_[k][m];
    step_[size_t(inner_ * n_ + first + k)] -= shift_g_[k];
  }
}

// Cholesky's factors of the band, then of what the border leaves; step_ holds the right side, then the step.
bool LegPath::factor_and_solve() {
  const int n = inner_ * n_, w = width_, b = border_;
  for (int j = 0; j < n; ++j) {
    double* column = &band_[size_t(j * w)];
    if (!(column[0] > 0)) return false;
    const double root = std::sqrt(column[0]);
    const int last = std::min(w, n - j);
    for (int i = 0; i < last; ++i) column[i] /= root;
    // the border and the right side go along
    double* own = edge_.data() + size_t(j * b);
    for (int i = 0; i < b; ++i) own[i] /= root;
    const double right = step_[size_t(j)] / root;
    step_[size_t(j)] = right;
    for (int k = 1; k < last; ++k) {
      const double f = column[k];
      if (f == 0) continue;
      double* __restrict other = column + size_t(k * w), * __restrict beside = own + size_t(k * b);
      const double* __restrict from = column + k;
      for (int i = 0; i < last - k; ++i) other[i] -= f * from[i];
      for (int i = 0; i < b; ++i) beside[i] -= f * own[i];
      step_[size_t(j + k)] -= f * right;
    }
    // of the corner the lower half is enough
    for (int i = 0; i < b; ++i) {
      const double f = own[i];
      if (f == 0) continue;
      step_[size_t(n + i)] -= f * right;
      double* __restrict corner = corner_.data() + size_t(i * b);
      for (int k = i; k < b; ++k) corner[k] -= f * own[k];
    }
  }
  for (int j = 0; j < b; ++j) {
    if (!(corner_[size_t(j * b + j)] > 0)) return false;
    const double root = std::sqrt(corner_[size_t(j * b + j)]);
    for (int i = j; i < b; ++i) corner_[size_t(j * b + i)] /= root;
    for (int k = j + 1; k < b; ++k)
      for (int i = k; i < b; ++i)
        corner_[size_t(k * b + i)] -= corner_[size_t(j * b + k)] * corner_[size_t(j * b + i)];
    double& y = step_[size_t(n + j)];
    y /= corner_[size_t(j * b + j)];
    for (int i = j + 1; i < b; ++i) step_[size_t(n + i)] -= corner_[size_t(j * b + i)] * y;
  }
  for (int j = b - 1; j >= 0; --j) {
    double& y = step_[size_t(n + j)];
    for (int i = j + 1; i < b; ++i) y -= corner_[size_t(j * b + i)] * step_[size_t(n + i)];
    y /= corner_[size_t(j * b + j)];
  }
  for (int j = n - 1; j >= 0; --j) {
    double& y = step_[size_t(j)];
    const int last = std::min(w, n - j);
    for (int i = 0; i < b; ++i) y -= edge_[size_t(j * b + i)] * step_[size_t(n + i)];
    for (int i = 1; i < last; ++i) y -= band_[size_t(j * w + i)] * step_[size_t(j + i)];
    y /= band_[size_t(j * w)];
  }
  return true;
}

double LegPath::total(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                      const Terrain& terrain, const std::vector<double>& knots,
                      const std::vector<Vec3d>& shifts, bool derive) {
  double sum = 0, weight[4];
  std::vector<double> d(size_t(n_), 0.0);
  if (derive) {
    std::fill(band_.begin(), band_.end(), 0), std::fill(edge_.begin(), edge_.end(), 0);
    std::fill(corner_.begin(), corner_.end(), 0), std::fill(step_.begin(), step_.end(), 0);
  }
  for (size_t s = 0; s < demands.size(); ++s) {
    const int k = int(s) / samples;
    spline_weights((int(s) % samples + 0.5) / samples, weight);
    int at[4];
    for (int b = 0; b < 4; ++b) at[b] = knot(k + b);
    for (int j = 0; j < n_; ++j) {
      d[size_t(j)] = 0;
      for (int b = 0; b < 4; ++b) d[size_t(j)] += weight[b] * knots[size_t(at[b] * n_ + j)];
    }
    const Vec3d shift = shifts.empty() ? Vec3d{} : shifts[which(demands[s].stance)];
    sum += look(demands[s], &wishes[s * size_t(n_)], d.data(), shift, terrain, derive);
    if (!derive) continue;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) add(at[a], at[b], H_.data(), weight[a] * weight[b]);
      for (int j = 0; j < n_; ++j) step_[size_t(at[a] * n_ + j)] -= weight[a] * g_[size_t(j)];
    }
    if (closed_) add_shift(at, weight, demands[s].stance);
  }
  const double hold = stay * stay * double(demands.size()), lengths = 1 / (reach_ * reach_);
  for (size_t p = 0; p < shifts.size() && closed_; ++p)
    for (int k = 0; k < 3; ++k) {
      const double stiff = hold * (k < 2 ? lengths : 1);
      sum += 0.5 * stiff * shifts[p][k] * shifts[p][k];
      const int at = border_ - 3 * int(shifts.size()) + 3 * int(p) + k;
      if (!derive) continue;
      corner_[size_t(at * border_ + at)] += stiff;
      step_[size_t(inner_ * n_ + at)] -= stiff * shifts[p][k];
    }
  // curvature, at the knots between
  constexpr double second[3] = {1, -2, 1};
  std::fill(H_.begin(), H_.end(), 0);
  for (int j = 0; j < n_; ++j) H_[size_t(j * n_ + j)] = stiff_ * stiff_;
  for (int k = 0; k < (closed_ ? count_ : count_ - 2); ++k) {
    const int at[3] = {knot(k), knot(k + 1), knot(k + 2)};
    for (int j = 0; j < n_; ++j) {
      double value = 0;
      for (int a = 0; a < 3; ++a) value += second[a] * knots[size_t(at[a] * n_ + j)];
      sum += 0.5 * stiff_ * stiff_ * value * value;
      if (derive)
        for (int a = 0; a < 3; ++a) step_[size_t(at[a] * n_ + j)] -= stiff_ * stiff_ * second[a] * value;
    }
    if (derive)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) add(at[a], at[b], H_.data(), second[a] * second[b]);
  }
  return sum;
}

Footing LegPath::solve(const std::vector<LegDemand>& demands, const std::vector<double>& asked, bool closed,
                       int per_cycle, const Terrain& terrain) {
  closed_ = closed;
  intervals_ = int(demands.size()) / samples;
  count_ = closed ? intervals_ : intervals_ + 3;
  const size_t size = size_t(count_ * n_), stances = size_t(std::max(1, intervals_ / per_cycle));
  const bool warm = closed && knots_.size() == size && shifts_.size() == stances;
  if (!warm) knots_.assign(size, 0);
  if (closed && !warm) shifts_.assign(stances, {});
  inner_ = closed ? count_ - 3 : count_;
  width_ = 4 * n_, border_ = closed ? 3 * n_ + 3 * int(shifts_.size()) : 0;
  band_.resize(size_t(inner_ * n_ * width_)), edge_.resize(size_t(inner_ * n_ * border_));
  corner_.resize(size_t(border_ * border_)), step_.resize(size_t(inner_ * n_ + border_));
  // the wish as a spline: what lies around a knot, so that it has no corners
  const int last = int(demands.size()) - 1;
  wish_knots_.resize(size);
  for (int i = 0; i < count_; ++i)
    for (int j = 0; j < n_; ++j) {
      double sum = 0;
      for (int s = samples * (i - 1) - samples / 2; s < samples * (i - 1) + samples / 2; ++s) {
        const int at = closed ? (s % (last + 1) + last + 1) % (last + 1) : std::clamp(s, 0, last);
        sum += asked[size_t(at * n_ + j)] / samples;
      }
      wish_knots_[size_t(i * n_ + j)] = sum;
    }
  std::vector<double> wishes(asked.size());
  for (size_t s = 0; s < demands.size(); ++s)
    evaluate(wish_knots_, (double(s) + 0.5) / samples, &wishes[s * size_t(n_)]);
  for (const double times : firmer) {
    if (warm && times > 1) continue;
    pull_ = pull * times, stiff_ = bend * times * per_cycle * per_cycle;
    descend(demands, wishes, terrain, times > 1 ? 1e-1 : 1e-2);
  }
  answer_ = knots_;
  for (size_t i = 0; i < size; ++i) answer_[i] += wish_knots_[i];
  return footing(demands, wishes, terrain);
}

// Gauss-Newton steps until they gain little.
void LegPath::descend(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                      const Terrain& terrain, double little) {
  double damping = 1e-6, cost = total(demands, wishes, terrain, knots_, shifts_, true);
  const size_t size = knots_.size();
  std::vector<double> tried(size);
  std::vector<Vec3d> tried_shifts = shifts_;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < inner_ * n_; ++i) band_[size_t(i * width_)] += damping;
    for (int i = 0; i < border_; ++i) corner_[size_t(i * border_ + i)] += damping;
    if (!factor_and_solve()) return;
    double largest = 0;
    for (const double s : step_) largest = std::max(largest, std::fabs(s));
    const double less = largest > 0.6 ? 0.6 / largest : 1;
    for (size_t i = 0; i < size; ++i) tried[i] = knots_[i] + less * step_[i];
    for (size_t p = 0; p < shifts_.size() && closed_; ++p)
      for (int k = 0; k < 3; ++k) tried_shifts[p][k] = shifts_[p][k] + less * step_[size + 3 * p + size_t(k)];
    const double now = total(demands, wishes, terrain, tried, tried_shifts, true);
    if (now < cost) {
      knots_.swap(tried), shifts_ = tried_shifts, damping = std::max(0.2 * damping, 1e-10);
      if (cost - now < little * cost && less == 1) return;
      cost = now;
    } else {
      damping = std::max(10 * damping, 1e-7);
      if (damping > 1) return;
      total(demands, wishes, terrain, knots_, shifts_, true);
    }
  }
}

Footing LegPath::footing(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                         const Terrain& terrain) {
  Footing worst;
  struct Stay {
    Vec3d before{unknown_place, 0, 0}, last, low, high;
    double way = 0;
    int steps = 0;
  };
  std::vector<Stay> stays(sites_.size());
  std::vector<double> d(size_t(n_), 0.0);
  for (size_t s = 0; s < demands.size(); ++s) {
    evaluate(knots_, (double(s) + 0.5) / samples, d.data());
    const Vec3d up = demands[s].ground.column(2);
    depth_ = 0;
    look(demands[s], &wishes[s * size_t(n_)], d.data(), shift(demands[s].stance), terrain, false);
    worst.sink = std::max(worst.sink, depth_);
    for (size_t k = 0; k < sites_.size(); ++k) {
      Stay& stay = stays[k];
      const Vec3d at = stay.before, level = at - up * dot(at, up), last = stay.last;
      stay.before = misses_[k], stay.last = level;
      if (!std::isnan(misses_[k].x)) worst.sink = std::max(worst.sink, -dot(misses_[k], up));
      if (std::isnan(misses_[k].x + at.x)) {
        stay.steps = 0;
        continue;
      }
      // the first and last samples lead from and into the swing, and do not count
      if (++stay.steps < 2) continue;
      if (stay.steps == 2) stay.low = stay.high = level, stay.way = 0;
      if (stay.steps > 2) stay.way += norm(level - last);
      for (int i = 0; i < 3; ++i)
        stay.low[i] = std::min(stay.low[i], level[i]), stay.high[i] = std::max(stay.high[i], level[i]);
      worst.slip = std::max({worst.slip, norm(stay.high - stay.low), 0.5 * stay.way});
    }
  }
  return worst;
}

}  // namespace legwork
