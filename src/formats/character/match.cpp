#include "formats/character/match.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "creature/place.h"
#include "creature/shape.h"
#include "formats/gltf/axes.h"
#include "formats/mesh/surface.h"

namespace legwork {

namespace {

// Limbs of one kind and side, fore to hind.
std::vector<const FigureLimb*> limbs_of(const Figure& figure, Part part, Side side) {
  std::vector<const FigureLimb*> all;
  for (const FigureLimb& limb : figure.limbs)
    if (limb.part == part && limb.side == side) all.push_back(&limb);
  const auto x = [&](const FigureLimb* l) { return figure.links[std::size_t(l->links[0])].bind_head.x; };
  std::stable_sort(all.begin(), all.end(),
                   [&](const FigureLimb* a, const FigureLimb* b) { return x(a) > x(b); });
  return all;
}

// From the hips to the shoulders, whichever of them the file has as its root, and how far along each is, 0
// to 1.
std::vector<int> trunk_of(const Figure& figure, std::vector<double>& shares) {
  std::vector<int> trunk;
  Box box;
  for (int l = 0; l < int(figure.links.size()); ++l)
    if (figure.links[std::size_t(l)].part == Part::trunk)
      trunk.push_back(l), extend(box, figure.links[std::size_t(l)].bind_head);
  const Vec3d size = box.upper - box.lower;
  const int axis = size.x > size.z ? 0 : 2;  // level or upright
  const auto along = [&](int l) {
    return size[axis] > 0 ? (figure.links[std::size_t(l)].bind_head[axis] - box.lower[axis]) / size[axis] : 0;
  };
  std::stable_sort(trunk.begin(), trunk.end(), [&](int a, int b) { return along(a) < along(b); });
  for (const int l : trunk) shares.push_back(along(l));
  return trunk;
}

// How far each link's head is from the end of its row, in hip heights.
std::vector<double> places(const Figure& figure, const std::vector<int>& links, const Vec3d& end) {
  std::vector<double> at(links.size());
  double way = 0;
  Vec3d last = end;
  for (std::size_t k = links.size(); k-- > 0;) {
    const Vec3d& head = figure.links[std::size_t(links[k])].head;
    way += norm(head - last), last = head;
    at[k] = way / figure.height;
  }
  return at;
}

// Each of the shorter row gets one of the longer, in order, so that the sum of the distances between their
// places is least.
void match_rows(const std::vector<int>& ours, const std::vector<double>& from, const std::vector<int>& theirs,
                const std::vector<double>& to, std::vector<std::pair<int, int>>& pairs) {
  const bool swapped = ours.size() > theirs.size();
  const std::vector<double>&few = swapped ? to : from, &many = swapped ? from : to;
  const std::size_t n = few.size(), m = many.size();
  // least[i][j]: of the first i of the few among the first j of the many
  std::vector<std::vector<double>> least(n + 1, std::vector<double>(m + 1, 0));
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 0; j <= m; ++j)
      least[i][j] = j < i
                        ? unlimited
                        : std::min(least[i][j - 1], least[i - 1][j - 1] + std::abs(few[i - 1] - many[j - 1]));
  for (std::size_t i = n, j = m; i > 0; --j) {
    if (least[i][j] == least[i][j - 1]) continue;
    --i;
    const std::size_t a = swapped ? j - 1 : i, b = swapped ? i : j - 1;
    pairs.emplace_back(ours[a], theirs[b]);
  }
}

}  // namespace

CharacterFile character_from(const Creature& creature) {
  CharacterFile file;
  file.path = creature.name;
  const std::vector<LinkFrame> frames = place(creature, creature.pose(""));
  for (int i = 0; i < int(creature.links.size()); ++i) {
    const Link& link = creature.links[std::size_t(i)];
    CharacterNode node;
    node.name = link.name, node.parent = link.parent, node.bone = true;
    node.bind.p = gltf::y_up(frames[std::size_t(i)].p);
    file.order.push_back(i), file.bones.push_back(i);
    file.nodes.push_back(node);
    for (const Shape& shape : link.shapes)
      for (const auto& p : smooth_surface(shape).positions) {
        CharacterVertex v;
        v.pos =
            gltf::y_up(frames[std::size_t(i)] * (shape.pos + matrix(shape.rot) * Vec3d{p[0], p[1], p[2]}));
        v.bones[0] = i, v.weights[0] = 1;
        file.vertices.push_back(v);
      }
  }
  return file;
}

std::vector<std::pair<int, int>> match_by_shape(const Creature& creature, const CharacterFile& file) {
  std::optional<Figure> ours, theirs;
  const CharacterFile own = character_from(creature);
  try {
    if (own.vertices.empty()) return {};
    ours = find_figure(own), theirs = find_figure(file);
  } catch (const Error&) {
    return {};
  }
  std::vector<std::pair<int, int>> links;
  std::vector<double> from, to;
  const std::vector<int> trunk = trunk_of(*ours, from), spine = trunk_of(*theirs, to);
  match_rows(trunk, from, spine, to, links);
  for (const Part part : {Part::leg, Part::arm, Part::wing, Part::neck, Part::tail})
    for (const Side side : {Side::left, Side::right, Side::none}) {
      const auto a = limbs_of(*ours, part, side), b = limbs_of(*theirs, part, side);
      for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
        match_rows(a[k]->links, places(*ours, a[k]->links, a[k]->end), b[k]->links,
                   places(*theirs, b[k]->links, b[k]->end), links);
    }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [l, b] : links)
    pairs.emplace_back(ours->links[std::size_t(l)].node, theirs->links[std::size_t(b)].node);
  return pairs;
}

}  // namespace legwork
