// Gaits: the timing of a motion, as attributes; nan where something cannot be known.

#include "result.h"

#include <array>

namespace legwork::python {

namespace {

const char* name_of(StancesFrom from) {
  return from == StancesFrom::forces ? "forces" : from == StancesFrom::plan ? "plan" : "soles";
}

// Numbers of a gait and of a leg: what Python reads one by one, and a pickle keeps in this order.
template <class Owner>
struct Number {
  const char* name;
  double Owner::*field;
  const char* doc;
};
constexpr Number<Gait> gait_numbers[] = {
    {"speed", &Gait::speed, "m/s"},
    {"stride_length", &Gait::stride_length, "m"},
    {"step_length", &Gait::step_length, "m"},
    {"stride_time", &Gait::stride_time, "s"},
    {"froude", &Gait::froude, "speed^2 / (g h)"},
    {"cost_of_transport", &Gait::cost_of_transport, "positive work over weight times distance"},
    {"slip", &Gait::slip, "m"},
    {"penetration", &Gait::penetration, "m"},
    {"heading_drift", &Gait::heading_drift, "rad"},
    {"stability_margin", &Gait::stability_margin, "m"},
    {"duty_factor", &Gait::duty_factor, "mean of the legs"},
    {"step_width", &Gait::step_width, "m"},
    {"travel_angle", &Gait::travel_angle, "rad"},
    {"pace_angulation", &Gait::pace_angulation, "rad"},
    {"hip_height", &Gait::hip_height, "m"},
    {"distance", &Gait::distance, "m"},
};
constexpr Number<LegGait> leg_numbers[] = {
    {"duty_factor", &LegGait::duty_factor, "stance over stride time"},
    {"phase", &LegGait::phase, "touch-down after the reference leg's, share of the stride"},
    {"phase_scatter", &LegGait::phase_scatter, "share of the stride"},
    {"stride_time", &LegGait::stride_time, "s"},
    {"stride_length", &LegGait::stride_length, "m"},
    {"slip", &LegGait::slip, "m"},
};

template <class Owner, std::size_t n>
std::vector<double> values(const Owner& owner, const Number<Owner> (&numbers)[n]) {
  std::vector<double> out;
  for (const Number<Owner>& number : numbers) out.push_back(owner.*number.field);
  return out;
}

template <class Owner, std::size_t n>
void set_values(Owner& owner, const Number<Owner> (&numbers)[n], const py::handle& kept) {
  const auto given = kept.cast<std::array<double, n>>();
  for (std::size_t i = 0; i < n; ++i) owner.*numbers[i].field = given[i];
}

void check_pickle(const py::tuple& kept, std::size_t size) {
  if (kept.size() != size) throw Error("this is no pickled gait of this version of Legwork");
}

py::tuple keep(const Stance& s) {
  return py::make_tuple(s.down, s.up, s.starts, s.ends, to_python(s.at), s.slip, s.depth);
}
Stance restore_stance(const py::tuple& kept) {
  check_pickle(kept, 7);
  return {kept[0].cast<double>(), kept[1].cast<double>(),          kept[2].cast<bool>(),
          kept[3].cast<bool>(),   to_vector(kept[4], "Stance.at"), kept[5].cast<double>(),
          kept[6].cast<double>()};
}

py::tuple keep(const LegGait& l) {
  return py::make_tuple(l.leg, int(l.side), l.girdle, l.stances, values(l, leg_numbers));
}
LegGait restore_leg(const py::tuple& kept) {
  check_pickle(kept, 5);
  LegGait l;
  l.leg = kept[0].cast<std::string>(), l.side = Side(kept[1].cast<int>());
  l.girdle = kept[2].cast<std::string>(), l.stances = kept[3].cast<std::vector<Stance>>();
  set_values(l, leg_numbers, kept[4]);
  return l;
}

py::tuple keep(const Gait& g) {
  return py::make_tuple(g.name, values(g, gait_numbers), g.strides, g.legs, g.reference, g.margin,
                        int(g.stances_from));
}
std::shared_ptr<Gait> restore_gait(const py::tuple& kept) {
  check_pickle(kept, 7);
  auto g = std::make_shared<Gait>();
  g->name = kept[0].cast<std::string>();
  set_values(*g, gait_numbers, kept[1]);
  g->strides = kept[2].cast<int>(), g->legs = kept[3].cast<std::vector<LegGait>>();
  g->reference = kept[4].cast<int>(), g->margin = kept[5].cast<std::vector<double>>();
  g->stances_from = StancesFrom(kept[6].cast<int>());
  if (g->reference >= int(g->legs.size())) throw Error("this is no pickled gait of this version of Legwork");
  return g;
}

void bind_leg(py::module_& m) {
  py::class_<Stance> stance(m, "Stance", "A foot's time on the ground.");
  stance.def_readonly("down", &Stance::down, "s, of touch-down")
      .def_readonly("up", &Stance::up, "s, of lift-off")
      .def_readonly("starts", &Stance::starts, "whether the touch-down was seen")
      .def_readonly("ends", &Stance::ends, "whether the lift-off was seen")
      .def_readonly("slip", &Stance::slip, "m")
      .def_readonly("depth", &Stance::depth, "m")
      .def_property_readonly(
          "at", [](const Stance& s) { return to_python(s.at); }, "where it came down, m, world")
      .def("__repr__", [](const Stance& s) {
        return "<legwork.Stance " + short_text(s.down) + " to " + short_text(s.up) + " s>";
      });
  copy_and_pickle(
      stance, [](const Stance& self) { return keep(self); }, restore_stance);
  py::class_<LegGait> leg(m, "LegGait", "The timing of one leg.");
  leg.def_readonly("leg", &LegGait::leg, "the leg's name")
      .def_readonly("girdle", &LegGait::girdle, "the leg's girdle")
      .def_property_readonly(
          "stances",
          [](py::object self) {
            py::list out;
            for (const Stance& s : self.cast<const LegGait&>().stances)
              out.append(py::cast(&s, py::return_value_policy::reference_internal, self));
            return out;
          },
          "its stances, in order")
      .def("__repr__", [](const LegGait& l) {
        return "<legwork.LegGait '" + l.leg + "': duty factor " + short_text(l.duty_factor) + ", phase " +
               short_text(l.phase) + ">";
      });
  for (const Number<LegGait>& number : leg_numbers) leg.def_readonly(number.name, number.field, number.doc);
  copy_and_pickle(
      leg, [](const LegGait& self) { return keep(self); }, restore_leg);
}

}  // namespace

void bind_gait(py::module_& m) {
  bind_leg(m);
  py::class_<Gait, std::shared_ptr<Gait>> c(m, "Gait",
                                            "The timing of a motion and what it costs; nan = unknown.");
  for (const Number<Gait>& number : gait_numbers) c.def_readonly(number.name, number.field, number.doc);
  copy_and_pickle(
      c, [](const Gait& self) { return keep(self); }, restore_gait);
  c.def_readonly("name", &Gait::name, "in words")
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
        return "<legwork.Gait '" + g.name + "' at " + short_text(g.speed) + " m/s>";
      });
}

}  // namespace legwork::python
