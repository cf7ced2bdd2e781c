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
  track_.clear();
  frames_ = 0;
}

template <class T>
void Rollout<T>::measure_frame() {
  const bool early = double(frames_) <= 0.5 * problem_.seconds * problem_.world.rate;
  measure(problem_, system_, sim_.w, Vec3<T>(brain_.follow()), frames_ == 0,
          early ? T(0) <= T(0) : T(0) < T(0), measures_);
  for (const T& signal : signals(problem_, system_.model, sim_.w, sim_.x, measures_))
    track_.push_back(signal);
  ++frames_;
}

template <class T>
void Rollout<T>::simulate(const FollowPath& follow) {
  start(follow);
  const int steps = steps_in_frame(problem_);
  const long frames = frame_count(problem_);
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
    if (problem_.upright && all(measures_.fell > T(0.5))) break;
  }
}

template <class T>
void Rollout<T>::run(const Candidate* const* candidates, int count, Evaluation* results) {
  prepare(candidates, count);
  sum_over_curves(
      problem_, count, results, [&](size_t k) { simulate(problem_.follow[k]); },
      [&](int i) { return evaluation_of(problem_, outcome(i)); });
}

template <class T>
void Rollout<T>::run(const Candidate* const* candidates, int count, Outcome* outcomes) {
  prepare(candidates, count);
  simulate(problem_.follow.front());
  for (int i = 0; i < count; ++i) outcomes[i] = outcome(i);
}

template <class T>
Outcome Rollout<T>::outcome(int i) const {
  Outcome o;
  o.status = sim_.status(i), o.measures = lane_of(measures_, i), o.turnover = lane(sim_.state.turnover, i);
  for (const T& steps : touch_) o.touch.push_back(lane(steps, i));
  o.frames = frames_;
  if (!counts(problem_, o)) return o;
  std::vector<double> rows;
  for (size_t k = size_t(settled_frame(frames_)) * size_t(signal_count(problem_)); k < track_.size(); ++k)
    rows.push_back(lane(track_[k], i));
  find_cycle_of(problem_, rows, o);
  return o;
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
  const int steps = steps_in_frame(problem);
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
