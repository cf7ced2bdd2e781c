// A frame of the motion: the state, the torques, the ground's forces, the accounts.

#include <algorithm>
#include <cmath>

#include "direct/director.h"
#include "dynamics/dynamics.h"
#include "motion/record.h"

namespace legwork {

// Forces of the ground at the creature's contact points: touches as they are; holds shared among the points
// of their link so that the wrench is the same, with the least squares of forces.
std::vector<Vec3d> Director::site_forces() const {
  const Creature& body = system_.world.body;
  std::vector<Vec3d> force(body.contacts.size());
  for (size_t i = 0; i < constraints_.size(); ++i)
    if (const Constraint& c = constraints_[i]; c.touch >= 0 && contacts_.touches[size_t(c.touch)].site >= 0)
      force[size_t(contacts_.touches[size_t(c.touch)].site)] += c.force * lambda_[i];
  for (size_t i = 0; i + 5 < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (c.touch >= 0 || c.link < 0 || (i > 0 && constraints_[i - 1].owner == c.owner)) continue;
    const auto hold =
        std::find_if(holds_.begin(), holds_.end(), [&](const Hold& h) { return h.link == c.link; });
    if (hold == holds_.end()) continue;
    std::vector<size_t> sites;
    for (size_t s = 0; s < body.contacts.size(); ++s)
      for (int b = body.contacts[s].link; b >= 0; b = system_.model.parent[size_t(b)])
        if (b == c.link) sites.push_back(s);
    if (sites.empty()) continue;
    // 6 equations: sum f = F, sum r x f = T about the held point
    QuadraticProblem share;
    share.clear(3 * int(sites.size()));
    share.tolerance = unlimited;
    const Vec3d about = point_position(w_, c.link, hold->point);
    for (int k = 0; k < 6; ++k) {
      double* a = share.add_equality(lambda_[i + size_t(k)], k);
      for (size_t s = 0; s < sites.size(); ++s) {
        const ContactPoint& contact = body.contacts[sites[s]];
        const Vec3d r = point_position(w_, contact.link, contact.pos) - about;
        if (k < 3)
          a[3 * s + size_t(k)] = 1;
        else
          for (int j = 0; j < 3; ++j) a[3 * s + size_t(j)] = skew(r)(k - 3, j);
      }
    }
    share.regularize(0, 3 * int(sites.size()), 1);
    std::vector<double> f(3 * sites.size(), 0);
    if (share.solve(f.data()) != QuadraticOutcome::solved) continue;
    for (size_t s = 0; s < sites.size(); ++s) force[sites[s]] += Vec3d(f[3 * s], f[3 * s + 1], f[3 * s + 2]);
  }
  return force;
}

void Director::record(Motion& motion) {
  if (status_ == Status::ok) {
    const long count = solves;
    solve();
    solves = count;
  }
  const bool penalty = options.ground == Grade::penalty;
  motion.time.push_back(time());
  motion.q.insert(motion.q.end(), q_.begin(), q_.end());
  motion.v.insert(motion.v.end(), v_.begin(), v_.end());
  for (size_t j = 0; j < tau_.size(); ++j)
    motion.tau.push_back(penalty ? tau_[j] + passive_[j] : sim_.tau[j]);
  if (penalty) {
    sim_.probe();
    for (const SiteRecord<double>& site : sim_.ground_contacts)
      for (int i = 0; i < 3; ++i) motion.contact_force.push_back(site.force[i]);
  } else {
    for (const Vec3d& f : site_forces())
      for (int i = 0; i < 3; ++i) motion.contact_force.push_back(f[i]);
  }
  const Vec3d com = value(center_of_mass()), speed = rate(center_of_mass());
  append_channel(motion, "kinetic energy", "J", {kinetic_energy(system_.model, v_.data(), w_)});
  append_channel(motion, "potential energy", "J", {potential_energy(system_.model, w_)});
  append_channel(motion, "elastic energy", "J",
                 {joint_energy(joints_, x_.data(), joints_.rest.data()) +
                  attachment_energy(system_.attachments, sim_.state.broken, w_)});
  append_channel(motion, "work", "J", {account.torques});
  append_channel(motion, "work of the ground", "J", {account.ground});
  append_channel(motion, "lost in impacts", "J", {account.impacts});
  append_channel(motion, "unexplained energy", "J", {penalty ? 0 : unexplained()});
  append_channel(motion, "center of mass", "m", {com.x, com.y, com.z});
  append_channel(motion, "forward speed", "m/s", {speed.x});
  append_channel(motion, "equations", "1", {double(equations())});
  double phase = 0;
  for (size_t i = 0; i < phase_names.size(); ++i)
    if (phase_names[i] == phase_) phase = double(i + 1);
  append_channel(motion, "phase", "1", {phase});
}

}  // namespace legwork
