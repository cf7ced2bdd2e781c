// Pictures of a motion, ray-traced with Embree; no display or GPU needed.
//
// A key light with a soft shadow, light from the sky, a ground with a grid whose cells are a round length,
// and a camera that follows the creature. Same bits for every number of threads.

#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <legwork/report.h>
#include "base/meter.h"
#include "base/parallel.h"
#include "base/text.h"
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/frames.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "motion/check_motion.h"
#include "motion/resample.h"
#include "motion/stride.h"
#include "render/ray_scene.h"

namespace legwork {

namespace {

struct Camera {
  Vec3d eye, forward, right, up;
  double half_width, half_height;  // half the size of the picture plane at distance 1
};

Camera look(const Vec3d& target, const Vec3d& from, double view_angle, const RenderOptions& o) {
  Camera c;
  c.eye = from;
  c.forward = normalized(target - from);
  c.right = normalized(cross(c.forward, Vec3d{0, 0, 1}));
  c.up = cross(c.right, c.forward);
  c.half_width = std::tan(view_angle / 2);
  c.half_height = c.half_width * o.height / o.width;
  return c;
}

// Poses of a motion at chosen times.
class Poses {
 public:
  explicit Poses(const Motion& motion)
      : motion_(motion),
        model_(make_model(motion.creature)),
        w_(model_),
        sampler_(model_, motion),
        q_(model_.nq) {}

  const Workspace<double>& at(double time) {
    sampler_.at(time);
    sampler_.positions(q_.data());
    update_positions(model_, q_.data(), w_);
    return w_;
  }
  Vec3d center() const { return center_of_mass(model_, w_); }
  const Motion& motion() const { return motion_; }

 private:
  const Motion& motion_;
  Model<double> model_;
  Workspace<double> w_;
  Sampler sampler_;
  std::vector<double> q_;
};

// Smallest box around the drawn bodies of a pose.
struct Bounds {
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

  void add(const Vec3d& p) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
  Vec3d center() const { return (low + high) * 0.5; }
  double size() const { return norm(high - low); }
};

// Farther away, the single precision of the rays cannot tell the parts of any body apart.
constexpr double farthest = 1e12;  // m

Bounds bounds_of(const RayScene& scene, const Workspace<double>& w) {
  Bounds b;
  for (const RayScene::Part& part : scene.parts())
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d p{corner & 1 ? part.high.x : part.low.x, corner & 2 ? part.high.y : part.low.y,
                    corner & 4 ? part.high.z : part.low.z};
      b.add(point_position(w, part.link, part.pos + matrix(part.rot) * p));
    }
  const double reach = std::max(norm(b.low), norm(b.high));
  if (!scene.parts().empty() && !(reach < farthest))
    throw Error("the body is " + brief(reach) + " m away from the origin, too far to be drawn",
                "draw a motion that stays near it");
  return b;
}

// 1, 2 or 5 times a power of ten.
double round_length(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  const double m = x / power;
  return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * power;
}

// Points of a low-discrepancy sequence (Halton) in the unit square, the same for every pixel but turned by a
// hash.
double halton(int index, int base) {
  double result = 0, share = 1;
  for (; index > 0; index /= base) {
    share /= base;
    result += share * (index % base);
  }
  return result;
}
double hashed(unsigned x, unsigned y, unsigned k) {
  unsigned h = x * 0x9E3779B1u ^ (y + 0x7F4A7C15u) * 0x85EBCA77u ^ (k + 1) * 0xC2B2AE3Du;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return double(h ^ (h >> 15)) / 4294967296.0;
}

// Any two axes across a direction.
void across(const Vec3d& n, Vec3d& a, Vec3d& b) {
  a = normalized(cross(std::abs(n.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0}, n));
  b = cross(n, a);
}

Vec3d sky(const Vec3d& direction) {
  const double t = std::clamp(0.5 + 0.5 * direction.z, 0.0, 1.0);
  return Vec3d{0.95, 0.95, 0.94} * (1 - t) + Vec3d{0.80, 0.87, 0.95} * t;
}

struct Light {
  Vec3d toward = normalized(Vec3d{0.35, -0.45, 0.85});
  double softness = 0.05;  // half angle, rad
};

// Thin lines every `cell`, stronger ones every fifth, as coverage of a pixel that sees `width` metres.
double grid_line(double x, double cell, double width) {
  const double d = std::abs(x / cell - std::round(x / cell)) * cell;
  return std::clamp((0.006 * cell + width - d) / width, 0.0, 1.0);
}

Vec3d ground_color(const Vec3d& p, double cell, double distance, double pixel) {
  const double width = std::max(pixel * distance, 1e-9);
  const double thin = std::max(grid_line(p.x, cell, width), grid_line(p.y, cell, width));
  const double thick = std::max(grid_line(p.x, 5 * cell, width), grid_line(p.y, 5 * cell, width));
  const double fade = std::exp(-distance / (60 * cell));
  return Vec3d{0.80, 0.795, 0.78} * (1 - fade * (0.16 * thin + 0.24 * thick));
}

// The path of the point that the creature follows, if it does: dots on the ground, m.
struct Chase {
  std::vector<Vec3d> dots;
  double radius = 0;

  explicit Chase(const Motion& motion, double size) : radius(0.03 * size) {
    constexpr int most = 60;
    const Channel* follow = motion.channel("follow");
    if (!follow || follow->width != 3) return;
    for (int k = 0; k <= most; ++k) {
      const size_t f = size_t(k) * size_t(motion.frames() - 1) / most;
      dots.push_back({follow->values[3 * f], follow->values[3 * f + 1], 0});
    }
  }
  // The last one is where the point is.
  bool covers(const Vec3d& p) const {
    for (size_t k = 0; k < dots.size(); ++k) {
      const double r = k + 1 == dots.size() ? 2 * radius : radius, dx = p.x - dots[k].x, dy = p.y - dots[k].y;
      if (dx * dx + dy * dy < r * r) return true;
    }
    return false;
  }
};

struct Shader {
  const RayScene& scene;
  const Chase& chase;
  double cell, pixel, reach;
  Light light;

  Vec3d color(const Vec3d& eye, const Vec3d& direction, double u1, double u2, double u3, double u4) const {
    const RayHit hit = scene.trace(eye, direction);
    if (!hit.found) return sky(direction);
    const Vec3d p = eye + direction * hit.distance;
    Vec3d n = hit.normal;
    if (dot(n, direction) > 0) n = -n;
    const Vec3d albedo = hit.part >= 0     ? hit.color
                         : chase.covers(p) ? Vec3d{0.75, 0.10, 0.08}
                                           : ground_color(p, cell, hit.distance, pixel);
    const Vec3d start = p + n * (1e-4 * reach);
    // one ray to the lamp, somewhere on its disc
    Vec3d a, b;
    across(light.toward, a, b);
    const double r = light.softness * std::sqrt(u1), turn = 2 * pi * u2;
    const Vec3d lamp = normalized(light.toward + a * (r * std::cos(turn)) + b * (r * std::sin(turn)));
    const double facing = std::max(0.0, dot(n, lamp));
    const double key = facing > 0 && !scene.blocked(start, lamp, 1e30) ? facing : 0;
    // one ray to the sky, by the cosine of its angle to the surface
    across(n, a, b);
    const double s = std::sqrt(u3), phi = 2 * pi * u4;
    const Vec3d up = normalized(a * (s * std::cos(phi)) + b * (s * std::sin(phi)) + n * std::sqrt(1 - u3));
    const double open = scene.blocked(start, up, 1.5 * reach) ? 0.15 : 1;
    Vec3d out = albedo * (0.78 * key + 0.42 * open);
    if (hit.part >= 0) {
      const Vec3d mirror = direction - n * (2 * dot(n, direction));
      const double shine = std::pow(std::max(0.0, dot(mirror, light.toward)), 40.0) * (key > 0 ? 0.18 : 0);
      out += Vec3d{shine, shine, shine};
    } else {
      // the ground ends in the haze of the horizon
      const double haze = 1 - std::exp(-std::pow(hit.distance / (30 * reach), 2.0));
      out = out * (1 - haze) + sky({direction.x, direction.y, 0}) * haze;
    }
    if (hit.fade > 0) {
      const Vec3d behind = Vec3d{0.86, 0.86, 0.85};
      out = out * (1 - hit.fade) + behind * hit.fade;
    }
    return out;
  }
};

unsigned char to_byte(double linear) {
  // a gentle shoulder keeps bright parts from clipping, then the display's gamma
  const double x = linear < 0.8 ? linear : 0.8 + 0.2 * std::tanh((linear - 0.8) / 0.2);
  return (unsigned char)(255 * std::pow(std::clamp(x, 0.0, 1.0), 1 / 1.15) + 0.5);
}

Picture shoot(const RayScene& scene, const Chase& chase, const Camera& camera, double reach,
              const RenderOptions& o) {
  Picture picture{o.width, o.height, std::vector<unsigned char>(size_t(3) * o.width * o.height)};
  const Shader shader{scene, chase, round_length(reach / 6), 2 * camera.half_width / o.width, reach, {}};
  static constexpr int bases[6] = {2, 3, 5, 7, 11, 13};
  std::vector<std::array<double, 6>> points(size_t(o.samples));
  for (int k = 0; k < o.samples; ++k)
    for (int i = 0; i < 6; ++i) points[size_t(k)][size_t(i)] = halton(k + 1, bases[i]);
  Run run;
  run.threads = o.threads, run.stop = o.stop;
  const Workers workers(run);
  parallel_for(o.height, workers, [&](int y, int) {
    for (int x = 0; x < o.width; ++x) {
      if (x % 64 == 0) workers.stop_if_asked();
      Vec3d sum;
      const double turn[6] = {hashed(x, y, 0), hashed(x, y, 1), hashed(x, y, 2),
                              hashed(x, y, 3), hashed(x, y, 4), hashed(x, y, 5)};
      for (const std::array<double, 6>& point : points) {
        double u[6];
        for (int i = 0; i < 6; ++i) {
          u[i] = point[size_t(i)] + turn[i];
          if (u[i] >= 1) u[i] -= 1;
        }
        const double sx = (2 * (x + u[0]) / o.width - 1) * camera.half_width;
        const double sy = (1 - 2 * (y + u[1]) / o.height) * camera.half_height;
        const Vec3d direction = normalized(camera.forward + camera.right * sx + camera.up * sy);
        sum += shader.color(camera.eye, direction, u[2], u[3], u[4], u[5]);
      }
      sum = sum * (1.0 / o.samples);
      unsigned char* out = &picture.rgb[3 * (size_t(y) * o.width + x)];
      for (int i = 0; i < 3; ++i) out[i] = to_byte(sum[i]);
    }
  });
  return picture;
}

// Level direction in which the creature goes, or faces where it stays.
double heading(Poses& poses) {
  const Motion& m = poses.motion();
  poses.at(m.time.front());
  const Vec3d start = poses.center();
  const Workspace<double>& w = poses.at(m.time.back());
  const Vec3d way = poses.center() - start;
  if (std::hypot(way.x, way.y) > 0.05) return std::atan2(way.y, way.x);
  const Vec3d face = w.R[0].column(0);
  return std::atan2(face.y, face.x);
}

constexpr double view_angle = 0.6;

// The camera stands off so that a box of this size fills the picture, in direction azimuth and elevation.
Camera stand_off(const Vec3d& target, double wide, double tall, double facing, const RenderOptions& o) {
  const double half = std::tan(view_angle / 2);
  const double distance =
      0.5 * std::max(wide, tall * o.width / o.height) / half / std::max(o.zoom, 1e-3) + 0.2 * wide;
  const double angle = facing + o.azimuth;
  const Vec3d direction{std::cos(angle) * std::cos(o.elevation), std::sin(angle) * std::cos(o.elevation),
                        std::sin(o.elevation)};
  const Vec3d eye = target + direction * distance;
  if (!(norm(eye) < farthest))  // nan as well
    throw Error({}, "picture", "the camera is nowhere that can be drawn from",
                "give it other angles or another zoom");
  return look(target, eye, view_angle, o);
}

void check_picture(const Motion& motion, const RenderOptions& o) {
  if (motion.frames() == 0)
    throw Error({}, "motion of '" + motion.creature.name + "'", "has no frames", "there is nothing to draw");
  if (o.width < 1 || o.height < 1 || o.width > 16384 || o.height > 16384)
    throw Error({}, "picture size " + std::to_string(o.width) + "x" + std::to_string(o.height),
                "must be between 1 and 16384 a side");
  if (o.samples < 1) throw Error({}, "samples", "must be at least 1");
  check_motion(motion);
  for (size_t i = 0; i < motion.q.size(); ++i)
    if (!std::isfinite(motion.q[i]))
      throw Error(
          {}, "motion of '" + motion.creature.name + "'",
          "has a frame that is not finite, at " + brief(motion.time[i / size_t(motion.creature.nq())]) + " s",
          "draw a motion that has not diverged");
}

// The largest extent of the creature over the motion along each axis, from a few poses.
Vec3d largest_extent(Poses& poses, const RayScene& scene) {
  const Motion& m = poses.motion();
  Vec3d extent;
  for (int k = 0; k <= 8; ++k) {
    const Bounds b = bounds_of(scene, poses.at(m.time.front() + m.duration() * k / 8));
    for (int axis = 0; axis < 3; ++axis) extent[axis] = std::max(extent[axis], b.high[axis] - b.low[axis]);
  }
  return extent;
}

Stride one_stride(const Motion& motion) {
  const std::string who = "motion of '" + motion.creature.name + "'";
  if (motion.creature.legs.empty())
    throw Error({}, who, "has no strides: its body has no legs", "show the whole motion");
  if (const std::optional<Stride> stride = middle_stride(measure_gait(motion))) return *stride;
  throw Error({}, who, "has no whole stride", "show the whole motion, or make a longer one");
}

Picture frame_picture(Poses& poses, RayScene& scene, double time, const Vec3d& extent, double facing,
                      const RenderOptions& o) {
  const Workspace<double>& w = poses.at(time);
  const double size = norm(extent), level = std::hypot(extent.x, extent.y);
  const double tall = 1.15 * (extent.z * std::cos(o.elevation) + level * std::abs(std::sin(o.elevation)));
  const Vec3d center = bounds_of(scene, w).center();
  scene.place(w, poses.motion().terrain, center, 40 * size);
  Vec3d target = center;
  double wide = 1.05 * level;
  if (!o.follow) {
    Bounds way;
    for (int k = 0; k <= 32; ++k)
      way.add(bounds_of(scene, poses.at(poses.motion().time.front() + poses.motion().duration() * k / 32))
                  .center());
    target = way.center();
    wide += way.size();
    scene.place(poses.at(time), poses.motion().terrain, target, 40 * wide);
  }
  return shoot(scene, Chase(poses.motion(), size), stand_off(target, wide, tall, facing, o), size, o);
}

}  // namespace

Picture render_frame(const Motion& motion, double time, const RenderOptions& options) {
  check_picture(motion, options);
  Poses poses(motion);
  RayScene scene(motion.creature);
  const double facing = heading(poses);
  return frame_picture(poses, scene, time, largest_extent(poses, scene), facing, options);
}

Picture render_strip(const Motion& motion, int count, const RenderOptions& options) {
  check_picture(motion, options);
  if (count < 1 || count > 200)
    throw Error({}, "strip of " + std::to_string(count) + " moments", "must be 1 to 200");
  const Stride shown = options.stride ? one_stride(motion) : Stride{motion.time.front(), motion.duration()};
  Poses poses(motion);
  RayScene scene(motion.creature, count);
  const double facing = heading(poses), size = norm(largest_extent(poses, scene));
  const Vec3d along{std::cos(facing), std::sin(facing), 0};
  // moments stand at least a body apart along the path; the creature's own travel is kept where it is longer,
  // and where it follows a point, whose way is drawn
  const Chase chase(motion, size);
  Bounds all;
  for (const Vec3d& dot : chase.dots) all.add(dot);
  double last = -1e300, widest = 0;
  for (int k = 0; k < count; ++k) {
    const double time = shown.start + (count > 1 ? shown.time * k / (count - 1) : 0);
    const Workspace<double>& w = poses.at(time);
    const Bounds b = bounds_of(scene, w);
    double half = 0;
    for (int corner = 0; corner < 4; ++corner)
      half = std::max(
          half, std::abs(dot(
                    Vec3d{corner & 1 ? b.high.x : b.low.x, corner & 2 ? b.high.y : b.low.y, 0} - b.center(),
                    along)));
    const double own = dot(b.center(), along), needed = k == 0 ? own : last + 0.85 * (widest + half);
    const double shift = chase.dots.empty() ? std::max(0.0, needed - own) : 0;
    last = own + shift;
    widest = half;
    // on the ground there as it was on its own
    const Vec3d from = b.center();
    Vec3d moved = along * shift;
    if (shift > 0 && motion.terrain.type != TerrainType::none)
      moved.z = sample(motion.terrain, from.x + moved.x, from.y + moved.y).height -
                sample(motion.terrain, from.x, from.y).height;
    all.add(b.low + moved);
    all.add(b.high + moved);
    scene.add_pose(k, w, moved, count > 1 ? 0.55 * (1 - double(k) / (count - 1)) : 0);
  }
  scene.finish(motion.terrain, all.center(), 40 * size + 4 * all.size());
  RenderOptions side = options;
  side.azimuth = options.azimuth == RenderOptions().azimuth ? -pi / 2 : options.azimuth;
  const Vec3d extent = all.high - all.low;
  const double wide = std::abs(extent.x * along.x) + std::abs(extent.y * along.y);
  const double deep = chase.dots.empty() ? 0 : std::abs(extent.x * along.y) + std::abs(extent.y * along.x);
  const double tall = 1.15 * (extent.z + deep * std::abs(std::sin(options.elevation)));
  return shoot(scene, chase, stand_off(all.center(), wide, tall, facing, side), size, side);
}

namespace {

void append(void* context, void* data, int size) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), size_t(size));
}

}  // namespace

void write_png(const Picture& picture, const std::string& path) {
  std::string bytes;
  stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 3, picture.rgb.data(),
                         3 * picture.width);
  write_file(path, bytes);
}

void write_mp4(const Motion& motion, double fps, const RenderOptions& options, const std::string& path,
               const Run& run) {
  check_picture(motion, options);
  if (!(fps >= 1 && fps <= 240))
    throw Error({}, "film at " + to_text(fps) + " frames a second", "must be 1 to 240");
  if (std::system("command -v ffmpeg > /dev/null 2>&1") != 0)
    throw Error({}, "film", "ffmpeg is not installed", "try: apt-get install ffmpeg");
  Poses poses(motion);
  RayScene scene(motion.creature);
  const double facing = heading(poses);
  const Vec3d extent = largest_extent(poses, scene);
  const std::string temporary = path + ".part.mp4";
  auto quoted = [](const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
  };
  const std::string command = "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s " +
                              std::to_string(options.width) + "x" + std::to_string(options.height) + " -r " +
                              to_text(fps) + " -i - -vf pad='ceil(iw/2)*2:ceil(ih/2)*2' -pix_fmt yuv420p " +
                              quoted(temporary);
  std::FILE* pipe = popen(command.c_str(), "w");
  if (!pipe) throw Error({}, "film", "could not start ffmpeg");
  const std::vector<double> times = sample_times(motion, fps);
  Meter meter(run, "rendering", long(times.size()));
  bool written = true;
  try {
    for (size_t k = 0; k < times.size() && written && !run.stopped(); ++k) {
      const Picture picture = frame_picture(poses, scene, times[k], extent, facing, options);
      written = std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), pipe) == picture.rgb.size();
      meter.advance();
    }
  } catch (const Stopped&) {
    written = false;
  } catch (const Error&) {
    pclose(pipe);
    std::filesystem::remove(temporary);
    throw;
  }
  const bool closed = pclose(pipe) == 0;
  if (run.stopped() || !closed || !written) {
    std::filesystem::remove(temporary);
    stop_if_asked(run);
    throw Error({path, 0}, "film", "ffmpeg could not write it", "is the folder there and writable?");
  }
  std::filesystem::rename(temporary, path);
}

}  // namespace legwork
