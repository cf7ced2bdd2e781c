#include "compile/programs.h"

namespace legwork {

namespace {

const NumberOf as_constant = [](double x) { return Trace(x); };

constexpr const char *about_q = "positions, m and rad: see the head of this file",
                     *about_v = "velocities, m/s and rad/s", *about_qdd = "accelerations, m/s^2 and rad/s^2",
                     *about_tau = "forces and torques on the joints, N and N m";

// A body at a state that is read.
struct AtState {
  Model<Trace> model;
  Workspace<Trace> w;
  std::vector<Trace> q, v;

  AtState(Tape& tape, const System<double>& system, bool moving)
      : model(record(system.model, as_constant)), w(model) {
    q = inputs(tape, tape.array("q", model.nq, about_q), 0, model.nq);
    v.assign(std::size_t(model.nv), Trace());
    if (moving) v = inputs(tape, tape.array("v", model.nv, about_v), 0, model.nv);
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
    clear_forces(model, w);
  }
};

void write(Tape& tape, const char* name, const std::vector<Trace>& values, const std::string& about) {
  const int array = tape.array(name, int(values.size()), about);
  for (std::size_t i = 0; i < values.size(); ++i) tape.output(array, int(i), values[i]);
}

}  // namespace

std::vector<Trace> inputs(Tape& tape, int array, int first, int count) {
  std::vector<Trace> values;
  for (int i = 0; i < count; ++i) values.push_back(tape.input(array, first + i));
  return values;
}

std::unique_ptr<Tape> record_forward(const System<double>& system) {
  auto tape = std::make_unique<Tape>();
  const Recording recording(*tape);
  AtState at(*tape, system, true);
  const Model<Trace>& m = at.model;
  const std::vector<Trace> tau = inputs(*tape, tape->array("tau", m.nv, about_tau), 0, m.nv);
  std::vector<Trace> qdd(std::size_t(m.nv));
  forward_dynamics(m, tau.data(), at.w, qdd.data());
  const Creature& c = system.world.body;
  int rows = int(c.couplings.size()), terms = 0;
  for (const Loop& loop : c.loops) rows += rows_of(loop);
  for (const Coupling& coupling : c.couplings) terms += terms_of(coupling);
  if (rows > 0) {
    const JointForces<Trace> joints = record(system.joints, as_constant);
    std::vector<Trace> x(std::size_t(m.nv));
    joint_positions(joints, at.q.data(), x.data());
    Constraints<Trace> constraints(m, rows, terms);
    for (const Loop& loop : c.loops) add_loop(loop, Trace(unlimited), at.w, constraints);
    for (const Coupling& coupling : c.couplings)
      add_coupling(coupling, Trace(unlimited), x.data(), at.v.data(), constraints);
    apply_constraints(m, constraints, at.w, qdd.data());
  }
  write(*tape, "qdd", qdd, about_qdd);
  return tape;
}

std::unique_ptr<Tape> record_inverse(const System<double>& system) {
  auto tape = std::make_unique<Tape>();
  const Recording recording(*tape);
  AtState at(*tape, system, true);
  const std::vector<Trace> qdd = inputs(*tape, tape->array("qdd", at.model.nv, about_qdd), 0, at.model.nv);
  std::vector<Trace> tau(std::size_t(at.model.nv));
  inverse_dynamics(at.model, qdd.data(), at.w, tau.data());
  write(*tape, "tau", tau,
        std::string(about_tau) + (system.world.body.loops.empty() ? "" : ", with loops open"));
  return tape;
}

std::unique_ptr<Tape> record_mass_matrix(const System<double>& system) {
  auto tape = std::make_unique<Tape>();
  const Recording recording(*tape);
  AtState at(*tape, system, false);
  std::vector<Trace> M(std::size_t(at.model.nv) * std::size_t(at.model.nv));
  mass_matrix(at.model, at.w, M.data());
  write(*tape, "M", M, "mass matrix, rows of nv, symmetric: kg, kg m and kg m^2");
  return tape;
}

std::unique_ptr<Tape> record_jacobian(const System<double>& system, int link, const Vec3d& point) {
  auto tape = std::make_unique<Tape>();
  const Recording recording(*tape);
  AtState at(*tape, system, false);
  const Vec3<Trace> x(point);
  std::vector<Trace> J(std::size_t(6 * at.model.nv));
  point_jacobian(at.model, at.w, link, x, J.data());
  const Vec3<Trace> p = point_position(at.w, link, x);
  write(*tape, "position", {p.x, p.y, p.z}, "of the point, world, m");
  write(*tape, "J", J, "six rows of nv: angular velocity x y z, rad/s, and velocity x y z, m/s, world axes");
  return tape;
}

std::unique_ptr<Tape> record_step(const System<double>& system, const StepOptions& given) {
  auto tape = std::make_unique<Tape>();
  const Recording recording(*tape);
  const System<Trace> recorded = record(system, as_constant, as_constant);
  StepOptions options = given;
  options.max_gain = 0;
  Simulation<Trace> sim(recorded, options);
  const Model<Trace>& m = recorded.model;
  State<Trace>& state = sim.state;
  const int q = tape->array("q", m.nq, about_q), v = tape->array("v", m.nv, about_v);
  state.q = inputs(*tape, q, 0, m.nq), state.v = inputs(*tape, v, 0, m.nv);
  const std::vector<Trace> old_q = state.q, old_v = state.v;
  int memories = 0;
  for_each_memory(recorded.contacts, state.contact, [&](Trace&) { ++memories; });
  const int memory = tape->array("memory", memories, "what contact points remember; 0 at the start");
  int next = 0;
  for_each_memory(recorded.contacts, state.contact, [&](Trace& x) { x = tape->input(memory, next++); });
  state.contact.changed();
  const int lag =
      tape->array("activation", int(state.activation.size()), "what actuators follow in place of targets");
  state.activation = inputs(*tape, lag, 0, int(state.activation.size()));
  const int nu = int(recorded.actuators.size());
  state.drive.tau = inputs(*tape, tape->array("tau", m.nv, about_tau), 0, m.nv);
  state.drive.target =
      inputs(*tape, tape->array("target", nu, "of each actuator: rad, m, or N m and N for motors"), 0, nu);
  sim.refresh();
  sim.step();
  const auto write_state = [&](int array, const std::vector<Trace>& now, const std::vector<Trace>& before) {
    for (std::size_t i = 0; i < now.size(); ++i)
      tape->output(array, int(i), select(sim.lawful, now[i], before[i]));
  };
  write_state(q, state.q, old_q), write_state(v, state.v, old_v);
  next = 0;
  for_each_memory(recorded.contacts, state.contact, [&](Trace& x) { tape->output(memory, next++, x); });
  for (std::size_t i = 0; i < state.activation.size(); ++i) tape->output(lag, int(i), state.activation[i]);
  write(*tape, "qdd", sim.qdd, about_qdd);
  std::vector<Trace> forces;
  for (const SiteRecord<Trace>& r : sim.ground_contacts)
    for (int k = 0; k < 3; ++k) forces.push_back(r.force[k]);
  write(*tape, "contact_force", forces, "of the ground on each contact point, world axes, N");
  write(*tape, "ok", {select(sim.lawful, Trace(1), Trace(0))},
        "1; 0: too fast or not finite, and the state is as before");
  return tape;
}

}  // namespace legwork
