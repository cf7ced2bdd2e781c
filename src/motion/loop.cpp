// One clean loop out of a motion, for animators: the last frame equals the first.
//
// The stride taken is [start, start + period]. No gait repeats itself exactly, so what is left over after a
// period (d in position, e in speed, per coordinate) is taken away over the whole loop, as d s + e T (s^2 -
// s)/2 for s from 0 to 1: position and speed then both join. Frames fall on the rate exactly, so the loop
// lasts a whole number of them and is played up to half a frame faster or slower.
//
// The travel of a stride is the turn and shift in the ground's plane that carries the first free body from
// its first pose to its last. In place, each frame is carried back by its share of the travel (constant
// speed, or constant turning), as on a treadmill; else the last frame is the first one carried on by the
// travel exactly. A planar body travels by its root's horizontal slides.

#include <algorithm>
#include <cmath>
#include <optional>

#include <legwork/files.h>
#include "base/text.h"
#include "dynamics/dynamics.h"
#include "math/real.h"
#include "math/scalar.h"
#include "motion/check_motion.h"
#include "motion/resample.h"
#include "motion/stride.h"

namespace legwork {

namespace {

int frames_of(const LoopOptions& o) { return std::max(1, int(std::lround(o.period * o.rate))); }

// A turn about a vertical line, or a shift: exp(s log G) for the planar motion G.
struct Travel {
  double x = 0, y = 0, turn = 0;  // p -> Rz(turn) p + (x, y)

  Travel part(double s) const {
    if (std::abs(turn) < 1e-9) return {s * x, s * y, s * turn};
    // the fixed point c = (1 - Rz)^-1 b
    const double half = 0.5 / tan(turn / 2);
    const double cx = 0.5 * x - half * y, cy = half * x + 0.5 * y;
    const double c = cos(s * turn), n = sin(s * turn);
    return {cx - (c * cx - n * cy), cy - (n * cx + c * cy), s * turn};
  }
  Travel inverse() const {
    const double c = cos(turn), n = sin(turn);
    return {-(c * x + n * y), -(-n * x + c * y), -turn};
  }
  // On the coordinates of a free joint.
  void apply(double* q) const {
    const double c = cos(turn), n = sin(turn);
    const double px = q[0], py = q[1];
    q[0] = c * px - n * py + x, q[1] = n * px + c * py + y;
    const Quatd r = Quatd{cos(turn / 2), 0, 0, sin(turn / 2)} * Quatd{q[3], q[4], q[5], q[6]};
    q[3] = r.w, q[4] = r.x, q[5] = r.y, q[6] = r.z;
  }
};

Travel travel_between(const double* q0, const double* q1) {
  const Quatd r = Quatd{q1[3], q1[4], q1[5], q1[6]} * conjugate(Quatd{q0[3], q0[4], q0[5], q0[6]});
  Travel t;
  t.turn = 2 * atan2(r.z, r.w);
  t.turn -= 2 * pi * std::round(t.turn / (2 * pi));
  const double c = cos(t.turn), n = sin(t.turn);
  t.x = q1[0] - (c * q0[0] - n * q0[1]), t.y = q1[1] - (n * q0[0] + c * q0[1]);
  return t;
}

// Coordinates with a meaning for loops.
struct Coordinates {
  std::vector<int> free;    // first q of the free joints of links that hang on nothing
  std::vector<int> turns;   // v of hinges without limits: whole turns are no gap
  std::vector<int> slides;  // v of horizontal slides of such links
};

Coordinates coordinates_of(const Creature& creature) {
  Coordinates c;
  int q = 0, v = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      const bool root = link.parent < 0;
      if (root && joint.type == JointType::free) c.free.push_back(q);
      const int shifts = joint.type == JointType::planar ? 2 : joint.type == JointType::slide ? 1 : 0;
      for (int i = 0; root && i < shifts; ++i)
        if (std::abs((matrix(link.rot) * joint.axes[i]).z) < 0.5) c.slides.push_back(v + i);
      if (joint.type == JointType::hinge && joint.dofs[0].lower == -unlimited &&
          joint.dofs[0].upper == unlimited)
        c.turns.push_back(v);
      q += nq(joint), v += nv(joint);
    }
  return c;
}

class Looper {
 public:
  Looper(const Motion& motion, const LoopOptions& options)
      : motion_(motion),
        o_(options),
        model_(make_model(motion.creature)),
        sampler_(model_, motion),
        at_(coordinates_of(motion.creature)),
        gap_(model_.nv),
        jerk_(model_.nv),
        whole_(model_.nv) {
    const std::vector<double> first = raw(0), last = raw(1);
    if (!at_.free.empty()) travel_ = travel_between(&first[at_.free[0]], &last[at_.free[0]]);
    difference_positions(model_, treadmill(0).data(), treadmill(1).data(), gap_.data());
    for (const int v : at_.turns) {
      whole_[v] = 2 * pi * std::round(gap_[v] / (2 * pi));
      gap_[v] -= whole_[v];
    }
    const std::vector<double> v0 = speed(0), v1 = speed(1);
    for (int i = 0; i < model_.nv; ++i) jerk_[i] = v1[i] - v0[i];
    for (const int v : at_.slides) slid_.push_back(gap_[v]);
  }

  // Frame at share s of the loop.
  std::vector<double> positions(double s) {
    std::vector<double> e(model_.nv), out(model_.nq), q = treadmill(s);
    for (int i = 0; i < model_.nv; ++i) e[i] = -(gap_[i] * s + jerk_[i] * (s * s - s) / 2);
    if (s == 1) {
      // exactly the first frame, but for whole turns
      q = treadmill(0);
      std::copy(whole_.begin(), whole_.end(), e.begin());
    }
    for (std::size_t i = 0; i < at_.slides.size() && !o_.in_place; ++i) e[at_.slides[i]] += slid_[i] * s;
    integrate_positions(model_, q.data(), e.data(), 1.0, out.data());
    for (const int f : at_.free)
      if (!o_.in_place) travel_.part(s).apply(&out[f]);
    return out;
  }

  // What the channel "travel" says at share s.
  Travel travelled(double s) const {
    if (!at_.free.empty()) return travel_.part(s);
    Travel t;
    for (std::size_t i = 0; i < slid_.size() && i < 2; ++i) (i == 0 ? t.x : t.y) = slid_[i] * s;
    return t;
  }

  const Model<double>& model() const { return model_; }
  Sampler& sampler() { return sampler_; }

 private:
  std::vector<double> raw(double s) {
    std::vector<double> q(model_.nq);
    sampler_.at(o_.start + s * o_.period);
    sampler_.positions(q.data());
    return q;
  }
  // Carried back by the share of the travel.
  std::vector<double> treadmill(double s) {
    std::vector<double> q = raw(s);
    for (const int f : at_.free) travel_.part(s).inverse().apply(&q[f]);
    return q;
  }
  // Change for a unit of s.
  std::vector<double> speed(double s) {
    const double h = 0.5 / (o_.rate * o_.period);
    const double first = (motion_.time.front() - o_.start) / o_.period,
                 last = (motion_.time.back() - o_.start) / o_.period;
    const double a = std::max(s - h, first), b = std::min(s + h, last);
    std::vector<double> v(model_.nv);
    difference_positions(model_, treadmill(a).data(), treadmill(b).data(), v.data());
    for (double& x : v) x /= b - a;
    return v;
  }

  const Motion& motion_;
  LoopOptions o_;
  Model<double> model_;
  Sampler sampler_;
  Coordinates at_;
  Travel travel_;
  std::vector<double> gap_, jerk_, whole_, slid_;
};

// v of every frame from its neighbours in the loop.
void fill_speeds(const Model<double>& model, const LoopOptions& o, Looper& looper, Motion& out) {
  const int frames = frames_of(o);
  out.v.clear();
  for (int f = 0; f <= frames; ++f) {
    const int at = f == frames ? 0 : f;
    const std::vector<double> a =
        at == 0 ? looper.positions(double(frames - 1) / frames) : looper.positions(double(at - 1) / frames);
    const std::vector<double> b = looper.positions(double(at + 1) / frames);
    std::vector<double> v(model.nv);
    if (at == 0) {
      // across the seam: both one-sided, so that travel does not count as a jump
      const std::vector<double> seam = looper.positions(1), start = looper.positions(0);
      std::vector<double> other(model.nv);
      difference_positions(model, a.data(), seam.data(), v.data());
      difference_positions(model, start.data(), b.data(), other.data());
      for (int i = 0; i < model.nv; ++i) v[i] += other[i];
    } else {
      difference_positions(model, a.data(), b.data(), v.data());
    }
    for (double& x : v) x *= o.rate / 2;
    out.v.insert(out.v.end(), v.begin(), v.end());
  }
}

void check_loop(const Motion& motion, const LoopOptions& o) {
  const auto fail = [](const std::string& problem, const std::string& advice) {
    throw Error({}, "loop", problem, advice);
  };
  if (motion.frames() < 2) fail("the motion has fewer than two frames", "record some time");
  if (!(o.rate > 0 && o.rate <= 100000))
    fail("a rate of " + to_text(o.rate) + " Hz makes no frames", "give one up to 100000");
  if (!(o.period * o.rate >= 2 && std::isfinite(o.period)))
    fail("a period of " + to_text(o.period) + " s has fewer than two frames at " + to_text(o.rate) + " Hz",
         "give a stride's time");
  if (!(o.start >= motion.time.front() - 1e-9 && o.start + o.period <= motion.time.back() + 1e-9))
    fail("the stride from " + to_text(o.start) + " s to " + to_text(o.start + o.period) +
             " s is not within the motion, " + to_text(motion.time.front()) + " s to " +
             to_text(motion.time.back()) + " s",
         "choose another start or period");
}

// What the options leave open is one of the reference leg's strides, the middle one.
LoopOptions with_stride(const Motion& motion, LoopOptions o) {
  if (o.period != 0 && o.start >= 0) return o;
  const std::optional<Stride> middle = middle_stride(measure_gait(motion));
  if (!middle)
    throw Error({}, "loop", "the motion has no whole stride", "give start and period, or a longer motion");
  if (o.start < 0) o.start = middle->start;
  if (o.period == 0) o.period = middle->time;
  return o;
}

}  // namespace

Motion loop(const Motion& motion, const LoopOptions& asked) {
  check_motion(motion);
  const LoopOptions options = with_stride(motion, asked);
  check_loop(motion, options);
  Looper looper(motion, options);
  const Model<double>& model = looper.model();
  const int frames = frames_of(options);
  Motion out = without_frames(motion);
  out.made.options.clear();  // its scenario makes the whole motion, not this stride
  out.status = Status::ok, out.status_text.clear(), out.status_time = 0;
  Channel travel{"travel", "m, m, rad", 3, {}};

  for (int f = 0; f <= frames; ++f) {
    const double s = double(f) / frames;
    out.time.push_back(f / options.rate);
    const std::vector<double> q = looper.positions(s);
    out.q.insert(out.q.end(), q.begin(), q.end());
    // forces and channels of the last frame are the first's
    looper.sampler().at(options.start + (f == frames ? 0 : s) * options.period);
    const auto copy = [&](const std::vector<double>& from, int width, std::vector<double>& to) {
      if (from.empty()) return;
      to.resize(to.size() + std::size_t(width));
      looper.sampler().values(from, width, to.data() + to.size() - std::size_t(width));
    };
    copy(motion.tau, model.nv, out.tau);
    copy(motion.contact_force, 3 * int(motion.creature.contacts.size()), out.contact_force);
    for (std::size_t i = 0; i < motion.channels.size(); ++i)
      copy(motion.channels[i].values, motion.channels[i].width, out.channels[i].values);
    const Travel t = looper.travelled(s);
    travel.values.insert(travel.values.end(), {t.x, t.y, t.turn});
  }
  out.channels.push_back(std::move(travel));
  fill_speeds(model, options, looper, out);
  return out;
}

}  // namespace legwork
