// legwork gait: measure any motion.

#include "legwork/motion/gait.h"

#include "cli/arguments.h"
#include "cli/gait_words.h"
#include "cli/motion_file.h"
#include "cli/motion_verb.h"
#include "cli/verbs.h"
#include "legwork/io/gait_json.h"

namespace legwork::cli {

int gait(const Words& words) {
  std::string file;
  GaitOptions options;
  OutputOptions out;
  Arguments arguments("gait",
                      "measure the gait of any motion: timing, speed, cost, stability, trackway, slip",
                      "legwork gait walk.glb\nlegwork gait walk.glb --json gait.json");
  arguments.place("FILE", file, "a motion, .glb");
  arguments.options("Measuring", options);
  arguments.options("Output", out);
  if (!arguments.parse(words)) return fine;

  const Motion motion = read_motion(file);
  const Gait gait = measure_gait(motion, options);
  Json json = common_keys(motion);
  json["verb"] = "gait";
  json["gait"] = Json::parse(gait_json(gait));
  json["time"] = to_json(motion.time);  // of gait.margin

  const Output output(out);
  output.say(motion.creature.name + ", " + brief(motion.duration()) + " s");
  for (const std::string& line : gait_lines(gait)) output.say(line);
  output.say(gait.from_forces ? "stances from the recorded forces"
                              : "stances from the height and speed of the soles: no forces were recorded");
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
