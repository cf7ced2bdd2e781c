#include <legwork/environment.h>

#include <algorithm>
#include <cmath>

#include <legwork/options.h>
#include "base/parallel.h"
#include "base/text.h"
#include "discover/equip.h"
#include "physics/task.h"

namespace legwork {

namespace {

constexpr int most_bodies = 1 << 20;

World task_world(World world, double hz) {
  if (world.body.actuators.empty()) world.body = equipped(world.body);
  world.rate = hz;
  return world;
}

}  // namespace

void describe(Options& v, TaskOptions& o) {
  v.choice("task", o.task,
           {{"walk", "paid for the distance along x, in hip heights"},
            {"stand", "paid for standing upright at full height"}},
           "what the body is to do");
  v.number("seconds", o.seconds, {0.01, 86400, "s", "an episode is truncated after this time"});
  v.number("hz", o.hz, {0.1, 10000, "Hz", "actions a second"});
  v.number("speed", o.speed,
           {0, 1000, "m/s", "speed of a walk that is paid best; 0 = the faster the better"});
  v.number("effort", o.effort,
           {0, 1000, "1", "price of actions at the ends of their ranges, for a time of sqrt(h/g)"});
  v.number("noise", o.noise, {0, 3, "", "joints start within this of the pose stand, rad or m"});
}

Creature equipped(const Creature& creature) { return equip(creature).body; }

struct Environment::Field {
  TaskOptions options;
  std::shared_ptr<const Arena> arena;
  TaskBody body;
  int threads, nq, nv, nu, seen, count;
  std::vector<Signal> actions;
  std::vector<LaneGroup> groups;
  std::vector<std::unique_ptr<Lanes>> lanes;
  std::vector<double> observation, reward, q, v, time, distance, target, torque;
  std::vector<unsigned char> terminated, truncated;
  std::vector<long> held;              // actions of each body's episode
  std::vector<Vec3d> start, com;       // centre of mass at the episode's start and now
  std::vector<std::uint64_t> episode;  // number of each body's next one
  std::vector<std::uint64_t> seed;     // of each body
  long last = 0;                       // actions of an episode

  Field(std::shared_ptr<const Arena> made, const TaskOptions& asked, int n, int on)
      : options(asked), arena(std::move(made)), body(*arena), threads(on), count(n) {
    const System<double>& system = arena->system;
    nq = system.model.nq, nv = system.model.nv, nu = int(system.actuators.size());
    seen = int(body.observations().size());
    for (const Actuator& a : system.world.body.actuators) actions.push_back(command_range(a));
    groups = divide(*arena, count);
    for (const LaneGroup& group : groups) lanes.push_back(make_lanes(*arena, group.alone));
    const std::size_t rows = std::size_t(count);
    observation.resize(rows * std::size_t(seen)), reward.resize(rows), time.resize(rows);
    distance.resize(rows), q.resize(rows * std::size_t(nq)), v.resize(rows * std::size_t(nv));
    target.resize(rows * std::size_t(nu)), torque.resize(std::size_t(nv));
    terminated.resize(rows), truncated.resize(rows), held.resize(rows), start.resize(rows), com.resize(rows);
    episode.resize(rows), seed.resize(rows, 1);
    last = std::max(1L, std::lround(options.seconds * options.hz));
  }

  double dt() const { return double(arena->frame_steps) * arena->step.dt; }
  double* row(std::vector<double>& rows, int i, int width) {
    return rows.data() + std::size_t(i) * std::size_t(width);
  }

  void show(std::size_t g, int lane) {
    const int i = groups[g].first + lane;
    lanes[g]->get_state(lane, row(q, i, nq), row(v, i, nv));
    body.observe(*lanes[g], lane, row(v, i, nv), row(observation, i, seen));
  }

  // A flag for each body: those named, or all. Throws Error.
  std::vector<char> chosen(std::span<const int> which) const {
    std::vector<char> out(std::size_t(count), which.empty());
    for (const int i : which) {
      if (i < 0 || i >= count)
        throw Error({}, "environment",
                    "body " + std::to_string(i) + " is not one of the " + std::to_string(count));
      out[std::size_t(i)] = 1;
    }
    return out;
  }

  void reset(const std::vector<char>& which) {
    parallel_for(int(groups.size()), threads, [&](int index, int) {
      const std::size_t g = std::size_t(index);
      std::array<std::vector<double>, batch_lanes> from;
      const std::vector<double> rest(std::size_t(nv), 0.0);
      std::array<const double*, batch_lanes> qs{}, vs{};
      for (int k = 0; k < groups[g].size; ++k) {
        const std::size_t i = std::size_t(groups[g].first + k), lane = std::size_t(k);
        if (!which[i]) continue;
        from[lane] = body.start(options.noise, Random(seed[i] + (episode[i]++ << 32), i));
        qs[lane] = from[lane].data(), vs[lane] = rest.data();
      }
      if (std::all_of(qs.begin(), qs.end(), [](const double* p) { return !p; })) return;
      lanes[g]->reset(qs, vs);
      for (int k = 0; k < groups[g].size; ++k)
        if (qs[std::size_t(k)]) begin(g, k);
    });
  }

  void begin(std::size_t g, int lane) {
    const std::size_t i = std::size_t(groups[g].first + lane);
    std::vector<double> unused(std::size_t(nv), 0.0);
    lanes[g]->get_drive(lane, unused.data(), row(target, int(i), nu));
    start[i] = com[i] = lanes[g]->view(lane).com;
    held[i] = 0, reward[i] = time[i] = distance[i] = 0;
    terminated[i] = truncated[i] = 0;
    show(g, lane);
  }

  void aim(int i, const double* action) {
    double* out = row(target, i, nu);
    for (int k = 0; k < nu; ++k) {
      const Signal& range = actions[std::size_t(k)];
      const double share = 0.5 * (std::clamp(action[k], -1.0, 1.0) + 1);
      out[k] = range.lower + share * (range.upper - range.lower);
    }
  }

  void step(std::span<const double> given) {
    parallel_for(int(groups.size()), threads, [&](int index, int) {
      const std::size_t g = std::size_t(index);
      for (int k = 0; k < groups[g].size; ++k) {
        const int i = groups[g].first + k;
        if (!over(i)) aim(i, given.data() + std::size_t(i) * std::size_t(nu));
        lanes[g]->set_drive(k, torque.data(), row(target, i, nu));
      }
      lanes[g]->step(arena->frame_steps);
      for (int k = 0; k < groups[g].size; ++k) {
        const int i = groups[g].first + k;
        if (over(i))
          reward[std::size_t(i)] = 0;
        else
          pay(g, k, given.data() + std::size_t(i) * std::size_t(nu));
      }
    });
  }

  bool over(int i) const { return terminated[std::size_t(i)] || truncated[std::size_t(i)]; }

  void pay(std::size_t g, int lane, const double* action) {
    const std::size_t i = std::size_t(groups[g].first + lane);
    const BodyView view = lanes[g]->view(lane);
    const double moved = view.com.x - com[i].x;
    com[i] = view.com;
    distance[i] = view.com.x - start[i].x;
    time[i] = double(++held[i]) * dt();
    const double moments = dt() / body.moment();
    double paid = body.upright(*lanes[g], lane) * moments;
    if (options.task == TaskOptions::Task::walk) {
      const double wanted = options.speed * dt();
      paid = (options.speed > 0 ? wanted - std::fabs(moved - wanted) : moved) / body.height();
    }
    double square = 0;
    for (int k = 0; k < nu; ++k)
      square += std::clamp(action[k], -1.0, 1.0) * std::clamp(action[k], -1.0, 1.0);
    reward[i] = paid - options.effort * moments * square / std::max(nu, 1);
    show(g, lane);
    const bool failed = lanes[g]->status(lane) != Status::ok;
    if (failed) reward[i] = 0;
    terminated[i] = failed || body.fallen(*lanes[g], lane);
    truncated[i] = !terminated[i] && held[i] >= last;
  }
};

Environment::Environment(const World& world, const TaskOptions& asked, int count, int threads) {
  TaskOptions options;
  const Options described(options);
  options = asked;
  for (const Option& option : described.all()) option.set(option.get(), {}, "environment: " + option.name);
  if (count < 1 || count > most_bodies)
    throw Error({}, "environment: count", std::to_string(count) + " bodies",
                "give 1 to " + std::to_string(most_bodies));
  field_ = std::make_unique<Field>(make_arena(task_world(for_batches(world), options.hz), true), options,
                                   count, threads);
  reset();
}
Environment::Environment(Environment&&) noexcept = default;
Environment& Environment::operator=(Environment&&) noexcept = default;
Environment::~Environment() = default;

const World& Environment::world() const noexcept { return field_->arena->system.world; }
int Environment::count() const noexcept { return field_->count; }
double Environment::dt() const noexcept { return field_->dt(); }
const std::vector<Signal>& Environment::observations() const noexcept { return field_->body.observations(); }
const std::vector<Signal>& Environment::actions() const noexcept { return field_->actions; }

void Environment::reset(std::span<const int> which, std::uint64_t seed) {
  const std::vector<char> chosen = field_->chosen(which);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) field_->seed[i] = seed, field_->episode[i] = 0;
  field_->reset(chosen);
}

void Environment::reset(std::span<const int> which) { field_->reset(field_->chosen(which)); }

void Environment::step(std::span<const double> actions) {
  const std::size_t size = std::size_t(count()) * std::size_t(field_->nu);
  if (actions.size() != size)
    throw Error({}, "actions",
                "has " + std::to_string(actions.size()) + " numbers, but " + std::to_string(count()) + " x " +
                    std::to_string(field_->nu) + " are needed");
  for (std::size_t i = 0; i < size; ++i)
    if (!std::isfinite(actions[i]))
      throw Error({}, "actions[" + std::to_string(i) + "]", to_text(actions[i]) + " is not finite");
  field_->step(actions);
}

std::span<const double> Environment::observation() const noexcept { return field_->observation; }
std::span<const double> Environment::reward() const noexcept { return field_->reward; }
std::span<const unsigned char> Environment::terminated() const noexcept { return field_->terminated; }
std::span<const unsigned char> Environment::truncated() const noexcept { return field_->truncated; }
std::span<const double> Environment::q() const noexcept { return field_->q; }
std::span<const double> Environment::v() const noexcept { return field_->v; }
std::span<const double> Environment::time() const noexcept { return field_->time; }
std::span<const double> Environment::distance() const noexcept { return field_->distance; }

}  // namespace legwork
