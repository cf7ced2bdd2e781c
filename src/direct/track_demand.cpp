// Inverse dynamics of a motion, and what the ground could give of it.

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "creature/tree.h"
#include "direct/track.h"
#include "dynamics/dynamics.h"
#include "math/real.h"
#include "math/scalar.h"
#include "motion/support.h"

namespace legwork {

namespace {

constexpr double small = 0.02;       // weights (and weights times heights): a smaller lack is noise
constexpr double low = 0.01;         // heights: points of a standing foot this close to its lowest one bear
constexpr int cone_sides = 8;        // sides of the pyramid inside the friction cone
constexpr double even_share = 1e-6;  // weight of the forces' own squares beside the wrench's

// The trees that nothing but the ground carries: the degrees of freedom that no motor drives, by tree.
std::vector<std::vector<int>> carried_trees(const Creature& c, const Model<double>& model) {
  const std::vector<char> carries = root_dofs(c), motors = motor_dofs(c);
  std::map<int, std::vector<int>> trees;
  for (int j = 0; j < model.nv; ++j)
    if (carries[size_t(j)] && !motors[size_t(j)])
      trees[root_of(c, model.link_of_dof[size_t(j)])].push_back(j);
  std::vector<std::vector<int>> dofs;
  for (const auto& [root, own] : trees) dofs.push_back(own);
  return dofs;
}

// A direction in which the body moves as a whole, of length 1 (turns counted at the body's height), and the
// generalised force along it.
struct Freedom {
  Vec3d lin, ang;
  double force = 0;
};

class Inquiry {
 public:
  Inquiry(const TrackSource& source, const World& world)
      : source_(source),
        world_(world),
        model_(make_model(world.body)),
        w_(model_),
        trees_(carried_trees(world.body, model_)),
        q_(size_t(model_.nq)),
        v_(size_t(model_.nv)),
        a_(size_t(model_.nv)) {
    model_.gravity = world.gravity;
    weight_ = total_mass(model_) * norm(world.gravity);
    if (!(weight_ > 0)) weight_ = total_mass(model_) * 9.81;
    height_ = body_height(world.body);
  }

  Demand at(int frame) {
    source_.frame(frame, q_.data(), v_.data(), a_.data());
    Demand d;
    d.time = source_.time(frame);
    d.tau.resize(v_.size());
    d.force.resize(source_.supports.size());
    update_positions(model_, q_.data(), w_);
    update_velocities(model_, q_.data(), v_.data(), w_);
    clear_forces(model_, w_);
    inverse_dynamics(model_, a_.data(), w_, d.tau.data());
    find_points(d);
    for (const Point& p : points_) d.feet.push_back(p.at);
    if (trees_.size() != 1) return d;  // none: what holds it gives all; several: each would need its own
    const Vec3d com = center_of_mass(model_, w_);
    find_freedoms(d.tau, com);
    for (const Freedom& f : freedoms_)
      d.wanted += f.lin * f.force, d.wanted_moment += f.ang * (f.force * height_);
    find_pressure(d, com);
    share(d, com);
    explain(d);
    return d;
  }

  static double body_height(const Creature& c) {
    const double hips = hip_height(c);
    return std::isfinite(hips) ? hips : cbrt(c.mass() / 1000);
  }
  double weight() const { return weight_; }
  double height() const { return height_; }

 private:
  struct Point {
    int support, link;
    Vec3d at, normal;  // world
  };

  // The wrench about the centre of mass that the motion needs from the ground, along orthonormal directions
  // of the root's freedoms (Gram and Schmidt); what guides it, as a plane does, supplies the rest.
  void find_freedoms(const std::vector<double>& tau, const Vec3d& com) {
    freedoms_.clear();
    for (const int j : trees_[0]) {
      const int link = model_.link_of_dof[size_t(j)];
      const Twist<double> s = shift(w_.S[size_t(j)], com - w_.p[size_t(link)]);
      Freedom f{s.lin, s.ang * height_, tau[size_t(j)]};
      for (const Freedom& other : freedoms_) {
        const double share = dot(f.lin, other.lin) + dot(f.ang, other.ang);
        f.lin -= other.lin * share, f.ang -= other.ang * share, f.force -= other.force * share;
      }
      const double size = std::sqrt(dot(f.lin, f.lin) + dot(f.ang, f.ang));
      freedoms_.push_back({f.lin * (1 / size), f.ang * (1 / size), f.force / size});
    }
  }

  // Points that bear: the lowest of every standing support, and those as low.
  void find_points(Demand& d) {
    points_.clear();
    for (size_t i = 0; i < source_.supports.size(); ++i) {
      const FootSupport& s = source_.supports[i];
      if (!s.down(std::min(d.time, source_.seconds() - 1e-9))) continue;
      double deepest = -unlimited;
      std::vector<std::pair<double, Point>> found;
      for (const int site : s.sites) {
        const ContactPoint& c = world_.body.contacts[size_t(site)];
        const Vec3d p = point_position(w_, c.link, c.pos);
        const GroundDepth depth = ground_depth(source_.terrain(), p, c.radius);
        found.push_back({depth.depth, {int(i), c.link, p - depth.normal * c.radius, depth.normal}});
        deepest = std::max(deepest, depth.depth);
      }
      if (s.sites.empty())
        found.push_back({0, {int(i), s.link, point_position(w_, s.link, s.sole), {0, 0, 1}}}), deepest = 0;
      for (const auto& [depth, point] : found)
        if (depth > deepest - low * height_) points_.push_back(point);
      d.down.push_back(int(i));
    }
  }

  void find_pressure(Demand& d, const Vec3d& com) const {
    if (d.wanted.z < small * weight_ || points_.empty()) return;
    std::vector<Vec3d> feet;
    double ground = 0;
    for (const Point& p : points_) feet.push_back(p.at), ground += p.at.z / double(points_.size());
    const double arm = com.z - ground;
    d.pressure = {com.x - (arm * d.wanted.x + d.wanted_moment.y) / d.wanted.z,
                  com.y - (arm * d.wanted.y - d.wanted_moment.x) / d.wanted.z, ground};
    d.margin = support_margin(convex_hull_2d(feet), d.pressure);
    d.friction = hypot(d.wanted.x, d.wanted.y) / d.wanted.z;
    d.has_pressure = true;
  }

  // min |sum f - F|^2 / weight^2 + |sum r x f - M|^2 / (weight height)^2 and a little |f|^2, inside the
  // cones.
  void share(Demand& d, const Vec3d& com) {
    const int n = 3 * int(points_.size());
    std::vector<double> f(size_t(n), 0.0), row(size_t(n), 0.0);
    if (n > 0) {
      problem_.clear(n);
      for (const Freedom& freedom : freedoms_) {
        for (size_t i = 0; i < points_.size(); ++i) put(row.data(), i, pull_of(freedom, points_[i].at - com));
        problem_.add_cost(row.data(), freedom.force, 1 / (weight_ * weight_));
      }
      problem_.regularize(0, n, even_share / (weight_ * weight_));
      const double mu = world_.contact.friction, inside = mu * cos(pi / cone_sides);
      for (size_t i = 0; i < points_.size(); ++i) {
        const Vec3d& normal = points_[i].normal;
        const Vec3d side =
            normalized(cross(normal, std::abs(normal.x) < 0.7 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0)));
        const Vec3d other = cross(normal, side);
        put(problem_.add_inequality(0, int(i)), i, normal);
        for (int k = 0; k < cone_sides; ++k) {
          const double angle = 2 * pi * k / cone_sides;
          put(problem_.add_inequality(0, int(i)), i,
              normal * inside - side * cos(angle) - other * sin(angle));
        }
      }
      if (problem_.solve(f.data()) != QuadraticOutcome::solved) std::fill(f.begin(), f.end(), 0);
    }
    std::vector<Freedom> missing = freedoms_;
    for (size_t i = 0; i < points_.size(); ++i) {
      const Vec3d force(f[3 * i], f[3 * i + 1], f[3 * i + 2]);
      d.force[size_t(points_[i].support)] += force;
      for (Freedom& freedom : missing) freedom.force -= dot(pull_of(freedom, points_[i].at - com), force);
      add_force(w_, points_[i].link,
                transpose(w_.R[size_t(points_[i].link)]) * (points_[i].at - w_.p[size_t(points_[i].link)]),
                force);
    }
    for (const Freedom& f : missing)
      d.missing += f.lin * f.force, d.missing_moment += f.ang * (f.force * height_);
    // what is missing acts on the root as a hand would, so that the joints carry what the feet get
    inverse_dynamics(model_, a_.data(), w_, d.tau.data());
    for (const int j : trees_[0]) d.tau[size_t(j)] = 0;
  }

  // Force along a freedom of a unit force at an arm from the centre of mass, by its components.
  Vec3d pull_of(const Freedom& f, const Vec3d& arm) const {
    return f.lin + cross(f.ang, arm) * (1 / height_);
  }

  static void put(double* row, size_t point, const Vec3d& v) {
    for (int j = 0; j < 3; ++j) row[3 * point + size_t(j)] = v[j];
  }

  void explain(Demand& d) const {
    const bool short_of_force = norm(d.missing) > small * weight_,
               short_of_moment = norm(d.missing_moment) > small * weight_ * height_;
    if (!short_of_force && !short_of_moment) return;
    const double level = hypot(d.missing_moment.x, d.missing_moment.y);
    if (points_.empty())
      d.reason = Missing::air;
    else if (!d.has_pressure)
      d.reason = Missing::pull;
    else if (d.friction > world_.contact.friction && short_of_force)
      d.reason = Missing::friction;
    else if (d.margin < 0 && (level >= std::abs(d.missing_moment.z) || short_of_force))
      d.reason = Missing::pressure;
    else
      d.reason = Missing::turn;
  }

  const TrackSource& source_;
  const World& world_;
  Model<double> model_;
  Workspace<double> w_;
  std::vector<std::vector<int>> trees_;
  std::vector<Freedom> freedoms_;
  std::vector<double> q_, v_, a_;
  double weight_ = 0, height_ = 0;
  std::vector<Point> points_;
  QuadraticProblem problem_;
};

double amount_of(const Demand& d) {
  switch (d.reason) {
    case Missing::pull:
      return std::max(0.0, -d.wanted.z);
    case Missing::friction:
      return d.friction;
    case Missing::pressure:
      return -d.margin;
    case Missing::turn:
      return std::abs(d.missing_moment.z);
    default:
      return norm(d.missing);
  }
}

}  // namespace

std::string to_string(Missing what) {
  const char* names[] = {"nothing", "air", "pull", "friction", "pressure", "turn"};
  return names[int(what)];
}

std::vector<Demand> find_demands(const TrackSource& source, const World& world) {
  Inquiry inquiry(source, world);
  std::vector<Demand> demands;
  for (int f = 0; f < source.frames(); ++f) demands.push_back(inquiry.at(f));
  return demands;
}

std::vector<Shortfall> find_shortfalls(const std::vector<Demand>& demands, double weight, double height) {
  std::vector<Shortfall> out;
  double worst = 0;
  for (size_t i = 0; i < demands.size(); ++i) {
    const Demand& d = demands[i];
    if (d.reason == Missing::nothing) continue;
    const double severity = norm(d.missing) / weight + norm(d.missing_moment) / (weight * height);
    const bool goes_on = !out.empty() && i > 0 && demands[i - 1].reason == d.reason;
    if (!goes_on) out.push_back({d.time, d.time, d.time, d.reason, 0, 0, 0, {}}), worst = -1;
    Shortfall& s = out.back();
    s.to = d.time;
    if (severity <= worst) continue;
    worst = severity, s.worst_time = d.time, s.down = d.down;
    s.force = norm(d.missing), s.moment = norm(d.missing_moment), s.amount = amount_of(d);
  }
  return out;
}

static std::string three_figures(double x) {
  double part = 1;
  while (std::abs(x) * part < 100 && part < 1e12) part *= 10;
  return to_text(std::round(x * part) / part);
}

static std::string names_of(const TrackSource& source, const std::vector<int>& supports) {
  std::vector<std::string> names;
  for (const int i : supports) names.push_back(source.supports[size_t(i)].name);
  return names.empty() ? "nothing" : join(names, ", ");
}

std::string to_string(const Collapse& collapse, const TrackSource& source, double weight) {
  const auto along = [&](const char* axis, double f) { return axis + (" " + three_figures(f)); };
  return "from " + to_text(std::round(collapse.from * 100) / 100) +
         " s on the motion needed ground forces that the ground did not supply; at " +
         to_text(std::round(collapse.worst_time * 100) / 100) + " s the force missing under " +
         names_of(source, collapse.down) + " was " + along("x", collapse.force.x) + ", " +
         along("y", collapse.force.y) + ", " + along("z", collapse.force.z) + " N, " +
         three_figures(norm(collapse.force) / weight) + " of the weight";
}

std::string to_string(const Shortfall& s, const TrackSource& source, double weight) {
  const auto number = [](double x, double parts) { return to_text(std::round(x * parts) / parts); };
  const std::string under = names_of(source, s.down);
  std::string text = number(s.from, 100) + " to " + number(s.to, 100) + " s: ";
  switch (s.reason) {
    case Missing::air:
      text += "no foot is down, and the motion needs " + number(s.force / weight, 100) +
              " of the weight from the ground";
      break;
    case Missing::pull:
      text += "the ground under " + under + " would have to pull with " + number(s.amount / weight, 100) +
              " of the weight";
      break;
    case Missing::friction:
      text += "the motion needs friction of " + number(s.amount, 100) + " under " + under;
      break;
    case Missing::pressure:
      text += "the centre of pressure would lie " + three_figures(s.amount * 1e3) + " mm outside " + under;
      break;
    default:
      text += "the motion needs " + three_figures(s.amount) + " N m about the vertical from " + under;
  }
  return text + "; missing " + three_figures(s.force) + " N and " + three_figures(s.moment) + " N m at " +
         number(s.worst_time, 100) + " s";
}

}  // namespace legwork
