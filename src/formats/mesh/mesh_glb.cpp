// Geometry of glTF 2.0 binary files: scene, nodes, meshes, accessors, buffer views (sections 3.5 to 3.7 of
// the specification). Every index and range is checked before use; GlbReader guards the binary chunk.
#include "formats/mesh/mesh_glb.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "formats/gltf/component.h"
#include "formats/gltf/glb_file.h"
#include "math/vec.h"

namespace legwork {

namespace {

using Json = nlohmann::json;

// x -> A x + b
struct Affine {
  Mat3d A = Mat3d::identity();
  Vec3d b;
};
Affine operator*(const Affine& l, const Affine& r) { return {l.A * r.A, l.A * r.b + l.b}; }

class GlbMeshReader {
 public:
  GlbMeshReader(const std::string& path, std::size_t most_triangles)
      : path_(path), most_triangles_(most_triangles), file_(path) {}

  Mesh read() {
    try {
      gltf_ = Json::parse(file_.json());
      for (const auto& name : gltf_.value("extensionsRequired", Json::array()))
        if (name != "KHR_mesh_quantization" && name != "KHR_materials_unlit")
          fail("needs the glTF extension " + name.get<std::string>(), "export without it");
      const Affine turn{{0, 0, 1, 1, 0, 0, 0, 1, 0}, {}};  // z to x, x to y, y to z
      for (const std::size_t node : root_nodes()) add_node(node, turn, 0);
    } catch (const Json::exception& e) {
      fail("is no glTF that can be read (" + std::string(e.what()) + ")", "export it again");
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw Error({path_, 0}, "", problem, advice);
  }

  static std::uint64_t whole(const Json& value) {
    if (!value.is_number_unsigned())
      throw Json::type_error::create(302, "a count or index is no whole number", &value);
    return value.get<std::uint64_t>();
  }
  std::uint64_t whole(const Json& object, const char* key, std::uint64_t otherwise) const {
    return object.contains(key) ? whole(object.at(key)) : otherwise;
  }

  std::vector<std::size_t> root_nodes() const {
    std::vector<std::size_t> roots;
    const Json scenes = gltf_.value("scenes", Json::array());
    if (!scenes.empty()) {
      for (const Json& n : scenes.at(whole(gltf_, "scene", 0)).value("nodes", Json::array()))
        roots.push_back(whole(n));
      return roots;
    }
    // without a scene: the nodes that are nobody's child
    const Json nodes = gltf_.value("nodes", Json::array());
    std::vector<bool> child(nodes.size());
    for (const Json& node : nodes)
      for (const Json& n : node.value("children", Json::array()))
        if (whole(n) < child.size()) child[whole(n)] = true;
    for (std::size_t i = 0; i < child.size(); ++i)
      if (!child[i]) roots.push_back(i);
    return roots;
  }

  Affine node_transform(const Json& node) const {
    Affine t;
    if (node.contains("matrix")) {
      const auto m = node.at("matrix").get<std::array<double, 16>>();  // column-major
      t.A = {m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]};
      t.b = {m[12], m[13], m[14]};
      return t;
    }
    const auto s = node.value("scale", std::array<double, 3>{1, 1, 1});
    const auto r = node.value("rotation", std::array<double, 4>{0, 0, 0, 1});  // x y z w
    const auto p = node.value("translation", std::array<double, 3>{0, 0, 0});
    t.A = matrix(normalized(Quatd(r[3], r[0], r[1], r[2]))) *
          Mat3d(s[0], 0.0, 0.0, 0.0, s[1], 0.0, 0.0, 0.0, s[2]);
    t.b = {p[0], p[1], p[2]};
    return t;
  }

  void add_node(std::size_t index, const Affine& parent, int depth) {
    if (depth > 256) fail("nests nodes more than 256 deep, or in a circle", "export it again");
    if (++visited_ > 1'000'000) fail("has more than a million nodes", "simplify it");
    const Json& node = gltf_.at("nodes").at(index);
    const Affine t = parent * node_transform(node);
    if (node.contains("mesh"))
      for (const Json& primitive : gltf_.at("meshes").at(whole(node.at("mesh"))).at("primitives"))
        add_primitive(primitive, t);
    for (const Json& child : node.value("children", Json::array())) add_node(whole(child), t, depth + 1);
  }

  // An accessor's numbers, `width` a row. Normalised integers become shares of their range.
  std::vector<double> numbers(std::size_t index, const std::string& type, int width) {
    const Json& accessor = gltf_.at("accessors").at(index);
    if (accessor.contains("sparse")) fail("uses sparse accessors, which are not read", "export it without");
    if (accessor.at("type") != type)
      fail("has an accessor of type " + accessor.at("type").dump() + ", not " + type);
    const std::uint64_t component = whole(accessor.at("componentType")), count = whole(accessor.at("count"));
    const std::size_t bytes = gltf::component_bytes(component);
    if (bytes == 0) fail("has numbers of the unknown type " + std::to_string(component));
    if (count > 3 * std::uint64_t(most_triangles_)) fail("has too many vertices", "simplify the mesh");
    const Json& view = gltf_.at("bufferViews").at(whole(accessor.at("bufferView")));
    if (whole(view, "buffer", 0) != 0 || gltf_.at("buffers").at(0).contains("uri"))
      fail("keeps its geometry in another file", "export it as one .glb");
    const std::uint64_t row = bytes * width, stride = whole(view, "byteStride", row);
    const std::uint64_t offset = whole(accessor, "byteOffset", 0), length = whole(view.at("byteLength"));
    const std::uint64_t begin = whole(view, "byteOffset", 0);
    if (stride < row || stride > 252 || count == 0 || offset > length || length > file_.binary_bytes() ||
        (count - 1) * stride + row > length - offset || begin > file_.binary_bytes() - length)
      fail("has an accessor beyond its buffer", "export it again");
    std::vector<char> raw((count - 1) * stride + row);
    file_.read(begin + offset, raw.data(), raw.size());
    const bool shares = accessor.value("normalized", false);
    std::vector<double> out;
    out.reserve(count * width);
    for (std::uint64_t i = 0; i < count; ++i)
      for (int k = 0; k < width; ++k)
        out.push_back(gltf::component_number(&raw[i * stride + k * bytes], component, shares));
    return out;
  }

  void add_primitive(const Json& primitive, const Affine& t) {
    const std::uint64_t mode = whole(primitive, "mode", 4);
    if (mode < 4) return;  // points and lines
    const std::vector<double> x = numbers(whole(primitive.at("attributes").at("POSITION")), "VEC3", 3);
    const std::size_t first = mesh_.vertices.size(), count = x.size() / 3;
    if (first + count > 3 * most_triangles_) fail("has too many vertices", "simplify the mesh");
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d v = t.A * Vec3d(x[3 * i], x[3 * i + 1], x[3 * i + 2]) + t.b;
      if (!std::isfinite(v.x + v.y + v.z)) fail("has a vertex that is not finite", "export it again");
      mesh_.vertices.push_back(v);
    }
    std::vector<double> corner;
    if (primitive.contains("indices")) {
      corner = numbers(whole(primitive.at("indices")), "SCALAR", 1);
    } else {
      for (std::size_t i = 0; i < count; ++i) corner.push_back(double(i));
    }
    for (const double i : corner)
      if (!(i >= 0 && i < double(count)))
        fail("has a triangle with vertex " + std::to_string((long long)i) + " of " + std::to_string(count),
             "export it again");
    const bool flips = dot(t.A.row(0), cross(t.A.row(1), t.A.row(2))) < 0;
    const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
      if (mesh_.triangles.size() >= most_triangles_)
        fail("has more than " + std::to_string(most_triangles_) + " triangles", "simplify the mesh");
      if (flips) std::swap(b, c);
      mesh_.triangles.push_back({int(first + corner[a]), int(first + corner[b]), int(first + corner[c])});
    };
    if (mode == 4)
      for (std::size_t i = 0; i + 2 < corner.size(); i += 3) add(i, i + 1, i + 2);
    else if (mode == 5)
      for (std::size_t i = 0; i + 2 < corner.size(); ++i) i % 2 ? add(i, i + 2, i + 1) : add(i, i + 1, i + 2);
    else
      for (std::size_t i = 1; i + 1 < corner.size(); ++i) add(0, i, i + 1);
  }

  std::string path_;
  std::size_t most_triangles_;
  GlbReader file_;
  Json gltf_;
  Mesh mesh_;
  int visited_ = 0;
};

}  // namespace

Mesh read_glb_mesh(const std::string& path, std::size_t most_triangles) {
  return GlbMeshReader(path, most_triangles).read();
}

}  // namespace legwork
