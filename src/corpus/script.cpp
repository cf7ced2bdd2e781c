#include "corpus/script.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "base/within.h"
#include "corpus/command.h"
#include "formats/file.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_script = 16 << 20;  // bytes
constexpr std::size_t longest_line = 4000;          // letters
constexpr int deepest_read = 16;
constexpr std::string_view blanks = " \t\r\f\v";

using Kind = CorpusArgument::Kind;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool to_number(std::string_view word, double& x) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), x);
  return failed == std::errc() && end == word.data() + word.size() && std::isfinite(x);
}

bool to_whole(std::string_view word) {
  double x = 0;
  return to_number(word, x) && x == std::floor(x) && std::fabs(x) <= 1e9;
}

// A line's command and what follows it.
struct Head {
  std::string command;
  std::string_view rest;
};

Head head_of(std::string_view line) {
  if (line.front() == '!') return {"!", line.substr(1)};
  const std::size_t end = std::min(line.find_first_of(blanks), line.size());
  return {std::string(line.substr(0, end)), line.substr(end)};
}

// Words up to a comment.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; stream >> word;) {
    if (word.front() == '#') break;
    words.push_back(word);
  }
  return words;
}

std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || blanks.find(text[i - 1]) != blanks.npos))
      return trimmed(text.substr(0, i));
  return trimmed(text);
}

// How far a form of the arguments fits the words; complete: all the way.
struct Fit {
  std::size_t words = 0;
  bool complete = false;
  std::optional<Error> fault;  // what is wrong with the first word that does not fit
  std::vector<std::string> kept;
};

std::optional<Error> fault_of(const CorpusArgument& a, const std::string& word) {
  double x = 0;
  switch (a.kind) {
    case Kind::number:
      if (!to_number(word, x)) return Error("'" + word + "' is no number for " + a.name);
      break;
    case Kind::integer:
      if (!to_whole(word)) return Error("'" + word + "' is no whole number for " + a.name);
      break;
    case Kind::time:
      if (!to_number(is_relative(word) ? std::string_view(word).substr(1) : std::string_view(word), x))
        return Error("'" + word + "' is no time", "write seconds, or *0.5 for half of the step or stance");
      break;
    case Kind::choice:
      if (std::find(a.choices.begin(), a.choices.end(), word) == a.choices.end())
        return Error("'" + word + "' is none of its words", did_you_mean(word, a.choices));
      break;
    default:
      break;
  }
  return std::nullopt;
}

Fit fit(const std::vector<CorpusArgument>& form, const std::vector<std::string>& words) {
  Fit f;
  for (const CorpusArgument& a : form) {
    if (a.kind == Kind::rest || a.kind == Kind::command) {
      if (a.kind == Kind::command && f.words == words.size())
        return f.fault = Error("the command is missing"), f;
      f.words = words.size();
      break;
    }
    if (a.kind == Kind::literal) {
      if (f.words < words.size() && words[f.words] == a.name) ++f.words;
      continue;
    }
    if (f.words == words.size()) {
      if (a.optional) break;
      return f.fault = Error(a.name + " is missing"), f;
    }
    f.fault = fault_of(a, words[f.words]);
    if (f.fault) return f;
    f.kept.push_back(words[f.words++]);
  }
  if (f.words < words.size()) return f.fault = Error("'" + words[f.words] + "' is one word too many"), f;
  f.complete = true;
  return f;
}

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) : stream_(text), where_{file, 0} {}

  std::vector<CorpusLine> all() {
    std::vector<CorpusLine> lines;
    for (std::string_view line; next(line);) {
      if (line == ".") fail("", "a lone dot closes no procom or retcom", "remove it");
      lines.push_back(parse(line));
    }
    return lines;
  }

  CorpusLine parse(std::string_view text) {
    const Head head = head_of(text);
    CorpusLine line;
    line.where = where_;
    line.command = find_corpus_command(head.command);
    if (!line.command) fail_unknown(head.command);
    line.text = head.command == "!" ? trimmed(head.rest) : without_comment(head.rest);
    std::vector<std::string> words = head.command == "!" ? std::vector<std::string>() : words_of(head.rest);
    if (line.command->numbers > 0) return with_numbers(std::move(line), std::move(words));

    Fit best;
    const auto forms = corpus_forms(*line.command);
    for (const auto& form : forms) {
      Fit now = fit(form, words);
      if (now.complete || !best.fault || now.words > best.words) best = std::move(now);
      if (best.complete) break;
    }
    if (!best.complete)
      throw with_advice(within(where_, head.command, *best.fault), "write " + usage(*line.command));
    line.words = std::move(best.kept);
    if (forms[0].size() > 0 && forms[0].back().kind == Kind::command)
      set_command(line, head.rest, line.words.size());
    if (line.command->block) read_block(line);
    return line;
  }

  void place(const Where& where) { where_ = where; }

 private:
  [[noreturn]] void fail(const std::string& who, const std::string& problem,
                         const std::string& advice = {}) const {
    throw Error(where_, who, problem, advice);
  }

  [[noreturn]] void fail_unknown(const std::string& word) const {
    double x = 0;
    if (to_number(is_relative(word) ? std::string_view(word).substr(1) : std::string_view(word), x))
      fail("", "the number '" + word + "' stands where a command should",
           "does it belong to the line before?");
    std::vector<std::string> names = corpus_command_names(), alike;
    if (closest(word, names).empty())  // then those that begin like it
      for (const std::string& name : names)
        if (word.size() > 2 && name.compare(0, 3, word, 0, 3) == 0) alike.push_back(name);
    fail("", "unknown command '" + word + "'", did_you_mean(word, alike.empty() ? names : alike));
  }

  // The next line that says something, without its blanks and comment.
  bool next(std::string_view& line) {
    while (std::getline(stream_, buffer_)) {
      ++where_.line;
      if (buffer_.size() > longest_line)
        fail("", "the line is longer than " + std::to_string(longest_line) + " letters", "split it");
      line = trimmed(buffer_);
      if (line.starts_with("#line ")) {
        const std::vector<std::string> words = words_of(line.substr(6));
        if (words.size() > 1 && to_whole(words[0]))
          where_ = {std::string(trimmed(line.substr(line.find(words[1], 6)))),
                    int(corpus_number(words[0])) - 1};
      }
      if (!line.empty() && line.front() != '#') return true;
    }
    return false;
  }

  // The command that a timer sets: what stands after its first words.
  void set_command(CorpusLine& line, std::string_view rest, std::size_t skip) {
    for (std::size_t i = 0; i < skip; ++i) {
      rest = trimmed(rest);
      rest.remove_prefix(std::min(rest.find_first_of(blanks), rest.size()));
    }
    rest = trimmed(rest);
    if (head_of(rest).command != "!") rest = without_comment(rest);
    line.text = rest;
    const CorpusCommand* command = find_corpus_command(head_of(rest).command);
    if (command && (command->block || command->numbers > 0))
      fail(line.command->name,
           "cannot set '" + std::string(command->name) + "', which needs lines of its own");
    line.block.push_back(parse(rest));
  }

  void read_block(CorpusLine& line) {
    const Where open = where_;
    for (std::string_view inner; next(inner);) {
      if (without_comment(inner) == ".") return;
      const CorpusCommand* command = find_corpus_command(head_of(inner).command);
      if (command && command->block)
        fail(line.command->name, "is still open where '" + std::string(command->name) + "' begins",
             "close it with a lone dot on a line");
      line.block.push_back(parse(inner));
    }
    throw Error(open, line.command->name, "is not closed", "end its commands with a lone dot on a line");
  }

  CorpusLine with_numbers(CorpusLine line, std::vector<std::string> words) {
    const int wanted = line.command->numbers;
    std::string_view more;
    while (int(words.size()) < wanted && next(more))
      for (std::string& word : words_of(more)) words.push_back(std::move(word));
    double x = 0;
    for (const std::string& word : words)
      if (!to_number(word, x))
        fail(line.command->name, "'" + word + "' is no number",
             "give " + std::to_string(wanted) + " of them");
    if (int(words.size()) != wanted)
      fail(line.command->name, "has " + std::to_string(words.size()) + " numbers",
           "give " + std::to_string(wanted));
    line.words = std::move(words);
    return line;
  }

  std::istringstream stream_;
  std::string buffer_;
  Where where_;
};

void gather(const std::string& path, int depth, std::string& out) {
  if (depth > deepest_read || out.size() > largest_script)
    throw Error({path, 0}, "read", "scripts read each other without end", "remove one of their `read` lines");
  std::istringstream lines(read_file(path, largest_script));
  out += "#line 1 " + path + "\n";
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0] != "read") {
      out += line + "\n";
      continue;
    }
    const Where where{path, number};
    if (words.size() != 2) throw Error(where, "read", "needs one file name", "write read FILE");
    gather(corpus_file(words[1], where), depth + 1, out);
    out += "#line " + std::to_string(number + 1) + " " + path + "\n";
  }
}

}  // namespace

bool is_relative(const std::string& word) { return !word.empty() && word.front() == '*'; }

double corpus_number(const std::string& word) {
  double x = 0;
  to_number(is_relative(word) ? std::string_view(word).substr(1) : std::string_view(word), x);
  return x;
}

Vec3d corpus_vector(const CorpusLine& line, int first) {
  return {corpus_number(line.words[first]), corpus_number(line.words[first + 1]),
          corpus_number(line.words[first + 2])};
}

std::string corpus_file(const std::string& name, const Where& where) {
  std::error_code failed;
  const fs::path beside = fs::path(where.file).parent_path() / name;
  if (fs::is_regular_file(beside, failed)) return beside.string();
  if (fs::is_regular_file(name, failed)) return name;
  throw Error(where, "", "there is no file '" + name + "' here or beside the script", "check the path");
}

std::string gather_corpus(const std::string& path) {
  std::string text;
  gather(path, 0, text);
  return text;
}

std::vector<CorpusLine> parse_corpus(const std::string& text, const std::string& file) {
  return Parser(text, file).all();
}

CorpusLine parse_corpus_line(const std::string& text, const Where& where) {
  Parser parser("", where.file);
  parser.place(where);
  const std::string_view line = trimmed(text);
  if (line.empty() || line.size() > longest_line)
    throw Error(where, "", "is no command", "write one line of words");
  return parser.parse(line);
}

}  // namespace legwork
