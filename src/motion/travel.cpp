#include "motion/travel.h"
#include "math/scalar.h"

#include <algorithm>
#include <cmath>

namespace legwork {

double turn_between(const Vec3d& from, const Vec3d& to) {
  return atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
}

Course::Course(const Motion& motion, const GaitTrack& track, double stride, double least)
    : time_(motion.time), com_(track.com), stride_(stride), least_(least) {
  forward_sum_.push_back({});
  for (const Vec3d& forward : track.forward) forward_sum_.push_back(forward_sum_.back() + forward);
  if (!(stride_ < motion.duration())) stride_ = motion.duration();
}

int Course::frame(double time) const {
  const auto found = std::lower_bound(time_.begin(), time_.end(), time - 1e-9);
  return std::min(int(found - time_.begin()), int(time_.size()) - 1);
}

Vec3d Course::com(double time) const {
  const int next = frame(time), last = std::max(next - 1, 0);
  const double span = time_[size_t(next)] - time_[size_t(last)];
  const double share = span > 0 ? std::clamp((time - time_[size_t(last)]) / span, 0.0, 1.0) : 1;
  return com_[size_t(last)] + (com_[size_t(next)] - com_[size_t(last)]) * share;
}

Heading Course::over(double from, double to) const {
  const int first = frame(from), last = frame(to);
  const Vec3d body = forward_sum_[size_t(last) + 1] - forward_sum_[size_t(first)], way = com(to) - com(from);
  Heading h;
  h.body = norm(body) > 1e-9 ? normalized(body) : Vec3d{1, 0, 0};
  const Vec3d level{way.x, way.y, 0};
  h.travels = norm(level) > least_;
  h.direction = h.travels ? normalized(level) : h.body;
  return h;
}

Heading Course::at(double time) const {
  const double last = std::max(time_.front(), time_.back() - stride_);
  const double from = std::clamp(time - 0.5 * stride_, time_.front(), last);
  return over(from, from + stride_);
}

}  // namespace legwork
