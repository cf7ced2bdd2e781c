// Separating axes (Gottschalk, Lin and Manocha 1996): two polyhedra are apart by at most what the best of
// their faces' normals and of the cross products of their edges parts them. Of the pairs of edges only those
// count whose arcs cross on the Gauss map (Gregorius, GDC 2013). Rounded solids that are apart meet where
// their polyhedra are nearest.

#include "creature/solid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "creature/hull.h"
#include "creature/mesh.h"
#include "creature/shape.h"

namespace legwork {

namespace {

using Feature = SolidMeeting::Feature;

constexpr double parallel = 1e-6;    // sine^2 below which two directions count as one
constexpr double along_face = 1e-5;  // 1 - cosine below which a line lies along a face
constexpr double flat = 1e-3;        // of a triangle's size: by less a surface does not fall
constexpr double same_plane = 1e-7;  // of a solid's size
constexpr double clearly = 1e-5;   // of the smaller solid's size: edges must part this much better than faces
constexpr int most_corners = 128;  // of a mesh's hull

void close(Solid& s) {
  Box box;
  for (const Vec3d& c : s.corners) extend(box, c);
  s.center = (box.lower + box.upper) * 0.5;
  s.bound = 0;
  for (const Vec3d& c : s.corners) s.bound = std::max(s.bound, norm(c - s.center));
  s.bound += s.radius;
  s.middle = {};
  for (const Vec3d& c : s.corners) s.middle += c * (1.0 / double(s.corners.size()));
}

// Edges from the loops of the faces.
void find_edges(Solid& s) {
  std::map<std::pair<int, int>, std::size_t> known;
  for (const Solid::Face& face : s.faces)
    for (int i = 0; i < face.count; ++i) {
      const int a = s.loop[std::size_t(face.first + i)],
                b = s.loop[std::size_t(face.first + (i + 1) % face.count)];
      const auto [found, is_new] = known.try_emplace(std::minmax(a, b), s.edges.size());
      if (is_new)
        s.edges.push_back({a, b, face.plane.normal, {}, true});
      else
        s.edges[found->second].normal_b = face.plane.normal;
    }
}

// Adds a face of the corners that lie on a plane.
void add_face(Solid& s, const Plane& plane, double thickness) {
  std::vector<std::pair<double, int>> around;
  Vec3d middle;
  std::vector<int> on;
  for (std::size_t i = 0; i < s.corners.size(); ++i)
    if (dot(plane.normal, s.corners[i]) > plane.offset - thickness) on.push_back(int(i));
  if (on.size() < 3) return;
  for (const int i : on) middle += s.corners[std::size_t(i)] * (1.0 / double(on.size()));
  const Vec3d u = s.corners[std::size_t(on[0])] - middle, v = cross(plane.normal, u);
  for (const int i : on) {
    const Vec3d r = s.corners[std::size_t(i)] - middle;
    const double x = dot(r, u), y = dot(r, v);
    // grows with the angle from u
    const double turn = x / std::max(std::abs(x) + std::abs(y), 1e-300);
    around.push_back({y >= 0 ? 1 - turn : 3 + turn, i});
  }
  std::sort(around.begin(), around.end());
  s.faces.push_back({plane, int(s.loop.size()), int(around.size())});
  for (const auto& [angle, i] : around) s.loop.push_back(i);
}

Solid make_polyhedron(const std::vector<Vec3d>& points) {
  Solid s;
  const Hull hull = convex_hull(points);
  for (const int i : hull.vertices) s.corners.push_back(points[std::size_t(i)]);
  close(s);
  for (const Plane& plane : hull.planes) add_face(s, plane, same_plane * s.bound);
  find_edges(s);
  return s;
}

Solid make_box(const Shape& shape) {
  const Mat3d R = matrix(normalized(shape.rot));
  const Vec3d half = shape.size * 0.5;
  Solid s;
  for (int i = 0; i < 8; ++i)
    s.corners.push_back(
        shape.pos + R * Vec3d(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
  close(s);
  for (int k = 0; k < 3; ++k)
    for (const double side : {1.0, -1.0}) {
      const Vec3d n = R.column(k) * side;
      const double far = k == 0 ? half.x : k == 1 ? half.y : half.z;
      add_face(s, {n, dot(n, shape.pos) + far}, far);
    }
  find_edges(s);
  return s;
}

// One solid for each triangle, in the shape's frame.
std::vector<Solid> make_triangles(const Mesh& given) {
  const Mesh mesh = weld(given);
  std::vector<Solid> solids;
  // the corner across from every edge, where the edge runs from the first to the second of its key
  std::map<std::pair<int, int>, int> across;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) across[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
  for (const auto& t : mesh.triangles) {
    Solid s;
    s.flat = true;
    for (const int i : t) s.corners.push_back(mesh.vertices[std::size_t(i)]);
    const Vec3d across_it = cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0]);
    if (!(norm(across_it) > 0)) continue;
    const Vec3d n = normalized(across_it);
    s.loop = {0, 1, 2};
    s.faces = {{{n, dot(n, s.corners[0])}, 0, 3}};
    close(s);
    for (int k = 0; k < 3; ++k) {
      const auto beyond = across.find({t[std::size_t(k + 1) % 3], t[std::size_t(k)]});
      const bool ridge = beyond == across.end() ||
                         dot(n, mesh.vertices[std::size_t(beyond->second)] - s.corners[0]) < -flat * s.bound;
      s.edges.push_back({k, (k + 1) % 3, n, {}, ridge});
    }
    solids.push_back(std::move(s));
  }
  return solids;
}

}  // namespace

Solid make_solid(const Vec3d& center, double radius) {
  Solid s;
  s.corners = {center};
  s.radius = radius;
  close(s);
  return s;
}

std::vector<Solid> make_solids(const Shape& shape) {
  std::vector<Solid> solids;
  if (shape.type == ShapeType::box) {
    solids.push_back(make_box(shape));
  } else if (shape.type == ShapeType::sphere) {
    solids.push_back(make_solid(shape.pos, shape.size.x));
  } else if (shape.type == ShapeType::capsule) {
    const Vec3d along = matrix(normalized(shape.rot)) * Vec3d(0, 0, 0.5 * shape.size.y);
    Solid s;
    s.corners = {shape.pos - along, shape.pos + along};
    s.edges = {{0, 1, {}, {}, true}};
    s.radius = shape.size.x;
    close(s);
    solids.push_back(std::move(s));
  } else if (shape.type == ShapeType::mesh && !shape.mesh.convex) {
    Mesh mesh = shape.mesh;
    const Mat3d R = matrix(normalized(shape.rot));
    for (Vec3d& v : mesh.vertices) v = shape.pos + R * v;
    solids = make_triangles(mesh);
  } else {
    std::vector<Vec3d> points;
    if (shape.type == ShapeType::mesh) {
      const Mat3d R = matrix(normalized(shape.rot));
      const Hull hull = convex_hull(shape.mesh.vertices);
      const bool many = int(hull.vertices.size()) > most_corners;
      if (many)
        for (const Vec3d& v : extreme_points(shape.mesh, most_corners)) points.push_back(shape.pos + R * v);
      else
        for (const int i : hull.vertices)
          points.push_back(shape.pos + R * shape.mesh.vertices[std::size_t(i)]);
    } else {
      for (const Ball& ball : contact_balls(shape)) points.push_back(ball.pos);
    }
    solids.push_back(make_polyhedron(points));
  }
  for (Solid& s : solids) s.kind = shape.kind, s.meets = shape.meets;
  return solids;
}

namespace {

// A solid in the world.
struct Placed {
  const Solid& s;
  const Mat3d& R;
  const Vec3d& p;
  const std::vector<Vec3d>& corners;

  Vec3d normal(const Solid::Face& f) const { return R * f.plane.normal; }
  double offset(const Solid::Face& f, const Vec3d& n) const { return f.plane.offset + dot(n, p); }
  const Vec3d& corner(int i) const { return corners[std::size_t(i)]; }
  Vec3d along(const Solid::Edge& e) const { return corner(e.b) - corner(e.a); }
  double least(const Vec3d& n) const {
    double x = unlimited;
    for (const Vec3d& c : corners) x = std::min(x, dot(n, c));
    return x;
  }
};

// The best parting so far.
struct Parting {
  double gap = -unlimited;  // of the polyhedra
  Vec3d normal;             // out of b
  Feature feature = Feature::points;
  int face = -1, edge_a = -1, edge_b = -1;
};

void part_by_faces(const Placed& own, const Placed& other, double sign, Feature feature, double enough,
                   Parting& best) {
  for (std::size_t i = 0; i < own.s.faces.size() && best.gap < enough; ++i) {
    const Vec3d n = own.normal(own.s.faces[i]);
    const double gap = other.least(n) - own.offset(own.s.faces[i], n);
    // a face must be clearly better than one found before, so that the choice does not flicker
    if (gap > best.gap + 1e-9) best = {gap, n * sign, feature, int(i), -1, -1};
  }
}

// Whether the arcs between the normals of two edges cross on the unit sphere, b's turned round: only then is
// there a place where the two edges are what parts the solids.
bool arcs_cross(const Vec3d& a, const Vec3d& b, const Vec3d& along_a, const Vec3d& c, const Vec3d& d,
                const Vec3d& along_b) {
  const double cba = -dot(c, along_a), dba = -dot(d, along_a), adc = -dot(a, along_b), bdc = -dot(b, along_b);
  return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

void part_by_edges(const Placed& a, const Placed& b, double margin, Parting& best) {
  const bool arcs = a.s.faces.size() > 1 && b.s.faces.size() > 1;
  for (std::size_t i = 0; i < a.s.edges.size(); ++i) {
    const Solid::Edge& e = a.s.edges[i];
    const Vec3d u = a.along(e);
    const Vec3d na = a.R * e.normal_a, nb = a.R * e.normal_b;
    for (std::size_t j = 0; j < b.s.edges.size(); ++j) {
      const Solid::Edge& f = b.s.edges[j];
      const Vec3d v = b.along(f);
      if (arcs && !arcs_cross(na, nb, cross(na, nb), -(b.R * f.normal_a), -(b.R * f.normal_b),
                              cross(b.R * f.normal_a, b.R * f.normal_b)))
        continue;
      Vec3d n = cross(u, v);
      const double size = dot(n, n);
      if (size <= parallel * dot(u, u) * dot(v, v)) continue;
      n = n * (1 / std::sqrt(size));
      double gap;
      if (arcs) {
        if (dot(n, b.corner(f.a) - (b.p + b.R * b.s.middle)) < 0) n = -n;
        gap = dot(n, a.corner(e.a) - b.corner(f.a));
      } else {
        const double out = a.least(n) + b.least(-n), back = a.least(-n) + b.least(n);
        gap = std::max(out, back);
        if (back > out) n = -n;
      }
      if (gap > best.gap + margin) best = {gap, n, Feature::edges, -1, int(i), int(j)};
    }
  }
}

// A few steps towards the point of the two solids' difference that is nearest to the origin (Frank and Wolfe
// 1956): most that are apart are seen to be.
double quick_parting(const Placed& a, const Placed& b, double enough) {
  constexpr int most_steps = 8;
  Vec3d x = (a.p + a.R * a.s.middle) - (b.p + b.R * b.s.middle);
  for (int step = 0; step < most_steps; ++step) {
    const double size = norm(x);
    if (!(size > 0)) break;
    const Vec3d n = x * (1 / size);
    const Vec3d *on_a = &a.corners[0], *on_b = &b.corners[0];
    for (const Vec3d& c : a.corners)
      if (dot(n, c) < dot(n, *on_a)) on_a = &c;
    for (const Vec3d& c : b.corners)
      if (dot(n, c) > dot(n, *on_b)) on_b = &c;
    const Vec3d y = *on_a - *on_b;
    if (dot(n, y) >= enough) return dot(n, y);
    const Vec3d toward = y - x;
    const double length2 = dot(toward, toward);
    if (!(length2 > 0)) break;
    x += toward * std::min(std::max(-dot(x, toward) / length2, 0.0), 1.0);
  }
  return -unlimited;
}

// The nearest points of a point or segment and a polyhedron that are apart.
struct Nearest {
  double distance = unlimited;
  Vec3d on_a, on_b;
  Vec3d u, v;     // along the edges that they lie inside of
  int face = -1;  // of b
};

Nearest nearest_points(const Placed& a, const Placed& b) {
  Nearest best;
  const auto offer = [&](const Vec3d& x, const Vec3d& y, const Vec3d& u, const Vec3d& v, int face) {
    const double d = norm(x - y);
    if (d < best.distance) best = {d, x, y, u, v, face};
  };
  for (std::size_t i = 0; i < b.s.faces.size(); ++i) {
    const Solid::Face& face = b.s.faces[i];
    const Vec3d n = b.normal(face);
    const double offset = b.offset(face, n);
    for (const Vec3d& c : a.corners) {
      const double above = dot(n, c) - offset;
      bool inside = above > 0;
      for (int k = 0; k < face.count && inside; ++k) {
        const Vec3d& p = b.corner(b.s.loop[std::size_t(face.first + k)]);
        const Vec3d& q = b.corner(b.s.loop[std::size_t(face.first + (k + 1) % face.count)]);
        inside = dot(cross(n, q - p), c - p) >= 0;
      }
      if (inside) offer(c, c - n * above, {}, {}, int(i));
    }
  }
  const Vec3d x = a.corner(0), u = a.corners.size() > 1 ? a.corner(1) - x : Vec3d();
  const auto along_edge = [&](const Vec3d& y, const Vec3d& v) {
    double s, t;
    nearest_on(x, u, y, v, s, t);
    const bool inner_s = s > 0 && s<1, inner_t = t> 0 && t < 1;
    offer(x + u * s, y + v * t, inner_s ? u : Vec3d(), inner_t ? v : Vec3d(), -1);
  };
  for (const Solid::Edge& e : b.s.edges)
    if (e.ridge) along_edge(b.corner(e.a), b.along(e));
  if (b.corners.size() == 1) along_edge(b.corner(0), {});
  return best;
}

// What of a polygon or segment lies within the sides of a face (Sutherland and Hodgman 1974).
void clip_by_face(const Placed& own, const Solid::Face& face, const Vec3d& n, SolidScratch& scratch) {
  for (int k = 0; k < face.count && !scratch.polygon.empty(); ++k) {
    const Vec3d& from = own.corner(own.s.loop[std::size_t(face.first + k)]);
    const Vec3d& to = own.corner(own.s.loop[std::size_t(face.first + (k + 1) % face.count)]);
    const Vec3d m = cross(to - from, n);
    const double limit = dot(m, from);
    const std::vector<Vec3d>& polygon = scratch.polygon;
    std::vector<Vec3d>& next = scratch.clipped;
    next.clear();
    const std::size_t count = polygon.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d &p = polygon[i], &q = polygon[(i + 1) % count];
      const double dp = dot(m, p) - limit, dq = dot(m, q) - limit;
      if (dp <= 0) next.push_back(p);
      const bool goes_round = count > 2 || i == 0;
      if (goes_round && ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)))
        next.push_back(p + (q - p) * (dp / (dp - dq)));
    }
    // a segment that is cut where it begins has its ends the wrong way round, which does no harm
    scratch.polygon.swap(scratch.clipped);
  }
}

// The corners of the face that looks most against n; of what has no faces, all.
void face_toward(const Placed& other, const Vec3d& n, std::vector<Vec3d>& polygon) {
  polygon.clear();
  if (other.s.faces.empty() || other.s.flat) {
    polygon = other.corners;
    return;
  }
  const Solid::Face* found = nullptr;
  double most = unlimited;
  for (const Solid::Face& face : other.s.faces)
    if (const double toward = dot(other.normal(face), n); toward < most - 1e-9) most = toward, found = &face;
  for (int k = 0; k < found->count; ++k)
    polygon.push_back(other.corner(other.s.loop[std::size_t(found->first + k)]));
}

// Touches of `other` on a face of `own`; sign: 1 where own is b.
void touch_face(const Placed& own, const Placed& other, int face_index, double sign, double reach,
                SolidScratch& scratch, std::vector<SolidMeeting>& meetings) {
  const Solid::Face& face = own.s.faces[std::size_t(face_index)];
  const Vec3d n = own.normal(face);
  const double plane = own.offset(face, n) + own.s.radius;
  face_toward(other, n, scratch.polygon);
  clip_by_face(own, face, n, scratch);
  int index = 0;
  const double deepest = own.s.flat ? -0.5 * std::min(own.s.bound, other.s.bound) : -unlimited;
  for (const Vec3d& p : scratch.polygon) {
    const double gap = dot(n, p) - other.s.radius - plane;
    ++index;
    if (gap >= reach || gap < deepest) continue;
    SolidMeeting m;
    m.normal = n * sign;
    m.gap = gap;
    m.point = p - n * other.s.radius;
    if (sign < 0) m.point -= n * gap;  // on own's surface, which is a's
    m.feature = sign > 0 ? Feature::face_of_b : Feature::face_of_a;
    m.index = index;
    meetings.push_back(m);
  }
}

// Two segments side by side meet at the ends of what they share.
bool touch_along(const Placed& a, const Placed& b, double reach, double& least,
                 std::vector<SolidMeeting>& meetings) {
  if (a.corners.size() != 2 || b.corners.size() != 2) return false;
  const Vec3d u = a.corner(1) - a.corner(0), v = b.corner(1) - b.corner(0), c = cross(u, v);
  if (dot(c, c) > parallel * dot(u, u) * dot(v, v)) return false;
  const auto place = [&](const Vec3d& x) { return dot(x - a.corner(0), u) / dot(u, u); };
  double from = place(b.corner(0)), to = place(b.corner(1));
  if (from > to) std::swap(from, to);
  from = std::max(from, 0.0), to = std::min(to, 1.0);
  if (!(from < to)) return false;
  int index = 0;
  for (const double s : {from, to}) {
    const Vec3d x = a.corner(0) + u * s;
    const double t = std::min(std::max(dot(x - b.corner(0), v) / dot(v, v), 0.0), 1.0);
    const Vec3d apart = x - (b.corner(0) + v * t);
    const double d = norm(apart), gap = d - a.s.radius - b.s.radius;
    ++index;
    least = std::min(least, gap);
    if (!(d > 0) || gap >= reach) continue;
    const Vec3d n = apart * (1 / d);
    meetings.push_back({x - n * a.s.radius, n, gap, Feature::edges, u, v, index});
  }
  return true;
}

void place(const Solid& s, const Mat3d& R, const Vec3d& p, std::vector<Vec3d>& corners) {
  corners.clear();
  for (const Vec3d& c : s.corners) corners.push_back(p + R * c);
}

// The thing that turns least by itself is b: what has no faces is a.
double meet_placed(const Placed& a, const Placed& b, double reach, SolidScratch& scratch,
                   std::vector<SolidMeeting>& meetings) {
  const double rounding = a.s.radius + b.s.radius, enough = reach + rounding;
  const bool faces = !a.s.faces.empty() || !b.s.faces.empty();
  Parting best;
  if (faces) {
    part_by_faces(b, a, 1, Feature::face_of_b, enough, best);
    part_by_faces(a, b, -1, Feature::face_of_a, enough, best);
    if (best.gap >= enough) return best.gap - rounding;
    part_by_edges(a, b, clearly * std::min(a.s.bound, b.s.bound), best);
    if (best.gap >= enough) return best.gap - rounding;
  }
  const auto from_outside = [&](const Vec3d& n) {
    return !(b.s.flat && dot(n, b.normal(b.s.faces[0])) < 0) &&
           !(a.s.flat && dot(n, a.normal(a.s.faces[0])) > 0);
  };
  // rounded and their polyhedra apart, or without any face
  if (rounding > 0 && (!faces || best.gap > 0)) {
    double least = unlimited;
    if (touch_along(a, b, reach, least, meetings)) return least;
    const Nearest near = nearest_points(a, b);
    const double gap = near.distance - rounding;
    if (gap >= reach) return gap;
    const Vec3d n = near.distance > 0 ? (near.on_a - near.on_b) * (1 / near.distance) : Vec3d(0, 0, 1);
    int face = near.face;
    for (std::size_t i = 0; i < b.s.faces.size() && face < 0 && a.corners.size() > 1; ++i)
      if (dot(n, b.normal(b.s.faces[i])) > 1 - along_face) face = int(i);
    if (face >= 0) {
      touch_face(b, a, face, 1, reach, scratch, meetings);
      return gap;
    }
    if (!(near.distance < unlimited) || !from_outside(n)) return gap;
    meetings.push_back({near.on_a - n * a.s.radius, n, gap,
                        norm(near.u) > 0 || norm(near.v) > 0 ? Feature::edges : Feature::points, near.u,
                        near.v, 0});
    return gap;
  }
  const double gap = best.gap - rounding;
  const bool by_edges = best.feature == Feature::edges && a.s.edges[std::size_t(best.edge_a)].ridge &&
                        b.s.edges[std::size_t(best.edge_b)].ridge && from_outside(best.normal);
  if (!by_edges && b.s.flat) {
    touch_face(b, a, 0, 1, reach, scratch, meetings);
  } else if (!by_edges && a.s.flat) {
    touch_face(a, b, 0, -1, reach, scratch, meetings);
  } else if (best.feature == Feature::face_of_b) {
    touch_face(b, a, best.face, 1, reach, scratch, meetings);
  } else if (best.feature == Feature::face_of_a) {
    touch_face(a, b, best.face, -1, reach, scratch, meetings);
  } else {
    const Solid::Edge &e = a.s.edges[std::size_t(best.edge_a)], &f = b.s.edges[std::size_t(best.edge_b)];
    const Vec3d u = a.along(e), v = b.along(f);
    double s, t;
    nearest_on(a.corner(e.a), u, b.corner(f.a), v, s, t);
    meetings.push_back({a.corner(e.a) + u * s - best.normal * a.s.radius, best.normal, gap, Feature::edges, u,
                        v, int(std::size_t(best.edge_a) * b.s.edges.size()) + best.edge_b});
  }
  return gap;
}

}  // namespace

void nearest_on(const Vec3d& a, const Vec3d& u, const Vec3d& b, const Vec3d& v, double& s, double& t) {
  const auto clamped = [](double x) { return std::min(std::max(x, 0.0), 1.0); };
  const Vec3d r = a - b;
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
  const double across = uu * vv - uv * uv;
  // on the two lines, or where they are parallel anywhere: in the middle of what they share
  s = across > 1e-12 * uu * vv ? clamped((uv * vr - ur * vv) / across)
      : uu > 0                 ? clamped((0.5 * uv - ur) / uu)
                               : 0;
  t = vv > 0 ? clamped((uv * s + vr) / vv) : 0;
  if (uu > 0) s = clamped((uv * t - ur) / uu);
}

double meet_solids(const Solid& a, const Mat3d& Ra, const Vec3d& pa, const Solid& b, const Mat3d& Rb,
                   const Vec3d& pb, double reach, SolidScratch& scratch,
                   std::vector<SolidMeeting>& meetings) {
  const Vec3d apart = (pa + Ra * a.center) - (pb + Rb * b.center);
  const double far = a.bound + b.bound + std::max(reach, 0.0), distance2 = dot(apart, apart);
  if (distance2 >= far * far) return std::sqrt(distance2) - a.bound - b.bound;
  place(a, Ra, pa, scratch.corners[0]);
  place(b, Rb, pb, scratch.corners[1]);
  const Placed first{a, Ra, pa, scratch.corners[0]}, second{b, Rb, pb, scratch.corners[1]};
  const double rounding = a.radius + b.radius;
  if (const double parted = quick_parting(first, second, reach + rounding); parted > -unlimited)
    return parted - rounding;
  if (a.faces.empty() || !b.faces.empty()) return meet_placed(first, second, reach, scratch, meetings);
  // what has no faces goes first; then back again
  const std::size_t before = meetings.size();
  const double gap = meet_placed(second, first, reach, scratch, meetings);
  for (std::size_t i = before; i < meetings.size(); ++i) {
    SolidMeeting& m = meetings[i];
    m.point -= m.normal * m.gap;
    m.normal = -m.normal;
    std::swap(m.u, m.v);
    if (m.feature == Feature::face_of_b) m.feature = Feature::face_of_a;
  }
  return gap;
}

}  // namespace legwork
