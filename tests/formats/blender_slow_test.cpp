// What an animator finds after importing our files into real Blender, headless. Where Blender is not
// installed these tests are skipped, unless LEGWORK_LONG is set (make test-long installs it).

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <legwork/files.h>
#include "dynamics/dynamics.h"
#include "formats/turning_point.h"
#include "motion/resample.h"
#include "tests/scenes/blender.h"
#include "tests/scenes/example_motion.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

using Json = nlohmann::json;

// Every bone's head at every frame is where the link turns, to 1e-5 m. Blender has Z up and looks along -Y.
void expect_places(const Json& found, const Motion& motion, double rate) {
  const Model<double> model = make_model(motion.creature);
  Workspace<double> w(model);
  Sampler sampler(model, motion);
  std::vector<double> q(std::size_t(model.nq));
  const std::size_t frames = found["frames"].size();
  ASSERT_EQ(frames, std::size_t(std::lround(motion.duration() * rate)) + 1);
  double worst = 0;
  int checked = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const double frame = found["frames"][f];
    EXPECT_EQ(frame, std::round(frame)) << "keys lie on whole frames";
    sampler.at(motion.time.front() + double(f) / rate);
    sampler.positions(q.data());
    update_positions(model, q.data(), w);
    for (int link = 0; link < model.nlink; ++link) {
      const std::string& name = motion.creature.links[link].name;
      ASSERT_TRUE(found["heads"].contains(name)) << name;
      const Vec3d at = point_position(w, link, turning_point(motion.creature.links[link]).point);
      const Json& head = found["heads"][name][f];
      worst = std::max({worst, std::abs(head[0].get<double>() - at.y), std::abs(head[1].get<double>() + at.x),
                        std::abs(head[2].get<double>() - at.z)});
      ++checked;
    }
  }
  EXPECT_LT(worst, 1e-5);
  EXPECT_GT(checked, 0);
}

TEST(Blender, OurMotionsAreOneArmatureOneMeshAndOneActionWithEveryJointInItsPlace) {
  if (!blender_is_here()) GTEST_SKIP() << "Blender is not installed";
  const Scratch scratch;
  std::map<std::string, Motion> motions;
  for (const char* name : {"dog", "human", "hexapod"}) motions[name] = swing(load_creature(name));
  motions["everything"] = example_motion(31);  // every kind of joint and several bodies
  std::vector<std::string> files;
  for (auto& [name, motion] : motions) {
    motion.made.verb = "swing";
    files.push_back(scratch / name + ".glb"), write_glb(motion, files.back(), {.rate = 60});
    files.push_back(scratch / name + ".bvh"), write_bvh(motion, files.back(), {.rate = 60});
  }
  const Json all = in_blender("places.py", {scratch / "found.json", "60"}, files, scratch / "found.json");
  for (const auto& [name, motion] : motions) {
    SCOPED_TRACE(name);
    const Json& glb = all[scratch / name + ".glb"];
    EXPECT_EQ(glb["armatures"].size(), 1u);
    EXPECT_EQ(glb["empties"].size(), 0u);
    ASSERT_EQ(glb["actions"].size(), 1u);
    EXPECT_TRUE(glb["actions"][0]["name"].get<std::string>().starts_with("swing"));
    ASSERT_EQ(glb["meshes"].size(), 1u);
    EXPECT_TRUE(glb["meshes"][0]["armature"]);
    EXPECT_EQ(glb["meshes"][0]["weighted"], glb["meshes"][0]["vertices"]);
    expect_places(glb, motion, 60);
    SCOPED_TRACE("as .bvh");
    expect_places(all[scratch / name + ".bvh"], motion, 60);
  }
  // the body hangs below a root bone of its own
  EXPECT_EQ(all[scratch / "dog.glb"]["parents"][motions["dog"].creature.links[0].name], "root");
  EXPECT_TRUE(all[scratch / "dog.glb"]["parents"]["root"].is_null());
}

}  // namespace
}  // namespace legwork
