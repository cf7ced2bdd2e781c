#include "base/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace legwork {
namespace {

std::string duration_text(double seconds) {
  const long s = std::lround(std::min(seconds, 1e9));
  char text[48];
  if (s < 60) {
    std::snprintf(text, sizeof text, "%lds", s);
  } else if (s < 3600) {
    std::snprintf(text, sizeof text, "%ldm %02lds", s / 60, s % 60);
  } else {
    std::snprintf(text, sizeof text, "%ldh %02ldm", s / 3600, s / 60 % 60);
  }
  return text;
}

}  // namespace

ProgressLine::ProgressLine(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() {
  if (visible_ && drawn_ != Clock::time_point{}) std::fputs("\r\033[K", stderr), std::fflush(stderr);
}

void ProgressLine::show(const Progress& progress) {
  if (!visible_ || progress.total <= 0) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  // parts of one work count on; other work begins again
  if (progress.done < done_ || progress.total != total_) start_ = now;
  done_ = progress.done, total_ = progress.total;
  if (now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r\033[K%s", progress_line(progress, seconds).c_str());
  std::fflush(stderr);
}

std::string progress_line(const Progress& progress, double seconds) {
  constexpr int width = 24;
  const long total = progress.total, done = std::clamp(progress.done, 0l, total);
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1;
  const int full = static_cast<int>(share * width);
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "] %3d%%  %ld/%ld", static_cast<int>(share * 100), done, total);
  std::string line = progress.what + " [" + std::string(full, '#') + std::string(width - full, '.') + numbers;
  if (done > 0) line += "  " + duration_text(seconds / share * (1 - share)) + " left";
  return line;
}

}  // namespace legwork
