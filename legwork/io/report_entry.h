#pragma once
// The report's JSON blocks as the page reads them (viewer/src/data.js): a body, and a motion of it.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "legwork/io/report.h"

namespace legwork {

// What is drawn: names and shapes of the links that have any.
nlohmann::json body_json(const Creature& creature);

// The motion at no more than `rate` frames a second, with the poses of those links.
nlohmann::json entry_json(const ReportEntry& entry, double rate);

std::string entry_title(const ReportEntry& entry);

}  // namespace legwork
