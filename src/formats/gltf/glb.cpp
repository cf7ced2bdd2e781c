#include "formats/gltf/glb.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "dynamics/dynamics.h"
#include "formats/account_json.h"
#include "formats/character/clip.h"
#include "formats/frames.h"
#include "formats/gltf/axes.h"
#include "formats/gltf/glb_file.h"
#include "formats/gltf/skeleton.h"
#include "formats/mesh/surface.h"
#include "formats/toml/creature_toml.h"
#include "math/scalar.h"

namespace legwork {

namespace {

using namespace gltf;
using Json = nlohmann::ordered_json;

// Numbers of the glTF specification.
enum Component { unsigned_byte = 5121, unsigned_short = 5123, unsigned_int = 5125, float32 = 5126 };
enum Target { no_target = 0, array_buffer = 34962, element_array_buffer = 34963 };

// The glTF document under construction. Binary data are noted, not copied, unless they are given away: what
// is noted must outlive write().
class Document {
 public:
  Document() = default;
  // Begins with what another document holds, all in one buffer.
  Document(const std::string& text, std::vector<char> binary) : json(Json::parse(text)) {
    auto kept = std::make_shared<std::vector<char>>(std::move(binary));
    kept_.push_back(kept);
    parts_.push_back({kept->data(), kept->size(), 0});
    bytes_ = kept->size();
  }

  Json json;

  // A buffer view of its own, at a multiple of 8 bytes.
  int add_view(const void* data, std::size_t bytes, int target);
  // The same for data that the document keeps.
  template <class T>
  int keep_view(std::vector<T> values, int target) {
    auto kept = std::make_shared<std::vector<T>>(std::move(values));
    kept_.push_back(kept);
    return add_view(kept->data(), kept->size() * sizeof(T), target);
  }
  std::uint64_t offset_of(int view) const { return json["bufferViews"][view]["byteOffset"]; }
  int append(const char* list, Json item);
  int add_accessor(int view, int component, std::size_t count, const char* type);
  // Triangles: 16 bits where they suffice, for the highest value is reserved by glTF.
  int add_indices(const std::vector<std::array<std::uint32_t, 3>>& triangles, std::size_t vertices);
  // Positions or other vectors; bounds: with min and max, which positions must have.
  int add_vectors(std::vector<std::array<float, 3>> rows, bool bounds);

  void write(const std::string& path);

 private:
  struct Part {
    const void* data;
    std::size_t bytes, padding;  // zeros before it
  };
  std::vector<Part> parts_;
  std::vector<std::shared_ptr<void>> kept_;
  std::uint64_t bytes_ = 0;
};

int Document::add_view(const void* data, std::size_t bytes, int target) {
  const std::size_t padding = (8 - bytes_ % 8) % 8;
  bytes_ += padding;
  Json view = {{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", bytes}};
  if (target != no_target) view["target"] = target;
  parts_.push_back({data, bytes, padding});
  bytes_ += bytes;
  return append("bufferViews", std::move(view));
}

int Document::append(const char* list, Json item) {
  json[list].push_back(std::move(item));
  return int(json[list].size()) - 1;
}

int Document::add_accessor(int view, int component, std::size_t count, const char* type) {
  return append("accessors",
                {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
}

int Document::add_indices(const std::vector<std::array<std::uint32_t, 3>>& triangles, std::size_t vertices) {
  const std::size_t count = 3 * triangles.size();
  if (vertices >= std::numeric_limits<std::uint16_t>::max())
    return add_accessor(keep_view(triangles, element_array_buffer), unsigned_int, count, "SCALAR");
  std::vector<std::uint16_t> shorts;
  shorts.reserve(count);
  for (const auto& triangle : triangles)
    for (const std::uint32_t i : triangle) shorts.push_back(std::uint16_t(i));
  return add_accessor(keep_view(std::move(shorts), element_array_buffer), unsigned_short, count, "SCALAR");
}

int Document::add_vectors(std::vector<std::array<float, 3>> rows, bool bounds) {
  const std::size_t count = rows.size();
  std::array<float, 3> lower = rows.front(), upper = rows.front();
  for (const auto& row : rows)
    for (std::size_t i = 0; i < 3; ++i)
      lower[i] = std::min(lower[i], row[i]), upper[i] = std::max(upper[i], row[i]);
  const int accessor = add_accessor(keep_view(std::move(rows), array_buffer), float32, count, "VEC3");
  if (bounds) json["accessors"][accessor]["min"] = lower, json["accessors"][accessor]["max"] = upper;
  return accessor;
}

void Document::write(const std::string& path) {
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

Json vector3(const Vec3d& v) { return {v.x, v.y, v.z}; }
Json quaternion_xyzw(const Quatd& q) { return {q.x, q.y, q.z, q.w}; }
// From Legwork's axes to glTF's as the rotation of a node.
Json y_up_turn() { return {-0.5, -0.5, -0.5, 0.5}; }
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(to_text(x)); }

// Colours of creatures are sRGB, glTF's factors are linear (IEC 61966-2-1).
double linear_light(double c) {
  c = std::clamp(c, 0.0, 1.0);
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

int add_material(Document& d, const std::array<double, 3>& color) {
  Json factor = Json::array();
  for (const double c : color) factor.push_back(linear_light(c));
  factor.push_back(1.0);
  const Json pbr = {{"baseColorFactor", factor}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.7}};
  return d.append("materials", {{"pbrMetallicRoughness", pbr}});
}

std::array<float, 3> floats(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

// All shapes of one colour as one surface in the armature's rest pose, in glTF's axes; every vertex follows
// one bone.
struct Skin {
  Surface surface;
  std::vector<std::array<std::uint16_t, 4>> joints;

  void add(const Shape& shape, int link, const Workspace<double>& rest) {
    const Surface s = smooth_surface(shape);
    const Mat3d turn = rest.R[link] * matrix(normalized(shape.rot));
    const auto first = std::uint32_t(surface.positions.size());
    for (const auto& p : s.positions) {
      const Vec3d at = point_position(rest, link, shape.pos) + turn * Vec3d{p[0], p[1], p[2]};
      surface.positions.push_back(floats(y_up(at)));
      joints.push_back({std::uint16_t(link), 0, 0, 0});
    }
    for (const auto& n : s.normals)
      surface.normals.push_back(floats(y_up(normalized(turn * Vec3d{n[0], n[1], n[2]}))));
    for (const auto& [i, j, k] : s.triangles) surface.triangles.push_back({first + i, first + j, first + k});
  }
};

Json primitive(Document& d, const Surface& s, const std::array<double, 3>& color) {
  const int position = d.add_vectors(s.positions, true), normal = d.add_vectors(s.normals, false);
  return {{"attributes", {{"POSITION", position}, {"NORMAL", normal}}},
          {"indices", d.add_indices(s.triangles, s.positions.size())},
          {"material", add_material(d, color)}};
}

// From the scene to each bone's frame at rest, column by column.
int add_inverse_bind(Document& d, const Skeleton& skeleton) {
  std::vector<float> matrices;
  for (int bone = 0; bone < int(skeleton.bones.size()); ++bone) {
    const Place at = skeleton.place(skeleton.rest, bone);
    const Mat3d& R = at.rot;  // bone to world; columns of its transpose are its rows
    const Vec3d shift = transpose_times(R, at.pos) * -1.0;
    // glTF's x, y, z are our y, z, x
    for (const int row : {1, 2, 0}) {
      for (int k = 0; k < 3; ++k) matrices.push_back(float(R(row, k)));
      matrices.push_back(0);
    }
    for (const double x : {shift.x, shift.y, shift.z, 1.0}) matrices.push_back(float(x));
  }
  return d.add_accessor(d.keep_view(std::move(matrices), no_target), float32, skeleton.bones.size(), "MAT4");
}

// One mesh on one skeleton: a part for each colour.
void add_skinned_mesh(Document& d, const Creature& creature, const Skeleton& skeleton) {
  std::map<std::array<double, 3>, Skin> skins;
  for (int link = 0; link < int(creature.links.size()); ++link)
    for (const Shape& shape : creature.links[link].shapes) skins[shape.color].add(shape, link, skeleton.rest);
  Json primitives = Json::array();
  for (const auto& [color, skin] : skins) {
    if (skin.surface.triangles.empty()) continue;
    const std::size_t count = skin.joints.size();
    Json part = primitive(d, skin.surface, color);
    part["attributes"]["JOINTS_0"] =
        d.add_accessor(d.keep_view(skin.joints, array_buffer), unsigned_short, count, "VEC4");
    const std::vector<std::array<std::uint8_t, 4>> weights(count, {255, 0, 0, 0});
    const int weight = d.add_accessor(d.keep_view(weights, array_buffer), unsigned_byte, count, "VEC4");
    d.json["accessors"][weight]["normalized"] = true;
    part["attributes"]["WEIGHTS_0"] = weight;
    primitives.push_back(std::move(part));
  }
  if (primitives.empty()) return;
  const int mesh = d.append("meshes", {{"name", creature.name}, {"primitives", primitives}});
  Json joints = Json::array();
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) joints.push_back(i + 1);
  const int skin = d.append("skins", {{"name", creature.name},
                                      {"inverseBindMatrices", add_inverse_bind(d, skeleton)},
                                      {"joints", joints},
                                      {"skeleton", 0}});
  const int node = d.append("nodes", {{"name", creature.name + "_mesh"}, {"mesh", mesh}, {"skin", skin}});
  d.json["scenes"][0]["nodes"].push_back(node);
}

// Node 0, the armature, and one node for each bone in the pose of the first frame.
void add_nodes(Document& d, const Motion& motion, const Model<double>& model, const Skeleton& skeleton) {
  const Creature& creature = motion.creature;
  Workspace<double> w(model);
  const bool finite = std::all_of(motion.q.begin(), motion.q.begin() + model.nq,
                                  [](double x) { return std::isfinite(float(x)); });
  update_positions(model, finite ? motion.q.data() : creature.pose("").data(), w);
  d.append("nodes", {{"name", creature.name}, {"rotation", y_up_turn()}});
  for (int bone = 0; bone < int(skeleton.bones.size()); ++bone) {
    const Place at = skeleton.local(w, bone);
    Json node = {{"name", skeleton.bones[bone].name},
                 {"translation", vector3(at.pos)},
                 {"rotation", quaternion_xyzw(quaternion(at.rot))}};
    if (!skeleton.bones[bone].root) node["extras"] = {{"mass", number(creature.links[bone].mass)}};
    d.append("nodes", std::move(node));
  }
  for (int bone = 0; bone < int(skeleton.bones.size()); ++bone)
    d.json["nodes"][skeleton.bones[bone].parent + 1]["children"].push_back(bone + 1);
}

// The ground under the bodies' paths, and as far around as they reach.
void add_ground(Document& d, const Motion& motion, const Model<double>& model, const Skeleton& skeleton) {
  const Terrain& terrain = motion.terrain;
  if (terrain.type == TerrainType::none || terrain.type == TerrainType::plane) return;
  Rectangle area{unlimited, -unlimited, unlimited, -unlimited};
  double reach = 0;
  for (const int bone : skeleton.moving)
    if (!skeleton.bones[bone].root && model.parent[skeleton.bones[bone].link] >= 0)
      reach += norm(skeleton.local(skeleton.rest, bone).pos);
  Workspace<double> w(model);
  for (int f = 0; f < motion.frames(); ++f) {
    update_positions(model, motion.q.data() + std::size_t(f) * std::size_t(model.nq), w);
    for (int link = 0; link < model.nlink; ++link) {
      const Vec3d& p = w.p[link];
      if (model.parent[link] >= 0 || !std::isfinite(float(p.x)) || !std::isfinite(float(p.y))) continue;
      area.x0 = std::min(area.x0, p.x), area.x1 = std::max(area.x1, p.x);
      area.y0 = std::min(area.y0, p.y), area.y1 = std::max(area.y1, p.y);
    }
  }
  if (!(area.x0 <= area.x1)) area = {0, 0, 0, 0};
  const double margin = std::clamp(2 * reach, 1.0, 10.0);
  area = {area.x0 - margin, area.x1 + margin, area.y0 - margin, area.y1 + margin};
  const Surface surface = ground_surface(terrain, area);
  if (surface.triangles.empty()) return;
  const Json part = primitive(d, surface, {0.55, 0.56, 0.58});
  const int mesh = d.append("meshes", {{"name", "ground"}, {"primitives", Json::array({part})}});
  d.json["scenes"][0]["nodes"].push_back(
      d.append("nodes", {{"name", "ground"}, {"mesh", mesh}, {"rotation", y_up_turn()}}));
}

bool constant(const std::vector<float>& rows, std::size_t width) {
  return std::equal(rows.begin() + std::ptrdiff_t(width), rows.end(), rows.begin());
}

void add_animation(Document& d, const Skeleton& skeleton, Tracks t, const std::string& name) {
  const std::size_t frames = t.times.size();
  if (frames == 0 || skeleton.moving.empty()) return;
  const int input = d.add_accessor(d.keep_view(t.times, no_target), float32, frames, "SCALAR");
  d.json["accessors"][input]["min"] = Json::array({t.times.front()});
  d.json["accessors"][input]["max"] = Json::array({t.times.back()});
  Json samplers = Json::array(), channels = Json::array();
  const auto add = [&](int bone, const char* path, std::vector<float>& rows, const char* type) {
    const int view = d.keep_view(std::move(rows), no_target);
    const int output = d.add_accessor(view, float32, frames, type);
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", bone + 1}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  // what stands still stays in its node's place; the first bone always gets its channels, so that a motion of
  // a body at rest lasts as long as it was recorded
  for (std::size_t i = 0; i < skeleton.moving.size(); ++i) {
    const int bone = skeleton.moving[i];
    if (i == 0 || !constant(t.translation[i], 3)) add(bone, "translation", t.translation[i], "VEC3");
    if (i == 0 || !constant(t.rotation[i], 4)) add(bone, "rotation", t.rotation[i], "VEC4");
  }
  d.append("animations", {{"name", name}, {"channels", channels}, {"samplers", samplers}});
}

// Bones that a clip moves may not be placed by a matrix: the same as translation, rotation and scale.
void split_matrix(Json& node) {
  const std::vector<double> m = node["matrix"];
  const Vec3d x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
  const Vec3d size{norm(x), norm(y), norm(z)};
  node.erase("matrix");
  node["translation"] = {m[12], m[13], m[14]};
  node["rotation"] =
      quaternion_xyzw(quaternion(Mat3d::columns(x * (1 / size.x), y * (1 / size.y), z * (1 / size.z))));
  node["scale"] = vector3(size);
}

// The motion as one more animation of the character's own document.
void add_clip(Document& d, const CharacterClip& clip, std::string name) {
  const std::size_t frames = clip.times.size();
  if (frames == 0) return;
  const auto add_times = [&](std::vector<float> times) {
    const float last = times.back();
    const std::size_t count = times.size();
    const int input = d.add_accessor(d.keep_view(std::move(times), no_target), float32, count, "SCALAR");
    d.json["accessors"][input]["min"] = Json::array({0.0});
    d.json["accessors"][input]["max"] = Json::array({last});
    return input;
  };
  const int input = add_times(clip.times);
  int still = -1;
  Json samplers = Json::array(), channels = Json::array();
  const auto add = [&](int node, const char* path, const std::vector<float>& rows, std::size_t width) {
    if (rows.empty()) return;
    if (d.json["nodes"][node].contains("matrix")) split_matrix(d.json["nodes"][node]);
    const std::size_t count = rows.size() / width;
    if (count == 1 && frames > 1 && still < 0) still = add_times({0});
    const int output =
        d.add_accessor(d.keep_view(rows, no_target), float32, count, width == 4 ? "VEC4" : "VEC3");
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers.push_back(
        {{"input", count == frames ? input : still}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  for (const NodeTrack& t : clip.tracks) {
    add(t.node, "translation", t.translation, 3);
    add(t.node, "rotation", t.rotation, 4);
    add(t.node, "scale", t.scale, 3);
  }
  const auto taken = [&](const std::string& one) {
    for (const Json& animation : d.json.value("animations", Json::array()))
      if (animation.value("name", std::string()) == one) return true;
    return false;
  };
  const std::string plain = name;
  for (int k = 2; taken(name); ++k) name = plain + "_" + std::to_string(k);
  if (!channels.empty())
    d.append("animations", {{"name", name}, {"channels", channels}, {"samplers", samplers}});
}

std::string clip_name(const Motion& motion, const std::string& asked) {
  return !asked.empty() ? asked : !motion.made.verb.empty() ? motion.made.verb : "motion";
}

// A body of our own, drawn from its shapes.
void add_body(Document& d, const Motion& motion, const GlbOptions& options) {
  const Model<double> model = make_model(motion.creature);
  const Skeleton skeleton(motion, model);
  d.json["asset"] = {{"version", "2.0"}, {"generator", "Legwork " + motion.made.version}};
  d.json["scene"] = 0;
  d.json["scenes"] = Json::array({Json{{"name", motion.creature.name}, {"nodes", Json::array({0})}}});
  add_nodes(d, motion, model, skeleton);
  add_skinned_mesh(d, motion.creature, skeleton);
  if (options.ground) add_ground(d, motion, model, skeleton);
  add_animation(d, skeleton, make_tracks(motion, model, skeleton, options.rate),
                clip_name(motion, options.clip));
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
  Document d;
  if (const std::unique_ptr<CharacterFile> character = character_of(motion.creature)) {
    d = Document(character->json, character->binary);
    add_clip(d, make_clip(*character, motion, options.rate), clip_name(motion, options.clip));
    if (!d.json.contains("extras") || !d.json["extras"].is_object()) d.json["extras"] = Json::object();
  } else {
    add_body(d, motion, options);
  }
  add_extras(d, motion);
  const Account& found = options.account;
  if (!found.statements.empty() || !found.measures.empty() || !found.panels.empty())
    d.json["extras"]["legwork"]["account"] = Json::parse(account_json(found));
  if (!options.given.empty()) d.json["extras"]["legwork"]["given"] = options.given;
  d.write(path);
}

}  // namespace legwork
