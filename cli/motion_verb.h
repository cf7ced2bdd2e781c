#pragma once
// What all verbs that make a motion share: the files they write, what they print, scenarios.

#include <memory>
#include <string>
#include <vector>

#include <legwork/methods.h>
#include "base/progress_line.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace legwork::cli {

struct FileOptions {
  std::string out, report, save;
};
template <class Visitor>
void describe(Visitor& v, FileOptions& o) {
  v.file("out", o.out, "write the motion to this .glb");
  v.file("report", o.report, "write a page to look at to this .html");
  v.file("save", o.save, "write the scenario to this .toml, for legwork run");
}

class Arguments;
// Adds the files and what is printed to the command line of a verb.
void add_files(Arguments& arguments, FileOptions& files, OutputOptions& output);

// What every --json holds: how it was made, status, fell, and gait where there are legs.
Json common_keys(const Motion& motion);

// Writes the files, says what happened, and returns the exit code.
int deliver(const Result& result, const FileOptions& files, const OutputOptions& output);

// How the user wants it run: progress on a terminal, Ctrl-C stops.
Run run_of(const Run& asked, ProgressLine& line);

// The whole of `legwork METHOD CREATURE [options]`.
int run_method(const std::string& name, const Words& words);

}  // namespace legwork::cli
