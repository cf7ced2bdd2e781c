#include "discover/rollout.h"

#include <algorithm>
#include <cmath>

#include <legwork/run.h>
#include "discover/descriptor.h"
#include "dynamics/dynamics.h"
#include "math/real.h"
#include "motion/record.h"

namespace legwork {

namespace {

constexpr double fallen_tilt = 0.5;    // cosine: 60 degrees
constexpr double fallen_height = 0.4;  // share of the centre of mass's height at the start
constexpr double settling = 0.5;  // share of the run, at its beginning, in which no cycles are looked for
constexpr double shortest_cycle = 0.1;  // s

template <class T>
System<T> assemble(const World& world, const std::vector<const Creature*>& bodies) {
  if constexpr (lanes_of<T> == 1) {
    World one = world;
    one.body = *bodies.front();
    return make_system(std::move(one));
  } else {
    return make_batch_system(world, bodies);
  }
}

template <class T>
std::vector<SensorUnit<T>> assemble_sensors(const std::vector<const Creature*>& bodies) {
  if constexpr (lanes_of<T> == 1)
    return make_sensors(*bodies.front());
  else
    return make_batch_sensors(bodies);
}

template <class T>
void set_actuators(std::vector<ActuatorUnit<T>>& units, int lane, const Creature& body) {
  const std::vector<ActuatorUnit<double>> one = make_actuators(body);
  for (size_t i = 0; i < units.size(); ++i) {
    set_lane(units[i].ks, lane, one[i].ks), set_lane(units[i].kd, lane, one[i].kd);
    set_lane(units[i].lower, lane, one[i].lower), set_lane(units[i].upper, lane, one[i].upper);
  }
}

template <class T>
Vec3<T> tree_com(const Model<T>& m, const Workspace<T>& w, const std::vector<int>& links) {
  Vec3<T> sum;
  T mass(0);
  for (const int b : links) sum += (w.p[b] + w.c[b]) * m.mass[b], mass += m.mass[b];
  return sum * (T(1) / mass);
}

Vec3d lane_of(const Vec3<Batch>& v, int i) { return {v.x[i], v.y[i], v.z[i]}; }
Vec3d lane_of(const Vec3d& v, int) { return v; }

// The degrees of freedom that are not the root's.
std::vector<int> inner_dofs(const Problem& p) {
  std::vector<int> dofs;
  int at = 0;
  for (int b = 0; b < int(p.world.body.links.size()); ++b)
    for (const Joint& joint : p.world.body.links[b].joints)
      for (int k = 0; k < nv(joint); ++k, ++at)
        if (p.world.body.links[b].parent >= 0) dofs.push_back(at);
  return dofs;
}

}  // namespace

template <class T>
Brain<T>::Brain(const Problem& problem)
    : problem_(&problem), state_(problem.shape), path_(&problem.follow.front()) {
  sensors_ = assemble_sensors<T>({&problem.world.body});
  network_.resize(problem.shape);
  network_.linear = problem.linear_nodes;
}

template <class T>
void Brain<T>::set_lane(int i, const Candidate& candidate, const Expressed& e) {
  const int inputs = problem_->shape.inputs(), nodes = problem_->shape.nodes();
  for (int node = 0; node < nodes; ++node)
    for (int k = 0; k < inputs; ++k)
      legwork::set_lane(network_.weight[k * nodes + node], i, candidate.weights[node * inputs + k]);
  for (int k = 0; k < nodes; ++k) {
    legwork::set_lane(network_.on_rate[k], i, 1 / e.on_delay[k]);
    legwork::set_lane(network_.off_rate[k], i, 1 / e.off_delay[k]);
  }
  for (int k = 0; k < problem_->shape.actuators; ++k) {
    legwork::set_lane(network_.lower[k], i, e.body.actuators[k].lower);
    legwork::set_lane(network_.upper[k], i, e.body.actuators[k].upper);
  }
  const std::vector<SensorUnit<double>> one = make_sensors(e.body);
  for (size_t k = 0; k < sensors_.size(); ++k) {
    SensorUnit<T>& s = sensors_[k];
    legwork::set_lane(s.lower, i, one[k].lower), legwork::set_lane(s.upper, i, one[k].upper);
    legwork::set_lane(s.ahead, i, one[k].ahead);
    for (int axis = 0; axis < 3; ++axis) {
      legwork::set_lane(s.pos[axis], i, one[k].pos[axis]);
      legwork::set_lane(s.other_pos[axis], i, one[k].other_pos[axis]);
    }
  }
}

template <class T>
void Brain<T>::reset(const FollowPath& follow) {
  state_.reset(problem_->shape);
  steps_ = 0;
  path_ = &follow;
  follow_ = follow.at(0);
}

template <class T>
void Brain<T>::drive(const Simulation<T>& sim, std::vector<T>& target) noexcept {
  follow_ = path_->at(double(steps_++) * problem_->step.dt);
  sense(sensors_, sim, Vec3<T>(follow_), state_.input.data());
  update(network_, T(problem_->step.dt), state_, target.data());
}

template <class T>
Rollout<T>::Rollout(const Problem& problem, std::function<bool()> stop)
    : problem_(problem),
      stop_(std::move(stop)),
      system_(assemble<T>(problem.world, {&problem.world.body})),
      sim_(system_, problem.step),
      brain_(problem),
      start_(start_pose(problem, problem.world.body)),
      nominal_(express(problem, {})) {
  sim_.pushes = problem.world.pushes;
  for (const Sensor& s : problem.world.body.sensors)
    if (s.type == SensorType::touch) touch_.push_back(T(0));
  const auto& sites = system_.contacts.sites;
  for (size_t i = 0; i < sites.size(); ++i)
    if (sites[i].link == problem.root) belly_.push_back(int(i));
  signals_ = 3 + int(inner_dofs(problem).size());
}

// Bodies and networks, lane by lane; lanes without a candidate repeat the last one.
template <class T>
void Rollout<T>::prepare(const Candidate* const* candidates, int count) {
  bodies_.clear();
  for (int i = 0; i < count; ++i)
    bodies_.push_back(candidates[i]->parameters.empty() ? nominal_
                                                        : express(problem_, candidates[i]->parameters));
  const bool own_bodies = problem_.tunes_body();
  if (own_bodies) {
    std::vector<const Creature*> pointers;
    for (const Expressed& e : bodies_) pointers.push_back(&e.body);
    system_ = assemble<T>(problem_.world, pointers);
  }
  for (int i = 0; i < lanes_of<T>; ++i) {
    const int k = std::min(i, count - 1);
    brain_.set_lane(i, *candidates[k], bodies_[k]);
    if (!own_bodies) set_actuators(system_.actuators, i, bodies_[k].body);
  }
}

template <class T>
void Rollout<T>::start(const FollowPath& follow) {
  brain_.reset(follow);
  sim_.reset(start_);
  if (problem_.tunes_body()) {
    for (int i = 0; i < lanes_of<T>; ++i) {
      const std::vector<double> q =
          start_pose(problem_, bodies_[std::min(size_t(i), bodies_.size() - 1)].body);
      for (size_t k = 0; k < q.size(); ++k) set_lane(sim_.state.q[k], i, q[k]);
    }
    sim_.restart();
  }
  for (T& share : touch_) share = T(0);
  height_ = height2_ = approach_ = half_approach_ = apart_ = fell_ = drag_ = tumbling_ = turning_ = T(0);
  track_.clear();
  frames_ = 0;
}

template <class T>
void Rollout<T>::measure_frame() {
  const Model<T>& m = system_.model;
  const Vec3<T> com = tree_com(m, sim_.w, problem_.links), before = com_;
  const Mat3<T>& R = sim_.w.R[problem_.root];
  if (frames_ == 0) {
    com_start_ = com_ = half_way_ = com;
    up_ = transpose_times(R, Vec3<T>(T(0), T(0), T(1)));
    top_ = com.z;
    mass_ = total_mass(m);
  }
  const T dt(1 / problem_.world.rate);
  const Vec3<T> turn = sim_.w.vel[problem_.root].ang;
  if (frames_ > 0) {
    const Vec3<T> to = Vec3<T>(brain_.follow()) - before, moved = com - before;
    const T apart = sqrt(to.x * to.x + to.y * to.y);
    approach_ += (moved.x * to.x + moved.y * to.y) / max(apart, T(1e-9));
    apart_ += apart * dt;
    height_ += com.z * dt;
    height2_ += com.z * com.z * dt;
    tumbling_ += turn.y * dt, turning_ += turn.z * dt;
    T deepest(0);
    for (const int i : belly_)
      deepest = max(deepest, site_depth(system_.contacts.sites[size_t(i)], system_.world.terrain, sim_.w));
    drag_ += select(deepest > T(0), dt, T(0));
  }
  top_ = max(top_, com.z);
  com_ = com;
  if (double(frames_) <= 0.5 * problem_.seconds * problem_.world.rate)
    half_way_ = com, half_approach_ = approach_;
  const T tilt = (R * up_).z;
  fell_ = select((tilt < T(fallen_tilt)) | (com.z < T(fallen_height) * com_start_.z), T(1), fell_);
  track_.push_back(com.z);
  track_.push_back(R(0, 0)), track_.push_back(R(2, 0));
  int at = 0;
  for (int b = 0; b < m.nlink; ++b)
    for (int k = m.dof_begin[b]; k < m.dof_begin[b + 1]; ++k, ++at)
      if (m.parent[b] >= 0) track_.push_back(sim_.x[k]);
  ++frames_;
}

template <class T>
void Rollout<T>::simulate(const FollowPath& follow) {
  start(follow);
  const int steps = int(std::lround(1 / (problem_.world.rate * problem_.step.dt)));
  const long frames = std::max(1L, long(std::floor(problem_.seconds * problem_.world.rate + 1e-9)));
  measure_frame();
  bool going = true;
  for (long f = 0; f < frames && going; ++f) {
    if (stop_ && stop_()) throw Stopped{};
    for (int n = 0; n < steps && going; ++n) {
      brain_.drive(sim_, sim_.state.drive.target);
      for (size_t k = 0, t = 0; k < brain_.sensors().size(); ++k)
        if (brain_.sensors()[k].type == SensorType::touch) touch_[t++] += brain_.state().input[k];
      going = sim_.step();
    }
    if (!going) break;
    measure_frame();
    if (problem_.upright && all(fell_ > T(0.5))) break;
  }
}

// The mean over all curves counts; a candidate that has gained nothing so far is not looked at on the others.
// What kind of motion it is shows on the first.
template <class T>
void Rollout<T>::run(const Candidate* const* candidates, int count, Evaluation* results) {
  prepare(candidates, count);
  const double share = 1 / double(problem_.follow.size());
  bool hopeful = true;
  for (size_t k = 0; k < problem_.follow.size() && hopeful; ++k) {
    simulate(problem_.follow[k]);
    hopeful = false;
    for (int i = 0; i < count; ++i) {
      Evaluation e = result(i);
      e.score *= share, e.distance *= share, e.speed *= share;
      Evaluation& sum = results[i];
      if (k == 0 || (sum.score > 0 && e.status != Status::ok))
        sum = std::move(e);
      else if (sum.score > 0)
        sum.score += e.score, sum.distance += e.distance, sum.speed += e.speed;
      hopeful = hopeful || sum.score > 0;
    }
  }
}

template <class T>
Evaluation Rollout<T>::result(int i) const {
  Evaluation e;
  const bool fell = problem_.upright && lane(fell_, i) > 0.5;
  e.status = sim_.status(i) != Status::ok ? sim_.status(i) : fell ? Status::fell : Status::ok;
  const double duration = double(frames_ - 1) / problem_.world.rate;
  if (e.status != Status::ok || duration <= 0) return e;

  const Vec3d way = lane_of(com_, i) - lane_of(com_start_, i),
              late = lane_of(com_, i) - lane_of(half_way_, i);
  e.distance = std::sqrt(way.x * way.x + way.y * way.y);
  e.speed = std::sqrt(late.x * late.x + late.y * late.y) / (0.5 * duration);
  std::vector<double> rows;
  for (size_t k = size_t(settling * double(frames_)) * signals_; k < track_.size(); ++k)
    rows.push_back(lane(track_[k], i));
  const Cycle cycle = find_cycle(rows, signals_, int(std::ceil(shortest_cycle * problem_.world.rate)));
  e.period = cycle.lag / problem_.world.rate;
  e.likeness = cycle.likeness;

  MotionKind kind;
  const double steps = duration / problem_.step.dt, height = lane(height_, i) / duration;
  for (const T& share : touch_) kind.contact.push_back(lane(share, i) / steps);
  kind.tumbling = lane(tumbling_, i) / (2 * pi), kind.turning = lane(turning_, i) / (2 * pi);
  const double start_height = lane(com_start_.z, i);
  kind.height = start_height > 1e-6 ? height / start_height : 1;
  kind.frequency = e.period > 0 ? 4 * problem_.delay / e.period : 0;
  kind.direction = e.distance > 0.1 * problem_.length ? way.x / e.distance : 0;
  e.descriptor = describe_kind(kind);

  if (problem_.pursues()) {
    e.distance = lane(approach_, i);
    e.speed = (lane(approach_, i) - lane(half_approach_, i)) / (0.5 * duration);
  }

  Totals t;
  t["distance"] = e.distance, t["x"] = way.x, t["y"] = way.y, t["speed"] = e.speed;
  t["height"] = height, t["height2"] = lane(height2_, i), t["top"] = lane(top_, i);
  t["turns"] = kind.tumbling, t["seconds"] = duration, t["period"] = e.period, t["likeness"] = e.likeness;
  t["energy"] = lane(sim_.state.turnover, i), t["approach"] = lane(approach_, i);
  t["apart"] = lane(apart_, i) / duration, t["fell"] = lane(fell_, i);
  t["drag"] = lane(drag_, i) / duration;
  t["length"] = problem_.length, t["mass"] = lane(mass_, i);
  e.score = problem_.formula(t.value.data());
  if (!std::isfinite(e.score)) e.score = 0;
  return e;
}

template class Brain<double>;
template class Brain<Batch>;
template class Rollout<double>;
template class Rollout<Batch>;

Motion record_motion(const Problem& problem, const Candidate& candidate, const Watch& watch) {
  const Expressed e = express(problem, candidate.parameters);
  const System<double> system = assemble<double>(problem.world, {&e.body});
  Simulation<double> sim(system, problem.step);
  sim.pushes = problem.world.pushes;
  Brain<double> brain(problem);
  brain.set_lane(0, candidate, e);
  brain.reset(problem.follow.front());
  sim.reset(start_pose(problem, e.body));
  sim.controller = [&](const Simulation<double>& s, Drive<double>& d) { brain.drive(s, d.target); };
  const int steps = int(std::lround(1 / (problem.world.rate * problem.step.dt)));
  Channel sensors{"sensors", "1", problem.shape.sensors, {}}, follow{"follow", "m", 3, {}};
  const auto note = [&] {
    const double* input = brain.state().input.data();
    sensors.values.insert(sensors.values.end(), input, input + problem.shape.sensors);
    const Vec3d p = brain.follow();
    follow.values.insert(follow.values.end(), {p.x, p.y, p.z});
  };
  long n = 0;
  note();
  Motion motion = run(sim, problem.seconds, problem.world.rate, [&](const Simulation<double>& s) {
    if (++n % steps == 0) note();
    return !watch || watch(s);
  });
  const size_t frames = size_t(motion.frames());
  sensors.values.resize(frames * problem.shape.sensors), follow.values.resize(frames * 3);
  if (problem.shape.sensors > 0) motion.channels.push_back(std::move(sensors));
  const bool eyes = std::any_of(e.body.sensors.begin(), e.body.sensors.end(),
                                [](const Sensor& s) { return s.type == SensorType::eye; });
  if (eyes) motion.channels.push_back(std::move(follow));
  return motion;
}

}  // namespace legwork
