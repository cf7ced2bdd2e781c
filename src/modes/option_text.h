#pragma once
// What options of `modes` say in words and numbers of their own. All throw Error for what is not understood.

#include <string>
#include <vector>

#include "modes/select.h"

namespace legwork {

Act parse_action(const std::string& name);

// "6=0.5,90,2,0.1": a mode's amplitude, phase in degrees, frequency and offset, with hz for what is missing.
ModeUse parse_mode(const std::string& text, double hz, const Modes& modes);

// head, hands, feet, point:LINK, turn:LINK, frame:LINK; q: the rest pose.
std::vector<Hold> parse_holds(const std::vector<std::string>& texts, const Creature& creature,
                              const Limbs& limbs, const std::vector<double>& q);

// "crouch=0.3", "legs=-0.05", "arms=0.2" or a mode's number as "8=0.2": an offset along a mode.
ModeUse parse_posture(const std::string& text, const Creature& creature, const Modes& modes,
                      const std::vector<ModeShape>& shapes, const Limbs& limbs);

// The number that `text`, a part of an option's text, holds; whole: all of the text, for the message.
double number_of(const std::string& text, const std::string& option, const std::string& whole,
                 const std::string& advice);

}  // namespace legwork
