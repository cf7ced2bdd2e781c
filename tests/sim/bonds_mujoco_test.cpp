// Dry friction, couplings, tendons and drag beside MuJoCo, on bodies of our own (tests/data/mjcf/bonds).

#include "creature/complete.h"
#include "formats/mjcf/mjcf.h"
#include "formats/mjcf/mjcf_write.h"
#include "sim/simulation.h"
#include "tests/scenes/mujoco_oracle.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const std::string data = std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/bonds/";

World world_of(const std::string& file) {
  World world;
  world.body = read_mjcf(file);
  world.gravity = world.body.gravity;
  world.terrain = no_terrain();
  if (!world.body.habitat.water.empty()) world.water = parse_medium(world.body.habitat.water);
  complete(world.body);
  return world;
}

// What MuJoCo keeps of inertias is rounded to 1e-8; here the forces count, so ours become its own.
void take_inertias(const mjModel& m, Creature& creature) {
  for (int b = 1; b < m.nbody; ++b) {
    const mjtNum *q = m.body_iquat + 4 * b, *i = m.body_inertia + 3 * b;
    creature.links[std::size_t(b - 1)].inertia =
        rotate(matrix(Quatd{q[0], q[1], q[2], q[3]}), Sym3d::diagonal(i[0], i[1], i[2]));
  }
}

// Accelerations of one explicit evaluation: no step looks ahead.
std::vector<double> acceleration(const System<double>& system, const std::vector<double>& q,
                                 const std::vector<double>& v, double dt = 1e-6) {
  Simulation<double> sim(system, {.integrator = Integrator::euler, .dt = dt});
  sim.reset(q, v);
  sim.state.drive.target.assign(sim.state.drive.target.size(), 0.0);
  sim.probe();
  return sim.qdd;
}

TEST(Bonds, MassBiasAndPassiveForcesAreMujocos) {
  for (const char* name : {"friction.xml", "coupled.xml", "tendons.xml", "fluid.xml"}) {
    SCOPED_TRACE(name);
    MujocoOracle oracle(data + name);
    ASSERT_TRUE(oracle);
    World world = world_of(data + name);
    take_inertias(oracle.model(), world.body);
    for (Link& link : world.body.links)
      for (Joint& joint : link.joints)
        for (Dof& dof : joint.dofs) dof.friction = 0, dof.lower = -unlimited, dof.upper = unlimited;
    world.body.couplings.clear();
    world.body.loops.clear();
    world.body.actuators.clear();
    const System<double> system = make_system(world);
    Workspace<double> w(system.model);
    const std::size_t nv = oracle.nv();
    std::vector<double> M(nv * nv), bias(nv);
    Random random(3);
    for (int i = 0; i < 40; ++i) {
      const std::vector<double> q = random_configuration(random, world.body);
      const std::vector<double> v = i == 0 ? std::vector<double>(nv) : random_speeds(random, world.body, 3);
      oracle.set(q, v);
      update_positions(system.model, q.data(), w);
      update_velocities(system.model, q.data(), v.data(), w);
      clear_forces(system.model, w);
      mass_matrix(system.model, w, M.data());
      inverse_dynamics(system.model, static_cast<const double*>(nullptr), w, bias.data());
      EXPECT_LT(relative_error(M, oracle.mass_matrix()), 1e-9);
      EXPECT_LT(relative_error(bias, oracle.bias()), 1e-9);
      // M qdd + bias = passive
      const std::vector<double> qdd = acceleration(system, q, v);
      std::vector<double> passive(nv), theirs(oracle.data().qfrc_passive, oracle.data().qfrc_passive + nv);
      for (std::size_t r = 0; r < nv; ++r) {
        passive[r] = bias[r];
        for (std::size_t c = 0; c < nv; ++c) passive[r] += M[r * nv + c] * qdd[c];
        EXPECT_NEAR(passive[r], theirs[r], 1e-6) << r;
      }
    }
  }
}

TEST(Bonds, ActuatorsPullTendonsAlike) {
  MujocoOracle oracle(data + "tendons.xml");
  World world = world_of(data + "tendons.xml");
  oracle.model().opt.disableflags &= ~mjDSBL_ACTUATION;
  const System<double> system = make_system(world);
  ASSERT_EQ(int(system.actuators.size()), oracle.model().nu);
  Workspace<double> w(system.model);
  TendonState<double> tendons;
  tendons.size(system.tendons, system.model);
  std::vector<double> x(oracle.nv()), tau(oracle.nv()), target(system.actuators.size());
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    const std::vector<double> q = random_configuration(random, world.body);
    const std::vector<double> v = random_speeds(random, world.body, 3);
    for (double& t : target) t = random.uniform(-3, 3);
    std::copy(target.begin(), target.end(), oracle.data().ctrl);
    oracle.set(q, v);
    update_positions(system.model, q.data(), w);
    update_velocities(system.model, q.data(), v.data(), w);
    clear_forces(system.model, w);
    joint_positions(system.joints, q.data(), x.data());
    update_tendons(system.tendons, system.model, x.data(), v.data(), w, tendons);
    std::fill(tau.begin(), tau.end(), 0.0);
    add_actuator_forces(system.actuators, target.data(), x.data(), v.data(), 0.0, w, tau.data(), nullptr,
                        {&system.tendons, &tendons});
    const double* f = oracle.data().qfrc_actuator;
    EXPECT_LT(relative_error(tau, {f, f + oracle.nv()}), 1e-9);
    for (std::size_t t = 0; t < system.tendons.size(); ++t)
      EXPECT_NEAR(tendons.length[t], oracle.data().ten_length[t], 1e-9);
  }
}

// Where all joints slide, MuJoCo's soft friction is at its bound too.
TEST(Bonds, SlidingJointsAreSlowedAlike) {
  MujocoOracle oracle(data + "friction.xml");
  World world = world_of(data + "friction.xml");
  take_inertias(oracle.model(), world.body);
  for (Link& link : world.body.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) dof.lower = -unlimited, dof.upper = unlimited;
  mjModel& m = oracle.model();
  m.opt.disableflags = mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_EQUALITY;
  const System<double> system = make_system(world);
  Random random(7);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const std::vector<double> q = random_configuration(random, world.body);
    std::vector<double> v = random_speeds(random, world.body, 3);
    for (double& x : v) x += x < 0 ? -3 : 3;
    oracle.set(q, v);
    for (int r = 0; r < oracle.data().nefc; ++r)
      EXPECT_NEAR(std::fabs(oracle.data().efc_force[r]), oracle.data().efc_frictionloss[r], 1e-9);
    EXPECT_LT(relative_error(acceleration(system, q, v), oracle.acceleration()), 1e-6);
    ++compared;
  }
  EXPECT_EQ(compared, 60);
}

// At rest MuJoCo's soft friction creeps; what rigid friction holds follows from its mass matrix and forces:
// the least of f A f / 2 + f a within the friction's bounds, A the inverse of M and a the acceleration
// without f.
TEST(Bonds, JointsAtRestAreHeldByTheForcesThatMujocosMassMatrixAsksFor) {
  MujocoOracle oracle(data + "friction.xml");
  World world = world_of(data + "friction.xml");
  take_inertias(oracle.model(), world.body);
  for (Link& link : world.body.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) dof.lower = -unlimited, dof.upper = unlimited;
  const mjModel& m = oracle.model();
  const System<double> system = make_system(world);
  const std::size_t nv = oracle.nv();
  Random random(11);
  int held = 0, slid = 0;
  for (int i = 0; i < 40; ++i) {
    const std::vector<double> q = random_configuration(random, world.body), v(nv);
    oracle.set(q, v);
    std::vector<double> A(nv * nv), unit(nv), f(nv);
    for (std::size_t k = 0; k < nv; ++k) {
      std::fill(unit.begin(), unit.end(), 0.0), unit[k] = 1;
      mj_solveM(&m, &oracle.data(), &A[k * nv], unit.data(), 1);
    }
    const std::vector<double> free = oracle.acceleration();
    for (int round = 0; round < 5000; ++round)
      for (std::size_t k = 0; k < nv; ++k) {
        double a = free[k];
        for (std::size_t c = 0; c < nv; ++c) a += A[k * nv + c] * f[c];
        f[k] = std::clamp(f[k] - a / A[k * nv + k], -m.dof_frictionloss[k], m.dof_frictionloss[k]);
      }
    const std::vector<double> qdd = acceleration(system, q, v);
    for (std::size_t k = 0; k < nv; ++k) {
      double a = free[k];
      for (std::size_t c = 0; c < nv; ++c) a += A[k * nv + c] * f[c];
      EXPECT_NEAR(qdd[k], a, 1e-6);
      ++(std::fabs(a) < 1e-9 ? held : slid);
    }
  }
  EXPECT_GT(held, 20);
  EXPECT_GT(slid, 20);
}

// Friction holds every joint of the linkage, and most equations of its pins follow from the others: it falls
// as one piece, and its pins stay where they are.
TEST(Bonds, AHeldLinkageFallsAsOnePiece) {
  const World world = world_of(data + "linkage.xml");
  const System<double> system = make_system(world);
  for (const Integrator integrator : {Integrator::implicit, Integrator::rk4}) {
    SCOPED_TRACE(to_string(integrator));
    Simulation<double> sim(system, {.integrator = integrator, .dt = 1e-3});
    sim.reset();
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
    EXPECT_NEAR(sim.state.v[2], -9.81 * 0.5, 1e-9);
    for (std::size_t i = 3; i < sim.state.v.size(); ++i) EXPECT_NEAR(sim.state.v[i], 0, 1e-9);
    // nods: the joints slide, the pins hold
    sim.reset();
    for (std::size_t i = 6; i < sim.state.v.size(); ++i) sim.state.v[i] = i == 7 ? 0.0 : 3.0;
    sim.refresh();
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
    for (const Loop& loop : world.body.loops) EXPECT_LT(loop_gap(loop, sim.w), 1.1e-5);
  }
}

// MuJoCo's equalities are soft; ours hold. The force that a rigid equation needs follows from MuJoCo's own
// mass matrix, forces and Jacobian by a dense solve: (J M^-1 J^T) f = -J M^-1 (passive - bias) at rest.
TEST(Bonds, CouplingsNeedTheForcesOfMujocosJacobian) {
  MujocoOracle oracle(data + "coupled.xml");
  World world = world_of(data + "coupled.xml");
  take_inertias(oracle.model(), world.body);
  mjModel& m = oracle.model();
  m.opt.disableflags = mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_ACTUATION | mjDSBL_FRICTIONLOSS;
  m.opt.jacobian = mjJAC_DENSE;
  const System<double> system = make_system(world);
  const std::size_t nv = oracle.nv();
  Random random(9);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> q = random_configuration(random, world.body);
    ASSERT_LT(close_loops(system.model, {}, q, world.body.couplings), 1e-12);
    const std::vector<double> v(nv);
    oracle.set(q, v);
    const mjData& d = oracle.data();
    const std::size_t n = std::size_t(d.nefc);
    ASSERT_EQ(n, 3u);
    for (std::size_t r = 0; r < n; ++r) EXPECT_NEAR(d.efc_pos[r], 0, 1e-9);
    // responses M^-1 J^T
    std::vector<double> Y(n * nv), smooth(nv), free(nv);
    for (std::size_t r = 0; r < n; ++r) mj_solveM(&m, &oracle.data(), &Y[r * nv], d.efc_J + r * nv, 1);
    for (std::size_t k = 0; k < nv; ++k) smooth[k] = d.qfrc_passive[k] - d.qfrc_bias[k];
    mj_solveM(&m, &oracle.data(), free.data(), smooth.data(), 1);
    double A[3][4];
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) {
        A[r][c] = 0;
        for (std::size_t k = 0; k < nv; ++k) A[r][c] += d.efc_J[r * nv + k] * Y[c * nv + k];
      }
      A[r][3] = 0;
      for (std::size_t k = 0; k < nv; ++k) A[r][3] -= d.efc_J[r * nv + k] * free[k];
    }
    for (int p = 0; p < 3; ++p)
      for (int r = 0; r < 3; ++r) {
        if (r == p) continue;
        const double factor = A[r][p] / A[p][p];
        for (int c = 0; c < 4; ++c) A[r][c] -= factor * A[p][c];
      }
    std::vector<double> theirs = free;
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t k = 0; k < nv; ++k) theirs[k] += Y[r * nv + k] * A[r][3] / A[r][r];
    Simulation<double> sim(system, {.integrator = Integrator::euler, .dt = 1e-3});
    sim.reset(q, v);
    sim.probe();
    EXPECT_LT(relative_error(sim.qdd, theirs), 1e-6);
    for (std::size_t r = 0; r < n; ++r)
      EXPECT_NEAR(sim.constraints.lambda[r], A[r][3] / A[r][r],
                  1e-6 * (1 + std::fabs(sim.constraints.lambda[r])));
  }
}

// Largest difference of the coordinates after two seconds of falling and swinging.
double drift(const std::string& name, Integrator integrator, double dt, const std::vector<double>& q,
             const std::vector<double>& v, int disabled) {
  MujocoOracle oracle(data + name);
  mjModel& m = oracle.model();
  m.opt.disableflags = disabled;
  m.opt.timestep = dt;
  m.opt.integrator = integrator == Integrator::rk4 ? mjINT_RK4 : mjINT_EULER;
  World world = world_of(data + name);
  take_inertias(m, world.body);
  for (Link& link : world.body.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) dof.lower = -unlimited, dof.upper = unlimited;
  world.body.actuators.clear();
  const System<double> system = make_system(world);
  Simulation<double> sim(system, {.integrator = integrator, .dt = dt});
  sim.reset(q, v);
  oracle.set(q, v);
  double worst = 0;
  for (int i = 0; i < int(2 / dt + 0.5); ++i) {
    mj_step(&m, &oracle.data());
    EXPECT_TRUE(sim.step());
    for (int k = 0; k < m.nq; ++k)
      worst = std::max(worst, std::fabs(sim.state.q[std::size_t(k)] - oracle.data().qpos[k]));
  }
  return worst;
}

TEST(Bonds, TwoSecondsOfFallingAndSwingingAreMujocos) {
  const int off = mjDSBL_ACTUATION | mjDSBL_LIMIT | mjDSBL_CONTACT;
  EXPECT_LT(drift("tendons.xml", Integrator::rk4, 2e-4, {0.2, 0.4, -0.3, 0.5, 0.1}, {1, -1, 0.5, 2, -1}, off),
            1e-6);
  EXPECT_LT(drift("fluid.xml", Integrator::rk4, 2e-4, {0, 0, 1, 1, 0, 0, 0, 0.5, -0.4},
                  {1, 0.5, 0, 2, 1, -1, 3, -2}, off),
            1e-6);
  // soft friction and soft equalities of MuJoCo against ours that hold
  EXPECT_LT(
      drift("friction.xml", Integrator::implicit, 1e-4, {0.2, -1, 0.5, 0.3, 0.1}, {2, 1, -2, 3, 0.3}, off),
      2e-2);
  const Creature coupled = read_mjcf(data + "coupled.xml");
  std::vector<double> q = coupled.pose("");
  close_loops(make_model(coupled), {}, q, coupled.couplings);
  EXPECT_LT(
      drift("coupled.xml", Integrator::rk4, 1e-4, q, std::vector<double>(std::size_t(coupled.nv())), off),
      1e-2);
}

TEST(Bonds, AreWrittenAsTheyWereRead) {
  const Scratch scratch;
  const std::string written = scratch / "written.xml";
  for (const char* name : {"friction.xml", "coupled.xml", "tendons.xml"}) {
    SCOPED_TRACE(name);
    const Creature a = read_mjcf(data + name);
    write_mjcf(a, written);
    MujocoOracle oracle(written);
    ASSERT_TRUE(oracle);
    const Creature b = read_mjcf(written);
    for (std::size_t i = 0; i < a.dofs().size(); ++i) EXPECT_EQ(a.dofs()[i]->friction, b.dofs()[i]->friction);
    ASSERT_EQ(a.couplings.size(), b.couplings.size());
    for (std::size_t i = 0; i < a.couplings.size(); ++i) {
      EXPECT_EQ(a.couplings[i].terms.size(), b.couplings[i].terms.size());
      for (std::size_t k = 0; k < 5; ++k)
        EXPECT_NEAR(a.couplings[i].polynomial[k], b.couplings[i].polynomial[k], 1e-15);
    }
    for (std::size_t i = 0; i < a.tendons.size(); ++i) {
      EXPECT_EQ(a.tendons[i].name, b.tendons[i].name);
      EXPECT_EQ(a.tendons[i].stiffness, b.tendons[i].stiffness);
      EXPECT_EQ(a.tendons[i].points.size(), b.tendons[i].points.size());
    }
    EXPECT_EQ(a.actuators.size(), b.actuators.size());
  }
}

}  // namespace
}  // namespace legwork
