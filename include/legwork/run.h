#pragma once
// How to run: the same for every method, search and study.

#include <cstdint>
#include <functional>
#include <string>

namespace legwork {

class Crew;
class Options;

// How far long work has come.
struct Progress {
  std::string what;          // "walking", "varying", ...
  long done = 0, total = 0;  // in pieces of its own
};

struct Run {
  std::uint64_t seed = 1;  // same seed, same bits
  int threads = 0;         // 0: all cores; the result does not depend on it
  // Told now and then, by one thread at a time; may be empty.
  std::function<void(const Progress&)> progress;
  // Asked often, by any thread; true ends the work, which then throws Stopped. May be empty.
  std::function<bool()> stop;
  // Where there is something to show by then, it is returned, with Status::stopped, and Stopped is not
  // thrown.
  bool keep_partial = false;
  // Other processes that share the work of a search, which then finds the same; null: this one alone.
  Crew* crew = nullptr;

  bool stopped() const { return stop && stop(); }
};
// Seed and threads, for command lines and files.
void describe(Options& v, Run& run);

// Thrown by a method when Run::stop said so (see Run::keep_partial). What was finished is in its archive,
// where it keeps one.
struct Stopped {};

}  // namespace legwork
