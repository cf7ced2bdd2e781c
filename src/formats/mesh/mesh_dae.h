#pragma once
// Collada, the exchange format of the Khronos group: the triangles of its scene.

#include <cstddef>
#include <string>

#include <legwork/creature.h>

namespace legwork {

// In metres, Z up. Throws Error naming path.
Mesh read_dae_mesh(const std::string& path, const std::string& text, std::size_t most_triangles);

}  // namespace legwork
