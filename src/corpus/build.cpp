#include "corpus/build.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "corpus/command.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "creature/place.h"
#include "creature/shape.h"
#include "math/scalar.h"

namespace legwork {

namespace {

constexpr double square = 1e-9;  // how far from square axes may be

bool squares(const Mat3d& A) {
  for (int i = 0; i < 3; ++i) {
    const Vec3d a = A.column(i), b = A.column((i + 1) % 3);
    if (std::fabs(dot(a, b)) > square * norm(a) * norm(b)) return false;
  }
  return true;
}

double determinant(const Mat3d& A) { return dot(A.column(0), cross(A.column(1), A.column(2))); }

bool alike(double a, double b) { return std::fabs(a - b) <= square * std::max(std::fabs(a), std::fabs(b)); }

// Lengths of the axes, if the shape keeps its kind under the transform.
bool keeps_kind(const Shape& shape, const Mat3d& A, Vec3d& lengths) {
  if (shape.type == ShapeType::mesh || !squares(A)) return false;
  lengths = {norm(A.column(0)), norm(A.column(1)), norm(A.column(2))};
  return shape.type != ShapeType::cylinder || alike(lengths.x, lengths.y);
}

Mesh moved(Mesh mesh, const Affine& a) {
  for (Vec3d& v : mesh.vertices) v = a.A * v + a.t;
  if (determinant(a.A) < 0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  mesh.hull.clear();
  return mesh;
}

// Parents before children, in the order in which they were linked.
std::vector<int> tree_order(const CorpusFigure& figure) {
  std::vector<int> order;
  const std::function<void(int)> visit = [&](int body) {
    order.push_back(body);
    for (int i = 0; i < int(figure.bodies.size()); ++i)
      if (figure.bodies[i]->parent == body && i != body) visit(i);
  };
  visit(figure.root);
  return order;
}

Joint make_joint(const CorpusBody& body) {
  Joint joint;
  joint.type = body.sliding ? JointType::slide : JointType::hinge;
  joint.axes = {normalized(body.axis)};
  joint.dofs.resize(1);
  return joint;
}

void add_links(CorpusFigure& figure, const std::set<std::string>& shared, Creature& creature) {
  const std::vector<int> order = tree_order(figure);
  if (order.size() != figure.bodies.size())
    for (const auto& body : figure.bodies)
      if (body->parent < 0 && body.get() != figure.bodies[figure.root].get())
        throw Error(body->where, "addbody", "'" + body->name + "' hangs on no other body",
                    "link it with linkbodies PARENT " + body->name);
  for (const int i : order) {
    CorpusBody& body = *figure.bodies[i];
    Link link;
    link.name = shared.contains(body.name) ? figure.name + "." + body.name : body.name;
    link.where = body.where;
    link.shapes = body.shapes;
    if (i == figure.root) {
      link.pos = figure.pos;
      link.rot = figure.rot;
      if (figure.free) {
        Joint joint;
        joint.type = JointType::free;
        joint.dofs.resize(6);
        link.joints.push_back(joint);
      }
    } else {
      link.parent = figure.bodies[body.parent]->link;
      link.pos = body.place.t;
      link.rot = quaternion(body.place.A);
      link.joints.push_back(make_joint(body));
    }
    body.link = int(creature.links.size());
    creature.links.push_back(std::move(link));
  }
}

std::vector<double> present_pose(CorpusWorld& world) {
  std::vector<double> q;
  int dof = 0;
  for (auto& figure : world.figures) {
    if (!figure->ready) continue;
    for (const int i : tree_order(*figure)) {
      CorpusBody& body = *figure->bodies[i];
      body.coordinate = int(q.size());
      body.dof = dof;
      if (i != figure->root) {
        q.push_back(body.joint.q);
        ++dof;
      } else if (figure->free) {
        const Vec3d& p = figure->pos;
        const Quatd& r = figure->rot;
        q.insert(q.end(), {p.x, p.y, p.z, r.w, r.x, r.y, r.z});
        dof += 6;
      } else {
        body.dof = body.coordinate = -1;
      }
    }
  }
  return q;
}

void set_springs(CorpusWorld& world, Creature& creature) {
  for (auto& figure : world.figures) {
    if (!figure->ready) continue;
    for (auto& body : figure->bodies) {
      if (body->parent < 0) continue;
      const CorpusJoint& j = body->joint;
      const double M = joint_scale(*figure, *body, creature);
      Dof& dof = creature.links[body->link].joints[0].dofs[0];
      if (j.Q_type & has_damper) dof.damper = j.b * M;
      if ((j.Q_type & has_exponential) && j.ea * M > 0 && j.eB > 0)
        dof.spring = {SpringType::exponential, j.ea * M, j.eB, j.e_q};
      else if ((j.Q_type & has_linear) && j.k * M > 0)
        dof.spring = {SpringType::linear, j.k * M, 0, j.k_q};
      if (j.Q_type & has_limits) {
        dof.lower = j.lo, dof.upper = j.hi;
        dof.limit_stiffness = j.lk * M, dof.limit_damping = j.lb * M;
      }
    }
  }
}

bool is_motor(const CorpusLine& line) { return line.command->name == std::string("motor"); }

// Every body that the motor commands of a leg name.
void named_bodies(const std::vector<CorpusLine>& lines, const CorpusFigure& figure,
                  std::vector<const CorpusBody*>& found) {
  for (const CorpusLine& line : lines) {
    named_bodies(line.block, figure, found);
    for (const auto& body : figure.bodies)
      if (is_motor(line) && body->name == line.words[0]) found.push_back(body.get());
  }
}

// The motor commands of a program of this duration as moves, as far as a creature can express them: those of
// the rests that springs move about, from the start or from a timer on.
void add_moves(const std::vector<CorpusLine>& lines, const CorpusFigure& figure, double duration,
               double start, std::vector<Move>& moves) {
  const auto share = [&](const std::string& word) {
    return corpus_number(word) / (is_relative(word) ? 1 : duration);
  };
  for (const CorpusLine& line : lines) {
    if (line.command->name == std::string("timer"))
      add_moves(line.block, figure, duration, start + share(line.words[0]), moves);
    if (!is_motor(line)) continue;
    const double end = std::min(start + share(line.words[3]), 1.0);
    for (const auto& body : figure.bodies)
      if (body->name == line.words[0] && body->dof >= 0 && start >= 0 && start <= end)
        moves.push_back({body->dof, corpus_number(line.words[2]), start, end});
  }
}

std::string common_start(const std::string& a, const std::string& b) {
  const auto end = std::mismatch(a.begin(), a.begin() + long(std::min(a.size(), b.size())), b.begin());
  return {a.begin(), end.first};
}

// The legs of a gait: each from the topmost body that its programs move to the end of that limb.
void add_legs(const CorpusRoach& roach, const std::vector<LinkFrame>& frames, Creature& creature) {
  struct Found {
    Leg leg;
    Vec3d hip;
  };
  std::vector<Found> all;
  for (const auto& [number, program] : roach.legs) {
    std::vector<const CorpusBody*> bodies;
    named_bodies(program.step, *roach.figure, bodies);
    named_bodies(program.stance, *roach.figure, bodies);
    const CorpusBody* hip = nullptr;
    for (const CorpusBody* body : bodies)
      if (!hip || body->link < hip->link) hip = body;
    if (!hip || hip->parent < 0) continue;
    Leg leg;
    leg.hip = leg.foot = hip->link;
    leg.name = hip->name;
    for (const CorpusBody* body : bodies) leg.name = common_start(leg.name, body->name);
    if (leg.name.empty()) leg.name = "leg" + std::to_string(number);
    for (int i = leg.hip + 1; i < int(creature.links.size()); ++i)
      if (creature.links[i].parent == leg.foot) leg.foot = i;
    leg.where = hip->where;
    add_moves(program.step, *roach.figure, roach.pace.step, 0, leg.step);
    add_moves(program.stance, *roach.figure, roach.pace.stance(), 0, leg.stance);
    all.push_back({leg, frames[leg.hip].p});
  }
  // names without what all share; sides and girdles from where the hips are
  std::string shared = all.empty() ? "" : all[0].leg.name;
  for (const Found& f : all) shared = common_start(shared, f.leg.name);
  const bool strips = all.size() > 1 && std::all_of(all.begin(), all.end(), [&](const Found& f) {
                        return f.leg.name.size() > shared.size();
                      });
  std::vector<double> rows;
  double size = 0;
  for (const Found& f : all)
    size = std::max({size, std::fabs(f.hip.x - all[0].hip.x), std::fabs(f.hip.y - all[0].hip.y)});
  for (const Found& f : all)
    if (std::none_of(rows.begin(), rows.end(),
                     [&](double x) { return std::fabs(x - f.hip.x) < 0.02 * size; }))
      rows.push_back(f.hip.x);
  std::sort(rows.rbegin(), rows.rend());
  const Vec3d middle = frames[roach.figure->bodies[roach.figure->root]->link].p;
  for (Found& f : all) {
    if (strips) f.leg.name = f.leg.name.substr(shared.size());
    if (std::fabs(f.hip.y - middle.y) > 0.02 * size)
      f.leg.side = f.hip.y > middle.y ? Side::left : Side::right;
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (std::fabs(rows[row] - f.hip.x) < 0.02 * size)
        f.leg.girdle = row == 0                 ? "fore"
                       : row + 1 == rows.size() ? "hind"
                       : rows.size() == 3       ? "mid"
                                                : "mid" + std::to_string(row);
    creature.legs.push_back(f.leg);
  }
}

ContactOptions contact_of(const CorpusWorld& world, bool sticky) {
  const CorpusGround& g = world.ground;
  ContactOptions o;
  if (sticky || g.ea > 0) o.type = sticky ? ContactType::sticky : ContactType::exponential;
  if (g.ea > 0) o.strength = g.ea;
  if (g.eB > 0) o.sharpness = g.eB;
  if (g.k > 0) o.stiffness = g.k;
  o.damping = std::max(g.b, 0.0) + g.krf;
  o.restitution = g.e;
  // a linear ground whose damping is given as none has none
  if (o.type == ContactType::linear && g.k > 0 && g.b == 0 && g.e < 0) o.restitution = 1;
  o.deepest = g.emaxz;
  if (g.friction >= 0) o.friction = g.friction;
  if (g.friction2 >= 0) {
    o.friction = g.friction2;
    o.bristle_stiffness = g.friction2_k;
    // the damping of a spring that gives back this share of its energy in half a swing
    const double L = g.friction2_e > 0 ? -0.5 * log(std::min(g.friction2_e, 1.0)) : 0;
    if (g.friction2_e > 0) o.bristle_ratio = L / std::sqrt(9.869604401089358 + L * L);
  }
  o.stick_strength = g.stick_ea;
  o.stick_sharpness = g.stick_eB;
  o.stick_break_length = g.stick_emaxz;
  // a spring that may stretch this far is stronger than the weight: only the length breaks it
  if (g.stick_emaxz > 0) o.stick_break_force = 1e12;
  o.stick_restitution = g.stick_e;
  return o;
}

Terrain terrain_of(const CorpusWorld& world) {
  if (!world.ground.on) return no_terrain();
  if (world.ground.grid) {
    Terrain terrain = world.grids.at(world.grid);
    terrain.height += world.ground.z;
    for (double& height : terrain.grid.height) height += world.ground.z;
    return terrain;
  }
  Terrain terrain;
  terrain.height = world.ground.z;
  return terrain;
}

void add_attachments(CorpusWorld& world, Creature& creature) {
  for (std::size_t i = 0; i < world.attachments.size(); ++i) {
    const CorpusAttachment& a = world.attachments[i];
    Attachment spring;
    spring.link = a.body->link;
    spring.other = a.other ? a.other->link : -1;
    spring.pos = a.pos;
    spring.other_pos = a.other_pos;
    spring.restitution = a.e;
    spring.break_length = a.break_length;
    const std::string name = "attach" + std::to_string(i + 1);
    // always both, so that which of them is broken keeps its place
    spring.name = name + ".k";
    spring.stiffness = a.k;
    creature.attachments.push_back(spring);
    spring.name = name + ".e";
    spring.stiffness = a.ea;
    spring.sharpness = a.eB > 0 ? a.eB : 1;
    if (!(a.eB > 0)) spring.stiffness = 0;
    creature.attachments.push_back(spring);
  }
}

}  // namespace

bool is_rigid(const Affine& a) {
  if (!squares(a.A) || determinant(a.A) < 0) return false;
  for (int i = 0; i < 3; ++i)
    if (!alike(norm(a.A.column(i)), 1)) return false;
  return true;
}

Shape transformed(const CorpusObject& object) {
  Shape shape = object.shape;
  const Affine& a = object.transform;
  Vec3d s;
  if (keeps_kind(shape, a.A, s)) {
    const bool round = shape.type == ShapeType::sphere && alike(s.x, s.y) && alike(s.y, s.z);
    Mat3d R = Mat3d::columns(a.A.column(0) * (1 / s.x), a.A.column(1) * (1 / s.y), a.A.column(2) * (1 / s.z));
    if (determinant(R) < 0) R = R * -1.0;  // these shapes are their own mirror images
    shape.pos = a.t;
    shape.rot = quaternion(R);
    if (shape.type == ShapeType::box)
      shape.size = {shape.size.x * s.x, shape.size.y * s.y, shape.size.z * s.z};
    if (shape.type == ShapeType::cylinder) shape.size = {shape.size.x * s.x, shape.size.y * s.z, 0};
    if (shape.type == ShapeType::sphere && !round) {
      shape.type = ShapeType::ellipsoid;
      shape.size = {shape.size.x * s.x, shape.size.x * s.y, shape.size.x * s.z};
    } else if (round) {
      shape.size = {shape.size.x * s.x, 0, 0};
    }
    return shape;
  }
  Mesh mesh = shape.type == ShapeType::mesh ? shape.mesh : surface(shape);
  shape.type = ShapeType::mesh;
  shape.mesh = moved(std::move(mesh), a);
  shape.pos = {};
  shape.rot = {};
  shape.size = {};
  return shape;
}

double joint_scale(const CorpusFigure& figure, const CorpusBody& body, const Creature& creature) {
  if (body.joint.scale == SpringScale::none) return 1;
  double mass = creature.links[body.link].mass;
  if (body.joint.scale == SpringScale::mass) return mass;
  for (const auto& other : figure.bodies)
    for (int up = other->parent; up >= 0; up = figure.bodies[up]->parent)
      if (figure.bodies[up].get() == &body) {
        mass += creature.links[other->link].mass;
        break;
      }
  return mass;
}

std::string corpus_integrator(const std::string& name) {
  return name == "rkf" || name == "rkvar" ? "rkf45"
         : name == "rkfixed"              ? "rk4"
         : name.empty()                   ? "implicit"
                                          : name;
}

World build_world(CorpusWorld& world) {
  World built;
  Creature& creature = built.body;
  std::map<std::string, int> uses;
  int ready = 0;
  for (const auto& figure : world.figures) {
    if (!figure->ready) continue;
    if (++ready == 1) creature.name = figure->name, creature.where = figure->where;
    for (const auto& body : figure->bodies) ++uses[body->name];
  }
  if (ready == 0)
    throw Error("the script makes no figure",
                "add bodies to a corpus (addcorpus, addbody, setroot) and call corpusinit");
  if (ready > 1) creature.name = world.name.empty() ? "world" : world.name;
  std::set<std::string> shared;
  for (const auto& [name, count] : uses)
    if (count > 1) shared.insert(name);

  for (auto& figure : world.figures)
    if (figure->ready) add_links(*figure, shared, creature);
  creature.poses.push_back({"stand", present_pose(world)});
  for (Link& link : creature.links) name_joints(link);
  const std::vector<LinkFrame> frames = place(creature, creature.poses[0].q);
  for (const auto& roach : world.roaches)
    if (roach->figure && roach->figure->ready) {
      add_legs(*roach, frames, creature);
      creature.step_time = roach->pace.step;
    }
  add_attachments(world, creature);
  complete(creature);
  set_springs(world, creature);

  creature.integrator = corpus_integrator(world.integrator);
  creature.dt = world.h;

  bool sticky = false;
  for (const auto& figure : world.figures)
    for (const auto& body : figure->bodies) {
      if (!figure->ready || !body->may_stick) continue;
      sticky = true;
      for (ContactPoint& contact : creature.contacts)
        if (contact.link == body->link) contact.foot = true;
    }
  creature.gravity = built.gravity = {0, 0, world.gravity_on ? -world.gravity : 0};
  built.terrain = terrain_of(world);
  built.contact = contact_of(world, sticky);
  built.body_contact = world.collisions.on && !world.collisions.pairs.empty();
  check(creature);
  return built;
}

std::vector<CorpusJointExtra> joint_extras(const CorpusWorld& world, const World& built) {
  std::vector<CorpusJointExtra> extras;
  for (const auto& figure : world.figures) {
    if (!figure->ready) continue;
    for (const auto& body : figure->bodies) {
      const CorpusJoint& j = body->joint;
      if (body->parent < 0) continue;
      CorpusJointExtra extra{body->dof, body.get(), 0, 0};
      const bool both = (j.Q_type & has_linear) && (j.Q_type & has_exponential) && j.ea > 0 && j.eB > 0;
      if (both) extra.k = j.k * joint_scale(*figure, *body, built.body);
      if (j.Q_type & has_force) extra.Q = j.Q;
      if (extra.k != 0 || extra.Q != 0) extras.push_back(extra);
    }
  }
  return extras;
}

}  // namespace legwork
