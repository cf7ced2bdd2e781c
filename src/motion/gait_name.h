#pragma once
// Names of gaits and the timing they stand for.
//
// A name is a rule on phases and duty factors. Phases are shares of a cycle; "together" is within 0.1 of a
// cycle, "opposite" within 0.1 of half a cycle. After Hildebrand (1989) for quadrupeds and Wilson (1966) for
// insects:
//   two legs       opposite: walk (duty > 0.5) or run; together: hop (duty <= 0.5)
//   four legs      left and right of each girdle opposite, p = fore foot after the hind foot of its side:
//                    pace p within 0.0625 of 0; trot within 0.0625 of 0.5; otherwise walk (duty > 0.5) or
//                    amble
//                  not opposite: hop all together; bound each girdle together, the girdles apart;
//                    canter one diagonal pair together, the other two feet before and after it;
//                    gallop the feet of each girdle one after the other (0.05 to 0.4), duty <= 0.5
//   six legs       tripod: fore and hind of one side with the middle of the other, the two threes opposite;
//                  tetrapod: three pairs a third of a cycle apart, one leg of each side in each
//   eight legs     tetrapod: neighbours along and across the body opposite
//                  With six and eight legs every leg is within 0.1 of such a timing. Between tripod and
//                  tetrapod some leg differs by 0.25 or more, so that halfway, at 0.125, is neither
//   four or more   wave: never more than one leg in swing, and on each side the swings run from back to front
// Anything else is "unnamed".

#include <string>
#include <vector>

#include <legwork/creature.h>

namespace legwork {

struct LegTiming {
  std::string leg;
  Side side = Side::none;
  double along = 0;  // position of the hip along the body, m, forward positive
  double phase = 0;  // touch-down, share of the cycle
  double duty_factor = 0.5;
};

std::string gait_name(std::vector<LegTiming> legs);

// A gait as a plan: authored in a file, chosen by name or measured; read by the methods that need one.
struct GaitPlan {
  std::string name;
  double stride_time = 1;  // s
  std::vector<LegTiming> legs;
};

// The ideal timing of a named gait for a creature's legs; throws Error when the name does not fit their
// number.
GaitPlan plan_gait(const std::string& name, const Creature& creature, double stride_time = 1);

// Every name, in the order above.
const std::vector<std::string>& gait_names();

}  // namespace legwork
