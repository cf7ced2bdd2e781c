// legwork archive: what searches kept, for people who want the evaluations themselves.

#include <legwork/archive.h>

#include <iostream>

#include <legwork/error.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "formats/file.h"

namespace legwork::cli {

namespace {

struct ExportOptions {
  std::string table, out;
  std::int64_t body = -1;
};
template <class Visitor>
void describe(Visitor& v, ExportOptions& o) {
  v.text("table", o.table, {{"evaluation", ""}, {"gait", ""}, {"body", ""}},
         "export: which table [the first]");
  v.integer("body", o.body, {-1, 9e18, "", "export: a body of an evolution as a creature file; -1 = none"});
  v.file("out", o.out, "export: write to this .csv, or .toml for a body; - is stdout [-]");
}

void tell(const std::string& path, const ArchiveSummary& summary, const std::string& verdict,
          const Output& out) {
  std::vector<std::string> counts;
  Json tables = Json::object();
  for (const auto& [name, rows] : summary.tables) {
    counts.push_back(std::to_string(rows) + " " +
                     (rows == 1        ? name
                      : name == "body" ? "bodies"
                                       : name + "s"));
    tables[name] = rows;
  }
  out.say(path + ": " + verdict + summary.verb + " " + summary.creature + ", version " + summary.version +
          "; " + join(counts, ", ") + "; fingerprint " + summary.fingerprint);
  out.write({{"verb", "archive"},
             {"status", "ok"},
             {"archive", path},
             {"of", summary.verb},
             {"creature", summary.creature},
             {"version", summary.version},
             {"tables", tables},
             {"fingerprint", summary.fingerprint}});
}

int export_archive(const std::string& path, const ExportOptions& o, const Output& out) {
  const std::string text =
      o.body >= 0 ? evolved_creature(path, std::uint64_t(o.body)) : archive_csv(path, o.table);
  if (o.out.empty() || o.out == "-") {
    std::cout << text;
    return fine;
  }
  write_file(o.out, text);
  out.say("wrote " + o.out);
  return fine;
}

}  // namespace

int archive(const Words& words) {
  std::string action;
  std::vector<std::string> files;
  ExportOptions options;
  OutputOptions output;
  Arguments arguments("archive", "merge, check and export the archives of searches",
                      "legwork archive show cart.db\n"
                      "legwork archive merge all.db part_1.db part_2.db\n"
                      "legwork archive check all.db\n"
                      "legwork archive export all.db --table gait --out gaits.csv\n"
                      "legwork archive export bodies.db --body 17 --out body.toml");
  arguments.place("ACTION", action, "show, check, merge or export");
  arguments.places("FILE", files, "archives; merge: the whole, then its parts");
  arguments.options("What to export", options);
  arguments.options("Output", output);
  arguments.writes("out");
  if (!arguments.parse(words)) return fine;

  const std::vector<std::string> actions = {"show", "check", "merge", "export"};
  if (files.empty()) throw Error({}, "archive " + action, "FILE is missing", "name an archive");
  if (action != "merge" && files.size() > 1 && action == "export")
    throw Error({}, "archive export", "takes one archive, but got " + std::to_string(files.size()),
                "export them one by one");
  const Output out(output);
  if (action == "export") return export_archive(files.front(), options, out);
  if (action == "merge") {
    if (files.size() < 2)
      throw Error({}, "archive merge", "there is nothing to merge", "name the parts after the whole");
    const std::vector<std::string> parts(files.begin() + 1, files.end());
    tell(files.front(), merge_archives(files.front(), parts),
         "merged from " + std::to_string(parts.size()) + (parts.size() == 1 ? " part: " : " parts: "), out);
    return fine;
  }
  if (action != "show" && action != "check")
    throw Error({}, "archive", "there is no action '" + action + "'", did_you_mean(action, actions));
  for (const std::string& file : files)
    tell(file, action == "check" ? check_archive(file) : summarize_archive(file),
         action == "check" ? "sound: " : "", out);
  return fine;
}

}  // namespace legwork::cli
