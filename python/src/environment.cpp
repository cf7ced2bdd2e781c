// Environments and rollouts: the library's part of them.

#include <limits>

#include "core.h"

namespace legwork::python {

namespace {

struct PyEnvironment {
  explicit PyEnvironment(Environment made) : env(std::move(made)) {}
  Environment env;
  std::atomic<bool> busy = false;
  InUse use() { return InUse(busy, "environment", "give each thread its own"); }
};

std::unique_ptr<PyEnvironment> make(py::object creature, int n, int threads, const py::kwargs& given) {
  TaskOptions task;
  WorldOptions words;
  const Options task_options(task), world_options(words);
  set_options({&task_options, &world_options}, given, "environment");
  const World world = to_world(creature, part(given, task_options, false), "environment");
  return std::make_unique<PyEnvironment>(
      Environment(world, task, n, checked_threads(threads, "environment")));
}

py::list signals(const std::vector<Signal>& all) {
  py::list out;
  for (const Signal& s : all) out.append(py::make_tuple(s.name, s.unit, s.lower, s.upper));
  return out;
}

py::array flags(std::span<const unsigned char> memory, py::handle owner) {
  py::array array(py::dtype("?"), Shape{py::ssize_t(memory.size())}, memory.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::tuple roll_out(py::object creature, py::object controls, py::object start, py::object progress,
                   py::object stop, const py::kwargs& given) {
  RolloutOptions rollout_options;
  Run asked;
  WorldOptions words;
  const Options mine(rollout_options), run_options(asked), world_options(words);
  set_options({&mine, &run_options, &world_options}, given, "rollout");
  const World world = to_world(creature, part(part(given, mine, false), run_options, false), "rollout");
  const Numbers numbers(controls, "controls", {-1, -1, -1});
  const Shape shape = numbers.shape();
  for (const py::ssize_t n : shape)
    if (n > std::numeric_limits<int>::max())
      throw Error({}, "controls", "has the shape " + to_text(shape), "give fewer at a time");
  std::vector<double> from;
  if (!start.is_none()) {
    const Numbers states(start, "start");
    from.assign(states.span().begin(), states.span().end());
  }
  Rollouts out;
  run_in_background(asked, {progress, stop}, [&](const Run& run) {
    out = rollout(world, numbers.span(), int(shape[0]), int(shape[1]), rollout_options, from, run);
  });
  return py::make_tuple(owned(std::move(out.states), {out.count, out.steps, out.nq + out.nv}),
                        owned(std::move(out.rewards), {out.count, out.steps}));
}

void bind_arrays(py::class_<PyEnvironment>& c) {
  const auto rows = [&c](const char* name, auto get, bool flat, const char* doc) {
    c.def_property_readonly(
        name,
        [get, flat](py::object self) {
          const Environment& env = self.cast<const PyEnvironment&>().env;
          const std::span<const double> memory = (env.*get)();
          const py::ssize_t n = env.count();
          return view(memory, flat ? Shape{n} : Shape{n, py::ssize_t(memory.size()) / n}, self);
        },
        doc);
  };
  rows("observation", &Environment::observation, false, "(n, numbers); a read-only view");
  rows("reward", &Environment::reward, true, "(n,); a read-only view");
  rows("q", &Environment::q, false, "(n, nq); a read-only view");
  rows("v", &Environment::v, false, "(n, nv); a read-only view");
  rows("time", &Environment::time, true, "s of the episode (n,); a read-only view");
  rows("distance", &Environment::distance, true, "m along x since the episode began (n,); a read-only view");
  c.def_property_readonly(
      "terminated",
      [](py::object self) { return flags(self.cast<const PyEnvironment&>().env.terminated(), self); },
      "fell or diverged (n,); a read-only view");
  c.def_property_readonly(
      "truncated",
      [](py::object self) { return flags(self.cast<const PyEnvironment&>().env.truncated(), self); },
      "out of time (n,); a read-only view");
}

void bind_moves(py::class_<PyEnvironment>& c) {
  c.def(
      "reset",
      [](PyEnvironment& e, py::object which, py::object seed) {
        const InUse guard = e.use();
        const std::vector<int> bodies =
            which.is_none() ? std::vector<int>{} : to_indices(which, e.env.count(), "which");
        if (!which.is_none() && bodies.empty()) return;
        if (seed.is_none()) return e.env.reset(bodies);
        const std::uint64_t number = to<std::uint64_t>(seed, "seed", "a whole number from 0 on");
        const Unlocked free;
        e.env.reset(bodies, number);
      },
      py::arg("which") = py::none(), py::arg("seed") = py::none(),
      "Begins episodes: of the bodies named, or of all.");
  c.def(
      "step",
      [](PyEnvironment& e, py::object actions) {
        const InUse guard = e.use();
        const Numbers rows(actions, "actions", {e.env.count(), py::ssize_t(e.env.actions().size())});
        const Unlocked free;
        e.env.step(rows.span());
      },
      py::arg("actions"), "Holds the actions (n, numbers), each from -1 to 1, for dt.");
  c.def("__reduce__", [](py::object) -> py::object {
    throw py::type_error("an Environment cannot be pickled; make another one with the same seed");
  });
}

}  // namespace

void bind_environment(py::module_& m) {
  const std::string doc =
      with_options("Bodies with a task, n at a time: what Env and VectorEnv stand on.", {"task", "world"});
  py::class_<PyEnvironment> c(m, "Environment", doc.c_str());
  c.def(py::init(&make), py::arg("creature"), py::arg("n") = 1, py::arg("threads") = 0);
  c.def_property_readonly(
      "n", [](const PyEnvironment& e) { return e.env.count(); }, "number of bodies");
  c.def_property_readonly(
      "dt", [](const PyEnvironment& e) { return e.env.dt(); }, "s between two actions");
  c.def_property_readonly(
      "observations", [](const PyEnvironment& e) { return signals(e.env.observations()); },
      "name, unit, lower and upper end of each number of an observation");
  c.def_property_readonly(
      "actions", [](const PyEnvironment& e) { return signals(e.env.actions()); },
      "name, unit, and what -1 and 1 mean, of each number of an action");
  c.def_property_readonly(
      "creature",
      [](const PyEnvironment& e) { return PyCreature{std::make_shared<const World>(e.env.world())}; },
      "with its actuators");
  bind_arrays(c);
  bind_moves(c);
  const std::string rollout_doc = with_options(
      "Many bodies under given commands (n, steps, nu), from the same start or one each (n, nq + nv): "
      "states (n, steps, nq + nv) and rewards (n, steps).",
      {"rollout", "run", "world"});
  m.def("rollout", roll_out, py::arg("creature"), py::arg("controls"), py::kw_only(),
        py::arg("start") = py::none(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
        rollout_doc.c_str());
}

}  // namespace legwork::python
