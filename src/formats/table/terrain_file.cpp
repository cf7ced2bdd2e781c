#include "formats/table/terrain_file.h"

#include <stb/stb_image.h>

#include <charconv>
#include <cmath>
#include <memory>

#include <legwork/error.h>
#include <legwork/options.h>
#include "formats/file.h"

namespace legwork {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t(256) << 20;
constexpr int most_nodes = 16000000;

double positive(const std::string& spec, const std::string& text, const char* what) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end || !std::isfinite(value) || value <= 0)
    throw Error({}, "terrain '" + spec + "'", std::string(what) + " '" + text + "' must be a number above 0");
  return value;
}

void center(HeightGrid& grid) {
  grid.x0 = -0.5 * (grid.nx - 1) * grid.cell;
  grid.y0 = -0.5 * (grid.ny - 1) * grid.cell;
}

HeightGrid read_png(const std::string& file, double cell, double height) {
  const std::string bytes = read_file(file, largest_file);
  int channels = 0;
  HeightGrid grid;
  grid.cell = cell;
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  if (!stbi_info_from_memory(data, int(bytes.size()), &grid.nx, &grid.ny, &channels))
    throw Error({file}, "", "not a picture that can be read", "use PNG in grey");
  if (std::int64_t(grid.nx) * grid.ny > most_nodes)
    throw Error({file}, "",
                std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " pixels are too many",
                "at most 16 million");
  const std::unique_ptr<stbi_us, void (*)(void*)> pixels(
      stbi_load_16_from_memory(data, int(bytes.size()), &grid.nx, &grid.ny, &channels, 1), stbi_image_free);
  if (!pixels) throw Error({file}, "", std::string("the picture is damaged: ") + stbi_failure_reason());
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i)
      grid.height.push_back(height * pixels.get()[std::size_t(grid.ny - 1 - j) * grid.nx + i] / 65535);
  return grid;
}

HeightGrid read_csv(const std::string& file, double cell) {
  const std::string text = read_file(file, largest_file);
  HeightGrid grid;
  grid.cell = cell;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ++line;
    int columns = 0;
    const char *at = text.data() + begin, *stop = text.data() + end;
    while (at < stop) {
      if (*at == ',' || *at == ';' || *at == ' ' || *at == '\t' || *at == '\r') {
        ++at;
        continue;
      }
      double value = 0;
      const auto [rest, status] = std::from_chars(at, stop, value);
      if (status != std::errc() || !std::isfinite(value))
        throw Error({file, line}, "column " + std::to_string(columns + 1), "not a finite number",
                    "heights are in m");
      grid.height.push_back(value);
      ++columns;
      at = rest;
    }
    if (columns > 0) {
      if (grid.ny == 0) grid.nx = columns;
      if (columns != grid.nx)
        throw Error(
            {file, line}, "",
            std::to_string(columns) + " heights, but " + std::to_string(grid.nx) + " in the first row",
            "every row needs as many");
      ++grid.ny;
    }
    begin = end + 1;
  }
  return grid;
}

}  // namespace

Terrain load_terrain(const std::string& spec) {
  // the last colon: paths may hold one
  const std::size_t colon = spec.rfind(':');
  const std::string file = spec.substr(0, colon);
  const bool png = file.ends_with(".png"), csv = file.ends_with(".csv");
  if (!png && !csv) return parse_terrain(spec);
  const std::string who = "terrain '" + spec + "'";
  std::vector<std::string> values;
  if (colon != std::string::npos) values = split_commas(spec.substr(colon + 1));
  if (png && values.size() != 2)
    throw Error({}, who, "needs the size of a pixel and the height of white in m",
                "write " + file + ":0.01,0.1");
  if (csv && values.size() != 1)
    throw Error({}, who, "needs the distance of neighbours in m", "write " + file + ":0.01");
  const double cell = positive(spec, values[0], "cell");
  HeightGrid grid = png ? read_png(file, cell, positive(spec, values[1], "height")) : read_csv(file, cell);
  center(grid);
  Terrain terrain = field_terrain(std::move(grid), file);
  terrain.spec = spec;
  return terrain;
}

}  // namespace legwork
