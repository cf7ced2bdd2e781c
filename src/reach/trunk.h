#pragma once
// What lies between two girdles: every way the trunk can bend, and which samples of the second girdle's limb
// it can reach from a pose of the first (Wills 2008, ch. III, "Quadrupedal gait reconstruction").

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reach/candidates.h"

namespace legwork::reaching {

// All joints between the ends bend alike: to one side by a share of their range, and up or down by another.
struct Trunk {
  struct Bend {
    Mat3d R;  // second girdle from standing, seen from the first
    Vec3d v;  // from the first root point to the second, in axes of the first as it stands
    double lateral, dorsoventral;  // shares of the ranges
  };
  struct Joint {
    int q, v;  // indices in the creature
    double rest, low, high, sign;
    bool sideways;
  };
  std::vector<Joint> joints;
  std::vector<Bend> bends;
  Vec3d straight;      // v as the creature stands
  double spacing = 0;  // m, largest between neighbouring bends
  double shift = 0;    // m by which the second girdle's feet may come down further forward than they stand
  bool rigid() const { return bends.size() == 1; }
  // Sets the trunk's coordinates.
  void bend(const Bend& bend, std::vector<double>& q) const;
};
Trunk make_trunk(const Creature& creature, const Girdle& from, const Girdle& to, int samples);

// Finds the candidates of a limb within reach of a pose of the other girdle. Poses are rounded to half a box
// and half of the tolerance, so that each list is made once; bends between two of the trunk's samples count:
// boxes within half of their distance are looked at, of a stiff trunk
// the neighbours.
class TrunkReach {
 public:
  TrunkReach(const Trunk& trunk, const Candidates& candidates, const Boxes& boxes, double tolerance,
             const std::vector<char>* eligible = nullptr);
  // Candidates, rising. The reference holds until the next call that makes a list.
  const std::vector<std::uint32_t>& list(const RootPose& pose);
  // Names a rounded pose.
  std::uint64_t key(const RootPose& pose) const;

 private:
  std::vector<std::uint32_t> make(const RootPose& pose) const;
  void look(int box, const Turns& t, std::vector<std::uint32_t>& found) const;
  RootPose rounded(std::uint64_t key) const;

  const Trunk& trunk_;
  const Candidates& candidates_;
  const Boxes& boxes_;
  double tolerance_, length_, angle_;
  int around_;  // boxes
  const std::vector<char>* eligible_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> lists_;
  std::size_t held_ = 0;  // entries of all lists
};

}  // namespace legwork::reaching
