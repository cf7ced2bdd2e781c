#include "walk/motor.h"

#include <gtest/gtest.h>

namespace legwork {
namespace {

Drive<double> drive_of(int nv) {
  Drive<double> d;
  d.rest.assign(size_t(nv), 0);
  d.rest_rate.assign(size_t(nv), 0);
  return d;
}

void run(MotorBoard& motors, Drive<double>& drive, double from, double to, double dt) {
  for (int i = 0; from + i * dt < to - 0.5 * dt; ++i) {
    step_motors(motors, from + i * dt, dt, drive);
    for (size_t k = 0; k < drive.rest.size(); ++k) drive.rest[k] += dt * drive.rest_rate[k];
  }
}

TEST(Motor, RestTravelsAtConstantVelocityAndStopsThere) {
  MotorBoard motors(1);
  Drive<double> drive = drive_of(1);
  motors.move(0, 0.8, 0.1, 0);
  run(motors, drive, 0, 0.05, 1e-3);
  EXPECT_NEAR(drive.rest[0], 0.4, 1e-12);
  EXPECT_NEAR(drive.rest_rate[0], 8, 1e-9);
  run(motors, drive, 0.05, 0.2, 1e-3);
  EXPECT_EQ(drive.rest[0], 0.8);
  EXPECT_EQ(drive.rest_rate[0], 0);
  EXPECT_FALSE(motors.active(0));
}

TEST(Motor, ATimerStartsFromWhereTheRestIsThen) {
  MotorBoard motors(2);
  Drive<double> drive = drive_of(2);
  const std::vector<Move> lift{{0, 1, 0, 0.4}, {0, -1, 0.5, 1}, {1, 2, 0, 1}};
  motors.run(lift, 0.1, 0);
  run(motors, drive, 0, 0.045, 1e-3);
  EXPECT_NEAR(drive.rest[0], 1, 1e-12);
  run(motors, drive, 0.045, 0.075, 1e-3);
  EXPECT_NEAR(drive.rest[0], 0, 1e-9);
  run(motors, drive, 0.075, 0.11, 1e-3);
  EXPECT_NEAR(drive.rest[0], -1, 1e-12);
  EXPECT_NEAR(drive.rest[1], 2, 1e-12);
}

TEST(Motor, ANewMoveReplacesWhatIsUnderWayAndPlanned) {
  MotorBoard motors(1);
  Drive<double> drive = drive_of(1);
  motors.run({{0, 1, 0, 0.5}, {0, -1, 0.5, 1}}, 0.1, 0);
  run(motors, drive, 0, 0.02, 1e-3);
  motors.run({{0, 0, 0, 1}}, 0.05, 0.02);
  run(motors, drive, 0.02, 0.2, 1e-3);
  EXPECT_EQ(drive.rest[0], 0);
}

TEST(Motor, NoTimeMeansAtOnce) {
  MotorBoard motors(1);
  Drive<double> drive = drive_of(1);
  motors.move(0, 3, 0, 1);
  step_motors(motors, 1, 1e-3, drive);
  EXPECT_EQ(drive.rest[0], 3);
}

}  // namespace
}  // namespace legwork
