#include "search/elites.h"

#include <algorithm>
#include <cmath>

namespace legwork {

double kind_distance(const std::vector<double>& a, const std::vector<double>& b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

bool Elites::welcomes(double score, const std::vector<double>& kind) const {
  return std::none_of(elites_.begin(), elites_.end(), [&](const Elite& e) {
    return e.score >= score && kind_distance(e.kind, kind) < apart_;
  });
}

bool Elites::add(Elite elite) {
  if (!welcomes(elite.score, elite.kind)) return false;
  std::erase_if(elites_, [&](const Elite& e) { return kind_distance(e.kind, elite.kind) < apart_; });
  const auto place = std::upper_bound(elites_.begin(), elites_.end(), elite,
                                      [](const Elite& a, const Elite& b) { return a.score > b.score; });
  elites_.insert(place, std::move(elite));
  return true;
}

}  // namespace legwork
