#include "creature/likely_legs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "creature/place.h"

namespace legwork {

namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

// What looks like a leg: a chain of two or more moving links from the trunk to an end near the ground.
struct Candidate {
  int hip, knee, foot;
  Vec3d at;  // where the hip is
  double side;
};
std::vector<Candidate> find_candidates(const Creature& c) {
  const std::vector<LinkFrame> frames = place(c, c.pose("stand"));
  std::vector<int> children(c.links.size(), 0);
  for (const Link& link : c.links)
    if (link.parent >= 0) ++children[size_t(link.parent)];
  const Box box = bounding_box(c, c.pose("stand"));
  const double low = box.lower.z + 0.65 * (box.upper.z - box.lower.z);
  std::vector<Candidate> found;
  for (size_t b = 0; b < c.links.size(); ++b) {
    const Vec3d end = frames[b] * c.links[b].com;
    if (children[b] > 0 || c.links[b].parent < 0 || end.z > low) continue;
    std::vector<int> chain;
    for (int link = int(b); c.links[size_t(link)].parent >= 0; link = c.links[size_t(link)].parent) {
      if (!chain.empty() && children[size_t(link)] > 2) break;
      if (!c.links[size_t(link)].joints.empty() || link == int(b)) chain.push_back(link);
    }
    if (chain.size() < 2) continue;
    // the knee is the joint nearest to half way along the leg, however it is bent
    const int hip = chain.back();
    std::vector<double> way = {norm(end - frames[b].p)};  // from the end up to each link's joint
    for (size_t i = 1; i < chain.size(); ++i)
      way.push_back(way.back() + norm(frames[size_t(chain[i])].p - frames[size_t(chain[i - 1])].p));
    size_t middle = 0;
    for (size_t i = 0; i + 1 < chain.size(); ++i)
      if (std::fabs(way[i] - way.back() / 2) < std::fabs(way[middle] - way.back() / 2)) middle = i;
    const int knee = chain[middle];
    found.push_back({hip, knee, int(b), frames[size_t(hip)].p, end.y});
  }
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return a.at.x != b.at.x ? a.at.x > b.at.x : a.side < b.side;
  });
  return found;
}

}  // namespace

std::string likely_legs(const Creature& c) {
  const std::vector<Candidate> found = find_candidates(c);
  if (found.size() < 2) return {};  // a tail, an arm, a chain
  std::vector<double> rows;
  for (const Candidate& leg : found)
    if (rows.empty() || rows.back() - leg.at.x > 0.02) rows.push_back(leg.at.x);
  std::string lines;
  for (const Candidate& leg : found) {
    size_t row = 0;
    while (row + 1 < rows.size() && rows[row] - leg.at.x > 0.02) ++row;
    std::string name = leg.side < 0 ? "r" : "l";
    if (rows.size() == 2 || rows.size() == 3)
      name += rows.size() == 3 && row == 1 ? "m" : row == 0 ? "f" : "h";
    if (rows.size() > 3) name += std::to_string(row + 1);
    lines += "\n  [[leg]]\n  name = " + quoted(name) + "\n  hip = " + quoted(c.links[size_t(leg.hip)].name) +
             "\n  knee = " + quoted(c.links[size_t(leg.knee)].name) +
             "\n  foot = " + quoted(c.links[size_t(leg.foot)].name);
  }
  return lines;
}

}  // namespace legwork
