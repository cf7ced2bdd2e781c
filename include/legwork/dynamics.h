#pragma once
// Dynamics at a state: what a scientist asks of a body without moving it.
//
//   const Dynamics dynamics(load_world("dog"));
//   const std::vector<double> M = dynamics.mass_matrix(q), qdd = dynamics.forward(q, v, tau);
//
// Coordinates are MuJoCo's: a free joint has q = position, quaternion (w x y z) and v = linear velocity of
// the link's origin in world axes, angular velocity in link axes; a ball joint has a quaternion and the
// angular velocity in link axes; all others are scalars. Matrices are row-major.
//
// All functions may be called by several threads at once. They throw Error for arrays of the wrong size,
// numbers that are not finite and quaternions that are not of unit length (a difference of 1e-3 is taken as
// rounding).

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <legwork/world.h>

namespace legwork {

// A point fixed to a link, in the link's frame.
struct BodyPoint {
  int link = 0;
  Vec3d pos;
};
// By name: a link (its origin), a leg (its sole), a contact point or a label. Throws Error with a suggestion.
BodyPoint find_point(const Creature& creature, const std::string& name);

class Dynamics {
 public:
  // The world's body and gravity; its ground, water and wind do not act here.
  explicit Dynamics(const World& world);
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;
  ~Dynamics();

  using Numbers = std::span<const double>;

  const Creature& creature() const noexcept;
  int nq() const noexcept;
  int nv() const noexcept;

  // M qdd + bias = tau + constraint: forces of closed loops and couplings are the constraint.
  std::vector<double> mass_matrix(Numbers q) const;                      // nv x nv
  std::vector<double> bias(Numbers q, Numbers v) const;                  // gravity, Coriolis, centrifugal
  std::vector<double> forward(Numbers q, Numbers v, Numbers tau) const;  // qdd; loops stay closed
  std::vector<double> inverse(Numbers q, Numbers v, Numbers qdd) const;  // tau, with loops open
  std::vector<double> passive(Numbers q, Numbers v) const;               // of springs, dampers and limits

  Vec3d position(Numbers q, const BodyPoint& point) const;             // m, world
  Vec3d velocity(Numbers q, Numbers v, const BodyPoint& point) const;  // m/s, world axes
  // 6 x nv: rows angular x y z, linear x y z, world axes.
  std::vector<double> jacobian(Numbers q, const BodyPoint& point) const;
  std::vector<double> rotation(Numbers q, int link) const;  // 3 x 3, link to world

  Vec3d center_of_mass(Numbers q) const;               // m, world
  double kinetic_energy(Numbers q, Numbers v) const;   // J
  double potential_energy(Numbers q) const;            // J, zero at the world's origin
  Vec3d linear_momentum(Numbers q, Numbers v) const;   // kg m/s
  Vec3d angular_momentum(Numbers q, Numbers v) const;  // kg m^2/s, about the origin

  // q moved by the velocity v for h seconds, and the velocity that leads from q0 to q1 in one second.
  std::vector<double> integrate(Numbers q, Numbers v, double h) const;
  std::vector<double> difference(Numbers q0, Numbers q1) const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace legwork
