#pragma once
// Every command of the corpus language in one table: the parser, the interpreter, `legwork script --help` and
// docs/corpus.md read it.

#include <string>
#include <vector>

#include "corpus/script.h"

namespace legwork {

class CorpusInterpreter;

struct CorpusCommand {
  const char* name;
  // Words separated by blanks: `x#` a number, `n%` a whole number, `time~` a number or "*0.5" (times the
  // duration of the step or stance it stands in), `a|b` one of these, `'from'` a word that may be left out,
  // `text...` the rest of the line, `command...` a command. In brackets: may be left out. Alternatives are
  // separated by " / ".
  const char* arguments;
  const char* meaning;
  void (*run)(CorpusInterpreter& corpus, const CorpusLine& line);
  bool block = false;  // followed by commands up to a lone dot
  int numbers = 0;     // how many numbers follow, on any number of lines
};

struct CorpusCommandGroup {
  const char* title;
  std::vector<CorpusCommand> commands;
};

// In the order of appendix D; what is not listed there comes last in each group.
const std::vector<CorpusCommandGroup>& corpus_commands();
const CorpusCommand* find_corpus_command(const std::string& name);
std::vector<std::string> corpus_command_names();

// The arguments as a person writes them: "obj x y z".
std::string usage(const CorpusCommand& command);
// The table as Markdown, for docs/corpus.md.
std::string corpus_reference();

// One form of a command's arguments.
struct CorpusArgument {
  enum class Kind { name, number, integer, time, choice, literal, rest, command };
  Kind kind = Kind::name;
  std::string name;
  std::vector<std::string> choices;
  bool optional = false;
};
std::vector<std::vector<CorpusArgument>> corpus_forms(const CorpusCommand& command);

// Defined in objects.cpp, figures.cpp, world_commands.cpp, gait_commands.cpp and state.cpp.
CorpusCommandGroup object_commands();
CorpusCommandGroup gait_commands();
CorpusCommandGroup figure_commands();
CorpusCommandGroup state_commands();
CorpusCommandGroup world_commands();

}  // namespace legwork
