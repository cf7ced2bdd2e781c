#pragma once
// Verbs that are not methods of the library yet, seen as such.

#include <legwork/methods.h>
#include "base/meter.h"
#include "cli/output.h"
#include "scenario/scenario.h"
#include "scenario/world_words.h"

namespace legwork::cli {

struct Task {
  World world;
  WorldOptions asked;
  std::uint64_t seed = 1;
  int threads = 0;
  Run run;
};
struct Showing {
  const Motion* motion = nullptr;
  std::string title, text;
  std::vector<Measure> measures;
  std::vector<Panel> panels;
};
struct Story {
  std::string title, about;
  std::vector<std::string> lines;
  Json keys = Json::object();
  std::vector<Measure> measures;
  std::vector<Panel> panels;
  std::vector<Showing> more;
};
class MotionVerb {
 public:
  virtual ~MotionVerb() = default;
  virtual std::string name() const = 0;
  virtual std::string purpose() const = 0;
  virtual std::string examples() const = 0;
  virtual std::pair<std::string, std::string> subject() const {
    return {"CREATURE", "a shipped name or a file: .toml, MJCF .xml, .urdf, .corpus"};
  }
  virtual const Options& options() const = 0;
  virtual Motion make(const Task& task, StepOptions& step) = 0;
  virtual void begin(const std::string&) {}
  virtual std::string source() const { return {}; }
  virtual void set_source(const std::string&) {}
  virtual WorldOptions effective(const Task& task, const StepOptions& step) const {
    return in_words(task.world, step);
  }
  virtual Story tell(const Motion& motion, const Task& task) const = 0;
};

inline void stop_if_interrupted(const Task& task) { stop_if_asked(task.run); }

// The method of that name, of the library or of the verbs above.
std::unique_ptr<Method> method_of(const std::string& name);
std::string saved_text(const Scenario& scenario);

}  // namespace legwork::cli
