// The public face: which functions, their names, and what a reader of the code must know.

#include <legwork/compile.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include <legwork/dynamics.h>
#include "base/text.h"
#include "base/version.h"
#include "compile/code_plan.h"
#include "compile/emit_c.h"
#include "compile/programs.h"
#include "creature/check.h"
#include "motion/record.h"

namespace legwork {

namespace {

const Choices emissions = {{"forward", "accelerations from forces (articulated-body algorithm)"},
                           {"inverse", "forces from accelerations (recursive Newton-Euler)"},
                           {"mass", "the mass matrix (composite-rigid-body algorithm)"},
                           {"jacobian", "position and Jacobian of each --point"},
                           {"step", "a step of the simulation, with ground, springs, limits and actuators"}};

// A name as C writes it.
std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "_" + name : name;
}

std::string range(const char* array, int first, int count) {
  const std::string from = array + ("[" + std::to_string(first));
  return count == 1 ? from + "]" : from + ".." + std::to_string(first + count - 1) + "]";
}

// What each coordinate is, a line for each joint.
std::string coordinates(const Creature& c, const Model<double>& m) {
  const std::vector<const Dof*> dofs = c.dofs();
  std::string text;
  for (const Screw<double>& s : m.screws) {
    const std::string link = c.links[std::size_t(m.link_of_dof[std::size_t(s.v)])].name;
    const auto add = [&](const std::string& q, const std::string& v, const std::string& what) {
      text += "  " + q + ", " + v + "  " + what + "\n";
    };
    switch (s.type) {
      case ScrewType::free:
        add(range("q", s.q, 3), range("v", s.v, 3),
            "position and velocity of " + link + ", world, m and m/s");
        add(range("q", s.q + 3, 4), range("v", s.v + 3, 3),
            "quaternion w x y z of " + link + "; angular velocity in its own axes, rad/s");
        break;
      case ScrewType::ball:
        add(range("q", s.q, 4), range("v", s.v, 3),
            "quaternion w x y z of " + link + " in its parent; angular velocity in its own axes, rad/s");
        break;
      default: {
        const int n = s.type == ScrewType::path ? s.paths : 1;
        for (int k = 0; k < n; ++k)
          add(range("q", s.q + k, 1), range("v", s.v + k, 1),
              dofs[std::size_t(s.v + k)]->name + (s.type == ScrewType::hinge   ? ", rad and rad/s"
                                                  : s.type == ScrewType::slide ? ", m and m/s"
                                                                               : ", of its path"));
      }
    }
  }
  return text;
}

std::string list_of(const char* heading, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = std::string(heading) + "\n";
  for (std::size_t i = 0; i < names.size(); ++i) text += "  " + std::to_string(i) + "  " + names[i] + "\n";
  return text;
}

std::string head(const World& world, const System<double>& system, const std::string& name) {
  const Creature& c = world.body;
  std::vector<std::string> links, actuators, contacts;
  for (const Link& link : c.links) links.push_back(link.name);
  for (const Actuator& a : c.actuators) actuators.push_back(a.name);
  for (std::size_t i = 0; i < c.contacts.size(); ++i)
    contacts.push_back(c.contacts[i].name.empty() ? "on " + links[std::size_t(c.contacts[i].link)]
                                                  : c.contacts[i].name);
  return name + ": dynamics of " + c.name + ", " + to_text(c.mass()) + " kg. Made by Legwork " + version() +
         "; do not edit.\n\nSI units, radians; Z is up. Gravity " + to_text(world.gravity.x) + ", " +
         to_text(world.gravity.y) + ", " + to_text(world.gravity.z) +
         " m/s^2.\nWith -ffp-contract=off (and without -ffast-math) results have the bits of the library.\n\n"
         "Coordinates q and velocities v\n" +
         coordinates(c, system.model) + list_of("Links", links) + list_of("Actuators", actuators) +
         list_of("Contact points", contacts) + "Example: cc -std=c99 -O1 -ffp-contract=off -D" +
         "LEGWORK_EXAMPLE " + name + ".c -lm -o " + name;
}

}  // namespace

void describe(Options& v, CompileOptions& o) {
  v.texts("emit", o.emit, emissions, "what to emit; may be repeated");
  v.texts("point", o.point, {{"NAME", "a link, leg, contact point or label"}},
          "jacobian: of this point; may be repeated; none: of every leg's sole");
  v.integer("longest", o.longest,
            {100, 1000000, "1", "operations in one C function; longer code is divided"});
}

CompiledC compile_c(const World& given, const std::string& name, const CompileOptions& options) {
  const World world = for_batches(given);
  check(world.body);
  const Creature& body = world.body;
  const System<double> system = make_system(world);
  const StepOptions step = choose_step(system, world.integrator, world.dt);
  const std::string id = identifier(name);
  CFile file{id, {}, {}, {}, name + ".h"};
  std::vector<std::unique_ptr<Tape>> tapes;
  const auto add = [&](const std::string& what, const std::string& about, std::unique_ptr<Tape> tape) {
    for (const CFunction& f : file.functions)
      if (f.name == id + "_" + what)
        throw Error({}, "compile", "'" + what + "' is there twice", "name it once");
    tapes.push_back(std::move(tape));
    CFunction f{id + "_" + what, about, tapes.back().get(), {}};
    file.functions.push_back(std::move(f));
  };
  for (const std::string& what : options.emit) {
    if (what == "forward") {
      add(what, "Accelerations qdd that forces give.", record_forward(system));
    } else if (what == "inverse") {
      add(what, "Forces tau that accelerations need.", record_inverse(system));
    } else if (what == "mass") {
      add(what, "The mass matrix.", record_mass_matrix(system));
    } else if (what == "jacobian") {
      std::vector<std::string> points = options.point;
      if (points.empty())
        for (const Leg& leg : body.legs) points.push_back(leg.name);
      if (points.empty())
        throw Error({}, "--emit jacobian", "'" + body.name + "' has no legs", "name a point: --point LINK");
      for (const std::string& point : points) {
        const BodyPoint p = find_point(body, point);
        add("jacobian_" + identifier(point), "Position and Jacobian of " + point + ".",
            record_jacobian(system, p.link, p.pos));
      }
    } else if (what == "step") {
      if (const std::string obstacle = not_recordable(system, step); !obstacle.empty())
        throw Error(body.where, body.name, "a step of it cannot be compiled: " + obstacle,
                    "leave out step: --emit forward inverse mass");
      add(what, "A step of " + to_text(step.dt) + " s, integrator " + to_string(step.integrator) + ".",
          record_step(system, step));
    } else {
      throw Error({}, "--emit", "cannot emit '" + what + "'", did_you_mean(what, emissions.names()));
    }
  }
  if (file.functions.empty()) throw Error({}, "--emit", "nothing to emit", "write --emit forward");
  file.about = head(world, system, id);
  file.constants = {{"NQ", body.nq()},
                    {"NV", body.nv()},
                    {"NLINK", int(body.links.size())},
                    {"NU", int(body.actuators.size())},
                    {"NCONTACT", int(body.contacts.size())}};
  // where it stands, for every function that reads a state
  Simulation<double> sim(system, step);
  const Start start = start_of(system, {.height = 0.0});
  sim.reset(start.q, start.v);
  for (CFunction& f : file.functions)
    f.start = {{"q", sim.state.q}, {"target", sim.state.drive.target}, {"activation", sim.state.activation}};

  CompiledC code;
  code.header = c_header(file);
  code.source = c_source(file, options.longest);
  for (const CFunction& f : file.functions)
    code.functions.push_back(
        {f.name, f.tape->asked_for(), make_code_plan(*f.tape, options.longest).operations});
  return code;
}

}  // namespace legwork
