#include "modes/option_text.h"

#include <algorithm>
#include <cmath>

#include <legwork/options.h>
#include "base/text.h"
#include "creature/place.h"
#include "math/real.h"

namespace legwork {

namespace {

int mode_number(const std::string& text, const std::string& option, const std::string& whole,
                const Modes& modes) {
  const double value = number_of(text, option, whole, "write a mode's number first, such as 6");
  if (value < 0 || value != std::floor(value) || value >= modes.count())
    throw Error({}, option, "'" + whole + "': there is no mode " + text,
                "they are numbered 0 to " + std::to_string(modes.count() - 1) + ", elastic from " +
                    std::to_string(modes.rigid) + " on");
  return int(value);
}

int link_number(const Creature& c, const std::string& name, const std::string& whole) {
  const int link = c.link(name);
  if (link >= 0) return link;
  std::vector<std::string> names;
  for (const Link& known : c.links) names.push_back(known.name);
  throw Error({}, "modes: hold", "'" + whole + "': '" + c.name + "' has no link '" + name + "'",
              did_you_mean(name, names));
}

Hold hold_head(const Creature& c, const Limbs& limbs) {
  if (limbs.head < 0)
    throw Error({}, "modes: hold", "'" + c.name + "' has no label head",
                "write [[label]] name = \"head\", link = \"...\"");
  Hold hold;
  hold.name = "head", hold.link = limbs.head, hold.point = false, hold.turns = 3;
  return hold;
}

// Both on one bar, about which they may turn.
Hold hold_hands(const Creature& c, const Limbs& limbs, const std::vector<double>& q) {
  if (limbs.arms.size() < 2)
    throw Error({}, "modes: hold", "'" + c.name + "' has no labels l_hand and r_hand",
                "write [[label]] name = \"r_hand\", link = \"...\"");
  const std::vector<LinkFrame> frames = place(c, q);
  const LimbArm &one = limbs.arms[0], &two = limbs.arms[1];
  Hold hold;
  hold.name = "hands", hold.link = one.hand, hold.other = two.hand;
  hold.pos = one.pos, hold.turns = 2;
  hold.axis = normalized(frames[size_t(one.hand)] * one.pos - frames[size_t(two.hand)] * two.pos);
  return hold;
}

std::vector<Hold> hold_feet(const Creature& c, const Limbs& limbs) {
  if (limbs.legs.empty())
    throw Error({}, "modes: hold", "'" + c.name + "' has no legs", "add [[leg]] with hip, knee and foot");
  std::vector<Hold> holds;
  for (const LimbLeg& leg : limbs.legs) {
    Hold hold;
    hold.name = "feet", hold.link = leg.foot, hold.pos = leg.point;
    holds.push_back(hold);
  }
  return holds;
}

// point:LINK, turn:LINK or frame:LINK, with :OTHER where it is held on another link than the world.
Hold hold_link(const Creature& c, const std::string& text) {
  std::vector<std::string> parts;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(':', from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  if (parts.size() < 2 || parts.size() > 3 ||
      (parts[0] != "point" && parts[0] != "turn" && parts[0] != "frame"))
    throw Error({}, "modes: hold", "'" + text + "' is not understood",
                "write head, hands, feet, point:LINK, turn:LINK or frame:LINK");
  Hold hold;
  hold.name = text;
  hold.link = link_number(c, parts[1], text);
  if (parts.size() == 3) hold.other = link_number(c, parts[2], text);
  hold.point = parts[0] != "turn", hold.turns = parts[0] == "point" ? 0 : 3;
  return hold;
}

}  // namespace

double number_of(const std::string& text, const std::string& option, const std::string& whole,
                 const std::string& advice) {
  try {
    size_t end = 0;
    const double value = std::stod(text, &end);
    if (end == text.size() && std::isfinite(value)) return value;
  } catch (const std::exception&) {
  }
  throw Error({}, option, "'" + whole + "': '" + text + "' is no number", advice);
}

Act parse_action(const std::string& name) {
  const auto choices = action_choices();
  for (size_t i = 0; i < choices.size(); ++i)
    if (choices[i].first == name) return Act(int(i));
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  throw Error({}, "modes: action", "'" + name + "' is no action", did_you_mean(name, names));
}

ModeUse parse_mode(const std::string& text, double hz, const Modes& modes) {
  const size_t at = text.find('=');
  if (at == text.npos)
    throw Error({}, "modes: mode", "'" + text + "' is not understood",
                "write N=ALPHA,PHASE,HZ,BETA, such as 6=0.5,90,2");
  ModeUse use;
  use.mode = mode_number(text.substr(0, at), "modes: mode", text, modes);
  use.role = "chosen by hand";
  use.hz = hz;
  const std::vector<std::string> values = split_commas(text.substr(at + 1));
  const std::string advice = "write N=ALPHA,PHASE,HZ,BETA, such as 6=0.5,90,2";
  if (values.size() > 4) throw Error({}, "modes: mode", "'" + text + "' has more than four numbers", advice);
  double* fields[] = {&use.amplitude, &use.phase, &use.hz, &use.beta};
  for (size_t i = 0; i < values.size(); ++i) *fields[i] = number_of(values[i], "modes: mode", text, advice);
  use.phase *= pi / 180;
  return use;
}

std::vector<Hold> parse_holds(const std::vector<std::string>& texts, const Creature& c, const Limbs& limbs,
                              const std::vector<double>& q) {
  std::vector<Hold> holds;
  for (const std::string& text : texts) {
    if (text == "feet") {
      const std::vector<Hold> feet = hold_feet(c, limbs);
      holds.insert(holds.end(), feet.begin(), feet.end());
    } else {
      holds.push_back(text == "head"    ? hold_head(c, limbs)
                      : text == "hands" ? hold_hands(c, limbs, q)
                                        : hold_link(c, text));
    }
  }
  return holds;
}

ModeUse parse_posture(const std::string& text, const Creature& c, const Modes& modes,
                      const std::vector<ModeShape>& shapes, const Limbs& limbs) {
  const size_t at = text.find('=');
  const std::string advice = "write crouch=0.3, legs=-0.05, arms=0.2 or a mode's number as 8=0.2";
  if (at == text.npos) throw Error({}, "modes: posture", "'" + text + "' is not understood", advice);
  const std::string name = text.substr(0, at);
  const double size = number_of(text.substr(at + 1), "modes: posture", text, advice);
  ModeUse use;
  use.role = "posture", use.beta = size;
  // the mode that does most of it, scaled to the size
  const auto by = [&](Heuristic heuristic, auto&& of) {
    use.mode = best_mode(score_modes(shapes, modes, limbs, heuristic));
    if (use.mode < 0)
      throw Error({}, "modes: posture", "'" + text + "': no mode of '" + c.name + "' does that");
    const double unit = of(shapes[size_t(use.mode)]);
    use.beta = unit == 0 ? 0 : size / unit;
    use.role += ": " + name;
  };
  const double h = std::max(limbs.hip_height, 1e-9);
  if (name == "crouch")
    by(Heuristic::D, [](const ModeShape& s) { return s.bend.empty() ? 0 : s.bend[0]; });
  else if (name == "legs")
    by(Heuristic::spread,
       [&](const ModeShape& s) { return s.foot.size() > 1 ? 0.5 * (s.foot[0].y - s.foot[1].y) / h : 0; });
  else if (name == "arms")
    by(Heuristic::wave, [&](const ModeShape& s) {
      return s.hand.size() == 2 ? 0.5 * (s.hand[0].y - s.hand[1].y + s.hand[0].z + s.hand[1].z) / h : 0;
    });
  else
    use.mode = mode_number(name, "modes: posture", text, modes);
  return use;
}

}  // namespace legwork
