// How long a step may be, and what to say when it was too long.
//
// A spring k and a damper b on an apparent mass m (J M^-1 J^T = 1/m in their direction) oscillate apart under
// semi-implicit Euler when h exceeds 2 / sqrt(k/m), or 2 m/b for a damper alone; Runge-Kutta bears about 1.4
// times as much. The implicit integrator has no such bound for what it treats.
//
// An exponential ground F = a (e^(c depth) - 1) grows as stiff as the impact is fast: it stops a point of
// speed u where its stiffness is m (c u)^2 / 2, and a step that goes in by more than a share of 1/c jumps
// past that.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/assess.h"
#include "math/real.h"
#include "sim/simulation.h"

namespace legwork {

namespace {

constexpr double default_dt = 1e-3;
constexpr double safety = 0.5;
// Of the largest edge, what a body that lands may cross in an implicit step. A cockroach of 3 cm, whose
// springs are exponential, needs it: at 0.04 three of a hundred falls from up to 1.5 m wind a spring up by
// more than their energy.
constexpr double landing_share = 0.02;
constexpr double landing_least = 2e-5;  // s
constexpr double deepest_entry = 0.5;   // in units of 1/sharpness, of one step at the speed of impact

double longest(double k, double b, double m) {
  double h = unlimited;
  if (k > 0) h = std::min(h, 2 / std::sqrt(k / m));
  if (b > 0) h = std::min(h, 2 * m / b);
  return h;
}

// Apparent masses at one configuration.
class Apparent {
 public:
  Apparent(const System<double>& s, const std::vector<double>& q) : model_(s.model), w_(s.model) {
    const std::vector<double> zero(model_.nv, 0);
    std::vector<double> qdd(model_.nv);
    update_positions(model_, q.data(), w_);
    update_velocities(model_, q.data(), zero.data(), w_);
    clear_forces(model_, w_);
    forward_dynamics(model_, zero.data(), w_, qdd.data());
  }
  // against a generalised force
  double mass(const std::vector<double>& J) {
    std::vector<double> x(model_.nv);
    solve_mass_matrix(model_, w_, J.data(), x.data());
    double sum = 0;
    for (int i = 0; i < model_.nv; ++i) sum += J[i] * x[i];
    return sum > 0 ? 1 / sum : unlimited;
  }
  // inverse mass of a link's point against a force along n
  double mass(int link, const Vec3d& point, const Vec3d& n) {
    std::vector<double> J(std::size_t(6) * model_.nv), row(model_.nv);
    point_jacobian(model_, w_, link, point, J.data());
    for (int i = 0; i < model_.nv; ++i)
      for (int axis = 0; axis < 3; ++axis) row[i] += n[axis] * J[std::size_t(3 + axis) * model_.nv + i];
    return mass(row);
  }
  double mass(int dof) {
    std::vector<double> e(model_.nv, 0);
    e[dof] = 1;
    return mass(e);
  }

 private:
  const Model<double>& model_;
  Workspace<double> w_;
};

void consider(StableStep& best, double dt, const std::string& what) {
  if (dt < best.dt) best = {dt, what};
}

void consider_joints(const System<double>& s, const std::vector<double>& q, Apparent& apparent,
                     StableStep& best) {
  const JointForces<double>& j = s.joints;
  const std::vector<const Dof*> dofs = s.world.body.dofs();
  std::vector<double> x(j.nv);
  joint_positions(j, q.data(), x.data());
  for (int i = 0; i < j.nv; ++i) {
    double k = j.stiffness[i];
    if (j.has_exponential[i])
      k +=
          j.strength[i] * j.sharpness[i] * exp(std::min(j.sharpness[i] * std::fabs(x[i] - j.rest[i]), 700.0));
    const double limit_k = j.has_limit[i] ? j.limit_stiffness[i] : 0,
                 limit_b = j.has_limit[i] ? j.limit_damping[i] : 0;
    if (k == 0 && j.damper[i] == 0 && limit_k == 0) continue;
    const double m = apparent.mass(i);
    consider(best, longest(k, 0, m), "the spring of '" + dofs[i]->name + "'");
    consider(best, longest(0, j.damper[i], m), "the damper of '" + dofs[i]->name + "'");
    consider(best, longest(limit_k, limit_b, m), "the limit of '" + dofs[i]->name + "'");
  }
  for (std::size_t i = 0; i < s.actuators.size(); ++i) {
    const ActuatorUnit<double>& a = s.actuators[i];
    if (a.type != ActuatorType::angular) continue;
    const double g2 = a.gear * a.gear;
    consider(best, longest(a.ks * g2, a.kd * g2, apparent.mass(a.dof)),
             "the actuator '" + s.world.body.actuators[i].name + "'");
  }
}

void consider_ground(const System<double>& s, double impact, Apparent& apparent, StableStep& best) {
  if (s.world.terrain.type == TerrainType::none || s.world.contact.type == ContactType::rigid) return;
  for (std::size_t i = 0; i < s.contacts.sites.size(); ++i) {
    const ContactSite<double>& c = s.contacts.sites[i];
    const bool linear = s.contacts.options.type == ContactType::linear;
    // an exponential spring at the depth where it carries three times its strength
    const double k = linear ? c.stiffness : 4 * c.strength * c.sharpness, b = linear ? c.damping : 0;
    const std::string what = "the ground under '" + s.world.body.contacts[i].name + "'";
    consider(best, longest(k, b, apparent.mass(c.link, c.pos, {0, 0, 1})), what);
    if (!linear && impact > 0) consider(best, deepest_entry / (impact * c.sharpness), what);
    const double side =
        std::min(apparent.mass(c.link, c.pos, {1, 0, 0}), apparent.mass(c.link, c.pos, {0, 1, 0}));
    consider(best, longest(c.bristle_stiffness, c.bristle_damping, side), what);
  }
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string likely_cause(const System<double>& system, const std::vector<double>& q,
                         const std::vector<double>& v, const StepOptions& options) {
  StableStep stable = stable_step(system, q);
  if (stable.dt >= options.dt) stable = stable_step(system, q, impact_speed(system, q, v));
  const bool implicit = options.integrator == Integrator::implicit;
  const std::string dt = number(options.dt) + " s";
  if (options.integrator == Integrator::rkf45) return stable.what + " is stiff; try --integrator implicit";
  if (!implicit && stable.dt < options.dt)
    return stable.what + " bears steps of at most " + number(stable.dt) + " s with " +
           to_string(options.integrator) + ", and dt is " + dt + "; try --integrator implicit or --dt " +
           number(safety * stable.dt);
  if (stable.dt < options.dt)
    return "dt is " + dt + ", long for " + stable.what + " (explicit steps: " + number(stable.dt) +
           " s); try --dt " + number(options.dt / 10);
  return "no spring or contact is too stiff for dt " + dt + ": look at what drives it, or try --dt " +
         number(options.dt / 10);
}

}  // namespace

double impact_speed(const System<double>& system, const std::vector<double>& q,
                    const std::vector<double>& v) {
  Workspace<double> w(system.model);
  update_positions(system.model, q.data(), w);
  update_velocities(system.model, q.data(), v.data(), w);
  const Vec3d& g = system.model.gravity;
  double fastest = 0;  // squared
  for (const ContactSite<double>& c : system.contacts.sites) {
    const Vec3d p = point_position(w, c.link, c.pos), u = point_velocity(w, c.link, c.pos);
    fastest = std::max(fastest, dot(u, u) + std::max(0.0, -2 * dot(g, p)));
  }
  return std::sqrt(fastest);
}

StableStep stable_step(const System<double>& system, const std::vector<double>& q, double impact) {
  StableStep best;
  if (system.model.nv == 0) return best;
  Apparent apparent(system, q);
  consider_joints(system, q, apparent, best);
  consider_ground(system, impact, apparent, best);
  return best;
}

StepOptions choose_step(const System<double>& system, const std::string& integrator, double dt,
                        double impact) {
  const Creature& body = system.world.body;
  StepOptions options;
  if (!integrator.empty() || !body.integrator.empty())
    options.integrator = parse_integrator(integrator.empty() ? body.integrator : integrator);
  else if (system.world.contact.restitution > 0 && system.world.contact.type != ContactType::rigid)
    options.integrator = Integrator::rkf45;
  if (system.world.contact.restitution > 1) options.max_gain = 0;
  options.dt = dt > 0 ? dt : body.dt > 0 ? body.dt : default_dt;
  const bool chosen = dt <= 0 && body.dt <= 0;
  // what lands fast crosses no more than a small part of its own size in a step
  if (chosen && options.integrator == Integrator::implicit && impact > 0) {
    const Vec3d edges = assess(body).size;
    const double wanted = landing_share * std::max({edges.x, edges.y, edges.z}) / impact;
    if (wanted > 0) options.dt = std::min(options.dt, std::max(wanted, landing_least));
  }
  if (chosen && (options.integrator == Integrator::euler || options.integrator == Integrator::rk4))
    options.dt = std::min(options.dt, safety * stable_step(system, body.pose("stand"), impact).dt);
  return options;
}

template <class T>
std::string Simulation<T>::explain(int lane_index) const {
  const Failure& f = failures_[lane_index];
  if (f.status == Status::ok) return "";
  const Creature& body = system_->world.body;
  std::string text = std::string(to_string(f.status)) + " at " + number(f.time) + " s";
  if (f.status != Status::diverged || f.dof < 0) return text;

  const std::string who = "'" + body.dofs()[f.dof]->name + "' of link '" +
                          body.links[system_->model.link_of_dof[f.dof]].name + "'";
  switch (f.cause) {
    case Cause::not_finite:
      text += ": " + who + " is not finite";
      break;
    case Cause::too_fast:
      text += ": " + who + " is faster than " + number(options.max_speed) + " per s";
      break;
    default:
      text += ": energy from nowhere, " + who + " is the fastest";
  }
  std::vector<double> q, v;
  for (const T& x : state.q) q.push_back(lane(x, lane_index));
  for (const T& x : state.v) v.push_back(lane(x, lane_index));
  return text + "; " + likely_cause(make_system(system_->world), q, v, options);
}

template std::string Simulation<double>::explain(int) const;
template std::string Simulation<Batch>::explain(int) const;

}  // namespace legwork
