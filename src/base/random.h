#pragma once

#include <array>
#include <cstdint>

namespace legwork {

// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011). Number i of stream k under a seed is a pure function of (seed, k, i), so
// candidate k of a search draws from stream k and gets the same numbers on any thread, in any order, on any
// machine.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept : seed_(seed), stream_(stream) {}

  // 64 uniform bits.
  std::uint64_t bits() noexcept;

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() noexcept;

  // Uniform in [lo, hi); needs lo <= hi, both finite.
  double uniform(double lo, double hi) noexcept;

  // Standard normal, from one uniform number through the inverse distribution: every draw uses one number of
  // the stream, and +, -, *, / and sqrt only, so the bits do not depend on the C library.
  double normal() noexcept;

  // Uniform in {0, ..., n-1}, without bias; needs n > 0.
  int index(int n) noexcept;

 private:
  std::uint64_t seed_, stream_;
  std::uint64_t block_ = 0;             // next counter to encrypt
  std::array<std::uint64_t, 2> ready_;  // the last `left_` of these are still to be handed out
  int left_ = 0;
};

// The Philox4x32-10 bijection: encrypts a counter under a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) noexcept;

// Quantile of the standard normal distribution for 0 < p < 1, to about 1e-15 relative
// (Wichura, "Algorithm AS 241", Applied Statistics 37, 1988, routine PPND16).
double normal_quantile(double p) noexcept;

}  // namespace legwork
