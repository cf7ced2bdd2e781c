#include "reach/moving_body.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "math/dense.h"

namespace legwork::reaching {

namespace {

constexpr double limb_weight = 0.3;   // weight of a limb's angle beside one of the root or trunk
constexpr double longest_step = 0.5;  // rad or m that one step may change
constexpr double wall = 1e6;          // strength with which a coordinate stays at its range's end

// What a path's coordinate, from -1 to 1, counts as: the angle that it turns through, rad.
double path_turn(const Keyframes& k) {
  const auto size = [](const std::array<double, 6>& a) {
    return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  };
  return std::max(0.1, (size(k.min) + size(k.max)) / 2);
}

// Per link: whether it belongs to a limb.
std::vector<char> limb_links(const Creature& c, const Problem& p) {
  std::vector<char> limb(c.links.size(), 0);
  for (const GirdleProblem& g : p.girdles)
    for (const int leg : {g.girdle.right, g.girdle.left})
      for (int link = c.legs[size_t(leg)].foot; link >= 0 && link != g.girdle.link;
           link = c.links[size_t(link)].parent)
        limb[size_t(link)] = 1;
  return limb;
}

// A frame's linear problem: minimise 1/2 d' H d - g' d under A d = r.
struct FrameProblem {
  Eigen::MatrixXd H, A;
  Eigen::VectorXd g, r;
};

FrameProblem frame_problem(const MovingBody& body, const std::vector<Goal>& goals,
                           const std::vector<double>& reference, double pull, const std::vector<double>& q) {
  const int n = int(body.free.size());
  std::vector<double> back(static_cast<size_t>(body.model.nv));
  difference_positions(body.model, q.data(), reference.data(), back.data());
  FrameProblem p;
  p.H = Eigen::MatrixXd::Zero(n, n);
  p.g = Eigen::VectorXd::Zero(n);
  for (int a = 0; a < n; ++a) {
    const double weight = body.weight[size_t(body.free[size_t(a)])];
    p.H(a, a) = std::max(pull, 1e-6) * weight;
    p.g(a) = pull * weight * back[size_t(body.free[size_t(a)])];
  }
  Equations equations;
  add_goals(body, goals, q, 0, &equations, p.H, p.g);
  const int e = int(equations.rows.size());
  p.A.resize(e, n), p.r.resize(e);
  for (int k = 0; k < e; ++k) p.A.row(k) = equations.rows[size_t(k)], p.r(k) = equations.residuals[size_t(k)];
  return p;
}

// K d - A' l = h, A d = r, a little compliance where equations contradict each other.
Eigen::VectorXd solve(const Eigen::MatrixXd& K, const Eigen::VectorXd& h, const FrameProblem& p,
                      double give) {
  const Eigen::Index e = p.A.rows();
  const Cholesky factor(K);
  const Eigen::MatrixXd KA = factor.solve(Eigen::MatrixXd(p.A.transpose()));
  Eigen::VectorXd d = factor.solve(h);
  if (e == 0) return d;
  Eigen::MatrixXd S = p.A * KA;
  const double give_all = give * (S.trace() / double(e));
  for (Eigen::Index k = 0; k < e; ++k) S(k, k) += give_all + 1e-9 * (1 + S(k, k));
  d += KA * solve_symmetric(S, p.r - p.A * d);
  return d;
}

// With ranges: coordinates that would leave theirs are put at its end, and the rest is solved again.
Eigen::VectorXd solve_in_ranges(const MovingBody& body, const FrameProblem& p, double give,
                                const std::vector<double>& q) {
  const int n = int(body.free.size());
  Eigen::VectorXd d = Eigen::VectorXd::Zero(n), at = Eigen::VectorXd::Zero(n);
  std::vector<char> fixed(size_t(n), 0);
  for (int round = 0; round < 6; ++round) {
    Eigen::MatrixXd K = p.H;
    Eigen::VectorXd h = p.g;
    for (int a = 0; a < n; ++a)
      if (fixed[size_t(a)]) K(a, a) += wall, h(a) += wall * at(a);
    d = solve(K, h, p, give);
    bool more = false;
    for (int a = 0; a < n; ++a) {
      const size_t i = size_t(body.free[size_t(a)]);
      const int c = body.q_of_v[i];
      if (fixed[size_t(a)] || c < 0) continue;
      const double to = q[size_t(c)] + d(a);
      if (to > body.upper[i] + 1e-9)
        fixed[size_t(a)] = 1, at(a) = body.upper[i] - q[size_t(c)], more = true;
      else if (to < body.lower[i] - 1e-9)
        fixed[size_t(a)] = 1, at(a) = body.lower[i] - q[size_t(c)], more = true;
    }
    if (!more) break;
  }
  return d;
}

}  // namespace

MovingBody::MovingBody(const Creature& c, const Problem& p) : creature(c), model(make_model(c)) {
  const size_t nv = size_t(model.nv);
  lower.assign(nv, -unlimited), upper.assign(nv, unlimited), weight.assign(nv, 0), q_of_v.assign(nv, -1);
  length = std::max(p.girdles[0].girdle.limb.hip_height, 1e-6);
  const std::vector<char> in_limb = limb_links(c, p);
  int q = 0, v = 0;
  for (size_t i = 0; i < c.links.size(); ++i)
    for (const Joint& joint : c.links[i].joints) {
      for (int k = 0; k < legwork::nv(joint); ++k) {
        const Dof& dof = joint.dofs[size_t(k)];
        const size_t at = size_t(v + k);
        if (joint.type == JointType::free) {
          weight[at] = k < 3 ? 1 / (length * length) : 1;
          continue;
        }
        if (joint.type != JointType::ball) {
          lower[at] = dof.lower, upper[at] = dof.upper;
          q_of_v[at] = q + k;
        }
        if (!in_limb[i]) continue;
        const double turn = joint.type == JointType::keyframed ? path_turn(joint.paths[size_t(k)]) : 1;
        weight[at] = limb_weight * turn * turn;
      }
      q += nq(joint), v += legwork::nv(joint);
    }
  for (const GirdleProblem& g : p.girdles) {
    for (const Trunk::Joint& j : g.trunk.joints) weight[size_t(j.v)] = 1;
    for (const Fdof& f : g.girdle.limb.fdofs)
      if (!f.used && f.q >= 0 && f.part < 0)
        for (size_t d = 0; d < nv; ++d)
          if (q_of_v[d] == g.girdle.limb.coordinates[size_t(f.q)] ||
              q_of_v[d] == g.girdle.left_coordinates[size_t(f.q)])
            weight[d] = 0;
  }
  for (size_t i = 0; i < nv; ++i)
    if (weight[i] > 0) free.push_back(int(i));
}

std::vector<Goal> goals_at(const MovingBody& body, const Problem& p, const Plan& plan, double phase) {
  std::vector<Goal> goals;
  const double length = body.length;
  for (const Footfall& f : plan.feet) {
    const Limb& limb = p.girdles[size_t(f.girdle)].girdle.limb;
    const Vec3d sole = f.left ? image(limb.sole) : limb.sole;
    const Placement at = plan.foot_at(f, phase);
    const bool down = plan.stance(f, phase);
    Goal goal{body.creature.legs[size_t(f.leg)].foot, sole, at.R, at * sole, -1, -1};
    if (limb.pivots) goal.turn = 0;
    if (!down) goal.place = 30 / (length * length), goal.turn = limb.pivots ? 0 : 0.3;
    goals.push_back(goal);
  }
  const Weights& w = p.measure.weights;
  for (const GirdleProblem& g : p.girdles) {
    const Limb& limb = g.girdle.limb;
    Goal goal{g.girdle.link,
              limb.root,
              limb.girdle_stand,
              limb.root_stand + Vec3d(0, 0, p.measure.target),
              0.5,
              1.5 / (length * length)};
    goal.turn_axes = {w.roll, w.pitch, w.yaw};
    goal.place_axes = {0, w.lateral, w.vertical};
    goals.push_back(goal);
  }
  return goals;
}

void add_goals(const MovingBody& body, const std::vector<Goal>& goals, const std::vector<double>& q,
               double hard, Equations* equations, Eigen::MatrixXd& H, Eigen::VectorXd& g) {
  const Model<double>& m = body.model;
  const std::vector<int>& free = body.free;
  const int nv = m.nv, n = int(free.size());
  Workspace<double> w(m);
  update_positions(m, q.data(), w);
  std::vector<double> J(size_t(6 * nv));
  for (const Goal& goal : goals) {
    point_jacobian(m, w, goal.link, goal.point, J.data());
    const Vec3d turn = rotation_vector(goal.R * transpose(w.R[size_t(goal.link)]));
    const Vec3d shift = goal.p - point_position(w, goal.link, goal.point);
    for (int k = 0; k < 6; ++k) {
      double strength = k < 3 ? goal.turn : goal.place;
      const double share = k < 3 ? goal.turn_axes[k] : goal.place_axes[k - 3];
      if (strength == 0 || share == 0) continue;
      const double r = k < 3 ? turn[k] : shift[k - 3];
      Eigen::VectorXd row(n);
      for (int a = 0; a < n; ++a) row(a) = J[size_t(k * nv + free[size_t(a)])];
      if (strength < 0 && equations) {
        equations->rows.push_back(row);
        equations->residuals.push_back(r);
        continue;
      }
      if (strength < 0) strength = k < 3 ? hard * body.length * body.length : hard;
      H.noalias() += strength * share * row * row.transpose();
      g += strength * share * r * row;
    }
  }
}

double newton_step(const MovingBody& body, const std::vector<Goal>& goals,
                   const std::vector<double>& reference, double pull, double give, std::vector<double>& q) {
  const FrameProblem p = frame_problem(body, goals, reference, pull, q);
  const double worst = p.r.size() > 0 ? p.r.cwiseAbs().maxCoeff() : 0;
  const Eigen::VectorXd d = solve_in_ranges(body, p, give, q);
  std::vector<double> move(size_t(body.model.nv), 0);
  const double largest = d.cwiseAbs().maxCoeff(), limit = largest > longest_step ? longest_step / largest : 1;
  for (size_t a = 0; a < body.free.size(); ++a) move[size_t(body.free[a])] = d(Eigen::Index(a)) * limit;
  integrate_positions(body.model, q.data(), move.data(), 1.0, q.data());
  for (const int i : body.free)
    if (body.q_of_v[size_t(i)] >= 0) {
      double& x = q[size_t(body.q_of_v[size_t(i)])];
      x = std::clamp(x, body.lower[size_t(i)], body.upper[size_t(i)]);
    }
  return worst;
}

void measure_feet(const MovingBody& body, const std::vector<Goal>& goals, const std::vector<double>& q,
                  double& place, double& turn) {
  Workspace<double> w(body.model);
  update_positions(body.model, q.data(), w);
  for (const Goal& g : goals) {
    if (g.place >= 0) continue;
    place = std::max(place, norm(g.p - point_position(w, g.link, g.point)));
    if (g.turn < 0) turn = std::max(turn, norm(rotation_vector(g.R * transpose(w.R[size_t(g.link)]))));
  }
}

void aim_further(const MovingBody& body, const std::vector<Goal>& goals, const std::vector<double>& q,
                 std::vector<Goal>& aims) {
  Workspace<double> w(body.model);
  update_positions(body.model, q.data(), w);
  for (size_t k = 0; k < goals.size(); ++k) {
    const Goal& g = goals[k];
    if (g.place < 0) aims[k].p += g.p - point_position(w, g.link, g.point);
    if (g.turn < 0) aims[k].R = g.R * transpose(w.R[size_t(g.link)]) * aims[k].R;
  }
}

}  // namespace legwork::reaching
