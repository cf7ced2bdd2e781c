#include "tests/scenes/mujoco_walker.h"

#include <cmath>

#include <legwork/gait.h>
#include "base/stopwatch.h"
#include "control/driven_body.h"
#include "control/fallen.h"
#include "creature/strength.h"
#include "tests/scenes/mujoco_stage.h"
#include "walk/walk.h"

namespace legwork {

namespace {

// What DrivenBody does for our simulation.
class Hands {
 public:
  Hands(const LeggedBody& body, LeggedController& control)
      : body_(body),
        control_(control),
        held_(body.system->joints),
        keeps_(std::size_t(held_.nv)),
        x_(keeps_.size()),
        rest_(keeps_.size()),
        tau_(keeps_.size()),
        load_(body.legs.size()) {
    for (const int d : body.posture)
      keeps_[std::size_t(d)] = held_.has_spring[std::size_t(d)] || held_.has_exponential[std::size_t(d)];
    for (std::size_t d = 0; d < keeps_.size(); ++d) {
      held_.damper[d] = 0;
      if (held_.coordinate[d] >= 0) held_.has_limit[d] = 0;  // MuJoCo has these
      if (!keeps_[d]) held_.has_spring[d] = held_.has_exponential[d] = 0;
    }
  }

  void ask(const MujocoStage& stage, const LegCommand& command) {
    if (stage.time() < due_ - 0.5 * stage.dt()) return;
    due_ = std::max(due_ + control_step / body_.rate, stage.time());
    for (std::size_t i = 0; i < load_.size(); ++i) load_[i] = norm(stage.leg_force(int(i)));
    asked_ = stage.time();
    v_ = stage.v();
    control_.update(stage.time(), stage.q(), stage.v(), load_, body_.system->world.terrain, command);
  }

  const std::vector<double>& torques(const MujocoStage& stage) {
    joint_positions(held_, stage.q().data(), x_.data());
    const std::vector<double>& damper = body_.system->joints.damper;
    for (std::size_t d = 0; d < tau_.size(); ++d) {
      const double ahead = stage.time() - asked_ + stage.dt();
      const bool root = int(d) >= body_.root_v && int(d) < body_.root_v + 6;
      tau_[d] = root || keeps_[d]
                    ? 0
                    : control_.torque()[d] + damper[d] * (v_[d] + control_.acceleration()[d] * ahead);
      rest_[d] = keeps_[d] ? body_.x[d] + spring_bend(held_, int(d), control_.torque()[d]) : x_[d];
    }
    add_joint_forces<double>(held_, x_.data(), stage.v().data(), rest_.data(), 0.0, false, tau_.data(),
                             nullptr);
    return tau_;
  }

 private:
  const LeggedBody& body_;
  LeggedController& control_;
  JointForces<double> held_;  // springs outside the legs, and limits of balls
  std::vector<char> keeps_;
  std::vector<double> x_, rest_, tau_, load_, v_;
  double due_ = 0, asked_ = 0;
};

Motion walk_there(const World& world, const WalkOptions& options, const std::vector<double>& strength,
                  double speed) {
  System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, strength);
  damp_motors(body, system);
  LeggedController control(body);
  control.schedule = choose_schedule(body, 0, 0, control.state.there);
  control.schedule.speed = speed;
  MujocoStage stage(world, {.dt = 0, .passive = false, .dampers = system.joints.damper});
  const std::vector<double> q = lay_on(body, world.terrain, {}, 0);
  stage.reset(q);
  control.start(0, q, 0, world.terrain);
  Hands hands(body, control);
  Workspace<double> w(system.model);
  LegCommand command;
  command.speed = speed;
  const std::vector<Loss> losses = parse_losses(options.lose, world.body);
  std::size_t lost = 0;
  Motion motion = stage.begin_motion();
  // torques at joints, what dampers take from them included
  const auto record = [&] {
    stage.record(motion);
    for (std::size_t d = 0; d < stage.v().size(); ++d)
      motion.tau[motion.tau.size() - stage.v().size() + d] -= system.joints.damper[d] * stage.v()[d];
  };
  record();
  const auto end = [&](Status status) {
    motion.status = status;
    motion.status_time = stage.time();
  };
  for (double frame = 1 / world.rate; stage.time() < options.seconds - 0.5 * stage.dt();) {
    for (; lost < losses.size() && losses[lost].time <= stage.time(); ++lost) control.lose(losses[lost].leg);
    hands.ask(stage, command);
    if (!stage.step(hands.torques(stage))) {
      end(Status::diverged);
      break;
    }
    if (stage.time() < frame - 0.5 * stage.dt()) continue;
    frame += 1 / world.rate;
    record();
    update_positions(system.model, stage.q().data(), w);
    if (has_fallen(body, world.terrain, w)) {
      end(Status::fell);
      break;
    }
  }
  return motion;
}

}  // namespace

WalkerRun run_walker_in_mujoco(const World& home, int number, const std::string& name,
                               const WalkerTrial& trial, double speed) {
  WalkerRun run = begin_run(home.body, number, name);
  const Stopwatch stopwatch;
  try {
    const WalkerTask task = walker_task(home, number, name, trial);
    run.duration = task.options.seconds;
    World world = task.world;
    add_payload(world.body, task.options.payload);
    world.body.actuators.clear();
    Result result;
    result.motion = walk_there(world, task.options, dof_strengths(home.body), speed);
    result.gait = measure_gait(result.motion);
    result.account.values["asked_speed"] = speed;
    finish_run(std::move(result), home.body, trial, run);
  } catch (const Error& error) {
    run.verdict.lacks = "refused";
    run.verdict.reason = std::string("refused: ") + error.what();
  }
  run.seconds = stopwatch.seconds();
  return run;
}

}  // namespace legwork
