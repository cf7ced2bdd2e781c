#include "legwork/discover/seed.h"

#include <algorithm>
#include <cmath>

namespace legwork {

namespace {

template <class Named>
int place_of(const std::vector<Named>& all, const std::string& name) {
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return int(i);
  return -1;
}

// Hidden nodes of a network with so many weights, sensors and actuators.
int hidden_of(size_t weights, int sensors, int actuators) {
  for (int hidden = 0;; ++hidden) {
    const size_t n = size_t(NetworkShape{sensors, hidden, actuators}.weights());
    if (n >= weights) return hidden;
  }
}

}  // namespace

Candidate carry_over(const Creature& from, const Candidate& candidate, const Problem& problem) {
  const Creature& to = problem.world.body;
  const int sensors = int(from.sensors.size()), actuators = int(from.actuators.size());
  const NetworkShape old{sensors, hidden_of(candidate.weights.size(), sensors, actuators), actuators};
  const NetworkShape& now = problem.shape;
  // what the old network calls an input or a node of the new one; -1: it has none
  const auto old_node = [&](int node) {
    if (node < now.hidden) return node < old.hidden ? node : -1;
    const int a = place_of(from.actuators, to.actuators[size_t(node - now.hidden)].name);
    return a < 0 ? -1 : old.hidden + a;
  };
  const auto old_input = [&](int input) {
    if (input < now.sensors) return place_of(from.sensors, to.sensors[size_t(input)].name);
    const int node = old_node(input - now.sensors);
    return node < 0 ? -1 : old.sensors + node;
  };
  Candidate result{std::vector<std::int8_t>(size_t(now.weights()), 0), {}};
  for (int node = 0; node < now.nodes(); ++node) {
    const int old_row = old_node(node);
    for (int input = 0; input < now.inputs() && old_row >= 0; ++input) {
      const int column = old_input(input);
      if (column >= 0)
        result.weights[size_t(node * now.inputs() + input)] =
            candidate.weights[size_t(old_row * old.inputs() + column)];
    }
  }
  return result;
}

}  // namespace legwork
