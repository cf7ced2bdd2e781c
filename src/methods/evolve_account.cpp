#include "methods/evolve_account.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "walk/walk.h"

namespace legwork {

using evolution::Member;

namespace {

constexpr double able = 5;  // own lengths that a body which can travel covers

double lengths(const evolution::Life& life) { return life.outcome.distance / life.plan.length; }

// Of one generation.
struct Spell {
  int bodies = 0;
  double best = 0, sum = 0;
  long evaluations = 0;
};
std::vector<Spell> spells_of(const std::vector<evolution::Life>& lives) {
  std::vector<Spell> spells;
  for (const evolution::Life& life : lives) {
    if (int(spells.size()) <= life.generation) spells.resize(size_t(life.generation) + 1);
    Spell& s = spells[size_t(life.generation)];
    ++s.bodies;
    s.best = std::max(s.best, life.outcome.score);
    s.sum += life.outcome.score;
    s.evaluations += life.outcome.evaluations;
  }
  return spells;
}

Panel fitness_panel(const std::vector<Spell>& spells) {
  PlotPanel plot{
      "evaluations", "score", {}, {{"best so far", {}}, {"best of the generation", {}}, {"mean", {}}}};
  double best = 0;
  long evaluations = 0;
  for (const Spell& s : spells) {
    best = std::max(best, s.best);
    plot.x.push_back(double(evaluations += s.evaluations));
    plot.series[0].second.push_back(best);
    plot.series[1].second.push_back(s.best);
    plot.series[2].second.push_back(s.bodies > 0 ? s.sum / s.bodies : 0);
  }
  return {"Fitness", "A point for each generation.", std::move(plot)};
}

TablePanel atlas_table(const Chronicle& chronicle, const std::vector<Shown>& shown) {
  TablePanel table{{"body", "legs", "length (m)", "mass (kg)", "symmetric", "distance (m)", "own lengths",
                    "generation", "ancestors", "legwork walk", "last change"},
                   {}};
  for (const auto& [number, walks] : shown) {
    const evolution::Life& l = chronicle.lives[number];
    table.rows.push_back({double(number), double(l.plan.legs), l.plan.length, l.plan.mass,
                          std::string(l.plan.symmetric ? "yes" : "no"), l.outcome.distance, lengths(l),
                          double(l.generation), double(ancestors(chronicle.lives, number).size() - 1),
                          std::string(walks ? "takes it" : "does not"), l.how});
  }
  return table;
}

// Everybody from whom someone of the population descends: the rest of the tree is dead wood.
std::set<std::uint64_t> forebears(const Chronicle& chronicle) {
  std::set<std::uint64_t> all;
  for (const auto& [key, cell] : chronicle.population.cells())
    for (const Member& member : cell)
      for (const std::uint64_t number : ancestors(chronicle.lives, member.number)) all.insert(number);
  return all;
}

Panel family_panel(const Chronicle& chronicle, const std::vector<Shown>& shown) {
  Value data = Value::object();
  Value::List lives;
  for (const std::uint64_t number : forebears(chronicle)) {
    const evolution::Life& l = chronicle.lives[number];
    lives.push_back({{"number", number},
                     {"parent", l.parent},
                     {"generation", l.generation},
                     {"score", l.outcome.score},
                     {"lengths", lengths(l)},
                     {"legs", l.plan.legs},
                     {"plan", in_words(l.plan)},
                     {"how", l.how}});
  }
  Value::List films;
  for (const Shown& one : shown) films.push_back(one.number);
  data["lives"] = Value::list(std::move(lives));
  data["shown"] = Value::list(std::move(films));
  return {"Family tree",
          "Every ancestor of the living, by generation and score. Click a body to see its line; the ringed "
          "ones are "
          "the films of this page.",
          LivePanel{"family", to_json(data)}};
}

void tell_values(const Chronicle& chronicle, const std::vector<Spell>& spells, Value& values) {
  double best = 0, start = 0, fastest = 0;
  long evaluations = 0;
  for (const Spell& s : spells) best = std::max(best, s.best), evaluations += s.evaluations;
  std::map<int, double> by_legs;  // most own lengths
  for (const evolution::Life& l : chronicle.lives) {
    if (l.parent < 0) start = std::max(start, l.outcome.score);
    fastest = std::max(fastest, l.outcome.speed);
    double& most = by_legs[l.plan.legs];
    if (l.outcome.score > 0) most = std::max(most, lengths(l));
  }
  int able_counts = 0;
  Value::List legs;
  for (const auto& [count, most] : by_legs) {
    able_counts += most >= able && count > 0;
    legs.push_back({{"legs", count}, {"lengths", most}});
  }
  values["bodies"] = chronicle.lives.size();
  values["generations"] = spells.empty() ? 0 : int(spells.size()) - 1;
  values["evaluations"] = evaluations;
  values["best_score"] = best;
  values["start_score"] = start;
  values["fastest"] = fastest;
  values["plans"] = chronicle.population.cells().size();
  values["able_leg_counts"] = able_counts;
  values["by_legs"] = Value::list(std::move(legs));
}

}  // namespace

Chronicle chronicle_of(std::vector<evolution::Life> lives, int patience) {
  Chronicle chronicle{std::move(lives), evolution::Population(patience)};
  const std::vector<evolution::Life>& all = chronicle.lives;
  for (size_t first = 0; first < all.size();) {
    std::vector<Member> members;
    const int generation = all[first].generation;
    for (; first < all.size() && all[first].generation == generation; ++first)
      members.push_back({all[first].number, all[first].born, all[first].outcome.score, all[first].plan});
    chronicle.population.add(members, generation);
  }
  return chronicle;
}

std::string unfit_to_walk(const Creature& body) {
  const int limbs = evolution::plan_of(body).legs, legs = int(body.legs.size());
  if (limbs < 2) return limbs == 0 ? "it stands on no limb" : "it stands on one limb";
  if (legs < limbs)
    return "it stands on " + std::to_string(limbs) + " limbs, of which " +
           (legs == 0   ? "none has"
            : legs == 1 ? "one has"
                        : std::to_string(legs) + " have") +
           " the two joints of a leg";
  World world;
  world.body = body;
  try {
    check_walk(world);
  } catch (const Error& e) {
    return e.who().empty() ? e.problem() : e.who() + ": " + e.problem();
  }
  return {};
}

void tell_evolution(const Chronicle& chronicle, const std::vector<Shown>& shown, Account& account) {
  const std::vector<Spell> spells = spells_of(chronicle.lives);
  Value values = Value::object();
  tell_values(chronicle, spells, values);
  const auto figure = [&](const char* key) {
    const Value& v = *values.find(key);
    return v.number() ? brief(*v.number()) : std::to_string(*v.integer());
  };
  std::vector<Statement> statements;
  statements.push_back({figure("bodies") + " bodies of " + figure("plans") + " plans lived in " +
                        figure("generations") + " generations, in " + figure("evaluations") +
                        " evaluations"});
  statements.push_back({"the best scores " + figure("best_score") +
                        " and the best network of the bodies that it started from " + figure("start_score")});
  statements.push_back({"bodies of " + figure("able_leg_counts") + " leg counts cover " + brief(able) +
                        " of their own lengths or more"});
  if (!shown.empty()) {
    const TablePanel atlas = atlas_table(chronicle, shown);
    std::vector<std::vector<std::string>> rows = {atlas.columns};
    for (const auto& row : atlas.rows) {
      rows.emplace_back();
      for (const TableCell& cell : row)
        rows.back().push_back(std::holds_alternative<double>(cell) ? brief(std::get<double>(cell))
                                                                   : std::get<std::string>(cell));
    }
    statements.push_back({"the atlas, the best body of every plan", aligned(rows), true});
  }
  account.statements.insert(account.statements.begin(), statements.begin(), statements.end());
  std::vector<Panel> panels;
  panels.push_back(family_panel(chronicle, shown));
  panels.push_back(fitness_panel(spells));
  panels.push_back(
      {"Atlas", "The best body of every plan: legs, size and symmetry.", atlas_table(chronicle, shown)});
  account.panels.insert(account.panels.begin(), std::make_move_iterator(panels.begin()),
                        std::make_move_iterator(panels.end()));
  account.values.join(values);
}

void tell_body(const Chronicle& chronicle, const evolution::Life& life, const Creature& body,
               Account& account) {
  account.title = "body " + std::to_string(life.number) + ": " + in_words(life.plan);
  std::vector<std::string> line;
  if (life.number < chronicle.lives.size())
    for (const std::uint64_t number : ancestors(chronicle.lives, life.number))
      line.push_back(std::to_string(number) + " (" + chronicle.lives[number].how + ")");
  account.statements.insert(
      account.statements.begin(),
      {"body " + std::to_string(life.number) + " of generation " + std::to_string(life.generation) + ": " +
       in_words(life.plan) + ", covers " + brief(lengths(life)) + " of its own lengths"});
  const std::string unfit = unfit_to_walk(body);
  account.statements.push_back(
      {unfit.empty() ? "legwork walk takes it" : "legwork walk does not take it: " + unfit});
  if (!line.empty()) account.statements.push_back({"its line is " + join(line, ", from ")});
  account.values["body"] = life.number;
}

}  // namespace legwork
