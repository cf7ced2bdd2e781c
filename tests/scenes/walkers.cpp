#include "tests/scenes/walkers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include <legwork/gait.h>
#include "base/stopwatch.h"
#include "base/text.h"
#include "creature/place.h"
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

// The mean height of the ground under the hips: over hills the ground under one point says little.
double ground_below(const Motion& motion, const std::vector<LinkFrame>& at) {
  double sum = 0;
  for (const Leg& leg : motion.creature.legs) {
    const Vec3d& hip = at[std::size_t(leg.hip)].p;
    sum += sample(motion.terrain, hip.x, hip.y).height;
  }
  return sum / double(motion.creature.legs.size());
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
  Vec3d forward;     // the root's x axis, summed over the last fifth of the run
  std::vector<double> torque;

  Witness(const Motion& motion, const Creature& body) {
    const int nq = motion.creature.nq(), nv = motion.creature.nv();
    const std::vector<LinkFrame> standing = place(body, body.pose("stand"));
    double height = standing[0].p.z;
    for (const Leg& leg : body.legs)
      height -= (standing[std::size_t(leg.foot)] * leg.sole).z / double(body.legs.size());
    const std::vector<double> limit = torque_limits(body);
    for (int f = 0; f < motion.frames(); ++f) {
      const std::vector<LinkFrame> at = place(motion.creature, row(motion.q, f, nq));
      const double cosine = (at[0].R * transpose_times(standing[0].R, Vec3d(0, 0, 1))).z;
      const double over = at[0].p.z - ground_below(motion, at);
      if (fell < 0 && !(cosine > fallen_tilt && over > fallen_height * height))
        fell = motion.time[std::size_t(f)];
      end = centre_of_mass(motion.creature, at);
      if (f == 0) start = end;
      if (f >= 0.8 * motion.frames()) forward += at[0].R.column(0);
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

World walker_world(const Creature& body, const std::string& name, int number) {
  if (std::find(walker_cases().begin(), walker_cases().end(), name) == walker_cases().end())
    throw Error({}, "case '" + name + "'", "is unknown", did_you_mean(name, walker_cases()));
  const double h = hip_height(body);
  World world;
  world.body = moved_to(body, 0);
  world.gravity = {0, 0, -gravity};
  world.rate = frames / unit_time(body);
  if (name == "up10") world.terrain = parse_terrain("slope:10deg");
  if (name == "up20") world.terrain = parse_terrain("slope:20deg");
  if (name == "down10") world.terrain = parse_terrain("slope:-10deg");
  if (name == "down20") world.terrain = parse_terrain("slope:-20deg");
  if (name == "stairs20") world.terrain = steps_terrain(0.2 * h, h);
  if (name == "stairs40") world.terrain = steps_terrain(0.4 * h, h);
  if (name.starts_with("stairs")) world.body = moved_to(body, (1 - before_first_riser) * h);
  if (name == "rough10") world.terrain = rough_terrain(0.1 * h, h, std::uint64_t(number) + 1);
  if (name == "ice") world.contact.friction = 0.4;
  if (name == "push25") world.pushes.push_back(push_of(body, 0.25, number));
  if (name == "push50") world.pushes.push_back(push_of(body, 0.5, number));
  return world;
}

WalkOptions walker_options(const Creature& body, const std::string& name) {
  WalkOptions options;
  options.seconds = duration * unit_time(body);
  if (name == "payload") options.payload = 0.5;
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
    fail("diverged", "diverged " + when);
  else if (motion.status == Status::fell || seen.fell >= 0)
    fail("fell", "fell " + when);
  else if (motion.status != Status::ok || motion.duration() < 0.99 * seconds)
    fail("stopped", "stopped " + when + ": " + motion.status_text);
  else if (v.distance < least_distance)
    fail("distance", words("went %.2f h", v.distance));
  else if (v.heading > most_heading)
    fail("heading", words("%.0f degrees off its heading", v.heading * 180 / pi));
  else if (v.speed < 0.5 * v.asked_speed)
    fail("speed", words("speed %.3f of %.3f sqrt(g h)", v.speed, v.asked_speed));
  else if (v.torque > most_torque)
    fail("torque", words("torque %.2f weights times the leg", v.torque));
  v.walked = v.lacks.empty();
  return v;
}

WalkerRun run_walker(const Creature& body, int number, const std::string& name, bool keep_result) {
  WalkerRun run;
  run.number = number;
  run.legs = int(body.legs.size());
  run.body = body.about;
  run.name = name;
  const WalkOptions options = walker_options(body, name);
  const World world = walker_world(body, name, number);
  const Stopwatch stopwatch;
  try {
    Run alone;
    alone.threads = 1;
    Result result = walk(world, options, alone);
    run.seconds = stopwatch.seconds();
    run.verdict = judge_walk(result, body, options.seconds);
    if (keep_result) {
      result.account.title =
          body.name + " " + name + ": " + (run.verdict.walked ? "walked" : run.verdict.reason);
      run.result = std::move(result);
    }
  } catch (const Error& error) {
    run.seconds = stopwatch.seconds();
    run.verdict.lacks = "refused";
    run.verdict.reason = std::string("refused: ") + error.what();
  }
  return run;
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

}  // namespace legwork
