#pragma once
// Runs the lines of a corpus script. Commands (command.h) act on this.

#include "base/meter.h"
#include "corpus/command.h"
#include "corpus/corpus.h"
#include "corpus/stage.h"

namespace legwork {

class CorpusInterpreter {
 public:
  // meter counts frames; it must outlive this.
  CorpusInterpreter(const CorpusOptions& options, Meter& meter)
      : options(options), stage(options.world, [&meter] { return meter.stopped(); }), meter_(meter) {}

  // Runs lines in order, until the end or until the simulation has failed.
  void run(const std::vector<CorpusLine>& lines);
  // So many frames: timers, gaits, motion. Throws Stopped.
  void go(long frames);
  // Timers whose time has come.
  void fire_timers();

  [[noreturn]] static void fail(const CorpusLine& line, const std::string& problem,
                                const std::string& advice = {});
  void print(std::string text) { printed.push_back(std::move(text)); }

  // What the script is working on. Each fails with what is missing.
  CorpusWorld& world();  // a script without addworld has one world without a name
  CorpusFigure& figure(const CorpusLine& line);
  CorpusRoach& roach(const CorpusLine& line);
  CorpusLeg& leg(const CorpusLine& line, int word = 0);
  CorpusObject& object(const CorpusLine& line, const std::string& name);
  // A body of the present figure; else of the only one that has such a body; "figure.body" names one for
  // certain.
  CorpusBody& body(const CorpusLine& line, const std::string& name);
  CorpusBody& jointed_body(const CorpusLine& line, const std::string& name);
  CorpusFigure& figure_of(const CorpusBody& body);
  // The commands of a step or stance that lasts `seconds`.
  void run_program(const CorpusRoach& roach, const std::vector<CorpusLine>& lines, double seconds);
  // A time that may be relative to the step or stance being set.
  double duration(const CorpusLine& line, const std::string& word) const;

  const CorpusOptions options;
  CorpusStage stage;
  std::vector<std::unique_ptr<CorpusWorld>> worlds;
  CorpusWorld* present_world = nullptr;
  CorpusFigure* present_figure = nullptr;
  CorpusRoach* present_roach = nullptr;
  std::map<std::string, CorpusObject*> objects;
  std::vector<std::unique_ptr<CorpusObject>> all_objects;  // also closed ones, which bodies may still use
  bool before_earlier = false;  // premult: a transform acts before the earlier ones
  Vec3d center;                 // turns and scales are about this point
  double scale = 0;             // s: duration of the step or stance whose commands run; 0: none
  bool going = false;           // inside go
  bool over = false;            // the simulation has failed
  std::vector<std::string> printed;

 private:
  void update_gait(CorpusRoach& roach);

  Meter& meter_;
  CorpusWorld* moved_world_ = nullptr;  // the one whose motion is recorded
};

// Sides and ranks of a gait's legs by their numbers, and its pacemakers at the beginning.
void place_legs(CorpusRoach& roach);

}  // namespace legwork
