// Results from files and arrays, archives of searches, pages of several results.

#include "result.h"

namespace legwork::python {

namespace {

void copy_rows(py::handle given, const char* name, const Shape& shape, std::vector<double>& out) {
  if (given.is_none()) return;
  const Numbers rows(given, name, shape);
  out.assign(rows.span().begin(), rows.span().end());
}

// A motion of the caller's own making, for gait measures, pages and files.
ResultHandle motion_of(py::object creature, py::object time, py::object q, py::object v, py::object tau,
                       py::object contact_force) {
  const World world = to_world(creature, {}, "motion");
  Motion motion;
  motion.creature = world.body, motion.terrain = world.terrain, motion.gravity = norm(world.gravity);
  motion.made.verb = "python", motion.made.creature = world.body.name;
  const Numbers times(time, "time", {-1});
  motion.time.assign(times.span().begin(), times.span().end());
  for (std::size_t i = 0; i < motion.time.size(); ++i)
    if (!(motion.time[i] - motion.time[i] == 0) || (i > 0 && !(motion.time[i] > motion.time[i - 1])))
      throw Error({}, "time[" + std::to_string(i) + "]", "does not come after the time before it");
  const py::ssize_t n = motion.frames(), nq = world.body.nq(), nv = world.body.nv();
  copy_rows(q, "q", {n, nq}, motion.q);
  copy_rows(v, "v", {n, nv}, motion.v);
  copy_rows(tau, "tau", {n, nv}, motion.tau);
  copy_rows(contact_force, "contact_force", {n, py::ssize_t(world.body.contacts.size()), 3},
            motion.contact_force);
  for (const std::vector<double>* values : {&motion.q, &motion.v, &motion.tau, &motion.contact_force})
    for (const double x : *values)
      if (!(x - x == 0)) throw Error({}, "motion", "its numbers are not all finite");
  return share(std::move(motion));
}

py::dict archive_of(py::object file) {
  const SearchArchive archive = read_archive(to_path(file, "archive"));
  py::list gaits;
  for (const ArchivedGait& gait : archive.gaits) {
    py::dict row;
    row["rank"] = gait.rank, row["number"] = gait.number, row["name"] = gait.name;
    row["speed"] = gait.speed, row["period"] = gait.period, row["robustness"] = gait.robustness;
    gaits.append(row);
  }
  py::dict out;
  out["evaluations"] = archive.evaluations, out["gaits"] = gaits;
  return out;
}

}  // namespace

void bind_files(py::module_& m) {
  m.def(
      "read", [](py::object file) { return share(read_result(to_path(file, "read"))); }, py::arg("path"),
      "A result from the .glb that save wrote, bit for bit.");
  m.def("motion", motion_of, py::arg("creature"), py::arg("time"), py::arg("q"), py::arg("v") = py::none(),
        py::arg("tau") = py::none(), py::arg("contact_force") = py::none(),
        "A motion of your own arrays, for gait measures, pages and files.");
  m.def("archive", archive_of, py::arg("path"),
        "What a search kept: evaluations, and the gaits of its gallery.");
  m.def(
      "replay",
      [](py::object file, py::object rank, py::object number) {
        const std::string path = to_path(file, "replay");
        if (rank.is_none() == number.is_none())
          throw Error({}, "replay", "needs a rank or a number, one of them");
        ResultHandle result;
        const int place = rank.is_none() ? 0 : to<int>(rank, "rank", "a whole number");
        const std::uint64_t which =
            number.is_none() ? 0 : to<std::uint64_t>(number, "number", "a whole number from 0 on");
        run_in_background({}, {}, [&](const Run& run) {
          result =
              share(number.is_none() ? replay_gait(path, place, run) : replay_evaluation(path, which, run));
        });
        return result;
      },
      py::arg("path"), py::kw_only(), py::arg("rank") = py::none(), py::arg("number") = py::none(),
      "A motion of an archive again: by its rank in the gallery, or any evaluation by its number.");
  m.def(
      "report",
      [](const std::vector<ResultHandle>& results, py::object file, const std::string& title) {
        std::vector<Result> copies;
        for (const ResultHandle& result : results)
          if (result) copies.push_back(*result);
        const std::string path = to_path(file, "path");
        const Unlocked free;
        write_report(copies, path, {.title = title});
      },
      py::arg("results"), py::arg("path"), py::arg("title") = "", "Writes one page of several results.");
  m.def(
      "has_report_page", [] { return has_report_page(); }, "Whether this build can write pages.");
}

}  // namespace legwork::python
