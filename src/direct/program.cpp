// A program bound to a creature, and carried out.

#include "direct/program.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "base/within.h"
#include "creature/side.h"
#include "direct/formulas.h"

namespace legwork {

namespace {

class Bound {
 public:
  Bound(const Program& program, Director& director) : formulas_(program) {
    initialize_ = bind(program.initialize, director, 0);
    for (const ProgramPhase& phase : program.phases) {
      const Side side = side_of(phase.name);
      const int sign = side == Side::right ? -1 : side == Side::left ? 1 : 0;
      Phase bound{phase.name, bind(phase.enter, director, sign), {}};
      for (const ProgramTransition& t : phase.next) {
        const auto to = std::find_if(program.phases.begin(), program.phases.end(),
                                     [&](const ProgramPhase& p) { return p.name == t.to; });
        if (to == program.phases.end()) {
          std::vector<std::string> names;
          for (const ProgramPhase& p : program.phases) names.push_back(p.name);
          throw Error(t.where, "phase '" + phase.name + "'", "there is no phase '" + t.to + "' to go to",
                      did_you_mean(t.to, names));
        }
        bound.next.push_back({formulas_.condition(t, director, sign), int(to - program.phases.begin())});
      }
      phases_.push_back(std::move(bound));
    }
  }

  void start(Director& d) {
    current_ = -1;
    carry_out(initialize_, d);
  }

  void control(Director& d) {
    if (phases_.empty()) return;
    if (current_ < 0) return enter(0, d);
    // one transition may lead straight to the next, but not round in circles within an instant
    for (size_t hops = 0; hops < phases_.size(); ++hops) {
      const Phase& phase = phases_[size_t(current_)];
      const auto met = std::find_if(phase.next.begin(), phase.next.end(),
                                    [&](const Transition& t) { return t.when(d) > -1e-12; });
      if (met == phase.next.end()) return;
      enter(met->to, d);
    }
  }

 private:
  struct BoundEquation {
    const ProgramEquation* source;
    Quantity quantity;
    ObserveVector to, velocity, over;
    Observe time, weight, within;
  };
  struct Step {
    const ProgramStep* source = nullptr;
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
  };

  Step bind(const ProgramStep& step, Director& d, int side) const {
    Step bound;
    bound.source = &step;
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
      b.to = formulas_.vector(e.to, d, side, who), b.velocity = formulas_.vector(e.velocity, d, side, who);
      b.over = formulas_.vector(e.over, d, side, who);
      if (!e.time.empty()) b.time = formulas_.scalar(e.time, d, side, e.where, who);
      if (!e.weight.empty()) b.weight = formulas_.scalar(e.weight, d, side, e.where, who);
      if (!e.within.empty()) b.within = formulas_.scalar(e.within, d, side, e.where, who);
      bound.equations.push_back(std::move(b));
    }
    return bound;
  }

  static void hold(const std::vector<std::string>& links, Director::Support support, Director& d) {
    for (const std::string& text : links) {
      const size_t at = text.find(" at ");
      for (const std::string& link : d.links_of(text.substr(0, at)))
        d.hold(link, at == std::string::npos ? "" : text.substr(at + 4), support);
    }
  }

  void carry_out(const Step& step, Director& d) {
    for (const std::string& name : step.source->remove) d.remove_equation(name);
    for (const std::string& name : step.source->remove_cost) d.remove_cost(name);
    for (const std::string& name : step.source->release)
      for (const std::string& link : d.links_of(name)) d.release(link);
    hold(step.source->hold, Director::Support::ground, d);
    hold(step.source->hold_in_air, Director::Support::air, d);
    for (const auto& [name, value] : step.set) formulas_.set(name, value(d));
    for (const BoundEquation& b : step.equations) {
      const double weight = b.weight ? b.weight(d) * d.weight_unit(b.quantity) : 0;
      if (b.source->cost) {
        d.add_cost(b.source->name, b.quantity, weight, b.to);
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
      d.add_equation(b.source->name, b.quantity, law, weight);
    }
  }

  void enter(int phase, Director& d) {
    current_ = phase;
    d.enter_phase(phases_[size_t(phase)].name);
    carry_out(phases_[size_t(phase)].enter, d);
    const Phase* here = &phases_[size_t(phase)];
    if (here->next.empty()) return d.wait_until({});
    d.wait_until([here](const Director& n) {
      double most = -INFINITY;
      for (const Transition& t : here->next) most = std::max(most, t.when(n));
      return most;
    });
  }

  Formulas formulas_;
  Step initialize_;
  std::vector<Phase> phases_;
  int current_ = -1;
};

}  // namespace

void install(const Program& program, Director& director) {
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
  const auto bound = std::make_shared<Bound>(program, director);
  director.initialize = [bound](Director& d) { bound->start(d); };
  director.controller = [bound](Director& d) {
    try {
      bound->control(d);
    } catch (const Error& e) {
      d.stop(e.what());
    }
  };
}

}  // namespace legwork
