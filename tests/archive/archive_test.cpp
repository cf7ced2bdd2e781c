#include "archive/archive.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const ArchiveTable table{"evaluation",
                         {{"number", ArchiveType::integer},
                          {"score", ArchiveType::real},
                          {"words", ArchiveType::text},
                          {"weights", ArchiveType::bytes}}};
const ArchiveSettings settings{{"creature", "bounder"}, {"seed", "1"}};

ArchiveRow row(std::int64_t number) {
  return {number, std::sqrt(double(number)), "row " + std::to_string(number),
          std::string(200, char(number % 251))};
}

std::uint64_t bits(const ArchiveValue& value) {
  return std::bit_cast<std::uint64_t>(std::get<double>(value));
}

TEST(Archive, GivesRowsBackBitForBitInTheOrderOfTheirNumbers) {
  const Scratch folder;
  const ArchiveRow odd{std::int64_t(7), 0.1 + 0.2, "quote ' \" ä", std::string("\0\xff\x80", 3)};
  const ArchiveRow small{std::int64_t(-3), -std::numeric_limits<double>::denorm_min(), "", ""};
  const ArchiveRow big{std::int64_t(1) << 60, std::numeric_limits<double>::infinity(), "", ""};
  const ArchiveRow none{std::int64_t(8), std::numeric_limits<double>::quiet_NaN(), "", ""};
  Archive(folder / "a.db", {table}, settings).add(table, {odd, small, big, none});
  const std::vector<ArchiveRow> rows = Archive(folder / "a.db", {table}).rows(table);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], small);
  EXPECT_EQ(rows[1], odd);
  EXPECT_EQ(bits(rows[1][1]), bits(odd[1]));
  EXPECT_TRUE(std::isnan(std::get<double>(rows[2][1])));
  EXPECT_EQ(rows[3], big);
}

TEST(Archive, AClosedArchiveIsOneFileThatReadsWithoutWriting) {
  const Scratch folder;
  Archive(folder / "a.db", {table}, settings).add(table, {row(1), row(2)});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.db"});
  const Archive archive(folder / "a.db", {table});
  EXPECT_EQ(archive.settings(), settings);
  EXPECT_EQ(archive.count(table), 2);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.db"});
}

// A closed archive is one file without a log; who is killed just then leaves a journal of what is to be
// undone.
TEST(Archive, OneThatWasHalfClosedReadsAsItWas) {
  const Scratch folder;
  const std::string path = folder / "a.db", half = folder / "half.db";
  Archive(path, {table}, settings).add(table, {row(1), row(2)});
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  // a cache of one page, so that changed ones go to the file before the end
  ASSERT_EQ(
      sqlite3_exec(db,
                   "PRAGMA cache_size = 1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i "
                   "+ 1 FROM n WHERE i < 500) INSERT INTO evaluation SELECT i, 0, 'none', zeroblob(500) "
                   "FROM n",
                   nullptr, nullptr, nullptr),
      SQLITE_OK);
  std::filesystem::copy(path, half);
  std::filesystem::copy(path + "-journal", half + "-journal");
  sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  ASSERT_GT(std::filesystem::file_size(half), std::filesystem::file_size(path));
  EXPECT_EQ(Archive(half, {table}).rows(table), Archive(path, {table}).rows(table));
}

TEST(Archive, TheSameSearchGoesOnAndAnotherIsRefused) {
  const Scratch folder;
  const std::string path = folder / "a.db";
  Archive(path, {table}, settings).add(table, {row(1)});
  {
    Archive archive(path, {table}, settings);
    EXPECT_EQ(archive.count(table), 1);
    archive.add(table, {row(2)});
    EXPECT_EQ(archive.rows(table).size(), 2u);
  }
  EXPECT_EQ(
      error_of([&] {
        Archive(path, {table}, {{"creature", "bounder"}, {"seed", "2"}});
      }),
      path +
          ": archive: belongs to another search: seed is '1' there and '2' here; ask for the same, or name "
          "another with --archive");
  ArchiveTable other = table;
  other.columns.push_back({"more", ArchiveType::real});
  EXPECT_NE(
      error_of([&] { Archive(path, {other}, settings); }).find("holds no table 'evaluation' as this Legwork"),
      std::string::npos);
}

TEST(Archive, AFailedBatchLeavesNothingOfItselfBehind) {
  const Scratch folder;
  Archive archive(folder / "a.db", {table}, settings);
  archive.add(table, {row(1)});
  EXPECT_NE(error_of([&] {
              archive.add(table, {row(2), row(1)});
            }).find("another search is writing to it"),
            std::string::npos);
  EXPECT_EQ(archive.count(table), 1);
  archive.add(table, {row(2)});
  EXPECT_EQ(archive.count(table), 2);
}

TEST(Archive, ReplacedRowsTakeThePlaceOfAllOthers) {
  const Scratch folder;
  Archive archive(folder / "a.db", {table}, settings);
  archive.add(table, {row(1), row(2), row(3)});
  archive.replace(table, {row(2)});
  ASSERT_EQ(archive.count(table), 1);
  EXPECT_EQ(archive.rows(table)[0], row(2));
  EXPECT_NE(error_of([&] { archive.replace(table, {row(5), row(5)}); }), "");
  EXPECT_EQ(archive.count(table), 1);
}

TEST(Archive, WhatIsNoArchiveIsSaidToBeNone) {
  const Scratch folder;
  std::ofstream(folder / "text.db")
      << "this is not a database, and long enough to look at its first hundred bytes ....."
         "........................................\n";
  EXPECT_NE(
      error_of([&] { Archive(folder / "text.db", {table}, settings); }).find("not an archive of Legwork"),
      std::string::npos);
  EXPECT_NE(error_of([&] { Archive(folder / "none.db", {table}); }).find("there is no such file"),
            std::string::npos);
}

TEST(Archive, AFolderThatCannotBeWrittenIsAnError) {
  EXPECT_NE(error_of([&] {
              Archive("/no/such/folder/a.db", {table}, settings);
            }).find("/no/such/folder/a.db: archive: cannot open: unable to open database file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { Archive("/proc/a.db", {table}, settings); }).find("must be there and writable"),
            std::string::npos);
}

// A process that adds rows one by one and reports the number of each to its parent once it is stored.
void keep_adding(const std::string& path, int tell) {
  Archive archive(path, {table}, settings);
  for (std::int64_t number = archive.count(table) + 1;; ++number) {
    archive.add(table, {row(number)});
    if (write(tell, &number, sizeof number) != sizeof number) _exit(1);
  }
}

TEST(Archive, WhatWasAddedSurvivesKillNine) {
  const Scratch folder;
  const std::string path = folder / "a.db";
  std::int64_t stored = 0;
  for (int round = 0; round < 3; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      keep_adding(path, ends[1]);
      _exit(0);
    }
    close(ends[1]);
    std::int64_t told = 0;
    for (int i = 0; i < 100 + 37 * round; ++i)
      ASSERT_EQ(read(ends[0], &told, sizeof told), ssize_t(sizeof told)) << "the child ended";
    kill(child, SIGKILL);
    while (read(ends[0], &told, sizeof told) == ssize_t(sizeof told)) {
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_GT(told, stored);
    stored = told;
    // the last row may have been stored but not yet reported
    const std::vector<ArchiveRow> rows = Archive(path, {table}).rows(table);
    ASSERT_GE(std::int64_t(rows.size()), stored);
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], row(std::int64_t(i) + 1));
  }
}

TEST(Archive, AFullDiskIsAnErrorAndKeepsWhatWasStored) {
  const Scratch folder;
  const std::string path = folder / "a.db";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};  // no file grows beyond
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string said = error_of([&] { keep_adding(path, ends[1]); });
    _exit(said.find("archive: cannot write: ") != std::string::npos &&
                  said.find("is the disk full? Make room and run the same command again") != std::string::npos
              ? 0
              : 1);
  }
  close(ends[1]);
  std::int64_t told = 0, stored = 0;
  while (read(ends[0], &told, sizeof told) == ssize_t(sizeof told)) stored = told;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "it said something else";
  EXPECT_GT(stored, 10);
  Archive archive(path, {table}, settings);  // there is room again
  ASSERT_EQ(archive.count(table), stored);
  archive.add(table, {row(stored + 1)});
  EXPECT_EQ(archive.rows(table).back(), row(stored + 1));
}

}  // namespace
}  // namespace legwork
