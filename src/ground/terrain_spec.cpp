// Terrains from texts, formulas and seeds.

#include <charconv>
#include <cmath>

#include <legwork/error.h>
#include "base/random.h"
#include "base/text.h"
#include "base/within.h"
#include "ground/terrain.h"
#include "math/expression.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr int max_nodes = 4000000;  // in a grid: 32 MB
constexpr int noise_nodes = 1001;   // along an edge of rough and bumps
constexpr int per_wave = 12;        // cells in a wavelength

[[noreturn]] void fail(const std::string& spec, const std::string& problem, const std::string& advice = {}) {
  throw Error({}, "terrain '" + spec + "'", problem, advice);
}

// Splits at commas outside brackets.
std::vector<std::string> arguments(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool read_number(std::string_view text, double& value) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

struct Spec {
  std::string text, kind;
  std::vector<std::string> args;  // empty without a colon

  double number(std::size_t i, const char* what) const {
    double value = 0;
    if (!read_number(args[i], value))
      fail(text, std::string(what) + " '" + args[i] + "' is not a number", "try 0.05");
    return value;
  }
  double positive(std::size_t i, const char* what) const {
    const double value = number(i, what);
    if (!(value > 0)) fail(text, std::string(what) + " " + args[i] + " must be above 0");
    return value;
  }
  void count(std::size_t least, std::size_t most, const char* usage) const {
    if (args.size() < least || args.size() > most)
      fail(text,
           "needs " +
               (least == most ? std::to_string(least)
                              : std::to_string(least) + " to " + std::to_string(most)) +
               (most == 1 ? " value" : " values"),
           std::string("write ") + usage);
  }
};

double read_angle(const Spec& spec) {
  std::string_view text = spec.args[0];
  double scale = 0, value = 0;
  if (text.ends_with("deg")) scale = pi / 180;
  if (text.ends_with("rad")) scale = 1;
  if (scale == 0)
    fail(spec.text, "angle '" + spec.args[0] + "' has no unit", "try slope:10deg or slope:0.17rad");
  text.remove_suffix(3);
  if (!read_number(text, value))
    fail(spec.text, "angle '" + spec.args[0] + "' is not a number", "try slope:10deg");
  if (std::fabs(value * scale) > 80.001 * pi / 180)
    fail(spec.text, "angle " + spec.args[0] + " is too steep", "at most 80deg");
  return value * scale;
}

std::uint64_t read_seed(const Spec& spec, std::size_t i) {
  std::uint64_t seed = 0;
  const std::string& text = spec.args[i];
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (status != std::errc() || end != text.data() + text.size())
    fail(spec.text, "seed '" + text + "' is not a whole number", "try 7");
  return seed;
}

// Nodes centred on the origin; height of (x, y) from a function.
template <class Height>
HeightGrid make_grid(int n, double cell, const Height& height) {
  HeightGrid g;
  g.nx = g.ny = n;
  g.cell = cell;
  g.x0 = g.y0 = -0.5 * (n - 1) * cell;
  g.height.resize(std::size_t(n) * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) g.height[std::size_t(j) * n + i] = height(g.x0 + i * cell, g.y0 + j * cell);
  return g;
}

// Value noise: random values on a lattice of spacing 1, joined by a smooth step in both directions, so within
// [-1, 1]. The lattice points in [-reach, reach + 1] are drawn once.
class Noise {
 public:
  Noise(int reach, std::uint32_t octave, std::uint64_t seed) : reach_(reach), n_(2 * reach + 2) {
    values_.reserve(std::size_t(n_) * n_);
    for (std::int32_t j = -reach; j <= reach + 1; ++j)
      for (std::int32_t i = -reach; i <= reach + 1; ++i) {
        const auto bits = philox({std::uint32_t(i), std::uint32_t(j), octave, 0x7e44a1},
                                 {std::uint32_t(seed), std::uint32_t(seed >> 32)});
        values_.push_back(double(bits[0]) * 0x1p-31 - 1);
      }
  }
  double operator()(double x, double y) const {
    const double fx = std::floor(x), fy = std::floor(y);
    const auto smooth = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    const double u = smooth(x - fx), v = smooth(y - fy);
    const double* at = values_.data() + std::size_t(int(fy) + reach_) * n_ + (int(fx) + reach_);
    const double low = at[0] + u * (at[1] - at[0]), high = at[n_] + u * (at[n_ + 1] - at[n_]);
    return low + v * (high - low);
  }

 private:
  int reach_, n_;
  std::vector<double> values_;
};

Terrain parse_kind(const Spec& spec) {
  if (spec.kind == "none" || spec.kind == "plane") {
    if (!spec.args.empty()) fail(spec.text, "takes no values", "write " + spec.kind);
    return spec.kind == "none" ? no_terrain() : Terrain{};
  }
  if (spec.kind == "slope") {
    spec.count(1, 1, "slope:10deg");
    return slope_terrain(read_angle(spec));
  }
  if (spec.kind == "steps") {
    spec.count(2, 2, "steps:RISE,RUN in metres, as steps:0.05,0.3");
    return steps_terrain(spec.number(0, "rise"), spec.positive(1, "run"));
  }
  if (spec.kind == "rough") {
    spec.count(2, 3, "rough:AMPLITUDE,WAVELENGTH[,SEED] in metres, as rough:0.02,0.3");
    return rough_terrain(spec.number(0, "amplitude"), spec.positive(1, "wavelength"),
                         spec.args.size() > 2 ? read_seed(spec, 2) : 1);
  }
  if (spec.kind == "bumps") {
    spec.count(2, 2, "bumps:HEIGHT,WAVELENGTH in metres, as bumps:0.004,0.03");
    return bumps_terrain(spec.number(0, "height"), spec.positive(1, "wavelength"));
  }
  spec.count(1, 3, "formula:EXPRESSION[,CELL[,WIDTH]], as formula:0.02*sin(10*x)");
  const double cell = spec.args.size() > 1 ? spec.positive(1, "cell") : 0.02;
  const double width = spec.args.size() > 2 ? spec.positive(2, "width") : 1000 * cell;
  try {
    return formula_terrain(spec.args[0], cell, width);
  } catch (const Error& error) {
    throw within({}, "terrain '" + spec.text + "'", error);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> terrain_choices() {
  return {
      {"plane", "level ground at height 0"},
      {"none", "no ground at all"},
      {"slope:10deg", "rises along x; negative: falls"},
      {"steps:RISE,RUN", "stairs along x, m: steps:0.05,0.3"},
      {"rough:AMPLITUDE,WAVELENGTH[,SEED]", "random hills, m: rough:0.02,0.3"},
      {"bumps:HEIGHT,WAVELENGTH", "an egg crate, m: bumps:0.004,0.03"},
      {"formula:EXPRESSION[,CELL[,WIDTH]]", "height of x and y, m: formula:0.02*sin(10*x)"},
      {"FILE.png:CELL,HEIGHT", "grey values as heights up to HEIGHT, CELL m a pixel"},
      {"FILE.csv:CELL", "rows of heights in m, CELL m apart"},
  };
}

Terrain parse_terrain(const std::string& text) {
  Spec spec;
  spec.text = text;
  const std::size_t colon = text.find(':');
  spec.kind = text.substr(0, colon);
  if (colon != std::string::npos) spec.args = arguments(text.substr(colon + 1));
  const std::vector<std::string> kinds = {"plane", "none", "slope", "steps", "rough", "bumps", "formula"};
  bool known = false;
  for (const std::string& kind : kinds) known = known || kind == spec.kind;
  if (!known) fail(text, "unknown terrain", did_you_mean(spec.kind, kinds));
  Terrain terrain = parse_kind(spec);
  terrain.spec = text;
  return terrain;
}

Terrain no_terrain() {
  Terrain t;
  t.type = TerrainType::none;
  t.spec = "none";
  return t;
}

Terrain slope_terrain(double angle) {
  Terrain t;
  t.type = TerrainType::slope;
  t.angle = angle;
  double s, c;
  sin_cos(angle, s, c);
  t.normal = {-s, 0, c};
  t.spec = "slope:" + to_text(angle) + "rad";
  return t;
}

Terrain steps_terrain(double rise, double run) {
  Terrain t;
  t.type = TerrainType::steps;
  t.rise = rise;
  t.run = run;
  t.spec = "steps:" + to_text(rise) + "," + to_text(run);
  return t;
}

Terrain field_terrain(HeightGrid grid, const std::string& who) {
  if (grid.nx < 2 || grid.ny < 2 || grid.height.size() != std::size_t(grid.nx) * grid.ny)
    throw Error({}, who, "a height field needs at least 2 x 2 heights, the same number in every row");
  if (!(grid.cell > 0)) throw Error({}, who, "cell must be above 0");
  for (std::size_t i = 0; i < grid.height.size(); ++i)
    if (!std::isfinite(grid.height[i]))
      throw Error({}, who,
                  "height at x = " + to_text(grid.x0 + double(i % grid.nx) * grid.cell) +
                      ", y = " + to_text(grid.y0 + double(i / grid.nx) * grid.cell) + " is not finite");
  Terrain t;
  t.type = TerrainType::field;
  t.spec = who;
  t.grid = std::move(grid);
  return t;
}

Terrain formula_terrain(const std::string& formula, double cell, double width) {
  const Expression height(formula, {"x", "y"});
  const double nodes = std::ceil(width / cell) + 1;
  if (nodes * nodes > max_nodes)
    throw Error({}, "formula '" + formula + "'",
                to_text(width) + " m in cells of " + to_text(cell) + " m are too many",
                "at most 2000 x 2000 heights, so take a larger cell or a smaller width");
  Terrain t = field_terrain(make_grid(std::max(2, int(nodes)), cell,
                                      [&](double x, double y) {
                                        const double values[] = {x, y};
                                        return height(values);
                                      }),
                            "formula '" + formula + "'");
  t.spec = "formula:" + formula + "," + to_text(cell) + "," + to_text(width);
  return t;
}

Terrain rough_terrain(double amplitude, double wavelength, std::uint64_t seed) {
  constexpr int reach = (noise_nodes - 1) / 2 / per_wave + 1;
  const Noise octaves[] = {{reach, 0, seed}, {2 * reach, 1, seed}, {4 * reach, 2, seed}};
  const auto height = [&](double x, double y) {
    double sum = 0, share = 4.0 / 7, scale = 1 / wavelength;
    for (const Noise& octave : octaves) {
      sum += share * octave(x * scale, y * scale);
      share *= 0.5;
      scale *= 2;
    }
    return amplitude * sum;
  };
  Terrain t = field_terrain(make_grid(noise_nodes, wavelength / per_wave, height), "rough");
  t.spec = "rough:" + to_text(amplitude) + "," + to_text(wavelength) + "," + std::to_string(seed);
  return t;
}

Terrain bumps_terrain(double height, double wavelength) {
  const auto wave = [&](double x) {
    double s, c;
    sin_cos(2 * pi / wavelength * x, s, c);
    return 0.5 * (1 - c);
  };
  Terrain t = field_terrain(make_grid(noise_nodes, wavelength / per_wave,
                                      [&](double x, double y) { return height * wave(x) * wave(y); }),
                            "bumps");
  t.spec = "bumps:" + to_text(height) + "," + to_text(wavelength);
  return t;
}

}  // namespace legwork
