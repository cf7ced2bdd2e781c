#pragma once
// World: everything that a simulation needs to know, as plain data.

#include "creature/creature.h"
#include "ground/contact_options.h"
#include "ground/medium.h"
#include "ground/terrain.h"

namespace legwork {

struct World {
  Creature body;  // all bodies as one forest; names of several carry their prefixes
  Terrain terrain;
  ContactOptions contact;
  Vec3d gravity{0, 0, -9.81};  // m/s^2
  Medium water, wind;
  bool body_contact = false;  // links of different branches and bodies push each other away
};

}  // namespace legwork
