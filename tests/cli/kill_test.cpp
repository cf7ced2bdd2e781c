// Searches that are killed, cut off and starved of disk go on to what they would have found unbroken; what
// they had stored is there.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Runs legwork in the folder; after so many milliseconds it gets the signal (0: none). limit: no file grows
// beyond, in bytes (0: none). Returns its exit code, or 128 + the signal that ended it.
int run(const Folder& folder, Words words, int milliseconds = 0, int signal_sent = 0, rlim_t limit = 0) {
  const std::string place = (folder / "").string();
  std::vector<char*> arguments = {const_cast<char*>("legwork")};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(place.c_str()) != 0 || !freopen("said", "w", stdout) || dup2(1, 2) < 0) _exit(99);
    if (limit > 0) {
      const rlimit most{limit, limit};
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &most);
    }
    execv(LEGWORK_PROGRAM, arguments.data());
    _exit(99);
  }
  if (signal_sent) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, signal_sent);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const Words search = {"discover", "cart", "--seconds",    "2", "--random", "150", "--vary",    "100",
                      "--tune",   "4",    "--generation", "8", "--gaits",  "2",   "--threads", "1"};

std::string fingerprint(const Folder& folder, const std::string& archive) {
  const Outcome outcome = folder.legwork({"archive", "check", archive, "--json", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.code == 0 ? std::string(outcome.json()["fingerprint"]) : "";
}

long stored(const Folder& folder, const std::string& archive) {
  const Outcome outcome = folder.legwork({"archive", "show", archive, "--json", "-"});
  return outcome.code == 0 ? long(outcome.json()["tables"]["evaluation"]) : 0;
}

// A search run to its end in one go.
class Kill : public ::testing::Test {
 protected:
  Kill() {
    EXPECT_EQ(run(folder, search + Words{"--archive", "whole.db", "--out", "whole.glb"}), 0);
    whole = fingerprint(folder, "whole.db");
  }
  void expect_whole(const std::string& name) {
    EXPECT_EQ(run(folder, search + Words{"--archive", name + ".db", "--out", name + ".glb"}), 0)
        << contents(folder / "said");
    EXPECT_EQ(fingerprint(folder, name + ".db"), whole);
    EXPECT_TRUE(contents(folder / (name + ".glb")) == contents(folder / "whole.glb")) << name;
  }

  const Folder folder;
  std::string whole;
};

TEST_F(Kill, ASearchKilledAgainAndAgainFindsWhatAnUnbrokenOneFinds) {
  int killed = 0;
  long before = 0;
  for (int wait = 40; wait < 400; wait += 60) {
    const int signal_sent = killed % 2 == 0 ? SIGKILL : SIGTERM;
    const int code = run(folder, search + Words{"--archive", "a.db", "--out", "a.glb"}, wait, signal_sent);
    if (code == 0) break;
    // 130, or by the signal itself where it came before the program had begun
    EXPECT_TRUE(code == 128 + signal_sent || (code == 130 && signal_sent == SIGTERM)) << code;
    ++killed;
    const long now = stored(folder, "a.db");
    EXPECT_GE(now, before) << "nothing that was stored is lost";
    before = now;
  }
  EXPECT_GT(killed, 0);
  expect_whole("a");
}

TEST_F(Kill, AnArchiveCutAtAnyByteIsRefusedOrCompleted) {
  const std::string bytes = contents(folder / "whole.db");
  int refused = 0;
  for (const double share : {0.0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999}) {
    folder.write("cut.db", bytes.substr(0, size_t(share * double(bytes.size()))));
    const int code = run(folder, search + Words{"--archive", "cut.db"});
    if (code == 0) {
      EXPECT_EQ(fingerprint(folder, "cut.db"), whole) << share;
    } else {
      EXPECT_EQ(code, 2) << share;
      EXPECT_NE(contents(folder / "said").find("cut.db: archive: "), std::string::npos)
          << contents(folder / "said");
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(Kill, AFullDiskIsAnErrorAndTheSearchGoesOnWhenThereIsRoom) {
  const rlim_t half = contents(folder / "whole.db").size() / 2;
  EXPECT_EQ(run(folder, search + Words{"--archive", "full.db"}, 0, 0, half), 2);
  EXPECT_NE(contents(folder / "said").find("is the disk full?"), std::string::npos)
      << contents(folder / "said");
  EXPECT_GT(stored(folder, "full.db"), 0);
  expect_whole("full");
}

TEST_F(Kill, AMergeThatIsKilledOrStarvedLeavesTheOldFile) {
  folder.write("all.db", contents(folder / "whole.db"));
  EXPECT_EQ(run(folder, {"archive", "merge", "all.db", "whole.db"}, 0, 0, 4096), 2);
  EXPECT_EQ(fingerprint(folder, "all.db"), whole);
  for (const int wait : {1, 5, 20}) {
    run(folder, {"archive", "merge", "all.db", "whole.db"}, wait, SIGKILL);
    EXPECT_EQ(fingerprint(folder, "all.db"), whole);
  }
  folder.write("gaits.csv", "old");
  EXPECT_EQ(run(folder, {"archive", "export", "whole.db", "--out", "gaits.csv"}, 0, 0, 1024), 2);
  EXPECT_EQ(contents(folder / "gaits.csv"), "old");
}

// Stages of reach are kept as files of their own.
TEST(KilledReach, FindsTheSameGaitFromWhatItLeft) {
  const Folder folder;
  const Words reach = {"reach", "wills_dog", "--limb", "hind", "--resolution", "10", "--threads", "1"};
  ASSERT_EQ(run(folder, reach + Words{"--cache", "stages", "--out", "whole.glb"}), 0);
  std::filesystem::remove_all(folder / "stages");
  for (const int wait : {100, 250, 400})
    run(folder, reach + Words{"--cache", "stages", "--out", "a.glb"}, wait, SIGKILL);
  ASSERT_EQ(run(folder, reach + Words{"--cache", "stages", "--out", "a.glb"}), 0);
  EXPECT_TRUE(contents(folder / "a.glb") == contents(folder / "whole.glb"));
  int cut = 0;
  for (const auto& stage : std::filesystem::directory_iterator(folder / "stages")) {
    std::filesystem::resize_file(stage.path(), stage.file_size() * size_t(cut % 4) / 4);
    ++cut;
  }
  EXPECT_GT(cut, 0);
  ASSERT_EQ(run(folder, reach + Words{"--cache", "stages", "--out", "b.glb"}), 0);
  EXPECT_TRUE(contents(folder / "b.glb") == contents(folder / "whole.glb"));
}

// Nobody may make anything in /proc, not even root.
TEST(ReadOnly, AFolderIsNamedBeforeTheWork) {
  const Folder folder;
  const std::vector<Words> all = {search + Words{"--archive", "/proc/a.db"},
                                  search + Words{"--out", "/proc/a.glb"},
                                  {"reach", "wills_dog", "--resolution", "3", "--out", "/proc/a.glb"},
                                  {"walk", "dog", "--seconds", "10000", "--out", "/proc/a.glb"}};
  for (const Words& words : all) {
    EXPECT_EQ(run(folder, words), 2) << words.back();
    EXPECT_NE(contents(folder / "said").find(words.back()), std::string::npos) << contents(folder / "said");
  }
}

}  // namespace
}  // namespace legwork::test
