#pragma once
// The report: one HTML page that works from a file, offline. Every motion as a film in 3D with its gait
// diagram, plots, measures and how it was made; several motions make a gallery. The page itself is viewer/.

#include <string>
#include <vector>

#include <legwork/gait.h>
#include <legwork/motion.h>
#include <legwork/result.h>

namespace legwork {

struct ReportEntry {
  const Motion* motion = nullptr;
  const Gait* gait = nullptr;  // null: measured here, where the creature has legs
  std::string title;           // empty: creature and verb
  std::string command;         // the command line that makes it again
  Account account;
};

struct ReportOptions {
  std::string title;  // empty: the first entry's
  std::string text;
  double rate = 60;  // Hz that the page holds
  double max_bytes =
      10e6;  // a page that would be larger holds all its motions at a lower rate, at least 10 Hz
};

// Writes the whole page or, with an Error, nothing.
void write_report(const std::vector<ReportEntry>& entries, const std::string& path,
                  const ReportOptions& options = {});

// Whether this build holds the page; built without node and npm it does not, and write_report says so.
bool has_report_page() noexcept;

}  // namespace legwork
