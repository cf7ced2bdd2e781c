#pragma once
// Pictures of a motion, ray-traced with Embree; no display or GPU needed.
//
// A key light with a soft shadow, light from the sky, a ground with a grid whose cells are a round length,
// and a camera that follows the creature. Same bits for every number of threads.

#include <functional>
#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

struct RenderOptions {
  int width = 1280, height = 720;
  int samples = 32;         // rays a pixel
  double azimuth = -0.9;    // rad, camera around the vertical: 0 looks along the creature's own heading
  double elevation = 0.28;  // rad above the horizon
  double zoom = 1;          // larger is closer
  bool follow = true;       // the camera moves with the creature; else it sees the whole way
  int threads = 0;          // 0 = all cores
};

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;  // rows from the top
};

// One moment.
Picture render_frame(const Motion& motion, double time, const RenderOptions& options);

// `count` moments at even distances from start to end in one picture, side by side where they would overlap,
// older ones fading: the strip of the papers.
Picture render_strip(const Motion& motion, int count, const RenderOptions& options);

void write_png(const Picture& picture, const std::string& path);

// A film through ffmpeg (an Error says how to install it); progress is called with the share done.
void write_mp4(const Motion& motion, double fps, const RenderOptions& options, const std::string& path,
               const std::function<void(double)>& progress = {});

}  // namespace legwork
