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
  // Another part of the same work begins, counted on.
  void enter(std::string what);
  // Whether the work is to end.
  bool stopped() const { return run_.stopped(); }
  // Whether what there is by then is wanted.
  bool keeps_partial() const { return run_.keep_partial; }

 private:
  void tell(long done);

  const Run& run_;
  Progress progress_;
  std::mutex mutex_;
};

// Throws Stopped if the work is to end.
void stop_if_asked(const Run& run);
// The same where the caller has something to show: it is kept where the run wants that.
void stop_unless_kept(const Run& run);

}  // namespace legwork
