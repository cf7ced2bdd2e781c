// A gait as JSON, in the vocabulary that every verb's --json shares (SI units; null = unknown).

#include <cmath>
#include <nlohmann/json.hpp>
#include <legwork/files.h>

namespace legwork {

namespace {

using nlohmann::json;

json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }
json vector(const Vec3d& v) { return {v.x, v.y, v.z}; }

const char* stances_from(const Gait& g) {
  switch (g.stances_from) {
    case StancesFrom::forces:
      return "forces";
    case StancesFrom::plan:
      return "plan";
    case StancesFrom::soles:
      return "soles";
  }
  return "";
}

json leg_json(const LegGait& leg) {
  json stances = json::array();
  for (const Stance& s : leg.stances)
    stances.push_back({{"down", s.down},
                       {"up", s.up},
                       {"starts", s.starts},
                       {"ends", s.ends},
                       {"at", vector(s.at)},
                       {"slip", s.slip},
                       {"depth", s.depth}});
  return {{"duty_factor", number(leg.duty_factor)},
          {"phase", number(leg.phase)},
          {"phase_scatter", number(leg.phase_scatter)},
          {"stride_time", number(leg.stride_time)},
          {"stride_length", number(leg.stride_length)},
          {"slip", leg.slip},
          {"girdle", leg.girdle},
          {"side", leg.side == Side::left    ? "left"
                   : leg.side == Side::right ? "right"
                                             : ""},
          {"stances", stances}};
}

}  // namespace

std::string gait_json(const Gait& g) {
  json legs = json::object();
  for (const LegGait& leg : g.legs) legs[leg.leg] = leg_json(leg);
  json margin = json::array();
  for (const double m : g.margin) margin.push_back(number(m));
  const json all = {{"name", g.name},
                    {"speed", number(g.speed)},
                    {"stride_length", number(g.stride_length)},
                    {"step_length", number(g.step_length)},
                    {"stride_time", number(g.stride_time)},
                    {"froude", number(g.froude)},
                    {"cost_of_transport", number(g.cost_of_transport)},
                    {"slip", g.slip},
                    {"penetration", g.penetration},
                    {"heading_drift", number(g.heading_drift)},
                    {"travel_angle", number(g.travel_angle)},
                    {"stability_margin", number(g.stability_margin)},
                    {"duty_factor", number(g.duty_factor)},
                    {"step_width", number(g.step_width)},
                    {"pace_angulation", number(g.pace_angulation)},
                    {"hip_height", number(g.hip_height)},
                    {"distance", g.distance},
                    {"strides", g.strides},
                    {"reference", g.reference < 0 ? json(nullptr) : json(g.legs[g.reference].leg)},
                    {"stances_from", stances_from(g)},
                    {"margin", margin},
                    {"legs", legs}};
  return all.dump();
}

Value appearance_value(const Appearance& a) {
  return {{"slide", a.slide},
          {"worst_slide", a.worst_slide},
          {"slide_of", a.slide_of},
          {"sink", a.sink},
          {"worst_sink", a.worst_sink},
          {"sink_of", a.sink_of},
          {"buried", a.buried},
          {"buried_of", a.buried_of},
          {"crossing", a.crossing},
          {"crossing_share", a.crossing_share},
          {"crossing_of", a.crossing_of},
          {"bent_back", a.bent_back},
          {"bent_back_of", a.bent_back_of},
          {"rough", a.rough},
          {"rough_of_change", a.rough_of_change},
          {"rough_of", a.rough_of}};
}

}  // namespace legwork
