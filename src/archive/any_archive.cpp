// Any archive: what it holds, whether it is sound, several as one, its tables for other programs.

#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include <legwork/archive.h>
#include <legwork/error.h>
#include "archive/archive.h"
#include "base/hash.h"
#include "base/text.h"

namespace legwork {

namespace {

std::string text_of(const ArchiveValue& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return std::to_string(*n);
  if (const auto* x = std::get_if<double>(&value)) return *x == *x ? to_text(*x) : "";
  return std::get<std::string>(value);
}

bool same(const ArchiveRow& a, const ArchiveRow& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].index() != b[i].index() || text_of(a[i]) != text_of(b[i])) return false;
  return true;
}

// Settings and all rows by their numbers: what does not depend on the order in which they were written.
std::string fingerprint_of(const Archive& archive) {
  std::uint64_t hash = hash_of("legwork archive");
  const auto take = [&](const std::string& text) {
    hash = hash_of(text, hash_of(std::to_string(text.size()) + ":", hash));
  };
  for (const auto& [key, value] : archive.settings()) take(key), take(value);
  for (const ArchiveTable& table : archive.tables()) {
    take(table.name);
    for (const ArchiveRow& row : archive.rows(table))
      for (const ArchiveValue& value : row) take(text_of(value));
  }
  return hex(hash);
}

std::string setting(const Archive& archive, const char* key) {
  const auto found = archive.settings().find(key);
  return found == archive.settings().end() ? "" : found->second;
}

// The value of a line `key = "value"` of a text.
std::string quoted_after(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(key + " = \"", 0) == 0)
      return line.substr(key.size() + 4, line.rfind('"') - key.size() - 4);
  return "";
}

ArchiveSummary summary_of(const Archive& archive) {
  const std::string scenario = setting(archive, "scenario");
  ArchiveSummary summary{quoted_after(scenario, "verb"),
                         quoted_after(scenario, "creature"),
                         setting(archive, "version"),
                         {},
                         fingerprint_of(archive)};
  for (const ArchiveTable& table : archive.tables())
    summary.tables.push_back({table.name, std::uint64_t(archive.count(table))});
  return summary;
}

// The first lines in which two texts differ, as "'a' and 'b'".
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream first(a), second(b);
  std::string x, y;
  while (true) {
    const bool more_x = bool(std::getline(first, x)), more_y = bool(std::getline(second, y));
    if (!more_x && !more_y) return "nothing";
    if (!more_x) x = "nothing";
    if (!more_y) y = "nothing";
    if (x != y) return "'" + x + "' there and '" + y + "' here";
  }
}

// Throws Error where two archives are not of the same search.
void check_alike(const Archive& one, const std::string& its_path, const Archive& other,
                 const std::string& path) {
  const auto refuse = [&](const std::string& what) {
    throw Error({path, 0}, "archive", "is of another search than " + its_path + ": " + what,
                "merge parts of one command only");
  };
  for (const char* key : {"version", "creature", "scenario"})
    if (setting(one, key) != setting(other, key))
      refuse(std::string(key) + ": " + first_difference(setting(one, key), setting(other, key)));
  if (one.settings() != other.settings()) refuse("its settings differ");
  const std::vector<ArchiveTable> a = one.tables(), b = other.tables();
  bool alike = a.size() == b.size();
  for (size_t i = 0; alike && i < a.size(); ++i) {
    alike = a[i].name == b[i].name && a[i].columns.size() == b[i].columns.size();
    for (size_t k = 0; alike && k < a[i].columns.size(); ++k)
      alike = a[i].columns[k].name == b[i].columns[k].name && a[i].columns[k].type == b[i].columns[k].type;
  }
  if (!alike) refuse("its tables differ");
}

// Rows of several archives by their numbers.
class Union {
 public:
  void take(const Archive& archive, const std::string& path, bool there) {
    for (const ArchiveTable& table : archive.tables())
      for (ArchiveRow& row : archive.rows(table)) {
        const std::int64_t number = std::get<std::int64_t>(row[0]);
        std::map<std::int64_t, Entry>& known = rows_[table.name];
        if (const auto found = known.find(number); found == known.end())
          known.emplace(number, Entry{std::move(row), path, there});
        else if (!same(found->second.row, row))
          throw Error(
              {path, 0}, "archive",
              table.name + " " + std::to_string(number) + " differs from that of " + found->second.path,
              "one of the two is damaged: make its part again");
      }
  }
  // Those that the first archive does not have.
  std::vector<ArchiveRow> fresh(const ArchiveTable& table) const {
    std::vector<ArchiveRow> all;
    if (const auto found = rows_.find(table.name); found != rows_.end())
      for (const auto& [number, entry] : found->second)
        if (!entry.there) all.push_back(entry.row);
    return all;
  }

 private:
  struct Entry {
    ArchiveRow row;
    std::string path;
    bool there;
  };
  std::map<std::string, std::map<std::int64_t, Entry>> rows_;
};

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

ArchiveSummary summarize_archive(const std::string& path) { return summary_of(Archive(path)); }

ArchiveSummary check_archive(const std::string& path) {
  const Archive archive(path);
  archive.verify();
  return summary_of(archive);
}

ArchiveSummary merge_archives(const std::string& path, const std::vector<std::string>& parts) {
  std::error_code failed;
  Union all;
  std::optional<Archive> first;
  std::string first_path;
  const auto take = [&](const std::string& part, bool there) {
    Archive archive(part);
    if (first) check_alike(*first, first_path, archive, part);
    all.take(archive, part, there);
    if (!first) first.emplace(std::move(archive)), first_path = part;
  };
  if (std::filesystem::exists(path, failed)) take(path, true);
  for (const std::string& part : parts)
    if (!std::filesystem::equivalent(path, part, failed)) take(part, false);
  if (!first) throw Error({}, "archive merge", "there is nothing to merge", "name the parts after the whole");

  const std::vector<ArchiveTable> tables = first->tables();
  const ArchiveSettings settings = first->settings();
  first.reset();
  {
    Archive whole(path, tables, settings);
    std::vector<std::pair<ArchiveTable, std::vector<ArchiveRow>>> rows;
    for (const ArchiveTable& table : tables) rows.push_back({table, all.fresh(table)});
    whole.add(rows);
  }
  return summarize_archive(path);
}

std::string archive_csv(const std::string& path, const std::string& name) {
  const Archive archive(path);
  std::vector<std::string> names;
  for (const ArchiveTable& table : archive.tables()) {
    names.push_back(table.name);
    if (!name.empty() && table.name != name) continue;
    std::string csv;
    for (size_t i = 0; i < table.columns.size(); ++i) csv += (i > 0 ? "," : "") + table.columns[i].name;
    csv += "\n";
    for (const ArchiveRow& row : archive.rows(table)) {
      for (size_t i = 0; i < row.size(); ++i) csv += (i > 0 ? "," : "") + csv_cell(text_of(row[i]));
      csv += "\n";
    }
    return csv;
  }
  throw Error({path, 0}, "archive", "has no table '" + name + "'", did_you_mean(name, names));
}

}  // namespace legwork
