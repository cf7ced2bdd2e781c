#pragma once
// Numbers as glTF stores them (section 3.6.2 of the specification).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace legwork::gltf {

// Bytes of one number of a component type; 0 where there is no such type.
inline std::size_t component_bytes(std::uint64_t component) {
  return component == 5120 || component == 5121   ? 1
         : component == 5122 || component == 5123 ? 2
         : component == 5125 || component == 5126 ? 4
                                                  : 0;
}

// The number at a place; shares: normalised integers become shares of their range.
inline double component_number(const char* at, std::uint64_t component, bool shares) {
  const auto as = [&](auto value, double range) {
    std::memcpy(&value, at, sizeof value);
    return shares && range > 0 ? std::max(double(value) / range, -1.0) : double(value);
  };
  switch (component) {
    case 5120:
      return as(std::int8_t(), 127);
    case 5121:
      return as(std::uint8_t(), 255);
    case 5122:
      return as(std::int16_t(), 32767);
    case 5123:
      return as(std::uint16_t(), 65535);
    case 5125:
      return as(std::uint32_t(), 0);
    default:
      return as(float(), 0);
  }
}

}  // namespace legwork::gltf
