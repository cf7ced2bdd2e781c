#include <legwork/world.h>

#include <legwork/error.h>
#include <legwork/options.h>
#include "base/text.h"

namespace legwork {

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

  const Options described(options);
  std::size_t begin = colon + 1;
  while (begin <= spec.size()) {
    const std::size_t end = std::min(spec.find(',', begin), spec.size());
    const std::string part = spec.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      throw Error({}, who, "'" + part + "' has no value; try " + kind + ":friction=0.5");
    const std::string key = part.substr(0, equals);
    const Option* option = key == "type" ? nullptr : described.find(key);
    if (!option) throw Error({}, who, "unknown key '" + key + "'" + did_you_mean(key, described.names()));
    option->set({part.substr(equals + 1)}, {}, who + ": " + key);
    begin = end + 1;
  }
  return options;
}

std::string to_text(const ContactOptions& options) {
  ContactOptions standard, copy = options;
  const Options initial(standard), described(copy);
  std::string text, separator = ":";
  for (std::size_t i = 0; i < described.all().size(); ++i) {
    const Option& option = described.all()[i];
    if (option.name == "type") {
      text = option.get()[0];
    } else if (option.get() != initial.all()[i].get()) {
      text += separator + option.name + "=" + option.get()[0];
      separator = ",";
    }
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> contact_choices() {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"linear", "spring and damper, Coulomb friction"},
      {"exponential", "McKenna's ground: exponential spring, restitution, Coulomb friction"},
      {"sticky", "exponential, and feet hold on by springs that break"},
  };
  ContactOptions options;
  const Options described(options);
  for (const Option& option : described.all()) {
    if (option.name == "type") continue;
    const std::string unit =
        option.about.unit.empty() || option.about.unit == "1" ? "" : ", " + option.about.unit;
    lines.push_back(
        {"  ...:" + option.name + "=" + join(option.choices.names(), "|"), option.about.meaning + unit});
  }
  return lines;
}

}  // namespace legwork
