#include "formats/base64.h"

#include <bit>

namespace legwork {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(const void* data, std::size_t bytes) {
  const auto* in = static_cast<const unsigned char*>(data);
  std::string out((bytes + 2) / 3 * 4, '=');
  std::size_t at = 0;
  for (std::size_t i = 0; i < bytes; i += 3) {
    const std::size_t count = bytes - i < 3 ? bytes - i : 3;
    unsigned block = unsigned(in[i]) << 16;
    if (count > 1) block |= unsigned(in[i + 1]) << 8;
    if (count > 2) block |= in[i + 2];
    for (std::size_t k = 0; k <= count; ++k) out[at + k] = letters[block >> (18 - 6 * k) & 63];
    at += 4;
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  unsigned block = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = letters.find(c);
    if (value == letters.npos) return {};
    block = (block << 6 | unsigned(value)) & 0xffffff;
    bits += 6;
    if (bits >= 8) bytes += char(block >> (bits -= 8) & 255);
  }
  return bytes;
}

}  // namespace legwork
