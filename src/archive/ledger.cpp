#include "archive/ledger.h"

#include <nlohmann/json.hpp>

#include <legwork/error.h>
#include "archive/cells.h"
#include "base/text.h"

namespace legwork {

namespace {

using Type = ArchiveType;
const ArchiveTable evaluations{"evaluation",
                               {{"number", Type::integer},
                                {"stage", Type::text},
                                {"parent", Type::integer},
                                {"status", Type::text},
                                {"score", Type::real},
                                {"distance", Type::real},
                                {"speed", Type::real},
                                {"period", Type::real},
                                {"likeness", Type::real},
                                {"descriptor", Type::text},
                                {"weights", Type::text},
                                {"parameters", Type::text}}};
const ArchiveTable gaits{"gait",
                         {{"rank", Type::integer},
                          {"number", Type::integer},
                          {"name", Type::text},
                          {"speed", Type::real},
                          {"period", Type::real},
                          {"robustness", Type::real}}};

ArchiveSettings settings_of(const SearchIdentity& identity) {
  return {{"creature", identity.creature}, {"scenario", identity.scenario}, {"version", identity.version}};
}

std::string list(const std::vector<double>& values) {
  std::vector<std::string> words;
  for (const double x : values) words.push_back(to_text(x));
  return "[" + join(words, ",") + "]";
}
std::string list(const std::vector<std::int8_t>& values) {
  std::vector<std::string> words;
  for (const std::int8_t x : values) words.push_back(std::to_string(x));
  return "[" + join(words, ",") + "]";
}

template <class Number>
std::vector<Number> numbers(const ArchiveRow& row, const std::string& text, const std::string& path) {
  try {
    return nlohmann::json::parse(text).get<std::vector<Number>>();
  } catch (const nlohmann::json::exception&) {
    throw Error({path, 0}, "archive",
                "row " + std::to_string(std::get<std::int64_t>(row[0])) + " holds no list of numbers");
  }
}

Status status_named(const std::string& name) {
  for (const Status status : {Status::fell, Status::diverged, Status::stopped})
    if (name == to_string(status)) return status;
  return Status::ok;
}

ArchiveRow to_row(const Record& r) {
  const Evaluation& e = r.evaluation;
  return {std::int64_t(r.number),
          r.stage,
          r.parent,
          to_string(e.status),
          e.score,
          e.distance,
          e.speed,
          e.period,
          e.likeness,
          list(e.descriptor),
          list(r.candidate.weights),
          list(r.candidate.parameters)};
}

Record to_record(const ArchiveRow& row, const std::string& path) {
  RowCells cells(row);
  Record r;
  r.number = std::uint64_t(cells.integer());
  r.stage = cells.text();
  r.parent = cells.integer();
  Evaluation& e = r.evaluation;
  e.status = status_named(cells.text());
  e.score = cells.real();
  e.distance = cells.real();
  e.speed = cells.real();
  e.period = cells.real();
  e.likeness = cells.real();
  e.descriptor = numbers<double>(row, cells.text(), path);
  r.candidate.weights = numbers<std::int8_t>(row, cells.text(), path);
  r.candidate.parameters = numbers<double>(row, cells.text(), path);
  return r;
}

}  // namespace

ArchiveLedger::ArchiveLedger(const std::string& path, const SearchIdentity& identity)
    : archive_(path, {evaluations, gaits}, settings_of(identity)) {
  for (const ArchiveRow& row : archive_.rows(evaluations)) {
    Record record = to_record(row, path);
    found_.emplace(record.number, std::move(record));
  }
}

const Record* ArchiveLedger::find(std::uint64_t number) {
  const auto found = found_.find(number);
  return found == found_.end() ? nullptr : &found->second;
}

void ArchiveLedger::keep(const std::vector<Record>& records) {
  std::vector<ArchiveRow> rows;
  std::vector<std::uint64_t> fresh;
  for (const Record& record : records) {
    if (found_.count(record.number) || !kept_.insert(record.number).second) continue;
    rows.push_back(to_row(record));
    fresh.push_back(record.number);
  }
  try {
    archive_.add(evaluations, rows);
  } catch (...) {
    for (const std::uint64_t number : fresh) kept_.erase(number);
    throw;
  }
}

void ArchiveLedger::keep_gaits(const std::vector<GaitRecord>& all) {
  std::vector<ArchiveRow> rows;
  for (const GaitRecord& g : all)
    rows.push_back({std::int64_t(g.rank), std::int64_t(g.number), g.name, g.speed, g.period, g.robustness});
  archive_.replace(gaits, rows);
}

ArchivedSearch read_search(const std::string& path) {
  const Archive archive(path, {evaluations, gaits});
  ArchivedSearch search;
  const auto setting = [&](const char* key) {
    const auto found = archive.settings().find(key);
    return found == archive.settings().end() ? "" : found->second;
  };
  search.identity = {setting("creature"), setting("scenario"), setting("version")};
  for (const ArchiveRow& row : archive.rows(evaluations)) search.records.push_back(to_record(row, path));
  for (const ArchiveRow& row : archive.rows(gaits)) {
    RowCells cells(row);
    GaitRecord g;
    g.rank = int(cells.integer());
    g.number = std::uint64_t(cells.integer());
    g.name = cells.text();
    g.speed = cells.real();
    g.period = cells.real();
    g.robustness = cells.real();
    search.gaits.push_back(g);
  }
  return search;
}

}  // namespace legwork
