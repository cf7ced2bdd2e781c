#include "cli/methods.h"

#include <cctype>
#include <functional>

#include "direct/track.h"
#include "discover/problem.h"
#include "formats/toml/program_toml.h"
#include "modes/modes.h"
#include "reach/reach.h"
#include "walk/walk.h"

namespace legwork::cli {

namespace {

// Of `file:line: who: what is wrong; what to try`: what is wrong, and of whom where that is no creature.
std::string few_words(const std::string& message, const Creature& body) {
  std::string text = message.substr(0, message.find_first_of(";\n"));
  const size_t file = body.where.file.empty() ? std::string::npos : text.find(body.where.file);
  if (file == 0) {
    text.erase(0, body.where.file.size());
    size_t at = 0;
    while (at < text.size() && (text[at] == ':' || std::isdigit(static_cast<unsigned char>(text[at])))) ++at;
    text.erase(0, text.find_first_not_of(' ', at));
  }
  for (const std::string& who :
       {body.name, "'" + body.name + "'", "creature '" + body.name + "'", std::string("reach")})
    if (text.starts_with(who + ": ")) text.erase(0, who.size() + 2);
  if (text.starts_with("'" + body.name + "' ")) text.erase(0, body.name.size() + 3);
  return text;
}

// Whether the check passes; else what is lacking.
bool passes(const std::function<void()>& check, const Creature& body, Method& method) {
  try {
    check();
    return true;
  } catch (const Error& e) {
    method.advice = e.what();
    method.lacks = few_words(method.advice, body);
    return false;
  }
}

Method of_direct(const World& world) {
  Method m{"direct", false, {}, {}, {}};
  if (!passes([&] { check_direct(world.body); }, world.body, m)) return m;
  m.supported = true;
  for (const ShippedProgram& shipped : shipped_programs()) {
    Method tried;
    const auto install_it = [&] {
      Director director(world);
      const Program program = load_program(shipped.name);
      install(program, director);
    };
    if (passes(install_it, world.body, tried))
      m.how += (m.how.empty() ? "--algorithm " : ", ") + shipped.name;
  }
  if (m.how.empty()) {
    m.how = "--track";
    m.lacks = "no shipped algorithm knows its names";
    m.advice = "write an algorithm on its own names (docs/direct.md), or perform a motion: --track FILE.glb";
  }
  return m;
}

Method of_modes(const World& world) {
  Method m{"modes", true, "--action walk", {}, {}};
  // the analysis is quick, and only it knows whether any mode moves the legs
  const auto analyse = [&](const std::string& action) {
    ModesOptions options;
    options.action = action;
    find_modes(world, options);
  };
  if (passes([&] { analyse("walk"); }, world.body, m)) return m;
  const std::string lacks = m.lacks, advice = m.advice;
  m.how.clear();
  m.supported = passes([&] { analyse("none"); }, world.body, m);
  if (m.supported) m.lacks = lacks, m.advice = advice;
  return m;
}

}  // namespace

std::vector<Method> methods_of(const World& world) {
  const Creature& body = world.body;
  Method walk{"walk", false, {}, {}, {}}, discover{"discover", false, {}, {}, {}},
      reach{"reach", false, {}, {}, {}};
  walk.supported = passes([&] { check_walk(world); }, body, walk);
  discover.supported = passes([&] { check_discover(world); }, body, discover);
  reach.supported = passes([&] { reaching::check_reach(body); }, body, reach);
  return {walk, discover, of_direct(world), of_modes(world), reach};
}

}  // namespace legwork::cli
