#include "formats/table/terrain_file.h"

#include <gtest/gtest.h>
#include <stb/stb_image_write.h>

#include <filesystem>

#include <legwork/error.h>
#include "formats/file.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

class TerrainFile : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("legwork_terrain_" + std::to_string(::getpid()) + "_" +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  static std::string error_of(const std::string& spec) {
    return legwork::error_of([&] { load_terrain(spec); });
  }
  std::filesystem::path folder;
};

TEST_F(TerrainFile, ReadsATableOfHeights) {
  write_file(path("a.csv"), "0,1,2\n3 4\t5\r\n");
  const Terrain t = load_terrain(path("a.csv") + ":0.5");
  EXPECT_EQ(t.spec, path("a.csv") + ":0.5");
  EXPECT_EQ(t.grid.nx, 3);
  EXPECT_EQ(t.grid.ny, 2);
  EXPECT_EQ(sample(t, -0.5, -0.25).height, 0);
  EXPECT_EQ(sample(t, 0.5, -0.25).height, 2);
  EXPECT_EQ(sample(t, 0.5, 0.25).height, 5);
}

TEST_F(TerrainFile, ReadsAPictureWithYUp) {
  const unsigned char pixels[] = {0, 51, 102, 153, 204, 255};  // 3 wide, 2 high, top row first
  ASSERT_TRUE(stbi_write_png(path("a.png").c_str(), 3, 2, 1, pixels, 3));
  const Terrain t = load_terrain(path("a.png") + ":0.1,2");
  EXPECT_NEAR(sample(t, -0.1, 0.05).height, 0, 1e-12);
  EXPECT_NEAR(sample(t, 0.1, 0.05).height, 2 * 0.4, 1e-12);
  EXPECT_NEAR(sample(t, -0.1, -0.05).height, 2 * 0.6, 1e-12);
  EXPECT_NEAR(sample(t, 0.1, -0.05).height, 2, 1e-12);
}

TEST_F(TerrainFile, PassesOtherTextsOn) { EXPECT_EQ(load_terrain("slope:5deg").type, TerrainType::slope); }

TEST_F(TerrainFile, SaysWhatIsWrong) {
  write_file(path("ragged.csv"), "0,1,2\n3,4\n");
  write_file(path("words.csv"), "0,1\n2,high\n");
  write_file(path("line.csv"), "0,1\n");
  write_file(path("no.png"), "not a picture");
  EXPECT_EQ(error_of(path("ragged.csv") + ":0.1"),
            path("ragged.csv") + ":2: 2 heights, but 3 in the first row; every row needs as many");
  EXPECT_EQ(error_of(path("words.csv") + ":0.1"),
            path("words.csv") + ":2: column 2: not a finite number; heights are in m");
  EXPECT_EQ(error_of(path("line.csv") + ":0.1"),
            path("line.csv") + ": a height field needs at least 2 x 2 heights, the same number in every row");
  EXPECT_EQ(error_of(path("no.png") + ":0.1,1"),
            path("no.png") + ": not a picture that can be read; use PNG in grey");
  EXPECT_EQ(error_of(path("words.csv")), "terrain '" + path("words.csv") +
                                             "': needs the distance of neighbours in m; write " +
                                             path("words.csv") + ":0.01");
  EXPECT_EQ(error_of(path("no.png") + ":0.1,-1"),
            "terrain '" + path("no.png") + ":0.1,-1': height '-1' must be a number above 0");
}

}  // namespace
}  // namespace legwork
