#pragma once
// One part of a search's work, for job arrays and idle desktops.

#include <cstdint>
#include <string>

namespace legwork {

// Part `number` of `count`, from 1; the whole where count is 1.
struct Shard {
  int number = 1, count = 1;

  bool whole() const { return count == 1; }
  bool has(std::uint64_t evaluation) const {
    return evaluation % std::uint64_t(count) + 1 == std::uint64_t(number);
  }
};

// "3/16"; empty: the whole. who: named in errors. Throws Error.
Shard parse_shard(const std::string& text, const std::string& who);

// Thrown when a shard has done its part of all that can be known without the others' parts.
struct ShardDone {
  std::uint64_t evaluations = 0;  // made by this call
  std::uint64_t missing = 0;      // that the other parts have to make first
};

}  // namespace legwork
