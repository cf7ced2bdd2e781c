#pragma once

#include <functional>

#include <legwork/run.h>

namespace legwork {

// How many threads a request means: itself, or all cores if it is 0 or less.
int thread_count(int requested) noexcept;

// Calls body(index, thread) once for every index in [0, n), on `threads` threads (0 or less: all cores, the
// caller's among them); `thread` in [0, thread_count(threads)) names the scratch space to use. Indices start
// in order but may run at the same time: for the same result with any number of threads, body(i) writes only
// what belongs to i.
//
// If bodies throw, no further index starts and the exception of the lowest throwing index is thrown here: the
// same one that a plain loop would have met.
void parallel_for(int n, int threads, const std::function<void(int index, int thread)>& body);

// Those who do a piece of long work: how many threads, and when they are to lay it down.
class Workers {
 public:
  Workers(int threads) : threads_(threads) {}
  Workers(const Run& run) : threads_(run.threads), stop_(run.stop) {}

  int threads() const { return threads_; }
  // Throws Stopped if the work is to end.
  void stop_if_asked() const {
    if (stop_ && stop_()) throw Stopped{};
  }

 private:
  int threads_;
  std::function<bool()> stop_;
};

// The same by workers who may be stopped between two indices; Stopped is then thrown.
void parallel_for(int n, const Workers& workers, const std::function<void(int index, int thread)>& body);

}  // namespace legwork
