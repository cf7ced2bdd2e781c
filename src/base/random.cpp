#include "base/random.h"

#include <bit>
#include <cassert>
#include <cmath>

namespace legwork {
namespace {

using Coefficients = std::array<double, 8>;

double polynomial(const Coefficients& c, double x) {
  double sum = c[7];
  for (int i = 6; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

// Natural logarithm of a positive normal number, without the C library, whose bits differ between machines.
// x = m 2^e with m in [1/sqrt 2, sqrt 2), and log m = 2 atanh s = 2 (s + s^3/3 + s^5/5 + ...), s =
// (m-1)/(m+1).
double logarithm(double x) {
  constexpr double ln2 = 0x1.62e42fefa39efp-1, half_sqrt2 = 0x1.6a09e667f3bcdp-1;
  constexpr std::uint64_t mantissa = (1ull << 52) - 1, one_half = 1022ull << 52;
  const auto word = std::bit_cast<std::uint64_t>(x);
  int e = static_cast<int>(word >> 52) - 1022;
  double m = std::bit_cast<double>((word & mantissa) | one_half);
  if (m < half_sqrt2) m *= 2, --e;
  const double s = (m - 1) / (m + 1), ss = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * ss + 1.0 / k;
  return 2 * s * sum + e * ln2;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  return c;
}

std::uint64_t Random::bits() noexcept {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  if (left_ == 0) {
    const auto r =
        philox({low(block_), high(block_), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    ready_ = {r[0] | std::uint64_t{r[1]} << 32, r[2] | std::uint64_t{r[3]} << 32};
    left_ = 2;
    ++block_;
  }
  return ready_[2 - left_--];
}

double Random::uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double lo, double hi) noexcept {
  assert(lo <= hi);
  const double x = lo + (hi - lo) * uniform();
  return x < hi ? x : lo;  // rounding may reach hi
}

double Random::normal() noexcept {
  return normal_quantile((static_cast<double>(bits() >> 12) + 0.5) *
                         0x1p-52);  // the middle of a cell: never 0 or 1
}

int Random::index(int n) noexcept {
  assert(n > 0);
  // Lemire, "Fast random integer generation in an interval", 2019: the few products that would favour some
  // values are drawn again.
  const auto range = static_cast<std::uint32_t>(n), refused = (0u - range) % range;
  std::uint64_t product;
  do product = (bits() >> 32) * range;
  while (static_cast<std::uint32_t>(product) < refused);
  return static_cast<int>(product >> 32);
}

double normal_quantile(double p) noexcept {
  static constexpr Coefficients a = {
      3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr Coefficients b = {1.0,
                                     4.2313330701600911252e+1,
                                     6.8718700749205790830e+2,
                                     5.3941960214247511077e+3,
                                     2.1213794301586595867e+4,
                                     3.9307895800092710610e+4,
                                     2.8729085735721942674e+4,
                                     5.2264952788528545610e+3};
  static constexpr Coefficients c = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                     5.76949722146069140550e0,  3.64784832476320460504e0,
                                     1.27045825245236838258e0,  2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr Coefficients d = {1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
  static constexpr Coefficients e = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                     1.78482653991729133580e0,  2.96560571828504891230e-1,
                                     2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr Coefficients f = {1.0,
                                     5.99832206555887937690e-1,
                                     1.36929880922735805310e-1,
                                     1.48753612908506148525e-2,
                                     7.86869131145613259100e-4,
                                     1.84631831751005468180e-5,
                                     1.42151175831644588870e-7,
                                     2.04426310338993978564e-15};
  assert(p > 0 && p < 1);
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-logarithm(q < 0 ? p : 1 - p));
  const double x =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -x : x;
}

}  // namespace legwork
