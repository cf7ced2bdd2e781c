#include "formats/toml/creature_keys.h"

#include <algorithm>
#include <cassert>

namespace legwork {

// clang-format off
const std::vector<TomlKeys>& creature_keys() {
  static const std::vector<TomlKeys> all = {
    {"creature", "At the top of the file", {}, {
      {"name", "text", "default: the file's"},
      {"about", "text", "one line for lists"},
      {"angles", "\"rad\" or \"deg\"", "unit of every angle in this file; radians where absent. Stiffness and damping are always per radian"},
      {"base", "name or file", "the creature to build on: a `.toml`, MJCF `.xml` or `.urdf` file beside this one, or a shipped name"},
      {"mirror", "true", "write the right side, get the left"},
      {"scale", "1.2", "the whole creature. As a table `[scale]`: single links by name, and `all`"},
      {"trunk", "[link, ...] or { from, to }", "links from the fore to the hind girdle"},
      {"gravity", "9.81 or [x, y, z]", "downward, or a vector, m/s²"},
      {"character", "file", "the rigged `.glb` or `.gltf` whose bones the links are, by their names: motions are written as clips of it"},
      {"integrator", "\"implicit\", \"euler\", \"rk4\" or \"rkf45\"", "what suits the body; chosen where absent"},
      {"dt", "s", "time step that suits the body; chosen where absent"},
      {"step_time", "s", "how long a leg's step takes in `legwork walk`; chosen where absent"},
      {"world", "[world]", "where it lives; a verb's own options come first, and as a `[[body]]` of a world file it lives in that world"},
      {"discover", "[discover]", "what `legwork discover` should know"},
      {"link", "[[link]]", "a part of the body, with its joint and shapes"},
      {"leg", "[[leg]]", "which links make a leg"},
      {"label", "[[label]]", "a named point"},
      {"contact", "[[contact]]", "a point that touches the ground, beside those of the shapes"},
      {"pose", "[[pose]]", "a named configuration"},
      {"sensor", "[[sensor]]", "what a network may feel"},
      {"actuator", "[[actuator]]", "what a network may pull"},
      {"loop", "[[loop]]", "two points held together"},
      {"coupling", "[[coupling]]", "an equation between joints: a gear, a joint that mimics another"},
      {"tendon", "[[tendon]]", "a cord over joints or through points, with a spring, a damper or a limit"},
      {"apart", "[[link, link], ...]", "pairs of links that never touch each other"},
      {"attachment", "[[attachment]]", "a spring that breaks for good beyond a length"},
    }},
    {"habitat", "`[world]`, where the creature lives", {}, {
      {"terrain", "text", "as `--terrain`"},
      {"contact", "text", "as `--contact`"},
      {"water", "text", "as `--water`"},
      {"wind", "text", "as `--wind`"},
      {"body_contact", "false", "its parts push each other away, as with `--body-contact on`"},
    }},
    {"discover", "`[discover]`", {}, {
      {"hidden", "4", "nodes of the network between sensors and actuators; chosen where absent"},
      {"cycle", "s", "expected length of a cycle; chosen where absent"},
      {"seconds", "s", "length of an evaluation; chosen where absent"},
      {"metric", "text", "as `--metric`; chosen where absent"},
    }},
    {"link", "`[[link]]`", {}, {
      {"name", "text", "must be unique. Legs' links begin with their leg: `rf_thigh`"},
      {"parent", "link", "what it hangs on; without one it hangs on the world"},
      {"at", "[x, y, z] or { pos, rot }", "its frame in the parent's"},
      {"joint", "{ ... }", "how it moves on its parent. Without: a link without parent moves freely, any other is fixed"},
      {"joints", "[{ ... }, ...]", "several, in order from the parent outward"},
      {"shape", "{ ... }", "what it looks like, weighs and touches with"},
      {"shapes", "[{ ... }, ...]", "several"},
      {"density", "kg/m³", "density of shapes that do not give their own; 1000"},
      {"color", "\"#a08060\" or [r, g, b]", "colour of shapes that do not give their own; parts from 0 to 1"},
      {"touches", "false", "its shapes make no contact unless they say otherwise"},
      {"mass", "kg", "total mass; the shapes then only give its form"},
      {"com", "[x, y, z]", "with `mass`: its centre, in the link's frame"},
      {"inertia", "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz]", "with `mass`: about its centre, kg m²"},
      {"odd_inertia", "true", "the inertia is meant, although no solid has it (triangle inequality)"},
    }},
    {"place", "A place: `at`, `root`", {}, {
      {"pos", "[x, y, z]", "m; the origin where absent"},
      {"rot", "[x, y, z]", "three angles about the fixed axes x, y, z, in this order; four numbers are a quaternion"},
      {"quat", "[w, x, y, z]", "a quaternion in place of `rot`"},
    }},
    {"shape", "Shapes", {
      {"box", "[x, y, z]", "full edges; `[x, y]` between two ends"},
      {"sphere", "radius", ""},
      {"capsule", "[radius, length]", "length without the caps, along z; a radius between two ends"},
      {"cylinder", "[radius, length]", "along z; a radius between two ends"},
      {"ellipsoid", "[x, y, z]", "half axes; `[x, y]` between two ends"},
      {"mesh", "\"skull.obj\"", "OBJ, STL or GLB beside this file; a closed surface"},
      {"loft", "[[x, y, z, radius], [x, y, z, across, along], ...]", "a smooth surface over a row of sections"},
    }, {
      {"pos", "[x, y, z]", "its centre in the link's frame"},
      {"rot", "[x, y, z]", "angles about x, y, z"},
      {"quat", "[w, x, y, z]", "in place of `rot`"},
      {"along", "\"x\", \"y\" or \"z\"", "turns it there, in place of `rot`"},
      {"from", "[x, y, z]", "one end, in place of `pos` and `rot`; the origin where absent"},
      {"to", "[x, y, z]", "the other end"},
      {"scale", "0.001 or [x, y, z]", "scale of a mesh"},
      {"convex", "false", "hollows of a mesh count: other bodies touch its triangles; the ground touches its convex hull, as all do otherwise"},
      {"density", "kg/m³", "the link's where absent"},
      {"color", "\"#a08060\" or [r, g, b]", "the link's where absent"},
      {"massive", "false", "drawn but weightless"},
      {"touches", "false", "makes no contact"},
      {"wet", "false", "neither water nor wind acts on it"},
      {"kind", "1", "with body contact: shapes touch each other where one's `kind` and the other's `meets` share a bit (MuJoCo's contype and conaffinity)"},
      {"meets", "1", "see `kind`; the ground touches them all"},
    }},
    {"mesh", "A mesh inside the file, as Legwork writes it", {}, {
      {"file", "text", "what it was read from"},
      {"vertices", "base64", "three doubles each, little-endian"},
      {"triangles", "base64", "three 32-bit integers each"},
    }},
    {"joint", "Joints", {
      {"hinge", "[x, y, z], \"y\" or \"-y\"", "turns about an axis of the link's frame"},
      {"slide", "[x, y, z], \"z\" or \"-z\"", "slides along an axis"},
      {"ball", "true", "turns in any way"},
      {"universal", "[\"y\", \"x\"]", "two hinges, the first next to the parent"},
      {"planar", "\"xz\"", "two directions and the turn about x cross z; or a normal, or two directions"},
      {"free", "true", "moves in any way"},
      {"fixed", "true", "does not move"},
      {"keyframed", "[{ name, min, max }, ...]", "a coordinate from -1 to 1 for each path"},
    }, {
      {"name", "text", "default: the link's; `arm.1`, `arm.2` where it has several"},
      {"dofs", "[text, ...]", "names of the degrees of freedom. Default: the joint's name, with `.x .y .z` (ball), `.1 .2` (universal), `.1 .2 .3` (planar), `.tx .ty .tz .rx .ry .rz` (free), `.k1 .k2` or `.` and the path's name (keyframed)"},
      {"anchor", "[x, y, z]", "a point of the axis in the link's frame; default its origin"},
      {"range", "[lower, upper]", "or one such pair for each degree of freedom; `inf` is allowed. A ball's are the components of its rotation vector"},
      {"spring", "{ stiffness, rest }", "or `{ exponential, rest }`, or `false`"},
      {"damper", "N m s/rad or N s/m", ""},
      {"armature", "kg m² or kg", "added to the joint's own inertia"},
      {"friction", "N m or N", "dry friction: holds the joint still up to this torque or force, slows it by this when it moves"},
      {"limit", "{ stiffness, damping }", "spring and damper at the ends of the range; chosen from the mass moved where absent"},
      {"q_zero", "angle or m", "hinge and slide: the coordinate's value as the links stand in the file"},
      {"neutral", "{ rot, pos }", "keyframed: where all paths stand at 0"},
    }},
    {"spring", "`spring` of a joint", {}, {
      {"stiffness", "N m/rad or N/m", "a linear spring"},
      {"exponential", "[a, b]", "torque a (e^(b x) - 1)"},
      {"rest", "angle or m", "where it pulls to; 0"},
    }},
    {"limit", "`limit` of a joint", {}, {
      {"stiffness", "N m/rad or N/m", "0 = chosen"},
      {"damping", "N m s/rad or N s/m", "0 = chosen"},
    }},
    {"path", "A path of a keyframed joint", {}, {
      {"name", "text", "ends the name of its degree of freedom"},
      {"min", "{ rot, pos }", "where it is at -1: three angles about fixed axes and a translation"},
      {"max", "{ rot, pos }", "where it is at 1"},
    }},
    {"keyframe", "`min`, `max` and `neutral`", {}, {
      {"rot", "[x, y, z]", "angles about the fixed axes"},
      {"pos", "[x, y, z]", "m"},
    }},
    {"leg", "`[[leg]]`", {}, {
      {"name", "text", "l or r, then f, m or h, say side and girdle: `rf`, `lh_2`"},
      {"hip", "link", "the first link of the leg"},
      {"knee", "link", "the link below the knee; may be missing"},
      {"foot", "link", "the last link"},
      {"sole", "[x, y, z]", "what touches the ground, in the foot's frame; found where absent"},
      {"side", "\"left\", \"right\" or \"none\"", "where the name does not show it"},
      {"girdle", "\"fore\", \"mid\", \"hind\" or any other", "where the name does not show it"},
      {"step", "[{ joint, to, start, end }, ...]", "motor program of `walk` off the ground; chosen where absent"},
      {"stance", "[{ joint, to, start, end }, ...]", "motor program of `walk` on the ground; chosen where absent"},
    }},
    {"move", "A move of `step` and `stance`", {}, {
      {"joint", "degree of freedom", "whose spring it moves"},
      {"to", "angle or m", "where the spring's rest position goes"},
      {"start", "0 to 1", "share of the step; 0"},
      {"end", "0 to 1", "share of the step; 1"},
    }},
    {"trunk", "`trunk`", {}, {
      {"from", "link", "one end"},
      {"to", "link", "the other"},
    }},
    {"label", "`[[label]]`", {}, {
      {"name", "text", "methods look for some; see below"},
      {"link", "link", "where it is"},
      {"pos", "[x, y, z]", "in the link's frame"},
    }},
    {"contact", "`[[contact]]`, beside box corners, ball centres and capsule ends", {}, {
      {"name", "text", ""},
      {"link", "link", "where it is"},
      {"pos", "[x, y, z]", "in the link's frame"},
      {"radius", "m", "radius of a ball around it; 0"},
      {"foot", "true", "sticky ground holds it"},
    }},
    {"pose", "`[[pose]]`; what it does not name stands as in the file", {}, {
      {"name", "text", "`stand` is where every method starts"},
      {"root", "{ pos, rot }", "place of the link that moves freely"},
      {"joints", "{ rf_hip = 30, back = [10, 0, 5], shoulder.2 = -5 }", "joints or single degrees of freedom"},
      {"q", "[...]", "all coordinates in order, m and rad, as Legwork writes it"},
    }},
    {"sensor", "`[[sensor]]`; on or off", {
      {"touch", "link", "on while it touches the ground"},
      {"angle", "degree of freedom", "on while inside its range"},
      {"length", "[link, link]", "on while the distance between two points is inside the range"},
      {"eye", "link", "on while the bearing of the point to follow, from x towards y, is inside the range"},
      {"terrain", "link", "on while the ground ahead is higher by a length inside the range"},
    }, {
      {"name", "text", "default: after what it senses"},
      {"pos", "[x, y, z]", "a point of the link; `touch`: only the contact point nearest to it"},
      {"other_pos", "[x, y, z]", "`length`: the point of the second link"},
      {"range", "[lower, upper]", ""},
      {"above", "angle or m", "in place of `range`; 0 where nothing is said"},
      {"below", "angle or m", "in place of `range`"},
      {"cone", "angle", "`eye`: half its opening, in place of `range`; 45 degrees where nothing is said"},
      {"ahead", "m", "`terrain`: how far ahead it looks"},
    }},
    {"actuator", "`[[actuator]]`", {
      {"angular", "degree of freedom", "a spring whose rest position the network sets"},
      {"linear", "[link, link]", "the same between two points"},
      {"motor", "degree of freedom", "a torque or force"},
    }, {
      {"name", "text", "default: after what it moves"},
      {"pos", "[x, y, z]", "`linear`: the point of the first link"},
      {"other_pos", "[x, y, z]", "`linear`: the point of the second link"},
      {"ks", "N m/rad or N/m", "spring"},
      {"kd", "N m s/rad or N s/m", "damper"},
      {"range", "[lower, upper]", "range of the rest position, angle or m"},
      {"strength", "N m or N", "largest force or torque"},
      {"gear", "1", "`motor`: factor on the command"},
      {"tendon", "tendon", "acts along it, in place of the joint"},
      {"lag", "s", "time constant with which it follows its command; 0"},
    }},
    {"term", "A term of `terms` and `drivers`", {}, {
      {"joint", "degree of freedom", "of a hinge or a slide"},
      {"factor", "1", "of its position"},
    }},
    {"coupling", "`[[coupling]]`; radians and meters whatever `angles` says", {}, {
      {"name", "text", "default: numbered"},
      {"terms", "[{ joint, factor }, ...]", "the joints that follow"},
      {"zero", "0", "what the sum of the terms is counted from"},
      {"drivers", "[{ joint, factor }, ...]", "the joints that they follow; where absent the sum is held"},
      {"driver_zero", "0", "what the sum of the drivers is counted from"},
      {"polynomial", "[0, 1]", "sum of terms as a polynomial of the sum of drivers, from the constant up to the fourth power"},
    }},
    {"tendon", "`[[tendon]]`", {}, {
      {"name", "text", "default: numbered"},
      {"terms", "[{ joint, factor }, ...]", "its length is this sum"},
      {"points", "[{ link, pos }, ...]", "or the way through these points along straight lines"},
      {"range", "[lower, upper]", "of its length"},
      {"limit", "{ stiffness, damping }", "spring and damper at the ends of the range; chosen from the mass moved where absent"},
      {"stiffness", "N/m", "of a spring"},
      {"rest", "m or [lower, upper]", "lengths at which the spring does not pull"},
      {"damper", "N s/m", ""},
    }},
    {"point", "A point of a tendon", {}, {
      {"link", "link", "the world where absent"},
      {"pos", "[x, y, z]", "in the link's frame"},
      {"starts", "true", "no line leads here from the point before: a pulley lies between"},
      {"divisor", "1", "what a pulley divides the length of the line to here by"},
    }},
    {"loop", "`[[loop]]`", {}, {
      {"name", "text", "default: numbered"},
      {"link", "link", "one end"},
      {"pos", "[x, y, z]", "its point"},
      {"other", "link", "the other end; the world where absent"},
      {"other_pos", "[x, y, z]", "its point; where they meet as the links stand in the file, where absent"},
      {"frame", "true", "holds the orientation, too"},
      {"rot", "[x, y, z]", "with `frame`: orientation of the first end"},
      {"other_rot", "[x, y, z]", "with `frame`: orientation of the second end"},
    }},
    {"attachment", "`[[attachment]]`", {}, {
      {"name", "text", "default: numbered"},
      {"link", "link", "one end"},
      {"pos", "[x, y, z]", "its point"},
      {"other", "link", "the other end; the world where absent"},
      {"other_pos", "[x, y, z]", "its point; where they meet as the links stand in the file, where absent"},
      {"stiffness", "N/m", "stiffness; in N where there is a `sharpness`"},
      {"sharpness", "1/m", "makes it exponential"},
      {"damping", "N s/m", ""},
      {"rest", "m", "length at which it does not pull"},
      {"break_length", "m", "length beyond which it breaks for good"},
      {"restitution", "0 to 1", "share of its force that is left while it goes back to rest; 1 where absent"},
    }},
    {"world", "At the top of a world file", {}, {
      {"name", "text", "default: the file's"},
      {"about", "text", "one line for lists"},
      {"angles", "\"rad\" or \"deg\"", "unit of every angle in this file"},
      {"gravity", "9.81 or [x, y, z]", "downward, or a vector, m/s²"},
      {"terrain", "text", "as `--terrain`"},
      {"contact", "text or table", "as `--contact`, or a table of its fields"},
      {"friction", "0.6 or { forward, back, side, axis }", "short for those fields of `contact`"},
      {"water", "text or table", "as `--water`, or `{ density, coefficient, drag, vx, vy, vz, buoyancy, surface }`"},
      {"wind", "text or table", "as `--wind`, or a table as for `water`"},
      {"body_contact", "true", "bodies push each other away; default where there are several"},
      {"integrator", "text", "as for a creature"},
      {"dt", "s", "as for a creature"},
      {"body", "[[body]]", "a creature in this world"},
      {"loop", "[[loop]]", "between prefixed names"},
      {"attachment", "[[attachment]]", "between prefixed names"},
    }},
    {"body", "`[[body]]` of a world file", {}, {
      {"creature", "name or file", "a shipped name, or a file beside this one"},
      {"prefix", "text", "prefix of its links' names; default: the creature's name and `_`"},
      {"at", "[x, y, z]", "or a list of places: a copy at each"},
      {"turn", "angle", "angle about z"},
      {"fixed", "true", "its root does not move"},
    }},
    {"friction", "`friction` of a world file", {}, {
      {"forward", "0.3", "Coulomb's coefficient"},
      {"back", "0.8", "for sliding back"},
      {"side", "0.8", "for sliding sideways"},
      {"axis", "\"heading\" or \"link\"", "whose x axis is forward"},
    }},
  };
  return all;
}
// clang-format on

const TomlKeys& creature_keys(std::string_view table) {
  const auto found = std::find_if(creature_keys().begin(), creature_keys().end(),
                                  [&](const TomlKeys& keys) { return keys.table == table; });
  assert(found != creature_keys().end());
  return *found;
}

std::string reference_table(const TomlKeys& keys) {
  std::string text;
  const auto add = [&](const char* head, const std::vector<TomlKey>& rows) {
    if (rows.empty()) return;
    text += (text.empty() ? "| " : "\n| ") + std::string(head) + " | value | meaning |\n|---|---|---|\n";
    for (const TomlKey& key : rows)
      text += "| `" + std::string(key.name) + "` | `" + std::string(key.value) + "` | " +
              std::string(key.meaning) + " |\n";
  };
  add("kind", keys.kinds);
  add("key", keys.keys);
  return text;
}

}  // namespace legwork
