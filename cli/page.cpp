#include "cli/page.h"

#include "scenario/scenario.h"

namespace legwork::cli {

void write_page(const std::vector<Showing>& showings, const std::string& path, const std::string& title) {
  std::vector<ReportEntry> entries;
  for (const Showing& showing : showings) {
    ReportEntry entry;
    entry.motion = showing.motion;
    entry.title = showing.title;
    entry.account = {showing.text, showing.measures, showing.panels};
    entry.command = command_of(showing.motion->made.options);
    entries.push_back(std::move(entry));
  }
  write_report(entries, path, {.title = title});
}

}  // namespace legwork::cli
