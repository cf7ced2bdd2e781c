#include "creature/mesh.h"

#include "math/vec.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace legwork {

namespace {

bool finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

// Number of edges that are not run through equally often in both directions.
size_t open_edges(const Mesh& mesh) {
  std::unordered_map<long long, int> balance;  // for each edge, seen from its smaller to its larger vertex
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const int a = t[i], b = t[(i + 1) % 3];
      balance[(long long)std::min(a, b) << 32 | std::max(a, b)] += a < b ? 1 : -1;
    }
  return std::count_if(balance.begin(), balance.end(), [](const auto& e) { return e.second != 0; });
}

}  // namespace

MassProperties mass_properties(const Mesh& mesh, double density) {
  if (mesh.vertices.empty()) return {};
  // tetrahedra from a point amid the mesh: from afar, large terms of both signs would cancel
  Vec3d middle;
  for (const Vec3d& v : mesh.vertices) middle += v;
  middle = middle * (1.0 / double(mesh.vertices.size()));

  double volume = 0;
  Vec3d first;   // integral of x
  Sym3d second;  // integral of x x^T
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]] - middle, b = mesh.vertices[t[1]] - middle,
                c = mesh.vertices[t[2]] - middle;
    const double det = dot(a, cross(b, c));
    const Vec3d sum = a + b + c;
    volume += det / 6;
    first += sum * (det / 24);
    second += (outer(a) + outer(b) + outer(c) + outer(sum)) * (det / 120);
  }
  if (volume == 0) return {};
  const Vec3d com = first * (1 / volume);
  second += outer(com) * -volume;
  const double trace = second.xx + second.yy + second.zz;
  const Sym3d inertia{trace - second.xx, trace - second.yy, trace - second.zz,
                      -second.xy,        -second.xz,        -second.yz};
  return {density * volume, middle + com, inertia * density};
}

Mesh weld(const Mesh& mesh) {
  const auto key = [&](int i) {
    const Vec3d& v = mesh.vertices[i];
    return std::tuple(v.x, v.y, v.z);
  };
  std::vector<int> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
  std::vector<int> first(order.size());  // the lowest index at the same place
  for (size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? first[order[i - 1]] : order[i];

  Mesh welded;
  welded.file = mesh.file;
  std::vector<int> index(order.size(), -1);  // in the result, of first ones that are used
  const auto use = [&](int i) {
    if (index[i] < 0) {
      index[i] = int(welded.vertices.size());
      welded.vertices.push_back(mesh.vertices[i]);
    }
    return index[i];
  };
  for (const auto& t : mesh.triangles) {
    const int a = first[t[0]], b = first[t[1]], c = first[t[2]];
    if (a != b && b != c && c != a) welded.triangles.push_back({use(a), use(b), use(c)});
  }
  return welded;
}

std::optional<Error> mesh_fault(const Mesh& mesh) {
  const std::string mesh_name = mesh.file.empty() ? "its mesh" : "its mesh '" + mesh.file + "'";
  if (mesh.vertices.empty() || mesh.triangles.empty())
    return Error(mesh_name + " is empty", "give it triangles");
  for (const Vec3d& v : mesh.vertices)
    if (!finite(v)) return Error(mesh_name + " has a vertex that is not a finite number", "export it again");
  for (const auto& t : mesh.triangles)
    for (const int i : t)
      if (i < 0 || i >= int(mesh.vertices.size()))
        return Error(mesh_name + " has a triangle with vertex " + std::to_string(i) + " of " +
                         std::to_string(mesh.vertices.size()),
                     "export it again");
  const Mesh welded = weld(mesh);
  if (const size_t open = open_edges(welded))
    return Error(mesh_name + " is open (" + std::to_string(open) +
                     " edges without a partner), so it encloses no volume",
                 "close it, or give the link's mass and inertia");
  if (welded.vertices.empty())
    return Error(mesh_name + " encloses no volume", "give it triangles that have area");
  Vec3d lower = welded.vertices[0], upper = lower;
  for (const Vec3d& v : welded.vertices)
    for (int i = 0; i < 3; ++i) lower[i] = std::min(lower[i], v[i]), upper[i] = std::max(upper[i], v[i]);
  const double size = norm(upper - lower);
  const double volume = mass_properties(welded, 1).mass;
  if (std::fabs(volume) <= 1e-12 * size * size * size)
    return Error(mesh_name + " encloses no volume", "give it thickness, or give the link's mass and inertia");
  if (volume < 0)
    return Error(mesh_name + " is inside-out (its volume is negative)",
                 "reverse the order of its triangles' vertices");
  return std::nullopt;
}

}  // namespace legwork
