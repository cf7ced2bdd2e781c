#pragma once
// Numbers and motions that are equal bit for bit.

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

// Unlike ==, this tells 0 from -0, and a nan is equal to itself.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

// The same, and which number is not.
inline void expect_same_bits(std::span<const double> a, std::span<const double> b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i])) << i;
}

// The same states, torques, forces, channels and status; how they were made may differ.
inline void expect_same(const Motion& a, const Motion& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.status_text, b.status_text);
  EXPECT_TRUE(same_bits(a.time, b.time));
  EXPECT_TRUE(same_bits(a.q, b.q));
  EXPECT_TRUE(same_bits(a.v, b.v));
  EXPECT_TRUE(same_bits(a.tau, b.tau));
  EXPECT_TRUE(same_bits(a.contact_force, b.contact_force));
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    EXPECT_EQ(a.channels[i].name, b.channels[i].name);
    EXPECT_TRUE(same_bits(a.channels[i].values, b.channels[i].values)) << a.channels[i].name;
  }
}

// The same motion, made by the same scenario.
inline void expect_same_run(const Motion& a, const Motion& b) {
  expect_same(a, b);
  EXPECT_EQ(a.made.options, b.made.options);
}

}  // namespace legwork
