#pragma once
// Attachments: springs between two points that break for good when stretched beyond a length.
//
// Along the line between the points, with stretch s = length - rest > 0 or < 0:
//   linear        -stiffness s
//   exponential   -sign(s) stiffness (e^(sharpness |s|) - 1)    (McKenna 1990, section 4.4)
// times the restitution while it goes back to rest, plus -damping times the rate of stretch. The two forces
// are equal and opposite.

#include <vector>

#include "dynamics/model.h"

namespace legwork {

template <class T>
struct AttachmentSpring {
  int link = 0, other = -1;  // -1: the world
  bool exponential = false;
  Vec3<T> pos, other_pos;  // link frames; world
  T stiffness, sharpness, damping, rest, break_length, restitution;
};

std::vector<AttachmentSpring<double>> make_attachments(const Creature& creature);
// Lane i is creature[i]; fewer than eight: the last fills the rest. All must share one topology.
std::vector<AttachmentSpring<Batch>> make_batch_attachments(const std::vector<const Creature*>& creatures);

// 1 where it broke. Set-up: as many zeros as springs.
template <class T>
using AttachmentState = std::vector<T>;

// Marks those that are longer than their break_length: once per accepted step. Needs positions in w.
template <class T>
void break_attachments(const std::vector<AttachmentSpring<T>>& springs, const Workspace<T>& w,
                       AttachmentState<T>& broken) noexcept;

// Adds the forces of all that hold. With w.implicit, springs to the world look a step h ahead (see
// contact.cpp). Those between two links stay explicit, since the force must be equal and opposite; stiffness
// and damping count at most as m / (4 h^2) and m / (4 h), where m is the reduced mass of the two links, so
// that a step too long for the spring weakens it instead of blowing up.
template <class T>
void add_attachment_forces(const Model<T>& m, const std::vector<AttachmentSpring<T>>& springs,
                           const AttachmentState<T>& broken, const T& h, Workspace<T>& w) noexcept;

template <class T>
T attachment_energy(const std::vector<AttachmentSpring<T>>& springs, const AttachmentState<T>& broken,
                    const Workspace<T>& w) noexcept;

}  // namespace legwork
