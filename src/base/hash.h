#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace legwork {

// FNV-1a, 64 bits: the same everywhere. `so_far` continues a hash with more bytes.
inline std::uint64_t hash_of(std::string_view bytes,
                             std::uint64_t so_far = 14695981039346656037ull) noexcept {
  for (const char c : bytes) so_far = (so_far ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return so_far;
}

// As 16 digits.
inline std::string hex(std::uint64_t hash) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) text[size_t(i)] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace legwork
