#pragma once
// What a rollout is judged by: summed up frame by frame, the same for double, batch and trace.

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "discover/problem.h"
#include "dynamics/dynamics.h"
#include "ground/contact.h"
#include "sim/simulation.h"

namespace legwork {

// Of numbers alone, so that it can be read as an array of them.
template <class T>
struct Measures {
  Vec3<T> com_start, com, half_way;  // the centre of mass at the start, now, and half-way through
  Vec3<T> up;                        // the vertical at the start, in the root's frame
  T mass{0}, height{0}, height2{0}, top{0}, approach{0}, half_approach{0}, apart{0};
  T fell{0}, drag{0}, tumbling{0}, turning{0};

  static constexpr int count = 23;
  T* begin() { return reinterpret_cast<T*>(this); }
  T* end() { return begin() + count; }
  const T* begin() const { return reinterpret_cast<const T*>(this); }
  const T* end() const { return begin() + count; }
};
static_assert(sizeof(Measures<double>) == Measures<double>::count * sizeof(double));

template <class T>
Measures<double> lane_of(const Measures<T>& all, int i) {
  Measures<double> one;
  for (int k = 0; k < one.count; ++k) one.begin()[k] = lane(all.begin()[k], i);
  return one;
}

namespace measure_detail {

inline constexpr double fallen_tilt = 0.5;    // cosine: 60 degrees
inline constexpr double fallen_height = 0.4;  // share of the centre of mass's height at the start

template <class T>
Vec3<T> tree_com(const Model<T>& m, const Workspace<T>& w, const std::vector<int>& links) {
  Vec3<T> sum;
  T mass(0);
  for (const int b : links) sum += (w.p[b] + w.c[b]) * m.mass[b], mass += m.mass[b];
  return sum * (T(1) / mass);
}

template <class T>
Vec3<T> select_vector(const Mask<T>& mask, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

}  // namespace measure_detail

// One frame. follow: where the point to follow was in the step before; early: this is the first half.
template <class T>
void measure(const Problem& problem, const System<T>& system, const Workspace<T>& w, const Vec3<T>& follow,
             bool first, const std::type_identity_t<Mask<T>>& early, Measures<T>& s) {
  const Model<T>& m = system.model;
  const Vec3<T> com = measure_detail::tree_com(m, w, problem.links), before = s.com;
  const Mat3<T>& R = w.R[problem.root];
  if (first) {
    s = {};
    s.com_start = s.com = s.half_way = com;
    s.up = transpose_times(R, Vec3<T>(T(0), T(0), T(1)));
    s.top = com.z;
    s.mass = total_mass(m);
  } else {
    const T dt(1 / problem.world.rate);
    const Vec3<T> turn = w.vel[problem.root].ang;
    const Vec3<T> to = follow - before, moved = com - before;
    const T apart = sqrt(to.x * to.x + to.y * to.y);
    s.approach += (moved.x * to.x + moved.y * to.y) / max(apart, T(1e-9));
    s.apart += apart * dt;
    s.height += com.z * dt;
    s.height2 += com.z * com.z * dt;
    s.tumbling += turn.y * dt, s.turning += turn.z * dt;
    T deepest(0);  // of the root's contact points
    for (const ContactSite<T>& site : system.contacts.sites)
      if (site.link == problem.root) deepest = max(deepest, site_depth(site, system.world.terrain, w));
    s.drag += select(deepest > T(0), dt, T(0));
  }
  s.top = max(s.top, com.z);
  s.com = com;
  s.half_way = measure_detail::select_vector<T>(early, com, s.half_way);
  s.half_approach = select(early, s.approach, s.half_approach);
  const T tilt = (R * s.up).z;
  const Mask<T> down =
      (tilt < T(measure_detail::fallen_tilt)) | (com.z < T(measure_detail::fallen_height) * s.com_start.z);
  s.fell = select(down, T(1), s.fell);
}

// The signals in which cycles are looked for, of one frame: the height of the centre of mass, where the root
// points, and the joints (x: joints.h).
template <class T>
std::vector<T> signals(const Problem& problem, const Model<T>& m, const Workspace<T>& w,
                       const std::vector<T>& x, const Measures<T>& s) {
  const Mat3<T>& R = w.R[problem.root];
  std::vector<T> all = {s.com.z, R(0, 0), R(2, 0)};
  int at = 0;
  for (int b = 0; b < m.nlink; ++b)
    for (int k = m.dof_begin[b]; k < m.dof_begin[b + 1]; ++k, ++at)
      if (m.parent[b] >= 0) all.push_back(x[k]);
  return all;
}

// Frames after the first, and steps in each.
long frame_count(const Problem& problem);
int steps_in_frame(const Problem& problem);

// From here on of so many frames cycles are looked for: before, a motion may settle.
inline long settled_frame(long frames) { return long(0.5 * double(frames)); }

// What became of one candidate.
struct Outcome {
  Status status = Status::ok;
  Measures<double> measures;
  double turnover = 0;           // J
  std::vector<double> touch;     // of each touch sensor: steps that it was on
  long frames = 0;               // the first among them
  double lag = 0, likeness = 0;  // of the cycle (descriptor.h), frames
};
Evaluation evaluation_of(const Problem& problem, const Outcome& outcome);
// Whether it neither diverged nor fell where that ends it.
bool counts(const Problem& problem, const Outcome& outcome);
// A hash of rollouts so far continued with one more: of all its numbers where it counts, else of why not.
std::uint64_t hash_of(const Problem& problem, const Outcome& outcome, std::uint64_t so_far);
inline constexpr std::uint64_t hash_start = 14695981039346656037ull;
// Looks for a cycle in the frames' signals from the settled frame on.
void find_cycle_of(const Problem& problem, const std::vector<double>& rows, Outcome& outcome);
int signal_count(const Problem& problem);
int shortest_lag(const Problem& problem);  // frames

// The mean over all curves counts; a candidate that has gained nothing so far is not looked at on the others.
// What kind of motion it is shows on the first. simulate(curve); evaluation(candidate) of that.
template <class Simulate, class EvaluationOf>
void sum_over_curves(const Problem& problem, int count, Evaluation* results, const Simulate& simulate,
                     const EvaluationOf& evaluation) {
  const double share = 1 / double(problem.follow.size());
  bool hopeful = true;
  for (std::size_t k = 0; k < problem.follow.size() && hopeful; ++k) {
    simulate(k);
    hopeful = false;
    for (int i = 0; i < count; ++i) {
      Evaluation e = evaluation(i);
      e.score *= share, e.distance *= share, e.speed *= share;
      Evaluation& sum = results[i];
      if (k == 0 || (sum.score > 0 && e.status != Status::ok))
        sum = std::move(e);
      else if (sum.score > 0)
        sum.score += e.score, sum.distance += e.distance, sum.speed += e.speed;
      hopeful = hopeful || sum.score > 0;
    }
  }
}

}  // namespace legwork
