#pragma once
// Names and bytes of what stages make, for a store: a name is a hash of everything that the stage depends on.

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "reach/find.h"

namespace legwork::reaching {

// Collects bytes; the name is a 128-bit hash of them.
class Fingerprint {
 public:
  Fingerprint& add(const void* data, std::size_t bytes);
  Fingerprint& add(const std::string& text) { return add(double(text.size())).add(text.data(), text.size()); }
  Fingerprint& add(double x) { return add(&x, sizeof x); }
  std::string name() const;

 private:
  std::uint64_t a_ = 14695981039346656037ull, b_ = 0x9E3779B97F4A7C15ull;
};
void add(Fingerprint& f, const Limb& limb);
void add(Fingerprint& f, const Placement& p);

class Writer {
 public:
  template <class T>
  void put(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::uint64_t n = values.size();
    bytes.append(reinterpret_cast<const char*>(&n), sizeof n);
    bytes.append(reinterpret_cast<const char*>(values.data()), n * sizeof(T));
  }
  void put(double x) { put(std::vector<double>{x}); }
  std::string bytes;
};
// Reads what Writer wrote; ok turns false where that does not fit, and nothing more is read.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  void get(std::vector<T>& values) {
    std::uint64_t n = 0;
    if (!take(&n, sizeof n) || n > (bytes_.size() - at_) / sizeof(T)) {
      ok = false;
      return;
    }
    values.resize(n);
    take(values.data(), n * sizeof(T));
  }
  void get(double& x) {
    std::vector<double> one;
    get(one);
    if (one.size() == 1)
      x = one[0];
    else
      ok = false;
  }
  bool ok = true;

 private:
  bool take(void* data, std::size_t bytes);
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace legwork::reaching
