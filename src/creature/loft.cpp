#include "creature/loft.h"

#include <algorithm>

#include "math/real.h"
#include "math/vec.h"

namespace legwork {

namespace {

// How many faces: slender ones (ribs, spines, tails) look smooth with fewer.
struct Detail {
  int segments = 16;  // around; a multiple of 4
  int pieces = 4;     // between two sections
  int cap_rows = 4;   // rows of a rounded end
};

// Cubic Hermite polynomial over a span of length h, at 0 <= u <= 1, and its derivative.
template <class V>
V hermite(const V& a, const V& b, const V& da, const V& db, double h, double u) {
  const double v = 1 - u;
  return a * (v * v * (1 + 2 * u)) + b * (u * u * (3 - 2 * u)) + da * (h * u * v * v) - db * (h * u * u * v);
}
Vec3d hermite_slope(const Vec3d& a, const Vec3d& b, const Vec3d& da, const Vec3d& db, double h, double u) {
  const double v = 1 - u;
  return (b - a) * (6 * u * v / h) + da * (v * (1 - 3 * u)) + db * (u * (3 * u - 2));
}

// The slope at a point between two spans: that of the parabola through the three points.
Vec3d middle_slope(const Vec3d& before, const Vec3d& after, double h0, double h1) {
  return before * (h1 / (h0 + h1)) + after * (h0 / (h0 + h1));
}

// Slopes that keep a cubic between its ends monotone: Fritsch and Butland, "A method for constructing local
// monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5 (1984).
double monotone_slope(double before, double after) {
  return before * after <= 0 ? 0 : 2 * before * after / (before + after);
}

struct Curve {
  std::vector<Section> sections;
  std::vector<double> h;  // lengths of spans
  std::vector<Vec3d> slope;
  std::vector<double> across_slope, along_slope;
};

Curve curve_through(const std::vector<Section>& s) {
  const size_t n = s.size();
  Curve c{s, std::vector<double>(n - 1), std::vector<Vec3d>(n), std::vector<double>(n, 0.0),
          std::vector<double>(n, 0.0)};
  std::vector<Vec3d> chord(n - 1);
  for (size_t i = 0; i + 1 < n; ++i) {
    c.h[i] = norm(s[i + 1].center - s[i].center);
    chord[i] = (s[i + 1].center - s[i].center) * (1 / c.h[i]);
  }
  c.slope[0] = chord[0];
  c.slope[n - 1] = chord[n - 2];
  const auto rate = [&](double Section::*axis, size_t i) { return (s[i + 1].*axis - s[i].*axis) / c.h[i]; };
  for (size_t i = 1; i + 1 < n; ++i) {
    c.slope[i] = middle_slope(chord[i - 1], chord[i], c.h[i - 1], c.h[i]);
    c.across_slope[i] = monotone_slope(rate(&Section::across, i - 1), rate(&Section::across, i));
    c.along_slope[i] = monotone_slope(rate(&Section::along, i - 1), rate(&Section::along, i));
  }
  // towards a point the sides fall straight
  for (const size_t end : {size_t(0), n - 1})
    if (s[end].across == 0) {
      c.across_slope[end] = rate(&Section::across, end == 0 ? 0 : n - 2);
      c.along_slope[end] = rate(&Section::along, end == 0 ? 0 : n - 2);
    }
  return c;
}

struct Rows {
  Vec3d y;  // what `across` follows
  Detail detail;
  Mesh mesh{};

  void ring(const Section& s, const Vec3d& direction) {
    const Vec3d t = normalized(direction);
    const Vec3d w = normalized(y - t * dot(y, t)), d = cross(t, w);
    for (int i = 0; i < detail.segments; ++i) {
      double sine, cosine;
      sin_cos(2 * pi * i / detail.segments, sine, cosine);
      mesh.vertices.push_back(s.center + w * (s.across * cosine) + d * (s.along * sine));
    }
  }
  // Rows of a rounded end between its tip and the section, without either; `outward` is a unit vector.
  void cap(const Section& s, const Vec3d& outward, const Vec3d& direction, int row) {
    double sine, cosine;
    sin_cos(pi / 2 * row / detail.cap_rows, sine, cosine);
    ring({s.center + outward * (std::min(s.across, s.along) * sine), s.across * cosine, s.along * cosine},
         direction);
  }
};

// The first axis of y, x, z that lies at least 20 degrees off every slope.
Vec3d free_axis(const std::vector<Vec3d>& slopes) {
  for (const Vec3d& axis : {Vec3d(0, 1, 0), Vec3d(1, 0, 0)})
    if (std::all_of(slopes.begin(), slopes.end(),
                    [&](const Vec3d& t) { return abs(dot(axis, t)) < 0.94 * norm(t); }))
      return axis;
  return {0, 0, 1};
}

Detail detail_of(const Curve& c) {
  double length = 0, thickness = 0;
  for (const double h : c.h) length += h;
  for (const Section& s : c.sections) thickness = std::max({thickness, s.across, s.along});
  return length > 6 * thickness ? Detail{8, 2, 2} : Detail{};
}

}  // namespace

Mesh loft(const std::vector<Section>& sections) {
  const Curve c = curve_through(sections);
  const size_t n = sections.size();
  const Section &first = sections[0], &last = sections[n - 1];
  const Vec3d down = normalized(c.slope[0]) * -1.0, up = normalized(c.slope[n - 1]);
  const Detail detail = detail_of(c);
  const int segments = detail.segments, pieces = detail.pieces, cap_rows = detail.cap_rows;
  Rows rows{free_axis(c.slope), detail};

  rows.mesh.vertices.push_back(first.center + down * std::min(first.across, first.along));
  if (first.across > 0)
    for (int row = cap_rows - 1; row > 0; --row) rows.cap(first, down, c.slope[0], row);
  for (size_t i = 0; i + 1 < n; ++i) {
    const Section &a = sections[i], &b = sections[i + 1];
    for (int k = 0; k < pieces; ++k) {
      if (i == 0 && k == 0 && first.across == 0) continue;
      const double u = double(k) / pieces, h = c.h[i];
      rows.ring({hermite(a.center, b.center, c.slope[i], c.slope[i + 1], h, u),
                 hermite(a.across, b.across, c.across_slope[i], c.across_slope[i + 1], h, u),
                 hermite(a.along, b.along, c.along_slope[i], c.along_slope[i + 1], h, u)},
                hermite_slope(a.center, b.center, c.slope[i], c.slope[i + 1], h, u));
    }
  }
  if (last.across > 0)
    for (int row = 0; row < cap_rows; ++row) rows.cap(last, up, c.slope[n - 1], row);
  rows.mesh.vertices.push_back(last.center + up * std::min(last.across, last.along));

  Mesh mesh = std::move(rows.mesh);
  const int tip = int(mesh.vertices.size()) - 1, count = (tip - 1) / segments;
  const auto at = [&](int row, int i) { return 1 + row * segments + i % segments; };
  for (int i = 0; i < segments; ++i) {
    mesh.triangles.push_back({0, at(0, i + 1), at(0, i)});
    // diagonals are mirror images of one another across `along`, so that a symmetric row gives a symmetric
    // solid
    const bool right = i < segments / 4 || i >= segments * 3 / 4;
    for (int row = 0; row + 1 < count; ++row) {
      const int a = at(row, i), b = at(row, i + 1), e = at(row + 1, i + 1), d = at(row + 1, i);
      mesh.triangles.push_back({a, b, right ? e : d});
      mesh.triangles.push_back({right ? a : b, e, d});
    }
    mesh.triangles.push_back({at(count - 1, i), at(count - 1, i + 1), tip});
  }
  return mesh;
}

}  // namespace legwork
