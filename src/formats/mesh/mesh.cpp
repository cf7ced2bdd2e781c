#include "formats/mesh/mesh.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "creature/mesh.h"
#include "formats/file.h"
#include "formats/mesh/mesh_dae.h"
#include "formats/mesh/mesh_glb.h"

namespace legwork {

namespace {

constexpr std::uint64_t most_bytes = 256u << 20;
constexpr std::size_t most_triangles = 4'000'000;

// Words of a text, line by line.
class Lines {
 public:
  Lines(const std::string& path, std::string_view text) : where_{path, 0}, rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++where_.line;
    return true;
  }
  // The line's next word; empty at its end.
  std::string_view word() {
    while (!line_.empty() && std::isspace((unsigned char)line_.front())) line_.remove_prefix(1);
    std::size_t end = 0;
    while (end < line_.size() && !std::isspace((unsigned char)line_[end])) ++end;
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end);
    return word;
  }
  double number(const std::string& what) {
    const std::string_view text = word();
    double x = 0;
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    if (text.empty()) fail(what + " needs three numbers");
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(x))
      fail("'" + shown(text) + "' is no finite number", what + " needs three");
    return x;
  }
  Vec3d vector(const std::string& what) {
    const double x = number(what), y = number(what), z = number(what);
    return {x, y, z};
  }
  // Words of a damaged file may be long and unprintable.
  static std::string shown(std::string_view word) {
    std::string text(word.substr(0, 40));
    for (char& c : text)
      if (!std::isprint((unsigned char)c)) c = '?';
    return word.size() > 40 ? text + "..." : text;
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw Error(where_, "", problem, advice);
  }

 private:
  Where where_;
  std::string_view rest_, line_;
};

void add_triangle(const std::string& path, Mesh& mesh, const std::array<int, 3>& t) {
  if (mesh.triangles.size() >= most_triangles)
    throw Error({path, 0}, "", "has more than " + std::to_string(most_triangles) + " triangles",
                "simplify the mesh");
  mesh.triangles.push_back(t);
}

// 1-based, or negative from the last vertex so far; "7/2/3" is vertex 7.
int obj_index(const Lines& lines, std::string_view word, std::size_t vertices) {
  const std::string_view number = word.substr(0, word.find('/'));
  long long i = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), i);
  if (error != std::errc() || end != number.data() + number.size())
    lines.fail("'" + Lines::shown(word) + "' is no vertex of a face", "give numbers such as 7 or 7/1/7");
  const long long index = i < 0 ? (long long)vertices + i : i - 1;
  if (i == 0 || index < 0 || index >= (long long)vertices)
    lines.fail("face uses vertex " + std::to_string(i) + " of " + std::to_string(vertices) + " so far",
               "vertices are counted from 1");
  return int(index);
}

Mesh read_obj(const std::string& path, const std::string& text) {
  Mesh mesh;
  Lines lines(path, text);
  while (lines.next()) {
    const std::string_view kind = lines.word();
    if (kind == "v") {
      mesh.vertices.push_back(lines.vector("a vertex"));
    } else if (kind == "f") {
      std::vector<int> corners;
      for (std::string_view w = lines.word(); !w.empty(); w = lines.word())
        corners.push_back(obj_index(lines, w, mesh.vertices.size()));
      if (corners.size() < 3) lines.fail("a face needs at least three vertices");
      for (std::size_t i = 2; i < corners.size(); ++i)
        add_triangle(path, mesh, {corners[0], corners[i - 1], corners[i]});
    }
  }
  return mesh;
}

std::uint32_t little_endian(const char* bytes) {
  std::uint32_t x = 0;
  for (int i = 3; i >= 0; --i) x = x << 8 | (unsigned char)bytes[i];
  return x;
}

// 80 bytes of heading, a count, then 50 bytes a triangle: normal, three vertices, two bytes of attributes.
bool is_binary_stl(const std::string& data) {
  return data.size() >= 84 && data.size() == 84 + 50 * std::uint64_t(little_endian(&data[80]));
}

Mesh read_binary_stl(const std::string& path, const std::string& data) {
  Mesh mesh;
  const std::uint32_t count = little_endian(&data[80]);
  for (std::uint32_t t = 0; t < count; ++t) {
    const char* at = &data[84 + 50 * std::size_t(t) + 12];
    for (int i = 0; i < 3; ++i) {
      Vec3d v;
      for (int k = 0; k < 3; ++k) v[k] = std::bit_cast<float>(little_endian(at + 12 * i + 4 * k));
      if (!std::isfinite(v.x + v.y + v.z))
        throw Error({path, 0}, "triangle " + std::to_string(t + 1), "has a vertex that is not finite",
                    "export the mesh again");
      mesh.vertices.push_back(v);
    }
    const int n = int(mesh.vertices.size());
    add_triangle(path, mesh, {n - 3, n - 2, n - 1});
  }
  return mesh;
}

Mesh read_ascii_stl(const std::string& path, const std::string& text) {
  Mesh mesh;
  Lines lines(path, text);
  int corners = 0;  // that the open facet has so far
  while (lines.next()) {
    const std::string_view kind = lines.word();
    if (kind == "vertex") {
      mesh.vertices.push_back(lines.vector("a vertex"));
      if (++corners > 3) lines.fail("a facet has more than three vertices", "export the mesh again");
    } else if (kind == "endfacet") {
      if (corners != 3)
        lines.fail("a facet ends after " + std::to_string(corners) + " of 3 vertices",
                   "export the mesh again");
      const int n = int(mesh.vertices.size());
      add_triangle(path, mesh, {n - 3, n - 2, n - 1});
      corners = 0;
    }
  }
  if (corners != 0) lines.fail("the file ends inside a facet", "export the mesh again");
  return mesh;
}

Mesh read_stl(const std::string& path, const std::string& data) {
  if (is_binary_stl(data)) return read_binary_stl(path, data);
  if (data.starts_with("solid")) return read_ascii_stl(path, data);
  if (data.size() >= 84)
    throw Error({path, 0}, "",
                "is no STL: a binary one of " + std::to_string(little_endian(&data[80])) +
                    " triangles would have " +
                    std::to_string(84 + 50 * std::uint64_t(little_endian(&data[80]))) + " bytes, not " +
                    std::to_string(data.size()) + ", and a text one starts with 'solid'",
                "export the mesh again");
  throw Error({path, 0}, "", "is no STL: too short for a binary one, and a text one starts with 'solid'");
}

// MuJoCo's own: four counts (vertices, normals, texture coordinates, triangles), then floats and indices.
Mesh read_msh(const std::string& path, const std::string& data) {
  const auto fail = [&](const std::string& problem) {
    throw Error({path, 0}, "", problem, "export the mesh again");
  };
  if (data.size() < 16) fail("is too short for a mesh of MuJoCo");
  std::uint64_t count[4];
  for (int i = 0; i < 4; ++i) count[i] = little_endian(&data[std::size_t(4 * i)]);
  if (16 + 12 * count[0] + 12 * count[1] + 8 * count[2] + 12 * count[3] != data.size())
    fail("its size does not fit its counts of vertices and triangles");
  Mesh mesh;
  for (std::size_t i = 0; i < count[0]; ++i) {
    Vec3d v;
    for (int k = 0; k < 3; ++k)
      v[k] = std::bit_cast<float>(little_endian(&data[16 + 12 * i + std::size_t(4 * k)]));
    if (!std::isfinite(v.x + v.y + v.z)) fail("has a vertex that is not finite");
    mesh.vertices.push_back(v);
  }
  const std::size_t faces = 16 + 12 * count[0] + 12 * count[1] + 8 * count[2];
  for (std::size_t i = 0; i < count[3]; ++i) {
    std::array<int, 3> t;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t index = little_endian(&data[faces + 12 * i + 4 * k]);
      if (index >= count[0])
        fail("a triangle uses vertex " + std::to_string(index) + " of " + std::to_string(count[0]));
      t[k] = int(index);
    }
    add_triangle(path, mesh, t);
  }
  return mesh;
}

}  // namespace

Mesh read_mesh(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  Mesh mesh;
  if (ending == ".obj")
    mesh = read_obj(path, read_file(path, most_bytes));
  else if (ending == ".stl")
    mesh = read_stl(path, read_file(path, most_bytes));
  else if (ending == ".glb")
    mesh = read_glb_mesh(path, most_triangles);
  else if (ending == ".dae")
    mesh = read_dae_mesh(path, read_file(path, most_bytes), most_triangles);
  else if (ending == ".msh")
    mesh = read_msh(path, read_file(path, most_bytes));
  else
    throw Error({path, 0}, "", "is no kind of mesh that can be read", "use .obj, .stl, .dae or .glb");
  mesh = weld(mesh);
  if (mesh.triangles.empty()) throw Error({path, 0}, "", "has no triangles", "export the mesh again");
  mesh.file = path;
  return mesh;
}

}  // namespace legwork
