// legwork direct: move a creature by an algorithm on intuitive quantities.

#include "cli/direct.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/meter.h"
#include "base/text.h"
#include "cli/legacy.h"
#include "cli/motion_verb.h"
#include "cli/track.h"
#include "creature/check.h"
#include "direct/director.h"
#include "direct/program.h"
#include "formats/toml/program_toml.h"

namespace legwork::cli {

namespace {

Choices algorithm_choices() {
  Choices choices;
  for (const ShippedProgram& p : shipped_programs()) choices.values.emplace_back(p.name, p.about);
  choices.values.emplace_back("FILE.toml", "your own; docs/direct.md has the format");
  return choices;
}

struct DirectChoice {
  std::string algorithm = "walk", track, ground = "auto", pose = "stand";
  double seconds = 20, tempo = 1, restitution = 0;
  std::vector<std::string> set;
};

template <class Visitor>
void describe(Visitor& v, DirectChoice& o) {
  v.text("algorithm", o.algorithm, algorithm_choices(), "what to do");
  v.file("track", o.track, "a motion to perform by physics instead: FILE.glb, or FILE.bvh by joint names");
  v.number("tempo", o.tempo, {0.01, 100, "1", "of --track: how many times as fast as recorded"});
  v.number("seconds", o.seconds, {0, 86400, "s", "how long; with --track at most"});
  v.texts("set", o.set, {"NAME=VALUE"}, "a constant of the algorithm; may be repeated");
  v.choice("ground", o.ground,
           {{"auto", "as the algorithm says"},
            {"held", "feet held and let go by command"},
            {"unilateral", "rigid contact that pushes only, with friction; impacts"},
            {"penalty", "springs and dampers, as the other verbs"}},
           "what the feet stand on");
  v.number("restitution", o.restitution,
           {0, 1, "1", "share of the speed that an impact gives back; unilateral"});
  v.text("pose", o.pose, {"POSE"}, "named pose to start from");
}

// Mean of a channel's differences over time: speed between two moments.
double mean_speed(const Motion& motion, double from, double to) {
  const Channel* com = motion.channel("center of mass");
  int a = -1, b = -1;
  for (int f = 0; f < motion.frames(); ++f) {
    if (motion.time[size_t(f)] >= from - 1e-9 && a < 0) a = f;
    if (motion.time[size_t(f)] <= to + 1e-9) b = f;
  }
  if (!com || a < 0 || b <= a) return unknown;
  double way = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const double d = com->values[size_t(3 * b + axis)] - com->values[size_t(3 * a + axis)];
    way += d * d;
  }
  return std::sqrt(way) / (motion.time[size_t(b)] - motion.time[size_t(a)]);
}

class Direct : public MotionVerb {
 public:
  std::string name() const override { return "direct"; }
  std::string purpose() const override {
    return "move a body by an algorithm on what you care about, or perform a motion by physics";
  }
  std::string examples() const override {
    return "legwork direct biped --algorithm walk --seconds 20 --report walk.html\n"
           "legwork direct biped --algorithm walk --set stride=0.6 --set time_in_air=0.4\n"
           "legwork direct biped --algorithm stand --push 200,0,0@1+0.2\n"
           "legwork direct biped --algorithm my_dance.toml --out dance.glb\n"
           "legwork direct dog --track trot.glb --report trot.html";
  }
  const Options& options() const override { return described_; }

  Motion make(const Task& task, StepOptions& step) override {
    check_pose(task.world.body, options_.pose);
    if (!options_.track.empty()) return perform(task, step);
    program_ = load_program(options_.algorithm);
    for (const std::string& assignment : options_.set) set_constant(program_, assignment);
    DirectorOptions o;
    const std::string ground = options_.ground == "auto" ? program_.ground : options_.ground;
    o.ground = ground == "held" ? Grade::held : ground == "unilateral" ? Grade::unilateral : Grade::penalty;
    if (program_.dt > 0) o.dt = program_.dt;
    if (task.world.dt > 0) o.dt = task.world.dt;
    o.pose = options_.pose, o.restitution = options_.restitution;
    director_ = std::make_unique<Director>(task.world, o);
    step.dt = director_->options.dt, step.integrator = Integrator::rk4;
    try {
      install(program_, *director_);
    } catch (const Error& e) {
      const std::string& meant = program_.creature;
      if (meant.empty() || meant == task.world.body.name) throw;
      throw Error(std::string(e.what()) + "; '" + program_.name + "' is written for '" + meant + "'");
    }
    director_->pushes = task.world.pushes;
    if (options_.seconds * task.world.rate > 1e7)
      throw Error("--rate: " + brief(task.world.rate) + " Hz over " + brief(options_.seconds) +
                  " s is more than 10 million frames; lower one of them");
    Meter progress(task.run, "directing", long(options_.seconds * 1000));
    long shown = 0;
    director_->watch = [&](const Director& d) {
      const long now = long(d.time() * 1000);
      if (now - shown >= 100) progress.advance(now - shown), shown = now;
      return !task.run.stopped();
    };
    Motion motion = director_->run(options_.seconds, task.world.rate);
    stop_if_interrupted(task);
    if (motion.status == Status::ok && !motion.creature.legs.empty() && has_fallen(motion)) {
      motion.status = Status::fell;
      motion.status_text = "fell";
    }
    return motion;
  }

  Story tell(const Motion& motion, const Task&) const override {
    if (!options_.track.empty()) return tell_track(track_, options_.track);
    const Director& d = *director_;
    const double end = motion.duration();
    Story story;
    double change = -1;
    for (const ProgramConstant& c : program_.constants)
      if (c.name == "speed_up_at") change = c.value;
    Json speeds = Json::array();
    std::string line = motion.creature.name + ": " + program_.name + " for " + brief(end) + " s";
    int steps = 0;
    if (!motion.creature.legs.empty() && motion.frames() > 1)
      for (const LegGait& leg : measure_gait(motion).legs)
        for (const Stance& s : leg.stances) steps += s.starts;
    if (change > 0 && change < end) {
      // the first two seconds are the start from rest; what follows the change settles within another two
      const double before = mean_speed(motion, std::min(1.0, change / 2), change),
                   after = mean_speed(motion, std::min(change + 2, (change + end) / 2), end);
      speeds = {before, after};
      line += ", " + std::to_string(steps) + " steps, " + brief(before) + " m/s before " + brief(change) +
              " s and " + brief(after) + " m/s after";
    } else {
      speeds = {mean_speed(motion, 0, end)};
      if (steps > 0) line += ", " + std::to_string(steps) + " steps";
    }
    story.lines.push_back(line);
    story.lines.push_back("at most " + std::to_string(d.max_equations) +
                          " equations; the largest miss of a hard one " + brief(d.max_residual));
    const bool account = d.options.ground != Grade::penalty;
    if (account)
      story.lines.push_back("work of the joints " + with_unit(d.account.torques, "J") + ", of the ground " +
                            with_unit(d.account.ground, "J") + ", lost in impacts " +
                            with_unit(d.account.impacts, "J") + "; unexplained " +
                            with_unit(d.unexplained(), "J"));
    Json phases = Json::array(), contacts = Json::array();
    for (const Director::PhaseChange& p : d.phases) phases.push_back({{"time", p.time}, {"phase", p.name}});
    for (const Director::ContactChange& c : d.contact_changes)
      contacts.push_back({{"time", c.time}, {"contact", c.what}});
    story.keys = {{"algorithm", program_.name},
                  {"ground", d.options.ground == Grade::held         ? "held"
                             : d.options.ground == Grade::unilateral ? "unilateral"
                                                                     : "penalty"},
                  {"speeds", speeds},
                  {"steps", steps},
                  {"max_equation_residual", d.max_residual},
                  {"max_equations", d.max_equations},
                  {"solves", d.solves},
                  {"phases", phases},
                  {"contact_changes", contacts}};
    if (account)
      story.keys["energy"] = {{"work_of_torques", d.account.torques}, {"work_of_ground", d.account.ground},
                              {"work_of_passive", d.account.passive}, {"work_of_pushes", d.account.outside},
                              {"lost_in_impacts", d.account.impacts}, {"unexplained", d.unexplained()}};
    add_panels(motion, story);
    return story;
  }

 private:
  Motion perform(const Task& task, StepOptions& step) {
    DirectorOptions o;
    if (options_.ground == "held")
      throw Error("--ground: held feet could be given any force; --track takes unilateral or penalty");
    o.ground = options_.ground == "penalty" ? Grade::penalty : Grade::unilateral;
    if (task.world.dt > 0) o.dt = task.world.dt;
    o.restitution = options_.restitution;
    track_ = run_track(options_.track, options_.tempo, options_.seconds, task, o);
    step.dt = track_.tracked.dt, step.integrator = Integrator::rk4;
    return track_.tracked.motion;
  }

  // The cycle of phases (figure 5) and what moved over time (figure 6).
  void add_panels(const Motion& motion, Story& story) const {
    const Director& d = *director_;
    const auto channel = [&](const char* name) {
      const Channel* c = motion.channel(name);
      return c ? c->values : std::vector<double>();
    };
    if (!d.phases.empty()) {
      PlotPanel timeline{"time (s)", "phase", motion.time, {{"phase", channel("phase")}}, false};
      std::string text = "Phases: ";
      for (size_t i = 0; i < d.phase_names.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(i + 1) + " " + d.phase_names[i];
      story.panels.push_back({"Phases", text + ".", timeline});
      TablePanel table{{"phase", "times", "mean duration (s)"}, {}};
      for (const std::string& name : d.phase_names) {
        double sum = 0;
        int count = 0;
        for (size_t i = 0; i + 1 < d.phases.size(); ++i)
          if (d.phases[i].name == name) sum += d.phases[i + 1].time - d.phases[i].time, ++count;
        if (count > 0) table.rows.push_back({name, double(count), sum / count});
      }
      story.panels.push_back({"The cycle", "How often each phase came, and how long it lasted.", table});
    }
    story.panels.push_back(
        {"Speed", "Of the centre of mass along x.",
         PlotPanel{"time (s)", "m/s", motion.time, {{"forward", channel("forward speed")}}, false}});
    story.panels.push_back(
        {"Equations", "Scalar equations that the algorithm had in force.",
         PlotPanel{"time (s)", "equations", motion.time, {{"equations", channel("equations")}}, false}});
  }

  DirectChoice options_;
  Options described_{options_};
  Program program_;
  std::unique_ptr<Director> director_;
  TrackRun track_;
};

}  // namespace

std::unique_ptr<MotionVerb> make_direct() { return std::make_unique<Direct>(); }

int direct(const Words& words) { return run_method("direct", words); }

}  // namespace legwork::cli
