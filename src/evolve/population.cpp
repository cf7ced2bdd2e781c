#include "evolve/population.h"

#include <algorithm>

namespace legwork::evolution {

namespace {

constexpr std::size_t most_of_a_cell = 5;

// Scores first; of equals the one that was first.
bool better(const Member& a, const Member& b) {
  return a.score != b.score ? a.score > b.score : a.number < b.number;
}

}  // namespace

void Population::thin(std::vector<Member>& cell, int generation) const {
  std::sort(cell.begin(), cell.end(), better);
  std::vector<Member> left;
  int youngest = -1;  // birth of the youngest of those that are better
  for (const Member& m : cell) {
    const bool protected_still = m.born > youngest && generation - m.born < patience_;
    if (!left.empty() && !protected_still) continue;
    if (left.size() < most_of_a_cell) left.push_back(m);
    youngest = std::max(youngest, m.born);
  }
  cell = std::move(left);
}

void Population::add(const std::vector<Member>& members, int generation) {
  for (const Member& m : members) cells_[m.plan.cell()].push_back(m);
  for (auto& [key, cell] : cells_) thin(cell, generation);
}

const Member& Population::choose(Random& random) const {
  const auto cell = [&]() -> const std::vector<Member>& {
    auto at = cells_.begin();
    std::advance(at, random.index(int(cells_.size())));
    return at->second;
  };
  const std::vector<Member>&a = cell(), &b = cell();
  const std::vector<Member>& chosen = better(b.front(), a.front()) ? b : a;
  return chosen[size_t(random.index(int(chosen.size())))];
}

bool Population::has(std::uint64_t number) const {
  for (const auto& [key, cell] : cells_)
    for (const Member& m : cell)
      if (m.number == number) return true;
  return false;
}

std::vector<Member> Population::best() const {
  std::vector<Member> all;
  for (const auto& [key, cell] : cells_) all.push_back(cell.front());
  std::sort(all.begin(), all.end(), better);
  return all;
}

}  // namespace legwork::evolution
