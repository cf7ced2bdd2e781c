#include "methods/evolve_judge.h"

#include <charconv>
#include <cmath>

#include "base/meter.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "discover/discover.h"
#include "discover/seed.h"
#include "discover/words.h"
#include "formats/toml/creature_toml.h"
#include "methods/discover_problem.h"

namespace legwork {

using evolution::Newborn;

namespace {

constexpr std::uint64_t inner_streams = std::uint64_t(1) << 40;  // random streams of seeds of inner searches

// The lines of a job before the body's text.
struct Job {
  std::uint64_t number = 0;
  std::string inherited, creature;
};
Job parse_job(const std::string& text) {
  const size_t first = text.find('\n'),
               second = text.find('\n', first == std::string::npos ? first : first + 1);
  Job job;
  const char* const begin = text.data();
  if (second == std::string::npos || std::from_chars(begin, begin + first, job.number).ptr != begin + first)
    throw Error({}, "evolve: job", "names no body");
  job.inherited = text.substr(first + 1, second - first - 1);
  job.creature = text.substr(second + 1);
  return job;
}

std::string result_text(const evolution::Outcome& o) {
  return std::to_string(o.evaluations) + " " + to_text(o.score) + " " + to_text(o.distance) + " " +
         to_text(o.speed) + " " + o.controller;
}

// Strength belongs to the body, whose cross-sections set it: a network is searched, not a muscle.
void keep_strength(Problem& problem) {
  for (Parameter& p : problem.parameters)
    if (p.kind == ParameterKind::ks || p.kind == ParameterKind::kd)
      p.variable.lower = p.variable.upper = p.variable.start;
}

}  // namespace

BodyJudge::BodyJudge(World world, const EvolveOptions& options, const Run& run)
    : world_(std::move(world)), options_(options), run_(run) {
  metric_formula(options.metric, 1);  // complains of one that cannot be read
}

Problem BodyJudge::problem_for(const Creature& body) const {
  World world = world_;
  world.body = body;
  DiscoverOptions options;
  options.metric = options_.metric;
  options.seconds = options_.seconds;
  std::vector<std::string> added;
  Problem problem = pose_problem(std::move(world), options, added);
  keep_strength(problem);
  return problem;
}

std::string BodyJudge::job(const Newborn& newborn, const Creature* parent,
                           const std::string& controller) const {
  std::string inherited;
  if (parent && !controller.empty()) try {
      const Problem from = problem_for(*parent), to = problem_for(newborn.body);
      inherited = to_text(carry_over(from, parse_candidate(controller, from), to));
    } catch (const Error&) {  // nothing moves the child: it has lost its last limb
    }
  return std::to_string(newborn.number) + "\n" + inherited + "\n" + write_creature_toml(newborn.body);
}

evolution::Outcome BodyJudge::judge(const std::string& text) const {
  const Job job = parse_job(text);
  const Creature body = parse_creature_toml(job.creature, "body " + std::to_string(job.number));
  evolution::Outcome outcome;
  Problem problem;
  try {
    problem = problem_for(body);
  } catch (const Error&) {
    return outcome;  // nothing can move it, or it can move nowhere
  }
  std::vector<Candidate> seeds;
  if (!job.inherited.empty()) seeds.push_back(parse_candidate(job.inherited, problem));
  DiscoverOptions options;
  options.generation = 16;
  Run inner;
  inner.seed = Random(run_.seed, inner_streams + job.number).bits() >> 1;
  inner.threads = 1;
  inner.stop = run_.stop;
  const Findings found = search_briefly(problem, options, inner, seeds, options_.budget);
  outcome.evaluations = int(found.evaluations);
  if (found.gaits.empty()) {
    outcome.controller = job.inherited;
    return outcome;
  }
  const Record& best = found.gaits.front().record;
  outcome.controller = to_text(best.candidate);
  outcome.score = best.evaluation.score;
  outcome.distance = best.evaluation.distance;
  outcome.speed = best.evaluation.speed;
  return outcome;
}

std::vector<std::string> BodyJudge::operator()(const std::vector<std::string>& jobs) const {
  std::vector<std::string> results(jobs.size());
  parallel_for(int(jobs.size()), run_.threads, [&](int i, int) {
    stop_if_asked(run_);
    results[size_t(i)] = result_text(judge(jobs[size_t(i)]));
  });
  return results;
}

bool BodyJudge::parse_result(const std::string& text, evolution::Outcome& o) {
  const char *at = text.data(), *const end = at + text.size();
  double numbers[4] = {};
  for (double& x : numbers) {
    const auto [next, failed] = std::from_chars(at, end, x);
    if (failed != std::errc() || next == end || *next != ' ' || !std::isfinite(x)) return false;
    at = next + 1;
  }
  o.evaluations = int(numbers[0]);
  o.score = numbers[1], o.distance = numbers[2], o.speed = numbers[3];
  o.controller.assign(at, end);
  return o.evaluations >= 0;
}

}  // namespace legwork
