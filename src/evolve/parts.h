#pragma once
// A body in parts: each link with all that sits on it, known by names. So limbs can be cut off, copied and
// moved.

#include <optional>
#include <string>
#include <vector>

#include <legwork/creature.h>
#include "base/random.h"

namespace legwork::evolution {

// A sensor or actuator on a part. Degrees of freedom count from the part's first; what it reaches to is a
// name.
template <class T>
struct Fitting {
  T item;
  std::string other;  // part, where it spans two; else empty
};

struct Part {
  Link link;                  // without its parent's index
  std::string parent;         // empty: the root
  std::vector<double> stand;  // its coordinates in the pose stand
  std::vector<ContactPoint> contacts;
  std::vector<Label> labels;
  std::vector<Fitting<Sensor>> sensors;
  std::vector<Fitting<Actuator>> actuators;
};

struct Body {
  Creature frame;           // name, world, step: all that does not sit on a link
  std::vector<Part> parts;  // parents first; the root is the first

  Part* find(const std::string& name);
  const Part* find(const std::string& name) const;
  // A part and all that hangs on it, parents first.
  std::vector<std::string> subtree(const std::string& name) const;
  void remove(const std::string& name);  // with all that hangs on it
  // Parts that hang on the root.
  std::vector<std::string> limbs() const;
};

// Throws Error for a body that cannot change: several roots, loops, tendons or coupled joints.
// Names are made anew, so that sensors and actuators of a child are known by those of its parent: sided names
// (creature/side.h) are those of mirrored pairs and no others.
Body take_apart(const Creature& creature);

// The whole again: left twins of right parts, contact points, legs as they are seen, its feet on the ground.
// None where check() refuses it.
std::optional<Creature> put_together(const Body& body);

// A name for a new limb that no part has: "r3" of a mirrored pair, or "m3".
std::string fresh_prefix(const Body& body, bool paired);

}  // namespace legwork::evolution
