#pragma once
// Base64 of RFC 4648, with padding: binary data inside JSON, HTML and TOML.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace legwork {

std::string base64(const void* data, std::size_t bytes);

// The numbers as they lie in memory: little-endian on every machine we build for.
template <class T>
std::string base64(const std::vector<T>& values) {
  return base64(values.data(), values.size() * sizeof(T));
}

// The bytes again; nothing where a character is not of base64. Padding may be missing.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace legwork
