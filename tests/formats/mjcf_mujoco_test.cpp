// MuJoCo itself is the judge of what an MJCF file means.

#include <filesystem>

#include "creature/check.h"
#include "creature/complete.h"
#include "formats/mjcf/mjcf.h"
#include "formats/mjcf/mjcf_write.h"
#include "sim/actuators.h"
#include "sim/joints.h"
#include "tests/dynamics/random_creature.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/mujoco_oracle.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const std::string data = std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/";

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

struct Errors {
  double inertia = 0, mass = 0, bias = 0, acceleration = 0;
};

// MuJoCo keeps inertias as principal moments and axes, which it finds to about 1e-8 only; what a heavy body
// loses there can be much for the light one that it carries. So the link's inertia is compared, then replaced
// by MuJoCo's: all else must agree to rounding. Returns the relative difference.
double take_inertia(const mjModel& m, int body, Link& link) {
  const mjtNum* q = m.body_iquat + 4 * body;
  const mjtNum* i = m.body_inertia + 3 * body;
  const Sym3d theirs = rotate(matrix(Quatd{q[0], q[1], q[2], q[3]}), Sym3d::diagonal(i[0], i[1], i[2]));
  double difference = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      difference = std::max(difference, std::fabs(theirs(r, c) - link.inertia(r, c)));
  link.inertia = theirs;
  return difference / std::max({i[0], i[1], i[2], 1e-300});
}

// Mass matrix, bias and acceleration (with springs and dampers) at random states inside the joints' ranges.
Errors compare(Creature creature, const std::string& path, int states, bool as_read = true) {
  SCOPED_TRACE(path);
  Errors worst;
  MujocoOracle oracle(path);
  if (!oracle) return worst;
  const mjModel& theirs = oracle.model();
  EXPECT_EQ(creature.nq(), theirs.nq);
  EXPECT_EQ(creature.nv(), theirs.nv);
  if (creature.nq() != theirs.nq || creature.nv() != theirs.nv) return {1, 1, 1, 1};
  // MuJoCo melts the fixed base of a URDF file into the world
  const int skipped = int(creature.links.size()) + 1 - theirs.nbody;
  EXPECT_EQ(skipped, creature.links[0].name == "base" ? 1 : 0);
  for (int b = 1; b < theirs.nbody; ++b) {
    Link& link = creature.links[std::size_t(b - 1 + skipped)];
    if (!oracle.body_name(b).empty()) EXPECT_EQ(link.name, oracle.body_name(b));
    EXPECT_EQ(std::max(link.parent + 1 - skipped, 0), theirs.body_parentid[b]);
    if (!as_read) worst.inertia = std::max(worst.inertia, take_inertia(theirs, b, link));
  }
  EXPECT_LT(relative_error(creature.pose(""), {theirs.qpos0, theirs.qpos0 + theirs.nq}), 1e-15);

  const Model<double> model = make_model(creature);
  const JointForces<double> joints = make_joint_forces(creature, model);
  Workspace<double> w(model);
  const std::size_t nv = oracle.nv();
  std::vector<double> M(nv * nv), bias(nv), x(nv), tau(nv), qdd(nv);
  Random random(1);
  for (int i = 0; i < states; ++i) {
    const std::vector<double> q = random_configuration(random, creature);
    const std::vector<double> v = random_speeds(random, creature, 3);
    oracle.set(q, v);
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
    clear_forces(model, w);
    mass_matrix(model, w, M.data());
    inverse_dynamics(model, static_cast<const double*>(nullptr), w, bias.data());
    std::fill(tau.begin(), tau.end(), 0.0);
    joint_positions(joints, q.data(), x.data());
    add_joint_forces(joints, x.data(), v.data(), joints.rest.data(), 0.0, false, tau.data(),
                     static_cast<double*>(nullptr));
    forward_dynamics(model, tau.data(), w, qdd.data());
    worst.mass = std::max(worst.mass, relative_error(M, oracle.mass_matrix()));
    worst.bias = std::max(worst.bias, relative_error(bias, oracle.bias()));
    worst.acceleration = std::max(worst.acceleration, relative_error(qdd, oracle.acceleration()));
  }
  return worst;
}

void expect_same(const std::string& file, int states) {
  const Errors read = compare(read_mjcf(file), file, states, true);
  EXPECT_LT(read.mass, 1e-9) << file;
  EXPECT_LT(read.bias, 1e-9) << file;
  const Errors rest = compare(read_mjcf(file), file, states, false);
  EXPECT_LT(rest.inertia, 2e-7) << file;
  EXPECT_LT(rest.mass, 1e-12) << file;
  EXPECT_LT(rest.bias, 1e-12) << file;
  EXPECT_LT(rest.acceleration, 1e-9) << file;
}

TEST(MjcfMujoco, FilesLoadToTheSameDynamics) {
  const std::vector<std::string> files = files_in(data);
  EXPECT_GE(files.size(), 10u);
  for (const std::string& file : files) {
    if (file.find("mesh") != std::string::npos) continue;  // below: MuJoCo rounds meshes to floats
    expect_same(file, 20);
  }
}

TEST(MjcfMujoco, BodiesWithoutFramesInGlobalCoordinatesAreWhereTheirJointsAndGeomsAre) {
  const std::string file = data + "global/no_frames.xml";
  const Errors read = compare(read_mjcf(file), file, 20, true);
  EXPECT_LT(read.mass, 1e-9);
  EXPECT_LT(read.bias, 1e-9);
  EXPECT_LT(read.acceleration, 1e-7);
}

// MuJoCo holds vertices and their products as floats, so only seven digits can agree.
TEST(MjcfMujoco, MeshesWeighTheSame) {
  for (const char* name : {"mesh.xml", "mesh_exact.xml"}) {
    const Errors read = compare(read_mjcf(data + name), data + name, 20);
    EXPECT_LT(read.mass, 1e-6) << name;
    EXPECT_LT(read.bias, 1e-6) << name;
    EXPECT_LT(read.acceleration, 1e-5) << name;
  }
}

TEST(MjcfMujoco, BenchmarkModelsLoadToTheSameDynamics) {
  const std::vector<std::string> files = files_in(std::string(LEGWORK_SOURCE_DIR) + "/bench/models");
  EXPECT_EQ(files.size(), 11u);
  for (const std::string& file : files) {
    expect_same(file, 3);
  }
}

TEST(MjcfMujoco, ActuatorsPullAlike) {
  for (const char* name : {"planar.xml", "defaults.xml"}) {
    SCOPED_TRACE(name);
    MujocoOracle oracle(data + name);
    const Creature creature = read_mjcf(data + name);
    ASSERT_EQ(int(creature.actuators.size()), oracle.model().nu);
    oracle.model().opt.disableflags &= ~mjDSBL_ACTUATION;
    const Model<double> model = make_model(creature);
    const JointForces<double> joints = make_joint_forces(creature, model);
    const auto actuators = make_actuators(creature);
    Workspace<double> w(model);
    Random random(2);
    std::vector<double> x(oracle.nv()), tau(oracle.nv()), target(actuators.size());
    for (int i = 0; i < 50; ++i) {
      const std::vector<double> q = random_configuration(random, creature);
      const std::vector<double> v = random_speeds(random, creature, 3);
      for (double& t : target) t = random.uniform(-2, 2);
      std::copy(target.begin(), target.end(), oracle.data().ctrl);
      oracle.set(q, v);
      update_positions(model, q.data(), w);
      update_velocities(model, q.data(), v.data(), w);
      clear_forces(model, w);
      std::fill(tau.begin(), tau.end(), 0.0);
      joint_positions(joints, q.data(), x.data());
      add_actuator_forces(actuators, target.data(), x.data(), v.data(), 0.0, w, tau.data());
      const double* f = oracle.data().qfrc_actuator;
      EXPECT_LT(relative_error(tau, {f, f + oracle.nv()}), 1e-12);
    }
  }
}

// Loops hold where MuJoCo's constraint is satisfied: both speak of the same two points and frames.
TEST(MjcfMujoco, LoopsJoinTheSamePoints) {
  MujocoOracle oracle(data + "loops.xml");
  const Creature creature = read_mjcf(data + "loops.xml");
  ASSERT_EQ(creature.loops.size(), 4u);
  const mjModel& m = oracle.model();
  for (int i = 0; i < 4; ++i) {
    const Loop& loop = creature.loops[std::size_t(i)];
    SCOPED_TRACE(loop.name);
    EXPECT_EQ(loop.link + 1, m.eq_obj1id[i]);
    EXPECT_EQ(loop.other + 1, m.eq_obj2id[i]);
    EXPECT_EQ(loop.frame, m.eq_type[i] == mjEQ_WELD);
    const mjtNum* x = m.eq_data + mjNEQDATA * i;
    // connect: point of body 1, point of body 2; weld: point of body 2, point of body 1, orientation
    const Vec3d first{x[0], x[1], x[2]}, second{x[3], x[4], x[5]};
    EXPECT_LT(norm(loop.pos - (loop.frame ? second : first)), 1e-12);
    EXPECT_LT(norm(loop.other_pos - (loop.frame ? first : second)), 1e-12);
    if (!loop.frame) continue;
    const Quatd difference =
        conjugate(normalized(Quatd{x[6], x[7], x[8], x[9]})) * loop.rot * conjugate(loop.other_rot);
    EXPECT_NEAR(std::fabs(difference.w), 1, 1e-12);
  }
}

void expect_same_parts(const Creature& a, const Creature& b) {
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].name, b.links[i].name);
    ASSERT_EQ(a.links[i].shapes.size(), b.links[i].shapes.size());
    for (std::size_t s = 0; s < a.links[i].shapes.size(); ++s) {
      const Shape &x = a.links[i].shapes[s], &y = b.links[i].shapes[s];
      EXPECT_EQ(x.type, y.type);
      EXPECT_EQ(x.touches, y.touches);
      EXPECT_LT(norm(x.size - y.size) + norm(x.pos - y.pos), 1e-14);
      EXPECT_EQ(x.color, y.color);
    }
  }
  ASSERT_EQ(a.nv(), b.nv());
  const auto da = a.dofs(), db = b.dofs();
  for (std::size_t i = 0; i < da.size(); ++i) {
    EXPECT_EQ(da[i]->name, db[i]->name);
    EXPECT_EQ(da[i]->lower, db[i]->lower);
    EXPECT_EQ(da[i]->upper, db[i]->upper);
    EXPECT_EQ(da[i]->spring.rest, db[i]->spring.rest);
    EXPECT_EQ(da[i]->spring.stiffness, db[i]->spring.stiffness);
  }
  ASSERT_EQ(a.actuators.size(), b.actuators.size());
  for (std::size_t i = 0; i < a.actuators.size(); ++i) {
    const Actuator &x = a.actuators[i], &y = b.actuators[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.type, y.type);
    EXPECT_EQ(x.dof, y.dof);
    for (double Actuator::*field : {&Actuator::ks, &Actuator::kd, &Actuator::lower, &Actuator::upper,
                                    &Actuator::strength, &Actuator::gear})
      EXPECT_EQ(x.*field, y.*field) << x.name;
  }
  ASSERT_EQ(a.loops.size(), b.loops.size());
  for (std::size_t i = 0; i < a.loops.size(); ++i) {
    EXPECT_EQ(a.loops[i].name, b.loops[i].name);
    EXPECT_EQ(a.loops[i].frame, b.loops[i].frame);
    EXPECT_LT(norm(a.loops[i].pos - b.loops[i].pos) + norm(a.loops[i].other_pos - b.loops[i].other_pos),
              1e-12);
  }
  ASSERT_EQ(a.poses.size(), b.poses.size());
  for (std::size_t i = 0; i < a.poses.size(); ++i) EXPECT_EQ(a.poses[i].q, b.poses[i].q);
  EXPECT_EQ(a.sensors.size(), b.sensors.size());
  for (const Label& label : b.labels)
    EXPECT_TRUE(std::any_of(a.labels.begin(), a.labels.end(), [&](const Label& l) {
      return l.name == label.name && l.link == label.link && l.pos == label.pos;
    })) << label.name;
}

// Read, written and read by MuJoCo: the dynamics of the creature as it was read.
TEST(MjcfMujoco, WrittenFilesLoadToTheSameDynamics) {
  const Scratch scratch;
  const std::string written = scratch / "written.xml";
  for (const std::string& file : files_in(data)) {
    SCOPED_TRACE(file);
    const Creature creature = read_mjcf(file);
    write_mjcf(creature, written);
    const Errors e = compare(creature, written, 10);
    EXPECT_LT(e.mass, 1e-9);
    EXPECT_LT(e.bias, 1e-9);
    EXPECT_LT(e.acceleration, 1e-7);
    expect_same_parts(read_mjcf(written), creature);
  }
}

// Links in an order that MuJoCo does not keep, and joints that it has to make of several.
TEST(MjcfMujoco, WrittenLinksMayStandInAnyOrder) {
  const Scratch scratch;
  const std::string written = scratch / "written.xml";
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(k);
    Random random(11, std::uint64_t(k));
    Creature creature = random_creature(
        random, 2 + random.index(12),
        {JointType::hinge, JointType::slide, JointType::ball, JointType::universal, JointType::planar});
    for (Link& link : creature.links)
      for (Joint& joint : link.joints)
        if (joint.type == JointType::ball)
          for (Dof& dof : joint.dofs) dof.armature = joint.dofs[0].armature;
    complete(creature);
    const std::vector<double> q = random_positions(random, creature);
    creature.poses.push_back({"here", q});
    write_mjcf(creature, written);
    MujocoOracle oracle(written);
    ASSERT_TRUE(oracle);
    ASSERT_EQ(oracle.model().nv, creature.nv());
    const int key = mj_name2id(&oracle.model(), mjOBJ_KEY, "here");
    ASSERT_GE(key, 0);
    const mjtNum* qpos = oracle.model().key_qpos + key * oracle.model().nq;
    oracle.set({qpos, qpos + oracle.model().nq}, std::vector<double>(oracle.nv()));

    // our degree of freedom i is theirs at place[i]
    std::vector<std::size_t> place;
    for (const Link& link : creature.links)
      for (const Joint& joint : link.joints)
        for (std::size_t d = 0; d < joint.dofs.size(); ++d) {
          const bool round = joint.type == JointType::ball || joint.type == JointType::free;
          const int id =
              mj_name2id(&oracle.model(), mjOBJ_JOINT, (round ? joint.name : joint.dofs[d].name).c_str());
          ASSERT_GE(id, 0) << joint.dofs[d].name;
          place.push_back(std::size_t(oracle.model().jnt_dofadr[id]) + (round ? d : 0));
        }
    const Model<double> model = make_model(creature);
    Workspace<double> w(model);
    const std::size_t nv = oracle.nv();
    std::vector<double> M(nv * nv), theirs(nv * nv);
    update_positions(model, q.data(), w);
    mass_matrix(model, w, M.data());
    const std::vector<double> full = oracle.mass_matrix();
    for (std::size_t i = 0; i < nv; ++i)
      for (std::size_t j = 0; j < nv; ++j) theirs[i * nv + j] = full[place[i] * nv + place[j]];
    EXPECT_LT(relative_error(M, theirs), 1e-9);
  }
}

TEST(MjcfMujoco, WhatIsReadIsSound) {
  for (const std::string& folder : {data, std::string(LEGWORK_SOURCE_DIR) + "/bench/models"})
    for (const std::string& file : files_in(folder)) {
      Creature creature = read_mjcf(file);
      const double mass = creature.mass();
      const auto fault = error_of([&] { complete(creature), check(creature); });
      EXPECT_EQ(fault, "") << file;
      EXPECT_EQ(creature.mass(), mass) << file;
    }
}

TEST(MjcfMujoco, RangesAndReferencesAreTheSame) {
  for (const std::string& file : files_in(data)) {
    SCOPED_TRACE(file);
    MujocoOracle oracle(file);
    if (!oracle) continue;
    const Creature creature = read_mjcf(file);
    const mjModel& m = oracle.model();
    int j = 0;
    for (const Link& link : creature.links)
      for (const Joint& joint : link.joints) {
        const Dof& dof = joint.dofs[0];
        EXPECT_EQ(std::isfinite(dof.lower), bool(m.jnt_limited[j])) << joint.name;
        if (m.jnt_limited[j]) {
          EXPECT_NEAR(dof.lower, m.jnt_range[2 * j], 1e-12);
          EXPECT_NEAR(dof.upper, m.jnt_range[2 * j + 1], 1e-12);
        }
        EXPECT_NEAR(dof.damper, m.dof_damping[m.jnt_dofadr[j]], 1e-9 * dof.damper);
        EXPECT_NEAR(dof.spring.stiffness, m.jnt_stiffness[j], 1e-9 * dof.spring.stiffness);
        EXPECT_EQ(dof.armature, m.dof_armature[m.jnt_dofadr[j]]);
        ++j;
      }
    EXPECT_EQ(j, m.njnt);
  }
}

}  // namespace
}  // namespace legwork
