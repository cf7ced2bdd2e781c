#include "formats/toml/toml_reader.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/within.h"
#include "formats/file.h"

namespace legwork {

namespace {

// A first look at the text that bounds what the parser may be led to do: toml++ limits the nesting of values
// to 256 but not the parts of a dotted key, whose tables it destroys by recursion, and spends about 70 bytes
// on each value however short.
class Prescan {
 public:
  Prescan(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  void run() {
    while (at_ < text_.size()) step();
  }

 private:
  static constexpr int most_dots = 16;

  void step() {
    const char c = text_[at_];
    switch (c) {
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '"':
      case '\'':
        skip_string(c);
        return;
      case '.':
        if (++dots_ > most_dots)
          throw Error({source_, line_}, "", "nested too deeply: a key of more than 17 parts");
        break;
      case '\n':
        ++line_;
        [[fallthrough]];
      case ',':
      case '=':
      case '[':
      case '{':
        dots_ = 0;
        // blank lines cost nothing
        if (c != '\n' && ++values_ > toml_value_limit)
          throw Error({source_, line_}, "", "more than " + std::to_string(toml_value_limit) + " values",
                      "keep large data such as meshes in files of their own");
        break;
      default:
        break;
    }
    ++at_;
  }

  // From the opening quote to behind the closing one; an open end is for the parser to complain about.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_, 3) == three;
    at_ += multiline ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!multiline) return;
        ++line_;
      }
      if (c == '\\' && quote == '"') {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++line_;
      } else if (c == quote && (!multiline || text_.substr(at_, 3) == three)) {
        at_ += multiline ? 3 : 1;
        return;
      }
      ++at_;
    }
  }

  std::string_view text_;
  const std::string& source_;
  size_t at_ = 0;
  int line_ = 1, dots_ = 0;
  std::int64_t values_ = 0;
};

int line_of(const toml::node& node) { return int(node.source().begin.line); }

TomlNode convert(const toml::node& node, int line_above) {
  TomlNode out;
  out.line = line_of(node) > 0 ? line_of(node) : line_above;
  switch (node.type()) {
    case toml::node_type::boolean:
      out.kind = TomlKind::boolean;
      out.boolean = node.as_boolean()->get();
      break;
    case toml::node_type::integer:
      out.kind = TomlKind::integer;
      out.integer = node.as_integer()->get();
      out.number = double(out.integer);
      break;
    case toml::node_type::floating_point:
      out.kind = TomlKind::number;
      out.number = node.as_floating_point()->get();
      break;
    case toml::node_type::string:
      out.kind = TomlKind::text;
      out.text = node.as_string()->get();
      break;
    case toml::node_type::array:
      out.kind = TomlKind::array;
      out.items.reserve(node.as_array()->size());
      for (const toml::node& item : *node.as_array()) out.items.push_back(convert(item, out.line));
      break;
    case toml::node_type::table: {
      out.kind = TomlKind::table;
      std::vector<std::pair<toml::source_position, size_t>> order;
      for (const auto& [key, value] : *node.as_table()) {
        order.emplace_back(key.source().begin, order.size());
        out.fields.push_back({std::string(key.str()), convert(value, out.line)});
        if (key.source().begin.line > 0) out.fields.back().value.line = int(key.source().begin.line);
      }
      // toml++ sorts keys by name; messages and meaning follow the file
      std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.first < b.first || (a.first == b.first && a.second < b.second);
      });
      std::vector<TomlField> sorted;
      sorted.reserve(order.size());
      for (const auto& place : order) sorted.push_back(std::move(out.fields[place.second]));
      out.fields = std::move(sorted);
      break;
    }
    default:
      out.kind = TomlKind::date;
  }
  return out;
}

// A control byte that no text has.
bool is_binary(unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

void refuse_binary(std::string_view text, const std::string& source) {
  int line = 1;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (is_binary(static_cast<unsigned char>(c)))
      throw Error(
          {source, line}, "",
          "not a text file: it holds the control byte " + std::to_string(int(static_cast<unsigned char>(c))),
          "a TOML file is needed");
  }
}

// Fit for one line of a message.
std::string printable(std::string_view text) {
  constexpr size_t most = 200;
  std::string out;
  for (const char c : text.substr(0, most))
    out += is_binary(static_cast<unsigned char>(c)) ? '?' : c == '\n' ? ' ' : c;
  return text.size() > most ? out + "..." : out;
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view key) const {
  for (const auto& [name, value] : fields)
    if (name == key) return &value;
  return nullptr;
}

TomlNode parse_toml(std::string_view text, const std::string& source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  refuse_binary(text, source);
  Prescan(text, source).run();
  try {
    const toml::table table = toml::parse(text, std::string_view(source));
    return convert(table, 1);
  } catch (const toml::parse_error& error) {
    throw Error({source, int(error.source().begin.line)}, "",
                "not valid TOML: " + printable(error.description()));
  }
}

TomlNode read_toml(const std::string& path) { return parse_toml(read_file(path, toml_file_limit), path); }

std::vector<std::string> TomlKeys::kind_names() const {
  std::vector<std::string> list;
  for (const TomlKey& key : kinds) list.emplace_back(key.name);
  return list;
}

std::vector<std::string> TomlKeys::names() const {
  std::vector<std::string> list = kind_names();
  for (const TomlKey& key : keys) list.emplace_back(key.name);
  return list;
}

std::string describe(const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::boolean:
      return node.boolean ? "true" : "false";
    case TomlKind::integer:
    case TomlKind::number:
      return "the number " + to_text(node.number);
    case TomlKind::text:
      return node.text.size() > 40 ? "a text" : "the text \"" + printable(node.text) + "\"";
    case TomlKind::array:
      return node.items.size() == 1 ? "an array of 1 value"
                                    : "an array of " + std::to_string(node.items.size()) + " values";
    case TomlKind::table:
      return "a table";
    case TomlKind::date:
      return "a date";
  }
  return {};
}

TomlTable::TomlTable(const TomlNode& node, std::string file, std::string who)
    : node_(&node), file_(std::move(file)), who_(std::move(who)) {
  if (node.kind != TomlKind::table) fail(node, "must be a table, not " + describe(node));
}

TomlTable::TomlTable(const TomlNode& node, std::string file, std::string who, const TomlKeys& keys)
    : TomlTable(node, std::move(file), std::move(who)) {
  keys_ = &keys;
  const std::vector<std::string> names = keys.names();
  for (const auto& [key, value] : node.fields)
    if (std::find(names.begin(), names.end(), key) == names.end())
      fail(value, "unknown key '" + printable(key) + "'", did_you_mean(key, names));
}

const TomlNode* TomlTable::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return node_->find(key);
}

std::string TomlTable::only_one_of(const std::vector<std::string>& keys) {
  std::string found;
  for (const std::string& key : keys) {
    if (!has(key)) continue;
    if (!found.empty()) fail_at(key, "both '" + found + "' and '" + key + "'", "keep one of them");
    found = key;
  }
  return found;
}

std::string TomlTable::kind() {
  const std::vector<std::string> kinds = keys_->kind_names();
  const std::string found = only_one_of(kinds);
  if (found.empty())
    fail("the " + std::string(keys_->table) + " has no kind", "one of: " + join(kinds, ", "));
  return found;
}

std::optional<double> TomlTable::number(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  return to_number(*n, "'" + std::string(key) + "'");
}

std::optional<double> TomlTable::unbounded(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  return to_unbounded(*n, "'" + std::string(key) + "'");
}

std::optional<bool> TomlTable::boolean(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  if (n->kind != TomlKind::boolean)
    fail(*n, "'" + std::string(key) + "' must be true or false, not " + describe(*n));
  return n->boolean;
}

std::optional<std::string> TomlTable::text(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  return to_text(*n, "'" + std::string(key) + "'");
}

std::string TomlTable::required_text(std::string_view key) {
  const auto t = text(key);
  if (!t) fail("has no '" + std::string(key) + "'", "add " + std::string(key) + " = \"...\"");
  if (t->empty()) fail_at(key, "'" + std::string(key) + "' is empty");
  return *t;
}

std::optional<Vec3d> TomlTable::vec3(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  return to_vec3(*n, "'" + std::string(key) + "'");
}

std::optional<std::vector<double>> TomlTable::numbers(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  return to_numbers(*n, "'" + std::string(key) + "'");
}

std::optional<std::vector<std::string>> TomlTable::texts(std::string_view key) {
  const TomlNode* n = find(key);
  if (!n) return {};
  if (n->kind != TomlKind::array)
    fail(*n, "'" + std::string(key) + "' must be an array of texts, not " + describe(*n));
  std::vector<std::string> out;
  for (const TomlNode& item : n->items)
    out.push_back(to_text(item, "every entry of '" + std::string(key) + "'"));
  return out;
}

std::optional<std::string> TomlTable::choice(std::string_view key, const std::vector<std::string>& choices) {
  const auto t = text(key);
  if (t && std::find(choices.begin(), choices.end(), *t) == choices.end())
    fail_at(key, "unknown " + std::string(key) + " '" + printable(*t) + "'", did_you_mean(*t, choices));
  return t;
}

std::optional<TomlTable> TomlTable::table(std::string_view key, const std::string& who) {
  const TomlNode* n = find(key);
  if (!n) return {};
  if (n->kind != TomlKind::table) fail(*n, "'" + std::string(key) + "' must be a table, not " + describe(*n));
  return TomlTable(*n, file_, who.empty() ? who_ : who);
}

std::optional<TomlTable> TomlTable::table(std::string_view key, const TomlKeys& keys,
                                          const std::string& who) {
  const auto plain = table(key, who);
  if (!plain) return {};
  return TomlTable(plain->node(), file_, plain->who(), keys);
}

std::vector<const TomlNode*> TomlTable::tables(std::string_view key, std::int64_t most) {
  const TomlNode* n = find(key);
  if (!n) return {};
  if (n->kind == TomlKind::table) return {n};
  if (n->kind != TomlKind::array)
    fail(*n, "'" + std::string(key) + "' must be a list of tables ([[" + std::string(key) + "]]), not " +
                 describe(*n));
  if (std::int64_t(n->items.size()) > most)
    fail(*n, "more than " + std::to_string(most) + " entries of '" + std::string(key) + "'");
  std::vector<const TomlNode*> out;
  for (const TomlNode& item : n->items) {
    if (item.kind != TomlKind::table)
      fail(item, "every entry of '" + std::string(key) + "' must be a table, not " + describe(item));
    out.push_back(&item);
  }
  return out;
}

double TomlTable::to_unbounded(const TomlNode& node, const std::string& what) const {
  if (!node.is_number()) fail(node, what + " must be a number, not " + describe(node));
  if (std::isnan(node.number)) fail(node, what + " is nan", "a number is needed");
  return node.number;
}

double TomlTable::to_number(const TomlNode& node, const std::string& what) const {
  const double x = to_unbounded(node, what);
  if (!std::isfinite(x)) fail(node, what + " is infinite", "a finite number is needed");
  return x;
}

std::string TomlTable::to_text(const TomlNode& node, const std::string& what) const {
  if (node.kind != TomlKind::text) fail(node, what + " must be a text in quotes, not " + describe(node));
  return node.text;
}

std::vector<double> TomlTable::to_numbers(const TomlNode& node, const std::string& what) const {
  if (node.kind != TomlKind::array) fail(node, what + " must be an array of numbers, not " + describe(node));
  std::vector<double> out;
  out.reserve(node.items.size());
  for (const TomlNode& item : node.items) out.push_back(to_number(item, "an entry of " + what));
  return out;
}

Vec3d TomlTable::to_vec3(const TomlNode& node, const std::string& what) const {
  if (node.kind != TomlKind::array || node.items.size() != 3)
    fail(node, what + " must be 3 numbers [x, y, z], not " + describe(node));
  const auto v = to_numbers(node, what);
  return {v[0], v[1], v[2]};
}

void TomlTable::finish() const {
  for (const auto& [key, value] : node_->fields) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    if (keys_) fail(value, "'" + key + "' means nothing here", "leave it out");
    fail(value, "unknown key '" + printable(key) + "'", did_you_mean(key, known_));
  }
}

void TomlTable::fail(const TomlNode& at, const std::string& problem, const std::string& advice) const {
  throw Error({file_, at.line}, who_, problem, advice);
}

void TomlTable::fail(const TomlNode& at, const Error& inner) const {
  throw within({file_, at.line}, who_, inner);
}

void TomlTable::fail_at(std::string_view key, const std::string& problem, const std::string& advice) const {
  fail(node_at(key), problem, advice);
}

void TomlTable::fail_at(std::string_view key, const Error& inner) const { fail(node_at(key), inner); }

const TomlNode& TomlTable::node_at(std::string_view key) const {
  const TomlNode* node = node_->find(key);
  return node ? *node : *node_;
}

}  // namespace legwork
