#pragma once
// A planted modal gait as a style: one cycle of it, its corners rounded, for the controller of control/ to
// follow.

#include "control/legged_body.h"
#include "control/schedule.h"
#include "control/style.h"
#include "modes/planted.h"

namespace legwork {

class GaitStyle : public Style {
 public:
  // gait: on level ground. hz: cycles a second. body: the one that is to perform it, of the gait's creature.
  GaitStyle(const LeggedBody& body, const Limbs& limbs, PlantedGait& gait, double hz);

  void body(double clock, BodyLook& look) const override;
  void swing(size_t leg, double clock, double share, SwingLook& look) const override;

  // Moves less: a share of the motion around the cycle's mean, of the speed and of the swings' height.
  void calm_down(double share);

  // The gait's own footfalls and speed.
  const Schedule& schedule() const { return schedule_; }

 private:
  // One instant of the gait; the root's way forward is taken out.
  struct Sample {
    std::vector<double> x, rate;  // nv
    Mat3d trunk;
    Vec3d spin;
    double height = 0, climb = 0, up = 0;  // of the centre of mass, m, m/s, m/s^2
    std::vector<Vec3d> sole;               // for each leg
    std::vector<Mat3d> foot;
  };
  void find_footfalls(const Limbs& limbs, PlantedGait& gait, double hz);
  void take_samples(const LeggedBody& body, PlantedGait& gait, double hz);
  void soften();
  void differentiate(double hz);
  void find_swings();

  Schedule schedule_;
  std::vector<Sample> cycle_;
  std::vector<double> high_, peak_;  // of each leg's swing
};

}  // namespace legwork
