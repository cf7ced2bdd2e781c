// legwork inspect: a scientist's questions about one state.

#include <cmath>
#include <iostream>
#include <iterator>
#include <map>

#include <legwork/files.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "creature/check.h"
#include "dynamics/constrained.h"
#include "formats/file.h"
#include "scenario/scenario.h"
#include "scenario/world_words.h"
#include "sim/simulation.h"

namespace legwork::cli {

namespace {

struct InspectOptions {
  std::string state, pose;
  std::vector<std::string> point;
  std::string gravity;
};

template <class Visitor>
void describe(Visitor& v, InspectOptions& o) {
  v.file("state", o.state,
         "JSON file with q (nq), v (nv), tau (nv) and f_ext {link: [fx, fy, fz, mx, my, mz]}, force and "
         "moment on the link's centre of mass in world axes; what is absent is zero, an absent q the "
         "reference pose; - reads stdin");
  v.text("pose", o.pose, {"POSE"}, "named pose in place of the state's q");
  v.texts("point", o.point, {{"LINK,X,Y,Z", "a point fixed to a link, in its frame; may be repeated"}},
          "report position, velocity and Jacobian of a point");
  v.text("gravity", o.gravity, gravity_choices(), "acceleration of free fall; else the file's");
}

// A state as the user gave it, complete and of the right sizes.
struct Given {
  std::vector<double> q, v, tau;
  std::map<int, std::vector<double>> f_ext;  // link -> force, moment
  std::vector<std::string> notes;
};

std::string count_text(size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

class StateReader {
 public:
  StateReader(const Creature& creature, std::string file) : creature_(creature), file_(std::move(file)) {}

  Given read(const std::string& text) {
    Json json;
    try {
      json = Json::parse(text);
    } catch (const Json::parse_error& e) {
      const int line =
          1 + int(std::count(text.begin(), text.begin() + long(std::min(e.byte, text.size())), '\n'));
      throw Error({file_, line}, "state", "is not JSON",
                  "write {\"q\": [...], \"v\": [...], \"tau\": [...]}");
    }
    if (!json.is_object()) fail("state", "is not an object", "write {\"q\": [...], \"v\": [...]}");
    const std::vector<std::string> keys = {"q", "v", "tau", "f_ext"};
    for (const auto& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail("state", "unknown key '" + key + "'", did_you_mean(key, keys));
    Given given;
    given.q = numbers(json, "q", size_t(creature_.nq()), "nq", creature_.pose(""));
    given.v = numbers(json, "v", size_t(creature_.nv()), "nv", {});
    given.tau = numbers(json, "tau", size_t(creature_.nv()), "nv", {});
    read_forces(json, given);
    return given;
  }

 private:
  [[noreturn]] void fail(const std::string& who, const std::string& problem,
                         const std::string& advice = {}) const {
    throw Error({file_, 0}, who, problem, advice);
  }

  std::vector<double> to_numbers(const Json& json, const std::string& who) const {
    if (!json.is_array()) fail(who, "is not a list of numbers");
    std::vector<double> values;
    for (const Json& x : json) {
      if (!x.is_number() || !std::isfinite(x.get<double>()))
        fail(who, "value " + std::to_string(values.size()) + " is not a finite number: " + x.dump());
      values.push_back(x.get<double>());
    }
    return values;
  }

  std::vector<double> numbers(const Json& json, const char* key, size_t size, const char* size_name,
                              std::vector<double> absent) const {
    absent.resize(size);
    if (!json.contains(key)) return absent;
    std::vector<double> values = to_numbers(json[key], key);
    if (values.size() != size)
      fail(key,
           "has " + count_text(values.size(), "value") + ", but '" + creature_.name + "' has " + size_name +
               " = " + std::to_string(size),
           "legwork inspect without --state shows the order");
    return values;
  }

  void read_forces(const Json& json, Given& given) const {
    if (!json.contains("f_ext")) return;
    if (!json["f_ext"].is_object()) fail("f_ext", "is not an object {link: [fx, fy, fz, mx, my, mz]}");
    for (const auto& [name, value] : json["f_ext"].items()) {
      const int link = creature_.link(name);
      if (link < 0) {
        std::vector<std::string> names;
        for (const Link& l : creature_.links) names.push_back(l.name);
        fail("f_ext", "unknown link '" + name + "'", did_you_mean(name, names));
      }
      std::vector<double> wrench = to_numbers(value, "f_ext of '" + name + "'");
      if (wrench.size() == 3) wrench.resize(6);
      if (wrench.size() != 6)
        fail("f_ext of '" + name + "'", "has " + count_text(wrench.size(), "value"),
             "write [fx, fy, fz] or [fx, fy, fz, mx, my, mz]");
      given.f_ext[link] = wrench;
    }
  }

  const Creature& creature_;
  std::string file_;
};

// Quaternions must have unit length. Rounding in a text file is corrected and reported; more is an error.
void check_quaternions(const Model<double>& m, const std::string& file, Given& given) {
  for (const Screw<double>& screw : m.screws) {
    if (screw.type != ScrewType::ball && screw.type != ScrewType::free) continue;
    const int at = screw.type == ScrewType::free ? screw.q + 3 : screw.q;
    const double* quaternion = &given.q[size_t(at)];
    double square = 0;
    for (int i = 0; i < 4; ++i) square += quaternion[i] * quaternion[i];
    const double length = std::sqrt(square);
    if (std::abs(length - 1) < 1e-12) continue;
    const std::string where = "q[" + std::to_string(at) + "] to q[" + std::to_string(at + 3) + "]";
    if (!(std::abs(length - 1) < 1e-3))
      throw Error({file, 0}, where, "is a quaternion of length " + to_text(length),
                  "give a unit quaternion w, x, y, z");
    given.notes.push_back(where + ": quaternion of length " + to_text(length) + " was normalized");
  }
  normalize_positions(m, given.q.data());
}

struct PointQuestion {
  int link = 0;
  Vec3d at;
};

PointQuestion parse_point(const std::string& text, const Creature& creature) {
  const std::vector<std::string> parts = split_commas(text);
  if (parts.size() != 4)
    throw Error({}, "--point", "'" + text + "' is not LINK,X,Y,Z",
                "write for example " + creature.links[0].name + ",0,0,0.1");
  PointQuestion point;
  point.link = creature.link(parts[0]);
  std::vector<std::string> names;
  for (const Link& link : creature.links) names.push_back(link.name);
  if (point.link < 0)
    throw Error({}, "--point", "unknown link '" + parts[0] + "'", did_you_mean(parts[0], names));
  Options reader;
  reader.vector("point", point.at, {-1e9, 1e9, "m", ""});
  reader.all()[0].set({parts[1], parts[2], parts[3]}, {}, "--point");
  return point;
}

Json point_answer(const Model<double>& m, const Workspace<double>& w, const Creature& creature,
                  const PointQuestion& point) {
  const Vec3d at = point.at;
  std::vector<double> J(size_t(6 * m.nv));
  point_jacobian(m, w, point.link, at, J.data());
  Json rows = Json::array();
  for (int i = 0; i < 6; ++i)
    rows.push_back(to_json(std::vector<double>(J.begin() + i * m.nv, J.begin() + (i + 1) * m.nv)));
  return {{"link", creature.links[size_t(point.link)].name},
          {"at", to_json(at)},
          {"position", to_json(point_position(w, point.link, at))},
          {"velocity", to_json(point_velocity(w, point.link, at))},
          {"angular_velocity", to_json(w.vel[size_t(point.link)].ang)},
          {"jacobian_rows", {"wx", "wy", "wz", "vx", "vy", "vz"}},
          {"jacobian", rows}};
}

// qdd, so that closed loops stay closed as they are and coupled joints keep their equations (no
// stabilisation).
void hold_loops(const Creature& creature, const Model<double>& m, const std::vector<double>& x,
                const std::vector<double>& v, Workspace<double>& w, double* qdd) {
  int rows = int(creature.couplings.size()), terms = 0;
  for (const Loop& loop : creature.loops) rows += rows_of(loop);
  for (const Coupling& coupling : creature.couplings) terms += legwork::terms_of(coupling);
  if (rows == 0) return;
  Constraints<double> constraints(m, rows, terms);
  for (const Loop& loop : creature.loops) add_loop(loop, unlimited, w, constraints);
  for (const Coupling& coupling : creature.couplings)
    add_coupling(coupling, unlimited, x.data(), v.data(), constraints);
  apply_constraints(m, constraints, w, qdd);
}

// A square matrix as rows.
Json to_rows(const std::vector<double>& M, size_t n) {
  Json rows = Json::array();
  for (size_t i = 0; i < n; ++i)
    rows.push_back(to_json(std::vector<double>(M.begin() + long(i * n), M.begin() + long((i + 1) * n))));
  return rows;
}

// What springs, dampers, limits, tendons and the medium would add, and what dry friction would in answer to
// all that acts: a joint that moves is slowed, one at rest is held as far as its friction reaches.
struct InnerForces {
  std::vector<double> passive, friction;
};
InnerForces inner_forces(World world, const Given& given, const std::vector<double>& applied) {
  world.terrain = no_terrain();
  world.body.actuators.clear();
  const size_t nv = given.v.size();
  InnerForces inner{std::vector<double>(nv), std::vector<double>(nv)};
  const auto probe = [&](const System<double>& system) {
    Simulation<double> sim(system, {.integrator = Integrator::euler, .dt = 1e-6});
    sim.reset(given.q, given.v);
    for (size_t i = 0; i < nv; ++i) sim.state.drive.tau[i] = given.tau[i] + applied[i];
    sim.probe();
    return sim;
  };
  System<double> system = make_system(world);
  const std::vector<double> with_friction = probe(system).tau;
  system.friction = {};
  Simulation<double> sim = probe(system);
  std::vector<double> pushed(nv), alone(nv);
  inverse_dynamics<double>(system.model, nullptr, sim.w, pushed.data());
  clear_forces(system.model, sim.w);
  inverse_dynamics<double>(system.model, nullptr, sim.w, alone.data());
  for (size_t i = 0; i < nv; ++i) {
    inner.passive[i] = sim.tau[i] - sim.state.drive.tau[i] + alone[i] - pushed[i];
    inner.friction[i] = with_friction[i] - sim.tau[i];
  }
  return inner;
}

// The terms of M qdd + bias = tau + applied + constraint.
struct Terms {
  explicit Terms(size_t nv) : M(nv * nv), bias(nv), applied(nv), constraint(nv), qdd(nv) {}
  std::vector<double> M, bias, applied, constraint, qdd;
};
Terms terms_of(const Creature& creature, const Model<double>& m, const Given& given, Workspace<double>& w) {
  const size_t nv = size_t(m.nv);
  Terms t(nv);
  mass_matrix(m, w, t.M.data());
  inverse_dynamics<double>(m, nullptr, w, t.bias.data());
  for (const auto& [link, f] : given.f_ext) {
    const Vec3d com = creature.links[size_t(link)].com;
    add_force(w, link, com, Vec3d(f[0], f[1], f[2]));
    w.f_ext[size_t(link)].ang += Vec3d(f[3], f[4], f[5]);
  }
  std::vector<double> loaded(nv);
  inverse_dynamics<double>(m, nullptr, w, loaded.data());
  for (size_t i = 0; i < nv; ++i) t.applied[i] = t.bias[i] - loaded[i];
  forward_dynamics(m, given.tau.data(), w, t.qdd.data());
  std::vector<double> x(nv);
  joint_positions(make_joint_forces(creature, m), given.q.data(), x.data());
  hold_loops(creature, m, x, given.v, w, t.qdd.data());
  for (size_t i = 0; i < nv && !(creature.loops.empty() && creature.couplings.empty()); ++i) {
    t.constraint[i] = loaded[i] - given.tau[i];
    for (size_t j = 0; j < nv; ++j) t.constraint[i] += t.M[i * nv + j] * t.qdd[j];
  }
  return t;
}

// Everything about the state.
Json answer(const World& world, const InspectOptions& options, const Given& given) {
  const Creature& creature = world.body;
  Model<double> m = make_model(creature);
  m.gravity = world.gravity;
  Workspace<double> w(m);
  update_positions(m, given.q.data(), w);
  update_velocities(m, given.q.data(), given.v.data(), w);
  clear_forces(m, w);
  const Terms t = terms_of(creature, m, given, w);
  const InnerForces inner = inner_forces(world, given, t.applied);

  Json dofs = Json::array();
  for (const Dof* dof : creature.dofs()) dofs.push_back(dof->name);
  const Wrench<double> h = momentum(m, w);
  Json json = {{"verb", "inspect"},
               {"creature", creature.name},
               {"status", "ok"},
               {"nq", m.nq},
               {"nv", m.nv},
               {"dofs", dofs},
               {"q", to_json(given.q)},
               {"v", to_json(given.v)},
               {"tau", to_json(given.tau)},
               {"mass", total_mass(m)},
               {"com", to_json(center_of_mass(m, w))},
               {"mass_matrix", to_rows(t.M, size_t(m.nv))},
               {"bias", to_json(t.bias)},
               {"applied", to_json(t.applied)},
               {"constraint", to_json(t.constraint)},
               {"passive", to_json(inner.passive)},
               {"friction", to_json(inner.friction)},
               {"qdd", to_json(t.qdd)},
               {"kinetic", kinetic_energy(m, given.v.data(), w)},
               {"potential", potential_energy(m, w)},
               {"momentum", {{"linear", to_json(h.lin)}, {"angular", to_json(h.ang)}}},
               {"gravity", to_json(world.gravity)}};
  Json points = Json::array();
  for (const std::string& text : options.point)
    points.push_back(point_answer(m, w, creature, parse_point(text, creature)));
  if (points.size() == 1) json["point"] = points[0];
  if (!points.empty()) json["points"] = points;
  if (!given.notes.empty()) json["notes"] = given.notes;
  return json;
}

std::string vector_text(const Json& v) { return brief(v[0]) + ", " + brief(v[1]) + ", " + brief(v[2]); }

void tell(const Json& json, const Output& output) {
  output.say(json["creature"].get<std::string>() + ": " + brief(json["mass"]) + " kg, nq " +
             std::to_string(json["nq"].get<int>()) + ", nv " + std::to_string(json["nv"].get<int>()));
  output.say("centre of mass  " + vector_text(json["com"]) + " m");
  output.say("energy          kinetic " + brief(json["kinetic"]) + " J, potential " +
             brief(json["potential"]) + " J");
  output.say("momentum        " + vector_text(json["momentum"]["linear"]) + " kg m/s; about the origin " +
             vector_text(json["momentum"]["angular"]) + " kg m^2/s");
  if (json.contains("points"))
    for (const Json& point : json["points"])
      output.say("point of " + point["link"].get<std::string>() + "  at " + vector_text(point["position"]) +
                 " m, moving " + vector_text(point["velocity"]) + " m/s");
  std::vector<std::vector<std::string>> rows = {
      {"dof", "v", "tau", "bias", "passive", "friction", "qdd", "M_ii"}};
  for (size_t i = 0; i < json["dofs"].size(); ++i)
    rows.push_back({json["dofs"][i], brief(json["v"][i]), brief(json["tau"][i]), brief(json["bias"][i]),
                    brief(json["passive"][i]), brief(json["friction"][i]), brief(json["qdd"][i]),
                    brief(json["mass_matrix"][i][i])});
  std::string text = table(rows);
  text.pop_back();
  output.say("\n" + text);
  output.say(
      "\nM qdd + bias = tau + applied + constraint; passive: what springs, dampers, limits, tendons and the "
      "medium would add; friction: what dry friction would. --json - gives all.");
}

}  // namespace

int inspect(const Words& words) {
  std::string name;
  InspectOptions options;
  OutputOptions out;
  Arguments arguments("inspect", "report masses, matrices, accelerations and Jacobians at one state",
                      "legwork inspect hexapod\n"
                      "legwork inspect hexapod --pose stand --point mesothorax,0.1,0,0 --json -\n"
                      "echo '{\"v\": [0.1, 0, 0]}' | legwork inspect chain.xml --state - --json state.json");
  arguments.place("CREATURE", name, "a shipped name or a file: .toml, MJCF .xml, .urdf, .corpus");
  arguments.options("The state", options);
  arguments.options("Output", out);
  if (!arguments.parse(words)) return fine;

  World world = load_world(name);
  WorldOptions asked;
  asked.gravity = options.gravity;
  apply(asked, world);
  const Creature& creature = world.body;
  const std::string file = options.state == "-" ? "stdin" : options.state;
  std::string text = "{}";
  if (options.state == "-")
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  else if (!options.state.empty())
    text = read_file(options.state, std::uint64_t(1) << 28);
  Given given = StateReader(creature, file).read(text);
  if (!options.pose.empty()) {
    check_pose(creature, options.pose);
    given.q = creature.pose(options.pose);
  }
  check_quaternions(make_model(creature), file, given);

  const Json json = answer(world, options, given);
  const Output output(out);
  for (const std::string& note : given.notes) std::cerr << "legwork: " << file << ": " << note << "\n";
  tell(json, output);
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
