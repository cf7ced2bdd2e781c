#include "formats/mesh/mesh_dae.h"

#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <pugixml.hpp>

#include "math/real.h"
#include "math/vec.h"

namespace legwork {

namespace {

// A place with a scale: x -> M x + p.
struct Transform {
  Mat3d M = Mat3d::identity();
  Vec3d p;
};
Transform operator*(const Transform& a, const Transform& b) { return {a.M * b.M, a.p + a.M * b.p}; }

class DaeReader {
 public:
  DaeReader(const std::string& path, const std::string& text, std::size_t most)
      : path_(path), most_triangles_(most) {
    const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
    if (!parsed) fail(std::string("is no XML: ") + parsed.description());
  }

  Mesh read() {
    const pugi::xml_node root = document_.child("COLLADA");
    if (!root) fail("is no Collada file");
    for (const pugi::xml_node g : root.child("library_geometries").children("geometry"))
      geometries_[g.attribute("id").value()] = g;
    for (const pugi::xml_node n : root.child("library_nodes").children("node"))
      nodes_[n.attribute("id").value()] = n;
    Transform top;
    const double meter = root.child("asset").child("unit").attribute("meter").as_double(1);
    top.M = Mat3d::identity() * (meter > 0 ? meter : 1);
    const std::string up = root.child("asset").child("up_axis").text().get();
    if (up == "Y_UP") top.M = top.M * Mat3d::columns({1, 0, 0}, {0, 0, 1}, {0, -1, 0});
    if (up == "X_UP") top.M = top.M * Mat3d::columns({0, 0, 1}, {1, 0, 0}, {0, 1, 0});
    const std::string scene = root.child("scene").child("instance_visual_scene").attribute("url").value();
    bool found = false;
    for (const pugi::xml_node s : root.child("library_visual_scenes").children("visual_scene"))
      if (scene.empty() || scene == std::string("#") + s.attribute("id").value()) {
        found = true;
        for (const pugi::xml_node n : s.children("node")) add_node(n, top, 0);
      }
    if (!found)
      for (const auto& [id, g] : geometries_) add_geometry(g, top);
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error({path_, 0}, "", problem, "export the mesh again, or use .obj, .stl or .glb");
  }

  std::vector<double> numbers(const char* text) const {
    std::vector<double> x;
    const char* end = text + std::char_traits<char>::length(text);
    while (true) {
      while (text < end && (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r')) ++text;
      if (text == end) return x;
      double value = 0;
      const auto [stop, status] = std::from_chars(*text == '+' ? text + 1 : text, end, value);
      if (status != std::errc() || !std::isfinite(value)) fail("holds something that is no finite number");
      x.push_back(value);
      text = stop;
    }
  }

  Transform transform_of(const pugi::xml_node& node) const {
    Transform t;
    for (const pugi::xml_node c : node.children()) {
      const std::string kind = c.name();
      if (kind != "matrix" && kind != "translate" && kind != "rotate" && kind != "scale") continue;
      const std::vector<double> x = numbers(c.text().get());
      Transform own;
      if (kind == "matrix" && x.size() == 16) {
        own.M = Mat3d::columns({x[0], x[4], x[8]}, {x[1], x[5], x[9]}, {x[2], x[6], x[10]});
        own.p = {x[3], x[7], x[11]};
      } else if (kind == "translate" && x.size() == 3) {
        own.p = {x[0], x[1], x[2]};
      } else if (kind == "rotate" && x.size() == 4) {
        const double half = x[3] * std::numbers::pi / 360, s = sin(half);
        const Vec3d axis{x[0], x[1], x[2]};
        if (norm(axis) > 0) {
          const Vec3d n = normalized(axis);
          own.M = matrix(Quatd{cos(half), n.x * s, n.y * s, n.z * s});
        }
      } else if (kind == "scale" && x.size() == 3) {
        own.M = Mat3d::columns({x[0], 0, 0}, {0, x[1], 0}, {0, 0, x[2]});
      } else {
        fail("its <" + kind + "> has " + std::to_string(x.size()) + " numbers");
      }
      t = t * own;
    }
    return t;
  }

  void add_node(const pugi::xml_node& node, const Transform& above, int depth) {
    if (depth > 100) fail("its nodes lie more than 100 deep, or in a circle");
    const Transform here = above * transform_of(node);
    for (const char* kind : {"instance_geometry", "instance_controller"})
      for (const pugi::xml_node i : node.children(kind))
        if (const auto g = geometries_.find(named(i)); g != geometries_.end()) add_geometry(g->second, here);
    for (const pugi::xml_node i : node.children("instance_node"))
      if (const auto n = nodes_.find(named(i)); n != nodes_.end()) add_node(n->second, here, depth + 1);
    for (const pugi::xml_node child : node.children("node")) add_node(child, here, depth + 1);
  }

  static std::string named(const pugi::xml_node& instance) {
    const std::string url = instance.attribute("url").value();
    return url.empty() ? url : url.substr(1);
  }

  // The positions that an input of a list of triangles means, by way of <vertices>.
  std::vector<double> positions(const pugi::xml_node& mesh, std::string source) const {
    if (!source.empty()) source.erase(0, 1);
    for (const pugi::xml_node v : mesh.children("vertices"))
      if (source == v.attribute("id").value())
        for (const pugi::xml_node input : v.children("input"))
          if (std::string(input.attribute("semantic").value()) == "POSITION") {
            source = input.attribute("source").value();
            if (!source.empty()) source.erase(0, 1);
            break;
          }
    for (const pugi::xml_node s : mesh.children("source"))
      if (source == s.attribute("id").value()) return numbers(s.child("float_array").text().get());
    fail("a list of triangles names vertices that are not there");
  }

  void add_geometry(const pugi::xml_node& geometry, const Transform& at) {
    const pugi::xml_node mesh = geometry.child("mesh");
    for (const char* kind : {"triangles", "polylist", "polygons"})
      for (const pugi::xml_node list : mesh.children(kind)) add_list(mesh, list, at);
  }

  void add_list(const pugi::xml_node& mesh, const pugi::xml_node& list, const Transform& at) {
    std::size_t stride = 0, offset = 0;
    std::string source;
    for (const pugi::xml_node input : list.children("input")) {
      const std::size_t o = input.attribute("offset").as_uint(0);
      stride = std::max(stride, o + 1);
      if (std::string(input.attribute("semantic").value()) == "VERTEX")
        offset = o, source = input.attribute("source").value();
    }
    if (source.empty() || stride > 64) fail("a list of triangles has no vertices");
    const std::vector<double> x = positions(mesh, source);
    const std::size_t first = mesh_.vertices.size(), count = x.size() / 3;
    for (std::size_t i = 0; i < count; ++i)
      mesh_.vertices.push_back(at.p + at.M * Vec3d{x[3 * i], x[3 * i + 1], x[3 * i + 2]});
    const bool turned = dot(cross(at.M.column(0), at.M.column(1)), at.M.column(2)) < 0;
    std::vector<double> sides;
    if (list.child("vcount")) sides = numbers(list.child("vcount").text().get());
    const bool fans = std::string(list.name()) == "polygons";
    for (const pugi::xml_node p : list.children("p")) {
      const std::vector<double> index = numbers(p.text().get());
      const std::size_t corners = index.size() / stride;
      std::size_t at_corner = 0;
      for (std::size_t face = 0; at_corner < corners; ++face) {
        const std::size_t n = fans ? corners : face < sides.size() ? std::size_t(sides[face]) : 3;
        if (n == 0 || at_corner + n > corners) break;
        add_fan(index, at_corner, n, stride, offset, first, count, turned);
        at_corner += n;
      }
    }
  }

  void add_fan(const std::vector<double>& index, std::size_t from, std::size_t n, std::size_t stride,
               std::size_t offset, std::size_t first, std::size_t count, bool turned) {
    const auto corner = [&](std::size_t i) {
      const double k = index[(from + i) * stride + offset];
      if (!(k >= 0 && k < double(count))) fail("a face uses a vertex that is not there");
      return int(first + std::size_t(k));
    };
    for (std::size_t i = 2; i < n; ++i) {
      if (mesh_.triangles.size() >= most_triangles_)
        fail("has more than " + std::to_string(most_triangles_) + " triangles");
      std::array<int, 3> t{corner(0), corner(i - 1), corner(i)};
      if (turned) std::swap(t[1], t[2]);
      mesh_.triangles.push_back(t);
    }
  }

  std::string path_;
  std::size_t most_triangles_;
  pugi::xml_document document_;
  std::map<std::string, pugi::xml_node> geometries_, nodes_;
  Mesh mesh_;
};

}  // namespace

Mesh read_dae_mesh(const std::string& path, const std::string& text, std::size_t most_triangles) {
  return DaeReader(path, text, most_triangles).read();
}

}  // namespace legwork
