#include "corpus/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <legwork/files.h>
#include "base/random.h"
#include "corpus/command.h"
#include "corpus/script.h"
#include "creature/place.h"
#include "formats/file.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/same.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const std::string examples = LEGWORK_CREATURES_DIR "/../examples/";

CorpusRun run(const std::string& text, const CorpusOptions& options = {}) {
  return run_corpus(text, "test.corpus", options);
}

std::string error(const std::string& text) {
  return error_of([&] { run(text); });
}

// One free body of 1 kg at height 10.
const std::string cube =
    "addworld w\nground off\naddcorpus block\nget block from unit_cubeb\nscale block .1 .1 .1\n"
    "addbody block block 0 0 1 rotary 1000\nsetroot block\ncorpusinit\nmove block 0 0 10\nsetrootpos\n";

// A pendulum: an arm of length 1 on a fixed post, turning about y.
const std::string pendulum =
    "addworld w\nground off\naddcorpus p\nget post from unit_cubeb\nget arm from unit_cubeb\nscale post .1 "
    ".1 .1\n"
    "scale arm .02 .02 1\nmove arm 0 0 -.5\naddbody post post 0 0 1 rotary 1000\naddbody arm arm 0 1 0 "
    "rotary 1000\n"
    "linkbodies post arm\nsetroot post\ncorpusinit\nrootmotion fixed\n";

TEST(Corpus, KnowsEveryCommandOfAppendixD) {
  for (const char* name :
       {"premult", "postmult", "localxforms", "xformcenter", "get", "closeobj", "pushobj", "popobj", "init",
        "scale", "center", "move", "rotate", "rotateaxis", "addroach", "setroach", "metabolism", "speed",
        "deltaspeed", "incrspeed", "topspeed", "bottomspeed", "prottime", "rettime", "cycletime", "dlegtime",
        "gaitgo", "gaitinit", "procom", "retcom", "stepreflex", "legstepreflex", "loadreflex",
        "legloadreflex", "legstatus", "addworld", "setworld", "alarm", "timer", "timerflush", "addcorpus",
        "setcorpus", "corpusinit", "addbody", "addpart", "setroot", "setjointp", "bodygroundstick", "maxv",
        "addv", "setrootmatrix", "setrootpos", "updatev", "linkbodies", "integrate", "go", "motor",
        "jointmatchexp", "joint", "jointstatus", "rootmotion", "totalmass", "dumps", "loads", "dumpQs",
        "dumpas", "loadas", "dumpmotors", "loadmotors", "dumpcontacts", "loadcontacts", "dumpcontactforces",
        "dumpmatcorpus", "iter", "dt", "h", "eps", "time", "integration", "setgrav", "grav", "ground",
        "groundtype", "groundkrf", "groundk", "grounde", "groundfric", "groundfric2", "groundfric2k",
        "groundfric2e", "groundb", "groundea", "groundeB", "groundstickeA", "groundstickeB",
        "groundstickemaxz", "groundsticke", "groundz", "collide", "collision", "collisionanalysis",
        "collisone", "collisionfric", "collisonea", "collisoneB", "collisionemaxz", "addrigrd", "attach",
        // and what the script of appendix C uses beside
        "groundemaxz", "!"})
    EXPECT_NE(find_corpus_command(name), nullptr) << name;
}

// The list in docs/corpus.md is the table's.
TEST(Corpus, TheReferenceIsInTheManual) {
  const std::string manual = read_file(LEGWORK_CREATURES_DIR "/../docs/corpus.md");
  EXPECT_NE(manual.find(corpus_reference()), manual.npos)
      << "docs/corpus.md lags behind the table of commands; put this in it:\n"
      << corpus_reference();
}

TEST(Corpus, ABodyFallsByGravity) {
  const CorpusRun r = run(cube + "integration rkfixed\ndt .01\nh .001\nrecord 100\nsetgrav 5\ngo 100\n");
  ASSERT_EQ(r.motion.status, Status::ok);
  ASSERT_EQ(r.motion.frames(), 101);
  EXPECT_NEAR(r.motion.time.back(), 1, 1e-12);
  EXPECT_NEAR(r.motion.creature.mass(), 1, 1e-12);
  EXPECT_NEAR(r.motion.q[100 * 7 + 2], 10 - 0.5 * 5, 1e-9);
}

TEST(Corpus, APendulumSwingsWithItsPeriod) {
  // a uniform rod about its end, small swings: T = 2 pi sqrt(2 l / 3 g)
  const double period = 2 * M_PI * std::sqrt(2.0 / (3 * 9.8));
  const CorpusRun r = run(pendulum + "joint arm q 0.01\nintegration rkfixed\ndt " +
                          std::to_string(period / 400) + "\nh .0005\nrecord 1e6\ngo 400\n");
  ASSERT_EQ(r.motion.status, Status::ok);
  const double start = r.motion.q.front(), end = r.motion.q.back();
  EXPECT_EQ(r.motion.creature.nq(), 1);
  EXPECT_NEAR(end, start, 1e-5);
  EXPECT_NEAR(r.motion.q[200], -start, 1e-5);
}

TEST(Corpus, TransformsComposeAsTheThesisHasThem) {
  // after each other in fixed axes: the limb is moved, then stretched, then turned
  const std::string build =
      "addcorpus c\nget a from unit_cubeb\nget b from unit_cubeb\naddbody a a 0 0 1 rotary 1\n";
  const World w = run(build +
                      "postmult\nmove b 0 .5 0\nscale b .1 .4 .2\naddbody b b 0 0 1 rotary 1\nrotate b x "
                      "90\nmove b 1 2 3\n"
                      "linkbodies a b\nsetroot a\ncorpusinit\n")
                      .world;
  const Link& b = w.body.links[1];
  EXPECT_EQ(b.shapes[0].size, Vec3d(.1, .4, .2));
  EXPECT_EQ(b.shapes[0].pos, Vec3d(0, .2, 0));
  EXPECT_EQ(b.pos, Vec3d(1, 2, 3));
  const Vec3d y = matrix(b.rot) * Vec3d(0, 1, 0);
  EXPECT_NEAR(norm(y - Vec3d(0, 0, 1)), 0, 1e-12);
  // before the earlier ones: in the object's own axes
  const World v = run(build +
                      "addbody b b 0 0 1 rotary 1\npremult\nmove b 1 2 3\nrotate b x 90\nmove b 0 5 0\n"
                      "linkbodies a b\nsetroot a\ncorpusinit\n")
                      .world;
  EXPECT_NEAR(norm(v.body.links[1].pos - Vec3d(1, 2, 8)), 0, 1e-12);
}

TEST(Corpus, AStretchedSphereIsAnEllipsoidAndAShearedBoxAMesh) {
  const World w = run("addcorpus c\nget a from unit_sphere\nscale a 1 2 3\naddbody a a 0 0 1 rotary 1000\n"
                      "get b from unit_cube\nrotate b z 45\nscale b 1 2 1\naddbody b b 0 0 1 rotary 1000\n"
                      "linkbodies a b\nsetroot a\ncorpusinit\n")
                      .world;
  EXPECT_EQ(w.body.links[0].shapes[0].type, ShapeType::ellipsoid);
  EXPECT_NEAR(w.body.links[0].mass, 1000 * 4.0 / 3 * M_PI * 0.5 * 1 * 1.5, 1e-6);
  EXPECT_EQ(w.body.links[1].shapes[0].type, ShapeType::mesh);
  EXPECT_NEAR(w.body.links[1].mass, 2000, 1e-6);
}

TEST(Corpus, TheRoachIsThatOfTheCreatureFile) {
  const Creature script = load_creature(examples + "roach_body.corpus"), file = load_creature("roach");
  ASSERT_EQ(script.links.size(), file.links.size());
  EXPECT_EQ(script.nv(), 38);
  EXPECT_NEAR(script.mass(), 2.1755e-3, 1e-7);
  EXPECT_NEAR(script.mass(), file.mass(), 1e-12);
  const char* parts[] = {"_coxa", "_femur", "_tibia", "_ankle", "_tarsus"};
  const auto match = [&](const std::string& name) {
    if (name.rfind("leg_", 0) != 0) return name;
    const std::string row = name[4] == 'f' ? "f" : name[4] == 'm' ? "m" : "h";
    return std::string(1, name[5]) + row + parts[name[6] - '0'];
  };
  for (const Link& a : script.links) {
    SCOPED_TRACE(a.name);
    const int i = file.link(match(a.name));
    ASSERT_GE(i, 0);
    const Link& b = file.links[i];
    EXPECT_NEAR(a.mass, b.mass, 1e-12);
    EXPECT_NEAR(norm(a.com - b.com), 0, a.name == "head" ? 3e-5 : 1e-9);  // the head's slip is mended here
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.inertia(j, k), b.inertia(j, k), 1e-16);
    if (a.parent < 0) continue;
    EXPECT_NEAR(norm(a.pos - b.pos), 0, 1e-12);
    const Mat3d turn = matrix(a.rot), other = matrix(b.rot);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(norm(turn.column(j) - other.column(j)), 0, 1e-8);
    // mirrored joints turn the other way round
    const double sign = dot(a.joints[0].axes[0], b.joints[0].axes[0]) < 0 ? -1 : 1;
    EXPECT_NEAR(norm(a.joints[0].axes[0] - b.joints[0].axes[0] * sign), 0, 1e-8);
    const Dof &p = a.joints[0].dofs[0], &q = b.joints[0].dofs[0];
    EXPECT_EQ(p.spring.type, q.spring.type);
    EXPECT_NEAR(p.spring.stiffness / q.spring.stiffness, 1, 1e-5);
    EXPECT_EQ(p.spring.sharpness, q.spring.sharpness);
    EXPECT_NEAR(p.spring.rest, q.spring.rest * sign, 1e-12);
    EXPECT_NEAR(p.damper / q.damper, 1, 1e-5);
  }
  ASSERT_EQ(script.legs.size(), 6u);
  for (const Leg& a : script.legs) {
    SCOPED_TRACE(a.name);
    const std::string name = std::string(1, a.name[1]) + (a.name[0] == 'b' ? 'h' : a.name[0]);
    bool found = false;
    for (const Leg& b : file.legs) {
      if (b.name != name) continue;
      found = true;
      EXPECT_EQ(a.side, b.side);
      ASSERT_EQ(a.step.size(), b.step.size());
      for (std::size_t i = 0; i < a.step.size(); ++i) {
        EXPECT_NEAR(std::fabs(a.step[i].to), std::fabs(b.step[i].to), 1e-12);
        EXPECT_NEAR(a.step[i].end, b.step[i].end, 1e-9);
      }
    }
    EXPECT_TRUE(found);
  }
  // from the tail to the tip of the head
  Box box;
  const std::vector<LinkFrame> frames = place(script, script.pose("stand"));
  for (const char* name : {"abdomen", "thorax", "head"}) {
    const int i = script.link(name);
    extend(box, bounding_box(script.links[i].shapes[0], frames[i].R, frames[i].p));
  }
  EXPECT_NEAR(box.upper.x - box.lower.x, 0.0298, 1e-4);
}

TEST(Corpus, StandsWalksAndPrints) {
  CorpusOptions options;
  options.then = {"groundea 0.175", "h 0.0001", "move abdomen 0 0 0.018",
                  "setrootpos",     "speed 1",  "prestance",
                  "gaitgo",         "go 480"};
  const CorpusRun r = run_corpus(gather_corpus(examples + "roach_body.corpus"), "roach", options);
  ASSERT_EQ(r.motion.status, Status::ok);
  // 0.2 s of the tripod: leg 1 steps with 2 and 5, half a cycle before 0 with 3 and 4
  std::vector<std::string> steps;
  for (const std::string& line : r.printed)
    if (line.rfind("step", 0) == 0) steps.push_back(line.substr(12));
  ASSERT_GE(steps.size(), 9u);
  std::vector<std::string> first(steps.begin(), steps.begin() + 3),
      second(steps.begin() + 3, steps.begin() + 6);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  EXPECT_EQ(first, (std::vector<std::string>{"0", "3", "4"}));
  EXPECT_EQ(second, (std::vector<std::string>{"1", "2", "5"}));
}

TEST(Corpus, TimersRunInOrderOfTime) {
  const CorpusRun r = run(
      cube + "dt .1\ntimer .5 ! later\nalarm .2 ! first\ntimer .2 ! second\ntimer 3 ! never\ngo 10\n! end\n");
  EXPECT_EQ(r.printed, (std::vector<std::string>{"first", "second", "later", "end"}));
}

TEST(Corpus, MotorsArriveOnTimeAndExactly) {
  const CorpusRun r =
      run(pendulum +
          "grav off\njoint arm Q_type 17\njoint arm ea 1\njoint arm eB 4\njoint arm b 2\ndt .01\n"
          "motor arm etarget 0.5 0.333\ngo 20\njointstatus arm\ngo 20\njointstatus arm\n");
  ASSERT_EQ(r.printed.size(), 2u);
  EXPECT_NE(r.printed[1].find("e_q 0.5 "), std::string::npos) << r.printed[1];
  const double halfway = std::stod(r.printed[0].substr(r.printed[0].find("e_q ") + 4));
  EXPECT_NEAR(halfway, 0.5 * 0.2 / 0.333, 1e-9);
}

TEST(Corpus, AnAttachmentHoldsUntilItsLengthAndThenBreaks) {
  const std::string hanging = cube + "dt .01\nrecord 100\nattach block ground 0 0 0 0 0 10 ";
  CorpusRun r = run(hanging + "400 0 0 1\ngo 100\n");
  EXPECT_EQ(r.breaks, 0);
  EXPECT_EQ(r.attachments, 1);
  double lowest = 10;
  for (int f = 0; f < r.motion.frames(); ++f) lowest = std::min(lowest, r.motion.q[std::size_t(f) * 7 + 2]);
  EXPECT_NEAR(10 - lowest, 2 * 9.8 / 400, 0.003);  // an undamped spring overshoots to twice its sag
  r = run(hanging + "400 0 0 1 0.03\ngo 100\n");
  EXPECT_EQ(r.breaks, 1);
  EXPECT_LT(r.motion.q[std::size_t(r.motion.frames() - 1) * 7 + 2], 6);
}

TEST(Corpus, ARootMayBeFixedAndFreedAgain) {
  const CorpusRun r = run(
      cube +
      "integration rkfixed\nh .001\ndt .01\nrecord 100\nrootmotion fixed\ngo 10\nrootmotion free\ngo 10\n");
  ASSERT_EQ(r.motion.status, Status::ok);
  ASSERT_EQ(r.motion.creature.nq(), 7);
  const std::size_t n = std::size_t(r.motion.frames());
  EXPECT_EQ(r.motion.q.size(), 7 * n);
  EXPECT_EQ(r.motion.q[7 * 5 + 2], 10);
  EXPECT_NEAR(r.motion.q[7 * (n - 1) + 2], 10 - 0.5 * 9.8 * 0.01, 1e-6);
}

TEST(Corpus, WhatIsNotIntegratedStandsStill) {
  const CorpusRun r = run(cube + "dt .01\nintegrate block off\ngo 10\nintegrate block on\ngo 1\n");
  EXPECT_NEAR(r.motion.q[r.motion.q.size() - 5], 10, 2e-3);
  EXPECT_EQ(r.motion.q[2], 10);
}

TEST(Corpus, ACommandMayDependOnWhichWayIsUp) {
  const CorpusRun r = run(cube +
                          "ifup block ! up\nifdown block ! down\nrotate block x 180\nsetrootpos\nifup block "
                          "! up\nifdown block ! down\n");
  EXPECT_EQ(r.printed, (std::vector<std::string>{"up", "down"}));
}

TEST(Corpus, BadScriptsSayWhereAndWhatToTry) {
  EXPECT_EQ(error("addworld w\ngruondk 5\n"),
            "test.corpus:2: unknown command 'gruondk'; did you mean 'groundk'?");
  EXPECT_EQ(error("addbdy broach\n"), "test.corpus:1: unknown command 'addbdy'; did you mean 'addbody'?");
  EXPECT_EQ(error("address broach\n"),
            "test.corpus:1: unknown command 'address'; one of: addroach, addcorpus, addbody, addpart, addv, "
            "addworld, "
            "addrigrd, addtrigrid");
  EXPECT_EQ(
      error("grav on\n*0.5\n"),
      "test.corpus:2: the number '*0.5' stands where a command should; does it belong to the line before?");
  EXPECT_EQ(error("\n\nscale head 1 2\n"), "test.corpus:3: scale: z is missing; write scale obj x y z");
  EXPECT_EQ(error("scale head 1 2 tall\n"),
            "test.corpus:1: scale: 'tall' is no number for z; write scale obj x y z");
  EXPECT_EQ(error("groundtype flt\n"),
            "test.corpus:1: groundtype: 'flt' is none of its words; did you mean 'flat'?; write groundtype "
            "{flat|trigrid}");
  EXPECT_EQ(error("move head 0 0 1\n"),
            "test.corpus:1: move: there is no object 'head'; make one with get NAME from unit_cubeb");
  EXPECT_EQ(error(pendulum + "joint amr q 1\n"),
            "test.corpus:15: joint: there is no body 'amr'; did you mean 'arm'?");
  EXPECT_EQ(error(pendulum + "joint post q 1\n"),
            "test.corpus:15: joint: 'post' has no joint: it is the root of its figure");
  EXPECT_EQ(error(pendulum + "motor arm etarget 1 *0.5\n"),
            "test.corpus:15: motor: '*0.5' is a share of a step or stance, but this command stands in none; "
            "write seconds");
  EXPECT_EQ(error("addcorpus c\naddroach c\nprocom 0\nmotor a etarget 1 *1\n"),
            "test.corpus:3: procom: is not closed; end its commands with a lone dot on a line");
  EXPECT_EQ(error("addcorpus c\naddroach c\nprocom 0\nmotr a etarget 1 *1\n.\n"),
            "test.corpus:4: unknown command 'motr'; did you mean 'motor'?");
  EXPECT_EQ(error("timer 0.5 groundx 1\n"),
            "test.corpus:1: unknown command 'groundx'; did you mean 'ground'?");
  EXPECT_EQ(error("go 5\n"), "test.corpus:1: go: there is no figure to move; build one and call corpusinit");
  EXPECT_EQ(error("setrootmatrix 1 0 0 0\n0 1 0 0\n"),
            "test.corpus:2: setrootmatrix: has 8 numbers; give 16");
}

TEST(Corpus, AStepTooLongForASpringIsToldWithTheJoint) {
  const CorpusRun r =
      run(pendulum + "joint arm Q_type 2\njoint arm k 1e6\nintegration euler\nh .01\ndt .01\ngo 1\n");
  ASSERT_EQ(r.printed.size(), 1u);
  EXPECT_EQ(r.printed[0].rfind("steps of 0.01 s are too long for the spring of 'arm' (at most ", 0), 0u)
      << r.printed[0];
}

TEST(Corpus, AFigureThatStartsInTheGroundIsTold) {
  const CorpusRun r = run(cube + "ground on\nmove block 0 0 -10\nsetrootpos\ngo 1\n");
  ASSERT_EQ(r.printed.size(), 1u);
  EXPECT_EQ(r.printed[0],
            "'block' starts 0.05 m under the ground; raise its figure: move block 0 0 0.05, then setrootpos");
}

TEST(Corpus, ALineOfAReadFileIsNamedByThatFile) {
  const Scratch scratch;
  write_file(scratch / "inner.corpus", "addworld w\n# fine so far\nbogus 1\n");
  write_file(scratch / "outer.corpus", "! hello\nread inner.corpus\n");
  const std::string inner = scratch / "inner.corpus", outer = scratch / "outer.corpus";
  EXPECT_EQ(error_of([&] {
              run_corpus(gather_corpus(outer), outer);
            }).rfind(inner + ":3: unknown command 'bogus'", 0),
            0u);
  write_file(inner, "addworld w\n");
  write_file(outer, "read inner.corpus\n\nbogus 1\n");
  EXPECT_EQ(error_of([&] { run_corpus(gather_corpus(outer), outer); }).rfind(outer + ":3: ", 0), 0u);
  write_file(outer, "read outer.corpus\n");
  EXPECT_NE(error_of([&] { gather_corpus(outer); }), "");
}

// A walk that is dumped half-way and one that loads the dump end in the same bits, with every integrator.
TEST(Corpus, AWalkGoesOnFromItsDumpsWithTheSameBits) {
  const std::string body = gather_corpus(examples + "roach_body.corpus") + "groundea 0.175\nrecord 2400\n";
  for (const char* integration : {"implicit\nh 0.0001", "rkf\neps 1e5"}) {
    SCOPED_TRACE(integration);
    const Scratch scratch;
    const std::string s = scratch / "s", m = scratch / "m", c = scratch / "c";
    const std::string setup = body + "integration " + integration + "\n";
    const CorpusRun whole =
        run(setup + "move abdomen 0 0 0.018\nsetrootpos\nspeed 1\nprestance\ngaitgo\ngo 45\ndumps " + s +
            "\ndumpmotors " + m + "\ndumpcontacts " + c + "\ngo 15\ndumps " + scratch / "end" + "\n");
    const CorpusRun rest =
        run(setup + "loads " + s + "\nloadmotors " + m + "\nloadcontacts " + c + "\ndumps " + scratch / "s2" +
            "\ndumpmotors " + scratch / "m2" + "\ndumpcontacts " + scratch / "c2" + "\ngo 15\ndumps " +
            scratch / "end2" + "\n");
    EXPECT_EQ(read_file(s), read_file(scratch / "s2"));
    EXPECT_EQ(read_file(m), read_file(scratch / "m2"));
    EXPECT_EQ(read_file(c), read_file(scratch / "c2"));
    EXPECT_EQ(read_file(scratch / "end"), read_file(scratch / "end2"));
    EXPECT_EQ(whole.motion.time.back(), rest.motion.time.back());
    const std::vector<double> a(whole.motion.q.end() - 39, whole.motion.q.end()),
        b(rest.motion.q.end() - 39, rest.motion.q.end());
    EXPECT_TRUE(same_bits(a, b));
  }
}

TEST(Corpus, DumpedForcesAccelerationsAndPlacesFitTheMotion) {
  const Scratch scratch;
  run(pendulum + "joint arm q 0.3\nintegration rkfixed\ndumpas " + scratch / "a" + "\ndumpQs " +
      scratch / "Q" + "\ndumpmatcorpus " + scratch / "mat" + "\nloadas " + scratch / "a" + "\n");
  const std::string a = read_file(scratch / "a");
  EXPECT_EQ(a.rfind("a arm ", 0), 0u);
  // a uniform rod: qdd = -3/2 g/l sin q, but for the width of the bar
  EXPECT_NEAR(std::stod(a.substr(6)), -1.5 * 9.8 * std::sin(0.3), 0.01);
  EXPECT_EQ(read_file(scratch / "Q"), "Q arm 0\n");
  // the script that it wrote is one, and puts the objects there
  const std::string places = read_file(scratch / "mat");
  EXPECT_EQ(error_of([&] { parse_corpus(places, "mat"); }), "");
  EXPECT_NE(error("loads " + scratch / "none" + "\n"), "");
}

TEST(Corpus, AccelerationsThatWereReadStandUntilTimeMoves) {
  const Scratch scratch;
  const std::string a = scratch / "a", b = scratch / "b", c = scratch / "c";
  write_file(a, "a arm -12.5\n");
  run(pendulum + "joint arm q 0.3\nintegration rkfixed\nloadas " + a + "\nupdatev\ndumpas " + b +
      "\ngo 1\ndumpas " + c + "\n");
  EXPECT_EQ(read_file(b), "a arm -12.5\n");
  EXPECT_NEAR(std::stod(read_file(c).substr(6)), -1.5 * 9.8 * std::sin(0.3), 0.3);
  EXPECT_NE(error(pendulum + "loadas " + scratch / "none" + "\n"), "");
}

// --- collisions

// A free body of one object at a height, falling or not.
std::string piece(const std::string& name, const std::string& object, const std::string& size,
                  const std::string& place, const std::string& flags = "") {
  return "addcorpus " + name + "\nget " + name + " from " + object + "\nscale " + name + " " + size +
         "\naddbody " + name + " " + name + " 0 0 1 rotary 1000 " + flags + "\nsetroot " + name +
         "\ncorpusinit\nmove " + name + " " + place + "\nsetrootpos\n";
}
const std::string nowhere =
    "addworld w\nground off\ngrav off\nintegration rkfixed\ndt 0.001\nh 0.001\nrecord 1000\n";
// Coordinate i of a figure, first of the script or second, in a frame; velocity likewise.
double q_of(const CorpusRun& r, int figure, int i, int frame) {
  return r.motion.q[std::size_t(frame) * std::size_t(r.motion.creature.nq()) + std::size_t(7 * figure + i)];
}
double v_of(const CorpusRun& r, int figure, int i, int frame) {
  return r.motion.v[std::size_t(frame) * std::size_t(r.motion.creature.nv()) + std::size_t(6 * figure + i)];
}

TEST(Corpus, CollisionAnalysisEndsACollisionAtOnce) {
  // a ball of eight times the mass meets another head-on
  const std::string balls = nowhere + piece("big", "unit_sphere", ".2 .2 .2", "-0.3 0 0") +
                            piece("small", "unit_sphere", ".1 .1 .1", "0 0 0") +
                            "addv big 1 0 0 0 0 0\ncollide big small\ncollisionfric 0\n";
  for (const double e : {1.0, 0.25, 0.0, 2.25}) {
    SCOPED_TRACE(e);
    const CorpusRun r = run(balls + "collisionanalysis on\ncollisione " + std::to_string(e) + "\ngo 400\n");
    ASSERT_EQ(r.motion.status, Status::ok);
    const int last = r.motion.frames() - 1;
    // momentum, and the speed of parting: sqrt(e) of that of approach
    EXPECT_NEAR(8 * v_of(r, 0, 0, last) + v_of(r, 1, 0, last), 8, 1e-9);
    EXPECT_NEAR(v_of(r, 1, 0, last) - v_of(r, 0, 0, last), std::sqrt(e), 1e-9);
    // one frame has the old speed, the next the new one
    int changes = 0;
    for (int f = 1; f <= last; ++f) changes += std::abs(v_of(r, 1, 0, f) - v_of(r, 1, 0, f - 1)) > 1e-9;
    EXPECT_EQ(changes, 1);
  }
  // springs take time
  const CorpusRun soft = run(balls + "collisionea 10\ncollisioneB 200\ncollisione 1\ngo 400\n");
  int changes = 0;
  for (int f = 1; f < soft.motion.frames(); ++f) changes += v_of(soft, 1, 0, f) != v_of(soft, 1, 0, f - 1);
  EXPECT_GT(changes, 10);
}

// The thesis: the method "does not work well with continuous support", and objects sink.
TEST(Corpus, WhatRestsOnAnotherSinksByAnalysisAndNotBySprings) {
  const std::string table = "addworld w\nground off\nintegration rkfixed\ndt 0.001\nh 0.001\n" +
                            piece("block", "unit_cubeb", ".1 .1 .1", "0 0 0.15") +
                            piece("table", "unit_cubeb", "1 1 .2", "0 0 0") +
                            "rootmotion fixed\ncollide block table\n";
  const CorpusRun analysis = run(table + "collisionanalysis on\ncollisione 0\ngo 500\n");
  const CorpusRun springs = run(table + "go 500\n");
  const double sunk = 0.15 - q_of(analysis, 0, 2, analysis.motion.frames() - 1);
  EXPECT_GT(sunk, 1e-4);
  EXPECT_LT(sunk, 0.02);
  EXPECT_LT(0.15 - q_of(springs, 0, 2, springs.motion.frames() - 1), 1e-3);
}

TEST(Corpus, ElasticityAboveOneMakesThingsBounceEverHigher) {
  const std::string puff =
      "addworld w\ngroundk 2000\ngroundb 0\ngrounde 1.21\nintegration rkfixed\ndt 0.001\nh 0.0001\nrecord "
      "1000\n" +
      piece("puff", "unit_sphere", ".1 .1 .1", "0 0 0.2");
  const CorpusRun r = run(puff + "go 1600\n");
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  std::vector<double> tops;
  for (int f = 1; f + 1 < r.motion.frames(); ++f)
    if (q_of(r, 0, 2, f) > q_of(r, 0, 2, f - 1) && q_of(r, 0, 2, f) >= q_of(r, 0, 2, f + 1))
      tops.push_back(q_of(r, 0, 2, f) - 0.05);
  ASSERT_GE(tops.size(), 3u);
  // the spring's energy at its deepest, k d^2 / 2 = m g (h + d), is multiplied
  const double k_over_weight = 2000 / (1000 * 4.0 / 3 * 3.14159265 * 0.05 * 0.05 * 0.05 * 9.8);
  double before = 0.15;
  for (const double top : tops) {
    const double deep = (1 + std::sqrt(1 + 2 * k_over_weight * before)) / k_over_weight;
    EXPECT_NEAR((top + deep) / (before + deep), 1.21, 0.01);
    before = top;
  }
  EXPECT_NE(error("addworld w\ngrounde 5\n"), "");
}

TEST(Corpus, HollowsOfAMeshCountWhereItIsNotConvex) {
  for (const bool convex : {false, true}) {
    const CorpusRun r =
        run("addworld w\nground off\nintegration rkfixed\ndt 0.001\nh 0.0001\n" +
            piece("pea", "unit_sphere", ".004 .004 .004", "0.005 0 0.005") +
            piece("pod", examples + "space_pod.obj", "1 1 1", "0 0 0", convex ? "1 1 1" : "1 1 0") +
            "rootmotion fixed\ncollide pea pod\ncollisione 0.3\ngo 400\n");
    ASSERT_EQ(r.motion.status, Status::ok);
    const double height = q_of(r, 0, 2, r.motion.frames() - 1);
    // on the lid of the hull; on the ground of the egg, 22 mm below, which is round
    if (convex)
      EXPECT_NEAR(height, 0.002, 2e-4);
    else
      EXPECT_LT(height, -0.017);
  }
}

TEST(Corpus, WithTheNormalTestPartsPushOnlyWhileTheyApproach) {
  for (const bool test : {false, true}) {
    const CorpusRun r =
        run(nowhere + piece("a", "unit_sphere", ".1 .1 .1", "-0.15 0 0", test ? "1 1 1 1" : "") +
            piece("b", "unit_sphere", ".1 .1 .1", "0 0 0") +
            "addv a 1 0 0 0 0 0\ncollide a b\ncollisione 1\nh 0.0001\ngo 200\n");
    ASSERT_EQ(r.motion.status, Status::ok);
    const int last = r.motion.frames() - 1;
    EXPECT_NEAR(v_of(r, 1, 0, last) - v_of(r, 0, 0, last), test ? 0 : 1, 0.05);
  }
}

TEST(Corpus, CrossedBarsDoNotPassThroughEachOther) {
  const std::string bars = nowhere + piece("a", "unit_cubeb", "1 .02 .02", "0 0 0.1") +
                           piece("b", "unit_cubeb", ".02 1 .02", "0 0 0") +
                           "addv a 0 0 -1 0 0 0\ncollide all all\ncollisione 1\ncollisionfric 0\n";
  for (const std::string way : {"h 0.0001\n", "collisionanalysis on\n"}) {
    const CorpusRun r = run(bars + way + "go 200\n");
    ASSERT_EQ(r.motion.status, Status::ok);
    const int last = r.motion.frames() - 1;
    EXPECT_NEAR(v_of(r, 0, 2, last), 0, 0.03) << way;  // equal masses change their speeds
    EXPECT_NEAR(v_of(r, 1, 2, last), -1, 0.03) << way;
  }
}

TEST(Corpus, ABadStateFileIsNamedWithItsLine) {
  const Scratch scratch;
  const std::string file = scratch / "s";
  write_file(file, "time 0 0 0.1\njoint leg 1 2 3 4\n");
  EXPECT_EQ(error(pendulum + "loads " + file + "\n"),
            file + ":2: state: figure 'p' has no body 'leg'; one of: post, arm");
  write_file(file, "time 0 0\n");
  EXPECT_EQ(error(pendulum + "loads " + file + "\n"),
            file + ":1: state: the line ends too early; is the file whole?");
  write_file(file, "banana\n");
  EXPECT_EQ(error(pendulum + "loads " + file + "\n"),
            file + ":1: state: 'banana' is nothing that loads reads; is this the right file?");
}

// Whatever is cut off or garbled: an Error, or a run that ends.
TEST(Corpus, MutilatedScriptsGiveCleanErrors) {
  const std::string whole =
      gather_corpus(examples + "roach_body.corpus") + "groundea 0.175\nh 0.0004\ngo 2\n";
  CorpusOptions options;
  options.most_frames = 4;
  int refused = 0;
  const auto try_out = [&](const std::string& text) {
    try {
      run(text, options);
    } catch (const Error& e) {
      ++refused;
      EXPECT_NE(std::string(e.what()), "");
    }
  };
  Random random(7);
  for (int i = 0; i < 60; ++i) try_out(whole.substr(0, std::size_t(random.uniform(0, double(whole.size())))));
  const std::string letters = "0123456789.-+*#!/ \n\tabeqz_\0\xff";
  for (int i = 0; i < 150; ++i) {
    std::string text = whole;
    for (int n = 0; n < 3; ++n) {
      const std::size_t at = std::size_t(random.uniform(0, double(text.size() - 40)));
      switch (int(random.uniform(0, 4))) {
        case 0:
          text[at] = letters[std::size_t(random.uniform(0, double(letters.size())))];
          break;
        case 1:
          text.erase(at, std::size_t(random.uniform(1, 30)));
          break;
        case 2:
          text.insert(at, text.substr(std::size_t(random.uniform(0, double(text.size() - 40))), 20));
          break;
        default: {
          const std::size_t line = text.find('\n', at), next = text.find('\n', line + 1);
          if (next != text.npos) text.erase(line, next - line);
        }
      }
    }
    try_out(text);
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace legwork
