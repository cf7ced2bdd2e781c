#pragma once
// The sensor-actuator network of van de Panne and Fiume (SIGGRAPH 1993, section 4), for double, Batch and
// Trace.
//
// Nodes are hidden nodes, then actuator nodes. Every node hears all sensors and all nodes (itself too),
// through integer weights in [-2, 2]. Figures 6 and 7: an integrator rises at 1/on_delay while the weighted
// sum is positive and falls at 1/off_delay otherwise, within [0, 1]; the output turns on at 1 and off at 0.
// An actuator node besides commands its actuator: the sum, bounded to [-2, 2], maps onto the actuator's
// range. All nodes of a step hear the outputs of the step before.

#include <vector>

#include "math/branch.h"

namespace legwork {

inline constexpr int largest_weight = 2;

struct NetworkShape {
  int sensors = 0, hidden = 0, actuators = 0;

  int nodes() const { return hidden + actuators; }
  int inputs() const { return sensors + nodes(); }
  int weights() const { return nodes() * inputs(); }
};

template <class T>
struct Network {
  NetworkShape shape;
  bool linear = false;               // a study: outputs are the sum itself, bounded to [0, 1] of 2, no delay
  std::vector<T> weight;             // inputs x nodes, inputs: sensors first
  std::vector<T> on_rate, off_rate;  // nodes: 1/s, the inverse of the delays; inf = none
  std::vector<T> lower, upper;       // range of each actuator's command

  void resize(const NetworkShape& s) {
    shape = s;
    weight.assign(s.weights(), T(0));
    on_rate.assign(s.nodes(), T(0)), off_rate = on_rate;
    lower.assign(s.actuators, T(0)), upper = lower;
  }
};

template <class T>
struct NetworkState {
  std::vector<T> input;   // sensors, then outputs of nodes: what the next update hears
  std::vector<T> heard;   // inputs as the sums already hold them
  std::vector<T> sum;     // for each node: the sum of its weighted inputs
  std::vector<T> charge;  // for each node: state of its integrator, 0 to 1

  explicit NetworkState(const NetworkShape& shape) { reset(shape); }
  void reset(const NetworkShape& shape) {
    input.assign(shape.inputs(), T(0)), heard = input;
    charge.assign(shape.nodes(), T(0)), sum = charge;
  }
};

// One step of dt; the sensors' values stand in state.input. command: one for each actuator.
template <class T>
void update(const Network<T>& n, const T& dt, NetworkState<T>& state, T* command) noexcept {
  const int inputs = n.shape.inputs(), nodes = n.shape.nodes();
  // few inputs change in a step; sums of whole numbers are exact in any order
  for (int k = 0; k < inputs; ++k) {
    const T change = state.input[k] - state.heard[k];
    when(
        abs(change) > T(0),
        [&] {
          for (int i = 0; i < nodes; ++i) state.sum[i] += n.weight[k * nodes + i] * change;
          state.heard[k] = state.input[k];
        },
        state.sum, state.heard[k]);
  }
  T* output = &state.input[n.shape.sensors];
  for (int i = 0; i < nodes; ++i) {
    if (n.linear) {
      output[i] = min(max(state.sum[i] * T(0.5), T(0)), T(1));
      continue;
    }
    const T rate = select(state.sum[i] > T(0), n.on_rate[i], -n.off_rate[i]);
    state.charge[i] = min(max(state.charge[i] + rate * dt, T(0)), T(1));
    output[i] = select(state.charge[i] >= T(1), T(1), select(state.charge[i] <= T(0), T(0), output[i]));
  }
  for (int a = 0; a < n.shape.actuators; ++a) {
    const T bounded = min(max(state.sum[n.shape.hidden + a], T(-largest_weight)), T(largest_weight));
    const T share = (bounded + T(largest_weight)) * T(0.5 / largest_weight);
    command[a] = n.lower[a] + (n.upper[a] - n.lower[a]) * share;
  }
}

}  // namespace legwork
