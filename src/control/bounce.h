#pragma once
// Gaits with flight: how high the centre of mass is when, and how fast what is off diverges.
//
// Between two flights the feet push so that the body leaves as the next flight needs: z'' = -g + A sin(pi u)
// + B sin(2 pi u) over the support, u = 0 .. 1. With l = (g + z'') / z the centre of mass leaves its point of
// pressure by c'' = l (c - p), l = 0 in flight. xi = c + c' / w with w' = w^2 - l then obeys xi' = (l / w)
// (xi - p): what w = sqrt(g / h) is to a walk, the periodic w(t) is to a run (after Englsberger and others
// 2015, section VII).

#include <vector>

#include "control/schedule.h"

namespace legwork {

class Bounce {
 public:
  Bounce() = default;
  // height: m, of the centre of mass at take-off; gravity: m/s^2. there: legs that take part.
  Bounce(const Schedule& schedule, const std::vector<char>& there, double height, double gravity);

  // Whether there is a time in the cycle when no foot stands.
  bool flies() const { return !cycle_.empty(); }
  struct Instant {
    double rise = 0, climb = 0, up = 0;  // m, m/s, m/s^2: of the centre of mass, from its height at take-off
    double pull = 0, rate = 0;           // 1/s^2, 1/s: l and w
    double grown = 0;                    // integral of l / w since the cycle's beginning
  };
  // clock: cycles.
  Instant at(double clock) const;
  // The clock's time when the centre of mass is lowest.
  double lowest() const;
  // By what factor xi - p grows between two times.
  double growth(double from, double to) const;

 private:
  void add_support(size_t begin, size_t end, double before, double after, double gravity, double step);

  std::vector<Instant> cycle_;
};

}  // namespace legwork
