#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <cmath>
#include <stdexcept>

#include "bench/peers/peer.h"

namespace legwork::bench {

namespace {

btVector3 vec(const Vec3d& v) { return {v.x, v.y, v.z}; }

// Bullet puts each link's frame into its centre of mass and wants principal inertias there, so the inertia
// must be diagonal in link axes. A body fixed to the world hangs on an immovable base.
class Bullet : public Peer {
 public:
  explicit Bullet(const Creature& c) {
    free_ = c.links[0].joints.at(0).type == JointType::free;
    const int shift = free_ ? 1 : 0;
    const Link& root = c.links[0];
    body_ = std::make_unique<btMultiBody>(int(c.links.size()) - shift, free_ ? root.mass : 0,
                                          free_ ? diagonal(root) : btVector3(0, 0, 0), !free_, false);
    for (size_t b = shift; b < c.links.size(); ++b) {
      const Link& link = c.links[b];
      const Joint& joint = link.joints.at(0);
      if (joint.type != JointType::hinge)
        throw std::runtime_error("Bullet peer: only a free root and hinges");
      const Vec3d parent_com = link.parent < 0 ? Vec3d() : c.links[link.parent].com;
      const btQuaternion to_link = btQuaternion(link.rot.x, link.rot.y, link.rot.z, link.rot.w).inverse();
      body_->setupRevolute(int(b) - shift, link.mass, diagonal(link), link.parent - shift, to_link,
                           vec(joint.axes[0]), vec(link.pos - parent_com), vec(link.com), false);
      masses_.push_back(link.mass);
    }
    root_mass_ = free_ ? root.mass : 0;
    root_com_ = free_ ? root.com : Vec3d();
    body_->finalizeMultiDof();
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
    body_->setUseGyroTerm(true);
    body_->setMaxCoordinateVelocity(1e30);
    body_->setBaseVel(btVector3(0, 0, 0));
  }

  void set(const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& v,
           const std::vector<std::vector<double>>& tau) override {
    q_ = q, v_ = v, tau_ = tau;
  }

  void forward(int k) override {
    const std::vector<double>&q = q_[k], &v = v_[k], &tau = tau_[k];
    body_->clearForcesAndTorques();
    body_->clearVelocities();
    if (free_) {
      const btQuaternion rot(q[4], q[5], q[6], q[3]);
      const btMatrix3x3 R(rot);
      const btVector3 com = R * vec(root_com_), w = R * btVector3(v[3], v[4], v[5]);
      const btVector3 force(tau[0], tau[1], tau[2]);
      body_->setBasePos(btVector3(q[0], q[1], q[2]) + com);
      body_->setWorldToBaseRot(rot.inverse());
      body_->setBaseOmega(w);
      body_->setBaseVel(btVector3(v[0], v[1], v[2]) + w.cross(com));
      body_->addBaseForce(force + btVector3(0, 0, -9.81 * root_mass_));
      body_->addBaseTorque(R * btVector3(tau[3], tau[4], tau[5]) - com.cross(force));
    }
    const int dq = free_ ? 7 : 0, dv = free_ ? 6 : 0;
    for (int i = 0; i < body_->getNumLinks(); ++i) {
      body_->setJointPosMultiDof(i, const_cast<double*>(&q[dq + i]));
      body_->setJointVelMultiDof(i, const_cast<double*>(&v[dv + i]));
      body_->addJointTorque(i, tau[dv + i]);
      body_->addLinkForce(i, btVector3(0, 0, -9.81 * masses_[i]));
    }
    // the algorithm adds dt times the accelerations to the velocities
    body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(1.0, scalars_, vectors_, matrices_, false,
                                                                false, false);
  }

  std::vector<double> qdd(int k) override {
    const std::vector<double>& v = v_[k];
    std::vector<double> out(v.size());
    const int dv = free_ ? 6 : 0;
    for (int i = 0; i < body_->getNumLinks(); ++i) out[dv + i] = body_->getJointVel(i) - v[dv + i];
    if (free_) {
      const btMatrix3x3 R(body_->getWorldToBaseRot().inverse());
      const btVector3 com = R * vec(root_com_), w = R * btVector3(v[3], v[4], v[5]);
      const btVector3 alpha = body_->getBaseOmega() - w;
      const btVector3 a_com = body_->getBaseVel() - (btVector3(v[0], v[1], v[2]) + w.cross(com));
      const btVector3 a = a_com - alpha.cross(com) - w.cross(w.cross(com)), alpha_b = R.transpose() * alpha;
      for (int i = 0; i < 3; ++i) out[i] = a[i], out[3 + i] = alpha_b[i];
    }
    return out;
  }

 private:
  static btVector3 diagonal(const Link& link) {
    const Sym3d& I = link.inertia;
    if (std::abs(I.xy) + std::abs(I.xz) + std::abs(I.yz) > 1e-12 * (I.xx + I.yy + I.zz))
      throw std::runtime_error("Bullet peer: inertia of '" + link.name + "' is not diagonal");
    return {I.xx, I.yy, I.zz};
  }

  std::unique_ptr<btMultiBody> body_;
  bool free_ = false;
  double root_mass_ = 0;
  Vec3d root_com_;
  std::vector<double> masses_;
  std::vector<std::vector<double>> q_, v_, tau_;
  btAlignedObjectArray<btScalar> scalars_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

}  // namespace

std::unique_ptr<Peer> bullet_peer(const Creature& creature) { return std::make_unique<Bullet>(creature); }

}  // namespace legwork::bench
