#pragma once
// C of tapes: C99 that needs the standard library's sqrt and nothing else.
//
// The same text serves one body, several at once in the lanes of GCC's and Clang's vector extension
// (LEGWORK_LANES is defined as their number), and a graphics processor (CUDA). Every operation is the IEEE
// operation of double, in the order of the tape: compiled without contraction (-ffp-contract=off, CUDA
// -fmad=false) it has the same bits everywhere.

#include <string>
#include <vector>

#include "compile/tape.h"

namespace legwork {

struct CFunction {
  std::string name;   // a C identifier
  std::string about;  // what it does, for its comment
  const Tape* tape = nullptr;
  std::vector<std::pair<std::string, std::vector<double>>> start;  // arrays that do not start at 0
};

struct CFile {
  std::string name;                                    // of the file, as C writes names
  std::string about;                                   // the comment at its head
  std::vector<std::pair<std::string, int>> constants;  // names with their values, for the header
  std::vector<CFunction> functions;
  std::string header = {};  // the header's file; empty: name + ".h"
};

// For each function a struct NAME_io with its arrays, void NAME_start(NAME_io*), which fills it, and
// void NAME(NAME_io*). With LEGWORK_EXAMPLE defined the source has a main that calls them and prints.
std::string c_header(const CFile& file);
// longest: operations in a piece of a function (code_plan.h).
std::string c_source(const CFile& file, int longest = 4000);

// Both in one text, without main.
std::string c_text(const CFile& file, int longest = 4000);

// Text as lines of a C comment.
std::string c_comment(const std::string& text);
// A double as C reads it back, bit for bit.
std::string c_number(double x);

}  // namespace legwork
