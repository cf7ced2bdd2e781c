// A motion carried onto a rigged character: a .glb with a skin in, the same character with the motion out.
//
// A bone and a link belong together when a map says so; else when their names are equal but for case,
// separators and a prefix that ends in a colon ("mixamorig:LeftLeg" and "left_leg"); else when they have the
// same place in the same limb (formats/character/match.h). Each such bone turns from the rig's bind pose as
// its link turns from the creature's pose `pose`: both should show the same posture, facing the same way (+Z
// in glTF, X in Legwork). Other bones keep their place on the bone above. The uppermost bones also move
// through space, by the link's path scaled to the rig's size, with the ground at height 0. Animations that
// the file had are replaced.

#include "creature/check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include <legwork/files.h>
#include "base/text.h"
#include "dynamics/dynamics.h"
#include "formats/character/match.h"
#include "formats/frames.h"
#include "formats/gltf/axes.h"
#include "formats/gltf/glb_file.h"
#include "formats/mesh/surface.h"
#include "motion/resample.h"

namespace legwork {

namespace {

using Json = nlohmann::ordered_json;

constexpr int float32 = 5126;

using gltf::y_up;

Mat3d inverse(const Mat3d& m) {
  const Vec3d a = m.column(0), b = m.column(1), c = m.column(2);
  const double determinant = dot(a, cross(b, c));
  return transpose(Mat3d::columns(cross(b, c), cross(c, a), cross(a, b))) * (1 / determinant);
}

// A node of the rig: its place in its parent, and in the world when the rig is at rest.
struct Node {
  std::string name;
  int parent = -1;
  Vec3d pos;
  Quatd rot;
  Vec3d scale{1, 1, 1};
  Quatd world_rot;
  Mat3d world;  // with scale
  Vec3d world_pos;
  int link = -1;     // its partner
  bool top = false;  // no bone above has a partner: it moves through space
};

class Rig {
 public:
  explicit Rig(const std::string& path) : path_(path), file_(path) {
    try {
      json = Json::parse(file_.json());
      read_buffers();
      read_nodes();
      read_bones();
    } catch (const Json::exception&) {
      fail("the file is damaged: its JSON is not glTF", "export it again");
    }
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw Error({path_, 0}, "", problem, advice);
  }
  const std::string& path() const { return path_; }

  Json json;
  std::vector<char> binary;
  std::vector<Node> nodes;
  std::vector<int> order;  // nodes in an order where parents come first
  std::vector<int> bones;  // joints of all skins, parents first

 private:
  void read_buffers() {
    const Json buffers = json.value("buffers", Json::array());
    for (const Json& buffer : buffers)
      if (buffer.contains("uri") || buffers.size() > 1)
        fail("keeps its data in other files or several buffers", "export it as one .glb");
    binary.resize(file_.binary_bytes());
    file_.read(0, binary.data(), binary.size());
  }

  static Vec3d vec(const Json& a) { return {a.at(0), a.at(1), a.at(2)}; }

  void read_nodes() {
    for (Json& n : json.at("nodes")) {
      Node node;
      node.name = n.value("name", std::string());
      if (node.name.empty()) node.name = "bone_" + std::to_string(nodes.size());
      if (n.contains("matrix")) split_matrix(n);
      if (n.contains("translation")) node.pos = vec(n["translation"]);
      if (n.contains("scale")) node.scale = vec(n["scale"]);
      if (n.contains("rotation")) {
        const Json& r = n["rotation"];
        node.rot = normalized(Quatd{r.at(3), r.at(0), r.at(1), r.at(2)});
      }
      nodes.push_back(std::move(node));
    }
    const int count = int(nodes.size());
    for (int i = 0; i < count; ++i)
      for (const Json& child : json["nodes"][i].value("children", Json::array())) {
        const int c = child.get<int>();
        if (c < 0 || c >= count || nodes[c].parent >= 0 || c == i)
          fail("node " + std::to_string(i) + ": its child " + child.dump() +
               " is missing or has another parent");
        nodes[c].parent = i;
      }
    order_nodes();
    for (const int i : order) {
      Node& n = nodes[i];
      const Mat3d local = matrix(n.rot) * Mat3d(n.scale.x, 0, 0, 0, n.scale.y, 0, 0, 0, n.scale.z);
      n.world = n.parent < 0 ? local : nodes[n.parent].world * local;
      n.world_rot = n.parent < 0 ? n.rot : nodes[n.parent].world_rot * n.rot;
      n.world_pos = n.parent < 0 ? n.pos : nodes[n.parent].world_pos + nodes[n.parent].world * n.pos;
    }
  }

  // An animated node may not have a matrix: the same as translation, rotation and scale.
  static void split_matrix(Json& n) {
    const std::vector<double> m = n["matrix"];
    if (m.size() != 16) return;
    Vec3d x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
    const Vec3d size{norm(x), norm(y), norm(z)};
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return;
    const double sign = dot(x, cross(y, z)) < 0 ? -1 : 1;
    const Quatd r = quaternion(Mat3d::columns(x * (sign / size.x), y * (1 / size.y), z * (1 / size.z)));
    n.erase("matrix");
    n["translation"] = {m[12], m[13], m[14]};
    n["rotation"] = {r.x, r.y, r.z, r.w};
    n["scale"] = {sign * size.x, size.y, size.z};
  }

  void order_nodes() {
    std::vector<std::vector<int>> children(nodes.size());
    for (int i = 0; i < int(nodes.size()); ++i) {
      if (nodes[i].parent < 0) {
        order.push_back(i);
      } else {
        children[nodes[i].parent].push_back(i);
      }
    }
    for (std::size_t k = 0; k < order.size(); ++k)
      for (const int child : children[order[k]]) order.push_back(child);
    if (order.size() != nodes.size()) fail("the file is damaged: its nodes form a ring", "export it again");
  }

  void read_bones() {
    std::vector<char> joint(nodes.size());
    for (const Json& skin : json.value("skins", Json::array()))
      for (const Json& j : skin.at("joints")) {
        if (!j.is_number_unsigned() || j.get<std::uint64_t>() >= nodes.size())
          fail("the file is damaged: its skin names node " + j.dump(), "export it again");
        joint[j.get<std::size_t>()] = 1;
      }
    for (const int i : order)
      if (joint[i]) bones.push_back(i);
    if (bones.empty()) fail("has no skin with bones", "export the rigged mesh together with its armature");
  }

  std::string path_;
  GlbReader file_;
};

// Letters and digits of a name, small, after the last colon.
std::string key_of(const std::string& name) {
  std::string key;
  for (const char c : name.substr(name.find_last_of(':') + 1))
    if (std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80)
      key += char(std::tolower(static_cast<unsigned char>(c)));
  return key;
}

// Links whose names say nothing, where both bodies are understood; pairs of names keep what they have.
void pair_by_shape(Rig& rig, const Creature& creature, SkinReport& report) {
  std::vector<std::pair<int, int>> pairs;
  try {
    pairs = match_by_shape(creature, CharacterFile(rig.path()));
  } catch (const Error&) {
    return;  // a rig that is no character to walk may still be moved by names
  }
  for (const auto& [link, bone] : pairs) {
    const std::string& name = creature.links[std::size_t(link)].name;
    const auto open = std::find(report.links.begin(), report.links.end(), name);
    if (open == report.links.end() || rig.nodes[std::size_t(bone)].link >= 0) continue;
    rig.nodes[std::size_t(bone)].link = link;
    report.pairs.emplace_back(name, rig.nodes[std::size_t(bone)].name);
    report.links.erase(open);
  }
}

SkinReport pair_up(Rig& rig, const Creature& creature, const SkinOptions& options) {
  SkinReport report;
  std::map<std::string, int> bone_of;  // the uppermost of a name
  std::vector<std::string> bone_names;
  for (const int bone : rig.bones) {
    if (const std::string key = key_of(rig.nodes[bone].name); !key.empty()) bone_of.try_emplace(key, bone);
    bone_names.push_back(rig.nodes[bone].name);
  }
  for (const auto& [link, bone] : options.names) {
    if (creature.link(link) < 0) {
      std::vector<std::string> known;
      for (const Link& l : creature.links) known.push_back(l.name);
      throw Error({}, "skin", "the creature has no link '" + link + "'", did_you_mean(link, known));
    }
    if (!bone_of.contains(key_of(bone)))
      rig.fail("has no bone '" + bone + "'", did_you_mean(bone, bone_names));
  }
  for (int i = 0; i < int(creature.links.size()); ++i) {
    const std::string& name = creature.links[i].name;
    const auto given = options.names.find(name);
    const auto found = bone_of.find(key_of(given == options.names.end() ? name : given->second));
    if (found == bone_of.end() || rig.nodes[found->second].link >= 0) {
      report.links.push_back(name);
      continue;
    }
    rig.nodes[found->second].link = i;
    report.pairs.emplace_back(name, rig.nodes[found->second].name);
  }
  pair_by_shape(rig, creature, report);
  for (const int bone : rig.bones)
    if (rig.nodes[bone].link < 0) report.bones.push_back(rig.nodes[bone].name);
  if (report.pairs.empty()) {
    const auto some = [](std::vector<std::string> names) {
      if (names.size() > 6) names.resize(6), names.push_back("...");
      return join(names, ", ");
    };
    rig.fail("no bone has the name of a link",
             "bones: " + some(report.bones) + "; links: " + some(report.links));
  }
  return report;
}

// Nearest node above with a partner, or -1.
int partner_above(const Rig& rig, int node) {
  int above = rig.nodes[node].parent;
  while (above >= 0 && rig.nodes[above].link < 0) above = rig.nodes[above].parent;
  return above;
}

// Height of the lowest contact point, or of the lowest point of all shapes.
double lowest(const Creature& creature, const Workspace<double>& w) {
  double z = unlimited;
  for (const ContactPoint& c : creature.contacts)
    z = std::min(z, point_position(w, c.link, c.pos).z - c.radius);
  for (int link = 0; link < int(creature.links.size()) && creature.contacts.empty(); ++link)
    for (const Shape& shape : creature.links[link].shapes)
      for (const auto& p : smooth_surface(shape).positions)
        z = std::min(z, point_position(w, link, shape.pos + matrix(shape.rot) * Vec3d{p[0], p[1], p[2]}).z);
  return std::isfinite(z) ? z : 0;
}

double size_ratio(const Rig& rig, const Workspace<double>& rest) {
  double ours = 0, theirs = 0;
  for (const int bone : rig.bones) {
    const int above = partner_above(rig, bone);
    if (rig.nodes[bone].link < 0 || above < 0) continue;
    ours += norm(rest.p[rig.nodes[bone].link] - rest.p[rig.nodes[above].link]);
    theirs += norm(rig.nodes[bone].world_pos - rig.nodes[above].world_pos);
  }
  return ours > 0 && theirs > 0 ? theirs / ours : 1;
}

// What one bone does over time, for the file.
struct BoneTrack {
  int node;
  std::vector<float> rotation, translation;  // frames x 4 (x y z w), x 3 (uppermost bones only)
};

class Carrier {
 public:
  Carrier(const Motion& motion, Rig& rig, const SkinOptions& options)
      : motion_(motion), rig_(rig), model_(make_model(motion.creature)), w_(model_), rest_(model_) {
    update_positions(model_, motion.creature.pose(options.pose).data(), rest_);
    scale_ = options.scale > 0 ? options.scale : size_ratio(rig, rest_);
    ground_ = lowest(motion.creature, rest_);
    for (const int i : rig.order)
      if (rig.nodes[i].link >= 0) {
        rig.nodes[i].top = partner_above(rig, i) < 0;
        tracks_.push_back({i, {}, {}});
      }
  }

  double scale() const { return scale_; }

  std::vector<BoneTrack> carry(const std::vector<double>& times) {
    Sampler sampler(model_, motion_);
    std::vector<double> q(model_.nq);
    std::vector<Quatd> world(rig_.nodes.size());
    for (const double time : times) {
      sampler.at(time);
      sampler.positions(q.data());
      update_positions(model_, q.data(), w_);
      std::size_t track = 0;
      for (const int i : rig_.order) {
        const Node& n = rig_.nodes[i];
        const Quatd above = n.parent < 0 ? Quatd{} : world[n.parent];
        world[i] = n.link < 0 ? above * n.rot : turn(n.link) * n.world_rot;
        if (n.link >= 0) add_frame(tracks_[track++], n, normalized(conjugate(above) * world[i]));
      }
    }
    return std::move(tracks_);
  }

 private:
  // How a link has moved since rest, in the file's axes.
  Quatd turn(int link) const { return y_up(quaternion(w_.R[link] * transpose(rest_.R[link]))); }

  void add_frame(BoneTrack& t, const Node& n, const Quatd& local) {
    std::array<float, 4> r = {float(local.x), float(local.y), float(local.z), float(local.w)};
    if (!t.rotation.empty()) {
      const float* last = t.rotation.data() + t.rotation.size() - 4;
      if (r[0] * last[0] + r[1] * last[1] + r[2] * last[2] + r[3] * last[3] < 0)
        for (float& x : r) x = -x;
    }
    t.rotation.insert(t.rotation.end(), r.begin(), r.end());
    if (!n.top) return;
    const Vec3d p = place(n);
    const Vec3d at =
        n.parent < 0 ? p : inverse(rig_.nodes[n.parent].world) * (p - rig_.nodes[n.parent].world_pos);
    for (const double x : {at.x, at.y, at.z}) t.translation.push_back(float(x));
  }

  // Where an uppermost bone is: its link's place to scale, and what lies between the two at rest.
  Vec3d place(const Node& n) const {
    const Vec3d rest = rest_.p[n.link] - Vec3d{0, 0, ground_};
    const Vec3d between = n.world_pos - y_up(rest) * scale_;
    return y_up(w_.p[n.link]) * scale_ + matrix(turn(n.link)) * between;
  }

  const Motion& motion_;
  Rig& rig_;
  Model<double> model_;
  Workspace<double> w_, rest_;
  double scale_ = 1, ground_ = 0;
  std::vector<BoneTrack> tracks_;
};

// The rig's document with one animation instead of its own.
class SkinWriter {
 public:
  explicit SkinWriter(Rig& rig) : rig_(rig) {}

  void write(const std::vector<double>& times, const std::vector<BoneTrack>& tracks,
             const std::string& path) {
    std::vector<float> seconds;
    for (const double t : times) seconds.push_back(float(t - times.front()));
    const int input = add(seconds, 1, "SCALAR");
    rig_.json["accessors"][input]["min"] = Json::array({seconds.front()});
    rig_.json["accessors"][input]["max"] = Json::array({seconds.back()});
    Json samplers = Json::array(), channels = Json::array();
    const auto channel = [&](int node, const char* what, int output) {
      channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", what}}}});
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    for (const BoneTrack& t : tracks) {
      channel(t.node, "rotation", add(t.rotation, 4, "VEC4"));
      if (!t.translation.empty()) channel(t.node, "translation", add(t.translation, 3, "VEC3"));
    }
    rig_.json["animations"] =
        Json::array({Json{{"name", "motion"}, {"channels", channels}, {"samplers", samplers}}});
    std::vector<char>& binary = rig_.binary;
    binary.resize((binary.size() + 3) / 4 * 4);
    rig_.json["buffers"] = Json::array({Json{{"byteLength", binary.size()}}});
    FileWriter file(path);
    write_glb_head(file, path, rig_.json.dump(-1, ' ', false, Json::error_handler_t::replace), binary.size());
    file.write(binary.data(), binary.size());
    file.commit();
  }

 private:
  int append(const char* list, Json item) {
    if (!rig_.json.contains(list)) rig_.json[list] = Json::array();
    rig_.json[list].push_back(std::move(item));
    return int(rig_.json[list].size()) - 1;
  }
  int add(const std::vector<float>& values, std::size_t width, const char* type) {
    std::vector<char>& binary = rig_.binary;
    binary.resize((binary.size() + 3) / 4 * 4);
    const std::size_t at = binary.size(), bytes = values.size() * sizeof(float);
    binary.resize(at + bytes);
    std::copy_n(reinterpret_cast<const char*>(values.data()), bytes, binary.data() + at);
    const int view = append("bufferViews", {{"buffer", 0}, {"byteOffset", at}, {"byteLength", bytes}});
    return append(
        "accessors",
        {{"bufferView", view}, {"componentType", float32}, {"count", values.size() / width}, {"type", type}});
  }

  Rig& rig_;
};

}  // namespace

SkinReport write_skin(const Motion& motion, const std::string& rig_path, const std::string& path,
                      const SkinOptions& options) {
  check_writable(motion, path, options.rate);
  if (!options.pose.empty()) check_pose(motion.creature, options.pose);
  Rig rig(rig_path);
  SkinReport report = pair_up(rig, motion.creature, options);
  Carrier carrier(motion, rig, options);
  report.scale = carrier.scale();

  // frames that are numbers, each later than the one before
  std::vector<double> times;
  for (const double t : sample_times(motion, options.rate))
    if (times.empty() || float(t - times.front()) > float(times.back() - times.front())) times.push_back(t);
  const std::vector<BoneTrack> tracks = carrier.carry(times);
  for (const BoneTrack& t : tracks)
    for (const std::vector<float>* values : {&t.rotation, &t.translation})
      for (const float x : *values)
        if (!std::isfinite(x))
          throw Error({path, 0}, "", "the motion is not finite everywhere, and a rig cannot follow it",
                      "cut it before that");
  SkinWriter(rig).write(times, tracks, path);
  return report;
}

}  // namespace legwork
