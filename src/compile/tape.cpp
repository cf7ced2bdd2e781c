#include "compile/tape.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "math/real.h"

namespace legwork {

int operands(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
      return 0;
    case Op::negate:
    case Op::square_root:
    case Op::magnitude:
    case Op::power_of_two:
    case Op::negation:
    case Op::table:
      return 1;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::less:
    case Op::less_or_equal:
    case Op::both:
    case Op::either:
    case Op::branched:
    case Op::carried:
    case Op::store:
      return 2;
    case Op::choose:
      return 3;
  }
  return 0;
}

namespace {

bool gives_mask(Op op) {
  return op == Op::less || op == Op::less_or_equal || op == Op::both || op == Op::either ||
         op == Op::negation;
}

bool commutes(Op op) { return op == Op::add || op == Op::multiply || op == Op::both || op == Op::either; }

}  // namespace

std::size_t Tape::Hash::operator()(const Key& k) const {
  std::uint64_t h = std::uint64_t(k.op);
  for (const int x : {k.a, k.b, k.c})
    h = (h ^ std::uint64_t(unsigned(x))) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  return std::size_t(h);
}

Tape::Tape() {
  blocks_.push_back({});
  constant(0.0);
  for (const bool holds : {false, true}) {
    Node node{Op::constant};
    node.is_mask = true, node.value = holds;
    nodes_.push_back(node);
  }
}

int Tape::array(const std::string& name, int size, const std::string& about) {
  arrays_.push_back({name, size, about});
  return int(arrays_.size()) - 1;
}

Trace Tape::input(int array, int index) {
  assert(index < arrays_[std::size_t(array)].size);
  arrays_[std::size_t(array)].read = true;
  const Key key{Op::input, array, index, 0};
  const auto [at, is_new] = written_.try_emplace(key, 0);
  if (is_new) {
    at->second = append(Op::input, false, array, index, 0);
    nodes_.back().block = 0;  // inputs are the same everywhere
  }
  return Trace::of(at->second);
}

void Tape::output(int array, int index, Trace value) {
  assert(block_ == 0 && index < arrays_[std::size_t(array)].size);
  arrays_[std::size_t(array)].written = true;
  outputs_.push_back({array, index, value.node});
}

int Tape::table(const std::string& name, const std::string& about) {
  arrays_.push_back({name, 0, about, true, false, TapeArray::Kind::table});
  return int(arrays_.size()) - 1;
}

int Tape::list(const std::string& name, const std::string& about) {
  arrays_.push_back({name, 0, about, false, true, TapeArray::Kind::list});
  return int(arrays_.size()) - 1;
}

Trace Tape::look_up(int table, Trace place, int offset) {
  assert(arrays_[std::size_t(table)].kind == TapeArray::Kind::table && is_known(place.node));
  const int node = append(Op::table, false, place.node, 0, table);
  nodes_.back().value = offset;
  return Trace::of(node);
}

void Tape::store(int list, Trace place, int offset, Trace value) {
  assert(arrays_[std::size_t(list)].kind == TapeArray::Kind::list);
  if (!is_known(place.node) || !is_known(value.node))
    throw std::logic_error("a number changed in a branch that does not list it");
  append(Op::store, false, place.node, value.node, list);
  nodes_.back().value = offset;
}

int Tape::constant(double value) {
  const auto [at, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), int(nodes_.size()));
  if (is_new) {
    Node node{Op::constant};
    node.value = value;
    nodes_.push_back(node);
  }
  return at->second;
}

bool Tape::is_number(int node, double x) const {
  const Node& n = nodes_[std::size_t(node)];
  return n.op == Op::constant && !n.is_mask && n.value == x;
}

// Whether a value may be used in the present block.
bool Tape::is_known(int node) const { return blocks_[std::size_t(nodes_[std::size_t(node)].block)].open; }

int Tape::append(Op op, bool is_mask, int a, int b, int c) {
  Node node{op, is_mask, block_, a, b, c};
  nodes_.push_back(node);
  return int(nodes_.size()) - 1;
}

int Tape::operation(Op op, int a, int b, int c) {
  ++asked_for_;
  const int n = operands(op);
  if ((n > 0 && !is_known(a)) || (n > 1 && !is_known(b)) || (n > 2 && !is_known(c)))
    throw std::logic_error("a number changed in a branch that does not list it");
  if (commutes(op) && b < a) std::swap(a, b);
  if (n < 3) c = 0;
  if (n < 2) b = 0;
  if (const int folded = fold(op, a, b, c); folded >= 0) return folded;
  const Key key{op, a, b, c};
  if (const auto found = written_.find(key); found != written_.end() && is_known(found->second))
    return found->second;
  const bool is_mask = gives_mask(op) || (op == Op::choose && nodes_[std::size_t(b)].is_mask);
  return written_[key] = append(op, is_mask, a, b, c);
}

// What is known without writing, or -1.
int Tape::fold(Op op, int a, int b, int c) {
  const int n = operands(op);
  if (is_constant(a) && (n < 2 || is_constant(b)) && n < 3) return fold_constants(op, a, b, c);
  const Node& x = nodes_[std::size_t(a)];
  switch (op) {
    case Op::add:
      return fold_sum(a, b);
    case Op::subtract:
      if (is_number(b, 0)) return a;
      if (is_number(a, 0)) return operation(Op::negate, b, 0, 0);
      if (a == b) return zero;
      if (is_negated(b)) return operation(Op::add, a, nodes_[std::size_t(b)].a, 0);
      return -1;
    case Op::multiply:
      return fold_product(a, b);
    case Op::divide:
      if (is_number(b, 1)) return a;
      if (is_number(a, 0)) return zero;
      return -1;
    case Op::negate:
    case Op::negation:
      return x.op == op ? x.a : -1;
    case Op::both:
      if (a == no || b == no) return no;
      return a == yes || a == b ? b : b == yes ? a : -1;
    case Op::either:
      if (a == yes || b == yes) return yes;
      return a == no || a == b ? b : b == no ? a : -1;
    case Op::choose:
      if (b == c || a == yes) return b;
      if (a == no) return c;
      if (x.op == Op::negation) return operation(Op::choose, x.a, c, b);
      return -1;
    default:
      return -1;
  }
}

int Tape::fold_sum(int a, int b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if (is_negated(b)) return operation(Op::subtract, a, nodes_[std::size_t(b)].a, 0);
  if (is_negated(a)) return operation(Op::subtract, b, nodes_[std::size_t(a)].a, 0);
  return -1;
}

int Tape::fold_product(int a, int b) {
  if (is_number(a, 0) || is_number(b, 0)) return zero;
  for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
    if (is_number(one, 1)) return other;
    if (is_number(one, -1)) return operation(Op::negate, other, 0, 0);
    if (is_negated(one)) {
      const int product = operation(Op::multiply, nodes_[std::size_t(one)].a, other, 0);
      return operation(Op::negate, product, 0, 0);
    }
  }
  return -1;
}

int Tape::fold_constants(Op op, int a, int b, int) {
  const double x = nodes_[std::size_t(a)].value, y = nodes_[std::size_t(b)].value;
  const auto mask = [](bool holds) { return holds ? yes : no; };
  switch (op) {
    case Op::add:
      return constant(x + y);
    case Op::subtract:
      return constant(x - y);
    case Op::multiply:
      return constant(x * y);
    case Op::divide:
      return constant(x / y);
    case Op::negate:
      return constant(-x);
    case Op::square_root:
      return constant(std::sqrt(x));
    case Op::magnitude:
      return constant(std::fabs(x));
    case Op::power_of_two:
      return constant(real_detail::power_of_two(x));
    case Op::less:
      return mask(x < y);
    case Op::less_or_equal:
      return mask(x <= y);
    case Op::both:
      return mask(x != 0 && y != 0);
    case Op::either:
      return mask(x != 0 || y != 0);
    case Op::negation:
      return mask(x == 0);
    default:
      return -1;
  }
}

int Tape::open(bool is_loop) {
  Block block;
  block.parent = block_, block.is_loop = is_loop, block.first = int(nodes_.size());
  blocks_.push_back(block);
  return block_ = int(blocks_.size()) - 1;
}

void Tape::close() {
  blocks_[std::size_t(block_)].open = false;
  block_ = blocks_[std::size_t(block_)].parent;
}

// Takes back what was written since there were so many nodes and blocks.
void Tape::forget(std::size_t nodes, std::size_t blocks) {
  std::erase_if(written_, [&](const auto& item) { return item.second >= int(nodes); });
  std::erase_if(constants_, [&](const auto& item) { return item.second >= int(nodes); });
  nodes_.resize(nodes), blocks_.resize(blocks);
}

void Tape::branch(int mask, std::span<int* const> numbers, const std::function<void()>& body) {
  if (mask == no) return;
  if (mask == yes) return body();
  std::vector<int> before;
  for (const int* number : numbers) before.push_back(*number);
  const int block = open(false);
  blocks_[std::size_t(block)].mask = mask;
  body();
  close();
  std::unordered_map<Key, int, Hash> joined;  // numbers that are the same before and after are one
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const int after = *numbers[i];
    if (after == before[i]) continue;
    const auto [at, is_new] = joined.try_emplace({Op::branched, after, before[i], block}, 0);
    if (is_new) {
      at->second = append(Op::branched, nodes_[std::size_t(after)].is_mask, after, before[i], block);
      blocks_[std::size_t(block)].results.push_back(at->second);
    }
    *numbers[i] = at->second;
  }
}

// Which numbers a round changes shows only once it was recorded, and a number that is carried hides
// constants: so the round is recorded with none carried first, and again with those that it was seen to
// change, until no others are.
void Tape::loop(int rounds, std::span<int* const> numbers, const std::function<int()>& question,
                const std::function<void()>& body) {
  std::vector<int> before;
  for (const int* number : numbers) before.push_back(*number);
  std::vector<int> carried(numbers.size(), -1);
  const std::size_t nodes = nodes_.size(), blocks = blocks_.size();
  for (bool grows = true; grows;) {
    forget(nodes, blocks);
    grows = false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      *numbers[i] = before[i];
      if (carried[i] < 0) continue;
      const bool is_mask = nodes_[std::size_t(before[i])].is_mask;
      *numbers[i] = carried[i] = append(Op::carried, is_mask, before[i], 0, int(blocks));
    }
    const int block = open(true);
    blocks_[std::size_t(block)].rounds = rounds;
    const int mask = question();
    if (mask == no) {
      close();
      forget(nodes, blocks);
      for (std::size_t i = 0; i < numbers.size(); ++i) *numbers[i] = before[i];
      return;
    }
    blocks_[std::size_t(block)].mask = mask;
    blocks_[std::size_t(block)].asked = int(nodes_.size());
    body();
    close();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (carried[i] < 0 && *numbers[i] != before[i]) carried[i] = 0, grows = true;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (carried[i] < 0) continue;
    nodes_[std::size_t(carried[i])].b = *numbers[i];
    blocks_[blocks].results.push_back(carried[i]);
    *numbers[i] = carried[i];
  }
}

}  // namespace legwork
