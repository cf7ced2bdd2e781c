#pragma once
// Trace: a scalar that does not calculate but writes down what is calculated.
//
// Hot code that is templated on its scalar runs once with it, for one body in one world, and leaves the list
// of operations of which it consists; the room compile/ makes C of that list. A trace stands for any number
// of lanes: whatever may differ between lanes or states is a mask, and any() is true and all() false unless
// the mask is a constant, so that code goes every way that a batch might. What shall be skipped where no lane
// needs it stands in when() and repeat() (math/branch.h), which become branches and loops of the C.

#include <cassert>
#include <functional>
#include <span>

#include "math/batch.h"

namespace legwork {

enum class Op : unsigned char {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide,
  negate,
  square_root,
  magnitude,
  power_of_two,  // of a whole number
  less,
  less_or_equal,
  both,
  either,
  negation,  // of a mask
  choose,    // mask, where it holds, else
  branched,  // the value that a branch left, else the one before it
  carried,   // a value from one round of a loop to the next
  table,     // a number of a table, at a place that is a number
  store,     // into a list, at a place that is a number
};

// Who listens. Numbers and masks are indices of what was written down before.
class Recorder {
 public:
  static constexpr int zero = 0, no = 1, yes = 2;  // the number 0 and the two masks: always there

  virtual ~Recorder() = default;
  virtual int constant(double value) = 0;
  virtual int operation(Op op, int a, int b = 0, int c = 0) = 0;
  // numbers: all that body may change.
  virtual void branch(int mask, std::span<int* const> numbers, const std::function<void()>& body) = 0;
  // rounds: how many at most; negative: as the input of that name says (see compile/tape.h).
  virtual void loop(int rounds, std::span<int* const> numbers, const std::function<int()>& question,
                    const std::function<void()>& body) = 0;

  // Who listens in this thread at present; set by Recording.
  static Recorder*& current() {
    static thread_local Recorder* recorder = nullptr;
    return recorder;
  }
};

// While it lives, what traces do in this thread goes to the recorder.
class Recording {
 public:
  explicit Recording(Recorder& recorder) : before_(Recorder::current()) { Recorder::current() = &recorder; }
  ~Recording() { Recorder::current() = before_; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Recorder* before_;
};

struct TraceMask {
  int node = Recorder::no;

  TraceMask() = default;
  explicit TraceMask(int node) : node(node) {}
  TraceMask(bool holds) : node(holds ? Recorder::yes : Recorder::no) {}
};

struct Trace {
  int node = Recorder::zero;

  Trace() = default;
  Trace(double x) : node(Recorder::current()->constant(x)) {}
  Trace(int x) : Trace(double(x)) {}
  static Trace of(int node) {
    Trace t;
    t.node = node;
    return t;
  }
};

namespace trace_detail {
inline Trace number(Op op, Trace a, Trace b = {}) {
  return Trace::of(Recorder::current()->operation(op, a.node, b.node));
}
inline TraceMask mask(Op op, int a, int b = 0) { return TraceMask(Recorder::current()->operation(op, a, b)); }
}  // namespace trace_detail

inline Trace operator+(Trace a, Trace b) { return trace_detail::number(Op::add, a, b); }
inline Trace operator-(Trace a, Trace b) { return trace_detail::number(Op::subtract, a, b); }
inline Trace operator*(Trace a, Trace b) { return trace_detail::number(Op::multiply, a, b); }
inline Trace operator/(Trace a, Trace b) { return trace_detail::number(Op::divide, a, b); }
inline Trace operator-(Trace a) { return trace_detail::number(Op::negate, a); }
inline Trace& operator+=(Trace& a, Trace b) { return a = a + b; }
inline Trace& operator-=(Trace& a, Trace b) { return a = a - b; }
inline Trace& operator*=(Trace& a, Trace b) { return a = a * b; }

inline TraceMask operator<(Trace a, Trace b) { return trace_detail::mask(Op::less, a.node, b.node); }
inline TraceMask operator>(Trace a, Trace b) { return b < a; }
inline TraceMask operator<=(Trace a, Trace b) {
  return trace_detail::mask(Op::less_or_equal, a.node, b.node);
}
inline TraceMask operator>=(Trace a, Trace b) { return b <= a; }
inline TraceMask operator&(TraceMask a, TraceMask b) { return trace_detail::mask(Op::both, a.node, b.node); }
inline TraceMask operator|(TraceMask a, TraceMask b) {
  return trace_detail::mask(Op::either, a.node, b.node);
}
inline TraceMask operator!(TraceMask a) { return trace_detail::mask(Op::negation, a.node); }

inline Trace select(TraceMask mask, Trace a, Trace b) {
  return Trace::of(Recorder::current()->operation(Op::choose, mask.node, a.node, b.node));
}
inline bool any(TraceMask mask) { return mask.node != Recorder::no; }
inline bool all(TraceMask mask) { return mask.node == Recorder::yes; }

inline Trace sqrt(Trace a) { return trace_detail::number(Op::square_root, a); }
inline Trace abs(Trace a) { return trace_detail::number(Op::magnitude, a); }
inline Trace min(Trace a, Trace b) { return select(b < a, b, a); }
inline Trace max(Trace a, Trace b) { return select(a < b, b, a); }

inline Trace power_of_two(Trace k) { return trace_detail::number(Op::power_of_two, k); }

// Work that goes lane by lane cannot be recorded: compile/limits.h says beforehand what does.
inline double lane(Trace, int) {
  assert(false);
  return 0;
}
inline void set_lane(Trace&, int, double) { assert(false); }

template <>
struct MaskOf<Trace> {
  using type = TraceMask;
};
template <>
inline constexpr int lanes_of<Trace> = batch_lanes;
template <class T>
inline constexpr bool is_recorded = false;
template <>
inline constexpr bool is_recorded<Trace> = true;

}  // namespace legwork
