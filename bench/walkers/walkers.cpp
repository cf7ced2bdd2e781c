// The walkers' benchmark: generated bodies (tests/scenes/generated_body.h) on grounds of their own size
// (tests/scenes/walkers.h has what counts), each run once. Prints how many walk, by case and by number of
// legs, and why the others do not.
//
//   walkers --bodies 100 --seed 1 --films build/studies/walkers
//   walkers --first 17 --bodies 1 --cases up10,stairs20     one body again

#include <algorithm>
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
#include "tests/scenes/walkers.h"

using namespace legwork;

namespace {

struct Settings {
  int bodies = 100, first = 0, threads = 0;
  std::uint64_t seed = 1;
  std::string cases = join(walker_cases(), ",");
  std::string films, json;
};

void describe(Options& v, Settings& o) {
  v.integer("bodies", o.bodies, {1, 1e6, "", "how many bodies walk"});
  v.integer("first", o.first, {0, 1e9, "", "the number of the first"});
  v.integer("seed", o.seed, {0, 1e18, "", "which bodies: the same seed, the same ones"});
  v.text("cases", o.cases, "the grounds, separated by commas");
  v.integer("threads", o.threads, {0, 1024, "", "0: all cores; the result does not depend on it"});
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
  return settings;
}

std::string line_of(const WalkerRun& run) {
  char text[200];
  std::snprintf(text, sizeof text, "%-9s body %3d, %2d legs, %5.1f s: ", run.name.c_str(), run.number,
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
  return {{"body", run.number},   {"legs", run.legs},      {"about", run.body},
          {"case", run.name},     {"walked", v.walked},    {"lacks", v.lacks},
          {"reason", v.reason},   {"lasted", v.lasted},    {"distance", v.distance},
          {"heading", v.heading}, {"speed", v.speed},      {"asked_speed", v.asked_speed},
          {"torque", v.torque},   {"seconds", run.seconds}};
}

// One case for all bodies, in their order.
std::vector<WalkerRun> run_case(const std::vector<Creature>& bodies, const Settings& settings,
                                const std::string& name) {
  std::vector<WalkerRun> runs(bodies.size());
  std::mutex printing;
  parallel_for(int(bodies.size()), settings.threads, [&](int k, int) {
    runs[std::size_t(k)] =
        run_walker(bodies[std::size_t(k)], settings.first + k, name, !settings.films.empty());
    const std::lock_guard<std::mutex> lock(printing);
    std::fprintf(stderr, "%s\n", line_of(runs[std::size_t(k)]).c_str());
  });
  return runs;
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
  std::vector<Creature> bodies;
  for (int k = 0; k < settings.bodies; ++k)
    bodies.push_back(generated_body(settings.seed, settings.first + k));
  for (const std::string& name : cases) walker_world(bodies[0], name, 0);  // unknown cases are told at once
  if (!settings.films.empty()) {
    std::filesystem::create_directories(settings.films);
    for (const Creature& body : bodies) write_creature(body, settings.films + "/" + body.name + ".toml");
  }
  const Stopwatch stopwatch;
  std::vector<WalkerRun> all;
  for (const std::string& name : cases) {
    std::vector<WalkerRun> runs = run_case(bodies, settings, name);
    if (!settings.films.empty()) write_films(settings.films, name, runs);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  const std::string table = walker_table(all);
  for (const WalkerRun& one : all)
    if (!one.verdict.walked) std::printf("%s\n", line_of(one).c_str());
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
