// What there is to say and show of an algorithm that a director has carried out.

#include "methods/direct_account.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/text.h"

namespace legwork {

namespace {

// Level speed of the centre of mass, mean between two moments, m/s.
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

// When the algorithm changes its speed, s; -1: it does not.
double change_of_speed(const Program& program) {
  for (const ProgramConstant& c : program.constants)
    if (c.name == "speed_up_at") return c.value;
  return -1;
}

int count_steps(const Motion& motion) {
  int steps = 0;
  if (!motion.creature.legs.empty() && motion.frames() > 1)
    for (const LegGait& leg : measure_gait(motion).legs)
      for (const Stance& s : leg.stances) steps += s.starts;
  return steps;
}

// How fast it moved: over all, or before and after the algorithm changed its speed.
struct Pace {
  double change = -1;          // s; -1: none within the motion
  std::vector<double> speeds;  // m/s
  int steps = 0;
};
Pace measure_pace(const Motion& motion, const Program& program) {
  const double end = motion.duration(), change = change_of_speed(program);
  Pace pace;
  pace.steps = count_steps(motion);
  if (!(change > 0 && change < end)) {
    pace.speeds = {mean_speed(motion, 0, end)};
    return pace;
  }
  pace.change = change;
  // the first second is the start from rest; what follows the change settles within two
  pace.speeds = {mean_speed(motion, std::min(1.0, change / 2), change),
                 mean_speed(motion, std::min(change + 2, (change + end) / 2), end)};
  return pace;
}

// Springs and dampers of the penalty ground have no part in the director's own account.
bool accounts_for_energy(const Director& d) { return d.options.ground != Grade::penalty; }

void add_statements(const Motion& motion, const Program& program, const Director& d, const Pace& pace,
                    Account& account) {
  std::string line =
      motion.creature.name + " runs " + program.name + " for " + brief(motion.duration()) + " s";
  if (pace.change > 0)
    line += ", " + std::to_string(pace.steps) + " steps, " + brief(pace.speeds[0]) + " m/s before " +
            brief(pace.change) + " s and " + brief(pace.speeds[1]) + " m/s after";
  else if (pace.steps > 0)
    line += ", " + std::to_string(pace.steps) + " steps";
  account.statements.push_back({line});
  account.statements.push_back({"at most " + std::to_string(d.max_equations) +
                                " equations held at once; the largest error of a hard one was " +
                                brief(d.max_residual)});
  if (accounts_for_energy(d))
    account.statements.push_back({"the joints did " + with_unit(d.account.torques, "J") +
                                  " of work and the ground " + with_unit(d.account.ground, "J") +
                                  ", impacts took " + with_unit(d.account.impacts, "J") + "; " +
                                  with_unit(d.unexplained(), "J") + " is unexplained"});
}

// What a reader would not expect of the start or of the feet.
void add_placing(const Motion& motion, const Director& d, Account& account) {
  const double hips = hip_height(motion.creature);
  if (std::abs(d.raised) > 1e-3 * hips)
    account.statements.push_back({std::string("it started ") + with_unit(std::abs(d.raised), "m") +
                                  (d.raised > 0 ? " higher" : " lower") +
                                  " than its pose says, so that it stands on the ground"});
  Value held = Value::object();
  for (const Director::AirHold& h : d.air_holds) {
    account.statements.push_back(
        {"'" + h.link + "' was held in the air by nothing" +
         (h.height < unlimited ? ", up to " + with_unit(h.height, "m") + " above the ground"
                               : ", where there is no ground")});
    held[h.link] = h.height;
  }
  if (d.raised != 0) account.values["raised"] = d.raised;
  if (!d.air_holds.empty()) account.values["held_in_air"] = held;
}

void add_values(const Program& program, const Director& d, const Pace& pace, Account& account) {
  Value phases = Value::list(), contacts = Value::list();
  for (const Director::PhaseChange& p : d.phases)
    phases.push_back(Value{{"time", p.time}, {"phase", p.name}});
  for (const ContactChange& c : d.contact_changes)
    contacts.push_back(Value{{"time", c.time}, {"contact", c.what}});
  account.values = {{"algorithm", program.name},
                    {"ground", to_string(d.options.ground)},
                    {"speeds", pace.speeds},
                    {"steps", pace.steps},
                    {"max_equation_residual", d.max_residual},
                    {"max_equations", d.max_equations},
                    {"solves", d.solves},
                    {"phases", phases},
                    {"contact_changes", contacts}};
  if (accounts_for_energy(d))
    account.values["energy"] =
        Value{{"work_of_torques", d.account.torques}, {"work_of_ground", d.account.ground},
              {"work_of_passive", d.account.passive}, {"work_of_pushes", d.account.outside},
              {"lost_in_impacts", d.account.impacts}, {"unexplained", d.unexplained()}};
}

PlotPanel plot_of(const Motion& motion, const char* channel, const std::string& unit,
                  const std::string& name) {
  const Channel* c = motion.channel(channel);
  return {"time (s)", unit, motion.time, {{name, c ? c->values : std::vector<double>()}}, false};
}

TablePanel cycle_of(const Director& d) {
  TablePanel table{{"phase", "times", "mean duration (s)"}, {}};
  for (const std::string& name : d.phase_names) {
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i + 1 < d.phases.size(); ++i)
      if (d.phases[i].name == name) sum += d.phases[i + 1].time - d.phases[i].time, ++count;
    if (count > 0) table.rows.push_back({name, double(count), sum / count});
  }
  return table;
}

// The cycle of phases (figure 5) and what moved over time (figure 6).
void add_panels(const Motion& motion, const Director& d, Account& account) {
  if (!d.phases.empty()) {
    std::string text = "Phases: ";
    for (size_t i = 0; i < d.phase_names.size(); ++i)
      text += (i > 0 ? ", " : "") + std::to_string(i + 1) + " " + d.phase_names[i];
    account.panels.push_back({"Phases", text + ".", plot_of(motion, "phase", "phase", "phase")});
    account.panels.push_back(
        {"The cycle", "How often each phase came, and how long it lasted.", cycle_of(d)});
  }
  account.panels.push_back(
      {"Speed", "Speed of the centre of mass along x.", plot_of(motion, "forward speed", "m/s", "forward")});
  account.panels.push_back({"Equations", "Scalar equations that the algorithm had in force.",
                            plot_of(motion, "equations", "equations", "equations")});
}

}  // namespace

std::string to_string(Grade ground) {
  switch (ground) {
    case Grade::held:
      return "held";
    case Grade::unilateral:
      return "unilateral";
    case Grade::penalty:
      return "penalty";
  }
  return {};
}

Account tell_algorithm(const Motion& motion, const Program& program, const Director& director) {
  const Pace pace = measure_pace(motion, program);
  Account account;
  add_statements(motion, program, director, pace, account);
  add_values(program, director, pace, account);
  add_placing(motion, director, account);
  add_panels(motion, director, account);
  return account;
}

}  // namespace legwork
