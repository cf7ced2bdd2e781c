#pragma once
// A closed surface drawn over a row of elliptic sections, as hulls of ships are: limbs that taper, bones with
// thick ends, trunks, snouts, horns.

#include <legwork/creature.h>

namespace legwork {

struct Section {
  Vec3d center;
  double across = 0, along = 0;  // half axes; both 0 only at an end, which then is a point
};

// Sections stand square to a smooth curve through their centres. `across` lies along y as nearly as that
// allows (along x where the row somewhere runs along y, along z where also along x), `along` is square to it:
// for a leg that hangs down, width and depth. Between sections the half axes change monotonically. Ends that
// are no points are rounded off beyond the last section by the smaller half axis, as a capsule's are. At
// least two sections, each at another place than the one before.
Mesh loft(const std::vector<Section>& sections);

}  // namespace legwork
