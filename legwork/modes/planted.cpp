#include "legwork/modes/planted.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "legwork/dynamics/dynamics.h"
#include "legwork/math/real.h"
#include "legwork/modes/coordinates.h"
#include "legwork/modes/height_profile.h"
#include "legwork/motion/gait.h"
#include "legwork/motion/record.h"

namespace legwork {

namespace {

constexpr int intervals = 64;             // of a leg's spline, in a cycle
constexpr double edge = 1.0 / intervals;  // of a cycle: so long before and after its stance a foot stays put
constexpr int samples = 96;               // of a cycle, for the root's height
constexpr double reach_share = 0.985;     // of a leg's longest stretch
constexpr double off_ground = 5e-4;       // hip heights: the rear of a foot on its toes is at least so high
constexpr double take_off_room = 0.02;    // hip heights
constexpr double stretch = 0.12;          // hip heights that a leap may begin over the rest
constexpr double most_slip = 5e-4;        // m of a planted point in a stance ...
constexpr double most_sink = 6e-4;        // ... and under the ground
constexpr double lowest_share = 0.3;  // hip heights: the root goes no lower for far feet; steps get shorter
constexpr double near_beat = 0.12;    // of a cycle
constexpr int most_cycles = 4;        // that a gait may take to repeat
constexpr int far = 12;               // a cycle that all of these begin with

Mat3d turn_about_z(double angle) {
  double s, c;
  sin_cos(angle, s, c);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}

// The shortest rotation from z to n.
Vec3d tilt_to(const Vec3d& n) {
  const Vec3d axis = cross(Vec3d{0, 0, 1}, n);
  const double s = norm(axis);
  return s < 1e-12 ? Vec3d{} : axis * (atan2(s, n.z) / s);
}

// Rises from 0 and falls back to 0 with its slope zero at both ends; 1 in the middle.
double hop(double s) { return 64 * s * s * s * (1 - s) * (1 - s) * (1 - s); }

}  // namespace

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
  std::vector<ModeUse> asked, uses;  // uses: with the strides that the manner leaves
  PlantedOptions options;
  Terrain terrain;
  Manner manner;

  Model<double> model;
  JointForces<double> joints;
  Workspace<double> w;
  std::vector<SoftLimit> limits;
  std::vector<char> root;
  bool free_root = false;
  int root_q = 0, root_v = 0;
  LinkFrame rest;                    // the root in the rest pose, over x = y = 0, lowest foot on z = 0
  std::vector<LinkFrame> rest_foot;  // per leg, the point's place and the foot's axes in the rest pose
  std::vector<LegPath> legs;
  std::vector<double> phase;   // per leg
  std::vector<double> height;  // of the root over its rest, per sample of the cycle, m
  double natural = 0, speed = 0, alignment = 0, length = 1;
  int cycles = 0;                      // after which all repeats; 0: never
  std::vector<double> y, x, q, leg_y;  // angles before the limits and after

  struct Plant {
    LinkFrame foot;
    Mat3d ground;
  };
  std::vector<std::map<long, Plant>> plants;        // per leg, by the number of the stance
  std::vector<const ContactPoint*> trunk_contacts;  // of no leg

  Parts(const Creature& c, const Modes& m, const Limbs& l, const std::vector<ModeUse>& u,
        const PlantedOptions& o, const Terrain& t)
      : creature(c),
        modes(m),
        limbs(l),
        asked(u),
        uses(u),
        options(o),
        terrain(t),
        model(make_model(c)),
        joints(make_joint_forces(c, model)),
        w(model),
        root(root_dofs(c)),
        y(size_t(model.nv)),
        x(size_t(model.nv)),
        q(m.q0),
        leg_y(size_t(model.nv)) {
    // a rest pose beyond a range moves the range
    const std::vector<const Dof*> dofs = creature.dofs();
    for (size_t j = 0; j < dofs.size(); ++j)
      limits.push_back(
          {std::min(dofs[j]->lower, modes.x0[j]), std::max(dofs[j]->upper, modes.x0[j]), o.soft});
    for (const Screw<double>& s : model.screws)
      if (s.type == ScrewType::free && !free_root) free_root = true, root_q = s.q, root_v = s.v;
    update_positions(model, modes.q0.data(), w);
    rest = {w.R[size_t(limbs.root)], w.p[size_t(limbs.root)]};
    double lowest = limbs.legs.empty() ? 0 : unlimited;
    for (const LimbLeg& leg : limbs.legs)
      lowest = std::min(lowest, point_position(w, leg.foot, leg.point).z - leg.height);
    const Vec3d shift{-rest.p.x, -rest.p.y, -lowest};
    rest.p = rest.p + shift;
    for (const LimbLeg& leg : limbs.legs) {
      rest_foot.push_back({w.R[size_t(leg.foot)], point_position(w, leg.foot, leg.point) + shift});
      legs.emplace_back(creature, leg, modes.q0, modes.x0, limits);
    }
    for (const ContactPoint& point : creature.contacts) {
      int link = point.link;
      const auto is_hip = [&](const LimbLeg& leg) { return leg.hip == link; };
      while (link >= 0 && std::none_of(limbs.legs.begin(), limbs.legs.end(), is_hip))
        link = creature.links[size_t(link)].parent;
      if (link < 0) trunk_contacts.push_back(&point);
    }
    length = std::max(limbs.hip_height, 1e-6);
    alignment = limbs.girdles > 1 ? 1 : 0;
    plants.resize(legs.size());
  }

  // ---- timing

  // Stance of leg l: u in [0, duty) after touch-down number n.
  double share(size_t l, double t, long& cycle) const {
    const double c = options.hz * t - phase[l], n = std::floor(c);
    cycle = long(n);
    return c - n;
  }
  bool stance(size_t l, double t) const {
    long cycle;
    return share(l, t, cycle) < options.duty;
  }

  // Modes swing the legs nearly as the action's footfalls go; where they do, the footfalls are taken.
  void keep_the_beat() {
    if (options.phase.size() != phase.size() || options.in_place) return;
    double re = 0, im = 0;
    for (size_t l = 0; l < phase.size(); ++l)
      re += std::cos(2 * pi * (phase[l] - options.phase[l])),
          im += std::sin(2 * pi * (phase[l] - options.phase[l]));
    const double start = std::atan2(im, re) / (2 * pi);
    for (size_t l = 0; l < phase.size(); ++l) {
      const double beat = options.phase[l] + start, off = phase[l] - beat;
      if (std::fabs(off - std::round(off)) < near_beat) phase[l] = beat - std::floor(beat);
    }
  }

  // Stance is centred on the middle of the way back; the body goes at the feet's mean speed in it.
  void set_up_timing(const std::vector<ModeShape>& shapes) {
    double sum = 0;
    for (size_t l = 0; l < legs.size(); ++l) {
      const Phasor swing = leg_swing(shapes, asked, options.hz, int(l));
      const bool swings = !options.in_place && swing.amplitude > 0.05 * length;
      // feet that stay where they are stand while the knees are folded: a quarter of a cycle in
      const double middle =
          swings ? 0.5 - swing.phase / (2 * pi) : 0.25 + (options.phase.empty() ? 0 : options.phase[l]);
      const double begin = middle - 0.5 * options.duty;
      phase.push_back(begin - std::floor(begin));
      if (swings) sum += swing.amplitude * (options.duty < 0.5 ? std::sin(pi * options.duty) : 1);
    }
    keep_the_beat();
    natural = options.in_place ? 0 : 2 * sum / double(legs.size()) * options.hz / options.duty;
    const bool even = terrain.type == TerrainType::none || terrain.type == TerrainType::plane ||
                      terrain.type == TerrainType::slope;
    const bool turns_on_slope = options.turn != 0 && terrain.type == TerrainType::slope && terrain.angle != 0;
    for (cycles = 1; cycles <= most_cycles; ++cycles) {
      bool repeats = even && !turns_on_slope;
      for (const ModeUse& use : asked) {
        const double times = cycles * use.hz / options.hz;
        repeats &= std::fabs(times - std::round(times)) < 1e-9;
      }
      if (repeats) return;
    }
    cycles = 0;
  }

  // ---- the root

  // An arc at constant speed.
  LinkFrame path(double t) const {
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
  GroundSample ground_under(const LinkFrame& at) const {
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
  double sideways(double t) const {
    double sum = 0;
    for (size_t l = 0; l < phase.size() && options.sway != 0; ++l)
      sum += rest_foot[l].p.y * cos(2 * pi * (options.hz * t - phase[l] - 0.5 * options.duty));
    return manner.calm * options.sway * sum * 2 / std::max(1.0, double(phase.size()));
  }

  LinkFrame root_at(double t) const {
    const LinkFrame along = path(t);
    const GroundSample ground = ground_under(along);
    Vec3d turned;
    for (const ModeUse& use : uses) {
      const double a = manner.calm * use.amplitude * sin(2 * pi * use.hz * t + use.phase);
      for (int k = 0; k < 3; ++k) turned[k] += a * modes.body(root_v + 3 + k, use.mode);
    }
    LinkFrame f;
    f.R = matrix(exponential(tilt_to(ground.normal) * alignment)) * along.R * rest.R *
          matrix(exponential(turned));
    f.p = along.p + Vec3d{0, 0, ground.height + rest.p.z + periodic_spline(height, options.hz * t)} +
          along.R.column(1) * sideways(t);
    return f;
  }

  // How far over its rest the root may be, at most, so that every foot in stance is within reach.
  double reachable(double t, double most) {
    modal(t);
    for (size_t l = 0; l < legs.size(); ++l) {
      long cycle;
      const double u = share(l, t, cycle);
      if (u >= options.duty) continue;
      const LegPath::End& end = legs[l].end(u >= options.heel * options.duty);
      const Vec3d d = w.p[size_t(limbs.legs[l].hip)] - plants[l].at(cycle).foot * end.at;
      const double level = d.x * d.x + d.y * d.y, reach = reach_share * end.reach;
      most = std::min(most, (level < reach * reach ? std::sqrt(reach * reach - level) : 0.3 * reach) - d.z);
    }
    return most;
  }

  void set_up_height() {
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
      allowed[size_t(i)] =
          std::max(reachable(time(i), leaps ? stretch * length : 0), -lowest_share * length) -
          (options.crouch + manner.drop) * length;
    height =
        leaps ? leap(allowed, down, period, options.gravity, take_off_room * length) : smooth_below(allowed);
  }

  // ---- equation 4 on the path: fills y, q and w

  void modal(double t) {
    modal_pose(modes, uses, t, y.data());
    if (options.ground)
      for (size_t j = 0; j < y.size(); ++j)
        if (limbs.in_spine[j]) y[j] = modes.x0[j] + manner.calm * (y[j] - modes.x0[j]);
    limit_and_put(t);
    update_positions(model, q.data(), w);
  }

  void limit_and_put(double t) {
    for (size_t j = 0; j < y.size(); ++j) x[j] = root[j] ? modes.x0[j] : limits[j](y[j]);
    set_positions(joints, x.data(), q.data());
    if (!free_root || !options.ground) return;
    const LinkFrame f = root_at(t);
    const Quatd r = quaternion(f.R);
    double* p = q.data() + root_q;
    const double same = p[3] * r.w + p[4] * r.x + p[5] * r.y + p[6] * r.z < 0 ? -1 : 1;
    p[0] = f.p.x, p[1] = f.p.y, p[2] = f.p.z;
    p[3] = same * r.w, p[4] = same * r.x, p[5] = same * r.y, p[6] = same * r.z;
  }

  // The modes' angle from within the limits, where they still give way; the knee a little folded, so that it
  // folds the right way.
  double wish(const LimbLeg& leg, int dof) const {
    const SoftLimit& limit = limits[size_t(dof)];
    const double angle = limit(y[size_t(dof)]);
    if (dof != leg.knee_dof) return angle;
    const double room = std::min(0.3, 0.3 * (limit.upper - limit.lower));
    SoftLimit inner{limit.lower, limit.upper, 0.8 * room};
    (leg.knee_sign > 0 ? inner.lower : inner.upper) += leg.knee_sign * room;
    return inner(angle);
  }

  // ---- the feet

  // Where each foot stands from one time to another: under its modes' place in the middle of the stance, as
  // the ground there lies.
  void put_plants(double from, double to) {
    for (size_t l = 0; l < legs.size(); ++l) {
      plants[l].clear();
      long first, last;
      share(l, from, first), share(l, to, last);
      for (long cycle = first; cycle <= last; ++cycle) {
        const double t = (double(cycle) + phase[l] + 0.5 * options.duty) / options.hz;
        const LinkFrame along = path(t);
        modal(t);
        const LimbLeg& leg = limbs.legs[l];
        const Vec3d spot = point_position(w, leg.foot, leg.point) - along.R.column(1) * sideways(t);
        GroundSample g;
        if (terrain.type != TerrainType::none) g = sample(terrain, spot.x, spot.y);
        Plant plant;
        plant.ground = matrix(exponential(tilt_to(g.normal))) * along.R;
        plant.foot.R = plant.ground * rest_foot[l].R;
        plant.foot.p = Vec3d{spot.x, spot.y, g.height} + g.normal * leg.height;
        // on uneven ground: on what is highest under it
        if (terrain.type == TerrainType::steps || terrain.type == TerrainType::field)
          plant.foot.p.z += std::max(0.0, legs[l].depth(plant.foot, terrain));
        plants[l][cycle] = plant;
      }
    }
  }

  double depth_of(const ContactPoint& point) const {
    const Vec3d p = point_position(w, point.link, point.pos);
    return terrain.type == TerrainType::none ? point.radius - p.z
                                             : ground_depth(terrain, p, point.radius).depth;
  }

  // Solves all legs; returns their worst slip or sink as a share of what is allowed.
  double solve_legs() {
    const bool closed = cycles > 0;
    const double period = 1 / options.hz, begin = closed ? far * period : 0,
                 end = closed ? (far + cycles) * period : std::max(options.seconds, period) + 0.1 * period;
    const int count = closed ? cycles * intervals : int(std::ceil((end - begin) * options.hz * intervals));
    put_plants(begin - period, end + period);
    std::vector<std::vector<LegDemand>> demands(legs.size());
    std::vector<std::vector<double>> wishes(legs.size());
    double worst = 0;
    for (int i = 0; i < count * LegPath::samples; ++i) {
      const double t = begin + period * (i + 0.5) / (intervals * LegPath::samples);
      modal(t);
      for (const ContactPoint* point : trunk_contacts) worst = std::max(worst, depth_of(*point) / most_sink);
      for (size_t l = 0; l < legs.size(); ++l) {
        // planted a little longer than it stands, so that its stance is clean from end to end
        long cycle;
        const double u = share(l, t + edge * period, cycle), planted = options.duty + 2 * edge;
        const size_t carrier = size_t(legs[l].carrier());
        LegDemand demand;
        demand.carrier = {w.R[carrier], w.p[carrier]};
        demand.planted = u < planted;
        demand.rear_planted = u < options.heel * planted;
        demand.plant = plants[l].at(cycle).foot, demand.ground = plants[l].at(cycle).ground;
        demand.stance = int(cycle);
        demand.clearance = off_ground * length;
        if (!demand.planted)
          demand.clearance = options.clearance * length * hop((u - planted) / (1 - planted));
        demands[l].push_back(demand);
        for (const int j : legs[l].dofs()) wishes[l].push_back(wish(limbs.legs[l], j));
      }
    }
    for (size_t l = 0; l < legs.size(); ++l) {
      const Footing footing = legs[l].solve(demands[l], wishes[l], closed, intervals, terrain);
      worst = std::max({worst, footing.slip / most_slip, footing.sink / most_sink});
    }
    return worst;
  }

  double attempt(const Manner& tried) {
    manner = tried;
    speed = manner.pace * natural;
    uses = asked;
    for (ModeUse& use : uses) use.amplitude *= manner.pace;
    set_up_height();
    manner.miss = solve_legs();
    return manner.miss;
  }

  // Where joints do not let the feet stand: the trunk calmer and lower, then steps shorter, until they do.
  void fit() {
    std::vector<Manner> found;
    for (const double drop : {0.0, 0.04, 0.08})
      for (const double calm : {1.0, 0.3, 0.0}) {
        if (attempt({1, calm, drop, 0}) < 1) return;
        found.push_back(manner);
      }
    const auto better = [](const Manner& a, const Manner& b) { return a.miss < b.miss; };
    std::sort(found.begin(), found.end(), better);
    const Manner first = found[0], second = found[1];
    for (const double pace : {0.85, 0.7, 0.55, 0.4})
      for (const Manner& like : {first, second}) {
        if (natural == 0) break;
        if (attempt({pace, like.calm, like.drop, 0}) < 1) return;
        found.push_back(manner);
      }
    attempt(*std::min_element(found.begin(), found.end(), better));
  }

  // Over one cycle: what is left of the largest change of a joint's velocity in 2 ms, less twice that in 1
  // ms, which is nothing where velocities change steadily.
  double velocity_jump(double seconds) {
    const double h = 1e-3, e = 1e-5;
    const int count = int(std::min(seconds, std::max(cycles, 1) / options.hz) / h);
    std::vector<double> before(q.size()), v[3];
    for (std::vector<double>& value : v) value.resize(y.size());
    double in_one = 0, in_two = 0;
    for (int i = 0; i <= count; ++i) {
      std::swap(v[0], v[1]), std::swap(v[1], v[2]);
      at(i * h - e);
      before = q;
      at(i * h + e);
      difference_positions(model, before.data(), q.data(), v[2].data());
      for (size_t j = 0; j < y.size(); ++j) {
        if (root[j] || i < 2) continue;
        in_one = std::max(in_one, std::fabs(v[2][j] - v[1][j]) / (2 * e));
        in_two = std::max(in_two, std::fabs(v[2][j] - v[0][j]) / (2 * e));
      }
    }
    return std::max(0.0, 2 * in_one - in_two);
  }

  void at(double t) {
    modal_pose(modes, uses, t, y.data());
    if (!options.ground || phase.empty()) {
      limit_and_put(t);
      return;
    }
    for (size_t j = 0; j < y.size(); ++j)
      if (limbs.in_spine[j]) y[j] = modes.x0[j] + manner.calm * (y[j] - modes.x0[j]);
    for (LegPath& leg : legs) {
      leg.angles(options.hz * t * intervals, leg_y.data());
      for (size_t k = 0; k < leg.dofs().size(); ++k) y[size_t(leg.dofs()[k])] = leg_y[k];
    }
    limit_and_put(t);
  }
};

PlantedGait::PlantedGait(const Creature& creature, const Modes& modes, const std::vector<ModeShape>& shapes,
                         const Limbs& limbs, const std::vector<ModeUse>& uses, const PlantedOptions& options,
                         const Terrain& terrain)
    : parts_(std::make_unique<Parts>(creature, modes, limbs, uses, options, terrain)) {
  Parts& p = *parts_;
  if (!p.free_root || limbs.legs.empty()) p.options.ground = false;
  if (!p.options.ground) return;
  p.set_up_timing(shapes);
  p.fit();
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
const PlantedGait::Manner& PlantedGait::manner() const { return parts_->manner; }

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
  motion.v.assign(size_t(frames) * nv, 0);
  motion.tau.assign(size_t(frames) * nv, 0);
  std::vector<double> before(nq);
  const double h = 1e-4 / p.options.hz;
  for (int f = 0; f < frames; ++f) {
    const double t = f / rate;
    motion.time.push_back(t);
    p.at(t - h);
    before = p.q;
    p.at(t + h);
    double* v = &motion.v[size_t(f) * nv];
    difference_positions(p.model, before.data(), p.q.data(), v);
    for (size_t j = 0; j < nv; ++j) v[j] /= 2 * h;
    p.at(t);
    std::copy(p.q.begin(), p.q.end(), motion.q.begin() + long(size_t(f) * nq));
  }
  // the weight, shared by the feet that stand: no physics, but it says when they do
  const double weight = p.creature.mass() * p.options.gravity, margin = edge / p.options.hz;
  const auto stands = [&](size_t l, int f) {
    const double t = motion.time[size_t(f)];
    return p.stance(l, t - margin) && p.stance(l, t + margin);
  };
  const size_t contacts = p.creature.contacts.size();
  motion.contact_force.assign(p.phase.empty() ? 0 : size_t(frames) * contacts * 3, 0);
  for (int f = 0; f < frames && !p.phase.empty(); ++f) {
    int standing = 0;
    for (size_t l = 0; l < p.legs.size(); ++l) standing += stands(l, f);
    for (size_t l = 0; l < p.legs.size(); ++l) {
      if (!stands(l, f)) continue;
      const std::vector<int> points = p.legs[l].standing_contacts();
      for (const int c : points)
        motion.contact_force[(size_t(f) * contacts + size_t(c)) * 3 + 2] =
            weight / standing / double(points.size());
    }
  }
  motion.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return motion;
}

PlantedMeasures PlantedGait::measure(const Motion& motion) {
  Parts& p = *parts_;
  PlantedMeasures m;
  m.speed = p.speed;
  for (const LegPath& leg : p.legs) m.correction = std::max(m.correction, leg.most());
  if (!p.phase.empty()) {
    const Gait gait = measure_gait(motion);
    m.slide = gait.slip, m.sink = std::max(gait.penetration, 0.0);
  }
  const size_t nq = size_t(p.model.nq), nv = size_t(p.model.nv);
  std::vector<double> x(nv);
  const std::vector<const Dof*> dofs = p.creature.dofs();
  for (int f = 0; f < motion.frames(); ++f) {
    joint_positions(p.joints, &motion.q[size_t(f) * nq], x.data());
    for (size_t j = 0; j < nv; ++j) {
      if (p.root[j]) continue;
      m.limit_excess = std::max({m.limit_excess, x[j] - dofs[j]->upper, dofs[j]->lower - x[j]});
    }
  }
  m.velocity_jump = p.velocity_jump(motion.duration());
  return m;
}

}  // namespace legwork
