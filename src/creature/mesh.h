#pragma once
// Triangle meshes as solids.

#include <optional>

#include <legwork/creature.h>

namespace legwork {

struct MassProperties {
  double mass = 0;
  Vec3d com;
  Sym3d inertia;  // about com
};

// Mass, centre and inertia of the solid inside, exact but for rounding, in the mesh's own frame. Signed
// tetrahedra from one point to every triangle: Lien and Kajiya, "A symbolic method for calculating the
// integral properties of arbitrary nonconvex polyhedra", IEEE CG&A 4(10), 1984. Inside-out meshes give a
// negative mass.
MassProperties mass_properties(const Mesh& mesh, double density);

// Why a mesh does not bound a solid, and what to try; nothing when it does.
std::optional<Error> mesh_fault(const Mesh& mesh);

// The same surface with vertices at one place (equal coordinates) made one; collapsed triangles and
// unused vertices are left out.
Mesh weld(const Mesh& mesh);

}  // namespace legwork
