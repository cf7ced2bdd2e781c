#pragma once
// Tape: the operations of which a piece of hot code consists, as a trace (math/trace.h) leaves them.
//
// Constants are folded and what was written before is not written again. Branches and loops are blocks: a
// tree, each with the nodes that were written while it was open, in order. A value of a block is known there
// and below; what outlives it does so as a `branched` or `carried` node of the block around it.
//
// Folding keeps the bits of every number but the sign of a zero, and takes x * 0 for 0 and x - x for 0, which
// holds for finite x: code that must notice what is not finite looks at its results.

#include <string>
#include <unordered_map>
#include <vector>

#include "math/trace.h"

namespace legwork {

// Numbers that the code reads or writes, by name.
struct TapeArray {
  enum class Kind {
    values,  // as many as its size
    table,   // numbers elsewhere that are read at places which the code calculates, the same for all lanes
    list,    // numbers elsewhere that are written at such places
  };
  std::string name;
  int size = 0;
  std::string about;  // unit and order, for the reader of the code
  bool read = false, written = false;
  Kind kind = Kind::values;
};

class Tape : public Recorder {
 public:
  struct Node {
    Op op;
    bool is_mask = false;
    int block = 0;
    // operands. input: array and index. branched: value after the branch, value before, block. carried: value
    // before the loop, value after a round, block. table: place, -, array. store: place, value, array
    int a = 0, b = 0, c = 0;
    double value = 0;  // constant; table, store: what is added to the place
  };
  struct Block {
    int parent = -1;
    bool is_loop = false;
    bool open = true;
    int mask = yes;            // branch: where it is entered; loop: where it goes on
    int rounds = 0;            // loop: how many at most; negative: the first number of the array -1 - rounds
    int first = 0;             // nodes from here on were written in it ...
    int asked = 0;             // loop: ... until here before its mask was known
    std::vector<int> results;  // branched or carried nodes of the parent
  };
  struct Output {
    int array, index, node;
  };

  Tape();

  int array(const std::string& name, int size, const std::string& about);
  Trace input(int array, int index);
  void output(int array, int index, Trace value);
  // What is elsewhere: place + offset is a whole number.
  int table(const std::string& name, const std::string& about);
  int list(const std::string& name, const std::string& about);
  Trace look_up(int table, Trace place, int offset);
  void store(int list, Trace place, int offset, Trace value);
  // The rounds of repeat() that an input tells.
  static int rounds_of(int array) { return -1 - array; }

  int constant(double value) override;
  int operation(Op op, int a, int b, int c) override;
  void branch(int mask, std::span<int* const> numbers, const std::function<void()>& body) override;
  void loop(int rounds, std::span<int* const> numbers, const std::function<int()>& question,
            const std::function<void()>& body) override;

  const std::vector<TapeArray>& arrays() const { return arrays_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  long asked_for() const { return asked_for_; }  // operations before folding and sharing

 private:
  struct Key {
    Op op;
    int a, b, c;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const;
  };

  int append(Op op, bool is_mask, int a, int b, int c);
  int fold(Op op, int a, int b, int c);
  int fold_constants(Op op, int a, int b, int c);
  int fold_sum(int a, int b);
  int fold_product(int a, int b);
  int open(bool is_loop);
  void close();
  void forget(std::size_t nodes, std::size_t blocks);
  bool is_constant(int node) const { return nodes_[std::size_t(node)].op == Op::constant; }
  bool is_number(int node, double x) const;
  bool is_negated(int node) const { return nodes_[std::size_t(node)].op == Op::negate; }
  bool is_known(int node) const;

  std::vector<TapeArray> arrays_;
  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::vector<Output> outputs_;
  std::unordered_map<Key, int, Hash> written_;
  std::unordered_map<unsigned long long, int> constants_;  // by their bits
  int block_ = 0;                                          // the present one
  long asked_for_ = 0;
};

// How many operands of a node are nodes.
int operands(Op op);

}  // namespace legwork
