#include "scenario/world_words.h"

#include <legwork/options.h>
#include "base/text.h"
#include "formats/table/terrain_file.h"
#include "sim/push.h"

namespace legwork {

namespace {

Vec3d parse_gravity(const std::string& text) {
  Vec3d gravity;
  if (split_commas(text).size() == 1) {
    double g = 0;
    Options reader;
    reader.number("gravity", g, {-1e6, 1e6, "m/s^2", ""});
    reader.all()[0].set({text}, {}, "gravity");
    return {0, 0, -g};
  }
  Options reader;
  reader.vector("gravity", gravity, {-1e6, 1e6, "m/s^2", ""});
  reader.all()[0].set({text}, {}, "gravity");
  return gravity;
}

Choices integrator_or_auto() {
  std::vector<std::pair<std::string, std::string>> all = {
      {"auto", "what suits the creature; rkf45 where a restitution is asked for"}};
  for (const auto& choice : integrator_choices()) all.push_back(choice);
  return all;
}

// Takes over each field that differs from what it was.
template <class T>
void take(T& field, const T& now, const T& before) {
  if (!(now == before)) field = now;
}

// From the contact of a text; an empty one is none.
bool differs_in_friction_alone(const ContactOptions& contact, const std::string& text) {
  if (text.empty()) return false;
  ContactOptions other = parse_contact(text);
  if (other.friction == contact.friction) return false;
  other.friction = contact.friction;
  return to_text(other) == to_text(contact);
}

}  // namespace

Choices gravity_choices() {
  return {{"G", "downward, m/s^2: 9.81 on the Earth, 1.62 on the Moon, 0 in space"},
          {"X,Y,Z", "in any direction"}};
}

void describe(Options& v, WorldOptions& o) {
  v.text("terrain", o.terrain, terrain_choices(), "the ground; else the world file's, or plane");
  v.text("contact", o.contact, contact_choices(), "how it pushes back; else the world file's, or linear");
  v.number("friction", o.friction, {-1, 100, "1", "Coulomb's coefficient of the ground; -1 = as in contact"});
  v.text("gravity", o.gravity, gravity_choices(), "acceleration of free fall; else the file's, or 9.81");
  v.text("water", o.water, medium_choices(), "what the creature swims in");
  v.text("wind", o.wind, {"WHAT"}, "moving air, in the forms of --water");
  v.choice("body_contact", o.body_contact,
           {{"auto",
             "as the file of the body or world says (MJCF: on, unless its flag is off), else off; discover, "
             "evolve, "
             "modes, compile and environments leave out what only a body's file says"},
            {"on", "links push each other away"},
            {"off", "links pass through each other"}},
           "contact between links of different branches and bodies");
  v.texts("push", o.push, push_choices(), "a push from outside; may be repeated");
  v.choice("integrator", o.integrator, integrator_or_auto(), "how time advances");
  v.number("dt", o.dt, {0, 1, "s", "time step; 0 = what suits the creature"});
  v.number("rate", o.rate, {0.001, 1e6, "Hz", "recorded frames a second"});
}

void apply(const WorldOptions& options, World& world) {
  const WorldOptions unsaid;
  WorldOptions& asked = world.origin.asked;
  if (!options.terrain.empty()) world.terrain = load_terrain(options.terrain);
  if (!options.contact.empty()) world.contact = parse_contact(options.contact);
  if (options.friction >= 0) world.contact.friction = options.friction;
  if (!options.gravity.empty()) world.gravity = parse_gravity(options.gravity);
  if (!options.water.empty()) world.water = parse_medium(options.water);
  if (!options.wind.empty()) world.wind = parse_medium(options.wind);
  if (options.body_contact != "auto") world.body_contact = options.body_contact == "on";
  if (!options.push.empty()) world.pushes.clear();
  for (const std::string& spec : options.push) world.pushes.push_back(parse_push(spec, world.body));
  if (options.integrator != "auto") world.integrator = options.integrator;
  if (options.dt > 0) world.dt = options.dt;
  if (options.rate != unsaid.rate) world.rate = options.rate;
  take(asked.terrain, options.terrain, unsaid.terrain);
  take(asked.contact, options.contact, unsaid.contact);
  take(asked.friction, options.friction, unsaid.friction);
  take(asked.gravity, options.gravity, unsaid.gravity);
  take(asked.water, options.water, unsaid.water);
  take(asked.wind, options.wind, unsaid.wind);
  take(asked.body_contact, options.body_contact, unsaid.body_contact);
  take(asked.push, options.push, unsaid.push);
  take(asked.integrator, options.integrator, unsaid.integrator);
  take(asked.dt, options.dt, unsaid.dt);
  take(asked.rate, options.rate, unsaid.rate);
  world.origin.told = in_words(world);
}

World for_batches(World world) {
  if (!world.body.habitat.body_contact || world.origin.asked.body_contact != "auto") return world;
  world.body_contact = false;
  world.origin.told.body_contact = "off";
  return world;
}

WorldOptions in_words(const World& world) {
  WorldOptions all;
  const Vec3d& g = world.gravity;
  all.terrain = world.terrain.spec;
  all.contact = to_text(world.contact);
  all.gravity = to_text(g.x) + "," + to_text(g.y) + "," + to_text(g.z);
  all.water = to_text(world.water);
  all.wind = to_text(world.wind);
  all.body_contact = world.body_contact ? "on" : "off";
  for (const Push& push : world.pushes) all.push.push_back(to_text(push, world.body));
  if (!world.integrator.empty()) all.integrator = world.integrator;
  all.dt = world.dt;
  all.rate = world.rate;
  return all;
}

WorldOptions in_words(const World& world, const StepOptions& step) {
  WorldOptions all = in_words(world);
  all.integrator = to_string(step.integrator);
  all.dt = step.dt;
  return all;
}

WorldOptions asked_in_words(const World& world) {
  const WorldOptions now = in_words(world);
  const WorldOptions& told = world.origin.told;
  WorldOptions asked = world.origin.asked;
  take(asked.terrain, now.terrain, told.terrain);
  if (differs_in_friction_alone(world.contact, told.contact))
    asked.friction = world.contact.friction;
  else if (now.contact != told.contact)
    asked.contact = now.contact, asked.friction = -1;
  take(asked.gravity, now.gravity, told.gravity);
  take(asked.water, now.water, told.water);
  take(asked.wind, now.wind, told.wind);
  take(asked.body_contact, now.body_contact, told.body_contact);
  take(asked.push, now.push, told.push);
  take(asked.integrator, now.integrator, told.integrator);
  take(asked.dt, now.dt, told.dt);
  take(asked.rate, now.rate, told.rate);
  return asked;
}

void remember_origin(World& world, const std::string& name, const std::string& source) {
  world.origin = {name, source, {}, in_words(world)};
}

}  // namespace legwork
