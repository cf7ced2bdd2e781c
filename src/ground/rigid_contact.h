#pragma once
// Rigid unilateral contact with Coulomb friction: which points touch, and the forces that go with it.
//
// Contact points of links touch the ground (balls roll on it); solids of links touch those of others, by
// corners, edges and faces (creature/solid.h).
// For each touch with normal n (out of the other body), normal force f and acceleration a apart:
//   f >= 0, a >= 0, f a = 0;   sliding: friction is mu f against the slip;   holding: at most mu f, and
//   exactly that against the slip that begins.
// The same conditions with impulses and velocities (after minus before, times one plus restitution) are an
// impact, or a step of Moreau's. Solved by projected Gauss-Seidel, one touch at a time, until it is known
// which touches hold, slide or part; then exactly, as linear equations.

#include <vector>

#include "ground/body_contact.h"
#include "ground/contact.h"
#include "math/quadratic_problem.h"

namespace legwork {

struct RigidTouch {
  int link = 0, other = -1;  // -1: the ground
  int site = -1;             // contact point of the creature; -1: between links
  Vec3d point;               // world: where it touches
  Vec3d normal;              // world, unit, from other to link
  Vec3d turning;             // 1/s: how fast the normal changes
  double radius = 0;         // by which link's part is rounded: a ball rolls, m
  double other_radius = 0;   // and the other's
  double gap = 0;            // m
  Vec3d slip;                // m/s: velocity of link's point relative to the other's
  Vec3d tangent[2];
};

class RigidContacts {
 public:
  RigidContacts() = default;
  // Links touch each other as they would by springs (BodyContacts): whoever uses this leaves those out.
  RigidContacts(const Creature& body, const ContactOptions& options, bool between_links);
  explicit RigidContacts(BodyContacts links);

  // Every touch whose gap is below `reach`, and the smallest gap of all that are not. off: contact points
  // that feel no ground, or none.
  void update(const Contacts<double>& contacts, const Terrain& terrain, const std::vector<char>& off,
              const Workspace<double>& w, double reach);
  // Those between links alone.
  void update_links(const Workspace<double>& w, double reach);
  std::vector<RigidTouch> touches;
  double nearest = 0;  // m
  bool has_pairs() const { return links_.has_pairs(); }

 private:
  void touch_links(const BodyPair& pair, const Workspace<double>& w, double reach);
  BodyContacts links_;
  SolidScratch scratch_;
  std::vector<SolidMeeting> meetings_;
};

// A contact problem: rows of a touch are normal, tangent, tangent.
struct ContactProblem {
  int touches = 0;
  std::vector<double> A, b;   // response and acceleration (or velocity) without forces, minus what is wanted
  std::vector<double> mu;     // per touch
  std::vector<char> sliding;  // per touch
  std::vector<double> slide;  // 2 per touch: unit direction of slip, where sliding
  std::vector<double> f;      // in: a guess; out
  int rows() const { return 3 * touches; }
  void resize(int touch_count);
};

// Fills f. Returns the largest violation of the conditions, in units of b. steady: what held, slid and parted
// in the guess is tried first, and friction turns until it is exactly against the slip; else both come out of
// the iteration, as near as it goes.
double solve_contacts(ContactProblem& problem, QuadraticProblem& scratch, bool steady);

}  // namespace legwork
