// legwork compile: dynamics of one body as C.

#include <filesystem>

#include <legwork/compile.h>
#include <legwork/files.h>
#include "base/stopwatch.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "formats/file.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

struct FileOptions {
  std::string out;
};
template <class Visitor>
void describe(Visitor& v, FileOptions& o) {
  v.text("out", o.out, {{"FILE.c", "C99, with its header FILE.h beside it"}}, "the file to write");
}

}  // namespace

int compile(const Words& words) {
  std::string name;
  FileOptions file;
  CompileOptions options;
  WorldOptions world_options;
  OutputOptions out;
  Arguments arguments("compile", "write the dynamics of one body as C that needs nothing else",
                      "legwork compile bounder --out bounder.c\n"
                      "legwork compile dog --emit forward --emit mass --out dog.c\n"
                      "legwork compile hexapod --emit jacobian --point lf --out feet.c");
  arguments.place("CREATURE", name, "a shipped name or a file");
  arguments.options("Compile", file);
  arguments.options("Code", options);
  arguments.options("World", world_options);
  arguments.options("Output", out);
  arguments.writes("out", ".c", "write --out FILE.c");
  if (!arguments.parse(words)) return fine;
  if (file.out.empty()) throw Error({}, "--out", "is missing", "write --out " + name + ".c");

  const World world = load_world(name, world_options);
  const fs::path source = file.out;
  const fs::path header = fs::path(source).replace_extension(".h");
  const CompiledC code = compile_c(world, source.stem().string(), options);
  write_file(header.string(), code.header);
  write_file(source.string(), code.source);

  const Output output(out);
  Json functions = Json::array();
  for (const CompiledFunction& f : code.functions) {
    output.say(f.name + ": " + std::to_string(f.operations) + " operations, of " +
               std::to_string(f.asked_for));
    functions.push_back({{"name", f.name}, {"operations", f.operations}, {"asked_for", f.asked_for}});
  }
  output.say("wrote " + source.string() + " and " + header.string());
  output.write({{"verb", "compile"},
                {"creature", world.body.name},
                {"status", "ok"},
                {"functions", functions},
                {"files", {source.string(), header.string()}}});
  return fine;
}

}  // namespace legwork::cli
