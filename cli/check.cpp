// legwork check: is a body sound?

#include <algorithm>
#include <filesystem>

#include <legwork/files.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "creature/assess.h"
#include "creature/likely_legs.h"

namespace legwork::cli {

namespace {

const char* name_of(Side side) { return side == Side::left ? "left" : side == Side::right ? "right" : ""; }

std::string count(int n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string legs_text(const Creature& creature) {
  std::vector<std::string> names;
  for (const Leg& leg : creature.legs) names.push_back(leg.name);
  return names.empty() ? "no legs" : count(int(names.size()), "leg", "legs") + ": " + join(names, ", ");
}

void tell(const Creature& creature, const Soundness& s, const Output& output) {
  output.say(creature.name + " is sound" + (creature.about.empty() ? "" : ": " + creature.about));
  output.say("  mass    " + with_unit(s.mass, "kg"));
  output.say("  size    " + brief(s.size.x) + " x " + brief(s.size.y) + " x " + brief(s.size.z) +
             " m (length, width, height)");
  output.say("  body    " + count(s.links, "link", "links") + ", " + count(s.joints, "joint", "joints") +
             ", " + count(s.nv, "degree", "degrees") + " of freedom (nq " + std::to_string(s.nq) + ")");
  output.say("  legs    " + legs_text(creature));
  if (creature.legs_found) output.say("          seen on the body: " + legs_in_words(creature));
  std::vector<std::string> more = {count(s.contacts, "contact point", "contact points")};
  if (s.sensors) more.push_back(count(s.sensors, "sensor", "sensors"));
  if (s.actuators) more.push_back(count(s.actuators, "actuator", "actuators"));
  if (s.loops) more.push_back(count(s.loops, "closed loop", "closed loops"));
  output.say("  more    " + join(more, ", "));
  for (const std::string& warning : creature.warnings) output.say("warning: " + warning);
  for (const std::string& note : s.notes) output.say("note: " + note);
}

// A pose for joints that stand outside their ranges: the nearest angles inside.
std::string likely_pose(const Creature& creature) {
  const std::vector<double> stand = creature.pose("stand");
  std::vector<std::string> joints;
  size_t q = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      for (int k = 0; k < nv(joint) && nq(joint) == nv(joint); ++k) {
        const Dof& dof = joint.dofs[size_t(k)];
        const double inside = std::clamp(stand[q + size_t(k)], dof.lower, dof.upper);
        if (inside != stand[q + size_t(k)]) joints.push_back(dof.name + " = " + brief(inside));
      }
      q += size_t(nq(joint));
    }
  if (joints.empty()) return {};
  return "\n  [[pose]]\n  name = \"stand\"          # angles in rad; bend other joints to taste\n  joints = "
         "{ " +
         join(joints, ", ") + " }";
}

// Lines that would make more of the body. A TOML file takes them itself, any other needs one beside it.
void suggest(const Creature& creature, const std::string& file, const Output& output) {
  const std::string lines =
      (creature.legs.empty() ? likely_legs(creature) : std::string()) + likely_pose(creature);
  const std::filesystem::path path(file);
  if (lines.empty()) return;
  if (path.extension() == ".xml" || path.extension() == ".urdf")
    output.say("what looks useful in a .toml beside it:\n  base = \"" + path.filename().string() + "\"" +
               lines);
  else
    output.say("what looks useful in its file:" + lines);
}

Json to_json(const Creature& creature, const Soundness& s) {
  Json legs = Json::array(), dofs = Json::array(), poses = Json::array();
  for (const Leg& leg : creature.legs)
    legs.push_back({{"name", leg.name}, {"side", name_of(leg.side)}, {"girdle", leg.girdle}});
  for (const Dof* dof : creature.dofs()) dofs.push_back(dof->name);
  for (const Pose& pose : creature.poses) poses.push_back(pose.name);
  return {{"verb", "check"},
          {"status", "ok"},
          {"sound", true},
          {"creature", creature.name},
          {"about", creature.about},
          {"mass", s.mass},
          {"size", cli::to_json(s.size)},
          {"com", cli::to_json(s.com)},
          {"links", s.links},
          {"joints", s.joints},
          {"nq", s.nq},
          {"nv", s.nv},
          {"dofs", dofs},
          {"legs", legs},
          {"legs_found", creature.legs_found},
          {"poses", poses},
          {"contacts", s.contacts},
          {"sensors", s.sensors},
          {"actuators", s.actuators},
          {"loops", s.loops},
          {"warnings", creature.warnings},
          {"notes", s.notes}};
}

}  // namespace

int check(const Words& words) {
  std::string file;
  OutputOptions out;
  Arguments arguments("check", "say whether a body is sound: mass, size, joints, legs",
                      "legwork check mine.toml\nlegwork check robot.urdf --json -");
  arguments.place("FILE", file,
                  "a creature or a world: a shipped name or a file: .toml, MJCF .xml, .urdf, .corpus");
  arguments.options("Output", out);
  if (!arguments.parse(words)) return fine;

  const Creature creature = load_world(file).body;
  const Soundness soundness = assess(creature);
  const Output output(out);
  tell(creature, soundness, output);
  suggest(creature, file, output);
  output.write(to_json(creature, soundness));
  return fine;
}

}  // namespace legwork::cli
