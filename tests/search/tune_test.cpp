#include "search/tune.h"

#include <gtest/gtest.h>

#include <legwork/error.h>
#include "search/crew.h"

namespace legwork {
namespace {

std::vector<Variable> variables(int n, double lower, double upper, double start) {
  std::vector<Variable> list;
  for (int i = 0; i < n; ++i) list.push_back({"x" + std::to_string(i), lower, upper, start});
  return list;
}

double minus_rosenbrock(const std::vector<double>& x, int) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 100 * (x[i + 1] - x[i] * x[i]) * (x[i + 1] - x[i] * x[i]) + (1 - x[i]) * (1 - x[i]);
  return -sum;
}

TEST(Tune, FindsTheEndOfRosenbrocksValley) {
  TuneOptions options;
  options.evaluations = 20000;
  options.converged = 1e-7;
  const Tuned tuned = tune(variables(6, -3, 4, -1), minus_rosenbrock, options, 1, 1);
  EXPECT_TRUE(tuned.converged);
  for (const double x : tuned.values) EXPECT_NEAR(x, 1, 1e-4);
}

TEST(Tune, FollowsAnIllConditionedTiltedBowl) {
  const auto bowl = [](const std::vector<double>& x, int) {
    const double a = x[0] + x[1] - 0.7, b = x[0] - x[1] + 0.1;
    return -(a * a + 1e6 * b * b);
  };
  TuneOptions options;
  options.evaluations = 4000;
  options.converged = 1e-8;
  const Tuned tuned = tune(variables(2, -1, 1, 0.9), bowl, options, 3, 1);
  EXPECT_NEAR(tuned.values[0], 0.3, 1e-5);
  EXPECT_NEAR(tuned.values[1], 0.4, 1e-5);
}

TEST(Tune, FindsAnOptimumOnTheEdge) {
  const auto slope = [](const std::vector<double>& x, int) { return x[0] - 2 * x[1]; };
  TuneOptions options;
  options.evaluations = 2000;
  const Tuned tuned = tune(variables(2, -1, 5, 1), slope, options, 2, 1);
  EXPECT_NEAR(tuned.values[0], 5, 1e-2);
  EXPECT_NEAR(tuned.values[1], -1, 1e-2);
}

// Others do each job, the last first, and one of them answers nonsense once.
class Others : public Crew {
 public:
  void begin(const std::string&, const Work& work) override { work_ = work; }
  void share(const std::vector<std::string>& jobs, int, const Arrived& arrived) override {
    EXPECT_FALSE(arrived({0}, {"a cat on the keyboard"}));
    for (std::size_t i = jobs.size(); i-- > 0;) EXPECT_TRUE(arrived({i}, work_({jobs[i]})));
  }

 private:
  Work work_;
};

TEST(Tune, IsTheSameByACrew) {
  TuneOptions options;
  options.evaluations = 203;
  legwork::Run run{.seed = 9, .threads = 2};
  const Tuned alone = tune(variables(5, -2, 2, 0), minus_rosenbrock, options, run);
  Others others;
  run.crew = &others;
  const Tuned together = tune(variables(5, -2, 2, 0), minus_rosenbrock, options, run);
  EXPECT_EQ(alone.values, together.values);
  EXPECT_EQ(alone.best_by_count, together.best_by_count);
  EXPECT_EQ(alone.values, tune(variables(5, -2, 2, 0), minus_rosenbrock, options, 9, 1).values);
}

TEST(Tune, IsTheSameForEveryNumberOfThreads) {
  TuneOptions options;
  options.evaluations = 301;
  const Tuned one = tune(variables(5, -2, 2, 0), minus_rosenbrock, options, 9, 1);
  const Tuned two = tune(variables(5, -2, 2, 0), minus_rosenbrock, options, 9, 2);
  EXPECT_EQ(one.values, two.values);
  EXPECT_EQ(one.best_by_count, two.best_by_count);
  EXPECT_EQ(one.evaluations(), 301);
}

TEST(Tune, StartsWhereItIsTold) {
  TuneOptions options;
  options.evaluations = 1;
  const Tuned tuned = tune(variables(3, 0.1, 0.7, 0.3), minus_rosenbrock, options, 1, 1);
  EXPECT_EQ(tuned.values, (std::vector<double>{0.3, 0.3, 0.3}));
  EXPECT_EQ(tuned.score, tuned.start_score);
}

TEST(Tune, TakesNotANumberAsTheWorst) {
  const auto half = [](const std::vector<double>& x, int) { return x[0] < 0.5 ? std::nan("") : -x[0]; };
  TuneOptions options;
  const Tuned tuned = tune(variables(1, 0, 1, 0.9), half, options, 1, 1);
  EXPECT_NEAR(tuned.values[0], 0.5, 1e-2);
}

TEST(Tune, RefusesAnEmptyRange) {
  try {
    tune({{"stride", 2, 1, 1.5}}, minus_rosenbrock, {}, 1, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "variable 'stride': range 2 .. 1 is empty; give a lower and a higher bound");
  }
}

}  // namespace
}  // namespace legwork
