#include "motion/record.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "dynamics/constrained.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

constexpr double steps_slack = 1e-9;  // a frame of 10.0000000001 steps has 10

// Every tree whose root is a free joint: its first link, and the free joint's coordinates.
struct FreeBody {
  int root, q, v;
};

std::vector<FreeBody> free_bodies(const Model<double>& m) {
  std::vector<FreeBody> all;
  for (int b = 0; b < m.nlink; ++b) {
    if (m.parent[b] >= 0 || m.screw_begin[b] == m.screw_begin[b + 1]) continue;
    const Screw<double>& s = m.screws[m.screw_begin[b]];
    if (s.type == ScrewType::free) all.push_back({b, s.q, s.v});
  }
  return all;
}

// A tree that can be raised: its first link, and the coordinate that does it, of a free joint or of a slide
// along z.
struct Lift {
  int root, q;
};

std::vector<Lift> lifts(const Model<double>& m, const Workspace<double>& w) {
  constexpr double upright = 1 - 1e-9;
  std::vector<Lift> all;
  for (int b = 0; b < m.nlink; ++b)
    for (int i = m.screw_begin[b]; m.parent[b] < 0 && i < m.screw_begin[b + 1]; ++i) {
      const Screw<double>& s = m.screws[i];
      const bool slides = s.type == ScrewType::slide && (w.R[b] * s.axis).z > upright;
      if (s.type != ScrewType::free && !slides) continue;
      all.push_back({b, s.type == ScrewType::free ? s.q + 2 : s.q});
      break;
    }
  return all;
}

int root_of(const Model<double>& m, int link) {
  while (m.parent[link] >= 0) link = m.parent[link];
  return link;
}

// Height above the ground of the lowest contact point of all bodies that can be raised; unlimited without
// any.
double clearance(const System<double>& s, const std::vector<Lift>& bodies, const Workspace<double>& w,
                 double raised) {
  double lowest = unlimited;
  for (const ContactSite<double>& c : s.contacts.sites) {
    const int root = root_of(s.model, c.link);
    if (std::none_of(bodies.begin(), bodies.end(), [&](const Lift& f) { return f.root == root; })) continue;
    const Vec3d p = point_position(w, c.link, c.pos) + Vec3d(0, 0, raised);
    lowest = std::min(lowest, -ground_depth(s.world.terrain, p, c.radius).depth);
  }
  return lowest;
}

// Raises all of them together until their lowest point is at `height` above the ground.
void place(const System<double>& s, double height, std::vector<double>& q) {
  Workspace<double> w(s.model);
  const std::vector<double> reference = s.world.body.pose("");
  update_positions(s.model, reference.data(), w);
  const std::vector<Lift> bodies = lifts(s.model, w);
  update_positions(s.model, q.data(), w);
  if (s.world.terrain.type == TerrainType::none || clearance(s, bodies, w, 0) == unlimited) return;
  double low = -1, high = 1;
  while (clearance(s, bodies, w, low) > height && low > -1e6) low *= 2;
  while (clearance(s, bodies, w, high) < height && high < 1e6) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (clearance(s, bodies, w, middle) < height ? low : high) = middle;
  }
  for (const Lift& f : bodies) q[f.q] += high;
}

// Every free body flies as if rigid: its centre of mass with the velocity, turning about it.
void throw_bodies(const System<double>& s, const Vec3d& velocity, const Vec3d& spin, Start& start) {
  const Model<double>& m = s.model;
  Workspace<double> w(m);
  update_positions(m, start.q.data(), w);
  for (const FreeBody& f : free_bodies(m)) {
    Vec3d com;
    double mass = 0;
    for (int b = 0; b < m.nlink; ++b) {
      if (root_of(m, b) != f.root) continue;
      com += (w.p[b] + w.c[b]) * m.mass[b];
      mass += m.mass[b];
    }
    const Vec3d origin = velocity + cross(spin, w.p[f.root] - com * (1 / mass));
    const Vec3d turn = transpose_times(w.R[f.root], spin);
    for (int i = 0; i < 3; ++i) start.v[f.v + i] = origin[i], start.v[f.v + 3 + i] = turn[i];
  }
}

// Poses are written with few digits: the loops' points are brought together before time starts.
void close(const System<double>& s, std::vector<double>& q) {
  const Creature& body = s.world.body;
  if (body.loops.empty() && body.couplings.empty()) return;
  const double gap = close_loops(s.model, body.loops, q, body.couplings);
  if (gap > 1e-6)
    throw Error(body.where, body.name, "its loops stay open by " + to_text(gap) + " m in the starting pose",
                "choose a pose where they meet");
}

bool finite(const Vec3d& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

void check(const SimOptions& o) {
  const auto bad = [](const std::string& flag, double x, const std::string& problem,
                      const std::string& advice) {
    throw Error({}, flag, to_text(x) + " is " + problem, advice);
  };
  if (!(o.seconds >= 0 && o.seconds <= 1e6)) bad("seconds", o.seconds, "no time", "write 0 to 1e6 s");
  if (!(o.rate > 0 && o.rate <= 1e6))
    bad("rate", o.rate, "no frame rate", "write more than 0, up to 1e6 per s");
  if (!(o.dt >= 0 && o.dt <= 1))
    bad("dt", o.dt, "no time step", "write up to 1 s, or 0 for what suits the creature");
  if (o.height && !std::isfinite(*o.height)) bad("height", *o.height, "no height", "write meters");
  if (!finite(o.throw_velocity)) throw Error({}, "throw", "not finite", "write vx,vy,vz in m/s");
  if (!finite(o.spin)) throw Error({}, "spin", "not finite", "write wx,wy,wz in rad/s");
  if (o.seconds * o.rate > 1e7)
    throw Error({}, "seconds", to_text(o.seconds * o.rate) + " frames", "lower --rate or --seconds");
}

}  // namespace

void append_channel(Motion& motion, const char* name, const char* unit, const std::vector<double>& values) {
  auto found = std::find_if(motion.channels.begin(), motion.channels.end(),
                            [&](const Channel& c) { return c.name == name; });
  if (found == motion.channels.end()) {
    motion.channels.push_back({name, unit, int(values.size()), {}});
    found = motion.channels.end() - 1;
  }
  found->values.insert(found->values.end(), values.begin(), values.end());
}

Motion begin_motion(const System<double>& system) {
  Motion motion;
  motion.creature = system.world.body;
  motion.terrain = system.world.terrain;
  motion.gravity = norm(system.world.gravity);
  motion.made.creature = system.world.body.name;
  return motion;
}

void record(Simulation<double>& sim, Motion& motion) {
  const State<double>& s = sim.state;
  sim.probe();
  motion.time.push_back(s.time);
  motion.q.insert(motion.q.end(), s.q.begin(), s.q.end());
  motion.v.insert(motion.v.end(), s.v.begin(), s.v.end());
  motion.tau.insert(motion.tau.end(), sim.tau.begin(), sim.tau.end());
  const std::size_t first = motion.contact_force.size();
  motion.contact_force.resize(first + 3 * sim.ground_contacts.size());
  for (const int site : sim.ground_contacts.near)
    for (int i = 0; i < 3; ++i)
      motion.contact_force[first + 3 * std::size_t(site) + std::size_t(i)] =
          sim.ground_contacts[std::size_t(site)].force[i];
  const Energy<double> e = sim.energy();
  const Vec3d com = center_of_mass(sim.system().model, sim.w);
  append_channel(motion, "kinetic energy", "J", {e.kinetic});
  append_channel(motion, "potential energy", "J", {e.gravity});
  append_channel(motion, "elastic energy", "J", {e.elastic});
  append_channel(motion, "work", "J", {e.work});
  append_channel(motion, "energy gain", "1", {sim.gain()});
  append_channel(motion, "center of mass", "m", {com.x, com.y, com.z});
}

void end_motion(const Simulation<double>& sim, Motion& motion) {
  motion.status = sim.status();
  motion.status_text = sim.explain();
  motion.status_time = sim.status() == Status::ok ? sim.state.time : sim.failure().time;
}

Motion run(Simulation<double>& sim, double seconds, double rate, const Watch& watch) {
  Motion motion = begin_motion(sim.system());
  const double period = 1 / rate;
  const long steps = std::max(1L, long(std::ceil(period / sim.options.dt - steps_slack)));
  const long frames = long(std::floor(seconds * rate + steps_slack));
  sim.options.dt = period / double(steps);
  record(sim, motion);
  sim.interrupt = [&] { return watch && !watch(sim); };
  const double t0 = sim.state.time;
  for (long f = 1; f <= frames; ++f) {
    bool going = true;
    for (long n = 0; n < steps && going; ++n) {
      going = sim.step();
      if (going && watch && !watch(sim)) {
        sim.stop();
        going = false;
      }
    }
    if (!going) break;
    sim.state.time = t0 + double(f) / rate;
    record(sim, motion);
  }
  sim.interrupt = nullptr;
  end_motion(sim, motion);
  return motion;
}

Start start_of(const System<double>& system, const SimOptions& options) {
  Start start{system.world.body.pose(options.pose), std::vector<double>(system.model.nv, 0)};
  close(system, start.q);
  if (options.height) place(system, *options.height, start.q);
  throw_bodies(system, options.throw_velocity, options.spin, start);
  return start;
}

Motion simulate(const World& world, const SimOptions& options) {
  check(options);
  const System<double> system = make_system(world);
  const Start start = start_of(system, options);
  Simulation<double> sim(
      system, choose_step(system, options.integrator, options.dt, impact_speed(system, start.q, start.v)));
  sim.pushes = options.pushes;
  sim.reset(start.q, start.v);
  Motion motion = run(sim, options.seconds, options.rate, options.watch);
  motion.made.seed = options.seed;
  return motion;
}

}  // namespace legwork
