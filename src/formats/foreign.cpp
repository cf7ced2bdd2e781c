#include "formats/foreign.h"

#include "formats/mjcf/mjcf.h"
#include "formats/urdf/urdf.h"
#include "formats/xml.h"

namespace legwork {

Creature read_foreign(const std::string& path) {
  const XmlElement root = read_xml(path);
  Creature creature = root.name == "robot" ? read_urdf(path) : read_mjcf(path);
  creature.legs_found = true;  // these formats name no legs
  return creature;
}

}  // namespace legwork
