#pragma once
// The archive of a search: a SQLite file that gets every evaluation as it happens.
//
//   Archive archive(path, {evaluations, gaits}, settings);
//   for (const ArchiveRow& row : archive.rows(evaluations)) ...      what an earlier run finished
//   archive.add(evaluations, {row, row, ...});                       all of them, or an Error and none
//
// What add() has returned from survives kill -9, and a power failure leaves the file sound. A full disk or a
// folder that cannot be written is an Error; what was added before stays. `sqlite3 FILE` reads it at any
// time.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

struct sqlite3;

namespace legwork {

enum class ArchiveType { integer, real, text, bytes };
struct ArchiveColumn {
  std::string name;
  ArchiveType type;
};
// The first column is an integer that no two rows share; rows() comes in its order.
struct ArchiveTable {
  std::string name;
  std::vector<ArchiveColumn> columns;
};
// One for each column: integer, real, and text or bytes as a string. Reals keep their bits, nan included.
using ArchiveValue = std::variant<std::int64_t, double, std::string>;
using ArchiveRow = std::vector<ArchiveValue>;
// What makes two searches the same: creature, options, seed, version.
using ArchiveSettings = std::map<std::string, std::string>;

class Archive {
 public:
  // Opens the file, or makes it. An archive with other settings or other tables is an Error that says what
  // differs: its rows would not be those of this search.
  Archive(const std::string& path, const std::vector<ArchiveTable>& tables, const ArchiveSettings& settings);
  // Opens one that must be there, to read.
  Archive(const std::string& path, const std::vector<ArchiveTable>& tables);
  // The same, whatever tables it holds.
  explicit Archive(const std::string& path) : Archive(path, std::vector<ArchiveTable>()) {}

  const ArchiveSettings& settings() const { return settings_; }
  // All tables in the order in which they were made.
  std::vector<ArchiveTable> tables() const;
  // Reads the whole file. Throws Error that says what is damaged.
  void verify() const;
  std::vector<ArchiveRow> rows(const ArchiveTable& table) const;
  std::int64_t count(const ArchiveTable& table) const;
  void add(const ArchiveTable& table, const std::vector<ArchiveRow>& rows);
  // Rows of several tables, all of them or none.
  void add(const std::vector<std::pair<ArchiveTable, std::vector<ArchiveRow>>>& rows);
  // These rows in place of all that the table held.
  void replace(const ArchiveTable& table, const std::vector<ArchiveRow>& rows);

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };

  void open(int flags);
  void configure();
  void create(const std::vector<ArchiveTable>& tables);
  void check_kind(const std::vector<ArchiveTable>& tables) const;
  void insert(const ArchiveTable& table, const std::vector<ArchiveRow>& rows) const;
  template <class Change>
  void transact(const Change& change) const;
  void read_settings();
  void compare(const ArchiveSettings& wanted) const;
  void run(const std::string& sql) const;
  [[noreturn]] void fail(const std::string& doing) const;

  std::string path_;
  ArchiveSettings settings_;
  std::unique_ptr<sqlite3, Close> db_;
};

}  // namespace legwork
