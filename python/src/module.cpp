// The module legwork._core.

#include "core.h"

namespace legwork::python {

namespace {

// pybind11 would give an instance whose __init__ never ran (Creature.__new__(Creature), or a subclass that
// uses itself too early) memory of no meaning at its first use. Here that use is an error.
void refuse_unmade_instances(const py::module_& m) {
  for (const auto& [name, item] : m.attr("__dict__").cast<py::dict>()) {
    if (!py::isinstance<py::type>(item)) continue;
    if (auto* bound = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(item.ptr())))
      bound->operator_new = [](std::size_t) -> void* {
        throw py::type_error("this object was never made: its class's __init__ has not run");
      };
  }
}

}  // namespace

}  // namespace legwork::python

PYBIND11_MODULE(_core, m) {
  using namespace legwork::python;
  m.doc() = "Legwork's library, bound for Python; use it through the package legwork.";
  m.attr("__version__") = LEGWORK_VERSION;
  bind_errors(m);
  bind_options(m);
  bind_creature(m);
  bind_gait(m);
  bind_result(m);
  bind_methods(m);
  bind_files(m);
  bind_archive(m);
  bind_compile(m);
  bind_study(m);
  bind_dynamics(m);
  bind_simulation(m);
  bind_environment(m);
  refuse_unmade_instances(m);
}
