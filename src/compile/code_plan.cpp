#include "compile/code_plan.h"

#include <algorithm>
#include <cassert>

namespace legwork {

namespace {

using Node = Tape::Node;
using Block = Tape::Block;
using Step = CodePlan::Step;

// Calls visit(operand, block in which it is used) for every value that a node needs in a block of its own
// choice.
template <class Visit>
void for_each_use(const Node& n, int block, const Visit& visit) {
  switch (n.op) {
    case Op::branched:
      visit(n.a, n.c), visit(n.b, block);
      break;
    case Op::carried:
      visit(n.a, block), visit(n.b, n.c);
      break;
    default: {
      const int count = operands(n.op);
      if (count > 0) visit(n.a, block);
      if (count > 1) visit(n.b, block);
      if (count > 2) visit(n.c, block);
    }
  }
}

class Planner {
 public:
  Planner(const Tape& tape, int longest) : tape_(tape), longest_(longest) {}

  CodePlan plan() {
    find_needed();
    sink();
    list_blocks();
    out_.piece.assign(nodes().size(), -1), out_.slot.assign(nodes().size(), -1);
    out_.whole.assign(blocks().size(), 0);
    lay_out(0);
    end_piece();
    find_slots();
    return std::move(out_);
  }

 private:
  const std::vector<Node>& nodes() const { return tape_.nodes(); }
  const std::vector<Block>& blocks() const { return tape_.blocks(); }
  const Node& node(int i) const { return nodes()[std::size_t(i)]; }
  const Block& block(int i) const { return blocks()[std::size_t(i)]; }
  static bool is_statement(const Node& n) { return n.op != Op::constant && n.op != Op::input; }

  void need(int i) {
    if (!needed_[std::size_t(i)]) needed_[std::size_t(i)] = 1, open_.push_back(i);
  }
  void need_block(int b) {
    for (; b > 0 && !block_needed_[std::size_t(b)]; b = block(b).parent) {
      block_needed_[std::size_t(b)] = 1;
      need(block(b).mask);
    }
  }
  void find_needed() {
    needed_.assign(nodes().size(), 0), block_needed_.assign(blocks().size(), 0);
    block_needed_[0] = 1;
    for (const Tape::Output& o : tape_.outputs()) need(o.node);
    for (int i = 0; i < int(nodes().size()); ++i)
      if (node(i).op == Op::store) need(i);
    while (!open_.empty()) {
      const Node& n = node(open_.back());
      open_.pop_back();
      if (n.op == Op::branched || n.op == Op::carried) need_block(n.c);
      need_block(n.block);
      for_each_use(n, n.block, [&](int use, int) { need(use); });
    }
  }

  int depth(int b) const {
    int d = 0;
    for (; b > 0; b = block(b).parent) ++d;
    return d;
  }
  int common(int a, int b) const {
    while (a != b) (depth(a) > depth(b) ? a : b) = block(depth(a) > depth(b) ? a : b).parent;
    return a;
  }
  // The deepest block that all uses share, but not within a loop that the node is not in.
  void sink() {
    where_.assign(nodes().size(), -1);
    const auto use = [&](int i, int in) {
      int& at = where_[std::size_t(i)];
      at = at < 0 ? in : common(at, in);
    };
    for (const Tape::Output& o : tape_.outputs()) use(o.node, 0);
    for (std::size_t b = 1; b < blocks().size(); ++b)
      if (block_needed_[b]) use(block(int(b)).mask, block(int(b)).is_loop ? int(b) : block(int(b)).parent);
    // results of blocks are used later than they are numbered
    for (std::size_t i = 0; i < nodes().size(); ++i)
      if (needed_[i] && nodes()[i].op == Op::carried) for_each_use(nodes()[i], nodes()[i].block, use);
    for (int i = int(nodes().size()) - 1; i >= 0; --i) {
      if (!needed_[std::size_t(i)]) continue;
      const Node& n = node(i);
      int& at = where_[std::size_t(i)];
      const bool stays = n.op == Op::branched || n.op == Op::carried || n.op == Op::store;
      if (stays) at = n.block;
      assert(at >= 0);
      for (int b = at; b != n.block; b = block(b).parent)
        if (block(b).is_loop) at = block(b).parent;
      if (n.op != Op::carried) for_each_use(n, at, use);
    }
  }

  struct Item {
    int order, node, block;  // node or block: -1
  };
  void list_blocks() {
    items_.resize(blocks().size()), size_.assign(blocks().size(), 0);
    for (int i = 0; i < int(nodes().size()); ++i) {
      const Node& n = node(i);
      if (!needed_[std::size_t(i)] || !is_statement(n)) continue;
      ++out_.operations;
      if (n.op == Op::branched || n.op == Op::carried) continue;  // belong to their block's bounds
      items_[std::size_t(where_[std::size_t(i)])].push_back({i, i, -1});
      ++size_[std::size_t(where_[std::size_t(i)])];
    }
    for (int b = int(blocks().size()) - 1; b > 0; --b) {
      if (!block_needed_[std::size_t(b)]) continue;
      items_[std::size_t(block(b).parent)].push_back({block(b).first, -1, b});
      size_[std::size_t(block(b).parent)] += size_[std::size_t(b)] + int(block(b).results.size());
    }
    // a block begins before the node that was written first in it
    for (auto& list : items_)
      std::stable_sort(list.begin(), list.end(), [](const Item& a, const Item& b) {
        return a.order != b.order ? a.order < b.order : a.block >= 0 && b.block < 0;
      });
  }

  void begin_piece() {
    if (in_piece_) return;
    out_.steps.push_back({Step::Kind::piece_begins, out_.pieces});
    in_piece_ = true, length_ = 0;
  }
  void end_piece() {
    if (!in_piece_) return;
    out_.steps.push_back({Step::Kind::piece_ends, out_.pieces++});
    in_piece_ = false;
  }
  void room_for(int size) {
    if (inside_ > 0) return;
    if (in_piece_ && length_ > 0 && length_ + size > longest_) end_piece();
    begin_piece();
    length_ += size;
  }
  void set_results(int b) {
    for (const int result : block(b).results)
      if (needed_[std::size_t(result)]) out_.piece[std::size_t(result)] = in_piece_ ? out_.pieces : -2;
  }
  void lay_out(int b) {
    const bool whole = inside_ > 0;
    bool asked = !block(b).is_loop;
    const auto ask = [&] {
      if (!whole) end_piece();
      out_.steps.push_back({Step::Kind::ask, b});
      asked = true;
    };
    for (const Item& item : items_[std::size_t(b)]) {
      if (!asked && item.order >= block(b).asked) ask();
      if (item.node >= 0) {
        room_for(1);
        out_.piece[std::size_t(item.node)] = out_.pieces;
        out_.steps.push_back({Step::Kind::node, item.node});
        continue;
      }
      const int inner = item.block, size = size_[std::size_t(inner)] + int(block(inner).results.size());
      const bool fits = whole || size <= longest_;
      if (fits)
        room_for(size), ++inside_;
      else
        end_piece();
      out_.whole[std::size_t(inner)] = fits;
      set_results(inner);
      out_.steps.push_back({Step::Kind::open, inner});
      lay_out(inner);
      out_.steps.push_back({Step::Kind::close, inner});
      if (fits) --inside_;
    }
    if (!asked) ask();
    if (!whole) end_piece();
  }

  // Slots for what more than one piece needs. A value that is made or needed in a loop which is not whole
  // keeps its slot for the whole of that loop.
  void find_slots();

  const Tape& tape_;
  const int longest_;
  CodePlan out_;
  std::vector<char> needed_, block_needed_;
  std::vector<int> open_, where_;
  std::vector<std::vector<Item>> items_;
  std::vector<int> size_;
  bool in_piece_ = false;
  int inside_ = 0, length_ = 0;
};

void Planner::find_slots() {
  // when each value is made and last needed, in steps; and the span of each loop in pieces
  const int n = int(nodes().size());
  std::vector<int> made(std::size_t(n), -1), last(std::size_t(n), -1);
  std::vector<char> shared(std::size_t(n), 0);
  std::vector<std::pair<int, int>> span(blocks().size(), {-1, -1});
  std::vector<int> chain;  // open blocks in pieces
  int piece = -1;
  std::vector<int> loop_of_step(out_.steps.size(), -1);
  const auto outer_loop = [&] {
    for (const int b : chain)
      if (block(b).is_loop) return b;
    return -1;
  };
  std::vector<std::vector<std::pair<int, int>>> uses;  // of each value: step, piece
  uses.resize(std::size_t(n));
  const auto use = [&](int i, int step) {
    if (is_statement(node(i))) uses[std::size_t(i)].push_back({step, piece});
  };
  for (int s = 0; s < int(out_.steps.size()); ++s) {
    const Step& step = out_.steps[std::size_t(s)];
    loop_of_step[std::size_t(s)] = outer_loop();
    switch (step.kind) {
      case Step::Kind::piece_begins:
        piece = step.index;
        break;
      case Step::Kind::piece_ends:
        piece = -1;
        break;
      case Step::Kind::node: {
        made[std::size_t(step.index)] = s;
        const Node& x = node(step.index);
        const int count = operands(x.op);
        if (count > 0) use(x.a, s);
        if (count > 1) use(x.b, s);
        if (count > 2) use(x.c, s);
        break;
      }
      case Step::Kind::open: {
        const Block& b = block(step.index);
        if (!b.is_loop) use(b.mask, s);
        for (const int r : b.results)
          if (needed_[std::size_t(r)]) {
            made[std::size_t(r)] = s;
            use(node(r).op == Op::carried ? node(r).a : node(r).b, s);
          }
        if (!out_.whole[std::size_t(step.index)])
          chain.push_back(step.index), span[std::size_t(step.index)].first = s;
        break;
      }
      case Step::Kind::ask:
        if (block(step.index).is_loop) use(block(step.index).mask, s);
        break;
      case Step::Kind::close: {
        for (const int r : block(step.index).results)
          if (needed_[std::size_t(r)]) {
            use(node(r).op == Op::carried ? node(r).b : node(r).a, s);
            use(r, s);  // it is set here
          }
        if (!out_.whole[std::size_t(step.index)]) chain.pop_back(), span[std::size_t(step.index)].second = s;
        break;
      }
    }
  }
  // outputs are written by one more piece, the last
  piece = out_.pieces;
  const int end = int(out_.steps.size());
  const bool one_piece = out_.pieces <= 1;
  for (const Tape::Output& o : tape_.outputs())
    if (is_statement(node(o.node))) uses[std::size_t(o.node)].push_back({end, one_piece ? 0 : out_.pieces});
  std::vector<std::vector<int>> born(std::size_t(end) + 1), dies(std::size_t(end) + 2);
  for (int i = 0; i < n; ++i) {
    if (made[std::size_t(i)] < 0) continue;
    const int home = out_.piece[std::size_t(i)];
    int from = made[std::size_t(i)], to = from;
    bool travels = home == -2;
    for (const auto& [step, in] : uses[std::size_t(i)])
      travels = travels || in != home, to = std::max(to, step);
    if (!travels) continue;
    // loops bring old values back: within the outermost loop of any use the slot stays
    const auto widen = [&](int step) {
      if (step >= end) return;
      const int loop = loop_of_step[std::size_t(step)];
      if (loop < 0) return;
      from = std::min(from, span[std::size_t(loop)].first), to = std::max(to, span[std::size_t(loop)].second);
    };
    widen(made[std::size_t(i)]);
    for (const auto& [step, in] : uses[std::size_t(i)]) widen(step);
    out_.slot[std::size_t(i)] = 0;
    born[std::size_t(from)].push_back(i), dies[std::size_t(to) + 1].push_back(i);
  }
  std::vector<int> free_numbers, free_masks;
  for (int s = 0; s <= end; ++s) {
    for (const int i : dies[std::size_t(s)])
      (node(i).is_mask ? free_masks : free_numbers).push_back(out_.slot[std::size_t(i)]);
    for (const int i : born[std::size_t(s)]) {
      auto& free = node(i).is_mask ? free_masks : free_numbers;
      int& count = node(i).is_mask ? out_.mask_slots : out_.slots;
      if (free.empty()) free.push_back(count++);
      out_.slot[std::size_t(i)] = free.back();
      free.pop_back();
    }
  }
}

}  // namespace

CodePlan make_code_plan(const Tape& tape, int longest) { return Planner(tape, longest).plan(); }

}  // namespace legwork
