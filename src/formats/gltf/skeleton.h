#pragma once
// A creature as an animator's skeleton: one bone for each link, where the link turns, and above each body
// that travels a root bone on the ground, which carries the travel and the heading.

#include <string>
#include <vector>

#include <legwork/motion.h>
#include "dynamics/dynamics.h"

namespace legwork::gltf {

struct Bone {
  std::string name;
  int parent = -1;  // bone, or -1: the armature itself
  int link = -1;    // of a root bone: the link that travels
  Vec3d point;      // of the link, its frame
  bool root = false;
  bool turns = false;  // root bones: takes the heading; not where the body tumbles
  bool still = false;  // root bones: of a loop in place, which goes nowhere
};

struct Place {
  Vec3d pos;
  Mat3d rot = Mat3d::identity();
};

class Skeleton {
 public:
  Skeleton(const Motion& motion, const Model<double>& model);

  // Bone i is link i; root bones come after all of these.
  std::vector<Bone> bones;
  std::vector<int> moving;  // bones with degrees of freedom, and root bones

  // Where a bone is in a workspace with positions, world frame.
  Place place(const Workspace<double>& w, int bone) const;
  // The same in its parent bone's frame.
  Place local(const Workspace<double>& w, int bone) const;

  // The reference pose, which is the armature's rest: all positions of it.
  Workspace<double> rest;

 private:
  void add_root(const Motion& motion, const Model<double>& model, int link, bool several);
};

// How bones move over time, as glTF wants it.
struct Tracks {
  std::vector<float> times;                     // s from the first frame, strictly rising
  std::vector<std::vector<float>> translation;  // per moving bone: frames x 3
  std::vector<std::vector<float>> rotation;     // frames x 4, x y z w, neighbours in the same half-sphere
};

// Frames that no float can hold (a diverged motion's last ones) are left out, and those whose time as a float
// is not later than the frame's before.
Tracks make_tracks(const Motion& motion, const Model<double>& model, const Skeleton& skeleton, double rate);

}  // namespace legwork::gltf
