#pragma once
// Tasks for learners: what a body sees, what it may do, and what it is paid; one body, or hundreds at once.
//
//   Environment env(load_world("dog"), {.task = TaskOptions::Task::walk}, 256);
//   env.reset({}, seed);                  // all of them
//   env.step(actions);                    // 256 x actions() numbers between -1 and 1
//   env.observation(), env.reward(), env.terminated(), env.truncated()
//
// Actions are targets of the body's actuators, -1 and 1 the ends of their ranges. A body without actuators
// gets a servo for each joint, as `legwork discover` gives it. Observations are in units of the body: lengths
// in hip heights h (without legs: the height of the centre of mass in the pose stand), times in sqrt(h/g).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <legwork/run.h>
#include <legwork/world.h>

namespace legwork {

struct TaskOptions {
  enum class Task { walk, stand };

  Task task = Task::walk;
  double seconds = 10;   // s: an episode is truncated after it
  double hz = 30;        // actions a second
  double speed = 0;      // m/s: what is paid best; 0 = the faster the better
  double effort = 0.05;  // price of an action at the end of its range, held for sqrt(h/g)
  double noise = 0.02;   // rad or m: joints start within it of the pose stand
};
void describe(Options& v, TaskOptions& o);

// The body with sensors and actuators where it has none: one position servo for each joint that is not the
// root's. Throws Error for a body that nothing can move or that cannot travel.
Creature equipped(const Creature& creature);

// One number of an observation or an action, for people.
struct Signal {
  std::string name, unit;
  double lower = -unlimited, upper = unlimited;
};

class Environment {
 public:
  // Throws Error. threads: 0 = all cores.
  explicit Environment(const World& world, const TaskOptions& options = {}, int count = 1, int threads = 0);
  Environment(Environment&&) noexcept;
  Environment& operator=(Environment&&) noexcept;
  ~Environment();

  const World& world() const noexcept;  // with the body as it was equipped
  int count() const noexcept;
  double dt() const noexcept;  // s between two actions
  const std::vector<Signal>& observations() const noexcept;
  const std::vector<Signal>& actions() const noexcept;

  // Begins episodes: of the bodies named, or of all. Body i draws its start from stream i of the seed and of
  // the number of its episodes since, so that no two are alike.
  void reset(std::span<const int> which, std::uint64_t seed);
  void reset(std::span<const int> which = {});  // with the seed as it was
  // Holds the actions (count rows) for dt. Bodies whose episode has ended stay where they are. Throws Error
  // for actions that are not finite; those outside -1 to 1 count as the nearest end.
  void step(std::span<const double> actions);

  // A row or a number for each body; memory stays where it is.
  std::span<const double> observation() const noexcept;
  std::span<const double> reward() const noexcept;
  std::span<const unsigned char> terminated() const noexcept;  // fell or diverged
  std::span<const unsigned char> truncated() const noexcept;   // out of time
  std::span<const double> q() const noexcept;
  std::span<const double> v() const noexcept;
  std::span<const double> time() const noexcept;      // s, of the episode
  std::span<const double> distance() const noexcept;  // m, along x since the episode began

 private:
  struct Field;
  std::unique_ptr<Field> field_;
};

// --- many bodies under given commands, from the same start

struct RolloutOptions {
  double hz = 30;        // commands a second
  bool torques = false;  // commands are torques on the degrees of freedom (nv), not targets of actuators
};
void describe(Options& v, RolloutOptions& o);

struct Rollouts {
  int count = 0, steps = 0, nq = 0, nv = 0;
  double dt = 0;                // s between two commands
  std::vector<double> states;   // count x steps x (nq + nv): after each command was held for dt
  std::vector<double> rewards;  // count x steps: the task walk's, without the price of effort; 0 after a fall
  std::vector<int> lengths;     // commands until the body fell or diverged, else steps
};
// controls: count x steps x (actuators, or nv), in units of the body. Targets of a body without actuators are
// those of equipped(). start: empty = the pose stand, else one state (nq + nv) or one for each. Eight at a
// time, on run.threads threads. Throws Error.
Rollouts rollout(const World& world, std::span<const double> controls, int count, int steps,
                 const RolloutOptions& options = {}, std::span<const double> start = {}, const Run& run = {});

}  // namespace legwork
