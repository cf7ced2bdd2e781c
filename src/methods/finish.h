#pragma once
// What all methods do before and after their own work.

#include <optional>
#include <string>
#include <utility>

#include <legwork/methods.h>
#include "base/stopwatch.h"
#include "motion/watch.h"
#include "scenario/world_words.h"
#include "search/crew.h"

namespace legwork {

// Before the work: the world is one that can be simulated, and every option lies in its range. Throws Error.
void check_arguments(const std::string& method, const World& world, const Options& options);
// Checks that the frames of a motion this long can be held. Throws Error.
void check_frames(const World& world, double seconds);

// The run as data. world_words: the world as it came out; options: the method's, as they came out.
Scenario scenario_of(const std::string& method, const World& world, const WorldOptions& world_words,
                     const Options& options, const Run& run);
// The same as text, for a motion.
std::string text_of(const Scenario& scenario);

// After the work: the motion says how it was made, the gait is measured, the scenario is there.
void finish(Result& result, const World& world, const Scenario& scenario, const Stopwatch& watch);

// A crew for a room that knows a part of a call only: its members have the whole call in common.
class CallCrew : public Crew {
 public:
  CallCrew(Crew& crew, const World& world, const Scenario& call);
  void begin(const std::string& identity, const Work& work) override {
    crew_.begin(call_ + "\n" + identity, work);
  }
  void share(const std::vector<std::string>& jobs, int unit, const Arrived& arrived) override {
    crew_.share(jobs, unit, arrived);
  }

 private:
  Crew& crew_;
  const std::string call_;
};

// One call of a method: what it was given, checked, and the time since. The method may change the options:
// what it chose is then part of the scenario. Throws Error.
template <class O>
class Call {
 public:
  Call(std::string method, const World& world, const O& asked, const Run& run)
      : method_(std::move(method)), world_(world), run_(run) {
    options = asked;  // after they were described with their defaults
    check_arguments(method_, world, described);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  O options;
  const Options described{options};
  const Stopwatch watch;

  // world_words: the world as it came out.
  Scenario scenario(const WorldOptions& world_words) const {
    return scenario_of(method_, world_, world_words, described, run_);
  }
  // The run for a room that shares its work.
  Run shared_run(const WorldOptions& world_words) {
    Run shared = run_;
    if (run_.crew) shared.crew = &crew_.emplace(*run_.crew, world_, scenario(world_words));
    return shared;
  }
  void finish(Result& result, const Scenario& scenario) const {
    legwork::finish(result, world_, scenario, watch);
  }
  void finish(Result& result, const WorldOptions& world_words) const {
    finish(result, scenario(world_words));
  }

 private:
  std::string method_;
  const World& world_;
  const Run& run_;
  std::optional<CallCrew> crew_;
};

}  // namespace legwork
