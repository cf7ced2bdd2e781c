#include "corpus/stage.h"

#include <algorithm>
#include <cmath>

#include "creature/place.h"
#include "creature/tree.h"

namespace legwork {

namespace {

constexpr double steps_slack = 1e-9;  // a frame of 10.0000000001 steps has 10
// The thesis does not say how its integrator measures errors. One of its units is so much here, relative to
// 1 + |value|: `eps 10` then asks for the accuracy at which the roach's walk no longer changes.
constexpr double tolerance_of_eps = 1e-6;

template <class Visit>
void for_each_body(const CorpusWorld& world, const Visit& visit) {
  for (const auto& figure : world.figures)
    if (figure->ready)
      for (const auto& body : figure->bodies) visit(*figure, *body);
}

bool same_layout(const Creature& a, const Creature& b) {
  const auto same = [](const auto& x, const auto& y) { return x.name == y.name; };
  return a.nq() == b.nq() && a.nv() == b.nv() &&
         std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(), same) &&
         std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(), same);
}

}  // namespace

void CorpusStage::prepare(CorpusWorld& world) {
  if (!stale_) return;
  build(world);
  stale_ = false;
}

void CorpusStage::build(CorpusWorld& world) {
  World built = build_world(world);
  apply(asked_, built);
  const std::unique_ptr<System<double>> old_system = std::move(system_);
  const std::unique_ptr<Simulation<double>> old = std::move(sim_);
  if (old) work_ += old->state.work, calls_ += old->dynamics_calls;
  system_ = std::make_unique<System<double>>(make_system(std::move(built)));
  set_touches(world);
  set_joints(world);
  choose_step(world);
  sim_ = std::make_unique<Simulation<double>>(*system_, step_);
  sim_->pushes = system_->world.pushes;
  sim_->interrupt = interrupt_;

  std::vector<double> v(system_->model.nv, 0.0);
  bodies_.clear();
  for_each_body(world, [&](const CorpusFigure& figure, CorpusBody& body) {
    if (body.parent >= 0) {
      bodies_.push_back(&body);
      v[body.dof] = body.joint.dq;
    } else if (figure.free) {
      for (int i = 0; i < 3; ++i) v[body.dof + i] = figure.velocity[i], v[body.dof + 3 + i] = figure.spin[i];
    }
  });
  sim_->reset(system_->world.body.pose("stand"), v);
  sim_->state.time = world.time();
  for (std::size_t i = 0; i < world.attachments.size(); ++i)
    sim_->state.broken[2 * i] = sim_->state.broken[2 * i + 1] = world.attachments[i].broken;
  if (old) keep_contacts(*old);
  for_each_body(world, [&](const CorpusFigure&, const CorpusBody& body) { grip(body); });
  sim_->controller = [this](const Simulation<double>& sim, Drive<double>& d) { drive(sim, d); };

  if (parts_.empty()) warn_of_depth();
  const Creature& body = system_->world.body;
  if (parts_.empty() || !same_layout(parts_.back().creature, body)) parts_.push_back(begin_motion(*system_));
}

void CorpusStage::choose_step(CorpusWorld& world) {
  const std::string integrator =
      asked_.integrator == "auto" ? corpus_integrator(world.integrator) : asked_.integrator;
  const std::vector<double> q = system_->world.body.pose("stand"), v(system_->model.nv, 0.0);
  step_ = legwork::choose_step(*system_, integrator, asked_.dt, impact_speed(*system_, q, v));
  if (step_.integrator == Integrator::rkf45) step_.dt = world.dt;
  if (world.eps > 0) step_.tolerance = world.eps * tolerance_of_eps;
  if (world.collisions.e > 1) step_.max_gain = 0;
  if (step_.integrator != Integrator::euler && step_.integrator != Integrator::rk4) return;
  const StableStep stable = stable_step(*system_, q);
  if (stable.dt >= step_.dt || !warning_.empty()) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "steps of %.3g s are too long for %s (at most %.3g s); set h, or integration implicit",
                step_.dt, stable.what.c_str(), stable.dt);
  warning_ = text;
}

// A figure that starts in the ground is thrown out of it.
void CorpusStage::warn_of_depth() {
  double deepest = 0;
  int link = -1;
  for (const ContactSite<double>& site : system_->contacts.sites) {
    const Vec3d p = point_position(sim_->w, site.link, site.pos);
    const double depth = ground_depth(system_->world.terrain, p, site.radius).depth;
    if (site.moves && system_->world.terrain.type != TerrainType::none && depth > deepest)
      deepest = depth, link = site.link;
  }
  const Creature& body = system_->world.body;
  const Box box = bounding_box(body, sim_->state.q);
  if (link < 0 || deepest < 0.1 * (box.upper.z - box.lower.z)) return;
  const int root = root_of(body, link);
  char text[300];
  std::snprintf(text, sizeof text,
                "'%s' starts %.3g m under the ground; raise its figure: move %s 0 0 %.3g, then setrootpos",
                body.links[link].name.c_str(), deepest, body.links[root].name.c_str(), deepest);
  warning_ = text;
}

// Only the script's pairs of links touch, by its law.
void CorpusStage::set_touches(const CorpusWorld& world) {
  analysis_ = {};
  BodyContacts& contacts = system_->body_contacts;
  if (contacts.pairs.empty()) return;
  const CorpusCollisions& c = world.collisions;
  std::erase_if(contacts.pairs, [&](const BodyPair& pair) {
    return std::none_of(c.pairs.begin(), c.pairs.end(), [&](const auto& wanted) {
      const int a = wanted.first->link, b = wanted.second->link;
      return (a == pair.a && b == pair.b) || (a == pair.b && b == pair.a);
    });
  });
  if (c.e >= 0) contacts.options.restitution = c.e;
  if (c.friction >= 0) contacts.options.friction = c.friction;
  if (c.emaxz > 0) contacts.options.deepest = c.emaxz;
  for (BodyPair& pair : contacts.pairs) {
    if (c.e >= 0) pair.damping = 0;  // the restitution takes the energy
    if (!(c.ea > 0 && c.eB > 0)) continue;
    pair.strength = c.ea;
    pair.sharpness = c.eB;
    pair.stiffness = c.ea * c.eB;
  }
  for_each_body(world, [&](const CorpusFigure&, const CorpusBody& body) {
    for (BodyPair& pair : contacts.pairs)
      pair.closing = pair.closing || (body.normal_test && (pair.a == body.link || pair.b == body.link));
  });
  if (c.analysis) analysis_ = RigidContacts(std::exchange(contacts, {}));
}

void CorpusStage::set_joints(const CorpusWorld& world) {
  extras_ = joint_extras(world, system_->world);
  for (const CorpusJointExtra& extra : extras_) {
    if (extra.k == 0) continue;
    system_->joints.has_spring[extra.dof] = 1;
    system_->joints.stiffness[extra.dof] = extra.k;
  }
}

// Where feet stand and cling is remembered by the name of the contact point.
void CorpusStage::keep_contacts(const Simulation<double>& old) {
  const std::vector<ContactPoint>&from = old.system().world.body.contacts, &to = system_->world.body.contacts;
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < from.size(); ++i) place[from[i].name] = i;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (const auto found = place.find(to[i].name); found != place.end())
      sim_->state.contact.sites[i] = old.state.contact.sites[found->second];
  sim_->state.contact.changed();
  if (old.system().body_contacts.pairs.size() == system_->body_contacts.pairs.size())
    sim_->state.body_contact = old.state.body_contact;
}

void CorpusStage::grip(const CorpusBody& body) {
  if (!sim_) return;
  const std::vector<ContactPoint>& contacts = system_->world.body.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].link == body.link) sim_->state.contact.grip[i] = body.sticks;
}

// Motor programs: rests move at constant velocity and arrive exactly.
void CorpusStage::drive(const Simulation<double>& sim, Drive<double>& d) const {
  const double t = sim.state.time, h = sim.options.dt;
  for (const CorpusBody* body : bodies_) {
    const bool exponential = body->joint.Q_type & has_exponential;
    const CorpusMotor& motor = exponential ? body->etarget : body->ktarget;
    const int i = body->dof;
    if (!motor.active) {
      d.rest_rate[i] = 0;
    } else if (t >= motor.end - 1e-9 * h) {
      d.rest[i] = motor.target;
      d.rest_rate[i] = 0;
    } else {
      d.rest_rate[i] = (motor.target - d.rest[i]) / std::max(motor.end - t, h);
    }
  }
  // with two springs the joint's own rest is the exponential one's; the linear one pulls beside it
  for (const CorpusJointExtra& extra : extras_)
    d.tau[extra.dof] = extra.Q + extra.k * (extra.body->joint.k_q - d.rest[extra.dof]);
}

bool CorpusStage::advance(CorpusWorld& world) {
  prepare(world);
  rate_ = world.rate;
  world.accelerations.clear();
  if (sim_->status() != Status::ok) return false;
  if (world.time() >= next_record_) record_frame();
  const double span = world.dt;
  const long steps = std::max(1L, long(std::ceil(span / step_.dt - steps_slack)));
  const double h = span / double(steps);
  sim_->options.dt = h;
  sim_->state.time = world.time();
  const std::vector<double> before = sim_->state.q;
  for (long n = 0; n < steps; ++n) {
    if (!sim_->step(h)) return false;
    answer_collisions(world);
    hold(world, before);
  }
  ++world.frames;
  sim_->state.time = world.time();
  limit_speeds(world);
  harvest(world);
  if (world.time() >= next_record_) record_frame();
  return true;
}

// The response by analysis (thesis, section 4.4): where bodies overlap and approach, impulses end that at
// once.
void CorpusStage::answer_collisions(const CorpusWorld& world) {
  if (!analysis_.has_pairs()) return;
  const CorpusCollisions& c = world.collisions;
  const ContactOptions& ground = system_->contacts.options;
  sim_->collide(analysis_, c.e >= 0 ? c.e : ground.restitution,
                c.friction >= 0 ? c.friction : ground.friction);
}

// Figures that are not integrated stay where they are.
void CorpusStage::hold(const CorpusWorld& world, const std::vector<double>& q) {
  bool any = false;
  for (const auto& figure : world.figures) {
    if (!figure->ready || figure->integrated) continue;
    any = true;
    for (const auto& body : figure->bodies) {
      if (body->dof < 0) continue;
      const int nq = body->parent < 0 ? 7 : 1, nv = body->parent < 0 ? 6 : 1;
      std::copy_n(q.begin() + body->coordinate, nq, sim_->state.q.begin() + body->coordinate);
      std::fill_n(sim_->state.v.begin() + body->dof, nv, 0.0);
    }
  }
  if (any) sim_->refresh();
}

void CorpusStage::limit_speeds(const CorpusWorld& world) {
  bool any = false;
  const auto limit = [&](double* v, int n, double most) {
    double size = 0;
    for (int i = 0; i < n; ++i) size += v[i] * v[i];
    size = std::sqrt(size);
    if (!(size > most)) return;
    any = true;
    for (int i = 0; i < n; ++i) v[i] *= most / size;
  };
  for_each_body(world, [&](const CorpusFigure&, const CorpusBody& body) {
    if (body.dof < 0) return;
    double* v = &sim_->state.v[body.dof];
    if (body.parent >= 0) return limit(v, 1, body.sliding ? body.max_linear : body.max_angular);
    limit(v, 3, body.max_linear);
    limit(v + 3, 3, body.max_angular);
  });
  if (any) sim_->refresh();
}

// What the simulation has made of the script's numbers.
void CorpusStage::harvest(CorpusWorld& world) {
  const State<double>& s = sim_->state;
  for (auto& figure : world.figures) {
    if (!figure->ready) continue;
    for (auto& body : figure->bodies) {
      if (body->parent >= 0) {
        CorpusJoint& j = body->joint;
        j.q = s.q[body->coordinate];
        j.dq = s.v[body->dof];
        ((j.Q_type & has_exponential) ? j.e_q : j.k_q) = s.drive.rest[body->dof];
        CorpusMotor& motor = (j.Q_type & has_exponential) ? body->etarget : body->ktarget;
        if (motor.active && s.time >= motor.end) motor.active = s.drive.rest[body->dof] != motor.target;
      } else if (figure->free) {
        const double *q = &s.q[body->coordinate], *v = &s.v[body->dof];
        figure->pos = {q[0], q[1], q[2]};
        figure->rot = {q[3], q[4], q[5], q[6]};
        figure->velocity = {v[0], v[1], v[2]};
        figure->spin = {v[3], v[4], v[5]};
      }
    }
  }
  for (std::size_t i = 0; i < world.attachments.size(); ++i)
    world.attachments[i].broken = s.broken[2 * i] > 0.5 || s.broken[2 * i + 1] > 0.5;
}

void CorpusStage::record_frame() {
  Motion& motion = parts_.back();
  record(*sim_, motion);
  for (Channel& channel : motion.channels)
    if (channel.name == "work") channel.values.back() += work_;
  const double rate = asked_.rate != WorldOptions().rate ? asked_.rate : rate_;
  next_record_ = sim_->state.time + 1 / rate - 1e-9;
}

Motion CorpusStage::finish(CorpusWorld& world) {
  prepare(world);
  if (parts_.size() == 1 && parts_[0].frames() == 0) record_frame();
  // what went for less than a frame shows how it ended
  if (parts_.size() == 1 && parts_[0].frames() == 1 && sim_->state.time > parts_[0].time[0]) record_frame();
  if (parts_.back().frames() == 0 && parts_.size() > 1) parts_.pop_back();
  Motion motion;
  if (parts_.size() == 1) {
    motion = std::move(parts_[0]);
  } else {
    for (auto& figure : world.figures) figure->free = true;
    motion = join_motions(std::move(parts_), build_world(world).body);
  }
  motion.terrain = system_->world.terrain;
  motion.gravity = norm(system_->world.gravity);
  end_motion(*sim_, motion);
  return motion;
}

Motion join_motions(std::vector<Motion> parts, const Creature& creature) {
  Motion all;
  all.creature = creature;
  for (Motion& part : parts) {
    const Creature& from = part.creature;
    // where each value of the new layout comes from; below 0: from the constant beside it
    std::vector<int> q_from, v_from, contact_from;
    std::vector<double> q_constant;
    std::vector<int> first_q, first_v;  // for each link of the part
    int nq_part = 0, nv_part = 0;
    for (const Link& link : from.links) {
      first_q.push_back(nq_part), first_v.push_back(nv_part);
      for (const Joint& joint : link.joints) nq_part += nq(joint), nv_part += nv(joint);
    }
    const std::vector<double> reference = creature.pose("stand");
    for (const Link& link : creature.links) {
      const int i = from.link(link.name);
      int known_q = 0, known_v = 0, n = 0;
      if (i >= 0)
        for (const Joint& joint : from.links[i].joints) known_q += nq(joint), known_v += nv(joint);
      for (const Joint& joint : link.joints) n += nq(joint);
      const bool fixed_root = i >= 0 && known_q == 0 && n == 7;
      const Vec3d p = i >= 0 ? from.links[i].pos : Vec3d();
      const Quatd r = i >= 0 ? from.links[i].rot : Quatd();
      const double root[7] = {p.x, p.y, p.z, r.w, r.x, r.y, r.z};
      for (int k = 0; k < n; ++k) {
        q_from.push_back(k < known_q ? first_q[i] + k : -1);
        q_constant.push_back(fixed_root ? root[k] : reference[q_constant.size()]);
      }
      for (const Joint& joint : link.joints)
        for (int k = 0; k < nv(joint); ++k) v_from.push_back(k < known_v ? first_v[i] + k : -1);
    }
    for (const ContactPoint& contact : creature.contacts) {
      const auto found = std::find_if(from.contacts.begin(), from.contacts.end(),
                                      [&](const ContactPoint& c) { return c.name == contact.name; });
      contact_from.push_back(found == from.contacts.end() ? -1 : int(found - from.contacts.begin()));
    }
    for (int f = 0; f < part.frames(); ++f) {
      all.time.push_back(part.time[f]);
      for (std::size_t i = 0; i < q_from.size(); ++i)
        all.q.push_back(q_from[i] < 0 ? q_constant[i] : part.q[std::size_t(f) * nq_part + q_from[i]]);
      for (const int i : v_from) {
        all.v.push_back(i < 0 ? 0 : part.v[std::size_t(f) * nv_part + i]);
        all.tau.push_back(i < 0 ? 0 : part.tau[std::size_t(f) * nv_part + i]);
      }
      for (const int i : contact_from)
        for (int k = 0; k < 3; ++k)
          all.contact_force.push_back(
              i < 0 ? 0 : part.contact_force[(std::size_t(f) * from.contacts.size() + i) * 3 + k]);
    }
    if (all.channels.empty()) {
      all.channels = std::move(part.channels);
      continue;
    }
    for (std::size_t i = 0; i < all.channels.size() && i < part.channels.size(); ++i)
      all.channels[i].values.insert(all.channels[i].values.end(), part.channels[i].values.begin(),
                                    part.channels[i].values.end());
  }
  return all;
}

}  // namespace legwork
