#include "motion/fallen.h"

#include <algorithm>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"

namespace legwork {

namespace {

constexpr double steepest = 0.5;  // cosine

}  // namespace

StandingBody standing_in(const Creature& c, const Model<double>& model, const std::vector<double>& q) {
  Workspace<double> w(model);
  update_positions(model, q.data(), w);
  StandingBody standing;
  standing.root = c.legs.empty() ? 0 : root_of(c, c.legs[0].hip);
  for (const Leg& leg : c.legs) standing.hips.push_back(leg.hip);
  standing.upright = w.R[size_t(standing.root)];
  double ground = unlimited;
  for (const ContactPoint& point : c.contacts)
    ground = std::min(ground, point_position(w, point.link, point.pos).z - point.radius);
  if (!c.contacts.empty()) standing.height = center_of_mass(model, w).z - ground;
  return standing;
}

double ground_below(const StandingBody& standing, const Model<double>& model, const Terrain& terrain,
                    const Workspace<double>& w) noexcept {
  const Vec3d com = center_of_mass(model, w);
  if (standing.hips.empty()) return sample(terrain, com.x, com.y).height;
  double sum = 0;
  for (const int hip : standing.hips) sum += sample(terrain, w.p[size_t(hip)].x, w.p[size_t(hip)].y).height;
  return sum / double(standing.hips.size());
}

bool has_fallen(const StandingBody& standing, const Model<double>& model, const Terrain& terrain,
                const Workspace<double>& w) noexcept {
  return has_fallen(standing, w.R[size_t(standing.root)],
                    center_of_mass(model, w).z - ground_below(standing, model, terrain, w));
}

bool has_fallen(const StandingBody& standing, const Mat3d& root, double height) noexcept {
  const Mat3d turned = root * transpose(standing.upright);
  return turned(2, 2) < steepest || height < standing.lowest * standing.height;
}

}  // namespace legwork
