// A six-legged insect standing on its feet: whole simulation steps with contact beside MuJoCo's.
//
// Speed is compared at equal accuracy. Each simulator is its own reference at a very short step; its longest
// step whose height of the root stays within 1 mm, under 1 % of the hip height, of that reference over half a
// second is the one that counts, and the real-time factor is simulated time over wall time at that step.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <legwork/files.h>
#include "bench/peers/peer.h"
#include "bench/rows.h"
#include "dynamics/dynamics.h"
#include "sim/simulation.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

const std::string file = LEGWORK_SOURCE_DIR "/bench/models/hexapod_contact.xml";
constexpr double seconds = 0.5, tolerance = 1e-3, reference_step = 1e-5;

// Legs bent so that the feet stand under the knees, the feet on the ground.
std::vector<double> standing(const Creature& c) {
  const Model<double> m = make_model(c);
  Workspace<double> w(m);
  std::vector<double> q = c.pose("zero");
  int at = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      if (joint.name.find("femur") != std::string::npos) q[at] = -0.4;
      if (joint.name.find("tibia") != std::string::npos) q[at] = 1.6;
      at += nq(joint);
    }
  update_positions(m, q.data(), w);
  double lowest = 1e300;
  for (const ContactPoint& p : c.contacts)
    lowest = std::min(lowest, point_position(w, p.link, p.pos).z - p.radius);
  q[2] -= lowest;
  return q;
}

// Heights of the root every 10 ms.
std::vector<double> our_heights(const System<double>& system, const std::vector<double>& q, double dt) {
  StepOptions options = choose_step(system, "implicit", dt);
  Simulation<double> sim(system, options);
  sim.reset(q);
  std::vector<double> heights;
  for (double t = 0.01; t < seconds + 1e-9; t += 0.01) {
    while (sim.state.time < t - dt / 2) sim.step();
    heights.push_back(sim.state.q[2]);
  }
  return heights;
}

std::vector<double> mujoco_heights(const std::vector<double>& q, double dt) {
  MujocoSimulation sim(file);
  sim.set_timestep(dt);
  sim.reset(q);
  std::vector<double> heights;
  for (double t = 0.01; t < seconds + 1e-9; t += 0.01) {
    sim.step(int(std::lround(0.01 / dt)));
    heights.push_back(sim.positions()[2]);
  }
  return heights;
}

double error(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return std::isfinite(most) ? most : 1e300;
}

// The longest of the usual steps that is accurate enough.
template <class Heights>
double accurate_step(const Heights& heights) {
  const std::vector<double> reference = heights(reference_step);
  for (const double dt : {5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5})
    if (error(heights(dt), reference) < tolerance) return dt;
  return 2e-5;
}

}  // namespace

int main(int argc, char** argv) {
  World world;
  world.body = load_creature(file);
  const std::vector<double> q = standing(world.body);
  const System<double> system = make_system(world);

  const double our_dt = accurate_step([&](double dt) { return our_heights(system, q, dt); });
  const double their_dt = accurate_step([&](double dt) { return mujoco_heights(q, dt); });

  Simulation<double> ours(system, choose_step(system, "implicit", our_dt));
  MujocoSimulation theirs(file);
  theirs.set_timestep(their_dt);
  const int our_steps = int(std::lround(seconds / our_dt)),
            their_steps = int(std::lround(seconds / their_dt));
  const Timing whole = compare(
      [&](int) {
        ours.reset(q);
        for (int i = 0; i < our_steps; ++i) ours.step();
      },
      [&](int) {
        theirs.reset(q);
        theirs.step(their_steps);
      },
      1, 31);
  int touching = 0;
  for (const SiteRecord<double>& site : ours.ground_contacts) touching += site.touching > 0;
  std::printf("feet on the ground at the end: ours %d, MuJoCo's %d\n", touching, theirs.contacts());
  const Timing t{whole.ours / our_steps, whole.theirs / their_steps, whole.ratio * their_steps / our_steps};
  std::vector<bench::Row> rows;
  rows.push_back(
      {"step with contact, standing hexapod", t.ours * 1e6, "us", "mj_step", t.theirs * 1e6, t.ratio});
  rows.push_back({"step that keeps the height to 1 mm", our_dt * 1e3, "ms", "MuJoCo", their_dt * 1e3,
                  our_dt / their_dt});
  const double factor = our_dt / t.ours, their_factor = their_dt / t.theirs;
  rows.push_back(
      {"real-time factor, standing hexapod", factor, "x", "MuJoCo", their_factor, factor / their_factor});
  for (const bench::Row& row : rows) print(row);
  const std::string json = json_argument(argc, argv);
  if (!json.empty()) add_to_json(json, rows);
}
