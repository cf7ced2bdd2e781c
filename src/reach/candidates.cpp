#include "reach/candidates.h"

#include <algorithm>
#include <cmath>

namespace legwork::reaching {

ErrorTerms& ErrorTerms::operator+=(const ErrorTerms& o) {
  pitch += o.pitch, yaw += o.yaw, roll += o.roll;
  lateral += o.lateral, vertical += o.vertical, fdof += o.fdof;
  return *this;
}

double ErrorTerms::weighted(const Weights& w) const {
  return w.pitch * pitch + w.yaw * yaw + w.roll * roll + w.lateral * lateral + w.vertical * vertical +
         w.fdof * fdof;
}

ErrorTerms pose_terms(const RootPose& p, const Measure& m) {
  const double step = 100 * m.step;
  return {std::fabs(p.turns.pitch) * step, std::fabs(p.turns.yaw) * step,      std::fabs(p.turns.roll) * step,
          100 * std::fabs(p.at.y),         100 * std::fabs(p.at.z - m.target), 0};
}

ErrorTerms gait_terms(const RootPose& rd, const RootPose& rlu, const std::vector<double>& u_rd,
                      const std::vector<double>& u_rlu, const Measure& m) {
  ErrorTerms terms = pose_terms(rd, m);
  terms += pose_terms(rlu, m);
  for (size_t k = 0; k < u_rd.size(); ++k) terms.fdof += std::fabs(u_rd[k] - u_rlu[k]) * 100 * m.step;
  return terms;
}

std::pair<std::uint32_t, std::uint32_t> Candidates::partners(std::uint32_t rd) const {
  const size_t s = size_t(slice[rd] + dual_slices);
  if (s + 1 >= slice_begin.size()) return {0, 0};
  return {slice_begin[s], slice_begin[s + 1]};
}

std::vector<double> normalized(const Limb& limb, const std::vector<double>& values) {
  std::vector<double> u;
  for (size_t k = 0; k < limb.fdofs.size(); ++k)
    u.push_back(limb.fdofs[k].used ? limb.fdofs[k].normalized(values[k]) : 0);
  return u;
}

namespace {

// Indices over what is in the candidates already.
void index(Candidates& c, const Boxes& boxes, const Ways& ways) {
  c.box_begin.assign(size_t(boxes.count()) + 1, 0);
  c.slice_begin.assign(size_t(boxes.nx) + 1, 0);
  c.slice.resize(c.size());
  c.back.clear();
  for (size_t i = 0; i < c.size(); ++i) {
    const int box = boxes.box_of(c.pose[i].at);
    c.slice[i] = boxes.slice_of(box);
    ++c.box_begin[size_t(box) + 1];
    ++c.slice_begin[size_t(c.slice[i]) + 1];
    if (c.pose[i].at.x <= boxes.upper.x - ways.stance) c.back.push_back(std::uint32_t(i));
  }
  for (size_t k = 1; k < c.box_begin.size(); ++k) c.box_begin[k] += c.box_begin[k - 1];
  c.largest_slice = 0;
  for (size_t k = 1; k < c.slice_begin.size(); ++k) {
    c.largest_slice = std::max(c.largest_slice, c.slice_begin[k]);
    c.slice_begin[k] += c.slice_begin[k - 1];
  }
  c.dual_slices = int(std::lround(ways.dual / boxes.size));
  // an RD whose RLU would find no candidate is none
  std::erase_if(c.back, [&](std::uint32_t rd) {
    const auto [from, to] = c.partners(rd);
    return from == to;
  });
}

}  // namespace

Candidates make_candidates(const Limb& limb, const Space& space, const Boxes& boxes,
                           const Constrained& constrained, const Ways& ways, const Measure& measure) {
  Candidates c;
  c.fdofs = int(limb.fdofs.size());
  c.joint_weight = measure.weights.fdof * 100 * measure.step;
  c.sample = constrained.sample, c.sibling = constrained.sibling;
  // normalised values of each grid place, so that no sample is decoded twice
  std::vector<std::vector<float>> place(limb.fdofs.size());
  for (size_t k = 0; k < limb.fdofs.size(); ++k)
    for (const double v : space.grid.values[k])
      place[k].push_back(limb.fdofs[k].used ? float(limb.fdofs[k].normalized(v)) : 0);
  c.pose.reserve(c.size()), c.cost.reserve(c.size()), c.u.reserve(c.size() * limb.fdofs.size());
  for (const std::uint32_t sample : c.sample) {
    c.pose.push_back(space.pose(sample));
    c.cost.push_back(pose_terms(c.pose.back(), measure).weighted(measure.weights));
    std::uint32_t rest = sample;
    for (size_t k = 0; k < place.size(); ++k) {
      const auto n = std::uint32_t(space.grid.count[k]);
      c.u.push_back(place[k][rest % n]);
      rest /= n;
    }
  }
  index(c, boxes, ways);
  return c;
}

Candidates filter(const Candidates& all, const Boxes& boxes, const Ways& ways,
                  const std::vector<char>& keep) {
  Candidates c;
  c.fdofs = all.fdofs, c.joint_weight = all.joint_weight;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!keep[i]) continue;
    c.sample.push_back(all.sample[i]), c.sibling.push_back(all.sibling[i]);
    c.pose.push_back(all.pose[i]), c.cost.push_back(all.cost[i]);
    c.u.insert(c.u.end(), all.u.begin() + std::ptrdiff_t(i * size_t(all.fdofs)),
               all.u.begin() + std::ptrdiff_t((i + 1) * size_t(all.fdofs)));
  }
  index(c, boxes, ways);
  return c;
}

}  // namespace legwork::reaching
