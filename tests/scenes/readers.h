#pragma once
// Every reader of files from outside, with seeds to mutate, and every verb on the bodies of such files: what
// tests of damaged and hostile input share (tests/load/mutated_files_test.cpp, tests/fuzz).

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
// A creature file, read and handed to a method for a moment. Throws Error; std::logic_error for numbers in
// the motion that are not finite. What takes longer than seconds is stopped.
std::vector<Reader> all_verbs();

// A seed with a few changes: bytes flipped, removed, doubled, replaced by words of another seed or by numbers
// that break things; cut short. All of it drawn from (seed, number).
std::string mutated(const Reader& reader, std::uint64_t seed, int number);
// Any text with one to three such changes, drawn from `seed`.
std::string changed(const Reader& reader, std::string text, std::uint64_t seed);

}  // namespace legwork
