#include "direct/track_source.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/place.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "motion/stance_channel.h"

namespace legwork {

namespace {

constexpr double full_smooth = 0.035, full_size = 0.3;  // s; m: hips of bodies that are not small

struct Place {
  const Link* link;
  const Joint* joint;
  int q;
};

std::vector<Place> joints_of(const Creature& c) {
  std::vector<Place> places;
  int q = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      if (nq(joint) > 0) places.push_back({&link, &joint, q});
      q += nq(joint);
    }
  return places;
}

bool same_kind(const Joint& a, const Joint& b) { return a.type == b.type && a.dofs.size() == b.dofs.size(); }

// Joints of one name and kind; else the links' names decide.
int find_twin(const std::vector<Place>& from, const Place& wanted) {
  const bool root = wanted.link->parent < 0;
  for (size_t i = 0; i < from.size(); ++i)
    if (same_kind(*from[i].joint, *wanted.joint) && from[i].joint->name == wanted.joint->name &&
        !wanted.joint->name.empty())
      return int(i);
  for (size_t i = 0; i < from.size(); ++i)
    if (same_kind(*from[i].joint, *wanted.joint) &&
        (from[i].link->name == wanted.link->name || (root && from[i].link->parent < 0)))
      return int(i);
  return -1;
}

std::string label_of(const Place& place) {
  return place.joint->name.empty() ? place.link->name : place.joint->name;
}

// Least-squares parabola x0 + x1 t + x2 t^2 / 2 through values at times t: sums of moments, then Cramer.
struct Parabola {
  double s[5] = {}, minor[3][3] = {}, det = 0;
  explicit Parabola(const std::vector<double>& t) {
    for (const double x : t) {
      double p = 1;
      for (double& sum : s) sum += p, p *= x;
    }
    const double m[3][3] = {{s[0], s[1], s[2]}, {s[1], s[2], s[3]}, {s[2], s[3], s[4]}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        minor[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
      }
    det = m[0][0] * minor[0][0] + m[0][1] * minor[0][1] + m[0][2] * minor[0][2];
  }
  // Coefficient i of the parabola for the value 1 at time t and 0 elsewhere.
  double weight(int i, double t) const { return (minor[i][0] + minor[i][1] * t + minor[i][2] * t * t) / det; }
};

}  // namespace

Mapped map_motion(const Motion& motion, const Creature& creature) {
  Mapped mapped;
  const std::vector<Place> from = joints_of(motion.creature), to = joints_of(creature);
  std::vector<int> twin;
  std::vector<char> used(from.size(), 0);
  for (const Place& place : to) {
    twin.push_back(find_twin(from, place));
    if (twin.back() < 0)
      mapped.missing.push_back(label_of(place));
    else
      used[size_t(twin.back())] = 1, ++mapped.joints;
  }
  for (size_t i = 0; i < from.size(); ++i)
    if (!used[i]) mapped.left_over.push_back(label_of(from[i]));
  const bool rooted = std::none_of(to.begin(), to.end(), [](const Place& p) { return p.link->parent < 0; });
  int inner = 0;
  for (size_t i = 0; i < to.size(); ++i) inner += twin[i] >= 0 && to[i].link->parent >= 0;
  if (inner == 0 && (rooted || to.size() > 1)) {
    std::vector<std::string> theirs, ours;
    for (const Place& p : from) theirs.push_back(label_of(p));
    for (const Place& p : to) ours.push_back(label_of(p));
    theirs.resize(std::min<size_t>(theirs.size(), 6)), ours.resize(std::min<size_t>(ours.size(), 6));
    throw Error({}, "direct: track",
                "the motion is of '" + motion.creature.name + "' and no joint of '" + creature.name +
                    "' has its name and kind in it (the motion's: " + join(theirs, ", ") +
                    " ...; the body's: " + join(ours, ", ") + " ...)",
                "give the body that moves in the file, or rename joints");
  }
  Motion& out = mapped.motion;
  out.creature = creature, out.terrain = motion.terrain, out.gravity = motion.gravity;
  out.time = motion.time, out.status = motion.status, out.made = motion.made;
  const size_t nq_from = size_t(motion.creature.nq());
  const std::vector<double> stand = creature.pose("stand");
  for (int f = 0; f < motion.frames(); ++f) {
    std::vector<double> q = stand;
    for (size_t i = 0; i < to.size(); ++i)
      if (twin[i] >= 0)
        std::copy_n(motion.q.begin() + long(size_t(f) * nq_from) + from[size_t(twin[i])].q, nq(*to[i].joint),
                    q.begin() + to[i].q);
    out.q.insert(out.q.end(), q.begin(), q.end());
  }
  const auto same_contacts = [&] {
    if (motion.creature.contacts.size() != creature.contacts.size()) return false;
    for (size_t i = 0; i < creature.contacts.size(); ++i)
      if (motion.creature.contacts[i].name != creature.contacts[i].name) return false;
    return true;
  };
  if (same_contacts()) out.contact_force = motion.contact_force;
  const auto same_legs = [&] {
    return std::equal(creature.legs.begin(), creature.legs.end(), motion.creature.legs.begin(),
                      motion.creature.legs.end(),
                      [](const Leg& a, const Leg& b) { return a.name == b.name; });
  };
  if (const Channel* stance = stance_channel(motion); stance && same_legs()) out.channels.push_back(*stance);
  return mapped;
}

double add_lead(Motion& motion) {
  const Creature& c = motion.creature;
  const int frames = motion.frames();
  if (frames < 3 || c.legs.empty()) return 0;
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  const auto center = [&](int f) {
    update_positions(model, &motion.q[size_t(f) * model.nq], w);
    return center_of_mass(model, w);
  };
  const double beat = std::sqrt(hip_height(c) / 9.81), step = motion.time[2] - motion.time[0];
  const double speed = norm(center(2) - center(0)) / step;
  if (speed > 0.1 * hip_height(c) / beat) return 0;
  const int count = std::max(1, int(std::ceil(4 * beat / (0.5 * step))));
  const auto repeat = [&](std::vector<double>& rows) {
    if (rows.empty()) return;
    const std::vector<double> first(rows.begin(), rows.begin() + long(rows.size() / size_t(frames)));
    for (int i = 0; i < count; ++i) rows.insert(rows.begin(), first.begin(), first.end());
  };
  repeat(motion.q), repeat(motion.v), repeat(motion.contact_force);
  for (Channel& channel : motion.channels) repeat(channel.values);
  const double lead = count * 0.5 * step;
  for (double& t : motion.time) t += lead;
  for (int i = 0; i < count; ++i) motion.time.insert(motion.time.begin(), motion.time[0] - 0.5 * step);
  return lead;
}

// --- when what stands

bool FootSupport::down(double time) const {
  return std::any_of(stances.begin(), stances.end(),
                     [&](const Stance& s) { return time >= s.down && time < s.up; });
}

double FootSupport::last_change(double time) const {
  double last = -unlimited;
  for (const Stance& s : stances) {
    if (s.down <= time) last = std::max(last, s.down);
    if (s.up <= time) last = std::max(last, s.up);
  }
  return last;
}

double FootSupport::next_change(double time) const {
  double next = unlimited;
  for (const Stance& s : stances) {
    if (s.down > time) next = std::min(next, s.down);
    if (s.up > time && s.ends) next = std::min(next, s.up);
  }
  return next;
}

// --- the source

TrackSource::TrackSource(const Motion& motion, double tempo, double smooth)
    : motion_(motion), model_(make_model(motion.creature)), smooth_(smooth) {
  if (!(smooth_ > 0)) {
    const double hips = hip_height(motion.creature);
    smooth_ = full_smooth * (hips > 0 && hips < full_size ? std::sqrt(hips / full_size) : 1);
  }
  const int n = motion_.frames(), nv = model_.nv, nq = model_.nq;
  for (const double t : motion.time) times_.push_back((t - motion.time[0]) / tempo);
  motion_.time = times_;
  v_.assign(size_t(n) * nv, 0), a_.assign(size_t(n) * nv, 0);
  std::vector<double> d(size_t(nv), 0.0);
  for (int f = 0; f < n; ++f)
    for (const Share& share : shares(f)) {
      difference_positions(model_, &motion_.q[size_t(f) * nq], &motion_.q[size_t(share.frame) * nq],
                           d.data());
      for (int j = 0; j < nv; ++j) {
        v_[size_t(f) * nv + j] += share.rate * d[size_t(j)];
        a_[size_t(f) * nv + j] += share.bend * d[size_t(j)];
      }
    }
  motion_.v = v_;
  find_supports();
  std::vector<Vec3d> com, spin;
  std::vector<std::vector<Vec3d>> ways(supports.size()), lows(supports.size());
  Workspace<double> w(model_);
  for (int f = 0; f < n; ++f) {
    update_positions(model_, &motion_.q[size_t(f) * nq], w);
    update_velocities(model_, &motion_.q[size_t(f) * nq], &v_[size_t(f) * nv], w);
    com.push_back(legwork::center_of_mass(model_, w));
    const Wrench<double> p = momentum(model_, w);
    spin.push_back(p.ang - cross(com.back(), p.lin));
    for (size_t i = 0; i < supports.size(); ++i) {
      FootSupport& s = supports[i];
      ways[i].push_back(point_position(w, s.link, s.sole));
      double low = s.sites.empty() ? 0 : unlimited;
      for (const int site : s.sites) {
        const ContactPoint& c = motion_.creature.contacts[size_t(site)];
        low = std::min(low, -ground_depth(motion_.terrain, point_position(w, c.link, c.pos), c.radius).depth);
      }
      lows[i].push_back({0, 0, low});
      if (s.down(times_[size_t(f)])) s.sink = std::max(s.sink, -low);
    }
  }
  center_of_mass = fit(std::move(com)), angular_momentum = fit(std::move(spin));
  for (std::vector<Vec3d>& way : ways) soles.push_back(fit(std::move(way)));
  for (std::vector<Vec3d>& low : lows) clearances.push_back(fit(std::move(low)));
}

// The frames near frame f, at least three, and how much each counts for the rate and the acceleration there.
std::vector<TrackSource::Share> TrackSource::shares(int f) const {
  const auto near = [&](int k) { return std::abs(times_[size_t(k)] - times_[size_t(f)]) <= smooth_ + 1e-9; };
  const int n = frames();
  int first = f, last = f;
  while (first > 0 && near(first - 1)) --first;
  while (last + 1 < n && near(last + 1)) ++last;
  if (last - first < 2) first = std::max(0, std::min(f - 1, n - 3)), last = std::min(n - 1, first + 2);
  std::vector<Share> out;
  if (last - first < 2) return out;
  std::vector<double> t;
  for (int k = first; k <= last; ++k) t.push_back(times_[size_t(k)] - times_[size_t(f)]);
  const Parabola parabola(t);
  for (int k = first; k <= last; ++k)
    out.push_back(
        {k, parabola.weight(1, t[size_t(k - first)]), 2 * parabola.weight(2, t[size_t(k - first)])});
  return out;
}

Curve TrackSource::fit(std::vector<Vec3d> points) const {
  Curve curve{std::move(points), std::vector<Vec3d>(times_.size()), std::vector<Vec3d>(times_.size())};
  for (int f = 0; f < frames(); ++f)
    for (const Share& share : shares(f)) {
      curve.v[size_t(f)] += curve.x[size_t(share.frame)] * share.rate;
      curve.a[size_t(f)] += curve.x[size_t(share.frame)] * share.bend;
    }
  return curve;
}

// Legs by their gait; without legs, links whose contact points are low and slow.
void TrackSource::find_supports() {
  const Creature& c = motion_.creature;
  const auto sites_beyond = [&](int root) {
    std::vector<int> sites;
    for (size_t s = 0; s < c.contacts.size(); ++s) {
      int link = c.contacts[s].link;
      while (link > root) link = c.links[size_t(link)].parent;
      if (link == root) sites.push_back(int(s));
    }
    return sites;
  };
  if (!c.legs.empty()) {
    // what stands for less than this is nothing to stand on; what lifts for less need not lift
    GaitOptions support;
    support.chatter = 0, support.shortest = 0.02;
    const Gait gait = measure_gait(motion_, support);
    for (size_t i = 0; i < c.legs.size(); ++i)
      supports.push_back({c.legs[i].name, c.legs[i].foot, c.legs[i].sole, sites_beyond(c.legs[i].foot),
                          gait.legs[i].stances, 0});
    return;
  }
  const Box box = bounding_box(c, c.pose("stand"));
  const double size = norm(box.upper - box.lower), low = 0.01 * size, slow = 0.1 * std::sqrt(9.81 * size);
  Workspace<double> w(model_);
  for (int link = 0; link < int(c.links.size()); ++link) {
    FootSupport support{c.links[size_t(link)].name, link, {}, {}, {}, 0};
    for (size_t s = 0; s < c.contacts.size(); ++s)
      if (c.contacts[s].link == link) support.sites.push_back(int(s));
    if (support.sites.empty()) continue;
    for (int f = 0; f < frames(); ++f) {
      update_positions(model_, &motion_.q[size_t(f) * model_.nq], w);
      update_velocities(model_, &motion_.q[size_t(f) * model_.nq], &v_[size_t(f) * model_.nv], w);
      const bool down = std::any_of(support.sites.begin(), support.sites.end(), [&](int s) {
        const ContactPoint& point = c.contacts[size_t(s)];
        return ground_depth(motion_.terrain, point_position(w, link, point.pos), point.radius).depth > -low &&
               norm(point_velocity(w, link, point.pos)) < slow;
      });
      if (!down) continue;
      const double t = times_[size_t(f)], next = f + 1 < frames() ? times_[size_t(f) + 1] : t;
      if (!support.stances.empty() && support.stances.back().up >= t - 1e-9)
        support.stances.back().up = next;
      else
        support.stances.push_back({t, next, f > 0, true, {}, 0, 0});
      support.stances.back().ends = f + 1 < frames();
    }
    supports.push_back(support);
  }
}

// Frame k, and how far the time is towards the next, 0 .. 1.
int TrackSource::interval(double time, double& share) const {
  const int n = frames();
  int k = int(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin()) - 1;
  k = std::clamp(k, 0, std::max(0, n - 2));
  share =
      n < 2 ? 0
            : std::clamp((time - times_[size_t(k)]) / (times_[size_t(k) + 1] - times_[size_t(k)]), 0.0, 1.0);
  return k;
}

void TrackSource::frame(int k, double* q, double* v, double* a) const {
  std::copy_n(motion_.q.begin() + long(k) * model_.nq, model_.nq, q);
  std::copy_n(v_.begin() + long(k) * model_.nv, model_.nv, v);
  std::copy_n(a_.begin() + long(k) * model_.nv, model_.nv, a);
}

void TrackSource::at(double time, double* q, double* v, double* a) const {
  double s;
  const int k = interval(time, s), nv = model_.nv, nq = model_.nq;
  if (frames() < 2) return frame(0, q, v, a);
  const double h = times_[size_t(k) + 1] - times_[size_t(k)];
  std::vector<double> d(size_t(nv), 0.0);
  difference_positions(model_, &motion_.q[size_t(k) * nq], &motion_.q[size_t(k + 1) * nq], d.data());
  for (int j = 0; j < nv; ++j) {
    const double v0 = v_[size_t(k) * nv + j], v1 = v_[size_t(k + 1) * nv + j], x = d[size_t(j)];
    d[size_t(j)] = s * ((1 - s) * (1 - s) * h * v0 + s * (3 - 2 * s) * x - s * (1 - s) * h * v1);
    v[j] = (1 - s) * (1 - 3 * s) * v0 + 6 * s * (1 - s) * x / h - s * (2 - 3 * s) * v1;
    a[j] = (1 - s) * a_[size_t(k) * nv + j] + s * a_[size_t(k + 1) * nv + j];
  }
  integrate_positions(model_, &motion_.q[size_t(k) * nq], d.data(), 1.0, q);
}

void TrackSource::at(double time, const Curve& curve, Vec3d& x, Vec3d& v, Vec3d& a) const {
  double s;
  const int k = interval(time, s), next = std::min(k + 1, frames() - 1);
  const double h = times_[size_t(next)] - times_[size_t(k)];
  const Vec3d &v0 = curve.v[size_t(k)], &v1 = curve.v[size_t(next)],
              d = curve.x[size_t(next)] - curve.x[size_t(k)];
  x = curve.x[size_t(k)] + v0 * (h * s * (1 - s) * (1 - s)) + d * (s * s * (3 - 2 * s)) -
      v1 * (h * s * s * (1 - s));
  v = h > 0 ? v0 * ((1 - s) * (1 - 3 * s)) + d * (6 * s * (1 - s) / h) - v1 * (s * (2 - 3 * s)) : v0;
  a = curve.a[size_t(k)] * (1 - s) + curve.a[size_t(next)] * s;
}

}  // namespace legwork
