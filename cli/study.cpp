// legwork study: any verb x variations x repetitions.

#include "scenario/study.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include <legwork/files.h>
#include "base/meter.h"
#include "base/parallel.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/motion_verb.h"
#include "formats/file.h"
#include "methods/run_scenario.h"

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

// Every number of a summary by its path: "gait.legs.rf.phase". Truth counts as 0 or 1.
void flatten(const Json& json, const std::string& path, std::map<std::string, double>& numbers) {
  if (json.is_object())
    for (const auto& [key, value] : json.items())
      flatten(value, path.empty() ? key : path + "." + key, numbers);
  else if (json.is_number() || json.is_boolean())
    numbers[path] = json.is_boolean() ? double(json.get<bool>()) : json.get<double>();
}

// What says something about how it was run, not about what came out.
bool is_measure(const std::string& key) {
  return key != "seed" && key != "frames" && key != "duration" && key != "realtime_factor";
}

// The file of results: every line is a finished run, appended and flushed as it ends.
class Results {
 public:
  explicit Results(const std::string& path) : path_(path) {
    std::error_code failed;
    if (std::filesystem::exists(path, failed)) read(read_file(path));
    handle_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (handle_ < 0) fail();
    if (torn_ >= 0 && ::ftruncate(handle_, torn_) != 0) fail();
  }
  ~Results() { ::close(handle_); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  bool has(const std::string& id) const { return rows_.contains(id); }
  const Json& row(const std::string& id) const { return rows_.at(id); }

  void add(const std::string& id, const Json& row) {
    const std::string line = row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    const std::lock_guard<std::mutex> lock(mutex_);
    if (::write(handle_, line.data(), line.size()) != ssize_t(line.size())) fail();
    rows_[id] = row;
  }

 private:
  void read(const std::string& text) {
    int number = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      ++number;
      if (end == text.npos) {  // the last run was cut off while it was written
        torn_ = long(begin);
        return;
      }
      const Json row = Json::parse(text.begin() + long(begin), text.begin() + long(end), nullptr, false);
      if (!row.is_object() || !row.contains("id") || !row["id"].is_string() || !row.contains("summary"))
        throw Error({path_, number}, "results", "is no line of a study", "name another file with --results");
      rows_[row["id"]] = row;
      begin = end + 1;
    }
  }
  [[noreturn]] void fail() const {
    const int code = errno;
    check_can_write(path_);  // says it better where the folder is at fault
    throw Error({path_, 0}, "results", std::string("cannot be written: ") + std::strerror(code),
                "name another file with --results");
  }

  std::string path_;
  int handle_ = -1;
  long torn_ = -1;
  std::map<std::string, Json> rows_;
  std::mutex mutex_;
};

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  Json json = Json::object();
  for (const auto& [key, value] : list) json[key] = value;
  return json;
}

Json run_cell(const Cell& cell) {
  const std::unique_ptr<Method> method = method_of(cell.scenario);
  Run run;
  run.threads = 1;
  run.stop = interrupted;
  const Result made = run_in(load_world(cell.scenario.creature), cell.scenario, *method, run);
  return {{"id", cell.id},
          {"varied", pairs(cell.varied)},
          {"repetition", cell.repetition},
          {"sampled", pairs(cell.sampled)},
          {"summary", summary(made)}};
}

std::vector<Cell> cells_of(const Study& study) {
  std::vector<Cell> cells;
  for (int i = 0; i < variations(study); ++i)
    for (int k = 0; k < study.repetitions; ++k) cells.push_back(cell(study, i, k));
  return cells;
}

StudyTable tabulate(const Study& study, const std::vector<Cell>& cells, const Results& results) {
  StudyTable table;
  table.name = study.name;
  for (const Axis& axis : study.vary) table.axes.push_back(axis.name());
  std::vector<std::map<std::string, double>> numbers(cells.size());
  std::vector<std::string> known;
  for (size_t i = 0; i < cells.size(); ++i) {
    flatten(results.row(cells[i].id)["summary"], "", numbers[i]);
    for (const auto& [key, value] : numbers[i])
      if (is_measure(key) && std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
  }
  table.measures = study.measure.empty() ? known : study.measure;
  for (const std::string& measure : table.measures)
    if (std::none_of(numbers.begin(), numbers.end(), [&](const auto& n) { return n.contains(measure); }))
      throw Error(study.base.where, "measure", "no run gave a number '" + measure + "'",
                  did_you_mean(measure, known));

  for (int i = 0; i < variations(study); ++i) {
    StudyTable::Row row;
    std::vector<std::vector<double>> values(table.measures.size());
    for (size_t c = 0; c < cells.size(); ++c) {
      if (cells[c].variation != i) continue;
      if (row.values.empty())
        for (const auto& varied : cells[c].varied) row.values.push_back(varied.second);
      ++row.runs;
      if (results.row(cells[c].id)["summary"].value("status", "") != "ok") {
        ++row.failed;
        continue;
      }
      for (size_t k = 0; k < table.measures.size(); ++k)
        if (const auto found = numbers[c].find(table.measures[k]); found != numbers[c].end())
          values[k].push_back(found->second);
    }
    for (const auto& column : values) row.statistics.push_back(statistics(column));
    table.rows.push_back(std::move(row));
  }
  return table;
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
  if (!arguments.parse(words)) return fine;

  check_target("--table", options.table, ".csv", "name a table");
  check_target("--report", options.report, ".html", "name a page");
  if (out.json != "-") check_target("--json", out.json);

  const Study study = read_study(file);
  const std::vector<Cell> cells = cells_of(study);
  if (options.results.empty())
    options.results = std::filesystem::path(file).replace_extension(".jsonl").string();
  Results results(options.results);
  std::vector<size_t> left;
  for (size_t i = 0; i < cells.size(); ++i)
    if (!results.has(cells[i].id)) left.push_back(i);
  {
    ProgressLine line(out.quiet);
    const Run shown = run_of({}, line);
    Meter progress(shown, "runs", long(left.size()));
    parallel_for(int(left.size()), options.threads, [&](int i, int) {
      if (interrupted()) return;
      const Cell& cell = cells[left[size_t(i)]];
      results.add(cell.id, run_cell(cell));
      progress.advance();
    });
  }
  if (interrupted()) throw Stopped{};

  const StudyTable table = tabulate(study, cells, results);
  const Output output(out);
  output.say(study.name + ": " + std::to_string(cells.size()) + " runs, " +
             std::to_string(cells.size() - left.size()) + " of them done before\n\n" + text_table(table) +
             "\n\nmean +- SD; every run is in " + options.results);
  Json json = {{"verb", "study"},
               {"name", study.name},
               {"status", "ok"},
               {"runs", cells.size()},
               {"resumed", cells.size() - left.size()},
               {"results", options.results},
               {"rows", to_json(table)}};
  if (!options.table.empty()) {
    write_file(options.table, csv(table));
    output.say("wrote " + options.table);
  }
  if (!options.report.empty()) {
    write_file(options.report, study_page(table));
    output.say("wrote " + options.report);
  }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
