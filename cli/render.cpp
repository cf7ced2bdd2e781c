// legwork render: pictures and films of a motion, without a display.

#include <legwork/files.h>
#include <legwork/report.h>

#include "base/progress_line.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/motion_verb.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace legwork::cli {

namespace {

struct PictureOptions {
  std::string png, mp4;
  double time = -1;
  double fps = 30;
  RenderOptions look;
  bool still = false;
};

template <class Visitor>
void describe(Visitor& v, PictureOptions& o) {
  v.file("png", o.png, "one moment as a picture");
  v.number("time", o.time, {-1, 1e6, "s", "the moment; -1 = the middle of the motion"});
  v.file("mp4", o.mp4, "the whole motion as a film, through ffmpeg");
  v.number("fps", o.fps, {1, 240, "Hz", "frames a second of the film"});
  v.integer("width", o.look.width, {16, 16384, "", "pixels"});
  v.integer("height", o.look.height, {16, 16384, "", "pixels"});
  v.integer("samples", o.look.samples, {1, 4096, "", "rays a pixel: more is smoother and slower"});
  v.number("azimuth", o.look.azimuth,
           {-10, 10, "rad", "camera around the vertical; 0 looks along the heading"});
  v.number("elevation", o.look.elevation, {-1.5, 1.5, "rad", "camera above the horizon"});
  v.number("zoom", o.look.zoom, {0.01, 100, "1", "larger is closer"});
  v.flag("still", o.still, "the camera stays still and sees the whole path");
  v.flag("stride", o.look.stride, "the strip shows one stride, the middle one, not the whole motion");
  v.integer("threads", o.look.threads,
            {0, 4096, "", "threads to use; 0 = all cores; the pictures do not depend on it"});
}

// "--strip 8 strip.png" is a count and a file: two words after one flag.
struct Strip {
  int count = 0;
  std::string file;
};
Strip take_strip(Words& words) {
  Strip strip;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "--strip") continue;
    if (i + 2 >= words.size())
      throw Error({}, "--strip", "needs a count and a file", "write --strip 8 strip.png");
    Options reader;
    reader.integer("strip", strip.count, {2, 100, "", ""});
    reader.all()[0].set({words[i + 1]}, {}, "--strip");
    strip.file = words[i + 2];
    words.erase(words.begin() + long(i), words.begin() + long(i) + 3);
    break;
  }
  return strip;
}

}  // namespace

int render(const Words& given) {
  Words words = given;
  const Strip strip = take_strip(words);
  std::string file;
  PictureOptions options;
  OutputOptions out;
  Arguments arguments("render", "draw pictures and films of a motion, ray-traced, without a display",
                      "legwork render drop.glb --png frame.png --time 1.2\n"
                      "legwork render drop.glb --strip 8 strip.png --width 1600 --height 300\n"
                      "legwork render walk.glb --strip 6 stride.png --stride --width 1600 --height 300\n"
                      "legwork render drop.glb --mp4 film.mp4 --fps 30");
  arguments.place("FILE", file, "a motion, .glb");
  arguments.options(
      "The picture: --png, --mp4, or --strip COUNT FILE, moments side by side, older ones fading", options);
  arguments.options("Output", out);
  arguments.writes("png", ".png", "name a picture");
  arguments.writes("mp4", ".mp4", "name a film");
  if (!strip.file.empty()) arguments.writes(Target{"--strip", strip.file, ".png", "name a picture"});
  if (!arguments.parse(words)) return fine;
  if (options.png.empty() && options.mp4.empty() && strip.file.empty())
    throw Error({}, "render", "nothing to make", "give --png FILE, --strip COUNT FILE or --mp4 FILE");
  if (options.look.stride && strip.file.empty())
    throw Error({}, "--stride", "is for strips", "add --strip COUNT FILE");

  const Motion motion = read_motion(file);
  if (motion.frames() == 0) throw Error({file, 0}, "motion", "has no frames", "there is nothing to see");
  options.look.follow = !options.still;
  options.look.stop = interrupted;
  const Output output(out);
  Json json = common_keys(motion);
  json["verb"] = "render";
  const auto wrote = [&](const char* kind, const std::string& path) {
    output.say("wrote " + path);
    json["files"][kind] = path;
  };
  if (!options.png.empty()) {
    const double middle = motion.time.front() + motion.duration() / 2;
    const double time = options.time < 0 ? middle : options.time;
    if (time > motion.time.back())
      throw Error({}, "--time",
                  to_text(time) + " s is after the end of the motion, " + to_text(motion.time.back()) + " s");
    write_png(render_frame(motion, time, options.look), options.png);
    wrote("png", options.png);
  }
  if (!strip.file.empty()) {
    write_png(render_strip(motion, strip.count, options.look), strip.file);
    wrote("strip", strip.file);
  }
  if (!options.mp4.empty()) {
    ProgressLine line(out.quiet);
    write_mp4(motion, options.fps, options.look, options.mp4, run_of({}, line));
    wrote("mp4", options.mp4);
  }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
