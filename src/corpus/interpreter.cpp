#include "corpus/interpreter.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace legwork {

namespace {

constexpr double clock_slack = 1e-9;  // s: a timer fires in the frame that it falls on

// What the `go` lines add up to.
long frames_to_go(const std::vector<CorpusLine>& script, const std::vector<CorpusLine>& after) {
  double frames = 0, iterations = 1;
  for (const std::vector<CorpusLine>* lines : {&script, &after})
    for (const CorpusLine& line : *lines) {
      const std::string command = line.command->name;
      if (command == "iter") iterations = corpus_number(line.words[0]);
      if (command == "go") frames += iterations * (line.words.empty() ? 1 : corpus_number(line.words[0]));
    }
  return long(std::clamp(frames, 1.0, 1e15));
}

}  // namespace

void CorpusInterpreter::fail(const CorpusLine& line, const std::string& problem, const std::string& advice) {
  throw Error(line.where, line.command ? line.command->name : "", problem, advice);
}

void CorpusInterpreter::run(const std::vector<CorpusLine>& lines) {
  for (const CorpusLine& line : lines) {
    if (over) return;
    line.command->run(*this, line);
  }
}

CorpusWorld& CorpusInterpreter::world() {
  if (!present_world) {
    worlds.push_back(std::make_unique<CorpusWorld>());
    present_world = worlds.back().get();
  }
  return *present_world;
}

CorpusFigure& CorpusInterpreter::figure(const CorpusLine& line) {
  if (!present_figure) fail(line, "there is no figure yet", "begin one with addcorpus NAME");
  return *present_figure;
}

CorpusRoach& CorpusInterpreter::roach(const CorpusLine& line) {
  if (!present_roach) fail(line, "there is no gait yet", "begin one with addroach NAME");
  return *present_roach;
}

CorpusLeg& CorpusInterpreter::leg(const CorpusLine& line, int word) {
  CorpusRoach& r = roach(line);
  const int number = int(corpus_number(line.words[word]));
  const auto found = r.legs.find(number);
  if (found == r.legs.end())
    fail(line, "'" + r.name + "' has no leg " + std::to_string(number),
         "give it programs with procom and retcom first");
  return found->second;
}

CorpusObject& CorpusInterpreter::object(const CorpusLine& line, const std::string& name) {
  const auto found = objects.find(name);
  if (found != objects.end()) return *found->second;
  std::vector<std::string> names;
  for (const auto& [known, object] : objects) names.push_back(known);
  fail(line, "there is no object '" + name + "'",
       names.empty() ? "make one with get NAME from unit_cubeb" : did_you_mean(name, names));
}

CorpusBody& CorpusInterpreter::body(const CorpusLine& line, const std::string& name) {
  const std::size_t dot = name.find('.');
  std::vector<std::string> names;
  std::vector<CorpusBody*> found;
  for (auto& figure : world().figures)
    for (auto& body : figure->bodies) {
      names.push_back(body->name);
      const bool whole = dot != name.npos && figure->name + "." + body->name == name;
      if (body->name != name && !whole) continue;
      if (whole || figure.get() == present_figure) return *body;
      found.push_back(body.get());
    }
  if (found.size() == 1) return *found[0];
  if (found.size() > 1)
    fail(line, "several figures have a body '" + name + "'",
         "write FIGURE." + name + ", or setcorpus FIGURE before");
  fail(line, "there is no body '" + name + "'",
       names.empty() ? "make one with addbody" : did_you_mean(name, names));
}

CorpusBody& CorpusInterpreter::jointed_body(const CorpusLine& line, const std::string& name) {
  CorpusBody& b = body(line, name);
  if (b.parent >= 0) return b;
  const CorpusFigure& figure = figure_of(b);
  if (figure.root >= 0 && figure.bodies[figure.root].get() == &b)
    fail(line, "'" + name + "' has no joint: it is the root of its figure");
  fail(line, "'" + name + "' has no joint: it hangs on no other body yet",
       "link it with linkbodies PARENT " + name);
}

CorpusFigure& CorpusInterpreter::figure_of(const CorpusBody& wanted) {
  for (auto& w : worlds)
    for (auto& figure : w->figures)
      for (auto& body : figure->bodies)
        if (body.get() == &wanted) return *figure;
  return *present_figure;
}

double CorpusInterpreter::duration(const CorpusLine& line, const std::string& word) const {
  const double x = corpus_number(word);
  if (!is_relative(word)) return x;
  if (!(scale > 0))
    fail(line, "'" + word + "' is a share of a step or stance, but this command stands in none",
         "write seconds");
  return x * scale;
}

void CorpusInterpreter::fire_timers() {
  CorpusWorld& w = world();
  const double now = w.time() + clock_slack;
  // in order of time, then of being set; those that they set in turn wait for the next frame
  std::vector<CorpusTimer> due;
  for (const CorpusTimer& timer : w.timers)
    if (timer.time <= now) due.push_back(timer);
  if (due.empty()) return;
  std::erase_if(w.timers, [&](const CorpusTimer& timer) { return timer.time <= now; });
  std::stable_sort(due.begin(), due.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  for (const CorpusTimer& timer : due) {
    const double outer = scale;
    scale = timer.scale;
    run({timer.command});
    scale = outer;
  }
}

void CorpusInterpreter::go(long frames) {
  CorpusWorld& w = world();
  if (options.build_only) return;
  if (moved_world_ && moved_world_ != &w)
    throw Error(
        "a motion shows one world, but the script moved '" + moved_world_->name + "' and '" + w.name + "'",
        "move one of them");
  moved_world_ = &w;
  for (long i = 0; i < frames && !over; ++i) {
    if (w.frames >= options.most_frames)
      throw Error("the script runs for more than " + std::to_string(options.most_frames) + " frames",
                  "lower go, or raise dt");
    fire_timers();
    for (auto& roach : w.roaches) update_gait(*roach);
    if (over) return;
    for (int n = 0; n < w.iterations && !over; ++n) {
      over = !stage.advance(w);
      meter_.advance();
      if (!meter_.stopped()) continue;
      if (!meter_.keeps_partial()) throw Stopped{};
      stage.simulation().stop();
      over = true;
    }
  }
}

void place_legs(CorpusRoach& roach) {
  roach.places.clear();
  for (const auto& [number, leg] : roach.legs) {
    GaitLeg place;
    place.right = number % 2 == 1;
    place.along = -double(number / 2);
    roach.places.push_back(place);
  }
  rank_legs(roach.places);
  roach.state = start_gait(roach.places, roach.pace);
}

// Once a frame, as in the thesis (4.6). Pacemakers ask for steps; reflexes ask, too, or forbid.
void CorpusInterpreter::update_gait(CorpusRoach& r) {
  if (!r.going) return;
  const CorpusWorld& w = world();
  std::vector<LegFeeling> feelings;
  for (const auto& [number, leg] : r.legs) {
    LegFeeling feeling;
    if (const CorpusBody* watched = leg.step_reflex.body; r.step_reflex && watched) {
      const double q = watched->joint.q;
      feeling.bent_back = leg.step_reflex.above ? q > leg.step_reflex.angle : q < leg.step_reflex.angle;
    }
    if (const CorpusBody* watched = leg.load_reflex.body;
        r.load_reflex && watched && stage.moves() && watched->dof >= 0)
      feeling.loaded = std::fabs(stage.simulation().tau[watched->dof]) > leg.load_reflex.force;
    feelings.push_back(feeling);
  }
  GaitRules rules;
  rules.inhibit_neighbours = r.step_reflex || r.load_reflex;
  std::vector<LegEvent> events(r.places.size());
  step_gait(r.places, r.pace, rules, feelings, w.dt * w.iterations, r.state, events);
  std::size_t i = 0;
  for (const auto& [number, leg] : r.legs) {
    const LegEvent event = events[i++];
    if (event == LegEvent::step) run_program(r, leg.step, r.pace.step);
    if (event == LegEvent::stance) run_program(r, leg.stance, r.pace.stance());
  }
}

void CorpusInterpreter::run_program(const CorpusRoach& r, const std::vector<CorpusLine>& lines,
                                    double seconds) {
  CorpusFigure* outer_figure = present_figure;
  const double outer = scale;
  present_figure = r.figure;
  scale = seconds;
  run(lines);
  scale = outer;
  present_figure = outer_figure;
}

CorpusRun run_corpus(const std::string& text, const std::string& file, const CorpusOptions& options,
                     const Run& run) {
  const std::vector<CorpusLine> lines = parse_corpus(text, file);
  std::vector<CorpusLine> after;
  for (std::size_t i = 0; i < options.then.size(); ++i)
    after.push_back(parse_corpus_line(options.then[i], {"--then", int(i) + 1}));
  Meter meter(run, "simulating", frames_to_go(lines, after));
  CorpusInterpreter corpus(options, meter);
  corpus.run(lines);
  corpus.run(after);
  if (!corpus.over && options.seconds > 0) {
    const CorpusWorld& w = corpus.world();
    corpus.go(long(std::ceil(options.seconds / (w.dt * w.iterations) - 1e-9)));
  }
  CorpusRun done;
  CorpusWorld& world = corpus.world();
  if (std::none_of(world.figures.begin(), world.figures.end(), [](const auto& f) { return f->ready; }))
    throw Error({file, 0}, "script", "makes no figure",
                "add bodies to a corpus (addcorpus, addbody, setroot) and call corpusinit");
  done.motion = corpus.stage.finish(world);
  done.world = corpus.stage.simulation().system().world;
  done.step = corpus.stage.step();
  done.dynamics_calls = corpus.stage.calls();
  done.printed = std::move(corpus.printed);
  if (!corpus.stage.warning().empty()) done.printed.insert(done.printed.begin(), corpus.stage.warning());
  for (const CorpusAttachment& a : world.attachments) ++done.attachments, done.breaks += a.broken;
  return done;
}

World build_corpus_world(const std::string& text, const std::string& file) {
  CorpusOptions options;
  options.build_only = true;
  return run_corpus(text, file, options).world;
}

}  // namespace legwork
