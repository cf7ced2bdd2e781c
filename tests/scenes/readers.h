#pragma once
// Every reader of files from outside, with seeds to mutate: what tests of damaged and hostile input share.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace legwork {

struct Reader {
  std::string name;
  std::vector<std::string> seeds;                // whole files that it reads
  std::function<void(const std::string&)> read;  // bytes; ends, or throws Error
};

// Readers of files write what they are given to `folder`.
std::vector<Reader> all_readers(const std::string& folder);

// A seed with a few changes: bytes flipped, removed, doubled, replaced by words of another seed or by numbers
// that break things; cut short. All of it drawn from (seed, number).
std::string mutated(const Reader& reader, std::uint64_t seed, int number);

}  // namespace legwork
