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

// Where an algorithm counts from, and which way its x axis points: turned about the vertical against the
// world.
struct Frame {
  Vec3d origin;  // level: z is the world's
  double heading = 0;
  Mat3d R = Mat3d::identity();

  void turn_about(const Vec3d& pivot, double angle);
  bool turned() const { return heading != 0 || origin.x != 0 || origin.y != 0; }
  // A world point and a world vector as they are seen from it ...
  Vec3d place(const Vec3d& p) const { return turned() ? transpose(R) * (p - origin) : p; }
  Vec3d direction(const Vec3d& v) const { return heading == 0 ? v : transpose(R) * v; }
  // ... and back
  Vec3d world_direction(const Vec3d& v) const { return heading == 0 ? v : R * v; }
};

// Keeps the program's variables; what it hands out refers to them, and to its frame.
class Formulas {
 public:
  // prefix: of the names that its equations have in the director.
  explicit Formulas(const Program& program, std::string prefix = {});
  Formulas(const Formulas&) = delete;

  Frame frame;
  double phase_start = 0;  // s
  double done = 0;         // 1: the algorithm that was called has ended
  double turned = 0;       // rad: by how much the algorithm has turned its axes
  const std::string& prefix() const { return prefix_; }

  // From now on the constant is what the caller's formula says. Throws Error for an unknown one.
  void give(const std::string& constant, Observe value);

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
  std::string prefix_;
  std::map<std::string, Observe> given_;
  std::map<std::string, double> variables_;
  std::vector<std::string> equation_names_;
};

}  // namespace legwork
