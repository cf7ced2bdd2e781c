#include "ground/attachment.h"

#include <algorithm>
#include <cassert>

#include "ground/implicit.h"
#include "math/real.h"
#include "math/trace.h"

namespace legwork {

namespace {

constexpr double largest_exponent = 30;
constexpr double tiny = 1e-300;

// A spring as it is now: from the other end to the link's end.
template <class T>
struct Span {
  Vec3<T> arm, other_arm;  // from the links' origins, world axes; for the world: the point itself
  Vec3<T> e;               // unit, toward the link's end
  T length, stretch;
};

template <class T>
Span<T> span(const AttachmentSpring<T>& s, const Workspace<T>& w) {
  Span<T> p;
  p.arm = w.R[s.link] * s.pos;
  p.other_arm = s.other < 0 ? s.other_pos : w.R[s.other] * s.other_pos;
  const Vec3<T> end = w.p[s.link] + p.arm;
  const Vec3<T> d = end - (s.other < 0 ? p.other_arm : w.p[s.other] + p.other_arm);
  p.length = norm(d);
  p.e = d * (T(1) / max(p.length, T(tiny)));
  p.stretch = p.length - s.rest;
  return p;
}

template <class T>
void spring_force(const AttachmentSpring<T>& s, const T& stretch, T& force, T& slope) {
  if (!s.exponential) {
    force = s.stiffness * stretch;
    slope = s.stiffness;
    return;
  }
  const T grown = exp(min(s.sharpness * abs(stretch), T(largest_exponent)));
  const T size = s.stiffness * (grown - T(1));
  force = select(stretch < T(0), -size, size);
  slope = s.stiffness * s.sharpness * grown;
}

}  // namespace

std::vector<AttachmentSpring<double>> make_attachments(const Creature& creature) {
  std::vector<AttachmentSpring<double>> springs;
  for (const Attachment& a : creature.attachments) {
    AttachmentSpring<double> s;
    s.link = a.link;
    s.other = a.other;
    s.exponential = a.sharpness > 0;
    s.pos = a.pos;
    s.other_pos = a.other_pos;
    s.stiffness = a.stiffness;
    s.sharpness = a.sharpness;
    s.damping = a.damping;
    s.rest = a.rest;
    s.break_length = a.break_length;
    s.restitution = a.restitution;
    springs.push_back(s);
  }
  return springs;
}

std::vector<AttachmentSpring<Batch>> make_batch_attachments(const std::vector<const Creature*>& creatures) {
  assert(!creatures.empty() && int(creatures.size()) <= batch_lanes);
  std::vector<std::vector<AttachmentSpring<double>>> each;
  for (const Creature* creature : creatures) each.push_back(make_attachments(*creature));
  std::vector<AttachmentSpring<Batch>> springs(each.front().size());
  for (std::size_t i = 0; i < springs.size(); ++i) {
    AttachmentSpring<Batch>& s = springs[i];
    s.link = each.front()[i].link;
    s.other = each.front()[i].other;
    for (int lane = 0; lane < batch_lanes; ++lane) {
      const auto& source = each[std::min(lane, int(each.size()) - 1)];
      assert(source.size() == springs.size() && source[i].link == s.link && source[i].other == s.other);
      const AttachmentSpring<double>& a = source[i];
      assert(a.exponential == each.front()[i].exponential);
      s.exponential = a.exponential;
      for (int k = 0; k < 3; ++k) set_lane(s.pos[k], lane, a.pos[k]);
      for (int k = 0; k < 3; ++k) set_lane(s.other_pos[k], lane, a.other_pos[k]);
      set_lane(s.stiffness, lane, a.stiffness);
      set_lane(s.sharpness, lane, a.sharpness);
      set_lane(s.damping, lane, a.damping);
      set_lane(s.rest, lane, a.rest);
      set_lane(s.break_length, lane, a.break_length);
      set_lane(s.restitution, lane, a.restitution);
    }
  }
  return springs;
}

template <class T>
void break_attachments(const std::vector<AttachmentSpring<T>>& springs, const Workspace<T>& w,
                       AttachmentState<T>& broken) noexcept {
  for (std::size_t i = 0; i < springs.size(); ++i)
    broken[i] = select(span(springs[i], w).length > springs[i].break_length, T(1), broken[i]);
}

template <class T>
void add_attachment_forces(const Model<T>& m, const std::vector<AttachmentSpring<T>>& springs,
                           const AttachmentState<T>& broken, const T& h, Workspace<T>& w) noexcept {
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const AttachmentSpring<T>& s = springs[i];
    const Mask<T> holds = broken[i] < T(0.5);
    if (!any(holds)) continue;
    const Span<T> p = span(s, w);
    const Vec3<T> v =
        shift(w.vel[s.link], p.arm).lin - (s.other < 0 ? Vec3<T>() : shift(w.vel[s.other], p.other_arm).lin);
    const T rate = dot(p.e, v);
    T pull, slope, damping = s.damping;
    spring_force(s, p.stretch, pull, slope);
    const T left = select(p.stretch * rate < T(0), s.restitution, T(1));
    pull = pull * left, slope = slope * left;

    if (s.other >= 0) {
      const T a = m.mass[s.link], b = m.mass[s.other];
      const T quarter = T(0.25) * a * b / (a + b + T(tiny));
      pull = pull * min(quarter / (h * h * slope + T(tiny)), T(1));
      damping = min(damping, quarter / (h + T(tiny)));
    }
    Vec3<T> force = p.e * -(pull + damping * rate);
    if (w.implicit && s.other < 0) {
      // along the spring its slope, across it the pull turns with the direction (a push is left explicit)
      const T across = max(pull, T(0)) / max(p.length, T(tiny));
      force -= (p.e * (rate * slope) + (v - p.e * rate) * across) * h;
      const T A_across = select(holds, h * h * across, T(0));
      const T A_along = select(holds, h * (damping + h * slope), T(0));
      const Sym3<T> A = Sym3<T>::diagonal(A_across, A_across, A_across) + outer(p.e) * (A_along - A_across);
      force += add_implicit_at(m, w, s.link, p.arm, A);
    }
    for (int k = 0; k < 3; ++k) force[k] = select(holds, force[k], T(0));
    add_force_at(w, s.link, p.arm, force);
    if (s.other >= 0) add_force_at(w, s.other, p.other_arm, -force);
  }
}

template <class T>
T attachment_energy(const std::vector<AttachmentSpring<T>>& springs, const AttachmentState<T>& broken,
                    const Workspace<T>& w) noexcept {
  T sum(0);
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const AttachmentSpring<T>& s = springs[i];
    const T x = abs(span(s, w).stretch);
    const T energy =
        s.exponential
            ? s.stiffness * ((exp(min(s.sharpness * x, T(largest_exponent))) - T(1)) / s.sharpness - x)
            : T(0.5) * s.stiffness * (x * x);
    sum += select(broken[i] < T(0.5), energy, T(0));
  }
  return sum;
}

#define LEGWORK_INSTANTIATE(T)                                                                      \
  template void break_attachments(const std::vector<AttachmentSpring<T>>&, const Workspace<T>&,     \
                                  AttachmentState<T>&) noexcept;                                    \
  template void add_attachment_forces(const Model<T>&, const std::vector<AttachmentSpring<T>>&,     \
                                      const AttachmentState<T>&, const T&, Workspace<T>&) noexcept; \
  template T attachment_energy(const std::vector<AttachmentSpring<T>>&, const AttachmentState<T>&,  \
                               const Workspace<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
