// Quickhull (Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22(4), 1996)
// on integers: the points are snapped to a grid of 2^30 steps across the cloud, where the side of a plane on
// which a point lies is an exact 128-bit determinant. So faces seen from a point always form one disk, and
// no tolerance, merging of faces or repair is needed. Snapping moves a point by 1e-9 of the cloud's size.
#include "creature/hull.h"

#include "math/vec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace legwork {

namespace {

__extension__ typedef __int128 Wide;

struct Grid {
  std::int64_t x, y, z;
};

struct Face {
  int v[3];
  int neighbour[3];  // across the edge v[i], v[i + 1]
  std::vector<int> outside;
  bool alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Grid>& points) : points_(points), next_(points.size(), -1) {}

  // Needs four points that span a solid.
  std::vector<std::array<int, 3>> run(std::array<int, 4> start) {
    if (side(start[0], start[1], start[2], start[3]) > 0) std::swap(start[1], start[2]);
    const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const int neighbour[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f) {
      Face face;
      for (int i = 0; i < 3; ++i) face.v[i] = start[corner[f][i]], face.neighbour[i] = neighbour[f][i];
      faces_.push_back(std::move(face));
    }
    std::vector<int> all(points_.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = int(i);
    hand_out(all, 0);
    for (size_t f = 0; f < faces_.size(); ++f)
      while (faces_[f].alive && !faces_[f].outside.empty()) add_farthest(int(f));

    std::vector<std::array<int, 3>> triangles;
    for (const Face& f : faces_)
      if (f.alive) triangles.push_back({f.v[0], f.v[1], f.v[2]});
    return triangles;
  }

 private:
  // Six times the volume of the tetrahedron: positive when d is on the outer side of a, b, c.
  Wide side(int a, int b, int c, int d) const {
    const Grid &o = points_[a], &p = points_[b], &q = points_[c], &r = points_[d];
    const std::int64_t px = p.x - o.x, py = p.y - o.y, pz = p.z - o.z;
    const std::int64_t qx = q.x - o.x, qy = q.y - o.y, qz = q.z - o.z;
    const std::int64_t rx = r.x - o.x, ry = r.y - o.y, rz = r.z - o.z;
    return (Wide(py) * qz - Wide(pz) * qy) * rx + (Wide(pz) * qx - Wide(px) * qz) * ry +
           (Wide(px) * qy - Wide(py) * qx) * rz;
  }
  Wide side(int face, int point) const {
    return side(faces_[face].v[0], faces_[face].v[1], faces_[face].v[2], point);
  }

  // Each point goes to the first face from `first` on that it lies outside of; inner points go nowhere.
  void hand_out(const std::vector<int>& points, int first) {
    for (const int p : points)
      for (int f = first; f < int(faces_.size()); ++f)
        if (side(f, p) > 0) {
          faces_[f].outside.push_back(p);
          break;
        }
  }

  void add_farthest(int from) {
    const std::vector<int>& outside = faces_[from].outside;
    int apex = outside[0];
    for (const int p : outside)
      if (side(from, p) > side(from, apex)) apex = p;

    // all faces that see the apex: connected, so a flood from one finds them
    std::vector<int> seen{from}, homeless;
    faces_[from].alive = false;
    struct Edge {
      int a, b, beyond;
    };
    std::vector<Edge> horizon;
    for (size_t s = 0; s < seen.size(); ++s) {
      const Face face = faces_[seen[s]];
      homeless.insert(homeless.end(), face.outside.begin(), face.outside.end());
      faces_[seen[s]].outside.clear();
      for (int i = 0; i < 3; ++i) {
        const int n = face.neighbour[i];
        if (!faces_[n].alive) continue;
        if (side(n, apex) > 0) {
          faces_[n].alive = false;
          seen.push_back(n);
        }
      }
    }
    for (const int s : seen)
      for (int i = 0; i < 3; ++i)
        if (const int n = faces_[s].neighbour[i]; faces_[n].alive)
          horizon.push_back({faces_[s].v[i], faces_[s].v[(i + 1) % 3], n});

    // a fan from the horizon to the apex
    const int first = int(faces_.size());
    for (size_t e = 0; e < horizon.size(); ++e) next_[horizon[e].a] = first + int(e);
    for (size_t e = 0; e < horizon.size(); ++e) {
      const auto [a, b, beyond] = horizon[e];
      Face face{{a, b, apex}, {beyond, next_[b], -1}, {}, true};
      for (int i = 0; i < 3; ++i)
        if (faces_[beyond].v[i] == b && faces_[beyond].v[(i + 1) % 3] == a)
          faces_[beyond].neighbour[i] = first + int(e);
      faces_.push_back(std::move(face));
    }
    for (size_t e = 0; e < horizon.size(); ++e) faces_[next_[horizon[e].b]].neighbour[2] = first + int(e);
    hand_out(homeless, first);
  }

  const std::vector<Grid>& points_;
  std::vector<Face> faces_;
  std::vector<int> next_;  // on the newest horizon: the face whose base starts at a point
};

// Index of the point for which `measure` is largest.
template <class Measure>
int farthest(const std::vector<Vec3d>& points, Measure measure) {
  int best = 0;
  double most = measure(points[0]);
  for (size_t i = 1; i < points.size(); ++i)
    if (const double m = measure(points[i]); m > most) best = int(i), most = m;
  return best;
}

// The least box around the points.
struct Bounds {
  Vec3d lower, upper;

  explicit Bounds(const std::vector<Vec3d>& points) : lower(points[0]), upper(points[0]) {
    for (const Vec3d& p : points)
      for (int i = 0; i < 3; ++i) lower[i] = std::min(lower[i], p[i]), upper[i] = std::max(upper[i], p[i]);
  }
};

// Four points that span as much as points can, or the dimension in which they fail to and what spans that.
std::array<int, 4> find_start(const std::vector<Vec3d>& points, const Bounds& box, Hull& hull) {
  const Vec3d middle = (box.lower + box.upper) * 0.5;
  const double flat = 1e-8 * norm(box.upper - box.lower);
  std::array<int, 4> start{};
  start[0] = farthest(points, [&](const Vec3d& p) { return norm(p - middle); });
  hull.vertices = {start[0]};
  const Vec3d a = points[start[0]];
  start[1] = farthest(points, [&](const Vec3d& p) { return norm(p - a); });
  if (!(norm(points[start[1]] - a) > 0)) return start;
  hull.dimension = 1;
  hull.vertices.push_back(start[1]);
  const Vec3d along = normalized(points[start[1]] - a);
  start[2] = farthest(points, [&](const Vec3d& p) { return norm(cross(along, p - a)); });
  if (!(norm(cross(along, points[start[2]] - a)) > flat)) return start;
  hull.dimension = 2;
  hull.vertices.push_back(start[2]);
  const Vec3d across = normalized(cross(along, points[start[2]] - a));
  start[3] = farthest(points, [&](const Vec3d& p) { return std::fabs(dot(across, p - a)); });
  if (std::fabs(dot(across, points[start[3]] - a)) > flat) hull.dimension = 3;
  return start;
}

// Points as whole numbers, for tests that are exact.
std::vector<Grid> on_grid(const std::vector<Vec3d>& points, const Bounds& box) {
  const Vec3d span = box.upper - box.lower;
  const double step = std::max({span.x, span.y, span.z}) / double(1 << 30);
  std::vector<Grid> grid;
  for (const Vec3d& p : points)
    grid.push_back({std::llround((p.x - box.lower.x) / step), std::llround((p.y - box.lower.y) / step),
                    std::llround((p.z - box.lower.z) / step)});
  return grid;
}

// One for all triangles of a side. Normals from the grid, where every face supports the hull, however thin it
// is.
void find_planes(const std::vector<Vec3d>& points, const std::vector<Grid>& grid, Hull& hull) {
  std::unordered_map<std::string, size_t> known;  // coarse normal to plane
  const auto at = [&](int i) { return Vec3d(double(grid[i].x), double(grid[i].y), double(grid[i].z)); };
  for (const auto& t : hull.triangles) {
    const Vec3d normal = normalized(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])));
    double offset = -unlimited;
    for (const int i : t) offset = std::max(offset, dot(normal, points[i]));
    std::string key;
    for (int i = 0; i < 3; ++i) key += std::to_string(std::llround(normal[i] * 1e6)) + ' ';
    const auto [found, is_new] = known.try_emplace(key, hull.planes.size());
    if (is_new)
      hull.planes.push_back({normal, offset});
    else
      hull.planes[found->second].offset = std::max(hull.planes[found->second].offset, offset);
  }
}

}  // namespace

Hull convex_hull(const std::vector<Vec3d>& points) {
  Hull hull;
  if (points.empty()) return hull;
  for (const Vec3d& p : points)
    if (!std::isfinite(p.x + p.y + p.z)) return hull;
  const Bounds box(points);
  const std::array<int, 4> start = find_start(points, box, hull);
  if (hull.dimension < 3) return hull;
  const std::vector<Grid> grid = on_grid(points, box);
  hull.triangles = Quickhull(grid).run(start);
  std::vector<bool> used(points.size());
  for (const auto& t : hull.triangles)
    for (const int i : t) used[i] = true;
  hull.vertices.clear();
  for (size_t i = 0; i < points.size(); ++i)
    if (used[i]) hull.vertices.push_back(int(i));
  find_planes(points, grid, hull);
  return hull;
}

}  // namespace legwork
