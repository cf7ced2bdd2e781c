#include "formats/character/anatomy.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "creature/shape.h"
#include "math/scalar.h"

namespace legwork {

namespace {

// Shares of the figure's height or size.
constexpr double level = 0.08;      // limbs that end this far above the ground stand on it
constexpr double alike = 0.15;      // ends of a pair are mirror images to this
constexpr double ankle = 0.2;       // a foot turns at most this share of the hip's height above the ground
constexpr double small_part = 0.1;  // what is smaller is no limb
constexpr double on_line = 0.1;     // a twist lies this near to the bone that it twists

bool says(const std::string& name, std::initializer_list<const char*> words) {
  std::string text;
  for (const char c : name) text += char(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return text.find(w) != text.npos; });
}

bool says_face(const std::string& name) {
  return says(name, {"eye", "jaw", "brow", "lip", "tongue", "teeth", "cheek", "nose", "hair", "beard",
                     "breast", "ear_", "ear.", "leftear", "rightear", "lid", "muzzle"});
}

struct BoneTree {
  const CharacterFile& file;
  CharacterFrame frame;
  std::vector<int> up;                     // by node: the bone above, or -1
  std::vector<std::vector<int>> children;  // by node: bones with vertices below or on them
  std::vector<std::vector<int>> vertices;  // by node: those that follow it most
  std::vector<char> full;                  // by node: it or a bone below has vertices
  Box box;
  double size, height;

  explicit BoneTree(const CharacterFile& f)
      : file(f),
        frame(find_frame(f)),
        up(f.nodes.size(), -1),
        children(f.nodes.size()),
        vertices(f.nodes.size()),
        full(f.nodes.size()) {
    for (std::size_t k = 0; k < f.vertices.size(); ++k) {
      const CharacterVertex& v = f.vertices[k];
      const auto most = std::max_element(v.weights.begin(), v.weights.end()) - v.weights.begin();
      vertices[std::size_t(v.bones[std::size_t(most)])].push_back(int(k));
      extend(box, frame.place(v.pos));
    }
    height = box.upper.z - box.lower.z, size = norm(box.upper - box.lower);
    for (const int b : f.bones) {
      int above = f.nodes[std::size_t(b)].parent;
      while (above >= 0 && !f.nodes[std::size_t(above)].bone) above = f.nodes[std::size_t(above)].parent;
      up[std::size_t(b)] = above;
    }
    for (auto b = f.bones.rbegin(); b != f.bones.rend(); ++b) {
      full[std::size_t(*b)] = full[std::size_t(*b)] || !vertices[std::size_t(*b)].empty();
      if (full[std::size_t(*b)] && up[std::size_t(*b)] >= 0) full[std::size_t(up[std::size_t(*b)])] = 1;
    }
    for (const int b : f.bones)
      if (full[std::size_t(b)] && up[std::size_t(b)] >= 0)
        children[std::size_t(up[std::size_t(b)])].push_back(b);
  }

  const std::string& name(int b) const { return file.nodes[std::size_t(b)].name; }
  Vec3d head(int b) const { return frame.place(file.nodes[std::size_t(b)].bind.p); }
  Vec3d vertex(int k) const { return frame.place(file.vertices[std::size_t(k)].pos); }
  // The point of a bone's vertices that goes farthest in a direction; its head where it has none.
  Vec3d farthest(int b, const Vec3d& direction) const {
    Vec3d best = head(b);
    bool any = false;
    for (const int k : vertices[std::size_t(b)])
      if (const Vec3d v = vertex(k); !any || dot(v - best, direction) > 0) best = v, any = true;
    return best;
  }
  bool below(int b, int ancestor) const {
    while (b >= 0 && b != ancestor) b = up[std::size_t(b)];
    return b == ancestor;
  }
};

class Anatomist {
 public:
  explicit Anatomist(const CharacterFile& file)
      : t_(file), is_link_(file.nodes.size()), trunk_(file.nodes.size()), limb_of_(file.nodes.size(), -1) {
    figure_.frame = t_.frame;
  }

  Figure find() {
    find_root();
    find_legs();
    find_arms();
    find_chains();
    drop_twists();
    make_links();
    let_arms_down();
    return std::move(figure_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    throw Error({t_.file.path, 0}, "", problem, advice);
  }

  // The root is the first bone that carries a part of the body or branches; bones above it only move it
  // about.
  void find_root() {
    const std::size_t all = t_.file.vertices.size();
    int top = -1;
    std::size_t most = 0;
    for (const int b : t_.file.bones) {
      if (t_.up[std::size_t(b)] >= 0) continue;
      std::size_t count = 0;
      for (const int other : t_.file.bones)
        if (t_.below(other, b)) count += t_.vertices[std::size_t(other)].size();
      if (top < 0 || count > most) top = b, most = count;
    }
    while (t_.children[std::size_t(top)].size() == 1 && t_.vertices[std::size_t(top)].size() < all / 100) {
      figure_.root.push_back(top);
      top = t_.children[std::size_t(top)][0];
    }
    root_ = top;
    is_link_[std::size_t(root_)] = 1;
  }

  std::vector<int> tips() const {
    std::vector<int> all;
    for (const int b : t_.file.bones)
      if (t_.full[std::size_t(b)] && t_.children[std::size_t(b)].empty() && t_.below(b, root_) && b != root_)
        all.push_back(b);
    return all;
  }

  struct Tip {
    int bone;
    Vec3d end;
  };
  bool twins(const Tip& a, const Tip& b) const {
    return a.end.y * b.end.y < 0 && norm(Vec3d{a.end.x, -a.end.y, a.end.z} - b.end) < alike * t_.size;
  }

  // Marks bones with twins among the tips on both sides as trunk; returns each tip's first bone outside it.
  std::vector<int> grow_trunk(const std::vector<Tip>& tips) {
    for (const Tip& a : tips)
      for (const Tip& b : tips) {
        if (!twins(a, b)) continue;
        for (int up = a.bone; up >= 0 && up != t_.up[std::size_t(root_)]; up = t_.up[std::size_t(up)])
          if (t_.below(b.bone, up)) trunk_[std::size_t(up)] = 1;
      }
    std::vector<int> firsts;
    for (const Tip& tip : tips) {
      int first = tip.bone;
      while (t_.up[std::size_t(first)] >= 0 && !trunk_[std::size_t(t_.up[std::size_t(first)])] &&
             first != root_)
        first = t_.up[std::size_t(first)];
      firsts.push_back(first);
    }
    return firsts;
  }

  void find_legs() {
    std::vector<Tip> low;
    for (const int b : tips()) {
      const Vec3d end = t_.farthest(b, {0, 0, -1});
      if (end.z <= level * t_.height && std::abs(end.y) > 0.005 * t_.size) low.push_back({b, end});
    }
    std::vector<Tip> paired;
    for (const Tip& a : low)
      if (std::any_of(low.begin(), low.end(), [&](const Tip& b) { return twins(a, b); })) paired.push_back(a);
    if (paired.size() < 2)
      fail(
          "no legs are seen: no pair of limbs reaches the ground in the bind pose" +
              std::string(low.empty() ? "" : ", only '" + t_.name(low[0].bone) + "'"),
          "legwork rig draws what is seen; a character should stand in the pose to which its skin was bound");
    const std::vector<int> hips = grow_trunk(paired);
    for (std::size_t i = 0; i < paired.size(); ++i) {
      const int known = limb_of_[std::size_t(hips[i])];
      if (known >= 0) continue;  // another toe of the same leg
      std::vector<int> ends;
      for (std::size_t k = 0; k < paired.size(); ++k)
        if (hips[k] == hips[i]) ends.push_back(paired[k].bone);
      add_leg(hips[i], ends, paired[i].end);
    }
  }

  // The chain from the hip to where its toes part, ended at the foot.
  void add_leg(int hip, const std::vector<int>& ends, const Vec3d& end) {
    std::vector<int> chain;
    for (int b = ends[0]; b != t_.up[std::size_t(hip)]; b = t_.up[std::size_t(b)])
      if (std::all_of(ends.begin(), ends.end(), [&](int e) { return t_.below(e, b); }))
        chain.insert(chain.begin(), b);
    std::erase_if(chain, [&](int b) { return b != hip && is_twist(b); });
    const double hip_height = t_.head(hip).z;
    std::size_t foot = chain.size() - 1;
    for (std::size_t i = 1; i < chain.size(); ++i)
      if (t_.head(chain[i]).z < ankle * hip_height && t_.head(chain[i]).z - end.z < ankle * hip_height) {
        foot = i;
        break;
      }
    chain.resize(foot + 1);
    if (chain.size() < 2)
      fail("the leg that ends in '" + t_.name(ends[0]) + "' has one bone, '" + t_.name(hip) + "'",
           "give it a knee");
    FigureLimb limb;
    limb.part = Part::leg;
    limb.side = end.y > 0 ? Side::left : Side::right;
    limb.links = chain;
    limb.end = end;
    for (const int b : chain) is_link_[std::size_t(b)] = 1;
    limb_of_[std::size_t(hip)] = int(figure_.limbs.size());
    figure_.limbs.push_back(limb);
    figure_.height += (hip_height - figure_.height) / double(figure_.limbs.size());
  }

  bool on_leg(int b) const {
    return std::any_of(figure_.limbs.begin(), figure_.limbs.end(),
                       [&](const FigureLimb& l) { return l.part == Part::leg && t_.below(b, l.links[0]); });
  }

  // Extent of a bone with all that hangs on it, from its head.
  double reach(int b) const {
    double far = 0;
    for (const int other : t_.file.bones)
      if (t_.below(other, b))
        for (const int k : t_.vertices[std::size_t(other)])
          far = std::max(far, norm(t_.vertex(k) - t_.head(b)));
    return far;
  }

  // A bone in line with the one above, which it only twists.
  bool is_twist(int b) const {
    const int above = t_.up[std::size_t(b)];
    if (above < 0) return false;
    if (says(t_.name(b), {"twist", "roll"}) && !says(t_.name(b), {"control"})) return true;
    if (!t_.children[std::size_t(b)].empty()) return false;
    for (const int sibling : t_.children[std::size_t(above)]) {
      if (sibling == b) continue;
      const Vec3d along = t_.head(sibling) - t_.head(above), here = t_.head(b) - t_.head(above);
      const double length = norm(along);
      if (!(length > 0)) continue;
      const double share = dot(here, along) / (length * length);
      if (share > -0.02 && share < 0.95 && norm(here - along * share) < on_line * length &&
          !t_.children[std::size_t(sibling)].empty())
        return true;
    }
    return false;
  }

  // Pairs of limbs that do not stand.
  void find_arms() {
    std::vector<Tip> free;
    for (const int b : tips()) {
      if (on_leg(b) || says_face(t_.name(b))) continue;
      const Vec3d from = t_.head(root_);
      const Vec3d end = t_.farthest(b, t_.head(b) - Vec3d{from.x, 0, from.z});
      if (std::abs(end.y) > 0.02 * t_.size) free.push_back({b, end});
    }
    std::vector<Tip> paired;
    for (const Tip& a : free)
      if (std::any_of(free.begin(), free.end(), [&](const Tip& b) { return twins(a, b); }) &&
          limb_reach(a, free) > small_part * t_.size)
        paired.push_back(a);
    const std::vector<int> firsts = grow_trunk(paired);
    for (std::size_t i = 0; i < paired.size(); ++i)
      if (limb_of_[std::size_t(firsts[i])] < 0 && firsts[i] != root_) add_arm(firsts[i], paired[i]);
  }

  // From where the limb leaves what it shares with its twin to its end.
  double limb_reach(const Tip& tip, const std::vector<Tip>& all) const {
    for (int b = tip.bone; b >= 0; b = t_.up[std::size_t(b)])
      if (std::any_of(all.begin(), all.end(),
                      [&](const Tip& other) { return twins(tip, other) && t_.below(other.bone, b); }))
        return norm(tip.end - t_.head(b));
    return 0;
  }

  void add_arm(int first, const Tip& tip) {
    FigureLimb limb;
    bool wing = false;
    for (int b = tip.bone; b != t_.up[std::size_t(first)]; b = t_.up[std::size_t(b)]) {
      wing = wing || says(t_.name(b), {"wing", "feather"});
      limb.links.insert(limb.links.begin(), b);
    }
    limb.part = wing ? Part::wing : Part::arm;
    limb.side = tip.end.y > 0 ? Side::left : Side::right;
    limb.end = tip.end;
    std::erase_if(limb.links, [&](int b) { return b != first && is_twist(b); });
    // a hand with its fingers is one: links end where the limb parts or what is left is small
    const double whole = reach(first);
    for (std::size_t i = 1; i < limb.links.size(); ++i) {
      const int b = limb.links[i];
      const bool hand = says(t_.name(b), {"hand", "wrist", "palm"}) || count_limbs(b) > 2;
      if (hand || reach(b) < 0.2 * whole) {
        limb.links.resize(i + (reach(b) > 0.08 * whole ? 1 : 0));
        break;
      }
    }
    limb_of_[std::size_t(first)] = int(figure_.limbs.size());
    for (const int b : limb.links) is_link_[std::size_t(b)] = 1;
    figure_.limbs.push_back(limb);
  }

  int count_limbs(int b) const {
    return int(std::count_if(t_.children[std::size_t(b)].begin(), t_.children[std::size_t(b)].end(),
                             [&](int c) { return !is_twist(c); }));
  }

  // What else hangs on the trunk: necks and tails, the longest chain of each branch in the middle of the
  // body.
  void find_chains() {
    for (const int b : t_.file.bones)
      if (trunk_[std::size_t(b)]) is_link_[std::size_t(b)] = 1;
    for (const int b : t_.file.bones) {
      const int above = t_.up[std::size_t(b)];
      if (above < 0 || !t_.full[std::size_t(b)] || !t_.below(b, root_) || b == root_) continue;
      if (trunk_[std::size_t(b)] || !(trunk_[std::size_t(above)] || above == root_) ||
          limb_of_[std::size_t(b)] >= 0)
        continue;
      if (is_twist(b) || says_face(t_.name(b)) || reach(b) < small_part * t_.size) continue;
      add_chain(b);
    }
  }

  void add_chain(int first) {
    FigureLimb limb;
    int last = first;
    for (int b = first; b >= 0;) {
      limb.links.push_back(b), last = b;
      int next = -1;
      for (const int c : t_.children[std::size_t(b)])
        if (!is_twist(c) && !says_face(t_.name(c)) && std::abs(t_.head(c).y) < 0.02 * t_.size &&
            (next < 0 || reach(c) > reach(next)))
          next = c;
      if (next >= 0 && reach(next) < 0.15 * reach(first)) next = -1;
      b = next;
    }
    const Vec3d end = t_.farthest(last, t_.head(last) - t_.head(first));
    const Vec3d way = end - t_.head(first);
    const bool back = way.x < 0 && -way.x > std::abs(way.z) * 0.5;
    bool named_head = false, named_tail = false;
    for (const int b : limb.links)
      named_head = named_head || says(t_.name(b), {"head", "neck", "skull"}),
      named_tail = named_tail || says(t_.name(b), {"tail"});
    limb.part = named_tail || (back && !named_head) ? Part::tail : Part::neck;
    limb.end = end;
    limb_of_[std::size_t(first)] = int(figure_.limbs.size());
    for (const int b : limb.links) is_link_[std::size_t(b)] = 1;
    figure_.limbs.push_back(limb);
  }

  void drop_twists() {
    for (const int b : t_.file.bones)
      if (is_link_[std::size_t(b)] && b != root_ && trunk_[std::size_t(b)] && says(t_.name(b), {"twist"}))
        is_link_[std::size_t(b)] = 0;
  }

  void make_links() {
    std::vector<int> link_of(t_.file.nodes.size(), -1);
    for (const int b : t_.file.bones) {
      int above = t_.up[std::size_t(b)];
      while (above >= 0 && link_of[std::size_t(above)] < 0) above = t_.up[std::size_t(above)];
      const int parent = above < 0 || b == root_ ? -1 : link_of[std::size_t(above)];
      if (!is_link_[std::size_t(b)]) {
        link_of[std::size_t(b)] = t_.below(b, root_) ? parent : 0;
        continue;
      }
      FigureLink link;
      link.node = b, link.parent = parent;
      link.head = link.bind_head = t_.head(b);
      link_of[std::size_t(b)] = int(figure_.links.size());
      figure_.links.push_back(link);
    }
    std::vector<int> link_of_vertex(t_.file.vertices.size(), 0);
    for (const int b : t_.file.bones) {
      const bool above_root = std::find(figure_.root.begin(), figure_.root.end(), b) != figure_.root.end();
      const int l = std::max(link_of[std::size_t(b)], 0);
      FigureLink& link = figure_.links[std::size_t(l)];
      if (!above_root) link.bones.push_back(b);
      for (const int k : t_.vertices[std::size_t(b)]) {
        link_of_vertex[std::size_t(k)] = l;
        link.vertices.push_back(t_.vertex(k));
      }
    }
    for (const auto& triangle : t_.file.triangles) {
      // the link of two of its corners, else of the first
      const auto link = [&](int k) { return link_of_vertex[std::size_t(triangle[std::size_t(k)])]; };
      FigureLink& l = figure_.links[std::size_t(link(1) == link(2) ? link(1) : link(0))];
      std::array<Vec3d, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) corners[k] = t_.vertex(triangle[k]);
      l.skin.push_back(corners);
    }
    for (int i = 0; i < int(figure_.limbs.size()); ++i) {
      FigureLimb& limb = figure_.limbs[std::size_t(i)];
      for (std::size_t k = 0; k < limb.links.size(); ++k) {
        limb.links[k] = link_of[std::size_t(limb.links[k])];
        FigureLink& link = figure_.links[std::size_t(limb.links[k])];
        link.part = limb.part, link.limb = i, link.place = int(k);
      }
      figure_.links[std::size_t(limb.links.back())].foot = limb.part == Part::leg;
    }
  }

  // Arms that stand off in the bind pose hang beside the body, a little away from it.
  void let_arms_down() {
    for (FigureLimb& limb : figure_.limbs) {
      if (limb.part != Part::arm || limb.links.size() < 2) continue;
      // a shoulder blade stays; the upper arm is the first long bone
      std::size_t from = 0;
      const auto length = [&](std::size_t i) {
        const Vec3d next =
            i + 1 < limb.links.size() ? figure_.links[std::size_t(limb.links[i + 1])].head : limb.end;
        return norm(next - figure_.links[std::size_t(limb.links[i])].head);
      };
      if (limb.links.size() > 2 && length(0) < 0.75 * length(1)) from = 1;
      const FigureLink shoulder = figure_.links[std::size_t(limb.links[from])];
      const Vec3d elbow =
          from + 1 < limb.links.size() ? figure_.links[std::size_t(limb.links[from + 1])].head : limb.end;
      const Vec3d now = normalized(elbow - shoulder.head),
                  down = normalized(Vec3d{0, limb.side == Side::left ? 0.2 : -0.2, -1});
      if (dot(now, down) > 0.85 || now.z > 0.9) continue;
      const Vec3d axis = cross(now, down);
      const double c = dot(now, down);
      const Quatd turn = normalized(Quatd{1 + c, axis.x, axis.y, axis.z});
      const Mat3d R = matrix(turn);
      const auto moved = [&](const Vec3d& p) { return shoulder.head + R * (p - shoulder.head); };
      for (std::size_t l = 0; l < figure_.links.size(); ++l) {
        FigureLink& link = figure_.links[l];
        bool inside = false;
        for (int a = int(l); a >= 0; a = figure_.links[std::size_t(a)].parent)
          inside = inside || a == limb.links[from];
        if (!inside) continue;
        link.head = moved(link.head), link.set = turn;
        for (Vec3d& v : link.vertices) v = moved(v);
        for (std::array<Vec3d, 3>& corners : link.skin)
          for (Vec3d& v : corners) v = moved(v);
      }
      limb.end = moved(limb.end);
    }
  }

  BoneTree t_;
  Figure figure_;
  int root_ = -1;
  std::vector<char> is_link_, trunk_;
  std::vector<int> limb_of_;  // by node: limbs begin here
};

}  // namespace

Figure find_figure(const CharacterFile& file) { return Anatomist(file).find(); }

}  // namespace legwork
