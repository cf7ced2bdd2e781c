// Real processes under mpirun; without MPI these tests are skipped.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>
#include <thread>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

#ifdef LEGWORK_GARBAGE_WORKER
constexpr bool has_mpi = true;
constexpr const char* garbage_worker = LEGWORK_GARBAGE_WORKER;
#else
constexpr bool has_mpi = false;
constexpr const char* garbage_worker = "";
#endif

// --tune=1: mpirun takes `--tune 1` for its own.
const std::string small =
    "discover cart --seconds 1 --random 64 --vary 48 --generation 32 --gaits 2 --tune=1 --threads 1";
const std::string longer = "discover bounder --random 280 --vary 64 --gaits 1 --tune=0 --threads 1";

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_mpi) GTEST_SKIP() << "built without MPI";
  }

  static std::string mpirun(const std::string& rest) {
    return "cd '" + (folder_path()) + "' && exec mpirun --allow-run-as-root --oversubscribe " + rest;
  }
  static std::string& folder_path() {
    static std::string path;
    return path;
  }
  // Runs a command of a shell; what it says goes to `said`.
  int run(const std::string& rest) {
    folder_path() = (folder / "").string();
    const int status =
        std::system(("(" + mpirun(rest) + ") > '" + (folder / "said").string() + "' 2>&1").c_str());
    said = contents(folder / "said");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string fingerprint(const std::string& archive) {
    const Outcome outcome = folder.legwork({"archive", "check", archive, "--json", "-"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? outcome.json()["fingerprint"].get<std::string>() : "";
  }
  // Of the same search in one process.
  std::string alone(const std::string& command) {
    static std::map<std::string, std::string> known;
    std::string& found = known[command];
    if (found.empty()) found = search_alone(command);
    return found;
  }
  std::string search_alone(const std::string& command) {
    std::istringstream words(command + " --archive alone.db --quiet");
    const std::vector<std::string> list{std::istream_iterator<std::string>(words), {}};
    EXPECT_EQ(folder.legwork(list).code, 0);
    return fingerprint("alone.db");
  }

  // The motion of this command is the same file from 1, 2 and 4 processes.
  void expect_same_motion(const std::string& command, const std::string& name) {
    std::istringstream words(command + " --quiet --out " + name + "1.glb");
    ASSERT_EQ(folder.legwork(std::vector<std::string>{std::istream_iterator<std::string>(words), {}}).code,
              0);
    for (const std::string count : {"2", "4"}) {
      const std::string file = name + count + ".glb";
      ASSERT_EQ(run("-n " + count + " " LEGWORK_PROGRAM " " + command + " --out " + file), 0) << said;
      EXPECT_EQ(contents(folder / file), contents(folder / (name + "1.glb"))) << count;
    }
  }

  // Starts mpirun, waits until the archive has some evaluations, and kills the process of this number.
  int run_and_kill(const std::string& rest, const std::string& archive, int number) {
    folder_path() = (folder / "").string();
    const pid_t launcher = fork();
    if (launcher == 0) {
      if (!std::freopen((folder / "said").c_str(), "w", stdout)) _exit(1);
      dup2(1, 2);
      execl("/bin/sh", "sh", "-c", mpirun(rest).c_str(), static_cast<char*>(nullptr));
      _exit(1);
    }
    while (!has_evaluations(archive) && waitpid(launcher, nullptr, WNOHANG) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (const pid_t victim = process(launcher, number)) kill(victim, SIGKILL);
    int status = 0;
    waitpid(launcher, &status, 0);
    said = contents(folder / "said");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  bool has_evaluations(const std::string& archive) {
    if (!std::filesystem::exists(folder / archive)) return false;
    const Outcome outcome = folder.legwork({"archive", "show", archive, "--json", "-"});
    return outcome.code == 0 && outcome.json()["tables"]["evaluation"] > 0;
  }
  // The child of the launcher that is this number of the crew.
  static pid_t process(pid_t launcher, int number) {
    const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(number);
    std::istringstream children(
        contents("/proc/" + std::to_string(launcher) + "/task/" + std::to_string(launcher) + "/children"));
    for (pid_t child = 0; children >> child;) {
      const std::string all = contents("/proc/" + std::to_string(child) + "/environ");
      if (all.find(wanted + std::string(1, '\0')) != std::string::npos) return child;
    }
    return 0;
  }

  Folder folder;
  std::string said;
};

// A launcher says so, but there is no plug-in beside this copy of the program.
TEST(WithoutMpi, SeveralProcessesAreToldHowToInstallItAndOneNeedsNone) {
  const Folder folder;
  std::filesystem::copy_file(LEGWORK_PROGRAM, folder / "legwork");
  const std::filesystem::path library = std::filesystem::path(LEGWORK_PROGRAM).parent_path();
  const auto run = [&](const std::string& words) {
    return std::system(("cd '" + (folder / "").string() + "' && LD_LIBRARY_PATH='" + library.string() +
                        "' OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 ./legwork " + words + " > said 2>&1")
                           .c_str());
  };
  EXPECT_EQ(WEXITSTATUS(run("discover cart --quiet")), 2);
  EXPECT_EQ(
      contents(folder / "said"),
      "legwork: 2 processes: this legwork was built without Open MPI, so that each of them would do the "
      "same work; install libopenmpi-dev and build again, or use --shard\n");
  EXPECT_EQ(WEXITSTATUS(run("drop box --seconds 0.1 --quiet")), 0) << contents(folder / "said");
}

TEST_F(Mpi, TheArchiveIsThatOfOneProcessForAnyNumberOfThem) {
  const std::string whole = alone(small);
  for (const std::string count : {"2", "4", "7"}) {
    ASSERT_EQ(run("-n " + count + " " LEGWORK_PROGRAM " " + small + " --archive " + count + ".db"), 0)
        << said;
    EXPECT_EQ(fingerprint(count + ".db"), whole) << count;
  }
}

TEST_F(Mpi, BodiesAndStudiesAreSharedAsWell) {
  const std::string bodies =
      "evolve bounder --generations 1 --children 4 --budget 16 --seconds 1 --threads 1";
  const std::string whole = alone(bodies);
  ASSERT_EQ(run("-n 2 " LEGWORK_PROGRAM " " + bodies + " --archive two.db"), 0) << said;
  EXPECT_EQ(fingerprint("two.db"), whole);
  folder.write("study.toml",
               "verb = \"drop\"\ncreature = \"box\"\nrepetitions = 1\nmeasure = "
               "[\"energy.end\"]\n[options]\nseconds = 0.1\n[vary]\nworld.friction = "
               "[0.2, 0.4, 0.6, 0.8]\n");
  ASSERT_EQ(folder.legwork({"study", "study.toml", "--results", "one.jsonl", "--table", "one.csv"}).code, 0);
  ASSERT_EQ(run("-n 2 " LEGWORK_PROGRAM " study study.toml --results two.jsonl --table two.csv --threads 1"),
            0)
      << said;
  EXPECT_EQ(contents(folder / "two.csv"), contents(folder / "one.csv"));
}

TEST_F(Mpi, AWalkIsTunedToTheSameProgramsByAnyNumberOfThem) {
  const std::string tune = "walk roach --tune=speed --evaluations 12 --seconds 0.5 --threads 1";
  expect_same_motion(tune, "walk");
}

TEST_F(Mpi, TheSearchesOfReachFindTheSameGaitByAnyNumberOfThem) {
  const std::string search =
      "reach wills_dog --limb hind --resolution 10 --population 100 --iterations 60 --searches 5 --raw "
      "--cache off "
      "--threads 1";
  expect_same_motion(search, "reach");
}

// Two searches that meet no gait at first: the trunk's tolerance grows, in every process.
TEST_F(Mpi, WhatTheFirstProcessWidensAllDo) {
  const std::string search =
      "reach wills_dog --resolution 10 --step 0.5h --population 2 --iterations 0 --searches 2 --raw "
      "--cache off --threads 1";
  expect_same_motion(search, "wide");
}

TEST_F(Mpi, WhatIsNotSharedIsDoneByTheFirstAlone) {
  ASSERT_EQ(run("-n 3 " LEGWORK_PROGRAM " drop box --seconds 0.1"), 0) << said;
  EXPECT_EQ(said.find("box: "), said.rfind("box: ")) << said;
  ASSERT_EQ(run("-n 3 " LEGWORK_PROGRAM
                " reach wills_dog --task sit-stand --resolution 12 --cache off --threads 1"),
            0)
      << said;
}

TEST_F(Mpi, AWorkerThatIsKilledCostsNothing) {
  const std::string whole = alone(longer);
  EXPECT_EQ(
      run_and_kill("--enable-recovery -n 3 " LEGWORK_PROGRAM " " + longer + " --archive a.db", "a.db", 1), 0)
      << said;
  EXPECT_NE(said.find("has died; its work is done by the others"), std::string::npos) << said;
  EXPECT_EQ(fingerprint("a.db"), whole);
}

TEST_F(Mpi, AfterTheFirstProcessIsKilledTheSameCommandGoesOn) {
  const std::string whole = alone(longer);
  const std::string command = "-n 2 " LEGWORK_PROGRAM " " + longer + " --archive a.db";
  EXPECT_NE(run_and_kill(command, "a.db", 0), 0);
  ASSERT_EQ(run(command), 0) << said;
  EXPECT_NE(said.find("went on from"), std::string::npos) << said;
  EXPECT_EQ(fingerprint("a.db"), whole);
}

TEST_F(Mpi, AFullDiskEndsAllOfThemAndLosesNothing) {
  const std::string whole = alone(longer);
  const std::string command = LEGWORK_PROGRAM " " + longer + " --archive a.db";
  // the limit is for the program's own files, not for those of MPI
  EXPECT_NE(run("--mca btl self,tcp -n 2 sh -c \"trap '' XFSZ; ulimit -f 200; exec " + command + "\""), 0);
  EXPECT_NE(said.find("is the disk full? Make room and run the same command again"), std::string::npos)
      << said;
  ASSERT_EQ(run("-n 2 " + command), 0) << said;
  EXPECT_EQ(fingerprint("a.db"), whole);
}

TEST_F(Mpi, WhoAnswersNonsenseOrRunsAnotherCommandIsRefusedByName) {
  const std::string whole = alone(small), program = LEGWORK_PROGRAM " ";
  ASSERT_EQ(run("-n 1 " + program + small + " --archive a.db : -n 1 " + garbage_worker), 0) << said;
  EXPECT_NE(said.find("process 1 answered what is no result; it is left out"), std::string::npos) << said;
  EXPECT_EQ(fingerprint("a.db"), whole);
  ASSERT_EQ(run("-n 1 " + program + small + " --archive b.db : -n 1 " + program + small +
                " --seed 2 --archive b.db"),
            0)
      << said;
  EXPECT_NE(said.find("runs another command, creature or version; it is left out"), std::string::npos)
      << said;
  EXPECT_EQ(fingerprint("b.db"), whole);
}

}  // namespace
}  // namespace legwork::test
