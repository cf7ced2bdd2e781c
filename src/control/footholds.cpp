// Where feet land.

#include "control/legged_controller.h"

#include <algorithm>
#include <cmath>

#include "control/controller_parts.h"
#include "ground/terrain.h"

namespace legwork {

using namespace controller;

namespace {

constexpr double longest_step_aside = 0.5;  // h
// How much further aside feet step that are points: within them no pressure shifts to make good what a step
// as far as the body is off would only keep.
constexpr double over_step = 1.4;
constexpr double least_gap = 0.12;                          // h between feet
constexpr double edge_distance = 0.06, edge_height = 0.04;  // h: feet keep away from edges higher than this

}  // namespace

// The place nearest to a foothold where the ground does not break off under the sole: edges are told from
// slopes by how the heights on opposite sides differ from the middle's.
Vec2 LeggedController::clear_of_edges(size_t i, const Vec2& at, const Terrain& terrain) const {
  const LeggedBody& b = *body_;
  if (terrain.type == TerrainType::plane || terrain.type == TerrainType::slope ||
      terrain.type == TerrainType::none)
    return at;
  const double h = b.height, r = edge_distance * h + b.legs[i].size + b.legs[i].ankle;
  double s, c;
  sin_cos(state.yaw, s, c);
  const Vec2 ahead{c, s}, left{-s, c};
  const auto height = [&](const Vec2& p) { return sample(terrain, p.x, p.y).height; };
  const auto edge = [&](const Vec2& p) {
    const double z = 2 * height(p);
    return std::max(std::fabs(height(p + ahead * r) + height(p - ahead * r) - z),
                    std::fabs(height(p + left * r) + height(p - left * r) - z));
  };
  const double here = edge(at);
  if (here < edge_height * h) return at;
  Vec2 best = at;
  double least = here / h + 0.0;
  for (int j = -6; j <= 6; ++j)
    for (int k = -2; k <= 2; ++k) {
      const Vec2 p = at + ahead * (0.05 * h * j) + left * (0.05 * h * k);
      const double e = std::max(edge(p) - edge_height * h, 0.0) / h;
      const double cost = 3 * e + 0.05 * (std::abs(j) + std::abs(k)) * 0.5;
      if (j == -6 && k == -2) least = 3 * std::max(here - edge_height * h, 0.0) / h;
      if (cost < least) least = cost, best = p;
    }
  return best;
}

// On the ground, within reach, clear of other feet.
Vec3d LeggedController::settle_foothold(size_t i, Vec2 at, double touch_time, const Terrain& terrain) {
  const LeggedBody& b = *body_;
  const LimbOfBody& leg = b.legs[i];
  const Mat3d heading = about_z(state.yaw);
  // no nearer to another foot, along the line between their homes, than the gap
  for (size_t j = 0; j < b.legs.size(); ++j) {
    if (j == i || !state.there[j]) continue;
    const Vec3d apart = leg.home - b.legs[j].home;
    const double far = norm(apart);
    if (far < 1e-6 * b.height) continue;
    const Vec3d u = heading * apart * (1 / far);
    const double gap = std::min(0.5 * far, least_gap * b.height + 0.7 * (leg.size + b.legs[j].size));
    const Vec2 other = level(state.legs[j].place);
    const double now = dot(at - other, {u.x, u.y});
    const double across = norm(at - other - Vec2{u.x, u.y} * now);
    if (now < gap && across < 2 * gap) at = at + Vec2{u.x, u.y} * (gap - now);
  }
  at = clear_of_edges(i, at, terrain);
  // within reach of the hip at touch-down
  const int k = std::clamp(int(touch_time / node_), 0, horizon_nodes);
  const Mat3d R = matrix(rotation_quaternion(state.tilt)) * heading * b.upright;
  const Vec3d hip = R * leg.hip_point - heading * b.com;
  const Vec2 below = drift_[size_t(k)] + Vec2{hip.x, hip.y};
  const double height = hip.z + state.ground.at(com_, below.x, below.y) + b.height - state.crouch;
  GroundSample g = sample(terrain, at.x, at.y);
  const double down = height - g.height - leg.ankle;
  const double reach = 0.97 * leg.reach;
  const double far = std::sqrt(std::max(reach * reach - down * down, 0.01 * reach * reach));
  // a longer step needs a lower hip
  const double asked = std::min(norm(at - below), 0.9 * reach);
  if (asked > far) stretch_ = std::max(stretch_, down - std::sqrt(reach * reach - asked * asked));
  at = below + limited(at - below, far);
  g = sample(terrain, at.x, at.y);
  return {at.x, at.y, g.height};
}

void LeggedController::choose_footholds(const Terrain& terrain) {
  const LeggedBody& b = *body_;
  stretch_ = 0;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (leg.stands || !state.there[i]) continue;
    const double lands = until_landing(i);
    if (lands < freeze / b.rate) continue;
    const double at_node = std::min(lands / node_, horizon_nodes - 1.0);
    const size_t k = size_t(at_node);
    const double u = at_node - double(k);
    const Vec2 xi = predicted_[k] + (predicted_[k + 1] - predicted_[k]) * u;
    const Vec2 ref = nodes_[k].xi + (nodes_[k + 1].xi - nodes_[k].xi) * u;
    const Vec2 aside =
        limited((xi - ref) * (b.legs[i].size > 0 ? 1 : over_step), longest_step_aside * b.height);
    leg.place = settle_foothold(i, nominal(i, lands) + aside, lands, terrain);
  }
}

}  // namespace legwork
