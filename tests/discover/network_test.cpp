#include "discover/network.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace legwork {
namespace {

TEST(Network, OfTheBounderHas240Weights) { EXPECT_EQ((NetworkShape{8, 8, 4}.weights()), 240); }

// One hidden node with one sensor as its input.
Network<double> single(double weight, double on_delay, double off_delay) {
  Network<double> n;
  n.resize({1, 1, 0});
  n.weight = {weight, 0};
  n.on_rate = {1 / on_delay}, n.off_rate = {1 / off_delay};
  return n;
}

double seconds_until(const Network<double>& n, NetworkState<double>& s, double sensor, double output) {
  const double dt = 1e-3;
  int steps = 0;
  for (; s.input[1] != output && steps < 10000; ++steps)
    s.input[0] = sensor, update(n, dt, s, (double*)nullptr);
  return steps * dt;
}

TEST(Network, ANodeTurnsOnAfterItsOnDelayAndOffAfterItsOffDelay) {
  const Network<double> n = single(1, 0.1, 0.25);
  NetworkState<double> s(n.shape);
  EXPECT_NEAR(seconds_until(n, s, 1, 1), 0.1, 1.1e-3);
  EXPECT_NEAR(seconds_until(n, s, 0, 0), 0.25, 1.1e-3);
}

TEST(Network, AMomentaryTouchDoesNotReachTheOutput) {
  const Network<double> n = single(2, 0.1, 0.1);
  NetworkState<double> s(n.shape);
  for (int i = 0; i < 1000; ++i) {
    s.input[0] = i % 100 < 50;  // on half of the time: the integrator never fills
    update(n, 1e-3, s, (double*)nullptr);
    ASSERT_EQ(s.input[1], 0);
  }
}

TEST(Network, WithoutDelaysTheOutputFollowsAtOnce) {
  const Network<double> n = single(1, 0, 0);
  NetworkState<double> s(n.shape);
  s.input[0] = 1;
  update(n, 1e-3, s, (double*)nullptr);
  EXPECT_EQ(s.input[1], 1);
  s.input[0] = 0;
  update(n, 1e-3, s, (double*)nullptr);
  EXPECT_EQ(s.input[1], 0);
}

TEST(Network, ABoundedSumCommandsTheActuatorsRange) {
  Network<double> n;
  n.resize({1, 0, 1});
  n.lower = {-3}, n.upper = {5};
  double command = 0;
  for (const auto& [weight, expected] :
       {std::pair{-2.0, -3.0}, {-1.0, -1.0}, {0.0, 1.0}, {1.0, 3.0}, {2.0, 5.0}}) {
    NetworkState<double> s(n.shape);
    n.weight[0] = weight;
    s.input[0] = 1;
    update(n, 1e-3, s, &command);
    EXPECT_EQ(command, expected) << weight;
  }
}

TEST(Network, ANodeThatInhibitsItselfOscillatesWithItsDelays) {
  // hidden node: +1 from an always-on sensor, -2 from itself: on, off, on ... every on_delay + off_delay
  Network<double> n = single(1, 0.1, 0.15);
  n.weight = {1, -2};
  NetworkState<double> s(n.shape);
  int rises = 0;
  double before = 0;
  for (int i = 0; i < 10000; ++i) {
    s.input[0] = 1;
    update(n, 1e-3, s, (double*)nullptr);
    rises += s.input[1] > before;
    before = s.input[1];
  }
  EXPECT_NEAR(rises, 10 / 0.25, 1);
}

TEST(Network, EveryLaneOfABatchHasTheBitsOfItsScalar) {
  const NetworkShape shape{8, 8, 4};
  Network<Batch> batch;
  batch.resize(shape);
  std::vector<Network<double>> ones(batch_lanes);
  Random random(3);
  for (int lane = 0; lane < batch_lanes; ++lane) {
    Network<double>& n = ones[lane];
    n.resize(shape);
    for (int i = 0; i < shape.weights(); ++i)
      set_lane(batch.weight[i], lane, n.weight[i] = random.index(5) - 2);
    for (int i = 0; i < shape.nodes(); ++i) {
      set_lane(batch.on_rate[i], lane, n.on_rate[i] = 1 / random.uniform(0.05, 0.2));
      set_lane(batch.off_rate[i], lane, n.off_rate[i] = 1 / random.uniform(0.05, 0.2));
    }
    for (int i = 0; i < 4; ++i)
      set_lane(batch.lower[i], lane, n.lower[i] = -1), set_lane(batch.upper[i], lane, n.upper[i] = lane);
  }
  NetworkState<Batch> state(shape);
  std::vector<NetworkState<double>> states(batch_lanes, NetworkState<double>(shape));
  std::vector<Batch> command(4);
  std::vector<double> one(4);
  for (int step = 0; step < 3000; ++step) {
    for (int k = 0; k < 8; ++k) {
      const double on = random.index(2);
      state.input[k] = Batch(on);
      for (auto& s : states) s.input[k] = on;
    }
    update(batch, Batch(1e-3), state, command.data());
    for (int lane = 0; lane < batch_lanes; ++lane) {
      update(ones[lane], 1e-3, states[lane], one.data());
      for (int a = 0; a < 4; ++a) ASSERT_EQ(command[a][lane], one[a]) << step << " " << lane;
    }
  }
}

}  // namespace
}  // namespace legwork
