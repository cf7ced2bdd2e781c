#pragma once
// A run as text: verb, creature, world, options, seed. --save writes it, `legwork run` runs it, every result
// carries it. docs/scenario_file.md has the format.

#include <cstdint>
#include <string>
#include <vector>

#include <legwork/options.h>
#include "sim/simulation.h"

namespace legwork {

// The world's options, the same for all verbs. Empty (or auto): what the world's file says, else the default.
struct WorldOptions {
  std::string terrain, contact;
  double friction = -1;
  std::string gravity, water, wind;
  std::string body_contact = "auto";
  std::vector<std::string> push;
  std::string integrator = "auto";
  double dt = 0;
  double rate = 60;
};

Choices gravity_choices();
Choices integrator_or_auto();

template <class Visitor>
void describe(Visitor& v, WorldOptions& o) {
  v.text("terrain", o.terrain, terrain_choices(), "the ground; else the world file's, or plane");
  v.text("contact", o.contact, contact_choices(), "how it pushes back; else the world file's, or linear");
  v.number("friction", o.friction, {-1, 100, "1", "Coulomb's coefficient of the ground; -1 = as in contact"});
  v.text("gravity", o.gravity, gravity_choices(), "acceleration of free fall; else the file's, or 9.81");
  v.text("water", o.water, medium_choices(), "what the creature swims in");
  v.text("wind", o.wind, {"WHAT"}, "moving air, in the forms of --water");
  v.choice("body_contact", o.body_contact,
           {{"auto", "as the world file says, else off"},
            {"on", "links push each other away"},
            {"off", "links pass through each other"}},
           "contact between links of different branches and bodies");
  v.texts("push", o.push, push_choices(), "a push from outside; may be repeated");
  v.choice("integrator", o.integrator, integrator_or_auto(), "how time advances");
  v.number("dt", o.dt, {0, 1, "s", "time step; 0 = what suits the creature"});
  v.number("rate", o.rate, {0.001, 1e6, "Hz", "recorded frames a second"});
}

// Puts what the options say into the world. Throws Error naming the option.
void apply(const WorldOptions& options, World& world);
// The pushes of the options, by the world's links.
std::vector<Push> pushes(const WorldOptions& options, const World& world);
// Options that make this world of its bare bodies, with nothing left open.
WorldOptions effective_options(const WorldOptions& options, const World& world, const StepOptions& step);

// One key of a table, its values as text.
struct Setting {
  std::string key;
  std::vector<std::string> values;
  Where where;
};

struct Scenario {
  std::string verb, creature;
  std::uint64_t seed = 1;
  std::vector<Setting> world, options;
  std::string source;  // a text that the verb needs, such as a script; empty: none
  Where where;
};

// A creature's file is sought beside the scenario's, then here.
Scenario read_scenario(const std::string& path);
std::string beside(const std::string& file, const std::string& creature);
// file names the text in messages.
Scenario parse_scenario(const std::string& text, const std::string& file);

class TomlTable;
struct TomlNode;
// The keys of a scenario in a table that may hold more. All of them become known keys.
Scenario read_scenario_keys(TomlTable& table);
// The settings of the table's sub-table; none where it is absent.
std::vector<Setting> read_settings(TomlTable& table, const std::string& key);
// A number, a text, true or false, as text.
std::vector<std::string> setting_values(const TomlTable& table, const TomlNode& node, const std::string& key);

// Stores each setting in the option of its name; group names the table in messages. Throws Error.
void apply(const std::vector<Setting>& settings, const Options& options, const std::string& group);

// The command line that does the same: what differs from the defaults, quoted for a shell.
std::string command_line(const std::string& verb, const std::string& creature, std::uint64_t seed,
                         const Options& world, const Options& options);

// The scenario as a file, every value with its unit and meaning beside it; the first line tells the command.
std::string scenario_text(const std::string& command, const std::string& verb, const std::string& creature,
                          std::uint64_t seed, const Options& world, const Options& options,
                          const std::string& source = {});
// The command in the first line of such a text; empty where there is none.
std::string command_of(const std::string& scenario_text);

}  // namespace legwork
