// The numbers of a gait with their meaning, for the report.

#include <numbers>
#include <legwork/report.h>

namespace legwork {

namespace {
constexpr double degrees = 180 / std::numbers::pi;
}

std::vector<Measure> gait_measures(const Gait& g) {
  return {
      {"name", "Gait", g.name, "", "By the order in which the feet come down and how long they stay.", true},
      {"speed", "Speed", g.speed, "m/s",
       "Of the centre of mass along the heading, its direction of travel over a stride, mean.", true},
      {"stride_length", "Stride length", g.stride_length, "m",
       "Between successive touch-downs of one foot, along the ground.", true},
      {"step_length", "Step length", g.step_length, "m",
       "From a touch-down to the opposite foot's next, along the heading.", false},
      {"stride_time", "Stride time", g.stride_time, "s", "From a foot's touch-down to its next.", true},
      {"duty_factor", "Duty factor", g.duty_factor, "1",
       "Share of the stride that a foot is on the ground, mean of the legs.", true},
      {"froude", "Froude number", g.froude, "1",
       "v²/(g h) with the height h of the hips: animals walk below about 0.5 and run above.", true},
      {"cost_of_transport", "Cost of transport", g.cost_of_transport, "1",
       "Positive mechanical work of all joints, each by itself, over weight times distance.", true},
      {"stability_margin", "Stability margin", g.stability_margin, "m",
       "Least distance of the centre of mass, seen from above, from the edge of the feet that stand; "
       "negative outside.",
       false},
      {"slip", "Slip", g.slip, "m", "The farthest that a foot slid along the ground in one stance.", true},
      {"penetration", "Penetration", g.penetration, "m", "The deepest that a foot sank into the ground.",
       true},
      {"heading_drift", "Heading drift", g.heading_drift * degrees, "°",
       "Turn of the body from its first stride to its last.", false},
      {"travel_angle", "Travel angle", g.travel_angle * degrees, "°",
       "Heading as seen from the body: 0 forward, 180 backward, 90 to the left.", false},
      {"step_width", "Step width", g.step_width, "m",
       "Between the tracks of left and right feet, across the heading.", false},
      {"pace_angulation", "Pace angulation", g.pace_angulation * degrees, "°",
       "Angle at a footprint between its neighbours of the other side, mean.", false},
      {"hip_height", "Hip height", g.hip_height, "m", "Of the hips over the soles in the pose stand.", false},
      {"distance", "Distance", g.distance, "m", "Length of the path of the centre of mass, seen from above.",
       false},
      {"strides", "Strides", double(g.strides), "1", "Of the reference leg.", false}};
}

std::vector<Measure> appearance_measures(const Appearance& a) {
  const auto of = [](const std::string& who) { return who.empty() ? "." : ": " + who + "."; };
  return {
      {"slide", "Slide", a.slide, "m", "Of a foot in a stance; 19 of 20 stances stay below.", true},
      {"worst_slide", "Worst slide", a.worst_slide, "m", "Of all stances" + of(a.slide_of), false},
      {"sink", "Sink", a.sink, "m", "The deepest foot, 19 twentieths of the time below this.", true},
      {"worst_sink", "Worst sink", a.worst_sink, "m", "The deepest foot ever" + of(a.sink_of), false},
      {"buried", "Buried", a.buried, "m", "The deepest other part in the ground" + of(a.buried_of), false},
      {"crossing", "Crossing", a.crossing, "m", "The deepest of two legs in each other" + of(a.crossing_of),
       true},
      {"crossing_share", "Time crossing", a.crossing_share, "1", "Share of the time that legs were.", false},
      {"bent_back", "Bent back", a.bent_back * degrees, "°",
       "The farthest of a knee against how it bends when standing" + of(a.bent_back_of), true},
      {"rough", "Rough torques", a.rough, "1",
       "Share of the torques' power above 5 √(g/h) Hz; most of it" + of(a.rough_of), true},
      {"rough_of_change", "Rough changes", a.rough_of_change, "1", "The same of torques less their means.",
       false}};
}

std::vector<LegMeasure> leg_measures(const Gait& g) {
  std::vector<LegMeasure> all = {
      {"duty factor", "1", "share of the stride on the ground", {}},
      {"phase", "1", "touch-down after the reference leg's, as a share of its stride", {}},
      {"scatter", "1", "how far touch-downs are from the phase, median", {}},
      {"stride time", "s", "from touch-down to touch-down", {}},
      {"stride length", "m", "between touch-downs", {}},
      {"slip", "m", "farthest slide in one stance", {}}};
  for (const LegGait& leg : g.legs) {
    const double values[] = {leg.duty_factor, leg.phase,         leg.phase_scatter,
                             leg.stride_time, leg.stride_length, leg.slip};
    for (std::size_t k = 0; k < all.size(); ++k) all[k].values.push_back(values[k]);
  }
  return all;
}

}  // namespace legwork
