#include "discover/record_rollout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "discover/measures.h"
#include "math/branch.h"
#include "sim/record.h"

namespace legwork {

namespace {

constexpr double open = std::numeric_limits<double>::quiet_NaN();  // in a pattern: it is read

// Numbers of which the operations depend: they stay what they are in the code.
bool shapes_the_code(double x) { return x == 0 || x == 1 || x == -1 || !std::isfinite(x); }

// The parts of a rollout that differ from candidate to candidate.
struct Parts {
  std::optional<System<Trace>> system;  // where bodies differ
  std::vector<ActuatorUnit<Trace>> actuators;
  std::vector<SensorUnit<Trace>> sensors;
  std::vector<Trace> on_rate, off_rate, lower, upper, start;
};

// Asks for every number that may differ, in one order.
Parts parts_of(const Problem& problem, const Expressed& e, const NumberOf& number) {
  Parts parts;
  if (problem.tunes_body()) {
    World world = problem.world;
    world.body = e.body;
    parts.system = record(make_system(std::move(world)), number, number);
    parts.actuators = parts.system->actuators;
  } else {
    parts.actuators = record(make_actuators(e.body), number);
  }
  parts.sensors = record(make_sensors(e.body), number);
  for (int k = 0; k < problem.shape.nodes(); ++k) {
    parts.on_rate.push_back(number(1 / e.on_delay[std::size_t(k)]));
    parts.off_rate.push_back(number(1 / e.off_delay[std::size_t(k)]));
  }
  for (int k = 0; k < problem.shape.actuators; ++k) {
    parts.lower.push_back(number(e.body.actuators[std::size_t(k)].lower));
    parts.upper.push_back(number(e.body.actuators[std::size_t(k)].upper));
  }
  for (const double q : start_pose(problem, problem.tunes_body() ? e.body : problem.world.body))
    parts.start.push_back(number(q));
  return parts;
}

Network<Trace> network_of(const Problem& problem, const Parts& parts, Tape& tape, int weight) {
  Network<Trace> network;
  network.resize(problem.shape);
  network.linear = problem.linear_nodes;
  const int inputs = problem.shape.inputs(), nodes = problem.shape.nodes();
  for (int node = 0; node < nodes; ++node)
    for (int k = 0; k < inputs; ++k)
      network.weight[std::size_t(k * nodes + node)] = tape.input(weight, node * inputs + k);
  network.on_rate = parts.on_rate, network.off_rate = parts.off_rate;
  network.lower = parts.lower, network.upper = parts.upper;
  return network;
}

// All numbers of a body in the order of the pattern.
std::vector<double> numbers_of(const Problem& problem, const Expressed& e) {
  Tape nowhere;
  const Recording recording(nowhere);
  std::vector<double> numbers;
  parts_of(problem, e, [&](double x) {
    numbers.push_back(x);
    return Trace();
  });
  return numbers;
}

// The body with all that tuning may move at its lowest or at its highest.
Expressed extreme(const Problem& problem, bool highest) {
  std::vector<double> parameters;
  for (const Parameter& p : problem.parameters)
    parameters.push_back(highest ? p.variable.upper : p.variable.lower);
  return express(problem, parameters);
}

// Those that tuning moves are read, whatever they are at present.
std::vector<double> pattern_of(const Problem& problem, const Expressed& nominal) {
  std::vector<double> pattern = numbers_of(problem, nominal);
  const std::vector<double> low = numbers_of(problem, extreme(problem, false)),
                            high = numbers_of(problem, extreme(problem, true));
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (!shapes_the_code(pattern[i]) || low[i] != pattern[i] || high[i] != pattern[i]) pattern[i] = open;
  return pattern;
}

}  // namespace

std::string not_recordable(const Problem& problem) {
  const System<double> system = make_system(problem.world);
  if (std::string obstacle = not_recordable(system, problem.step); !obstacle.empty()) return obstacle;
  for (const Sensor& s : problem.world.body.sensors)
    if (s.type == SensorType::terrain) return "sensors of the terrain";
  return "";
}

std::optional<std::vector<double>> inputs_of(const Problem& problem, const RolloutTape& rollout,
                                             const Expressed& nominal, const Candidate& candidate) {
  const std::vector<double> numbers =
      numbers_of(problem, candidate.parameters.empty() ? nominal : express(problem, candidate.parameters));
  if (numbers.size() != rollout.pattern.size()) return {};
  std::vector<double> inputs;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double fixed = rollout.pattern[i];
    if (fixed != fixed)
      inputs.push_back(numbers[i]);
    else if (numbers[i] != fixed)
      return {};
  }
  return inputs;
}

Outcome outcome_of(const Problem& problem, const double* result, int results, double lag, double likeness) {
  Outcome o;
  const double* const end = result + results;
  for (double& x : o.measures) x = *result++;
  o.turnover = *result++;
  if (*result++ == 0) o.status = Status::diverged;
  o.touch.assign(result, end);
  o.frames = frame_count(problem) + 1;
  o.lag = lag, o.likeness = likeness;
  return o;
}

std::vector<double> follow_table(const Problem& problem, const FollowPath& path) {
  std::vector<double> table;
  const long steps = frame_count(problem) * steps_in_frame(problem);
  for (long n = 0; n < steps; ++n) {
    const Vec3d p = path.at(double(n) * problem.step.dt);
    table.insert(table.end(), {p.x, p.y, p.z});
  }
  return table;
}

RolloutTape record_rollout(const Problem& problem) {
  RolloutTape out;
  out.tape = std::make_unique<Tape>();
  Tape& tape = *out.tape;
  const Recording recording(tape);
  const Expressed nominal = express(problem, {});
  out.pattern = pattern_of(problem, nominal);
  out.numbers = int(std::count_if(out.pattern.begin(), out.pattern.end(), [](double x) { return x != x; }));
  out.weights = problem.shape.weights();
  const int weight = tape.array("weight", out.weights, "of the network: nodes x inputs");
  const int number = tape.array("number", out.numbers, "of the body, its actuators, sensors and nodes");
  int asked = 0, next = 0;
  // at its highest, where springs are that may grow
  Parts parts = parts_of(problem, extreme(problem, true), [&](double) {
    const double fixed = out.pattern[std::size_t(asked++)];
    return fixed != fixed ? tape.input(number, next++) : Trace(fixed);
  });
  if (!parts.system) {
    const NumberOf constant = [](double x) { return Trace(x); };
    parts.system = record(make_system(problem.world), constant, constant);
    parts.system->actuators = parts.actuators;
  }
  const Network<Trace> network = network_of(problem, parts, tape, weight);
  const int follow = tape.table("follow", "the point to follow, three numbers a step");
  const int track = tape.list("track", "the signals of each frame from the settled frame on");

  const System<Trace>& system = *parts.system;
  Simulation<Trace> sim(system, problem.step);
  sim.state.q = parts.start;
  sim.restart();
  NetworkState<Trace> state(problem.shape);
  std::vector<Trace> touch;
  for (const Sensor& s : problem.world.body.sensors)
    if (s.type == SensorType::touch) touch.push_back(Trace(0));
  TraceMask alive(true);
  Trace frame(0), step(0), row(0);
  Measures<Trace> measures;
  const long frames = frame_count(problem);
  const int steps = steps_in_frame(problem);
  const Trace half(0.5 * problem.seconds * problem.world.rate), settled(double(settled_frame(frames + 1)));
  const auto point = [&](const Trace& n) {
    const Trace place = n * Trace(3);
    return Vec3<Trace>(tape.look_up(follow, place, 0), tape.look_up(follow, place, 1),
                       tape.look_up(follow, place, 2));
  };
  // frames before the settled one lie where that one will
  const auto note = [&] {
    const std::vector<Trace> all = signals(problem, system.model, sim.w, sim.x, measures);
    out.signals = int(all.size());
    for (int i = 0; i < out.signals; ++i)
      tape.store(track, row * Trace(double(out.signals)), i, all[std::size_t(i)]);
  };
  measure(problem, system, sim.w, Vec3<Trace>(), true, TraceMask(true), measures);
  note();
  out.rows = int(frames + 1 - settled_frame(frames + 1));

  // positions and velocities pass from step to step; where tendons follow from them, all are calculated anew
  Workspace<Trace>& w = sim.w;
  const bool anew = !system.tendons.empty();
  const auto kept = [&](auto& numbers) { return anew ? nullptr : &numbers; };
  auto* x = kept(sim.x);
  auto* R = kept(w.R);
  auto *p = kept(w.p), *r = kept(w.r), *c = kept(w.c);
  auto* I = kept(w.I);
  auto *S = kept(w.S), *vel = kept(w.vel), *bias = kept(w.bias);
  const auto loop = [&](int rounds, const auto& question, const auto& body, auto&... more) {
    repeat(rounds, question, body, alive, step, sim.state.q, sim.state.v, sim.state.contact.sites,
           sim.state.activation, sim.state.drive.target, sim.state.work, sim.state.turnover, x, R, p, r, c, I,
           S, vel, bias, state.input, state.heard, state.sum, state.charge, touch, more...);
  };
  const auto one_step = [&] {
    sim.state.contact.changed();
    if (anew) sim.refresh();
    sense(parts.sensors, sim, point(step), state.input.data());
    update(network, Trace(problem.step.dt), state, sim.state.drive.target.data());
    for (std::size_t k = 0, t = 0; k < parts.sensors.size(); ++k)
      if (parts.sensors[k].type == SensorType::touch) touch[t++] += state.input[k];
    sim.step();
    alive = alive & sim.lawful;
    step += Trace(1);
  };
  const auto one_frame = [&] {
    loop(
        steps, [&] { return alive; }, one_step);
    if (anew) sim.refresh();
    frame += Trace(1);
    row = max(frame - settled, Trace(0));
    measure(problem, system, w, point(step - Trace(1)), false, frame <= half, measures);
    note();
  };
  loop(
      int(frames), [&] { return problem.upright ? alive & !(measures.fell > Trace(0.5)) : alive; }, one_frame,
      frame, row, measures);

  std::vector<Trace> results(measures.begin(), measures.end());
  results.push_back(sim.state.turnover);
  results.push_back(select(alive, Trace(1), Trace(0)));
  results.insert(results.end(), touch.begin(), touch.end());
  out.results = int(results.size());
  const int result = tape.array("result", out.results, "what the rollout came to");
  for (int i = 0; i < out.results; ++i) tape.output(result, i, results[std::size_t(i)]);
  return out;
}

}  // namespace legwork
