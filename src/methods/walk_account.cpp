#include "methods/walk_account.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "math/real.h"

namespace legwork {

namespace {

std::string degrees(double rad) { return brief(rad * 180 / pi) + " deg"; }

// Rows of legs over the last seconds, # where the controller steps: as McKenna's figures 12 to 14.
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

std::vector<Statement> statements(const WalkOutcome& r, bool varied) {
  const Motion& motion = r.motion;
  const bool moved = motion.duration() > 0;
  std::vector<Statement> list;
  list.push_back({motion.creature.name + " (" + with_unit(r.mass * 1000, "g") + ", " +
                  with_unit(r.length, "m") + " long) walked " + with_unit(r.distance, "m") + " in " +
                  brief(motion.duration()) + " s: " + with_unit(r.speed, "m/s")});
  const bool balance = r.moved_by == MovedBy::balance;
  list.push_back(
      {balance
           ? "it is moved by balance: footholds, a preview of the centre of mass, torques by inverse dynamics"
           : "it is moved by motor programs on springs (McKenna)"});
  if (r.crouch > 0.005 * r.geometry.hip_height)
    list.push_back(
        {"it crouches by " + with_unit(r.crouch, "m") + ": stretched legs would leave no room for steps"});
  if (moved)
    list.push_back({"its heading stays within " + degrees(r.heading_error) +
                    " of what was asked for and wobbles by +-" + degrees(r.yaw_wobble) + " in a cycle"});
  if (r.geometry.stride > 0)
    list.push_back({std::string(balance ? "its footholds follow" : "its motor programs follow") +
                    " from its geometry: " + (balance ? "the centre of mass is " : "the hips are ") +
                    with_unit(r.geometry.hip_height, "m") + " high, a stride is " +
                    with_unit(r.geometry.stride, "m") + " long, a foot lifts by " +
                    with_unit(r.geometry.lift, "m") + " and a step takes " + with_unit(r.pace.step, "s")});
  if (!r.tuned.empty() && r.tuned_to != r.tuned_from)
    list.push_back({"tuning raised its score from " + brief(r.tuned_from) + " to " + brief(r.tuned_to)});
  if (moved)
    list.push_back({"a second of motion took " +
                    std::to_string(std::lround(double(r.dynamics_calls) / motion.duration())) +
                    " dynamics calls (the thesis: 120000)"});
  if (r.breaks > 0) list.push_back({"its feet came loose " + std::to_string(r.breaks) + " times"});
  const double shown = std::min(motion.duration(), varied ? motion.duration() : 4 * r.pace.cycle());
  if (std::vector<std::string> diagram = gait_diagram(motion, shown); !diagram.empty())
    list.push_back({"steps (#) of the last " + brief(shown) + " s", std::move(diagram), true});
  return list;
}

Value values(const WalkOutcome& r) {
  Value all = {{"dynamics_calls", r.dynamics_calls},
               {"mass", r.mass},
               {"length", r.length},
               {"breaks", r.breaks},
               {"moved_by", r.moved_by == MovedBy::balance ? "balance" : "programs"},
               {"speed", r.speed},
               {"asked_speed", r.asked_speed},
               {"crouch", r.crouch},
               {"distance", r.distance},
               {"heading_error", r.heading_error},
               {"yaw_wobble", r.yaw_wobble},
               {"cycle", r.pace.cycle()},
               {"step_time", r.pace.step},
               {"slowness", r.pace.slowness}};
  if (r.geometry.stride > 0)
    all["geometry"] = Value{{"hip_height", r.geometry.hip_height},
                            {"stride", r.geometry.stride},
                            {"lift", r.geometry.lift},
                            {"margin", r.geometry.margin},
                            {"weakest", r.geometry.weakest}};
  if (!r.tuned.empty()) all["tuned"] = r.tuned;
  const ReflexLimits& limits = r.reflexes.limits;
  for (size_t i = 0; i < limits.back.size(); ++i)
    all["reflex_limits"][r.motion.creature.legs[i].name] =
        Value{{"back", limits.back[i]}, {"load", limits.load[i]}};
  return all;
}

// One column of a channel from a frame on, times a factor.
std::vector<double> column(const Motion& motion, const char* name, size_t width, size_t k, size_t first,
                           double factor) {
  std::vector<double> out;
  const Channel* channel = motion.channel(name);
  for (size_t f = first; channel && f < motion.time.size(); ++f)
    out.push_back(factor * channel->values[f * width + k]);
  return out;
}

Panel heading_panel(const Motion& motion) {
  const auto heading = [&](size_t k) { return column(motion, "heading", 2, k, 0, 180 / pi); };
  return {
      "Heading", "Heading of the body, averaged over a stride, beside the one asked for.",
      PlotPanel{
          "time (s)", "degrees", motion.time, {{"walked", heading(0)}, {"asked for", heading(1)}}, false}};
}

Panel speed_panel(const Motion& motion) {
  return {"Speed", "Along the heading, averaged over two strides.",
          PlotPanel{
              "time (s)", "m/s", motion.time, {{"speed", column(motion, "mean speed", 1, 0, 0, 1)}}, false}};
}

// The loads of one leg from a frame on, in weights of the body.
std::vector<double> leg_loads(const Motion& motion, size_t leg, size_t first) {
  const double weight = motion.creature.mass() * norm(motion.creature.gravity);
  return column(motion, "leg loads", motion.creature.legs.size(), leg, first, 1 / std::max(weight, 1e-300));
}

// The last two cycles: more would be a thicket.
Panel forces_panel(const Motion& motion, double cycle) {
  const double from = motion.time.back() - 2 * cycle;
  const auto first =
      size_t(std::lower_bound(motion.time.begin(), motion.time.end(), from) - motion.time.begin());
  PlotPanel loads{
      "time (s)", "weights of the body", {motion.time.begin() + long(first), motion.time.end()}, {}, false};
  const std::vector<Leg>& legs = motion.creature.legs;
  for (size_t k = 0; k < legs.size(); ++k)
    loads.series.push_back({legs[k].name, leg_loads(motion, k, first)});
  return {"Forces on the feet",
          "Force of the ground on each leg, normal to the ground, in the last two cycles.", loads};
}

Panel legs_panel(const Motion& motion) {
  const std::vector<Leg>& legs = motion.creature.legs;
  TablePanel table{
      {"leg", "mean load while it stands (weights)", "largest load (weights)", "share of time it steps"}, {}};
  for (size_t k = 0; k < legs.size(); ++k) {
    const std::vector<double> load = leg_loads(motion, k, 0);
    const std::vector<double> steps = column(motion, "stepping", legs.size(), k, 0, 1);
    double sum = 0, most = 0, stepping = 0;
    for (size_t f = 0; f < load.size(); ++f)
      sum += load[f] * (1 - steps[f]), most = std::max(most, load[f]), stepping += steps[f];
    const double frames = double(load.size());
    table.rows.push_back({legs[k].name, sum / std::max(frames - stepping, 1.0), most, stepping / frames});
  }
  return {"Legs", "What each leg bore.", table};
}

}  // namespace

Account walk_account(const WalkOutcome& outcome, bool varied) {
  const Motion& motion = outcome.motion;
  Account account;
  account.statements = statements(outcome, varied);
  account.values = values(outcome);
  // whether it went where it should, how fast, and which legs bore it
  if (motion.frames() >= 2)
    account.panels = {heading_panel(motion), speed_panel(motion), forces_panel(motion, outcome.pace.cycle()),
                      legs_panel(motion)};
  return account;
}

}  // namespace legwork
