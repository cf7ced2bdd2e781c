#pragma once
// Water and wind: the pressure of a medium on the faces of a creature's links.
//
// world.h has the laws.

#include <string>
#include <utility>
#include <vector>

#include <legwork/world.h>
#include "dynamics/model.h"

namespace legwork {

// A piece of a link's surface.
template <class T>
struct Patch {
  int link = 0;
  Vec3<T> pos, normal;  // link frame
  T area;               // m^2
};
// The surface of all links that can move, shape by wet shape: where shapes of a link overlap, both count.
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
