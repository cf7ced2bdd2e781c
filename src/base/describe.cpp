#include <legwork/options.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "base/within.h"

namespace legwork {

namespace {

// Bounds beyond this are there to stop nonsense, not for people to read.
constexpr double boundless = 1e9;

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool is_pure(const std::string& unit) { return unit.empty() || unit == "1"; }

// What a number in `given` is in `unit`: 1 for the unit itself, and angles take both of theirs. 0: no such
// unit.
double unit_factor(std::string_view given, std::string_view unit) {
  constexpr double degree = 0.017453292519943295;  // rad
  if (given.empty() || given == unit) return 1;
  const bool angles = given.size() == unit.size() && given.size() >= 3 && given.substr(3) == unit.substr(3);
  if (angles && given.starts_with("deg") && unit.starts_with("rad")) return degree;
  if (angles && given.starts_with("rad") && unit.starts_with("deg")) return 1 / degree;
  return 0;
}

void check_range(double x, const std::string& text, const Option& option) {
  if (x < option.about.lower || x > option.about.upper)
    throw Error(text + " is outside " + option.range_text());
}

// A number, with or without its unit: "2", "2s", "2 s", "30deg".
void check_number(std::string& text, const Option& option) {
  text = trimmed(text);
  const std::string& unit = option.about.unit;
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, x);
  const double factor =
      unit_factor(trimmed(std::string_view(rest, size_t(end - rest))), is_pure(unit) ? "" : unit);
  if (error != std::errc() || std::isnan(x) || factor == 0)
    throw Error(quoted(text) + " is not a number" + (is_pure(unit) ? "" : " (in " + unit + ")"));
  x *= factor;
  check_range(x, text, option);
  text = to_text(x);
}

void check_integer(std::string& text, const Option& option) {
  text = trimmed(text);
  std::int64_t x = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc() || rest != end) throw Error(quoted(text) + " is not a whole number");
  check_range(double(x), text, option);
}

void check_flag(const std::string& text) {
  if (text != "true" && text != "false") throw Error(quoted(text) + " is neither true nor false");
}

void check_choice(const std::string& text, const Option& option) {
  const std::vector<std::string> names = option.choices.names();
  if (std::find(names.begin(), names.end(), text) == names.end())
    throw Error("unknown value " + quoted(text), did_you_mean(text, names));
}

void check_length(std::string& text, const Option& option) {
  const Length length = parse_length(trimmed(text));
  check_range(length.value, text, option);
  text = to_text(length);
}

// Throws Error without place and who. Brings numbers into the option's unit.
void check_value(std::string& text, const Option& option) {
  switch (option.kind) {
    case OptionKind::number:
    case OptionKind::vector:
    case OptionKind::numbers:
      return check_number(text, option);
    case OptionKind::integer:
      return check_integer(text, option);
    case OptionKind::flag:
      return check_flag(text);
    case OptionKind::choice:
      return check_choice(text, option);
    case OptionKind::length:
      return check_length(text, option);
    case OptionKind::text:
    case OptionKind::texts:
      break;
  }
}

bool is_list(OptionKind kind) { return kind == OptionKind::texts || kind == OptionKind::numbers; }

std::string with_hyphens(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

std::vector<std::string> Choices::names() const {
  std::vector<std::string> list;
  for (const auto& value : values) list.push_back(value.first);
  return list;
}

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t comma = text.find(',', begin);
    parts.push_back(trimmed(std::string_view(text).substr(begin, comma - begin)));
    if (comma == text.npos) return parts;
    begin = comma + 1;
  }
}

void Option::set(const std::vector<std::string>& values, const Where& where, const std::string& who) const {
  std::vector<std::string> checked = values;
  if (kind == OptionKind::vector && checked.size() == 1) checked = split_commas(checked[0]);
  if (kind == OptionKind::numbers && checked.size() == 1) checked = split_commas(checked[0]);
  if (kind == OptionKind::vector && checked.size() != 3)
    throw Error(where, who, "needs three numbers, not " + quoted(join(values, ",")), "write X,Y,Z");
  if (!is_list(kind) && kind != OptionKind::vector && checked.size() != 1)
    throw Error(where, who, "needs one value, not " + std::to_string(checked.size()));
  try {
    for (std::string& value : checked) check_value(value, *this);
  } catch (const Error& wrong) {
    throw within(where, who, wrong);
  }
  assign(checked);
}

std::string Option::flag_name() const { return "--" + with_hyphens(name); }

std::string Option::range_text() const {
  if (kind == OptionKind::flag || kind == OptionKind::choice || kind == OptionKind::text ||
      kind == OptionKind::texts)
    return {};
  const bool low = about.lower > -boundless, high = about.upper < boundless;
  const std::string unit = is_pure(about.unit) ? "" : " " + about.unit;
  if (low && high) return to_text(about.lower) + " .. " + to_text(about.upper) + unit;
  if (low) return to_text(about.lower) + unit + " or more";
  if (high) return to_text(about.upper) + unit + " or less";
  return {};
}

std::string Option::value_name() const {
  switch (kind) {
    case OptionKind::flag:
      return {};
    case OptionKind::number:
      return is_pure(about.unit) ? "NUMBER" : about.unit;
    case OptionKind::integer:
      return is_pure(about.unit) ? "N" : about.unit;
    case OptionKind::vector:
      return "X,Y,Z";
    case OptionKind::length:
      return "LENGTH";
    case OptionKind::numbers:
      return "NUMBERS";
    case OptionKind::choice:
    case OptionKind::text:
    case OptionKind::texts:
      break;
  }
  if (!about.unit.empty()) return about.unit;
  // one form without help names the value itself: POSE, NAME=VALUE
  if (choices.values.size() == 1 && choices.values[0].second.empty()) return choices.values[0].first;
  return choices.values.empty() ? "TEXT" : "WHAT";
}

std::string Option::initial_text() const {
  if (kind == OptionKind::flag) return {};
  return join(initial, ",");
}

const Option* Options::find(const std::string& name) const {
  const std::string wanted = with_hyphens(name);
  for (const Option& option : list_)
    if (with_hyphens(option.name) == wanted) return &option;
  return nullptr;
}

std::vector<std::string> Options::names() const {
  std::vector<std::string> list;
  for (const Option& option : list_) list.push_back(option.name);
  return list;
}

void Options::push(const char* name, OptionKind kind, About about, Choices choices,
                   std::function<Texts()> get, std::function<void(const Texts&)> assign) {
  Texts initial = get();
  list_.push_back({name, kind, std::move(about), std::move(choices), std::move(initial), std::move(get),
                   std::move(assign)});
}

void Options::number(const char* name, double& field, About about) {
  push(
      name, OptionKind::number, std::move(about), {}, [&field] { return Texts{number_text(field)}; },
      [&field](const Texts& t) { field = to_number(t[0]); });
}

void Options::flag(const char* name, bool& field, std::string meaning) {
  push(
      name, OptionKind::flag, {0, 1, "", std::move(meaning)}, {},
      [&field] { return Texts{field ? "true" : "false"}; },
      [&field](const Texts& t) { field = t[0] == "true"; });
}

void Options::text(const char* name, std::string& field, Choices forms, std::string meaning) {
  push(
      name, OptionKind::text, {0, 0, "", std::move(meaning)}, std::move(forms),
      [&field] { return Texts{field}; }, [&field](const Texts& t) { field = t[0]; });
}

void Options::file(const char* name, std::string& field, std::string meaning) {
  text(name, field, std::move(meaning));
  list_.back().about.unit = "FILE";
}

void Options::length(const char* name, Length& field, About about) {
  push(
      name, OptionKind::length, std::move(about), {}, [&field] { return Texts{to_text(field)}; },
      [&field](const Texts& t) { field = parse_length(t[0]); });
}

void Options::texts(const char* name, std::vector<std::string>& field, Choices forms, std::string meaning) {
  push(
      name, OptionKind::texts, {0, 0, "", std::move(meaning)}, std::move(forms), [&field] { return field; },
      [&field](const Texts& t) { field = t; });
}

void Options::numbers(const char* name, std::vector<double>& field, About about) {
  push(
      name, OptionKind::numbers, std::move(about), {},
      [&field] {
        Texts texts;
        for (const double x : field) texts.push_back(number_text(x));
        return texts;
      },
      [&field](const Texts& t) {
        field.clear();
        for (const std::string& x : t) field.push_back(to_number(x));
      });
}

std::string Options::number_text(double x) { return to_text(x); }

double Options::to_number(const std::string& text) {
  double x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

std::int64_t Options::to_integer(const std::string& text) {
  std::int64_t x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

std::string reference_table(const Options& options) {
  std::string table = "| option | default | allowed | meaning |\n|---|---|---|---|\n";
  for (const Option& option : options.all()) {
    const std::string value = option.value_name(), initial = option.initial_text();
    std::string allowed = option.range_text();
    if (option.kind == OptionKind::choice) allowed = join(option.choices.names(), ", ");
    table += "| `" + option.flag_name() + (value.empty() ? "" : " " + value) + "` | " +
             (initial.empty() ? "" : "`" + initial + "`") + " | " + allowed + " | " + option.about.meaning +
             " |\n";
  }
  return table;
}

}  // namespace legwork
