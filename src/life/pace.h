#pragma once
// How long the strides of a gait are at a speed.

namespace legwork {

// Strides in sqrt(g / hip height) at a speed in sqrt(g hip height): those of mammals of all sizes, whose
// stride is 2.4 v^0.68 hip heights long (Alexander, Jayes, J. Zool. 201 (1983), 135-152); with 2/3 for 0.68.
double strides_a_second(double speed);

// Hip heights over the ground that feet swing at least, at such a speed.
double swing_clearance(double speed);

// Share of its stance after which the heel of a foot with toes rises: people's do when the body has passed
// over them.
inline constexpr double lively_heel = 0.5;

}  // namespace legwork
