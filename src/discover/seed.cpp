#include "discover/seed.h"

namespace legwork {

namespace {

template <class Named>
int place_of(const std::vector<Named>& all, const std::string& name) {
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return int(i);
  return -1;
}

// Where it was in the old range, in the new one; the same range keeps every bit.
double moved(double x, const Variable& from, const Variable& to) {
  if (from.lower == to.lower && from.upper == to.upper) return x;
  if (!(from.lower < from.upper)) return to.start;  // one that was not to change
  return to.lower + (x - from.lower) / (from.upper - from.lower) * (to.upper - to.lower);
}

// Numbers of the same name come over, the others begin as the body has them.
std::vector<double> carry_numbers(const Problem& from, const std::vector<double>& values, const Problem& to) {
  if (values.size() != from.parameters.size()) return {};
  std::vector<double> result = nominal(to);
  for (size_t i = 0; i < result.size(); ++i) {
    const Parameter& now = to.parameters[i];
    for (size_t k = 0; k < values.size(); ++k) {
      const Parameter& was = from.parameters[k];
      if (was.kind == now.kind && was.variable.name == now.variable.name)
        result[i] = moved(values[k], was.variable, now.variable);
    }
  }
  return result;
}

}  // namespace

int hidden_of(size_t weights, int sensors, int actuators) {
  int hidden = 0;
  while (size_t(NetworkShape{sensors, hidden, actuators}.weights()) < weights) ++hidden;
  return hidden;
}

Candidate carry_over(const Problem& simpler, const Candidate& candidate, const Problem& problem) {
  const Creature &from = simpler.world.body, &to = problem.world.body;
  const NetworkShape &old = simpler.shape, &now = problem.shape;
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
  result.parameters = carry_numbers(simpler, candidate.parameters, problem);
  return result;
}

}  // namespace legwork
