#include "formats/mesh/holes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "creature/mesh.h"
#include "math/vec.h"

namespace legwork {

namespace {

// An edge from its smaller vertex to its larger one, and how often the surface lacks a triangle there.
struct RimEdge {
  int from, to, times;
};

// Runs to and fro along an edge cancel where triangles are oriented; else every two of them do.
std::vector<RimEdge> rim_edges(const Mesh& mesh, bool oriented) {
  std::vector<RimEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = t[i], b = t[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), !oriented || a < b ? 1 : -1});
    }
  const auto place = [](const RimEdge& e) { return std::pair(e.from, e.to); };
  std::sort(edges.begin(), edges.end(),
            [&](const RimEdge& a, const RimEdge& b) { return place(a) < place(b); });
  std::vector<RimEdge> rim;
  for (std::size_t i = 0; i < edges.size();) {
    RimEdge sum = edges[i];
    for (++i; i < edges.size() && place(edges[i]) == place(sum); ++i) sum.times += edges[i].times;
    sum.times = oriented ? std::abs(sum.times) : sum.times % 2;
    if (sum.times != 0) rim.push_back(sum);
  }
  return rim;
}

// For every vertex the lowest one that rim edges lead to from there.
std::vector<int> rims_of(const std::vector<RimEdge>& edges, std::size_t vertices) {
  std::vector<int> lead(vertices);
  std::iota(lead.begin(), lead.end(), 0);
  const auto find = [&](int v) {
    while (lead[std::size_t(v)] != v) v = lead[std::size_t(v)] = lead[std::size_t(lead[std::size_t(v)])];
    return v;
  };
  for (const RimEdge& e : edges) {
    const int a = find(e.from), b = find(e.to);
    lead[std::size_t(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t v = 0; v < vertices; ++v) lead[v] = find(int(v));
  return lead;
}

// A surface that is there twice, as of a mesh that is both drawn and touched or that has two sides, has the
// holes of one.
void keep_one_of_each(Mesh& mesh) {
  for (auto& t : mesh.triangles) std::sort(t.begin(), t.end());
  std::sort(mesh.triangles.begin(), mesh.triangles.end());
  mesh.triangles.erase(std::unique(mesh.triangles.begin(), mesh.triangles.end()), mesh.triangles.end());
}

}  // namespace

double open_share(const Mesh& given, bool oriented) {
  Mesh mesh = weld(given);
  if (!oriented) keep_one_of_each(mesh);
  const auto at = [&](int v) -> const Vec3d& { return mesh.vertices[std::size_t(v)]; };
  double area = 0;
  Vec3d middle;
  for (const auto& t : mesh.triangles) {
    const double twice = norm(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])));
    area += twice;
    middle += (at(t[0]) + at(t[1]) + at(t[2])) * (twice / 3);
  }
  if (!(area > 0)) return 1;
  middle = middle * (1 / area);
  const auto volume = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return std::fabs(dot(a - middle, cross(b - middle, c - middle))) / 6;
  };
  double bounded = 0, open = 0;
  for (const auto& t : mesh.triangles) bounded += volume(at(t[0]), at(t[1]), at(t[2]));

  const std::vector<RimEdge> edges = rim_edges(mesh, oriented);
  const std::vector<int> rim = rims_of(edges, mesh.vertices.size());
  struct Mean {
    Vec3d sum;
    double length = 0;
  };
  std::map<int, Mean> means;  // of each rim, by its lowest vertex
  for (const RimEdge& e : edges) {
    const double length = norm(at(e.to) - at(e.from));
    Mean& mean = means[rim[std::size_t(e.from)]];
    mean.sum += (at(e.from) + at(e.to)) * (length / 2);
    mean.length += length;
  }
  for (const RimEdge& e : edges) {
    const Mean& mean = means[rim[std::size_t(e.from)]];
    if (mean.length > 0) open += e.times * volume(at(e.from), at(e.to), mean.sum * (1 / mean.length));
  }
  return open > 0 ? open / (open + bounded) : 0;
}

}  // namespace legwork
