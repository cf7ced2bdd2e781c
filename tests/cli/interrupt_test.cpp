#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <legwork/files.h>
#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

// Starts legwork in the folder without waiting for it.
pid_t start(const Folder& folder, std::vector<std::string> words) {
  const std::string program = LEGWORK_PROGRAM, place = (folder / "").string();
  std::vector<char*> arguments = {const_cast<char*>("legwork")};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(place.c_str()) != 0 || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
      _exit(99);
    execv(program.c_str(), arguments.data());
    _exit(99);
  }
  return child;
}

int stop(pid_t child, int signal = SIGINT) {
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Interrupt, AStoppedMotionIsKeptUpToThere) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    const pid_t run =
        start(folder, {"drop", "hexapod", "--seconds", "80000", "--rate", "10", "--out", "long.glb"});
    EXPECT_EQ(stop(run, signal), 130);
    const Motion motion = read_motion((folder / "long.glb").string());
    EXPECT_EQ(motion.status, Status::stopped);
    EXPECT_GT(motion.frames(), 1);
    EXPECT_LT(motion.duration(), 80000);
  }
}

TEST(Interrupt, AStoppedSearchReportsWhatItFoundByThen) {
  const Folder folder;
  const pid_t run = start(folder, {"discover", "twolink", "--random", "1000000", "--report", "ways.html"});
  EXPECT_EQ(stop(run, SIGTERM), 130);
  EXPECT_NE(contents(folder / "ways.html").find("topped by request during random networks"),
            std::string::npos);
}

// The trunk's stage of a body with two girdles, which takes long at this resolution.
TEST(Interrupt, AStoppedReachBlamesNobody) {
  const Folder folder;
  EXPECT_EQ(stop(start(folder, {"reach", "wills_dog", "--resolution", "4", "--out", "dog.glb"}), SIGTERM),
            130);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Interrupt, AKilledRunLeavesTheOldFileAndNothingElse) {
  const Folder folder;
  folder.write("long.glb", "old");
  EXPECT_EQ(stop(start(folder, {"drop", "hexapod", "--seconds", "80000", "--rate", "1", "--out", "long.glb"}),
                 SIGKILL),
            128 + SIGKILL);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"long.glb"});
  EXPECT_EQ(contents(folder / "long.glb"), "old");
}

TEST(Interrupt, AKilledStudyGoesOnWithTheRunsThatItHadFinished) {
  const Folder folder;
  folder.write("study.toml",
               "verb = \"drop\"\ncreature = \"box\"\nrepetitions = 200\nmeasure = [\"penetration\"]\n"
               "[options]\nseconds = 0.5\n");
  const pid_t child = start(folder, {"study", "study.toml", "--threads", "1"});
  while (!std::filesystem::exists(folder / "study.jsonl") || contents(folder / "study.jsonl").size() < 2000)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const std::string before = contents(folder / "study.jsonl");
  const Outcome again = folder.legwork({"study", "study.toml", "--json", "-"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.json()["resumed"], std::count(before.begin(), before.end(), '\n'));
  EXPECT_EQ(again.json()["runs"], 200);
}

TEST(Interrupt, AStoppedStudyKeepsItsFinishedRuns) {
  const Folder folder;
  folder.write("study.toml",
               "verb = \"drop\"\ncreature = \"box\"\nrepetitions = 20000\nmeasure = [\"penetration\"]\n"
               "[options]\nseconds = 0.5\n");
  EXPECT_EQ(stop(start(folder, {"study", "study.toml", "--threads", "1"})), 130);
  const std::string lines = contents(folder / "study.jsonl");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back(), '\n');
}

}  // namespace
}  // namespace legwork::test
