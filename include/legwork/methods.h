#pragma once
// The ways to move a body. Every method is one function: a world, what to do, how to run -> a result.
//
//   const Result result = walk(load_world("dog"), {.seconds = 6});
//   save(result, "dog.glb");
//
// An option's meaning, range and unit are described once, by its method; `legwork VERB --help`,
// docs/options.md and describe() list them. A value of 0, -1 or "auto" mostly means: what suits the body. Bad
// options, and bodies that lack what a method needs, throw Error with the lines to add; a creature that falls
// is a status of its motion.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <legwork/life.h>
#include <legwork/options.h>
#include <legwork/result.h>
#include <legwork/run.h>
#include <legwork/world.h>

namespace legwork {

// --- drop: let it fall, land and settle

struct DropOptions {
  double seconds = 2;           // s
  std::string height = "auto";  // "placed", "0.3m", "0.5h"
  std::string pose = "stand";   // a pose of the creature
  Vec3d throw_velocity, spin;   // m/s, rad/s, world axes
};
Result drop(const World& world, const DropOptions& options = {}, const Run& run = {});

// --- walk: by physics, balanced over its feet, or with oscillators and motor programs on springs (McKenna
// 1990)

struct WalkOptions {
  enum class Feet {
    slide,  // friction alone
    stick,  // springs hold a foot in stance where it touched, and break (McKenna, section 5.3)
    hold,   // equations hold it, and break: no stiff springs (McKenna, chapter 6)
  };
  enum class First { left, right };
  enum class Control {
    automatic,  // mckenna for bodies with motor programs or legs of fewer than three degrees of freedom, and
                // where something is asked for that only it knows; else balance
    balance,    // footholds, a preview of the centre of mass, torques by inverse dynamics
    mckenna,    // oscillators, reflexes and motor programs on springs
  };
  enum class Tune { none, speed, straight, cost };

  double seconds = 5;  // s
  Control control = Control::automatic;
  std::string to;               // m: walk to this place, "x,y"
  std::string path;             // a .csv of x,y to walk along
  double slowness = 0;          // 1 = top speed, 2 = half its step rate, ...
  double speed = 0;             // m/s
  double turn = 0;              // rad/s, to the left
  std::vector<std::string> at;  // commands over time: "2:turn=0.5,slowness=2"
  Feet feet = Feet::slide;
  bool open_loop = false;         // no feedback, no reflexes
  std::string reflexes = "auto";  // "all", "none", "step,load,neighbour,elevator,ground"
  First first = First::left;      // the side that steps first
  double stride = 0, lift = 0;    // m
  double step_time = 0;           // s
  std::vector<std::string> lose;  // legs: "lf", "rm@1.5"
  double payload = 0;             // extra mass, as a share of the body's own
  Tune tune = Tune::none;         // first search for motor programs that do better in this
  int evaluations = 120;          // walks that the search may try
  std::vector<double> tuned;      // what it found
};
Result walk(const World& world, const WalkOptions& options = {}, const Run& run = {});

// --- discover: sensor-actuator networks found by search (van de Panne and Fiume 1993); a gallery of ways to
// move

struct DiscoverOptions {
  enum class Tuner { ascent, annealing };
  enum class Nodes { hysteresis, linear };
  enum class Device { cpu, gpu };

  int random = 1000, vary = 1500;  // networks to try
  int generation = 64;             // networks that are made before any of them counts
  int gaits = 16;                  // to keep, at most
  int tune = 150;                  // trials of fine-tuning for each
  Tuner tuner = Tuner::ascent;
  std::string metric = "auto";  // what a good motion is: "distance", "standing", a formula
  double hop_weight = 1;        // 1/(m s), in the metric "hops"
  double seconds = 0;           // s: length of each evaluation
  int hidden = -1;              // nodes
  double delay = -1;            // s: delay of each node
  Nodes nodes = Nodes::hysteresis;
  bool tune_springs = false, tune_body = false;
  double apart = 0.2;      // descriptor distance of two kinds of motion
  std::string follow;      // a .csv of time,x,y that moves the point to follow
  std::string archive;     // a file that keeps every evaluation; a stopped search goes on from it
  std::string shard;       // this part of the work alone, "3/16", into the archive
  std::string seed_from;   // an archive whose gaits are tried first
  std::string controller;  // run this one instead of searching; "DIGITS", "ARCHIVE:RANK", "ARCHIVE#NUMBER"
  std::string folder;      // write every gait to it
  bool scalar = false;     // one at a time instead of eight
  Device device = Device::cpu;
};
Result discover(const World& world, const DiscoverOptions& options = {}, const Run& run = {});

// --- evolve: bodies that change with their networks; an atlas of body plans

struct EvolveOptions {
  enum class Change { both, network };

  std::vector<std::string> from;        // further bodies to start from
  int generations = 40, children = 16;  // bodies made in a generation
  int budget = 128;                     // evaluations of each body's search for a network
  double minutes = 0;                   // end after this time, between two generations; 0 = never
  Change change = Change::both;         // what a child may differ in
  std::string metric = "upright";       // what a good motion is, as in discover
  double seconds = 10;                  // s: length of each evaluation
  int limbs = 8;                        // a body's most
  int patience = 6;                     // generations for which a new body plan is protected
  int atlas = 12;                       // bodies to show, at most
  std::string archive;                  // a file that keeps every body; a stopped run goes on from it
  std::string shard;                    // this part of a generation alone, "3/16", into the archive
};
Result evolve(const World& world, const EvolveOptions& options = {}, const Run& run = {});

// --- direct: an algorithm of equations that come and go (Stewart and Cremer 1989), or a motion performed by
// physics

struct DirectOptions {
  enum class Ground { automatic, held, unilateral, penalty };

  std::string algorithm = "walk";     // a shipped name or FILE.toml
  std::string track;                  // a motion to perform instead: FILE.glb, FILE.bvh
  double tempo = 1;                   // how many times as fast as recorded a track is performed
  double seconds = 20;                // s; with track at most
  std::vector<std::string> set;       // constants of the algorithm: "stride=0.6"
  Ground ground = Ground::automatic;  // what the feet stand on
  double restitution = 0;             // share of the speed that a unilateral impact gives back
  std::string pose = "stand";
};
Result direct(const World& world, const DirectOptions& options = {}, const Run& run = {});

// --- modes: natural vibrations, and gaits made of them (Kry and others 2008)

struct ModesOptions {
  enum class Tune { none, speed, cost };
  enum class Space { modes, joints, both };

  std::string action = "none";               // "walk", "trot", ...
  std::string pose = "auto";                 // at rest
  std::string stiffness = "file";            // "auto", or N m/rad for every joint
  double spine = 1;                          // times that for trunk and neck
  std::vector<std::string> joint_stiffness;  // "knee*=200", "l_hip=x3"
  double damping = 0.1;                      // ratio of the first elastic mode
  std::vector<std::string> hold;             // added constraints: "head", "feet", "point:LINK"
  std::vector<std::string> mode;             // terms of equation 4: "7=1,90"
  double hz = 0, duty = 0;                   // cycles a second; share of the cycle that a foot stands
  double stride = 1, sway = -1, arms = 0;
  Life life{.state = Life::State::off};
  std::vector<std::string> posture;  // "crouch=0.3"
  double turn = 0;                   // deg/s
  double soft = 5;                   // deg that joints may pass their limits
  double clearance = 0.03;           // hip heights: least height of swinging feet
  bool dynamic = false, balance = false, air = false;
  int show = -1, check = 0;  // one mode alone; how many predictions to compare with simulation
  Tune tune = Tune::none;
  Space tune_space = Space::modes;
  int tune_modes = 2, evaluations = 300;
  double seconds = 6;  // s
};
Result modes(const World& world, const ModesOptions& options = {}, const Run& run = {});

// --- reach: limb spaces and genetic gait search from joints' ranges alone (Wills 2008)

struct GeneticOptions {
  enum class Selection {
    tournament,  // the fitter of two, usually
    best         // the fittest alone is the parent of all: hill climbing
  };
  int population = 1000, iterations = 10000;
  double tournament = 0.9;  // probability that the fitter of two becomes a parent
  double crossover = 0.1;   // probability that a candidate is crossed with another
  double mutation = 0.5;    // bits flipped in a candidate, on average
  Selection selection = Selection::tournament;
  int searches = 1;  // with other random numbers each; the best of all counts
};
struct ReachOptions {
  enum class Task { walk, sit_stand };
  enum class Stage { explore, organise, constrain, search, animate };
  enum class Solver { genetic, exact };
  enum class StepOf {
    feet,   // from a foot to the opposite one: half a stride
    stance  // the distance that the body covers while a foot is down, as in the dissertation
  };
  enum class Foot { automatic, flat, point };
  struct Weights {
    double pitch = 5, yaw = 2, roll = 1, lateral = 1, vertical = 1, fdof = 1;
  };
  std::string limb = "all";  // "hind", "fore", "mid"
  Task task = Task::walk;
  Stage stage = Stage::animate;  // stop after it
  double resolution = 0;         // deg
  Length length_resolution{0.05, false};
  Length step{0.4, true};
  StepOf step_of = StepOf::stance;
  double duty = 0.6, contralateral = 0.5, ipsilateral = 0.5;
  Foot foot = Foot::automatic;
  double foot_yaw = 0;          // deg, outward
  std::string width = "stand";  // between left and right prints
  std::string trackway;         // a real one, .csv
  double height = 1;            // desired height of the body, as a share of its standing height
  Length step_height{0.1, true};
  int boxes = 50;
  double epsilon = 0, trunk_tolerance = 0;  // deg
  int trunk_samples = 21;
  std::vector<std::string> off, scale;  // "rf_shoulder.abduct"; "rh_crus=1.2"
  double ankle = 1;
  double refine = 0;        // deg
  bool raw = false;         // no polish
  bool keep_trunk = false;  // the polish keeps the girdles' motion as it was found
  Solver solver = Solver::genetic;
  double budget = 10;  // s: work of the exact solver; counted, not timed
  double period = 0;   // s
  int strides = 3;
  double depth = 0.4;   // how far sit-stand sinks, as a share of the height
  double memory = 2;    // GB
  std::string compare;  // another body
  Weights weights;
  Life life{.state = Life::State::off};
  GeneticOptions genetic;
  std::string gait;            // sets contralateral and ipsilateral: a name or FILE.toml
  std::string cache = "auto";  // where stages are kept; "off", a folder
  double cache_limit = 2000;   // MB
};
Result reach(const World& world, const ReachOptions& options = {}, const Run& run = {});

// --- script: corpus commands (McKenna 1990); the world is load_world("FILE.corpus")

struct ScriptOptions {
  std::vector<std::string> then;  // commands after the script
  double seconds = 0;             // s, to go on after its last command
  std::string log;                // write what it prints to this file
};
Result script(const World& world, const ScriptOptions& options = {}, const Run& run = {});

// Each option with its name, range, unit and meaning.
void describe(Options& v, DropOptions& o);
void describe(Options& v, WalkOptions& o);
void describe(Options& v, DiscoverOptions& o);
void describe(Options& v, EvolveOptions& o);
void describe(Options& v, DirectOptions& o);
void describe(Options& v, ModesOptions& o);
void describe(Options& v, ReachOptions& o);
void describe(Options& v, ScriptOptions& o);

// --- any method by its name, with options by their names

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string name() const = 0;
  virtual std::string purpose() const = 0;   // one line
  virtual std::string examples() const = 0;  // command lines
  // What the command line expects in place of a creature: name and meaning.
  virtual std::pair<std::string, std::string> subject() const = 0;
  // Its options, held by this object: options().find("seconds")->set({"3"}, {}, "seconds").
  virtual const Options& options() const = 0;
  virtual Result run(const World& world, const Run& run = {}) const = 0;
};
std::vector<std::string> method_names();
// Throws Error with a suggestion for an unknown name.
std::unique_ptr<Method> make_method(const std::string& name);
// The option of that name in any of the lists; throws Error with a suggestion where there is none. who: what
// the options are of, for that message.
const Option& find_option(const std::vector<const Options*>& lists, const std::string& name,
                          const std::string& who);

// Whether a method can move a body, by the method's own checks.
struct Support {
  std::string method;
  bool supported = false;
  std::string how;     // options to give beside the creature: "--action walk"
  std::string lacks;   // in a few words; may be there where something is supported
  std::string advice;  // the whole message, with the lines to add
};
// walk, discover, direct, modes, reach.
std::vector<Support> supports(const World& world);

}  // namespace legwork
