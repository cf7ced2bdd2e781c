#pragma once
// The drawn bodies and the ground as something that rays can be shot at.

#include <memory>
#include <string>
#include <vector>

#include <legwork/creature.h>
#include "dynamics/model.h"
#include "ground/terrain.h"

namespace legwork {

struct RayHit {
  bool found = false;
  double distance = 0;
  Vec3d normal, color;
  int part = -1;    // -1 = the ground
  double fade = 0;  // 0 solid to 1 gone
};

// Throws Error where the program was built without Embree.
class RayScene {
 public:
  // A shape of a link, with the box that holds it in its own frame.
  struct Part {
    int link;
    Vec3d pos;
    Quatd rot;
    Vec3d low, high;
    Vec3d color;
  };

  explicit RayScene(const Creature& creature, int poses = 1);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  const std::vector<Part>& parts() const;

  // One pose alone, with the ground for `reach` around a point.
  void place(const Workspace<double>& w, const Terrain& terrain, const Vec3d& around, double reach);
  // Several: each moved and faded, then the ground.
  void add_pose(int pose, const Workspace<double>& w, const Vec3d& moved, double fade);
  void finish(const Terrain& terrain, const Vec3d& around, double reach);

  RayHit trace(const Vec3d& from, const Vec3d& direction) const;
  bool blocked(const Vec3d& from, const Vec3d& direction, double distance) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace legwork
