#include <legwork/gait.h>

#include <algorithm>
#include <cmath>

#include "creature/shape.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "ground/body_contact.h"
#include "ground/terrain.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double often = 0.95;          // share of the stances
constexpr double glances = 30;          // sqrt(g/h): frames a second that are enough for lengths and angles
constexpr double rough_rate = 5;        // sqrt(g/h), Hz
constexpr double straight = 0.05;       // rad: a knee bent less when standing bends where its range lies
constexpr double filter_periods = 8;    // to either side
constexpr int points_of_a_capsule = 5;  // beside its ends, where it may meet an edge of the ground

double percentile(std::vector<double> x, double share) {
  if (x.empty()) return 0;
  std::sort(x.begin(), x.end());
  return x[std::min(x.size() - 1, std::size_t(std::ceil(share * double(x.size())) - 0.5))];
}

// The leg that each link belongs to, from its hip on; -1 for none.
std::vector<int> legs_of_links(const Creature& c) {
  std::vector<int> leg(c.links.size(), -1);
  for (std::size_t i = 0; i < c.links.size(); ++i)
    for (std::size_t k = 0; k < c.legs.size(); ++k)
      if (is_below(c, int(i), c.legs[k].hip)) leg[i] = int(k);
  return leg;
}

bool in_a_foot(const Creature& c, int link) {
  return std::any_of(c.legs.begin(), c.legs.end(),
                     [&](const Leg& leg) { return is_below(c, link, leg.foot); });
}

// A knee as three points, hip side, joint and foot side, and the direction about which it bends.
struct Knee {
  std::string leg;
  int thigh = -1, shank = -1, end = -1;
  Vec3d anchor, end_point;  // the joint in the shank's frame; the end's point in its frame
  Vec3d about;              // unit, thigh's frame: positive bends are about it

  Vec3d bend(const Workspace<double>& w, double& along) const {
    const Vec3d knee = point_position(w, shank, anchor);
    const Vec3d a = knee - w.p[std::size_t(thigh)], b = point_position(w, end, end_point) - knee;
    along = dot(a, b);
    return transpose_times(w.R[std::size_t(thigh)], cross(a, b));
  }
  // The angle between the two segments, positive where it bends the way it stands.
  double angle(const Workspace<double>& w) const {
    double along = 0;
    const Vec3d turn = bend(w, along);
    return atan2(dot(turn, about), along);
  }
};

Vec3d anchor_of(const Link& link) { return link.joints.empty() ? Vec3d{} : link.joints[0].anchor; }

// The link that the leg bends most at when it stands, of those between hip and foot that turn about one axis.
int knee_link(const Creature& c, const Leg& leg, const Workspace<double>& standing) {
  if (leg.knee >= 0) return leg.knee;
  const std::vector<int> chain = links_between(c, leg.hip, leg.foot);
  int best = -1;
  double most = -1;
  for (std::size_t k = 1; k < chain.size(); ++k) {
    const Link& link = c.links[std::size_t(chain[k])];
    if (link.joints.size() != 1 || link.joints[0].type != JointType::hinge) continue;
    const Vec3d from = standing.p[std::size_t(chain[k - 1])];
    const Vec3d at = point_position(standing, chain[k], link.joints[0].anchor);
    const Vec3d to = k + 1 < chain.size() ? standing.p[std::size_t(chain[k + 1])]
                                          : point_position(standing, leg.foot, leg.sole);
    const Vec3d a = at - from, b = to - at;
    if (!(norm(a) > 0 && norm(b) > 0)) continue;
    const double angle = atan2(norm(cross(a, b)), dot(a, b));
    if (angle > most) most = angle, best = chain[k];
  }
  return best;
}

// Whether a hinge has more of its range above the coordinate that it stands at than below.
bool bends_upward(const Creature& c, int link) {
  std::size_t at = 0;
  for (int i = 0; i < link; ++i)
    for (const Joint& joint : c.links[std::size_t(i)].joints) at += std::size_t(nq(joint));
  const double stands = c.pose("stand")[at];
  const Dof& dof = c.links[std::size_t(link)].joints[0].dofs[0];
  return std::min(dof.upper - stands, pi) > std::min(stands - dof.lower, pi);
}

// The direction about which a knee bends, thigh's frame: its hinge, the way it stands; where it stands nearly
// straight, towards the larger part of its range. Zero for a straight knee that is no hinge: it bends every
// way. Needs the standing positions.
Vec3d bends_about(const Creature& c, const Knee& knee, const Workspace<double>& standing) {
  const Link& shank = c.links[std::size_t(knee.shank)];
  double along = 0;
  const Vec3d turn = knee.bend(standing, along);
  const bool bent = atan2(norm(turn), along) >= straight;
  if (shank.joints.size() != 1 || shank.joints[0].type != JointType::hinge)
    return bent ? normalized(turn) : Vec3d{};
  const Vec3d axis = transpose_times(standing.R[std::size_t(knee.thigh)],
                                     standing.R[std::size_t(knee.shank)] * shank.joints[0].axes[0]);
  const bool upward = bent ? dot(turn, axis) >= 0 : bends_upward(c, knee.shank);
  return upward ? axis : -axis;
}

std::vector<Knee> find_knees(const Creature& c, const Model<double>& model, Workspace<double>& w) {
  update_positions(model, c.pose("stand").data(), w);
  std::vector<Knee> knees;
  for (const Leg& leg : c.legs) {
    Knee knee;
    knee.leg = leg.name;
    knee.shank = knee_link(c, leg, w);
    if (knee.shank < 0) continue;
    knee.thigh = c.links[std::size_t(knee.shank)].parent;
    knee.anchor = anchor_of(c.links[std::size_t(knee.shank)]);
    const std::vector<int> below = links_between(c, knee.shank, leg.foot);
    knee.end = below.size() > 1 ? below[1] : leg.foot;
    knee.end_point = below.size() > 1 ? anchor_of(c.links[std::size_t(below[1])]) : leg.sole;
    knee.about = bends_about(c, knee, w);
    if (norm(knee.about) > 0) knees.push_back(knee);
  }
  return knees;
}

// Balls of every shape, for what lies in the ground.
struct Parts {
  std::vector<int> link;
  std::vector<Ball> ball;
  std::vector<char> foot;
};
Parts find_parts(const Creature& c, const Model<double>& model, Workspace<double>& w) {
  update_positions(model, c.pose("stand").data(), w);
  const auto bottom = [&](int link, const Ball& ball) {
    return point_position(w, link, ball.pos).z - ball.radius;
  };
  Parts parts;
  double ground = unlimited;
  for (const ContactPoint& point : c.contacts)
    if (in_a_foot(c, point.link)) {
      parts.link.push_back(point.link), parts.ball.push_back({point.pos, point.radius}),
          parts.foot.push_back(1);
      ground = std::min(ground, bottom(point.link, parts.ball.back()));
    }
  for (int i = 0; i < int(c.links.size()); ++i) {
    if (in_a_foot(c, i)) continue;
    const auto add = [&](const Ball& ball) {
      if (bottom(i, ball) >= ground)
        parts.link.push_back(i), parts.ball.push_back(ball), parts.foot.push_back(0);
    };
    for (const Shape& shape : c.links[std::size_t(i)].shapes) {
      for (const Ball& ball : contact_balls(shape)) add(ball);
      if (shape.type != ShapeType::capsule) continue;
      const Vec3d half = matrix(normalized(shape.rot)) * Vec3d(0, 0, 0.5 * shape.size.y);
      for (int k = 1; k <= points_of_a_capsule; ++k)
        add({shape.pos + half * (2.0 * k / (points_of_a_capsule + 1) - 1), shape.size.x});
    }
  }
  return parts;
}

// Pairs of links of different legs, whatever of them the simulation lets touch.
BodyContacts leg_pairs(Creature c, const std::vector<int>& leg) {
  for (std::size_t i = 0; i < c.links.size(); ++i)
    for (Shape& shape : c.links[i].shapes) {
      if (!shape.touches)
        for (const Ball& ball : contact_balls(shape))
          c.contacts.push_back({"", int(i), ball.pos, ball.radius});
      shape.touches = true;
      shape.kind = shape.meets = 1;
    }
  c.apart.clear();
  BodyContacts contacts = make_body_contacts(c, {});
  std::erase_if(contacts.pairs, [&](const BodyPair& pair) {
    const int a = leg[std::size_t(pair.a)], b = leg[std::size_t(pair.b)];
    return a < 0 || b < 0 || a == b;
  });
  return contacts;
}

void measure_stances(const Gait& gait, Appearance& looks) {
  std::vector<double> slides;
  for (const LegGait& leg : gait.legs)
    for (const Stance& stance : leg.stances) {
      slides.push_back(stance.slip);
      if (stance.slip > looks.worst_slide) looks.worst_slide = stance.slip, looks.slide_of = leg.leg;
    }
  looks.slide = percentile(slides, often);
}

// What can be seen in single frames.
class Eye {
 public:
  explicit Eye(const Motion& motion)
      : motion_(motion),
        model_(make_model(motion.creature)),
        w_(model_),
        knees_(find_knees(motion.creature, model_, w_)),
        parts_(find_parts(motion.creature, model_, w_)),
        pairs_(leg_pairs(motion.creature, legs_of_links(motion.creature))) {}

  void see(int frame, Appearance& looks) {
    const double *q = &motion_.q[std::size_t(frame) * std::size_t(model_.nq)],
                 *v = &motion_.v[std::size_t(frame) * std::size_t(model_.nv)];
    update_positions(model_, q, w_);
    update_velocities(model_, q, v, w_);
    for (const Knee& knee : knees_)
      if (const double back = -knee.angle(w_); back > looks.bent_back)
        looks.bent_back = back, looks.bent_back_of = knee.leg;
    see_ground(looks);
    see_legs(looks);
    ++frames_;
    looks.crossing_share = double(crossed_) / double(frames_);
  }
  std::vector<double> sinks;  // of each frame, m

 private:
  void see_ground(Appearance& looks) {
    double sink = 0;
    for (std::size_t k = 0; k < parts_.link.size(); ++k) {
      const Vec3d at = point_position(w_, parts_.link[k], parts_.ball[k].pos);
      const double depth = ground_depth(motion_.terrain, at, parts_.ball[k].radius).depth;
      if (parts_.foot[k]) {
        sink = std::max(sink, depth);
        if (depth > looks.worst_sink)
          looks.worst_sink = depth, looks.sink_of = motion_.creature.links[std::size_t(parts_.link[k])].name;
      } else if (depth > looks.buried) {
        looks.buried = depth;
        looks.buried_of = motion_.creature.links[std::size_t(parts_.link[k])].name;
      }
    }
    sinks.push_back(sink);
  }

  void see_legs(Appearance& looks) {
    clear_forces(model_, w_);
    add_body_contact_forces(model_, pairs_, {}, 1e-3, w_, meetings_, &touches_, nullptr);
    crossed_ += !touches_.empty();
    for (const BodyContactRecord& touch : touches_)
      if (touch.depth > looks.crossing) {
        const auto name = [&](int link) { return motion_.creature.links[std::size_t(link)].name; };
        looks.crossing = touch.depth;
        looks.crossing_of =
            name(std::min(touch.link, touch.other)) + " and " + name(std::max(touch.link, touch.other));
      }
  }

  const Motion& motion_;
  Model<double> model_;
  Workspace<double> w_;
  std::vector<Knee> knees_;
  Parts parts_;
  BodyContacts pairs_;
  std::vector<BodyContactRecord> touches_;
  BodyContactScratch meetings_;
  long frames_ = 0, crossed_ = 0;
};

// A signal's power, and the share of it above a rate (Hz, values `step` s apart): what a low-pass filter of
// finite length, whose edge is a fifth of the rate wide, leaves over. Values nearer to the ends than the
// filter is long do not count.
struct Power {
  double all = 0, high = 0;
};
Power high_power(const std::vector<double>& signal, double step, double rate) {
  // a sinc under a Hann window, of unit sum
  const int half = int(std::ceil(filter_periods / (rate * step)));
  std::vector<double> taps(std::size_t(half) + 1);
  double sum = 0;
  for (int k = 0; k <= half; ++k) {
    const double angle = 2 * pi * rate * step * k;
    const double sinc = k == 0 ? 1 : sin(angle) / angle;
    taps[std::size_t(k)] = sinc * 0.5 * (1 + cos(pi * k / (half + 1)));
    sum += (k == 0 ? 1 : 2) * taps[std::size_t(k)];
  }
  Power power;
  for (std::size_t f = std::size_t(half); f + std::size_t(half) < signal.size(); ++f) {
    double low = taps[0] * signal[f];
    for (std::size_t k = 1; k < taps.size(); ++k) low += taps[k] * (signal[f + k] + signal[f - k]);
    const double high = signal[f] - low / sum;
    power.all += signal[f] * signal[f];
    power.high += high * high;
  }
  return power;
}

void measure_torques(const Motion& motion, double rate, Appearance& looks) {
  const int nv = motion.creature.nv(), frames = motion.frames();
  if (motion.tau.size() != motion.v.size() || frames < 3) return;
  const double step = motion.duration() / (frames - 1);
  if (!(2 * rate * step <= 1)) return;
  Power power, of_change;
  double most = 0;
  std::vector<double> signal(static_cast<std::size_t>(frames));
  for (int j = 0; j < nv; ++j) {
    double mean = 0;
    for (int f = 0; f < frames; ++f) {
      signal[std::size_t(f)] = motion.tau[std::size_t(f) * std::size_t(nv) + std::size_t(j)];
      mean += signal[std::size_t(f)] / frames;
    }
    const Power one = high_power(signal, step, rate);
    power.all += one.all, power.high += one.high;
    if (one.high > most) most = one.high, looks.rough_of = motion.creature.dofs()[std::size_t(j)]->name;
    for (double& x : signal) x -= mean;
    const Power change = high_power(signal, step, rate);
    of_change.all += change.all, of_change.high += change.high;
  }
  if (power.all > 0) looks.rough = power.high / power.all;
  if (of_change.all > 0) looks.rough_of_change = of_change.high / of_change.all;
}

}  // namespace

Appearance measure_appearance(const Motion& motion, const Gait& gait) {
  Appearance looks;
  measure_stances(gait, looks);
  const double pace = std::sqrt(motion.gravity / gait.hip_height);
  Eye eye(motion);
  double due = motion.time.front();
  for (int f = 0; f < motion.frames(); ++f) {
    if (motion.time[std::size_t(f)] < due - 1e-9) continue;
    eye.see(f, looks);
    due += 1 / (glances * pace);
  }
  looks.sink = percentile(eye.sinks, often);
  measure_torques(motion, rough_rate * pace, looks);
  return looks;
}

}  // namespace legwork
