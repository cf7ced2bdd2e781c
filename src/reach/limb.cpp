#include "reach/limb.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <legwork/gait.h>
#include "base/text.h"
#include "creature/side.h"
#include "creature/tree.h"
#include "math/rotation.h"

namespace legwork::reaching {

namespace {

// Legs of fewer degrees of freedom stand on points: six would be needed to hold a flat foot in every pose.
constexpr int flat_foot_needs = 5;
constexpr double level_range = 0.26;  // rad each way that a body over point feet may roll, pitch and yaw
constexpr double hardly = 0.09;       // rad: joints of smaller excursions do not count as degrees of freedom

double path_norm(const Keyframes& k, int from) {
  const auto norm = [&](const std::array<double, 6>& a) {
    return std::sqrt(a[from] * a[from] + a[from + 1] * a[from + 1] + a[from + 2] * a[from + 2]);
  };
  return norm(k.min) + norm(k.max);
}

[[noreturn]] void no_range(const Creature& c, const Link& link, const Joint& joint, const Dof& dof) {
  throw Error(link.where.file.empty() ? c.where : link.where, "joint '" + joint.name + "'",
              "'" + dof.name + "' has no range, and reach explores ranges",
              "add range = [-40, 40] to the joint");
}

bool has_range(const Dof& dof) { return std::isfinite(dof.lower) && std::isfinite(dof.upper); }

// The degrees of freedom of one joint whose coordinates begin at q.
void add_fdofs(const Creature& c, const Link& link, const Joint& joint, int chain_link, int q,
               const double* rest, std::vector<Fdof>& out) {
  if (joint.type == JointType::free || joint.type == JointType::planar)
    throw Error(link.where.file.empty() ? c.where : link.where, "joint '" + joint.name + "'",
                "a limb's joint cannot be free or planar", "use hinge, universal, ball, slide or keyframed");
  for (size_t i = 0; i < joint.dofs.size(); ++i) {
    const Dof& dof = joint.dofs[i];
    if (!has_range(dof)) no_range(c, link, joint, dof);
    Fdof f;
    f.name = dof.name;
    f.link = chain_link;
    f.lower = dof.lower, f.upper = dof.upper;
    f.excursion = dof.upper - dof.lower;
    f.translation = joint.type == JointType::slide;
    f.q = q + int(i);
    if (joint.type == JointType::ball) {
      f.q = q, f.part = int(i);
    } else {
      f.rest = rest[i];
    }
    if (joint.type == JointType::keyframed) {
      f.excursion = path_norm(joint.paths[i], 0);
      if (f.excursion < 1e-12) f.translation = true, f.excursion = path_norm(joint.paths[i], 3);
    }
    out.push_back(f);
  }
}

int coordinate_of_link(const Creature& c, int link) {
  int at = 0;
  for (int i = 0; i < link; ++i)
    for (const Joint& joint : c.links[size_t(i)].joints) at += nq(joint);
  return at;
}

// The watched point of a girdle: a label "hind_root", else midway between the two hips.
Vec3d root_point(const Creature& c, const Girdle& g, const std::vector<LinkFrame>& frames) {
  for (const Label& label : c.labels)
    if (label.name == g.name + "_root" && label.link == g.link) return label.pos;
  const LinkFrame& f = frames[size_t(g.link)];
  const auto hip = [&](int leg) { return frames[size_t(c.legs[size_t(leg)].hip)].p; };
  const Vec3d mid = (hip(g.right) + hip(g.left)) * 0.5;
  return transpose(f.R) * (mid - f.p);
}

// The links from the girdle to the foot as a body of their own, with what of their joints may move.
void make_chain(const Creature& c, const Girdle& g, const std::vector<double>& stand, Limb& limb) {
  const Leg& leg = c.legs[size_t(g.right)];
  for (int link = leg.foot; link != g.link; link = c.links[size_t(link)].parent) limb.links.push_back(link);
  limb.links.push_back(g.link);
  std::reverse(limb.links.begin(), limb.links.end());
  for (size_t i = 0; i < limb.links.size(); ++i) {
    Link link = c.links[size_t(limb.links[i])];
    link.shapes.clear();
    link.parent = int(i) - 1;
    if (i == 0) link.joints.clear(), link.pos = {}, link.rot = {};
    int from = coordinate_of_link(c, limb.links[i]);
    for (const Joint& joint : link.joints) {
      // a joint without any range, a toe that springs say, stays as in the pose stand
      if (std::none_of(joint.dofs.begin(), joint.dofs.end(), has_range)) {
        for (const Dof& dof : joint.dofs) limb.held.push_back(dof.name);
      } else {
        add_fdofs(c, link, joint, int(i), int(limb.rest_q.size()), &stand[size_t(from)], limb.fdofs);
      }
      for (int k = 0; k < nq(joint); ++k) {
        limb.coordinates.push_back(from + k);
        limb.rest_q.push_back(stand[size_t(from + k)]);
      }
      from += nq(joint);
    }
    limb.chain.links.push_back(std::move(link));
  }
  if (!limb.fdofs.empty()) return;
  for (const Link& link : limb.chain.links)
    for (const Joint& joint : link.joints)
      if (!joint.dofs.empty()) no_range(c, link, joint, joint.dofs[0]);
  throw Error(leg.where.file.empty() ? c.where : leg.where, "leg '" + leg.name + "'",
              "no joint between girdle and foot moves", "give its links joints with ranges");
}

// The ground's end of a chain that stands on a point is a ball joint at the sole; its turns follow from
// those of the root.
void add_pivot(Limb& limb) {
  limb.pivots = true;
  for (const char* turn : {"roll", "pitch", "yaw"}) {
    Fdof f;
    f.name = limb.name + "_root." + turn;
    f.q = -1, f.link = int(limb.links.size());
    f.lower = -level_range, f.upper = level_range, f.excursion = 2 * level_range;
    limb.fdofs.push_back(f);
  }
}

Limb make_limb(const Creature& c, const Girdle& g, const std::vector<double>& stand,
               const std::vector<LinkFrame>& frames, Foot kind) {
  const Leg& leg = c.legs[size_t(g.right)];
  Limb limb;
  limb.name = leg.name;
  limb.girdle = g.name;
  limb.sole = leg.sole;
  limb.hip_height = hip_height(c);
  make_chain(c, g, stand, limb);
  const LinkFrame& girdle = frames[size_t(g.link)];
  const LinkFrame& foot = frames[size_t(leg.foot)];
  limb.girdle_stand = girdle.R;
  limb.root = root_point(c, g, frames);
  limb.root_stand = girdle * limb.root;
  limb.foot_stand = {foot.R, foot.p - Vec3d(limb.root_stand.x, 0, limb.root_stand.z)};
  const auto moves = std::count_if(limb.fdofs.begin(), limb.fdofs.end(), [](const Fdof& f) {
    return f.translation ? f.excursion > 0 : f.excursion > hardly;
  });
  if (kind == Foot::automatic ? moves < flat_foot_needs : kind == Foot::point) add_pivot(limb);
  return limb;
}

// Which coordinates of the left leg mirror the right one's, and how. Throws Error where the legs differ.
void add_twin(const Creature& c, const std::vector<double>& stand, Girdle& g) {
  const Leg &right = c.legs[size_t(g.right)], &left = c.legs[size_t(g.left)];
  const auto differ = [&]() {
    throw Error(left.where.file.empty() ? c.where : left.where, "leg '" + left.name + "'",
                "is no mirror image of '" + right.name + "'", "write only the right side, and mirror = true");
  };
  std::vector<int> links;
  for (int link = left.foot; link >= 0 && link != g.link; link = c.links[size_t(link)].parent)
    links.push_back(link);
  std::reverse(links.begin(), links.end());
  if (links.size() + 1 != g.limb.links.size()) differ();
  const std::vector<Twist<double>> directions = dof_directions(c, stand);
  const std::vector<int> first_dof = dof_begins(c);
  for (size_t i = 0; i < links.size(); ++i) {
    const Link &r = c.links[size_t(g.limb.links[i + 1])], &l = c.links[size_t(links[i])];
    if (r.joints.size() != l.joints.size()) differ();
    int q = coordinate_of_link(c, links[i]), vr = first_dof[size_t(g.limb.links[i + 1])],
        vl = first_dof[size_t(links[i])];
    for (size_t j = 0; j < r.joints.size(); ++j) {
      if (r.joints[j].type != l.joints[j].type || nq(r.joints[j]) != nq(l.joints[j])) differ();
      for (int k = 0; k < nq(r.joints[j]); ++k) {
        g.left_coordinates.push_back(q + k);
        if (r.joints[j].type == JointType::ball) {
          g.left_sign.push_back(k == 1 || k == 3 ? -1 : 1);
          continue;
        }
        const Twist<double>&a = directions[size_t(vr + k)], &b = directions[size_t(vl + k)];
        const double turn = -a.ang.x * b.ang.x + a.ang.y * b.ang.y - a.ang.z * b.ang.z;
        const double shift = a.lin.x * b.lin.x - a.lin.y * b.lin.y + a.lin.z * b.lin.z;
        g.left_sign.push_back((norm(a.ang) > 1e-9 ? turn : shift) < 0 ? -1 : 1);
      }
      q += nq(r.joints[j]), vr += nv(r.joints[j]), vl += nv(l.joints[j]);
    }
  }
}

}  // namespace

Turns turns_of(const Mat3d& R) noexcept {
  const double c = std::sqrt(R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0));
  return {atan2(-R(2, 0), c), atan2(R(1, 0), R(0, 0)), atan2(R(2, 1), R(2, 2))};
}

Mat3d matrix_of(const Turns& t) noexcept {
  double sp, cp, sy, cy, sr, cr;
  sin_cos(t.pitch, sp, cp), sin_cos(t.yaw, sy, cy), sin_cos(t.roll, sr, cr);
  return {cy * cp,
          cy * sp * sr - sy * cr,
          cy * sp * cr + sy * sr,
          sy * cp,
          sy * sp * sr + cy * cr,
          sy * sp * cr - cy * sr,
          -sp,
          cp * sr,
          cp * cr};
}

Vec3d rotation_vector(const Mat3d& R) noexcept {
  const Vec3d axis{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  const double s = norm(axis) / 2, c = (R(0, 0) + R(1, 1) + R(2, 2) - 1) / 2;
  if (s < 1e-12) return axis * 0.5;
  return axis * (0.5 * atan2(s, c) / s);
}

double rotation_angle(const Mat3d& R) noexcept {
  const double c = (R(0, 0) + R(1, 1) + R(2, 2) - 1) / 2;
  const Vec3d axis{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  return atan2(norm(axis) / 2, c);
}

std::vector<double> Limb::configuration(const std::vector<double>& values) const {
  std::vector<double> q = rest_q;
  std::map<int, Vec3d> balls;
  for (size_t i = 0; i < fdofs.size(); ++i) {
    if (fdofs[i].q < 0) continue;
    if (fdofs[i].part < 0)
      q[size_t(fdofs[i].q)] = values[i];
    else
      balls[fdofs[i].q][fdofs[i].part] = values[i];
  }
  for (const auto& [at, turn] : balls) {
    const Quatd ball = rotation_quaternion(turn);
    q[size_t(at)] = ball.w, q[size_t(at) + 1] = ball.x, q[size_t(at) + 2] = ball.y,
    q[size_t(at) + 3] = ball.z;
  }
  return q;
}

Placement Limb::foot(const std::vector<double>& q) const { return place(chain, q).back(); }

Placement planted(const Limb& limb, const Footing& footing) {
  Placement foot = limb.foot_stand;
  const Vec3d sole = foot * limb.sole;
  // outward: to the right of a right foot, so clockwise from above
  const Mat3d turn = matrix_of({0, -footing.yaw, 0});
  foot.R = turn * foot.R;
  foot.p = sole + turn * (foot.p - sole);
  if (footing.width >= 0) foot.p.y += (sole.y < 0 ? -1 : 1) * footing.width / 2 - sole.y;
  foot.p.z -= limb.root_stand.z + sole.z;  // on the ground, also where the pose stand holds it over it
  return foot;
}

RootPose root_pose(const Limb& limb, const Placement& foot, const std::vector<double>& values) {
  const Placement seen = limb.foot(limb.configuration(values));
  if (limb.pivots) {
    const size_t n = values.size();
    const Turns turns{values[n - 2], values[n - 1], values[n - 3]};
    const Vec3d from_sole = limb.root - seen * limb.sole;
    return {foot * limb.sole + matrix_of(turns) * limb.girdle_stand * from_sole, turns};
  }
  const Placement girdle = foot * inverse(seen);
  return {girdle * limb.root, turns_of(girdle.R * transpose(limb.girdle_stand))};
}

RootPose image(const RootPose& pose) {
  return {image(pose.at), {pose.turns.pitch, -pose.turns.yaw, -pose.turns.roll}};
}

// The left leg of a right leg's girdle: the one of its name with the side swapped, else any. -1: none.
static int left_twin(const Creature& c, const Leg& leg) {
  int twin = -1;
  for (size_t l = 0; l < c.legs.size(); ++l) {
    const Leg& other = c.legs[l];
    if (other.side != Side::left || other.girdle != leg.girdle) continue;
    if (other.name == mirrored_name(leg.name)) return int(l);
    twin = int(l);
  }
  return twin;
}

std::vector<Girdle> girdles_of(const Creature& c, const std::string& only, Foot foot) {
  const std::string lines =
      "add to its file, for each girdle:\n  mirror = true\n  [[leg]]\n  name = \"rh\"\n  hip = "
      "\"rh_thigh\"\n"
      "  foot = \"rh_foot\"";
  if (c.legs.empty()) throw Error(c.where, "'" + c.name + "'", "has no legs", lines);
  const long pairs =
      std::count_if(c.legs.begin(), c.legs.end(), [](const Leg& leg) { return leg.side == Side::right; });
  std::vector<Girdle> girdles;
  std::vector<std::string> names;
  for (size_t k = 0; k < c.legs.size(); ++k) {
    const Leg& leg = c.legs[k];
    if (leg.side != Side::right) continue;
    const int twin = left_twin(c, leg);
    if (twin < 0)
      throw Error(leg.where.file.empty() ? c.where : leg.where, "leg '" + leg.name + "'",
                  "has no left twin, and reach walks with pairs",
                  "write mirror = true at the top of the file");
    if (leg.hip < 0 || leg.foot < 0 || c.links[size_t(leg.hip)].parent < 0)
      throw Error(leg.where.file.empty() ? c.where : leg.where, "leg '" + leg.name + "'",
                  "needs hip and foot, and a body that carries the hip", lines);
    Girdle g;
    g.name = !leg.girdle.empty() ? leg.girdle : pairs > 1 ? leg.name : "hind";
    g.right = int(k), g.left = twin;
    g.link = c.links[size_t(leg.hip)].parent;
    names.push_back(g.name);
    if (only.empty() || only == g.name) girdles.push_back(g);
  }
  if (names.empty())
    throw Error(c.where, "'" + c.name + "'", "has no right leg", "give its legs sides; " + lines);
  if (girdles.empty())
    throw Error({}, "reach: limb", "'" + c.name + "' has no girdle '" + only + "'",
                did_you_mean(only, names));

  const std::vector<double> stand = c.pose("stand");
  const std::vector<LinkFrame> frames = place(c, stand);
  for (Girdle& g : girdles) {
    g.limb = make_limb(c, g, stand, frames, foot);
    add_twin(c, stand, g);
  }
  std::stable_sort(girdles.begin(), girdles.end(), [](const Girdle& a, const Girdle& b) {
    return a.limb.root_stand.x < b.limb.root_stand.x;
  });
  return girdles;
}

}  // namespace legwork::reaching
