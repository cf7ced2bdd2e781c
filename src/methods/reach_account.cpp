#include "methods/reach_account.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "math/real.h"

namespace legwork {

using namespace reaching;

namespace {

double degrees(double radians) { return radians * 180 / pi; }

// 5221125 -> 5,221,125
std::string counted(double n) {
  std::string digits = std::to_string(static_cast<long long>(std::llround(n)));
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(size_t(at), ",");
  return digits;
}

// A fitness as people write it.
std::string thousandths(double fitness) { return brief(fitness * 1e3) + "e-3"; }

bool walks(const ReachOptions& o) { return o.task == Kind::walk; }
bool constrained(const ReachOptions& o) { return o.stage >= Stage::constrain && walks(o); }

// --- the limb spaces

std::string girdle_text(const GirdleResult& g, const Findings& r, const ReachOptions& o) {
  std::string text = "the " + g.name + " limb has " + counted(g.samples) + " poses of the planted foot at " +
                     brief(r.resolution) + " deg, " + with_unit(g.bytes, "B") + " at " +
                     std::to_string(bytes_per_sample) + " B each";
  if (g.nx > 0)
    text += ", in " + std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz) +
            " boxes of " + with_unit(g.box, "m");
  if (constrained(o)) {
    text += "; " + counted(double(g.constrained)) + " can walk";
    if (r.girdles.size() > 1) text += ", " + counted(double(g.after_trunk)) + " with the trunk";
  }
  if (!g.held.empty()) text += "; for lack of a range these stay as they stand: " + join(g.held, ", ");
  return text;
}

Value girdle_values(const GirdleResult& g) {
  return {{"samples", g.samples},
          {"bytes", g.bytes},
          {"extent", g.extent},
          {"boxes", std::vector<int>{g.nx, g.ny, g.nz}},
          {"box_size", g.box},
          {"constrained", g.constrained},
          {"with_siblings", g.with_siblings},
          {"after_trunk", g.after_trunk},
          {"back", g.back},
          {"largest_slice", g.largest_slice},
          {"alignment_deg", degrees(g.alignment.angle)}};
}

void tell_spaces(const Findings& r, const ReachOptions& o, Account& account) {
  double samples = 0, can_walk = 0;
  Value girdles = Value::object();
  for (const GirdleResult& g : r.girdles) {
    samples += g.samples, can_walk += double(g.constrained);
    account.statements.push_back({girdle_text(g, r, o)});
    girdles[g.name] = girdle_values(g);
  }
  if (r.girdles.size() > 1 && constrained(o)) {
    const double tolerance = r.options.trunk_tolerance;
    account.values["trunk_tolerance"] = tolerance;
    if (o.trunk_tolerance == 0 && tolerance > 1.6 * r.resolution)
      account.statements.push_back(
          {"the girdles turn far against each other: poses count that the trunk misses by " +
           brief(tolerance) + " deg"});
  }
  account.values.join(Value{{"samples", samples},
                            {"constrained", can_walk},
                            {"bytes_per_sample", bytes_per_sample},
                            {"girdles", girdles},
                            {"resolution", r.resolution},
                            {"hip_height", r.hip_height},
                            {"step", r.step}});
}

// --- the search

void tell_search(const Findings& r, Account& account) {
  const Found& g = r.genetic;
  int bits = 0;
  for (const int n : r.fields) bits += n;
  std::string text = "the best gait has a fitness of " + thousandths(g.fitness) + " from strings of " +
                     std::to_string(bits) + " bits, " + counted(double(g.genetic.evaluations)) +
                     " of which were evaluated";
  account.values.join(Value{{"fitness", r.fitness},
                            {"fitness_genetic", g.fitness},
                            {"bits", r.fields},
                            {"evaluations", g.genetic.evaluations},
                            {"optimum_gap", nullptr}});
  if (r.exact_run) {
    const Found& e = r.exact;
    const double gap = 1 - g.fitness / e.bound;
    text += e.proven ? "; the proven optimum is " + thousandths(e.fitness)
                     : "; the exact search reached " + thousandths(e.fitness) + " under a bound of " +
                           thousandths(e.bound);
    text += ", the genetic search is " + brief(100 * gap) + " % below";
    account.values.join(Value{{"optimum_gap", gap},
                              {"fitness_exact", e.fitness},
                              {"bound", e.bound},
                              {"proven", e.proven},
                              {"nodes", e.nodes}});
  }
  account.statements.push_back({text});
  if (r.stopped) {
    account.statements.push_back({"the search was stopped by request after " +
                                  counted(double(g.genetic.best_by_iteration.size())) +
                                  " generations: this is the best gait by then, and it is not polished"});
    account.values["stopped"] = true;
  }
}

// --- the motion

Value observables_values(const Observables& o) {
  Value all = {
      {"pitch", o.pitch}, {"yaw", o.yaw}, {"roll", o.roll}, {"lateral", o.lateral}, {"vertical", o.vertical}};
  for (auto [name, value] : o.excursion) {
    std::replace(name.begin(), name.end(), '.', '_');  // dots part the keys of a study
    all["excursion"][name] = value;
  }
  return all;
}

Value terms_values(const ErrorTerms& t) {
  return {{"pitch", t.pitch},       {"yaw", t.yaw},   {"roll", t.roll},    {"lateral", t.lateral},
          {"vertical", t.vertical}, {"fdof", t.fdof}, {"total", t.total()}};
}

void tell_steps(const ReachStory& story, Account& account) {
  const Findings& r = story.found;
  const ReachOptions& o = story.options;
  const bool of_stance = o.step_of == ReachOptions::StepOf::stance && story.trackway.empty();
  account.statements.push_back(
      {"it walks with steps of " + brief(r.step) + " m, " + brief(r.step / std::max(r.hip_height, 1e-9)) +
       " hip heights (" + (of_stance ? "how far the body moves in a stance" : "foot to opposite foot") +
       "); a stride of " + brief(r.plan.stride) + " m takes " + brief(r.period) + " s"});
  if (o.refine > 0)
    account.statements.push_back({"the gait was refined at " + brief(o.refine) + " deg to a fitness of " +
                                  thousandths(r.refined_fitness)});
}

// How well the feet stand on their prints, and left and right agree.
Statement footing(const Findings& r, const ReachOptions& o) {
  const bool trunk = r.girdles.size() > 1;
  const std::string feet = "its feet stand within " + with_unit(r.planted_error, "m") + " and " +
                           brief(degrees(r.planted_angle)) + " deg of their prints";
  if (!walks(o)) return {feet};
  if (o.raw)
    return {"the gait is raw: " + feet + ", left and right disagree on the root by up to " +
            with_unit(r.dual_error, "m") +
            (trunk ? ", the trunk gapes by up to " + with_unit(r.trunk_gap, "m") : "")};
  return {"the gait was polished to a fitness of " + thousandths(r.polished_fitness) + ": " + feet +
          ", its trunk within " + with_unit(r.trunk_gap, "m") + " (as sampled, the root within " +
          with_unit(r.raw.dual_error, "m") + " in dual support" +
          (trunk ? " and the trunk's gap " + with_unit(r.raw.trunk_gap, "m") : "") + ")"};
}

Statement stability(const Gait& gait) {
  const bool inside = gait.stability_margin >= 0;
  const std::string far = with_unit(std::fabs(gait.stability_margin), "m");
  return {"its Froude number is " + brief(gait.froude) + "; its centre of mass " +
          (inside ? "stays at least " + far + " inside" : "comes up to " + far + " outside") +
          " the feet's polygon"};
}

void tell_motion(const ReachStory& story, Account& account) {
  const Findings& r = story.found;
  const ReachOptions& o = story.options;
  if (walks(o))
    tell_steps(story, account);
  else
    account.statements.push_back({"it sinks by " + brief(100 * r.sunk) + " % of its height and rises again"});
  account.statements.push_back(footing(r, o));
  if (walks(o)) account.statements.push_back(stability(story.gait));

  Value observables = Value::object(), terms = Value::object();
  for (const GirdleResult& g : r.girdles) {
    observables[g.name] = observables_values(g.observables);
    terms[g.name] = terms_values(g.terms);
  }
  account.values.join(Value{{"observables", observables},
                            {"error_terms", terms},
                            {"fitness_refined", r.refined_fitness},
                            {"fitness_polished", r.polished_fitness},
                            {"planted_error", r.planted_error},
                            {"planted_error_deg", degrees(r.planted_angle)},
                            {"dual_support_error", r.dual_error},
                            {"dual_support_error_deg", degrees(r.dual_angle)},
                            {"trunk_gap", r.trunk_gap},
                            {"raw", Value{{"dual_support_error", r.raw.dual_error},
                                          {"dual_support_error_deg", degrees(r.raw.dual_error_angle)},
                                          {"trunk_gap", r.raw.trunk_gap},
                                          {"trunk_gap_deg", degrees(r.raw.trunk_gap_angle)}}},
                            {"period", r.period}});
  if (!walks(o)) account.values["sunk"] = r.sunk;
}

// --- another body

void tell_comparison(const SpaceComparison& c, const ReachStory& story, Account& account) {
  const double h = story.found.hip_height;
  account.statements.push_back({"the limb space of its " + c.limb + " holds " + brief(c.volume) +
                                " m^3, that of " + story.options.compare + " " + brief(c.other_volume) +
                                " m^3; they share " + brief(c.shared) + " m^3, and the longest steps are " +
                                brief(c.longest / h) + "h and " + brief(c.other_longest / h) + "h"});
  account.values["compare"][c.limb] = Value{{"volume", c.volume},
                                            {"other_volume", c.other_volume},
                                            {"shared", c.shared},
                                            {"longest_step", c.longest},
                                            {"other_longest_step", c.other_longest}};
  account.panels.push_back(c.panel);
}

}  // namespace

Account reach_account(const ReachStory& story) {
  Account account;
  tell_spaces(story.found, story.options, account);
  if (story.found.searched) tell_search(story.found, account);
  if (story.found.animated) tell_motion(story, account);
  for (const SpaceComparison& c : story.comparisons) tell_comparison(c, story, account);
  account.measures = reach_measures(story.found, story.options);
  for (Panel& panel : reach_panels(story.found, story.options, story.trackway))
    account.panels.push_back(std::move(panel));
  return account;
}

}  // namespace legwork
