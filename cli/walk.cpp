#include "cli/walk.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/meter.h"
#include "base/text.h"
#include "cli/legacy.h"
#include "cli/motion_verb.h"
#include "math/real.h"
#include "walk/walk.h"

namespace legwork::cli {

namespace {

std::string degrees(double rad) { return brief(rad * 180 / pi) + " deg"; }

// Rows of legs over the last so many seconds, # where the controller steps: as McKenna's figures 12 to 14.
std::vector<std::string> gait_diagram(const Motion& motion, double seconds) {
  const Channel* stepping = motion.channel("stepping");
  if (!stepping || motion.frames() < 2) return {};
  constexpr int columns = 72;
  const double span = std::min(motion.duration(), seconds), from = motion.time.back() - span;
  std::vector<std::string> rows;
  const std::vector<Leg>& legs = motion.creature.legs;
  size_t width = 0;
  for (const Leg& leg : legs) width = std::max(width, leg.name.size());
  for (size_t leg = 0; leg < legs.size(); ++leg) {
    std::string row = legs[leg].name + std::string(width - legs[leg].name.size() + 1, ' ');
    size_t frame = 0;
    for (int k = 0; k < columns; ++k) {
      const double t = from + span * (k + 0.5) / columns;
      while (frame + 1 < motion.time.size() && motion.time[frame + 1] <= t) ++frame;
      row += stepping->values[frame * legs.size() + leg] > 0 ? '#' : '.';
    }
    rows.push_back(row);
  }
  return rows;
}

// Every so many values of a channel, from the first frame on, times a factor.
std::vector<double> column(const Motion& motion, const char* name, size_t width, size_t k, size_t first,
                           double factor) {
  std::vector<double> out;
  const Channel* channel = motion.channel(name);
  for (size_t f = first; channel && f < motion.time.size(); ++f)
    out.push_back(factor * channel->values[f * width + k]);
  return out;
}

// Whether it went where it should, how fast, and which legs bore it.
void add_panels(const Motion& motion, const WalkResult& r, Story& story) {
  if (motion.frames() < 2) return;
  const auto all = [&](const char* name, size_t width, size_t k, double factor) {
    return column(motion, name, width, k, 0, factor);
  };
  story.panels.push_back(
      {"Heading", "Of the body, averaged over a stride, beside the one asked for.",
       PlotPanel{"time (s)",
                 "degrees",
                 motion.time,
                 {{"walked", all("heading", 2, 0, 180 / pi)}, {"asked for", all("heading", 2, 1, 180 / pi)}},
                 false}});
  story.panels.push_back(
      {"Speed", "Along the heading, averaged over two strides.",
       PlotPanel{"time (s)", "m/s", motion.time, {{"speed", all("mean speed", 1, 0, 1)}}, false}});
  // the last two cycles: more would be a thicket
  const std::vector<Leg>& legs = motion.creature.legs;
  const double from = motion.time.back() - 2 * r.pace.cycle();
  const auto first =
      size_t(std::lower_bound(motion.time.begin(), motion.time.end(), from) - motion.time.begin());
  const double weight = motion.creature.mass() * norm(motion.creature.gravity);
  PlotPanel loads{
      "time (s)", "weights of the body", {motion.time.begin() + long(first), motion.time.end()}, {}, false};
  TablePanel table{
      {"leg", "mean load while it stands (weights)", "largest load (weights)", "share of time it steps"}, {}};
  for (size_t k = 0; k < legs.size(); ++k) {
    loads.series.push_back(
        {legs[k].name, column(motion, "leg loads", legs.size(), k, first, 1 / std::max(weight, 1e-300))});
    const std::vector<double> load = all("leg loads", legs.size(), k, 1 / std::max(weight, 1e-300));
    const std::vector<double> steps = all("stepping", legs.size(), k, 1);
    double sum = 0, most = 0, stepping = 0;
    for (size_t f = 0; f < load.size(); ++f)
      sum += load[f] * (1 - steps[f]), most = std::max(most, load[f]), stepping += steps[f];
    const double frames = double(load.size());
    table.rows.push_back({legs[k].name, sum / std::max(frames - stepping, 1.0), most, stepping / frames});
  }
  story.panels.push_back(
      {"Forces on the feet", "Of the ground on each leg, across it, in the last two cycles.", loads});
  story.panels.push_back({"Legs", "What each leg bore.", table});
}

// Without a word about contact: McKenna's ground, as soft as the body's weight asks for.
ContactOptions ground_of(const Task& task) {
  ContactOptions ground = task.world.contact, usual;
  usual.friction = ground.friction;
  if (task.asked.contact.empty() && to_text(ground) == to_text(usual)) ground.type = ContactType::exponential;
  return ground;
}

// Whether the user or the body's file speaks of friction: sticky feet choose theirs where nobody does.
bool friction_given(const Task& task) {
  return task.asked.friction >= 0 || task.asked.contact.find("friction") != std::string::npos ||
         task.world.contact.friction != ContactOptions().friction;
}

class WalkVerb : public MotionVerb {
 public:
  std::string name() const override { return "walk"; }
  std::string purpose() const override {
    return "walk a body by physics, with oscillators, reflexes and motor programs";
  }
  std::string examples() const override {
    return "legwork walk roach --out roach.glb --report roach.html\n"
           "legwork walk roach --open-loop --friction 0.7 --seconds 3\n"
           "legwork walk roach --feet stick --slowness 3 --terrain bumps:0.004,0.03\n"
           "legwork walk quadruped --at 2:turn=0.5 --at 4:turn=0\n"
           "legwork walk roach --lose rm@1 --push 0.02,0,0@2+0.05\n"
           "legwork walk roach --tune speed --evaluations 200 --save fast.toml";
  }
  const Options& options() const override { return described_; }

  WorldOptions effective(const Task& task, const StepOptions& step) const override {
    WorldOptions world = in_words(task.world, step);
    const ContactOptions ground = ground_of(task);
    world.contact = to_text(ground);
    if (friction_given(task)) world.friction = ground.friction;
    return world;
  }

  Motion make(const Task& task, StepOptions& step) override {
    World world = task.world;
    world.contact = ground_of(task);
    WalkRun run;
    run.integrator = task.world.integrator;
    run.dt = task.world.dt;
    run.rate = task.world.rate;
    run.pushes = task.world.pushes;
    run.seed = task.seed;
    run.threads = task.threads;
    run.friction_given = friction_given(task);
    Meter progress(task.run, "walking", long(options_.seconds * 1000));
    long shown = 0;
    run.watch = [&](const Simulation<double>& s) {
      const long now = long(s.state.time * 1000);
      if (now - shown >= 100) progress.advance(now - shown), shown = now;
      return !task.run.stopped();
    };
    run.stop = task.run.stop;
    result_ = legwork::walk(world, options_, run);
    stop_if_interrupted(task);
    // what was found is part of the scenario; it need not be searched for again
    options_.tuned = result_.tuned;
    options_.tune = TuneGoal::none;
    step = result_.step;
    return result_.motion;
  }

  Story tell(const Motion& motion, const Task&) const override {
    const WalkResult& r = result_;
    Story story;
    story.lines.push_back(motion.creature.name + " (" + with_unit(r.mass * 1000, "g") + ", " +
                          with_unit(r.length, "m") + " long) walked " + with_unit(r.distance, "m") + " in " +
                          brief(motion.duration()) + " s: " + with_unit(r.speed, "m/s"));
    if (motion.duration() > 0)
      story.lines.push_back("heading within " + degrees(r.heading_error) +
                            " of what was asked for, wobble +-" + degrees(r.yaw_wobble) + " a cycle");
    if (r.geometry.stride > 0)
      story.lines.push_back("motor programs from its geometry: hips " +
                            with_unit(r.geometry.hip_height, "m") + " high, stride " +
                            with_unit(r.geometry.stride, "m") + ", lift " + with_unit(r.geometry.lift, "m") +
                            ", step " + with_unit(r.pace.step, "s"));
    if (!r.tuned.empty() && r.tuned_to != r.tuned_from)
      story.lines.push_back("tuned from a score of " + brief(r.tuned_from) + " to " + brief(r.tuned_to));
    if (motion.duration() > 0)
      story.lines.push_back(std::to_string(std::lround(double(r.dynamics_calls) / motion.duration())) +
                            " dynamics calls a second of motion (the thesis: 120000)" +
                            (r.breaks > 0 ? "; feet came loose " + std::to_string(r.breaks) + " times" : ""));
    // a gait that changes is shown whole
    const double shown = options_.at.empty() ? 4 * r.pace.cycle() : motion.duration();
    const std::vector<std::string> diagram = gait_diagram(motion, shown);
    if (!diagram.empty())
      story.lines.push_back("  steps (#) of the last " + brief(std::min(motion.duration(), shown)) + " s");
    for (const std::string& row : diagram) story.lines.push_back("  " + row);
    story.keys = {{"dynamics_calls", r.dynamics_calls},
                  {"mass", r.mass},
                  {"length", r.length},
                  {"breaks", r.breaks},
                  {"speed", r.speed},
                  {"distance", r.distance},
                  {"heading_error", r.heading_error},
                  {"yaw_wobble", r.yaw_wobble},
                  {"cycle", r.pace.cycle()},
                  {"step_time", r.pace.step},
                  {"slowness", r.pace.slowness}};
    if (r.geometry.stride > 0)
      story.keys["geometry"] = {{"hip_height", r.geometry.hip_height},
                                {"stride", r.geometry.stride},
                                {"lift", r.geometry.lift},
                                {"margin", r.geometry.margin},
                                {"weakest", r.geometry.weakest}};
    if (!r.tuned.empty()) story.keys["tuned"] = r.tuned;
    if (!r.reflexes.limits.back.empty()) {
      Json limits = Json::object();
      for (size_t i = 0; i < motion.creature.legs.size(); ++i)
        limits[motion.creature.legs[i].name] = {{"back", r.reflexes.limits.back[i]},
                                                {"load", r.reflexes.limits.load[i]}};
      story.keys["reflex_limits"] = limits;
    }
    add_panels(motion, r, story);
    return story;
  }

 private:
  WalkOptions options_;
  Options described_{options_};
  WalkResult result_;
};

}  // namespace

std::unique_ptr<MotionVerb> make_walk() { return std::make_unique<WalkVerb>(); }

int walk(const Words& words) { return run_method("walk", words); }

}  // namespace legwork::cli
