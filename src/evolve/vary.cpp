#include "evolve/vary.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "creature/place.h"
#include "creature/side.h"
#include "evolve/stretch.h"
#include "math/real.h"
#include "math/rotation.h"
#include "math/vec.h"

namespace legwork::evolution {

namespace {

constexpr int attempts = 12;           // at a sound body
constexpr double more_changes = 0.35;  // probability of one change more than there are, twice at most
constexpr double spread = 0.25;        // of the logarithm of a length that changes, as a standard deviation
constexpr double least_mass = 0.004;   // of a part, as a share of the body's
constexpr double shortest = 0.05, longest = 4;  // m: of a body
constexpr double give = pi / 18;                // rad by which a muscle yields under its full torque
constexpr double damping_time = 0.1;            // s: kd / ks
constexpr int most_segments = 3;                // of a limb that grows
constexpr double knees = 0.7;                   // share of new limbs of two segments
constexpr double two_axes = 0.6;                // share of new limbs that swing both ahead and aside

double factor(Random& random) { return exp(spread * random.normal()); }

// A body that is being changed, with what the changes need to know of it.
class Surgery {
 public:
  Surgery(const Creature& parent, int most_limbs, Random& random)
      : body_(take_apart(parent)), random_(random), most_limbs_(most_limbs) {
    Box box = bounding_box(parent, parent.pose("stand"));
    size_ = box.upper - box.lower;
    length_ = std::max({size_.x, size_.y, size_.z});
    height_ = frame_of_root(parent).p.z;
    weight_ = 9.81 * parent.mass();
  }

  // One change; false where this body does not allow it.
  bool change() {
    static constexpr std::array<bool (Surgery::*)(), 16> all = {
        &Surgery::new_limb,    &Surgery::new_limb,     &Surgery::copy_limb,   &Surgery::lose_limb,
        &Surgery::move_limb,   &Surgery::lengthen,     &Surgery::thicken,     &Surgery::make_dense,
        &Surgery::turn_axis,   &Surgery::change_axes,  &Surgery::set_range,   &Surgery::turn_rest,
        &Surgery::add_segment, &Surgery::lose_segment, &Surgery::shape_trunk, &Surgery::rewire};
    // whole size rarely: it changes everything
    if (random_.uniform() < 0.06) return grow();
    return (this->*all[size_t(random_.index(int(all.size())))])();
  }

  const Body& body() const { return body_; }
  std::string how;

 private:
  static LinkFrame frame_of_root(const Creature& c) { return place(c, c.pose("stand")).front(); }

  void note(const std::string& what) { how += (how.empty() ? "" : "; ") + what; }

  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[size_t(random_.index(int(list.size())))];
  }
  template <class T>
  size_t any_place(const std::vector<T>& list) {
    return size_t(random_.index(int(list.size())));
  }
  bool chance(double p) { return random_.uniform() < p; }

  // Parts but the root, right twins and single ones.
  std::vector<std::string> movable() const {
    std::vector<std::string> all;
    for (const Part& part : body_.parts)
      if (!part.parent.empty() && side_of(part.link.name) != Side::left) all.push_back(part.link.name);
    return all;
  }
  std::vector<std::string> limbs() const {
    std::vector<std::string> all = body_.limbs();
    std::erase_if(all, [](const std::string& name) { return side_of(name) == Side::left; });
    return all;
  }
  // Pairs that are not mirrored yet count as two.
  int limb_count() const {
    int count = 0;
    for (const std::string& name : body_.limbs())
      count += side_of(name) == Side::right && !body_.find(mirrored_name(name)) ? 2 : 1;
    return count;
  }
  const Part& root() const { return body_.parts.front(); }

  Box box_of(const Part& part) const {
    Box box;
    for (const Shape& shape : part.link.shapes)
      if (shape.massive) extend(box, bounding_box(shape));
    if (!(box.lower.x < box.upper.x)) box = {{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}};
    return box;
  }
  double radius_of(const Part& part) const {
    double radius = unlimited;
    for (const Shape& shape : part.link.shapes) {
      const Vec3d size = bounding_box(shape).upper - bounding_box(shape).lower;
      if (shape.massive) radius = std::min(radius, 0.5 * std::min({size.x, size.y, size.z}));
    }
    return radius < unlimited ? radius : 0.05 * length_;
  }

  // --- limbs

  // A segment that hangs down from `pos` of its parent.
  Part segment(const std::string& name, const std::string& parent, const Vec3d& pos, const Quatd& rot,
               double length, double radius) {
    Part part;
    part.link.name = name;
    part.parent = parent;
    part.link.pos = pos, part.link.rot = rot;
    Shape bone;
    bone.type = ShapeType::capsule;
    bone.pos = {0, 0, -0.5 * length};
    bone.size = {radius, length, 0};
    bone.density = 1000;
    bone.color = {0.66, 0.45, 0.28};
    bone.touches = false;  // but for its end: the other one is inside its parent
    part.link.shapes = {bone};
    part.contacts.push_back({"", 0, {0, 0, -length}, radius, false, {}});
    Joint hinge;
    hinge.type = JointType::hinge;
    part.link.joints = {hinge};
    add_axis(part, chance(0.75) ? Vec3d(0, 1, 0) : Vec3d(1, 0, 0), radius);
    return part;
  }

  // One more axis of its joint, with a muscle.
  void add_axis(Part& part, const Vec3d& axis, double radius) {
    Joint& joint = part.link.joints.front();
    const double half = random_.uniform(0.35, 1.0);
    Dof dof;
    dof.lower = -half, dof.upper = half;
    joint.axes.push_back(axis), joint.dofs.push_back(dof), part.stand.push_back(0);
    joint.type = joint.axes.size() == 1 ? JointType::hinge : JointType::universal;
    add_muscle(part, int(joint.dofs.size()) - 1, radius);
  }

  // As strong as the cross-section; a sensor at each end of the range, as equip() has them.
  void add_muscle(Part& part, int dof, double radius) {
    const Dof& range = part.link.joints.front().dofs[size_t(dof)];
    Actuator a;
    a.dof = dof;
    a.lower = range.lower, a.upper = range.upper;
    a.strength = muscle_torque(radius);
    a.ks = a.strength / give, a.kd = damping_time * a.ks;
    part.actuators.push_back({a, ""});
    Sensor s;
    s.type = SensorType::angle;
    s.dof = dof;
    s.lower = (range.lower + range.upper) / 2, s.upper = range.upper;
    part.sensors.push_back({s, ""});
  }

  void add_touch(Part& part) {
    Sensor s;
    s.type = SensorType::touch;
    part.sensors.push_back({s, ""});
  }

  // One, and more of a body that has too few to stand on.
  bool new_limb() {
    if (!grow_limb()) return false;
    while (limb_count() < 4 && chance(0.6)) grow_limb();
    return true;
  }

  bool grow_limb() {
    const bool paired = chance(0.8);
    if (limb_count() + (paired ? 2 : 1) > most_limbs_) return false;
    const Box box = box_of(root());
    const Vec3d middle = (box.lower + box.upper) * 0.5, half = (box.upper - box.lower) * 0.5;
    const double x = middle.x + half.x * random_.uniform(-0.95, 0.95);
    const double y = paired ? box.lower.y : middle.y;  // the right side
    const double z = middle.z + half.z * random_.uniform(-0.8, 0.2);
    // long enough to reach the ground that the others stand on; of a body that lies, a new one to stand on
    const double above = std::max(height_ + z, 0.0);
    const double reach =
        (limb_count() > 0 && above > 0.5 * half.z + half.y ? above : half.z + 0.5 * (half.x + half.y)) *
        random_.uniform(0.9, 1.15);
    const int segments = chance(knees) ? 2 : 1;
    const double radius = radius_for(0.5 * reach * weight_) * factor(random_);
    const double out = paired ? random_.uniform(0.0, 0.6) : 0, swing = random_.uniform(-0.5, 0.5);
    const std::string prefix = fresh_prefix(body_, paired);
    std::string parent = root().link.name;
    Vec3d pos(x, y, z);
    // turned outward about x: the right leg's foot goes to -y
    Quatd rot = rotation_quaternion(Vec3d(-out, 0, 0)) * rotation_quaternion(Vec3d(0, swing, 0));
    for (int k = 0; k < segments; ++k) {
      const double length = reach / (segments * std::max(0.5, std::fabs(cos(out) * cos(swing))));
      Part part = segment(prefix + "_" + std::string(1, char('a' + k)), parent, pos, rot, length, radius);
      if (k == 0 && chance(two_axes)) {  // a hip
        const Vec3d& axis = part.link.joints.front().axes.front();
        add_axis(part, {axis.y, axis.x, 0}, radius);
      }
      if (k + 1 == segments) add_touch(part);
      parent = part.link.name;
      pos = {0, 0, -length};
      rot = rotation_quaternion(Vec3d(0, -2 * swing, 0));
      body_.parts.push_back(std::move(part));
    }
    note(paired ? "a new pair of limbs" : "a new limb");
    return true;
  }

  // A copy of a limb at another place of the same trunk.
  bool copy_limb() {
    const std::vector<std::string> all = limbs();
    if (all.empty()) return false;
    const std::string from = any(all);
    const bool was_paired = side_of(from) == Side::right, paired = was_paired || chance(0.7);
    if (limb_count() + (paired ? 2 : 1) > most_limbs_) return false;
    const std::string prefix = fresh_prefix(body_, paired);
    std::vector<Part> copies;
    int number = 0;
    const std::vector<std::string> old = body_.subtree(from);
    const auto renamed = [&](const std::string& name) {
      const auto found = std::find(old.begin(), old.end(), name);
      return found == old.end() ? name
                                : prefix + "_" + std::string(1, char('a' + (found - old.begin()) % 26));
    };
    for (const std::string& name : old) {
      Part copy = *body_.find(name);
      copy.link.name = renamed(name);
      copy.parent = renamed(copy.parent);
      for (auto& s : copy.sensors) s.other = renamed(s.other);
      for (auto& a : copy.actuators) a.other = renamed(a.other);
      copies.push_back(std::move(copy));
      if (++number == 26) break;
    }
    const Box box = box_of(root());
    copies.front().link.pos.x = random_.uniform(box.lower.x, box.upper.x);
    if (paired && !was_paired) copies.front().link.pos.y = box.lower.y;
    for (Part& copy : copies) body_.parts.push_back(std::move(copy));
    note(was_paired ? "a pair of limbs copied" : paired ? "a limb copied to both sides" : "a limb copied");
    return true;
  }

  void remove_with_twin(const std::string& name) {
    if (side_of(name) != Side::none && body_.find(mirrored_name(name))) body_.remove(mirrored_name(name));
    body_.remove(name);
  }

  bool lose_limb() {
    const std::vector<std::string> all = limbs();
    if (all.empty()) return false;
    const std::string name = any(all);
    note(side_of(name) == Side::right ? "a pair of limbs lost" : "a limb lost");
    remove_with_twin(name);
    return true;
  }

  bool move_limb() {
    const std::vector<std::string> all = limbs();
    if (all.empty()) return false;
    Part& limb = *body_.find(any(all));
    if (chance(0.25) && body_.parts.size() > 2) {  // to hang on another part
      const std::vector<std::string> own = body_.subtree(limb.link.name);
      const std::string other = any(movable());
      const bool sided = side_of(other) != Side::none,
                 fits = sided == (side_of(limb.link.name) != Side::none);
      if (fits && std::find(own.begin(), own.end(), other) == own.end()) return hang(limb.link.name, other);
    }
    const Box box = box_of(root());
    const Vec3d half = (box.upper - box.lower) * 0.5;
    limb.link.pos.x = std::clamp(limb.link.pos.x + 0.4 * half.x * random_.normal(), box.lower.x, box.upper.x);
    limb.link.pos.z = std::clamp(limb.link.pos.z + 0.2 * half.z * random_.normal(), box.lower.z, box.upper.z);
    note("a limb moved along the trunk");
    return true;
  }

  // Parents come before children, so the subtree goes to the end.
  bool hang(const std::string& limb, const std::string& on) {
    std::vector<Part> moved;
    for (const std::string& name : body_.subtree(limb)) {
      moved.push_back(*body_.find(name));
      if (side_of(name) != Side::none && body_.find(mirrored_name(name)))
        std::erase_if(body_.parts, [&](const Part& p) { return p.link.name == mirrored_name(name); });
    }
    for (const Part& part : moved)
      std::erase_if(body_.parts, [&](const Part& p) { return p.link.name == part.link.name; });
    moved.front().parent = on;
    const Part& new_parent = *body_.find(on);
    moved.front().link.pos = box_of(new_parent).lower * 0.5 + box_of(new_parent).upper * 0.5;
    for (Part& part : moved) body_.parts.push_back(std::move(part));
    note("a limb moved to another part");
    return true;
  }

  // --- segments

  bool add_segment() {
    std::vector<std::string> tips;
    for (const std::string& name : movable())
      if (body_.subtree(name).size() == 1) tips.push_back(name);
    if (tips.empty()) return false;
    Part& tip = *body_.find(any(tips));
    int segments = 1;
    for (const Part* p = &tip; p && !p->parent.empty() && p->parent != root().link.name;
         p = body_.find(p->parent))
      ++segments;
    if (segments >= most_segments) return false;
    const std::string prefix = fresh_prefix(body_, side_of(tip.link.name) == Side::right);
    const Vec3d down = direction_of(body_, tip);
    Box box = box_of(tip);
    const Vec3d size = box.upper - box.lower;
    const double length = std::max({size.x, size.y, size.z}), radius = radius_of(tip);
    Part part = segment(prefix + "_a", tip.link.name, down * (length - radius), {},
                        0.6 * length * factor(random_), radius * 0.9);
    // the touch sensor goes to the new tip
    const auto touches = [](const Fitting<Sensor>& s) { return s.item.type == SensorType::touch; };
    std::erase_if(tip.sensors, touches);
    add_touch(part);
    body_.parts.push_back(std::move(part));
    note("a segment more");
    return true;
  }

  bool lose_segment() {
    std::vector<std::string> tips;
    for (const std::string& name : movable())
      if (body_.subtree(name).size() == 1 && body_.find(name)->parent != root().link.name)
        tips.push_back(name);
    if (tips.empty()) return false;
    const std::string tip = any(tips), parent = body_.find(tip)->parent;
    remove_with_twin(tip);
    add_touch(*body_.find(parent));
    note("a segment fewer");
    return true;
  }

  // --- shape

  bool lengthen() {
    const std::vector<std::string> all = movable();
    if (all.empty()) return false;
    const double f = factor(random_);
    const std::string name = any(all);
    if (chance(0.5)) {  // the whole limb
      for (const std::string& part : body_.subtree(name))
        stretch(body_, part, direction_of(body_, *body_.find(part)), f, 1);
      note(f > 1 ? "a limb longer" : "a limb shorter");
    } else {
      stretch(body_, name, direction_of(body_, *body_.find(name)), f, 1);
      note(f > 1 ? "a segment longer" : "a segment shorter");
    }
    return true;
  }

  bool thicken() {
    const std::vector<std::string> all = movable();
    if (all.empty()) return false;
    const double f = factor(random_);
    for (const std::string& part : body_.subtree(any(all)))
      stretch(body_, part, direction_of(body_, *body_.find(part)), 1, f);
    note(f > 1 ? "a limb thicker and stronger" : "a limb thinner and weaker");
    return true;
  }

  bool make_dense() {
    Part& part = body_.parts[size_t(random_.index(int(body_.parts.size())))];
    const double f = std::clamp(factor(random_), 0.5, 2.0);
    double density = 0;
    for (const Shape& shape : part.link.shapes) density = std::max(density, shape.density * f);
    if (density > 3000 || density < 200) return false;
    for (Shape& shape : part.link.shapes) shape.density *= f;
    part.link.mass *= f;
    part.link.inertia = part.link.inertia * f;
    if (Part* twin =
            side_of(part.link.name) == Side::left ? body_.find(mirrored_name(part.link.name)) : nullptr) {
      twin->link.mass *= f, twin->link.inertia = twin->link.inertia * f;
      for (Shape& shape : twin->link.shapes) shape.density *= f;
    }
    note(f > 1 ? "a part heavier" : "a part lighter");
    return true;
  }

  bool shape_trunk() {
    const int axis = random_.index(3);
    const Vec3d direction(axis == 0, axis == 1, axis == 2);
    const double f = factor(random_);
    stretch(body_, root().link.name, direction, f, 1);
    note(std::string("the trunk ") + (axis == 0   ? (f > 1 ? "longer" : "shorter")
                                      : axis == 1 ? (f > 1 ? "wider" : "narrower")
                                                  : (f > 1 ? "higher" : "flatter")));
    return true;
  }

  bool grow() {
    const double f = factor(random_);
    enlarge(body_, f);
    note(f > 1 ? "all of it larger" : "all of it smaller");
    return true;
  }

  // --- joints

  // A part that turns about one axis or two.
  Part* turning() {
    std::vector<std::string> all = movable();
    std::erase_if(all, [&](const std::string& name) {
      const std::vector<Joint>& joints = body_.find(name)->link.joints;
      return joints.size() != 1 ||
             (joints.front().type != JointType::hinge && joints.front().type != JointType::universal);
    });
    return all.empty() ? nullptr : body_.find(any(all));
  }

  bool turn_axis() {
    Part* part = turning();
    if (!part) return false;
    std::vector<Vec3d>& axes = part->link.joints.front().axes;
    const size_t k = any_place(axes);
    if (chance(0.5)) {
      const int which = random_.index(3);
      axes[k] = Vec3d(which == 0, which == 1, which == 2);
    } else {
      axes[k] = axes[k] + Vec3d(random_.normal(), random_.normal(), random_.normal()) * 0.3;
    }
    for (size_t other = 0; other < axes.size(); ++other)  // two axes are at right angles
      if (other != k) axes[k] = axes[k] - axes[other] * dot(axes[k], axes[other]);
    if (norm(axes[k]) < 0.1) return false;
    axes[k] = axes[k] * (1 / norm(axes[k]));
    note("another axis");
    return true;
  }

  // A limb that swings ahead learns to swing aside as well, or forgets it.
  bool change_axes() {
    Part* part = turning();
    if (!part) return false;
    Joint& joint = part->link.joints.front();
    if (joint.axes.size() == 1) {
      const Vec3d across = cross(joint.axes.front(), direction_of(body_, *part));
      if (norm(across) < 0.1) return false;
      add_axis(*part, across * (1 / norm(across)), radius_of(*part));
      note("a joint of two axes");
    } else {
      lose_axis(*part, int(any_place(joint.axes)));
      note("a joint of one axis");
    }
    return true;
  }

  void lose_axis(Part& part, int axis) {
    Joint& joint = part.link.joints.front();
    joint.axes.erase(joint.axes.begin() + axis), joint.dofs.erase(joint.dofs.begin() + axis);
    part.stand.erase(part.stand.begin() + axis);
    joint.type = JointType::hinge;
    const auto moved = [&](const auto& fitting) {
      const auto& item = fitting.item;
      return of_a_joint(item) && item.dof == axis;
    };
    std::erase_if(part.sensors, moved), std::erase_if(part.actuators, moved);
    for (auto& s : part.sensors)
      if (of_a_joint(s.item)) s.item.dof = 0;
    for (auto& a : part.actuators)
      if (of_a_joint(a.item)) a.item.dof = 0;
  }
  static bool of_a_joint(const Sensor& s) { return s.type == SensorType::angle; }
  static bool of_a_joint(const Actuator& a) { return a.type != ActuatorType::linear; }

  bool set_range() {
    Part* part = turning();
    if (!part) return false;
    const size_t k = any_place(part->link.joints.front().dofs);
    Dof& dof = part->link.joints.front().dofs[k];
    const double rest = part->stand[k];
    const bool bounded = dof.lower > -unlimited && dof.upper < unlimited;
    const double wide = bounded ? dof.upper - dof.lower : pi / 2;
    const double middle = bounded ? (dof.lower + dof.upper) / 2 : rest;
    const double half = std::clamp(0.5 * wide * factor(random_), 0.1, 1.5);
    const double at = std::clamp(middle + 0.15 * random_.normal(), rest - half, rest + half);
    dof.lower = at - half, dof.upper = at + half;
    for (auto& a : part->actuators)
      if (of_a_joint(a.item) && a.item.dof == int(k))
        a.item.lower = dof.lower * a.item.gear, a.item.upper = dof.upper * a.item.gear;
    for (auto& s : part->sensors)
      if (of_a_joint(s.item) && s.item.dof == int(k)) s.item.lower = at, s.item.upper = dof.upper;
    note("another range of a joint");
    return true;
  }

  bool turn_rest() {
    const std::vector<std::string> all = movable();
    if (all.empty()) return false;
    Part& part = *body_.find(any(all));
    part.link.rot = normalized(part.link.rot *
                               rotation_quaternion(Vec3d(0.2 * random_.normal(), 0.3 * random_.normal(), 0)));
    note("a limb held otherwise");
    return true;
  }

  // --- nerves

  bool rewire() {
    const std::vector<std::string> all = movable();
    if (all.empty()) return false;
    Part& part = *body_.find(any(all));
    const bool moves = !part.link.joints.empty() && nv(part.link.joints.front()) > 0;
    if (chance(0.4) && part.sensors.size() > 1) {
      part.sensors.erase(part.sensors.begin() + random_.index(int(part.sensors.size())));
      note("a sensor fewer");
    } else if (chance(0.5) && moves && part.sensors.size() < 4) {
      const size_t k = any_place(part.link.joints.front().dofs);
      const Dof& dof = part.link.joints.front().dofs[k];
      Sensor s;
      s.type = SensorType::angle, s.dof = int(k);
      const double low = dof.lower > -unlimited ? dof.lower : -1,
                   high = dof.upper < unlimited ? dof.upper : 1;
      const double cut = random_.uniform(low, high);
      s.lower = chance(0.5) ? low : cut, s.upper = s.lower == low ? cut : high;
      part.sensors.push_back({s, ""});
      note("a sensor more");
    } else if (part.sensors.size() < 4) {
      add_touch(part);
      note("a touch sensor more");
    } else {
      return false;
    }
    return true;
  }

  Body body_;
  Random& random_;
  int most_limbs_;
  Vec3d size_;
  double length_ = 1, height_ = 0;  // m; the root's above the ground
  double weight_ = 0;               // N
};

// Of sizes that a simulation and an eye can follow.
bool is_sensible(const Creature& c) {
  const Box box = bounding_box(c, c.pose("stand"));
  const Vec3d size = box.upper - box.lower;
  const double length = std::max({size.x, size.y, size.z});
  if (length < shortest || length > longest) return false;
  const double mass = c.mass();
  return std::all_of(c.links.begin(), c.links.end(),
                     [&](const Link& link) { return link.mass >= least_mass * mass; });
}

}  // namespace

std::optional<Child> vary(const Creature& parent, int most_limbs, Random& random) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    Surgery surgery(parent, most_limbs, random);
    int done = 0;
    for (int k = 0; k < 3; ++k) {
      if (k > 0 && random.uniform() >= more_changes) break;
      done += surgery.change();
    }
    if (done == 0) continue;
    std::optional<Creature> body = put_together(surgery.body());
    if (body && is_sensible(*body)) return Child{std::move(*body), surgery.how};
  }
  return {};
}

}  // namespace legwork::evolution
