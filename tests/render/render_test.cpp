#include <legwork/report.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <legwork/files.h>
#include "base/text.h"
#include "formats/file.h"
#include "motion/record.h"
#include "motion/stride.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/walker.h"

namespace legwork {
namespace {

Motion falling_box() {
  World world;
  world.body = load_creature("box");
  SimOptions options;
  options.seconds = 0.5;
  options.height = 1.0;
  options.spin = {2, 3, 0};
  return simulate(world, options);
}

RenderOptions small() {
  RenderOptions o;
  o.width = 96;
  o.height = 54;
  o.samples = 4;
  return o;
}

int different_pixels(const Picture& a, const Picture& b) {
  int count = 0;
  for (size_t i = 0; i < a.rgb.size(); i += 3)
    if (std::abs(int(a.rgb[i]) - int(b.rgb[i])) > 12 || std::abs(int(a.rgb[i + 2]) - int(b.rgb[i + 2])) > 12)
      ++count;
  return count;
}

TEST(Render, TheCreatureIsInThePictureAndMoves) {
  const Motion m = falling_box();
  const Picture first = render_frame(m, 0, small()), last = render_frame(m, 0.5, small());
  EXPECT_GT(different_pixels(first, last), 96 * 54 / 50);
}

TEST(Render, PicturesHaveTheSameBitsForOneAndTwoThreads) {
  const Motion m = falling_box();
  RenderOptions one = small(), two = small();
  one.threads = 1;
  two.threads = 2;
  EXPECT_EQ(render_frame(m, 0.3, one).rgb, render_frame(m, 0.3, two).rgb);
}

TEST(Render, AStripShowsMoreThanOneMoment) {
  const Motion m = falling_box();
  RenderOptions o = small();
  o.width = 192;
  EXPECT_GT(different_pixels(render_strip(m, 5, o), render_strip(m, 1, o)), 100);
}

TEST(Render, AStripOfOneStrideShowsTheMiddleOne) {
  const Motion whole = walk({.seconds = 4, .rate = 60});
  RenderOptions o = small();
  o.width = 192;
  const Picture all = render_strip(whole, 3, o);
  o.stride = true;
  const Picture one = render_strip(whole, 3, o);
  EXPECT_GT(different_pixels(all, one), 100);
  // its first moment is a touch-down of the reference leg in the middle of the motion: later and earlier
  // strides look alike
  const Gait gait = measure_gait(whole);
  const std::optional<Stride> middle = middle_stride(gait);
  ASSERT_TRUE(middle);
  EXPECT_NEAR(middle->time, 0.8, 1.0 / 60);
  EXPECT_GT(middle->start, 1);
  EXPECT_LT(middle->start, 3);
  const auto strip = [&](const Motion& motion) { render_strip(motion, 3, o); };
  EXPECT_EQ(error_of([&] { strip(walk({.seconds = 0.5})); }),
            "motion of 'walker': has no whole stride; show the whole motion, or make a longer one");
  EXPECT_EQ(error_of([&] { strip(falling_box()); }),
            "motion of 'box': has no strides: its body has no legs; show the whole motion");
}

TEST(Render, APngIsWrittenWhole) {
  const std::string path = std::filesystem::temp_directory_path() / "legwork_render_test.png";
  write_png(render_frame(falling_box(), 0.2, small()), path);
  EXPECT_EQ(read_file(path).substr(1, 3), "PNG");
  std::filesystem::remove(path);
}

TEST(Render, ABodyBeyondAllMeasureIsAnErrorNotACrash) {
  for (const double x : {1e30, -1e300, std::nan(""), HUGE_VAL}) {
    Motion lost = falling_box();
    lost.q[lost.q.size() / 2 / 7 * 7] = x;
    const auto strip = [&] { render_strip(lost, 9, small()); };
    const std::string text = error_of(strip);
    if (std::isfinite(x))
      EXPECT_NE(text.find(" m away from the origin, too far to be drawn; draw a motion that stays near it"),
                text.npos)
          << text;
    else
      EXPECT_EQ(text, "motion of 'box': has a frame that is not finite, at " +
                          brief(lost.time[lost.q.size() / 2 / 7]) +
                          " s; draw a motion that has not diverged");
  }
}

TEST(Render, AMotionOfNoFramesIsAnError) {
  Motion empty = falling_box();
  empty.time.clear();
  try {
    render_frame(empty, 0, small());
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "motion of 'box': has no frames; there is nothing to draw");
  }
}

TEST(Render, ACreatureThatIsNowhereIsAnError) {
  Motion far = falling_box(), shapeless = far;
  for (double& x : far.q) x *= 1e300;
  for (double& x : shapeless.q) x = 0;  // quaternions of no length
  for (const Motion& motion : {far, shapeless}) {
    try {
      render_frame(motion, 0, small());
      FAIL();
    } catch (const Error& e) {
      EXPECT_STREQ(
          e.what(),
          "the body is inf m away from the origin, too far to be drawn; draw a motion that stays near it");
    }
  }
}

}  // namespace
}  // namespace legwork
