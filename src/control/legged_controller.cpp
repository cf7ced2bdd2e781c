#include "control/legged_controller.h"

#include <algorithm>
#include <cmath>

#include "control/controller_parts.h"
#include "control/inverse_kinematics.h"
#include "dynamics/whole_body.h"
#include "ground/terrain.h"
#include "math/rotation.h"

namespace legwork {

using namespace controller;

namespace {

constexpr double shortest_horizon = 4;  // 1/w
constexpr double ramp_up = 0.12;        // g: how fast the speed changes
constexpr double leaping_ramp = 0.04;   // g: the same where the gait has flight
constexpr double wait = 1.5;            // 1/w: how fast the straight path gives way to where the body is
constexpr double catch_up = 6;          // 1/w: how fast a lasting lack of speed is made up for
constexpr double body_rate = 2.5, body_damping = 0.9;  // of the trunk's turning, w
// Where the gait has flight, the turning of all masses together is damped more than the trunk's own: who
// leaps is to leave the ground without turning, but for what its gait turns in the mean of some cycles.
constexpr double leaping_damping = 1.4, as_a_whole = 0.7, turns_over = 3;
constexpr double height_rate = 2.5, height_damping = 0.9;  // of its height, w
constexpr double posture_rate = 5;                         // of neck, tail, arms, w
constexpr double swing_rate = 8;                           // of the feet on their paths, w
constexpr double foot_turn_rate = 8;
constexpr double stance_drag = 10;  // w: how standing feet resist slipping
constexpr double load_ramp = 0.15;  // 1/w over which a foot takes its load
constexpr double friction_used = 0.8;

}  // namespace

LeggedController::LeggedController(const LeggedBody& body)
    : body_(&body), whole_(body), w_(body.system->model), x_(size_t(body.system->model.nv)) {
  const Model<double>& m = body.system->model;
  update_positions(m, body.q.data(), w_);
  for (const LimbOfBody& leg : body.legs) {
    std::vector<Vec3d> corners;
    const Vec3d middle = point_position(w_, leg.foot, leg.sole);
    for (const int s : leg.sites) {
      const ContactSite<double>& site = body.system->contacts.sites[size_t(s)];
      Vec3d out = point_position(w_, site.link, site.pos) - middle;
      out.z = 0;
      corners.push_back(out);
    }
    corners_.push_back(corners);
  }
  hulls_.resize(horizon_nodes), nodes_.resize(horizon_nodes + 1);
  predicted_.resize(horizon_nodes + 1), drift_.resize(horizon_nodes + 1);
  feet_.resize(body.legs.size());
  task_.posture.assign(x_.size(), 0);
  look_.x = body.x, look_.rate.assign(x_.size(), 0), look_.trunk = body.upright;
  state.legs.resize(body.legs.size());
  state.there.assign(body.legs.size(), 1);
  friction = body.system->contacts.options.friction;
}

void LeggedController::start(double time, const std::vector<double>& q, double yaw, const Terrain& terrain) {
  const LeggedBody& b = *body_;
  const std::vector<double> v(size_t(b.system->model.nv), 0);
  sense(q, v);
  state.time = time;
  state.yaw = yaw;
  state.anchor = state.xi_ref = level(com_);
  state.still = 0, state.walks = false, state.clock = 0, state.speed = 0;
  state.ground = fit_ground(b, terrain, com_, yaw);
  state.crouch = std::max(state.ground.height + b.height - com_.z, 0.0);
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    leg = {};
    leg.since = time - 1e3 / b.rate;
    leg.place = point_position(w_, b.legs[i].foot, b.legs[i].sole) - Vec3d(0, 0, b.legs[i].ankle);
  }
  state.tilt = rotation_vector(quaternion(trunk_tilt(b, state.ground, yaw)));
  if (footfalls) start_moving();
}

void LeggedController::sense(const std::vector<double>& q, const std::vector<double>& v) {
  const LeggedBody& b = *body_;
  const Model<double>& m = b.system->model;
  update_positions(m, q.data(), w_);
  update_velocities(m, q.data(), v.data(), w_);
  joint_positions(b.system->joints, q.data(), x_.data());
  com_ = center_of_mass(m, w_);
  com_velocity_ = linear_momentum(m, w_) * (1 / b.mass);
  state.xi = level(com_) + level(com_velocity_) * (1 / rate_now());
}

void LeggedController::prepare_bounce() {
  if (bounced_.swing == schedule.swing && bounced_.duty == schedule.duty &&
      bounced_.offset == schedule.offset)
    return;
  bounced_ = schedule;
  bounce_ = Bounce(schedule, state.there, body_->height, body_->gravity);
}

// 1/s^2: how strongly the centre of mass is pushed from its point of pressure.
double LeggedController::pull_now() const {
  return bounces() ? bounce_.at(state.clock).pull : body_->rate * body_->rate;
}

// By what factor an error of xi grows from a node to the next.
double LeggedController::growth(int k) const {
  if (!bounces()) return exp(body_->rate * node_);
  const double part = node_ / schedule.cycle();
  return bounce_.growth(state.clock + k * part, state.clock + (k + 1) * part);
}

// The straight path goes ahead and gives way to where the body is.
void LeggedController::lead(double dt, const LegCommand& command) {
  if (footfalls) return lead_along(dt);
  const LeggedBody& b = *body_;
  const double most = (bounce_.flies() ? leaping_ramp : ramp_up) * b.gravity * dt;
  const bool going = state.walks && state.time >= state.begin;
  // what is lost on the way is asked for on top
  double sine, cosine;
  sin_cos(state.yaw, sine, cosine);
  const double forward = com_velocity_.x * cosine + com_velocity_.y * sine;
  if (going && state.time > state.begin + catch_up / b.rate) {
    state.boost += (command.speed - forward) * std::min(dt * b.rate / catch_up, 1.0);
    state.boost = std::clamp(state.boost, -0.2 * command.speed, 0.6 * command.speed);
  }
  const double wanted = going && command.speed > 0 ? command.speed + state.boost : 0;
  state.speed += std::clamp(wanted - state.speed, -most, most);
  if (going) state.yaw += command.turn * dt;
  double s, c;
  sin_cos(state.yaw, s, c);
  const double give = std::min(dt * b.rate / wait, 1.0);
  state.anchor = state.anchor + Vec2{c, s} * (state.speed * dt) + (state.xi - state.xi_ref) * give;
  if (!state.walks) {
    // over the middle of the feet
    Polygon feet;
    for (size_t i = 0; i < b.legs.size(); ++i)
      if (state.legs[i].stands && state.there[i]) add_sole(feet, i, state.legs[i].place, com_);
    feet.close(0.1 * b.height);
    state.anchor = feet.nearest(state.anchor);
  }
}

// The ground under the body.
void LeggedController::feel_ground(double dt, const Terrain& terrain) {
  const LeggedBody& b = *body_;
  const GroundPlane plane = fit_ground(b, terrain, com_, state.yaw);
  const double part = std::min(2 * b.rate * dt, 1.0);
  state.ground.x += (plane.x - state.ground.x) * part;
  state.ground.y += (plane.y - state.ground.y) * part;
  // what is smoothed goes along with the body
  const double climb = state.ground.x * com_velocity_.x + state.ground.y * com_velocity_.y;
  state.ground.height += climb * dt + (plane.height - state.ground.height) * std::min(3 * b.rate * dt, 1.0);
  state.tilt = rotation_vector(quaternion(trunk_tilt(b, state.ground, state.yaw)));
  // no leg that stands is stretched
  double crouch = 0;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    if (!state.legs[i].stands || !state.there[i]) continue;
    const LimbOfBody& leg = b.legs[i];
    const Vec3d out = point_position(w_, leg.foot, leg.sole) - w_.p[size_t(leg.hip)];
    const double far = norm(out), most = 0.96 * leg.reach;
    if (far > most) crouch = std::max(crouch, (far - most) * far / std::max(std::fabs(out.z), 0.3 * far));
  }
  crouch = std::min(std::max(crouch * 2, state.crouch * (stretch_ > 0) + stretch_), b.lowest);
  const double quick = crouch > state.crouch ? 4 : 0.5;
  state.crouch += (crouch - state.crouch) * std::min(quick * b.rate * dt, 1.0);
}

Vec2 LeggedController::nominal(size_t i, double touch_time) const {
  if (footfalls) return later_foothold(i, touch_time, 1);
  double s, c;
  const double yaw = state.yaw;
  sin_cos(yaw, s, c);
  const Vec3d home = body_->legs[i].home + state.shift + lean(*body_, state.ground, yaw);
  const double ahead = state.speed * (touch_time + 0.5 * schedule.stance());
  return state.anchor + Vec2{c * (home.x + ahead) - s * home.y, s * (home.x + ahead) + c * home.y};
}

// The corners of a sole on the level that lies h below the centre of mass, along the lines through it.
void LeggedController::add_sole(Polygon& feet, size_t i, const Vec3d& place, const Vec3d& com) const {
  const double h = body_->height, down = std::max(com.z - place.z, 0.3 * h);
  double s, c;
  sin_cos(state.yaw, s, c);
  for (const Vec3d& out : corners_[i]) {
    const double x = place.x + c * out.x - s * out.y - com.x, y = place.y + s * out.x + c * out.y - com.y;
    feet.add(level({com.x + x * h / down, com.y + y * h / down, 0}));
  }
}

// Where xi must be, node by node, backwards.
void LeggedController::preview() {
  const LeggedBody& b = *body_;
  const double C = footfalls ? 0 : schedule.swing > 0 ? schedule.cycle() : 0;
  const double horizon = std::max(2 * C, shortest_horizon / b.rate);
  node_ = horizon / horizon_nodes;
  double s, c;
  sin_cos(state.yaw, s, c);
  const Vec2 v = Vec2{c, s} * state.speed;
  for (int k = 0; k < horizon_nodes; ++k) {
    const double ahead = (k + 0.5) * node_;
    const Vec2 path = footfalls ? path_ahead(ahead) : state.anchor + v * ahead;
    Polygon& feet = hulls_[size_t(k)];
    feet.clear();
    for (size_t i = 0; i < b.legs.size(); ++i) {
      int step;
      if (!stands_at(i, ahead, step)) continue;
      Vec3d place = state.legs[i].place;
      Vec3d com(path.x, path.y, state.ground.at(com_, path.x, path.y) + b.height);
      const bool settled = !state.legs[i].stands && until_landing(i) < freeze / b.rate;
      if (step > (settled ? 1 : 0)) {
        // later footholds: as the schedule has them, on the straight path, level with it
        const Vec2 at = later_foothold(i, ahead, step);
        place = {at.x, at.y, state.ground.at(com_, at.x, at.y)};
      }
      add_sole(feet, i, place, com);
    }
    feet.close(inset * b.height);
    nodes_[size_t(k)].p = feet.empty() ? path : feet.nearest(path);
  }
  const double rate = bounces() ? bounce_.at(state.clock + horizon / C).rate : b.rate;
  const double fixed = exp(-b.rate * node_);
  const Vec2 end = footfalls ? path_ahead(horizon) : state.anchor + v * horizon;
  const Vec2 at_end = footfalls ? (end - path_ahead(horizon - node_)) * (1 / node_) : v;
  nodes_[horizon_nodes].xi = end + at_end * (1 / rate);
  for (int k = horizon_nodes; k-- > 0;) {
    const double decay = bounces() ? 1 / growth(k) : fixed;
    nodes_[size_t(k)].xi = nodes_[size_t(k)].p + (nodes_[size_t(k) + 1].xi - nodes_[size_t(k)].p) * decay;
  }
}

// The point of pressure now, and what will become of xi with it.
void LeggedController::press(const Terrain& terrain) {
  const LeggedBody& b = *body_;
  now_.clear();
  for (size_t i = 0; i < b.legs.size(); ++i)
    if (state.legs[i].stands && state.legs[i].holds && state.there[i]) {
      // the corners that are on the ground
      const std::vector<int>& sites = b.legs[i].sites;
      for (const int s : sites) {
        const ContactSite<double>& site = b.system->contacts.sites[size_t(s)];
        const Vec3d at = point_position(w_, site.link, site.pos);
        const GroundSample g = sample(terrain, at.x, at.y);
        if (sites.size() > 1 && at.z - site.radius - g.height > lifted_corner * b.height) continue;
        const double down = std::max(com_.z - at.z + site.radius, 0.3 * b.height);
        now_.add(level(com_) + (level(at) - level(com_)) * (b.height / down));
      }
    }
  now_.close(0.5 * inset * b.height);
  state.xi_ref = nodes_[0].xi, state.p_ref = nodes_[0].p;
  const Vec2 error = state.xi - state.xi_ref;
  const Vec2 asked = state.p_ref + error * (1 + kappa);
  state.p = now_.empty() ? level(com_) : now_.nearest(asked);
  // foretell
  Vec2 xi = state.xi, com = level(com_);
  for (int k = 0; k < horizon_nodes; ++k) {
    predicted_[size_t(k)] = xi, drift_[size_t(k)] = com;
    const Vec2 wish = nodes_[size_t(k)].p + (xi - nodes_[size_t(k)].xi) * (1 + kappa);
    const Polygon& feet = hulls_[size_t(k)];
    const Vec2 p = feet.empty() ? com : feet.nearest(wish);
    const double rate = bounces() ? bounce_.at(state.clock + k * node_ / schedule.cycle()).rate : b.rate;
    com = com + (xi - com) * std::min(rate * node_, 1.0);
    xi = p + (xi - p) * growth(k);
  }
  predicted_[horizon_nodes] = xi, drift_[horizon_nodes] = com;
}

void LeggedController::move_body(const Terrain& terrain, const std::vector<double>& v) {
  const LeggedBody& b = *body_;
  const double w = b.rate;
  const Mat3d heading = about_z(state.yaw);
  // the feet
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LegState& leg = state.legs[i];
    const LimbOfBody& limb = b.legs[i];
    FootTask& foot = feet_[i];
    foot = {};
    const Vec3d at = point_position(w_, limb.foot, limb.sole);
    const Vec3d velocity = point_velocity(w_, limb.foot, limb.sole);
    const Vec3d spin = w_.vel[size_t(limb.foot)].ang;
    foot.arm = limb.dofs.size() > 3 ? std::min(3 * limb.size, 0.3 * b.height) : 0;
    if (leg.stands) {
      foot.bears = leg.holds;
      const double since = (state.time - leg.since) * w;
      const double leaves = until_lifting(i) * w;
      foot.ease = 1 - std::clamp(std::min(since, leaves) / load_ramp, 0.0, 1.0);
      foot.acceleration = velocity * (-stance_drag * w);
      if (!leg.holds)
        foot.acceleration.z =
            -stance_drag * w * (velocity.z + searching_speed * std::sqrt(b.gravity * b.height));
      foot.turning = spin * (-stance_drag * w);
      continue;
    }
    if (!state.there[i]) {
      // a lost leg is drawn up below its hip
      const Vec3d up = w_.p[size_t(limb.hip)] + Vec3d(0, 0, -0.5 * limb.reach);
      foot.acceleration = (up - at) * (9 * w * w) - velocity * (6 * w);
      foot.arm = 0;
      continue;
    }
    const double k = swing_rate * w;
    foot.acceleration = leg.acceleration + (leg.aim - at) * (k * k) + (leg.velocity - velocity) * (2 * k);
    const GroundSample g = sample(terrain, leg.place.x, leg.place.y);
    const Mat3d flat =
        matrix(rotation_quaternion(cross(Vec3d(0, 0, 1), g.normal))) * heading * axes_in_swing(i);
    const double kt = foot_turn_rate * w;
    foot.turning = turn_between(w_.R[size_t(limb.foot)], flat) * (kt * kt) - spin * (2 * kt);
  }
  // the body
  const Vec2 pull = (level(com_) - state.p) * pull_now();
  const double kz = height_rate * w;
  const double z = state.ground.height + b.height - state.crouch + look_.rise;
  const double climb = state.ground.x * com_velocity_.x + state.ground.y * com_velocity_.y + look_.climb;
  const double up = std::clamp(kz * kz * (z - com_.z) + 2 * height_damping * kz * (climb - com_velocity_.z),
                               -0.5 * b.gravity, 0.7 * b.gravity) +
                    look_.up;
  task_.acceleration = {pull.x, pull.y, up};
  const Mat3d goal = matrix(rotation_quaternion(state.tilt)) * heading * look_.trunk;
  const Mat3d& R = w_.R[size_t(b.root)];
  const double kb = body_rate * w;
  Vec3d spin = w_.vel[size_t(b.root)].ang - heading * look_.spin;
  if (bounces()) {
    const Vec3d whole = mean_motion(b.system->model, w_).spin;
    state.turns += (whole - state.turns) * std::min(control_dt_ / (turns_over * schedule.cycle()), 1.0);
    spin = spin * (1 - as_a_whole) + (whole - state.turns) * as_a_whole;
  }
  task_.turning =
      turn_between(R, goal) * (kb * kb) - spin * (2 * (bounces() ? leaping_damping : body_damping) * kb);
  const double kp = posture_rate * w;
  for (size_t d = 0; d < x_.size(); ++d)
    task_.posture[d] = kp * kp * (look_.x[d] - x_[d]) - 2 * kp * (v[d] - look_.rate[d]);
  task_.friction = friction_used * friction;
  whole_.solve(terrain, feet_, task_, x_, v, w_);
}

Vec3d LeggedController::lacking() const {
  Vec3d given;
  for (const Vec3d& force : whole_.force) given += force;
  return (task_.acceleration - body_->system->model.gravity) * body_->mass - given;
}

// What stands in the way, for those who ask why it fell.
void LeggedController::note_limits(double dt) {
  const LeggedBody& b = *body_;
  const double part = std::min(dt * b.rate / 2, 1.0);
  bool weak = false, slips = false;
  for (size_t d = 0; d < x_.size(); ++d)
    weak = weak || (std::fabs(whole_.tau[d]) >= b.most_torque[d] && whole_.tau[d] != 0);
  for (size_t i = 0; i < b.legs.size(); ++i)
    slips = slips || (state.legs[i].stands && state.legs[i].holds &&
                      norm(point_velocity(w_, b.legs[i].foot, b.legs[i].sole)) >
                          0.1 * std::sqrt(b.gravity * b.height));
  state.weak += (weak - state.weak) * part;
  state.slipping += (slips - state.slipping) * part;
  state.short_of += ((stretch_ > 0.02 * b.height) - state.short_of) * part;
}

void LeggedController::update(double time, const std::vector<double>& q, const std::vector<double>& v,
                              const std::vector<double>& load, const Terrain& terrain,
                              const LegCommand& command) {
  const double dt = time - state.time;
  control_dt_ = dt;
  state.time = time;
  prepare_bounce();
  sense(q, v);
  exchange_feet(load, dt, terrain, command.speed == 0 && command.turn == 0);
  lead(dt, command);
  feel_ground(dt, terrain);
  take_on_style(dt);
  preview();
  press(terrain);
  choose_footholds(terrain);
  swing_feet(dt, terrain, command);
  move_body(terrain, v);
  note_limits(dt);
}

}  // namespace legwork
