#pragma once
// The text of a corpus script (McKenna 1990, appendices C and D): lines of words, checked against the table
// of commands before anything runs, so that a slip in the last line costs no simulation.
//
//   # comment             to the end of the line
//   ! text                prints the text
//   command word word ...
//   procom 0              and retcom: commands on lines of their own, up to a line with a lone dot
//   read FILE             stands for the lines of another script

#include <string>
#include <vector>

#include <legwork/error.h>
#include "math/vec.h"

namespace legwork {

struct CorpusCommand;

// One command with its words. Which form of its arguments fits is settled by the parser.
struct CorpusLine {
  const CorpusCommand* command = nullptr;
  std::vector<std::string> words;  // arguments; words that only please the reader ("from") are left out
  std::string text;  // what stands after the command, as written; for a timer: the command it sets
  std::vector<CorpusLine> block;  // what procom, retcom, timer and alarm are to run
  Where where;
};

// The script with every `read` replaced by what it reads, and lines "#line N FILE" where the place changes:
// one text that stands alone. Throws Error.
std::string gather_corpus(const std::string& path);

// Throws Error with file and line for an unknown command, a wrong number of words, what is no number, an open
// block. file: where the text comes from, unless "#line" says otherwise.
std::vector<CorpusLine> parse_corpus(const std::string& text, const std::string& file);
// A single line, as in a timer.
CorpusLine parse_corpus_line(const std::string& text, const Where& where);

// The number that a checked word stands for; of "*0.5" the 0.5.
double corpus_number(const std::string& word);
Vec3d corpus_vector(const CorpusLine& line, int first);  // three of its words
bool is_relative(const std::string& word);  // "*0.5": times the duration of the step or stance it is part of

// A file that a script names: as seen from here, else from the script's folder.
std::string corpus_file(const std::string& name, const Where& where);

}  // namespace legwork
