#pragma once
// An algorithm as data: constants, what happens at the start, phases with their equations, and when one phase
// follows another. Read from TOML by formats/toml/program_toml.h; docs/direct.md has the format.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <legwork/error.h>
#include "direct/director.h"

namespace legwork {

// Texts are formulas (math/expression.h) over constants, variables and what the creature does: r_heel.x, ...
struct ProgramVector {
  std::vector<std::string> text;  // one or three
  Where where;
};

struct ProgramEquation {
  std::string name, quantity;
  LawType type = LawType::equals;
  bool cost = false, follow = false;  // follow: a pd target that is computed anew at every instant
  ProgramVector to, velocity, over;
  std::string time, weight, within;  // empty: not given
  Where where;
};

struct ProgramTransition {
  std::string when, to;
  Where where;
};

struct ProgramStep {
  std::string turn;  // angle, rad, by which the algorithm's axes turn about the vertical; empty: they do not
  std::vector<std::string> remove, remove_cost, release, let_go;
  std::vector<std::string> hold, hold_in_air;            // "link" or "link at point"
  std::vector<std::string> grasp;                        // "link in hand"
  std::vector<std::pair<std::string, std::string>> set;  // variables
  std::vector<ProgramEquation> equations;                // and costs
  Where where;
};

// Another algorithm, carried out for as long as a phase lasts. Its equations and costs are its own and go
// with it; the caller's stay in force beside them.
struct ProgramCall {
  std::shared_ptr<const struct Program> program;
  std::vector<std::pair<std::string, std::string>> with;  // its constants, as formulas of the caller
  std::string heading;  // rad, where its x axis points as the caller sees it; empty: the caller's axes
  Where where;
};

struct ProgramPhase {
  std::string name;
  ProgramStep enter;
  std::optional<ProgramCall> call;
  std::vector<ProgramTransition> next;  // to a phase, or to `done`, which ends the algorithm
};

struct ProgramConstant {
  std::string name, unit, about;
  double value = 0;
};

struct Program {
  std::string name, about, ground, creature;
  double dt = 0;  // s; 0: the default
  std::vector<ProgramConstant> constants;
  std::vector<std::pair<std::string, std::string>> lets;  // names for formulas
  double smoothness = 0, posture = 0;
  std::vector<std::pair<std::string, double>> torque_limits, joint_friction;
  std::vector<std::string> passive;
  ProgramStep initialize;
  std::vector<ProgramPhase> phases;
  Where where;
};

// "stride=0.6": throws Error for an unknown constant.
void set_constant(Program& program, const std::string& assignment);

// Every phase of a right side gets its left twin where there is none: names and formulas with sides swapped.
std::vector<ProgramPhase> mirror_phases(std::vector<ProgramPhase> phases);

// Gives the director the program's procedures. Every name is resolved here, so that a wrong one is an Error
// before anything moves.
void install(const Program& program, Director& director);

// A quantity as text: "point r_heel", "0.5 position l_foot + 0.5 position r_foot", "angle r_knee",
// "center_of_mass xy", "angular_momentum", "force r_foot z", "torque r_knee".
Quantity parse_quantity(const std::string& text, const Director& director);

}  // namespace legwork
