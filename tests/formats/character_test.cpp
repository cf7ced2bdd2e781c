#include "formats/character/body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <legwork/files.h>
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/gltf/glb_file.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/gltf_scene.h"
#include "tests/scenes/rigged_dozen.h"
#include "tests/scenes/scratch.h"
#include "tests/scenes/validator.h"

namespace legwork {
namespace {

using Json = nlohmann::json;

TEST(Character, LegsTrunkAndSizeAreSeenOnEveryKindOfRig) {
  const Scratch scratch;
  for (const RiggedCase& made : rigged_dozen()) {
    SCOPED_TRACE(made.about);
    write_rigged(made.spec, scratch / "a.glb");
    const CharacterFile file(scratch / "a.glb");
    const Figure figure = find_figure(file);
    const Creature creature = read_character(scratch / "a.glb");
    EXPECT_EQ(creature.legs.size(), made.legs);
    std::size_t left = 0, arms = 0, wings = 0, tails = 0;
    for (const Leg& leg : creature.legs) left += leg.side == Side::left;
    EXPECT_EQ(left, made.legs / 2);
    for (const FigureLimb& limb : figure.limbs)
      arms += limb.part == Part::arm, wings += limb.part == Part::wing, tails += limb.part == Part::tail;
    const bool biped = made.spec.build == Build::biped, bird = made.spec.build == Build::bird;
    EXPECT_EQ(arms, biped ? 2u : 0u);
    EXPECT_EQ(wings, bird ? 2u : 0u);
    if (bird || made.spec.build == Build::quadruped) EXPECT_EQ(tails, 1u);
    // joints are where the script put them, in metres, looking along x
    const std::vector<RiggedBone> bones = rigged_bones(made.spec);
    const Vec3d shift = figure.links[0].bind_head - bones[std::size_t(figure.links[0].node) - 1].head;
    for (const FigureLink& l : figure.links)
      EXPECT_LT(norm(l.bind_head - bones[std::size_t(l.node) - 1].head - shift), 1e-4) << l.node;
    EXPECT_NEAR(shift.z, 0, 0.03);
    // the body weighs what a body of its size does
    EXPECT_GT(creature.mass(), 0.5 * std::pow(figure.height, 3) * 10);
    EXPECT_LT(creature.mass(), 1000 * std::pow(figure.height, 3) * 20);
    for (const Link& link : creature.links) EXPECT_GT(link.mass, 0) << link.name;
  }
}

// Our own bodies, exported as armatures, are characters like any other: the legs that are seen are those of
// their files.
TEST(Character, LegsOfOurOwnBodiesAreSeenOnTheirArmatures) {
  const Scratch scratch;
  for (const char* name : {"dog", "human", "hexapod", "octopod"}) {
    SCOPED_TRACE(name);
    const Creature ours = load_creature(name);
    Motion motion;
    motion.creature = ours, motion.time = {0}, motion.q = ours.pose("stand");
    write_glb(motion, scratch / "a.glb");
    const Creature seen = read_character(scratch / "a.glb");
    ASSERT_EQ(seen.legs.size(), ours.legs.size());
    for (const Leg& leg : ours.legs) {
      const std::string& hip = ours.links[std::size_t(leg.hip)].name;
      EXPECT_TRUE(std::any_of(seen.legs.begin(), seen.legs.end(), [&](const Leg& s) {
        return seen.links[std::size_t(s.hip)].name == hip && s.side == leg.side;
      })) << hip;
    }
    EXPECT_GT(seen.mass(), 0.5 * ours.mass());
    EXPECT_LT(seen.mass(), 2 * ours.mass());
  }
}

TEST(Character, TwistsFingersAndFacesMoveWithTheBoneAboveThem) {
  const Scratch scratch;
  write_rigged({.naming = Naming::plain, .twists = true}, scratch / "a.glb");
  const Creature c = read_character(scratch / "a.glb");
  for (const Link& link : c.links)
    for (const char* word : {"Twist", "Finger", "Eye", "Toe"})
      EXPECT_EQ(link.name.find(word), std::string::npos) << link.name;
  EXPECT_GE(c.link("LeftForeArm"), 0);
  EXPECT_EQ(c.links[std::size_t(c.link("LeftForeArm"))].parent, c.link("LeftArm"));
}

TEST(Character, ArmsThatStandOffAreLetDown) {
  const Scratch scratch;
  write_rigged({}, scratch / "a.glb");
  const Creature c = read_character(scratch / "a.glb");
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  update_positions(model, c.pose("stand").data(), w);
  const Vec3d arm = w.p[c.link("LeftForeArm")] - w.p[c.link("LeftArm")];
  EXPECT_LT(arm.z, -0.9 * norm(arm));
}

// A motion in which the body stands as the character was bound, but for its arms.
Motion standing(const Creature& creature, int frames) {
  Motion m;
  m.creature = creature;
  m.made.verb = "stand";
  const std::vector<double> q = creature.pose("stand");
  for (int f = 0; f < frames; ++f) {
    m.time.push_back(f / 30.0);
    m.q.insert(m.q.end(), q.begin(), q.end());
  }
  return m;
}

TEST(Character, TheFileComesBackWithOneClipMoreAndNothingElseChanged) {
  const Scratch scratch;
  std::vector<std::string> files;
  for (const RiggedCase& made : rigged_dozen()) {
    SCOPED_TRACE(made.about);
    const std::string number = std::to_string(files.size());
    write_rigged(made.spec, scratch / "in" + number + ".glb");
    const Creature creature = read_character(scratch / "in" + number + ".glb");
    Motion motion = standing(creature, 12);
    for (int f = 0; f < 12; ++f) motion.q[std::size_t(f * creature.nq())] += 0.1 * f;
    files.push_back(scratch / "out" + number + ".glb");
    write_glb(motion, files.back(), {.rate = 0});
    const Gltf before(scratch / "in" + number + ".glb"), after(files.back());
    for (const char* same : {"nodes", "meshes", "skins", "materials", "scenes", "scene", "asset"})
      EXPECT_EQ(after.json[same], before.json[same]) << same;
    ASSERT_EQ(after.json["animations"].size(), 2u);
    EXPECT_EQ(after.json["animations"][0], before.json["animations"][0]);
    EXPECT_EQ(after.json["animations"][1]["name"], "stand");
    EXPECT_EQ(after.json["extras"]["author"], "a script");
    // and Legwork reads its own motion back
    EXPECT_EQ(read_motion(files.back()).q, motion.q);
  }
  const std::vector<Verdict> verdicts = validate_gltf(files, LEGWORK_SOURCE_DIR);
  for (std::size_t i = 0; i < files.size(); ++i)
    EXPECT_EQ(verdicts[i].errors, 0) << rigged_dozen()[i].about << verdicts[i].messages;
}

TEST(Character, LegsAndTrunkOfTheClipAreWhereTheBodyHasThem) {
  const Scratch scratch;
  for (const RiggedCase& made : rigged_dozen()) {
    SCOPED_TRACE(made.about);
    write_rigged(made.spec, scratch / "in.glb");
    const Creature creature = read_character(scratch / "in.glb");
    Motion motion = standing(creature, 3);
    // each joint turned a little, and the body moved on
    for (std::size_t f = 0; f < 3; ++f) {
      const Model<double> model = make_model(creature);
      std::vector<double> v(std::size_t(model.nv)), q(std::size_t(model.nq));
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.1 * double(f) * std::sin(double(i) + 1);
      integrate_positions(model, creature.pose("stand").data(), v.data(), 1.0, q.data());
      std::copy(q.begin(), q.end(), motion.q.begin() + std::ptrdiff_t(f * q.size()));
    }
    write_glb(motion, scratch / "out.glb", {.rate = 0});
    Gltf g(scratch / "out.glb");
    g.json["animations"].erase(0);  // the clip of interest first
    const CharacterFile file(scratch / "in.glb");
    const Figure figure = find_figure(file);
    const Model<double> model = make_model(creature);
    Workspace<double> w(model);
    for (const std::size_t frame : {0u, 2u}) {
      update_positions(model, motion.q.data() + frame * std::size_t(model.nq), w);
      const std::vector<Place> nodes = places(g, frame);
      for (const FigureLink& l : figure.links) {
        const int link = creature.link(file.nodes[std::size_t(l.node)].name);
        EXPECT_LT(norm(figure.frame.place(nodes[std::size_t(l.node)].pos) - w.p[link]),
                  2e-5 * (1 + figure.height))
            << creature.links[std::size_t(link)].name << " at frame " << frame;
      }
    }
  }
}

TEST(Character, AGltfWithItsDataBesideItIsTheSameCharacter) {
  const Scratch scratch;
  write_rigged({.build = Build::quadruped}, scratch / "a.glb");
  write_rigged({.build = Build::quadruped}, scratch / "a.gltf");
  const Creature binary = load_creature(scratch / "a.glb"), text = load_creature(scratch / "a.gltf");
  EXPECT_EQ(binary.links.size(), text.links.size());
  EXPECT_EQ(binary.mass(), text.mass());
  write_glb(standing(text, 2), scratch / "out.glb", {.rate = 0});
  EXPECT_EQ(validate_gltf(scratch / "out.glb", LEGWORK_SOURCE_DIR).errors, 0);
}

TEST(Character, ACreatureFileOfACharacterWritesIntoTheCharacter) {
  const Scratch scratch;
  write_rigged({}, scratch / "hero.glb");
  Creature creature = load_creature(scratch / "hero.glb");
  creature.character = "hero.glb";
  write_creature(creature, scratch / "hero.toml");
  const Creature again = load_creature(scratch / "hero.toml");
  EXPECT_EQ(again.links.size(), creature.links.size());
  write_glb(standing(again, 2), scratch / "out.glb", {.rate = 0});
  EXPECT_EQ(Gltf(scratch / "out.glb").json["animations"].size(), 2u);
}

// The same file with its JSON changed.
void change(const std::string& path, const std::function<void(Json&)>& edit) {
  std::string text;
  std::vector<char> binary;
  {
    GlbReader file(path);
    Json json = Json::parse(file.json());
    edit(json);
    text = json.dump();
    binary.resize(file.binary_bytes());
    file.read(0, binary.data(), binary.size());
  }
  FileWriter out(path);
  write_glb_head(out, path, text, binary.size());
  out.write(binary.data(), binary.size());
  out.commit();
}

TEST(Character, WhatCannotBeUnderstoodIsOneSentence) {
  const Scratch scratch;
  const std::string path = scratch / "a.glb";
  const auto says = [&](const std::function<void(Json&)>& edit, RiggedSpec spec = {}) {
    write_rigged(spec, path);
    change(path, edit);
    const std::string text = error_of([&] { load_creature(path); });
    return text.substr(std::min(text.size(), path.size() + 2));
  };
  EXPECT_EQ(says([](Json& j) { j.erase("skins"), j["nodes"].back().erase("skin"); }),
            "has no skin: a mesh without bones; export the rigged mesh together with its armature");
  EXPECT_EQ(says([](Json& j) { j["skins"][0]["joints"] = Json::array(); }),
            "its skin has no joints; export the rigged mesh together with its armature");
  EXPECT_EQ(says([](Json& j) { j["nodes"][5]["children"].push_back(1); }),
            "the file is damaged: its nodes form a ring: node 1 has two parents; export it again");
  EXPECT_EQ(says([](Json& j) {
              j["nodes"][0]["children"] = Json::array(), j["nodes"][5]["children"].push_back(1);
            }),
            "the file is damaged: its nodes form a ring; export it again");
  EXPECT_EQ(says([](Json& j) { j["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_0"); }),
            "mesh 'Body' has a skin and vertices without weights; weight them, or leave the mesh out");
  EXPECT_EQ(says([](Json& j) {
              const int weights = j["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"];
              j["accessors"][weights].erase("bufferView");
            }).find("vertices without weights"),
            std::string("mesh 'Body' has 1520 of 1520 ").size());
  EXPECT_EQ(says([](Json& j) {
              for (int i = 0; i < 10000; ++i) {
                j["skins"][0]["joints"].push_back(j["nodes"].size());
                j["nodes"].push_back(Json::object());
              }
            }).substr(0, 10),
            "has 10030 ");
  EXPECT_EQ(says([](Json& j) { j["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }),
            "its meshes are compressed by KHR_draco_mesh_compression; export it without compression");
  EXPECT_EQ(says([](Json& j) { j["nodes"] = 7; }),
            "the file is damaged: its JSON is not glTF; export it again");
  write_file(path, "Kaydara FBX Binary  ");
  EXPECT_EQ(
      error_of([&] { load_creature(path); }),
      path + ": not a .glb file (it does not begin with 'glTF'); a motion is a .glb that legwork wrote");
}

TEST(Character, BonesScaledUnevenlyAreNamed) {
  const Scratch scratch;
  const std::string path = scratch / "a.glb";
  write_rigged({}, path);
  std::string text;
  std::vector<char> binary;
  {
    GlbReader file(path);
    const Json json = Json::parse(file.json());
    text = file.json();
    binary.resize(file.binary_bytes());
    file.read(0, binary.data(), binary.size());
    const Json& accessor = json["accessors"][json["skins"][0]["inverseBindMatrices"].get<int>()];
    const std::size_t at = json["bufferViews"][accessor["bufferView"].get<int>()]["byteOffset"];
    for (int k = 0; k < 3; ++k) {
      float x;
      std::memcpy(&x, binary.data() + at + 64 * 3 + 4 * std::size_t(k), 4);
      x *= 2;
      std::memcpy(binary.data() + at + 64 * 3 + 4 * std::size_t(k), &x, 4);
    }
  }
  FileWriter out(path);
  write_glb_head(out, path, text, binary.size());
  out.write(binary.data(), binary.size());
  out.commit();
  EXPECT_EQ(
      error_of([&] { load_creature(path); }),
      path + ": bone 'Spine1' is scaled unevenly or sheared; apply the armature's scale and export again");
}

TEST(Character, NoByteOfTheHeadCanMakeTheReaderCrash) {
  const Scratch scratch;
  const std::string path = scratch / "a.glb";
  write_rigged({.build = Build::hexapod}, path);
  const std::string good = read_file(path);
  for (std::size_t i = 0; i < good.size(); i += i < 40 ? 1 : 997) {
    std::string bad = good;
    bad[i] = char(bad[i] ^ 0x55);
    write_file(path, bad);
    try {
      load_creature(path);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace legwork
