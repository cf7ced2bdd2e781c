#include "methods/modes_account.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "math/real.h"
#include "report/modes_panel.h"

namespace legwork {

namespace {

double degrees(double radians) { return radians * 180 / pi; }

bool by_physics(const ModalResult& r, const ModesOptions& o) {
  return (o.dynamic || o.balance || !r.found.empty()) && !r.uses.empty();
}

double limit_excess(const ModalResult& r) { return std::max(r.planted.limit_excess, 0.0); }

std::string space_name(const PumpFound& found) {
  return found.space == PumpSpace::modes ? "modal space" : "joint space";
}

// --- statements

Statement modes_statement(const ModalResult& r) {
  const Modes& modes = r.modes;
  Statement told{r.creature.name + " in the pose " + r.pose + " has " + std::to_string(modes.count()) +
                 " degrees of freedom and " + std::to_string(modes.rigid) + " rigid modes"};
  const int last = std::min(modes.count(), modes.rigid + (r.uses.empty() ? 10 : 4));
  for (int i = modes.rigid; i < last; ++i) {
    const ModeShape& shape = r.shapes[size_t(i)];
    told.lines.push_back("mode " + std::to_string(i) + ": " + brief(modes.frequency[size_t(i)]) + " Hz, " +
                         shape.words +
                         (shape.rejected.empty() ? "" : "; not for locomotion: " + shape.rejected));
  }
  return told;
}

Statement uses_statement(const ModalResult& r) {
  Statement told{"it moves " +
                 std::string(r.uses.size() == 1 ? "one mode" : std::to_string(r.uses.size()) + " modes")};
  for (const ModeUse& use : r.uses)
    told.lines.push_back("mode " + std::to_string(use.mode) + ": alpha " + brief(use.amplitude) + ", phase " +
                         brief(degrees(use.phase)) + " deg, " + brief(use.hz) + " Hz" +
                         (use.beta != 0 ? ", beta " + brief(use.beta) : "") + " (" + use.role + ")");
  return told;
}

void tell_planted(const ModalResult& r, const ModesOptions& o, Account& account) {
  if (!o.air && r.act != Act::none)
    account.statements.push_back({"it goes at " + brief(r.planted.speed) +
                                  " m/s; to stand on the ground its legs leave the modes by " +
                                  brief(r.planted.modal_distance) +
                                  " of the modal swing, with a correlation of " +
                                  brief(r.planted.modal_correlation) + " (by elastic energy)"});
  account.statements.push_back({"its joints pass their limits by " + brief(degrees(limit_excess(r))) +
                                " deg at most, of " + brief(o.soft) + " allowed"});
}

// Heuristics of the action for which the body has no mode.
void tell_unserved(const ModalResult& r, Account& account) {
  for (const Heuristic h : heuristics_of(r.act, r.limbs))
    if (std::none_of(r.uses.begin(), r.uses.end(),
                     [&](const ModeUse& use) { return use.role.find(meaning(h)) != std::string::npos; }))
      account.statements.push_back(
          {std::string("no mode serves heuristic ") + to_string(h) + ": " + meaning(h)});
}

// Why a run may be slower than a trot.
void tell_pace(const ModalResult& r, Account& account) {
  if (r.planted.pace < 1)
    account.statements.push_back({"its joints do not let the feet stand at full stride: strides are " +
                                  brief(r.planted.pace) + " of what the modes were to give"});
}

Statement travel_statement(const Travel& t) {
  return {"it travels at " + brief(t.speed) + " m/s, " + brief(std::fabs(t.forward)) + " m/s of it " +
          (t.forward >= 0 ? "forward (+x)" : "backward (-x)")};
}

Statement search_statement(const PumpFound& found, PumpGoal goal) {
  return {"a search in " + space_name(found) + " for " + std::to_string(found.variables) + " numbers found " +
          (goal == PumpGoal::speed ? brief(found.score) + " m/s"
                                   : "a cost of transport of " + brief(-found.score)) +
          " after " + std::to_string(found.best_by_count.size()) + " simulations"};
}

Statement theory_statement(const ModalResult& r) {
  Statement told{
      std::to_string(r.theory.size()) +
      " elastic modes were pushed gently, floating without weight, and compared with their prediction"};
  for (const TheoryRow& row : r.theory)
    told.lines.push_back(
        "mode " + std::to_string(row.mode) + ": predicted " + brief(row.predicted) + " Hz, simulated " +
        brief(row.simulated) + " Hz; 10 % off at " +
        (row.amplitude == unlimited ? "more than " + brief(row.most) : brief(row.amplitude)));
  return told;
}

// --- values

Value mode_values(const ModalResult& r) {
  Value list = Value::list();
  for (int i = 0; i < r.modes.count(); ++i) {
    const ModeShape& shape = r.shapes[size_t(i)];
    list.push_back(Value{{"mode", i}, {"words", shape.words}, {"rejected", shape.rejected}});
  }
  return list;
}

Value use_values(const ModalResult& r) {
  Value list = Value::list();
  for (const ModeUse& use : r.uses)
    list.push_back(Value{{"mode", use.mode},
                         {"role", use.role},
                         {"amplitude", use.amplitude},
                         {"phase", use.phase},
                         {"frequency", use.hz},
                         {"beta", use.beta}});
  return list;
}

Value search_values(const ModalResult& r) {
  Value list = Value::list();
  for (const PumpFound& found : r.found)
    list.push_back(Value{{"space", space_name(found)},
                         {"variables", found.variables},
                         {"score", found.score},
                         {"best_by_count", found.best_by_count}});
  return list;
}

Value theory_values(const ModalResult& r) {
  Value list = Value::list();
  for (const TheoryRow& row : r.theory)
    list.push_back(
        Value{{"mode", row.mode},
              {"predicted", row.predicted},
              {"simulated", row.simulated},
              {"amplitude_10_percent_off", row.amplitude == unlimited ? Value() : Value(row.amplitude)},
              {"largest_tried", row.most}});
  return list;
}

Value values(const ModalResult& r, const ModesOptions& o) {
  std::vector<double> damped;
  for (int i = 0; i < r.modes.count(); ++i) damped.push_back(r.modes.damped_frequency(i, r.damping));
  Value all = {{"degrees_of_freedom", r.modes.count()},
               {"rigid", r.modes.rigid},
               {"constraints", r.modes.constraints},
               {"pose", r.pose},
               {"frequencies", r.modes.frequency},
               {"damped_frequencies", damped},
               {"modes", mode_values(r)},
               {"selected", use_values(r)},
               {"limit_excess", r.kinematic ? Value(limit_excess(r)) : Value()}};
  if (r.standing > 0) all["standing_stiffness"] = r.standing;
  if (r.kinematic)
    all.join(Value{{"speed", r.planted.speed},
                   {"slide", r.planted.slide},
                   {"sink", r.planted.sink},
                   {"velocity_jump", r.planted.velocity_jump},
                   {"correction", r.planted.correction},
                   {"pace", r.planted.pace},
                   {"modal_distance", r.planted.modal_distance},
                   {"modal_correlation", r.planted.modal_correlation}});
  if (by_physics(r, o))
    all["travel"] =
        Value{{"speed", r.travel.speed}, {"forward", r.travel.forward}, {"velocity", r.travel.velocity}};
  if (!r.found.empty()) all["search"] = search_values(r);
  if (!r.theory.empty()) all["theory"] = theory_values(r);
  return all;
}

// --- panels and measures

Panel modes_table(const ModalResult& r) {
  constexpr int most = 40;
  const Modes& modes = r.modes;
  TablePanel list{{"mode", "Hz", "damped Hz", "what it does", "for locomotion", "used as"}, {}};
  for (int i = modes.rigid; i < std::min(modes.count(), modes.rigid + most); ++i) {
    const ModeShape& shape = r.shapes[size_t(i)];
    std::string role;
    for (const ModeUse& use : r.uses)
      if (use.mode == i) role = use.role;
    list.rows.push_back({double(i), modes.frequency[size_t(i)], modes.damped_frequency(i, r.damping),
                         shape.words, shape.rejected.empty() ? std::string("yes") : "no: " + shape.rejected,
                         role});
  }
  return {"The modes", "Numbered from 0 with the " + std::to_string(modes.rigid) + " rigid ones.", list};
}

Panel uses_table(const ModalResult& r) {
  TablePanel used{{"mode", "role", "alpha", "phase [deg]", "Hz", "beta"}, {}};
  for (const ModeUse& use : r.uses)
    used.rows.push_back({double(use.mode), use.role, use.amplitude, degrees(use.phase), use.hz, use.beta});
  return {"Equation 4", "The terms of this motion.", used};
}

Panel search_plot(const ModalResult& r, PumpGoal goal) {
  PlotPanel plot{"simulations", goal == PumpGoal::speed ? "speed [m/s]" : "- cost of transport", {}, {}};
  for (size_t i = 0; i < r.found[0].best_by_count.size(); ++i) plot.x.push_back(double(i + 1));
  for (const PumpFound& found : r.found)
    plot.series.push_back(
        {space_name(found) + ", " + std::to_string(found.variables) + " numbers", found.best_by_count});
  return {"The search", "The best so far, against the number of simulations.", plot};
}

Panel theory_table(const ModalResult& r) {
  TablePanel theory{{"mode", "predicted [Hz]", "simulated [Hz]", "amplitude 10 % off"}, {}};
  for (const TheoryRow& row : r.theory)
    theory.rows.push_back(
        {double(row.mode), row.predicted, row.simulated,
         row.amplitude == unlimited ? TableCell("> " + brief(row.most)) : TableCell(row.amplitude)});
  return {"Theory and simulation", "Small pushes of each mode, floating without weight.", theory};
}

std::vector<Panel> panels(const ModalResult& r, const ModesOptions& o) {
  std::vector<Panel> all;
  if (const auto live = modes_panel(r.creature, r.modes, r.shapes, r.uses, o.soft * pi / 180, r.pace.hz))
    all.push_back(*live);
  all.push_back(modes_table(r));
  if (!r.uses.empty()) all.push_back(uses_table(r));
  if (!r.found.empty()) all.push_back(search_plot(r, o.tune));
  if (!r.theory.empty()) all.push_back(theory_table(r));
  return all;
}

std::vector<Measure> measures(const ModalResult& r) {
  const Modes& modes = r.modes;
  std::vector<Measure> all = {{"first_frequency", "first elastic mode",
                               modes.rigid < modes.count() ? modes.frequency[size_t(modes.rigid)] : 0, "Hz",
                               "the lowest natural frequency", true}};
  if (!r.kinematic) return all;
  all.push_back({"slide", "slide of planted feet", r.planted.slide, "m",
                 "longest distance that a foot slides in one stance", true});
  all.push_back({"limit_excess", "past the limits", limit_excess(r), "rad",
                 "farthest that a joint turns past its range", false});
  return all;
}

}  // namespace

Account modes_account(const ModalResult& r, const ModesOptions& o) {
  Account account;
  account.statements.push_back(modes_statement(r));
  if (r.standing > 0)
    account.statements.push_back({"it stands from " + brief(r.standing) + " N m/rad on, by simulation"});
  if (!r.uses.empty()) account.statements.push_back(uses_statement(r));
  if (!r.uses.empty() && o.mode.empty()) tell_unserved(r, account);
  if (r.kinematic) tell_planted(r, o, account), tell_pace(r, account);
  if (by_physics(r, o)) account.statements.push_back(travel_statement(r.travel));
  for (const PumpFound& found : r.found) account.statements.push_back(search_statement(found, o.tune));
  if (!r.theory.empty()) account.statements.push_back(theory_statement(r));
  account.measures = measures(r);
  account.panels = panels(r, o);
  account.values = values(r, o);
  return account;
}

}  // namespace legwork
