// legwork discover: give a body, get the ways it can move.

#include "cli/discover.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <legwork/files.h>
#include "archive/ledger.h"
#include "base/meter.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/arguments.h"
#include "cli/discover_page.h"
#include "cli/legacy.h"
#include "cli/motion_file.h"
#include "cli/motion_verb.h"
#include "discover/discover.h"
#include "discover/equip.h"
#include "discover/rollout.h"
#include "discover/seed.h"
#include "discover/words.h"
#include "formats/file.h"
#include "formats/table/follow_file.h"
#include "formats/toml/creature_toml.h"
#include "search/elites.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

struct Choices_ {
  ProblemOptions problem;
  SearchOptions search;
  std::string nodes = "hysteresis", tuner = "ascent";
  std::string follow, archive, seed_from, controller, folder;
  bool scalar = false;
};

template <class Visitor>
void describe(Visitor& v, Choices_& o) {
  v.integer("random", o.search.random, {0, 1e9, "", "random networks to try"});
  v.integer("vary", o.search.vary, {0, 1e9, "", "variations of the best of every kind to try"});
  v.integer("gaits", o.search.gaits, {1, 1000, "", "gaits to keep, at most"});
  v.integer("tune", o.search.tune, {0, 1e6, "", "trials of fine-tuning for each gait"});
  v.choice("tuner", o.tuner,
           {{"ascent", "keep what is better"},
            {"annealing", "at first also what is worse: 65 trials a temperature, each 0.75 of the last"}},
           "how to fine-tune");
  v.text("metric", o.problem.metric, metric_choices(), "what a good motion is");
  v.number("hop_weight", o.problem.hop_weight, {0, 1e6, "1/(m s)", "of height squared in the metric hops"});
  v.number("seconds", o.problem.seconds,
           {0, 3600, "s", "of each evaluation; 0 = what suits the body, mostly 6"});
  v.integer("hidden", o.problem.hidden, {-1, 10000, "", "hidden nodes; -1 = what suits the body"});
  v.number("delay", o.problem.delay, {-1, 100, "s", "of each node; -1 = what suits the body; 0 = none"});
  v.choice("nodes", o.nodes,
           {{"hysteresis", "integrator and hysteresis, figures 6 and 7 of the paper"},
            {"linear", "no delay and no threshold: the creature will come to rest"}},
           "what a node does with its sum");
  v.flag("tune_springs", o.problem.tune_springs,
         "fine-tune passive springs and dampers, too; joints without a spring may grow one");
  v.flag("tune_body", o.problem.tune_body,
         "fine-tune sizes and masses of links, too; stronger muscles weigh more");
  v.number("apart", o.search.apart,
           {0, 10, "1", "descriptor distance at which two motions are of different kinds"});
  v.file("follow", o.follow, "a .csv of time,x,y that drags the point to follow");
  v.file("archive", o.archive,
         "keep every evaluation in this file; a search that was stopped goes on from it");
  v.file("seed_from", o.seed_from,
         "an archive of this or a simpler body's search, whose gaits are tried first");
  v.text("controller", o.controller,
         {{"DIGITS", "weights, and numbers after a colon, as a result tells them"},
          {"ARCHIVE:RANK", "a gait of an archive's gallery"},
          {"ARCHIVE#NUMBER", "any evaluation of an archive"}},
         "no search: run this one");
  v.text("folder", o.folder, {"FOLDER"}, "write every gait to this folder, as gait_01.glb ...");
  v.flag("scalar", o.scalar, "evaluate one at a time instead of eight; the result is the same");
}

std::string percent(double share) { return brief(100 * share) + " %"; }

class Discover : public MotionVerb {
 public:
  std::string name() const override { return "discover"; }
  std::string purpose() const override {
    return "search for the ways a body can move, and show a gallery of them";
  }
  std::string examples() const override {
    return "legwork discover bounder --report gallery.html\n"
           "legwork discover cart --random 2000 --gaits 20 --archive cart.db --folder cart_gaits\n"
           "legwork discover fish --follow curve.csv --controller fish.db:1 --out chase.glb\n"
           "legwork discover luxo --metric hops --hop-weight 20\n"
           "legwork discover walker --metric 'distance / (1 + energy)' --tuner annealing --tune 1000\n"
           "legwork discover --show cart.db --gait 3 --out third.glb";
  }
  const Options& options() const override { return described_; }

  Motion make(const Task& task, StepOptions& step) override {
    const Stopwatch watch;
    make_folder();
    pose(task, step);
    if (!options_.controller.empty()) return single(task);
    search(task);
    seconds_ = watch.seconds();
    if (motions_.empty()) return nothing_found();
    options_.controller = to_text(found_.gaits.front().record.candidate);  // for the motion's own scenario
    return motions_.front();
  }

  Story tell(const Motion& motion, const Task&) const override {
    Story story;
    for (const std::string& line : told_) story.lines.push_back(line);
    if (motions_.empty() && motion.status == Status::ok) return tell_single(motion, story);
    name_gallery(motion);
    tell_search(story);
    return story;
  }

 private:
  // Before the search, so that hours of it do not end in an error.
  void make_folder() const {
    if (options_.folder.empty()) return;
    std::error_code failed;
    fs::create_directories(options_.folder, failed);
    if (failed || !fs::is_directory(options_.folder, failed))
      throw Error("--folder: '" + options_.folder + "' cannot be made: " + failed.message() +
                  "; name another");
  }

  // The body with sensors and actuators in its world.
  void pose(const Task& task, StepOptions& step) {
    World world = task.world;
    Equipped equipped = equip(world.body);
    told_ = equipped.told;
    world.body = std::move(equipped.body);
    const System<double> system = make_system(world);
    step = choose_step(system, task.world.integrator, task.world.dt);
    step.max_gain = largest_gain;
    options_.problem.linear_nodes = options_.nodes == "linear";
    options_.search.tuner = options_.tuner == "annealing" ? ChainType::annealing : ChainType::ascent;
    if (!options_.follow.empty()) options_.problem.follow = read_follow(options_.follow);
    problem_ = make_problem(world, options_.problem, step, task.world.rate);
    problem_.pushes = task.world.pushes;
    step.dt = problem_.step.dt;
  }

  SearchIdentity identity(const Task& task) {
    // all that decides the evaluations, and nothing else
    Choices_ asked = options_;
    options_.archive.clear(), options_.folder.clear(), options_.scalar = false;
    WorldOptions world = in_words(task.world, problem_.step);
    Scenario scenario{"discover",
                      problem_.world.body.name,
                      task.seed,
                      settings_of(Options(world)),
                      settings_of(described_),
                      {},
                      {},
                      {}};
    SearchIdentity id{write_creature_toml(problem_.world.body),
                      scenario_text(scenario, Options(world), described_), version()};
    options_ = std::move(asked);
    return id;
  }

  void search(const Task& task) {
    std::unique_ptr<ArchiveLedger> ledger;
    if (!options_.archive.empty()) {
      ledger = std::make_unique<ArchiveLedger>(options_.archive, identity(task));
      if (ledger->found() > 0)
        told_.push_back("went on from " + std::to_string(ledger->found()) + " evaluations in " +
                        options_.archive);
    }
    if (!options_.seed_from.empty()) {
      options_.search.seeds = seeds_from(options_.seed_from);
      told_.push_back(std::to_string(options_.search.seeds.size()) + " networks taken over from " +
                      options_.seed_from);
    }
    DiscoverHooks hooks;
    hooks.ledger = ledger.get();
    hooks.stop = [&] { return task.run.stopped(); };
    hooks.progress = [&](const char* stage, long now, long total) {
      if (task.run.progress) task.run.progress({stage, now, total});
    };
    try {
      found_ = discover(problem_, options_.search, task.seed, {task.threads, options_.scalar}, hooks);
    } catch (const SearchStopped&) {
      stop_if_interrupted(task);
    }
    std::vector<GaitRecord> records;
    hooks.progress("recording", 0, long(found_.gaits.size()));
    for (FoundGait& g : found_.gaits) {
      motions_.push_back(record_motion(problem_, g.record.candidate));
      g.name = name_gait(problem_, motions_.back(), g.record.evaluation);
      const Evaluation& e = g.record.evaluation;
      records.push_back({int(records.size()) + 1, g.record.number, g.name, e.distance / problem_.seconds,
                         e.period, g.robustness});
      hooks.progress("recording", long(motions_.size()), long(found_.gaits.size()));
    }
    if (ledger) ledger->keep_gaits(records);
  }

  std::vector<Candidate> seeds_from(const std::string& path) const {
    const ArchivedSearch other = read_search(path);
    World world = problem_.world;
    world.body = parse_creature_toml(other.identity.creature, path);
    ProblemOptions options = options_.problem;
    std::vector<Candidate> seeds;
    for (const GaitRecord& g : other.gaits)
      for (const Record& r : other.records)
        if (r.number == g.number) {
          options.hidden = hidden_of(r.candidate.weights.size(), int(world.body.sensors.size()),
                                     int(world.body.actuators.size()));
          const Problem simpler = make_problem(world, options, problem_.step, problem_.rate);
          seeds.push_back(carry_over(simpler, r.candidate, problem_));
        }
    return seeds;
  }

  // ARCHIVE:RANK, ARCHIVE#NUMBER or the candidate itself.
  Candidate controller() const {
    const std::string& text = options_.controller;
    const size_t mark = text.find_last_of(":#");
    std::error_code failed;
    if (mark == std::string::npos || !fs::is_regular_file(text.substr(0, mark), failed))
      return parse_candidate(text, problem_);
    const ArchivedSearch search = read_search(text.substr(0, mark));
    const std::string which = text.substr(mark + 1);
    for (const GaitRecord& g : search.gaits)
      if (text[mark] == ':' && std::to_string(g.rank) == which)
        for (const Record& r : search.records)
          if (r.number == g.number) return parse_candidate(to_text(r.candidate), problem_);
    for (const Record& r : search.records)
      if (text[mark] == '#' && std::to_string(r.number) == which)
        return parse_candidate(to_text(r.candidate), problem_);
    throw Error("--controller: '" + text + "': no such " + (text[mark] == ':' ? "gait" : "evaluation") +
                "; it has " + std::to_string(search.gaits.size()) + " gaits and " +
                std::to_string(search.records.size()) + " evaluations");
  }

  Motion single(const Task& task) {
    const Candidate candidate = controller();
    options_.controller = to_text(candidate);
    Evaluator evaluate(problem_, {1, true});
    single_ = evaluate({candidate}).front();
    Motion motion = record_motion(problem_, candidate);
    stop_if_interrupted(task);
    name_ = name_gait(problem_, motion, single_);
    return motion;
  }

  // The motion of a network without any connection, told as a failure.
  Motion nothing_found() {
    Motion motion =
        record_motion(problem_, {std::vector<std::int8_t>(size_t(problem_.shape.weights()), 0), {}});
    motion.status = Status::stopped;
    motion.status_text =
        "no gait found in " + std::to_string(found_.evaluations) +
        " evaluations; try more --random, other --friction, wider actuator ranges or more strength";
    return motion;
  }

  Story tell_single(const Motion& motion, Story story) const {
    const double speed = single_.distance / problem_.seconds;
    story.lines.push_back(motion.creature.name + " " + name_ + ": " + with_unit(single_.distance, "m") +
                          " in " + brief(problem_.seconds) + " s, " + with_unit(speed, "m/s"));
    story.keys = {{"name", name_},
                  {"score", single_.score},
                  {"distance", single_.distance},
                  {"speed", speed},
                  {"best_speed", speed},
                  {"period", single_.period > 0 ? Json(single_.period) : Json()},
                  {"descriptor", to_json(single_.descriptor)}};
    if (const Channel* follow = motion.channel("follow")) add_pursuit(motion, *follow, story);
    story.panels = gait_panels(problem_, motion, parse_candidate(options_.controller, problem_));
    return story;
  }

  // Distance to the follow point: at the start, mean of the second half.
  static void add_pursuit(const Motion& motion, const Channel& follow, Story& story) {
    const Channel* com = motion.channel("center of mass");
    if (!com || motion.frames() < 2) return;
    const auto apart = [&](int f) {
      const double* a = &com->values[size_t(f) * 3];
      const double* b = &follow.values[size_t(f) * 3];
      return std::hypot(a[0] - b[0], a[1] - b[1]);
    };
    double mean = 0, late = 0;
    const int n = motion.frames();
    for (int f = 0; f < n; ++f) mean += apart(f) / n;
    for (int f = n / 2; f < n; ++f) late += apart(f) / (n - n / 2);
    story.lines.push_back("follow point: " + with_unit(apart(0), "m") + " away at the start, " +
                          with_unit(mean, "m") + " on average, " + with_unit(late, "m") +
                          " in the second half");
    story.keys["follow"] = {{"start", apart(0)}, {"mean", mean}, {"late", late}};
  }

  // Scenarios of all gaits, from the first one's: only the controller differs. From here on the scenario is
  // the search's again, for --save.
  void name_gallery(const Motion& first) const {
    const std::string own = options_.controller;
    options_.controller.clear();
    if (own.empty()) return;
    for (size_t i = 0; i < motions_.size(); ++i) {
      Provenance made = first.made;
      const std::string text = to_text(found_.gaits[i].record.candidate);
      for (size_t at = 0; (at = made.options.find(own, at)) != std::string::npos; at += text.size())
        made.options.replace(at, own.size(), text);
      motions_[i].made = std::move(made);
    }
  }

  std::string file_of(size_t i) const {
    const std::string number = std::to_string(i + 1);
    return (fs::path(options_.folder) /
            ("gait_" + std::string(number.size() < 2 ? "0" : "") + number + ".glb"))
        .string();
  }

  // Simulated in this run, a second.
  double evaluation_rate() const {
    return found_.seconds > 0 ? double(found_.simulated) / found_.seconds : 0;
  }

  void tell_search(Story& story) const {
    story.lines.push_back(
        std::to_string(found_.evaluations) + " evaluations of " + brief(problem_.seconds) + " s, " +
        (found_.simulated > 0 ? brief(evaluation_rate()) + " a second; " : "all from the archive; ") +
        "network: " + std::to_string(problem_.shape.weights()) + " weights, " +
        std::to_string(problem_.parameters.size()) + " numbers to tune");
    story.lines.push_back(percent(found_.useful_share) +
                          " of the random networks are useful (the paper: 1 to 5 %), " +
                          percent(found_.resting_share) + " come to rest; " +
                          std::to_string(found_.diverged) + " candidates gained energy or diverged, " +
                          std::to_string(found_.rejected) + " did not keep their speed at half the step");
    if (problem_.pursues())
      story.lines.push_back("speeds are those towards the point" +
                            (problem_.follow.size() > 1
                                 ? ", mean over " + std::to_string(problem_.follow.size()) + " curves"
                                 : std::string()));
    std::vector<std::vector<std::string>> rows = {
        {"gait", "speed", "untuned", "lengths/s", "Froude", "robust", "untuned", "what it does"}};
    Json gaits = Json::array();
    for (size_t i = 0; i < found_.gaits.size(); ++i) {
      const FoundGait& g = found_.gaits[i];
      rows.push_back(row(i));
      gaits.push_back(keys(i));
      if (!options_.folder.empty()) {
        write_motion(motions_[i], file_of(i), {}, motions_[i].creature);
        gaits.back()["file"] = file_of(i);
      }
      if (i > 0)
        story.more.push_back({&motions_[i], g.name, about(g), measures(g),
                              gait_panels(problem_, motions_[i], g.record.candidate)});
    }
    if (!found_.gaits.empty()) {
      story.title = found_.gaits[0].name;
      story.about = about(found_.gaits[0]) + ". " + join(story.lines, ". ");
      story.lines.push_back(table(rows));
      story.measures = measures(found_.gaits[0]);
      story.panels = search_panels(problem_, found_);
      for (Panel& panel : gait_panels(problem_, motions_[0], found_.gaits[0].record.candidate))
        story.panels.push_back(std::move(panel));
    }
    if (!options_.folder.empty()) story.lines.push_back("wrote every gait to " + options_.folder);
    story.keys = search_keys(std::move(gaits));
  }

  // What --json says of a search; robustness is the mean over its gaits.
  Json search_keys(Json gaits) const {
    double best_speed = 0, robustness = 0, untuned_robustness = 0;
    for (const FoundGait& g : found_.gaits) {
      best_speed = std::max(best_speed, speed(g.record.evaluation));
      robustness += g.robustness / double(found_.gaits.size());
      untuned_robustness += g.untuned_robustness / double(found_.gaits.size());
    }
    const double rate = evaluation_rate();
    return {{"evaluations", found_.evaluations},
            {"evaluations_per_second", rate},
            {"simulated_seconds_per_second", rate * problem_.seconds},
            {"useful_share", found_.useful_share},
            {"resting_share", found_.resting_share},
            {"best_speed", best_speed},
            {"best_score", found_.gaits.empty() ? 0 : found_.gaits.front().record.evaluation.score},
            {"lengths_per_second", best_speed / problem_.length},
            {"froude", froude(best_speed)},
            {"robustness", robustness},
            {"untuned_robustness", untuned_robustness},
            {"best_random", found_.best_random},
            {"rejected", found_.rejected},
            {"diverged", found_.diverged},
            {"weights", problem_.shape.weights()},
            {"parameters", problem_.parameters.size()},
            {"body_length", problem_.length},
            {"apart", options_.search.apart},
            {"wall_seconds", seconds_},
            {"gaits", std::move(gaits)}};
  }

  double speed(const Evaluation& e) const { return e.distance / problem_.seconds; }
  double froude(double speed) const { return speed * speed / (9.81 * problem_.length); }

  // Of the gallery's table.
  std::vector<std::string> row(size_t i) const {
    const FoundGait& g = found_.gaits[i];
    const double v = speed(g.record.evaluation);
    return {std::to_string(i + 1),
            with_unit(v, "m/s"),
            with_unit(speed(g.untuned), "m/s"),
            brief(v / problem_.length),
            brief(froude(v)),
            brief(g.robustness),
            brief(g.untuned_robustness),
            g.name};
  }

  // Of the summary; "file" is still to be set.
  Json keys(size_t i) const {
    const FoundGait& g = found_.gaits[i];
    const Evaluation& e = g.record.evaluation;
    return {{"name", g.name},
            {"speed", speed(e)},
            {"distance", e.distance},
            {"score", e.score},
            {"period", e.period > 0 ? Json(e.period) : Json()},
            {"likeness", e.likeness},
            {"robustness", g.robustness},
            {"descriptor", to_json(e.descriptor)},
            {"seed", motions_[i].made.seed},
            {"number", g.record.number},
            {"untuned_speed", speed(g.untuned)},
            {"untuned_robustness", g.untuned_robustness},
            {"half_step_speed", speed(g.half_step)},
            {"froude", froude(speed(e))},
            {"controller", to_text(g.record.candidate)},
            {"file", Json()}};
  }

  std::string about(const FoundGait& g) const {
    return "It " + g.name + ". Tuned from " + with_unit(speed(g.untuned), "m/s") + "; controller " +
           std::to_string(g.record.number);
  }

  std::vector<Measure> measures(const FoundGait& g) const {
    const Evaluation& e = g.record.evaluation;
    std::vector<Measure> all = {
        {"name", "Gait", g.name, "", "what an onlooker would say", true},
        {"speed", "Speed", speed(e), "m/s", "distance over the whole run", true},
        {"robustness", "Robustness", g.robustness, "1",
         "mean share of the distance kept under eight disturbances: friction, mass, rough ground, pushes",
         true},
        {"lengths_per_second", "Body lengths a second", speed(e) / problem_.length, "1/s",
         "speed over body length", false},
        {"likeness", "Likeness", e.likeness, "1", "of the motion to itself a period later", false}};
    if (e.period > 0)
      all.push_back({"period", "Period", e.period, "s", "of the cycle it settles into", true});
    return all;
  }

  static constexpr double largest_gain = 0.1;  // energy from nowhere, as a share of the energy turned over

  mutable Choices_ options_;
  Options described_{options_};
  Problem problem_;
  Findings found_;
  mutable std::vector<Motion> motions_;  // the gallery
  std::vector<std::string> told_;
  Evaluation single_;
  std::string name_;
  double seconds_ = 0;
};

}  // namespace

std::unique_ptr<MotionVerb> make_discover() { return std::make_unique<Discover>(); }

int discover(const Words& words) {
  const bool shows = std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return w == "--show" || w.rfind("--show=", 0) == 0;
  });
  return shows ? show_archive(words) : run_method("discover", words);
}

}  // namespace legwork::cli
