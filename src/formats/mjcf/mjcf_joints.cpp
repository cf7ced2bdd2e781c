// Joints, and what ties bodies together or speaks of them by name: equalities, contacts, tendons, keyframes.

#include "base/text.h"
#include "formats/mjcf/mjcf_reader.h"

namespace legwork::mjcf {

namespace {
// Armature, damper and spring of each degree of freedom. origin: the link's, where a free joint's springs
// rest.
void read_passive_forces(const XmlElement& element, const Item& it, const Settings& settings,
                         const Vec3d& origin, Joint& joint) {
  for (const char* name : {"stiffness", "damping", "armature", "frictionloss"})
    if (it.number(name, 0) < 0) element.fail(std::string(name) + " is negative");
  const double stiffness = it.number("stiffness", 0);
  const auto rest = [&](std::size_t i) {
    switch (joint.type) {
      case JointType::hinge:
        return settings.angle(it.number("springref", 0));
      case JointType::slide:
        return it.number("springref", 0);
      case JointType::free:
        return i < 3 ? origin[int(i)] : 0;
      default:
        return 0.0;
    }
  };
  for (std::size_t i = 0; i < joint.dofs.size(); ++i) {
    Dof& dof = joint.dofs[i];
    dof.armature = it.number("armature", 0);
    if (settings.friction_loss) dof.friction = it.number("frictionloss", 0);
    if (settings.dampers) dof.damper = it.number("damping", 0);
    if (stiffness == 0 || !settings.springs) continue;
    dof.spring = {SpringType::linear, stiffness, 0, rest(i)};
  }
}
}  // namespace

// Angles of a hinge are in the file's unit, lengths of a slide are not.
void Reader::read_range(const Item& item, Joint& joint) const {
  const auto range = item.numbers("range", 2, 2);
  const std::string limited = item.choice("limited", "auto", {"true", "false", "auto"});
  const bool automatic = settings_.autolimits.value_or(true);
  const bool on = limited == "true" || (limited == "auto" && automatic && range);
  if (!on || !settings_.limits) return;
  if (!range) item.fail("is limited but has no range");
  double lower = (*range)[0], upper = (*range)[1];
  if (joint.type != JointType::slide) lower = settings_.angle(lower), upper = settings_.angle(upper);
  if (joint.type == JointType::free) item.fail("a free joint cannot be limited");
  if (joint.type == JointType::ball)
    item.fail("a limited ball joint is not supported", "use three hinges, or remove the range");
  if (!(lower < upper))
    item.fail("range [" + to_text((*range)[0]) + ", " + to_text((*range)[1]) + "] is upside down or empty");
  joint.dofs[0].lower = lower;
  joint.dofs[0].upper = upper;
}

void Reader::read_joint(const XmlElement& element, const std::string& inherited, int link,
                        const Frame& frame) {
  const bool bare = element.name == "freejoint";
  check_element(element, element.name);
  // defaults do not apply to a freejoint
  const Item it = bare ? Item(element, nullptr) : item(element, inherited);
  note_solver_attributes(it);
  // Bullet's word for no joint at all
  if (!bare && it.text("type", "") == "fixed") return leave_out("joint of type fixed");
  const std::string type = bare ? "free" : it.choice("type", "hinge", {"hinge", "slide", "ball", "free"});

  Link& owner = creature_.links[std::size_t(link)];
  Joint joint;
  joint.name = it.text("name", "");
  joint.type = type == "hinge"   ? JointType::hinge
               : type == "slide" ? JointType::slide
               : type == "ball"  ? JointType::ball
                                 : JointType::free;
  joint.dofs.resize(std::size_t(nv(joint)));
  const bool straight = joint.type == JointType::hinge || joint.type == JointType::slide;
  if (joint.type == JointType::free) {
    if (owner.parent >= 0) element.fail("a free joint must be on a body of the world itself");
    if (!owner.joints.empty()) element.fail("a free joint leaves nothing to other joints", "remove them");
    if (settings_.global)
      element.fail("a free joint in global coordinates is not supported",
                   "let MuJoCo save the file in local ones");
  } else {
    if (settings_.global) it.required("pos");
    joint.anchor = frame * it.vec3("pos", {});
  }
  if (!owner.joints.empty() && owner.joints.back().type == JointType::free)
    element.fail("the body has a free joint already", "remove this one");
  if (straight) {
    const Vec3d axis = it.vec3("axis", {0, 0, 1});
    if (norm(axis) < 1e-14) element.fail("axis [0, 0, 0] has no direction", "try [0, 0, 1]");
    joint.axes = {matrix(frame.rot) * normalized(axis)};
  }
  read_range(it, joint);
  const auto unit = [&](double x) { return joint.type == JointType::hinge ? settings_.angle(x) : x; };
  if (straight) joint.q_zero = unit(it.number("ref", 0));
  read_passive_forces(element, it, settings_, owner.pos, joint);
  const JointPlace place{link, int(owner.joints.size()), nv_};
  if (const auto pair = it.numbers("springdamper", 2, 2); pair && (settings_.springs || settings_.dampers)) {
    if (!((*pair)[0] > 0 && (*pair)[1] > 0)) element.fail("springdamper needs two positive numbers");
    if (!straight)
      element.fail("springdamper of a ball or free joint is not supported", "give stiffness and damping");
    joint.dofs[0].spring = {SpringType::linear, 0, 0, unit(it.number("springref", 0))};
    timed_springs_.push_back({place, (*pair)[0], (*pair)[1]});
  }
  if (const auto force = straight ? force_bound(it) : std::nullopt) joint_forces_[nv_] = *force;
  if (!joint.name.empty() && !joints_.emplace(joint.name, place).second)
    element.fail("two joints of this name", "rename one");
  nv_ += int(joint.dofs.size());
  spring_refs_.resize(std::size_t(nv_), straight ? unit(it.number("springref", 0)) : 0);
  owner.joints.push_back(std::move(joint));
}

int Reader::body_of(const XmlElement& element, const char* attribute, bool optional) const {
  const std::string* name = element.attribute(attribute);
  if (!name && optional) return -1;
  if (!name) element.fail(std::string("attribute '") + attribute + "' is missing");
  if (*name == "world") return -1;
  const auto found = bodies_.find(*name);
  if (found == bodies_.end())
    element.fail("unknown body '" + *name + "'", did_you_mean(*name, names_of(bodies_)));
  return found->second;
}

const JointPlace& Reader::joint_of(const XmlElement& element, const std::string& name) const {
  const auto found = joints_.find(name);
  if (found == joints_.end())
    element.fail("unknown joint '" + name + "'", did_you_mean(name, names_of(joints_)));
  return found->second;
}

void Reader::read_equalities() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "equality") continue;
    for (const XmlElement& element : section.children) {
      const Item it = item(element, "main", "equality");
      if (!it.boolean("active", true) || !settings_.equalities) {
        leave_out("equality that is not active");
        continue;
      }
      if (element.name == "connect" || element.name == "weld")
        read_loop(element, it);
      else if (element.name == "joint")
        read_joint_equality(element, it);
      else if (element.name == "tendon")
        read_tendon_equality(element, it);
      else
        element.fail("an equality of this kind is not supported", "remove it or set active=\"false\"");
    }
  }
  finish_names(creature_.couplings);
}

const Site& Reader::site_of(const XmlElement& element, const std::string& name) const {
  const auto found = sites_.find(name);
  if (found == sites_.end())
    element.fail("unknown site '" + name + "'", did_you_mean(name, names_of(sites_)));
  return found->second;
}

// Points or frames of two sites held together.
void Reader::read_site_loop(const XmlElement& element, Loop& loop) {
  for (const char* name : {"site1", "site2"})
    if (!element.attribute(name)) element.fail(std::string("attribute '") + name + "' is missing");
  for (const char* name : {"body1", "body2", "anchor", "relpose"})
    if (element.attribute(name))
      element.fail(std::string("sites and ") + name + " exclude each other", "keep one");
  const Site &a = site_of(element, *element.attribute("site1")),
             &b = site_of(element, *element.attribute("site2"));
  loop.link = a.link, loop.pos = a.pos, loop.rot = a.rot;
  loop.other = b.link, loop.other_pos = b.pos, loop.other_rot = b.rot;
}

void Reader::read_loop(const XmlElement& element, const Item& it) {
  const bool connect = element.name == "connect";
  if (settings_.global)
    element.fail("is not supported in global coordinates", "let MuJoCo save the file in local ones");
  check_element(element, element.name);
  note_solver_attributes(it);
  Loop loop;
  loop.name = it.text("name", element.name + std::to_string(creature_.loops.size()));
  loop.where = element.where();
  loop.frame = !connect;
  if (element.attribute("site1") || element.attribute("site2"))
    read_site_loop(element, loop);
  else {
    loop.link = body_of(element, "body1", false);
    loop.other = body_of(element, "body2", true);
    const auto world = [&](int link) { return link < 0 ? Frame{} : in_world_[std::size_t(link)]; };
    const Frame to_other = inverse(world(loop.other)) * world(loop.link);  // link's frame in other's
    if (connect) {
      it.required("anchor");
      loop.pos = it.vec3("anchor", {});
      loop.other_pos = to_other * loop.pos;
    } else {
      loop.other_pos = it.vec3("anchor", {});
      const Frame other = inverse(to_other);  // other's frame in the link's
      loop.pos = other * loop.other_pos;
      loop.rot = other.rot;
      if (const auto p = it.numbers("relpose", 7, 7)) {
        const Quatd rot{(*p)[3], (*p)[4], (*p)[5], (*p)[6]};
        // all zeros: as in the reference pose
        if (rot.w != 0 || rot.x != 0 || rot.y != 0 || rot.z != 0)
          loop.pos = {(*p)[0], (*p)[1], (*p)[2]}, loop.rot = normalized(rot);
      }
    }
  }
  if (loop.link < 0) {
    // a loop starts at a link; the world may only be the other side
    if (loop.other < 0) element.fail("ties the world to itself");
    std::swap(loop.link, loop.other);
    std::swap(loop.pos, loop.other_pos);
    std::swap(loop.rot, loop.other_rot);
  }
  creature_.loops.push_back(std::move(loop));
}

// Two geoms that touch each other whatever their kinds: a bit of their own, as far as there are any left.
void Reader::read_pair(const XmlElement& element) {
  constexpr int first_bit = 16, bits = 15;
  Shape* shapes[2] = {};
  for (int i = 0; i < 2; ++i) {
    const char* attribute = i == 0 ? "geom1" : "geom2";
    const std::string* name = element.attribute(attribute);
    if (!name) element.fail(std::string("attribute '") + attribute + "' is missing");
    const auto found = geoms_.find(*name);
    if (found != geoms_.end())
      shapes[i] =
          &creature_.links[std::size_t(found->second.first)].shapes[std::size_t(found->second.second)];
    else if (!scenery_.count(*name))
      element.fail("unknown geom '" + *name + "'", did_you_mean(*name, names_of(geoms_)));
    if (shapes[i]) shapes[i]->touches = settings_.contacts;
  }
  if (!shapes[0] || !shapes[1]) return;  // with the scenery
  const int bit = 1 << (first_bit + pairs_++ % bits);
  shapes[0]->kind |= bit, shapes[1]->meets |= bit;
}

void Reader::read_contacts() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "contact") continue;
    for (const XmlElement& element : section.children) {
      if (element.name == "exclude") {
        check_element(element, "exclude");
        const int a = body_of(element, "body1", false), b = body_of(element, "body2", false);
        if (a >= 0 && b >= 0) creature_.apart.push_back({a, b});
      } else if (element.name == "pair") {
        check_element(element, "pair");
        note_solver_attributes(item(element, "main"));
        read_pair(element);
      } else {
        element.fail("is not known in <contact>");
      }
    }
  }
}

void Reader::read_keyframes() {
  const int nq = creature_.nq();
  for (const XmlElement& section : root_.children) {
    if (section.name != "keyframe") continue;
    for (const XmlElement& element : section.children) {
      if (element.name != "key") element.fail("is not known in <keyframe>");
      check_element(element, "key");
      const Item key(element, nullptr);
      if (const std::string* text = key.find("qpos")) {
        Pose pose{name_of(key, creature_.poses.size(), "key" + std::to_string(creature_.poses.size())),
                  parse_numbers(element, "'qpos'", *text)};
        if (int(pose.q.size()) != nq)
          element.fail("'qpos' has " + std::to_string(pose.q.size()) + " numbers",
                       "the body has " + std::to_string(nq));
        creature_.poses.push_back(std::move(pose));
      }
      for (const char* name : {"qvel", "act", "ctrl", "mpos", "mquat"})
        if (key.has(name)) leave_out(std::string("key ") + name);
    }
  }
  finish_names(creature_.poses);
  // the names that such files give to the pose in which a robot stands
  for (const char* name : {"home", "standing"})
    if (creature_.has_pose(name) && !creature_.has_pose("stand"))
      creature_.poses.push_back({"stand", creature_.pose(name)});
}

}  // namespace legwork::mjcf
