// Many bodies under given commands: eight at a time, groups on several threads.

#include <legwork/environment.h>

#include <cmath>

#include <legwork/options.h>
#include "base/meter.h"
#include "base/parallel.h"
#include "base/text.h"
#include "physics/numbers.h"
#include "physics/task.h"

namespace legwork {

namespace {

// The starts as rows of q and of v: one, or one for each body.
struct Starts {
  std::vector<double> q, v;
  bool one = true;
};

Starts starts_of(const Arena& arena, std::span<const double> given, int count) {
  const std::size_t nq = std::size_t(arena.system.model.nq), nv = std::size_t(arena.system.model.nv);
  const Creature& body = arena.system.world.body;
  if (given.empty()) return {arena.start.q, arena.start.v, true};
  const std::size_t rows = given.size() / (nq + nv);
  if (rows * (nq + nv) != given.size() || (rows != 1 && rows != std::size_t(count)))
    throw Error({}, "start",
                "has " + std::to_string(given.size()) + " numbers, but a state of '" + body.name + "' has " +
                    std::to_string(nq + nv),
                "give one state, or one for each body");
  Starts starts;
  starts.one = rows == 1;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> state = given.subspan(i * (nq + nv), nq + nv);
    const std::vector<double> unit = checked_positions(arena.system.model, state.first(nq), "start", body);
    check_numbers(state.last(nv), int(nv), "start", "nv", body);
    starts.q.insert(starts.q.end(), unit.begin(), unit.end());
    starts.v.insert(starts.v.end(), state.begin() + long(nq), state.end());
  }
  return starts;
}

// One group of bodies through all commands.
class Course {
 public:
  Course(const Arena& arena, const TaskBody& body, bool torques, std::span<const double> controls, int nu,
         Rollouts& out)
      : arena_(arena), body_(body), torques_(torques), controls_(controls), nu_(nu), out_(out) {}

  void run(const LaneGroup& group, const Starts& starts, Lanes& lanes, const Run& run) {
    const std::size_t nq = std::size_t(out_.nq), nv = std::size_t(out_.nv);
    std::array<const double*, batch_lanes> qs{}, vs{};
    for (int k = 0; k < lanes.width(); ++k) {
      const std::size_t i = starts.one ? 0 : std::size_t(group.first + std::min(k, group.size - 1));
      qs[std::size_t(k)] = &starts.q[i * nq], vs[std::size_t(k)] = &starts.v[i * nv];
    }
    lanes.reset(qs, vs);
    std::vector<double> torque(nv, 0.0), target(arena_.system.actuators.size());
    std::array<double, batch_lanes> x{};
    std::array<char, batch_lanes> down{};
    for (int k = 0; k < group.size; ++k) x[std::size_t(k)] = lanes.view(k).com.x;
    for (int n = 0; n < out_.steps; ++n) {
      if (run.stopped()) return;
      for (int k = 0; k < lanes.width(); ++k) {
        const double* command = command_of(group.first + std::min(k, group.size - 1), n);
        if (torques_) lanes.get_drive(k, torque.data(), target.data());
        lanes.set_drive(k, torques_ ? command : torque.data(), torques_ ? target.data() : command);
      }
      lanes.step(arena_.frame_steps);
      for (int k = 0; k < group.size; ++k)
        note(lanes, group.first + k, k, n, x[std::size_t(k)], down[std::size_t(k)]);
    }
  }

 private:
  const double* command_of(int i, int n) const {
    return controls_.data() + (std::size_t(i) * std::size_t(out_.steps) + std::size_t(n)) * std::size_t(nu_);
  }

  void note(const Lanes& lanes, int i, int lane, int n, double& x, char& down) {
    const std::size_t at = std::size_t(i) * std::size_t(out_.steps) + std::size_t(n);
    double* state = &out_.states[at * std::size_t(out_.nq + out_.nv)];
    lanes.get_state(lane, state, state + out_.nq);
    const BodyView view = lanes.view(lane);
    const bool failed = lanes.status(lane) != Status::ok;
    out_.rewards[at] = down || failed ? 0 : (view.com.x - x) / body_.height();
    x = view.com.x;
    if (down) return;
    out_.lengths[std::size_t(i)] = n + 1;
    down = failed || body_.fallen(lanes, lane);
  }

  const Arena& arena_;
  const TaskBody& body_;
  bool torques_;
  std::span<const double> controls_;
  int nu_;
  Rollouts& out_;
};

}  // namespace

void describe(Options& v, RolloutOptions& o) {
  v.number("hz", o.hz, {0.1, 100000, "Hz", "commands a second"});
  v.flag("torques", o.torques,
         "commands are torques on the degrees of freedom (nv), not targets of actuators");
}

Rollouts rollout(const World& given, std::span<const double> controls, int count, int steps,
                 const RolloutOptions& asked, std::span<const double> start, const Run& run) {
  RolloutOptions options;
  const Options described(options);
  options = asked;
  for (const Option& option : described.all()) option.set(option.get(), {}, "rollout: " + option.name);
  World world = given;
  if (!options.torques && world.body.actuators.empty()) world.body = equipped(world.body);
  world.rate = options.hz;
  const std::shared_ptr<const Arena> arena = make_arena(for_batches(world), false);
  const int nu = options.torques ? arena->system.model.nv : int(arena->system.actuators.size());
  if (count < 0 || steps < 0 || controls.size() != std::size_t(count) * std::size_t(steps) * std::size_t(nu))
    throw Error({}, "controls",
                "has " + std::to_string(controls.size()) + " numbers, but " + std::to_string(count) +
                    " bodies x " + std::to_string(steps) + " steps x " + std::to_string(nu) +
                    " commands need " +
                    std::to_string(std::size_t(count) * std::size_t(steps) * std::size_t(nu)));
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (!std::isfinite(controls[i]))
      throw Error({}, "controls[" + std::to_string(i) + "]", to_text(controls[i]) + " is not finite");

  const TaskBody body(*arena);
  const Starts starts = starts_of(*arena, start, count);
  Rollouts out;
  out.count = count, out.steps = steps, out.nq = arena->system.model.nq, out.nv = arena->system.model.nv;
  out.dt = double(arena->frame_steps) * arena->step.dt;
  const std::size_t cells = std::size_t(count) * std::size_t(steps);
  out.states.resize(cells * std::size_t(out.nq + out.nv));
  out.rewards.resize(cells);
  out.lengths.resize(std::size_t(count), 0);

  const std::vector<LaneGroup> groups = divide(*arena, count);
  Meter meter(run, "rolling out", long(groups.size()));
  Course course(*arena, body, options.torques, controls, nu, out);
  parallel_for(int(groups.size()), run.threads, [&](int g, int) {
    const LaneGroup& group = groups[std::size_t(g)];
    course.run(group, starts, *make_lanes(*arena, group.alone), run);
    meter.advance();
  });
  stop_if_asked(run);
  return out;
}

}  // namespace legwork
