#pragma once
// Bodies that nobody tuned: trunk, legs and joints drawn at random, for the walkers' benchmark and its tests.
//
// generated_body(seed, index) is a pure function: number `index` of a seed is the same body, bit for bit, on
// every machine. Its pose "stand" has every sole on the plane z = 0; nothing is said of how it walks: no
// springs, motor programs or actuators in the legs.
//
// Lengths are in hip heights h (the mean height of the hips over the soles in "stand"), angles in radians;
// all lengths scale with h and all masses with its cube. U(a, b) is uniform, p a probability.
//
//   | what                    | drawn from |
//   |-------------------------|------------------------------------------------------------------------------|
//   | h                       | 2 cm to 3 m, uniform in its logarithm | | legs                    | p 3/4: 2
//   to 6; p 1/4: 7 to 12; each count of either group alike              | | posture                 |
//   sprawled with p 0 (2 legs), 0.35 (3), 0.5 (4 and more), else erect           | | an odd leg | in the
//   middle, at the front or the back; from 5 legs on with p 0.4 a pair    | |                         | that
//   lacks one leg instead                                                   | | trunk, erect            |
//   length U(0.8, 1.8), at least 0.5 between pairs; width U(0.3, 0.7); height    | | | U(0.2, 0.5) | | trunk,
//   sprawled         | length U(1.2, 3), at least 0.7 between pairs; width U(0.5, 1.2); height      | | |
//   U(0.3, 0.7)                                                                  | | trunk, biped | p 0.6
//   upright: depth U(0.18, 0.3), width U(0.3, 0.45), height U(0.5, 0.85);  | |                         | else
//   level: length U(0.7, 1.2), width and height U(0.25, 0.4)                | | trunk, all              | box
//   or capsule; density U(600, 1100) kg/m^3; with p 0.3 its centre of mass   | |                         | is
//   off by up to 0.1 of each edge                                             | | leg mass                | 2
//   % to 40 % of the body, uniform in its logarithm; towards the foot each     | |                         |
//   segment's mass a length is U(0.35, 0.8) of the one before                    | | hip | 2 axes (universal,
//   two hinges of a link, or with a coxa between), a ball,    | |                         | or 3 hinges; p
//   0.2 each                                                      | | knee                    | one hinge;
//   forward or back (erect), the same for all girdles or not          | | ankle                   | none; one
//   hinge with a third segment, p 0.3; pitch and roll under flat feet  | | thigh, erect            | off the
//   vertical by U(0.05, 0.15) p 0.3, U(0.2, 0.5) p 0.4, U(0.5, 0.85) p   | |                         | 0.3;
//   U(0.4, 0.6) of a two-segment leg; sole ahead of the hip by U(-0.1, 0.1) | | femur, sprawled         |
//   U(1.3, 2.2) from straight down, tibia U(-0.15, 0.4); U(0.3, 0.45) of the leg | | feet | flat with p 0.85
//   (2 legs) or 0.15, else points: the end of the shank or a    | |                         | ball of U(0.02,
//   0.05)                                                        | | flat feet               | length U(0.22,
//   0.34) (2 legs) or U(0.12, 0.2), width U(0.35, 0.55) of that   | | lopsided bodies         | p 0.25: each
//   hip's place and height differ by up to 10 % from its twin's     | | neck with head, tail    | p 0.4 each:
//   1 to 3 links on ball joints with springs and dampers             | | dampers of leg joints   | p 0.5:
//   U(0.0005, 0.003) weight h sqrt(h/g)                                   | | armature of leg joints  | p
//   0.5: U(0.003, 0.03) leg mass h^2                                           | | ranges, to either side  |
//   abduction U(0.5, 0.9), yaw U(0.6, 1), flexion U(1, 1.4), ankle U(0.6, 1),    | | | its roll U(0.3, 0.6);
//   knee from straight to 2.6                              |
//
// A draw is thrown away, and the next numbers of the same stream make another, where the body could not
// stand: its centre of mass less than 0.05 h inside the feet (bipeds: a fifth of the foot's length, on points
// no condition, for their hips are placed under the centre of mass), two soles closer than 0.12 h, or
// anything but the feet lower than 0.08 h.

#include <cstdint>

#include <legwork/creature.h>

namespace legwork {

// Completed and checked. index >= 0.
Creature generated_body(std::uint64_t seed, int index);

}  // namespace legwork
