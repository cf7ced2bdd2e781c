// Errors of the library as exceptions of Python that carry their parts.

#include "result.h"

namespace legwork::python {

namespace {

void raise(const char* name, const py::tuple& arguments) {
  const py::object type = py::module_::import("legwork._errors").attr(name);
  const py::object instance = type(*arguments);
  PyErr_SetObject(type.ptr(), instance.ptr());
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& e) {
      raise("Error", py::make_tuple(e.problem(), e.advice(), e.who(), e.where().file, e.where().line));
    } catch (const py::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "a value is not of the kind that is needed here");
    } catch (const Stopped&) {
      raise("Stopped", py::make_tuple("the work was stopped before its end"));
    } catch (const StoppedWith& stopped) {
      raise("Stopped", py::make_tuple("the work was stopped before its end", stopped.result));
    }
  });
}

}  // namespace legwork::python
