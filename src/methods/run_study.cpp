// Studies that run: what `legwork study` does.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include <legwork/files.h>
#include <legwork/study.h>
#include "base/meter.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/version.h"
#include "formats/value_json.h"
#include "methods/run_scenario.h"
#include "methods/study_results.h"
#include "scenario/study.h"
#include "search/crew.h"

namespace legwork {

namespace {

using Numbers = std::map<std::string, double>;  // of a summary, by their paths

// Every number of a summary by its path: "gait.legs.rf.phase". Truth counts as 0 or 1.
void flatten(const Value& value, const std::string& path, Numbers& numbers) {
  if (const Value::Members* all = value.members())
    for (size_t i = 0; i < all->names.size(); ++i)
      flatten(all->values[i], path.empty() ? all->names[i] : path + "." + all->names[i], numbers);
  else if (const bool* x = value.boolean())
    numbers[path] = double(*x);
  else if (const std::int64_t* x = value.integer())
    numbers[path] = double(*x);
  else if (const double* x = value.number())
    numbers[path] = *x;
}

// What says something about what came out, not about how it was run.
bool is_measure(const std::string& key) {
  return key != "seed" && key != "frames" && key != "duration" && key != "realtime_factor";
}

bool failed(const Value& summary) {
  const Value* status = summary.find("status");
  return !status || !status->text() || *status->text() != "ok";
}

std::vector<Cell> cells_of(const Study& study) {
  std::vector<Cell> cells;
  for (int i = 0; i < variations(study); ++i)
    for (int k = 0; k < study.repetitions; ++k) cells.push_back(cell(study, i, k));
  return cells;
}

// What was asked for, else every number that some run gave.
std::vector<std::string> measures_of(const Study& study, const std::vector<Numbers>& numbers) {
  std::vector<std::string> known;
  for (const Numbers& of_run : numbers)
    for (const auto& [key, value] : of_run)
      if (is_measure(key) && std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
  for (const std::string& measure : study.measure)
    if (std::none_of(numbers.begin(), numbers.end(), [&](const Numbers& n) { return n.contains(measure); }))
      throw Error(study.base.where, "measure", "no run gave a number '" + measure + "'",
                  did_you_mean(measure, known));
  return study.measure.empty() ? known : study.measure;
}

// runs: repetitions of one variation stand together.
StudyTable tabulate(const Study& study, const std::vector<StudyRun>& runs) {
  std::vector<Numbers> numbers(runs.size());
  for (size_t i = 0; i < runs.size(); ++i) flatten(runs[i].summary, "", numbers[i]);
  StudyTable table;
  table.name = study.name;
  for (const Axis& axis : study.vary) table.axes.push_back(axis.name());
  table.measures = measures_of(study, numbers);
  const size_t repetitions = size_t(study.repetitions);
  for (size_t first = 0; first < runs.size(); first += repetitions) {
    StudyTable::Row row;
    for (const auto& varied : runs[first].varied) row.values.push_back(varied.second);
    std::vector<std::vector<double>> values(table.measures.size());
    for (size_t i = first; i < first + repetitions; ++i) {
      ++row.runs;
      if (failed(runs[i].summary)) {
        ++row.failed;
        continue;
      }
      for (size_t k = 0; k < table.measures.size(); ++k)
        if (const auto found = numbers[i].find(table.measures[k]); found != numbers[i].end())
          values[k].push_back(found->second);
    }
    for (const auto& column : values) row.statistics.push_back(statistics(column));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Runs of a study as jobs for a crew: a job is a cell's number, its result the summary.
class StudyWork {
 public:
  StudyWork(const std::vector<Cell>& cells, const Run& run) : cells_(cells), threads_(run.threads) {
    single_.threads = 1;  // threads are for runs at the same time
    single_.stop = run.stop;
  }

  Value summary_of(const Cell& c) const {
    const std::unique_ptr<Method> method = method_of(c.scenario);
    return summary(run_in(load_world(c.scenario.creature), c.scenario, *method, single_));
  }
  std::vector<std::string> operator()(const std::vector<std::string>& jobs) const {
    std::vector<std::string> results(jobs.size());
    parallel_for(int(jobs.size()), threads_, [&](int i, int) {
      stop_if_asked(single_);
      results[size_t(i)] = to_json(summary_of(cells_.at(std::stoul(jobs[size_t(i)]))));
    });
    return results;
  }

 private:
  const std::vector<Cell>& cells_;
  const int threads_;
  Run single_;
};

std::string identity_of(const std::vector<Cell>& cells) {
  std::string ids = version();
  for (const Cell& c : cells) ids += "\n" + c.id;
  return ids;
}

}  // namespace

StudyResult run_study(const Study& study, const std::string& path, const Run& run) {
  check_study(study);
  const std::vector<Cell> cells = cells_of(study);
  const StudyWork work(cells, run);
  if (run.crew) run.crew->begin(identity_of(cells), std::cref(work));
  StudyResults results(path);
  std::vector<size_t> left;
  for (size_t i = 0; i < cells.size(); ++i)
    if (!results.has(cells[i].id)) left.push_back(i);
  Meter meter(run, "runs", long(left.size()));
  const auto keep = [&](size_t i, Value summary) {
    const Cell& c = cells[left[i]];
    results.add({c.id, c.varied, c.repetition, c.sampled, std::move(summary)});
    meter.advance();
  };
  if (run.crew) {
    std::vector<std::string> jobs;
    for (const size_t i : left) jobs.push_back(std::to_string(i));
    run.crew->share(jobs, thread_count(run.threads),
                    [&](const std::vector<size_t>& which, const std::vector<std::string>& texts) {
                      std::vector<Value> summaries(which.size());
                      for (size_t k = 0; k < which.size(); ++k) {
                        const std::optional<Value> value = parse_json(texts[k]);
                        if (!value || !value->members()) return false;
                        summaries[k] = *value;
                      }
                      for (size_t k = 0; k < which.size(); ++k) keep(which[k], std::move(summaries[k]));
                      return true;
                    });
  } else {
    parallel_for(int(left.size()), run.threads, [&](int i, int) {
      stop_if_asked(run);
      keep(size_t(i), work.summary_of(cells[left[size_t(i)]]));
    });
  }
  stop_if_asked(run);

  StudyResult result;
  result.resumed = int(cells.size() - left.size());
  for (const Cell& c : cells)
    result.runs.push_back({c.id, c.varied, c.repetition, c.sampled, results.summary(c.id)});
  result.table = tabulate(study, result.runs);
  return result;
}

}  // namespace legwork
