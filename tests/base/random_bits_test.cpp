#include <gtest/gtest.h>

#include <bit>

#include "base/random.h"

namespace legwork {
namespace {

TEST(RandomBits, AreTheSameOnEveryMachineAndAtEveryLevel) {
  Random random(2024, 5);
  std::uint64_t hash = 0;
  for (int i = 0; i < 1000; ++i) {
    hash = hash * 1099511628211ull + random.bits();
    hash = hash * 1099511628211ull + std::bit_cast<std::uint64_t>(random.normal());
    hash = hash * 1099511628211ull + std::bit_cast<std::uint64_t>(random.uniform(-3, 5));
    hash = hash * 1099511628211ull + static_cast<std::uint64_t>(random.index(17));
  }
  EXPECT_EQ(hash, 0xdf7fc6935c2da360ull);
}

}  // namespace
}  // namespace legwork
