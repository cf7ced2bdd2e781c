// legwork compare: motions side by side.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <list>

#include <legwork/files.h>
#include <legwork/report.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/motion_verb.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"
#include "motion/resample.h"

namespace legwork::cli {

namespace {

struct CompareOptions {
  std::string report, title;
};
template <class Visitor>
void describe(Visitor& v, CompareOptions& o) {
  v.file("report", o.report, "write all of them on one page to this .html");
  v.text("title", o.title, "title of the page");
}

struct Compared {
  std::string name;
  Motion motion;
  Gait gait;
};

// The measures of a gait, and those lengths and speeds that can be compared between bodies of any size.
std::vector<Measure> comparable(const Compared& c) {
  std::vector<Measure> measures = gait_measures(c.gait);
  const double h = c.gait.hip_height, root = std::sqrt(c.motion.gravity * h);
  measures.push_back({"relative_stride", "Stride / hip height", c.gait.stride_length / h, "1", "", false});
  measures.push_back({"relative_step", "Step / hip height", c.gait.step_length / h, "1", "", false});
  measures.push_back({"relative_width", "Width / hip height", c.gait.step_width / h, "1", "", false});
  measures.push_back({"relative_speed", "Speed / sqrt(g h)", c.gait.speed / root, "1", "", false});
  return measures;
}

std::string cell(const Measure& measure) {
  if (const std::string* text = std::get_if<std::string>(&measure.value)) return *text;
  const double x = std::get<double>(measure.value);
  if (!std::isfinite(x)) return "-";
  return measure.unit == "m" ? with_unit(x, "m") : brief(x);
}

// A row for each measure, a column for each motion.
std::vector<std::vector<std::string>> side_by_side(const std::list<Compared>& all) {
  std::vector<std::vector<std::string>> rows = {{"measure"}};
  for (const Measure& measure : comparable(all.front())) {
    const bool pure = measure.unit.empty() || measure.unit == "1" || measure.unit == "m";
    rows.push_back({measure.name + (pure ? "" : " (" + measure.unit + ")")});
  }
  for (const Compared& c : all) {
    rows[0].push_back(c.name);
    const std::vector<Measure> measures = comparable(c);
    for (size_t i = 0; i < measures.size(); ++i) rows[1 + i].push_back(cell(measures[i]));
  }
  // what no motion knows
  std::erase_if(rows, [](const std::vector<std::string>& row) {
    return std::all_of(row.begin() + 1, row.end(), [](const std::string& text) { return text == "-"; });
  });
  return rows;
}

TablePanel as_panel(const std::vector<std::vector<std::string>>& rows) {
  TablePanel panel;
  panel.columns = rows[0];
  for (size_t i = 1; i < rows.size(); ++i) panel.rows.emplace_back(rows[i].begin(), rows[i].end());
  return panel;
}

// The last whole stride of the reference leg; the whole motion where there is none.
std::pair<double, double> last_stride(const Compared& c) {
  if (c.gait.reference >= 0) {
    const std::vector<Stance>& stances = c.gait.legs[c.gait.reference].stances;
    for (size_t i = stances.size(); i-- > 1;)
      if (stances[i].starts && stances[i - 1].starts) return {stances[i - 1].down, stances[i].down};
  }
  return {c.motion.time.front(), c.motion.time.back()};
}

std::string escape_xml(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

// Stances of every leg over one stride, as bars: Hildebrand's gait diagram.
std::string gait_diagram(const std::list<Compared>& all) {
  constexpr int left = 64, width = 430, row = 18;
  std::string svg;
  int y = 0;
  const auto text = [&](int x, int at, const std::string& words) {
    svg += "<text x='" + std::to_string(x) + "' y='" + std::to_string(at) + "'>" + words + "</text>";
  };
  for (const Compared& c : all) {
    const auto [from, to] = last_stride(c);
    text(4, y += row + 6, escape_xml(c.name) + " (" + brief(to - from) + " s)");
    for (const LegGait& leg : c.gait.legs) {
      text(14, y += row, escape_xml(leg.leg));
      for (const Stance& s : leg.stances) {
        const double down = std::max(s.down, from), up = std::min(s.up, to);
        if (up <= down) continue;
        svg += "<rect x='" + brief(left + width * (down - from) / (to - from)) + "' y='" +
               std::to_string(y - 11) + "' width='" + brief(width * (up - down) / (to - from)) +
               "' height='12' fill='#3b6ea5'/>";
      }
    }
  }
  return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + std::to_string(left + width + 10) + " " +
         std::to_string(y + row) + "' font-family='sans-serif' font-size='13'>" + svg + "</svg>";
}

constexpr int plot_samples = 101;

// Height of the centre of mass over one stride, in hip heights.
std::vector<double> height_over_stride(const Compared& c) {
  const Model<double> model = make_model(c.motion.creature);
  Workspace<double> w(model);
  Sampler sampler(model, c.motion);
  std::vector<double> q(model.nq), heights;
  const auto [from, to] = last_stride(c);
  for (int i = 0; i < plot_samples; ++i) {
    sampler.at(from + (to - from) * i / (plot_samples - 1));
    sampler.positions(q.data());
    update_positions(model, q.data(), w);
    const Vec3d com = center_of_mass(model, w);
    heights.push_back((com.z - sample(c.motion.terrain, com.x, com.y).height) / c.gait.hip_height);
  }
  return heights;
}

std::vector<Panel> panels(const std::list<Compared>& all) {
  PlotPanel plot{"share of a stride", "height of the centre of mass / hip height", {}, {}};
  for (int i = 0; i < plot_samples; ++i) plot.x.push_back(double(i) / (plot_samples - 1));
  for (const Compared& c : all) plot.series.emplace_back(c.name, height_over_stride(c));
  return {{"Side by side", "The same measures of every motion on this page.", as_panel(side_by_side(all))},
          {"Footfalls", "One stride of each, from touch-down of its reference leg; bars are stances.",
           SvgPanel{gait_diagram(all)}},
          {"The body's path", "Over the same stride.", plot}};
}

}  // namespace

int compare(const Words& words) {
  std::vector<std::string> files;
  CompareOptions options;
  OutputOptions out;
  Arguments arguments("compare", "put the gaits of several motions side by side, in a table and on one page",
                      "legwork compare walk.glb trot.glb\n"
                      "legwork compare dog.glb tyrannosaurus.glb --report both.html");
  arguments.places("FILE", files, "motions, .glb");
  arguments.options("The page", options);
  arguments.options("Output", out);
  arguments.writes("report", ".html", "name a page");
  if (!arguments.parse(words)) return fine;

  std::list<Compared> all;
  for (const std::string& file : files) {
    Compared c{std::filesystem::path(file).stem().string(), read_motion(file), {}};
    if (c.motion.creature.legs.empty() || c.motion.frames() == 0)
      throw Error({file, 0}, "motion", "has no legs or no frames, so no gait",
                  "compare motions of legged bodies");
    c.gait = measure_gait(c.motion);
    all.push_back(std::move(c));
  }
  const Output output(out);
  std::string text = table(side_by_side(all));
  text.pop_back();
  output.say(text);
  Json json = {{"verb", "compare"}, {"status", "ok"}, {"motions", Json::array()}};
  for (const Compared& c : all) {
    json["motions"].push_back(common_keys(c.motion));
    json["motions"].back()["file"] = files[json["motions"].size() - 1];
  }
  if (!options.report.empty()) {
    const std::vector<Panel> shared = panels(all);
    std::vector<Result> page;
    for (const Compared& c : all)
      page.push_back({.motion = c.motion, .gait = c.gait, .account = {.title = c.name, .panels = shared}});
    write_report(page, options.report,
                 {.title = options.title.empty() ? "Gaits side by side" : options.title});
    output.say("wrote " + options.report + "; open it in a browser");
    json["files"]["report"] = options.report;
  }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
