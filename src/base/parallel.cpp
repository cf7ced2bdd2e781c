#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace legwork {

int thread_count(int requested) noexcept {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(int n, int threads, const std::function<void(int index, int thread)>& body) {
  threads = std::min(thread_count(threads), n);
  if (threads <= 1) {
    for (int i = 0; i < n; ++i) body(i, 0);
    return;
  }

  // Indices are handed out in order, so when one throws, all lower ones have started and will be waited for.
  std::atomic<int> next = 0;
  std::atomic<bool> stop = false;
  std::mutex failure_mutex;
  std::exception_ptr failure;
  int failed_index = std::numeric_limits<int>::max();

  const auto work = [&](int thread) {
    while (!stop) {
      const int i = next++;
      if (i >= n) return;
      try {
        body(i, thread);
      } catch (...) {
        stop = true;
        const std::lock_guard lock(failure_mutex);
        if (i < failed_index) failed_index = i, failure = std::current_exception();
      }
    }
  };

  {
    std::vector<std::jthread> others;
    others.reserve(threads - 1);
    for (int t = 1; t < threads; ++t) others.emplace_back(work, t);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

void parallel_for(int n, const Workers& workers, const std::function<void(int index, int thread)>& body) {
  parallel_for(n, workers.threads(), [&](int index, int thread) {
    workers.stop_if_asked();
    body(index, thread);
  });
}

}  // namespace legwork
