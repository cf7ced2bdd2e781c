#include "modes/leg_body.h"

#include <algorithm>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

constexpr double toe_share = 0.7;   // share of a foot's length that rising on its toes adds to the leg's
constexpr double standing = 0.003;  // leg lengths: points no higher than this stand
constexpr double widest = 1.6;      // rad from its rest that a joint is tried for the longest stretch

// The links from one on, it on the world in place of its carrier; links: which of the creature's they are.
Creature leg_creature(const Creature& c, int top, std::vector<int>& links) {
  Creature part;
  part.name = c.name;
  std::vector<int> index(c.links.size(), -1);
  for (size_t b = 0; b < c.links.size(); ++b) {
    if (!is_below(c, int(b), top)) continue;
    Link link = c.links[b];
    link.parent = int(b) == top ? -1 : index[size_t(link.parent)];
    index[b] = int(links.size());
    links.push_back(int(b));
    part.links.push_back(link);
  }
  return part;
}

// The first link from the hip on that does not carry the whole body.
int top_of(const Creature& c, const LimbLeg& leg) {
  for (const int link : leg.links)
    if (c.links[size_t(link)].parent >= 0) return link;
  return leg.foot;
}

// The longest stretch from the hip to the foot's point, or to its ankle: one joint after another goes to
// where it stretches the leg most, those of the foot's own link stay at rest. rest: joint coordinates.
double find_reach(const LegBody& leg, const std::vector<double>& rest, int foot, const Vec3d& point,
                  bool ankle) {
  std::vector<double> x = rest, q = leg.q;
  Workspace<double> w(leg.model);
  const auto stretch = [&] {
    set_positions(leg.joints, x.data(), q.data());
    update_positions(leg.model, q.data(), w);
    return norm((ankle ? w.p[size_t(foot)] : point_position(w, foot, point)) - w.p[0]);
  };
  double longest = stretch();
  for (int pass = 0; pass < 4; ++pass)
    for (size_t j = 0; j < x.size(); ++j) {
      if (leg.model.link_of_dof[j] >= foot && foot > 0) continue;
      const double low = std::max(leg.limits[j].lower, rest[j] - widest),
                   high = std::min(leg.limits[j].upper, rest[j] + widest);
      double kept = x[j];
      for (int k = 0; k <= 16; ++k) {
        x[j] = low + (high - low) * k / 16;
        const double r = stretch();
        if (r > longest) longest = r, kept = x[j];
      }
      x[j] = kept;
    }
  return std::max(longest, 1e-9);
}

// All contact points of the leg; foot: the frame of its point. Marks those that stand and, on a foot with
// toes, which belong to the toes and which to the rear. Returns whether it has toes.
bool find_sites(const Creature& c, const LimbLeg& limb, const std::vector<int>& links,
                const std::vector<LinkFrame>& frames, const LinkFrame& foot, LegBody& leg) {
  const auto own_link = [&](int link) {
    return int(std::find(links.begin(), links.end(), link) - links.begin());
  };
  const double ground = foot.p.z - limb.height + standing * leg.end.reach;
  bool toes = false;
  for (size_t i = 0; i < c.contacts.size(); ++i) {
    const ContactPoint& p = c.contacts[i];
    if (!is_below(c, p.link, links[0])) continue;
    const LinkFrame at{frames[size_t(p.link)].R, frames[size_t(p.link)] * p.pos};
    LegSite site;
    site.link = own_link(p.link), site.contact = int(i), site.pos = p.pos, site.radius = p.radius;
    site.rest = inverse(foot) * at;
    site.stands = is_below(c, p.link, limb.foot) && at.p.z - p.radius < ground;
    toes |= site.stands && p.link != limb.foot;
    leg.sites.push_back(site);
  }
  for (LegSite& site : leg.sites) {
    site.rear = toes && site.stands && site.link == own_link(limb.foot);
    // one point alone may roll
    const auto beside = [&](const LegSite& other) { return other.stands && other.link == site.link; };
    site.toe =
        toes && site.stands && !site.rear && std::count_if(leg.sites.begin(), leg.sites.end(), beside) > 1;
  }
  if (std::none_of(leg.sites.begin(), leg.sites.end(), [](const LegSite& s) { return s.stands; })) {
    LegSite site;
    site.link = own_link(limb.foot), site.pos = limb.point, site.radius = limb.height, site.stands = true;
    leg.sites.push_back(site);
  }
  return toes;
}

// The middle of the standing points that are not rear ones.
LegBody::End end_at_toes(const LegBody& leg) {
  Vec3d sum;
  double count = 0;
  for (const LegSite& site : leg.sites)
    if (site.stands && !site.rear) sum += site.rest.p, ++count;
  const Vec3d middle = sum * (1 / count);
  return {middle, leg.end.reach + toe_share * norm(middle - leg.end.at)};
}

}  // namespace

double SoftLimit::operator()(double y) const noexcept {
  if (y > upper) return upper + (y - upper) * soft / (y - upper + soft);
  if (y < lower) return lower - (lower - y) * soft / (lower - y + soft);
  return y;
}

double SoftLimit::slope(double y) const noexcept {
  const double d = y > upper ? y - upper : y < lower ? lower - y : 0;
  return soft * soft / ((d + soft) * (d + soft));
}

LegBody make_leg_body(const Creature& c, const LimbLeg& limb, const std::vector<double>& q,
                      const std::vector<double>& x, const std::vector<SoftLimit>& limits) {
  std::vector<int> links;
  const Creature part = leg_creature(c, top_of(c, limb), links);
  LegBody leg;
  leg.model = make_model(part);
  leg.joints = make_joint_forces(part, leg.model);
  leg.q = part.pose("");
  leg.carrier = c.links[size_t(links[0])].parent;
  const std::vector<int> begins = dof_begins(c);
  std::vector<double> rest;
  for (const int link : links)
    for (int j = begins[size_t(link)]; j < begins[size_t(link) + 1]; ++j) {
      leg.dofs.push_back(j);
      leg.limits.push_back(limits[size_t(j)]), rest.push_back(x[size_t(j)]);
    }

  const std::vector<LinkFrame> frames = place(c, q);
  const LinkFrame& foot_link = frames[size_t(limb.foot)];
  const LinkFrame foot{foot_link.R, foot_link * limb.point};
  const bool ankle = limb.foot != c.legs[size_t(limb.leg)].knee && limb.foot != limb.hip;
  const int own_foot = int(std::find(links.begin(), links.end(), limb.foot) - links.begin());
  leg.end.reach = find_reach(leg, rest, own_foot, limb.point, ankle);
  if (ankle) leg.end.at = transpose_times(foot.R, foot_link.p - foot.p);
  const bool toes = find_sites(c, limb, links, frames, foot, leg);
  leg.toes = toes && ankle ? end_at_toes(leg) : leg.end;
  for (LegSite& site : leg.sites)
    for (int j = 0; j < leg.model.nv; ++j)
      site.moves.push_back(is_below(part, site.link, leg.model.link_of_dof[size_t(j)]));
  return leg;
}

}  // namespace legwork
