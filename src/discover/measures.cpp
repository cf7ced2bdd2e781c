#include "discover/measures.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "discover/descriptor.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double shortest_cycle = 0.1;  // s

}  // namespace

long frame_count(const Problem& problem) {
  return std::max(1L, long(std::floor(problem.seconds * problem.world.rate + 1e-9)));
}

int steps_in_frame(const Problem& problem) {
  return int(std::lround(1 / (problem.world.rate * problem.step.dt)));
}

bool counts(const Problem& problem, const Outcome& outcome) {
  return outcome.status == Status::ok && !(problem.upright && outcome.measures.fell > 0.5);
}

std::uint64_t hash_of(const Problem& problem, const Outcome& o, std::uint64_t hash) {
  // one zero for both of its signs
  const auto add = [&](double x) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 1099511628211ull;
  };
  if (!counts(problem, o)) {
    add(o.status == Status::ok ? 2 : 1);
    return hash;
  }
  for (const double x : o.measures) add(x);
  add(o.turnover);
  for (const double x : o.touch) add(x);
  add(o.lag), add(o.likeness);
  return hash;
}

int signal_count(const Problem& problem) {
  int inner = 0;  // degrees of freedom that are not a root's
  for (const Link& link : problem.world.body.links)
    if (link.parent >= 0)
      for (const Joint& joint : link.joints) inner += nv(joint);
  return 3 + inner;
}

int shortest_lag(const Problem& problem) { return int(std::ceil(shortest_cycle * problem.world.rate)); }

void find_cycle_of(const Problem& problem, const std::vector<double>& rows, Outcome& outcome) {
  const Cycle cycle = find_cycle(rows, signal_count(problem), shortest_lag(problem));
  outcome.lag = cycle.lag, outcome.likeness = cycle.likeness;
}

Evaluation evaluation_of(const Problem& problem, const Outcome& outcome) {
  const Measures<double>& m = outcome.measures;
  Evaluation e;
  const bool fell = problem.upright && m.fell > 0.5;
  e.status = outcome.status != Status::ok ? outcome.status : fell ? Status::fell : Status::ok;
  const double duration = double(outcome.frames - 1) / problem.world.rate;
  if (e.status != Status::ok || duration <= 0) return e;

  const Vec3d way = m.com - m.com_start, late = m.com - m.half_way;
  e.distance = std::sqrt(way.x * way.x + way.y * way.y);
  e.speed = std::sqrt(late.x * late.x + late.y * late.y) / (0.5 * duration);
  e.period = outcome.lag / problem.world.rate;
  e.likeness = outcome.likeness;

  MotionKind kind;
  const double steps = duration / problem.step.dt, height = m.height / duration;
  for (const double share : outcome.touch) kind.contact.push_back(share / steps);
  kind.tumbling = m.tumbling / (2 * pi), kind.turning = m.turning / (2 * pi);
  kind.height = m.com_start.z > 1e-6 ? height / m.com_start.z : 1;
  kind.frequency = e.period > 0 ? 4 * problem.delay / e.period : 0;
  kind.direction = e.distance > 0.1 * problem.length ? way.x / e.distance : 0;
  e.descriptor = describe_kind(kind);

  if (problem.pursues()) {
    e.distance = m.approach;
    e.speed = (m.approach - m.half_approach) / (0.5 * duration);
  }

  Totals t;
  t["distance"] = e.distance, t["x"] = way.x, t["y"] = way.y, t["speed"] = e.speed;
  t["height"] = height, t["height2"] = m.height2, t["top"] = m.top;
  t["turns"] = kind.tumbling, t["seconds"] = duration, t["period"] = e.period, t["likeness"] = e.likeness;
  t["energy"] = outcome.turnover, t["approach"] = m.approach;
  t["apart"] = m.apart / duration, t["fell"] = m.fell, t["drag"] = m.drag / duration;
  t["length"] = problem.length, t["mass"] = m.mass;
  e.score = problem.formula(t.value.data());
  if (!std::isfinite(e.score)) e.score = 0;
  return e;
}

}  // namespace legwork
