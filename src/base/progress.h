#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace legwork {

// A line on stderr that tells how far long work has come and how long it will still take:
//   searching [#########...............]  38%  76/200  1m 12s left
// Drawn only if stderr is a terminal and the user did not ask for quiet; erased when the work ends.
class Progress {
 public:
  Progress(std::string what, long total, bool quiet = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // So many more pieces of the total are done. Any thread may call it.
  void advance(long pieces = 1);

 private:
  using Clock = std::chrono::steady_clock;

  const std::string what_;
  const long total_;
  const bool visible_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  Clock::time_point drawn_;
  long done_ = 0;
};

// The text of the line after so many seconds of work.
std::string progress_line(const std::string& what, long done, long total, double seconds);

}  // namespace legwork
