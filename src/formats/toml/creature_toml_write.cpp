#include <cmath>
#include <cstdio>

#include <legwork/files.h>
#include "base/text.h"
#include "formats/base64.h"
#include "formats/file.h"
#include "formats/toml/creature_toml.h"

namespace legwork {

namespace {

// A double that TOML reads back with the same bits.
std::string number(double x) {
  if (std::isnan(x)) return "nan";
  std::string text = to_text(x);
  const bool looks_integer = text.find_first_of(".en") == std::string::npos;
  // integers have no negative zero and end at 64 bits
  if (looks_integer && (text.size() > 15 || text == "-0")) text += ".0";
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04X", unsigned(byte));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string array(const std::vector<std::string>& items) { return "[" + join(items, ", ") + "]"; }
std::string row(const std::vector<double>& values) {
  std::vector<std::string> items;
  for (const double x : values) items.push_back(number(x));
  return array(items);
}
std::string list(const Vec3d& v) { return row({v.x, v.y, v.z}); }
std::string list(const Quatd& q) { return row({q.w, q.x, q.y, q.z}); }

bool is_zero(const Vec3d& v) {
  return v == Vec3d() && !std::signbit(v.x) && !std::signbit(v.y) && !std::signbit(v.z);
}
bool is_identity(const Quatd& q) {
  return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0 && !std::signbit(q.x) && !std::signbit(q.y) &&
         !std::signbit(q.z);
}

// Keys and values of an inline table, or of lines.
class Fields {
 public:
  void add(const std::string& key, const std::string& value) { fields_.push_back(key + " = " + value); }
  void add_if(bool wanted, const std::string& key, const std::string& value) {
    if (wanted) add(key, value);
  }
  void place(const Vec3d& pos, const Quatd& rot) {
    add_if(!is_zero(pos), "pos", list(pos));
    add_if(!is_identity(rot), "quat", list(rot));
  }
  bool empty() const { return fields_.empty(); }
  std::string inline_table() const { return fields_.empty() ? "{}" : "{ " + join(fields_, ", ") + " }"; }
  std::string lines() const {
    std::string out;
    for (const std::string& field : fields_) out += field + "\n";
    return out;
  }

 private:
  std::vector<std::string> fields_;
};

std::string shape_text(const Shape& shape) {
  Fields f;
  switch (shape.type) {
    case ShapeType::box:
      f.add("box", list(shape.size));
      break;
    case ShapeType::sphere:
      f.add("sphere", number(shape.size.x));
      break;
    case ShapeType::capsule:
      f.add("capsule", row({shape.size.x, shape.size.y}));
      break;
    case ShapeType::cylinder:
      f.add("cylinder", row({shape.size.x, shape.size.y}));
      break;
    case ShapeType::ellipsoid:
      f.add("ellipsoid", list(shape.size));
      break;
    case ShapeType::mesh: {
      Fields mesh;
      mesh.add_if(!shape.mesh.file.empty(), "file", quoted(shape.mesh.file));
      mesh.add("vertices", quoted(base64(shape.mesh.vertices)));
      mesh.add("triangles", quoted(base64(shape.mesh.triangles)));
      f.add("mesh", mesh.inline_table());
    }
  }
  f.place(shape.pos, shape.rot);
  const Shape usual;
  f.add_if(shape.density != usual.density, "density", number(shape.density));
  f.add_if(shape.color != usual.color, "color", row({shape.color[0], shape.color[1], shape.color[2]}));
  f.add_if(!shape.mesh.convex, "convex", "false");
  f.add_if(!shape.massive, "massive", "false");
  f.add_if(!shape.touches, "touches", "false");
  f.add_if(!shape.wet, "wet", "false");
  f.add_if(shape.kind != 1, "kind", std::to_string(shape.kind));
  f.add_if(shape.meets != 1, "meets", std::to_string(shape.meets));
  return f.inline_table();
}

std::string keyframe_text(const std::array<double, 6>& k) {
  Fields f;
  f.add("rot", row({k[0], k[1], k[2]}));
  f.add("pos", row({k[3], k[4], k[5]}));
  return f.inline_table();
}

void add_kind(const Joint& joint, Fields& f) {
  switch (joint.type) {
    case JointType::hinge:
    case JointType::slide:
      f.add(joint.type == JointType::hinge ? "hinge" : "slide", list(joint.axes[0]));
      break;
    case JointType::universal:
    case JointType::planar:
      f.add(joint.type == JointType::universal ? "universal" : "planar",
            array({list(joint.axes[0]), list(joint.axes[1])}));
      break;
    case JointType::ball:
      f.add("ball", "true");
      break;
    case JointType::free:
      f.add("free", "true");
      break;
    case JointType::fixed:
      f.add("fixed", "true");
      break;
    case JointType::keyframed: {
      std::vector<std::string> paths;
      for (const Keyframes& k : joint.paths) {
        Fields path;
        path.add("min", keyframe_text(k.min));
        path.add("max", keyframe_text(k.max));
        paths.push_back(path.inline_table());
      }
      f.add("keyframed", array(paths));
      f.add("neutral", keyframe_text(joint.neutral));
    }
  }
}

std::string spring_text(const Spring& spring) {
  if (spring.type == SpringType::none) return "false";
  Fields f;
  if (spring.type == SpringType::linear)
    f.add("stiffness", number(spring.stiffness));
  else
    f.add("exponential", row({spring.stiffness, spring.sharpness}));
  f.add("rest", number(spring.rest));
  return f.inline_table();
}

// One entry for each degree of freedom, left out where all are as usual.
template <class IsUsual, class Text>
void add_dofs(const Joint& joint, const char* key, IsUsual is_usual, Text text, Fields& f) {
  std::vector<std::string> items;
  bool usual = true;
  for (const Dof& dof : joint.dofs) {
    usual = usual && is_usual(dof);
    items.push_back(text(dof));
  }
  f.add_if(!usual, key, array(items));
}

std::string joint_text(const Joint& joint) {
  Fields f;
  add_kind(joint, f);
  f.add("name", quoted(joint.name));
  if (!joint.dofs.empty())
    add_dofs(
        joint, "dofs", [](const Dof&) { return false; }, [](const Dof& d) { return quoted(d.name); }, f);
  f.add_if(!is_zero(joint.anchor), "anchor", list(joint.anchor));
  f.add_if(joint.q_zero != 0, "q_zero", number(joint.q_zero));
  const double usual = joint.type == JointType::keyframed ? 1 : unlimited;
  add_dofs(
      joint, "range", [&](const Dof& d) { return d.lower == -usual && d.upper == usual; },
      [](const Dof& d) {
        return row({d.lower, d.upper});
      },
      f);
  add_dofs(
      joint, "damper", [](const Dof& d) { return d.damper == 0; },
      [](const Dof& d) { return number(d.damper); }, f);
  add_dofs(
      joint, "armature", [](const Dof& d) { return d.armature == 0; },
      [](const Dof& d) { return number(d.armature); }, f);
  add_dofs(
      joint, "friction", [](const Dof& d) { return d.friction == 0; },
      [](const Dof& d) { return number(d.friction); }, f);
  add_dofs(
      joint, "spring", [](const Dof& d) { return d.spring.type == SpringType::none; },
      [](const Dof& d) { return spring_text(d.spring); }, f);
  add_dofs(
      joint, "limit", [](const Dof& d) { return d.limit_stiffness == 0 && d.limit_damping == 0; },
      [](const Dof& d) {
        Fields limit;
        limit.add("stiffness", number(d.limit_stiffness));
        limit.add("damping", number(d.limit_damping));
        return limit.inline_table();
      },
      f);
  return f.inline_table();
}

class CreatureWriter {
 public:
  explicit CreatureWriter(const Creature& creature) : c_(creature) {}

  std::string text() {
    head();
    for (const Link& link : c_.links) write(link);
    for (const Leg& leg : c_.legs) write(leg);
    for (const Label& label : c_.labels) write(label);
    for (const ContactPoint& contact : c_.contacts) write(contact);
    for (const Pose& pose : c_.poses) {
      Fields f = named(pose.name);
      f.add("q", row(pose.q));
      section("pose", f);
    }
    for (const Sensor& sensor : c_.sensors) write(sensor);
    for (const Coupling& coupling : c_.couplings) write(coupling);
    for (const Tendon& tendon : c_.tendons) write(tendon);
    for (const Actuator& actuator : c_.actuators) write(actuator);
    for (const Loop& loop : c_.loops) write(loop);
    for (const Attachment& attachment : c_.attachments) write(attachment);
    return out_;
  }

 private:
  std::string link(int index) const { return quoted(index < 0 ? "world" : c_.links[index].name); }
  std::string dof(int index) const { return quoted(c_.dofs()[index]->name); }

  static Fields named(const std::string& name) {
    Fields f;
    f.add("name", quoted(name));
    return f;
  }
  void section(const char* kind, const Fields& f) { out_ += "\n[[" + std::string(kind) + "]]\n" + f.lines(); }

  void head() {
    Fields f = named(c_.name);
    f.add_if(!c_.about.empty(), "about", quoted(c_.about));
    f.add_if(!c_.character.empty(), "character", quoted(c_.character));
    f.add_if(!c_.integrator.empty(), "integrator", quoted(c_.integrator));
    f.add_if(c_.dt != 0, "dt", number(c_.dt));
    f.add_if(c_.step_time != 0, "step_time", number(c_.step_time));
    f.add_if(!(c_.gravity == Creature().gravity), "gravity", list(c_.gravity));
    std::vector<std::string> trunk;
    for (const int i : c_.trunk) trunk.push_back(link(i));
    f.add_if(!trunk.empty(), "trunk", array(trunk));
    std::vector<std::string> apart;
    for (const auto& [a, b] : c_.apart) apart.push_back(array({link(a), link(b)}));
    f.add_if(!apart.empty(), "apart", array(apart));
    out_ += f.lines();
    surroundings();
  }

  void surroundings() {
    const Habitat& h = c_.habitat;
    Fields world;
    world.add_if(!h.terrain.empty(), "terrain", quoted(h.terrain));
    world.add_if(!h.contact.empty(), "contact", quoted(h.contact));
    world.add_if(!h.water.empty(), "water", quoted(h.water));
    world.add_if(!h.wind.empty(), "wind", quoted(h.wind));
    world.add_if(h.body_contact, "body_contact", "true");
    if (!world.empty()) out_ += "\n[world]\n" + world.lines();
    const Discovery& d = c_.discovery;
    Fields search;
    search.add_if(d.hidden != 0, "hidden", std::to_string(d.hidden));
    search.add_if(d.cycle != 0, "cycle", number(d.cycle));
    search.add_if(d.seconds != 0, "seconds", number(d.seconds));
    search.add_if(!d.metric.empty(), "metric", quoted(d.metric));
    if (!search.empty()) out_ += "\n[discover]\n" + search.lines();
  }

  void write(const Link& l) {
    Fields f = named(l.name);
    f.add_if(l.parent >= 0, "parent", link(l.parent));
    Fields at;
    at.place(l.pos, l.rot);
    f.add_if(!at.empty(), "at", at.inline_table());
    std::vector<std::string> joints, shapes;
    for (const Joint& joint : l.joints) joints.push_back(joint_text(joint));
    for (const Shape& shape : l.shapes) shapes.push_back(shape_text(shape));
    f.add("joints", array(joints));
    f.add_if(!shapes.empty(), "shapes", array(shapes));
    if (l.mass >= 0) {
      f.add("mass", number(l.mass));
      f.add("com", list(l.com));
      f.add("inertia",
            row({l.inertia.xx, l.inertia.yy, l.inertia.zz, l.inertia.xy, l.inertia.xz, l.inertia.yz}));
      f.add_if(l.odd_inertia, "odd_inertia", "true");
    }
    section("link", f);
  }

  void write(const Leg& leg) {
    Fields f = named(leg.name);
    f.add("side", quoted(leg.side == Side::left ? "left" : leg.side == Side::right ? "right" : "none"));
    f.add("girdle", quoted(leg.girdle));
    f.add("hip", link(leg.hip));
    f.add_if(leg.knee >= 0, "knee", link(leg.knee));
    f.add("foot", link(leg.foot));
    f.add("sole", list(leg.sole));
    f.add_if(!leg.step.empty(), "step", program(leg.step));
    f.add_if(!leg.stance.empty(), "stance", program(leg.stance));
    section("leg", f);
  }

  std::string program(const std::vector<Move>& moves) const {
    std::vector<std::string> items;
    for (const Move& move : moves) {
      Fields f;
      f.add("joint", dof(move.dof));
      f.add("to", number(move.to));
      f.add_if(move.start != 0, "start", number(move.start));
      f.add_if(move.end != 1, "end", number(move.end));
      items.push_back(f.inline_table());
    }
    return array(items);
  }

  void write(const Label& label) {
    Fields f = named(label.name);
    f.add("link", link(label.link));
    f.add("pos", list(label.pos));
    section("label", f);
  }

  void write(const ContactPoint& contact) {
    Fields f = named(contact.name);
    f.add("link", link(contact.link));
    f.add("pos", list(contact.pos));
    f.add("radius", number(contact.radius));
    f.add_if(contact.foot, "foot", "true");
    section("contact", f);
  }

  template <class Entry>
  void add_two_links(const char* key, const Entry& e, Fields& f) const {
    f.add(key, array({link(e.link), link(e.other)}));
    f.add("other_pos", list(e.other_pos));
  }

  void write(const Sensor& sensor) {
    Fields f = named(sensor.name);
    switch (sensor.type) {
      case SensorType::touch:
        f.add("touch", link(sensor.link));
        break;
      case SensorType::angle:
        f.add("angle", dof(sensor.dof));
        break;
      case SensorType::length:
        add_two_links("length", sensor, f);
        break;
      case SensorType::eye:
        f.add("eye", link(sensor.link));
        break;
      case SensorType::terrain:
        f.add("terrain", link(sensor.link));
        f.add("ahead", number(sensor.ahead));
        break;
    }
    const bool touch = sensor.type == SensorType::touch, angle = sensor.type == SensorType::angle;
    f.add_if(!touch, "range", row({sensor.lower, sensor.upper}));
    f.add_if(touch ? !sensor.whole : !angle, "pos", list(sensor.pos));
    section("sensor", f);
  }

  void write(const Actuator& a) {
    Fields f = named(a.name);
    if (a.type == ActuatorType::linear) {
      add_two_links("linear", a, f);
      f.add("pos", list(a.pos));
    } else {
      f.add(a.type == ActuatorType::motor ? "motor" : "angular", dof(a.dof));
    }
    f.add("ks", number(a.ks));
    f.add("kd", number(a.kd));
    f.add("range", row({a.lower, a.upper}));
    f.add("strength", number(a.strength));
    f.add("gear", number(a.gear));
    if (a.tendon >= 0) f.add("tendon", quoted(c_.tendons[size_t(a.tendon)].name));
    f.add_if(a.lag != 0, "lag", number(a.lag));
    section("actuator", f);
  }

  std::string terms(const std::vector<DofTerm>& all) const {
    std::vector<std::string> items;
    for (const DofTerm& t : all) {
      Fields f;
      f.add("joint", dof(t.dof));
      f.add("factor", number(t.factor));
      items.push_back(f.inline_table());
    }
    return array(items);
  }

  void write(const Coupling& c) {
    Fields f = named(c.name);
    f.add("terms", terms(c.terms));
    f.add_if(!c.drivers.empty(), "drivers", terms(c.drivers));
    f.add("zero", number(c.zero));
    f.add("driver_zero", number(c.driver_zero));
    f.add("polynomial", row({c.polynomial.begin(), c.polynomial.end()}));
    section("coupling", f);
  }

  void write(const Tendon& t) {
    Fields f = named(t.name);
    f.add_if(!t.terms.empty(), "terms", terms(t.terms));
    std::vector<std::string> points;
    for (const TendonPoint& p : t.points) {
      Fields point;
      point.add_if(p.link >= 0, "link", link(p.link));
      point.add("pos", list(p.pos));
      point.add("starts", p.starts ? "true" : "false");
      point.add("divisor", number(p.divisor));
      points.push_back(point.inline_table());
    }
    f.add_if(!points.empty(), "points", array(points));
    f.add("range", row({t.lower, t.upper}));
    Fields limit;
    limit.add("stiffness", number(t.limit_stiffness));
    limit.add("damping", number(t.limit_damping));
    f.add("limit", limit.inline_table());
    f.add("stiffness", number(t.stiffness));
    f.add("rest", row({t.rest_lower, t.rest_upper}));
    f.add("damper", number(t.damper));
    section("tendon", f);
  }

  template <class Entry>
  void add_ends(const Entry& e, Fields& f) const {
    f.add("link", link(e.link));
    f.add_if(e.other >= 0, "other", link(e.other));
    f.add("pos", list(e.pos));
    f.add("other_pos", list(e.other_pos));
  }

  void write(const Loop& loop) {
    Fields f = named(loop.name);
    add_ends(loop, f);
    f.add("rot", list(loop.rot));
    f.add("other_rot", list(loop.other_rot));
    f.add("frame", loop.frame ? "true" : "false");
    section("loop", f);
  }

  void write(const Attachment& a) {
    Fields f = named(a.name);
    add_ends(a, f);
    f.add("stiffness", number(a.stiffness));
    f.add("sharpness", number(a.sharpness));
    if (a.restitution != 1) f.add("restitution", number(a.restitution));
    f.add("damping", number(a.damping));
    f.add("rest", number(a.rest));
    f.add("break_length", number(a.break_length));
    section("attachment", f);
  }

  const Creature& c_;
  std::string out_;
};

}  // namespace

std::string write_creature_toml(const Creature& creature) { return CreatureWriter(creature).text(); }

void write_creature(const Creature& creature, const std::string& path) {
  write_file(path, write_creature_toml(creature));
}

}  // namespace legwork
