#include "tests/scenes/readers.h"

#include <algorithm>
#include <filesystem>

#include <legwork/files.h>
#include <legwork/methods.h>
#include <legwork/study.h>
#include "base/random.h"
#include "corpus/script.h"
#include "formats/bvh/bvh.h"
#include "formats/file.h"
#include "formats/gltf/glb.h"
#include "formats/mesh/mesh.h"
#include "formats/mjcf/mjcf.h"
#include "formats/table/follow_file.h"
#include "formats/table/terrain_file.h"
#include "formats/table/trackway_csv.h"
#include "formats/toml/gait_toml.h"
#include "formats/urdf/urdf.h"
#include "formats/value_json.h"
#include "ground/terrain.h"
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

Motion small_motion() { return drop(load_world("strider"), {.seconds = 0.1}).motion; }

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
      write_file(path, bytes);
      read(path);
    };
  };
  const Motion motion = small_motion();
  const std::string made = folder + "/seed";
  write_glb(motion, made + ".glb");
  write_bvh(motion, made + ".bvh");
  write_mjcf(motion.creature, made + ".xml");
  write_csv(motion, made + ".csv");
  const std::vector<std::string> bodies = shipped("creatures", ".toml");
  const std::string scenario = scenario_text(drop(load_world("box"), {.seconds = 0.1}).scenario);
  std::vector<Reader> all;
  all.push_back({"creature", bodies, [](const std::string& s) { parse_creature(s, "x.toml"); }});
  all.push_back({"world", bodies, from_file("x.toml", [](const std::string& path) { load_world(path); })});
  all.push_back({"scenario", {scenario}, [](const std::string& s) { parse_scenario(s, "x.toml"); }});
  all.push_back({"study", {test::drops_study}, [](const std::string& s) { parse_study(s, "x.toml"); }});
  all.push_back({"gait",
                 {"gait = \"trot\"\nstride_time = 0.5\n", "frequency = 2\nduty_factor = 0.6\n"},
                 [c = motion.creature](const std::string& s) { parse_gait_toml(s, "x.toml", c); }});
  all.push_back({"mjcf", {read_file(made + ".xml")}, [](const std::string& s) { parse_mjcf(s, "x.xml"); }});
  all.push_back({"urdf", {urdf_seed}, [](const std::string& s) { parse_urdf(s, "x.urdf"); }});
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
  all.push_back(
      {"trackway", {trackway_seed}, from_file("t.csv", [](const std::string& p) { read_trackway(p); })});
  return all;
}

std::string mutated(const Reader& reader, std::uint64_t seed, int number) {
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
  Random random(seed, std::uint64_t(number));
  const auto any_seed = [&] { return reader.seeds[size_t(random.index(int(reader.seeds.size())))]; };
  std::string text = any_seed();
  const int changes = 1 + random.index(6);
  for (int i = 0; i < changes && !text.empty(); ++i) {
    const size_t at = size_t(random.index(int(text.size()))), rest = text.size() - at;
    const size_t some = std::min(rest, size_t(1 + random.index(40)));
    const std::string other = any_seed();
    switch (random.index(7)) {
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
        text.insert(at, hostile[size_t(random.index(int(hostile.size())))]);
        break;
      case 5:
        text.replace(at, std::min<size_t>(some, 3), hostile[size_t(random.index(int(hostile.size())))]);
        break;
      default:
        if (random.index(4) == 0) text.resize(at);
    }
  }
  return text;
}

}  // namespace legwork
