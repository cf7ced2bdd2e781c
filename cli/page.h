#pragma once
// Motions on a page to look at: --report of every verb, and legwork view.

#include <string>
#include <vector>

#include <legwork/result.h>

namespace legwork::cli {

void write_page(const std::vector<const Result*>& results, const std::string& path,
                const std::string& title = {});

}  // namespace legwork::cli
