// The contract, for every creature and method that claims it: the library's call gives the motion of the
// command line, and a file that the library wrote is made again, bit for bit.

#include <gtest/gtest.h>

#include <cstdlib>

#include <legwork/legwork.h>
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"
#include "tests/scenes/same.h"

namespace legwork::test {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

// With LEGWORK_LONG=1 (make test-long) searches are longer and reach is finer.
bool at_length() { return std::getenv("LEGWORK_LONG") != nullptr; }

// Options that keep a run short; the rest are the defaults.
Settings shortened(const Support& support) {
  const std::string seconds = at_length() ? "1" : "0.3";
  if (support.method == "walk") return {{"seconds", seconds}};
  if (support.method == "discover")
    return at_length()
               ? Settings{{"random", "96"}, {"vary", "48"}, {"gaits", "3"}, {"tune", "8"}, {"seconds", "2"}}
               : Settings{{"random", "16"}, {"vary", "8"}, {"gaits", "2"}, {"tune", "2"}, {"seconds", "1"}};
  if (support.method == "reach")
    return at_length() ? Settings{{"resolution", "9"}, {"population", "200"}, {"iterations", "100"}}
                       : Settings{{"resolution", "15"}, {"population", "24"}, {"iterations", "24"}};
  Settings options = {{"seconds", seconds}};
  if (support.how == "--track") {
    options.push_back({"track", "fall.glb"});
  } else if (!support.how.empty()) {  // "--action walk", "--algorithm stand, squat"
    const size_t gap = support.how.find(' ');
    const std::string values = support.how.substr(gap + 1);
    options.push_back({support.how.substr(2, gap - 2), values.substr(0, values.find(','))});
  }
  return options;
}

struct Cells {
  int equal = 0, refused = 0;
};

// One cell: called from C++, and run by the command line.
void run_cell(const std::string& creature, const Support& support, const Folder& folder, Cells& cells) {
  const std::unique_ptr<Method> method = make_method(support.method);
  std::vector<std::string> words = {support.method, creature, "--out", "cli.glb", "--quiet"};
  for (auto [name, value] : shortened(support)) {
    if (name == "track") value = (folder / value).string();
    method->options().find(name)->set({value}, {}, name);
    words.insert(words.end(), {"--" + name, value});
  }
  Result result;
  const std::string refusal = error_of([&] { result = method->run(load_world(creature)); });
  const Outcome outcome = folder.legwork(words);
  if (!refusal.empty()) {
    ++cells.refused;
    std::printf("%s %s is refused: %s\n", support.method.c_str(), creature.c_str(), refusal.c_str());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "legwork: " + refusal + "\n");
    return;
  }
  ASSERT_TRUE(outcome.code == 0 || outcome.code == 3) << outcome.err;
  save(result, folder / "library.glb");
  const Motion program = read_motion(folder / "cli.glb"), library = read_motion(folder / "library.glb");
  expect_same_run(library, program);
  EXPECT_EQ(rerun(folder / "library.glb").difference, "");
  ++cells.equal;
}

TEST(Contract, TheLibraryAndTheCommandLineGiveTheSameMotionAndRerunGivesItAgain) {
  const Folder folder;
  Cells cells;
  for (const ShippedCreature& shipped : shipped_creatures()) {
    const World world = load_world(shipped.name);
    save(drop(world, {.seconds = 0.1}), folder / "fall.glb");
    Support falling;
    falling.method = "drop", falling.supported = true;
    std::vector<Support> methods = supports(world);
    methods.push_back(falling);
    for (const Support& support : methods) {
      if (!support.supported) continue;
      SCOPED_TRACE(support.method + " " + shipped.name);
      run_cell(shipped.name, support, folder, cells);
    }
  }
  std::printf("%d cells equal, %d refused in the same words\n", cells.equal, cells.refused);
  EXPECT_GE(cells.equal, 120);
  EXPECT_LE(cells.refused, 15);  // reach at this resolution
}

}  // namespace
}  // namespace legwork::test
