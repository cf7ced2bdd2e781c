#include "ground/medium.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include <legwork/error.h>
#include <legwork/options.h>
#include "base/text.h"
#include "ground/implicit.h"
#include "ground/record.h"
#include "math/dense.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr int strips = 4;   // along the longest edge of a box, along a cylinder
constexpr int around = 16;  // about an axis
constexpr int bands = 8;    // that a sphere is cut into from pole to pole, all of the same area

// Collects the patches of one link; shapes come in their own frames.
struct Collector {
  Skin<double>& skin;
  int link;
  Mat3d R;
  Vec3d p;

  // area_vector: outward, as long as the area
  void add(const Vec3d& pos, const Vec3d& area_vector) {
    const double area = norm(area_vector);
    if (!(area > 0)) return;
    skin.push_back({link, p + R * pos, R * (area_vector * (1 / area)), area});
  }

  void box(const Vec3d& edges) {
    const double longest = std::max({edges.x, edges.y, edges.z});
    for (int axis = 0; axis < 3; ++axis) {
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      const int na = std::max(1, int(std::ceil(strips * edges[a] / longest)));
      const int nb = std::max(1, int(std::ceil(strips * edges[b] / longest)));
      for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < na; ++i)
          for (int j = 0; j < nb; ++j) {
            Vec3d pos, area;
            pos[axis] = 0.5 * side * edges[axis];
            pos[a] = edges[a] * ((i + 0.5) / na - 0.5);
            pos[b] = edges[b] * ((j + 0.5) / nb - 0.5);
            area[axis] = side * edges[a] * edges[b] / (na * nb);
            add(pos, area);
          }
    }
  }

  // An ellipsoid is a sphere stretched by its half axes; area vectors stretch by the products of the other
  // two. from, to: bands, to leave out half; up: shift along z.
  void ellipsoid(const Vec3d& half, int from = 0, int to = bands, double up = 0) {
    const double angle = 4 * pi / (bands * around);  // solid angle of a patch
    for (int i = from; i < to; ++i) {
      const double z = (2 * i + 1.0) / bands - 1, r = std::sqrt(1 - z * z);
      for (int j = 0; j < around; ++j) {
        double s, c;
        sin_cos(2 * pi * (j + 0.5) / around, s, c);
        const Vec3d n{r * c, r * s, z};
        add({half.x * n.x, half.y * n.y, half.z * n.z + up},
            {half.y * half.z * n.x * angle, half.x * half.z * n.y * angle, half.x * half.y * n.z * angle});
      }
    }
  }

  void side(double radius, double length) {
    const double area = 2 * pi * radius * length / (strips * around);
    for (int i = 0; i < strips; ++i)
      for (int j = 0; j < around; ++j) {
        double s, c;
        sin_cos(2 * pi * (j + 0.5) / around, s, c);
        add({radius * c, radius * s, length * ((i + 0.5) / strips - 0.5)}, {c * area, s * area, 0});
      }
  }

  void cap(double radius, double z, double up) {
    const double area = pi * radius * radius / around;
    for (int j = 0; j < around; ++j) {
      double s, c;
      sin_cos(2 * pi * (j + 0.5) / around, s, c);
      add({radius * 2 / 3 * c, radius * 2 / 3 * s, z}, {0, 0, up * area});  // centroid of the sector
    }
  }

  void shape(const Shape& s) {
    switch (s.type) {
      case ShapeType::box:
        return box(s.size);
      case ShapeType::sphere:
        return ellipsoid({s.size.x, s.size.x, s.size.x});
      case ShapeType::ellipsoid:
        return ellipsoid(s.size);
      case ShapeType::cylinder:
        side(s.size.x, s.size.y);
        cap(s.size.x, 0.5 * s.size.y, 1);
        return cap(s.size.x, -0.5 * s.size.y, -1);
      case ShapeType::capsule:
        side(s.size.x, s.size.y);
        ellipsoid({s.size.x, s.size.x, s.size.x}, 0, bands / 2, -0.5 * s.size.y);
        return ellipsoid({s.size.x, s.size.x, s.size.x}, bands / 2, bands, 0.5 * s.size.y);
      case ShapeType::mesh:
        for (const auto& t : s.mesh.triangles) {
          const Vec3d &a = s.mesh.vertices[t[0]], &b = s.mesh.vertices[t[1]], &c = s.mesh.vertices[t[2]];
          add((a + b + c) * (1.0 / 3), cross(b - a, c - a) * 0.5);
        }
    }
  }
};

[[noreturn]] void fail(const std::string& spec, const std::string& problem, const std::string& advice = {}) {
  throw Error({}, "medium '" + spec + "'", problem, advice);
}

double read_number(const std::string& spec, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end || !std::isfinite(value))
    fail(spec, "'" + text + "' is not a number");
  return value;
}

// "density=900,buoyancy=true"
Medium parse_fields(const std::string& spec, const std::string& fields) {
  Medium medium;
  const Options described(medium);
  for (const std::string& part : split_commas(fields)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) fail(spec, "'" + part + "' has no value", "write medium:density=900");
    const std::string key = part.substr(0, equals);
    const Option* option = described.find(key);
    if (!option) fail(spec, "unknown key '" + key + "'", did_you_mean(key, described.names()));
    option->set({part.substr(equals + 1)}, {}, "medium '" + spec + "': " + key);
  }
  return medium;
}

}  // namespace

std::string to_text(const Medium& medium) {
  if (!medium.acts()) return "none";
  Medium standard, copy = medium;
  const Options initial(standard), described(copy);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < described.all().size(); ++i)
    if (const Option& option = described.all()[i]; option.get() != initial.all()[i].get())
      parts.push_back(option.name + "=" + option.get()[0]);
  return "medium:" + join(parts, ",");
}

std::vector<std::pair<std::string, std::string>> medium_choices() {
  return {
      {"none", "nothing around"},
      {"water[:VX,VY,VZ[,SURFACE]]", "1000 kg/m^3, with its current (m/s), up to a height (m); it lifts"},
      {"air", "1.2 kg/m^3 at rest"},
      {"wind:VX,VY,VZ", "air that moves, m/s"},
      {"viscous:K", "K N s/m^3 against the normal velocity of every surface"},
      {"medium:KEY=VALUE,...",
       "any of density, coefficient, drag, vx, vy, vz, buoyancy, surface, boxes, viscosity"},
  };
}

Medium parse_medium(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  const std::string kind = spec.substr(0, colon);
  if (kind == "medium" && colon != std::string::npos) return parse_fields(spec, spec.substr(colon + 1));
  std::vector<double> numbers;
  if (colon != std::string::npos)
    for (const std::string& part : split_commas(spec.substr(colon + 1)))
      numbers.push_back(read_number(spec, part));
  const std::vector<std::string> kinds = {"none", "water", "air", "wind", "viscous", "medium"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    fail(spec, "unknown medium", did_you_mean(kind, kinds));
  const std::size_t n = numbers.size();
  Medium medium;
  if (kind == "medium") fail(spec, "needs values", "write medium:density=900,buoyancy=true");
  if (kind == "none" || kind == "air") {
    if (n != 0) fail(spec, "takes no values", "write " + kind);
    medium.density = kind == "air" ? 1.2 : 0;
  } else if (kind == "viscous") {
    if (n != 1 || numbers[0] < 0) fail(spec, "needs one value of at least 0", "write viscous:50");
    medium.drag = numbers[0];
  } else if (kind == "water") {
    if (n != 0 && n != 3 && n != 4) fail(spec, "needs three or four values", "write water:0.1,0,0");
    medium.density = 1000;
    medium.buoyancy = true;
    if (n == 4) medium.surface = numbers[3];
  } else {
    if (n != 3) fail(spec, "needs three values", "write wind:2,0,0");
    medium.density = 1.2;
  }
  if (n >= 3) medium.velocity = {numbers[0], numbers[1], numbers[2]};
  return medium;
}

Skin<double> make_surface(const Creature& creature) {
  Skin<double> skin;
  std::vector<char> moves(creature.links.size());
  for (std::size_t b = 0; b < creature.links.size(); ++b) {
    const Link& link = creature.links[b];
    moves[b] = link.parent >= 0 && moves[link.parent];
    for (const Joint& joint : link.joints) moves[b] = moves[b] || nv(joint) > 0;
    if (!moves[b]) continue;
    for (const Shape& shape : link.shapes)
      if (shape.wet) Collector{skin, int(b), matrix(normalized(shape.rot)), shape.pos}.shape(shape);
  }
  return skin;
}

Skin<Batch> make_batch_surface(const std::vector<const Creature*>& creatures) {
  assert(!creatures.empty() && int(creatures.size()) <= batch_lanes);
  std::vector<Skin<double>> each;
  for (const Creature* creature : creatures) each.push_back(make_surface(*creature));
  Skin<Batch> skin(each.front().size());
  for (std::size_t i = 0; i < skin.size(); ++i) {
    skin[i].link = each.front()[i].link;
    for (int lane = 0; lane < batch_lanes; ++lane) {
      const Skin<double>& source = each[std::min(lane, int(each.size()) - 1)];
      assert(source.size() == skin.size() && source[i].link == skin[i].link);
      for (int k = 0; k < 3; ++k) set_lane(skin[i].pos[k], lane, source[i].pos[k]);
      for (int k = 0; k < 3; ++k) set_lane(skin[i].normal[k], lane, source[i].normal[k]);
      set_lane(skin[i].area, lane, source[i].area);
    }
  }
  return skin;
}

namespace {

Vec3<Trace> record(const Vec3d& v, const NumberOf& number) { return {number(v.x), number(v.y), number(v.z)}; }

}  // namespace

Skin<Trace> record(const Skin<double>& skin, const NumberOf& number) {
  Skin<Trace> recorded;
  for (const Patch<double>& p : skin)
    recorded.push_back({p.link, record(p.pos, number), record(p.normal, number), number(p.area)});
  return recorded;
}

std::vector<DragBox<Trace>> record(const std::vector<DragBox<double>>& boxes, const NumberOf& number) {
  std::vector<DragBox<Trace>> recorded;
  for (const DragBox<double>& b : boxes) {
    DragBox<Trace> box{b.link, record(b.edges, number), {}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) box.axes(i, j) = number(b.axes(i, j));
    recorded.push_back(box);
  }
  return recorded;
}

template <class T>
void add_medium_forces(const Model<T>& m, const Skin<T>& skin, const Medium& medium, const T& h,
                       Workspace<T>& w) noexcept {
  const bool pond = medium.surface < unlimited;
  const Vec3<T> flow{T(medium.velocity.x), T(medium.velocity.y), T(medium.velocity.z)};
  const T viscous(medium.drag), inertial(0.5 * medium.density * medium.coefficient);
  for (const Patch<T>& patch : skin) {
    const int b = patch.link;
    const Vec3<T> arm = w.R[b] * patch.pos, N = w.R[b] * patch.normal;
    const T vn = dot(N, shift(w.vel[b], arm).lin - flow), into = max(vn, T(0));
    T pressure = viscous * vn + inertial * (into * into);
    if (medium.buoyancy) {
      // without a surface only differences count: from the link's origin
      const Vec3<T> below = pond ? w.p[b] + arm - Vec3<T>(T(0), T(0), T(medium.surface)) : arm;
      pressure += T(medium.density) * dot(m.gravity, below);
    }
    T area = patch.area;
    if (pond) area = select(w.p[b].z + arm.z < T(medium.surface), area, T(0));
    Vec3<T> force = N * -(pressure * area);
    if (w.implicit) {
      const T damping = (viscous + T(2) * inertial * into) * area;
      force += add_implicit_at(m, w, b, arm, outer(N) * (h * damping));
    }
    add_force_at(w, b, arm, force);
  }
}

std::vector<DragBox<double>> make_drag_boxes(const Creature& creature) {
  constexpr double least = 1e-15;  // MuJoCo's mjMINVAL
  std::vector<DragBox<double>> boxes;
  std::vector<char> moves(creature.links.size());
  for (std::size_t b = 0; b < creature.links.size(); ++b) {
    const Link& link = creature.links[b];
    moves[b] = link.parent >= 0 && moves[std::size_t(link.parent)];
    for (const Joint& joint : link.joints) moves[b] = moves[b] || nv(joint) > 0;
    if (!moves[b] || link.mass < least) continue;
    const auto [moments, axes] = principal(link.inertia);
    const double trace = moments.x + moments.y + moments.z;
    DragBox<double> box{int(b), {}, axes};
    for (int i = 0; i < 3; ++i)
      box.edges[i] = std::sqrt(std::max(least, trace - 2 * moments[i]) / link.mass * 6);
    boxes.push_back(box);
  }
  return boxes;
}

std::vector<DragBox<Batch>> make_batch_drag_boxes(const std::vector<const Creature*>& creatures) {
  std::vector<DragBox<Batch>> boxes;
  for (int lane = 0; lane < batch_lanes; ++lane) {
    const auto one =
        make_drag_boxes(*creatures[std::min<std::size_t>(std::size_t(lane), creatures.size() - 1)]);
    if (lane == 0) boxes.resize(one.size());
    assert(one.size() == boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      boxes[i].link = one[i].link;
      for (int k = 0; k < 3; ++k) {
        set_lane(boxes[i].edges[k], lane, one[i].edges[k]);
        for (int j = 0; j < 3; ++j) set_lane(boxes[i].axes(k, j), lane, one[i].axes(k, j));
      }
    }
  }
  return boxes;
}

template <class T>
void add_box_drag(const Model<T>& m, const std::vector<DragBox<T>>& boxes, const Medium& medium, const T& h,
                  Workspace<T>& w) noexcept {
  const Vec3<T> flow{T(medium.velocity.x), T(medium.velocity.y), T(medium.velocity.z)};
  const T density(medium.density), viscosity(medium.viscosity);
  for (const DragBox<T>& box : boxes) {
    const int b = box.link;
    const Mat3<T> R = w.R[b] * box.axes;
    const Vec3<T>& e = box.edges;
    const Vec3<T> v = transpose_times(R, shift(w.vel[b], w.c[b]).lin - flow);
    const Vec3<T> turn = transpose_times(R, w.vel[b].ang);
    const T size = (e.x + e.y + e.z) * T(1.0 / 3);
    const T slow = T(3 * pi) * size * viscosity, slow_turn = T(pi) * size * size * size * viscosity;
    Vec3<T> force, torque, slope, slope_turn;
    for (int i = 0; i < 3; ++i) {
      const T p = e[(i + 1) % 3], q = e[(i + 2) % 3];
      const T fast = T(0.5) * density * p * q * abs(v[i]);
      const T fast_turn = density * e[i] * (p * p * p * p + q * q * q * q) * abs(turn[i]) * T(1.0 / 64);
      force[i] = -((slow + fast) * v[i]), slope[i] = slow + T(2) * fast;
      torque[i] = -((slow_turn + fast_turn) * turn[i]), slope_turn[i] = slow_turn + T(2) * fast_turn;
    }
    Vec3<T> push = R * force;
    if (w.implicit) {
      const auto about = [&](const Vec3<T>& d) { return rotate(R, Sym3<T>::diagonal(d.x, d.y, d.z)); };
      push += add_implicit_at(m, w, b, w.c[b], about(slope * h));
      const Sym3<T> A = about(slope_turn * h);
      w.I_ext[b].I += A;
      Vec3<T> bias;
      for (int k = b; k >= 0; k = m.parent[k]) bias += w.bias[k].ang;
      w.f_ext[b].ang += A * bias;
    }
    add_force_at(w, b, w.c[b], push);
    w.f_ext[b].ang += R * torque;
  }
}

template void add_box_drag(const Model<double>&, const std::vector<DragBox<double>>&, const Medium&,
                           const double&, Workspace<double>&) noexcept;
template void add_box_drag(const Model<Batch>&, const std::vector<DragBox<Batch>>&, const Medium&,
                           const Batch&, Workspace<Batch>&) noexcept;
template void add_box_drag(const Model<Trace>&, const std::vector<DragBox<Trace>>&, const Medium&,
                           const Trace&, Workspace<Trace>&) noexcept;
template void add_medium_forces(const Model<double>&, const Skin<double>&, const Medium&, const double&,
                                Workspace<double>&) noexcept;
template void add_medium_forces(const Model<Batch>&, const Skin<Batch>&, const Medium&, const Batch&,
                                Workspace<Batch>&) noexcept;
template void add_medium_forces(const Model<Trace>&, const Skin<Trace>&, const Medium&, const Trace&,
                                Workspace<Trace>&) noexcept;

void describe(Options& v, Medium& o) {
  v.number("density", o.density, {0, 1e6, "kg/m^3", "density of the medium; 0 = none"});
  v.number("coefficient", o.coefficient, {0, 1e6, "1", "coefficient of the inertial part"});
  v.number("drag", o.drag, {0, 1e12, "N s/m^3", "coefficient of the viscous part"});
  v.number("vx", o.velocity.x, {-1e4, 1e4, "m/s", "velocity of the medium along x"});
  v.number("vy", o.velocity.y, {-1e4, 1e4, "m/s", "velocity of the medium along y"});
  v.number("vz", o.velocity.z, {-1e4, 1e4, "m/s", "velocity of the medium along z"});
  v.flag("buoyancy", o.buoyancy, "displaced medium lifts the body");
  v.number("surface", o.surface, {-1e9, unlimited, "m", "height of its surface"});
  v.flag("boxes", o.boxes, "MuJoCo's drag: on the box of each link's inertia");
  v.number("viscosity", o.viscosity, {0, 1e6, "Pa s", "viscosity, with boxes"});
}

}  // namespace legwork
