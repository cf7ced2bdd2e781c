#include "tests/scenes/walker.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/dynamics.h"
#include "ground/terrain.h"

namespace legwork {

namespace {

constexpr double part = 0.18;    // m, thigh and shank
constexpr double height = 0.33;  // m, of the trunk's centre above the ground
constexpr double hip_z = -0.03;  // m, hips below the trunk's centre

Joint hinge(const std::string& name) {
  Joint joint;
  joint.name = name, joint.type = JointType::hinge, joint.axes = {{0, 1, 0}};
  joint.dofs.resize(1);
  joint.dofs[0].name = name;
  return joint;
}

int add_link(Creature& c, const std::string& name, int parent, const Vec3d& pos, const Joint& joint,
             const std::vector<Shape>& shapes, double mass) {
  Link link;
  link.name = name, link.parent = parent, link.pos = pos, link.joints = {joint}, link.shapes = shapes;
  link.mass = mass;
  link.inertia = Sym3d::diagonal(1e-3 * mass, 1e-3 * mass, 1e-3 * mass);
  c.links.push_back(link);
  return int(c.links.size()) - 1;
}

Shape make_shape(ShapeType type, const Vec3d& size, const Vec3d& pos, const std::array<double, 3>& color) {
  Shape shape;
  shape.type = type, shape.size = size, shape.pos = pos, shape.color = color;
  return shape;
}

constexpr std::array<double, 3> sand = {0.80, 0.66, 0.47}, bark = {0.46, 0.40, 0.35};

std::string leg_name(int pair, int pairs, bool left) {
  const std::string letters = pairs == 1 ? "" : pairs == 2 ? "fh" : "fmh";
  const std::string place =
      pair < int(letters.size()) ? letters.substr(std::size_t(pair), 1) : std::to_string(pair + 1);
  return (left ? "l" : "r") + (pairs <= 3 ? place : std::to_string(pair + 1));
}

// By differences of neighbouring frames.
std::vector<double> velocities(const Motion& m) {
  const Model<double> model = make_model(m.creature);
  std::vector<double> v(m.time.size() * std::size_t(model.nv));
  for (int f = 0; f < m.frames() && m.frames() > 1; ++f) {
    const int before = std::max(f - 1, 0), after = std::min(f + 1, m.frames() - 1);
    double* row = v.data() + std::size_t(f) * model.nv;
    difference_positions(model, m.q.data() + std::size_t(before) * model.nq,
                         m.q.data() + std::size_t(after) * model.nq, row);
    for (int i = 0; i < model.nv; ++i) row[i] /= m.time[after] - m.time[before];
  }
  return v;
}

}  // namespace

Creature walker_body(const WalkerOptions& o) {
  Creature c;
  c.name = o.name;
  c.about = "A trunk on " + std::to_string(2 * o.pairs) + " legs, moved without physics";
  Joint root;
  root.name = "root", root.type = JointType::free;
  root.dofs.resize(6);
  const double length = 0.30 + 0.10 * o.pairs;
  const int trunk =
      add_link(c, "trunk", -1, {0, 0, height}, root,
               {make_shape(ShapeType::box, {length, 0.16, 0.11}, {}, sand),
                make_shape(ShapeType::ellipsoid, {0.10, 0.065, 0.065}, {0.5 * length + 0.06, 0, 0.06}, sand)},
               5);
  for (int pair = 0; pair < o.pairs; ++pair)
    for (const bool left : {true, false}) {
      const std::string name = leg_name(pair, o.pairs, left);
      const double x = o.pairs == 1 ? 0 : 0.42 * length - 0.84 * length * pair / (o.pairs - 1);
      const Shape rod = make_shape(ShapeType::capsule, {0.02, part - 0.02, 0}, {0, 0, -0.5 * part}, bark);
      const int thigh = add_link(c, name + "_thigh", trunk, {x, left ? 0.09 : -0.09, hip_z},
                                 hinge(name + "_hip"), {rod}, 0.4);
      const int shank = add_link(c, name + "_shank", thigh, {0, 0, -part}, hinge(name + "_knee"), {rod}, 0.2);
      Leg leg;
      leg.name = name, leg.side = left ? Side::left : Side::right;
      leg.girdle = pair == 0 ? "fore" : pair == o.pairs - 1 ? "hind" : "mid";
      leg.hip = thigh, leg.knee = shank, leg.foot = shank, leg.sole = {0, 0, -part};
      c.legs.push_back(leg);
      c.contacts.push_back({name + "_toe", shank, {0, 0, -part}, 0, true});
    }
  int before = trunk;
  for (int k = 0; k < o.tail; ++k)
    before = add_link(
        c, "tail_" + std::to_string(k + 1), before, {k == 0 ? -0.5 * length : -0.06, 0, k == 0 ? 0.03 : 0},
        hinge("tail_" + std::to_string(k + 1)),
        {make_shape(ShapeType::sphere, {0.035 - 0.02 * k / o.tail, 0, 0}, {-0.03, 0, 0}, sand)}, 0.02);
  return c;
}

Motion walk(const WalkerOptions& o) {
  Motion m;
  m.creature = walker_body(o);
  const Creature& c = m.creature;
  const int legs = int(c.legs.size());
  const double weight = 9.81 * c.mass(), slope = std::tan(o.climb);
  const double reach = o.speed * o.period * o.duty;  // m, the trunk's way in one stance
  const double two_pi = 2 * std::numbers::pi;
  const int frames = int(std::lround(o.seconds * o.rate)) + 1;
  for (int f = 0; f < frames; ++f) {
    const double t = f / o.rate;
    m.time.push_back(t);
    const double x = o.speed * t, z = height + slope * x + 0.004 * std::sin(2 * two_pi * t / o.period);
    for (const double value : {x, 0.0, z, 1.0, 0.0, 0.0, 0.0}) m.q.push_back(value);

    std::vector<char> down;
    for (int k = 0; k < legs; ++k) {
      const double cycle = t / o.period + (o.phase.empty() ? 0 : o.phase[k]);
      const double share = cycle - std::floor(cycle + 1e-12);
      down.push_back(share < o.duty);
      const double swing = (share - o.duty) / (1 - o.duty);
      const double foot_x = down[k] ? reach * (0.5 - share / o.duty) : reach * (swing - 0.5);
      const double lift = down[k] ? 0 : 0.05 * std::sin(std::numbers::pi * swing);
      // hip to foot in the trunk's axes; a positive turn about y brings the leg's end backward
      const double hip_x = c.links[c.legs[k].hip].pos.x;
      const double dx = foot_x, dz = slope * (x + hip_x + foot_x) + lift - (z + hip_z);
      const double distance = std::min(std::hypot(dx, dz), 2 * part - 1e-6);
      const double bend = std::acos(distance / (2 * part)), lean = std::atan2(-dx, -dz);
      m.q.push_back(lean - bend);
      m.q.push_back(2 * bend);
    }
    for (int k = 0; k < o.tail; ++k) m.q.push_back(0.12 * std::sin(two_pi * t / o.period - 0.5 * k));
    const double standing = double(std::count(down.begin(), down.end(), 1));
    for (int k = 0; k < legs; ++k)
      for (const double force : {0.0, 0.0, down[k] ? weight / standing : 0.0})
        m.contact_force.push_back(force);
  }
  m.v = velocities(m);
  if (o.climb != 0) m.terrain = slope_terrain(o.climb);
  m.made = {"walk", o.name, "0.1.0", "verb = \"walk\"\nspeed = 0.5\n", 7};
  return m;
}

}  // namespace legwork
