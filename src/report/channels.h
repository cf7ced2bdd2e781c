#pragma once
// The plots of the report: the quantities over time that matter.

#include <string>
#include <vector>

#include <legwork/gait.h>
#include "report/film.h"

namespace legwork {

// One line of a plot: a value for each frame of the film.
struct FilmSeries {
  std::string name;
  int leg = -1;  // that gives it its colour
  std::vector<float> values;
};

// Lines with one unit, shown together.
struct FilmGroup {
  std::string name, unit;
  std::vector<FilmSeries> series;
  std::string row = {};  // of the picture in which it stands beside others
  int scale = -1;        // groups of one scale share their range of values
};

// Its groups are shown one at a time, or, where they have rows, all of them.
struct FilmPlot {
  std::string id, title, note;
  std::vector<FilmGroup> groups;
};

// Speed, height, orientation, forces, stability, joints, torques, and what the method recorded. Legs come in
// the order given; gait may be null.
std::vector<FilmPlot> make_plots(const Film& film, const Gait* gait, const std::vector<int>& leg_order);

// How many values a frame they hold at most, to foretell the page's size.
int plots_width(const Motion& motion);

}  // namespace legwork
