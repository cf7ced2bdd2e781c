// The reading side of glb.h.

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "creature/tree.h"
#include "formats/account_json.h"
#include "formats/gltf/glb.h"
#include "formats/gltf/glb_file.h"
#include "formats/toml/creature_toml.h"

namespace legwork {

namespace {

using Json = nlohmann::ordered_json;

// The file says something it cannot mean.
struct Damage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

double read_number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "nan" || text == "-nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return unlimited;
  if (text == "-inf") return -unlimited;
  throw Damage("'" + text + "' is not a number");
}

std::uint64_t read_count(const Json& json) {
  if (!json.is_number_unsigned()) throw Damage(json.dump() + " is not a count");
  return json.get<std::uint64_t>();
}

Status read_status(const std::string& text) {
  for (const Status s : {Status::ok, Status::fell, Status::diverged, Status::stopped})
    if (text == to_string(s)) return s;
  throw Damage("its status '" + text + "' is unknown");
}

std::vector<double> read_rows(GlbReader& file, const Json& array, const std::string& name, std::uint64_t rows,
                              std::uint64_t width) {
  const std::uint64_t offset = read_count(array.at("offset"));
  if (offset > file.binary_bytes() || width > file.binary_bytes() ||
      rows * width > (file.binary_bytes() - offset) / sizeof(double))
    throw Damage("'" + name + "' reaches beyond the end of the data");
  std::vector<double> out(rows * width);
  file.read(offset, out.data(), out.size() * sizeof(double));
  return out;
}

std::vector<double> read_array(GlbReader& file, const Json& array, const std::string& name,
                               std::uint64_t frames, std::uint64_t width) {
  if (read_count(array.at("width")) != width)
    throw Damage("'" + name + "' has " + array.at("width").dump() + " values a frame instead of " +
                 std::to_string(width));
  return read_rows(file, array, name, frames, width);
}

Terrain read_terrain(GlbReader& file, const Json& json) {
  const std::uint64_t type = read_count(json.at("type"));
  if (type > std::uint64_t(TerrainType::field)) throw Damage("its terrain is of an unknown type");
  const std::string spec = json.at("spec");
  // heights that are not in the file are those that the text makes
  const bool made = TerrainType(type) == TerrainType::field && !json.contains("grid");
  Terrain t = made ? parse_terrain(spec) : Terrain{};
  t.type = TerrainType(type), t.spec = spec;
  t.height = read_number(json.at("height")), t.angle = read_number(json.at("angle"));
  t.rise = read_number(json.at("rise")), t.run = read_number(json.at("run"));
  for (int i = 0; i < 3; ++i) t.normal[i] = read_number(json.at("normal").at(std::size_t(i)));
  if (!json.contains("grid")) return t;
  const Json& grid = json["grid"];
  HeightGrid& g = t.grid;
  const std::uint64_t nx = read_count(grid.at("nx")), ny = read_count(grid.at("ny"));
  if (nx < 2 || ny < 2 || nx > (1 << 20) || ny > (1 << 20)) throw Damage("its terrain has no size");
  g.nx = int(nx), g.ny = int(ny);
  g.x0 = read_number(grid.at("x0")), g.y0 = read_number(grid.at("y0")), g.cell = read_number(grid.at("cell"));
  g.height = read_rows(file, grid, "terrain", ny, nx);
  return t;
}

// The kinematic motions of `modes` once had torques that were all 0, and in files of version 0.1 they say
// which feet stand by forces that nothing felt: the weight, shared by the standing feet. These become the
// channel "stance", as such motions have it now.
bool has_invented_forces(const Motion& m) {
  if (!m.made.version.starts_with("0.1.") || m.contact_force.empty()) return false;
  for (std::size_t i = 0; i < m.contact_force.size(); i += 3)
    if (m.contact_force[i] != 0 || m.contact_force[i + 1] != 0) return false;
  return true;
}

bool is_kinematic(const Motion& m) {
  const auto zero = [](double x) { return x == 0; };
  return m.made.verb == "modes" && m.frames() > 1 && std::all_of(m.tau.begin(), m.tau.end(), zero) &&
         (m.contact_force.empty() || has_invented_forces(m));
}

void say_stances_instead(Motion& m) {
  const std::size_t legs = m.creature.legs.size(), contacts = m.creature.contacts.size();
  Channel stance{"stance", "1", int(legs), std::vector<double>(m.time.size() * legs)};
  for (std::size_t c = 0; c < contacts; ++c)
    for (std::size_t k = 0; k < legs; ++k) {
      if (!is_below(m.creature, m.creature.contacts[c].link, m.creature.legs[k].foot)) continue;
      for (std::size_t f = 0; f < m.time.size(); ++f)
        if (m.contact_force[(f * contacts + c) * 3 + 2] > 0) stance.values[f * legs + k] = 1;
    }
  m.contact_force.clear();
  m.channels.push_back(std::move(stance));
}

Motion read_extras(GlbReader& file, const Json& extras, const std::string& path) {
  Motion motion;
  motion.creature = parse_creature_toml(extras.at("creature").get<std::string>(), path + " (creature)");
  const Json& made = extras.at("made");
  motion.made = {made.at("verb"), made.at("creature"), made.at("version"), made.at("options"),
                 read_count(made.at("seed"))};
  if (extras.contains("terrain")) motion.terrain = read_terrain(file, extras["terrain"]);
  if (extras.contains("gravity")) motion.gravity = read_number(extras["gravity"]);
  motion.status = read_status(extras.at("status"));
  motion.status_text = extras.at("status_text");
  motion.status_time = read_number(extras.at("status_time"));

  const Json& arrays = extras.at("arrays");
  const std::uint64_t frames = read_count(extras.at("frames"));
  if (frames == 0) throw Error({path, 0}, "", "the motion has no frames", "make it again");
  if (frames > file.binary_bytes())
    throw Damage("it has fewer than the " + std::to_string(frames) + " frames it names");
  const auto read = [&](const char* name, std::uint64_t width, bool optional) {
    if (arrays.contains(name)) return read_array(file, arrays[name], name, frames, width);
    if (!optional && width > 0) throw Damage(std::string("'") + name + "' is missing");
    return std::vector<double>();
  };
  const std::uint64_t nv = std::uint64_t(motion.creature.nv());
  motion.time = read("time", 1, false);
  motion.q = read("q", std::uint64_t(motion.creature.nq()), false);
  motion.v = read("v", nv, true);
  motion.tau = read("tau", nv, true);
  motion.contact_force = read("contact_force", 3 * motion.creature.contacts.size(), true);
  for (const Json& c : extras.at("channels")) {
    Channel channel{c.at("name"), c.at("unit"), int(read_count(c.at("width"))), {}};
    if (channel.width > 0)
      channel.values = read_array(file, c, channel.name, frames, std::uint64_t(channel.width));
    motion.channels.push_back(std::move(channel));
  }
  if (is_kinematic(motion)) {
    motion.tau.clear();
    if (!motion.contact_force.empty()) say_stances_instead(motion);
  }
  return motion;
}

Error damaged(const std::string& path, const std::string& what) {
  return Error({path, 0}, "", "the file is damaged: " + what, "make or copy it again");
}

// extras.legwork of the file.
Json legwork_extras(const GlbReader& file, const std::string& path) {
  Json json;
  try {
    json = Json::parse(file.json());
  } catch (const Json::exception&) {
    throw damaged(path, "its JSON cannot be read");
  }
  const Json* extras = json.is_object() && json.contains("extras") ? &json["extras"] : nullptr;
  if (!extras || !extras->is_object() || !extras->contains("legwork"))
    throw Error({path, 0}, "",
                "holds no motion of Legwork (no extras.legwork: another program wrote it or saved it again)",
                "give the file that legwork wrote");
  const Json& legwork = (*extras)["legwork"];
  if (legwork.is_object() && legwork.contains("format") && legwork["format"] != glb_format)
    throw Error({path, 0}, "",
                "is of format " + legwork["format"].dump() + ", and this Legwork reads format " +
                    std::to_string(glb_format),
                "use a Legwork of the same age");
  return legwork;
}

// What `read` makes of the file and its extras.legwork; an Error where it finds them damaged.
template <class Read>
auto read_with(const std::string& path, const Read& read) {
  GlbReader file(path);
  const Json extras = legwork_extras(file, path);
  try {
    return read(file, extras);
  } catch (const Damage& e) {
    throw damaged(path, e.what());
  } catch (const Json::exception&) {
    throw damaged(path, "extras.legwork lacks something or has it in another form");
  }
}

}  // namespace

Motion read_glb(const std::string& path, Account* account) {
  return read_with(path, [&](GlbReader& file, const Json& extras) {
    if (account && extras.contains("account")) *account = parse_account(extras["account"].dump());
    return read_extras(file, extras, path);
  });
}

bool is_motion(const std::string& path) {
  if (!path.ends_with(".glb")) return false;
  const Json json = Json::parse(GlbReader(path).json(), nullptr, false);
  return json.is_object() && json.contains("extras") && json["extras"].is_object() &&
         json["extras"].contains("legwork");
}

Creature read_given(const std::string& path) {
  return read_with(path, [&](GlbReader&, const Json& extras) {
    const std::string text = extras.at(extras.contains("given") ? "given" : "creature");
    return parse_creature_toml(text, path + " (creature)");
  });
}

}  // namespace legwork
