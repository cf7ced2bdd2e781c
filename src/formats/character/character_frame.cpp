#include "formats/character/character_frame.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <legwork/creature.h>
#include "creature/shape.h"

namespace legwork {

namespace {

constexpr double level =
    0.08;  // tips this far above the lowest point, as a share of the height, touch the ground
constexpr double alike =
    0.03;  // bones this far from the middle have a side, and a twin this near to their image

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The skeleton as points: bones that carry vertices, and the lowest places of limbs.
struct Points {
  const CharacterFile& file;
  std::vector<int> carrier;               // by vertex: the bone that it follows most
  std::vector<std::vector<int>> of_bone;  // by node: its vertices
  std::vector<char> has_child;            // by node: a bone below carries vertices
  std::vector<int> up;                    // by node: the bone above, or -1
  std::vector<int> carrying;              // bones with vertices
  Box box;
  double size = 0;
  Vec3d center;  // of all vertices

  explicit Points(const CharacterFile& f)
      : file(f), of_bone(f.nodes.size()), has_child(f.nodes.size()), up(f.nodes.size(), -1) {
    for (std::size_t k = 0; k < f.vertices.size(); ++k) {
      const CharacterVertex& v = f.vertices[k];
      const std::size_t most =
          std::size_t(std::max_element(v.weights.begin(), v.weights.end()) - v.weights.begin());
      of_bone[std::size_t(v.bones[most])].push_back(int(k));
      extend(box, v.pos);
      center += v.pos * (1.0 / double(f.vertices.size()));
    }
    size = norm(box.upper - box.lower);
    for (const int b : f.bones) {
      int above = f.nodes[std::size_t(b)].parent;
      while (above >= 0 && !f.nodes[std::size_t(above)].bone) above = f.nodes[std::size_t(above)].parent;
      up[std::size_t(b)] = above;
    }
    for (const int b : f.bones)
      if (!of_bone[std::size_t(b)].empty()) {
        carrying.push_back(b);
        for (int a = up[std::size_t(b)]; a >= 0; a = up[std::size_t(a)]) has_child[std::size_t(a)] = 1;
      }
  }
  const Vec3d& head(int bone) const { return file.nodes[std::size_t(bone)].bind.p; }
  bool tip(int bone) const { return !of_bone[std::size_t(bone)].empty() && !has_child[std::size_t(bone)]; }
};

// Bones on one side of a plane with a twin on the other.
int pairs(const Points& p, int axis, double plane) {
  int count = 0;
  for (const int b : p.carrying) {
    Vec3d image = p.head(b);
    if (std::abs(image[axis] - plane) < alike * p.size) continue;
    image[axis] = 2 * plane - image[axis];
    count += std::any_of(p.carrying.begin(), p.carrying.end(),
                         [&](int other) { return norm(p.head(other) - image) < alike * p.size; });
  }
  return count;
}

// The plane of most pairs: through a bone that branches, or the median of all.
double middle(const Points& p, int axis) {
  std::vector<double> at;
  std::vector<int> branches(p.file.nodes.size());
  for (const int b : p.carrying) {
    at.push_back(p.head(b)[axis]);
    if (p.up[std::size_t(b)] >= 0) ++branches[std::size_t(p.up[std::size_t(b)])];
  }
  std::sort(at.begin(), at.end());
  double best = (at[(at.size() - 1) / 2] + at[at.size() / 2]) / 2;
  int most = pairs(p, axis, best), tried = 0;
  for (const int b : p.file.bones) {
    if (branches[std::size_t(b)] < 2 || tried++ > 20) continue;
    const double plane = p.head(b)[axis];
    if (const int n = pairs(p, axis, plane); n > most) best = plane, most = n;
  }
  return best;
}

// Where most bones have a twin; glTF's own, x, where that does as well as anything.
int sideways_axis(const Points& p) {
  int best = 0, most = pairs(p, 0, middle(p, 0)) * 5 / 4 + 1;
  for (const int axis : {1, 2})
    if (const int n = pairs(p, axis, middle(p, axis)); n > most) best = axis, most = n;
  return best;
}

// A limb that reaches the ground: from the trunk, which has such limbs on both sides, to its lowest point.
struct Stander {
  int tip = -1, hip = -1;
  Vec3d low;
  double way = 0;  // along the bones
};

std::vector<Stander> standers(const Points& p, const Vec3d& up, int side) {
  double ground = unlimited, top = -unlimited;
  for (const CharacterVertex& v : p.file.vertices)
    ground = std::min(ground, dot(v.pos, up)), top = std::max(top, dot(v.pos, up));
  const double plane = middle(p, side);
  std::vector<Stander> found;
  for (const int b : p.file.bones) {
    if (!p.tip(b)) continue;
    Stander one;
    one.tip = b;
    double low = unlimited;
    for (const int k : p.of_bone[std::size_t(b)])
      if (const Vec3d& v = p.file.vertices[std::size_t(k)].pos; dot(v, up) < low)
        low = dot(v, up), one.low = v;
    if (low <= ground + level * (top - ground) && std::abs(one.low[side] - plane) > 0.005 * p.size)
      found.push_back(one);
  }
  std::vector<std::array<char, 2>> below(p.file.nodes.size());
  for (const Stander& one : found)
    for (int a = one.tip; a >= 0; a = p.up[std::size_t(a)]) below[std::size_t(a)][one.low[side] > plane] = 1;
  std::vector<Stander> paired;
  for (Stander& one : found) {
    one.way = norm(one.low - p.head(one.tip));
    int a = one.tip;
    while (p.up[std::size_t(a)] >= 0 &&
           !(below[std::size_t(p.up[std::size_t(a)])][0] && below[std::size_t(p.up[std::size_t(a)])][1])) {
      one.way += norm(p.head(a) - p.head(p.up[std::size_t(a)]));
      a = p.up[std::size_t(a)];
    }
    one.hip = a;
    if (p.up[std::size_t(a)] >= 0 && one.way > 0.1 * p.size) paired.push_back(one);  // no eyes, no toes alone
  }
  return paired;
}

// How well the character stands with this direction up: how far its legs reach down, 0 where it cannot.
double standing(const Points& p, const Vec3d& up, int side) {
  const std::vector<Stander> legs = standers(p, up, side);
  if (legs.size() < 2) return 0;
  const int ahead = 3 - side - (std::abs(up.x) > 0.5 ? 0 : std::abs(up.y) > 0.5 ? 1 : 2);
  double drop = 0, low = unlimited, high = -unlimited;
  for (const Stander& leg : legs) {
    drop += dot(p.head(leg.hip) - leg.low, up) / std::max(leg.way, 1e-9) / double(legs.size());
    low = std::min(low, leg.low[ahead]), high = std::max(high, leg.low[ahead]);
  }
  const double margin = 0.15 * p.size;
  return p.center[ahead] < low - margin || p.center[ahead] > high + margin ? 0 : drop;
}

// Votes for the direction `ahead` being forward: feet point forward, heads are in front and tails behind.
double looks_ahead(const Points& p, const Vec3d& up, const Vec3d& ahead, int side) {
  double toes = 0, named = 0;
  const std::vector<Stander> legs = standers(p, up, side);
  double ground = unlimited, top = -unlimited;
  for (const CharacterVertex& v : p.file.vertices)
    ground = std::min(ground, dot(v.pos, up)), top = std::max(top, dot(v.pos, up));
  for (const Stander& leg : legs) {
    // the lowest joint that is clear of the ground, and the sole beneath it
    int ankle = leg.tip;
    while (ankle != leg.hip && dot(p.head(ankle), up) < ground + 0.04 * (top - ground))
      ankle = p.up[std::size_t(ankle)];
    Vec3d sole;
    int count = 0;
    for (int b = leg.tip; b >= 0; b = b == ankle ? -1 : p.up[std::size_t(b)])
      for (const int k : p.of_bone[std::size_t(b)])
        if (const Vec3d& v = p.file.vertices[std::size_t(k)].pos;
            dot(v, up) < ground + level * (top - ground))
          sole += v, ++count;
    if (count > 0)
      toes +=
          dot(sole * (1.0 / count) - p.head(ankle), ahead) / std::max(leg.way, 1e-9) / double(legs.size());
  }
  for (const int b : p.file.bones) {
    const std::string name = lower(p.file.nodes[std::size_t(b)].name);
    const double sign = name.find("head") != name.npos ? 1 : name.find("tail") != name.npos ? -1 : 0;
    named += sign * dot(p.head(b) - p.center, ahead) / p.size;
  }
  return 4 * toes + 3 * std::clamp(named, -1.0, 1.0);
}

// What brings an unlikely size nearest to a metre, of the units that programs use.
double metres(double size) {
  if (size >= 0.1 && size <= 20) return 1;
  double best = 1 / size, far = 4;  // times or parts of a metre; what no unit explains is made a metre long
  for (const double scale : {0.01, 0.001, 0.0254, 100.0, 1000.0})
    if (const double f = std::max(size * scale, 1 / (size * scale)); f < far) best = scale, far = f;
  return best;
}

Vec3d axis_vector(int axis, double sign) {
  Vec3d v;
  v[axis] = sign;
  return v;
}

}  // namespace

CharacterFrame find_frame(const CharacterFile& file) {
  const Points p(file);
  const int side = sideways_axis(p);
  Vec3d up = {0, 1, 0};
  double best = side == 1 ? 0 : standing(p, up, side);
  best += best > 0.15 ? 0.35 : 0;  // glTF's own is preferred
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0})
      if (const Vec3d one = axis_vector(axis, sign); axis != side && one.y <= 0.5)
        if (const double s = standing(p, one, side); s > best + 1e-9) up = one, best = s;
  const int vertical = std::abs(up.x) > 0.5 ? 0 : std::abs(up.y) > 0.5 ? 1 : 2;
  int across = side == vertical ? 0 : side;
  Vec3d ahead = axis_vector(3 - across - vertical, 1);
  if (looks_ahead(p, up, ahead, across) < -0.1) ahead = ahead * -1.0;

  CharacterFrame frame;
  const Vec3d left = cross(up, ahead);
  frame.turn = transpose(Mat3d::columns(ahead, left, up));
  frame.as_gltf_asks = up.y == 1 && ahead.z == 1;
  Box box;
  for (const CharacterVertex& v : file.vertices) extend(box, frame.turn * v.pos);
  frame.scale = metres(norm(box.upper - box.lower));
  frame.origin = {(box.lower.x + box.upper.x) / 2, dot(left, axis_vector(across, middle(p, across))),
                  box.lower.z};
  return frame;
}

}  // namespace legwork
