#include "cli/track.h"

#include <algorithm>
#include <cmath>

#include "base/meter.h"
#include "base/text.h"
#include "cli/legacy.h"
#include "cli/motion_file.h"
#include "formats/bvh/bvh_motion.h"
#include "math/real.h"

namespace legwork::cli {

namespace {

bool ends_in(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Mapped read_source(const std::string& file, const Creature& creature) {
  if (ends_in(file, ".bvh")) return map_bvh(read_bvh(file), creature, file);
  return map_motion(read_motion(file), creature);
}

double peak(const std::vector<double>& values, int width, int column) {
  double most = 0;
  for (size_t i = size_t(column); i < values.size(); i += size_t(width))
    most = std::max(most, std::abs(values[i]));
  return most;
}

std::string listed(std::vector<std::string> names) {
  const size_t count = names.size();
  if (count > 6) names.resize(6), names.push_back("... (" + std::to_string(count) + " in all)");
  return join(names, ", ");
}

// What the joints need and gave, over the body's weight.
struct JointPeaks {
  std::string name;
  double needed, given;
};
std::vector<JointPeaks> joint_peaks(const Tracked& t) {
  std::vector<JointPeaks> out;
  const auto dofs = t.motion.creature.dofs();
  const int nv = int(dofs.size());
  for (int j = 0; j < nv; ++j) {
    double needed = 0;
    for (const Demand& d : t.demands) needed = std::max(needed, std::abs(d.tau[size_t(j)]));
    const double given = peak(t.motion.tau, nv, j);
    if (needed > 0 || given > 0) out.push_back({dofs[size_t(j)]->name, needed, given});
  }
  std::sort(out.begin(), out.end(),
            [](const JointPeaks& a, const JointPeaks& b) { return a.needed > b.needed; });
  return out;
}

// Upright force under a support over the weight, frame by frame of the performance.
std::vector<double> performed_force(const Motion& motion, const FootSupport& support, double weight) {
  const size_t sites = motion.creature.contacts.size();
  std::vector<double> force(motion.time.size(), 0.0);
  for (size_t f = 0; f < force.size() && !motion.contact_force.empty(); ++f)
    for (const int s : support.sites)
      force[f] += motion.contact_force[(f * sites + size_t(s)) * 3 + 2] / weight;
  return force;
}

std::vector<double> demand_times(const Tracked& t) {
  std::vector<double> times;
  for (const Demand& d : t.demands) times.push_back(d.time);
  return times;
}

void add_force_panels(const TrackRun& run, Story& story) {
  const Tracked& t = run.tracked;
  PlotPanel needed{"time (s)", "upright force / weight", demand_times(t), {}, false};
  PlotPanel given{"time (s)", "upright force / weight", t.motion.time, {}, false};
  for (size_t i = 0; i < run.followed->supports.size(); ++i) {
    const FootSupport& support = run.followed->supports[i];
    std::vector<double> force;
    for (const Demand& d : t.demands) force.push_back(d.force[i].z / t.weight);
    needed.series.emplace_back(support.name, force);
    given.series.emplace_back(support.name, performed_force(t.motion, support, t.weight));
  }
  story.panels.push_back({"Ground forces that the motion takes",
                          "Shared among the feet that stand, as far as the ground can give them.", needed});
  story.panels.push_back({"Ground forces of the performance", "By physics.", given});
}

void add_shortfall_panels(const TrackRun& run, Story& story) {
  const Tracked& t = run.tracked;
  std::vector<double> force, moment;
  for (const Demand& d : t.demands)
    force.push_back(norm(d.missing) / t.weight),
        moment.push_back(norm(d.missing_moment) / (t.weight * t.height));
  story.panels.push_back(
      {"What the ground cannot give",
       "Of the wrench that the motion takes: force over weight, moment over weight times the "
       "height of the hips.",
       PlotPanel{"time (s)", "1", demand_times(t), {{"force", force}, {"moment", moment}}, false}});
  TablePanel table{{"from (s)", "to (s)", "missing", "at worst"}, {}};
  for (const Shortfall& s : t.shortfalls)
    table.rows.push_back({s.from, s.to, to_string(s.reason), to_string(s, *run.followed, t.weight)});
  if (!table.rows.empty())
    story.panels.push_back(
        {"Where and why the ground falls short", "Of the source, in order of time.", table});
}

void add_torque_panels(const Tracked& t, const std::vector<JointPeaks>& peaks, Story& story) {
  TablePanel torques{{"joint", "needed (N m)", "over weight (m)", "performed (N m)", "over weight (m)"}, {}};
  for (const JointPeaks& p : peaks)
    torques.rows.push_back({p.name, p.needed, p.needed / t.weight, p.given, p.given / t.weight});
  story.panels.push_back({"Joint torques at their peaks", "Over body weight: N m for each N.", torques});
  PlotPanel over{"time (s)", "torque / weight (m)", demand_times(t), {}, false};
  for (size_t i = 0; i < std::min<size_t>(6, peaks.size()); ++i) {
    const int j = t.motion.creature.dof(peaks[i].name);
    std::vector<double> values;
    for (const Demand& d : t.demands) values.push_back(d.tau[size_t(j)] / t.weight);
    over.series.emplace_back(peaks[i].name, values);
  }
  story.panels.push_back({"Joint torques that the motion takes", "The six largest, over body weight.", over});
}

void add_deviation_panels(const Tracked& t, Story& story) {
  std::vector<double> when, center, trunk, joints, missing;
  for (const Deviation& d : t.deviations)
    when.push_back(d.time), center.push_back(d.center), trunk.push_back(d.trunk), joints.push_back(d.joints),
        missing.push_back(norm(d.missing) / t.weight);
  story.panels.push_back({"How far the performance went off",
                          "Centre of mass (m), turn of the trunk (rad), joints (rad, root mean square).",
                          PlotPanel{"time (s)",
                                    "m, rad",
                                    when,
                                    {{"centre of mass", center}, {"trunk", trunk}, {"joints", joints}},
                                    false}});
  story.panels.push_back({"What was asked of the ground and not to be had", "While performing, over weight.",
                          PlotPanel{"time (s)", "force / weight", when, {{"missing", missing}}, false}});
}

void add_panels(const TrackRun& run, const std::vector<JointPeaks>& peaks, Story& story) {
  if (!run.followed->supports.empty()) {
    add_force_panels(run, story);
    add_shortfall_panels(run, story);
  }
  add_torque_panels(run.tracked, peaks, story);
  add_deviation_panels(run.tracked, story);
  story.more.push_back(
      {&run.source.motion, "the source", "What was to be followed: kinematics alone.", {}, {}});
}

// The largest deviations: of the centre of mass, m, of the trunk and of the joints, rad.
struct Farthest {
  double center = 0, trunk = 0, joints = 0;
};
Farthest farthest(const Tracked& t) {
  Farthest most;
  for (const Deviation& d : t.deviations)
    most.center = std::max(most.center, d.center), most.trunk = std::max(most.trunk, d.trunk),
    most.joints = std::max(most.joints, d.joints);
  return most;
}

// Share of the source's time in which the ground falls short.
double short_share(const TrackRun& run) {
  double time = 0;
  for (const Shortfall& s : run.tracked.shortfalls) time += s.to - s.from;
  return run.followed->seconds() > 0 ? time / run.followed->seconds() : 0;
}

bool ended(const Motion& motion) { return motion.status == Status::ok || motion.status == Status::stopped; }

void add_lines(const TrackRun& run, const std::string& file, const std::vector<JointPeaks>& peaks,
               Story& story) {
  const Tracked& t = run.tracked;
  const TrackSource& source = *run.followed;
  const Motion& motion = t.motion;
  story.lines.push_back(
      motion.creature.name + " performs " + file + ": " + std::to_string(run.source.joints) +
      " joints found by name" +
      (run.source.missing.empty() ? "" : "; not in the motion: " + listed(run.source.missing)) +
      (run.source.left_over.empty() ? "" : "; not in the body: " + listed(run.source.left_over)));
  if (run.lead > 0)
    story.lines.push_back("it begins at rest, so that " + with_unit(run.lead, "s") +
                          " of standing come first, to shift its weight; times below include them");
  if (t.shortfalls.empty()) {
    story.lines.push_back("the ground could give all that the motion takes");
  } else {
    story.lines.push_back("the ground could not give what the motion takes during " +
                          brief(100 * short_share(run)) + " % of its time; the worst:");
    std::vector<const Shortfall*> worst;
    for (const Shortfall& s : t.shortfalls) worst.push_back(&s);
    const auto severity = [&](const Shortfall* s) { return s->force + s->moment / t.height; };
    std::stable_sort(worst.begin(), worst.end(),
                     [&](const Shortfall* a, const Shortfall* b) { return severity(a) > severity(b); });
    for (size_t i = 0; i < std::min<size_t>(3, worst.size()); ++i)
      story.lines.push_back("  " + to_string(*worst[i], source, t.weight));
  }
  if (!peaks.empty())
    story.lines.push_back("it takes at most " + with_unit(peaks[0].needed, "N m") + " (" + peaks[0].name +
                          "), " + brief(peaks[0].needed / t.weight) + " m of body weight");
  const auto [center, trunk, joints] = farthest(t);
  story.lines.push_back(
      "performed by physics for " + brief(motion.duration()) + " s of " + brief(source.seconds()) + " s" +
      (motion.creature.legs.empty() ? "" : ", " + std::to_string(t.strides) + " strides") +
      ": centre of mass within " + with_unit(center, "m") + ", trunk within " + brief(trunk * 180 / pi) +
      " deg, joints within " + brief(joints * 180 / pi) + " deg rms");

  if (!ended(motion) && !t.deviations.empty())
    story.lines.push_back("lost: " + to_string(t.collapse, source, t.weight));
}

void add_keys(const TrackRun& run, const std::string& file, const std::vector<JointPeaks>& peaks,
              Story& story) {
  const Tracked& t = run.tracked;
  const TrackSource& source = *run.followed;
  const Motion& motion = t.motion;
  const auto [center, trunk, joints] = farthest(t);
  Json shortfalls = Json::array(), torques = Json::object(), feet = Json::object();
  for (const Shortfall& s : t.shortfalls) {
    Json under = Json::array();
    for (const int i : s.down) under.push_back(source.supports[size_t(i)].name);
    shortfalls.push_back({{"from", s.from},
                          {"to", s.to},
                          {"worst_time", s.worst_time},
                          {"reason", to_string(s.reason)},
                          {"amount", s.amount},
                          {"missing_force", s.force},
                          {"missing_moment", s.moment},
                          {"feet", under},
                          {"text", to_string(s, source, t.weight)}});
  }
  for (const JointPeaks& p : peaks)
    torques[p.name] = {{"needed", p.needed},
                       {"needed_over_weight", p.needed / t.weight},
                       {"performed", p.given},
                       {"performed_over_weight", p.given / t.weight}};
  for (size_t i = 0; i < source.supports.size(); ++i) {
    double needed = 0;
    for (const Demand& d : t.demands) needed = std::max(needed, d.force[i].z / t.weight);
    feet[source.supports[i].name] = {
        {"needed_over_weight", needed},
        {"performed_over_weight", peak(performed_force(motion, source.supports[i], t.weight), 1, 0)}};
  }
  story.keys = {{"track", file},
                {"ground", run.ground},
                {"impulses", run.tracked.impulses},
                {"joints_found", run.source.joints},
                {"joints_missing", run.source.missing},
                {"joints_left_over", run.source.left_over},
                {"source_seconds", source.seconds() - run.lead},
                {"lead", run.lead},
                {"body_weight", t.weight},
                {"ground_could_give_it", t.shortfalls.empty()},
                {"short_share", short_share(run)},
                {"shortfalls", shortfalls},
                {"torques", torques},
                {"feet", feet},
                {"strides", t.strides},
                {"deviation", {{"center_of_mass", center}, {"trunk", trunk}, {"joints_rms", joints}}}};
  if (!ended(motion)) {
    Json under = Json::array();
    for (const int i : t.collapse.down) under.push_back(source.supports[size_t(i)].name);
    story.keys["lost"] = {{"from", t.collapse.from},
                          {"worst_time", t.collapse.worst_time},
                          {"missing_force", {t.collapse.force.x, t.collapse.force.y, t.collapse.force.z}},
                          {"feet", under}};
  }
}

}  // namespace

TrackRun run_track(const std::string& file, double tempo, double seconds, const Task& task,
                   DirectorOptions direct) {
  check_direct(task.world.body);
  TrackRun run;
  run.ground = direct.ground == Grade::penalty ? "penalty" : "unilateral";
  run.source = read_source(file, task.world.body);
  if (run.source.motion.frames() < 3)
    throw Error("--track: '" + file + "' has " + std::to_string(run.source.motion.frames()) +
                " frames; accelerations need three");
  run.lead = add_lead(run.source.motion) / tempo;
  run.followed = std::make_shared<TrackSource>(run.source.motion, tempo);
  run.source.motion = run.followed->motion();
  Meter progress(task.run, "performing", long(std::min(seconds + run.lead, run.followed->seconds()) * 1000));
  long shown = 0;
  run.tracked =
      track(task.world, *run.followed, direct, std::min(seconds + run.lead, run.followed->seconds()),
            task.world.rate, task.world.pushes, [&](const Director& d) {
              const long now = long(d.time() * 1000);
              if (now - shown >= 100) progress.advance(now - shown), shown = now;
              return !task.run.stopped();
            });
  stop_if_interrupted(task);
  return run;
}

Story tell_track(const TrackRun& run, const std::string& file) {
  const std::vector<JointPeaks> peaks = joint_peaks(run.tracked);
  Story story;
  add_lines(run, file, peaks, story);
  add_keys(run, file, peaks, story);
  add_panels(run, peaks, story);
  return story;
}

}  // namespace legwork::cli
