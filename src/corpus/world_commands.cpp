// Commands of the world: time, ground, collisions, attachments.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "corpus/interpreter.h"
#include "formats/table/terrain_file.h"

namespace legwork {

namespace {

using Corpus = CorpusInterpreter;

bool on(const CorpusLine& line) { return line.words.empty() || line.words[0] == "on"; }

// A command that sets a number, or prints it when none is given. Negative ones are refused.
void number(Corpus& corpus, const CorpusLine& line, double& field) {
  if (line.words.empty()) {
    corpus.print(std::string(line.command->name) + " " + to_text(field));
    return;
  }
  const double x = corpus_number(line.words[0]);
  if (x < 0) Corpus::fail(line, line.words[0] + " is negative", "give 0 or more");
  field = x;
  corpus.stage.change();
}

template <double CorpusGround::*field>
void ground(Corpus& corpus, const CorpusLine& line) {
  number(corpus, line, corpus.world().ground.*field);
}
template <double CorpusCollisions::*field>
void collision(Corpus& corpus, const CorpusLine& line) {
  number(corpus, line, corpus.world().collisions.*field);
}

// Elasticity may be above 1: things then bounce ever higher.
constexpr double most_elastic = 4;
template <class Set>
void elasticity(Corpus& corpus, const CorpusLine& line, Set&& set) {
  if (!line.words.empty() && corpus_number(line.words[0]) > most_elastic)
    Corpus::fail(line, line.words[0] + " would give back more than four times what it got",
                 "write 0 to 1, or a little more");
  set(corpus, line);
}

// Other restitutions are shares.
template <double CorpusGround::*field>
void ground_share(Corpus& corpus, const CorpusLine& line) {
  if (!line.words.empty() && corpus_number(line.words[0]) > 1)
    Corpus::fail(line, line.words[0] + " would give back more than it got", "write 0 to 1");
  ground<field>(corpus, line);
}

void add_world(Corpus& corpus, const CorpusLine& line) {
  for (const auto& world : corpus.worlds)
    if (world->name == line.words[0])
      Corpus::fail(line, "there is a world '" + line.words[0] + "' already", "go back to it with setworld");
  corpus.worlds.push_back(std::make_unique<CorpusWorld>());
  corpus.present_world = corpus.worlds.back().get();
  corpus.present_world->name = line.words[0];
  corpus.present_figure = nullptr;
  corpus.present_roach = nullptr;
  corpus.stage.change();
}

void set_world(Corpus& corpus, const CorpusLine& line) {
  std::vector<std::string> names;
  for (const auto& world : corpus.worlds) {
    if (world->name == line.words[0]) {
      corpus.present_world = world.get();
      corpus.present_figure = world->figures.empty() ? nullptr : world->figures.back().get();
      corpus.present_roach = world->roaches.empty() ? nullptr : world->roaches.back().get();
      corpus.stage.change();
      return;
    }
    names.push_back(world->name);
  }
  Corpus::fail(line, "there is no world '" + line.words[0] + "'", did_you_mean(line.words[0], names));
}

void go(Corpus& corpus, const CorpusLine& line) {
  const double frames = line.words.empty() ? 1 : corpus_number(line.words[0]);
  if (frames < 0) Corpus::fail(line, line.words[0] + " frames are negative", "give 0 or more");
  if (corpus.scale > 0)
    Corpus::fail(line, "time already moves: go cannot stand in a step, a stance or their timers");
  bool any = false;
  for (const auto& figure : corpus.world().figures) any = any || figure->ready;
  if (!any) Corpus::fail(line, "there is no figure to move", "build one and call corpusinit");
  if (corpus.going) Corpus::fail(line, "time already moves: go cannot stand in an alarm or a timer");
  corpus.going = true;
  corpus.go(long(frames));
  corpus.going = false;
}

void set_timer(Corpus& corpus, const CorpusLine& line, double time) {
  if (!std::isfinite(time)) Corpus::fail(line, "'" + line.words[0] + "' is no time");
  CorpusWorld& world = corpus.world();
  if (world.timers.size() >= 100000)
    Corpus::fail(line, "100000 timers wait already", "does one set itself again and again?");
  world.timers.push_back({time, line.block[0], corpus.scale});
}

void run_if(Corpus& corpus, const CorpusLine& line, bool up) {
  const CorpusBody& body = corpus.body(line, line.words[0]);
  if (corpus.options.build_only) return;
  corpus.stage.prepare(corpus.world());
  if ((corpus.stage.simulation().w.R[body.link](2, 2) > 0) == up) corpus.run(line.block);
}

void set_time(Corpus& corpus, const CorpusLine& line) {
  CorpusWorld& world = corpus.world();
  if (line.words.empty()) {
    corpus.print("time " + to_text(world.time()));
    return;
  }
  world.base = corpus_number(line.words[0]);
  world.frames = 0;
  corpus.stage.change();
}

void set_dt(Corpus& corpus, const CorpusLine& line) {
  CorpusWorld& world = corpus.world();
  if (line.words.empty()) {
    corpus.print("dt " + to_text(world.dt));
    return;
  }
  const double dt = corpus_number(line.words[0]);
  if (!(dt >= 1e-9 && dt <= 10)) Corpus::fail(line, line.words[0] + " s is no frame", "write 1e-9 to 10");
  world.base = world.time();
  world.frames = 0;
  world.dt = dt;
  corpus.stage.change();
}

void set_integration(Corpus& corpus, const CorpusLine& line) {
  if (line.words.empty()) {
    corpus.print("integration " + corpus.world().integrator);
    return;
  }
  corpus.world().integrator = line.words[0];
  corpus.stage.change();
}

std::vector<CorpusBody*> bodies_of(Corpus& corpus, const CorpusLine& line, const std::string& name) {
  std::vector<CorpusBody*> found;
  for (const auto& figure : corpus.world().figures)
    if (figure->name == name || name == "all")
      for (const auto& body : figure->bodies) found.push_back(body.get());
  if (found.empty()) found.push_back(&corpus.body(line, name));
  return found;
}

void collide(Corpus& corpus, const CorpusLine& line) {
  for (CorpusBody* a : bodies_of(corpus, line, line.words[0]))
    for (CorpusBody* b : bodies_of(corpus, line, line.words[1])) {
      if (a != b) corpus.world().collisions.pairs.push_back({a, b});
    }
  corpus.stage.change();
}

// A mesh over a regular grid of x and y as a height field.
Terrain grid_of(const CorpusLine& line, const CorpusObject& object) {
  Shape shape = transformed(object);
  if (shape.type != ShapeType::mesh)
    Corpus::fail(line, "'" + line.words[1] + "' is a solid", "get a triangulated grid from a mesh file");
  std::vector<double> xs, ys;
  for (const Vec3d& v : shape.mesh.vertices) xs.push_back(v.x), ys.push_back(v.y);
  const auto distinct = [](std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const double same = 1e-6 * (values.back() - values.front());
    values.erase(std::unique(values.begin(), values.end(), [&](double a, double b) { return b - a <= same; }),
                 values.end());
  };
  distinct(xs);
  distinct(ys);
  HeightGrid grid;
  grid.nx = int(xs.size()), grid.ny = int(ys.size());
  if (grid.nx < 2 || grid.ny < 2 || xs.size() * ys.size() != shape.mesh.vertices.size())
    Corpus::fail(line,
                 "'" + line.words[1] + "' has " + std::to_string(shape.mesh.vertices.size()) +
                     " corners, which are no grid of " + std::to_string(grid.nx) + " x " +
                     std::to_string(grid.ny),
                 "give a mesh with one corner at every crossing");
  grid.x0 = xs[0], grid.y0 = ys[0], grid.cell = (xs.back() - xs[0]) / (grid.nx - 1);
  const double cell_y = (ys.back() - ys[0]) / (grid.ny - 1);
  if (std::fabs(cell_y - grid.cell) > 1e-4 * grid.cell)
    Corpus::fail(line, "its cells are " + to_text(grid.cell) + " by " + to_text(cell_y) + " m",
                 "they must be squares");
  grid.height.assign(xs.size() * ys.size(), 0.0);
  for (const Vec3d& v : shape.mesh.vertices) {
    const int i = int(std::lround((v.x - grid.x0) / grid.cell)),
              j = int(std::lround((v.y - grid.y0) / grid.cell));
    if (std::fabs(grid.x0 + i * grid.cell - v.x) > 1e-3 * grid.cell ||
        std::fabs(grid.y0 + j * grid.cell - v.y) > 1e-3 * grid.cell)
      Corpus::fail(line, "its corners are not evenly spaced", "give a regular grid");
    grid.height[std::size_t(j) * grid.nx + i] = v.z;
  }
  return field_terrain(std::move(grid), "addtrigrid " + line.words[0]);
}

void add_grid(Corpus& corpus, const CorpusLine& line) {
  CorpusWorld& world = corpus.world();
  const auto found = corpus.objects.find(line.words[1]);
  if (found != corpus.objects.end()) {
    world.grids[line.words[0]] = grid_of(line, *found->second);
  } else {
    try {
      world.grids[line.words[0]] = load_terrain(line.words[1]);
    } catch (const Error&) {
      corpus.object(line, line.words[1]);
      throw;
    }
  }
  world.grid = line.words[0];
  corpus.stage.change();
}

void ground_type(Corpus& corpus, const CorpusLine& line) {
  CorpusWorld& world = corpus.world();
  const bool grid = line.words[0] == "trigrid";
  if (grid && world.grids.empty())
    Corpus::fail(line, "there is no grid yet", "make one with addtrigrid NAME INSTANCE");
  world.ground.grid = grid;
  corpus.stage.change();
}

void attach(Corpus& corpus, const CorpusLine& line) {
  const auto end = [&](const std::string& name) -> CorpusBody* {
    return name == "ground" ? nullptr : &corpus.body(line, name);
  };
  const auto x = [&](int i) { return corpus_number(line.words[i]); };
  CorpusAttachment a;
  a.body = end(line.words[0]);
  a.other = end(line.words[1]);
  a.pos = {x(2), x(3), x(4)};
  a.other_pos = {x(5), x(6), x(7)};
  if (!a.body) std::swap(a.body, a.other), std::swap(a.pos, a.other_pos);
  if (!a.body || a.body == a.other) Corpus::fail(line, "name two different bodies, or a body and ground");
  a.k = x(8), a.ea = x(9), a.eB = x(10), a.e = x(11);
  if (a.k < 0 || a.ea < 0 || a.eB < 0) Corpus::fail(line, "a strength is negative", "give 0 or more");
  if (!(a.e >= 0 && a.e <= 1))
    Corpus::fail(line, "e is " + line.words[11], "write the share of force on the way back, 0 to 1");
  if (line.words.size() > 12) a.break_length = x(12);
  if (!(a.break_length > 0)) Corpus::fail(line, "break_length " + line.words[12] + " is not positive");
  corpus.world().attachments.push_back(a);
  corpus.stage.change();
}

}  // namespace

CorpusCommandGroup world_commands() {
  const char* val = "[val#]";
  return {
      "World, time, ground, collisions",
      {
          {"addworld", "world", "begins a world; its time starts at 0", add_world},
          {"setworld", "world", "goes back to a world", set_world},
          {"alarm", "time# command...", "runs a command at a time",
           [](Corpus& c, const CorpusLine& line) { set_timer(c, line, corpus_number(line.words[0])); }},
          {"timer", "delta_time~ command...", "runs a command after this time",
           [](Corpus& c, const CorpusLine& line) {
             set_timer(c, line, c.world().time() + c.duration(line, line.words[0]));
           }},
          {"timerflush", "", "runs the timers whose time has come",
           [](Corpus& c, const CorpusLine&) { c.fire_timers(); }},
          {"go", "[frames%]", "moves the world by this many frames (1)", go},
          {"iter", "n%", "every frame of go is this many dt long",
           [](Corpus& c, const CorpusLine& line) {
             const double n = corpus_number(line.words[0]);
             if (!(n >= 1)) Corpus::fail(line, line.words[0] + " is not positive", "give 1 or more");
             c.world().iterations = int(n);
           }},
          {"dt", "[time#]",
           "duration of a frame (s); without a value this command, like those that follow, prints it",
           set_dt},
          {"h", "[time#]", "step of the integrator (s); 0: chosen; rkf chooses its own",
           [](Corpus& c, const CorpusLine& line) { number(c, line, c.world().h); }},
          {"eps", val, "error tolerance of rkf; 1 is a millionth of 1 + |value|",
           [](Corpus& c, const CorpusLine& line) { number(c, line, c.world().eps); }},
          {"time", "[val#]", "sets the time (s), or prints it", set_time},
          {"integration", "[rkfixed|rkvar|rkf|euler|implicit]",
           "Runge-Kutta of order 4, of order 5 with error control (both names), Euler, or linearly implicit "
           "(the default)",
           set_integration},
          {"setgrav", "val#", "acceleration of free fall (m/s^2, 9.8 by default)",
           [](Corpus& c, const CorpusLine& line) {
             c.world().gravity = corpus_number(line.words[0]);
             c.stage.change();
           }},
          {"grav", "[on|off]", "gravity on or off",
           [](Corpus& c, const CorpusLine& line) {
             c.world().gravity_on = on(line);
             c.stage.change();
           }},
          {"ground", "[on|off]", "ground on or off",
           [](Corpus& c, const CorpusLine& line) {
             c.world().ground.on = on(line);
             c.stage.change();
           }},
          {"groundtype", "flat|trigrid", "level, or the grid of addtrigrid", ground_type},
          {"groundkrf", val, "reaction to velocity (N s/m), added to groundb", ground<&CorpusGround::krf>},
          {"groundk", val, "linear spring (N/m)", ground<&CorpusGround::k>},
          {"grounde", val,
           "elasticity: share of the spring's force while a point moves out; above 1 things bounce ever "
           "higher",
           [](Corpus& c, const CorpusLine& line) { elasticity(c, line, ground<&CorpusGround::e>); }},
          {"groundfric", val, "coefficient of sliding friction", ground<&CorpusGround::friction>},
          {"groundfric2", val, "the coefficient of friction model 2, a spring along the ground that slips",
           ground<&CorpusGround::friction2>},
          {"groundfric2k", val, "its strength (N/m); 0: chosen", ground<&CorpusGround::friction2_k>},
          {"groundfric2e", val, "its restitution: share of energy given back; 0: critically damped",
           ground_share<&CorpusGround::friction2_e>},
          {"groundb", val, "damper (N s/m)", ground<&CorpusGround::b>},
          {"groundea", val, "exponential spring: linear strength (N)", ground<&CorpusGround::ea>},
          {"groundeB", val, "and rise (1/m)", ground<&CorpusGround::eB>},
          {"groundemaxz", val, "depth (m) beyond which its force grows no further",
           ground<&CorpusGround::emaxz>},
          {"groundstickeA", val, "sticky ground: linear strength (N)", ground<&CorpusGround::stick_ea>},
          {"groundstickeB", val, "and rise (1/m)", ground<&CorpusGround::stick_eB>},
          {"groundstickemaxz", val, "stretch (m) at which it lets go", ground<&CorpusGround::stick_emaxz>},
          {"groundsticke", val, "its restitution", ground_share<&CorpusGround::stick_e>},
          {"groundz", "[val#]", "height of the ground (m)",
           [](Corpus& c, const CorpusLine& line) {
             CorpusGround& g = c.world().ground;
             if (line.words.empty()) return c.print("groundz " + to_text(g.z));
             g.z = corpus_number(line.words[0]);
             c.stage.change();
           }},
          {"collide", "body1 body2",
           "these two touch each other; a figure's name stands for all its bodies, all for those of every "
           "figure "
           "so far",
           collide},
          {"collision", "[on|off]", "touching between bodies on or off",
           [](Corpus& c, const CorpusLine& line) {
             c.world().collisions.on = on(line);
             c.stage.change();
           }},
          {"collisionanalysis", "[on|off]",
           "on: bodies that meet answer by impulses, which take no time, and not by springs; what rests on "
           "another sinks in slowly",
           [](Corpus& c, const CorpusLine& line) {
             c.world().collisions.analysis = on(line);
             c.stage.change();
           }},
          {"collisone", val,
           "restitution of collisions, a share of energy, above 1 more than there was (as spelled in the "
           "thesis; collisione is the same)",
           [](Corpus& c, const CorpusLine& line) { elasticity(c, line, collision<&CorpusCollisions::e>); }},
          {"collisione", val, "the same",
           [](Corpus& c, const CorpusLine& line) { elasticity(c, line, collision<&CorpusCollisions::e>); }},
          {"collisionfric", val, "friction of collisions", collision<&CorpusCollisions::friction>},
          {"collisonea", val, "exponential spring: linear strength (N); collisionea is the same",
           collision<&CorpusCollisions::ea>},
          {"collisionea", val, "the same", collision<&CorpusCollisions::ea>},
          {"collisoneB", val, "and rise (1/m); collisioneB is the same", collision<&CorpusCollisions::eB>},
          {"collisioneB", val, "the same", collision<&CorpusCollisions::eB>},
          {"collisionemaxz", val, "depth (m) beyond which its force grows no further",
           collision<&CorpusCollisions::emaxz>},
          {"addrigrd", "grid instance",
           "a ground of triangles from an object over a regular grid, or from a terrain text such as "
           "bumps:0.004,0.03; "
           "addtrigrid is the same",
           add_grid},
          {"addtrigrid", "grid instance", "the same", add_grid},
          {"attach", "body1 body2 x1# y1# z1# x2# y2# z2# k# ea# eB# e# [break_length#]",
           "a spring between two points, linear k and exponential ea, eB, its force times e on the way back; "
           "breaks for "
           "good beyond a length (m); ground may stand for a body",
           attach},
          {"record", "hz#",
           "frames of the motion that are recorded per second (60 by default); --rate overrides it",
           [](Corpus& c, const CorpusLine& line) {
             c.world().rate = corpus_number(line.words[0]);
             if (!(c.world().rate > 0))
               Corpus::fail(line, line.words[0] + " is not positive", "give more than 0");
           }},
          {"ifup", "body command...", "runs the command if the body's z axis points up",
           [](Corpus& c, const CorpusLine& line) { run_if(c, line, true); }},
          {"ifdown", "body command...", "runs the command if it points down",
           [](Corpus& c, const CorpusLine& line) { run_if(c, line, false); }},
          {"read", "file", "inserts the lines of another script, which is looked for beside this one",
           [](Corpus&, const CorpusLine& line) {
             Corpus::fail(line, "must stand on a line of its own in a file");
           }},
          {"!", "text...", "prints the text", [](Corpus& c, const CorpusLine& line) { c.print(line.text); }},
      }};
}

}  // namespace legwork
