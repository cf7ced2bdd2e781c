#pragma once
// What the commands of a corpus script build: objects, figures ("corpora") of bodies, gaits ("roaches"), and
// the world around them. Plain data; corpus_build.h makes a World of it, corpus_stage.h moves it.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <legwork/world.h>
#include "corpus/script.h"
#include "walk/gait_controller.h"

namespace legwork {

// x -> A x + t
struct Affine {
  Mat3d A = Mat3d::identity();
  Vec3d t;
};
inline Affine operator*(const Affine& a, const Affine& b) { return {a.A * b.A, a.A * b.t + a.t}; }
bool is_rigid(const Affine& a);

// A graphical object: a solid in its own modelling space and the transform on it.
struct CorpusObject {
  Shape shape;
  Affine transform;
  std::vector<Affine> saved;
  bool used = false;    // made into a body or a part: from then on the transform places that
  bool linked = false;  // placed for good
};
// The solid as its transform has made it. Boxes stay boxes where the transform keeps their corners square.
Shape transformed(const CorpusObject& object);

// What the strength of a joint's springs and dampers is multiplied by.
enum class SpringScale { none, mass, distalmass };

// The parameters of `joint`, as in the script. Q_type adds up what acts: 1 damper b, 2 linear spring k about
// k_q, 4 limits lo and hi with lk and lb, 8 the constant force Q, 16 exponential spring ea, eB about e_q.
struct CorpusJoint {
  double q = 0, dq = 0;
  int Q_type = 0;
  double b = 0, k = 0, k_q = 0, ea = 0, eB = 0, e_q = 0;
  double lo = -unlimited, hi = unlimited, lk = 0, lb = 0, Q = 0;
  SpringScale scale = SpringScale::none;
};
inline constexpr int has_damper = 1, has_linear = 2, has_limits = 4, has_force = 8, has_exponential = 16;

// A motor program of one joint: a spring's rest moves to the target at constant velocity.
struct CorpusMotor {
  bool active = false;
  double target = 0, end = 0;  // rad or m; s
};

struct CorpusBody {
  std::string name;
  CorpusObject* object = nullptr;
  int parent = -1;  // in the figure
  Vec3d axis;       // body frame, as given
  bool sliding = false;
  std::vector<Shape> shapes;
  bool normal_test = false;  // touches others only while it approaches them
  Affine place;              // in the parent's frame at q = 0
  CorpusJoint joint;
  CorpusMotor etarget, ktarget;
  bool may_stick = false, sticks = false;                  // to the ground
  double max_linear = unlimited, max_angular = unlimited;  // m/s, rad/s
  Where where;
  int link = -1, dof = -1, coordinate = -1;  // in the built world; for a root: its first
};

struct CorpusFigure {
  std::string name;
  std::vector<std::unique_ptr<CorpusBody>> bodies;
  int root = -1;
  bool ready = false;  // corpusinit
  bool free = true, integrated = true;
  Vec3d pos;  // where the root's frame is in the world
  Quatd rot;
  Vec3d velocity, spin;  // how the root moves: world axes; body axes
  Where where;
};

// Steps and stance of one leg, and what may trigger or forbid a step.
struct CorpusLeg {
  std::vector<CorpusLine> step, stance;
  struct StepReflex {
    CorpusBody* body = nullptr;
    double angle = 0;
    bool above = true;
  } step_reflex;
  struct LoadReflex {
    CorpusBody* body = nullptr;
    double force = 0;
  } load_reflex;
};

// A gait: the walk room's controller with the script's programs. Legs are numbered from the front, even ones
// on the left; the controller's legs are those of the map, in its order.
struct CorpusRoach {
  std::string name;
  CorpusFigure* figure = nullptr;
  Pace pace;
  double delta_speed = 0.1, top_speed = 1, bottom_speed = 1e6;
  bool going = false;
  bool step_reflex = false, load_reflex = false;
  std::map<int, CorpusLeg> legs;
  std::vector<GaitLeg> places;
  GaitState state;
};

struct CorpusTimer {
  double time = 0;
  CorpusLine command;
  double scale = 0;  // s: duration of the step or stance that set it
};

struct CorpusAttachment {
  CorpusBody *body = nullptr, *other = nullptr;  // null: the ground
  Vec3d pos, other_pos;
  double k = 0, ea = 0, eB = 0, e = 1, break_length = unlimited;
  bool broken = false;
};

// The numbers of the ground; negative: not given.
struct CorpusGround {
  bool on = true, grid = false;
  double z = 0;
  double k = -1, b = -1, krf = 0, e = -1, ea = -1, eB = -1, emaxz = 0;
  double friction = -1, friction2 = -1, friction2_k = 0, friction2_e = 0;
  double stick_ea = 0, stick_eB = 0, stick_emaxz = 0, stick_e = -1;
};

struct CorpusCollisions {
  bool on = true, analysis = false;
  double e = -1, friction = -1, ea = 0, eB = 0, emaxz = 0;
  std::vector<std::pair<CorpusBody*, CorpusBody*>> pairs;
};

struct CorpusWorld {
  std::string name;
  std::vector<std::unique_ptr<CorpusFigure>> figures;
  std::vector<std::unique_ptr<CorpusRoach>> roaches;
  CorpusGround ground;
  CorpusCollisions collisions;
  std::vector<CorpusAttachment> attachments;
  std::vector<CorpusTimer> timers;
  std::map<std::string, Terrain> grids;
  std::string grid;  // the one in use
  bool gravity_on = true;
  double gravity = 9.8;  // m/s^2
  std::string integrator;
  double dt = 1.0 / 30, h = 0, eps = 0;  // s; h 0: chosen
  int iterations = 1;
  double rate = 60;  // Hz: recorded frames a second
  // Time is base + frames * dt, so that it has the same bits however a run is divided.
  double base = 0;
  long frames = 0;

  // Read by loadas, until time moves: of a joint the first, of a root all.
  std::map<const CorpusBody*, std::array<double, 6>> accelerations;

  double time() const { return base + double(frames) * dt; }
};

}  // namespace legwork
