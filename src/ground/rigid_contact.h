#pragma once
// Rigid unilateral contact with Coulomb friction: which points touch, and the forces that go with it.
//
// Contact points of links touch the ground (balls roll on it); boxes touch boxes where their faces overlap.
// For each touch with normal n (out of the other body), normal force f and acceleration a apart:
//   f >= 0, a >= 0, f a = 0;   sliding: friction is mu f against the slip;   holding: at most mu f, and
//   exactly that against the slip that begins.
// The same conditions with impulses and velocities (after minus before, times one plus restitution) are an
// impact, or a step of Moreau's. Solved by projected Gauss-Seidel, one touch at a time, until it is known
// which touches hold, slide or part; then exactly, as linear equations.

#include <vector>

#include "ground/contact.h"
#include "math/quadratic_problem.h"

namespace legwork {

struct RigidTouch {
  int link = 0, other = -1;  // -1: the ground
  int site = -1;             // contact point of the creature; -1: between boxes
  Vec3d point;               // world: where it touches
  Vec3d normal;              // world, unit, from other to link; turns with `face`
  int face = -1;             // link whose face it is; -1: the ground
  double radius = 0;         // radius of a ball that rolls, m
  double gap = 0;            // m
  Vec3d slip;                // m/s: velocity of link's point relative to the other's
  Vec3d tangent[2];
};

// Whether boxes alone make up what touches of a link: then its contact with others like it is rigid, too.
bool touches_by_boxes(const Link& link);

class RigidContacts {
 public:
  RigidContacts() = default;
  RigidContacts(const Creature& body, const Model<double>& model, bool between_bodies);

  // Every touch whose gap is below `reach`, and the smallest gap of all that are not. off: contact points
  // that feel no ground, or none.
  void update(const Contacts<double>& contacts, const Terrain& terrain, const std::vector<char>& off,
              const Workspace<double>& w, double reach);
  std::vector<RigidTouch> touches;
  double nearest = 0;  // m
  bool has_pairs() const { return !pairs_.empty(); }

 private:
  struct Box {
    int link;
    Vec3d pos, half;  // link frame
    Mat3d rot;
  };
  struct Pair {
    int a, b;  // boxes
  };
  void touch_boxes(const Workspace<double>& w, const Box& a, const Box& b, double reach);
  std::vector<Box> boxes_;
  std::vector<Pair> pairs_;
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
