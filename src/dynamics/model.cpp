#include "dynamics/model.h"

#include <algorithm>
#include <cassert>

#include "dynamics/record.h"

namespace legwork {

namespace {

// A joint as elementary screws: a universal joint is two hinges, a planar one two slides and a hinge.
void append_screws(const Joint& joint, Model<double>& m) {
  auto screw = [&](ScrewType type, int q_width, int v_width) -> Screw<double>& {
    Screw<double> s{};
    s.type = type;
    s.q = m.nq;
    s.v = m.nv;
    s.anchor = joint.anchor;
    s.anchored = !(joint.anchor == Vec3d());
    s.q_zero = joint.q_zero;
    m.nq += q_width;
    m.nv += v_width;
    m.screws.push_back(s);
    return m.screws.back();
  };
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::hinge:
      screw(ScrewType::hinge, 1, 1).axis = joint.axes[0];
      break;
    case JointType::slide:
      screw(ScrewType::slide, 1, 1).axis = joint.axes[0];
      break;
    case JointType::ball:
      screw(ScrewType::ball, 4, 3);
      break;
    case JointType::free:
      screw(ScrewType::free, 7, 6);
      break;
    case JointType::universal:
      screw(ScrewType::hinge, 1, 1).axis = joint.axes[0];
      screw(ScrewType::hinge, 1, 1).axis = joint.axes[1];
      break;
    case JointType::planar:
      screw(ScrewType::slide, 1, 1).axis = joint.axes[0];
      screw(ScrewType::slide, 1, 1).axis = joint.axes[1];
      screw(ScrewType::hinge, 1, 1).axis = normalized(cross(joint.axes[0], joint.axes[1]));
      break;
    case JointType::keyframed: {
      const int n = int(joint.paths.size());
      Screw<double>& s = screw(ScrewType::path, n, n);
      s.path_screw = m.path_screws++;
      s.first_path = int(m.paths.size());
      s.paths = n;
      std::copy(joint.neutral.begin(), joint.neutral.end(), s.neutral);
      for (const Keyframes& k : joint.paths) {
        Path<double> path;
        for (int i = 0; i < 6; ++i) {
          path.slope[i] = (k.max[i] - k.min[i]) / 2;
          path.bend[i] = 1.5 * (k.max[i] + k.min[i]);
        }
        m.paths.push_back(path);
      }
    }
  }
}

// Writes a hinge's rotation as fixed + sine s + cosine c, after the constant rotation `before`.
void fold_rotation(const Mat3d& before, Screw<double>& s) {
  const Vec3d& a = s.axis;
  const Mat3d along = Mat3d::columns(a * a.x, a * a.y, a * a.z);
  s.fixed = before * along;
  s.sine = before * skew(a);
  s.cosine = before * (Mat3d::identity() + along * -1.0);
  s.anchor_before = before * s.anchor;
}

// Calls visit(field) for every scalar parameter of a model, in one order for every scalar type.
template <class T, class Visit>
void for_each_parameter(Model<T>& m, Visit visit) {
  auto vec = [&](Vec3<T>& v) { visit(v.x), visit(v.y), visit(v.z); };
  auto mat = [&](Mat3<T>& a) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) visit(a(i, j));
  };
  for (Screw<T>& s : m.screws) {
    vec(s.axis), vec(s.anchor), visit(s.q_zero);
    mat(s.fixed), mat(s.sine), mat(s.cosine), vec(s.anchor_before);
    for (T& x : s.neutral) visit(x);
  }
  for (Path<T>& p : m.paths)
    for (int i = 0; i < 6; ++i) visit(p.slope[i]), visit(p.bend[i]);
  for (int b = 0; b < m.nlink; ++b) {
    vec(m.pos[b]), vec(m.com[b]), visit(m.mass[b]);
    mat(m.rot[b]);
    Sym3<T>& I = m.inertia[b];
    visit(I.xx), visit(I.yy), visit(I.zz), visit(I.xy), visit(I.xz), visit(I.yz);
  }
  for (T& x : m.armature) visit(x);
  for (T& x : m.hinge_zero) visit(x);
  vec(m.gravity);
}

}  // namespace

Model<double> make_model(const Creature& creature) {
  Model<double> m;
  m.nlink = int(creature.links.size());
  m.gravity = creature.gravity;
  for (const Link& link : creature.links) {
    m.parent.push_back(link.parent);
    m.screw_begin.push_back(int(m.screws.size()));
    m.dof_begin.push_back(m.nv);
    for (const Joint& joint : link.joints) append_screws(joint, m);
    m.pos.push_back(link.pos);
    m.rot.push_back(matrix(normalized(link.rot)));
    for (int k = m.screw_begin.back(); k < int(m.screws.size()); ++k) {
      if (m.screws[k].type != ScrewType::hinge) continue;
      m.screws[k].hinge = int(m.hinge_q.size());
      m.hinge_q.push_back(m.screws[k].q);
      m.hinge_zero.push_back(m.screws[k].q_zero);
      const bool first = k == m.screw_begin.back();
      fold_rotation(first ? m.rot.back() : Mat3d::identity(), m.screws[k]);
      if (first) m.rot.back() = Mat3d::identity();
    }
    m.turned.push_back(m.screws.size() == size_t(m.screw_begin.back()) ||
                       m.screws[m.screw_begin.back()].type != ScrewType::hinge);
    m.mass.push_back(link.mass);
    m.com.push_back(link.com);
    m.inertia.push_back(link.inertia);
    m.link_of_dof.resize(m.nv, int(m.parent.size()) - 1);
  }
  m.screw_begin.push_back(int(m.screws.size()));
  m.dof_begin.push_back(m.nv);
  for (const Dof* dof : creature.dofs()) m.armature.push_back(dof->armature);
  assert(int(m.armature.size()) == m.nv);
  group_links(m);
  return m;
}

namespace {

// A model with the same links and joints, all numbers still to be set.
template <class T>
Model<T> same_shape(const Model<double>& first) {
  Model<T> m;
  m.nlink = first.nlink;
  m.nq = first.nq;
  m.nv = first.nv;
  m.path_screws = first.path_screws;
  m.parent = first.parent;
  m.screw_begin = first.screw_begin;
  m.dof_begin = first.dof_begin;
  m.turned = first.turned;
  m.hinge_q = first.hinge_q;
  m.hinge_zero.resize(first.hinge_zero.size());
  m.link_of_dof = first.link_of_dof;
  for (const Screw<double>& s : first.screws) {
    Screw<T> t{};
    t.type = s.type;
    t.q = s.q;
    t.v = s.v;
    t.paths = s.paths;
    t.first_path = s.first_path;
    t.path_screw = s.path_screw;
    t.anchored = s.anchored;
    t.hinge = s.hinge;
    m.screws.push_back(t);
  }
  m.paths.resize(first.paths.size());
  m.pos.resize(m.nlink);
  m.rot.resize(m.nlink);
  m.mass.resize(m.nlink);
  m.com.resize(m.nlink);
  m.inertia.resize(m.nlink);
  m.armature.resize(m.nv);
  return m;
}

}  // namespace

Model<Batch> make_batch_model(const std::vector<const Creature*>& creatures) {
  assert(!creatures.empty() && int(creatures.size()) <= batch_lanes);
  std::vector<Model<double>> each;
  for (const Creature* c : creatures) each.push_back(make_model(*c));
  const Model<double>& first = each.front();
  Model<Batch> m = same_shape<Batch>(first);
  for (int lane = 0; lane < batch_lanes; ++lane) {
    Model<double>& source = each[std::min(lane, int(each.size()) - 1)];
    assert(source.parent == first.parent && source.dof_begin == first.dof_begin);
    std::vector<double> values;
    for_each_parameter(source, [&](double& x) { values.push_back(x); });
    size_t next = 0;
    for_each_parameter(m, [&](Batch& x) { x.set(lane, values[next++]); });
  }
  return m;
}

Model<Trace> record(Model<double> model, const NumberOf& number) {
  Model<Trace> m = same_shape<Trace>(model);
  std::vector<double> values;
  for_each_parameter(model, [&](double& x) { values.push_back(x); });
  size_t next = 0;
  for_each_parameter(m, [&](Trace& x) { x = number(values[next++]); });
  return m;
}

template <class T>
Workspace<T>::Workspace(const Model<T>& m)
    : sine(m.hinge_q.size(), T(0)),
      cosine(m.hinge_q.size(), T(0)),
      R(m.nlink),
      p(m.nlink),
      r(m.nlink),
      c(m.nlink),
      I(m.nlink),
      S(m.nv),
      path_S(6 * m.path_screws),
      vel(m.nlink),
      bias(m.nlink),
      f_ext(m.nlink),
      I_ext(m.nlink),
      d_ext(m.nv, T(0)),
      IA(m.nlink),
      pA(m.nlink),
      U(m.nv),
      invD(m.nv, T(0)),
      u(m.nv, T(0)),
      acc(m.nlink),
      lanes(m.groups.size()) {}

template struct Workspace<double>;
template struct Workspace<Batch>;
template struct Workspace<Trace>;

}  // namespace legwork
