// The physics alone: one world step by step, or many at once.

#include "result.h"

namespace legwork::python {

namespace {

struct PySimulation {
  explicit PySimulation(Physics made) : physics(std::move(made)) {}
  Physics physics;
  std::atomic<bool> busy = false;
  InUse use() { return InUse(busy, "simulation", "give each thread a simulation of its own: sim.copy()"); }
};

struct PyBatch {
  explicit PyBatch(PhysicsBatch made) : physics(std::move(made)) {}
  PhysicsBatch physics;
  std::atomic<bool> busy = false;
  InUse use() {
    return InUse(busy, "simulation batch", "step it from one thread; it uses all cores by itself");
  }
};

int positive(int steps) {
  if (steps < 0) throw Error({}, "steps", std::to_string(steps) + " is less than 0");
  return steps;
}

// Numbers for every element of `out`. Throws Error before anything is changed.
void fill(py::handle given, const char* who, const Shape& shape, std::span<double> out) {
  if (given.is_none()) return;
  const Numbers numbers(given, who, shape);
  const std::span<const double> values = numbers.span();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] - values[i] == 0))
      throw Error({}, std::string(who) + "[" + std::to_string(i) + "]", "is not finite");
  std::copy(values.begin(), values.end(), out.begin());
}

// n rows of a caller's numbers, or one that stands for all; nothing for None. Throws Error.
std::vector<double> rows(py::handle given, const char* who, std::size_t n, py::ssize_t width) {
  if (given.is_none()) return {};
  const Numbers numbers(given, who);
  const bool one = numbers.array().ndim() == 1;
  std::vector<double> out(n * std::size_t(width)), first(one ? std::size_t(width) : 0);
  if (!one) return fill(numbers.array(), who, {py::ssize_t(n), width}, out), out;
  fill(numbers.array(), who, {width}, first);
  for (std::size_t i = 0; i < n; ++i)
    std::copy(first.begin(), first.end(), out.begin() + py::ssize_t(i) * width);
  return out;
}

// In pieces, between which signals are heard: some hundredths of a second for so many bodies. The lock is
// free meanwhile.
template <class Step>
void step_in_pieces(int steps, int bodies, const Step& step) {
  const int piece = std::max(10, 4000 / bodies);
  do {
    const int now = std::min(steps, piece);
    {
      const Unlocked free;
      if (!step(now)) return;
    }
    steps -= now;
    if (steps > 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
  } while (steps > 0);
}

using Class = py::class_<PySimulation>;

void bind_state(Class& c) {
  const auto array = [&c](const char* name, auto get, const char* doc) {
    c.def_property(
        name,
        [get](py::object self) {
          const std::span<double> memory = (self.cast<PySimulation&>().physics.*get)();
          return writable_view(memory, {py::ssize_t(memory.size())}, self);
        },
        [get, name](PySimulation& self, py::object given) {
          const InUse guard = self.use();
          const std::span<double> memory = (self.physics.*get)();
          fill(given, name, {py::ssize_t(memory.size())}, memory);
        },
        doc);
  };
  array("q", &Physics::q, "positions (nq,): yours to change between steps");
  array("v", &Physics::v, "velocities (nv,): yours to change between steps");
  array("torque", &Physics::torque, "torques and forces on the joints (nv,), until they are set again");
  array("target", &Physics::target, "a target for each actuator (nu,), until it is set again");
  c.def_property_readonly(
      "nq", [](const PySimulation& s) { return s.physics.nq(); }, "number of positions");
  c.def_property_readonly(
      "nv", [](const PySimulation& s) { return s.physics.nv(); }, "number of velocities");
  c.def_property_readonly(
      "nu", [](const PySimulation& s) { return s.physics.nu(); }, "number of actuators");
  c.def_property_readonly(
      "dt", [](const PySimulation& s) { return s.physics.dt(); }, "s, of a step");
  c.def_property_readonly(
      "time", [](const PySimulation& s) { return s.physics.time(); }, "s since the reset");
  c.def_property_readonly(
      "frame_steps", [](const PySimulation& s) { return s.physics.frame_steps(); },
      "steps that make a frame of the world's rate");
  c.def_property_readonly(
      "status", [](const PySimulation& s) { return to_string(s.physics.status()); }, "'ok' or 'diverged'");
  c.def_property_readonly(
      "status_text",
      [](PySimulation& s) {
        const InUse guard = s.use();
        return s.physics.status_text();
      },
      "what failed, the likely cause and what to try");
}

void bind_forces(Class& c) {
  const auto found = [&c](const char* name, auto get, bool rows, const char* doc) {
    c.def_property_readonly(
        name,
        [get, rows](py::object self) {
          PySimulation& s = self.cast<PySimulation&>();
          const InUse guard = s.use();
          const std::span<const double> memory = (s.physics.*get)();
          const py::ssize_t n = py::ssize_t(memory.size());
          return view(memory, rows ? Shape{n / 3, 3} : Shape{n}, self);
        },
        doc);
  };
  found("acceleration", &Physics::acceleration, false, "of the last step (nv,); a read-only view");
  found("joint_torque", &Physics::joint_torque, false,
        "drives, actuators, springs, dampers, limits (nv,); a read-only view");
  found("contact_force", &Physics::contact_force, true,
        "of the ground, N, world axes (contacts, 3); a read-only view");
  c.def_property_readonly(
      "center_of_mass",
      [](PySimulation& s) {
        const InUse guard = s.use();
        return to_python(s.physics.center_of_mass());
      },
      "m, world");
  c.def(
      "energy",
      [](PySimulation& s) {
        const InUse guard = s.use();
        const EnergyAccount e = s.physics.energy();
        py::dict out;
        out["kinetic"] = e.kinetic, out["potential"] = e.potential, out["elastic"] = e.elastic;
        out["contact"] = e.contact, out["work"] = e.work;
        return out;
      },
      "J: kinetic, potential, elastic, contact, and the work done since the reset.");
}

void bind_moves(Class& c) {
  c.def(
      "step",
      [](PySimulation& s, py::object torque, py::object target, int steps) {
        const InUse guard = s.use();
        fill(torque, "torque", {s.physics.nv()}, s.physics.torque());
        fill(target, "target", {s.physics.nu()}, s.physics.target());
        bool going = true;
        step_in_pieces(positive(steps), 1, [&](int n) { return going = s.physics.step(n); });
        return going;
      },
      py::arg("torque") = py::none(), py::arg("target") = py::none(), py::arg("steps") = 1,
      "Advances by so many steps of dt, with torques (nv,) or targets (nu,) where they are given. False: the "
      "world has "
      "diverged.");
  c.def(
      "reset",
      [](PySimulation& s, py::object start, py::object v) {
        const InUse guard = s.use();
        if (start.is_none() || py::isinstance<py::str>(start)) {
          if (!v.is_none()) throw Error({}, "reset", "a pose is at rest", "give q as well as v");
          return s.physics.reset(start.is_none() ? "stand" : to<std::string>(start, "pose", unicode));
        }
        const Numbers q(start, "q", {s.physics.nq()});
        if (v.is_none()) return s.physics.reset(q.span());
        const Numbers speed(v, "v", {s.physics.nv()});
        s.physics.reset(q.span(), speed.span());
      },
      py::arg("start") = py::none(), py::arg("v") = py::none(),
      "Starts anew at t = 0: in a pose by name (default: stand, feet on the ground), or from q and v.");
  c.def(
      "push",
      [](PySimulation& s, const std::string& link, py::object force, double seconds) {
        const InUse guard = s.use();
        s.physics.push(find_point(s.physics.world().body, link).link, to_vector(force, "force"), seconds);
      },
      py::arg("link"), py::arg("force"), py::arg("seconds"),
      "A constant force (N, world axes) at a link's centre of mass, from now on for so many seconds.");
  c.def(
      "record",
      [](PySimulation& s) {
        const InUse guard = s.use();
        s.physics.record();
      },
      "Adds the present state as a frame to the motion.");
  c.def(
      "motion",
      [](PySimulation& s) {
        const InUse guard = s.use();
        return share(s.physics.motion());
      },
      "The recorded frames as a Result: gait, pages, files.");
  // through __init__, so that a subclass keeps its kind, with attributes as the function makes them
  const auto copy = [c](const py::object& self, const auto& attributes) {
    self.cast<PySimulation&>();  // not of a class that has no Simulation in it
    const py::object twin = self.get_type().attr("__new__")(self.get_type());
    c.attr("__init__")(twin, self);
    if (py::hasattr(self, "__dict__"))
      twin.attr("__dict__").attr("update")(attributes(self.attr("__dict__")));
    return twin;
  };
  const auto same = [](const py::object& attributes) { return attributes; };
  const auto shallow = [copy, same](const py::object& self) { return copy(self, same); };
  c.def("copy", shallow, "The same world at the same state, to go its own way.");
  c.def("__copy__", shallow);
  c.def("__deepcopy__", [copy](const py::object& self, const py::object& memo) {
    return copy(self, [&](const py::object& attributes) {
      return py::module_::import("copy").attr("deepcopy")(attributes, memo);
    });
  });
}

std::unique_ptr<PySimulation> make_simulation(const py::object& creature, const py::kwargs& options) {
  if (!py::isinstance<PySimulation>(creature) || !options.empty())
    return std::make_unique<PySimulation>(Physics(to_world(creature, options, "Simulation")));
  PySimulation& other = creature.cast<PySimulation&>();
  const InUse guard = other.use();
  return std::make_unique<PySimulation>(Physics(other.physics));
}

template <class C>
void refuse_pickle(C& c, const char* what, const char* advice) {
  c.def("__reduce__", [what, advice](py::object) -> py::object {
    throw py::type_error(std::string("a ") + what + " cannot be pickled; " + advice);
  });
}

using BatchClass = py::class_<PyBatch>;

void bind_batch_arrays(BatchClass& c) {
  const auto rows = [&c](const char* name, auto get, bool writable, const char* doc) {
    c.def_property_readonly(
        name,
        [get, writable](py::object self) {
          PhysicsBatch& p = self.cast<PyBatch&>().physics;
          const auto memory = (p.*get)();
          const Shape shape{p.count(), py::ssize_t(memory.size()) / p.count()};
          if (!writable) return view(memory, shape, self);
          return writable_view({const_cast<double*>(memory.data()), memory.size()}, shape, self);
        },
        doc);
  };
  rows("q", &PhysicsBatch::q, false, "positions (n, nq); a read-only view, reset changes them");
  rows("v", &PhysicsBatch::v, false, "velocities (n, nv); a read-only view");
  rows("torque", &PhysicsBatch::torque, true,
       "torques and forces on the joints (n, nv), until they are set again");
  rows("target", &PhysicsBatch::target, true, "targets of the actuators (n, nu), until they are set again");
  rows("center_of_mass", &PhysicsBatch::center_of_mass, false, "m, world (n, 3); a read-only view");
  c.def_property_readonly(
      "time",
      [](py::object self) {
        PhysicsBatch& p = self.cast<PyBatch&>().physics;
        return view(p.time(), {p.count()}, self);
      },
      "s since each body's start (n,); a read-only view");
  c.def_property_readonly(
      "contact_force",
      [](py::object self) {
        PyBatch& b = self.cast<PyBatch&>();
        const InUse guard = b.use();
        const auto memory = b.physics.contact_force();
        return view(memory, {b.physics.count(), py::ssize_t(memory.size()) / b.physics.count() / 3, 3}, self);
      },
      "of the ground, N, world axes (n, contacts, 3); a read-only view");
}

void bind_batch_numbers(BatchClass& c) {
  c.def_property_readonly(
      "n", [](const PyBatch& b) { return b.physics.count(); }, "number of bodies");
  c.def_property_readonly(
      "nq", [](const PyBatch& b) { return b.physics.nq(); }, "number of positions");
  c.def_property_readonly(
      "nv", [](const PyBatch& b) { return b.physics.nv(); }, "number of velocities");
  c.def_property_readonly(
      "nu", [](const PyBatch& b) { return b.physics.nu(); }, "number of actuators");
  c.def_property_readonly(
      "dt", [](const PyBatch& b) { return b.physics.dt(); }, "s, of a step");
  c.def_property_readonly(
      "frame_steps", [](const PyBatch& b) { return b.physics.frame_steps(); },
      "steps that make a frame of the world's rate");
  c.def_property_readonly(
      "status",
      [](const PyBatch& b) {
        py::list out;
        for (int i = 0; i < b.physics.count(); ++i) out.append(to_string(b.physics.status(i)));
        return out;
      },
      "'ok' or 'diverged' of each body");
}

void bind_batch_moves(BatchClass& c) {
  c.def(
      "step",
      [](PyBatch& b, py::object torque, py::object target, int steps) {
        const InUse guard = b.use();
        const py::ssize_t n = b.physics.count();
        fill(torque, "torque", {n, b.physics.nv()}, b.physics.torque());
        fill(target, "target", {n, b.physics.nu()}, b.physics.target());
        step_in_pieces(positive(steps), int(n), [&](int k) { return b.physics.step(k), true; });
      },
      py::arg("torque") = py::none(), py::arg("target") = py::none(), py::arg("steps") = 1,
      "Advances all by so many steps; those that have diverged stay where they were.");
  c.def(
      "reset",
      [](PyBatch& b, py::object which, py::object q, py::object v) {
        const InUse guard = b.use();
        std::vector<int> bodies;
        if (which.is_none())
          for (int i = 0; i < b.physics.count(); ++i) bodies.push_back(i);
        else
          bodies = to_indices(which, b.physics.count(), "which");
        const std::vector<double> from_q = rows(q, "q", bodies.size(), b.physics.nq());
        const std::vector<double> from_v = rows(v, "v", bodies.size(), b.physics.nv());
        b.physics.reset(bodies, from_q, from_v);
      },
      py::arg("which") = py::none(), py::arg("q") = py::none(), py::arg("v") = py::none(),
      "Starts bodies anew, by their numbers, by a truth value for each, or all: as they started first, or "
      "from q and v, a row for each or one for all.");
}

void bind_batch(py::module_& m) {
  const std::string doc = with_options(
      "So many bodies of one world, each with a state of its own; eight at a time inside, on several "
      "threads. Each has the bits that a Simulation would give it.",
      {"world"});
  BatchClass c(m, "SimulationBatch", doc.c_str());
  c.def(py::init([](py::object creature, int n, int threads, const py::kwargs& options) {
          return std::make_unique<PyBatch>(PhysicsBatch(to_world(creature, options, "SimulationBatch"), n,
                                                        checked_threads(threads, "SimulationBatch")));
        }),
        py::arg("creature"), py::arg("n"), py::arg("threads") = 0);
  bind_batch_arrays(c);
  bind_batch_numbers(c);
  bind_batch_moves(c);
  c.def("__len__", [](const PyBatch& b) { return b.physics.count(); });
  c.def("__repr__", [](const PyBatch& b) {
    return "<legwork.SimulationBatch: " + std::to_string(b.physics.count()) + " x '" +
           b.physics.world().body.name + "'>";
  });
  c.def("__copy__",
        [](py::object) -> py::object { throw py::type_error("a SimulationBatch cannot be copied"); });
  c.def("__deepcopy__", [](py::object, py::object) -> py::object {
    throw py::type_error("a SimulationBatch cannot be copied");
  });
  refuse_pickle(c, "SimulationBatch", "keep its q and v, and reset another one with them");
}

}  // namespace

void bind_simulation(py::module_& m) {
  const std::string doc = with_options(
      "The physics of a world, one step at a time, under a controller of yours. Of another Simulation it is "
      "a copy.",
      {"world"});
  Class c(m, "Simulation", doc.c_str());
  c.def(py::init(&make_simulation), py::arg("creature"));
  c.def_property_readonly(
      "world",
      [](const PySimulation& s) { return PyWorld{std::make_shared<const World>(s.physics.world())}; },
      "what is simulated");
  bind_state(c);
  bind_forces(c);
  bind_moves(c);
  c.def("__repr__", [](const PySimulation& s) {
    return "<legwork.Simulation of '" + s.physics.world().body.name + "' at " + short_text(s.physics.time()) +
           " s>";
  });
  refuse_pickle(c, "Simulation", "keep its q and v, and reset another one with them");
  bind_batch(m);
}

}  // namespace legwork::python
