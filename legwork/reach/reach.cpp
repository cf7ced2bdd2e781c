#include "legwork/reach/reach.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "legwork/base/text.h"
#include "legwork/dynamics/dynamics.h"
#include "legwork/math/real.h"
#include "legwork/motion/gait.h"
#include "legwork/reach/stages.h"

namespace legwork::reach {

namespace {

constexpr double deg = pi / 180;

std::string rounded(double x, int digits = 3) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int k = 0;
  while (bytes >= 1000 && k < 5) bytes /= 1000, ++k;
  return rounded(bytes) + " " + units[k];
}

// Times stages; names of stages may come again and add up.
class Stopwatch {
 public:
  Stopwatch(Result& result, const Context& context) : result_(result), context_(context) {}
  void begin(const std::string& stage) {
    end();
    stage_ = stage;
    start_ = Clock::now();
    if (context_.begin) context_.begin(stage);
  }
  void end() {
    if (stage_.empty()) return;
    const double s = std::chrono::duration<double>(Clock::now() - start_).count();
    for (auto& [name, seconds] : result_.seconds)
      if (name == stage_) seconds += s, stage_.clear();
    if (!stage_.empty()) result_.seconds.emplace_back(stage_, s);
    stage_.clear();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Result& result_;
  const Context& context_;
  std::string stage_;
  Clock::time_point start_;
};

void switch_off(std::vector<Girdle>& girdles, const std::vector<std::string>& off) {
  std::vector<std::string> names;
  for (const Girdle& g : girdles)
    for (const Fdof& f : g.limb.fdofs) names.push_back(f.name);
  for (const std::string& name : off) {
    if (name == "none") continue;
    int hits = 0;
    for (Girdle& g : girdles)
      for (Fdof& f : g.limb.fdofs)
        if (f.name == name || f.name.find(name) != std::string::npos) f.used = false, ++hits;
    if (hits == 0) throw Error("--off: no degree of freedom '" + name + "'" + did_you_mean(name, names));
  }
}

// Samples of the largest limb, and bytes of all.
struct Need {
  double samples = 0, bytes = 0;
  std::string limb;
};
Need need(const std::vector<Girdle>& girdles, double resolution, double length_resolution) {
  Need sum;
  for (const Girdle& g : girdles) {
    double n = 1;
    for (const Fdof& f : g.limb.fdofs) n *= sample_count(f, resolution * deg, length_resolution);
    sum.bytes += n * peak_bytes_per_sample;
    if (n > sum.samples) sum.samples = n, sum.limb = g.limb.name;
  }
  return sum;
}

// Half degrees from Wills's four on, until no limb has more poses than the largest of the dissertation's, by
// far; fewer on points, where poses of every turn lie close and each finds many partners.
double chosen_resolution(const std::vector<Girdle>& girdles, double length_resolution) {
  const bool points =
      std::any_of(girdles.begin(), girdles.end(), [](const Girdle& g) { return g.limb.pivots; });
  const double most = points ? 2e6 : 8e6;
  double resolution = 4;
  while (resolution < 45 && need(girdles, resolution, length_resolution).samples > most) resolution += 0.5;
  return resolution;
}

// Refuses what cannot be held, before anything is made.
void check_memory(const std::vector<Girdle>& girdles, const ReachOptions& o, double length_resolution) {
  const auto fits = [&](const Need& n) { return n.bytes <= o.memory * 1e9 && n.samples < 4294967295.0; };
  const Need asked = need(girdles, o.resolution, length_resolution);
  if (fits(asked)) return;
  double coarser = o.resolution;
  while (coarser < 90 && !fits(need(girdles, coarser, length_resolution))) coarser += 0.25;
  throw Error("--resolution: " + to_text(o.resolution) + " deg makes " + rounded(asked.samples, 4) +
              " samples of '" + asked.limb + "', and in all would need " + bytes_text(asked.bytes) + " at " +
              std::to_string(peak_bytes_per_sample) + " bytes each; --memory allows " + rounded(o.memory) +
              " GB: try --resolution " + rounded(coarser, 4));
}

// What to say where no gait is left (figure 119 among the reasons).
[[noreturn]] void no_gait(const Problem& p, const ReachOptions& o, const GirdleProblem& g, double hip_height,
                          int threads) {
  const Alignment a = alignment(g.space);
  const double h = std::max(hip_height, 1e-9);
  const std::string who = "reach: limb space of '" + g.girdle.limb.name + "'";
  const double sole = std::fabs((g.foot.p + g.foot.R * g.girdle.limb.sole).y);
  const double longest = longest_step(p, o, threads);
  const double asked = o.step.meters(hip_height);
  // to blame only where the space is long enough for more: insects' splayed legs lie askew and walk
  const bool planar = a.across < 0.35 * a.along && longest < 0.25 * a.along * std::sqrt(12.0);
  const std::string best =
      longest > 0 ? "the longest feasible step is " + rounded(longest) + " m, " + rounded(longest / h) + "h"
                  : std::string();
  if (planar && std::fabs(a.angle) > 8 * deg && std::fabs(a.angle) < 82 * deg)
    throw Error(who + ": planar, but turned by " + rounded(a.angle / deg) +
                " deg from the sagittal plane, so left and right hardly share poses" +
                (best.empty() ? "" : " (" + best + ")") + "; try --foot-yaw " +
                rounded(o.foot_yaw + a.angle / deg));
  if (planar && std::fabs(a.offset) > 2 * a.across + g.boxes.size)
    throw Error(who + ": planar, but " + rounded(std::fabs(a.offset)) + " m beside the sagittal plane" +
                (best.empty() ? "" : " (" + best + ")") + "; try --width " +
                rounded(std::max(0.0, 2 * (sole + a.offset))) + "m");
  if (longest > 0 && longest < asked)
    throw Error("--step: " + rounded(asked) + " m (" + rounded(asked / h) + "h) is too long for '" +
                g.girdle.limb.name + "'; " + best + ": try --step " + rounded(0.99 * longest / h) + "h");
  throw Error(who + ": nothing is left of " + rounded(double(g.space.size()), 4) +
              " samples; try a finer --resolution, a larger --epsilon or fewer --boxes");
}

void explore_girdle(const Context& x, GirdleProblem& g, const Grid& grid, Result& r) {
  Fingerprint f;
  f.add("explore 2");
  add(f, g.girdle.limb);
  add(f, g.foot);
  for (const int n : grid.count) f.add(double(n));
  const std::string name = f.name();
  std::string bytes;
  if (x.store && x.store->load(name, bytes)) {
    Reader in(bytes);
    Space s;
    s.grid = grid;
    in.get(s.unit_length), in.get(s.unit_angle);
    for (auto* column : {&s.x, &s.y, &s.z, &s.pitch, &s.yaw, &s.roll}) in.get(*column);
    if (in.ok && double(s.size()) == grid.total && s.roll.size() == s.size()) {
      g.space = std::move(s);
      r.reused.push_back("explore " + g.girdle.name);
      return;
    }
  }
  g.space = explore(g.girdle.limb, g.foot, grid, x.threads);
  if (x.store && grid.total > 20000) {
    Writer out;
    out.put(g.space.unit_length), out.put(g.space.unit_angle);
    for (const auto* column :
         {&g.space.x, &g.space.y, &g.space.z, &g.space.pitch, &g.space.yaw, &g.space.roll})
      out.put(*column);
    x.store->save(name, out.bytes);
  }
}

void constrain_girdle(const Context& x, const ReachOptions& o, GirdleProblem& g, const Ways& ways,
                      Result& r) {
  Fingerprint f;
  f.add("constrain 2");
  add(f, g.girdle.limb);
  add(f, g.foot);
  for (const int n : g.space.grid.count) f.add(double(n));
  f.add(double(o.boxes)).add(ways.half).add(o.epsilon);
  const std::string name = f.name();
  std::string bytes;
  if (x.store && x.store->load(name, bytes)) {
    Reader in(bytes);
    Constrained c;
    double with = 0;
    in.get(c.sample), in.get(c.sibling), in.get(with);
    c.with_siblings = size_t(with);
    if (in.ok && c.sample.size() == c.sibling.size()) {
      g.constrained = std::move(c);
      r.reused.push_back("constrain " + g.girdle.name);
      return;
    }
  }
  g.constrained = constrain(g.space, g.boxes, ways.half, o.epsilon * deg, x.threads);
  if (x.store) {
    Writer out;
    out.put(g.constrained.sample), out.put(g.constrained.sibling);
    out.put(double(g.constrained.with_siblings));
    x.store->save(name, out.bytes);
  }
}

void tell_girdle(const GirdleProblem& g, GirdleResult& r) {
  r.name = g.girdle.name;
  r.held = g.girdle.limb.held;
  r.samples = double(g.space.size());
  r.bytes = r.samples * bytes_per_sample;
}

// A larger tolerance of the trunk, and all candidates back; false where it would be too large.
bool widen(ReachOptions& o, Problem& p) {
  constexpr double most = 30;  // deg
  if (p.girdles.size() < 2 || 1.5 * o.trunk_tolerance > most) return false;
  o.trunk_tolerance *= 1.5;
  p.trunk_tolerance = o.trunk_tolerance * deg;
  for (GirdleProblem& g : p.girdles)
    g.candidates = make_candidates(g.girdle.limb, g.space, g.boxes, g.constrained, p.ways, p.measure);
  return true;
}

// The longest step for which the trunk connects all girdles, to 1/32 of the one that was asked for; uses up
// the candidates.
double longest_connected(const ReachOptions& o, double asked, Problem& p, int threads) {
  double low = 0, high = asked;
  for (int k = 0; k < 5; ++k) {
    const double step = (low + high) / 2;
    p.ways = ways_of(step, o.duty, o.step_of);
    bool fits = true;
    for (GirdleProblem& g : p.girdles) {
      const Constrained c = constrain(g.space, g.boxes, p.ways.half, o.epsilon * deg, threads);
      g.candidates = make_candidates(g.girdle.limb, g.space, g.boxes, c, p.ways, p.measure);
      fits = fits && has_gait(g.candidates);
    }
    if (fits) constrain_by_trunk(p);
    for (const GirdleProblem& g : p.girdles) fits = fits && has_gait(g.candidates);
    (fits ? low : high) = step;
  }
  return low;
}

// What the trunk leaves of each girdle's candidates. A tolerance that was not asked for grows by halves where
// it would leave nothing: the polish connects the trunk whatever it was.
void connect(ReachOptions& o, bool may_grow, int threads, Result& r) {
  Problem& p = r.problem;
  const auto parted = [&] {
    return std::find_if(p.girdles.begin(), p.girdles.end(),
                        [](const GirdleProblem& g) { return g.candidates.back.empty(); });
  };
  for (constrain_by_trunk(p); parted() != p.girdles.end(); constrain_by_trunk(p)) {
    if (may_grow && widen(o, p)) continue;
    const std::string limb =
        p.girdles[size_t(std::max<std::ptrdiff_t>(1, parted() - p.girdles.begin()))].girdle.limb.name;
    const double longest = longest_connected(o, r.step, p, threads), h = std::max(r.hip_height, 1e-9);
    throw Error("--step: " + rounded(r.step) + " m (" + rounded(r.step / h) +
                "h) is too long for the trunk, which connects no poses of '" + p.girdles[0].girdle.limb.name +
                "' and '" + limb + "' within " + rounded(o.trunk_tolerance) + " deg; " +
                (longest > 0 ? "the longest feasible step is " + rounded(longest) + " m, " +
                                   rounded(longest / h) + "h: try --step " + rounded(longest / h) + "h"
                             : "try a larger --trunk-tolerance or --limb " + p.girdles[0].girdle.name));
  }
  r.options = o;
  for (size_t k = 0; k < p.girdles.size(); ++k) {
    const Candidates& c = p.girdles[k].candidates;
    r.girdles[k].after_trunk = c.size();
    r.girdles[k].back = c.back.size(), r.girdles[k].largest_slice = c.largest_slice;
  }
}

// The searched gait's events, its frames and what can be measured on them.
void finish_walk(const ReachOptions& o, const Context& x, Result& r, Stopwatch& watch) {
  Problem& p = r.problem;
  Timing timing{o.duty, o.contralateral, o.ipsilateral, o.step_height.meters(r.hip_height), 0};
  const double stride = 2 * p.ways.half;
  r.period = o.period > 0 ? o.period : stride / std::sqrt(0.1 * x.gravity * std::max(r.hip_height, 1e-9));
  timing.frames = std::max(12, 2 * int(std::lround(r.period * x.rate / 2)));
  r.period = timing.frames / x.rate;

  watch.begin("animate");
  const Choice& choice = r.exact_run ? r.exact.choice : r.genetic.choice;
  std::vector<LimbKeys> keys;
  double error = 0;
  for (size_t g = 0; g < p.girdles.size(); ++g) {
    LimbKeys k = keys_of(p.girdles[g], choice.events[g], p.ways, timing);
    if (o.refine > 0) {
      Refined refined = refine(p.girdles[g], k, p.ways, p.measure, o.epsilon * deg, o.refine * deg,
                               o.length_resolution.meters(r.hip_height) * o.refine / o.resolution);
      k = refined.keys;
      k.swing = mid_swing(p.girdles[g].girdle.limb, p.girdles[g].foot, k, p.ways, timing.step_height);
    }
    const Limb& limb = p.girdles[g].girdle.limb;
    r.girdles[g].terms =
        gait_terms(k.rd_pose, k.rlu_pose, normalized(limb, k.rd), normalized(limb, k.rlu), p.measure);
    error += r.girdles[g].terms.weighted(p.measure.weights);
    keys.push_back(std::move(k));
  }
  r.refined_fitness = fitness_of(error);
  r.plan = plan_gait(p, keys, timing);
  r.raw = animate(r.creature, p, r.plan);
  r.q = r.raw.q;
  r.dual_error = r.raw.dual_error, r.dual_angle = r.raw.dual_error_angle, r.trunk_gap = r.raw.trunk_gap;
  if (!o.raw) {
    watch.begin("polish");
    const Polished polished = polish(r.creature, p, r.plan, r.raw.q,
                                     {.keep_width = o.width != "stand" || !x.trackway.empty()}, x.threads);
    r.q = polished.q;
    r.plan = polished.plan;
    r.planted_error = polished.planted_error, r.planted_angle = polished.planted_angle;
  }
  watch.end();
  r.animated = true;
}

// Feet of the frames against their prints; roots by either limb in dual support; observables.
void measure_walk(const ReachOptions& o, Result& r) {
  const Problem& p = r.problem;
  const int n = int(r.q.size());
  double place_off = 0, turn_off = 0, dual = 0, dual_turn = 0, gap = 0;
  std::vector<std::vector<RootPose>> roots(p.girdles.size());
  std::vector<std::vector<std::vector<double>>> values(p.girdles.size());
  for (int f = 0; f < n; ++f) {
    const double phase = double(f) / n;
    const std::vector<LinkFrame> frames = place(r.creature, r.q[size_t(f)]);
    for (size_t g = 0; g < p.girdles.size(); ++g) {
      const Girdle& girdle = p.girdles[g].girdle;
      roots[g].push_back(girdle_pose(girdle, frames, phase * r.plan.stride));
      values[g].push_back(limb_values(girdle, false, r.q[size_t(f)]));
      std::vector<Placement> by_limb;
      const LinkFrame& link = frames[size_t(girdle.link)];
      for (const Footfall& foot : r.plan.feet) {
        if (foot.girdle != int(g) || !r.plan.stance(foot, phase)) continue;
        const LinkFrame& at = frames[size_t(r.creature.legs[size_t(foot.leg)].foot)];
        Placement want = r.plan.foot_at(foot, phase);
        const Vec3d sole = foot.left ? image(girdle.limb.sole) : girdle.limb.sole;
        place_off = std::max(place_off, norm(at.p + at.R * sole - want.p - want.R * sole));
        const Turns t = turns_of(transpose(at.R) * want.R);
        // a foot that is a point says only where it stands
        if (girdle.limb.pivots) want.p = want.p + want.R * sole - at.R * sole, want.R = at.R;
        if (!girdle.limb.pivots)
          turn_off = std::max({turn_off, std::fabs(t.pitch), std::fabs(t.yaw), std::fabs(t.roll)});
        by_limb.push_back(want * inverse(Placement{at.R, at.p}) * Placement{link.R, link.p});
      }
      for (const Placement& root : by_limb) {
        const Vec3d d =
            (root.p + root.R * girdle.limb.root) - (by_limb[0].p + by_limb[0].R * girdle.limb.root);
        const Turns t = turns_of(transpose(root.R) * by_limb[0].R);
        dual = std::max(dual, norm(d));
        dual_turn = std::max({dual_turn, std::fabs(t.pitch), std::fabs(t.yaw), std::fabs(t.roll)});
        // the trunk holds the girdle here; its own foot wants it there
        if (g > 0)
          gap = std::max(gap,
                         norm((root.p + root.R * girdle.limb.root) - (link.p + link.R * girdle.limb.root)));
      }
    }
  }
  r.planted_error = place_off, r.planted_angle = turn_off;
  if (!o.raw) r.dual_error = dual, r.dual_angle = dual_turn, r.trunk_gap = gap;
  double error = 0;
  for (size_t g = 0; g < p.girdles.size(); ++g) {
    const Limb& limb = p.girdles[g].girdle.limb;
    r.girdles[g].observables = observe(limb, roots[g], values[g]);
    const auto at = [&](double phase) {
      return size_t(std::lround((phase - std::floor(phase)) * n)) % size_t(n);
    };
    const double rd = o.ipsilateral * double(g);
    const size_t a = at(rd), b = at(rd + o.duty - 0.5);
    error += gait_terms(roots[g][a], roots[g][b], normalized(limb, values[g][a]),
                        normalized(limb, values[g][b]), p.measure)
                 .weighted(p.measure.weights);
  }
  r.polished_fitness = fitness_of(error);
}

}  // namespace

double longest_step(const Problem& p, const ReachOptions& o, int threads) {
  double longest = 1e300;
  for (const GirdleProblem& g : p.girdles) {
    const auto feasible = [&](double step) {
      const Ways ways = ways_of(step, o.duty, o.step_of);
      const Constrained c = constrain(g.space, g.boxes, ways.half, o.epsilon * deg, threads);
      if (c.sample.empty()) return false;
      return has_gait(make_candidates(g.girdle.limb, g.space, g.boxes, c, ways, p.measure));
    };
    double low = 0,
           high = (g.boxes.upper.x - g.boxes.lower.x) * (o.step_of == StepOf::feet ? 0.5 / o.duty : 1);
    for (int k = 0; k < 8; ++k) {
      const double middle = (low + high) / 2;
      (feasible(middle) ? low : high) = middle;
    }
    longest = std::min(longest, low);
  }
  return longest;
}

void check_reach(const Creature& creature) { girdles_of(prepare_body(creature, {}), ""); }

Result run(const Creature& creature, const ReachOptions& asked, const Context& x) {
  ReachOptions o = asked;
  Result r;
  Stopwatch watch(r, x);
  r.creature = prepare_body(creature, o);
  std::vector<Girdle> girdles = girdles_of(r.creature, o.limb == "all" ? "" : o.limb, o.foot);
  switch_off(girdles, o.off);
  r.hip_height = hip_height(r.creature);
  double width = -1;
  if (!x.trackway.empty()) {
    const TrackwayMeasures m = measure_trackway(x.trackway, girdles[0].name);
    o.step = {m.step, false};
    o.step_of = StepOf::feet;
    width = m.width;
    if (std::isfinite(m.yaw)) o.foot_yaw = m.yaw / deg;
  } else if (o.width != "stand") {
    width = parse_length(o.width).meters(r.hip_height);
  }
  r.step = o.step.meters(r.hip_height);
  if (!(r.step > 0)) throw Error("--step: " + to_text(o.step) + " is no way forward; try 0.4h");
  const double fine_length = o.length_resolution.meters(r.hip_height);
  if (o.resolution == 0) o.resolution = chosen_resolution(girdles, fine_length);
  r.resolution = o.resolution;
  if (o.epsilon == 0) o.epsilon = 0.75 * o.resolution;
  if (o.trunk_tolerance == 0) o.trunk_tolerance = 1.5 * o.resolution;
  r.options = o;
  check_memory(girdles, o, fine_length);

  Problem& p = r.problem;
  p.ways = ways_of(r.step, o.duty, o.step_of);
  p.duty = o.duty;
  p.ipsilateral = o.ipsilateral;
  p.trunk_tolerance = o.trunk_tolerance * deg;
  p.measure = {o.weights, r.step, (o.height - 1) * girdles[0].limb.root_stand.z};

  watch.begin("explore");
  for (Girdle& girdle : girdles) {
    GirdleProblem g;
    g.girdle = std::move(girdle);
    g.foot = planted(g.girdle.limb, {o.foot_yaw * deg, width});
    const Grid grid = make_grid(g.girdle.limb, o.resolution * deg, fine_length);
    explore_girdle(x, g, grid, r);
    r.girdles.emplace_back();
    tell_girdle(g, r.girdles.back());
    p.girdles.push_back(std::move(g));
  }
  watch.end();
  if (o.task == Kind::sit_stand) {
    watch.begin("animate");
    const int frames = 2 * int(std::lround(2 * x.rate));
    const Polished sat = sit_and_stand(r.creature, p, o.depth, frames, x.threads, r.sunk);
    r.q = sat.q;
    r.planted_error = sat.planted_error, r.planted_angle = sat.planted_angle;
    r.period = (double(r.q.size()) - 1) / x.rate;
    r.animated = true;
    watch.end();
    return r;
  }
  if (o.stage == Stage::explore) return r;

  const auto stop = [&] { return x.go_on && !x.go_on(); };
  if (stop()) return r;
  watch.begin("organise");
  for (size_t k = 0; k < p.girdles.size(); ++k) {
    GirdleProblem& g = p.girdles[k];
    g.boxes = organise(g.space, o.boxes, x.threads);
    GirdleResult& out = r.girdles[k];
    out.extent = g.boxes.upper - g.boxes.lower;
    out.nx = g.boxes.nx, out.ny = g.boxes.ny, out.nz = g.boxes.nz, out.box = g.boxes.size;
    out.alignment = alignment(g.space);
  }
  watch.end();
  if (o.stage == Stage::organise) return r;

  if (stop()) return r;
  watch.begin("constrain");
  for (size_t k = 0; k < p.girdles.size(); ++k) {
    GirdleProblem& g = p.girdles[k];
    constrain_girdle(x, o, g, p.ways, r);
    g.candidates = make_candidates(g.girdle.limb, g.space, g.boxes, g.constrained, p.ways, p.measure);
    r.girdles[k].constrained = g.constrained.sample.size();
    r.girdles[k].with_siblings = g.constrained.with_siblings;
    if (!has_gait(g.candidates)) no_gait(p, o, g, r.hip_height, x.threads);
  }
  for (size_t k = 1; k < p.girdles.size(); ++k)
    p.girdles[k].trunk = make_trunk(r.creature, p.girdles[0].girdle, p.girdles[k].girdle, o.trunk_samples);
  connect(o, asked.trunk_tolerance == 0, x.threads, r);
  watch.end();
  if (o.stage == Stage::constrain) return r;

  watch.begin("search");
  const auto search = [&] { r.genetic = find_genetic(p, o.genetic, x.seed, x.go_on); };
  for (search(); asked.trunk_tolerance == 0 && !r.genetic.choice.valid() && !stop() && widen(o, p); search())
    connect(o, true, x.threads, r);
  r.fields = r.genetic.fields;
  r.searched = true;
  if (o.solver == Solver::exact) {
    watch.begin("exact");
    r.exact = find_exact(p, r.genetic.choice, o.budget);
    r.exact_run = true;
  }
  watch.end();
  const Choice& choice = r.exact_run ? r.exact.choice : r.genetic.choice;
  if (!choice.valid())
    throw Error("reach: the search met no gait that the trunk can carry in " +
                std::to_string(o.genetic.population) + " x " + std::to_string(o.genetic.iterations) +
                " candidates; try a larger --trunk-tolerance, --solver exact or another --ipsilateral");
  r.fitness = r.exact_run ? r.exact.fitness : r.genetic.fitness;
  if (o.stage == Stage::search) return r;

  finish_walk(o, x, r, watch);
  measure_walk(o, r);
  return r;
}

Motion motion_of(const Result& r, const ReachOptions& o, const Context& x) {
  Motion m;
  m.creature = r.creature;
  m.gravity = x.gravity;
  const std::vector<double> stand = r.creature.pose("stand");
  const bool walks = o.task == Kind::walk && r.animated;
  const int n = int(r.q.size()), strides = walks ? o.strides : 1;
  const int frames = !r.animated ? 1 : walks ? n * strides + 1 : n;
  const Model<double> model = make_model(r.creature);
  for (int f = 0; f < frames; ++f) {
    std::vector<double> q = r.animated ? r.q[size_t(walks ? f % n : f)] : stand;
    if (walks) q[0] += f / n * r.plan.stride;
    m.time.push_back(f / x.rate);
    m.q.insert(m.q.end(), q.begin(), q.end());
  }
  // velocities of central differences
  m.v.assign(size_t(frames) * size_t(model.nv), 0);
  for (int f = 0; f < frames && frames > 1; ++f) {
    const int a = std::max(0, f - 1), b = std::min(frames - 1, f + 1);
    double* v = &m.v[size_t(f) * size_t(model.nv)];
    difference_positions(model, &m.q[size_t(a) * size_t(model.nq)], &m.q[size_t(b) * size_t(model.nq)], v);
    for (int i = 0; i < model.nv; ++i) v[i] *= x.rate / (b - a);
  }
  Workspace<double> w(model);
  Channel com{"center of mass", "m", 3, {}};
  std::vector<Channel> roots;
  for (const GirdleProblem& g : r.problem.girdles)
    for (const char* what : {"pitch", "yaw", "roll"})
      roots.push_back({g.girdle.name + " " + what, "rad", 1, {}});
  for (const GirdleProblem& g : r.problem.girdles)
    for (const char* what : {"sway", "height"}) roots.push_back({g.girdle.name + " " + what, "m", 1, {}});
  for (int f = 0; f < frames; ++f) {
    const double* q = &m.q[size_t(f) * size_t(model.nq)];
    update_positions(model, q, w);
    const Vec3d c = center_of_mass(model, w);
    com.values.insert(com.values.end(), {c.x, c.y, c.z});
    const std::vector<LinkFrame> placed = place(r.creature, std::vector<double>(q, q + model.nq));
    size_t k = 0;
    for (const GirdleProblem& g : r.problem.girdles) {
      const Turns t = girdle_pose(g.girdle, placed, 0).turns;
      for (const double v : {t.pitch, t.yaw, t.roll}) roots[k++].values.push_back(v);
    }
    for (const GirdleProblem& g : r.problem.girdles) {
      const Vec3d at = girdle_pose(g.girdle, placed, 0).at;
      for (const double v : {at.y, at.z}) roots[k++].values.push_back(v);
    }
  }
  m.channels.push_back(std::move(com));
  for (Channel& c : roots) m.channels.push_back(std::move(c));
  return m;
}

}  // namespace legwork::reach
