#pragma once
// Dynamics as C: code of one body that needs nothing else, for a microcontroller or any other program.
//
//   const CompiledC code = compile_c(load_world("dog"), "dog", {.emit = {"forward", "mass"}});
//   write code.header as dog.h and code.source as dog.c
//
// The code has the library's bits: the same operations in the same order, without those whose result is
// known.

#include <string>
#include <vector>

#include <legwork/options.h>
#include <legwork/world.h>

namespace legwork {

struct CompileOptions {
  // What to emit: forward, inverse, mass, jacobian, step.
  std::vector<std::string> emit = {"forward", "inverse", "mass", "step"};
  std::vector<std::string> point;  // jacobian: of these points: a link, leg, contact point or label
  int longest = 4000;              // operations in one C function; longer code is divided
};
void describe(Options& v, CompileOptions& o);

// What became of one of them.
struct CompiledFunction {
  std::string name;
  long asked_for = 0, operations = 0;  // operations of the library's code, and those that are left
};

struct CompiledC {
  std::string header, source;
  std::vector<CompiledFunction> functions;
};

// name: of the file without its ending; names in the code begin with it. Throws Error that says what cannot
// be compiled.
CompiledC compile_c(const World& world, const std::string& name, const CompileOptions& options = {});

}  // namespace legwork
