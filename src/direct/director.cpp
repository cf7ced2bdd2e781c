// Equations, holds, limits: what an algorithm says; its names are found in names.cpp. An equation goes
// on its way to a torque through equations.cpp, which makes rows of it, constraints.cpp, which adds those of
// ground, holds and loops, and instant.cpp, which solves them together. The simulation moves on in time and
// gives the ground's answer (sim/rigid.cpp); run.cpp leads it, record.cpp notes it.

#include "direct/director.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/text.h"
#include "creature/shape.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

constexpr double full_size = 0.3;                     // m: hips of bodies that are not small
constexpr double human_weight = 785;                  // N
constexpr double full_step = 4e-3, full_hold = 0.02;  // s: for such bodies
constexpr double shoe_reach = 0.02;                   // m: a magnetic shoe holds to ground this near

// The world as a director's simulation has it: motors are what the equations move, so that actuators have no
// law of their own.
System<double> system_of(World world, const DirectorOptions& o) {
  if (o.ground == Grade::penalty) return make_system(std::move(world));
  world.contact.type = ContactType::rigid;
  world.contact.restitution = o.restitution * o.restitution;
  if (o.ground == Grade::held) world.body_contact = false;
  System<double> system = make_system(std::move(world));
  system.actuators.clear();
  return system;
}

// Joint limits are inequalities of the instant, not springs.
Creature without_limits(Creature body) {
  for (Link& link : body.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) dof.lower = -unlimited, dof.upper = unlimited;
  return body;
}

// Joints whose motor was taken away end at their limits as in any simulation: on springs.
void stop_at_limits(const System<double>& system, const std::vector<char>& actuated,
                    JointForces<double>& joints) {
  const std::vector<char> motors = motor_dofs(system.world.body);
  const JointForces<double> all = make_joint_forces(system.world.body, system.model);
  for (size_t j = 0; j < actuated.size(); ++j) {
    const bool passive = motors[j] && !actuated[j];
    joints.has_limit[j] = passive && all.has_limit[j];
    joints.lower[j] = passive ? all.lower[j] : -unlimited;
    joints.upper[j] = passive ? all.upper[j] : unlimited;
    joints.limit_stiffness[j] = all.limit_stiffness[j], joints.limit_damping[j] = all.limit_damping[j];
  }
}

// What the joints' motors can give.
std::vector<double> motor_limits(const Creature& body) {
  std::vector<double> limits(size_t(body.nv()), unlimited);
  for (const Actuator& a : body.actuators)
    if (a.dof >= 0 && std::isfinite(a.strength)) limits[size_t(a.dof)] = a.strength * std::abs(a.gear);
  return limits;
}

bool made_of_boxes(const Link& link) {
  bool any = false;
  for (const Shape& s : link.shapes) {
    if (s.touches && s.type != ShapeType::box) return false;
    any = any || s.touches;
  }
  return any;
}

// Boxes of different bodies touch rigidly, and the equations count on it. All else pushes by springs: rigid
// friction would wedge a ball between the foot that kicks it and the ground.
BodyContacts split_links(System<double>& system, const DirectorOptions& options) {
  if (!system.world.body_contact) return {};
  const Creature& body = system.world.body;
  const auto root = [&](int link) {
    while (body.links[size_t(link)].parent >= 0) link = body.links[size_t(link)].parent;
    return link;
  };
  const auto rigid = [&](const BodyPair& p) {
    return root(p.a) != root(p.b) && made_of_boxes(body.links[size_t(p.a)]) &&
           made_of_boxes(body.links[size_t(p.b)]);
  };
  BodyContacts all = make_body_contacts(body, system.world.contact), boxes = all;
  std::erase_if(boxes.pairs, [&](const BodyPair& p) { return !rigid(p); });
  if (options.ground != Grade::penalty) {
    std::erase_if(all.pairs, rigid);
    system.body_contacts = std::move(all);
  }
  return boxes;
}

}  // namespace

Director::Director(World world, const DirectorOptions& o)
    : pushes(world.pushes),
      options(o),
      system_(system_of(std::move(world), o)),
      joints_(make_joint_forces(without_limits(system_.world.body), system_.model)),
      sim_(system_, {.integrator = Integrator::rk4, .max_speed = unlimited, .max_gain = 0}),
      w_(sim_.w),
      q_(sim_.state.q),
      v_(sim_.state.v),
      qdd_(sim_.qdd),
      x_(sim_.x),
      contacts_(sim_.rigid.contacts),
      touch_force_(sim_.rigid.force),
      unit_w_(system_.model),
      unit_model_(system_.model) {
  contacts_ = RigidContacts(split_links(system_, options));
  if (options.ground != Grade::penalty) system_.joints = joints_;
  const Creature& body = system_.world.body;
  const size_t nv = size_t(system_.model.nv);
  const double hips = hip_height(body), gravity = norm(system_.world.gravity);
  if (std::isfinite(hips) && hips > 0) units_.length = std::min(1.0, hips / full_size);
  units_.time = std::sqrt(units_.length);
  if (body.mass() > 0) units_.force = body.mass() * (gravity > 0 ? gravity : 9.81);
  if (!(options.dt > 0)) options.dt = full_step * units_.time;
  if (!(options.hold_time > 0)) options.hold_time = full_hold * units_.time;
  for (int b = 0; b < unit_model_.nlink; ++b) {
    const bool solid = unit_model_.mass[size_t(b)] > 0;
    unit_model_.mass[size_t(b)] = solid;
    const double moment = solid ? units_.length * units_.length : 0;
    unit_model_.inertia[size_t(b)] = Sym3d::diagonal(moment, moment, moment);
  }
  unit_model_.armature.assign(nv, 0);
  unit_model_.gravity = {};
  footing_.assign(body.links.size(), Footing::unsaid);
  limit_ = motor_limits(body);
  joint_friction_.assign(nv, 0);
  for (const Dof* dof : body.dofs()) lower_.push_back(dof->lower), upper_.push_back(dof->upper);
  actuated_ = motor_dofs(body);
  tau_.assign(nv, 0), h_.assign(nv, 0), passive_.assign(nv, 0), back_.assign(nv, 0);
  M_.assign(nv * nv, 0), row_.assign(nv, 0);
  if (options.firmness > 0) firm_.assign(nv, 0);
  if (options.firmness > 0 && std::isfinite(hips) && hips > 0)
    for (size_t j = 0; j < nv; ++j)
      if (actuated_[j]) firm_[j] = options.firmness * body.mass() * hips * hips;
  bias_.resize(body.links.size()), outside_.resize(body.links.size());
  find_own();
  q_ = body.pose(options.pose), v_.assign(nv, 0);
  find_soles();
  update_state();
}

Director::~Director() = default;

// --- equations

const Director::Equation* Director::find(const std::string& name) const {
  for (const Equation& e : equations_)
    if (e.name == name) return &e;
  return nullptr;
}

std::vector<std::string> Director::equation_names(bool cost) const {
  std::vector<std::string> names;
  for (const Equation& e : equations_)
    if (e.cost == cost) names.push_back(e.name);
  return names;
}

void Director::check_quantity(const std::string& who, const Quantity& quantity) const {
  const std::vector<Quantity::Term>& terms = quantity.terms;
  if (terms.empty()) throw Error({}, who, "its quantity is empty", "name a point, a link or a joint");
  for (const Quantity::Term& t : terms) {
    Quantity one;
    one.terms = {t};
    if (one.scalar() != quantity.scalar() || one.is_force() != quantity.is_force())
      throw Error({}, who, "sums of angles and points, or of forces and accelerations, mean nothing",
                  "sum alike ones");
    if (one.is_orientation() && terms.size() > 1)
      throw Error({}, who, "orientations cannot be summed", "write an equation for each");
  }
}

// An equation replaces one of the same name.
void Director::put(Equation e) {
  for (Equation& old : equations_)
    if (old.name == e.name && old.cost == e.cost) {
      old = std::move(e);
      return;
    }
  equations_.push_back(std::move(e));
}

void Director::add_equation(const std::string& name, const Quantity& quantity, const Law& law,
                            double weight) {
  const std::string who = "equation '" + name + "'";
  check_quantity(who, quantity);
  Equation e;
  e.name = name, e.quantity = quantity, e.law = law, e.weight = weight;
  if (!(weight >= 0))
    throw Error({}, who, "weight " + to_text(weight) + " is negative or not a number", "0 makes it hard");
  if (law.type == LawType::equals) return put(std::move(e));
  if (quantity.is_force()) throw Error({}, who, "forces and torques have no controllers", "set their value");
  if (!(law.time > 0)) throw Error({}, who, "takes " + to_text(law.time) + " s", "write more than 0");
  const bool turns = quantity.is_orientation();
  if (turns) e.R_target = rotation_matrix(law.target);
  e.tau = law.within > 0 ? pd_tau(law.time, law.within) : paper_tau(law.time);
  if (law.type == LawType::quintic) {
    // r turns from the target to the present orientation; it goes to zero
    Vec3d a0 = present_acceleration(quantity);
    // going on with a0 leads 0.0173 a0 T^2 astray; more than a tenth of the distance is a jolt (a release, an
    // impact), not a motion to continue
    const Vec3d way = turns ? rotation_vector(w_.R[size_t(quantity.terms[0].index)] * transpose(e.R_target))
                            : law.target - value(quantity);
    const double most = 5.8 * (norm(way) + norm(rate(quantity)) * law.time) / (law.time * law.time);
    if (norm(a0) > most) a0 = {};
    if (turns) {
      const Vec3d r = rotation_vector(w_.R[size_t(quantity.terms[0].index)] * transpose(e.R_target));
      const Vec3d rate0 = rate_of_turn(r, rate(quantity));
      e.way = make_quintic(time(), law.time, r, rate0, rate_of_turn(r, a0 - turn_bias(r, rate0)), {},
                           law.velocity);
    } else {
      e.way = make_quintic(time(), law.time, value(quantity), rate(quantity), a0, law.target, law.velocity);
      e.way.over = law.over;
    }
  }
  put(std::move(e));
}

void Director::add_equation(const std::string& name, const Quantity& quantity, Wanted second_derivative) {
  Law law;
  law.value = std::move(second_derivative);
  add_equation(name, quantity, law);
}

void Director::remove_equation(const std::string& name) {
  const auto at = std::find_if(equations_.begin(), equations_.end(),
                               [&](const Equation& e) { return e.name == name && !e.cost; });
  if (at == equations_.end())
    throw Error({}, "equation '" + name + "'",
                "cannot be removed at " + to_text(time()) + " s, since there is none of that name",
                did_you_mean(name, equation_names(false)));
  equations_.erase(at);
}

bool Director::has_equation(const std::string& name) const {
  const Equation* e = find(name);
  return e && !e->cost;
}

void Director::remove_all(const std::string& prefix) {
  std::erase_if(equations_, [&](const Equation& e) { return e.name.starts_with(prefix); });
}

int Director::equations() const {
  int count = 0;
  for (const Equation& e : equations_)
    if (!e.cost) count += e.quantity.size();
  return count;
}

void Director::position_with_pd(const std::string& name, const std::string& link, const Vec3d& x, double dt) {
  add_equation(name, position(link), {LawType::pd, {}, x, {}, dt, 0, {}});
}
void Director::position_point_with_pd(const std::string& name, const std::string& label, const Vec3d& x,
                                      double dt) {
  add_equation(name, point(label), {LawType::pd, {}, x, {}, dt, 0, {}});
}
void Director::orient_with_pd(const std::string& name, const std::string& link, const Vec3d& turn,
                              double dt) {
  add_equation(name, orientation(link), {LawType::pd, {}, turn, {}, dt, 0, {}});
}
void Director::set_angle_with_pd(const std::string& name, const std::string& dof, double x, double dt) {
  add_equation(name, angle(dof), {LawType::pd, {}, {x, 0, 0}, {}, dt, 0, {}});
}
void Director::position_with_quintic(const std::string& name, const std::string& link, const Vec3d& x,
                                     const Vec3d& v, double dt) {
  add_equation(name, position(link), {LawType::quintic, {}, x, v, dt, 0, {}});
}
void Director::position_point_with_quintic(const std::string& name, const std::string& label, const Vec3d& x,
                                           const Vec3d& v, double dt, const Vec3d& over) {
  add_equation(name, point(label), {LawType::quintic, {}, x, v, dt, 0, over});
}
void Director::orient_with_quintic(const std::string& name, const std::string& link, const Vec3d& turn,
                                   const Vec3d& v, double dt) {
  add_equation(name, orientation(link), {LawType::quintic, {}, turn, v, dt, 0, {}});
}
void Director::set_angle_with_quintic(const std::string& name, const std::string& dof, double x, double v,
                                      double dt) {
  add_equation(name, angle(dof), {LawType::quintic, {}, {x, 0, 0}, {v, 0, 0}, dt, 0, {}});
}

// --- cost

void Director::add_cost(const std::string& name, const Quantity& quantity, double weight, Wanted value) {
  check_quantity("cost '" + name + "'", quantity);
  if (!(weight > 0))
    throw Error({}, "cost '" + name + "'", "weight " + to_text(weight) + " is no weight",
                "write more than 0");
  Equation e;
  e.name = name, e.quantity = quantity, e.law.value = std::move(value), e.weight = weight, e.cost = true;
  put(std::move(e));
}

double Director::weight_unit(const Quantity& quantity) const {
  const double heavy = std::max(1.0, units_.force / human_weight);
  for (const Quantity::Term& t : quantity.terms) switch (t.type) {
      case QuantityType::orientation:
      case QuantityType::angle:
        return units_.length * units_.length;
      case QuantityType::angular_momentum:
      case QuantityType::force:
      case QuantityType::torque:
        return 1 / (heavy * heavy);
      default:
        break;
    }
  return 1;
}

void Director::add_smoothness_cost(double weight, double posture) {
  smoothness_ = weight, posture_ = posture;
  if (started_) q_start_ = q_;
}

void Director::remove_cost(const std::string& name) {
  const auto at = std::find_if(equations_.begin(), equations_.end(),
                               [&](const Equation& e) { return e.name == name && e.cost; });
  if (at == equations_.end())
    throw Error({}, "cost '" + name + "'", "there is none of that name",
                did_you_mean(name, equation_names(true)));
  equations_.erase(at);
}

// --- ground and limits

std::vector<std::string> Director::links_of(const std::string& name) const {
  const Creature& body = system_.world.body;
  if (name != "feet" || body.link(name) >= 0) return {name};
  if (body.legs.empty())
    throw Error({}, "feet", "'" + body.name + "' has no legs", "add a [[leg]] with name, hip and foot");
  std::vector<std::string> feet;
  for (const Leg& leg : body.legs) feet.push_back(body.links[size_t(leg.foot)].name);
  return feet;
}

bool Director::holds(const std::string& name) const {
  const int link = find_link(name);
  return std::any_of(holds_.begin(), holds_.end(), [&](const Hold& h) { return h.link == link; });
}

// m: height over the ground of a link's lowest contact point, with those of links beyond it; of its origin
// where there are none.
double Director::clearance(int link) const {
  const Terrain& terrain = system_.world.terrain;
  double lowest = unlimited;
  for (const ContactSite<double>& site : system_.contacts.sites)
    if (beyond(site.link, link))
      lowest = std::min(lowest,
                        -ground_depth(terrain, point_position(w_, site.link, site.pos), site.radius).depth);
  return lowest < unlimited ? lowest : -ground_depth(terrain, w_.p[size_t(link)], 0).depth;
}

// A shoe holds to the ground; what hangs in the air is held by nothing, and only where that is asked for.
// What lies beyond a held link is held by its joint.
bool Director::may_hold(int link, Support support) {
  if (inside_held(link)) return true;
  const std::string& name = system_.world.body.links[size_t(link)].name;
  const double height = system_.world.terrain.type == TerrainType::none ? unlimited : clearance(link);
  if (height < shoe_reach * units_.length) return true;
  if (support == Support::ground) {
    fail(Status::stopped,
         "nothing can hold '" + name + "' at " + to_text(time()) + " s: " +
             (height < unlimited ? "it is " + brief(height) + " m above the ground" : "there is no ground") +
             "; bring it down first, or write hold_in_air where a hold by nothing is meant");
    return false;
  }
  const auto known =
      std::find_if(air_holds.begin(), air_holds.end(), [&](const AirHold& h) { return h.link == name; });
  if (known == air_holds.end())
    air_holds.push_back({name, height});
  else
    known->height = std::max(known->height, height);
  return true;
}

void Director::hold(const std::string& name, const std::string& label, Support support) {
  const int link = find_link(name);
  footing_[size_t(link)] = Footing::stands;
  if (options.ground != Grade::held || holds(name) || !may_hold(link, support)) return;
  Hold h{link, {}, {}, {}, support};
  if (!label.empty()) {
    const Quantity::Term at = point(label).terms[0];
    if (at.index != link)
      throw Error(
          {}, "hold '" + name + "'",
          "point '" + label + "' is part of '" + system_.world.body.links[size_t(at.index)].name + "'");
    h.point = at.point;
  }
  h.at = point_position(w_, link, h.point);
  // level: z upright, x as it looks from above
  const Mat3d& R = w_.R[size_t(link)];
  const Vec3d z(0, 0, 1), x = R.column(0) - z * R.column(0).z;
  const Vec3d forward = norm(x) > 1e-9 ? normalized(x) : Vec3d(1, 0, 0);
  h.R = Mat3d::columns(forward, cross(z, forward), z);
  holds_.push_back(h);
  std::sort(holds_.begin(), holds_.end(), [](const Hold& a, const Hold& b) { return a.link < b.link; });
  settle_velocity(link);
}

void Director::release(const std::string& name) {
  const int link = find_link(name);
  footing_[size_t(link)] = Footing::released;
  if (options.ground != Grade::held) return;
  const auto at = std::find_if(holds_.begin(), holds_.end(), [&](const Hold& h) { return h.link == link; });
  if (at == holds_.end())
    throw Error({}, "release '" + name + "'", "nothing holds it at " + to_text(time()) + " s");
  holds_.erase(at);
  // what was held through it is now held by itself, where it is
  for (Hold& h : holds_)
    if (!inside_held(h.link) && may_hold(h.link, h.support)) h.at = point_position(w_, h.link, h.point);
}

void Director::admit(const std::string& name) { footing_[size_t(find_link(name))] = Footing::unsaid; }

Director::Footing Director::footing(int link) const {
  while (link >= 0 && footing_[size_t(link)] == Footing::unsaid) link = system_.model.parent[size_t(link)];
  return link < 0 ? Footing::unsaid : footing_[size_t(link)];
}

bool Director::inside_held(int link) const {
  for (int b = system_.model.parent[size_t(link)]; b >= 0; b = system_.model.parent[size_t(b)])
    for (const Hold& h : holds_)
      if (h.link == b) return true;
  return false;
}

// m: between the surfaces of two links, as their shapes' support points see the other's shapes.
double Director::gap_between(int link, int other) const {
  const std::vector<Link>& links = system_.world.body.links;
  double nearest = unlimited;
  for (const auto& [a, b] : {std::pair{link, other}, std::pair{other, link}})
    for (const Shape& own : links[size_t(a)].shapes)
      for (const Ball& ball : contact_balls(own))
        for (const Shape& facing : links[size_t(b)].shapes) {
          const Vec3d at = point_position(w_, a, ball.pos) - w_.p[size_t(b)];
          nearest =
              std::min(nearest, distance(facing, transpose(w_.R[size_t(b)]) * at).distance - ball.radius);
        }
  return nearest;
}

void Director::grasp(const std::string& name, const std::string& hand_name) {
  const int link = find_link(name), hand = find_link(hand_name);
  if (const double gap = gap_between(link, hand); gap > shoe_reach * units_.length)
    return fail(Status::stopped, "'" + hand_name + "' cannot take '" + name + "' at " + to_text(time()) +
                                     " s: they are " + brief(gap) + " m apart; bring the hand to it first");
  const Mat3d &R = w_.R[size_t(link)], &S = w_.R[size_t(hand)];
  // the joint is where the hand is
  Loop grip;
  grip.name = name + " in " + hand_name, grip.link = hand, grip.other = link, grip.frame = true;
  grip.other_pos = transpose(R) * (w_.p[size_t(hand)] - w_.p[size_t(link)]);
  grip.other_rot = quaternion(transpose(R) * S);
  sim_.held.push_back(grip);
  int rows = 0;
  for (const Loop& held : sim_.held) rows += rows_of(held);
  sim_.constraints.reserve(system_.model, most_rows_ + rows);
  find_own();
  settle_velocity(-1);
}

void Director::let_go(const std::string& name) {
  const int hand = find_link(name);
  if (std::erase_if(sim_.held, [&](const Loop& grip) { return grip.link == hand; }) == 0)
    throw Error({}, "let_go '" + name + "'", "it holds nothing at " + to_text(time()) + " s");
  find_own();
}

void Director::restore(const Settings& settings) {
  const bool other_motors = actuated_ != settings.actuated;
  limit_ = settings.torque_limit, joint_friction_ = settings.joint_friction, actuated_ = settings.actuated;
  if (other_motors) {
    stop_at_limits(system_, actuated_, joints_);
    if (options.ground != Grade::penalty) system_.joints = joints_;
  }
  smoothness_ = settings.smoothness, posture_ = settings.posture, q_start_ = settings.posture_of;
}

void Director::set_torque_limit(const std::string& name, double limit) {
  if (!(limit >= 0))
    throw Error({}, "joint '" + name + "'",
                "torque limit " + to_text(limit) + " is negative or not a number");
  for (const int dof : find_dofs(name)) limit_[size_t(dof)] = limit;
}
void Director::set_passive(const std::string& name) {
  for (const int dof : find_dofs(name)) actuated_[size_t(dof)] = 0;
  stop_at_limits(system_, actuated_, joints_);
  if (options.ground != Grade::penalty) system_.joints = joints_;
}
void Director::set_joint_friction(const std::string& name, double torque) {
  if (!(torque >= 0))
    throw Error({}, "joint '" + name + "'", "friction " + to_text(torque) + " is negative or not a number");
  for (const int dof : find_dofs(name)) joint_friction_[size_t(dof)] = torque;
}

void Director::wait_until(std::function<double(const Director&)> condition) {
  awaited_ = std::move(condition);
}

void Director::enter_phase(const std::string& name) {
  phase_ = name, phase_start_ = time();
  phases.push_back({time(), name});
  if (std::find(phase_names.begin(), phase_names.end(), name) == phase_names.end())
    phase_names.push_back(name);
}

}  // namespace legwork
