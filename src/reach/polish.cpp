#include "reach/polish.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "math/rotation.h"
#include "reach/glide.h"
#include "reach/moving_body.h"

namespace legwork::reaching {

namespace {

constexpr double first_wall = 1e-2, last_wall = 3e-5,
                 wall_falls = 0.6;  // Walls::mu in the first and the last round, and its factor
constexpr int aiming_rounds = 6;    // the last rounds, which aim
constexpr double good_place = 2e-4, good_turn = 1e-3;  // m, rad off of a planted foot
constexpr int most_attempts = 4;
constexpr double kept_turn = 10, kept_place = 30;  // strengths of a girdle's kept turns and place

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
    const Quatd r = rotation_quaternion(turn);
    const double x = row[0] + stride * double(f) / double(rows.size());
    std::vector<double> q{x, row[1], row[2], r.w, r.x, r.y, r.z};
    q.insert(q.end(), row.begin() + 6, row.end());
    return q;
  }
};

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

// One stride on its way from the samples' gait to the smooth one.
class Polisher {
 public:
  Polisher(const Creature& c, const Problem& p, const Plan& plan,
           const std::vector<std::vector<double>>& start, const PolishOptions& options,
           const Workers& workers)
      : creature_(c),
        problem_(p),
        start_(start),
        options_(options),
        workers_(workers),
        body_(c, p),
        frames_(int(start.size())),
        goals_(start.size()) {
    mirror_columns(c, p, twin_, sign_);
    out_.q = start;
    out_.plan = plan;
  }

  // Where the prints of further girdles lie is only known to a box: at first they may slide along travel,
  // then they are put where their feet were on average. Where ranges leave too little for that, sideways as
  // well.
  Polished make() {
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      if (attempt > 0 || problem_.girdles.size() > 1) {
        ask();
        let_slide(attempt > 0 && !options_.keep_width);
        smooth();
        settle_prints(creature_, problem_, out_.q, out_.plan);
      }
      ask();
      smooth();
      put_on_prints();
      out_.planted_error = out_.planted_angle = 0;
      for (int f = 0; f < frames_; ++f)
        measure_feet(body_, goals_[size_t(f)], out_.q[size_t(f)], out_.planted_error, out_.planted_angle);
      if (out_.planted_error < good_place && out_.planted_angle < good_turn) break;
    }
    return out_;
  }

 private:
  void ask() {
    for (int f = 0; f < frames_; ++f) {
      goals_[size_t(f)] = goals_at(body_, problem_, out_.plan, double(f) / frames_);
      if (options_.keep_trunk) keep_girdles(f);
    }
  }

  // The last goals are the girdles': as they were found. They go straight on, so that travel stays free.
  void keep_girdles(int f) {
    std::vector<Goal>& goals = goals_[size_t(f)];
    const std::vector<LinkFrame> found = place(creature_, start_[size_t(f)]);
    for (size_t g = goals.size() - problem_.girdles.size(); g < goals.size(); ++g) {
      const LinkFrame& girdle = found[size_t(goals[g].link)];
      goals[g].R = girdle.R, goals[g].p = girdle * goals[g].point;
      goals[g].turn_axes = goals[g].place_axes = {1, 1, 1};
      goals[g].place_axes.x = 0;
      goals[g].turn = kept_turn, goals[g].place = kept_place / (body_.length * body_.length);
    }
  }

  // Frees the feet of further girdles along travel, or all sideways.
  void let_slide(bool sideways) {
    for (std::vector<Goal>& goals : goals_)
      for (size_t k = 0; k < out_.plan.feet.size(); ++k) {
        if (out_.plan.feet[k].girdle > 0) goals[k].place_axes.x = 0;
        if (sideways) goals[k].place_axes.y = 0;
      }
  }

  // Penalties leave a rest, which is added to what is aimed at (method of multipliers).
  void smooth() {
    std::vector<std::vector<Goal>> aims = goals_;
    Walls walls(body_, first_wall, out_.q);
    for (int round = 0; round < options_.rounds; ++round) {
      glide(body_, aims, start_, out_.plan.stride, workers_, walls, out_.q);
      walls.mu = std::max(last_wall, wall_falls * walls.mu);
      if (std::fabs(out_.plan.timing.contralateral - 0.5) < 1e-9) make_sides_alike();
      if (round < options_.rounds - aiming_rounds) continue;
      for (size_t f = 0; f < aims.size(); ++f) aim_further(body_, goals_[f], out_.q[f], aims[f]);
    }
  }

  void make_sides_alike() {
    Course course(out_.q, out_.plan.stride);
    course.mirror(twin_, sign_);
    for (size_t f = 0; f < out_.q.size(); ++f) out_.q[f] = course.configuration(f);
  }

  // The equations alone; a little give, so that no frame jumps for what its limbs can hardly reach.
  void put_on_prints() {
    parallel_for(frames_, workers_, [&](int f, int) {
      std::vector<Goal> planted;
      for (const Goal& g : goals_[size_t(f)])
        if (g.place < 0) planted.push_back(g);
      const std::vector<double> reference = out_.q[size_t(f)];
      for (int k = 0; k < 40; ++k)
        if (newton_step(body_, planted, reference, 0, 1e-3, out_.q[size_t(f)]) < 1e-10) break;
    });
  }

  const Creature& creature_;
  const Problem& problem_;
  const std::vector<std::vector<double>>& start_;
  const PolishOptions& options_;
  Workers workers_;
  MovingBody body_;
  int frames_;
  std::vector<std::vector<Goal>> goals_;  // per frame
  std::vector<int> twin_;                 // from mirror_columns
  std::vector<double> sign_;
  Polished out_;
};

}  // namespace

Polished polish(const Creature& c, const Problem& p, const Plan& plan,
                const std::vector<std::vector<double>>& start, const PolishOptions& options,
                const Workers& workers) {
  return Polisher(c, p, plan, start, options, workers).make();
}

RootPose girdle_pose(const Girdle& g, const std::vector<LinkFrame>& frames, double travelled) {
  const LinkFrame& f = frames[size_t(g.link)];
  Vec3d at = f * g.limb.root - Vec3d(g.limb.root_stand.x, 0, g.limb.root_stand.z);
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

}  // namespace legwork::reaching
