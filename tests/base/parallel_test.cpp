#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace legwork {
namespace {

TEST(Parallel, EveryIndexRunsExactlyOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<std::atomic<int>> count(1000);
    parallel_for(1000, threads, [&](int i, int) { ++count[i]; });
    for (const auto& c : count) EXPECT_EQ(c, 1);
  }
}

TEST(Parallel, NoWorkIsFine) {
  parallel_for(0, 4, [](int, int) { FAIL(); });
}

TEST(Parallel, ThreadNumbersAreInRangeAndNeverSharedAtOneTime) {
  constexpr int threads = 4;
  std::vector<std::atomic<int>> inside(threads);
  parallel_for(2000, threads, [&](int, int t) {
    ASSERT_GE(t, 0);
    ASSERT_LT(t, threads);
    EXPECT_EQ(inside[t]++, 0);
    --inside[t];
  });
}

TEST(Parallel, ThreadsRunAtTheSameTime) {
  std::atomic<int> arrived = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  parallel_for(2, 2, [&](int, int) {
    ++arrived;
    while (arrived < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    EXPECT_EQ(arrived, 2);
  });
}

TEST(Parallel, TheExceptionOfTheLowestIndexArrives) {
  for (const int threads : {1, 2, 5}) {
    for (int trial = 0; trial < 50; ++trial) {
      try {
        parallel_for(100, threads, [&](int i, int) {
          if (i == 13) std::this_thread::sleep_for(std::chrono::microseconds(100));  // later ones throw first
          if (i >= 13) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "nothing thrown";
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "13");
      }
    }
  }
}

TEST(Parallel, WorkStopsAfterAnException) {
  std::atomic<int> ran = 0;
  EXPECT_THROW(parallel_for(1000000, 2,
                            [&](int i, int) {
                              ++ran;
                              if (i == 5) throw std::runtime_error("stop");
                              std::this_thread::sleep_for(std::chrono::microseconds(10));
                            }),
               std::runtime_error);
  EXPECT_LT(ran, 900000);
}

TEST(Parallel, ZeroThreadsMeansAllCores) {
  EXPECT_GE(thread_count(0), 1);
  EXPECT_EQ(thread_count(-1), thread_count(0));
  EXPECT_EQ(thread_count(3), 3);
}

}  // namespace
}  // namespace legwork
