// legwork creatures: what is shipped, and which methods can move it.

#include <filesystem>
#include <map>

#include <legwork/files.h>
#include <legwork/methods.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "formats/shipped.h"
#include "formats/toml/creature_keys.h"

namespace legwork::cli {

namespace {

struct ListOptions {
  bool keys = false;
};
template <class Visitor>
void describe(Visitor& v, ListOptions& o) {
  v.flag("keys", o.keys, "list every key of a creature file instead, as docs/creature_file.md has them");
}

void list_keys(const OutputOptions& out) {
  Json tables = Json::object();
  for (const TomlKeys& keys : creature_keys()) {
    Output(out).say("## " + std::string(keys.table) + ": " + std::string(keys.heading) + "\n" +
                    reference_table(keys));
    tables[std::string(keys.table)] = keys.names();
  }
  Output(out).write({{"verb", "creatures"}, {"status", "ok"}, {"keys", tables}});
}

struct Listing {
  std::vector<std::vector<std::string>> rows = {
      {"name", "mass", "dofs", "legs", "walk", "discover", "direct", "modes", "reach"}};
  std::vector<std::string> about = {"about"};
  // verb and what is lacking: who lacks it
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> lacking;
  Json json = Json::array();

  void add(const ShippedCreature& shipped, const char* kind) {
    const World world = load_world(shipped.path);
    const Creature& body = world.body;
    rows.push_back({shipped.name, with_unit(body.mass(), "kg"), std::to_string(body.nv()),
                    std::to_string(body.legs.size())});
    Json methods = Json::object();
    for (const Support& s : supports(world)) {
      rows.back().push_back(!s.supported           ? "-"
                            : s.lacks.empty()      ? "yes"
                            : s.method == "direct" ? "track"
                                                   : "part");
      if (!s.lacks.empty()) lacking[{s.method, s.lacks}].push_back(shipped.name);
      methods[s.method] = {
          {"supported", s.supported}, {"how", s.how}, {"lacks", s.lacks}, {"advice", s.advice}};
    }
    about.push_back(shipped.about);
    json.push_back({{"name", shipped.name},
                    {"about", shipped.about},
                    {"kind", kind},
                    {"mass", body.mass()},
                    {"links", body.links.size()},
                    {"dofs", body.nv()},
                    {"legs", body.legs.size()},
                    {"methods", methods},
                    {"path", shipped.path}});
  }
};

}  // namespace

int creatures(const Words& words) {
  ListOptions options;
  OutputOptions out;
  Arguments arguments(
      "creatures",
      "list the bodies that come with Legwork, or bodies of yours, and which methods can move them",
      "legwork creatures\nlegwork creatures dog roach my_bug.toml\nlegwork creatures --keys"
      "\nlegwork creatures --json -");
  std::vector<std::string> names = {"all"};
  arguments.places("CREATURE", names, "shipped names or files; without any: all that is shipped");
  arguments.options("What to list", options);
  arguments.options("Output", out);
  if (!arguments.parse(words)) return fine;
  if (options.keys) {
    list_keys(out);
    return fine;
  }

  Listing listing;
  const bool all = names == std::vector<std::string>{"all"};
  for (const std::string& name : all ? std::vector<std::string>() : names)
    listing.add({std::filesystem::path(name).stem().string(), load_world(name).body.about, name}, "creature");
  if (all) {
    for (const ShippedCreature& shipped : shipped_creatures()) listing.add(shipped, "creature");
    for (const ShippedCreature& shipped : shipped_worlds()) listing.add(shipped, "world");
  }

  const Output output(out);
  std::string text = table(listing.rows);
  size_t begin = 0;
  for (const std::string& line : listing.about) {
    const size_t end = text.find('\n', begin);
    output.say(text.substr(begin, end - begin) + "  " + line);
    begin = end + 1;
  }
  if (!listing.lacking.empty()) output.say("\nWhat is missing (legwork VERB CREATURE says what to add):");
  for (const auto& [what, who] : listing.lacking)
    output.say("  " + what.first + ": " + what.second + ": " + join(who, ", "));
  output.write({{"verb", "creatures"}, {"status", "ok"}, {"creatures", listing.json}});
  return fine;
}

}  // namespace legwork::cli
