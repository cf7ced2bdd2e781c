#include "formats/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <legwork/error.h>
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

TEST(File, WhatIsWrittenComesBackAndNothingElseIsLeft) {
  const Scratch scratch;
  const std::string text("one\0two\n", 8), path = scratch / "a.txt";
  write_file(path, text);
  EXPECT_EQ(read_file(path), text);
  write_file(path, "shorter");
  EXPECT_EQ(read_file(path), "shorter");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.txt"});
}

TEST(File, PiecesOfAnySizeComeBackInOrder) {
  const Scratch scratch;
  std::string all;
  {
    FileWriter file(scratch / "a.bin");
    for (const std::size_t size : {0, 1, 1000, 262144, 262143, 3, 1000000, 1}) {
      const std::string piece(size, char('a' + size % 26));
      file.write(piece);
      all += piece;
    }
    file.commit();
  }
  EXPECT_EQ(read_file(scratch / "a.bin"), all);
}

TEST(File, WithoutCommitTheOldFileStaysAndTheNewOneIsGone) {
  const Scratch scratch;
  write_file(scratch / "a.txt", "old");
  {
    FileWriter file(scratch / "a.txt");
    file.write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(read_file(scratch / "a.txt"), "old");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.txt"});
}

TEST(File, ASymbolicLinkKeepsPointingAtItsFileAndPermissionsStay) {
  const Scratch scratch;
  write_file(scratch / "real.txt", "old");
  chmod((scratch / "real.txt").c_str(), 0640);
  std::filesystem::create_symlink("real.txt", scratch / "link.txt");
  write_file(scratch / "link.txt", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link.txt"));
  EXPECT_EQ(read_file(scratch / "real.txt"), "new");
  struct stat info;
  ASSERT_EQ(stat((scratch / "real.txt").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(File, ADeviceIsWrittenToAndStaysADevice) {
  write_file("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(File, ErrorsSayWhatIsWrongAndWhatToTry) {
  const Scratch scratch;
  const auto at = [&](const std::string& name) { return scratch / name; };
  EXPECT_EQ(error_of([&] { write_file(at("none/a.txt"), ""); }),
            at("none/a.txt") + ": cannot be written: there is no folder '" + at("none") + "'; make it first");
  EXPECT_EQ(error_of([&] { write_file(scratch.path(), ""); }),
            scratch.path() + ": is a folder; give the name of a file");
  write_file(at("file"), "");
  EXPECT_EQ(
      error_of([&] { write_file(at("file/a.txt"), ""); }),
      at("file/a.txt") + ": cannot be written: '" + at("file") + "' is not a folder; choose another path");
  EXPECT_EQ(error_of([&] { write_file("", ""); }), "the name of the file to write is empty; give one");
  EXPECT_EQ(error_of([&] { read_file(at("none.txt")); }),
            at("none.txt") + ": there is no such file; check the path");
  EXPECT_EQ(error_of([&] { read_file(scratch.path()); }),
            scratch.path() + ": is a folder; give the name of a file");
  write_file(at("ten"), "0123456789");
  EXPECT_EQ(read_file(at("ten"), 10), "0123456789");
  EXPECT_EQ(error_of([&] { read_file(at("ten"), 9); }),
            at("ten") + ": the file has more than the 9 bytes that are read; is it the right one?");
}

TEST(File, AFullDiskLeavesNothingBehind) {
  EXPECT_EQ(
      error_of([&] { write_file("/dev/full", "x"); }),
      "/dev/full: cannot be written: the disk is full; nothing was left behind, make room and try again");

  const Scratch scratch;
  write_file(scratch / "a.bin", "old");
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 4096;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] { write_file(scratch / "a.bin", std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(error,
            scratch / "a.bin" +
                std::string(": cannot be written: the file is too large for this disk or for the limit set "
                            "(ulimit -f)"));
  EXPECT_EQ(read_file(scratch / "a.bin"), "old");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.bin"});
}

TEST(File, AReadOnlyFolderOrFileIsNamed) {
  const Scratch scratch;
  // root may write everywhere: run as nobody for a while
  const uid_t me = geteuid(), nobody = 65534;
  if (me == 0) {
    ASSERT_EQ(chown(scratch.path().c_str(), nobody, nobody), 0);
    ASSERT_EQ(seteuid(nobody), 0);
  }
  write_file(scratch / "a.txt", "old");
  chmod((scratch / "a.txt").c_str(), 0444);
  EXPECT_EQ(
      error_of([&] { write_file(scratch / "a.txt", "new"); }),
      scratch / "a.txt" +
          std::string(
              ": cannot be written: the file is read-only; choose another name or change its permissions"));
  chmod(scratch.path().c_str(), 0555);
  EXPECT_EQ(error_of([&] { write_file(scratch / "b.txt", "new"); }),
            scratch / "b.txt" + ": cannot be written: the folder '" + scratch.path() +
                "' is read-only; choose another folder");
  chmod(scratch.path().c_str(), 0755);
  ASSERT_EQ(seteuid(me), 0);
}

TEST(File, APipeIsReadWhenItsWriterComes) {
  const Scratch scratch;
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "late, but whole"; });
  EXPECT_EQ(read_file(pipe), "late, but whole");
  writer.join();
  EXPECT_EQ(error_of([&] { read_file(pipe); }),
            pipe + ": is a pipe that nobody writes to; start what writes to it first");
  EXPECT_EQ(error_of([&] { FileReader file(pipe); }), pipe + ": is a device or a pipe; give a file");
}

TEST(File, AKilledProcessLeavesTheOldFileAndNothingElse) {
  const Scratch scratch;
  write_file(scratch / "a.txt", "old");
  const pid_t child = fork();
  if (child == 0) {
    FileWriter file(scratch / "a.txt");
    file.write(std::string(1 << 20, 'x'));
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_file(scratch / "a.txt"), "old");
  for (const auto& item : std::filesystem::directory_iterator(scratch.path())) {
    const std::string name = item.path().filename().string();
    EXPECT_TRUE(name == "a.txt" || is_abandoned(name)) << name;
  }
}

TEST(File, ReadingBeyondTheEndIsAnError) {
  const Scratch scratch;
  write_file(scratch / "a.bin", "0123456789");
  FileReader file(scratch / "a.bin");
  EXPECT_EQ(file.size(), 10u);
  char data[8];
  file.read(2, data, 8);
  EXPECT_EQ(std::string(data, 8), "23456789");
  EXPECT_EQ(error_of([&] { file.read(3, data, 8); }),
            scratch / "a.bin" + std::string(": the file is cut short; make it again"));
}

}  // namespace
}  // namespace legwork
