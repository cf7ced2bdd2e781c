// glTF 2.0: nodes, skins, accessors and buffers (sections 3.5 to 3.7 of the specification). Every index and
// range is checked before use.
#include "formats/character/character_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include <legwork/creature.h>
#include "base/text.h"
#include "formats/base64.h"
#include "formats/file.h"
#include "formats/gltf/component.h"
#include "formats/gltf/glb_file.h"
#include "math/scalar.h"

namespace legwork {

namespace fs = std::filesystem;

Placing operator*(const Placing& l, const Placing& r) { return {l.M * r.M, l.M * r.p + l.p}; }

Placing inverse(const Placing& a) {
  const Vec3d x = a.M.column(0), y = a.M.column(1), z = a.M.column(2);
  const double determinant = dot(x, cross(y, z));
  const Mat3d M = transpose(Mat3d::columns(cross(y, z), cross(z, x), cross(x, y))) * (1 / determinant);
  return {M, M * a.p * -1.0};
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_bones = 1000, most_vertices = 5'000'000, most_nodes = 100'000;

double determinant(const Mat3d& m) { return dot(m.column(0), cross(m.column(1), m.column(2))); }

class CharacterReader {
 public:
  explicit CharacterReader(CharacterFile& out) : out_(out) {}

  void read() {
    read_document();
    check_extensions();
    merge_buffers();
    read_nodes();
    find_bones();
    name_nodes();
    bind_bones();
    read_meshes();
    for (const Json& clip : json_.value("animations", Json::array()))
      out_.clips.push_back(clip.value("name", std::string()));
    out_.json = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw Error({out_.path, 0}, "", problem, advice);
  }
  [[noreturn]] void damaged(const std::string& what) const {
    fail("the file is damaged: " + what, "export it again");
  }

  void read_document() {
    std::string text;
    if (fs::path(out_.path).extension() == ".gltf") {
      text = read_file(out_.path);
    } else {
      GlbReader file(out_.path);
      text = file.json();
      out_.binary.resize(file.binary_bytes());
      file.read(0, out_.binary.data(), out_.binary.size());
    }
    json_ = Json::parse(text, nullptr, false);
    if (!json_.is_object() || !json_.contains("asset")) damaged("it holds no glTF document");
  }

  void check_extensions() const {
    for (const Json& name : json_.value("extensionsRequired", Json::array()))
      if (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression")
        fail("its meshes are compressed by " + name.get<std::string>(), "export it without compression");
  }

  std::size_t index(const Json& json, std::size_t size, const char* what) const {
    if (!json.is_number_unsigned() || json.get<std::size_t>() >= size)
      damaged(std::string(what) + " " + json.dump() + " does not exist");
    return json.get<std::size_t>();
  }
  const Json& item(const char* list, const Json& at) const {
    static const Json none = Json::array();
    const Json& all = json_.contains(list) ? json_[list] : none;
    return all[index(at, all.size(), list)];
  }
  std::size_t count(const Json& object, const char* key, std::size_t otherwise) const {
    if (!object.contains(key)) return otherwise;
    if (!object[key].is_number_unsigned()) damaged(std::string(key) + " is not a count");
    return object[key].get<std::size_t>();
  }

  // What a URI holds: data inside the document, or a file beside it.
  std::string resource(const std::string& uri) const {
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(',');
      const auto bytes = from_base64(comma == uri.npos ? "" : std::string_view(uri).substr(comma + 1));
      if (!bytes) damaged("its embedded data are not base64");
      return *bytes;
    }
    std::string name;
    for (std::size_t i = 0; i < uri.size(); ++i) {
      if (uri[i] == '%' && i + 2 < uri.size() && std::isxdigit(uri[i + 1]) && std::isxdigit(uri[i + 2])) {
        name += char(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        name += uri[i];
      }
    }
    return read_file((fs::path(out_.path).parent_path() / name).string());
  }

  // All buffers, and images in files beside the document, become the one buffer of a .glb.
  void merge_buffers() {
    std::vector<std::size_t> begins;
    std::vector<char>& binary = out_.binary;
    const auto append = [&](const std::string& bytes) {
      binary.resize((binary.size() + 7) / 8 * 8);
      const std::size_t begin = binary.size();
      binary.insert(binary.end(), bytes.begin(), bytes.end());
      return begin;
    };
    std::vector<std::size_t> sizes;
    for (const Json& buffer : json_.value("buffers", Json::array())) {
      const std::size_t bytes = count(buffer, "byteLength", 0);
      begins.push_back(0);
      if (buffer.contains("uri")) begins.back() = append(resource(buffer["uri"].get<std::string>()));
      if (begins.back() > binary.size() || bytes > binary.size() - begins.back())
        damaged("a buffer is shorter than it says");
      sizes.push_back(bytes);
    }
    if (json_.contains("bufferViews"))
      for (Json& view : json_["bufferViews"]) {
        const std::size_t buffer = index(view.at("buffer"), begins.size(), "buffer");
        const std::size_t at = count(view, "byteOffset", 0), bytes = count(view, "byteLength", 0);
        if (at > sizes[buffer] || bytes > sizes[buffer] - at)
          damaged("a buffer view reaches beyond its buffer");
        view["buffer"] = 0, view["byteOffset"] = begins[buffer] + at;
      }
    if (json_.contains("images"))
      for (Json& image : json_["images"]) {
        if (!image.contains("uri") || image["uri"].get<std::string>().starts_with("data:")) continue;
        const std::string uri = image["uri"], bytes = resource(uri);
        const std::size_t at = append(bytes);
        json_["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", bytes.size()}});
        image["mimeType"] = uri.ends_with("png") || uri.ends_with("PNG") ? "image/png" : "image/jpeg";
        image["bufferView"] = json_["bufferViews"].size() - 1;
        image.erase("uri");
      }
    json_.erase("buffers");
  }

  std::vector<double> numbers(const Json& object, const char* key, std::size_t size) const {
    const Json& a = object[key];
    if (!a.is_array() || a.size() != size)
      damaged(std::string(key) + " of a node has no " + std::to_string(size) + " numbers");
    for (const Json& x : a)
      if (!x.is_number()) damaged(std::string(key) + " of a node is no number");
    return a.get<std::vector<double>>();
  }

  Placing local_place(const Json& n) const {
    Placing a;
    if (n.contains("matrix")) {
      const std::vector<double> m = numbers(n, "matrix", 16);
      a.M = {m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]};
      a.p = {m[12], m[13], m[14]};
      return a;
    }
    if (n.contains("rotation")) {
      const std::vector<double> r = numbers(n, "rotation", 4);
      a.M = matrix(normalized(Quatd{r[3], r[0], r[1], r[2]}));
    }
    if (n.contains("scale")) {
      const std::vector<double> s = numbers(n, "scale", 3);
      a.M = a.M * Mat3d(s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]);
    }
    if (n.contains("translation")) {
      const std::vector<double> t = numbers(n, "translation", 3);
      a.p = {t[0], t[1], t[2]};
    }
    return a;
  }

  void read_nodes() {
    if (!json_.contains("nodes") || json_["nodes"].empty())
      fail("has no nodes", "export the rigged mesh with its armature");
    const Json& all = json_["nodes"];
    if (all.size() > most_nodes)
      fail("has " + std::to_string(all.size()) + " nodes", "export the character alone");
    out_.nodes.resize(all.size());
    std::vector<std::vector<int>> children(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      out_.nodes[i].name = all[i].value("name", std::string());
      out_.nodes[i].local = local_place(all[i]);
      for (const Json& child : all[i].value("children", Json::array())) {
        const std::size_t c = index(child, all.size(), "node");
        if (out_.nodes[c].parent >= 0 || c == i)
          damaged("its nodes form a ring: node " + std::to_string(c) + " has two parents");
        out_.nodes[c].parent = int(i);
        children[i].push_back(int(c));
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      if (out_.nodes[i].parent < 0) out_.order.push_back(int(i));
    for (std::size_t k = 0; k < out_.order.size(); ++k)
      for (const int child : children[std::size_t(out_.order[k])]) out_.order.push_back(child);
    if (out_.order.size() != all.size()) damaged("its nodes form a ring");
    for (const int i : out_.order) {
      CharacterNode& n = out_.nodes[std::size_t(i)];
      n.world = n.parent < 0 ? n.local : out_.nodes[std::size_t(n.parent)].world * n.local;
    }
  }

  void find_bones() {
    if (!json_.contains("skins") || json_["skins"].empty())
      fail("has no skin: a mesh without bones", "export the rigged mesh together with its armature");
    for (const Json& skin : json_["skins"])
      for (const Json& joint : skin.value("joints", Json::array()))
        out_.nodes[index(joint, out_.nodes.size(), "node")].bone = true;
    for (const int i : out_.order)
      if (out_.nodes[std::size_t(i)].bone) out_.bones.push_back(i);
    if (out_.bones.empty())
      fail("its skin has no joints", "export the rigged mesh together with its armature");
    if (out_.bones.size() > most_bones)
      fail("has " + std::to_string(out_.bones.size()) + " bones, and more than " +
               std::to_string(most_bones) + " are not understood",
           "export the deforming bones alone");
  }

  // Every bone gets a name of its own.
  void name_nodes() {
    std::map<std::string, int> uses;
    for (const CharacterNode& n : out_.nodes) ++uses[n.name];
    for (std::size_t i = 0; i < out_.nodes.size(); ++i) {
      std::string& name = out_.nodes[i].name;
      if (name.empty())
        name = "bone_" + std::to_string(i);
      else if (uses[name] > 1)
        name += "_" + std::to_string(i);
    }
  }

  std::vector<double> accessor(const Json& at, const char* type, std::size_t width) const {
    const Json& a = item("accessors", at);
    if (a.contains("sparse")) fail("uses sparse accessors, which are not read", "export it without them");
    if (a.value("type", std::string()) != type)
      damaged("an accessor is of another type than " + std::string(type));
    if (!a.contains("bufferView")) return std::vector<double>(count(a, "count", 0) * width);
    const Json& view = item("bufferViews", a["bufferView"]);
    const std::size_t component = count(a, "componentType", 0), rows = count(a, "count", 0);
    const std::size_t size = gltf::component_bytes(component);
    if (size == 0) damaged("numbers of an unknown kind");
    if (rows > most_vertices)
      fail("has more than " + std::to_string(most_vertices) + " vertices", "simplify it");
    const std::size_t stride = count(view, "byteStride", size * width), at_byte = count(a, "byteOffset", 0),
                      bytes = count(view, "byteLength", 0);
    if (rows > 0 &&
        (at_byte > bytes || stride < size * width || (rows - 1) * stride + size * width > bytes - at_byte))
      damaged("an accessor reaches beyond its buffer view");
    const char* data = out_.binary.data() + count(view, "byteOffset", 0) + at_byte;
    const bool share = a.value("normalized", false);
    std::vector<double> values;
    values.reserve(rows * width);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < width; ++k)
        values.push_back(gltf::component_number(data + r * stride + k * size, component, share));
    return values;
  }

  // From a skin's mesh space to each of its joints.
  std::vector<Placing> inverse_binds(const Json& skin) const {
    const std::size_t joints = skin.value("joints", Json::array()).size();
    std::vector<Placing> all(joints);
    if (!skin.contains("inverseBindMatrices")) return all;
    const std::vector<double> m = accessor(skin["inverseBindMatrices"], "MAT4", 16);
    if (m.size() < 16 * joints) damaged("a skin has fewer matrices than joints");
    for (std::size_t i = 0; i < joints; ++i) {
      const double* c = m.data() + 16 * i;
      all[i] = {{c[0], c[4], c[8], c[1], c[5], c[9], c[2], c[6], c[10]}, {c[12], c[13], c[14]}};
      const double volume = determinant(all[i].M);
      if (!(std::abs(volume) > 1e-30) || !std::isfinite(volume + norm(all[i].p)))
        fail("bone '" + out_.nodes[skin["joints"][i].get<std::size_t>()].name + "' is scaled to nothing",
             "apply the armature's scale and export again");
    }
    return all;
  }

  // How far two placings of a whole character differ in turn and size.
  static double difference(const Placing& a, const Placing& b) {
    const double sa = std::abs(determinant(a.M)), sb = std::abs(determinant(b.M));
    if (!(sa > 0 && sb > 0)) return 1e9;
    const Mat3d turn = transpose(a.M) * b.M * (1 / pow(sa * sb, 1.0 / 3));
    const double trace = turn(0, 0) + turn(1, 1) + turn(2, 2);
    return std::max(0.0, 3 - trace) + std::abs(log(sa / sb));
  }

  // Where a skin's mesh space lies in the world. Programs disagree: in the mesh's node, the armature's, or
  // the world itself; the nearest of these to what the file's nodes show of the skin's first joint is meant,
  // or that itself.
  Placing placed(const Json& skin, std::size_t skin_index, const std::vector<Placing>& inverses) const {
    std::size_t first = 0;
    for (std::size_t i = 1; i < skin["joints"].size(); ++i)
      if (depth(skin["joints"][i]) < depth(skin["joints"][first])) first = i;
    const CharacterNode& top = out_.nodes[skin["joints"][first].get<std::size_t>()];
    const Placing shown = top.world * inverses[first];
    std::vector<Placing> candidates = {{}};
    if (top.parent >= 0) candidates.push_back(out_.nodes[std::size_t(top.parent)].world);
    for (std::size_t i = 0; i < out_.nodes.size(); ++i) {
      const Json& n = json_["nodes"][i];
      if (n.contains("skin") && n["skin"] == skin_index)
        candidates.insert(candidates.begin(), out_.nodes[i].world);
    }
    Placing best = shown;
    double nearest = 0.3;
    for (const Placing& one : candidates)
      if (const double d = difference(one, shown); d < nearest - 1e-6) best = one, nearest = d;
    return best;
  }
  int depth(const Json& node) const {
    int d = 0;
    for (int i = node.get<int>(); i >= 0; i = out_.nodes[std::size_t(i)].parent) ++d;
    return d;
  }

  void bind_bones() {
    std::vector<char> bound(out_.nodes.size());
    std::size_t number = 0;
    for (const Json& skin : json_["skins"]) {
      if (skin.value("joints", Json::array()).empty()) {
        inverses_.emplace_back();
        ++number;
        continue;
      }
      std::vector<Placing> inverses = inverse_binds(skin);
      if (!skin.contains("inverseBindMatrices"))
        for (std::size_t i = 0; i < inverses.size(); ++i)
          inverses[i] = inverse(out_.nodes[skin["joints"][i].get<std::size_t>()].world);
      const Placing place = placed(skin, number++, inverses);
      for (std::size_t i = 0; i < inverses.size(); ++i) {
        const std::size_t node = skin["joints"][i].get<std::size_t>();
        if (bound[node]) continue;
        bound[node] = 1;
        out_.nodes[node].bind = place * inverse(inverses[i]);
      }
      inverses_.push_back(std::move(inverses));
    }
    for (const int i : out_.order) {
      CharacterNode& n = out_.nodes[std::size_t(i)];
      if (!bound[std::size_t(i)])
        n.bind = n.parent < 0 ? n.local : out_.nodes[std::size_t(n.parent)].bind * n.local;
      if (n.bone) check_even(n);
    }
  }

  // Bones turn: a scale that differs by direction would shear what hangs on them.
  void check_even(const CharacterNode& n) const {
    const double size = pow(std::abs(determinant(n.bind.M)), 1.0 / 3);
    const Mat3d product = transpose(n.bind.M) * n.bind.M * (1 / (size * size));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (!(std::abs(product(i, j) - (i == j)) < 0.05))
          fail("bone '" + n.name + "' is scaled unevenly or sheared",
               "apply the armature's scale and export again");
    if (determinant(n.bind.M) < 0)
      fail("bone '" + n.name + "' is mirrored by a negative scale",
           "apply the armature's scale and export again");
  }

  void read_meshes() {
    for (const int i : out_.order) {
      const Json& n = json_["nodes"][std::size_t(i)];
      if (!n.contains("mesh")) continue;
      const Json& mesh = item("meshes", n["mesh"]);
      int carrier = i;
      while (carrier >= 0 && !out_.nodes[std::size_t(carrier)].bone)
        carrier = out_.nodes[std::size_t(carrier)].parent;
      if (!n.contains("skin") && carrier < 0) continue;  // scenery
      for (const Json& part : mesh.value("primitives", Json::array())) {
        if (count(part, "mode", 4) != 4) continue;
        const int first = int(out_.vertices.size());
        if (n.contains("skin"))
          add_skinned(part, index(n["skin"], inverses_.size(), "skin"),
                      mesh.value("name", std::string("its mesh")));
        else
          add_rigid(part, out_.nodes[std::size_t(i)].bind, carrier);
        add_triangles(part, first);
      }
    }
    if (out_.vertices.empty())
      fail("no mesh follows its bones", "export the rigged mesh together with its armature");
  }

  std::vector<Vec3d> positions(const Json& part) const {
    std::vector<Vec3d> all;
    const std::vector<double> x = accessor(part.at("attributes").at("POSITION"), "VEC3", 3);
    for (std::size_t k = 0; k + 2 < x.size(); k += 3) {
      all.push_back({x[k], x[k + 1], x[k + 2]});
      if (!std::isfinite(norm(all.back()))) damaged("a vertex is not finite");
    }
    if (out_.vertices.size() + all.size() > most_vertices)
      fail("has more than " + std::to_string(most_vertices) + " vertices", "simplify it");
    return all;
  }

  void add_rigid(const Json& part, const Placing& place, int bone) {
    for (const Vec3d& p : positions(part)) {
      CharacterVertex v;
      v.pos = place.M * p + place.p, v.bones[0] = bone, v.weights[0] = 1;
      out_.vertices.push_back(v);
    }
  }

  void add_skinned(const Json& part, std::size_t skin, const std::string& name) {
    const std::vector<Vec3d> at = positions(part);
    const Json& attributes = part.at("attributes");
    if (!attributes.contains("JOINTS_0") || !attributes.contains("WEIGHTS_0"))
      fail("mesh '" + name + "' has a skin and vertices without weights",
           "weight them, or leave the mesh out");
    const std::vector<double> joints = accessor(attributes["JOINTS_0"], "VEC4", 4),
                              weights = accessor(attributes["WEIGHTS_0"], "VEC4", 4);
    if (joints.size() != 4 * at.size() || weights.size() != joints.size())
      damaged("a mesh has more vertices than weights");
    const Json& bones = json_["skins"][skin]["joints"];
    std::size_t bare = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      CharacterVertex v;
      double sum = 0;
      for (std::size_t c = 0; c < 4; ++c) sum += std::max(0.0, weights[4 * k + c]);
      bare += !(sum > 1e-6);
      for (std::size_t c = 0; c < 4 && sum > 1e-6; ++c) {
        const double w = std::max(0.0, weights[4 * k + c]) / sum;
        if (!(w > 0)) continue;
        const auto joint = std::size_t(joints[4 * k + c]);
        if (joint >= bones.size())
          damaged("a vertex follows joint " + std::to_string(joint) + ", which its skin does not have");
        const int node = bones[joint].get<int>();
        const Placing carried = out_.nodes[std::size_t(node)].bind * inverses_[skin][joint];
        v.pos += (carried.M * at[k] + carried.p) * w;
        v.bones[c] = node, v.weights[c] = w;
      }
      out_.vertices.push_back(v);
    }
    if (bare > 0)
      fail("mesh '" + name + "' has " + std::to_string(bare) + " of " + std::to_string(at.size()) +
               " vertices without weights",
           "weight them to a bone");
  }

  void add_triangles(const Json& part, int first) {
    const int total = int(out_.vertices.size()) - first;
    std::vector<double> at;
    if (part.contains("indices"))
      at = accessor(part["indices"], "SCALAR", 1);
    else
      for (int k = 0; k < total; ++k) at.push_back(k);
    for (std::size_t k = 0; k + 2 < at.size(); k += 3) {
      if (!(at[k] < total && at[k + 1] < total && at[k + 2] < total))
        damaged("a triangle names a vertex that does not exist");
      out_.triangles.push_back({first + int(at[k]), first + int(at[k + 1]), first + int(at[k + 2])});
    }
  }

  CharacterFile& out_;
  Json json_;
  std::vector<std::vector<Placing>> inverses_;  // by skin and joint
};

}  // namespace

CharacterFile::CharacterFile(const std::string& file) : path(file) {
  try {
    CharacterReader(*this).read();
  } catch (const nlohmann::json::exception&) {
    throw Error({file, 0}, "", "the file is damaged: its JSON is not glTF", "export it again");
  }
}

}  // namespace legwork
