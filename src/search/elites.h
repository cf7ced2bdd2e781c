#pragma once
// Quality-diversity: the best of every kind.
//
// MAP-Elites (Mouret and Clune 2015) with an unstructured container (Cully and Demiris 2018): kinds are
// points of a descriptor space, and two points closer than `apart` are of one kind, of which only the better
// is kept. A grid would need its ranges known and grows with the power of the dimensions; this one does not.

#include <cstdint>
#include <vector>

namespace legwork {

struct Elite {
  std::uint64_t number = 0;  // whatever the caller knows it by
  double score = 0;
  std::vector<double> kind;
};

class Elites {
 public:
  explicit Elites(double apart) : apart_(apart) {}

  // Keeps it unless a better one (or an equal one that was first) is closer than `apart`; those that it
  // betters within that distance go. True when it was kept.
  bool add(Elite elite);
  // Whether add would keep it.
  bool welcomes(double score, const std::vector<double>& kind) const;

  // By score, best first; pairwise at least `apart` apart.
  const std::vector<Elite>& all() const { return elites_; }
  double apart() const { return apart_; }

 private:
  double apart_;
  std::vector<Elite> elites_;
};

// Euclidean.
double kind_distance(const std::vector<double>& a, const std::vector<double>& b) noexcept;

}  // namespace legwork
