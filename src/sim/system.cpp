#include "sim/record.h"

namespace legwork {

namespace {

// Whether a medium acts on boxes, or on surfaces.
bool acts_on(const World& world, bool boxes) {
  return (world.water.acts() && world.water.boxes == boxes) ||
         (world.wind.acts() && world.wind.boxes == boxes);
}

}  // namespace

System<double> make_system(World world) {
  System<double> s;
  s.world = std::move(world);
  const Creature& body = s.world.body;
  s.model = make_model(body);
  s.model.gravity = s.world.gravity;
  s.joints = make_joint_forces(body, s.model);
  s.friction = make_dry_friction(body);
  s.tendons = make_tendons(body, s.model);
  s.actuators = make_actuators(body);
  s.contacts = make_contacts(body, s.world.contact);
  s.attachments = make_attachments(body);
  if (acts_on(s.world, false)) s.skin = make_surface(body);
  if (acts_on(s.world, true)) s.boxes = make_drag_boxes(body);
  if (s.world.body_contact && s.world.contact.type != ContactType::rigid)
    s.body_contacts = make_body_contacts(body, s.world.contact);
  return s;
}

bool scalar_only(const World& world) {
  return world.body_contact || world.contact.type == ContactType::rigid;
}

System<Batch> make_batch_system(World world, const std::vector<const Creature*>& creatures) {
  System<Batch> s;
  s.world = std::move(world);
  s.world.body = *creatures.front();
  if (s.world.body_contact && make_body_contacts(s.world.body, s.world.contact).has_pairs())
    throw Error(s.world.body.where, s.world.body.name,
                "bodies that touch each other cannot be simulated in batches", "simulate one at a time");
  if (s.world.contact.type == ContactType::rigid)
    throw Error(s.world.body.where, s.world.body.name, "rigid contact cannot be simulated in batches",
                "simulate one at a time, or choose --contact linear");
  s.model = make_batch_model(creatures);
  s.model.gravity = Vec3<Batch>(s.world.gravity);
  std::vector<JointForces<double>> joints;
  for (const Creature* c : creatures) joints.push_back(make_joint_forces(*c, make_model(*c)));
  s.joints = make_batch_joint_forces(joints);
  s.friction = make_batch_dry_friction(creatures);
  s.tendons = make_batch_tendons(creatures);
  s.actuators = make_batch_actuators(creatures);
  s.contacts = make_batch_contacts(creatures, s.world.contact);
  s.attachments = make_batch_attachments(creatures);
  if (acts_on(s.world, false)) s.skin = make_batch_surface(creatures);
  if (acts_on(s.world, true)) s.boxes = make_batch_drag_boxes(creatures);
  return s;
}

System<Trace> record(const System<double>& system, const NumberOf& body, const NumberOf& drive) {
  System<Trace> s;
  s.world = system.world;
  s.model = record(system.model, body);
  s.joints = record(system.joints, body);
  s.tendons = record(system.tendons, body);
  s.actuators = record(system.actuators, drive);
  s.contacts = record(system.contacts, body);
  s.skin = record(system.skin, body);
  s.boxes = record(system.boxes, body);
  return s;
}

std::string not_recordable(const System<double>& system, const StepOptions& options) {
  const TerrainType ground = system.world.terrain.type;
  if (ground != TerrainType::plane && ground != TerrainType::slope && ground != TerrainType::none)
    return "ground that is not a plane";
  if (options.integrator == Integrator::rkf45) return "the integrator rkf45, which chooses its own steps";
  if (!system.friction.empty()) return "dry friction of joints";
  if (!system.attachments.empty()) return "attachments";
  if (system.body_contacts.has_pairs()) return "contact between bodies";
  if (system.world.contact.type == ContactType::rigid) return "rigid contact";
  if (!system.world.pushes.empty()) return "pushes";
  return "";
}

}  // namespace legwork
