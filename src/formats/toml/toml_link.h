#pragma once
// A [[link]] of a creature file: its place, joints, shapes and mass. docs/creature_file.md has the grammar.

#include <legwork/creature.h>
#include "formats/toml/toml_reader.h"

namespace legwork {

// The unit in which a file writes angles.
struct TomlUnits {
  double angle = 1;  // rad
};

// angles = "rad" or "deg".
TomlUnits read_units(TomlTable& top);

// Fills the link with what the table says. A link that came with a base keeps what the table leaves open.
void read_link(TomlTable& table, const TomlUnits& units, bool from_base, Link& link);

// A place: pos and rot or quat of `table`.
void read_place(TomlTable& table, const TomlUnits& units, Vec3d& pos, Quatd& rot);
// The same as the value of a key: { pos, rot } or just [x, y, z].
void read_place(TomlTable& table, std::string_view key, const TomlUnits& units, Vec3d& pos, Quatd& rot);
// Three angles about the fixed axes x, y, z in turn, or a quaternion w x y z.
Quatd to_rotation(const TomlTable& table, const TomlNode& node, const TomlUnits& units,
                  const std::string& what);
// gravity = 9.81, downward, or a vector.
std::optional<Vec3d> read_gravity(TomlTable& top);
// A direction: [x, y, z], or a letter "x", "y", "z" with an optional sign. Unit.
Vec3d to_direction(const TomlTable& table, const TomlNode& node);

// The unit of a joint's degree of freedom in the file, as a factor: angles in units.angle, the rest 1.
double dof_unit(const Joint& joint, int dof, const TomlUnits& units);

}  // namespace legwork
