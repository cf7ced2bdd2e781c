#include "legwork/modes/planted.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "legwork/dynamics/dynamics.h"
#include "legwork/math/real.h"
#include "legwork/modes/coordinates.h"
#include "legwork/motion/record.h"

namespace legwork {

namespace {

constexpr int most_dofs = 24;           // of a leg
constexpr int samples = 96;             // of a cycle, for the root's height
constexpr double reach_share = 0.99;    // of a leg's longest stretch
constexpr double take_off_room = 0.04;  // hip heights
constexpr double event_step = 1e-3;     // of a cycle: for derivatives at lift-off and touch-down
constexpr double converged = 2e-6;      // m

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_dofs, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_dofs, most_dofs>;
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, most_dofs>;

// A rigid placement.
struct Frame {
  Mat3d R = Mat3d::identity();
  Vec3d p;
};
Frame operator*(const Frame& a, const Frame& b) { return {a.R * b.R, a.p + a.R * b.p}; }
Vec3d operator*(const Frame& a, const Vec3d& p) { return a.p + a.R * p; }
Frame inverse(const Frame& a) { return {transpose(a.R), -transpose_times(a.R, a.p)}; }

Mat3d turn_about_z(double angle) {
  double s, c;
  sin_cos(angle, s, c);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}

// The shortest rotation from z to n.
Mat3d tilt_to(const Vec3d& n) {
  const Vec3d axis = cross(Vec3d{0, 0, 1}, n);
  const double s = norm(axis);
  if (s < 1e-12) return Mat3d::identity();
  return matrix(exponential(axis * (atan2(s, n.z) / s)));
}

Vec3d rotation_between(const Mat3d& to, const Mat3d& from) {
  return logarithm(quaternion(to * transpose(from)));
}

// Six numbers (a place, a turn) over s in [0, 1] with value, slope and curvature given at both ends.
using Six = std::array<double, 6>;
struct Quintic {
  Six c[6];

  void set(const Six& p0, const Six& v0, const Six& a0, const Six& p1, const Six& v1, const Six& a1) {
    for (int i = 0; i < 6; ++i) {
      c[0][i] = p0[i], c[1][i] = v0[i], c[2][i] = 0.5 * a0[i];
      const double p = p1[i] - (c[0][i] + c[1][i] + c[2][i]), v = v1[i] - (c[1][i] + 2 * c[2][i]),
                   a = a1[i] - 2 * c[2][i];
      c[3][i] = 10 * p - 4 * v + 0.5 * a;
      c[4][i] = -15 * p + 7 * v - a;
      c[5][i] = 6 * p - 3 * v + 0.5 * a;
    }
  }
  Six operator()(double s) const {
    Six out;
    for (int i = 0; i < 6; ++i)
      out[i] = c[0][i] + s * (c[1][i] + s * (c[2][i] + s * (c[3][i] + s * (c[4][i] + s * c[5][i]))));
    return out;
  }
};

// Rises from 0 and falls back to 0, with two derivatives zero at both ends; 1 in the middle.
double bump(double s) { return 64 * s * s * s * (1 - s) * (1 - s) * (1 - s); }

// The same with one derivative, and steeper: feet that turn must rise at once.
double hop(double s) { return 16 * s * s * (1 - s) * (1 - s); }

// A leg by itself, seen from the link that carries it.
struct Chain {
  Model<double> model;
  JointForces<double> joints;
  Workspace<double> w;
  std::vector<double> q;
  int foot = 0;  // link of the model
  Vec3d point;
  int carrier = -1;   // link of the body
  double length = 0;  // longest reach from the hip's origin to the point
  std::vector<SoftLimit> limits;
  Vector warm;  // what was added last time: the next search begins there

  explicit Chain(const Creature& c)
      : model(make_model(c)), joints(make_joint_forces(c, model)), w(model), q(c.pose("")) {}

  void place(const double* x) {
    set_positions(joints, x, q.data());
    update_positions(model, q.data(), w);
  }
  Vec3d tip() const { return point_position(w, foot, point); }
  // What must be within reach: of a foot on an ankle that stands flat the ankle, else the point.
  bool flat = false;
  Vec3d end() const { return flat ? w.p[size_t(foot)] : tip(); }
};

// The leg's links alone, the first on the world in place of its carrier.
Creature leg_creature(const Creature& c, const LimbLeg& leg) {
  Creature part;
  part.name = c.name;
  for (size_t i = 0; i < leg.links.size(); ++i) {
    Link link = c.links[size_t(leg.links[i])];
    link.parent = int(i) - 1;
    part.links.push_back(link);
  }
  return part;
}

// With the foot at rest on its ankle, as a foot that stands flat must be.
double longest_reach(Chain& chain, const std::vector<double>& x0) {
  // one joint after another to where it stretches the leg most
  std::vector<double> x = x0;
  const auto reach = [&] {
    chain.place(x.data());
    return norm(chain.end() - chain.w.p[0]);
  };
  double best = reach();
  for (int pass = 0; pass < 4; ++pass)
    for (size_t j = 0; j < x.size(); ++j) {
      if (chain.model.link_of_dof[j] == chain.foot && chain.foot > 0) continue;
      const SoftLimit& limit = chain.limits[j];
      const double low = std::max(limit.lower, x0[j] - 1.6), high = std::min(limit.upper, x0[j] + 1.6);
      double kept = x[j];
      for (int k = 0; k <= 16; ++k) {
        x[j] = low + (high - low) * k / 16;
        const double r = reach();
        if (r > best) best = r, kept = x[j];
      }
      x[j] = kept;
    }
  return best;
}

}  // namespace

double SoftLimit::operator()(double y) const noexcept {
  if (y > upper) return upper + (y - upper) * soft / (y - upper + soft);
  if (y < lower) return lower - (lower - y) * soft / (lower - y + soft);
  return y;
}

double SoftLimit::slope(double y) const noexcept {
  const double d = y > upper ? y - upper : y < lower ? lower - y : 0;
  return soft * soft / ((d + soft) * (d + soft));
}

void modal_pose(const Modes& modes, const std::vector<ModeUse>& uses, double time, double* y) noexcept {
  const int nv = int(modes.x0.size());
  for (int j = 0; j < nv; ++j) y[j] = modes.x0[size_t(j)];
  for (const ModeUse& use : uses) {
    const double a = use.amplitude * sin(2 * pi * use.hz * time + use.phase) + use.beta;
    for (int j = 0; j < nv; ++j) y[j] += modes.joints(j, use.mode) * a;
  }
}

struct PlantedGait::Parts {
  Creature creature;
  Modes modes;
  Limbs limbs;
  std::vector<ModeUse> uses;
  PlantedOptions options;
  Terrain terrain;

  Model<double> model;
  JointForces<double> joints;
  Workspace<double> w;
  std::vector<SoftLimit> limits;
  std::vector<char> root;
  bool free_root = false;
  int root_q = 0, root_v = 0;
  Frame rest;                    // the root in the rest pose, over x = y = 0, lowest foot on z = 0
  std::vector<Frame> rest_foot;  // per leg, the point's place and the foot's axes in the rest pose
  std::vector<Chain> chains;
  std::vector<double> phase;   // per leg
  std::vector<double> height;  // of the root over its rest, per sample of the cycle, m
  double speed = 0, alignment = 0, length = 1;
  bool flies = false;
  double ahead = 0;                   // feet stand so far before their modes' place, hip heights
  double drop = 0;                    // the root lower than the legs would reach, hip heights
  bool steady = true;                 // all uses repeat with the gait's cycle
  std::vector<double> y, q, modal_y;  // angles before the limits: with the ground's part, of the modes alone

  struct Swing {
    long cycle = -1000000;
    Quintic offset;
    double lift = 0;
  };
  std::vector<Swing> swings;
  struct Plant {
    long cycle = -1000000;
    Frame foot;
  };
  std::vector<std::array<Plant, 2>> plants;             // per leg, of odd and of even cycles
  std::vector<std::vector<const ContactPoint*>> soles;  // per leg
  double most_correction = 0;

  Parts(const Creature& c, const Modes& m, const Limbs& l, const std::vector<ModeUse>& u,
        const PlantedOptions& o, const Terrain& t)
      : creature(c),
        modes(m),
        limbs(l),
        uses(u),
        options(o),
        terrain(t),
        model(make_model(c)),
        joints(make_joint_forces(c, model)),
        w(model),
        root(root_dofs(c)),
        y(size_t(model.nv)),
        q(m.q0) {
    for (const Dof* dof : creature.dofs()) limits.push_back({dof->lower, dof->upper, o.soft});
    // a rest pose beyond a range moves the range
    for (size_t j = 0; j < limits.size(); ++j) {
      limits[j].lower = std::min(limits[j].lower, modes.x0[j]);
      limits[j].upper = std::max(limits[j].upper, modes.x0[j]);
    }
    for (const Screw<double>& s : model.screws)
      if (s.type == ScrewType::free && !free_root) free_root = true, root_q = s.q, root_v = s.v;
    set_up_rest();
    set_up_chains();
  }

  void set_up_rest() {
    update_positions(model, modes.q0.data(), w);
    rest = {w.R[size_t(limbs.root)], w.p[size_t(limbs.root)]};
    double lowest = unlimited;
    for (const LimbLeg& leg : limbs.legs)
      lowest = std::min(lowest, point_position(w, leg.foot, leg.point).z - leg.height);
    if (limbs.legs.empty()) lowest = 0;
    const Vec3d shift{-rest.p.x, -rest.p.y, -lowest};
    rest.p = rest.p + shift;
    for (const LimbLeg& leg : limbs.legs)
      rest_foot.push_back({w.R[size_t(leg.foot)], point_position(w, leg.foot, leg.point) + shift});
    length = std::max(limbs.hip_height, 1e-6);
    double front = -unlimited, back = unlimited;
    for (const Frame& foot : rest_foot) front = std::max(front, foot.p.x), back = std::min(back, foot.p.x);
    alignment = limbs.girdles > 1 ? 1 : 0;
  }

  void set_up_chains() {
    for (size_t l = 0; l < limbs.legs.size(); ++l) {
      const LimbLeg& leg = limbs.legs[l];
      Chain chain(leg_creature(creature, leg));
      chain.foot = int(leg.links.size()) - 1;
      chain.point = leg.point;
      chain.flat = leg.foot != creature.legs[size_t(leg.leg)].knee && leg.foot != leg.hip;
      chain.carrier = creature.links[size_t(leg.hip)].parent;
      std::vector<double> x0;
      for (const int j : leg.dofs)
        chain.limits.push_back(limits[size_t(j)]), x0.push_back(modes.x0[size_t(j)]);
      // the range as it is, without the soft part
      chain.length = longest_reach(chain, x0);
      chains.push_back(std::move(chain));
    }
    swings.resize(limbs.legs.size());
    plants.resize(limbs.legs.size());
    soles.resize(limbs.legs.size());
    for (size_t l = 0; l < limbs.legs.size(); ++l)
      for (const ContactPoint& point : creature.contacts)
        for (int link = point.link; link >= 0; link = creature.links[size_t(link)].parent)
          if (link == limbs.legs[l].foot) soles[l].push_back(&point);
  }

  // The path: an arc at constant speed.
  Frame path(double t) const {
    const double angle = options.turn * t, s = speed * t;
    Frame f;
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
  struct Ground {
    double height = 0;
    Vec3d normal{0, 0, 1};
  };
  Ground ground_under(const Frame& at) const {
    if (terrain.type == TerrainType::none) return {};
    if (terrain.type == TerrainType::plane || terrain.type == TerrainType::slope) {
      const GroundSample g = sample(terrain, at.p.x, at.p.y);
      return {g.height, g.normal};
    }
    // heights on a grid of 3 x 3 over the stance, weighted to the middle, and their plane
    double sum = 0, weight = 0, sx = 0, sy = 0;
    const double dx = 0.5 * length, dy = 0.3 * length;
    for (int i = -2; i <= 2; ++i)
      for (int k = -2; k <= 2; ++k) {
        const Vec3d p = at * Vec3d{0.5 * i * dx, 0.5 * k * dy, 0};
        const double h = sample(terrain, p.x, p.y).height, f = (3 - std::abs(i)) * (3 - std::abs(k));
        sum += f * h, weight += f, sx += i * h, sy += k * h;
      }
    const double slope_x = sx / (50 * 0.5 * dx), slope_y = sy / (50 * 0.5 * dy);
    return {sum / weight, at.R * normalized(Vec3d{-slope_x, -slope_y, 1})};
  }

  double profile(double t) const {
    if (height.empty()) return 0;
    double u = options.hz * t;
    u -= std::floor(u);
    // a periodic cubic through the samples: continuous curvature is not needed, speed is
    const double x = u * samples;
    const int i = int(x) % samples;
    const double f = x - std::floor(x);
    const auto at = [&](int k) { return height[size_t(((k % samples) + samples) % samples)]; };
    const double a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
    // uniform cubic B-spline: twice differentiable
    return ((1 - f) * (1 - f) * (1 - f) * a + (3 * f * f * f - 6 * f * f + 4) * b +
            (-3 * f * f * f + 3 * f * f + 3 * f + 1) * c + f * f * f * d) /
           6;
  }

  // Where the modes and the path put the root.
  Frame root_at(double t) const {
    const Frame along = path(t);
    const Ground ground = ground_under(along);
    Vec3d turned;
    if (free_root)
      for (const ModeUse& use : uses) {
        const double a = use.amplitude * sin(2 * pi * use.hz * t + use.phase);
        for (int k = 0; k < 3; ++k) turned[k] += a * modes.body(root_v + 3 + k, use.mode);
      }
    Frame f;
    const Vec3d tilt = rotation_between(tilt_to(ground.normal), Mat3d::identity()) * alignment;
    f.R = matrix(exponential(tilt)) * along.R * rest.R * matrix(exponential(turned));
    f.p = along.p + Vec3d{0, 0, ground.height + rest.p.z + profile(t)};
    f.p = f.p + along.R.column(1) * sideways(t);
    return f;
  }

  // The way to the side of the feet that stand, smooth over the cycle: the first harmonic of their places.
  double sideways(double t) const {
    if (options.sway == 0 || phase.empty()) return 0;
    double sum = 0;
    for (size_t l = 0; l < phase.size(); ++l) {
      // mid-stance of leg l
      const double u = options.hz * t - phase[l] - 0.5 * options.duty;
      sum += rest_foot[l].p.y * cos(2 * pi * u);
    }
    return options.sway * sum * 2 / double(phase.size());
  }

  // Stance of leg l: u in [0, duty) after touch-down number n.
  double share(size_t l, double t, long& cycle) const {
    const double c = options.hz * t - phase[l], n = std::floor(c);
    cycle = long(n);
    return c - n;
  }
  double time_of(size_t l, long cycle, double u) const { return (double(cycle) + phase[l] + u) / options.hz; }

  // Where the foot stands: under its modes' place in the middle of the stance, as the ground there lies.
  const Frame& plant(size_t l, long cycle) const { return plants[l][size_t(cycle & 1)].foot; }
  void prepare_plant(size_t l, long cycle) {
    Plant& plant = plants[l][size_t(cycle & 1)];
    if (plant.cycle == cycle) return;
    plant.cycle = cycle;
    const double t = time_of(l, cycle, 0.5 * options.duty);
    const Frame along = path(t);
    modal(t);
    const Vec3d spot =
        modal_foot(l).p - along.R.column(1) * sideways(t) + along.R.column(0) * (ahead * length);
    GroundSample g{0, {0, 0, 1}};
    if (terrain.type != TerrainType::none) g = sample(terrain, spot.x, spot.y);
    plant.foot.R = tilt_to(g.normal) * along.R * rest_foot[l].R;
    plant.foot.p = Vec3d{spot.x, spot.y, g.height} + g.normal * limbs.legs[l].height;
  }

  // Equation 4 with limits, on the path: fills y, q and w.
  void modal(double t) const {
    auto& self = const_cast<Parts&>(*this);
    modal_pose(modes, uses, t, self.y.data());
    quiet_toes(t);
    self.modal_y = y;
    std::vector<double>& x = self.scratch;
    x.resize(y.size());
    for (size_t j = 0; j < y.size(); ++j) x[j] = root[j] ? modes.x0[j] : limits[j](y[j]);
    set_positions(joints, x.data(), self.q.data());
    if (free_root && options.ground) put_root(root_at(t));
    update_positions(model, q.data(), self.w);
  }
  std::vector<double> scratch;

  void put_root(const Frame& f) const {
    double* p = const_cast<Parts&>(*this).q.data() + root_q;
    const Quatd r = quaternion(f.R);
    const double same = p[3] * r.w + p[4] * r.x + p[5] * r.y + p[6] * r.z < 0 ? -1 : 1;
    p[0] = f.p.x, p[1] = f.p.y, p[2] = f.p.z;
    p[3] = same * r.w, p[4] = same * r.x, p[5] = same * r.y, p[6] = same * r.z;
  }

  // Toes beyond the foot rest while it stands.
  void quiet_toes(double t) const {
    if (!options.ground) return;
    auto& self = const_cast<Parts&>(*this);
    for (size_t l = 0; l < phase.size(); ++l) {
      if (limbs.legs[l].beyond.empty()) continue;
      long cycle;
      const double u = share(l, t, cycle);
      const double free = u < options.duty ? 0 : bump((u - options.duty) / (1 - options.duty));
      for (const int j : limbs.legs[l].beyond)
        self.y[size_t(j)] = modes.x0[size_t(j)] + free * (y[size_t(j)] - modes.x0[size_t(j)]);
    }
  }

  Frame modal_foot(size_t l) const {
    const LimbLeg& leg = limbs.legs[l];
    return {w.R[size_t(leg.foot)], point_position(w, leg.foot, leg.point)};
  }

  static Six missing(const Frame& wanted, const Frame& is) {
    const Vec3d p = wanted.p - is.p, r = rotation_between(wanted.R, is.R);
    return {p.x, p.y, p.z, r.x, r.y, r.z};
  }

  // What is to be added to the modes' foot during one swing.
  void prepare_swing(size_t l, long cycle) {
    Swing& swing = swings[l];
    if (swing.cycle == cycle) return;
    // on an even ground and a straight way one swing is as the next
    const bool known = swing.cycle > -1000000 && options.turn == 0 &&
                       (terrain.type == TerrainType::plane || terrain.type == TerrainType::slope) && steady;
    swing.cycle = cycle;
    if (known) return;
    prepare_plant(l, cycle), prepare_plant(l, cycle + 1);
    const double h = event_step / options.hz, span = (1 - options.duty) / options.hz;
    Six value[2], slope[2], curve[2];
    const double times[2] = {time_of(l, cycle, options.duty), time_of(l, cycle + 1, 0)};
    for (int end = 0; end < 2; ++end) {
      const Frame planted = plant(l, cycle + end);
      Six at[3];
      for (int k = 0; k < 3; ++k) {
        modal(times[end] + (k - 1) * h);
        at[k] = missing(planted, modal_foot(l));
      }
      for (int i = 0; i < 6; ++i) {
        value[end][i] = at[1][i];
        slope[end][i] = (at[2][i] - at[0][i]) / (2 * h) * span;
        curve[end][i] = (at[2][i] - 2 * at[1][i] + at[0][i]) / (h * h) * span * span;
      }
    }
    swing.offset.set(value[0], slope[0], curve[0], value[1], slope[1], curve[1]);
    // feet up where the modes do not lift them enough: heels and toes too
    swing.lift = 0;
    const double wanted = options.clearance * length;
    for (const double s : {0.06, 0.12, 0.2, 0.3, 0.5, 0.7, 0.8, 0.88, 0.94}) {
      modal(times[0] + s * span);
      const Frame is = modal_foot(l), moved = led(is, swing.offset(s));
      double high = unlimited;
      for (const ContactPoint* point : soles[l]) {
        const Vec3d p = moved * (inverse(is) * point_position(w, point->link, point->pos));
        const double ground = terrain.type == TerrainType::none ? 0 : sample(terrain, p.x, p.y).height;
        high = std::min(high, p.z - point->radius - ground);
      }
      if (high == unlimited) high = moved.p.z - limbs.legs[l].height;
      swing.lift = std::max(swing.lift, (wanted * hop(s) - high) / hop(s));
    }
  }

  // The modes' foot with what is to be added.
  static Frame led(const Frame& modal, const Six& o) {
    return {matrix(exponential({o[3], o[4], o[5]})) * modal.R, modal.p + Vec3d{o[0], o[1], o[2]}};
  }

  Frame foot_wanted(size_t l, double t) {
    long cycle;
    const double u = share(l, t, cycle);
    if (u < options.duty) return plant(l, cycle);
    const double s = (u - options.duty) / (1 - options.duty);
    Frame f = led(modal_foot(l), swings[l].offset(s));
    f.p.z += swings[l].lift * hop(s);
    return f;
  }

  // Moves the leg's angles y (before the limits) so that its foot is where it should be. Gauss-Newton on
  //   |strict x miss of place|^2 + |arm x miss of turn|^2 + pull^2 |y - y_modes|^2,
  // whose minimum moves smoothly with time also where joints do not let the foot turn as it should; then
  // least steps for the place alone. Legs of more than six joints are pulled more: they have a choice. A turn
  // about the ground's normal counts little: soles stay level anyhow.
  void solve_leg(size_t l, const Frame& wanted_w) {
    const LimbLeg& leg = limbs.legs[l];
    Chain& chain = chains[l];
    const int n = int(leg.dofs.size());
    if (n > most_dofs) return;
    Frame wanted = wanted_w;
    Vec3d normal = ground_normal(wanted_w.p);
    if (chain.carrier >= 0) {
      const Frame carrier{w.R[size_t(chain.carrier)], w.p[size_t(chain.carrier)]};
      wanted = inverse(carrier) * wanted_w;
      normal = transpose_times(carrier.R, normal);
    }
    Vector start(n), angle(n), x(n);
    for (int j = 0; j < n; ++j) start[j] = starting_angle(leg, chain, j);
    angle = start + (chain.warm.size() == n ? chain.warm : Vector(Vector::Zero(n)));
    const double strict = 8, arm = 0.4 * chain.length, pull = (n > 6 ? 0.035 : 0.02) * chain.length;
    Jacobian J(6, n);
    Eigen::Matrix<double, 6, 1> e;
    Vec3d tip;
    const auto look = [&] {
      for (int j = 0; j < n; ++j) x[j] = chain.limits[size_t(j)](angle[j]);
      chain.place(x.data());
      tip = chain.tip();
      const Vec3d miss = wanted.p - tip;
      Vec3d turn = rotation_between(wanted.R, chain.w.R[size_t(chain.foot)]);
      turn = (turn - normal * (0.5 * dot(normal, turn))) * arm;
      e << strict * miss.x, strict * miss.y, strict * miss.z, turn.x, turn.y, turn.z;
      return e.squaredNorm() + pull * pull * (angle - start).squaredNorm();
    };
    double cost = look(), damping = 1e-9;
    for (int round = 0; round < 16; ++round) {
      fill_jacobian(chain, x.data(), angle.data(), tip, J);
      for (int j = 0; j < n; ++j) {
        const Vec3d ang{J(3, j), J(4, j), J(5, j)};
        const Vec3d counted = (ang - normal * (0.5 * dot(normal, ang))) * arm;
        J(3, j) = counted.x, J(4, j) = counted.y, J(5, j) = counted.z;
        for (int i = 0; i < 3; ++i) J(i, j) *= strict;
      }
      Square A = J.transpose() * J;
      A.diagonal().array() += pull * pull + damping;
      const Vector step = A.ldlt().solve(J.transpose() * e - pull * pull * (angle - start));
      const Vector before = angle;
      angle += step;
      const double now = look();
      if (now > cost * (1 + 1e-12)) {
        // too far: stay, and step less
        angle = before;
        look();
        damping = std::max(30 * damping, 1e-4 * chain.length * chain.length);
        continue;
      }
      damping *= 0.1;
      const bool done = step.squaredNorm() < 1e-12;
      cost = now;
      if (done) break;
    }
    chain.warm = angle - start;
    for (int round = 0; round < 6 && e.head(3).norm() > strict * converged; ++round) {
      fill_jacobian(chain, x.data(), angle.data(), tip, J);
      Eigen::Matrix3d A = J.topRows(3) * J.topRows(3).transpose();
      A.diagonal().array() += 1e-6 * chain.length * chain.length;
      const Eigen::Vector3d miss = e.head(3) / strict;
      angle += J.topRows(3).transpose() * A.ldlt().solve(miss);
      look();
    }
    for (int j = 0; j < n; ++j) {
      y[size_t(leg.dofs[size_t(j)])] = angle[j];
      most_correction = std::max(most_correction, std::fabs(x[j] - chain.limits[size_t(j)](start[j])));
    }
  }

  // The modes' angle from within the limits, where they still give way; the knee a little folded, so that it
  // folds the right way.
  double starting_angle(const LimbLeg& leg, const Chain& chain, int j) const {
    const int dof = leg.dofs[size_t(j)];
    const SoftLimit& limit = chain.limits[size_t(j)];
    const double angle = limit(modal_y[size_t(dof)]);
    if (dof != leg.knee_dof) return angle;
    const double room = std::min(0.3, 0.3 * (limit.upper - limit.lower));
    SoftLimit inner{limit.lower, limit.upper, 0.8 * room};
    (leg.knee_sign > 0 ? inner.lower : inner.upper) += leg.knee_sign * room;
    return inner(angle);
  }

  Vec3d ground_normal(const Vec3d& p) const {
    return terrain.type == TerrainType::none ? Vec3d{0, 0, 1} : sample(terrain, p.x, p.y).normal;
  }

  // Depth of the leg's lowest contact point in w.
  double depth_of(size_t l) const {
    double depth = -unlimited;
    for (const ContactPoint* point : soles[l])
      depth = std::max(
          depth, ground_depth(terrain, point_position(w, point->link, point->pos), point->radius).depth);
    return depth;
  }

  // The same of the leg as solve_leg left it, toes as the modes have them.
  double solved_depth(size_t l) const {
    const Chain& chain = chains[l];
    Frame foot{chain.w.R[size_t(chain.foot)], chain.tip()};
    if (chain.carrier >= 0) foot = Frame{w.R[size_t(chain.carrier)], w.p[size_t(chain.carrier)]} * foot;
    const Frame back = foot * inverse(modal_foot(l));
    double depth = -unlimited;
    for (const ContactPoint* point : soles[l])
      depth = std::max(
          depth,
          ground_depth(terrain, back * point_position(w, point->link, point->pos), point->radius).depth);
    return depth;
  }

  // The leg's joints for its foot; in swing a foot that cannot turn as it should goes higher instead.
  void place_foot(size_t l, double t) {
    Frame wanted = foot_wanted(l, t);
    solve_leg(l, wanted);
    long cycle;
    const double u = share(l, t, cycle);
    if (u < options.duty || soles[l].empty()) return;
    const double rise = std::min(1.0, 8 * hop((u - options.duty) / (1 - options.duty))),
                 round = 4e-3 * length;
    for (int again = 0; again < 3; ++again) {
      const double depth = solved_depth(l);
      if (depth < -2 * round) return;
      wanted.p.z += rise * 0.5 * (depth + std::sqrt(depth * depth + round * round));
      solve_leg(l, wanted);
      if (depth < 2e-4) return;
    }
  }

  static void fill_jacobian(const Chain& chain, const double* x, const double* angle, const Vec3d& tip,
                            Jacobian& J) {
    const Model<double>& m = chain.model;
    const auto set = [&](int j, const Vec3d& lin, const Vec3d& ang) {
      for (int i = 0; i < 3; ++i) J(i, j) = lin[i], J(3 + i, j) = ang[i];
    };
    for (int j = 0; j < m.nv; ++j) {
      const Twist<double>& S = chain.w.S[size_t(j)];
      set(j, S.lin + cross(S.ang, tip - chain.w.p[size_t(m.link_of_dof[size_t(j)])]), S.ang);
    }
    for (const auto& rotation : chain.joints.rotations) {
      // columns for the rotation vector's components
      const int v = rotation.v;
      Eigen::Matrix<double, 6, 3> old = J.middleCols(v, 3);
      for (int k = 0; k < 3; ++k) {
        Vec3d unit;
        unit[k] = 1;
        const Vec3d turning = turning_of_vector({x[v], x[v + 1], x[v + 2]}, unit);
        J.col(v + k) = old.col(0) * turning.x + old.col(1) * turning.y + old.col(2) * turning.z;
      }
    }
    for (int j = 0; j < m.nv; ++j) J.col(j) *= chain.limits[size_t(j)].slope(angle[j]);
  }

  void at(double t) {
    if (!options.ground || phase.empty()) {
      modal(t);
      return;
    }
    for (size_t l = 0; l < phase.size(); ++l) {
      long cycle;
      if (share(l, t, cycle) >= options.duty)
        prepare_swing(l, cycle);
      else
        prepare_plant(l, cycle);
    }
    modal(t);
    for (size_t l = 0; l < phase.size(); ++l) place_foot(l, t);
    for (size_t j = 0; j < y.size(); ++j) scratch[j] = root[j] ? scratch[j] : limits[j](y[j]);
    // the root's part of q stays
    std::array<double, 7> kept{};
    if (free_root) std::copy_n(q.begin() + root_q, 7, kept.begin());
    set_positions(joints, scratch.data(), q.data());
    if (free_root) std::copy_n(kept.begin(), 7, q.begin() + root_q);
  }

  // How far over its rest the root may be at sample i so that every foot in stance is within reach.
  double reachable(double t) {
    for (size_t l = 0; l < phase.size(); ++l) {
      long cycle;
      if (share(l, t, cycle) < options.duty) prepare_plant(l, cycle);
    }
    modal(t);
    double most = 0;
    for (size_t l = 0; l < phase.size(); ++l) {
      long cycle;
      if (share(l, t, cycle) >= options.duty) continue;
      const Frame& planted = plant(l, cycle);
      const Vec3d end = chains[l].flat ? planted.p - planted.R * limbs.legs[l].point : planted.p;
      const Vec3d hip = w.p[size_t(limbs.legs[l].hip)], d = hip - end;
      const double level = d.x * d.x + d.y * d.y, reach = reach_share * chains[l].length;
      const double allowed = level < reach * reach ? std::sqrt(reach * reach - level) : 0.3 * reach;
      most = std::min(most, allowed - d.z);
    }
    return most;
  }

  // No flight: as high as the legs reach, its lower envelope smoothed so that it stays below. Flight:
  // gravity's parabolas, joined by quintics, all as high as the legs reach.
  void set_up_height() {
    height.clear();
    std::vector<double> reach(samples);
    std::vector<char> down(samples, 0);
    const double period = 1 / options.hz;
    for (int i = 0; i < samples; ++i) {
      const double t = period * (3 + double(i) / samples);
      reach[size_t(i)] = reachable(t) - (options.crouch + drop) * length;
      for (size_t l = 0; l < phase.size(); ++l) down[size_t(i)] |= stance(l, t);
    }
    flies = std::count(down.begin(), down.end(), 0) > 0 && std::count(down.begin(), down.end(), 1) > 0;
    std::vector<double> shape(samples, 0.0);
    if (flies) {
      fly(shape, period);
      double level = 0;
      for (int i = 0; i < samples; ++i)
        if (down[size_t(i)]) level = std::min(level, reach[size_t(i)] - shape[size_t(i)]);
      // feet leave the ground at rest while the body already rises: legs need some length left for it
      level -= take_off_room * length;
      for (int i = 0; i < samples; ++i) shape[size_t(i)] += level;
    } else {
      const int half = samples / 10;
      std::vector<double> low(samples);
      const auto wrap = [](int i) { return size_t(((i % samples) + samples) % samples); };
      for (int i = 0; i < samples; ++i) {
        low[size_t(i)] = reach[size_t(i)];
        for (int k = -half - 2; k <= half + 2; ++k)
          low[size_t(i)] = std::min(low[size_t(i)], reach[wrap(i + k)]);
      }
      double weight = 0;
      for (int k = -half; k <= half; ++k) weight += 1 + std::cos(pi * k / (half + 1));
      for (int i = 0; i < samples; ++i)
        for (int k = -half; k <= half; ++k)
          shape[size_t(i)] += low[wrap(i + k)] * (1 + std::cos(pi * k / (half + 1))) / weight;
    }
    height = shape;
  }

  // Height over the cycle where no foot is down for part of it: between the landings' and take-offs' level 0,
  // parabolas in the air and smooth dips on the ground.
  void fly(std::vector<double>& shape, double period) const {
    // exact times of support: intervals of the union of stances, on a fine grid
    const int fine = 2000;
    std::vector<char> down(fine, 0);
    for (int i = 0; i < fine; ++i)
      for (size_t l = 0; l < phase.size(); ++l) down[size_t(i)] |= stance(l, period * (3 + double(i) / fine));
    int start = 0;
    while (start < fine && !(down[size_t(start)] && !down[size_t((start + fine - 1) % fine)])) ++start;
    // from a landing on
    for (int at = start; at < start + fine;) {
      int take_off = at;
      while (take_off < start + fine && down[size_t(take_off % fine)]) ++take_off;
      int landing = take_off;
      while (landing < start + fine && !down[size_t(landing % fine)]) ++landing;
      int before = at - 1, flight_before = 0;
      while (flight_before < fine && !down[size_t(((before % fine) + fine) % fine)])
        --before, ++flight_before;
      const double in_air = double(landing - take_off) / fine * period,
                   on_ground = double(take_off - at) / fine * period;
      const double up = 0.5 * options.gravity * in_air,
                   arriving = 0.5 * options.gravity * flight_before / fine * period;
      Quintic dip;
      Six zero{}, v0{}, v1{}, a{};
      v0[0] = -arriving * on_ground, v1[0] = up * on_ground, a[0] = -options.gravity * on_ground * on_ground;
      dip.set(zero, v0, a, zero, v1, a);
      for (int i = 0; i < samples; ++i) {
        const double place = double(i) / samples * fine;
        for (const double wrapped : {place, place + fine}) {
          if (wrapped >= at && wrapped < take_off)
            shape[size_t(i)] = dip((wrapped - at) / (take_off - at))[0];
          if (wrapped >= take_off && wrapped < landing) {
            const double t = (wrapped - take_off) / fine * period;
            shape[size_t(i)] = up * t - 0.5 * options.gravity * t * t;
          }
        }
      }
      at = landing;
    }
  }

  void forget() {
    for (Swing& swing : swings) swing = {};
    for (auto& pair : plants) pair = {};
    for (Chain& chain : chains) chain.warm.resize(0);
  }

  // The largest error of a planted foot's point, and depth of any of its contact points, over one cycle.
  double misfit() {
    double worst = 0;
    constexpr int checks = 24;
    for (int i = 0; i < checks; ++i) {
      const double t = (3 + (i + 0.5) / checks) / options.hz;
      at(t);
      update_positions(model, q.data(), w);
      for (size_t l = 0; l < phase.size(); ++l) {
        long cycle;
        if (share(l, t, cycle) >= options.duty) continue;
        worst = std::max({worst, norm(modal_foot(l).p - plant(l, cycle).p), depth_of(l)});
      }
    }
    return worst;
  }

  // Where joints do not let the feet stand flat: feet more before or behind, the body lower, steps shorter,
  // in this order, until they do.
  void fit_stance() {
    const double natural = speed, enough = 8e-4;
    struct {
      double misfit = unlimited, ahead = 0, drop = 0, pace = 1;
    } best;
    const auto attempt = [&](double pace, double shift, double lower) {
      speed = pace * natural, ahead = shift, drop = lower;
      forget();
      set_up_height();
      forget();
      const double m = misfit();
      if (m < best.misfit) best = {m, shift, lower, pace};
      return m < enough;
    };
    const auto search = [&] {
      for (const double pace : {1.0, 0.88, 0.76, 0.64, 0.52, 0.4})
        for (const double lower : {0.0, 0.04})
          for (const double shift : {0.0, 0.06})
            if (attempt(pace, shift, lower)) return;
    };
    search();
    speed = best.pace * natural, ahead = best.ahead, drop = best.drop;
    forget();
    set_up_height();
    forget();
    most_correction = 0;
  }

  bool stance(size_t l, double t) const {
    long cycle;
    return share(l, t, cycle) < options.duty;
  }
};

PlantedGait::PlantedGait(const Creature& creature, const Modes& modes, const std::vector<ModeShape>& shapes,
                         const Limbs& limbs, const std::vector<ModeUse>& uses, const PlantedOptions& options,
                         const Terrain& terrain)
    : parts_(std::make_unique<Parts>(creature, modes, limbs, uses, options, terrain)) {
  Parts& p = *parts_;
  if (!p.free_root || limbs.legs.empty()) p.options.ground = false;
  if (!p.options.ground) return;
  // stance is centred on the middle of the way back
  double sum = 0;
  for (size_t l = 0; l < limbs.legs.size(); ++l) {
    const Phasor swing = leg_swing(shapes, uses, options.hz, int(l));
    const bool swings = !options.in_place && swing.amplitude > 0.05 * p.length;
    // feet that stay where they are stand while the knees are folded: a quarter of a cycle in
    const double middle =
        swings ? 0.5 - swing.phase / (2 * pi) : 0.25 + (options.phase.empty() ? 0 : options.phase[l]);
    const double phase = middle - 0.5 * options.duty;
    p.phase.push_back(phase - std::floor(phase));
    if (swings) sum += swing.amplitude * (options.duty < 0.5 ? std::sin(pi * options.duty) : 1);
  }
  const double natural = 2 * sum / double(limbs.legs.size()) * options.hz / options.duty;
  p.speed = options.in_place ? 0 : natural;
  for (const ModeUse& use : uses) {
    const double cycles = use.hz / options.hz;
    p.steady &= std::fabs(cycles - std::round(cycles)) < 1e-9;
  }
  p.fit_stance();
}

PlantedGait::~PlantedGait() = default;
PlantedGait::PlantedGait(PlantedGait&&) noexcept = default;

void PlantedGait::at(double time, double* q) {
  parts_->at(time);
  std::copy(parts_->q.begin(), parts_->q.end(), q);
}

bool PlantedGait::stance(int leg, double time) const {
  return !parts_->phase.empty() && parts_->stance(size_t(leg), time);
}
double PlantedGait::speed() const { return parts_->speed; }

Motion PlantedGait::animate(double seconds, double rate) {
  const auto start = std::chrono::steady_clock::now();
  Parts& p = *parts_;
  Motion motion;
  motion.creature = p.creature;
  motion.terrain = p.terrain;
  motion.gravity = p.options.gravity;
  const int frames = int(std::floor(seconds * rate + 1e-9)) + 1;
  const size_t nq = size_t(p.model.nq), nv = size_t(p.model.nv);
  motion.q.resize(size_t(frames) * nq);
  for (int f = 0; f < frames; ++f) {
    motion.time.push_back(f / rate);
    p.at(f / rate);
    std::copy(p.q.begin(), p.q.end(), motion.q.begin() + long(size_t(f) * nq));
  }
  // the weight, shared by the feet that stand: no physics, but it says when they do
  const double weight = p.creature.mass() * p.options.gravity;
  motion.contact_force.assign(p.phase.empty() ? 0 : size_t(frames) * p.creature.contacts.size() * 3, 0);
  for (int f = 0; f < frames && !p.phase.empty(); ++f) {
    // frames whose velocity, taken from both neighbours, is all of the stance
    const auto stands = [&](size_t l) {
      const double t = motion.time[size_t(f)];
      return p.stance(l, t - 1 / rate) && p.stance(l, t) && p.stance(l, t + 1 / rate);
    };
    int standing = 0;
    for (size_t l = 0; l < p.phase.size(); ++l) standing += stands(l);
    for (size_t l = 0; l < p.phase.size(); ++l) {
      if (!stands(l)) continue;
      for (const ContactPoint* point : p.soles[l]) {
        const size_t c = size_t(point - p.creature.contacts.data());
        motion.contact_force[(size_t(f) * p.creature.contacts.size() + c) * 3 + 2] =
            weight / standing / double(p.soles[l].size());
      }
    }
  }
  // velocities: what leads from the frame before to the one after
  motion.v.assign(size_t(frames) * nv, 0);
  motion.tau.assign(size_t(frames) * nv, 0);
  for (int f = 0; f < frames && frames > 1; ++f) {
    const int a = std::max(f - 1, 0), b = std::min(f + 1, frames - 1);
    double* v = &motion.v[size_t(f) * nv];
    difference_positions(p.model, &motion.q[size_t(a) * nq], &motion.q[size_t(b) * nq], v);
    for (size_t j = 0; j < nv; ++j) v[j] *= rate / (b - a);
  }
  motion.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return motion;
}

PlantedMeasures PlantedGait::measure(const Motion& motion) const {
  const Parts& p = *parts_;
  PlantedMeasures m;
  m.speed = p.speed;
  m.correction = p.most_correction;
  Workspace<double> w(p.model);
  const size_t nq = size_t(p.model.nq), nv = size_t(p.model.nv);
  std::vector<double> x(nv);
  std::vector<Vec3d> low(p.phase.size()), high(p.phase.size());
  std::vector<char> was(p.phase.size(), 0);
  const std::vector<const Dof*> dofs = p.creature.dofs();
  for (int f = 0; f < motion.frames(); ++f) {
    const double* q = &motion.q[size_t(f) * nq];
    update_positions(p.model, q, w);
    joint_positions(p.joints, q, x.data());
    for (size_t j = 0; j < nv; ++j)
      if (!p.root[j])
        m.limit_excess = std::max({m.limit_excess, x[j] - dofs[j]->upper, dofs[j]->lower - x[j]});
    // a jump is a change of velocity that its neighbours do not share: the third difference of the angles
    if (f >= 3)
      for (size_t j = 0; j < nv; ++j) {
        if (p.root[j]) continue;
        const auto v = [&](int k) { return motion.v[size_t(f - k) * nv + j]; };
        m.velocity_jump = std::max(m.velocity_jump, std::fabs(v(0) - 3 * v(1) + 3 * v(2) - v(3)));
      }
    for (size_t l = 0; l < p.phase.size(); ++l) {
      const bool down = p.stance(l, motion.time[size_t(f)]);
      const Vec3d at = point_position(w, p.limbs.legs[l].foot, p.limbs.legs[l].point);
      if (down && !was[l]) low[l] = high[l] = at;
      if (down) {
        for (int k = 0; k < 3; ++k)
          low[l][k] = std::min(low[l][k], at[k]), high[l][k] = std::max(high[l][k], at[k]);
        m.slide = std::max(m.slide, norm(high[l] - low[l]));
      }
      was[l] = down;
    }
    for (const ContactPoint& point : p.creature.contacts) {
      if (!point.foot) continue;
      m.sink = std::max(
          m.sink, ground_depth(p.terrain, point_position(w, point.link, point.pos), point.radius).depth);
    }
  }
  return m;
}

}  // namespace legwork
