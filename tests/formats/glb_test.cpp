#include "formats/gltf/glb.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <legwork/files.h>
#include "creature/shape.h"
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/gltf/glb_file.h"
#include "formats/mesh/surface.h"
#include "formats/shipped.h"
#include "formats/toml/creature_toml.h"
#include "formats/turning_point.h"
#include "ground/terrain.h"
#include "motion/resample.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/example_motion.h"
#include "tests/scenes/gltf_scene.h"
#include "tests/scenes/same.h"
#include "tests/scenes/scratch.h"
#include "tests/scenes/validator.h"

namespace legwork {
namespace {

void expect_same_motion(const Motion& a, const Motion& b) {
  expect_same(a, b);
  for (std::size_t i = 0; i < a.channels.size() && i < b.channels.size(); ++i) {
    EXPECT_EQ(a.channels[i].unit, b.channels[i].unit);
    EXPECT_EQ(a.channels[i].width, b.channels[i].width);
  }
  EXPECT_EQ(a.terrain.type, b.terrain.type);
  EXPECT_EQ(a.terrain.spec, b.terrain.spec);
  EXPECT_EQ(a.terrain.height, b.terrain.height);
  EXPECT_EQ(a.terrain.angle, b.terrain.angle);
  EXPECT_EQ(a.terrain.normal, b.terrain.normal);
  EXPECT_EQ(a.terrain.rise, b.terrain.rise);
  EXPECT_EQ(a.terrain.run, b.terrain.run);
  EXPECT_EQ(a.terrain.grid.nx, b.terrain.grid.nx);
  EXPECT_EQ(a.terrain.grid.cell, b.terrain.grid.cell);
  EXPECT_TRUE(same_bits(a.terrain.grid.height, b.terrain.grid.height));
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.status_time, b.status_time);
  EXPECT_EQ(a.made.verb, b.made.verb);
  EXPECT_EQ(a.made.creature, b.made.creature);
  EXPECT_EQ(a.made.version, b.made.version);
  EXPECT_EQ(a.made.options, b.made.options);
  EXPECT_EQ(a.made.seed, b.made.seed);
  EXPECT_EQ(write_creature_toml(a.creature), write_creature_toml(b.creature));
}

TEST(Glb, AMotionComesBackBitForBit) {
  const Scratch scratch;
  const Motion motion = example_motion(50);
  for (const double rate : {0.0, 60.0, 7.0}) {
    write_glb(motion, scratch / "a.glb", {rate});
    expect_same_motion(read_glb(scratch / "a.glb"), motion);
  }
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.glb"});
}

TEST(Glb, AMotionWithoutPhysicsAndWithoutFiniteEndComesBackToo) {
  const Scratch scratch;
  Motion motion = example_motion(5);
  motion.v.clear(), motion.tau.clear(), motion.contact_force.clear(), motion.channels.clear();
  motion.status_time = std::numeric_limits<double>::infinity();
  motion.q.back() = std::numeric_limits<double>::quiet_NaN();
  motion.status = Status::diverged;
  write_glb(motion, scratch / "a.glb", {0});
  expect_same_motion(read_glb(scratch / "a.glb"), motion);
  const Verdict verdict = validate_gltf(scratch / "a.glb", LEGWORK_SOURCE_DIR);
  EXPECT_EQ(verdict.errors, 0) << verdict.messages;
  EXPECT_EQ(verdict.warnings, 0) << verdict.messages;
  // the frame that is not a number is not animated
  EXPECT_EQ(Gltf(scratch / "a.glb").json["accessors"].back()["count"], 4);
}

// Version 0.1 wrote the weight, shared by the standing feet, where `modes` had no forces.
TEST(Glb, ForcesThatWereNeverFeltAreReadAsStances) {
  const Scratch scratch;
  Motion motion = example_motion(20);
  Leg leg;
  leg.name = "l", leg.side = Side::left, leg.hip = motion.creature.link("thigh"),
  leg.foot = motion.creature.link("foot");
  motion.creature.legs = {leg};
  motion.made.verb = "modes", motion.made.version = "0.1.0";
  motion.tau.assign(motion.tau.size(), 0);
  for (std::size_t f = 0; f < 20; ++f)
    for (std::size_t k = 0; k < 6; ++k) motion.contact_force[f * 6 + k] = k == 2 && f % 4 < 2 ? 9.81 : 0;
  write_glb(motion, scratch / "a.glb");
  const Motion read = read_glb(scratch / "a.glb");
  EXPECT_TRUE(read.contact_force.empty());
  EXPECT_TRUE(read.tau.empty());
  ASSERT_TRUE(read.channel("stance"));
  for (std::size_t f = 0; f < 20; ++f) EXPECT_EQ(read.channel("stance")->values[f], f % 4 < 2 ? 1 : 0) << f;
  // by physics, by another verb or by a later version they are forces
  Motion physics = motion, dropped = motion, later = motion;
  physics.tau[3] = 1, dropped.made.verb = "drop", later.made.version = "0.2.0";
  for (const Motion& felt : {physics, dropped, later}) {
    write_glb(felt, scratch / "b.glb");
    expect_same_motion(read_glb(scratch / "b.glb"), felt);
  }
}

TEST(Glb, TheKhronosValidatorFindsNoErrorAndNoWarning) {
  const Scratch scratch;
  for (const int frames : {1, 2, 100}) {
    write_glb(example_motion(frames), scratch / "a.glb");
    const Verdict verdict = validate_gltf(scratch / "a.glb", LEGWORK_SOURCE_DIR);
    EXPECT_EQ(verdict.errors, 0) << verdict.messages;
    EXPECT_EQ(verdict.warnings, 0) << verdict.messages;
  }
}

TEST(Glb, EveryShippedBodyIsValidAndComesBackTheSame) {
  const Scratch scratch;
  std::vector<std::string> files;
  std::vector<Creature> bodies;
  for (const ShippedCreature& c : shipped_creatures()) bodies.push_back(load_creature(c.path));
  for (const ShippedCreature& c : shipped_worlds()) bodies.push_back(load_world(c.path).body);
  ASSERT_GE(bodies.size(), 6u);
  for (const Creature& body : bodies) {
    SCOPED_TRACE(body.name);
    const Motion motion = swing(body);
    files.push_back(scratch / std::to_string(files.size()) + ".glb");
    write_glb(motion, files.back());
    expect_same_motion(read_glb(files.back()), motion);
  }
  const std::vector<Verdict> verdicts = validate_gltf(files, LEGWORK_SOURCE_DIR);
  for (std::size_t i = 0; i < files.size(); ++i)
    EXPECT_TRUE(verdicts[i].errors == 0 && verdicts[i].warnings == 0)
        << bodies[i].name << ": " << verdicts[i].messages;
}

TEST(Glb, TheValidatorDoesFindErrors) {
  const Scratch scratch;
  write_glb(example_motion(3), scratch / "a.glb");
  std::string bytes = read_file(scratch / "a.glb");
  const std::size_t at = bytes.find("\"VEC4\"");
  ASSERT_NE(at, std::string::npos);
  write_file(scratch / "a.glb", bytes.replace(at, 6, "\"VEC2\""));
  EXPECT_GT(validate_gltf(scratch / "a.glb", LEGWORK_SOURCE_DIR).errors, 0);
}

TEST(Glb, TheAnimationPutsEveryLinkWhereTheDynamicsPutIt) {
  const Scratch scratch;
  const Motion motion = example_motion(40);
  write_glb(motion, scratch / "a.glb", {0});
  Gltf g(scratch / "a.glb");
  const Model<double> model = make_model(motion.creature);
  Workspace<double> w(model);
  for (const int frame : {0, 17, 39}) {
    update_positions(model, motion.q.data() + std::size_t(frame) * model.nq, w);
    const std::vector<Place> nodes = places(g, std::size_t(frame));
    for (int link = 0; link < model.nlink; ++link) {
      SCOPED_TRACE(motion.creature.links[link].name);
      const auto y_up = [](const Vec3d& v) { return Vec3d{v.y, v.z, v.x}; };
      EXPECT_EQ(g.json["nodes"][link + 1]["name"], motion.creature.links[link].name);
      const Vec3d turns_at = point_position(w, link, turning_point(motion.creature.links[link]).point);
      EXPECT_NEAR(norm(nodes[link + 1].pos - y_up(turns_at)), 0, 2e-6);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(norm(nodes[link + 1].rot.column(axis) - y_up(w.R[link].column(axis))), 0, 2e-6);
    }
  }
}

TEST(Glb, NeighbouringQuaternionsNeverFlipTheirSign) {
  const Scratch scratch;
  write_glb(example_motion(500), scratch / "a.glb", {0});
  Gltf g(scratch / "a.glb");
  int turning = 0;
  for (int link = 0; link < int(example_creature().links.size()); ++link) {
    const auto rows = g.track(link + 1, "rotation");
    turning += !rows.empty();
    for (std::size_t f = 1; f < rows.size(); ++f) {
      double along = 0, length = 0;
      for (int i = 0; i < 4; ++i) along += rows[f][i] * rows[f - 1][i], length += rows[f][i] * rows[f][i];
      ASSERT_GT(along, 0.9);
      ASSERT_NEAR(length, 1, 1e-6);
    }
  }
  EXPECT_EQ(turning, 7);  // tail and its tip only slide
}

TEST(Glb, TheRateSetsTheFramesOfTheAnimationOnly) {
  const Scratch scratch;
  Motion motion = example_motion(101);
  for (double& t : motion.time) t += 5;
  write_glb(motion, scratch / "a.glb", {25});
  Gltf g(scratch / "a.glb");
  const auto times = g.rows(g.json["animations"][0]["samplers"][0]["input"]);
  ASSERT_EQ(times.size(), 26u);
  for (std::size_t f = 0; f < times.size(); ++f) EXPECT_NEAR(times[f][0], double(f) / 25, 1e-6);
  EXPECT_EQ(g.json["extras"]["legwork"]["frames"], 101);
}

TEST(Glb, ABodyIsOneSkinnedMeshOnOneSkeletonWithOneNamedAnimation) {
  const Scratch scratch;
  const Motion motion = example_motion(5);
  write_glb(motion, scratch / "a.glb", {.clip = "amble"});
  Gltf g(scratch / "a.glb");
  ASSERT_EQ(g.json["meshes"].size(), 1u);
  EXPECT_EQ(g.json["meshes"][0]["primitives"].size(), 2u);  // one for each colour
  EXPECT_EQ(g.json["materials"].size(), 2u);
  ASSERT_EQ(g.json["skins"].size(), 1u);
  ASSERT_EQ(g.json["animations"].size(), 1u);
  EXPECT_EQ(g.json["animations"][0]["name"], "amble");
  const std::size_t links = motion.creature.links.size();
  EXPECT_GT(g.json["skins"][0]["joints"].size(), links);  // and a root bone above each body that travels
  // every vertex follows the bone of the link that its shape belongs to, and lies on that shape
  const Model<double> model = make_model(motion.creature);
  Workspace<double> rest(model);
  update_positions(model, motion.creature.pose("").data(), rest);
  std::vector<std::size_t> vertices(links), expected(links);
  for (const auto& part : g.json["meshes"][0]["primitives"]) {
    const auto positions = g.rows(part["attributes"]["POSITION"]);
    const auto& joints = g.json["accessors"][part["attributes"]["JOINTS_0"].get<int>()];
    std::uint64_t at = g.json["bufferViews"][joints["bufferView"].get<int>()]["byteOffset"];
    for (const auto& p : positions) {
      std::array<std::uint16_t, 4> joint;
      g.file.read(at, joint.data(), 8), at += 8;
      ASSERT_LT(joint[0], links);
      ++vertices[joint[0]];
      Box box;
      for (const Shape& shape : motion.creature.links[joint[0]].shapes)
        extend(box, bounding_box(shape, rest.R[joint[0]], rest.p[joint[0]]));
      const Vec3d v{p[2], p[0], p[1]};
      for (int i = 0; i < 3; ++i) {
        EXPECT_GE(v[i], box.lower[i] - 1e-5);
        EXPECT_LE(v[i], box.upper[i] + 1e-5);
      }
    }
  }
  for (std::size_t link = 0; link < links; ++link)
    for (const Shape& shape : motion.creature.links[link].shapes)
      expected[link] += smooth_surface(shape).positions.size();
  EXPECT_EQ(vertices, expected);
}

TEST(Glb, TheRootBoneCarriesTravelAndHeadingOverTheGround) {
  const Scratch scratch;
  Motion motion = example_motion(40);
  motion.creature.links[0].name = "root";  // its own name is then another
  write_glb(motion, scratch / "a.glb", {0});
  Gltf g(scratch / "a.glb");
  const std::size_t links = motion.creature.links.size();
  const auto& node = g.json["nodes"][links + 1];
  EXPECT_EQ(node["name"], "root_root");
  EXPECT_EQ(node["children"], nlohmann::json::array({1}));
  const auto rows = g.track(int(links) + 1, "translation");
  ASSERT_EQ(rows.size(), 40u);
  for (std::size_t f = 0; f < 40; ++f) {
    const double* q = motion.q.data() + f * std::size_t(motion.creature.nq());
    EXPECT_NEAR(rows[f][0], q[0], 1e-6);
    EXPECT_NEAR(rows[f][1], q[1], 1e-6);
    EXPECT_EQ(rows[f][2], 0);
  }
  for (const auto& r : g.track(int(links) + 1, "rotation"))
    EXPECT_TRUE(r[0] == 0 && r[1] == 0) << "a heading turns about the vertical only";
}

TEST(Glb, TheGroundIsDrawnUnderThePathUnlessItIsLevel) {
  const Scratch scratch;
  Motion motion = example_motion(50);
  const Terrain rough = rough_terrain(0.1, 0.5);
  motion.terrain = rough;
  write_glb(motion, scratch / "a.glb");
  Gltf g(scratch / "a.glb");
  const auto& ground = g.json["nodes"].back();
  ASSERT_EQ(ground["name"], "ground");
  const int mesh = ground["mesh"];
  for (const auto& p : g.rows(g.json["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"]))
    EXPECT_NEAR(p[2], sample(rough, p[0], p[1]).height, 1e-5);
  const Verdict verdict = validate_gltf(scratch / "a.glb", LEGWORK_SOURCE_DIR);
  EXPECT_EQ(verdict.errors + verdict.warnings, 0) << verdict.messages;
  expect_same_motion(read_glb(scratch / "a.glb"), motion);
  write_glb(motion, scratch / "a.glb", {.ground = false});
  EXPECT_NE(Gltf(scratch / "a.glb").json["nodes"].back()["name"], "ground");
  motion.terrain = Terrain{};
  write_glb(motion, scratch / "a.glb");
  EXPECT_NE(Gltf(scratch / "a.glb").json["nodes"].back()["name"], "ground");
}

TEST(Glb, TheTerrainComesBackAndFieldsThatATextMakesTakeNoSpace) {
  const Scratch scratch;
  Motion motion = example_motion(5);
  motion.gravity = 1.62;
  const auto size_with = [&](const Terrain& terrain) {
    motion.terrain = terrain;
    write_glb(motion, scratch / "a.glb", {.ground = false});
    expect_same_motion(read_glb(scratch / "a.glb"), motion);
    return std::filesystem::file_size(scratch / "a.glb");
  };
  const std::size_t plane = size_with(Terrain{});
  EXPECT_LT(size_with(slope_terrain(0.2)), plane + 200);
  EXPECT_LT(size_with(steps_terrain(0.1, 0.3)), plane + 200);
  const Terrain rough = rough_terrain(0.1, 0.5);
  EXPECT_LT(size_with(rough), plane + 200);
  HeightGrid grid;
  grid.nx = 30, grid.ny = 20, grid.cell = 0.1;
  for (int i = 0; i < 600; ++i) grid.height.push_back(0.01 * std::sin(i));
  EXPECT_GT(size_with(field_terrain(grid, "heights.csv")), plane + 4800);
}

TEST(Glb, ExactArraysAreAlignedDoublesThatAnyProgramCanRead) {
  const Scratch scratch;
  const Motion motion = example_motion(10);
  write_glb(motion, scratch / "a.glb");
  Gltf g(scratch / "a.glb");
  const std::string bytes = read_file(scratch / "a.glb");
  const std::size_t binary = bytes.size() - g.file.binary_bytes();
  EXPECT_EQ(binary % 8, 0u);
  for (const auto& [name, array] : g.json["extras"]["legwork"]["arrays"].items()) {
    EXPECT_EQ(array["offset"].get<int>() % 8, 0) << name;
    EXPECT_EQ(g.json["bufferViews"][array["bufferView"].get<int>()]["byteOffset"], array["offset"]);
  }
  const auto& q = g.json["extras"]["legwork"]["arrays"]["q"];
  double value;
  std::memcpy(
      &value,
      bytes.data() + binary + q["offset"].get<std::size_t>() + 8 * (q["width"].get<std::size_t>() * 9 + 2),
      8);
  EXPECT_EQ(value, motion.q[9 * q["width"].get<std::size_t>() + 2]);
}

TEST(Glb, ABodyAtRestLastsAsLongAsItWasRecorded) {
  const Scratch scratch;
  Motion motion = example_motion(1);
  for (std::vector<double>* rows : {&motion.q, &motion.v, &motion.tau, &motion.contact_force}) {
    const std::vector<double> row = *rows;
    for (int f = 1; f < 4; ++f) rows->insert(rows->end(), row.begin(), row.end());
  }
  motion.time = {0, 1, 2, 3};
  motion.channels.clear();
  write_glb(motion, scratch / "a.glb");
  const Gltf g(scratch / "a.glb");
  EXPECT_EQ(g.json["animations"][0]["channels"].size(), 2u);
  EXPECT_EQ(g.json["accessors"][g.json["animations"][0]["samplers"][0]["input"].get<int>()]["max"][0], 3);
  EXPECT_EQ(validate_gltf(scratch / "a.glb", LEGWORK_SOURCE_DIR).warnings, 0);
}

TEST(Glb, BadMotionsAreRefusedAndNothingIsWritten) {
  const Scratch scratch;
  const std::string path = scratch / "a.glb";
  EXPECT_EQ(error_of([&] { write_glb(example_motion(0), path); }),
            path + ": the motion has no frames, so there is nothing to write; record some time");
  EXPECT_EQ(error_of([&] { write_glb(example_motion(2), path, {-1}); }),
            path + ": rate: -1 Hz is no frame rate; give one up to 100000, or 0 for every frame");
  Motion back = example_motion(2);
  back.time[1] = -1;
  EXPECT_EQ(error_of([&] { write_glb(back, path); }),
            path + ": frame 1: time -1 s does not follow 0 s; times must not fall");
  Motion bytes = example_motion(2);
  bytes.creature.links[0].name = "\xFF";
  EXPECT_EQ(error_of([&] { write_glb(bytes, path); }),
            path + ": a name or text of the motion is not UTF-8; rename what has such letters");
  Motion torn = example_motion(2);
  torn.q.pop_back();
  EXPECT_THROW(write_glb(torn, path), Error);
  EXPECT_TRUE(scratch.names().empty());
}

// A file in whose JSON one text is replaced by another of the same length.
std::string changed(std::string bytes, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? bytes : bytes.replace(at, from.size(), to);
}

TEST(Glb, BadFilesAreNamedWithWhatIsWrong) {
  const Scratch scratch;
  const std::string path = scratch / "a.glb";
  write_glb(example_motion(20), path);
  const std::string good = read_file(path);
  const auto says = [&](const std::string& bytes) {
    write_file(path, bytes);
    const std::string text = error_of([&] { read_glb(path); });
    return text.substr(std::min(text.size(), path.size() + 2));
  };
  const std::string again = "; make or copy it again";
  EXPECT_EQ(says(""),
            "not a .glb file (it does not begin with 'glTF'); a motion is a .glb that legwork wrote");
  EXPECT_EQ(says("solid cube"),
            "not a .glb file (it does not begin with 'glTF'); a motion is a .glb that legwork wrote");
  EXPECT_EQ(says(good.substr(0, 10)), "the file is cut short: 10 of 20 bytes" + again);
  const std::string size = std::to_string(good.size());
  EXPECT_EQ(says(good.substr(0, 1000)), "the file is cut short: 1000 of " + size + " bytes" + again);
  EXPECT_EQ(says(good.substr(0, good.size() - 1)),
            "the file is cut short: " + std::to_string(good.size() - 1) + " of " + size + " bytes" + again);
  EXPECT_EQ(says(changed(good, std::string("\2\0\0\0", 4), std::string("\1\0\0\0", 4))),
            "glTF version 1 is not understood; only version 2 is");
  EXPECT_EQ(says(changed(good, "JSON", "JSOM")), "the file is damaged: its JSON chunk does not fit" + again);
  EXPECT_EQ(says(changed(good, "{\"asset\"", "}\"asset\"")),
            "the file is damaged: its JSON cannot be read" + again);
  EXPECT_EQ(
      says(changed(good, "\"legwork\"", "\"artwork\"")),
      "holds no motion of Legwork (no extras.legwork: another program wrote it or saved it again); give the "
      "file that legwork wrote");
  EXPECT_EQ(says(changed(good, "\"format\":1", "\"format\":9")),
            "is of format 9, and this Legwork reads format 1; use a Legwork of the same age");
  EXPECT_EQ(says(changed(good, "\"frames\":20", "\"frames\": 0")), "the motion has no frames; make it again");
  EXPECT_EQ(says(changed(good, "\"frames\":20", "\"frames\":99")),
            "the file is damaged: 'q' reaches beyond the end of the data" + again);
  EXPECT_EQ(says(changed(good, "\"frames\":20", "\"frames\":-2")),
            "the file is damaged: -2 is not a count" + again);
  EXPECT_EQ(says(changed(good, "\"status\":\"fell\"", "\"status\":\"felt\"")),
            "the file is damaged: its status 'felt' is unknown" + again);
  EXPECT_EQ(says(changed(good, "\"arrays\"", "\"arrows\"")),
            "the file is damaged: extras.legwork lacks something or has it in another form" + again);
  EXPECT_EQ(says(changed(good, "\"time\":{", "\"tame\":{")),
            "the file is damaged: 'time' is missing" + again);
  const size_t channels = good.find("\"channels\":[{\"name\"");
  ASSERT_NE(channels, good.npos);
  const std::string first = good.substr(channels, good.find("\"offset\"", channels) + 8 - channels);
  EXPECT_EQ(says(changed(good, first, first.substr(0, first.size() - 8) + "\"offsat\"")),
            "the file is damaged: extras.legwork lacks something or has it in another form" + again);
  EXPECT_EQ(error_of([&] { read_glb(scratch / "none.glb"); }),
            scratch / "none.glb" + std::string(": there is no such file; check the path"));
}

TEST(Glb, NoByteOfTheHeadCanMakeTheReaderCrash) {
  const Scratch scratch;
  const std::string path = scratch / "a.glb";
  write_glb(example_motion(3), path);
  const std::string good = read_file(path);
  for (std::size_t i = 0; i < good.size(); i += i < 40 ? 1 : 149) {
    std::string bad = good;
    bad[i] = char(bad[i] ^ 0x55);
    write_file(path, bad);
    try {
      read_glb(path);
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).substr(0, path.size()), path);
    }
  }
}

}  // namespace
}  // namespace legwork
