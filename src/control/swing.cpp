// How feet go from where they lifted off to where they land.

#include "control/legged_controller.h"

#include <algorithm>
#include <cmath>

#include "control/controller_parts.h"
#include "ground/terrain.h"

namespace legwork {

using namespace controller;

namespace {

constexpr double landing_speed = 0.1;  // sqrt(g h)

// A polynomial of order five from x, v, a to its end in time T: its acceleration's rate now is what moves the
// aim.
struct Quintic {
  double c3, c4, c5;
  Quintic(double x, double v, double a, double to, double to_v, double T) {
    const double d = to - x - v * T - 0.5 * a * T * T, dv = (to_v - v - a * T) * T, da = (0 - a) * T * T;
    c3 = (10 * d - 4 * dv + 0.5 * da) / (T * T * T);
    c4 = (-15 * d + 7 * dv - da) / (T * T * T * T);
    c5 = (6 * d - 3 * dv + 0.5 * da) / (T * T * T * T * T);
  }
  void advance(double t, double& x, double& v, double& a) const {
    const double x0 = x, v0 = v, a0 = a;
    x = x0 + t * (v0 + t * (0.5 * a0 + t * (c3 + t * (c4 + t * c5))));
    v = v0 + t * (a0 + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)));
    a = a0 + t * (6 * c3 + t * (12 * c4 + t * 20 * c5));
  }
};

}  // namespace

void LeggedController::swing_feet(double dt, const Terrain& terrain, const LegCommand& command) {
  const LeggedBody& b = *body_;
  const double unit = std::sqrt(b.gravity * b.height);
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (leg.stands || !state.there[i]) continue;
    const double since = state.time - leg.since, left = leg.length - since;
    const double ankle = b.legs[i].ankle;
    const SwingLook look = swing_look(i, command);
    // the highest ground on the way, and how far the ground leaves the straight line of it: by an edge
    const double low = leg.left.z - ankle;
    double top = std::max(low, leg.place.z), edge = 0;
    for (int k = 1; k < 8; ++k) {
      const double u = k / 8.0;
      const double ground = sample(terrain, leg.left.x + (leg.place.x - leg.left.x) * u,
                                   leg.left.y + (leg.place.y - leg.left.y) * u)
                                .height;
      top = std::max(top, ground);
      edge = std::max(edge, std::fabs(ground - (low + (leg.place.z - low) * u)));
    }
    // steep ways up rise first, edges longer and no higher than they must; steep ways down sink last
    const double steps_up = std::clamp((top + ankle - leg.left.z) / (0.2 * b.height), 0.0, 1.0);
    const double steps_down = std::clamp((top - leg.place.z) / (0.2 * b.height), 0.0, 1.0);
    const double climbs = std::min(steps_up, edge / (0.1 * b.height));
    leg.apex = top + look.high * (1 - 0.4 * climbs) + ankle + leg.raise;
    const double later = 0.15 * std::max(climbs, steps_down);
    const double rise_end = (look.peak + later) * leg.length + leg.raised;
    const double level_from = 0.3 * steps_up * leg.length;
    if (left > 0.02 * leg.length) {
      if (since >= level_from) {
        const double ends = std::max(left - 0.15 * steps_down * leg.length, 0.02 * leg.length);
        Quintic x(leg.aim.x, leg.velocity.x, leg.acceleration.x, leg.place.x, 0, ends);
        Quintic y(leg.aim.y, leg.velocity.y, leg.acceleration.y, leg.place.y, 0, ends);
        x.advance(std::min(dt, ends), leg.aim.x, leg.velocity.x, leg.acceleration.x);
        y.advance(std::min(dt, ends), leg.aim.y, leg.velocity.y, leg.acceleration.y);
      }
      if (since < rise_end - 0.02 * leg.length) {
        Quintic z(leg.aim.z, leg.velocity.z, leg.acceleration.z, leg.apex, 0, rise_end - since);
        z.advance(dt, leg.aim.z, leg.velocity.z, leg.acceleration.z);
      } else {
        Quintic z(leg.aim.z, leg.velocity.z, leg.acceleration.z, leg.place.z + ankle, -landing_speed * unit,
                  left);
        z.advance(dt, leg.aim.z, leg.velocity.z, leg.acceleration.z);
      }
    } else {
      leg.velocity = {0, 0, -searching_speed * unit};
      leg.acceleration = {};
      leg.aim.z += leg.velocity.z * dt;
      const Vec3d at = point_position(w_, b.legs[i].foot, b.legs[i].sole);
      leg.aim.z = std::max(leg.aim.z, at.z - 0.1 * b.height);
    }
  }
}

}  // namespace legwork
