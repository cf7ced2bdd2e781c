#include "formats/bvh/bvh_motion.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "direct/law.h"
#include "dynamics/dynamics.h"
#include "math/dense.h"

namespace legwork {

namespace {

constexpr int most_steps = 20;
constexpr double settled = 1e-10;  // rad: a step shorter than this ends the search
constexpr double stay = 1e-9;      // weight of staying where it is, for joints that nothing moves

std::string plain(std::string name) {
  for (char& c : name) c = c == ' ' || c == '{' || c == '}' ? '_' : char(std::tolower(c));
  return name;
}

bool slides(const Link& link) {
  return std::any_of(link.joints.begin(), link.joints.end(), [](const Joint& j) {
    return j.type == JointType::slide || j.type == JointType::planar || j.type == JointType::keyframed ||
           j.type == JointType::free;
  });
}

bool turns(const Link& link) {
  return std::any_of(link.joints.begin(), link.joints.end(), [](const Joint& j) { return nv(j) > 0; });
}

// The file's joint for every link, or -1.
std::vector<int> find_joints(const Bvh& bvh, const Creature& c) {
  std::vector<int> found;
  for (const Link& link : c.links) {
    int joint = -1;
    const auto look_for = [&](const std::string& name) {
      for (size_t i = 0; i < bvh.joints.size() && joint < 0 && !name.empty(); ++i)
        if (!bvh.joints[i].end_site && plain(bvh.joints[i].name) == plain(name)) joint = int(i);
    };
    look_for(link.name);
    for (const Joint& j : link.joints) look_for(j.name);
    found.push_back(joint);
  }
  return found;
}

class Fit {
 public:
  Fit(const Bvh& bvh, const Creature& c, std::vector<int> joint)
      : bvh_(bvh), c_(c), joint_(std::move(joint)), model_(make_model(c)), w_(model_), rest_(model_) {
    update_positions(model_, c.pose("").data(), rest_);
    q_ = c.pose("stand");
    // lengths: from each found link's origin to that of the next found one above it
    double ours = 0, theirs = 0;
    Bvh still = bvh;
    std::fill(still.values.begin(), still.values.end(), 0.0);
    still.frames = 1;
    for (BvhJoint& j : still.joints) std::erase_if(j.channels, [](BvhChannel ch) { return int(ch) < 3; });
    const BvhPose pose = pose_at(still, 0);
    for (int b = 0; b < model_.nlink; ++b) {
      int above = model_.parent[size_t(b)];
      while (above >= 0 && joint_[size_t(above)] < 0) above = model_.parent[size_t(above)];
      if (above < 0 || joint_[size_t(b)] < 0) continue;
      ours += norm(rest_.p[size_t(b)] - rest_.p[size_t(above)]);
      theirs += norm(pose.p[size_t(joint_[size_t(b)])] - pose.p[size_t(joint_[size_t(above)])]);
    }
    if (ours > 0 && theirs > 0 && std::abs(ours / theirs - 1) > 0.02) unit_ = ours / theirs;
    scale_ = 1 / std::max(1e-3, ours / std::max(1, model_.nlink));
  }

  const std::vector<double>& at(int frame) {
    const BvhPose pose = pose_at(bvh_, frame, unit_);
    for (int step = 0; step < most_steps; ++step)
      if (improve(pose) < settled) break;
    return q_;
  }

 private:
  // One Gauss-Newton step; returns its size.
  double improve(const BvhPose& pose) {
    const int nv = model_.nv;
    update_positions(model_, q_.data(), w_);
    Eigen::MatrixXd H = Eigen::MatrixXd::Identity(nv, nv) * stay;
    Eigen::VectorXd g = Eigen::VectorXd::Zero(nv);
    const auto add = [&](int link, const Vec3d& along, bool angular, double missing, double weight) {
      std::vector<std::pair<int, double>> row;
      for (int b = link; b >= 0; b = model_.parent[size_t(b)])
        for (int j = model_.dof_begin[size_t(b)]; j < model_.dof_begin[size_t(b) + 1]; ++j) {
          const Twist<double> s = shift(w_.S[size_t(j)], w_.p[size_t(link)] - w_.p[size_t(b)]);
          row.emplace_back(j, dot(along, angular ? s.ang : s.lin));
        }
      for (const auto& [i, a] : row) {
        g[i] += weight * a * missing;
        for (const auto& [k, b] : row) H(i, k) += weight * a * b;
      }
    };
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int b = 0; b < model_.nlink; ++b) {
      const int joint = joint_[size_t(b)];
      if (joint < 0) continue;
      const Vec3d turn =
          rotation_vector(pose.R[size_t(joint)] * rest_.R[size_t(b)] * transpose(w_.R[size_t(b)]));
      const Vec3d way = pose.p[size_t(joint)] - w_.p[size_t(b)];
      for (int k = 0; k < 3; ++k) add(b, axes[k], true, turn[k], 1);
      if (slides(c_.links[size_t(b)]))
        for (int k = 0; k < 3; ++k) add(b, axes[k], false, way[k], scale_ * scale_);
    }
    const Eigen::VectorXd d = solve_symmetric(H, g);
    integrate_positions(model_, q_.data(), d.data(), 1.0, q_.data());
    normalize_positions(model_, q_.data());
    return d.cwiseAbs().maxCoeff();
  }

  const Bvh& bvh_;
  const Creature& c_;
  std::vector<int> joint_;
  Model<double> model_;
  Workspace<double> w_, rest_;
  std::vector<double> q_;
  double unit_ = 1, scale_ = 1;
};

}  // namespace

Mapped map_bvh(const Bvh& bvh, const Creature& creature, const std::string& path) {
  Mapped mapped;
  const std::vector<int> joint = find_joints(bvh, creature);
  std::vector<char> used(bvh.joints.size(), 0);
  int inner = 0;
  for (size_t b = 0; b < joint.size(); ++b) {
    if (joint[b] >= 0) used[size_t(joint[b])] = 1;
    if (!turns(creature.links[b])) continue;
    if (joint[b] < 0)
      mapped.missing.push_back(creature.links[b].name);
    else
      ++mapped.joints, inner += creature.links[b].parent >= 0;
  }
  const auto parted = [&](const std::string& name) {  // NAME_at carries the offset of NAME
    return name.size() > 3 && name.ends_with("_at") && bvh.joint(name.substr(0, name.size() - 3)) >= 0;
  };
  for (size_t i = 0; i < bvh.joints.size(); ++i)
    if (!used[i] && !bvh.joints[i].end_site && !parted(bvh.joints[i].name))
      mapped.left_over.push_back(bvh.joints[i].name);
  if (inner == 0 && (creature.links.size() > 1 || mapped.joints == 0)) {
    std::vector<std::string> ours, theirs;
    for (const Link& link : creature.links) ours.push_back(link.name);
    for (const BvhJoint& j : bvh.joints)
      if (!j.end_site) theirs.push_back(j.name);
    ours.resize(std::min<size_t>(ours.size(), 8)), theirs.resize(std::min<size_t>(theirs.size(), 8));
    throw Error({path, 0}, "",
                "no joint is named as a link of '" + creature.name + "' (the file's: " + join(theirs, ", ") +
                    " ...; the body's: " + join(ours, ", ") + " ...)",
                "rename joints in the file, or links in the creature");
  }
  mapped.motion.creature = creature;
  Fit fit(bvh, creature, joint);
  for (int f = 0; f < bvh.frames; ++f) {
    const std::vector<double>& q = fit.at(f);
    mapped.motion.time.push_back(f * bvh.frame_time);
    mapped.motion.q.insert(mapped.motion.q.end(), q.begin(), q.end());
  }
  mapped.motion.v.assign(size_t(bvh.frames) * size_t(creature.nv()), 0.0);
  return mapped;
}

}  // namespace legwork
