#include "walk/walk_checks.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "control/bounce.h"
#include "control/inverse_kinematics.h"
#include "control/whole_body.h"
#include "creature/place.h"
#include "creature/tree.h"
#include "ground/terrain.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double off_the_ground = 0.03;  // h: a foot that stays so high does not stand
constexpr double least_step = 0.02;      // h: feet must get this high ...
constexpr double step_miss = 0.005;      // h: ... to this
constexpr double nudge = 0.2;            // rad
constexpr double widest = 1.5;           // rad, or reaches: no range is asked to grow by more
constexpr int nodes = 60;                // of a cycle on paper
constexpr double friction_used = 0.8;    // on slopes: a body needs some to steer by

[[noreturn]] void fail(const LeggedBody& b, const std::string& who, const std::string& problem,
                       const std::string& advice) {
  throw Error(b.system->world.body.where, who, problem, advice);
}

std::string leg_name(const LeggedBody& b, size_t i) {
  return "leg '" + b.system->world.body.legs[i].name + "'";
}

bool slides(const LeggedBody& b, int dof) {
  const Creature& c = b.system->world.body;
  return norm(dof_directions(c, c.pose("stand"))[size_t(dof)].ang) == 0;
}

std::string length_text(double m) { return std::fabs(m) < 1 ? brief(1000 * m) + " mm" : brief(m) + " m"; }

// Legs that end above the ground on which the others stand.
void check_lengths(const LeggedBody& b) {
  Workspace<double> w(b.system->model);
  update_positions(b.system->model, b.q.data(), w);
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    const double above = point_position(w, leg.foot, leg.sole).z - leg.ankle;
    if (above < off_the_ground * b.height) continue;
    fail(b, leg_name(b, i),
         "is too short: its foot stays " + length_text(above) +
             " above the ground on which the others stand" +
             (b.crouch > 0 ? ", though the body crouches by " + length_text(b.crouch) : ""),
         "make it longer by " + length_text(above) + ", or the others as much shorter");
  }
}

// Whether a foot gets up as far as a step needs, with the ranges that the solver has.
bool can_step(const LeggedBody& b, const LimbOfBody& leg, FootSolver& solver) {
  const Model<double>& m = b.system->model;
  update_positions(m, b.q.data(), solver.w);
  const Vec3d up = point_position(solver.w, leg.foot, leg.sole) + Vec3d(0, 0, least_step * b.height);
  // straight legs may bend either way
  for (const double bend : {0.0, nudge, -nudge}) {
    std::vector<double> q(b.q.size()), v(b.x.size(), 0);
    for (size_t k = 1; k < leg.dofs.size(); ++k) {
      const size_t d = size_t(leg.dofs[k]);
      v[d] = std::clamp(b.x[d] + bend, std::min(solver.lower[d], b.x[d]), std::max(solver.upper[d], b.x[d])) -
             b.x[d];
    }
    integrate_positions(m, b.q.data(), v.data(), 1.0, q.data());
    if (solver.place(leg.dofs, {leg.foot, leg.sole, up, {}, 0}, b.x, b.height, q) < step_miss * b.height)
      return true;
  }
  return false;
}

// Joints whose ranges keep a foot on the ground.
void check_ranges(const LeggedBody& b) {
  const std::vector<const Dof*> dofs = b.system->world.body.dofs();
  FootSolver solver(b.system->model, b.system->joints);
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    if (can_step(b, leg, solver)) continue;
    // the joint, and its end, that needs the least more
    double least = widest;
    int best = -1, end = 0;
    for (const int d : leg.dofs)
      for (const int side : {-1, 1}) {
        double& limit = side < 0 ? solver.lower[size_t(d)] : solver.upper[size_t(d)];
        const double kept = limit;
        const auto enough = [&](double more) {
          limit = kept + side * more;
          return can_step(b, leg, solver);
        };
        if (std::fabs(kept) < unlimited && enough(least)) {
          double low = 0, high = least;
          for (int k = 0; k < 12; ++k) (enough(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
          least = high, best = d, end = side;
        }
        limit = kept;
      }
    const std::string problem = "cannot lift its foot by " + length_text(least_step * b.height) +
                                ": the ranges of its joints hold it on the ground";
    if (best < 0) fail(b, leg_name(b, i), problem, "give it a joint that folds it, such as a knee");
    fail(b, leg_name(b, i), problem,
         "let '" + dofs[size_t(best)]->name + "' go " +
             (slides(b, best) ? length_text(least) : brief(least * 180 / pi) + " degrees") +
             (end < 0 ? " below its range" : " beyond its range"));
  }
}

// The torques that hold the body up on some of its feet, which press at a share of the way from where they
// can nearest to the centre of mass to their middle, while its joints else keep as they are.
std::vector<double> torques_on(const LeggedBody& b, const std::vector<char>& stands, double up,
                               double middle) {
  const System<double>& system = *b.system;
  LeggedBody strong = b;
  strong.most_torque.assign(b.most_torque.size(), unlimited);
  Workspace<double> w(system.model);
  const std::vector<double> still(size_t(system.model.nv), 0);
  update_positions(system.model, b.q.data(), w);
  update_velocities(system.model, b.q.data(), still.data(), w);
  WholeBody whole(strong);
  std::vector<FootTask> feet(b.legs.size());
  Polygon hull;
  for (size_t i = 0; i < feet.size(); ++i) {
    feet[i].bears = stands[i];
    for (const int s : b.legs[i].sites) {
      const ContactSite<double>& site = system.contacts.sites[size_t(s)];
      const Vec3d at = point_position(w, site.link, site.pos);
      if (stands[i]) hull.add({at.x, b.planar() ? 0 : at.y});
    }
  }
  hull.close(0);
  const Vec3d com = center_of_mass(system.model, w);
  const Vec2 over{com.x, b.planar() ? 0 : com.y};
  Vec2 press = hull.nearest(over), mean;
  for (const Vec2& corner : hull.hull()) mean = mean + corner * (1.0 / double(hull.hull().size()));
  press = press + (mean - press) * middle;
  const Vec2 pull = (over - press) * (b.rate * b.rate);
  BodyTask task;
  task.posture = still;
  task.acceleration = {pull.x, pull.y, up};
  task.friction = std::max(system.contacts.options.friction, 0.5);
  // amid their ranges, so that joints which lie at their end are not driven away from it
  std::vector<double> x = b.x;
  for (size_t d = 0; d < x.size(); ++d)
    if (b.lower[d] > -unlimited && b.upper[d] < unlimited) x[d] = (b.lower[d] + b.upper[d]) / 2;
  whole.solve(Terrain{}, feet, task, x, still, w);
  return whole.tau;
}

std::string names_of(const LeggedBody& b, const std::vector<char>& stands) {
  std::vector<std::string> names;
  for (size_t i = 0; i < stands.size(); ++i)
    if (stands[i]) names.push_back(b.system->world.body.legs[i].name);
  return join(names, ", ");
}

void check_motors(const LeggedBody& b, const Schedule& schedule) {
  const std::vector<const Dof*> dofs = b.system->world.body.dofs();
  const std::vector<char> all(b.legs.size(), 1);
  double most_up = 0;
  const Bounce bounce(schedule, all, b.height, b.gravity);
  for (int k = 0; bounce.flies() && k < nodes; ++k)
    most_up = std::max(most_up, bounce.at((k + 0.5) / nodes).up);
  // the times when all stand, and those of the schedule
  std::vector<std::vector<char>> tried;
  double worst = 1, needed = 0;
  size_t weakest = 0;
  std::string on;
  for (int k = -1; k < nodes; ++k) {
    std::vector<char> stands = all;
    for (size_t i = 0; i < stands.size() && k >= 0; ++i)
      stands[i] = schedule.phase(i, (k + 0.5) / nodes) >= 1 - schedule.duty;
    if (std::count(stands.begin(), stands.end(), char(1)) == 0 ||
        std::find(tried.begin(), tried.end(), stands) != tried.end())
      continue;
    tried.push_back(stands);
    std::vector<double> tau = torques_on(b, stands, k < 0 ? 0 : most_up, 0);
    if (k >= 0) {
      const std::vector<double> other = torques_on(b, stands, most_up, 1);
      for (size_t d = 0; d < tau.size(); ++d) tau[d] = std::min(std::fabs(tau[d]), std::fabs(other[d]));
    }
    for (size_t d = 0; d < tau.size(); ++d) {
      if (b.of_root(int(d)) ||
          (k >= 0 && std::find(b.posture.begin(), b.posture.end(), int(d)) != b.posture.end()))
        continue;
      const double takes = std::fabs(tau[d]), share = takes / b.most_torque[d];
      if (share > worst) worst = share, weakest = d, needed = takes, on = k < 0 ? "" : names_of(b, stands);
    }
    if (k < 0 && worst > 1) break;
  }
  if (!(worst > 1)) return;
  const std::string unit = slides(b, int(weakest)) ? " N" : " N m";
  fail(b, "'" + dofs[weakest]->name + "'",
       "is too weak to hold the body up: it gives at most " + brief(b.most_torque[weakest]) + unit +
           ", and " + (on.empty() ? "standing" : "a step that leaves it on " + on) + " takes " +
           brief(needed) + unit,
       "give its actuator " + brief(worst) + " times the strength, or the body so much less weight");
}

void check_friction(const LeggedBody& b) {
  const Terrain& terrain = b.system->world.terrain;
  if (terrain.type != TerrainType::slope) return;
  const double friction = b.system->contacts.options.friction;
  const Vec3d n = sample(terrain, 0, 0).normal;
  const double needed = std::sqrt(n.x * n.x + n.y * n.y) / n.z / friction_used;
  if (needed <= friction) return;
  fail(b, "'" + b.system->world.body.name + "'",
       "cannot walk on a slope with a friction of " + brief(friction) + ": it would slip",
       "ask for --friction " + brief(std::ceil(100 * needed) / 100) + " or more, or a slope of at most " +
           brief(std::floor(atan2(friction * friction_used, 1.0) * 180 / pi)) + " degrees");
}

}  // namespace

void check_way(const Creature& c, const WalkOptions& options, const std::vector<Vec2>& places) {
  for (const Leg& leg : c.legs)
    if (c.links[size_t(leg.hip)].parent < 0)
      throw Error(leg.where, "leg '" + leg.name + "'",
                  "begins at the root '" + c.links[size_t(leg.hip)].name +
                      "' itself: nothing hangs over it that balance could hold up",
                  "begin the tree with a trunk on which the legs hang");
  const int root = root_of(c, c.legs[0].hip);
  if (roaming(c, root) != Roaming::in_its_plane) return;
  const bool turns = std::any_of(options.at.begin(), options.at.end(),
                                 [](const std::string& at) { return at.find("turn") != std::string::npos; });
  const bool aside =
      std::any_of(places.begin(), places.end(), [](const Vec2& place) { return place.y != 0; });
  if (options.turn == 0 && !turns && !aside) return;
  throw Error(c.links[size_t(root)].where, "link '" + c.links[size_t(root)].name + "'",
              "moves in a plane, so that the body cannot turn",
              "ask for a walk straight ahead, or give it joint = { free = true }");
}

void check_able(const LeggedBody& body, const Schedule& schedule) {
  check_lengths(body);
  check_ranges(body);
  check_motors(body, schedule);
  check_friction(body);
}

}  // namespace legwork
