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

// The box of a link's inertia.
template <class T>
struct DragBox {
  int link = 0;
  Vec3<T> edges;  // full, along the principal axes
  Mat3<T> axes;   // those, as columns in the link's frame
};
std::vector<DragBox<double>> make_drag_boxes(const Creature& creature);
std::vector<DragBox<Batch>> make_batch_drag_boxes(const std::vector<const Creature*>& creatures);

// MuJoCo's drag on boxes (mj_inertiaBoxFluidModel), added to w.f_ext; with w.implicit also its I_ext.
template <class T>
void add_box_drag(const Model<T>& m, const std::vector<DragBox<T>>& boxes, const Medium& medium, const T& h,
                  Workspace<T>& w) noexcept;

// Adds to w.f_ext; with w.implicit also the drag's I_ext for a step h. Needs positions and velocities in w.
template <class T>
void add_medium_forces(const Model<T>& m, const Skin<T>& skin, const Medium& medium, const T& h,
                       Workspace<T>& w) noexcept;

}  // namespace legwork
