#pragma once
// World: everything that a simulation needs to know, as plain data: a body, the ground under it, how that
// pushes back, water and wind, and pushes from outside.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <legwork/creature.h>

namespace legwork {

class Options;

// --- the ground as a height over (x, y): plane, slope, steps, or a triangulated height field

enum class TerrainType { none, plane, slope, steps, field };

// Heights on a regular grid, each cell two triangles split along the diagonal from its low to its high
// corner.
struct HeightGrid {
  int nx = 0, ny = 0;
  double x0 = 0, y0 = 0, cell = 1;
  std::vector<double> height;  // nx x ny, x fastest
};

// Made by the functions below, so that what is derived (normal) fits what is given (angle).
struct Terrain {
  TerrainType type = TerrainType::plane;
  std::string spec = "plane";  // as the user wrote it
  double height = 0;           // plane; slope: at x = 0
  double angle = 0;            // slope: rises along +x, rad
  Vec3d normal{0, 0, 1};       // plane, slope: unit, upward
  double rise = 0, run = 0;    // steps: stairs along +x from x = run on
  HeightGrid grid;             // field; the edge heights continue outside
};

// One syntax for --terrain of all verbs; terrain_choices lists it. load_terrain reads files as well. Throws
// Error.
Terrain parse_terrain(const std::string& spec);
// The texts that parse_terrain and load_terrain understand, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> terrain_choices();

Terrain no_terrain();
Terrain slope_terrain(double angle);             // rad, below 80 degrees either way
Terrain steps_terrain(double rise, double run);  // m
// A field from a formula of x and y, in squares of `cell` over `width` around the origin.
Terrain formula_terrain(const std::string& formula, double cell = 0.02, double width = 20);
// Hills within +-amplitude: three octaves of value noise, each half as high and half as long as the last.
Terrain rough_terrain(double amplitude, double wavelength, std::uint64_t seed = 1);
// An egg crate: round bumps from 0 to height, one wavelength apart, a hollow at the origin.
Terrain bumps_terrain(double height, double wavelength);
// A field from a grid that the caller made; checks it. who: named in errors.
Terrain field_terrain(HeightGrid grid, const std::string& who);

// --- how the ground pushes back
//
// Below, "size" is the largest extent of a body's contact points in the reference pose, "weight" its mass
// times 9.81 m/s^2, or times its file's gravity g where that is more (the world's does not count), "points"
// the number of its feet (without feet: of its contact points, at most four), and "sink" how deep each of
// these lies when the body rests on all of them: one thousandth of its size. A value of 0 marked "chosen" is
// replaced for each body of a world by the rule that stands beside it.

enum class ContactType {
  linear,       // spring and damper, Coulomb friction
  exponential,  // McKenna's ground (1990, section 4.4): exponential spring, restitution, Coulomb friction
  sticky,       // exponential, and feet hold on by springs that break (McKenna, section 5)
  rigid,        // no spring: pushes only, Coulomb friction in every direction alike, impacts by impulses; so
                // do bodies among each other and parts of one body. Not in batches
};

// Which axis "forward" means for friction that depends on direction.
enum class FrictionAxis { heading, link };

struct ContactOptions {
  ContactType type = ContactType::linear;

  // linear: N/m; chosen: weight / (points x sink). Damping in N s/m; chosen: critical for the body's mass on
  // its points when no restitution is given, else none. It grows from zero over the first sink of depth, so
  // that the force is continuous at touch-down.
  double stiffness = 0, damping = 0;

  // exponential, sticky: force = strength (e^(sharpness depth) - 1); strength in N, sharpness in 1/m.
  // Chosen: sharpness 1 / sink, strength so that the body sinks by one sink. A stiffness that is given adds
  // its linear spring.
  double strength = 0, sharpness = 0;

  // Beyond this depth (m) the spring's force grows no further; 0 = never.
  double deepest = 0;

  // Share of the energy that a rebound gives back: the spring's force is multiplied by it while the point
  // moves out. Above 1 things bounce ever higher, and energy is not watched. Negative: chosen, 1 for linear
  // (its damper takes the energy), 0 for rigid, 0.5 for the others. Implicit steps that are not short beside
  // the touch take energy of their own and give back less than this, so choose_step takes rkf45 where a
  // restitution is asked for.
  double restitution = -1;

  // Coulomb's coefficient, holding and sliding alike; for motion backward and sideways where they differ
  // (negative: the same as friction). Forward is the x axis of the body's root, or of the link itself.
  double friction = 0.8, friction_back = -1, friction_side = -1;
  FrictionAxis friction_axis = FrictionAxis::heading;

  // The bristle of friction: N/m, chosen: the ground spring's slope under the load; and its damping as a
  // share of the critical one.
  double bristle_stiffness = 0, bristle_ratio = 1;

  // Below this speed restitution fades in, m/s; chosen: sqrt(g size) / 1000.
  double slip_speed = 0;

  // sticky: the spring that holds a foot where it touched: stick_strength (e^(stick_sharpness stretch) - 1).
  // It lets go above a force (N) or a stretch (m). Chosen: weight / 20, 45 / size, weight, unlimited.
  // Its restitution; negative: the ground's.
  double stick_strength = 0, stick_sharpness = 0, stick_break_force = 0, stick_break_length = 0;
  double stick_restitution = -1;
};

void describe(Options& v, ContactOptions& o);

// "linear", "exponential", "sticky" or "rigid", then any of the fields: "linear:friction=0.5,stiffness=2e4".
// Throws Error with the flag's name.
ContactOptions parse_contact(const std::string& spec);
// The text that parse_contact reads back to the same options: the type and what is not as chosen.
std::string to_text(const ContactOptions& options);
// What parse_contact understands, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> contact_choices();

// --- water and wind: the pressure of a medium on the faces of a creature's links
//
// Over every patch of surface with outward unit normal N, area dA and velocity v relative to the medium:
//   viscous   -drag (v . N) N dA          (van de Panne and Fiume 1993, section 3.4, the fish)
//   inertial  -1/2 density coefficient (v . N)^2 N dA, only where v . N > 0: the patch drives into the medium
//   pressure  of the medium at rest, density |g| times the depth, when buoyancy is on: what is displaced
//   lifts
// With a surface the medium ends at that height (a pond).
//
// With `boxes` each link is the box that has its inertia instead, and what acts is MuJoCo's: quadratic drag
// on the box's faces and Stokes's on the sphere of equal size (MuJoCo's documentation, "Passive forces").

struct Medium {
  double density = 0;      // kg/m^3; 0 = none
  double coefficient = 1;  // scales the inertial part
  double drag = 0;         // N s/m^3: coefficient of the viscous part
  Vec3d velocity;          // how the medium itself moves: current, wind; world, m/s
  bool buoyancy = false;
  double surface = unlimited;  // height of its surface, m
  bool boxes = false;          // MuJoCo's drag on boxes in place of that on surfaces
  double viscosity = 0;        // Pa s, of boxes

  bool acts() const { return density > 0 || drag > 0 || (boxes && viscosity > 0); }
};

void describe(Options& v, Medium& o);

// medium_choices lists the texts. Throws Error.
Medium parse_medium(const std::string& spec);
// The text that parse_medium reads back to the same medium.
std::string to_text(const Medium& medium);
std::vector<std::pair<std::string, std::string>> medium_choices();

// --- pushes: forces from outside at stated times

// A constant force (world axes, N) at a link's centre of mass during [start, start + duration), s.
struct Push {
  int link = 0;
  Vec3d force;
  double start = 0, duration = 0;
};

// "LINK:fx,fy,fz@start+duration", or without "LINK:" for the first link. Throws Error.
Push parse_push(const std::string& spec, const Creature& creature);
// The text that parse_push reads back to the same push.
std::string to_text(const Push& push, const Creature& creature);
// What parse_push understands, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> push_choices();

// --- all of it

// A world in words, as files and command lines spell it. Empty, -1 or auto: what the body's file says, else
// the default.
struct WorldOptions {
  std::string terrain, contact;
  double friction = -1;  // Coulomb's coefficient of the ground
  std::string gravity, water, wind;
  std::string body_contact = "auto";  // "on", "off"
  std::vector<std::string> push;
  std::string integrator = "auto";
  double dt = 0;     // s
  double rate = 60;  // Hz
};
void describe(Options& v, WorldOptions& o);

struct World {
  Creature body;  // all bodies as one forest; names of several carry their prefixes
  Terrain terrain;
  ContactOptions contact;
  Vec3d gravity{0, 0, -9.81};  // m/s^2
  Medium water, wind;
  bool body_contact = false;  // links of different branches and bodies push each other away
  std::vector<Push> pushes;

  std::string integrator;  // "euler", "rk4", "rkf45", "implicit"; empty: what suits the body
  double dt = 0;           // s, time step; 0: what suits the body
  double rate = 60;        // recorded frames a second

  // Where it comes from: what a scenario says of it. load_world and apply fill it.
  struct Origin {
    std::string name;    // shipped name or file; empty: made by hand
    std::string source;  // the script that built it; empty: none did
    WorldOptions asked;  // what was asked for in words
    WorldOptions told;   // the whole world in words, as it was then: a difference was made by hand
  } origin;
};

// Puts what the options say into the world. Throws Error naming the option.
void apply(const WorldOptions& options, World& world);
// The world for methods that compute many at once, which know no contact between parts of a body: without it
// where only the body's file wishes for it.
World for_batches(World world);

}  // namespace legwork
