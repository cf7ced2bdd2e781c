#pragma once
// A joint of a creature file: { hinge = [0, 1, 0], range = [-70, 70], damper = 0.02 }.

#include "formats/toml/toml_link.h"

namespace legwork {

// A whole joint of its own; `table` must name its kind. default_name: where the table gives none.
Joint read_joint(TomlTable& table, const TomlUnits& units, const std::string& default_name);

// Changes fields of a joint of the base; the kind stays.
void override_joint(TomlTable& table, const TomlUnits& units, Joint& joint);

}  // namespace legwork
