#pragma once
// Meshes from files.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// Reads a Wavefront OBJ, an STL (binary or ASCII), a Collada DAE, MuJoCo's MSH or a GLB by the ending of its
// name. Polygons become fans of triangles, vertices at one place become one, unused ones are left out;
// materials, normals and animation are not read. OBJ, STL and MSH are taken as they are (metres, Z up); a DAE
// has its node transforms, unit and up axis applied; a GLB has its node transforms applied and is turned from
// glTF's Y up, Z forward to Z up, X forward. Throws Error with the file (and for text the line). Files above
// 256 MB or 4 million triangles are refused.
Mesh read_mesh(const std::string& path);

}  // namespace legwork
