#pragma once
// TOML for people: every value knows its line, every key that nobody asked for is an error.
//
// Reading goes in two steps. parse_toml() makes a tree of plain nodes; a TomlTable walks one table of that
// tree and remembers the keys it was asked for, so that finish() can name the ones that mean nothing:
//   TomlTable leg(node, file, "leg 'rf'");
//   const double length = leg.number("length", 0.2);
//   leg.finish();  // file:7: leg 'rf': unknown key 'lenght'; did you mean 'length'?

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <legwork/error.h>
#include "math/vec.h"

namespace legwork {

enum class TomlKind { boolean, integer, number, text, array, table, date };

struct TomlField;

struct TomlNode {
  TomlKind kind = TomlKind::table;
  int line = 0;
  bool boolean = false;
  double number = 0;         // set for integers, too
  std::int64_t integer = 0;  // integers only
  std::string text;
  std::vector<TomlNode> items;    // array
  std::vector<TomlField> fields;  // table, in the order of the file

  const TomlNode* find(std::string_view key) const;
  bool is_number() const { return kind == TomlKind::number || kind == TomlKind::integer; }
};

struct TomlField {
  std::string key;
  TomlNode value;
};

// The most that a file may hold: read and refused in well under a second, in a few hundred megabytes.
inline constexpr std::int64_t toml_file_limit = std::int64_t(16) << 20;  // bytes
inline constexpr std::int64_t toml_value_limit = 500'000;                // numbers, texts, arrays, tables
inline constexpr std::int64_t toml_table_limit = 10'000;                 // tables of one kind in a file

// source names the text in messages.
TomlNode parse_toml(std::string_view text, const std::string& source);
// Reads and parses a file of at most toml_file_limit bytes.
TomlNode read_toml(const std::string& path);

// A key that a table may have: what to write after it, and what it means.
struct TomlKey {
  std::string_view name, value, meaning;
};

// All keys of one kind of table; `kinds` are those of which it must have exactly one.
struct TomlKeys {
  std::string_view table, heading;
  std::vector<TomlKey> kinds, keys;

  std::vector<std::string> kind_names() const;
  std::vector<std::string> names() const;  // kinds and keys
};

// "a number", "text", "an array of 4 values", ...: a node in a message.
std::string describe(const TomlNode& node);

class TomlTable {
 public:
  // who: what the table describes, as messages call it: "link 'body'".
  TomlTable(const TomlNode& node, std::string file, std::string who);
  // A table whose keys are described: any other key is an error at once.
  TomlTable(const TomlNode& node, std::string file, std::string who, const TomlKeys& keys);

  const std::string& who() const { return who_; }
  const std::string& file() const { return file_; }
  const TomlNode& node() const { return *node_; }
  Where where() const { return {file_, node_->line}; }

  // Whether the key is there; asking makes it a known key.
  bool has(std::string_view key) { return find(key) != nullptr; }
  // The node of a key, or null.
  const TomlNode* find(std::string_view key);
  // The only one of these keys that is there, or empty; two of them are an error.
  std::string only_one_of(const std::vector<std::string>& keys);
  // Which of its described kinds the table is; none, or two, are an error.
  std::string kind();

  // Absent keys give nothing or the fallback; wrong types and numbers that are not finite are errors.
  std::optional<double> number(std::string_view key);
  double number(std::string_view key, double fallback) { return number(key).value_or(fallback); }
  // May be infinite.
  std::optional<double> unbounded(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  bool boolean(std::string_view key, bool fallback) { return boolean(key).value_or(fallback); }
  std::optional<std::string> text(std::string_view key);
  std::optional<Vec3d> vec3(std::string_view key);
  std::optional<std::vector<double>> numbers(std::string_view key);
  std::optional<std::vector<std::string>> texts(std::string_view key);
  // A text that must be one of these.
  std::optional<std::string> choice(std::string_view key, const std::vector<std::string>& choices);
  // A text that must be there and not be empty.
  std::string required_text(std::string_view key);
  // The table of a key, with its own who or this one's.
  std::optional<TomlTable> table(std::string_view key, const std::string& who = {});
  std::optional<TomlTable> table(std::string_view key, const TomlKeys& keys, const std::string& who = {});
  // The tables of an array of tables ([[key]] or key = [{}, {}]); a single table counts as one. More than
  // `most` of them are an error: what follows may take time with their square.
  std::vector<const TomlNode*> tables(std::string_view key, std::int64_t most = toml_table_limit);

  // The same conversions for a node below this table; what names it in the message: "'pos'".
  double to_number(const TomlNode& node, const std::string& what) const;
  double to_unbounded(const TomlNode& node, const std::string& what) const;
  std::vector<double> to_numbers(const TomlNode& node, const std::string& what) const;
  std::string to_text(const TomlNode& node, const std::string& what) const;
  Vec3d to_vec3(const TomlNode& node, const std::string& what) const;

  // Call when all was asked: a key that nobody asked for is an error.
  void finish() const;

  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    fail(*node_, problem, advice);
  }
  [[noreturn]] void fail(const TomlNode& at, const std::string& problem,
                         const std::string& advice = {}) const;
  [[noreturn]] void fail(const TomlNode& at, const Error& inner) const;
  // At a key's line.
  [[noreturn]] void fail_at(std::string_view key, const std::string& problem,
                            const std::string& advice = {}) const;
  [[noreturn]] void fail_at(std::string_view key, const Error& inner) const;

 private:
  // The key's value, or this table where it has none.
  const TomlNode& node_at(std::string_view key) const;

  const TomlNode* node_;
  const TomlKeys* keys_ = nullptr;
  std::string file_, who_;
  std::vector<std::string> known_;
};

}  // namespace legwork
