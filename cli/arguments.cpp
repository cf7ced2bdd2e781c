#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "base/text.h"

namespace legwork::cli {

namespace {

constexpr size_t text_column = 28, page_width = 100;

// Words of `text` from `column` on, broken at the page's width.
std::string wrapped(const std::string& text, size_t column) {
  std::string out;
  size_t at = column;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (at > column && at + 1 + word.size() > page_width) {
      out += "\n" + std::string(column, ' ');
      at = column;
    }
    if (at > column) out += ' ', ++at;
    out += word;
    at += word.size();
  }
  return out;
}

// "  --flag X       meaning ..."
std::string entry(const std::string& head, const std::string& text, size_t indent = 2) {
  std::string line = std::string(indent, ' ') + head;
  if (text.empty()) return line + "\n";
  if (line.size() + 2 > text_column)
    line += "\n" + std::string(text_column, ' ');
  else
    line += std::string(text_column - line.size(), ' ');
  return line + wrapped(text, text_column) + "\n";
}

std::string meaning(const Option& option) {
  std::string text = option.about.meaning;
  const std::string range = option.range_text(), initial = option.initial_text();
  if (option.kind == OptionKind::choice && !option.choices.values.empty() &&
      option.choices.values[0].second.empty())
    text += ": " + join(option.choices.names(), ", ");
  if (!range.empty()) text += " (" + range + ")";
  if (!initial.empty()) text += " [" + initial + "]";
  return text;
}

std::string option_help(const Option& option) {
  const std::string value = option.value_name();
  std::string text = entry(option.flag_name() + (value.empty() ? "" : " " + value), meaning(option));
  for (const auto& [name, help] : option.choices.values)
    if (!help.empty()) text += entry(name, help, 6);
  return text;
}

}  // namespace

Arguments::Arguments(std::string verb, std::string purpose, std::string examples)
    : verb_(std::move(verb)), purpose_(std::move(purpose)), examples_(std::move(examples)) {}

void Arguments::place(std::string name, std::string& field, std::string meaning) {
  places_.push_back({std::move(name), std::move(meaning), &field, nullptr, field.empty()});
}

void Arguments::places(std::string name, std::vector<std::string>& field, std::string meaning) {
  places_.push_back({std::move(name), std::move(meaning), nullptr, &field, field.empty()});
}

std::vector<std::string> Arguments::flags() const {
  std::vector<std::string> list = {"--help"};
  for (const Group& group : groups_)
    for (const Option& option : group.options.all()) list.push_back(option.flag_name());
  return list;
}

const Option* Arguments::find(const std::string& name) const {
  for (const Group& group : groups_)
    if (const Option* option = group.options.find(name)) return option;
  return nullptr;
}

void Arguments::writes(std::string name, std::string ending, std::string advice) {
  targets_.push_back({std::move(name), "", std::move(ending), std::move(advice)});
}

std::vector<Target> Arguments::targets() const {
  std::vector<Target> list = targets_;
  list.push_back({"json", "", "", ""});
  for (Target& target : list)
    if (const Option* option = target.path.empty() ? find(target.flag) : nullptr)
      target.flag = option->flag_name(), target.path = option->get()[0];
  return list;
}

std::vector<Mention> Arguments::mentions() const {
  std::vector<Mention> list;
  for (const Place& place : places_) {
    if (place.field) list.push_back({place.name, *place.field});
    if (place.list)
      for (const std::string& word : *place.list) list.push_back({place.name, word});
  }
  for (const Group& group : groups_)
    for (const Option& option : group.options.all())
      if (option.kind == OptionKind::text || option.kind == OptionKind::texts)
        for (const std::string& word : option.get()) list.push_back({option.flag_name(), word});
  return list;
}

bool Arguments::given(const std::string& name) const {
  return std::find(given_.begin(), given_.end(), name) != given_.end();
}

bool Arguments::parse(const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  bool help_wanted = false, reference_wanted = false;
  app.add_flag("-h,--help", help_wanted);
  app.add_flag("--help-markdown", reference_wanted);
  for (const Group& group : groups_)
    for (const Option& option : group.options.all()) {
      const std::string flag = option.flag_name();
      const auto store = [this, &option, flag](const std::vector<std::string>& values) {
        option.set(values, {}, flag);
        given_.push_back(option.name);
        return true;
      };
      if (option.kind == OptionKind::flag)
        app.add_flag_callback(flag, [store] { store({"true"}); });
      else if (option.kind == OptionKind::texts)
        app.add_option(flag, store)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      else
        app.add_option(flag, store)->expected(1);
    }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ArgumentMismatch&) {
    for (const CLI::Option* option : app.get_options())
      if (option->count() > 1) throw Error({}, verb_, option->get_name() + " is given twice", "keep one");
    throw Error({}, verb_, "'" + arguments.back() + "' needs a value",
                "legwork " + verb_ + " --help shows which");
  } catch (const CLI::ParseError& e) {
    throw Error({}, verb_, e.what());
  }
  if (help_wanted || reference_wanted) {
    std::cout << (help_wanted ? help() : reference());
    return false;
  }

  store_places(app.remaining());
  check_targets(targets(), mentions());
  return true;
}

void Arguments::store_places(const std::vector<std::string>& rest) {
  for (const std::string& word : rest)
    if (word.size() > 1 && word[0] == '-' && word != "--")
      throw Error({}, verb_, "unknown option '" + word + "'",
                  did_you_mean(word.substr(0, word.find('=')), flags()));
  size_t next = 0;
  for (const Place& place : places_) {
    if (next == rest.size()) {
      if (place.required) throw Error({}, verb_, place.name + " is missing", place.meaning);
      break;
    }
    if (place.list)
      place.list->assign(rest.begin() + long(next), rest.end()), next = rest.size();
    else
      *place.field = rest[next++];
  }
  if (next < rest.size())
    throw Error({}, verb_, "unexpected '" + rest[next] + "'", "see legwork " + verb_ + " --help");
}

std::string Arguments::usage() const {
  std::string text = "legwork " + verb_;
  for (const Place& place : places_) {
    const std::string name = place.name + (place.list ? "..." : "");
    text += place.required ? " " + name : " [" + name + "]";
  }
  return text + " [options]";
}

std::string Arguments::reference() const {
  std::string text = "## " + verb_ + "\n`" + usage() + "`: " + purpose_ + "\n";
  for (const Group& group : groups_) text += "\n### " + group.heading + "\n" + reference_table(group.options);
  return text;
}

std::string Arguments::help() const {
  std::string text = "legwork " + verb_ + ": " + purpose_ + "\n\nUsage: " + usage() + "\n";
  if (!places_.empty()) {
    text += "\n";
    for (const Place& place : places_) text += entry(place.name, place.meaning);
  }
  for (const Group& group : groups_) {
    text += "\n" + group.heading + "\n";
    for (const Option& option : group.options.all()) text += option_help(option);
  }
  text += "\n" + entry("--help", "this text");
  if (!examples_.empty()) {
    text += "\nExamples\n";
    // what follows a blank line stands by itself
    std::string indent = "  ";
    std::istringstream lines(examples_);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) indent.clear();
      text += indent + line + "\n";
    }
  }
  return text;
}

}  // namespace legwork::cli
