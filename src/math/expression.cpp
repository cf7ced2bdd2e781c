#include "math/expression.h"

#include <charconv>
#include <cmath>

#include <legwork/error.h>
#include "base/text.h"
#include "math/real.h"
#include "math/scalar.h"

namespace legwork {

namespace {

enum Operation : std::uint8_t {
  op_number,
  op_variable,
  op_negate,
  op_add,
  op_subtract,
  op_multiply,
  op_divide,
  op_power,
  op_less,
  op_less_equal,
  op_greater,
  op_greater_equal,
  op_sin,
  op_cos,
  op_tan,
  op_tanh,
  op_exp,
  op_log,
  op_sqrt,
  op_abs,
  op_sign,
  op_floor,
  op_min,
  op_max,
  op_atan2,
  op_hypot,
  op_mod,
  op_if,
};

struct Function {
  const char* name;
  Operation operation;
  int arguments;
};
constexpr Function functions[] = {
    {"sin", op_sin, 1},     {"cos", op_cos, 1},     {"tan", op_tan, 1},   {"tanh", op_tanh, 1},
    {"exp", op_exp, 1},     {"log", op_log, 1},     {"sqrt", op_sqrt, 1}, {"abs", op_abs, 1},
    {"sign", op_sign, 1},   {"floor", op_floor, 1}, {"min", op_min, 2},   {"max", op_max, 2},
    {"atan2", op_atan2, 2}, {"hypot", op_hypot, 2}, {"mod", op_mod, 2},   {"if", op_if, 3},
};

double hyperbolic_tangent(double x) {
  if (std::fabs(x) < 0.01) {
    const double z = x * x;
    return x * (1 - z * (1.0 / 3 - z * (2.0 / 15 - z * (17.0 / 315 - z * (62.0 / 2835)))));
  }
  const double e = exp(2 * min(std::fabs(x), 20.0));
  const double t = (e - 1) / (e + 1);
  return x < 0 ? -t : t;
}

double apply(std::uint8_t operation, double a) {
  double s, c;
  switch (operation) {
    case op_negate:
      return -a;
    case op_sin:
      return sin_cos(a, s, c), s;
    case op_cos:
      return sin_cos(a, s, c), c;
    case op_tan:
      return tan(a);
    case op_tanh:
      return hyperbolic_tangent(a);
    case op_exp:
      return exp(a);
    case op_log:
      return log(a);
    case op_sqrt:
      return std::sqrt(a);
    case op_abs:
      return std::fabs(a);
    case op_sign:
      return (a > 0) - (a < 0);
    default:
      return std::floor(a);
  }
}

double apply(std::uint8_t operation, double a, double b) {
  switch (operation) {
    case op_add:
      return a + b;
    case op_subtract:
      return a - b;
    case op_multiply:
      return a * b;
    case op_divide:
      return a / b;
    case op_power:
      return pow(a, b);
    case op_less:
      return a < b;
    case op_less_equal:
      return a <= b;
    case op_greater:
      return a > b;
    case op_greater_equal:
      return a >= b;
    case op_min:
      return min(a, b);
    case op_max:
      return max(a, b);
    case op_atan2:
      return atan2(a, b);
    case op_hypot:
      return hypot(a, b);
    default:
      return a - b * std::floor(a / b);
  }
}

int operands(std::uint8_t operation) {
  if (operation <= op_variable) return 0;
  if (operation == op_if) return 3;
  if (operation == op_negate || (operation >= op_sin && operation <= op_floor)) return 1;
  return 2;
}

}  // namespace

// Recursive descent; each level's name is what it reads.
class ExpressionParser {
 public:
  ExpressionParser(Expression& target, const std::vector<std::string>& variables)
      : target_(target), text_(target.text_), variables_(variables) {}

  void parse() {
    if (text_.size() > Expression::max_length)
      throw Error({}, "formula of " + std::to_string(text_.size()) + " characters", "too long",
                  "at most " + std::to_string(Expression::max_length));
    comparison();
    if (peek() != 0) fail(std::string("unexpected '") + peek() + "'", "an operator was expected");
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    throw Error({}, "formula '" + text_ + "'", problem + " at character " + std::to_string(at_ + 1), advice);
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : 0;
  }
  bool take(char c) { return peek() == c && (++at_, true); }

  void emit(std::uint8_t operation, double number = 0, int variable = 0) {
    stack_ += 1 - operands(operation);
    if (stack_ > Expression::max_depth) fail("too many pending values", "write it with fewer brackets");
    target_.program_.push_back({operation, variable, number});
  }

  void comparison() {
    if (++depth_ > Expression::max_depth) fail("brackets too deep", "at most 64 levels");
    sum();
    while (peek() == '<' || peek() == '>') {
      const bool less = text_[at_++] == '<', equal = take('=');
      sum();
      emit(less ? (equal ? op_less_equal : op_less) : (equal ? op_greater_equal : op_greater));
    }
    --depth_;
  }
  void sum() {
    product();
    while (peek() == '+' || peek() == '-') {
      const bool plus = text_[at_++] == '+';
      product();
      emit(plus ? op_add : op_subtract);
    }
  }
  void product() {
    signed_power();
    while (peek() == '*' || peek() == '/') {
      const bool times = text_[at_++] == '*';
      signed_power();
      emit(times ? op_multiply : op_divide);
    }
  }
  void signed_power() {
    if (take('-')) {
      deeper_power();
      emit(op_negate);
    } else if (take('+')) {
      deeper_power();
    } else {
      primary();
      if (!take('^')) return;
      deeper_power();
      emit(op_power);
    }
  }
  void deeper_power() {
    if (++depth_ > Expression::max_depth) fail("signs or powers too deep", "at most 64 levels");
    signed_power();
    --depth_;
  }
  void primary() {
    const char c = peek();
    if (take('(')) {
      comparison();
      if (!take(')')) fail("missing ')'", "close the bracket");
    } else if ((c >= '0' && c <= '9') || c == '.') {
      number();
    } else if (letter(c)) {
      name();
    } else if (c == 0) {
      fail("it ends too early", "a number, a variable or '(' was expected");
    } else {
      fail(std::string("unexpected '") + c + "'", "a number, a variable or '(' was expected");
    }
  }
  void number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (status != std::errc()) fail("bad number", "write it as 0.25 or 2.5e-1");
    at_ += std::size_t(end - begin);
    emit(op_number, value);
  }
  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (letter(text_[at_]) || (text_[at_] >= '0' && text_[at_] <= '9'))) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (word == variables_[i]) return emit(op_variable, 0, int(i));
    if (word == "pi") return emit(op_number, pi);
    if (word == "e") return emit(op_number, 2.71828182845904523536);
    for (const Function& f : functions)
      if (word == f.name) return call(f);
    std::vector<std::string> known = variables_;
    for (const Function& f : functions) known.push_back(f.name);
    known.push_back("pi");
    at_ = begin;
    fail("unknown name '" + word + "'", did_you_mean(word, known));
  }
  void call(const Function& f) {
    const std::string usage = std::string(f.name) + (f.arguments == 1   ? "(a)"
                                                     : f.arguments == 2 ? "(a, b)"
                                                                        : "(condition, then, else)");
    if (!take('(')) fail(std::string("'(' is missing after '") + f.name + "'", "write " + usage);
    for (int i = 0; i < f.arguments; ++i) {
      if (i > 0 && !take(',')) fail(std::string("'") + f.name + "' needs more arguments", "write " + usage);
      comparison();
    }
    if (!take(')')) fail("missing ')'", "write " + usage);
    emit(f.operation);
  }
  static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  Expression& target_;
  const std::string& text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
  int depth_ = 0, stack_ = 0;
};

Expression::Expression(const std::string& text, const std::vector<std::string>& variables) : text_(text) {
  ExpressionParser(*this, variables).parse();
}

double Expression::operator()(const double* values) const noexcept {
  double stack[max_depth + 2];
  int n = 0;  // values on the stack
  for (const Step& step : program_) {
    n += 1 - operands(step.operation);
    double& top = stack[n - 1];
    if (step.operation == op_number)
      top = step.number;
    else if (step.operation == op_variable)
      top = values[step.variable];
    else if (step.operation == op_if)
      top = top != 0 ? stack[n] : stack[n + 1];
    else if (operands(step.operation) == 1)
      top = apply(step.operation, top);
    else
      top = apply(step.operation, top, stack[n]);
  }
  return stack[0];
}

}  // namespace legwork
