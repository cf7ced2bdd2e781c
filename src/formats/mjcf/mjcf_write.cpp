#include "formats/mjcf/mjcf_write.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "formats/file.h"
#include "formats/mjcf/mjcf_reader.h"
#include "math/dense.h"

namespace legwork {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string words(const Vec3d& v) { return to_text(v.x) + " " + to_text(v.y) + " " + to_text(v.z); }
std::string words(const Quatd& q) { return to_text(q.w) + " " + words(Vec3d{q.x, q.y, q.z}); }
bool is_identity(const Quatd& q) { return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0; }

class MjcfWriter {
 public:
  explicit MjcfWriter(const Creature& creature);
  std::string text();

 private:
  // One line: <name, attributes added by attribute(), end.
  void begin(const std::string& name) { out_ += std::string(std::size_t(2 * depth_), ' ') + "<" + name; }
  void attribute(const char* name, const std::string& value) {
    out_ += std::string(" ") + name + "=\"" + value + "\"";
  }
  void end() { out_ += "/>\n"; }
  void open() { out_ += ">\n", ++depth_; }
  void close(const char* name) {
    --depth_, out_ += std::string(std::size_t(2 * depth_), ' ') + "</" + name + ">\n";
  }
  // Two hyphens would end a comment.
  void comment(std::string text) {
    for (std::size_t at; (at = text.find("--")) != std::string::npos;) text.replace(at, 2, "- ");
    out_ += std::string(std::size_t(2 * depth_), ' ') + "<!-- " + text + " -->\n";
  }
  void place(const Vec3d& pos, const Quatd& rot) {
    if (!(pos == Vec3d())) attribute("pos", words(pos));
    if (!is_identity(rot)) attribute("quat", words(rot));
  }

  void write_meshes();
  void write_bodies();
  void open_body(int link);
  void write_inertial(const Link& link);
  void write_joint(const Link& link, const Joint& joint);
  void write_scalar_joint(const Joint& joint, const char* type, const Vec3d& axis, const Dof& dof);
  void write_round_joint(const Link& link, const Joint& joint);
  void write_springs(const Dof& dof, const std::string& who);
  void write_shape(const Shape& shape, int link, int index);
  void write_sites(int link);
  void write_tendon_sites(int link);
  void write_equalities();
  void write_loop(const Loop& loop);
  void write_coupling(const Coupling& coupling);
  void write_terms(const std::string& name, const std::vector<DofTerm>& terms);
  void write_tendon(const Tendon& tendon, std::size_t index);
  void write_tendons();
  void write_apart();
  double zero_of(const std::vector<DofTerm>& terms) const;  // the sum as the links stand in the file
  void write_actuators();
  void write_sensors();
  void write_poses();
  // MuJoCo's name of a degree of freedom that is a joint of its own, or empty.
  std::string joint_of(int dof) const { return joint_names_[std::size_t(dof)]; }
  static std::string mesh_name(int link, int index) {
    return "mesh_" + std::to_string(link) + "_" + std::to_string(index);
  }

  const Creature& c_;
  std::vector<std::vector<int>> children_;  // for each link; the last entry is the world's
  std::vector<int> order_;                  // links depth first
  std::vector<int> first_q_;
  std::vector<std::string> joint_names_;  // nv
  std::string out_;
  int depth_ = 0;
};

MjcfWriter::MjcfWriter(const Creature& creature) : c_(creature), children_(creature.links.size() + 1) {
  int q = 0;
  for (std::size_t i = 0; i < c_.links.size(); ++i) {
    const int parent = c_.links[i].parent;
    children_[parent < 0 ? c_.links.size() : std::size_t(parent)].push_back(int(i));
    first_q_.push_back(q);
    for (const Joint& joint : c_.links[i].joints) {
      q += nq(joint);
      const bool round = joint.type == JointType::ball || joint.type == JointType::free;
      for (const Dof& dof : joint.dofs) joint_names_.push_back(round ? "" : dof.name);
    }
  }
  first_q_.push_back(q);
}

std::string MjcfWriter::text() {
  begin("mujoco");
  attribute("model", escaped(c_.name));
  open();
  if (!c_.about.empty()) comment(c_.about);
  begin("compiler");
  attribute("angle", "radian");
  attribute("inertiafromgeom", "false");
  end();
  begin("option");
  attribute("gravity", words(c_.gravity));
  end();
  write_meshes();
  begin("worldbody");
  open();
  begin("light");
  attribute("pos", "0 0 10");
  attribute("directional", "true");
  end();
  begin("geom");
  attribute("name", "ground");
  attribute("type", "plane");
  attribute("size", "0 0 1");
  end();
  write_tendon_sites(-1);
  write_bodies();
  close("worldbody");
  write_apart();
  write_equalities();
  write_tendons();
  write_actuators();
  write_sensors();
  write_poses();
  for (const Attachment& a : c_.attachments)
    comment("attachment '" + a.name + "' has no counterpart in MJCF");
  close("mujoco");
  return std::move(out_);
}

void MjcfWriter::write_meshes() {
  bool any = false;
  for (std::size_t l = 0; l < c_.links.size(); ++l)
    for (std::size_t s = 0; s < c_.links[l].shapes.size(); ++s) {
      const Shape& shape = c_.links[l].shapes[s];
      if (shape.type != ShapeType::mesh) continue;
      if (!any) begin("asset"), open();
      any = true;
      begin("mesh");
      attribute("name", mesh_name(int(l), int(s)));
      std::string vertices, faces;
      for (const Vec3d& v : shape.mesh.vertices) vertices += (vertices.empty() ? "" : " ") + words(v);
      for (const auto& t : shape.mesh.triangles)
        faces += (faces.empty() ? "" : " ") + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " +
                 std::to_string(t[2]);
      attribute("vertex", vertices);
      attribute("face", faces);
      end();
    }
  if (any) close("asset");
}

// Depth first with a stack of our own; -1 closes a body.
void MjcfWriter::write_bodies() {
  std::vector<int> todo;
  const auto push = [&](const std::vector<int>& links) {
    todo.insert(todo.end(), links.rbegin(), links.rend());
  };
  push(children_.back());
  while (!todo.empty()) {
    const int link = todo.back();
    todo.pop_back();
    if (link < 0) {
      close("body");
      continue;
    }
    order_.push_back(link);
    open_body(link);
    todo.push_back(-1);
    push(children_[std::size_t(link)]);
  }
}

void MjcfWriter::open_body(int index) {
  const Link& link = c_.links[std::size_t(index)];
  begin("body");
  attribute("name", escaped(link.name));
  place(link.pos, link.rot);
  open();
  write_inertial(link);
  bool ball = false;
  for (const Joint& joint : link.joints) {
    if (ball && joint.type != JointType::slide && joint.type != JointType::fixed)
      throw Error(link.where, "link '" + link.name + "'", "MJCF allows no rotation after a ball joint",
                  "put a link between");
    ball = ball || joint.type == JointType::ball;
    write_joint(link, joint);
  }
  for (std::size_t s = 0; s < link.shapes.size(); ++s) write_shape(link.shapes[s], index, int(s));
  write_sites(index);
}

// Principal moments and axes: MuJoCo's own diagonalisation of a full inertia loses half of the digits.
void MjcfWriter::write_inertial(const Link& link) {
  if (!(link.mass > 0)) return;
  const Sym3d& I = link.inertia;
  const bool diagonal = I.xy == 0 && I.xz == 0 && I.yz == 0;
  const auto [moments, axes] =
      diagonal ? Principal{{I.xx, I.yy, I.zz}, Mat3d::identity()} : principal(link.inertia);
  begin("inertial");
  attribute("mass", to_text(link.mass));
  attribute("pos", words(link.com));
  const Quatd rot = quaternion(axes);
  if (!is_identity(rot)) attribute("quat", words(rot));
  attribute("diaginertia", words(moments));
  end();
}

void MjcfWriter::write_joint(const Link& link, const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return;
    case JointType::hinge:
      return write_scalar_joint(joint, "hinge", joint.axes[0], joint.dofs[0]);
    case JointType::slide:
      return write_scalar_joint(joint, "slide", joint.axes[0], joint.dofs[0]);
    case JointType::universal:
      write_scalar_joint(joint, "hinge", joint.axes[0], joint.dofs[0]);
      return write_scalar_joint(joint, "hinge", joint.axes[1], joint.dofs[1]);
    case JointType::planar:
      write_scalar_joint(joint, "slide", joint.axes[0], joint.dofs[0]);
      write_scalar_joint(joint, "slide", joint.axes[1], joint.dofs[1]);
      return write_scalar_joint(joint, "hinge", normalized(cross(joint.axes[0], joint.axes[1])),
                                joint.dofs[2]);
    case JointType::free:
      if (link.parent >= 0)
        throw Error(link.where, "link '" + link.name + "'", "MJCF allows a free joint on a root link only");
      return write_round_joint(link, joint);
    case JointType::ball:
      return write_round_joint(link, joint);
    case JointType::keyframed:
      throw Error(link.where, "link '" + link.name + "'", "a keyframed joint has no counterpart in MJCF",
                  "export the motion instead");
  }
}

void MjcfWriter::write_springs(const Dof& dof, const std::string& who) {
  if (dof.spring.type == SpringType::linear && dof.spring.stiffness != 0) {
    attribute("stiffness", to_text(dof.spring.stiffness));
    if (dof.spring.rest != 0) attribute("springref", to_text(dof.spring.rest));
  }
  if (dof.damper != 0) attribute("damping", to_text(dof.damper));
  if (dof.armature != 0) attribute("armature", to_text(dof.armature));
  if (dof.friction != 0) attribute("frictionloss", to_text(dof.friction));
  end();
  if (dof.spring.type == SpringType::exponential)
    comment("the exponential spring of " + who + " (stiffness " + to_text(dof.spring.stiffness) +
            ", sharpness " + to_text(dof.spring.sharpness) + ", rest " + to_text(dof.spring.rest) +
            ") has no counterpart in MJCF");
}

void MjcfWriter::write_scalar_joint(const Joint& joint, const char* type, const Vec3d& axis, const Dof& dof) {
  begin("joint");
  attribute("name", escaped(dof.name));
  attribute("type", type);
  attribute("axis", words(axis));
  if (!(joint.anchor == Vec3d())) attribute("pos", words(joint.anchor));
  if (joint.q_zero != 0) attribute("ref", to_text(joint.q_zero));
  const bool lower = std::isfinite(dof.lower), upper = std::isfinite(dof.upper);
  if (lower || upper) {
    // a side without limit lies out of reach
    constexpr double far = 1e10;
    attribute("limited", "true");
    attribute("range", to_text(lower ? dof.lower : -far) + " " + to_text(upper ? dof.upper : far));
  }
  write_springs(dof, "'" + dof.name + "'");
}

void MjcfWriter::write_round_joint(const Link& link, const Joint& joint) {
  const Dof& first = joint.dofs[0];
  bool alike = true;
  for (const Dof& dof : joint.dofs) {
    if (dof.armature != first.armature)
      throw Error(link.where, "joint '" + joint.name + "'",
                  "its axes differ in armature, which MJCF cannot say of a ball or free joint");
    alike = alike && dof.damper == first.damper && dof.friction == first.friction &&
            dof.spring.type == first.spring.type && dof.spring.stiffness == first.spring.stiffness;
  }
  begin("joint");
  attribute("name", escaped(joint.name));
  attribute("type", joint.type == JointType::ball ? "ball" : "free");
  if (joint.type == JointType::ball && !(joint.anchor == Vec3d())) attribute("pos", words(joint.anchor));
  Dof shared = first;
  shared.spring.rest = 0;
  if (!alike) shared = Dof{.armature = first.armature};
  write_springs(shared, "'" + joint.name + "'");
  if (!alike) comment("the springs and dampers of '" + joint.name + "' differ by axis and were left out");
}

void MjcfWriter::write_shape(const Shape& shape, int link, int index) {
  begin("geom");
  switch (shape.type) {
    case ShapeType::box:
      attribute("type", "box");
      attribute("size", words(shape.size * 0.5));
      break;
    case ShapeType::sphere:
      attribute("type", "sphere");
      attribute("size", to_text(shape.size.x));
      break;
    case ShapeType::capsule:
    case ShapeType::cylinder:
      attribute("type", shape.type == ShapeType::capsule ? "capsule" : "cylinder");
      attribute("size", to_text(shape.size.x) + " " + to_text(shape.size.y / 2));
      break;
    case ShapeType::ellipsoid:
      attribute("type", "ellipsoid");
      attribute("size", words(shape.size));
      break;
    case ShapeType::mesh:
      attribute("type", "mesh");
      attribute("mesh", mesh_name(link, index));
      break;
  }
  place(shape.pos, shape.rot);
  if (!shape.touches) {
    attribute("contype", "0"), attribute("conaffinity", "0");
  } else {
    if (shape.kind != 1) attribute("contype", std::to_string(shape.kind));
    if (shape.meets != 1) attribute("conaffinity", std::to_string(shape.meets));
  }
  attribute("rgba",
            to_text(shape.color[0]) + " " + to_text(shape.color[1]) + " " + to_text(shape.color[2]) + " 1");
  end();
}

void MjcfWriter::write_sites(int link) {
  const auto site = [&](const std::string& name, const Vec3d& pos) {
    begin("site");
    attribute("name", escaped(name));
    if (!(pos == Vec3d())) attribute("pos", words(pos));
    end();
  };
  for (const Label& label : c_.labels)
    if (label.link == link) site(label.name, label.pos);
  for (const Sensor& sensor : c_.sensors)
    if (sensor.type == SensorType::touch && sensor.link == link) site("sensor_" + sensor.name, sensor.pos);
  for (const Actuator& a : c_.actuators) {
    if (a.type != ActuatorType::linear) continue;
    if (a.link == link) site("actuator_" + a.name + "_from", a.pos);
    if (a.other == link) site("actuator_" + a.name + "_to", a.other_pos);
  }
  write_tendon_sites(link);
}

void MjcfWriter::write_tendon_sites(int link) {
  for (std::size_t t = 0; t < c_.tendons.size(); ++t)
    for (std::size_t i = 0; i < c_.tendons[t].points.size(); ++i) {
      const TendonPoint& p = c_.tendons[t].points[i];
      if (p.link != link) continue;
      begin("site");
      attribute("name", "tendon_" + std::to_string(t) + "_" + std::to_string(i));
      attribute("pos", words(p.pos));
      end();
    }
}

void MjcfWriter::write_loop(const Loop& loop) {
  begin(loop.frame ? "weld" : "connect");
  attribute("name", escaped(loop.name));
  attribute("body1", escaped(c_.links[std::size_t(loop.link)].name));
  if (loop.other >= 0) attribute("body2", escaped(c_.links[std::size_t(loop.other)].name));
  if (loop.frame) {
    attribute("anchor", words(loop.other_pos));
    attribute("relpose", words(loop.pos) + " " + words(normalized(loop.rot * conjugate(loop.other_rot))));
  } else {
    attribute("anchor", words(loop.pos));  // MuJoCo takes the other point from the reference pose
  }
  end();
}

double MjcfWriter::zero_of(const std::vector<DofTerm>& terms) const {
  std::vector<double> zero;
  for (const Link& link : c_.links)
    for (const Joint& joint : link.joints) zero.insert(zero.end(), joint.dofs.size(), joint.q_zero);
  double sum = 0;
  for (const DofTerm& t : terms) sum += t.factor * zero[std::size_t(t.dof)];
  return sum;
}

// A sum of several joints is a tendon there; joints and tendons count from the reference pose.
void MjcfWriter::write_coupling(const Coupling& c) {
  const bool joints = c.terms.size() == 1 && c.drivers.size() < 2 && c.terms[0].factor == 1 &&
                      (c.drivers.empty() || c.drivers[0].factor == 1);
  begin(joints ? "joint" : "tendon");
  attribute("name", escaped(c.name));
  attribute(joints ? "joint1" : "tendon1", escaped(joints ? joint_of(c.terms[0].dof) : "of_" + c.name));
  if (!c.drivers.empty())
    attribute(joints ? "joint2" : "tendon2",
              escaped(joints ? joint_of(c.drivers[0].dof) : "drives_" + c.name));
  // p(y + shift) by Horner's rule, then the other zero
  std::array<double, 5> p = c.polynomial;
  const double shift = zero_of(c.drivers) - c.driver_zero;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 4; k-- > i;) p[k] += shift * p[k + 1];
  p[0] += c.zero - zero_of(c.terms);
  std::string text;
  for (const double x : p) text += (text.empty() ? "" : " ") + to_text(x);
  attribute("polycoef", text);
  end();
}

void MjcfWriter::write_equalities() {
  if (c_.loops.empty() && c_.couplings.empty()) return;
  begin("equality");
  open();
  for (const Loop& loop : c_.loops) write_loop(loop);
  for (const Coupling& coupling : c_.couplings) write_coupling(coupling);
  close("equality");
}

void MjcfWriter::write_apart() {
  if (c_.apart.empty()) return;
  begin("contact");
  open();
  for (const auto& [a, b] : c_.apart) {
    begin("exclude");
    attribute("body1", escaped(c_.links[std::size_t(a)].name));
    attribute("body2", escaped(c_.links[std::size_t(b)].name));
    end();
  }
  close("contact");
}

void MjcfWriter::write_terms(const std::string& name, const std::vector<DofTerm>& terms) {
  begin("fixed");
  attribute("name", escaped(name));
  open();
  for (const DofTerm& t : terms) {
    begin("joint");
    attribute("joint", escaped(joint_of(t.dof)));
    attribute("coef", to_text(t.factor));
    end();
  }
  close("fixed");
}

void MjcfWriter::write_tendon(const Tendon& t, std::size_t index) {
  const bool fixed = !t.terms.empty();
  begin(fixed ? "fixed" : "spatial");
  attribute("name", escaped(t.name));
  if (std::isfinite(t.lower) || std::isfinite(t.upper)) {
    constexpr double far = 1e10;
    attribute("limited", "true");
    attribute("range", to_text(std::isfinite(t.lower) ? t.lower : -far) + " " +
                           to_text(std::isfinite(t.upper) ? t.upper : far));
  }
  if (t.stiffness != 0) {
    attribute("stiffness", to_text(t.stiffness));
    // MuJoCo before 2.3 knows one length only
    attribute("springlength", t.rest_lower == t.rest_upper
                                  ? to_text(t.rest_lower)
                                  : to_text(t.rest_lower) + " " + to_text(t.rest_upper));
  }
  if (t.damper != 0) attribute("damping", to_text(t.damper));
  open();
  for (const DofTerm& term : t.terms) {
    begin("joint");
    attribute("joint", escaped(joint_of(term.dof)));
    attribute("coef", to_text(term.factor));
    end();
  }
  for (std::size_t i = 0; i < t.points.size(); ++i) {
    if (t.points[i].starts && i > 0) {
      begin("pulley");
      attribute("divisor", to_text(t.points[i].divisor));
      end();
    }
    begin("site");
    attribute("site", "tendon_" + std::to_string(index) + "_" + std::to_string(i));
    end();
  }
  close(fixed ? "fixed" : "spatial");
}

void MjcfWriter::write_tendons() {
  const auto linear = [](const Actuator& a) { return a.type == ActuatorType::linear && a.other >= 0; };
  const auto summed = [](const Coupling& c) {
    return c.terms.size() > 1 || c.drivers.size() > 1 || c.terms[0].factor != 1 ||
           (!c.drivers.empty() && c.drivers[0].factor != 1);
  };
  if (std::none_of(c_.actuators.begin(), c_.actuators.end(), linear) && c_.tendons.empty() &&
      std::none_of(c_.couplings.begin(), c_.couplings.end(), summed))
    return;
  begin("tendon");
  open();
  for (std::size_t i = 0; i < c_.tendons.size(); ++i) write_tendon(c_.tendons[i], i);
  for (const Coupling& c : c_.couplings) {
    if (!summed(c)) continue;
    write_terms("of_" + c.name, c.terms);
    if (!c.drivers.empty()) write_terms("drives_" + c.name, c.drivers);
  }
  for (const Actuator& a : c_.actuators) {
    if (!linear(a)) continue;
    begin("spatial");
    attribute("name", escaped(a.name));
    open();
    for (const char* end_name : {"_from", "_to"}) {
      begin("site");
      attribute("site", escaped("actuator_" + a.name + end_name));
      end();
    }
    close("spatial");
  }
  close("tendon");
}

void MjcfWriter::write_actuators() {
  if (c_.actuators.empty()) return;
  begin("actuator");
  open();
  for (const Actuator& a : c_.actuators) {
    const bool linear = a.type == ActuatorType::linear;
    const std::string joint = linear ? "" : joint_of(a.dof);
    if (linear ? a.other < 0 : joint.empty()) {
      comment("actuator '" + a.name + "' has no counterpart in MJCF");
      continue;
    }
    const bool plain_motor = a.type == ActuatorType::motor && a.lag == 0;
    begin(plain_motor ? "motor" : "general");
    attribute("name", escaped(a.name));
    if (a.tendon >= 0)
      attribute("tendon", escaped(c_.tendons[std::size_t(a.tendon)].name));
    else
      attribute(linear ? "tendon" : "joint", escaped(linear ? a.name : joint));
    if (a.lag > 0) attribute("dyntype", "filter"), attribute("dynprm", to_text(a.lag));
    if (a.gear != 1) attribute("gear", to_text(a.gear));
    if (a.type != ActuatorType::motor) {
      attribute("biastype", "affine");
      attribute("gainprm", to_text(a.ks));
      attribute("biasprm", "0 " + to_text(-a.ks) + " " + to_text(-a.kd));
    }
    if (std::isfinite(a.lower) && std::isfinite(a.upper) && a.lower < a.upper) {
      attribute("ctrllimited", "true");
      attribute("ctrlrange", to_text(a.lower) + " " + to_text(a.upper));
    }
    if (std::isfinite(a.strength) && a.strength > 0) {
      attribute("forcelimited", "true");
      attribute("forcerange", to_text(-a.strength) + " " + to_text(a.strength));
    }
    end();
  }
  close("actuator");
}

void MjcfWriter::write_sensors() {
  if (c_.sensors.empty()) return;
  begin("sensor");
  open();
  for (const Sensor& s : c_.sensors) {
    const std::string joint = s.type == SensorType::angle && s.dof >= 0 ? joint_of(s.dof) : "";
    if (s.type == SensorType::touch) {
      begin("touch");
      attribute("name", escaped(s.name));
      attribute("site", escaped("sensor_" + s.name));
      end();
    } else if (!joint.empty()) {
      begin("jointpos");
      attribute("name", escaped(s.name));
      attribute("joint", escaped(joint));
      end();
    } else {
      comment("sensor '" + s.name + "' has no counterpart in MJCF");
    }
  }
  close("sensor");
}

void MjcfWriter::write_poses() {
  if (c_.poses.empty()) return;
  begin("keyframe");
  open();
  for (const Pose& pose : c_.poses) {
    std::string qpos;
    for (int link : order_)
      for (int i = first_q_[std::size_t(link)]; i < first_q_[std::size_t(link) + 1]; ++i)
        qpos += (qpos.empty() ? "" : " ") + to_text(pose.q[std::size_t(i)]);
    begin("key");
    attribute("name", escaped(pose.name));
    attribute("qpos", qpos);
    end();
  }
  close("keyframe");
}

}  // namespace

std::string mjcf_text(const Creature& creature) { return MjcfWriter(creature).text(); }

void write_mjcf(const Creature& creature, const std::string& path) { write_file(path, mjcf_text(creature)); }

}  // namespace legwork
