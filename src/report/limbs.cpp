#include "report/limbs.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "report/film.h"

namespace legwork {

namespace {

constexpr int least_chain =
    2;  // degrees of freedom of what is a limb of its own: a jaw or an ear belongs to its head

int own_freedoms(const Link& link) {
  int n = 0;
  for (const Joint& joint : link.joints)
    if (joint.type != JointType::free) n += nv(joint);
  return n;
}

// For each link the first one of its limb. A leg begins at its hip and the trunk at the root; another chain
// begins where it leaves the trunk or where two of them part.
std::vector<int> first_links(const Creature& c, const std::vector<int>& leg_of) {
  const int n = int(c.links.size());
  std::vector<int> below(n, 0), heirs(n, 0), first(n);
  std::vector<char> in_trunk(n, 0);
  for (const int k : c.trunk) in_trunk[k] = 1;
  for (int k = n - 1; k >= 0; --k) {
    below[k] += own_freedoms(c.links[k]);
    const int parent = c.links[k].parent;
    if (parent < 0 || leg_of[k] >= 0) continue;
    below[parent] += below[k];
    if (below[k] >= least_chain && !in_trunk[k]) ++heirs[parent];
  }
  for (int k = 0; k < n; ++k) {
    const int parent = c.links[k].parent;
    if (leg_of[k] >= 0)
      first[k] = c.legs[leg_of[k]].hip;
    else if (parent < 0)
      first[k] = k;
    else {
      const bool leaves = below[k] >= least_chain && !in_trunk[k] && (heirs[parent] > 1 || in_trunk[parent]);
      first[k] = leaves ? k : first[parent];
    }
  }
  return first;
}

// "tail" for tail_1
std::string without_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789_.");
  return end == name.npos ? name : name.substr(0, end + 1);
}

// What two names end alike with: "arm" of l_arm and r_arm, else what they begin alike with.
std::string common_name(const std::string& a, const std::string& b) {
  std::size_t last = 0, first = 0;
  while (last < std::min(a.size(), b.size()) && a[a.size() - 1 - last] == b[b.size() - 1 - last]) ++last;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
  std::string name = last >= first ? a.substr(a.size() - last) : a.substr(0, first);
  name.erase(0, name.find_first_not_of("_.- "));
  name.erase(name.find_last_not_of("_.- ") + 1);
  return name;
}

// Where each link begins when the body stands, in the first link's frame.
std::vector<Vec3d> places(const Creature& c) {
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  update_positions(model, c.pose("stand").data(), w);
  std::vector<Vec3d> out;
  for (const Vec3d& p : w.p) out.push_back(transpose_times(w.R[0], p - w.p[0]));
  return out;
}

// Limbs that mirror each other across the body's middle are a left and a right one.
void pair_by_place(const std::vector<Vec3d>& at, std::vector<Limb>& limbs) {
  const auto place = [&](const Limb& limb) { return at[limb.links[0]]; };
  double size = 0;
  for (const Limb& limb : limbs) size = std::max(size, norm(place(limb)));
  for (Limb& a : limbs)
    for (Limb& b : limbs) {
      if (!a.row.empty() || !b.row.empty() || a.links.size() != b.links.size()) continue;
      const Vec3d p = place(a), q = place(b);
      if (!(p.y > 0.02 * size) || norm(Vec3d{p.x - q.x, p.y + q.y, p.z - q.z}) > 0.02 * size) continue;
      const std::string name = common_name(a.name, b.name);
      a.row = b.row = name.empty() ? a.name + " and " + b.name : name;
      a.side = Side::left, b.side = Side::right;
    }
}

}  // namespace

std::vector<Limb> limbs_of(const Creature& c) {
  const std::vector<int> leg_of = legs_of_links(c), first = first_links(c, leg_of);
  const auto roots =
      std::count_if(c.links.begin(), c.links.end(), [](const Link& l) { return l.parent < 0; });
  std::vector<Limb> legs(c.legs.size()), others;
  const bool one_pair = c.legs.size() == 2 && c.legs[0].side != c.legs[1].side;
  for (std::size_t k = 0; k < legs.size(); ++k) {
    const Leg& leg = c.legs[k];
    legs[k].name = leg.name, legs[k].side = leg.side;
    legs[k].row = !leg.girdle.empty() ? leg.girdle + " legs" : one_pair ? "legs" : leg.name;
  }
  for (int k = 0; k < int(c.links.size()); ++k) {
    if (leg_of[k] >= 0) {
      legs[leg_of[k]].links.push_back(k);
      continue;
    }
    if (first[k] == k) others.emplace_back();
    for (Limb& limb : others)
      if (limb.links.empty() || limb.links[0] == first[k]) limb.links.push_back(k);
  }
  for (Limb& limb : others) {
    const bool trunk = c.links[limb.links[0]].parent < 0 && roots == 1 && !c.legs.empty();
    const int largest = *std::max_element(limb.links.begin(), limb.links.end(),
                                          [&](int a, int b) { return c.links[a].mass < c.links[b].mass; });
    limb.name = trunk ? "trunk" : without_number(c.links[largest].name);
  }
  const auto still = [&](const Limb& limb) {
    return std::all_of(limb.links.begin(), limb.links.end(),
                       [&](int k) { return own_freedoms(c.links[k]) == 0; });
  };
  std::erase_if(legs, still), std::erase_if(others, still);
  const std::vector<Vec3d> at = places(c);
  pair_by_place(at, others);
  for (Limb& limb : others)
    if (limb.row.empty()) limb.row = limb.name;

  std::stable_sort(legs.begin(), legs.end(),
                   [&](const Limb& a, const Limb& b) { return at[a.links[0]].x > at[b.links[0]].x; });
  // in a row left before right
  std::vector<Limb> all;
  std::vector<Limb>* const groups[] = {&legs, &others};
  for (std::vector<Limb>* const group : groups)
    while (!group->empty()) {
      const std::string row = group->front().row;
      for (const Side side : {Side::left, Side::none, Side::right})
        for (const Limb& limb : *group)
          if (limb.row == row && limb.side == side) all.push_back(limb);
      std::erase_if(*group, [&](const Limb& limb) { return limb.row == row; });
    }
  return all;
}

}  // namespace legwork
