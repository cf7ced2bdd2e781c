// Performing a motion by physics: the equations that follow a source.

#include "direct/track.h"

#include <algorithm>
#include <cmath>

#include "base/meter.h"
#include "base/text.h"
#include "creature/place.h"
#include "creature/tree.h"
#include "direct/track_balance.h"
#include "dynamics/dynamics.h"
#include "math/real.h"
#include "math/scalar.h"
#include "motion/fallen.h"

namespace legwork {

namespace {

// Rates of the laws x'' = x_s'' + 2 w (x_s' - x') + w^2 (x_s - x), in units of sqrt(g / height), and weights
// of the equations, in units of accelerations of points at the height of the hips.
constexpr double center_rate = 2, trunk_rate = 3, joint_rate = 4, foot_rate = 5;
constexpr double center_weight = 4, height_weight = 4, trunk_weight = 2, joint_weight = 0.02, foot_weight = 4;
// Laws answer to no larger distance than this, in heights or rad: far off, they pull evenly.
constexpr double far_point = 0.2, far_turn = 0.5;
// Toes, which the ground flicks: their joints follow this much faster, with this much more weight.
constexpr double toe_rate = 5, toe_weight = 10;
// Heights: how far from the source's place a foot is put down at most.
constexpr double most_shift = 0.5;
constexpr double least_lift = 0.02;  // heights: in the middle of its swing a foot is at least this high
constexpr size_t few_points = 12;  // contact points: more of them change too often to be followed one by one
constexpr double firm = 1e-4, very_firm = 1e-3;  // DirectorOptions::firmness
// Heights, rad: a performance whose centre of mass and trunk stay this near follows well.
constexpr double well_center = 0.8, well_trunk = 0.3;
constexpr double flail = 40;       // times sqrt(g / height), rad/s: a joint that fast is out of control
constexpr double most_steps = 20;  // times the steps that the time requires: more, and contacts chatter

Vec3d at_most(const Vec3d& v, double most) {
  const double size = norm(v);
  return size > most ? v * (most / size) : v;
}

bool beyond_foot(const Creature& body, int link) {
  for (const Leg& leg : body.legs)
    for (int b = body.links[size_t(link)].parent; b >= 0; b = body.links[size_t(b)].parent)
      if (b == leg.foot) return true;
  return false;
}

class Performer {
 public:
  Performer(const TrackSource& source, const Curve& plan, Director& director, double height, double lead)
      : source_(source),
        plan_(plan),
        d_(director),
        lead_(lead),
        height_(height),
        model_(director.system().model),
        w_(model_) {
    const double g = norm(d_.system().world.gravity);
    beat_ = std::sqrt((g > 0 ? g : 9.81) / height);
    q_.resize(size_t(model_.nq)), v_.resize(size_t(model_.nv)), a_.resize(size_t(model_.nv));
    difference_.resize(size_t(model_.nv));
    const Creature& body = d_.system().world.body;
    motors_ = motor_dofs(body);
    const std::vector<char> carries = root_dofs(body);
    for (size_t j = 0; j < motors_.size(); ++j) carried_ = carried_ || (carries[j] && !motors_[j]);
    for (const char motor : motors_) joints_ += motor;
    root_jacobian_.resize(6 * v_.size());
    feet_.resize(source.supports.size());
  }

  void begin() {
    const Creature& body = d_.system().world.body;
    const auto law = [&](auto&& value) {
      Law l;
      l.value = [this, value](const Director&) { return look(), value(); };
      return l;
    };
    const auto dofs = body.dofs();
    for (int j = 0; j < model_.nv; ++j) {
      if (!motors_[size_t(j)]) continue;
      const bool toe = beyond_foot(body, model_.link_of_dof[size_t(j)]);
      const double w = joint_rate * beat_ * (toe ? toe_rate : 1);
      d_.add_equation("joint " + dofs[size_t(j)]->name, Quantity{{{QuantityType::angle, j, {}, 1}}},
                      law([this, j, w] {
                        return Vec3d(a_[size_t(j)] + 2 * w * (v_[size_t(j)] - d_.v()[size_t(j)]) +
                                         w * w * std::clamp(difference_[size_t(j)], -far_turn, far_turn),
                                     0, 0);
                      }),
                      carried_ ? joint_weight * height_ * height_ * (toe ? toe_weight : 1) : 1);
    }
    if (!carried_) return;
    d_.add_equation("centre of mass", d_.center_of_mass().along("xy"), law([this] { return center_; }),
                    center_weight);
    d_.add_equation("height", d_.center_of_mass().along("z"), law([this] { return center_; }), height_weight);
    d_.add_equation("trunk", d_.orientation(body.links[0].name), law([this] { return trunk_; }),
                    trunk_weight * height_ * height_);
  }

  // The joint that turns faster than any muscle turns it, if one does; -1: none. Then control is lost.
  int flailing() const {
    for (int j = 0; j < model_.nv; ++j)
      if (motors_[size_t(j)] && std::abs(d_.v()[size_t(j)]) > flail * beat_) return j;
    return -1;
  }

  // At the start of every step: which feet stand, which swing.
  void control() {
    look();
    const double t = d_.time();
    for (size_t i = 0; i < feet_.size(); ++i) {
      Foot& foot = feet_[i];
      const FootSupport& s = source_.supports[i];
      const std::string& link = d_.system().world.body.links[size_t(s.link)].name;
      const bool wanted = s.down(t), touches = d_.touches(link);
      const double next = s.next_change(t), last = s.last_change(t);
      const double done =
          !std::isfinite(last) ? 1 : std::clamp((t - last) / std::max(next - last, 1e-3), 0.0, 1.0);
      const bool stands = wanted || (touches && foot.stands) || (touches && done > 0.6);
      const bool leaves = !wanted && foot.stands;
      if (leaves) {
        d_.release(link);
        foot.stands = false;
        foot.from = level(sole(i) - sole_source(i));
        foot.left = t;
      } else if (stands && !foot.stands && (wanted || touches)) {
        d_.admit(link);
        foot.stands = true;
        foot.landed = t;
      }
      const std::string name = "foot " + s.name;
      const bool follows = !foot.stands || !touches;
      if (follows && !d_.has_equation(name)) {
        Law l;
        l.value = [this, i](const Director&) { return look(), foot_law(i); };
        d_.add_equation(name, Quantity{{{QuantityType::point, s.link, s.sole, 1}}}, l, foot_weight);
      } else if (!follows && d_.has_equation(name)) {
        d_.remove_equation(name);
      }
      foot.done = done;
    }
    // where the feet stand apart from the source's, the source goes with them
    Vec3d mean;
    int standing = 0;
    for (size_t i = 0; i < feet_.size(); ++i)
      if (feet_[i].stands) mean += level(sole(i) - sole_source(i)), ++standing;
    const double h = t - last_time_;
    if (standing > 0 && h > 0) shift_ += (mean * (1.0 / standing) - shift_) * std::min(1.0, h * beat_ * 2);
    last_time_ = t;
  }

  const Vec3d& shift() const { return shift_; }
  Vec3d asked() const { return center_; }
  void deviate(Deviation& out) {
    seen_ = -1;
    look();
    out.time = d_.time();
    Vec3d x, v, a;
    source_.at(d_.time(), source_.center_of_mass, x, v, a);
    out.center = norm(d_.value(d_.center_of_mass()) - x);
    double sum = 0;
    for (int j = 0; j < model_.nv; ++j)
      if (motors_[size_t(j)]) sum += difference_[size_t(j)] * difference_[size_t(j)];
    out.joints = joints_ > 0 ? std::sqrt(sum / joints_) : 0;
    if (!carried_) return;
    out.trunk = norm(turn_);
    const double mass = total_mass(model_);
    out.missing = (center_ - d_.acceleration(d_.center_of_mass())) * mass;
    for (size_t i = 0; i < feet_.size(); ++i)
      if (d_.touches(d_.system().world.body.links[size_t(source_.supports[i].link)].name))
        out.down.push_back(int(i));
  }

 private:
  struct Foot {
    bool stands = true;
    double left = 0, landed = 0, done = 0;
    Vec3d from;  // how far from the source's it left the ground
  };

  static Vec3d level(const Vec3d& v) { return {v.x, v.y, 0}; }
  Vec3d sole(size_t i) const {
    return point_position(d_.workspace(), source_.supports[i].link, source_.supports[i].sole);
  }
  Vec3d sole_source(size_t i) const {
    Vec3d x, v, a;
    source_.at(d_.time(), source_.soles[i], x, v, a);
    return x;
  }

  // The source beside the body, once for each solution of an instant.
  void look() {
    if (seen_ == d_.solves) return;
    seen_ = d_.solves;
    const double t = d_.time();
    source_.at(t, q_.data(), v_.data(), a_.data());
    difference_positions(model_, d_.q().data(), q_.data(), difference_.data());
    if (!carried_) return;
    update_positions(model_, q_.data(), w_);
    update_velocities(model_, q_.data(), v_.data(), w_);
    const Workspace<double>& now = d_.workspace();
    turn_ = rotation_vector(w_.R[0] * transpose(now.R[0]));
    point_jacobian(model_, w_, 0, Vec3d(), root_jacobian_.data());
    const Vec3d spin = w_.vel[0].ang;
    Vec3d spin_rate = point_bias(model_, w_, 0, Vec3d()).ang;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < model_.nv; ++j)
        spin_rate[k] += root_jacobian_[size_t(k) * a_.size() + size_t(j)] * a_[size_t(j)];
    const double wt = trunk_rate * beat_, wc = center_rate * beat_;
    trunk_ = spin_rate + (spin - now.vel[0].ang) * (2 * wt) + at_most(turn_, far_turn) * (wt * wt);
    Vec3d x, v, a;
    source_.at(t, plan_, x, v, a);
    const Vec3d c = d_.value(d_.center_of_mass()), cv = d_.rate(d_.center_of_mass());
    const Vec3d off = c - x - shift_, slip = cv - v;
    center_ = a - slip * (2 * wc) - at_most(off, far_point * height_) * (wc * wc);
    // by how much the point where the body could come to rest lies off the source's
    capture_ = level(off + slip * (1 / beat_));
  }

  Vec3d foot_law(size_t i) {
    const Foot& foot = feet_[i];
    const double w = foot_rate * beat_, t = d_.time();
    Vec3d x, v, a;
    source_.at(t, source_.soles[i], x, v, a);
    const Vec3d place = shift_ + at_most(capture_ * lead_, most_shift * height_);
    const double s = std::min(1.0, foot.done / 0.8), share = s * s * (3 - 2 * s);
    Vec3d target = x + foot.from * (1 - share) + place * share;
    target.z += sample(d_.system().world.terrain, target.x, target.y).height -
                sample(source_.terrain(), x.x, x.y).height;
    // over the ground as high as the source lifts it from where it stands, and not less than a little
    Vec3d low, low_v, low_a;
    source_.at(t, source_.clearances[i], low, low_v, low_a);
    const double least = foot.stands ? 0 : least_lift * height_ * 4 * foot.done * (1 - foot.done);
    target.z += std::max(source_.supports[i].sink, least - low.z);
    if (foot.stands) {
      // late: on down until it meets the ground
      const double late = t - foot.landed;
      target.z -= late * 0.3 * height_ * beat_;
      v = {0, 0, -0.3 * height_ * beat_}, a = {};
    }
    const Vec3d now = sole(i),
                speed = point_velocity(d_.workspace(), source_.supports[i].link, source_.supports[i].sole);
    return a + (v - speed) * (2 * w) + at_most(target - now, far_point * height_) * (w * w);
  }

  const TrackSource& source_;
  const Curve& plan_;  // path of the centre of mass
  Director& d_;
  double lead_;  // times the capture point's error: how far a foot's place is moved for it
  double height_, beat_ = 1;
  const Model<double>& model_;
  Workspace<double> w_;  // the source's state
  std::vector<double> q_, v_, a_, difference_, root_jacobian_;
  std::vector<char> motors_;  // degrees of freedom that torques move
  int joints_ = 0;            // how many they are
  bool carried_ = false;      // something carries the body that no motor drives: only the ground moves it
  std::vector<Foot> feet_;
  Vec3d center_, trunk_, turn_, capture_, shift_;
  double last_time_ = 0;
  long seen_ = -1;
};

// The source's first pose with its lowest point on the ground.
std::vector<double> first_pose(const TrackSource& source, const Model<double>& model, const World& world,
                               std::vector<double>& v) {
  std::vector<double> q(size_t(model.nq)), a(size_t(model.nv));
  v.resize(size_t(model.nv));
  source.at(0, q.data(), v.data(), a.data());
  const Creature& body = world.body;
  std::vector<double> up = rising_velocity(body, q, 0);
  if (up.empty()) return q;
  Workspace<double> w(model);
  update_positions(model, q.data(), w);
  double deepest = -unlimited;
  for (const FootSupport& s : source.supports) {
    if (!s.down(0)) continue;
    for (const int site : s.sites) {
      const ContactPoint& c = body.contacts[size_t(site)];
      deepest =
          std::max(deepest, ground_depth(world.terrain, point_position(w, c.link, c.pos), c.radius).depth);
    }
  }
  if (std::isfinite(deepest)) integrate_positions(model, q.data(), up.data(), deepest, q.data());
  return q;
}

}  // namespace

void check_direct(const Creature& c) {
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints)
      if (joint.type != JointType::free && !joint.dofs.empty()) return;
  throw Error(c.where, c.name, "has no joint that a torque could move",
              "give a link a joint to its parent, such as\n"
              "  joint = { hinge = \"y\", range = [-1, 1] }");
}

namespace {

void perform(const World& world, const TrackSource& source, const Curve& plan, const DirectorOptions& direct,
             double lead, double seconds, Meter& meter, Tracked& out) {
  Director director(world, direct);
  Performer performer(source, plan, director, out.height, lead);
  std::vector<double> v;
  const std::vector<double> q = first_pose(source, director.system().model, world, v);
  const Model<double>& model = director.system().model;
  const StandingBody standing = standing_in(world.body, model, world.body.pose("stand"));
  out.deviations.clear();
  bool lies = false;
  long steps = 0;
  std::string lost;
  director.initialize = [&](Director&) { performer.begin(); };
  director.controller = [&](Director& d) {
    performer.control();
    if (const int joint = performer.flailing(); joint >= 0)
      lost = "'" + world.body.dofs()[size_t(joint)]->name + "' flails";
    if (++steps > most_steps * (1000 + d.time() / d.options.dt)) lost = "contacts change without end";
    if (!lost.empty()) d.stop(lost);
  };
  director.watch = [&](const Director& d) {
    out.deviations.emplace_back();
    performer.deviate(out.deviations.back());
    lies = !world.body.legs.empty() && has_fallen(standing, model, world.terrain, d.workspace());
    meter.reach(long(d.time() * 10) * 100);
    return !lies && !meter.stopped();
  };
  director.start(q, v);
  out.motion = director.run(seconds, world.rate);
  if (lies)
    out.motion.status = Status::fell,
    out.motion.status_text = "fell at " + to_text(out.motion.time.back()) + " s";
  if (!lost.empty())
    out.motion.status = Status::fell,
    out.motion.status_text = "out of control at " + to_text(out.motion.time.back()) + " s: " + lost;
  out.impulses = direct.impulses, out.balanced = false;
  out.step = {.integrator = Integrator::rk4, .dt = director.options.dt};
}

// One way to perform: with every contact located in time, which suits feet of few points, or by steps of
// impulses; how far feet lead the error; how firmly joints resist the ground.
struct Way {
  bool impulses;
  double lead, firmness;
};

// The error grows as e^(b t), b = sqrt(g / height), and a foot that follows it by its law of rate w comes as
// far as 1 / (1 + b / w)^2 of it. Half of that is made up for, which is the root of it, or nothing.
std::vector<Way> choose_ways(const TrackSource& source) {
  constexpr double lead = 1 + 1 / foot_rate;
  size_t points = 0;
  for (const FootSupport& s : source.supports) points += s.sites.size();
  std::vector<Way> ways = {{false, lead, firm}, {true, lead, firm}, {true, 1, firm}};
  if (points > few_points) std::reverse(ways.begin(), ways.end());
  ways.push_back({true, lead, very_firm}), ways.push_back({true, 1, very_firm});
  return ways;
}

bool stays_up(const Tracked& t) { return t.motion.frames() > 0 && t.motion.status == Status::ok; }

// How far the performance went off, 1: as far as it may.
double error_of(const Tracked& t) {
  double center = 0, trunk = 0;
  for (const Deviation& d : t.deviations)
    center = std::max(center, d.center), trunk = std::max(trunk, d.trunk);
  return std::max(center / (well_center * t.height), trunk / well_trunk);
}

bool follows_well(const Tracked& t) { return stays_up(t) && error_of(t) < 1; }

bool better(const Tracked& a, const Tracked& b) {
  if (stays_up(a) != stays_up(b)) return stays_up(a);
  return stays_up(a) ? error_of(a) < error_of(b) : a.motion.duration() > b.motion.duration();
}

// Back from the end, to where force had not been missing for a moment.
Collapse find_collapse(const Tracked& t) {
  constexpr double much = 0.5;  // share of the weight
  const double pause = 0.15 * std::sqrt(t.height / 9.81);
  Collapse collapse;
  double most = -1;
  for (size_t k = t.deviations.size(); k-- > 0;) {
    const Deviation& d = t.deviations[k];
    const double size = norm(d.missing);
    if (most >= 0 && collapse.from - d.time > pause) break;
    if (size < much * t.weight && most >= 0) continue;
    collapse.from = d.time;
    if (size > most)
      most = size, collapse.worst_time = d.time, collapse.force = d.missing, collapse.down = d.down;
  }
  return collapse;
}

// Touch-downs of the foot that had the fewest.
int count_strides(const Motion& motion) {
  if (motion.creature.legs.empty() || motion.frames() < 2) return 0;
  int fewest = -1;
  for (const LegGait& leg : measure_gait(motion).legs) {
    const int downs =
        int(std::count_if(leg.stances.begin(), leg.stances.end(), [](const Stance& s) { return s.starts; }));
    if (fewest < 0 || downs < fewest) fewest = downs;
  }
  return fewest;
}

}  // namespace

namespace {

// By equations: the first way that follows well; else the one that follows best among those that stay up,
// `out` included; where none stays up, the one that does so longest.
void follow_equations(const World& world, const TrackSource& source, const DirectorOptions& direct,
                      double seconds, Meter& meter, const Run& run, Tracked& out) {
  const Curve plan = plan_center(source, out.demands, norm(world.gravity));
  for (const Way& way : choose_ways(source)) {
    if (way.impulses && direct.ground != Grade::unilateral) continue;
    DirectorOptions options = direct;
    options.impulses = way.impulses, options.firmness = way.firmness;
    Tracked tried = out;
    perform(world, source, plan, options, way.lead, seconds, meter, tried);
    stop_unless_kept(run);
    // equations that contradict each other do so however they are followed
    const bool infeasible = tried.motion.status == Status::stopped;
    if (infeasible || better(tried, out)) out = std::move(tried);
    if (infeasible || follows_well(out)) break;
  }
}

}  // namespace

Tracked track(const World& world, const TrackSource& source, const DirectorOptions& direct, double seconds,
              const Run& run, bool on_legs) {
  Tracked out;
  const double hips = hip_height(world.body);
  out.height = std::isfinite(hips) ? hips : cbrt(world.body.mass() / 1000);
  out.weight = world.body.mass() * (norm(world.gravity) > 0 ? norm(world.gravity) : 9.81);
  out.demands = find_demands(source, world);
  out.shortfalls = find_shortfalls(out.demands, out.weight, out.height);
  Meter meter(run, "performing", long(seconds * 1000));
  if (on_legs && !out.shortfalls.empty() && performs_by_balance(world, source)) {
    perform_by_balance(world, source, seconds, meter, out);
    stop_unless_kept(run);
  }
  if (!follows_well(out) && !run.stopped()) follow_equations(world, source, direct, seconds, meter, run, out);
  out.strides = count_strides(out.motion);
  out.collapse = find_collapse(out);
  return out;
}

}  // namespace legwork
