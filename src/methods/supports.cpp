// Which methods can move a body, by the checks of the methods themselves.

#include <functional>

#include <legwork/methods.h>
#include "direct/track.h"
#include "discover/problem.h"
#include "formats/toml/program_toml.h"
#include "methods/finish.h"
#include "modes/modes.h"
#include "reach/reach.h"
#include "walk/walk.h"

namespace legwork {

namespace {

// What is lacking, in a few words: the problem, and of which part of the body where it is one.
std::string lack_of(const Error& e, const Creature& body) {
  const std::string& who = e.who();
  const bool whole = who.empty() || who == body.name || who == "'" + body.name + "'" ||
                     who == "creature '" + body.name + "'";
  return whole ? e.problem() : who + ": " + e.problem();
}

// Whether the check passes; else what is lacking.
bool passes(const std::function<void()>& check, const Creature& body, Support& support) {
  try {
    check();
    return true;
  } catch (const Error& e) {
    support.advice = e.what();
    support.lacks = lack_of(e, body);
    return false;
  }
}

// What a method supports, where its check says it all.
Support by_check(const std::string& method, const Creature& body, const std::function<void()>& check) {
  Support support{method, false, {}, {}, {}};
  support.supported = passes(check, body, support);
  return support;
}

Support of_direct(const World& world) {
  Support support{"direct", false, {}, {}, {}};
  if (!passes([&] { check_direct(world.body); }, world.body, support)) return support;
  support.supported = true;
  for (const ShippedProgram& shipped : shipped_programs()) {
    Support tried;
    const auto install_it = [&] {
      Director director(world);
      const Program program = load_program(shipped.name);
      install(program, director);
    };
    if (passes(install_it, world.body, tried))
      support.how += (support.how.empty() ? "--algorithm " : ", ") + shipped.name;
  }
  if (support.how.empty()) {
    support.how = "--track";
    support.lacks = "no shipped algorithm knows its names";
    support.advice =
        "write an algorithm on its own names (docs/direct.md), or perform a motion: --track FILE.glb";
  }
  return support;
}

Support of_modes(const World& world) {
  Support support{"modes", true, "--action walk", {}, {}};
  // the analysis is quick, and only it knows whether any mode moves the legs
  const auto analyse = [&](const std::string& action) {
    ModesOptions options;
    options.action = action;
    find_modes(world, options);
  };
  if (passes([&] { analyse("walk"); }, world.body, support)) return support;
  const std::string lacks = support.lacks, advice = support.advice;
  support.how.clear();
  support.supported = passes([&] { analyse("none"); }, world.body, support);
  if (support.supported) support.lacks = lacks, support.advice = advice;
  return support;
}

}  // namespace

std::vector<Support> supports(const World& world) {
  check_arguments("supports", world, {});
  const Creature& body = world.body;
  return {by_check("walk", body, [&] { check_walk(world); }),
          by_check("discover", body, [&] { check_discover(world); }), of_direct(world), of_modes(world),
          by_check("reach", body, [&] { reaching::check_reach(body); })};
}

}  // namespace legwork
