#include "modes/balance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "dynamics/whole_body.h"
#include "math/curves.h"
#include "math/rotation.h"
#include "modes/coordinates.h"
#include "modes/modal_leg.h"

namespace legwork {

namespace {

constexpr int samples = 240;           // samples of a cycle
constexpr double grip = 0.8;           // share of the friction that planned forces use
constexpr double damping_ratio = 0.7;  // damping of the feedback that turns and lifts the root
constexpr double early = 0.6;          // share of the swing from which a touch is a touch-down
constexpr double reach = 1;            // hip heights a second: how fast a foot reaches down for late ground
constexpr double far = 0.35;           // hip heights: farthest that feedback puts a foot

// About z alone.
Quatd heading_of(const Quatd& q) {
  const double n = sqrt(q.w * q.w + q.z * q.z);
  return n > 1e-6 ? Quatd{q.w / n, 0, 0, q.z / n} : Quatd{1, 0, 0, 0};
}
Vec3d limited(const Vec3d& v, double most) {
  const double n = norm(v);
  return n > most ? v * (most / n) : v;
}

// One instant of the gait; the root's way forward is taken out.
struct Sample {
  std::vector<double> x, rate;  // joint coordinates, nv
  Place root;
  Vec3d velocity;           // velocity of the root beyond its mean speed
  std::vector<Vec3d> foot;  // where each leg's point is, relative to the root, world axes
};

struct LegState {
  explicit LegState(ModalLeg leg) : bent(std::move(leg)) {}

  ModalLeg bent;
  std::vector<int> points;       // contact sites of the foot and beyond
  Mat3d flat;                    // the foot's orientation when it stands, its heading 0
  double begin = 0, length = 0;  // beginning and length of the stance, shares of the cycle
  bool touches = false;          // any of its points, in late swing or stance
  bool stood = false;
  Vec3d planted;    // where its point stands, world
  Vec3d residual;   // error of the foot's place when it left the ground
  Vec3d offset;     // foot placement
  double down = 0;  // cycles, when it came down
};

class Balancer {
 public:
  Balancer(const System<double>& system, const Modes& modes, const Limbs& limbs, PlantedGait& gait,
           const BalanceOptions& options)
      : system_(system), limbs_(limbs), options_(options), w_(system.model), free_(system.model, limbs.root) {
    const Model<double>& m = system.model;
    mass_ = total_mass(m);
    gravity_ = norm(system.world.gravity);
    speed_ = gait.speed();
    period_ = 1 / options.hz;
    root_ = root_dofs(system.world.body);
    q_.resize(size_t(m.nq));
    tau_.resize(size_t(m.nv)), qdd_.resize(size_t(m.nv));
    force_.resize(system.contacts.sites.size());
    make_legs(modes, gait);
    make_table(modes, gait);
  }

  // Configuration and velocity where the cycle begins, at x = 0.
  void start(std::vector<double>& q, std::vector<double>& v);
  void control(const Simulation<double>& sim, Drive<double>& drive);

  double height() const { return table_[0].root.p.z; }

 private:
  double since_touch_down(const LegState& leg, double cycle) const { return fraction(cycle - leg.begin); }
  Vec3d foot_point(const Workspace<double>& w, size_t leg) const {
    return point_position(w, limbs_.legs[leg].foot, limbs_.legs[leg].point);
  }

  void make_legs(const Modes& modes, PlantedGait& gait);
  void make_table(const Modes& modes, PlantedGait& gait);
  void soften();
  void look_up(double cycle);
  void place_feet(const Simulation<double>& sim, double cycle);
  void support(const Simulation<double>& sim, Drive<double>& drive);

  const System<double>& system_;
  const Limbs& limbs_;
  const BalanceOptions& options_;
  Workspace<double> w_;
  FreeRoot free_;
  std::vector<char> root_;
  std::vector<LegState> legs_;
  std::vector<Sample> table_;
  Sample now_;
  Place goal_;  // where the root should be: height and turn are the gait's; it is led along in the plane
  Vec3d goal_velocity_;
  std::vector<double> q_, tau_, qdd_;
  std::vector<Vec3d> force_;  // planned, per contact site
  double mass_ = 0, gravity_ = 0, speed_ = 0, period_ = 1;
};

void Balancer::make_legs(const Modes& modes, PlantedGait& gait) {
  const Creature& c = system_.world.body;
  for (size_t l = 0; l < limbs_.legs.size(); ++l) {
    const LimbLeg& limb = limbs_.legs[l];
    LegState leg(
        ModalLeg(system_.model, system_.joints, modes, limb, free_, limbs_.hip_height, options_.modes));
    for (size_t p = 0; p < c.contacts.size(); ++p)
      if (is_below(c, c.contacts[p].link, limb.foot)) leg.points.push_back(int(p));
    // stance by the gait's own clock
    int first = 0, down = 0;
    for (int i = 0; i < samples; ++i) {
      const bool now = gait.stance(int(l), period_ * (4 + (i + 0.5) / samples)),
                 before = gait.stance(int(l), period_ * (4 + (i - 0.5) / samples));
      if (now && !before) first = i;
      down += now;
    }
    leg.begin = double(first) / samples, leg.length = double(down) / samples;
    legs_.push_back(std::move(leg));
  }
}

// One cycle of the gait once it has settled; feet stand level, and come down level.
void Balancer::make_table(const Modes& modes, PlantedGait& gait) {
  const Model<double>& m = system_.model;
  update_positions(m, modes.q0.data(), w_);
  for (size_t l = 0; l < legs_.size(); ++l) legs_[l].flat = w_.R[size_t(limbs_.legs[l].foot)];
  table_.resize(samples);
  for (int i = 0; i < samples; ++i) {
    const double time = period_ * (4 + double(i) / samples);
    gait.at(time, q_.data());
    Sample& s = table_[size_t(i)];
    s.x.assign(size_t(m.nv), 0.0), s.rate = s.x;
    joint_positions(system_.joints, q_.data(), s.x.data());
    update_positions(m, q_.data(), w_);
    s.root = free_.place(q_.data());
    for (size_t l = 0; l < legs_.size(); ++l) s.foot.push_back(foot_point(w_, l) - s.root.p);
    s.root.p.x = 0;
  }
  soften();
  for (int i = 0; i < samples; ++i) {
    Sample& s = table_[size_t(i)];
    for (size_t l = 0; l < legs_.size(); ++l) {
      LegState& leg = legs_[l];
      const double u = since_touch_down(leg, double(i) / samples), swing = 1 - leg.length;
      const double flatness = u < leg.length ? 1
                                             : std::max(smooth_step(1 - (u - leg.length) / (0.35 * swing)),
                                                        smooth_step((u - 1 + 0.45 * swing) / (0.4 * swing)));
      leg.bent.bend(s.x, s.root, s.root.p + s.foot[l], leg.flat, flatness, 15);
      leg.bent.add_offset(s.x);
      leg.bent.straighten();
    }
  }
  soften();
  const double h = period_ / samples;
  const auto at = [&](int i) -> const Sample& { return table_[size_t((i + samples) % samples)]; };
  for (int i = 0; i < samples; ++i) {
    Sample& s = table_[size_t(i)];
    for (size_t j = 0; j < s.x.size(); ++j)
      if (!root_[j]) s.rate[j] = (at(i + 2).x[j] - at(i - 2).x[j]) / (4 * h);
    s.velocity = (at(i + 2).root.p - at(i - 2).root.p) * (1 / (4 * h));
  }
  now_ = table_[0];
}

// Takes corners out of the cycle: averages over a fortieth of it, three times.
void Balancer::soften() {
  constexpr int half = samples / 80;
  std::vector<double> row(samples);
  const auto soften = [&](auto&& value) {
    for (int n = 0; n < 3; ++n) {
      for (int i = 0; i < samples; ++i) {
        double sum = 0;
        for (int k = -half; k <= half; ++k) sum += value(table_[size_t((i + k + samples) % samples)]);
        row[size_t(i)] = sum / (2 * half + 1);
      }
      for (int i = 0; i < samples; ++i) value(table_[size_t(i)]) = row[size_t(i)];
    }
  };
  for (size_t j = 0; j < table_[0].x.size(); ++j)
    if (!root_[j]) soften([&](Sample& s) -> double& { return s.x[j]; });
  for (int k = 0; k < 3; ++k) {
    soften([&](Sample& s) -> double& { return s.root.p[k]; });
    for (size_t l = 0; l < legs_.size(); ++l) soften([&](Sample& s) -> double& { return s.foot[l][k]; });
  }
}

// Fills now_.
void Balancer::look_up(double cycle) {
  const double u = fraction(cycle) * samples;
  const int i = std::min(int(u), samples - 1);
  const double b = u - i, a = 1 - b;
  const Sample &s = table_[size_t(i)], &t = table_[size_t((i + 1) % samples)];
  for (size_t j = 0; j < s.x.size(); ++j) {
    now_.x[j] = a * s.x[j] + b * t.x[j];
    now_.rate[j] = a * s.rate[j] + b * t.rate[j];
  }
  now_.root = between(s.root, t.root, b);
  now_.velocity = s.velocity * a + t.velocity * b;
  for (size_t l = 0; l < legs_.size(); ++l) now_.foot[l] = s.foot[l] * a + t.foot[l] * b;
}

void Balancer::start(std::vector<double>& q, std::vector<double>& v) {
  const Model<double>& m = system_.model;
  look_up(0);
  q.assign(size_t(m.nq), 0.0), v.assign(size_t(m.nv), 0.0);
  set_positions(system_.joints, now_.x.data(), q.data());
  free_.put(now_.root, q.data());
  velocities_of_rates(system_.joints, now_.x.data(), now_.rate.data(), v.data());
  for (int j = 0; j < 6; ++j) v[size_t(free_.v + j)] = 0;
  v[size_t(free_.v)] = speed_;
  goal_ = now_.root;
  for (size_t l = 0; l < legs_.size(); ++l) {
    legs_[l].stood = since_touch_down(legs_[l], 0) < legs_[l].length;
    legs_[l].planted = goal_.p + now_.foot[l];
    legs_[l].down = -1;
  }
}

// Where each foot is to go now, and its leg bent for it.
void Balancer::place_feet(const Simulation<double>& sim, double cycle) {
  const Place root = free_.place(sim.state.q.data());
  const Vec3d com_velocity = linear_momentum(system_.model, sim.w) * (1 / mass_);
  const Quatd heading = heading_of(root.turn);
  const Mat3d H = matrix(heading);
  const Vec3d drift = com_velocity - goal_velocity_;
  const double capture = options_.capture * sqrt(std::max(root.p.z, 1e-3) / gravity_);
  for (size_t l = 0; l < legs_.size(); ++l) {
    LegState& leg = legs_[l];
    const double u = since_touch_down(leg, cycle), swing = 1 - leg.length;
    const double s = (u - leg.length) / swing;  // share of the swing, below 0 in stance
    leg.touches = false;
    if (s < 0 || s > early)
      for (const int p : leg.points)
        leg.touches = leg.touches || sim.ground_contacts[size_t(p)].touching != 0;
    // once down it stands until its stance ends; before, it reaches for the ground
    const bool stands = leg.touches || (s < 0 && leg.stood);
    const Vec3d at = foot_point(sim.w, l);
    if (stands) {
      if (!leg.stood) leg.down = cycle;
      const double since = (cycle - leg.down) / leg.length;
      if (since < 0.1) leg.planted = at;
      const Place led = between(root, goal_, smooth_step(since / 0.2));
      leg.bent.bend(now_.x, led, leg.planted, H * leg.flat, 1, 1);
    } else {
      const Vec3d aim = {capture * drift.x, capture * drift.y + 0.5 * (root.p.y - goal_.p.y), 0};
      if (s > 0 && s < 0.9) leg.offset = limited(aim, far * limbs_.hip_height);
      Vec3d foot = root.p + H * now_.foot[l] + leg.offset * (s < 0 ? 1 : smooth_step(s / 0.7));
      foot.z = now_.root.p.z + now_.foot[l].z - (s < 0 ? reach * u * period_ * limbs_.hip_height : 0);
      if (leg.stood) leg.residual = at - foot;
      const Vec3d fade = s < 0 ? Vec3d() : leg.residual * (1 - smooth_step(s / 0.5));
      const double flatness = s < 0 ? 1 : std::max(smooth_step(1 - s / 0.35), smooth_step((s - 0.55) / 0.4));
      leg.bent.bend(now_.x, root, foot + fade, H * leg.flat, flatness, 1);
    }
    leg.stood = stands;
  }
}

// Floating-base inverse dynamics: accelerations that are wanted, ground forces that give the root's share of
// them, and the torques that are left for the joints.
void Balancer::support(const Simulation<double>& sim, Drive<double>& drive) {
  const Model<double>& m = system_.model;
  const double* q = sim.state.q.data();
  const double* v = sim.state.v.data();
  const Place root = free_.place(q);
  const Mat3d& R = sim.w.R[size_t(limbs_.root)];
  const MeanMotion mean = mean_motion(m, sim.w);
  const Vec3d lag = goal_.p - root.p, slow = goal_velocity_ - mean.velocity;
  const BalanceOptions& o = options_;
  const Vec3d push{o.forward * slow.x, o.sideways * lag.y + 2 * sqrt(o.sideways) * damping_ratio * slow.y,
                   o.height * lag.z + 2 * sqrt(o.height) * damping_ratio * slow.z};
  const Vec3d right =
      turn_between(root.turn, goal_.turn) * o.upright - mean.spin * (2 * sqrt(o.upright) * damping_ratio);
  const Vec3d right_link = transpose_times(R, right);
  std::fill(qdd_.begin(), qdd_.end(), 0.0);
  for (int k = 0; k < 3; ++k)
    qdd_[size_t(free_.v + k)] = push[k], qdd_[size_t(free_.v + 3 + k)] = right_link[k];
  update_positions(m, q, w_);
  update_velocities(m, q, v, w_);
  clear_forces(m, w_);
  inverse_dynamics(m, qdd_.data(), w_, tau_.data());

  const Vec3d moment =
      R * Vec3d(tau_[size_t(free_.v + 3)], tau_[size_t(free_.v + 4)], tau_[size_t(free_.v + 5)]);
  const Wrench<double> want{moment,
                            {tau_[size_t(free_.v)], tau_[size_t(free_.v + 1)], tau_[size_t(free_.v + 2)]}};
  std::array<SupportPoint, 64> points;
  std::array<int, 64> sites;
  int count = 0;
  for (const LegState& leg : legs_) {
    for (const int p : leg.points) {
      if (count < int(points.size()) && leg.stood) {
        const ContactSite<double>& site = system_.contacts.sites[size_t(p)];
        Vec3d x = point_position(w_, site.link, site.pos);
        x.z -= site.radius;
        sites[size_t(count)] = p;
        points[size_t(count++)] = {x - root.p, {0, 0, 1}, force_[size_t(p)]};
      } else {
        force_[size_t(p)] = {};
      }
    }
  }
  share_wrench(want, mass_ * gravity_, limbs_.hip_height, grip * system_.contacts.options.friction,
               points.data(), count);

  for (size_t j = 0; j < tau_.size(); ++j) drive.tau[j] = root_[j] ? 0 : tau_[j];
  for (int i = 0; i < count; ++i) {
    const int site = sites[size_t(i)];
    const Vec3d f = points[size_t(i)].force, at = root.p + points[size_t(i)].arm;
    force_[size_t(site)] = f;
    for (int link = system_.contacts.sites[size_t(site)].link; link >= 0; link = m.parent[size_t(link)])
      for (int j = m.dof_begin[size_t(link)]; j < m.dof_begin[size_t(link) + 1]; ++j)
        if (!root_[size_t(j)]) {
          const Twist<double>& S = w_.S[size_t(j)];
          drive.tau[size_t(j)] -= dot(f, S.lin + cross(S.ang, at - w_.p[size_t(link)]));
        }
  }
}

void Balancer::control(const Simulation<double>& sim, Drive<double>& drive) {
  const double cycle = sim.state.time / period_, dt = sim.options.dt;
  look_up(cycle);
  // the goal goes ahead at the gait's speed and waits for the body
  const Place root = free_.place(sim.state.q.data());
  goal_velocity_ = {speed_ + now_.velocity.x, now_.velocity.y, now_.velocity.z};
  goal_.p.x += dt * (goal_velocity_.x + (root.p.x - goal_.p.x) / 0.15);
  goal_.p.y = now_.root.p.y, goal_.p.z = now_.root.p.z;
  goal_.turn = now_.root.turn;
  place_feet(sim, cycle);
  support(sim, drive);
  for (size_t j = 0; j < drive.rest.size(); ++j) {
    if (root_[j]) continue;
    drive.rest[j] = now_.x[j];
    drive.tau[j] += system_.joints.damper[j] * now_.rate[j];
  }
  for (const LegState& leg : legs_) leg.bent.add_offset(drive.rest);
}

void check(const World& world, const Limbs& limbs) {
  const Creature& c = world.body;
  if (world.terrain.type != TerrainType::plane)
    throw Error(c.where, c.name, "is balanced on level ground only", "leave --terrain out, or --balance");
  if (limbs.legs.size() < 2)
    throw Error(c.where, c.name, "has too few legs to balance on", "give it [[leg]] entries");
  const std::vector<Joint>& joints = c.links[size_t(limbs.root)].joints;
  if (joints.size() != 1 || joints[0].type != JointType::free)
    throw Error(c.where, "link '" + c.links[size_t(limbs.root)].name + "'",
                "does not move freely, so there is nothing to balance", "leave --balance out");
}

}  // namespace

Motion balance(const World& world, const Modes& modes, const Limbs& limbs, PlantedGait& gait,
               const BalanceOptions& options, StepOptions& step) {
  check(world, limbs);
  World sprung = world;
  std::vector<double> k = modes.stiffness;
  for (double& value : k) value *= options.stiffness;
  sprung.body = with_springs(world.body, modes.q0, k, {0, options.damping});
  const System<double> system = make_system(sprung);
  step = choose_step(system, world.integrator.empty() ? "implicit" : world.integrator, world.dt, 0);
  Simulation<double> sim(system, step);
  Balancer balancer(system, modes, limbs, gait, options);
  std::vector<double> q, v;
  balancer.start(q, v);
  sim.reset(q, v);
  sim.pushes = world.pushes;
  sim.controller = [&](const Simulation<double>& s, Drive<double>& drive) { balancer.control(s, drive); };
  const size_t root = size_t(limbs.root);
  bool fell = false;
  Motion motion = run(sim, options.seconds, world.rate, [&](const Simulation<double>& s) {
    fell = s.w.p[root].z < 0.6 * balancer.height() || s.w.R[root](2, 2) < 0.5;
    return !fell && (!options.watch || options.watch(s));
  });
  if (fell) {
    motion.status = Status::fell;
    motion.status_time = sim.state.time;
    motion.status_text = "fell at " + to_text(std::round(sim.state.time * 100) / 100) + " s";
  }
  step = sim.options;
  return motion;
}

}  // namespace legwork
