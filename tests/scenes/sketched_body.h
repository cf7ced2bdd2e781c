#pragma once
// Bodies as someone at home would sketch them in a creature file: text first, numbers of three digits, styles
// mixed. A second population for the walkers' benchmark, made independently of generated_body.h, so that a
// controller is not judged by the bodies it grew up with.
//
// sketched_body(seed, index) is a pure function. Its reference pose is how it stands: soles on z = 0 to
// within what three digits give, all joints at 0. No motor programs, no actuators.
//
// Lengths are in h, the mean height of the hips in the sketch; U(a, b) is uniform, p a probability.
//
//   what               drawn from
//   h                  2 cm to 3 m, uniform in its logarithm
//   legs               2 with p 0.2, 3 0.1, 4 0.25, 5 0.1, 6 0.15, 7 to 12 0.2 (each alike)
//   plan, 2 legs       upright with p 0.6: a torso of 1 to 3 links, p 0.7 with two arms; else level, with
//   tail
//                      and neck; hips under the centre of mass
//   plan, 3 and more   round with p 0.2: a disc of radius U(0.3, 0.6), legs all around it; else a row of 1 to
//                      4 trunk links, U(0.45, 0.75) long for every pair (sprawled: 0.6 more), U(0.25, 0.6)
//                      wide, U(0.15, 0.4) high, the root at its front or its back; the legs of a pair with p
//                      0.1 shifted along the trunk; an odd leg in the middle, in front or behind
//   trunk              boxes, capsules or ellipsoids of 400 to 1100 kg/m^3; joints between its links: balls
//                      or hinges with springs; a battery of up to a fifth of its mass on one side with p 0.25
//   legs               erect or sprawled (p 0.5 each; 2 legs: erect), 2 to 4 segments of U(0.6, 1.4) shares
//   in
//                      a zigzag of U(8, 40) degrees from the line of hip and sole, either way first, all
//                      girdles alike or not (p 0.5); sprawled: femur 70 to 125 degrees from straight down,
//                      tibia -10 to 25, more segments within 20 of it
//   sole               U(-0.08, 0.08) ahead of the hip; legs lean outward by up to 12 degrees with p 0.3
//   hip                hinges x y, y x, z x y or x and y of two links, or y and x of two links; universal;
//                      ball. Sprawled: z in place of x. With p 0.1 knee axes lie askew by up to 10 degrees.
//                      From six sprawled legs on with p 0.1 hips of two hinges and no further joint
//   feet               2 legs: soles with p 0.8; erect: 0.2. Soles: boxes U(0.15, 0.35) long, or boxes on
//   three balls,
//                      on ankles of pitch or pitch and roll. Else points, balls of U(0.02, 0.06), or hoofs:
//                      upright cylinders of U(0.02, 0.05) fixed to the last segment
//   leg mass           capsules of 0.03 to 0.08, each U(0.6, 0.95) as thick as the one above, 700 to 1200
//                      kg/m^3
//   ranges             tight with p 0.4: abduction and yaw +-U(18, 28), flexion +-U(28, 40) degrees; else
//                      abduction and yaw +-U(35, 70), flexion +-U(60, 110); knees not beyond straight
//   springs, dampers   of leg joints: with p 0.25 U(0.02, 0.15) weight h a radian; with p 0.5 U(0.0003,
//   0.003)
//                      weight h sqrt(h/g)
//   lopsided           p 0.2: the place and height of every hip off by up to 0.08
//   neck, tail         p 0.5 each: 1 to 4 links with springs
//
// A sketch is thrown away where it does not stand: the centre of mass less than 0.04 inside the feet (2 legs:
// outside; points: no condition), two soles closer than 0.1, a sole off the ground by more than 0.01, or
// anything but a foot lower than 0.06.

#include <cstdint>
#include <string>

#include <legwork/creature.h>

namespace legwork {

// Completed and checked. index >= 0.
Creature sketched_body(std::uint64_t seed, int index);

// The text of its creature file.
std::string sketched_text(std::uint64_t seed, int index);

}  // namespace legwork
