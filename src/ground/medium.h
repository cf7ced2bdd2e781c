#pragma once
// Water and wind: the pressure of a medium on the faces of a creature's links.
//
// Over every patch of surface with outward unit normal N, area dA and velocity v relative to the medium:
//   viscous   -drag (v . N) N dA          (van de Panne and Fiume 1993, section 3.4, the fish)
//   inertial  -1/2 density coefficient (v . N)^2 N dA, only where v . N > 0: the patch drives into the medium
//   pressure  of the medium at rest, density |g| times the depth, when buoyancy is on: what is displaced
//   lifts
// With a surface the medium ends at that height (a pond).

#include <string>
#include <utility>
#include <vector>

#include "dynamics/model.h"

namespace legwork {

struct Medium {
  double density = 0;      // kg/m^3; 0 = none
  double coefficient = 1;  // of the inertial part
  double drag = 0;         // N s/m^3, of the viscous part
  Vec3d velocity;          // of the medium: current, wind; world, m/s
  bool buoyancy = false;
  double surface = unlimited;  // height where it ends, m

  bool acts() const { return density > 0 || drag > 0; }
};

template <class Visitor>
void describe(Visitor& v, Medium& o) {
  v.number("density", o.density, {0, 1e6, "kg/m^3", "0 = none"});
  v.number("coefficient", o.coefficient, {0, 1e6, "1", "of the inertial part"});
  v.number("drag", o.drag, {0, 1e12, "N s/m^3", "of the viscous part"});
  v.number("vx", o.velocity.x, {-1e4, 1e4, "m/s", "of the medium"});
  v.number("vy", o.velocity.y, {-1e4, 1e4, "m/s", "of the medium"});
  v.number("vz", o.velocity.z, {-1e4, 1e4, "m/s", "of the medium"});
  v.flag("buoyancy", o.buoyancy, "what is displaced lifts");
  v.number("surface", o.surface, {-1e9, unlimited, "m", "height where it ends"});
}

// medium_choices lists the texts. Throws Error.
Medium parse_medium(const std::string& spec);
// The text that parse_medium reads back to the same medium.
std::string to_text(const Medium& medium);
std::vector<std::pair<std::string, std::string>> medium_choices();

// A piece of a link's surface.
template <class T>
struct Patch {
  int link = 0;
  Vec3<T> pos, normal;  // link frame
  T area;               // m^2
};
// Of all links that can move, shape by wet shape: where shapes of a link overlap, both count.
template <class T>
using Skin = std::vector<Patch<T>>;

Skin<double> make_surface(const Creature& creature);
// Lane i is creature[i]; fewer than eight: the last fills the rest. All must share one topology.
Skin<Batch> make_batch_surface(const std::vector<const Creature*>& creatures);

// Adds to w.f_ext; with w.implicit also the drag's I_ext for a step h. Needs positions and velocities in w.
template <class T>
void add_medium_forces(const Model<T>& m, const Skin<T>& skin, const Medium& medium, const T& h,
                       Workspace<T>& w) noexcept;

}  // namespace legwork
