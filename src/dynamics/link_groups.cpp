#include "dynamics/link_groups.h"

#include <algorithm>

#include "dynamics/model.h"

namespace legwork {

namespace {

constexpr int fewest_lanes = 3;  // fewer links are faster one by one

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

void group_links(Model<double>& m) {
  schedule(m);
  chain_groups(m);
}

}  // namespace legwork
