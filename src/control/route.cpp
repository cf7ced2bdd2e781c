#include "control/route.h"

#include <algorithm>
#include <cmath>

#include "math/real.h"

namespace legwork {

namespace {

constexpr double quickest_turn = 0.25;  // w
constexpr double turn_rate = 1;         // w: how fast an error of the heading is turned away

}  // namespace

void Route::lead(const Vec2& at, double heading, double rate, LegCommand& command) {
  while (!ended() && norm(places_[next_] - at) < size_) ++next_;
  if (ended()) {
    command.speed = command.turn = 0;
    return;
  }
  const Vec2 way = places_[next_] - at;
  const double error = std::remainder(atan2(way.y, way.x) - heading, 2 * pi);
  command.turn = std::clamp(turn_rate * rate * error, -quickest_turn * rate, quickest_turn * rate);
  const double share = 1 - std::fabs(error) / (0.5 * pi);
  command.speed *= std::clamp(share, 0.0, 1.0);
}

}  // namespace legwork
