#pragma once
// Convex solids, and where two of them meet: corners, edges and faces alike.
//
// A solid is a polyhedron rounded by a radius: a ball is one corner, a capsule one edge. Cylinders are prisms
// of eight sides and ellipsoids polyhedra of 26 corners, by the points with which they touch the ground.

#include <vector>

#include <legwork/creature.h>
#include "math/vec.h"

namespace legwork {

struct Solid {
  struct Face {
    Plane plane;
    int first = 0, count = 0;  // of `loop`: its corners, counterclockwise seen from outside
  };
  struct Edge {
    int a = 0, b = 0;          // corners
    Vec3d normal_a, normal_b;  // of its two faces; zero where it has none
    bool ridge = true;         // of a triangle: not where the surface goes on level or rises
  };
  std::vector<Vec3d> corners;  // link frame
  std::vector<int> loop;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  double radius = 0;  // m
  // A triangle of a surface: it is met from outside alone, less deep than half its size, and along its own
  // normal except at ridges, so that nothing stumbles over the seams of a level surface.
  bool flat = false;
  Vec3d center;      // of a ball around it, its own radius included
  double bound = 0;  // that ball's radius
  Vec3d middle;      // inside
  int kind = 1, meets = 1;
};

// What a shape touches with: one solid; of a mesh that is not convex, one for each triangle.
std::vector<Solid> make_solids(const Shape& shape);
// A ball.
Solid make_solid(const Vec3d& center, double radius);

// The nearest points of two segments a + s u and b + t v, s and t in [0, 1].
void nearest_on(const Vec3d& a, const Vec3d& u, const Vec3d& b, const Vec3d& v, double& s, double& t);

// Where two solids are closest, or how deep they lie in each other.
struct SolidMeeting {
  Vec3d point;     // world: on the surface of a
  Vec3d normal;    // world, unit, out of b
  double gap = 0;  // m, negative where they overlap
  // What the normal follows: a face of a or b, or (neither) the two edges along u and v.
  enum class Feature { face_of_a, face_of_b, edges, points } feature = Feature::points;
  Vec3d u, v;  // of a and b; an end or a corner has none and the zero vector
  int index = 0;
};

// Room for two placed solids and the pieces of a face. Allocates only beyond its capacity.
struct SolidScratch {
  std::vector<Vec3d> corners[2], polygon, clipped;
};

// Appends every place where the gap of a and b, at (R, p) in the world, is below `reach`. Returns the gap, or
// where it is not below `reach` a bound below it.
double meet_solids(const Solid& a, const Mat3d& Ra, const Vec3d& pa, const Solid& b, const Mat3d& Rb,
                   const Vec3d& pb, double reach, SolidScratch& scratch, std::vector<SolidMeeting>& meetings);

}  // namespace legwork
