// The ground gives the same bits at -O0 and -O3, for plain x86-64 and this machine's vectors.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "base/random.h"
#include "tests/ground/bodies.h"

namespace legwork {
namespace {

// FNV-1a over the bytes of doubles.
struct Hash {
  std::uint64_t value = 14695981039346656037ull;
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    for (int i = 0; i < 8; ++i) value = (value ^ (bits >> (8 * i) & 0xff)) * 1099511628211ull;
  }
};

// Forces, added inertia and anchors over a walk through random states near the ground.
std::uint64_t walk(const char* contact, const char* ground) {
  Trial run(table_creature(), parse_contact(contact), parse_terrain(ground));
  Random random(17);
  Hash hash;
  for (int i = 0; i < 300; ++i) {
    for (int j = 0; j < 2; ++j) run.q[j] += random.uniform(-0.001, 0.001);
    run.q[2] = 0.25 + random.uniform(-0.002, 0.001) + sample(run.terrain, run.q[0], run.q[1]).height;
    for (double& v : run.v) v = random.uniform(-0.5, 0.5);
    run.update();
    clear_forces(run.model, run.w);
    run.w.implicit = i % 2 == 0;
    add_contact_forces(run.model, run.contacts, run.terrain, run.state, 1e-3, run.w, &run.record, &run.state);
    for (const auto& r : run.record)
      for (int k = 0; k < 3; ++k) hash.add(r.force[k]), hash.add(r.implicit(k, 2));
    for (const auto& s : run.state.sites) hash.add(s.anchor.x), hash.add(s.anchor.z);
  }
  return hash.value;
}

TEST(ContactBits, WalksHaveTheirGoldenHash) {
  EXPECT_EQ(walk("linear", "plane"), 0x43a3133e0cff9cc6ull);
  EXPECT_EQ(walk("exponential", "slope:5deg"), 0xf7912fa2786fc3e1ull);
  EXPECT_EQ(walk("sticky", "rough:0.02,0.3,7"), 0x80a69197c1fb9325ull);
  EXPECT_EQ(walk("linear:restitution=0.3,friction_back=1", "bumps:0.01,0.1"), 0x7dfde756306e7bc6ull);
  EXPECT_EQ(walk("linear", "formula:0.02*sin(10*x)*exp(-y^2) + 0.001*log(1+x^2),0.05,10"),
            0xe14c4c2074192e75ull);
}

}  // namespace
}  // namespace legwork
