#include <legwork/files.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/gltf/glb_file.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/example_motion.h"
#include "tests/scenes/gltf_scene.h"
#include "tests/scenes/rigged_character.h"
#include "tests/scenes/scratch.h"
#include "tests/scenes/validator.h"

namespace legwork {
namespace {

using Json = nlohmann::json;

// A body with two legs of two links; every link turns about its own origin.
Motion walker(int frames) {
  Motion m;
  Creature& c = m.creature;
  c.name = "walker";
  const int body = example_link(c, "body", -1, {0, 0, 1}, {example_joint("root", JointType::free, {})}, {});
  for (const char* side : {"l_", "r_"}) {
    const double y = side[0] == 'l' ? 0.1 : -0.1;
    const int thigh = example_link(c, side + std::string("thigh"), body, {0, y, 0},
                                   {example_joint(side + std::string("hip"), JointType::ball, {})}, {});
    c.links[thigh].rot = normalized(Quatd{0.9, 0.3, -0.1, 0.2});
    const int shank =
        example_link(c, side + std::string("shank"), thigh, {0, 0.1, -0.4},
                     {example_joint(side + std::string("knee"), JointType::hinge, {{0, 1, 0}})}, {});
    c.contacts.push_back({side + std::string("sole"), shank, {0, 0, -0.4}, 0.02, true});
  }
  for (int f = 0; f < frames; ++f) {
    const double t = f * 0.02;
    m.time.push_back(t);
    m.q.insert(m.q.end(), {0.8 * t, 0.1 * std::sin(t), 1 + 0.05 * std::cos(3 * t)});
    m.q.insert(m.q.end(), {std::cos(2 * t), 0, std::sin(2 * t) * 0.6, std::sin(2 * t) * 0.8});
    for (const double side : {1.0, -1.0}) {
      const double half = 3 * t * side;
      m.q.insert(m.q.end(), {std::cos(half), std::sin(half) * 0.8, 0, std::sin(half) * 0.6});
      m.q.push_back(0.5 * std::sin(4 * t * side));
    }
  }
  return m;
}

const std::vector<std::string> bone_names = {"Rig:Body", "L.Thigh", "l-shank", "R.Thigh", "RShank"};

// A rig that stands as the walker does in its reference pose, `size` times as large and on the ground, under
// an armature that is turned and scaled as Blender's are. Bones have orientations of their own; a bone
// between thigh and shank has no partner. One triangle hangs on all of it.
void write_rig(const std::string& path, double size) {
  const Motion m = walker(1);
  const Model<double> model = make_model(m.creature);
  Workspace<double> w(model);
  update_positions(model, m.creature.pose("").data(), w);
  double ground = 1e9;
  for (const ContactPoint& c : m.creature.contacts)
    ground = std::min(ground, point_position(w, c.link, c.pos).z - c.radius);

  const Quatd armature = normalized(Quatd{0.7, -0.7, 0, 0});
  const double armature_scale = 0.01;
  const auto quat = [](const Quatd& q) { return Json{q.x, q.y, q.z, q.w}; };
  Json json;
  json["asset"] = {{"version", "2.0"}};
  json["scene"] = 0;
  json["scenes"] = Json::array({Json{{"nodes", Json::array({0, 1})}}});
  json["nodes"] = Json::array();
  json["nodes"].push_back({{"name", "Armature"},
                           {"rotation", quat(armature)},
                           {"scale", Json::array({armature_scale, armature_scale, armature_scale})},
                           {"children", Json::array()}});
  json["nodes"].push_back({{"name", "Mesh"}, {"mesh", 0}, {"skin", 0}});

  std::vector<Quatd> world_rot(5);
  std::vector<Vec3d> world_pos(5);
  std::vector<int> node_of(5);
  Json joints = Json::array();
  std::vector<float> inverse_bind;
  const auto add = [&](const std::string& name, int parent_node, const Quatd& parent_rot,
                       const Vec3d& parent_pos, const Quatd& rot, const Vec3d& pos) {
    const Quatd local = conjugate(parent_rot) * rot;
    const Vec3d shift = matrix(conjugate(parent_rot)) * (pos - parent_pos) * (1 / armature_scale);
    json["nodes"].push_back(
        {{"name", name}, {"rotation", quat(local)}, {"translation", {shift.x, shift.y, shift.z}}});
    const int node = int(json["nodes"].size()) - 1;
    json["nodes"][parent_node]["children"].push_back(node);
    joints.push_back(node);
    const Mat3d R = transpose(matrix(rot)) * (1 / armature_scale);
    const Vec3d t = R * pos * -1.0;
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) inverse_bind.push_back(float(R(i, j)));
      inverse_bind.push_back(0);
    }
    for (const double x : {t.x, t.y, t.z, 1.0}) inverse_bind.push_back(float(x));
    return node;
  };
  for (int i = 0; i < 5; ++i) {
    const int parent = model.parent[i];
    world_rot[i] = normalized(Quatd{1, 0.3 * i, -0.2, 0.1 * i});
    const Vec3d p = w.p[i] - Vec3d{0, 0, ground};
    world_pos[i] = Vec3d{p.y, p.z, p.x} * size;
    int above = parent < 0 ? 0 : node_of[parent];
    Quatd above_rot = parent < 0 ? armature : world_rot[parent];
    Vec3d above_pos = parent < 0 ? Vec3d{} : world_pos[parent];
    if (i == 2) {
      const Quatd twist = normalized(Quatd{0.5, 0.5, 0.1, 0});
      const Vec3d middle = (world_pos[1] + world_pos[2]) * 0.5;
      above = add("twist", above, above_rot, above_pos, twist, middle), above_rot = twist, above_pos = middle;
    }
    node_of[i] = add(bone_names[i], above, above_rot, above_pos, world_rot[i], world_pos[i]);
  }

  std::vector<char> binary;
  const auto view = [&](const void* data, std::size_t bytes) {
    const std::size_t at = binary.size();
    binary.insert(binary.end(), static_cast<const char*>(data), static_cast<const char*>(data) + bytes);
    binary.resize((binary.size() + 3) / 4 * 4);
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", bytes}});
    return int(json["bufferViews"].size()) - 1;
  };
  const auto accessor = [&](int v, int component, int count, const char* type) {
    json["accessors"].push_back(
        {{"bufferView", v}, {"componentType", component}, {"count", count}, {"type", type}});
    return int(json["accessors"].size()) - 1;
  };
  const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  const unsigned char indices[12] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
  const int position = accessor(view(positions, sizeof positions), 5126, 3, "VEC3");
  json["accessors"][position]["min"] = {0, 0, 0}, json["accessors"][position]["max"] = {1, 1, 0};
  const int joint = accessor(view(indices, sizeof indices), 5121, 3, "VEC4");
  const int weight = accessor(view(weights, sizeof weights), 5126, 3, "VEC4");
  const int bind =
      accessor(view(inverse_bind.data(), inverse_bind.size() * 4), 5126, int(joints.size()), "MAT4");
  json["meshes"] = Json::array(
      {Json{{"primitives",
             Json::array({Json{
                 {"attributes", {{"POSITION", position}, {"JOINTS_0", joint}, {"WEIGHTS_0", weight}}}}})}}});
  json["skins"] = Json::array({Json{{"joints", joints}, {"inverseBindMatrices", bind}}});
  json["buffers"] = Json::array({Json{{"byteLength", binary.size()}}});
  FileWriter file(path);
  write_glb_head(file, path, json.dump(), binary.size());
  file.write(binary.data(), binary.size());
  file.commit();
}

TEST(Skin, BonesFollowTheirLinksThroughSpaceAtTheRigsSize) {
  const Scratch scratch;
  const Motion motion = walker(50);
  write_rig(scratch / "rig.glb", 2.5);
  const SkinReport report = write_skin(motion, scratch / "rig.glb", scratch / "out.glb", {.rate = 0});
  EXPECT_EQ(report.pairs.size(), 5u);
  EXPECT_EQ(report.pairs[1], (std::pair<std::string, std::string>("l_thigh", "L.Thigh")));
  EXPECT_EQ(report.bones, std::vector<std::string>{"twist"});
  EXPECT_TRUE(report.links.empty());
  EXPECT_NEAR(report.scale, 2.5, 1e-9);

  const Model<double> model = make_model(motion.creature);
  Workspace<double> w(model), rest(model);
  update_positions(model, motion.creature.pose("").data(), rest);
  Gltf before(scratch / "rig.glb"), after(scratch / "out.glb");
  before.json["animations"] = Json::array({Json{{"channels", Json::array()}}});
  const std::vector<Place> bind = places(before, 0);
  for (const int frame : {0, 13, 49}) {
    update_positions(model, motion.q.data() + frame * model.nq, w);
    const std::vector<Place> now = places(after, std::size_t(frame));
    for (int link = 0; link < model.nlink; ++link) {
      SCOPED_TRACE(bone_names[link]);
      int node = 0;
      while (after.json["nodes"][node]["name"] != bone_names[link]) ++node;
      const auto y_up = [](const Vec3d& v) { return Vec3d{v.y, v.z, v.x}; };
      EXPECT_NEAR(norm(now[node].pos - y_up(w.p[link]) * 2.5), 0, 1e-4);
      // each bone has turned as its link has
      const Mat3d turned = w.R[link] * transpose(rest.R[link]);
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3d b = bind[node].rot.column(axis), z_up{b.z, b.x, b.y};
        EXPECT_NEAR(norm(now[node].rot.column(axis) - y_up(turned * z_up)), 0, 1e-6);
      }
    }
  }
  EXPECT_EQ(after.json["meshes"], before.json["meshes"]);
  EXPECT_EQ(after.json["skins"], before.json["skins"]);
  const Verdict verdict = validate_gltf(scratch / "out.glb", LEGWORK_SOURCE_DIR);
  EXPECT_EQ(verdict.errors, 0) << verdict.messages;
  EXPECT_EQ(verdict.warnings, validate_gltf(scratch / "rig.glb", LEGWORK_SOURCE_DIR).warnings)
      << verdict.messages;
}

TEST(Skin, NamesThatDoNotTellCanBeGiven) {
  const Scratch scratch;
  Motion motion = walker(3);
  motion.creature.links[1].name = "left_femur";
  write_rig(scratch / "rig.glb", 1);
  SkinReport report = write_skin(motion, scratch / "rig.glb", scratch / "out.glb");
  EXPECT_EQ(report.links, std::vector<std::string>{"left_femur"});
  report =
      write_skin(motion, scratch / "rig.glb", scratch / "out.glb", {.names = {{"left_femur", "L.Thigh"}}});
  EXPECT_TRUE(report.links.empty());
  EXPECT_EQ(
      error_of([&] {
        write_skin(motion, scratch / "rig.glb", scratch / "out.glb", {.names = {{"left_femur", "L.Thig"}}});
      }),
      scratch / "rig.glb" + std::string(": has no bone 'L.Thig'; did you mean 'L.Thigh'?"));
  EXPECT_EQ(
      error_of([&] {
        write_skin(motion, scratch / "rig.glb", scratch / "out.glb", {.names = {{"left_femr", "L.Thigh"}}});
      }),
      "skin: the creature has no link 'left_femr'; did you mean 'left_femur'?");
}

TEST(Skin, WrongRigsAreNamedAndNothingIsWritten) {
  const Scratch scratch;
  const std::string rig = scratch / "rig.glb", out = scratch / "out.glb";
  Motion motion = walker(3);
  write_rig(rig, 1);
  const std::string good = read_file(rig);
  EXPECT_EQ(error_of([&] { write_skin(motion, rig, out, {.pose = "T"}); }), "pose: 'walker' has no pose 'T'");
  const auto says = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    write_file(rig, bytes.replace(bytes.find(from), from.size(), to));
    return error_of([&] { write_skin(motion, rig, out); });
  };
  EXPECT_EQ(says("\"skins\"", "\"skims\""),
            rig + ": has no skin with bones; export the rigged mesh together with its armature");
  EXPECT_EQ(says("\"joints\":[2", "\"joints\":[9"),
            rig + ": the file is damaged: its skin names node 9; export it again");
  EXPECT_EQ(says("\"nodes\"", "\"notes\""),
            rig + ": the file is damaged: its JSON is not glTF; export it again");
  for (Link& link : motion.creature.links) link.name += "x";
  write_file(rig, good);
  EXPECT_EQ(error_of([&] { write_skin(motion, rig, out); }),
            rig +
                ": no bone has the name of a link; bones: Rig:Body, L.Thigh, R.Thigh, twist, RShank, "
                "l-shank; links: "
                "bodyx, l_thighx, l_shankx, r_thighx, r_shankx");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"rig.glb"});
}

// Names say nothing here: limbs and their order do, and the root of one is the chest of the other.
TEST(Skin, BonesWithoutNamesAreMatchedByShape) {
  const Scratch scratch;
  const Creature dog = load_creature("dog");
  Motion motion;
  motion.creature = dog, motion.time = {0}, motion.q = dog.pose("stand");
  write_rigged({.build = Build::quadruped, .naming = Naming::none}, scratch / "rig.glb");
  const SkinReport report = write_skin(motion, scratch / "rig.glb", scratch / "out.glb");
  const std::vector<RiggedBone> bones = rigged_bones({.build = Build::quadruped});
  std::map<std::string, std::string> bone_of;  // by link: what the script called it
  for (const auto& [link, bone] : report.pairs)
    bone_of[link] = bones[std::size_t(std::stoi(bone.substr(5))) - 1].name;
  const std::map<std::string, std::string> expected = {{"chest", "Spine1"},
                                                       {"pelvis", "Hips"},
                                                       {"lh_thigh", "LeftUpLeg"},
                                                       {"lh_shank", "LeftLeg"},
                                                       {"lh_metatarsus", "LeftHock"},
                                                       {"lh_paw", "LeftFoot"},
                                                       {"rh_thigh", "RightUpLeg"},
                                                       {"rf_upper", "RightArm"},
                                                       {"rf_forearm", "RightForeArm"},
                                                       {"head", "Head"},
                                                       {"tail_1", "Tail1"}};
  for (const auto& [link, bone] : expected) EXPECT_EQ(bone_of[link], bone) << link;
}

}  // namespace
}  // namespace legwork
