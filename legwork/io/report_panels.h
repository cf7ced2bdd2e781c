#pragma once
// What a method adds to its report, ready for the page.

#include <nlohmann/json_fwd.hpp>

#include "legwork/io/report.h"

namespace legwork {

nlohmann::json make_panel(const ReportPanel& panel);
nlohmann::json make_value(const ReportValue& value);

}  // namespace legwork
