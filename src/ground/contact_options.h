#pragma once
// How the ground pushes back: the choices of --contact, the same for all verbs.
//
// Below, "size" is the largest extent of a body's contact points in the reference pose, "weight" its mass
// times 9.81 m/s^2 (also where gravity differs: the ground does not know), "points" the number of its feet
// (without feet: of its contact points, at most four), and "sink" how deep each of these lies when the body
// rests on all of them: one thousandth of its size. A value of 0 marked "chosen" is replaced for each body of
// a world by the rule that stands beside it.

#include <string>
#include <utility>
#include <vector>

namespace legwork {

enum class ContactType {
  linear,       // spring and damper, Coulomb friction
  exponential,  // McKenna's ground (1990, section 4.4): exponential spring, restitution, Coulomb friction
  sticky,       // exponential, and feet hold on by springs that break (McKenna, section 5)
};

// Which axis "forward" means for friction that depends on direction.
enum class FrictionAxis { heading, link };

struct ContactOptions {
  ContactType type = ContactType::linear;

  // linear: N/m; chosen: weight / (points x sink). Damping in N s/m; chosen: critical for the body's mass on
  // its points when no restitution is given, else none. It grows from zero over the first sink of depth, so
  // that the force is continuous at touch-down.
  double stiffness = 0, damping = 0;

  // exponential, sticky: force = strength (e^(sharpness depth) - 1); strength in N, sharpness in 1/m.
  // Chosen: sharpness 1 / sink, strength so that the body sinks by one sink. A stiffness that is given adds
  // its linear spring.
  double strength = 0, sharpness = 0;

  // Beyond this depth (m) the spring's force grows no further; 0 = never.
  double deepest = 0;

  // Share of the energy that a rebound gives back: the spring's force is multiplied by it while the point
  // moves out. Negative: chosen, 1 for linear (its damper takes the energy), 0.5 for the others. Implicit
  // steps that are not short beside the touch take energy of their own and give back less than this, so
  // choose_step takes rkf45 where a restitution is asked for.
  double restitution = -1;

  // Coulomb's coefficient, holding and sliding alike; for motion backward and sideways where they differ
  // (negative: the same as friction). Forward is the x axis of the body's root, or of the link itself.
  double friction = 0.8, friction_back = -1, friction_side = -1;
  FrictionAxis friction_axis = FrictionAxis::heading;

  // The bristle of friction: N/m, chosen: the ground spring's slope under the load; and its damping as a
  // share of the critical one.
  double bristle_stiffness = 0, bristle_ratio = 1;

  // Below this speed restitution fades in, m/s; chosen: sqrt(9.81 size) / 1000.
  double slip_speed = 0;

  // sticky: the spring that holds a foot where it touched: stick_strength (e^(stick_sharpness stretch) - 1).
  // It lets go above a force (N) or a stretch (m). Chosen: weight / 20, 45 / size, weight, unlimited.
  // Its restitution; negative: the ground's.
  double stick_strength = 0, stick_sharpness = 0, stick_break_force = 0, stick_break_length = 0;
  double stick_restitution = -1;
};

template <class Visitor>
void describe(Visitor& v, ContactOptions& o) {
  v.choice("type", o.type, {"linear", "exponential", "sticky"}, "how the ground pushes back");
  v.number("stiffness", o.stiffness,
           {0, 1e12, "N/m", "linear: spring; 0 = chosen from the weight; exponential: added"});
  v.number("damping", o.damping, {0, 1e12, "N s/m", "linear: damper; 0 = critical"});
  v.number("strength", o.strength, {0, 1e12, "N", "exponential: linear strength; 0 = chosen"});
  v.number("sharpness", o.sharpness, {0, 1e9, "1/m", "exponential: rise; 0 = chosen"});
  v.number("deepest", o.deepest, {0, 1e6, "m", "deeper the spring's force grows no further; 0 = it does"});
  v.number("restitution", o.restitution, {-1, 1, "1", "share of energy given back; -1 = by type"});
  v.number("friction", o.friction, {0, 100, "1", "Coulomb's coefficient"});
  v.number("friction_back", o.friction_back, {-1, 100, "1", "the same for sliding back; -1 = friction"});
  v.number("friction_side", o.friction_side, {-1, 100, "1", "the same for sliding sideways; -1 = friction"});
  v.choice("friction_axis", o.friction_axis, {"heading", "link"}, "whose x axis is forward");
  v.number("bristle_stiffness", o.bristle_stiffness,
           {0, 1e12, "N/m", "of friction while it holds; 0 = chosen"});
  v.number("bristle_ratio", o.bristle_ratio, {0, 10, "1", "its damping as a share of the critical one"});
  v.number("slip_speed", o.slip_speed, {0, 10, "m/s", "below it restitution fades in; 0 = chosen"});
  v.number("stick_strength", o.stick_strength, {0, 1e12, "N", "sticky: linear strength; 0 = chosen"});
  v.number("stick_sharpness", o.stick_sharpness, {0, 1e9, "1/m", "sticky: rise; 0 = chosen"});
  v.number("stick_break_force", o.stick_break_force, {0, 1e12, "N", "sticky: lets go above; 0 = the weight"});
  v.number("stick_break_length", o.stick_break_length, {0, 1e6, "m", "sticky: lets go beyond; 0 = never"});
  v.number("stick_restitution", o.stick_restitution,
           {-1, 1, "1", "sticky: share given back; -1 = restitution"});
}

// "linear", "exponential" or "sticky", then any of the fields: "linear:friction=0.5,stiffness=2e4".
// Throws Error with the flag's name.
ContactOptions parse_contact(const std::string& spec);
// The text that parse_contact reads back to the same options: the type and what is not as chosen.
std::string to_text(const ContactOptions& options);
// What parse_contact understands, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> contact_choices();

}  // namespace legwork
