#include "legwork/ground/contact_options.h"

#include <charconv>
#include <cmath>
#include <initializer_list>

#include "legwork/base/error.h"
#include "legwork/base/text.h"

namespace legwork {

namespace {

struct Range {
  double low, high;
  const char* unit;
  const char* meaning;
};
using Words = std::initializer_list<const char*>;

// Sets the one field of the given name.
struct Setter {
  std::string who, key, value;
  std::vector<std::string> keys;
  bool done = false;

  void number(const char* name, double& field, const Range& range) {
    keys.push_back(name);
    if (key != name) return;
    const char* end = value.data() + value.size();
    const auto [stop, status] = std::from_chars(value.data(), end, field);
    if (status != std::errc() || stop != end || !std::isfinite(field))
      throw Error({}, who, key + " '" + value + "' is not a number; try " + key + "=0.5");
    if (field < range.low || field > range.high)
      throw Error({}, who,
                  key + " " + value + " is out of range; from " + to_text(range.low) + " to " +
                      to_text(range.high) + " " + range.unit);
    done = true;
  }
  template <class Enum>
  void choice(const char* name, Enum& field, Words words, const char*) {
    keys.push_back(name);
    if (key != name) return;
    int index = 0;
    for (const char* word : words) {
      if (value == word) return field = Enum(index), done = true, void();
      ++index;
    }
    throw Error({}, who,
                key + " '" + value + "' is unknown" + did_you_mean(value, {words.begin(), words.end()}));
  }
};

// Lists what differs from the defaults, in the syntax of parse_contact.
struct Writer {
  const std::vector<double>& defaults;
  std::string text;
  std::size_t at = 0;

  void number(const char* name, double& field, const Range&) {
    if (field != defaults[at++]) add(name, to_text(field));
  }
  template <class Enum>
  void choice(const char* name, Enum& field, Words words, const char*) {
    if (std::string(name) == "type")
      text = words.begin()[int(field)];
    else if (int(field) != 0)
      add(name, words.begin()[int(field)]);
  }
  void add(const std::string& name, const std::string& value) {
    text += (text.find(':') == std::string::npos ? ":" : ",") + name + "=" + value;
  }
};

struct Defaults {
  std::vector<double> values;
  void number(const char*, double& field, const Range&) { values.push_back(field); }
  template <class Enum>
  void choice(const char*, Enum&, Words, const char*) {}
};

// A line of help for each field.
struct Lister {
  std::vector<std::pair<std::string, std::string>>& lines;
  void number(const char* name, double&, const Range& range) {
    const std::string unit = std::string(range.unit) == "1" ? "" : std::string(" (") + range.unit + ")";
    lines.push_back({std::string("  ...:") + name + "=", range.meaning + unit});
  }
  template <class Enum>
  void choice(const char* name, Enum&, Words words, const char* meaning) {
    if (std::string(name) != "type")
      lines.push_back(
          {std::string("  ...:") + name + "=" + join({words.begin(), words.end()}, "|"), meaning});
  }
};

}  // namespace

ContactOptions parse_contact(const std::string& spec) {
  const std::string who = "--contact '" + spec + "'";
  ContactOptions options;
  const std::size_t colon = spec.find(':');
  const std::string kind = spec.substr(0, colon);
  const std::vector<std::string> kinds = {"linear", "exponential", "sticky"};
  bool known = false;
  for (int i = 0; i < 3; ++i)
    if (kind == kinds[i]) options.type = ContactType(i), known = true;
  if (!known) throw Error({}, who, "unknown contact '" + kind + "'" + did_you_mean(kind, kinds));
  if (colon == std::string::npos) return options;

  std::size_t begin = colon + 1;
  while (begin <= spec.size()) {
    const std::size_t end = std::min(spec.find(',', begin), spec.size());
    const std::string part = spec.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      throw Error({}, who, "'" + part + "' has no value; try " + kind + ":friction=0.5");
    Setter setter{who, part.substr(0, equals), part.substr(equals + 1), {}};
    if (setter.key != "type") describe(setter, options);
    if (!setter.done)
      throw Error({}, who, "unknown key '" + setter.key + "'" + did_you_mean(setter.key, setter.keys));
    begin = end + 1;
  }
  return options;
}

std::string to_text(const ContactOptions& options) {
  ContactOptions standard, copy = options;
  Defaults defaults;
  describe(defaults, standard);
  Writer writer{defaults.values, {}};
  describe(writer, copy);
  return writer.text;
}

std::vector<std::pair<std::string, std::string>> contact_choices() {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"linear", "spring and damper, Coulomb friction"},
      {"exponential", "McKenna's ground: exponential spring, restitution, Coulomb friction"},
      {"sticky", "exponential, and feet hold on by springs that break"},
  };
  ContactOptions options;
  Lister lister{lines};
  describe(lister, options);
  return lines;
}

}  // namespace legwork
