#pragma once
// The report of motions that are not results. The page itself is viewer/.

#include <string>
#include <vector>

#include <legwork/report.h>

namespace legwork {

struct ReportEntry {
  const Motion* motion = nullptr;
  const Gait* gait = nullptr;  // null: measured here, where the creature has legs
  std::string title;           // empty: creature and verb
  std::string command;         // the command line that makes it again
  Account account;
};

// Writes the whole page or, with an Error, nothing.
void write_report(const std::vector<ReportEntry>& entries, const std::string& path,
                  const ReportOptions& options = {});

}  // namespace legwork
