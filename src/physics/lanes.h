#pragma once
// Up to eight bodies of one world that move in step, each in a lane of its own; one alone where a batch is
// not possible. Every lane has the bits of a simulation of its own.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "motion/record.h"

namespace legwork {

// A world ready to be simulated by any number of bodies: constant, shared by threads.
struct Arena {
  System<double> system;
  std::unique_ptr<System<Batch>> batch;  // null: the world is simulated one body at a time
  StepOptions step;
  int frame_steps = 1;  // steps that make a frame of World::rate
  Start start;          // the pose stand, free bodies with their lowest point on the ground
};
// own_clocks: bodies that start at different times; their pushes then need a simulation each. Throws Error.
std::shared_ptr<const Arena> make_arena(const World& world, bool own_clocks);

// How a body stands in its world, for rewards and observations.
struct BodyView {
  Mat3d R;                // root's axes to world
  Vec3d p, linear, turn;  // of the root: position, velocity and angular velocity, world axes
  Vec3d com;
};

class Lanes {
 public:
  virtual ~Lanes() = default;
  virtual int width() const noexcept = 0;  // 1 or 8
  // Starts lanes anew from q (nq) and v (nv); null: the lane goes on.
  virtual void reset(const std::array<const double*, batch_lanes>& q,
                     const std::array<const double*, batch_lanes>& v) = 0;
  virtual void set_drive(int lane, const double* torque, const double* target) noexcept = 0;
  virtual void get_drive(int lane, double* torque, double* target) const noexcept = 0;
  virtual void step(int steps) = 0;
  // Of a lane that has diverged: the last good state.
  virtual void get_state(int lane, double* q, double* v) const noexcept = 0;
  virtual Status status(int lane) const noexcept = 0;
  virtual std::string explain(int lane) const = 0;
  virtual BodyView view(int lane, int root = 0) const noexcept = 0;  // root: a link
  virtual Vec3d position(int lane, int link) const noexcept = 0;
  virtual double joint_position(int lane, int dof) const noexcept = 0;
  virtual Vec3d contact_force(int lane, int site) const noexcept = 0;  // of the last step
};
// alone: one body.
std::unique_ptr<Lanes> make_lanes(const Arena& arena, bool alone);

// How `count` bodies are divided: the first body of each group and its size.
struct LaneGroup {
  int first, size;
  bool alone;
};
std::vector<LaneGroup> divide(const Arena& arena, int count);

}  // namespace legwork
