#include <cstdio>
#include <exception>
#include <iostream>

#include <legwork/error.h>
#include <legwork/methods.h>
#include <legwork/run.h>
#include "base/text.h"
#include "base/version.h"
#include "cli/interrupt.h"
#include "cli/motion_verb.h"
#include "cli/mpi.h"
#include "cli/verbs.h"
#include "search/crew.h"

namespace legwork::cli {

namespace {

struct Verb {
  const char* name;
  const char* purpose = nullptr;             // null: the method of this name gives it
  int (*run)(const Words& words) = nullptr;  // null: the method of this name
};

constexpr Verb verbs[] = {
    {"creatures", "list the bodies that come with Legwork, and which methods can move them", creatures},
    {"check", "say whether a body is sound: mass, size, joints, legs", check},
    {"rig", "say what is understood of a rigged character, and write it as a creature file", rig},
    {"inspect", "report masses, matrices, accelerations and Jacobians at one state", inspect},
    {"drop"},
    {"walk"},
    {"discover", "search for the ways a body can move, and show a gallery of them", discover},
    {"evolve", "let bodies change with their networks, and show an atlas of body plans", evolve},
    {"direct"},
    {"modes"},
    {"reach"},
    {"script"},
    {"run", "run a scenario that --save wrote, or you did", run},
    {"rerun", "make a result again, bit for bit", rerun},
    {"study", "run any verb over variations and repetitions: means, SDs, plots", study},
    {"archive", "merge, check and export the archives of searches", archive},
    {"gait", "measure the gait of any motion", gait},
    {"compare", "put the gaits of several motions side by side", compare},
    {"view", "make a page of motions to look at", view},
    {"render", "draw pictures and films of a motion, without a display", render},
    {"export", "write a motion or a creature for other programs: BVH, CSV, STO, GLB, MJCF", export_motion},
    {"compile", "write the dynamics of one body as C that needs nothing else", compile},
};

std::string overview() {
  std::string text =
      "Legwork makes articulated creatures move. Give it a body; get it walking.\n\n"
      "Usage: legwork VERB [CREATURE or FILE] [options]\n\nVerbs\n";
  for (const Verb& verb : verbs)
    text += "  " + std::string(verb.name) + std::string(12 - std::string(verb.name).size(), ' ') +
            (verb.purpose ? verb.purpose : make_method(verb.name)->purpose()) + "\n";
  text +=
      "\nlegwork VERB --help lists a verb's options, with examples.\n"
      "CREATURE is a shipped name (legwork creatures) or a file: .toml, MJCF .xml, .urdf, .corpus,\n"
      "or a rigged character, .glb or .gltf.\n"
      "Numbers may carry their unit: --seconds 2s; angles take both of theirs: 30deg, 0.52rad.\n"
      "Exit codes: 0 fine, 1 a bug of Legwork, 2 bad input, 3 the creature failed.\n";
  return text;
}

int dispatch(const Words& words) {
  if (launched_number() > 0 && (words.empty() || !is_shared(words[0], {words.begin() + 1, words.end()})))
    return fine;
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (words.size() > 1 && words[0] == "help") return dispatch({words[1], "--help"});
    std::cout << overview();
    return words.empty() ? bad_input : fine;
  }
  if (words[0] == "--version") {
    std::cout << "legwork " << version() << "\n";
    return fine;
  }
  std::vector<std::string> names;
  for (const Verb& verb : verbs) {
    const Words rest(words.begin() + 1, words.end());
    if (words[0] == verb.name) return verb.run ? verb.run(rest) : run_method(verb.name, rest);
    names.push_back(verb.name);
  }
  throw Error("unknown verb '" + words[0] + "'", did_you_mean(words[0], names));
}

}  // namespace

}  // namespace legwork::cli

int main(int count, char** words) {
  using namespace legwork;
  cli::listen_for_interrupt();
  try {
    const int code = cli::dispatch({words + 1, words + count});
    std::cout.flush();
    if (!std::cout) throw Error("cannot write to standard output");
    return code;
  } catch (const Dismissed&) {
    return cli::fine;
  } catch (const Stopped&) {
    std::cerr << "legwork: stopped\n";
    return cli::interrupted_by_user;
  } catch (const Error& e) {
    std::cerr << "legwork: " << e.what() << "\n";
    return cli::bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "legwork: not enough memory; try fewer seconds, a larger --dt or a lower --rate\n";
    return cli::bad_input;
  } catch (const std::exception& e) {
    std::cerr << "legwork: a bug of Legwork, please report it: " << e.what() << "\n";
    return cli::our_bug;
  }
}
