#pragma once
// Rigid-body dynamics of trees after Featherstone, Rigid Body Dynamics Algorithms (2008): one function a
// question.
//
// Call update_positions after q changed and update_velocities after v changed; the rest read the workspace.
// Nothing here allocates, throws or looks at joint types, except update_positions and integrate_positions.

#include "dynamics/model.h"

namespace legwork {

// Kinematics: fills R, p, r, c, I, S.
template <class T>
void update_positions(const Model<T>& m, const T* q, Workspace<T>& w) noexcept;
// Fills vel and bias; needs positions.
template <class T>
void update_velocities(const Model<T>& m, const T* q, const T* v, Workspace<T>& w) noexcept;

// f_ext = 0, I_ext = 0, d_ext = 0, implicit = false.
template <class T>
void clear_forces(const Model<T>& m, Workspace<T>& w) noexcept;

// Articulated-body algorithm (ch. 7): qdd from tau, f_ext and gravity. O(nlink).
template <class T>
void forward_dynamics(const Model<T>& m, const T* tau, Workspace<T>& w, T* qdd) noexcept;
// The same where some accelerations are given and their torques wanted: where prescribed[j] != 0,
// qdd[j] is read and tau[j] is filled (McKenna eq. 45 for a moved root: the force is IA a + p, with the whole
// p).
template <class T>
void hybrid_dynamics(const Model<T>& m, const char* prescribed, T* tau, Workspace<T>& w, T* qdd) noexcept;
// After either: the whole force that a link receives through its joint, world axes, about the link's origin.
template <class T>
Wrench<T> joint_wrench(const Workspace<T>& w, int link) noexcept;
// x = M^-1 b with the factors that forward_dynamics left (implicit additions included). O(nlink).
template <class T>
void solve_mass_matrix(const Model<T>& m, Workspace<T>& w, const T* b, T* x) noexcept;
// The same where -pA holds forces on the links beside the torques b (null = none); acc receives
// the links' response.
template <class T>
void propagate_forces(const Model<T>& m, Workspace<T>& w, const T* b, T* x) noexcept;

// Recursive Newton-Euler (ch. 5): tau that gives qdd under f_ext and gravity. With qdd = null: the bias
// forces.
template <class T>
void inverse_dynamics(const Model<T>& m, const T* qdd, Workspace<T>& w, T* tau) noexcept;
// Composite-rigid-body algorithm (ch. 6): the mass matrix, nv x nv row-major, both triangles.
template <class T>
void mass_matrix(const Model<T>& m, Workspace<T>& w, T* M) noexcept;

// q' = q (+) v h: the exponential map for quaternions, sums elsewhere. q and q_new may be the same.
template <class T>
void integrate_positions(const Model<T>& m, const T* q, const T* v, const T& h, T* q_new) noexcept;
// v such that integrate_positions(q0, v, 1) = q1.
template <class T>
void difference_positions(const Model<T>& m, const T* q0, const T* q1, T* v) noexcept;
// Unit length for all quaternions in q.
template <class T>
void normalize_positions(const Model<T>& m, T* q) noexcept;

// A point fixed to a link (link frame), in world axes.
template <class T>
Vec3<T> point_position(const Workspace<T>& w, int link, const Vec3<T>& point) noexcept;
template <class T>
Vec3<T> point_velocity(const Workspace<T>& w, int link, const Vec3<T>& point) noexcept;
// Jacobian of a link's origin shifted to the point: rows angular x y z, linear x y z; 6 x nv row-major.
template <class T>
void point_jacobian(const Model<T>& m, const Workspace<T>& w, int link, const Vec3<T>& point, T* J) noexcept;
// (dJ/dt) v: acceleration of the point at qdd = 0: angular, then linear (classical, not spatial).
template <class T>
Twist<T> point_bias(const Model<T>& m, Workspace<T>& w, int link, const Vec3<T>& point) noexcept;
// A force (world axes) at a point of a link, added to f_ext.
template <class T>
void add_force(Workspace<T>& w, int link, const Vec3<T>& point, const Vec3<T>& force) noexcept;

// Kinetic energy of the links and of the joints' armature.
template <class T>
T kinetic_energy(const Model<T>& m, const T* v, const Workspace<T>& w) noexcept;
// Energy in the field of gravity; zero at the world's origin.
template <class T>
T potential_energy(const Model<T>& m, const Workspace<T>& w) noexcept;
template <class T>
T total_mass(const Model<T>& m) noexcept;
template <class T>
Vec3<T> center_of_mass(const Model<T>& m, const Workspace<T>& w) noexcept;
// Linear momentum alone, the total mass times the velocity of the centre of mass, for less work.
template <class T>
Vec3<T> linear_momentum(const Model<T>& m, const Workspace<T>& w) noexcept;
// Linear momentum, and angular momentum about the world's origin.
template <class T>
Wrench<T> momentum(const Model<T>& m, const Workspace<T>& w) noexcept;

}  // namespace legwork
