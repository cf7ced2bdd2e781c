#include "modes/stiffness.h"

#include <cmath>

#include "base/meter.h"
#include "base/text.h"
#include "creature/tree.h"
#include "dynamics/constrained.h"
#include "math/real.h"
#include "modes/coordinates.h"
#include "modes/option_text.h"
#include "motion/record.h"

namespace legwork {

namespace {

constexpr double most_tilt = 10 * pi / 180;  // rad
constexpr double most_sag = 0.2;             // rad
constexpr double fineness = 1.02;            // ratio of a stiffness that holds to one that does not

// Whether the creature with these springs still stands after `seconds` as it was put down.
bool stands(const World& world, const std::vector<double>& q, const std::vector<double>& k,
            const Rayleigh& damping, double seconds) {
  World tried = world;
  tried.body = with_springs(world.body, q, k, damping);
  const System<double> system = make_system(tried);
  SimOptions options;
  options.pose = "modes";
  options.height = 0;
  const Start start = start_of(system, options);
  Simulation<double> sim(system, choose_step(system));
  sim.reset(start.q);
  const std::vector<char> root = root_dofs(world.body);
  std::vector<double> x0(size_t(system.model.nv));
  joint_positions(system.joints, q.data(), x0.data());
  const Mat3d upright = sim.w.R[0];
  while (sim.state.time < seconds) {
    if (!sim.step()) return false;
    const Mat3d turned = sim.w.R[0] * transpose(upright);
    if (turned(2, 2) < cos(most_tilt)) return false;
    for (int i = 0; i < system.model.nv; ++i)
      if (!root[size_t(i)] && std::fabs(sim.x[size_t(i)] - x0[size_t(i)]) > most_sag) return false;
  }
  return true;
}

}  // namespace

std::vector<double> rest_pose(const Creature& creature, const std::string& pose) {
  std::vector<double> q = creature.pose(pose);
  if (creature.loops.empty()) return q;
  const double gap = close_loops(make_model(creature), creature.loops, q);
  if (gap > 1e-6)
    throw Error(creature.where, creature.name,
                "its loops stay open by " + to_text(gap) + " m in the pose '" + pose + "'",
                "choose a pose where they meet");
  return q;
}

std::vector<double> uniform_stiffness(const Creature& creature, double k) {
  const std::vector<char> root = root_dofs(creature);
  std::vector<double> all(root.size());
  for (size_t i = 0; i < root.size(); ++i) all[i] = root[i] ? 0 : k;
  return all;
}

std::vector<double> file_stiffness(const Creature& creature) {
  std::vector<double> k;
  for (const Dof* dof : creature.dofs()) {
    const Spring& spring = dof->spring;
    k.push_back(spring.type == SpringType::linear        ? spring.stiffness
                : spring.type == SpringType::exponential ? spring.stiffness * spring.sharpness
                                                         : 0);
  }
  return k;
}

std::vector<char> spine_links(const Creature& creature) {
  std::vector<char> spine(creature.links.size(), 0), trunk(creature.links.size(), 0);
  for (const int link : creature.trunk) spine[size_t(link)] = trunk[size_t(link)] = 1;
  for (const Label& label : creature.labels) {
    if (label.name != "head") continue;
    // up to the trunk, or to the root of a body without one
    for (int link = label.link; link >= 0 && !trunk[size_t(link)]; link = creature.links[size_t(link)].parent)
      spine[size_t(link)] = 1;
  }
  return spine;
}

void multiply_spine(const Creature& creature, double factor, std::vector<double>& k) {
  const std::vector<char> spine = spine_links(creature);
  size_t i = 0;
  for (size_t b = 0; b < creature.links.size(); ++b)
    for (const Joint& joint : creature.links[b].joints)
      for (int d = 0; d < nv(joint); ++d, ++i)
        if (spine[b]) k[i] *= factor;
}

void set_joint_stiffness(const Creature& creature, const std::string& text, std::vector<double>& k) {
  const size_t at = text.find('=');
  const std::string advice = "write NAME=200 or NAME=x3";
  if (at == text.npos || at == 0)
    throw Error({}, "modes: joint_stiffness", "'" + text + "' is not understood", advice);
  std::string name = text.substr(0, at), value = text.substr(at + 1);
  const bool multiplies = !value.empty() && value[0] == 'x';
  const double number =
      number_of(multiplies ? value.substr(1) : value, "modes: joint_stiffness", text, advice);
  if (number < 0)
    throw Error({}, "modes: joint_stiffness", "'" + text + "': less than 0 pushes away", advice);
  const bool prefix = name.back() == '*';
  if (prefix) name.pop_back();
  const auto fits = [&](const std::string& other) {
    return prefix ? other.compare(0, name.size(), name) == 0 : other == name;
  };
  const std::vector<char> root = root_dofs(creature);
  std::vector<std::string> known;
  bool any = false;
  size_t i = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      known.push_back(joint.name);
      for (const Dof& dof : joint.dofs) {
        if (!root[i] && (fits(link.name) || fits(joint.name) || fits(dof.name)))
          k[i] = multiplies ? k[i] * number : number, any = true;
        ++i;
      }
    }
  if (!any)
    throw Error({}, "modes: joint_stiffness",
                "'" + text + "': '" + creature.name + "' has no joint '" + name + "'",
                did_you_mean(name, known));
}

Creature with_springs(const Creature& creature, const std::vector<double>& q, const std::vector<double>& k,
                      const Rayleigh& damping, bool limits) {
  Creature sprung = creature;
  const Model<double> model = make_model(creature);
  std::vector<double> x(size_t(model.nv));
  joint_positions(make_joint_forces(creature, model), q.data(), x.data());
  const std::vector<char> root = root_dofs(creature);
  size_t i = 0;
  for (Link& link : sprung.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) {
        if (!root[i] || k[i] > 0) {
          dof.spring = {SpringType::linear, k[i], 0, x[i]};
          dof.damper = damping.stiffness * k[i];
        }
        if (!limits) dof.lower = -unlimited, dof.upper = unlimited;
        ++i;
      }
  sprung.poses.push_back({"modes", q});
  return sprung;
}

Standing find_standing(const World& world, const std::vector<double>& q, const std::vector<double>& k,
                       double damping_ratio, double seconds, const Run& run) {
  Standing result;
  const Creature& body = world.body;
  const Model<double> model = make_model(body);
  const JointForces<double> joints = make_joint_forces(body, model);
  const auto holds = [&](double scale) {
    stop_if_asked(run);
    std::vector<double> scaled = k;
    for (double& value : scaled) value *= scale;
    const Modes modes = analyse(body, model, joints, q, scaled);
    const double w = modes.rigid < modes.count() ? modes.omega(modes.rigid) : 1;
    ++result.simulations;
    return stands(world, q, scaled, {0, 2 * damping_ratio / w}, seconds);
  };
  double high = 1, low = 0;
  if (holds(high)) {
    for (low = high / 4; low > 1e-9 && holds(low); low /= 4) high = low;
  } else {
    for (low = high, high *= 4; high < 1e9 && !holds(high); high *= 4) low = high;
    if (high >= 1e9) return result;
  }
  while (high > fineness * low) {
    const double middle = std::sqrt(low * high);
    (holds(middle) ? high : low) = middle;
  }
  result.scale = high;
  result.found = true;
  return result;
}

}  // namespace legwork
