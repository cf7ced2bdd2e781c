#pragma once
// The plan of the code: what of a tape is needed, where, and in which piece of the code.
//
// What no output needs is left out. What only a branch needs moves into it (never into a loop). Long code
// goes into pieces of limited length, functions of their own, because compilers take time that grows faster
// than the length of a function; values that pass from one piece to another go through slots of memory, which
// are used again once their value is not needed any more.

#include "compile/tape.h"

namespace legwork {

struct CodePlan {
  // A step of the code, in order. Nodes of one piece follow each other.
  struct Step {
    enum class Kind { node, open, ask, close, piece_begins, piece_ends } kind;
    int index = 0;  // node, block or piece
  };
  std::vector<Step> steps;
  std::vector<int> piece;   // for each node: where it is calculated; -1: nowhere
  std::vector<int> slot;    // for each node: its slot, or -1: only its own piece knows it
  std::vector<char> whole;  // for each block: it lies within one piece
  int pieces = 0;
  int slots = 0, mask_slots = 0;
  long operations = 0;  // that are left
};

// longest: how many operations a piece may have.
CodePlan make_code_plan(const Tape& tape, int longest);

}  // namespace legwork
