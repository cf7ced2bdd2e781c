#pragma once
// Bodies and worlds from files, motions and results to files and back.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <legwork/motion.h>
#include <legwork/result.h>
#include <legwork/world.h>

namespace legwork {

// --- bodies and worlds

// A shipped name ("hexapod") or a file: .toml, MJCF .xml, .urdf (also as .xml), .corpus. Completed and
// checked.
Creature load_creature(const std::string& name_or_path);
// The same as a world, changed as the options say. A TOML file with [[body]] holds a world; a creature is a
// world of its own, in the surroundings that its file wishes for.
World load_world(const std::string& name_or_path, const WorldOptions& options = {});

// A creature from the text of a creature file, and back: the same bit for bit. file names the text in
// messages; bases and meshes are sought beside it.
Creature parse_creature(const std::string& text, const std::string& file);
std::string creature_text(const Creature& creature);
// A world of its own for a creature that was made by hand: the surroundings that it wishes for, changed as
// the options say.
World world_of(const Creature& creature, const WorldOptions& options = {});

struct ShippedCreature {
  std::string name, about, path;
};
// What comes with Legwork, by name. The folder: $LEGWORK_CREATURES, else where Legwork was built or
// installed.
std::vector<ShippedCreature> shipped_creatures();
std::vector<ShippedCreature> shipped_worlds();

// --- motions and results: .glb, a glTF animation that any viewer opens and Legwork reads back bit for bit

// The motion with every recorded frame animated; the account and the scenario ride along.
void save(const Result& result, const std::string& path);
Motion read_motion(const std::string& path);
// What save wrote, with the gait measured again. Values and effort are not kept; statements come back as one,
// panels as the data that pages draw.
Result read_result(const std::string& path);

// --- for other programs. Every file is written whole or, with an Error, not at all

struct GlbOptions {
  double rate = 60;       // Hz, frames of the animation; 0 = every recorded frame. All states are kept anyway
  bool ground = true;     // the terrain drawn under the path as a node "ground", unless it is a level plane
  std::string clip = {};  // name of the animation; empty = the verb that made the motion
  Account account = {};   // carried along for the pages that show the motion
  std::string given = {};  // the body that the motion was made from, as TOML, where the method changed it
};
void write_glb(const Motion& motion, const std::string& path, const GlbOptions& options = {});

struct BvhOptions {
  double rate = 60;  // Hz; 0 = the recorded frames, which must then be evenly spaced
  double unit = 1;   // metres of one unit of length; 0.01 writes centimetres
};
void write_bvh(const Motion& motion, const std::string& path, const BvhOptions& options = {});

struct TableOptions {
  double rate = 0;  // Hz; 0 = the recorded frames
};
void write_csv(const Motion& motion, const std::string& path, const TableOptions& options = {});
void write_sto(const Motion& motion, const std::string& path, const TableOptions& options = {});  // OpenSim's

// A rigged character moved by the motion: rig is a .glb with a skin.
struct SkinOptions {
  double rate = 30;  // Hz; 0 = every recorded frame
  std::string pose;  // the creature's pose that matches the rig's; empty = reference
  double scale = 0;  // rig's size over the creature's; 0 = from the distances of joints
  std::map<std::string, std::string> names;  // link to bone, where the names do not tell
};
struct SkinReport {
  std::vector<std::pair<std::string, std::string>> pairs;  // link, bone
  std::vector<std::string> links, bones;                   // those without a partner
  double scale = 1;
};
SkinReport write_skin(const Motion& motion, const std::string& rig, const std::string& path,
                      const SkinOptions& options = {});

// A body as MJCF, for MuJoCo, and as a creature file that stands alone.
void write_mjcf(const Creature& creature, const std::string& path);
void write_creature(const Creature& creature, const std::string& path);

// One clean loop out of a motion, for animators: the last frame equals the first.
struct LoopOptions {
  double start = -1;     // s; -1: the middle stride of the gait's reference leg
  double period = 0;     // s, of a stride; 0: as long as that one
  double rate = 30;      // Hz
  bool in_place = true;  // root motion removed
};
// Throws Error for a stride outside the motion, one shorter than two frames, or none to be found.
Motion loop(const Motion& motion, const LoopOptions& options = {});

// --- gaits

// The timing as a gait file, for ReachOptions::gait. Throws Error where a leg makes no whole stride.
std::string gait_toml(const Gait& gait);
// All that was measured, in SI units; null = unknown.
std::string gait_json(const Gait& gait);
// Every measure by its name.
Value appearance_value(const Appearance& appearance);

}  // namespace legwork
