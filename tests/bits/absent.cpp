// Files whose readers need libraries that a bare compiler lacks. No body in results.cpp names one.

#include <legwork/error.h>
#include "formats/foreign.h"
#include "formats/mesh/mesh_dae.h"
#include "formats/mesh/mesh_glb.h"
#include "formats/table/terrain_file.h"

namespace legwork {

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error({path, 0}, "", "cannot be read by this program", "");
}

}  // namespace

Mesh read_dae_mesh(const std::string& path, const std::string&, std::size_t) { refuse(path); }
Mesh read_glb_mesh(const std::string& path, std::size_t) { refuse(path); }
Creature read_foreign(const std::string& path) { refuse(path); }
Terrain load_terrain(const std::string& spec) { return parse_terrain(spec); }

}  // namespace legwork
