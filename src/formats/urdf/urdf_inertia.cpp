#include "formats/urdf/urdf_inertia.h"

#include <algorithm>
#include <cmath>

#include "creature/check.h"
#include "creature/complete.h"
#include "math/dense.h"

namespace legwork {

namespace {

// Adds the mass of a link that is fixed to another to that other; the two move as before.
void join_masses(Link& above, Link& link) {
  const double mass = above.mass + link.mass;
  const Mat3d R = matrix(link.rot);
  const Vec3d com = link.pos + R * link.com;
  const Vec3d both = mass > 0 ? (above.com * above.mass + com * link.mass) * (1 / mass) : above.com;
  const auto about = [&](const Sym3d& inertia, double m, const Vec3d& at) {
    const Vec3d d = at - both;
    const double dd = dot(d, d);
    return inertia + (Sym3d::diagonal(dd, dd, dd) + outer(d) * -1.0) * m;
  };
  above.inertia =
      about(above.inertia, above.mass, above.com) + about(rotate(R, link.inertia), link.mass, com);
  above.mass = mass, above.com = both, above.com_given = true;
  link.mass = 0, link.inertia = {}, link.com = {};
}

enum class Oddity { none, odd, impossible };
Oddity oddity(const Link& link) {
  const Vec3d e = principal(link.inertia).moments;  // descending
  const double slack = inertia_rounding(link.mass, e);
  if (e[2] < -slack || (link.mass == 0 && e[0] > 0)) return Oddity::impossible;
  return e[0] <= e[1] + e[2] + slack ? Oddity::none : Oddity::odd;
}

}  // namespace

int join_odd_inertias(std::vector<Link>& links) {
  int joined = 0;
  for (std::size_t b = links.size(); b-- > 0;)
    if (oddity(links[b]) != Oddity::none && links[b].joints.empty() && links[b].parent >= 0)
      join_masses(links[std::size_t(links[b].parent)], links[b]), ++joined;
  std::vector<std::size_t> carrier(links.size());  // the link that moves each one
  for (std::size_t b = 0; b < links.size(); ++b) {
    const bool fixed = links[b].joints.empty() && links[b].parent >= 0;
    carrier[b] = fixed ? carrier[std::size_t(links[b].parent)] : b;
  }
  for (std::size_t b = 0; b < links.size(); ++b) {
    if (carrier[b] == b && oddity(links[b]) == Oddity::impossible)
      for (std::size_t k = links.size(); k-- > b + 1;)
        if (carrier[k] == b && links[k].mass > 0)
          join_masses(links[std::size_t(links[k].parent)], links[k]), ++joined;
    links[b].odd_inertia = oddity(links[b]) == Oddity::odd;
  }
  return joined;
}

bool become_box_of_inertia(const Link& link, Shape& shape) {
  const auto [moments, axes] = principal(link.inertia);
  const double trace = moments.x + moments.y + moments.z;
  Vec3d box;
  for (int i = 0; i < 3; ++i)
    box[i] = link.mass > 0 ? std::sqrt(std::max(0.0, 6 * (trace - 2 * moments[i]) / link.mass)) : 0;
  if (!(box.x > 0 && box.y > 0 && box.z > 0)) return false;
  shape.type = ShapeType::box;
  shape.pos = link.com;
  shape.rot = quaternion(axes);
  shape.size = box;
  return true;
}

}  // namespace legwork
