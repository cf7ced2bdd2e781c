#include "render/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "formats/mesh/surface.h"

#ifdef LEGWORK_HAS_EMBREE

#include <embree3/rtcore.h>

namespace legwork {

namespace {

// Heights are drawn as a grid of triangles this fine; a plane or slope needs no more than two.
constexpr int fine_cells = 400;

RTCGeometry triangles(RTCDevice device, const std::vector<std::array<float, 3>>& points,
                      const std::vector<std::array<std::uint32_t, 3>>& corners) {
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  void* v = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, points.size());
  std::memcpy(v, points.data(), 12 * points.size());
  void* t = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, corners.size());
  std::memcpy(t, corners.data(), 12 * corners.size());
  return g;
}

Vec3d vec(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

}  // namespace

struct RayScene::Data {
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene world = rtcNewScene(device);
  std::vector<Part> parts;
  std::vector<Surface> surfaces;       // per part
  std::vector<RTCScene> scenes;        // per part
  std::vector<RTCGeometry> instances;  // poses x parts; geometry id = index
  std::vector<Mat3d> turn;             // per instance
  std::vector<double> fade;            // per pose
  RTCGeometry ground = nullptr;
  unsigned ground_id = RTC_INVALID_GEOMETRY_ID;

  ~Data() {
    for (RTCGeometry g : instances) rtcReleaseGeometry(g);
    for (RTCScene s : scenes) rtcReleaseScene(s);
    rtcReleaseScene(world);
    rtcReleaseDevice(device);
  }
};

RayScene::RayScene(const Creature& creature, int poses) : data_(new Data) {
  Data& d = *data_;
  for (size_t b = 0; b < creature.links.size(); ++b)
    for (const Shape& shape : creature.links[b].shapes) {
      Surface s = smooth_surface(shape);
      if (s.positions.empty()) continue;
      Part part{int(b),
                shape.pos,
                shape.rot,
                vec(s.positions[0]),
                vec(s.positions[0]),
                Vec3d{shape.color[0], shape.color[1], shape.color[2]}};
      for (const auto& p : s.positions)
        for (int i = 0; i < 3; ++i) {
          part.low[i] = std::min(part.low[i], double(p[i]));
          part.high[i] = std::max(part.high[i], double(p[i]));
        }
      RTCGeometry g = triangles(d.device, s.positions, s.triangles);
      rtcCommitGeometry(g);
      RTCScene scene = rtcNewScene(d.device);
      rtcAttachGeometry(scene, g);
      rtcReleaseGeometry(g);
      rtcCommitScene(scene);
      d.parts.push_back(part);
      d.surfaces.push_back(std::move(s));
      d.scenes.push_back(scene);
    }
  d.fade.assign(poses, 0.0);
  for (int pose = 0; pose < poses; ++pose)
    for (size_t k = 0; k < d.parts.size(); ++k) {
      RTCGeometry g = rtcNewGeometry(d.device, RTC_GEOMETRY_TYPE_INSTANCE);
      rtcSetGeometryInstancedScene(g, d.scenes[k]);
      rtcSetGeometryTimeStepCount(g, 1);
      rtcAttachGeometryByID(d.world, g, unsigned(d.instances.size()));
      d.instances.push_back(g);
      d.turn.push_back(Mat3d::identity());
    }
  d.ground_id = unsigned(d.instances.size());
}

RayScene::~RayScene() = default;

const std::vector<RayScene::Part>& RayScene::parts() const { return data_->parts; }

void RayScene::add_pose(int pose, const Workspace<double>& w, const Vec3d& moved, double fade) {
  Data& d = *data_;
  d.fade[pose] = fade;
  for (size_t k = 0; k < d.parts.size(); ++k) {
    const Part& part = d.parts[k];
    const size_t i = size_t(pose) * d.parts.size() + k;
    d.turn[i] = w.R[part.link] * matrix(part.rot);
    const Vec3d p = w.p[part.link] + w.R[part.link] * part.pos + moved;
    const Mat3d& R = d.turn[i];
    const float columns[12] = {float(R(0, 0)), float(R(1, 0)), float(R(2, 0)), float(R(0, 1)),
                               float(R(1, 1)), float(R(2, 1)), float(R(0, 2)), float(R(1, 2)),
                               float(R(2, 2)), float(p.x),     float(p.y),     float(p.z)};
    rtcSetGeometryTransform(d.instances[i], 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, columns);
    rtcCommitGeometry(d.instances[i]);
  }
}

void RayScene::finish(const Terrain& terrain, const Vec3d& around, double reach) {
  Data& d = *data_;
  if (d.ground) rtcDetachGeometry(d.world, d.ground_id);
  d.ground = nullptr;
  if (terrain.type != TerrainType::none) {
    // even cells near the middle, growing outward, so that the field is fine where the camera looks
    const bool flat = terrain.type == TerrainType::plane || terrain.type == TerrainType::slope;
    const int cells = flat ? 2 : fine_cells;
    std::vector<std::array<float, 3>> points;
    std::vector<std::array<std::uint32_t, 3>> corners;
    auto coordinate = [&](int i) {
      const double u = 2.0 * i / cells - 1;
      return flat ? u * reach : reach * (0.12 * u + 0.88 * u * u * u);
    };
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        const double x = around.x + coordinate(i), y = around.y + coordinate(j);
        points.push_back({float(x), float(y), float(sample(terrain, x, y).height)});
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const auto a = std::uint32_t(j * (cells + 1) + i), b = a + 1, c = a + std::uint32_t(cells) + 1,
                   e = c + 1;
        corners.push_back({a, b, e});
        corners.push_back({a, e, c});
      }
    d.ground = triangles(d.device, points, corners);
    rtcCommitGeometry(d.ground);
    rtcAttachGeometryByID(d.world, d.ground, d.ground_id);
    rtcReleaseGeometry(d.ground);
  }
  rtcCommitScene(d.world);
}

void RayScene::place(const Workspace<double>& w, const Terrain& terrain, const Vec3d& around, double reach) {
  add_pose(0, w, Vec3d(), 0);
  finish(terrain, around, reach);
}

RayHit RayScene::trace(const Vec3d& from, const Vec3d& direction) const {
  const Data& d = *data_;
  RTCRayHit ray{};
  ray.ray.org_x = float(from.x), ray.ray.org_y = float(from.y), ray.ray.org_z = float(from.z);
  ray.ray.dir_x = float(direction.x), ray.ray.dir_y = float(direction.y), ray.ray.dir_z = float(direction.z);
  ray.ray.tnear = 0;
  ray.ray.tfar = 1e30f;
  ray.ray.mask = ~0u;
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(d.world, &context, &ray);
  RayHit hit;
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
  hit.found = true;
  hit.distance = ray.ray.tfar;
  if (ray.hit.instID[0] == RTC_INVALID_GEOMETRY_ID) {
    hit.normal = normalized(Vec3d{ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z});
    return hit;
  }
  const size_t instance = ray.hit.instID[0], k = instance % d.parts.size();
  const Surface& s = d.surfaces[k];
  const auto& corner = s.triangles[ray.hit.primID];
  const double u = ray.hit.u, v = ray.hit.v;
  const Vec3d n =
      vec(s.normals[corner[0]]) * (1 - u - v) + vec(s.normals[corner[1]]) * u + vec(s.normals[corner[2]]) * v;
  hit.normal = d.turn[instance] * normalized(n);
  hit.color = d.parts[k].color;
  hit.part = int(k);
  hit.fade = d.fade[instance / d.parts.size()];
  return hit;
}

bool RayScene::blocked(const Vec3d& from, const Vec3d& direction, double distance) const {
  RTCRay ray{};
  ray.org_x = float(from.x), ray.org_y = float(from.y), ray.org_z = float(from.z);
  ray.dir_x = float(direction.x), ray.dir_y = float(direction.y), ray.dir_z = float(direction.z);
  ray.tfar = float(std::min(distance, 1e30));
  ray.mask = ~0u;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(data_->world, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace legwork

#else

namespace legwork {

struct RayScene::Data {
  std::vector<Part> parts;
};
RayScene::RayScene(const Creature&, int) {
  throw Error({}, "pictures", "this program was built without Embree",
              "install libembree-dev and build again");
}
RayScene::~RayScene() = default;
const std::vector<RayScene::Part>& RayScene::parts() const { return data_->parts; }
void RayScene::place(const Workspace<double>&, const Terrain&, const Vec3d&, double) {}
void RayScene::add_pose(int, const Workspace<double>&, const Vec3d&, double) {}
void RayScene::finish(const Terrain&, const Vec3d&, double) {}
RayHit RayScene::trace(const Vec3d&, const Vec3d&) const { return {}; }
bool RayScene::blocked(const Vec3d&, const Vec3d&, double) const { return false; }

}  // namespace legwork

#endif
