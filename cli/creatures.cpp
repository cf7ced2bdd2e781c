// legwork creatures: what is shipped.

#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "legwork/io/load.h"

namespace legwork::cli {

namespace {

struct Listing {
  std::vector<std::vector<std::string>> rows = {{"name", "mass", "links", "dofs", "legs"}};
  std::vector<std::string> about = {"about"};
  Json json = Json::array();

  void add(const ShippedCreature& shipped, const char* kind) {
    const Creature body = load_world(shipped.path).body;
    rows.push_back({shipped.name, with_unit(body.mass(), "kg"), std::to_string(body.links.size()),
                    std::to_string(body.nv()), std::to_string(body.legs.size())});
    about.push_back(shipped.about);
    json.push_back({{"name", shipped.name},
                    {"about", shipped.about},
                    {"kind", kind},
                    {"mass", body.mass()},
                    {"links", body.links.size()},
                    {"dofs", body.nv()},
                    {"legs", body.legs.size()},
                    {"path", shipped.path}});
  }
};

}  // namespace

int creatures(const Words& words) {
  OutputOptions out;
  Arguments arguments("creatures", "list the bodies that come with Legwork",
                      "legwork creatures\nlegwork creatures --json -");
  arguments.options("Output", out);
  if (!arguments.parse(words)) return fine;

  Listing listing;
  for (const ShippedCreature& shipped : shipped_creatures()) listing.add(shipped, "creature");
  for (const ShippedCreature& shipped : shipped_worlds()) listing.add(shipped, "world");

  const Output output(out);
  std::string text = table(listing.rows);
  size_t begin = 0;
  for (const std::string& line : listing.about) {
    const size_t end = text.find('\n', begin);
    output.say(text.substr(begin, end - begin) + "  " + line);
    begin = end + 1;
  }
  output.write({{"verb", "creatures"}, {"status", "ok"}, {"creatures", listing.json}});
  return fine;
}

}  // namespace legwork::cli
