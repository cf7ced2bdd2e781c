#pragma once
// The physics alone: a world that moves one step at a time, under a controller of yours, and many of them at
// once.
//
//   Physics physics(load_world("dog"));
//   physics.q()[2] += 0.1;                  // the state is yours between steps
//   while (physics.time() < 2 && physics.step()) ...
//
// q and v are those of Dynamics (legwork/dynamics.h). A world that diverges is a status, never an exception.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

// J. What drives, actuators, pushes, water, wind and your hand on the state did since the reset is `work`.
struct EnergyAccount {
  double kinetic = 0, potential = 0, elastic = 0;
  double contact = 0;  // in the springs of contacts: an upper bound after an implicit step
  double work = 0;

  double total() const { return kinetic + potential + elastic + contact; }
};

class Physics {
 public:
  // Integrator and step are the world's, or what suits the body; the step is shortened so that a whole number
  // of them makes a frame of World::rate.
  explicit Physics(const World& world);
  Physics(const Physics& other);  // the same world at the same state, without its record
  Physics& operator=(const Physics& other);
  Physics(Physics&&) noexcept;
  Physics& operator=(Physics&&) noexcept;
  ~Physics();

  const World& world() const noexcept;
  int nq() const noexcept;
  int nv() const noexcept;
  int nu() const noexcept;           // actuators
  double dt() const noexcept;        // s, of a step
  int frame_steps() const noexcept;  // steps that make a frame
  double time() const noexcept;      // s

  // --- the state: change it at will between steps. Memory stays where it is. Setting positions by hand lets
  // go of what contacts remember; the energy that the hand brings counts as work.
  std::span<double> q() noexcept;
  std::span<double> v() noexcept;
  // What acts until it is set again: torques and forces on the joints (nv), and a target for each actuator
  // (nu).
  std::span<double> torque() noexcept;
  std::span<double> target() noexcept;

  // Starts anew at t = 0, at rest in a pose, free bodies with their lowest point on the ground; or from a
  // state (no v: at rest). No torque, actuators where they do nothing. Throws Error.
  void reset(const std::string& pose = "stand");
  void reset(std::span<const double> q, std::span<const double> v = {});

  // Advances by so many steps. False when it has not: the world has diverged, now or before. Throws Error for
  // a state, torque or target that is not finite.
  bool step(int count = 1);
  // A constant force (N, world axes) at a link's centre of mass, from now on for so many seconds.
  void push(int link, const Vec3d& force, double seconds);

  Status status() const noexcept;
  std::string status_text() const;  // what failed, the likely cause and what to try; empty when all is well

  // --- what the last step found; after a reset: what acts at the start. Memory stays where it is.
  std::span<const double> acceleration();   // nv
  std::span<const double> joint_torque();   // nv: drives, actuators, springs, dampers, limits
  std::span<const double> contact_force();  // contact points x 3: of the ground, world axes, N
  EnergyAccount energy() const;
  Vec3d center_of_mass() const;

  // --- a motion of it, for gait measures, files and pages: every call of record adds the present state as a
  // frame. A reset begins anew.
  void record();
  Motion motion() const;

 private:
  struct Live;
  std::unique_ptr<Live> live_;
};

// So many bodies of one world, each with a state of its own, eight at a time inside and on several threads.
// Each has the bits that Physics would give it.
class PhysicsBatch {
 public:
  // All start as Physics does. threads: 0 = all cores.
  PhysicsBatch(const World& world, int count, int threads = 0);
  PhysicsBatch(PhysicsBatch&&) noexcept;
  PhysicsBatch& operator=(PhysicsBatch&&) noexcept;
  ~PhysicsBatch();

  const World& world() const noexcept;
  int count() const noexcept;
  int nq() const noexcept;
  int nv() const noexcept;
  int nu() const noexcept;
  double dt() const noexcept;
  int frame_steps() const noexcept;

  // A row for each body. Memory stays where it is.
  std::span<const double> q() const noexcept;     // count x nq
  std::span<const double> v() const noexcept;     // count x nv
  std::span<double> torque() noexcept;            // count x nv
  std::span<double> target() noexcept;            // count x nu
  std::span<const double> time() const noexcept;  // s, since each body's own start

  // Advances all by so many steps; those that have diverged stay where they were. Throws Error for torques
  // and targets that are not finite.
  void step(int steps = 1);
  // Starts some of the bodies anew: from a state each (rows in the order of `which`; no v: at rest), or, with
  // no rows, as they started first. Throws Error.
  void reset(std::span<const int> which, std::span<const double> q = {}, std::span<const double> v = {});

  Status status(int body) const;
  std::string status_text(int body) const;

  std::span<const double> contact_force();   // count x contact points x 3, N, world axes
  std::span<const double> center_of_mass();  // count x 3, m

 private:
  struct Herd;
  std::unique_ptr<Herd> herd_;
};

}  // namespace legwork
