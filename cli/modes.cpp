#include "cli/modes.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/meter.h"
#include "base/text.h"
#include "cli/legacy.h"
#include "cli/motion_verb.h"
#include "math/real.h"
#include "modes/modes.h"
#include "report/modes_panel.h"

namespace legwork::cli {

namespace {

double degrees(double radians) { return radians * 180 / pi; }

std::string use_text(const ModeUse& use) {
  std::string text = "mode " + std::to_string(use.mode) + ": alpha " + brief(use.amplitude) + ", phase " +
                     brief(degrees(use.phase)) + " deg, " + brief(use.hz) + " Hz";
  if (use.beta != 0) text += ", beta " + brief(use.beta);
  return text + " (" + use.role + ")";
}

class ModesVerb : public MotionVerb {
 public:
  std::string name() const override { return "modes"; }
  std::string purpose() const override {
    return "find the natural vibrations of a body, and make gaits of them";
  }
  std::string examples() const override {
    return "legwork modes dog --report dog.html\n"
           "legwork modes dog --action trot --stiffness 20 --spine 5 --hz 2 --out trot.glb\n"
           "legwork modes human --action walk --terrain slope:5deg --turn 10 --report walk.html\n"
           "legwork modes human --action run --hold head --joint-stiffness 'r_*=x4'\n"
           "legwork modes dog --action trot --balance --seconds 10 --out trot.glb\n"
           "legwork modes loop_creature --dynamic --mode 6=1 --mode 7=1,90 --hz 5.26 --out roll.glb";
  }
  const Options& options() const override { return described_; }

  Motion make(const Task& task, StepOptions& step) override {
    ModesRun run;
    run.rate = task.world.rate;
    if (task.asked.integrator != "auto") run.integrator = task.asked.integrator;
    run.dt = task.world.dt;
    run.threads = task.threads;
    run.seed = task.seed;
    run.pushes = task.world.pushes;
    if (options_.seconds * run.rate > 1e7)
      throw Error("--rate: " + brief(run.rate) + " Hz over " + brief(options_.seconds) +
                  " s is more than 10 million frames; lower one of them");
    Meter progress(task.run, "simulating", long(options_.seconds * 1000));
    long shown = 0;
    run.watch = [&](const Simulation<double>& sim) {
      const long now = long(sim.state.time * 1000);
      if (now - shown >= 100) progress.advance(now - shown), shown = now;
      return !task.run.stopped();
    };
    result_ = make_modes_motion(task.world, options_, run, step);
    stop_if_interrupted(task);
    return std::move(result_.motion);
  }

  Story tell(const Motion& motion, const Task&) const override {
    Story story;
    const Modes& modes = result_.modes;
    tell_modes(motion, story);
    for (const ModeUse& use : result_.uses) story.lines.push_back(use_text(use));
    if (result_.kinematic) tell_planted(story);
    if (by_physics()) tell_travel(story);
    for (const PumpFound& found : result_.found)
      story.lines.push_back("search in " + std::string(space_name(found)) + ", " +
                            std::to_string(found.variables) + " numbers: " + goal_text(found.score) +
                            " after " + std::to_string(found.best_by_count.size()) + " simulations");
    for (const TheoryRow& row : result_.theory)
      story.lines.push_back(
          "mode " + std::to_string(row.mode) + ": predicted " + brief(row.predicted) + " Hz, simulated " +
          brief(row.simulated) + " Hz; 10 % off at " +
          (row.amplitude == unlimited ? "more than " + brief(row.most) : brief(row.amplitude)));
    fill_keys(story, modes);
    fill_panels(motion, story);
    return story;
  }

 private:
  bool by_physics() const {
    return (options_.dynamic || options_.balance || !result_.found.empty()) && !result_.uses.empty();
  }
  void tell_modes(const Motion& motion, Story& story) const {
    const Modes& modes = result_.modes;
    story.lines.push_back(motion.creature.name + " in the pose " + result_.pose + ": " +
                          std::to_string(modes.count()) + " degrees of freedom, " +
                          std::to_string(modes.rigid) + " rigid modes; analysis in " +
                          with_unit(result_.analysis_seconds, "s"));
    if (result_.standing > 0)
      story.lines.push_back("stands from " + brief(result_.standing) + " N m/rad on, by simulation");
    const int last = std::min(modes.count(), modes.rigid + (result_.uses.empty() ? 10 : 4));
    for (int i = modes.rigid; i < last; ++i) {
      const ModeShape& s = result_.shapes[size_t(i)];
      story.lines.push_back("mode " + std::to_string(i) + ": " + brief(modes.frequency[size_t(i)]) + " Hz, " +
                            s.words + (s.rejected.empty() ? "" : "; not for locomotion: " + s.rejected));
    }
  }

  void tell_planted(Story& story) const {
    const PlantedMeasures& p = result_.planted;
    if (!options_.air && result_.act != Act::none)
      story.lines.push_back("walks at " + brief(p.speed) + " m/s; feet slide " + with_unit(p.slide, "m") +
                            " and sink " + with_unit(p.sink, "m") + " at most");
    story.lines.push_back("joints pass their limits by " + brief(degrees(std::max(p.limit_excess, 0.0))) +
                          " deg at most, of " + brief(options_.soft) + " allowed");
  }

  static const char* space_name(const PumpFound& found) {
    return found.space == PumpSpace::modes ? "modal space" : "joint space";
  }
  std::string goal_text(double score) const {
    return options_.tune == PumpGoal::speed ? brief(score) + " m/s" : "cost of transport " + brief(-score);
  }

  void tell_travel(Story& story) const {
    const Travel& t = result_.travel;
    story.lines.push_back("travels at " + brief(t.speed) + " m/s, " + brief(std::fabs(t.forward)) +
                          " m/s of it " + (t.forward >= 0 ? "forward (+x)" : "backward (-x)"));
  }

  void fill_keys(Story& story, const Modes& modes) const {
    Json frequencies = to_json(modes.frequency), damped = Json::array(), selected = Json::array(),
         words = Json::array();
    for (int i = 0; i < modes.count(); ++i) {
      damped.push_back(modes.damped_frequency(i, result_.damping));
      const ModeShape& s = result_.shapes[size_t(i)];
      words.push_back({{"mode", i}, {"words", s.words}, {"rejected", s.rejected}});
    }
    for (const ModeUse& use : result_.uses)
      selected.push_back({{"mode", use.mode},
                          {"role", use.role},
                          {"amplitude", use.amplitude},
                          {"phase", use.phase},
                          {"frequency", use.hz},
                          {"beta", use.beta}});
    story.keys = {
        {"degrees_of_freedom", modes.count()},
        {"rigid", modes.rigid},
        {"constraints", modes.constraints},
        {"pose", result_.pose},
        {"frequencies", frequencies},
        {"damped_frequencies", damped},
        {"modes", words},
        {"selected", selected},
        {"limit_excess", result_.kinematic ? Json(std::max(result_.planted.limit_excess, 0.0)) : Json()},
        {"analysis_seconds", result_.analysis_seconds}};
    if (result_.standing > 0) story.keys["standing_stiffness"] = result_.standing;
    if (result_.kinematic) {
      const PlantedMeasures& p = result_.planted;
      story.keys["speed"] = p.speed;
      story.keys["slide"] = p.slide;
      story.keys["sink"] = p.sink;
      story.keys["velocity_jump"] = p.velocity_jump;
      story.keys["correction"] = p.correction;
    }
    if (by_physics())
      story.keys["travel"] = {{"speed", result_.travel.speed},
                              {"forward", result_.travel.forward},
                              {"velocity", legwork::cli::to_json(result_.travel.velocity)}};
    Json searches = Json::array();
    for (const PumpFound& found : result_.found)
      searches.push_back({{"space", space_name(found)},
                          {"variables", found.variables},
                          {"score", found.score},
                          {"best_by_count", found.best_by_count}});
    if (!result_.found.empty()) story.keys["search"] = searches;
    Json theory = Json::array();
    for (const TheoryRow& row : result_.theory)
      theory.push_back(
          {{"mode", row.mode},
           {"predicted", row.predicted},
           {"simulated", row.simulated},
           {"amplitude_10_percent_off", row.amplitude == unlimited ? Json() : Json(row.amplitude)},
           {"largest_tried", row.most}});
    if (!result_.theory.empty()) story.keys["theory"] = theory;
  }

  void fill_panels(const Motion& motion, Story& story) const {
    const Modes& modes = result_.modes;
    if (const auto live = modes_panel(motion.creature, modes, result_.shapes, result_.uses,
                                      options_.soft * pi / 180, result_.pace.hz))
      story.panels.push_back(*live);
    TablePanel list{{"mode", "Hz", "damped Hz", "what it does", "for locomotion", "used as"}, {}};
    for (int i = modes.rigid; i < std::min(modes.count(), modes.rigid + 40); ++i) {
      const ModeShape& s = result_.shapes[size_t(i)];
      std::string role;
      for (const ModeUse& use : result_.uses)
        if (use.mode == i) role = use.role;
      list.rows.push_back({double(i), modes.frequency[size_t(i)], modes.damped_frequency(i, result_.damping),
                           s.words, s.rejected.empty() ? std::string("yes") : "no: " + s.rejected, role});
    }
    story.panels.push_back(
        {"The modes", "Numbered from 0 with the " + std::to_string(modes.rigid) + " rigid ones.", list});
    if (!result_.uses.empty()) {
      TablePanel used{{"mode", "role", "alpha", "phase [deg]", "Hz", "beta"}, {}};
      for (const ModeUse& use : result_.uses)
        used.rows.push_back(
            {double(use.mode), use.role, use.amplitude, degrees(use.phase), use.hz, use.beta});
      story.panels.push_back({"Equation 4", "The terms of this motion.", used});
    }
    if (!result_.found.empty()) {
      PlotPanel plot{
          "simulations", options_.tune == PumpGoal::speed ? "speed [m/s]" : "- cost of transport", {}, {}};
      for (size_t i = 0; i < result_.found[0].best_by_count.size(); ++i) plot.x.push_back(double(i + 1));
      for (const PumpFound& found : result_.found)
        plot.series.push_back(
            {std::string(space_name(found)) + ", " + std::to_string(found.variables) + " numbers",
             found.best_by_count});
      story.panels.push_back({"The search", "The best so far, after so many simulations.", plot});
    }
    if (!result_.theory.empty()) {
      TablePanel theory{{"mode", "predicted [Hz]", "simulated [Hz]", "amplitude 10 % off"}, {}};
      for (const TheoryRow& row : result_.theory)
        theory.rows.push_back(
            {double(row.mode), row.predicted, row.simulated,
             row.amplitude == unlimited ? TableCell("> " + brief(row.most)) : TableCell(row.amplitude)});
      story.panels.push_back(
          {"Theory and simulation", "Small pushes of each mode, floating without weight.", theory});
    }
    story.measures.push_back({"first_frequency", "first elastic mode",
                              modes.rigid < modes.count() ? modes.frequency[size_t(modes.rigid)] : 0, "Hz",
                              "the lowest natural frequency", true});
    if (!result_.kinematic) return;
    story.measures.push_back({"slide", "slide of planted feet", result_.planted.slide, "m",
                              "largest way of a foot in one stance", true});
    story.measures.push_back({"limit_excess", "past the limits", std::max(result_.planted.limit_excess, 0.0),
                              "rad", "largest way of a joint past its range", false});
  }

  ModesOptions options_;
  Options described_{options_};
  ModalResult result_;
};

}  // namespace

std::unique_ptr<MotionVerb> make_modes() { return std::make_unique<ModesVerb>(); }

int modes(const Words& words) { return run_method("modes", words); }

}  // namespace legwork::cli
