#include "reach/reach.h"

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/meter.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "math/curves.h"
#include "math/real.h"
#include "reach/feasible.h"
#include "reach/genetic_jobs.h"
#include "reach/sit.h"
#include "reach/stages.h"
#include "search/crew.h"

namespace legwork::reaching {

namespace {

constexpr double deg = pi / 180;

// Times stages; names of stages may come again and add up.
class StageWatch {
 public:
  StageWatch(Findings& findings, const Run& run) : findings_(findings), run_(run) {}
  void begin(const std::string& stage) {
    end();
    if (!findings_.stopped) stop_if_asked(run_);
    stage_ = stage;
    watch_ = {};
  }
  void end() {
    if (stage_.empty()) return;
    const double s = watch_.seconds();
    const auto same = [&](const auto& other) { return other.first == stage_; };
    const auto at = std::find_if(findings_.seconds.begin(), findings_.seconds.end(), same);
    if (at != findings_.seconds.end())
      at->second += s;
    else
      findings_.seconds.emplace_back(stage_, s);
    stage_.clear();
  }

 private:
  Findings& findings_;
  const Run& run_;
  std::string stage_;
  Stopwatch watch_;
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
    if (hits == 0)
      throw Error({}, "reach: off", "no degree of freedom '" + name + "'", did_you_mean(name, names));
  }
}

void explore_girdle(StageStore* store, const Workers& workers, GirdleProblem& g, const Grid& grid,
                    Findings& r) {
  Fingerprint f;
  f.add("explore 2");
  add(f, g.girdle.limb);
  add(f, g.foot);
  for (const int n : grid.count) f.add(double(n));
  const std::string name = f.name();
  std::string bytes;
  if (store && store->load(name, bytes)) {
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
  g.space = explore(g.girdle.limb, g.foot, grid, workers);
  if (store && grid.total > 20000) {
    Writer out;
    out.put(g.space.unit_length), out.put(g.space.unit_angle);
    for (const auto* column :
         {&g.space.x, &g.space.y, &g.space.z, &g.space.pitch, &g.space.yaw, &g.space.roll})
      out.put(*column);
    store->save(name, out.bytes);
  }
}

void constrain_girdle(StageStore* store, const Workers& workers, const ReachOptions& o, GirdleProblem& g,
                      const Ways& ways, Findings& r) {
  Fingerprint f;
  f.add("constrain 2");
  add(f, g.girdle.limb);
  add(f, g.foot);
  for (const int n : g.space.grid.count) f.add(double(n));
  f.add(double(o.boxes)).add(ways.half).add(o.epsilon);
  const std::string name = f.name();
  std::string bytes;
  if (store && store->load(name, bytes)) {
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
  g.constrained = constrain(g.space, g.boxes, ways.half, o.epsilon * deg, workers);
  if (store) {
    Writer out;
    out.put(g.constrained.sample), out.put(g.constrained.sibling);
    out.put(double(g.constrained.with_siblings));
    store->save(name, out.bytes);
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
double longest_connected(const ReachOptions& o, double asked, Problem& p, const Workers& workers) {
  double low = 0, high = asked;
  for (int k = 0; k < 5; ++k) {
    const double step = (low + high) / 2;
    p.ways = ways_of(step, o.duty, o.step_of);
    bool fits = true;
    for (GirdleProblem& g : p.girdles) {
      const Constrained c = constrain(g.space, g.boxes, p.ways.half, o.epsilon * deg, workers);
      g.candidates = make_candidates(g.girdle.limb, g.space, g.boxes, c, p.ways, p.measure);
      fits = fits && has_gait(g.candidates);
    }
    if (fits) constrain_by_trunk(p, workers);
    for (const GirdleProblem& g : p.girdles) fits = fits && has_gait(g.candidates);
    (fits ? low : high) = step;
  }
  return low;
}

// What the trunk leaves of each girdle's candidates. A tolerance that was not asked for grows by halves where
// it would leave nothing: the polish connects the trunk whatever it was.
void connect(ReachOptions& o, bool may_grow, const Workers& workers, Findings& r) {
  Problem& p = r.problem;
  const auto parted = [&] {
    return std::find_if(p.girdles.begin(), p.girdles.end(),
                        [](const GirdleProblem& g) { return g.candidates.back.empty(); });
  };
  for (constrain_by_trunk(p, workers); parted() != p.girdles.end(); constrain_by_trunk(p, workers)) {
    if (may_grow && widen(o, p)) continue;
    const std::string limb =
        p.girdles[size_t(std::max<std::ptrdiff_t>(1, parted() - p.girdles.begin()))].girdle.limb.name;
    const double longest = longest_connected(o, r.step, p, workers), h = std::max(r.hip_height, 1e-9);
    throw Error({}, "reach: step",
                rounded(r.step) + " m (" + rounded(r.step / h) +
                    "h) is too long for the trunk, which connects no poses of '" +
                    p.girdles[0].girdle.limb.name + "' and '" + limb + "' within " +
                    rounded(o.trunk_tolerance) + " deg",
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
void finish_walk(const World& world, const ReachOptions& o, bool keep_width, const Workers& workers,
                 Findings& r, StageWatch& watch) {
  Problem& p = r.problem;
  Timing timing{o.duty, o.contralateral, o.ipsilateral, o.step_height.meters(r.hip_height), 0};
  const double stride = 2 * p.ways.half;
  r.period =
      o.period > 0 ? o.period : stride / std::sqrt(0.1 * norm(world.gravity) * std::max(r.hip_height, 1e-9));
  timing.frames = std::max(12, 2 * int(std::lround(r.period * world.rate / 2)));
  r.period = timing.frames / world.rate;

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
                                     {.keep_width = keep_width, .keep_trunk = o.keep_trunk}, workers);
    r.q = polished.q;
    r.plan = polished.plan;
    r.planted_error = polished.planted_error, r.planted_angle = polished.planted_angle;
  }
  watch.end();
  r.animated = true;
}

// Feet of the frames against their prints; roots by either limb in dual support; observables.
void measure_walk(const ReachOptions& o, Findings& r) {
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
        by_limb.push_back(want * inverse(at) * link);
      }
      for (const Placement& root : by_limb) {
        const Vec3d d = root * girdle.limb.root - by_limb[0] * girdle.limb.root;
        const Turns t = turns_of(transpose(root.R) * by_limb[0].R);
        dual = std::max(dual, norm(d));
        dual_turn = std::max({dual_turn, std::fabs(t.pitch), std::fabs(t.yaw), std::fabs(t.roll)});
        // the trunk holds the girdle here; its own foot wants it there
        if (g > 0) gap = std::max(gap, norm(root * girdle.limb.root - link * girdle.limb.root));
      }
    }
  }
  r.planted_error = place_off, r.planted_angle = turn_off;
  if (!o.raw) r.dual_error = dual, r.dual_angle = dual_turn, r.trunk_gap = gap;
  double error = 0;
  for (size_t g = 0; g < p.girdles.size(); ++g) {
    const Limb& limb = p.girdles[g].girdle.limb;
    r.girdles[g].observables = observe(limb, roots[g], values[g]);
    const auto at = [&](double phase) { return size_t(std::lround(fraction(phase) * n)) % size_t(n); };
    const double rd = o.ipsilateral * double(g);
    const size_t a = at(rd), b = at(rd + o.duty - 0.5);
    error += gait_terms(roots[g][a], roots[g][b], normalized(limb, values[g][a]),
                        normalized(limb, values[g][b]), p.measure)
                 .weighted(p.measure.weights);
  }
  r.polished_fitness = fitness_of(error);
}

}  // namespace

void check_reach(const Creature& creature) { girdles_of(prepare_body(creature, {}), ""); }

namespace {

// One run, stage by stage; each leaves its part in the findings.
class Stages {
 public:
  Stages(const World& world, const ReachOptions& asked, const Extras& extras, const Run& run)
      : world_(world), asked_(asked), o_(asked), extras_(extras), run_(run), watch_(r_, run) {
    r_.creature = prepare_body(world.body, o_);
  }

  Findings findings() {
    go();
    return std::move(r_);
  }

 private:
  void go() {
    settle();
    explore();
    if (o_.task == Kind::sit_stand) return sit();
    if (o_.stage == Stage::explore) return;
    organise();
    if (o_.stage == Stage::organise) return;
    constrain();
    if (o_.stage == Stage::constrain) return;
    search();
    if (o_.stage == Stage::search) return;
    const bool keep_width = o_.width != "stand" || !extras_.trackway.empty();
    finish_walk(world_, o_, keep_width, run_, r_, watch_);
    measure_walk(o_, r_);
  }

  // Which limbs, and whatever was left to choose.
  void settle() {
    girdles_ = girdles_of(r_.creature, o_.limb == "all" ? "" : o_.limb, o_.foot);
    switch_off(girdles_, o_.off);
    r_.hip_height = hip_height(r_.creature);
    if (!extras_.trackway.empty()) {
      const TrackwayMeasures m = measure_trackway(extras_.trackway, girdles_[0].name);
      o_.step = {m.step, false};
      o_.step_of = StepOf::feet;
      width_ = m.width;
      if (std::isfinite(m.yaw)) o_.foot_yaw = m.yaw / deg;
    } else if (o_.width != "stand") {
      width_ = parse_length(o_.width).meters(r_.hip_height);
    }
    r_.step = o_.step.meters(r_.hip_height);
    if (!(r_.step > 0))
      throw Error({}, "reach: step", to_text(o_.step) + " is no step length: it must be greater than 0",
                  "try 0.4h");
    fine_length_ = o_.length_resolution.meters(r_.hip_height);
    if (o_.resolution == 0) o_.resolution = chosen_resolution(girdles_, fine_length_);
    r_.resolution = o_.resolution;
    if (o_.epsilon == 0) o_.epsilon = 0.75 * o_.resolution;
    if (o_.trunk_tolerance == 0) o_.trunk_tolerance = 1.5 * o_.resolution;
    r_.options = o_;
    check_memory(girdles_, o_, fine_length_);
    p_.ways = ways_of(r_.step, o_.duty, o_.step_of);
    p_.duty = o_.duty;
    p_.ipsilateral = o_.ipsilateral;
    p_.trunk_tolerance = o_.trunk_tolerance * deg;
    p_.measure = {o_.weights, r_.step, (o_.height - 1) * girdles_[0].limb.root_stand.z};
  }

  void explore() {
    watch_.begin("explore");
    Meter meter(run_, "exploring", long(girdles_.size()));
    for (Girdle& girdle : girdles_) {
      GirdleProblem g;
      g.girdle = std::move(girdle);
      g.foot = planted(g.girdle.limb, {o_.foot_yaw * deg, width_});
      const Grid grid = make_grid(g.girdle.limb, o_.resolution * deg, fine_length_);
      explore_girdle(extras_.store, run_, g, grid, r_);
      r_.girdles.emplace_back();
      tell_girdle(g, r_.girdles.back());
      p_.girdles.push_back(std::move(g));
      meter.advance();
      stop_if_asked(run_);
    }
    watch_.end();
  }

  void sit() {
    watch_.begin("animate");
    const int frames = 2 * int(std::lround(2 * world_.rate));
    const Sitting sat = sit_and_stand(r_.creature, p_, o_.depth, frames);
    r_.q = sat.motion.q, r_.sunk = sat.depth;
    r_.planted_error = sat.motion.planted_error, r_.planted_angle = sat.motion.planted_angle;
    r_.period = (double(r_.q.size()) - 1) / world_.rate;
    r_.animated = true;
    watch_.end();
  }

  void organise() {
    watch_.begin("organise");
    Meter meter(run_, "organising", long(p_.girdles.size()));
    for (size_t k = 0; k < p_.girdles.size(); ++k) {
      GirdleProblem& g = p_.girdles[k];
      g.boxes = reaching::organise(g.space, o_.boxes, run_);
      GirdleResult& out = r_.girdles[k];
      out.extent = g.boxes.upper - g.boxes.lower;
      out.nx = g.boxes.nx, out.ny = g.boxes.ny, out.nz = g.boxes.nz, out.box = g.boxes.size;
      out.alignment = alignment(g.space);
      meter.advance();
    }
    watch_.end();
  }

  void constrain() {
    watch_.begin("constrain");
    Meter meter(run_, "constraining", long(p_.girdles.size()));
    for (size_t k = 0; k < p_.girdles.size(); ++k) {
      GirdleProblem& g = p_.girdles[k];
      constrain_girdle(extras_.store, run_, o_, g, p_.ways, r_);
      g.candidates = make_candidates(g.girdle.limb, g.space, g.boxes, g.constrained, p_.ways, p_.measure);
      r_.girdles[k].constrained = g.constrained.sample.size();
      r_.girdles[k].with_siblings = g.constrained.with_siblings;
      if (!has_gait(g.candidates)) no_gait(p_, o_, g, r_.hip_height, run_);
      meter.advance();
      stop_if_asked(run_);
    }
    for (size_t k = 1; k < p_.girdles.size(); ++k)
      p_.girdles[k].trunk =
          make_trunk(r_.creature, p_.girdles[0].girdle, p_.girdles[k].girdle, o_.trunk_samples);
    connect(o_, may_widen(), run_, r_);
    watch_.end();
  }

  void search() {
    watch_.begin("search");
    if (run_.crew)
      run_.crew->begin("genetic searches",
                       [&](const std::vector<std::string>& jobs) { return do_searches(jobs); });
    const auto find = [&] { r_.genetic = best_of(p_, genetic_searches()); };
    for (find(); may_widen() && !r_.genetic.choice.valid() && widen(o_, p_); find()) {
      connect(o_, true, run_, r_);
      ++widened_;
    }
    r_.fields = r_.genetic.fields;
    r_.searched = true;
    if (o_.solver == Solver::exact && !run_.stopped()) {
      watch_.begin("exact");
      try {
        r_.exact = find_exact(p_, r_.genetic.choice, o_.budget, run_);
        r_.exact_run = true;
      } catch (const Stopped&) {
        if (!run_.keep_partial) throw;
      }
    }
    watch_.end();
    if (run_.stopped()) {
      stop_unless_kept(run_);
      if (!r_.genetic.choice.valid()) throw Stopped{};
      r_.stopped = true;
      o_.raw = true;  // there is no time to polish
    }
    const Choice& choice = r_.exact_run ? r_.exact.choice : r_.genetic.choice;
    if (!choice.valid())
      throw Error({}, "reach",
                  "the search met no gait that the trunk can carry in " +
                      std::to_string(o_.genetic.population) + " x " + std::to_string(o_.genetic.iterations) +
                      " candidates",
                  "try a larger --trunk-tolerance, --solver exact or another --ipsilateral");
    r_.fitness = r_.exact_run ? r_.exact.fitness : r_.genetic.fitness;
  }

  // All of them, on threads or by a crew.
  std::vector<GeneticResult> genetic_searches() {
    const int count = o_.genetic.searches, iterations = std::max(1, o_.genetic.iterations);
    std::vector<GeneticResult> results(static_cast<size_t>(count));
    Meter meter(run_, "searching", long(count) * iterations);
    if (run_.crew) {
      std::vector<std::string> jobs;
      for (int i = 0; i < count; ++i) jobs.push_back(search_job({widened_, i}));
      run_.crew->share(jobs, thread_count(run_.threads), [&](const auto& which, const auto& texts) {
        std::vector<GeneticResult> news(which.size());
        for (size_t k = 0; k < which.size(); ++k)
          if (!parse_search(texts[k], p_, iterations, news[k])) return false;
        for (size_t k = 0; k < which.size(); ++k) results[which[k]] = std::move(news[k]);
        meter.advance(long(which.size()) * iterations);
        return true;
      });
      return results;
    }
    parallel_for(count, run_.threads, [&](int i, int) {
      try {
        results[size_t(i)] = search_genetic(p_, o_.genetic, run_, i, meter);
      } catch (const Stopped&) {  // others may have found something by then
        if (i == 0 || !run_.keep_partial) throw;
      }
    });
    return results;
  }

  // As a member of a crew: the problem as widened as the coordinator's, then the searches.
  std::vector<std::string> do_searches(const std::vector<std::string>& jobs) {
    std::vector<SearchJob> all;
    for (const std::string& job : jobs) all.push_back(parse_search_job(job));
    for (; !all.empty() && widened_ < all.front().widened; ++widened_) {
      widen(o_, p_);
      connect(o_, true, run_, r_);
    }
    Run whole = run_;
    whole.keep_partial = false, whole.progress = nullptr;
    Meter unseen(whole, "searching", 0);
    std::vector<std::string> results(jobs.size());
    parallel_for(int(jobs.size()), run_.threads, [&](int i, int) {
      results[size_t(i)] = search_text(search_genetic(p_, o_.genetic, whole, all[size_t(i)].search, unseen));
    });
    return results;
  }

  // Whether the trunk's tolerance was left to choose.
  bool may_widen() const { return asked_.trunk_tolerance == 0; }

  const World& world_;
  const ReachOptions& asked_;
  ReachOptions o_;  // nothing left to choose
  const Extras& extras_;
  const Run& run_;
  Findings r_;
  Problem& p_ = r_.problem;
  StageWatch watch_;
  std::vector<Girdle> girdles_;
  double width_ = -1, fine_length_ = 0;  // m
  int widened_ = 0;                      // how often the trunk's tolerance grew in the search
};

}  // namespace

Findings find_gait(const World& world, const ReachOptions& asked, const Extras& extras, const Run& run) {
  return Stages(world, asked, extras, run).findings();
}

}  // namespace legwork::reaching
