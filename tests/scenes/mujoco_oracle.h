#pragma once
// MuJoCo beside our own dynamics at one state; for *_mujoco_test.cpp only.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "dynamics/dynamics.h"

namespace legwork {

// MuJoCo with contacts, limits, equalities and actuators switched off: what remains is the tree.
class MujocoOracle {
 public:
  explicit MujocoOracle(const std::string& path, const mjVFS* files = nullptr) {
    // by default MuJoCo writes warnings into a file of the working directory
    mju_user_warning = [](const char* text) { ADD_FAILURE() << "MuJoCo warns: " << text; };
    char error[1000] = "";
    model_.reset(mj_loadXML(path.c_str(), files, error, sizeof error));
    EXPECT_TRUE(model_) << path << ": " << error;
    if (!model_) return;
    model_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_ACTUATION;
    data_.reset(mj_makeData(model_.get()));
  }

  explicit operator bool() const { return bool(model_); }
  mjModel& model() { return *model_; }
  mjData& data() { return *data_; }
  std::size_t nv() const { return std::size_t(model_->nv); }

  void set(const std::vector<double>& q, const std::vector<double>& v) {
    std::copy(q.begin(), q.end(), data_->qpos);
    std::copy(v.begin(), v.end(), data_->qvel);
    mj_forward(model_.get(), data_.get());
  }
  std::vector<double> mass_matrix() const {
    std::vector<double> M(nv() * nv());
    mj_fullM(model_.get(), M.data(), data_->qM);
    return M;
  }
  std::vector<double> bias() const { return {data_->qfrc_bias, data_->qfrc_bias + nv()}; }
  std::vector<double> acceleration() const { return {data_->qacc, data_->qacc + nv()}; }
  std::string body_name(int body) const {
    const char* name = mj_id2name(model_.get(), mjOBJ_BODY, body);
    return name ? name : "";
  }

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

// A state with every degree of freedom inside its range.
inline std::vector<double> random_configuration(Random& random, const Creature& creature) {
  std::vector<double> q;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      if (joint.type == JointType::free)
        for (int i = 0; i < 3; ++i) q.push_back(random.uniform(-2, 2));
      if (joint.type == JointType::free || joint.type == JointType::ball) {
        const Quatd r = normalized(Quatd{random.normal(), random.normal(), random.normal(), random.normal()});
        q.insert(q.end(), {r.w, r.x, r.y, r.z});
        continue;
      }
      for (const Dof& dof : joint.dofs)
        q.push_back(random.uniform(std::max(dof.lower, -2.0), std::min(dof.upper, 2.0)));
    }
  return q;
}

inline std::vector<double> random_speeds(Random& random, const Creature& creature, double size) {
  std::vector<double> v(std::size_t(creature.nv()));
  for (double& x : v) x = random.uniform(-size, size);
  return v;
}

// Largest difference over largest value.
inline double relative_error(const std::vector<double>& ours, const std::vector<double>& theirs) {
  EXPECT_EQ(ours.size(), theirs.size());
  double difference = 0, size = 1e-300;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (!std::isfinite(ours[i])) return INFINITY;
    difference = std::max(difference, std::fabs(ours[i] - theirs[i]));
    size = std::max(size, std::fabs(theirs[i]));
  }
  return difference / size;
}

}  // namespace legwork
