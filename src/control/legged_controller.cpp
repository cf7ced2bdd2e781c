#include "control/legged_controller.h"

#include <algorithm>
#include <cmath>

#include "control/inverse_kinematics.h"
#include "dynamics/whole_body.h"
#include "ground/terrain.h"
#include "math/rotation.h"

namespace legwork {

namespace {

constexpr int horizon_nodes = 40;
constexpr double shortest_horizon = 4;  // 1/w
constexpr double kappa = 1.5;           // how much faster than it grows an error of xi shrinks
constexpr double inset = 0.04;          // h: pressure stays this far inside the hull
constexpr double ramp_up = 0.15;        // g: how fast the speed changes
constexpr double wait = 1.5;            // 1/w: how fast the straight path gives way to where the body is
constexpr double catch_up = 6;          // 1/w: how fast a lasting lack of speed is made up for
constexpr double settle = 0.5;          // 1/w that it stands before it shifts its weight
constexpr double shift_time = 2.5;      // 1/w in which it shifts its weight before the first leg lifts
constexpr double body_rate = 2.5, body_damping = 0.9;      // of the trunk's turning, w
constexpr double height_rate = 2.5, height_damping = 0.9;  // of its height, w
constexpr double posture_rate = 5;                         // of neck, tail, arms, w
constexpr double swing_rate = 8;                           // of the feet on their paths, w
constexpr double foot_turn_rate = 8;
constexpr double stance_drag = 10;          // w: how standing feet resist slipping
constexpr double touch = 0.04;              // weights shared by all legs: a load that counts as a touch
constexpr double landing_speed = 0.1;       // sqrt(g h)
constexpr double searching_speed = 0.3;     // sqrt(g h): of a foot that has not found the ground in time
constexpr double longest_step_aside = 0.5;  // h
constexpr double least_gap = 0.12;          // h between feet
constexpr double load_ramp = 0.15;          // 1/w over which a foot takes its load
constexpr double edge_distance = 0.06, edge_height = 0.04;  // h: feet keep away from edges higher than this
constexpr double freeze = 0.15;      // 1/w before landing from which a foothold is kept
constexpr double lost_touch = 0.05;  // 1/w without load after which a standing foot feels for the ground
constexpr double friction_used = 0.8;

Mat3d about_z(double yaw) { return matrix(rotation_quaternion(Vec3d(0, 0, yaw))); }
Vec2 level(const Vec3d& v) { return {v.x, v.y}; }
// A polynomial of order five from x, v, a to its end in time T: its acceleration's rate now is what moves the
// aim.
struct Quintic {
  double c3, c4, c5;
  Quintic(double x, double v, double a, double to, double to_v, double T) {
    const double d = to - x - v * T - 0.5 * a * T * T, dv = (to_v - v - a * T) * T, da = (0 - a) * T * T;
    c3 = (10 * d - 4 * dv + 0.5 * da) / (T * T * T);
    c4 = (-15 * d + 7 * dv - da) / (T * T * T * T);
    c5 = (6 * d - 3 * dv + 0.5 * da) / (T * T * T * T * T);
  }
  void advance(double t, double& x, double& v, double& a) const {
    const double x0 = x, v0 = v, a0 = a;
    x = x0 + t * (v0 + t * (0.5 * a0 + t * (c3 + t * (c4 + t * c5))));
    v = v0 + t * (a0 + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)));
    a = a0 + t * (6 * c3 + t * (12 * c4 + t * 20 * c5));
  }
};

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
  state.legs.resize(body.legs.size());
  state.there.assign(body.legs.size(), 1);
  friction = body.system->contacts.options.friction;
}

void LeggedController::start(double time, const std::vector<double>& q, double yaw, const Terrain& terrain) {
  const LeggedBody& b = *body_;
  const std::vector<double> v(size_t(b.system->model.nv), 0);
  look(q, v);
  state.time = time;
  state.yaw = yaw;
  state.anchor = state.xi_ref = level(com_);
  state.still = 0, state.walks = false, state.clock = 0, state.speed = 0;
  state.ground = fit_ground(b, terrain, com_, yaw);
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    leg = {};
    leg.since = time - 1e3 / b.rate;
    leg.place = point_position(w_, b.legs[i].foot, b.legs[i].sole) - Vec3d(0, 0, b.legs[i].ankle);
  }
  state.tilt = rotation_vector(quaternion(trunk_tilt(b, state.ground, yaw)));
}

void LeggedController::lose(int leg) {
  state.there[size_t(leg)] = 0;
  state.legs[size_t(leg)].stands = false;
  schedule = choose_schedule(*body_, schedule.speed, schedule.swing, state.there);
}

void LeggedController::look(const std::vector<double>& q, const std::vector<double>& v) {
  const LeggedBody& b = *body_;
  const Model<double>& m = b.system->model;
  update_positions(m, q.data(), w_);
  update_velocities(m, q.data(), v.data(), w_);
  joint_positions(b.system->joints, q.data(), x_.data());
  com_ = center_of_mass(m, w_);
  com_velocity_ = linear_momentum(m, w_) * (1 / b.mass);
  state.xi = level(com_) + level(com_velocity_) * (1 / b.rate);
}

// The straight path goes ahead and gives way to where the body is.
void LeggedController::lead(double dt, const LegCommand& command) {
  const LeggedBody& b = *body_;
  const double most = ramp_up * b.gravity * dt;
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

// The ground under the body as its feet tell it.
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
  crouch = std::min(std::max(crouch * 2, state.crouch * (stretch_ > 0) + stretch_), 0.3 * b.height);
  const double quick = crouch > state.crouch ? 4 : 0.5;
  state.crouch += (crouch - state.crouch) * std::min(quick * b.rate * dt, 1.0);
}

double LeggedController::until_landing(size_t i) const {
  const LegState& leg = state.legs[i];
  return std::max(leg.since + leg.length - state.time, 0.0);
}

double LeggedController::until_lifting(size_t i) const {
  if (!state.walks) return 1e300;
  const double waits = std::max(state.begin - state.time, 0.0);
  if (waits > 0) return waits + (1 - schedule.phase(i, state.clock)) * schedule.cycle();
  const double phase = schedule.phase(i, state.clock);
  // in its window of swing and still down: it came down early, or is about to go
  const double window = 1 - schedule.duty;
  if (phase < window) {
    const bool early = state.time - state.legs[i].since < 0.6 * schedule.cycle() || state.legs[i].waits;
    return early ? (1 - phase) * schedule.cycle() : 0;
  }
  return (1 - phase) * schedule.cycle();
}

// Whether the leg stands some time ahead; step: how many steps from now, 0 = where it is.
bool LeggedController::stands_at(size_t i, double ahead, int& step) const {
  const double C = schedule.cycle(), T = schedule.swing;
  step = 0;
  if (!state.there[i]) return false;
  double t = ahead;
  if (state.legs[i].stands) {
    const double lifts = until_lifting(i);
    if (t < lifts) return true;
    t -= lifts;
  } else {
    const double lands = std::max(until_landing(i), 1e-3 / body_->rate);
    if (t < lands) return false;
    t -= lands;
    step = 1;
    // lands, stands, lifts at the schedule's time
    const double phase = schedule.phase(i, state.clock + lands / C);
    const double stays = (1 - phase) * C;
    if (t < stays || !state.walks) return true;
    t -= stays;
  }
  // t since a lift-off
  const double turns = std::floor(t / C);
  step += int(turns);
  t -= turns * C;
  if (t < T) return false;
  ++step;
  return true;
}

Vec2 LeggedController::nominal(size_t i, double touch_time) const {
  double s, c;
  const double yaw = state.yaw;
  sin_cos(yaw, s, c);
  const Vec3d home = body_->legs[i].home;
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
    feet.add({com.x + x * h / down, com.y + y * h / down});
  }
}

// The clock's time at which a gait begins best: just before a leg lifts whose lifting moves the pressure
// least.
double LeggedController::first_lift() const {
  const LeggedBody& b = *body_;
  double best = 0, least = 1e300;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    if (!state.there[i]) continue;
    const double clock = 1 - schedule.offset[i] + 1e-9;
    Polygon feet;
    for (size_t j = 0; j < b.legs.size(); ++j)
      if (state.there[j] && schedule.phase(j, clock + 0.02) >= 1 - schedule.duty)
        feet.add({b.legs[j].home.x, b.legs[j].home.y});
    feet.close(0);
    const double far = feet.empty() ? 1e100 : norm(feet.nearest({0, 0}));
    if (far < least - 1e-9 * b.height) least = far, best = clock;
  }
  return best;
}

// Whether the body would tip without the leg.
bool LeggedController::leans_on(size_t leg) const {
  const LeggedBody& b = *body_;
  Polygon feet;
  for (size_t j = 0; j < b.legs.size(); ++j)
    if (j != leg && state.there[j] && state.legs[j].stands && state.legs[j].holds)
      add_sole(feet, j, state.legs[j].place, com_);
  feet.close(0);
  return feet.empty() || feet.margin(level(com_)) < -0.02 * b.height;
}

void LeggedController::exchange_feet(const std::vector<double>& load, double dt, const Terrain& terrain,
                                     bool idle) {
  const LeggedBody& b = *body_;
  bool late = false;
  int standing = 0, there = 0;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (!state.there[i]) continue;
    ++there;
    if (!leg.stands) {
      const double since = state.time - leg.since;
      const bool touches = load[i] > touch * b.weight / double(b.legs.size());
      // something in the way: over it
      if (load[i] > 3 * touch * b.weight / double(b.legs.size()) && since > 0.15 * leg.length &&
          since < 0.55 * leg.length && leg.raise == 0) {
        leg.raise = 0.12 * b.height;
        leg.raised = 0.2 * leg.length;
        leg.length += leg.raised;
      }
      leg.late = since > leg.length;
      if (touches && since > 0.6 * leg.length) {
        leg.stands = true, leg.since = state.time, leg.late = false;
        leg.place = point_position(w_, b.legs[i].foot, b.legs[i].sole) - Vec3d(0, 0, b.legs[i].ankle);
      }
    }
    if (leg.stands) {
      const Vec3d at = point_position(w_, b.legs[i].foot, b.legs[i].sole);
      const double gap = at.z - b.legs[i].ankle - sample(terrain, at.x, at.y).height;
      double planned = 0;
      for (const int site : b.legs[i].sites) planned += norm(whole_.force[size_t(site)]);
      if (load[i] > 1e-4 * b.weight + 0.05 * planned || (planned < 0.01 * b.weight && gap < 0.005 * b.height))
        leg.felt = state.time;
      leg.holds = state.time - std::max(leg.felt, leg.since) < lost_touch / b.rate;
    }
    standing += leg.stands && leg.holds;
    late = late || leg.late;
  }
  if (!state.walks) {
    state.still += dt;
    if (state.still < settle / b.rate || idle || !(schedule.swing > 0)) return;
    state.walks = true;
    state.begin = state.time + shift_time / b.rate;
    // just before the first leg lifts
    state.clock = first_lift() - 0.01;
    // legs that would be in the middle of their step stay down until their next
    for (size_t i = 0; i < b.legs.size(); ++i)
      if (schedule.phase(i, state.clock) < 1 - schedule.duty) state.legs[i].waits = true;
  }
  if (state.time < state.begin) return;
  // nothing to do, and quiet on all feet: it stands
  if (idle && standing == there && state.speed < 0.02 * std::sqrt(b.gravity * b.height) &&
      norm(state.xi - state.xi_ref) < 0.05 * b.height) {
    state.walks = false, state.still = 0;
    return;
  }
  // legs that are due
  bool held = false;
  for (size_t i = 0; i < b.legs.size(); ++i)
    if (schedule.phase(i, state.clock) >= 1 - schedule.duty) state.legs[i].waits = false;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (!state.there[i] || !leg.stands || until_lifting(i) > 0) continue;
    if (leg.holds && (standing <= 1 || (late && leans_on(i)))) {
      held = true;
      continue;
    }
    const double phase = schedule.phase(i, state.clock);
    leg.stands = false, leg.late = false;
    leg.since = state.time;
    leg.length = std::max((1 - schedule.duty - phase) * schedule.cycle(), 0.7 * schedule.swing);
    leg.left = point_position(w_, b.legs[i].foot, b.legs[i].sole);
    leg.aim = leg.left;
    leg.velocity = leg.acceleration = {};
    leg.raise = leg.raised = 0;
    standing -= leg.holds;
  }
  if (!held) state.clock += dt / schedule.cycle();
}

// Where xi must be, node by node, backwards.
void LeggedController::preview(const Terrain& terrain) {
  const LeggedBody& b = *body_;
  const double C = schedule.swing > 0 ? schedule.cycle() : 0;
  const double horizon = std::max(2 * C, shortest_horizon / b.rate);
  node_ = horizon / horizon_nodes;
  double s, c;
  sin_cos(state.yaw, s, c);
  const Vec2 v = Vec2{c, s} * state.speed;
  for (int k = 0; k < horizon_nodes; ++k) {
    const double ahead = (k + 0.5) * node_;
    const Vec2 path = state.anchor + v * ahead;
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
        const double first = state.legs[i].stands ? until_lifting(i) + schedule.swing : until_landing(i);
        const double lands = first + (step - 1) * C;
        const Vec2 at = nominal(i, lands);
        place = {at.x, at.y, state.ground.at(com_, at.x, at.y)};
      }
      add_sole(feet, i, place, com);
    }
    feet.close(inset * b.height);
    nodes_[size_t(k)].p = feet.empty() ? path : feet.nearest(path);
  }
  (void)terrain;
  const double decay = exp(-b.rate * node_);
  const Vec2 end = state.anchor + v * horizon;
  nodes_[horizon_nodes].xi = end + v * (1 / b.rate);
  for (int k = horizon_nodes; k-- > 0;)
    nodes_[size_t(k)].xi = nodes_[size_t(k)].p + (nodes_[size_t(k) + 1].xi - nodes_[size_t(k)].p) * decay;
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
  const double grow = exp(b.rate * node_);
  Vec2 xi = state.xi, com = level(com_);
  for (int k = 0; k < horizon_nodes; ++k) {
    predicted_[size_t(k)] = xi, drift_[size_t(k)] = com;
    const Vec2 wish = nodes_[size_t(k)].p + (xi - nodes_[size_t(k)].xi) * (1 + kappa);
    const Polygon& feet = hulls_[size_t(k)];
    const Vec2 p = feet.empty() ? com : feet.nearest(wish);
    com = com + (xi - com) * std::min(b.rate * node_, 1.0);
    xi = p + (xi - p) * grow;
  }
  predicted_[horizon_nodes] = xi, drift_[horizon_nodes] = com;
}

// The place nearest to a foothold where the ground does not break off under the sole: edges are told from
// slopes by how the heights on opposite sides differ from the middle's.
Vec2 LeggedController::clear_of_edges(size_t i, const Vec2& at, const Terrain& terrain) const {
  const LeggedBody& b = *body_;
  if (terrain.type == TerrainType::plane || terrain.type == TerrainType::slope ||
      terrain.type == TerrainType::none)
    return at;
  const double h = b.height, r = edge_distance * h + b.legs[i].size + b.legs[i].ankle;
  double s, c;
  sin_cos(state.yaw, s, c);
  const Vec2 ahead{c, s}, left{-s, c};
  const auto height = [&](const Vec2& p) { return sample(terrain, p.x, p.y).height; };
  const auto edge = [&](const Vec2& p) {
    const double z = 2 * height(p);
    return std::max(std::fabs(height(p + ahead * r) + height(p - ahead * r) - z),
                    std::fabs(height(p + left * r) + height(p - left * r) - z));
  };
  const double here = edge(at);
  if (here < edge_height * h) return at;
  Vec2 best = at;
  double least = here / h + 0.0;
  for (int j = -6; j <= 6; ++j)
    for (int k = -2; k <= 2; ++k) {
      const Vec2 p = at + ahead * (0.05 * h * j) + left * (0.05 * h * k);
      const double e = std::max(edge(p) - edge_height * h, 0.0) / h;
      const double cost = 3 * e + 0.05 * (std::abs(j) + std::abs(k)) * 0.5;
      if (j == -6 && k == -2) least = 3 * std::max(here - edge_height * h, 0.0) / h;
      if (cost < least) least = cost, best = p;
    }
  return best;
}

// On the ground, within reach, clear of other feet.
Vec3d LeggedController::settle_foothold(size_t i, Vec2 at, double touch_time, const Terrain& terrain) {
  const LeggedBody& b = *body_;
  const LimbOfBody& leg = b.legs[i];
  const Mat3d heading = about_z(state.yaw);
  // no nearer to another foot, along the line between their homes, than the gap
  for (size_t j = 0; j < b.legs.size(); ++j) {
    if (j == i || !state.there[j]) continue;
    const Vec3d apart = leg.home - b.legs[j].home;
    const double far = norm(apart);
    if (far < 1e-6 * b.height) continue;
    const Vec3d u = heading * apart * (1 / far);
    const double gap = std::min(0.5 * far, least_gap * b.height + 0.7 * (leg.size + b.legs[j].size));
    const Vec2 other = level(state.legs[j].place);
    const double now = dot(at - other, {u.x, u.y});
    const double across = norm(at - other - Vec2{u.x, u.y} * now);
    if (now < gap && across < 2 * gap) at = at + Vec2{u.x, u.y} * (gap - now);
  }
  at = clear_of_edges(i, at, terrain);
  // within reach of the hip at touch-down
  const int k = std::clamp(int(touch_time / node_), 0, horizon_nodes);
  const Mat3d R = matrix(rotation_quaternion(state.tilt)) * heading * b.upright;
  const Vec3d hip = R * leg.hip_point - heading * b.com;
  const Vec2 below = drift_[size_t(k)] + Vec2{hip.x, hip.y};
  const double height = hip.z + state.ground.at(com_, below.x, below.y) + b.height - state.crouch;
  GroundSample g = sample(terrain, at.x, at.y);
  const double down = height - g.height - leg.ankle;
  const double reach = 0.97 * leg.reach;
  const double far = std::sqrt(std::max(reach * reach - down * down, 0.01 * reach * reach));
  // a longer step needs a lower hip
  const double asked = std::min(norm(at - below), 0.9 * reach);
  if (asked > far) stretch_ = std::max(stretch_, down - std::sqrt(reach * reach - asked * asked));
  at = below + limited(at - below, far);
  g = sample(terrain, at.x, at.y);
  return {at.x, at.y, g.height};
}

void LeggedController::choose_footholds(const Terrain& terrain) {
  const LeggedBody& b = *body_;
  stretch_ = 0;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (leg.stands || !state.there[i]) continue;
    const double lands = until_landing(i);
    if (lands < freeze / b.rate) continue;
    const double at_node = std::min(lands / node_, horizon_nodes - 1.0);
    const size_t k = size_t(at_node);
    const double u = at_node - double(k);
    const Vec2 xi = predicted_[k] + (predicted_[k + 1] - predicted_[k]) * u;
    const Vec2 ref = nodes_[k].xi + (nodes_[k + 1].xi - nodes_[k].xi) * u;
    const Vec2 aside = limited(xi - ref, longest_step_aside * b.height);
    leg.place = settle_foothold(i, nominal(i, lands) + aside, lands, terrain);
  }
}

void LeggedController::swing_feet(double dt, const Terrain& terrain, const LegCommand& command) {
  const LeggedBody& b = *body_;
  const double unit = std::sqrt(b.gravity * b.height);
  const double high = command.lift > 0 ? command.lift : usual_lift * b.height;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (leg.stands || !state.there[i]) continue;
    const double since = state.time - leg.since, left = leg.length - since;
    const double ankle = b.legs[i].ankle;
    // the highest ground on the way
    double top = std::max(leg.left.z - ankle, leg.place.z);
    for (int k = 1; k < 8; ++k) {
      const double u = k / 8.0;
      top = std::max(top, sample(terrain, leg.left.x + (leg.place.x - leg.left.x) * u,
                                 leg.left.y + (leg.place.y - leg.left.y) * u)
                              .height);
    }
    leg.apex = top + high + ankle + leg.raise;
    // steep ways up rise first, steep ways down sink last
    const double steps_up = std::clamp((top + ankle - leg.left.z) / (0.2 * b.height), 0.0, 1.0);
    const double steps_down = std::clamp((top - leg.place.z) / (0.2 * b.height), 0.0, 1.0);
    const double rise_end = (0.45 + 0.15 * steps_down) * leg.length + leg.raised;
    const double level_from = 0.3 * steps_up * leg.length;
    if (left > 0.02 * leg.length) {
      if (since >= level_from) {
        const double ends = std::max(left - 0.15 * steps_down * leg.length, 0.02 * leg.length);
        Quintic x(leg.aim.x, leg.velocity.x, leg.acceleration.x, leg.place.x, 0, ends);
        Quintic y(leg.aim.y, leg.velocity.y, leg.acceleration.y, leg.place.y, 0, ends);
        x.advance(std::min(dt, ends), leg.aim.x, leg.velocity.x, leg.acceleration.x);
        y.advance(std::min(dt, ends), leg.aim.y, leg.velocity.y, leg.acceleration.y);
      }
      if (since < rise_end - 0.02 * leg.length) {
        Quintic z(leg.aim.z, leg.velocity.z, leg.acceleration.z, leg.apex, 0, rise_end - since);
        z.advance(dt, leg.aim.z, leg.velocity.z, leg.acceleration.z);
      } else {
        Quintic z(leg.aim.z, leg.velocity.z, leg.acceleration.z, leg.place.z + ankle, -landing_speed * unit,
                  left);
        z.advance(dt, leg.aim.z, leg.velocity.z, leg.acceleration.z);
      }
    } else {
      leg.velocity = {0, 0, -searching_speed * unit};
      leg.acceleration = {};
      leg.aim.z += leg.velocity.z * dt;
      const Vec3d at = point_position(w_, b.legs[i].foot, b.legs[i].sole);
      leg.aim.z = std::max(leg.aim.z, at.z - 0.1 * b.height);
    }
  }
}

void LeggedController::move_body(const Terrain& terrain, const std::vector<double>& v) {
  const LeggedBody& b = *body_;
  const Model<double>& m = b.system->model;
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
    foot.arm = limb.size > 0 && limb.dofs.size() > 3 ? 0.3 * b.height : 0;
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
    const Mat3d flat = matrix(rotation_quaternion(cross(Vec3d(0, 0, 1), g.normal))) * heading * limb.flat;
    const double kt = foot_turn_rate * w;
    foot.turning = turn_between(w_.R[size_t(limb.foot)], flat) * (kt * kt) - spin * (2 * kt);
  }
  // the body
  const Vec2 pull = (level(com_) - state.p) * (w * w);
  const double kz = height_rate * w;
  const double z = state.ground.height + b.height - state.crouch;
  const double climb = state.ground.x * com_velocity_.x + state.ground.y * com_velocity_.y;
  const double up = std::clamp(kz * kz * (z - com_.z) + 2 * height_damping * kz * (climb - com_velocity_.z),
                               -0.5 * b.gravity, 0.7 * b.gravity);
  task_.acceleration = {pull.x, pull.y, up};
  const Mat3d goal = matrix(rotation_quaternion(state.tilt)) * heading * b.upright;
  const Mat3d& R = w_.R[size_t(b.root)];
  const double kb = body_rate * w;
  const Vec3d spin = w_.vel[size_t(b.root)].ang;
  task_.turning = turn_between(R, goal) * (kb * kb) - spin * (2 * body_damping * kb);
  const double kp = posture_rate * w;
  for (size_t d = 0; d < x_.size(); ++d) task_.posture[d] = kp * kp * (b.x[d] - x_[d]) - 2 * kp * v[d];
  task_.friction = friction_used * friction;
  whole_.solve(terrain, feet_, task_, x_, v, w_);
  (void)m;
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
  state.time = time;
  look(q, v);
  exchange_feet(load, dt, terrain, command.speed == 0 && command.turn == 0);
  lead(dt, command);
  feel_ground(dt, terrain);
  preview(terrain);
  press(terrain);
  choose_footholds(terrain);
  swing_feet(dt, terrain, command);
  move_body(terrain, v);
  note_limits(dt);
}

}  // namespace legwork
