#pragma once
// A motion carried onto a rigged character: a .glb with a skin in, the same character with the motion out.
//
// A bone and a link belong together when their names are equal but for case, separators and a prefix that
// ends in a colon ("mixamorig:LeftLeg" and "left_leg"). Each such bone turns from the rig's bind pose as its
// link turns from the creature's pose `pose`: both should show the same posture, facing the same way (+Z in
// glTF, X in Legwork). Other bones keep their place on the bone above. The uppermost bones also move through
// space, by the link's path scaled to the rig's size, with the ground at height 0. Animations that the file
// had are replaced.

#include <map>
#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

struct SkinOptions {
  double rate = 30;  // Hz; 0 = every recorded frame
  std::string pose;  // the creature's pose that matches the rig's; empty = reference
  double scale = 0;  // rig's size over the creature's; 0 = from the distances of joints
  std::map<std::string, std::string> names;  // link to bone, where the names do not show it
};

struct SkinReport {
  std::vector<std::pair<std::string, std::string>> pairs;  // link, bone
  std::vector<std::string> links, bones;                   // those without a partner
  double scale = 1;
};

SkinReport write_skin(const Motion& motion, const std::string& rig, const std::string& path,
                      const SkinOptions& options = {});

}  // namespace legwork
