#pragma once
// Formulas of a program (program.h) on a creature: every name in them is resolved once, before anything
// moves.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "direct/program.h"

namespace legwork {

// Something that a formula may look at.
using Observe = std::function<double(const Director&)>;
using ObserveVector = std::function<Vec3d(const Director&)>;

// Keeps the program's variables; what it hands out refers to them.
class Formulas {
 public:
  explicit Formulas(const Program& program);
  Formulas(const Formulas&) = delete;

  // side: what the name side means, -1 right, 1 left, 0 neither. An Error says where and who.
  Observe scalar(const std::string& text, const Director& d, int side, const Where& where,
                 const std::string& who) const;
  // Empty where the text is.
  ObserveVector vector(const ProgramVector& v, const Director& d, int side, const std::string& who) const;
  // Above zero: go.
  Observe condition(const ProgramTransition& t, const Director& d, int side) const;

  void set(const std::string& variable, double value) { variables_.at(variable) = value; }
  const std::vector<std::string>& equation_names() const { return equation_names_; }
  bool has_equation(const std::string& name) const;

 private:
  void collect(const ProgramStep& step);
  std::string expand(const std::string& text, int depth = 0) const;
  Observe observe(const std::string& name, const Director& d) const;
  Observe observe_distance(const std::string& equation) const;
  [[noreturn]] void unknown_name(const std::string& name) const;

  const Program& program_;
  std::map<std::string, double> variables_;
  std::vector<std::string> equation_names_;
};

}  // namespace legwork
