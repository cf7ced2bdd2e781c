#include "discover/problem.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "base/within.h"
#include "creature/place.h"
#include "creature/scale.h"
#include "creature/tree.h"
#include "discover/equip.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double run_seconds = 6, pursuit_seconds = 30;
constexpr double delay_share = 0.25;  // share of a cycle (section 4)
constexpr double cycle_of_fall = 2;   // cycle over sqrt(length / g): 0.28 to 0.6 s for 0.2 to 0.9 m
constexpr double delay_factor = 3;    // delays, strengths: within a third and three times what they were
constexpr double range_slack = 0.5;   // share of a range's width by which its ends may move
constexpr double body_factor = 1.3;   // sizes and masses of links
constexpr double muscle_share = 0.3;  // share of a link's mass that grows with the strength of what moves it

double muscle_mass_factor(double strength_factor) { return 1 + muscle_share * (strength_factor - 1); }

class Parameters {
 public:
  explicit Parameters(Problem& problem) : p_(problem) {}

  void add(ParameterKind kind, int index, const std::string& name, double start, double lower, double upper) {
    p_.parameters.push_back({kind, index, {name, lower, upper, start}});
  }
  void factor(ParameterKind kind, int index, const std::string& name, double start, double by) {
    if (start > 0) add(kind, index, name, start, start / by, start * by);
  }
  void range(ParameterKind lower, ParameterKind upper, int index, const std::string& name, double a,
             double b) {
    const double slack = range_slack * (b < unlimited && a > -unlimited ? b - a : 1);
    if (a > -unlimited) add(lower, index, name + " lower", a, a - slack, a + slack);
    if (b < unlimited) add(upper, index, name + " upper", b, b - slack, b + slack);
  }

 private:
  Problem& p_;
};

void add_network(Problem& p, Parameters& all) {
  const Creature& c = p.world.body;
  for (int i = 0; i < p.shape.hidden && p.delay > 0; ++i) {
    const std::string node = "node " + std::to_string(i + 1);
    all.factor(ParameterKind::on_delay, i, node + " on delay", p.delay, delay_factor);
    all.factor(ParameterKind::off_delay, i, node + " off delay", p.delay, delay_factor);
  }
  for (int i = 0; i < int(c.actuators.size()); ++i) {
    const Actuator& a = c.actuators[i];
    all.range(ParameterKind::command_lower, ParameterKind::command_upper, i, a.name, a.lower, a.upper);
    all.factor(ParameterKind::ks, i, a.name + " ks", a.ks, delay_factor);
    all.factor(ParameterKind::kd, i, a.name + " kd", a.kd, delay_factor);
  }
  for (int i = 0; i < int(c.sensors.size()); ++i) {
    const Sensor& s = c.sensors[i];
    if (s.type != SensorType::touch)
      all.range(ParameterKind::sensor_lower, ParameterKind::sensor_upper, i, s.name, s.lower, s.upper);
  }
}

// Springs that are there may change by a factor; where a joint has none, one may grow, as stiff as the
// actuator that moves the joint (section 7).
void add_springs(Problem& p, Parameters& all) {
  const std::vector<const Dof*> dofs = p.world.body.dofs();
  for (int i = 0; i < int(dofs.size()); ++i) {
    if (dofs[i]->spring.type == SpringType::none) continue;
    all.factor(ParameterKind::spring_stiffness, i, dofs[i]->name + " spring", dofs[i]->spring.stiffness,
               delay_factor);
    all.factor(ParameterKind::spring_damper, i, dofs[i]->name + " damper", dofs[i]->damper, delay_factor);
  }
  for (const Actuator& a : p.world.body.actuators)
    if (a.type == ActuatorType::angular && dofs[a.dof]->spring.type == SpringType::none)
      all.add(ParameterKind::spring_stiffness, a.dof, dofs[a.dof]->name + " spring", 0, 0, a.ks);
}

void add_body(Problem& p, Parameters& all) {
  for (const int b : p.links) {
    const std::string& name = p.world.body.links[b].name;
    all.factor(ParameterKind::link_size, b, name + " size", 1, body_factor);
    all.factor(ParameterKind::link_mass, b, name + " mass", 1, body_factor);
  }
}

Dof& dof_of(Creature& c, int number) {
  for (Link& link : c.links)
    for (Joint& joint : link.joints) {
      if (number < nv(joint)) return joint.dofs[number];
      number -= nv(joint);
    }
  return c.links.front().joints.front().dofs.front();
}

// A spring that was not there rests in the pose stand.
void set_spring(Creature& c, int number, double stiffness) {
  Spring& spring = dof_of(c, number).spring;
  spring.stiffness = stiffness;
  if (spring.type != SpringType::none || stiffness == 0) return;
  spring.type = SpringType::linear;
  spring.rest = stand_positions(c)[size_t(number)];
}

// The link that a joint's actuator moves, by degree of freedom.
int link_of_dof(const Creature& c, int dof) {
  for (int b = 0, at = 0; b < int(c.links.size()); ++b)
    for (const Joint& joint : c.links[b].joints)
      if ((at += nv(joint)) > dof) return b;
  return -1;
}

// Stronger muscles weigh more (section 6.3).
void weigh_muscles(const Problem& p, Creature& body) {
  for (size_t i = 0; i < body.actuators.size(); ++i) {
    const Actuator &a = body.actuators[i], &was = p.world.body.actuators[i];
    const int link = a.type == ActuatorType::linear ? a.link : link_of_dof(body, a.dof);
    if (link >= 0 && was.ks > 0) scale_mass(body.links[link], muscle_mass_factor(a.ks / was.ks));
  }
}

// An upper end that has passed its lower one waits beside it.
void order(double& lower, double& upper, double width) {
  if (upper - lower < 0.05 * width) upper = lower + 0.05 * width;
}

// The root of the body that the first actuator moves.
int driven_root(const Creature& c) {
  const Actuator& a = c.actuators.front();
  return root_of(c, a.type == ActuatorType::linear ? a.link : link_of_dof(c, a.dof));
}

std::vector<int> tree_of(const Creature& c, int root) {
  std::vector<char> inside(c.links.size(), 0);
  std::vector<int> links;
  for (int b = 0; b < int(c.links.size()); ++b) {
    inside[b] = b == root || (c.links[b].parent >= 0 && inside[c.links[b].parent]);
    if (inside[b]) links.push_back(b);
  }
  return links;
}

void check_world(const World& world) {
  const Creature& c = world.body;
  if (world.water.acts() || world.wind.acts()) return;
  if (world.terrain.type == TerrainType::none)
    throw Error({}, "discover", "there is no ground and no water, nothing to push against",
                "try --terrain plane or --water water");
  if (c.contacts.empty())
    throw Error(c.where, "creature '" + c.name + "'",
                "has no contact points, so that the ground cannot push it",
                "give a link a shape, or\n"
                "  [[contact]]\n  link = \"" +
                    c.links.front().name + "\"");
}

}  // namespace

void check_discover(const World& world) {
  equip(world.body);
  check_world(world);
}

Vec3d FollowPath::at(double t) const noexcept {
  if (point.empty()) return {};
  const size_t n = size_t(std::upper_bound(time.begin(), time.end(), t) - time.begin());
  if (n == 0) return point.front();
  if (n == time.size()) return point.back();
  const double share = (t - time[n - 1]) / (time[n] - time[n - 1]);
  return point[n - 1] + (point[n] - point[n - 1]) * share;
}

namespace {

// side: 1 winds to the left first, -1 to the right.
FollowPath winding_path(double length, double seconds, double bearing, double side, double turns) {
  constexpr int pieces = 120;
  constexpr double away = 2, pace = 0.25;  // body lengths, body lengths a second
  // Turn of its heading to either side: J0's first zero, with which a whole turn comes back to where it
  // began, so that going straight on gains nothing.
  constexpr double swing = 2.4048;
  const double step = pace * length * seconds / pieces;
  FollowPath path;
  Vec3d point{away * length * cos(bearing), away * length * sin(bearing), 0};
  for (int i = 0; i <= pieces; ++i) {
    path.time.push_back(seconds * i / pieces);
    path.point.push_back(point);
    const double heading = bearing + side * swing * sin(2 * pi * turns * (i + 0.5) / pieces);
    point += Vec3d{step * cos(heading), step * sin(heading), 0};
  }
  return path;
}

}  // namespace

std::vector<FollowPath> default_follow(double length, double seconds) {
  return {winding_path(length, seconds, 0, 1, 1), winding_path(length, seconds, 0, -1, 1),
          winding_path(length, seconds, 2 * pi / 3, -1, 1.5),
          winding_path(length, seconds, -2 * pi / 3, 1, 1.5)};
}

double& Totals::operator[](const char* name) noexcept {
  size_t i = 0;
  while (i + 1 < totals_names.size() && std::strcmp(totals_names[i], name) != 0) ++i;
  return value[i];
}
double Totals::operator[](const char* name) const noexcept { return const_cast<Totals&>(*this)[name]; }

std::vector<std::pair<std::string, std::string>> metric_choices() {
  std::string names;
  for (const char* name : totals_names) names += (names.empty() ? "" : ", ") + std::string(name);
  return {{"auto", "pursuit where the body has eyes, else distance"},
          {"distance", "distance of the centre of mass from start to end"},
          {"upright", "distance; falling over counts as 0"},
          {"standing", "the same times the share of the time in which the trunk is off the ground"},
          {"hops", "distance plus hop_weight times the integral of height squared"},
          {"pursuit", "approach to the point to follow: mean over four curves, or on that of --follow"},
          {"FORMULA", "a formula of " + names}};
}

Expression metric_formula(const std::string& metric, double hop_weight) {
  const std::vector<std::string> names(totals_names.begin(), totals_names.end());
  if (metric == "distance") return {"distance", names};
  if (metric == "upright") return {"distance * (1 - fell)", names};
  if (metric == "standing") return {"distance * (1 - fell) * (1 - drag)", names};
  if (metric == "hops") return {"distance + " + to_text(hop_weight) + " * height2", names};
  if (metric == "pursuit") return {"approach", names};
  try {
    return {metric, names};
  } catch (const Error& e) {
    throw with_advice(within({}, "discover: metric", e), "or distance, upright, standing, hops, pursuit");
  }
}

bool Problem::tunes_body() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& p) { return p.kind >= ParameterKind::spring_stiffness; });
}

Problem make_problem(World world, const DiscoverOptions& o, const StepOptions& step,
                     const std::optional<FollowPath>& follow) {
  check_world(world);
  Problem p;
  p.world = std::move(world);
  const Creature& c = p.world.body;
  const bool eyes = std::any_of(c.sensors.begin(), c.sensors.end(),
                                [](const Sensor& s) { return s.type == SensorType::eye; });
  const Discovery& wish = c.discovery;
  p.metric = o.metric != "auto"     ? o.metric
             : !wish.metric.empty() ? wish.metric
             : eyes                 ? "pursuit"
                                    : "distance";
  if (p.metric == "pursuit" && !eyes)
    throw Error(c.where, "discover: metric",
                "'" + c.name + "' has no eyes, and pursuit is of a point that eyes see",
                "use --metric distance, or add eyes, such as\n"
                "  [[sensor]]\n  name = \"left_eye\"\n  eye = \"" +
                    c.links[0].name + "\"");
  p.formula = metric_formula(p.metric, o.hop_weight);
  p.upright = p.metric == "upright" || p.metric == "standing";
  p.seconds = o.seconds > 0           ? o.seconds
              : wish.seconds > 0      ? wish.seconds
              : p.metric == "pursuit" ? pursuit_seconds
                                      : run_seconds;
  const double rate = p.world.rate;
  p.step = step;
  p.step.dt = 1 / (rate * std::ceil(1 / (rate * step.dt) - 1e-9));
  p.length = body_length(c);
  p.root = driven_root(c);
  p.links = tree_of(c, p.root);
  const int sensors = int(c.sensors.size());
  const int hidden = o.hidden >= 0 ? o.hidden : wish.hidden > 0 ? wish.hidden : sensors;
  p.shape = {sensors, hidden, int(c.actuators.size())};
  const double cycle = wish.cycle > 0 ? wish.cycle : cycle_of_fall * std::sqrt(p.length / 9.81);
  p.delay = o.delay >= 0 ? o.delay : delay_share * cycle;
  p.linear_nodes = o.nodes == DiscoverOptions::Nodes::linear;
  p.follow = follow ? std::vector{*follow} : default_follow(p.length, p.seconds);
  if (!p.pursues()) p.follow.resize(1);
  Parameters all(p);
  add_network(p, all);
  if (o.tune_springs) add_springs(p, all);
  if (o.tune_body) add_body(p, all);
  return p;
}

std::vector<double> nominal(const Problem& problem) {
  std::vector<double> values;
  for (const Parameter& p : problem.parameters) values.push_back(p.variable.start);
  return values;
}

Expressed express(const Problem& problem, const std::vector<double>& values) {
  Expressed e{problem.world.body, std::vector<double>(problem.shape.nodes(), problem.delay), {}};
  e.off_delay = e.on_delay;
  Creature& c = e.body;
  bool grows = false;
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameter& p = problem.parameters[i];
    const double x = values[i];
    switch (p.kind) {
      case ParameterKind::on_delay:
        e.on_delay[p.index] = x;
        break;
      case ParameterKind::off_delay:
        e.off_delay[p.index] = x;
        break;
      case ParameterKind::command_lower:
        c.actuators[p.index].lower = x;
        break;
      case ParameterKind::command_upper:
        c.actuators[p.index].upper = x;
        break;
      case ParameterKind::ks:
        c.actuators[p.index].ks = x;
        break;
      case ParameterKind::kd:
        c.actuators[p.index].kd = x;
        break;
      case ParameterKind::sensor_lower:
        c.sensors[p.index].lower = x;
        break;
      case ParameterKind::sensor_upper:
        c.sensors[p.index].upper = x;
        break;
      case ParameterKind::spring_stiffness:
        set_spring(c, p.index, x);
        break;
      case ParameterKind::spring_damper:
        dof_of(c, p.index).damper = x;
        break;
      case ParameterKind::link_size:
        scale_link(c, p.index, x), grows = true;
        break;
      case ParameterKind::link_mass:
        scale_mass(c.links[p.index], x), grows = true;
        break;
    }
  }
  for (size_t i = 0; i < c.actuators.size(); ++i) {
    const Actuator& was = problem.world.body.actuators[i];
    order(c.actuators[i].lower, c.actuators[i].upper, was.upper - was.lower);
  }
  for (size_t i = 0; i < c.sensors.size(); ++i) {
    const Sensor& was = problem.world.body.sensors[i];
    if (was.lower > -unlimited && was.upper < unlimited)
      order(c.sensors[i].lower, c.sensors[i].upper, was.upper - was.lower);
  }
  if (grows) weigh_muscles(problem, c);
  return e;
}

std::vector<double> start_pose(const Problem& problem, const Creature& body) {
  std::vector<double> q = body.pose("stand");
  const Terrain& terrain = problem.world.terrain;
  if (terrain.type == TerrainType::none || body.contacts.empty()) return q;
  // the root's coordinate that lifts and does nothing else
  const std::vector<Twist<double>> directions = dof_directions(body, q);
  int lift = -1, at_q = 0, at_v = 0;
  for (int b = 0; b < int(body.links.size()); ++b)
    for (const Joint& joint : body.links[b].joints) {
      for (int k = 0; k < nv(joint); ++k) {
        const Twist<double>& d = directions[at_v + k];
        if (b == problem.root && d.lin.z > 0.999 && dot(d.ang, d.ang) < 1e-12) lift = at_q + k;
      }
      at_q += nq(joint), at_v += nv(joint);
    }
  if (lift < 0) return q;
  const std::vector<LinkFrame> frames = place(body, q);
  const auto clearance = [&](double raised) {
    double lowest = unlimited;
    for (const ContactPoint& p : body.contacts) {
      if (std::find(problem.links.begin(), problem.links.end(), p.link) == problem.links.end()) continue;
      const Vec3d at = frames[p.link] * p.pos + Vec3d(0, 0, raised);
      lowest = std::min(lowest, -ground_depth(terrain, at, p.radius).depth);
    }
    return lowest;
  };
  double low = -1, high = 1;
  while (clearance(low) > 0 && low > -1e3) low *= 2;
  while (clearance(high) < 0 && high < 1e3) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (clearance(middle) < 0 ? low : high) = middle;
  }
  q[lift] += high;
  return q;
}

}  // namespace legwork
