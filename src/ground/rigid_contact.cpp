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

// How fast the normal of a meeting of `link` and `other` changes. v: velocity of what is round in link past
// what is round in other, at their cores.
Vec3d turning(const SolidMeeting& m, const Vec3d& v, const Vec3d& w_link, const Vec3d& w_other,
              double distance) {
  using Feature = SolidMeeting::Feature;
  const Vec3d& n = m.normal;
  if (m.feature == Feature::face_of_a) return cross(w_link, n);
  if (m.feature == Feature::face_of_b) return cross(w_other, n);
  const bool along_u = dot(m.u, m.u) > 0, along_v = dot(m.v, m.v) > 0;
  if (along_u && along_v) {
    // n stays across both
    const Vec3d c = cross(m.u, m.v), rate = cross(cross(w_link, m.u), m.v) + cross(m.u, cross(w_other, m.v));
    const double size = dot(c, n);
    if (std::abs(size) > 1e-9 * norm(m.u) * norm(m.v)) return (rate - n * dot(n, rate)) * (1 / size);
  }
  if (!(distance > 0)) return {};
  // from a point to the other's core, which may be a line that turns with its link
  const auto from = [&](const Vec3d& spin, const Vec3d& line) {
    Vec3d past = v - cross(spin, n) * distance;
    past -= n * dot(n, past);
    if (const double size = dot(line, line); size > 0) past -= line * (dot(line, past) / size);
    return cross(spin, n) + past * (1 / distance);
  };
  return along_u ? from(w_link, m.u) : from(w_other, m.v);
}

}  // namespace

RigidContacts::RigidContacts(BodyContacts links) : links_(std::move(links)) {}
RigidContacts::RigidContacts(const Creature& body, const ContactOptions& options, bool between_links) {
  if (between_links) links_ = make_body_contacts(body, options);
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
  for (const BodyPair& pair : links_.pairs) touch_links(pair, w, reach);
}

void RigidContacts::update_links(const Workspace<double>& w, double reach) {
  touches.clear();
  nearest = unlimited;
  for (const BodyPair& pair : links_.pairs) touch_links(pair, w, reach);
}

void RigidContacts::touch_links(const BodyPair& pair, const Workspace<double>& w, double reach) {
  const BodyContacts::Body &p = links_.bodies[size_t(pair.a)], &q = links_.bodies[size_t(pair.b)];
  const Vec3d apart = (w.p[pair.a] + w.R[pair.a] * p.center) - (w.p[pair.b] + w.R[pair.b] * q.center);
  if (const double gap = norm(apart) - p.bound - q.bound; gap >= reach) {
    nearest = std::min(nearest, gap);
    return;
  }
  for (const Solid& a : p.solids)
    for (const Solid& b : q.solids) {
      if (!may_touch(a, b)) continue;
      meetings_.clear();
      const double gap =
          meet_solids(a, w.R[pair.a], w.p[pair.a], b, w.R[pair.b], w.p[pair.b], reach, scratch_, meetings_);
      if (meetings_.empty()) nearest = std::min(nearest, gap);
      for (const SolidMeeting& m : meetings_) {
        const auto velocity = [&](int link, const Vec3d& x) {
          return w.vel[link].lin + cross(w.vel[link].ang, x - w.p[link]);
        };
        RigidTouch t;
        t.link = pair.a, t.other = pair.b, t.point = m.point, t.normal = m.normal, t.gap = m.gap;
        t.radius = a.radius, t.other_radius = b.radius;
        t.slip = velocity(t.link, t.point) - velocity(t.other, t.point);
        const Vec3d cores = velocity(t.link, t.point + t.normal * t.radius) -
                            velocity(t.other, t.point - t.normal * t.other_radius);
        t.turning = turning(m, cores, w.vel[t.link].ang, w.vel[t.other].ang,
                            std::max(t.radius + t.other_radius + t.gap, 0.0));
        choose_tangents(t);
        touches.push_back(t);
      }
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
