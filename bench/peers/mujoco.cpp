#include <mujoco/mujoco.h>

#include <algorithm>
#include <stdexcept>

#include "bench/peers/peer.h"

namespace legwork::bench {

namespace {

mjModel* load(const std::string& file) {
  char error[500] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (!model) throw std::runtime_error("MuJoCo: " + file + ": " + error);
  return model;
}

// MuJoCo's smooth dynamics alone, stage by stage: mj_forward would add collision, actuation and sensors.
class Mujoco : public Peer {
 public:
  explicit Mujoco(const std::string& file) : m_(load(file)), d_(mj_makeData(m_)) {}
  ~Mujoco() override {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  void set(const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& v,
           const std::vector<std::vector<double>>& tau) override {
    q_ = q, v_ = v, tau_ = tau;
  }
  void forward(int k) override {
    std::copy(q_[k].begin(), q_[k].end(), d_->qpos);
    std::copy(v_[k].begin(), v_[k].end(), d_->qvel);
    mj_kinematics(m_, d_);
    mj_comPos(m_, d_);
    mj_crb(m_, d_);
    mj_factorM(m_, d_);
    mj_comVel(m_, d_);
    mj_rne(m_, d_, 0, d_->qfrc_bias);
    for (int j = 0; j < m_->nv; ++j) d_->qacc[j] = tau_[k][j] - d_->qfrc_bias[j];
    mj_solveM(m_, d_, d_->qacc, d_->qacc, 1);
  }
  std::vector<double> qdd(int) override { return {d_->qacc, d_->qacc + m_->nv}; }

 private:
  mjModel* m_;
  mjData* d_;
  std::vector<std::vector<double>> q_, v_, tau_;
};

}  // namespace

std::unique_ptr<Peer> mujoco_peer(const std::string& mjcf_file) {
  return std::make_unique<Mujoco>(mjcf_file);
}

struct MujocoSimulation::Data {
  mjModel* m;
  mjData* d;
};

MujocoSimulation::MujocoSimulation(const std::string& file) : data_(new Data{load(file), nullptr}) {
  data_->d = mj_makeData(data_->m);
}
MujocoSimulation::~MujocoSimulation() {
  mj_deleteData(data_->d);
  mj_deleteModel(data_->m);
}
void MujocoSimulation::step(int steps) {
  for (int i = 0; i < steps; ++i) mj_step(data_->m, data_->d);
}
double MujocoSimulation::timestep() const { return data_->m->opt.timestep; }
void MujocoSimulation::set_timestep(double h) { data_->m->opt.timestep = h; }
void MujocoSimulation::reset(const std::vector<double>& q) {
  mj_resetData(data_->m, data_->d);
  std::copy(q.begin(), q.end(), data_->d->qpos);
  // position servos hold the pose they start in
  const mjModel* m = data_->m;
  for (int i = 0; i < m->nu; ++i) data_->d->ctrl[i] = q[m->jnt_qposadr[m->actuator_trnid[2 * i]]];
}
void MujocoSimulation::control(const std::vector<double>& command) {
  std::copy(command.begin(), command.end(), data_->d->ctrl);
}
std::vector<double> MujocoSimulation::positions() const {
  return {data_->d->qpos, data_->d->qpos + data_->m->nq};
}
int MujocoSimulation::contacts() const { return data_->d->ncon; }

}  // namespace legwork::bench
