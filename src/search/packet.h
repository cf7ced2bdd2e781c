#pragma once
// Texts as one run of bytes, for messages between processes.

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace legwork {

// Each text after its length, 8 bytes.
inline std::string pack(const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) {
    const std::uint64_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes += text;
  }
  return bytes;
}

// None where the bytes are no packet.
inline std::optional<std::vector<std::string>> unpack(const std::string& bytes) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < bytes.size();) {
    std::uint64_t size = 0;
    if (bytes.size() - at < sizeof size) return {};
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    if (bytes.size() - at < size) return {};
    texts.push_back(bytes.substr(at, size));
    at += size;
  }
  return texts;
}

}  // namespace legwork
