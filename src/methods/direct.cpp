// direct: move a creature by an algorithm on intuitive quantities, or perform a motion by physics.

#include "base/within.h"
#include "creature/check.h"
#include "formats/toml/program_toml.h"
#include "methods/direct_account.h"
#include "methods/finish.h"
#include "methods/method_of.h"

namespace legwork {

namespace {

Choices algorithm_choices() {
  Choices choices;
  for (const ShippedProgram& p : shipped_programs()) choices.values.emplace_back(p.name, p.about);
  choices.values.emplace_back("FILE.toml", "your own; docs/direct.md has the format");
  return choices;
}

Program program_of(const DirectOptions& options) {
  Program program = load_program(options.algorithm);
  for (const std::string& assignment : options.set) set_constant(program, assignment);
  return program;
}

Grade ground_of(const DirectOptions& options, const Program& program) {
  using Ground = DirectOptions::Ground;
  switch (options.ground) {
    case Ground::held:
      return Grade::held;
    case Ground::unilateral:
      return Grade::unilateral;
    case Ground::penalty:
      return Grade::penalty;
    case Ground::automatic:
      break;
  }
  return program.ground == "held"         ? Grade::held
         : program.ground == "unilateral" ? Grade::unilateral
                                          : Grade::penalty;
}

DirectorOptions director_options(const World& world, const DirectOptions& options, const Program& program) {
  DirectorOptions director;
  director.ground = ground_of(options, program);
  director.dt = world.dt > 0 ? world.dt : program.dt;
  director.pose = options.pose;
  director.restitution = options.restitution;
  return director;
}

// An algorithm may name links and points that only the body it was written for has.
void install_on(const Creature& body, const Program& program, Director& director) {
  try {
    install(program, director);
  } catch (const Error& e) {
    const std::string& meant = program.creature;
    if (meant.empty() || meant == body.name) throw;
    throw with_advice(e, "'" + program.name + "' is written for '" + meant + "'");
  }
}

// Carries out the algorithm. Returns the step that it took.
StepOptions follow_algorithm(const World& world, const DirectOptions& options, const Run& run,
                             Result& result) {
  const Program program = program_of(options);
  Director director(world, director_options(world, options, program));
  install_on(world.body, program, director);
  check_frames(world, options.seconds);
  Meter meter(run, "directing", long(options.seconds * 1000));
  director.watch = [&](const Director& d) {
    meter.reach(long(d.time() * 10) * 100);
    return !meter.stopped();
  };
  Motion& motion = result.motion;
  motion = director.run(options.seconds, world.rate);
  stop_unless_kept(run);
  if (motion.status == Status::ok && !motion.creature.legs.empty() && has_fallen(motion)) {
    motion.status = Status::fell;
    motion.status_text = "fell";
  }
  result.account = tell_algorithm(motion, program, director);
  return {.integrator = Integrator::rk4, .dt = director.options.dt};
}

// Performs the motion of a file. Returns the step that it took.
StepOptions follow_motion(const World& world, const DirectOptions& options, const Run& run, Result& result) {
  Performance performance = perform_track(world, options, run);
  result.account = tell_performance(performance);
  const StepOptions step = performance.tracked.step;
  result.motion = std::move(performance.tracked.motion);
  Result source;
  source.motion = std::move(performance.source.motion);
  source.account.title = "the source";
  source.account.statements.push_back({"this is the motion to be followed, by kinematics alone"});
  result.others.push_back(std::move(source));
  return step;
}

}  // namespace

void describe(Options& v, DirectOptions& o) {
  v.text("algorithm", o.algorithm, algorithm_choices(), "what to do");
  v.file("track", o.track, "a motion to perform by physics instead: FILE.glb, or FILE.bvh by joint names");
  v.number("tempo", o.tempo, {0.01, 100, "1", "speed of --track, as a multiple of the recorded one"});
  v.number("seconds", o.seconds, {0, 86400, "s", "length of the motion; with --track at most this long"});
  v.texts("set", o.set, {"NAME=VALUE"}, "a constant of the algorithm; may be repeated");
  v.choice("ground", o.ground,
           {{"auto", "as the algorithm says"},
            {"held", "feet held and let go by command"},
            {"unilateral", "rigid contact that pushes only, with friction; impacts"},
            {"penalty", "springs and dampers, as the other verbs"}},
           "what the feet stand on");
  v.number("restitution", o.restitution,
           {0, 1, "1", "share of the speed that an impact gives back, on unilateral ground"});
  v.text("pose", o.pose, {"POSE"}, "named pose to start from");
}

Result direct(const World& world, const DirectOptions& asked, const Run& run) {
  const Call call("direct", world, asked, run);
  const DirectOptions& options = call.options;
  check_pose(world.body, options.pose);

  Result result;
  const StepOptions step = options.track.empty() ? follow_algorithm(world, options, run, result)
                                                 : follow_motion(world, options, run, result);
  call.finish(result, in_words(world, step));
  return result;
}

std::unique_ptr<Method> direct_method() {
  return std::make_unique<MethodOf<DirectOptions>>(
      MethodText{"direct",
                 "move a body by an algorithm on what you care about, or perform a motion by physics",
                 "legwork direct biped --algorithm walk --seconds 20 --report walk.html\n"
                 "legwork direct biped --algorithm walk --set stride=0.6 --set time_in_air=0.4\n"
                 "legwork direct biped --algorithm stand --push 200,0,0@1+0.2\n"
                 "legwork direct biped --algorithm my_dance.toml --out dance.glb\n"
                 "legwork direct dog --track trot.glb --report trot.html"},
      direct);
}

}  // namespace legwork
