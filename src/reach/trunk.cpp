#include "reach/trunk.h"

#include <algorithm>
#include <cmath>

namespace legwork::reaching {

namespace {

constexpr std::size_t most_entries = std::size_t(1) << 26;  // 256 MB of lists; then they are made anew

// Links from a to b, ends included, whose joints bend what lies between them.
std::vector<int> links_between(const Creature& c, int a, int b) {
  std::vector<int> up_a{a}, up_b{b};
  while (c.links[size_t(up_a.back())].parent >= 0) up_a.push_back(c.links[size_t(up_a.back())].parent);
  while (c.links[size_t(up_b.back())].parent >= 0) up_b.push_back(c.links[size_t(up_b.back())].parent);
  while (!up_a.empty() && !up_b.empty() && up_a.back() == up_b.back()) up_a.pop_back(), up_b.pop_back();
  up_a.insert(up_a.end(), up_b.begin(), up_b.end());
  return up_a;
}

}  // namespace

Trunk make_trunk(const Creature& c, const Girdle& from, const Girdle& to, int samples) {
  Trunk trunk;
  std::vector<double> q = c.pose("stand");
  const std::vector<Twist<double>> directions = dof_directions(c, q);
  const std::vector<const Dof*> dofs = c.dofs();
  int lateral = 0, dorsoventral = 0;
  const std::vector<int> between = links_between(c, from.link, to.link);
  int at_q = 0, at_v = 0;
  for (size_t i = 0; i < c.links.size(); ++i) {
    const bool bends = std::find(between.begin(), between.end(), int(i)) != between.end();
    for (const Joint& joint : c.links[i].joints) {
      for (int k = 0;
           bends && k < nv(joint) && joint.type != JointType::ball && joint.type != JointType::free; ++k) {
        const Vec3d& axis = directions[size_t(at_v + k)].ang;
        const Dof& dof = *dofs[size_t(at_v + k)];
        const double x = std::fabs(axis.x), y = std::fabs(axis.y), z = std::fabs(axis.z);
        if (std::max(y, z) <= x || !std::isfinite(dof.lower) || !std::isfinite(dof.upper)) continue;
        const bool sideways = z >= y;
        trunk.joints.push_back({at_q + k, at_v + k, q[size_t(at_q + k)], dof.lower, dof.upper,
                                (sideways ? axis.z : axis.y) > 0 ? 1.0 : -1.0, sideways});
        ++(sideways ? lateral : dorsoventral);
      }
      at_q += nq(joint), at_v += nv(joint);
    }
  }

  const auto bend = [&](double lateral, double dorsoventral) {
    Trunk::Bend made{{}, {}, lateral, dorsoventral};
    trunk.bend(made, q);
    const std::vector<LinkFrame> frames = place(c, q);
    const LinkFrame &f = frames[size_t(from.link)], &t = frames[size_t(to.link)];
    // seen from the first girdle, in the axes that it has when standing
    const Mat3d back = from.limb.girdle_stand * transpose(f.R);
    const Vec3d v = t * to.limb.root - f * from.limb.root;
    made.R = back * t.R * transpose(to.limb.girdle_stand), made.v = back * v;
    return made;
  };
  trunk.straight = bend(0, 0).v;
  const int n_lateral = lateral == 0 ? 1 : samples, n_up = dorsoventral == 0 ? 1 : samples;
  for (int i = 0; i < n_lateral; ++i)
    for (int j = 0; j < n_up; ++j)
      trunk.bends.push_back(
          bend(n_lateral > 1 ? -1 + 2.0 * i / (n_lateral - 1) : 0, n_up > 1 ? -1 + 2.0 * j / (n_up - 1) : 0));
  for (int i = 0; i < n_lateral; ++i)
    for (int j = 0; j < n_up; ++j) {
      const auto at = [&](int a, int b) { return trunk.bends[size_t(a * n_up + b)].v; };
      if (i > 0) trunk.spacing = std::max(trunk.spacing, norm(at(i, j) - at(i - 1, j)));
      if (j > 0) trunk.spacing = std::max(trunk.spacing, norm(at(i, j) - at(i, j - 1)));
    }
  return trunk;
}

void Trunk::bend(const Bend& b, std::vector<double>& q) const {
  for (const Joint& j : joints) {
    const double s = (j.sideways ? b.lateral : b.dorsoventral) * j.sign;
    q[size_t(j.q)] = j.rest + (s < 0 ? s * (j.rest - j.low) : s * (j.high - j.rest));
  }
}

TrunkReach::TrunkReach(const Trunk& trunk, const Candidates& candidates, const Boxes& boxes, double tolerance,
                       const std::vector<char>* eligible)
    : trunk_(trunk),
      candidates_(candidates),
      boxes_(boxes),
      tolerance_(tolerance),
      length_(boxes.size / 2),
      angle_(tolerance / 2),
      around_(trunk.rigid() ? 1 : std::min(3, int(trunk.spacing / 2 / boxes.size))),
      eligible_(eligible) {}

std::uint64_t TrunkReach::key(const RootPose& p) const {
  const auto round = [](double x, double unit) {
    return std::uint64_t(std::clamp(std::lround(x / unit), -500L, 500L) + 512);
  };
  return round(p.at.x, length_) | round(p.at.y, length_) << 10 | round(p.at.z, length_) << 20 |
         round(p.turns.pitch, angle_) << 30 | round(p.turns.yaw, angle_) << 40 |
         round(p.turns.roll, angle_) << 50;
}

RootPose TrunkReach::rounded(std::uint64_t key) const {
  const auto part = [&](int shift) { return double(int(key >> shift & 1023) - 512); };
  return {Vec3d(part(0), part(10), part(20)) * length_,
          {part(30) * angle_, part(40) * angle_, part(50) * angle_}};
}

const std::vector<std::uint32_t>& TrunkReach::list(const RootPose& pose) {
  const std::uint64_t name = key(pose);
  const auto found = lists_.find(name);
  if (found != lists_.end()) return found->second;
  if (held_ > most_entries) lists_.clear(), held_ = 0;
  std::vector<std::uint32_t> made = make(rounded(name));
  held_ += made.size() + 16;
  return lists_.emplace(name, std::move(made)).first->second;
}

// Appends the candidates of a box whose turns are near enough.
void TrunkReach::look(int box, const Turns& t, std::vector<std::uint32_t>& found) const {
  const std::uint32_t begin = candidates_.box_begin[size_t(box)],
                      end = candidates_.box_begin[size_t(box) + 1];
  if (begin == end) return;
  const double most = 3 * tolerance_ * tolerance_, window = std::sqrt(most);
  const auto first =
      std::lower_bound(candidates_.pose.begin() + begin, candidates_.pose.begin() + end, t.pitch - window,
                       [](const RootPose& p, double pitch) { return p.turns.pitch < pitch; });
  for (auto i = std::uint32_t(first - candidates_.pose.begin()); i < end; ++i) {
    const Turns& s = candidates_.pose[i].turns;
    const double p = s.pitch - t.pitch, y = s.yaw - t.yaw, r = s.roll - t.roll;
    if (p > window) break;
    if (p * p + y * y + r * r < most && (!eligible_ || (*eligible_)[i])) found.push_back(i);
  }
}

std::vector<std::uint32_t> TrunkReach::make(const RootPose& pose) const {
  std::vector<std::uint32_t> found;
  const Mat3d R = matrix_of(pose.turns);
  const Boxes& b = boxes_;
  for (const Trunk::Bend& bend : trunk_.bends) {
    Vec3d at = pose.at + R * bend.v - trunk_.straight;
    at.x += trunk_.shift;
    if (at.x < b.lower.x || at.y < b.lower.y || at.z < b.lower.z || at.x > b.upper.x || at.y > b.upper.y ||
        at.z > b.upper.z)
      continue;
    const Turns t = turns_of(R * bend.R);
    const int ix = b.cell(0, at.x), iy = b.cell(1, at.y), iz = b.cell(2, at.z);
    for (int i = std::max(0, ix - around_); i <= std::min(b.nx - 1, ix + around_); ++i)
      for (int j = std::max(0, iy - around_); j <= std::min(b.ny - 1, iy + around_); ++j)
        for (int k = std::max(0, iz - around_); k <= std::min(b.nz - 1, iz + around_); ++k)
          look(b.index(i, j, k), t, found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace legwork::reaching
