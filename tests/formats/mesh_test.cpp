#include "formats/mesh/mesh.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "creature/shape.h"
#include "formats/file.h"
#include "formats/gltf/glb_file.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const char* cube_obj =
    "# a unit cube\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 9 9 9\n"
    "vn 0 0 1\n"
    "f 1 4 3 2\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\nf 2 3 7 6\nf 3 4 8 7\nf -9 -5 -2 -6\n";

MassProperties solid(const Mesh& mesh) {
  EXPECT_FALSE(mesh_fault(mesh));
  return mass_properties(mesh, 1);
}

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string binary_stl(const Mesh& mesh) {
  std::string bytes(80, ' ');
  put(bytes, std::uint32_t(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    bytes.append(12, '\0');
    for (const int i : t)
      for (int k = 0; k < 3; ++k) put(bytes, float(mesh.vertices[i][k]));
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string ascii_stl(const Mesh& mesh) {
  std::string text = "solid cube\n";
  for (const auto& t : mesh.triangles) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int i : t)
      text += "   vertex " + std::to_string(mesh.vertices[i].x) + " " + std::to_string(mesh.vertices[i].y) +
              " " + std::to_string(mesh.vertices[i].z) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid cube\n";
}

// A box of 1 x 2 x 3 (glTF axes) from its corner, under a node; `edit` may spoil the JSON.
template <class Edit>
void write_glb(const std::string& path, Edit edit) {
  Shape box;
  box.size = {1, 2, 3};
  box.pos = {0.5, 1, 1.5};
  const Mesh mesh = surface(box);
  std::string bytes;
  for (const Vec3d& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) put(bytes, float(v[k]));
  const std::size_t vertices = bytes.size();
  for (const auto& t : mesh.triangles)
    for (const int i : t) put(bytes, std::uint16_t(i));
  nlohmann::json g;
  g["asset"]["version"] = "2.0";
  g["scene"] = 0;
  g["scenes"] = {{{"nodes", {0}}}};
  g["nodes"] = {{{"children", {1}}, {"translation", {10, 20, 30}}}, {{"mesh", 0}, {"scale", {-1, 1, 1}}}};
  g["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}};
  g["accessors"] = {{{"bufferView", 0}, {"componentType", 5126}, {"count", 8}, {"type", "VEC3"}},
                    {{"bufferView", 1}, {"componentType", 5123}, {"count", 36}, {"type", "SCALAR"}}};
  g["bufferViews"] = {{{"buffer", 0}, {"byteLength", vertices}},
                      {{"buffer", 0}, {"byteOffset", vertices}, {"byteLength", bytes.size() - vertices}}};
  g["buffers"] = {{{"byteLength", bytes.size()}}};
  edit(g);
  bytes.resize((bytes.size() + 3) / 4 * 4);
  FileWriter file(path);
  write_glb_head(file, path, g.dump(), bytes.size());
  file.write(bytes);
  file.commit();
}

TEST(ReadMesh, ObjWithPolygonsNegativeIndicesAndUnusedVertices) {
  const Scratch folder;
  write_file(folder / "cube.obj", cube_obj);
  const Mesh mesh = read_mesh(folder / "cube.obj");
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(solid(mesh).mass, 1, 1e-15);
  EXPECT_LT(norm(solid(mesh).com - Vec3d(0.5, 0.5, 0.5)), 1e-15);
}

TEST(ReadMesh, BothKindsOfStlAreTheSameSolid) {
  const Scratch folder;
  write_file(folder / "cube.obj", cube_obj);
  const Mesh cube = read_mesh(folder / "cube.obj");
  write_file(folder / "binary.STL", binary_stl(cube));
  write_file(folder / "text.stl", ascii_stl(cube));
  for (const char* name : {"binary.STL", "text.stl"}) {
    const Mesh mesh = read_mesh(folder / name);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_NEAR(solid(mesh).mass, 1, 1e-15);
  }
}

TEST(ReadMesh, GlbIsPlacedByItsNodesAndTurnedZUp) {
  const Scratch folder;
  write_glb(folder / "box.glb", [](auto&) {});
  const MassProperties m = solid(read_mesh(folder / "box.glb"));
  EXPECT_NEAR(m.mass, 6, 1e-6);
  // glTF (9.5, 21, 31.5): z is our x, x our y, y our z
  EXPECT_LT(norm(m.com - Vec3d(31.5, 9.5, 21)), 1e-5);
}

TEST(ReadMesh, ErrorsNameFileAndLine) {
  const Scratch folder;
  const auto error = [&](const std::string& name, const std::string& text) {
    write_file(folder / name, text);
    const std::string what = error_of([&] { read_mesh(folder / name); });
    return what.starts_with(folder.path() + "/") ? what.substr(folder.path().size() + 1) : what;
  };
  EXPECT_EQ(error("a.obj", "v 0 0 0\nv 1 x 0\n"), "a.obj:2: 'x' is no finite number; a vertex needs three");
  EXPECT_EQ(error("a.obj", "v 0 0\n"), "a.obj:1: a vertex needs three numbers");
  EXPECT_EQ(error("a.obj", "v 0 nan 0\n"), "a.obj:1: 'nan' is no finite number; a vertex needs three");
  EXPECT_EQ(error("a.obj", "v 0 0 0\n\nf 1 2 3\n"),
            "a.obj:3: face uses vertex 2 of 1 so far; vertices are counted from 1");
  EXPECT_EQ(error("a.obj", "v 0 0 0\nf 1 1\n"), "a.obj:2: a face needs at least three vertices");
  EXPECT_EQ(error("a.obj", "v 0 0 0\nf a b c\n"),
            "a.obj:2: 'a' is no vertex of a face; give numbers such as 7 or 7/1/7");
  EXPECT_EQ(error("a.obj", "nothing\n"), "a.obj: has no triangles; export the mesh again");
  EXPECT_EQ(error("a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n"),
            "a.stl:4: a facet ends after 1 of 3 vertices; export the mesh again");
  EXPECT_EQ(error("a.stl", "garbage"),
            "a.stl: is no STL: too short for a binary one, and a text one starts with 'solid'");
  EXPECT_EQ(error("a.stl", std::string(100, '\0')),
            "a.stl: is no STL: a binary one of 0 triangles would have 84 bytes, not 100, and a text one "
            "starts with "
            "'solid'; export the mesh again");
  EXPECT_EQ(error("a.ply", "ply"),
            "a.ply: is no kind of mesh that can be read; use .obj, .stl, .dae or .glb");
  EXPECT_NE(error_of([&] { read_mesh(folder / "missing.obj"); }), "");
}

TEST(ReadMesh, HostileGlbFilesAreErrorsNotCrashes) {
  const Scratch folder;
  using Json = nlohmann::json;
  const auto error = [&](auto edit) {
    write_glb(folder / "a.glb", edit);
    const std::string what = error_of([&] { read_mesh(folder / "a.glb"); });
    return what.starts_with(folder.path() + "/") ? what.substr(folder.path().size() + 1) : what;
  };
  const std::string beyond = "a.glb: has an accessor beyond its buffer; export it again";
  EXPECT_EQ(error([](Json& g) { g["accessors"][0]["count"] = 9; }), beyond);
  EXPECT_EQ(error([](Json& g) { g["accessors"][0]["count"] = 0; }), beyond);
  EXPECT_EQ(error([](Json& g) { g["bufferViews"][0]["byteOffset"] = 0xffffffffffffffffu; }), beyond);
  EXPECT_EQ(error([](Json& g) { g["accessors"][0]["byteOffset"] = 0xfffffffffffffff0u; }), beyond);
  EXPECT_EQ(error([](Json& g) { g["bufferViews"][0]["byteLength"] = 0xffffffffffffffffu; }), beyond);
  EXPECT_EQ(error([](Json& g) { g["accessors"][0]["count"] = 0xffffffffffffffffu; }),
            "a.glb: has too many vertices; simplify the mesh");
  EXPECT_EQ(error([](Json& g) { g["nodes"][1]["children"] = {0}; }),
            "a.glb: nests nodes more than 256 deep, or in a circle; export it again");
  EXPECT_EQ(error([](Json& g) { g["accessors"][1]["componentType"] = 7; }),
            "a.glb: has numbers of the unknown type 7");
  EXPECT_EQ(error([](Json& g) { g["buffers"][0]["uri"] = "/etc/passwd"; }),
            "a.glb: keeps its geometry in another file; export it as one .glb");
  EXPECT_EQ(error([](Json& g) { g["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }),
            "a.glb: needs the glTF extension KHR_draco_mesh_compression; export without it");
  for (const char* path :
       {"/nodes/1/mesh", "/meshes/0/primitives/0/indices", "/accessors/0/bufferView", "/scene"}) {
    const std::string what = error([&](Json& g) { g[Json::json_pointer(path)] = 77; });
    EXPECT_TRUE(what.starts_with("a.glb: is no glTF that can be read")) << path << ": " << what;
    EXPECT_TRUE(error([&](Json& g) { g[Json::json_pointer(path)] = -1; }).starts_with("a.glb: is no glTF"));
    EXPECT_TRUE(error([&](Json& g) { g[Json::json_pointer(path)] = "x"; }).starts_with("a.glb: is no glTF"));
  }
}

}  // namespace
}  // namespace legwork
