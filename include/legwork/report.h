#pragma once
// Results to look at: pages that work offline, pictures and films.

#include <functional>
#include <string>
#include <vector>

#include <legwork/result.h>
#include <legwork/run.h>

namespace legwork {

// --- pages: one HTML file with every motion as a film in 3D, its gait diagram, plots, measures and how it
// was made

struct ReportOptions {
  std::string title;  // empty: the first motion's
  std::string text;
  double rate = 60;         // Hz that the page holds
  double max_bytes = 10e6;  // a page that would be larger holds its motions at a lower rate, at least 10 Hz
};
// Writes the whole page or, with an Error, nothing. The result and its further motions make a gallery.
void write_report(const Result& result, const std::string& path, const ReportOptions& options = {});
// A gallery of all of them.
void write_report(const std::vector<Result>& results, const std::string& path,
                  const ReportOptions& options = {});
// Whether this build holds the page; built without node and npm it does not, and write_report says so.
bool has_report_page() noexcept;

// The numbers of a gait with their meaning; those that are not known are NaN.
std::vector<Measure> gait_measures(const Gait& gait);
std::vector<Measure> appearance_measures(const Appearance& appearance);
// A number for each leg, in the creature's order.
struct LegMeasure {
  std::string name, unit, text;
  std::vector<double> values;
};
std::vector<LegMeasure> leg_measures(const Gait& gait);

// --- pictures, ray-traced without a display: a key light with a soft shadow, light from the sky, a ground
// with a grid, and a camera that follows the creature. The same bits for every number of threads

struct RenderOptions {
  int width = 1280, height = 720;
  int samples = 32;            // rays a pixel
  double azimuth = -0.9;       // rad, camera around the vertical: 0 looks along the creature's own heading
  double elevation = 0.28;     // rad above the horizon
  double zoom = 1;             // larger is closer
  bool follow = true;          // the camera moves with the creature; else it sees the whole way
  bool stride = false;         // strips show the middle stride of the gait, not the whole motion
  int threads = 0;             // 0 = all cores
  std::function<bool()> stop;  // asked often, by any thread; true ends the picture, which then throws Stopped
};
struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;  // rows from the top
};
// One moment.
Picture render_frame(const Motion& motion, double time, const RenderOptions& options = {});
// `count` moments at even distances from start to end in one picture, side by side where they would overlap,
// older ones fading: the strip of the papers. Throws Error where one stride is asked for and there is none.
Picture render_strip(const Motion& motion, int count, const RenderOptions& options = {});
void write_png(const Picture& picture, const std::string& path);
// A film through ffmpeg; an Error says how to install it. The run hears of progress and may stop it.
void write_mp4(const Motion& motion, double fps, const RenderOptions& options, const std::string& path,
               const Run& run = {});

}  // namespace legwork
