#pragma once
// BVH (Biovision hierarchy): motion for animation programs, out and in.
//
// Written files: Y up, the creature facing +Z, metres (BVH itself names no unit). Angles in degrees, channel
// order Zrotation Xrotation Yrotation: R = Rz Rx Ry, as most programs write it. All rotations zero is the
// creature in its reference pose, with world-aligned joints. Angles run on without jumps. One joint a link,
// at the point about which the link turns. The root has position channels; a link that moves sideways in its
// joint (slide, planar, keyframed) hangs from a joint NAME_at that carries the offset and has position
// channels and no offset itself, since programs disagree whether positions replace the offset or add to it.
// Several bodies hang from one root joint "world". End Sites are contact points, or the far ends of shapes.

#include <string>
#include <vector>

#include <legwork/files.h>
#include "math/vec.h"

namespace legwork {

enum class BvhChannel { x_position, y_position, z_position, x_rotation, y_rotation, z_rotation };

struct BvhJoint {
  std::string name;  // an End Site has its joint's name + "_end"
  int parent = -1;
  Vec3d offset;
  std::vector<BvhChannel> channels;  // in the order of the file
  int first_channel = 0;             // index among all channels of a frame
  bool end_site = false;
};

// Any BVH file: as in the file, in its units, axes and degrees. Parents come before children.
struct Bvh {
  std::vector<BvhJoint> joints;
  int frames = 0;
  double frame_time = 0;       // s
  int channels = 0;            // values a frame
  std::vector<double> values;  // frames x channels

  int joint(const std::string& name) const;  // index or -1
};

Bvh read_bvh(const std::string& path);

// Where the joints are at a frame, in Legwork's axes (Z up, X forward) and metres. Position channels replace
// the offset, as in Blender and MotionBuilder. R turns a joint's rest orientation to its present one.
struct BvhPose {
  std::vector<Vec3d> p;
  std::vector<Mat3d> R;
};
BvhPose pose_at(const Bvh& bvh, int frame, double unit = 1);

}  // namespace legwork
