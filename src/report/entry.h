#pragma once
// The report's blocks as the page reads them (viewer/src/data.js): a body, and a motion of it. JSON as text.

#include <cstddef>
#include <string>

#include "report/report.h"

namespace legwork {

// What is drawn: names and shapes of the links that have any.
std::string body_block(const Creature& creature);

struct EntryBlock {
  std::string json;
  std::string brief;  // "trot · 0.52 m/s", "fell at 1.2 s · walk": under its picture in a gallery
};
// The motion at no more than `rate` frames a second, with the poses of those links; body_number is that of
// their block.
EntryBlock entry_block(const ReportEntry& entry, double rate, std::size_t body_number);

std::string entry_title(const ReportEntry& entry);

}  // namespace legwork
