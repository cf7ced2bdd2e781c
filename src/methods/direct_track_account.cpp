// What there is to say and show about a motion performed by physics: what it requires, and how it went.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "math/real.h"
#include "methods/direct_account.h"

namespace legwork {

namespace {

std::string listed(std::vector<std::string> names) {
  const size_t count = names.size();
  if (count > 6) names.resize(6), names.push_back("... (" + std::to_string(count) + " in all)");
  return join(names, ", ");
}

double peak(const std::vector<double>& values, int width, int column) {
  double most = 0;
  for (size_t i = size_t(column); i < values.size(); i += size_t(width))
    most = std::max(most, std::abs(values[i]));
  return most;
}

// The largest torques that a joint needs and gave, N m.
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

// The largest deviations of the centre of mass, m, and of the trunk and the joints, rad.
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
double short_share(const Performance& p) {
  double time = 0;
  for (const Shortfall& s : p.tracked.shortfalls) time += s.to - s.from;
  return p.followed.seconds() > 0 ? time / p.followed.seconds() : 0;
}

// Whether the body lost the motion; equations that contradict each other end it otherwise.
bool is_lost(const Motion& motion) { return motion.status != Status::ok && motion.status != Status::stopped; }

std::vector<std::string> names_of(const std::vector<int>& supports, const TrackSource& source) {
  std::vector<std::string> names;
  for (const int i : supports) names.push_back(source.supports[size_t(i)].name);
  return names;
}

// --- statements

Statement tell_source(const Performance& p) {
  const Mapped& source = p.source;
  return {p.tracked.motion.creature.name + " performs " + p.file + ": " + std::to_string(source.joints) +
          " joints were found by name" +
          (source.missing.empty() ? "" : "; the motion lacks " + listed(source.missing)) +
          (source.left_over.empty() ? "" : "; the body lacks " + listed(source.left_over))};
}

// The three worst shortfalls below.
Statement tell_shortfalls(const Performance& p) {
  const Tracked& t = p.tracked;
  if (t.shortfalls.empty()) return {"the ground can supply all the forces that the motion needs"};
  Statement statement{"the motion needs forces that the ground cannot supply during " +
                      brief(100 * short_share(p)) + " % of its time"};
  std::vector<const Shortfall*> worst;
  for (const Shortfall& s : t.shortfalls) worst.push_back(&s);
  const auto severity = [&](const Shortfall* s) { return s->force + s->moment / t.height; };
  std::stable_sort(worst.begin(), worst.end(),
                   [&](const Shortfall* a, const Shortfall* b) { return severity(a) > severity(b); });
  for (size_t i = 0; i < std::min<size_t>(3, worst.size()); ++i)
    statement.lines.push_back(to_string(*worst[i], p.followed, t.weight));
  return statement;
}

Statement tell_deviation(const Performance& p) {
  const Motion& motion = p.tracked.motion;
  const auto [center, trunk, joints] = farthest(p.tracked);
  return {"it performed by physics for " + brief(motion.duration()) + " s of " + brief(p.followed.seconds()) +
          " s" + (motion.creature.legs.empty() ? "" : ", " + std::to_string(p.tracked.strides) + " strides") +
          ": its centre of mass stayed within " + with_unit(center, "m") + ", its trunk within " +
          brief(trunk * 180 / pi) + " deg and its joints within " + brief(joints * 180 / pi) +
          " deg rms of the motion"};
}

void add_statements(const Performance& p, const std::vector<JointPeaks>& peaks, Account& account) {
  const Tracked& t = p.tracked;
  std::vector<Statement>& all = account.statements;
  all.push_back(tell_source(p));
  if (p.lead > 0)
    all.push_back({"it begins at rest, so that " + with_unit(p.lead, "s") +
                   " of standing come first, to shift its weight; times below include them"});
  all.push_back(tell_shortfalls(p));
  if (!peaks.empty())
    all.push_back({"its largest torque is " + with_unit(peaks[0].needed, "N m") + " (" + peaks[0].name +
                   "), " + brief(peaks[0].needed / t.weight) + " m of body weight"});
  all.push_back(tell_deviation(p));
  if (is_lost(t.motion) && !t.deviations.empty())
    all.push_back({"it was lost: " + to_string(t.collapse, p.followed, t.weight)});
}

// --- values

Value value_of(const Shortfall& s, const Performance& p) {
  return Value{{"from", s.from},
               {"to", s.to},
               {"worst_time", s.worst_time},
               {"reason", to_string(s.reason)},
               {"amount", s.amount},
               {"missing_force", s.force},
               {"missing_moment", s.moment},
               {"feet", names_of(s.down, p.followed)},
               {"text", to_string(s, p.followed, p.tracked.weight)}};
}

Value torque_values(const std::vector<JointPeaks>& peaks, double weight) {
  Value torques = Value::object();
  for (const JointPeaks& p : peaks)
    torques[p.name] = Value{{"needed", p.needed},
                            {"needed_over_weight", p.needed / weight},
                            {"performed", p.given},
                            {"performed_over_weight", p.given / weight}};
  return torques;
}

Value foot_values(const Performance& p) {
  const Tracked& t = p.tracked;
  Value feet = Value::object();
  for (size_t i = 0; i < p.followed.supports.size(); ++i) {
    const FootSupport& support = p.followed.supports[i];
    double needed = 0;
    for (const Demand& d : t.demands) needed = std::max(needed, d.force[i].z / t.weight);
    feet[support.name] =
        Value{{"needed_over_weight", needed},
              {"performed_over_weight", peak(performed_force(t.motion, support, t.weight), 1, 0)}};
  }
  return feet;
}

void add_values(const Performance& p, const std::vector<JointPeaks>& peaks, Account& account) {
  const Tracked& t = p.tracked;
  const auto [center, trunk, joints] = farthest(t);
  Value shortfalls = Value::list();
  for (const Shortfall& s : t.shortfalls) shortfalls.push_back(value_of(s, p));
  account.values = {
      {"track", p.file},
      {"ground", to_string(p.ground)},
      {"moved_by", t.balanced ? "balance" : "equations"},
      {"impulses", t.impulses},
      {"joints_found", p.source.joints},
      {"joints_missing", p.source.missing},
      {"joints_left_over", p.source.left_over},
      {"source_seconds", p.followed.seconds() - p.lead},
      {"lead", p.lead},
      {"body_weight", t.weight},
      {"ground_could_give_it", t.shortfalls.empty()},
      {"short_share", short_share(p)},
      {"shortfalls", shortfalls},
      {"torques", torque_values(peaks, t.weight)},
      {"feet", foot_values(p)},
      {"strides", t.strides},
      {"deviation", Value{{"center_of_mass", center}, {"trunk", trunk}, {"joints_rms", joints}}}};
  if (is_lost(t.motion))
    account.values["lost"] = Value{{"from", t.collapse.from},
                                   {"worst_time", t.collapse.worst_time},
                                   {"missing_force", t.collapse.force},
                                   {"feet", names_of(t.collapse.down, p.followed)}};
}

// --- panels

std::vector<double> demand_times(const Tracked& t) {
  std::vector<double> times;
  for (const Demand& d : t.demands) times.push_back(d.time);
  return times;
}

void add_force_panels(const Performance& p, Account& account) {
  const Tracked& t = p.tracked;
  PlotPanel needed{"time (s)", "upright force / weight", demand_times(t), {}, false};
  PlotPanel given{"time (s)", "upright force / weight", t.motion.time, {}, false};
  for (size_t i = 0; i < p.followed.supports.size(); ++i) {
    const FootSupport& support = p.followed.supports[i];
    std::vector<double> force;
    for (const Demand& d : t.demands) force.push_back(d.force[i].z / t.weight);
    needed.series.emplace_back(support.name, force);
    given.series.emplace_back(support.name, performed_force(t.motion, support, t.weight));
  }
  account.panels.push_back({"Ground forces that the motion needs",
                            "Shared among the feet that stand, as far as the ground can supply them.",
                            needed});
  account.panels.push_back({"Ground forces of the performance", "By physics.", given});
}

void add_shortfall_panels(const Performance& p, Account& account) {
  const Tracked& t = p.tracked;
  std::vector<double> force, moment;
  for (const Demand& d : t.demands)
    force.push_back(norm(d.missing) / t.weight),
        moment.push_back(norm(d.missing_moment) / (t.weight * t.height));
  account.panels.push_back(
      {"What the ground cannot supply",
       "The missing part of the wrench that the motion needs: force over weight, moment over weight times "
       "the "
       "height of the hips.",
       PlotPanel{"time (s)", "1", demand_times(t), {{"force", force}, {"moment", moment}}, false}});
  TablePanel table{{"from (s)", "to (s)", "missing", "at worst"}, {}};
  for (const Shortfall& s : t.shortfalls)
    table.rows.push_back({s.from, s.to, to_string(s.reason), to_string(s, p.followed, t.weight)});
  if (!table.rows.empty())
    account.panels.push_back(
        {"Where and why the ground falls short", "Shortfalls of the source, in order of time.", table});
}

void add_torque_panels(const Tracked& t, const std::vector<JointPeaks>& peaks, Account& account) {
  TablePanel torques{{"joint", "needed (N m)", "over weight (m)", "performed (N m)", "over weight (m)"}, {}};
  for (const JointPeaks& p : peaks)
    torques.rows.push_back({p.name, p.needed, p.needed / t.weight, p.given, p.given / t.weight});
  account.panels.push_back({"Joint torques at their peaks", "Over body weight: N m for each N.", torques});
  PlotPanel over{"time (s)", "torque / weight (m)", demand_times(t), {}, false};
  for (size_t i = 0; i < std::min<size_t>(6, peaks.size()); ++i) {
    const int j = t.motion.creature.dof(peaks[i].name);
    std::vector<double> values;
    for (const Demand& d : t.demands) values.push_back(d.tau[size_t(j)] / t.weight);
    over.series.emplace_back(peaks[i].name, values);
  }
  account.panels.push_back(
      {"Joint torques that the motion needs", "The six largest, over body weight.", over});
}

void add_deviation_panels(const Tracked& t, Account& account) {
  std::vector<double> when, center, trunk, joints, missing;
  for (const Deviation& d : t.deviations)
    when.push_back(d.time), center.push_back(d.center), trunk.push_back(d.trunk), joints.push_back(d.joints),
        missing.push_back(norm(d.missing) / t.weight);
  account.panels.push_back({"How far the performance deviated",
                            "Centre of mass (m), turn of the trunk (rad), joints (rad, root mean square).",
                            PlotPanel{"time (s)",
                                      "m, rad",
                                      when,
                                      {{"centre of mass", center}, {"trunk", trunk}, {"joints", joints}},
                                      false}});
  account.panels.push_back({"Forces that the ground did not supply", "While performing, over weight.",
                            PlotPanel{"time (s)", "force / weight", when, {{"missing", missing}}, false}});
}

}  // namespace

Account tell_performance(const Performance& performance) {
  const std::vector<JointPeaks> peaks = joint_peaks(performance.tracked);
  Account account;
  add_statements(performance, peaks, account);
  add_values(performance, peaks, account);
  if (!performance.followed.supports.empty()) {
    add_force_panels(performance, account);
    add_shortfall_panels(performance, account);
  }
  add_torque_panels(performance.tracked, peaks, account);
  add_deviation_panels(performance.tracked, account);
  return account;
}

}  // namespace legwork
