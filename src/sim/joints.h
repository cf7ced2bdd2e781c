#pragma once
// What acts inside the joints: springs, dampers and limits.
//
// Every degree of freedom has a position x: the coordinate itself, or for the three of a rotation (ball,
// free) the components of its rotation vector r in link axes, R = R_ref exp([r]). Springs and limits are
// potentials V(x), so a ball joint with stiffness k on each axis has the potential k |r|^2 / 2.
//
// The implicit form looks one step of h ahead, as Baraff and Witkin and Kry's equation 6 do, in joint
// coordinates:
//   tau(x + h v', v') with v' = v + h qdd  is  tau - h k v - (h b + h^2 k) qdd,   k = -dtau/dx, b = -dtau/dv,
// so that h b + h^2 k joins the joint's own inertia in the articulated-body algorithm, at no cost in order.

#include <vector>

#include "dynamics/model.h"

namespace legwork {

template <class T>
struct JointForces {
  // Three degrees of freedom that are one rotation: where its quaternion and its angular velocity begin.
  struct Rotation {
    int q, v;
    Quat<T> reference;
  };

  int nv = 0;
  std::vector<int> coordinate;  // nv: index in q, or -1: part of a rotation
  std::vector<Rotation> rotations;
  // what is there at all, in any lane; the rest is skipped
  std::vector<char> has_spring, has_exponential, has_limit;
  std::vector<T> stiffness, rest;      // linear spring
  std::vector<T> strength, sharpness;  // exponential spring: strength (e^(sharpness |x|) - 1)
  std::vector<T> damper;
  std::vector<T> lower, upper, limit_stiffness, limit_damping;
};

// A limit whose stiffness is not given (0) gives way by 0.05 rad (or 2 % of the range of a slide) when the
// weight of the whole tree hangs on it at the radius of gyration of what the joint moves; its damping is half
// critical.
JointForces<double> make_joint_forces(const Creature& creature, const Model<double>& model);
// Lane i is forces[i]; fewer than eight: the last fills the rest.
JointForces<Batch> make_batch_joint_forces(const std::vector<JointForces<double>>& forces);

// x: nv positions as above.
template <class T>
void joint_positions(const JointForces<T>& joints, const T* q, T* x) noexcept;

// Adds the joints' torques to tau (nv). With implicit: looks h ahead and adds to d_ext (nv).
// rest: nv, the springs' present rest positions; x: from joint_positions.
template <class T>
void add_joint_forces(const JointForces<T>& joints, const T* x, const T* v, const T* rest, const T& h,
                      bool implicit, T* tau, T* d_ext) noexcept;

// Energy stored in springs and limits.
template <class T>
T joint_energy(const JointForces<T>& joints, const T* x, const T* rest) noexcept;

// How far degree of freedom i is inside its range: negative beyond a limit.
double limit_gap(const JointForces<double>& joints, const double* x, int i) noexcept;

// How far beyond a joint's position its spring must rest to pull with this torque: the inverse of the
// spring's characteristic. 0 where there is no spring.
double spring_bend(const JointForces<double>& joints, int dof, double torque) noexcept;

}  // namespace legwork
