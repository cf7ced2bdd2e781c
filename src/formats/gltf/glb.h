#pragma once
// A motion as .glb: a valid glTF 2.0 animation that any viewer, Blender or game engine opens, and that
// Legwork reads back bit for bit.
//
// What a viewer sees. Y up, metres, the creature facing +Z as glTF asks. Node 0, the armature, turns
// Legwork's axes (Z up, X forward) into glTF's. Node i + 1 is the bone of link i, where the link turns; a
// root bone above each body that travels carries its way over the ground and its heading (skeleton.h). One
// skinned mesh follows them, at rest in the reference pose. One animation moves the bones; its frames are at
// `rate`.
//
// What Legwork reads. extras.legwork of the glTF's root object:
//   format          1
//   creature        the body as TOML text
//   made            {verb, creature, version, options, seed}; options is the scenario as TOML text
//   given           the body that the method was given, as TOML text; not listed where it is `creature`
//   terrain         its fields; the heights of a field in `grid` {nx, ny, x0, y0, cell, bufferView,
//                   offset}, but not where `spec` alone makes them again
//   gravity         m/s^2
//   status, status_text, status_time (s)
//   frames          number of recorded frames
//   arrays          name -> {bufferView, offset, width, unit}: frames x width doubles, little-endian, row by
//                   row, at byte `offset` of the binary chunk (a multiple of 8). time, q, v, tau and
//                   contact_force; one without values is not listed
//   channels        the named extra quantities, each {name, unit, width, bufferView, offset}
//   account         what the method has to say and show, as JSON (legwork/account.h); not listed where
//                   there is nothing
// A number that is not finite is the text "nan", "inf" or "-inf".

#include <string>

#include <legwork/files.h>

namespace legwork {

inline constexpr int glb_format = 1;

// account: filled with what the file carries for pages that show the motion.
Motion read_glb(const std::string& path, Account* account = nullptr);
// Whether a .glb or .gltf carries a motion of Legwork.
bool is_motion(const std::string& path);
// The body that the motion was made from: what a rerun begins with.
Creature read_given(const std::string& path);

}  // namespace legwork
