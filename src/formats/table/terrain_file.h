#pragma once
// Terrains that lie in files, beside those that parse_terrain makes from a text.

#include <string>

#include "ground/terrain.h"

namespace legwork {

// Any text of terrain_choices: FILE.png:CELL,HEIGHT (grey values, black 0, white HEIGHT), FILE.csv:CELL (rows
// of heights in m, separated by commas, semicolons or blanks), or what parse_terrain reads. The grid is
// centred on the origin, columns along x; the picture's lowest and the table's first row have the smallest y
// of their kind: a picture is seen from above with y up, a table is read downwards along y. Throws Error.
Terrain load_terrain(const std::string& spec);

}  // namespace legwork
