// Every method by its name: options of the method, of the world and of the run in one set of keyword
// arguments.

#include "result.h"

namespace legwork::python {

namespace {

// The result of the work; where stop() ended it, the exception carries what there was by then.
template <class Work>
ResultHandle result_of(Run asked, const Callbacks& callbacks, const Work& work) {
  asked.keep_partial = !callbacks.stop.is_none();
  ResultHandle result;
  if (run_in_background(asked, callbacks, [&](const Run& run) { result = share(work(run)); }))
    throw StoppedWith{result};
  return result;
}

ResultHandle run_method(const std::string& name, py::object creature, const py::dict& given,
                        py::object progress, py::object stop) {
  const std::unique_ptr<Method> method = make_method(name);
  WorldOptions world_words;
  Run asked;
  const Options world_options(world_words), run_options(asked);
  // one lookup for all, so that a wrong name is compared with every right one
  const std::vector<const Options*> lists = {&method->options(), &world_options, &run_options};
  set_options(lists, given, name);
  const py::dict others = part(given, method->options(), false);
  const World world = to_world(creature, part(others, world_options, true), name);
  return result_of(asked, {progress, stop}, [&](const Run& run) { return method->run(world, run); });
}

Run run_with(const py::dict& options, const std::string& who) {
  Run run;
  const Options described(run);
  set_options({&described}, options, who);
  return run;
}

}  // namespace

void bind_methods(py::module_& m) {
  m.def("method_names", &method_names, "Every method.");
  m.def(
      "method_purpose", [](const std::string& name) { return make_method(name)->purpose(); }, py::arg("name"),
      "What a method does, in a line.");
  m.def("run_method", run_method, py::arg("name"), py::arg("creature"), py::arg("options"),
        py::arg("progress") = py::none(), py::arg("stop") = py::none(),
        "Calls a method with options by name.");
  m.def(
      "run_scenario",
      [](py::object given, py::object progress, py::object stop, const py::kwargs& options) {
        const std::string text = to_path(given, "run");
        const bool is_text = text.find('\n') != std::string::npos;
        const Scenario scenario = is_text ? parse_scenario(text, "scenario") : read_scenario(text);
        return result_of(run_with(options, "run"), {progress, stop},
                         [&](const Run& run) { return legwork::run_scenario(scenario, run); });
      },
      py::arg("scenario"), py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      with_options("Runs a scenario: a file, or its text.", {"run"}).c_str());
  m.def(
      "rerun",
      [](py::object file, py::object progress, py::object stop, const py::kwargs& options) {
        const std::string path = to_path(file, "rerun");
        Rerun made;
        run_in_background(run_with(options, "rerun"), {progress, stop},
                          [&](const Run& run) { made = legwork::rerun(path, run); });
        return py::make_tuple(share(std::move(made.result)), made.difference);
      },
      py::arg("path"), py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      with_options(
          "Makes a saved result again: the result, and how it differs in words ('' = equal, bit for bit).",
          {"run"})
          .c_str());
}

}  // namespace legwork::python
