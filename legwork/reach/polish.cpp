#include "legwork/reach/polish.h"

#include <algorithm>
#include <cmath>

#include "legwork/base/parallel.h"
#include "legwork/dynamics/dynamics.h"
#include "legwork/math/dense.h"
#include "legwork/math/real.h"
#include "legwork/reach/cyclic.h"

namespace legwork::reach {

namespace {

Vec3d rotation_vector(const Mat3d& R) {
  const Vec3d axis{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  const double s = norm(axis) / 2, c = (R(0, 0) + R(1, 1) + R(2, 2) - 1) / 2;
  if (s < 1e-12) return axis * 0.5;
  return axis * (0.5 * atan2(s, c) / s);
}

// Where a foot or a girdle is to be, and how strongly: infinite strength is an equation.
struct Goal {
  int link;
  Vec3d point;                                    // link frame
  Mat3d R;                                        // wanted
  Vec3d p;                                        // wanted place of the point
  double turn, place;                             // strengths; < 0: an equation, 0: free
  Vec3d turn_axes{1, 1, 1}, place_axes{1, 1, 1};  // shares of each axis in a strength
};

// The body's moving coordinates and what holds them.
struct Body {
  const Creature& creature;
  Model<double> model;
  std::vector<double> lower, upper, weight;  // nv; weight 0: held
  std::vector<int> q_of_v;                   // -1 for the root's and balls' turns
  double length = 1;                         // m

  Body(const Creature& c, const Problem& p) : creature(c), model(make_model(c)) {
    const int nv = model.nv;
    lower.assign(size_t(nv), -unlimited), upper.assign(size_t(nv), unlimited), weight.assign(size_t(nv), 0);
    q_of_v.assign(size_t(nv), -1);
    int q = 0, v = 0;
    length = std::max(p.girdles[0].girdle.limb.hip_height, 1e-6);
    std::vector<char> moves(c.links.size(), 0);
    for (const GirdleProblem& g : p.girdles)
      for (const int leg : {g.girdle.right, g.girdle.left})
        for (int link = c.legs[size_t(leg)].foot; link >= 0 && link != g.girdle.link;
             link = c.links[size_t(link)].parent)
          moves[size_t(link)] = 1;
    for (size_t i = 0; i < c.links.size(); ++i)
      for (const Joint& joint : c.links[i].joints) {
        for (int k = 0; k < nv_of(joint); ++k) {
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
          if (!moves[i]) continue;
          // a path's coordinate counts as the angle that it turns through
          const double turn =
              joint.type == JointType::keyframed ? std::max(0.1, path_turn(joint.paths[size_t(k)]) / 2) : 1;
          weight[at] = 0.3 * turn * turn;
        }
        q += nq(joint), v += nv_of(joint);
      }
    for (const GirdleProblem& g : p.girdles) {
      for (const Trunk::Joint& j : g.trunk.joints) weight[size_t(j.v)] = 1;
      for (const Fdof& f : g.girdle.limb.fdofs)
        if (!f.used && f.q >= 0 && f.part < 0)
          for (size_t d = 0; d < q_of_v.size(); ++d)
            if (q_of_v[d] == g.girdle.limb.coordinates[size_t(f.q)] ||
                q_of_v[d] == g.girdle.left_coordinates[size_t(f.q)])
              weight[d] = 0;
    }
  }
  static int nv_of(const Joint& joint) { return legwork::nv(joint); }
  static double path_turn(const Keyframes& k) {
    const auto size = [](const std::array<double, 6>& a) {
      return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    };
    return size(k.min) + size(k.max);
  }
};

// Coordinates that may move.
std::vector<int> moving(const Body& body) {
  std::vector<int> free;
  for (int i = 0; i < body.model.nv; ++i)
    if (body.weight[size_t(i)] > 0) free.push_back(i);
  return free;
}

// Equations A d = r of a frame's Newton step.
struct Equations {
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> residuals;
};
// What the goals say about a move d of the free coordinates: soft ones are added to H d = g, equations to
// `equations`, or with the strength `hard` (for places; turns count as a length's) to H and g where it is
// null.
void add_goals(const Body& body, const std::vector<Goal>& goals, const std::vector<int>& free,
               const std::vector<double>& q, double hard, Equations* equations, Eigen::MatrixXd& H,
               Eigen::VectorXd& g) {
  const Model<double>& m = body.model;
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

// One Newton step: returns the largest residual of the equations before it.
double step(const Body& body, const std::vector<Goal>& goals, const std::vector<double>& reference,
            double pull, double give, std::vector<double>& q) {
  const Model<double>& m = body.model;
  const int nv = m.nv;
  std::vector<double> back(static_cast<size_t>(nv));
  difference_positions(m, q.data(), reference.data(), back.data());
  const std::vector<int> free = moving(body);
  const int n = int(free.size());
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(n);
  for (int a = 0; a < n; ++a) {
    const double weight = body.weight[size_t(free[size_t(a)])];
    H(a, a) = std::max(pull, 1e-6) * weight;
    g(a) = pull * weight * back[size_t(free[size_t(a)])];
  }
  Equations equations;
  add_goals(body, goals, free, q, 0, &equations, H, g);
  const std::vector<Eigen::VectorXd>& rows = equations.rows;
  const std::vector<double>& residuals = equations.residuals;
  double worst = 0;
  for (const double r : residuals) worst = std::max(worst, std::fabs(r));
  const int e = int(rows.size());
  Eigen::MatrixXd A(e, n);
  Eigen::VectorXd r(e);
  for (int k = 0; k < e; ++k) A.row(k) = rows[size_t(k)], r(k) = residuals[size_t(k)];

  // Ranges: coordinates that would leave theirs are put at its end, and the rest is solved again.
  Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
  std::vector<char> fixed(size_t(n), 0);
  Eigen::VectorXd at = Eigen::VectorXd::Zero(n);
  for (int round = 0; round < 6; ++round) {
    Eigen::MatrixXd K = H;
    Eigen::VectorXd h = g;
    for (int a = 0; a < n; ++a)
      if (fixed[size_t(a)]) K(a, a) += 1e6, h(a) += 1e6 * at(a);
    // K d - A' l = h, A d = r, a little compliance where equations contradict each other
    const Cholesky factor(K);
    const Eigen::MatrixXd KA = factor.solve(Eigen::MatrixXd(A.transpose()));
    const Eigen::VectorXd Kh = factor.solve(h);
    Eigen::MatrixXd S = A * KA;
    const double give_all = give * (e > 0 ? S.trace() / e : 1);
    for (int k = 0; k < e; ++k) S(k, k) += give_all + 1e-9 * (1 + S(k, k));
    d = Kh;
    if (e > 0) d += KA * solve_symmetric(S, r - A * Kh);
    bool more = false;
    for (int a = 0; a < n; ++a) {
      const size_t i = size_t(free[size_t(a)]);
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
  std::vector<double> move(size_t(nv), 0);
  const double largest = d.cwiseAbs().maxCoeff(), limit = largest > 0.5 ? 0.5 / largest : 1;
  for (int a = 0; a < n; ++a) move[size_t(free[size_t(a)])] = d(a) * limit;
  integrate_positions(m, q.data(), move.data(), 1.0, q.data());
  for (int i = 0; i < nv; ++i)
    if (body.q_of_v[size_t(i)] >= 0) {
      double& x = q[size_t(body.q_of_v[size_t(i)])];
      if (body.weight[size_t(i)] > 0) x = std::clamp(x, body.lower[size_t(i)], body.upper[size_t(i)]);
    }
  return worst;
}

// The course as numbers over time: the root's place less even travel, its rotation vector, all coordinates.
struct Course {
  int nq;
  double stride;
  std::vector<std::vector<double>> rows;  // frames x (6 + nq - 7)

  Course(const std::vector<std::vector<double>>& q, double stride) : nq(int(q[0].size())), stride(stride) {
    for (size_t f = 0; f < q.size(); ++f) {
      std::vector<double> row{q[f][0] - stride * double(f) / double(q.size()), q[f][1], q[f][2]};
      const Vec3d turn = rotation_vector(matrix(Quatd{q[f][3], q[f][4], q[f][5], q[f][6]}));
      row.insert(row.end(), {turn.x, turn.y, turn.z});
      row.insert(row.end(), q[f].begin() + 7, q[f].end());
      rows.push_back(std::move(row));
    }
  }

  // Left and right alike half a stride apart.
  void mirror(const std::vector<int>& twin, const std::vector<double>& sign) {
    const size_t n = rows.size();
    if (n % 2) return;
    const std::vector<std::vector<double>> old = rows;
    for (size_t f = 0; f < n; ++f)
      for (size_t c = 0; c < rows[0].size(); ++c)
        rows[f][c] = (old[f][c] + sign[c] * old[(f + n / 2) % n][size_t(twin[c])]) / 2;
  }

  std::vector<double> configuration(size_t f) const {
    const std::vector<double>& row = rows[f];
    const Vec3d turn{row[3], row[4], row[5]};
    const double angle = norm(turn), s = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
    std::vector<double> q{row[0] + stride * double(f) / double(rows.size()),
                          row[1],
                          row[2],
                          cos(angle / 2),
                          turn.x * s,
                          turn.y * s,
                          turn.z * s};
    q.insert(q.end(), row.begin() + 6, row.end());
    return q;
  }
};

void measure_feet(const Body& body, const std::vector<Goal>& goals, const std::vector<double>& q,
                  double& place, double& turn) {
  Workspace<double> w(body.model);
  update_positions(body.model, q.data(), w);
  for (const Goal& g : goals) {
    if (g.place >= 0) continue;
    place = std::max(place, norm(g.p - point_position(w, g.link, g.point)));
    if (g.turn < 0) turn = std::max(turn, norm(rotation_vector(g.R * transpose(w.R[size_t(g.link)]))));
  }
}

// The ends of ranges as walls of a primal-dual interior-point method: room * push tends to mu.
struct Walls {
  double mu = 0;
  std::array<Eigen::MatrixXd, 2> push;  // of the lower and the upper end; frames x free coordinates

  static double scale(const Body& body, int i) {
    const double range = body.upper[size_t(i)] - body.lower[size_t(i)];
    return body.weight[size_t(i)] * range * range;
  }
  // Distance from an end; none where there is no end.
  static double room(const Body& body, int i, bool upper, const std::vector<double>& q) {
    const int c = body.q_of_v[size_t(i)];
    const double end = upper ? body.upper[size_t(i)] : body.lower[size_t(i)];
    if (c < 0 || !std::isfinite(body.upper[size_t(i)] - body.lower[size_t(i)])) return -1;
    return upper ? end - q[size_t(c)] : q[size_t(c)] - end;
  }

  // Moves all frames inside, and sets the pushes that belong to mu.
  Walls(const Body& body, const std::vector<int>& free, double mu, std::vector<std::vector<double>>& q)
      : mu(mu) {
    constexpr double inside = 0.01;
    for (auto& p : push) p = Eigen::MatrixXd::Zero(Eigen::Index(q.size()), Eigen::Index(free.size()));
    for (size_t f = 0; f < q.size(); ++f)
      for (size_t k = 0; k < free.size(); ++k) {
        const size_t i = size_t(free[k]);
        if (room(body, int(i), true, q[f]) == -1) continue;
        const double range = body.upper[i] - body.lower[i];
        double& x = q[f][size_t(body.q_of_v[i])];
        x = std::clamp(x, body.lower[i] + inside * range, body.upper[i] - inside * range);
        for (const bool upper : {false, true})
          push[upper](Eigen::Index(f), Eigen::Index(k)) =
              mu * scale(body, int(i)) / room(body, int(i), upper, q[f]);
      }
  }

  // How much of a step d stays inside; the pushes follow it.
  double step(const Body& body, const std::vector<int>& free, const std::vector<std::vector<double>>& q,
              const Eigen::VectorXd& d) {
    constexpr double most = 0.95;
    const Eigen::Index n = Eigen::Index(free.size());
    const double largest = d.cwiseAbs().maxCoeff();
    double limit = largest > 0.5 ? 0.5 / largest : 1, limit_push = 1;
    std::array<Eigen::MatrixXd, 2> change = push;
    for (size_t f = 0; f < q.size(); ++f)
      for (Eigen::Index k = 0; k < n; ++k)
        for (const bool upper : {false, true}) {
          const Eigen::Index row = Eigen::Index(f);
          const int i = free[size_t(k)];
          const double space = room(body, i, upper, q[f]), z = push[upper](row, k);
          if (space <= 0) continue;
          const double toward = upper ? d(row * n + k) : -d(row * n + k);
          if (toward * limit > most * space) limit = most * space / toward;
          const double dz = mu * scale(body, i) / space - z + z / space * toward;
          change[upper](row, k) = dz;
          if (-dz * limit_push > most * z) limit_push = -most * z / dz;
        }
    for (const bool upper : {false, true}) push[upper] += limit_push * change[upper];
    return limit;
  }
};

// Moves what is aimed at by what equations are still off.
void aim_further(const Body& body, const std::vector<Goal>& goals, const std::vector<double>& q,
                 std::vector<Goal>& aims) {
  Workspace<double> w(body.model);
  update_positions(body.model, q.data(), w);
  for (size_t k = 0; k < goals.size(); ++k) {
    const Goal& g = goals[k];
    if (g.place < 0) aims[k].p += g.p - point_position(w, g.link, g.point);
    if (g.turn < 0) aims[k].R = g.R * transpose(w.R[size_t(g.link)]) * aims[k].R;
  }
}

// One Gauss-Newton step of all frames together: what accelerates is costly, so the body glides through its
// events. Frames are taken in pairs, whose blocks make a ring.
void glide(const Body& body, const std::vector<std::vector<Goal>>& goals,
           const std::vector<std::vector<double>>& start, double stride, int threads, Walls& walls,
           std::vector<std::vector<double>>& q) {
  const Model<double>& m = body.model;
  const std::vector<int> free = moving(body);
  const int frames = int(q.size()), n = int(free.size()), pairs = frames / 2;
  // strengths: of the feet's equations, of the samples' gait, and of the step itself
  constexpr double hard = 3e4, faithful = 0.02, damping = 0.1;
  // acceleration in units that let a motion of two cycles a stride count by its amplitude
  const double per = double(frames) * frames / (16 * pi * pi), share = 18.0 / frames;
  Eigen::VectorXd smooth(n);
  for (int a = 0; a < n; ++a) {
    const int i = free[size_t(a)];
    // even travel above all, then an even root
    const double matters = i == 0 ? 200 : i < 6 ? 5 : 1;
    smooth(a) = share * per * per * body.weight[size_t(i)] * matters;
  }
  Ring ring;
  ring.at.assign(size_t(pairs), Eigen::MatrixXd::Zero(2 * n, 2 * n));
  ring.next.assign(size_t(pairs), Eigen::MatrixXd::Zero(2 * n, 2 * n));
  std::vector<Eigen::VectorXd> gradient(static_cast<size_t>(frames)), bend(static_cast<size_t>(frames));
  parallel_for(frames, threads, [&](int f, int) {
    const auto to = [&](int other) {
      std::vector<double> there = q[size_t((other + frames) % frames)], v(static_cast<size_t>(m.nv));
      there[0] += other < 0 ? -stride : other >= frames ? stride : 0;
      difference_positions(m, q[size_t(f)].data(), there.data(), v.data());
      return v;
    };
    const std::vector<double> before = to(f - 1), after = to(f + 1);
    std::vector<double> back(static_cast<size_t>(m.nv));
    difference_positions(m, q[size_t(f)].data(), start[size_t(f)].data(), back.data());
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd g(n), a(n);
    for (int k = 0; k < n; ++k) {
      const size_t i = size_t(free[size_t(k)]);
      a(k) = before[i] + after[i];
      H(k, k) = (faithful + damping) * body.weight[i];
      g(k) = faithful * body.weight[i] * back[i];
      for (const bool upper : {false, true}) {
        const double room = walls.room(body, int(i), upper, q[size_t(f)]);
        if (room <= 0) continue;
        H(k, k) += walls.push[upper](f, k) / room;
        g(k) += (upper ? -1 : 1) * walls.mu * walls.scale(body, int(i)) / room;
      }
    }
    add_goals(body, goals[size_t(f)], free, q[size_t(f)], hard / (body.length * body.length), nullptr, H, g);
    ring.at[size_t(f / 2)].block(f % 2 * n, f % 2 * n, n, n) += H;
    gradient[size_t(f)] = g, bend[size_t(f)] = a;
  });
  // 1/2 sum |d(f-1) - 2 d(f) + d(f+1) + bend(f)|^2: rows of 6, -4 and 1 around each frame
  const auto couple = [&](int f, int other, double by) {
    const int g = (other + frames) % frames, k = f / 2, l = g / 2;
    Eigen::MatrixXd& block = k == l ? ring.at[size_t(k)] : ring.next[size_t(k)];
    block.block(f % 2 * n, g % 2 * n, n, n).diagonal() += by * smooth;
  };
  Eigen::VectorXd b(frames * n);
  for (int f = 0; f < frames; ++f) {
    const auto bent = [&](int other) -> const Eigen::VectorXd& {
      return bend[size_t((other + frames) % frames)];
    };
    b.segment(f * n, n) = gradient[size_t(f)] - smooth.cwiseProduct(bent(f - 1) - 2 * bent(f) + bent(f + 1));
    couple(f, f, 6), couple(f, f + 1, -4), couple(f, f + 2, 1);
    if (f % 2) couple(f, f - 1, -4);
  }
  const Eigen::VectorXd d = solve(ring, std::move(b));
  const double limit = walls.step(body, free, q, d);
  for (int f = 0; f < frames; ++f) {
    std::vector<double> move(size_t(m.nv), 0);
    for (int k = 0; k < n; ++k) move[size_t(free[size_t(k)])] = d(f * n + k) * limit;
    integrate_positions(m, q[size_t(f)].data(), move.data(), 1.0, q[size_t(f)].data());
  }
}

// For each column of a course the one it mirrors into, and the sign. Coordinates off the legs: bends to the
// side change sign, others stay.
void mirror_columns(const Creature& c, const Problem& p, std::vector<int>& twin, std::vector<double>& sign) {
  const size_t n = size_t(c.nq()) - 1;
  twin.resize(n), sign.assign(n, 1);
  for (size_t i = 0; i < n; ++i) twin[i] = int(i);
  sign[1] = sign[3] = sign[5] = -1;
  for (const GirdleProblem& g : p.girdles) {
    for (size_t k = 0; k < g.girdle.left_coordinates.size(); ++k) {
      const int r = g.girdle.limb.coordinates[k] - 1, l = g.girdle.left_coordinates[k] - 1;
      twin[size_t(r)] = l, twin[size_t(l)] = r;
      sign[size_t(r)] = sign[size_t(l)] = g.girdle.left_sign[k];
    }
    for (const Trunk::Joint& j : g.trunk.joints)
      if (j.sideways) sign[size_t(j.q - 1)] = -1;
  }
}

std::vector<Goal> goals_at(const Body& body, const Problem& p, const Plan& plan, double phase) {
  std::vector<Goal> goals;
  const double length = std::max(p.girdles[0].girdle.limb.hip_height, 1e-6);
  for (const Footfall& f : plan.feet) {
    const Limb& limb = p.girdles[size_t(f.girdle)].girdle.limb;
    const Vec3d sole = f.left ? image(limb.sole) : limb.sole;
    const Placement at = plan.foot_at(f, phase);
    const bool down = plan.stance(f, phase);
    Goal goal{body.creature.legs[size_t(f.leg)].foot, sole, at.R, at.p + at.R * sole, -1, -1};
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

// Prints moved by what their stance feet are off on average: along travel, and sideways alike for left and
// right.
void settle_prints(const Creature& c, const Problem& p, const std::vector<std::vector<double>>& q,
                   Plan& plan) {
  for (size_t g = 0; g < p.girdles.size(); ++g) {
    double forward = 0, outward = 0;
    int count = 0;
    for (size_t f = 0; f < q.size(); ++f) {
      const double phase = double(f) / double(q.size());
      const std::vector<LinkFrame> frames = place(c, q[f]);
      for (const Footfall& foot : plan.feet) {
        if (foot.girdle != int(g) || !plan.stance(foot, phase)) continue;
        const Vec3d off = frames[size_t(c.legs[size_t(foot.leg)].foot)].p - plan.foot_at(foot, phase).p;
        forward += off.x, outward += foot.left ? off.y : -off.y, ++count;
      }
    }
    for (Footfall& foot : plan.feet)
      if (foot.girdle == int(g) && count > 0) {
        if (g > 0) foot.print.p.x += forward / count;
        foot.print.p.y += (foot.left ? 1 : -1) * outward / count;
      }
  }
}

}  // namespace

Polished polish(const Creature& c, const Problem& p, const Plan& plan,
                const std::vector<std::vector<double>>& start, const PolishOptions& options, int threads) {
  const Body body(c, p);
  std::vector<int> twin;
  std::vector<double> sign;
  mirror_columns(c, p, twin, sign);
  const bool alike = std::fabs(plan.timing.contralateral - 0.5) < 1e-9;
  const int n = int(start.size());
  Polished out;
  out.q = start;
  out.plan = plan;
  std::vector<std::vector<Goal>> goals(static_cast<size_t>(n));
  const auto settle = [&](bool sideways) {
    for (int f = 0; f < n; ++f) {
      goals[size_t(f)] = goals_at(body, p, out.plan, double(f) / n);
      for (size_t k = 0; k < plan.feet.size(); ++k) {
        if (plan.feet[k].girdle > 0) goals[size_t(f)][k].place_axes.x = 0;
        if (sideways) goals[size_t(f)][k].place_axes.y = 0;
      }
    }
  };
  // penalties leave a rest, which is added to what is aimed at (method of multipliers)
  const auto smooth = [&] {
    std::vector<std::vector<Goal>> aims = goals;
    Walls walls(body, moving(body), 1e-2, out.q);
    for (int round = 0; round < options.rounds; ++round) {
      glide(body, aims, start, plan.stride, threads, walls, out.q);
      walls.mu = std::max(3e-5, 0.6 * walls.mu);
      if (alike) {
        Course course(out.q, plan.stride);
        course.mirror(twin, sign);
        for (int f = 0; f < n; ++f) out.q[size_t(f)] = course.configuration(size_t(f));
      }
      if (round >= options.rounds - 6)
        for (int f = 0; f < n; ++f) aim_further(body, goals[size_t(f)], out.q[size_t(f)], aims[size_t(f)]);
    }
  };
  // Where the prints of further girdles lie is only known to a box: at first they may slide along travel,
  // then they are put where their feet were on average. Where ranges leave too little for that, sideways as
  // well.
  constexpr double good = 2e-4;  // m
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (attempt > 0 || p.girdles.size() > 1) {
      settle(attempt > 0 && !options.keep_width);
      smooth();
      settle_prints(c, p, out.q, out.plan);
    }
    for (int f = 0; f < n; ++f) goals[size_t(f)] = goals_at(body, p, out.plan, double(f) / n);
    smooth();
    // the equations alone; a little give, so that no frame jumps for what its limbs can hardly reach
    parallel_for(n, threads, [&](int f, int) {
      std::vector<Goal> hard;
      for (const Goal& g : goals[size_t(f)])
        if (g.place < 0) hard.push_back(g);
      const std::vector<double> reference = out.q[size_t(f)];
      for (int k = 0; k < 40; ++k)
        if (step(body, hard, reference, 0, 1e-3, out.q[size_t(f)]) < 1e-10) break;
    });
    out.planted_error = out.planted_angle = 0;
    for (int f = 0; f < n; ++f)
      measure_feet(body, goals[size_t(f)], out.q[size_t(f)], out.planted_error, out.planted_angle);
    if (out.planted_error < good && out.planted_angle < 1e-3) break;
  }
  return out;
}

RootPose girdle_pose(const Girdle& g, const std::vector<LinkFrame>& frames, double travelled) {
  const LinkFrame& f = frames[size_t(g.link)];
  Vec3d at = f.p + f.R * g.limb.root - Vec3d(g.limb.root_stand.x, 0, g.limb.root_stand.z);
  at.x -= travelled;
  return {at, turns_of(f.R * transpose(g.limb.girdle_stand))};
}

std::vector<double> limb_values(const Girdle& g, bool left, const std::vector<double>& q) {
  std::vector<double> values;
  for (const Fdof& f : g.limb.fdofs) {
    if (f.q < 0) {
      values.push_back(0);
    } else if (f.part >= 0) {
      const auto at = [&](int k) {
        const size_t i = size_t(f.q + k);
        return left ? g.left_sign[i] * q[size_t(g.left_coordinates[i])] : q[size_t(g.limb.coordinates[i])];
      };
      values.push_back(rotation_vector(matrix(Quatd{at(0), at(1), at(2), at(3)}))[f.part]);
    } else {
      const size_t i = size_t(f.q);
      values.push_back(left ? g.left_sign[i] * q[size_t(g.left_coordinates[i])]
                            : q[size_t(g.limb.coordinates[i])]);
    }
  }
  return values;
}

Polished sit_and_stand(const Creature& c, const Problem& p, double depth, int frames, int threads,
                       double& reached) {
  (void)threads;
  const Body body(c, p);
  Plan plan;
  plan.timing = {1, 0, 0, 0, frames};
  for (size_t g = 0; g < p.girdles.size(); ++g)
    for (const bool left : {false, true}) {
      const GirdleProblem& girdle = p.girdles[g];
      Footfall f;
      f.girdle = int(g), f.left = left;
      f.leg = left ? girdle.girdle.left : girdle.girdle.right;
      f.print = left ? image(girdle.foot) : girdle.foot;
      f.print.p += Vec3d(girdle.girdle.limb.root_stand.x, 0, girdle.girdle.limb.root_stand.z);
      plan.feet.push_back(f);
    }
  Polished out;
  std::vector<double> q = c.pose("stand");
  const int down = frames / 2;
  double lowest = 0;
  for (int f = 0; f <= down; ++f) {
    const double s = double(f) / down, sunk = depth * s * s * (3 - 2 * s);
    std::vector<Goal> goals = goals_at(body, p, plan, 0);
    for (size_t k = plan.feet.size(); k < goals.size(); ++k) {
      goals[k].p.z *= 1 - sunk;
      goals[k].place *= 100, goals[k].turn *= 10;
    }
    const std::vector<double> reference = q;
    for (int k = 0; k < 12; ++k) step(body, goals, reference, 0.01, 0, q);
    double off = 0, turned = 0;
    measure_feet(body, goals, q, off, turned);
    if (f > 0 && (off > 2e-4 || turned > 1e-3)) break;  // as deep as the ranges let the feet stay
    out.planted_error = std::max(out.planted_error, off),
    out.planted_angle = std::max(out.planted_angle, turned);
    out.q.push_back(q);
    const std::vector<LinkFrame> placed = place(c, q);
    const RootPose pose = girdle_pose(p.girdles[0].girdle, placed, 0);
    lowest = std::max(lowest, -pose.at.z / p.girdles[0].girdle.limb.root_stand.z);
  }
  for (int f = int(out.q.size()) - 2; f >= 0; --f) out.q.push_back(out.q[size_t(f)]);
  reached = lowest;
  return out;
}

}  // namespace legwork::reach
