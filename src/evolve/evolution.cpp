#include "evolve/evolution.h"

#include "evolve/parts.h"
#include "evolve/vary.h"

namespace legwork::evolution {

namespace {

constexpr double same_body = 0.35;  // share of children whose network alone is searched further

// "blob_17" of blob or blob_4
std::string child_name(const std::string& parent, bool founder, std::uint64_t number) {
  return (founder ? parent : parent.substr(0, parent.rfind('_'))) + "_" + std::to_string(number);
}

}  // namespace

Evolution::Evolution(std::vector<Creature> founders, const EvolveOptions& options, std::uint64_t seed)
    : options_(options), seed_(seed), population_(options.patience) {
  for (Creature& founder : founders) {
    Newborn first;
    first.number = newborn_.size();
    first.how = "given: " + founder.name;
    std::optional<Creature> whole = put_together(take_apart(founder));
    first.body = whole ? std::move(*whole) : std::move(founder);
    first.plan = plan_of(first.body);
    newborn_.push_back(std::move(first));
  }
}

Newborn Evolution::child(std::uint64_t number) const {
  Random random(seed_, number);
  const Member& parent = population_.choose(random);
  Newborn child;
  child.number = number;
  child.parent = std::int64_t(parent.number);
  child.generation = generation_;
  const Creature& own = bodies_.at(parent.number);
  const bool can_move = !lives_[parent.number].outcome.controller.empty();
  std::optional<Child> varied;
  if (options_.change == EvolveOptions::Change::both && (!can_move || random.uniform() >= same_body))
    varied = vary(own, options_.limbs, random);
  child.born = varied ? generation_ : parent.born;
  child.how = varied ? varied->how : "the same body, searched further";
  child.body = varied ? std::move(varied->body) : own;
  child.body.name = child_name(own.name, lives_[parent.number].parent < 0, number);
  child.plan = plan_of(child.body);
  return child;
}

const std::vector<Newborn>& Evolution::ask() {
  if (newborn_.empty())
    for (int i = 0; i < options_.children; ++i) newborn_.push_back(child(lives_.size() + std::uint64_t(i)));
  return newborn_;
}

void Evolution::tell(const std::vector<Outcome>& outcomes) {
  std::vector<Member> members;
  for (size_t i = 0; i < newborn_.size(); ++i) {
    Newborn& n = newborn_[i];
    lives_.push_back({n.number, n.parent, n.generation, n.born, n.how, n.plan, outcomes[i]});
    members.push_back({n.number, n.born, outcomes[i].score, n.plan});
    bodies_[n.number] = std::move(n.body);
    evaluations_ += outcomes[i].evaluations;
  }
  newborn_.clear();
  population_.add(members, generation_);
  std::erase_if(bodies_, [&](const auto& body) { return !population_.has(body.first); });
  ++generation_;
}

std::vector<std::uint64_t> ancestors(const std::vector<Life>& lives, std::uint64_t number) {
  std::vector<std::uint64_t> line;
  for (std::int64_t at = std::int64_t(number); at >= 0; at = lives[size_t(at)].parent)
    line.push_back(std::uint64_t(at));
  return line;
}

}  // namespace legwork::evolution
