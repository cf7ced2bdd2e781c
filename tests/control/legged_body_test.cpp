#include "control/legged_body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <legwork/files.h>
#include "control/schedule.h"
#include "control/whole_body.h"
#include "formats/toml/creature_toml.h"
#include "ground/terrain.h"

namespace legwork {
namespace {

System<double> system_of(const std::string& name) {
  World world = load_world(name);
  world.body.actuators.clear();
  return make_system(world);
}

std::vector<char> all(const LeggedBody& body) { return std::vector<char>(body.legs.size(), 1); }

TEST(LeggedBody, LiesOnASlopeWithEveryFootDown) {
  const Terrain slope = slope_terrain(0.17);
  for (const char* name : {"quadruped", "hexapod", "biped"}) {
    SCOPED_TRACE(name);
    const System<double> system = system_of(name);
    const LeggedBody body = make_legged_body(system, {});
    Workspace<double> w(system.model);
    update_positions(system.model, lay_on(body, slope, {1, 2, 0}, 0.4).data(), w);
    for (const LimbOfBody& leg : body.legs) {
      double deepest = -1e9;
      for (const int s : leg.sites)
        deepest = std::max(deepest, site_depth(system.contacts.sites[std::size_t(s)], slope, w));
      EXPECT_NEAR(deepest, 0, 0.02 * body.height);
    }
    const Vec3d com = center_of_mass(system.model, w);
    EXPECT_NEAR(com.x, 1, 0.05 * body.height);
    EXPECT_NEAR(com.y, 2, 0.05 * body.height);
  }
}

TEST(LeggedBody, StretchedLegsMakeItCrouch) {
  const System<double> straight = system_of("human"), bent = system_of("quadruped");
  EXPECT_GT(make_legged_body(straight, {}).crouch, 0);
  EXPECT_EQ(make_legged_body(bent, {}).crouch, 0);
}

// Two legs with a knee, 0.9 m high, on soles of this thickness, m, that are not quite level.
World biped_on_soles(double thickness) {
  std::string text =
      "angles = \"deg\"\n[[link]]\nname = \"trunk\"\nat = [0, 0, 0.94]\nmass = 6\n"
      "shape = { box = [0.2, 0.3, 0.4], pos = [0, 0, 0.2] }\n";
  for (const int side : {1, -1}) {
    const std::string name = side > 0 ? "l" : "r";
    text +=
        "[[link]]\nname = \"" + name + "_thigh\"\nparent = \"trunk\"\nat = { pos = [0, " +
        std::to_string(0.12 * side) +
        ", 0], rot = [0, -20, 0] }\njoints = [{ hinge = \"x\" }, { hinge = \"y\" }]\nmass = 1\n"
        "shape = { capsule = 0.04, to = [0, 0, -0.45], touches = false }\n"
        "[[link]]\nname = \"" +
        name + "_shank\"\nparent = \"" + name +
        "_thigh\"\nat = { pos = [0, 0, -0.45], rot = [0, 40, 0] }\njoint = { hinge = \"y\" }\nmass = 0.6\n"
        "shape = { capsule = 0.03, to = [0, 0, -0.45], touches = false }\n"
        "[[link]]\nname = \"" +
        name + "_foot\"\nparent = \"" + name +
        "_shank\"\nat = { pos = [0, 0, -0.45], rot = [0, -19.7, 0] }\n"
        "joints = [{ hinge = \"y\" }, { hinge = \"x\" }]\nmass = 0.1\n"
        "shape = { box = [0.3, 0.12, " +
        std::to_string(thickness) +
        "], pos = [0.04, 0, -0.05] }\n"
        "[[leg]]\nname = \"" +
        name + "\"\nhip = \"" + name + "_thigh\"\nfoot = \"" + name + "_foot\"\n";
  }
  World world;
  world.body = parse_creature_toml(text, "biped.toml");
  return world;
}

TEST(LeggedBody, StandsOnTheLowerCornersOfThinSoles) {
  for (const double thickness : {0.008, 0.012, 0.04}) {
    SCOPED_TRACE(thickness);
    const System<double> system = make_system(biped_on_soles(thickness));
    const LeggedBody body = make_legged_body(system, {});
    Workspace<double> w(system.model);
    update_positions(system.model, body.q.data(), w);
    for (const LimbOfBody& leg : body.legs) {
      EXPECT_EQ(leg.sites.size(), 4u);
      for (const int s : leg.sites) {
        const ContactSite<double>& site = system.contacts.sites[std::size_t(s)];
        EXPECT_NEAR(point_position(w, site.link, site.pos).z - site.radius, 0, 4e-3 * body.height);
      }
    }
  }
}

// On a slope a long body's feet lie below its trunk's own down, as on the level.
TEST(LeggedBody, LeansWithASlope) {
  const System<double> system = system_of("hexapod");
  const LeggedBody body = make_legged_body(system, {});
  Workspace<double> w(system.model);
  const auto feet_ahead = [&](const Terrain& ground) {
    update_positions(system.model, lay_on(body, ground, {}, 0).data(), w);
    const Mat3d turned = w.R[std::size_t(body.root)] * transpose(body.upright);
    const Vec3d com = center_of_mass(system.model, w);
    double sum = 0;
    for (const LimbOfBody& leg : body.legs)
      sum += transpose_times(turned, point_position(w, leg.foot, leg.sole) - com).x;
    return sum / double(body.legs.size()) / body.height;
  };
  const double level = feet_ahead(Terrain{});
  for (const double slope : {0.17, -0.17})
    EXPECT_NEAR(feet_ahead(slope_terrain(slope)), level, 0.05);  // 0.17 where they stay below
}

TEST(Schedule, GivesSixLegsTheirTripodAndTwoLegsAlternation) {
  const System<double> six = system_of("hexapod"), two = system_of("biped");
  const LeggedBody hexapod = make_legged_body(six, {}), biped = make_legged_body(two, {});
  const Schedule tripod = choose_schedule(hexapod, 0, 0, all(hexapod));
  // at every moment at least three feet stand, and they surround the centre of mass
  for (double clock = 0; clock < 1; clock += 0.05) {
    int standing = 0;
    for (std::size_t i = 0; i < 6; ++i) standing += tripod.phase(i, clock) >= 1 - tripod.duty;
    EXPECT_GE(standing, 3);
  }
  EXPECT_LT(tripod.duty, 0.65);
  const Schedule steps = choose_schedule(biped, 0, 0, all(biped));
  EXPECT_NEAR(std::fabs(steps.offset[0] - steps.offset[1]), 0.5, 1e-12);
}

TEST(WholeBody, StandsOnForcesThatCarryTheWeightUnderTheCentreOfMass) {
  for (const char* name : {"quadruped", "biped", "octopod"}) {
    SCOPED_TRACE(name);
    const System<double> system = system_of(name);
    const LeggedBody body = make_legged_body(system, {});
    const std::vector<double> still(std::size_t(system.model.nv), 0);
    Workspace<double> w(system.model);
    update_positions(system.model, body.q.data(), w);
    update_velocities(system.model, body.q.data(), still.data(), w);
    WholeBody whole(body);
    std::vector<FootTask> feet(body.legs.size());
    for (FootTask& foot : feet) foot.bears = true;
    BodyTask task;
    task.posture = still;
    whole.solve(Terrain{}, feet, task, body.x, still, w);
    const Vec3d com = center_of_mass(system.model, w);
    Vec3d force, moment;
    for (std::size_t s = 0; s < whole.force.size(); ++s) {
      const ContactSite<double>& site = system.contacts.sites[s];
      const Vec3d at = point_position(w, site.link, site.pos) - Vec3d(0, 0, site.radius);
      force += whole.force[s], moment += cross(at - com, whole.force[s]);
      EXPECT_GE(whole.force[s].z, -1e-9 * body.weight);
    }
    EXPECT_NEAR(force.z, body.weight, 2e-3 * body.weight);
    EXPECT_NEAR(force.x, 0, 2e-3 * body.weight);
    EXPECT_NEAR(norm(moment), 0, 2e-3 * body.weight * body.height);
    // what it foresees is that nothing moves
    for (const double a : whole.qdd) EXPECT_NEAR(a, 0, 0.05 * body.rate * body.rate);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(whole.tau[std::size_t(body.root_v + k)], 0);
  }
}

}  // namespace
}  // namespace legwork
