#pragma once
// How far a piece of long work has come, reported to Run::progress.

#include <mutex>
#include <string>
#include <utility>

#include <legwork/run.h>

namespace legwork {

class Meter {
 public:
  // run must outlive it.
  Meter(const Run& run, std::string what, long total) : run_(run), progress_{std::move(what), 0, total} {}

  // So many more pieces are done. Any thread may call it.
  void advance(long pieces = 1);
  // So many pieces are done in all; fewer than before: nothing happens.
  void reach(long done);
  // Whether the work is to end.
  bool stopped() const { return run_.stopped(); }

 private:
  void tell(long done);

  const Run& run_;
  Progress progress_;
  std::mutex mutex_;
};

// Throws Stopped if the work is to end.
void stop_if_asked(const Run& run);

}  // namespace legwork
