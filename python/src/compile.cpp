// Dynamics of one body as C.

#include "core.h"

namespace legwork::python {

namespace {

struct PyCode {
  std::string name;
  CompiledC code;
};

// The name of files without a folder.
void check_name(const std::string& name) {
  for (const char c : name)
    if (c == '/' || c == '\\' || (static_cast<unsigned char>(c) < ' '))
      throw Error({}, "compile_c: name", "names no file", "use letters, digits and _");
  if (name.empty()) throw Error({}, "compile_c: name", "is empty", "use letters, digits and _");
}

PyCode compile(py::object creature, const std::string& name, const py::kwargs& given) {
  check_name(name);
  CompileOptions options;
  WorldOptions words;
  const Options mine(options), world_options(words);
  set_options({&mine, &world_options}, given, "compile_c");
  const World world = to_world(creature, part(given, mine, false), "compile_c");
  const Unlocked free;
  return {name, compile_c(world, name, options)};
}

py::list functions_of(const PyCode& self) {
  py::list out;
  for (const CompiledFunction& f : self.code.functions) {
    py::dict row;
    row["name"] = f.name, row["operations"] = f.operations, row["asked_for"] = f.asked_for;
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_compile(py::module_& m) {
  py::class_<PyCode>(m, "CompiledC", "The dynamics of a body as C that needs nothing else.")
      .def_readonly("name", &PyCode::name, "of its files, and what names in the code begin with")
      .def_property_readonly(
          "header", [](const PyCode& c) { return c.code.header; }, "the text of NAME.h")
      .def_property_readonly(
          "source", [](const PyCode& c) { return c.code.source; }, "the text of NAME.c")
      .def_property_readonly(
          "functions", functions_of,
          "a dict for each function: name, operations, and how many the library's own takes")
      .def(
          "save",
          [](py::object self, py::object folder) {
            py::module_::import("legwork._files").attr("save_code")(self, folder);
          },
          py::arg("folder") = ".", "Writes NAME.c and NAME.h into a folder.")
      .def("__repr__", [](const PyCode& c) {
        return "<legwork.CompiledC '" + c.name + "': " + std::to_string(c.code.functions.size()) +
               " functions>";
      });
  const std::string doc = with_options(
      "The dynamics of a body as C99 with the library's bits: forward and inverse dynamics, mass matrix, "
      "Jacobians, simulation steps.",
      {"compile_c", "world"});
  m.def("compile_c", compile, py::arg("creature"), py::arg("name"), doc.c_str());
}

}  // namespace legwork::python
