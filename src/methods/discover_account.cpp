#include "methods/discover_account.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "discover/words.h"
#include "math/scalar.h"
#include "methods/discover_panels.h"

namespace legwork {

namespace {

std::string percent(double share) { return brief(100 * share) + " %"; }

double speed(const Problem& problem, const Evaluation& e) { return e.distance / problem.seconds; }
double froude(const Problem& problem, double speed) { return speed * speed / (9.81 * problem.length); }

Value period_or_null(const Evaluation& e) { return e.period > 0 ? Value(e.period) : Value(); }

// "It hops forward, 2.1 Hz, at 0.31 m/s; tuned from 0.28 m/s; controller 77"
std::string about(const Problem& problem, const FoundGait& g) {
  return "It " + g.name + " at " + with_unit(speed(problem, g.record.evaluation), "m/s") +
         "; before tuning it made " + with_unit(speed(problem, g.untuned), "m/s") +
         "; its controller is number " + std::to_string(g.record.number);
}

std::vector<Measure> measures(const Problem& problem, const FoundGait& g) {
  const Evaluation& e = g.record.evaluation;
  std::vector<Measure> all = {
      {"name", "Gait", g.name, "", "what an onlooker would say", true},
      {"speed", "Speed", speed(problem, e), "m/s", "distance over the whole run", true},
      {"robustness", "Robustness", g.robustness, "1",
       "mean share of the distance kept under eight disturbances: friction, mass, rough ground, pushes",
       true},
      {"lengths_per_second", "Body lengths a second", speed(problem, e) / problem.length, "1/s",
       "speed over body length", false},
      {"likeness", "Likeness", e.likeness, "1", "likeness of the motion to itself a period later", false}};
  if (e.period > 0)
    all.push_back({"period", "Period", e.period, "s", "length of the cycle that it settles into", true});
  return all;
}

// A row of the gallery's table.
std::vector<std::string> row(const Gallery& gallery, size_t i) {
  const Problem& problem = gallery.problem;
  const FoundGait& g = gallery.found.gaits[i];
  const double v = speed(problem, g.record.evaluation);
  return {std::to_string(i + 1),
          with_unit(v, "m/s"),
          with_unit(speed(problem, g.untuned), "m/s"),
          brief(v / problem.length),
          brief(froude(problem, v)),
          brief(g.robustness),
          brief(g.untuned_robustness),
          g.name};
}

Value gait_values(const Gallery& gallery, size_t i) {
  const Problem& problem = gallery.problem;
  const FoundGait& g = gallery.found.gaits[i];
  const Evaluation& e = g.record.evaluation;
  return {{"name", g.name},
          {"speed", speed(problem, e)},
          {"distance", e.distance},
          {"score", e.score},
          {"period", period_or_null(e)},
          {"likeness", e.likeness},
          {"robustness", g.robustness},
          {"descriptor", e.descriptor},
          {"seed", gallery.motions[i].made.seed},
          {"number", g.record.number},
          {"untuned_speed", speed(problem, g.untuned)},
          {"untuned_robustness", g.untuned_robustness},
          {"half_step_speed", speed(problem, g.half_step)},
          {"froude", froude(problem, speed(problem, e))},
          {"controller", to_text(g.record.candidate)},
          {"file", gallery.files.empty() ? Value() : Value(gallery.files[i])}};
}

// Robustness is the mean over the gaits.
Value search_values(const Gallery& gallery, double apart) {
  const Problem& problem = gallery.problem;
  const Findings& found = gallery.found;
  double best_speed = 0, robustness = 0, untuned_robustness = 0;
  for (const FoundGait& g : found.gaits) {
    best_speed = std::max(best_speed, speed(problem, g.record.evaluation));
    robustness += g.robustness / double(found.gaits.size());
    untuned_robustness += g.untuned_robustness / double(found.gaits.size());
  }
  Value gaits = Value::list();
  for (size_t i = 0; i < found.gaits.size(); ++i) gaits.push_back(gait_values(gallery, i));
  return {{"evaluations", found.evaluations},
          {"useful_share", found.useful_share},
          {"resting_share", found.resting_share},
          {"best_speed", best_speed},
          {"best_score", found.gaits.empty() ? 0.0 : found.gaits.front().record.evaluation.score},
          {"lengths_per_second", best_speed / problem.length},
          {"froude", froude(problem, best_speed)},
          {"robustness", robustness},
          {"untuned_robustness", untuned_robustness},
          {"best_random", found.best_random},
          {"rejected", found.rejected},
          {"diverged", found.diverged},
          {"weights", problem.shape.weights()},
          {"parameters", problem.parameters.size()},
          {"body_length", problem.length},
          {"apart", apart},
          {"gaits", std::move(gaits)}};
}

// Distance to the follow point: at the start, mean of the whole and of the second half.
void add_pursuit(const Motion& motion, Account& account) {
  const Channel *follow = motion.channel("follow"), *com = motion.channel("center of mass");
  if (!follow || !com || motion.frames() < 2) return;
  const auto apart = [&](int f) {
    const double* a = &com->values[size_t(f) * 3];
    const double* b = &follow->values[size_t(f) * 3];
    return hypot(a[0] - b[0], a[1] - b[1]);
  };
  double mean = 0, late = 0;
  const int n = motion.frames();
  for (int f = 0; f < n; ++f) mean += apart(f) / n;
  for (int f = n / 2; f < n; ++f) late += apart(f) / (n - n / 2);
  account.statements.push_back({"the follow point was " + with_unit(apart(0), "m") + " away at the start, " +
                                with_unit(mean, "m") + " on average and " + with_unit(late, "m") +
                                " in the second half"});
  account.values["follow"] = Value{{"start", apart(0)}, {"mean", mean}, {"late", late}};
}

}  // namespace

Account tell_gait(const Gallery& gallery, size_t i) {
  const FoundGait& g = gallery.found.gaits[i];
  Account account;
  account.title = g.name;
  account.statements.push_back({about(gallery.problem, g)});
  account.measures = measures(gallery.problem, g);
  account.panels = gait_panels(gallery.problem, gallery.motions[i], g.record.candidate);
  account.values = gait_values(gallery, i);
  return account;
}

Account tell_search(const Gallery& gallery, double apart) {
  const Problem& problem = gallery.problem;
  const Findings& found = gallery.found;
  Account account;
  account.statements.push_back({"the search made " + std::to_string(found.evaluations) + " evaluations of " +
                                brief(problem.seconds) + " s; a network has " +
                                std::to_string(problem.shape.weights()) + " weights and " +
                                std::to_string(problem.parameters.size()) + " numbers to tune"});
  if (!found.stopped_in.empty())
    account.statements.push_back({"the search was stopped by request during " + found.stopped_in +
                                  ": these are the gaits found by then, neither tuned nor disturbed"});
  account.statements.push_back(
      {percent(found.useful_share) + " of the random networks are useful (the paper: 1 to 5 %), " +
       percent(found.resting_share) + " come to rest; " + std::to_string(found.diverged) +
       " candidates gained energy or diverged, " + std::to_string(found.rejected) +
       " were discarded: their speed changed when the time step was halved"});
  if (problem.pursues())
    account.statements.push_back(
        {"speeds are those towards the point" +
         (problem.follow.size() > 1 ? ", mean over " + std::to_string(problem.follow.size()) + " curves"
                                    : std::string())});
  account.values = search_values(gallery, apart);
  if (found.gaits.empty()) return account;

  std::vector<std::vector<std::string>> rows = {
      {"gait", "speed", "untuned", "lengths/s", "Froude", "robust", "untuned", "what it does"}};
  for (size_t i = 0; i < found.gaits.size(); ++i) rows.push_back(row(gallery, i));
  Account first = tell_gait(gallery, 0);
  account.title = first.title;
  account.statements.push_back({first.statements[0].text, aligned(rows)});
  account.measures = std::move(first.measures);
  account.panels = search_panels(problem, found);
  for (Panel& panel : first.panels) account.panels.push_back(std::move(panel));
  return account;
}

Account tell_single(const Problem& problem, const Motion& motion, const Candidate& candidate,
                    const Evaluation& e) {
  const std::string name = name_gait(problem, motion, e);
  const double v = speed(problem, e);
  Account account;
  account.statements.push_back({motion.creature.name + " " + name + ": it covers " +
                                with_unit(e.distance, "m") + " in " + brief(problem.seconds) + " s, " +
                                with_unit(v, "m/s")});
  account.values = {{"name", name},
                    {"score", e.score},
                    {"distance", e.distance},
                    {"speed", v},
                    {"best_speed", v},
                    {"period", period_or_null(e)},
                    {"descriptor", e.descriptor}};
  add_pursuit(motion, account);
  account.panels = gait_panels(problem, motion, candidate);
  return account;
}

}  // namespace legwork
