// What a tape writes down, folds, shares and leaves out; and that branches and loops of the C do what the
// library's do.

#include <gtest/gtest.h>

#include <array>

#include "compile/code_plan.h"
#include "compile/emit_c.h"
#include "compile/native.h"
#include "math/branch.h"
#include "math/real.h"

namespace legwork {
namespace {

// Operations that are left of y = f(x).
template <class F>
long left_of(const F& f) {
  Tape tape;
  const Recording recording(tape);
  const Trace x = tape.input(tape.array("x", 1, ""), 0);
  tape.output(tape.array("y", 1, ""), 0, f(x));
  return make_code_plan(tape, 1000).operations;
}

TEST(Tape, FoldsWhatIsKnown) {
  EXPECT_EQ(left_of([](Trace x) { return x * Trace(1) + Trace(0); }), 0);
  EXPECT_EQ(left_of([](Trace x) { return x * Trace(0) + Trace(2) * Trace(3); }), 0);
  EXPECT_EQ(left_of([](Trace x) { return -(-x); }), 0);
  EXPECT_EQ(left_of([](Trace x) { return select(Trace(1) < Trace(2), x, x * x); }), 0);
  EXPECT_EQ(left_of([](Trace x) { return x + Trace(1); }), 1);
}

TEST(Tape, WritesTheSameOperationOnceAndNothingThatNoOutputNeeds) {
  EXPECT_EQ(left_of([](Trace x) { return (x + Trace(1)) * (Trace(1) + x); }), 2);
  EXPECT_EQ(left_of([](Trace x) {
              const Trace unused = sqrt(x);
              (void)unused;
              return x + x;
            }),
            1);
}

// The same source for double and for a recording: counts how often 3 goes into x, by a loop, with a branch in
// it.
template <class T>
std::array<T, 2> divide_by_three(T x, T limit) {
  T count(0), odd(0), left = x;
  repeat(
      40, [&] { return (left >= T(3)) & (count < limit); },
      [&] {
        left -= T(3), count += T(1);
        const T half = count * T(0.5);
        const auto is_odd = abs(half - real_detail::round_nearest(half)) > T(0.25);
        when(
            is_odd, [&] { odd += sqrt(left * left + T(1)); }, odd);
      },
      left, count, odd);
  return {count, odd};
}

std::unique_ptr<NativeCode> native(const Tape& tape, int longest) {
  CFile file{"f", "", {}, {}};
  file.functions.push_back({"f", "", &tape, {}});
  std::string why, note;
  NativeOptions options;
  options.compiler = find_c_compiler();
  auto code = NativeCode::make(c_text(file, longest), options, why, note);
  EXPECT_TRUE(code) << why;
  return code;
}

TEST(Tape, BranchesAndLoopsDoWhatTheySayInOnePieceAndInMany) {
  Tape tape;
  {
    const Recording recording(tape);
    const int in = tape.array("in", 2, "");
    const auto result = divide_by_three(tape.input(in, 0), tape.input(in, 1));
    const int out = tape.array("out", 2, "");
    tape.output(out, 0, result[0]), tape.output(out, 1, result[1]);
  }
  for (const int longest : {1, 3, 1000}) {
    const auto code = native(tape, longest);
    ASSERT_TRUE(code);
    const auto f = reinterpret_cast<void (*)(double*)>(code->find("f"));
    ASSERT_TRUE(f);
    for (const double x : {-1.0, 2.9, 3.0, 17.5, 100.0, 1000.0})
      for (const double limit : {0.0, 5.0, 1000.0}) {
        std::array<double, 4> io{x, limit, -1, -1};
        f(io.data());
        const auto expected = divide_by_three(x, limit);
        EXPECT_EQ(io[2], expected[0]) << longest << " " << x;
        EXPECT_EQ(io[3], expected[1]) << longest << " " << x;
      }
  }
}

TEST(Tape, AnInputThatIsAlsoWrittenIsReadFirst) {
  Tape tape;
  {
    const Recording recording(tape);
    const int x = tape.array("x", 2, "");
    const Trace a = tape.input(x, 0), b = tape.input(x, 1);
    tape.output(x, 0, b), tape.output(x, 1, a);
  }
  const auto code = native(tape, 1000);
  ASSERT_TRUE(code);
  std::array<double, 2> x{1, 2};
  reinterpret_cast<void (*)(double*)>(code->find("f"))(x.data());
  EXPECT_EQ(x[0], 2);
  EXPECT_EQ(x[1], 1);
}

TEST(Tape, ANumberThatABranchChangesWithoutListingItIsNoticed) {
  Tape tape;
  const Recording recording(tape);
  const Trace x = tape.input(tape.array("x", 1, ""), 0);
  Trace listed = x, forgotten = x;
  when(
      x > Trace(0), [&] { listed += Trace(1), forgotten += Trace(2); }, listed);
  EXPECT_NO_THROW(listed + x);
  EXPECT_THROW(forgotten + x, std::logic_error);
}

TEST(Tape, NumbersAreWrittenSoThatCReadsTheSameBits) {
  EXPECT_EQ(c_number(0.1), "0.1");
  EXPECT_EQ(c_number(-2), "(-2.0)");
  EXPECT_EQ(c_number(1e300), "1e+300");
  EXPECT_EQ(c_number(1.0 / 0.0), "INFINITY");
}

}  // namespace
}  // namespace legwork
