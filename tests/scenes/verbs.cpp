#include <chrono>
#include <stdexcept>

#include <legwork/files.h>
#include <legwork/methods.h>
#include "formats/file.h"
#include "tests/scenes/readers.h"
#include "tests/scenes/rough_handling.h"

namespace legwork {

namespace {

constexpr double most_seconds = 2;  // of a verb
constexpr size_t most_links = 40;   // a fuzzer soon finds that copies make bodies large

std::vector<std::string> creature_files(const std::vector<std::string>& names) {
  std::vector<std::string> texts;
  for (const std::string& name : names)
    texts.push_back(read_file(LEGWORK_SOURCE_DIR "/creatures/" + name + ".toml"));
  return texts;
}

template <class Method>
Reader verb(const std::string& name, const std::vector<std::string>& bodies, const Method& method) {
  return {name, creature_files(bodies), [method](const std::string& text) {
            const Creature body = parse_creature(text, "x.toml");
            if (body.links.size() > most_links) return;
            const auto start = std::chrono::steady_clock::now();
            Run run{.threads = 1};
            run.stop = [start] {
              return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(most_seconds);
            };
            try {
              const Verdict verdict = judge(method(world_of(body), run));
              if (!verdict.finite) throw std::logic_error("numbers that are not finite");
            } catch (const Stopped&) {
            }
          }};
}

}  // namespace

std::vector<Reader> all_verbs() {
  std::vector<Reader> all;
  all.push_back(verb("drop", {"box", "pendulum", "fourbar", "strider", "ragdoll", "table", "fish"},
                     [](const World& w, const Run& run) { return drop(w, {.seconds = 0.1}, run); }));
  all.push_back(verb("walk", {"strider", "biped", "hexapod", "roach", "dog"},
                     [](const World& w, const Run& run) { return walk(w, {.seconds = 0.1}, run); }));
  all.push_back(verb("discover", {"cart", "bounder", "fish"}, [](const World& w, const Run& run) {
    DiscoverOptions few;
    few.random = few.vary = 4, few.generation = 4, few.gaits = 1, few.tune = 1, few.seconds = 0.2;
    return discover(w, few, run);
  }));
  all.push_back(verb("modes", {"strider", "dog", "biped"}, [](const World& w, const Run& run) {
    return modes(w, {.action = "walk", .seconds = 0.2}, run);
  }));
  all.push_back(verb("reach", {"wills_dog", "wills_reptile"}, [](const World& w, const Run& run) {
    ReachOptions coarse;
    coarse.limb = "hind", coarse.resolution = 10, coarse.cache = "off";
    return reach(w, coarse, run);
  }));
  all.push_back(verb("direct", {"biped", "quadruped"}, [](const World& w, const Run& run) {
    return direct(w, {.algorithm = "stand", .seconds = 0.1}, run);
  }));
  return all;
}

}  // namespace legwork
