#include "math/expression.h"
#include "tests/scenes/error_of.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/error.h>

namespace legwork {
namespace {

double value(const std::string& text, double x = 0, double y = 0) {
  const double values[] = {x, y};
  return Expression(text, {"x", "y"})(values);
}

std::string error_of(const std::string& text) {
  return legwork::error_of([&] { Expression(text, {"x", "y"}); });
}

TEST(Expression, FollowsTheUsualOrderOfOperations) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("7 - 2 - 1"), 4);
  EXPECT_EQ(value("12 / 3 / 2"), 2);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-3 ^ 2"), -9);
  EXPECT_EQ(value("2 ^ -2"), 0.25);
  EXPECT_EQ(value("--x", 5), 5);
  EXPECT_EQ(value("1 + 2 < 2 * 2"), 1);
  EXPECT_EQ(value("x >= 2", 1), 0);
}

TEST(Expression, KnowsItsVariablesAndFunctions) {
  EXPECT_EQ(value("x - 10*y", 3, 0.25), 0.5);
  EXPECT_EQ(value("min(x, y) + max(x, y)", 3, 4), 7);
  EXPECT_EQ(value("if(x > 1, 10, 20)", 2), 10);
  EXPECT_EQ(value("if(x > 1, 10, 20)", 0), 20);
  EXPECT_EQ(value("abs(x) + sign(x) + floor(x)", -2.5), 2.5 - 1 - 3);
  EXPECT_EQ(value("mod(x, 3)", -1), 2);
  EXPECT_EQ(value("hypot(x, y)", 3, 4), 5);
}

TEST(Expression, AgreesWithTheMathLibrary) {
  for (double x = -3.01; x < 3; x += 0.173) {
    EXPECT_NEAR(value("sin(10*x) * cos(x)", x), std::sin(10 * x) * std::cos(x), 1e-15);
    EXPECT_NEAR(value("tan(x)", x), std::tan(x), 1e-13 * (1 + std::fabs(std::tan(x))));
    EXPECT_NEAR(value("tanh(x)", x), std::tanh(x), 1e-15);
    EXPECT_NEAR(value("tanh(x)", x / 500), std::tanh(x / 500), 1e-17);
    EXPECT_NEAR(value("exp(x)", x), std::exp(x), 1e-14);
    EXPECT_NEAR(value("atan2(x, y)", x, 1), std::atan2(x, 1), 1e-15);
    const double p = x * x + 1e-3;
    EXPECT_NEAR(value("log(x)", p), std::log(p), 1e-15 * (1 + std::fabs(std::log(p))));
    EXPECT_NEAR(value("x ^ 1.7", p), std::pow(p, 1.7), 1e-14 * (1 + std::pow(p, 1.7)));
  }
  EXPECT_NEAR(value("log(x)", 1e-310), std::log(1e-310), 1e-12);
  EXPECT_EQ(value("log(0)"), -INFINITY);
  EXPECT_TRUE(std::isnan(value("log(-1)")));
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("0.02*sin(10*x"), "formula '0.02*sin(10*x': missing ')' at character 14; write sin(a)");
  EXPECT_EQ(error_of("0.02*sine(x)"),
            "formula '0.02*sine(x)': unknown name 'sine' at character 6; did you mean 'sin'?");
  EXPECT_EQ(error_of("1 +"),
            "formula '1 +': it ends too early at character 4; a number, a variable or '(' was expected");
  EXPECT_EQ(error_of("2 x"), "formula '2 x': unexpected 'x' at character 3; an operator was expected");
  EXPECT_EQ(error_of("1 + * 2"),
            "formula '1 + * 2': unexpected '*' at character 5; a number, a variable or '(' was expected");
  EXPECT_EQ(error_of("max(x)"),
            "formula 'max(x)': 'max' needs more arguments at character 6; write max(a, b)");
  EXPECT_EQ(error_of("sin x"), "formula 'sin x': '(' is missing after 'sin' at character 5; write sin(a)");
}

TEST(Expression, RefusesWhatWouldExhaustIt) {
  EXPECT_NE(error_of(std::string(1000, '(')).find("brackets too deep at character"), std::string::npos);
  EXPECT_NE(error_of(std::string(1000, '-')).find("signs or powers too deep"), std::string::npos);
  EXPECT_EQ(error_of(std::string(5000, '1')), "formula of 5000 characters: too long; at most 4000");
  std::string nested = "1";
  for (int i = 0; i < 60; ++i) nested = "1+(" + nested + ")";
  EXPECT_EQ(value(nested), 61);
}

}  // namespace
}  // namespace legwork
