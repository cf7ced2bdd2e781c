// legwork study: any verb x variations x repetitions.

#include <legwork/study.h>

#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/motion_verb.h"
#include "cli/mpi.h"
#include "formats/file.h"

namespace legwork::cli {

namespace {

struct StudyOptions {
  std::string results, table, report;
  int threads = 0;
};

template <class Visitor>
void describe(Visitor& v, StudyOptions& o) {
  v.file("results", o.results,
         "a line of JSON for each run, appended as it ends; runs found there are not run again [beside FILE, "
         ".jsonl]");
  v.file("table", o.table, "write means, SDs and intervals to this .csv");
  v.file("report", o.report, "write table and plots to this .html");
  v.integer("threads", o.threads, {0, 4096, "", "runs at the same time; 0 = all cores"});
}

std::string text_table(const StudyTable& study) {
  std::vector<std::vector<std::string>> rows(1, study.axes);
  rows[0].insert(rows[0].end(), {"runs", "failed"});
  for (const std::string& measure : study.measures) rows[0].push_back(measure);
  for (const auto& row : study.rows) {
    rows.push_back(row.values);
    rows.back().insert(rows.back().end(), {std::to_string(row.runs), std::to_string(row.failed)});
    for (const Statistics& s : row.statistics)
      rows.back().push_back(s.n == 0 ? "-" : s.n == 1 ? brief(s.mean) : brief(s.mean) + " +- " + brief(s.sd));
  }
  std::string text = table(rows);
  text.pop_back();
  return text;
}

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json to_json(const StudyTable& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json json = {{"runs", row.runs}, {"failed", row.failed}};
    for (size_t i = 0; i < table.axes.size(); ++i) json["varied"][table.axes[i]] = row.values[i];
    for (size_t i = 0; i < table.measures.size(); ++i) {
      const Statistics& s = row.statistics[i];
      json["measures"][table.measures[i]] = {{"n", s.n},
                                             {"mean", finite(s.mean)},
                                             {"sd", finite(s.sd)},
                                             {"low95", finite(s.low)},
                                             {"high95", finite(s.high)},
                                             {"min", finite(s.smallest)},
                                             {"max", finite(s.largest)}};
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

}  // namespace

int study(const Words& words) {
  std::string file;
  StudyOptions options;
  OutputOptions out;
  Arguments arguments("study",
                      "run any verb over variations and repetitions: means, SDs, intervals, plots; go on "
                      "where it was stopped",
                      "legwork study friction.toml\n"
                      "legwork study friction.toml --threads 2 --table friction.csv --report friction.html");
  arguments.place("FILE", file, "a study, .toml: a scenario with [vary] and repetitions");
  arguments.options("The study", options);
  arguments.options("Output", out);
  arguments.writes("results");
  arguments.writes("table", ".csv", "name a table");
  arguments.writes("report", ".html", "name a page");
  if (!arguments.parse(words)) return fine;

  const Study study = read_study(file);
  if (options.results.empty()) {
    options.results = std::filesystem::path(file).replace_extension(".jsonl").string();
    check_targets(arguments.targets(), arguments.mentions());
  }
  const Processes processes;
  std::optional<ProgressLine> line(out.quiet || processes.works_only());
  Run run = run_of({.threads = options.threads}, *line);
  run.crew = processes.crew();
  const StudyResult result = run_study(study, options.results, run);
  line.reset();

  const Output output(out);
  output.say(study.name + ": " + std::to_string(result.runs.size()) + " runs, " +
             std::to_string(result.resumed) + " of them done before\n\n" + text_table(result.table) +
             "\n\nmean +- SD; every run is in " + options.results);
  Json json = {{"verb", "study"},
               {"name", study.name},
               {"status", "ok"},
               {"runs", result.runs.size()},
               {"resumed", result.resumed},
               {"results", options.results},
               {"rows", to_json(result.table)}};
  if (!options.table.empty()) {
    write_file(options.table, study_csv(result.table));
    output.say("wrote " + options.table);
  }
  if (!options.report.empty()) {
    write_file(options.report, study_page(result.table));
    output.say("wrote " + options.report);
  }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
