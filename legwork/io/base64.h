#pragma once
// Base64 of RFC 4648, with padding: binary data inside JSON and HTML.

#include <cstddef>
#include <string>
#include <vector>

namespace legwork {

std::string base64(const void* data, std::size_t bytes);

// The numbers as they lie in memory: little-endian on every machine we build for.
template <class T>
std::string base64(const std::vector<T>& values) {
  return base64(values.data(), values.size() * sizeof(T));
}

}  // namespace legwork
