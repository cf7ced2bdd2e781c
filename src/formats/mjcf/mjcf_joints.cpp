// Joints, and what ties bodies together or speaks of them by name: equalities, contacts, tendons, keyframes.

#include "base/text.h"
#include "formats/mjcf/mjcf_reader.h"

namespace legwork::mjcf {

namespace {
std::vector<std::string> keys(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : map) names.push_back(name);
  return names;
}

// Armature, damper and spring of each degree of freedom. origin: the link's, where a free joint's springs
// rest.
void read_passive_forces(const XmlElement& element, const Item& it, const Settings& settings,
                         const Vec3d& origin, Joint& joint) {
  if (it.number("frictionloss", 0) != 0 && settings.friction_loss)
    element.fail("frictionloss is not supported",
                 "set it to 0, use damping, or leave all of it out by <option><flag "
                 "frictionloss=\"disable\"/></option>");
  for (const char* name : {"stiffness", "damping", "armature"})
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
    if (!settings.passive) continue;
    dof.damper = it.number("damping", 0);
    if (stiffness == 0) continue;
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
  } else {
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
  if (const auto pair = it.numbers("springdamper", 2, 2); pair && settings_.passive) {
    if (!((*pair)[0] > 0 && (*pair)[1] > 0)) element.fail("springdamper needs two positive numbers");
    if (!straight)
      element.fail("springdamper of a ball or free joint is not supported", "give stiffness and damping");
    joint.dofs[0].spring = {SpringType::linear, 0, 0, unit(it.number("springref", 0))};
    timed_springs_.push_back({place, (*pair)[0], (*pair)[1]});
  }
  if (!joint.name.empty() && !joints_.emplace(joint.name, place).second)
    element.fail("two joints of this name", "rename one");
  nv_ += int(joint.dofs.size());
  owner.joints.push_back(std::move(joint));
}

int Reader::body_of(const XmlElement& element, const char* attribute, bool optional) const {
  const std::string* name = element.attribute(attribute);
  if (!name && optional) return -1;
  if (!name) element.fail(std::string("attribute '") + attribute + "' is missing");
  if (*name == "world") return -1;
  const auto found = bodies_.find(*name);
  if (found == bodies_.end())
    element.fail("unknown body '" + *name + "'", did_you_mean(*name, keys(bodies_)));
  return found->second;
}

const JointPlace& Reader::joint_of(const XmlElement& element, const std::string& name) const {
  const auto found = joints_.find(name);
  if (found == joints_.end()) element.fail("unknown joint '" + name + "'", did_you_mean(name, keys(joints_)));
  return found->second;
}

void Reader::read_equalities() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "equality") continue;
    for (const XmlElement& element : section.children) {
      const bool connect = element.name == "connect", weld = element.name == "weld";
      const Item it = item(element, "main", "equality");
      if (!it.boolean("active", true) || !settings_.equalities) {
        warn(element, "is not active; left out");
        continue;
      }
      if (!connect && !weld)
        element.fail("an equality of this kind is not supported", "remove it or set active=\"false\"");
      check_element(element, element.name);
      note_solver_attributes(it);
      if (element.attribute("site1") || element.attribute("site2"))
        element.fail("equalities between sites are not supported", "name bodies");
      Loop loop;
      loop.name = it.text("name", element.name + std::to_string(creature_.loops.size()));
      loop.link = body_of(element, "body1", false);
      loop.other = body_of(element, "body2", true);
      const auto world = [&](int link) { return link < 0 ? Frame{} : in_world_[std::size_t(link)]; };
      const Frame to_other = inverse(world(loop.other)) * world(loop.link);  // link's frame in other's
      if (connect) {
        it.required("anchor");
        loop.pos = it.vec3("anchor", {});
        loop.other_pos = to_other * loop.pos;
      } else {
        loop.frame = true;
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
      if (loop.link < 0) {
        // a loop starts at a link; the world may only be the other side
        if (loop.other < 0) element.fail("ties the world to itself");
        std::swap(loop.link, loop.other);
        std::swap(loop.pos, loop.other_pos);
        std::swap(loop.rot, loop.other_rot);
      }
      creature_.loops.push_back(std::move(loop));
    }
  }
}

void Reader::read_contacts() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "contact") continue;
    for (const XmlElement& element : section.children) {
      if (element.name == "exclude") {
        check_element(element, "exclude");
        body_of(element, "body1", false);
        body_of(element, "body2", false);
        warn(element, "pairs of bodies that never touch are the world's to name; left out");
      } else if (element.name == "pair") {
        check_element(element, "pair");
        note_solver_attributes(item(element, "main"));
        for (const char* attribute : {"geom1", "geom2"}) {
          const std::string* name = element.attribute(attribute);
          if (!name) element.fail(std::string("attribute '") + attribute + "' is missing");
          const auto found = geoms_.find(*name);
          if (found == geoms_.end()) continue;  // scenery
          const auto [link, shape] = found->second;
          creature_.links[std::size_t(link)].shapes[std::size_t(shape)].touches = settings_.contacts;
        }
        warn(element, "its geoms make contact, with each other and with all else");
      } else {
        element.fail("is not known in <contact>");
      }
    }
  }
}

// A tendon without stiffness, damping, friction or limits only measures.
void Reader::read_tendons() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "tendon") continue;
    for (const XmlElement& element : section.children) {
      if (element.name != "spatial" && element.name != "fixed") element.fail("is not known in <tendon>");
      const Item it = item(element, "main", "tendon");
      for (const char* force : {"stiffness", "damping", "frictionloss", "armature"})
        if (it.number(force, 0) != 0)
          element.fail(std::string("a tendon with ") + force + " is not supported",
                       "replace it by springs of joints");
      if (it.text("limited", it.has("range") ? "auto" : "false") != "false" && settings_.limits)
        element.fail("a limited tendon is not supported", "limit the joints");
      leave_out("tendon");
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
        Pose pose{key.text("name", "key" + std::to_string(creature_.poses.size())),
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
  // the name that such files give to the pose in which a robot stands
  if (creature_.has_pose("home") && !creature_.has_pose("stand"))
    creature_.poses.push_back({"stand", creature_.pose("home")});
}

}  // namespace legwork::mjcf
