#include "formats/character/sketch.h"

#include "creature/complete.h"
#include "formats/character/character_frame.h"

namespace legwork {

Creature sketch_of(const CharacterFile& file) {
  const CharacterFrame frame = find_frame(file);
  Creature c;
  c.name = "bones";
  Link link;
  link.name = "bones", link.mass = 1, link.inertia = Sym3d::diagonal(1, 1, 1);
  double size = 0;
  std::vector<char> goes_on(file.nodes.size());
  for (const int b : file.bones) {
    const CharacterNode& n = file.nodes[std::size_t(b)];
    if (n.parent >= 0) goes_on[std::size_t(n.parent)] = 1;
    size = std::max(size, norm(frame.place(n.bind.p)));
  }
  for (const int b : file.bones) {
    const CharacterNode& n = file.nodes[std::size_t(b)];
    const Vec3d at = frame.place(n.bind.p);
    Shape ball;
    ball.type = ShapeType::sphere, ball.pos = at, ball.size = {0.02 * size, 0, 0}, ball.touches = false;
    if (!goes_on[std::size_t(b)]) ball.color = {0.8, 0.2, 0.15};
    link.shapes.push_back(ball);
    if (n.parent < 0 || !file.nodes[std::size_t(n.parent)].bone) continue;
    const Vec3d from = frame.place(file.nodes[std::size_t(n.parent)].bind.p), way = at - from;
    const double length = norm(way);
    if (!(length > 1e-9)) continue;
    Shape rod;
    rod.type = ShapeType::capsule, rod.pos = (at + from) * 0.5, rod.size = {0.008 * size, length, 0},
    rod.touches = false;
    const Vec3d d = way * (1 / length), axis = cross(Vec3d{0, 0, 1}, d);
    rod.rot = d.z < -0.999999 ? Quatd{0, 1, 0, 0} : normalized(Quatd{1 + d.z, axis.x, axis.y, axis.z});
    link.shapes.push_back(rod);
  }
  c.links.push_back(link);
  complete(c);
  return c;
}

}  // namespace legwork
