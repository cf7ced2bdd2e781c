#pragma once
// A shape of a creature file: { capsule = 0.01, from = [0, 0, 0], to = [0, 0, -0.2], color = "#a08060" }.

#include "formats/toml/toml_link.h"

namespace legwork {

// `start` holds what the link says about all of its shapes: density, color, touches.
Shape read_shape(TomlTable& table, const TomlUnits& units, const Shape& start);

// [r, g, b] from 0 to 1, or "#rrggbb"; nothing where the key is absent.
std::optional<std::array<double, 3>> read_color(TomlTable& table);

}  // namespace legwork
