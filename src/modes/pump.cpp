#include "modes/pump.h"

#include <algorithm>
#include <cmath>

#include "base/meter.h"
#include "base/parallel.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "math/curves.h"
#include "math/real.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

constexpr double off = 0.1;  // share of the prediction by which a result is off
constexpr double small_amplitude = 1e-3;

// Released from rest in a mode's shape: mean frequency over the first swings of the mode's own coordinate, 0
// when it does not swing. Its coordinate is the projection of the joints on the shape, by energy.
double swing_frequency(Simulation<double>& sim, const Modes& modes, int mode, double amplitude, int swings) {
  const Model<double>& m = sim.system().model;
  std::vector<double> q(modes.q0.size());
  const Eigen::VectorXd direction = modes.body.col(mode);
  integrate_positions(m, modes.q0.data(), direction.data(), amplitude, q.data());
  if (!sim.system().world.body.loops.empty()) close_loops(m, sim.system().world.body.loops, q);
  sim.reset(q);
  const auto coordinate = [&] {
    double sum = 0, weight = 0;
    for (int j = 0; j < m.nv; ++j) {
      const double shape = modes.joints(j, mode), k = modes.stiffness[size_t(j)];
      sum += k * shape * (sim.x[size_t(j)] - modes.x0[size_t(j)]), weight += k * shape * shape;
    }
    return sum / weight;
  };
  sim.probe();
  double before = coordinate(), first = -1, last = -1;
  int crossings = 0;
  const double longest = 6.0 * swings / modes.frequency[size_t(mode)];
  while (crossings <= 2 * swings && sim.state.time < longest) {
    const double t0 = sim.state.time;
    if (!sim.step()) return 0;
    sim.probe();
    const double now = coordinate();
    if ((now > 0) != (before > 0)) {
      const double at = t0 + (sim.state.time - t0) * before / (before - now);
      if (first < 0) first = at;
      last = at, ++crossings;
    }
    before = now;
  }
  return crossings > 1 ? 0.5 * (crossings - 1) / (last - first) : 0;
}

}  // namespace

Rayleigh damping_of(const Modes& modes, double ratio) {
  return {0, modes.rigid < modes.count() ? 2 * ratio / modes.omega(modes.rigid) : 0};
}

Motion pump(const World& world, const Modes& modes, const std::vector<ModeUse>& uses,
            const PumpOptions& options, StepOptions& step, double* work) {
  World sprung = world;
  sprung.body = with_springs(world.body, modes.q0, modes.stiffness, damping_of(modes, options.damping_ratio));
  const System<double> system = make_system(sprung);
  SimOptions sim_options;
  sim_options.pose = "modes", sim_options.height = 0;
  const Start start = start_of(system, sim_options);
  step = choose_step(system, world.integrator.empty() ? "implicit" : world.integrator, world.dt, 0);
  Simulation<double> sim(system, step);
  sim.reset(start.q);
  sim.pushes = world.pushes;
  const std::vector<char> root = root_dofs(world.body);
  const std::vector<double> rest = modes.x0;
  sim.controller = [&](const Simulation<double>& s, Drive<double>& drive) {
    const double t = s.state.time, share = options.ease > 0 ? smooth_step(t / options.ease) : 1;
    for (size_t j = 0; j < rest.size(); ++j)
      if (!root[j]) drive.rest[j] = rest[j];
    for (const ModeUse& use : uses) {
      const double a = share * (use.amplitude * sin(2 * pi * use.hz * t + use.phase) + use.beta);
      for (size_t j = 0; j < rest.size(); ++j)
        if (!root[j]) drive.rest[j] += a * modes.joints(long(j), use.mode);
    }
  };
  Motion motion = run(sim, options.seconds, world.rate, options.watch);
  step = sim.options;
  if (work) *work = sim.state.turnover;
  return motion;
}

Travel travel(const Motion& motion, double from) {
  Travel result;
  const Channel* com = motion.channel("center of mass");
  if (!com || motion.frames() < 2) return result;
  size_t first = 0;
  const size_t last = motion.time.size() - 1;
  while (first + 1 < last && motion.time[first] < from) ++first;
  const double span = motion.time[last] - motion.time[first];
  if (span <= 0) return result;
  for (int k = 0; k < 2; ++k)
    result.velocity[k] = (com->values[3 * last + size_t(k)] - com->values[3 * first + size_t(k)]) / span;
  result.speed = norm(result.velocity);
  result.forward = result.velocity.x;
  return result;
}

std::vector<TheoryRow> check_theory(const Creature& creature, const Modes& modes, int count, const Run& run) {
  World world;
  world.body = with_springs(creature, modes.q0, modes.stiffness, {}, false);
  world.terrain = no_terrain();
  world.gravity = {};
  const System<double> system = make_system(world);
  const int n = std::max(std::min(count, modes.count() - modes.rigid), 0);
  std::vector<TheoryRow> rows(static_cast<size_t>(n));
  Meter meter(run, "checking modes", n);
  parallel_for(n, run.threads, [&](int i, int) {
    TheoryRow& row = rows[size_t(i)];
    row.mode = modes.rigid + i;
    row.predicted = modes.frequency[size_t(row.mode)];
    StepOptions step;
    step.integrator = Integrator::rk4;
    // fine enough for the stiffest vibration, and for 400 points of this one's cycle
    step.dt = std::min(0.4 / modes.omega(modes.count() - 1), 1 / (400 * row.predicted));
    step.max_gain = 0;
    Simulation<double> sim(system, step);
    row.simulated = swing_frequency(sim, modes, row.mode, small_amplitude, 3);
    row.most = 1 / modes.joints.col(row.mode).cwiseAbs().maxCoeff();
    const auto wrong = [&](double amplitude) {
      stop_if_asked(run);
      const double f = swing_frequency(sim, modes, row.mode, amplitude, 2);
      return std::fabs(f / row.predicted - 1) > off;
    };
    row.amplitude = unlimited;
    if (wrong(row.most)) {
      double low = small_amplitude, high = row.most;
      while (high > 1.05 * low) {
        const double middle = std::sqrt(low * high);
        (wrong(middle) ? high : low) = middle;
      }
      row.amplitude = high;
    }
    meter.advance();
  });
  return rows;
}

}  // namespace legwork
