#pragma once
// A corpus world in motion: builds the simulation that the script describes, builds it anew where the script
// changes what a simulation assumes to be constant, and records frames.

#include <functional>
#include <memory>
#include <utility>

#include "corpus/build.h"
#include "motion/record.h"
#include "scenario/world_words.h"

namespace legwork {

class CorpusStage {
 public:
  // asked: what the user said in words wins over the script; interrupt: asked within long steps.
  CorpusStage(const WorldOptions& asked, std::function<bool()> interrupt)
      : asked_(asked), interrupt_(std::move(interrupt)) {}

  // The script changed something: the next frame starts from a new simulation of the same state.
  void change() { stale_ = true; }
  // Builds what is not up to date. Throws Error for what cannot be simulated.
  void prepare(CorpusWorld& world);
  // Advances by the world's dt and records where a frame is due. False: diverged or stopped.
  bool advance(CorpusWorld& world);
  // A body's hold on the ground, without a new simulation.
  void grip(const CorpusBody& body);

  bool moves() const { return sim_ != nullptr; }
  Simulation<double>& simulation() { return *sim_; }
  const StepOptions& step() const { return step_; }
  // Evaluations of the dynamics so far.
  long calls() const { return calls_ + (sim_ ? sim_->dynamics_calls : 0); }
  // What was reported before the run started: steps that are too long for a spring, a start in the ground.
  const std::string& warning() const { return warning_; }

  // The recorded motion; for a script that never went: one frame.
  Motion finish(CorpusWorld& world);

 private:
  void build(CorpusWorld& world);
  void choose_step(CorpusWorld& world);
  void warn_of_depth();
  void set_touches(const CorpusWorld& world);
  void set_joints(const CorpusWorld& world);
  void keep_contacts(const Simulation<double>& old);
  void drive(const Simulation<double>& sim, Drive<double>& drive) const;
  void answer_collisions(const CorpusWorld& world);
  void hold(const CorpusWorld& world, const std::vector<double>& q);
  void limit_speeds(const CorpusWorld& world);
  void harvest(CorpusWorld& world);
  void record_frame();

  WorldOptions asked_;
  std::function<bool()> interrupt_;
  bool stale_ = true;
  std::unique_ptr<System<double>> system_;
  std::unique_ptr<Simulation<double>> sim_;
  StepOptions step_;
  RigidContacts analysis_;  // bodies that answer each other by impulses
  std::string warning_;
  std::vector<CorpusJointExtra> extras_;
  std::vector<CorpusBody*> bodies_;  // with a joint
  std::vector<Motion> parts_;        // a new one whenever bodies or degrees of freedom change
  double work_ = 0;                  // J: work of earlier simulations
  double rate_ = 60;                 // Hz
  double next_record_ = -unlimited;  // s
  long calls_ = 0;
};

// Several recordings as one, in the layout of the creature; what a recording lacks stands still.
Motion join_motions(std::vector<Motion> parts, const Creature& creature);

}  // namespace legwork
