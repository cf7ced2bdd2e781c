#include "scenario/scenario.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "base/version.h"
#include "formats/file.h"
#include "formats/toml/toml_reader.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      constexpr char digits[] = "0123456789ABCDEF";
      out += "\\u00";
      out += digits[code >> 4];
      out += digits[code & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

bool is_text(OptionKind kind) {
  return kind == OptionKind::text || kind == OptionKind::choice || kind == OptionKind::length ||
         kind == OptionKind::texts;
}

std::string toml_value(const Option& option, std::vector<std::string> values) {
  if (is_text(option.kind))
    for (std::string& value : values) value = toml_text(value);
  const bool list = option.kind == OptionKind::texts || option.kind == OptionKind::numbers ||
                    option.kind == OptionKind::vector;
  return list ? "[" + join(values, ", ") + "]" : values[0];
}

// The unit and the meaning of an option, as a comment in a column of its own.
std::string beside_value(const Option& option, const std::string& line) {
  constexpr size_t column = 32;
  const std::string& unit = option.about.unit;
  const std::string gap(line.size() < column ? column - line.size() : 1, ' ');
  return gap + "# " + (unit.empty() || unit == "1" || is_text(option.kind) ? "" : unit + ", ") +
         option.about.meaning;
}

std::string table_text(const std::string& name, const std::vector<Setting>& settings, const Options& options,
                       bool explained) {
  std::string text = "\n[" + name + "]\n";
  for (const Setting& setting : settings) {
    const Option* option = options.find(setting.key);
    const std::vector<std::string>& values = setting.values;
    if (!option || values.empty() || (option->kind == OptionKind::text && values[0].empty())) continue;
    const std::string line = option->name + " = " + toml_value(*option, values);
    text += line + (explained ? beside_value(*option, line) : "") + "\n";
  }
  return text;
}

std::string settings_text(const Scenario& scenario, const Options& world, const Options& options,
                          bool explained) {
  std::string text = "verb = " + toml_text(scenario.verb) + "\ncreature = " + toml_text(scenario.creature) +
                     "\nseed = " + std::to_string(scenario.seed) + "\n";
  if (!scenario.source.empty()) text += "source = " + toml_text(scenario.source) + "\n";
  return text + table_text("world", scenario.world, world, explained) +
         table_text("options", scenario.options, options, explained);
}

// A word with characters that would end or garble a line, as bash reads it: $'two\nlines'.
std::string escaped_word(const std::string& word) {
  std::string out = "$'";
  for (const char c : word) {
    char code[8];
    std::snprintf(code, sizeof code, "\\%03o", unsigned(static_cast<unsigned char>(c)));
    out += c == '\'' || c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) ? code : std::string(1, c);
  }
  return out + "'";
}

// A word as a shell reads it.
std::string shell_word(const std::string& word) {
  if (std::any_of(word.begin(), word.end(),
                  [](char c) { return std::iscntrl(static_cast<unsigned char>(c)); }))
    return escaped_word(word);
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-+.,:/@=%").find(c) != std::string::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string value_text(const TomlTable& table, const TomlNode& node, const std::string& key) {
  switch (node.kind) {
    case TomlKind::boolean:
      return node.boolean ? "true" : "false";
    case TomlKind::integer:
      return std::to_string(node.integer);
    case TomlKind::number:
      return to_text(node.number);
    case TomlKind::text:
      return node.text;
    default:
      table.fail(node, "'" + key + "' is " + describe(node), "write a number, a text or a list of them");
  }
}

}  // namespace

std::vector<std::string> setting_values(const TomlTable& table, const TomlNode& node,
                                        const std::string& key) {
  std::vector<std::string> values;
  if (node.kind == TomlKind::array)
    for (const TomlNode& item : node.items) values.push_back(value_text(table, item, key));
  else
    values.push_back(value_text(table, node, key));
  return values;
}

std::vector<Setting> read_settings(TomlTable& table, const std::string& key) {
  std::vector<Setting> list;
  const std::optional<TomlTable> inner = table.table(key, "[" + key + "]");
  if (!inner) return list;
  for (const auto& [name, node] : inner->node().fields)
    list.push_back({name, setting_values(*inner, node, name), {table.file(), node.line}});
  return list;
}

Scenario read_scenario_keys(TomlTable& table) {
  Scenario scenario;
  scenario.where = {table.file(), 0};
  for (const char* key : {"link", "body"})
    if (table.node().find(key))
      table.fail_at(key, "a creature, where a scenario is needed", "try legwork check " + table.file());
  scenario.verb = table.required_text("verb");
  scenario.creature = table.required_text("creature");
  if (const TomlNode* seed = table.find("seed")) {
    if (seed->kind != TomlKind::integer || seed->integer < 0)
      table.fail(*seed, "'seed' is " + describe(*seed), "write a whole number from 0 on");
    scenario.seed = std::uint64_t(seed->integer);
  }
  if (const TomlNode* source = table.find("source")) scenario.source = table.to_text(*source, "'source'");
  scenario.world = read_settings(table, "world");
  scenario.options = read_settings(table, "options");
  return scenario;
}

Scenario parse_scenario(const std::string& text, const std::string& file) {
  const TomlNode root = parse_toml(text, file);
  TomlTable table(root, file, "scenario");
  const Scenario scenario = read_scenario_keys(table);
  table.finish();
  return scenario;
}

std::string beside(const std::string& file, const std::string& creature) {
  const fs::path path = fs::path(file).parent_path() / creature;
  std::error_code failed;
  return fs::is_regular_file(path, failed) ? path.string() : creature;
}

Scenario read_scenario(const std::string& path) {
  Scenario scenario = parse_scenario(read_file(path, toml_file_limit), path);
  scenario.creature = beside(path, scenario.creature);
  return scenario;
}

void apply(const std::vector<Setting>& settings, const Options& options, const std::string& group) {
  for (const Setting& setting : settings) {
    const Option* option = options.find(setting.key);
    if (!option)
      throw Error(setting.where, "[" + group + "]", "unknown key '" + setting.key + "'",
                  did_you_mean(setting.key, options.names()));
    option->set(setting.values, setting.where, "'" + setting.key + "' of [" + group + "]");
  }
}

std::vector<Setting> settings_of(const Options& options) {
  std::vector<Setting> list;
  for (const Option& option : options.all()) list.push_back({option.name, option.get(), {}});
  return list;
}

std::vector<Setting> changed_settings(const Options& options) {
  std::vector<Setting> list;
  for (const Option& option : options.all())
    if (option.changed()) list.push_back({option.name, option.get(), {}});
  return list;
}

std::string command_line(const Scenario& scenario, const Options& world, const Options& options) {
  std::string line = "legwork " + scenario.verb + " " + shell_word(scenario.creature);
  for (const Setting& setting : scenario.asked) {
    const Option* option = options.find(setting.key);
    if (!option) option = world.find(setting.key);
    if (!option) continue;
    if (option->kind == OptionKind::flag)
      line += " " + option->flag_name();
    else if (option->kind == OptionKind::texts)
      for (const std::string& value : setting.values)
        line += " " + option->flag_name() + " " + shell_word(value);
    else
      line += " " + option->flag_name() + " " + shell_word(join(setting.values, ","));
  }
  return scenario.seed == 1 ? line : line + " --seed " + std::to_string(scenario.seed);
}

std::string plain_scenario_text(const Scenario& scenario, const Options& world, const Options& options) {
  return settings_text(scenario, world, options, false);
}

std::string scenario_text(const Scenario& scenario, const Options& world, const Options& options) {
  return "# " + command_line(scenario, world, options) + "\n# Legwork " + version() +
         "; legwork run FILE runs it again\n" + settings_text(scenario, world, options, true);
}

std::string command_of(const std::string& text) {
  const std::string start = "# legwork ";
  return text.starts_with(start) ? text.substr(2, text.find('\n') - 2) : "";
}

}  // namespace legwork
