#include "methods/discover_panels.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "math/scalar.h"

namespace legwork {

namespace {

constexpr const char* weight_colors[] = {"#b2182b", "#f4a582", "#f7f7f7", "#92c5de", "#2166ac"};  // -2 to 2

std::string number(double x) { return brief(std::round(10 * x) / 10); }

std::string rectangle(double x, double y, double width, double height, const std::string& color) {
  return "<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='" +
         number(height) + "' fill='" + color + "'/>";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string label(double x, double y, const char* anchor, const std::string& text, double turn = 0) {
  std::string out = "<text x='" + number(x) + "' y='" + number(y) + "' text-anchor='" + anchor + "'";
  if (turn != 0) out += " transform='rotate(" + number(turn) + " " + number(x) + " " + number(y) + ")'";
  return out + ">" + escaped(text) + "</text>";
}

std::string picture(double width, double height, const std::string& inside) {
  return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + number(width) + " " + number(height) +
         "' font-family='sans-serif' font-size='11' fill='#444'>" + inside + "</svg>";
}

std::string node_name(const Problem& p, int node) {
  return node < p.shape.hidden ? "h" + std::to_string(node + 1)
                               : p.world.body.actuators[size_t(node - p.shape.hidden)].name;
}

std::string input_name(const Problem& p, int input) {
  return input < p.shape.sensors ? p.world.body.sensors[size_t(input)].name
                                 : node_name(p, input - p.shape.sensors);
}

// A square for each weight: a row for each node, a column for each input.
std::string weight_picture(const Problem& p, const Candidate& candidate) {
  const double cell = 16, left = 110, top = 90;
  const int nodes = p.shape.nodes(), inputs = p.shape.inputs();
  std::string inside;
  for (int k = 0; k < inputs; ++k)
    inside += label(left + (k + 0.7) * cell, top - 6, "start", input_name(p, k), -60);
  for (int i = 0; i < nodes; ++i) {
    inside += label(left - 6, top + (i + 0.75) * cell, "end", node_name(p, i));
    for (int k = 0; k < inputs; ++k)
      inside += rectangle(left + k * cell, top + i * cell, cell - 1, cell - 1,
                          weight_colors[candidate.weights[size_t(i * inputs + k)] + largest_weight]);
  }
  return picture(left + inputs * cell + 60, top + nodes * cell + 8, inside);
}

// A line for each sensor, drawn while it is on.
std::string sensor_picture(const Creature& body, const Motion& motion, const Channel& channel) {
  const double left = 110, width = 720, row = 16;
  const int n = motion.frames();
  const double seconds = std::max(motion.duration(), 1e-9);
  std::string inside;
  for (size_t s = 0; s < body.sensors.size(); ++s) {
    const double y = double(s) * row;
    inside += label(left - 6, y + 0.75 * row, "end", body.sensors[s].name);
    inside += rectangle(left, y + 1, width, row - 2, "#eeeeee");
    for (int f = 0; f < n;) {
      const auto on = [&](int frame) {
        return channel.values[size_t(frame) * size_t(channel.width) + s] > 0.5;
      };
      const int first = f;
      while (f < n && on(f)) ++f;
      if (f > first)
        inside += rectangle(left + width * motion.time[size_t(first)] / seconds, y + 1,
                            width * std::max(f - first, 1) / std::max(n, 1), row - 2, "#2166ac");
      else
        ++f;
    }
  }
  const double bottom = double(body.sensors.size()) * row;
  for (int t = 0; t <= int(seconds); t += std::max(1, int(seconds / 6)))
    inside += label(left + width * t / seconds, bottom + 14, "middle", std::to_string(t) + " s");
  return picture(left + width + 20, bottom + 20, inside);
}

// Where the point went and where the creature did, from above.
std::string chase_picture(const Motion& motion, const Channel& follow, const Channel& com) {
  const double width = 720, margin = 20;
  double low[2] = {unlimited, unlimited}, high[2] = {-unlimited, -unlimited};
  for (const Channel* c : {&follow, &com})
    for (int f = 0; f < motion.frames(); ++f)
      for (int k = 0; k < 2; ++k) {
        const double x = c->values[size_t(f) * 3 + size_t(k)];
        low[k] = std::min(low[k], x), high[k] = std::max(high[k], x);
      }
  const double scale = width / std::max({high[0] - low[0], high[1] - low[1], 1e-9});
  const double height = scale * (high[1] - low[1]);
  const auto line = [&](const Channel& c, const char* color, const char* dashes) {
    std::string points;
    const int stride = std::max(1, motion.frames() / 1000);
    for (int f = 0; f < motion.frames(); f += stride) {
      const double* p = &c.values[size_t(f) * 3];
      points +=
          number(margin + scale * (p[0] - low[0])) + "," + number(margin + scale * (high[1] - p[1])) + " ";
    }
    return "<polyline fill='none' stroke='" + std::string(color) + "' stroke-width='2' stroke-dasharray='" +
           dashes + "' points='" + points + "'/>";
  };
  return picture(width + 2 * margin, height + 2 * margin,
                 line(com, "#2166ac", "none") + line(follow, "#b2182b", "2 5"));
}

void add_chase(const Motion& motion, std::vector<Panel>& panels) {
  const Channel *follow = motion.channel("follow"), *com = motion.channel("center of mass");
  if (!follow || !com || motion.frames() < 2) return;
  PlotPanel plot{"time (s)", "distance (m)", {}, {{"to the point", {}}}, false};
  for (int f = 0; f < motion.frames(); f += std::max(1, motion.frames() / 500)) {
    const double *a = &com->values[size_t(f) * 3], *b = &follow->values[size_t(f) * 3];
    plot.x.push_back(motion.time[size_t(f)]);
    plot.series[0].second.push_back(hypot(a[0] - b[0], a[1] - b[1]));
  }
  panels.push_back({"Chase",
                    "From above: the point that it follows (red dots) and its centre of mass (blue).",
                    SvgPanel{chase_picture(motion, *follow, *com)}});
  panels.push_back({"Distance", "From its centre of mass to the point.", plot});
}

}  // namespace

std::vector<Panel> search_panels(const Problem& problem, const Findings& found) {
  TablePanel table;
  table.columns = {"gait",           "what it does", "speed (m/s)", "untuned (m/s)",
                   "body lengths/s", "period (s)",   "robustness",  "untuned"};
  for (size_t i = 0; i < found.gaits.size(); ++i) {
    const FoundGait& g = found.gaits[i];
    const double speed = g.record.evaluation.distance / problem.seconds;
    table.rows.push_back({double(i + 1), g.name, speed, g.untuned.distance / problem.seconds,
                          speed / problem.length, g.record.evaluation.period, g.robustness,
                          g.untuned_robustness});
  }
  PlotPanel plot{"evaluation", "best score", {}, {{"best so far", {}}}, false};
  const size_t n = found.best_by_count.size(), stride = std::max<size_t>(1, n / 500);
  for (size_t i = 0; i < n; i += stride) {
    plot.x.push_back(double(i + 1));
    plot.series[0].second.push_back(found.best_by_count[i]);
  }
  return {
      {"Gaits", "Robustness is the mean share of the distance that is kept under eight disturbances.", table},
      {"Search", "The best score (" + problem.metric + ") against the number of evaluations.", plot}};
}

std::vector<Panel> gait_panels(const Problem& problem, const Motion& motion, const Candidate& candidate) {
  std::vector<Panel> panels;
  add_chase(motion, panels);
  if (const Channel* sensors = motion.channel("sensors"))
    panels.push_back({"Sensors", "When each sensor is on.",
                      SvgPanel{sensor_picture(problem.world.body, motion, *sensors)}});
  if (problem.shape.weights() <= 4000)
    panels.push_back({"Network", "Weights from red (-2) over white to blue (2): columns are heard by rows.",
                      SvgPanel{weight_picture(problem, candidate)}});
  return panels;
}

}  // namespace legwork
