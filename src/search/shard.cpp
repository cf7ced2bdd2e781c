#include "search/shard.h"

#include <charconv>

#include <legwork/error.h>

namespace legwork {

Shard parse_shard(const std::string& text, const std::string& who) {
  if (text.empty()) return {};
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, shard.number);
  const bool divided = bad_number == std::errc() && slash != end && *slash == '/';
  const auto [rest, bad_count] = std::from_chars(divided ? slash + 1 : end, end, shard.count);
  if (!divided || bad_count != std::errc() || rest != end || shard.count < 1 || shard.number < 1 ||
      shard.number > shard.count)
    throw Error({}, who, "'" + text + "' is no part of a whole", "write 3/16 for the third of sixteen");
  return shard;
}

}  // namespace legwork
