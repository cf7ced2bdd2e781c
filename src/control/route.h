#pragma once
// Places to walk to, one after the other, and how to turn towards the next.

#include <vector>

#include "control/legged_controller.h"

namespace legwork {

class Route {
 public:
  Route() = default;
  // places: m, world. size: m, how near counts as there.
  Route(std::vector<Vec2> places, double size) : places_(std::move(places)), size_(size) {}

  bool empty() const { return places_.empty(); }
  bool ended() const { return next_ >= places_.size(); }
  // Turns the command towards the next place, slows down at corners, and stops at the last. rate: 1/s, the
  // body's; heading: rad, that the body walks along.
  void lead(const Vec2& at, double heading, double rate, LegCommand& command);

 private:
  std::vector<Vec2> places_;
  double size_ = 0;
  size_t next_ = 0;
};

}  // namespace legwork
