// Emitted C against the library, bit for bit; and by itself against what physics demands.

#include <gtest/gtest.h>
#include <unistd.h>
#include <legwork/compile.h>
#include <legwork/files.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "compile/native.h"
#include "compile/programs.h"
#include "formats/shipped.h"
#include "motion/record.h"

namespace legwork {
namespace {

// Code of one body, made by one compiler, and its arrays by name.
class Emitted {
 public:
  Emitted(const World& world, const std::vector<std::string>& emit, const std::string& compiler,
          std::vector<std::string> flags) {
    CompileOptions options;
    options.emit = emit;
    code_ = compile_c(world, "body", options);
    const std::string source = code_.source.substr(code_.source.find("#include \"body.h\"") + 17);
    NativeOptions native;
    native.compiler = {compiler, ""};
    native.flags = c_flags(flags);
    native.flags.insert(native.flags.end(), {"-Wall", "-Wextra", "-Werror"});
    std::string why, note;
    native_ = NativeCode::make(code_.header + source, native, why, note);
    EXPECT_TRUE(native_) << world.body.name << ", " << compiler << ": " << why;
  }
  explicit operator bool() const { return bool(native_); }

  // Calls a function: its struct's arrays in their order.
  void call(const std::string& function, const std::vector<std::vector<double>*>& arrays) const {
    std::vector<double> io;
    for (const auto* a : arrays) io.insert(io.end(), a->begin(), a->end());
    reinterpret_cast<void (*)(double*)>(native_->find("body_" + function))(io.data());
    auto at = io.begin();
    for (auto* a : arrays) std::copy(at, at + long(a->size()), a->begin()), at += long(a->size());
  }

 private:
  CompiledC code_;
  std::unique_ptr<NativeCode> native_;
};

std::vector<double> random_numbers(Random& random, int n, double size) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& x : values) x = size * (2 * random.uniform() - 1);
  return values;
}

// The sign of a zero is all that may differ (compile/tape.h).
void expect_same(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i] + 0.0), std::bit_cast<std::uint64_t>(b[i] + 0.0))
        << what << " " << i;
}

void compare_dynamics(const World& world, const Emitted& emitted) {
  const System<double> system = make_system(world);
  const Model<double>& m = system.model;
  Workspace<double> w(m);
  Random random(1, 0);
  const std::vector<double> pose = world.body.pose("");
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> q(pose.size()), v = random_numbers(random, m.nv, 2),
                                        tau = random_numbers(random, m.nv, 3);
    const std::vector<double> away = random_numbers(random, m.nv, 0.7);
    integrate_positions(m, pose.data(), away.data(), 1.0, q.data());
    update_positions(m, q.data(), w);
    update_velocities(m, q.data(), v.data(), w);
    clear_forces(m, w);
    const std::size_t nv = std::size_t(m.nv);
    std::vector<double> out(nv), expected(nv), M(nv * nv), expected_M(nv * nv);
    emitted.call("inverse", {&q, &v, &tau, &out});
    inverse_dynamics(m, tau.data(), w, expected.data());
    expect_same(out, expected, world.body.name + " inverse");
    emitted.call("mass", {&q, &M});
    mass_matrix(m, w, expected_M.data());
    expect_same(M, expected_M, world.body.name + " mass");
    if (!world.body.loops.empty() || !world.body.couplings.empty()) continue;
    emitted.call("forward", {&q, &v, &tau, &out});
    forward_dynamics(m, tau.data(), w, expected.data());
    expect_same(out, expected, world.body.name + " forward");
  }
}

void compare_steps(const World& world, const Emitted& emitted, int steps) {
  const System<double> system = make_system(world);
  StepOptions options = choose_step(system, world.integrator, world.dt);
  options.max_gain = 0;
  Simulation<double> sim(system, options);
  SimOptions thrown;
  thrown.height = 0.02, thrown.throw_velocity = {0.3, -0.2, 0.1}, thrown.spin = {0.5, -1, 2};
  const Start start = start_of(system, thrown);
  sim.reset(start.q, start.v);
  int memories = 0;
  for_each_memory(system.contacts, sim.state.contact, [&](double&) { ++memories; });
  std::vector<double> tau(sim.state.v.size()),
      target = sim.state.drive.target, q = sim.state.q, v = sim.state.v, memory(std::size_t(memories), 0.0),
      activation = sim.state.activation, qdd(v.size()), force(3 * system.contacts.sites.size()), ok(1);
  Random random(2, 0);
  for (int s = 0; s < steps; ++s) {
    if (s % 50 == 0)
      for (std::size_t i = 0; i < target.size(); ++i)
        sim.state.drive.target[i] = target[i] = target[i] + 0.2 * (random.uniform() - 0.5);
    const bool going = sim.step();
    emitted.call("step", {&tau, &target, &q, &v, &memory, &activation, &qdd, &force, &ok});
    ASSERT_EQ(going, ok[0] == 1) << world.body.name << " at step " << s;
    if (!going) return;
    expect_same(q, sim.state.q, world.body.name + " q at step " + std::to_string(s));
    expect_same(v, sim.state.v, world.body.name + " v at step " + std::to_string(s));
  }
}

TEST(Compile, DynamicsOfEveryShippedCreatureHaveTheLibrarysBits) {
  for (const ShippedCreature& s : shipped_creatures()) {
    SCOPED_TRACE(s.name);
    const World world = load_world(s.path);
    const Emitted emitted(world, {"forward", "inverse", "mass"}, "gcc", {"-O0"});
    if (emitted) compare_dynamics(world, emitted);
  }
}

TEST(Compile, DynamicsHaveTheSameBitsFromBothCompilersAtEveryLevel) {
  for (const char* name : {"bounder", "biped"})
    for (const char* compiler : {"gcc", "clang"})
      for (const char* level : {"-O1", "-O3"}) {
        SCOPED_TRACE(std::string(name) + " " + compiler + " " + level);
        const World world = load_world(name);
        const Emitted emitted(world, {"forward", "inverse", "mass"}, compiler, {level, "-march=native"});
        if (emitted) compare_dynamics(world, emitted);
      }
}

TEST(Compile, StepsOfManyBodiesHaveTheLibrarysBits) {
  // planes and free bodies, springs, actuators along joints and between points, ball joints, water, loops
  for (const char* name :
       {"bounder", "tumbler", "luxo", "fish", "star", "threelink", "pendulum", "fourbar", "box"}) {
    SCOPED_TRACE(name);
    const World world = load_world(name);
    const Emitted emitted(world, {"step"}, "gcc", {"-O0"});
    if (emitted) compare_steps(world, emitted, 600);
  }
}

TEST(Compile, WhatCannotBeCompiledIsNamed) {
  World world = load_world("bounder");
  world.terrain = parse_terrain("steps:0.05,0.3");
  try {
    compile_c(world, "body", {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("ground that is not a plane"), std::string::npos) << e.what();
  }
  CompileOptions options;
  options.emit = {"forwards"};
  EXPECT_THROW(compile_c(world, "body", options), Error);
  options.emit = {"jacobian"}, options.point = {"no_such_link"};
  EXPECT_THROW(compile_c(world, "body", options), Error);
}

TEST(Compile, AJacobianIsTheLibrarys) {
  const World world = load_world("bounder");
  const std::string foot = world.body.legs.front().name;
  CompileOptions options;
  options.emit = {"jacobian"}, options.point = {foot};
  const CompiledC code = compile_c(world, "body", options);
  EXPECT_NE(code.header.find("body_jacobian_" + foot), std::string::npos);
  EXPECT_GT(code.functions.front().operations, 10);
  EXPECT_LT(code.functions.front().operations, code.functions.front().asked_for);
}

// A main of its own: nothing here knows the library.
const char* const alone = R"(#include "body.h"
#include <math.h>
enum { NV = BODY_NV };
int main(void) {
  static body_forward_io pushed, free;
  static body_inverse_io back;
  static body_mass_io mass;
  body_forward_start(&pushed);
  body_forward_start(&free);
  body_inverse_start(&back);
  body_mass_start(&mass);
  for (int i = 0; i < NV; ++i) {
    pushed.v[i] = free.v[i] = back.v[i] = 0.5 * sin(3.0 * i);
    pushed.tau[i] = 0.3 * sin(1.0 + 2.0 * i);
  }
  body_forward(&pushed);
  body_forward(&free);
  body_mass(&mass);
  for (int i = 0; i < NV; ++i) back.qdd[i] = pushed.qdd[i];
  body_inverse(&back);
  for (int i = 0; i < NV; ++i) {
    double sum = 0; /* force = mass x acceleration */
    for (int j = 0; j < NV; ++j) {
      sum += mass.M[i * NV + j] * (pushed.qdd[j] - free.qdd[j]);
      if (fabs(mass.M[i * NV + j] - mass.M[j * NV + i]) > 1e-12) return 1;
    }
    if (fabs(sum - pushed.tau[i]) > 1e-9) return 2;
    if (fabs(back.tau[i] - pushed.tau[i]) > 1e-9) return 3;
  }
  /* what falls with nothing to touch loses as much height as gravity says */
  static body_step_io x;
  body_step_start(&x);
  for (int i = 0; i < 7; ++i) x.q[i] = i == 2 ? 100 : i == 3;
  for (int i = 0; i < 100; ++i) body_step(&x);
  const double fallen = 100 - x.q[2], speed = -x.v[2];
  return x.ok[0] == 1 && fabs(speed * speed / (2 * 9.81 * fallen) - 1) < 0.02 ? 0 : 4;
}
)";

TEST(Compile, AProgramWithoutTheLibraryFindsMechanicsInTheCode) {
  std::string folder = (std::filesystem::temp_directory_path() / "legwork-XXXXXX").string();
  ASSERT_TRUE(mkdtemp(folder.data()));
  const CompiledC code = compile_c(load_world("box"), "body", {});
  std::ofstream(folder + "/body.h") << code.header;
  std::ofstream(folder + "/body.c") << code.source;
  std::ofstream(folder + "/main.c") << alone;
  const auto run = [&](const std::string& command) {
    return std::system(("cd " + folder + " && " + command).c_str());
  };
  const std::string strict = " -std=c99 -pedantic -O1 -Wall -Wextra -Werror ";
  EXPECT_EQ(run("gcc" + strict + "-o alone body.c main.c -lm && ./alone"), 0);
  EXPECT_EQ(run("clang" + strict + "-o alone body.c main.c -lm && ./alone"), 0);
  // and the example that comes with it
  EXPECT_EQ(
      run("clang" + strict + "-DLEGWORK_EXAMPLE -o example body.c -lm && ./example > said && test -s said"),
      0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace legwork
