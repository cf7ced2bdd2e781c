#pragma once
// Body against body: balls, points and capsules of one link against the shapes of another.
//
// Pairs are all links that can move relative to each other, except parent and child (looking through fixed
// joints), links joined by a loop, and those that overlap in the reference pose: they are built that way.
// Scalar only: batches refuse creatures that need it (has_pairs).

#include <vector>

#include "legwork/dynamics/model.h"
#include "legwork/ground/contact_options.h"

namespace legwork {

struct BodyPair {
  int a = 0, b = 0;                   // links, a < b
  double stiffness = 0, damping = 0;  // N/m, N s/m: from the lighter body and the smaller size
  double mass = 0;                    // m_a m_b / (m_a + m_b); a link that cannot move weighs infinitely much
};

// A point that was in contact and its bristle, kept between steps.
struct BodyTouch {
  int pair = 0, side = 0, point = 0;  // identity: which link's which point against the other
  Vec3d anchor;                       // on the touched link, in its frame
};

struct BodyContacts {
  ContactOptions options;
  std::vector<BodyPair> pairs;
  // per link
  std::vector<Vec3d> center;  // bounding sphere, link frame
  std::vector<double> bound;  // its radius
  std::vector<std::vector<ContactPoint>> points;
  std::vector<const std::vector<Shape>*> shapes;  // of the creature, which must outlive this

  bool has_pairs() const { return !pairs.empty(); }
};

BodyContacts make_body_contacts(const Creature& creature, const ContactOptions& options);

struct BodyContactRecord {
  int link = 0, other = 0;
  Vec3d point, force;  // world: where, and the force on link; the other gets its opposite
  double depth = 0, slip = 0;
};

// Touches in progress; reserve at set-up. Copy to back up, assign to restore.
struct BodyContactState {
  std::vector<BodyTouch> touches;
};

// Adds equal and opposite forces to w.f_ext. Explicit: no force exceeds what would reverse the approach of
// the two links' own masses within a step h (stiffness <= mass / h^2, damping <= mass / h). records: null, or
// cleared and filled. next: as in add_contact_forces.
void add_body_contact_forces(const Model<double>& m, const BodyContacts& contacts,
                             const BodyContactState& state, double h, Workspace<double>& w,
                             std::vector<BodyContactRecord>* records, BodyContactState* next) noexcept;

}  // namespace legwork
