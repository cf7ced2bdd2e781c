#include "report/modes_panel.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formats/base64.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

using nlohmann::json;

constexpr int low_modes = 16;  // elastic ones with a slider, besides those in use

json vector_json(const Vec3d& v) { return {v.x, v.y, v.z}; }
json quaternion_json(const Quatd& q) { return {q.x, q.y, q.z, q.w}; }  // the page's order

// The elementary motions of a link's joints, in order; `x` counts joint coordinates.
json screws(const Link& link, int& x) {
  json list = json::array();
  const auto add = [&](const char* type, const Vec3d& axis, const Vec3d& anchor, double zero, int width) {
    list.push_back({{"type", type},
                    {"axis", vector_json(axis)},
                    {"anchor", vector_json(anchor)},
                    {"x", x},
                    {"zero", zero}});
    x += width;
  };
  for (const Joint& joint : link.joints) {
    switch (joint.type) {
      case JointType::hinge:
        add("hinge", joint.axes[0], joint.anchor, joint.q_zero, 1);
        break;
      case JointType::slide:
        add("slide", joint.axes[0], joint.anchor, joint.q_zero, 1);
        break;
      case JointType::universal:
        for (const Vec3d& axis : joint.axes) add("hinge", axis, joint.anchor, 0, 1);
        break;
      case JointType::planar:
        for (const Vec3d& axis : joint.axes) add("slide", axis, joint.anchor, 0, 1);
        add("hinge", cross(joint.axes[0], joint.axes[1]), joint.anchor, 0, 1);
        break;
      case JointType::ball:
        add("ball", {}, joint.anchor, 0, 3);
        break;
      case JointType::free:
        add("free", {}, {}, 0, 6);
        break;
      case JointType::keyframed:
      case JointType::fixed:
        break;
    }
  }
  return list;
}

}  // namespace

std::optional<Panel> modes_panel(const Creature& creature, const Modes& modes,
                                 const std::vector<ModeShape>& shapes, const std::vector<ModeUse>& uses,
                                 double soft, double hz) {
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints)
      if (joint.type == JointType::keyframed) return std::nullopt;
  json links = json::array();
  int x = 0;
  for (const Link& link : creature.links) {
    json one = {{"name", link.name},
                {"parent", link.parent},
                {"pos", vector_json(link.pos)},
                {"rot", quaternion_json(link.rot)}};
    one["screws"] = screws(link, x);
    links.push_back(std::move(one));
  }
  json limits = json::array();
  const std::vector<const Dof*> dofs = creature.dofs();
  for (std::size_t j = 0; j < dofs.size(); ++j)
    limits.push_back({std::max(std::min(dofs[j]->lower, modes.x0[j]), -1e9),
                      std::min(std::max(dofs[j]->upper, modes.x0[j]), 1e9)});
  json list = json::array();
  for (int i = modes.rigid; i < modes.count(); ++i) {
    const auto use = std::find_if(uses.begin(), uses.end(), [&](const ModeUse& u) { return u.mode == i; });
    if (i >= modes.rigid + low_modes && use == uses.end()) continue;
    std::vector<float> shape;
    for (int j = 0; j < modes.joints.rows(); ++j) shape.push_back(float(modes.joints(j, i)));
    json one = {{"mode", i},
                {"hz", modes.frequency[std::size_t(i)]},
                {"words", shapes[std::size_t(i)].words},
                {"shape", base64(shape)}};
    one["use"] =
        use == uses.end()
            ? json{{"alpha", 0}, {"phase", 0}, {"hz", hz}, {"beta", 0}}
            : json{{"alpha", use->amplitude}, {"phase", use->phase}, {"hz", use->hz}, {"beta", use->beta}};
    list.push_back(std::move(one));
  }
  const json data = {{"links", links}, {"limits", limits}, {"soft", soft}, {"x0", modes.x0},
                     {"q0", modes.q0}, {"hz", hz},         {"modes", list}};
  return Panel{
      "Equation 4, live",
      "One slider a mode: amplitude, phase and offset. In place and without the ground; the command makes it "
      "walk.",
      LivePanel{"modes", data.dump()}};
}

}  // namespace legwork
