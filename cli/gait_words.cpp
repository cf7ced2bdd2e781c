#include "cli/gait_words.h"

#include <cmath>
#include <numbers>

#include <legwork/report.h>
#include "base/text.h"

namespace legwork::cli {

namespace {

std::string cell(double x) { return std::isfinite(x) ? brief(x) : "-"; }

// A line for each that is known.
std::vector<std::string> measure_lines(const std::vector<Measure>& measures) {
  std::vector<std::string> lines;
  for (const Measure& measure : measures) {
    std::string value;
    if (const double* x = std::get_if<double>(&measure.value)) {
      if (!std::isfinite(*x)) continue;
      value = brief(*x) + (measure.unit.empty() || measure.unit == "1" ? "" : " " + measure.unit);
    } else {
      value = std::get<std::string>(measure.value);
    }
    const auto padded = [](std::string text, size_t width) {
      text.resize(std::max(width, text.size()), ' ');
      return text + " ";
    };
    lines.push_back(padded(measure.name, 18) + padded(value, 14) + measure.text);
  }
  return lines;
}

}  // namespace

std::vector<std::string> appearance_lines(const Appearance& appearance) {
  return measure_lines(appearance_measures(appearance));
}

std::vector<std::string> carriage_lines(const Carriage& c) {
  constexpr double degrees = 180 / std::numbers::pi;
  std::vector<Measure> all = {
      {"bob", "Bob", c.bob, "m", "Of the centre of mass, from its lowest to its highest place.", true},
      {"sway", "Sway", c.sway, "m", "Of the centre of mass, from side to side.", true},
      {"surge", "Surge", c.surge, "1", "Change of its speed, as a share of the mean.", true},
      {"least_force", "Least force", c.least_force, "1",
       "Of the ground upward, over the weight, by the motion of the centre of mass.", true},
      {"most_force", "Most force", c.most_force, "1", "Likewise.", true}};
  for (const Carriage::Girdle& g : c.girdles) {
    all.push_back(
        {"roll", g.name + " roll", g.roll * degrees, "°", "Of what carries these legs, in all.", true});
    all.push_back({"pitch", g.name + " pitch", g.pitch * degrees, "°", "", true});
    all.push_back({"yaw", g.name + " yaw", g.yaw * degrees, "°", "", true});
  }
  return measure_lines(all);
}

Json carriage_json(const Carriage& c) {
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  Json girdles = Json::array();
  for (const Carriage::Girdle& g : c.girdles)
    girdles.push_back(
        {{"name", g.name}, {"roll", number(g.roll)}, {"pitch", number(g.pitch)}, {"yaw", number(g.yaw)}});
  return {{"bob", number(c.bob)},
          {"sway", number(c.sway)},
          {"surge", number(c.surge)},
          {"least_force", number(c.least_force)},
          {"most_force", number(c.most_force)},
          {"girdles", girdles}};
}

std::vector<std::string> gait_lines(const Gait& gait) {
  std::vector<std::string> lines = measure_lines(gait_measures(gait));
  std::vector<std::vector<std::string>> rows(1 + gait.legs.size());
  rows[0] = {"leg", "stances"};
  for (size_t i = 0; i < gait.legs.size(); ++i)
    rows[1 + i] = {gait.legs[i].leg, std::to_string(gait.legs[i].stances.size())};
  for (const LegMeasure& measure : leg_measures(gait)) {
    rows[0].push_back(measure.name + (measure.unit == "1" ? "" : " (" + measure.unit + ")"));
    for (size_t i = 0; i < measure.values.size(); ++i) rows[1 + i].push_back(cell(measure.values[i]));
  }
  std::string text = table(rows);
  text.pop_back();
  lines.push_back("\n" + text);
  return lines;
}

}  // namespace legwork::cli
