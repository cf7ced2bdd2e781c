#include "ground/contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/error.h>
#include "base/random.h"
#include "tests/ground/bodies.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

constexpr double g = 9.81;

std::string error_of(const std::string& spec) {
  return legwork::error_of([&] { parse_contact(spec); });
}

// The box on a slope, its lower face on the ground.
Trial box_on_slope(double angle, const std::string& contact, bool implicit) {
  Trial run(box_creature(), parse_contact(contact), slope_terrain(angle));
  run.implicit = implicit;
  run.q = {-0.05 * std::sin(angle), 0, 0.05 * std::cos(angle), std::cos(angle / 2), 0,
           -std::sin(angle / 2),    0};
  return run;
}
double uphill(const Trial& run, double angle) {
  return run.q[0] * std::cos(angle) + run.q[2] * std::sin(angle);
}
double uphill_speed(const Trial& run, double angle) {
  return run.v[0] * std::cos(angle) + run.v[2] * std::sin(angle);
}

// Random states; the lowest point touches the ground, to a depth of at most 1 mm.
void scatter(Trial& run, Random& random, double speed = 1) {
  for (int i = 0; i < 3; ++i) run.q[i] = random.uniform(-0.1, 0.1);
  for (int i = 3; i < 7; ++i) run.q[i] = random.normal();
  for (std::size_t i = 7; i < run.q.size(); ++i) run.q[i] = random.uniform(-1, 1);
  normalize_positions(run.model, run.q.data());
  for (double& v : run.v) v = speed * random.normal();
  const double wanted = random.uniform(0, 1e-3);
  for (int i = 0; i < 30; ++i) {
    run.update();
    clear_forces(run.model, run.w);
    add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-3, run.w, &run.record, nullptr);
    double deepest = -1e300;
    for (const auto& r : run.record) deepest = std::max(deepest, r.depth);
    if (deepest <= wanted && deepest > 0) break;
    run.q[2] += (deepest - wanted) / run.terrain.normal.z + 1e-6;
  }
  run.update();
}

TEST(Contact, ABodyRestsOneThousandthOfItsSizeDeep) {
  for (const char* type : {"linear", "exponential", "sticky"}) {
    SCOPED_TRACE(type);
    Trial run(box_creature({0.2, 0.2, 0.1}, 2), parse_contact(type), Terrain{});
    run.q[2] = 0.05;
    for (int i = 0; i < 3000; ++i) run.step(1e-3);
    double force = 0;
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(run.record[i].depth, 0.2e-3, 0.3e-5);
    for (const auto& r : run.record) force += r.force.z;
    EXPECT_NEAR(force, 2 * g, 1e-9);
    for (const double v : run.v) EXPECT_NEAR(v, 0, 1e-10);
  }
}

TEST(Contact, ABoxHoldsBelowTheFrictionAngleAndDoesNotCreep) {
  for (const char* type : {"linear", "exponential"})
    for (const bool implicit : {true, false}) {
      SCOPED_TRACE(std::string(type) + (implicit ? " implicit" : " explicit"));
      const double angle = 0.3, h = implicit ? 1e-3 : 2e-4;
      Trial run = box_on_slope(angle, std::string(type) + ":friction=0.32", implicit);  // tan 0.3 = 0.3093
      for (int i = 0; i < int(2 / h); ++i) run.step(h);
      const double before = uphill(run, angle);
      for (int i = 0; i < int(2 / h); ++i) run.step(h);
      EXPECT_LT(std::fabs(uphill(run, angle) - before), 1e-12);
    }
}

TEST(Contact, ABoxSlidesAboveTheFrictionAngleWithCoulombsAcceleration) {
  for (const char* type : {"linear", "exponential"})
    for (const bool implicit : {true, false}) {
      SCOPED_TRACE(std::string(type) + (implicit ? " implicit" : " explicit"));
      const double angle = 0.5, h = implicit ? 1e-3 : 2e-4;
      Trial run = box_on_slope(angle, std::string(type) + ":friction=0.4", implicit);
      for (int i = 0; i < int(0.5 / h); ++i) run.step(h);
      const double before = uphill_speed(run, angle);
      for (int i = 0; i < int(0.5 / h); ++i) run.step(h);
      EXPECT_NEAR((uphill_speed(run, angle) - before) / 0.5, -g * (std::sin(angle) - 0.4 * std::cos(angle)),
                  2e-3);
    }
}

TEST(Contact, ABallRollsWithoutSlipping) {
  Trial run(ball_creature(), {}, slope_terrain(0.2));
  run.q[0] = -0.1 * std::sin(0.2);
  run.q[2] = 0.1 * std::cos(0.2);
  for (int i = 0; i < 1000; ++i) run.step(1e-3);
  EXPECT_NEAR(uphill_speed(run, 0.2), -5.0 / 7 * g * std::sin(0.2), 1e-3);
  EXPECT_LT(run.record[0].slip, 1e-4);
}

TEST(Contact, AReboundGivesBackTheStatedShareOfEnergy) {
  for (const double share : {0.2, 0.5, 0.9})
    for (const char* type : {"linear", "exponential"}) {
      SCOPED_TRACE(std::string(type) + " " + std::to_string(share));
      ContactOptions options = parse_contact(type);
      options.restitution = share;
      Trial run(ball_creature(), options, Terrain{});
      run.implicit = false;
      run.q[2] = 0.6;
      bool touched = false, rising = false;
      double top = 0, deepest = 0;
      for (int i = 0; i < 200000 && !(rising && run.v[2] < 0); ++i) {
        run.step(1e-5);
        touched = touched || run.record[0].touching > 0;
        rising = rising || (touched && run.record[0].touching == 0);
        top = run.q[2];
        deepest = std::max(deepest, run.record[0].depth);
      }
      // the stored energy includes the height lost by sinking in, which has to be regained
      EXPECT_NEAR(top - 0.1, share * (0.5 + deepest) - deepest, 0.5 * 0.003);
    }
}

TEST(Contact, AnExponentialGroundMayAddALinearSpringAndHaveADeepestForce) {
  ContactOptions options = parse_contact("exponential:strength=2,sharpness=300,stiffness=500,friction=0");
  for (const double limit : {0.0, 0.004}) {
    options.deepest = limit;
    Trial run(ball_creature(), options, Terrain{});
    run.implicit = false;
    run.q[2] = 0.1 - 0.01;
    run.update();
    clear_forces(run.model, run.w);
    add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-5, run.w, &run.record, nullptr);
    const double depth = limit > 0 ? limit : 0.01;
    EXPECT_NEAR(run.record[0].force.z, 2 * (std::exp(300 * depth) - 1) + 500 * depth, 1e-9);
  }
}

TEST(Contact, NeverPullsAndStaysWithinTheFrictionCone) {
  Random random(11);
  for (const char* type : {"linear:friction=0.6", "exponential:friction=0.6"}) {
    Trial run(table_creature(), parse_contact(type), slope_terrain(0.2));
    const Vec3d n = run.terrain.normal;
    int touching = 0, sliding = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      scatter(run, random, 5);
      clear_forces(run.model, run.w);
      // with anchors from the state before, which lie anywhere
      add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-3, run.w, &run.record,
                         &run.state);
      for (const auto& r : run.record) {
        const double fn = dot(n, r.force), ft = norm(r.force - n * fn);
        EXPECT_GE(fn, -1e-12);
        EXPECT_LE(ft, 0.6 * fn * (1 + 1e-12) + 1e-12);
        if (r.touching == 0) EXPECT_EQ(norm(r.force), 0);
        touching += r.touching > 0;
        sliding += fn > 0 && ft > 0.599 * fn;
      }
    }
    EXPECT_GT(touching, 2000);
    EXPECT_GT(sliding, 500);
  }
}

TEST(Contact, AnImplicitStepNeverPullsAndKeepsTheCone) {
  for (const char* type : {"linear", "exponential"}) {
    SCOPED_TRACE(type);
    Trial run(table_creature(), parse_contact(type), Terrain{});
    run.joint_stiffness = 200;
    run.joint_damping = 2;
    run.q[2] = 0.3;
    run.v[0] = 1;
    int corrected = 0;
    for (int i = 0; i < 3000; ++i) {
      run.step(1e-3);
      for (const auto& r : run.record) {
        const double ft = std::hypot(r.force.x, r.force.y);
        EXPECT_GE(r.force.z, -1e-9);
        EXPECT_LE(ft, 0.8 * r.force.z * 1.1 + 1e-6);
        corrected += r.corrected > 0;
      }
    }
    EXPECT_GT(corrected, 0);
    for (const double v : run.v) EXPECT_NEAR(v, 0, 1e-9);
  }
}

TEST(Contact, FrictionMayBeEasierForwardThanBack) {
  for (const double direction : {1.0, -1.0}) {
    Trial run(box_creature(), parse_contact("linear:friction=0.1,friction_back=0.5,friction_side=0.3"),
              Terrain{});
    run.q[2] = 0.05 - 0.2e-3;
    run.v[0] = 2 * direction;
    for (int i = 0; i < 200; ++i) run.step(1e-3);
    EXPECT_NEAR(std::fabs(run.v[0]), 2 - (direction > 0 ? 0.1 : 0.5) * g * 0.2, 5e-3);
  }
  Trial run(box_creature(), parse_contact("linear:friction=0.1,friction_back=0.5,friction_side=0.3"),
            Terrain{});
  run.q[2] = 0.05 - 0.2e-3;
  run.v[1] = 2;
  for (int i = 0; i < 200; ++i) run.step(1e-3);
  EXPECT_NEAR(run.v[1], 2 - 0.3 * g * 0.2, 5e-3);
}

TEST(Contact, AStickyFootPullsUntilItBreaks) {
  Creature creature = ball_creature(0.05, 1);
  creature.contacts[0].foot = true;
  Trial run(creature, parse_contact("sticky:stick_strength=1,stick_sharpness=100,stick_break_force=20"),
            Terrain{});
  run.q[2] = 0.05 - 1e-5;
  run.step(1e-4);
  ASSERT_EQ(run.state.sites[0].stuck, 1);
  // lifted by hand: 1 N (e^(100 x) - 1) back, up to 20 N
  for (const double lift : {0.005, 0.01, 0.03}) {
    run.q[2] = 0.05 - 1e-5 + lift;
    run.v.assign(6, 0.0);
    run.update();
    clear_forces(run.model, run.w);
    add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-4, run.w, &run.record, nullptr);
    EXPECT_NEAR(run.record[0].force.z, -(std::exp(100 * lift) - 1), 1e-9);
  }
  run.q[2] = 0.05 + 0.031;  // e^3.1 - 1 = 21.2
  run.update();
  clear_forces(run.model, run.w);
  add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-4, run.w, &run.record, &run.state);
  EXPECT_EQ(norm(run.record[0].force), 0);
  EXPECT_EQ(run.state.sites[0].stuck, 0);
}

TEST(Contact, AStickyFootLetsGoWhenItsGripIsOff) {
  Creature creature = ball_creature(0.05, 1);
  creature.contacts[0].foot = true;
  Trial run(creature, parse_contact("sticky"), Terrain{});
  run.q[2] = 0.05 - 1e-5;
  run.step(1e-4);
  run.q[2] = 0.06;
  run.update();
  run.state.grip[0] = 0;
  clear_forces(run.model, run.w);
  add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-4, run.w, &run.record, &run.state);
  EXPECT_EQ(norm(run.record[0].force), 0);
  EXPECT_EQ(run.state.sites[0].stuck, 0);
}

TEST(Contact, AControllerCanTakeAPointOffTheGroundAndTheOthersCarryTheBody) {
  Trial run(box_creature({0.2, 0.2, 0.1}, 2), parse_contact("linear"), Terrain{});
  run.q[2] = 0.05;
  for (int i = 0; i < 200; ++i) run.step(1e-3);
  EXPECT_GT(run.record[0].force.z, 0);
  run.state.off[0] = 1;
  run.state.sites[0] = {};
  for (int i = 0; i < 200; ++i) {
    run.step(1e-3);
    EXPECT_EQ(norm(run.record[0].force), 0);
  }
  EXPECT_GT(run.record[1].force.z, 0);
  EXPECT_LT(run.record[0].depth, 1e-12);
}

TEST(Contact, EvaluationWithoutNextLeavesTheStateAlone) {
  Trial run = box_on_slope(0.3, "linear", true);
  for (int i = 0; i < 100; ++i) run.step(1e-3);
  const ContactState<double> before = run.state;
  run.v[0] += 3;
  run.update();
  add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-3, run.w, nullptr, nullptr);
  for (std::size_t i = 0; i < before.sites.size(); ++i) {
    EXPECT_EQ(run.state.sites[i].anchor, before.sites[i].anchor);
    EXPECT_EQ(run.state.sites[i].anchored, before.sites[i].anchored);
  }
}

TEST(Contact, ForcesAreTheSlopeOfTheEnergy) {
  // without velocity and friction the wrench on the box is minus the gradient of the stored energy
  Random random(5);
  for (const char* type : {"linear:friction=0", "exponential:friction=0"}) {
    Trial run(box_creature(), parse_contact(type), slope_terrain(0.1));
    for (int trial = 0; trial < 20; ++trial) {
      scatter(run, random);
      run.q[2] = -0.02;
      run.v.assign(6, 0.0);
      run.update();
      clear_forces(run.model, run.w);
      if (std::string(type)[0] == 'e')  // keep away from the largest exponent
        for (auto& s : run.contacts.sites) s.sharpness = 20;
      add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-3, run.w, nullptr, nullptr);
      const Wrench<double> f = run.w.f_ext[0];
      for (int j = 0; j < 6; ++j) {
        const double e = 1e-7;
        double energy[2];
        for (int side = 0; side < 2; ++side) {
          std::vector<double> v(6, 0.0), q(7);
          v[j] = 1;
          integrate_positions(run.model, run.q.data(), v.data(), side ? e : -e, q.data());
          update_positions(run.model, q.data(), run.w);
          energy[side] = contact_energy(run.model, run.contacts, run.terrain, run.state, run.w);
        }
        run.update();
        const Vec3d moment = transpose_times(run.w.R[0], f.ang);
        const double expected = j < 3 ? f.lin[j] : moment[j - 3];
        EXPECT_NEAR(-(energy[1] - energy[0]) / (2 * e), expected, 1e-5 * (1 + std::fabs(expected)));
      }
    }
  }
}

TEST(Contact, EveryBodyOfAWorldHasItsOwnLaw) {
  Creature world = box_creature({0.2, 0.2, 0.1}, 2);
  Creature small = box_creature({0.02, 0.02, 0.01}, 0.001);
  world.links.push_back(small.links[0]);
  for (ContactPoint c : small.contacts) {
    c.link = 1;
    world.contacts.push_back(c);
  }
  const Contacts<double> contacts = make_contacts(world, {});
  EXPECT_NEAR(contacts.sites[0].stiffness, 2 * g / 4 / 0.2e-3, 1e-6);
  EXPECT_NEAR(contacts.sites[8].stiffness, 0.001 * g / 4 / 0.02e-3, 1e-9);
}

// A file in centimetres and grams brings 981; a world's gravity is none of the ground's business.
TEST(Contact, TheGroundIsMadeForTheGravityOfTheBodysFile) {
  Creature body = box_creature({0.2, 0.2, 0.1}, 2);
  const double earth = make_contacts(body, {}).sites[0].stiffness;
  body.gravity = {0, 0, -981};
  EXPECT_NEAR(make_contacts(body, {}).sites[0].stiffness, 100 * earth, 1e-9 * earth);
  body.gravity = {0, 0, -1.62};
  EXPECT_EQ(make_contacts(body, {}).sites[0].stiffness, earth);
}

// Eight tables of different masses and soles as a batch, which takes the steps that Trial takes.
struct BatchTrial {
  Model<Batch> model;
  Contacts<Batch> sites;
  const Terrain& terrain;
  bool implicit;
  ContactState<Batch> state;
  ContactRecord<Batch> record;
  Workspace<Batch> w;
  std::vector<Batch> q, v, tau, qdd;

  BatchTrial(const std::vector<const Creature*>& creatures, const ContactOptions& options,
             const Terrain& ground, bool is_implicit)
      : model(make_batch_model(creatures)),
        sites(make_batch_contacts(creatures, options)),
        terrain(ground),
        implicit(is_implicit),
        state(sites),
        record(sites.sites.size()),
        w(model),
        q(model.nq),
        v(model.nv),
        tau(model.nv, Batch(0)),
        qdd(model.nv) {}

  void step(double h) {
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
    clear_forces(model, w);
    w.implicit = implicit;
    add_contact_forces(model, sites, terrain, state, Batch(h), w, &record, &state);
    forward_dynamics(model, tau.data(), w, qdd.data());
    if (implicit)
      for (int pass = 0; pass < max_contact_passes && any(correct_contacts(sites, w, record)); ++pass)
        forward_dynamics(model, tau.data(), w, qdd.data());
    complete_contact_record(sites, w, record);
    for (int j = 0; j < model.nv; ++j) v[j] += Batch(h) * qdd[j];
    integrate_positions(model, q.data(), v.data(), Batch(h), q.data());
  }

  // Every bit of motion, record and memory.
  void expect_lane(int lane, const Trial& run) const {
    for (int i = 0; i < model.nq; ++i) EXPECT_EQ(q[i][lane], run.q[i]);
    for (int i = 0; i < model.nv; ++i) EXPECT_EQ(v[i][lane], run.v[i]);
    for (std::size_t i = 0; i < record.size(); ++i) {
      EXPECT_EQ(record[i].depth[lane], run.record[i].depth);
      EXPECT_EQ(record[i].touching[lane], run.record[i].touching);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(record[i].force[k][lane], run.record[i].force[k]);
        EXPECT_EQ(state.sites[i].anchor[k][lane], run.state.sites[i].anchor[k]);
        EXPECT_EQ(state.sites[i].point[k][lane], run.state.sites[i].point[k]);
      }
      EXPECT_EQ(state.sites[i].stuck[lane], run.state.sites[i].stuck);
    }
  }
};

void compare_batch_with_scalars(const ContactOptions& options, const Terrain& terrain, bool implicit,
                                Random& random) {
  std::vector<Creature> creatures(8, table_creature());
  std::vector<const Creature*> pointers;
  for (int lane = 0; lane < 8; ++lane) {
    creatures[lane].links[0].mass *= 1 + 0.1 * lane;
    creatures[lane].contacts[0].radius = 0.005 * lane;
    pointers.push_back(&creatures[lane]);
  }
  BatchTrial batch(pointers, options, terrain, implicit);
  std::vector<Trial> runs;
  for (int lane = 0; lane < 8; ++lane) {
    runs.emplace_back(creatures[lane], options, terrain);
    runs[lane].implicit = implicit;
  }
  for (int lane = 0; lane < 8; ++lane) {
    scatter(runs[lane], random);
    for (int i = 0; i < batch.model.nq; ++i) batch.q[i].set(lane, runs[lane].q[i]);
    for (int i = 0; i < batch.model.nv; ++i) batch.v[i].set(lane, runs[lane].v[i]);
  }
  const double h = implicit ? 1e-3 : 1e-6;
  for (int step = 0; step < 60; ++step) {
    batch.step(h);
    for (Trial& run : runs) run.step(h);
  }
  for (int lane = 0; lane < 8; ++lane) batch.expect_lane(lane, runs[lane]);
}

TEST(Contact, ABatchHasTheBitsOfEightScalars) {
  Random random(21);
  const char* contacts[] = {"linear", "linear:friction=0.3,friction_back=0.9,friction_side=0.5",
                            "exponential", "sticky",
                            "linear:restitution=0.3,friction_axis=link,friction_back=1"};
  for (const char* contact : contacts)
    for (const char* ground : {"plane", "slope:10deg", "steps:0.02,0.05", "rough:0.02,0.3"})
      for (const bool implicit : {true, false}) {
        SCOPED_TRACE(std::string(contact) + " " + ground + (implicit ? " implicit" : " explicit"));
        compare_batch_with_scalars(parse_contact(contact), parse_terrain(ground), implicit, random);
      }
}

TEST(ContactOptions, ATextReadsBackToTheSameOptions) {
  for (const char* spec : {"linear", "exponential:strength=17.5,sharpness=3000,restitution=0.5,friction=0.7",
                           "sticky:friction=0.2,friction_axis=link,stick_strength=0.001"}) {
    const ContactOptions options = parse_contact(spec);
    const std::string text = to_text(options);
    EXPECT_EQ(to_text(parse_contact(text)), text);
    EXPECT_EQ(parse_contact(text).friction, options.friction);
    EXPECT_EQ(parse_contact(text).strength, options.strength);
    EXPECT_EQ(parse_contact(text).type, options.type);
  }
  EXPECT_EQ(to_text(ContactOptions{}), "linear");
}

TEST(ContactOptions, SayWhatIsWrong) {
  EXPECT_EQ(error_of("linaer"), "contact 'linaer': unknown contact 'linaer'; did you mean 'linear'?");
  EXPECT_EQ(error_of("linear:fricton=1"),
            "contact 'linear:fricton=1': unknown key 'fricton'; did you mean 'friction'?");
  EXPECT_EQ(error_of("linear:friction"),
            "contact 'linear:friction': 'friction' has no value; try linear:friction=0.5");
  EXPECT_EQ(error_of("linear:friction=much"),
            "contact 'linear:friction=much': friction: 'much' is not a number");
  EXPECT_EQ(error_of("linear:friction=-1"), "contact 'linear:friction=-1': friction: -1 is outside 0 .. 100");
}

}  // namespace
}  // namespace legwork
