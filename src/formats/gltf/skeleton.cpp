#include "formats/gltf/skeleton.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "formats/turning_point.h"
#include "math/scalar.h"
#include "motion/resample.h"

namespace legwork::gltf {

namespace {

// The turn about the vertical that comes nearest to a rotation, and how much of the rotation it is: 1 all, 0
// where the body is upside down and has no heading.
Quatd heading(const Quatd& q, double& share) {
  share = sqrt(q.w * q.w + q.z * q.z);
  return share > 0 ? Quatd{q.w / share, 0, 0, q.z / share} : Quatd{};
}

// Whether a free body stays upright enough at every frame to have a heading.
bool stays_upright(const Motion& motion, const Model<double>& model, int q_begin, const Quatd& rest) {
  for (int f = 0; f < motion.frames(); ++f) {
    const double* q = motion.q.data() + std::size_t(f) * std::size_t(model.nq) + q_begin;
    double share;
    heading(Quatd{q[3], q[4], q[5], q[6]} * conjugate(rest), share);
    if (!(share > 0.5)) return false;
  }
  return true;
}

// First coordinate of a link's joints.
int first_q(const Creature& creature, int link) {
  int q = 0;
  for (int i = 0; i < link; ++i)
    for (const Joint& joint : creature.links[i].joints) q += nq(joint);
  return q;
}

// Whether a motion is a loop that ends where it began.
bool in_place(const Motion& motion, const Model<double>& model, int q_begin) {
  if (!motion.channel("travel")) return false;
  const double* first = motion.q.data() + q_begin;
  const double* last = first + std::size_t(motion.frames() - 1) * std::size_t(model.nq);
  return first[0] == last[0] && first[1] == last[1];
}

}  // namespace

Skeleton::Skeleton(const Motion& motion, const Model<double>& model) : rest(model) {
  const Creature& creature = motion.creature;
  update_positions(model, creature.pose("").data(), rest);
  int roots = 0;
  for (int link = 0; link < model.nlink; ++link) {
    const TurningPoint at = turning_point(creature.links[link]);
    bones.push_back({creature.links[link].name, model.parent[link], link, at.point});
    roots += model.parent[link] < 0;
  }
  for (int link = 0; link < model.nlink; ++link) {
    if (model.dof_begin[link] == model.dof_begin[link + 1]) continue;
    if (model.parent[link] < 0 && turning_point(creature.links[link]).shifts)
      add_root(motion, model, link, roots > 1);
    moving.push_back(link);
  }
}

void Skeleton::add_root(const Motion& motion, const Model<double>& model, int link, bool several) {
  const Link& body = motion.creature.links[link];
  Bone root{several ? body.name + "_root" : "root", -1, link, {}, true};
  while (std::any_of(bones.begin(), bones.end(), [&](const Bone& b) { return b.name == root.name; }))
    root.name += "_";
  const int q = first_q(motion.creature, link);
  const bool free = body.joints.size() == 1 && body.joints[0].type == JointType::free;
  root.still = free && in_place(motion, model, q);
  root.turns = free && !root.still && stays_upright(motion, model, q, quaternion(rest.R[link]));
  bones[link].parent = int(bones.size());
  moving.push_back(int(bones.size()));
  bones.push_back(root);
}

Place Skeleton::place(const Workspace<double>& w, int bone) const {
  const Bone& b = bones[bone];
  if (!b.root) return {point_position(w, b.link, b.point), w.R[b.link]};
  if (b.still) return {{rest.p[b.link].x, rest.p[b.link].y, 0}};
  double share;
  const Quatd turned = quaternion(w.R[b.link] * transpose(rest.R[b.link]));
  return {{w.p[b.link].x, w.p[b.link].y, 0}, b.turns ? matrix(heading(turned, share)) : Mat3d::identity()};
}

Place Skeleton::local(const Workspace<double>& w, int bone) const {
  const Place here = place(w, bone);
  if (bones[bone].parent < 0) return here;
  const Place above = place(w, bones[bone].parent);
  return {transpose_times(above.rot, here.pos - above.pos), transpose(above.rot) * here.rot};
}

namespace {

// Fills rows [first, last) of the tracks; finite[f] says whether floats can hold frame f.
void fill_tracks(const Motion& motion, const Model<double>& model, const Skeleton& skeleton,
                 const std::vector<double>& times, std::size_t first, std::size_t last, Tracks& t,
                 std::vector<char>& finite) {
  Workspace<double> w(model);
  Sampler sampler(model, motion);
  std::vector<double> q(model.nq);
  for (std::size_t f = first; f < last; ++f) {
    sampler.at(times[f]);
    sampler.positions(q.data());
    update_positions(model, q.data(), w);
    t.times[f] = float(times[f] - times.front());
    bool good = true;
    for (std::size_t i = 0; i < skeleton.moving.size(); ++i) {
      const Place at = skeleton.local(w, skeleton.moving[i]);
      const Vec3d pos = at.pos;
      const Quatd rot = quaternion(at.rot);
      float* p = t.translation[i].data() + 3 * f;
      float* r = t.rotation[i].data() + 4 * f;
      p[0] = float(pos.x), p[1] = float(pos.y), p[2] = float(pos.z);
      r[0] = float(rot.x), r[1] = float(rot.y), r[2] = float(rot.z), r[3] = float(rot.w);
      good = good && std::isfinite(p[0] + p[1] + p[2]) && std::isfinite(r[0] + r[1] + r[2] + r[3]);
    }
    finite[f] = good;
  }
}

// Keeps the rows whose number is in `kept`, which rises.
void keep_rows(std::vector<float>& rows, std::size_t width, const std::vector<std::size_t>& kept) {
  for (std::size_t k = 0; k < kept.size(); ++k)
    std::copy_n(rows.begin() + std::ptrdiff_t(kept[k] * width), width,
                rows.begin() + std::ptrdiff_t(k * width));
  rows.resize(kept.size() * width);
}

}  // namespace

Tracks make_tracks(const Motion& motion, const Model<double>& model, const Skeleton& skeleton, double rate) {
  Tracks t;
  const std::vector<double> times = sample_times(motion, rate);
  const std::size_t count = times.size();
  t.times.resize(count);
  t.translation.assign(skeleton.moving.size(), std::vector<float>(count * 3));
  t.rotation.assign(skeleton.moving.size(), std::vector<float>(count * 4));

  std::vector<char> finite(count);
  constexpr std::size_t piece = 1024;
  parallel_for(int((count + piece - 1) / piece), 0, [&](int i, int) {
    fill_tracks(motion, model, skeleton, times, std::size_t(i) * piece,
                std::min(std::size_t(i + 1) * piece, count), t, finite);
  });

  std::vector<std::size_t> kept;
  for (std::size_t f = 0; f < count; ++f)
    if (finite[f] && (kept.empty() || t.times[f] > t.times[kept.back()])) kept.push_back(f);
  if (kept.size() < count) {
    keep_rows(t.times, 1, kept);
    for (auto& rows : t.translation) keep_rows(rows, 3, kept);
    for (auto& rows : t.rotation) keep_rows(rows, 4, kept);
  }
  // q and -q are one rotation: take the one near the frame before, as interpolation goes the short way then
  for (auto& rows : t.rotation)
    for (std::size_t k = 4; k < rows.size(); k += 4) {
      float* r = rows.data() + k;
      const float along = r[0] * r[-4] + r[1] * r[-3] + r[2] * r[-2] + r[3] * r[-1];
      if (along < 0) r[0] = -r[0], r[1] = -r[1], r[2] = -r[2], r[3] = -r[3];
    }
  return t;
}

}  // namespace legwork::gltf
