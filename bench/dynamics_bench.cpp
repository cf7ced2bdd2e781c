// Forward dynamics beside MuJoCo, Bullet and DART on the same bodies and states, one core: one state at a
// time beside one at a time, then eight in a batch, of which a lane stands beside one at a time of ours and
// of MuJoCo. Every comparison first checks that the accelerations agree.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <legwork/files.h>
#include "base/random.h"
#include "bench/peers/peer.h"
#include "bench/rows.h"
#include "compile/emit_c.h"
#include "compile/native.h"
#include "compile/programs.h"
#include "dynamics/dynamics.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

constexpr int states = 64;
#ifdef __AVX512F__
constexpr int vector_lanes = 8;
#else
constexpr int vector_lanes = 4;
#endif

// Some files hang the body on a link fixed to the world; it has no part in the dynamics, and peers have none.
Creature without_fixed_root(Creature c) {
  while (c.links[0].joints.empty()) {
    c.links.erase(c.links.begin());
    for (Link& link : c.links) --link.parent;
  }
  for (Link& link : c.links) link.parent = std::max(link.parent, -1);
  return c;
}

struct Subject {
  std::string name, file;
  Creature creature;
  Model<double> model;
  Workspace<double> w;
  std::vector<std::vector<double>> q, v, tau;
  std::vector<double> qdd;

  explicit Subject(const std::string& body)
      : name(body),
        file(LEGWORK_SOURCE_DIR "/bench/models/" + body + ".xml"),
        creature(without_fixed_root(load_creature(file))),
        model(make_model(creature)),
        w(model),
        qdd(model.nv) {
    Random random(1, 0);
    auto values = [&] {
      std::vector<double> x(model.nv);
      for (double& value : x) value = random.uniform(-1, 1);
      return x;
    };
    for (int k = 0; k < states; ++k) {
      q.push_back(creature.pose("zero"));
      integrate_positions(model, q.back().data(), values().data(), 1.0, q.back().data());
      v.push_back(values());
      tau.push_back(values());
    }
  }

  void forward(int k) {
    update_positions(model, q[k].data(), w);
    update_velocities(model, q[k].data(), v[k].data(), w);
    forward_dynamics(model, tau[k].data(), w, qdd.data());
  }
};

// Largest difference of accelerations over the largest acceleration.
double disagreement(Subject& s, Peer& peer) {
  double worst = 0;
  for (int k = 0; k < states; ++k) {
    s.forward(k);
    peer.forward(k);
    const std::vector<double> other = peer.qdd(k);
    double size = 0, difference = 0;
    for (int j = 0; j < s.model.nv; ++j) {
      size = std::max(size, std::abs(s.qdd[j]));
      difference = std::max(difference, std::abs(s.qdd[j] - other[j]));
    }
    worst = std::max(worst, difference / size);
  }
  return worst;
}

void compare_with(Subject& s, const std::string& library, std::unique_ptr<Peer> peer, double target,
                  std::vector<bench::Row>& rows) {
  peer->set(s.q, s.v, s.tau);
  const double error = disagreement(s, *peer);
  // long chains amplify rounding: the condition number of the mass matrix grows with the fourth power of
  // length
  const double allowed = s.model.nlink > 100 ? 1e-6 : 1e-9;
  if (!(error < allowed)) {
    std::fprintf(stderr, "%s: accelerations differ from %s by %g\n", s.name.c_str(), library.c_str(), error);
    std::exit(1);
  }
  const int calls = std::max(2, 1500 / s.model.nlink);
  const Timing t =
      compare([&](int i) { s.forward(i % states); }, [&](int i) { peer->forward(i % states); }, calls);
  rows.push_back(
      {"forward dynamics, " + s.name, t.ours * 1e9, "ns", library, t.theirs * 1e9, t.ratio, target});
  print(rows.back());
}

// The same states, eight at a time, beside one at a time: ours is a lane.
Timing compare_batch(Subject& s) {
  const Model<Batch> m = make_batch_model({&s.creature});
  Workspace<Batch> w(m);
  const int groups = states / batch_lanes;
  std::vector<std::vector<Batch>> q(groups, std::vector<Batch>(m.nq)), v(groups, std::vector<Batch>(m.nv)),
      tau = v;
  for (int k = 0; k < states; ++k) {
    const int g = k / batch_lanes, lane = k % batch_lanes;
    for (int i = 0; i < m.nq; ++i) q[g][i].set(lane, s.q[k][i]);
    for (int i = 0; i < m.nv; ++i) v[g][i].set(lane, s.v[k][i]), tau[g][i].set(lane, s.tau[k][i]);
  }
  std::vector<Batch> qdd(m.nv);
  const int calls = std::max(2, 300 / m.nlink);
  Timing t = compare(
      [&](int i) {
        const int g = i % groups;
        update_positions(m, q[g].data(), w);
        update_velocities(m, q[g].data(), v[g].data(), w);
        forward_dynamics(m, tau[g].data(), w, qdd.data());
      },
      [&](int i) {
        for (int lane = 0; lane < batch_lanes; ++lane) s.forward((i * batch_lanes + lane) % states);
      },
      calls);
  return {t.ours / batch_lanes, t.theirs / batch_lanes, t.ratio};
}

using Emitted = void (*)(double*);

// Emitted C of the same, a state or as many as there are lanes at a call: q, v, tau -> qdd, of each number
// the lanes beside each other. Its results must be ours.
void compare_compiled(Subject& s, int lanes, double mujoco, double target, std::vector<bench::Row>& rows) {
  World world;
  world.body = s.creature;
  const std::unique_ptr<Tape> tape = record_forward(make_system(world));
  CFile file{"forward", "", {}, {}};
  file.functions.push_back({"forward", "", tape.get(), {}});
  NativeOptions options;
  options.compiler = find_c_compiler();
  options.flags = c_flags({"-O1", "-march=native", "-w"});
  if (lanes > 1) options.flags.push_back("-DLEGWORK_LANES=" + std::to_string(lanes));
  std::string why, note;
  const auto code = NativeCode::make(c_text(file), options, why, note);
  if (!code) {
    std::printf("forward dynamics, %s: %s\n", s.name.c_str(), why.c_str());
    return;
  }
  const auto forward = reinterpret_cast<Emitted>(code->find("forward"));
  const std::size_t nq = std::size_t(s.model.nq), nv = std::size_t(s.model.nv), n = std::size_t(lanes);
  const std::size_t size = (nq + 3 * nv) * n, groups = states / n;
  std::vector<double> memory(size * groups + 8);
  double* io = memory.data();
  while (reinterpret_cast<std::uintptr_t>(io) % 64 != 0) ++io;
  for (std::size_t k = 0; k < states; ++k) {
    double* at = io + k / n * size + k % n;
    for (const auto* numbers : {&s.q[k], &s.v[k], &s.tau[k]})
      for (const double x : *numbers) *at = x, at += n;
  }
  for (std::size_t k = 0; k < states; ++k) {
    if (k % n == 0) forward(io + k / n * size);
    s.forward(int(k));
    for (std::size_t j = 0; j < nv; ++j)
      if (io[k / n * size + (nq + 2 * nv + j) * n + k % n] != s.qdd[j]) {
        std::fprintf(stderr, "%s: compiled accelerations differ\n", s.name.c_str());
        std::exit(1);
      }
  }
  const Timing t = compare([&](int i) { forward(io + std::size_t(i) % groups * size); },
                           [&](int i) {
                             for (int lane = 0; lane < lanes; ++lane) s.forward((i * lanes + lane) % states);
                           },
                           std::max(2, 1500 / s.model.nlink / lanes));
  const double ours = t.ours / lanes;
  const std::string how = lanes > 1 ? ", compiled, a lane of " + std::to_string(lanes) : ", compiled";
  rows.push_back(
      {"forward dynamics, " + s.name + how, ours * 1e9, "ns", "our scalar", t.theirs / lanes * 1e9, t.ratio});
  print(rows.back());
  rows.push_back({"forward dynamics, " + s.name + how, ours * 1e9, "ns", "MuJoCo, one at a time", mujoco,
                  ours * 1e9 / mujoco, target});
  print(rows.back());
}

double mujoco_target(const std::string& name) {
  if (name == "chain20") return 0.54;
  if (name == "chain50") return 0.30;
  if (name == "chain200") return 0.05;
  if (name == "chain2" || name == "hexapod" || name == "humanoid") return 0.50;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::Row> rows;
#ifdef __AVX512F__
  const double batch_target = 3;
#else
  const double batch_target = 2;
#endif
  std::printf("%s\n", instruction_set().c_str());
  std::vector<double> per_link;
  for (const char* name :
       {"bounder", "hexapod", "humanoid", "chain2", "chain5", "chain10", "chain20", "chain50", "chain200"}) {
    Subject s(name);
    compare_with(s, "MuJoCo", mujoco_peer(s.file), mujoco_target(name), rows);
    const double mujoco = rows.back().peer_value;
    if (std::string(name) == "chain20") per_link.push_back(rows.back().value / s.model.nlink);
    if (std::string(name) == "chain200") per_link.push_back(rows.back().value / s.model.nlink);
    compare_with(s, "Bullet", bullet_peer(s.creature), 0, rows);
    compare_with(s, "DART", dart_peer(s.creature), 0, rows);
    const Timing batch = compare_batch(s);
    // ratio: how many times cheaper a creature is in a batch
    rows.push_back({"batch lane, " + s.name, batch.ours * 1e9, "ns", "our scalar", batch.theirs * 1e9,
                    1 / batch.ratio, s.model.nlink >= 20 && s.model.nlink <= 40 ? batch_target : 0, true});
    print(rows.back());
    rows.push_back({"batch lane, " + s.name, batch.ours * 1e9, "ns", "MuJoCo, one at a time", mujoco,
                    batch.ours * 1e9 / mujoco});
    print(rows.back());
    if (s.model.nlink > 60) continue;  // code in proportion to the links
    const bool named = s.name == "bounder" || s.name == "hexapod" || s.name == "humanoid";
    compare_compiled(s, 1, mujoco, !named ? 0 : s.name == "bounder" ? 0.15 : 0.3, rows);
    compare_compiled(s, vector_lanes, mujoco, named ? 0.08 : 0, rows);
  }
  rows.push_back({"cost a link, chain of 200 over chain of 20", per_link[1], "ns", "chain of 20", per_link[0],
                  per_link[1] / per_link[0], 1.3});
  print(rows.back());
  const std::string file = json_argument(argc, argv);
  if (!file.empty()) add_to_json(file, rows);
}
