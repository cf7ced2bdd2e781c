// legwork gait: measure any motion.

#include <legwork/carriage.h>
#include <legwork/gait.h>

#include <legwork/files.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/gait_words.h"
#include "cli/motion_verb.h"
#include "cli/verbs.h"
#include "formats/file.h"

namespace legwork::cli {

namespace {

struct GaitFile {
  std::string out;
};
template <class Visitor>
void describe(Visitor& v, GaitFile& o) {
  v.file("out", o.out, "write its timing to this .toml, for legwork reach --gait");
}

}  // namespace

int gait(const Words& words) {
  std::string file;
  GaitOptions options;
  GaitFile files;
  OutputOptions out;
  Arguments arguments(
      "gait", "measure the gait of any motion: timing, speed, cost, stability, trackway; and how it looks",
      "legwork gait walk.glb\nlegwork gait walk.glb --json gait.json\n"
      "legwork gait trot.glb --out trot.toml");
  arguments.place("FILE", file, "a motion, .glb");
  arguments.options("Measuring", options);
  arguments.options("Files", files);
  arguments.options("Output", out);
  arguments.writes("out", ".toml", "name a gait file");
  if (!arguments.parse(words)) return fine;

  const Motion motion = read_motion(file);
  const Gait gait = measure_gait(motion, options);
  const Appearance appearance = measure_appearance(motion, gait);
  Json json = common_keys(motion);
  json["verb"] = "gait";
  json["gait"] = Json::parse(gait_json(gait));
  json["appearance"] = Json::parse(to_json(appearance_value(appearance)));
  const Carriage carriage = measure_carriage(motion, gait);
  json["carriage"] = carriage_json(carriage);
  json["time"] = to_json(motion.time);  // times of gait.margin

  const Output output(out);
  output.say(motion.creature.name + ", " + brief(motion.duration()) + " s");
  for (const std::string& line : gait_lines(gait)) output.say(line);
  output.say("\nHow it looks");
  for (const std::string& line : appearance_lines(appearance)) output.say(line);
  output.say("\nHow the body moves in a stride");
  for (const std::string& line : carriage_lines(carriage)) output.say(line);
  output.say(gait.stances_from == StancesFrom::forces ? "stances from the recorded forces"
             : gait.stances_from == StancesFrom::plan
                 ? "stances as the motion was planned: no physics, no forces"
                 : "stances from the height and speed of the soles: no forces were recorded");
  if (!files.out.empty()) {
    write_file(files.out, gait_toml(gait));
    output.say("wrote " + files.out);
    json["files"]["out"] = files.out;
  }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
