// The dynamics of a body at states: of one state, or of many in rows.

#include "core.h"

namespace legwork::python {

namespace {

using Answer = std::function<std::vector<double>(const std::vector<std::span<const double>>&)>;

// An argument of a question: its name and the length of one.
struct Argument {
  const char* name;
  int width;
  py::object given;
};

// The arguments as numbers, and what their shapes have in common before the width of each: an argument of one
// dimension stands beside every row of the others.
Shape rows_of(const std::vector<Argument>& arguments, std::vector<Numbers>& numbers) {
  Shape common;
  const char* of = "";
  for (const Argument& a : arguments) {
    Shape rows = numbers.emplace_back(a.given, a.name).shape();
    if (rows.empty() || rows.back() != a.width)
      throw Error({}, a.name,
                  "has the shape " + to_text(rows) + ", not " + to_text(Shape{a.width}) + " or " +
                      to_text(Shape{-1, a.width}));
    rows.pop_back();
    if (rows.empty()) continue;
    if (!common.empty() && rows != common)
      throw Error({}, a.name, std::string("has not as many rows as ") + of);
    common = rows, of = a.name;
  }
  return common;
}

py::ssize_t count(const Shape& shape) {
  py::ssize_t all = 1;
  for (const py::ssize_t n : shape) all *= n;
  return all;
}

// Asks once for each row of the arguments. Signals are heard now and then.
py::array ask(const std::vector<Argument>& arguments, const Shape& shape, const Answer& answer) {
  std::vector<Numbers> numbers;
  Shape whole = rows_of(arguments, numbers);
  const py::ssize_t rows = count(whole), size = count(shape), piece = 1024;
  std::vector<double> out;
  out.reserve(std::size_t(rows * size));
  std::vector<std::span<const double>> row(arguments.size());
  for (py::ssize_t i = 0; i < rows;) {
    {
      const Unlocked free;
      for (const py::ssize_t end = std::min(rows, i + piece); i < end; ++i) {
        for (std::size_t k = 0; k < arguments.size(); ++k) {
          const bool same = numbers[k].array().ndim() == 1;
          const std::size_t width = std::size_t(arguments[k].width);
          row[k] = numbers[k].span().subspan(same ? 0 : std::size_t(i) * width, width);
        }
        const std::vector<double> one = answer(row);
        out.insert(out.end(), one.begin(), one.end());
      }
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  whole.insert(whole.end(), shape.begin(), shape.end());
  return owned(std::move(out), whole);
}

std::vector<double> list(const Vec3d& v) { return {v.x, v.y, v.z}; }

// A dynamics that remembers what it is of.
struct PyDynamics : Dynamics {
  explicit PyDynamics(World of) : Dynamics(of), world(std::make_shared<const World>(std::move(of))) {}
  std::shared_ptr<const World> world;
};
using Class = py::class_<PyDynamics>;

// A name, or a link with a point in its frame.
BodyPoint to_point(const Dynamics& d, py::object point) {
  if (py::isinstance<py::str>(point))
    return find_point(d.creature(), to<std::string>(point, "point", unicode));
  if (py::isinstance<py::tuple>(point) && py::len(point) == 2) {
    const py::tuple pair = point;
    BodyPoint at = find_point(d.creature(), to<std::string>(pair[0], "point", unicode));
    at.pos = to_vector(pair[1], "point");
    return at;
  }
  throw Error({}, "point", "is neither a name nor (link, (x, y, z))");
}

void bind_matrices(Class& c) {
  c.def(
      "mass_matrix",
      [](const PyDynamics& d, py::object q) {
        return ask({{"q", d.nq(), q}}, {d.nv(), d.nv()}, [&](const auto& a) { return d.mass_matrix(a[0]); });
      },
      py::arg("q"), "The mass matrix: (nv, nv).");
  c.def(
      "bias",
      [](const PyDynamics& d, py::object q, py::object v) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}}, {d.nv()},
                   [&](const auto& a) { return d.bias(a[0], a[1]); });
      },
      py::arg("q"), py::arg("v"), "Gravity, Coriolis and centrifugal forces: (nv,).");
  c.def(
      "passive",
      [](const PyDynamics& d, py::object q, py::object v) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}}, {d.nv()},
                   [&](const auto& a) { return d.passive(a[0], a[1]); });
      },
      py::arg("q"), py::arg("v"), "Torques of springs, dampers and limits: (nv,).");
  c.def(
      "forward",
      [](const PyDynamics& d, py::object q, py::object v, py::object tau) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}, {"tau", d.nv(), tau}}, {d.nv()},
                   [&](const auto& a) { return d.forward(a[0], a[1], a[2]); });
      },
      py::arg("q"), py::arg("v"), py::arg("tau"), "Accelerations: (nv,). Closed loops stay closed.");
  c.def(
      "inverse",
      [](const PyDynamics& d, py::object q, py::object v, py::object a) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}, {"a", d.nv(), a}}, {d.nv()},
                   [&](const auto& x) { return d.inverse(x[0], x[1], x[2]); });
      },
      py::arg("q"), py::arg("v"), py::arg("a"), "Torques that give these accelerations: (nv,).");
}

void bind_points(Class& c) {
  c.def(
      "jacobian",
      [](const PyDynamics& d, py::object q, py::object point) {
        const BodyPoint at = to_point(d, point);
        return ask({{"q", d.nq(), q}}, {6, d.nv()}, [&](const auto& a) { return d.jacobian(a[0], at); });
      },
      py::arg("q"), py::arg("point"),
      "Jacobian of a point: (6, nv), rows angular x y z, linear x y z. point: a link, leg, label or contact "
      "point by "
      "name, or (link, (x, y, z)).");
  c.def(
      "position",
      [](const PyDynamics& d, py::object q, py::object point) {
        const BodyPoint at = to_point(d, point);
        return ask({{"q", d.nq(), q}}, {3}, [&](const auto& a) { return list(d.position(a[0], at)); });
      },
      py::arg("q"), py::arg("point"), "Position of a point, m, world: (3,).");
  c.def(
      "velocity",
      [](const PyDynamics& d, py::object q, py::object v, py::object point) {
        const BodyPoint at = to_point(d, point);
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}}, {3},
                   [&](const auto& a) { return list(d.velocity(a[0], a[1], at)); });
      },
      py::arg("q"), py::arg("v"), py::arg("point"), "Velocity of a point, m/s, world axes: (3,).");
  c.def(
      "rotation",
      [](const PyDynamics& d, py::object q, const std::string& link) {
        const int at = find_point(d.creature(), link).link;
        return ask({{"q", d.nq(), q}}, {3, 3}, [&](const auto& a) { return d.rotation(a[0], at); });
      },
      py::arg("q"), py::arg("link"), "Rotation matrix of a link, link to world: (3, 3).");
  c.def(
      "center_of_mass",
      [](const PyDynamics& d, py::object q) {
        return ask({{"q", d.nq(), q}}, {3}, [&](const auto& a) { return list(d.center_of_mass(a[0])); });
      },
      py::arg("q"), "m, world: (3,).");
}

void bind_sums(Class& c) {
  c.def(
      "kinetic_energy",
      [](const PyDynamics& d, py::object q, py::object v) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}}, {},
                   [&](const auto& a) { return std::vector<double>{d.kinetic_energy(a[0], a[1])}; });
      },
      py::arg("q"), py::arg("v"), "J: ().");
  c.def(
      "potential_energy",
      [](const PyDynamics& d, py::object q) {
        return ask({{"q", d.nq(), q}}, {},
                   [&](const auto& a) { return std::vector<double>{d.potential_energy(a[0])}; });
      },
      py::arg("q"), "J, zero at the world's origin: ().");
  c.def(
      "momentum",
      [](const PyDynamics& d, py::object q, py::object v) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}}, {6}, [&](const auto& a) {
          std::vector<double> both = list(d.angular_momentum(a[0], a[1]));
          for (const double x : list(d.linear_momentum(a[0], a[1]))) both.push_back(x);
          return both;
        });
      },
      py::arg("q"), py::arg("v"), "Angular momentum about the origin, then linear: (6,).");
  c.def(
      "integrate",
      [](const PyDynamics& d, py::object q, py::object v, double h) {
        return ask({{"q", d.nq(), q}, {"v", d.nv(), v}}, {d.nq()},
                   [&](const auto& a) { return d.integrate(a[0], a[1], h); });
      },
      py::arg("q"), py::arg("v"), py::arg("h"), "q moved by the velocity v for h seconds: (nq,).");
  c.def(
      "difference",
      [](const PyDynamics& d, py::object q0, py::object q1) {
        return ask({{"q0", d.nq(), q0}, {"q1", d.nq(), q1}}, {d.nv()},
                   [&](const auto& a) { return d.difference(a[0], a[1]); });
      },
      py::arg("q0"), py::arg("q1"), "The velocity that leads from q0 to q1 in a second: (nv,).");
}

}  // namespace

void bind_dynamics(py::module_& m) {
  const std::string doc = with_options(
      "The dynamics of a body at states that you give: q (nq,) or many in an array (..., nq), and so on; the "
      "answers then have as many rows. An argument with one row stands beside every row of the others. "
      "Coordinates are MuJoCo's. Ground, water and wind do not act here.",
      {"world"});
  Class c(m, "Dynamics", doc.c_str());
  c.def(py::init([](py::object creature, const py::kwargs& options) {
          return PyDynamics(to_world(creature, options, "dynamics"));
        }),
        py::arg("creature"));
  copy_and_pickle(
      c, [](const PyDynamics& self) { return py::make_tuple(PyWorld{self.world}); },
      [](const py::tuple& kept) { return PyDynamics(*kept[0].cast<PyWorld>().world); });
  c.def_property_readonly(
      "nq", [](const PyDynamics& d) { return d.nq(); }, "number of positions");
  c.def_property_readonly(
      "nv", [](const PyDynamics& d) { return d.nv(); }, "number of velocities");
  c.def("__repr__", [](const PyDynamics& d) { return "<legwork.Dynamics of '" + d.creature().name + "'>"; });
  bind_matrices(c);
  bind_points(c);
  bind_sums(c);
}

}  // namespace legwork::python
