// legwork view: motions as a page to look at.

#include <algorithm>
#include <filesystem>

#include <legwork/files.h>
#include <legwork/report.h>
#include "cli/arguments.h"
#include "cli/motion_verb.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace legwork::cli {

namespace {

struct ViewOptions {
  std::string report, title;
};
template <class Visitor>
void describe(Visitor& v, ViewOptions& o) {
  v.file("report", o.report, "the page to write; else beside the first file, with .html");
  v.text("title", o.title, "title of the page");
}

}  // namespace

int view(const Words& words) {
  std::vector<std::string> files;
  ViewOptions options;
  OutputOptions out;
  Arguments arguments("view", "make a page of motions to look at: film, gait, plots; it works offline",
                      "legwork view drop.glb\n"
                      "legwork view a.glb b.glb c.glb --report gallery.html --title 'Three falls'");
  arguments.places("FILE", files, "motions, .glb; several make a gallery");
  arguments.options("The page", options);
  arguments.options("Output", out);
  arguments.writes("report", ".html", "name a page");
  if (!arguments.parse(words)) return fine;

  if (options.report.empty()) {
    options.report = std::filesystem::path(files[0]).replace_extension(".html").string();
    check_targets(arguments.targets(), arguments.mentions());
  }
  std::vector<Result> results;
  for (const std::string& file : files) {
    results.push_back(read_result(file));
    if (results.back().motion.frames() == 0)
      throw Error({file, 0}, "motion", "has no frames", "there is nothing to see");
    std::string title = std::filesystem::path(file).stem().string();
    std::replace(title.begin(), title.end(), '_', ' ');
    results.back().account.title = title;
  }
  write_report(results, options.report, {.title = options.title});
  const Output output(out);
  output.say("wrote " + options.report + "; open it in a browser");
  // one motion: the common keys; a gallery: a list of them
  Json json = {{"verb", "view"}, {"status", "ok"}, {"files", {{"report", options.report}}}};
  if (results.size() == 1) {
    json = common_keys(results.front().motion);
    json["verb"] = "view", json["files"]["report"] = options.report;
  } else {
    json["motions"] = Json::array();
    for (const Result& result : results) {
      json["motions"].push_back(common_keys(result.motion));
      json["motions"].back()["file"] = files[json["motions"].size() - 1];
    }
  }
  output.write(json);
  return fine;
}

}  // namespace legwork::cli
