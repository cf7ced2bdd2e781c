#pragma once
// Forward dynamics of the same body in another library.
//
// States and results are in Legwork's coordinates; set() converts them outside the timed part.

#include <memory>
#include <string>
#include <vector>

#include <legwork/creature.h>

namespace legwork::bench {

class Peer {
 public:
  virtual ~Peer() = default;
  // Takes states to be used by forward(k).
  virtual void set(const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& v,
                   const std::vector<std::vector<double>>& tau) = 0;
  // The timed part: load state k and compute its accelerations.
  virtual void forward(int k) = 0;
  // Accelerations of the last forward(k), in Legwork's convention.
  virtual std::vector<double> qdd(int k) = 0;
};

std::unique_ptr<Peer> mujoco_peer(const std::string& mjcf_file);
std::unique_ptr<Peer> dart_peer(const Creature& creature);
std::unique_ptr<Peer> bullet_peer(const Creature& creature);

// A MuJoCo simulation with contact: seconds of wall time for `steps` steps from the state at rest after
// settling.
class MujocoSimulation {
 public:
  explicit MujocoSimulation(const std::string& mjcf_file);
  ~MujocoSimulation();
  void step(int steps);
  double timestep() const;
  void set_timestep(double h);
  void reset(const std::vector<double>& q);
  void control(const std::vector<double>& command);  // of every actuator, until set again
  std::vector<double> positions() const;
  int contacts() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace legwork::bench
