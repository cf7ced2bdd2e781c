#include "formats/account_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include <legwork/error.h>
#include "formats/base64.h"

namespace legwork {

namespace {

using nlohmann::json;

json value_json(const TableCell& value) {
  return std::visit([](const auto& x) { return json(x); }, value);
}

std::string floats(const std::vector<double>& values) {
  return base64(std::vector<float>(values.begin(), values.end()));
}

std::pair<const char*, json> body(const TablePanel& panel) {
  json rows = json::array();
  for (const auto& row : panel.rows) {
    json cells = json::array();
    for (const TableCell& value : row) cells.push_back(value_json(value));
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

std::pair<const char*, json> body(const LivePanel& panel) {
  return {panel.type.c_str(), json::parse(panel.json)};
}

json panel_json(const Panel& panel) {
  auto [type, data] = std::visit([](const auto& x) { return body(x); }, panel.body);
  return {{"type", type}, {"title", panel.title}, {"text", panel.text}, {"data", std::move(data)}};
}

TableCell parse_value(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::nan("") : value.get<double>();  // JSON has no nan
}

}  // namespace

std::string account_json(const Account& account) {
  json measures = json::array(), panels = json::array(), told = json::array();
  for (const Statement& statement : account.statements)
    if (Account one{.statements = {statement}}; !sentences(one).empty()) told.push_back(sentences(one));
  for (const Measure& m : account.measures)
    measures.push_back({{"id", m.id},
                        {"name", m.name},
                        {"value", value_json(m.value)},
                        {"unit", m.unit},
                        {"text", m.text},
                        {"key", m.important}});
  for (const Panel& panel : account.panels) panels.push_back(panel_json(panel));
  const json out = {{"text", sentences(account)},
                    {"sentences", std::move(told)},
                    {"measures", std::move(measures)},
                    {"panels", std::move(panels)}};
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

Account parse_account(const std::string& text) try {
  const json in = json::parse(text);
  Account out;
  if (in.contains("sentences"))
    for (const std::string said : in["sentences"]) out.statements.push_back({said});
  else if (const std::string said = in.at("text"); !said.empty())
    out.statements.push_back({said});
  if (in.contains("title")) out.title = in["title"];
  for (const json& m : in.at("measures"))
    out.measures.push_back(
        {m.at("id"), m.at("name"), parse_value(m.at("value")), m.at("unit"), m.at("text"), m.at("key")});
  for (const json& p : in.at("panels"))
    out.panels.push_back({p.at("title"), p.at("text"), LivePanel{p.at("type"), p.at("data").dump()}});
  return out;
} catch (const json::exception&) {
  throw Error("what the method found is not readable", "make the motion again");
}

}  // namespace legwork
