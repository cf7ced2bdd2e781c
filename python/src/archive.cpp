// Archives of searches and evolutions: what they kept, merged and checked, and their motions again.

#include "result.h"

namespace legwork::python {

namespace {

py::dict to_dict(const ArchiveSummary& summary) {
  py::dict tables, out;
  for (const auto& [name, rows] : summary.tables) tables[py::str(name)] = rows;
  out["verb"] = summary.verb, out["creature"] = summary.creature, out["version"] = summary.version;
  out["tables"] = tables, out["fingerprint"] = summary.fingerprint;
  return out;
}

py::list gaits_of(const SearchArchive& archive) {
  py::list out;
  for (const ArchivedGait& gait : archive.gaits) {
    py::dict row;
    row["rank"] = gait.rank, row["number"] = gait.number, row["name"] = gait.name;
    row["speed"] = gait.speed, row["period"] = gait.period, row["robustness"] = gait.robustness;
    out.append(row);
  }
  return out;
}

py::list bodies_of(const std::vector<EvolvedBody>& bodies) {
  py::list out;
  for (const EvolvedBody& body : bodies) {
    py::dict row;
    row["number"] = body.number, row["parent"] = body.parent, row["generation"] = body.generation;
    row["how"] = body.how, row["plan"] = body.plan, row["legs"] = body.legs;
    row["score"] = body.score, row["lengths"] = body.lengths, row["in_atlas"] = body.in_atlas;
    out.append(row);
  }
  return out;
}

py::dict archive_of(py::object file) {
  const std::string path = to_path(file, "archive");
  py::dict out = to_dict(summarize_archive(path));
  if (out["verb"].cast<std::string>() == "evolve") {
    out["bodies"] = bodies_of(read_evolution(path));
    return out;
  }
  const SearchArchive archive = read_archive(path);
  out["evaluations"] = archive.evaluations, out["gaits"] = gaits_of(archive);
  return out;
}

// One motion of an archive: exactly one of the three says which.
ResultHandle replay(py::object file, py::object rank, py::object number, py::object body) {
  const std::string path = to_path(file, "replay");
  if (rank.is_none() + number.is_none() + body.is_none() != 2)
    throw Error({}, "replay", "needs a rank, a number or a body, one of them");
  const char* whole = "a whole number from 0 on";
  const int place = rank.is_none() ? 0 : to<int>(rank, "rank", "a whole number");
  const std::uint64_t which = !number.is_none() ? to<std::uint64_t>(number, "number", whole)
                              : !body.is_none() ? to<std::uint64_t>(body, "body", whole)
                                                : 0;
  ResultHandle result;
  run_in_background({}, {}, [&](const Run& run) {
    result = share(!rank.is_none()     ? replay_gait(path, place, run)
                   : !number.is_none() ? replay_evaluation(path, which, run)
                                       : replay_body(path, which, run));
  });
  return result;
}

}  // namespace

void bind_archive(py::module_& m) {
  m.def("archive", archive_of, py::arg("path"),
        "What a search kept: verb, creature, version, rows of its tables and a fingerprint of them all; of "
        "discover evaluations and the gaits of its gallery, of evolve its bodies.");
  m.def("replay", replay, py::arg("path"), py::kw_only(), py::arg("rank") = py::none(),
        py::arg("number") = py::none(), py::arg("body") = py::none(),
        "A motion of an archive again: of discover by its rank in the gallery, or any evaluation by its "
        "number; of evolve a body by its number.");
  m.def(
      "evolution",
      [](py::object file) {
        const std::string path = to_path(file, "evolution");
        ResultHandle result;
        run_in_background({}, {}, [&](const Run& run) { result = share(evolution_so_far(path, run)); });
        return result;
      },
      py::arg("path"),
      "The whole result of what an archive of evolve holds so far, also while it is being written.");
  m.def(
      "check_archive",
      [](py::object file) {
        const std::string path = to_path(file, "check_archive");
        ArchiveSummary summary;
        {
          const Unlocked free;
          summary = check_archive(path);
        }
        return to_dict(summary);
      },
      py::arg("path"),
      "Reads every row and verifies the file itself; an Error says what is damaged. The summary of "
      "archive().");
  m.def(
      "merge_archives",
      [](py::object file, const py::iterable& given) {
        const std::string path = to_path(file, "merge_archives");
        if (py::isinstance<py::str>(given))
          throw Error({}, "merge_archives: parts", "is one text", "give a list");
        std::vector<std::string> parts;
        for (const py::handle part : given) parts.push_back(to_path(part, "merge_archives: parts"));
        ArchiveSummary summary;
        {
          const Unlocked free;
          summary = merge_archives(path, parts);
        }
        return to_dict(summary);
      },
      py::arg("path"), py::arg("parts"),
      "Puts all that the parts of a search hold into one archive, which may be there already. The summary of "
      "archive().");
  m.def(
      "archive_csv",
      [](py::object file, const std::string& table) {
        return archive_csv(to_path(file, "archive_csv"), table);
      },
      py::arg("path"), py::arg("table") = "",
      "A table of an archive as CSV; without a name the first one, of evaluations or of bodies.");
}

}  // namespace legwork::python
