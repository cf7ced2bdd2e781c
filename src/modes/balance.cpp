#include "modes/balance.h"

#include <algorithm>

#include "base/text.h"
#include "control/driven_body.h"
#include "control/fallen.h"
#include "creature/strength.h"
#include "modes/gait_style.h"

namespace legwork {

namespace {

// Of the stroke for which soles stay flat: what a foot may go along the ground. Who leaps has one foot alone
// to turn the body by.
constexpr double walking_stroke = 1.4, leaping_stroke = 0.8;

void check(const World& world, const Limbs& limbs) {
  const Creature& c = world.body;
  if (world.terrain.type == TerrainType::none)
    throw Error(c.where, c.name, "has no ground to balance on", "leave --terrain none out, or --balance");
  if (limbs.legs.size() < 2)
    throw Error(c.where, c.name, "has too few legs to balance on", "give it [[leg]] entries");
  const std::vector<Joint>& joints = c.links[size_t(limbs.root)].joints;
  if (joints.size() != 1 || joints[0].type != JointType::free)
    throw Error(c.where, "link '" + c.links[size_t(limbs.root)].name + "'",
                "does not move freely, so there is nothing to balance", "leave --balance out");
}

// The world with the springs of the analysis and standing as it is analysed; motors are the controller's.
World prepared(const World& given, const Modes& modes, const BalanceOptions& options) {
  World world = given;
  world.body = with_springs(given.body, modes.q0, modes.stiffness, {0, options.damping});
  world.body.actuators.clear();
  const auto stand = std::find_if(world.body.poses.begin(), world.body.poses.end(),
                                  [](const Pose& pose) { return pose.name == "stand"; });
  if (stand != world.body.poses.end())
    stand->q = modes.q0;
  else
    world.body.poses.push_back({"stand", modes.q0, {}});
  return world;
}

// No faster than the feet can follow on the ground; then all of the gait is smaller by as much.
void keep_soles_flat(const LeggedBody& body, GaitStyle& style) {
  const Schedule& s = style.schedule();
  const double most = (s.duty < 0.5 ? leaping_stroke : walking_stroke) * body.flat_stroke / s.stance();
  if (s.speed > most) style.calm_down(most / s.speed);
}

}  // namespace

Motion balance(const World& given, const Modes& modes, const Limbs& limbs, PlantedGait& gait,
               const BalanceOptions& options, StepOptions& step) {
  check(given, limbs);
  const World world = prepared(given, modes, options);
  const System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, dof_strengths(given.body));
  step = choose_step(system, world.integrator.empty() ? "implicit" : world.integrator, world.dt, 0);
  if (world.dt <= 0 && world.body.dt <= 0) step.dt = std::min(step.dt, suited_step(body));
  GaitStyle style(body, limbs, gait, options.hz);
  keep_soles_flat(body, style);
  LeggedController control(body);
  control.schedule = style.schedule();
  control.style = &style;
  Simulation<double> sim(system, step);
  const std::vector<double> q = lay_on(body, world.terrain, {}, 0);
  sim.reset(q);
  sim.pushes = world.pushes;
  control.start(0, q, 0, world.terrain);
  DrivenBody driven(body, control, sim);
  driven.command.speed = control.schedule.speed, driven.command.turn = options.turn;
  bool fell = false;
  Motion motion = run(sim, options.seconds, world.rate, [&](const Simulation<double>& s) {
    fell = has_fallen(body, world.terrain, s.w);
    return !fell && (!options.watch || options.watch(s));
  });
  if (fell) {
    motion.status = Status::fell;
    motion.status_time = sim.state.time;
    motion.status_text = "fell at " + brief(sim.state.time) + " s";
  }
  step = sim.options;
  return motion;
}

}  // namespace legwork
