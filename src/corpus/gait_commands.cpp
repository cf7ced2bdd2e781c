// Commands of gaits: oscillators, step and stance programs, reflexes.

#include <cmath>

#include "base/text.h"
#include "corpus/interpreter.h"

namespace legwork {

namespace {

using Corpus = CorpusInterpreter;

void add_roach(Corpus& corpus, const CorpusLine& line) {
  CorpusWorld& world = corpus.world();
  for (const auto& roach : world.roaches)
    if (roach->name == line.words[0])
      Corpus::fail(line, "there is a gait '" + line.words[0] + "' already", "go back to it with setroach");
  world.roaches.push_back(std::make_unique<CorpusRoach>());
  CorpusRoach& roach = *world.roaches.back();
  roach.name = line.words[0];
  // the figure of that name, else the present one
  for (const auto& figure : world.figures)
    if (figure->name == roach.name) roach.figure = figure.get();
  if (!roach.figure) roach.figure = &corpus.figure(line);
  corpus.present_roach = &roach;
}

void set_roach(Corpus& corpus, const CorpusLine& line) {
  std::vector<std::string> names;
  for (const auto& roach : corpus.world().roaches) {
    if (roach->name == line.words[0]) {
      corpus.present_roach = roach.get();
      return;
    }
    names.push_back(roach->name);
  }
  Corpus::fail(line, "there is no gait '" + line.words[0] + "'", did_you_mean(line.words[0], names));
}

double positive(const CorpusLine& line) {
  const double x = corpus_number(line.words[0]);
  if (!(x > 0)) Corpus::fail(line, line.words[0] + " is not positive", "give more than 0");
  return x;
}

// Speed values are the slowness of the pace.
void set_speed(CorpusRoach& roach, double speed) {
  roach.pace.slowness = std::min(std::max(speed, roach.top_speed), roach.bottom_speed);
}

void set_cycle(const CorpusLine& line, CorpusRoach& roach, double cycle) {
  if (!(cycle > roach.pace.step))
    Corpus::fail(line,
                 "a cycle of " + to_text(cycle) + " s leaves no stance beside a step of " +
                     to_text(roach.pace.step) + " s",
                 "make it longer, or prottime shorter");
  roach.pace.slowness = cycle / (2 * roach.pace.step);
}

void program(Corpus& corpus, const CorpusLine& line, std::vector<CorpusLine> CorpusLeg::*which) {
  CorpusRoach& roach = corpus.roach(line);
  const int number = int(corpus_number(line.words[0]));
  if (number < 0 || number > 999)
    Corpus::fail(line, "legs are numbered from 0", "even ones on the left, from the front");
  const bool known = roach.legs.contains(number);
  roach.legs[number].*which = line.block;
  if (known) return;
  place_legs(roach);
  corpus.stage.change();  // legs are part of the creature
}

void gait_init(Corpus& corpus, const CorpusLine& line) {
  CorpusRoach& roach = corpus.roach(line);
  roach.going = false;
  place_legs(roach);
}

void gait_go(Corpus& corpus, const CorpusLine& line) {
  CorpusRoach& roach = corpus.roach(line);
  if (roach.legs.empty())
    Corpus::fail(line, "'" + roach.name + "' has no legs", "give them programs with procom and retcom");
  if (!roach.going) place_legs(roach);  // pacemakers begin in their places for the present speed
  roach.going = true;
}

void prestance(Corpus& corpus, const CorpusLine& line) {
  const CorpusRoach& roach = corpus.roach(line);
  for (const auto& [number, leg] : roach.legs) corpus.run_program(roach, leg.stance, roach.pace.stance());
}

void leg_status(Corpus& corpus, const CorpusLine& line) {
  corpus.leg(line);
  const CorpusRoach& roach = corpus.roach(line);
  const int number = int(corpus_number(line.words[0]));
  const std::size_t i = std::size_t(std::distance(roach.legs.begin(), roach.legs.find(number)));
  const LegMode mode = roach.state.mode[i];
  corpus.print("leg " + line.words[0] + ": " +
               (mode == LegMode::step    ? "step"
                : mode == LegMode::ready ? "ready to step"
                                         : "stance") +
               " for " + to_text(roach.state.in_mode[i]) + " s, phase " +
               to_text(roach.state.phase[i] * 360) + " degrees");
}

}  // namespace

CorpusCommandGroup gait_commands() {
  return {
      "Gaits",
      {
          {"addroach", "roach", "begins a gait for the figure of that name, or for the current one",
           add_roach},
          {"setroach", "roach", "goes back to a gait", set_roach},
          {"metabolism", "time#",
           "duration of a step and the delay from leg to leg; sets the cycle for the present speed",
           [](Corpus& c, const CorpusLine& line) {
             CorpusRoach& roach = c.roach(line);
             roach.pace.step = roach.pace.delay = positive(line);
           }},
          {"speed", "val#", "1 is top speed (tripod), 2 half of it: a cycle is 2 x val steps long",
           [](Corpus& c, const CorpusLine& line) { set_speed(c.roach(line), positive(line)); }},
          {"deltaspeed", "val#", "what incrspeed adds",
           [](Corpus& c, const CorpusLine& line) {
             c.roach(line).delta_speed = corpus_number(line.words[0]);
           }},
          {"incrspeed", "", "adds deltaspeed to the speed value",
           [](Corpus& c, const CorpusLine& line) {
             CorpusRoach& roach = c.roach(line);
             set_speed(roach, roach.pace.slowness + roach.delta_speed);
           }},
          {"topspeed", "val#", "the smallest speed value that speed and incrspeed may set (1 by default)",
           [](Corpus& c, const CorpusLine& line) { c.roach(line).top_speed = positive(line); }},
          {"bottomspeed", "val#", "the largest",
           [](Corpus& c, const CorpusLine& line) { c.roach(line).bottom_speed = positive(line); }},
          {"prottime", "time#", "duration of a step",
           [](Corpus& c, const CorpusLine& line) {
             CorpusRoach& roach = c.roach(line);
             const double cycle = roach.pace.cycle();
             roach.pace.step = positive(line);
             set_cycle(line, roach, cycle);
           }},
          {"rettime", "time#", "duration of a stance: a cycle is step and stance",
           [](Corpus& c, const CorpusLine& line) {
             CorpusRoach& roach = c.roach(line);
             set_cycle(line, roach, roach.pace.step + positive(line));
           }},
          {"cycletime", "time#", "duration of a cycle",
           [](Corpus& c, const CorpusLine& line) { set_cycle(line, c.roach(line), positive(line)); }},
          {"dlegtime", "time#", "delay from a leg to the one before it on its side",
           [](Corpus& c, const CorpusLine& line) { c.roach(line).pace.delay = positive(line); }},
          {"gaitgo", "", "starts the oscillators", gait_go},
          {"gaitinit", "", "stops the oscillators and resets them", gait_init},
          {"procom", "leg%",
           "the step program of a leg: commands up to a lone dot; *0.5 is half of a step's duration",
           [](Corpus& c, const CorpusLine& line) { program(c, line, &CorpusLeg::step); }, true},
          {"retcom", "leg%", "the stance program of a leg; *0.5 is half of a stance's duration",
           [](Corpus& c, const CorpusLine& line) { program(c, line, &CorpusLeg::stance); }, true},
          {"stepreflex", "on|off", "legs bent beyond their trigger angle step",
           [](Corpus& c, const CorpusLine& line) { c.roach(line).step_reflex = line.words[0] == "on"; }},
          {"legstepreflex", "leg% body trigger_angle# +|-",
           "the joint that is watched, and which way is beyond",
           [](Corpus& c, const CorpusLine& line) {
             c.leg(line).step_reflex = {&c.jointed_body(line, line.words[1]), corpus_number(line.words[2]),
                                        line.words[3] == "+"};
           }},
          {"loadreflex", "on|off", "legs that bear more than their force do not step",
           [](Corpus& c, const CorpusLine& line) { c.roach(line).load_reflex = line.words[0] == "on"; }},
          {"legloadreflex", "leg% body joint_force#", "the joint that is watched, and the force (N m)",
           [](Corpus& c, const CorpusLine& line) {
             c.leg(line).load_reflex = {&c.jointed_body(line, line.words[1]), corpus_number(line.words[2])};
           }},
          {"legstatus", "leg%", "prints a leg's state", leg_status},
          {"prestance", "",
           "runs the stance programs of all legs now, so that all feet bear before the first step",
           prestance},
      }};
}

}  // namespace legwork
