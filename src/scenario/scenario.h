#pragma once
// A run as text: verb, creature, world, options, seed. --save writes it, `legwork run` runs it, every result
// carries it. docs/scenario_file.md has the format.

#include <string>
#include <vector>

#include <legwork/options.h>
#include <legwork/result.h>

namespace legwork {

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

// The settings of a table's options: all of them, or those that differ from their defaults.
std::vector<Setting> settings_of(const Options& options);
std::vector<Setting> changed_settings(const Options& options);

// The command line that does the same, quoted for a shell. Kinds of options come from the descriptions.
std::string command_line(const Scenario& scenario, const Options& world, const Options& options);

// The scenario as a file, every value with its unit and meaning beside it; the first line gives the command.
std::string scenario_text(const Scenario& scenario, const Options& world, const Options& options);
// The same without comments, so that it changes only with what it says.
std::string plain_scenario_text(const Scenario& scenario, const Options& world, const Options& options);
// The command in the first line of such a text; empty where there is none.
std::string command_of(const std::string& scenario_text);

}  // namespace legwork
