#include "archive/stage_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "formats/table/trackway_csv.h"

namespace legwork {
namespace {

namespace fs = std::filesystem;

std::string fresh_folder(const std::string& name) {
  const std::string folder = ::testing::TempDir() + "legwork_" + name;
  fs::remove_all(folder);
  return folder;
}

TEST(StageCache, GivesBackWhatWasKept) {
  StageCache cache(fresh_folder("kept"), 1e6);
  std::string bytes;
  EXPECT_FALSE(cache.load("a", bytes));
  cache.save("a", "what a stage made");
  EXPECT_TRUE(cache.load("a", bytes));
  EXPECT_EQ(bytes, "what a stage made");
}

TEST(StageCache, RemovesWhatAKilledProcessLeft) {
  const std::string folder = fresh_folder("leftovers");
  fs::create_directories(folder);
  const std::string left = folder + "/.legwork-2147483647-0.part",  // no process has such a number
      alive = folder + "/.legwork-" + std::to_string(getpid()) + "-0.part", other = folder + "/notes.part";
  for (const std::string& path : {left, alive, other}) std::ofstream(path) << "half";
  StageCache cache(folder, 1e6);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(other));
}

TEST(StageCache, ADamagedOrCutFileCountsAsNone) {
  const std::string folder = fresh_folder("damaged");
  StageCache cache(folder, 1e6);
  std::string bytes;
  cache.save("a", std::string(1000, 'x'));
  fs::resize_file(folder + "/a.stage", 500);
  EXPECT_FALSE(cache.load("a", bytes)) << "as a kill in the middle of a plain write would leave it";
  EXPECT_FALSE(fs::exists(folder + "/a.stage"));
  cache.save("b", std::string(1000, 'x'));
  std::fstream(folder + "/b.stage", std::ios::in | std::ios::out).seekp(600).put('y');
  EXPECT_FALSE(cache.load("b", bytes));
}

TEST(StageCache, KeepsToItsLimitAndDropsTheLeastUsed) {
  const std::string folder = fresh_folder("limit");
  StageCache cache(folder, 2500);
  std::string bytes;
  cache.save("old", std::string(1000, 'o'));
  cache.save("used", std::string(1000, 'u'));
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder + "/old.stage", now - std::chrono::hours(2));
  fs::last_write_time(folder + "/used.stage", now - std::chrono::hours(3));
  EXPECT_TRUE(cache.load("used", bytes));
  cache.save("new", std::string(1000, 'n'));
  EXPECT_FALSE(cache.load("old", bytes));
  EXPECT_TRUE(cache.load("used", bytes));
  EXPECT_TRUE(cache.load("new", bytes));
  cache.save("huge", std::string(5000, 'h'));
  EXPECT_FALSE(cache.load("huge", bytes));
}

TEST(TrackwayCsv, ReadsPrintsAndSaysWhatIsWrong) {
  const std::string path = ::testing::TempDir() + "legwork_prints.csv";
  const auto error_of = [&](const std::string& text) -> std::string {
    std::ofstream(path) << text;
    try {
      read_trackway(path);
    } catch (const Error& e) {
      return std::string(e.what()).substr(path.size());
    }
    return "no error";
  };
  std::ofstream(path) << "# a trackway\ngirdle,side,x,y,yaw\nhind,right,0,-0.2,10\nhind,l,0.9,0.2,\n";
  const auto prints = read_trackway(path);
  ASSERT_EQ(prints.size(), 2u);
  EXPECT_FALSE(prints[0].left);
  EXPECT_NEAR(prints[0].yaw, 0.174533, 1e-6);
  EXPECT_TRUE(std::isnan(prints[1].yaw));
  EXPECT_EQ(prints[1].at.x, 0.9);
  EXPECT_EQ(error_of("girdle,side,x,z\n"), ":1: trackway: no column 'z'; did you mean 'x'?");
  EXPECT_EQ(error_of("girdle,side,x,y\nhind,up,0,0\n"), ":2: trackway: side 'up' is neither left nor right");
  EXPECT_EQ(error_of("girdle,side,x,y\nhind,l,0,a\n"), ":2: trackway: 'a' is no number; y is in metres");
}

}  // namespace
}  // namespace legwork
