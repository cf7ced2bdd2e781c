#pragma once
// What a PlantedGait is made of: its timing and the path of its root (planted_root.cpp), where its feet stand
// and how the legs get there (planted_feet.cpp).

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "dynamics/dynamics.h"
#include "life/trunk.h"
#include "modes/leg_path.h"
#include "modes/planted.h"

namespace legwork {

// The trunk of a lively gait and what follows it.
struct PlantedLife {
  MomentumProblem problem;
  MomentumCycle cycle;
  std::optional<TrunkBend> trunk;
  std::vector<int> followers;  // degrees of freedom
  std::vector<double> lead;    // per leg: how much earlier its modes swing it, shares of a cycle
  double natural = 0;          // m/s: speed that the modes alone would give
  std::array<std::vector<double>, 3> wanted;  // of the centre of mass over the cycle, in the path's axes, m
  std::array<std::vector<double>, 3> shift;   // of the root, likewise; upward: in `height`, too
  std::array<std::vector<double>, 3> turn;    // rad
  std::map<int, std::vector<double>> joints;  // what a degree of freedom adds to its rest
};

struct PlantedGait::Parts {
  Parts(const Creature& creature, const Modes& modes, const Limbs& limbs, const std::vector<ModeUse>& uses,
        const PlantedOptions& options, const Terrain& terrain);

  // ---- timing

  // Where leg l is in its cycle, a share of it that begins with touch-down number `cycle`.
  double share(size_t l, double t, long& cycle) const;
  bool stance(size_t l, double t) const;
  void set_up_timing(const std::vector<ModeShape>& shapes);
  void keep_the_beat();
  int cycles_until_all_repeats() const;

  // ---- the root

  LinkFrame path(double t) const;
  GroundSample ground_under(const LinkFrame& at) const;
  double sideways(double t) const;
  LinkFrame root_at(double t) const;
  double reachable(double t, double most);
  void set_up_height();

  // ---- equation 4 on the path

  // Fills y.
  void pose_modes(double t);
  // Fills x and q from y.
  void limit_and_put(double t);
  // Fills y, x, q and w: the modes alone, before legs are led.
  void modal(double t);
  // Fills y, x and q: the gait itself.
  void at(double t);

  // ---- the feet

  void put_plants(double from, double to);
  double wish(const LimbLeg& leg, int dof) const;
  double depth_of(const ContactPoint& point) const;
  LegDemand demand_of(size_t l, double t) const;
  double solve_legs();
  double attempt(const Manner& tried);
  void fit();

  // ---- life (planted_life.cpp)

  void begin_life();
  void keep_the_footfalls();
  void set_up_life();
  double refine_life(double miss);

  double velocity_jump(double seconds);

  Creature creature;
  Modes modes;
  Limbs limbs;
  std::vector<ModeUse> asked, uses;  // uses: with the strides that the manner leaves
  PlantedOptions options;
  Terrain terrain;
  Manner manner;

  Model<double> model;
  JointForces<double> joints;
  Workspace<double> w;
  std::vector<SoftLimit> limits;
  std::vector<char> root;  // nv: whether it is one of the root's own degrees of freedom
  bool free_root = false;
  int root_q = 0, root_v = 0;
  LinkFrame rest;                    // the root in the rest pose, over x = y = 0, lowest foot on z = 0
  std::vector<LinkFrame> rest_foot;  // per leg, the point's place and the foot's axes in the rest pose
  double alignment = 0;              // share of the ground's tilt that the root takes on
  double length = 1;                 // hip height, m

  std::vector<double> phase;   // per leg: its touch-down, share of a cycle
  std::vector<double> height;  // how high the root is over its rest, per sample of the cycle, m
  double natural_speed = 0;    // m/s: speed of the feet with the strides that were asked for
  double speed = 0;            // m/s: speed of the root
  int cycles = 0;              // after which all repeats; 0: never

  std::optional<PlantedLife> life;

  struct Plant {
    LinkFrame foot;  // frame of the foot's point
    Mat3d ground;    // axes there: ahead, left, normal
  };
  std::vector<LegPath> legs;
  std::vector<std::map<long, Plant>> plants;        // per leg, by the number of the stance
  std::vector<const ContactPoint*> trunk_contacts;  // contact points that belong to no leg

  std::vector<double> y, x, q;  // joint coordinates before the limits and after, configuration
  std::vector<double> leg_y;    // the same for one leg
};

// Intervals of a leg's spline in a cycle.
inline constexpr int leg_intervals = 64;
// Share of a cycle during which a foot stays put before and after its stance.
inline constexpr double stance_edge = 1.0 / leg_intervals;

// A share of the shortest rotation from z to a normal.
Mat3d tilt_to(const Vec3d& normal, double share);

}  // namespace legwork
