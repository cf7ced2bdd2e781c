#include "tests/scenes/readers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <legwork/files.h>
#include <legwork/methods.h>
#include <legwork/study.h>
#include "archive/ledger.h"
#include "base/random.h"
#include "corpus/script.h"
#include "formats/bvh/bvh.h"
#include "formats/character/body.h"
#include "formats/file.h"
#include "formats/gltf/glb.h"
#include "formats/mesh/mesh.h"
#include "formats/mjcf/mjcf.h"
#include "formats/table/follow_file.h"
#include "formats/table/places_file.h"
#include "formats/table/terrain_file.h"
#include "formats/table/trackway_csv.h"
#include "formats/toml/gait_toml.h"
#include "formats/toml/program_toml.h"
#include "formats/urdf/urdf.h"
#include "formats/value_json.h"
#include "ground/terrain.h"
#include "tests/scenes/rigged_character.h"
#include "tests/scenes/studies.h"

namespace legwork {

namespace {

const char* const urdf_seed = R"(<robot name="two"><link name="base"><inertial><mass value="1"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial><collision><geometry><box size="0.2 0.1 0.1"/>
</geometry></collision></link><link name="arm"><inertial><origin xyz="0 0 0.1"/><mass value="0.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.1 0 0" rpy="0 0 1"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint></robot>)";

const char* const obj_seed =
    "o tetra\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const char* const stl_seed =
    "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
    "0\nendloop\nendfacet\nendsolid t\n";
const char* const table_seed = "# time,x,y\n0,0,0\n0.5,0.1,0.2\n1,0.3,-0.1\n1.5,1e-3,2e2\n";
const char* const trackway_seed =
    "girdle,side,x,y,yaw\nhind,right,0,-0.1,0\nhind,left,0.4,0.1,0\nhind,right,0.8,-0.1,0\nhind,left,1.2,0.1,"
    "0\n";
const char* const dae_seed = R"(<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="0.01"/>
<up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">
0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4">
<input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>)";

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// MuJoCo's own: counts of vertices, normals, texture coordinates and faces, then these.
std::string msh_seed() {
  return bytes_of<std::int32_t>({4, 0, 0, 4}) + bytes_of<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) +
         bytes_of<std::int32_t>({0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2});
}

// Three by two grey values.
std::string picture_seed() {
  const unsigned char png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
                               0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00,
                               0x00, 0x00, 0x00, 0xb8, 0x1f, 0x39, 0xc6, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44,
                               0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x68, 0xf8, 0xcf, 0xe0, 0xa0, 0x20, 0x00,
                               0x00, 0x09, 0x13, 0x01, 0xf0, 0x1b, 0xf9, 0xb7, 0x7e, 0x00, 0x00, 0x00, 0x00,
                               0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  return {reinterpret_cast<const char*>(png), sizeof png};
}

Motion small_motion() { return drop(load_world("strider"), {.seconds = 0.1}).motion; }

void write_small_archive(const std::string& path) {
  DiscoverOptions few;
  few.random = few.vary = 4, few.generation = 4, few.gaits = 1, few.tune = 0, few.seconds = 0.2;
  few.archive = path;
  discover(load_world("cart"), few, {.threads = 1});
}

std::vector<std::string> shipped(const std::string& folder, const std::string& ending) {
  std::vector<std::string> paths, texts;
  for (const auto& item : std::filesystem::directory_iterator(LEGWORK_SOURCE_DIR "/" + folder))
    if (item.path().extension() == ending) paths.push_back(item.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) texts.push_back(read_file(path));
  return texts;
}

}  // namespace

std::vector<Reader> all_readers(const std::string& folder) {
  const auto from_file = [folder](const std::string& name, auto read) {
    return [path = folder + "/" + name, read](const std::string& bytes) {
      std::ofstream(path, std::ios::binary) << bytes;  // at once: write_file waits for the disk
      read(path);
    };
  };
  const Motion motion = small_motion();
  const std::string made = folder + "/seed";
  write_glb(motion, made + ".glb");
  write_bvh(motion, made + ".bvh");
  write_mjcf(motion.creature, made + ".xml");
  write_csv(motion, made + ".csv");
  write_rigged({}, made + "_rig.glb");
  save(drop(load_world("box"), {.seconds = 0.1}), made + "_result.glb");
  write_small_archive(made + ".db");
  const std::vector<std::string> bodies = shipped("creatures", ".toml");
  std::vector<std::string> scenarios = shipped("examples/modes", ".toml");
  scenarios.push_back(scenario_text(drop(load_world("box"), {.seconds = 0.1}).scenario));
  std::vector<std::string> studies = shipped("studies/walk", ".toml"),
                           urdf = shipped("tests/data/urdf", ".urdf");
  studies.push_back(test::drops_study), urdf.push_back(urdf_seed);
  std::vector<Reader> all;
  all.push_back({"creature", bodies, [](const std::string& s) { parse_creature(s, "x.toml"); }});
  std::vector<std::string> worlds = shipped("creatures/worlds", ".toml");
  worlds.insert(worlds.end(), bodies.begin(), bodies.end());
  all.push_back({"world", worlds, from_file("x.toml", [](const std::string& path) { load_world(path); })});
  all.push_back({"scenario", scenarios, [](const std::string& s) { parse_scenario(s, "x.toml"); }});
  all.push_back({"study", studies, [](const std::string& s) { parse_study(s, "x.toml"); }});
  all.push_back({"gait",
                 {"gait = \"trot\"\nstride_time = 0.5\n", "frequency = 2\nduty_factor = 0.6\n"},
                 [c = motion.creature](const std::string& s) { parse_gait_toml(s, "x.toml", c); }});
  std::vector<std::string> mjcf = {read_file(made + ".xml")};
  for (const char* folder : {"", "/bonds", "/newer", "/self_contact"})
    for (const std::string& text : shipped("tests/data/mjcf" + std::string(folder), ".xml"))
      mjcf.push_back(text);
  all.push_back({"mjcf", mjcf, [](const std::string& s) { parse_mjcf(s, "x.xml"); }});
  all.push_back({"urdf", urdf, [](const std::string& s) { parse_urdf(s, "x.urdf"); }});
  all.push_back(
      {"corpus", shipped("examples", ".corpus"), [](const std::string& s) { parse_corpus(s, "x.corpus"); }});
  all.push_back({"json",
                 {"{\"a\": [1, -2.5e3, \"x\\u00e4\"], \"b\": {\"c\": null, \"d\": true}}"},
                 [](const std::string& s) { parse_json(s); }});
  all.push_back({"terrain",
                 {"rough:0.02,0.3,7", "formula:0.02*sin(10*x)+if(y>0,1,2)^2,0.05,4", "steps:0.05,0.3"},
                 [](const std::string& s) {
                   if (s.size() < 200) parse_terrain(s);
                 }});
  all.push_back(
      {"glb", {read_file(made + ".glb")}, from_file("x.glb", [](const std::string& p) { read_glb(p); })});
  all.push_back(
      {"bvh", {read_file(made + ".bvh")}, from_file("x.bvh", [](const std::string& p) { read_bvh(p); })});
  all.push_back({"obj", {obj_seed}, from_file("x.obj", [](const std::string& p) { read_mesh(p); })});
  all.push_back({"stl", {stl_seed}, from_file("x.stl", [](const std::string& p) { read_mesh(p); })});
  all.push_back({"follow", {table_seed}, from_file("x.csv", [](const std::string& p) { read_follow(p); })});
  all.push_back({"heights", {"0,0.1,0.2\n0.1,0,0.3\n"}, from_file("h.csv", [](const std::string& p) {
                   load_terrain(p + ":0.1");
                 })});
  all.push_back({"places", {"x,y\n0,0\n1,0.5\n2,-1\n"}, from_file("p.csv", [](const std::string& p) {
                   read_places(p);
                 })});
  all.push_back({"picture", {picture_seed()}, from_file("h.png", [](const std::string& p) {
                   load_terrain(p + ":0.1,0.5");
                 })});
  all.push_back({"dae", {dae_seed}, from_file("x.dae", [](const std::string& p) { read_mesh(p); })});
  all.push_back({"msh", {msh_seed()}, from_file("x.msh", [](const std::string& p) { read_mesh(p); })});
  all.push_back({"model", {read_file(made + "_rig.glb")}, from_file("m.glb", [](const std::string& p) {
                   read_mesh(p);
                 })});
  all.push_back({"character", {read_file(made + "_rig.glb")}, from_file("c.glb", [](const std::string& p) {
                   read_character(p);
                 })});
  all.push_back({"result", {read_file(made + "_result.glb")}, from_file("r.glb", [](const std::string& p) {
                   read_result(p);
                 })});
  all.push_back({"algorithm", shipped("algorithms", ".toml"),
                 from_file("a.toml", [](const std::string& p) { load_program(p); })});
  all.push_back({"archive", {read_file(made + ".db")}, from_file("a.db", [](const std::string& p) {
                   read_search(p);
                 })});
  all.push_back(
      {"trackway", {trackway_seed}, from_file("t.csv", [](const std::string& p) { read_trackway(p); })});
  return all;
}

namespace {

// Most texts stay readable when a number becomes another one.
void change_number(Random& random, std::string& text, size_t from) {
  const size_t at = text.find_first_of("0123456789", from);
  if (at == std::string::npos) return;
  const size_t length = std::min(text.find_first_not_of("0123456789.e", at), text.size()) - at;
  static const std::vector<std::string> others = {"0", "1", "-1", "2", "0.5", "1e-6", "1e6", "1000", "0.001"};
  text.replace(at, length, others[size_t(random.index(int(others.size())))]);
}

void change(const Reader& reader, Random& random, std::string& text) {
  static const std::vector<std::string> hostile = {"1e309",
                                                   "-1",
                                                   "nan",
                                                   "inf",
                                                   "99999999999999999999",
                                                   "0x",
                                                   "\"",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   "<",
                                                   ">",
                                                   "\n",
                                                   "=",
                                                   "'",
                                                   std::string(1, '\0'),
                                                   "\xff\xfe",
                                                   "../../etc/passwd",
                                                   std::string(300, '['),
                                                   std::string(2000, 'a')};
  const auto any_hostile = [&] { return hostile[size_t(random.index(int(hostile.size())))]; };
  const std::string& other = reader.seeds[size_t(random.index(int(reader.seeds.size())))];
  const size_t at = size_t(random.index(int(text.size()))), rest = text.size() - at;
  const size_t some = std::min(rest, size_t(1 + random.index(40)));
  switch (random.index(9)) {
    case 0:
      text[at] = char(text[at] ^ (1 << random.index(8)));
      break;
    case 1:
      text.erase(at, some);
      break;
    case 2:
      text.insert(at, text.substr(at, some));
      break;
    case 3:
      text.replace(at, some, other.substr(size_t(random.index(int(other.size()))), some));
      break;
    case 4:
      text.insert(at, any_hostile());
      break;
    case 5:
      text.replace(at, std::min<size_t>(some, 3), any_hostile());
      break;
    case 6:
      if (random.index(4) == 0) text.resize(at);
      break;
    default:
      change_number(random, text, at);
  }
}

}  // namespace

std::string changed(const Reader& reader, std::string text, std::uint64_t seed) {
  Random random(seed, 0);
  const int changes = 1 + random.index(3);
  for (int i = 0; i < changes && !text.empty(); ++i) change(reader, random, text);
  return text;
}

std::string mutated(const Reader& reader, std::uint64_t seed, int number) {
  Random random(seed, std::uint64_t(number));
  std::string text = reader.seeds[size_t(random.index(int(reader.seeds.size())))];
  const int changes = 1 + random.index(6);
  for (int i = 0; i < changes && !text.empty(); ++i) change(reader, random, text);
  return text;
}

}  // namespace legwork
