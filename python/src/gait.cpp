// Gaits: the timing of a motion, as attributes; nan where something cannot be known.

#include "result.h"

namespace legwork::python {

namespace {

const char* name_of(StancesFrom from) {
  return from == StancesFrom::forces ? "forces" : from == StancesFrom::plan ? "plan" : "soles";
}

void bind_leg(py::module_& m) {
  py::class_<Stance>(m, "Stance", "A foot's time on the ground.")
      .def_readonly("down", &Stance::down, "s, of touch-down")
      .def_readonly("up", &Stance::up, "s, of lift-off")
      .def_readonly("starts", &Stance::starts, "whether the touch-down was seen")
      .def_readonly("ends", &Stance::ends, "whether the lift-off was seen")
      .def_readonly("slip", &Stance::slip, "m")
      .def_readonly("depth", &Stance::depth, "m")
      .def_property_readonly(
          "at", [](const Stance& s) { return to_python(s.at); }, "where it came down, m, world")
      .def("__repr__", [](const Stance& s) {
        return "<legwork.Stance " + std::to_string(s.down) + " to " + std::to_string(s.up) + " s>";
      });
  py::class_<LegGait>(m, "LegGait", "The timing of one leg.")
      .def_readonly("leg", &LegGait::leg, "the leg's name")
      .def_readonly("girdle", &LegGait::girdle, "the leg's girdle")
      .def_readonly("duty_factor", &LegGait::duty_factor, "stance over stride time")
      .def_readonly("phase", &LegGait::phase, "touch-down after the reference leg's, share of the stride")
      .def_readonly("phase_scatter", &LegGait::phase_scatter, "share of the stride")
      .def_readonly("stride_time", &LegGait::stride_time, "s")
      .def_readonly("stride_length", &LegGait::stride_length, "m")
      .def_readonly("slip", &LegGait::slip, "m")
      .def_property_readonly(
          "stances",
          [](py::object self) {
            py::list out;
            for (const Stance& s : self.cast<const LegGait&>().stances)
              out.append(py::cast(&s, py::return_value_policy::reference_internal, self));
            return out;
          },
          "its stances, in order")
      .def("__repr__", [](const LegGait& l) { return "<legwork.LegGait '" + l.leg + "'>"; });
}

}  // namespace

void bind_gait(py::module_& m) {
  bind_leg(m);
  using Holder = std::shared_ptr<Gait>;
  py::class_<Gait, Holder>(m, "Gait", "The timing of a motion and what it costs; nan = unknown.")
      .def_readonly("name", &Gait::name, "in words")
      .def_readonly("speed", &Gait::speed, "m/s")
      .def_readonly("stride_length", &Gait::stride_length, "m")
      .def_readonly("step_length", &Gait::step_length, "m")
      .def_readonly("stride_time", &Gait::stride_time, "s")
      .def_readonly("froude", &Gait::froude, "speed^2 / (g h)")
      .def_readonly("cost_of_transport", &Gait::cost_of_transport, "positive work over weight times distance")
      .def_readonly("slip", &Gait::slip, "m")
      .def_readonly("penetration", &Gait::penetration, "m")
      .def_readonly("heading_drift", &Gait::heading_drift, "rad")
      .def_readonly("stability_margin", &Gait::stability_margin, "m")
      .def_readonly("duty_factor", &Gait::duty_factor, "mean of the legs")
      .def_readonly("step_width", &Gait::step_width, "m")
      .def_readonly("travel_angle", &Gait::travel_angle, "rad")
      .def_readonly("pace_angulation", &Gait::pace_angulation, "rad")
      .def_readonly("hip_height", &Gait::hip_height, "m")
      .def_readonly("distance", &Gait::distance, "m")
      .def_readonly("strides", &Gait::strides, "whole strides of the reference leg")
      .def_property_readonly(
          "reference",
          [](const Gait& g) -> py::object {
            if (g.reference < 0) return py::none();
            return py::str(g.legs[std::size_t(g.reference)].leg);
          },
          "name of the leg that phases count from")
      .def_property_readonly(
          "stances_from", [](const Gait& g) { return name_of(g.stances_from); },
          "what says when feet stand: forces, plan or soles")
      .def_property_readonly(
          "legs",
          [](py::object self) {
            py::dict out;
            for (const LegGait& leg : self.cast<const Gait&>().legs)
              out[py::str(leg.leg)] = py::cast(&leg, py::return_value_policy::reference_internal, self);
            return out;
          },
          "each leg's timing, by the leg's name")
      .def_property_readonly(
          "margin",
          [](py::object self) {
            const Gait& g = self.cast<const Gait&>();
            return view(g.margin, {py::ssize_t(g.margin.size())}, self);
          },
          "stability margin of every frame, m; a view")
      .def(
          "to_json", [](const Gait& g) { return gait_json(g); }, "All that was measured, as JSON.")
      .def(
          "to_toml", [](const Gait& g) { return gait_toml(g); },
          "The timing as a gait file, for reach(gait=...).")
      .def("__repr__", [](const Gait& g) {
        return "<legwork.Gait '" + g.name + "' at " + std::to_string(g.speed) + " m/s>";
      });
}

}  // namespace legwork::python
