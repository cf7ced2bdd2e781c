// What a page shows of a reach.

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <legwork/gait.h>
#include "base/text.h"
#include "math/real.h"
#include "methods/reach_account.h"

namespace legwork {

using namespace reaching;

namespace {

// Boxes of a space as points, up to a limit, each with the least turn that reaches it.
PointsPanel::Set box_points(const std::string& name, const std::vector<int>& boxes, const Boxes& grid,
                            const std::vector<double>& turn) {
  constexpr size_t most = 6000;
  PointsPanel::Set set;
  set.name = name;
  const size_t step = boxes.size() / most + 1;
  for (size_t i = 0; i < boxes.size(); i += step) {
    set.points.push_back(grid.center(boxes[i]));
    set.values.push_back(turn[size_t(boxes[i])] * 180 / pi);
  }
  return set;
}

Panel space_panel(const GirdleProblem& g) {
  const std::vector<double> turn = least_turn(g.boxes, g.space);
  std::vector<int> all, walking;
  for (int b = 0; b < g.boxes.count(); ++b)
    if (g.boxes.begin[size_t(b)] < g.boxes.begin[size_t(b) + 1]) all.push_back(b);
  std::set<int> kept;
  for (const RootPose& pose : g.candidates.pose) kept.insert(g.boxes.box_of(pose.at));
  walking.assign(kept.begin(), kept.end());
  PointsPanel panel;
  panel.value_label = "least turn of the body, deg";
  panel.sets.push_back(box_points("every pose", all, g.boxes, turn));
  if (!walking.empty()) panel.sets.push_back(box_points("what walking leaves", walking, g.boxes, turn));
  return {
      g.girdle.name + " limb space",
      "Where the girdle can be while the foot is planted, box by box: x forward, y left, z up from where it "
      "stands. The colour is the least root-mean-square turn with which a box can be reached.",
      panel};
}

Panel counts_panel(const Findings& r) {
  TablePanel t;
  t.columns = {"limb", "degree of freedom", "samples", "excursion", "from", "to"};
  for (const GirdleProblem& g : r.problem.girdles)
    for (size_t k = 0; k < g.girdle.limb.fdofs.size(); ++k) {
      const Fdof& f = g.girdle.limb.fdofs[k];
      const double unit = f.translation ? 100 : 180 / pi;
      t.rows.push_back({g.girdle.name, f.name, double(g.space.grid.count[k]),
                        brief(f.excursion * unit) + (f.translation ? " cm" : " deg"), f.lower, f.upper});
    }
  return {"What was explored", "The product of a limb's samples is its number of poses.", t};
}

Panel constrained_panel(const Findings& r) {
  TablePanel t;
  t.columns = {
      "limb",         "poses", "can walk", "and their siblings", "with the trunk", "can begin a step",
      "largest slice"};
  for (const GirdleResult& g : r.girdles)
    t.rows.push_back({g.name, g.samples, double(g.constrained), double(g.with_siblings),
                      double(g.after_trunk), double(g.back), double(g.largest_slice)});
  return {"What walking leaves", "", t};
}

Panel observables_panel(const Findings& r) {
  TablePanel t;
  t.columns = {"girdle", "observable", "value"};
  for (const GirdleResult& g : r.girdles) {
    const Observables& o = g.observables;
    const std::pair<const char*, double> deg[] = {{"pitch", o.pitch}, {"yaw", o.yaw}, {"roll", o.roll}};
    for (const auto& [name, value] : deg)
      t.rows.push_back({g.name, std::string(name), brief(value) + " deg"});
    t.rows.push_back({g.name, std::string("lateral"), brief(o.lateral) + " cm"});
    t.rows.push_back({g.name, std::string("vertical"), brief(o.vertical) + " cm"});
    for (const auto& [name, value] : o.excursion)
      t.rows.push_back({g.name, "excursion of " + name, brief(value)});
  }
  return {"Observables over the cycle",
          "Turns and displacements: root mean square deviation from the mean over the cycle. Excursions: "
          "least to "
          "greatest, degrees (cm for translations).",
          t};
}

Panel fdof_panel(const GirdleProblem& g, const Findings& r) {
  PlotPanel plot;
  plot.x_label = "share of the stride";
  plot.y_label = "degree of freedom, normalised";
  for (size_t f = 0; f < r.q.size(); ++f) plot.x.push_back(double(f) / double(r.q.size()));
  const Limb& limb = g.girdle.limb;
  for (size_t k = 0; k < limb.fdofs.size(); ++k)
    if (limb.fdofs[k].q >= 0) plot.series.emplace_back(limb.fdofs[k].name, std::vector<double>());
  for (const auto& q : r.q) {
    const std::vector<double> values = limb_values(g.girdle, false, q);
    size_t s = 0;
    for (size_t k = 0; k < limb.fdofs.size(); ++k)
      if (limb.fdofs[k].q >= 0) plot.series[s++].second.push_back(limb.fdofs[k].normalized(values[k]));
  }
  return {g.girdle.name + " limb over the stride", "-1 and 1 are the ends of each range.", plot};
}

Panel search_panel(const Findings& r) {
  PlotPanel plot;
  plot.x_label = "generation";
  plot.y_label = "fitness x 1000";
  const std::vector<double>& best = r.genetic.genetic.best_by_iteration;
  std::vector<double> y, bound;
  const size_t step = best.size() / 500 + 1;
  for (size_t i = 0; i < best.size(); i += step) {
    plot.x.push_back(double(i + 1));
    y.push_back(best[i] * 1e3);
    bound.push_back(r.exact.bound * 1e3);
  }
  plot.series.emplace_back("best so far", y);
  if (r.exact_run) plot.series.emplace_back(r.exact.proven ? "proven optimum" : "certified bound", bound);
  return {"The search", "", plot};
}

Panel trackway_panel(const Findings& r, const std::vector<Footprint>& real) {
  struct Print {
    double x, y, yaw;
    bool fore, left, real;
  };
  std::vector<Print> prints;
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300, real_x = 1e300, real_y = 0;
  for (const Footprint& p : real) real_x = std::min(real_x, p.at.x), real_y += p.at.y / double(real.size());
  double first = 1e300;
  for (const Footfall& f : r.plan.feet) {
    const Limb& limb = r.problem.girdles[size_t(f.girdle)].girdle.limb;
    const Vec3d sole = f.left ? image(limb.sole) : limb.sole;
    const Vec3d at = f.print.p + f.print.R * sole;
    first = std::min(first, at.x);
    for (int k = 0; k < 3; ++k)
      prints.push_back({at.x + k * r.plan.stride, at.y, 0, f.girdle > 0, f.left, false});
  }
  for (const Footprint& p : real)
    prints.push_back({p.at.x - real_x + first, p.at.y - real_y, 0, p.girdle == "fore", p.left, true});
  for (const Print& p : prints)
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  const double margin = 0.15 * r.hip_height + 0.05 * (x1 - x0), size = 0.05 * r.hip_height;
  x0 -= margin, x1 += margin, y0 -= margin, y1 += margin;
  const double scale = 900 / (x1 - x0), height = (y1 - y0) * scale;
  std::ostringstream svg;
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 " << height + 24
      << "' font-family='sans-serif' font-size='12'>"
      << "<line x1='0' x2='900' y1='" << (y1)*scale << "' y2='" << (y1)*scale
      << "' stroke='#bbb' stroke-dasharray='6 6'/>";
  for (const Print& p : prints) {
    const double x = (p.x - x0) * scale, y = (y1 - p.y) * scale, s = size * scale;
    const char* color = p.real ? "none" : p.left ? "#3b6ea5" : "#b4532a";
    const char* stroke = p.real ? "#222" : "none";
    if (p.fore)
      svg << "<ellipse cx='" << x << "' cy='" << y << "' rx='" << s << "' ry='" << 0.7 * s << "' fill='"
          << color << "' stroke='" << stroke << "'/>";
    else
      svg << "<rect x='" << x - s << "' y='" << y - 0.7 * s << "' width='" << 2 * s << "' height='" << 1.4 * s
          << "' fill='" << color << "' stroke='" << stroke << "'/>";
  }
  svg << "<line x1='10' x2='" << 10 + r.hip_height * scale << "' y1='" << height + 10 << "' y2='"
      << height + 10 << "' stroke='#222'/><text x='" << 16 + r.hip_height * scale << "' y='" << height + 14
      << "' fill='#222'>one hip height, " << brief(r.hip_height) << " m</text></svg>";
  std::string text = "Pes prints are squares, manus prints round; left blue, right red; travel to the right.";
  if (!real.empty()) {
    const TrackwayMeasures m = measure_trackway(real, r.problem.girdles[0].girdle.name);
    text += " Outlined: the real trackway, with steps of " + brief(m.step) + " m, strides of " +
            brief(m.stride) + " m, a width of " + brief(m.width) + " m and a pace angulation of " +
            brief(m.pace_angulation * 180 / pi) + " deg.";
  }
  return {"Trackway", text, SvgPanel{svg.str()}};
}

}  // namespace

std::vector<Panel> reach_panels(const Findings& r, const ReachOptions& o,
                                const std::vector<Footprint>& real) {
  std::vector<Panel> panels;
  if (o.task == Kind::walk && o.stage >= Stage::organise)
    for (const GirdleProblem& g : r.problem.girdles) panels.push_back(space_panel(g));
  if (r.animated && o.task == Kind::walk) {
    panels.push_back(trackway_panel(r, real));
    panels.push_back(observables_panel(r));
  }
  if (r.animated)
    for (const GirdleProblem& g : r.problem.girdles) panels.push_back(fdof_panel(g, r));
  if (r.searched) panels.push_back(search_panel(r));
  panels.push_back(counts_panel(r));
  if (o.task == Kind::walk && o.stage >= Stage::constrain) panels.push_back(constrained_panel(r));
  return panels;
}

std::vector<legwork::Measure> reach_measures(const Findings& r, const ReachOptions& o) {
  std::vector<legwork::Measure> out;
  if (r.searched)
    out.push_back({"fitness", "Fitness", r.fitness * 1e3, "1e-3",
                   "1 / (1 + error) of the two events that the search chose (Wills 2008, appendix H)", true});
  if (r.exact_run)
    out.push_back({"bound", r.exact.proven ? "Proven optimum" : "Certified bound", r.exact.bound * 1e3,
                   "1e-3", "no gait of these samples has a greater fitness", true});
  if (r.animated && o.task == Kind::walk) {
    out.push_back({"planted_error", "Feet off their prints", r.planted_error * 1e3, "mm",
                   "largest in any stance", true});
    out.push_back({"dual_support_error", "Left and right disagree", r.dual_error * 1e3, "mm",
                   "on the root's place in dual support, largest", true});
    out.push_back({"raw_trunk_gap", "Trunk gap of the samples", r.raw.trunk_gap * 1e3, "mm",
                   "before the polish, largest; after it the trunk is whole", false});
  }
  return out;
}

}  // namespace legwork
