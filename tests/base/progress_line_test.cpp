#include "base/progress_line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "base/meter.h"

namespace legwork {
namespace {

class OnTerminal : public testing::Test {
 protected:
  void SetUp() override {
    if (openpty(&terminal, &program, nullptr, nullptr, nullptr) != 0)
      GTEST_SKIP() << "no pseudo-terminals here";
  }
  void TearDown() override {
    close(program);
    close(terminal);
  }

  // What `work` writes to stderr while that is a terminal.
  template <class Work>
  std::string written_by(const Work& work);

  int terminal = -1, program = -1;
};

template <class Work>
std::string OnTerminal::written_by(const Work& work) {
  std::fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(program, STDERR_FILENO);
  work();
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;) text.append(buffer, n);
  return text;
}

TEST(Progress, LineTellsShareCountAndTimeLeft) {
  EXPECT_EQ(progress_line({"searching", 50, 200}, 24),
            "searching [######..................]  25%  50/200  1m 12s left");
  EXPECT_EQ(progress_line({"searching", 200, 200}, 9),
            "searching [########################] 100%  200/200  0s left");
  EXPECT_EQ(progress_line({"searching", 1, 100}, 73),
            "searching [........................]   1%  1/100  2h 00m left");
}

TEST(Progress, NothingDoneMeansNoGuessOfTheTimeLeft) {
  EXPECT_EQ(progress_line({"walk", 0, 10}, 3), "walk [........................]   0%  0/10");
}

TEST(Progress, MoreThanTheTotalIsTheTotal) {
  EXPECT_EQ(progress_line({"walk", 12, 10}, 3), "walk [########################] 100%  10/10  0s left");
}

TEST(Progress, SilentWhenStderrIsNotATerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line;
    for (int i = 1; i <= 10; ++i) line.show({"walk", i, 10});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(OnTerminal, ProgressIsDrawnAndErasedAtTheEnd) {
  const std::string text = written_by([] { ProgressLine().show({"walk", 2, 4}); });
  EXPECT_NE(text.find("walk [############............]  50%  2/4"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\r\033[K")) << text;
}

TEST_F(OnTerminal, QuietProgressIsSilent) {
  EXPECT_EQ(written_by([] { ProgressLine(true).show({"walk", 2, 4}); }), "");
}

TEST(Meter, AnyThreadMayAdvanceIt) {
  struct Run run;
  long last = 0;
  run.progress = [&](const Progress& p) {
    EXPECT_EQ(p.done, last + 1);
    last = p.done;
  };
  Meter meter(run, "walk", 2000);
  {
    std::jthread a([&] {
      for (int i = 0; i < 1000; ++i) meter.advance();
    });
    std::jthread b([&] {
      for (int i = 0; i < 1000; ++i) meter.advance();
    });
  }
  EXPECT_EQ(last, 2000);
}

TEST(Meter, NeverGoesBack) {
  struct Run run;
  std::vector<long> told;
  run.progress = [&](const Progress& p) { told.push_back(p.done); };
  Meter meter(run, "walk", 10);
  for (const long done : {3L, 2L, 3L, 7L}) meter.reach(done);
  EXPECT_EQ(told, (std::vector<long>{3, 7}));
}

}  // namespace
}  // namespace legwork
