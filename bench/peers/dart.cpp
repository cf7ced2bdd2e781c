#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include <stdexcept>

#include "bench/peers/peer.h"

namespace legwork::bench {

namespace {

Eigen::Isometry3d transform(const Vec3d& pos, const Quatd& rot) {
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = Eigen::Quaterniond(rot.w, rot.x, rot.y, rot.z).toRotationMatrix();
  t.translation() = Eigen::Vector3d(pos.x, pos.y, pos.z);
  return t;
}

// DART measures a free joint's velocity and force in the body's axes, angular part first.
class Dart : public Peer {
 public:
  explicit Dart(const Creature& c) : skeleton_(dart::dynamics::Skeleton::create("peer")) {
    using namespace dart::dynamics;
    std::vector<BodyNode*> bodies;
    for (const Link& link : c.links) {
      BodyNode* parent = link.parent < 0 ? nullptr : bodies[link.parent];
      const Joint& joint = link.joints.at(0);
      const BodyNode::AspectProperties named(link.name);
      BodyNode* body;
      if (joint.type == JointType::free) {
        free_ = true;
        FreeJoint::Properties p;
        p.mName = link.name;
        body = skeleton_->createJointAndBodyNodePair<FreeJoint>(parent, p, named).second;
      } else if (joint.type == JointType::hinge) {
        RevoluteJoint::Properties p;
        p.mName = link.name;
        p.mAxis = Eigen::Vector3d(joint.axes[0].x, joint.axes[0].y, joint.axes[0].z);
        p.mT_ParentBodyToJoint = transform(link.pos, link.rot);
        body = skeleton_->createJointAndBodyNodePair<RevoluteJoint>(parent, p, named).second;
      } else {
        throw std::runtime_error("DART peer: only free and hinge joints");
      }
      const Sym3d& I = link.inertia;
      body->setInertia(
          Inertia(link.mass, Eigen::Vector3d(link.com.x, link.com.y, link.com.z),
                  (Eigen::Matrix3d() << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz).finished()));
      bodies.push_back(body);
    }
    skeleton_->setGravity(Eigen::Vector3d(0, 0, -9.81));
  }

  void set(const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& v,
           const std::vector<std::vector<double>>& tau) override {
    for (size_t k = 0; k < q.size(); ++k) {
      const int n = int(v[k].size());
      Eigen::VectorXd x(n), dx(n), f(n);
      int first = 0;
      Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
      if (free_) {
        const std::vector<double>& s = q[k];
        const Eigen::Isometry3d t = transform({s[0], s[1], s[2]}, {s[3], s[4], s[5], s[6]});
        R = t.linear();
        x.head<6>() = dart::dynamics::FreeJoint::convertToPositions(t);
        dx.head<3>() = Eigen::Map<const Eigen::Vector3d>(&v[k][3]);
        dx.segment<3>(3) = R.transpose() * Eigen::Map<const Eigen::Vector3d>(&v[k][0]);
        f.head<3>() = Eigen::Map<const Eigen::Vector3d>(&tau[k][3]);
        f.segment<3>(3) = R.transpose() * Eigen::Map<const Eigen::Vector3d>(&tau[k][0]);
        first = 6;
      }
      for (int j = first; j < n; ++j) x[j] = q[k][j + (free_ ? 1 : 0)], dx[j] = v[k][j], f[j] = tau[k][j];
      x_.push_back(x), dx_.push_back(dx), f_.push_back(f), R_.push_back(R);
    }
  }

  void forward(int k) override {
    skeleton_->setPositions(x_[k]);
    skeleton_->setVelocities(dx_[k]);
    skeleton_->setForces(f_[k]);
    skeleton_->computeForwardDynamics();
  }

  std::vector<double> qdd(int k) override {
    const Eigen::VectorXd a = skeleton_->getAccelerations();
    std::vector<double> out(a.data(), a.data() + a.size());
    if (free_) {
      const Eigen::Vector3d w = dx_[k].head<3>(), v = dx_[k].segment<3>(3);
      const Eigen::Vector3d linear = R_[k] * (a.segment<3>(3) + w.cross(v));
      for (int i = 0; i < 3; ++i) out[i] = linear[i], out[3 + i] = a[i];
    }
    return out;
  }

 private:
  dart::dynamics::SkeletonPtr skeleton_;
  bool free_ = false;
  std::vector<Eigen::VectorXd> x_, dx_, f_;
  std::vector<Eigen::Matrix3d> R_;
};

}  // namespace

std::unique_ptr<Peer> dart_peer(const Creature& creature) { return std::make_unique<Dart>(creature); }

}  // namespace legwork::bench
