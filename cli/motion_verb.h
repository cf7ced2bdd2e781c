#pragma once
// What all verbs that make a motion share: the world's options, the files they write, scenarios.

#include <memory>
#include <string>
#include <vector>

#include <legwork/motion.h>
#include <legwork/options.h>
#include "cli/output.h"
#include "cli/page.h"
#include "cli/verbs.h"
#include "report/report.h"
#include "scenario/scenario.h"

namespace legwork::cli {

// What a verb is asked to do, besides its own options.
struct Task {
  World world;
  WorldOptions asked;  // with integrator, dt, rate and pushes still to be used
  std::uint64_t seed = 1;
  int threads = 0;
  bool quiet = false;
};

// What a verb tells of its motion.
struct Story {
  std::string title;  // of the first motion on the page; empty: its creature and the verb
  std::string about;  // of that motion; empty: the lines
  std::vector<std::string> lines;
  Json keys = Json::object();  // joins the summary; never redefines its common keys
  // for --report, where they stand before the gait's measures and after the film
  std::vector<ReportMeasure> measures;
  std::vector<ReportPanel> panels;
  std::vector<Showing> more;  // further motions of the page, which becomes a gallery
};

// A verb that makes a motion. One object makes one motion.
class MotionVerb {
 public:
  virtual ~MotionVerb() = default;
  virtual std::string name() const = 0;
  virtual std::string purpose() const = 0;
  virtual std::string examples() const = 0;
  // What it takes in place of a creature: name and meaning, for --help.
  virtual std::pair<std::string, std::string> subject() const {
    return {"CREATURE", "a shipped name or a file: .toml, MJCF .xml, .urdf, .corpus"};
  }
  // Its own options, described while they had their defaults; they refer to fields of this object.
  virtual const Options& options() const = 0;
  // The motion, and the step that was taken. Bad input is an Error, failing a status.
  virtual Motion make(const Task& task, StepOptions& step) = 0;
  // Called before make with what stands for the creature.
  virtual void begin(const std::string&) {}
  // A text of its own that a scenario must carry to run without other files; empty: none.
  virtual std::string source() const { return {}; }
  virtual void set_source(const std::string&) {}
  // The world's options as they came out, for the scenario.
  virtual WorldOptions effective(const Task& task, const StepOptions& step) const {
    return effective_options(task.asked, task.world, step);
  }
  virtual Story tell(const Motion& motion, const Task& task) const = 0;
};

// The verb of a scenario. Throws Error for one that makes no motion.
std::unique_ptr<MotionVerb> motion_verb_of(const Scenario& scenario);

struct RunOptions {
  std::uint64_t seed = 1;
  int threads = 0;
};
template <class Visitor>
void describe(Visitor& v, RunOptions& o) {
  v.integer("seed", o.seed, {0, 9e18, "", "same seed, same bits"});
  v.integer("threads", o.threads, {0, 4096, "", "0 = all cores; the result does not depend on it"});
}

struct FileOptions {
  std::string out, report, save;
};
template <class Visitor>
void describe(Visitor& v, FileOptions& o) {
  v.file("out", o.out, "write the motion to this .glb");
  v.file("report", o.report, "write a page to look at to this .html");
  v.file("save", o.save, "write the scenario to this .toml, for legwork run");
}

// The task of a scenario in a world; its options go into the verb.
Task prepare(const Scenario& scenario, World world, MotionVerb& verb);

// Before any work: every file that is asked for can be written. Throws Error.
void check_targets(const FileOptions& files, const OutputOptions& output);

// A finished run.
struct Made {
  Motion motion;
  Creature given;      // the task's body; the method may have changed the motion's
  WorldOptions asked;  // as the user gave it
  WorldOptions world;  // complete: nothing left to the creature or its file
  Story story;
};
// Loads nothing: the world is the task's. The motion carries the scenario.
Made make_motion(MotionVerb& verb, const std::string& creature, const Task& task);
// What every --json holds: how it was made, status, fell, realtime_factor, and gait where there are legs.
Json common_keys(const Motion& motion);
// The common keys and the verb's own.
Json summary(const Made& made);

// Writes the files, tells the story, and returns the exit code.
int deliver(const MotionVerb& verb, const Made& made, const FileOptions& files, const OutputOptions& output);

// The whole of `legwork VERB CREATURE [options]`.
int run_motion_verb(const std::string& name, const Words& words);

}  // namespace legwork::cli
