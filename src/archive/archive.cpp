#include "archive/archive.h"

#include <sqlite3.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include <legwork/error.h>
#include "base/text.h"

namespace legwork {

namespace {

constexpr int application_id = 0x4c656777;  // "Legw": what kind of database it is, for `file` and for us
constexpr int version_of_layout = 1;
constexpr int patience = 5000;  // ms that we wait for others that read or write

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

// Null where the text is no statement for this database.
Statement prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

const char* type_name(ArchiveType type) {
  switch (type) {
    case ArchiveType::integer:
      return "INTEGER";
    case ArchiveType::real:
      return "REAL";
    case ArchiveType::text:
      return "TEXT";
    case ArchiveType::bytes:
      return "BLOB";
  }
  return "";
}

ArchiveType type_named(const std::string& name) {
  for (const ArchiveType type : {ArchiveType::integer, ArchiveType::real, ArchiveType::text})
    if (name == type_name(type)) return type;
  return ArchiveType::bytes;
}

std::string column_names(const ArchiveTable& table) {
  std::vector<std::string> names;
  for (const ArchiveColumn& column : table.columns) names.push_back(column.name);
  return join(names, ", ");
}

std::string create_text(const ArchiveTable& table) {
  std::vector<std::string> columns;
  for (const ArchiveColumn& column : table.columns)
    columns.push_back(column.name + " " + type_name(column.type) + (columns.empty() ? " PRIMARY KEY" : ""));
  return "CREATE TABLE " + table.name + " (" + join(columns, ", ") + ")";
}

// SQLite keeps a nan as null.
void bind(sqlite3_stmt* s, int i, ArchiveType type, const ArchiveValue& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(s, i, *n);
  } else if (const auto* x = std::get_if<double>(&value)) {
    sqlite3_bind_double(s, i, *x);
  } else {
    const std::string& text = std::get<std::string>(value);
    if (type == ArchiveType::bytes)
      sqlite3_bind_blob64(s, i, text.data(), text.size(), SQLITE_TRANSIENT);
    else
      sqlite3_bind_text64(s, i, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

std::string text_of(sqlite3_stmt* s, int i) {
  const void* data = sqlite3_column_blob(s, i);
  return data ? std::string(static_cast<const char*>(data), std::size_t(sqlite3_column_bytes(s, i))) : "";
}

ArchiveValue value_of(sqlite3_stmt* s, int i, ArchiveType type) {
  switch (type) {
    case ArchiveType::integer:
      return std::int64_t(sqlite3_column_int64(s, i));
    case ArchiveType::real:
      if (sqlite3_column_type(s, i) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
      return sqlite3_column_double(s, i);
    default:
      return text_of(s, i);
  }
}

// The first number that a statement gives; -1 where it gives none.
std::int64_t number_of(sqlite3* db, const std::string& sql) {
  const Statement s = prepare(db, sql);
  return s && sqlite3_step(s.get()) == SQLITE_ROW ? sqlite3_column_int64(s.get(), 0) : -1;
}

std::string shortened(const std::string& text) {
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

}  // namespace

// A file that was closed stands alone: without the log of a database that is in use.
void Archive::Close::operator()(sqlite3* db) const {
  if (sqlite3_db_readonly(db, "main") == 0)
    sqlite3_exec(db, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
  sqlite3_close_v2(db);
}

void Archive::fail(const std::string& doing) const {
  const int code = db_ ? sqlite3_errcode(db_.get()) : SQLITE_NOMEM;
  std::string reason = db_ ? sqlite3_errmsg(db_.get()) : "no memory", advice;
  if (const int system = db_ ? sqlite3_system_errno(db_.get()) : 0;
      system != 0 && system != ENOENT && (code == SQLITE_CANTOPEN || code == SQLITE_IOERR))
    reason += std::string(" (") + std::strerror(system) + ")";
  switch (code) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      advice =
          "is the disk full? Make room and run the same command again: it goes on after what is stored here";
      break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      advice = "the file and its folder must be there and writable; name another with --archive";
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CONSTRAINT:
      advice = "another search is writing to it; wait, or name another with --archive";
      break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      advice = "it is not an archive of Legwork, or damaged; name another with --archive";
      break;
    default:
      advice = "name another with --archive";
  }
  throw Error({path_, 0}, "archive", "cannot " + doing + ": " + reason, advice);
}

void Archive::run(const std::string& sql) const {
  if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("write");
}

void Archive::open(int flags) {
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (code != SQLITE_OK) fail("open");
  sqlite3_extended_result_codes(db, 0);
  sqlite3_busy_timeout(db, patience);
}

void Archive::check_kind(const std::vector<ArchiveTable>& tables) const {
  const std::int64_t kind = number_of(db_.get(), "PRAGMA application_id");
  if (kind < 0) fail("read");
  if (kind != application_id)
    throw Error({path_, 0}, "archive", "a database, but no archive of Legwork",
                "name another with --archive");
  if (const std::int64_t version = number_of(db_.get(), "PRAGMA user_version"); version != version_of_layout)
    throw Error({path_, 0}, "archive",
                "has layout " + std::to_string(version) + ", but this Legwork reads " +
                    std::to_string(version_of_layout),
                "read it with the version that wrote it");
  for (const ArchiveTable& table : tables) {
    const Statement s = prepare(db_.get(), "SELECT sql FROM sqlite_master WHERE name = '" + table.name + "'");
    if (!s || sqlite3_step(s.get()) != SQLITE_ROW || text_of(s.get(), 0) != create_text(table))
      throw Error({path_, 0}, "archive", "holds no table '" + table.name + "' as this Legwork writes it",
                  "another method or version made it");
  }
}

void Archive::read_settings() {
  const Statement s = prepare(db_.get(), "SELECT key, value FROM setting");
  if (!s) fail("read");
  int code = 0;
  while ((code = sqlite3_step(s.get())) == SQLITE_ROW) settings_[text_of(s.get(), 0)] = text_of(s.get(), 1);
  if (code != SQLITE_DONE) fail("read");
}

void Archive::compare(const ArchiveSettings& wanted) const {
  const auto show = [](const ArchiveSettings& all, const std::string& key) {
    const auto found = all.find(key);
    return found == all.end() ? "none" : "'" + shortened(found->second) + "'";
  };
  ArchiveSettings keys = settings_;
  keys.insert(wanted.begin(), wanted.end());
  for (const auto& [key, value] : keys) {
    const std::string there = show(settings_, key), here = show(wanted, key);
    if (there == here && settings_.at(key) == wanted.at(key)) continue;
    throw Error({path_, 0}, "archive",
                "belongs to another search: " + key +
                    (there == here ? " differs" : " is " + there + " there and " + here + " here"),
                "ask for the same, or name another with --archive");
  }
}

// A log beside the file: an interrupted write leaves the file as it was. Pages reach the disk before they are
// needed, so that a power failure costs the last rows at most, never the file.
void Archive::configure() {
  run("PRAGMA journal_mode = WAL");
  run("PRAGMA synchronous = NORMAL");
}

void Archive::create(const std::vector<ArchiveTable>& tables) {
  run("BEGIN IMMEDIATE");
  run("PRAGMA application_id = " + std::to_string(application_id));
  run("PRAGMA user_version = " + std::to_string(version_of_layout));
  run("CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT)");
  for (const ArchiveTable& table : tables) run(create_text(table));
  for (const auto& [key, value] : settings_) {
    const Statement s = prepare(db_.get(), "INSERT INTO setting VALUES (?, ?)");
    if (!s) fail("write");
    bind(s.get(), 1, ArchiveType::text, key);
    bind(s.get(), 2, ArchiveType::text, value);
    if (sqlite3_step(s.get()) != SQLITE_DONE) fail("write");
  }
  run("COMMIT");
}

Archive::Archive(const std::string& path, const std::vector<ArchiveTable>& tables,
                 const ArchiveSettings& settings)
    : path_(path) {
  open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (sqlite3_db_readonly(db_.get(), "main") == 1)
    throw Error({path_, 0}, "archive", "cannot be written",
                "change its permissions or name another with --archive");
  const std::int64_t there = number_of(db_.get(), "SELECT count(*) FROM sqlite_master");
  if (there < 0) fail("read");
  if (there > 0) {
    check_kind(tables);
    read_settings();
    compare(settings);
    configure();
  } else {
    configure();
    settings_ = settings;
    create(tables);
  }
}

Archive::Archive(const std::string& path, const std::vector<ArchiveTable>& tables) : path_(path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    throw Error({path, 0}, "archive", "there is no such file", "check the path");
  // after kill -9 the log must be taken in, or what was half closed be undone, which needs writing; a folder
  // that forbids it can still hold a closed file
  const bool broken_off =
      std::filesystem::exists(path + "-wal", failed) || std::filesystem::exists(path + "-journal", failed);
  open(broken_off ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  check_kind(tables);
  read_settings();
}

std::int64_t Archive::count(const ArchiveTable& table) const {
  const std::int64_t n = number_of(db_.get(), "SELECT count(*) FROM " + table.name);
  if (n < 0) fail("read");
  return n;
}

std::vector<ArchiveRow> Archive::rows(const ArchiveTable& table) const {
  const Statement s =
      prepare(db_.get(), "SELECT " + column_names(table) + " FROM " + table.name + " ORDER BY 1");
  if (!s) fail("read");
  std::vector<ArchiveRow> all;
  int code = 0;
  while ((code = sqlite3_step(s.get())) == SQLITE_ROW) {
    ArchiveRow row;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      row.push_back(value_of(s.get(), int(i), table.columns[i].type));
    all.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) fail("read");
  return all;
}

std::vector<ArchiveTable> Archive::tables() const {
  std::vector<ArchiveTable> all;
  const Statement names =
      prepare(db_.get(), "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid");
  if (!names) fail("read");
  while (sqlite3_step(names.get()) == SQLITE_ROW) {
    ArchiveTable table{text_of(names.get(), 0), {}};
    if (table.name == "setting") continue;
    const Statement columns = prepare(db_.get(), "PRAGMA table_info(" + table.name + ")");
    while (columns && sqlite3_step(columns.get()) == SQLITE_ROW)
      table.columns.push_back({text_of(columns.get(), 1), type_named(text_of(columns.get(), 2))});
    all.push_back(std::move(table));
  }
  return all;
}

void Archive::verify() const {
  const Statement s = prepare(db_.get(), "PRAGMA integrity_check");
  if (!s || sqlite3_step(s.get()) != SQLITE_ROW) fail("read");
  if (const std::string verdict = text_of(s.get(), 0); verdict != "ok")
    throw Error({path_, 0}, "archive", "is damaged: " + verdict,
                "take a copy from before, or run the search again with another --archive");
}

// All of it or nothing.
template <class Change>
void Archive::transact(const Change& change) const {
  run("BEGIN IMMEDIATE");
  try {
    change();
    run("COMMIT");
  } catch (...) {
    // SQLite itself takes some failures back; then there is nothing left to do
    if (sqlite3_get_autocommit(db_.get()) == 0)
      sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void Archive::insert(const ArchiveTable& table, const std::vector<ArchiveRow>& rows) const {
  std::string marks = "?";
  for (std::size_t i = 1; i < table.columns.size(); ++i) marks += ", ?";
  const Statement s = prepare(db_.get(), "INSERT INTO " + table.name + " VALUES (" + marks + ")");
  if (!s) fail("write");
  for (const ArchiveRow& row : rows) {
    assert(row.size() == table.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) bind(s.get(), int(i) + 1, table.columns[i].type, row[i]);
    if (sqlite3_step(s.get()) != SQLITE_DONE) fail("write");
    sqlite3_reset(s.get());
  }
}

void Archive::add(const ArchiveTable& table, const std::vector<ArchiveRow>& rows) {
  if (!rows.empty()) transact([&] { insert(table, rows); });
}

void Archive::add(const std::vector<std::pair<ArchiveTable, std::vector<ArchiveRow>>>& all) {
  transact([&] {
    for (const auto& [table, rows] : all) insert(table, rows);
  });
}

void Archive::replace(const ArchiveTable& table, const std::vector<ArchiveRow>& rows) {
  transact([&] {
    run("DELETE FROM " + table.name);
    insert(table, rows);
  });
}

}  // namespace legwork
