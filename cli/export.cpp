// legwork export: a motion for other programs, by the ending of the file's name.

#include <filesystem>
#include <map>
#include <sstream>

#include <legwork/files.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/motion_verb.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "formats/file.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

struct ExportOptions {
  std::string out;
  double fps = 0;
  double unit = 1;
  bool cycle = false, in_place = false;
  double start = -1, period = 0;
  std::string clip, skin, pose;
  std::string map, save_map;
  std::vector<std::string> bone;
};

template <class Visitor>
void describe(Visitor& v, ExportOptions& o) {
  v.text("out", o.out,
         {{"FILE.bvh", "skeleton and angles, for animation programs"},
          {"FILE.csv", "columns of numbers, units in the header"},
          {"FILE.sto", "OpenSim's storage"},
          {"FILE.glb", "glTF again: at another rate, as a loop, or on a skin"},
          {"FILE.xml", "the creature as MJCF, for MuJoCo"},
          {"FILE.toml", "the creature as a Legwork file that needs no others"}},
         "the file to write");
  v.number("fps", o.fps,
           {0, 1e5, "Hz", "frames a second; 0 = as recorded, but 30 for loops and skins and 60 for .bvh"});
  v.number("unit", o.unit, {1e-6, 1e6, "m", ".bvh: length of one unit in metres; 0.01 writes centimetres"});
  v.flag("cycle", o.cycle, "one clean loop: a stride whose last frame equals its first");
  v.flag("in_place", o.in_place, "with --cycle: without travelling, as on a treadmill");
  v.number("start", o.start, {-1, 1e6, "s", "with --cycle: when the stride begins; -1 = as its gait says"});
  v.number("period", o.period, {0, 1e4, "s", "with --cycle: how long a stride takes; 0 = as its gait says"});
  v.text("clip", o.clip, {"NAME"}, ".glb: name of the animation; else the verb that made the motion");
  v.file("skin", o.skin, "carry the motion onto this rigged .glb, by the names of its bones and by shape");
  v.file("map", o.map,
         "with --skin: a file that says which bone follows which link, a line LINK = BONE each");
  v.file("save_map", o.save_map, "with --skin: write such a file of the pairs that were found, to correct");
  v.text("pose", o.pose, {"POSE"},
         "with --skin: the creature's pose that matches the rig's; else the reference pose");
  v.texts("bone", o.bone, {{"LINK=BONE", "which bone follows which link, where the names do not show it"}},
          "with --skin: pairs a link with a bone; may be repeated");
}

std::string ending(const std::string& path) { return fs::path(path).extension().string(); }

const std::vector<std::string> endings = {".bvh", ".csv", ".sto", ".glb", ".xml", ".toml"};

std::string trimmed(const std::string& text) {
  const size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == text.npos ? "" : text.substr(from, to - from + 1);
}

// Lines LINK = BONE; what follows # is a remark.
std::map<std::string, std::string> read_map(const std::string& path) {
  std::map<std::string, std::string> names;
  std::istringstream lines(read_file(path));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    const std::string link = trimmed(line.substr(0, equals)),
                      bone = equals == line.npos ? "" : trimmed(line.substr(equals + 1));
    if (link.empty() || bone.empty())
      throw Error({path, number}, "", "'" + line + "' is not LINK = BONE",
                  "write for example thigh_l = LeftUpLeg");
    names[link] = bone;
  }
  return names;
}

void save_map(const SkinReport& report, const std::string& path) {
  std::string text = "# which bone follows which link\n";
  for (const auto& [link, bone] : report.pairs) text += link + " = " + bone + "\n";
  for (const std::string& link : report.links) text += "# " + link + " =\n";
  write_file(path, text);
}

SkinOptions skin_options(const ExportOptions& options) {
  SkinOptions skin;
  if (options.fps > 0) skin.rate = options.fps;
  skin.pose = options.pose;
  if (!options.map.empty()) skin.names = read_map(options.map);
  for (const std::string& text : options.bone) {
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
      throw Error({}, "--bone", "'" + text + "' is not LINK=BONE", "write for example thigh_l=LeftUpLeg");
    skin.names[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return skin;
}

void tell_skin(const SkinReport& report, const Output& output, Json& json) {
  output.say(std::to_string(report.pairs.size()) + " bones follow links, scale " + brief(report.scale));
  if (!report.links.empty()) output.say("links without a bone: " + join(report.links, ", "));
  if (!report.bones.empty()) output.say("bones without a link: " + join(report.bones, ", "));
  json["bones"] = report.pairs;
  json["links_without_bone"] = report.links;
  json["bones_without_link"] = report.bones;
  json["scale"] = report.scale;
}

void write_as(const Motion& motion, const ExportOptions& options, const Output& output, Json& json) {
  const std::string kind = ending(options.out);
  if (!options.skin.empty()) {
    const SkinReport report = write_skin(motion, options.skin, options.out, skin_options(options));
    tell_skin(report, output, json);
    if (!options.save_map.empty()) save_map(report, options.save_map);
  } else if (kind == ".glb")
    write_glb(motion, options.out, {.rate = options.cycle ? 0 : options.fps, .clip = options.clip});
  else if (kind == ".bvh")
    write_bvh(motion, options.out,
              {.rate = options.cycle     ? 0
                       : options.fps > 0 ? options.fps
                                         : 60,
               .unit = options.unit});
  else if (kind == ".csv")
    write_csv(motion, options.out, {.rate = options.cycle ? 0 : options.fps});
  else
    write_sto(motion, options.out, {.rate = options.cycle ? 0 : options.fps});
}

}  // namespace

int export_motion(const Words& words) {
  std::string file;
  ExportOptions options;
  OutputOptions out;
  Arguments arguments("export", "write a motion or a creature for other programs, by the ending of --out",
                      "legwork export drop.glb --out drop.bvh --fps 30\n"
                      "legwork export walk.glb --out walk.csv\n"
                      "legwork export walk.glb --cycle --in-place --fps 30 --out loop.glb\n"
                      "legwork export walk.glb --skin hero.glb --out hero_walks.glb\n"
                      "legwork export hexapod --out hexapod.xml");
  arguments.place("FILE", file, "a motion, .glb; for .xml and .toml also a creature");
  arguments.options("The file", options);
  arguments.options("Output", out);
  arguments.writes("out");
  if (!arguments.parse(words)) return fine;

  const std::string kind = ending(options.out);
  if (options.out.empty()) throw Error("--out is missing", "name the file to write: " + join(endings, ", "));
  if (std::find(endings.begin(), endings.end(), kind) == endings.end())
    throw Error({}, "--out", "'" + options.out + "' has no known ending", did_you_mean(kind, endings));
  if (!options.skin.empty() && kind != ".glb")
    throw Error("--skin writes a .glb, not '" + kind + "'", "name one with --out");
  const bool body = kind == ".xml" || kind == ".toml";
  const bool from_motion = ending(file) == ".glb";
  if (!body && !from_motion)
    throw Error("'" + file + "' is not a motion",
                "give a .glb that Legwork wrote, for example by legwork drop --out");

  const Output output(out);
  Json json = {{"verb", "export"}, {"status", "ok"}, {"files", {{"out", options.out}}}};
  if (body) {
    const Creature creature = from_motion ? read_motion(file).creature : load_world(file).body;
    kind == ".xml" ? write_mjcf(creature, options.out) : write_creature(creature, options.out);
  } else {
    Motion motion = read_motion(file);
    if (motion.frames() == 0) throw Error({file, 0}, "motion", "has no frames", "there is nothing to export");
    json = common_keys(motion);  // describes what was read
    json["verb"] = "export", json["files"]["out"] = options.out;
    if (options.cycle)
      motion = loop(motion, {.start = options.start,
                             .period = options.period,
                             .rate = options.fps > 0 ? options.fps : 30,
                             .in_place = options.in_place});
    write_as(motion, options, output, json);
    json["duration"] = motion.duration();
  }
  output.say("wrote " + options.out);
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
