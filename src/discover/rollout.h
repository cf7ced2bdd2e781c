#pragma once
// One evaluation of a candidate, or eight in step: simulate, sense, update the network, measure.
//
// Rollout<double> and Rollout<Batch> give the same bits, and so does the motion that record_motion keeps.

#include <functional>
#include <vector>

#include <legwork/motion.h>
#include "discover/measures.h"
#include "discover/problem.h"
#include "motion/record.h"
#include "sim/sensors.h"

namespace legwork {

// Networks that drive a simulation, one for each lane.
template <class T>
class Brain {
 public:
  explicit Brain(const Problem& problem);
  void set_lane(int lane, const Candidate& candidate, const Expressed& expressed);
  void reset(const FollowPath& follow);  // keeps a reference
  // Sensors, network, targets: once a step, before it.
  void drive(const Simulation<T>& sim, std::vector<T>& target) noexcept;

  const std::vector<SensorUnit<T>>& sensors() const { return sensors_; }
  const NetworkState<T>& state() const { return state_; }
  Vec3d follow() const { return follow_; }

 private:
  const Problem* problem_;
  std::vector<SensorUnit<T>> sensors_;
  Network<T> network_;
  NetworkState<T> state_;
  long steps_ = 0;
  const FollowPath* path_;
  Vec3d follow_;
};

template <class T>
class Rollout {
 public:
  // Keeps a reference to the problem. Where `stop` says so, run throws Stopped.
  explicit Rollout(const Problem& problem, std::function<bool()> stop = {});
  // count: up to lanes_of<T>.
  void run(const Candidate* const* candidates, int count, Evaluation* results);
  // The same without a verdict, on the first curve.
  void run(const Candidate* const* candidates, int count, Outcome* outcomes);

 private:
  void prepare(const Candidate* const* candidates, int count);
  void start(const FollowPath& follow);
  void simulate(const FollowPath& follow);
  void measure_frame();
  Outcome outcome(int lane) const;

  const Problem& problem_;
  std::function<bool()> stop_;
  System<T> system_;
  Simulation<T> sim_;
  Brain<T> brain_;
  std::vector<double> start_;  // start pose of the given body
  long frames_ = 0;
  // over the whole run
  std::vector<T> touch_;  // steps that each touch sensor was on
  Measures<T> measures_;
  std::vector<T> track_;  // frames x signals
  Expressed nominal_;
  std::vector<Expressed> bodies_;
};

// The motion of one candidate with all that a film shows; channels "sensors" and "follow" besides the usual.
Motion record_motion(const Problem& problem, const Candidate& candidate, const Watch& watch = {});

}  // namespace legwork
