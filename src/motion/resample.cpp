#include "motion/resample.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"

namespace legwork {

namespace {
constexpr double same_time = 1e-9;  // s
}

std::vector<double> sample_times(const Motion& motion, double rate) {
  if (rate <= 0 || motion.frames() == 0) return motion.time;
  const double first = motion.time.front(), last = motion.time.back();
  const auto steps = std::int64_t(std::floor((last - first) * rate + 1e-6));
  std::vector<double> times;
  times.reserve(std::size_t(std::max<std::int64_t>(steps, 0) + 2));
  for (std::int64_t i = 0; i <= steps; ++i) times.push_back(std::min(first + double(i) / rate, last));
  if (last - times.back() > 1e-6 / rate) times.push_back(last);
  return times;
}

Sampler::Sampler(const Model<double>& model, const Motion& motion)
    : model_(model), motion_(motion), v_(model.nv) {}

void Sampler::at(double time) {
  const std::vector<double>& t = motion_.time;
  const int last = motion_.frames() - 1;
  if (time < t[frame_]) frame_ = int(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  frame_ = std::max(frame_, 0);
  while (frame_ < last && t[frame_ + 1] <= time + same_time) ++frame_;
  share_ = 0;
  if (frame_ < last && time > t[frame_] + same_time)
    share_ = (time - t[frame_]) / (t[frame_ + 1] - t[frame_]);
}

void Sampler::positions(double* q) {
  const double* q0 = motion_.q.data() + std::size_t(frame_) * model_.nq;
  if (share_ == 0) {
    std::copy(q0, q0 + model_.nq, q);
    return;
  }
  difference_positions(model_, q0, q0 + model_.nq, v_.data());
  integrate_positions(model_, q0, v_.data(), share_, q);
}

void Sampler::values(const std::vector<double>& rows, int width, double* out) const {
  const double* a = rows.data() + std::size_t(frame_) * width;
  const double* b = share_ == 0 ? a : a + width;
  for (int i = 0; i < width; ++i) out[i] = share_ == 0 ? a[i] : a[i] + (b[i] - a[i]) * share_;
}

Motion without_frames(const Motion& motion) {
  Motion out;
  out.creature = motion.creature, out.terrain = motion.terrain, out.gravity = motion.gravity;
  out.status = motion.status, out.status_text = motion.status_text, out.status_time = motion.status_time;
  out.made = motion.made;
  for (const Channel& c : motion.channels) out.channels.push_back({c.name, c.unit, c.width, {}});
  return out;
}

Motion resample(const Motion& motion, double rate) {
  Motion out = without_frames(motion);
  out.time = sample_times(motion, rate);
  const std::size_t frames = out.time.size();

  const Model<double> model = make_model(motion.creature);
  Sampler sampler(model, motion);
  struct Rows {
    const std::vector<double>& from;
    int width;
    std::vector<double>& to;
  };
  std::vector<Rows> linear = {{motion.v, model.nv, out.v}, {motion.tau, model.nv, out.tau}};
  linear.push_back({motion.contact_force, 3 * int(motion.creature.contacts.size()), out.contact_force});
  for (std::size_t i = 0; i < motion.channels.size(); ++i)
    linear.push_back({motion.channels[i].values, motion.channels[i].width, out.channels[i].values});
  for (Rows& r : linear)
    if (!r.from.empty()) r.to.resize(frames * r.width);
  out.q.resize(frames * model.nq);
  for (std::size_t f = 0; f < frames; ++f) {
    sampler.at(out.time[f]);
    sampler.positions(out.q.data() + f * model.nq);
    for (Rows& r : linear)
      if (!r.from.empty()) sampler.values(r.from, r.width, r.to.data() + f * r.width);
  }
  return out;
}

void fill_velocities(const Model<double>& model, double rate, Motion& motion) {
  const std::size_t nq = std::size_t(model.nq), nv = std::size_t(model.nv);
  const int frames = motion.frames();
  motion.v.assign(std::size_t(frames) * nv, 0);
  for (int f = 0; f < frames && frames > 1; ++f) {
    const int before = std::max(f - 1, 0), after = std::min(f + 1, frames - 1);
    double* v = &motion.v[std::size_t(f) * nv];
    difference_positions(model, &motion.q[std::size_t(before) * nq], &motion.q[std::size_t(after) * nq], v);
    for (std::size_t j = 0; j < nv; ++j) v[j] *= rate / (after - before);
  }
}

}  // namespace legwork
