#include "legwork/io/report_panels.h"

#include <nlohmann/json.hpp>

#include "legwork/io/base64.h"

namespace legwork {

namespace {

using nlohmann::json;

std::string floats(const std::vector<double>& values) {
  return base64(std::vector<float>(values.begin(), values.end()));
}

std::pair<const char*, json> body(const TablePanel& panel) {
  json rows = json::array();
  for (const auto& row : panel.rows) {
    json cells = json::array();
    for (const ReportValue& value : row) cells.push_back(make_value(value));
    rows.push_back(std::move(cells));
  }
  return {"table", {{"columns", panel.columns}, {"rows", std::move(rows)}}};
}

std::pair<const char*, json> body(const PlotPanel& panel) {
  json series = json::array();
  for (const auto& [name, values] : panel.series)
    series.push_back({{"name", name}, {"values", floats(values)}});
  return {"plot",
          {{"x", floats(panel.x)},
           {"series", std::move(series)},
           {"xLabel", panel.x_label},
           {"yLabel", panel.y_label},
           {"style", panel.dots ? "dots" : "line"}}};
}

std::pair<const char*, json> body(const PointsPanel& panel) {
  json sets = json::array();
  for (const PointsPanel::Set& set : panel.sets) {
    std::vector<float> points;
    points.reserve(3 * set.points.size());
    for (const Vec3d& p : set.points) points.insert(points.end(), {float(p.x), float(p.y), float(p.z)});
    json one = {{"name", set.name}, {"points", base64(points)}};
    if (!set.values.empty()) one["values"] = floats(set.values);
    sets.push_back(std::move(one));
  }
  return {"points", {{"sets", std::move(sets)}, {"valueLabel", panel.value_label}}};
}

std::pair<const char*, json> body(const SvgPanel& panel) { return {"svg", {{"svg", panel.svg}}}; }

std::pair<const char*, json> body(const ImagePanel& panel) {
  return {"image", {{"png", base64(panel.png.data(), panel.png.size())}}};
}

std::pair<const char*, json> body(const TextPanel& panel) { return {"text", {{"text", panel.text}}}; }

}  // namespace

json make_value(const ReportValue& value) {
  return std::visit([](const auto& x) { return json(x); }, value);
}

json make_panel(const ReportPanel& panel) {
  auto [type, data] = std::visit([](const auto& x) { return body(x); }, panel.body);
  return {{"type", type}, {"title", panel.title}, {"text", panel.text}, {"data", std::move(data)}};
}

}  // namespace legwork
