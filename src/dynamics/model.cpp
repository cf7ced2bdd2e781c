#include "dynamics/model.h"

#include <algorithm>
#include <cassert>

namespace legwork {

namespace {

constexpr int fewest_lanes = 3;  // fewer links are faster one by one

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

// Links that can go in lanes: one hinge, on a link.
bool suits_lanes(const Model<double>& m, int b) {
  const int k = m.screw_begin[b];
  return m.parent[b] >= 0 && m.screw_begin[b + 1] == k + 1 && m.screws[k].type == ScrewType::hinge;
}

LinkGroup make_group(const Model<double>& m, const std::vector<int>& links) {
  LinkGroup g;
  g.count = int(links.size());
  for (int i = 0; i < batch_lanes; ++i) {
    const int b = links[std::min(i, g.count - 1)];
    const Screw<double>& s = m.screws[m.screw_begin[b]];
    g.link[i] = b, g.parent[i] = m.parent[b], g.dof[i] = s.v, g.hinge[i] = s.hinge;
    g.mass.set(i, m.mass[b]);
    g.armature.set(i, m.armature[s.v]);
    g.screw.anchored = s.anchored;
    for (int k = 0; k < 3; ++k) {
      g.pos[k].set(i, m.pos[b][k]), g.com[k].set(i, m.com[b][k]);
      g.screw.axis[k].set(i, s.axis[k]), g.screw.anchor[k].set(i, s.anchor[k]);
      g.screw.anchor_before[k].set(i, s.anchor_before[k]);
      for (int j = 0; j < 3; ++j) {
        g.screw.fixed(k, j).set(i, s.fixed(k, j)), g.screw.sine(k, j).set(i, s.sine(k, j));
        g.screw.cosine(k, j).set(i, s.cosine(k, j));
      }
    }
    const Sym3d& I = m.inertia[b];
    const double values[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    Batch* const fields[] = {&g.inertia.xx, &g.inertia.yy, &g.inertia.zz,
                             &g.inertia.xy, &g.inertia.xz, &g.inertia.yz};
    for (int k = 0; k < 6; ++k) fields[k]->set(i, values[k]);
  }
  return g;
}

// Rounds of links whose children are done. Sums over siblings keep their order, later ones first: a link
// waits for later siblings unless they go in the same round in lanes like itself.
void schedule(Model<double>& m) {
  std::vector<int> round(m.nlink, -1), waiting(m.nlink, 0);
  for (int b = 0; b < m.nlink; ++b)
    if (m.parent[b] >= 0) ++waiting[m.parent[b]];
  std::vector<char> leaf(m.nlink, 0);
  for (int b = 0; b < m.nlink; ++b) leaf[b] = waiting[b] == 0;
  // only links of one kind share lanes
  const auto kind = [&](int b) {
    return suits_lanes(m, b) ? 2 * m.screws[m.screw_begin[b]].anchored + leaf[b] : -1;
  };
  for (int done = 0, now = 0; done < m.nlink; ++now) {
    std::vector<int> alone, kinds[4];
    for (int b = m.nlink - 1; b >= 0; --b) {
      bool ready = round[b] < 0 && waiting[b] == 0;
      for (int s = b + 1; s < m.nlink && ready; ++s)
        if (m.parent[s] == m.parent[b] && m.parent[b] >= 0)
          ready = round[s] >= 0 && (round[s] < now || (kind(b) >= 0 && kind(b) == kind(s)));
      if (!ready) continue;
      round[b] = now;
      (kind(b) < 0 ? alone : kinds[kind(b)]).push_back(b);
    }
    for (const std::vector<int>& links : kinds)
      for (size_t first = 0; first < links.size(); first += batch_lanes) {
        const std::vector<int> some(links.begin() + long(first),
                                    links.begin() + long(std::min(first + batch_lanes, links.size())));
        if (int(some.size()) < fewest_lanes) {
          m.inward.insert(m.inward.end(), some.begin(), some.end());
          continue;
        }
        m.inward.push_back(m.nlink + int(m.groups.size()));
        m.groups.push_back(make_group(m, some));
      }
    m.inward.insert(m.inward.end(), alone.begin(), alone.end());
    for (int b = 0; b < m.nlink; ++b) {
      if (round[b] != now) continue;
      ++done;
      if (m.parent[b] >= 0) --waiting[m.parent[b]];
    }
  }
}

// Where the lanes of one group are the only children of another's, each of its own lane.
void chain_groups(Model<double>& m) {
  std::vector<int> children(m.nlink, 0);
  for (int b = 0; b < m.nlink; ++b)
    if (m.parent[b] >= 0) ++children[m.parent[b]];
  for (LinkGroup& g : m.groups) {
    g.tips = true;
    for (const int b : g.link) g.tips = g.tips && children[b] == 0;
  }
  for (size_t a = 0; a < m.groups.size(); ++a)
    for (size_t b = 0; b < m.groups.size(); ++b) {
      LinkGroup &upper = m.groups[a], &lower = m.groups[b];
      if (upper.count != lower.count || upper.link != lower.parent) continue;
      lower.above = int(a);
      if (std::all_of(upper.link.begin(), upper.link.end(), [&](int link) { return children[link] == 1; }))
        upper.below = int(b);
    }
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
  schedule(m);
  chain_groups(m);
  return m;
}

Model<Batch> make_batch_model(const std::vector<const Creature*>& creatures) {
  assert(!creatures.empty() && int(creatures.size()) <= batch_lanes);
  std::vector<Model<double>> each;
  for (const Creature* c : creatures) each.push_back(make_model(*c));
  const Model<double>& first = each.front();

  Model<Batch> m;
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
    Screw<Batch> t{};
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

}  // namespace legwork
