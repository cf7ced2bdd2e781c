#pragma once
// How far the holes of a triangle mesh leave its volume unknown.

#include <legwork/creature.h>

namespace legwork {

// The share, 0 to 1, of a mesh's volume that no triangle bounds: every hole is closed by a fan of triangles
// about the middle of its rim, and tetrahedra reach from the middle of the surface to all triangles. 0 for a
// closed mesh; 0 but for rounding where triangles meet without sharing vertices, as many a published mesh has
// it, since the fans over such cracks have no area. oriented: triangles that disagree on which side is
// outside leave a hole as well.
double open_share(const Mesh& mesh, bool oriented);

}  // namespace legwork
