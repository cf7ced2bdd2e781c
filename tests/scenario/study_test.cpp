#include "scenario/study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace legwork {
namespace {

constexpr const char* text = R"(verb = "drop"
creature = "box"
seed = 40
repetitions = 500
[world]
friction = "0.4 .. 0.8"
[options]
height = "0.5 ± 0.1m"
[vary]
creature = ["box", "tumbler"]
[vary.world]
gravity = [9.81, "3.7"]
[vary.options]
throw = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
)";

std::string value(const std::vector<Setting>& settings, const std::string& key) {
  for (const Setting& setting : settings)
    if (setting.key == key) return setting.values.at(0);
  return "absent";
}

TEST(Study, CombinesEverythingThatVaries) {
  const Study study = parse_study(text, "study.toml");
  EXPECT_EQ(variations(study), 12);
  std::vector<std::string> seen;
  for (int i = 0; i < 12; ++i) {
    const Cell c = cell(study, i, 0);
    std::string all;
    for (const auto& [axis, choice] : c.varied) all += axis + "=" + choice + " ";
    EXPECT_EQ(std::count(seen.begin(), seen.end(), all), 0) << all;
    seen.push_back(all);
  }
  EXPECT_EQ(seen.front(), "creature=box world.gravity=9.81 options.throw=0,0,0 ");
  EXPECT_EQ(seen.back(), "creature=tumbler world.gravity=3.7 options.throw=2,0,0 ");
}

TEST(Study, DrawsNormalAndUniformValuesTheSameInEveryVariation) {
  const Study study = parse_study(text, "study.toml");
  std::vector<double> heights, frictions;
  for (int k = 0; k < study.repetitions; ++k) {
    const Cell c = cell(study, 0, k), other = cell(study, 11, k);
    const std::string height = value(c.scenario.options, "height");
    EXPECT_EQ(height.back(), 'm');
    EXPECT_EQ(height, value(other.scenario.options, "height"));
    heights.push_back(std::stod(height));
    frictions.push_back(std::stod(value(c.scenario.world, "friction")));
    EXPECT_EQ(c.scenario.seed, 40u + unsigned(k));
  }
  const Statistics h = statistics(heights), f = statistics(frictions);
  EXPECT_NEAR(h.mean, 0.5, 4 * 0.1 / std::sqrt(500.0));
  EXPECT_NEAR(h.sd, 0.1, 0.015);
  EXPECT_NEAR(f.mean, 0.6, 4 * 0.4 / std::sqrt(12.0 * 500));
  EXPECT_GE(f.smallest, 0.4);
  EXPECT_LT(f.largest, 0.8);
}

TEST(Study, ARunIsKnownByWhatDeterminesIt) {
  const Study study = parse_study(text, "study.toml");
  Study reseeded = study;
  reseeded.base.seed = 41;
  EXPECT_EQ(cell(study, 3, 2).id, cell(study, 3, 2).id);
  EXPECT_NE(cell(study, 3, 2).id, cell(study, 3, 3).id);
  EXPECT_NE(cell(study, 3, 2).id, cell(study, 4, 2).id);
  EXPECT_NE(cell(study, 3, 2).id, cell(reseeded, 3, 2).id);
}

std::string complaint(const std::string& file) {
  try {
    const Study study = parse_study(file, "s.toml");
    cell(study, 0, 0);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Study, MistakesAreNamedWithTheirLine) {
  const std::string head = "verb = \"drop\"\ncreature = \"box\"\n";
  EXPECT_EQ(complaint(head + "[vary.world]\nfriction = 0.5\n"),
            "s.toml:4: [vary.world]: 'friction' is the number 0.5; write a list of values to try");
  EXPECT_EQ(complaint(head + "[vary]\nworlds = [1]\n"),
            "s.toml:4: [vary]: unknown key 'worlds'; did you mean 'world'?");
  EXPECT_EQ(complaint(head + "repetitions = 0\n"),
            "s.toml:3: study: 'repetitions' is 0; write a whole number from 1 on");
  EXPECT_EQ(complaint(head + "[world]\nfriction = \"0.8 .. 0.4\"\n"),
            "s.toml:4: 'friction': '0.8 .. 0.4' is a range upside down");
}

// Quantiles of Student's t from tables.
TEST(Statistics, TheIntervalIsStudents) {
  EXPECT_NEAR(student_t95(1), 12.7062, 1e-4);
  EXPECT_NEAR(student_t95(2), 4.30265, 1e-5);
  EXPECT_NEAR(student_t95(3), 3.18245, 0.02);
  EXPECT_NEAR(student_t95(5), 2.57058, 0.001);
  EXPECT_NEAR(student_t95(30), 2.04227, 1e-5);
  const Statistics s = statistics({1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(2.5));
  EXPECT_NEAR(s.high, 3 + 2.77645 * std::sqrt(2.5 / 5), 0.005);
  EXPECT_EQ(statistics({0.1, 0.1, 0.1}).sd, 0);
  EXPECT_TRUE(std::isnan(statistics({7}).sd));
  EXPECT_EQ(statistics({}).n, 0);
}

}  // namespace
}  // namespace legwork
