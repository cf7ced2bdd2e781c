// The walkers' benchmark: generated bodies (tests/scenes/generated_body.h) on grounds of their own size
// (tests/scenes/walkers.h has what counts), each run once. Prints how many walk, by case and by number of
// legs, and why the others do not.
//
//   walkers --bodies 100 --seed 1 --films build/studies/walkers
//   walkers --first 17 --bodies 1 --cases up10,stairs20     one body again
//   walkers --of shipped                                    bodies that have names, 20 s each
//   walkers --of go2.xml,dog --cases flat,push25 --looks off
//
// Bodies that have names also get a line for every run: how it went, and how it looks to an animator.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>

#include <legwork/files.h>
#include <legwork/options.h>
#include <legwork/report.h>
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "tests/scenes/generated_body.h"
#include "tests/scenes/sketched_body.h"
#include "tests/scenes/walkers.h"
#ifdef LEGWORK_SECOND_JUDGE
#include "tests/scenes/mujoco_walker.h"
#endif

using namespace legwork;

namespace {

struct Settings {
  int bodies = 100, first = 0, threads = 0;
  int fewest_legs = 2, most_legs = 12;
  std::uint64_t seed = 1;
  std::string cases = join(walker_cases(), ",");
  std::string generator = "generated";
  std::string of;  // names or files
  double seconds = 0;
  std::string looks = "auto", judge = "legwork";
  std::string films, json;
};

// Those with legs that walk in space, by the number of their legs.
const char* shipped =
    "dog,human,biped,tyrannosaurus,wills_dog,wills_reptile,triceratops,apatosaurus,quadruped,strider,"
    "pentapod,newt,octopod,hexapod,roach";
const char* shipped_cases = "flat,up10,down10,stairs15,rough5";

void describe(Options& v, Settings& o) {
  v.integer("bodies", o.bodies, {1, 1e6, "", "how many bodies walk"});
  v.integer("first", o.first, {0, 1e9, "", "the number of the first"});
  v.integer("fewest_legs", o.fewest_legs, {2, 12, "", "drawn bodies with fewer legs are passed over"});
  v.integer("most_legs", o.most_legs, {2, 12, "", "drawn bodies with more legs are passed over"});
  v.choice("generator", o.generator, {"generated", "sketched"},
           "who draws them: tests/scenes/generated_body.h or sketched_body.h");
  v.integer("seed", o.seed, {0, 1e18, "", "which bodies: the same seed, the same ones"});
  v.text("cases", o.cases, "the grounds, separated by commas");
  v.text("of", o.of, "names of shipped bodies or files, separated by commas; shipped: all that walk");
  v.number("seconds", o.seconds,
           {0, 1e6, "s", "how long a run lasts; 0: 40 sqrt(h/g), of bodies with names 20 s"});
  v.choice("looks", o.looks, {"auto", "on", "off"},
           "measure how it looks: slide, sink, rough torques, legs in each other, knees; auto: of bodies "
           "with names");
  v.integer("threads", o.threads, {0, 1024, "", "0: all cores; the result does not depend on it"});
  v.choice("judge", o.judge, {"legwork", "both"},
           "both: every run again in MuJoCo's physics, and how many outcomes agree");
  v.text("films", o.films, "a folder for a page of films for each case, the bodies, and an index");
  v.text("json", o.json, "a file for every run");
}

Settings read_arguments(int argc, char** argv) {
  Settings settings;
  const Options options(settings);
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    const Option* option = flag.starts_with("--") ? options.find(flag.substr(2)) : nullptr;
    if (!option) throw Error({}, flag, "is no option", "one of --" + join(options.names(), ", --"));
    if (i + 1 == argc) throw Error({}, flag, "needs a value");
    option->set({argv[i + 1]}, {}, flag);
  }
  if (settings.of.empty()) return settings;
  if (settings.seconds <= 0) settings.seconds = 20;
  if (settings.of != "shipped") return settings;
  settings.of = shipped;
  if (settings.cases == join(walker_cases(), ",")) settings.cases = shipped_cases;
  return settings;
}

std::string line_of(const WalkerRun& run) {
  char text[200];
  std::snprintf(text, sizeof text, "%-9s %s, %2d legs, %5.1f s: ", run.name.c_str(), run.body.c_str(),
                run.legs, run.seconds);
  const WalkerVerdict& v = run.verdict;
  if (!v.walked) return text + v.reason;
  char walked[120];
  std::snprintf(walked, sizeof walked, "walked %.1f h, speed %.2f, torque %.2f", v.distance, v.speed,
                v.torque);
  return std::string(text) + walked;
}

Value value_of(const WalkerRun& run) {
  const WalkerVerdict& v = run.verdict;
  Value value{{"body", run.number},
              {"name", run.body},
              {"legs", run.legs},
              {"about", run.about},
              {"case", run.name},
              {"walked", v.walked},
              {"lacks", v.lacks},
              {"reason", v.reason},
              {"lasted", v.lasted},
              {"distance", v.distance},
              {"heading", v.heading},
              {"speed", v.speed},
              {"asked_speed", v.asked_speed},
              {"torque", v.torque},
              {"hip_height", run.hip_height},
              {"seconds", run.seconds}};
  if (run.appearance) value["appearance"] = appearance_value(*run.appearance);
  return value;
}

// A body in its own world, and its number.
struct Home {
  World world;
  int number = 0;
};

// The bodies that are asked for; a file that cannot be read ends the run at once.
std::vector<Home> find_homes(const Settings& settings) {
  std::vector<Home> homes;
  if (!settings.of.empty()) {
    for (const std::string& name : split_commas(settings.of)) {
      homes.push_back({load_world(name), int(homes.size())});
      Creature& body = homes.back().world.body;
      if (body.name.empty()) body.name = name;
    }
    return homes;
  }
  const auto draw = settings.generator == "sketched" ? sketched_body : generated_body;
  for (int number = settings.first; int(homes.size()) < settings.bodies; ++number) {
    Home home;
    home.world.body = draw(settings.seed, number);
    home.number = number;
    const int legs = int(home.world.body.legs.size());
    if (legs >= settings.fewest_legs && legs <= settings.most_legs) homes.push_back(std::move(home));
  }
  return homes;
}

WalkerTrial trial_of(const Settings& settings) {
  WalkerTrial trial;
  trial.seconds = settings.seconds;
  trial.appearance = settings.looks == "auto" ? !settings.of.empty() : settings.looks == "on";
  trial.keep_result = !settings.films.empty();
  return trial;
}

// All bodies in their order, in parallel; run(k) is the run of body k.
template <class OneRun>
std::vector<WalkerRun> run_all(std::size_t bodies, int threads, const char* judge, const OneRun& one) {
  std::vector<WalkerRun> runs(bodies);
  std::mutex printing;
  parallel_for(int(bodies), threads, [&](int k, int) {
    runs[std::size_t(k)] = one(std::size_t(k));
    const std::lock_guard<std::mutex> lock(printing);
    std::fprintf(stderr, "%s%s\n", judge, line_of(runs[std::size_t(k)]).c_str());
  });
  return runs;
}

// One case for all bodies.
std::vector<WalkerRun> run_case(const std::vector<Home>& homes, const Settings& settings,
                                const std::string& name) {
  const WalkerTrial trial = trial_of(settings);
  return run_all(homes.size(), settings.threads, "",
                 [&](std::size_t k) { return run_walker(homes[k].world, homes[k].number, name, trial); });
}

// The same before the second judge, with the speeds of the first.
std::vector<WalkerRun> judge_again(const std::vector<Home>& homes, const Settings& settings,
                                   const std::vector<WalkerRun>& first) {
#ifdef LEGWORK_SECOND_JUDGE
  const WalkerTrial trial = trial_of(settings);
  return run_all(homes.size(), settings.threads, "MuJoCo: ", [&](std::size_t k) {
    const double unit = std::sqrt(9.81 * first[k].hip_height);
    return run_walker_in_mujoco(homes[k].world, homes[k].number, first[k].name, trial,
                                first[k].verdict.asked_speed * unit);
  });
#else
  (void)homes, (void)settings, (void)first;
  throw Error({}, "--judge both", "MuJoCo was not there when this was built", "install libmujoco-dev");
#endif
}

// Films of one case on one page; the results are let go.
void write_films(const std::string& folder, const std::string& name, std::vector<WalkerRun>& runs) {
  std::vector<Result> results;
  for (WalkerRun& run : runs)
    if (run.result) results.push_back(std::move(*run.result)), run.result.reset();
  if (results.empty() || !has_report_page()) return;
  ReportOptions options;
  options.title = "Walkers: " + name;
  options.rate = 30;
  options.max_bytes = 60e6;
  write_report(results, folder + "/" + name + ".html", options);
}

void write_index(const Settings& settings, const std::vector<std::string>& cases, const std::string& table,
                 const std::vector<WalkerRun>& runs) {
  std::ofstream out(settings.films + "/index.html");
  out << "<!doctype html><meta charset=\"utf-8\"><title>Walkers</title><h1>Walkers</h1><p>" << settings.bodies
      << " bodies of seed " << settings.seed << ", from number " << settings.first << " on. Films:";
  for (const std::string& name : cases) out << " <a href=\"" << name << ".html\">" << name << "</a>";
  out << "</p><pre>" << table << "\n";
  for (const WalkerRun& run : runs) {
    std::string line = line_of(run);
    for (std::size_t at = 0; (at = line.find('<', at)) != std::string::npos;) line.replace(at, 1, "&lt;");
    out << line << "\n";
  }
  out << "</pre>\n";
}

int run(int argc, char** argv) {
  const Settings settings = read_arguments(argc, argv);
  const std::vector<std::string> cases = split_commas(settings.cases);
  const std::vector<Home> homes = find_homes(settings);
  for (const std::string& name : cases)
    walker_world(homes[0].world, name, 0);  // unknown cases are told at once
  if (!settings.films.empty()) {
    std::filesystem::create_directories(settings.films);
    for (const Home& home : homes)
      write_creature(home.world.body, settings.films + "/" + home.world.body.name + ".toml");
  }
  const Stopwatch stopwatch;
  std::vector<WalkerRun> all, again;
  for (const std::string& name : cases) {
    std::vector<WalkerRun> runs = run_case(homes, settings, name);
    if (settings.judge == "both") {
      const std::vector<WalkerRun> second = judge_again(homes, settings, runs);
      again.insert(again.end(), second.begin(), second.end());
    }
    if (!settings.films.empty()) write_films(settings.films, name, runs);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  const std::string table = settings.of.empty() ? walker_table(all) : walker_outcomes(all);
  if (settings.looks == "on" || !settings.of.empty()) std::printf("%s", walker_lines(all).c_str());
  for (const WalkerRun& one : all)
    if (!one.verdict.walked && settings.of.empty()) std::printf("%s\n", line_of(one).c_str());
  if (!again.empty())
    std::printf("\nIn MuJoCo's physics: %s\nLegwork and MuJoCo:\n%s", walker_lines(again).c_str(),
                walker_agreement(all, again).c_str());
  std::printf("\n%s\n%zu runs in %.0f s\n", table.c_str(), all.size(), stopwatch.seconds());
  if (!settings.films.empty()) write_index(settings, cases, table, all);
  if (!settings.json.empty()) {
    Value list = Value::list();
    for (const WalkerRun& one : all) list.push_back(value_of(one));
    std::ofstream(settings.json) << to_json(list, 1) << "\n";
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    std::fprintf(stderr, "walkers: %s\n", error.what());
    return 1;
  }
}
