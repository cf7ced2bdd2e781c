#pragma once
// Gait: the timing of a motion and what it costs, measured on any motion whose creature has legs.
//
// Words. A stance is a foot's time on the ground, from touch-down to lift-off; the rest is swing. A stride is
// a whole cycle of one leg, from touch-down to its next; a step is from one foot to the opposite one of its
// girdle. Touches and lifts that are short beside the stride are chatter: a foot that lifts for a moment
// stands on, one that brushes the ground swings on.
//
// The heading is the direction in which the centre of mass travels over a whole stride, seen from above: the
// sway of a body and the yaw of a link do not turn it. A body that stays where it is (less than 0.02 hip
// heights a stride) has its own heading, the root's x axis. Backward and sideways walks have positive speeds
// along their headings; travel_angle distinguishes them from forward ones.
//
// Definitions (SI; over whole strides, the first of every leg left out where three or more are there):
//   duty_factor        stance over stride time, mean over strides
//   phase              touch-down after the reference leg's, as a share of the reference's stride: its
//                      circular median;
//                      the reference is the left hindmost leg, else the first
//   phase_scatter      how far touch-downs are from the phase, as a share of the stride: the median
//   stride_length      between successive touch-downs of one foot, along the ground
//   step_length        from a touch-down to the opposite foot's next, along the heading, mean
//   step_width         between the tracks of left and right of a girdle, across the heading, mean
//   speed              of the centre of mass along the heading, mean
//   travel_angle       from the root's x axis to the heading, both over a stride, mean: 0 forward, pi
//                      backward, pi/2 to the left; NaN of a body that stays
//   froude             speed^2 / (g h), h = height of the hips over the soles in the pose `stand`
//   cost_of_transport  positive mechanical work of all joints, each by itself, over weight times distance
//   slip               largest way that a foot slid along the ground in one stance
//   penetration        largest depth of any contact point under the ground
//   heading_drift      turn of the body: its root's x axis over the last stride against that over the first,
//                      full turns counted
//   distance           length of the path of the centre of mass, seen from above
//   stability_margin   least distance of the centre of mass, seen from above, to the edge of the
//                      support polygon;
//                      negative outside. Frames without any foot down do not count
//   pace_angulation    angle at a footprint between its neighbours of the other side, mean
// What cannot be known (no stride, no forces recorded) is NaN.

#include <limits>
#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

class Options;

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// What says when feet stand: forces of the ground that were recorded; else the plan that a motion without
// physics was made from, in its channel "stance" (one value for each leg, in the creature's order, 1 while it
// stands and 0 while it swings, unit "1"); else the height and speed of the soles.
enum class StancesFrom { forces, plan, soles };

struct Stance {
  double down = 0, up = 0;  // s; a stance cut off by the motion's end counts as not whole
  bool starts = true, ends = true;
  Vec3d at;          // where the sole came down, world
  double slip = 0;   // m
  double depth = 0;  // m, deepest
};

struct LegGait {
  std::string leg;
  Side side = Side::none;
  std::string girdle;
  std::vector<Stance> stances;
  double duty_factor = unknown, phase = unknown, phase_scatter = unknown;
  double stride_time = unknown, stride_length = unknown;
  double slip = 0;
};

struct Gait {
  std::string name = "unnamed";
  double speed = unknown, stride_length = unknown, step_length = unknown, stride_time = unknown;
  double froude = unknown, cost_of_transport = unknown;
  double slip = 0, penetration = 0, heading_drift = unknown, stability_margin = unknown;
  double duty_factor = unknown;      // mean of the legs
  double step_width = unknown;       // m
  double travel_angle = unknown;     // rad
  double pace_angulation = unknown;  // rad
  double hip_height = unknown, distance = 0;
  int strides = 0;  // whole strides of the reference leg
  std::vector<LegGait> legs;
  int reference = -1;          // in legs
  std::vector<double> margin;  // per frame, NaN with no foot down
  StancesFrom stances_from = StancesFrom::soles;
};

struct GaitOptions {
  double force_threshold = 0.02;  // a foot is down when it carries more than this share of the weight
  // without forces and plan: a foot is down when its sole is lower than this share of the hip height over the
  // ground ...
  double height_threshold = 0.02;
  double speed_threshold = 0.3;  // ... and moves over the ground slower than this share of the body's speed
  // Chatter: swings shorter than this share of the stride (and than half of a wave's, which is one over the
  // number of legs), stances shorter than half of it. 0: only what `shortest` says
  double chatter = 0.1;
  double shortest = 0;  // s: stances and swings shorter than this are chatter, too
};

void describe(Options& v, GaitOptions& o);

// Throws Error where the motion cannot have a gait: no frames, no legs.
Gait measure_gait(const Motion& motion, const GaitOptions& options = {});

// --- how a motion looks: what an animator's eye finds wrong with feet, legs and knees

// Lengths in m, angles in rad. Where two names of links are given, the worst is between them.
struct Appearance {
  // How far a foot slid along the ground in a stance: what 19 of 20 stances stay below, and the worst.
  double slide = 0, worst_slide = 0;
  std::string slide_of;  // leg
  // The deepest that a foot lay in the ground: what it stays below for 19 twentieths of the time, and the
  // worst.
  double sink = 0, worst_sink = 0;
  std::string sink_of;  // link
  double buried = 0;    // the deepest that any other part lay in the ground
  std::string buried_of;
  double crossing = 0;        // the deepest that parts of two legs lay in each other
  double crossing_share = 0;  // of the time, that some did
  std::string crossing_of;
  double bent_back = 0;  // the farthest that a knee was bent the other way than it bends when standing
  std::string bent_back_of;
  // The share of the joint torques' power (their mean square, summed over joints) above 5 sqrt(g/h) Hz, and
  // the same of the torques less their means. Unknown where no torques were recorded, or fewer than two
  // frames in a period of that rate.
  double rough = unknown, rough_of_change = unknown;
  std::string rough_of;  // the degree of freedom with most of that power
};

// Parts that lie in each other in the body's reference pose are built so and do not count as crossing, nor do
// parts that lie lower than its soles when it stands count as buried.
// Throws Error where the motion has no gait (measure_gait).
Appearance measure_appearance(const Motion& motion, const Gait& gait);

// --- of any motion or body

// Height of the hips over the soles in the pose `stand`, mean over the legs; NaN without legs.
double hip_height(const Creature& creature);

// Whether the creature lies at the end: the root tilted by more than 60 degrees from the pose `stand`, or the
// centre of mass lower than half of its height there.
bool has_fallen(const Motion& motion);

}  // namespace legwork
