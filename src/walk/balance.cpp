#include "walk/balance.h"

#include <algorithm>
#include <cmath>

#include "math/curves.h"
#include "math/real.h"
#include "math/rotation.h"
#include "math/small.h"
#include "walk/stance_load.h"

namespace legwork {

namespace {

// Feedback in units of the pendulum that the standing body is: rates of root(gravity / height).
constexpr double upright_rate = 2.4, height_rate = 2.2, side_rate = 1, forward_rate = 0.9;
constexpr double damping_ratio = 0.7;
constexpr double grip = 0.8;                  // share of the friction that planned forces use
constexpr double turn_arm = 0.15;             // heights: how much a foot's turn counts beside its place
constexpr double early = 0.6;                 // share of a step from which a touch is a touch-down
constexpr double touch_share = 0.02;          // share of the weight from which a foot counts as standing
constexpr double reach_down = 0.4;            // heights a second: how fast a foot reaches for late ground
constexpr double deepest = 0.15;              // heights: how far below the expected ground it reaches
constexpr double most_droop = 0.3;            // rad: how far the toes of a stepping foot droop
constexpr double quickest = 5;                // rad in the time of a fall: fastest turn of a joint
constexpr double far = 0.35;                  // heights: how far feedback sets a foot aside at most
constexpr double wait = 0.7, wait_aside = 3;  // falls: how fast the goal gives way to the body
constexpr double range_margin = 0.02;         // share of a joint's range kept free at its ends
constexpr int most_dofs = 24;                 // degrees of freedom of a leg
constexpr double damp = 3e-4, loose = 0.1;  // how far place and level give way, over the sum of squared moves

using Six = Numbers<6>;  // a foot's place and turn
double dot(const Six& a, const Six& b) {
  double sum = 0;
  for (size_t r = 0; r < 6; ++r) sum += a[r] * b[r];
  return sum;
}
void add(Six& a, const Six& b, double times) {
  for (size_t r = 0; r < 6; ++r) a[r] += b[r] * times;
}

double slope(double u) { return u > 0 && u < 1 ? 6 * u * (1 - u) : 0; }

Vec3d limited(const Vec3d& v, double most) {
  const double n = norm(v);
  return n > most ? v * (most / n) : v;
}

Mat3d about_z(double angle) {
  double s, c;
  sin_cos(angle, s, c);
  Mat3d R;
  R(0, 0) = c, R(0, 1) = -s, R(0, 2) = 0;
  R(1, 0) = s, R(1, 1) = c, R(1, 2) = 0;
  R(2, 0) = 0, R(2, 1) = 0, R(2, 2) = 1;
  return R;
}

// The turn that leads from one to the other, world axes, times its sine over its angle.
Vec3d turn_between(const Mat3d& from, const Mat3d& to) {
  Vec3d sum;
  for (int k = 0; k < 3; ++k)
    sum += cross(Vec3d(from(0, k), from(1, k), from(2, k)), Vec3d(to(0, k), to(1, k), to(2, k)));
  return sum * 0.5;
}

// A leg near its aim: foot + sum of columns * moves, each joint with where it would rather go and its range.
struct Bend {
  size_t n = 0;
  Six miss{}, ahead{};  // error of place and turn; the wanted velocity
  Six column[most_dofs];
  double home[most_dofs], least[most_dofs], most[most_dofs];  // moves: to the standing posture; the range
  double move[most_dofs], speed[most_dofs];                   // what comes out
};

// One solution, damped; joints that would leave their range stop there. Returns whether any did.
bool solve_once(Bend& b) {
  Six left = b.miss;
  std::array<Six, 6> N{};
  for (size_t k = 0; k < b.n; ++k) {
    add(left, b.column[k], -b.home[k]);
    for (size_t r = 0; r < 6; ++r) add(N[r], b.column[k], b.column[k][r]);
  }
  const double place_ease = damp * (N[0][0] + N[1][1] + N[2][2]) + 1e-12;
  const double turn_ease = loose * (N[3][3] + N[4][4]) + 1e-12;
  for (size_t r = 0; r < 6; ++r) N[r][r] += r < 3 ? place_ease : turn_ease;
  const SmallCholesky<6> factor(N);
  const Six push = factor.solve(left), lead = factor.solve(b.ahead);
  bool stopped = false;
  for (size_t k = 0; k < b.n; ++k) {
    b.move[k] = b.home[k] + dot(b.column[k], push), b.speed[k] = dot(b.column[k], lead);
    if (b.move[k] >= b.least[k] && b.move[k] <= b.most[k]) continue;
    b.move[k] = std::clamp(b.move[k], b.least[k], b.most[k]);
    if (b.column[k] == Six{}) continue;
    add(b.miss, b.column[k], -b.move[k]);
    b.column[k] = {}, b.home[k] = b.move[k], stopped = true;
  }
  return stopped;
}

}  // namespace

Poise::Poise(const System<double>& system, const WalkBody& body)
    : system_(&system), body_(&body), w_(system.model) {
  const Model<double>& m = system.model;
  const Creature& c = system.world.body;
  root_ = body.trunk;
  while (m.parent[size_t(root_)] >= 0) root_ = m.parent[size_t(root_)];
  const Screw<double>& free = m.screws[size_t(m.screw_begin[size_t(root_)])];
  root_q_ = free.q, root_v_ = free.v;
  stand_q_ = c.pose("stand");
  stand_x_.assign(size_t(m.nv), 0);
  joint_positions(system.joints, stand_q_.data(), stand_x_.data());
  q_ = stand_q_;
  v_ = tau_ = qdd_ = rate_ = stand_x_;
  update_positions(m, stand_q_.data(), w_);
  upright_ = w_.R[size_t(root_)];
  yaw_ = atan2(upright_(1, 0), upright_(0, 0));
  mass_ = total_mass(m);
  weight_ = mass_ * std::max(norm(m.gravity), 1e-3);
  for (const WalkLeg& leg : body.legs) {
    Limb limb;
    limb.flat = w_.R[size_t(leg.foot)];
    limb.home = point_position(w_, leg.foot, leg.sole) - w_.p[size_t(root_)];
    for (size_t s = 0; s < system.contacts.sites.size(); ++s) {
      int link = system.contacts.sites[s].link;
      while (link >= 0 && link != leg.foot) link = m.parent[size_t(link)];
      if (link == leg.foot) limb.points.push_back(int(s));
    }
    limb.broad = limb.points.size() > 1 && leg.dofs.size() >= 5;
    height_ -= limb.home.z / double(body.legs.size());
    limbs_.push_back(limb);
  }
  // strokes stay within the joints' ranges, but for what stands outside
  for (size_t d = 0; d < stand_x_.size(); ++d) {
    const double low = system.joints.lower[d], high = system.joints.upper[d];
    const double free = high - low < 1e6 ? range_margin * (high - low) : 0;
    lower_.push_back(std::min(low + free, stand_x_[d])), upper_.push_back(std::max(high - free, stand_x_[d]));
  }
  fall_ = std::sqrt(height_ * mass_ / weight_);
  points_.resize(system.contacts.sites.size());
  sites_.resize(system.contacts.sites.size());
  soles_.resize(limbs_.size());
  parts_.assign(limbs_.size(), 1.0);
}

void Poise::start(const Simulation<double>& sim, PoiseState& state) const {
  const Mat3d& R = sim.w.R[size_t(root_)];
  state.yaw = atan2(R(1, 0), R(0, 0)) - yaw_;
  state.goal = sim.w.p[size_t(root_)];
  state.x = stand_x_;
  state.force.assign(points_.size(), {});
  state.legs.assign(limbs_.size(), {});
  for (size_t i = 0; i < limbs_.size(); ++i) {
    PoisedLeg& leg = state.legs[i];
    leg.planted = leg.left = point_position(sim.w, body_->legs[i].foot, body_->legs[i].sole);
    leg.since = -1e3;
  }
}

// The goal goes ahead at the wanted speed and waits for the body.
void Poise::lead_goal(const Simulation<double>& sim, const PoiseCommand& command, double dt,
                      PoiseState& state) {
  const Vec3d root = sim.w.p[size_t(root_)];
  const Mat3d heading = about_z(state.yaw);
  goal_velocity_ = heading * Vec3d(command.speed, 0, 0);
  const Vec3d behind = transpose_times(heading, root - state.goal);
  const Vec3d give{behind.x * std::min(dt / (wait * fall_), 1.0),
                   behind.y * std::min(dt / (wait_aside * fall_), 1.0), 0};
  state.goal += goal_velocity_ * dt + heading * give;
  for (size_t i = 0; i < limbs_.size(); ++i) soles_[i] = state.legs[i].planted;
  ground_ = fit_plane(soles_, parts_);
  state.goal.z = ground_.at(state.goal.x, state.goal.y) + height_;
  state.yaw += command.turn * dt;
  state.yaw += std::clamp(command.heading - yaw_ - state.yaw, -dt / fall_, dt / fall_);
  goal_turn_ = about_z(state.yaw) * upright_;
}

// A step's way: from where it left the ground to where it will stand.
Poise::Aim Poise::swing(size_t i, const Simulation<double>& sim, double share, double length,
                        const PoiseCommand& command, const PoiseState& state) const {
  const PoisedLeg& leg = state.legs[i];
  const Vec3d root = sim.w.p[size_t(root_)], v = mean_.velocity;
  const Vec3d drift = v - goal_velocity_;
  const Mat3d heading = about_z(state.yaw);
  const double left = std::max(1 - share, 0.0) * length;
  Vec3d aside = drift * fall_ + (root - state.goal) * 0.5;
  aside.z = 0;
  Vec3d to = root + v * left + heading * limbs_[i].home + goal_velocity_ * (0.5 * command.stance) +
             limited(aside, far * height_);
  const double u = smooth_step(share);
  Aim aim;
  aim.place = leg.left + (to - leg.left) * u;
  aim.velocity = (to - leg.left) * (slope(share) / length);
  const double ground = ground_.at(aim.place.x, aim.place.y);
  const double arc = share < 1 ? 16 * share * share * (1 - share) * (1 - share) : 0;
  const double rising = share < 1 ? 32 * share * (1 - share) * (1 - 2 * share) / length : 0;
  aim.place.z = ground + body_->lift * arc;
  aim.velocity.z = body_->lift * rising;
  if (share > 1) {
    const double late = reach_down * height_ * (share - 1) * length;
    aim.place.z -= std::min(late, deepest * height_);
    aim.velocity.z = late < deepest * height_ ? -reach_down * height_ : 0;
  }
  aim.droop = most_droop * (share < 0.6 ? smooth_step(share / 0.3) * smooth_step((0.6 - share) / 0.3) : 0);
  return aim;
}

void Poise::move_feet(const Simulation<double>& sim, const GaitState& gait, const std::vector<double>& load,
                      const std::vector<char>& lost, const PoiseCommand& command, PoiseState& state) {
  const double now = sim.state.time, dt = sim.options.dt;
  const Vec3d root = sim.w.p[size_t(root_)];
  const Mat3d& turn = sim.w.R[size_t(root_)];
  for (size_t i = 0; i < limbs_.size(); ++i) {
    PoisedLeg& leg = state.legs[i];
    const bool stepping = gait.mode[i] == LegMode::step || lost[i];
    const double length = stepping ? gait.length[i] : leg.step;
    const double share = (now - leg.lifted) / std::max(length, 1e-9);
    const Vec3d at = point_position(sim.w, body_->legs[i].foot, body_->legs[i].sole);
    const bool touches = load[i] > touch_share * weight_;
    if (stepping && leg.stands && (now - leg.since > 0.5 * length)) {
      // off it goes
      leg.stands = false, leg.left = at, leg.lifted = now, leg.step = length;
      continue;
    }
    if (!leg.stands && touches && share > early) leg.stands = true, leg.since = now, leg.planted = at;
    if (leg.stands) {
      const double u = smooth_step((now - leg.since) / (0.2 * std::max(command.stance, 1e-9)));
      if (now - leg.since < 0.1 * command.stance && touches) leg.planted = at;
      // a foot that came down on its edge, or was lifted by the body's sway, feels for the ground
      if (!touches && leg.planted.z > at.z - deepest * height_) leg.planted.z -= reach_down * height_ * dt;
      const Vec3d led = root + (state.goal - root) * u;
      const Vec3d tip = turn_between(turn, goal_turn_);
      const Mat3d led_turn = u < 1 ? matrix(rotation_quaternion(tip * u)) * turn : goal_turn_;
      bend_leg(i, led, led_turn, {leg.planted, {}, 0}, goal_velocity_, dt, state);
    } else {
      bend_leg(i, root, turn, swing(i, sim, share, length, command, state), mean_.velocity, dt, state);
    }
  }
}

// The body as it stands, but for the leg's present posture and the root's place.
void Poise::pose_leg(const WalkLeg& leg, const Vec3d& root, const Mat3d& turn, const PoiseState& state) {
  std::fill(v_.begin(), v_.end(), 0.0);
  for (const int d : leg.dofs) v_[size_t(d)] = state.x[size_t(d)] - stand_x_[size_t(d)];
  integrate_positions(system_->model, stand_q_.data(), v_.data(), 1.0, q_.data());
  const Quatd r = quaternion(turn);
  const double place[7] = {root.x, root.y, root.z, r.w, r.x, r.y, r.z};
  std::copy(place, place + 7, q_.begin() + root_q_);
  update_positions(system_->model, q_.data(), w_);
}

// A round of Newton's method: joints that bring the foot to its aim with the root there and all else
// standing, as near to the standing posture as they can; and how fast they move with the foot.
void Poise::bend_leg(size_t i, const Vec3d& root, const Mat3d& turn, const Aim& aim,
                     const Vec3d& root_velocity, double dt, PoiseState& state) {
  const WalkLeg& leg = body_->legs[i];
  pose_leg(leg, root, turn, state);
  const Vec3d at = point_position(w_, leg.foot, leg.sole);
  const double arm = limbs_[i].broad ? turn_arm * height_ : 0;
  const Vec3d up = w_.R[size_t(leg.foot)] * transpose_times(limbs_[i].flat, Vec3d(0, 0, 1));
  double s, c;
  sin_cos(aim.droop, s, c);
  const Vec3d tip = cross(up, about_z(state.yaw) * Vec3d(s, 0, c));
  const Vec3d miss = limited(aim.place - at, 0.2 * height_);
  const Vec3d velocity = aim.velocity - root_velocity;
  Bend b;
  b.n = leg.dofs.size();
  b.miss = {miss.x, miss.y, miss.z, arm * tip.x, arm * tip.y, 0};
  b.ahead = {velocity.x, velocity.y, velocity.z, 0, 0, 0};
  for (size_t k = 0; k < b.n; ++k) {
    const size_t d = size_t(leg.dofs[k]);
    const Twist<double>& S = w_.S[d];
    const Vec3d v = S.lin + cross(S.ang, at - w_.p[size_t(system_->model.link_of_dof[d])]);
    b.column[k] = {v.x, v.y, v.z, arm * S.ang.x, arm * S.ang.y, 0};
    b.home[k] = -v_[d];
    b.least[k] = lower_[d] - state.x[d], b.most[k] = upper_[d] - state.x[d];
  }
  // the others do without joints that have stopped
  for (int round = 0; round < 3; ++round)
    if (!solve_once(b)) break;
  const double quick = quickest * dt / fall_;
  for (size_t k = 0; k < b.n; ++k) {
    const size_t d = size_t(leg.dofs[k]);
    state.x[d] += std::clamp(0.5 * b.move[k], -quick, quick);
    rate_[d] = std::clamp(b.speed[k], -quickest / fall_, quickest / fall_);
  }
}

// Accelerations that are wanted of the body as a whole, and the wrench at the root, world axes, that gives
// them.
Wrench<double> Poise::wanted_wrench(const Simulation<double>& sim, const PoiseState& state) {
  const Model<double>& m = system_->model;
  const Vec3d root = sim.w.p[size_t(root_)];
  const Mat3d& R = sim.w.R[size_t(root_)];
  const double w0 = 1 / fall_;
  const Mat3d heading = about_z(state.yaw);
  const Vec3d lag = transpose_times(heading, state.goal - root);
  const Vec3d slow = transpose_times(heading, goal_velocity_ - mean_.velocity);
  const auto spring = [&](double rate, double x, double v) {
    const double w = rate * w0;
    return w * w * x + 2 * damping_ratio * w * v;
  };
  const Vec3d push = heading * Vec3d(forward_rate * w0 * slow.x, spring(side_rate, lag.y, slow.y),
                                     spring(height_rate, lag.z, slow.z));
  const Vec3d tip = turn_between(R, goal_turn_);
  const double wu = upright_rate * w0;
  const Vec3d right = tip * (wu * wu) - mean_.spin * (2 * damping_ratio * wu);
  const Vec3d right_link = transpose_times(R, right);
  std::fill(qdd_.begin(), qdd_.end(), 0.0);
  for (int k = 0; k < 3; ++k)
    qdd_[size_t(root_v_ + k)] = push[k], qdd_[size_t(root_v_ + 3 + k)] = right_link[k];
  update_positions(m, sim.state.q.data(), w_);
  update_velocities(m, sim.state.q.data(), sim.state.v.data(), w_);
  clear_forces(m, w_);
  inverse_dynamics(m, qdd_.data(), w_, tau_.data());
  const double* t = &tau_[size_t(root_v_)];
  return {R * Vec3d(t[3], t[4], t[5]), {t[0], t[1], t[2]}};
}

// Fills points_ with what stands on the ground, and returns how many those are.
int Poise::gather_points(const Vec3d& root, const std::vector<char>& lost, PoiseState& state) {
  int count = 0;
  for (size_t i = 0; i < limbs_.size(); ++i)
    for (const int p : limbs_[i].points) {
      const ContactSite<double>& site = system_->contacts.sites[size_t(p)];
      if (!state.legs[i].stands || lost[i]) {
        state.force[size_t(p)] = {};
        continue;
      }
      const Vec3d x = point_position(w_, site.link, site.pos);
      const Vec3d normal = sample(system_->world.terrain, x.x, x.y).normal;
      sites_[size_t(count)] = p;
      points_[size_t(count++)] = {x - normal * site.radius - root, normal, state.force[size_t(p)]};
    }
  return count;
}

// Ground forces that give the wanted accelerations, and the torques that are left for the joints.
void Poise::support(const Simulation<double>& sim, const std::vector<char>& lost, PoiseState& state) {
  const Model<double>& m = system_->model;
  const Vec3d root = sim.w.p[size_t(root_)];
  const Wrench<double> wanted = wanted_wrench(sim, state);
  const int count = gather_points(root, lost, state);
  share_wrench(wanted, weight_, height_, grip * system_->contacts.options.friction, points_.data(), count);
  for (int i = 0; i < count; ++i) {
    const int p = sites_[size_t(i)];
    const Vec3d f = points_[size_t(i)].force, at = root + points_[size_t(i)].arm;
    state.force[size_t(p)] = f;
    for (int link = system_->contacts.sites[size_t(p)].link; link >= 0; link = m.parent[size_t(link)])
      for (int j = m.dof_begin[size_t(link)]; j < m.dof_begin[size_t(link) + 1]; ++j) {
        const Twist<double>& S = w_.S[size_t(j)];
        tau_[size_t(j)] -= dot(f, S.lin + cross(S.ang, at - w_.p[size_t(link)]));
      }
  }
}

void Poise::control(Simulation<double>& sim, const GaitState& gait, const std::vector<double>& load,
                    const std::vector<char>& lost, const PoiseCommand& command, PoiseState& state) {
  const JointForces<double>& joints = system_->joints;
  mean_ = mean_motion(system_->model, sim.w);
  std::fill(rate_.begin(), rate_.end(), 0.0);
  lead_goal(sim, command, sim.options.dt, state);
  move_feet(sim, gait, load, lost, command, state);
  support(sim, lost, state);
  Drive<double>& drive = sim.state.drive;
  for (size_t d = 0; d < tau_.size(); ++d) {
    if (int(d) >= root_v_ && int(d) < root_v_ + 6) continue;
    const double torque = tau_[d] + joints.damper[d] * rate_[d];
    const bool sprung = joints.has_spring[d] || joints.has_exponential[d];
    drive.rest[d] = state.x[d] + (sprung ? spring_bend(joints, int(d), torque) : 0);
    drive.tau[d] = sprung ? 0 : torque;
  }
}

}  // namespace legwork
