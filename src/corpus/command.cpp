#include "corpus/command.h"

#include <map>
#include <sstream>

#include "base/text.h"

namespace legwork {

namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == text.npos) return parts;
    begin = end + separator.size();
  }
}

CorpusArgument argument(std::string token) {
  using Kind = CorpusArgument::Kind;
  CorpusArgument a;
  if (token.front() == '[') {
    a.optional = true;
    token = token.substr(1, token.size() - 2);
  }
  if (token.front() == '\'') {
    a.kind = Kind::literal;
    a.optional = true;
    a.name = token.substr(1, token.size() - 2);
    return a;
  }
  a.name = token;
  if (token.find('|') != token.npos) {
    a.kind = Kind::choice;
    a.choices = split(token, "|");
    return a;
  }
  if (token.ends_with("...")) {
    a.name = token.substr(0, token.size() - 3);
    a.kind = a.name == "command" ? Kind::command : Kind::rest;
    return a;
  }
  const char mark = token.back();
  a.kind = mark == '#' ? Kind::number : mark == '%' ? Kind::integer : mark == '~' ? Kind::time : Kind::name;
  if (a.kind != Kind::name) a.name.pop_back();
  return a;
}

std::string shown(const CorpusArgument& a) {
  using Kind = CorpusArgument::Kind;
  std::string text = a.kind == Kind::choice ? "{" + a.name + "}"
                     : a.kind == Kind::rest ? a.name + " ..."
                                            : a.name;
  return a.optional ? "[" + text + "]" : text;
}

}  // namespace

const std::vector<CorpusCommandGroup>& corpus_commands() {
  static const std::vector<CorpusCommandGroup> groups = {
      object_commands(), gait_commands(), figure_commands(), state_commands(), world_commands()};
  return groups;
}

const CorpusCommand* find_corpus_command(const std::string& name) {
  static const std::map<std::string, const CorpusCommand*> known = [] {
    std::map<std::string, const CorpusCommand*> all;
    for (const CorpusCommandGroup& group : corpus_commands())
      for (const CorpusCommand& command : group.commands) all[command.name] = &command;
    return all;
  }();
  const auto found = known.find(name);
  return found == known.end() ? nullptr : found->second;
}

std::vector<std::string> corpus_command_names() {
  std::vector<std::string> names;
  for (const CorpusCommandGroup& group : corpus_commands())
    for (const CorpusCommand& command : group.commands) names.push_back(command.name);
  return names;
}

std::vector<std::vector<CorpusArgument>> corpus_forms(const CorpusCommand& command) {
  std::vector<std::vector<CorpusArgument>> forms;
  for (const std::string& form : split(command.arguments, " / ")) {
    forms.emplace_back();
    std::istringstream words(form);
    for (std::string word; words >> word;) forms.back().push_back(argument(word));
  }
  return forms;
}

std::string usage(const CorpusCommand& command) {
  std::string text;
  for (const auto& form : corpus_forms(command)) {
    if (!text.empty()) text += " | ";
    text += command.name;
    for (const CorpusArgument& a : form) text += " " + shown(a);
  }
  if (command.block) text += " ... .";
  if (command.numbers > 0) text += " (" + std::to_string(command.numbers) + " numbers)";
  return text;
}

std::string corpus_reference() {
  std::string text;
  for (const CorpusCommandGroup& group : corpus_commands()) {
    text += "### " + std::string(group.title) + "\n\n| command | meaning |\n|---|---|\n";
    for (const CorpusCommand& command : group.commands) {
      std::string form = usage(command);
      for (std::size_t at = 0; (at = form.find('|', at)) != form.npos; at += 2) form.insert(at, "\\");
      text += "| `" + form + "` | " + command.meaning + " |\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace legwork
