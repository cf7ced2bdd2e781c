// Values between C++ and Python.

#include "core.h"

#include <cstdio>

namespace legwork::python {

py::object to_python(const Value& value) {
  if (const bool* x = value.boolean()) return py::bool_(*x);
  if (const std::int64_t* x = value.integer()) return py::int_(*x);
  if (const double* x = value.number()) return py::float_(*x);
  if (const std::string* x = value.text()) return py::str(*x);
  if (const Value::List* list = value.items()) {
    py::list out;
    for (const Value& item : *list) out.append(to_python(item));
    return std::move(out);
  }
  if (const Value::Members* members = value.members()) {
    py::dict out;
    for (std::size_t i = 0; i < members->names.size(); ++i)
      out[py::str(members->names[i])] = to_python(members->values[i]);
    return std::move(out);
  }
  return py::none();
}

std::string type_name(py::handle thing) {
  return py::str(py::type::of(thing).attr("__name__")).cast<std::string>();
}

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

Vec3d to_vector(py::handle given, const std::string& who) {
  const Numbers three(given, who, {3});
  for (const double x : three.span())
    if (!(x - x == 0)) throw Error({}, who, "its numbers are not all finite");
  return {three.span()[0], three.span()[1], three.span()[2]};
}

std::string to_path(py::handle given, const std::string& who) {
  py::object path = py::reinterpret_borrow<py::object>(given);
  if (!py::isinstance<py::str>(path) && py::hasattr(path, "__fspath__"))
    path = py::module_::import("os").attr("fspath")(path);
  if (!py::isinstance<py::str>(path)) throw Error({}, who, "is neither a text nor a path");
  const std::string text = to<std::string>(path, who, unicode);
  if (text.find('\0') != std::string::npos) throw Error({}, who, "holds a null character");
  return text;
}

}  // namespace legwork::python
