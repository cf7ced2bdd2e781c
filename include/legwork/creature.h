#pragma once
// Creature: a body as plain data. SI units, radians, kilograms; Z up, X forward, Y left; quaternions w x y z.
//
// Read by io, checked by check.h, shared by all threads and never changed during a simulation. Links stand in
// an order where parents come before children. Several roots are allowed: a World becomes one such forest.

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <legwork/error.h>
#include <legwork/vector.h>

namespace legwork {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

enum class ShapeType { box, sphere, capsule, cylinder, ellipsoid, mesh };

// A half space: the points x with dot(normal, x) <= offset.
struct Plane {
  Vec3d normal;  // unit, outward
  double offset = 0;
};

// Triangles in the shape's frame, counterclockwise seen from outside; drawn as given. The ground touches the
// convex hull of its vertices; so do other bodies where it is convex, else they touch its triangles.
struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::string file{};         // as written in the creature file
  std::vector<Plane> hull{};  // faces of the convex hull; filled by complete()
  bool convex = true;         // false: hollows count
};

// A solid fixed to a link. Long shapes lie along their own z.
struct Shape {
  ShapeType type = ShapeType::box;
  Vec3d pos;  // shape frame in the link frame
  Quatd rot;
  Vec3d size;  // box: full edges; sphere: radius; capsule, cylinder: radius, length (of the
               // cylinder part); ellipsoid: half axes; mesh: scale already applied, unused
  Mesh mesh;
  double density = 1000;  // kg/m^3
  std::array<double, 3> color = {0.75, 0.72, 0.66};
  bool massive = true;  // counts for the mass (where the link's mass is not given outright)
  bool touches = true;  // makes contact
  bool wet = true;      // water and wind act on it
  // Two shapes of different links touch each other where one's `kind` and the other's `meets` share a bit
  // (MuJoCo's contype and conaffinity); the ground touches them all.
  int kind = 1, meets = 1;
};

// What holds a degree of freedom back. Torque of the spring about rest, x = q - rest:
//   linear: -stiffness x;  exponential (McKenna eq. 35): -sign(x) stiffness (e^(sharpness |x|) - 1)
enum class SpringType { none, linear, exponential };
struct Spring {
  SpringType type = SpringType::none;
  double stiffness = 0;  // N m/rad or N/m; exponential: N m or N
  double sharpness = 0;  // 1/rad or 1/m, exponential only
  double rest = 0;
};

struct Dof {
  std::string name;
  double lower = -unlimited, upper = unlimited;
  // beyond the range a spring and damper push back: N m/rad and N m s/rad; 0 = chosen from the mass moved
  double limit_stiffness = 0, limit_damping = 0;
  Spring spring;
  double damper = 0;    // N m s/rad or N s/m
  double armature = 0;  // kg m^2 or kg, added to the diagonal of the mass matrix
  double friction = 0;  // N m or N: dry; holds the joint still up to this, and slows it by this when it moves
};

enum class JointType { fixed, hinge, slide, ball, universal, planar, free, keyframed };

// Wills's functional degree of freedom: a smooth path through three 6-DOF keyframes at q = -1, 0, 1, given as
// offsets from neutral: three angles about fixed x, y, z axes (rad), three translations (m), parent frame.
struct Keyframes {
  std::array<double, 6> min{}, max{};
};

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::vector<Vec3d> axes;       // unit, link frame; hinge, slide: 1; universal: 2; planar: the 2 directions
                                 // of translation, the hinge being their cross product; others: none
  Vec3d anchor;                  // a point of the joint's axes, link frame
  std::vector<Keyframes> paths;  // keyframed: one for each degree of freedom
  std::array<double, 6> neutral{};  // keyframed: angles and translations shared by all paths at q = 0
  std::vector<Dof> dofs;  // hinge, slide: 1; universal: 2; ball, planar: 3; free: 6; keyframed: paths
  double q_zero = 0;      // hinge, slide: the coordinate's value in the reference pose (MuJoCo's ref)
};

struct Link {
  std::string name;
  int parent = -1;  // index in Creature::links; -1 = the world
  Vec3d pos;        // link frame in the parent's at q = 0
  Quatd rot;
  std::vector<Joint> joints;  // applied in order, first next to the parent; empty = fixed to the parent
  std::vector<Shape> shapes;
  double mass = -1;        // kg; < 0: from shapes. After complete(): always set
  Vec3d com;               // link frame
  Sym3d inertia;           // about the centre of mass, link axes; all zero: from shapes, scaled to the mass
  bool com_given = false;  // com stands also where the inertia comes from the shapes
  // the inertia is one that no solid has (it violates the triangle inequality) and is taken as its file gives
  // it
  bool odd_inertia = false;
  Where where;  // its place in the input file, for messages
};

// A point that feels the ground (and other bodies). Box corners, sphere centres, capsule ends come by
// themselves.
struct ContactPoint {
  std::string name;
  int link = 0;
  Vec3d pos;          // link frame
  double radius = 0;  // a ball around pos
  bool foot = false;  // belongs to a leg's foot: measured by gait, may be sticky
  Where where{};
};

// One move of a motor program (McKenna 1990, section 4.5): the rest position of a joint's spring goes to `to`
// at constant velocity, from one share of the step or stance to another.
struct Move {
  int dof = -1;
  double to = 0;
  double start = 0, end = 1;
};

enum class Side { none, left, right };
struct Leg {
  std::string name;
  Side side = Side::none;
  std::string girdle;                  // "fore", "mid", "hind", ... : legs of one girdle are a pair
  int hip = -1, knee = -1, foot = -1;  // links; knee may be missing (-1)
  Vec3d sole;                          // the foot's point that touches the ground, foot frame
  bool sole_given = false;             // else the lowest contact points of the foot in the pose stand
  std::vector<Move> step, stance;      // motor programs of walking; empty = from the body's geometry
  Where where{};
};

struct Label {
  std::string name;  // "head", "hand", "elbow", ...
  int link = 0;
  Vec3d pos;
  Where where{};
};

struct Pose {
  std::string name;       // "stand", "rest", ...
  std::vector<double> q;  // full configuration, nq
  Where where{};
};

// All sensors are binary. A touch sensor is on while its point touches the ground; the others while what they
// measure lies within [lower, upper]:
//   angle    position of a degree of freedom, rad or m
//   length   distance of two points, m
//   eye      bearing of the follow point: the angle from the link's x axis towards its y axis, rad
//   terrain  how much higher the ground is `ahead` of the point along the link's level x axis, m
enum class SensorType { touch, angle, length, eye, terrain };
struct Sensor {
  std::string name;
  SensorType type = SensorType::touch;
  int link = -1, other = -1;  // all but angle: link; length: from link to other
  Vec3d pos, other_pos;
  int dof = -1;  // angle
  double lower = -unlimited, upper = unlimited;
  double ahead = 0;   // terrain, m
  bool whole = true;  // touch: any contact point of the link, else the one nearest to pos
  Where where{};
};

enum class ActuatorType { angular, linear, motor };
struct Actuator {
  std::string name;
  ActuatorType type = ActuatorType::angular;
  int dof = -1;               // angular, motor
  int link = -1, other = -1;  // linear: between two points
  Vec3d pos, other_pos;
  double ks = 0, kd = 0;        // PD gains
  double lower = 0, upper = 0;  // range of the commanded position
  double strength = unlimited;  // largest torque or force
  double gear = 1;
  // >= 0: acts along this tendon, its length in place of the joint's position; dof is then the first joint
  // that the tendon moves
  int tendon = -1;
  double lag = 0;  // s: what acts follows the command as a filter of the first order; 0 = at once
  Where where{};
};

// A term of a sum over joint positions.
struct DofTerm {
  int dof = -1;
  double factor = 1;
};

// An equation between joints (a gear, a mimic joint), held like a loop:
//   sum of terms - zero = p0 + p1 y + ... + p4 y^4,   y = sum of drivers - driver_zero
struct Coupling {
  std::string name;
  std::vector<DofTerm> terms, drivers;  // no drivers: the sum of terms is held at zero + p0
  double zero = 0, driver_zero = 0;
  std::array<double, 5> polynomial{};
  Where where{};
};

// A point that a tendon runs through.
struct TendonPoint {
  int link = -1;  // -1 = the world
  Vec3d pos;
  bool starts = false;  // no line leads here from the point before: a pulley lies between
  double divisor = 1;   // of the lines of its branch: what the pulley divides their length by
};

// A cord with a length: a sum over joint positions, or the way through points of links along straight lines.
struct Tendon {
  std::string name;
  std::vector<DofTerm> terms;       // either these
  std::vector<TendonPoint> points;  // or those
  // beyond its range a spring and damper pull back: N/m and N s/m of its length; 0 = chosen from the mass
  // moved
  double lower = -unlimited, upper = unlimited, limit_stiffness = 0, limit_damping = 0;
  double stiffness = 0;                   // of a spring outside [rest_lower, rest_upper]
  double rest_lower = 0, rest_upper = 0;  // m
  double damper = 0;
  Where where{};
};

// Two points (or frames) held together: closes a chain. other = -1 means the world.
struct Loop {
  std::string name;
  int link = 0, other = -1;
  Vec3d pos, other_pos;
  Quatd rot, other_rot;  // used when frames are held
  bool frame = false;    // hold the orientation too
  Where where{};
};

// A spring between two points that breaks for good beyond a length. other = -1 means the world.
struct Attachment {
  std::string name;
  int link = 0, other = -1;
  Vec3d pos, other_pos;
  double stiffness = 0, damping = 0, rest = 0;
  double sharpness = 0;  // > 0: exponential spring
  double break_length = unlimited;
  double restitution = 1;  // share of the spring's force that is left while it goes back to rest
  Where where{};
};

// What a search for ways to move should know of the body; 0 or empty: chosen.
struct Discovery {
  int hidden = 0;      // nodes of its network that are neither sensors nor actuators
  double cycle = 0;    // s, expected duration of one cycle of locomotion
  double seconds = 0;  // how long an evaluation lasts
  std::string metric;  // what a good motion is, as `legwork discover --metric` reads it
};

// The surroundings that the body was made for, as the command line spells them; empty: no wish.
struct Habitat {
  std::string terrain, contact, water, wind;
  bool body_contact = false;  // its parts push each other away
};

struct Creature {
  std::string name;
  std::string about;  // one line for a list
  std::vector<Link> links;
  std::vector<Leg> legs;
  std::vector<Label> labels;
  std::vector<int> trunk;  // links from the fore to the hind girdle
  std::vector<ContactPoint> contacts;
  std::vector<Pose> poses;
  std::vector<Sensor> sensors;
  std::vector<Actuator> actuators;
  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
  std::vector<Tendon> tendons;
  std::vector<std::array<int, 2>> apart;  // pairs of links that never touch each other
  std::vector<Attachment> attachments;
  std::string integrator;  // what suits the body; empty = the default
  double dt = 0;           // s; 0 = the default
  double step_time = 0;    // s: how long a leg's step takes in walking; 0 = from the body's geometry
  Discovery discovery;
  Habitat habitat;
  Vec3d gravity{0, 0, -9.81};         // m/s^2, that the file was written for; a world may have its own
  std::vector<std::string> warnings;  // from reading: things that were not understood and do not matter
  std::string character;              // the rigged .glb or .gltf whose bones the links are; empty: none
  bool legs_found = false;            // legs, trunk and stance are not the file's but were seen on the body
  Where where;

  int link(const std::string& name) const;  // index or -1
  int dof(const std::string& name) const;   // index among all degrees of freedom, or -1
  int nq() const;
  int nv() const;
  double mass() const;
  // Every degree of freedom in order of v.
  std::vector<const Dof*> dofs() const;
  // The configuration of a named pose; for any other name the reference pose, with every link as its file put
  // it.
  std::vector<double> pose(const std::string& name) const;
  bool has_pose(const std::string& name) const;
};

// Number of position and velocity coordinates of a joint.
int nq(const Joint& joint);
int nv(const Joint& joint);

}  // namespace legwork
