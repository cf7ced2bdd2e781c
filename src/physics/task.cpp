#include "physics/task.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "ground/terrain.h"

namespace legwork {

namespace {

constexpr double least_gravity = 1e-3;  // m/s^2: where there is less, times are those of the earth

bool free_root(const Creature& body, int link) {
  return body.links[std::size_t(link)].parent < 0 && !body.links[std::size_t(link)].joints.empty() &&
         body.links[std::size_t(link)].joints[0].type == JointType::free;
}

}  // namespace

TaskBody::TaskBody(const Arena& arena) : arena_(arena) {
  const System<double>& system = arena.system;
  const Creature& body = system.world.body;
  standing_ = standing_in(body, system.model, arena.start.q);
  legged_ = !body.legs.empty();
  height_ = hip_height(body);
  if (!(height_ > 0)) height_ = std::max(standing_.height, 1e-6);
  const double g = norm(system.world.gravity);
  moment_ = std::sqrt(height_ / (g > least_gravity ? g : 9.81));

  int dof = 0;
  for (const Link& link : body.links)
    for (const Joint& joint : link.joints)
      for (int k = 0; k < nv(joint); ++k, ++dof)
        if (link.parent >= 0) joints_.push_back(dof);
  for (const Leg& leg : body.legs) {
    feet_.emplace_back();
    for (int i = 0; i < int(body.contacts.size()); ++i)
      if (body.contacts[std::size_t(i)].link == leg.foot) feet_.back().push_back(i);
  }

  observations_.push_back({"height", "h"});
  for (const char* what : {"up", "ahead"})
    for (const char* axis : {".x", ".y", ".z"})
      observations_.push_back({std::string(what) + axis, "1", -1, 1});
  for (const char* axis : {".x", ".y", ".z"})
    observations_.push_back({std::string("velocity") + axis, "sqrt(g h)"});
  for (const char* axis : {".x", ".y", ".z"})
    observations_.push_back({std::string("turn") + axis, "sqrt(g/h)"});
  for (const int j : joints_) observations_.push_back({body.dofs()[std::size_t(j)]->name, "rad or m"});
  for (const int j : joints_)
    observations_.push_back({body.dofs()[std::size_t(j)]->name + ".rate", "(rad or m) sqrt(g/h)"});
  for (const Leg& leg : body.legs) observations_.push_back({leg.name + ".touches", "1", 0, 1});
}

double TaskBody::ground_at(const Vec3d& p) const noexcept {
  const Terrain& terrain = arena_.system.world.terrain;
  return terrain.type == TerrainType::none ? 0 : sample(terrain, p.x, p.y).height;
}

double TaskBody::raised(const Lanes& lanes, int lane, const BodyView& view) const noexcept {
  if (standing_.hips.empty()) return view.com.z - ground_at(view.com);
  double sum = 0;
  for (const int hip : standing_.hips) sum += ground_at(lanes.position(lane, hip));
  return view.com.z - sum / double(standing_.hips.size());
}

void TaskBody::observe(const Lanes& lanes, int lane, const double* v, double* out) const noexcept {
  const BodyView view = this->view(lanes, lane);
  const auto put = [&out](const Vec3d& a, double scale) {
    *out++ = a.x * scale, *out++ = a.y * scale, *out++ = a.z * scale;
  };
  *out++ = (view.p.z - ground_at(view.p)) / height_;
  put(transpose_times(view.R, Vec3d(0, 0, 1)), 1);
  put(transpose_times(view.R, Vec3d(1, 0, 0)), 1);
  put(transpose_times(view.R, view.linear), moment_ / height_);
  put(transpose_times(view.R, view.turn), moment_);
  for (const int j : joints_) *out++ = lanes.joint_position(lane, j);
  for (const int j : joints_) *out++ = v[j] * moment_;
  for (const std::vector<int>& foot : feet_)
    *out++ = std::any_of(foot.begin(), foot.end(), [&](int site) {
      const Vec3d f = lanes.contact_force(lane, site);
      return dot(f, f) > 0;
    });
}

bool TaskBody::fallen(const Lanes& lanes, int lane) const noexcept {
  if (!legged_) return false;
  const BodyView view = this->view(lanes, lane);
  return has_fallen(standing_, view.R, raised(lanes, lane, view));
}

double TaskBody::upright(const Lanes& lanes, int lane) const noexcept {
  const BodyView view = this->view(lanes, lane);
  const Vec3d up = view.R * transpose_times(standing_.upright, Vec3d(0, 0, 1));
  return up.z * std::clamp(raised(lanes, lane, view) / std::max(standing_.height, 1e-9), 0.0, 1.0);
}

std::vector<double> TaskBody::start(double noise, Random random) const {
  const System<double>& system = arena_.system;
  const Creature& body = system.world.body;
  std::vector<double> q = arena_.start.q;
  if (!(noise > 0) || !body.loops.empty() || !body.couplings.empty()) return q;
  const std::vector<const Dof*> dofs = body.dofs();
  for (const int j : joints_) {
    const double by = random.uniform(-noise, noise);  // drawn for every joint: streams stay aligned
    const int at = system.joints.coordinate[std::size_t(j)];
    if (at < 0) continue;
    const Dof& dof = *dofs[std::size_t(j)];
    q[std::size_t(at)] = std::clamp(q[std::size_t(at)] + by, std::min(dof.lower, q[std::size_t(at)]),
                                    std::max(dof.upper, q[std::size_t(at)]));
  }
  if (!free_root(body, 0) || system.world.terrain.type == TerrainType::none) return q;
  Workspace<double> w(system.model);
  update_positions(system.model, q.data(), w);
  double deepest = 0;
  for (const ContactSite<double>& site : system.contacts.sites)
    deepest = std::max(deepest, site_depth(site, system.world.terrain, w));
  q[2] += deepest;
  return q;
}

Signal command_range(const Actuator& a) {
  if (a.lower < a.upper && a.lower > -unlimited && a.upper < unlimited)
    return {a.name, a.type == ActuatorType::motor ? "N m or N" : "rad or m", a.lower, a.upper};
  if (a.type == ActuatorType::motor && a.strength < unlimited)
    return {a.name, "N m or N", -a.strength, a.strength};
  throw Error(a.where, "actuator '" + a.name + "'", "has no range of commands, so that no task can use it",
              "give it a range");
}

}  // namespace legwork
