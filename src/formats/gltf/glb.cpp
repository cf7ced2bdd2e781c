#include "formats/gltf/glb.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "base/text.h"
#include "dynamics/dynamics.h"
#include "formats/account_json.h"
#include "formats/frames.h"
#include "formats/gltf/glb_file.h"
#include "formats/mesh/surface.h"
#include "formats/toml/creature_toml.h"
#include "math/scalar.h"
#include "motion/resample.h"

namespace legwork {

namespace {

using Json = nlohmann::ordered_json;

// Numbers of the glTF specification.
enum Component { unsigned_short = 5123, unsigned_int = 5125, float32 = 5126 };
enum Target { no_target = 0, array_buffer = 34962, element_array_buffer = 34963 };

// ---- writing
// -----------------------------------------------------------------------------------------------

// The glTF document under construction. Binary data are noted, not copied: they must outlive write().
class Document {
 public:
  Json json;

  // A buffer view of its own, at a multiple of 8 bytes.
  int add_view(const void* data, std::size_t bytes, int target) {
    const std::size_t padding = (8 - bytes_ % 8) % 8;
    bytes_ += padding;
    Json view = {{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", bytes}};
    if (target != no_target) view["target"] = target;
    parts_.push_back({data, bytes, padding});
    bytes_ += bytes;
    return append("bufferViews", std::move(view));
  }
  std::uint64_t offset_of(int view) const { return json["bufferViews"][view]["byteOffset"]; }
  int append(const char* list, Json item) {
    json[list].push_back(std::move(item));
    return int(json[list].size()) - 1;
  }

  void write(const std::string& path) {
    const std::size_t padding = (8 - bytes_ % 8) % 8;
    bytes_ += padding;
    json["buffers"] = Json::array({Json{{"byteLength", bytes_}}});
    std::string text;
    try {
      text = json.dump();
    } catch (const Json::exception&) {
      throw Error({path, 0}, "", "a name or text of the motion is not UTF-8", "rename what has such letters");
    }
    FileWriter file(path);
    write_glb_head(file, path, std::move(text), bytes_);
    constexpr char zeros[8] = {};
    for (const Part& part : parts_) {
      file.write(zeros, part.padding);
      file.write(part.data, part.bytes);
    }
    file.write(zeros, padding);
    file.commit();
  }

 private:
  struct Part {
    const void* data;
    std::size_t bytes, padding;  // zeros before it
  };
  std::vector<Part> parts_;
  std::uint64_t bytes_ = 0;
};

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(to_text(x)); }
Json vector3(const Vec3d& v) { return {v.x, v.y, v.z}; }
Json quaternion_xyzw(const Quatd& q) { return {q.x, q.y, q.z, q.w}; }

// Colours of creatures are sRGB, glTF's factors are linear (IEC 61966-2-1).
double linear_light(double c) {
  c = std::clamp(c, 0.0, 1.0);
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

template <class Row>
Json smallest(const std::vector<Row>& rows, bool largest) {
  Row extreme = rows.front();
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      extreme[i] = largest ? std::max(extreme[i], row[i]) : std::min(extreme[i], row[i]);
  return extreme;
}

// The meshes of all shapes, equal ones once.
class Meshes {
 public:
  explicit Meshes(Document& document) : document_(document) {}

  // Index of the shape's mesh; -1 when it has nothing to draw.
  int mesh_of(const Shape& shape) {
    for (const auto& [known, mesh] : known_)
      if (same_look(*known, shape)) return mesh;
    const int mesh = add(smooth_surface(shape), name(shape.type), shape.color);
    known_.emplace_back(&shape, mesh);
    return mesh;
  }

  int add(Surface surface, const char* name, const std::array<double, 3>& color) {
    surfaces_.push_back(std::make_unique<Surface>(std::move(surface)));
    const Surface& s = *surfaces_.back();
    if (s.triangles.empty()) return -1;
    const std::size_t count = s.positions.size();
    const auto vectors = [&](const std::vector<std::array<float, 3>>& rows) {
      const int view = document_.add_view(rows.data(), rows.size() * sizeof rows[0], array_buffer);
      return Json{{"bufferView", view}, {"componentType", float32}, {"count", count}, {"type", "VEC3"}};
    };
    Json positions = vectors(s.positions);
    positions["min"] = smallest(s.positions, false);
    positions["max"] = smallest(s.positions, true);
    const int position = document_.append("accessors", std::move(positions));
    const int normal = document_.append("accessors", vectors(s.normals));
    const int index = document_.append("accessors", indices(s));
    const Json primitive = {{"attributes", {{"POSITION", position}, {"NORMAL", normal}}},
                            {"indices", index},
                            {"material", material(color)}};
    return document_.append("meshes", {{"name", name}, {"primitives", Json::array({primitive})}});
  }

 private:
  static bool same_look(const Shape& a, const Shape& b) {
    return a.type == b.type && a.size == b.size && a.color == b.color && a.mesh.vertices == b.mesh.vertices &&
           a.mesh.triangles == b.mesh.triangles;
  }

  // 16 bits where they suffice; the highest value is reserved by glTF.
  Json indices(const Surface& s) {
    const bool small = s.positions.size() < std::numeric_limits<std::uint16_t>::max();
    const std::size_t count = 3 * s.triangles.size();
    int view;
    if (small) {
      shorts_.push_back(std::make_unique<std::vector<std::uint16_t>>());
      for (const auto& triangle : s.triangles)
        for (const std::uint32_t i : triangle) shorts_.back()->push_back(std::uint16_t(i));
      view = document_.add_view(shorts_.back()->data(), count * 2, element_array_buffer);
    } else {
      view = document_.add_view(s.triangles.data(), count * 4, element_array_buffer);
    }
    return {{"bufferView", view},
            {"componentType", small ? unsigned_short : unsigned_int},
            {"count", count},
            {"type", "SCALAR"}};
  }

  int material(const std::array<double, 3>& color) {
    const auto [found, fresh] = materials_.try_emplace(color, 0);
    if (fresh) {
      Json factor = Json::array();
      for (const double c : color) factor.push_back(linear_light(c));
      factor.push_back(1.0);
      const Json pbr = {{"baseColorFactor", factor}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.7}};
      found->second = document_.append("materials", {{"pbrMetallicRoughness", pbr}});
    }
    return found->second;
  }

  static const char* name(ShapeType type) {
    static constexpr const char* names[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid", "mesh"};
    return names[int(type)];
  }

  Document& document_;
  std::vector<std::pair<const Shape*, int>> known_;
  std::map<std::array<double, 3>, int> materials_;
  std::vector<std::unique_ptr<Surface>> surfaces_;
  std::vector<std::unique_ptr<std::vector<std::uint16_t>>> shorts_;
};

// Each moving link's place in its parent's frame over time, as glTF wants it.
struct Tracks {
  std::vector<int> links;                       // those with degrees of freedom
  std::vector<float> times;                     // s from the first frame, strictly rising
  std::vector<std::vector<float>> translation;  // per moving link: frames x 3
  std::vector<std::vector<float>> rotation;     // frames x 4, x y z w, neighbours in the same half-sphere
};

// The link's place in its parent's frame.
void local_place(const Model<double>& m, const Workspace<double>& w, int link, Vec3d& pos, Quatd& rot) {
  const int parent = m.parent[link];
  if (parent < 0) {
    pos = w.p[link], rot = quaternion(w.R[link]);
  } else {
    pos = transpose_times(w.R[parent], w.p[link] - w.p[parent]);
    rot = quaternion(transpose(w.R[parent]) * w.R[link]);
  }
}

// Fills rows [first, last) of the tracks; finite[f] says whether floats can hold frame f.
void fill_tracks(const Motion& motion, const Model<double>& model, const std::vector<double>& times,
                 std::size_t first, std::size_t last, Tracks& t, std::vector<char>& finite) {
  Workspace<double> w(model);
  Sampler sampler(model, motion);
  std::vector<double> q(model.nq);
  for (std::size_t f = first; f < last; ++f) {
    sampler.at(times[f]);
    sampler.positions(q.data());
    update_positions(model, q.data(), w);
    t.times[f] = float(times[f] - times.front());
    bool good = true;
    for (std::size_t i = 0; i < t.links.size(); ++i) {
      Vec3d pos;
      Quatd rot;
      local_place(model, w, t.links[i], pos, rot);
      float* p = t.translation[i].data() + 3 * f;
      float* r = t.rotation[i].data() + 4 * f;
      p[0] = float(pos.x), p[1] = float(pos.y), p[2] = float(pos.z);
      r[0] = float(rot.x), r[1] = float(rot.y), r[2] = float(rot.z), r[3] = float(rot.w);
      good = good && std::isfinite(p[0] + p[1] + p[2]) && std::isfinite(r[0] + r[1] + r[2] + r[3]);
    }
    finite[f] = good;
  }
}

// Keeps the rows whose number is in `kept`, which rises.
void keep_rows(std::vector<float>& rows, std::size_t width, const std::vector<std::size_t>& kept) {
  for (std::size_t k = 0; k < kept.size(); ++k)
    std::copy_n(rows.begin() + std::ptrdiff_t(kept[k] * width), width,
                rows.begin() + std::ptrdiff_t(k * width));
  rows.resize(kept.size() * width);
}

// Frames that no float can hold (a diverged motion's last ones) are left out, and those whose time as a float
// is not later than the frame's before.
Tracks make_tracks(const Motion& motion, const Model<double>& model, double rate) {
  Tracks t;
  for (int link = 0; link < model.nlink; ++link)
    if (model.dof_begin[link] != model.dof_begin[link + 1]) t.links.push_back(link);
  const std::vector<double> times = sample_times(motion, rate);
  const std::size_t count = times.size();
  t.times.resize(count);
  t.translation.assign(t.links.size(), std::vector<float>(count * 3));
  t.rotation.assign(t.links.size(), std::vector<float>(count * 4));

  std::vector<char> finite(count);
  constexpr std::size_t piece = 1024;
  parallel_for(int((count + piece - 1) / piece), 0, [&](int i, int) {
    fill_tracks(motion, model, times, std::size_t(i) * piece, std::min(std::size_t(i + 1) * piece, count), t,
                finite);
  });

  std::vector<std::size_t> kept;
  for (std::size_t f = 0; f < count; ++f)
    if (finite[f] && (kept.empty() || t.times[f] > t.times[kept.back()])) kept.push_back(f);
  if (kept.size() < count) {
    keep_rows(t.times, 1, kept);
    for (auto& rows : t.translation) keep_rows(rows, 3, kept);
    for (auto& rows : t.rotation) keep_rows(rows, 4, kept);
  }
  // q and -q are one rotation: take the one near the frame before, as interpolation goes the short way then
  for (auto& rows : t.rotation)
    for (std::size_t k = 4; k < rows.size(); k += 4) {
      float* r = rows.data() + k;
      const float along = r[0] * r[-4] + r[1] * r[-3] + r[2] * r[-2] + r[3] * r[-1];
      if (along < 0) r[0] = -r[0], r[1] = -r[1], r[2] = -r[2], r[3] = -r[3];
    }
  return t;
}

// Node 0 and one node a link (in the pose of the first frame), each with a node for every shape.
void add_nodes(Document& d, Meshes& meshes, const Motion& motion, const Model<double>& model) {
  const Creature& creature = motion.creature;
  Workspace<double> w(model);
  const bool finite = std::all_of(motion.q.begin(), motion.q.begin() + model.nq,
                                  [](double x) { return std::isfinite(float(x)); });
  update_positions(model, finite ? motion.q.data() : creature.pose("").data(), w);

  // x forward to z, y left to x, z up to y
  d.append("nodes", {{"name", creature.name}, {"rotation", {-0.5, -0.5, -0.5, 0.5}}});
  for (int link = 0; link < model.nlink; ++link) {
    Vec3d pos;
    Quatd rot;
    local_place(model, w, link, pos, rot);
    d.append("nodes", {{"name", creature.links[link].name},
                       {"translation", vector3(pos)},
                       {"rotation", quaternion_xyzw(rot)},
                       {"extras", {{"mass", number(creature.links[link].mass)}}}});
  }
  for (int link = 0; link < model.nlink; ++link) {
    d.json["nodes"][model.parent[link] + 1]["children"].push_back(link + 1);
    int count = 0;
    for (const Shape& shape : creature.links[link].shapes) {
      const int mesh = meshes.mesh_of(shape);
      if (mesh < 0) continue;
      const std::string name = creature.links[link].name + "_shape" + std::to_string(++count);
      Json node = {{"name", name}, {"mesh", mesh}};
      if (!(shape.pos == Vec3d{})) node["translation"] = vector3(shape.pos);
      if (shape.rot.w != 1) node["rotation"] = quaternion_xyzw(normalized(shape.rot));
      const int index = d.append("nodes", std::move(node));
      d.json["nodes"][link + 1]["children"].push_back(index);
    }
  }
}

// The ground under the links that hang on nothing, and as far around as the body reaches.
void add_ground(Document& d, Meshes& meshes, const Tracks& t, const Model<double>& model,
                const Terrain& terrain) {
  if (terrain.type == TerrainType::none || terrain.type == TerrainType::plane || t.times.empty()) return;
  Rectangle area{unlimited, -unlimited, unlimited, -unlimited};
  double reach = 0;
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    const std::vector<float>& rows = t.translation[i];
    reach += hypot(rows[0], rows[1], rows[2]) * (model.parent[t.links[i]] >= 0);
    for (std::size_t k = 0; k < rows.size() && model.parent[t.links[i]] < 0; k += 3) {
      area.x0 = std::min(area.x0, double(rows[k])), area.x1 = std::max(area.x1, double(rows[k]));
      area.y0 = std::min(area.y0, double(rows[k + 1])), area.y1 = std::max(area.y1, double(rows[k + 1]));
    }
  }
  if (!(area.x0 <= area.x1)) area = {0, 0, 0, 0};
  const double margin = std::clamp(2 * reach, 1.0, 10.0);
  area = {area.x0 - margin, area.x1 + margin, area.y0 - margin, area.y1 + margin};
  const int mesh = meshes.add(ground_surface(terrain, area), "ground", {0.55, 0.56, 0.58});
  if (mesh < 0) return;
  d.json["nodes"][0]["children"].push_back(d.append("nodes", {{"name", "ground"}, {"mesh", mesh}}));
}

bool constant(const std::vector<float>& rows, std::size_t width) {
  return std::equal(rows.begin() + width, rows.end(), rows.begin());
}

void add_animation(Document& d, const Tracks& t) {
  const std::size_t frames = t.times.size();
  if (frames == 0 || t.links.empty()) return;
  const int times_view = d.add_view(t.times.data(), frames * 4, no_target);
  const int input = d.append("accessors", {{"bufferView", times_view},
                                           {"componentType", float32},
                                           {"count", frames},
                                           {"type", "SCALAR"},
                                           {"min", Json::array({t.times.front()})},
                                           {"max", Json::array({t.times.back()})}});
  Json samplers = Json::array(), channels = Json::array();
  const auto add = [&](int link, const char* path, const std::vector<float>& rows, const char* type) {
    const int view = d.add_view(rows.data(), rows.size() * 4, no_target);
    const int output = d.append(
        "accessors", {{"bufferView", view}, {"componentType", float32}, {"count", frames}, {"type", type}});
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", link + 1}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  // what stands still stays in its node's place; the first link always gets its channels, so that a motion of
  // a body at rest lasts as long as it was recorded
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    if (i == 0 || !constant(t.translation[i], 3)) add(t.links[i], "translation", t.translation[i], "VEC3");
    if (i == 0 || !constant(t.rotation[i], 4)) add(t.links[i], "rotation", t.rotation[i], "VEC4");
  }
  d.append("animations", {{"name", "motion"}, {"channels", channels}, {"samplers", samplers}});
}

Json exact_array(Document& d, const std::vector<double>& values, int width, const std::string& unit) {
  const int view = d.add_view(values.data(), values.size() * sizeof(double), no_target);
  return {{"bufferView", view}, {"offset", d.offset_of(view)}, {"width", width}, {"unit", unit}};
}

// Whether the terrain's text alone makes the same field again.
bool made_by_spec(const Terrain& terrain) {
  try {
    const HeightGrid made = parse_terrain(terrain.spec).grid;
    const HeightGrid& g = terrain.grid;
    return made.nx == g.nx && made.ny == g.ny && made.x0 == g.x0 && made.y0 == g.y0 && made.cell == g.cell &&
           made.height == g.height;
  } catch (const Error&) {
    return false;  // a file's
  }
}

Json terrain_json(Document& d, const Terrain& t) {
  Json json = {{"type", int(t.type)},         {"spec", t.spec},
               {"height", number(t.height)},  {"angle", number(t.angle)},
               {"normal", vector3(t.normal)}, {"rise", number(t.rise)},
               {"run", number(t.run)}};
  if (t.type != TerrainType::field || made_by_spec(t)) return json;
  const HeightGrid& g = t.grid;
  const int view = d.add_view(g.height.data(), g.height.size() * sizeof(double), no_target);
  json["grid"] = {{"nx", g.nx},
                  {"ny", g.ny},
                  {"x0", number(g.x0)},
                  {"y0", number(g.y0)},
                  {"cell", number(g.cell)},
                  {"bufferView", view},
                  {"offset", d.offset_of(view)}};
  return json;
}

void add_extras(Document& d, const Motion& motion) {
  Json arrays = Json::object(), channels = Json::array();
  const auto add = [&](const char* name, const std::vector<double>& values, int width, const char* unit) {
    if (!values.empty()) arrays[name] = exact_array(d, values, width, unit);
  };
  const int nv = motion.creature.nv();
  add("time", motion.time, 1, "s");
  add("q", motion.q, motion.creature.nq(), "rad, m");
  add("v", motion.v, nv, "rad/s, m/s");
  add("tau", motion.tau, nv, "N m, N");
  add("contact_force", motion.contact_force, 3 * int(motion.creature.contacts.size()), "N");
  for (const Channel& c : motion.channels) {
    Json channel = {{"name", c.name}, {"unit", c.unit}, {"width", c.width}};
    if (!c.values.empty()) channel.update(exact_array(d, c.values, c.width, c.unit));
    channels.push_back(std::move(channel));
  }
  const Provenance& made = motion.made;
  d.json["extras"]["legwork"] = {{"format", glb_format},
                                 {"creature", write_creature_toml(motion.creature)},
                                 {"made",
                                  {{"verb", made.verb},
                                   {"creature", made.creature},
                                   {"version", made.version},
                                   {"options", made.options},
                                   {"seed", made.seed}}},
                                 {"terrain", terrain_json(d, motion.terrain)},
                                 {"gravity", number(motion.gravity)},
                                 {"status", to_string(motion.status)},
                                 {"status_text", motion.status_text},
                                 {"status_time", number(motion.status_time)},
                                 {"frames", motion.frames()},
                                 {"arrays", arrays},
                                 {"channels", channels}};
}

}  // namespace

void write_glb(const Motion& motion, const std::string& path, const GlbOptions& options) {
  check_writable(motion, path, options.rate);
  const Model<double> model = make_model(motion.creature);
  const Tracks tracks = make_tracks(motion, model, options.rate);
  Document d;
  d.json["asset"] = {{"version", "2.0"}, {"generator", "Legwork " + motion.made.version}};
  d.json["scene"] = 0;
  d.json["scenes"] = Json::array({Json{{"name", motion.creature.name}, {"nodes", Json::array({0})}}});
  Meshes meshes(d);
  add_nodes(d, meshes, motion, model);
  if (options.ground) add_ground(d, meshes, tracks, model, motion.terrain);
  add_animation(d, tracks);
  add_extras(d, motion);
  const Account& found = options.account;
  if (!found.statements.empty() || !found.measures.empty() || !found.panels.empty())
    d.json["extras"]["legwork"]["account"] = Json::parse(account_json(found));
  if (!options.given.empty()) d.json["extras"]["legwork"]["given"] = options.given;
  d.write(path);
}

}  // namespace legwork
