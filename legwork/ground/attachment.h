#pragma once
// Attachments: springs between two points that break for good when stretched beyond a length.
//
// Along the line between the points, with stretch s = length - rest > 0 or < 0:
//   linear        -stiffness s
//   exponential   -sign(s) stiffness (e^(sharpness |s|) - 1)    (McKenna 1990, section 4.4)
// plus -damping times the rate of stretch. The two forces are equal and opposite.

#include <vector>

#include "legwork/dynamics/model.h"

namespace legwork {

template <class T>
struct AttachmentSpring {
  int link = 0, other = -1;  // -1: the world
  bool exponential = false;
  Vec3<T> pos, other_pos;  // link frames; world
  T stiffness, sharpness, damping, rest, break_length;
};

template <class T>
std::vector<AttachmentSpring<T>> make_attachments(const Creature& creature);
std::vector<AttachmentSpring<Batch>> make_batch_attachments(const std::vector<const Creature*>& creatures);

// 1 where it broke. Set-up: as many zeros as springs.
template <class T>
using AttachmentState = std::vector<T>;

// Marks those that are stretched beyond their length: once per accepted step. Needs positions in w.
// Returns how many of lane 0's broke now (for events: compare the states).
template <class T>
void break_attachments(const std::vector<AttachmentSpring<T>>& springs, const Workspace<T>& w,
                       AttachmentState<T>& broken) noexcept;

// Adds the forces of all that hold; with w.implicit also I_ext and -h K v of each end (the coupling of the
// two ends stays explicit).
template <class T>
void add_attachment_forces(const std::vector<AttachmentSpring<T>>& springs, const AttachmentState<T>& broken,
                           const T& h, Workspace<T>& w) noexcept;

template <class T>
T attachment_energy(const std::vector<AttachmentSpring<T>>& springs, const AttachmentState<T>& broken,
                    const Workspace<T>& w) noexcept;

}  // namespace legwork
