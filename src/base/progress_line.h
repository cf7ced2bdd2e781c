#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include <legwork/run.h>

namespace legwork {

// A line on stderr that shows how far long work has come and how long it will still take:
//   searching [#########...............]  38%  76/200  1m 12s left
// Drawn only if stderr is a terminal and the user did not ask for quiet; erased when the work ends.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet = false);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Any thread may call it; work that begins anew starts a new clock.
  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  const bool visible_;
  std::mutex mutex_;
  long done_ = 0, total_ = 0;
  Clock::time_point start_, drawn_;
};

// The text of the line after `seconds` of work.
std::string progress_line(const Progress& progress, double seconds);

}  // namespace legwork
