// The module legwork._core.

#include "core.h"

PYBIND11_MODULE(_core, m) {
  using namespace legwork::python;
  m.doc() = "Legwork's library, bound for Python; use it through the package legwork.";
  bind_errors(m);
  bind_options(m);
  bind_creature(m);
  bind_gait(m);
  bind_result(m);
  bind_methods(m);
  bind_files(m);
  bind_study(m);
  bind_dynamics(m);
  bind_simulation(m);
  bind_environment(m);
}
