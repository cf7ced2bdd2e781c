#include <legwork/methods.h>
#include "modes/modes.h"

namespace legwork {

void describe(Options& v, ModesOptions& o) {
  v.choice("action", o.action, action_choices(), "the gait to make; needs labelled feet and knees");
  v.text("pose", o.pose, {"POSE"}, "rest pose; auto = run for running where there is one, else stand");
  v.text("stiffness", o.stiffness,
         {{"file", "the creature's own springs; where it has none, as auto"},
          {"auto", "the smallest uniform one that holds the rest pose under gravity, by simulation"},
          {"NUMBER", "N m/rad for every joint"}},
         "how stiff the joints are");
  v.number("spine", o.spine, {0, 1e6, "1", "factor on the stiffness of the spine: trunk and neck"});
  v.texts("joint_stiffness", o.joint_stiffness,
          {{"NAME=200", "N m/rad of a joint, link or degree of freedom; NAME* for all names that begin so"},
           {"NAME=x3", "a multiple of its own: a stiff leg, an injured joint"}},
          "stiffness of single joints; may be repeated");
  v.number("damping", o.damping, {0, 10, "1", "damping ratio of the first elastic mode (Rayleigh damping)"});
  v.texts("hold", o.hold,
          {{"head", "the head does not turn"},
           {"hands", "both hands stay on one bar, such as a cart's"},
           {"feet", "every foot stays on its point"},
           {"point:LINK[:OTHER]", "a link's origin stays, in the world or on another link"},
           {"turn:LINK[:OTHER]", "it does not turn"},
           {"frame:LINK[:OTHER]", "both"}},
          "an added constraint; may be repeated");
  v.texts("mode", o.mode,
          {{"N=ALPHA,PHASE,HZ,BETA",
            "amplitude, phase in degrees, frequency, offset of mode N; what is missing: 0, the gait's, 0"}},
          "a term of equation 4, N counted from 0 with the rigid modes; replaces the action's");
  v.number("hz", o.hz, {0, 100, "Hz", "cycles a second; 0 = natural for its legs"});
  v.number("duty", o.duty, {0, 0.95, "1", "share of the cycle that a foot stands; 0 = the action's"});
  v.number("stride", o.stride, {0, 5, "1", "factor on the length of strides"});
  v.number(
      "sway", o.sway,
      {-1, 3, "1",
       "how far the body moves to the side; with life a multiple of what the forces of the feet make it do, "
       "without it the share of the way to the standing foot; -1 = 1 or the action's"});
  describe(v, o.life);
  v.number("arms", o.arms, {0, 2, "1", "additional swing of the hands, in hip heights"});
  v.texts("posture", o.posture,
          {{"crouch=0.3", "rad of knee bend"},
           {"legs=-0.05", "feet apart, hip heights"},
           {"arms=0.2", "hands up and out, hip heights"},
           {"N=0.2", "beta of mode N"}},
          "an offset of posture along a mode; may be repeated");
  v.number("turn", o.turn, {-720, 720, "deg/s", "walk in a circle; positive turns left"});
  v.number("soft", o.soft, {0.01, 60, "deg", "how far joints may pass their limits"});
  v.number("clearance", o.clearance, {0, 1, "1", "least height of swinging feet, in hip heights"});
  v.flag("dynamic", o.dynamic, "by physics: the modes pump the springs' rest positions");
  v.flag("balance", o.balance, "by physics: the gait is the style of a body that balances over its feet");
  v.flag("air", o.air, "equation 4 alone, without ground");
  v.integer("show", o.show,
            {-1, 100000, "", "move this mode alone; -1 = the action, or the first modes in turn"});
  v.integer("check", o.check,
            {0, 1000, "", "compare prediction with simulation for this many elastic modes"});
  v.choice("tune", o.tune,
           {{"none", "no search"},
            {"speed", "the fastest pumping of the lowest modes, by physics"},
            {"cost", "the least work over weight and distance"}},
           "search for what --dynamic pumps: amplitudes, phases and the frequency");
  v.choice("tune_space", o.tune_space,
           {{"modes", "amplitudes and phases of the lowest modes"},
            {"joints", "amplitudes and phases of every joint by itself"},
            {"both", "one after the other, to compare; the modes' best is shown"}},
           "what the search moves");
  v.integer("tune_modes", o.tune_modes,
            {1, 100, "", "how many of the lowest elastic modes the search moves"});
  v.integer("evaluations", o.evaluations, {1, 1e9, "", "simulations that the search may use"});
  v.number("seconds", o.seconds, {0, 86400, "s", "length of the motion"});
}

}  // namespace legwork
