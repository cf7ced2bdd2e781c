#pragma once
// Body against body: balls and points of one link against the shapes of another, round shapes (spheres,
// capsules) against each other along their whole length, and where no point of either touches, edges against
// edges and faces (creature/solid.h).
//
// Pairs are all links that can move relative to each other, except neighbours (parent and child, looking
// through fixed joints; links joined by a loop), links that the creature keeps apart, and links of one tree
// that overlap in the reference pose: they are built that way. Shapes touch where their kinds say so
// (Shape::kind); links none of whose parts may touch are no pair. The law is the ground's linear one with the
// softer body's numbers, and bristles for friction; both links feel the same force at the same point, so
// momentum is kept to the last bits. Scalar only: batches refuse worlds that ask for it.

#include <vector>

#include <legwork/world.h>
#include "creature/solid.h"
#include "dynamics/model.h"

namespace legwork {

struct BodyPair {
  int a = 0, b = 0;                   // links, a < b
  double stiffness = 0, damping = 0;  // N/m, N s/m
  // N, 1/m: sharpness > 0 makes the spring of the touch exponential (ContactOptions); the stiffness is
  // then that of the bristle alone
  double strength = 0, sharpness = 0;
  double sink = 0;        // depth at which the damping is complete, m
  double slip_speed = 0;  // m/s, below it restitution fades in
  double mass = 0;        // kg, reduced mass of the two links; one that cannot move counts as fixed
  bool closing = false;   // they push only while they approach
};

struct BodyContacts {
  // A point of a link, or an end of one of its round shapes.
  struct Point {
    Vec3d pos;  // link frame
    double radius = 0;
    bool round = false;  // covered by a round shape: not tested against other round shapes
    int kind = 1, meets = 1;
  };
  // The middle line of a sphere or capsule.
  struct Core {
    Vec3d a, b;  // link frame
    double radius = 0;
    int kind = 1, meets = 1;
  };
  struct Body {
    Vec3d center;             // centre of a sphere around everything, link frame
    double bound = 0;         // its radius
    int kind = 0, meets = 0;  // of all its parts
    std::vector<Point> points;
    std::vector<Core> cores;
    std::vector<Shape> shapes;  // those that touch and are not round; without meshes that are not convex
    std::vector<Shape> rounds;  // in the order of cores
    std::vector<Solid> solids;  // all that touch; of a link without shapes, its balls
  };

  ContactOptions options;  // nothing left to choose
  std::vector<BodyPair> pairs;
  std::vector<Body> bodies;  // one for each link

  bool has_pairs() const { return !pairs.empty(); }
};

BodyContacts make_body_contacts(const Creature& creature, const ContactOptions& options);

// Whether the kinds of two things let them touch.
template <class A, class B>
bool may_touch(const A& a, const B& b) {
  return ((a.kind & b.meets) | (b.kind & a.meets)) != 0;
}

// A touch in progress and its bristle. Which one: the pair, then side 0 (a's point), 1 (b's point), 2 (two
// round shapes) or 3 (two solids) with the number of the point, of the two cores or of the two features.
struct BodyTouch {
  int pair = 0, side = 0, index = 0;
  Vec3d point, anchor;  // the two ends: in the frame of the link that touches, and of the other
};

// What is remembered between steps. Copy to back up, assign to restore: allocates only beyond its capacity.
struct BodyContactState {
  std::vector<BodyTouch> touches;
  std::vector<BodyTouch> coming;  // those of the step being computed; empty between steps
};

struct BodyContactRecord {
  int link = 0, other = 0;
  Vec3d point, force;  // world: where, and the force on link; the other feels its opposite
  double depth = 0, slip = 0;
};

// Where two links meet: the first one's part lies in the second one's.
struct BodyMeeting {
  int link, other;
  int side, index;
  Vec3d x, n;  // world; n leads from other to link
  double depth;
};

// Room for the meetings of a pair. Allocates only beyond its capacity.
struct BodyContactScratch {
  std::vector<BodyMeeting> meetings;
  std::vector<SolidMeeting> solids;
  SolidScratch placed;
};

// Adds the forces to w.f_ext. Explicit: with n touches of a pair, stiffness and damping count at most as
// mass / (2 n h^2) and mass / (4 n h), so that a step too long for them softens the touch instead of blowing
// up. records: null, or cleared and filled (allocates only beyond its capacity). next: as in
// add_contact_forces; may be &state.
void add_body_contact_forces(const Model<double>& m, const BodyContacts& contacts,
                             const BodyContactState& state, double h, Workspace<double>& w,
                             BodyContactScratch& scratch, std::vector<BodyContactRecord>* records,
                             BodyContactState* next) noexcept;

// Energy stored in the touches and their bristles, J, with the stiffness that a step h allows.
double body_contact_energy(const BodyContacts& contacts, const BodyContactState& state, double h,
                           const Workspace<double>& w, BodyContactScratch& scratch) noexcept;

}  // namespace legwork
