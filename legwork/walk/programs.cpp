#include "legwork/walk/programs.h"

#include <algorithm>
#include <cmath>

#include "legwork/base/text.h"
#include "legwork/creature/place.h"
#include "legwork/dynamics/dynamics.h"
#include "legwork/math/real.h"
#include "legwork/motion/support.h"
#include "legwork/walk/poser.h"

namespace legwork {

namespace {

// Points of a foot's way in a step: share of the time, of the stride (from -1/2, behind), of the lift.
struct Via {
  double time, along, up;
};
constexpr Via step_vias[] = {{0.2, -0.42, 0.75}, {0.5, 0, 1}, {0.8, 0.42, 0.6}, {1, 0.5, 0}};
constexpr Via stance_vias[] = {{0.25, 0.25, 0}, {0.5, 0, 0}, {0.75, -0.25, 0}, {1, -0.5, 0}};

constexpr double reach_tolerance = 0.06;  // of the hip height: how far a foot may miss its way
constexpr double least_side = 0.39;       // of the hip height: how far a foot stands to the side
constexpr double most_side = 0.4;         // of the height of the centre of mass: feet of a tall body
constexpr double most_stride = 0.74;      // of the hip height, where the programs are the body's own
constexpr double own_lift = 0.25;         // of the hip height, where the springs are the body's own
// Of a tall body, in hip heights: stride and lift, how far its feet reach aside, how far they may miss.
constexpr double tall_stride = 0.6, tall_lift = 0.1, tall_aside = 0.12, tall_tolerance = 0.01;
constexpr double least_stride = 0.06;  // of the hip height: less is no walk
constexpr double most_outside = 0.3;   // of the hip height: the centre of mass, beyond the feet that stand
constexpr double sharpness = 8;        // 1/rad of the springs made here
constexpr double sideways = 0.5;       // of the load, that a joint must bear as well
constexpr double damping_ratio = 0.8;

std::string length_text(double m) {
  char text[32];
  if (std::fabs(m) >= 1)
    std::snprintf(text, sizeof text, "%.3g m", m);
  else
    std::snprintf(text, sizeof text, "%.3g mm", 1000 * m);
  return text;
}

// The least margin of the centre of mass over all legs that may be lifted alone, and which.
double lifted_margin(const std::vector<Vec3d>& feet, const Vec3d& com, int& worst) {
  double least = unlimited;
  for (size_t lifted = 0; lifted < feet.size(); ++lifted) {
    std::vector<Vec3d> rest;
    for (size_t i = 0; i < feet.size(); ++i)
      if (i != lifted) rest.push_back(feet[i]);
    const double margin = support_margin(convex_hull_2d(rest), com);
    if (margin < least) least = margin, worst = int(lifted);
  }
  return least;
}

// Everything about the legs that the programs are made from.
struct Plan {
  std::vector<std::vector<int>> dofs;  // of each leg
  std::vector<Vec3d> home;             // of each sole, world, the body standing
  std::vector<double> droop;           // m: how far each foot sinks when it bears no load
  std::vector<Vec3d> moved;            // the same where worst_miss would rather have them
  Vec3d com;
  double hip_height = 0, ground = 0, mass = 0;
  bool tall = false;  // stands on legs below it, not beside it
  Geometry geometry;
};

[[noreturn]] void fail(const Creature& c, const std::string& who, const std::string& what) {
  throw Error(c.where, who.empty() ? "'" + c.name + "'" : who, what);
}

// Length of a leg stretched out, from hip to sole.
double leg_length(const Creature& c, const Leg& leg) {
  double length = norm(leg.sole);
  for (int link = leg.foot; link != leg.hip; link = c.links[size_t(link)].parent)
    length += norm(c.links[size_t(link)].pos);
  return length;
}

// The middle of a foot's lowest contact points.
void find_sole(const Creature& c, const Poser& poser, Leg& leg) {
  double lowest = unlimited;
  const auto height = [&](const ContactPoint& p) {
    return point_position(poser.w, p.link, p.pos).z - p.radius;
  };
  for (const ContactPoint& p : c.contacts)
    if (p.link == leg.foot) lowest = std::min(lowest, height(p));
  Vec3d sum;
  int count = 0;
  for (const ContactPoint& p : c.contacts) {
    if (p.link != leg.foot || height(p) > lowest + 0.05 * leg_length(c, leg)) continue;
    sum = sum + p.pos + transpose_times(poser.w.R[size_t(p.link)], Vec3d(0, 0, -p.radius));
    ++count;
  }
  if (count > 0) leg.sole = sum * (1.0 / count);
}

// A pose to stand in, for bodies whose file has none that fits: joints within their ranges, and where the
// legs still lie flat, feet as far below the hips as half of their length. The soles are found anew.
void find_stand(Creature& c) {
  Pose* stand = nullptr;
  for (Pose& pose : c.poses)
    if (pose.name == "stand") stand = &pose;
  if (!stand) return;
  Poser poser(c);
  const std::vector<double> x = poser.x(stand->q);
  std::vector<double> v(x.size(), 0);
  bool changed = false;
  for (const Leg& leg : c.legs)
    for (const int dof : leg_dofs(c, leg)) {
      const size_t d = size_t(dof);
      const double width = poser.upper[d] - poser.lower[d];
      if (x[d] >= poser.lower[d] && x[d] <= poser.upper[d]) continue;
      const double inside = width < 1e6 ? 0.15 * width : 0;
      v[d] = (x[d] < poser.lower[d] ? poser.lower[d] + inside : poser.upper[d] - inside) - x[d];
      changed = true;
    }
  integrate_positions(poser.model, stand->q.data(), v.data(), 1.0, stand->q.data());
  poser.set(stand->q);
  const auto find_soles = [&] {
    for (Leg& leg : c.legs)
      if (!leg.sole_given) find_sole(c, poser, leg);
  };
  if (changed) find_soles();
  for (Leg& leg : c.legs) {
    const Vec3d hip = poser.w.p[size_t(leg.hip)], sole = poser.sole(leg);
    const double length = leg_length(c, leg);
    if (hip.z - sole.z > 0.2 * length) continue;
    // keep the way out from the hip, go down
    const Vec3d out(sole.x - hip.x, sole.y - hip.y, 0);
    const double far = std::max(norm(out), 1e-9);
    const Vec3d goal = hip + out * (std::min(far, 0.6 * length) / far) + Vec3d(0, 0, -0.55 * length);
    poser.reach(leg, leg_dofs(c, leg), goal, length, stand->q);
    poser.set(stand->q);
    changed = true;
  }
  if (changed) find_soles();
}

Plan measure(const Creature& c, Poser& poser) {
  if (c.legs.empty())
    fail(c, "",
         "has no legs, so it cannot walk; add [[leg]] entries: name = \"lf\", hip = \"a link\", foot = \"a "
         "link\"");
  if (c.legs.size() < 3)
    fail(c, "",
         "has " + std::to_string(c.legs.size()) + " leg" + (c.legs.size() > 1 ? "s" : "") +
             ", and walking by oscillators needs three or more to stand on; give it more, or try legwork "
             "direct");
  Plan plan;
  double hips = 0;
  plan.ground = 0;
  std::vector<Vec3d> soles;
  for (const Leg& leg : c.legs) {
    const Vec3d sole = poser.sole(leg);
    soles.push_back(sole);
    hips += poser.w.p[size_t(leg.hip)].z / double(c.legs.size());
    plan.ground += sole.z / double(c.legs.size());
    plan.dofs.push_back(leg_dofs(c, leg));
    if (plan.dofs.back().size() < 2)
      fail(c, "leg '" + leg.name + "'",
           "has " + std::to_string(plan.dofs.back().size()) +
               " degrees of freedom from hip to foot, and lifting and swinging a foot takes two; "
               "name a hip further up, or add a joint");
  }
  plan.hip_height = hips - plan.ground;
  double size = 0;
  for (const Vec3d& s : soles)
    for (const Vec3d& t : soles) size = std::max(size, norm(s - t));
  if (!(plan.hip_height > 0.02 * size))
    fail(c, "",
         "stands with its hips " + length_text(plan.hip_height) + " above its soles, feet " +
             length_text(size) +
             " apart: legs that flat cannot lift it; give it a [[pose]] named \"stand\" with the feet lower");
  plan.com = center_of_mass(poser.model, poser.w);
  plan.mass = total_mass(poser.model);
  for (Vec3d& s : soles) s.z = plan.ground;
  plan.home = plan.moved = soles;
  plan.droop.assign(c.legs.size(), 0);  // the springs made here rest on the posture when in the air
  return plan;
}

// Whether the feet stand below the body, not beside it, on legs that reach around them far enough to catch
// its falls by steps.
bool stands_tall(const Creature& c, Poser& poser, const Plan& plan) {
  const double h = plan.hip_height;
  double side = 0;
  for (const Vec3d& s : plan.home) side += std::fabs(s.y - plan.com.y) / double(plan.home.size());
  const bool few = c.legs.size() == 4 || c.legs.size() == 5;
  if (!few && side > most_side * (plan.com.z - plan.ground)) return false;
  const double along = 0.5 * tall_stride * h, aside = tall_aside * h;
  for (size_t i = 0; i < c.legs.size(); ++i)
    for (const Vec3d to : {Vec3d(along, 0, 0), Vec3d(-along, 0, 0), Vec3d(along, aside, 0),
                           Vec3d(along, -aside, 0), Vec3d(0, 0, tall_lift * h)}) {
      std::vector<double> q = poser.stand;
      if (poser.reach(c.legs[i], plan.dofs[i], plan.home[i] + to, h, q) > tall_tolerance * h) return false;
    }
  return true;
}

// Moves every home by its shift, by as much of it as every leg can reach.
void move_homes(const Creature& c, Poser& poser, const std::vector<Vec3d>& shifts, Plan& plan) {
  const double h = plan.hip_height;
  for (double part = 1; part > 0.05; part *= 0.7) {
    bool all = true;
    for (size_t i = 0; i < c.legs.size() && all; ++i) {
      std::vector<double> q = poser.stand;
      all = poser.reach(c.legs[i], plan.dofs[i], plan.home[i] + shifts[i] * part, h, q) < reach_tolerance * h;
    }
    if (!all) continue;
    for (size_t i = 0; i < c.legs.size(); ++i) plan.home[i] = plan.home[i] + shifts[i] * part;
    break;
  }
}

// Moves all homes together to where lifting any leg is safest.
void shift_homes(const Creature& c, Poser& poser, Plan& plan) {
  const double h = plan.hip_height;
  int worst = 0;
  double best = lifted_margin(plan.home, plan.com, worst);
  Vec3d shift;
  for (int round = 0; round < 3; ++round) {
    const double grid = (round == 0 ? 0.1 : round == 1 ? 0.03 : 0.01) * h;
    const Vec3d middle = shift;
    for (int i = -4; i <= 4; ++i)
      for (int k = -4; k <= 4; ++k) {
        const Vec3d s = middle + Vec3d(i * grid, k * grid, 0);
        std::vector<Vec3d> feet = plan.home;
        for (Vec3d& f : feet) f = f + s;
        int leg = 0;
        const double margin = lifted_margin(feet, plan.com, leg) - 0.02 * norm(s);
        if (margin > best + 1e-9 * h) best = margin, shift = s;
      }
  }
  move_homes(c, poser, std::vector<Vec3d>(c.legs.size(), shift), plan);
}

// Feet of narrow bodies stand wider, so that tall ones do not tip over the diagonal.
void widen_homes(const Creature& c, Poser& poser, Plan& plan) {
  std::vector<Vec3d> shifts;
  for (const Vec3d& home : plan.home) {
    const double y = home.y - plan.com.y, short_of = least_side * plan.hip_height - std::fabs(y);
    const bool narrow =
        short_of > 0 && std::fabs(y) > 0.02 * plan.hip_height;  // legs in the middle stay there
    shifts.push_back({0, narrow ? std::copysign(short_of, y) : 0, 0});
  }
  move_homes(c, poser, shifts, plan);
}

void place_homes(const Creature& c, Poser& poser, Plan& plan) {
  const double h = plan.hip_height;
  if (!plan.tall) {
    widen_homes(c, poser, plan);
    shift_homes(c, poser, plan);
  }
  // a foot that cannot come down to the others' ground stays where it gets
  for (size_t i = 0; i < c.legs.size(); ++i) {
    std::vector<double> q = poser.stand;
    const double miss = poser.reach(c.legs[i], plan.dofs[i], plan.home[i], h, q);
    if (miss > 0.3 * h)
      fail(c, "leg '" + c.legs[i].name + "'",
           "ends " + length_text(miss) + " from the ground that the other feet stand on (hips " +
               length_text(h) +
               " high); give it a [[pose]] named \"stand\" in which all feet are level, or make it longer");
    plan.home[i] = poser.sole(c.legs[i]);
  }
}

// How far a leg misses a way of this stride and lift around a home.
double miss_of(const Creature& c, Poser& poser, const Plan& plan, size_t i, const Vec3d& home, double stride,
               double lift) {
  double worst = 0;
  std::vector<double> q = poser.stand;
  poser.reach(c.legs[i], plan.dofs[i], home, plan.hip_height, q);
  for (const Via via : {Via{0, 0.5, 0}, Via{0, 0, 1}, Via{0, -0.5, 0}}) {
    const Vec3d goal = home + Vec3d(via.along * stride, 0, via.up * lift);
    worst = std::max(worst, poser.reach(c.legs[i], plan.dofs[i], goal, plan.hip_height, q));
  }
  return worst;
}

// How far the worst leg misses its way with this stride and lift, and which it is. Legs that reach further to
// one side move their homes there, stretched ones in towards the hip.
double worst_miss(const Creature& c, Poser& poser, Plan& plan, double stride, double lift, int& leg) {
  double worst = 0;
  std::vector<Vec3d> hips;
  poser.set(poser.stand);
  for (const Leg& l : c.legs) hips.push_back(poser.w.p[size_t(l.hip)]);
  for (size_t i = 0; i < c.legs.size(); ++i) {
    Vec3d best_home = plan.home[i];
    double best = unlimited;
    for (const double shift : {0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75})
      for (const double inward : {0.0, 0.2, 0.4}) {
        const Vec3d way_in = hips[i] - plan.home[i];
        const double far = std::max(std::hypot(way_in.x, way_in.y), 1e-9);
        const Vec3d home = plan.home[i] + Vec3d(shift * stride, 0, 0) +
                           Vec3d(way_in.x, way_in.y, 0) * std::min(inward * plan.hip_height / far, 0.5);
        const double miss =
            best < 0.05 * stride ? unlimited : miss_of(c, poser, plan, i, home, stride, lift + plan.droop[i]);
        if (miss < 0.8 * best) best = miss, best_home = home;
      }
    if (best > worst) worst = best, leg = int(i);
    plan.moved[i] = best_home;
  }
  return worst;
}

void choose_stride(const Creature& c, Poser& poser, const ProgramOptions& options, Plan& plan) {
  const double h = plan.hip_height;
  const bool many = c.legs.size() >= 6;
  double stride = options.stride > 0 ? options.stride
                                     : (plan.tall           ? tall_stride
                                        : many              ? 0.5
                                        : c.legs.size() > 3 ? 0.4
                                                            : 0.2) *
                                           h;
  double lift = options.lift > 0 ? options.lift : (many && !plan.tall ? 0.15 : tall_lift) * h;
  int leg = 0;
  for (int round = 0; round < 24; ++round) {
    const double miss = worst_miss(c, poser, plan, stride, lift, leg);
    if (miss < 0.15 * stride + 0.02 * h) break;
    if (options.stride > 0)
      fail(c, "leg '" + c.legs[size_t(leg)].name + "'",
           "misses a stride of " + length_text(stride) + " with a lift of " + length_text(lift) + " by " +
               length_text(miss) + "; try a shorter --stride");
    stride *= 0.85;
    if (options.lift <= 0) lift *= 0.93;
    if (stride < least_stride * h)
      fail(c, "leg '" + c.legs[size_t(leg)].name + "'",
           "can carry its foot less than " + length_text(stride) + " along the body and " +
               length_text(lift) + " up (hips stand " + length_text(h) +
               " high); it needs wider joint ranges, another pose \"stand\", or a joint that swings it "
               "forward");
  }
  plan.home = plan.moved;
  int worst = 0;
  plan.geometry.margin = lifted_margin(plan.home, plan.com, worst);
  plan.geometry.weakest = c.legs[size_t(worst)].name;
  plan.geometry.hip_height = h;
  plan.geometry.stride = stride;
  plan.geometry.lift = lift;
}

// Rest positions along a foot's way; direction: of the stroke, level, as long as the stride.
void fill_program(Poser& poser, const Plan& plan, const Leg& leg, size_t i, const Vec3d& along,
                  const Via* vias, size_t count, double lift, std::vector<double>& q,
                  std::vector<std::vector<double>>& out) {
  for (size_t k = 0; k < count; ++k) {
    const Vec3d goal = plan.home[i] + along * vias[k].along + Vec3d(0, 0, vias[k].up * lift);
    q = poser.stand;
    poser.follow(leg, plan.dofs[i], goal, plan.hip_height, q);
    out.push_back(poser.x(q));
  }
}

// Moves through the points of a way: rests[0] on the spot, [1] ahead, [2] turning, each a row of nv values
// for every point. Springs rest beyond the posture by a share of bend: what the load asks for, or nothing in
// the air.
std::vector<Stroke> strokes_through(const std::vector<int>& dofs,
                                    const std::vector<std::vector<double>>* rests,
                                    const std::vector<double>& bend, const Via* vias, size_t count,
                                    double bend_share) {
  std::vector<Stroke> program;
  for (size_t v = 0; v < count; ++v)
    for (size_t k = 0; k < dofs.size(); ++k) {
      const size_t d = size_t(dofs[k]);
      const double still = rests[0][v][d] + bend_share * bend[k];
      program.push_back({dofs[k], v == 0 ? 0 : vias[v - 1].time, vias[v].time, still,
                         rests[1][v][d] - rests[0][v][d], rests[2][v][d] - rests[0][v][d]});
    }
  return program;
}

// Legs down at the least, of the gait chosen for the body.
int standing_legs(size_t legs, double slowness) {
  const int in_step = std::max(1, int(std::ceil(double(legs) / (2 * slowness) - 1e-9)));
  return std::max(1, int(legs) - in_step);
}

// Springs and dampers of one leg's joints, and how far the load bends each.
void give_springs(Creature& c, Poser& poser, const Plan& plan, size_t i,
                  const std::vector<std::vector<double>>& stance_q, const ProgramOptions& options,
                  std::vector<double>& bend) {
  const Leg& leg = c.legs[i];
  const std::vector<int>& dofs = plan.dofs[i];
  const double carried = plan.mass / standing_legs(c.legs.size(), plan.geometry.slowness);
  const double weight = carried * options.gravity;
  std::vector<double> torque(dofs.size(), 0), inertia(dofs.size(), 0), lever(dofs.size(), 0),
      steady(dofs.size(), 0);
  for (const std::vector<double>& q : stance_q) {
    poser.set(q);
    const std::vector<Vec3d> J = poser.jacobian(leg, dofs);
    for (size_t k = 0; k < dofs.size(); ++k) {
      const Vec3d column = J[k];
      const double side = std::hypot(column.x, column.y);
      torque[k] = std::max(torque[k], weight * (std::fabs(column.z) + sideways * side));
      lever[k] = std::max(lever[k], norm(column));
      steady[k] += -weight * column.z / double(stance_q.size());
    }
  }
  std::vector<double> M(size_t(poser.model.nv) * size_t(poser.model.nv));
  mass_matrix(poser.model, poser.w, M.data());
  std::vector<Dof*> all;
  for (Link& link : c.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) all.push_back(&dof);
  for (size_t k = 0; k < dofs.size(); ++k) {
    const size_t d = size_t(dofs[k]);
    Dof& dof = *all[d];
    inertia[k] = M[d * size_t(poser.model.nv) + d];
    // a joint that no load bends must still carry its part of the leg along
    const double quick = 0.04 * plan.hip_height / options.gravity;  // s^2
    const double hold = std::max(
        {torque[k], 0.02 * weight * plan.hip_height, inertia[k] * 4 * pi * pi * options.sag / quick});
    const double rise = std::exp(sharpness * options.sag) - 1;
    const double stiffness_now = dof.spring.type == SpringType::linear ? dof.spring.stiffness
                                 : dof.spring.type == SpringType::exponential
                                     ? dof.spring.stiffness * dof.spring.sharpness
                                     : 0;
    if (stiffness_now < hold / options.sag) dof.spring = {SpringType::exponential, hold / rise, sharpness, 0};
    const double k0 =
        dof.spring.type == SpringType::linear ? dof.spring.stiffness : dof.spring.stiffness * sharpness;
    const double moved = inertia[k] + 0.25 * carried * lever[k] * lever[k];
    dof.damper = std::max(dof.damper, 2 * damping_ratio * std::sqrt(k0 * moved));
    // rest beyond the posture by the bend of the steady load: torque the spring must give is -steady
    const double t = -steady[k];
    const double size = std::fabs(t);
    double x = dof.spring.type == SpringType::linear
                   ? size / dof.spring.stiffness
                   : std::log1p(size / dof.spring.stiffness) / dof.spring.sharpness;
    bend[k] = t > 0 ? x : -x;
  }
}

// Joints outside the legs hold what hangs on them.
void stiffen_trunk(Creature& c, Poser& poser, const Plan& plan, const ProgramOptions& options) {
  std::vector<char> in_leg(size_t(poser.model.nv), 0);
  for (const std::vector<int>& dofs : plan.dofs)
    for (const int d : dofs) in_leg[size_t(d)] = 1;
  poser.set(poser.stand);
  std::vector<double> M(size_t(poser.model.nv) * size_t(poser.model.nv));
  mass_matrix(poser.model, poser.w, M.data());
  const std::vector<double> x = poser.x(poser.stand);
  int d = 0;
  for (Link& link : c.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) {
        const size_t i = size_t(d++);
        if (in_leg[i] || joint.type == JointType::free || link.parent < 0 ||
            dof.spring.type != SpringType::none)
          continue;
        // weight of what it moves at its radius of gyration, or of half the body on it, whichever is more
        const double inertia = M[i * size_t(poser.model.nv) + i];
        const double hold = std::max(inertia * options.gravity / plan.hip_height * 3, 1e-9);
        dof.spring = {SpringType::linear, hold / (0.5 * options.sag), 0, x[i]};
        dof.damper = std::max(dof.damper, 2 * damping_ratio * std::sqrt(dof.spring.stiffness * inertia));
      }
}

}  // namespace

bool has_programs(const Creature& c) {
  const auto brings = [](const Leg& leg) { return !leg.step.empty(); };
  const auto count = std::count_if(c.legs.begin(), c.legs.end(), brings);
  if (count == 0) return false;
  if (count == long(c.legs.size())) return true;
  const Leg& without = *std::find_if_not(c.legs.begin(), c.legs.end(), brings);
  throw Error(without.where, "leg '" + without.name + "'",
              "has no motor programs while others have; give it step and stance, or none to any leg");
}

MadeBody make_programs(const Creature& given, const ProgramOptions& options) {
  MadeBody made;
  made.creature = given;
  Creature& c = made.creature;
  if (c.legs.size() >= 3) find_stand(c);
  const Creature creature = c;  // before it gets its springs
  Poser poser(creature);
  Plan plan = measure(creature, poser);
  plan.tall = options.poised && stands_tall(creature, poser, plan);
  place_homes(creature, poser, plan);
  // neighbours alternate where that leaves the body standing, else one leg after the other
  const size_t n = c.legs.size();
  plan.geometry.slowness = plan.tall ? (n >= 6 ? 1.5 : n == 5 ? 3 : 1.7) : n >= 6 ? 1 : n == 3 ? 4 : 3;
  choose_stride(creature, poser, options, plan);
  if (plan.geometry.margin < -most_outside * plan.hip_height)
    fail(creature, "leg '" + plan.geometry.weakest + "'",
         "leaves the centre of mass " + length_text(-plan.geometry.margin) +
             " outside of the feet that stand when it steps, too far to be caught by the next (hips " +
             length_text(plan.hip_height) +
             " high); add a pose that stands around it: [[pose]] name = \"stand\", joints = { " +
             c.links[size_t(creature.legs[0].hip)].joints[0].name + " = 20 }");
  made.geometry = plan.geometry;
  made.body.stride = plan.geometry.stride;
  made.body.lift = plan.geometry.lift;
  made.body.poised = plan.tall;

  made.body.places = gait_legs(creature);
  made.body.spread = n < 6;
  const double natural = std::sqrt(plan.hip_height / options.gravity);
  made.body.step_time = options.step_time > 0    ? options.step_time
                        : creature.step_time > 0 ? creature.step_time
                                                 : (plan.tall ? 0.85
                                                    : n >= 6  ? 1.2
                                                    : n == 5  ? 0.9
                                                              : 0.6) *
                                                       natural;
  c.step_time = made.body.step_time;

  Vec3d middle;
  for (const Vec3d& home : plan.home) middle = middle + home * (1.0 / double(n));
  double radius = 0;
  for (const Vec3d& home : plan.home) radius += norm(home - middle) / double(n);
  for (size_t i = 0; i < n; ++i) {
    const Leg& leg = creature.legs[i];
    WalkLeg w;
    w.dofs = plan.dofs[i];
    const Vec3d arm = plan.home[i] - plan.com;
    // strokes: on the spot, ahead, and turning left (the foot goes right around the middle, seen from the
    // body)
    const double s = plan.geometry.stride;
    const Vec3d ways[] = {Vec3d(), Vec3d(s, 0, 0), Vec3d(-arm.y, arm.x, 0) * (s / std::max(radius, 1e-9))};
    std::vector<std::vector<double>> stance[3], step[3], loaded;
    for (int k = 0; k < 3; ++k) {
      std::vector<double> q = poser.stand;
      poser.reach(leg, plan.dofs[i], plan.home[i] + ways[k] * 0.5, plan.hip_height, q);
      if (k == 1) loaded.push_back(q);
      fill_program(poser, plan, leg, i, ways[k], stance_vias, std::size(stance_vias), 0, q, stance[k]);
      if (k == 1) loaded.push_back(q);
      fill_program(poser, plan, leg, i, ways[k], step_vias, std::size(step_vias), plan.geometry.lift, q,
                   step[k]);
    }
    std::vector<double> bend(w.dofs.size(), 0);
    give_springs(c, poser, plan, i, loaded, options, bend);
    if (!options.bent) std::fill(bend.begin(), bend.end(), 0.0);
    w.stance = strokes_through(w.dofs, stance, bend, stance_vias, std::size(stance_vias), 1);
    w.step = strokes_through(w.dofs, step, bend, step_vias, std::size(step_vias), 0);
    for (size_t k = 0; k < w.dofs.size(); ++k) {
      const size_t d = size_t(w.dofs[k]);
      w.down.push_back(step[1].back()[d] + bend[k]);
      w.up.push_back(stance[1].back()[d] + bend[k]);
    }
    made.body.legs.push_back(std::move(w));
  }
  stiffen_trunk(c, poser, plan, options);
  // joints that walking drives with springs are not driven twice
  c.actuators.clear();
  std::vector<double> q = poser.stand;
  for (size_t i = 0; i < n; ++i) {
    poser.reach(creature.legs[i], plan.dofs[i], plan.home[i], plan.hip_height, q);
    find_senses(creature, creature.legs[i], q, made.body.legs[i]);
  }
  find_homes(creature, q, made.body);
  made.start = q;
  return made;
}

namespace {

// Homes for a body that stands on springs of its own: as low as lets legs that stand almost straight reach
// their strokes where lifting any one leg is safest. Returns the stroke that all can follow.
double crouch(const Creature& c, Poser& poser, double wanted, Plan& plan) {
  const std::vector<Vec3d> standing = plan.home;
  const double lift = own_lift * plan.hip_height;
  double best = -unlimited, way = wanted;
  std::vector<Vec3d> homes;
  for (const double low : {0.0, 0.1, 0.2, 0.3}) {
    plan.home = standing;
    for (Vec3d& home : plan.home) home.z += low * plan.hip_height;
    shift_homes(c, poser, plan);
    plan.moved = plan.home;
    double reached = wanted;
    int leg = 0;
    for (int round = 0; round < 16; ++round, reached *= 0.85)
      if (worst_miss(c, poser, plan, reached, lift, leg) < 0.15 * std::fabs(reached)) break;
    const double margin = lifted_margin(plan.moved, plan.com, leg);
    double aside = 0;
    for (size_t i = 0; i < plan.home.size(); ++i)
      aside += norm(plan.moved[i] - plan.home[i]) / double(plan.home.size());
    const double score = margin + std::fabs(reached) - aside - 0.1 * low * plan.hip_height;
    if (score > best) best = score, way = reached, homes = plan.moved;
  }
  plan.home = homes;
  return way;
}

}  // namespace

void align_strokes(const Creature& c, const std::vector<double>& standing, WalkBody& body) {
  Poser poser(c);
  poser.stand = standing;
  poser.set(standing);
  const std::vector<double> x0 = poser.x(standing);
  Plan plan;
  Vec3d middle;
  const size_t n = body.legs.size();
  for (size_t i = 0; i < n; ++i) {
    plan.dofs.push_back(body.legs[i].dofs);
    plan.home.push_back(poser.sole(c.legs[i]));
    plan.hip_height += (poser.w.p[size_t(c.legs[i].hip)].z - plan.home[i].z) / double(n);
  }
  plan.com = center_of_mass(poser.model, poser.w);
  // the longest of the ways that the feet went, as far as all can follow
  double way = 0;
  for (size_t i = 0; i < n; ++i) {
    const WalkLeg& leg = body.legs[i];
    const auto sole_at = [&](const std::vector<double>& rest) {
      std::vector<double> v(x0.size(), 0), q = standing;
      for (size_t k = 0; k < leg.dofs.size(); ++k)
        v[size_t(leg.dofs[k])] = rest[k] - 0.5 * (leg.down[k] + leg.up[k]);
      integrate_positions(poser.model, q.data(), v.data(), 1.0, q.data());
      poser.set(q);
      return poser.sole(c.legs[i]);
    };
    way = std::max(way, sole_at(leg.down).x - sole_at(leg.up).x);
  }
  // a leg without load stretches to where its springs rest, toes and all
  const std::vector<const Dof*> dofs = c.dofs();
  for (size_t i = 0; i < n; ++i) {
    const WalkLeg& leg = body.legs[i];
    std::vector<double> v(x0.size(), 0), q = standing;
    for (const int d : leg_dofs(c, c.legs[i]))
      if (dofs[size_t(d)]->spring.type != SpringType::none)
        v[size_t(d)] = dofs[size_t(d)]->spring.rest - x0[size_t(d)];
    for (size_t k = 0; k < leg.dofs.size(); ++k)
      v[size_t(leg.dofs[k])] = 0.5 * (leg.down[k] + leg.up[k]) - x0[size_t(leg.dofs[k])];
    integrate_positions(poser.model, q.data(), v.data(), 1.0, q.data());
    poser.set(q);
    plan.droop.push_back(std::max(plan.home[i].z - poser.sole(c.legs[i]).z, 0.0));
  }
  way = crouch(c, poser, std::min(way, most_stride * plan.hip_height), plan);
  body.stride = std::fabs(way);
  for (const Vec3d& home : plan.home) middle = middle + home * (1.0 / double(n));
  double radius = 0;
  for (const Vec3d& home : plan.home) radius += norm(home - middle) / double(n);

  for (size_t i = 0; i < n; ++i) {
    WalkLeg& leg = body.legs[i];
    const Vec3d arm = plan.home[i] - middle;
    const Vec3d ways[] = {Vec3d(), Vec3d(way, 0, 0),
                          Vec3d(-arm.y, arm.x, 0) * (way / std::max(radius, 1e-12))};
    std::vector<std::vector<double>> stance[3], step[3];
    for (int k = 0; k < 3; ++k) {
      std::vector<double> q = standing;
      fill_program(poser, plan, c.legs[i], i, ways[k], stance_vias, std::size(stance_vias), 0, q, stance[k]);
      fill_program(poser, plan, c.legs[i], i, ways[k], step_vias, std::size(step_vias),
                   own_lift * plan.hip_height + plan.droop[i], q, step[k]);
    }
    const std::vector<double> bend(leg.dofs.size(), 0);
    leg.stance = strokes_through(leg.dofs, stance, bend, stance_vias, std::size(stance_vias), 0);
    leg.step = strokes_through(leg.dofs, step, bend, step_vias, std::size(step_vias), 0);
    for (size_t k = 0; k < leg.dofs.size(); ++k) {
      const size_t d = size_t(leg.dofs[k]);
      leg.down[k] = step[1].back()[d], leg.up[k] = stance[1].back()[d];
    }
  }
  find_homes(c, standing, body);
  const Vec3d trunk = poser.stand_origin(body.trunk);
  for (size_t i = 0; i < n; ++i) body.legs[i].home = plan.home[i] - trunk;
}

}  // namespace legwork
