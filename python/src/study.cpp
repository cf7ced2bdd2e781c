// Studies: a scenario x variations x repetitions.

#include "result.h"

namespace legwork::python {

namespace {

py::list rows_of(const StudyTable& table) {
  py::list rows;
  for (const StudyTable::Row& row : table.rows) {
    py::dict out;
    for (std::size_t i = 0; i < table.axes.size(); ++i) out[py::str(table.axes[i])] = row.values[i];
    out["runs"] = row.runs, out["failed"] = row.failed;
    for (std::size_t i = 0; i < table.measures.size(); ++i) {
      const Statistics& s = row.statistics[i];
      py::dict numbers;
      numbers["n"] = s.n, numbers["mean"] = s.mean, numbers["sd"] = s.sd, numbers["low"] = s.low;
      numbers["high"] = s.high, numbers["smallest"] = s.smallest, numbers["largest"] = s.largest;
      out[py::str(table.measures[i])] = numbers;
    }
    rows.append(out);
  }
  return rows;
}

py::list runs_of(const StudyResult& result) {
  py::list runs;
  for (const StudyRun& run : result.runs) {
    py::dict out, varied;
    for (const auto& [axis, value] : run.varied) varied[py::str(axis)] = value;
    out["varied"] = varied, out["repetition"] = run.repetition, out["summary"] = to_python(run.summary);
    runs.append(out);
  }
  return runs;
}

}  // namespace

void bind_study(py::module_& m) {
  py::class_<StudyResult>(m, "Study", "What a study found.")
      .def_property_readonly(
          "name", [](const StudyResult& s) { return s.table.name; }, "its name")
      .def_property_readonly(
          "axes", [](const StudyResult& s) { return s.table.axes; }, "what was varied")
      .def_property_readonly(
          "measures", [](const StudyResult& s) { return s.table.measures; }, "what was measured")
      .def_property_readonly(
          "rows", [](const StudyResult& s) { return rows_of(s.table); },
          "a dict for each variation: axes, runs, failed, and statistics of each measure")
      .def_property_readonly("runs", runs_of, "a dict for each run: varied, repetition, summary")
      .def_readonly("resumed", &StudyResult::resumed, "runs that were found in the file of results")
      .def(
          "to_csv", [](const StudyResult& s) { return study_csv(s.table); }, "The table as CSV.")
      .def(
          "to_html", [](const StudyResult& s) { return study_page(s.table); },
          "The table and its plots as a page.")
      .def("__repr__", [](const StudyResult& s) {
        return "<legwork.Study '" + s.table.name + "': " + std::to_string(s.runs.size()) + " runs>";
      });
  m.def(
      "study",
      [](py::object given, py::object results, py::object progress, py::object stop,
         const py::kwargs& options) {
        Run asked;
        const Options described(asked);
        set_options({&described}, options, "study");
        const std::string text = to_path(given, "study"),
                          kept = results.is_none() ? "" : to_path(results, "results");
        const Study study =
            text.find('\n') != std::string::npos ? parse_study(text, "study") : read_study(text);
        StudyResult out;
        run_in_background(asked, {progress, stop},
                          [&](const Run& run) { out = run_study(study, kept, run); });
        return out;
      },
      py::arg("study"), py::kw_only(), py::arg("results") = py::none(), py::arg("progress") = py::none(),
      py::arg("stop") = py::none(),
      with_options(
          "Runs a study: a file, or its text. results: a file that keeps every run, from which a stopped "
          "study goes on.",
          {"run"})
          .c_str());
}

}  // namespace legwork::python
