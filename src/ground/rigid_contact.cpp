#include "ground/rigid_contact.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"

namespace legwork {

namespace {

void choose_tangents(RigidTouch& t) {
  const Vec3d& n = t.normal;
  const Vec3d axis = std::abs(n.x) < 0.7 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
  t.tangent[0] = normalized(axis - n * dot(axis, n));
  t.tangent[1] = cross(n, t.tangent[0]);
}

bool moves(const Model<double>& m, int link) {
  for (int b = link; b >= 0; b = m.parent[b])
    if (m.dof_begin[b] < m.dof_begin[b + 1]) return true;
  return false;
}

int root_of(const Model<double>& m, int link) {
  while (m.parent[link] >= 0) link = m.parent[link];
  return link;
}

// A box in the world.
struct PlacedBox {
  int link;
  Vec3d c;
  Mat3d R;
  Vec3d half;
};

// The face of either box that parts the two most.
struct Parting {
  double gap = -unlimited;  // m
  int box = 0, axis = 0;
  double side = 1;  // side of the axis on which the other box lies: 1 or -1
};

Parting find_parting(const PlacedBox (&box)[2]) {
  Parting best;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) {
      const PlacedBox &own = box[i], &other = box[1 - i];
      const Vec3d n = own.R.column(k), d = other.c - own.c;
      double extent = 0;
      for (int j = 0; j < 3; ++j) extent += std::abs(dot(other.R.column(j), n)) * other.half[j];
      const double gap = std::abs(dot(d, n)) - own.half[k] - extent;
      // a face must be clearly better than one found before, so that the choice does not flicker
      if (gap > best.gap + 1e-9) best = {gap, i, k, dot(d, n) < 0 ? -1.0 : 1.0};
    }
  return best;
}

// Corners, in order, of the face that looks most against n.
std::vector<Vec3d> face_toward(const PlacedBox& box, const Vec3d& n) {
  int face = 0;
  double most = -1;
  for (int k = 0; k < 3; ++k)
    if (std::abs(dot(box.R.column(k), n)) > most + 1e-9) most = std::abs(dot(box.R.column(k), n)), face = k;
  const double toward = dot(box.R.column(face), n) > 0 ? -1 : 1;
  const int u = (face + 1) % 3, v = (face + 2) % 3;
  const Vec3d middle = box.c + box.R.column(face) * (toward * box.half[face]);
  const Vec3d eu = box.R.column(u) * box.half[u], ev = box.R.column(v) * box.half[v];
  std::vector<Vec3d> corners;
  for (const auto& [su, sv] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}})
    corners.push_back(middle + eu * su + ev * sv);
  return corners;
}

// What of a polygon lies between the four sides of a box along an axis (Sutherland and Hodgman 1974).
std::vector<Vec3d> clip_by_sides(const PlacedBox& box, int axis, std::vector<Vec3d> polygon) {
  std::vector<Vec3d> next;
  for (int k = 1; k <= 2; ++k)
    for (const double s : {1.0, -1.0}) {
      const Vec3d m = box.R.column((axis + k) % 3) * s;
      const double limit = dot(m, box.c) + box.half[(axis + k) % 3];
      next.clear();
      for (size_t i = 0; i < polygon.size(); ++i) {
        const Vec3d &p = polygon[i], &o = polygon[(i + 1) % polygon.size()];
        const double dp = dot(m, p) - limit, dq = dot(m, o) - limit;
        if (dp <= 0) next.push_back(p);
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) next.push_back(p + (o - p) * (dp / (dp - dq)));
      }
      polygon.swap(next);
    }
  return polygon;
}

}  // namespace

bool touches_by_boxes(const Link& link) {
  bool any = false;
  for (const Shape& s : link.shapes) {
    if (s.touches && s.type != ShapeType::box) return false;
    any = any || s.touches;
  }
  return any;
}

RigidContacts::RigidContacts(const Creature& body, const Model<double>& m, bool between_bodies) {
  if (!between_bodies) return;
  for (int l = 0; l < int(body.links.size()); ++l)
    for (const Shape& s : body.links[size_t(l)].shapes)
      if (touches_by_boxes(body.links[size_t(l)]) && s.touches)
        boxes_.push_back({l, s.pos, s.size * 0.5, matrix(normalized(s.rot))});
  for (int a = 0; a < int(boxes_.size()); ++a)
    for (int b = a + 1; b < int(boxes_.size()); ++b)
      if (root_of(m, boxes_[a].link) != root_of(m, boxes_[b].link) &&
          (moves(m, boxes_[a].link) || moves(m, boxes_[b].link)))
        pairs_.push_back({a, b});
}

void RigidContacts::update(const Contacts<double>& contacts, const Terrain& terrain,
                           const std::vector<char>& off, const Workspace<double>& w, double reach) {
  touches.clear();
  nearest = unlimited;
  if (terrain.type != TerrainType::none)
    for (int i = 0; i < int(contacts.sites.size()); ++i) {
      const ContactSite<double>& site = contacts.sites[size_t(i)];
      if (!site.moves || (!off.empty() && off[size_t(i)])) continue;
      const Vec3d c = point_position(w, site.link, site.pos);
      const GroundDepth d = ground_depth(terrain, c, site.radius);
      if (-d.depth >= reach) {
        nearest = std::min(nearest, -d.depth);
        continue;
      }
      RigidTouch t;
      t.link = site.link, t.site = i, t.normal = d.normal, t.radius = site.radius, t.gap = -d.depth;
      t.point = c - d.normal * site.radius;
      t.slip = w.vel[site.link].lin + cross(w.vel[site.link].ang, t.point - w.p[site.link]);
      choose_tangents(t);
      touches.push_back(t);
    }
  for (const Pair& pair : pairs_) touch_boxes(w, boxes_[size_t(pair.a)], boxes_[size_t(pair.b)], reach);
}

// The other box's face is clipped by the sides of the one whose face parts them.
void RigidContacts::touch_boxes(const Workspace<double>& w, const Box& a, const Box& b, double reach) {
  const auto placed = [&](const Box& box) {
    return PlacedBox{box.link, point_position(w, box.link, box.pos), w.R[box.link] * box.rot, box.half};
  };
  const PlacedBox box[2] = {placed(a), placed(b)};
  const Parting parting = find_parting(box);
  if (parting.gap >= reach) {
    nearest = std::min(nearest, parting.gap);
    return;
  }
  const PlacedBox &own = box[parting.box], &other = box[1 - parting.box];
  const Vec3d n = own.R.column(parting.axis) * parting.side;  // out of `own`
  const double plane = dot(n, own.c) + own.half[parting.axis];
  for (const Vec3d& p : clip_by_sides(own, parting.axis, face_toward(other, n))) {
    const double gap = dot(n, p) - plane;
    if (gap >= reach) continue;
    RigidTouch t;
    t.link = other.link, t.other = own.link, t.face = t.other, t.normal = n, t.point = p, t.gap = gap;
    const auto velocity = [&](int link) { return w.vel[link].lin + cross(w.vel[link].ang, p - w.p[link]); };
    t.slip = velocity(t.link) - velocity(t.other);
    choose_tangents(t);
    touches.push_back(t);
  }
}

void ContactProblem::resize(int count) {
  touches = count;
  const size_t n = size_t(this->rows());
  A.assign(n * n, 0), b.assign(n, 0), f.assign(n, 0);
  mu.assign(size_t(count), 0), sliding.assign(size_t(count), 0), slide.assign(2 * size_t(count), 0);
}

namespace {

double residual(const ContactProblem& p, int row) {
  const int n = p.rows();
  double r = p.b[row];
  for (int j = 0; j < n; ++j) r += p.A[size_t(row) * n + j] * p.f[j];
  return r;
}

// How far the forces are from fulfilling the conditions.
double violation(const ContactProblem& p) {
  double worst = 0;
  for (int c = 0; c < p.touches; ++c) {
    const int i = 3 * c;
    const double a = residual(p, i), *f = p.f.data() + i;
    worst = std::max(worst, -a);
    if (f[0] > 0) worst = std::max(worst, a);
    const double held = std::sqrt(f[1] * f[1] + f[2] * f[2]), most = p.mu[c] * f[0];
    // beyond the cone, by the acceleration that the rest of the force would make
    if (held > most * (1 + 1e-9))
      worst = std::max(worst, (held - most) * p.A[size_t(i + 1) * size_t(p.rows()) + size_t(i) + 1]);
    if (!p.sliding[c] && held < most * (1 - 1e-9))
      worst = std::max({worst, std::abs(residual(p, i + 1)), std::abs(residual(p, i + 2))});
  }
  return worst;
}

// With what holds, slides and parts as it is in f: exactly. A touch that would have to pull parts, too, until
// none does. False when that contradicts itself.
bool polish(ContactProblem& p, QuadraticProblem& linear) {
  const int n = p.rows();
  double largest = 0;
  for (int c = 0; c < p.touches; ++c) largest = std::max(largest, p.f[3 * c]);
  const std::vector<double> before = p.f;
  std::vector<char> open(size_t(p.touches), 0);
  for (int c = 0; c < p.touches; ++c) open[size_t(c)] = before[size_t(3 * c)] <= 1e-7 * largest;
  std::vector<double> change(size_t(n), 0);
  for (int tries = 0; tries <= p.touches; ++tries) {
    p.f = before;
    linear.clear(n);
    linear.dependent = 1e-10, linear.tolerance = 1e-6;
    const auto ask = [&](int row) {
      double* a = linear.add_equality(-residual(p, row), row);
      std::copy_n(p.A.data() + size_t(row) * n, n, a);
    };
    for (int c = 0; c < p.touches; ++c) {
      const int i = 3 * c;
      const double* f = p.f.data() + i;
      if (open[size_t(c)]) {
        for (int k = 0; k < 3; ++k) linear.add_equality(-f[k], i + k)[i + k] = 1;
        continue;
      }
      const double held = std::sqrt(f[1] * f[1] + f[2] * f[2]), most = p.mu[c] * f[0];
      ask(i);
      if (!p.sliding[c] && held < most * (1 - 1e-6)) {
        ask(i + 1), ask(i + 2);
        continue;
      }
      for (int k = 1; k <= 2; ++k) {  // f_t stays in its direction, mu times the normal force
        const double direction = held > 0 ? f[k] / held : 0;
        double* a = linear.add_equality(p.mu[c] * direction * f[0] - f[k], i + k);
        a[i + k] = 1, a[i] = -p.mu[c] * direction;
      }
    }
    linear.regularize(0, n, 1);
    if (linear.solve(change.data()) != QuadraticOutcome::solved) return p.f = before, false;
    for (int i = 0; i < n; ++i) p.f[i] += change[i];
    // exactly: a rounding error above zero would count as a touch
    for (int c = 0; c < p.touches; ++c)
      if (open[size_t(c)]) std::fill_n(p.f.begin() + 3 * c, 3, 0.0);
    int pulls = -1;
    double most = -1e-12 * (1 + largest);
    for (int c = 0; c < p.touches; ++c)
      if (!open[size_t(c)] && p.f[3 * c] < most) most = p.f[3 * c], pulls = c;
    if (pulls < 0) return true;
    open[size_t(pulls)] = 1;
  }
  return p.f = before, false;
}

}  // namespace

// Turns the friction of what slides against its slip, until it stays so. Polished problems only.
static void align(ContactProblem& p, QuadraticProblem& scratch, double size) {
  constexpr int most_turns = 20;
  constexpr double little = 1e-7;
  for (int turn = 0; turn < most_turns; ++turn) {
    const std::vector<double> before = p.f;
    double off = 0;
    for (int c = 0; c < p.touches; ++c) {
      const int i = 3 * c;
      const double most = p.mu[c] * before[size_t(i)],
                   held = std::sqrt(before[size_t(i) + 1] * before[size_t(i) + 1] +
                                    before[size_t(i) + 2] * before[size_t(i) + 2]);
      if (p.sliding[c] || !(most > 0) || held < most * (1 - 1e-6)) continue;
      double r[2];
      for (int k = 0; k < 2; ++k) {
        r[k] = p.b[size_t(i + 1 + k)];
        for (int j = 0; j < p.rows(); ++j)
          r[k] += p.A[size_t(i + 1 + k) * size_t(p.rows()) + size_t(j)] * before[size_t(j)];
      }
      const double speed = std::sqrt(r[0] * r[0] + r[1] * r[1]);
      if (speed < 1e-9 * size) continue;
      for (int k = 0; k < 2; ++k) {
        off = std::max(off, std::abs(before[size_t(i + 1 + k)] / most + r[k] / speed));
        p.f[size_t(i + 1 + k)] = -most * r[k] / speed;
      }
    }
    if (off < little) return;
    if (!polish(p, scratch)) return void(p.f = before);
  }
}

// One attempt, with A as it is.
static double attempt(ContactProblem& p, QuadraticProblem& scratch, double size, bool steady) {
  const int n = p.rows();
  // mostly what held, slid and parted a moment ago still does
  if (steady && std::any_of(p.f.begin(), p.f.end(), [](double f) { return f != 0; })) {
    const std::vector<double> guess = p.f;
    for (int c = 0; c < p.touches; ++c)
      for (int k = 0; k < 2 && p.sliding[c]; ++k)
        p.f[size_t(3 * c + 1 + k)] = -p.mu[c] * p.f[size_t(3 * c)] * p.slide[size_t(2 * c + k)];
    if (polish(p, scratch)) {
      align(p, scratch, size);
      if (const double left = violation(p); left < 1e-8 * (1 + size)) return left;
    }
    p.f = guess;
  }
  for (int round = 0; round < 4; ++round) {
    for (int pass = 0; pass < 200; ++pass) {
      double change = 0;
      for (int c = 0; c < p.touches; ++c) {
        const int i = 3 * c;
        double* f = p.f.data() + i;
        const double old[3] = {f[0], f[1], f[2]};
        const double d = p.A[size_t(i) * n + i];
        if (d <= 1e-14) continue;
        f[0] = std::max(0.0, f[0] - residual(p, i) / d);
        const double most = p.mu[c] * f[0];
        if (p.sliding[c]) {
          for (int k = 0; k < 2; ++k) f[1 + k] = -most * p.slide[2 * c + k];
        } else {
          const double dt = std::max(p.A[size_t(i + 1) * n + i + 1], p.A[size_t(i + 2) * n + i + 2]);
          if (dt > 1e-14) f[1] -= residual(p, i + 1) / dt, f[2] -= residual(p, i + 2) / dt;
          const double held = std::sqrt(f[1] * f[1] + f[2] * f[2]);
          if (held > most) f[1] *= most / held, f[2] *= most / held;
        }
        for (int k = 0; k < 3; ++k) change = std::max(change, std::abs(f[k] - old[k]) * d);
      }
      if (change < 1e-11 * size) break;
    }
    const std::vector<double> inside = p.f;
    const double before = violation(p);
    if (polish(p, scratch)) {
      if (steady) align(p, scratch, size);
      if (violation(p) < 1e-8 * (1 + size)) break;
    }
    if (violation(p) > before) p.f = inside;
  }
  return violation(p);
}

double solve_contacts(ContactProblem& p, QuadraticProblem& scratch, bool steady) {
  const int n = p.rows();
  double size = 0;
  for (const double x : p.b) size = std::max(size, std::abs(x));
  if (size == 0) return std::fill(p.f.begin(), p.f.end(), 0), 0;
  // Touches that are wedged against each other have no exact solution; a little give bounds their forces.
  const std::vector<double> guess = p.f;
  double left = 0, given = 0;
  for (const double give : {1e-10, 1e-5, 1e-2}) {
    for (int i = 0; i < n; ++i) p.A[size_t(i) * n + i] *= (1 + give) / (1 + given);
    given = give;
    p.f = guess;
    left = attempt(p, scratch, size, steady);
    if (left < 1e-6 * (1 + size)) break;
  }
  return left;
}

}  // namespace legwork
