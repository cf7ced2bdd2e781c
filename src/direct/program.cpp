// A program bound to a creature, and carried out.

#include "direct/program.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "base/within.h"
#include "creature/side.h"
#include "direct/formulas.h"
#include "math/rotation.h"

namespace legwork {

namespace {

// What a program says of the body itself and of the cost of smoothness.
void configure(const Program& program, Director& director) {
  const auto resolve = [&](const char* what, const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& e) {
      throw within(program.where, what, e);
    }
  };
  resolve("torque_limits", [&] {
    for (const auto& [dof, limit] : program.torque_limits) director.set_torque_limit(dof, limit);
  });
  resolve("joint_friction", [&] {
    for (const auto& [dof, torque] : program.joint_friction) director.set_joint_friction(dof, torque);
  });
  resolve("passive", [&] {
    for (const std::string& dof : program.passive) director.set_passive(dof);
  });
  if (program.smoothness > 0) director.add_smoothness_cost(program.smoothness, program.posture);
}

class Bound {
 public:
  using Arguments = std::vector<std::pair<std::string, Observe>>;

  Bound(const Program& program, Director& director, const std::string& prefix, const Arguments& arguments)
      : program_(program), formulas_(program, prefix) {
    for (const auto& [constant, value] : arguments) formulas_.give(constant, value);
    configure(program, director);
    initialize_ = bind(program.initialize, director, 0);
    for (const ProgramPhase& phase : program.phases) phases_.push_back(bind(phase, director));
  }

  void start(Director& d) {
    current_ = -1, ended_ = false;
    formulas_.turned = 0;
    carry_out(initialize_, d);
  }

  void control(Director& d) {
    if (phases_.empty() || ended_) return;
    if (current_ < 0) return enter(0, d);
    // one transition may lead straight to the next, but not round in circles within an instant
    for (size_t hops = 0; hops < phases_.size(); ++hops) {
      const Phase& phase = phases_[size_t(current_)];
      if (phase.callee) {
        phase.callee->control(d);
        formulas_.done = phase.callee->ended_;
      }
      const auto met = std::find_if(phase.next.begin(), phase.next.end(),
                                    [&](const Transition& t) { return t.when(d) > -1e-12; });
      if (met == phase.next.end()) return;
      leave(d);
      if (met->to == to_the_end) return void(ended_ = true);
      enter(met->to, d);
    }
  }

  // Above zero: some transition is due, of this algorithm or of one that it calls.
  double awaited(const Director& d) const {
    if (current_ < 0 || ended_) return -unlimited;
    const Phase& phase = phases_[size_t(current_)];
    double most = phase.callee ? phase.callee->awaited(d) : -unlimited;
    for (const Transition& t : phase.next) most = std::max(most, t.when(d));
    return most;
  }

 private:
  static constexpr int to_the_end = -2;

  struct BoundEquation {
    const ProgramEquation* source;
    Quantity quantity;
    ObserveVector to, velocity, over;
    Observe time, weight, within;
  };
  struct Step {
    const ProgramStep* source = nullptr;
    Observe turn;
    std::vector<std::pair<std::string, Observe>> set;
    std::vector<BoundEquation> equations;
  };
  struct Transition {
    Observe when;  // above zero: go
    int to;
  };
  struct Phase {
    std::string name;
    Step enter;
    std::vector<Transition> next;
    std::unique_ptr<Bound> callee;  // what the phase calls
    Observe heading;
  };

  Phase bind(const ProgramPhase& phase, Director& d) const {
    const Side side = side_of(phase.name);
    const int sign = side == Side::right ? -1 : side == Side::left ? 1 : 0;
    Phase bound;
    bound.name = phase.name;
    bound.enter = bind(phase.enter, d, sign);
    if (phase.call) call(*phase.call, sign, d, bound);
    for (const ProgramTransition& t : phase.next)
      bound.next.push_back({formulas_.condition(t, d, sign), find_phase(t, "phase '" + phase.name + "'")});
    return bound;
  }

  void call(const ProgramCall& call, int side, Director& d, Phase& bound) const {
    Arguments arguments;
    for (const auto& [constant, text] : call.with)
      arguments.emplace_back(constant,
                             formulas_.scalar(text, d, side, call.where, "with '" + constant + "'"));
    if (!call.heading.empty()) bound.heading = formulas_.scalar(call.heading, d, side, call.where, "heading");
    const Director::Settings own = d.settings();
    try {
      bound.callee =
          std::make_unique<Bound>(*call.program, d, formulas_.prefix() + bound.name + ": ", arguments);
    } catch (const Error& e) {
      throw within(call.where, "call of '" + call.program->name + "'", e);
    }
    d.restore(own);
  }

  int find_phase(const ProgramTransition& t, const std::string& who) const {
    std::vector<std::string> names;
    for (const ProgramPhase& p : program_.phases) {
      if (p.name == t.to) return int(names.size());
      names.push_back(p.name);
    }
    if (t.to == "done") return to_the_end;
    names.push_back("done");
    throw Error(t.where, who, "there is no phase '" + t.to + "' to go to", did_you_mean(t.to, names));
  }

  Step bind(const ProgramStep& step, Director& d, int side) const {
    Step bound;
    bound.source = &step;
    if (!step.turn.empty()) bound.turn = formulas_.scalar(step.turn, d, side, step.where, "turn");
    for (const std::string& name : step.remove)
      if (!formulas_.has_equation(name))
        throw Error(step.where, "remove", "no equation of this algorithm is called '" + name + "'",
                    did_you_mean(name, formulas_.equation_names()));
    const auto check_link = [&](const std::string& text, const char* what) {
      const std::string link = text.substr(0, text.find(" at "));
      try {
        for (const std::string& one : d.links_of(link)) d.holds(one);
        if (link.size() != text.size()) d.point(text.substr(link.size() + 4));
      } catch (const Error& e) {
        throw within(step.where, what, e);
      }
    };
    for (const std::string& name : step.hold) check_link(name, "hold");
    for (const std::string& name : step.hold_in_air) check_link(name, "hold_in_air");
    for (const std::string& name : step.release) check_link(name, "release");
    for (const std::string& name : step.let_go) check_link(name, "let_go");
    for (const std::string& text : step.grasp) {
      const size_t in = text.find(" in ");
      if (in == std::string::npos)
        throw Error(step.where, "grasp", "'" + text + "' is not LINK in HAND", "write \"box in r_hand\"");
      check_link(text.substr(0, in), "grasp"), check_link(text.substr(in + 4), "grasp");
    }
    for (const auto& [name, text] : step.set)
      bound.set.emplace_back(name, formulas_.scalar(text, d, side, step.where, "set '" + name + "'"));
    for (const ProgramEquation& e : step.equations) {
      const std::string who = (e.cost ? "cost '" : "equation '") + e.name + "'";
      BoundEquation b;
      b.source = &e;
      try {
        b.quantity = parse_quantity(e.quantity, d);
      } catch (const Error& error) {
        throw within(e.where, who, error);
      }
      const size_t wanted = b.quantity.scalar() ? 1 : 3;
      for (const ProgramVector* v : {&e.to, &e.velocity, &e.over})
        if (!v->text.empty() && v->text.size() != wanted)
          throw Error(v->where, who,
                      "has " + std::to_string(v->text.size()) + " values where " + std::to_string(wanted) +
                          (wanted == 1 ? " is" : " are") + " meant",
                      "all three components are written, also where the quantity names fewer");
      const bool place = !e.cost && e.type != LawType::equals;
      b.to = in_world(formulas_.vector(e.to, d, side, who), b.quantity, place);
      b.velocity = in_world(formulas_.vector(e.velocity, d, side, who), b.quantity, false);
      b.over = in_world(formulas_.vector(e.over, d, side, who), b.quantity, false);
      if (!e.time.empty()) b.time = formulas_.scalar(e.time, d, side, e.where, who);
      if (!e.weight.empty()) b.weight = formulas_.scalar(e.weight, d, side, e.where, who);
      if (!e.within.empty()) b.within = formulas_.scalar(e.within, d, side, e.where, who);
      bound.equations.push_back(std::move(b));
    }
    return bound;
  }

  // What the algorithm says in its own axes, in the world's. place: it is where something shall be, not how
  // fast it shall move.
  ObserveVector in_world(ObserveVector own, const Quantity& quantity, bool place) const {
    if (!own || quantity.scalar()) return own;
    double share = 0;  // a difference of two points has no origin
    for (const Quantity::Term& t : quantity.terms) share += t.weight;
    const bool turns = quantity.is_orientation();
    return [own = std::move(own), &frame = formulas_.frame, place, turns, share](const Director& n) {
      const Vec3d v = own(n);
      if (!frame.turned()) return v;
      if (place && turns) return rotation_vector(frame.R * rotation_matrix(v));
      return frame.world_direction(v) + (place ? frame.origin * share : Vec3d());
    };
  }

  static void hold(const std::vector<std::string>& links, Director::Support support, Director& d) {
    for (const std::string& text : links) {
      const size_t at = text.find(" at ");
      for (const std::string& link : d.links_of(text.substr(0, at)))
        d.hold(link, at == std::string::npos ? "" : text.substr(at + 4), support);
    }
  }

  void carry_out(const Step& step, Director& d) {
    const std::string& prefix = formulas_.prefix();
    if (step.turn) {
      const double angle = step.turn(d);
      formulas_.frame.turn_about(d.value(d.center_of_mass()), angle);
      formulas_.turned += angle;
    }
    for (const std::string& name : step.source->remove) d.remove_equation(prefix + name);
    for (const std::string& name : step.source->remove_cost) d.remove_cost(prefix + name);
    for (const std::string& name : step.source->let_go) d.let_go(name);
    for (const std::string& name : step.source->release)
      for (const std::string& link : d.links_of(name)) d.release(link);
    hold(step.source->hold, Director::Support::ground, d);
    hold(step.source->hold_in_air, Director::Support::air, d);
    for (const std::string& text : step.source->grasp)
      d.grasp(text.substr(0, text.find(" in ")), text.substr(text.find(" in ") + 4));
    for (const auto& [name, value] : step.set) formulas_.set(name, value(d));
    for (const BoundEquation& b : step.equations) {
      const double weight = b.weight ? b.weight(d) * d.weight_unit(b.quantity) : 0;
      Quantity quantity = b.quantity;
      quantity.frame = formulas_.frame.R;
      if (b.source->cost) {
        d.add_cost(prefix + b.source->name, quantity, weight, b.to);
        continue;
      }
      Law law;
      law.type = b.source->type;
      if (law.type == LawType::equals || b.source->follow) law.value = b.to;
      if (law.type != LawType::equals && b.to) law.target = b.to(d);
      if (b.velocity) law.velocity = b.velocity(d);
      if (b.over) law.over = b.over(d);
      if (b.time) law.time = b.time(d);
      if (b.within) law.within = b.within(d);
      d.add_equation(prefix + b.source->name, quantity, law, weight);
    }
  }

  void enter(int phase, Director& d) {
    const Phase& here = phases_[size_t(phase)];
    current_ = phase;
    formulas_.phase_start = d.time(), formulas_.done = 0;
    d.enter_phase(formulas_.prefix() + here.name);
    carry_out(here.enter, d);
    if (!here.callee) return;
    own_settings_ = d.settings();
    Frame& frame = here.callee->formulas_.frame;
    frame = formulas_.frame;
    if (here.heading) {
      frame.origin = d.value(d.center_of_mass()), frame.origin.z = 0;
      frame.turn_about(frame.origin, here.heading(d));
    }
    configure(here.callee->program_, d);
    here.callee->start(d);
    here.callee->control(d);
  }

  // What was called goes, with all that it wanted.
  void leave(Director& d) {
    const Phase& here = phases_[size_t(current_)];
    if (!here.callee) return;
    if (here.callee->current_ >= 0) here.callee->leave(d);
    d.remove_all(here.callee->formulas_.prefix());
    d.restore(own_settings_);
  }

  const Program& program_;
  Formulas formulas_;
  Step initialize_;
  std::vector<Phase> phases_;
  int current_ = -1;
  bool ended_ = false;
  Director::Settings own_settings_;  // before the call
};

}  // namespace

void install(const Program& program, Director& director) {
  const auto bound = std::make_shared<Bound>(program, director, "", Bound::Arguments{});
  director.initialize = [bound](Director& d) {
    d.wait_until([bound](const Director& n) { return bound->awaited(n); });
    bound->start(d);
  };
  director.controller = [bound](Director& d) {
    try {
      bound->control(d);
    } catch (const Error& e) {
      d.stop(e.what());
    }
  };
}

}  // namespace legwork
