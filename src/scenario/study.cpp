#include "scenario/study.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/random.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/toml/toml_reader.h"
#include "scenario/scenario.h"

namespace legwork {

namespace {

constexpr int most_runs = 1'000'000;

Axis read_axis(const TomlTable& table, const std::string& group, const std::string& key,
               const TomlNode& node) {
  Axis axis{group, key, {}, {table.file(), node.line}};
  if (node.kind != TomlKind::array || node.items.empty())
    table.fail(node, "'" + key + "' is " + describe(node), "write a list of values to try");
  for (const TomlNode& item : node.items) {
    axis.values.push_back(setting_values(table, item, key));
    if (group.empty() && axis.values.back().size() != 1)
      table.fail(item, "'" + key + "' has " + describe(item), "write names of creatures");
  }
  return axis;
}

std::vector<Axis> read_axes(TomlTable& root) {
  std::vector<Axis> axes;
  std::optional<TomlTable> vary = root.table("vary", "[vary]");
  if (!vary) return axes;
  if (const TomlNode* creature = vary->find("creature"))
    axes.push_back(read_axis(*vary, "", "creature", *creature));
  for (const std::string group : {"world", "options"}) {
    const std::optional<TomlTable> inner = vary->table(group, "[vary." + group + "]");
    if (!inner) continue;
    for (const auto& [key, node] : inner->node().fields) axes.push_back(read_axis(*inner, group, key, node));
  }
  vary->finish();
  return axes;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// A number at the front of the text, which loses it.
bool take_number(std::string_view& text, double& x) {
  text = trimmed(text);
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || !std::isfinite(x)) return false;
  text.remove_prefix(size_t(rest - text.data()));
  text = trimmed(text);
  return true;
}

bool take(std::string_view& text, std::string_view sign) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(sign.size());
  return true;
}

// A distribution written as text; false for a plain value.
struct Spread {
  bool normal = false;
  double a = 0, b = 0;  // mean and SD, or ends
  std::string unit;
};
bool parse_spread(const std::string& value, Spread& spread) {
  std::string_view text = value;
  if (!take_number(text, spread.a)) return false;
  // "1.2m ± 0.1m": the unit may stand after both
  size_t letters = 0;
  while (letters < text.size() &&
         (std::isalpha(static_cast<unsigned char>(text[letters])) || text[letters] == '/'))
    ++letters;
  const std::string_view unit = text.substr(0, letters);
  text = trimmed(text.substr(letters));
  if (take(text, "±") || take(text, "+-") || take(text, "+/-"))
    spread.normal = true;
  else if (!take(text, ".."))
    return false;
  if (!take_number(text, spread.b)) return false;
  spread.unit = std::string(text);
  return unit.empty() || unit == text;
}

// Draws every value that is a distribution.
void sample(std::vector<Setting>& settings, const std::string& table, Random& random, Cell& cell) {
  for (Setting& setting : settings)
    for (std::string& value : setting.values) {
      Spread spread;
      if (!parse_spread(value, spread)) continue;
      if (spread.normal ? spread.b < 0 : spread.b < spread.a)
        throw Error(setting.where, "'" + setting.key + "'",
                    "'" + value + "' is " + (spread.normal ? "a negative SD" : "a range upside down"));
      const double x =
          spread.normal ? spread.a + spread.b * random.normal() : random.uniform(spread.a, spread.b);
      value = to_text(x) + spread.unit;
      cell.sampled.emplace_back(table + "." + setting.key, value);
    }
}

void put(std::vector<Setting>& settings, const Axis& axis, const std::vector<std::string>& values) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.key == axis.key; });
  if (found != settings.end())
    found->values = values;
  else
    settings.push_back({axis.key, values, axis.where});
}

std::string identity(const Scenario& scenario) {
  std::string text = scenario.verb + "\n" + scenario.creature + "\n" + std::to_string(scenario.seed) + "\n";
  for (const auto* settings : {&scenario.world, &scenario.options}) {
    for (const Setting& setting : *settings) {
      text += setting.key + "=";
      for (const std::string& value : setting.values) text += value + "\t";
      text += "\n";
    }
    text += "--\n";
  }
  return hex(hash_of(text));
}

}  // namespace

Study parse_study(const std::string& text, const std::string& file) {
  const TomlNode root = parse_toml(text, file);
  TomlTable table(root, file, "study");
  Study study;
  study.base = read_scenario_keys(table);
  study.name = table.text("name").value_or(file);
  if (const std::optional<double> n = table.number("repetitions")) {
    if (*n < 1 || *n > most_runs || *n != std::floor(*n))
      table.fail_at("repetitions", "'repetitions' is " + to_text(*n), "write a whole number from 1 on");
    study.repetitions = int(*n);
  }
  study.measure = table.texts("measure").value_or(std::vector<std::string>());
  study.vary = read_axes(table);
  table.finish();
  check_study(study);
  return study;
}

void check_study(const Study& study) {
  const auto fail = [&](const std::string& problem, const std::string& advice = {}) {
    throw Error(study.base.where, "study", problem, advice);
  };
  if (study.repetitions < 1) fail("'repetitions' is " + std::to_string(study.repetitions), "at least 1");
  double runs = study.repetitions;
  for (const Axis& axis : study.vary) {
    const bool creature = axis.table.empty();
    if (creature ? axis.key != "creature" : axis.table != "world" && axis.table != "options")
      fail("cannot vary '" + axis.name() + "'", "creature, or a key of world or options");
    if (axis.values.empty()) fail("'" + axis.name() + "' has no values to try");
    for (const std::vector<std::string>& value : axis.values)
      if (creature && value.size() != 1) fail("'creature' varies over names, one at a time");
    runs *= double(axis.values.size());
  }
  if (runs > most_runs) fail("has " + to_text(runs) + " runs, more than a million", "vary less");
}

Study read_study(const std::string& path) {
  Study study = parse_study(read_file(path, toml_file_limit), path);
  study.base.creature = beside(path, study.base.creature);
  for (Axis& axis : study.vary)
    if (axis.table.empty())
      for (auto& value : axis.values) value[0] = beside(path, value[0]);
  return study;
}

int variations(const Study& study) {
  int n = 1;
  for (const Axis& axis : study.vary) n *= int(axis.values.size());
  return n;
}

Cell cell(const Study& study, int variation, int repetition) {
  Cell result;
  result.variation = variation;
  result.repetition = repetition;
  result.scenario = study.base;
  result.scenario.seed = study.base.seed + std::uint64_t(repetition);
  // the last axis runs fastest
  int rest = variation;
  std::vector<size_t> index(study.vary.size());
  for (size_t i = study.vary.size(); i-- > 0;) {
    const int n = int(study.vary[i].values.size());
    index[i] = size_t(rest % n);
    rest /= n;
  }
  for (size_t i = 0; i < study.vary.size(); ++i) {
    const Axis& axis = study.vary[i];
    const std::vector<std::string>& values = axis.values[index[i]];
    result.varied.emplace_back(axis.name(), join(values, ","));
    if (axis.table.empty())
      result.scenario.creature = values.at(0);
    else
      put(axis.table == "world" ? result.scenario.world : result.scenario.options, axis, values);
  }
  Random random(study.base.seed, std::uint64_t(repetition));
  sample(result.scenario.world, "world", random, result);
  sample(result.scenario.options, "options", random, result);
  result.id = identity(result.scenario);
  return result;
}

double student_t95(int nu) {
  if (nu == 1) return 12.706204736174694;
  if (nu == 2) return 4.302652729749462;
  // Cornish-Fisher expansion in 1/nu, Abramowitz and Stegun 26.7.5
  const double z = 1.959963984540054, n = nu, z2 = z * z;
  const double g1 = z * (z2 + 1) / 4;
  const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n);
}

Statistics statistics(const std::vector<double>& values) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  Statistics s;
  s.n = int(values.size());
  s.mean = s.sd = s.low = s.high = s.smallest = s.largest = nothing;
  if (values.empty()) return s;
  double sum = 0;  // sums differences, so that equal values have that very mean
  for (const double x : values) sum += x - values[0];
  s.mean = values[0] + sum / s.n;
  s.smallest = *std::min_element(values.begin(), values.end());
  s.largest = *std::max_element(values.begin(), values.end());
  if (s.n < 2) return s;
  double squares = 0;
  for (const double x : values) squares += (x - s.mean) * (x - s.mean);
  s.sd = std::sqrt(squares / (s.n - 1));
  const double half = student_t95(s.n - 1) * s.sd / std::sqrt(double(s.n));
  s.low = s.mean - half;
  s.high = s.mean + half;
  return s;
}

}  // namespace legwork
