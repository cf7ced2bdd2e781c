#include "motion/fallen.h"

#include <algorithm>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"

namespace legwork {

namespace {

constexpr double lowest = 0.5;    // share of the height
constexpr double steepest = 0.5;  // cosine

}  // namespace

Standing standing_in(const Creature& c, const Model<double>& model, const std::vector<double>& q) {
  Workspace<double> w(model);
  update_positions(model, q.data(), w);
  Standing standing;
  standing.root = c.legs.empty() ? 0 : root_of(c, c.legs[0].hip);
  standing.upright = w.R[size_t(standing.root)];
  double ground = unlimited;
  for (const ContactPoint& point : c.contacts)
    ground = std::min(ground, point_position(w, point.link, point.pos).z - point.radius);
  if (!c.contacts.empty()) standing.height = center_of_mass(model, w).z - ground;
  return standing;
}

bool has_fallen(const Standing& standing, const Model<double>& model, const Terrain& terrain,
                const Workspace<double>& w) noexcept {
  const Vec3d com = center_of_mass(model, w);
  const Mat3d turned = w.R[size_t(standing.root)] * transpose(standing.upright);
  return turned(2, 2) < steepest || com.z - sample(terrain, com.x, com.y).height < lowest * standing.height;
}

}  // namespace legwork
