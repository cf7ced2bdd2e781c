#pragma once
// when and repeat: work that is skipped where no lane needs it, the same for double, batch and trace.
//
// `changed` lists every number that the work may change, as numbers, masks, structs of nothing else, vectors
// of those, and pointers to them (null: nothing). Lanes where the mask does not hold must keep their bits:
// what is done in them is done in vain.

#include <type_traits>
#include <vector>

#include "math/trace.h"

namespace legwork {

// body(), where the mask holds in any lane.
template <class M, class Body, class... Changed>
[[gnu::always_inline]] inline void when(const M& mask, const Body& body, Changed&...) {
  if (any(mask)) body();
}

// Rounds of question() and body(), until the mask that question() returns holds in no lane, at most so many.
// question() changes only lanes where that mask holds.
template <class Question, class Body, class First, class... Changed>
[[gnu::always_inline]] inline void repeat(
    int rounds, const Question& question, const Body& body, First&,
    Changed&...) requires(!std::is_same_v<decltype(question()), TraceMask>) {
  for (int round = 0; round < rounds && any(question()); ++round) body();
}

namespace trace_detail {

template <class X>
void list_numbers(X& x, std::vector<int*>& numbers) {
  if constexpr (std::is_pointer_v<X>) {
    if (x) list_numbers(*x, numbers);
  } else if constexpr (requires { x.begin(); }) {
    for (auto& item : x) list_numbers(item, numbers);
  } else {
    static_assert(sizeof(X) % sizeof(Trace) == 0 && std::is_trivially_copyable_v<X>);
    int* const first = reinterpret_cast<int*>(&x);
    for (std::size_t i = 0; i < sizeof(X) / sizeof(Trace); ++i) numbers.push_back(first + i);
  }
}

}  // namespace trace_detail

template <class Body, class... Changed>
void when(const TraceMask& mask, const Body& body, Changed&... changed) {
  std::vector<int*> numbers;
  (trace_detail::list_numbers(changed, numbers), ...);
  Recorder::current()->branch(mask.node, numbers, body);
}

template <class Question, class Body, class First, class... Changed>
void repeat(int rounds, const Question& question, const Body& body, First& first,
            Changed&... changed) requires(std::is_same_v<decltype(question()), TraceMask>) {
  std::vector<int*> numbers;
  trace_detail::list_numbers(first, numbers);
  (trace_detail::list_numbers(changed, numbers), ...);
  Recorder::current()->loop(
      rounds, numbers, [&] { return question().node; }, body);
}

}  // namespace legwork
