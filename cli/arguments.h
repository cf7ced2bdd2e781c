#pragma once
// The command line of one verb: places (CREATURE, FILE), options from their descriptions, examples.

#include <string>
#include <vector>

#include <legwork/options.h>
#include "cli/targets.h"

namespace legwork::cli {

class Arguments {
 public:
  // purpose: what the verb does, one line. examples: whole command lines, one a line.
  Arguments(std::string verb, std::string purpose, std::string examples);

  // What stands without a flag, in this order. A field that already holds something may be left out.
  void place(std::string name, std::string& field, std::string meaning);
  // One or more values at the end, after all places.
  void places(std::string name, std::vector<std::string>& field, std::string meaning);
  // A group of options under a heading of --help. The fields must outlive this object.
  template <class T>
  void options(std::string heading, T& fields) {
    groups_.push_back({std::move(heading), Options(fields)});
  }
  void options(std::string heading, Options options) {
    groups_.push_back({std::move(heading), std::move(options)});
  }

  // The option of this name, where the verb has it, names a file to write: parse checks it with all others.
  // --json is one without being declared.
  void writes(std::string name, std::string ending = {}, std::string advice = {});
  // A file to write that no option names.
  void writes(Target target) { targets_.push_back(std::move(target)); }

  // Stores what the arguments say, and checks the files to write. False: they asked for help, which is
  // printed. Throws Error.
  bool parse(const std::vector<std::string>& arguments);
  // Whether the user gave this option.
  bool given(const std::string& name) const;
  // After parse: the files to write, and every word that may name a file.
  std::vector<Target> targets() const;
  std::vector<Mention> mentions() const;

  std::string help() const;
  // The same as Markdown, for docs/options.md (--help-markdown).
  std::string reference() const;

 private:
  struct Place {
    std::string name, meaning;
    std::string* field;
    std::vector<std::string>* list;
    bool required;
  };
  struct Group {
    std::string heading;
    Options options;
  };
  std::vector<std::string> flags() const;
  const Option* find(const std::string& name) const;
  void store_places(const std::vector<std::string>& words);
  std::string usage() const;  // "legwork drop CREATURE [options]"

  std::string verb_, purpose_, examples_;
  std::vector<Place> places_;
  std::vector<Group> groups_;
  std::vector<Target> targets_;  // of options: flag holds the name, path is empty
  std::vector<std::string> given_;
};

}  // namespace legwork::cli
