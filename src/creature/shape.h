#pragma once
// The geometry of shapes: mass, extent, contact points, distance, surface. All results are in the link's
// frame.

#include <legwork/creature.h>
#include "creature/mesh.h"
#include "math/vec.h"

namespace legwork {

// Two bodies as one (Steiner's parallel-axis theorem).
MassProperties operator+(const MassProperties& a, const MassProperties& b);

// Mass, centre and inertia of a homogeneous solid of the shape's density. A mesh must have no mesh_fault.
MassProperties mass_properties(const Shape& shape);

// The farthest point of the shape (for a mesh: of its hull) in a direction, which need not be unit.
Vec3d support(const Shape& shape, const Vec3d& direction) noexcept;

struct Box {
  Vec3d lower{unlimited, unlimited, unlimited}, upper{-unlimited, -unlimited, -unlimited};
};
void extend(Box& box, const Vec3d& point);
void extend(Box& box, const Box& other);

// The tightest box, in axes into which R and p carry the link's frame.
Box bounding_box(const Shape& shape, const Mat3d& R = Mat3d::identity(), const Vec3d& p = {});

// Balls and points by which a shape touches the ground. Box: corners. Sphere: its centre. Capsule: the two
// ends. Cylinder: 8 points a rim. Ellipsoid: the 26 support points of the directions with components -1,
// 0, 1. Mesh: at most 32 vertices of its hull, the extreme ones first.
struct Ball {
  Vec3d pos;
  double radius = 0;
};
std::vector<Ball> contact_balls(const Shape& shape);
// At most `most` points that best stand for a mesh's hull, in the mesh's frame.
std::vector<Vec3d> extreme_points(const Mesh& mesh, int most);

// Signed distance of a point from the surface, negative inside, and the outward unit normal at the surface's
// nearest point. Exact but for a mesh: there the largest signed distance from the planes of its hull, exact
// inside and over faces, smaller than the truth beyond edges. Needs Mesh::hull.
struct ShapeDistance {
  double distance = unlimited;
  Vec3d normal;
};
ShapeDistance distance(const Shape& shape, const Vec3d& point) noexcept;

// A closed surface to draw; `detail` is the number of segments around. A mesh is as given.
Mesh surface(const Shape& shape, int detail = 24);

}  // namespace legwork
