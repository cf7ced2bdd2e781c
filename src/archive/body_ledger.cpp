#include "archive/body_ledger.h"

#include "archive/cells.h"

namespace legwork {

namespace {

using Type = ArchiveType;
const ArchiveTable table{"body",
                         {{"number", Type::integer},
                          {"parent", Type::integer},
                          {"generation", Type::integer},
                          {"born", Type::integer},
                          {"how", Type::text},
                          {"legs", Type::integer},
                          {"size", Type::integer},
                          {"symmetric", Type::integer},
                          {"length", Type::real},
                          {"mass", Type::real},
                          {"evaluations", Type::integer},
                          {"score", Type::real},
                          {"distance", Type::real},
                          {"speed", Type::real},
                          {"controller", Type::text},
                          {"creature", Type::text}}};

ArchiveRow to_row(const ArchivedBody& body) {
  const evolution::Life& l = body.life;
  const evolution::Outcome& o = l.outcome;
  return {std::int64_t(l.number),
          l.parent,
          std::int64_t(l.generation),
          std::int64_t(l.born),
          l.how,
          std::int64_t(l.plan.legs),
          std::int64_t(l.plan.size),
          std::int64_t(l.plan.symmetric),
          l.plan.length,
          l.plan.mass,
          std::int64_t(o.evaluations),
          o.score,
          o.distance,
          o.speed,
          o.controller,
          body.creature};
}

ArchivedBody to_body(const ArchiveRow& row) {
  RowCells cells(row);
  ArchivedBody body;
  evolution::Life& l = body.life;
  l.number = std::uint64_t(cells.integer());
  l.parent = cells.integer();
  l.generation = int(cells.integer());
  l.born = int(cells.integer());
  l.how = cells.text();
  l.plan.legs = int(cells.integer());
  l.plan.size = int(cells.integer());
  l.plan.symmetric = cells.integer() != 0;
  l.plan.length = cells.real();
  l.plan.mass = cells.real();
  l.outcome.evaluations = int(cells.integer());
  l.outcome.score = cells.real();
  l.outcome.distance = cells.real();
  l.outcome.speed = cells.real();
  l.outcome.controller = cells.text();
  body.creature = cells.text();
  return body;
}

}  // namespace

BodyLedger::BodyLedger(const std::string& path, const SearchIdentity& identity)
    : archive_(
          path, {table},
          {{"creature", identity.creature}, {"scenario", identity.scenario}, {"version", identity.version}}) {
  for (const ArchiveRow& row : archive_.rows(table)) {
    const evolution::Life life = to_body(row).life;
    found_.emplace(life.number, life.outcome);
  }
}

const evolution::Outcome* BodyLedger::find(std::uint64_t number) const {
  const auto found = found_.find(number);
  return found == found_.end() ? nullptr : &found->second;
}

void BodyLedger::keep(const std::vector<ArchivedBody>& bodies) {
  std::vector<ArchiveRow> rows;
  for (const ArchivedBody& body : bodies)
    if (!found_.contains(body.life.number)) rows.push_back(to_row(body));
  archive_.add(table, rows);
}

ArchivedEvolution read_bodies(const std::string& path) {
  const Archive archive(path, {table});
  const auto setting = [&](const char* key) {
    const auto found = archive.settings().find(key);
    return found == archive.settings().end() ? "" : found->second;
  };
  ArchivedEvolution all{{setting("creature"), setting("scenario"), setting("version")}, {}};
  for (const ArchiveRow& row : archive.rows(table)) all.bodies.push_back(to_body(row));
  return all;
}

}  // namespace legwork
