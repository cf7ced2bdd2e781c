#pragma once
// A formula typed by a person, such as 0.02*sin(10*x) + abs(y): parsed once, then a pure function of its
// variables with the same bits on every machine.
//
//   numbers, variables, pi, e;  + - * / ^ (right to left, above the sign: -x^2 is -(x^2));  ( )
//   < <= > >= (1 or 0, below + and -);  sin cos tan tanh exp log sqrt abs sign floor min max atan2 hypot mod
//   if(condition, then, else)

#include <cstdint>
#include <string>
#include <vector>

namespace legwork {

class Expression {
 public:
  // Throws Error: formula 'TEXT': what is wrong at character N; what to try.
  Expression(const std::string& text, const std::vector<std::string>& variables);

  // values: one for each variable, in the order given. Division by zero and the like give inf or nan.
  double operator()(const double* values) const noexcept;

  const std::string& text() const noexcept { return text_; }

  static constexpr int max_length = 4000;  // characters
  static constexpr int max_depth = 64;     // largest depth of brackets and of the value stack

 private:
  friend class ExpressionParser;
  struct Step {
    std::uint8_t operation;
    int variable;
    double number;
  };
  std::string text_;
  std::vector<Step> program_;  // reverse Polish
};

}  // namespace legwork
