// Results from files and arrays, pages of several results.

#include "result.h"

namespace legwork::python {

namespace {

void copy_rows(py::handle given, const char* name, const Shape& shape, std::vector<double>& out) {
  const Numbers rows(given, name, shape);
  out.assign(rows.span().begin(), rows.span().end());
}

// Velocities from the positions of neighbouring frames, on either side where there are two. Throws Error for
// positions that cannot be.
std::vector<double> differentiate(const World& world, const Motion& motion) {
  const Dynamics dynamics(world);
  const std::size_t nq = std::size_t(dynamics.nq()), n = std::size_t(motion.frames());
  const auto frame = [&](std::size_t i) { return std::span<const double>(motion.q).subspan(i * nq, nq); };
  std::vector<double> v;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = i > 0 ? i - 1 : 0, to = std::min(i + 1, n - 1);
    const double seconds = n > 1 ? motion.time[to] - motion.time[from] : 1;
    for (const double moved : dynamics.difference(frame(from), frame(to))) v.push_back(moved / seconds);
  }
  return v;
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
  if (!v.is_none()) copy_rows(v, "v", {n, nv}, motion.v);
  if (!tau.is_none()) copy_rows(tau, "tau", {n, nv}, motion.tau);
  if (!contact_force.is_none())
    copy_rows(contact_force, "contact_force", {n, py::ssize_t(world.body.contacts.size()), 3},
              motion.contact_force);
  for (const std::vector<double>* values : {&motion.q, &motion.v, &motion.tau, &motion.contact_force})
    for (const double x : *values)
      if (!(x - x == 0)) throw Error({}, "motion", "its numbers are not all finite");
  std::vector<double> differences = differentiate(world, motion);
  if (v.is_none()) motion.v = std::move(differences);
  return share(std::move(motion));
}

}  // namespace

void bind_files(py::module_& m) {
  m.def(
      "read", [](py::object file) { return share(read_result(to_path(file, "read"))); }, py::arg("path"),
      "A result from the .glb that save wrote, bit for bit.");
  m.def("motion", motion_of, py::arg("creature"), py::arg("time"), py::arg("q"), py::arg("v") = py::none(),
        py::arg("tau") = py::none(), py::arg("contact_force") = py::none(),
        "A motion of your own arrays, for gait measures, pages and files. Without v velocities are "
        "differences of q.");
  m.def(
      "report",
      [](const py::object& given, py::object file, const std::string& title, const std::string& text) {
        std::vector<Result> copies;
        const auto add = [&](py::handle one) {
          if (!py::isinstance<Result>(one))
            throw Error({}, "report: results", "a " + type_name(one) + " is none", "give a Result or many");
          copies.push_back(one.cast<const Result&>());
        };
        if (py::isinstance<py::iterable>(given))
          for (const py::handle one : given) add(one);
        else
          add(given);
        const std::string path = to_path(file, "path");
        const Unlocked free;
        write_report(copies, path, {.title = title, .text = text});
      },
      py::arg("results"), py::arg("path"), py::arg("title") = "", py::arg("text") = "",
      "Writes one page of several results, or of one.");
  m.def(
      "has_report_page", [] { return has_report_page(); }, "Whether this build can write pages.");
}

}  // namespace legwork::python
