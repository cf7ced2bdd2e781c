#pragma once

#include <string>

#include <legwork/creature.h>

namespace legwork {

// All triangles of a GLB's scene in one mesh, nodes applied, Z up and X forward. Throws Error.
Mesh read_glb_mesh(const std::string& path, std::size_t most_triangles);

}  // namespace legwork
