#include "reach/space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "math/real.h"
#include "math/scalar.h"

namespace legwork::reaching {

namespace {

// atan2 to 1e-5 rad, without branches, so that compilers make vectors of it. atan on [0, 1] by the polynomial
// of Abramowitz and Stegun 4.4.49.
inline float fast_atan2(float y, float x) {
  const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  const float large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  const float t = small / (large > 1e-30f ? large : 1e-30f), z = t * t;
  float a = 0.0028662257f;
  a = a * z - 0.0161657367f;
  a = a * z + 0.0429096138f;
  a = a * z - 0.0752896400f;
  a = a * z + 0.1065626393f;
  a = a * z - 0.1420889944f;
  a = a * z + 0.1999355085f;
  a = a * z - 0.3333314528f;
  a = (a * z + 1) * t;
  a = ay > ax ? 1.57079632679f - a : a;
  a = x < 0 ? 3.14159265359f - a : a;
  return y < 0 ? -a : a;
}
// Square root to 1e-6 by Newton's steps on its inverse; the library's may set errno, which keeps loops
// scalar.
inline float fast_sqrt(float x) {
  float y = std::bit_cast<float>(0x5f375a86 - (std::bit_cast<std::int32_t>(x) >> 1));
  y = y * (1.5f - 0.5f * x * y * y);
  y = y * (1.5f - 0.5f * x * y * y);
  y = y * (1.5f - 0.5f * x * y * y);
  return x * y;
}
inline std::int16_t rounded(float x) { return std::int16_t(int(x + (x < 0 ? -0.5f : 0.5f))); }

// Ends of the two halves: transforms of all combinations of the fdofs [from, to), others at rest.
std::vector<Placement> transforms(const Limb& limb, const Grid& grid, int from, int to, int first_link,
                                  int last_link) {
  double n = 1;
  for (int k = from; k < to; ++k) n *= grid.count[size_t(k)];
  std::vector<Placement> all(static_cast<size_t>(n));
  std::vector<double> values;
  for (const Fdof& f : limb.fdofs) values.push_back(f.rest);
  for (size_t i = 0; i < all.size(); ++i) {
    size_t rest = i;
    for (int k = from; k < to; ++k) {
      const size_t c = size_t(grid.count[size_t(k)]);
      values[size_t(k)] = grid.values[size_t(k)][rest % c];
      rest /= c;
    }
    const std::vector<LinkFrame> frames = place(limb.chain, limb.configuration(values));
    all[i] = inverse(frames[size_t(first_link)]) * frames[size_t(last_link)];
  }
  return all;
}

struct Split {
  int fdofs;  // degrees of freedom of the proximal half
  int link;   // last link of the proximal half
};
// Whole joints' links, as many as make between a few hundred and a few thousand configurations.
Split split(const Limb& limb, const Grid& grid) {
  Split best{0, 0};
  double n = 1, distance = 1e300;
  for (size_t k = 0; k < limb.fdofs.size(); ++k) {
    n *= grid.count[k];
    const bool link_ends = k + 1 == limb.fdofs.size() || limb.fdofs[k + 1].link != limb.fdofs[k].link;
    if (!link_ends || limb.fdofs[k].q < 0) continue;
    const double far = std::fabs(log(n / 3000)) + std::max(0.0, log(grid.total / n / 1e5));
    if (far < distance) distance = far, best = {int(k) + 1, limb.fdofs[k].link};
  }
  return best;
}

// A space of `total` samples, none farther than `reach`.
Space empty_space(const Grid& grid, double reach, size_t total) {
  constexpr double most_counts = 32700;  // counts that fit into 16 bits
  Space space;
  space.grid = grid;
  space.unit_length = reach / most_counts;
  space.unit_angle = pi / most_counts;
  for (auto* column : {&space.x, &space.y, &space.z, &space.pitch, &space.yaw, &space.roll})
    column->resize(total);
  return space;
}

// A foot that is a point says nothing about the root's turns: they are samples themselves, and the root is
// where they and the limb put it.
Space explore_on_point(const Limb& limb, const Placement& foot, const Grid& grid,
                       const std::vector<Placement>& near, const std::vector<Placement>& far,
                       const Workers& workers) {
  const size_t nf = limb.fdofs.size(), n = near.size();
  const Vec3d sole = foot * limb.sole;
  struct Turned {
    Turns turns;
    Mat3d R;  // girdle frame to travel frame
  };
  std::vector<Turned> turned;
  for (const double yaw : grid.values[nf - 1])
    for (const double pitch : grid.values[nf - 2])
      for (const double roll : grid.values[nf - 3])
        turned.push_back({{pitch, yaw, roll}, matrix_of({pitch, yaw, roll}) * limb.girdle_stand});
  std::vector<Vec3d> seen;  // the sole from where the halves meet
  double longest = 0, reach = 0;
  for (const Placement& f : far) {
    seen.push_back(f * limb.sole);
    longest = std::max(longest, norm(seen.back()));
  }
  for (const Placement& p : near) reach = std::max(reach, norm(p.p - limb.root));
  Space space = empty_space(grid, norm(sole) + reach + longest, n * far.size() * turned.size());
  const auto whole = [](double x) { return std::int16_t(std::lround(x)); };
  parallel_for(int(turned.size()), workers, [&](int g, int) {
    const Turned& t = turned[size_t(g)];
    for (size_t j = 0; j < far.size(); ++j)
      for (size_t i = 0; i < n; ++i) {
        const Vec3d at = sole + t.R * (limb.root - near[i].p - near[i].R * seen[j]);
        const size_t k = (size_t(g) * far.size() + j) * n + i;
        space.x[k] = whole(at.x / space.unit_length);
        space.y[k] = whole(at.y / space.unit_length);
        space.z[k] = whole(at.z / space.unit_length);
        space.pitch[k] = whole(t.turns.pitch / space.unit_angle);
        space.yaw[k] = whole(t.turns.yaw / space.unit_angle);
        space.roll[k] = whole(t.turns.roll / space.unit_angle);
      }
  });
  return space;
}

// The proximal half of the chain, one column for each of its configurations: u = root point, m = girdle's
// orientation (five of its entries are needed), seen from where the halves meet.
struct Proximal {
  int n = 0;
  double reach = 0;  // m, the longest u
  std::array<std::vector<float>, 3> u;
  std::array<std::array<std::vector<float>, 3>, 3> m;

  Proximal(const Limb& limb, const std::vector<Placement>& near) : n(int(near.size())) {
    for (auto& column : u) column.resize(near.size());
    for (auto& row : m)
      for (auto& column : row) column.resize(near.size());
    for (size_t i = 0; i < near.size(); ++i) {
      const Placement back = inverse(near[i]);
      const Vec3d root = back * limb.root;
      const Mat3d turned = back.R * transpose(limb.girdle_stand);
      reach = std::max(reach, norm(root));
      for (int a = 0; a < 3; ++a) {
        u[size_t(a)][i] = float(root[a]);
        for (int b = 0; b < 3; ++b) m[size_t(a)][size_t(b)][i] = float(turned(a, b));
      }
    }
  }
};

// All samples of one distal configuration P, stored from `first` on: the hot loop, made of vectors.
void fill(const Proximal& table, const Placement& P, size_t first, Space& space) {
  const float per_length = float(1 / space.unit_length), per_angle = float(1 / space.unit_angle);
  const float *ux = table.u[0].data(), *uy = table.u[1].data(), *uz = table.u[2].data();
  const float* m[3][3];
  float r[3][3], p[3];
  for (int a = 0; a < 3; ++a) {
    p[a] = float(P.p[a]) * per_length;
    for (int b = 0; b < 3; ++b) {
      r[a][b] = float(P.R(a, b));
      m[a][b] = table.m[size_t(a)][size_t(b)].data();
    }
  }
  std::int16_t *x = &space.x[first], *y = &space.y[first], *z = &space.z[first];
  std::int16_t *pitch = &space.pitch[first], *yaw = &space.yaw[first], *roll = &space.roll[first];
  const int count = table.n;
  for (int i = 0; i < count; ++i) {
    x[i] = rounded(p[0] + (r[0][0] * ux[i] + r[0][1] * uy[i] + r[0][2] * uz[i]) * per_length);
    y[i] = rounded(p[1] + (r[1][0] * ux[i] + r[1][1] * uy[i] + r[1][2] * uz[i]) * per_length);
    z[i] = rounded(p[2] + (r[2][0] * ux[i] + r[2][1] * uy[i] + r[2][2] * uz[i]) * per_length);
  }
  for (int i = 0; i < count; ++i) {
    const float r00 = r[0][0] * m[0][0][i] + r[0][1] * m[1][0][i] + r[0][2] * m[2][0][i];
    const float r10 = r[1][0] * m[0][0][i] + r[1][1] * m[1][0][i] + r[1][2] * m[2][0][i];
    const float r20 = r[2][0] * m[0][0][i] + r[2][1] * m[1][0][i] + r[2][2] * m[2][0][i];
    const float r21 = r[2][0] * m[0][1][i] + r[2][1] * m[1][1][i] + r[2][2] * m[2][1][i];
    const float r22 = r[2][0] * m[0][2][i] + r[2][1] * m[1][2][i] + r[2][2] * m[2][2][i];
    pitch[i] = rounded(fast_atan2(-r20, fast_sqrt(r00 * r00 + r10 * r10)) * per_angle);
    yaw[i] = rounded(fast_atan2(r10, r00) * per_angle);
    roll[i] = rounded(fast_atan2(r21, r22) * per_angle);
  }
}

}  // namespace

int sample_count(const Fdof& f, double angle_resolution, double length_resolution) {
  if (!f.used) return 1;
  const double n = std::floor(f.excursion / (f.translation ? length_resolution : angle_resolution) + 1e-9);
  const int count = std::max(1, int(std::min(n, 1e9)));
  return f.q < 0 && count % 2 == 0 ? count - 1 : count;  // a root's turns: level among them
}

std::vector<double> Grid::configuration(std::uint32_t sample) const {
  std::vector<double> out;
  for (size_t k = 0; k < count.size(); ++k) {
    out.push_back(values[k][sample % std::uint32_t(count[k])]);
    sample /= std::uint32_t(count[k]);
  }
  return out;
}

Grid make_grid(const Limb& limb, double angle_resolution, double length_resolution) {
  Grid grid;
  for (const Fdof& f : limb.fdofs) {
    const int n = sample_count(f, angle_resolution, length_resolution);
    grid.count.push_back(n);
    grid.total *= n;
    std::vector<double> values;
    if (!f.used)
      values.push_back(f.rest);
    else if (double(n) <= 1e7)
      for (int i = 0; i < n; ++i) values.push_back(f.value(-1 + (2.0 * i + 1) / n));
    grid.values.push_back(std::move(values));
  }
  return grid;
}

Space explore(const Limb& limb, const Placement& foot, const Grid& grid, const Workers& workers) {
  assert(grid.total < 4294967296.0);
  const Split cut = split(limb, grid);
  const int nf = int(limb.fdofs.size()), last = int(limb.chain.links.size()) - 1;

  // girdle = foot . distal^-1 . proximal^-1
  const std::vector<Placement> near = transforms(limb, grid, 0, cut.fdofs, 0, cut.link);
  const int feet = limb.pivots ? nf - 3 : nf;
  const std::vector<Placement> far = transforms(limb, grid, cut.fdofs, feet, cut.link, last);
  if (limb.pivots) return explore_on_point(limb, foot, grid, near, far, workers);

  const Proximal table(limb, near);
  std::vector<Placement> outer(far.size());
  double reach = 0;
  for (size_t j = 0; j < far.size(); ++j) {
    outer[j] = foot * inverse(far[j]);
    reach = std::max(reach, norm(outer[j].p));
  }
  const size_t n = near.size();
  Space space = empty_space(grid, reach + table.reach, n * outer.size());
  const int chunks = int(std::min<size_t>(outer.size(), 256));
  parallel_for(chunks, workers, [&](int chunk, int) {
    const size_t from = outer.size() * size_t(chunk) / size_t(chunks),
                 to = outer.size() * size_t(chunk + 1) / size_t(chunks);
    for (size_t j = from; j < to; ++j) fill(table, outer[j], j * n, space);
  });
  return space;
}

int Boxes::cell(int axis, double at) const {
  const int n = axis == 0 ? nx : axis == 1 ? ny : nz;
  return std::clamp(int(std::floor((at - lower[axis]) / size)), 0, n - 1);
}

Vec3d Boxes::center(int box) const {
  const int iz = box % nz, iy = box / nz % ny, ix = box / nz / ny;
  return lower + Vec3d(ix + 0.5, iy + 0.5, iz + 0.5) * size;
}

BoxCounts box_counts(const Vec3d& extent, int along) {
  BoxCounts c;
  c.size = std::max(extent.x, 1e-9) / along;
  c.nx = along;
  c.ny = std::max(1, int(std::ceil(extent.y / c.size - 1e-9)));
  c.nz = std::max(1, int(std::ceil(extent.z / c.size - 1e-9)));
  return c;
}

namespace {

// Lowest and highest coordinate, m.
void bounds(const std::vector<std::int16_t>& column, double unit, double& low, double& high) {
  std::int16_t least = std::numeric_limits<std::int16_t>::max(),
               most = std::numeric_limits<std::int16_t>::min();
  for (const std::int16_t v : column) least = std::min(least, v), most = std::max(most, v);
  low = least * unit, high = most * unit;
}

// Samples by rising pitch, those of one pitch in their order: a counting sort.
std::vector<std::uint32_t> sorted_by_pitch(const Space& space) {
  std::vector<std::uint32_t> start(65537, 0), order(space.size());
  for (const std::int16_t v : space.pitch) ++start[size_t(v + 32768) + 1];
  for (size_t k = 0; k < 65536; ++k) start[k + 1] += start[k];
  for (size_t i = 0; i < space.size(); ++i) order[start[size_t(space.pitch[i] + 32768)]++] = std::uint32_t(i);
  return order;
}

// The box of a sample, from tables over the 16-bit coordinates.
class BoxOfSample {
 public:
  BoxOfSample(const Boxes& boxes, const Space& space) : boxes_(boxes), space_(space) {
    for (int axis = 0; axis < 3; ++axis) {
      cell_[axis].resize(65536);
      for (int v = -32768; v < 32768; ++v)
        cell_[axis][size_t(v + 32768)] = boxes.cell(axis, v * space.unit_length);
    }
  }
  size_t operator()(size_t i) const {
    return size_t(boxes_.index(cell_[0][size_t(space_.x[i] + 32768)], cell_[1][size_t(space_.y[i] + 32768)],
                               cell_[2][size_t(space_.z[i] + 32768)]));
  }

 private:
  const Boxes& boxes_;
  const Space& space_;
  std::vector<std::int32_t> cell_[3];
};

}  // namespace

Boxes organise(const Space& space, int along, const Workers& workers) {
  Boxes b;
  const size_t n = space.size();
  bounds(space.x, space.unit_length, b.lower.x, b.upper.x);
  bounds(space.y, space.unit_length, b.lower.y, b.upper.y);
  bounds(space.z, space.unit_length, b.lower.z, b.upper.z);
  const BoxCounts counts = box_counts(b.upper - b.lower, along);
  b.size = counts.size, b.nx = counts.nx, b.ny = counts.ny, b.nz = counts.nz;
  const BoxOfSample box(b, space);

  // Stable counting sorts: by pitch, then by box, the second in chunks of their own counters.
  const std::vector<std::uint32_t> by_pitch = sorted_by_pitch(space);
  b.order.resize(n);
  b.begin.assign(size_t(b.count()) + 1, 0);
  const int chunks = n > 100000 ? std::max(1, thread_count(workers.threads())) : 1;
  std::vector<std::vector<std::uint32_t>> start(static_cast<size_t>(chunks));
  const auto part = [&](int c) { return n * size_t(c) / size_t(chunks); };
  parallel_for(chunks, workers, [&](int c, int) {
    start[size_t(c)].assign(size_t(b.count()), 0);
    for (size_t i = part(c); i < part(c + 1); ++i) ++start[size_t(c)][box(by_pitch[i])];
  });
  std::uint32_t sum = 0;
  for (size_t k = 0; k < size_t(b.count()); ++k) {
    b.begin[k] = sum;
    for (auto& s : start) {
      const std::uint32_t count = s[k];
      s[k] = sum;
      sum += count;
    }
  }
  b.begin.back() = sum;
  b.pitch.resize(n), b.yaw.resize(n), b.roll.resize(n);
  parallel_for(chunks, workers, [&](int c, int) {
    for (size_t i = part(c); i < part(c + 1); ++i) {
      const std::uint32_t sample = by_pitch[i];
      const std::uint32_t at = start[size_t(c)][box(sample)]++;
      b.order[at] = sample;
      b.pitch[at] = space.pitch[sample], b.yaw[at] = space.yaw[sample], b.roll[at] = space.roll[sample];
    }
  });
  return b;
}

std::vector<double> least_turn(const Boxes& b, const Space& space) {
  std::vector<double> least(size_t(b.count()), std::numeric_limits<double>::quiet_NaN());
  for (size_t k = 0; k < least.size(); ++k) {
    double best = 1e300;
    for (std::uint32_t i = b.begin[k]; i < b.begin[k + 1]; ++i) {
      const double p = b.pitch[i], y = b.yaw[i], r = b.roll[i];
      best = std::min(best, p * p + y * y + r * r);
    }
    if (best < 1e300) least[k] = std::sqrt(best / 3) * space.unit_angle;
  }
  return least;
}

Alignment alignment(const Space& space) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  const size_t step = std::max<size_t>(1, space.size() / 200000);
  double n = 0;
  for (size_t i = 0; i < space.size(); i += step, ++n) {
    const double x = space.x[i] * space.unit_length, y = space.y[i] * space.unit_length;
    sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
  }
  const double mx = sx / n, my = sy / n;
  const double a = sxx / n - mx * mx, b = sxy / n - mx * my, c = syy / n - my * my;
  Alignment out;
  out.offset = my;
  out.angle = 0.5 * atan2(2 * b, a - c);
  const double mean = (a + c) / 2, spread = std::sqrt((a - c) * (a - c) / 4 + b * b);
  out.along = std::sqrt(std::max(0.0, mean + spread));
  out.across = std::sqrt(std::max(0.0, mean - spread));
  return out;
}

}  // namespace legwork::reaching
