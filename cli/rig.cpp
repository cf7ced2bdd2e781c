// legwork rig: what is understood of a rigged character, as a creature file to edit and as a picture.

#include <filesystem>

#include <legwork/files.h>
#include <legwork/report.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "creature/complete.h"
#include "formats/character/body.h"
#include "formats/character/sketch.h"
#include "formats/file.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

struct RigOptions {
  std::string save, picture;
};

template <class Visitor>
void describe(Visitor& v, RigOptions& o) {
  v.file("save", o.save,
         "write what was understood as a creature file, .toml, to edit and to use in its place");
  v.file("picture", o.picture,
         "draw it as a .png: trunk grey, legs brown, arms and wings blue, neck and tail yellow; bones alone "
         "where "
         "the character is not understood");
}

const char* name_of(Part part) {
  static constexpr const char* names[] = {"trunk", "leg", "arm", "wing", "neck", "tail"};
  return names[int(part)];
}

std::string joined(const CharacterFile& file, const Figure& figure, const std::vector<int>& links) {
  std::vector<std::string> names;
  for (const int l : links) names.push_back(file.nodes[size_t(figure.links[size_t(l)].node)].name);
  return join(names, ", ");
}

void tell(const CharacterFile& file, const Figure& figure, const Creature& creature, const Output& output,
          Json& json) {
  const CharacterFrame& frame = figure.frame;
  output.say(creature.name + ": " + std::to_string(file.bones.size()) + " bones, of which " +
             std::to_string(figure.links.size()) + " move as links; " + with_unit(creature.mass(), "kg") +
             ", hips " + with_unit(figure.height, "m") + " high");
  output.say("  axes    " +
             std::string(frame.as_gltf_asks ? "Y up and Z forward, as glTF asks"
                                            : "not as glTF asks: seen from the body") +
             "; one unit of the file is " + with_unit(frame.scale, "m"));
  std::vector<int> trunk;
  for (int l = 0; l < int(figure.links.size()); ++l)
    if (figure.links[size_t(l)].part == Part::trunk) trunk.push_back(l);
  output.say("  trunk   " + joined(file, figure, trunk));
  json["parts"] = Json::array({Json{{"part", "trunk"}, {"bones", joined(file, figure, trunk)}}});
  for (const FigureLimb& limb : figure.limbs) {
    const std::string side = limb.side == Side::left ? "left " : limb.side == Side::right ? "right " : "";
    std::string words = side + name_of(limb.part);
    words.resize(std::max<size_t>(words.size(), 9), ' ');
    output.say("  " + words + " " + joined(file, figure, limb.links));
    json["parts"].push_back({{"part", name_of(limb.part)},
                             {"side", side.substr(0, side.empty() ? 0 : side.size() - 1)},
                             {"bones", joined(file, figure, limb.links)}});
  }
  json["creature"] = creature.name, json["bones"] = file.bones.size(), json["links"] = figure.links.size();
  json["mass"] = creature.mass(), json["hip_height"] = figure.height, json["scale"] = frame.scale;
  json["as_gltf_asks"] = frame.as_gltf_asks, json["clips"] = file.clips, json["legs"] = creature.legs.size();
}

void draw(const Creature& creature, const std::string& path) {
  Motion still;
  still.creature = creature;
  still.time = {0};
  still.q = creature.pose("stand");
  RenderOptions look;
  look.width = 900, look.height = 700, look.samples = 12;
  write_png(render_frame(still, 0, look), path);
}

}  // namespace

int rig(const Words& words) {
  std::string path;
  RigOptions options;
  OutputOptions out;
  Arguments arguments("rig", "say what is understood of a rigged character, and write it as a creature file",
                      "legwork rig fox.glb --save fox.toml\nlegwork rig fox.glb --picture fox.png");
  arguments.place("FILE", path, "a rigged character, .glb or .gltf");
  arguments.options("What to make of it", options);
  arguments.options("Output", out);
  arguments.writes("save", ".toml", "name a creature file");
  arguments.writes("picture", ".png", "name a picture");
  if (!arguments.parse(words)) return fine;

  const Output output(out);
  Json json = {{"verb", "rig"}, {"status", "ok"}};
  const CharacterFile file(path);
  try {
    const Figure figure = find_figure(file);
    Creature creature = read_character(path);
    tell(file, figure, creature, output, json);
    if (!options.picture.empty()) draw(creature, options.picture);
    if (!options.save.empty()) {
      const fs::path folder =
          fs::path(options.save).has_parent_path() ? fs::path(options.save).parent_path() : fs::path(".");
      std::error_code failed;
      const fs::path seen = fs::proximate(path, folder, failed);
      if (!failed && !seen.empty()) creature.character = seen.string();
      write_creature(creature, options.save);
    }
  } catch (const Error&) {
    if (!options.picture.empty()) draw(sketch_of(file), options.picture);
    throw;
  }
  for (const auto& [kind, target] :
       {std::pair<const char*, std::string>{"picture", options.picture}, {"save", options.save}})
    if (!target.empty()) {
      output.say("wrote " + target);
      json["files"][kind] = target;
    }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
