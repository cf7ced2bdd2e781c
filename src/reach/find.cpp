#include "reach/find.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/meter.h"

namespace legwork::reaching {

namespace {

constexpr int slice_slack = 1;  // boxes by which a further girdle's dual support may differ

// An RD and an RLU of a further girdle that move it on by the dual support.
bool in_step(const Candidates& c, std::uint32_t rd, std::uint32_t rlu) {
  return std::abs(c.slice[rlu] - c.slice[rd] - c.dual_slices) <= slice_slack;
}

std::vector<std::uint32_t> by_cost(const Candidates& c, std::vector<std::uint32_t> list) {
  std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
    return c.cost[a] != c.cost[b] ? c.cost[a] < c.cost[b] : a < b;
  });
  return list;
}

std::vector<char> flags(const Candidates& c) {
  std::vector<char> back(c.size());
  for (const std::uint32_t i : c.back) back[i] = 1;
  return back;
}

}  // namespace

bool has_gait(const Candidates& c) { return !c.back.empty(); }

RootPose root_at(const RootPose& rd, const RootPose& rlu, double duty, double phase) {
  const double dual = duty - 0.5;
  phase -= std::floor(phase);
  const RootPose keys[] = {rd, rlu, image(rd), image(rlu), rd};
  const double times[] = {0, dual, 0.5, 0.5 + dual, 1};
  int k = 0;
  while (k < 3 && phase >= times[k + 1]) ++k;
  const double s = times[k + 1] > times[k] ? (phase - times[k]) / (times[k + 1] - times[k]) : 0;
  const auto mix = [&](double a, double b) { return a + (b - a) * s; };
  const RootPose &a = keys[k], &b = keys[k + 1];
  return {
      {rd.at.x, mix(a.at.y, b.at.y), mix(a.at.z, b.at.z)},
      {mix(a.turns.pitch, b.turns.pitch), mix(a.turns.yaw, b.turns.yaw), mix(a.turns.roll, b.turns.roll)}};
}

void constrain_by_trunk(Problem& p, const Workers& workers) {
  Candidates& first = p.girdles[0].candidates;
  std::vector<char> keep(first.size(), 1);
  for (size_t g = 1; g < p.girdles.size(); ++g) {
    GirdleProblem& other = p.girdles[g];
    // where feet come down along travel is free: the two limbs' middles of all RD lie above one another;
    // those of the best RD, where a stiff trunk cannot make up for the difference
    const auto middle = [&](const Candidates& c) {
      std::vector<std::uint32_t> rds = other.trunk.rigid() ? by_cost(c, c.back) : c.back;
      if (other.trunk.rigid()) rds.resize(rds.size() / 20 + 1);
      double sum = 0;
      for (const std::uint32_t i : rds) sum += c.pose[i].at.x / double(rds.size());
      return sum;
    };
    other.trunk.shift = middle(other.candidates) - middle(first);
    TrunkReach reach(other.trunk, other.candidates, other.boxes, p.trunk_tolerance);
    std::vector<char> reached(other.candidates.size());
    std::unordered_map<std::uint64_t, char> known;  // whether a rounded pose reaches anything
    for (size_t i = 0; i < first.size(); ++i) {
      if (!keep[i]) continue;
      const auto [at, fresh] = known.try_emplace(reach.key(first.pose[i]));
      if (fresh) {
        workers.stop_if_asked();
        const std::vector<std::uint32_t>& list = reach.list(first.pose[i]);
        at->second = !list.empty();
        for (const std::uint32_t k : list) reached[k] = 1;
      }
      keep[i] = at->second;
    }
    other.candidates = filter(other.candidates, other.boxes, p.ways, reached);
  }
  if (p.girdles.size() > 1) first = filter(first, p.girdles[0].boxes, p.ways, keep);
}

// Lists at RD come from those that can be RD, lists at RLU from all.
struct Decoder::Link {
  Link(const Problem& p, const GirdleProblem& g, double phase)
      : candidates(g.candidates),
        back(flags(g.candidates)),
        rd(g.trunk, g.candidates, g.boxes, p.trunk_tolerance, &back),
        rlu(g.trunk, g.candidates, g.boxes, p.trunk_tolerance),
        phase(phase) {}

  const Candidates& candidates;
  std::vector<char> back;
  TrunkReach rd, rlu;
  double phase;  // phase of this girdle's RD
};

Decoder::~Decoder() = default;

Decoder::Decoder(const Problem& p) : problem_(p) {
  const Candidates& first = p.girdles[0].candidates;
  fields_ = {std::max(1, bits_for(first.back.size())), std::max(1, bits_for(first.largest_slice))};
  for (size_t g = 1; g < p.girdles.size(); ++g) {
    links_.push_back(std::make_unique<Link>(p, p.girdles[g], p.ipsilateral * double(g)));
    size_t longest = 1;
    for (size_t i = 0; i < first.size(); i += std::max<size_t>(1, first.size() / 200))
      longest = std::max(longest, links_.back()->rlu.list(first.pose[i]).size());
    for (int k = 0; k < 2; ++k) fields_.push_back(std::max(1, bits_for(longest)));
  }
  genes_ = std::accumulate(fields_.begin(), fields_.end(), 0);
}

Choice Decoder::decode(const BitString& bits) {
  const Candidates& first = problem_.girdles[0].candidates;
  const auto place = [&](int first_bit, int count, size_t n) {
    return size_t(scaled_index(bits.field(first_bit, count), count, n));
  };
  Choice choice;
  const std::uint32_t rd = first.back[place(0, fields_[0], first.back.size())];
  const auto [from, to] = first.partners(rd);
  const auto rlu = std::uint32_t(from + place(fields_[0], fields_[1], to - from));
  choice.events.push_back({rd, rlu});
  choice.error = first.error(rd, rlu);
  int bit = fields_[0] + fields_[1];
  const double dual = problem_.duty - 0.5;
  for (size_t g = 0; g < links_.size(); ++g, bit += 2 * fields_[2 + 2 * g]) {
    Link& link = *links_[g];
    const int n = fields_[2 + 2 * g];
    const auto& at_rd = link.rd.list(root_at(first.pose[rd], first.pose[rlu], problem_.duty, link.phase));
    if (at_rd.empty()) return {};
    const std::uint32_t a = at_rd[place(bit, n, at_rd.size())];
    RootPose later = root_at(first.pose[rd], first.pose[rlu], problem_.duty, link.phase + dual);
    later.at.x += problem_.ways.dual;
    const auto& at_rlu = link.rlu.list(later);
    if (at_rlu.empty()) return {};
    const std::uint32_t b = at_rlu[place(bit + n, n, at_rlu.size())];
    if (!in_step(link.candidates, a, b)) return {};
    choice.events.push_back({a, b});
    choice.error += link.candidates.error(a, b);
  }
  return choice;
}

double Decoder::fitness(const BitString& bits) {
  const Choice choice = decode(bits);
  return choice.valid() ? fitness_of(choice.error) : 0;
}

GeneticResult search_genetic(const Problem& p, const GeneticOptions& options, const Run& run, int search,
                             Meter& meter) {
  Decoder decoder(p);
  if (decoder.genes() > most_genes)
    throw Error({}, "reach",
                "a candidate would need " + std::to_string(decoder.genes()) + " bits of at most " +
                    std::to_string(most_genes),
                "try a coarser --resolution");
  return evolve(
      decoder.genes(), [&](const BitString& bits) { return decoder.fitness(bits); }, options, run, search,
      meter);
}

Found best_of(const Problem& p, const std::vector<GeneticResult>& results) {
  Decoder decoder(p);
  Found found;
  found.fields = decoder.fields();
  found.genetic =
      *std::max_element(results.begin(), results.end(),
                        [](const GeneticResult& a, const GeneticResult& b) { return a.fitness < b.fitness; });
  found.genetic.evaluations = 0;
  for (const GeneticResult& result : results) found.genetic.evaluations += result.evaluations;
  found.choice = decoder.decode(found.genetic.best);
  found.fitness = found.choice.valid() ? fitness_of(found.choice.error) : 0;
  found.nodes = found.genetic.evaluations;
  found.bound = 1;
  return found;
}

namespace {

// The best pair of a and b whose error lies below `best`; lists sorted by rising cost.
struct Pair {
  std::uint32_t rd = 0, rlu = 0;
  double error = 1e300;
};
template <class Allowed>
Pair best_pair(const Candidates& c, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
               double best, const Allowed& allowed, long& nodes) {
  Pair found;
  if (a.empty() || b.empty()) return found;
  const double least = c.cost[b.front()];
  for (const std::uint32_t rd : a) {
    if (c.cost[rd] + least >= best) break;
    for (const std::uint32_t rlu : b) {
      if (c.cost[rd] + c.cost[rlu] >= best) break;
      ++nodes;
      if (!allowed(rd, rlu)) continue;
      const double e = c.error(rd, rlu);
      if (e < best) best = e, found = {rd, rlu, e};
    }
  }
  return found;
}

}  // namespace

// What a second of the budget stands for. A count, not the clock: the same call gives the same gait
// everywhere.
constexpr double work_per_second = 4e7;
constexpr long work_to_list = 8;  // to look up and sort a candidate, in pairs looked at

// Best first: pairs of the first girdle by rising error, each completed by the best pairs of the others.
struct ExactSearch {
  const Problem& p;
  Decoder decoder;
  const Run& how;
  Found found;
  double limit;  // of found.nodes + listing
  long listing = 0;
  std::vector<std::vector<std::uint32_t>> slices;  // candidates of the first girdle in each slice, by cost
  double rest_least = 0;                           // least error of all further girdles together

  ExactSearch(const Problem& problem, const Choice& known, double budget, const Run& run)
      : p(problem), decoder(problem), how(run), limit(budget * work_per_second) {
    if (known.valid()) found.choice = known;
    slices = by_slice(p.girdles[0].candidates);
  }
  bool late() const {
    stop_if_asked(how);
    return double(found.nodes + listing) > limit;
  }

  static std::vector<std::vector<std::uint32_t>> by_slice(const Candidates& c) {
    std::vector<std::vector<std::uint32_t>> out;
    for (size_t s = 0; s + 1 < c.slice_begin.size(); ++s) {
      std::vector<std::uint32_t> list(c.slice_begin[s + 1] - c.slice_begin[s]);
      std::iota(list.begin(), list.end(), c.slice_begin[s]);
      out.push_back(by_cost(c, std::move(list)));
    }
    return out;
  }

  // Least error of one girdle alone, or what is certain when the budget runs out.
  double least_alone(const Candidates& c, int slack, Pair* pair, double best) {
    const auto own = by_slice(c);
    const std::vector<std::uint32_t> rds = by_cost(c, c.back);
    std::vector<double> floor_of(own.size(), 1e300);
    for (size_t s = 0; s < own.size(); ++s)
      if (!own[s].empty()) floor_of[s] = c.cost[own[s].front()];
    double least_rlu = 1e300;
    for (const double f : floor_of) least_rlu = std::min(least_rlu, f);
    for (const std::uint32_t rd : rds) {
      if (c.cost[rd] + least_rlu >= best) break;
      if (late()) return c.cost[rd] + least_rlu;
      for (int s = c.slice[rd] + c.dual_slices - slack; s <= c.slice[rd] + c.dual_slices + slack; ++s) {
        if (s < 0 || s >= int(own.size())) continue;
        const Pair b = best_pair(
            c, {rd}, own[size_t(s)], best, [](auto, auto) { return true; }, found.nodes);
        if (b.error < best) {
          best = b.error;
          if (pair) *pair = b;
        }
      }
    }
    return best;
  }

  // All pairs of the first girdle with an error in [low, high), by rising error.
  std::vector<Pair> pairs(double low, double high) {
    const Candidates& c = p.girdles[0].candidates;
    std::vector<Pair> out;
    for (const std::uint32_t rd : c.back) {
      const size_t s = size_t(c.slice[rd] + c.dual_slices);
      if (s >= slices.size()) continue;
      for (const std::uint32_t rlu : slices[s]) {
        if (c.cost[rd] + c.cost[rlu] >= high) break;
        ++found.nodes;
        const double e = c.error(rd, rlu);
        if (e >= low && e < high) out.push_back({rd, rlu, e});
      }
      if ((out.size() & 4095) == 0 && late()) break;
    }
    std::sort(out.begin(), out.end(), [](const Pair& a, const Pair& b) {
      return a.error != b.error ? a.error < b.error : a.rd != b.rd ? a.rd < b.rd : a.rlu < b.rlu;
    });
    return out;
  }

  void complete(const Pair& hind) {
    const Candidates& first = p.girdles[0].candidates;
    Choice choice;
    choice.events.push_back({hind.rd, hind.rlu});
    choice.error = hind.error;
    for (auto& link : decoder.links_) {
      const RootPose &rd = first.pose[hind.rd], &rlu = first.pose[hind.rlu];
      RootPose later = root_at(rd, rlu, p.duty, link->phase + p.duty - 0.5);
      later.at.x += p.ways.dual;
      const auto a = by_cost(link->candidates, link->rd.list(root_at(rd, rlu, p.duty, link->phase)));
      const auto b = by_cost(link->candidates, link->rlu.list(later));
      listing += work_to_list * long(1 + a.size() + b.size());
      const Pair best = best_pair(
          link->candidates, a, b, found.choice.error - choice.error,
          [&](std::uint32_t x, std::uint32_t y) { return in_step(link->candidates, x, y); }, found.nodes);
      if (best.error >= 1e300) return;
      choice.events.push_back({best.rd, best.rlu});
      choice.error += best.error;
    }
    if (choice.error < found.choice.error) found.choice = choice;
  }

  Found run() {
    const Candidates& first = p.girdles[0].candidates;
    double certain = 0;
    if (p.girdles.size() == 1) {
      Pair pair;
      certain = least_alone(first, 0, &pair, found.choice.error);
      if (pair.error < found.choice.error) {
        found.choice.events = {{pair.rd, pair.rlu}};
        found.choice.error = pair.error;
      }
      certain = std::min(certain, found.choice.error);
    } else {
      for (size_t g = 1; g < p.girdles.size(); ++g)
        rest_least += least_alone(p.girdles[g].candidates, slice_slack, nullptr, 1e300);
      const double hind_least = least_alone(first, 0, nullptr, 1e300);
      certain = hind_least + rest_least;
      // bands of rising error: what lies beyond the best found so far is never looked at
      for (double low = hind_least; low + rest_least < found.choice.error && !late();) {
        const double high = std::min(std::max(low * 1.1, low + 0.5), found.choice.error - rest_least);
        const std::vector<Pair> band = pairs(low, high);
        if (late()) break;
        bool all = true;
        for (const Pair& hind : band) {
          certain = std::max(certain, std::min(hind.error + rest_least, found.choice.error));
          if (hind.error + rest_least >= found.choice.error) break;
          if (late()) {
            all = false;
            break;
          }
          complete(hind);
        }
        if (!all) break;
        low = high;
        certain = std::max(certain, std::min(low + rest_least, found.choice.error));
        if (!(high < 1e299)) break;
      }
    }
    found.fitness = found.choice.valid() ? fitness_of(found.choice.error) : 0;
    found.proven = found.choice.valid() && certain >= found.choice.error * (1 - 1e-12);
    found.bound = found.proven ? found.fitness : fitness_of(std::min(certain, found.choice.error));
    return found;
  }
};

Found find_exact(const Problem& p, const Choice& known, double budget, const Run& run) {
  return ExactSearch(p, known, budget, run).run();
}

}  // namespace legwork::reaching
