// A balanced walk knows no metre, second or kilogram: a body with lengths times 4, times times 2 and masses
// times a power of two makes the same motion with the same mantissas.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "creature/scale.h"
#include "tests/scenes/generated_body.h"
#include "walk/walk.h"

namespace legwork {
namespace {

constexpr double gravity = 9.81;
constexpr double longer = 4, slower = 2;

// Lengths times 4 under the same gravity, so times times 2; and all that is a mass times `heavier`.
Creature enlarged(Creature c, double heavier) {
  scale(c, longer);
  for (Link& link : c.links) {
    scale_mass(link, heavier);
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) {
        dof.spring.stiffness *= heavier, dof.damper *= heavier, dof.armature *= heavier;
        dof.limit_stiffness *= heavier, dof.limit_damping *= heavier, dof.friction *= heavier;
      }
  }
  return c;
}

Terrain enlarged(Terrain t) {
  t.height *= longer, t.rise *= longer, t.run *= longer;
  t.grid.x0 *= longer, t.grid.y0 *= longer, t.grid.cell *= longer;
  for (double& z : t.grid.height) z *= longer;
  return t;
}

Motion walk_of(const Creature& body, const Terrain& terrain, double units, double seconds_of_unit) {
  World world;
  world.body = body;
  world.terrain = terrain;
  world.rate = 16 / seconds_of_unit;
  world.dt = seconds_of_unit / 512;  // chosen steps of large bodies end at the simulation's own longest
  WalkOptions options;
  options.control = WalkOptions::Control::balance;
  options.seconds = units * seconds_of_unit;
  return perform_walk(world, options).motion;
}

// The first number that differs, in words; nothing: none does.
std::string difference(const Motion& small, const Motion& large) {
  if (small.frames() != large.frames())
    return std::to_string(small.frames()) + " frames against " + std::to_string(large.frames());
  const Creature& c = small.creature;
  for (int f = 0; f < small.frames(); ++f) {
    if (small.time[std::size_t(f)] * slower != large.time[std::size_t(f)])
      return "time of frame " + std::to_string(f);
    std::size_t q = std::size_t(f) * std::size_t(c.nq()), v = std::size_t(f) * std::size_t(c.nv());
    for (const Link& link : c.links)
      for (const Joint& joint : link.joints) {
        const bool free = joint.type == JointType::free;
        for (int k = 0; k < nq(joint); ++k, ++q) {
          const double factor = joint.type == JointType::slide || (free && k < 3) ? longer : 1;
          if (small.q[q] * factor != large.q[q])
            return "frame " + std::to_string(f) + ", '" + link.name + "', coordinate " + std::to_string(k) +
                   ": relative " + std::to_string((large.q[q] / factor - small.q[q]) * 1e15 / small.q[q]) +
                   "e-15";
        }
        for (int k = 0; k < nv(joint); ++k, ++v) {
          const double factor =
              joint.type == JointType::slide || (free && k < 3) ? longer / slower : 1 / slower;
          if (small.v[v] * factor != large.v[v])
            return "frame " + std::to_string(f) + ", '" + link.name + "', velocity " + std::to_string(k);
        }
      }
  }
  return {};
}

void expect_similar(const Creature& body, const Terrain& terrain, double units) {
  // a unit of time that is a number of both: sqrt(h/g) rounded to a power of two
  const double unit = std::exp2(std::round(std::log2(std::sqrt(hip_height(body) / gravity))));
  const Motion small = walk_of(body, terrain, units, unit);
  EXPECT_GT(small.frames(), 16 * units - 1) << small.status_text;
  for (const double heavier : {1.0, 8.0})
    EXPECT_EQ(difference(small, walk_of(enlarged(body, heavier), enlarged(terrain), units, slower * unit)),
              "")
        << body.name << " on " << terrain.spec << ", " << heavier << " times as dense";
}

TEST(Similarity, OfGeneratedBodiesOnLevelGround) {
  for (const int number : {8, 13, 15, 16, 22}) {
    SCOPED_TRACE(number);
    expect_similar(generated_body(1, number), {}, 12);
  }
}

TEST(Similarity, OnSlopesStairsAndHills) {
  const Creature body = generated_body(1, 22);
  const double h = hip_height(body);
  expect_similar(body, slope_terrain(0.15), 10);
  expect_similar(body, steps_terrain(0.2 * h, h), 10);
  expect_similar(body, rough_terrain(0.05 * h, h), 10);
}

TEST(Similarity, OfShippedBodies) {
  for (const char* name : {"quadruped", "octopod", "biped"}) {
    SCOPED_TRACE(name);
    expect_similar(load_creature(std::string(LEGWORK_SOURCE_DIR "/creatures/") + name + ".toml"), {}, 8);
  }
}

}  // namespace
}  // namespace legwork
