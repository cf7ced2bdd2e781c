#pragma once
// Motions on a page to look at: --report of every verb, and legwork view.

#include <string>
#include <vector>

#include "report/report.h"

namespace legwork::cli {

// What a page shows of one motion; the motion must outlive it.
struct Showing {
  const Motion* motion = nullptr;
  std::string title, text;
  std::vector<ReportMeasure> measures;  // of the method
  std::vector<ReportPanel> panels;
};

void write_page(const std::vector<Showing>& showings, const std::string& path, const std::string& title = {});

}  // namespace legwork::cli
