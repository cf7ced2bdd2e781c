#include <algorithm>
#include <map>

#include "base/text.h"
#include "formats/toml/creature_keys.h"
#include "formats/toml/toml_roles.h"

namespace legwork {

namespace {

struct JointPlace {
  const Link* link = nullptr;
  const Joint* joint = nullptr;
  int q = 0;  // first coordinate
};

std::vector<JointPlace> joints_of(const Creature& creature) {
  std::vector<JointPlace> places;
  int q = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      places.push_back({&link, &joint, q});
      q += nq(joint);
    }
  return places;
}

// A draft under construction: starts a joint that is not mentioned yet from the reference pose.
class PoseReader {
 public:
  PoseReader(const Creature& creature, const TomlUnits& units, PoseDraft& draft)
      : reference_(creature.pose("")), places_(joints_of(creature)), units_(units), draft_(draft) {}

  // name: a joint's, or that of one degree of freedom.
  void set(const TomlTable& t, const std::string& name, const TomlNode& value) {
    for (const JointPlace& place : places_)
      if (place.joint->name == name) return set_joint(t, place, value);
    for (const JointPlace& place : places_)
      for (size_t i = 0; i < place.joint->dofs.size(); ++i)
        if (place.joint->dofs[i].name == name) return set_dof(t, place, int(i), value);
    std::vector<std::string> names;
    for (const JointPlace& place : places_) {
      names.push_back(place.joint->name);
      if (place.joint->dofs.size() > 1)
        for (const Dof& dof : place.joint->dofs) names.push_back(dof.name);
    }
    t.fail(value, "there is no joint or degree of freedom '" + name + "'", did_you_mean(name, names));
  }

  void set_root(const TomlTable& t, const TomlNode& value) {
    for (const JointPlace& place : places_)
      if (place.link->parent < 0 && place.joint->type == JointType::free) return set_joint(t, place, value);
    t.fail(value, "'root' needs a link without a parent that moves freely",
           "name a joint in 'joints' instead");
  }

 private:
  std::vector<double>& slot(const JointPlace& place) {
    for (PoseDraft::Entry& entry : draft_.entries)
      if (entry.joint == place.joint->name) return entry.q;
    const auto first = reference_.begin() + place.q;
    draft_.entries.push_back({place.joint->name, {first, first + nq(*place.joint)}});
    return draft_.entries.back().q;
  }

  void set_dof(const TomlTable& t, const JointPlace& place, int i, const TomlNode& value) {
    if (place.joint->type == JointType::ball || place.joint->type == JointType::free)
      t.fail(value,
             "a " + std::string(place.joint->type == JointType::ball ? "ball" : "free") +
                 " joint is set as a whole",
             "name joint '" + place.joint->name + "'");
    slot(place)[i] =
        t.to_number(value, "'" + place.joint->dofs[i].name + "'") * dof_unit(*place.joint, i, units_);
  }

  void set_joint(const TomlTable& t, const JointPlace& place, const TomlNode& value) {
    const Joint& joint = *place.joint;
    // back.1 = 10: TOML makes a table of it
    if (value.kind == TomlKind::table && joint.type != JointType::free) {
      for (const auto& [ending, single] : value.fields) set(t, joint.name + "." + ending, single);
      return;
    }
    const std::string what = "'" + joint.name + "'";
    std::vector<double>& q = slot(place);
    if (joint.type == JointType::ball) {
      const Quatd r = to_rotation(t, value, units_, what);
      q = {r.w, r.x, r.y, r.z};
    } else if (joint.type == JointType::free) {
      if (value.kind != TomlKind::table)
        t.fail(value, what + " must be { pos = [x, y, z], rot = [x, y, z] }, not " + describe(value));
      TomlTable place_table(value, t.file(), t.who(), creature_keys("place"));
      Vec3d pos{q[0], q[1], q[2]};
      Quatd rot{q[3], q[4], q[5], q[6]};
      read_place(place_table, units_, pos, rot);
      place_table.finish();
      q = {pos.x, pos.y, pos.z, rot.w, rot.x, rot.y, rot.z};
    } else if (q.size() == 1) {
      q[0] = t.to_number(value, what) * dof_unit(joint, 0, units_);
    } else {
      const auto values = t.to_numbers(value, what);
      if (values.size() != q.size())
        t.fail(value, what + " must be " + std::to_string(q.size()) + " numbers, not " + describe(value));
      for (size_t i = 0; i < q.size(); ++i) q[i] = values[i] * dof_unit(joint, int(i), units_);
    }
  }

  std::vector<double> reference_;
  std::vector<JointPlace> places_;
  const TomlUnits& units_;
  PoseDraft& draft_;
};

// q = [...]: the whole configuration, in rad and m, as Legwork writes it.
void read_whole(TomlTable& t, const Creature& creature, PoseDraft& draft) {
  const auto q = *t.numbers("q");
  if (int(q.size()) != creature.nq())
    t.fail_at("q", "'q' must be all " + std::to_string(creature.nq()) + " coordinates, not " +
                       std::to_string(q.size()));
  for (const JointPlace& place : joints_of(creature))
    draft.entries.push_back(
        {place.joint->name, {q.begin() + place.q, q.begin() + place.q + nq(*place.joint)}});
}

}  // namespace

void read_poses(TomlTable& top, const TomlUnits& units, const Creature& creature,
                std::vector<PoseDraft>& poses) {
  std::map<std::string, int> line_of;
  for (const TomlNode* node : top.tables("pose", 1000)) {
    const std::string name = TomlTable(*node, top.file(), "pose").required_text("name");
    TomlTable t(*node, top.file(), "pose '" + name + "'", creature_keys("pose"));
    t.find("name");
    if (const auto [first, fresh] = line_of.emplace(name, node->line); !fresh)
      t.fail("there are two of this name, the first in line " + std::to_string(first->second));
    PoseDraft draft;
    draft.name = name;
    draft.where = {top.file(), node->line};
    if (t.has("q")) read_whole(t, creature, draft);
    PoseReader reader(creature, units, draft);
    if (const TomlNode* root = t.find("root")) reader.set_root(t, *root);
    if (const auto joints = t.table("joints"))
      for (const auto& [joint, value] : joints->node().fields) reader.set(t, joint, value);
    t.finish();
    const auto old =
        std::find_if(poses.begin(), poses.end(), [&](const PoseDraft& p) { return p.name == name; });
    if (old == poses.end())
      poses.push_back(std::move(draft));
    else
      *old = std::move(draft);
  }
}

std::vector<PoseDraft> draft_poses(const Creature& creature) {
  std::vector<PoseDraft> drafts;
  for (const Pose& pose : creature.poses) {
    PoseDraft draft{pose.name, {}, pose.where};
    for (const JointPlace& place : joints_of(creature)) {
      const auto first = pose.q.begin() + place.q;
      draft.entries.push_back({place.joint->name, {first, first + nq(*place.joint)}});
    }
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

Pose finish_pose(const PoseDraft& draft, const Creature& creature) {
  Pose pose{draft.name, creature.pose(""), draft.where};
  const std::vector<JointPlace> places = joints_of(creature);
  for (const PoseDraft::Entry& entry : draft.entries)
    for (const JointPlace& place : places)
      if (place.joint->name == entry.joint && nq(*place.joint) == int(entry.q.size()))
        std::copy(entry.q.begin(), entry.q.end(), pose.q.begin() + place.q);
  return pose;
}

}  // namespace legwork
