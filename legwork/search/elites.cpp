#include "legwork/search/elites.h"

#include <algorithm>
#include <cmath>

namespace legwork {

double kind_distance(const std::vector<double>& a, const std::vector<double>& b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

bool Elites::add(Elite elite) {
  const auto close = [&](const Elite& e) { return kind_distance(e.kind, elite.kind) < apart_; };
  for (const Elite& e : elites_)
    if (e.score >= elite.score && close(e)) return false;
  std::erase_if(elites_, close);
  const auto place = std::upper_bound(elites_.begin(), elites_.end(), elite,
                                      [](const Elite& a, const Elite& b) { return a.score > b.score; });
  elites_.insert(place, std::move(elite));
  return true;
}

}  // namespace legwork
