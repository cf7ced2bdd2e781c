#include "tests/scenes/walkers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include <legwork/gait.h>
#include "base/stopwatch.h"
#include "base/text.h"
#include "creature/place.h"
#include "creature/tree.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "tests/scenes/generated_body.h"

namespace legwork {

namespace {

constexpr double gravity = 9.81;          // m/s^2
constexpr double duration = 40;           // sqrt(h/g)
constexpr double least_distance = 4;      // h
constexpr double most_heading = pi / 6;   // rad
constexpr double most_torque = 1;         // weights times the leg's length
constexpr double fallen_tilt = 0.5;       // cosine
constexpr double fallen_height = 0.4;     // of that in "stand"
constexpr double frames = 20;             // in sqrt(h/g)
constexpr double control_frames = 100;    // the same, at the controller's rate
constexpr double push_time = 0.1;         // sqrt(h/g)
constexpr double before_first_riser = 2;  // h

double unit_time(const Creature& body) { return std::sqrt(hip_height(body) / gravity); }

// The body with its foremost sole at x.
Creature moved_to(Creature body, double x) {
  const std::vector<LinkFrame> frames = place(body, body.pose("stand"));
  double foremost = -unlimited;
  for (const Leg& leg : body.legs)
    foremost = std::max(foremost, (frames[std::size_t(leg.foot)] * leg.sole).x);
  body.links[0].pos.x += x - foremost;
  for (Pose& pose : body.poses) pose.q[0] += x - foremost;
  return body;
}

Push push_of(const Creature& body, double speed_change, int number) {
  const Vec3d directions[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const double unit = unit_time(body);
  Push push;
  push.force = directions[number % 4] * (body.mass() * speed_change * gravity / push_time);
  push.start = 0.5 * duration * unit;
  push.duration = push_time * unit;
  return push;
}

// A case's kind and its number; those without one have 0.
struct Case {
  std::string kind;
  double size = 0;
};
Case parse_case(const std::string& name) {
  const std::size_t at = std::min(name.find_first_of("0123456789"), name.size());
  const Case c{name.substr(0, at), at < name.size() ? std::stod(name.substr(at)) : 0};
  const std::vector<std::string> sized = {"up", "down", "stairs", "rough", "push"},
                                 plain = {"flat", "ice", "payload", "lose"};
  const std::vector<std::string>& known = c.size > 0 ? sized : plain;
  if (std::find(known.begin(), known.end(), c.kind) == known.end())
    throw Error({}, "case '" + name + "'", "is unknown", did_you_mean(name, walker_cases()));
  return c;
}

// The mean height of the hips over the ground under them: over hills the ground under one point says little.
double hips_over(const Terrain& terrain, const Creature& body, const std::vector<LinkFrame>& at) {
  double sum = 0;
  for (const Leg& leg : body.legs) {
    const Vec3d& hip = at[std::size_t(leg.hip)].p;
    sum += hip.z - sample(terrain, hip.x, hip.y).height;
  }
  return sum / double(body.legs.size());
}

Vec3d centre_of_mass(const Creature& c, const std::vector<LinkFrame>& at) {
  Vec3d sum;
  for (std::size_t i = 0; i < c.links.size(); ++i) sum += at[i] * c.links[i].com * c.links[i].mass;
  return sum * (1 / c.mass());
}

std::vector<double> row(const std::vector<double>& all, int frame, int width) {
  const auto from = all.begin() + long(frame) * width;
  return {from, from + width};
}

// Walks through the frames of a motion and gathers what the verdict needs.
struct Witness {
  double fell = -1;  // s; -1: did not
  Vec3d start, end;  // of the centre of mass
  Vec3d forward;     // what is ahead when it stands, turned with the root; over the last fifth of the run
  std::vector<double> torque;

  Witness(const Motion& motion, const Creature& body) {
    const int nq = motion.creature.nq(), nv = motion.creature.nv();
    const std::vector<LinkFrame> standing = place(body, body.pose("stand"));
    const double height = hip_height(body);
    const std::vector<double> limit = torque_limits(body);
    for (int f = 0; f < motion.frames(); ++f) {
      const std::vector<LinkFrame> at = place(motion.creature, row(motion.q, f, nq));
      const double cosine = (at[0].R * transpose_times(standing[0].R, Vec3d(0, 0, 1))).z;
      const double over = hips_over(motion.terrain, motion.creature, at);
      if (fell < 0 && !(cosine > fallen_tilt && over > fallen_height * height))
        fell = motion.time[std::size_t(f)];
      end = centre_of_mass(motion.creature, at);
      if (f == 0) start = end;
      if (f >= 0.8 * motion.frames()) forward += at[0].R * transpose_times(standing[0].R, Vec3d(1, 0, 0));
      double largest = 0;
      if (motion.tau.size() == motion.v.size())
        for (int j = 0; j < nv; ++j)
          largest = std::max(largest, std::fabs(motion.tau[std::size_t(f) * nv + j]) / limit[std::size_t(j)]);
      torque.push_back(largest);
    }
    std::sort(torque.begin(), torque.end());
  }

  // One weight times the leg's length for every degree of freedom of a leg; others are not judged.
  static std::vector<double> torque_limits(const Creature& body) {
    std::vector<double> limit;
    for (std::size_t i = 0; i < body.links.size(); ++i) {
      double own = unlimited;
      for (const Leg& leg : body.legs)
        for (int link = leg.foot; link >= 0; link = body.links[std::size_t(link)].parent) {
          if (link == int(i)) own = body.mass() * gravity * leg_length(body, leg);
          if (link == leg.hip) break;
        }
      for (const Joint& joint : body.links[i].joints) limit.insert(limit.end(), std::size_t(nv(joint)), own);
    }
    return limit;
  }
};

std::string words(const char* form, double a, double b = 0) {
  char text[120];
  std::snprintf(text, sizeof text, form, a, b);
  return text;
}

}  // namespace

const std::vector<std::string>& walker_cases() {
  static const std::vector<std::string> all = {"flat",   "up10",     "down10",   "up20",
                                               "down20", "stairs20", "stairs40", "rough10",
                                               "ice",    "payload",  "push25",   "push50"};
  return all;
}

World walker_world(const World& home, const std::string& name, int number) {
  const Creature& body = home.body;
  const Case c = parse_case(name);
  const double h = hip_height(body), degree = pi / 180;
  World world = home;
  world.body = moved_to(body, c.kind == "stairs" ? (1 - before_first_riser) * h : 0);
  world.rate = frames / unit_time(body);
  if (c.kind == "up") world.terrain = slope_terrain(c.size * degree);
  if (c.kind == "down") world.terrain = slope_terrain(-c.size * degree);
  if (c.kind == "stairs") world.terrain = steps_terrain(0.01 * c.size * h, h);
  if (c.kind == "rough") world.terrain = rough_terrain(0.01 * c.size * h, h, std::uint64_t(number) + 1);
  if (c.kind == "ice") world.contact.friction = 0.4;
  if (c.kind == "push") world.pushes.push_back(push_of(body, 0.01 * c.size, number));
  return world;
}

WalkOptions walker_options(const Creature& body, const std::string& name, int number) {
  WalkOptions options;
  options.seconds = duration * unit_time(body);
  if (name == "payload") options.payload = 0.5;
  if (name == "lose")
    options.lose = {body.legs[std::size_t(number) % body.legs.size()].name + "@" +
                    to_text(0.5 * options.seconds)};
  return options;
}

WalkerVerdict judge_walk(const Result& result, const Creature& body, double seconds) {
  const double h = hip_height(body), unit = unit_time(body), speed_unit = std::sqrt(gravity * h);
  const Motion& motion = result.motion;
  const Witness seen(motion, body);
  WalkerVerdict v;
  v.lasted = motion.duration() / unit;
  if (motion.status != Status::ok) v.lasted = std::min(v.lasted, motion.status_time / unit);
  if (seen.fell >= 0) v.lasted = std::min(v.lasted, seen.fell / unit);
  const Vec3d way = seen.end - seen.start;
  v.distance = way.x / h;
  v.speed = motion.duration() > 0 ? way.x / motion.duration() / speed_unit : 0;
  const double travelled = std::fabs(way.x) + std::fabs(way.y) > 0.5 * h ? std::fabs(atan2(way.y, way.x)) : 0;
  v.heading = std::max(travelled, std::fabs(atan2(seen.forward.y, seen.forward.x)));
  v.torque = seen.torque.empty() ? 0 : seen.torque[std::size_t(0.99 * double(seen.torque.size() - 1))];
  if (const Value* asked = result.account.values.find("asked_speed"); asked && asked->number())
    v.asked_speed = *asked->number() / speed_unit;

  const auto fail = [&](const char* lacks, std::string reason) {
    v.lacks = lacks;
    v.reason = std::move(reason);
  };
  const std::string when = words("at %.3g sqrt(h/g), after %.2f h", v.lasted, v.distance);
  if (motion.status == Status::diverged)
    fail("diverged", "diverged " + when + ": " + motion.status_text);
  else if (motion.status == Status::fell || seen.fell >= 0)
    fail("fell", "fell " + when + ": " + motion.status_text);
  else if (motion.status != Status::ok || motion.duration() < 0.99 * seconds)
    fail("stopped", "stopped " + when + ": " + motion.status_text);
  else if (v.distance < least_distance)
    fail("distance", words("went %.2f h", v.distance));
  else if (v.heading > most_heading)
    fail("heading", words("%.0f degrees off its heading", v.heading * 180 / pi));
  else if (v.speed < 0.5 * v.asked_speed)
    fail("speed", words("speed %.3f of %.3f sqrt(g h)", v.speed, v.asked_speed));
  else if (v.torque > most_torque && body.actuators.empty())
    fail("torque", words("torque %.2f weights times the leg", v.torque));
  v.walked = v.lacks.empty();
  return v;
}

WalkerRun begin_run(const Creature& body, int number, const std::string& name) {
  WalkerRun run;
  run.number = number;
  run.legs = int(body.legs.size());
  run.body = body.name;
  run.about = body.about;
  run.name = name;
  run.hip_height = hip_height(body);
  return run;
}

WalkerTask walker_task(const World& home, int number, const std::string& name, const WalkerTrial& trial) {
  WalkerTask task{walker_world(home, name, number), walker_options(home.body, name, number)};
  if (trial.seconds > 0) task.options.seconds = trial.seconds;
  if (trial.appearance) task.world.rate = control_frames / unit_time(home.body);
  return task;
}

void finish_run(Result result, const Creature& body, const WalkerTrial& trial, WalkerRun& run) {
  run.verdict = judge_walk(result, body, run.duration);
  if (trial.appearance && result.gait) run.appearance = measure_appearance(result.motion, *result.gait);
  if (!trial.keep_result) return;
  result.account.title =
      body.name + " " + run.name + ": " + (run.verdict.walked ? "walked" : run.verdict.reason);
  run.result = std::move(result);
}

WalkerRun run_walker(const World& home, int number, const std::string& name, const WalkerTrial& trial) {
  WalkerRun run = begin_run(home.body, number, name);
  const Stopwatch stopwatch;
  try {
    const WalkerTask task = walker_task(home, number, name, trial);
    run.duration = task.options.seconds;
    Run alone;
    alone.threads = 1;
    Result result = walk(task.world, task.options, alone);
    run.seconds = stopwatch.seconds();
    finish_run(std::move(result), home.body, trial, run);
  } catch (const Error& error) {
    run.seconds = stopwatch.seconds();
    run.verdict.lacks = "refused";
    run.verdict.reason = std::string("refused: ") + error.what();
  }
  return run;
}

WalkerRun run_walker(const Creature& body, int number, const std::string& name, const WalkerTrial& trial) {
  World home;
  home.body = body;
  return run_walker(home, number, name, trial);
}

std::string walker_table(const std::vector<WalkerRun>& runs) {
  struct Cell {
    int walked = 0, all = 0;
  };
  using Row = std::map<std::string, Cell>;  // by case
  std::map<int, Row> of_legs;
  std::map<std::string, Row> of_lacks;
  Row total;
  for (const WalkerRun& run : runs) {
    for (Cell* cell : {&of_legs[run.legs][run.name], &total[run.name]}) {
      cell->walked += run.verdict.walked;
      ++cell->all;
    }
    if (!run.verdict.walked) ++of_lacks[run.verdict.lacks][run.name].all;
  }
  const auto pad = [](const std::string& s, std::size_t width) {
    return std::string(width > s.size() ? width - s.size() : 0, ' ') + s;
  };
  std::string text;
  const auto line = [&](const std::string& title, Row row, const auto& cell_text) {
    text += pad(title, 8);
    for (const std::string& name : walker_cases())
      if (total.contains(name)) text += pad(cell_text(name, row[name]), 10);
    text += "\n";
  };
  const auto share = [](const std::string&, const Cell& c) {
    return std::to_string(c.walked) + "/" + std::to_string(c.all);
  };
  const auto count = [](const std::string&, const Cell& c) { return std::to_string(c.all); };
  line("legs", {}, [](const std::string& name, const Cell&) { return name; });
  for (const auto& [legs, row] : of_legs) line(std::to_string(legs), row, share);
  line("all", total, share);
  line("%", total, [](const std::string&, const Cell& c) { return words("%.0f", 100.0 * c.walked / c.all); });
  for (const char* lacks :
       {"refused", "diverged", "fell", "stopped", "distance", "heading", "speed", "torque"})
    if (of_lacks.contains(lacks)) line(lacks, of_lacks[lacks], count);
  return text;
}

namespace {

// In hundredths of the hip height; blank where it was not measured.
std::string looks_words(const WalkerRun& run) {
  if (!run.appearance) return "";
  const Appearance& a = *run.appearance;
  const double h = 0.01 * run.hip_height;
  char text[300];
  std::snprintf(text, sizeof text, "%6.2f%7.1f%6.2f%6.2f%6.1f%6.1f%7.2f%6.1f%6.2f%6.1f  ", a.slide / h,
                a.worst_slide / h, a.sink / h, a.worst_sink / h, 100 * a.rough, 100 * a.rough_of_change,
                a.crossing / h, 100 * a.crossing_share, a.buried / h, a.bent_back * 180 / pi);
  std::string words = text;
  if (a.rough > 0.05) words += a.rough_of + " rough; ";
  if (a.crossing > 0) words += a.crossing_of + "; ";
  if (a.worst_sink > 0.02 * run.hip_height) words += a.sink_of + " sinks; ";
  if (a.buried > 0) words += a.buried_of + " in the ground; ";
  if (a.bent_back > 0) words += "knee of " + a.bent_back_of + "; ";
  return words;
}

}  // namespace

std::string walker_lines(const std::vector<WalkerRun>& runs) {
  std::string text =
      "lengths in % of h, speeds in sqrt(g h); slide, sink: what 95 % stay below, and the worst; rough: % of "
      "the torques' power above 5 sqrt(g/h) Hz, and of their changes; cross: legs in each other, and % of "
      "the "
      "time; buried: other parts in the ground; knee: degrees bent back\n"
      "body            case       lasted  speed asked  head | slide  worst  sink worst rough  chg.  cross  "
      "time "
      "bur'd  knee\n";
  for (const WalkerRun& run : runs) {
    const WalkerVerdict& v = run.verdict;
    char line[160];
    std::snprintf(line, sizeof line, "%-15.15s %-9s %7.2fs %6.3f%6.3f%5.0f° |", run.body.c_str(),
                  run.name.c_str(), v.lasted * std::sqrt(run.hip_height / gravity), v.speed, v.asked_speed,
                  v.heading * 180 / pi);
    text += line + looks_words(run) + v.reason + "\n";
  }
  return text;
}

namespace {

// Rows: bodies; columns: cases; a word in each cell.
struct Grid {
  std::vector<std::string> bodies, cases;
  std::map<std::pair<std::string, std::string>, std::string> word;

  void set(const WalkerRun& run, const std::string& text) {
    if (std::find(bodies.begin(), bodies.end(), run.body) == bodies.end()) bodies.push_back(run.body);
    if (std::find(cases.begin(), cases.end(), run.name) == cases.end()) cases.push_back(run.name);
    word[{run.body, run.name}] = text;
  }
  std::string text(std::size_t width) {
    const auto column = [](const std::string& s, std::size_t w) {
      return s.substr(0, w - 1) + std::string(w > s.size() ? w - s.size() : 1, ' ');
    };
    std::string all(16, ' ');
    for (const std::string& name : cases) all += column(name, width);
    for (const std::string& body : bodies) {
      all += "\n" + column(body, 16);
      for (const std::string& name : cases) all += column(word[{body, name}], width);
    }
    return all + "\n";
  }
};

std::string outcome(const WalkerRun& run) { return run.verdict.walked ? "walks" : run.verdict.lacks; }

}  // namespace

std::string walker_outcomes(const std::vector<WalkerRun>& runs) {
  Grid grid;
  WalkerRun total;
  total.body = "walk";
  std::map<std::string, int> walked, all;
  for (const WalkerRun& run : runs)
    grid.set(run, outcome(run)), walked[run.name] += run.verdict.walked, ++all[run.name];
  for (const auto& [name, count] : all) {
    total.name = name;
    grid.set(total, std::to_string(walked[name]) + "/" + std::to_string(count));
  }
  return grid.text(10);
}

std::string walker_agreement(const std::vector<WalkerRun>& first, const std::vector<WalkerRun>& second) {
  Grid grid;
  int agree = 0, all = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const WalkerRun &a = first[k], &b = second[k];
    const bool refused = a.verdict.lacks == "refused" || b.verdict.lacks == "refused";
    const bool same = a.verdict.walked == b.verdict.walked;
    all += !refused, agree += !refused && same;
    grid.set(a, outcome(a) + (refused ? " ? " : same ? " = " : " / ") + outcome(b));
  }
  return grid.text(20) + std::to_string(agree) + " of " + std::to_string(all) + " outcomes agree\n";
}

}  // namespace legwork
