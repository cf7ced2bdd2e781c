#pragma once
// Bodies that nobody would build: needles, plates, legs of forty joints, rings, trees of every kind of joint;
// from a milligram to a hundred tonnes, with links a million times as heavy as others.

#include <cstdint>
#include <string>

namespace legwork {

// A creature file, all of it drawn from (seed, number); the kinds take turns.
std::string odd_body(std::uint64_t seed, int number);

}  // namespace legwork
