#include "cli/page.h"

#include "report/report.h"
#include "scenario/scenario.h"

namespace legwork::cli {

void write_page(const std::vector<const Result*>& results, const std::string& path,
                const std::string& title) {
  std::vector<ReportEntry> entries;
  for (const Result* result : results) {
    ReportEntry entry;
    entry.motion = &result->motion;
    entry.gait = result->gait ? &*result->gait : nullptr;
    entry.title = result->account.title;
    entry.account = result->account;
    entry.command = command_of(result->motion.made.options);
    entries.push_back(std::move(entry));
  }
  write_report(entries, path, {.title = title});
}

}  // namespace legwork::cli
