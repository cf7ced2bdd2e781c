#include "ground/terrain.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/error.h>
#include "base/random.h"
#include "math/vec.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

std::string error_of(const std::string& spec) {
  return legwork::error_of([&] { parse_terrain(spec); });
}

TEST(Terrain, PlaneIsLevel) {
  const Terrain t = parse_terrain("plane");
  EXPECT_EQ(sample(t, 3, -7).height, 0);
  EXPECT_EQ(sample(t, 3, -7).normal, Vec3d(0, 0, 1));
  EXPECT_EQ(ground_depth(t, {1, 2, 0.3}, 0.5).depth, 0.2);
}

TEST(Terrain, NoneTouchesNothing) {
  EXPECT_LT(ground_depth(parse_terrain("none"), {0, 0, -1e6}, 1).depth, -1e200);
}

TEST(Terrain, SlopeRisesAlongX) {
  const Terrain t = parse_terrain("slope:10deg");
  const double a = 10 * std::acos(-1) / 180;
  EXPECT_NEAR(sample(t, 2, 5).height, 2 * std::tan(a), 1e-15);
  EXPECT_NEAR(sample(t, 2, 5).normal.x, -std::sin(a), 1e-15);
  EXPECT_NEAR(sample(t, 2, 5).normal.z, std::cos(a), 1e-15);
  EXPECT_NEAR(ground_depth(t, {2, 5, 2 * std::tan(a)}, 0.1).depth, 0.1, 1e-15);
  EXPECT_NEAR(sample(parse_terrain("slope:-0.2rad"), 1, 0).height, -std::tan(0.2), 1e-15);
}

TEST(Terrain, StepsHaveTreadsAndRisers) {
  const Terrain t = parse_terrain("steps:0.1,0.4");
  EXPECT_EQ(sample(t, -5, 0).height, 0);
  EXPECT_EQ(sample(t, 0.39, 0).height, 0);
  EXPECT_EQ(sample(t, 0.41, 0).height, 0.1);
  EXPECT_EQ(sample(t, 1.3, 0).height, 3 * 0.1);
  // a point just inside the tread leaves upward, one just inside the riser leaves backward
  EXPECT_NEAR(ground_depth(t, {0.6, 0, 0.09}, 0).depth, 0.01, 1e-15);
  EXPECT_EQ(ground_depth(t, {0.6, 0, 0.09}, 0).normal, Vec3d(0, 0, 1));
  EXPECT_NEAR(ground_depth(t, {0.41, 0, 0.05}, 0).depth, 0.01, 1e-15);
  EXPECT_EQ(ground_depth(t, {0.41, 0, 0.05}, 0).normal, Vec3d(-1, 0, 0));
}

TEST(Terrain, ABallFeelsTheRiserAndTheEdgeOfAStep) {
  const Terrain t = parse_terrain("steps:0.1,0.4");
  // in front of the riser, clear of the floor
  GroundDepth g = ground_depth(t, {0.37, 0, 0.06}, 0.05);
  EXPECT_NEAR(g.depth, 0.02, 1e-15);
  EXPECT_NEAR(g.normal.x, -1, 1e-15);
  // in the corner of floor and riser the two depths add as vectors
  g = ground_depth(t, {0.37, 0, 0.04}, 0.05);
  EXPECT_NEAR(g.depth, std::hypot(0.02, 0.01), 1e-15);
  EXPECT_NEAR(g.normal.x, -0.02 / std::hypot(0.02, 0.01), 1e-14);
  // above the edge, on its left: pushed away from the edge
  g = ground_depth(t, {0.38, 0, 0.12}, 0.05);
  EXPECT_NEAR(g.depth, 0.05 - std::hypot(0.02, 0.02), 1e-15);
  EXPECT_NEAR(g.normal.x, -std::sqrt(0.5), 1e-13);
  EXPECT_NEAR(g.normal.z, std::sqrt(0.5), 1e-13);
}

TEST(Terrain, StairsMayDescend) {
  const Terrain t = parse_terrain("steps:-0.1,0.4");
  EXPECT_EQ(sample(t, 0.9, 0).height, -0.2);
  const GroundDepth g = ground_depth(t, {0.39, 0, -0.05}, 0);
  EXPECT_NEAR(g.depth, 0.01, 1e-15);
  EXPECT_EQ(g.normal, Vec3d(1, 0, 0));
}

TEST(Terrain, FieldIsExactOnItsTriangles) {
  HeightGrid grid;
  grid.nx = 3;
  grid.ny = 2;
  grid.x0 = -1;
  grid.y0 = 2;
  grid.cell = 0.5;
  grid.height = {0, 1, 3, 2, 5, 4};
  const Terrain t = field_terrain(grid, "test");
  // nodes
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(sample(t, -1 + 0.5 * i, 2 + 0.5 * j).height, grid.height[j * 3 + i]);
  // below the diagonal of the first cell: corners (0,0)=0, (1,0)=1, (1,1)=5
  const GroundSample low = sample(t, -1 + 0.5 * 0.6, 2 + 0.5 * 0.2);
  EXPECT_NEAR(low.height, 0.6 * 1 + 0.2 * 4, 1e-14);
  const Vec3d n_low = normalized(cross(Vec3d{0.5, 0, 1}, Vec3d{0.5, 0.5, 5}));
  // above it: (0,0)=0, (0,1)=2, (1,1)=5
  const GroundSample high = sample(t, -1 + 0.5 * 0.3, 2 + 0.5 * 0.7);
  EXPECT_NEAR(high.height, 0.7 * 2 + 0.3 * 3, 1e-14);
  const Vec3d n_high = normalized(cross(Vec3d{0.5, 0.5, 5}, Vec3d{0, 0.5, 2}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(low.normal[i], n_low[i], 1e-14);
    EXPECT_NEAR(high.normal[i], n_high[i], 1e-14);
  }
  // distance to the plane of the triangle
  EXPECT_NEAR(ground_depth(t, {-1 + 0.3, 2.1, low.height - 0.01}, 0).depth, 0.01 * n_low.z, 1e-14);
}

TEST(Terrain, FieldContinuesFlatOutside) {
  const Terrain t = parse_terrain("formula:x + 2*y,0.5,4");
  EXPECT_NEAR(sample(t, 1.2, 0.3).height, 1.8, 1e-14);
  EXPECT_NEAR(sample(t, 10, 0.3).height, 2 + 0.6, 1e-14);
  EXPECT_EQ(sample(t, 10, 0.3).normal.x, 0);
  EXPECT_NEAR(sample(t, 10, 0.3).normal.y / sample(t, 10, 0.3).normal.z, -2, 1e-14);
  EXPECT_NEAR(sample(t, -10, -10).height, -2 - 4, 1e-14);
  EXPECT_EQ(sample(t, -10, -10).normal, Vec3d(0, 0, 1));
  EXPECT_TRUE(std::isfinite(sample(t, NAN, INFINITY).height));
}

TEST(Terrain, FieldHasNoCracks) {
  const Terrain t = parse_terrain("rough:0.02,0.3,5");
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-12, 12), y = random.uniform(-12, 12), e = 1e-9;
    const double h = sample(t, x, y).height;
    EXPECT_LE(std::fabs(h), 0.02);
    EXPECT_NEAR(sample(t, x + e, y + e).height, h, 1e-8);
  }
}

TEST(Terrain, RoughnessComesFromItsSeed) {
  const Terrain a = parse_terrain("rough:0.02,0.3,7"), b = parse_terrain("rough:0.02,0.3,7");
  const Terrain c = parse_terrain("rough:0.02,0.3,8"), d = parse_terrain("rough:0.02,0.3");
  EXPECT_EQ(a.grid.height, b.grid.height);
  EXPECT_NE(a.grid.height, c.grid.height);
  EXPECT_EQ(d.grid.height, parse_terrain("rough:0.02,0.3,1").grid.height);
  double low = 0, high = 0;
  for (const double h : a.grid.height) low = std::min(low, h), high = std::max(high, h);
  EXPECT_GT(high, 0.01);
  EXPECT_LT(low, -0.01);
}

TEST(Terrain, BumpsReachTheirHeight) {
  const Terrain t = parse_terrain("bumps:0.004,0.03");
  EXPECT_NEAR(sample(t, 0, 0).height, 0, 1e-12);
  EXPECT_NEAR(sample(t, 0.015, 0.015).height, 0.004, 1e-12);
  EXPECT_NEAR(sample(t, 0.3, 0.3).height, 0, 1e-12);
}

TEST(Terrain, RemembersWhatTheUserWrote) {
  for (const char* spec : {"plane", "none", "slope:10deg", "steps:0.05,0.3", "rough:0.02,0.3",
                           "bumps:0.004,0.03", "formula:0.02*sin(10*x)", "formula:max(x,y),0.1,3"})
    EXPECT_EQ(parse_terrain(spec).spec, spec);
}

TEST(Terrain, SaysWhatIsWrongWithASpec) {
  EXPECT_EQ(error_of("plan"), "terrain 'plan': unknown terrain; did you mean 'plane'?");
  EXPECT_EQ(error_of("hills"),
            "terrain 'hills': unknown terrain; one of: plane, none, slope, steps, rough, bumps, formula");
  EXPECT_EQ(error_of("plane:1"), "terrain 'plane:1': takes no values; write plane");
  EXPECT_EQ(error_of("slope:10"),
            "terrain 'slope:10': angle '10' has no unit; try slope:10deg or slope:0.17rad");
  EXPECT_EQ(error_of("slope:85deg"), "terrain 'slope:85deg': angle 85deg is too steep; at most 80deg");
  EXPECT_EQ(error_of("slope"), "terrain 'slope': needs 1 value; write slope:10deg");
  EXPECT_EQ(error_of("steps:0.1"),
            "terrain 'steps:0.1': needs 2 values; write steps:RISE,RUN in metres, as steps:0.05,0.3");
  EXPECT_EQ(error_of("steps:0.1,0"), "terrain 'steps:0.1,0': run 0 must be above 0");
  EXPECT_EQ(error_of("steps:0.1,abc"), "terrain 'steps:0.1,abc': run 'abc' is not a number; try 0.05");
  EXPECT_EQ(error_of("rough:0.02,0.3,x"),
            "terrain 'rough:0.02,0.3,x': seed 'x' is not a whole number; try 7");
  EXPECT_EQ(error_of("formula:sin(z)"),
            "terrain 'formula:sin(z)': formula 'sin(z)': unknown name 'z' at character 5; did you mean 'x'?");
  EXPECT_EQ(error_of("formula:1/x"),
            "terrain 'formula:1/x': formula '1/x': height at x = 0, y = -10 is not finite");
  EXPECT_EQ(error_of("formula:x,0.001,50"),
            "terrain 'formula:x,0.001,50': formula 'x': 50 m in cells of 0.001 m are too many; at most "
            "2000 x 2000 heights, so take a larger cell or a smaller width");
}

}  // namespace
}  // namespace legwork
